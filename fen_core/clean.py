"""What people really paste → the six fields, and a list of everything that was set aside or replaced.

First stage of the checker: below it are only characters and scattered placements.  Tags, links, EPD,
quotes, odd spaces, underscores, escapes, drawn boards.  What always holds: nothing is dropped without a
note; a text that is already a plain FEN goes through untouched; time grows no faster than the text.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from fen_core.characters import plain, unescape
from fen_core.fen import rank_width
from fen_core.scattered import RANK, drawn_board, joined_lines, spaced_ranks

__all__ = ["Cleaned", "Note", "clean"]

Note = dict[str, object]
"""One cleaning: {"code", "params"}."""

_PLAIN = re.compile(rf"(?:{RANK}/){{7}}{RANK} [wb] [KQkqA-Ha-h-]{{1,4}} (?:-|[a-h][1-8]) \d{{1,4}} \d{{1,4}}")
_END = r"(?=$|[\s_+\"'`”’»›)\]}>*;,|&?#])"
_PLACEMENT = re.compile(rf"(?<![^\s_\"'`“„”‘’«‹(\[{{<*|>:=,;])(?:{RANK}/){{7}}{RANK}{_END}")
_PLACEMENT_IN_URL = re.compile(rf"(?<!\w)(?:{RANK}/){{7}}{RANK}(?=\.|{_END[3:]}")
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
_CUT_RANK = re.compile(r"(?:^|\s)[pnbrqkPNBRQK1-8]{1,7}[^\w\s]$")
_JOINT = re.compile(r"(?:[^\w/-]|_)+")
_LINK_PLACEMENT = re.compile(
    r"(?<=[/=])[pnbrqkPNBRQK0-9]{0,8}[^\s/_+?&#=][pnbrqkPNBRQK0-9]{0,8}(?:/[^\s/_+?&#=]{1,20}){4,9}"
    r"|(?<=fen=)[^\s_+?&#=]+"
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
    text = text if work.url else _parted(text, work)
    found = (_PLACEMENT_IN_URL if work.url else _PLACEMENT).search(text[:_LENIENT_LIMIT])
    if found and not _torn(text[: found.start()], found.group()):
        placement, before, after = found.group(), text[: found.start()], text[found.end() :]
    else:
        placement, before, after = _lenient(text, work)
    after = _surroundings(before, after, work)
    return _fields(placement, after, before, text, work)


def _torn(before: str, placement: str) -> bool:
    """Tell whether a sign within the first rank has cut it: men stand before the sign, and too few follow."""
    return rank_width(placement.split("/", 1)[0]) < 8 and bool(_CUT_RANK.search(before[-9:]))


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
        if len(text) < 3 or _PAIRS.get(text[0]) != text[-1] or _TAG.match(text) or _OTHER_TAG.match(text):
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


def _parted(text: str, work: _Work) -> str:
    """Write spaces between fields that something else joins, whatever the ranks before them look like.

    Looked for behind the last slash of the line that has most: the same signs again and again, and between
    them, with at most one exception, what fits the next field.
    """
    lines = text[:_LENIENT_LIMIT].splitlines()
    line = max(lines, key=lambda line: line.count("/"), default="")
    if line.count("/") < 4:
        return text
    start = line.rindex("/") + 1
    tail = line[start : start + 100]
    joints = _JOINT.findall(tail)
    if not joints or joints[0].isspace():
        return text
    alike = next((at for at, joint in enumerate(joints) if joint != joints[0]), len(joints))
    last, *words = _JOINT.split(tail, maxsplit=min(alike, 5))
    fields = [re.split(r"[^\w-]", word, maxsplit=1)[0] for word in words if word]
    fitting = sum(bool(shape.fullmatch(word)) for shape, word in zip(_SHAPES, fields, strict=False))
    if not last or fitting < max(2, len(fields) - 1):
        return text
    joint = joints[0].strip()
    code = {"_": "underscores", "+": "plus-signs"}.get(joint, "joiners")
    work.note(code, characters=joint[:8])
    rest = line[start + 100 :]
    return text.replace(line, line[:start] + " ".join([last, *words]) + rest, 1)


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
    for attempt in (joined_lines, spaced_ranks, drawn_board):
        found = attempt(head)
        if found:
            code, placement, before, after = found
            work.note(code)
            return placement, before, after
    link = _LINK_PLACEMENT.search(head) if work.url else None
    if link:
        return link.group(), text[: link.start()], text[link.end() :]
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
