"""Where a lattice's nodes lie to a fraction of a pixel, and the lattice fitted to them.

Used by `board_evidence` (a first straightening) and `boards` (the final corners, and snapping by hand). The
lattice is straightened, so that one size of quadrant serves all nodes; every node is looked for near where
it should be; the homography is fitted to what was found. What always holds: a lattice that cannot be
fitted better is returned as None, never bent towards a few doubtful nodes.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fen_core.lattice import Map, corner_response
from fen_core.pyramid import Pyramid, View
from fen_core.quad import Points, fit_homography
from fen_core.rectify import apply_homography

__all__ = ["FINE", "Pass", "all_nodes", "node_signs", "polish", "refit"]

DISTANCE_COST = 0.19  # response a cell: of two equal answers the nearer to the prediction wins
LEAST_NODES = 16  # of 49; fewer do not steady a homography
LEAST_KEPT = 10  # after the outliers are gone


@dataclass(frozen=True, slots=True)
class Pass:
    """How closely to look: pixels a cell, quadrant and search radius in pixels, limits.

    `node` is the least response that counts; `tolerance` the largest residual kept, in cells.
    """

    px: int
    quadrant_px: int
    radius_px: int
    node: float
    tolerance: float


ROUGH = Pass(px=12, quadrant_px=3, radius_px=4, node=0.30, tolerance=0.18)
FINE = (
    Pass(px=24, quadrant_px=8, radius_px=5, node=0.25, tolerance=0.12),
    Pass(px=32, quadrant_px=10, radius_px=4, node=0.25, tolerance=0.08),
)


def all_nodes(low: Points, high: Points) -> NDArray[np.int64]:
    """Return all nodes from `low` to `high`, both included, shape (columns, rows, 2)."""
    columns = np.arange(int(low[0]), int(high[0]) + 1)
    rows = np.arange(int(low[1]), int(high[1]) + 1)
    return np.stack(np.meshgrid(columns, rows, indexing="ij"), axis=-1)


def node_signs(nodes: NDArray[np.int64], sign: int) -> NDArray[np.int64]:
    """Return the sign that the response must have at nodes of shape (…, 2): it alternates from (0, 0)."""
    return np.where(nodes.sum(axis=-1) % 2 == 0, sign, -sign)


def refit(
    pyramid: Pyramid, matrix: Points, low: Points, high: Points, sign: int, look: Pass
) -> Points | None:
    """Fit a lattice to its nodes from `low` to `high` as they are seen.

    Returns
    -------
    ndarray of shape (3, 3), or None
        Lattice coordinates to units of the longer side; None where too few nodes answer.
    """
    nodes = all_nodes(low, high).reshape(-1, 2)
    view = pyramid.view(matrix, low - 1, high + 1, look.px)
    signed = corner_response(view.grey, look.quadrant_px).signed()
    position, answer, certain = _locate(view, signed, nodes, sign, look.radius_px)
    good = (answer > look.node) & certain
    if good.sum() < LEAST_NODES:
        return None
    weights = np.clip(answer[good], 0, 1).astype(np.float64) ** 2
    target = apply_homography(matrix, position[good])
    return _fit(nodes[good].astype(np.float64), target, weights, look.tolerance)


def polish(pyramid: Pyramid, matrix: Points, window: Points, sign: int) -> Points:
    """Return the lattice fitted as finely as the picture allows to the 49 inner nodes of a window."""
    for look in FINE:
        better = refit(pyramid, matrix, window + 1, window + 7, sign, look)
        if better is None:
            break
        matrix = better
    return matrix


def _locate(
    view: View, signed: Map, nodes: NDArray[np.int64], sign: int, radius_px: int
) -> tuple[Points, NDArray[np.floating], NDArray[np.bool_]]:
    """Look for every node near where it should be.

    Returns its position in lattice coordinates, its response there, and whether the best answer lies
    within the radius rather than on its rim.
    """
    signs = node_signs(nodes, sign)
    x, y = view.position(nodes).T
    side = np.arange(-radius_px, radius_px + 1)
    dx, dy = (axis.ravel() for axis in np.meshgrid(side, side))
    around = signed[y[:, None] + dy, x[:, None] + dx] * signs[:, None]
    best = (around - DISTANCE_COST / view.px * np.hypot(dx, dy)).argmax(axis=1)
    answer = around[np.arange(len(best)), best]
    certain = (np.abs(dx[best]) < radius_px) & (np.abs(dy[best]) < radius_px)
    x = np.clip(x + dx[best], 1, signed.shape[1] - 2)
    y = np.clip(y + dy[best], 1, signed.shape[0] - 2)
    middle = signed[y, x] * signs
    offset_x = _vertex(signed[y, x - 1] * signs, middle, signed[y, x + 1] * signs)
    offset_y = _vertex(signed[y - 1, x] * signs, middle, signed[y + 1, x] * signs)
    position = np.stack([x + offset_x, y + offset_y], axis=1) / view.px + view.low
    return position, answer, certain


def _vertex(
    before: NDArray[np.floating], at: NDArray[np.floating], after: NDArray[np.floating]
) -> NDArray[np.floating]:
    """Return where a parabola through three neighbouring values peaks, −½..½ from the middle one."""
    bend = before - 2 * at + after
    flat = np.abs(bend) < 1e-6
    offset = np.clip(0.5 * (before - after) / np.where(flat, 1, bend), -0.5, 0.5)
    return np.where(flat, 0, offset)


def _fit(source: Points, target: Points, weights: Points, tolerance: float) -> Points | None:
    """Fit a homography, drop the nodes off by more than `tolerance` cells, fit again."""
    kept = np.ones(len(source), dtype=bool)
    fitted: Points | None = None
    for limit in (1.6 * tolerance, tolerance):
        fitted = fit_homography(source[kept], target[kept], weights[kept])
        if fitted is None:
            return None
        inverse = np.asarray(np.linalg.inv(fitted), dtype=np.float64)
        residual = apply_homography(inverse, target) - source
        kept = np.hypot(residual[:, 0], residual[:, 1]) < limit
        if kept.sum() < LEAST_KEPT:
            return None
    return fitted
