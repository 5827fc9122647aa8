"""A finding of the checker, and a cure for it: data only, no words.

Every rule makes `Problem`s; the words for them live in the language files under `problem.<code>.title`,
`problem.<code>.body` and `fix.<code>`.  A `Fix` is always a complete FEN.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any

__all__ = ["SEVERITIES", "Fix", "Problem"]

SEVERITIES = ("syntax", "illegal", "suspect", "note")
"""From worst to least."""


@dataclass(frozen=True, slots=True)
class Fix:
    """Hold one cure.

    Attributes
    ----------
    code : str
        Key of its words, 'fix.<code>'.
    fen : str
        The whole FEN after the cure.
    params : dict
        Values for the placeholders of its words.
    """

    code: str
    fen: str
    params: dict[str, Any] = dataclasses.field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """Return the cure as JSON values."""
        return {"code": self.code, "fen": self.fen, "params": self.params}


@dataclass(frozen=True, slots=True)
class Problem:
    """Hold one finding.

    Attributes
    ----------
    code : str
        Stable name, as 'rank-sum'.
    severity : str
        One of `SEVERITIES`.
    field : str or None
        The field of the FEN it concerns, None for the text as a whole.
    squares : tuple of str
        Names of the squares to mark.
    params : dict
        Values for the placeholders of its words; `variant`, where present, picks a closer wording.
    fixes : tuple of Fix
        Cures, the likeliest first.
    """

    code: str
    severity: str
    field: str | None = None
    squares: tuple[str, ...] = ()
    params: dict[str, Any] = dataclasses.field(default_factory=dict)
    fixes: tuple[Fix, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Return the finding as JSON values."""
        return {
            "code": self.code,
            "severity": self.severity,
            "field": self.field,
            "squares": list(self.squares),
            "params": self.params,
            "fixes": [fix.to_json() for fix in self.fixes],
        }
