"""Find the WebAssembly wheels that Pyodide's own lock names, wherever they are to be had.

Where it stands: above `packages`, below `runtime`. No registry offers these wheels on their own; a PyPI
package carries them inside its archive, from which single members are read by range requests.
What always holds: the SHA-256 in Pyodide's official lock decides, never the source.
"""

from __future__ import annotations

import io
import re
import urllib.request
import zipfile
from collections.abc import Callable
from pathlib import Path

from common import BuildError, cache_folder, megabytes, say, sha256, write_atomic
from packages import pypi_address

CARRIER = "open-webui==0.12.4"
CARRIER_FOLDER = "open_webui/frontend/pyodide/"
_BLOCK = 1 << 20
_TIMEOUT_S = 60


class RangeFile(io.RawIOBase):
    """A file behind an address whose server answers range requests; reads it by blocks of 1 MiB."""

    def __init__(self, address: str) -> None:
        self._address = address
        self._position = 0
        self._blocks: dict[int, bytes] = {}
        head = urllib.request.Request(address, method="HEAD")
        with urllib.request.urlopen(head, timeout=_TIMEOUT_S) as answer:
            self.size = int(answer.headers["Content-Length"])

    def readable(self) -> bool:
        """Say that it can be read."""
        return True

    def seekable(self) -> bool:
        """Say that it can be sought."""
        return True

    def tell(self) -> int:
        """Return the position."""
        return self._position

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        """Move to `offset` from start, here or end, as any file does."""
        origin = {io.SEEK_SET: 0, io.SEEK_CUR: self._position, io.SEEK_END: self.size}[whence]
        self._position = max(0, origin + offset)
        return self._position

    def read(self, size: int | None = -1) -> bytes:
        """Read up to `size` bytes, all that is left when it is negative."""
        left = max(0, self.size - self._position)
        count = left if size is None or size < 0 else min(size, left)
        end = self._position + count
        parts = []
        while self._position < end:
            index, offset = divmod(self._position, _BLOCK)
            piece = self._block(index, last=(end - 1) // _BLOCK)[offset : offset + end - self._position]
            if not piece:
                raise OSError("the server's answer was too short")
            parts.append(piece)
            self._position += len(piece)
        return b"".join(parts)

    def _block(self, index: int, last: int) -> bytes:
        """Return block `index`; those up to `last` that are missing come in the same request."""
        if index not in self._blocks:
            stop = index + 1
            while stop <= last and stop not in self._blocks:
                stop += 1
            first, final = index * _BLOCK, min(stop * _BLOCK, self.size) - 1
            request = urllib.request.Request(self._address, headers={"Range": f"bytes={first}-{final}"})
            with urllib.request.urlopen(request, timeout=_TIMEOUT_S) as answer:
                if answer.status != 206:
                    raise OSError("the server does not answer range requests")
                data = answer.read()
            for block in range(index, stop):
                start = (block - index) * _BLOCK
                self._blocks[block] = data[start : start + _BLOCK]
        return self._blocks[index]


def fetch_wheels(wanted: dict[str, str], *, folder: Path | None, cdn: str | None) -> dict[str, Path]:
    """Return the path of each wheel, fetched and verified.

    Parameters
    ----------
    wanted
        File name → SHA-256 of the official lock.
    folder
        Where the person says the wheels lie (``--wheels``); tried before the network.
    cdn
        The official distribution's address, tried last.

    Raises
    ------
    BuildError
        Naming the file that no source has, or that is not what the lock says.
    """
    store = cache_folder() / "wheels"
    found = {name: store / name for name, digest in wanted.items() if _right(store / name, digest)}
    missing = [name for name in wanted if name not in found]
    if folder:
        for name in list(missing):
            if (folder / name).exists():
                found[name] = _keep(store / name, (folder / name).read_bytes(), wanted[name], str(folder))
                missing.remove(name)
    if missing:
        say(f"Fetching {len(missing)} WebAssembly wheels: {', '.join(missing)} …")
        reasons = []
        for source in (_from_carrier, _from_cdn(cdn)):
            try:
                for name, data in source(missing).items():
                    found[name] = _keep(store / name, data, wanted[name], "the network")
                missing = [name for name in wanted if name not in found]
            except (OSError, KeyError, zipfile.BadZipFile, BuildError) as error:
                reasons.append(str(error))
            if not missing:
                break
        else:
            raise BuildError(
                f"could not fetch {', '.join(missing)}:\n  "
                + "\n  ".join(reasons)
                + "\nWithout a network, put "
                "the official wheels of Pyodide into a folder and say --wheels FOLDER."
            )
    return found


def _right(path: Path, digest: str) -> bool:
    """Say whether the cached file is there and whole; an altered one is said and fetched again."""
    if not path.exists():
        return False
    if sha256(path.read_bytes()) == digest:
        return True
    say(f"{path.name} in the cache was altered: fetching it again")
    path.unlink()
    return False


def _keep(path: Path, data: bytes, digest: str, source: str) -> Path:
    if sha256(data) != digest:
        raise BuildError(
            f"{path.name} from {source} is not the file that Pyodide's lock names (SHA-256 differs, "
            f"{megabytes(len(data))}): it was not used"
        )
    write_atomic(path, data)
    return path


def _from_carrier(names: list[str]) -> dict[str, bytes]:
    remote = RangeFile(pypi_address(CARRIER))
    with zipfile.ZipFile(remote) as archive:
        return {name: archive.read(CARRIER_FOLDER + name) for name in names}


def _from_cdn(address: str | None) -> Callable[[list[str]], dict[str, bytes]]:
    def fetch(names: list[str]) -> dict[str, bytes]:
        if not address:
            raise BuildError("Pyodide names no place of its own for its wheels")
        result = {}
        for name in names:
            with urllib.request.urlopen(address + name, timeout=_TIMEOUT_S) as answer:
                result[name] = answer.read()
        return result

    return fetch


def official_place(loader: str, version: str) -> str | None:
    """Return the address that Pyodide's loader itself names for its packages, or None."""
    found = re.search(r"`(https://[^`$]+)\$\{\w+\}(/[a-z]+/)`", loader)
    return f"{found[1]}{version}{found[2]}" if found else None
