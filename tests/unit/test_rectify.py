"""The geometry: homographies agree with their points, and a straightened board lies where it should."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fen_core.rectify import apply_homography, homography, rectify, square_corners


def chequers(square_px: int, light: int = 220, dark: int = 60) -> np.ndarray:
    """A board of bare squares, light at the top left, uint8 (8·px, 8·px)."""
    parity = np.add.outer(np.arange(8), np.arange(8)) % 2
    return np.kron(np.where(parity == 0, light, dark), np.ones((square_px, square_px))).astype(np.uint8)


shift = st.tuples(*[st.floats(-12, 12) for _ in range(8)])


@given(shift)
def test_homography_maps_each_corner_onto_its_fellow(moves):
    source = square_corners(100.0)
    target = source * 1.5 + np.array(moves).reshape(4, 2)
    assert np.allclose(apply_homography(homography(source, target), source), target, atol=1e-6)


@given(shift)
def test_homography_and_its_inverse_are_identity(moves):
    target = square_corners(100.0) + np.array(moves).reshape(4, 2)
    there, back = homography(square_corners(1.0), target), homography(target, square_corners(1.0))
    points = np.random.default_rng(1).random((20, 2))
    assert np.allclose(apply_homography(back, apply_homography(there, points)), points, atol=1e-6)


@pytest.mark.parametrize(
    "corners",
    [np.zeros((4, 2)), [[0, 0], [1, 1], [2, 2], [0, 3]], [[0, 0], [np.nan, 0], [1, 1], [0, 1]], [[0, 0]] * 3],
)
def test_no_homography_of_points_that_are_no_quadrilateral(corners):
    with pytest.raises(ValueError):
        homography(square_corners(1.0), corners)


@pytest.mark.parametrize("seen_px", [7, 16, 33, 64, 150])
@pytest.mark.parametrize("square_px", [12, 32])
def test_straightened_squares_stand_on_their_lattice(seen_px, square_px):
    board = np.pad(chequers(seen_px), 20, constant_values=128)
    result = rectify(board, square_corners(8.0 * seen_px, 20.0), square_px)
    middles = result[square_px // 2 :: square_px, square_px // 2 :: square_px]
    assert result.shape == (8 * square_px, 8 * square_px)
    assert np.abs(middles.astype(int) - chequers(1).astype(int)).max() <= 2


def test_boundaries_fall_between_the_right_pixels():
    """Half a pixel off would blur the boundary on one side: the pixel-corner convention, exactly."""
    result = rectify(chequers(32), square_corners(256.0), 32)
    assert np.array_equal(result, chequers(32))


def test_tilted_board_comes_out_upright():
    square_px, turn = 40, np.deg2rad(12)
    rotation = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    corners = (square_corners(320.0) - 160) @ rotation.T + 250
    from PIL import Image

    to_board = homography(corners, square_corners(320.0, 40.0))
    flat = Image.fromarray(np.pad(chequers(square_px), 40, constant_values=128))
    photo = flat.transform(
        (500, 500), Image.Transform.PERSPECTIVE, tuple(to_board.ravel()[:8]), Image.Resampling.BICUBIC
    )
    result = rectify(np.asarray(photo), corners, 16)
    assert np.abs(result[8::16, 8::16].astype(int) - chequers(1).astype(int)).max() <= 4


def test_beyond_the_picture_its_edge_is_repeated():
    result = rectify(chequers(32), square_corners(256.0), 32, margin=0.5)
    assert result.shape == (288, 288)
    assert (result[:16, 16 + 10] == 220).all()
    assert (result[:16, 16 + 42] == 60).all()


def test_fine_hatching_becomes_grey_not_moire():
    """Lines every 5 px, shrunk by 7: area averaging must leave an even tone."""
    rows = np.where(np.arange(8 * 224) % 5 < 2, 0, 255).astype(np.uint8)
    hatched = np.repeat(rows[:, None], 8 * 224, axis=1)
    result = rectify(hatched, square_corners(8 * 224.0), 32)
    assert abs(float(result.mean()) - 153) < 3
    assert result.std() < 30


def test_colour_is_kept():
    red = np.zeros((80, 80, 3), np.uint8)
    red[..., 0] = 200
    result = rectify(red, square_corners(80.0), 16)
    assert result.shape == (128, 128, 3)
    assert (result == [200, 0, 0]).all()


def test_absurd_corners_are_refused_not_allocated():
    with pytest.raises(ValueError, match="beyond"):
        rectify(chequers(8), [[0, 0], [1e7, 0], [1e7, 1e7], [0, 1e7]], 32)
