from __future__ import annotations

import random

import numpy as np
import pytest
from draw import THEMES, board, draw_kind, draw_negative, framed, on_page
from PIL import Image, ImageDraw

from fen_core.frame import framed_board
from fen_core.pyramid import Pyramid
from fen_core.quad import mean_side

PLACEMENT = "r1bq1rk1/pp2bppp/2n1pn2/3p4/3P4/2NBPN2/PP3PPP/R1BQ1RK1"


@pytest.mark.parametrize("frame", ["line", "double", "coordinates_line"])
def test_the_squares_within_the_frame(frame):
    picture = framed(board(PLACEMENT, 44, THEMES["all_white"], size=0.8), frame)
    page = on_page([picture], 560, random.Random(2))
    pyramid = Pyramid(page.pixels)
    found = framed_board(pyramid)
    assert found is not None
    corners, sureness = found
    assert np.abs(corners * pyramid.long_px - page.corners).max() < 0.15 * mean_side(page.corners) / 8
    assert 0 < sureness <= 0.5


def test_an_empty_frame_is_no_board():
    picture = framed(board("8/8/8/8/8/8/8/8", 40, THEMES["all_white"]), "double")
    assert framed_board(Pyramid(picture.pixels)) is None


def test_a_frame_around_text_or_a_drawing_is_no_board():
    rng = random.Random(4)
    for kind in ("text", "scribble", "one_man"):
        image = draw_negative(kind, rng, photo=False).image.resize((400, 400))
        canvas = Image.new("RGB", (480, 480), "white")
        canvas.paste(image, (40, 40))
        ImageDraw.Draw(canvas).rectangle([38, 38, 441, 441], outline=(0, 0, 0), width=2)
        assert framed_board(Pyramid(np.array(canvas))) is None


@pytest.mark.parametrize("kind", ["sudoku", "go", "table", "calendar", "crossword"])
def test_ruled_sheets_are_no_boards(kind):
    for seed in range(2):
        assert framed_board(Pyramid(draw_negative(kind, random.Random(seed), photo=False).pixels)) is None


def test_most_drawn_boards_without_chequer_are_found():
    found = 0
    for seed in range(1, 8):
        picture = draw_kind("unchequered", seed)
        pyramid = Pyramid(picture.pixels)
        best = framed_board(pyramid)
        if best is not None:
            off = np.abs(best[0] * pyramid.long_px - picture.corners).max() / picture.boards[0].square_px
            assert off < 0.25
            found += 1
    assert found >= 5
