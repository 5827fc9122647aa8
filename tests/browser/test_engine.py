"""The engine in a real browser: it starts, answers, lets nothing out, survives its own death."""

from __future__ import annotations

import base64
import io
import re
from typing import Any

import pytest
from PIL import Image
from playwright.sync_api import Page

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
# Pictures in a row, and how much of WebAssembly's memory they may take: it never gives any back.
MANY = 100
LARGEST_MEMORY = 400e6
READ = """async (text) => {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const stages = [];
  const reading = await window.engine.read(bytes, {}, (progress) => stages.push(progress));
  return { reading, stages };
}"""


def read(page: Page, picture: bytes) -> dict[str, Any]:
    answer: dict[str, Any] = page.evaluate(READ, base64.b64encode(picture).decode())
    return answer


def code_of(page: Page, call: str) -> str | None:
    """Run one call of the engine; return the code it fails with, None when it succeeds."""
    code: str | None = page.evaluate(
        f"window.engine.{call}.then(() => null, (error) => error.code ?? 'no code')"
    )
    return code


def test_pyscript_starts_and_answers(engine_page: Page, empty_board_png: bytes) -> None:
    info = engine_page.evaluate("window.engine.ready")
    assert info["host"] == "pyscript"
    assert info["python"].startswith("3.14")
    answer = engine_page.evaluate(f"window.engine.check('{START}')")
    assert answer["fen"] == START
    assert answer["problems"] == []

    reading = read(engine_page, empty_board_png)
    assert reading["reading"]["size"] == [720, 600]
    assert reading["reading"]["error"] is None
    stages = [entry["stage"] for entry in reading["stages"]]
    assert stages[0] == "decode"
    assert stages[-1] == "check"

    # No word of PyScript's own goes to another place, and no index of packages is asked.
    told = engine_page.evaluate("window.loading")
    shares = [entry["share"] for entry in told]
    assert shares == sorted(shares)
    assert shares[-1] == 1
    assert list(dict.fromkeys(entry["stage"] for entry in told)) == ["download", "start", "ready"]
    assert told[0]["total"] < 13.5e6
    assert len(told) > 10


def test_bad_calls_are_coded_errors(page: Page, server: str) -> None:
    page.goto(f"{server}engine-test.html?host=plain")
    # Not ready yet: the calls wait.
    assert code_of(page, "read(new Uint8Array([1, 2, 3]))") not in {
        None,
        "no code",
        "internal",
        "worker-died",
    }
    assert code_of(page, "call('os.system', ['ls'])") == "unknown-call"
    said = page.evaluate(
        """async () => {
          const check = () => window.engine.check('8/8/8/8/8/8/8/8 w - - 0 1');
          const first = check().then(() => 'kept', (error) => error.code);
          const second = check().then(() => 'done', (error) => error.code);
          const third = window.engine.call('check', ['']);
          window.engine.cancel(third.id);
          return [await first, await second, await third.then(() => 'done', (error) => error.code)];
        }"""
    )
    assert said == ["replaced", "replaced", "cancelled"]
    page.evaluate("window.engine.dispose()")
    assert page.evaluate("window.engine.state.state") == "disposed"


@pytest.mark.parametrize("host", ["pyscript", "plain"])
def test_nothing_leaves_the_worker(
    page: Page, server: str, stranger: tuple[str, list[str]], guard: Any, host: str
) -> None:
    """Another origin is refused inside the worker itself, from JavaScript and so from Python."""
    # The browser names each attempt, and refuses it: `asked` stays empty.
    guard.allow(r"Content Security Policy|policy: connect-src|request off the origin: http://127")
    address, asked = stranger
    page.goto(f"{server}engine-test.html?host={host}")
    page.locator("#state[data-state='ready']").wait_for()
    worker = next(worker for worker in page.workers if worker.url.startswith("blob:"))
    assert (
        worker.evaluate(f"fetch('{address}fetch').then(() => 'left', (error) => error.name)") == "TypeError"
    )
    sent = (
        f"new Promise((done) => {{ const request = new XMLHttpRequest(); request.open('GET', '{address}xhr');"
    )
    sent += "request.onload = () => done('left'); request.onerror = () => done('refused'); request.send(); })"
    assert worker.evaluate(sent) == "refused"
    assert asked == []


@pytest.mark.parametrize("host", ["pyscript", "plain"])
def test_dead_worker_is_replaced(page: Page, server: str, host: str, empty_board_png: bytes) -> None:
    page.goto(f"{server}engine-test.html?host={host}")
    page.locator("#state[data-state='ready']").wait_for()
    worker = next(worker for worker in page.workers if worker.url.startswith("blob:"))
    worker.evaluate("setTimeout(() => self.close(), 0)")
    assert read(page, empty_board_png)["reading"]["size"] == [720, 600]
    states = [state.get("code") or state["state"] for state in page.evaluate("window.states")]
    assert states == ["loading", "ready", "worker-died", "loading", "ready"]


def test_plain_pyodide_takes_over_where_pyscript_does_not_run(page: Page, server: str, guard: Any) -> None:
    guard.allow("ERR_FAILED|Failed to fetch")
    page.route("**/runtime/pyscript-*/core.js", lambda route: route.abort())
    page.goto(f"{server}engine-test.html")
    assert page.evaluate("window.engine.ready")["host"] == "plain"
    assert page.evaluate(f"window.engine.check('{START}')")["fen"] == START


def test_checker_alone_loads_no_numpy(page: Page, server: str) -> None:
    asked: list[str] = []
    page.context.on("request", lambda request: asked.append(request.url))
    page.goto(f"{server}engine-test.html?mode=checker")
    assert page.evaluate(f"window.engine.check('{START}')")["fen"] == START
    names = [address.rsplit("/", 1)[-1] for address in asked]
    assert [name for name in names if name.startswith("checker-")]
    assert not [name for name in names if re.match(r"numpy|pillow|engine-.*zip", name)]


def test_running_job_gives_way_to_a_newer_one(engine_page: Page) -> None:
    """The older stops between two stages; the worker is not ended for it, and a check need not wait."""
    said = engine_page.evaluate(
        """async () => {
          const picture = await (await fetch('static/examples/photo.jpg')).arrayBuffer();
          let begun = () => {};
          const running = new Promise((resolve) => { begun = resolve; });
          const older = window.engine.read(picture, {}, begun).then(() => 'read', (error) => error.code);
          await running;
          const newer = window.engine.read(picture);
          const checked = await window.engine.check('8/8/8/8/8/8/8/8 w - - 0 1');
          return [await older, (await newer).error, checked.fen];
        }"""
    )
    assert said == ["replaced", None, "8/8/8/8/8/8/8/8 w - - 0 1"]
    assert [state["state"] for state in engine_page.evaluate("window.states")] == ["loading", "ready"]


@pytest.mark.long
def test_memory_does_not_grow_with_large_pictures(engine_page: Page) -> None:
    picture = Image.effect_noise((4000, 3000), 40).convert("RGB")
    board = Image.effect_mandelbrot((900, 900), (-2, -1.5, 1, 1.5), 60).convert("RGB")
    picture.paste(board, (600, 500))
    data = io.BytesIO()
    picture.save(data, "JPEG", quality=80)
    text = base64.b64encode(data.getvalue()).decode()
    held = []
    for _ in range(MANY):
        engine_page.evaluate(READ, text)
        held.append(engine_page.evaluate("window.engine.call('memory')")["bytes"])
    print(
        f"WebAssembly holds {held[9] / 1e6:.0f} MB after 10 pictures of 12 MP, "
        f"{held[-1] / 1e6:.0f} MB after {MANY}"
    )
    assert held[-1] == held[9]
    assert held[-1] < LARGEST_MEMORY


@pytest.mark.long
def test_reloads_and_restarts_leave_nothing_behind(page: Page, server: str, empty_board_png: bytes) -> None:
    """One worker lives at a time, and the page's own memory does not grow from visit to visit."""
    devtools = page.context.new_cdp_session(page)
    devtools.send("Performance.enable")

    def held() -> dict[str, float]:
        devtools.send("HeapProfiler.collectGarbage")
        metrics = devtools.send("Performance.getMetrics")["metrics"]
        return {entry["name"]: entry["value"] for entry in metrics}

    seen = []
    for _ in range(6):
        page.goto(f"{server}engine-test.html")
        page.locator("#state[data-state='ready']").wait_for()
        read(page, empty_board_png)
        assert len(page.workers) == 1
        seen.append(held())
    for name in ("JSHeapUsedSize", "Nodes", "Documents", "JSEventListeners"):
        assert seen[-1][name] <= seen[1][name] * 1.1 + 2, f"{name}: {[one[name] for one in seen]}"

    for _ in range(4):
        assert page.evaluate("window.engine.restart()")["host"] == "pyscript"
        read(page, empty_board_png)
    assert len(page.workers) == 1
    assert page.evaluate("document.querySelectorAll('script[type=py]').length") == 1
    assert held()["JSHeapUsedSize"] <= seen[-1]["JSHeapUsedSize"] * 1.5 + 2e6


@pytest.mark.parametrize(
    ("spoilt", "code"),
    [
        (("missing", "runtime/*/numpy*.whl"), "runtime-missing"),
        (("altered", "runtime/*/pillow*.whl"), "runtime-altered"),
        (("missing", "runtime/*/pyodide.asm.wasm"), "runtime-missing"),
    ],
    indirect=["spoilt"],
)
def test_spoilt_runtime_is_named(page: Page, server: str, guard: Any, spoilt: str, code: str) -> None:
    guard.allow("404|integrity|digest|Failed|wasm|Load|Error|error")
    page.goto(f"{server}engine-test.html?host=plain")
    page.locator(f"#state[data-code='{code}']").wait_for()
    assert page.evaluate("window.engine.state.params.file") == spoilt
    assert code_of(page, "check('')") == code
