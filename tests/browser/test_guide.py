"""The guide in a browser: it draws, lights up, fits, works without JavaScript, and leads to the checker."""

from __future__ import annotations

from urllib.parse import unquote

import pytest
from playwright.sync_api import Browser, Page, expect

LANGUAGES = ("en", "el", "vi", "gu", "pt-BR", "bn")


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_diagram_is_drawn_with_all_its_men(page: Page, server: str, language: str) -> None:
    page.goto(f"{server}static/guide/{language}.html")
    figures = page.locator("figure.diagram")
    expect(page.locator("figure.diagram.drawn > svg")).to_have_count(figures.count())
    for figure in figures.all():
        placement = (figure.get_attribute("data-fen") or "").split()[0]
        expect(figure.locator("g.piece")).to_have_count(sum(letter.isalpha() for letter in placement))


@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_sticks_out_of_a_narrow_screen(page: Page, server: str, language: str) -> None:
    page.set_viewport_size({"width": 320, "height": 800})
    page.goto(f"{server}static/guide/{language}.html")
    page.locator("figure.drawn").first.wait_for()
    assert page.evaluate("document.documentElement.scrollWidth") <= 320


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_example_leads_to_the_checker_with_its_fen(page: Page, server: str, language: str) -> None:
    page.goto(f"{server}static/guide/{language}.html")
    links = page.locator("a.example").all()
    assert len(links) >= 15
    for link in links:
        address = str(link.evaluate("link => link.href"))
        head, _, fen = address.partition("#fen=")
        assert head == f"{server}index.html?lang={language}"
        if link.locator("code").count():
            assert unquote(fen) == link.text_content()


def test_an_example_opens_in_the_checker(page: Page, server: str) -> None:
    page.goto(f"{server}static/guide/en.html")
    example = page.locator("#mistake-kings-many a.example")
    fen = example.text_content() or ""
    example.click()
    page.wait_for_url(lambda url: "index.html" in url, wait_until="domcontentloaded")
    assert unquote(page.url.partition("#fen=")[2]).replace("_", " ") == fen


def test_a_row_lights_its_rank_when_pointed_at_focused_or_pressed(page: Page, server: str) -> None:
    page.goto(f"{server}static/guide/en.html")
    lit = page.locator("#worked-board .glow.lit")
    row = page.locator("tr[data-light='rank-5']")
    row.hover()
    expect(lit).to_have_attribute("data-light", "rank-5")
    expect(page.locator(".whole span.lit")).to_have_text("2p5")

    button = page.get_by_role("button", name="Castling: Show on the board")
    button.press("Enter")
    expect(button).to_have_attribute("aria-pressed", "true")
    page.mouse.move(0, 0)
    expect(lit).to_have_count(6)
    button.press("Enter")
    expect(button).to_have_attribute("aria-pressed", "false")


def test_a_change_of_language_keeps_the_place(page: Page, server: str) -> None:
    page.goto(f"{server}static/guide/en.html#mistake-pawn-edge")
    page.locator("figure.drawn").first.wait_for()
    page.locator(".languages a[lang=el]").click()
    page.wait_for_url("**/el.html#mistake-pawn-edge")
    expect(page.locator("#mistake-pawn-edge h3")).to_be_in_viewport()


def test_without_javascript_positions_are_told_in_words(browser: Browser, server: str) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{server}static/guide/en.html")
    expect(page.locator("#mistake-kings-many .position")).to_contain_text("kings d1, e1")
    expect(page.locator("#worked-board .hint")).to_be_hidden()
    expect(page.locator("table.ranks tbody tr")).to_have_count(13)
    context.close()


@pytest.mark.parametrize("language", ["gu", "bn"])
def test_the_script_is_shaped(page: Page, server: str, language: str) -> None:
    """A conjunct is one sign, narrower than its letters set one by one: a face without shaping fails here."""
    page.goto(f"{server}static/guide/{language}.html")
    joined = {"gu": "સ્ત્ર", "bn": "ন্ত্র"}[language]
    widths = page.evaluate(
        """(joined) => [joined, [...joined].join('\\u200c')].map((text) => {
          const probe = document.createElement('span');
          probe.textContent = text;
          document.querySelector('.lead').append(probe);
          return probe.getBoundingClientRect().width;
        })""",
        joined,
    )
    assert 0 < widths[0] < 0.8 * widths[1]
