"""The guide in a browser: it draws, lights up, fits, works without JavaScript, and leads to the checker."""

from __future__ import annotations

from urllib.parse import unquote

import pytest
from playwright.sync_api import Browser, Page, expect

LANGUAGES = ("en", "el", "vi", "gu", "pt-BR", "bn")


# A conjunct is one sign, narrower than its letters set one by one: a face that does not shape fails.
CONJUNCTS = {"gu": "સ્ત્ર", "bn": "ন্ত্র"}
LOOK = """(conjunct) => ({
  width: document.documentElement.scrollWidth,
  figures: [...document.querySelectorAll('figure.diagram')].map((figure) => ({
    fen: figure.dataset.fen,
    drawings: figure.querySelectorAll(':scope > svg').length,
    men: figure.querySelectorAll('g.piece').length,
  })),
  examples: [...document.querySelectorAll('a.example')].map((link) => ({
    address: link.href,
    shown: link.querySelector('code')?.textContent,
  })),
  conjunct: [conjunct, [...conjunct].join('\\u200c')].map((text) => {
    const probe = document.createElement('span');
    probe.textContent = text;
    document.querySelector('.lead').append(probe);
    return probe.getBoundingClientRect().width;
  }),
})"""


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_draws_fits_and_leads_to_the_checker(page: Page, server: str, language: str) -> None:
    """One load for each: drawings, a screen of 320 px, the examples' addresses, the script's shaping."""
    page.set_viewport_size({"width": 320, "height": 800})
    page.goto(f"{server}static/guide/{language}.html", wait_until="domcontentloaded")
    page.locator("table.ranks button").first.wait_for()
    seen = page.evaluate(LOOK, CONJUNCTS.get(language, ""))

    assert seen["width"] <= 320
    assert len(seen["figures"]) >= 12
    for figure in seen["figures"]:
        assert figure["drawings"] == 1
        assert figure["men"] == sum(letter.isalpha() for letter in figure["fen"].split()[0])
    assert len(seen["examples"]) >= 15
    for example in seen["examples"]:
        head, _, fen = example["address"].partition("#fen=")
        assert head == f"{server}index.html?lang={language}"
        if example["shown"]:
            assert unquote(fen) == example["shown"]
        assert len(unquote(fen).split("/")) == 8
    if language in CONJUNCTS:
        joined, apart = seen["conjunct"]
        assert 0 < joined < 0.8 * apart


def test_an_example_opens_in_the_checker(page: Page, server: str) -> None:
    page.goto(f"{server}static/guide/en.html")
    example = page.locator("#mistake-kings-many a.example")
    fen = example.text_content() or ""
    example.click()
    page.wait_for_url(lambda url: "index.html" in url, wait_until="commit")
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
