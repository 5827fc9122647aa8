"""Whether the check on the board can have come about: the opponent's last move, taken back.

Between attacks and the checker.  A check is possible when some move of the opponent leads here from
a position in which the king was not attacked: a normal move, a capture, a promotion, a capture en
passant, a double step or castling.  Nothing is decided from a list of patterns: every last move that
could explain all checkers is taken back and looked at.  What always holds: where a legal game led
to the position, a last move is found.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from fen_core.attacks import BETWEEN, KING, KNIGHT, PAWN, attackers, slide, squares_of
from fen_core.position import RECENT, Men

__all__ = ["check_is_possible", "check_stood_before"]

Taken = tuple[dict[str, int], int]
"""A position with a move taken back: bit sets of the letters, occupied squares."""

_CASTLES = ((4, 7, 6, 5), (4, 0, 2, 3))
"""Files: king from, rook from, king to, rook to, for both wings of the standard game."""


def check_stood_before(men: Men, white: bool, target: int) -> bool:
    """Tell whether taking back the double step behind `target` leaves the side to move in check.

    Parameters
    ----------
    men : Men
    white : bool
        Whether White is to move (and Black has just moved the pawn).
    target : int
        The en passant square; the pawn stands in front of it and came from behind it.
    """
    pawn, king = ("p", "K") if white else ("P", "k")
    stands, origin = (target - 8, target + 8) if white else (target + 8, target - 8)
    pieces = dict(men.pieces)
    pieces[pawn] ^= 1 << stands | 1 << origin
    occupied = men.occupied ^ (1 << stands | 1 << origin)
    square = pieces[king].bit_length() - 1
    return bool(attackers(pieces, square, white=not white, occupied=occupied))


@lru_cache(maxsize=RECENT)
def check_is_possible(men: Men, white: bool, unmoved: int = 0, *, chess960: bool = False) -> bool:
    """Tell whether some last move of the opponent explains every check on the king to move.

    Parameters
    ----------
    men : Men
        Exactly one king a side.
    white : bool
        Whether White is to move.
    unmoved : int
        Bit set of kings and rooks that have not moved, because a castling right is claimed.
    chess960 : bool
        Whether castling from any files is a last move.
    """
    king = men.pieces["K" if white else "k"].bit_length() - 1
    checkers = attackers(men.pieces, king, white=not white, occupied=men.occupied)
    if not checkers:
        return True
    movers = men.black if white else men.white
    for bits in (checkers, movers & ~checkers & ~unmoved):
        for square in squares_of(bits & ~unmoved):
            allowed = _explaining(checkers & ~(1 << square), king)
            if allowed and _by_moving(men, white, king, square, allowed):
                return True
    if _by_en_passant(men, white, king):
        return True
    return not movers & men.pieces["k" if white else "K"] & unmoved and _by_castling(
        men, white, king, chess960
    )


def _explaining(others: int, king: int) -> int:
    """Return the squares that a man must have left to let all other checkers through."""
    allowed = (1 << 64) - 1
    for square in squares_of(others):
        allowed &= BETWEEN[king][square]
    return allowed


def _by_moving(men: Men, white: bool, king: int, square: int, allowed: int) -> bool:
    """Try every normal move, capture and promotion that ends on `square` and began on `allowed`."""
    own = men.white if white else men.black
    may_capture = own.bit_count() < 16
    for before, origin, capture in _origins(men, white, square):
        if not 1 << origin & allowed:
            continue
        if capture is not False and may_capture and _quiet(men, white, king, (before, square, origin, True)):
            return True
        if capture is not True and _quiet(men, white, king, (before, square, origin, False)):
            return True
    return False


def _quiet(men: Men, white: bool, king: int, move: tuple[str, int, int, bool]) -> bool:
    """Tell whether the king was not attacked before a move (letter before it, to, from, capture)."""
    before, square, origin, capture = move
    to, bit = 1 << square, 1 << origin
    pieces = {letter: bits & ~to for letter, bits in men.pieces.items()}
    pieces[before] |= bit
    occupied = men.occupied | bit if capture else (men.occupied | bit) & ~to
    return not attackers(pieces, king, white=not white, occupied=occupied)


def _origins(men: Men, white: bool, square: int) -> Iterator[tuple[str, int, bool | None]]:
    """Give the letter before the move, its square of origin, and whether it must (not) have captured."""
    bit = 1 << square
    letters = "pnbrqk" if white else "PNBRQK"
    letter = next(x for x in letters if men.pieces[x] & bit)
    pawn, free = letters[0], ~men.occupied
    rank = square >> 3
    last, home = (0, 6) if white else (7, 1)
    back = 8 if white else -8
    if letter == pawn:
        if rank == home or rank == (7 if white else 0):
            return
        yield from _pawn_origins(pawn, square, back, free)
        if rank == (4 if white else 3) and free >> square + back & 1 and free >> square + 2 * back & 1:
            yield pawn, square + 2 * back, False
        return
    kind = letter.lower()
    if kind == "n":
        reach = KNIGHT[square]
    elif kind == "k":
        reach = KING[square]
    else:
        reach = slide(square, men.occupied, straight=kind != "b", diagonal=kind != "r")
    for origin in squares_of(reach & free):
        yield letter, origin, None
    if rank == last and kind != "k" and men.pieces[pawn].bit_count() < 8:
        yield from _pawn_origins(pawn, square, back, free)


def _pawn_origins(pawn: str, square: int, back: int, free: int) -> Iterator[tuple[str, int, bool | None]]:
    """Give the single steps and captures by which a pawn can have come to `square`."""
    if free >> square + back & 1:
        yield pawn, square + back, False
    for origin in squares_of(PAWN[pawn == "p"][square] & free):
        yield pawn, origin, True


def _by_en_passant(men: Men, white: bool, king: int) -> bool:
    """Try every capture en passant as the last move of the side that is not to move."""
    pawn, taken = ("p", "P") if white else ("P", "p")
    step = 8 if white else -8
    if men.pieces[taken].bit_count() > 7:
        return False
    for square in squares_of(men.pieces[pawn] & 0xFF << (16 if white else 40)):
        victim = square + step
        if men.occupied >> victim & 1 or men.occupied >> square - step & 1:
            continue
        beside = (1 << victim - 1 if victim & 7 else 0) | (1 << victim + 1 if victim & 7 != 7 else 0)
        for origin in squares_of(beside & ~men.occupied):
            pieces = dict(men.pieces)
            pieces[pawn] ^= 1 << square | 1 << origin
            pieces[taken] |= 1 << victim
            occupied = men.occupied ^ (1 << square | 1 << origin | 1 << victim)
            if not attackers(pieces, king, white=not white, occupied=occupied):
                return True
    return False


def _by_castling(men: Men, white: bool, king: int, chess960: bool) -> bool:
    """Try castling as the last move of the side that is not to move."""
    letters, base = ("kr", 56) if white else ("KR", 0)
    for king_from, rook_from, king_to, rook_to in _CASTLES:
        if men.pieces[letters[0]] != 1 << base + king_to or not men.pieces[letters[1]] >> base + rook_to & 1:
            continue
        wing = rook_from > king_from
        starts = (
            [(k, r) for k in range(1, 7) for r in range(8) if r != k and (r > k) == wing]
            if chess960
            else [(king_from, rook_from)]
        )
        if any(
            _castled(men, white, king, (base + k, base + r, base + king_to, base + rook_to))
            for k, r in starts
        ):
            return True
    return False


def _castled(men: Men, white: bool, king: int, squares: tuple[int, int, int, int]) -> bool:
    """Tell whether castling (king from, rook from, king to, rook to) can have been the last move."""
    king_from, rook_from, king_to, rook_to = squares
    letters = "kr" if white else "KR"
    after = 1 << king_to | 1 << rook_to
    before = 1 << king_from | 1 << rook_from
    if before & men.occupied & ~after:
        return False
    pieces = dict(men.pieces)
    pieces[letters[0]] = 1 << king_from
    pieces[letters[1]] = pieces[letters[1]] & ~(1 << rook_to) | 1 << rook_from
    occupied = men.occupied & ~after | before
    if attackers(pieces, king, white=not white, occupied=occupied):
        return False
    low, high = sorted((king_from, king_to))
    way = range(low, high + 1)
    return not any(attackers(pieces, square, white=white, occupied=occupied) for square in way)
