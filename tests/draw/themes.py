"""What squares look like: plain colours, hatching, dots, and hatching engraved by hand."""

from __future__ import annotations

import math
import random
from dataclasses import dataclass

import numpy as np
from PIL import Image, ImageDraw

Colour = tuple[int, int, int]
OVERSAMPLING = 4


@dataclass(frozen=True, slots=True)
class Theme:
    """Colours and pattern of a board.

    `light`, `dark` are the squares' colours, or paper and ink where `pattern` is "hatched", "crossed",
    "dotted" or "engraved". `spacing` and `width` of the pattern's lines are in squares, `angle` in degrees.
    `lines` is the width, in squares, of lines between all squares; `grain` the strength of wood or paper
    grain, in grey levels. `men_light` and `men_dark` are the colours of the men.
    """

    light: Colour
    dark: Colour
    pattern: str = "plain"
    angle: float = 45.0
    spacing: float = 0.12
    width: float = 0.04
    lines: float = 0.0
    grain: float = 0.0
    men_light: Colour = (255, 255, 255)
    men_dark: Colour = (0, 0, 0)


PAPER, INK = (255, 255, 255), (0, 0, 0)
THEMES = {
    "brown": Theme((240, 217, 181), (181, 136, 99)),
    "green": Theme((238, 238, 210), (118, 150, 86)),
    "blue": Theme((222, 227, 230), (140, 162, 173)),
    "grey": Theme((220, 220, 220), (150, 150, 150)),
    "wood": Theme((222, 184, 135), (139, 90, 43), grain=10.0),
    "dark": Theme((110, 110, 115), (60, 60, 66)),
    "near_white": Theme((255, 255, 255), (236, 236, 236)),
    "faint": Theme((250, 248, 240), (238, 234, 222)),
    "all_white": Theme(PAPER, PAPER, lines=0.0),
    "all_white_lined": Theme(PAPER, PAPER, lines=0.03),
    "hatched": Theme(PAPER, INK, "hatched"),
    "crossed": Theme(PAPER, INK, "crossed", spacing=0.16, width=0.03),
    "dotted": Theme(PAPER, INK, "dotted", spacing=0.14, width=0.07),
    "engraved": Theme(PAPER, (25, 25, 25), "engraved", spacing=0.13, width=0.03, lines=0.03),
    "sparse": Theme(PAPER, (25, 25, 25), "engraved", spacing=0.2, width=0.025, lines=0.03),
}


def random_theme(rng: random.Random, kinds: tuple[str, ...] = ("plain", "pattern")) -> Theme:
    """Return a random theme: "plain" colours (also wood), "pattern" prints, "faint" or "engraved" ones."""
    kind = rng.choice(kinds)
    if kind == "plain":
        base, tint = rng.randint(110, 240), [rng.randint(-25, 25) for _ in range(3)]
        step = rng.randint(35, min(110, base - 20))
        light = tuple(max(0, min(255, base + t)) for t in tint)
        dark = tuple(max(0, min(255, base - step + rng.randint(-1, 1) * t)) for t in tint)
        return Theme(light, dark, grain=rng.choice([0, 0, 4, 10]))
    if kind == "faint":
        base, step = rng.randint(90, 250), rng.randint(11, 22)
        tint = [rng.randint(-12, 5) for _ in range(3)]
        return Theme(tuple(base + t for t in tint), tuple(base + t - step for t in tint))
    if kind == "engraved":
        spacing, width = rng.uniform(0.07, 0.17), rng.uniform(0.015, 0.045)
        return Theme(
            PAPER,
            (20, 20, 20),
            "engraved",
            rng.choice([45, -45, 40]),
            spacing,
            width,
            rng.choice([0, 0.02, 0.04]),
        )
    spacing = rng.uniform(0.08, 0.16)
    pattern = rng.choice(["hatched", "hatched", "crossed", "dotted"])
    return Theme(
        PAPER, INK, pattern, rng.choice([45, 45, -45, 0, 90]), spacing, spacing * rng.uniform(0.3, 0.55)
    )


def _regular(theme: Theme, side: int) -> Image.Image:
    """Draw a square of ruled lines or dots."""
    fine = side * OVERSAMPLING
    y, x = np.mgrid[0:fine, 0:fine] / fine

    def ruled(angle: float) -> np.ndarray:
        a = math.radians(angle)
        return ((y * math.cos(a) - x * math.sin(a)) % theme.spacing) < theme.width

    if theme.pattern == "dotted":
        dx, dy = (x % theme.spacing) - theme.spacing / 2, (y % theme.spacing) - theme.spacing / 2
        inked = np.hypot(dx, dy) < theme.width / 2
    else:
        inked = ruled(theme.angle)
        if theme.pattern == "crossed":
            inked |= ruled(theme.angle + 90)
    picture = np.where(inked[..., None], np.array(theme.dark), np.array(theme.light)).astype(np.uint8)
    return Image.fromarray(picture).resize((side, side), Image.Resampling.BOX)


def _engraved(theme: Theme, side: int, rng: random.Random) -> Image.Image:
    """Draw a square of lines such as a hand engraves: uneven in place, length and slope."""
    fine = side * 2
    picture = Image.new("RGB", (fine, fine), theme.light)
    draw = ImageDraw.Draw(picture)
    a = math.radians(theme.angle + rng.uniform(-8, 8))
    along, across = np.array([math.cos(a), math.sin(a)]) * fine, np.array([-math.sin(a), math.cos(a)]) * fine
    at = -1.0
    while at < 1:
        at += theme.spacing * rng.uniform(0.6, 1.4)
        middle = np.array([fine / 2, fine / 2]) + at * across
        start, end = middle - along * rng.uniform(0.55, 1.0), middle + along * rng.uniform(0.55, 1.0)
        draw.line([*start, *end], fill=theme.dark, width=max(1, round(theme.width * fine)))
    return picture.resize((side, side), Image.Resampling.BOX)


def empty_board(theme: Theme, square_px: int, rng: random.Random) -> Image.Image:
    """Draw the 64 squares of a theme, light at the top left."""
    side = 8 * square_px
    picture = Image.new("RGB", (side, side), theme.light)
    dark = Image.new("RGB", (square_px, square_px), theme.dark)
    if theme.pattern not in ("plain", "engraved"):
        dark = _regular(theme, square_px)
    for row in range(8):
        for column in range(8):
            if (row + column) % 2:
                square = _engraved(theme, square_px, rng) if theme.pattern == "engraved" else dark
                picture.paste(square, (column * square_px, row * square_px))
    if theme.grain:
        noise = np.random.default_rng(rng.randrange(1 << 30)).normal(
            0, theme.grain, (side, max(1, side // 12))
        )
        grain = np.asarray(
            Image.fromarray(noise.astype(np.float32)).resize((side, side), Image.Resampling.BICUBIC)
        )
        picture = Image.fromarray(np.clip(np.asarray(picture) + grain[..., None], 0, 255).astype(np.uint8))
    if theme.lines:
        draw, width = ImageDraw.Draw(picture), max(1, round(theme.lines * square_px))
        for k in range(1, 8):
            draw.line([k * square_px, 0, k * square_px, side], fill=INK, width=width)
            draw.line([0, k * square_px, side, k * square_px], fill=INK, width=width)
    return picture
