"""Random stress pictures by kind and seed, for measuring how well boards are found and read."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from dataclasses import replace

import numpy as np
from PIL import Image, ImageChops

from draw.camera import blurred, compressed, curved, moire, photographed, resized, shaded
from draw.diagram import FRAMES, START, arrows, board, framed, highlighted, placed, random_placement
from draw.picture import Picture
from draw.pieces import STYLES
from draw.scenes import in_window, on_page, side_by_side
from draw.themes import PAPER, THEMES, Theme, random_theme

ANY = ("plain", "plain", "pattern")


def _diagram(
    rng: random.Random, kinds: tuple[str, ...] = ANY, square_px: int = 0, theme: Theme | None = None
) -> Picture:
    theme = theme or random_theme(rng, kinds)
    placement = START if rng.random() < 0.15 else random_placement(rng)
    picture = board(
        placement,
        square_px or rng.choice([20, 30, 45, 60]),
        theme,
        style=rng.choice(STYLES),
        bottom=rng.choice(["white", "white", "black"]),
        halo=theme.pattern != "plain" and rng.random() < 0.6,
        size=rng.uniform(0.78, 1.0),
        rng=rng,
    )
    if theme.pattern == "plain" and rng.random() < 0.4:
        squares = [(rng.randrange(8), rng.randrange(8)) for _ in range(rng.randint(1, 3))]
        picture = highlighted(picture, squares, rng.choice([(255, 255, 0), (155, 199, 0), (255, 60, 0)]))
    return picture


def _on_margin(picture: Picture, rng: random.Random, most: float = 2.0) -> Picture:
    """Put a diagram on a larger sheet, often with no margin at all."""
    square_px = picture.boards[0].square_px
    sides = [round(rng.choice([0, 0, rng.uniform(0, most)]) * square_px) for _ in range(4)]
    size = (picture.image.width + sides[0] + sides[2], picture.image.height + sides[1] + sides[3])
    canvas = Image.new(
        "RGB", size, rng.choice([(255, 255, 255), (40, 40, 40), (230, 225, 210), (120, 130, 120)])
    )
    return placed(picture, canvas, sides[0], sides[1])


def _framed(picture: Picture, rng: random.Random, frames: tuple[str, ...] = FRAMES) -> Picture:
    return framed(picture, rng.choice(frames), rng.choice([(255, 255, 255), (240, 232, 215)]))


def crop(rng: random.Random) -> Picture:
    """Draw a diagram with or without a frame on a small sheet."""
    return _on_margin(_framed(_diagram(rng), rng), rng)


def printed(rng: random.Random) -> Picture:
    """Draw a diagram of hatched, crossed or dotted dark squares."""
    return _on_margin(_framed(_diagram(rng, ("pattern",)), rng), rng)


def faint(rng: random.Random) -> Picture:
    """Draw a diagram whose squares differ by 11 to 22 grey levels."""
    return _on_margin(_framed(_diagram(rng, ("faint",)), rng), rng)


def near_white(rng: random.Random) -> Picture:
    """Draw a crowded diagram on white and almost white, on a page."""
    value = rng.randint(222, 243)
    theme = Theme(PAPER, (value, value, value))
    diagram = _framed(_diagram(rng, square_px=rng.randint(18, 44), theme=theme), rng)
    return on_page([diagram], rng.choice([600, 800, 1100]), rng)


def engraved(rng: random.Random) -> Picture:
    """Draw a diagram with hatching engraved by hand, sparse or dense."""
    diagram = _diagram(rng, ("engraved",), rng.choice([30, 48, 64]))
    picture = _on_margin(_framed(diagram, rng, ("none", "line", "double")), rng)
    return compressed(picture, 80) if rng.random() < 0.5 else picture


def full(rng: random.Random) -> Picture:
    """Draw a board that is the whole picture."""
    picture = _diagram(rng, square_px=rng.choice([15, 30, 60, 100]))
    return compressed(picture, rng.choice([50, 85])) if rng.random() < 0.5 else picture


def cut(rng: random.Random) -> Picture:
    """Draw a board of which up to a fifth of a square is cut off on some sides."""
    picture = _diagram(rng, square_px=rng.choice([30, 45, 60]))
    side = picture.image.width
    loss = [round(side / 8 * rng.choice([0, rng.uniform(0, 0.2)])) for _ in range(4)]
    image = picture.image.crop((loss[0], loss[1], side - loss[2], side - loss[3]))
    return picture.mapped(image, lambda points: points - (loss[0], loss[1]))


def thumbnail(rng: random.Random) -> Picture:
    """Draw a picture 72 to 170 pixels long."""
    picture = crop(rng)
    scale = rng.randint(72, 170) / max(picture.image.size)
    return resized(picture, max(1, round(picture.image.width * scale)))


def large(rng: random.Random) -> Picture:
    """Draw a picture of 3000 pixels and more."""
    return resized(crop(rng), rng.randint(3000, 3600))


def window(rng: random.Random) -> Picture:
    """Draw a screenshot of a program."""
    size = rng.choice([(1920, 1080), (1366, 768), (1280, 720), (750, 1334), (1080, 2340)])
    square_px = round(min(size) * rng.uniform(0.3, 0.85) / 8)
    diagram = _framed(
        _diagram(rng, ("plain",), square_px), rng, ("none", "none", "line", "thick", "coordinates")
    )
    return in_window(diagram, size, rng, dark=rng.random() < 0.5)


def tiny(rng: random.Random) -> Picture:
    """Draw a small board in a large window full of text."""
    diagram = _framed(_diagram(rng, ANY, rng.randint(10, 20)), rng)
    return in_window(
        diagram, rng.choice([(1920, 1080), (2000, 1500), (1600, 2200)]), rng, dark=rng.random() < 0.5
    )


def page(rng: random.Random) -> Picture:
    """Draw a page with one to nine diagrams of one print."""
    columns, rows = rng.choice([(1, 1), (1, 1), (1, 2), (2, 1), (2, 2), (2, 3), (3, 3)])
    width = rng.choice([800, 1200, 1654])
    square_px = round(width / columns * rng.uniform(0.45, 0.7) / 9.5)
    theme, frame = random_theme(rng, ANY), rng.choice(FRAMES)
    diagrams = [framed(_diagram(rng, square_px=square_px, theme=theme), frame) for _ in range(columns * rows)]
    return on_page(
        diagrams,
        width,
        rng,
        columns=columns,
        paper=rng.choice([(255, 255, 255), (250, 247, 238), (235, 228, 210)]),
    )


def gaps(rng: random.Random) -> Picture:
    """Draw boards side by side with gaps from a hair to a square."""
    columns, rows = rng.choice([(2, 1), (2, 2), (3, 2), (4, 3)])
    square_px, theme = rng.choice([12, 16, 22, 30]), random_theme(rng, ANY)
    across = round(square_px * rng.choice([0.1, 0.25, 0.4, 0.6, 1.0]))
    down = across + rng.choice([0, 2 * square_px])
    frame = rng.choice(["none", "none", "line"])
    diagrams = [framed(_diagram(rng, square_px=square_px, theme=theme), frame) for _ in range(columns * rows)]
    paper = rng.choice([(20, 20, 20), (240, 240, 240), (255, 255, 255)])
    gap_px = (max(2, across), max(2, down))
    return side_by_side(diagrams, columns, gap_px, margin_px=rng.randint(0, 60), paper=paper)


def book_photo(rng: random.Random) -> Picture:
    """Photograph a page of a book."""
    return photographed(
        page(rng), rng, size=rng.choice([(1024, 1024), (1200, 900), (900, 1200)])
    ).wholly_inside()


def screen_photo(rng: random.Random) -> Picture:
    """Photograph a screen, with moiré."""
    photo = photographed(
        window(rng), rng, turn=8, tilt=18, size=rng.choice([(1200, 900), (900, 1200), (640, 480)])
    )
    return moire(photo, rng.uniform(0, 0.12), rng).wholly_inside()


def slanted(rng: random.Random) -> Picture:
    """Photograph a diagram turned by up to 20° and tilted by up to 30°."""
    return photographed(_framed(_diagram(rng, ANY, 60), rng), rng, turn=20, tilt=30).wholly_inside()


def bent(rng: random.Random) -> Picture:
    """Photograph a curved page."""
    sheet = curved(page(rng), rng.choice([-1, 1]) * rng.uniform(0.02, 0.07), rng.uniform(-0.2, 1.2))
    return photographed(sheet, rng, tilt=18, turn=10).wholly_inside()


def blurry(rng: random.Random) -> Picture:
    """Draw a blurred and compressed diagram."""
    return compressed(blurred(crop(rng), rng.uniform(1.5, 4.0)), 60)


def arrowed(rng: random.Random) -> Picture:
    """Draw a board under four to nine arrows."""
    picture = arrows(_diagram(rng, ("plain",), 60), rng.randint(4, 9), rng)
    return _on_margin(picture, rng)


def reversed_print(rng: random.Random) -> Picture:
    """Draw a diagram in negative: white on black."""
    picture = crop(rng)
    return replace(picture, image=ImageChops.invert(picture.image))


def unchequered(rng: random.Random) -> Picture:
    """Draw a diagram whose squares are all white, in a frame."""
    theme = rng.choice([THEMES["all_white"], THEMES["all_white_lined"]])
    diagram = _framed(
        _diagram(rng, square_px=rng.choice([24, 36, 50]), theme=theme),
        rng,
        ("line", "double", "coordinates_line"),
    )
    return _on_margin(diagram, rng) if rng.random() < 0.5 else on_page([diagram], 900, rng)


def frameless(rng: random.Random) -> Picture:
    """Draw a board with nothing around it on a sheet of about its own shade."""
    picture = _diagram(rng, ANY, rng.choice([24, 36, 50]))
    square_px = round(picture.boards[0].square_px)
    size = (picture.image.width + 5 * square_px, picture.image.height + 4 * square_px)
    canvas = Image.new("RGB", size, picture.image.getpixel((2, 2)))
    return placed(picture, canvas, rng.randint(0, 5 * square_px), rng.randint(0, 4 * square_px))


def double_frame(rng: random.Random) -> Picture:
    """Draw a diagram in a double or a thick frame."""
    return _on_margin(_framed(_diagram(rng), rng, ("double", "thick")), rng)


def strips(rng: random.Random) -> Picture:
    """Draw a diagram between strips of coordinates."""
    return _on_margin(_framed(_diagram(rng), rng, ("coordinates", "coordinates_line")), rng)


def under_100(rng: random.Random) -> Picture:
    """Draw a board 64 to 99 pixels long, alone or in the corner of a small page."""
    picture = _framed(_diagram(rng, ANY, 40), rng, ("none", "line"))
    small = resized(picture, rng.randint(66, 99))
    if rng.random() < 0.5:
        return small
    canvas = Image.new("RGB", (260, 200), (255, 255, 255))
    return placed(small, canvas, rng.randint(0, 150), rng.randint(0, 90))


def over_3000(rng: random.Random) -> Picture:
    """Draw a board of 3000 pixels and more."""
    return resized(_framed(_diagram(rng), rng), rng.randint(3400, 3900))


def bare(rng: random.Random) -> Picture:
    """Draw a board with no man, or with two or three."""
    theme = random_theme(rng, ANY)
    men = rng.choice([0, 0, 2, 3])
    placement = random_placement(rng, men, men) if men else "8/8/8/8/8/8/8/8"
    picture = board(placement, rng.choice([20, 32, 48]), theme, rng=rng)
    return _on_margin(_framed(picture, rng), rng)


def sparse(rng: random.Random) -> Picture:
    """Draw a diagram of a few engraved lines a square, between lines around all squares."""
    theme = replace(THEMES["sparse"], spacing=rng.uniform(0.17, 0.24), width=rng.uniform(0.02, 0.035))
    diagram = _framed(_diagram(rng, square_px=rng.choice([36, 50, 64]), theme=theme), rng, ("line", "double"))
    return _on_margin(diagram, rng)


def turned(rng: random.Random) -> Picture:
    """Turn a diagram on its sheet by 12° to 22°, either way."""
    angle = rng.choice([-1, 1]) * rng.uniform(12, 22)
    picture = _framed(_diagram(rng, ANY, rng.choice([30, 45])), rng)
    side = round(1.45 * picture.image.width)
    canvas = Image.new("RGB", (side, side), rng.choice([(255, 255, 255), (90, 110, 90)]))
    sheet = placed(picture, canvas, (side - picture.image.width) // 2, (side - picture.image.height) // 2)
    a, centre = math.radians(angle), np.array([side / 2, side / 2])
    turn = np.array([[math.cos(a), -math.sin(a)], [math.sin(a), math.cos(a)]])
    fill = canvas.getpixel((0, 0))
    image = sheet.image.rotate(-angle, Image.Resampling.BICUBIC, fillcolor=fill)
    return sheet.mapped(image, lambda points: (points - centre) @ turn.T + centre)


def shadowed(rng: random.Random) -> Picture:
    """Cast the edge of a shadow on a page."""
    return shaded(page(rng), rng, edge=True)


def glaring(rng: random.Random) -> Picture:
    """Let a lamp shine back from a diagram."""
    return shaded(crop(rng), rng, glare=True)


def moire_screen(rng: random.Random) -> Picture:
    """Photograph a screen squarely, with moiré."""
    return blurred(moire(window(rng), rng.uniform(0.05, 0.15), rng), rng.uniform(0, 1.2))


def frame_outside(rng: random.Random) -> Picture:
    """Photograph a framed diagram from so near that part of its frame is not in the picture."""
    diagram = _framed(_diagram(rng, ANY, 60), rng, ("thick", "coordinates_line", "double"))
    photo = photographed(diagram, rng, turn=4, tilt=12, size=(1000, 1000), share=(0.9, 0.95))
    corners, square_px = photo.corners, photo.boards[0].square_px
    low, high = corners.min(axis=0), corners.max(axis=0)
    room = [rng.choice([0.05, 0.6]) * square_px for _ in range(4)]
    left, top = (max(0, round(v)) for v in low - room[:2])
    right, bottom = (min(1000, round(v)) for v in high + room[2:])
    image = photo.image.crop((left, top, right, bottom))
    return photo.mapped(image, lambda points: points - (left, top))


KINDS: dict[str, Callable[[random.Random], Picture]] = {
    "crop": crop, "printed": printed, "faint": faint, "near_white": near_white, "engraved": engraved,
    "full": full, "cut": cut, "thumbnail": thumbnail, "large": large, "window": window, "tiny": tiny,
    "page": page, "gaps": gaps, "book_photo": book_photo, "screen_photo": screen_photo,
    "slanted": slanted, "bent": bent, "blurry": blurry, "arrowed": arrowed, "reversed": reversed_print,
    "unchequered": unchequered, "frameless": frameless, "double_frame": double_frame, "strips": strips,
    "under_100": under_100, "over_3000": over_3000, "bare": bare, "sparse": sparse, "turned": turned,
    "shadowed": shadowed, "glaring": glaring, "moire_screen": moire_screen, "frame_outside": frame_outside,
}  # fmt: skip


def draw_kind(kind: str, seed: int) -> Picture:
    """Draw a picture of a kind; the same seed draws the same picture."""
    return KINDS[kind](random.Random(f"{kind} {seed}"))
