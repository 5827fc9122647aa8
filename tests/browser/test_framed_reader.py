"""The whole page in a frame of another site: pictures in, Readings out, junk ignored, nothing told unasked.

The site is at 127.0.0.1, the host's page at localhost: to a browser two sites.
"""

from __future__ import annotations

import functools
import http.server
import json
import re
import shutil
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Frame, Page, expect

from browser.embed_help import HEARING, SLOW_MS, patient_page, run_axe, until  # isort: skip
from serve import serving  # isort: skip

ROOT = Path(__file__).resolve().parents[2]
SCREEN = "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2Q1RK1"
KINGS = "4k3/8/8/8/8/8/8/4K3 w - - 0 1"
DENY_STORAGE = """
for (const name of ['localStorage', 'sessionStorage', 'indexedDB', 'caches', 'cookieStore']) {
  Object.defineProperty(window, name, { configurable: true, get() {
    throw new DOMException('denied', 'SecurityError');
  } });
}
"""
# What any page may write that frames the reader; `ask` sends a request and waits for its last answer.
HOST_SCRIPT = (
    HEARING
    + """
let last = 0;
window.ask = async (type, fields = {}) => {
  const id = ++last;
  send({ source: 'image-to-fen', v: 1, type, id, ...fields });
  for (;;) {
    const answer = said.find((message) => message.id === id && message.type !== 'progress');
    if (answer) return answer;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
};
window.picture = async () => (await fetch('picture.png')).blob();
"""
)
# Messages of every shape but the right one, the same ones each time.
JUNK = """(count) => {
  let seed = 20261130;
  const next = () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
  const pick = (list) => list[Math.floor(next() * list.length)];
  const odd = [undefined, null, true, 0, -1, 1e300, NaN, '', 'read', '__proto__', 'x'.repeat(300), [],
    {}, 10n, new Date(0), new Map([[1, 2]]), new Uint8Array(3), new ArrayBuffer(2), new Blob(["x"]),
    new Set(), /x/, new Error("e")];
  const anything = (depth) => {
    if (depth > 2 || next() < 0.4) return pick(odd);
    if (next() < 0.3) return Array.from({ length: 3 }, () => anything(depth + 1));
    const names = ['source', 'v', 'type', 'id', 'fen', 'lang', 'theme', 'picture', 'name',
      'engine', 'code', 'toString'];
    return Object.fromEntries(Array.from({ length: 5 }, () => [pick(names), anything(depth + 1)]));
  };
  for (let n = 0; n < count; n += 1) {
    let data = anything(0);
    const good = { source: 'image-to-fen', v: 1 };
    const wrong = pick([{}, { ...good, v: 2 }, { ...good, type: 'obey' }, { ...good, type: 'reading' },
      { ...good, source: 'other', type: 'read' }, { ...good, type: 'get-result', id: {} },
      { engine: 'call', id: 1, name: 'os.system' }]);
    if (next() < 0.6) data = { ...(data !== null && typeof data === 'object' ? data : {}), ...wrong };
    send(data);
  }
}"""


@pytest.fixture
def host(tmp_path: Path, server: str, guard: Any) -> Iterator[str]:
    """The folder of another site, as an address; its page frames the reader as the query says."""
    origin = "/".join(server.split("/")[:3])
    shutil.copyfile(ROOT / "static" / "examples" / "screen.png", tmp_path / "picture.png")
    (tmp_path / "host.js").write_text(HOST_SCRIPT, "utf-8")
    policy = f"default-src 'none'; script-src 'self'; frame-src {origin}; connect-src 'self'; img-src data:"
    for name, sandbox in (("plain", ""), ("sandboxed", 'sandbox="allow-scripts"')):
        (tmp_path / f"{name}.html").write_text(
            f'<!doctype html><html lang="en"><meta charset="utf-8"><title>Host</title>'
            f'<meta http-equiv="Content-Security-Policy" content="{policy}"><link rel="icon" href="data:,">'
            f'<script src="host.js"></script><iframe {sandbox} width="1100" height="900" '
            f'src="{server}index.html#lang=el&theme=dark"></iframe></html>',
            "utf-8",
        )
    with serving(tmp_path) as address:
        here = address.replace("127.0.0.1", "localhost")
        guard.allow(re.escape(here))
        yield here


@pytest.fixture
def page(context: BrowserContext) -> Page:
    return patient_page(context)


def reader_in(page: Page) -> Frame:
    element = page.locator("iframe").first.element_handle()
    frame = element.content_frame()
    assert frame
    frame.wait_for_url(re.compile(r"/index\.html"))
    frame.locator("html[data-state='usable']").wait_for()
    return frame


@pytest.mark.parametrize("kind", ["plain", "sandboxed"])
def test_picture_by_message_in_and_reading_out(page: Page, server: str, host: str, kind: str) -> None:
    """Cross-site, storage denied, sandboxed: the same reading, and what the person makes of it."""
    page.context.add_init_script(DENY_STORAGE)
    page.goto(f"{host}{kind}.html")
    frame = reader_in(page)
    assert frame.evaluate("[document.documentElement.lang, document.documentElement.dataset.theme]") == [
        "el",
        "dark",
    ]
    # A list that was kept for the person alone has no place in somebody else's page.
    expect(frame.locator("#keep")).to_be_empty()

    # Until it is spoken to it says that it is there, and nothing else.
    until(page, "() => said.length")
    assert [sorted(message) for message in page.evaluate("said")] == [["origin", "source", "type", "v"]]
    assert page.evaluate("said[0].origin") == (
        "null" if kind == "sandboxed" else "/".join(server.split("/")[:3])
    )
    expect(frame.locator("#framed")).to_be_hidden()

    # Sent before Python is there.
    answer = page.evaluate("picture().then((picture) => ask('read', { picture, name: 'theirs.png' }))")
    assert answer["type"] == "reading", answer
    (board,) = answer["reading"]["boards"]
    assert board["placement"] == SCREEN
    assert len(board["squares"]) == 64
    assert answer["reading"]["error"] is None
    stages = page.evaluate("said.filter(({ type }) => type === 'progress').map(({ stage }) => stage)")
    assert {"decode", "squares"} <= set(stages)
    expect(frame.locator("#framed")).to_contain_text("localhost")

    # It stands in the page, and goes back as the person corrects it.
    expect(frame.locator("#fen")).to_have_value(re.compile(f"^{SCREEN} "), timeout=SLOW_MS)
    read = until(page, "() => said.find(({ type, by }) => type === 'change' && by === 'reader')")
    assert read["fen"] == board["fen"]
    assert read["picture"] == answer["id"]
    frame.locator("[data-square='a8']").focus()
    page.keyboard.press("Delete")
    corrected = until(page, "() => said.find(({ type, by }) => type === 'change' && by === 'person')")
    assert corrected["fen"].startswith("2bq1rk1/")
    assert corrected["picture"] == answer["id"]

    # The host may set a position and ask for what is wrong with it, in the frame's language.
    told = page.evaluate("ask('set-options', { lang: 'gu', theme: 'light' })")
    assert (told["type"], told["lang"], told["theme"], told["engine"]) == ("ready", "gu", "light", "ready")
    result = page.evaluate("ask('set-fen', { fen: 'r3k2r/8/8/8/8/8/8/4K2R w KQkq - 0 1' })")
    found = next(problem for problem in result["problems"] if problem["code"] == "castling-impossible")
    assert any("઀" <= letter <= "૿" for letter in found["title"]), "words are not Gujarati"
    assert result["checked"] is True
    cured = page.evaluate("(fen) => ask('set-fen', { fen })", found["fixes"][0]["fen"])
    assert "castling-impossible" not in [problem["code"] for problem in cured["problems"]]
    assert page.evaluate("ask('get-result')")["text"] == cured["text"]

    # Read without being shown; a file that is no picture; a faulty request.
    quiet = page.evaluate(
        "picture().then((p) => p.arrayBuffer()).then((picture) => ask('read', { picture, show: false }))"
    )
    assert quiet["reading"]["boards"][0]["placement"] == SCREEN
    assert frame.locator("#fen").input_value() == cured["text"]
    broken = page.evaluate("ask('read', { picture: new TextEncoder().encode('no picture'), show: false })")
    code = broken["code"] if broken["type"] == "error" else broken["reading"]["error"]["code"]
    assert code.startswith("image-"), broken
    fault = page.evaluate("ask('read', { picture: 'data:image/png;base64,AAAA' })")
    assert (fault["type"], fault["code"], fault["params"]) == (
        "error",
        "bad-request",
        {"type": "read", "field": "picture"},
    )

    # Hundreds of messages that are none: no answer, no error, and it goes on.
    before = page.evaluate("said.length")
    page.evaluate(JUNK, 600)
    assert page.evaluate("ask('get-result')")["text"] == cured["text"]
    assert page.evaluate("said.length") == before + 1
    assert page.evaluate("(fen) => ask('set-fen', { fen })", KINGS)["fen"] == KINGS


def test_only_the_page_that_holds_the_frame_is_heard(page: Page, server: str, host: str) -> None:
    """Not the reader's own window; and pictures of the person's are never told."""
    page.goto(f"{host}plain.html")
    frame = reader_in(page)
    frame.evaluate(
        f"postMessage({{ source: 'image-to-fen', v: 1, type: 'set-fen', fen: {json.dumps(KINGS)} }}, '*')"
    )
    assert page.evaluate("said.length") <= 1
    assert frame.locator("#fen").input_value() != KINGS

    page.evaluate("ask('set-options')")
    frame.locator("#file").set_input_files(ROOT / "static" / "examples" / "screen.png")
    told = until(page, "() => said.find(({ type, by }) => type === 'change' && by === 'reader')")
    assert told["picture"] is None
    assert "screen.png" not in json.dumps(page.evaluate("said.filter(({ type }) => type !== 'progress')"))


def test_example_page_runs(page: Page, server: str) -> None:
    page.goto(f"{server}static/embed/reader-example.html")
    page.locator("#log [data-what='ready']").first.wait_for(state="attached")
    page.locator("#send").click()
    page.locator("#log [data-what='reading']").wait_for(state="attached")
    expect(page.locator("#fen-now")).to_contain_text(SCREEN)
    page.locator("#ask").click()
    page.locator("#log [data-what='result']").wait_for(state="attached")
    assert run_axe(page) == []


class QuietHandler(http.server.SimpleHTTPRequestHandler):
    """A plain server that sends no header which would let other origins read."""

    def log_message(self, format: str, *args: object) -> None:
        pass


def test_sandbox_on_a_server_without_the_header_is_explained(
    page: Page, site: Path, tmp_path: Path, guard: Any
) -> None:
    handler = functools.partial(QuietHandler, directory=str(site))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as plain, serving(tmp_path) as here:
        thread = threading.Thread(target=plain.serve_forever, daemon=True)
        thread.start()
        origin = f"http://127.0.0.1:{plain.server_address[1]}"
        guard.allow(f"{re.escape(origin)}|{re.escape(here)}|CORS|ERR_FAILED|Access-Control")
        (tmp_path / "host.js").write_text(HOST_SCRIPT, "utf-8")
        (tmp_path / "host.html").write_text(
            '<!doctype html><title>Host</title><link rel="icon" href="data:,"><script src="host.js"></script>'
            f'<iframe sandbox="allow-scripts" src="{origin}/index.html#lang=bn"></iframe>',
            "utf-8",
        )
        page.goto(f"{here}host.html")
        told = until(page, "() => said.find((m) => m.type === 'error')")
        assert (told["code"], told["params"]) == ("not-started", {"reason": "origin"})
        note = page.frame_locator("iframe").locator("#not-started")
        expect(note).to_have_attribute("lang", "bn")
        expect(note).to_contain_text("Access-Control-Allow-Origin: *")
        page.goto("about:blank")  # what is still on its way would be reset with the server
        plain.shutdown()
        thread.join()
