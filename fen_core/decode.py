"""Turn probabilities into the placement: the likeliest one that chess makes likely, and what is unsure in it.

Stands after the way up (`orient`): everything here is in FEN order, a8 first. What chess allows is a prior,
not a law: an oddity costs at most 2 nats, so that it tips a square that could be either, and never one that
is printed clearly. Diagrams of a few men (problems, lessons) may lack kings at no cost. What always holds: a
square that the prior changed is marked unsure, and so is every square below the risk–coverage threshold.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fen_core.check import check
from fen_core.fen import make_placement
from fen_core.position import CLASSES, SQUARE_NAMES

__all__ = ["UNSURE_BELOW", "Decoded", "decode", "oddity"]

Array = NDArray[np.float64]

# Chosen on boards drawn from held-out piece families (models/EVALUATION.md, risk and coverage): more than
# nine wrong squares in ten are marked there, and on ordinary diagrams about half a square a board is.
UNSURE_BELOW = 0.95

# Costs in nats; what is usual in diagrams outweighs what is certain in games.
EXTRA_KING = 2.0
MISSING_KING = 1.5
EDGE_PAWN = 2.0
EXTRA_PAWN = 2.0  # beyond eight of a colour
EXTRA_MAN = 2.0  # beyond sixteen of a colour
EXTRA_PROMOTED = 2.0  # more promoted men than pawns are missing
FEW_MEN, MANY_MEN = 6, 16  # no cost up to the first number of men, full cost from the second

MOST_OPTIONS = 16  # second choices that are up for change
ROUNDS = 16
LEAST_ALTERNATIVE = 0.0005
MOST_ALTERNATIVES = 5
LEAST_CURE = 1e-5  # an alternative less likely than this is no cure
MOST_CURES = 3


def oddity(counts: Array, edge_pawns: float) -> float:
    """Return how odd a count of men is, in nats: 0 for what games show, or for boards of a few men.

    Parameters
    ----------
    counts : ndarray of shape (13,)
        How many squares hold each class of `CLASSES`.
    edge_pawns : float
        Pawns on the first and last rank.
    """
    men = 64 - float(counts[0])
    weight = min(1.0, max(0.0, (men - FEW_MEN) / (MANY_MEN - FEW_MEN)))
    if weight == 0:
        return 0.0
    cost = EDGE_PAWN * edge_pawns
    for pawns, knights, bishops, rooks, queens, kings in (counts[1:7], counts[7:13]):
        promoted = sum(
            max(0.0, n - usual) for n, usual in ((knights, 2), (bishops, 2), (rooks, 2), (queens, 1))
        )
        cost += EXTRA_KING * max(0.0, kings - 1) + MISSING_KING * (kings == 0)
        cost += EXTRA_PAWN * max(0.0, pawns - 8)
        cost += EXTRA_MAN * max(0.0, pawns + knights + bishops + rooks + queens + kings - 16)
        cost += EXTRA_PROMOTED * max(0.0, promoted - max(0.0, 8 - pawns))
    return float(cost * weight)


def _cost_of(choice: NDArray[np.intp]) -> float:
    counts = np.bincount(choice, minlength=13).astype(np.float64)
    edge = np.concatenate([choice[:8], choice[56:]])
    pawns = int(((edge == CLASSES.index("P")) | (edge == CLASSES.index("p"))).sum())
    return oddity(counts, pawns)


Option = tuple[int, int, float]  # square, class, log probability


def _doubtful(log_p: Array) -> list[Option]:
    """Return second choices within reach of what an oddity can cost, the likeliest first."""
    order = np.argsort(-log_p, axis=1)
    best = log_p.max(axis=1)
    options = [
        (square, int(k), float(log_p[square, k]))
        for square in range(64)
        for k in order[square, 1:4]
        if best[square] - log_p[square, k] < 2 * EXTRA_KING
    ]
    return sorted(options, key=lambda option: -option[2])[:MOST_OPTIONS]


def _best_change(
    choice: NDArray[np.intp], log_p: Array, options: list[Option]
) -> tuple[float, NDArray[np.intp]]:
    """Return the gain in nats, and the placement, of the best change of one or two squares."""
    best_gain, best = 0.0, choice
    cost = _cost_of(choice)
    for change in [*combinations(options, 1), *combinations(options, 2)]:
        if len(change) == 2 and change[0][0] == change[1][0]:
            continue
        gain = cost + sum(value - float(log_p[square, choice[square]]) for square, _, value in change)
        if gain <= best_gain:  # even a placement without any oddity would not repay this
            continue
        tried = choice.copy()
        for square, k, _ in change:
            tried[square] = k
        gain -= _cost_of(tried)
        if gain > best_gain + 1e-9:
            best_gain, best = gain, tried
    return best_gain, best


def _most_probable(log_p: Array) -> NDArray[np.intp]:
    """Return the classes (64,) of the likeliest placement under the prior, by hill climbing.

    A change pays only where the second choice is within reach of the cost, so a handful of squares is
    looked at, one or two at a time, and the search is short.
    """
    choice: NDArray[np.intp] = log_p.argmax(axis=1)
    if _cost_of(choice) == 0:
        return choice
    options = _doubtful(log_p)
    for _ in range(ROUNDS):
        gain, changed = _best_change(choice, log_p, options)
        if gain == 0:
            break
        for square in np.flatnonzero(changed != choice):  # what was left may be taken up again
            options.append((int(square), int(choice[square]), float(log_p[square, choice[square]])))
        choice = changed
    return choice


@dataclass(frozen=True, slots=True)
class Decoded:
    """A placement and how sure it is; everything in FEN order.

    Attributes
    ----------
    board64 : str
        64 letters, '.' for an empty square.
    probabilities : ndarray of shape (64, 13)
        As the squares were read, before the prior.
    sure : ndarray of shape (64,)
        The probability of what was chosen; lowered where the way up is in doubt.
    unsure, changed : ndarray of shape (64,), bool
        Marked for the person to look at; chosen against the square's own likeliest reading.
    """

    board64: str
    probabilities: Array
    sure: Array
    unsure: NDArray[np.bool_]
    changed: NDArray[np.bool_]

    def alternatives(self, square: int) -> list[tuple[str, float]]:
        """Return what else could stand on a square, likeliest first; always some where it is unsure."""
        p = self.probabilities[square]
        order = [int(k) for k in np.argsort(-p, kind="stable") if CLASSES[k] != self.board64[square]]
        least = 3 if self.unsure[square] else 0
        return [
            (CLASSES[k], float(p[k]))
            for rank, k in enumerate(order[:MOST_ALTERNATIVES])
            if rank < least or p[k] >= LEAST_ALTERNATIVE
        ]

    def to_json(self) -> list[dict[str, Any]]:
        """Return the squares of the reading contract, a8 first."""
        return [
            {
                "square": name,
                "piece": self.board64[index],
                "probability": round(float(self.sure[index]), 5),
                "unsure": bool(self.unsure[index]),
                "changed": bool(self.changed[index]),
                "alternatives": [[piece, round(p, 5)] for piece, p in self.alternatives(index)],
            }
            for index, name in enumerate(SQUARE_NAMES)
        ]

    def doubt_turn(self, probability: float) -> Decoded:
        """Mark the kings, or the men where there are none, because the board may be the other way up.

        Their probability is no more than that of the way up: no square of a board that may have been
        turned wrongly is surer than the turn, but marking all of them would tell a person nothing.
        """
        men = [i for i, piece in enumerate(self.board64) if piece in "Kk"]
        men = men or [i for i, piece in enumerate(self.board64) if piece != "."][:2]
        unsure, sure = self.unsure.copy(), self.sure.copy()
        for index in men:
            unsure[index] = True
            sure[index] = min(sure[index], probability)
        return replace(self, unsure=unsure, sure=sure)

    def cures(self, fields: list[str]) -> list[dict[str, Any]]:
        """Name the least certain squares that would make an impossible placement possible.

        Parameters
        ----------
        fields : list of str
            The five fields of the FEN after the placement.

        Returns
        -------
        list of dict
            Nothing where the placement is possible or no likely change cures it; else one problem
            `misread-suspected` with a fix for each cure, the likeliest first.
        """
        if _faults(self.board64, fields) == 0:
            return []
        found = self._cures_by(1, fields) or self._cures_by(2, fields)
        if not found:
            return []
        squares = sorted({square for _, change in found for square, _ in change})
        return [
            {
                "code": "misread-suspected",
                "severity": "suspect",
                "field": "placement",
                "squares": [SQUARE_NAMES[square] for square in squares],
                "params": {"count": len(squares)},
                "fixes": [
                    {
                        "code": "read-otherwise",
                        "fen": " ".join([make_placement(board), *fields]),
                        "params": {
                            "squares": [SQUARE_NAMES[square] for square, _ in change],
                            "pieces": [piece for _, piece in change],
                        },
                    }
                    for board, change in found
                ],
            }
        ]

    def _cures_by(self, size: int, fields: list[str]) -> list[tuple[str, tuple[tuple[int, str], ...]]]:
        """Return the likeliest changes of this many squares that leave nothing impossible."""
        p = np.maximum(self.probabilities, 1e-12)
        options = sorted(
            (float(np.log(p[square, CLASSES.index(chosen)] / p[square, k])), square, CLASSES[k])
            for square, chosen in enumerate(self.board64)
            for k in np.argsort(-p[square])[:3]
            if CLASSES[k] != chosen and p[square, k] >= LEAST_CURE
        )
        changes = sorted(
            combinations(options[: 24 if size == 1 else 8], size),
            key=lambda change: sum(o[0] for o in change),
        )
        found: list[tuple[str, tuple[tuple[int, str], ...]]] = []
        for change in changes:
            squares = [square for _, square, _ in change]
            if len(set(squares)) < size:
                continue
            letters = list(self.board64)
            for _, square, piece in change:
                letters[square] = piece
            board = "".join(letters)
            if _faults(board, fields) == 0:
                found.append((board, tuple((square, piece) for _, square, piece in change)))
            if len(found) == MOST_CURES:
                break
        return found


def _faults(board: str, fields: list[str]) -> int:
    """Count what is impossible about a placement."""
    problems = check(" ".join([make_placement(board), *fields])).to_json()["problems"]
    return sum(p["severity"] == "illegal" and p["field"] == "placement" for p in problems)


def decode(probabilities: ArrayLike) -> Decoded:
    """Choose the placement of one board.

    Parameters
    ----------
    probabilities : array_like of shape (64, 13)
        In FEN order, a8 first; classes in the order of `CLASSES`.

    Raises
    ------
    ValueError
        If the shape is another, or a value is no probability.
    """
    p = np.asarray(probabilities, dtype=np.float64)
    if p.shape != (64, len(CLASSES)) or not np.isfinite(p).all() or p.min() < 0:
        raise ValueError("probabilities must be 64 rows of 13 numbers from 0 to 1")
    choice = _most_probable(np.log(np.maximum(p, 1e-12)))
    changed = choice != p.argmax(axis=1)
    sure = p[np.arange(64), choice]
    board = "".join(CLASSES[k] for k in choice)
    return Decoded(board, p, sure, changed | (sure < UNSURE_BELOW), changed)
