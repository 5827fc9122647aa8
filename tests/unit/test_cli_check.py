"""The `check` command as programs and people meet it."""

from __future__ import annotations

import io
import json
import re
from pathlib import Path

import pytest

from fen_core import START_FEN
from fen_core.__main__ import main as door
from fen_core.cli_check import main
from fen_core.models import NETWORKS


def run(capsys: pytest.CaptureFixture[str], argv: list[str]) -> tuple[int, str, str]:
    status = main(argv)
    out, err = capsys.readouterr()
    return status, out, err


def feed(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(text))


def test_json_lines(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    texts = [START_FEN, "", "8/8", "line\nbreak", "\ud83d"]
    feed(monkeypatch, "".join(json.dumps(text) + "\n" for text in texts))
    status, out, _ = run(capsys, ["--json"])
    answers = [json.loads(line) for line in out.splitlines()]
    assert status == 1
    assert [answer["fen"] for answer in answers] == [START_FEN, None, None, None, None]
    assert out.isascii()


def test_json_misuse(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    for line in ("not json", "[1]", "12"):
        feed(monkeypatch, line + "\n")
        status, _, err = run(capsys, ["--json"])
        assert status == 2
        assert "JSON" in err


def test_people(capsys: pytest.CaptureFixture[str]):
    status, out, _ = run(capsys, [START_FEN])
    assert status == 0
    assert START_FEN in out
    assert "8  r  n  b  q  k" in out
    assert "\x1b" not in out
    status, out, _ = run(capsys, ["4k3/8/8/8/8/8/4R3/4K3 w - - 0 1"])
    assert status == 1
    assert "[k]" in out
    assert "4k3/8/8/8/8/8/4R3/4K3 b - - 0 1" in out


def test_six_words_are_one_fen(capsys: pytest.CaptureFixture[str]):
    assert run(capsys, START_FEN.split(" "))[0] == 0


def test_lines_of_standard_input(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    feed(monkeypatch, f"{START_FEN}\n\n{START_FEN}\n")
    status, out, _ = run(capsys, [])
    assert status == 0
    assert out.count(START_FEN) == 2


@pytest.mark.parametrize(
    ("language", "word"),
    [("el", "ροκέ"), ("vi", "nhập thành"), ("gu", "કૅસલિંગ"), ("pt-BR", "roque"), ("bn", "ক্যাসলিং")],
)
def test_languages(capsys: pytest.CaptureFixture[str], language: str, word: str):
    _, out, _ = run(capsys, ["--lang", language, "4k3/8/8/8/8/8/8/4K3 w K - 0 1"])
    assert word in out


def test_colours(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    monkeypatch.setattr("fen_core.cli_check._coloured", lambda options: True)
    _, out, _ = run(capsys, ["4k3/8/8/8/8/8/8/4K3 w K - 0 1"])
    assert "\x1b[1;31m" in out


def test_no_colour_is_obeyed(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b" not in run(capsys, [START_FEN])[1]


def test_control_characters_do_not_reach_the_terminal(capsys: pytest.CaptureFixture[str]):
    _, out, _ = run(capsys, ["8/8/8/8/8/8/8/8 w \x1b[31mx - 0 1\x07"])
    assert "\x1b" not in out
    assert "\x07" not in out


def test_misuse():
    with pytest.raises(SystemExit) as caught:
        main(["--no-such-option"])
    assert caught.value.code == 2


def test_nothing_to_check_is_misuse(monkeypatch, capsys):
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    assert main([]) == 2
    assert capsys.readouterr().err


def test_words_that_the_shell_has_cut_are_one_text(capsys: pytest.CaptureFixture[str]):
    placement = START_FEN.split(" ")[0]
    for words in (
        ["hello", "world"],
        [placement, "w", "KQkq"],
        [placement, "b"],
        [*START_FEN.split(" "), "x"],
    ):
        _, out, _ = run(capsys, words)
        assert out == run(capsys, [" ".join(words)])[1]
    assert run(capsys, [START_FEN, START_FEN])[1].count(START_FEN) == 2


def test_what_was_given_is_quoted_and_marks_are_explained(capsys: pytest.CaptureFixture[str]):
    assert "“hello world”" in run(capsys, ["hello world"])[1]
    assert "“ppxppzpp”" in run(capsys, [START_FEN.replace("pppppppp", "ppxppzpp")])[1]
    assert "[ ] " not in run(capsys, [START_FEN])[1]
    assert "[ ] " in run(capsys, ["4k3/8/8/8/8/8/4R3/4K3 w - - 0 1"])[1]


def test_bytes_that_are_no_utf8_are_shown_as_bytes(capsys: pytest.CaptureFixture[str]):
    _, out, _ = run(capsys, ["\udcff\udc80" + START_FEN])
    assert "<FF>" in out
    assert "<80>" in out
    assert "<DCFF>" not in out


def test_the_door_says_what_it_does_not_understand(capsys: pytest.CaptureFixture[str]):
    for argv, status, wanted in (
        (["-V"], 0, "fen_core "),
        (["--version"], 0, "fen_core "),
        (["help"], 0, "usage:"),
        (["info", "--help"], 0, "usage:"),
        (["info", "x"], 2, "x"),
        (["foo"], 2, "“foo”"),
        (["Check", "8/8"], 2, "check 8/8"),
        (START_FEN.split(" "), 2, f"check '{START_FEN}'"),
        ([], 2, "usage:"),
    ):
        assert door(argv) == status
        captured = capsys.readouterr()
        assert wanted in (captured.out if status == 0 else captured.err), argv


def test_info_names_every_network(capsys: pytest.CaptureFixture[str]):
    package = Path(main.__code__.co_filename).parent
    code = "".join(file.read_text("utf-8") for file in package.glob("*.py"))
    asked = set(re.findall(r'path\("(\w+\.npz)"\)', code))
    assert set(NETWORKS) == asked
    assert door(["info"]) == 0
    out = capsys.readouterr().out
    assert all(name in out for name in NETWORKS)
