from __future__ import annotations

import numpy as np
import pytest

from fen_core.lattice import Lattice, corner_response, local_maximum, search
from fen_core.rectify import apply_homography


def chequer(cells: int = 8, px: int = 10, margin: int = 20, low: float = 60, high: float = 200) -> np.ndarray:
    """Light at the top left, on grey."""
    picture = np.full((cells * px + 2 * margin,) * 2, 130, dtype=np.float32)
    i, j = np.indices((cells * px, cells * px)) // px
    picture[margin:-margin, margin:-margin] = np.where((i + j) % 2, low, high)
    return picture


def found(signed: np.ndarray) -> list[Lattice]:
    lattices: list[Lattice] = []

    def judge(lattice: Lattice) -> np.ndarray:
        lattices.append(lattice)
        return lattice.points

    search(signed, judge)
    return lattices


@pytest.mark.parametrize("contrast", [10, 60, 120])
def test_a_clean_node_answers_nearly_one_whatever_its_contrast(contrast):
    response = corner_response(chequer(low=100 - contrast / 2, high=100 + contrast / 2))
    nodes = response.signed(noise=0.7)[30:100:10, 30:100:10]
    i, j = np.indices((7, 7))
    assert (np.sign(nodes) == np.where((i + j) % 2, -1, 1)).all()
    assert np.abs(nodes).min() > 0.85
    assert np.abs(response.contrast[30:100:10, 30:100:10]) == pytest.approx(contrast / 2)


def test_edges_lines_and_flat_areas_do_not_answer():
    picture = np.full((60, 60), 200, dtype=np.float32)
    picture[:, 30:] = 40
    picture[14:16] = 0
    response = corner_response(picture)
    assert np.abs(response.signed()[24:50]).max() < 0.05
    assert np.abs(response.contrast[30, 30]) < 1e-3


def test_hatching_is_forgiven_by_the_search_and_not_by_the_evidence():
    picture = chequer()
    picture[::2] = np.where(picture[::2] < 100, 230, picture[::2])
    picture[1::2] = np.where(picture[1::2] < 100, 0, picture[1::2])
    node = (slice(30, 100, 10), slice(30, 100, 10))
    lenient = np.abs(corner_response(picture).signed(texture=0.25)[node]).mean()
    strict = np.abs(corner_response(picture).signed(texture=1.0)[node]).mean()
    assert lenient > strict + 0.1


def test_local_maximum_is_that_of_the_neighbourhood():
    values = np.random.default_rng(3).normal(size=(9, 12)).astype(np.float32)
    result = local_maximum(values, 2)
    for y in range(9):
        for x in range(12):
            assert result[y, x] == values[max(0, y - 2) : y + 3, max(0, x - 2) : x + 3].max()


def test_one_lattice_grows_over_the_whole_chequer():
    lattices = found(corner_response(chequer()).signed())
    assert lattices
    best = max(lattices, key=lambda lattice: len(lattice.points))
    assert len(best.points) >= 49
    # Every seen node lies on a multiple of ten pixels.
    assert np.abs((best.points - 20 + 5) % 10 - 5).max() <= 1
    step = apply_homography(best.matrix, [[3, 0], [4, 0], [3, 1]])
    assert np.allclose(step[1] - step[0], [10, 0], atol=0.3)
    assert np.allclose(step[2] - step[0], [0, 10], atol=0.3)


def test_blanked_areas_begin_no_lattice():
    signed = corner_response(chequer()).signed()
    everywhere = np.ones(signed.shape, dtype=bool)
    lattices: list[Lattice] = []
    search(signed, lambda lattice: lattices.append(lattice), everywhere)
    assert not lattices


@pytest.mark.parametrize("seed", range(3))
def test_noise_grows_no_board(seed):
    noise = np.random.default_rng(seed).normal(128, 60, (96, 96)).astype(np.float32)
    assert max((len(lattice.points) for lattice in found(corner_response(noise).signed())), default=0) < 45
