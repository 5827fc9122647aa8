"""Make the browser runtime: Pyodide's core, its wheels and PyScript, verified, compiled, with our own lock.

Where it stands: above `packages` and `wheels`, below `assemble`, `single` and `bench`.
What always holds: the core and PyScript are what package-lock.json pins, the wheels what Pyodide's lock
names; the same inputs give the same bytes; what was made once lies in the cache under a name that is the
digest of everything it was made from.
"""

from __future__ import annotations

import json
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path

from common import BuildError, cache_folder, digest_of, fresh_folder, run, say, sha256
from packages import node_command, npm_package
from wheels import fetch_wheels, official_place

COMPILER = Path(__file__).with_name("compile.mjs")
# What every reading needs, and what is fetched only for learning from corrections.
PACKAGES = ("numpy", "pillow")
LEARNING = ("scikit-learn", "scipy", "joblib", "threadpoolctl")
CORE = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm")
STDLIB = "python_stdlib.zip"
LOCK = "pyodide-lock.json"
# Without use in a browser: names of folders, modules and files, in the library and in the packages. What
# scikit-learn, SciPy or joblib import is kept (unittest, pydoc, multiprocessing): .ci/learning.mjs tries it.
DROPPED = (
    *("tests", "f2py", "distutils", "pydoc_data", "idlelib", "turtledemo", "ensurepip"),
    *(
        "xmlrpc",
        "wsgiref",
        "mailbox",
        "imaplib",
        "smtplib",
        "ftplib",
        "poplib",
        "turtle",
        "trace",
        "tabnanny",
    ),
    *("pstats", "profile", "cProfile", "plistlib", "_pyio", "_pydatetime", "xml", "webbrowser", "getpass"),
    *("antigravity", "this", "rlcompleter", "socketserver", "_osx_support", "nturl2path", "netrc"),
    # Pillow draws no text here; NumPy's own LAPACK is a spare.
    *("_imagingft.cpython-314-wasm32-emscripten", "lapack_lite.cpython-314-wasm32-emscripten"),
)
# Encodings that metadata of pictures or names in archives may be in; the others are tables of a past age.
ENCODINGS = (
    *("__init__", "aliases", "ascii", "base64_codec", "charmap", "cp1252", "cp437", "hex_codec", "idna"),
    *("iso8859_1", "latin_1", "mac_roman", "punycode", "raw_unicode_escape", "unicode_escape", "undefined"),
    *("utf_16", "utf_16_be", "utf_16_le", "utf_32", "utf_32_be", "utf_32_le", "utf_7", "utf_8", "utf_8_sig"),
)


@dataclass(frozen=True, slots=True)
class Runtime:
    """A compiled runtime in the cache: `pyodide` and `pyscript` are folders, `key` names the content."""

    pyodide: Path
    pyscript: Path
    key: str
    packages: tuple[str, ...]

    def lock(self) -> dict[str, dict[str, dict[str, object]]]:
        """Return our own lock, as written."""
        return json.loads((self.pyodide / LOCK).read_text("utf-8"))  # type: ignore[no-any-return]


def make_runtime(*, wheels: Path | None = None, learning: bool = False) -> Runtime:
    """Fetch, verify and compile what the browser needs; quick when the cache has it.

    Parameters
    ----------
    wheels
        A folder that holds Pyodide's official wheels, for machines that reach no network.
    learning
        Also scikit-learn and what it needs.
    """
    core = npm_package("pyodide")
    pyscript = npm_package("@pyscript/core")
    official = json.loads((core / LOCK).read_text("utf-8"))
    names = PACKAGES + (LEARNING if learning else ())
    entries = {name: official["packages"][name] for name in names}
    digest = sha256(json.dumps(entries, sort_keys=True).encode())
    inputs = [core / name for name in (*CORE, STDLIB)]
    key = digest_of([*inputs, COMPILER], extra=digest + ",".join((*DROPPED, *ENCODINGS)))[:12]
    folder = cache_folder() / "runtime" / key
    if not folder.exists():
        cdn = official_place((core / "pyodide.mjs").read_text("utf-8"), _version(core))
        wanted = {entry["file_name"]: entry["sha256"] for entry in entries.values()}
        found = fetch_wheels(wanted, folder=wheels, cdn=cdn)
        say("Compiling Python's library and the packages (once) …")
        with fresh_folder(folder) as work:
            _compile_all(core, found, work)
            _write_lock(official, entries, work)
            for name in CORE:
                shutil.copyfile(core / name, work / name)
    return Runtime(folder, pyscript / "dist", key, names)


def _version(package: Path) -> str:
    version: str = json.loads((package / "package.json").read_text("utf-8"))["version"]
    return version


def _compile_all(core: Path, wheels: dict[str, Path], work: Path) -> None:
    jobs = [(core / STDLIB, work / STDLIB)]
    jobs += [(path, work / name) for name, path in sorted(wheels.items())]
    compile_archives(jobs, drop=DROPPED, encodings=ENCODINGS)


def compile_archives(
    jobs: list[tuple[Path, Path]], *, drop: tuple[str, ...] = (), encodings: tuple[str, ...] = ()
) -> None:
    """Compile every .py of the archives with Pyodide under Node (see compile.mjs).

    Parameters
    ----------
    jobs
        Pairs of archives: from which, to which.
    drop
        Names of folders, modules and files to leave out.
    encodings
        Where not empty, the only modules of the package `encodings` that are kept.
    """
    node, _ = node_command()
    with tempfile.TemporaryDirectory() as scratch:
        table = Path(scratch) / "jobs.json"
        rows = [{"input": str(a), "output": str(b), "drop": drop, "encodings": encodings} for a, b in jobs]
        table.write_text(json.dumps(rows), "utf-8")
        run([node, COMPILER, npm_package("pyodide"), table], what="compiling Python with Pyodide")
    for _, output in jobs:
        if not output.exists():
            raise BuildError(f"compiling {output.name} gave nothing")


def _write_lock(official: dict[str, object], entries: dict[str, dict[str, object]], work: Path) -> None:
    """Write a lock that names our files alone, with their own SHA-256."""
    packages = {}
    for name, entry in entries.items():
        data = (work / str(entry["file_name"])).read_bytes()
        depends = [part for part in entry["depends"] if part in entries]  # type: ignore[attr-defined]
        packages[name] = {**entry, "sha256": sha256(data), "depends": depends}
    lock = {"info": official["info"], "packages": packages}
    (work / LOCK).write_text(json.dumps(lock, indent=1, sort_keys=True) + "\n", "utf-8")
