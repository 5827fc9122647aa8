"""Where a chequer's corners are, and lattices grown from them.

The search step of finding boards, between `pyramid` (brightness) and `board_evidence` (is it a board, and
which 8×8 of it?). In a chequer, two cells of one shade meet at every inner node with two of the other: an
X-corner. Its response is signed, and the sign alternates from node to node. Text, lines and frames have few
such corners and no alternation, which is why frames and coordinates need no treatment of their own.
What always holds: positions are (x, y) pixel corners of the level searched; thresholds are flat, the
decision is left to the evidence.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fen_core.quad import Points, fit_homography
from fen_core.rectify import apply_homography

__all__ = ["Lattice", "Map", "Response", "corner_response", "local_maximum", "search"]

Map = NDArray[np.float32]

SHORTEST_CELL_PX = 5  # below this a 3×3 quadrant no longer fits into a cell
LONGEST_CELL_PX = 14  # above this the next coarser level sees the board
QUADRANT_PX = 3  # side of the four squares compared around a pixel corner
SEARCH_NOISE = 2.0  # grey levels; keeps flat, noisy areas from answering
SEARCH_TEXTURE = 0.25  # share of the variance within quadrants that counts against a corner: hatching passes
PEAK = 0.30  # least |response| of a node that may begin a lattice
MOST_PEAKS = 2500  # strongest kept; a page of text has more
NEIGHBOURS = 3  # candidates kept to the right of a peak, and below it
MAX_CELL_RATIO = 1.45  # length of the two steps of a cell: 30° of perspective and its noise
MAX_SLOPE = 0.42  # of a step to the right: 23°, for 20° of rotation and what perspective adds
MAX_CELL_COSINE = 0.42  # the two steps of a cell are within 25° of a right angle
SEED = 0.40  # least mean response of the 4×4 nodes that a seed predicts
MOST_SEEDS = 400  # best seeds looked at
MOST_FAILURES = 10  # seeds in a row of failures after which a level is given up
NODE = 0.25  # least response of a node that a growing lattice accepts
LINE_SUPPORT = 0.45  # share of a border line's nodes that must answer for the lattice to grow past it
LEAST_NODES = 20  # of 49 inner nodes of a board; fewer prove nothing
MOST_STEPS = 14  # rounds of growth; a board needs four to six
WIDEST = 11  # nodes a side up to which a lattice grows: a board has 9, with its outline


@dataclass(frozen=True, slots=True)
class Response:
    """What the four quadrants around every pixel corner say; maps of shape (rows + 1, columns + 1).

    `contrast` is positive where top left and bottom right are the lighter quadrants, grey levels;
    `of_means` is the variance of the four means, `of_pixels` that of all pixels in them.
    """

    contrast: Map
    of_means: Map
    of_pixels: Map

    def signed(self, noise: float = SEARCH_NOISE, texture: float = SEARCH_TEXTURE) -> Map:
        """Return the contrast as a share of what varies around the corner: −1..1.

        C / (√(Q + texture · (V − Q)) + noise), where Q is the variance of the means and V that of the
        pixels: 1 for a clean chequer of any contrast, near 0 for an edge or a line. `texture` 0 forgives
        any texture within the quadrants, 1 none; `noise` is in grey levels.
        """
        variance = self.of_means + texture * np.maximum(self.of_pixels - self.of_means, 0)
        return np.asarray(self.contrast / (np.sqrt(variance) + noise))


@dataclass(frozen=True, slots=True)
class Lattice:
    """Nodes that lie as a chequer's corners do: `matrix` maps lattice coordinates to positions.

    `sign` is the sign of the response at node (0, 0); nodes from `low` to `high` were seen; `points` are
    the seen ones' positions, shape (n, 2).
    """

    matrix: Points
    sign: int
    low: Points
    high: Points
    points: Points


def corner_response(grey: Map, quadrant_px: int = QUADRANT_PX) -> Response:
    """Compare the four quadrants around every pixel corner: C = (TL + BR − TR − BL) / 4 of their means.

    Parameters
    ----------
    grey : ndarray of shape (rows, columns), float32
    quadrant_px : int
        Side of a quadrant, pixels.

    Notes
    -----
    In float32: a level's brightness is whole numbers, of which sums of squares over a quadrant are exact;
    the mean is taken out first, which does as much for a view's.
    """
    height, width = grey.shape
    s = quadrant_px
    padded = np.pad(grey, s, mode="edge")
    padded -= np.rint(padded.mean(dtype=np.float64)).astype(np.float32)
    sums, squares = _box_sums(padded, s), _box_sums(padded * padded, s)
    north, south = slice(0, height + 1), slice(s, s + height + 1)
    west, east = slice(0, width + 1), slice(s, s + width + 1)
    share = np.float32(0.25 / (s * s))
    first, second = sums[north, west] + sums[south, east], sums[north, east] + sums[south, west]
    third, fourth = sums[north, west] - sums[south, east], sums[north, east] - sums[south, west]
    contrast = (first - second) * share
    across = (third - fourth) * share
    down = (third + fourth) * share
    mean = (first + second) * share
    of_means = contrast * contrast + across * across + down * down
    of_pixels = squares[north, west] + squares[north, east]
    of_pixels += squares[south, west]
    of_pixels += squares[south, east]
    of_pixels *= share
    of_pixels -= mean * mean
    return Response(contrast, of_means, of_pixels)


def _box_sums(values: Map, side: int) -> Map:
    """Return the sums over every block of side × side elements, by its top left: doubled, not one by one."""
    for axis in (0, 1):
        total: Map | None = None
        length, covered, block = 1, 0, values
        count = values.shape[axis] - side + 1
        while length <= side:
            if side & length:
                part = _along(block, axis, covered, count)
                total = part if total is None else total + part
                covered += length
            if 2 * length <= side:
                block = _along(block, axis, 0, -length) + _along(block, axis, length, None)
            length *= 2
        assert total is not None
        values = total
    return values


def _along(values: Map, axis: int, first: int, last: int | None) -> Map:
    """Return part of an array along one axis: from `first`, so many elements, or up to one from the end."""
    end = first + last if last is not None and last > 0 else last
    return values[first:end] if axis == 0 else values[:, first:end]


def local_maximum(values: Map, radius: int) -> Map:
    """Return the maximum over the (2·radius + 1)² neighbourhood of every element, shape as given."""
    height, width = values.shape
    padded = np.pad(values, radius, constant_values=-np.inf)
    shifts = range(1, 2 * radius + 1)
    rows = padded[:height].copy()
    for shift in shifts:
        np.maximum(rows, padded[shift : shift + height], out=rows)
    result = rows[:, :width].copy()
    for shift in shifts:
        np.maximum(result, rows[:, shift : shift + width], out=result)
    return result


@dataclass(frozen=True, slots=True)
class _Seeds:
    """Cells to begin with, best first: a node, its steps to the right and down, its sign, all (n, …)."""

    node: NDArray[np.int64]
    right: NDArray[np.int64]
    down: NDArray[np.int64]
    sign: NDArray[np.int64]


def _steps() -> NDArray[np.int64]:
    """Return every step (dx, dy) from a node to its right neighbour that is looked at."""
    reach = LONGEST_CELL_PX + 2
    dx, dy = np.meshgrid(np.arange(1, reach), np.arange(-reach, reach), indexing="ij")
    length = np.hypot(dx, dy)
    allowed = (length >= SHORTEST_CELL_PX - 0.5) & (length <= LONGEST_CELL_PX + 0.5)
    allowed &= np.abs(dy) <= MAX_SLOPE * dx
    return np.stack([dx[allowed], dy[allowed]], axis=1)


STEPS_RIGHT = _steps()
STEPS_DOWN = STEPS_RIGHT[:, ::-1] * np.array([-1, 1])


def _peaks(signed: Map) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the columns and rows of the strongest local maxima of |response|."""
    strength = np.abs(signed)
    rows, columns = np.nonzero((strength >= local_maximum(strength, 2)) & (strength > PEAK))
    if len(rows) > MOST_PEAKS:
        best = np.argsort(-strength[rows, columns], kind="stable")[:MOST_PEAKS]
        rows, columns = rows[best], columns[best]
    return columns, rows


def _seeds(signed: Map) -> _Seeds | None:
    """Pair peaks with neighbours of the opposite sign into cells, ranked by the nodes that these predict."""
    x, y = _peaks(signed)
    if len(x) < 9:
        return None
    sign = np.sign(signed[y, x])
    border = LONGEST_CELL_PX + 2
    only_peaks = np.zeros((signed.shape[0] + 2 * border, signed.shape[1] + 2 * border), dtype=np.float32)
    only_peaks[y + border, x + border] = signed[y, x]

    def best_neighbours(steps: NDArray[np.int64]) -> tuple[NDArray[np.int64], Map]:
        answer = only_peaks[(y + border)[:, None] + steps[:, 1], (x + border)[:, None] + steps[:, 0]]
        answer *= -sign[:, None]
        best = np.argpartition(-answer, NEIGHBOURS - 1, axis=1)[:, :NEIGHBOURS]
        return best, np.take_along_axis(answer, best, axis=1)

    right, right_answer = best_neighbours(STEPS_RIGHT)
    down, down_answer = best_neighbours(STEPS_DOWN)
    node, i, j = np.nonzero((right_answer > 0)[:, :, None] & (down_answer > 0)[:, None, :])
    u, v = STEPS_RIGHT[right[node, i]], STEPS_DOWN[down[node, j]]
    length_u, length_v = np.hypot(*u.T), np.hypot(*v.T)
    good = (length_u < MAX_CELL_RATIO * length_v) & (length_v < MAX_CELL_RATIO * length_u)
    good &= np.abs((u * v).sum(axis=1)) < MAX_CELL_COSINE * length_u * length_v
    node, u, v = node[good], u[good], v[good]
    if not len(node):
        return None
    seeds = _Seeds(np.stack([x[node], y[node]], axis=1), u, v, sign[node].astype(np.int64))
    score = _seed_scores(signed, seeds)
    order = np.argsort(-score, kind="stable")[:MOST_SEEDS]
    order = order[score[order] >= SEED]
    return _Seeds(seeds.node[order], seeds.right[order], seeds.down[order], seeds.sign[order])


def _seed_scores(signed: Map, seeds: _Seeds) -> NDArray[np.float32]:
    """Return the mean response, rightly signed, at the 4×4 nodes around every seed."""
    border = 3 * LONGEST_CELL_PX + 12
    height, width = signed.shape
    spread = np.zeros((2, height + 2 * border, width + 2 * border), dtype=np.float32)
    spread[0, border:-border, border:-border] = local_maximum(signed, 1)
    spread[1, border:-border, border:-border] = local_maximum(-signed, 1)
    total = np.zeros(len(seeds.node), dtype=np.float32)
    for i in (-1, 0, 1, 2):
        for j in (-1, 0, 1, 2):
            x, y = (seeds.node + i * seeds.right + j * seeds.down + border).T
            wants_negative = (seeds.sign > 0) != ((i + j) % 2 == 0)
            total += spread[wants_negative.astype(np.int64), y, x]
    total /= 16
    return total


def search(
    signed: Map, judge: Callable[[Lattice], Points | None], blanked: NDArray[np.bool_] | None = None
) -> None:
    """Grow lattices from the best seeds of a level and show each to a judge.

    Parameters
    ----------
    signed : ndarray
        X-corner response of the level.
    judge : callable
        Returns the outline, shape (4, 2), of a board that it made out in the lattice, or None. Nothing
        further begins within that outline, or within the lattice itself where there is none. After
        `MOST_FAILURES` lattices without a board the level is given up.
    blanked : ndarray of bool, same shape, optional
        Where nothing is looked for.
    """
    if blanked is not None:
        signed = np.where(blanked, np.float32(0), signed)
    seeds = _seeds(signed)
    if seeds is None:
        return
    taken = np.zeros(signed.shape, dtype=bool)
    failures = 0
    for (x, y), right, down, sign in zip(seeds.node, seeds.right, seeds.down, seeds.sign, strict=True):
        if failures >= MOST_FAILURES:
            return
        if taken[y, x]:
            continue
        taken[max(0, y - 3) : y + 4, max(0, x - 3) : x + 4] = True
        lattice = _grow(signed, np.array([x, y]), right, down, int(sign))
        if lattice is None:
            failures += 1
            continue
        outline = judge(lattice)
        failures += outline is None
        covered = lattice.points if outline is None else outline
        left, top = np.maximum(covered.min(axis=0).astype(int) - 2, 0)
        right_end, bottom_end = np.maximum(covered.max(axis=0).astype(int) + 3, 0)
        taken[top:bottom_end, left:right_end] = True


def _disc(radius: int) -> NDArray[np.int64]:
    side = np.arange(-radius, radius + 1)
    return np.stack([axis.ravel() for axis in np.meshgrid(side, side)], axis=1)


WINDOWS = {radius: _disc(radius) for radius in (2, 3)}
DISTANCE_COST = 0.02  # response a pixel: of two equal answers the nearer to the prediction wins


def _grow(
    signed: Map, node: NDArray[np.int64], right: NDArray[np.int64], down: NDArray[np.int64], sign: int
) -> Lattice | None:
    """Extend a seed line by line: predict nodes, look for them nearby, fit a homography, predict further."""
    matrix: Points = np.vstack([np.stack([right, down, node], axis=1), [0, 0, 1]]).astype(np.float64)
    cell_px = (np.hypot(*right) + np.hypot(*down)) / 2
    low, high = np.array([-1.0, -1.0]), np.array([2.0, 2.0])
    seen_before = 0
    for _ in range(MOST_STEPS):
        i, j = np.meshgrid(np.arange(low[0], high[0] + 1), np.arange(low[1], high[1] + 1), indexing="ij")
        nodes = np.stack([i.ravel(), j.ravel()], axis=1)
        position, answer = _look_for_nodes(signed, apply_homography(matrix, nodes), nodes, sign, cell_px)
        seen = answer > NODE
        weights = np.clip(answer[seen], 0, 1).astype(np.float64)
        fitted = _fit_robustly(nodes[seen], position[seen], weights, max(1.2, 0.2 * cell_px))
        if fitted is None:
            return None
        matrix, kept = fitted
        good = np.zeros(len(nodes), dtype=bool)
        good[np.nonzero(seen)[0][kept]] = True
        new_low, new_high = _grown_range(good.reshape(i.shape), low, high)
        if (new_low == low).all() and (new_high == high).all() and seen.sum() == seen_before:
            break
        seen_before = int(seen.sum())
        low, high = new_low, new_high
    if good.sum() < LEAST_NODES:
        return None
    return Lattice(matrix, sign, nodes[good].min(axis=0), nodes[good].max(axis=0), position[good])


def _look_for_nodes(
    signed: Map, predicted: Points, nodes: Points, sign: int, cell_px: float
) -> tuple[Points, NDArray[np.float32]]:
    """Return the best position near every predicted node and its response there, −1 outside the picture."""
    radius = 2 if cell_px < 9 else 3
    window = WINDOWS[radius]
    limit = np.array([signed.shape[1], signed.shape[0]]) - 1 - radius
    centre = np.rint(predicted)
    inside = ((centre >= radius) & (centre <= limit)).all(axis=1)
    centre = np.clip(np.nan_to_num(centre), radius, limit).astype(np.int64)
    wanted = np.where(nodes.sum(axis=1) % 2 == 0, sign, -sign)
    around = signed[centre[:, 1, None] + window[:, 1], centre[:, 0, None] + window[:, 0]] * wanted[:, None]
    around = around - DISTANCE_COST * np.hypot(window[:, 0], window[:, 1])
    best = around.argmax(axis=1)
    answer = np.where(inside, around[np.arange(len(best)), best], -1).astype(np.float32)
    return (centre + window[best]).astype(np.float64), answer


def _fit_robustly(
    nodes: Points, position: Points, weights: NDArray[np.float64], tolerance_px: float
) -> tuple[Points, NDArray[np.bool_]] | None:
    """Fit a homography twice, the second time without the points that lie too far from the first."""
    everything = np.ones(len(nodes), dtype=bool)
    if len(nodes) < 7:
        return None
    matrix = fit_homography(nodes, position, weights)
    if matrix is None:
        return None
    kept = np.hypot(*(apply_homography(matrix, nodes) - position).T) < tolerance_px
    if kept.sum() < 7:
        return matrix, everything if kept.all() else kept
    refitted = fit_homography(nodes[kept], position[kept], weights[kept])
    return (refitted, kept) if refitted is not None else None


def _grown_range(good: NDArray[np.bool_], low: Points, high: Points) -> tuple[Points, Points]:
    """Move every border of the range outwards whose line of nodes is well supported."""
    low, high = low.copy(), high.copy()
    for axis, (first, last) in enumerate(((good[0], good[-1]), (good[:, 0], good[:, -1]))):
        if high[axis] - low[axis] < WIDEST:
            grow_low, grow_high = first.mean() >= LINE_SUPPORT, last.mean() >= LINE_SUPPORT
            low[axis] -= grow_low
            high[axis] += grow_high
    return low, high
