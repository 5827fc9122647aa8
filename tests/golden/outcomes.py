"""What becomes of a spoilt diagram when it is read: its wrong squares, and which of them are marked."""

from __future__ import annotations

import random
from dataclasses import dataclass

import numpy as np
from draw import Picture
from golden.degraded import draw_degraded
from numpy.typing import NDArray

from fen_core.fen import parse_placement
from fen_core.read import BoardReading, read


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one picture: wrong and unsure squares (64, FEN order); not found: every square wrong."""

    picture: Picture
    found: bool
    is_wrong: NDArray[np.bool_]
    is_unsure: NDArray[np.bool_]

    @property
    def wrong(self) -> int:
        """Squares that are read wrongly, where the board was found."""
        return int(self.is_wrong.sum()) if self.found else 0

    @property
    def marked(self) -> int:
        """Those of the wrong squares that are marked."""
        return int((self.is_wrong & self.is_unsure).sum())

    @property
    def exact(self) -> bool:
        """Whether every square is right."""
        return self.found and self.wrong == 0

    @property
    def silent(self) -> bool:
        """Whether squares are wrong and none of them is marked."""
        return self.wrong > 0 and self.marked == 0


def outcome(kind: str, seed: int, grid_error: float = 0.0) -> Outcome:
    """Read a drawn picture, with its corners set a little wrong where a grid error (squares) is given."""
    picture = draw_degraded(kind, seed)
    corners = None
    if grid_error:
        rng = random.Random(f"grid {kind} {seed}")
        off = np.array([[rng.uniform(-1, 1) for _ in range(2)] for _ in range(4)])
        corners = picture.corners + off * grid_error * picture.boards[0].square_px
    near = [board for board in read(picture.png, corners=corners).boards if _error(board, picture) < 0.5]
    if not near:
        return Outcome(picture, False, np.ones(64, bool), np.zeros(64, bool))
    (board,) = near
    true = parse_placement(picture.boards[0].placement)
    wrong = np.array([a != b for a, b in zip(board.decoded.board64, true, strict=True)])
    return Outcome(picture, True, wrong, np.asarray(board.decoded.unsure))


def _error(board: BoardReading, picture: Picture) -> float:
    """Return the largest corner error in squares."""
    return float(np.hypot(*(board.corners - picture.corners).T).max() / picture.boards[0].square_px)
