"""The command line of teaching: a profile is written, reading uses it, and what goes wrong is said."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from draw import THEMES, board, framed
from PIL import Image

from fen_core.__main__ import main
from fen_core.profile import load

pytest.importorskip("sklearn")

FIRST = "r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQ1RK1"
SECOND = "2rq1rk1/pb1n1ppN/4p3/1pb5/3P1Pn1/P1N5/1PQ1B1PP/R1B2RK1"


@pytest.fixture
def pictures(tmp_path: Path) -> list[str]:
    names = []
    for index, placement in enumerate((FIRST, SECOND)):
        drawn = framed(board(placement, 44, THEMES["wood"], style="shapes"), "line")
        Image.fromarray(drawn.pixels).save(tmp_path / f"{index}.png")
        names.append(str(tmp_path / f"{index}.png"))
    return names


def test_teach_then_read(pictures: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "endgames.json"
    assert main(["teach", pictures[0], "--fen", f"{FIRST} w - - 0 1", "--out", str(out)]) == 0
    assert "“endgames”, learnt from 1 board" in capsys.readouterr().out
    assert main(["teach", pictures[1], "--fen", SECOND, "--profile", str(out), "--out", str(out)]) == 0
    assert len(load(out.read_text("utf-8")).boards) == 2
    assert not list(tmp_path.glob("*.new"))
    capsys.readouterr()
    assert main(["read", "--json", "--profile", str(out), pictures[0]]) == 0
    found = json.loads(capsys.readouterr().out)["boards"][0]
    assert found["placement"] == FIRST
    assert found["profile"]["name"] == "endgames"
    assert main(["read", "--profile", str(out), pictures[0]]) == 0
    assert "Read with the profile “endgames”." in capsys.readouterr().out


def test_what_goes_wrong_is_said(
    pictures: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = str(tmp_path / "p.json")
    assert main(["teach", pictures[0], "--fen", "8/8", "--out", out]) == 2
    assert "“8/8” is no position" in capsys.readouterr().err
    wrong = "k7/QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/7K"
    assert main(["teach", pictures[0], "--fen", wrong, "--out", out]) == 1
    assert "squares differ" in capsys.readouterr().err
    assert main(["teach", str(tmp_path / "no.png"), "--fen", FIRST, "--out", out]) == 1
    assert not Path(out).exists()
    with pytest.raises(SystemExit):
        main(["teach", *pictures, "--fen", FIRST, "--out", out])
    broken = tmp_path / "broken.json"
    broken.write_text("{}")
    capsys.readouterr()
    assert main(["read", "--profile", str(broken), pictures[0]]) == 2
    assert "no profile" in capsys.readouterr().err
    assert main(["read", "--profile", str(tmp_path / "none.json"), pictures[0]]) == 2
    assert "cannot be opened" in capsys.readouterr().err
