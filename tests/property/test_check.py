"""What holds of every answer: no text raises, cures hold, chess's symmetries are the checker's."""

from __future__ import annotations

import importlib
import json
import random

import pytest
from faults import FAULTS, questions
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
from fen_core.errors import UsageError
from fen_core.problem import SEVERITIES, Fix
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
FENS = (
    START_FEN,
    "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3",
    "rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 3",
    "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 41",
    "r4rk1/1pp2ppp/p1np4/4p3/2B1P1b1/2PP1N2/PP3PPP/R4RK1 w - - 1 14",
    "8/5pk1/6p1/7p/3R3P/6P1/r4PK1/8 b - - 5 44",
    "r3k2r/ppp2ppp/2n2n2/2bpp1B1/8/2NP1N2/PPP1PPPP/R3KB1R b KQkq - 3 9",
    "6k1/5ppp/8/8/8/8/5PPP/3r2K1 w - - 0 30",
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


@st.composite
def several_faults(draw: st.DrawFn) -> str:
    """A FEN into which up to four kinds of faults were put, one after the other."""
    rng = draw(st.randoms(use_true_random=False))
    fen = draw(st.sampled_from([*FENS, questions(rng)]))
    for name in draw(st.lists(st.sampled_from(sorted(FAULTS)), min_size=1, max_size=4)):
        fen = with_fault(fen, name, rng)
    return fen


def with_fault(fen: str, name: str, rng: random.Random) -> str:
    """Put one more fault into a text, where it still has six fields and room for it."""
    fields = fen.split(" ")
    if len(fields) != 6:
        return fen
    try:
        return (FAULTS[name](fields, rng) or (fen,))[0]
    except (UsageError, ValueError):  # its board can no longer be read
        return fen


def broken_cures(text: str) -> list[str]:
    """Name the cures that leave their problem, make one as bad, or are no FEN as they stand."""
    before = check(text)
    broken = []
    for problem in before.problems:
        for fix in problem.fixes:
            after = check(fix.fen)
            name = (problem.code, problem.severity, problem.field)
            same = [p for p in after.problems if (p.code, p.severity, p.field) == name]
            new = as_bad(after, problem.severity) - as_bad(before, problem.severity)
            if after.cleaned or same or new:
                broken.append(
                    f"{text} → {fix.code} of {problem.code}: {fix.fen} {after.cleaned} {same} {new}"
                )
    return broken


def steps_to_a_sound_fen(text: str, most: int = 150) -> int | None:
    """Try all cures, and all of theirs, and so on: the fewest that lead to a FEN without faults."""
    seen, level, steps = {text}, [text], 0
    while level and len(seen) < most:
        steps += 1
        following = []
        for fen in level:
            for fix in (fix for problem in check(fen).problems for fix in problem.fixes):
                if fix.fen not in seen:
                    seen.add(fix.fen)
                    following.append(fix.fen)
                    if check(fix.fen).ok:
                        return steps
        level = following
    return None


def broken_chains(text: str) -> list[str]:
    """Name what is wrong with the cures of a whole text: one that is missing, or leads elsewhere."""
    result = check(text)
    broken = [fix.fen for fix in result.fixes if not check(fix.fen).ok or check(fix.fen).fen != fix.fen]
    steps = None if result.ok else steps_to_a_sound_fen(text)
    if steps and steps > 1 and not result.fixes:
        broken.append(f"{text} could be cured in {steps} steps")
    return broken


@given(st.one_of(spoilt(), positions(), several_faults()))
@settings(max_examples=200, deadline=None)
def test_a_cure_removes_its_problem_and_makes_none_as_bad(text: str):
    assert broken_cures(text) == []


@given(st.one_of(spoilt(), positions(), several_faults()))
@settings(max_examples=120, deadline=None)
def test_cures_in_a_chain_lead_to_a_sound_fen_where_one_exists_within_them(text: str):
    assert broken_chains(text) == []


def many_faults(seed: int, wanted: int) -> list[str]:
    rng = random.Random(seed)
    texts = []
    for _ in range(wanted):
        text = rng.choice([*FENS, questions(rng)])
        for _ in range(rng.randint(1, 4)):
            text = with_fault(text, rng.choice(sorted(FAULTS)), rng)
        texts.append(text)
    return texts


@pytest.mark.long
def test_cures_and_chains_of_many_faulty_texts():
    texts = many_faults(1, 20_000)
    assert [broken for text in texts for broken in broken_cures(text)] == []
    assert [broken for text in texts for broken in broken_chains(text)] == []


def test_the_two_judgements_of_cures_can_fail(monkeypatch: pytest.MonkeyPatch):
    """A checker that offers whatever comes to mind, or leads nowhere, is found out by the same texts."""
    rooms = importlib.import_module("fen_core.check")  # the name in the package is the function's
    texts = many_faults(2, 150)
    assert not any(broken_cures(text) or broken_chains(text) for text in texts)
    with monkeypatch.context() as patch:
        patch.setattr(rooms, "_chain", lambda *_: ())
        assert any(broken_chains(text) for text in texts)
    with monkeypatch.context() as patch:
        patch.setattr(
            rooms,
            "_cures",
            lambda examined, told, finding, memory: [
                Fix(code, " ".join(edits.get(at, text) for at, text in enumerate(examined.fields)))
                for code, edits, _ in finding.edits
            ],
        )
        assert any(broken_cures(text) for text in texts)


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
