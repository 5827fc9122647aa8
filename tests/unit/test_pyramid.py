from __future__ import annotations

import numpy as np
import pytest

from fen_core.pyramid import Pyramid, grey_picture


def ramp(height: int, width: int) -> np.ndarray:
    y, x = np.mgrid[0:height, 0:width]
    return np.stack([(x * 200 // width + y * 50 // height).astype(np.uint8)] * 3, axis=-1)


def test_a_large_picture_is_shrunk_in_strips_as_if_in_one_piece():
    rng = np.random.default_rng(1)
    image = rng.integers(0, 256, (3301, 1203, 3), dtype=np.uint8)
    grey = np.asarray(grey_picture(image, 1100))  # by three
    assert grey.shape == (1101, 401)
    luma = image[:3300, :1200].astype(float).reshape(1100, 3, 400, 3, 3).mean(axis=(1, 3)) @ [
        0.299,
        0.587,
        0.114,
    ]
    assert np.abs(grey[:1100, :400] - luma).max() <= 1.5


def test_levels_have_the_longer_side_asked_for():
    pyramid = Pyramid(ramp(600, 900))
    assert pyramid.level(384).grey.shape == (256, 384)
    assert pyramid.level(96).grey.shape == (64, 96)
    assert pyramid.reaches(1536)
    assert not Pyramid(ramp(60, 90)).reaches(192)


def test_shrinking_averages_hatching_to_grey():
    image = np.zeros((768, 768, 3), dtype=np.uint8)
    image[:, ::2] = 255
    grey = Pyramid(image).level(96).grey
    assert np.abs(grey[4:-4, 4:-4] - 127.5).max() < 2


@pytest.mark.parametrize("shape", [(1, 1), (1, 500), (500, 1), (7, 3)])
def test_slivers_have_levels_and_views(shape):
    pyramid = Pyramid(np.full((*shape, 3), 90, dtype=np.uint8))
    assert np.allclose(pyramid.level(96).grey, 90)
    view = pyramid.view(np.diag([0.1, 0.1, 1.0]), np.zeros(2), np.full(2, 8.0), 12)
    assert np.allclose(view.grey, 90)


def test_a_view_straightens_and_knows_what_lies_beyond_the_picture():
    pyramid = Pyramid(ramp(400, 400))
    view = pyramid.view(np.diag([0.125, 0.125, 1.0]), np.array([-1.0, 0.0]), np.array([8.0, 8.0]), 10)
    assert view.grey.shape == (80, 90)
    inside = view.inside(np.stack(np.meshgrid(np.arange(90), np.arange(80)), axis=-1))
    assert not inside[:, :9].any()
    assert inside[:, 10:].all()
    assert np.array_equal(view.grey[:, 0], view.grey[:, 9])
    expected = (np.arange(80) + 0.5) / 80 * 200
    assert np.abs(view.grey[0, 10:] - expected)[2:-2].max() < 3
    assert np.array_equal(view.transposed().grey, view.grey.T)
    assert view.position(np.array([[0, 0], [3, 2]])).tolist() == [[10, 0], [40, 20]]
