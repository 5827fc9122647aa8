"""Castling rights: reading the letters of the field, in the standard and the two Chess960 dialects.

Between the FEN text and the checker.  A right is worked out from the board alone: the king and the
rook it needs.  Standard: king on the e-file, rook in the corner.  X-FEN: KQkq mean the outermost
rook of that side of the king.  Shredder-FEN: a letter names the file of the rook.

Source: PGN standard 16.1.3.3; X-FEN and Shredder-FEN as used for Chess960 (FIDE Laws, Guidelines II).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from fen_core.position import RECENT

__all__ = ["Castling", "Right", "canonical_letters", "read_castling", "rights_possible"]

_KNOWN = re.compile(r"[KQkqA-Ha-h]{1,4}")
_STANDARD_ORDER = "KQkq"


@dataclass(frozen=True, slots=True)
class Right:
    """Hold one castling right.

    Attributes
    ----------
    letter : str
        As written.
    white : bool
    wing : str
        'K' where the rook stands on the h-side of the king, else 'Q'.
    king, rook : int
        Their squares (a1 = 0), or -1 where there is no such man.
    standard : bool
        Whether king and rook stand on their squares of the standard game.
    """

    letter: str
    white: bool
    wing: str
    king: int
    rook: int
    standard: bool


@dataclass(frozen=True, slots=True)
class Castling:
    """Hold what a castling field says on a board.

    Attributes
    ----------
    rights : tuple of Right
        Those that are possible.
    impossible : str
        The letters that cannot be.
    rivals : bool
        Whether the rights of both sides exclude each other: their kings started on different files.
    dialect : str
        'standard', 'x-fen' or 'shredder'.
    could_be_960 : bool
        Whether an impossible letter would be possible in a game of Chess960.
    """

    rights: tuple[Right, ...]
    impossible: str
    rivals: bool
    dialect: str
    could_be_960: bool


def _right(board: str, letter: str) -> Right:
    """Find the king and the rook that a letter needs; `rook` is -1 where the right cannot be."""
    white = letter.isupper()
    base, king_letter, rook_letter = (56, "K", "R") if white else (0, "k", "r")
    rank = board[base : base + 8]
    square = 0 if white else 56
    king = rank.find(king_letter)
    kind = letter.upper()
    if kind in "KQ":
        corner = 7 if kind == "K" else 0
        if rank[4] == king_letter and rank[corner] == rook_letter:
            return Right(letter, white, kind, square + 4, square + corner, True)
        outer = (
            rank.rfind(rook_letter, max(king, 0)) if kind == "K" else rank.find(rook_letter, 0, max(king, 0))
        )
        rook = outer if king > 0 else -1
    else:
        file = ord(kind) - 65
        rook = file if rank[file] == rook_letter and king >= 0 and file != king else -1
        kind = "K" if file > king else "Q"
    if not 1 <= king <= 6 or rank.count(king_letter) != 1:
        rook = -1
    standard = king == 4 and rook == (7 if kind == "K" else 0)
    return Right(
        letter, white, kind, square + king if king >= 0 else -1, square + rook if rook >= 0 else -1, standard
    )


def _fit(one: list[Right], other: list[Right]) -> bool:
    """Tell whether both sides can have started alike: kings on one file, rooks of a wing on one file."""
    files: dict[str, int] = {}
    for right in one + other:
        for man, square in (("king", right.king), (right.wing, right.rook)):
            if files.setdefault(man, square & 7) != square & 7:
                return False
    return True


@lru_cache(maxsize=RECENT)
def read_castling(board: str, field: str) -> Castling:
    """Work out which rights of a well-formed castling field the board allows.

    Parameters
    ----------
    board : str
        64 letters in FEN order.
    field : str
        '-' or letters of KQkqA-Ha-h.
    """
    if field == "-":
        return Castling((), "", False, "standard", False)
    rights = [_right(board, letter) for letter in field]
    files = [right.letter.upper() not in "KQ" for right in rights]
    dialect = "shredder" if all(files) else "x-fen" if any(files) else "standard"
    found = [right for right in rights if right.rook >= 0]
    sides = ([r for r in found if r.white], [r for r in found if not r.white])
    fit = _fit(*sides)
    possible = []
    lost = ""
    could_be_960 = False
    for right, by_file in zip(rights, files, strict=True):
        if right.rook >= 0 and (by_file or right.standard or (sides[0] and sides[1] and fit)):
            possible.append(right)
            if not by_file and not right.standard:
                dialect = "x-fen"
        else:
            lost += right.letter
            could_be_960 = could_be_960 or right.rook >= 0
    kept = ([r for r in possible if r.white], [r for r in possible if not r.white])
    rivals = bool(kept[0] and kept[1]) and not _fit(*kept)
    return Castling(tuple(possible), lost, rivals, dialect, could_be_960)


def _order(letter: str) -> tuple[bool, int]:
    upper = letter.upper()
    return letter.islower(), {"K": -20, "Q": 20}.get(upper, -ord(upper) + 65)


def canonical_letters(letters: str) -> str:
    """Write castling letters once each, White's first, the h-side before the a-side; '-' for none."""
    return "".join(sorted(set(letters), key=_order)) or "-"


def well_formed(field: str) -> bool:
    """Tell whether a castling field is written as one of the three dialects writes it."""
    if field == "-":
        return True
    if not _KNOWN.fullmatch(field) or canonical_letters(field) != field:
        return False
    return sum(letter.isupper() for letter in field) <= 2 and sum(letter.islower() for letter in field) <= 2


@lru_cache(maxsize=RECENT)
def rights_possible(board: str) -> str:
    """Return the standard rights that a board allows: '-' or letters of KQkq.

    >>> rights_possible("....k..r" + "." * 48 + "R...K...")
    'Qk'
    """
    return "".join(letter for letter in _STANDARD_ORDER if _right(board, letter).standard) or "-"
