"""Whether a legal position looks like a known mistake: wrong end up, mirrored, colours exchanged.

Beside the checker's other rules, above the board.  A suspicion is a comparison: how much likelier the
board is when it is read another way.  Each man adds the logarithm of how much oftener it stands
on that rank (or file) than on the opposite one; pawns of one file that face each other, or have
passed each other, count most.  The weights are rounded frequencies of games between people and of
random play; the threshold was set so that positions of games stay below it (see the tests).
"""

from __future__ import annotations

from functools import lru_cache

from fen_core.attacks import FILES, RANKS
from fen_core.castling import canonical_letters, read_castling
from fen_core.fen import make_placement
from fen_core.legality import Edit, Finding, Position
from fen_core.position import (
    RECENT,
    Men,
    exchange_colours,
    mirror,
    place_men,
    reverse_ranks,
    square_list,
    turn,
)
from fen_core.syntax import double_steps

__all__ = ["mirrored_score", "suspicions", "wrong_end_score"]

WRONG_END_THRESHOLD = 10.0
_TELLING_PAWNS = 6
"""With fewer pawns the rest of the men tell little: each one missing asks for one more of evidence."""
MIRRORED_THRESHOLD = 7.0

_PAWN_WEIGHTS = (0.0, 3.0, 1.2, 0.4, -0.4, -1.2, -3.0, 0.0)
"""log p(rank) - log p(opposite rank) of a pawn, from its own end."""
_PAWN_LIMIT = 5.0
"""Pawns run together: those of one side are no more than this much evidence."""
_KING_WEIGHTS = (2.2, 1.0, 0.4, 0.1, -0.1, -0.4, -1.0, -2.2)
_OFFICER_WEIGHTS = (0.35, 0.2, 0.15, 0.0, 0.0, -0.15, -0.2, -0.35)
_FACING = 2.0
_PASSED = -2.5
_CASTLING = 6.0
_D_FILE_HOMES = 1 << 3 | 1 << 59


def _by_rank(bits: int, weights: tuple[float, ...], white: bool) -> float:
    ranks = RANKS if white else RANKS[::-1]
    return sum(
        weight * (bits & rank).bit_count() for weight, rank in zip(weights, ranks, strict=True) if bits & rank
    )


@lru_cache(maxsize=RECENT)
def wrong_end_score(men: Men, rights: int = 0) -> float:
    """Score how much likelier the board is as written than with its ends exchanged.

    Parameters
    ----------
    men : Men
    rights : int
        How many castling rights the board allows as written.

    Returns
    -------
    float
        A logarithm of odds; below minus `WRONG_END_THRESHOLD` (and more, where there are few pawns) the
        board is read from the wrong end.
        The same score, for reasons of symmetry, tells exchanged colours.
    """
    pieces = men.pieces
    white, black = pieces["P"], pieces["p"]
    score = _CASTLING * rights
    for pawns, own in ((white, True), (black, False)):
        score += max(-_PAWN_LIMIT, min(_PAWN_LIMIT, _by_rank(pawns, _PAWN_WEIGHTS, own)))
    score += _by_rank(pieces["K"], _KING_WEIGHTS, True) + _by_rank(pieces["k"], _KING_WEIGHTS, False)
    score += _by_rank(pieces["N"] | pieces["B"] | pieces["R"] | pieces["Q"], _OFFICER_WEIGHTS, True)
    score += _by_rank(pieces["n"] | pieces["b"] | pieces["r"] | pieces["q"], _OFFICER_WEIGHTS, False)
    for file in FILES:
        mine, theirs = white & file, black & file
        if mine and theirs:
            score += _FACING if mine.bit_length() < (theirs & -theirs).bit_length() else _PASSED
    return score


@lru_cache(maxsize=RECENT)
def mirrored_score(men: Men) -> float:
    """Score how much likelier the board is with left and right exchanged.

    Kings and queens on each other's home squares count, the more the fewer of the side's other men
    have moved; a king or queen on its own home square counts against.

    Returns
    -------
    float
        Above `MIRRORED_THRESHOLD` the board is mirrored.
    """
    score = 0.0
    for letters, base in (("PNBRQK", 0), ("pnbrqk", 56)):
        _, knights, bishops, rooks, queens, king = (men.pieces[x] >> base & 0xFF for x in letters)
        row = men.pieces[letters[0]] >> (8 if base == 0 else 48) & 0xFF
        at_home = (knights & 0x42).bit_count() + (bishops & 0x24).bit_count() + (rooks & 0x81).bit_count()
        unmoved = row.bit_count() / 2 + at_home
        if king & 0x08:
            score += (
                1.5
                + (3.0 if queens & 0x10 else 0.0)
                + max(0.0, unmoved - 6) * (0.5 if queens & 0x10 else 0.1)
            )
        elif king & 0x10:
            score -= 4.0
        elif king & 0x06 and rooks & 0x04:
            score += 0.5
        elif king & 0xC0 and rooks & 0x20:
            score -= 2.0
        if queens & 0x08 and not king & 0x08:
            score -= 2.0
    return score


def suspicions(position: Position, fields: tuple[str, ...]) -> list[Finding]:
    """Raise suspicions about a position with one king a side and pawns where pawns can be.

    Parameters
    ----------
    position : Position
    fields : tuple of str
        The six fields as text, for the cures.
    """
    men = position.men
    pieces = men.pieces
    if pieces["K"].bit_count() != 1 or pieces["k"].bit_count() != 1:
        return []
    findings = []
    pawns = (pieces["P"] | pieces["p"]).bit_count()
    threshold = WRONG_END_THRESHOLD + max(0, _TELLING_PAWNS - pawns)
    if _mostly_beyond(men) and wrong_end_score(men, len(position.rights.rights)) < -threshold:
        upright = [reverse_ranks(position.board), turn(position.board)]
        codes = ["reverse-ranks", "turn"]
        reversed_score, turned_score = (mirrored_score(place_men(board)) for board in upright)
        if turned_score < reversed_score:
            codes.reverse()
            upright.reverse()
        edits = [_edit(code, board, position, fields) for code, board in zip(codes, upright, strict=True)]
        findings.append(Finding("upside-down-suspected", "suspect", edits=edits))
        exchanged = exchange_colours(position.board)
        if mirrored_score(place_men(exchanged)) <= MIRRORED_THRESHOLD:
            edit = _edit("exchange-colours", exchanged, position, fields)
            findings.append(Finding("colours-swapped-suspected", "suspect", edits=[edit]))
    elif (pieces["K"] | pieces["k"]) & _D_FILE_HOMES and mirrored_score(men) > MIRRORED_THRESHOLD:
        edit = _edit("mirror", mirror(position.board), position, fields)
        findings.append(Finding("mirrored-suspected", "suspect", edits=[edit]))
    return findings


def _mostly_beyond(men: Men) -> bool:
    """Tell whether at least half of each side's pawns stand in the other half, as on a board wrong end up."""
    white, black = men.pieces["P"], men.pieces["p"]
    return (
        bool(white | black)
        and 2 * (white >> 32).bit_count() >= white.bit_count()
        and 2 * (black & 0xFFFFFFFF).bit_count() >= black.bit_count()
    )


def _edit(code: str, board: str, position: Position, fields: tuple[str, ...]) -> Edit:
    """Write a transformed board, with the castling rights and the en passant square that still can be."""
    kept = read_castling(board, position.castling or "-")
    letters = canonical_letters("".join(right.letter for right in kept.rights if right.standard))
    target = fields[3] if position.ep != "-" else "-"
    if position.ep not in (None, "-") and position.side:
        steps = square_list(double_steps(place_men(board), position.side == "w"))
        target = next((name for name in (target, _moved(code, target)) if name in steps), "-")
    dropped = [
        name
        for at, name in ((2, "castling_rights"), (3, "ep_square"))
        if fields[at] != (letters, target)[at - 2]
    ]
    return code, {0: make_placement(board), 2: letters, 3: target}, {"dropped": dropped}


def _moved(code: str, square: str) -> str:
    """Return where a square goes when the board is transformed."""
    file, rank = square[0], square[1]
    if code in ("turn", "mirror"):
        file = "abcdefgh"[104 - ord(file)]
    if code in ("turn", "reverse-ranks"):
        rank = str(9 - int(rank))
    return file + rank
