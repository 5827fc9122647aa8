"""The page when things go wrong: it says what, in words, and what still works does.

A worker that dies while it reads, a part of the runtime that is missing or altered, a browser that lacks what
the page needs, no JavaScript, a folder instead of a server.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

ROOT = Path(__file__).resolve().parents[2]
PHOTO = ROOT / "static" / "examples" / "photo.jpg"
LANGUAGES = ("en", "el", "vi", "gu", "pt-BR", "bn")
KING = "4k3/8/8/8/8/8/8/4K3 w - - 0 1"
SLOW_MS = 150_000
# Neither the start position nor the empty board, which stands while a picture waits: something was read.
READ = re.compile(r"^(?!rnbqkbnr/pppppppp/8/8/)(?!8/8/8/8/8/8/8/8).+/")
# Put before the engine in the worker: it ends in the midst of its first reading.
DIES_READING = """
import engine as _engine, js as _js
_post = _engine._post
def _die(**message):
    _post(**message)
    if message["engine"] == "progress" and message["share"] > 0:
        _js.close()
_engine._post = _die
"""
# The same by a fatal error of Python itself, as when memory cannot be had: the worker lives, Python does not.
FAILS_READING = DIES_READING.replace("_js.close()", "__import__('pyodide_js')._api.fatal_error('no memory')")


@pytest.fixture
def page(context: BrowserContext) -> Page:
    opened = context.new_page()
    opened.set_default_timeout(SLOW_MS)
    return opened


def works_without_python(page: Page) -> None:
    """The board and the field follow each other."""
    page.fill("#fen", KING)
    expect(page.locator("[data-square='e8']")).to_have_attribute("data-piece", "k")
    expect(page.locator("[data-square='a8']")).to_have_attribute("data-piece", ".")


@pytest.mark.parametrize("end", [DIES_READING, FAILS_READING], ids=["closed", "fatal"])
def test_picture_is_read_again_when_python_dies(page: Page, server: str, guard: Any, end: str) -> None:
    """The worker dies while it reads: that is said, another is started, and the reading comes."""
    guard.allow("fatal|no memory|Pyodide|traceback|Stack|Traceback|Current thread|^console: *$")
    engine = (ROOT / "static" / "engine" / "worker.py").read_text("utf-8")
    lives: list[str] = []

    def worker(route: Any) -> None:
        lives.append("begun")
        route.fulfill(
            body=engine.replace("import engine\n", f"import engine\n{end if len(lives) == 1 else ''}")
        )

    page.route("**/static/engine/worker.py", worker)
    page.add_init_script(
        """addEventListener('DOMContentLoaded', () => {
          window.said = new Set();
          const note = () => window.said.add(document.querySelector('#status-text').textContent);
          const what = { childList: true, subtree: true };
          new MutationObserver(note).observe(document.querySelector('#status'), what);
        });"""
    )
    page.goto(server)
    page.locator("html[data-state='usable']").wait_for()
    page.set_input_files("#file", PHOTO)
    expect(page.locator("#fen")).to_have_value(READ, timeout=SLOW_MS)
    assert len(lives) == 2
    said = page.evaluate("[...window.said]")
    assert [text for text in said if "Python has stopped" in text and "started again" in text], said
    expect(page.locator("#status-text")).to_contain_text("1 board read")
    works_without_python(page)


def test_picture_that_ends_python_each_time_is_given_up_and_the_next_is_read(
    page: Page, server: str, guard: Any
) -> None:
    engine = (ROOT / "static" / "engine" / "worker.py").read_text("utf-8")
    lives: list[str] = []

    def worker(route: Any) -> None:
        lives.append("begun")
        dies = DIES_READING if len(lives) <= 2 else ""
        route.fulfill(body=engine.replace("import engine\n", f"import engine\n{dies}"))

    page.route("**/static/engine/worker.py", worker)
    page.goto(server)
    page.locator("html[data-state='usable']").wait_for()
    page.set_input_files("#file", PHOTO)
    expect(page.locator("#picture-note")).to_contain_text("Python has stopped", timeout=SLOW_MS)
    page.set_input_files("#file", ROOT / "static" / "examples" / "screen.png")
    page.locator("#queue li").nth(1).locator("button").first.click()
    expect(page.locator("#fen")).to_have_value(READ, timeout=SLOW_MS)
    assert len(lives) == 3


@pytest.mark.parametrize(
    ("spoilt", "says"),
    [
        (("missing", "runtime/*/numpy*.whl"), "could not be loaded"),
        (("altered", "runtime/engine-*.zip"), "is not what it should be"),
    ],
    indirect=["spoilt"],
    ids=["missing", "altered"],
)
def test_spoilt_part_is_named_on_the_page(
    page: Page, server: str, guard: Any, spoilt: str, says: str
) -> None:
    guard.allow("404|integrity|digest|Failed|wasm|Load|Error|error|zip")
    page.goto(server)
    words = page.locator("#status[data-state='fault'] #status-text")
    expect(words).to_contain_text(says, timeout=SLOW_MS)
    expect(words).to_contain_text(spoilt)
    expect(words).to_contain_text("The board and the FEN field work all the same.")
    expect(page.get_by_role("button", name="Try again")).to_be_visible()
    works_without_python(page)


@pytest.mark.parametrize(
    ("lacks", "says"),
    [
        ("delete globalThis.WebAssembly", "does not run WebAssembly"),
        ("delete globalThis.Worker", "Python could not be started"),
    ],
)
def test_browser_without_what_python_needs(
    page: Page, server: str, guard: Any, lacks: str, says: str
) -> None:
    guard.allow("Worker|WebAssembly|ERR_ABORTED|Failed to load")
    page.add_init_script(lacks)
    page.goto(server)
    expect(page.locator("#status[data-state='fault'] #status-text")).to_contain_text(says, timeout=SLOW_MS)
    works_without_python(page)


@pytest.mark.parametrize("code", LANGUAGES)
def test_without_javascript_the_page_says_what_it_needs(browser: Browser, server: str, code: str) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(server)
    expect(page.locator(f"p.notice[lang='{code}']")).to_be_visible()
    expect(page.locator(f"p.notice[lang='{code}']")).to_contain_text("JavaScript")
    page.locator("#guide").click()
    expect(page.locator("h1").first).to_be_visible()
    context.close()


def not_started(page: Page, reason: str) -> None:
    note = page.locator(f"#not-started[data-reason='{reason}']")
    expect(note).to_be_visible(timeout=SLOW_MS)
    expect(note).not_to_be_empty()


def test_part_of_the_page_that_is_missing_is_said(page: Page, server: str, guard: Any) -> None:
    guard.allow("ERR_FAILED|Failed")
    page.route("**/static/app/board-view.js", lambda route: route.abort())
    page.goto(f"{server}?lang=gu")
    not_started(page, "files")
    expect(page.locator("#not-started")).to_have_attribute("lang", "gu")
    expect(page.locator("#guide")).to_have_attribute("href", "static/guide/gu.html")


@pytest.mark.parametrize("lacks", ["delete Object.hasOwn", "delete HTMLScriptElement.prototype.noModule"])
def test_browser_that_is_too_old_is_said(page: Page, server: str, guard: Any, lacks: str) -> None:
    """It takes no modules, or it cannot read one: both are simulated, the one by a module it cannot read."""
    guard.allow("SyntaxError|Unexpected identifier")
    page.add_init_script(lacks)
    page.route(
        "**/static/app/main.js",
        lambda route: route.fulfill(body="newer than this browser: {", content_type="text/javascript"),
    )
    page.goto(server)
    not_started(page, "old")


def test_folder_instead_of_a_server_is_explained(browser: Browser, site: Path) -> None:
    context = browser.new_context(locale="pt-BR")
    page = context.new_page()
    page.goto((site / "index.html").as_uri())
    not_started(page, "file")
    expect(page.locator("#not-started")).to_contain_text("build.py serve")
    expect(page.locator("#not-started")).to_have_attribute("lang", "pt-BR")
    expect(page.locator("#guide")).to_have_attribute("href", "static/guide/pt-BR.html")
    context.close()


def test_browser_without_canvases_off_the_page_reads_and_exports(page: Page, server: str) -> None:
    page.add_init_script("delete globalThis.OffscreenCanvas")
    page.goto(server)
    page.locator("html[data-state='usable']").wait_for()
    page.set_input_files("#file", ROOT / "static" / "examples" / "screen.png")
    expect(page.locator("#fen")).to_have_value(READ, timeout=SLOW_MS)
    page.locator("#share > summary").click()
    with page.expect_download() as saved:
        page.locator("[data-out='save-png']").click()
    assert Path(saved.value.path()).read_bytes().startswith(b"\x89PNG")


def test_exports_hold_nothing_of_the_pictures_own(page: Page, server: str, tmp_path: Path) -> None:
    """Where, when and with what a photo was taken stays in the photo."""
    from PIL import Image

    picture = Image.open(PHOTO)
    exif = Image.Exif()
    exif[0x010E] = "SECRET-DESCRIPTION"
    exif[0x8298] = "SECRET-OWNER"
    exif.get_ifd(0x8825)[29] = "SECRET-DATE"
    marked = tmp_path / "marked.jpg"
    picture.save(marked, exif=exif, comment=b"SECRET-COMMENT")
    assert marked.read_bytes().count(b"SECRET") == 4

    page.goto(server)
    page.locator("html[data-state='usable']").wait_for()
    page.set_input_files("#file", [marked, ROOT / "static" / "examples" / "screen.png"])
    expect(page.locator("#fen")).to_have_value(READ, timeout=SLOW_MS)
    expect(page.locator("#queue li").nth(1)).to_contain_text("1 board read", timeout=SLOW_MS)
    saved = []
    for name in ("png", "svg", "pgn", "epd"):
        page.locator("#share > summary").click()
        with page.expect_download() as download:
            page.locator(f"[data-out='save-{name}']").click()
        saved.append(download.value.path())
    for name in ("fen", "epd", "pgn", "csv"):
        with page.expect_download() as download:
            page.locator(f"[data-list='{name}']").click()
        saved.append(download.value.path())
    for path in saved:
        assert b"SECRET" not in Path(path).read_bytes()
        assert b"Exif" not in Path(path).read_bytes()
    with Image.open(saved[0]) as out:
        assert not out.getexif()
        assert not {"exif", "comment", "Description"} & set(out.info)
