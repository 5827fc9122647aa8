"""The examples in the checker's docstrings are true."""

from __future__ import annotations

import doctest
import importlib
import subprocess
import sys

import pytest

MODULES = (
    "fen_core",
    "fen_core.castling",
    "fen_core.check",
    "fen_core.clean",
    "fen_core.export",
    "fen_core.fen",
    "fen_core.letters",
    "fen_core.position",
    "fen_core.words",
)


@pytest.mark.parametrize("name", MODULES)
def test_examples(name: str):
    importlib.import_module(name)
    found = doctest.testmod(sys.modules[name])
    assert found.failed == 0
    assert found.attempted > 0


def test_the_checker_needs_the_standard_library_alone():
    code = "import sys, fen_core.cli_check, fen_core.export; print({'numpy', 'PIL'} & set(sys.modules))"
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "set()"
