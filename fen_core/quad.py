"""Plane geometry of boards: fitting a lattice to points, and judging quadrilaterals.

Serves the finding of boards (`lattice`, `board_evidence`, `refine`, `boards`), below all of them and above
`rectify`. Points are (x, y); a quadrilateral is an array of shape (4, 2): top left, top right, bottom right,
bottom left as seen, so that it runs clockwise on the screen, where y grows downwards. Nothing here looks at
pixels, and every function is indifferent to the unit of length.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from fen_core.rectify import apply_homography

__all__ = [
    "BOARD_OUTLINE",
    "Points",
    "fit_homography",
    "inside_mask",
    "is_plausible",
    "mean_side",
    "outline_of",
    "overlap_share",
    "reading_order",
    "scaled",
    "stays_in_front",
]

Points = NDArray[np.float64]

BOARD_OUTLINE: Points = np.array([[0, 0], [8, 0], [8, 8], [0, 8]], dtype=np.float64)  # in lattice units

PERSPECTIVE_RIDGE = 1e-3  # share of the weight of a point, on points scaled to -1..1; from trials
RIDGE = np.array([1e-9] * 6 + [PERSPECTIVE_RIDGE] * 2)
MIN_CORNER_SINE = 0.80  # a corner of a board seen at up to 30° of perspective is within 37° of a right angle
MAX_SLOPE = 0.62  # of the top side: 32°, for a board turned by 20° and seen at a slant
MAX_SIDE_RATIO = 2.2  # longest to shortest side, as above with a near camera


def scaled(matrix: Points, factor: float) -> Points:
    """Return a homography whose results are `factor` times as large."""
    return np.diag([factor, factor, 1.0]) @ matrix


def _normalised(points: Points) -> tuple[Points, float, Points]:
    """Return points moved and scaled into -1..1 (Hartley's normalisation), their size and centre."""
    centre = points.sum(axis=0) / len(points)
    moved = points - centre
    size = max(float(np.abs(moved).max()), 1e-9)
    return moved / size, size, centre


def fit_homography(source: Points, target: Points, weights: Points) -> Points | None:
    """Fit a homography to many weighted pairs of points by least squares.

    Parameters
    ----------
    source, target : ndarray of shape (n, 2)
    weights : ndarray of shape (n,)
        Not negative.

    Returns
    -------
    ndarray of shape (3, 3), or None
        Scaled so that its last element is 1; None where the points do not determine one.

    Notes
    -----
    The normalised direct linear transform (Hartley and Zisserman, *Multiple View Geometry*, 2nd ed.,
    algorithm 4.2) with a small ridge on the two perspective terms: a few noisy points then bend the
    lattice no more than they must, and a lattice far from its points stays in reach.
    """
    src, source_size, (x0, y0) = _normalised(source)
    dst, target_size, (u0, v0) = _normalised(target)
    n = len(src)
    # Rows of the system: x y 1 0 0 0 -xu -yu | u, and 0 0 0 x y 1 -xv -yv | v.
    rows = np.zeros((2, n, 9))
    rows[0, :, 0:2] = rows[1, :, 3:5] = src
    rows[0, :, 2] = rows[1, :, 5] = 1
    rows[:, :, 8] = dst.T
    rows[:, :, 6:8] = -src * dst.T[:, :, None]
    weighted = (rows * weights[:, None]).reshape(2 * n, 9)
    normal = np.einsum("ij,ik->jk", weighted, rows.reshape(2 * n, 9))
    left, right = normal[:8, :8], normal[:8, 8]
    left[np.diag_indices(8)] += RIDGE * [1, 1, 1, 1, 1, 1, n, n]
    try:
        h = np.linalg.solve(left, right)
    except np.linalg.LinAlgError:
        return None
    to_source = np.array([[1, 0, -x0], [0, 1, -y0], [0, 0, source_size]]) / source_size
    from_target = np.array([[target_size, 0, u0], [0, target_size, v0], [0, 0, 1]])
    matrix = from_target @ np.append(h, 1.0).reshape(3, 3) @ to_source
    if not np.isfinite(matrix).all() or abs(matrix[2, 2]) < 1e-12:
        return None
    result: Points = matrix / matrix[2, 2]
    return result if abs(np.linalg.det(result)) > 1e-15 else None


def stays_in_front(matrix: Points, points: Points, share: float = 0.25) -> bool:
    """Say whether points lie well on the near side of the horizon of a homography.

    Their third homogeneous coordinate must be at least `share` of that at the origin of the plane.
    """
    depth = points @ matrix[2, :2] + matrix[2, 2]
    return bool((depth >= share).all())


def mean_side(quad: Points) -> float:
    """Return the mean length of the four sides."""
    return float(np.hypot(*(quad - np.roll(quad, 1, axis=0)).T).mean())


def is_plausible(quad: Points, *, upright: bool = True) -> bool:
    """Say whether a quadrilateral can be a board in a picture that a person takes.

    Convex, clockwise, its corners not far from right angles, its sides not too unequal and, if it must be
    `upright`, its top side no steeper than `MAX_SLOPE`.
    """
    edges = np.roll(quad, -1, axis=0) - quad
    following = np.roll(edges, -1, axis=0)
    cross = edges[:, 0] * following[:, 1] - edges[:, 1] * following[:, 0]
    if (cross <= 0).any():
        return False
    length = np.hypot(edges[:, 0], edges[:, 1])
    sine = cross / (length * np.roll(length, -1))
    if upright and abs(edges[0, 1]) > MAX_SLOPE * edges[0, 0]:
        return False
    return bool(sine.min() > MIN_CORNER_SINE and length.max() < MAX_SIDE_RATIO * length.min())


def _inside(points: Points, quad: Points) -> NDArray[np.bool_]:
    """Return which points, shape (…, 2), lie inside a convex quadrilateral."""
    inside = np.ones(points.shape[:-1], dtype=bool)
    for (x0, y0), (x1, y1) in zip(quad, np.roll(quad, -1, axis=0), strict=True):
        inside &= (x1 - x0) * (points[..., 1] - y0) - (y1 - y0) * (points[..., 0] - x0) >= 0
    return inside


def _cell_centres(quad: Points) -> Points:
    """Return 8×8 points spread evenly over a quadrilateral, shape (64, 2)."""
    at = (np.arange(8) + 0.5) / 8
    u, v = (axis.ravel()[:, None] for axis in np.meshgrid(at, at))
    top, bottom = quad[0] + u * (quad[1] - quad[0]), quad[3] + u * (quad[2] - quad[3])
    return np.asarray(top + v * (bottom - top))


def overlap_share(first: Points, second: Points) -> float:
    """Return about how much of two boards is common to both, over the smaller one: 0..1, in 64ths."""
    low = np.maximum(first.min(axis=0), second.min(axis=0))
    high = np.minimum(first.max(axis=0), second.max(axis=0))
    if (low >= high).any():
        return 0.0
    shares = (_inside(_cell_centres(a), b).mean() for a, b in ((first, second), (second, first)))
    return float(max(shares))


def inside_mask(shape: tuple[int, int], quads: Sequence[Points]) -> NDArray[np.bool_]:
    """Return which points (column, row) of an array of `shape` lie inside any of some convex quads."""
    mask = np.zeros(shape, dtype=bool)
    for quad in quads:
        left, top = np.maximum(np.ceil(quad.min(axis=0)), 0).astype(int)
        right, bottom = np.minimum(np.floor(quad.max(axis=0)) + 1, (shape[1], shape[0])).astype(int)
        if left >= right or top >= bottom:
            continue
        x, y = np.arange(left, right, dtype=np.float64), np.arange(top, bottom, dtype=np.float64)[:, None]
        inside = np.ones((bottom - top, right - left), dtype=bool)
        for (x0, y0), (x1, y1) in zip(quad, np.roll(quad, -1, axis=0), strict=True):
            inside &= (x1 - x0) * (y - y0) >= (y1 - y0) * (x - x0)
        mask[top:bottom, left:right] |= inside
    return mask


def outline_of(matrix: Points, window: Points) -> Points:
    """Return the corners of the 8×8 window whose top left node is `window`, mapped through `matrix`."""
    return apply_homography(matrix, BOARD_OUTLINE + window)


def _bands(low: Points, high: Points) -> list[list[int]]:
    """Group intervals that overlap by more than half of the shorter one, in order of their middles."""
    bands: list[list[int]] = []
    for index in np.argsort((low + high) / 2):
        if bands:
            last = bands[-1]
            top, bottom = np.median(low[last]), np.median(high[last])
            shared = min(bottom, high[index]) - max(top, low[index])
            if shared > 0.5 * min(bottom - top, high[index] - low[index]):
                last.append(int(index))
                continue
        bands.append([int(index)])
    return bands


def reading_order(quads: Sequence[Points]) -> list[int]:
    """Return the order in which a reader would take boards: by columns where the page has them, else rows.

    A page has columns where its boards stand in separate upright bands and one band holds several of them.
    """
    low = np.array([q.min(axis=0) for q in quads]).reshape(-1, 2)
    high = np.array([q.max(axis=0) for q in quads]).reshape(-1, 2)
    columns = _bands(low[:, 0], high[:, 0])
    if len(columns) > 1 and max(map(len, columns)) > 1:
        return [i for column in columns for i in sorted(column, key=lambda i: float(low[i, 1]))]
    rows = _bands(low[:, 1], high[:, 1])
    return [i for row in rows for i in sorted(row, key=lambda i: float(low[i, 0]))]
