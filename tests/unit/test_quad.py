from __future__ import annotations

import numpy as np
import pytest

from fen_core.quad import (
    BOARD_OUTLINE,
    fit_homography,
    inside_mask,
    is_plausible,
    mean_side,
    outline_of,
    overlap_share,
    reading_order,
    scaled,
    stays_in_front,
)
from fen_core.rectify import apply_homography

SLANTED = np.array([[30.0, -2.0, 100.0], [1.0, 27.0, 60.0], [0.004, -0.006, 1.0]])
NODES = np.stack(np.meshgrid(np.arange(9.0), np.arange(9.0)), axis=-1).reshape(-1, 2)


def box(left: float, top: float, side: float) -> np.ndarray:
    return BOARD_OUTLINE / 8 * side + np.array([left, top])


def test_fit_recovers_a_homography_from_its_own_points():
    fitted = fit_homography(NODES, apply_homography(SLANTED, NODES), np.ones(81))
    assert fitted is not None
    error = apply_homography(fitted, NODES) - apply_homography(SLANTED, NODES)
    assert np.abs(error).max() < 0.2  # px of 30 a cell; the ridge on perspective costs that much


def test_fit_gives_no_weight_to_points_of_weight_zero():
    target = apply_homography(SLANTED, NODES)
    target[5] += 500
    weights = np.ones(81)
    weights[5] = 0
    fitted = fit_homography(NODES, target, weights)
    assert fitted is not None
    assert np.abs(apply_homography(fitted, NODES)[6] - target[6]).max() < 0.3


def test_scaled_scales_the_result():
    assert np.allclose(apply_homography(scaled(SLANTED, 2.0), NODES), 2 * apply_homography(SLANTED, NODES))


def test_outline_of_a_shifted_window_is_shifted_by_whole_cells():
    assert np.allclose(outline_of(np.diag([10.0, 10.0, 1.0]), np.array([1.0, -2.0])), box(10, -20, 80))


def test_points_behind_the_horizon_are_noticed():
    assert stays_in_front(SLANTED, NODES)
    assert not stays_in_front(SLANTED, np.array([[0.0, 160.0]]))


@pytest.mark.parametrize(
    ("quad", "plausible"),
    [
        (box(0, 0, 80), True),
        (box(0, 0, 80)[[1, 2, 3, 0]], False),  # first side runs down
        (box(0, 0, 80)[::-1], False),  # anticlockwise: a mirror image
        (np.array([[0.0, 0], [80, 0], [80, 20], [0, 20]]), False),
        (np.array([[20.0, 0], [60, 0], [80, 60], [0, 60]]), True),
        (np.array([[0.0, 0], [80, 0], [20, 30], [0, 80]]), False),
    ],
)
def test_plausible_quadrilaterals(quad, plausible):
    assert is_plausible(quad) is plausible


def test_a_quarter_turn_is_plausible_only_where_a_person_said_so():
    turned = box(0, 0, 80)[[1, 2, 3, 0]]
    assert is_plausible(turned, upright=False)


def test_overlap_is_a_share_of_the_smaller():
    assert overlap_share(box(0, 0, 80), box(100, 0, 80)) == 0
    assert overlap_share(box(0, 0, 80), box(20, 20, 20)) == 1
    assert overlap_share(box(0, 0, 80), box(40, 0, 80)) == pytest.approx(0.5)


def test_two_tilted_boards_whose_boxes_overlap_do_not():
    turn = np.array([[0.87, 0.5], [-0.5, 0.87]])
    first, second = box(0, 0, 80) @ turn, box(90, 0, 80) @ turn
    assert overlap_share(first, second) == 0


def test_inside_mask_covers_the_quad():
    mask = inside_mask((20, 30), [box(4, 5, 8)])
    assert mask.shape == (20, 30)
    assert mask[5:14, 4:13].all()
    assert mask.sum() == 81


def test_mean_side():
    assert mean_side(box(3, 4, 16)) == pytest.approx(16)


def test_reading_order_takes_columns_where_there_are_any():
    quads = [box(300, 0, 100), box(0, 200, 100), box(305, 210, 100), box(5, 0, 100)]
    assert reading_order(quads) == [3, 1, 0, 2]


def test_reading_order_takes_a_single_row_from_the_left_and_a_column_from_the_top():
    assert reading_order([box(300, 0, 100), box(0, 6, 100), box(150, 3, 100)]) == [1, 2, 0]
    assert reading_order([box(0, 300, 100), box(9, 0, 100)]) == [1, 0]
    assert reading_order([]) == []
