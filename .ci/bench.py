"""Measure the site in Chromium: start-up, bytes on the wire, readings, long tasks, memory. Prints a table.

Where it stands: above `bench_stage`; `build.py bench` runs `main` of this module with .venv's Python, which
has Playwright.
What always holds: everything is measured in one batch against the same server, in turns; a figure is a median
of several runs; start-up is a ratio to a bare Pyodide worker that imports NumPy and Pillow from the same
compiled files; network time is not in it; how busy the machine was is printed with the figures.
"""

from __future__ import annotations

import base64
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

import bench_stage as stage
from assemble import make_site
from common import ROOT, say
from packages import chromium, ensure_python_packages
from serve import serving
from sizes import ours, visit_sizes

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

Figures = dict[str, float]
# Large pictures in a row for the figure of memory; a test marked `long` reads a hundred.
IN_A_ROW = 10
PHOTO = "a photo of 12 MP"
SCREENSHOT = "a screenshot of 1.6 MP"
PATIENCE_MS = 240_000


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

    stage.place_pages(site)
    pictures = stage.pictures()
    load = [_load()]
    arguments = ["--disable-background-networking", "--no-first-run"]
    if os.name == "posix" and os.geteuid() == 0:
        arguments.append("--no-sandbox")
    with serving(site, prefix="/bench") as address, sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=chromium(), args=arguments)
        figures = _start_up(browser, address, runs)
        wire = _bytes(browser, address, site)
        readings, inside = _readings(browser, address, site, pictures, runs)
        version = browser.version
        browser.close()
    load.append(_load())
    say(
        f"\n{date.today()}, Chromium {version}, {os.cpu_count()} cores, medians of {runs} runs; processes "
        f"that ran or waited: {load[0]:.1f} before, {load[1]:.1f} after\n"
    )
    _print(figures, wire, readings, inside)
    return 0


def _load() -> float:
    """Return how many processes ran or waited in the last minute; 0 where the system does not say."""
    return os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0


def _visit(context: BrowserContext, address: str, *, whole: bool) -> Figures:
    """Open a page, wait until its engine is warm; return milliseconds from the start of the navigation."""
    page: Page = context.new_page()
    page.add_init_script(stage.WATCH)
    page.goto(address)
    page.wait_for_function("performance.getEntriesByName('engine-warm').length > 0", timeout=PATIENCE_MS)
    result = {
        "ready": page.evaluate(stage.MARK, "engine-ready"),
        "warm": page.evaluate(stage.MARK, "engine-warm"),
        "longest": page.evaluate("Math.max(0, ...globalThis.longTasks)"),
    }
    if whole:
        result["usable"] = page.evaluate(stage.MARK, "page-usable")
        page.evaluate(stage.KEPT)
    page.close()
    return result


def _start_up(browser: Browser, address: str, runs: int) -> Figures:
    """Return medians for the bare worker, the engine alone, and the page: cold, warm, without a network."""
    pages = {"bare": "bare.html", "engine": "engine-test.html", "page": "index.html"}
    seen: dict[str, list[float]] = {}
    for _ in range(runs):
        for name, path in pages.items():
            context = browser.new_context()
            visits = ("cold", "warm", "offline") if name == "page" else ("cold", "warm")
            for visit in visits:
                context.set_offline(visit == "offline")
                for key, value in _visit(context, address + path, whole=name == "page").items():
                    seen.setdefault(f"{name} {visit} {key}", []).append(value)
            context.close()
    return {key: statistics.median(values) for key, values in seen.items()}


def _bytes(browser: Browser, address: str, site: Path) -> dict[str, int]:
    """Return what a first visit asks for, in bytes on the wire (gzip), by kind."""
    context = browser.new_context(service_workers="block")
    asked: list[str] = []
    context.on("request", lambda request: asked.append(request.url))
    _visit(context, f"{address}index.html", whole=False)
    context.close()
    return visit_sizes(site, address, asked)


def _readings(
    browser: Browser, address: str, site: Path, pictures: dict[str, bytes], runs: int
) -> tuple[dict[str, dict[str, Any]], Figures]:
    """Return medians of a reading of each picture, from bytes to FEN, and figures from inside the worker."""
    context = browser.new_context(service_workers="block")
    page = context.new_page()
    page.add_init_script(stage.WATCH)
    worker = stage.engine_with_inside(site)
    page.route("**/static/engine/worker.py", lambda route: route.fulfill(body=worker))
    page.goto(f"{address}engine-test.html")
    page.wait_for_function("performance.getEntriesByName('engine-warm').length > 0", timeout=PATIENCE_MS)
    page.set_default_timeout(PATIENCE_MS)
    inside = {"memory at first": _memory(page)}
    result: dict[str, dict[str, Any]] = {}
    for name, data in pictures.items():
        text = base64.b64encode(data).decode()
        first = page.evaluate(stage.READ, text)
        seen = [page.evaluate(stage.READ, text) for _ in range(runs)]
        result[name] = {
            key: statistics.median(one[key] for one in seen) for key in ("ms", "boards", "longest")
        }
        result[name]["first"] = first["ms"]
        result[name]["stages"] = {
            part: statistics.median(one["stages"].get(part, 0) for one in seen) for part in seen[0]["stages"]
        }
    board = page.evaluate(
        "async (t) => "
        "(await engine.read(Uint8Array.from(atob(t), (c) => c.charCodeAt(0)))).boards[0].corners",
        base64.b64encode(pictures[SCREENSHOT]).decode(),
    )
    inside["64 squares"] = page.evaluate(
        "([t, corners, n]) => engine.call('bench.squares', "
        "[Uint8Array.from(atob(t), (c) => c.charCodeAt(0)), corners, n])",
        [base64.b64encode(pictures[SCREENSHOT]).decode(), board, 2 * runs + 1],
    )
    inside["check"] = page.evaluate("(texts) => engine.call('bench.checks', [texts, 21])", list(stage.FENS))
    page.evaluate(stage.CHECK, list(stage.FENS))
    inside["check, asked by the page"] = statistics.median(
        page.evaluate(stage.CHECK, list(stage.FENS) * runs)
    )
    photo = base64.b64encode(pictures[PHOTO]).decode()
    for _ in range(IN_A_ROW):
        page.evaluate(stage.READ, photo)
    inside["memory after"] = _memory(page)
    context.close()
    return result, inside


def _memory(page: Page) -> float:
    """Return the bytes that WebAssembly holds."""
    held: float = page.evaluate("window.engine.call('memory')")["bytes"]
    return held


def _print(
    figures: Figures, wire: dict[str, int], readings: dict[str, dict[str, Any]], inside: Figures
) -> None:
    line: Callable[[str, str], None] = lambda name, value: say(f"| {name} | {value} |")  # noqa: E731
    line("what", "figure")
    line("---", "---")
    for name, size in wire.items():
        line(f"on the wire: {name}", f"{size / 1e6:.2f} MB")
    total = f"{sum(wire.values()) / 1e6:.2f} MB, {ours(wire) / 1e6:.2f} MB of it ours"
    line("on the wire until the first reading", total)
    for visit in ("cold", "warm"):
        bare = figures[f"bare {visit} warm"]
        line(f"bare Pyodide with NumPy and Pillow imported, {visit}", f"{bare:.0f} ms")
        for name, words in (("engine", "the engine alone"), ("page", "the engine within the page")):
            ready, warm = figures[f"{name} {visit} ready"], figures[f"{name} {visit} warm"]
            line(f"{words} answers, {visit}", f"{ready:.0f} ms, {ready / bare:.2f} of bare")
            line(f"{words} has all imported, {visit}", f"{warm:.0f} ms, {warm / bare:.2f} of bare")
        line(f"the page answers, {visit}", f"{figures[f'page {visit} usable']:.0f} ms")
        longest = figures[f"page {visit} longest"]
        line(f"longest task of the main thread while loading, {visit}", f"{longest:.0f} ms")
    for key, words in (
        ("usable", "the page answers"),
        ("warm", "the engine within the page has all imported"),
    ):
        away = figures[f"page offline {key}"]
        line(
            f"{words}, without a network", f"{away:.0f} ms, {away / figures[f'page warm {key}']:.2f} of warm"
        )
    for name, seen in readings.items():
        line(
            f"reading {name}",
            f"{seen['ms']:.0f} ms ({seen['boards']:.0f} found), at first {seen['first']:.0f}",
        )
        parts = ", ".join(f"{part} {ms:.0f}" for part, ms in seen["stages"].items())
        line(f"its stages ({name})", f"{parts} ms")
        line(f"longest task of the main thread meanwhile ({name})", f"{seen['longest']:.0f} ms")
    line("64 squares alone, by Python's clock", f"{inside['64 squares']:.0f} ms")
    line("one FEN checked, by Python's clock", f"{inside['check']:.2f} ms")
    line("one FEN checked, asked by the page", f"{inside['check, asked by the page']:.2f} ms")
    line("WebAssembly's memory at first", f"{inside['memory at first'] / 1e6:.0f} MB")
    line(
        f"WebAssembly's memory after {IN_A_ROW} photos of 12 MP more",
        f"{inside['memory after'] / 1e6:.0f} MB",
    )


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), int(sys.argv[2])))
