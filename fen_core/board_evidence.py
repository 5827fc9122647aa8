"""Decide whether a lattice is a board, and which 8×8 of it.

The deciding step of finding boards, between `lattice` (candidates) and `refine` (final corners). A grown
lattice is straightened a little beyond itself and weighed twice: at its nodes (X-corners) and between its
cells (the backgrounds of neighbours differ, alternately). The 8×8 window with the most evidence inside and
the least outside is the board. What always holds: contrast is judged against its surroundings, so that
shadow does not move the window; a whole rank or file too far is the worst mistake there is, and costs
evidence on both kinds.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fen_core.lattice import Lattice, corner_response, local_maximum
from fen_core.pyramid import Pyramid, View
from fen_core.quad import Points, is_plausible, outline_of, overlap_share, stays_in_front
from fen_core.refine import FINE, LEAST_NODES, ROUGH, all_nodes, node_signs, refit
from fen_core.seams import inner_chequer, line_seams

__all__ = ["Candidate", "is_beat", "weigh"]

Values = NDArray[np.floating]

MARGIN = 2  # nodes looked at beyond the lattice on every side; more where it is smaller than a board
STRICT_NOISE = 0.7  # grey levels; evidence may be finer than the search, it looks at few places
STRICT_TEXTURE = 1.0  # texture within the quadrants counts in full: a printed board's nodes are clean
CLEAR_NODE, FAINT_NODE = 0.5, 0.25  # lenient response of the nodes from which the usual contrast is taken
WELL_GROWN = 40  # of 49 nodes: a lattice to be judged even where it cannot be fitted more closely
SLACK_PX = 1  # pixels (of a view) around a node within which its evidence is taken
WEAKEST_NEIGHBOURHOOD = 0.4  # of the median contrast; flat surroundings must not lift noise to evidence
LEAST_WINDOW = 0.3  # mean node evidence of a window worth looking at
OUTSIDE_COST = 0.03  # a side, where the pattern goes on one node beyond the window
SEAM_COST = 0.25  # of the strongest seam within a window, beyond what noise makes
SEAM_NOISE = 0.15  # light-to-dark steps
ASTRIDE = 0.3  # evidence beyond some side from which an inner seam counts in full
FULL_SEAM = 0.3  # light-to-dark steps; a border that is one ends the board, whatever lies beyond
INNER_CHEQUER = 0.55  # of a node's contrast, within the cells: the lattice is a multiple of the true one
BEYOND_PICTURE_COST = 0.04  # a board may be cut by a few pixels, but rarely
BEYOND_PICTURE = 0.4  # cells by which a window may leave the picture before it costs
OVERLAP = 0.03  # of a board that may lie on another: nothing, but for the coarseness of the search
BEAT_CONTRAST = 16.0  # grey levels; a chequer fainter than this may be the beat of a finer pattern, if
BEAT_TEXTURE = 1.4  # times its contrast is what varies within even the quieter of its cells
QUIETER = 25  # percentile of the cells: hatching leaves half of them plain, men stand on few
LIGHT_CORNER_BONUS = 0.02  # the top left square of a board is light; a printed negative's is not


@dataclass(frozen=True, slots=True)
class Candidate:
    """A window of 8×8 cells in a lattice, with what speaks for it.

    `matrix` maps lattice coordinates to units of the picture's longer side; `window` is the top left node;
    `outline` its corners in those units, shape (4, 2). The evidence: `nodes` (mean at the 49 inner nodes,
    against the contrast nearby), `response` and `answering` (mean strict response, share of nodes above
    0.3), `pairs` and `against` (shares of the 112 pairs of neighbours that differ as they should, and the
    other way), `outside` (evidence one node beyond each side, ascending), `contrast` (grey levels).
    """

    matrix: Points
    window: Points
    sign: int
    outline: Points
    nodes: float
    response: float
    answering: float
    pairs: float
    against: float
    outside: tuple[float, float, float, float]
    contrast: float

    @property
    def is_sure(self) -> bool:
        """Whether the evidence suffices by itself."""
        if self._goes_on:
            return False
        strong = self.response > 0.54 and self.pairs > 0.68 and self.response + self.pairs > 1.32
        ends = self.response > 0.66 or self.outside[3] + self.outside[2] < 1.25
        return strong and self.answering > 0.78 and self.against < 0.25 and ends

    @property
    def is_possible(self) -> bool:
        """Whether it may be a board where nothing surer is in the picture: engravings, many arrows.

        Nothing may go on outside, and the cells must alternate.
        """
        if self._goes_on or self.outside[3] >= 0.2:
            return False
        if self.pairs > 0.9 and self.nodes > 0.7 and self.response > 0.2 and self.against < 0.05:
            return True  # pale hatching between black lines: weak nodes, but all cells alternate
        cells_alternate = self.pairs > 0.72 and self.nodes > 0.58 and self.response > 0.27
        nodes_answer = self.response > 0.42 and self.answering > 0.58 and self.nodes > 0.55
        both = self.pairs > 0.64 and self.response + self.pairs > 1.08
        return (cells_alternate and self.against < 0.18) or (nodes_answer and both and self.against < 0.25)

    @property
    def _goes_on(self) -> bool:
        """Whether the pattern continues on two sides: moiré, dots, hatching, text, a floor."""
        third, most = self.outside[2:]
        return third > 0.7 or (third > 0.45 and most > 0.8)

    @property
    def score(self) -> float:
        """How sure it is, 0..1; below one half where it is only possible."""
        mean = float(np.clip((self.response + self.pairs) / 2, 0, 1))
        return 0.5 + 0.5 * mean if self.is_sure else 0.5 * mean

    @property
    def cell(self) -> float:
        """Mean side of a cell in units of the longer side."""
        return float(np.hypot(*(self.outline - np.roll(self.outline, 1, axis=0)).T).mean()) / 8


@dataclass(frozen=True, slots=True)
class _Evidence:
    """Evidence at the nodes (first axis columns) and between the cells of an extended lattice.

    `nodes` and `strict` have shape (n, m); `across` (n, m + 1) compares cells left and right of a column
    of nodes, `down` (n + 1, m) above and below a row of them: cell (i, j) lies left of and above node
    (i, j). `*_plain` is before local scaling, grey levels. `*_seams` are the lines' (see `seams`).
    """

    low: Points
    signs: NDArray[np.int64]
    nodes: Values
    strict: Values
    across: Values
    down: Values
    across_plain: Values
    down_plain: Values
    column_seams: Values
    row_seams: Values
    contrast: float


def weigh(
    pyramid: Pyramid,
    lattice: Lattice,
    matrix: Points,
    *,
    occupied: Sequence[Points] = (),
    upright: bool = True,
) -> Candidate | None:
    """Return the best 8×8 window of a grown lattice with its evidence, or None where there is none.

    Parameters
    ----------
    pyramid : Pyramid
    lattice : Lattice
    matrix : ndarray of shape (3, 3)
        The lattice's own, but to units of the longer side.
    occupied : sequence of ndarray of shape (4, 2)
        Boards found already, in the same units; no window may lie on one.
    upright : bool
        Whether its first rank seen must run from left to right.
    """
    if (lattice.high - lattice.low).min() < 2:
        return None  # a single row of cells: neither side of a line can be compared with the next
    fitted = refit(pyramid, matrix, lattice.low, lattice.high, lattice.sign, ROUGH)
    if fitted is None:
        if len(lattice.points) < WELL_GROWN:
            return None
        fitted = matrix
    room = np.maximum(MARGIN, 9 - (lattice.high - lattice.low))  # a window fits on either side
    low, high = lattice.low - room, lattice.high + room
    ends = np.array([[low[0], low[1]], [high[0], low[1]], [high[0], high[1]], [low[0], high[1]]])
    if not stays_in_front(fitted, ends):
        return None
    evidence = _gather(pyramid, fitted, low, high, lattice)
    if evidence is None:
        return None
    best = _best_window(evidence, fitted, lattice.sign, pyramid.extent, occupied)
    return best if best is not None and is_plausible(best.outline, upright=upright) else None


def is_beat(pyramid: Pyramid, candidate: Candidate) -> bool:
    """Say whether a faint chequer is only what a stronger, finer pattern leaves when it is averaged.

    Two line screens or a weave make X-corners at every size of picture. Within a board's plain squares there
    is little; within the squares of such a beat there is the pattern, far stronger than the beat.
    """
    if candidate.contrast > BEAT_CONTRAST:
        return False
    px = FINE[0].px
    view = pyramid.view(candidate.matrix, candidate.window, candidate.window + 8, px)
    cells = view.grey.reshape(8, px, 8, px).swapaxes(1, 2)[:, :, 2:-2, 2:-2]
    texture = float(np.percentile(cells.std(axis=(2, 3)), QUIETER))
    return texture > BEAT_TEXTURE * candidate.contrast


def _gather(
    pyramid: Pyramid, matrix: Points, low: Points, high: Points, lattice: Lattice
) -> _Evidence | None:
    """Measure nodes and cells of a lattice from `low` to `high`, beyond what was seen of it."""
    view = pyramid.view(matrix, low - 1, high + 1, ROUGH.px)
    nodes = all_nodes(low, high)
    signs = node_signs(nodes, lattice.sign)
    position = view.position(nodes)
    x, y = np.moveaxis(position, -1, 0)
    response = corner_response(view.grey)
    seen = view.inside(position)

    def nearby(values: Values) -> Values:
        slack = range(-SLACK_PX, SLACK_PX + 1)
        best: Values = np.max([values[y + j, x + i] * signs for j in slack for i in slack], axis=0)
        return np.asarray(np.where(seen, best, 0.0))

    contrast = nearby(response.contrast)
    lenient = nearby(response.signed(STRICT_NOISE))
    answering = contrast[lenient > CLEAR_NODE]
    if answering.size < LEAST_NODES:
        answering = contrast[lenient > FAINT_NODE]
    if answering.size < LEAST_NODES:
        return None
    typical = max(float(np.median(answering)), 1e-3)
    first, last = (lattice.low - low).astype(int), (lattice.high - low).astype(int)
    core = (slice(first[0], last[0]), slice(first[1], last[1]))
    if inner_chequer(view, response, x[core], y[core], signs[core], typical) > INNER_CHEQUER:
        return None
    cells = _backgrounds(view, len(contrast) + 1, contrast.shape[1] + 1)
    i, j = np.indices(cells.shape)
    # The sign of a node is that of its top left cell: positive where that is the lighter of two neighbours.
    lighter = np.where((i + j) % 2 == 0, signs[0, 0], -signs[0, 0])
    across = (cells[:-1] - cells[1:]) * lighter[:-1]
    down = (cells[:, :-1] - cells[:, 1:]) * lighter[:, :-1]
    return _Evidence(
        low=low,
        signs=signs,
        nodes=_against_surroundings(contrast, typical, -0.5),
        strict=nearby(response.signed(STRICT_NOISE, STRICT_TEXTURE)),
        across=_against_surroundings(across, 2 * typical, -1.0),
        down=_against_surroundings(down, 2 * typical, -1.0),
        across_plain=across,
        down_plain=down,
        column_seams=line_seams(view, cells, typical, slice(first[1] + 1, last[1] + 1)),
        row_seams=line_seams(view.transposed(), cells.T, typical, slice(first[0] + 1, last[0] + 1)),
        contrast=typical,
    )


def _against_surroundings(values: Values, typical: float, least: float) -> Values:
    """Divide by the maximum of the 3×3 neighbourhood: a weak node in bright light must not count as one."""
    surroundings = np.maximum(local_maximum(values, 1), WEAKEST_NEIGHBOURHOOD * typical)
    return np.clip(values / surroundings, least, 1.0)


def _backgrounds(view: View, columns: int, rows: int) -> Values:
    """Return the brightness of every cell's background, shape (columns, rows).

    From patches in its four corners, where pieces are not; the middle two of the four, so that a piece,
    an arrow or a letter that reaches into one of them does not matter.
    """
    px = view.px
    cells = view.grey[: rows * px, : columns * px].reshape(rows, px, columns, px)
    ends = (slice(1, 3), slice(px - 3, px - 1))
    patches = np.stack([cells[:, y][:, :, :, x].mean(axis=(1, 3)) for y in ends for x in ends])
    result: Values = np.sort(patches, axis=0)[1:3].mean(axis=0).T
    return result


def _box_sums(values: Values, columns: int, rows: int) -> Values:
    """Return the sums over every window of columns × rows elements."""
    sums = np.zeros((values.shape[0] + 1, values.shape[1] + 1))
    sums[1:, 1:] = values.cumsum(axis=0).cumsum(axis=1)
    strips = sums[columns:] - sums[:-columns]
    result: Values = strips[:, rows:] - strips[:, :-rows]
    return result


def _best_window(
    evidence: _Evidence, matrix: Points, sign: int, extent: Points, occupied: Sequence[Points]
) -> Candidate | None:
    """Choose the 8×8 window; its border nodes are ranges a..a+8 and b..b+8 of the evidence."""
    count = np.array(evidence.nodes.shape) - 8
    here = (slice(1, count[0] + 1), slice(1, count[1] + 1))
    nodes = _box_sums(evidence.nodes, 7, 7)[here] / 49
    pairs = (_box_sums(evidence.across, 7, 8)[here] + _box_sums(evidence.down, 8, 7)[here]) / 112
    beyond = _outside(evidence.nodes)
    outside = beyond * (1 - _border_seams(evidence, count))
    score = (nodes + pairs) / 2 - OUTSIDE_COST * np.maximum(outside, 0).sum(axis=0)
    score += LIGHT_CORNER_BONUS * (evidence.signs[here] > 0)
    # A window astride two boards has more of them beyond it; without that, a seam is a row of men.
    astride = np.clip(beyond.max(axis=0) / ASTRIDE, 0, 1)
    score -= SEAM_COST * astride * np.maximum(_inner_seams(evidence, count) - SEAM_NOISE, 0)
    for a, b in np.argwhere(nodes >= LEAST_WINDOW):
        outline = outline_of(matrix, evidence.low + np.array([a, b]))
        score[a, b] -= BEYOND_PICTURE_COST * _leaves(outline, extent)
        if any(overlap_share(outline, other) > OVERLAP for other in occupied):
            score[a, b] = -np.inf
    score[nodes < LEAST_WINDOW] = -np.inf
    a, b = np.unravel_index(int(score.argmax()), score.shape)
    window = evidence.low + np.array([a, b])
    outline = outline_of(matrix, window)
    if not np.isfinite(score[a, b]):
        return None
    inner = (slice(a + 1, a + 8), slice(b + 1, b + 8))
    across = evidence.across_plain[a + 1 : a + 8, b + 1 : b + 9]
    down = evidence.down_plain[a + 1 : a + 9, b + 1 : b + 8]
    plain = np.concatenate([across.ravel(), down.ravel()])
    usual = max(float(np.median(plain)), 1e-3)
    first, second, third, fourth = np.sort(outside[:, a, b])
    return Candidate(
        matrix=matrix,
        window=window,
        sign=sign,
        outline=outline,
        nodes=float(nodes[a, b]),
        response=float(evidence.strict[inner].mean()),
        answering=float((evidence.strict[inner] > 0.3).mean()),
        pairs=float((plain > 0.35 * usual).mean()),
        against=float((plain < -0.2 * usual).mean()),
        outside=(float(first), float(second), float(third), float(fourth)),
        contrast=evidence.contrast,
    )


def _outside(nodes: Values) -> Values:
    """Return, for every window, the mean evidence of the seven nodes one beyond each side, shape (4, …)."""
    count = np.array(nodes.shape) - 8
    padded = np.pad(nodes, 1)
    upright, level = _box_sums(padded, 1, 7) / 7, _box_sums(padded, 7, 1) / 7
    columns, rows = slice(2, 2 + count[0]), slice(2, 2 + count[1])
    return np.stack(
        [
            upright[: count[0], rows],
            upright[10 : 10 + count[0], rows],
            level[columns, : count[1]],
            level[columns, 10 : 10 + count[1]],
        ]
    )


def _border_seams(evidence: _Evidence, count: NDArray[np.int64]) -> Values:
    """Return, for every window, how surely each side is a seam, 0..1, in the order of `_outside`."""
    columns = np.minimum(evidence.column_seams / FULL_SEAM, 1)[:, None]
    rows = np.minimum(evidence.row_seams / FULL_SEAM, 1)[None, :]
    shape = (int(count[0]), int(count[1]))
    sides = (columns[: count[0]], columns[8 : 8 + count[0]], rows[:, : count[1]], rows[:, 8 : 8 + count[1]])
    return np.stack([np.broadcast_to(side, shape) for side in sides])


def _inner_seams(evidence: _Evidence, count: NDArray[np.int64]) -> Values:
    """Return, for every window, the strongest seam among the seven lines each way inside it."""
    columns = np.array([evidence.column_seams[k + 1 : k + 8].max() for k in range(count[0])])
    rows = np.array([evidence.row_seams[k + 1 : k + 8].max() for k in range(count[1])])
    return np.asarray(np.maximum(columns[:, None], rows[None, :]))


def _leaves(outline: Points, extent: Points) -> bool:
    """Say whether a window leaves the picture by more than `BEYOND_PICTURE` cells."""
    allowed = BEYOND_PICTURE * float(np.hypot(*(outline[1] - outline[0]))) / 8
    return bool((outline < -allowed).any() or (outline > extent + allowed).any())
