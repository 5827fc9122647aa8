"""Pictures without a chess board that resemble one."""

from __future__ import annotations

import random
from collections.abc import Callable

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from draw.camera import photographed
from draw.picture import Picture
from draw.pieces import man
from draw.scenes import write

Draw = Callable[[Image.Image, ImageDraw.ImageDraw, random.Random], "Image.Image | None"]


def _text(image: Image.Image, draw: ImageDraw.ImageDraw, rng: random.Random) -> None:
    width, height = image.size
    write(
        draw,
        (width * 0.05, height * 0.05, width * 0.95, height * 0.95),
        rng.choice([10, 14, 20, 32, 60]),
        (0, 0, 0),
        rng,
    )


def _crossword(image: Image.Image, draw: ImageDraw.ImageDraw, rng: random.Random) -> None:
    count = rng.choice([9, 11, 13, 15, 21])
    side, regular = min(image.size) // (count + 1), rng.random() < 0.5
    for i in range(count):
        for j in range(count):
            black = (i % 2 and j % 2) != (rng.random() < 0.15) if regular else rng.random() < 0.22
            x, y = side // 2 + i * side, side // 2 + j * side
            draw.rectangle([x, y, x + side, y + side], outline=(0, 0, 0), fill=(0, 0, 0) if black else None)


def _lines(image: Image.Image, draw: ImageDraw.ImageDraw, count: int, heavy: int) -> int:
    """Rule count + 1 lines each way, every `heavy`th of them thick; return their distance."""
    side = min(image.size) // (count + 1)
    for k in range(count + 1):
        at, end = side // 2 + k * side, side // 2 + count * side
        width = 3 if heavy and k % heavy == 0 else 1
        draw.line([at, side // 2, at, end], fill=(0, 0, 0), width=width)
        draw.line([side // 2, at, end, at], fill=(0, 0, 0), width=width)
    return side


def _sudoku(image: Image.Image, draw: ImageDraw.ImageDraw, rng: random.Random) -> None:
    side = _lines(image, draw, 9, 3)
    font = ImageFont.load_default(max(6, round(side * 0.6)))
    for k in rng.sample(range(81), 32):
        draw.text(
            (side + k % 9 * side, side + k // 9 * side),
            str(rng.randint(1, 9)),
            fill=(0, 0, 0),
            font=font,
            anchor="mm",
        )


def _go(image: Image.Image, draw: ImageDraw.ImageDraw, rng: random.Random) -> None:
    count = rng.choice([9, 13, 19])
    side = _lines(image, draw, count - 1, 0)
    for k in rng.sample(range(count * count), round(count * count * 0.4)):
        x, y, r = side // 2 + k % count * side, side // 2 + k // count * side, side * 0.45
        draw.ellipse(
            [x - r, y - r, x + r, y + r], fill=rng.choice([(0, 0, 0), (250, 250, 250)]), outline=(0, 0, 0)
        )


def _table(image: Image.Image, draw: ImageDraw.ImageDraw, rng: random.Random) -> None:
    columns, rows = rng.randint(4, 12), rng.randint(5, 25)
    width, height = image.size[0] / columns, image.size[1] / rows
    font = ImageFont.load_default(max(8, round(height * 0.45)))
    striped = rng.random() < 0.5
    for j in range(rows):
        if striped and j % 2:
            draw.rectangle([0, j * height, image.size[0], (j + 1) * height], fill=(200, 210, 230))
        for i in range(columns):
            draw.rectangle(
                [i * width, j * height, (i + 1) * width, (j + 1) * height], outline=(150, 150, 150)
            )
            draw.text((i * width + 3, j * height + 3), str(rng.randint(1, 999)), fill=(0, 0, 0), font=font)


def _calendar(image: Image.Image, draw: ImageDraw.ImageDraw, rng: random.Random) -> None:
    across, down = image.size[0] / 7.5, image.size[1] / 7
    font = ImageFont.load_default(max(8, round(down * 0.4)))
    for k in range(35):
        x, y = (k % 7 + 0.25) * across, (k // 7 + 1) * down
        fill = (225, 225, 225) if k % 7 > 4 or rng.random() < 0.1 else None
        draw.rectangle([x, y, x + across, y + down], outline=(120, 120, 120), fill=fill)
        draw.text((x + 4, y + 4), str(k + 1), fill=(0, 0, 0), font=font)


def _clouds(image: Image.Image, draw: ImageDraw.ImageDraw, rng: random.Random) -> Image.Image:
    generator, total = (
        np.random.default_rng(rng.randrange(1 << 30)),
        np.zeros(image.size[::-1], dtype=np.float32),
    )
    for octave in range(2, 8):
        rough = Image.fromarray(generator.normal(0, 1, (2**octave, 2**octave)).astype(np.float32))
        total += np.asarray(rough.resize(image.size, Image.Resampling.BICUBIC)) / 2 ** (0.7 * octave)
    total = (total - total.min()) / np.ptp(total) * 255
    return Image.fromarray(total.astype(np.uint8)).convert("RGB")


def _qr(image: Image.Image, draw: ImageDraw.ImageDraw, rng: random.Random) -> Image.Image:
    count = rng.choice([21, 25, 29, 33, 45])
    modules = np.random.default_rng(rng.randrange(1 << 30)).integers(0, 2, (count, count))
    for y, x in ((0, 0), (0, count - 7), (count - 7, 0)):
        modules[y : y + 7, x : x + 7] = 0
        modules[y + 1 : y + 6, x + 1 : x + 6] = 1
        modules[y + 2 : y + 5, x + 2 : x + 5] = 0
    code = np.pad(modules * 255, 4, constant_values=255).astype(np.uint8)
    side = min(image.size)
    return Image.fromarray(code).resize((side, side), Image.Resampling.NEAREST).convert("RGB")


def _keyboard(image: Image.Image, draw: ImageDraw.ImageDraw, rng: random.Random) -> None:
    side = image.size[0] / 15
    font = ImageFont.load_default(max(6, round(side * 0.4)))
    body = rng.choice([(60, 60, 60), (230, 230, 230), (200, 205, 210)])
    draw.rectangle([0, 0, *image.size], fill=tuple(round(c * 0.7) for c in body))
    for j in range(5):
        for i in range(13):
            x, y = (i + 0.4 + j / 4) * side, (j + 1) * side
            draw.rounded_rectangle([x, y, x + side * 0.88, y + side * 0.88], 4, fill=body)
            ink = (255, 255, 255) if body[0] < 128 else (30, 30, 30)
            draw.text(
                (x + side * 0.4, y + side * 0.4),
                chr(65 + rng.randrange(26)),
                fill=ink,
                font=font,
                anchor="mm",
            )


def _bricks(image: Image.Image, draw: ImageDraw.ImageDraw, rng: random.Random) -> None:
    side = rng.randint(15, 50)
    for j in range(image.size[1] // side + 1):
        for i in range(-1, image.size[0] // (2 * side) + 1):
            shade, x = rng.randint(120, 190), i * 2 * side + j % 2 * side
            draw.rectangle(
                [x, j * side, x + 2 * side - 3, j * side + side - 3], fill=(shade, shade // 2, shade // 3)
            )


def _tiles(image: Image.Image, draw: ImageDraw.ImageDraw, rng: random.Random) -> None:
    """Draw a floor: a chequer that goes on to every edge."""
    side = rng.randint(12, max(13, min(image.size) // 13))
    light, dark = rng.choice(
        [
            ((235, 235, 230), (40, 40, 45)),
            ((220, 200, 170), (120, 80, 60)),
            ((250, 250, 250), (150, 170, 190)),
        ]
    )
    draw.rectangle([0, 0, *image.size], fill=light)
    for j in range(image.size[1] // side + 1):
        for i in range(j % 2, image.size[0] // side + 1, 2):
            draw.rectangle([i * side, j * side, i * side + side - 1, j * side + side - 1], fill=dark)


def _gingham(image: Image.Image, draw: ImageDraw.ImageDraw, rng: random.Random) -> Image.Image:
    side, image = rng.randint(12, 60), Image.new("RGB", image.size, "white")
    over = ImageDraw.Draw(image, "RGBA")
    colour = (*rng.choice([(200, 0, 0), (0, 60, 160), (40, 40, 40)]), 128)
    for x in range(0, image.size[0], 2 * side):
        over.rectangle([x, 0, x + side - 1, image.size[1]], fill=colour)
    for y in range(0, image.size[1], 2 * side):
        over.rectangle([0, y, image.size[0], y + side - 1], fill=colour)
    return image


def _stripes(image: Image.Image, draw: ImageDraw.ImageDraw, rng: random.Random) -> None:
    side = rng.randint(8, 60)
    for x in range(0, image.size[0], 2 * side):
        draw.rectangle([x, 0, x + side, image.size[1]], fill=(120, 60, 60))


def _dots(image: Image.Image, draw: ImageDraw.ImageDraw, rng: random.Random) -> None:
    side, colours = rng.randint(12, 50), rng.choice([[(0, 0, 0)], [(0, 0, 0), (200, 50, 50)]])
    shifted = rng.random() < 0.5
    for row, y in enumerate(range(0, image.size[1], side)):
        for x in range(-side, image.size[0], side):
            at = x + (side // 2 if shifted and row % 2 else 0)
            draw.ellipse([at, y, at + side * 0.6, y + side * 0.6], fill=rng.choice(colours))


def _scribble(image: Image.Image, draw: ImageDraw.ImageDraw, rng: random.Random) -> None:
    for _ in range(200):
        x, y = rng.randrange(image.size[0]), rng.randrange(image.size[1])
        colour = tuple(rng.randrange(256) for _ in range(3))
        draw.line(
            [x, y, x + rng.randint(-90, 90), y + rng.randint(-90, 90)], fill=colour, width=rng.randint(1, 6)
        )


def _gallery(image: Image.Image, draw: ImageDraw.ImageDraw, rng: random.Random) -> None:
    """Draw twelve men, each on a square of its own: a page that sells piece sets."""
    side = image.size[0] // 9
    for k, letter in enumerate("KQRBNPkqrbnp"):
        x, y = side + k % 6 * round(side * 1.2), side + k // 6 * round(side * 1.3)
        draw.rectangle([x, y, x + side, y + side], fill=rng.choice([(240, 217, 181), (181, 136, 99)]))
        figure = man(letter, side)
        image.paste(figure, (x, y), figure)


def _one_man(image: Image.Image, draw: ImageDraw.ImageDraw, rng: random.Random) -> None:
    figure = man(rng.choice("KQRBNPkqrbnp"), min(image.size))
    image.paste(figure, (0, 0), figure)


def _moire(image: Image.Image, draw: ImageDraw.ImageDraw, rng: random.Random) -> Image.Image:
    """Draw two line screens beating against each other, as photos of screens show."""
    y, x = np.mgrid[0 : image.size[1], 0 : image.size[0]]
    waves = np.ones(x.shape)
    for _ in range(2):
        period, angle = rng.uniform(3, 30), rng.uniform(0, 3.14)
        waves = waves * np.sin(2 * np.pi * (x * np.cos(angle) + y * np.sin(angle)) / period)
    grey = 128 + rng.uniform(20, 120) * waves
    return Image.fromarray(np.clip(grey, 0, 255).astype(np.uint8)).convert("RGB")


def _noise(image: Image.Image, draw: ImageDraw.ImageDraw, rng: random.Random) -> Image.Image:
    generator, block = np.random.default_rng(rng.randrange(1 << 30)), rng.choice([1, 2, 5, 12, 30])
    size = (image.size[1] // block + 1, image.size[0] // block + 1, 3)
    small = Image.fromarray(generator.integers(0, 256, size, dtype=np.uint8))
    return small.resize(image.size, rng.choice([Image.Resampling.NEAREST, Image.Resampling.BICUBIC]))


def _blank(image: Image.Image, draw: ImageDraw.ImageDraw, rng: random.Random) -> None:
    draw.rectangle([0, 0, *image.size], fill=tuple(rng.randrange(256) for _ in range(3)))


NEGATIVES: dict[str, Draw] = {
    "blank": _blank, "bricks": _bricks, "calendar": _calendar, "clouds": _clouds, "crossword": _crossword,
    "dots": _dots, "gallery": _gallery, "gingham": _gingham, "go": _go, "keyboard": _keyboard,
    "moire": _moire, "noise": _noise, "one_man": _one_man, "qr": _qr, "scribble": _scribble,
    "stripes": _stripes, "sudoku": _sudoku, "table": _table, "text": _text, "tiles": _tiles,
}  # fmt: skip


def draw_negative(kind: str, rng: random.Random, *, photo: bool | None = None) -> Picture:
    """Draw a picture without a board; `photo` None means a photo of it once in three."""
    width = rng.choice([300, 500, 800, 1200])
    paper = rng.choice([(255, 255, 255), (245, 240, 225), (225, 225, 228)])
    image = Image.new("RGB", (width, round(width * rng.uniform(0.6, 1.4))), paper)
    drawn = NEGATIVES[kind](image, ImageDraw.Draw(image), rng)
    picture = Picture(drawn if drawn is not None else image)
    taken = rng.random() < 1 / 3 if photo is None else photo
    return photographed(picture, rng, tilt=25, turn=15, share=(0.8, 1.3)) if taken else picture
