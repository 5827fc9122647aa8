"""What people complained of in other checkers: each text gets its one right answer here."""

from __future__ import annotations

import pytest

from fen_core.check import check

# text, the code that must be said, the squares it must name (None: not asked), a cure that must be offered
COMPLAINTS = [
    ("RNBKQBNR/PPP3PP/8/3PPP2/8/n4n2/pppppppp/r1bkqb1r b - - 0 1", "upside-down-suspected", None, "turn"),
    ("4k3/4Q3/8/8/8/8/8/4K3 w - - 0 1", "opponent-in-check", {"e8", "e7"}, "turn-side"),
    ("rnbqkbnr/pppppppk/8/8/8/8/PPPPPPPP/RNBQKBNR_w_KQkq_-", "kings-many", {"e8", "h7"}, None),
    ("4k3/8/8/8/8/8/8/4K3 w KQkq - 0 1", "castling-impossible", None, "castling"),
    ("1.e4", "field-count", None, None),
    ("rnbqkbnr/pppppppp/8/8/8/5BN1/PPPPPPPP/RNBQ1RK1 b HQkq - 0 1", "castling-impossible", None, "castling"),
    ("3rr1k1/3q2p1/R4p1p/1p2p3/nP6/P1P1Q1BP/K3NP2/2R5", "field-count", None, "fill-fields"),
    (
        "r1bqkbnr/pp1ppppp/2n5/2p5/2P1PP2/8/PP1P2PP/RNBQKBNR/ b KQkq - 0 0",
        "rank-count",
        None,
        "drop-empty-ranks",
    ),
    ("8/8/8/8/8/8/5kK1/8 w - - 0 1", "opponent-in-check", {"f2", "g2"}, None),
    ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/Q3K2N w KQkq - 0 1", "castling-impossible", None, "castling"),
    ("8/8/2BkbRp1/1pb1p3/7n/2N5/7P/r6K w - -", "field-count", None, "fill-fields"),
    ("rnb1k1nr/1pp2ppp/8/3p4/5B2/5P2/6P1/4p3 w kq e6 0 1", "kings-missing", None, None),
    ("3R4/8/q4k2/2B5/1NK5/3b4/8/8 w - - 0 1", "impossible-check", {"c4", "d3", "a6"}, None),
    ("rnbqkbnr/pppp2pp/5p2/3Pp3/8/8/PPP1PPPP/RNBQKBNR w KQkq e5 0 1", "ep-rank", {"e5"}, "ep"),
    ("q6k/8/8/3pP3/8/8/8/7K w - d6 0 1", "impossible-check", {"d6", "h1"}, "ep-none"),
    ("1b1B4/1P6/2B5/3r2kN/2r4P/8/5K2/3B4 b", "impossible-check", {"g5", "h4", "d8"}, None),
    ("8/r3KPk1/8/3n4/7b/8/8/8 w - - 0 1", "impossible-check", {"e7", "h4", "d5", "a7"}, None),
    (
        "3qk1nb/1p3p2/p1r1p1p1/3p4/3P4/2N1BP2/PPPQ1P2/R3K3 w Qk - 0 15",
        "castling-impossible",
        None,
        "castling",
    ),
    ("8/7R/R3B3/4r1pP/p4k2/8/6PK/r7 w - - 0 0", "fullmove", None, "fullmove"),
]

# Texts that others refuse, and that hold nothing to complain of.
WELCOME = [
    "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1",
    "3K4/3P2k1/8/8/8/8/2r5/5R2 w - - 95 80",
    "qbnnrkbr/pppppppp/8/8/8/8/PPPPPPPP/QBNNRKBR w KQkq - 0 1",
]


@pytest.mark.parametrize(("text", "code", "squares", "cure"), COMPLAINTS)
def test_each_complaint_gets_its_answer(
    text: str, code: str, squares: set[str] | None, cure: str | None
) -> None:
    said = [problem for problem in check(text).problems if problem.code == code]
    assert len(said) == 1
    if squares is not None:
        assert set(said[0].squares) == squares
    if cure is not None:
        cures = {fix.code: fix.fen for fix in said[0].fixes}
        assert code not in {problem.code for problem in check(cures[cure]).problems}


@pytest.mark.parametrize("text", WELCOME)
def test_what_others_refuse_is_welcome(text: str) -> None:
    result = check(text)
    assert result.fen == text
    assert result.problems == ()


def test_a_check_that_cannot_be_does_not_hide_the_fen() -> None:
    """A composer may want the position all the same: it is named illegal, and is still read in full."""
    text = "8/r3KPk1/8/3n4/7b/8/8/8 w - - 0 1"
    assert check(text).fen == text
