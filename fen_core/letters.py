"""Piece letters of other languages, and the readings they allow of a placement that fails in English.

Beside the syntax of the placement.  FEN letters are always the English ones; books and sites in other
languages print their own.  A reading is offered when it gives eight ranks of eight and one king a side.

Source: PGN standard, table of piece letters (section on SAN in other languages); for Greek, Russian,
Ukrainian, Bulgarian, Serbian, Vietnamese, Croatian, Turkish and Catalan, the letters that players of the
language write.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from fen_core.fen import expand_placement
from fen_core.position import place_men
from fen_core.structure import excess

__all__ = ["LANGUAGES", "merged_digits", "readings"]

LANGUAGES: dict[str, tuple[str, str]] = {
    "en": ("English (H)", "KQRBHP"),
    "de": ("Deutsch", "KDTLSB"),
    "fr": ("Français", "RDTFCP"),
    "es": ("Español", "RDTACP"),
    "it": ("Italiano", "RDTACP"),
    "pt": ("Português", "RDTBCP"),
    "nl": ("Nederlands", "KDTLPO"),
    "pl": ("Polski", "KHWGSP"),
    "el": ("Ελληνικά", "ΡΒΠΑΙΣ"),
    "ru": ("Русский", "РФЛСКП"),
    "vi": ("Tiếng Việt", "VHXTMC"),
    "da": ("Dansk", "KDTLSB"),
    "sv": ("Svenska", "KDTLSB"),
    "no": ("Norsk", "KDTLSB"),
    "fi": ("Suomi", "KDTLRP"),
    "is": ("Íslenska", "KDHBRP"),
    "et": ("Eesti", "KLVORP"),
    "cs": ("Čeština", "KDVSJP"),
    "hu": ("Magyar", "KVBFHG"),
    "ro": ("Română", "RDTNCP"),
    "hr": ("Hrvatski", "KDTLSP"),
    "ca": ("Català", "RDTACP"),
    "tr": ("Türkçe", "ŞVKFAP"),
    "uk": ("Українська", "РФТСКП"),
    "bg": ("Български", "ЦДТОКП"),
    "sr": ("Српски", "КДТЛСП"),
}
"""Name in the language itself, and its letters for king, queen, rook, bishop, knight, pawn."""

_ENGLISH = "KQRBNP"
_RUN = re.compile(r"[0-9]+")


def _tables() -> dict[str, dict[str, str]]:
    tables = {}
    for language, (_, letters) in LANGUAGES.items():
        table = dict(zip(letters, _ENGLISH, strict=True))
        table |= {foreign.lower(): english.lower() for foreign, english in table.items()}
        if language == "el":
            table["ς"] = "p"
        tables[language] = table
    return tables


_TABLES = _tables()


def merged_digits(placement: str) -> str:
    """Write each run of digits as one, zeros dropped; a run beyond eight stays as it is.

    >>> merged_digits("4k3/71/08/11111111")
    '4k3/8/8/8'
    """

    def merge(run: re.Match[str]) -> str:
        total = sum(int(digit) for digit in run.group())
        return run.group() if total > 8 else str(total) if total else ""

    return _RUN.sub(merge, placement)


def readings(placement: str) -> list[tuple[str, str, str]]:
    """Read a placement with the piece letters of other languages.

    Returns
    -------
    list of (str, str, str)
        Code of the language, its name, the placement in English letters; the likeliest readings only,
        each placement once.
    """
    if len(placement) > 200:
        return []
    placement = placement.replace("Кр", "Р").replace("кр", "р").replace("кР", "р").replace("КР", "Р")
    letters = {character for character in placement if character.isalpha()}
    failing = {character for character in letters if character not in "KQRBNPkqrbnp"}
    if not failing:
        return []
    found: dict[str, tuple[int, str]] = {}
    for language, mixed, text in _attempts(placement, letters, failing):
        board = expand_placement(merged_digits(text))
        if board and board.count("K") == 1 and board.count("k") == 1:
            men = place_men(board).pieces
            sides = ({x: men[x] for x in _ENGLISH}, {x: men[x.lower()] for x in _ENGLISH})
            strange = sum(max(0, excess(side) - max(0, 8 - side["P"].bit_count())) for side in sides)
            strange += sum(max(0, side["P"].bit_count() - 8) for side in sides)
            rank = 2 * strange + mixed
            if text not in found or found[text][0] > rank:
                found[text] = (rank, language)
    if not found:
        return []
    best = min(rank for rank, _ in found.values())
    chosen = [
        (language, LANGUAGES[language][0], text)
        for text, (rank, language) in found.items()
        if rank <= best + (best > 0)
    ]
    return chosen[:3]


def _attempts(placement: str, letters: set[str], failing: set[str]) -> Iterator[tuple[str, int, str]]:
    """Translate with every language that knows the failing letters: all letters, then those alone."""
    for language, table in _TABLES.items():
        if not all(letter in table for letter in failing):
            continue
        whole = {ord(letter): table[letter] for letter in letters if letter in table}
        yield language, int(any(letter not in table for letter in letters)), placement.translate(whole)
        part = {ord(letter): table[letter] for letter in failing}
        if len(part) < len(whole):
            yield language, 1, placement.translate(part)
