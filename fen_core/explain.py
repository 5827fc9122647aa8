"""The checker's answer with its words: what a page shows, without knowing one rule of chess or of grammar.

Above `check` and `words`; the engine in the browser calls it, for the checker that other pages embed.
What always holds: it is the answer of `check`, field for field, with sentences added; nothing is left out.

>>> answer = explain("8/8/8/8/8/8/8/8 w - - 0 1")
>>> answer["problems"][0]["code"], sorted(answer["problems"][0])[-1]
('kings-missing', 'title')
"""

from __future__ import annotations

from typing import Any

from fen_core.check import check
from fen_core.words import Words

__all__ = ["explain"]


def explain(text: str, language: str = "en") -> dict[str, Any]:
    """Check a text and put what was found into words.

    Parameters
    ----------
    text : str
        Anything; see `check`.
    language : str
        One of `words.LANGUAGES`; English for any other.

    Returns
    -------
    dict
        `CheckResult.to_json()`, with "title" and "body" in each problem, "label" in each fix and each
        cleaning, and "dialect_words": the dialect as a sentence, empty for the standard one.
    """
    words = Words(language)
    result = check(text)
    answer = result.to_json()
    answer["problems"] = [_problem(problem, words) for problem in answer["problems"]]
    answer["fixes"] = _fixes(answer["fixes"], words)
    answer["cleaned"] = [{**note, "label": words.cleaned(note)} for note in answer["cleaned"]]
    standard = result.dialect == "standard"
    answer["dialect_words"] = "" if standard else words.text(f"dialect.{result.dialect}")
    return answer


def _problem(problem: dict[str, Any], words: Words) -> dict[str, Any]:
    title, body = words.problem(problem)
    return {**problem, "title": title, "body": body, "fixes": _fixes(problem["fixes"], words)}


def _fixes(fixes: list[dict[str, Any]], words: Words) -> list[dict[str, Any]]:
    return [{**fix, "label": words.fix(fix)} for fix in fixes]
