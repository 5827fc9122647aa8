"""What the tests of the page share: pictures to give it, how a file is dropped, what axe says, touch."""

from __future__ import annotations

import io
import random

from draw import THEMES, board, framed, highlighted, in_window
from playwright.sync_api import Page, expect

from packages import npm_package  # isort: skip - from .ci, put on the path by conftest

ROOK_ENDING = "2r3k1/5ppp/p2p4/1p1Pn3/1P2r3/P3N2P/2R2PP1/4R1K1"
START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
LANGUAGES = ("en", "el", "vi", "gu", "pt-BR", "bn")


def png(image: object) -> bytes:
    """Return the picture as a PNG file."""
    file = io.BytesIO()
    image.save(file, "PNG")  # type: ignore[attr-defined]
    return file.getvalue()


def screenshot(placement: str, *, bottom: str = "white", marked: tuple[str, ...] = ()) -> bytes:
    """Draw a window of a chess program with this position in it; `marked` squares are the last move's."""
    diagram = board(placement, 56, THEMES["wood"], bottom=bottom)
    seen = [("abcdefgh".index(name[0]), 8 - int(name[1])) for name in marked]
    diagram = highlighted(diagram, seen if bottom == "white" else [(7 - x, 7 - y) for x, y in seen])
    return png(in_window(framed(diagram, "coordinates"), (900, 640), random.Random(1)).image)


def drop(page: Page, name: str, data: bytes, kind: str = "image/png") -> None:
    """Let go of a file over the page, as the system does."""
    transfer = page.evaluate_handle(
        """([name, kind, bytes]) => {
          const transfer = new DataTransfer();
          transfer.items.add(new File([Uint8Array.from(bytes)], name, { type: kind }));
          return transfer;
        }""",
        [name, kind, list(data)],
    )
    for event in ("dragenter", "dragover", "drop"):
        page.dispatch_event("main", event, {"dataTransfer": transfer})


def give(page: Page, data: bytes, name: str = "picture.png") -> None:
    """Choose a file and wait for what comes of it."""
    page.set_input_files("#file", {"name": name, "mimeType": "image/png", "buffer": data})
    expect(page.locator("#viewer")).to_be_visible()
    expect(page.locator("#status")).to_have_attribute("data-state", "idle")


def axe(page: Page, *, without: tuple[str, ...] = ()) -> list[str]:
    """Return what axe finds: rule and place, `without` some rules."""
    if not page.evaluate("'axe' in globalThis"):
        page.evaluate((npm_package("axe-core") / "axe.min.js").read_text("utf-8") + "; 0")
    rules = {name: {"enabled": False} for name in without}
    options = {"resultTypes": ["violations"], "rules": rules}
    found = page.evaluate("(options) => axe.run(document, options)", options)
    return [f"{v['id']}: {node['html'][:120]}" for v in found["violations"] for node in v["nodes"]]


def middle(page: Page, selector: str) -> tuple[float, float]:
    """Return the middle of an element on the screen."""
    page.locator(selector).scroll_into_view_if_needed()
    box = page.locator(selector).bounding_box()
    assert box
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


class Fingers:
    """Touch, as the system reports it: one list of points at a time."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._session = page.context.new_cdp_session(page)

    def put(self, kind: str, *points: tuple[float, float]) -> None:
        """Send touchStart, touchMove or touchEnd with all points that are on the glass."""
        touches = [{"x": x, "y": y, "id": i} for i, (x, y) in enumerate(points)]
        self._session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches})

    def drag(self, start: tuple[float, float], end: tuple[float, float], steps: int = 4) -> None:
        """Put one finger down, move it, lift it."""
        self.put("touchStart", start)
        for step in range(1, steps + 1):
            share = step / steps
            self.put(
                "touchMove",
                (start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share),
            )
        self.put("touchEnd")

    def hold(self, at: tuple[float, float], ms: int) -> None:
        """Put one finger down, leave it there, lift it."""
        self.put("touchStart", at)
        self._page.wait_for_timeout(ms)
        self.put("touchEnd")
