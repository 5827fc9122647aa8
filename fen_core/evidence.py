"""Say what a picture tells of the five fields beyond the placement.

Stands after `decode`: the board is in FEN order, and the way up is known. The side to move is taken from a
marker beside the board, from the marks on the last move, from check, in that order of weight; the en
passant square from a marked double step. Castling rights and the counters no picture tells. What always
holds: every value says whether it was read, inferred or assumed, and on what; where the witnesses
contradict one another none is believed; without a witness White is assumed to move.
"""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fen_core import highlights, markers
from fen_core.attacks import attackers
from fen_core.castling import rights_possible
from fen_core.orient import Orientation
from fen_core.position import SQUARE_NAMES, place_men, square_list

__all__ = ["fields"]

Side = Literal["w", "b"]
Evidence = dict[str, Any]

# Weights are natural log-odds: about 98, 95 and 90 in a hundred.
MARKER_WEIGHT, MARKER_ALONE_WEIGHT, LAST_MOVE_WEIGHT, CHECK_WEIGHT = 4.0, 2.5, 3.0, 2.2
SURE_ENOUGH = 0.8  # probability of the way up below which a marker's place says nothing
LEAST_CERTAIN = 0.5  # probability of a square below which its man is no witness
MOST_MARKED = 4  # squares: more coloured ones are a person's own marks, or no marks at all


def _other(side: Side) -> Side:
    return "b" if side == "w" else "w"


def _colour(man: str) -> Side:
    return "w" if man.isupper() else "b"


def _marker(image: NDArray[np.uint8], corners: ArrayLike, orientation: Orientation) -> list[Evidence]:
    """Return what a marker beside the board says."""
    said: list[Evidence] = []
    for marker in markers.find(image, corners):
        at_white = (marker.end == "bottom") == (orientation.bottom == "white")
        by_place: Side | None = ("w" if at_white else "b") if orientation.probability >= SURE_ENOUGH else None
        by_fill: Side = "w" if marker.fill == "open" else "b"
        # An arrow points from the side that moves; a square or circle is of its colour, wherever it stands;
        # a triangle is used either way, so both must say the same.
        side: Side | None = by_place if marker.shape == "arrow" else by_fill
        if marker.shape == "triangle" and by_place != by_fill:
            side = None
        if side is None:
            continue
        weight = MARKER_WEIGHT if by_place == by_fill else MARKER_ALONE_WEIGHT
        said.append(
            {
                "kind": "marker",
                "side": side,
                "weight": weight,
                "shape": marker.shape,
                "fill": marker.fill,
                "place": f"{marker.end}-{marker.side}",
                "box": list(marker.box),
            }
        )
    return said


def _clear(board64: str, start: int, end: int) -> bool:
    """Tell whether the squares between two on one line are empty."""
    (r0, c0), (r1, c1) = divmod(start, 8), divmod(end, 8)
    steps = max(abs(r1 - r0), abs(c1 - c0))
    dr, dc = (r1 - r0) // steps, (c1 - c0) // steps
    return all(board64[(r0 + dr * i) * 8 + c0 + dc * i] == "." for i in range(1, steps))


def _could_move(board64: str, start: int, end: int) -> bool:
    """Tell whether the man on `end` can have come from the empty square `start` in one move."""
    man = board64[end]
    white = man.isupper()
    (r0, c0), (r1, c1) = divmod(start, 8), divmod(end, 8)
    forward = (r0 - r1) if white else (r1 - r0)
    down, across = abs(r1 - r0), abs(c1 - c0)
    home, last = (6, 0) if white else (1, 7)
    if man in "Pp":
        if r0 in (0, 7) or r1 in (0, 7):
            return False
        double = forward == 2 and across == 0 and r0 == home and _clear(board64, start, end)
        return double or (forward == 1 and across <= 1)
    if r1 == last and forward == 1 and across <= 1 and man not in "Kk":
        return True  # promotion
    straight, slanted = down == 0 or across == 0, down == across
    if man in "Nn":
        return {down, across} == {1, 2}
    if man in "Kk":
        castled = down == 0 and across == 2 and r1 == (7 if white else 0) and c0 == 4
        return max(down, across) == 1 or (castled and board64[r1 * 8 + (c0 + c1) // 2] in "Rr")
    lines = {"b": slanted, "r": straight, "q": straight or slanted}
    return lines[man.lower()] and _clear(board64, start, end)


def _castled(board64: str, marked: tuple[int, ...]) -> Side | None:
    """Return who castled where king's and rook's start squares are marked and both are empty."""
    for side, row, king, rook in (("w", 56, "K", "R"), ("b", 0, "k", "r")):
        for corner, after in ((7, (6, 5)), (0, (2, 3))):
            stands = board64[row + after[0]] == king and board64[row + after[1]] == rook
            if set(marked) == {row + 4, row + corner} and stands:
                return "w" if side == "w" else "b"
    return None


def _last_move(
    marks: highlights.Highlights,
    seen: dict[int, int],
    board64: str,
    glowing: set[int],
    certain: NDArray[np.bool_],
) -> list[Evidence]:
    """Return what the marks of the last move say; `seen` maps squares in FEN order to squares as seen."""
    marked = tuple(sorted(square for square, index in seen.items() if index in marks.squares))
    if len(marked) > MOST_MARKED:
        return []
    if len(marked) > 2:  # a king in check glows: that is no move
        marked = tuple(square for square in marked if square not in glowing)
    moves: list[tuple[int, int]] = []
    for i, first in enumerate(marked):
        for second in marked[i + 1 :]:
            if not highlights.same_colour(marks, seen[first], seen[second]):
                continue
            empty, full = (first, second) if board64[first] == "." else (second, first)
            if board64[empty] != "." or not (certain[empty] and certain[full]):
                continue
            if board64[full] != "." and _could_move(board64, empty, full):
                moves.append((empty, full))
    if len(moves) == 1:
        start, end = moves[0]
        return [_moved(_other(_colour(board64[end])), start, end)]
    castler = _castled(board64, marked) if not moves and len(marked) == 2 else None
    if castler is not None:
        king = next(square for square in marked if square % 8 == 4)
        rook = next(square for square in marked if square % 8 != 4)
        return [_moved(_other(castler), king, rook)]
    return []


def _moved(side: Side, start: int, end: int) -> Evidence:
    squares = [SQUARE_NAMES[start], SQUARE_NAMES[end]]
    return {"kind": "last-move", "side": side, "weight": LAST_MOVE_WEIGHT, "squares": squares}


def _check(board64: str, certain: NDArray[np.bool_]) -> tuple[list[Evidence], set[int]]:
    """Return what check says, and the squares of the kings in check (FEN order)."""
    men = place_men(board64)
    said: list[Evidence] = []
    kings: set[int] = set()
    for king, side in (("K", "w"), ("k", "b")):
        if board64.count(king) != 1:
            continue
        index = board64.index(king)
        by = attackers(men.pieces, index ^ 56, white=side == "b", occupied=men.occupied)
        if by:
            kings.add(index)
            squares = [SQUARE_NAMES[index], *square_list(by)]
            if all(certain[SQUARE_NAMES.index(name)] for name in squares):
                said.append({"kind": "check", "side": side, "weight": CHECK_WEIGHT, "squares": squares})
    return (said if len(kings) == 1 else []), kings


def _double_step(board64: str, said: list[Evidence]) -> Evidence | None:
    """Return the en passant square of a marked double step, with its evidence."""
    for entry in said:
        if entry["kind"] != "last-move":
            continue
        start, end = (SQUARE_NAMES.index(name) for name in entry["squares"])
        if board64[end] in "Pp" and abs(start - end) == 16:
            return {"value": SQUARE_NAMES[(start + end) // 2], "provenance": "inferred", "evidence": [entry]}
    return None


def fields(
    image: NDArray[np.uint8],
    corners: ArrayLike,
    orientation: Orientation,
    board64: str,
    probabilities: ArrayLike | None = None,
) -> dict[str, dict[str, Any]]:
    """Say what a picture tells of the fields beyond the placement.

    Parameters
    ----------
    image : ndarray of shape (H, W, 3) or (H, W), uint8
    corners : array_like of shape (4, 2)
        Corners of the board, pixels, as seen.
    orientation : Orientation
        The side at the bottom and how sure that is.
    board64 : str
        The board in FEN order, '.' for an empty square.
    probabilities : array_like of shape (64, 13), optional
        Of the squares in FEN order: an unsure square is no witness.

    Returns
    -------
    dict
        For each of side_to_move, castling_rights, ep_square, halfmove_clock and fullmove_number:
        {"value", "provenance": "read" | "inferred" | "assumed", "evidence": […]}. Evidence entries are
        {"kind": "marker" | "last-move" | "check", "side", "weight" (log-odds), "squares" or "box", …};
        entries that contradict one another are all listed, and then nothing is claimed. castling_rights
        has "possible" besides: the rights that the placement allows in a standard game, "-" for none.
    """
    certain = np.ones(64, bool)
    if probabilities is not None:
        certain = np.asarray(probabilities, dtype=np.float64).max(axis=1) >= LEAST_CERTAIN
    white_below = orientation.bottom == "white"
    seen = {square: square if white_below else 63 - square for square in range(64)}
    checks, glowing = _check(board64, certain)
    marks = highlights.find(image, corners)
    said = _marker(image, corners, orientation)
    moved = _last_move(marks, seen, board64, glowing, certain)
    said += moved + checks
    said.sort(key=lambda entry: -entry["weight"])
    sides = {entry["side"] for entry in said}
    told = len(sides) == 1
    kinds = {entry["kind"] for entry in said}
    provenance = "assumed" if not told else "read" if "marker" in kinds else "inferred"
    nothing: dict[str, Any] = {"provenance": "assumed", "evidence": []}
    step = _double_step(board64, moved) if told else None
    return {
        "side_to_move": {"value": sides.pop() if told else "w", "provenance": provenance, "evidence": said},
        "castling_rights": {"value": "-", **nothing, "possible": rights_possible(board64)},
        "ep_square": step or {"value": "-", **nothing},
        "halfmove_clock": {"value": 0, **nothing},
        "fullmove_number": {"value": 1, **nothing},
    }
