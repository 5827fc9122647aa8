"""What a first visit costs: bytes on the wire until the first reading, ours among them, and the weights."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import Page, expect

import sizes  # isort: skip - from .ci, put on the path by conftest

ROOT = Path(__file__).resolve().parents[2]
READ = re.compile(r"^(?!rnbqkbnr/pppppppp/8/8/)(?!8/8/8/8/8/8/8/8).+/")
SLOW_MS = 150_000


def test_first_reading_costs_no_more_than_it_may(page: Page, server: str, site: Path) -> None:
    asked: list[str] = []
    page.context.on("request", lambda request: asked.append(request.url))
    page.goto(server)
    page.locator("html[data-state='usable']").wait_for(timeout=SLOW_MS)
    page.set_input_files("#file", ROOT / "static" / "examples" / "screen.png")
    expect(page.locator("#fen")).to_have_value(READ, timeout=SLOW_MS)
    wire = sizes.visit_sizes(site, server, asked)
    # All kinds were seen: else a part was asked for under a name that this does not know.
    assert min(wire.values()) > 10_000, wire
    assert sum(wire.values()) <= sizes.LARGEST_VISIT, wire
    assert sizes.ours(wire) <= sizes.LARGEST_OURS, wire


def test_weights_are_small() -> None:
    assert 0 < sizes.weights_size(ROOT / "models") <= sizes.LARGEST_WEIGHTS


def test_what_is_too_large_is_seen(tmp_path: Path) -> None:
    """Else the tests above would show nothing."""
    (tmp_path / "static").mkdir()
    (tmp_path / "static" / "large.png").write_bytes(bytes(3_000_000))
    (tmp_path / "runtime").mkdir()
    (tmp_path / "runtime" / "engine-1.zip").write_bytes(b"x" * 10)
    asked = ["http://h/p/static/large.png?1", "http://h/p/static/large.png", "http://h/p/none", "http://o/x"]
    wire = sizes.visit_sizes(tmp_path, "http://h/p/", [*asked, "http://h/p/runtime/engine-1.zip#a"])
    assert sizes.ours(wire) == 3_000_010
    assert sum(wire.values()) == 3_000_010
