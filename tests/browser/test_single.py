"""The single file: opened from a folder, without any server, it reads a picture and lets nothing out."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from escape import HINTS, PAGE, WORKER, listening
from playwright.sync_api import Browser, Page, expect

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = ROOT / "static" / "examples" / "screen.png"


@pytest.fixture(scope="module")
def single(tmp_path_factory: pytest.TempPathFactory) -> Path:
    from single import make_single

    return make_single(target=tmp_path_factory.mktemp("single") / "image-to-fen.html")


@pytest.fixture
def opened(browser: Browser, guard: Any, single: Path) -> Iterator[Page]:
    context = browser.new_context(locale="en-GB")
    guard.watch(context, "file://")
    page = context.new_page()
    page.goto(single.as_uri())
    yield page
    context.close()
    assert not guard.left()


def test_reads_a_picture_without_a_server(opened: Page, single: Path) -> None:
    from sizes import LARGEST_SINGLE

    assert single.stat().st_size <= LARGEST_SINGLE
    start = opened.locator("#fen").input_value()
    opened.locator("#file").set_input_files(EXAMPLE)
    expect(opened.locator("#fen")).not_to_have_value(start, timeout=60_000)
    assert opened.locator("#fen").input_value().count("/") == 7


def test_speaks_another_language_and_shows_the_guide(opened: Page) -> None:
    opened.locator("#language").select_option("el")
    expect(opened.locator("html")).to_have_attribute("lang", "el")
    with opened.context.expect_page() as guide:
        opened.locator("#guide").click()
    expect(guide.value.locator("html")).to_have_attribute("lang", "el")
    expect(guide.value.locator("h1").first).to_be_visible()


def test_nothing_leaves_page_or_worker(opened: Page, guard: Any) -> None:
    guard.allow("Content Security Policy|policy: |request off the origin: http://127|violates|Failed|Refused")
    with listening() as (address, came):
        assert len(opened.evaluate(PAGE, address)) > 20
        opened.evaluate(HINTS, address)
        worker = opened.workers[0] if opened.workers else opened.wait_for_event("worker")
        ended = worker.evaluate(WORKER, address)
        assert re.search("Error", ended["worker-fetch"])
        assert came == []
