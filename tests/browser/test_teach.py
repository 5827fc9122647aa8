"""Teaching on the page: a corrected board makes the next of its print read right, without a network too."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from draw import THEMES, board
from PIL import Image
from playwright.sync_api import Browser, BrowserContext, Page, expect

from fen_core.fen import make_placement

from packages import npm_package  # isort: skip - from .ci, put on the path by conftest

FIRST = "r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQ1RK1"
SECOND = "2rq1rk1/pb1n1ppN/4p3/1pb5/3P1Pn1/P1N5/1PQ1B1PP/R1B2RK1"
SLOW_MS = 120_000
PREFIX = "/some/project"


def lying(placement: str) -> bytes:
    """Draw a board, to its edges, whose men lie on their side as no print has them."""
    pixels = board(placement, square_px=44, theme=THEMES["blue"], style="shapes").pixels.copy()
    for row in range(8):
        for column in range(8):
            part = pixels[row * 44 : row * 44 + 44, column * 44 : column * 44 + 44]
            part[:] = np.rot90(part)
    out = io.BytesIO()
    Image.fromarray(pixels).save(out, "PNG")
    return out.getvalue()


def drop(page: Page, name: str, data: bytes) -> None:
    page.locator("#file").set_input_files([{"name": name, "mimeType": "image/png", "buffer": data}])


def axe(page: Page) -> list[str]:
    page.evaluate((npm_package("axe-core") / "axe.min.js").read_text("utf-8") + "; 0")
    found = page.evaluate("axe.run(document, { resultTypes: ['violations'] })")
    return [f"{v['id']}: {node['html'][:120]}" for v in found["violations"] for node in v["nodes"]]


@pytest.fixture
def kept_context(browser: Browser, server: str, guard) -> Iterator[BrowserContext]:  # type: ignore[no-untyped-def]
    """A profile with the service worker."""
    opened = browser.new_context(locale="en-GB", accept_downloads=True)
    opened.set_default_timeout(SLOW_MS)
    guard.watch(opened, server.split(PREFIX)[0])
    yield opened
    opened.close()
    assert not guard.left()


def read_and_correct(page: Page) -> None:
    """Read the first picture, which is not even taken for a board, and set its position right."""
    drop(page, "first.png", lying(FIRST))
    expect(page.locator("#status-text")).to_contain_text("No board found", timeout=SLOW_MS)
    page.get_by_role("button", name="Whole picture").click()
    expect(page.locator("#status-text")).to_contain_text("1 board read", timeout=SLOW_MS)
    page.locator("#fen").fill(f"{FIRST} w - - 0 1")
    page.locator("#fen").press("Enter")


def test_teach_then_the_next_reads_right_and_works_offline(kept_context: BrowserContext, server: str) -> None:
    page = kept_context.new_page()
    page.goto(server)
    page.locator("html[data-state='usable']").wait_for()
    asked: list[str] = []
    kept_context.on("request", lambda request: asked.append(request.url))
    read_and_correct(page)
    page.locator("#teach > summary").click()
    expect(page.locator("#teach")).to_contain_text(re.compile(r"scikit-learn once: 1\d\.\d MB"))
    assert not [url for url in asked if "scikit" in url]  # nothing is fetched before it is asked for
    page.locator("#teach-name").fill("lying men")
    # a download that does not end can be stopped, and begun again
    kept_context.route("**/*scikit*", lambda route: None)
    page.locator("#teach-learn").click()
    page.locator("#teach-stop").click()
    expect(page.locator("#teach-state")).to_have_text("Stopped: nothing was learnt.")
    expect(page.locator("#teach-stop")).to_be_hidden()
    kept_context.unroute("**/*scikit*")
    page.locator("#teach-learn").click()
    expect(page.locator("#teach-state")).to_contain_text("“lying men” has learnt 1 board", timeout=SLOW_MS)
    assert [url for url in asked if "scikit" in url]
    assert axe(page) == []

    # the next board of the print, with the profile in use
    drop(page, "second.png", lying(SECOND))
    expect(page.locator("#fen")).to_have_value(re.compile(f"^{SECOND} "), timeout=SLOW_MS)
    expect(page.locator("#teach-note")).to_have_text("Read with your profile “lying men”.")

    # renamed, exported, kept
    page.locator("[data-do='rename']").click()
    page.keyboard.type("tipped over")
    page.keyboard.press("Enter")
    expect(page.locator("#profiles .name")).to_have_text("tipped over", timeout=SLOW_MS)
    expect(page.locator("[data-do='rename']")).to_be_focused()
    with page.expect_download() as waiting:
        page.locator("[data-do='export']").click()
    assert waiting.value.suggested_filename == "tipped over.json"
    exported = json.loads(Path(waiting.value.path()).read_text("utf-8"))
    assert exported["name"] == "tipped over"
    assert make_placement(exported["boards"][0]["board"]) == FIRST
    assert (
        page.evaluate("indexedDB.databases().then((all) => all.some((d) => d.name.includes('profiles')))")
        is False
    )
    page.locator("#keep-profiles").check()
    expect(page.locator("#teach-state")).to_have_text(
        "The profiles are kept on this device.", timeout=SLOW_MS
    )

    # without a network, after a reload: suggested, never used unasked; learning works too
    page.locator("html[data-offline='kept']").wait_for(timeout=SLOW_MS)
    page.wait_for_function(
        """async () => {
          const cache = await caches.open((await caches.keys()).find((k) => k.startsWith('image-to-fen')));
          return (await cache.keys()).some(({ url }) => url.includes('scipy'));
        }""",
        timeout=SLOW_MS,
    )
    kept_context.set_offline(True)
    page.reload()
    page.locator("html[data-state='usable']").wait_for()
    drop(page, "second.png", lying(SECOND))
    note = page.locator("#teach-note")
    expect(note).to_contain_text("This looks like your profile “tipped over”.", timeout=SLOW_MS)
    assert not page.locator("#fen").input_value().startswith(SECOND)
    page.locator("#teach-use").click()
    expect(page.locator("#fen")).to_have_value(re.compile(f"^{SECOND} "), timeout=SLOW_MS)
    expect(note).to_have_text("Read with your profile “tipped over”.")
    page.locator("#teach > summary").click()
    page.locator("#teach-learn").click()
    expect(page.locator("#teach-state")).to_contain_text("“tipped over” has learnt 2 boards", timeout=SLOW_MS)

    # gone for good, from the device too
    page.locator("[data-do='delete']").click()
    page.locator("[data-do='delete']").click()
    expect(page.locator("#profiles > li")).to_have_count(0)
    page.locator("#keep-profiles").uncheck()
    expect(page.locator("#teach-state")).to_have_text(
        "The profiles are no longer kept on this device.", timeout=SLOW_MS
    )
    assert (
        page.evaluate("indexedDB.databases().then((all) => all.some((d) => d.name.includes('profiles')))")
        is False
    )


def test_hostile_imports_are_refused_with_words(page: Page, server: str) -> None:
    page.goto(server)
    page.locator("#teach > summary").click()
    state = page.locator("#teach-state")
    expect(page.locator("#profile-import")).to_be_enabled(timeout=SLOW_MS)
    good = {"format": "image-to-fen profile", "version": 1, "name": "x", "network": "0" * 64, "boards": [{}]}
    for data, said in (
        (b"PK\x03\x04 not a profile", "no profile"),
        (json.dumps(good).encode(), "damaged"),
        (json.dumps({**good, "version": 9}).encode(), "another version (9)"),
        (b" " * 3_100_000, "too large"),
    ):
        page.locator("#profile-file").set_input_files(
            [{"name": "p.json", "mimeType": "application/json", "buffer": data}]
        )
        expect(state).to_contain_text(said, timeout=SLOW_MS)
        expect(state).to_have_attribute("data-kind", "fault")
    expect(page.locator("#profiles > li")).to_have_count(0)
