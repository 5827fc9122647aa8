"""Measure the site in Chromium: start-up, bytes on the wire, reading times, long tasks. Prints a table.

Where it stands: `build.py bench` runs `main` of this module with .venv's Python, which has Playwright.
What always holds: everything is measured in one batch against the same server, in turns; a figure is a median
of several runs; start-up is a ratio to a bare Pyodide worker that imports NumPy and Pillow from the same
compiled files; network time is not in it.
"""

from __future__ import annotations

import base64
import importlib
import io
import json
import os
import random
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

from assemble import make_site, wire_size
from common import ROOT, BuildError, say
from packages import chromium, ensure_python_packages
from serve import serving

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

KINDS = {
    "Python and its library": r"runtime/pyodide-[^/]+/(pyodide|python_stdlib|interpreter)",
    "NumPy": r"runtime/pyodide-[^/]+/numpy",
    "Pillow": r"runtime/pyodide-[^/]+/pillow",
    "PyScript": r"runtime/pyscript-|pyscript\.toml$",
    "ours: Python, weights, words": r"runtime/(engine|checker)-",
    "ours: the page": r".",
}
BARE = """
const started = performance.now();
const folder = new URL({folder}, location.href).href;
const source = `self.importScripts = undefined;
import('${{folder}}pyodide.mjs').then(async ({{ loadPyodide }}) => {{
  const pyodide = await loadPyodide({{ indexURL: '${{folder}}', packages: ['numpy', 'pillow'] }});
  pyodide.runPython('import numpy, PIL.Image');
  postMessage('ready');
}});`;
const worker = new Worker(URL.createObjectURL(new Blob([source], {{ type: 'text/javascript' }})));
worker.onmessage = () => {{
  performance.mark('engine-ready');
  document.querySelector('#state').dataset.state = 'ready';
}};
"""
WATCH = """
globalThis.longTasks = [];
new PerformanceObserver((list) => {
  for (const task of list.getEntries()) globalThis.longTasks.push(Math.round(task.duration));
}).observe({ type: 'longtask', buffered: true });
"""
READ = """async (text) => {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  globalThis.longTasks.length = 0;
  const started = performance.now();
  const reading = await window.engine.read(bytes);
  const ms = performance.now() - started;
  await new Promise((done) => setTimeout(done, 60));
  return { ms, boards: reading.boards.length, longest: Math.max(0, ...globalThis.longTasks) };
}"""
KEPT = """async () => {
  const registration = await navigator.serviceWorker?.getRegistration();
  if (registration) await navigator.serviceWorker.ready;
}"""
USABLE = """() => {
  const seen = performance.getEntriesByName('page-usable')[0];
  return seen ? seen.startTime : performance.getEntriesByType('navigation')[0].domContentLoadedEventEnd;
}"""


def run_bench(*, runs: int, wheels: Path | None) -> int:
    """Install what the bench needs, and run it with .venv's Python."""
    python = ensure_python_packages("dev")
    chromium()
    with tempfile.TemporaryDirectory() as work:
        site = make_site(Path(work) / "site", wheels=wheels)
        command = [str(python), str(Path(__file__)), str(site), str(runs)]
        return subprocess.run(command, cwd=ROOT, stdin=subprocess.DEVNULL, check=False).returncode


def main(site: Path, runs: int) -> int:
    """Measure the site that lies in `site`, and print the table."""
    from playwright.sync_api import sync_playwright

    _place_bench_pages(site)
    pictures = _pictures()
    arguments = ["--disable-background-networking", "--no-first-run"]
    if os.name == "posix" and os.geteuid() == 0:
        arguments.append("--no-sandbox")
    with serving(site, prefix="/bench") as address, sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=chromium(), args=arguments)
        figures = _start_up(browser, address, runs)
        wire = _bytes(browser, address, site)
        readings = _readings(browser, address, pictures, runs)
        version = browser.version
        browser.close()
    _print(figures, wire, readings, version, runs)
    return 0


def _place_bench_pages(site: Path) -> None:
    """Add the page of the bare worker and that of the engine alone."""
    tests = ROOT / "tests" / "browser"
    index = (site / "index.html").read_text("utf-8")
    policy = re.search(r'<meta http-equiv="Content-Security-Policy"[^>]*>', index)
    if not policy:
        raise BuildError("index.html has no policy")
    page = (tests / "engine.html").read_text("utf-8").replace("<!-- policy -->", policy[0])
    (site / "engine-test.html").write_text(page, "utf-8")
    shutil.copyfile(tests / "engine-page.js", site / "engine-page.js")
    (site / "bare.html").write_text(page.replace("engine-page.js", "bare.js"), "utf-8")
    (core,) = site.glob("runtime/pyodide-*")
    script = BARE.format(folder=json.dumps(f"{core.relative_to(site).as_posix()}/"))
    (site / "bare.js").write_text(script, "utf-8")


def _pictures() -> dict[str, bytes]:
    """Draw the standard pictures; the same ones on every machine."""
    sys.path[:0] = [str(ROOT), str(ROOT / "tests")]
    draw: Any = importlib.import_module("draw")
    wood = draw.THEMES["wood"]

    placements = (
        "r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R",
        "8/5pk1/4p1p1/3pP2p/1r1P1P1P/4K1P1/2R5/8",
    )
    rng = random.Random(7)
    large = draw.board(placements[0], square_px=100, theme=wood)
    screen = draw.in_window(draw.framed(large, "none"), (1600, 1000), rng)
    small = [draw.board(placements[i % 2], square_px=36, theme=wood) for i in range(8)]
    page = draw.on_page([draw.framed(one, "line") for one in small], 1240, rng, columns=2)
    photo = draw.photographed(draw.on_page([draw.framed(large, "line")], 1400, rng), rng, size=(4000, 3000))
    return {
        "a screenshot of 1.6 MP": _file(screen.image, "PNG"),
        "a photo of 12 MP": _file(photo.image, "JPEG"),
        "a page with 8 diagrams": _file(page.image, "PNG"),
    }


def _file(image: Any, kind: str) -> bytes:
    data = io.BytesIO()
    image.save(data, kind, quality=88)
    return data.getvalue()


def _visit(context: BrowserContext, address: str, usable: bool) -> dict[str, float]:
    """Open a page, wait until its engine is ready; return milliseconds from the start of the navigation."""
    page: Page = context.new_page()
    page.add_init_script(WATCH)
    page.goto(address)
    page.wait_for_function("performance.getEntriesByName('engine-ready').length > 0", timeout=120_000)
    result = {
        "ready": page.evaluate("performance.getEntriesByName('engine-ready')[0].startTime"),
        "longest": page.evaluate("Math.max(0, ...globalThis.longTasks)"),
    }
    if usable:
        result["usable"] = page.evaluate(USABLE)
        # A first visit keeps the files for later; the second must not have to compete with that.
        page.evaluate(KEPT)
    page.close()
    return result


def _start_up(browser: Browser, address: str, runs: int) -> dict[str, float]:
    """Return medians for the bare worker, the engine alone, and the whole page; cold, then warm."""
    pages = {"bare": "bare.html", "engine": "engine-test.html", "page": "index.html"}
    seen: dict[str, list[float]] = {}
    for _ in range(runs):
        for name, path in pages.items():
            context = browser.new_context()
            for visit in ("cold", "warm"):
                result = _visit(context, address + path, usable=name == "page")
                for key, value in result.items():
                    seen.setdefault(f"{name} {visit} {key}", []).append(value)
            context.close()
    return {key: statistics.median(values) for key, values in seen.items()}


def _bytes(browser: Browser, address: str, site: Path) -> dict[str, int]:
    """Return what a first visit asks for, in bytes on the wire (gzip), by kind."""
    context = browser.new_context()
    asked: set[str] = set()
    context.on("request", lambda request: asked.add(request.url.split("?")[0].split("#")[0]))
    _visit(context, f"{address}index.html", usable=False)
    context.close()
    wire = dict.fromkeys(KINDS, 0)
    for url in asked:
        path = url.removeprefix(address)
        if url.startswith(address) and (site / path).is_file():
            kind = next(name for name, pattern in KINDS.items() if re.match(pattern, path))
            wire[kind] += wire_size(site / path)
    return wire


def _readings(
    browser: Browser, address: str, pictures: dict[str, bytes], runs: int
) -> dict[str, dict[str, float]]:
    """Return median milliseconds of one reading, from bytes to FEN, with the engine warm."""
    context = browser.new_context()
    page = context.new_page()
    page.add_init_script(WATCH)
    page.goto(f"{address}engine-test.html")
    page.locator("#state[data-state='ready']").wait_for(timeout=120_000)
    result = {}
    for name, data in pictures.items():
        text = base64.b64encode(data).decode()
        page.evaluate(READ, text)
        seen = [page.evaluate(READ, text) for _ in range(runs)]
        result[name] = {key: statistics.median(one[key] for one in seen) for key in seen[0]}
    context.close()
    return result


def _print(
    figures: dict[str, float],
    wire: dict[str, int],
    readings: dict[str, dict[str, float]],
    version: str,
    runs: int,
) -> None:
    line: Callable[[str, str], None] = lambda name, value: say(f"| {name} | {value} |")  # noqa: E731
    say(f"\n{date.today()}, Chromium {version}, {os.cpu_count()} cores, medians of {runs} runs\n")
    line("what", "figure")
    line("---", "---")
    for visit in ("cold", "warm"):
        bare, engine = figures[f"bare {visit} ready"], figures[f"engine {visit} ready"]
        page = figures[f"page {visit} ready"]
        line(f"bare Pyodide with NumPy and Pillow, {visit}", f"{bare:.0f} ms")
        line(f"engine ready, {visit}", f"{engine:.0f} ms, {engine / bare:.2f} of bare")
        line(f"engine ready within the page, {visit}", f"{page:.0f} ms, {page / bare:.2f} of bare")
        line(f"the page answers, {visit}", f"{figures[f'page {visit} usable']:.0f} ms")
        line(
            f"longest task of the main thread while loading, {visit}",
            f"{figures[f'page {visit} longest']:.0f} ms",
        )
    for name, size in wire.items():
        line(f"on the wire: {name}", f"{size / 1e6:.2f} MB")
    line("on the wire until the first reading", f"{sum(wire.values()) / 1e6:.2f} MB")
    for name, seen in readings.items():
        line(f"reading {name}", f"{seen['ms']:.0f} ms ({seen['boards']:.0f} found)")
        line(f"longest task of the main thread meanwhile ({name})", f"{seen['longest']:.0f} ms")


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), int(sys.argv[2])))
