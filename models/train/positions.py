"""Which men stand where on the boards that are drawn: (64,) class numbers, row-major as seen.

Not legal positions: the network must read what is printed.  Start-like and chess-like boards teach the usual
company of pieces, boards of random men that nothing may be inferred from it, and sparse boards, often without
kings, are what problems, puzzles and lessons print.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Labels = NDArray[np.int64]

PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING = 1, 2, 3, 4, 5, 6
BLACK = 6  # added to a white class
HOME_RANK = np.array([ROOK, KNIGHT, BISHOP, QUEEN, KING, BISHOP, KNIGHT, ROOK])


def start_like(random: np.random.Generator) -> Labels:
    """Return the starting position with a few men moved or taken."""
    board = np.zeros((8, 8), np.int64)
    board[0], board[1], board[6], board[7] = HOME_RANK + BLACK, PAWN + BLACK, PAWN, HOME_RANK
    if random.random() < 0.4:
        board = board[::-1, ::-1]
    flat = board.reshape(64).copy()
    for _ in range(random.integers(0, 12)):
        origin, target = random.integers(64, size=2)
        if flat[target] == 0 or random.random() < 0.2:
            flat[target] = flat[origin]
            flat[origin] = 0
    return flat


def chess_like(random: np.random.Generator) -> Labels:
    """Return both kings, pawns on plausible ranks, and a few pieces a side."""
    board = np.zeros(64, np.int64)
    places = random.permutation(64)
    board[places[0]], board[places[1]] = KING, KING + BLACK
    men = int(random.integers(1, 15))
    for side, count in ((0, men), (BLACK, max(1, men + int(random.integers(-3, 4))))):
        white_ranks = np.array([6, 6, 6, 5, 5, 4, 3, 2, 1])
        ranks = white_ranks if side == 0 else 7 - white_ranks
        for _ in range(count):
            if random.random() < 0.55:
                square, piece = int(random.choice(ranks)) * 8 + int(random.integers(8)), PAWN
            else:
                square, piece = int(random.integers(64)), int(random.choice([2, 3, 4, 4, 5]))
            if board[square] == 0:
                board[square] = piece + side
    if random.random() < 0.4:
        board = board[::-1].copy()
    return board


def random_men(random: np.random.Generator) -> Labels:
    """Return any man on any square, of any density; at times only some kinds of men, or no kings at all."""
    board = np.zeros(64, np.int64)
    kinds = np.arange(1, 13)
    choice = random.random()
    if choice < 0.2:
        kinds = kinds[(kinds != KING) & (kinds != KING + BLACK)]
    elif choice < 0.35:
        kinds = random.choice(kinds, int(random.integers(1, 6)), replace=False)
    filled = random.random(64) < random.uniform(0.08, 0.85)
    board[filled] = random.choice(kinds, int(filled.sum()))
    return board


def sparse(random: np.random.Generator) -> Labels:
    """Return a problem, puzzle or lesson: one to nine men, mostly of few kinds, often without kings."""
    board = np.zeros(64, np.int64)
    kinds = random.choice([1, 2, 3, 4, 5, 7, 8, 9, 10, 11], int(random.integers(1, 5)), replace=False)
    count = int(random.integers(1, 10))
    board[random.permutation(64)[:count]] = random.choice(kinds, count)
    if random.random() < 0.45:
        for king in (KING, KING + BLACK)[: int(random.integers(1, 3))]:
            board[random.integers(64)] = king
    return board


def draw_position(random: np.random.Generator) -> Labels:
    """Return a board: 10 % start-like, 34 % chess-like, 42 % random men, 14 % sparse."""
    share = random.random()
    if share < 0.10:
        return start_like(random)
    if share < 0.44:
        return chess_like(random)
    if share < 0.86:
        return random_men(random)
    return sparse(random)
