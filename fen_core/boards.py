"""Find the boards of a picture: the public door to `pyramid`, `lattice`, `board_evidence` and `refine`.

Picture (rows, columns, 3) → 0..n quadrilaterals with a score, in reading order. Stands between `image` and
`rectify`. The picture is searched from coarse to fine, so that large boards cost little and small ones are
still found; what was found is blanked before the search goes on. What always holds: corners are those of
the 8×8 squares, never of the frame, in the pixels of the picture given; no board is an answer, not an error;
corners set by a person are never changed unless the person asks (`snap`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fen_core.board_evidence import Candidate, is_beat, weigh
from fen_core.frame import framed_board
from fen_core.lattice import QUADRANT_PX, SEARCH_TEXTURE, Lattice, corner_response, search
from fen_core.pyramid import COARSE_TO_FINE_PX, FINEST_PX, Pyramid
from fen_core.quad import BOARD_OUTLINE, Points, inside_mask, outline_of, overlap_share, reading_order, scaled
from fen_core.rectify import apply_homography, homography
from fen_core.refine import polish

__all__ = ["Board", "find", "snap"]

SMALLEST_SQUARE_PX = 5.0  # in the picture given; smaller squares cannot be read
SMALL_CELL_PX = 10.0  # at 384 px; boards this small are a reason to look at 768 px for more of them
FINE_SEARCH_FROM_PX = 600  # longer side of the smallest picture in which 768 px can show more than 384 px
FINEST_SEARCH_FROM_PX = 1400
FORGIVING_PX = (
    96,
    192,
)  # levels searched once more for pale hatching between black lines, if nothing is found
FORGIVING_TEXTURE = 0.1  # of `lattice.SEARCH_TEXTURE`'s kind, with quadrants a pixel larger
GHOST_CONTRAST = 0.13  # of the strongest board's: what shows through from the back of the page
CLEAR_RESPONSE = 0.7  # of a faint board that is no ghost
NEIGHBOUR_NEAR = 0.3  # evidence outside a board that hints at another close by
SNAP_CELL_PX = 10  # pixels a cell in the straightened view that is searched when snapping
SNAP_MARGIN = 2  # cells searched beyond the corners that a person set
SNAP_REACH = 1.0  # squares; a corner is never moved further: beyond lies another rank or file
SNAP_RESPONSE = 0.35  # least strict response, and
SNAP_PAIRS = 0.6  # least share of neighbours that differ as they should: a person said that a board is here
SAME_PLACE = 0.6  # share of a frame that a merely possible lattice covers: the frame's corners are better
SAME_BOARD = 0.05  # share of a find that lies on another: one of the two is wrong


@dataclass(frozen=True, slots=True)
class Board:
    """A board in a picture.

    Attributes
    ----------
    corners : ndarray of shape (4, 2), float64
        Top left, top right, bottom right, bottom left of the 8×8 squares as seen, (x, y) in pixels.
    score : float
        How sure it is, 0..1; below one half it is a guess that only good readings should confirm.
    goes_on : float
        How clearly the pattern goes on beyond some side, 0..1: a neighbour close by, or a floor.
    """

    corners: NDArray[np.float64]
    score: float
    goes_on: float = 0.0


def find(image: NDArray[np.uint8], *, limit: int = 24) -> list[Board]:
    """Find the boards of a picture.

    Parameters
    ----------
    image : ndarray of shape (H, W, 3) or (H, W), uint8
    limit : int
        Most boards reported; the surest are kept.

    Returns
    -------
    list of Board
        In reading order: by columns where the page has them, else by rows. Empty where there is none.
    """
    pyramid = Pyramid(image)
    sure: list[Candidate] = []
    possible: list[Candidate] = []
    for long_px in COARSE_TO_FINE_PX:
        if not pyramid.reaches(long_px) and long_px > COARSE_TO_FINE_PX[0]:
            break
        if not _worth_searching(long_px, pyramid, sure):
            continue
        _search_level(pyramid, long_px, sure, possible)
    if not sure and not possible:
        for long_px in FORGIVING_PX:
            _search_level(pyramid, long_px, sure, possible, quadrant_px=4, texture=FORGIVING_TEXTURE)
    found = sure or sorted(possible, key=_likelihood)[-1:]
    found = [c for c in found if c.cell * pyramid.long_px >= SMALLEST_SQUARE_PX]
    found = _without_ghosts(found)[:limit]
    framed = framed_board(pyramid) if not sure else None
    if framed and all(overlap_share(framed[0], c.outline) > SAME_PLACE for c in found):
        boards = [Board(framed[0] * pyramid.long_px, framed[1])]
    else:
        boards = [_as_board(pyramid, candidate) for candidate in found]
    return [boards[i] for i in reading_order([board.corners for board in boards])]


def snap(image: NDArray[np.uint8], corners: ArrayLike) -> Board | None:
    """Move four corners that a person set roughly onto the lattice nearby.

    Parameters
    ----------
    image : ndarray of shape (H, W, 3) or (H, W), uint8
    corners : array_like of shape (4, 2)
        The 8×8 squares' corners, clockwise from any of them; the result keeps their order.

    Returns
    -------
    Board, or None
        None where no lattice lies within a square of the corners: they stay as they are.

    Raises
    ------
    ValueError
        If the corners are no four points in general position.
    """
    pyramid = Pyramid(image)
    hand = np.asarray(corners, dtype=np.float64) / pyramid.long_px
    by_hand = homography(BOARD_OUTLINE, hand)
    low = np.full(2, -float(SNAP_MARGIN))
    view = pyramid.view(by_hand, low, 8 - low, SNAP_CELL_PX)
    from_view = by_hand @ np.array([[1 / SNAP_CELL_PX, 0, low[0]], [0, 1 / SNAP_CELL_PX, low[1]], [0, 0, 1]])
    near: list[Candidate] = []

    def judge(lattice: Lattice) -> Points | None:
        candidate = weigh(pyramid, lattice, from_view @ lattice.matrix, upright=False)
        if candidate is None or candidate.response < SNAP_RESPONSE or candidate.pairs < SNAP_PAIRS:
            return None
        if np.abs(candidate.outline - hand).max() > SNAP_REACH * candidate.cell:
            return None
        near.append(candidate)
        return apply_homography(np.linalg.inv(from_view), candidate.outline)

    search(corner_response(view.grey).signed(), judge)
    return _as_board(pyramid, max(near, key=_likelihood)) if near else None


def _worth_searching(long_px: int, pyramid: Pyramid, sure: Sequence[Candidate]) -> bool:
    """Say whether a level can show boards that the coarser ones did not."""
    if long_px == FINEST_PX:
        return not sure and pyramid.long_px >= FINEST_SEARCH_FROM_PX
    if long_px == FINEST_PX // 2:
        small = not sure or min(c.cell for c in sure) * (long_px // 2) <= SMALL_CELL_PX
        return small and pyramid.long_px >= FINE_SEARCH_FROM_PX
    return True


def _search_level(
    pyramid: Pyramid,
    long_px: int,
    sure: list[Candidate],
    possible: list[Candidate],
    *,
    quadrant_px: int = QUADRANT_PX,
    texture: float = SEARCH_TEXTURE,
) -> None:
    """Add what one level shows to `sure` and `possible`.

    Once more, with what was found blanked, where something lies close beside it: neighbours with a narrow
    gap spoil each other's growth.
    """
    level = pyramid.level(long_px)
    signed = corner_response(level.grey, quadrant_px).signed(texture=texture)
    settled: list[Points] = []

    def judge(lattice: Lattice) -> Points | None:
        candidate = weigh(pyramid, lattice, scaled(lattice.matrix, 1 / long_px), occupied=settled)
        if candidate is None:
            return None
        if not (candidate.is_sure or candidate.is_possible) or is_beat(pyramid, candidate):
            return None
        (sure if candidate.is_sure else possible).append(candidate)
        return candidate.outline * long_px

    for _ in range(2):
        before = len(sure)
        settled[:] = [candidate.outline for candidate in sure]
        blanked = inside_mask(signed.shape, [outline * long_px for outline in settled])
        search(signed, judge, blanked)
        sure[:] = _distinct(sure)
        if len(sure) == before or not any(c.outside[3] > NEIGHBOUR_NEAR for c in sure):
            break


def _likelihood(candidate: Candidate) -> float:
    """Rank what is only possible: by evidence, and a little by size."""
    return float((candidate.nodes + candidate.pairs) * candidate.cell**0.25)


def _distinct(candidates: Sequence[Candidate]) -> list[Candidate]:
    """Keep the better of any two finds that overlap; best first."""
    kept: list[Candidate] = []
    for candidate in sorted(candidates, key=lambda c: -c.nodes * min(1.0, c.response + 0.3)):
        if all(overlap_share(candidate.outline, other.outline) <= SAME_BOARD for other in kept):
            kept.append(candidate)
    return kept


def _without_ghosts(candidates: Sequence[Candidate]) -> list[Candidate]:
    """Drop what is far fainter than the strongest board and not clear by itself."""
    strongest = max((c.contrast for c in candidates), default=0.0)
    return [c for c in candidates if c.contrast > GHOST_CONTRAST * strongest or c.response > CLEAR_RESPONSE]


def _as_board(pyramid: Pyramid, candidate: Candidate) -> Board:
    matrix = polish(pyramid, candidate.matrix, candidate.window, candidate.sign)
    corners = outline_of(matrix, candidate.window) * pyramid.long_px
    return Board(corners, candidate.score, candidate.outside[3])
