"""What actions do and say: transformations, undo, cures, the guide, castling at one tap, what goes out."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import Image
from playwright.sync_api import Page, expect

from browser.page_help import ROOK_ENDING, START, give, screenshot  # isort: skip

OpenPage = Callable[..., Page]
TWO = (ROOK_ENDING, "r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQ1RK1")
CASTLED = "4k2r/8/8/8/8/8/8/R3K2R w KQk - 5 20"


def opened(open_quick: OpenPage, fen: str, **options: object) -> Page:
    """Open the page with a FEN in its address."""
    page = open_quick(f"#fen={fen.replace(' ', '_')}", **options)
    expect(page.locator("#fen")).to_have_value(fen)
    return page


def do(page: Page, action: str) -> None:
    """Press an action's button, wherever it is."""
    button = page.locator(f"[data-action='{action}']")
    if not button.is_visible():
        page.locator("#more > summary").click()
    button.click()


@pytest.mark.parametrize(
    ("action", "fen", "said"),
    [
        ("mirror", "r2k4/8/8/8/8/8/8/R2K3R w - - 5 20", "Castling rights: none (before: KQk)."),
        ("turn", "R2K3R/8/8/8/8/8/8/r2k4 w - - 5 20", "Castling rights: none (before: KQk)."),
        ("ranks", "R3K2R/8/8/8/8/8/8/4k2r w - - 5 20", "Castling rights: none (before: KQk)."),
        ("colours", "4K2R/8/8/8/8/8/8/r3k2r w - - 5 20", "Castling rights: none (before: KQk)."),
        ("start", START, "Halfmove clock: 0 (before: 5)."),
        ("clear", "8/8/8/8/8/8/8/8 w KQk - 5 20", "squares changed"),
    ],
)
def test_an_action_shows_and_says_what_it_touched(
    open_quick: OpenPage, action: str, fen: str, said: str
) -> None:
    page = opened(open_quick, CASTLED)
    do(page, action)
    expect(page.locator("#fen")).to_have_value(fen)
    expect(page.locator("#toast")).to_contain_text(said)
    expect(page.locator("#live")).to_contain_text(said)
    shown = page.locator(".was:visible")
    expect(shown).to_have_count(0 if action == "clear" else 3 if action == "start" else 1)
    page.keyboard.press("Control+z")
    expect(page.locator("#fen")).to_have_value(CASTLED)
    expect(page.locator("#live")).to_contain_text("Undo.")
    expect(shown).to_have_count(0)


def test_the_other_side_is_only_another_view(open_quick: OpenPage) -> None:
    page = opened(open_quick, CASTLED)
    page.locator("[data-action='view']").click()
    expect(page.locator("#live")).to_contain_text("Board, Black at the bottom")
    expect(page.locator("#fen")).to_have_value(CASTLED)


def test_edits_by_key_and_by_mouse_are_said(open_quick: OpenPage) -> None:
    page = opened(open_quick, CASTLED)
    live = page.locator("#live")
    page.locator("#board-grid [tabindex='0']").focus()
    page.keyboard.type("e4")
    page.keyboard.press("Shift+N")
    expect(live).to_contain_text("e4, white knight.")
    page.locator("[data-square='e4']").click(button="right")
    expect(live).to_contain_text("e4, empty.")


def test_problems_are_said_when_they_come_and_go(open_quick: OpenPage) -> None:
    page = opened(open_quick, CASTLED)
    expect(page.locator("#problems-title")).to_have_text("Nothing wrong found")
    page.locator("#board-grid [tabindex='0']").focus()
    page.keyboard.type("e8")
    page.keyboard.press("Delete")
    expect(page.locator("#live")).to_contain_text(re.compile(r"[12] problem"))
    page.keyboard.press("Control+z")
    expect(page.locator("#live")).to_contain_text("Nothing wrong found")


def test_a_cure_keeps_the_keyboards_place_and_says_what_it_did(open_quick: OpenPage) -> None:
    page = opened(open_quick, "4k3/8/8/8/8/8/8/4K2R w KQ - 0 1")
    cure = page.locator("[data-code='castling-impossible'] [data-fix]").first
    cure.focus()
    page.keyboard.press("Enter")
    expect(page.locator("#fen")).to_have_value("4k3/8/8/8/8/8/8/4K2R w K - 0 1")
    expect(page.locator("#toast")).to_contain_text("Castling rights: K (before: KQ).")
    expect(page.locator(".was:visible")).to_have_text(["Before: KQ"])
    expect(page.locator("#problems-title")).to_be_focused()


def test_all_rights_that_could_be_at_one_tap(open_quick: OpenPage) -> None:
    """A picture tells no castling rights; one tap sets all that kings and rooks allow, and no more."""
    page = open_quick()
    give(page, screenshot("r3k2r/8/8/8/8/8/8/4K2R"))
    expect(page.locator("#fen")).to_have_value("r3k2r/8/8/8/8/8/8/4K2R w - - 0 1")
    button = page.get_by_role("button", name="All that could be: Kkq")
    button.click()
    expect(page.locator("#fen")).to_have_value("r3k2r/8/8/8/8/8/8/4K2R w Kkq - 0 1")
    expect(button).to_be_hidden()
    expect(page.locator("[aria-controls='why-castling_rights']")).to_have_text("yours")
    expect(page.get_by_role("checkbox", name="White, king side (K)")).to_be_focused()


@pytest.mark.parametrize("language", ["en", "bn"])
def test_a_problem_leads_to_its_place_in_the_guide_and_back(open_quick: OpenPage, language: str) -> None:
    """The guide opens beside the work; its example loads into the checker there."""
    fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKQNR w KQkq - 0 1"
    page = opened(open_quick, fen)
    page.locator("#language").select_option(language)
    link = page.locator("#problems [data-code='too-many-pieces'] a")
    expect(link).to_have_attribute("href", f"static/guide/{language}.html#mistake-too-many-pieces")
    with page.expect_popup() as popup:
        link.click()
    guide = popup.value
    guide.wait_for_load_state()
    place = guide.locator("article.mistake", has=guide.locator("#mistake-too-many-pieces"))
    assert guide.url.endswith("#mistake-too-many-pieces")
    place.locator("a.example").last.click()
    expect(guide.locator("#fen")).to_have_value(fen)
    expect(guide.locator("html")).to_have_attribute("lang", language)
    expect(guide.locator("#problems [data-code='too-many-pieces']")).to_be_visible()


def pixels(data: bytes) -> Image.Image:
    return Image.open(io.BytesIO(data)).convert("RGB")


def test_diagrams_go_out_as_they_are_shown(open_quick: OpenPage) -> None:
    """PNG and SVG, with and without coordinates, and from Black's side; copied as a picture too."""
    page = opened(open_quick, "k7/8/8/8/8/8/8/8 w - - 0 1")

    def saved(kind: str, *, coordinates: bool) -> bytes:
        if not page.locator("#share").get_attribute("open"):
            page.locator("#share > summary").click()
        box = page.get_by_role("checkbox", name="With coordinates")
        box.set_checked(coordinates)
        with page.expect_download() as download:
            page.locator(f"[data-out='save-{kind}']").click()
        expect(page.locator("#live")).to_contain_text(f"Saved: {download.value.suggested_filename}")
        return Path(download.value.path()).read_bytes()

    bare, lettered = (pixels(saved("png", coordinates=on)) for on in (False, True))
    assert bare.width == bare.height < lettered.width == lettered.height

    def dark_in(image: Image.Image, column: int, row: int) -> int:
        left, top = image.width - bare.width + 1 + 90 * column, 1 + 90 * row
        square = image.crop((left, top, left + 90, top + 90)).convert("L")
        return sum(square.histogram()[:70])

    assert dark_in(bare, 0, 0) > 300 > dark_in(bare, 7, 7)
    text = saved("svg", coordinates=True).decode()
    assert ">a<" in text
    assert ">8<" in text
    assert ">a<" not in saved("svg", coordinates=False).decode()

    page.locator("[data-action='view']").click()
    assert dark_in(pixels(saved("png", coordinates=False)), 7, 7) > 300
    assert '<use href="#bK" x="700" y="700"/>' in saved("svg", coordinates=False).decode()

    page.locator("#share > summary").click()
    page.locator("[data-out='copy-picture']").click()
    expect(page.locator("#toast")).to_have_text("Diagram copied as a picture")
    kinds = page.evaluate("navigator.clipboard.read().then((items) => items.flatMap((item) => item.types))")
    assert kinds == ["image/png"]


def test_links_send_the_fen_alone_and_say_so(open_quick: OpenPage) -> None:
    """Legal positions go to analysis, others to an editor; the side shown at the bottom goes along."""
    page = opened(open_quick, CASTLED)
    expect(page.locator("#problems-title")).to_have_text("Nothing wrong found")
    page.locator("[data-action='view']").click()
    page.locator("#share > summary").click()
    sheet = page.locator("#share-sheet")
    expect(sheet).to_contain_text("Only the FEN goes with them, never the picture.")
    lichess = sheet.get_by_role("link", name="Lichess")
    expect(lichess).to_have_attribute(
        "href", "https://lichess.org/analysis/standard/4k2r/8/8/8/8/8/8/R3K2R_w_KQk_-_5_20?color=black"
    )
    for link in sheet.get_by_role("link").all():
        assert link.get_attribute("rel") == "noopener noreferrer"
        assert link.get_attribute("target") == "_blank"
    page.locator("#fen").fill("8/8/8/8/8/8/8/4K3 w - - 0 1")
    expect(lichess).to_have_attribute("href", re.compile(r"lichess\.org/editor/8/8"))


def test_the_address_keeps_the_position(open_quick: OpenPage) -> None:
    """What stands on the board is in the address after #, which no server sees; reloading has it again."""
    page = opened(open_quick, CASTLED)
    page.get_by_role("radio", name="Black").check()
    page.wait_for_url(re.compile(r"#fen=4k2r/8/8/8/8/8/8/R3K2R_b_KQk_-_5_20$"))
    page.reload()
    expect(page.locator("#fen")).to_have_value("4k2r/8/8/8/8/8/8/R3K2R b KQk - 5 20")
    page.evaluate("location.hash = 'fen=' + encodeURIComponent('4k3/8/8/8/8/8/8/4K3 w - - 0 1')")
    expect(page.locator("#fen")).to_have_value("4k3/8/8/8/8/8/8/4K3 w - - 0 1")


def test_print_has_the_diagram_the_fen_and_who_is_to_move(open_quick: OpenPage) -> None:
    page = opened(open_quick, CASTLED, color_scheme="dark")
    # the dialog itself is the browser's; the page is told before and after
    corner = """() => [...document.querySelector('#board-canvas').getContext('2d')
      .getImageData(document.querySelector('#board-grid').offsetLeft + 4, 8, 1, 1).data].slice(0, 3)"""
    dark = page.evaluate(corner)
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert min(page.evaluate(corner)) > max(dark)
    page.emulate_media(media="print")
    expect(page.locator("#board-canvas")).to_be_visible()
    expect(page.locator("#print-line")).to_be_visible()
    expect(page.locator("#print-line")).to_have_text(f"{CASTLED} · White to move")
    for part in ("#picture-panel", "#position-panel", ".fenbar", "#palette", ".tools"):
        expect(page.locator(part)).to_be_hidden()
    # paper is white, whatever the screen is
    assert page.evaluate("getComputedStyle(document.documentElement).backgroundColor") == "rgb(255, 255, 255)"
    ink = page.evaluate("getComputedStyle(document.getElementById('print-line')).color")
    assert max(int(n) for n in re.findall(r"\d+", ink)[:3]) < 120
    page.emulate_media(media="screen")
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert page.evaluate(corner) == dark


def test_a_reading_waits_with_words_and_can_be_stopped(open_quick: OpenPage) -> None:
    page = open_quick()
    page.evaluate("() => { globalThis.heldRead = new Promise(() => {}); }")
    page.set_input_files(
        "#file", {"name": "a.png", "mimeType": "image/png", "buffer": screenshot(ROOK_ENDING)}
    )
    expect(page.locator("#status-text")).to_have_text("Looking for boards.")
    page.get_by_role("button", name="Stop").click()
    expect(page.locator("#picture-note")).to_contain_text("Reading was stopped.")
    page.evaluate("() => { globalThis.heldRead = undefined; }")
    page.get_by_role("button", name="Find again").click()
    expect(page.locator("#fen")).to_have_value(f"{ROOK_ENDING} w - - 0 1")


def test_by_the_accessibility_tree_alone(open_quick: OpenPage) -> None:
    """From picture to copied FEN by roles and names only, as a screen reader finds them."""
    page = open_quick()
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="Choose a picture").press("Enter")
    chooser.value.set_files({"name": "a.png", "mimeType": "image/png", "buffer": screenshot(ROOK_ENDING)})
    expect(page.get_by_role("status")).to_contain_text("1 board read")
    board = page.get_by_role("grid", name="Board, White at the bottom")
    board.get_by_role("gridcell", name="e4, black rook").focus()
    page.keyboard.press("r")
    expect(page.get_by_role("status")).not_to_contain_text("e4")  # it stands there already
    page.keyboard.press("Delete")
    expect(page.get_by_role("status")).to_contain_text("e4, empty.")
    page.keyboard.press("Shift+Q")
    expect(page.get_by_role("status")).to_contain_text("e4, white queen.")
    position = page.get_by_role("region", name="Position")
    position.get_by_role("radio", name="Black").check()
    position.get_by_role("spinbutton", name="Move number").fill("31")
    expect(position.get_by_role("heading", name="Nothing wrong found")).to_be_visible()
    page.get_by_role("button", name="Copy FEN").press("Enter")
    expect(page.get_by_role("status")).to_contain_text("FEN copied")
    expected = "2r3k1/5ppp/p2p4/1p1Pn3/1P2Q3/P3N2P/2R2PP1/4R1K1 b - - 0 31"
    assert page.evaluate("navigator.clipboard.readText()") == expected


def test_a_persons_work_does_not_go_unasked(open_quick: OpenPage) -> None:
    """A picture with corrections goes at the second press; leaving asks while there is something to lose."""
    page = open_quick()
    leaving = """() => {
      const event = new Event('beforeunload', { cancelable: true });
      window.dispatchEvent(event);
      return event.defaultPrevented;
    }"""
    files = [
        {"name": f"{n}.png", "mimeType": "image/png", "buffer": screenshot(p)} for n, p in enumerate(TWO)
    ]
    page.set_input_files("#file", files)
    rows = page.locator("#queue > li")
    expect(page.locator("#queue > li[data-state='read']")).to_have_count(2)
    assert not page.evaluate(leaving)
    page.locator("#board-grid [data-square='a6']").focus()
    page.keyboard.press("Shift+Q")
    assert not page.evaluate(leaving)  # the address has it
    rows.nth(1).locator(".pick-work").click()
    assert page.evaluate(leaving)
    with page.expect_download():
        page.locator("[data-list='fen']").click()
    assert not page.evaluate(leaving)

    remove = rows.nth(0).locator("button").nth(1)
    remove.click()
    expect(page.locator("#toast")).to_contain_text("0.png holds corrections of yours")
    expect(rows).to_have_count(2)
    remove.click()
    expect(rows).to_have_count(1)


def test_a_text_that_is_no_fen_is_said_beside_the_field(open_quick: OpenPage) -> None:
    page = open_quick()
    expect(page.locator("#fen-state")).to_be_hidden()
    page.locator("#fen").fill("no chess at all")
    expect(page.locator("#fen-state")).to_be_visible()
    expect(page.locator("#fen-state")).to_contain_text("last position that could be read")


def test_what_is_copied_is_a_fen_or_is_said_to_be_none(open_quick: OpenPage) -> None:
    """What Python can read is copied well written; a toast lies off the bars and panels below."""
    page = open_quick(viewport={"width": 360, "height": 800})
    toast = page.locator("#toast")
    page.locator("#fen").fill("4k3/8/8/8/8/8/8/4K3  w  -  -  0  1")
    expect(page.locator("#fen")).to_have_attribute("aria-invalid", "false")
    expect(page.locator("#problems")).to_have_attribute("data-state", re.compile("sound|fault"))
    do(page, "copy")
    expect(toast).to_have_text("FEN copied")
    assert page.evaluate("navigator.clipboard.readText()") == "4k3/8/8/8/8/8/8/4K3 w - - 0 1"
    box = toast.bounding_box()
    assert box is not None
    assert box["y"] + box["height"] < 120
    page.locator("#fen").fill("no chess at all")
    expect(page.locator("#fen")).to_have_attribute("aria-invalid", "true")
    do(page, "copy")
    expect(toast).to_contain_text("this is not a FEN yet")


def test_of_too_many_men_the_least_surely_read_is_named(open_quick: OpenPage) -> None:
    page = open_quick()
    give(page, screenshot(ROOK_ENDING))
    for square in ("c3", "c4", "e6"):
        page.locator(f"#board-grid [data-square='{square}']").focus()
        page.keyboard.press("Shift+P")
    expect(page.locator("[data-code='too-many-pawns'] .at")).to_contain_text("Least surely read: ")


@pytest.mark.parametrize("answers", [True, False])
def test_a_pdf_is_neither_asked_about_nor_waited_for_without_end(open_quick: OpenPage, answers: bool) -> None:
    """Escape takes the question about its pages away; a file that holds the worker is damaged."""
    page = open_quick()
    page.set_default_timeout(8000)
    page.evaluate(
        """(answers) => {
          window.Worker = class extends EventTarget {
            constructor() { super(); setTimeout(() => this.say({ pdf: 'ready' })); }
            say(data) { this.dispatchEvent(new MessageEvent('message', { data })); }
            postMessage({ id }) { if (answers) this.say({ pdf: 'answer', id, pages: 12 }); }
            terminate() {}
          };
        }""",
        answers,
    )
    page.clock.install()
    book = {"name": "book.pdf", "mimeType": "application/pdf", "buffer": b"%PDF-1.7 more"}
    page.set_input_files("#file", [book])
    if answers:
        page.locator("#pages").press("Escape")
        expect(page.locator("#pages-form")).to_be_hidden()
        expect(page.locator("#add-picture")).to_be_hidden()
        expect(page.locator("[data-action='open']")).to_be_focused()
        return
    note = page.locator("#picture-note")
    expect(note).not_to_contain_text("damaged")
    page.wait_for_timeout(1500)  # until the worker has been asked
    page.clock.run_for(200_000)
    expect(note).to_contain_text("damaged")
