"""The page with its engine: the whole way from a picture to a checked FEN, as a person goes it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from draw import THEMES, board, framed, side_by_side
from playwright.sync_api import Page, expect

from browser.page_help import ROOK_ENDING, axe, drop, png, screenshot  # isort: skip

# which board it is matters here, not whether each king is told from a queen at 44 px
SECOND = re.compile(r"^8/8/4[kq]3/8/8/3[KQ]4/4R3/8 ")
SLOW_MS = 120_000  # Python starts in two seconds; a machine that does other things needs more
EXAMPLES = Path(__file__).resolve().parents[2] / "static" / "examples"


@pytest.fixture
def open_page(page: Page, server: str) -> Page:
    """The page as it opens, usable; Python is still on its way."""
    page.goto(server)
    page.locator("html[data-state='usable']").wait_for()
    return page


def test_picture_to_copied_fen(open_page: Page) -> None:
    """Drop a picture before Python is ready; read, correct by keyboard, fix, copy; axe finds nothing."""
    page = open_page
    drop(page, "game.png", screenshot(ROOK_ENDING))
    expect(page.locator("#viewer")).to_be_visible()  # shown at once
    fen = page.locator("#fen")
    expect(fen).to_have_value(f"{ROOK_ENDING} w - - 0 1", timeout=SLOW_MS)
    expect(page.locator("#status-text")).to_contain_text("1 board read")
    expect(page.locator("#handles button").first).to_be_visible()
    assert axe(page) == []

    # by keyboard alone: to the board, to e8, a white queen that gives check
    page.locator("#board-grid [tabindex='0']").focus()
    page.keyboard.type("e8")
    expect(page.locator("[data-square='e8']")).to_be_focused()
    page.keyboard.press("Shift+Q")
    expect(fen).to_have_value(re.compile(r"^2r1Q1k1/\S+ w "))
    fault = page.locator("#problems [data-code='opponent-in-check']")
    expect(fault).to_be_visible(timeout=SLOW_MS)
    assert axe(page) == []
    fault.locator("[data-fix]").first.click()
    expect(fen).to_have_value(re.compile(r"^2r1Q1k1/\S+ b "))
    expect(fault).to_have_count(0, timeout=SLOW_MS)

    page.get_by_role("button", name="Copy FEN").click()
    expect(page.locator("#toast")).to_have_text("FEN copied")
    assert page.evaluate("navigator.clipboard.readText()") == fen.input_value()

    # undo goes all the way back to the reading
    for _ in range(2):
        page.keyboard.press("Control+z")
    expect(fen).to_have_value(f"{ROOK_ENDING} w - - 0 1")

    # turning: the men stay on their part of the picture, the names turn round them
    page.get_by_role("button", name="Turn the position 180°").click()
    expect(page.locator("#board-grid")).to_have_attribute("aria-label", "Board, Black at the bottom")
    expect(fen).to_have_value(re.compile("^" + ROOK_ENDING[::-1]))

    # a corner moved by keyboard is read again
    page.get_by_role("button", name=re.compile("Corner, top left")).focus()
    before = page.locator("[data-corner='top-left']").get_attribute("aria-label")
    page.keyboard.press("ArrowRight")
    expect(page.locator("[data-corner='top-left']")).not_to_have_attribute("aria-label", before or "")
    expect(page.locator("#status[data-state='idle']")).to_be_visible(timeout=SLOW_MS)

    # compare: the straightened board with the pieces over it
    page.get_by_role("button", name="Compare").click()
    expect(page.locator("#straight")).to_be_visible()
    assert axe(page) == []


def test_several_pictures_and_boards(open_page: Page) -> None:
    """Two files, one with two boards and one with none: a list, each with its state, all out together."""
    page = open_page
    boards = [framed(board(p, 44, THEMES["blue"]), "line") for p in (ROOK_ENDING, "8/8/4k3/8/8/3K4/4R3/8")]
    two = png(side_by_side(boards, 2, (60, 60)).image)
    page.set_input_files(
        "#file",
        [
            {"name": "two.png", "mimeType": "image/png", "buffer": two},
            {"name": "notes.png", "mimeType": "image/png", "buffer": b"these are only words"},
        ],
    )
    items = page.locator("#queue li")
    expect(items).to_have_count(2)
    expect(items.nth(1)).to_contain_text("no picture")
    expect(items.nth(0)).to_contain_text("2 boards read", timeout=SLOW_MS)
    expect(page.locator("#boards")).to_be_visible()
    page.locator("#boards").select_option("1")
    expect(page.locator("#fen")).to_have_value(SECOND)
    with page.expect_download() as saved:
        page.locator("[data-list='fen']").click()
    lines = Path(saved.value.path()).read_text("utf-8").splitlines()
    assert len(lines) == 2
    assert SECOND.match(lines[1])
    items.nth(1).locator("button").first.click()
    expect(page.locator("#picture-note")).to_contain_text("This file is no picture that can be read here.")
    assert axe(page) == []


def test_picture_without_a_board(open_page: Page) -> None:
    """A picture without a board says so and what to do; its corners can be set by clicking."""
    page = open_page
    diagram = board(ROOK_ENDING, 40, THEMES["green"])
    blank = diagram.image.resize((320, 320)).point(lambda v: 200)
    drop(page, "blank.png", png(blank))
    expect(page.locator("#picture-note")).to_contain_text("No board found.", timeout=SLOW_MS)
    assert axe(page) == []
    page.get_by_role("button", name="Set corners").click()
    page.locator("#picture").scroll_into_view_if_needed()  # reaching for the button may have moved it away
    area = page.locator("#picture").bounding_box()
    assert area
    side = min(area["width"], area["height"])
    left, top = area["x"] + (area["width"] - side) / 2, area["y"] + (area["height"] - side) / 2
    for x, y in ((0.9, 0.1), (0.1, 0.1), (0.1, 0.9), (0.9, 0.9)):
        page.mouse.click(left + x * side, top + y * side)
    expect(page.locator("#status-text")).to_contain_text("1 board read", timeout=SLOW_MS)
    expect(page.locator("#fen")).to_have_value(re.compile("^8/8/8/8/8/8/8/8 "))


def test_typed_text_is_checked_and_cleaned(open_page: Page) -> None:
    """Paste an address with a FEN in it: the board follows, what was cleaned is told, the fix cures."""
    page = open_page
    page.fill("#fen", "https://example.org/editor/4k3/8/8/8/8/8/8/4K2R_w_KQ_-_0_1")
    expect(page.locator("[data-square='a8']")).to_have_attribute("data-piece", ".", timeout=SLOW_MS)
    fault = page.locator("#problems [data-code='castling-impossible']")
    expect(fault).to_be_visible(timeout=SLOW_MS)
    assert page.locator("#problems [data-kind='note']").count() >= 1
    fault.locator("[data-fix]").first.click()
    expect(page.locator("#fen")).to_have_value("4k3/8/8/8/8/8/8/4K2R w K - 0 1")
    page.fill("#fen", "no chess here")
    expect(page.locator("#fen")).to_have_attribute("aria-invalid", "true", timeout=SLOW_MS)
    expect(page.locator("[data-square='h1']")).to_have_attribute("data-piece", "R")
    assert axe(page) == []
