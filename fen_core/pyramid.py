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

from fen_core.quad import Points

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

    `grey` has shape (rows, columns); `inside` says which of its pixels the picture really holds.
    """

    grey: Grey
    inside: NDArray[np.bool_]
    low: Points
    px: int

    def position(self, nodes: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the pixel corners (x, y) at which nodes of the lattice lie in this view."""
        return (nodes - self.low.astype(np.int64)) * self.px

    def transposed(self) -> View:
        """Return the view with columns and rows exchanged."""
        return View(self.grey.T, self.inside.T, self.low[::-1], self.px)


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
        columns, rows = (high - low).astype(int) * px
        x = (np.arange(columns) + 0.5) / px + low[0]
        y = ((np.arange(rows) + 0.5) / px + low[1])[:, None]
        depth = matrix[2, 0] * x + matrix[2, 1] * y + matrix[2, 2]
        depth = np.where(np.abs(depth) < 1e-6, 1e-6, depth)
        u = (matrix[0, 0] * x + matrix[0, 1] * y + matrix[0, 2]) / depth
        v = (matrix[1, 0] * x + matrix[1, 1] * y + matrix[1, 2]) / depth
        middle = (rows // 2, columns // 2)
        cell = min(
            float(np.hypot(np.gradient(u[middle[0]])[middle[1]], np.gradient(v[middle[0]])[middle[1]])),
            float(np.hypot(np.gradient(u[:, middle[1]])[middle[0]], np.gradient(v[:, middle[1]])[middle[0]])),
        )
        level = self._fine_enough(0.9 / max(cell, 1e-9))
        grey = level.grey
        scale = level.long_px
        inside = (u >= -1 / scale) & (v >= -1 / scale)
        inside &= (u * scale <= grey.shape[1] + 1) & (v * scale <= grey.shape[0] + 1)
        return View(_bilinear(grey, u * scale, v * scale), inside, low, px)

    def _fine_enough(self, long_px: float) -> Level:
        """Return the coarsest level of at least this size, or the finest there is."""
        return self.level(min((px for px in self._usable() if px >= long_px), default=max(self._usable())))

    def _usable(self) -> Iterable[int]:
        standard = [px for px in COARSE_TO_FINE_PX[:-1] if self.reaches(px)]
        return [*(standard or COARSE_TO_FINE_PX[:1]), *self._levels]


def _bilinear(grey: Grey, x: Points, y: Points) -> Grey:
    """Sample brightness at points in the pixel-corner convention; the edge is repeated beyond the picture."""
    height, width = grey.shape
    x = np.clip(x - 0.5, 0, width - 1.001).astype(np.float32)
    y = np.clip(y - 0.5, 0, height - 1.001).astype(np.float32)
    left, top = x.astype(np.int32), y.astype(np.int32)
    x -= left
    y -= top
    flat = grey.ravel()
    index = top * width + left
    upper = flat[index]
    upper += (flat[index + 1] - upper) * x
    lower = flat[index + width]
    lower += (flat[index + width + 1] - lower) * x
    lower -= upper
    result: Grey = upper + lower * y
    return result
