"""Shows where reading fails: the worst of some pictures of every harsh kind that the tests draw, and a table.

    python -m models.train.failures [-n 20] [--first-seed 1000]

Writes models/FAILURES.md and models/failures.jpg. The seeds are not those of the tests. Uses `fen_core` and
the drawing kit of the tests; trains nothing.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from datetime import date
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw, ImageFont

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests")]

from golden.degraded import GENTLE, HARSH  # noqa: E402
from golden.outcomes import Outcome, outcome  # noqa: E402

from fen_core.rectify import rectify  # noqa: E402
from models.train.cards import table  # noqa: E402

SQUARE_PX = 22
GAP_PX = 10
CAPTION_PX = 34
COLUMNS = 4
UNSEEN, SEEN = (200, 20, 20), (235, 150, 0)  # a wrong square that is not marked, and one that is

HEAD = """# Where reading fails

Measured {day} on pictures drawn by `tests/draw`, spoilt in one way each; written by `models.train.failures`.
The men are our own, never trained on. {n} pictures a kind, with the finding of the board.

![The worst picture of each kind](failures.jpg)

Of every harsh kind the worst of the {n}. Red: read wrongly and not marked as doubtful. Orange: read wrongly
and marked.

"""


def badness(seen: Outcome) -> tuple[int, int]:
    """Return its unmarked wrong squares, then all; a board that is not found stands between."""
    return (seen.wrong - seen.marked, seen.wrong) if seen.found else (0, 65)


def straightened(seen: Outcome) -> Image.Image:
    """Return the board as the panel shows it, or the whole picture where it was not found."""
    if seen.found:
        return Image.fromarray(rectify(seen.picture.pixels, seen.picture.corners, SQUARE_PX, 0.0))
    whole = seen.picture.image.copy()
    whole.thumbnail((8 * SQUARE_PX, 8 * SQUARE_PX))
    return whole


def panel(kind: str, worst: Outcome) -> Image.Image:
    """Return the picture with its wrong squares framed and its kind written under it."""
    side = 8 * SQUARE_PX
    image = Image.new("RGB", (side, side + CAPTION_PX), "white")
    image.paste(straightened(worst).convert("RGB"), (0, 0))
    draw = ImageDraw.Draw(image)
    for i in np.flatnonzero(worst.is_wrong) if worst.found else ():
        x, y = i % 8 * SQUARE_PX, i // 8 * SQUARE_PX
        colour = SEEN if worst.is_unsure[i] else UNSEEN
        draw.rectangle((x, y, x + SQUARE_PX - 1, y + SQUARE_PX - 1), outline=colour, width=2)
    told = f"{worst.wrong} wrong, {worst.marked} of them marked" if worst.found else "not found"
    font = ImageFont.load_default(12)
    draw.text((0, side + 3), kind.replace("_", " "), fill="black", font=font)
    draw.text((0, side + 18), told, fill="black", font=font)
    return image


def sheet(panels: Sequence[Image.Image]) -> Image.Image:
    """Lay panels side by side in rows."""
    wide, high = (size + GAP_PX for size in panels[0].size)
    rows = -(-len(panels) // COLUMNS)
    whole = Image.new("RGB", (COLUMNS * wide + GAP_PX, rows * high + GAP_PX), "white")
    for k, one in enumerate(panels):
        whole.paste(one, (GAP_PX + k % COLUMNS * wide, GAP_PX + k // COLUMNS * high))
    return whole


def row(kind: str, seen: Sequence[Outcome]) -> list[object]:
    """Return the kind's row of the table."""
    sums = [sum(getattr(o, name) for o in seen) for name in ("found", "exact", "wrong", "marked", "silent")]
    return [kind.replace("_", " "), *sums]


def main() -> None:
    """Measure every kind, write the table and the sheet."""
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("-n", type=int, default=20, help="pictures of each kind (20)")
    ask.add_argument("--first-seed", type=int, default=1000)
    given = ask.parse_args()
    seeds = range(given.first_seed, given.first_seed + given.n)
    seen = {kind: [outcome(kind, seed) for seed in seeds] for kind in (*GENTLE, *HARSH)}
    panels = [panel(kind, max(seen[kind], key=badness)) for kind in HARSH]
    sheet(panels).save(ROOT / "models" / "failures.jpg", quality=82, optimize=True)
    head = ["kind", f"found of {given.n}", "exact", "wrong squares", "of them marked", "silent boards"]
    text = HEAD.format(day=date.today(), n=given.n)
    for name, kinds in (("Harsh", HARSH), ("Everyday", GENTLE)):
        text += f"## {name}\n\n{table(head, [row(kind, seen[kind]) for kind in kinds])}\n"
    (ROOT / "models" / "FAILURES.md").write_text(text.rstrip("\n") + "\n", "utf-8")


if __name__ == "__main__":
    main()
