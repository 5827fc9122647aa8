"""What the checker alone needs: less than half of Python's library, and those of our modules that it imports.

Where it stands: between `runtime`, which compiles the whole library, and `assemble`. The readers of other
people's pages load this, so that every part left out counts.
What always holds: what is kept of the library is named here; a test holds the list to what the checker's
modules import, the browser tests run the checker from it.
"""

from __future__ import annotations

import ast
import io
import zipfile
from pathlib import Path

# What the engine may be asked for where only the checker is there.
ENTRANCES = ("explain", "check")

# What Pyodide imports to start, to unpack an archive and to run the engine's loop; what the checker imports.
KEPT = frozenset(
    "__future__ _collections_abc _colorize _compat_pickle _opcode_metadata _py_warnings _pyodide "
    "_sitebuiltins _weakrefset abc annotationlib ast asyncio base64 bisect bz2 codecs codeop collections "
    "compression concurrent contextlib contextvars copy copyreg dataclasses datetime dis encodings enum "
    "fnmatch functools genericpath glob heapq html importlib inspect io json keyword linecache locale "
    "logging lzma numbers opcode operator os pathlib posixpath pyodide queue random re reprlib runpy "
    "selectors shutil signal site socket ssl stat string struct subprocess tempfile textwrap threading "
    "token tokenize traceback types typing urllib warnings weakref zipfile zipimport zlib".split()
)
# Codecs: text comes and goes as UTF-8, archives name their files in cp437.
CODECS = frozenset(
    "__init__ aliases ascii cp437 latin_1 raw_unicode_escape unicode_escape utf_16 utf_32 utf_8".split()
)
# Parts of packages that are kept which the checker has no use for.
DROPPED = (
    "importlib/metadata/",
    "importlib/resources/",
    "html/parser",
    "logging/",
    "urllib/",
    "asyncio/tools",
    "asyncio/windows_",
)
STILL_KEPT = ("logging/__init__.", "urllib/__init__.", "urllib/parse.", "importlib/resources/abc.")


def checker_modules(package: Path) -> list[Path]:
    """Return the modules of `package` (a folder) that the entrances import, directly or by others, sorted."""
    wanted, found = [*ENTRANCES], {package / "__init__.py"}
    while wanted:
        path = package / f"{wanted.pop()}.py"
        if path.exists() and path not in found:
            found.add(path)
            wanted += imported_names(path, package.name)
    return sorted(found)


def imported_names(path: Path, package: str | None = None) -> set[str]:
    """Return what a module imports: of `package` the modules' names below it, else the outermost packages."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.add(node.module)
            names.update(f"{node.module}.{alias.name}" for alias in node.names)
    if package is None:
        return {name.split(".")[0] for name in names}
    return {name.split(".")[1] for name in names if name.startswith(f"{package}.")}


def checker_library(library: bytes) -> bytes:
    """Return the archive of Python's library less what the checker does not need."""
    result = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(library)) as whole, zipfile.ZipFile(result, "w") as part:
        for entry in sorted(whole.infolist(), key=lambda entry: entry.filename):
            if not entry.is_dir() and _needed(entry.filename):
                kept = zipfile.ZipInfo(entry.filename, (1980, 1, 1, 0, 0, 0))
                part.writestr(kept, whole.read(entry), zipfile.ZIP_DEFLATED, 9)
    return result.getvalue()


def _needed(name: str) -> bool:
    top, _, rest = name.partition("/")
    if top.split(".")[0] not in KEPT:
        return False
    if top == "encodings":
        return rest.split(".")[0] in CODECS
    return name.startswith(STILL_KEPT) or not name.startswith(DROPPED)
