"""Which way up: right on positions with much to go by, honest where there is little, and even-handed."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from fen_core.orient import men_features, orient
from fen_core.position import CLASSES

BLANK = np.full((160, 160, 3), 128, np.uint8)
CORNERS = [[0, 0], [160, 0], [160, 160], [0, 160]]


def probabilities(placement: str, certainty: float = 0.99) -> NDArray[np.float64]:
    """Return what a sure classifier says of a placement with White at the bottom."""
    board = "".join("." * int(c) if c.isdigit() else c for c in placement.replace("/", ""))
    p = np.full((64, 13), (1 - certainty) / 12)
    p[np.arange(64), [CLASSES.index(c) for c in board]] = certainty
    return p


START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"
POSITIONS = [
    START,
    "r1bqk2r/pppp1ppp/2n2n2/2b1p3/2B1P3/2N2N2/PPPP1PPP/R1BQK2R",
    "2rq1rk1/pb1nbppp/1p2pn2/8/2pP4/1PN1PN2/PB2BPPP/2RQ1RK1",
    "6k1/5ppp/8/3r4/8/8/1R3PPP/6K1",
]


@pytest.mark.parametrize("placement", POSITIONS)
def test_a_board_from_whites_side_is_known_surely(placement: str) -> None:
    answer = orient(BLANK, CORNERS, probabilities(placement))
    assert answer.bottom == "white"
    assert answer.probability > 0.97


@pytest.mark.parametrize("placement", POSITIONS)
def test_a_board_from_blacks_side_is_seen_as_such(placement: str) -> None:
    answer = orient(BLANK, CORNERS, probabilities(placement)[::-1])
    assert answer.bottom == "black"
    assert answer.probability > 0.95


def test_two_bare_kings_are_never_sure() -> None:
    for placement in ("8/8/3k4/8/8/4K3/8/8", "8/3K4/8/8/8/8/4k3/8"):
        answer = orient(BLANK, CORNERS, probabilities(placement))
        assert answer.bottom == "white"  # what is usual decides …
        assert answer.probability < 0.95  # … but is not called certain


def test_an_empty_board_has_only_what_is_usual_to_go_by() -> None:
    answer = orient(BLANK, CORNERS, probabilities("8/8/8/8/8/8/8/8", 1.0))
    assert [entry["kind"] for entry in answer.evidence if entry["weight"] > 0] == ["prior"]
    assert 0.8 < answer.probability < 0.95


def test_evidence_adds_up_to_the_probability() -> None:
    answer = orient(BLANK, CORNERS, probabilities(POSITIONS[3]))
    total = sum(e["weight"] * (1 if e["side"] == "white" else -1) for e in answer.evidence)
    assert 1 / (1 + np.exp(-total)) == pytest.approx(answer.probability, abs=0.01)
    weights = [e["weight"] for e in answer.evidence]
    assert weights == sorted(weights, reverse=True)


def test_turning_changes_the_sign_of_every_feature_and_nothing_else() -> None:
    rng = np.random.default_rng(3)
    p = rng.dirichlet(np.ones(13), 64)
    seen, turned = men_features(p), men_features(p[::-1])
    for name in ("squares", "pairs"):
        np.testing.assert_allclose(seen[name], -turned[name], atol=1e-9)
    np.testing.assert_allclose(seen["men"], turned["men"])


def test_exchanging_colours_and_mirroring_ranks_tells_the_same() -> None:
    p = probabilities(POSITIONS[2])
    swapped = p[:, [0, *range(7, 13), *range(1, 7)]].reshape(8, 8, 13)[::-1].reshape(64, 13)
    for name, value in men_features(p).items():
        np.testing.assert_allclose(value, men_features(swapped)[name], atol=1e-9)


def test_unsure_squares_weigh_less() -> None:
    sure = orient(BLANK, CORNERS, probabilities(POSITIONS[3])[::-1])
    unsure = orient(BLANK, CORNERS, probabilities(POSITIONS[3], 0.5)[::-1])
    assert sure.bottom == "black"
    assert unsure.probability < sure.probability or unsure.bottom == "white"
