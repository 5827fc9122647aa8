"""What is left out of the runtime is of no use: everything that ships imports, scikit-learn learns."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / ".ci"))

import packages  # noqa: E402
import runtime  # noqa: E402
from common import run  # noqa: E402


@pytest.mark.long
def test_the_compiled_runtime_imports_and_learns() -> None:
    made = runtime.make_runtime(learning=True)
    node, _ = packages.node_command()
    said = run([node, ROOT / ".ci" / "learning.mjs", made.pyodide], what="trying the compiled runtime")
    assert "imports and learns" in said


def test_the_lock_is_ours_and_true() -> None:
    made = runtime.make_runtime()
    entries = made.lock()["packages"]
    assert set(entries) == set(runtime.PACKAGES)
    for entry in entries.values():
        data = (made.pyodide / str(entry["file_name"])).read_bytes()  # type: ignore[index]
        assert runtime.sha256(data) == entry["sha256"]  # type: ignore[index]


def test_the_library_holds_code_alone_and_no_dates() -> None:
    import zipfile

    made = runtime.make_runtime()
    with zipfile.ZipFile(made.pyodide / runtime.STDLIB) as archive:
        entries = archive.infolist()
    assert not [entry.filename for entry in entries if entry.filename.endswith((".py", ".pyi"))]
    assert {entry.date_time for entry in entries} == {(1980, 1, 1, 0, 0, 0)}
    names = [entry.filename for entry in entries]
    assert names == sorted(names)
