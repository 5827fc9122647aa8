"""Where one board ends and the next begins, when the chequer seems to run on.

Helps `board_evidence` to choose the 8×8 window. Boards with a narrow gap look like one long chequer, since
every board ends on the shade that its neighbour does not begin with; and an odd multiple of a chequer's
cell is a chequer again. Two measures tell them apart. Along a line of an unbroken chequer, brightness is as
often that of the one cell as that of the other, wherever exactly the line lies; along a gap or a frame it
is the paper's in every row. And within a true cell there is no further X-corner.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fen_core.lattice import Response
from fen_core.pyramid import View

__all__ = ["inner_chequer", "line_seams"]

Values = NDArray[np.floating]

REACH = 0.25  # cells; the fit runs across a gap and may be off by as much
NEAR_CORNERS = (0.2, 0.35)  # of a cell from its corners, where men do not reach


def line_seams(view: View, cells: Values, typical: float, core: slice) -> Values:
    """Return how much every upright line of nodes looks like a seam between boards, about 0..1.

    Parameters
    ----------
    view : View
        The straightened lattice with a margin of one cell.
    cells : ndarray of shape (columns + 1, rows + 1)
        Brightness of the cells' backgrounds; cell (i, j) lies left of and above node (i, j).
    typical : float
        Usual contrast of a node, grey levels: half the difference between light and dark.
    core : slice
        Rows of cells that belong to the lattice for certain.

    Returns
    -------
    ndarray of shape (columns,)
        Deviation of the line's brightness from the mean of the cells on either side, in light-to-dark
        steps, beyond what is usual for the lattice (lines may be drawn between all squares).
    """
    px = view.px
    columns, rows = cells.shape[0] - 1, cells.shape[1]
    first, last = (round(share * px) for share in NEAR_CORNERS)
    grey = view.grey[: rows * px].reshape(rows, px, -1)
    near = np.concatenate([grey[:, first:last], grey[:, px - last : px - first]], axis=1).mean(axis=1)
    reach = round(REACH * px)
    at = (np.arange(columns) + 1) * px
    expected = (cells[:-1] + cells[1:]) / 2
    strongest = np.zeros(columns)
    for shift in range(-reach, reach + 1):
        strip = (near[:, at + shift - 1] + near[:, at + shift]).T / 2
        deviation = (strip - expected)[:, core]
        both = np.median(deviation[:, ::2], axis=1) + np.median(deviation[:, 1::2], axis=1)
        strongest = np.maximum(strongest, np.abs(both) / 2)
    strongest /= 2 * typical
    inner = strongest[1:-1] if columns > 4 else strongest
    return np.asarray(np.clip(strongest - np.median(inner), 0, 1))


def inner_chequer(
    view: View,
    response: Response,
    x: NDArray[np.int64],
    y: NDArray[np.int64],
    signs: NDArray[np.int64],
    typical: float,
) -> float:
    """Return how strongly cells are themselves chequered in threes, 0 for a board, about 1 where they are.

    A third of a cell right of and below a node, an X-corner of the node's own sign gives away that the true
    lattice is three times finer. `x` and `y` are pixel corners of nodes in the view.
    """
    third = round(view.px / 3)
    slack = (-1, 0, 1)
    inside = [response.contrast[y + third + j, x + third + i] * signs for j in slack for i in slack]
    return float(np.max(inside, axis=0).mean() / typical)
