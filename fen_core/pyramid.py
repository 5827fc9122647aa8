"""Brightness of a picture at several sizes, and a lattice's view into it.

The first step of finding boards: `boards` builds the pyramid, `lattice` searches its levels, `board_evidence`
and `refine` look at straightened windows of it. What always holds: shrinking averages areas (hatching
becomes grey); a large picture is shrunk strip by strip before anything else, so that no second copy of it
is ever made. Positions shared between levels are in units of the picture's longer side.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from fen_core.quad import BOARD_OUTLINE, Points, scaled
from fen_core.rectify import apply_homography

__all__ = ["COARSE_TO_FINE_PX", "FINEST_PX", "Level", "Pyramid", "View", "grey_picture"]

COARSE_TO_FINE_PX = (96, 192, 384, 768, 1536)  # longer sides of the levels
FINEST_PX = COARSE_TO_FINE_PX[-1]  # a board a tenth as long as the picture still has 19 px a square there
STRIP_PX = 256  # rows shrunk at once: 256 rows of a 12-megapixel photo are 3 MB
MAX_ENLARGEMENT = 2.0  # times; a picture of 48 px is the smallest that reaches the coarsest level

Grey = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Level:
    """The picture with its longer side at `long_px` pixels; brightness 0..255, shape (rows, columns)."""

    long_px: int
    grey: Grey


@dataclass(frozen=True, slots=True)
class View:
    """A straightened window of the lattice: `px` pixels a cell, its first node at `low`.

    `grey` has shape (rows, columns); `to_level` maps its pixels to those of the level that it was taken
    from, which is `size` (width, height) pixels large. Beyond the picture stands its edge, repeated.
    """

    grey: Grey
    low: Points
    px: int
    to_level: Points
    size: tuple[int, int]

    def position(self, nodes: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the pixel corners (x, y) at which nodes of the lattice lie in this view."""
        return (nodes - self.low.astype(np.int64)) * self.px

    def inside(self, positions: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Say which pixels (x, y), shape (…, 2), the picture really holds, to a pixel of the level."""
        seen = apply_homography(self.to_level, positions + 0.5)
        return np.asarray(((seen >= -1) & (seen <= np.array(self.size) + 1.0)).all(axis=-1))

    def transposed(self) -> View:
        """Return the view with columns and rows exchanged."""
        exchanged = self.to_level[:, [1, 0, 2]]
        return View(self.grey.T, self.low[::-1], self.px, exchanged, self.size)


def grey_picture(image: NDArray[np.uint8], at_least_px: int = FINEST_PX) -> Image.Image:
    """Return the brightness of a picture, shrunk by a whole factor to no less than `at_least_px` long.

    Parameters
    ----------
    image : ndarray of shape (H, W, 3) or (H, W), uint8

    Notes
    -----
    Brightness is Pillow's "L": ITU-R BT.601 luma.
    """
    height, width = image.shape[:2]
    factor = max(1, max(height, width) // at_least_px)
    if factor == 1:
        return Image.fromarray(image).convert("L")
    rows = -(-height // factor)
    result = Image.new("L", (-(-width // factor), rows))
    step = STRIP_PX // factor * factor or factor
    for top in range(0, height, step):
        strip = Image.fromarray(np.ascontiguousarray(image[top : top + step]))
        result.paste(strip.reduce(factor).convert("L"), (0, top // factor))
    return result


class Pyramid:
    """Levels of a picture, each made when it is first asked for, from the next finer one that exists."""

    def __init__(self, image: NDArray[np.uint8]) -> None:
        self.height, self.width = image.shape[:2]
        self.long_px = max(self.height, self.width)
        self._base = grey_picture(image)
        self._pictures: dict[int, Image.Image] = {}
        self._levels: dict[int, Level] = {}

    @property
    def extent(self) -> Points:
        """Width and height in units of the longer side."""
        extent: Points = np.array([self.width, self.height], dtype=np.float64) / self.long_px
        return extent

    def reaches(self, long_px: int) -> bool:
        """Say whether a level of this size shows more than enlarging a smaller one would."""
        return bool(long_px <= MAX_ENLARGEMENT * self.long_px)

    def level(self, long_px: int) -> Level:
        """Return the picture with its longer side at `long_px` pixels."""
        if long_px not in self._levels:
            self._levels[long_px] = Level(long_px, np.asarray(self._picture(long_px), dtype=np.float32))
        return self._levels[long_px]

    def _picture(self, long_px: int) -> Image.Image:
        if long_px in self._pictures:
            return self._pictures[long_px]
        finer = 2 * long_px
        source = self._picture(finer) if finer <= min(COARSE_TO_FINE_PX[-2], self.long_px) else self._base
        scale = long_px / self.long_px
        size = (max(8, round(self.width * scale)), max(8, round(self.height * scale)))
        smoothing = Image.Resampling.HAMMING if source.width >= size[0] else Image.Resampling.BICUBIC
        self._pictures[long_px] = source.resize(size, smoothing, reducing_gap=2.0)
        return self._pictures[long_px]

    def view(self, matrix: Points, low: Points, high: Points, px: int) -> View:
        """Straighten the window low..high (nodes) of a lattice at `px` pixels a cell.

        `matrix` maps lattice coordinates to units of the longer side. The level is the coarsest that
        still has about as many pixels as asked for.
        """
        columns, rows = (int(n) for n in (high - low).astype(int) * px)
        to_units = matrix @ np.array([[1 / px, 0, low[0]], [0, 1 / px, low[1]], [0, 0, 1]])
        middle = np.array([columns // 2, rows // 2]) + 0.5
        around = apply_homography(to_units, middle + np.array([[1, 0], [-1, 0], [0, 1], [0, -1]]))
        pixel = min(np.hypot(*(around[0] - around[1])), np.hypot(*(around[2] - around[3]))) / 2
        level = self._fine_enough(0.9 / max(float(pixel), 1e-9))
        height, width = level.grey.shape
        to_level = scaled(to_units, level.long_px)
        grey = _straightened(level.grey, to_level, columns, rows)
        return View(grey, low, px, to_level, (width, height))

    def _fine_enough(self, long_px: float) -> Level:
        """Return the coarsest level of at least this size, or the finest there is."""
        return self.level(min((px for px in self._usable() if px >= long_px), default=max(self._usable())))

    def _usable(self) -> Iterable[int]:
        standard = [px for px in COARSE_TO_FINE_PX[:-1] if self.reaches(px)]
        return [*(standard or COARSE_TO_FINE_PX[:1]), *self._levels]


def _straightened(grey: Grey, matrix: Points, columns: int, rows: int) -> Grey:
    """Sample brightness, bilinearly, where `matrix` maps the pixels of a window of columns × rows.

    Only the part that the window needs is handed to Pillow, its edge repeated where the picture ends, but
    no further than the picture is long.
    """
    height, width = grey.shape
    outline = apply_homography(matrix, BOARD_OUTLINE / 8 * (columns, rows))
    outline = np.clip(np.nan_to_num(outline), -max(grey.shape), 2 * max(grey.shape))
    left, top = (int(n) for n in np.floor(outline.min(axis=0)) - 2)
    right, bottom = (int(n) for n in np.ceil(outline.max(axis=0)) + 2)
    x0, x1 = min(max(left, 0), width - 1), max(min(right, width), 1)
    y0, y1 = min(max(top, 0), height - 1), max(min(bottom, height), 1)
    part = grey[y0:y1, x0:x1]
    beyond = ((max(0, y0 - top), max(0, bottom - y1)), (max(0, x0 - left), max(0, right - x1)))
    part = np.pad(part, beyond, mode="edge")
    left, top = min(left, x0), min(top, y0)
    local = np.array([[1, 0, -left], [0, 1, -top], [0, 0, 1]], dtype=np.float64) @ matrix
    local = local / (local[2, 2] if abs(local[2, 2]) > 1e-12 else 1e-12)
    # Pillow maps the centre of an output pixel to a point in the pixel-corner convention, as we do.
    view = Image.fromarray(part).transform(
        (columns, rows), Image.Transform.PERSPECTIVE, tuple(local.ravel()[:8]), Image.Resampling.BILINEAR
    )
    return np.asarray(view, dtype=np.float32)
