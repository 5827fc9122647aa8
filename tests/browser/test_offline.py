"""Without a network: the kept site works whole, a new version is offered, shared pictures arrive."""

from __future__ import annotations

import re
import shutil
import threading
from collections.abc import Callable, Iterator
from functools import partial
from http.server import ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from escape import BARE, STORED, listening
from PIL import Image
from playwright.sync_api import Browser, BrowserContext, Page, expect

from offline import place_worker  # isort: skip - from .ci, put on the path by conftest
from serve import Handler  # isort: skip

PREFIX = "/some/project"
ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = ROOT / "static" / "examples" / "screen.png"
LANGUAGES = ("en", "el", "vi", "gu", "pt-BR", "bn")
SLOW_MS = 120_000
# Neither the start position nor the empty board, which stands while a picture waits: something was read.
READ = re.compile(r"^(?!rnbqkbnr/pppppppp/8/8/)(?!8/8/8/8/8/8/8/8).+/")
# The page without its engine: what is asked here is asked after the engine, and need not wait for Python.
NO_ENGINE = "delete globalThis.WebAssembly"
SHARE = """async (url) => {
  const picture = await (await fetch(url)).blob();
  const files = new DataTransfer();
  files.items.add(new File([picture], 'shared.png', { type: 'image/png' }));
  const make = (name, props) => Object.assign(document.createElement(name), props);
  const form = make('form', { method: 'post', enctype: 'multipart/form-data', action: 'share' });
  form.append(make('input', { type: 'file', name: 'pictures', files: files.files }));
  document.body.append(form);
  form.submit();
}"""


class Host:
    """A copy of the site on a server that notes what is asked, and that can go away for good."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.asked: list[str] = []
        asked = self.asked

        class Noting(Handler):
            protocol_version = "HTTP/1.0"  # no connection outlives its answer

            def log_request(self, code: object = "-", size: object = "-") -> None:
                asked.append(self.path.split("?")[0].strip("/") or "index.html")

        handler = partial(Noting, directory=str(folder), prefix=PREFIX)
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self.origin = f"http://127.0.0.1:{self._server.server_address[1]}"
        self.address = f"{self.origin}{PREFIX}/"
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self._thread.start()

    def go_away(self) -> None:
        """Close the port."""
        if self._thread.is_alive():
            self._server.shutdown()
            self._thread.join()
            self._server.server_close()

    def change(self, path: str, change: Callable[[str], str]) -> None:
        """Change one file, as a new version of the site would."""
        file = self.folder / path
        before = file.read_text("utf-8")
        after = change(before)
        assert after != before
        file.write_text(after, "utf-8")


@pytest.fixture
def host(site: Path, tmp_path: Path) -> Iterator[Host]:
    folder = shutil.copytree(site, tmp_path / "site")
    place_worker(folder)
    started = Host(folder)
    yield started
    started.go_away()


@pytest.fixture
def visitor(browser: Browser, host: Host, guard: Any) -> Iterator[BrowserContext]:
    """A profile that may have service workers."""
    context = browser.new_context(locale="en-GB")
    context.set_default_timeout(SLOW_MS)
    guard.watch(context, host.origin)
    yield context
    context.close()
    assert not guard.left()


def is_kept(page: Page) -> None:
    page.locator("html[data-offline='kept']").wait_for(timeout=SLOW_MS)


def test_everything_works_with_the_server_gone(visitor: BrowserContext, host: Host, guard: Any) -> None:
    page = visitor.new_page()
    page.goto(host.address)
    page.evaluate(
        """async () => {
          for (const name of ['another project', 'image-to-fen /some/other/']) {
            await (await caches.open(name)).put('theirs', new Response('theirs'));
          }
        }"""
    )
    is_kept(page)
    expect(page.locator("#offline")).to_contain_text("works without a network")

    # The worker's own refusal, in a page that has no policy: of other origins, and of sending anything home.
    guard.allow("request off the origin: http://127|net::ERR_FAILED")
    (host.folder / "bare.html").write_text(BARE, "utf-8")
    with listening() as (outside, came):
        page.goto(f"{host.address}bare.html")
        tried = f"""Promise.all([
          fetch('{outside}', {{ mode: 'no-cors' }}), fetch('./', {{ method: 'POST', body: 'x' }}),
        ].map((asked) => asked.then(() => 'left', (error) => error.name)))"""
        assert page.evaluate(tried) == ["TypeError", "TypeError"]
        assert came == []

    host.go_away()
    page.goto(f"{host.address}?lang=el")
    expect(page.locator("html")).to_have_attribute("lang", "el", timeout=SLOW_MS)
    page.set_input_files("#file", EXAMPLE)
    fen = page.locator("#fen")
    expect(fen).to_have_value(READ, timeout=SLOW_MS)
    read = fen.input_value()
    # PyScript's worker, which starts from a blob, was served by the service worker too.
    assert any(worker.url.startswith("blob:") for worker in page.workers)
    for code in LANGUAGES:
        page.locator("#language").select_option(code)
        expect(page.locator("html")).to_have_attribute("lang", code, timeout=SLOW_MS)

    stored = page.evaluate(STORED)
    assert (stored["local"], stored["session"], stored["cookie"], stored["files"]) == (0, 0, "", [])
    assert visitor.cookies() == []
    # PyScript opens a database at its start and puts nothing into it.
    assert sum(stored["databases"].values()) == 0, stored["databases"]
    ours = f"image-to-fen {PREFIX}/"
    assert set(stored["caches"]) == {ours, "another project", "image-to-fen /some/other/"}
    assert all(len(stored["caches"][name]) == 1 for name in stored["caches"] if name != ours)
    for url in stored["caches"][ours]:
        assert (host.folder / url.removeprefix(host.address).split("?")[0]).is_file(), url

    # A picture from the phone's share menu, without a server.
    page.goto(host.address)
    page.locator("html[data-state='usable']").wait_for()
    page.evaluate(SHARE, "static/examples/screen.png")
    expect(page.locator("#viewer")).to_be_visible(timeout=SLOW_MS)
    expect(page.locator("#fen")).to_have_value(read, timeout=SLOW_MS)
    assert "shared" not in page.url

    for code in LANGUAGES:
        page.goto(f"{host.address}static/guide/{code}.html")
        expect(page.locator("html")).to_have_attribute("lang", code, timeout=SLOW_MS)
        expect(page.locator("h1").first).to_be_visible()
    page.goto(f"{host.address}embed.html#fen=4k3/8/8/8/8/8/8/4K3_w_-_-_0_1")
    expect(page.locator("#status[data-state='loading']")).to_have_count(0, timeout=SLOW_MS)
    expect(page.locator("#fen")).to_have_value("4k3/8/8/8/8/8/8/4K3 w - - 0 1")


def test_new_version_is_offered_and_one_file_fetched(visitor: BrowserContext, host: Host) -> None:
    visitor.add_init_script(NO_ENGINE)
    page = visitor.new_page()
    page.goto(host.address)
    is_kept(page)
    page.reload()
    is_kept(page)
    page.evaluate("window.mark = 'first'")

    host.change("static/i18n/vi.json", lambda text: text.replace("{", '{"ui.new": "second",', 1))
    place_worker(host.folder)
    host.asked.clear()
    page.evaluate("navigator.serviceWorker.getRegistration().then((found) => found.update())")
    expect(page.locator("#update")).to_contain_text("A new version is ready", timeout=SLOW_MS)
    assert sorted(set(host.asked)) == ["static/i18n/vi.json", "sw.js"]
    assert page.evaluate("window.mark") == "first"
    words = "fetch('static/i18n/vi.json').then((answer) => answer.text())"
    assert "second" not in page.evaluate(words)  # nothing changes under the person's hands
    page.locator("#update-now").click()
    page.wait_for_function("window.mark === undefined")
    is_kept(page)
    assert "second" in page.evaluate(words)
    versions = """async () => (await (await caches.open('image-to-fen /some/project/')).keys())
      .filter((request) => request.url.includes('/i18n/vi.json')).length"""
    page.wait_for_function(f"({versions})().then((n) => n === 1)")  # the older one is gone

    # A page that has changed itself is shown at once, with the parts that belong to it; nothing is asked.
    host.change("index.html", lambda text: text.replace("<title>", '<meta name="third"><title>'))
    host.change("static/app/help.js", lambda text: f"{text}\nglobalThis.third = true;\n")
    place_worker(host.folder)
    page.reload()
    page.locator("meta[name='third']").wait_for(state="attached")
    page.wait_for_function("globalThis.third === true")
    page.evaluate("window.mark = 'third'")
    active = "navigator.serviceWorker.getRegistration().then((r) => !r.waiting && !r.installing)"
    page.wait_for_function(active)
    is_kept(page)
    page.wait_for_function(active)
    expect(page.locator("#update")).to_be_hidden()
    assert page.evaluate("window.mark") == "third"
    host.go_away()
    page.reload()
    page.wait_for_function("globalThis.third === true")


def test_altered_file_is_not_kept(visitor: BrowserContext, host: Host, guard: Any) -> None:
    guard.allow("Failed|altered|not the file")
    visitor.add_init_script(NO_ENGINE)
    host.change("static/embed/words.js", lambda text: f"{text}\n// altered on the way\n")
    page = visitor.new_page()
    page.goto(host.address)
    page.locator("html[data-offline='failed']").wait_for()
    expect(page.locator("#offline")).to_contain_text("Everything else works")


@pytest.mark.parametrize(
    ("lacks", "kind"),
    [
        ("delete Navigator.prototype.serviceWorker", "unavailable"),
        (
            "if (navigator.serviceWorker) ServiceWorkerContainer.prototype.register = async () => "
            "{ throw new DOMException('denied', 'SecurityError'); }",
            "unavailable",
        ),
        ("Object.defineProperty(navigator, 'connection', { value: { saveData: true } })", "asked"),
    ],
)
def test_page_goes_on_where_nothing_is_kept(
    visitor: BrowserContext, host: Host, lacks: str, kind: str
) -> None:
    visitor.add_init_script(f"{NO_ENGINE}; {lacks}")
    page = visitor.new_page()
    page.goto(host.address)
    page.locator(f"html[data-offline='{kind}']").wait_for()
    page.fill("#fen", "4k3/8/8/8/8/8/8/4K3 w - - 0 1")
    expect(page.locator("[data-square='e8']")).to_have_attribute("data-piece", "k")
    assert "sw.js" not in host.asked
    if kind == "asked":
        page.locator("#offline").get_by_role("button", name=re.compile("Keep it")).click()
        is_kept(page)


def test_pictures_opened_with_the_installed_app_are_taken(visitor: BrowserContext, host: Host) -> None:
    visitor.add_init_script(
        NO_ENGINE
        + """;
        Object.defineProperty(window, 'launchQueue', { value: { setConsumer: async (take) => {
          const answer = await fetch('static/examples/screen.png');
          const file = new File([await answer.blob()], 'opened.png', { type: 'image/png' });
          take({ files: [{ getFile: async () => file }] });
        } } });"""
    )
    page = visitor.new_page()
    page.goto(host.address)
    expect(page.locator("#viewer")).to_be_visible(timeout=SLOW_MS)


def test_pdf_files_open_without_a_network_once_one_has_been_opened(
    visitor: BrowserContext, host: Host, tmp_path: Path
) -> None:
    book = tmp_path / "book.pdf"
    with Image.open(EXAMPLE) as picture:
        picture.convert("RGB").save(book, "PDF")
    page = visitor.new_page()
    page.goto(host.address)
    is_kept(page)
    assert not [path for path in host.asked if "pdfjs" in path]
    fen = page.locator("#fen")
    page.set_input_files("#file", book)
    expect(fen).to_have_value(READ, timeout=SLOW_MS)
    read = fen.input_value()
    kept = """async () => {
      const keys = await (await caches.open('image-to-fen /some/project/')).keys();
      return keys.filter(({ url }) => url.includes('/pdfjs-')).length >= 5;
    }"""
    page.wait_for_function(kept)
    host.go_away()
    page.goto(f"{host.address}?lang=en")
    page.locator("html[data-state='usable']").wait_for()
    page.set_input_files("#file", book)
    expect(fen).to_have_value(read, timeout=SLOW_MS)
