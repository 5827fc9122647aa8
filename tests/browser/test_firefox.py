"""Firefox, without any driver: the page runs by itself and posts what it saw to a server of the test."""

from __future__ import annotations

import base64
import hashlib
import http.server
import json
import queue
import shutil
import subprocess
import threading
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest
from serve import Handler

HERE = Path(__file__).parent
SCREEN = "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2Q1RK1"
LIMIT_S = 120
HAND_OVER = """
const field = document.querySelector('#fen');
const address = globalThis.besideSingle('../examples/screen.png', 'static/app/x.js');
const picture = await (await fetch(address)).blob();
const files = new DataTransfer();
files.items.add(new File([picture], 'screen.png', { type: 'image/png' }));
const input = document.querySelector('#file');
input.files = files.files;
input.dispatchEvent(new Event('change', { bubbles: true }));
const wait = setInterval(() => {
  // neither the starting position, which stands there at first, nor the empty board of a picture that waits
  if (!field.value.includes('K') || field.value.startsWith('rnbqkbnr/')) return;
  clearInterval(wait);
  fetch('SERVERreport', { method: 'POST', mode: 'no-cors', body: JSON.stringify({ fen: field.value }) });
}, 100);
"""


@pytest.fixture
def firefox() -> str:
    for name in ("firefox-esr", "firefox"):
        if path := shutil.which(name):
            return path
    pytest.skip("no Firefox on this machine; `build.py test --all` installs it where it can")


class Listening(Handler):
    """Serves the site, and takes the one report of the page."""

    reports: queue.Queue[dict[str, Any]]

    def do_POST(self) -> None:
        self._take(self.rfile.read(int(self.headers["Content-Length"])).decode())

    def do_GET(self) -> None:
        _, found, report = self.path.partition("/report?")
        if found:
            self._take(unquote(report))
        else:
            super().do_GET()

    def _take(self, report: str) -> None:
        self.reports.put(json.loads(report))
        self.send_response(204)
        self.send_header("Content-Length", "0")
        self.end_headers()


@pytest.fixture
def listening(site: Path) -> Iterator[tuple[str, queue.Queue[dict[str, Any]]]]:
    """The address of a server of the site, and the reports that come in."""
    Listening.reports = queue.Queue()
    handler = partial(Listening, directory=str(site), prefix="/ff")
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_address[1]}/ff/", Listening.reports
        server.shutdown()
        thread.join()


def visit(firefox: str, address: str, profile: Path, reports: queue.Queue[dict[str, Any]]) -> dict[str, Any]:
    """Open `address` in a fresh Firefox, wait for the report, close it."""
    profile.mkdir()
    command = [firefox, "--headless", "--no-remote", "--profile", str(profile), address]
    browser = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        seen = reports.get(timeout=LIMIT_S)
    finally:
        browser.terminate()
        browser.wait(30)
    assert "error" not in seen, seen["error"]
    return seen


@pytest.mark.long
def test_engine_starts_reads_and_lets_nothing_out(
    firefox: str,
    site: Path,
    tmp_path: Path,
    listening: tuple[str, queue.Queue[dict[str, Any]]],
    stranger: tuple[str, list[str]],
) -> None:
    page = (site / "engine-test.html").read_text("utf-8").replace("engine-page.js", "firefox-page.js")
    (site / "firefox-test.html").write_text(page, "utf-8")
    shutil.copyfile(HERE / "firefox-page.js", site / "firefox-page.js")
    server, reports = listening
    address, asked = stranger
    seen = visit(firefox, f"{server}firefox-test.html?stranger={address}", tmp_path / "profile", reports)
    for host in ("pyscript", "plain"):
        assert seen[host]["python"].startswith("3.14")
        assert seen[host]["fen"] == "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
        assert seen[host]["placement"] == SCREEN
    assert seen["stranger"] == "TypeError"
    assert asked == []


@pytest.mark.long
def test_the_tool_is_used_as_in_chromium(
    firefox: str, site: Path, tmp_path: Path, listening: tuple[str, queue.Queue[dict[str, Any]]]
) -> None:
    """Read, move a corner, place a man, undo, cure, change the language, save pictures and a list."""
    shutil.copyfile(HERE / "firefox-tool.js", site / "firefox-tool.js")
    page = (site / "index.html").read_text("utf-8")
    script = '<script type="module" src="firefox-tool.js"></script></body>'
    (site / "firefox-tool.html").write_text(page.replace("</body>", script), "utf-8")
    server, reports = listening
    seen = visit(firefox, f"{server}firefox-tool.html?lang=en", tmp_path / "profile", reports)
    words = json.loads((HERE.parents[1] / "static" / "i18n" / "gu.json").read_text("utf-8"))
    assert seen["read"].split()[0] == seen["moved"].split()[0] == SCREEN
    assert seen["placed"].split("/")[2].startswith("Q")
    assert seen["cured"] == "r3k2r/8/8/8/8/8/8/4K2R w Kkq - 0 1"
    assert seen["copy"] == words["action.copy"]
    assert seen["svg"]["type"].startswith("image/svg+xml")
    assert seen["png"]["type"] == "image/png"
    assert min(seen["svg"]["bytes"], seen["png"]["bytes"]) > 2000
    assert len(seen["list"]) == 3
    assert len(seen["caches"]) > 0


@pytest.mark.long
def test_the_embedded_checker_answers_its_page(
    firefox: str, site: Path, tmp_path: Path, listening: tuple[str, queue.Queue[dict[str, Any]]]
) -> None:
    shutil.copyfile(HERE / "firefox-embed.js", site / "firefox-embed.js")
    script = '<script type="module" src="firefox-embed.js"></script>'
    page = f"<!doctype html><title>host</title><body>{script}</body>"
    (site / "firefox-embed.html").write_text(page, "utf-8")
    server, reports = listening
    seen = visit(firefox, f"{server}firefox-embed.html", tmp_path / "profile", reports)
    words = json.loads((HERE.parents[1] / "static" / "i18n" / "bn.json").read_text("utf-8"))
    for way in ("plain", "sandbox"):
        assert seen[way]["code"] == "castling-impossible"
        assert seen[way]["title"] == words["problem.castling-impossible.title"]
        assert seen[way]["fixed"] == "4k3/8/8/8/8/8/8/4K3 w - - 0 1"
        assert seen[way]["value"] == seen[way]["fen"] == "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"
        assert seen[way]["height"] > 420


@pytest.mark.long
def test_single_file_reads_from_a_folder(
    firefox: str, tmp_path: Path, listening: tuple[str, queue.Queue[dict[str, Any]]]
) -> None:
    """The file as it is, but for one script that hands it a picture and may post the answer to the test."""
    from single import make_single

    server, reports = listening
    page = make_single(target=tmp_path / "image-to-fen.html").read_text("utf-8")
    script = HAND_OVER.replace("SERVER", server)
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    page = page.replace("script-src ", f"script-src 'sha256-{digest}' ", 1)
    page = page.replace("; connect-src ", f"; connect-src {server} ", 1)
    head, _, tail = page.rpartition("</body>")
    tried = tmp_path / "tried.html"
    tried.write_text(f'{head}<script type="module">{script}</script></body>{tail}', "utf-8")
    seen = visit(firefox, tried.as_uri(), tmp_path / "profile", reports)
    assert seen["fen"].split()[0] == SCREEN
