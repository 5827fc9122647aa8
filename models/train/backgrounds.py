"""Empty boards: what screens show (colours, textures) and what print puts on dark squares (hatching).

Both fill the board part of a canvas.  Periods and widths of hatching are in squares.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from models.train.artwork import ART_PX, Artwork, Palette
from models.train.canvas import Canvas, like
from models.train.chance import Chance

Float = NDArray[np.float32]


def dark_squares(chance: Chance) -> NDArray[np.bool_]:
    """Return (8, 8): which squares are dark as seen; at times a board is printed the wrong way."""
    parity = np.add.outer(np.arange(8), np.arange(8)) % 2 == 1
    return ~parity if chance.p(0.03) else parity


def spread(board: NDArray[np.bool_], square: int) -> Float:
    """Return an (8, 8) pattern as pixels."""
    return np.kron(board, np.ones((square, square))).astype(np.float32)


def fill_screen(canvas: Canvas, palette: Palette, dark: NDArray[np.bool_]) -> None:
    """Fill the board as screens do: a texture, a known pair of colours, or any pair of tones."""
    chance, px = canvas.chance, canvas.board_px
    share = chance.random.random()
    if palette.textures and share < 0.22:
        texture = palette.textures[chance.i(0, len(palette.textures))]
        small = cv2.resize(texture, (px, px), interpolation=cv2.INTER_AREA).astype(np.float32)
        board = canvas.tone(small)
        if chance.p(0.3):
            mean = board.mean()
            board = np.clip((board - mean) * chance.u(0.6, 1.3) + mean + chance.u(-30, 30), 0, 255)
    else:
        if share < 0.78:
            light, dim = palette.colours[chance.i(0, len(palette.colours))]
            if chance.p(0.3):
                light, dim = light + chance.u(-25, 25), dim + chance.u(-25, 25)
            light, dim = canvas.tone(light), canvas.tone(dim)
        else:
            lightness = chance.u(20, 220)
            dim = canvas.random_tone(lightness, lightness)
            light = np.clip(dim + canvas.random_tone(8, 120, vivid=0.2), 0, 255)
        share_dark = like(spread(dark, canvas.square), canvas.pixels)
        board = light + share_dark * (dim - light)
        if chance.p(0.15):
            grain = chance.noise(px, px, chance.u(0.6, 2), chance.u(0.6, 8)) * chance.u(1, 7)
            board = board + like(grain, board)
        if chance.p(0.06):
            slope = np.tile(np.linspace(-1, 1, canvas.square, dtype=np.float32)[:, None], (8, px))
            board = board + like(slope * chance.u(-25, 25), board)
    canvas.board[:] = board


def hatching(
    chance: Chance, px: int, square: int, kind: str, angle: float, period: float, width: float, wobble: float
) -> Float:
    """Return (px, px) ink 0..1 of lines, crossed lines, dots or stipple."""
    if kind == "stipple":
        grain = chance.noise(px, px, chance.u(0.4, 1.1))
        return np.clip((grain - chance.u(-0.7, 1.2)) * 2, 0, 1)
    axis = np.arange(px, dtype=np.float32) / square
    y, x = np.meshgrid(axis, axis, indexing="ij")
    if wobble > 0:
        bend = chance.smooth(px, px, max(2, px // 6)) * (wobble * period)
        x, y = x + bend, y + bend
    cos, sin = float(np.cos(np.deg2rad(angle))), float(np.sin(np.deg2rad(angle)))
    phase = chance.u(0, 1)

    def distance(across: Float) -> Float:
        turn = across / period + phase
        return np.abs(turn - np.floor(turn) - 0.5) * period

    first, second = x * cos + y * sin, y * cos - x * sin
    if kind == "dots":
        return np.clip((width * 0.9 - np.hypot(distance(first), distance(second))) * square + 0.5, 0, 1)
    ink = np.clip((width / 2 - distance(first)) * square + 0.5, 0, 1)
    if kind == "cross":
        ink = np.maximum(ink, np.clip((width / 2 - distance(second)) * square + 0.5, 0, 1))
    return ink


def _pattern(chance: Chance) -> tuple[str, float, float, float]:
    """Draw kind, angle, period and width of the dark squares' ink."""
    share = chance.random.random()
    if share < 0.62:
        kind = "lines" if chance.p(0.8) else "cross"
        if chance.p(0.75):
            angle = chance.one_of([45, 135])
        else:
            angle = chance.one_of([0, 90]) if chance.p(0.4) else chance.u(0, 180)
        if chance.p(0.2):
            angle += chance.u(-8, 8)
        period = chance.u(0.055, 0.19)
        return kind, angle, period, period * chance.u(0.15, 0.6)
    if share < 0.70:
        period = chance.u(0.05, 0.13)
        return "dots", chance.one_of([0, 45, chance.u(0, 90)]), period, period * chance.u(0.3, 0.75)
    if share < 0.78:
        return "stipple", 0.0, 0.1, 0.1
    return "solid", 0.0, 0.1, 0.1


def print_ink(canvas: Canvas, dark: NDArray[np.bool_]) -> Float:
    """Return (8·square, 8·square) ink 0..1 of a printed empty board."""
    chance, square, px = canvas.chance, canvas.square, canvas.board_px
    where = spread(dark, square)
    kind, angle, period, width = _pattern(chance)
    if kind == "solid":
        return where * (chance.u(0.12, 0.6) if chance.p(0.93) else chance.u(0.6, 1))
    if kind == "stipple" or chance.p(0.35):
        wobble = chance.u(0, 0.25) if chance.p(0.4) else 0.0
        ink = hatching(chance, px, square, kind, angle, period, width, wobble) * where
    elif chance.p(0.15):  # engraved by hand: no dark square is like the next
        bent, near = chance.u(0.05, 0.25), chance.u(1, 8)
        several = [
            hatching(
                chance,
                square,
                square,
                kind,
                angle + chance.u(-near, near),
                period * chance.u(0.85, 1.2),
                width * chance.u(0.7, 1.3),
                bent,
            )
            * chance.u(0.6, 1)
            for _ in range(8)
        ]
        rows = [np.hstack([several[chance.i(0, 8)] for _ in range(8)]) for _ in range(8)]
        ink = np.vstack(rows) * where
    else:
        wobble = chance.u(0, 0.2) if chance.p(0.3) else 0.0
        one = hatching(chance, square, square, kind, angle, period, width, wobble)
        ink = np.tile(one, (8, 8)) * where
    if chance.p(0.2):
        ink = ink * chance.u(0.35, 1)
    if chance.p(0.1):
        ink = np.maximum(ink, where * chance.u(0, 0.3))
    if chance.p(0.03):
        light = hatching(chance, square, square, "dots", 45, chance.u(0.08, 0.2), 0.02, 0)
        ink = np.maximum(ink, (1 - where) * np.tile(light, (8, 8)) * 0.6)
    if chance.p(0.12):  # hatching that stops short of the square's edge
        inset = np.zeros((square, square), np.float32)
        edge = max(1, int(square * chance.u(0.02, 0.06)))
        inset[edge:-edge, edge:-edge] = 1
        ink = ink * np.tile(inset, (8, 8))
    return ink


def fill_print(canvas: Canvas, artwork: Artwork, dark: NDArray[np.bool_]) -> Float | None:
    """Fill the board as print does; return the set's own dark squares (13, px, px) if they were used."""
    chance, square = canvas.chance, canvas.square
    own = None
    if artwork.dark_squares is not None and chance.p(0.6):
        method = cv2.INTER_AREA if square < ART_PX else cv2.INTER_LINEAR
        own = np.stack([cv2.resize(d, (square, square), interpolation=method) for d in artwork.dark_squares])
        ink = np.tile(1 - own[0] / 255, (8, 8)) * spread(dark, square)
    else:
        ink = print_ink(canvas, dark)
    paper, full = canvas.random_tone(255, 255, 0), canvas.random_tone(0, 60, 0.6)
    if chance.p(0.7):
        full = canvas.random_tone(0, 0, 0)
    canvas.board[:] = paper + like(ink, canvas.pixels) * (full - paper)
    return own


def fill_surroundings(canvas: Canvas, *, screen: bool) -> None:
    """Paint what lies around the board: a plain tone, another panel on one side, scraps of text."""
    chance, square = canvas.chance, canvas.square
    board = canvas.board.copy()
    if screen:
        around = canvas.random_tone(0, 255, 0.3)
        if chance.p(0.3):
            black_or_white = chance.one_of([0.0, 255.0])
            around = (
                board[:, 0].mean(0)
                if chance.p(0.5)
                else canvas.random_tone(black_or_white, black_or_white, 0)
            )
    else:
        around = canvas.random_tone(255, 255, 0) if chance.p(0.9) else canvas.random_tone(150, 255)
    canvas.pixels[:] = around
    if screen and chance.p(0.25):
        panel = canvas.random_tone(0, 255, 0.3)
        strip = slice(0, square) if chance.p(0.5) else slice(canvas.side - square, canvas.side)
        canvas.pixels[strip] = panel
        if chance.p(0.5):
            canvas.pixels[:] = around
            canvas.pixels[:, strip] = panel
    light = float(np.mean(around)) > 120
    if chance.p(0.35):
        for _ in range(chance.i(1, 6)):
            y = chance.u(0, square * 0.9) if chance.p(0.5) else canvas.side - chance.u(0, square * 0.8)
            tone = canvas.random_tone(0, 90) if light else canvas.random_tone(160, 255)
            size = chance.u(0.17, 0.42)
            canvas.write(
                chance.text(2, 14), chance.u(-square, canvas.side * 0.8), y, size, tone, chance.i(0, 8)
            )
    if chance.p(0.4):
        font, size, off = chance.i(0, 8), chance.u(0.19, 0.38), chance.u(0.35, 0.8)
        tone = canvas.random_tone(0, 110, 0.2) if light else canvas.random_tone(150, 255, 0.2)
        turned = chance.p(0.2)
        for i in range(8):
            rank, file = (str(i + 1), "hgfedcba"[i]) if turned else (str(8 - i), "abcdefgh"[i])
            canvas.write(rank, square * (1 - off), square * (i + 1.6), size, tone, font)
            canvas.write(file, square * (i + 1.4), canvas.side - square + off * square, size, tone, font)
    canvas.board[:] = board
