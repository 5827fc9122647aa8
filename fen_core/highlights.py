"""Find the squares of a board whose ground is coloured: the marks that screens put on the last move.

A witness for `evidence`. The ground is sampled in the four corners of every square, where men, dots and
circles do not reach; light and dark squares are each fitted with a plane of colour, so that shadow and
vignetting are no marks. What always holds: only a difference in hue counts, never one in lightness, so
hatching, stipple and grey print give nothing; and three of a square's four corners must agree, so that an
arrow, a coordinate or a man that reaches into a corner gives nothing.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fen_core.rectify import apply_homography, homography, square_corners

__all__ = ["Highlights", "find", "same_colour"]

Floats = NDArray[np.float64]

# Where a corner is sampled, in squares from its tip: inside the edge line, outside what a man covers.
SAMPLES = np.array([0.07, 0.11, 0.15])
LEAST = 11.0  # grey levels of chroma: half of the faintest mark of the usual themes
SPREAD = 4.0  # times the spread among the squares of its colour
AGREE = 3  # corners of four: a man or a coordinate may reach into one
FAINTEST = 0.7  # of the limit, for the weakest of these three
KEPT = 0.7  # share of the squares of a colour that a plane is fitted to; marks and shadows are the rest


@dataclass(frozen=True, slots=True)
class Highlights:
    """Marked squares (indices as seen, row-major), and for all 64: change of colour, and usual colour.

    `shift` and `ground` have shape (64, 3): lightness, blue difference, red difference, in grey levels.
    """

    squares: tuple[int, ...]
    shift: Floats
    ground: Floats


def _colour(rgb: Floats) -> Floats:
    """Return lightness and the two colour differences B − Y and R − Y (ITU-R BT.601 weights)."""
    lightness = rgb @ np.array([0.299, 0.587, 0.114])
    return np.stack([lightness, rgb[..., 2] - lightness, rgb[..., 0] - lightness], axis=-1)


def _corner_colours(image: NDArray[np.uint8], corners: ArrayLike) -> Floats:
    """Return the colour of each corner of each square, shape (64, 4, 3)."""
    near, far = SAMPLES, 1 - SAMPLES
    ends = [(near, near), (far, near), (far, far), (near, far)]
    offsets = np.stack([np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2) for x, y in ends])
    rows, columns = np.divmod(np.arange(64), 8)
    points = np.stack([columns, rows], axis=-1)[:, None, None] + offsets[None]
    matrix = homography(square_corners(8.0), np.asarray(corners, dtype=np.float64))
    xy = np.floor(apply_homography(matrix, points)).astype(int)
    height, width = image.shape[:2]
    x, y = np.clip(xy[..., 0], 0, width - 1), np.clip(xy[..., 1], 0, height - 1)
    return _colour(np.median(image[y, x].astype(np.float64), axis=2))


def _plane(colours: Floats) -> Floats:
    """Return the usual colour of every square, (64, 3): a plane of colour for each of the two classes."""
    rows, columns = np.divmod(np.arange(64), 8)
    design = np.stack([np.ones(64), columns - 3.5, rows - 3.5], axis=-1)
    usual = np.empty((64, 3))
    for parity in (0, 1):
        members = np.flatnonzero((rows + columns) % 2 == parity)
        usual[members] = np.median(colours[members], axis=0)
        for _ in range(3):
            distance = np.linalg.norm(colours[members] - usual[members], axis=1)
            kept = members[np.argsort(distance, kind="stable")[: int(KEPT * len(members))]]
            slopes = np.linalg.lstsq(design[kept], colours[kept], rcond=None)[0]
            usual[members] = design[members] @ slopes
    return usual


def find(image: NDArray[np.uint8], corners: ArrayLike) -> Highlights:
    """Find the marked squares of a board.

    Parameters
    ----------
    image : ndarray of shape (H, W, 3) or (H, W), uint8
        A picture in grey has no marks.
    corners : array_like of shape (4, 2)
        Corners of the board, pixels.
    """
    if image.ndim == 2:
        return Highlights((), np.zeros((64, 3)), np.zeros((64, 3)))
    each = _corner_colours(image, corners)
    colours = np.median(each, axis=1)
    usual = _plane(colours)
    parity = np.add(*np.divmod(np.arange(64), 8)) % 2
    shifts = each - usual[:, None]
    strength = np.linalg.norm(shifts[..., 1:], axis=-1)
    limit = np.empty(64)
    for side in (0, 1):
        limit[parity == side] = max(LEAST, SPREAD * 1.48 * float(np.median(strength[parity == side])))
    # The three corners that stand out most, and whether they stand out the same way.
    three = np.argsort(-strength, axis=1, kind="stable")[:, :AGREE]
    chosen = np.take_along_axis(shifts, three[..., None], axis=1)
    shift = chosen.mean(axis=1)
    size = np.linalg.norm(shift[:, 1:], axis=1)
    along = np.einsum("ncd,nd->nc", chosen[..., 1:], shift[:, 1:]) / np.maximum(size, 1e-6)[:, None]
    marked = (size >= limit) & (along.min(axis=1) >= FAINTEST * limit)
    return Highlights(tuple(int(i) for i in np.flatnonzero(marked)), shift, usual)


def same_colour(marks: Highlights, first: int, second: int) -> bool:
    """Tell whether two marked squares can bear the same translucent or opaque colour.

    An overlay of colour c and opacity α moves a ground g by α (c − g): two shifts under one overlay differ
    by −α times the difference of the grounds, for some α between 0 and 1.
    """
    gap = marks.shift[first] - marks.shift[second]
    ground = marks.ground[first] - marks.ground[second]
    power = float(ground @ ground)
    opacity = float(np.clip(-(gap @ ground) / power, 0, 1)) if power > 1 else 0.0
    rest = float(np.linalg.norm((gap + opacity * ground)[1:]))
    largest = max(float(np.linalg.norm(marks.shift[i][1:])) for i in (first, second))
    return rest <= 0.35 * largest + 4
