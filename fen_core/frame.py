"""Find a board without a clear chequer: by its frame, and what is in it.

The last resort of `boards`, used only where no lattice is sure: old prints leave all squares white or
hatch them with a few strokes, and some photos leave no difference between them. A frame is four long edges
that meet in an upright square; what is inside must be men on 8×8 squares: nothing on the lines between
squares (or lines along all of them), and on some squares one figure each, of a man's size; or lines along
all of them and every other square hatched. What always holds: boxes with text, tables with
other counts, sudoku and go boards do not pass; a find is only possible, never sure.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from fen_core.pyramid import Pyramid
from fen_core.quad import BOARD_OUTLINE, Points, mean_side
from fen_core.rectify import apply_homography, homography

__all__ = ["framed_board"]

COARSE_PX = 384  # longer side of the level searched, twice that in a picture from
FINE_FROM_PX = 500  # pixels on: a frame's line must still be seen
STEP = 22.0  # grey levels across an edge of the frame
CROSSING_PX = 3  # gap on either side that a crossing line leaves in an edge
TWIN_PX = 2  # runs whose row and ends differ by no more are one line, seen twice
SHORTEST_SIDE = 0.12  # of the longer side
MOST_PAIRS = 400  # pairs of level edges tried, longest first
INWARDS_PX = 7  # how far the inner line of a double frame is looked for
CLEAR_STEP = 0.6  # of the greatest step: lines of one frame are about as dark
ASPECT = 0.12  # by which a board's height may differ from its width
SIDE_DRAWN = 0.85  # share of a side of the frame that must be edge
VIEW_PX = 16  # pixels a square when the inside is judged
INK = 0.12  # of the way from paper to ink: what counts as inked
DARKEST = 0.3  # percentile that is taken for ink: three men cover one in a hundred pixels
LEAST_CONTRAST = 50.0  # grey levels between paper and ink
FREE_LINE = 0.14  # most ink on a line between squares that no line is drawn along
DRAWN_LINE = 0.8  # least ink on one that a line is drawn along
MARGIN_PX = 3  # of a square's side, without what may be a line
OCCUPIED = 0.05  # least share of ink on a square with a man
MAN_HEIGHT = 0.5  # least height of a man, in squares
SUREST = 0.49  # a frame and what is in it are never sure: the reader must agree
NEARLY = 0.8  # of the surest: of frames within frames, the innermost holds the squares
FEWEST_MEN, MOST_MEN = 3, 40
FEWEST_ON_LINES = 2  # where all the lines between squares are drawn
FEWEST_RANKS = 2  # ranks, and files, on which men stand: a title or a column of numbers stands on one
LEAST_HATCHING = 0.06  # share of ink by which a hatched square must exceed its plain neighbours
LEAST_ALTERNATION = 0.7  # share of neighbours that must; 14 drawn lines speak for the board already
PROPER_MEN = 0.8  # share of the occupied squares that must look like one


def framed_board(pyramid: Pyramid) -> tuple[Points, float] | None:
    """Return the corners of a framed board, in units of the longer side, and how sure it is (0..½)."""
    level = pyramid.level(COARSE_PX if pyramid.long_px < FINE_FROM_PX else 2 * COARSE_PX)
    found: dict[tuple[float, ...], tuple[Points, float]] = {}
    for outline in _frames(level.grey):
        corners = _snapped(level.grey, outline) / level.long_px
        key = tuple(corners.ravel())
        if key not in found:
            found[key] = corners, _squares_inside(pyramid, corners)
    surest = max((sureness for _, sureness in found.values()), default=0.0)
    if surest == 0:
        return None
    near = [pair for pair in found.values() if pair[1] >= NEARLY * surest]
    return min(near, key=lambda pair: mean_side(pair[0]))


def _edges(grey: NDArray[np.float32]) -> NDArray[np.bool_]:
    """Return where brightness steps between rows, spread by one row: shape as given."""
    step = np.zeros(grey.shape, dtype=bool)
    step[1:-1] = np.abs(grey[2:] - grey[:-2]) > STEP
    spread = step.copy()
    spread[1:] |= step[:-1]
    spread[:-1] |= step[1:]
    return _bridged(spread)


def _bridged(edges: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Close the short gaps that crossing lines leave: the box of a table is no frame, its lines go on."""
    bridged = edges.copy()
    for before in range(1, CROSSING_PX + 1):
        for after in range(1, CROSSING_PX + 1):
            bridged[:, before:-after] |= edges[:, : -before - after] & edges[:, before + after :]
    return bridged


def _runs(edges: NDArray[np.bool_], shortest: int) -> NDArray[np.int64]:
    """Return long runs of edge along rows, as (row, start, end), longest first, near twins left out."""
    padded = np.pad(edges, ((0, 0), (1, 1))).astype(np.int8)
    change = np.diff(padded, axis=1)
    rows, starts = np.nonzero(change == 1)
    ends = np.nonzero(change == -1)[1]
    long = ends - starts >= shortest
    runs = np.stack([rows, starts, ends], axis=1)[long]
    runs = runs[np.argsort(runs[:, 1] - runs[:, 2], kind="stable")]
    kept: list[tuple[int, int, int]] = []
    by_row: dict[int, list[tuple[int, int]]] = {}
    for row, start, end in runs[: 4 * MOST_PAIRS].tolist():
        near = (other for k in range(row - TWIN_PX, row + TWIN_PX + 1) for other in by_row.get(k, ()))
        if all(abs(start - first) > TWIN_PX or abs(end - last) > TWIN_PX for first, last in near):
            kept.append((row, start, end))
            by_row.setdefault(row, []).append((start, end))
    return np.array(kept, dtype=np.int64).reshape(-1, 3)


def _frames(grey: NDArray[np.float32]) -> Iterator[Points]:
    """Yield the corners, px, of upright squares of four long edges, largest first."""
    runs = _runs(_edges(grey), round(SHORTEST_SIDE * max(grey.shape)))
    if not len(runs):
        return
    upright = _edges(grey.T).astype(np.int64)  # [x, y]
    sums = np.pad(np.cumsum(upright, axis=1), ((0, 0), (1, 0)))
    row, start, end = runs.T
    quarter = (end - start) // 4
    # A frame's top has two sides that go down from its ends, its bottom two that go up: lines of text do not.
    tops = runs[_drawn(sums, start, row, row + quarter) & _drawn(sums, end, row, row + quarter)]
    bottoms = runs[_drawn(sums, start, row - quarter, row) & _drawn(sums, end, row - quarter, row)]
    tried = 0
    for row, start, end in tops:
        width = end - start
        fits = (np.abs(bottoms[:, 0] - row - width) <= ASPECT * width) & (bottoms[:, 0] > row)
        fits &= (np.abs(bottoms[:, 1:] - (start, end)) <= 0.03 * width + 3).all(axis=1)
        partners = bottoms[fits]
        tried += len(partners)
        if tried > MOST_PAIRS:
            return
        left, right = (start + partners[:, 1]) / 2, (end + partners[:, 2]) / 2
        above, below = np.full(len(partners), row), partners[:, 0]
        whole = _drawn(sums, left, above, below) & _drawn(sums, right, above, below)
        for x0, x1, y1 in zip(left[whole], right[whole], below[whole], strict=True):
            yield np.array([[x0, row], [x1, row], [x1, y1], [x0, y1]], dtype=np.float64)


def _drawn(
    sums: NDArray[np.int64], x: NDArray[np.number], top: NDArray[np.int64], bottom: NDArray[np.int64]
) -> NDArray[np.bool_]:
    """Say for each of n columns whether an upright edge runs near it from `top` to `bottom`."""
    last = sums.shape[1] - 1
    near = np.clip(np.rint(x).astype(np.int64)[:, None] + np.arange(-4, 4), 0, len(sums) - 1)
    covered = sums[near, np.clip(bottom, 0, last)[:, None]] - sums[near, np.clip(top, 0, last)[:, None]]
    return np.asarray(covered.max(axis=1) >= SIDE_DRAWN * np.maximum(bottom - top, 1))


def _snapped(grey: NDArray[np.float32], outline: Points) -> Points:
    """Move the sides of an upright square to the inner flank of the frame's line, and let them slant.

    Each side is looked for at its two ends: the last clear step from dark to light on the way in, which is
    the inner line's where the frame is double.
    """
    (left, top), (right, bottom) = outline[0], outline[2]
    side = right - left
    middle_x, middle_y = (left + right) / 2, (top + bottom) / 2
    quarter = side / 4

    def inner(values: NDArray[np.float32], at: float, along: float, direction: int) -> float:
        reach = np.arange(-5, INWARDS_PX + 1)
        band = slice(max(0, round(along - side / 8)), round(along + side / 8))
        index = np.clip(round(at) + reach * direction, 1, values.shape[0] - 2)
        part = values[index, band]
        step = np.diff(np.median(part, axis=1)) if part.size else np.zeros(len(reach) - 1)
        if step.max() <= STEP / 2:
            return at
        last = int(np.flatnonzero(step >= CLEAR_STEP * step.max())[-1])
        return float(at + direction * (reach[last] + 1))

    lines = []
    for values, at, middle, direction in (
        (grey, top, middle_x, 1),
        (grey.T, right, middle_y, -1),
        (grey, bottom, middle_x, -1),
        (grey.T, left, middle_y, 1),
    ):
        first, second = (inner(values, at, middle + shift, direction) for shift in (-quarter, quarter))
        lines.append((first + second, (second - first) / (2 * quarter), middle))
    return _corners(lines)


def _corners(lines: list[tuple[float, float, float]]) -> Points:
    """Intersect top, right, bottom, left; each is (twice its middle, slope, where its middle lies)."""

    def meet(level: tuple[float, float, float], upright: tuple[float, float, float]) -> list[float]:
        y0, slope_y, x_middle = level[0] / 2, level[1], level[2]
        x0, slope_x, y_middle = upright[0] / 2, upright[1], upright[2]
        x = (x0 + slope_x * (y0 - slope_y * x_middle - y_middle)) / (1 - slope_x * slope_y)
        return [x, y0 + slope_y * (x - x_middle)]

    top, right, bottom, left = lines
    return np.array([meet(top, left), meet(top, right), meet(bottom, right), meet(bottom, left)])


def _squares_inside(pyramid: Pyramid, corners: Points) -> float:
    """Return how surely a quadrilateral holds men, or a chequer between lines, on 8×8 squares: 0..½."""
    matrix = homography(BOARD_OUTLINE, corners)
    if not np.isfinite(apply_homography(matrix, BOARD_OUTLINE)).all():
        return 0.0
    view = pyramid.view(matrix, np.zeros(2), np.full(2, 8.0), VIEW_PX)
    paper, ink = np.percentile(view.grey, 80), np.percentile(view.grey, DARKEST)
    if paper - ink < LEAST_CONTRAST:
        return 0.0
    inked = view.grey < paper - INK * (paper - ink)
    free = _on_lines(inked, range(-1, 1))
    drawn = _on_lines(inked, range(-2, 2))
    is_free = bool(np.median(free) < FREE_LINE and np.sort(free)[-2] < 2 * FREE_LINE)
    if not is_free and np.sort(drawn)[1] < DRAWN_LINE:
        return 0.0
    squares = inked.reshape(8, VIEW_PX, 8, VIEW_PX).swapaxes(1, 2)
    squares = squares[:, :, MARGIN_PX:-MARGIN_PX, MARGIN_PX:-MARGIN_PX]
    if not is_free and (alternate := _alternation(squares)) >= LEAST_ALTERNATION:
        return SUREST * alternate * float(drawn.mean())
    proper = _proper_men(squares, FEWEST_MEN if is_free else FEWEST_ON_LINES)
    clean = 1 - float(free.mean()) if is_free else float(drawn.mean())
    return SUREST * proper * clean


def _proper_men(squares: NDArray[np.bool_], fewest: int) -> float:
    """Return the share of the occupied squares, of shape (8, 8, n, n), that look like a man's; 0 if few."""
    occupied = squares.mean(axis=(2, 3)) > OCCUPIED
    men = int(occupied.sum())
    spread = min(int(occupied.any(axis=0).sum()), int(occupied.any(axis=1).sum()))
    if not fewest <= men <= MOST_MEN or spread < FEWEST_RANKS:
        return 0.0
    height = squares.any(axis=3).sum(axis=2)[occupied] + 1
    proper = float((height >= MAN_HEIGHT * VIEW_PX).mean())
    return proper if proper >= PROPER_MEN else 0.0


def _alternation(squares: NDArray[np.bool_]) -> float:
    """Return the share of neighbouring squares of which the one that should be hatched is: 0..1.

    Ink is counted near the squares' corners, where men do not reach.
    """
    reach = VIEW_PX // 4
    ends = (slice(0, reach), slice(-reach, None))
    ink = np.median([squares[:, :, y, x].mean(axis=(2, 3)) for y in ends for x in ends], axis=0)
    rank, file = np.indices(ink.shape)
    dark = np.where((rank + file) % 2 == 1, 1, -1)  # the top left square is light
    steps = np.concatenate(
        [
            (dark[:, 1:] * (ink[:, 1:] - ink[:, :-1])).ravel(),
            (dark[1:] * (ink[1:] - ink[:-1])).ravel(),
        ]
    )
    return float((steps > LEAST_HATCHING).mean())


def _on_lines(inked: NDArray[np.bool_], offsets: range) -> NDArray[np.float64]:
    """Return the share of ink along each of the 7 + 7 lines between squares, the most of some offsets."""
    at = np.arange(1, 8) * VIEW_PX
    level = np.max([inked[at + k].mean(axis=1) for k in offsets], axis=0)
    upright = np.max([inked[:, at + k].mean(axis=0) for k in offsets], axis=0)
    return np.concatenate([level, upright])
