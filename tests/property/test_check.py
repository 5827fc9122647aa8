"""What holds of every answer: no text raises, cures hold, chess's symmetries are the checker's."""

from __future__ import annotations

import json

from hypothesis import given, settings
from hypothesis import strategies as st

from fen_core import (
    START_FEN,
    check,
    exchange_colours,
    make_placement,
    mirror,
    parse_placement,
    reverse_ranks,
)
from fen_core.check import CheckResult
from fen_core.problem import SEVERITIES
from fen_core.words import Words

SEEDS = (
    START_FEN,
    "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3",
    "rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 3",
    "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1",
    "R2KQBNR/PPP1PPPP/2N5/3P1B2/3p4/2n2n2/ppp1pppp/r1bkqb1r w KQkq - 4 4",
    "4k3/2N3N1/8/8/8/8/8/4K3 b - - 0 1",
    "rkrnnqbb/pppppppp/8/8/8/8/PPPPPPPP/RKRNNQBB w KQkq - 0 1",
    "8/8/8/3kK3/8/8/8/8 w - - 0 1",
    "https://lichess.org/editor/8/8/8/4k3/8/8/4P3/4K3_w_-_-_0_1?color=white",
    '8/8/8/4k3/8/8/4P3/4K3 w - - bm e4; id "x";',
)
LETTERS = "KQRBNPkqrbnpw/12345678 -_9.xe36a\\|\"'[]%&;\n\t\x00٣КП♔"


@st.composite
def spoilt(draw: st.DrawFn) -> str:
    """A FEN with a few characters put in, taken out or replaced."""
    text = draw(st.sampled_from(SEEDS))
    for _ in range(draw(st.integers(0, 5))):
        at = draw(st.integers(0, len(text)))
        text = text[:at] + draw(st.text(LETTERS, max_size=2)) + text[at + draw(st.integers(0, 2)) :]
    return text


@st.composite
def positions(draw: st.DrawFn) -> str:
    """A board of some men and two kings, with every kind of other field."""
    board = ["."] * 64
    squares = draw(st.lists(st.integers(0, 63), min_size=2, max_size=24, unique=True))
    board[squares[0]], board[squares[1]] = "K", "k"
    for square in squares[2:]:
        board[square] = draw(st.sampled_from("PPPNBRQpppnbrq" if 8 <= square < 56 else "NBRQnbrq"))
    fields = (
        st.sampled_from("wb"),
        st.sampled_from(["-", "KQkq", "Kq", "HAha", "Qk"]),
        st.one_of(st.just("-"), st.builds("{}{}".format, st.sampled_from("abcdefgh"), st.sampled_from("36"))),
        st.sampled_from(["0", "7", "100"]),
        st.sampled_from(["1", "60"]),
    )
    return " ".join([make_placement("".join(board)), *(draw(field) for field in fields)])


def told(result: CheckResult, *severities: str) -> list[str]:
    return [problem.code for problem in result.problems if not severities or problem.severity in severities]


def as_bad(result: CheckResult, severity: str) -> set[tuple[str, str, str]]:
    return {
        (p.code, p.severity, str(p.params.get("side", p.params.get("rank", ""))))
        for p in result.problems
        if SEVERITIES.index(p.severity) <= SEVERITIES.index(severity)
    }


@given(st.one_of(st.text(), st.text(LETTERS), spoilt(), st.text(st.characters(codec=None))))
@settings(max_examples=150, deadline=None)
def test_no_text_raises_and_every_answer_is_json(text: str):
    result = check(text)
    answer = result.to_json()
    assert json.loads(json.dumps(answer)) == answer
    words = Words("en")
    for problem in answer["problems"]:
        assert problem["severity"] in SEVERITIES
        title, body = words.problem(problem)
        assert not title.startswith("problem.")
        assert not body.startswith("problem.")
    if result.fen:
        assert check(result.fen).fen == result.fen


@given(st.one_of(spoilt(), positions()))
@settings(max_examples=80, deadline=None)
def test_a_cure_removes_its_problem_and_makes_none_as_bad(text: str):
    before = check(text)
    for problem in before.problems:
        for fix in problem.fixes:
            after = check(fix.fen)
            assert after.cleaned == ()
            name = (problem.code, problem.severity, problem.field)
            same = [p for p in after.problems if (p.code, p.severity, p.field) == name]
            assert not same, (fix, same)
            new = as_bad(after, problem.severity) - as_bad(before, problem.severity)
            assert not new, (fix, new)


@given(st.one_of(spoilt(), positions()))
@settings(max_examples=80, deadline=None)
def test_a_chain_of_cures_leads_to_a_fen_without_faults(text: str):
    for fix in check(text).fixes:
        assert check(fix.fen).ok
        assert check(fix.fen).fen == fix.fen


@given(positions())
@settings(max_examples=80, deadline=None)
def test_exchanged_colours_and_ends_change_nothing_but_names(fen: str):
    placement, side, castling, ep, *counters = fen.split(" ")
    board = exchange_colours(reverse_ranks(parse_placement(placement)))
    letters = "".join(sorted(castling.swapcase(), key=lambda letter: (letter.islower(), letter in "QqAa")))
    square = ep if ep == "-" else ep[0] + {"3": "6", "6": "3"}[ep[1]]
    other = " ".join([make_placement(board), "b" if side == "w" else "w", letters, square, *counters])
    first, second = (check(text) for text in (fen, other))
    ignored = ("clock-ahead",)  # Black's move comes after White's
    assert sorted(code for code in told(first) if code not in ignored) == sorted(
        code for code in told(second) if code not in ignored
    )


@given(positions())
@settings(max_examples=80, deadline=None)
def test_a_mirrored_board_has_the_same_faults(fen: str):
    placement, side, _, ep, *counters = fen.split(" ")
    square = ep if ep == "-" else "hgfedcba"["abcdefgh".index(ep[0])] + ep[1]
    texts = [
        " ".join([make_placement(board), side, "-", target, *counters])
        for board, target in ((parse_placement(placement), ep), (mirror(parse_placement(placement)), square))
    ]
    # What depends on the home squares of king and queen, and what follows from it, has no mirror image.
    ignored = ("mirrored-suspected", "colours-swapped-suspected", "locked-piece", "impossible-check")
    first, second = (sorted(code for code in told(check(text)) if code not in ignored) for text in texts)
    assert first == second
