"""The checker to embed, in frames of another site, sandboxed, without storage, kept out, in every language.

The site is at 127.0.0.1, the host's pages at localhost: to a browser two sites. Every host page has a strict
policy, since that is what hosts of today have.
"""

from __future__ import annotations

import functools
import http.server
import json
import re
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Frame, Page, expect

from fen_core.explain import explain

from browser.embed_help import (  # isort: skip
    HEARING,
    LOST_RIGHTS,
    SLOW_MS,
    START,
    WIDE_RANK,
    patient_page,
    run_axe,
    settled,
    until,
)
from serve import serving  # isort: skip


# What people paste: each goes through parts of the checker, and of Python's library, of its own.
PASTED = (
    "",
    "https://example.org/editor/rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR_w_KQkq_-_0_1?color=white",
    "https://example.org/?fen=4k3%2F8%2F8%2F8%2F8%2F8%2F8%2F4K3%20w%20-%20-%200%201",
    "4k3&#47;8/8/8/8/8/8/4K3 w - - 0 1 &amp; more",
    "1. e4 e5 2. Nf3",
    "TSLDKLST/BBBBBBBB/8/8/8/8/bbbbbbbb/tsldklst w - - 0 1",
    "ΠΙΑΒΡΑΙΠ/ΣΣΣΣΣΣΣΣ/8/8/8/8/σσσσσσσσ/πιαβραιπ w - - 0 1",
    "４k3/8/8/8/8/8/8/4K3\u00a0w - - 0 1",
    "RNBKQBNR/PPPPPPPP/8/8/8/8/pppppppp/rnbkqbnr w - - 0 1",
    "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
    '4k3/8/8/8/8/8/8/4K3 w - - bm Ke2; id "x";',
    "\x07/8/8/8/8/8/8/8 w",
    WIDE_RANK,
)

DENY_STORAGE = """
window.touched = [];
for (const name of ['localStorage', 'sessionStorage', 'indexedDB', 'caches', 'cookieStore']) {
  Object.defineProperty(window, name, { configurable: true, get() {
    window.touched.push(name);
    throw new DOMException('denied', 'SecurityError');
  } });
}
Object.defineProperty(Document.prototype, 'cookie', { get() { window.touched.push('cookie'); return ''; } });
"""
HOST_SCRIPT = (
    HEARING
    + """
window.ask = (type, fields = {}, more = {}) => new Promise((resolve) => {
  const id = Math.random();
  const hear = ({ data }) => {
    if (data?.id !== id) return;
    removeEventListener('message', hear);
    resolve(data);
  };
  addEventListener('message', hear);
  send({ source: 'image-to-fen', v: 1, type, id, ...fields, ...more });
});
window.events = [];
for (const name of ['fen:ready', 'fen:change', 'fen:error']) {
  addEventListener(name, (event) => events.push({ name, detail: event.detail }));
}
"""
)

Host = Callable[..., str]


@pytest.fixture
def host(tmp_path: Path, server: str, guard: Any) -> Iterator[Host]:
    """Write a page of another site and give its address: ``host(body, frames=…, scripts=…)``."""
    origin = "/".join(server.split("/")[:3])
    (tmp_path / "host.js").write_text(HOST_SCRIPT, "utf-8")
    with serving(tmp_path) as address:
        here = address.replace("127.0.0.1", "localhost")
        guard.allow(re.escape(here))

        def write(body: str, *, frames: str = origin) -> str:
            policy = f"default-src 'none'; script-src 'self' {origin}; frame-src {frames}; img-src data:"
            (tmp_path / "host.html").write_text(
                f'<!doctype html><html lang="en"><meta charset="utf-8"><title>Host</title>'
                f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
                f'<link rel="icon" href="data:,"><script src="host.js"></script><body>{body}</body></html>',
                "utf-8",
            )
            return f"{here}host.html"

        yield write


@pytest.fixture
def page(context: BrowserContext) -> Page:
    return patient_page(context)


def the_frame(page: Page) -> Frame:
    """Return the frame of embed.html, once it has a document."""
    page.locator("iframe").first.wait_for(state="attached")
    element = page.locator("iframe").first.element_handle()
    frame = element.content_frame()
    assert frame
    frame.wait_for_url(re.compile(r"/embed\.html"))
    return frame


# ---------------------------------------------------------------------------------------------------
# Frames of another site


@pytest.mark.parametrize("sandbox", [None, "allow-scripts"])
def test_frame_speaks_the_protocol(
    page: Page, server: str, host: Host, sandbox: str | None, guard: Any
) -> None:
    asked: list[str] = []
    page.context.on("request", lambda request: asked.append(request.url))
    page.context.add_init_script(DENY_STORAGE)
    box = f'sandbox="{sandbox}"' if sandbox else ""
    page.goto(host(f'<iframe {box} src="{server}embed.html#lang=el&fen={START.replace(" ", "_")}"></iframe>'))
    frame = the_frame(page)

    # Until it is spoken to it says that it is there, and nothing else.
    until(page, "() => said.length")
    frame.locator("#verdict[data-state='sound']").wait_for()
    assert [sorted(message) for message in page.evaluate("said")] == [["origin", "source", "type", "v"]]
    origin = "null" if sandbox else "/".join(server.split("/")[:3])
    assert page.evaluate("said[0].origin") == origin

    told = page.evaluate("ask('set-options', { lang: 'gu', theme: 'dark' })")
    assert (told["type"], told["lang"], told["theme"], told["engine"]) == ("ready", "gu", "dark", "ready")
    assert frame.evaluate("[document.documentElement.lang, document.documentElement.dataset.theme]") == [
        "gu",
        "dark",
    ]

    result = page.evaluate("(fen) => ask('set-fen', { fen })", LOST_RIGHTS)
    assert (result["type"], result["checked"], result["text"]) == ("result", True, LOST_RIGHTS)
    found = next(problem for problem in result["problems"] if problem["code"] == "castling-impossible")
    assert found["severity"] == "illegal"
    assert any("઀" <= letter <= "૿" for letter in found["title"]), "words are not Gujarati"
    cured = page.evaluate("(fen) => ask('set-fen', { fen })", found["fixes"][0]["fen"])
    assert all(problem["code"] != "castling-impossible" for problem in cured["problems"])
    assert page.evaluate("ask('get-result')")["text"] == found["fixes"][0]["fen"]

    if sandbox:
        for text in PASTED:
            answer = page.evaluate("(fen) => ask('set-fen', { fen })", text)
            expected = json.loads(json.dumps(explain(text, "gu")))
            for name in ("fen", "problems", "cleaned", "fixes"):
                assert answer[name] == expected[name], text

    changes = until(
        page,
        "() => said.filter((m) => m.type === 'change').length > 1 && said.filter((m) => m.type === 'change')",
    )
    assert changes[-1]["by"] == "host"
    for _ in range(100):
        height = page.evaluate("said.filter((m) => m.type === 'resize').at(-1).height")
        if abs(height - frame.evaluate("document.querySelector('#checker').offsetHeight")) <= 1:
            break
        page.wait_for_timeout(50)
    else:
        pytest.fail("the frame does not tell its height")

    # What is no message of the protocol gets no answer; what is one, but faulty, is told its fault.
    before = page.evaluate("said.length")
    page.evaluate(
        """() => {
          const good = { source: 'image-to-fen', v: 1, type: 'get-result', id: 1 };
          const junk = [null, 5, 'ready', [], {}, new Map(), new Uint8Array(9), { ...good, v: 2 },
            { ...good, source: 'other' }, { ...good, type: 'obey' }, { ...good, id: {} }];
          for (const message of junk) send(message);
        }"""
    )
    fault = page.evaluate("ask('set-fen', { fen: 5 })")
    assert (fault["type"], fault["code"], fault["params"]) == (
        "error",
        "bad-request",
        {"type": "set-fen", "field": "fen"},
    )
    assert page.evaluate("said.length") == before + 1

    assert frame.evaluate("window.touched") == []
    loaded = [address for address in asked if re.search(r"numpy|pillow|pyscript|/engine-\w+\.zip", address)]
    assert loaded == []
    guard.allow(r"unsafe-eval|policy: script-src eval")
    # Later, as the tool that drives the browser may evaluate text whatever the policy says.
    refused = frame.evaluate(
        """() => new Promise((resolve) => setTimeout(() => {
          try { resolve(Function('return 1')()); } catch (error) { resolve(error.name); }
        }))"""
    )
    assert refused == "EvalError"


def test_storage_that_the_browser_denies(browser: Browser, server: str, tmp_path: Path) -> None:
    """A profile in which the person has forbidden every site to store anything."""
    settings = tmp_path / "profile" / "Default"
    settings.mkdir(parents=True)
    denied = {
        "profile": {"default_content_setting_values": {"cookies": 2}, "block_third_party_cookies": True}
    }
    (settings / "Preferences").write_text(json.dumps(denied), "utf-8")
    from packages import chromium

    profile = browser.browser_type.launch_persistent_context(
        tmp_path / "profile",
        executable_path=chromium(),
        args=["--no-sandbox", "--disable-background-networking"],
    )
    try:
        page = profile.new_page()
        page.set_default_timeout(SLOW_MS)
        page.goto(f"{server}embed.html#fen={LOST_RIGHTS}")
        refused = page.evaluate(
            "() => { try { return typeof localStorage; } catch (error) { return error.name; } }"
        )
        assert refused == "SecurityError"
        settled(page, "castling-impossible")
    finally:
        profile.close()


def test_sandbox_on_a_server_without_the_header_is_explained(
    page: Page, site: Path, host: Host, guard: Any
) -> None:
    """A frame without an origin loads no module from a server that does not allow it: it says so itself."""
    handler = functools.partial(QuietHandler, directory=str(site))
    plain = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=plain.serve_forever, daemon=True)
    thread.start()
    try:
        origin = f"http://127.0.0.1:{plain.server_address[1]}"
        guard.allow(re.escape(origin))
        guard.allow("CORS|ERR_FAILED")
        page.goto(
            host(
                f'<iframe sandbox="allow-scripts" src="{origin}/embed.html#lang=bn"></iframe>', frames=origin
            )
        )
        note = the_frame(page).locator("#not-started p:visible")
        expect(note).to_have_attribute("lang", "bn")
        expect(note).to_contain_text("Access-Control-Allow-Origin: *")
        assert until(page, "() => said.find((m) => m.type === 'error')")["code"] == "not-started"
    finally:
        plain.shutdown()
        plain.server_close()
        thread.join()


class QuietHandler(http.server.SimpleHTTPRequestHandler):
    """A plain server that sends no header which would let other origins read."""

    def log_message(self, format: str, *args: object) -> None:
        pass


# ---------------------------------------------------------------------------------------------------
# The element


def element(server: str, attributes: str = "") -> str:
    return (
        f'<script type="module" src="{server}static/embed/fen-checker.js"></script>'
        f"<fen-checker {attributes}></fen-checker>"
    )


def test_element_in_another_site(page: Page, server: str, host: Host) -> None:
    page.set_viewport_size({"width": 700, "height": 900})
    page.goto(host(element(server, f'fen="{START}" lang="pt-BR" theme="light"')))
    until(page, "() => events.find(({ name }) => name === 'fen:ready')")
    state = """(() => {
      const { value, fen, problems } = document.querySelector('fen-checker');
      return [value, fen, problems.map(({ code }) => code)];
    })()"""
    until(page, "() => document.querySelector('fen-checker').result")
    assert page.evaluate(state) == [START, START, []]
    inner = page.locator("fen-checker iframe")
    assert inner.get_attribute("title") == "Verificador de FEN"
    frame = next(frame for frame in page.frames if "embed.html" in frame.url)

    # the host sets, the frame follows; old answers do not count
    at_once = "(fen) => { const it = document.querySelector('fen-checker'); it.value = fen; return it.fen; }"
    assert page.evaluate(at_once, LOST_RIGHTS) is None
    # at the very moment that the answer is there, the element's own copy of it is
    answer, held = page.evaluate(
        """async () => {
          const it = document.querySelector('fen-checker');
          return [await it.getResult(), { problems: it.problems, fen: it.fen }];
        }"""
    )
    assert held == {"problems": answer["problems"], "fen": answer["fen"]}
    assert "castling-impossible" in page.evaluate(state)[2]

    # the height follows what there is to say
    until(
        page,
        """() => { const frame = document.querySelector('fen-checker').shadowRoot.querySelector('iframe');
          return frame.clientHeight > 300 && frame.clientHeight; }""",
    )
    expect.set_options(timeout=20_000)
    expect(inner).to_have_js_property(
        "clientHeight", frame.evaluate("document.querySelector('#checker').offsetHeight")
    )
    assert frame.evaluate("document.documentElement.scrollHeight <= innerHeight + 1")

    # the person presses a cure, the host hears of it
    frame.locator("[data-code='castling-impossible'] button.fix").first.click()
    until(page, "() => events.some(({ name, detail }) => name === 'fen:change' && detail.by === 'person')")
    value, fen, codes = page.evaluate(state)
    assert value == fen == LOST_RIGHTS.replace("KQkq", "Kkq")
    assert "castling-impossible" not in codes

    # attributes are live
    page.evaluate("document.querySelector('fen-checker').setAttribute('lang', 'vi')")
    expect(frame.locator("html")).to_have_attribute("lang", "vi")
    page.evaluate("(fen) => document.querySelector('fen-checker').setAttribute('fen', fen)", START)
    expect(frame.locator("#fen")).to_have_value(START)
    # taken out and put elsewhere it goes on with the text that it had
    page.evaluate(
        "document.body.append(document.createElement('div'), document.querySelector('fen-checker'))"
    )
    # an answer about the text before may still be on its way, so the last word is waited for
    until(page, f"() => document.querySelector('fen-checker').value === {START!r}")


@pytest.mark.parametrize(("lang", "word"), [("en", "must allow"), ("el", "επιτρέπει"), ("bn", "অনুমতি")])
def test_element_says_what_a_strict_host_must_allow(
    page: Page, server: str, host: Host, guard: Any, lang: str, word: str
) -> None:
    guard.allow("frame-src|Framing")
    page.goto(host(element(server, f'lang="{lang}"'), frames="'none'"))
    note = page.locator("fen-checker p")
    note.wait_for()
    origin = "/".join(server.split("/")[:3])
    assert f"frame-src {origin}" in note.inner_text()
    assert word in note.inner_text()
    assert until(page, "() => events.find(({ name }) => name === 'fen:error')")["detail"]["code"] == "blocked"


def test_example_page_runs(page: Page, server: str) -> None:
    page.goto(f"{server}static/embed/example.html")
    page.locator("#log [data-what='fen:ready']").wait_for(state="attached")
    expect(page.locator("#fen-now")).to_contain_text("e3")
    page.locator("#frame").scroll_into_view_if_needed()
    page.locator("#log [data-what='change']").first.wait_for(state="attached")
    page.locator("#ask").click()
    expect(page.locator("#log [data-what='result']")).to_contain_text("rank-sum")
    assert run_axe(page) == []
