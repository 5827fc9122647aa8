"""FEN text and its six fields: placement ⇄ board, fields ⇄ values, and the canonical way to write them.

Below the checker and the reader, above the board.  This module reads what is well-formed; what is
not is described by `fields` and repaired by `fixes`.  Writing what was read from a canonical FEN
gives the same text (format ∘ parse is the identity).

Source: PGN standard, section 16.1, for FEN; X-FEN and Shredder-FEN for Chess960 castling letters.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from fen_core.errors import UsageError
from fen_core.position import RECENT, START_BOARD

__all__ = [
    "DEFAULTS",
    "FIELD_NAMES",
    "START_FEN",
    "Fen",
    "format_fen",
    "make_placement",
    "parse_fen",
    "parse_placement",
    "rank_width",
]

START_FEN = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"

FIELD_NAMES = (
    "placement",
    "side_to_move",
    "castling_rights",
    "ep_square",
    "halfmove_clock",
    "fullmove_number",
)
DEFAULTS = ("8/8/8/8/8/8/8/8", "w", "-", "-", "0", "1")
"""What a field is taken to be where nothing says otherwise."""

_SPREAD = {ord(str(n)): "." * n for n in range(1, 9)} | {ord("/"): ""}
_WIDE = {ord(str(n)): "." * n for n in range(10)}
_PLACEMENT = re.compile(r"[pnbrqkPNBRQK1-8/]*")
_TWO_DIGITS = re.compile(r"[1-8]{2}")
_RUNS = re.compile(r"\.+")
_CASTLING = re.compile(r"-|K?Q?k?q?|[A-HKQ]{0,2}[a-hkq]{0,2}")
_EP = re.compile(r"-|[a-h][36]")
_NUMBER = re.compile(r"0|[1-9][0-9]{0,3}")


@dataclass(frozen=True, slots=True)
class Fen:
    """Hold the six fields of a FEN as values.

    Attributes
    ----------
    board : str
        64 letters in FEN order, '.' for an empty square.
    side_to_move : str
        'w' or 'b'.
    castling_rights : str
        As written: '-' or letters of KQkq, or files (Shredder-FEN, X-FEN).
    ep_square : str
        '-' or the name of the square behind the pawn that has just moved two squares.
    halfmove_clock, fullmove_number : int
        Half-moves since the last capture or pawn move; number of the move.
    """

    board: str = START_BOARD
    side_to_move: str = "w"
    castling_rights: str = "KQkq"
    ep_square: str = "-"
    halfmove_clock: int = 0
    fullmove_number: int = 1


def rank_width(rank: str) -> int:
    """Count the squares that a rank describes: a digit counts for itself, anything else for one."""
    return len(rank.translate(_WIDE))


def parse_placement(text: str) -> str:
    """Turn a placement field into a board of 64 letters.

    Raises
    ------
    UsageError
        With code 'placement' when the text is not eight ranks of eight squares.

    >>> parse_placement("8/8/8/8/8/8/8/4K3")[56:]
    '....K...'
    """
    board = expand_placement(text)
    if board is None:
        raise UsageError("placement", placement=text[:100])
    return board


@lru_cache(maxsize=RECENT)
def expand_placement(text: str) -> str | None:
    """Turn a placement field into a board of 64 letters, or return None when it is not well-formed."""
    if len(text) > 71 or not _PLACEMENT.fullmatch(text) or _TWO_DIGITS.search(text):
        return None
    ranks = text.split("/")
    if len(ranks) != 8:
        return None
    spread = [rank.translate(_SPREAD) for rank in ranks]
    if any(len(rank) != 8 for rank in spread):
        return None
    return "".join(spread)


def make_placement(board: str) -> str:
    """Write a board of 64 letters as a placement field.

    Raises
    ------
    UsageError
        With code 'board' when the board is not 64 piece letters and dots.

    >>> make_placement("." * 60 + "K...")
    '8/8/8/8/8/8/8/4K3'
    """
    if len(board) != 64 or not set(board) <= set(".PNBRQKpnbrqk"):
        raise UsageError("board", board=board[:100])
    ranks = (board[start : start + 8] for start in range(0, 64, 8))
    return "/".join(_RUNS.sub(lambda run: str(len(run.group())), rank) for rank in ranks)


def parse_fen(text: str) -> Fen:
    """Read a well-formed FEN of six fields; for anything that people paste, use `check`.

    Raises
    ------
    UsageError
        With the code of a field ('field-count', 'placement', 'side', …) that is not well-formed.

    >>> parse_fen("4k3/8/8/8/8/8/8/4K2R b K - 3 12").side_to_move
    'b'
    """
    fields = text.split(" ")
    if len(fields) != 6:
        raise UsageError("field-count", found=len(fields))
    board = parse_placement(fields[0])
    tests = (
        ("side", fields[1] in ("w", "b")),
        ("castling-syntax", bool(fields[2]) and bool(_CASTLING.fullmatch(fields[2]))),
        ("ep-syntax", bool(_EP.fullmatch(fields[3]))),
        ("halfmove", bool(_NUMBER.fullmatch(fields[4]))),
        ("fullmove", bool(_NUMBER.fullmatch(fields[5])) and fields[5] != "0"),
    )
    for code, good in tests:
        if not good:
            raise UsageError(code, text=text[:200])
    return Fen(board, fields[1], fields[2], fields[3], int(fields[4]), int(fields[5]))


def format_fen(fen: Fen) -> str:
    """Write six fields as one line; the inverse of `parse_fen` on canonical text.

    >>> format_fen(Fen()) == START_FEN
    True
    """
    return (
        f"{make_placement(fen.board)} {fen.side_to_move} {fen.castling_rights} {fen.ep_square} "
        f"{fen.halfmove_clock} {fen.fullmove_number}"
    )
