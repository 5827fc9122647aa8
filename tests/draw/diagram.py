"""The board itself with its men, what people draw on it, and what surrounds it in print."""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np
from PIL import Image, ImageDraw, ImageFilter, ImageFont

from draw.picture import Picture, Seen
from draw.pieces import STYLES, man
from draw.themes import THEMES, Theme, empty_board

Colour = tuple[int, int, int]
START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"
FRAMES = ("none", "line", "double", "thick", "coordinates", "coordinates_line")


def letters(placement: str) -> list[str]:
    """Return the 64 letters of a placement, a8 first, "." for an empty square."""
    row: list[str] = []
    for character in placement.replace("/", ""):
        row += ["."] * int(character) if character.isdigit() else [character]
    return row


def random_placement(rng: random.Random, fewest: int = 2, most: int = 32) -> str:
    """Return a placement of random men, kings included, without regard to the rules."""
    board = ["."] * 64
    men = ["K", "k", *(rng.choice("PPPPNBRQppppnbrq") for _ in range(rng.randint(fewest, most) - 2))]
    for letter, square in zip(men, rng.sample(range(64), len(men)), strict=True):
        board[square] = letter
    rows = ["".join(board[k : k + 8]) for k in range(0, 64, 8)]
    for empty in range(8, 0, -1):
        rows = [row.replace("." * empty, str(empty)) for row in rows]
    return "/".join(rows)


def board(
    placement: str = START,
    square_px: int = 40,
    theme: Theme = THEMES["brown"],
    *,
    style: str = STYLES[-1],
    bottom: str = "white",
    halo: bool = False,
    size: float = 0.92,
    rng: random.Random | None = None,
) -> Picture:
    """Draw the 8×8 squares and their men; the picture is the board, edge to edge.

    `halo` puts paper around each man, as print does over hatching; `size` is the men's, in squares.
    """
    picture = empty_board(theme, square_px, rng or random.Random(0))
    seen = letters(placement) if bottom == "white" else letters(placement)[::-1]
    side = max(4, round(square_px * size))
    for index, letter in enumerate(seen):
        if letter == ".":
            continue
        figure = man(letter, side, style, theme.men_light, theme.men_dark)
        at = (
            index % 8 * square_px + (square_px - side) // 2,
            index // 8 * square_px + (square_px - side) // 2,
        )
        if halo:
            picture.paste(theme.light, at, figure.getchannel("A").filter(ImageFilter.MaxFilter(5)))
        picture.paste(figure, at, figure)
    corners = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], dtype=np.float64) * 8 * square_px
    return Picture(picture, (Seen(corners, placement, bottom),))


def highlighted(
    picture: Picture, squares: list[tuple[int, int]], colour: Colour = (255, 255, 0), opacity: float = 0.45
) -> Picture:
    """Tint squares (column, row as seen) of a picture that is a board edge to edge."""
    square_px = picture.image.width // 8
    image = picture.image.copy()
    draw = ImageDraw.Draw(image, "RGBA")
    for column, row in squares:
        x, y = column * square_px, row * square_px
        draw.rectangle([x, y, x + square_px - 1, y + square_px - 1], fill=(*colour, round(255 * opacity)))
    return replace(picture, image=image)


def arrows(picture: Picture, count: int, rng: random.Random) -> Picture:
    """Draw arrows and circles such as people draw in studies, on a board edge to edge."""
    image = picture.image.copy()
    draw, square_px = ImageDraw.Draw(image, "RGBA"), picture.image.width // 8
    for _ in range(count):
        colour = rng.choice([(21, 120, 27, 180), (255, 170, 0, 200), (130, 30, 30, 180), (0, 50, 180, 180)])
        ends = [(rng.randrange(8) + 0.5) * square_px for _ in range(4)]
        draw.line(ends, fill=colour, width=max(2, square_px // 5))
        tip, size = np.array(ends[2:]), square_px * 0.3
        draw.regular_polygon((tip[0], tip[1], size), 3, rng.randrange(360), fill=colour)
        if rng.random() < 0.4:
            x, y = rng.randrange(8) * square_px, rng.randrange(8) * square_px
            draw.ellipse([x, y, x + square_px, y + square_px], outline=colour, width=max(1, square_px // 14))
    return replace(picture, image=image)


def placed(picture: Picture, canvas: Image.Image, left: int, top: int) -> Picture:
    """Put a picture onto a canvas, which is changed."""
    canvas.paste(picture.image, (left, top))
    return picture.mapped(canvas, lambda points: points + np.array([left, top]))


def _font(size: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    return ImageFont.load_default(size)


def framed(
    picture: Picture, frame: str = "line", paper: Colour = (255, 255, 255), ink: Colour = (0, 0, 0)
) -> Picture:
    """Surround a board edge to edge with one of `FRAMES`."""
    if frame == "none":
        return picture
    side, square_px = picture.image.width, picture.image.width // 8
    thin = max(1, square_px // 20)
    margin = {"line": thin, "double": 3 * thin + max(2, square_px // 8), "thick": round(0.6 * square_px)}.get(
        frame, round(0.7 * square_px)
    )
    whole = side + 2 * margin
    canvas = Image.new("RGB", (whole, whole), paper)
    draw = ImageDraw.Draw(canvas)
    inner = [margin - thin, margin - thin, margin + side + thin - 1, margin + side + thin - 1]
    if frame == "line":
        draw.rectangle([0, 0, whole, whole], fill=ink)
    elif frame == "double":
        draw.rectangle([0, 0, whole - 1, whole - 1], outline=ink, width=2 * thin)
        draw.rectangle(inner, outline=ink, width=thin)
    elif frame == "thick":
        draw.rectangle([0, 0, whole, whole], fill=(96, 60, 34))
        _coordinates(draw, picture.boards[0].bottom, margin, square_px, (235, 220, 190))
    else:
        if frame == "coordinates_line":
            draw.rectangle(inner, outline=ink, width=thin)
        _coordinates(draw, picture.boards[0].bottom, margin, square_px, ink)
    return placed(picture, canvas, margin, margin)


def _coordinates(draw: ImageDraw.ImageDraw, bottom: str, margin: int, square_px: int, ink: Colour) -> None:
    """Print files below and ranks on the left, as the board is seen."""
    font = _font(max(6, round(square_px * 0.4)))
    files, ranks = ("abcdefgh", "87654321") if bottom == "white" else ("hgfedcba", "12345678")
    for k in range(8):
        middle = margin + (k + 0.5) * square_px
        draw.text((middle, 1.5 * margin + 8 * square_px), files[k], fill=ink, font=font, anchor="mm")
        draw.text((margin / 2, middle), ranks[k], fill=ink, font=font, anchor="mm")
