"""Every rule of the checker with an example that breaks it, one that does not, and the cures."""

from __future__ import annotations

import json

import pytest

from fen_core import START_FEN, check, check_board, parse_placement
from fen_core.attacks import has_legal_move
from fen_core.position import place_men
from fen_core.structure import captures_needed, promotions

BOARD = START_FEN.split(" ", 1)[0]


def codes(text: str, *severities: str) -> list[str]:
    return [p.code for p in check(text).problems if not severities or p.severity in severities]


def fixes(text: str, code: str) -> list[str]:
    return [fix.fen for problem in check(text).problems if problem.code == code for fix in problem.fixes]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ["field-count"]),
        (BOARD, ["field-count"]),
        (f"{START_FEN} 7", ["field-count"]),
        (START_FEN.replace("/8/8", "/8", 1), ["rank-count"]),
        (START_FEN.replace("/8/8", "//8", 1), ["rank-sum"]),
        (START_FEN.replace("RNBQKBNR", "RNBQKBN"), ["rank-sum"]),
        (START_FEN.replace("/8/8", "/44/8", 1), ["digit"]),
        (START_FEN.replace("/8/8", "/9/8", 1), ["digit", "rank-sum"]),
        (START_FEN.replace("N", "X"), ["bad-char"]),
        (START_FEN.replace(" w ", " W "), ["side"]),
        (START_FEN.replace("KQkq", "KkQq"), ["castling-syntax"]),
        (START_FEN.replace("KQkq -", "KQkq e"), ["ep-syntax"]),
        (START_FEN.replace("0 1", "01 1"), ["halfmove"]),
        (START_FEN.replace("0 1", "0 0"), ["fullmove"]),
        (START_FEN.replace("0 1", "12345 1"), ["halfmove"]),
    ],
)
def test_syntax(text: str, expected: list[str]):
    assert codes(text) == expected
    if expected != ["field-count"] or not text:
        assert check(text).fen is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("8/8/8/8/8/8/8/4K3 w - - 0 1", ["kings-missing"]),
        ("kk6/8/8/8/8/8/8/7K w - - 0 1", ["kings-many"]),
        ("8/8/8/3kK3/8/8/8/8 w - - 0 1", ["opponent-in-check"]),
        ("4k3/8/8/8/8/8/4R3/4K3 w - - 0 1", ["opponent-in-check"]),
        ("4k3/8/8/8/8/8/8/4KP2 b - - 0 9", ["pawn-edge"]),
        ("4k3/8/8/8/8/P7/PPPPPPPP/4K3 w - - 0 1", ["too-many-pawns"]),
        ("4k3/8/8/8/8/1B1B4/PPPPPPPP/4K3 w - - 0 1", ["too-many-pieces"]),
        ("4k3/8/8/8/8/N7/PPPPPP2/QQRRRNKN w - - 0 1", ["too-many-pieces"]),
        ("4k3/8/8/8/8/8/8/R3K3 w K - 0 1", ["castling-impossible"]),
        ("r2k3r/8/8/8/8/8/8/R3K2R w HAha - 0 1", ["castling-impossible"]),
        ("4k3/8/8/8/8/8/8/4K3 w - e3 0 1", ["ep-rank"]),
        ("4k3/8/8/8/8/8/8/4K3 w - e6 0 1", ["ep-no-pawn"]),
        ("4k3/3r4/8/3pP3/8/8/8/4K3 w - d6 0 1", ["ep-blocked"]),
        ("4k3/8/8/8/3Pp3/8/8/4K3 b - d3 1 1", ["halfmove"]),
        ("8/7k/8/8/4Pp2/3B4/8/4K3 b - e3 0 1", ["impossible-check"]),
        ("8/8/8/8/8/4k3/3P4/K7 b - - 0 1", ["impossible-check"]),
        ("4k3/2N3N1/8/8/8/8/8/4K3 b - - 0 1", ["impossible-check"]),
        ("3Qk3/8/8/8/B7/8/8/4K3 b - - 0 1", ["impossible-check"]),
        ("4k3/8/8/8/8/8/pP6/B3K3 w - - 0 1", ["locked-piece"]),
        ("rnbqkbnr/pppppppp/8/8/8/2B5/PP1P4/RN1QK1NR w KQkq - 0 1", []),
        ("rnbqkbnr/pppppppp/8/8/8/2B1P3/PPPP1PPP/RN1QKBNR w KQkq - 0 1", ["locked-piece"]),
        ("rnbqkbnr/pppppppp/8/8/8/8/1PPPPPPP/RNBQKBNR w KQkq - 0 1", []),
        ("4k3/pppppp2/5p2/8/8/8/PPPPPPPP/RNBQKB1R w KQ - 0 1", []),
        ("rnbqkbnr/pppppp2/5pp1/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 9", ["pawn-structure"]),
    ],
)
def test_position(text: str, expected: list[str]):
    assert codes(text, "syntax", "illegal") == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("8/8/8/7k/4Pp2/8/8/3QK3 b - e3 0 1", ["ep-not-capturable"]),
        (START_FEN.replace(" 0 1", " 5 1"), ["clock-ahead"]),
        ("8/4k3/8/8/8/8/3KBR2/8 b - - 100 130", ["fifty-moves"]),
        ("8/4k3/8/8/8/8/3KBR2/8 w - - 150 130", ["seventy-five-moves"]),
        ("k7/8/8/8/8/8/1r6/r6K w - - 0 1", ["checkmate"]),
        ("k7/P7/K7/8/8/8/8/8 b - - 0 1", ["stalemate"]),
        ("8/8/8/2k5/4K3/8/8/8 b - - 0 1", ["insufficient-material"]),
        ("8/8/8/2k5/5K2/8/8/B6b b - - 0 1", []),
        ("8/8/8/2k5/5K2/8/8/B5b1 b - - 0 1", ["insufficient-material"]),
        (START_FEN, []),
    ],
)
def test_notes(text: str, expected: list[str]):
    assert codes(text) == expected
    assert check(text).fen == text


def test_en_passant_pinned_is_told_from_no_pawn():
    pinned = check("8/8/8/1K1pP1r1/8/8/8/4k3 w - d6 0 1").problems[0]
    lonely = check("rnbqkbnr/pppppppp/8/8/6P1/8/PPPPPP1P/RNBQKBNR b KQkq g3 0 1").problems[0]
    assert (pinned.params["variant"], pinned.squares) == ("pinned", ("d6", "e5"))
    assert lonely.params["variant"] == "no-pawn"
    assert lonely.fixes[0].fen.split(" ")[3] == "-"


@pytest.mark.parametrize(
    ("text", "code", "wanted"),
    [
        (f"{BOARD} w KQkq -", "field-count", START_FEN),
        (f"{START_FEN} and more", "field-count", START_FEN),
        (START_FEN.replace("/8/8/", "/8//8/"), "rank-count", START_FEN),
        (BOARD.replace("/", "") + " w KQkq - 0 1", "rank-count", START_FEN),
        (START_FEN.replace("/8/8", "/7/8", 1), "rank-sum", START_FEN),
        (START_FEN.replace("/8/8", "/431/8", 1), "digit", START_FEN),
        (START_FEN.replace("/", "|"), "bad-char", START_FEN),
        (START_FEN.replace("/8/8", "/......../8"), "bad-char", START_FEN),
        (START_FEN.replace(" w ", " White "), "side", START_FEN),
        (START_FEN.replace("KQkq", "kqKQ"), "castling-syntax", START_FEN),
        (START_FEN.replace("KQkq", "none"), "castling-syntax", START_FEN.replace("KQkq", "-")),
        ("4k3/8/8/8/8/8/8/R3K3 w KQk - 0 1", "castling-impossible", "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1"),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - D6 0 1", "ep-syntax", "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1"),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d5 0 1", "ep-rank", "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1"),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - e6 0 1", "ep-no-pawn", "4k3/8/8/3pP3/8/8/8/4K3 w - - 0 1"),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 4 9", "halfmove", "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 9"),
        ("4k3/8/8/8/8/8/4R3/4K3 w - - 0 1", "opponent-in-check", "4k3/8/8/8/8/8/4R3/4K3 b - - 0 1"),
        (START_FEN.replace("0 1", "0 1;"), "fullmove", START_FEN),
        (START_FEN.replace(" 0 1", " O 1"), "halfmove", START_FEN),
        (START_FEN.replace("0 1", "9 1"), "clock-ahead", START_FEN),
    ],
)
def test_cures(text: str, code: str, wanted: str):
    assert wanted in fixes(text, code)


def test_a_right_that_a_locked_rook_denies_is_dropped():
    text = "r3k3/8/8/8/8/8/PPPPP3/R1BRK3 w Q - 0 1"  # the rook on d1 got past the king that never moved
    assert codes(text) == ["locked-piece"]
    assert fixes(text, "locked-piece") == [text.replace(" Q ", " - ")]


def test_turned_boards():
    right = "r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4"
    turned = "R2KQBNR/PPP1PPPP/2N5/3P1B2/3p4/2n2n2/ppp1pppp/r1bkqb1r w KQkq - 4 4"
    assert fixes(turned, "upside-down-suspected")[0] == right.replace("PPPP1PPP/", "PPPP1PPP/")
    exchanged = "R1BQKB1R/PPPP1PPP/2N2N2/4P3/2b1p3/5n2/pppp1ppp/rnbqk2r w - - 0 1"
    assert "r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w - - 0 1" in fixes(
        exchanged, "colours-swapped-suspected"
    )
    mirrored = "rnbkqbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBKQBNR w - - 0 1"
    assert fixes(mirrored, "mirrored-suspected") == [START_FEN.replace("KQkq", "-")]
    assert codes("8/PPP4k/8/8/8/8/4Kppp/8 w - - 0 1", "suspect") == []
    # Passed pawns and scattered men of an endgame are no sign of a wrong end.
    for endgame in (
        "8/3R1B2/k2N2P1/P1K5/7N/3p2p1/4np2/2n5 w - - 8 78",
        "6R1/8/6P1/3B4/2n3K1/6p1/3p4/1k3n2 b - - 0 99",
    ):
        assert codes(endgame, "suspect") == []
    assert "upside-down-suspected" in codes("8/1KP5/1P6/P7/p7/1p6/1kp5/8 w - - 0 1", "suspect")


def test_several_faults_are_told_at_once_and_cured_in_a_chain():
    text = "4k3/8/8/8/8/8/8/4K3 w KQkq e6 5 0"
    assert codes(text) == [
        "fullmove",
        "castling-impossible",
        "ep-no-pawn",
        "halfmove",
        "insufficient-material",
    ]
    (whole,) = check(text).fixes
    assert (whole.code, whole.fen) == ("repair", "4k3/8/8/8/8/8/8/4K3 w - - 5 1")


def test_chess960_is_read_and_written_as_it_came():
    for fen, dialect in (
        ("nrknbbqr/pppppppp/8/8/8/8/PPPPPPPP/NRKNBBQR w KQkq - 0 1", "x-fen"),
        ("qbbnrnkr/pppppppp/8/8/8/8/PPPPPPPP/QBBNRNKR w HEhe - 0 1", "shredder"),
        (START_FEN, "standard"),
    ):
        result = check(fen)
        assert (result.fen, result.dialect, result.ok) == (fen, dialect, True)


def test_boards_judged_without_a_side_to_move():
    assert check_board(parse_placement("4k3/8/8/8/8/8/4R3/4K3")) == ()
    both = check_board(parse_placement("r3k3/8/8/8/8/8/8/K3R3"))
    assert [problem.code for problem in both] == ["opponent-in-check"]
    assert [p.code for p in check_board(parse_placement("kk6/8/8/8/8/8/8/KP6"))] == [
        "kings-many",
        "pawn-edge",
    ]


def test_results_are_json():
    for text in (START_FEN, "", "\ud800", "4k3/8/8/8/8/8/8/4K3 w KQkq e6 5 0"):
        answer = check(text).to_json()
        assert json.loads(json.dumps(answer)) == answer
        assert set(answer) == {"fen", "problems", "cleaned", "fixes", "dialect", "placement"}
        for problem in answer["problems"]:
            assert set(problem) == {"code", "severity", "field", "squares", "params", "fixes"}


def test_least_captures():
    def least(white: str, black: str, lost: tuple[int, int]) -> tuple[int, int] | None:
        bits = [
            sum(1 << "abcdefgh".index(n[0]) + 8 * (int(n[1]) - 1) for n in names.split())
            for names in (white, black)
        ]
        return captures_needed(bits[0], bits[1], lost)

    assert least("a2 b2", "a7 b7", (0, 0)) == (0, 0)
    assert least("a2 a3", "", (0, 1)) == (1, 0)
    assert least("a2 a3", "", (0, 0)) is None
    assert least("a3 a4 a5", "", (0, 3)) == (3, 0)
    assert least("a2 a3 a4", "", (0, 9)) == (3, 0)
    assert least("a2 b3 a3", "", (0, 2)) == (2, 0)
    assert least("h2 g2 h3", "", (0, 1)) is None  # the pawn on h3 comes from f2 at the nearest, in one step
    assert least("e5", "e4", (0, 0)) is None  # they have passed: one of them came from another file
    assert least("e5", "e4", (0, 1)) == (1, 0)
    assert least("e5", "e4", (1, 0)) == (0, 1)
    assert least("e2", "e6", (0, 0)) == (0, 0)
    assert least("e4", "e5", (0, 0)) == (0, 0)


def test_promotions_that_locked_men_prove():
    men = place_men(parse_placement("4k3/8/8/8/2B5/8/P3P1P1/4K3"))
    assert promotions(men, 0) == ((1, 0), 0)
    inside = place_men(parse_placement("4k3/8/8/8/8/8/P1P5/1b2K3"))
    assert promotions(inside, 0) == ((0, 1), 0)


def test_moves_left():
    def can(placement: str, white: bool) -> bool:
        return has_legal_move(place_men(parse_placement(placement)), white, None)

    assert can(BOARD, True)
    assert not can("6rk/5Npp/8/8/8/8/8/6K1", False)
    assert not can("7K/5k1P/8/8/8/8/8/8", True)
    assert can("4k3/4r3/8/8/8/8/4R3/4K3", True)  # pinned, but free along the file
