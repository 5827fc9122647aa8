"""The rules of position: what no game of chess can show, and what a person would want to know.

Between the fields' syntax and `check`.  Each function looks at one kind of rule and returns the findings;
a finding carries edits of fields, which become whole FENs in `fixes`.  What always holds: `illegal` is
never said of a position that legal moves can reach.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from dataclasses import field as default
from typing import Any

from fen_core.attacks import attackers, can_capture_en_passant, has_legal_move
from fen_core.castling import Castling, canonical_letters, read_castling
from fen_core.position import Men, square_index, square_list
from fen_core.retro import check_is_possible, check_stood_before
from fen_core.structure import LIGHT, captures_needed, excess, nothing_shut, promotions

__all__ = ["Finding", "Position", "position_findings"]

Edit = tuple[str, dict[int, str], dict[str, Any]]
"""Code of the fix, new text of fields by their number, parameters of the words."""

SIDE, CASTLING, EP, HALFMOVE = 1, 2, 3, 4
_EDGE = 0xFF000000000000FF


@dataclass(slots=True)
class Finding:
    """Hold a finding before its fixes are complete FENs."""

    code: str
    severity: str
    field: str | None = "placement"
    squares: tuple[str, ...] = ()
    params: dict[str, Any] = default(default_factory=dict)
    edits: list[Edit] = default(default_factory=list)


@dataclass(frozen=True, slots=True)
class Position:
    """Hold the values of the fields that could be read; None for those that could not."""

    board: str
    men: Men
    side: str | None
    castling: str | None
    ep: str | None
    halfmove: int | None
    fullmove: int | None
    rights: Castling

    @classmethod
    def of(
        cls,
        board: str,
        men: Men,
        side: str | None,
        castling: str | None,
        ep: str | None,
        counters: tuple[int | None, int | None],
    ) -> Position:
        """Make a position from the values of its fields."""
        rights = read_castling(board, castling or "-")
        return cls(board, men, side, castling, ep, *counters, rights)

    @property
    def unmoved(self) -> int:
        """Bit set of kings and rooks that have not moved where the claimed rights are right."""
        bits = 0
        for right in self.rights.rights:
            bits |= 1 << right.king | 1 << right.rook
        return bits


def _name(side: str) -> str:
    return "white" if side == "w" else "black"


def _other(side: str) -> str:
    return "b" if side == "w" else "w"


def position_findings(position: Position) -> list[Finding]:
    """Find everything that the rules of position have to say, worst rules first."""
    men = position.men
    findings = [*_kings(men), *_counts(men), *_castling(position)]
    kings = men.pieces["K"].bit_count() == 1 and men.pieces["k"].bit_count() == 1
    findings.extend(_en_passant(position))
    sound_ep = not any(f.field == "ep_square" and f.severity == "illegal" for f in findings)
    if position.side:
        checked = _opponent_in_check(position)
        findings.extend(checked)
        if kings and not checked:
            findings.extend(_last_move(position, sound_ep))
    countable = (
        not men.pieces["P"] & _EDGE
        and not men.pieces["p"] & _EDGE
        and not any(f.code in ("too-many-pawns", "too-many-pieces") for f in findings)
    )
    if kings and countable:
        findings.extend(_past(position))
    if position.side and kings and not any(f.code == "opponent-in-check" for f in findings):
        findings.extend(_endings(position, sound_ep))
    return findings


def _kings(men: Men) -> Iterator[Finding]:
    for side, letter in (("white", "K"), ("black", "k")):
        bits = men.pieces[letter]
        if not bits:
            yield Finding("kings-missing", "illegal", params={"side": side})
        elif bits & (bits - 1):
            yield Finding(
                "kings-many",
                "illegal",
                squares=square_list(bits),
                params={"side": side, "n": bits.bit_count()},
            )


def _counts(men: Men) -> Iterator[Finding]:
    for side, letters, all_men in (("white", "PNBRQK", men.white), ("black", "pnbrqk", men.black)):
        own = dict(zip("PNBRQK", (men.pieces[x] for x in letters), strict=True))
        pawns = own["P"].bit_count()
        if own["P"] & _EDGE:
            yield Finding(
                "pawn-edge", "illegal", squares=square_list(own["P"] & _EDGE), params={"side": side}
            )
        if pawns > 8:
            params = {"side": side, "n": pawns}
            yield Finding("too-many-pawns", "illegal", squares=square_list(own["P"]), params=params)
        promoted, missing = excess(own), max(0, 8 - pawns)
        if all_men.bit_count() > 16 or promoted > missing:
            params = {
                "side": side,
                "n": all_men.bit_count(),
                "promoted": promoted,
                "missing": missing,
                "variant": "men" if all_men.bit_count() > 16 else "promoted",
            }
            yield Finding("too-many-pieces", "illegal", squares=square_list(_surplus(own)), params=params)


def _surplus(own: dict[str, int]) -> int:
    """Return the men of the kinds of which there are more than at the start."""
    bits = 0
    for letter, limit in (("N", 2), ("R", 2), ("Q", 1)):
        if own[letter].bit_count() > limit:
            bits |= own[letter]
    for colour in (own["B"] & LIGHT, own["B"] & ~LIGHT):
        if colour.bit_count() > 1:
            bits |= colour
    return bits


def _castling(position: Position) -> Iterator[Finding]:
    rights = position.rights
    field = position.castling
    if field is None or field == "-":
        return
    if rights.impossible:
        kept = canonical_letters("".join(right.letter for right in rights.rights))
        params: dict[str, Any] = {"letters": rights.impossible, "castling": kept}
        if rights.could_be_960:
            params["variant"] = "chess960"
        edits: list[Edit] = [("castling", {CASTLING: kept}, {"castling": kept})]
        yield Finding("castling-impossible", "illegal", "castling_rights", (), params, edits)
    elif rights.rivals:
        edits = []
        for white in (True, False):
            kept = canonical_letters("".join(right.letter for right in rights.rights if right.white == white))
            edits.append(("castling", {CASTLING: kept}, {"castling": kept}))
        params = {"letters": field, "castling": "-", "variant": "rivals"}
        yield Finding("castling-impossible", "illegal", "castling_rights", (), params, edits)


def _en_passant(position: Position) -> Iterator[Finding]:
    ep, side, men = position.ep, position.side, position.men
    if ep is None or ep == "-" or side is None:
        return
    field = "ep_square"
    white = side == "w"
    target = square_index(ep) ^ 56
    none: Edit = ("ep-none", {EP: "-"}, {})
    if ep[1] != ("6" if white else "3"):
        meant = ep[0] + ("6" if white else "3")
        edits: list[Edit] = [("ep", {EP: meant}, {"square": meant})]
        if ep[1] == ("3" if white else "6"):
            edits.append(("turn-side", {SIDE: _other(side)}, {"side": _name(_other(side))}))
        params = {"square": ep, "side": _name(side), "rank": 6 if white else 3}
        yield Finding("ep-rank", "illegal", field, (ep,), params, [*edits, none])
        return
    stands, origin = (target - 8, target + 8) if white else (target + 8, target - 8)
    rival = _name(_other(side))
    faulty = False
    if not men.pieces["p" if white else "P"] >> stands & 1:
        faulty = True
        (square,) = square_list(1 << stands)
        params = {"square": square, "side": rival, "target": ep}
        yield Finding("ep-no-pawn", "illegal", field, (ep, square), params, [none])
    blocked = men.occupied & (1 << target | 1 << origin)
    if blocked:
        faulty = True
        names = square_list(blocked)
        yield Finding("ep-blocked", "illegal", field, names, {"side": rival, "target": ep}, [none])
    if position.halfmove:
        params = {"text": str(position.halfmove), "square": ep, "variant": "ep"}
        zero: Edit = ("halfmove", {HALFMOVE: "0"}, {"value": 0})
        yield Finding("halfmove", "illegal", "halfmove_clock", (), params, [zero, none])
    if not faulty:
        yield from _capturable(men, white, ep, target)


def _capturable(men: Men, white: bool, ep: str, target: int) -> Iterator[Finding]:
    placed, allowed = can_capture_en_passant(men, white, target)
    if allowed:
        return
    variant = "pinned" if placed else "no-pawn"
    params = {"square": ep, "side": "white" if white else "black", "variant": variant}
    edits: list[Edit] = [("ep-style", {EP: "-"}, {})]
    yield Finding("ep-not-capturable", "note", "ep_square", (ep, *square_list(placed)), params, edits)


def _opponent_in_check(position: Position) -> list[Finding]:
    """Look whether the side to move could take the king."""
    side = position.side or "w"
    white = side == "w"
    men = position.men
    king = men.pieces["k" if white else "K"]
    if not king or king & (king - 1):
        return []
    checkers = attackers(men.pieces, king.bit_length() - 1, white=white, occupied=men.occupied)
    if not checkers:
        return []
    touching = checkers & men.pieces["K" if white else "k"]
    params: dict[str, Any] = {
        "side": _name(_other(side)),
        "mover": _name(side),
        "checkers": list(square_list(checkers)),
    }
    edits: list[Edit] = []
    if touching:
        params["variant"] = "kings"
    else:
        edits = [("turn-side", {SIDE: _other(side), EP: "-"}, {"side": _name(_other(side))})]
    squares = square_list(king) + square_list(checkers)
    return [Finding("opponent-in-check", "illegal", "side_to_move", squares, params, edits)]


def _last_move(position: Position, sound_ep: bool) -> Iterator[Finding]:
    """Take the last move back, to see whether the check or the double step can have come about."""
    men, white = position.men, position.side == "w"
    ep = position.ep
    king = men.pieces["K" if white else "k"]
    side = _name(position.side or "w")
    params: dict[str, Any]
    if ep and ep != "-" and sound_ep:
        if check_stood_before(men, white, square_index(ep) ^ 56):
            edits: list[Edit] = [("ep-none", {EP: "-"}, {})]
            params = {"side": side, "square": ep, "variant": "ep"}
            yield Finding("impossible-check", "illegal", "ep_square", (ep, *square_list(king)), params, edits)
        return
    chess960 = any(not right.standard for right in position.rights.rights)
    if not check_is_possible(men, white, position.unmoved, chess960=chess960):
        checkers = attackers(men.pieces, king.bit_length() - 1, white=not white, occupied=men.occupied)
        params = {"side": side, "n": checkers.bit_count(), "checkers": list(square_list(checkers))}
        squares = square_list(king) + square_list(checkers)
        yield Finding("impossible-check", "illegal", "placement", squares, params)


def _past(position: Position) -> Iterator[Finding]:
    """Ask what pawns and shut-in men tell of the past."""
    men = position.men
    params: dict[str, Any]
    lost = (16 - men.white.bit_count(), 16 - men.black.bit_count())
    if captures_needed(men.pieces["P"], men.pieces["p"], lost) is None:
        params = {"white": lost[1], "black": lost[0]}
        squares = square_list(men.pieces["P"] | men.pieces["p"])
        yield Finding("pawn-structure", "illegal", squares=squares, params=params)
    if nothing_shut(men) or any(not right.standard for right in position.rights.rights):
        return  # men of Chess960 begin elsewhere
    needed, wrong = promotions(men, position.unmoved)
    missing = [8 - men.pieces[pawn].bit_count() for pawn in "Pp"]
    if not wrong and needed[0] <= missing[0] and needed[1] <= missing[1]:
        return
    edits: list[Edit] = []
    if position.unmoved:  # perhaps the claimed rights alone are at fault
        edits = [("castling", {CASTLING: "-"}, {"castling": "-"})]
    for side, count, spare in (("white", needed[0], missing[0]), ("black", needed[1], missing[1])):
        if count > spare:
            params = {"side": side, "promoted": count, "missing": spare, "variant": "promoted"}
            yield Finding("locked-piece", "illegal", params=params, edits=edits)
    if wrong:
        params = {"variant": "locked"}
        yield Finding("locked-piece", "illegal", squares=square_list(wrong), params=params, edits=edits)


def _endings(position: Position, sound_ep: bool) -> Iterator[Finding]:
    """Note that the game is over, or drawn by what is left on the board."""
    men, white = position.men, position.side == "w"
    side = _name(position.side or "w")
    ep = position.ep
    target = square_index(ep) ^ 56 if ep and ep != "-" and sound_ep else None
    if not has_legal_move(men, white, target):
        king = men.pieces["K" if white else "k"]
        checkers = attackers(men.pieces, king.bit_length() - 1, white=not white, occupied=men.occupied)
        squares = square_list(king) + square_list(checkers)
        yield Finding("checkmate" if checkers else "stalemate", "note", None, squares, {"side": side})
    if _too_little(men):
        yield Finding("insufficient-material", "note", None)


def _too_little(men: Men) -> bool:
    """Tell whether no series of legal moves can mate: bare kings, one minor piece, bishops of one colour."""
    rest = men.occupied & ~(men.pieces["K"] | men.pieces["k"])
    if rest.bit_count() < 2:
        return not rest & ~(men.pieces["N"] | men.pieces["n"] | men.pieces["B"] | men.pieces["b"])
    bishops = men.pieces["B"] | men.pieces["b"]
    return rest == bishops and (not rest & LIGHT or not rest & ~LIGHT)
