"""The guide: six pages with one skeleton, each in its own language, whose examples are what they claim."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path
from urllib.parse import parse_qs, unquote, urlsplit

import pytest

from fen_core.check import check

GUIDE = Path(__file__).resolve().parents[2] / "static" / "guide"
LANGUAGES = ("en", "el", "vi", "gu", "pt-BR", "bn")
SECTIONS = (
    "what",
    "letters",
    "placement",
    "picture",
    "recognition",
    "errors",
    "good-picture",
    "mistakes",
    "privacy",
)
SCRIPTS = {"el": "GREEK", "gu": "GUJARATI", "bn": "BENGALI"}
# Names of things that have no other name; squares are let through by their shape.
LATIN_NAMES = {"FEN", "PGN", "EPD", "CSV", "JSON", "PDF"}
ENGLISH = re.compile(
    r"\b(the|and|with|of|is|square|board|pawn|king|queen|rook|bishop|knight|rank|move)\b", re.I
)
VOID = {"meta", "link", "wbr", "br", "img"}
# Where a sentence has a code, a move or a stress is the translator's business.
FREE = {"code", "wbr", "b", "a"}


@dataclass
class Node:
    """An element with its attributes, children and text, in order."""

    tag: str
    attributes: dict[str, str]
    parent: Node | None = None
    content: list[Node | str] = field(default_factory=list)

    def walk(self) -> Iterator[Node]:
        yield self
        for child in self.content:
            if isinstance(child, Node):
                yield from child.walk()

    def find(self, tag: str = "", css_class: str = "") -> list[Node]:
        return [
            node
            for node in self.walk()
            if (not tag or node.tag == tag)
            and (not css_class or css_class in node.attributes.get("class", "").split())
        ]

    @property
    def text(self) -> str:
        return "".join(child if isinstance(child, str) else child.text for child in self.content)


class Builder(HTMLParser):
    """Build the tree, and refuse tags that do not match: these pages are written by hand."""

    def __init__(self) -> None:
        super().__init__()
        self.root = self.at = Node("root", {})

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        node = Node(tag, {name: value or "" for name, value in attrs}, self.at)
        self.at.content.append(node)
        if tag not in VOID:
            self.at = node

    def handle_endtag(self, tag: str) -> None:
        assert self.at.tag == tag, f"</{tag}> closes <{self.at.tag}> in line {self.getpos()[0]}"
        assert self.at.parent is not None
        self.at = self.at.parent

    def handle_data(self, data: str) -> None:
        self.at.content.append(data)


def page_of(language: str) -> Node:
    builder = Builder()
    builder.feed((GUIDE / f"{language}.html").read_text("utf-8"))
    assert builder.at is builder.root, f"<{builder.at.tag}> is never closed"
    return builder.root


PAGES = {language: page_of(language) for language in LANGUAGES}


@pytest.fixture(params=LANGUAGES)
def language(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def page(language: str) -> Node:
    return PAGES[language]


def fen_of(link: Node) -> str:
    address = urlsplit(link.attributes["href"])
    assert address.path == "../../index.html"
    name, _, fen = address.fragment.partition("=")
    assert name == "fen"
    assert " " not in fen
    assert "/" not in fen
    return unquote(fen)


def codes_of(fen: str) -> set[str]:
    return {problem["code"] for problem in check(fen).to_json()["problems"]}


def men_of(fen: str) -> dict[str, str]:
    """Return square → letter, for placements that add up."""
    men = {}
    for rank, row in zip("87654321", fen.split()[0].split("/"), strict=True):
        wide = re.sub(r"\d", lambda digit: "." * int(digit[0]), row)
        assert len(wide) == 8, row
        men.update({file + rank: man for file, man in zip("abcdefgh", wide, strict=True) if man != "."})
    return men


def skeleton(page: Node) -> list[tuple[str, ...]]:
    kept = (
        "id",
        "class",
        "data-fen",
        "data-marks",
        "data-points",
        "data-light",
        "data-squares",
        "data-board",
    )
    return [
        (node.tag, *(node.attributes.get(name, "") for name in kept))
        for node in page.walk()
        if node.tag not in FREE
        and not (node.tag == "span" and not {"id", "data-light"} & set(node.attributes))
    ]


def test_every_language_has_the_skeleton_of_the_english_page(page: Node) -> None:
    assert skeleton(page) == skeleton(PAGES["en"])


def test_sections_are_there_in_order_and_in_the_contents(page: Node) -> None:
    assert tuple(node.attributes["id"] for node in page.find("section")) == SECTIONS
    contents = page.find("nav", "contents")[0]
    assert [link.attributes["href"] for link in contents.find("a")] == [f"#{name}" for name in SECTIONS]
    headings = [section.find("h2")[0].text for section in page.find("section")]
    assert [link.text for link in contents.find("a")] == headings


def test_ids_are_unique_and_what_refers_to_them_finds_them(page: Node) -> None:
    ids = [node.attributes["id"] for node in page.walk() if "id" in node.attributes]
    assert len(ids) == len(set(ids))
    for node in page.walk():
        for name in ("aria-labelledby", "data-board"):
            assert node.attributes.get(name, ids[0]) in ids
        if node.attributes.get("href", "").startswith("#"):
            assert node.attributes["href"][1:] in ids


def test_headings_do_not_skip_a_level(page: Node) -> None:
    levels = [int(node.tag[1]) for node in page.find("main")[0].walk() if re.fullmatch(r"h[1-6]", node.tag)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(later <= earlier + 1 for earlier, later in pairwise(levels))


def test_languages_are_marked(language: str, page: Node) -> None:
    assert page.find("html")[0].attributes["lang"] == language
    links = page.find("nav", "languages")[0].find("a")
    assert [link.attributes["href"] for link in links] == [f"{code}.html" for code in LANGUAGES]
    assert [link.attributes["lang"] for link in links] == list(LANGUAGES)
    assert [link.attributes["hreflang"] for link in links] == list(LANGUAGES)
    assert [link.attributes["hreflang"] for link in links if "aria-current" in link.attributes] == [language]
    for link in page.find("a"):
        if "index.html" in link.attributes["href"]:
            assert parse_qs(urlsplit(link.attributes["href"]).query) == {"lang": [language]}


def test_nothing_leads_off_the_site_and_nothing_is_inline(page: Node) -> None:
    for node in page.walk():
        assert "style" not in node.attributes
        assert not any(name.startswith("on") for name in node.attributes)
        if node.tag == "script":
            assert not node.text.strip()
        for name in ("href", "src"):
            address = urlsplit(node.attributes.get(name, ""))
            assert not address.scheme
            assert not address.netloc
            if address.path and address.path != "../../index.html":
                assert (GUIDE / address.path).is_file(), address.path
    policies = [
        n.attributes["content"]
        for n in page.find("meta")
        if n.attributes.get("http-equiv") == "Content-Security-Policy"
    ]
    assert len(policies) == 1
    assert "unsafe" not in policies[0]
    assert policies[0].startswith("default-src 'none'")


def test_every_language_loads_the_same_examples(page: Node) -> None:
    examples = [fen_of(link) for link in page.find("a", "example")]
    assert examples == [fen_of(link) for link in PAGES["en"].find("a", "example")]
    for link in page.find("a", "example"):
        if link.find("code"):
            assert link.text == fen_of(link)


def test_fen_is_written_left_to_right_and_left_alone_by_translators(page: Node) -> None:
    for node in page.find("code"):
        assert node.attributes.get("dir") == "ltr"
        assert node.attributes.get("translate") == "no"


@pytest.mark.parametrize(
    "code", [node.attributes["id"][8:] for node in PAGES["en"].find("article", "mistake")]
)
def test_each_mistake_is_found_by_the_checker(code: str) -> None:
    article = next(node for node in PAGES["en"].find("article") if node.attributes["id"] == f"mistake-{code}")
    explained = {
        node.attributes["id"].removeprefix("mistake-") for node in article.walk() if "id" in node.attributes
    }
    first, *others = [codes_of(fen_of(link)) for link in article.find("a", "example")]
    assert code in first
    for found in others:
        assert found & explained - {code}


def test_examples_outside_the_mistakes_are_without_fault() -> None:
    for section in PAGES["en"].find("section"):
        if section.attributes["id"] != "mistakes":
            for link in section.find("a", "example"):
                assert codes_of(fen_of(link)) == set(), fen_of(link)


def test_whoever_is_to_move_mates() -> None:
    white, black = [
        fen_of(link) for link in PAGES["en"].find("a", "example") if fen_of(link).startswith("1k6/")
    ]
    assert white.split()[0] == black.split()[0]
    assert "checkmate" in codes_of("1k1R4/ppp5/8/8/8/8/4rPPP/6K1 b - - 1 1")
    assert "checkmate" in codes_of("1k6/pppR4/8/8/8/8/5PPP/4r1K1 w - - 1 2")


def test_diagrams_say_their_position_in_words(page: Node) -> None:
    """Every man once, White's before Black's, kings first: as the drawing shows them."""
    loadable = {fen_of(link) for link in page.find("a", "example")}
    for figure in page.find("figure", "diagram"):
        fen = figure.attributes["data-fen"]
        assert fen in loadable
        men = men_of(fen)
        squares = [node.text for node in figure.find("p", "position")[0].find("span", "sq")]
        assert sorted(squares) == sorted(men)
        assert "".join(men[square] for square in squares) == "".join(
            sorted(men.values(), key="KQRBNPkqrbnp".index)
        )
        marks = (
            figure.attributes.get("data-marks", "") + " " + figure.attributes.get("data-points", "")
        ).split()
        assert all(re.fullmatch(r"[a-h][1-8]", square) for square in marks)


def test_worked_example_is_the_fen_it_explains(page: Node) -> None:
    section = next(node for node in page.find("section") if node.attributes["id"] == "placement")
    fen = section.find("figure", "diagram")[0].attributes["data-fen"]
    rows = [row for row in section.find("tr") if "data-light" in row.attributes]
    codes = [row.find("code")[0].text for row in rows]
    assert " ".join(["/".join(codes[:8]), *codes[8:]]) == fen
    assert [row.find("th")[0].text for row in rows[:8]] == list("87654321")
    parts = {
        node.attributes["data-light"]: node.text
        for node in section.find("span")
        if "data-light" in node.attributes
    }
    assert parts == {row.attributes["data-light"]: code for row, code in zip(rows, codes, strict=True)}
    # every square that a rank's words name is on that rank, and each man on a rank with gaps is accounted for
    for row, rank in zip(rows[:7], "8765432", strict=False):
        assert set(
            re.findall(r"\b[a-h]([1-8])\b", row.find("td")[0].text.split(row.find("code")[0].text, 1)[1])
        ) <= {rank}
    quick = section.find("p", "note")[0]
    assert "2 + 1 + 5 = 8" in quick.text
    assert codes[1] in quick.text


def words_of(node: Node | str) -> Iterator[str]:
    """Yield the texts that are in the page's own language."""
    if isinstance(node, str):
        yield node
    elif node.tag not in {"code", "style", "script"} and "moves" not in node.attributes.get("class", ""):
        yield node.attributes.get("aria-label", "") + " " + node.attributes.get("data-show", "")
        if node.attributes.get("name") == "description":
            yield node.attributes["content"]
        for child in node.content:
            if isinstance(child, str) or "lang" not in child.attributes:
                yield from words_of(child)


@pytest.mark.parametrize("language", list(SCRIPTS))
def test_no_word_is_left_in_another_script(language: str) -> None:
    html = PAGES[language].find("html")[0]
    text = " ".join(text for child in html.content for text in words_of(child)).replace("Image to FEN", "")
    for word in re.findall(r"[^\W\d_]+[1-8]?", text):
        if word in LATIN_NAMES or re.fullmatch(r"[a-h][1-8]", word):
            continue
        for letter in word.rstrip("12345678"):
            assert unicodedata.name(letter).split()[0] == SCRIPTS[language], word


@pytest.mark.parametrize("language", ["vi", "pt-BR"])
def test_no_english_is_left_in_latin_script(language: str) -> None:
    html = PAGES[language].find("html")[0]
    text = " ".join(text for child in html.content for text in words_of(child)).replace("Image to FEN", "")
    assert ENGLISH.findall(text) == []


def test_texts_are_translated_not_copied(language: str, page: Node) -> None:
    """No paragraph, item, heading or cell that says something is the same in two languages."""
    if language == "en":
        return

    def sayings(root: Node) -> set[str]:
        nodes = [
            node
            for tag in ("p", "li", "h1", "h2", "h3", "figcaption", "td", "title")
            for node in root.find(tag)
        ]
        return {said for node in nodes if len(said := " ".join("".join(words_of(node)).split())) > 12}

    assert sayings(page.find("main")[0]) & sayings(PAGES["en"].find("main")[0]) == set()
    assert page.find("title")[0].text != PAGES["en"].find("title")[0].text
