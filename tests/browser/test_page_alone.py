"""The page without its engine: board, field, words and exports need no Python; it says why there is none."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from browser.page_help import START, axe  # isort: skip


@pytest.fixture
def alone(context: BrowserContext, guard: object, server: str) -> Page:
    """The page, with the engine's module kept from loading."""
    guard.allow(r"console: .*(ERR_FAILED|Failed to fetch dynamically imported module)")  # type: ignore[attr-defined]
    context.route("**/static/app/engine.js", lambda route: route.abort())
    page = context.new_page()
    page.goto(server)
    page.locator("#status[data-state='fault']").wait_for()
    return page


def test_says_why_and_still_works(alone: Page) -> None:
    expect(alone.locator("#status-text")).to_contain_text("Python could not be started.")
    expect(alone.locator("#status-text")).to_contain_text("The board and the FEN field work all the same.")
    expect(alone.get_by_role("button", name="Try again")).to_be_visible()
    expect(alone.locator("#fen")).to_have_value(START)
    assert axe(alone) == []


def test_board_by_keyboard_alone(alone: Page) -> None:
    """One tab stop; arrows follow the screen; letters place, Delete empties, a typed square is gone to."""
    page = alone
    assert page.locator("#board-grid [tabindex='0']").count() == 1
    page.locator("#board-grid [tabindex='0']").focus()
    page.keyboard.press("Control+End")
    expect(page.locator("[data-square='h1']")).to_be_focused()
    page.keyboard.press("Home")
    page.keyboard.press("ArrowUp")
    expect(page.locator("[data-square='a2']")).to_be_focused()
    page.keyboard.press("Delete")
    page.keyboard.type("e4")
    expect(page.locator("[data-square='e4']")).to_be_focused()
    page.keyboard.press("n")
    page.keyboard.type("b5")  # a bishop's letter that turns out to be a file
    expect(page.locator("[data-square='b5']")).to_be_focused()
    page.keyboard.press("Shift+B")
    expect(page.locator("#fen")).to_have_value("rnbqkbnr/pppppppp/8/1B6/4n3/8/1PPPPPPP/RNBQKBNR w KQkq - 0 1")
    expect(page.locator("[data-square='e4']")).to_have_attribute("aria-label", "e4, black knight")
    page.keyboard.press("Space")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Space")
    expect(page.locator("[data-square='c5']")).to_have_attribute("data-piece", "B")
    for _ in range(4):
        page.keyboard.press("Control+z")
    expect(page.locator("#fen")).to_have_value(START)
    page.keyboard.press("Control+Shift+z")
    expect(page.locator("[data-square='a2']")).to_have_attribute("data-piece", ".")


def test_board_by_pointer(alone: Page) -> None:
    """Drag, drag off, stamp from the palette, erase by the right button."""
    page = alone

    def at(square: str) -> tuple[float, float]:
        box = page.locator(f"[data-square='{square}']").bounding_box()
        assert box
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    page.mouse.move(*at("e2"))
    page.mouse.down()
    page.mouse.move(*at("e3"), steps=3)
    page.mouse.move(*at("e4"), steps=3)
    page.mouse.up()
    expect(page.locator("#fen")).to_have_value(re.compile("/4P3/8/PPPP1PPP/"))
    page.mouse.click(*at("a8"), button="right")
    expect(page.locator("[data-square='a8']")).to_have_attribute("data-piece", ".")
    page.get_by_role("button", name="white queen", exact=True).click()
    page.mouse.click(*at("d5"))
    expect(page.locator("[data-square='d5']")).to_have_attribute("data-piece", "Q")
    page.mouse.click(*at("d5"))  # the same piece again takes it away
    expect(page.locator("[data-square='d5']")).to_have_attribute("data-piece", ".")
    page.get_by_role("button", name="Move pieces").click()
    page.mouse.move(*at("h8"))
    page.mouse.down()
    page.mouse.move(5, 5, steps=4)
    page.mouse.up()
    expect(page.locator("[data-square='h8']")).to_have_attribute("data-piece", ".")


def test_fields_keep_and_say_what_cannot_be(alone: Page) -> None:
    """An edit drops no right in silence: it is marked; what cannot be is disabled with its reason."""
    page = alone
    page.locator("#board-grid [tabindex='0']").focus()
    page.keyboard.type("h1")
    page.keyboard.press("Delete")
    short = page.get_by_role("checkbox", name="White, king side (K)")
    expect(short).to_be_checked()
    expect(page.locator("label.right[data-state='fault']")).to_have_count(1)
    short.uncheck()
    expect(short).to_be_disabled()
    expect(page.locator(".reasons")).to_contain_text("White, king side: h1 has no white rook.")
    expect(page.locator("#fen")).to_have_value(re.compile(" w Qkq - "))
    page.fill("#fen", "rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 3")
    options = page.locator("#ep option").all_inner_texts()
    assert [text[:2] for text in options] == ["no", "e3"]
    page.locator("#ep").select_option("e3")
    expect(page.locator("#fen")).to_have_value(re.compile(" b KQkq e3 0 3$"))
    page.locator("#fullmove_number").fill("12")
    page.locator("#fullmove_number").press("Tab")
    expect(page.locator("#fen")).to_have_value(re.compile(" e3 0 12$"))


def test_address_carries_the_fen(alone: Page, server: str) -> None:
    page = alone
    page.goto(f"{server}#fen=4k3/8/8/8/8/8/8/4K2R_w_K_-_0_1")
    expect(page.locator("#fen")).to_have_value("4k3/8/8/8/8/8/8/4K2R w K - 0 1")
    page.locator("#board-grid [tabindex='0']").focus()
    page.keyboard.type("a1")
    page.keyboard.press("Shift+R")
    page.wait_for_url(re.compile(r"#fen=4k3/8/8/8/8/8/8/R3K2R_w_K_-_0_1$"))


def test_exports(alone: Page) -> None:
    """PNG, SVG, PGN and EPD leave as files; links to other pages carry the FEN and say so."""
    page = alone
    for name, begins in (("png", b"\x89PNG"), ("svg", b"<svg"), ("pgn", b"[Event"), ("epd", b"rnbqkbnr/")):
        page.locator("#share > summary").click()
        if name == "png":
            assert axe(page) == []
            link = page.get_by_role("link", name="Open in Lichess").get_attribute("href") or ""
            assert link.startswith("https://lichess.org/")
            assert "rnbqkbnr/pppppppp" in link
            expect(page.locator("#share-sheet")).to_contain_text("Only the FEN goes with them")
        with page.expect_download() as saved:
            page.locator(f"[data-out='save-{name}']").click()
        assert Path(saved.value.path()).read_bytes().startswith(begins)


def test_language_theme_and_help(alone: Page) -> None:
    """The switch changes words, `lang` and the address; the FEN and the board stay left to right."""
    page = alone
    page.locator("#language").select_option("el")
    expect(page.locator("html")).to_have_attribute("lang", "el")
    page.wait_for_url(re.compile("lang=el"))
    expect(page.locator("#fen")).to_have_attribute("dir", "ltr")
    expect(page.locator("#board")).to_have_attribute("dir", "ltr")
    page.locator("#language").select_option("en")
    page.keyboard.press("?")
    expect(page.locator("#help")).to_be_visible()
    assert axe(page) == []
    page.keyboard.press("Escape")
    page.locator("[data-action='theme']").click()
    expect(page.locator("html")).to_have_attribute("data-theme", re.compile("light|dark"))
    assert axe(page) == []


@pytest.mark.parametrize("width", [320, 768, 1280, 2560])
def test_no_width_scrolls_sideways(alone: Page, width: int) -> None:
    alone.set_viewport_size({"width": width, "height": 800})
    assert alone.evaluate("document.documentElement.scrollWidth") <= width
    assert axe(alone) == []


def test_big_text_and_turned_languages_fit(alone: Page) -> None:
    """200 % text on a small screen still fits its width."""
    alone.set_viewport_size({"width": 640, "height": 800})
    alone.evaluate("document.documentElement.style.fontSize = '200%'")
    assert alone.evaluate("document.documentElement.scrollWidth") <= 640
