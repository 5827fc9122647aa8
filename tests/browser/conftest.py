"""The stage for browser tests: the built site, a plain server, a page that tolerates no slip.

What always holds: the site is served below a path, with no special header that a static host would not
send; a test fails on an error in the console, on a request that leaves the origin, and on a violation of the
page's policy, unless it says beforehand (`guard.allow`) which it provokes. Wait with locators.
"""

from __future__ import annotations

import http.server
import io
import os
import re
import shutil
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from PIL import Image, ImageDraw
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / ".ci"))

from assemble import make_site  # noqa: E402
from browser.native import serve_python  # noqa: E402
from packages import chromium  # noqa: E402
from serve import serving  # noqa: E402

PREFIX = "/some/project"
HERE = Path(__file__).parent
# No traffic of the browser's own; nothing that would slow a headless run on two cores.
CHROMIUM = [
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-domain-reliability",
    "--disable-sync",
    "--no-first-run",
    "--disable-features=Translate,OptimizationHints,MediaRouter",
]
WATCH_POLICY = """
addEventListener('securitypolicyviolation', (event) => {
  console.error(`policy: ${event.effectiveDirective} ${event.blockedURI}`);
});
"""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if HERE in item.path.parents:
            item.add_marker("browser")


expect.set_options(timeout=60_000)  # a machine that is busy otherwise is no fault of the page


class Guard:
    """What went wrong in a page, less what the test has allowed."""

    def __init__(self) -> None:
        self.slips: list[str] = []
        self._allowed: list[re.Pattern[str]] = []

    def allow(self, pattern: str) -> None:
        """Tolerate slips that match the regular expression."""
        self._allowed.append(re.compile(pattern))

    def watch(self, context: BrowserContext, origin: str) -> None:
        """Listen to everything that happens in any page of the context."""
        context.add_init_script(WATCH_POLICY)
        context.on("request", lambda request: self._request(request.url, origin))
        context.on("console", lambda message: self._console(message.type, message.text))
        context.on("weberror", lambda error: self.slips.append(f"uncaught: {error.error}"))

    def _request(self, address: str, origin: str) -> None:
        if not address.startswith((f"{origin}/", "blob:", "data:", "about:")):
            self.slips.append(f"request off the origin: {address}")

    def _console(self, kind: str, text: str) -> None:
        if kind == "error":
            self.slips.append(f"console: {text}")

    def left(self) -> list[str]:
        """Return the slips that were not allowed."""
        return [slip for slip in self.slips if not any(pattern.search(slip) for pattern in self._allowed)]


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The assembled site, with a bare page for tests of the engine under the page's own policy."""
    folder = make_site(tmp_path_factory.mktemp("built") / "site")
    policy = re.search(
        r'<meta http-equiv="Content-Security-Policy"[^>]*>', (ROOT / "index.html").read_text("utf-8")
    )
    assert policy, "index.html has no policy"
    bare = (HERE / "engine.html").read_text("utf-8").replace("<!-- policy -->", policy[0])
    (folder / "engine-test.html").write_text(bare, "utf-8")
    shutil.copyfile(HERE / "engine-page.js", folder / "engine-page.js")
    return folder


@pytest.fixture
def spoilt(site: Path, request: pytest.FixtureRequest) -> Iterator[str]:
    """Spoil one part of the runtime for the length of a test: missing, or altered; give its name."""
    kind, pattern = request.param
    (path,) = site.glob(pattern)
    whole = path.read_bytes()
    if kind == "missing":
        path.unlink()
    else:
        path.write_bytes(whole[:-9] + b"corrupted")
    yield path.name
    path.write_bytes(whole)


@pytest.fixture(scope="session")
def server(site: Path) -> Iterator[str]:
    """The address of the site, below a path, from a plain server."""
    with serving(site, prefix=PREFIX) as address:
        yield address


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Chromium, one for the session."""
    arguments = [*CHROMIUM, "--no-sandbox"] if os.name == "posix" and os.geteuid() == 0 else CHROMIUM
    with sync_playwright() as driver:
        opened = driver.chromium.launch(executable_path=chromium(), args=arguments)
        yield opened
        opened.close()


@pytest.fixture
def guard() -> Guard:
    """What the test tolerates; see `Guard.allow`."""
    return Guard()


@pytest.fixture
def context(browser: Browser, server: str, guard: Guard) -> Iterator[BrowserContext]:
    """A fresh profile, watched; the test fails on what it did not allow."""
    # The service worker has tests of its own; in the others it would only fetch everything a second time.
    opened = browser.new_context(
        locale="en-GB", permissions=["clipboard-read", "clipboard-write"], service_workers="block"
    )
    opened.set_default_timeout(60_000)
    guard.watch(opened, server.split(PREFIX)[0])
    yield opened
    opened.close()
    assert not guard.left()


@pytest.fixture
def page(context: BrowserContext) -> Page:
    """An empty page of the watched profile."""
    return context.new_page()


@pytest.fixture
def open_quick(browser: Browser, server: str, guard: Guard) -> Iterator[Callable[..., Page]]:
    """Open the page with Python in the test's own process (native.py); options are the browser context's."""
    opened: list[BrowserContext] = []
    # what is not loaded, and what the browser says of it
    guard.allow(r"console: .*ERR_FAILED")

    def open_page(address: str = "", **options: Any) -> Page:
        granted = ["clipboard-read", "clipboard-write"]
        context = browser.new_context(
            **{"locale": "en-GB", "permissions": granted, "service_workers": "block", **options}
        )
        context.set_default_timeout(60_000)
        guard.watch(context, server.split(PREFIX)[0])
        serve_python(context)
        opened.append(context)
        page = context.new_page()
        page.goto(f"{server}{address}")
        page.locator("html[data-state='usable']").wait_for()
        return page

    yield open_page
    for context in opened:
        context.close()
    assert not guard.left()


@pytest.fixture
def engine_page(page: Page, server: str) -> Page:
    """The bare page, with the engine ready as ``window.engine``."""
    page.goto(f"{server}engine-test.html")
    page.locator("#state[data-state='ready']").wait_for()
    return page


@pytest.fixture(scope="session")
def empty_board_png() -> bytes:
    """A drawn board without men, as a PNG of 720 × 600 px with the board off the middle."""
    picture = Image.new("RGB", (720, 600), "white")
    draw = ImageDraw.Draw(picture)
    for row in range(8):
        for column in range(8):
            x, y = 100 + 60 * column, 40 + 60 * row
            draw.rectangle((x, y, x + 59, y + 59), "#f0d9b5" if (row + column) % 2 == 0 else "#b58863")
    data = io.BytesIO()
    picture.save(data, "PNG")
    return data.getvalue()


@pytest.fixture
def stranger() -> Iterator[tuple[str, list[str]]]:
    """Another origin that would let anybody in; its address, and what was asked of it."""
    asked: list[str] = []

    class Open(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            self.send_response(200)
            self.send_header("Access-Control-Allow-Origin", "*")
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Open) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_address[1]}/", asked
        server.shutdown()
        thread.join()
