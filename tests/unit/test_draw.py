"""The drawing kit itself: the same seed draws the same, and corners are where the board is."""

from __future__ import annotations

import random

import numpy as np
import pytest
from draw import (
    KINDS,
    NEGATIVES,
    THEMES,
    board,
    curved,
    draw_kind,
    draw_negative,
    framed,
    photographed,
    resized,
)
from draw.diagram import FRAMES, letters, random_placement

from fen_core.rectify import rectify


@pytest.mark.parametrize("kind", ["crop", "engraved", "slanted"])
def test_the_same_seed_draws_the_same_picture(kind):
    first, second = draw_kind(kind, 3), draw_kind(kind, 3)
    assert np.array_equal(first.pixels, second.pixels)
    assert np.array_equal(first.boards[0].corners, second.boards[0].corners)


def test_every_kind_is_there():
    assert {"gaps", "bent", "unchequered", "slanted", "thumbnail", "large"} <= set(KINDS)
    assert {"text", "sudoku", "go", "qr", "tiles", "moire"} <= set(NEGATIVES)
    assert draw_negative("blank", random.Random(1), photo=False).boards == ()


@pytest.mark.parametrize("frame", FRAMES)
def test_frames_move_the_corners_with_the_board(frame):
    picture = framed(board("8/8/8/8/8/8/8/8", 20), frame)
    straight = rectify(picture.pixels, picture.corners, 20)
    assert np.abs(straight.astype(int) - board("8/8/8/8/8/8/8/8", 20).pixels).max() <= 1


@pytest.mark.parametrize("change", ["photo", "curve", "size"])
def test_corners_follow_what_happens_to_the_picture(change):
    plain = framed(board("8/8/8/8/8/8/8/8", 40, THEMES["grey"]), "thick")
    if change == "photo":
        picture = photographed(plain, random.Random(4), clean=True)
    elif change == "curve":
        picture = curved(plain, 0.0, 0.3)
    else:
        picture = resized(plain, 301)
    straight = rectify(picture.pixels, picture.corners, 20).astype(int)
    middles = straight[10::20, 10::20, 0]
    i, j = np.indices((8, 8))
    assert np.abs(middles - np.where((i + j) % 2, 150, 220)).max() < 12
    # A frame or a neighbouring square would show along the rim if a corner were a tenth of a square off.
    assert np.abs(straight[3::20, 3] - straight[10::20, 10]).max() < 25


def test_black_at_the_bottom_turns_the_men():
    white = board("7k/8/8/8/8/8/8/K7", 20)
    black = board("7k/8/8/8/8/8/8/K7", 20, bottom="black")
    assert np.abs(white.pixels[145:155, 5:15].astype(int) - black.pixels[5:15, 145:155]).max() < 3


def test_random_placements_are_placements():
    rng = random.Random(2)
    for _ in range(50):
        row = letters(random_placement(rng))
        assert len(row) == 64
        assert row.count("K") == row.count("k") == 1
