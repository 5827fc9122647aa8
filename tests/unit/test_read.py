"""The whole chain on pictures that we draw: what is read, what is doubted, what a person's word does."""

from __future__ import annotations

import io
import json
import random

import numpy as np
import pytest
from draw import THEMES, Picture, board, draw_negative, framed, on_page, resized, side_by_side
from PIL import Image

from fen_core import orient, read
from fen_core.errors import ImageError, UsageError
from fen_core.fen import make_placement, parse_placement
from fen_core.orient import Orientation
from fen_core.read import FIELDS

ENDING = "8/5pk1/6p1/8/3R4/1P4P1/r4P2/6K1"
OPENING = "r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQ1RK1"


def drawn(placement=OPENING, bottom="white", square_px=44, frame="coordinates", theme="wood"):
    picture = board(placement, square_px=square_px, theme=THEMES[theme], style="shapes", bottom=bottom)
    return framed(picture, frame) if frame else picture


def encoded(picture, kind="PNG", **options) -> bytes:
    out = io.BytesIO()
    Image.fromarray(picture.pixels).save(out, kind, **options)
    return out.getvalue()


def test_a_drawn_diagram_is_read_to_the_last_square():
    reading = read.read(encoded(drawn()))
    (found,) = reading.boards
    assert found.fen == f"{OPENING} w - - 0 1"
    assert found.orientation.bottom == "white"
    assert not found.decoded.unsure.any()
    assert np.abs(found.corners - drawn().boards[0].corners).max() < 0.05 * 44
    json.dumps(reading.to_json())


def test_black_at_the_bottom_is_turned():
    (found,) = read.read(encoded(drawn(bottom="black"))).boards
    assert found.orientation.bottom == "black"
    assert found.fen.split()[0] == OPENING


def test_every_field_says_where_it_came_from():
    found = read.read(encoded(drawn())).boards[0].to_json()
    assert set(found["fields"]) == set(FIELDS)
    assert found["fields"]["castling_rights"]["value"] == "-"
    assert found["fields"]["castling_rights"]["provenance"] == "assumed"
    assert found["fields"]["castling_rights"]["possible"] == "kq"
    assert read.read(encoded(drawn()), castling="possible").boards[0].fen == f"{OPENING} w kq - 0 1"


def test_several_diagrams_come_in_reading_order():
    sheet = on_page([drawn(ENDING), drawn(OPENING)], width=1100, rng=random.Random(4))
    row = side_by_side([drawn(OPENING, frame=None), drawn(ENDING, frame=None)], 2, (30, 30))
    for picture, expected in ((sheet, (ENDING, OPENING)), (row, (OPENING, ENDING))):
        assert tuple(b.fen.split()[0] for b in read.read(encoded(picture)).boards) == expected


def test_every_board_is_told_as_soon_as_it_is_read():
    row = side_by_side([drawn(OPENING, frame=None), drawn(ENDING, frame=None)], 2, (30, 30))
    told = []
    reading = read.read(encoded(row), each=lambda board, share: told.append((board, share)))
    assert tuple(board for board, _ in told) == reading.boards
    assert [share for _, share in told] == pytest.approx([0.6, 0.9])


@pytest.mark.parametrize("kind", ["text", "crossword", "go", "blank"])
def test_a_picture_without_a_board_says_so(kind):
    reading = read.read(encoded(draw_negative(kind, random.Random(3))))
    assert reading.boards == ()
    assert reading.notes[0]["code"] == "no-board"
    assert reading.to_json()["error"] is None


def test_an_empty_board_is_a_board():
    (found,) = read.read(encoded(drawn("8/8/8/8/8/8/8/8"))).boards
    assert found.fen.startswith("8/8/8/8/8/8/8/8 ")
    assert "kings-missing" in {problem["code"] for problem in found.problems}


def test_corners_by_hand_are_never_overruled_and_never_refused():
    picture = draw_negative("text", random.Random(1))
    height, width = picture.pixels.shape[:2]
    given = [[10, 10], [width - 10, 12], [width - 12, height - 10], [10, height - 10]]
    (found,) = read.read(encoded(picture), corners=given, orientation="black").boards
    assert np.allclose(found.corners, given)
    assert found.orientation.bottom == "black"


def test_rough_corners_snap_where_that_is_asked():
    picture = drawn()
    exact = picture.boards[0].corners
    rough = exact + np.array([[9, -7], [-8, 6], [5, 9], [-9, -6]])
    plain = read.read(encoded(picture), corners=rough).boards[0]
    snapped = read.read(encoded(picture), corners=rough, snap=True).boards[0]
    assert (plain.snapped, snapped.snapped) == (False, True)
    assert np.abs(snapped.corners - exact).max() < 0.05 * 44
    assert snapped.fen.split()[0] == OPENING


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ({"corners": [[0, 0], [1, 1]]}, "corners-shape"),
        ({"corners": "abcd"}, "corners-shape"),
        ({"corners": [[0, 0], [0, 99], [99, 99], [99, 0]]}, "corners-order"),
        ({"corners": [[0, 0], [99, 99], [99, 0], [0, 99]]}, "corners-order"),
        ({"corners": [[0, 0], [9000, 0], [9000, 9000], [0, 9000]]}, "corners-outside"),
        ({"corners": [[0, 0], [float("nan"), 0], [9, 9], [0, 9]]}, "corners-shape"),
        ({"orientation": "left"}, "orientation"),
        ({"castling": "all"}, "castling"),
    ],
)
def test_what_cannot_be_is_refused_with_a_code(options, code):
    with pytest.raises(UsageError) as caught:
        read.read(encoded(drawn()), **options)
    assert caught.value.code == code


def in_kind(kind: str) -> bytes:
    """The drawn diagram as one of the odder files that people have."""
    picture = drawn(ENDING).image
    out = io.BytesIO()
    if kind == "animated":
        picture.save(out, "GIF", save_all=True, append_images=[Image.new("RGB", picture.size, "red")])
    elif kind == "cmyk":
        picture.convert("CMYK").save(out, "JPEG", quality=92)
    elif kind == "16-bit":
        Image.fromarray(np.asarray(picture.convert("L")).astype(np.uint16) * 257).save(out, "PNG")
    elif kind == "transparent":
        layer = picture.convert("RGBA")
        layer.putalpha(255)
        layer.save(out, "WEBP", lossless=True)
    else:
        picture.convert("P", palette=Image.Palette.ADAPTIVE).save(out, "PNG")
    return out.getvalue()


@pytest.mark.parametrize("kind", ["animated", "cmyk", "16-bit", "transparent", "palette"])
def test_odd_files_of_a_diagram_read_like_any_other(kind):
    (found,) = read.read(in_kind(kind)).boards
    assert found.fen.split()[0] == ENDING


def test_all_black_is_no_board():
    assert read.read(encoded(Picture(Image.new("RGB", (400, 400))))).boards == ()


def test_an_unusable_file_is_an_image_error():
    with pytest.raises(ImageError):
        read.read(b"GIF89a and nothing else")


def test_a_doubtful_turn_is_never_silent(monkeypatch):
    monkeypatch.setattr(orient, "orient", lambda *_: Orientation("white", 0.7, [{"kind": "prior"}]))
    found = read.read(encoded(drawn())).boards[0]
    problem = next(p for p in found.problems if p["code"] == "turn-doubtful")
    assert problem["params"] == {"side": "white", "percent": 70}
    turned = make_placement(parse_placement(OPENING)[::-1])
    assert problem["fixes"][0]["fen"].split()[0] == turned
    kings = {s["square"] for s in found.to_json()["squares"] if s["piece"] in "Kk"}
    assert kings <= {s["square"] for s in found.to_json()["squares"] if s["unsure"]}


def test_a_picture_upside_down_is_said_to_be():
    """Its men stand on their heads and cannot be trusted; its coordinates tell."""
    image = drawn(ENDING, square_px=60).image.transpose(Image.Transpose.ROTATE_180)
    (found,) = read.read(encoded(Picture(image))).boards
    assert "picture-upside-down" in {problem["code"] for problem in found.problems}


def test_a_mirrored_picture_whose_turn_is_in_doubt_is_said_to_be_one():
    image = drawn("8/8/4k3/8/2K5/8/3Q4/8", square_px=60).image.transpose(Image.Transpose.FLIP_LEFT_RIGHT)
    (found,) = read.read(encoded(Picture(image))).boards
    (problem,) = (p for p in found.problems if p["code"] == "mirrored-suspected")
    assert problem["fixes"][0]["fen"].split()[0] == "8/8/4k3/8/2K5/8/3Q4/8"


def test_corners_are_in_the_pixels_of_the_file_even_where_it_is_shrunk(monkeypatch):
    picture = resized(drawn(), 1800)
    whole = read.read(encoded(picture))
    monkeypatch.setattr(read, "MOST_PIXELS", 400_000)
    small = read.read(encoded(picture))
    assert (whole.width, whole.height) == (small.width, small.height) == picture.pixels.shape[1::-1]
    assert np.abs(whole.boards[0].corners - small.boards[0].corners).max() < 8
    assert small.boards[0].fen == whole.boards[0].fen


def test_progress_names_its_stages_in_order():
    told = []
    read.read(encoded(drawn()), progress=lambda stage, share: told.append((stage, share)))
    assert [stage for stage, _ in told] == ["decode", "find", "squares", "check"]
    assert [share for _, share in told] == sorted(share for _, share in told)


def test_the_same_bytes_give_the_same_reading():
    data = encoded(drawn(), "JPEG", quality=70)
    first, second = (read.read(data).to_json() for _ in range(2))
    assert first | {"ms": 0} == second | {"ms": 0}
