"""What every room of the build shares: where things lie, how it speaks, how it fails.

Where it stands: below every other module of the build, above the standard library alone.
What always holds: a failure that a person can do something about is a `BuildError` whose text says what;
a file is written whole or not at all (`write_atomic`).
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DIST = ROOT / "dist"
VENV = ROOT / ".venv"
CACHE_VARIABLE = "IMAGE_TO_FEN_CACHE"


class BuildError(Exception):
    """Something that the person at the keyboard must know or do; its text is all they need."""


def cache_folder() -> Path:
    """Return the folder that keeps what was fetched or compiled, made if it is missing."""
    folder = Path(os.environ.get(CACHE_VARIABLE) or ROOT / ".cache").resolve()
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def say(text: str) -> None:
    """Print one line for the person, at once."""
    print(text, flush=True)


def sha256(data: bytes) -> str:
    """Return the SHA-256 of `data` in hexadecimal."""
    return hashlib.sha256(data).hexdigest()


def digest_of(paths: Iterable[Path], *, extra: str = "") -> str:
    """Return one SHA-256 over names and contents of `paths` (in the order given) and `extra`."""
    digest = hashlib.sha256(extra.encode())
    for path in paths:
        digest.update(f"\0{path.name}\0".encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()


def write_atomic(path: Path, data: bytes) -> None:
    """Write `data` to `path` so that no other process ever sees half of it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        os.chmod(name, 0o644)
        os.replace(name, path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


@contextmanager
def fresh_folder(target: Path) -> Iterator[Path]:
    """Yield an empty folder that becomes `target` when the block ends well, replacing what stood there."""
    target.parent.mkdir(parents=True, exist_ok=True)
    work = Path(tempfile.mkdtemp(dir=target.parent, prefix=f".{target.name}."))
    try:
        yield work
        work.chmod(0o755)
        old = work.with_name(f"{work.name}.old")
        if target.exists():
            target.rename(old)
        work.rename(target)
        shutil.rmtree(old, ignore_errors=True)
    except BaseException:
        shutil.rmtree(work, ignore_errors=True)
        raise


def run(
    command: Sequence[str | Path],
    *,
    cwd: Path | None = None,
    env: Mapping[str, str] | None = None,
    what: str,
) -> str:
    """Run `command` quietly and return its standard output.

    Raises
    ------
    BuildError
        Naming `what` failed, with the end of what the command said.
    """
    try:
        done = subprocess.run(
            [str(part) for part in command],
            cwd=cwd or ROOT,
            env={**os.environ, **(env or {})},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
    except OSError as error:
        raise BuildError(f"{what}: could not run {command[0]}: {error}") from error
    if done.returncode:
        # Minified sources are quoted in Node's errors: no line of those is of use.
        lines = [line for line in (done.stdout + done.stderr).strip().splitlines() if len(line) < 500]
        tail = "\n".join(lines[-15:])
        raise BuildError(f"{what} failed (exit status {done.returncode}):\n{tail}")
    return done.stdout


@contextmanager
def timed(what: str) -> Iterator[None]:
    """Print what was done and how long it took, when the block ends well."""
    start = time.perf_counter()
    yield
    say(f"  {what}: {time.perf_counter() - start:.1f} s")


def megabytes(size: int) -> str:
    """Return `size` in bytes as a figure in MB (millions of bytes)."""
    return f"{size / 1e6:.2f} MB"


def main_guard(action: str, function: object, *args: object, **options: object) -> int:
    """Call `function`, turning a BuildError into a message and exit status 1."""
    try:
        result = function(*args, **options)  # type: ignore[operator]
    except BuildError as error:
        print(f"\nbuild.py {action}: {error}", file=sys.stderr, flush=True)
        return 1
    except KeyboardInterrupt:
        return 130
    return int(result or 0)
