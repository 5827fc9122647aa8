"""Decoding: clear print stands, chess tips what could be either, and doubt is marked, never dropped."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from fen_core.decode import UNSURE_BELOW, decode, oddity
from fen_core.fen import parse_placement
from fen_core.position import CLASSES, SQUARE_NAMES, START_BOARD

FIELDS = ["w", "-", "-", "0", "1"]


def sure(board: str, certainty: float = 0.999) -> NDArray[np.float64]:
    p = np.full((64, 13), (1 - certainty) / 12)
    p[np.arange(64), [CLASSES.index(piece) for piece in board]] = certainty
    return p


def between(p: NDArray[np.float64], square: str, **shares: float) -> None:
    """Set a square to shares of pieces; capital letters are white, 'b_' before a letter is black."""
    row = SQUARE_NAMES.index(square)
    rest = 1 - sum(shares.values())
    p[row] = rest / (13 - len(shares))
    for name, share in shares.items():
        p[row, CLASSES.index(name[2].lower() if name.startswith("b_") else name)] = share


def test_the_starting_position_is_read_as_printed() -> None:
    decoded = decode(sure(START_BOARD))
    assert decoded.board64 == START_BOARD
    assert not decoded.unsure.any()
    assert not decoded.changed.any()


@pytest.mark.parametrize(
    "placement",
    [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQQBNR",  # no white king
        "rnbqkbnr/pppppppp/8/8/4K3/8/PPPPPPPP/RNBQKBNR",  # two
        "rnbPkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNp",  # pawns on the edge
        "8/8/8/3Q4/8/8/8/8",  # a lesson
        "QQQQQQQQ/QQQQQQQQ/8/8/8/8/qqqqqqqq/qqqqqqqq",
    ],
)
def test_what_is_printed_clearly_is_never_overruled(placement: str) -> None:
    board = parse_placement(placement)
    decoded = decode(sure(board))
    assert decoded.board64 == board
    assert not decoded.changed.any()


def test_a_missing_king_takes_the_square_that_could_be_either_and_says_so() -> None:
    p = sure(START_BOARD)
    between(p, "e1", Q=0.6, K=0.39)
    decoded = decode(p)
    e1 = SQUARE_NAMES.index("e1")
    assert decoded.board64 == START_BOARD
    assert decoded.changed[e1]
    assert decoded.unsure[e1]
    assert decoded.sure[e1] == pytest.approx(0.39)
    assert decoded.alternatives(e1)[0] == ("Q", pytest.approx(0.6))
    assert decoded.changed.sum() == 1


def test_two_squares_change_together_where_one_alone_would_not_help() -> None:
    # King and queen taken for each other: changing either alone leaves two kings or none.
    p = sure(START_BOARD)
    between(p, "d1", K=0.55, Q=0.44)
    between(p, "e1", Q=0.50, K=0.49)
    p_two_kings = p.copy()
    between(p_two_kings, "e1", K=0.5, Q=0.49)
    decoded = decode(p_two_kings)
    assert decoded.board64.count("K") == 1
    assert decoded.unsure[[SQUARE_NAMES.index("d1"), SQUARE_NAMES.index("e1")]].all()


def test_the_same_doubt_on_a_board_of_a_few_men_is_left_as_read() -> None:
    p = sure(parse_placement("8/8/8/3k4/8/8/4Q3/8"))
    between(p, "e2", Q=0.6, K=0.39)
    decoded = decode(p)
    assert decoded.board64[SQUARE_NAMES.index("e2")] == "Q"
    assert decoded.unsure[SQUARE_NAMES.index("e2")]


def test_oddity_is_bounded_for_one_fault_and_absent_for_what_games_show() -> None:
    usual = np.bincount([CLASSES.index(piece) for piece in START_BOARD], minlength=13).astype(float)
    assert oddity(usual, 0) == 0
    for piece in "KPQ":
        odd = usual.copy()
        odd[CLASSES.index(piece)] += 1
        odd[0] -= 1
        assert 0 < oddity(odd, 0) <= 4  # an extra man is a man too many and of a kind too many
    assert 0 < oddity(usual, 1) <= 2


def test_a_square_below_the_threshold_is_unsure_and_offers_three_others() -> None:
    p = sure(START_BOARD)
    between(p, "a1", R=UNSURE_BELOW - 0.01, b_r=0.05)
    between(p, "b1", N=UNSURE_BELOW + 0.01)
    decoded = decode(p)
    a1, b1 = SQUARE_NAMES.index("a1"), SQUARE_NAMES.index("b1")
    assert decoded.unsure[a1]
    assert not decoded.unsure[b1]
    others = decoded.alternatives(a1)
    assert others[0][0] == "r"
    assert len(others) >= 3
    assert [share for _, share in others] == sorted((share for _, share in others), reverse=True)


def test_json_has_the_squares_in_fen_order() -> None:
    rows = decode(sure(START_BOARD)).to_json()
    assert [row["square"] for row in rows] == list(SQUARE_NAMES)
    assert (rows[0]["piece"], rows[63]["piece"], rows[35]["piece"]) == ("r", "R", ".")
    assert rows[0]["unsure"] is False
    assert rows[0]["probability"] == pytest.approx(0.999, abs=1e-4)


def test_a_doubtful_turn_marks_the_kings_and_lowers_their_probability() -> None:
    decoded = decode(sure(START_BOARD)).doubt_turn(0.7)
    kings = [SQUARE_NAMES.index("e1"), SQUARE_NAMES.index("e8")]
    assert np.flatnonzero(decoded.unsure).tolist() == sorted(kings)
    assert decoded.sure[kings] == pytest.approx(0.7)
    lone = decode(sure(parse_placement("8/8/8/3Q4/8/8/8/8"))).doubt_turn(0.6)
    assert lone.unsure[SQUARE_NAMES.index("d5")]


def test_an_impossible_position_names_the_least_certain_square_that_cures_it() -> None:
    board = parse_placement("4k3/8/8/8/3K4/8/8/4K2R")
    p = sure(board)
    between(p, "d4", K=0.93, Q=0.06)
    problems = decode(p).cures(FIELDS)
    assert [problem["code"] for problem in problems] == ["misread-suspected"]
    assert problems[0]["squares"][0] == "d4"
    first = problems[0]["fixes"][0]
    assert first["fen"] == "4k3/8/8/8/3Q4/8/8/4K2R w - - 0 1"
    assert (first["params"]["squares"], first["params"]["pieces"]) == (["d4"], ["Q"])


def test_a_position_cured_only_by_two_squares_names_both() -> None:
    p = sure(parse_placement("4q3/8/8/8/8/8/8/4Q2R"))
    between(p, "e8", b_q=0.9, b_k=0.09)
    between(p, "e1", Q=0.9, K=0.09)
    problems = decode(p).cures(FIELDS)
    assert problems[0]["squares"] == ["e8", "e1"]
    assert problems[0]["fixes"][0]["fen"].startswith("4k3/8/8/8/8/8/8/4K2R ")


def test_a_possible_position_needs_no_cure_and_an_incurable_one_gets_none() -> None:
    assert decode(sure(START_BOARD)).cures(["w", "KQkq", "-", "0", "1"]) == []
    nothing_else = np.zeros((64, 13))
    nothing_else[:, CLASSES.index("Q")] = 1.0
    assert decode(nothing_else).cures(FIELDS) == []


@pytest.mark.parametrize("bad", [np.zeros((8, 8, 13)), np.full((64, 13), np.nan), np.full((64, 13), -0.1)])
def test_what_is_no_probability_is_refused(bad: NDArray[np.float64]) -> None:
    with pytest.raises(ValueError, match="probabilities"):
        decode(bad)


@settings(deadline=None, max_examples=60)
@given(st.integers(0, 2**32 - 1), st.floats(0.05, 3.0))
def test_any_probabilities_give_a_board_whose_changes_are_marked_and_near(
    seed: int, sharpness: float
) -> None:
    random = np.random.default_rng(seed)
    logits = random.normal(0, 4 * sharpness, (64, 13))
    p = np.exp(logits - logits.max(1, keepdims=True))
    p /= p.sum(1, keepdims=True)
    decoded = decode(p)
    chosen = np.array([CLASSES.index(piece) for piece in decoded.board64])
    assert len(decoded.board64) == 64
    assert (decoded.unsure | ~decoded.changed).all()
    assert ((chosen != p.argmax(1)) == decoded.changed).all()
    assert (decoded.sure >= p.max(1) * np.exp(-4.01)).all()
    assert decoded.unsure[decoded.sure < UNSURE_BELOW].all()
