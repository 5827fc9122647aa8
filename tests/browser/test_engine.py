"""The engine in a real browser: it starts, answers, lets nothing out, survives its own death."""

from __future__ import annotations

import base64

import pytest
from playwright.sync_api import Page

READ = """async ([text, options]) => {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const stages = [];
  const reading = await window.engine.read(bytes, options, (progress) => stages.push(progress));
  return { reading, stages };
}"""
START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"


def test_starts_in_pyscript_and_checks(engine_page: Page) -> None:
    info = engine_page.evaluate("window.engine.ready")
    assert info["host"] == "pyscript"
    assert info["python"].startswith("3.14")
    answer = engine_page.evaluate(f"window.engine.check('{START}')")
    assert answer["fen"] == START
    assert answer["problems"] == []


def test_loading_is_told_in_bytes_and_never_falls(engine_page: Page) -> None:
    told = engine_page.evaluate("window.loading")
    shares = [entry["share"] for entry in told]
    assert shares == sorted(shares)
    assert shares[-1] == 1
    assert list(dict.fromkeys(entry["stage"] for entry in told)) == [
        "download",
        "start",
        "ready",
    ]
    assert 5e6 < told[0]["total"] < 14e6
    assert len(told) > 20


def test_reads_a_drawn_picture(engine_page: Page, empty_board_png: bytes) -> None:
    answer = engine_page.evaluate(READ, [base64.b64encode(empty_board_png).decode(), {}])
    assert answer["reading"]["size"] == [720, 600]
    assert answer["reading"]["error"] is None
    stages = [entry["stage"] for entry in answer["stages"]]
    assert stages[0] == "decode"
    assert stages[-1] == "check"


def test_unusable_file_is_a_coded_error(engine_page: Page) -> None:
    said = engine_page.evaluate(
        """window.engine.read(new Uint8Array([1, 2, 3]))
          .then(() => 'read', (error) => [error.name, error.code])"""
    )
    assert said[0] == "EngineError"
    assert said[1] not in {"internal", "worker-died"}


def test_unknown_call_is_refused(engine_page: Page) -> None:
    said = engine_page.evaluate(
        "window.engine.call('os.system', ['ls']).then(() => 'ran', (error) => error.code)"
    )
    assert said == "unknown-call"


def test_nothing_leaves_the_worker(engine_page: Page, guard) -> None:
    """A fetch to another origin is refused inside the worker itself, by the page's policy."""
    guard.allow(r"Content Security Policy|policy: connect-src|127\.0\.0\.2")
    worker = next(worker for worker in engine_page.workers if worker.url.startswith("blob:"))
    refused = worker.evaluate("fetch('http://127.0.0.2:9/').then(() => 'left', (error) => error.name)")
    assert refused == "TypeError"
    assert any("Content Security Policy" in slip for slip in guard.slips)


def test_newer_job_replaces_older(engine_page: Page) -> None:
    said = engine_page.evaluate(
        """async () => {
          const check = () => window.engine.check('8/8/8/8/8/8/8/8 w - - 0 1');
          const first = check().then(() => 'kept', (error) => error.code);
          const second = check().then(() => 'done', (error) => error.code);
          return [await first, await second];
        }"""
    )
    assert said == ["replaced", "done"]


def test_calls_before_ready_wait(page: Page, server: str) -> None:
    page.goto(f"{server}engine-test.html?mode=checker")
    assert page.evaluate(f"window.engine.check('{START}')")["fen"] == START
    assert page.evaluate("window.engine.state.state") == "ready"


@pytest.mark.parametrize("host", ["pyscript", "plain"])
def test_dead_worker_is_replaced(page: Page, server: str, host: str, empty_board_png: bytes) -> None:
    page.goto(f"{server}engine-test.html?host={host}")
    page.locator("#state[data-state='ready']").wait_for()
    worker = next(worker for worker in page.workers if worker.url.startswith("blob:"))
    worker.evaluate("setTimeout(() => self.close(), 0)")
    answer = page.evaluate(READ, [base64.b64encode(empty_board_png).decode(), {}])
    assert answer["reading"]["size"] == [720, 600]
    states = [state.get("code") or state["state"] for state in page.evaluate("window.states")]
    assert states == ["loading", "ready", "worker-died", "loading", "ready"]


def test_checker_mode_loads_no_numpy(page: Page, server: str) -> None:
    asked: list[str] = []
    page.context.on("request", lambda request: asked.append(request.url))
    page.goto(f"{server}engine-test.html?mode=checker")
    page.locator("#state[data-state='ready']").wait_for()
    assert page.evaluate(f"window.engine.check('{START}')")["fen"] == START
    names = [address.rsplit("/", 1)[-1] for address in asked]
    assert not [
        name
        for name in names
        if name.startswith(("numpy", "pillow", "engine-")) and name.endswith((".whl", ".zip"))
    ]
