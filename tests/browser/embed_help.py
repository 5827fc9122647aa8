"""What the tests of the embedded checker share: patience, texts, and what axe says."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import BrowserContext, Frame, Page

from packages import npm_package  # isort: skip - from .ci, put on the path by conftest

LANGUAGES = ("en", "el", "vi", "gu", "pt-BR", "bn")
START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
LOST_RIGHTS = "r3k2r/8/8/8/8/8/8/4K2R w KQkq - 0 1"  # no rook on a1
WIDE_RANK = "rnbqkbnr/pppppppp/8/8/8/81/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
HEARING = """
window.said = [];
const frame = () => document.querySelector('iframe');
addEventListener('message', (event) => {
  if (event.source === frame()?.contentWindow) said.push({ origin: event.origin, ...event.data });
});
window.send = (message, target = '*') => frame().contentWindow.postMessage(message, target);
"""  # what every host's page begins with: it keeps what its frame says, and can speak to it
SLOW_MS = 150_000  # Python's start on a machine that is busy otherwise


def patient_page(context: BrowserContext) -> Page:
    """Return a page that waits long enough for a busy machine."""
    page = context.new_page()
    page.set_default_timeout(SLOW_MS)
    return page


def until(page: Page | Frame, script: str) -> Any:
    """Wait until the script, a function, returns something true; return that. Needs no eval in the page."""
    return page.evaluate(
        f"""async () => {{
          const found = {script};
          const end = performance.now() + {SLOW_MS};
          for (;;) {{
            const value = await found();
            if (value) return value;
            if (performance.now() > end) throw new Error('waited in vain for ' + found);
            await new Promise((resolve) => setTimeout(resolve, 50));
          }}
        }}"""
    )


def run_axe(page: Page | Frame) -> list[str]:
    """Return what axe finds: rule and place."""
    page.evaluate((npm_package("axe-core") / "axe.min.js").read_text("utf-8") + "; 0")
    found = page.evaluate("axe.run(document, { resultTypes: ['violations'] })")
    return [f"{rule['id']}: {node['target']}" for rule in found["violations"] for node in rule["nodes"]]


def ready(frame: Page | Frame) -> None:
    """Wait until Python answers in the checker."""
    frame.locator("#status[data-state='ready']").wait_for(state="attached")


def settled(frame: Page | Frame, code: str) -> None:
    """Wait until a finding of this code is listed."""
    frame.locator(f"#findings [data-code='{code}']").first.wait_for()
