"""The picture side of the page: corners by mouse, touch and keys, zoom, snapping, evidence, squares."""

from __future__ import annotations

import random
import re
from collections.abc import Callable

import numpy as np
import pytest
from draw import THEMES, board, framed, in_window
from PIL import Image
from playwright.sync_api import Page, expect

from browser.page_help import ROOK_ENDING, Fingers, drop, give, middle, png, screenshot  # isort: skip

OpenPage = Callable[..., Page]
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
# After 1. e4 with its squares marked: Black to move; d5 has no pawn that could take.
AFTER_E4 = "rnbqkbnr/pppp1ppp/8/8/4Pp2/8/PPPP1PPP/RNBQKBNR"
COLOURS = """(colour) => {
  const canvas = document.querySelector('#picture:not([hidden])');
  const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
  let n = 0;
  for (let i = 0; i < data.length; i += 4) {
    if (colour.every((c, k) => Math.abs(data[i + k] - c) < 12)) n++;
  }
  return n;
}"""
EVIDENCE = [255, 184, 61]  # --evidence in tokens.css


def corner_of(page: Page, name: str) -> list[int]:
    """Return the place of a corner as its name says it."""
    said = page.locator(f"[data-corner='{name}']").get_attribute("aria-label") or ""
    return [int(n) for n in re.findall(r"-?\d+", said)]


def wait_for_corner(page: Page, name: str, at: list[int], within: int = 0) -> None:
    """Wait until a corner is there."""
    page.wait_for_function(
        """([name, x, y, d]) => {
          const said = document.querySelector(`[data-corner="${name}"]`).getAttribute('aria-label');
          const [cx, cy] = said.match(/-?\\d+/g).map(Number);
          return Math.abs(cx - x) <= d && Math.abs(cy - y) <= d;
        }""",
        arg=[name, *at, within],
    )


def idle(page: Page) -> None:
    expect(page.locator("#status")).to_have_attribute("data-state", "idle")


def test_corners_by_keys(open_quick: OpenPage) -> None:
    """Arrows move a corner by 1 pixel of the picture, with Shift by 10; it says where; undo works."""
    page = open_quick()
    give(page, screenshot(ROOK_ENDING))
    x, y = corner_of(page, "top-left")
    page.locator("[data-corner='top-left']").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Shift+ArrowDown")
    wait_for_corner(page, "top-left", [x + 1, y + 10])
    expect(page.locator("#live")).to_contain_text(f"{x + 1}, {y + 10}")
    expect(page.locator("#magnifier")).to_be_hidden()  # the board is read again
    idle(page)
    assert corner_of(page, "top-left") == [x + 1, y + 10]  # a person's corners win
    page.locator("[data-action='undo']").click()
    wait_for_corner(page, "top-left", [x, y])
    expect(page.locator("#fen")).to_have_value(re.compile("^" + ROOK_ENDING))


def test_new_squares_soon_after_letting_go(open_quick: OpenPage) -> None:
    """A corner dragged by mouse shows what lies under it enlarged; letting go reads the board again."""
    page = open_quick()
    give(page, screenshot(ROOK_ENDING))
    before = corner_of(page, "bottom-right")
    x, y = middle(page, "[data-corner='bottom-right']")
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x - 6, y - 4, steps=3)
    expect(page.locator("#magnifier")).to_be_visible()
    page.mouse.up()
    expect(page.locator("#magnifier")).to_be_hidden()
    idle(page)
    assert corner_of(page, "bottom-right") != before


def test_picture_by_touch(open_quick: OpenPage) -> None:
    """Handles are 44 px; a finger drags them; two fingers zoom; one then moves the picture about."""
    page = open_quick(**PHONE)
    give(page, screenshot(ROOK_ENDING))
    for handle in page.locator(".handle").all():
        box = handle.bounding_box()
        assert box
        assert min(box["width"], box["height"]) > 43.9
    touch = Fingers(page)
    before = corner_of(page, "top-left")
    x, y = middle(page, "[data-corner='top-left']")
    touch.put("touchStart", (x, y))
    touch.put("touchMove", (x + 9, y + 9))
    expect(page.locator("#magnifier")).to_be_visible()
    touch.put("touchEnd")
    idle(page)
    assert corner_of(page, "top-left") != before

    area = page.locator("#picture").bounding_box()
    assert area
    cx, cy = area["x"] + area["width"] / 2, area["y"] + area["height"] / 2
    expect(page.locator("#view")).not_to_have_class(re.compile("zoomed"))
    touch.put("touchStart", (cx - 20, cy), (cx + 20, cy))
    for apart in (30, 45, 60):
        touch.put("touchMove", (cx - apart, cy), (cx + apart, cy))
    touch.put("touchEnd")
    expect(page.locator("#view")).to_have_class(re.compile("zoomed"))
    there = page.locator("[data-corner='top-left']").bounding_box()
    touch.drag((cx, cy), (cx + 60, cy + 40))
    moved = page.locator("[data-corner='top-left']").bounding_box()
    assert there
    assert moved
    assert moved["x"] > there["x"] + 20


def test_zoom_by_wheel_and_keys(open_quick: OpenPage) -> None:
    page = open_quick()
    give(page, screenshot(ROOK_ENDING))
    view = page.locator("#view")
    page.mouse.move(*middle(page, "#view"))
    page.mouse.wheel(0, -300)  # a page that is scrolled by is not caught
    expect(view).not_to_have_class(re.compile("zoomed"))
    page.evaluate("scrollTo(0, 0)")
    view.focus()
    page.mouse.move(*middle(page, "#view"))
    page.mouse.wheel(0, -300)
    expect(view).to_have_class(re.compile("zoomed"))
    page.keyboard.press("0")
    expect(view).not_to_have_class(re.compile("zoomed"))
    page.keyboard.press("+")
    expect(view).to_have_class(re.compile("zoomed"))
    left = page.locator("[data-corner='top-left']").bounding_box()
    page.keyboard.press("ArrowRight")
    page.wait_for_function(
        "(x) => document.querySelector('[data-corner=top-left]').getBoundingClientRect().x < x - 20",
        arg=(left or {})["x"],
    )


def test_rough_corners_snap_and_can_be_had_back(open_quick: OpenPage) -> None:
    """Four clicks near the corners move onto the squares; it is said; one tap puts the person's own back."""
    page = open_quick()
    drawn = in_window(
        framed(board(ROOK_ENDING, 56, THEMES["wood"]), "coordinates"), (900, 640), random.Random(1)
    )
    give(page, png(drawn.image))
    exact = np.round(drawn.boards[0].corners).astype(int).tolist()
    page.get_by_role("button", name="Set corners").click()
    expect(page.locator("#toast")).to_contain_text("Click the four corners")
    area = page.locator("#picture").bounding_box()
    assert area
    scale = min(area["width"] / 900, area["height"] / 640)
    left, top = area["x"] + (area["width"] - 900 * scale) / 2, area["y"] + (area["height"] - 640 * scale) / 2
    rough = [
        (x + dx, y + dy) for (x, y), (dx, dy) in zip(exact, [(9, 7), (-8, 6), (-7, -9), (6, -8)], strict=True)
    ]
    for x, y in rough:
        page.mouse.click(left + x * scale, top + y * scale)
    note = page.locator("#picture-note")
    expect(note).to_contain_text("moved onto the squares found nearby")
    wait_for_corner(page, "top-left", list(exact[0]), 2)
    expect(page.locator("#live")).to_contain_text("moved onto the squares")
    page.locator("#unsnap").click()
    idle(page)
    expect(note).to_be_hidden()
    wait_for_corner(page, "top-left", list(rough[0]), 2)
    page.locator("[data-action='undo']").click()
    wait_for_corner(page, "top-left", list(exact[0]), 2)


def test_escape_stops_setting_corners(open_quick: OpenPage) -> None:
    page = open_quick()
    give(page, screenshot(ROOK_ENDING))
    before = corner_of(page, "top-left")
    page.get_by_role("button", name="Set corners").click()
    expect(page.locator("[data-corner='top-left']")).to_be_hidden()
    page.keyboard.press("Escape")
    expect(page.locator("[data-corner='top-left']")).to_be_visible()
    assert corner_of(page, "top-left") == before


def test_evidence_is_shown_on_the_picture(open_quick: OpenPage) -> None:
    """A marked last move is told in words at the field and by an arrow, until the field is set by hand."""
    page = open_quick()
    give(page, screenshot(AFTER_E4, marked=("e2", "e4")))
    expect(page.locator("#fen")).to_have_value(f"{AFTER_E4} b - e3 0 1")
    source = page.locator("[aria-controls='why-side_to_move']")
    expect(source).to_have_text("inferred")
    source.click()
    expect(page.locator("#why-side_to_move")).to_contain_text("e2, e4")
    assert page.evaluate(COLOURS, EVIDENCE) > 60
    page.get_by_role("radio", name="White").check()
    page.locator("#ep").select_option("-")
    page.wait_for_function(f"!({COLOURS})({EVIDENCE})")
    page.locator("[data-action='undo']").click()
    page.locator("[data-action='undo']").click()
    page.wait_for_function(f"({COLOURS})({EVIDENCE}) > 60")


def test_no_evidence_nothing_drawn(open_quick: OpenPage) -> None:
    page = open_quick()
    give(page, screenshot(ROOK_ENDING))
    expect(page.locator("[aria-controls='why-side_to_move']")).to_have_text("assumed")
    assert page.evaluate(COLOURS, EVIDENCE) == 0


def unsure_picture() -> bytes:
    """Draw a board on which a rook and a king stand in one another on e4."""
    image = board(ROOK_ENDING, 56, THEMES["wood"]).image.copy()
    e4, g8 = (4 * 56, 4 * 56), (6 * 56, 0)
    rook, king = (image.crop((x, y, x + 56, y + 56)) for x, y in (e4, g8))
    image.paste(Image.blend(rook, king, 0.5), e4)
    return png(image)


@pytest.fixture
def doubtful(open_quick: OpenPage) -> Page:
    """A page with a reading that has at least one unsure square, e4."""
    page = open_quick()
    give(page, unsure_picture())
    expect(page.locator("#doubts")).to_contain_text("e4")
    return page


def test_next_unsure_square_by_key_and_its_alternatives(doubtful: Page) -> None:
    """U goes there; the panel shows it as printed and what it may be; one tap takes a piece."""
    page = doubtful
    page.locator("#board-grid [tabindex='0']").focus()
    page.keyboard.press("Control+Home")
    page.keyboard.press("u")
    expect(page.locator("[data-square='e4']")).to_be_focused()
    expect(page.locator("#square-title")).to_have_text("Square e4")
    crop = page.locator("#square-panel canvas")
    expect(crop).to_be_visible()
    assert crop.get_attribute("aria-label") == "Square e4 as printed in the picture"
    assert (
        page.evaluate(
            """() => { const c = document.querySelector('#square-panel canvas');
          const d = c.getContext('2d').getImageData(0, 0, c.width, c.height).data;
          return new Set([...d].filter((_, i) => i % 4 === 0)).size; }"""
        )
        > 5
    )
    page.keyboard.press("Enter")
    choices = page.locator("#square-panel .choice")
    expect(choices.first).to_be_focused()
    assert choices.count() >= 2
    piece = choices.nth(1).get_attribute("data-piece")
    choices.nth(1).click()
    expect(page.locator("[data-square='e4']")).to_have_attribute("data-piece", piece or "")
    expect(page.locator("#doubts li[data-kind='doubt']", has_text="e4")).to_have_count(0)


def test_doubts_keep_the_keyboards_place(doubtful: Page) -> None:
    """Going through the doubts by their own buttons never loses the focus."""
    page = doubtful
    page.locator("#doubts header button").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#doubts header button")).to_be_focused()
    expect(page.locator("#live")).to_contain_text("e4")
    page.locator("#doubts .item button").last.focus()
    while page.locator("#doubts").is_visible():
        left = page.locator("#doubts .item").count()
        page.locator("#doubts .item button").last.focus()
        page.keyboard.press("Enter")
        expect(page.locator("#doubts .item")).to_have_count(left - 1)
        page.wait_for_function("document.activeElement.tagName !== 'BODY'")


def test_compare_links_square_with_square(open_quick: OpenPage) -> None:
    """A square pointed at on the straightened board is the board's; the pieces lie over as set."""
    page = open_quick()
    give(page, screenshot(ROOK_ENDING, bottom="black"))
    page.get_by_role("button", name="Compare").click()
    area = page.locator("#straight").bounding_box()
    assert area
    side = area["width"] / 8
    page.mouse.move(area["x"] + 0.5 * side, area["y"] + 0.5 * side)
    expect(page.locator("#square-title")).to_have_text("Square h1")
    picture = "document.querySelector('#straight').toDataURL()"
    strong = page.evaluate(picture)
    page.locator("#overlay").fill("0")
    page.wait_for_function(f"(was) => {picture} !== was", arg=strong)


def test_several_boards_are_picked_on_the_picture(open_quick: OpenPage) -> None:
    from draw import side_by_side

    boards = [framed(board(p, 44, THEMES["blue"]), "line") for p in (ROOK_ENDING, "8/8/4k3/8/8/3K4/4R3/8")]
    page = open_quick()
    give(page, png(side_by_side(boards, 2, (60, 60)).image))
    expect(page.locator("#boards option")).to_have_count(2)
    area = page.locator("#picture").bounding_box()
    assert area
    page.mouse.click(area["x"] + area["width"] * 0.75, area["y"] + area["height"] / 2)
    expect(page.locator("#boards")).to_have_value("1")
    page.locator("#boards").select_option("0")
    expect(page.locator("#fen")).to_have_value(re.compile("^" + ROOK_ENDING))


def test_erase_by_long_press_and_drag_by_finger(open_quick: OpenPage) -> None:
    page = open_quick(**PHONE)
    touch = Fingers(page)
    touch.hold(middle(page, "[data-square='e2']"), 800)
    expect(page.locator("[data-square='e2']")).to_have_attribute("data-piece", ".")
    expect(page.locator("#live")).to_contain_text("e2, empty")
    touch.drag(middle(page, "[data-square='d2']"), middle(page, "[data-square='d4']"))
    expect(page.locator("[data-square='d4']")).to_have_attribute("data-piece", "P")
    touch.hold(middle(page, "[data-square='d4']"), 120)  # a tap only looks at it
    expect(page.locator("[data-square='d4']")).to_have_attribute("data-piece", "P")


@pytest.mark.parametrize(
    ("head", "title", "cure"),
    [
        (b"\0\0\0\x18ftypheic" + bytes(40), "HEIC", "Most compatible"),
        (b"\0\0\0\x1cftypavif" + bytes(40), "AVIF", "JPEG or PNG"),
        (b"only words, and not few of them", "no picture", "PNG, JPEG"),
    ],
    ids=["heic", "avif", "words"],
)
def test_files_that_cannot_be_opened_say_how_to_convert(
    open_quick: OpenPage, head: bytes, title: str, cure: str
) -> None:
    page = open_quick()
    drop(page, "holiday.heic", head, "application/octet-stream")
    note = page.locator("#picture-note")
    expect(note).to_contain_text(title)
    expect(note).to_contain_text(cure)


def test_camera_is_offered_where_there_is_touch(open_quick: OpenPage) -> None:
    page = open_quick(**PHONE)
    expect(page.get_by_role("button", name="Take a photo")).to_be_visible()
    assert page.locator("#camera").get_attribute("capture") == "environment"
    assert page.locator("#camera").get_attribute("accept") == "image/*"
    expect(open_quick().get_by_role("button", name="Take a photo")).to_be_hidden()
