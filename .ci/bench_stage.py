"""What the bench measures with: its pages, its pictures, and the scripts that run in them.

Where it stands: below `bench`.
What always holds: the pictures are drawn, the same ones on every machine; the bare worker starts from the
very files of the site.
"""

from __future__ import annotations

import importlib
import io
import json
import random
import re
import shutil
import sys
from pathlib import Path
from typing import Any

from common import ROOT, BuildError

BARE = """
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
  performance.mark('engine-warm');
}};
"""
WATCH = """
globalThis.longTasks = [];
new PerformanceObserver((list) => {
  for (const task of list.getEntries()) globalThis.longTasks.push(Math.round(task.duration));
}).observe({ type: 'longtask', buffered: true });
"""
# One reading from bytes to FEN: milliseconds, boards, the stages' own times, the longest task meanwhile.
READ = """async (text) => {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  globalThis.longTasks.length = 0;
  const begun = [];
  const started = performance.now();
  const reading = await window.engine.read(bytes, {}, ({ stage }) => {
    if (begun.at(-1)?.[0] !== stage) begun.push([stage, performance.now()]);
  });
  const ended = performance.now();
  const stages = {};
  begun.forEach(([stage, at], i) => {
    stages[stage] = (stages[stage] ?? 0) + (begun[i + 1]?.[1] ?? ended) - at;
  });
  await new Promise((done) => setTimeout(done, 60));
  const longest = Math.max(0, ...globalThis.longTasks);
  return { ms: ended - started, boards: reading.boards.length, stages, longest };
}"""
CHECK = """async (texts) => {
  const times = [];
  for (const text of texts) {
    const started = performance.now();
    await window.engine.check(text);
    times.push(performance.now() - started);
  }
  return times;
}"""
# A first visit keeps the files for later; what is measured next must not have to compete with that.
KEPT = """async () => {
  const registration = await navigator.serviceWorker?.getRegistration();
  if (registration) await navigator.serviceWorker.ready;
}"""
MARK = "(name) => performance.getEntriesByName(name)[0]?.startTime ?? null"
# Runs beside the engine in its worker: the squares of one board, and one check, each by Python's own clock.
INSIDE = '''
import engine as _engine, sys as _sys, types as _types

_bench = _types.ModuleType("bench_inside")
exec("""
import time
def _median(call, times):
    seen = []
    for _ in range(times):
        started = time.perf_counter()
        call()
        seen.append((time.perf_counter() - started) * 1000)
    return sorted(seen)[times // 2]
def squares(data, corners, times):
    from fen_core import classify, image
    pixels = image.load(data)
    return _median(lambda: classify.squares(pixels, corners), times)
def checks(texts, times):
    from fen_core.check import check
    return sum(_median(lambda text=text: check(text).to_json(), times) for text in texts) / len(texts)
""", _bench.__dict__)
_sys.modules["bench_inside"] = _bench
_engine.CALLS["bench.squares"] = "bench_inside:squares"
_engine.CALLS["bench.checks"] = "bench_inside:checks"
'''
FENS = (
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4",
    "r3k2r/8/8/8/8/8/8/4K2R w KQkq - 0 1",
    "8/5pk1/4p1p1/3pP2p/1r1P1P1P/4K1P1/2R5/8 b - - 2 40",
    "4k3/4p3/3K4/8/8/8/8/8 w - - 0 1",
)


def place_pages(site: Path) -> None:
    """Add to `site` the page of the bare worker and that of the engine alone."""
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


def engine_with_inside(site: Path) -> str:
    """Return worker.py with what measures inside the worker."""
    text = (site / "static" / "engine" / "worker.py").read_text("utf-8")
    if text.count("engine.start()") != 1:
        raise BuildError("worker.py must start the engine once")
    return text.replace("engine.start()", f"{INSIDE}\nengine.start()")


def pictures() -> dict[str, bytes]:
    """Draw the standard pictures."""
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
