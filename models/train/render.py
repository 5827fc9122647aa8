"""Draws one clean board: empty board, surroundings, marks, men, marks over men.

The men's own variety is here: size, place, stroke weight, contrast, tints, pale blacks, halos, shadows, and
hatching that runs through light men as cheap printing lets it.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from models.train import backgrounds, overlays
from models.train.artwork import ART_PX, Artwork, ArtworkDraw, Palette
from models.train.canvas import Canvas, like
from models.train.chance import Chance
from models.train.positions import draw_position
from models.train.variation import cousin

Float = NDArray[np.float32]
Labels = NDArray[np.int64]

SCREEN_KINDS = {"web": 3.0, "unusual": 1.2, "unicode": 1.0, "book": 1.0}
PRINT_KINDS = {"book": 3.0, "unicode": 1.0, "web": 1.2, "unusual": 1.0}


@dataclass(frozen=True, slots=True)
class Drawn:
    """A clean board: its canvas, what stands where (64,), and whether it is a screen's or print's."""

    canvas: Canvas
    labels: Labels
    screen: bool
    artwork: str


def _coloured_sides(chance: Chance) -> tuple[Float, Float]:
    """Return RGB tones of White and Black where both are coloured, at times nearly of one lightness.

    White is white to golden, Black has any other hue, or none, and is never the lighter one.
    """
    while True:
        pair = np.float32(
            [
                [[chance.u(18, 32), 255 * chance.u(0, 0.95) ** 1.5, chance.u(190, 255)]],
                [[(chance.u(38, 190)) % 180, 255 * chance.u(0, 0.9) ** 1.5, chance.u(20, 190)]],
            ]
        )
        rgb = cv2.cvtColor(pair.astype(np.uint8), cv2.COLOR_HSV2RGB).astype(np.float32)[:, 0]
        lightness = rgb @ np.float32([0.3, 0.59, 0.11])
        if lightness[0] > lightness[1] + 15:
            return rgb[0], rgb[1]


def _screen_tones(canvas: Canvas, colour: Float, alpha: Float) -> Float:
    """Lift blacks, dim whites, or tint both sides; ``colour`` (12, …) is premultiplied."""
    chance = canvas.chance
    veil = alpha if colour.ndim == 3 else alpha[..., None]
    if chance.p(0.35):
        lift, dim = chance.u(0, 0.28), chance.u(0.75, 1.0)
        colour[6:] = colour[6:] * (1 - lift) + veil[6:] * (255 * lift * 0.9)
        colour[:6] *= dim
    if canvas.colour and chance.p(0.2):
        light, dark = _coloured_sides(chance)
        colour[:6] = colour[:6] * (light / 255)
        colour[6:] = colour[6:] * (1 - dark / 255) + veil[6:] * dark * 0.9
    return colour


def _print_tones(canvas: Canvas, colour: Float, alpha: Float) -> Float:
    """Harden contrast to pure ink; or let the black men's flat ink come out pale or blotchy."""
    chance = canvas.chance
    veil = alpha if colour.ndim == 3 else alpha[..., None]
    if chance.p(0.5):
        plain = colour / np.maximum(veil, 1e-3)
        colour = np.clip((plain - 128) * chance.u(1.2, 3) + 128, 0, 255) * veil
    if chance.p(0.14):
        if chance.p(0.6):
            pale: Float | float = chance.u(0.1, 0.55)
        else:
            field = chance.smooth(ART_PX, ART_PX, chance.i(3, 12)) * 0.3 + chance.u(0, 0.4)
            pale = np.clip(field, 0, 0.75)
            pale = pale if colour.ndim == 3 else pale[..., None]
        rim = np.stack(
            [cv2.erode(a, np.ones((7, 7), np.uint8)) for a in alpha[6:]]
        )  # outlines keep their ink
        inside = rim if colour.ndim == 3 else rim[..., None]
        lift = pale * (inside if chance.p(0.7) else veil[6:])
        colour[6:] = colour[6:] + (255 * veil[6:] - colour[6:]) * lift
    return colour


def _strokes(canvas: Canvas, colour: Float, alpha: Float) -> tuple[Float, Float]:
    """Thicken or thin the strokes of men already at their size."""
    chance = canvas.chance
    thicker, amount = chance.p(0.6), chance.u(0.2, 1)
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (3, 3))
    for i in range(12):
        veil = like(alpha[i], colour[i])
        plain = np.where(veil > 0.02, colour[i] / np.maximum(veil, 1e-3), 0 if thicker else 255)
        changed = (cv2.erode if thicker else cv2.dilate)(plain, kernel)
        plain = plain * (1 - amount) + changed * amount
        if thicker:
            alpha[i] = np.maximum(alpha[i], cv2.dilate(alpha[i], kernel) * amount)
        colour[i] = plain * like(alpha[i], colour[i])
    return colour, alpha


def _men(canvas: Canvas, artwork: Artwork, *, screen: bool) -> tuple[Float, Float]:
    """Return the twelve men at their size: premultiplied tones (12, h, w[, 3]) and alpha (12, h, w)."""
    chance, square = canvas.chance, canvas.square
    colour = canvas.tone(artwork.pieces[..., :3].copy()).copy()
    alpha = artwork.pieces[..., 3] / 255
    if chance.p(0.06):
        colour, alpha = colour[:, :, ::-1], alpha[:, :, ::-1]
    colour, alpha = np.ascontiguousarray(colour), np.ascontiguousarray(alpha)
    colour = (_screen_tones if screen else _print_tones)(canvas, colour, alpha)
    scale = 1.0
    if chance.p(0.65):
        scale = chance.u(0.82, 1.1) if chance.p(0.65) else chance.u(0.6, 1.2)
    width = height = max(8, round(square * scale))
    if chance.p(0.12):
        height = max(8, int(width * chance.u(0.9, 1.1)))
    colour = np.stack([cv2.resize(c, (width, height), interpolation=cv2.INTER_AREA) for c in colour])
    alpha = np.stack([cv2.resize(a, (width, height), interpolation=cv2.INTER_AREA) for a in alpha])
    return _strokes(canvas, colour, alpha) if chance.p(0.25) else (colour, alpha)


class _Placer:
    """Puts men onto the canvas, with this board's halo, shadow, offset and unsteadiness."""

    def __init__(self, canvas: Canvas, artwork: Artwork, *, screen: bool) -> None:
        chance, square = canvas.chance, canvas.square
        self.canvas = canvas
        self.colour, self.alpha = _men(canvas, artwork, screen=screen)
        self.shift = (0.0, 0.0)
        if chance.p(0.5):
            self.shift = (chance.u(-0.06, 0.06) * square, chance.u(-0.05, 0.05) * square)
        self.unsteady = chance.u(0, 0.03) * square if chance.p(0.3) else 0.0
        self.through = not screen and chance.p(0.12)
        halo = not self.through and chance.p(0.02 if screen else 0.3)
        self.halo: Float | None = None
        if halo:
            edge = max(1, round(square * chance.u(0.02, 0.07)))
            kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * edge + 1, 2 * edge + 1))
            self.halo = np.stack([cv2.dilate(np.pad(a, edge), kernel) for a in self.alpha])
        self.shadow = None
        if screen and chance.p(0.12):
            depth, reach = chance.u(0.15, 0.5), square * 0.04
            self.shadow = np.stack([cv2.GaussianBlur(a, (0, 0), reach) for a in self.alpha]) * depth
            self.shadow_at = (int(chance.u(0, 0.08) * square), int(chance.u(0, 0.08) * square))

    def _part(self, row: int, column: int, size: tuple[int, int], off: tuple[float, float]) -> Float:
        canvas = self.canvas
        top = round((row + 1.5) * canvas.square - size[0] / 2 + self.shift[0] + off[0])
        left = round((column + 1.5) * canvas.square - size[1] / 2 + self.shift[1] + off[1])
        top, left = min(max(top, 0), canvas.side - size[0]), min(max(left, 0), canvas.side - size[1])
        return canvas.pixels[top : top + size[0], left : left + size[1]]

    def put(self, row: int, column: int, man: int, *, dark: bool) -> None:
        """Put a man (0..11) on a square."""
        off = (0.0, 0.0)
        if self.unsteady:
            off = tuple(self.canvas.chance.random.normal(0, self.unsteady, 2))
        if self.halo is not None and dark:
            part = self._part(row, column, self.halo[man].shape, off)
            part += like(self.halo[man], part) * (255 - part)
        if self.shadow is not None:
            at = (off[0] + self.shadow_at[0], off[1] + self.shadow_at[1])
            part = self._part(row, column, self.shadow[man].shape, at)
            part *= 1 - like(self.shadow[man], part)
        part = self._part(row, column, self.alpha[man].shape, off)
        veil = like(self.alpha[man], part)
        if self.through:
            np.minimum(part, self.colour[man] + 255 * (1 - veil), out=part)
        else:
            part *= 1 - veil
            part += self.colour[man]


def draw_board(
    random: np.random.Generator, sets: ArtworkDraw, palette: Palette, *, vary: bool = False
) -> Drawn:
    """Draw a board: 45 % as screens show it, 55 % as print does; ``vary`` draws cousins of the sets too."""
    chance = Chance(random)
    labels = draw_position(random)
    board = labels.reshape(8, 8)
    screen = chance.p(0.45)
    kinds = SCREEN_KINDS if screen else PRINT_KINDS
    artwork = sets.draw(random, kinds)
    if vary:
        artwork = cousin(chance, artwork, lambda: sets.draw(random, kinds))
    canvas = Canvas(chance, int(chance.log_u(22, 56)), colour=chance.p(0.65 if screen else 0.12))
    dark = backgrounds.dark_squares(chance)
    own = None
    if screen:
        backgrounds.fill_screen(canvas, palette, dark)
    else:
        own = backgrounds.fill_print(canvas, artwork, dark)
    backgrounds.fill_surroundings(canvas, screen=screen)
    overlays.under(canvas, screen=screen)
    placer = _Placer(canvas, artwork, screen=screen)
    square = canvas.square
    for row, column in np.argwhere(board > 0):
        if own is not None and dark[row, column]:
            part = canvas.board[row * square : (row + 1) * square, column * square : (column + 1) * square]
            part[:] = like(own[board[row, column]], part)
        else:
            placer.put(row, column, int(board[row, column]) - 1, dark=bool(dark[row, column]))
    overlays.over(canvas, board, screen=screen)
    return Drawn(canvas, labels, screen, artwork.name)
