"""Language files: the same keys and places everywhere, words for every code; export and the drawn board."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from fen_core import START_FEN, check, parse_placement
from fen_core.draw import draw_board
from fen_core.export import alternative_text, chesscom_link, csv_row, epd, lichess_link, pgn, uci_position
from fen_core.models import languages_folder
from fen_core.position import PIECE_NAMES
from fen_core.words import LANGUAGES, Words, languages, plural_form

ROOMS = ("problem", "fix", "cleaned", "piece", "square", "field", "severity", "side", "dialect", "cli.check")
TABLES: dict[str, dict[str, Any]] = {
    language: json.loads((languages_folder() / f"{language}.json").read_text(encoding="utf-8"))
    for language in LANGUAGES
}
SOURCE = "".join(file.read_text(encoding="utf-8") for file in Path(__file__).parents[2].glob("fen_core/*.py"))


def ours(language: str) -> dict[str, Any]:
    return {
        key: text
        for key, text in TABLES[language].items()
        if key.startswith(tuple(f"{room}." for room in ROOMS))
    }


def places(entry: Any) -> set[str]:
    texts = entry.values() if isinstance(entry, dict) else [entry]
    return set().union(*(re.findall(r"\{(\w+)\}", text) for text in texts))


@pytest.mark.parametrize("language", LANGUAGES)
def test_same_keys_and_places(language: str):
    assert set(ours(language)) == set(ours("en"))
    for key, entry in ours("en").items():
        assert places(ours(language)[key]) == places(entry), key


@pytest.mark.parametrize("language", LANGUAGES)
def test_plurals_have_the_forms_of_the_language(language: str):
    forms = {plural_form(language, n) for n in (0, 1, 2, 5, 11, 100)}
    for key, entry in ours(language).items():
        assert isinstance(entry, dict) == isinstance(ours("en")[key], dict), key
        if isinstance(entry, dict):
            assert set(entry) == forms, key
            assert all(entry.values())
        else:
            assert entry.strip(), key


@pytest.mark.parametrize("language", [code for code in LANGUAGES if code != "en"])
def test_translated(language: str):
    same = [
        key
        for key, text in ours(language).items()
        if text == ours("en")[key] and re.search(r"[A-Za-z]{4}", re.sub(r"\{\w+\}", "", str(text)))
    ]
    assert same == []


def codes_in_source(pattern: str) -> set[str]:
    return set(re.findall(pattern, SOURCE))


def test_every_code_has_words():
    english = ours("en")
    problems = codes_in_source(r'(?:Finding|Problem|Fault)\(\s*"([a-z0-9-]+)"')
    assert len(problems) >= 30
    for code in problems:
        assert f"problem.{code}.title" in english
        assert f"problem.{code}.body" in english
    cures = codes_in_source(r'_if_sound\("([a-z-]+)"') | codes_in_source(r'Fix\("([a-z-]+)"')
    cures |= codes_in_source(r'[\[(]\(?"([a-z-]+)", (?:\{[A-Z0-9]|str\(|square|kept|letters|side,|"-")')
    assert len(cures) > 12
    for code in cures:
        assert f"fix.{code}" in english, code
    for code in codes_in_source(r'work\.note\("([a-z-]+)"') | codes_in_source(r'return "([a-z-]+)", ".?"'):
        assert f"cleaned.{code}" in english or code == "controls", code


@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_is_left_unfilled(language: str):
    words = Words(language)
    texts = (
        "4k3/8/8/8/8/8/8/4K3 w KQkq e6 5 0",
        "rnbqkbnr/ppppxppp/9/8/8/8/PPPPPPP/RNBQKBNR W QK e9 -1 0 x",
        "https://lichess.org/editor/8/8/8/3kK3/8/8/8/8_w_-_-_0_1",
        "k1K5/8/8/8/8/8/P7/K1kP4 w K e3 a b",
        "rnbqkbnr/pppppppp/rnbq4/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 200 1",
        "tsldklst/bbbbbbbb/8/8/8/8/BBBBBBBB/TSLDKLST w - - 0 1",
        "4k3/2N3N1/8/8/8/8/8/4K3 b - - 0 1",
        "",
    )
    for text in texts:
        answer = check(text).to_json()
        said = [part for problem in answer["problems"] for part in words.problem(problem)]
        said += [words.fix(fix) for problem in answer["problems"] for fix in problem["fixes"]]
        said += [words.fix(fix) for fix in answer["fixes"]] + [
            words.cleaned(note) for note in answer["cleaned"]
        ]
        for sentence in said:
            assert not re.search(r"\{\w+\}|^(?:problem|fix|cleaned)\.", sentence), sentence


def test_pieces_are_named_as_players_name_them():
    assert [Words(code).kind("N") for code in languages()] == [
        "knight",
        "ίππος",
        "mã",
        "ઘોડો",
        "cavalo",
        "ঘোড়া",
    ]
    assert [Words(code).kind("B") for code in languages()] == [
        "bishop",
        "αξιωματικός",
        "tượng",
        "ઊંટ",
        "bispo",
        "হাতি",
    ]
    assert all(Words(code).piece(letter) for code in LANGUAGES for letter in PIECE_NAMES)


def test_closer_words_for_a_variant():
    words = Words("en")
    touching, apart = (
        words.problem(check(fen).to_json()["problems"][0])[1]
        for fen in ("8/8/8/3kK3/8/8/8/8 w - - 0 1", "4k3/8/8/8/8/8/4R3/4K3 w - - 0 1")
    )
    assert "touch" in touching
    assert "White to move" in apart
    assert "e2" in apart


def test_fallbacks():
    assert Words("xx").language == "en"
    assert Words("en").text("no.such.key") == "no.such.key"
    assert Words("en").error("image-nonsense", {})
    assert Words("en").text("cli.check.faults", {"n": 1}) == "1 fault."
    assert Words("vi").text("cli.check.faults", {"n": 1}) == "1 lỗi."


def test_alternative_text():
    fen = "8/8/8/4k3/8/8/4P3/4K3 b - - 0 1"
    assert alternative_text(fen, Words("en")) == "White: king e1, pawn e2. Black: king e5. To move: Black."
    assert alternative_text(fen, Words("el")).startswith("Λευκά: βασιλιάς e1")
    assert "no men" in alternative_text("8/8/8/8/8/8/8/4K3 w - - 0 1", Words("en"))


def test_other_forms():
    fen = "8/8/8/4k3/8/8/4P3/4K3 w - - 3 40"
    assert check(epd(fen, id='a "b"')).fen == fen
    game = pgn(fen, Event="Page 12")
    assert game.splitlines()[0] == '[Event "Page 12"]'
    assert check(game).fen == fen
    assert check(lichess_link(fen)).fen == fen
    assert check(lichess_link(fen, analysis=False)).fen == fen
    assert check(chesscom_link(fen)).fen == fen
    assert uci_position(fen) == f"position fen {fen}"
    assert csv_row(["=1+1", fen, 3]) == f"'=1+1,{fen},3"


def test_drawn_board():
    drawn = draw_board(parse_placement(START_FEN.split(" ")[0]), marked=["e2"])
    assert drawn.splitlines()[6] == "2  P  P  P  P [P] P  P  P"
    assert "♚" in draw_board(parse_placement(START_FEN.split(" ")[0]), figurines=True)
    assert "\x1b[97;41m[" in draw_board(parse_placement(START_FEN.split(" ")[0]), marked=["e2"], colour=True)
