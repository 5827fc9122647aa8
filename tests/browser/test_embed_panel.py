"""The embedded checker as the person meets it: before Python, with faults and cures, in every language."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from browser.embed_help import LANGUAGES, LOST_RIGHTS, START, WIDE_RANK, patient_page, ready, run_axe, settled  # isort: skip


@pytest.fixture
def page(context: BrowserContext) -> Page:
    return patient_page(context)


def test_usable_before_python_and_honest_without_it(page: Page, server: str, guard: Any) -> None:
    guard.allow("Failed to load resource|ERR_FAILED")
    held: list[Any] = []
    page.route("**/checker-*.zip", lambda route: held.append(route))
    page.goto(f"{server}embed.html#lang=en&theme=light")
    expect(page.locator("#status-text")).to_contain_text(re.compile(r"^Loading Python.* of \d.\d MB$"))
    page.locator("#fen").fill(LOST_RIGHTS)
    placement = page.locator("#board")
    expect(placement).to_have_attribute("data-placement", re.compile(r"^r\.\.\.k\.\.r"))
    page.locator("#fen").fill("[FEN no ranks here]")
    expect(placement).to_have_attribute("data-placement", "")
    assert run_axe(page) == []

    # A part that is missing is named, and can be asked for again.
    for route in held:
        route.abort()
    expect(page.locator("#status")).to_have_attribute("data-state", "failed")
    expect(page.locator("#status-text")).to_contain_text(re.compile(r"checker-\w+\.zip"))
    expect(page.locator("#verdict-title")).to_have_text("Not checked")
    assert run_axe(page) == []
    page.unroute("**/checker-*.zip")
    page.locator("#fen").fill(LOST_RIGHTS)
    page.locator("#retry").click()
    settled(page, "castling-impossible")


def test_faults_are_shown_cured_and_taken_back_by_keyboard(page: Page, server: str) -> None:
    page.goto(f"{server}embed.html#lang=en&theme=dark&fen={LOST_RIGHTS.replace(' ', '_')}")
    settled(page, "castling-impossible")
    expect(page.locator("#live")).to_have_text(page.locator("#verdict-title").inner_text())
    assert run_axe(page) == []

    page.locator("#fen").focus()
    for _ in range(12):
        if page.evaluate("document.activeElement.classList.contains('fix')"):
            break
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator("#fen")).to_have_value(LOST_RIGHTS.replace("KQkq", "Kkq"))
    expect(page.locator("#fen")).to_be_focused()
    expect(page.locator("[data-code='castling-impossible']")).to_have_count(0)
    page.locator("#undo").press("Enter")
    expect(page.locator("#fen")).to_have_value(LOST_RIGHTS)
    settled(page, "castling-impossible")

    # A tag is cleaned, told, drawn, and taken over by Enter; the canonical text is what is copied.
    page.locator("#fen").fill(f'[FEN "{START}"]')
    page.locator(".cleaned li").first.wait_for()
    expect(page.locator("#board")).to_have_attribute("data-placement", re.compile(r"^rnbqkbnrpppppppp"))
    page.locator("#copy").click()
    expect(page.locator("#copy-text")).to_have_text("Copied")
    assert page.evaluate("navigator.clipboard.readText()") == START
    page.locator("#fen").press("Enter")
    expect(page.locator("#fen")).to_have_value(START)
    expect(page.locator("#verdict")).to_have_attribute("data-state", "sound")

    # A rank that is too wide is marked on the board, and text of others stays text.
    page.locator("#fen").fill(WIDE_RANK)
    settled(page, "rank-sum")
    page.locator("#fen").fill("<img src=x onerror=alert(1)>/8/8/8/8/8/8/8 w - - 0 1")
    expect(page.locator("#verdict")).to_have_attribute("data-state", "fault")
    assert page.locator("#findings img").count() == 0
    page.goto(f"{server}embed.html#lang=en&fen=4k3/8/8/8/8/8/8/4K3_w_-_-_0_1&theme=light")
    expect(page.locator("#fen")).to_have_value("4k3/8/8/8/8/8/8/4K3 w - - 0 1")


def test_every_language_speaks_and_fits(page: Page, server: str) -> None:
    texts = {
        "faults": "rnbqkbnr/pppppppp/8/8/8/9/PPPPPPPP/RNBQKBNX W QKkq e4 0 0",
        "position": "r3k2r/8/8/8/8/8/P7/p3K2R w KQkq e6 12 1",
        "tag": f'[FEN "{START}"]',
    }
    page.goto(f"{server}embed.html#lang=en")
    ready(page)
    said: dict[str, str] = {}
    for language in LANGUAGES:
        page.locator("#language").select_option(language)
        expect(page.locator("html")).to_have_attribute("lang", language)
        for text in texts.values():
            page.locator("#fen").fill(text)
            page.locator("#verdict:not([data-state='former'], [data-state='waiting'])").wait_for()
            shown = page.locator("#checker").inner_text()
            assert not re.search(r"\b(embed|problem|fix|cleaned|severity|field|dialect)\.[a-z-]+", shown), (
                shown
            )
            assert "{" not in shown, shown
            said[language] = said.get(language, "") + page.locator("#verdict").inner_text()
            for width in (280, 560, 900):
                page.set_viewport_size({"width": width, "height": 700})
                assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), (language, width)
    assert len(set(said.values())) == len(LANGUAGES)
