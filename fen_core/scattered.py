"""Placements that are not written in one piece: cut by line ends, parted by spaces, drawn as a board.

Below `clean`, above the placement of squares.  Each way of reading gives the code of its note, the placement,
and what stood before and after it; None where the text shows no such thing.  What always holds: a placement
that is given makes eight ranks of eight squares.
"""

from __future__ import annotations

import re

from fen_core.fen import make_placement, rank_width
from fen_core.position import turn

__all__ = ["RANK", "Found", "drawn_board", "joined_lines", "spaced_ranks"]

RANK = r"[pnbrqkPNBRQK1-8]{1,8}"
"""What a rank is written with, whatever it adds up to."""

Found = tuple[str, str, str, str]
"""Code of the note, placement, what stands before it, what follows."""

_WHOLE = re.compile(rf"(?:{RANK}/){{7}}{RANK}")


def joined_lines(text: str) -> Found | None:
    """Join a placement that line breaks or spaces cut within its ranks."""
    if not 7 <= text.count("/") <= 40:
        return None
    parts = text.split("/")
    inner = ["".join(part.split()) for part in parts[1:7]]
    first, last = parts[0].split()[-4:], "/".join(parts[7:]).split()
    for heads in range(1, len(first) + 1):
        for tails in range(1, min(len(last), 4) + 1):
            placement = "/".join(["".join(first[-heads:]), *inner, "".join(last[:tails])])
            if _WHOLE.fullmatch(placement) and all(rank_width(rank) == 8 for rank in placement.split("/")):
                before = parts[0][: parts[0].rindex(first[-heads])]
                return "line-breaks", placement, before, " " + " ".join(last[tails:])
    return None


def spaced_ranks(text: str) -> Found | None:
    """Join eight ranks with other things than slashes between them: spaces, commas, line ends."""
    words = text.replace(",", " ").split()
    ranks = [bool(re.fullmatch(RANK, word)) and rank_width(word) == 8 for word in words]
    for start in range(len(words) - 7):
        if all(ranks[start : start + 8]):
            placement = "/".join(words[start : start + 8])
            return "rank-spaces", placement, " ".join(words[:start]), " " + " ".join(words[start + 8 :])
    return None


def drawn_board(text: str) -> Found | None:
    """Read a board drawn with letters, one line a rank, with or without a frame and rank numbers."""
    lines = text.splitlines()
    rows: list[tuple[str, str]] = []
    for at, line in enumerate(lines):
        number, row = _drawn_rank(line)
        if row:
            rows.append((number, row))
        elif rows and line.translate(_FRAME):
            rows = []
        if len(rows) == 8:
            board = "".join(row for _, row in rows)
            if [number for number, _ in rows] == list("12345678"):
                board = turn(board)
            rest = " ".join(line for line in lines[at + 1 :] if line.translate(_FRAME).strip(" abcdefgh"))
            return "drawn-board", make_placement(board), "", " " + rest if rest else ""
    return None


def _drawn_rank(line: str) -> tuple[str, str]:
    """Return the number and the eight squares of a drawn rank; empty texts where it is none."""
    if line.count("|") >= 9:
        cells = line.split("|")
        number = (cells[0] + cells[9]).strip()
        squares = [cell.strip().replace("-", "") or "." for cell in cells[1:9]]
        bare = (number if len(number) == 1 else "") + "".join(squares)
    else:
        bare = line.translate(_FRAME)
        if len(bare) < 8:
            bare = "".join(line.split()).replace("-", ".").translate(_FRAME)
    if len(bare) == 9 and bare[8] in "12345678" and bare[0] not in "12345678":
        bare = bare[8] + bare[:8]
    number, row = (bare[0], bare[1:]) if bare[:1] in set("12345678") else ("", bare)
    return (number, row) if len(row) == 8 and not row.strip("PNBRQKpnbrqk.") else ("", "")


_FRAME: dict[int, str | None] = {ord(character): None for character in " \t|+:=─│┌┐└┘├┤┬┴┼═║╔╗╚╝"}
_FRAME |= {ord("-"): None}
_FRAME |= {ord(character): "." for character in "·*_□■"}
