"""What the pawns and the first rank tell of the past: captures needed, promotions needed, locked men.

Between attacks and the checker.  Only sure rules: each figure is a lower bound of what every game
must have had, so that nothing here speaks against a position that legal moves can reach.  Pawns of
the second rank have never moved; what they shut in has never left, what they shut out has never
come in.  Both sides are looked at with the eyes of White: Black's men are reflected.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from fen_core.position import Men

__all__ = ["Camp", "camps", "captures_needed", "excess", "promotions"]

LIGHT = 0x55AA55AA55AA55AA
"""Light squares: b1, d1, … a2, …"""
_ALL_FILES = 0xFF
_HOME = {"B": (2, 5), "R": (0, 7), "Q": (3,), "K": (4,)}


@dataclass(frozen=True, slots=True)
class Camp:
    """Hold one side, ranks counted from its own end.

    Attributes
    ----------
    white : bool
    own : dict of str to int
        Bit sets of the side's men under capital letters.
    rival : dict of str to int
        The other side's men on the same reflected board, also under capital letters.
    unmoved : int
        King and rooks of the side whose castling right is claimed.
    """

    white: bool
    own: dict[str, int]
    rival: dict[str, int]
    unmoved: int


def _reflect(bits: int) -> int:
    return int.from_bytes(bits.to_bytes(8, "little"), "big")


def camps(men: Men, unmoved: int) -> tuple[Camp, Camp]:
    """Split a position into White's camp and Black's, each as its own side sees it."""
    white = {x: men.pieces[x] for x in "PNBRQK"}
    black = {x: men.pieces[x.lower()] for x in "PNBRQK"}
    turned_white = {x: _reflect(bits) for x, bits in white.items()}
    turned_black = {x: _reflect(bits) for x, bits in black.items()}
    return (
        Camp(True, white, black, unmoved & men.white),
        Camp(False, turned_black, turned_white, _reflect(unmoved & men.black)),
    )


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


def _shut(pawns: int, file: int) -> bool:
    """Tell whether both diagonals from a square of the first rank are shut by unmoved pawns."""
    around = (1 << file - 1 if file else 0) | (1 << file + 1 if file < 7 else 0)
    return pawns & around == around


@lru_cache(maxsize=4096)
def _pockets(pawns: int, fixed: int) -> tuple[int, int]:
    """Return the files of the first rank from which rooks, and from which queens and kings, cannot leave.

    Parameters
    ----------
    pawns : int
        Files with an unmoved pawn on the second rank.
    fixed : int
        Files of the first rank where a man stands that has never moved.
    """
    rooks = queens = 0
    file = 0
    while file < 8:
        if fixed >> file & 1:
            file += 1
            continue
        start = file
        while file < 8 and not fixed >> file & 1:
            file += 1
        run = ((1 << file) - 1) & ~((1 << start) - 1)
        if pawns & run == run:
            rooks |= run
            beside = run | (run << 1 | run >> 1) & _ALL_FILES
            if pawns & beside == beside:
                queens |= run
    return rooks, queens


def _fixed_files(camp: Camp, pawns: int) -> int:
    """Return the files of the first rank where a man stands that has certainly never moved."""
    fixed = camp.unmoved & _ALL_FILES
    for file in _HOME["B"]:
        if camp.own["B"] >> file & 1 and _shut(pawns, file):
            fixed |= 1 << file
    return fixed


def _strangers(camp: Camp, pawns: int, pockets: tuple[int, int]) -> tuple[int, int]:
    """Look at the rival's men inside: those that nothing explains, and those that only promotion does."""
    rank = {x: camp.rival[x] & _ALL_FILES for x in "BRQK"}
    wrong = (rank["Q"] | rank["K"] | rank["R"]) & pockets[1]
    promoted = rank["R"] & pockets[0] & ~pockets[1]
    for file in range(8):
        bit = 1 << file
        if rank["B"] & bit and _shut(pawns, file):
            if pawns & bit:
                wrong |= bit
            else:
                promoted |= bit
    return wrong, promoted


def _same_run(fixed: int, at: int, file: int) -> bool:
    """Tell whether no fixed man stands from one file of the first rank to another, both included."""
    low, high = min(at, file), max(at, file)
    return not fixed & (((1 << high + 1) - 1) & ~((1 << low) - 1))


def _prisoners(camp: Camp, pawns: int, fixed: int, pockets: tuple[int, int]) -> int:
    """Find own men of the first rank, and the king anywhere, that cannot have come where they stand."""
    own = camp.own
    wrong = 0
    for file in range(8):
        bit = 1 << file
        if own["B"] & bit and file not in _HOME["B"] and _shut(pawns, file):
            wrong |= bit
        for letter, pocket in (("R", pockets[0]), ("Q", pockets[1]), ("K", pockets[1])):
            if own[letter] & ~camp.unmoved & pocket & bit and not any(
                _same_run(fixed, file, home) for home in _HOME[letter]
            ):
                wrong |= bit
    if pockets[1] >> 4 & 1 and not own["K"] & pockets[1]:
        wrong |= own["K"]
    return wrong


def _promoted(camp: Camp, pawns: int, fixed: int, pockets: tuple[int, int], certain: int) -> int:
    """Count the promotions that a side's men prove, `certain` ones among the rival's pawns included."""
    own = camp.own
    total = max(0, own["N"].bit_count() - 2)
    for letter, pocket in (("R", pockets[0]), ("Q", pockets[1])):
        men = own[letter]
        homes = [file for file in _HOME[letter] if not fixed >> file & 1]
        free = (men & ~camp.unmoved & ~pocket & ~certain).bit_count()
        leaving = sum(not pocket >> home & 1 for home in homes)
        sure = (men & certain).bit_count() + max(0, free - leaving)
        total += max(men.bit_count() - len(_HOME[letter]), sure, 0)
    for file, colour in ((2, ~LIGHT), (5, LIGHT)):
        men = own["B"] & colour
        shut = _shut(pawns, file)
        free = (men & ~certain & ~(1 << file if shut else 0)).bit_count()
        sure = (men & certain).bit_count() + max(0, free - (not shut))
        total += max(men.bit_count() - 1, sure, 0)
    return total


def promotions(white: Camp, black: Camp) -> tuple[tuple[int, int], int]:
    """Count the promotions that all men together prove, and find the men that nothing explains.

    Returns
    -------
    tuple of (tuple of (int, int), int)
        Promotions needed by White and by Black; bit set of impossible men.
    """
    views = []
    for camp in (white, black):
        pawns = camp.own["P"] >> 8 & _ALL_FILES
        fixed = _fixed_files(camp, pawns)
        views.append((camp, pawns, fixed, _pockets(pawns, fixed)))
    strangers = [_strangers(camp, pawns, pockets) for camp, pawns, _, pockets in views]
    needed = [_promoted(*view, _reflect(strangers[1 - side][1])) for side, view in enumerate(views)]
    wrong = [_prisoners(*view) | strangers[side][0] for side, view in enumerate(views)]
    return (needed[0], needed[1]), wrong[0] | _reflect(wrong[1])


# ---------------------------------------------------------------------------------------------------
# Pawn captures


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
    white = _spots(white_pawns)
    black = _spots(_reflect(black_pawns))
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
