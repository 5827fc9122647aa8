"""Printed coordinates: read where they are legible, from either side, and silent where they are not."""

from __future__ import annotations

import drawn_boards as draw
import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageFont

from fen_core import coordinates, models
from fen_core.orient import orient

START = "rnbqkbnrpppppppp" + "." * 32 + "PPPPPPPPRNBQKBNR"
KINDS = ("screen", "texture", "print")


def drawn(seed: int, where: str | None, white_below: bool) -> draw.Drawing:
    rng = np.random.default_rng([seed, 21])
    board = draw.random_board(rng)
    drawing = draw.draw_board(rng, board, white_below, str(rng.choice(KINDS)))
    draw.put_men(rng, drawing, board)
    if where:
        draw.put_coordinates(rng, drawing, where)
    return drawing


def read_all(seeds: range, where: str, white_below: bool) -> tuple[int, int]:
    """Return how many boards were read rightly, and how many wrongly."""
    right = wrong = 0
    for seed in seeds:
        drawing = drawn(seed, where, white_below)
        pixels = draw.photograph(np.random.default_rng([seed, 22]), drawing)
        printed = coordinates.read(pixels, drawing.corners)
        if printed.bottom is not None:
            good = printed.bottom == ("white" if white_below else "black")
            right, wrong = right + good, wrong + (not good)
    return right, wrong


@pytest.mark.parametrize("where", ["inside", "outside"])
@pytest.mark.parametrize("white_below", [True, False])
def test_coordinates_are_read_from_either_side(where: str, white_below: bool) -> None:
    right, wrong = read_all(range(12), where, white_below)
    assert wrong == 0
    assert right >= (
        10 if where == "outside" else 6
    )  # inside, some are dark grey on dark squares of 20 pixels


@pytest.mark.long
@pytest.mark.parametrize("where", ["inside", "outside"])
@pytest.mark.parametrize("white_below", [True, False])
def test_many_coordinates_are_read(where: str, white_below: bool) -> None:
    right, wrong = read_all(range(100, 200), where, white_below)
    assert wrong == 0
    assert right >= (85 if where == "outside" else 50)


def test_boards_without_coordinates_give_no_answer() -> None:
    for seed in range(12):
        drawing = drawn(seed, None, True)
        printed = coordinates.read(np.asarray(drawing.picture), drawing.corners)
        assert printed == coordinates.Printed(None), seed


def test_page_text_beside_a_board_gives_no_answer() -> None:
    rng = np.random.default_rng(5)
    words = "abcdefgh 12345678 the bishop is bad here after a4 b5 c6 and the game ended in 23 moves "
    for seed in range(8):
        drawing = drawn(seed, None, True)
        pen, px = ImageDraw.Draw(drawing.picture), drawing.side
        font = ImageFont.load_default(size=px * 0.4)
        ink = 30 if drawing.picture.getpixel((2, 2))[0] > 100 else 220
        for line in range(2):
            start = int(rng.integers(0, 40))
            y = drawing.top + px * (8.25 + 0.5 * line)
            pen.text(
                (drawing.left + int(rng.integers(-9, 9)), y),
                (words * 2)[start : start + 40],
                (ink,) * 3,
                font,
            )
        assert coordinates.read(np.asarray(drawing.picture), drawing.corners).bottom is None, seed


def clear(white_below: bool = True) -> draw.Drawing:
    """Draw a board of 48 pixels a square with clear coordinates beside it."""
    drawing = draw.Drawing(Image.new("RGB", (560, 560), (250, 250, 250)), 88, 88, 48, white_below)
    pen = ImageDraw.Draw(drawing.picture)
    for square in range(64):
        x, y = drawing.corner(square)
        pen.rectangle(
            (x, y, x + 47, y + 47), (181, 136, 99) if sum(divmod(square, 8)) % 2 else (240, 217, 181)
        )
    draw.put_coordinates(np.random.default_rng(1), drawing, "outside")
    return drawing


def test_the_rows_that_were_read_are_named() -> None:
    drawing = clear()
    printed = coordinates.read(np.asarray(drawing.picture), drawing.corners)
    assert printed.bottom == "white"
    assert {(zone["place"], zone["side"]) for zone in printed.zones} == {
        ("outside", "bottom"),
        ("outside", "left"),
    }
    assert sum(zone["text"] in ("abcdefgh", "87654321") for zone in printed.zones) >= 1


def test_a_grey_picture_reads_like_a_coloured_one() -> None:
    drawing = clear(False)
    grey = np.asarray(drawing.picture.convert("L"))
    assert coordinates.read(grey, drawing.corners).bottom == "black"


def test_corners_off_by_a_square_give_no_answer() -> None:
    drawing = clear()
    for shift in ((48, 0), (-48, 0), (0, 48), (0, -48)):
        assert coordinates.read(np.asarray(drawing.picture), drawing.corners + shift).bottom is None


def test_a_mirrored_or_turned_picture_is_suspected_and_an_upright_one_is_not() -> None:
    for white_below in (True, False):
        drawing = clear(white_below)
        pixels = np.asarray(drawing.picture)
        assert coordinates.suspect(pixels, drawing.corners) is None
        assert coordinates.suspect(np.ascontiguousarray(pixels[:, ::-1]), drawing.corners) == "mirrored"
        assert coordinates.suspect(np.ascontiguousarray(pixels[::-1, ::-1]), drawing.corners) == "turned"


def test_coordinates_and_men_are_weighed_together() -> None:
    drawing = clear(False)
    pixels = np.asarray(drawing.picture)
    empty = np.eye(13)[np.zeros(64, int)]
    answer = orient(pixels, drawing.corners, empty)
    assert answer.bottom == "black"
    assert answer.probability > 0.95
    assert answer.evidence[0]["kind"] == "coordinates"
    # The whole first position from White's side, with coordinates that say Black: neither is believed.
    full = np.eye(13)[[".PNBRQKpnbrqk".index(man) for man in START]]
    assert orient(pixels, drawing.corners, full).probability < 0.95


def test_corners_in_the_picture_or_far_outside_do_no_harm() -> None:
    pixels = np.full((50, 50, 3), 90, np.uint8)
    inside = [[10, 10], [20, 10], [20, 20], [10, 20]]
    wide = [[-20, -20], [70, -20], [70, 70], [-20, 70]]
    for corners in (inside, wide):
        assert coordinates.read(pixels, corners).bottom is None


def test_the_network_is_small() -> None:
    assert models.path("coordinates.npz").stat().st_size <= 40_000
