"""Boards wherever they are: drawn pictures with exact corners, for every item that finding must master."""

from __future__ import annotations

import random

import numpy as np
import pytest
from draw import (
    THEMES,
    Picture,
    arrows,
    blurred,
    board,
    curved,
    draw_kind,
    draw_negative,
    framed,
    in_window,
    moire,
    on_page,
    photographed,
    resized,
    shaded,
    side_by_side,
)
from draw.diagram import START, random_placement
from draw.themes import Theme
from PIL import Image, ImageChops

from fen_core.boards import Board, find, snap
from fen_core.quad import BOARD_OUTLINE, mean_side
from fen_core.rectify import apply_homography, homography

MIDDLE_GAME = "r1bq1rk1/pp2bppp/2n1pn2/3p4/3P4/2NBPN2/PP3PPP/R1BQ1RK1"
ENDING = "8/8/4k3/8/3K4/4P3/8/8"


def error(found: Board, true: np.ndarray) -> float:
    """Largest corner error in squares."""
    return float(np.hypot(*(found.corners - true).T).max() / (mean_side(true) / 8))


def shift(found: Board, true: np.ndarray) -> tuple[int, int]:
    """Whole files and ranks by which a board is off."""
    moved = apply_homography(homography(true, BOARD_OUTLINE), found.corners) - BOARD_OUTLINE
    files, ranks = np.round(moved.mean(axis=0)).astype(int)
    return int(files), int(ranks)


def assert_found(picture: Picture, within: float = 0.1) -> list[Board]:
    """Every board of the picture, and nothing else, with its corners within so many squares."""
    found = find(picture.pixels)
    assert len(found) == len(picture.boards)
    for seen in picture.boards:
        nearest = min(found, key=lambda b: error(b, seen.corners))
        assert shift(nearest, seen.corners) == (0, 0)
        assert error(nearest, seen.corners) < within
    return found


# One upright diagram


@pytest.mark.parametrize("theme", [t for t in THEMES if not t.startswith("all_white")])
def test_every_theme(theme):
    diagram = framed(board(MIDDLE_GAME, 40, THEMES[theme], rng=random.Random(1)), "coordinates_line")
    assert_found(diagram, within=0.15)


@pytest.mark.parametrize("seed", [0, 1, 8])
def test_hatching_engraved_by_hand(seed):
    """Seeds 0 and 8 draw a few thin lines a square, between black lines around all squares."""
    assert_found(draw_kind("engraved", seed), within=0.25)


@pytest.mark.parametrize("seed", [2, 7])
def test_a_few_strokes_a_square_between_lines_do_not_shift_the_board(seed):
    """The strokes alone leave the lattice a whole file off, or nowhere; the lines say where it ends."""
    assert_found(draw_kind("sparse", seed), within=0.15)


@pytest.mark.parametrize("kind", ["frame_outside", "turned", "under_100", "bare", "glaring"])
def test_kinds_that_are_easily_lost(kind):
    assert_found(draw_kind(kind, 3), within=0.15)


@pytest.mark.parametrize("seed", [0, 10, 11])
def test_no_chequer_but_lines_and_men(seed):
    """Two clear men between lines; a small frame on a page; a double frame around white men."""
    (found,) = assert_found(draw_kind("unchequered", seed), within=0.25)
    assert found.score < 0.5


@pytest.mark.parametrize("frame", ["none", "line", "double", "thick", "coordinates", "coordinates_line"])
@pytest.mark.parametrize("theme", ["brown", "hatched"])
def test_the_squares_are_found_and_never_the_frame(frame, theme):
    assert_found(framed(board(MIDDLE_GAME, 40, THEMES[theme]), frame), within=0.05)


@pytest.mark.parametrize("placement", ["8/8/8/8/8/8/8/8", ENDING, START, "QQQQQQQQ/" * 7 + "QQQQQQQQ"])
def test_empty_and_full_boards(placement):
    assert_found(board(placement, 32), within=0.05)


@pytest.mark.parametrize("margins", [(0, 0, 0, 0), (7, 0, 0, 0), (0, 5, 7, 0), (8, 8, 8, 8)])
def test_a_board_cut_by_a_fifth_of_a_square_keeps_its_ranks_and_files(margins):
    picture = board(MIDDLE_GAME, 40)
    left, top, right, bottom = margins
    image = picture.image.crop((left, top, 320 - right, 320 - bottom))
    assert_found(picture.mapped(image, lambda points: points - [left, top]))


@pytest.mark.parametrize("long_px", [80, 96, 130, 3100])
def test_very_small_and_very_large_pictures(long_px):
    assert_found(resized(framed(board(MIDDLE_GAME, 40, THEMES["green"]), "line"), long_px), within=0.15)


@pytest.mark.parametrize("seed", range(3))
def test_a_window_full_of_panels(seed):
    diagram = board(MIDDLE_GAME, 60, THEMES["wood"], rng=random.Random(seed))
    assert_found(in_window(diagram, (1366, 768), random.Random(seed), dark=seed % 2 == 0), within=0.05)


@pytest.mark.parametrize("step", [10, 14, 20])
def test_squares_that_differ_by_a_few_grey_levels(step):
    theme = Theme((240, 240, 240), (240 - step,) * 3)
    assert_found(on_page([framed(board(MIDDLE_GAME, 30, theme), "line")], 700, random.Random(step)))


@pytest.mark.parametrize("seed", range(4))
def test_many_arrows(seed):
    rng = random.Random(seed)
    assert_found(arrows(board(MIDDLE_GAME, 50, THEMES["blue"]), 8, rng))


def test_a_negative_print():
    picture = framed(board(MIDDLE_GAME, 40, THEMES["hatched"]), "coordinates_line")
    assert_found(Picture(ImageChops.invert(picture.image), picture.boards))


@pytest.mark.parametrize("frame", ["line", "double", "coordinates_line"])
def test_a_board_without_chequer_is_found_by_its_frame_but_never_sure(frame):
    (found,) = assert_found(framed(board(MIDDLE_GAME, 40, THEMES["all_white"], size=0.8), frame))
    assert found.score < 0.5


def test_brightness_alone_is_enough():
    picture = board(MIDDLE_GAME, 40)
    (found,) = find(np.array(picture.image.convert("L")))
    assert error(found, picture.corners) < 0.05


# A whole rank or file too far: the worst mistake


@pytest.mark.parametrize("seed", range(8))
def test_never_shifted_by_a_rank_or_file_among_men_on_the_rim(seed):
    """Men crowd two sides, which hides there what tells the lattice from its surroundings."""
    rng = random.Random(seed)
    rim = "".join(rng.choice("qrbnkp") for _ in range(8)), "".join(rng.choice("QRBNKP") for _ in range(8))
    placement = f"{rim[0]}/pppppppp/8/8/8/8/{rim[1]}/{rim[1]}"
    theme = THEMES[rng.choice(["brown", "near_white", "hatched", "grey", "faint", "dark"])]
    diagram = framed(board(placement, 36, theme), rng.choice(["none", "line", "coordinates", "thick"]))
    for found in find(diagram.pixels):
        assert shift(found, diagram.corners) == (0, 0)


def test_never_shifted_by_a_rank_or_file_where_a_row_of_men_looks_like_a_seam():
    """Black's men on both ranks, below, hatched: they darken the line between these all along."""
    assert_found(draw_kind("page", 19))


@pytest.mark.parametrize("side", range(4))
def test_never_shifted_by_a_rank_or_file_towards_a_shadow(side):
    picture = framed(board(MIDDLE_GAME, 40, THEMES["brown"]), "coordinates")
    pixels = picture.pixels.astype(float)
    dark = np.rot90(np.linspace(0.35, 1.0, pixels.shape[0])[:, None] * np.ones(pixels.shape[1]), side)
    shadowed = Picture(Image.fromarray((pixels * dark[..., None]).astype(np.uint8)), picture.boards)
    assert_found(shadowed, within=0.05)


@pytest.mark.parametrize("side", range(4))
def test_never_shifted_by_a_rank_or_file_towards_a_chequered_strip(side):
    """A strip of captured men on squares of their own beside the board, a third of a square away."""
    square, theme = 36, THEMES["green"]
    diagram = board(MIDDLE_GAME, square, theme)
    strip = board("8/8/8/8/8/8/8/8", square, theme).image.crop((0, 0, 8 * square, square))
    canvas = Image.new("RGB", (11 * square, 11 * square), (240, 240, 240))
    canvas.paste(diagram.image, (square + 18, square + 18))
    canvas.paste(strip, (square + 18, 9 * square + 30))
    turned = canvas.rotate(90 * side)
    (found,) = find(np.array(turned))
    corners = np.array([[0, 0], [8, 0], [8, 8], [0, 8]]) * square + square + 18.0
    centre = canvas.width / 2
    turn = np.linalg.matrix_power(np.array([[0, 1], [-1, 0]]), side)
    true = (corners - centre) @ turn.T + centre
    assert np.abs(found.corners - np.roll(true, -side, axis=0)).max() < 0.2 * square


@pytest.mark.parametrize("gap", [2, 6, 12])
@pytest.mark.parametrize("paper", [(20, 20, 20), (255, 255, 255)])
def test_never_shifted_by_a_rank_or_file_into_a_neighbour(gap, paper):
    rng = random.Random(gap)
    diagrams = [board(random_placement(rng), 24, THEMES["brown"]) for _ in range(4)]
    assert_found(side_by_side(diagrams, 2, (gap, gap), paper=paper))


# Photos


@pytest.mark.parametrize("turn", [-20, -12, 12, 20])
def test_turned_by_up_to_twenty_degrees(turn):
    picture = framed(board(MIDDLE_GAME, 40), "thick")
    a = np.radians(turn)
    rotation = np.array([[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]])
    centre = np.array(picture.image.size) / 2
    canvas = Image.new("RGB", picture.image.size, (90, 110, 90))
    canvas.paste(picture.image)
    image = canvas.rotate(-turn, Image.Resampling.BICUBIC, fillcolor=(90, 110, 90))
    assert_found(picture.mapped(image, lambda points: (points - centre) @ rotation.T + centre))


@pytest.mark.parametrize("seed", range(6))
def test_perspective_of_up_to_thirty_degrees(seed):
    diagram = framed(
        board(MIDDLE_GAME, 60, THEMES[("brown", "hatched", "wood")[seed % 3]]), "coordinates_line"
    )
    assert_found(photographed(diagram, random.Random(seed), tilt=30, turn=10))


@pytest.mark.parametrize("seed", range(4))
def test_curved_pages_keep_a_tenth_of_a_square(seed):
    rng = random.Random(seed)
    page = on_page([framed(board(MIDDLE_GAME, 50, THEMES["hatched"]), "line")], 800, rng)
    # The board spans half the page: bulge · width · ¼² / 2 is the largest warp that no homography takes.
    assert_found(curved(page, 0.04 * (-1) ** seed, rng.uniform(0, 1)), within=0.2)


@pytest.mark.parametrize("seed", range(3))
def test_shadow_glare_moire_and_blur(seed):
    rng = random.Random(seed)
    picture = in_window(board(MIDDLE_GAME, 60, THEMES["green"]), (900, 700), rng)
    picture = shaded(picture, rng, edge=True, glare=True)
    assert_found(blurred(moire(picture, 0.1, rng), 1.5))


# Several


def test_a_page_in_reading_order_by_columns():
    rng = random.Random(5)
    diagrams = [framed(board(random_placement(rng), 26, THEMES["hatched"]), "coordinates") for _ in range(6)]
    page = on_page(diagrams, 800, rng, columns=2)
    found = assert_found(page)
    by_columns = [page.boards[k].corners for k in (0, 2, 4, 1, 3, 5)]
    assert [round(error(b, true)) for b, true in zip(found, by_columns, strict=True)] == [0] * 6


def test_no_more_boards_than_asked_for():
    picture = side_by_side([board(START, 20)] * 6, 3, (40, 40))
    assert len(find(picture.pixels, limit=4)) == 4


def test_the_ghost_of_the_next_page_is_no_board():
    sheet = on_page([framed(board(MIDDLE_GAME, 30, THEMES["hatched"]), "line")], 700, random.Random(3))
    ghost = np.asarray(
        board(ENDING, 30, THEMES["hatched"]).image.convert("L").transpose(Image.Transpose.ROTATE_180)
    )
    pixels = sheet.pixels.astype(float)
    pixels[480:720, 300:540] -= (255 - ghost[..., None]) * 0.04
    found = find(np.clip(pixels, 0, 255).astype(np.uint8))
    assert len(found) == 1
    assert error(found[0], sheet.corners) < 0.1


@pytest.mark.parametrize("shape", [(1, 1, 3), (2, 900, 3), (900, 2, 3), (40, 40, 3), (5, 5)])
def test_pictures_too_small_to_hold_a_board(shape):
    assert find(np.zeros(shape, dtype=np.uint8)) == []


def test_the_same_picture_gives_the_same_boards():
    pixels = draw_kind("page", 4).pixels
    first, second = find(pixels), find(pixels)
    assert all(
        np.array_equal(a.corners, b.corners) and a.score == b.score
        for a, b in zip(first, second, strict=True)
    )


def test_the_picture_is_left_as_it_was():
    pixels = board(START, 24).pixels
    before = pixels.copy()
    pixels.setflags(write=False)
    find(pixels)
    assert np.array_equal(pixels, before)


def test_scores_rank_a_clear_board_over_a_poor_one():
    clear = find(board(START, 40).pixels)[0].score
    poor = find(blurred(arrows(board(START, 40, THEMES["faint"]), 6, random.Random(1)), 3.0).pixels)
    assert 0.5 < clear <= 1
    assert all(0 <= b.score < clear for b in poor)


# By hand


@pytest.mark.parametrize("seed", range(5))
def test_rough_corners_snap_onto_the_lattice(seed):
    rng = random.Random(seed)
    picture = photographed(framed(board(MIDDLE_GAME, 50, THEMES["brown"]), "thick"), rng, tilt=25)
    rough = (
        picture.corners
        + np.array([[rng.uniform(-0.4, 0.4) for _ in range(2)] for _ in range(4)])
        * picture.boards[0].square_px
    )
    snapped = snap(picture.pixels, rough)
    assert snapped is not None
    assert error(snapped, picture.corners) < 0.1


def test_snapping_keeps_the_order_of_the_corners():
    picture = framed(board(MIDDLE_GAME, 40), "line")
    turned = np.roll(picture.corners, 1, axis=0)
    snapped = snap(picture.pixels, turned + 5)
    assert snapped is not None
    assert np.abs(snapped.corners - turned).max() < 2


def test_snapping_never_moves_corners_by_a_whole_square():
    picture = framed(board(MIDDLE_GAME, 40), "coordinates")
    snapped = snap(picture.pixels, picture.corners + np.array([80, 0]))
    assert snapped is None or error(snapped, picture.corners + np.array([80, 0])) < 1.5


def test_nothing_to_snap_to():
    assert (
        snap(np.full((400, 400, 3), 230, dtype=np.uint8), [[50, 50], [350, 50], [350, 350], [50, 350]])
        is None
    )
    text = draw_negative("text", random.Random(1), photo=False).pixels
    assert snap(text, BOARD_OUTLINE / 8 * 150 + 40) is None


@pytest.mark.parametrize(
    "corners", [[[0, 0], [1, 1], [2, 2], [3, 3]], [[0, 0]] * 4, [[0, 0], [9, 0], [9, 9]]]
)
def test_corners_that_are_no_quadrilateral_are_refused(corners):
    with pytest.raises(ValueError, match=r"corners|shape"):
        snap(np.zeros((100, 100, 3), dtype=np.uint8), corners)
