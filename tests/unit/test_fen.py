"""FEN text and its fields, the board's four transformations, castling letters."""

from __future__ import annotations

import pytest

import fen_core
from fen_core import (
    START_FEN,
    Fen,
    UsageError,
    exchange_colours,
    format_fen,
    make_placement,
    mirror,
    parse_fen,
    parse_placement,
    reverse_ranks,
    turn,
)
from fen_core.castling import canonical_letters, read_castling, rights_possible, well_formed
from fen_core.fen import rank_width
from fen_core.letters import LANGUAGES, readings
from fen_core.position import CLASSES, EMPTY_BOARD, START_BOARD, place_men, square_index, square_list


def test_public_names():
    assert fen_core.__all__ == [
        "START_FEN",
        "CheckResult",
        "Fen",
        "FenCoreError",
        "Fix",
        "ImageError",
        "ModelError",
        "Problem",
        "UsageError",
        "__version__",
        "check",
        "check_board",
        "exchange_colours",
        "format_fen",
        "make_placement",
        "mirror",
        "parse_fen",
        "parse_placement",
        "reverse_ranks",
        "turn",
    ]
    assert all(hasattr(fen_core, name) for name in fen_core.__all__)


def test_start_position():
    assert parse_fen(START_FEN) == Fen()
    assert parse_placement(START_FEN.split(" ")[0]) == START_BOARD
    assert CLASSES == ".PNBRQKpnbrqk"


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("8/8/8/8/8/8/8/8 w - -", "field-count"),
        ("8/8/8/8/8/8/8/7 w - - 0 1", "placement"),
        ("8/8/8/8/8/8/8/44 w - - 0 1", "placement"),
        ("8/8/8/8/8/8/8/8 x - - 0 1", "side"),
        ("8/8/8/8/8/8/8/8 w X - 0 1", "castling-syntax"),
        ("8/8/8/8/8/8/8/8 w - e4 0 1", "ep-syntax"),
        ("8/8/8/8/8/8/8/8 w - - 01 1", "halfmove"),
        ("8/8/8/8/8/8/8/8 w - - 0 0", "fullmove"),
    ],
)
def test_strict_reading_names_the_field(text: str, code: str):
    with pytest.raises(UsageError) as caught:
        parse_fen(text)
    assert caught.value.code == code


def test_boards_that_cannot_be_written():
    for board in ("", "." * 63, "x" + "." * 63):
        with pytest.raises(UsageError):
            make_placement(board)


def test_transformations():
    board = parse_placement("k7/8/8/8/8/8/8/6QK")
    assert make_placement(mirror(board)) == "7k/8/8/8/8/8/8/KQ6"
    assert make_placement(reverse_ranks(board)) == "6QK/8/8/8/8/8/8/k7"
    assert make_placement(turn(board)) == "KQ6/8/8/8/8/8/8/7k"
    assert make_placement(exchange_colours(board)) == "K7/8/8/8/8/8/8/6qk"
    assert turn(board) == mirror(reverse_ranks(board))


def test_squares_count_from_a1_where_attacks_are_computed():
    men = place_men(parse_placement("7k/8/8/8/8/8/8/K7"))
    assert men.pieces["K"] == 1
    assert men.pieces["k"] == 1 << 63
    assert square_index("a1") ^ 56 == 0
    assert square_list(men.occupied) == ("a1", "h8")
    assert place_men(EMPTY_BOARD).occupied == 0


def test_width_of_a_rank():
    assert [rank_width(rank) for rank in ("", "8", "p6p", "9", "0", "64", "12345678", "PPPP")] == [
        0,
        8,
        8,
        9,
        0,
        10,
        36,
        4,
    ]


@pytest.mark.parametrize("field", ["-", "KQkq", "Kq", "HAha", "Gg", "KQfa"])
def test_well_formed_rights(field: str):
    assert well_formed(field)


@pytest.mark.parametrize("field", ["", "QK", "KK", "kK", "AH", "KQkqe", "KQkq-", "X", "HGA"])
def test_ill_formed_rights(field: str):
    assert not well_formed(field)


def test_order_of_rights():
    assert canonical_letters("qkQKK") == "KQkq"
    assert canonical_letters("ahAH") == "HAha"
    assert canonical_letters("") == "-"


@pytest.mark.parametrize(
    ("placement", "field", "impossible", "dialect"),
    [
        ("r3k2r/8/8/8/8/8/8/R3K2R", "KQkq", "", "standard"),
        ("r3k2r/8/8/8/8/8/8/R3K2R", "HAha", "", "shredder"),
        ("rkrnnqbb/pppppppp/8/8/8/8/PPPPPPPP/RKRNNQBB", "KQkq", "", "x-fen"),
        ("r3k2r/8/8/8/8/8/8/1R2K1R1", "KQkq", "KQ", "standard"),
        ("4k3/8/8/8/8/8/8/1R1K1R1R", "F", "", "shredder"),
        ("4k3/8/8/8/8/8/8/5K1R", "K", "K", "standard"),
        ("4k3/8/8/8/8/8/4K3/R6R", "HA", "HA", "shredder"),
        ("4k3/8/8/8/8/8/8/4K3", "-", "", "standard"),
    ],
)
def test_rights_on_a_board(placement: str, field: str, impossible: str, dialect: str):
    found = read_castling(parse_placement(placement), field)
    assert (found.impossible, found.dialect) == (impossible, dialect)


def test_rights_of_kings_that_began_on_different_files_exclude_each_other():
    assert read_castling(parse_placement("r2k3r/8/8/8/8/8/8/R3K2R"), "HAha").rivals
    assert not read_castling(parse_placement("r3k2r/8/8/8/8/8/8/R3K2R"), "HAha").rivals


def test_possible_rights():
    assert rights_possible(START_BOARD) == "KQkq"
    assert rights_possible(EMPTY_BOARD) == "-"


@pytest.mark.parametrize(
    ("language", "pieces"), [(code, letters) for code, (_, letters) in LANGUAGES.items() if code != "en"]
)
def test_every_language_translates_its_start_position(language: str, pieces: str):
    king, queen, rook, bishop, knight, pawn = pieces
    back = rook + knight + bishop + queen + king + bishop + knight + rook
    text = "/".join([back.lower(), pawn.lower() * 8, "8", "8", "8", "8", pawn * 8, back])
    offered = readings(text)
    assert START_FEN.split(" ")[0] in [placement for _, _, placement in offered]
    assert offered[0][1] in {name for name, _ in LANGUAGES.values()}


def test_letters_of_two_languages_give_both_readings():
    codes = [language for language, _, _ in readings("r1bqkbnr/pppp1ppp/2s5/4p3/4P3/5S2/PPPP1PPP/RSBQKB1R")]
    assert "de" in codes


def test_format_is_the_inverse_of_parse():
    for fen in (START_FEN, "8/8/8/4k3/8/8/4P3/4K3 b - - 12 345", "4k3/8/8/8/8/8/8/1R1K1R1R w F - 0 1"):
        assert format_fen(parse_fen(fen)) == fen
