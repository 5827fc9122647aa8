"""What the checker alone is given: all that it imports, and nothing that reads pictures."""

from __future__ import annotations

import io
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / ".ci"))

from checker_parts import KEPT, checker_library, checker_modules, imported_names  # noqa: E402

PACKAGE = ROOT / "fen_core"
# Built into the interpreter, or Pyodide's own doors to JavaScript.
BUILT_IN = {*sys.builtin_module_names, "unicodedata", "js", "pyodide", "pyodide_js", "fen_core"}


def test_modules_are_those_of_the_checker() -> None:
    names = {path.stem for path in checker_modules(PACKAGE)}
    assert {"explain", "check", "clean", "words", "retro"} <= names
    assert not names & {"net", "image", "boards", "classify", "read"}


@pytest.mark.parametrize("path", checker_modules(PACKAGE), ids=lambda path: path.stem)
def test_library_holds_what_a_module_imports(path: Path) -> None:
    assert imported_names(path) - BUILT_IN <= KEPT


def test_library_holds_what_the_engine_imports() -> None:
    # NumPy is imported where a person has the reader learn, which the checker cannot be asked for.
    assert imported_names(ROOT / "static" / "engine" / "engine.py") - BUILT_IN - {"numpy"} <= KEPT


def test_names_that_are_kept_are_modules_of_python() -> None:
    # Of the browser's newer Python, and of Pyodide.
    newer = {
        "annotationlib",
        "compression",
        "_colorize",
        "_py_warnings",
        "_opcode_metadata",
        "_pyodide",
        "pyodide",
    }
    assert KEPT - sys.stdlib_module_names <= newer


def test_library_is_cut_and_always_the_same() -> None:
    whole = io.BytesIO()
    members = {
        "json/__init__.pyc": b"a" * 90,
        "encodings/utf_8.pyc": b"b",
        "encodings/big5.pyc": b"c",
        "logging/__init__.pyc": b"d",
        "logging/handlers.pyc": b"e",
        "urllib/parse.pyc": b"f",
        "urllib/request.pyc": b"g",
        "turtle.pyc": b"h",
        "re/__init__.pyc": b"i",
    }
    with zipfile.ZipFile(whole, "w") as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    cut = checker_library(whole.getvalue())
    assert cut == checker_library(whole.getvalue())
    with zipfile.ZipFile(io.BytesIO(cut)) as archive:
        kept = {name: archive.read(name) for name in archive.namelist()}
    wanted = (
        "json/__init__.pyc",
        "encodings/utf_8.pyc",
        "logging/__init__.pyc",
        "urllib/parse.pyc",
        "re/__init__.pyc",
    )
    assert kept == {name: members[name] for name in wanted}
