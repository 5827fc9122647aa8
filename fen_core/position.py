"""The board: class letters, squares, men as bit sets, and the four ways to transform a board.

Everything in the package that handles a position rests on this module; it rests on nothing.
A board is a string of 64 letters in FEN order (index 0 = a8 … 63 = h1), '.' for an empty square.
Where attacks are computed, squares are counted a1 = 0 … h8 = 63; `square == fen_index ^ 56`.
Mirroring, turning, reversing the ranks and exchanging the colours are four different things.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

__all__ = [
    "CLASSES",
    "EMPTY_BOARD",
    "PIECE_NAMES",
    "RECENT",
    "SQUARE_NAMES",
    "START_BOARD",
    "Men",
    "exchange_colours",
    "mirror",
    "place_men",
    "reverse_ranks",
    "square_index",
    "square_list",
    "turn",
]

CLASSES = ".PNBRQKpnbrqk"
"""The thirteen contents of a square, in the order of every array of probabilities."""

EMPTY_BOARD = "." * 64
START_BOARD = "rnbqkbnr" + "p" * 8 + "." * 32 + "P" * 8 + "RNBQKBNR"

SQUARE_NAMES: tuple[str, ...] = tuple(f"{file}{rank}" for rank in "87654321" for file in "abcdefgh")
"""Names of the squares in FEN order: a8 … h1."""

PIECE_NAMES: dict[str, str] = {
    letter: f"{side}.{name}"
    for name, white in zip(("pawn", "knight", "bishop", "rook", "queen", "king"), "PNBRQK", strict=True)
    for side, letter in (("white", white), ("black", white.lower()))
}
"""Key of a piece in the language files, without its prefix: 'N' → 'white.knight'."""

_INDEX = {name: index for index, name in enumerate(SQUARE_NAMES)}
_BITS = tuple(1 << (index ^ 56) for index in range(64))
_NAMES_BY_SQUARE = tuple(SQUARE_NAMES[square ^ 56] for square in range(64))
_EXCHANGE = str.maketrans("PNBRQKpnbrqk", "pnbrqkPNBRQK")


def square_index(name: str) -> int:
    """Return the FEN index of a square's name; raise KeyError for any other text.

    >>> square_index("a8"), square_index("h1")
    (0, 63)
    """
    return _INDEX[name]


def mirror(board: str) -> str:
    """Swap left and right: the a-file becomes the h-file, ranks and colours stay."""
    return "".join(board[start : start + 8][::-1] for start in range(0, 64, 8))


def reverse_ranks(board: str) -> str:
    """Swap top and bottom: rank 1 becomes rank 8, files and colours stay."""
    return "".join(board[start : start + 8] for start in range(56, -8, -8))


def turn(board: str) -> str:
    """Turn the board by 180 degrees: a1 becomes h8, colours stay."""
    return board[::-1]


def exchange_colours(board: str) -> str:
    """Make every white man black and every black man white, each on its square."""
    return board.translate(_EXCHANGE)


RECENT = 64
"""How many boards are remembered: the cures of one text share most of theirs with it."""


@dataclass(frozen=True, slots=True, eq=False)
class Men:
    """Hold a board as bit sets: bit `square` (a1 = 0) is set where such a man stands.

    One board gives one object (see `place_men`), so that what is worked out from it can be remembered by it.

    Attributes
    ----------
    pieces : dict of str to int
        One bit set for each of the twelve piece letters.
    white, black, occupied : int
        All white men, all black men, all men.
    """

    pieces: dict[str, int]
    white: int
    black: int
    occupied: int


@lru_cache(maxsize=RECENT)
def place_men(board: str) -> Men:
    """Turn a board of 64 letters into bit sets, which nobody may change."""
    pieces = dict.fromkeys("PNBRQKpnbrqk", 0)
    for letter, bit in zip(board, _BITS, strict=True):
        if letter != ".":
            pieces[letter] |= bit
    white = pieces["P"] | pieces["N"] | pieces["B"] | pieces["R"] | pieces["Q"] | pieces["K"]
    black = pieces["p"] | pieces["n"] | pieces["b"] | pieces["r"] | pieces["q"] | pieces["k"]
    return Men(pieces, white, black, white | black)


def square_list(bits: int) -> tuple[str, ...]:
    """Name the squares of a bit set, in the order a1, b1, … h8.

    >>> square_list(0b101 | 1 << 63)
    ('a1', 'c1', 'h8')
    """
    names = []
    while bits:
        low = bits & -bits
        names.append(_NAMES_BY_SQUARE[low.bit_length() - 1])
        bits ^= low
    return tuple(names)
