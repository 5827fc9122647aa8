"""What people really paste → the six fields, and a list of everything that was set aside or replaced.

First stage of the checker: below it are only characters and placements of squares.  Tags, links, EPD,
quotes, odd spaces, underscores, escapes, drawn boards.  What always holds: nothing is dropped without a
note; a text that is already a plain FEN goes through untouched; time grows no faster than the text.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from fen_core.characters import plain, unescape
from fen_core.fen import make_placement, rank_width
from fen_core.position import turn

__all__ = ["Cleaned", "Note", "clean"]

Note = dict[str, object]
"""One cleaning: {"code", "params"}."""

_RANK = r"[pnbrqkPNBRQK1-8]{1,8}"
_PLAIN = re.compile(
    rf"(?:{_RANK}/){{7}}{_RANK} [wb] [KQkqA-Ha-h-]{{1,4}} (?:-|[a-h][1-8]) \d{{1,4}} \d{{1,4}}"
)
_END = r"(?=$|[\s_+\"'`”’»›)\]}>*;,|&?#])"
_PLACEMENT = re.compile(rf"(?<![^\s_\"'`“„”‘’«‹(\[{{<*|>:=,;])(?:{_RANK}/){{7}}{_RANK}{_END}")
_PLACEMENT_IN_URL = re.compile(rf"(?<!\w)(?:{_RANK}/){{7}}{_RANK}(?=\.|{_END[3:]}")
_TAG = re.compile(r"\[\s*FEN\s+[\"“”]([^\"“”\]\n]*)", re.IGNORECASE)
_OTHER_TAG = re.compile(r"\[\s*(?:Event|Site|Date|Round|White|Black|Result)\s+\"", re.IGNORECASE)
_MOVES = re.compile(r"(?:^|\s)1\.{1,3}\s*(?:[a-h][1-8x]|[NBRQK][a-h1-8x]|O-O|0-0)")
_URL = re.compile(r"(?:https?://|www\.|[a-z0-9-]+\.[a-z]{2,6}/)", re.IGNORECASE)
_PICTURE = re.compile(r"\.(?:png|gif|svg|jpe?g|webp)$", re.IGNORECASE)
_MARKUP = re.compile(r"</?[A-Za-z][^<>/]{0,200}/?>")
_HOST = re.compile(r"(?:https?://)?([\w.-]{1,100})", re.IGNORECASE)
_PERCENT = re.compile(r"(?:%[0-9A-Fa-f]{2})+")
_TERMINAL = re.compile(r"\x1b\[[0-9;]{0,20}[A-Za-z]")
_HEX = re.compile(r"\\u([0-9A-Fa-f]{4})|\\x([0-9A-Fa-f]{2})")
_OPERATION = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,15}(?=[\s;]|$)")
_OPCODES = set(
    "acd acn acs am bm c0 c1 c2 c3 c4 c5 c6 c7 c8 c9 ce dm draw_accept draw_claim draw_offer draw_reject "
    "eco fmvn hmvc id nic noop pm pv rc resign sm tcgs tcri tcsi v0 v1 v2 v3 v4 v5 v6 v7 v8 v9".split()
)
_COUNTER = re.compile(r"\b(hmvc|fmvn)\s+(\d{1,4})\b")
_PAIRS = {'"': '"', "'": "'", "`": "`", "“": "”", "„": "“", "”": "”", "‘": "’", "’": "’", "«": "»", "»": "«"}
_PAIRS |= {
    "_": "_",
    "~": "~",
    "‹": "›",
    "(": ")",
    "[": "]",
    "{": "}",
    "<": ">",
    "*": "*",
    "|": "|",
    "「": "」",
}
_SHAPES = tuple(
    re.compile(shape)
    for shape in (
        r"[wb]",
        r"-|[KQkqA-Ha-h]{1,4}",
        r"-|[a-h][1-8]",
        r"\d{1,4}",
        r"\d{1,4}",
    )
)
_LONGEST = 100_000
"""What lies beyond is set aside, with a note: a game's tags and moves are shorter by far."""
_LAYERS = 8
"""Quotes within quotes: more pairs than this are junk."""
_LENIENT_LIMIT = 20_000
"""No FEN hides behind more characters than this; junk of any length is looked at once."""


@dataclass(frozen=True, slots=True)
class Cleaned:
    """Hold what is left of a text.

    Attributes
    ----------
    fields : tuple of str
        The fields found, at most six; an empty one stands for a gap between two spaces.
    extra : str
        What follows six fields on the same line.
    notes : tuple of dict
        What was cleaned.
    controls : str
        Control characters that were taken out and must be told as a fault.
    moves : bool
        Whether the text is a game's moves or tags without a FEN.
    count : int
        How many fields there were, those beyond six included.
    """

    fields: tuple[str, ...]
    extra: str = ""
    notes: tuple[Note, ...] = ()
    controls: str = ""
    moves: bool = False
    count: int = 6


@dataclass(slots=True)
class _Work:
    """Collect notes while the text is worked on."""

    notes: list[Note] = field(default_factory=list)
    controls: str = ""
    url: bool = False

    def note(self, code: str, **params: object) -> None:
        """Add a note, once for each code."""
        if all(note["code"] != code for note in self.notes):
            self.notes.append({"code": code, "params": params})


def clean(text: str) -> Cleaned:
    """Find the fields of a FEN in a pasted text.

    >>> clean("[FEN '8/8/8/4k3/8/8/4P3/4K3 w - - 0 1']").fields[1]
    'w'
    """
    if len(text) <= 100 and _PLAIN.fullmatch(text):
        return Cleaned(tuple(text.split(" ")))
    work = _Work()
    if len(text) > _LONGEST:
        work.note("too-long", n=len(text), limit=_LONGEST)
        text = text[:_LONGEST]
    text = _decoded(text, work)
    trimmed = text.strip()
    if trimmed != text:
        work.note("whitespace")
    text = _unwrapped(trimmed, work)
    tag = _TAG.search(text)
    if tag:
        work.note("pgn-tag")
        text = tag.group(1).strip()
    text = _slashes(text, work)
    found = (_PLACEMENT_IN_URL if work.url else _PLACEMENT).search(text[:_LENIENT_LIMIT])
    if found:
        placement, before, after = found.group(), text[: found.start()], text[found.end() :]
    else:
        placement, before, after = _lenient(text, work)
    after = _surroundings(before, after, work)
    return _fields(placement, after, before, text, work)


def _decoded(text: str, work: _Work) -> str:
    """Undo the escapes of links, pages and programs, and replace odd characters."""
    if "\x1b" in text:
        text, count = _TERMINAL.subn("", text)
        work.controls += "\x1b" if count else ""
    head = text[:_LENIENT_LIMIT]
    for _ in range(2):  # what was escaped twice is decoded twice
        if "%" in head and _PERCENT.search(head):
            work.note("percent")
            text = head = _PERCENT.sub(_from_percent, head)
        if "&" in head and ";" in head and unescape(head) != head:
            work.note("entities")
            text = head = unescape(head)
    if "<" in head and ">" in head:
        bare = _MARKUP.sub(" ", text)
        if bare != text:
            work.note("markup")
            text = bare
    if "\\" in head:
        text = _HEX.sub(lambda m: chr(int(m.group(1) or m.group(2), 16)), text)
        if text.count("/") >= 7:
            text = text.replace("\\/", "/").replace("\\n", "\n").replace("\\t", "\t").replace("\\r", "")
    if not text.isascii() or not text.isprintable():
        text, found = plain(text)
        work.controls += found.pop("controls", "")
        for code, characters in found.items():
            work.note(code, characters=characters)
    if _URL.search(text[:200]):
        host = _HOST.match(text[_URL.search(text[:200]).start() :])  # type: ignore[union-attr]
        work.url = True
        work.note("url", host=host.group(1) if host else "")
    return text


def _from_percent(run: re.Match[str]) -> str:
    return bytes.fromhex(run.group().replace("%", "")).decode("utf-8", "replace")


def _unwrapped(text: str, work: _Work) -> str:
    """Take off quotes and brackets that stand in pairs around the whole."""
    for _ in range(_LAYERS):
        if len(text) < 3 or _PAIRS.get(text[0]) != text[-1] or _TAG.match(text):
            break
        work.note("quotes", characters=text[0] + text[-1])
        text = text[1:-1].strip()
    return text


def _slashes(text: str, work: _Work) -> str:
    r"""Write `/` for `\` where backslashes part the ranks."""
    head = text[:_LENIENT_LIMIT]
    if "\\" in head and head.count("\\") + head.count("/") >= 7:
        work.note("backslashes")
        return head.replace("\\/", "/").replace("\\\\", "/").replace("\\", "/")
    return text


def _surroundings(before: str, after: str, work: _Work) -> str:
    """Note what stands before the placement, and cut what follows at the sign that closes it."""
    shown = before.strip()
    opener = shown[-1:]
    closer = _PAIRS.get(opener, "")
    if work.url:
        if not any(note["code"] == "percent" for note in work.notes):
            after = "" if not after or after[0].isspace() else after.split(maxsplit=1)[0]
        after = after.replace("_", " ").replace("+", " ")
        return _PICTURE.sub("", re.split(r"[?&#\"'>)]", after, maxsplit=1)[0].rstrip())
    if closer and closer in after:
        after = after[: after.index(closer)]
        shown = shown[:-1].strip()
        work.note("quotes", characters=opener + closer)
    if shown:
        work.note("surrounding-text", text=shown[-40:])
    if after[:1] in ("_", "+"):
        work.note("underscores" if after[0] == "_" else "plus-signs")
        after = after.replace(after[0], " ")
    return after


# ---------------------------------------------------------------------------------------------------
# Placements that are not written in one piece


def _lenient(text: str, work: _Work) -> tuple[str, str, str]:
    """Find a placement in pieces; else take the word that is most like one.  Returns it, before, after."""
    head = text[:_LENIENT_LIMIT]
    for attempt in (_joined_lines, _spaced_ranks, _drawn_board):
        found = attempt(head)
        if found:
            code, placement, before, after = found
            work.note(code)
            return placement, before, after
    words = head.split()
    if not words:
        return "", "", ""
    best = max(range(len(words)), key=lambda at: (words[at].count("/"), -at))
    if words[best].count("/") < 4 or words[best].startswith("http"):
        best = 0
    start = text.index(words[best]) if best else 0
    word = words[best]
    label = re.match(r"(?:fen|epd|position|pos)\s*[:=]+", word, re.IGNORECASE)
    if label:
        start, word = start + label.end(), word[label.end() :]
    if len(text) > _LENIENT_LIMIT:
        return text.split(maxsplit=1)[0] if not best else word, text[:start], ""
    return word, text[:start], text[start + len(word) :]


def _joined_lines(text: str) -> tuple[str, str, str, str] | None:
    """Join a placement that line breaks or spaces cut within its ranks."""
    if not 7 <= text.count("/") <= 40:
        return None
    parts = text.split("/")
    inner = ["".join(part.split()) for part in parts[1:7]]
    first, last = parts[0].split()[-4:], "/".join(parts[7:]).split()
    for heads in range(1, len(first) + 1):
        for tails in range(1, min(len(last), 4) + 1):
            placement = "/".join(["".join(first[-heads:]), *inner, "".join(last[:tails])])
            if _PLACEMENT.fullmatch(placement) and all(
                rank_width(rank) == 8 for rank in placement.split("/")
            ):
                before = parts[0][: parts[0].rindex(first[-heads])]
                return "line-breaks", placement, before, " " + " ".join(last[tails:])
    return None


def _spaced_ranks(text: str) -> tuple[str, str, str, str] | None:
    """Join eight ranks with other things than slashes between them: spaces, commas, line ends."""
    words = text.replace(",", " ").split()
    ranks = [bool(re.fullmatch(_RANK, word)) and rank_width(word) == 8 for word in words]
    for start in range(len(words) - 7):
        if all(ranks[start : start + 8]):
            placement = "/".join(words[start : start + 8])
            return "rank-spaces", placement, " ".join(words[:start]), " " + " ".join(words[start + 8 :])
    return None


def _drawn_board(text: str) -> tuple[str, str, str, str] | None:
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


# ---------------------------------------------------------------------------------------------------
# The other fields


def _fields(placement: str, after: str, before: str, text: str, work: _Work) -> Cleaned:
    """Part what follows the placement into fields, EPD operations and the rest."""
    moves = bool(
        _OTHER_TAG.search(text[:_LENIENT_LIMIT])
        or (placement.count("/") < 4 and _MOVES.search(text[:_LENIENT_LIMIT]))
    )
    if not placement:
        return Cleaned((), "", tuple(work.notes), work.controls, moves, 0)
    if after and not after[0].isspace():
        placement, after = placement + after.split(maxsplit=1)[0], after[len(after.split(maxsplit=1)[0]) :]
    words = _following(after, work)
    regular = after.startswith(" " + " ".join(words[:5])) or not words
    rest = " ".join(words[3:])
    operation = _OPERATION.match(rest)
    if operation and (";" in rest or operation.group() in _OPCODES):
        counters = dict(_COUNTER.findall(rest))
        work.note("epd", operations=rest[:200])
        words = [*words[:3], counters.get("hmvc", "0"), counters.get("fmvn", "1")]
    if words[5:6] == ["moves"] and before.rstrip().lower().endswith("fen"):
        work.note("surrounding-text", text=" ".join(words[5:])[:40])
        words = words[:5]
    gaps = after.split(" ")
    if len(words) < 5 and len(gaps) == 6 and not gaps[0] and not set("\t\n") & set(after):
        words = gaps[1:]
    elif not regular and not work.url:
        work.note("whitespace")
    count = 1 + len(words)
    if count == 7 and _SHAPES[1].fullmatch(words[1] + words[2]) and "-" not in words[1] + words[2]:
        words = [words[0], words[1] + words[2], *words[3:]]  # castling rights in two words
    extra = " ".join(words[5:])[:200]
    return Cleaned((placement, *words[:5]), extra, tuple(work.notes), work.controls, moves, count)


def _following(after: str, work: _Work) -> list[str]:
    """List the words that follow: the first line's, then others as long as each fits the next field."""
    lines = after.splitlines()
    words: list[str] = lines[0].split() if lines else []
    for at, line in enumerate(lines[1:], start=1):
        for word in line.split():
            if len(words) >= 5 or not _SHAPES[len(words)].fullmatch(word):
                work.note("surrounding-text", text=" ".join(lines[at:])[:40].strip())
                return words
            words.append(word)
    return words
