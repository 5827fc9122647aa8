"""What the pawns and the first rank tell of the past: captures needed, promotions needed, locked men.

Between attacks and the checker.  Only sure rules: each figure is a lower bound of what every game
must have had, so that nothing here speaks against a position that legal moves can reach.  Pawns of
the second rank have never moved; what they shut in has never left, what they shut out has never
come in.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from fen_core.position import RECENT, Men

__all__ = ["LIGHT", "captures_needed", "excess", "nothing_shut", "promotions"]

LIGHT = 0x55AA55AA55AA55AA
"""Light squares: b1, d1, … a2, …"""
_ALL_FILES = 0xFF
_BISHOP_HOMES = 0x24
_HOMES = ((0, 7), (3,), (4,))
"""Files on which rooks, the queen and the king begin."""


def excess(pieces: dict[str, int]) -> int:
    """Count the men that only promotion explains: a second queen, a third rook, a second light bishop."""
    bishops = pieces["B"]
    return (
        max(0, pieces["Q"].bit_count() - 1)
        + max(0, pieces["R"].bit_count() - 2)
        + max(0, pieces["N"].bit_count() - 2)
        + max(0, (bishops & LIGHT).bit_count() - 1)
        + max(0, (bishops & ~LIGHT).bit_count() - 1)
    )


# ---------------------------------------------------------------------------------------------------
# Locked men


@dataclass(frozen=True, slots=True)
class _Camp:
    """Hold one side's first rank and what its unmoved pawns shut in.

    Attributes
    ----------
    base : int
        Square of the a-file on the side's first rank.
    own, rival : str
        Letters of the side and of the other, in the order PNBRQK.
    pawns : int
        Files (bit a = 0) with an unmoved pawn on the second rank.
    fixed : int
        Files of the first rank where a man stands that has certainly never moved.
    shut : int
        Files of the first rank from which both diagonals are shut by unmoved pawns.
    rooks, queens : int
        Files of the first rank that rooks, and that queens and kings, cannot leave or enter.
    """

    base: int
    own: str
    rival: str
    pawns: int
    fixed: int
    shut: int
    rooks: int
    queens: int


def _camp(men: Men, white: bool, unmoved: int) -> _Camp:
    base, own, rival = (0, "PNBRQK", "pnbrqk") if white else (56, "pnbrqk", "PNBRQK")
    pawns = men.pieces[own[0]] >> (8 if white else 48) & _ALL_FILES
    shut = (pawns << 1 | 0x01) & (pawns >> 1 | 0x80)
    bishops = men.pieces[own[2]] >> base & _ALL_FILES
    fixed = unmoved >> base & _ALL_FILES | bishops & shut & _BISHOP_HOMES
    return _Camp(base, own, rival, pawns, fixed, shut, *_pockets(pawns, fixed))


@lru_cache(maxsize=4096)
def _pockets(pawns: int, fixed: int) -> tuple[int, int]:
    """Return the files of the first rank that rooks, and that queens and kings, cannot leave or enter.

    A gap between fixed men is a pocket where an unmoved pawn stands before each of its squares; for
    queens and kings the pawns beside must stand too.
    """
    rooks = queens = file = 0
    while file < 8:
        if fixed >> file & 1:
            file += 1
            continue
        start = file
        while file < 8 and not fixed >> file & 1:
            file += 1
        gap = (1 << file) - (1 << start)
        if pawns & gap == gap:
            rooks |= gap
            beside = (gap | gap << 1 | gap >> 1) & _ALL_FILES
            if pawns & beside == beside:
                queens |= gap
    return rooks, queens


def _same_gap(fixed: int, at: int, file: int) -> bool:
    """Tell whether no fixed man stands from one file of the first rank to another, both included."""
    low, high = min(at, file), max(at, file)
    return not fixed & ((2 << high) - (1 << low))


def _strangers(men: Men, camp: _Camp) -> tuple[int, int]:
    """Look at the rival's men inside: those that nothing explains, and those that only promotion does."""
    bishops, rooks, queens, king = (men.pieces[x] >> camp.base & _ALL_FILES for x in camp.rival[2:])
    wrong = (rooks | queens | king) & camp.queens | bishops & camp.shut & camp.pawns
    promoted = rooks & camp.rooks & ~camp.queens | bishops & camp.shut & ~camp.pawns
    return wrong << camp.base, promoted << camp.base


def _prisoners(men: Men, camp: _Camp, unmoved: int) -> int:
    """Find own men of the first rank, and the king anywhere, that cannot have come where they stand."""
    pieces, base = men.pieces, camp.base
    wrong = pieces[camp.own[2]] >> base & _ALL_FILES & camp.shut & ~_BISHOP_HOMES
    for letter, homes, pocket in zip(
        camp.own[3:], _HOMES, (camp.rooks, camp.queens, camp.queens), strict=True
    ):
        inside = (pieces[letter] & ~unmoved) >> base & pocket
        while inside:
            bit = inside & -inside
            inside ^= bit
            if not any(_same_gap(camp.fixed, bit.bit_length() - 1, home) for home in homes):
                wrong |= bit
    wrong <<= base
    king = pieces[camp.own[5]]
    if camp.queens >> 4 & 1 and not king >> base & camp.queens:
        wrong |= king
    return wrong


def _promoted(men: Men, camp: _Camp, unmoved: int, certain: int) -> int:
    """Count the promotions that a side's men prove; `certain` ones stand among the rival's pawns."""
    pieces, base = men.pieces, camp.base
    total = max(0, pieces[camp.own[1]].bit_count() - 2)
    for letter, homes, pocket in zip(camp.own[3:5], _HOMES, (camp.rooks, camp.queens), strict=False):
        own = pieces[letter]
        free = (own & ~unmoved & ~certain & ~(pocket << base)).bit_count()
        leaving = sum(not (camp.fixed | pocket) >> home & 1 for home in homes)
        sure = (own & certain).bit_count() + max(0, free - leaving)
        total += max(own.bit_count() - len(homes), sure)
    for file in (2, 5):
        home = 1 << base + file
        own = pieces[camp.own[2]] & (LIGHT if LIGHT & home else ~LIGHT)
        shut = camp.shut >> file & 1
        free = (own & ~certain & ~(home if shut else 0)).bit_count()
        sure = (own & certain).bit_count() + max(0, free - (1 - shut))
        total += max(own.bit_count() - 1, sure)
    return total


@lru_cache(maxsize=RECENT)
def promotions(men: Men, unmoved: int) -> tuple[tuple[int, int], int]:
    """Count the promotions that all men together prove, and find the men that nothing explains.

    Parameters
    ----------
    men : Men
    unmoved : int
        Kings and rooks that have not moved, because a castling right is claimed.

    Returns
    -------
    tuple of (tuple of (int, int), int)
        Promotions needed by White and by Black; bit set of impossible men.
    """
    camps = (_camp(men, True, unmoved), _camp(men, False, unmoved))
    inside = tuple(_strangers(men, camp) for camp in camps)
    needed = tuple(_promoted(men, camps[side], unmoved, inside[1 - side][1]) for side in (0, 1))
    wrong = 0
    for side in (0, 1):
        wrong |= inside[side][0] | _prisoners(men, camps[side], unmoved)
    return (needed[0], needed[1]), wrong


def nothing_shut(men: Men) -> bool:
    """Tell at a glance that no man of the standard game can be locked.

    A bishop is shut in by two unmoved pawns a file apart (in the corner by one); a pocket of other men
    ends at such a bishop, at the edge or at an unmoved king, and needs the same.
    """
    for pawns in (men.pieces["P"] >> 8 & _ALL_FILES, men.pieces["p"] >> 48 & _ALL_FILES):
        if pawns & pawns >> 2 or pawns & 0x42:
            return False
    return True


# ---------------------------------------------------------------------------------------------------
# Pawn captures


@lru_cache(maxsize=RECENT)
def captures_needed(white_pawns: int, black_pawns: int, lost: tuple[int, int]) -> tuple[int, int] | None:
    """Find the least captures the pawns must have made, or None when the men lost do not suffice.

    A pawn on rank r has changed its file at most r - 2 times, each by a capture; no two pawns come
    from one file.  Where two opposing pawns of one file have passed each other, one of them was not
    on it all the time: it shifted, or left and came back, which takes two.

    Parameters
    ----------
    white_pawns, black_pawns : int
        Bit sets, none on the first or last rank, at most eight a side.
    lost : tuple of (int, int)
        Men that White and that Black has lost.

    Returns
    -------
    tuple of (int, int) or None
        Captures by White's pawns and by Black's in the cheapest account.
    """
    behind = black_pawns << 8 | black_pawns << 16
    behind |= behind << 16
    behind |= behind << 32
    if not behind & white_pawns and _one_a_file(white_pawns) and _one_a_file(black_pawns):
        return 0, 0
    white = _spots(white_pawns)
    black = _spots(int.from_bytes(black_pawns.to_bytes(8, "little"), "big"))
    crossed = _crossed(white, black)
    for choice in range(1 << len(crossed)):
        marked_white = frozenset(pair[0] for at, pair in enumerate(crossed) if choice >> at & 1)
        marked_black = frozenset(pair[1] for at, pair in enumerate(crossed) if not choice >> at & 1)
        by_white = _least(white, marked_white, lost[1])
        if by_white is None:
            continue
        by_black = _least(black, marked_black, lost[0])
        if by_black is not None:
            return by_white, by_black
    return None


def _one_a_file(pawns: int) -> bool:
    """Tell whether no two pawns of one side stand on one file."""
    folded = pawns | pawns >> 32
    folded |= folded >> 16
    folded |= folded >> 8
    return (folded & _ALL_FILES).bit_count() == pawns.bit_count()


Spot = tuple[int, int]
"""File and rank (0 to 7) of a pawn, seen from its own end."""


def _spots(pawns: int) -> tuple[Spot, ...]:
    found = []
    while pawns:
        low = pawns & -pawns
        square = low.bit_length() - 1
        found.append((square & 7, square >> 3))
        pawns ^= low
    return tuple(sorted(found))


def _crossed(white: tuple[Spot, ...], black: tuple[Spot, ...]) -> list[tuple[Spot, Spot]]:
    """Pair, on each file, a white pawn that has passed a black one with that black pawn."""
    most = dict(white)
    pairs = []
    for file, rank in dict(black).items():
        if file in most and most[file] > 7 - rank:
            pairs.append(((file, most[file]), (file, rank)))
    return pairs


@lru_cache(maxsize=4096)
def _least(pawns: tuple[Spot, ...], marked: frozenset[Spot], limit: int) -> int | None:
    """Return the least captures of one side's pawns, or None above the limit; `marked` ones captured."""
    if not marked and len({file for file, _ in pawns}) == len(pawns):
        return 0
    return next((cost for cost in range(limit + 1) if _feasible(pawns, marked, cost)), None)


def _feasible(pawns: tuple[Spot, ...], marked: frozenset[Spot], limit: int) -> bool:
    """Tell whether pawns can come from different files with at most `limit` captures."""
    costs: dict[int, int] = {0: 0}
    for file, rank in pawns:
        reach = min(rank - 1, limit)
        following: dict[int, int] = {}
        for origin in range(max(0, file - reach), min(7, file + reach) + 1):
            shift = abs(file - origin)
            if not shift and (file, rank) in marked:
                shift = 2
            bit = 1 << origin
            for used, cost in costs.items():
                if not used & bit and cost + shift <= limit:
                    key = used | bit
                    if following.get(key, 99) > cost + shift:
                        following[key] = cost + shift
        costs = following
    return bool(costs)
