"""The language files whole: one set of keys and places, plurals of each language, nothing left in English."""

from __future__ import annotations

import json
import re
import unicodedata
from pathlib import Path
from typing import Any

import pytest

from fen_core.models import languages_folder
from fen_core.words import LANGUAGES

FOLDER = languages_folder()
TABLES: dict[str, dict[str, Any]] = {
    code: json.loads((FOLDER / f"{code}.json").read_text(encoding="utf-8")) for code in LANGUAGES
}
ENGLISH = TABLES["en"]
OTHERS = [code for code in LANGUAGES if code != "en"]

# Cardinal categories of Unicode CLDR; what Portuguese calls "many" (whole millions) reads like "other" here.
PLURALS = {
    "en": {"one", "other"},
    "el": {"one", "other"},
    "vi": {"other"},
    "gu": {"one", "other"},
    "pt-BR": {"one", "other"},
    "bn": {"one", "other"},
}
SCRIPTS = {"el": "GREEK", "gu": "GUJARATI", "bn": "BENGALI"}
# Texts that are the same everywhere: names, formats, what stands on keys.
SAME = {"Image to FEN", "CSV", "EPD", "JSON", "PGN", "Delete", "Enter", "Home End", "K Q R B N P", "e 4"}
# Latin words that stand within a sentence of another script: names, formats, keys, what is typed as it is.
LATIN = set(
    "FEN EPD PGN CSV PNG SVG JPEG WebP GIF BMP HEIC AVIF TIFF PDF JSON CSP KQkq HAha Chess960 Shredder Image "
    "Python WebAssembly NumPy Pillow pypdfium2 pdf image Firefox Chrome Edge Safari iPhone Most Compatible "
    "Lichess Chess com Ctrl Cmd Shift Delete Enter Escape Home End cookies none possible white black corners "
    "sandbox origin allow same Access Control Allow Origin Content Security Policy frame src Cross "
    "Embedder https scikit learn teach JavaScript python3 build py serve to fen html".split()
)
PLACE = re.compile(r"\{\w+\}")


def forms(entry: Any) -> list[str]:
    return list(entry.values()) if isinstance(entry, dict) else [entry]


def places(text: str) -> set[str]:
    return set(PLACE.findall(text))


def bare(text: str) -> str:
    """The words of a text without its places."""
    return PLACE.sub(" ", text)


def needs_words(key: str) -> bool:
    """Whether the English has anything to be translated."""
    return any(form not in SAME and re.search("[A-Za-z]", bare(form)) for form in forms(ENGLISH[key]))


def test_every_language_has_a_file():
    assert {file.stem for file in Path(FOLDER).glob("*.json")} == set(LANGUAGES) == set(PLURALS)


@pytest.mark.parametrize("language", LANGUAGES)
def test_keys_are_whole_sorted_and_once(language: str):
    pairs: list[tuple[str, Any]] = []

    def collect(found: list[tuple[str, Any]]) -> dict[str, Any]:
        pairs[:] = found  # the outermost object closes last
        return dict(found)

    json.loads((FOLDER / f"{language}.json").read_text(encoding="utf-8"), object_pairs_hook=collect)
    keys = [key for key, _ in pairs]
    assert keys == sorted(set(keys))
    assert [key for key in ENGLISH if key not in keys] == [], "missing"
    assert [key for key in keys if key not in ENGLISH] == [], "no longer in English"


@pytest.mark.parametrize("language", LANGUAGES)
def test_places_are_those_of_english(language: str):
    for key, entry in TABLES[language].items():
        wanted = set().union(*map(places, forms(ENGLISH[key])))
        assert set().union(*map(places, forms(entry))) == wanted, key
        if isinstance(entry, dict):  # the form for many numbers must say which
            assert places(entry["other"]) == wanted, key
        for form in forms(entry):
            assert not re.search(r"[{}]", bare(form)), f"{key}: a brace that is no place"


@pytest.mark.parametrize("language", LANGUAGES)
def test_plurals_have_the_forms_of_the_language(language: str):
    for key, entry in TABLES[language].items():
        assert isinstance(entry, dict) == isinstance(ENGLISH[key], dict), key
        if isinstance(entry, dict):
            assert set(entry) == PLURALS[language], key


@pytest.mark.parametrize("language", LANGUAGES)
def test_texts_are_tidy(language: str):
    for key, entry in TABLES[language].items():
        for form in forms(entry):
            assert form, key
            assert form == form.strip(), f"{key}: a space at an end"
            assert form == unicodedata.normalize("NFC", form), f"{key}: letters not composed"
            assert "  " not in form, f"{key}: two spaces"
            assert "..." not in form, f"{key}: three dots for an ellipsis"
            assert "!" not in form, f"{key}: the page does not shout"
            assert '"' not in form, f"{key}: quotation marks of a typewriter"


@pytest.mark.parametrize("language", LANGUAGES)
def test_quotation_marks_are_those_of_the_language(language: str):
    strange = "“”„" if language == "el" else "«»„"
    for key, entry in TABLES[language].items():
        assert not set(strange) & set("".join(forms(entry))), key


@pytest.mark.parametrize("language", OTHERS)
def test_sentences_end_as_english_ones_do(language: str):
    """A full stop is a full stop everywhere; Bengali writes it as a danda, Greek asks with a semicolon."""
    ends = {".": "stop", "।": "stop", "?": "question", "…": "ellipsis", ":": "colon"}
    own = {**ends, ";": "question"} if language == "el" else ends
    for key, entry in TABLES[language].items():
        end = forms(entry)[-1][-1]
        assert own.get(end) == ends.get(forms(ENGLISH[key])[-1][-1]), key
        assert language != "bn" or end != ".", f"{key}: a Latin full stop"


@pytest.mark.parametrize("language", LANGUAGES)
def test_keys_stand_in_as_many_caps(language: str):
    """The page puts what stands between spaces into a key cap each; a key of two words holds a hard space."""
    for key, entry in TABLES[language].items():
        if key.startswith("ui.key-") and key.endswith("-keys"):
            assert entry.count(" ") == ENGLISH[key].count(" "), key


@pytest.mark.parametrize("language", LANGUAGES)
def test_buttons_are_quoted_as_they_are_named(language: str):
    table = TABLES[language]
    for key, action in (
        ("error.cancelled.next", "find-again"),
        ("ui.stopped", "find-again"),
        ("error.no-board.next", "whole-picture"),
    ):
        quoted = re.search("[“«](.+)[”»]", table[key])
        assert quoted, key
        assert quoted[1] == table[f"action.{action}"], key


@pytest.mark.parametrize("language", OTHERS)
def test_nothing_is_left_in_english(language: str):
    left = [key for key, entry in TABLES[language].items() if entry == ENGLISH[key] and needs_words(key)]
    assert left == []


@pytest.mark.parametrize(("language", "script"), SCRIPTS.items())
def test_words_are_of_the_script(language: str, script: str):
    for key, entry in TABLES[language].items():
        if needs_words(key):
            for form in forms(entry):
                assert any(unicodedata.name(c, "").startswith(script) for c in form), key


@pytest.mark.parametrize(("language", "script"), SCRIPTS.items())
def test_no_letter_is_of_a_third_script(language: str, script: str):
    """Nor do two scripts meet in one word, as when a Latin o stands among Greek letters."""
    for key, entry in TABLES[language].items():
        for form in forms(entry):
            for word in re.findall(r"[^\W\d_]+", bare(form)):
                scripts = {unicodedata.name(c).split()[0] for c in word} - {"COMBINING"}
                assert scripts <= {script} or scripts == {"LATIN"}, f"{key}: {word}"


@pytest.mark.parametrize("language", SCRIPTS)
def test_latin_words_are_names(language: str):
    for key, entry in TABLES[language].items():
        for form in forms(entry):
            assert set(re.findall(r"[A-Za-z][A-Za-z0-9]{2,}", bare(form))) <= LATIN, key
