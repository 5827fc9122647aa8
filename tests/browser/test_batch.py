"""Many pictures and PDF files: the list, going through it, what is kept, and what it holds in memory."""

from __future__ import annotations

import io
import json
import random
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from draw import THEMES, board, framed, on_page
from draw.diagram import random_placement
from PIL import Image
from playwright.sync_api import Browser, Page, expect

SLOW_MS = 300_000
PLACEMENTS = (
    "2r3k1/5ppp/p2p4/1p1Pn3/1P2r3/P3N2P/2R2PP1/4R1K1",
    "r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQ1RK1",
    "8/5pk1/6p1/8/3R4/1P4P1/r4P2/6K1",
)


def diagram(number: int) -> Any:
    return framed(board(PLACEMENTS[number % 3], 36, THEMES["blue"]), "line")


def png(image: Any) -> bytes:
    file = io.BytesIO()
    image.save(file, "PNG")
    return file.getvalue()


def pdf(pages: list[Image.Image]) -> bytes:
    """Return a PDF file with a picture on each page."""
    file = io.BytesIO()
    pages[0].save(file, "PDF", save_all=True, append_images=pages[1:], resolution=72)
    return file.getvalue()


def file(name: str, data: bytes) -> dict[str, Any]:
    kind = "application/pdf" if name.endswith("pdf") else "image/png"
    return {"name": name, "mimeType": kind, "buffer": data}


def book(pages: int) -> bytes:
    """Draw a book: a diagram on every page, page numbers apart."""
    sheets = []
    for number in range(pages):
        sheet = Image.new("RGB", (420, 595), "white")
        sheet.paste(diagram(number).image.resize((300, 300)), (60, 80 + number % 40))
        sheets.append(sheet)
    return pdf(sheets)


@pytest.fixture
def usable(page: Page, server: str) -> Iterator[Page]:
    page.set_default_timeout(SLOW_MS)
    expect.set_options(timeout=60_000)
    page.goto(server)
    page.locator("html[data-state='usable']").wait_for()
    yield page
    expect.set_options(timeout=5_000)


def rows(page: Page, state: str) -> Any:
    return page.locator(f"#queue > li[data-state='{state}']")


def saved(page: Page, form: str) -> str:
    with page.expect_download() as download:
        page.locator(f"[data-list='{form}']").click()
    return Path(download.value.path()).read_text("utf-8")


def test_pages_of_a_pdf_are_chosen_read_and_gone_through(usable: Page, server: str) -> None:
    """Nothing of pdf.js before the first PDF; pages by choice; accept by keys; all out as PGN."""
    page = usable
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.wait_for_timeout(300)
    assert not [url for url in asked if "pdf" in url]
    page.set_input_files("#file", [file("book.pdf", book(12))])
    expect(page.locator("#pages-form")).to_contain_text("book.pdf has 12 pages.", timeout=SLOW_MS)
    assert [url for url in asked if "pdf.worker.min.mjs" in url]
    page.fill("#pages", "40")
    page.locator("#pages-form button[type='submit']").click()
    expect(page.locator("#pages-fault")).to_contain_text("from 1 to 12")
    page.fill("#pages", "2-3, 12")
    page.keyboard.press("Enter")
    expect(page.locator("#queue > li")).to_have_count(3)
    expect(rows(page, "read")).to_have_count(3, timeout=SLOW_MS)
    expect(page.locator("#queue .file").nth(2)).to_have_text("book.pdf, page 12")
    expect(page.locator("#queue > li").nth(2)).to_contain_text("1 board read")
    # drawn again when it is looked at
    page.locator("#queue .pick-work").nth(1).click()
    expect(page.locator("#fen")).to_have_value(re.compile(f"^{re.escape(PLACEMENTS[2])} "))
    page.locator("#viewer #view").wait_for()
    page.locator("#board-grid [tabindex='0']").focus()
    for _ in range(3):
        page.keyboard.press("y")
    expect(page.locator("#queue > li[data-accepted]")).to_have_count(3)
    games = saved(page, "pgn")
    assert games.count('[SetUp "1"]') == 3
    assert '[Event "book.pdf, page 12"]' in games
    assert [row["page"] for row in json.loads(saved(page, "json"))] == [2, 3, 12]


def test_faults_and_repeats_among_many(usable: Page) -> None:
    """Faults are told at once, the same file is taken once, repeats are noticed."""
    page = usable
    drawn = [png(diagram(n).image) for n in range(3)]
    # each a file of its own: one pixel differs
    pictures = []
    for number in range(10):
        picture = diagram(number).image.copy()
        picture.putpixel((0, 0), (number, 200, 0))
        pictures.append(file(f"{number:02}.png", png(picture)))
    wrong = [
        file("words.png", b"these are only words"),
        file("empty.png", b""),
        file("bad.pdf", b"%PDF-1.7 nothing"),
    ]
    page.set_input_files(
        "#file",
        [*pictures[:5], *wrong, *pictures[5:], file("twice.png", drawn[0]), file("again.png", drawn[0])],
    )
    expect(page.locator("#toast")).to_contain_text("again.png is in the list already, row ")
    expect(page.locator("#queue > li")).to_have_count(14)
    # told before the last picture is read
    expect(rows(page, "failed")).to_have_count(3, timeout=SLOW_MS)
    page.locator("#queue .pick-work").nth(5).click()
    expect(page.locator("#picture-note")).to_contain_text("no picture that can be read")
    expect(page.locator("#picture-tools")).to_be_hidden()
    expect(page.locator("#view")).to_be_hidden()
    expect(rows(page, "read")).to_have_count(11, timeout=SLOW_MS)
    expect(page.locator("#queue > li").nth(13)).to_contain_text("same position as 00.png")
    # the one on show is in sight in the list
    page.locator("[data-action='previous-diagram']").click()
    within = """() => {
      const [list, row] = ['#queue', "#queue [aria-pressed='true']"]
        .map((place) => document.querySelector(place).getBoundingClientRect());
      return row.top >= list.top && row.bottom <= list.bottom + 1;
    }"""
    page.wait_for_function(within)
    page.locator("[data-action='order-doubt']").click()
    first = page.locator("#queue > li").first
    expect(first).to_have_attribute("data-state", "failed")
    first.locator("button").nth(1).click()
    expect(page.locator("#queue > li[data-state='failed']")).to_have_count(2)
    page.locator("#accept-plain").click()
    expect(page.locator("#toast")).to_contain_text("diagrams accepted")


def test_sixty_pictures_one_broken_go_on_after_a_reload(open_quick: Callable[..., Page]) -> None:
    """Half-way the page is loaded anew: what was read is there, the rest is read, the broken one says so."""
    page = open_quick()
    rng = random.Random(60)
    placements = [random_placement(rng, 8, 24) for _ in range(59)]
    pictures = [
        file(f"{number:02}.png", png(board(placement, 32, THEMES["blue"], style="shapes").image))
        for number, placement in enumerate(placements)
    ]
    page.set_input_files(
        "#file", [*pictures[:30], file("broken.png", pictures[0]["buffer"][:200]), *pictures[30:]]
    )
    page.locator("#keep-list").check()
    page.wait_for_function("document.querySelectorAll(\"#queue > li[data-state='read']\").length >= 12")
    page.wait_for_timeout(1500)  # the list is stored a moment after it has changed
    page.reload()
    page.locator("html[data-state='usable']").wait_for()
    expect(rows(page, "read")).to_have_count(59, timeout=60_000)
    expect(page.locator("#queue > li").nth(30)).to_have_attribute("data-state", "failed")
    found = [fen.split()[0] for fen in saved(page, "fen").splitlines()]
    assert len(found) == 59
    # random men may be taken the other way up; here it is their order that counts
    assert sum(a == b for a, b in zip(found, placements, strict=True)) >= 45
    listed = json.loads(saved(page, "json"))
    assert [(row["file"], row["diagram"]) for row in listed if row["error"]] == [("broken.png", None)]
    page.locator("#keep-list").uncheck()


def test_stop_and_go_on(usable: Page) -> None:
    """Stop ends the whole list, not one picture; going on reads what is left; a picture being read can go."""
    page = usable
    page.locator("#status[data-state='idle']").wait_for(timeout=SLOW_MS)
    page.set_input_files("#file", [file("book.pdf", book(8))])
    expect(rows(page, "read").first).to_be_visible(timeout=SLOW_MS)
    page.locator("[data-action='cancel']").click()
    expect(rows(page, "queued")).to_have_count(0)
    left = rows(page, "stopped").count()
    assert left >= 1
    page.locator("[data-action='read-on']").click()
    # at the moment in which one is being read: a click from outside would mostly come too late
    page.wait_for_function(
        """() => {
          const row = document.querySelector("#queue > li[data-state='reading']");
          row?.querySelectorAll('button')[1].click();
          return row;
        }"""
    )
    expect(page.locator("#queue > li")).to_have_count(7)
    expect(rows(page, "read")).to_have_count(7, timeout=SLOW_MS)


def test_a_list_is_kept_only_when_asked_for(usable: Page, server: str) -> None:
    """Nothing is stored before; kept, the list is there after a reload and goes on; deleted, it is gone."""
    page = usable
    databases = "indexedDB.databases().then((all) => all.map((one) => one.name).join())"
    page.set_input_files("#file", [file("a.png", png(diagram(0).image)), file("b.pdf", book(2))])
    expect(rows(page, "read")).to_have_count(3, timeout=SLOW_MS)
    assert "image-to-fen list" not in page.evaluate(databases)
    page.locator("#keep-list").check()
    expect(page.locator("#keep-note")).to_contain_text("stored in this browser")
    page.locator("#board-grid [tabindex='0']").focus()
    page.keyboard.type("h4")
    page.keyboard.press("Shift+Q")
    expect(page.locator("#fen")).to_have_value(re.compile("/1P2r2Q/"))
    changed = page.locator("#fen").input_value()
    page.keyboard.press("y")
    page.locator("#queue > li[data-accepted]").first.wait_for()
    page.wait_for_timeout(1500)
    page.reload()
    page.locator("html[data-state='usable']").wait_for()
    expect(page.locator("#queue > li")).to_have_count(3)
    expect(page.locator("#queue > li[data-accepted]")).to_have_count(1)
    # the address carries the position on show: it is the list's own again, and a correction of it stays
    expect(page.locator("#queue .pick-work[aria-pressed='true']")).to_have_count(1)
    page.locator("#queue .pick-work").first.click()
    expect(page.locator("#fen")).to_have_value(changed)
    expect(page.locator("#queue .thumb[src]")).to_have_count(3, timeout=SLOW_MS)
    assert "image-to-fen list" in page.evaluate(databases)
    # no room for a change: it is said, what was kept stays, and the next change tries again
    page.evaluate(
        """() => {
          window.put = IDBObjectStore.prototype.put;
          IDBObjectStore.prototype.put = () => { throw new DOMException('full', 'QuotaExceededError'); };
        }"""
    )
    page.locator("#board-grid [data-square='a8']").focus()
    page.keyboard.press("Shift+N")
    expect(page.locator("#keep-note")).to_contain_text("no room for the last changes")
    expect(page.locator("#keep-list")).to_be_checked()
    assert "image-to-fen list" in page.evaluate(databases)
    page.evaluate("() => { IDBObjectStore.prototype.put = window.put; }")
    page.keyboard.press("Control+z")
    expect(page.locator("#keep-note")).to_contain_text("stored in this browser")
    # another window that has the list too lets go of it
    second = page.context.new_page()
    second.goto(server)
    expect(second.locator("#queue > li")).to_have_count(3)
    page.locator("#keep-list").uncheck()
    expect(page.locator("#toast")).to_contain_text("Deleted from this device")
    expect(second.locator("#keep-list")).not_to_be_checked()
    second.close()
    assert "image-to-fen list" not in page.evaluate(databases)
    page.reload()
    page.locator("html[data-state='usable']").wait_for()
    expect(page.locator("#queue")).to_be_hidden()


def test_boards_of_a_page_come_one_by_one(usable: Page) -> None:
    """A page of six diagrams shows the first while the others are still being read."""
    page = usable
    sheet = on_page([diagram(n) for n in range(6)], width=900, rng=random.Random(5), columns=2)
    page.locator("#status[data-state='idle']").wait_for(timeout=SLOW_MS)
    page.evaluate(
        """() => {
          window.seen = [];
          new MutationObserver(() => {
            const state = document.querySelector('#status').dataset.state;
            window.seen.push([document.querySelectorAll('#boards option').length, state]);
          }).observe(document.querySelector('#boards'), { childList: true });
        }"""
    )
    page.set_input_files("#file", [file("page.png", png(sheet.image))])
    expect(page.locator("#boards option")).to_have_count(6, timeout=SLOW_MS)
    expect(page.locator("#status[data-state='idle']")).to_be_visible(timeout=SLOW_MS)
    seen = page.evaluate("window.seen")
    assert len({count for count, _ in seen}) >= 3, seen
    fens = saved(page, "fen").splitlines()
    # a page in columns is read column by column
    assert [fen.split()[0] for fen in fens] == [PLACEMENTS[n % 3] for n in (0, 2, 4, 1, 3, 5)]


def held_by(browser: Browser) -> tuple[int, int]:
    """Return the bytes that the processes of pages hold (Linux): their own, and with those they share."""
    session = browser.new_browser_cdp_session()
    found = session.send("SystemInfo.getProcessInfo")["processInfo"]
    session.detach()
    pages = [Path(f"/proc/{one['id']}/statm") for one in found if one["type"] == "renderer"]
    sizes = [[int(n) * 4096 for n in path.read_text().split()] for path in pages if path.exists()]
    return sum(size[1] - size[2] for size in sizes), sum(size[1] for size in sizes)


@pytest.mark.long
@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="memory is read from /proc")
def test_page_200_needs_no_more_memory_than_page_100(usable: Page, browser: Browser) -> None:
    """What is held grows by the list's own lines, not by the pages that were drawn and read."""
    page = usable
    last = 200
    page.set_input_files("#file", [file("book.pdf", book(last))])
    page.locator("#pages-form button[type='submit']").click()
    expect(page.locator("#queue > li")).to_have_count(last)
    held: dict[int, tuple[int, int]] = {}
    for number in sorted({last // 10, last // 2, last}):
        seen = []
        # Garbage comes and goes, the workers' too: what is held is the least that some pages show.
        for page_number in range(number - 9, number + 1):
            page.wait_for_function(
                "n => document.querySelectorAll(\"#queue > li[data-state='read']\").length >= n",
                arg=page_number,
                timeout=SLOW_MS * 20,
            )
            seen.append(held_by(browser))
        held[number] = min(own for own, _ in seen), min(whole for _, whole in seen)
        print(
            f"page {number}: {held[number][0] / 1e6:.0f} MB, {held[number][1] / 1e6:.0f} with what is shared"
        )
    # The heaps of JavaScript and WebAssembly find their size; then only the list's own lines add. What is
    # shared holds pictures that the browser may drop at need; a drawn page that is kept would add 14 MB.
    more = [
        (now - before) / (last - last // 2) for now, before in zip(held[last], held[last // 2], strict=True)
    ]
    assert more[0] < 0.4e6, held
    assert more[1] < 3e6, held
    assert held[last][0] < 1.25 * held[last // 10][0], held
