"""Pictures of boards drawn for the tests: themes, print, marks, markers, coordinates, camera faults.

Everything comes from one random generator, so a seed gives the same picture. Men are plain shapes: these
tests give the placement, and look at what is around the men.
"""

from __future__ import annotations

import io
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFilter, ImageFont

from fen_core.attacks import attackers
from fen_core.position import place_men

THEMES = [
    ((240, 217, 181), (181, 136, 99)),
    ((238, 238, 210), (118, 150, 86)),
    ((222, 227, 230), (140, 162, 173)),
    ((234, 233, 210), (75, 115, 153)),
    ((230, 230, 230), (150, 150, 150)),
    ((255, 255, 255), (190, 190, 190)),
    ((236, 204, 158), (160, 104, 60)),
    ((214, 203, 230), (130, 110, 160)),
    ((90, 96, 104), (52, 58, 66)),
]
MARKS = [
    ((155, 199, 0), 0.41),
    ((255, 255, 51), 0.5),
    ((20, 85, 230), 0.4),
    ((0, 155, 199), 0.41),
    ((255, 150, 30), 0.5),
    ((205, 210, 106), 0.9),
    ((100, 200, 110), 0.45),
]
FLAT = "themes"


@dataclass
class Drawing:
    """A picture being made: the board stands at (left, top), `side` pixels a square, White below or not."""

    picture: Image.Image
    left: int
    top: int
    side: int
    white_below: bool

    def corner(self, square: int) -> tuple[int, int]:
        """Return the top left of a square given in FEN order."""
        row, column = divmod(square if self.white_below else 63 - square, 8)
        return self.left + column * self.side, self.top + row * self.side

    @property
    def corners(self) -> NDArray[np.float64]:
        size = 8 * self.side
        unit = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], float)
        return unit * size + (self.left, self.top)


def random_board(rng: np.random.Generator, least: int = 4, most: int = 28) -> str:
    """Return a board with both kings and no side in check."""
    while True:
        board = ["."] * 64
        squares = rng.permutation(64)
        board[squares[0]], board[squares[1]] = "K", "k"
        for square in squares[2 : int(rng.integers(least, most + 1))]:
            man = str(rng.choice(list("PPPPNBRQppppnbrq")))
            if man in "Pp" and square // 8 in (0, 7):
                continue
            board[square] = man
        text = "".join(board)
        if not checked(text):
            return text


def checked(board: str) -> str:
    """Return the sides in check, such as "w"."""
    men = place_men(board)
    return "".join(
        side
        for king, side in (("K", "w"), ("k", "b"))
        if attackers(men.pieces, board.index(king) ^ 56, white=side == "b", occupied=men.occupied)
    )


def draw_board(
    rng: np.random.Generator, board: str, white_below: bool = True, kind: str = "screen"
) -> Drawing:
    """Draw a board without marks: kind is "screen", "texture" or "print"."""
    side = int(rng.integers(20, 72))
    left, top = (int(rng.integers(int(1.3 * side), 2 * side)) for _ in range(2))
    size = (2 * left + 8 * side, 2 * top + 8 * side)
    paper = 250 if kind == "print" else int(rng.choice([255, 245, 230, 48, 22]))
    drawing = Drawing(
        Image.new("RGB", size, (paper, paper, paper - (4 if paper > 99 else 0))), left, top, side, white_below
    )
    light, dark = THEMES[rng.integers(len(THEMES))]
    pen = ImageDraw.Draw(drawing.picture)
    for square in range(64):
        x, y = drawing.corner(square)
        odd = sum(divmod(square, 8)) % 2
        box = (x, y, x + side - 1, y + side - 1)
        if kind != "print":
            pen.rectangle(box, dark if odd else light)
    if kind == "print":
        _hatch(rng, drawing)
        pen.rectangle(
            (left - 2, top - 2, left + 8 * side + 1, top + 8 * side + 1),
            outline=(0, 0, 0),
            width=int(rng.integers(1, 4)),
        )
    if kind == "texture":
        pixels = np.asarray(drawing.picture, np.float32)
        grain = Image.fromarray(rng.integers(0, 255, (size[1] // 3, size[0] // 18)).astype(np.uint8)).resize(
            size
        )
        pixels = pixels + (np.asarray(grain, np.float32)[..., None] - 128) * np.array([0.16, 0.13, 0.1])
        drawing.picture = Image.fromarray(np.clip(pixels, 0, 255).astype(np.uint8))
    return drawing


def _hatch(rng: np.random.Generator, drawing: Drawing) -> None:
    size = drawing.picture.size
    lines = Image.new("RGB", size, (250, 250, 246))
    pen = ImageDraw.Draw(lines)
    gap, slope = int(rng.integers(3, 8)), int(rng.choice([-1, 1]))
    for at in range(-size[1], size[0] + size[1], gap):
        pen.line((at, 0, at + slope * size[1], size[1]), (20, 20, 20), 1)
    for square in range(64):
        if sum(divmod(square, 8)) % 2:
            x, y = drawing.corner(square)
            box = (x, y, x + drawing.side, y + drawing.side)
            drawing.picture.paste(lines.crop(box), box)


def put_men(rng: np.random.Generator, drawing: Drawing, board: str) -> None:
    """Draw men as rounds on a base, of random breadth."""
    pen, side = ImageDraw.Draw(drawing.picture), drawing.side
    wide = rng.uniform(0.28, 0.38)
    for square, man in enumerate(board):
        if man == ".":
            continue
        x, y = drawing.corner(square)
        fill, line = ((250, 250, 250), (10, 10, 10)) if man.isupper() else ((25, 25, 25), (5, 5, 5))
        middle = x + side / 2
        pen.ellipse((middle - 0.2 * side, y + 0.12 * side, middle + 0.2 * side, y + 0.6 * side), fill, line)
        pen.rectangle(
            (middle - wide * side, y + 0.62 * side, middle + wide * side, y + 0.9 * side), fill, line
        )


def mark(drawing: Drawing, square: int, colour: tuple[int, int, int], opacity: float) -> None:
    """Lay a translucent colour over a square."""
    x, y = drawing.corner(square)
    box = (x, y, x + drawing.side, y + drawing.side)
    part = drawing.picture.crop(box)
    drawing.picture.paste(Image.blend(part, Image.new("RGB", part.size, colour), opacity), box)


def glow(drawing: Drawing, square: int) -> None:
    """Lay the red glow of check over a king's square."""
    x, y = drawing.corner(square)
    side = drawing.side
    rows, columns = np.mgrid[:side, :side] / side - 0.5
    radius = np.hypot(rows, columns) / 0.707
    opacity = np.clip(1 - radius / 0.89, 0, 1)[..., None]
    box = (x, y, x + side, y + side)
    part = np.asarray(drawing.picture.crop(box), np.float32)
    red = part * (1 - opacity) + np.array([230, 0, 0]) * opacity
    drawing.picture.paste(Image.fromarray(red.astype(np.uint8)), box)


def arrow_over(rng: np.random.Generator, drawing: Drawing) -> None:
    """Draw an analysis arrow from one square to another, translucent."""
    start, end = (drawing.corner(int(s)) for s in rng.choice(64, 2, replace=False))
    half = drawing.side / 2
    sheet = drawing.picture.copy()
    points = (start[0] + half, start[1] + half, end[0] + half, end[1] + half)
    ImageDraw.Draw(sheet).line(points, (21, 120, 27), max(2, drawing.side // 5))
    drawing.picture = Image.blend(drawing.picture, sheet, 0.6)


def put_marker(
    rng: np.random.Generator, drawing: Drawing, shape: str, fill: str, side: str, end: str
) -> None:
    """Draw a marker beside the board, level with its first or last rank."""
    px = drawing.side
    size = max(8.0, rng.uniform(0.26, 0.6) * px)  # smaller ones show no shape, to people either
    out = rng.uniform(0.12, 0.3) * px + size / 2
    x = drawing.left - out if side == "left" else drawing.left + 8 * px + out
    y = (
        drawing.top + rng.uniform(0.3, 0.6) * px
        if end == "top"
        else drawing.top + 8 * px - rng.uniform(0.3, 0.6) * px
    )
    paper = drawing.picture.getpixel((2, 2))
    dark_page = paper[0] < 100
    ink = (225, 225, 225) if dark_page else (15, 15, 15)
    inner = {"open": (255, 255, 255), "filled": (0, 0, 0)}[fill]
    times = 4
    sheet = Image.new("RGB", (round(size * times * 1.5),) * 2, paper)
    pen, s, o = ImageDraw.Draw(sheet), size * times, size * times / 4
    width = max(times, round(s * rng.uniform(0.06, 0.12)))
    if shape == "square":
        pen.rectangle((o, o, o + s, o + s), inner, ink, width)
    elif shape == "circle":
        pen.ellipse((o, o, o + s, o + s), inner, ink, width)
    else:
        flat = [(0.5, 0.0), (1.0, 1.0), (0.0, 1.0)]
        if shape == "arrow":
            flat = [(0.5, 0), (0.95, 0.45), (0.65, 0.45), (0.65, 1), (0.35, 1), (0.35, 0.45), (0.05, 0.45)]
            inner = ink
        points = [(o + u * s, o + (v if end == "bottom" else 1 - v) * s) for u, v in flat]
        pen.polygon(points, inner)
        pen.line([*points, points[0], points[1]], ink, width, joint="curve")
    small = sheet.resize((max(3, sheet.width // times),) * 2, Image.Resampling.BOX)
    drawing.picture.paste(small, (round(x - small.width / 2), round(y - small.height / 2)))


def put_coordinates(
    rng: np.random.Generator, drawing: Drawing, where: str, colour: tuple[int, int, int] | None = None
) -> None:
    """Print a to h and 1 to 8 "inside" the edge squares or "outside" the board."""
    pen, px = ImageDraw.Draw(drawing.picture), drawing.side
    font = ImageFont.load_default(
        size=px * (rng.uniform(0.24, 0.32) if where == "inside" else rng.uniform(0.3, 0.45))
    )
    files = "abcdefgh" if drawing.white_below else "hgfedcba"
    ranks = "87654321" if drawing.white_below else "12345678"
    paper = drawing.picture.getpixel((2, 2))[0]
    ink = colour or ((30, 30, 30) if paper > 100 or where == "inside" else (220, 220, 220))
    gap = rng.uniform(0.3, 0.5) * px
    for i in range(8):
        across, down = drawing.left + i * px, drawing.top + i * px
        end = drawing.top + 8 * px
        if where == "outside":
            pen.text((across + px / 2, end + gap), files[i], ink, font, anchor="mm")
            pen.text((drawing.left - gap, down + px / 2), ranks[i], ink, font, anchor="mm")
        else:
            pen.text((across + px * 0.06, end - px * 0.05), files[i], ink, font, anchor="ls")
            pen.text((drawing.left + px * 0.05, down + px * 0.05), ranks[i], ink, font, anchor="lt")


def photograph(rng: np.random.Generator, drawing: Drawing, *, rough: bool = False) -> NDArray[np.uint8]:
    """Return the pixels after a little blur, uneven light, noise and JPEG; more of it if rough."""
    picture = drawing.picture
    if rng.random() < 0.4:
        picture = picture.filter(ImageFilter.GaussianBlur(rng.uniform(0.3, 1.0 if rough else 0.7)))
    pixels = np.asarray(picture, np.float32)
    if rng.random() < 0.3:
        height, width = pixels.shape[:2]
        slope = (
            np.linspace(rng.uniform(0.75, 1), 1, width)[None, :, None]
            * np.linspace(1, rng.uniform(0.85, 1), height)[:, None, None]
        )
        pixels = pixels * slope
    if rng.random() < 0.4:
        pixels = pixels + rng.normal(0, rng.uniform(1, 6 if rough else 4), pixels.shape)
    picture = Image.fromarray(np.clip(pixels, 0, 255).astype(np.uint8))
    if rng.random() < 0.5:
        packed = io.BytesIO()
        picture.save(packed, "JPEG", quality=int(rng.integers(50, 95)))
        picture = Image.open(packed).convert("RGB")
    return np.asarray(picture)
