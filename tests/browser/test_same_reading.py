"""The browser reads as the command line does: the same FENs, marks and rounded probabilities."""

from __future__ import annotations

import base64
import io
import json
import random
from typing import Any

import numpy as np
import pytest
from draw import draw_kind, draw_negative
from golden.degraded import GENTLE, HARSH, draw_degraded
from playwright.sync_api import Page

from fen_core.read import read

# Sums are made in another order there, and Pillow's wheel may bring another JPEG decoder: the last digit
# of a probability may differ, and with it a mark that hangs by such a digit.
PROBABILITY = 0.0015
CORNER_PX = 0.05
READ = """async (text) => {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  return await window.engine.read(bytes);
}"""
SCENES = ("crop", "window", "page", "gaps", "book_photo", "screen_photo", "thumbnail", "slanted")
NONE = ("text", "crossword", "tiles", "moire")


def pictures(count: int) -> list[tuple[str, bytes]]:
    """Draw so many pictures: spoilt diagrams, scenes, and a few without a board."""
    kinds = [(kind, "degraded") for kind in (*GENTLE, *HARSH)]
    kinds += [(kind, "scene") for kind in SCENES] + [(kind, "none") for kind in NONE]
    drawn = []
    for index in range(count):
        kind, how = kinds[index % len(kinds)]
        seed = 40 + index // len(kinds)
        if how == "degraded":
            picture = draw_degraded(kind, seed)
        elif how == "scene":
            picture = draw_kind(kind, seed)
        else:
            picture = draw_negative(kind, random.Random(f"{kind} {seed}"), photo=False)
        data = io.BytesIO()
        picture.image.save(data, "PNG", compress_level=1)
        drawn.append((f"{kind} {seed}", data.getvalue()))
    return drawn


def assert_same(name: str, here: dict[str, Any], there: dict[str, Any]) -> None:
    """Compare two readings of one picture."""
    assert len(here["boards"]) == len(there["boards"]), name
    assert [note["code"] for note in here["notes"]] == [note["code"] for note in there["notes"]], name
    for ours, theirs in zip(here["boards"], there["boards"], strict=True):
        assert ours["fen"] == theirs["fen"], name
        assert ours["orientation"]["bottom"] == theirs["orientation"]["bottom"], name
        assert np.abs(np.subtract(ours["corners"], theirs["corners"])).max() < CORNER_PX, name
        marks = [[s["square"] for s in b["squares"] if s["unsure"]] for b in (ours, theirs)]
        assert marks[0] == marks[1], name
        for a, b in zip(ours["squares"], theirs["squares"], strict=True):
            assert a["piece"] == b["piece"], name
            assert abs(a["probability"] - b["probability"]) < PROBABILITY, f"{name}: {a} is not {b}"


def compare(page: Page, count: int) -> None:
    for name, data in pictures(count):
        here = json.loads(json.dumps(read(data).to_json()))
        assert_same(name, here, page.evaluate(READ, base64.b64encode(data).decode()))


def test_three_pictures_read_as_on_the_command_line(engine_page: Page) -> None:
    compare(engine_page, 3)


@pytest.mark.long
def test_fifty_pictures_read_as_on_the_command_line(engine_page: Page) -> None:
    compare(engine_page, 50)
