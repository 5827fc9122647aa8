"""Try to get out of the page, of its worker, and of Python in it: the page's policy refuses every way.

What no policy of a page can refuse, in any browser, is that the page itself goes elsewhere (a link that is
followed, a window that is opened), and in most browsers a call between browsers (WebRTC): there are links to
analysis pages, which are the person's to follow, and a test holds the code to nothing else of these.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from escape import BARE, HINTS, PAGE, PYTHON, WORKER, listening
from playwright.sync_api import Page

ROOT = Path(__file__).resolve().parents[2]
SLOW_MS = 150_000
# The browser names what it refuses; the listener says that nothing came.
REFUSED = (
    r"Content Security Policy|policy: |request off the origin: http://127|violates|Failed to load|Refused"
)


@pytest.fixture
def outside() -> Iterator[tuple[str, list[str]]]:
    with listening() as place:
        yield place


@pytest.mark.parametrize(
    ("path", "started"), [("", "[data-state='usable']"), ("embed.html", "[data-started]")]
)
def test_nothing_leaves_the_page(
    page: Page, server: str, guard: Any, outside: tuple[str, list[str]], path: str, started: str
) -> None:
    guard.allow(REFUSED)
    address, came = outside
    page.goto(f"{server}{path}")
    page.locator(f"html{started}").wait_for(state="attached")
    assert len(page.evaluate(PAGE, address)) > 20
    page.evaluate(HINTS, address)
    assert came == []


def test_nothing_leaves_the_worker_of_the_checker(
    page: Page, server: str, guard: Any, outside: tuple[str, list[str]]
) -> None:
    guard.allow(REFUSED)
    address, came = outside
    page.goto(f"{server}embed.html")
    page.locator("#status[data-state='ready']").wait_for(state="attached", timeout=SLOW_MS)
    (worker,) = page.workers
    assert re.search("Error", worker.evaluate(WORKER, address)["worker-fetch"])
    assert came == []


def test_code_of_the_page_uses_no_way_that_policies_cannot_refuse() -> None:
    """Calls between browsers, windows opened by script, the page sent elsewhere: none in what ships."""
    window = r"\bwindow\.open\(|(?<![.\w#])(?<!function )open\((?!\)|true\b|false\b)"
    ways = re.compile(rf"RTCPeerConnection|WebTransport|{window}|location\.(assign|replace|href\s*=[^=])")
    sources = [path for kind in ("js", "mjs", "py") for path in (ROOT / "static").rglob(f"*.{kind}")]
    assert len(sources) > 40
    assert [path.name for path in sources if ways.search(path.read_text("utf-8"))] == []


def test_the_same_attempts_do_leave_without_a_policy(
    page: Page, server: str, site: Path, guard: Any, outside: tuple[str, list[str]]
) -> None:
    """Else the test above would show nothing."""
    guard.allow(f"{REFUSED}|WebSocket|EventSource|MIME")
    address, came = outside
    (site / "bare.html").write_text(BARE, "utf-8")
    page.goto(f"{server}bare.html")
    tried = page.evaluate(PAGE, address)
    got_out = {line.split()[1].strip("/?") for line in came}
    assert set(tried) - got_out == set()


def test_nothing_leaves_the_worker_or_python(
    page: Page, server: str, guard: Any, outside: tuple[str, list[str]]
) -> None:
    guard.allow(REFUSED)
    address, came = outside
    engine = (ROOT / "static" / "engine" / "worker.py").read_text("utf-8")
    probe = PYTHON.replace("ADDRESS", address)
    page.route("**/static/engine/worker.py", lambda route: route.fulfill(body=engine + probe))
    page.goto(f"{server}engine-test.html")
    page.locator("#state[data-state='ready']").wait_for()
    worker = next(worker for worker in page.workers if worker.url.startswith("blob:"))
    ended = worker.evaluate(WORKER, address)
    assert re.search("Error", ended["worker-fetch"])
    assert re.search("Error", ended["worker-module"])
    python = worker.evaluate(
        """new Promise((done) => {
          const ask = () => (self.probed ? done(self.probed) : setTimeout(ask, 100));
          ask();
        })"""
    )
    assert set(python) == {"web_fetch", "package_fetch", "request", "library"}
    assert "left" not in python.values(), python
    assert came == []
