"""Words for people: language files → sentences, in six languages.

Beside the checker, above nothing but the files.  Problems, fixes and cleanings are data; here they become
sentences.  A key that a language lacks falls back to English.  A text may be a plural: an object of
forms, chosen by the parameter `n` with the rules of the language (Unicode CLDR, cardinal plurals).
Parameters that name a side, a piece or a field are themselves translated.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from fen_core.models import languages_folder
from fen_core.position import PIECE_NAMES

__all__ = ["LANGUAGES", "Words", "languages", "plural_form"]

LANGUAGES = ("en", "el", "vi", "gu", "pt-BR", "bn")

_PLURALS: dict[str, Callable[[float], bool]] = {
    "en": lambda n: n == 1,
    "el": lambda n: n == 1,
    "vi": lambda n: False,
    "gu": lambda n: 0 <= n <= 1,
    "pt-BR": lambda n: 0 <= n < 2,
    "bn": lambda n: 0 <= n <= 1,
}
_PLACE = re.compile(r"\{(\w+)\}")
_SIDE_NAMES = {"side", "mover", "bottom", "rival", "colour"}


def languages() -> tuple[str, ...]:
    """Return the codes of the languages that the command line and the page speak."""
    return LANGUAGES


def plural_form(language: str, n: float) -> str:
    """Return 'one' or 'other', the form that a number takes in a language.

    >>> plural_form("pt-BR", 0), plural_form("en", 0), plural_form("vi", 1)
    ('one', 'other', 'other')
    """
    return "one" if _PLURALS[language](n) else "other"


@cache
def _table(language: str) -> dict[str, Any]:
    file = languages_folder() / f"{language}.json"
    table: dict[str, Any] = json.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}
    return table


class Words:
    """Speak one language.

    Parameters
    ----------
    language : str
        One of `LANGUAGES`.
    """

    def __init__(self, language: str = "en") -> None:
        self.language = language if language in LANGUAGES else "en"

    def has(self, key: str) -> bool:
        """Tell whether there are words for a key, in this language or in English."""
        return key in _table(self.language) or key in _table("en")

    def text(self, key: str, params: Mapping[str, Any] | None = None) -> str:
        """Return the text of a key with its places filled; the key itself where there are no words."""
        language = self.language
        entry = _table(language).get(key)
        if entry is None:
            language, entry = "en", _table("en").get(key, key)
        if isinstance(entry, dict):
            number = (params or {}).get("n", 0)
            entry = entry.get(plural_form(language, number), entry["other"])
        if not params:
            return str(entry)
        return _PLACE.sub(lambda m: self._spoken(m[1], params[m[1]]) if m[1] in params else m[0], str(entry))

    def _spoken(self, name: str, value: Any) -> str:
        """Return a parameter as it stands in a sentence."""
        if isinstance(value, (list, tuple)):
            return ", ".join(self._spoken(name, item) for item in value)
        text = "" if value is None else str(value)
        if name in _SIDE_NAMES and text in ("white", "black", "w", "b"):
            return self.side(text)
        if name in ("piece", "pieces") and text in PIECE_NAMES:
            return self.piece(text)
        if name == "pieces" and text == ".":
            return self.text("cli.read.empty")
        for kind in ("field", "severity", "dialect"):
            if name == kind and self.has(f"{kind}.{text}"):
                return self.text(f"{kind}.{text}")
        return text

    def side(self, side: str) -> str:
        """Name a side: 'white', 'black', 'w' or 'b'."""
        return self.text(f"side.{'white' if side in ('w', 'white') else 'black'}")

    def piece(self, letter: str) -> str:
        """Name a piece with its colour by its FEN letter."""
        return self.text(f"piece.{PIECE_NAMES[letter]}")

    def kind(self, letter: str) -> str:
        """Name a kind of piece, without its colour, by its FEN letter."""
        return self.text(f"piece.{PIECE_NAMES[letter].split('.')[1]}")

    def problem(self, problem: Mapping[str, Any]) -> tuple[str, str]:
        """Return the title and the explanation of a problem in its JSON form."""
        code = problem["code"]
        squares = problem.get("squares", [])
        params = {"n": len(squares), **problem.get("params", {}), "squares": squares}
        title, body = (self._closest(f"problem.{code}.{part}", params) for part in ("title", "body"))
        return title, body

    def _closest(self, key: str, params: Mapping[str, Any]) -> str:
        """Return the text of a key for the variant that the parameters name, where there is one."""
        closer = f"{key}.{params.get('variant')}"
        return self.text(closer if self.has(closer) else key, params)

    def fix(self, fix: Mapping[str, Any]) -> str:
        """Return what a fix in its JSON form does."""
        return self.text(f"fix.{fix['code']}", fix.get("params") or {})

    def cleaned(self, note: Mapping[str, Any]) -> str:
        """Return what a cleaning in its JSON form did."""
        return self.text(f"cleaned.{note['code']}", note.get("params") or {})

    def error(self, code: str, params: Mapping[str, Any] | None = None) -> str:
        """Return an error and the next step, in one line."""
        known = code if self.has(f"error.{code}.title") else "unexpected"
        shown = {**(params or {}), "code": code}
        parts = [
            self.text(key, shown) for key in (f"error.{known}.title", f"error.{known}.next") if self.has(key)
        ]
        return " ".join(parts) or code
