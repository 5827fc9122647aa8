"""Odd characters in pasted text: what each stands for, and which must not be taken in silence.

Below `clean`.  Spaces, dashes, slashes, digits, figurines and letters of other scripts that look like
Latin ones are given their plain form; invisible marks are dropped; control characters and overrides
of the writing direction are dropped too, but told as a fault, because they change what is seen.
"""

from __future__ import annotations

import unicodedata

__all__ = ["FIGURINES", "ODD_CONTROLS", "plain", "unescape"]

_DASHES = "\u30fc\u2796\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\uff0d\u2043"
_SLASHES = "\u2044\u2215\u29f8\uff0f\u2571\u3033"
_INVISIBLE = (
    "\u00ad\u034f\u061c\u180e\u200b\u200c\u200d\u200e\u200f\u2060\u2061\u2062\u2063\u2064\ufe0e\ufe0f\ufeff"
)
_BLANKS = "\u2800\u3164\u115f\u1160\uffa0"
_LINE_ENDS = "\x85\u2028\u2029"
_MOST = 500
"""No text that holds a FEN has more kinds of odd characters; in junk the rest is left alone."""
FIGURINES = dict(zip("♔♕♖♗♘♙♚♛♜♝♞♟", "KQRBNPkqrbnp", strict=True))
ODD_CONTROLS = {chr(code) for code in range(32) if chr(code) not in "\t\n\r"}
ODD_CONTROLS |= {"\x7f"} | {chr(code) for code in range(0x80, 0xA0)} - {"\x85"}
ODD_CONTROLS |= {chr(code) for code in (*range(0x202A, 0x202F), *range(0x2066, 0x206A))}

_LOOK_ALIKES: dict[str, str] = {}
for _latin, _twins in {
    "K": "КΚⲔᏦꓗҚᴋ",
    "Q": "Ԛℚ",
    "R": "ᎡᏒꓣʀ",
    "B": "ВΒⲂᏴꓐʙ",
    "N": "ΝⲚꓠɴ",
    "P": "РΡⲢᏢꓑᴘ",
    "k": "кκⲕқĸ",
    "q": "ԛգզ",
    "r": "гⲅ",
    "b": "ЬьƄ",
    "n": "пηոռⲛ",
    "p": "рρⲣ",
    "w": "ԝѡшա",
    "a": "аα",
    "c": "сϲ",
    "d": "ԁ",
    "e": "еҽ",
    "f": "ք",
    "g": "ց",
    "h": "һհ",
}.items():
    _LOOK_ALIKES |= dict.fromkeys(_twins, _latin)


def unescape(text: str) -> str:
    """Decode HTML entities; the table of names is loaded only where it is needed."""
    from html import unescape as decode

    return decode(text)


def _meaning(character: str) -> tuple[str, str] | None:
    """Return what an odd character is (code of the cleaning) and what it stands for."""
    category = unicodedata.category(character)
    if character in ODD_CONTROLS:
        return "controls", " " if character in "\v\f" else ""
    if character in _INVISIBLE or category == "Cf":
        return "invisible", ""
    if character in _LINE_ENDS:
        return "unicode-space", "\n"
    if character in _DASHES:
        return "dashes", "-"
    if character in _SLASHES:
        return "slashes", "/"
    if character in FIGURINES:
        return "figurines", FIGURINES[character]
    if category == "Zs" or character in _BLANKS:
        return "unicode-space", " "
    number = unicodedata.numeric(character, -1)
    if number in range(10):
        return "digits", str(int(number))
    simple = unicodedata.normalize("NFKC", character)
    if len(simple) == 1 and simple.isascii() and simple.isalpha():
        return "look-alikes", simple
    return None


def _looks_latin(text: str) -> bool:
    """Tell whether letters of other scripts are look-alikes among Latin ones, and not a language's own.

    Decided on the stretch of text that is richest in slashes: Latin letters prevail there, each other
    letter looks like a piece letter, and reading them so gives one king a side.
    """
    word = max(text.split(), key=lambda part: part.count("/"), default="")[:200]
    letters = [character for character in word if character.isalpha()]
    others = [character for character in letters if not character.isascii()]
    if not others:
        return True
    if 2 * len(others) > len(letters) or any(_LOOK_ALIKES.get(x, "-") not in "KQRBNPkqrbnp" for x in others):
        return False
    read = "".join(_LOOK_ALIKES.get(character, character) for character in letters)
    return read.count("K") == read.count("k") == 1


def plain(text: str) -> tuple[str, dict[str, str]]:
    """Give every odd character its plain form.

    Returns
    -------
    tuple of (str, dict)
        The text, and for each kind of cleaning the characters it met (at most eight).
    """
    odd = sorted(c for c in set(text) if c > "~" or c in ODD_CONTROLS)[:_MOST]
    table: dict[int, str] = {}
    found: dict[str, str] = {}
    for character in odd:
        meaning = _meaning(character)
        if meaning:
            table[ord(character)] = meaning[1]
            found[meaning[0]] = (found.get(meaning[0], "") + character)[:8]
    text = text.translate(table) if table else text
    twins = [character for character in odd if character in _LOOK_ALIKES]
    if twins and _looks_latin(text):
        text = text.translate({ord(character): _LOOK_ALIKES[character] for character in twins})
        found["look-alikes"] = (found.get("look-alikes", "") + "".join(twins))[:8]
    return text, found
