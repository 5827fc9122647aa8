"""A drawn picture and the boards on it, with exact corners."""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from PIL import Image

Points = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Seen:
    """A board as drawn: its corners (TL TR BR BL, px), its placement (FEN), the side at the bottom."""

    corners: Points
    placement: str
    bottom: str = "white"

    def mapped(self, move: Callable[[Points], Points]) -> Seen:
        """Return the board with its corners moved."""
        return replace(self, corners=move(self.corners))

    @property
    def square_px(self) -> float:
        """Mean side of a square, pixels."""
        return float(np.hypot(*(self.corners - np.roll(self.corners, 1, axis=0)).T).mean()) / 8


@dataclass(frozen=True, slots=True)
class Picture:
    """An RGB image with the boards on it."""

    image: Image.Image
    boards: tuple[Seen, ...] = ()

    @property
    def pixels(self) -> NDArray[np.uint8]:
        """The image as an array of shape (H, W, 3), uint8."""
        return np.array(self.image)

    @property
    def png(self) -> bytes:
        """The image as a PNG file."""
        file = io.BytesIO()
        self.image.save(file, "PNG", compress_level=1)
        return file.getvalue()

    @property
    def corners(self) -> Points:
        """The corners of the only board."""
        (only,) = self.boards
        return only.corners

    def mapped(self, image: Image.Image, move: Callable[[Points], Points]) -> Picture:
        """Return another image on which the boards' points have moved."""
        return Picture(image, tuple(seen.mapped(move) for seen in self.boards))

    def wholly_inside(self, slack_px: float = 5.0) -> Picture:
        """Return the picture with only those boards whose corners it holds, to a few pixels."""
        size = np.array(self.image.size) + slack_px
        kept = [b for b in self.boards if (b.corners > -slack_px).all() and (b.corners < size).all()]
        return replace(self, boards=tuple(kept))
