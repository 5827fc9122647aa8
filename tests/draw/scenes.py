"""Where diagrams stand: on pages of text, in windows with panels, side by side."""

from __future__ import annotations

import random
from functools import lru_cache

from PIL import Image, ImageDraw, ImageFont

from draw.diagram import placed
from draw.picture import Picture

Colour = tuple[int, int, int]
WORDS = (
    "White to move and wins after 23.Rxe6+ fxe6 24.Qh5 Kd8 the bishop on g7 is worth more than the rook "
    "14.Nf3 Bb4 15.a3 Bxc3+ 16.bxc3 O-O Diagram 74 Black should have developed his pieces before the storm"
).split()


@lru_cache(maxsize=1024)
def _width(text: str, size: int) -> float:
    return ImageFont.load_default(size).getlength(text)


def write(
    draw: ImageDraw.ImageDraw,
    box: tuple[float, float, float, float],
    size: int,
    ink: Colour,
    rng: random.Random,
) -> None:
    """Fill a box with lines of words."""
    font = ImageFont.load_default(size)
    left, y, right, bottom = box
    while y + size < bottom:
        end = right - left if rng.random() < 0.85 else (right - left) * rng.random()
        words, used = [], 0.0
        while used < end - 4 * size:
            words.append(rng.choice(WORDS))
            used += _width(words[-1] + " ", size)
        draw.text((left, y), " ".join(words), fill=ink, font=font)
        y += size * 1.35


def _joined(canvas: Image.Image, parts: list[Picture]) -> Picture:
    return Picture(canvas, tuple(seen for part in parts for seen in part.boards))


def on_page(
    diagrams: list[Picture],
    width: int,
    rng: random.Random,
    *,
    columns: int = 1,
    paper: Colour = (255, 255, 255),
    text_px: int | None = None,
) -> Picture:
    """Set diagrams on a page in columns, with text between them.

    Diagrams fill the page row by row; each must be narrower than a column.
    """
    rows = -(-len(diagrams) // columns)
    size = text_px or max(8, width // 70)
    column_px = width // columns
    row_px = max(d.image.height for d in diagrams) + 8 * size
    canvas = Image.new("RGB", (width, max(rows * row_px + 6 * size, round(width * 1.3))), paper)
    draw = ImageDraw.Draw(canvas)
    margin = width * 0.05
    parts = []
    for index, diagram in enumerate(diagrams):
        row, column = divmod(index, columns)
        left = column * column_px + (column_px - diagram.image.width) // 2
        top = 3 * size + row * row_px
        parts.append(placed(diagram, canvas, left, top))
        below = top + diagram.image.height + size
        box = (column * column_px + margin, below, (column + 1) * column_px - margin / 2, top + row_px - size)
        write(draw, box, size, (20, 20, 20), rng)
    write(
        draw,
        (margin, rows * row_px + 4 * size, width - margin, canvas.height - 2 * size),
        size,
        (20, 20, 20),
        rng,
    )
    return _joined(canvas, parts)


def in_window(diagram: Picture, size: tuple[int, int], rng: random.Random, *, dark: bool = False) -> Picture:
    """Show a diagram in a program's window, among panels, buttons and text."""
    base = rng.choice([(22, 21, 18), (38, 36, 33)] if dark else [(237, 235, 233), (255, 255, 255)])
    ink = (190, 190, 190) if dark else (60, 60, 60)
    canvas = Image.new("RGB", size, base)
    draw = ImageDraw.Draw(canvas)
    draw.rectangle([0, 0, size[0], size[1] // 25], fill=tuple(round(c * 0.8) for c in base))
    for _ in range(8):
        x, y = rng.randrange(size[0]), rng.randrange(size[1])
        w, h = rng.randint(40, size[0] // 4), rng.randint(15, size[1] // 4)
        fill = tuple(max(0, min(255, c + rng.randint(-25, 25))) for c in base)
        draw.rounded_rectangle(
            [x, y, x + w, y + h], 6, fill=fill, outline=ink if rng.random() < 0.3 else None
        )
        write(draw, (x + 5, y + 5, x + w, y + h), rng.choice([11, 14, 18]), ink, rng)
    left = rng.randint(0, max(0, size[0] - diagram.image.width))
    top = rng.randint(0, max(0, size[1] - diagram.image.height))
    return placed(diagram, canvas, left, top)


def side_by_side(
    diagrams: list[Picture],
    columns: int,
    gap_px: tuple[int, int],
    *,
    margin_px: int = 20,
    paper: Colour = (255, 255, 255),
) -> Picture:
    """Set diagrams of one size in rows and columns with narrow gaps (across, down)."""
    width, height = diagrams[0].image.size
    rows = -(-len(diagrams) // columns)
    size = (
        columns * width + (columns - 1) * gap_px[0] + 2 * margin_px,
        rows * height + (rows - 1) * gap_px[1] + 2 * margin_px,
    )
    canvas = Image.new("RGB", size, paper)
    parts = []
    for index, diagram in enumerate(diagrams):
        row, column = divmod(index, columns)
        parts.append(
            placed(
                diagram,
                canvas,
                margin_px + column * (width + gap_px[0]),
                margin_px + row * (height + gap_px[1]),
            )
        )
    return _joined(canvas, parts)
