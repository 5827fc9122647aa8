"""What is to be read: files, folders, patterns and pages → one source after another.

Stands below the `read` command, above `pdf`. What always holds: folders and patterns give their files in the
order a person would number them; the bytes of a picture are fetched when its turn comes and not kept; a file
of the same bytes as an earlier one says so; a file that cannot be opened fails in its place.
"""

from __future__ import annotations

import glob
import hashlib
import json
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fen_core.errors import ImageError, UsageError
from fen_core.pdf import is_pdf, pages

__all__ = ["Source", "already_read", "hold_apart", "sources"]

_OURS = b'{"file":'  # how every line of `read --json` begins

SUFFIXES = {".png", ".jpg", ".jpeg", ".webp", ".gif", ".bmp", ".tif", ".tiff", ".ppm", ".pdf"}
_NUMBERS = re.compile(r"(\d+)")


@dataclass(frozen=True, slots=True)
class Source:
    """One picture: its file, its page where the file is a PDF, and its bytes or why there are none."""

    file: str
    page: int | None
    content: bytes | ImageError
    same_as: str | None = None

    def head(self) -> dict[str, Any]:
        """Return what a reading begins with."""
        head: dict[str, Any] = {"file": self.file}
        if self.page is not None:
            head["page"] = self.page
        if self.same_as is not None:
            head["same_as"] = self.same_as
        return head

    def data(self) -> bytes:
        """Return the bytes.

        Raises
        ------
        ImageError
            If there are none.
        """
        if isinstance(self.content, ImageError):
            raise self.content
        return self.content


def _natural(path: Path) -> list[tuple[int, str | int]]:
    """Return the key that puts page10 after page9."""
    parts = _NUMBERS.split(str(path).casefold())
    return [(0, int(part)) if part.isdigit() else (1, part) for part in parts]


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except OSError:  # a name that the system cannot even ask about
        return False


def _files(names: Sequence[str]) -> Iterator[tuple[str, Path | None]]:
    """Name every file: those given, those in the folders given, those that match the patterns given."""
    for name in names:
        path = Path(name)
        if name == "-":
            yield name, None
        elif _exists(path) and path.is_dir():
            inside = (file for file in path.rglob("*") if file.suffix.lower() in SUFFIXES and file.is_file())
            yield from [(str(file), file) for file in sorted(inside, key=_natural)] or [(name, path)]
        elif not _exists(path) and glob.has_magic(name):
            found = [Path(match) for match in glob.glob(name, recursive=True)]
            for match in sorted(found, key=_natural):
                yield from _files([str(match)])
            if not found:
                yield name, path
        else:
            yield name, path


def _bytes(path: Path | None) -> bytes:
    if path is not None and not _exists(path) and glob.has_magic(str(path)):
        raise ImageError("pattern-empty")
    if path is not None and _exists(path) and path.is_dir():  # only one without pictures comes this far
        raise ImageError("folder-empty")
    try:
        return sys.stdin.buffer.read() if path is None else path.read_bytes()
    except OSError as error:
        raise ImageError("file-unreadable") from error


def sources(
    names: Sequence[str],
    *,
    wanted: Callable[[int], bool] | None = None,
    done: set[tuple[str, int | None]],
) -> Iterator[Source]:
    """Give one picture after another.

    Parameters
    ----------
    names : sequence of str
        Files, folders, patterns (``**`` for folders in folders), or "-" for standard input.
    wanted : callable, optional
        Whether a page of a PDF, by its number from 1, is wanted; all if not given.
    done : set of (file, page)
        What is left out.
    """
    first: dict[bytes, str] = {}  # digest → the file that had it first
    for name, path in _files(names):
        try:
            data = _bytes(path)
            same = first.setdefault(hashlib.sha256(data).digest(), name)
            same_as = None if same == name else same
            if (name, None) in done:  # its bytes are known now: a later file may be the same
                continue
            if not is_pdf(data):
                yield Source(name, None, data, same_as)
                continue
            chosen = _Chosen(name, wanted, done)
            for page, picture in pages(data, chosen):
                yield Source(name, page, picture, same_as)
            if not chosen.any:
                raise ImageError("pages-beyond", n=chosen.last)
        except ImageError as error:
            if (name, None) not in done:
                yield Source(name, None, error)


@dataclass(slots=True)
class _Chosen:
    """Says which pages of a file are to be read, and remembers whether any was wanted, and the last."""

    name: str
    wanted: Callable[[int], bool] | None
    done: set[tuple[str, int | None]]
    any: bool = False
    last: int = 0

    def __call__(self, page: int) -> bool:
        wanted = self.wanted is None or self.wanted(page)
        self.any, self.last = self.any or wanted, page
        return wanted and (self.name, page) not in self.done


def hold_apart(output: Path, names: Sequence[str]) -> None:
    """Refuse an output that is one of the files to be read: writing would destroy it.

    Raises
    ------
    UsageError
        With the code "output-is-input".
    """
    if _exists(output) and any(
        path is not None and _exists(path) and path.samefile(output) for _, path in _files(names)
    ):
        raise UsageError("output-is-input")


def already_read(output: Path) -> tuple[set[tuple[str, int | None]], bool]:
    """Say what a run that was broken off has written, and cut off a line that it did not finish.

    Parameters
    ----------
    output : Path
        Lines of JSON, as `read --json --output` writes them; it need not be there.

    Returns
    -------
    tuple
        The (file, page) of every picture in it, and whether some of them gave no board.

    Raises
    ------
    UsageError
        With the code "output-not-ours", where the file holds anything else: it is left as it is.
    """
    done: set[tuple[str, int | None]] = set()
    without_board = False
    if not output.exists():
        return done, without_board
    whole = 0
    with output.open("rb") as lines:
        if not _OURS.startswith(lines.read(len(_OURS))):
            raise UsageError("output-not-ours")
        lines.seek(0)
        for line in lines:
            try:
                result = json.loads(line)
                picture, boards = (result["file"], result.get("page")), result["boards"]
            except (ValueError, KeyError, TypeError, AttributeError):
                break
            if not line.endswith(b"\n"):
                break
            done.add(picture)
            without_board |= not boards
            whole += len(line)
    with output.open("r+b") as cut:
        cut.truncate(whole)
    return done, without_board
