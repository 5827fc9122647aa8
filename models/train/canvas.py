"""The picture that a board is drawn into: 8 squares a side and one square of surroundings on every side.

Grey (H, W) or RGB (H, W, 3), float 0..255.  Half of what is read is grey, and a third of the work is saved by
drawing it so; every colour passes through ``tone``, which turns it into this canvas's own kind.
"""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
from numpy.typing import NDArray

from models.train.chance import Chance

Float = NDArray[np.float32]
Mask = NDArray[np.uint8]


def like(field: Float, picture: Float) -> Float:
    """Return an (H, W) field shaped to be multiplied with a grey or an RGB picture."""
    return field if picture.ndim == 2 else field[..., None]


class Canvas:
    """A square picture of 10 × 10 squares of ``square`` px; the board begins at (square, square)."""

    def __init__(self, chance: Chance, square: int, *, colour: bool) -> None:
        self.chance, self.square, self.colour = chance, square, colour
        self.mix = chance.random.dirichlet([3, 6, 1.5]).astype(np.float32)  # how RGB becomes grey
        self.board_px = 8 * square
        self.side = 10 * square
        self.pixels = np.zeros((self.side, self.side, 3) if colour else (self.side, self.side), np.float32)

    @property
    def board(self) -> Float:
        """The board's own pixels, as a view."""
        return self.pixels[self.square : -self.square, self.square : -self.square]

    def tone(self, rgb: Float) -> Float:
        """Return this RGB colour or picture (…, 3) as the canvas holds it: the same, or grey."""
        return rgb if self.colour else np.asarray(rgb @ self.mix, np.float32)

    def random_tone(self, low: float, high: float, vivid: float = 0.5) -> Float:
        """Return a tone of about this lightness, in colour for a share ``vivid`` of the draws."""
        lightness = self.chance.u(low, high)
        rgb = np.full(3, lightness, np.float32)
        if self.colour and self.chance.p(vivid):
            spread = self.chance.random.uniform(-1, 1, 3).astype(np.float32)
            rgb += (spread - spread.mean()) * self.chance.u(20, 150)
        return self.tone(np.clip(rgb, 0, 255))

    def paint(self, draw: Callable[[Mask], object], tone: Float, alpha: float = 1.0) -> None:
        """Blend ``tone`` in wherever ``draw`` leaves ink on an empty mask."""
        mask = np.zeros((self.side, self.side), np.uint8)
        draw(mask)
        x, y, width, height = cv2.boundingRect(mask)
        if width and height:
            where = (slice(y, y + height), slice(x, x + width))
            share = mask[where].astype(np.float32) * (alpha / 255)
            part = self.pixels[where]
            part += like(share, part) * (tone - part)

    def centre(self, row: float, column: float) -> tuple[int, int]:
        """Return the (x, y) px of the middle of a square."""
        return int((column + 1.5) * self.square), int((row + 1.5) * self.square)

    def write(
        self, text: str, x: float, y: float, size: float, tone: Float, font: int, thick: int = 1
    ) -> None:
        """Write text with its left end at (x, y) px; ``size`` is the height of a capital in squares."""
        scale = size * self.square / 21

        def draw(mask: Mask) -> None:
            cv2.putText(mask, text, (int(x), int(y)), font, scale, 255, thick, cv2.LINE_AA)

        self.paint(draw, tone)
