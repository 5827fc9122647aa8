"""The six fields one by one: what they say, what is wrong with how they are written, how it could be meant.

Between `clean` and the rules of position.  Each function returns the value of its field (None where it
cannot be told), the findings, and for each finding the texts that would be well-formed.  What is not
written well is never repaired in silence: the proposals become fixes.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from fen_core.attacks import squares_of
from fen_core.castling import canonical_letters, well_formed
from fen_core.fen import expand_placement, rank_width
from fen_core.letters import merged_digits, readings
from fen_core.position import Men, square_index

__all__ = [
    "Fault",
    "double_steps",
    "read_castling_field",
    "read_counter",
    "read_ep",
    "read_placement",
    "read_side",
]

Proposal = tuple[str, str, dict[str, Any]]
"""Code of the fix, the text of the field, parameters of the words."""

_EMPTY_SIGNS = set("·•∙□■▢▪▫○●")
"""What stands for an empty square in boards of other people, beside the signs of ASCII."""
_PIECES = set("PNBRQKpnbrqk")
_KNOWN = _PIECES | set("0123456789/")
_GOOD_COUNTER = re.compile(r"0|[1-9][0-9]{0,3}")
_NEARLY_COUNTER = re.compile(r"[^\w-]*0*([0-9]{1,4})[^\w]*", re.ASCII)
_NOTHING = {
    "",
    "-",
    "--",
    "_",
    "none",
    "no",
    "nil",
    "null",
    "n/a",
    "na",
    "nan",
    "x",
    "0",
    "keine",
    "aucun",
    "ninguno",
}
_NOTHING |= {"nenhum", "nessuno", "geen", "brak", "нет", "καμία", "không", ".", "?", "false", "undefined"}
_WORDS = {
    "w": "w white weiss weiß weiße blanc blancs blanche blanches blanca blancas blanco blancos bianco "
    "bianchi branca brancas branco brancos wit białe biale bílý vit hvid hvit λευκά λευκός λευκα белые "
    "белый whites valkea beyaz fehér bela beli hvítur 白 白方 先手 trắng trang સફેદ সাদা",
    "b": "b black schwarz schwarze noir noirs noire noires negra negras negro negros nero neri preta "
    "pretas preto pretos zwart czarne černý svart sort μαύρα μαύρος μαυρα чёрные черные черный đen den "
    "blacks musta siyah fekete sötét crna crni svartur 黑 黒 黑方 後手 કાળો કાળા কালো",
}
_SIDES = {word: side for side, words in _WORDS.items() for word in words.split()}


@dataclass(slots=True)
class Fault:
    """Hold a finding about one field before its fixes are complete FENs."""

    code: str
    params: dict[str, Any] = field(default_factory=dict)
    proposals: list[Proposal] = field(default_factory=list)


# ---------------------------------------------------------------------------------------------------
# Placement


def read_placement(raw: str) -> tuple[str | None, list[Fault]]:
    """Read a placement field: a board of 64 letters or None, and what is wrong."""
    board = expand_placement(raw)
    if board is not None:
        return board, []
    faults = []
    strange = [at for at, letter in enumerate(raw[:5000]) if letter not in _KNOWN]
    ranks = raw.split("/")
    if strange:
        faults.append(_bad_characters(raw, strange))
    if len(ranks) != 8:
        faults.append(Fault("rank-count", {"n": len(ranks), "expected": 8}, _recount(raw, ranks)))
    if len(ranks) <= 16:
        runs = [
            (8 - at, run)
            for at, rank in enumerate(ranks)
            for run in re.findall(r"[0-9]{2,}|[09]", rank[:100])
        ]
        if runs:
            shown = {
                "rank": runs[0][0] if len(ranks) == 8 else None,
                "digits": runs[0][1][:20],
                "n": len(runs),
            }
            faults.append(Fault("digit", shown, _if_sound("merge-digits", merged_digits(raw[:200]))))
    if len(ranks) == 8:
        faults.extend(_sums(ranks))
    return None, faults


def _if_sound(code: str, placement: str, /, **params: Any) -> list[Proposal]:
    return [(code, placement, params)] if expand_placement(placement) is not None else []


def _sums(ranks: list[str]) -> list[Fault]:
    """Find the ranks that do not add up, those of strange letters left aside."""
    wrong = [at for at, rank in enumerate(ranks) if set(rank) <= _KNOWN and rank_width(rank) != 8]
    faults = []
    for at in wrong:
        proposals: list[Proposal] = []
        mended = _mended(ranks[at])
        if mended and len(wrong) == 1:
            proposals = _if_sound("pad-rank", "/".join([*ranks[:at], mended, *ranks[at + 1 :]]), rank=8 - at)
        faults.append(
            Fault("rank-sum", {"rank": 8 - at, "found": rank_width(ranks[at]), "expected": 8}, proposals)
        )
    return faults


def _mended(rank: str) -> str | None:
    """Lengthen or shorten the empty squares at the end of a rank until it has eight."""
    missing = 8 - rank_width(rank)
    body = rank.rstrip("0123456789")
    empties = rank_width(rank[len(body) :]) + missing
    if len(rank) > 20 or empties < 0:
        return None
    return body + (str(empties) if empties else "")


def _recount(raw: str, ranks: list[str]) -> list[Proposal]:
    """Find eight ranks in another number: without empty ones, or cut where eight squares are full."""
    if len(raw) > 200:
        return []
    filled = "/".join(rank for rank in ranks if rank)
    if filled != raw:
        found = _if_sound("drop-empty-ranks", filled)
        if found:
            return found
    cut, width = "", 0
    for letter in raw.replace("/", ""):
        cut += letter
        width += rank_width(letter)
        if width == 8:
            cut, width = cut + "/", 0
    return _if_sound("split-ranks", cut.rstrip("/"))


def _bad_characters(raw: str, strange: list[int]) -> Fault:
    """Describe letters that are no piece, and find what the placement could mean."""
    characters = "".join(dict.fromkeys(raw[at] for at in strange))[:8]
    ranks = raw[: strange[0]].count("/")
    start = raw.rfind("/", 0, strange[0]) + 1
    params = {
        "characters": characters,
        "shown": ", ".join(characters),
        "text": raw[start : start + 20].split("/")[0],
        "n": len(strange),
        "at": strange[0],
        "rank": 8 - ranks if ranks < 8 else None,
    }
    if len(raw) > 200:
        return Fault("bad-char", params)
    proposals: list[Proposal] = []
    unknown = set(raw) - _KNOWN
    if "/" not in raw and len(unknown) == 1:
        proposals = _if_sound("part-ranks", raw.replace(unknown.pop(), "/"))
    unknown = set(raw) - _KNOWN
    if not proposals:
        filled = re.sub(rf"[{re.escape(''.join(unknown))}]+", lambda run: str(len(run.group())), raw)
        signs = all(
            letter in _EMPTY_SIGNS or (letter < "\x7f" and not letter.isalnum()) for letter in unknown
        )
        if signs or (len(unknown) == 1 and len(strange) >= 8):
            proposals = _if_sound("count-empties", merged_digits(filled))
    for language, name, placement in readings(raw):
        proposals += _if_sound("translate", merged_digits(placement), language=name, code=language)
    if not proposals and not any(letter.isalpha() for letter in unknown):
        dropped = re.sub(r"\[[^\]/]*\]|[^\w/]", "", raw)
        proposals = _if_sound("drop-characters", dropped, characters=characters)
    return Fault("bad-char", params, proposals)


# ---------------------------------------------------------------------------------------------------
# Side to move and castling


def read_side(raw: str) -> tuple[str | None, list[Fault]]:
    """Read the side to move: 'w', 'b' or None."""
    if raw in ("w", "b"):
        return raw, []
    meant = _SIDES.get(raw[:20].strip(".,;:()[]").lower())
    sides = [meant] if meant else ["w", "b"]
    proposals: list[Proposal] = [
        ("side", side, {"side": "white" if side == "w" else "black"}) for side in sides
    ]
    return None, [Fault("side", {"text": raw[:20]}, proposals)]


def read_castling_field(raw: str, possible: str | None) -> tuple[str | None, list[Fault]]:
    """Read the castling field.

    Parameters
    ----------
    raw : str
    possible : str or None
        The standard rights that the board allows, where there is a board.

    Returns
    -------
    tuple of (str or None, list of Fault)
        The letters in canonical order where they can be told for sure.
    """
    if well_formed(raw):
        return raw, []
    shown = {"text": raw[:20]}
    if raw.lower() in _NOTHING:
        return None, [Fault("castling-syntax", shown, [("castling", "-", {"castling": "-"})])]
    letters = canonical_letters(raw.translate(_SEPARATORS)) if len(raw) < 10_000 else ""
    if well_formed(letters):
        return letters, [Fault("castling-syntax", shown, [("castling", letters, {"castling": letters})])]
    kept = canonical_letters("".join(x for x in "KQkq" if x in raw and x in (possible or "KQkq")))
    proposals: list[Proposal] = [("castling", kept, {"castling": kept})]
    if kept != "-":
        proposals.append(("castling", "-", {"castling": "-"}))
    return None, [Fault("castling-syntax", shown, proposals)]


_SEPARATORS = {ord(character): None for character in ",;.-_/ |'\""}


# ---------------------------------------------------------------------------------------------------
# En passant and the counters


def double_steps(men: Men, white: bool) -> int:
    """Return the squares that a pawn of the side not to move can just have passed over."""
    pawns = men.pieces["p" if white else "P"]
    free = ~men.occupied
    if white:
        return (pawns & 0xFF << 32) << 8 & free & free >> 8
    return (pawns & 0xFF << 24) >> 8 & free & free << 8


def read_ep(raw: str, men: Men | None, side: str | None) -> tuple[str | None, list[Fault]]:
    """Read the en passant field: '-', the name of a square, or None."""
    if raw == "-" or (len(raw) == 2 and raw[0] in "abcdefgh" and raw[1] in "12345678"):
        return raw, []
    proposals: list[Proposal] = []
    if raw.lower() not in _NOTHING and men and side and len(raw) <= 10:
        files = set(re.findall(r"[a-h]", raw.lower()))
        rest = re.sub(r"[a-h0-9x\-.:,=]", "", raw.lower())
        sound = squares_of(double_steps(men, side == "w"))
        meant = [at for at in sound if (not files or "abcdefgh"[at & 7] in files) and len(files) <= 1]
        if not rest and len(meant) == 1:
            square = "abcdefgh"[meant[0] & 7] + str((meant[0] >> 3) + 1)
            proposals.append(("ep", square, {"square": square}))
    proposals.append(("ep-none", "-", {}))
    return None, [Fault("ep-syntax", {"text": raw[:20]}, proposals)]


def read_counter(raw: str, code: str) -> tuple[int | None, list[Fault]]:
    """Read the halfmove clock (code 'halfmove') or the fullmove number (code 'fullmove')."""
    least = 1 if code == "fullmove" else 0
    if _GOOD_COUNTER.fullmatch(raw) and int(raw) >= least:
        return int(raw), []
    nearly = _NEARLY_COUNTER.fullmatch(raw[:20]) if len(raw) <= 20 else None
    value = max(int(nearly.group(1)), least) if nearly else least
    fault = Fault(code, {"text": raw[:20], "variant": "syntax"}, [(code, str(value), {"value": value})])
    return None, [fault]


def target_square(name: str) -> int:
    """Return the square (a1 = 0) of a name."""
    return square_index(name) ^ 56
