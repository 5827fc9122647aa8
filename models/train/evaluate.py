"""Measures the weights in models/squares.npz with the code that people run, and writes the cards.

    python -m models.train.evaluate --data DATA [--real FOLDER] [--boards 400] [--before WEIGHTS]

Boards are drawn from the families that training never saw, and from those it saw, with another seed than
training's; FOLDER is a labelled folder of real pictures with corners, to measure and never to choose by.
Writes EVALUATION.md, MODEL_CARD.md and DATA_CARD.md: every number in them comes from here.
"""

from __future__ import annotations

import argparse
import csv
import re
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from fen_core import classify, models
from fen_core.fen import parse_placement
from fen_core.image import load
from fen_core.position import CLASSES
from fen_core.rectify import square_corners
from models.train import cards
from models.train.artwork import Artwork, ArtworkDraw, Palette, read_palette
from models.train.degrade import degrade
from models.train.generate import held_out_sets, training_sets
from models.train.measures import Readings
from models.train.render import draw_board

SEED = 770_001


@dataclass(frozen=True, slots=True)
class Refusals:
    """Regions without a diagram: how many there were, and how many the reader refused."""

    regions: int
    refused: int


def probabilities_of(board: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Read a board that is already straightened."""
    return classify.read_straightened(board).probabilities


def drawn(sets: list[Artwork], palette: Palette, boards: int, seed: int) -> Readings:
    """Read boards drawn from these sets; kinds are "screen" and "print"."""
    random, draw, readings = np.random.default_rng(seed), ArtworkDraw(sets), Readings()
    while len(readings.labels) < boards:
        clean = draw_board(random, draw, palette)
        cut = degrade(random, clean)
        if cut is not None:
            readings.add(probabilities_of(cut), clean.labels, "screen" if clean.screen else "print")
    return readings


def corners_of(row: dict[str, str], picture: NDArray[np.uint8]) -> NDArray[np.float64]:
    """Return the labelled corners; without them the picture is the board."""
    numbers = [float(n) for n in re.findall(r"-?\d+(?:\.\d+)?", row.get("corners") or "")]
    if len(numbers) == 8:
        return np.array(numbers).reshape(4, 2)
    height, width = picture.shape[:2]
    return np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float64)


def real(folder: Path) -> tuple[Readings, Refusals, float]:
    """Read a labelled folder with the corners given; regions of pictures without a diagram are to be refused.

    Returns the readings in FEN order, the refusals, and the median time a board, ms.
    """
    readings, regions, refused, times = Readings(), 0, 0, []
    random = np.random.default_rng(3)
    with open(folder / "labels.csv", newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    for row in rows:
        picture = load((folder / row["file"]).read_bytes())
        if row["category"] in ("negative", "board3d"):
            height, width = picture.shape[:2]
            for _ in range(4):
                side = random.uniform(0.4, 1) * min(height, width)
                left, top = random.uniform(0, width - side), random.uniform(0, height - side)
                square = square_corners(side) + np.array([left, top])
                regions += 1
                refused += classify.refuses(classify.squares(picture, square), 1.0)
            continue
        if not row["placement"].strip():
            continue
        start = time.process_time()  # of this process: other work on the machine does not count
        p = classify.squares(picture, corners_of(row, picture))
        times.append(1000 * (time.process_time() - start))
        labels = np.array([CLASSES.index(piece) for piece in parse_placement(row["placement"].split()[0])])
        readings.add(p if row["orientation"] != "black" else p[::-1], labels, row["category"])
    return readings, Refusals(regions, refused), float(np.median(times))


@contextmanager
def weights(file: Path | None) -> Iterator[None]:
    """Let `classify` read with the weights of another file, where one is given."""
    own = models.path
    try:
        if file:
            models.path = lambda name: file
            classify._weights.cache_clear()
        yield
    finally:
        models.path = own
        classify._weights.cache_clear()


def main() -> int:
    """Run the command line."""
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("--data", type=Path, required=True)
    ask.add_argument("--real", type=Path)
    ask.add_argument("--boards", type=int, default=400)
    ask.add_argument("--before", type=Path, help="weights from before a last tuning on every family")
    ask.add_argument("--note", default="")
    ask.add_argument("--out", type=Path, default=Path(__file__).resolve().parents[1])
    given = ask.parse_args()
    cv2.setNumThreads(1)
    palette = read_palette(given.data)
    # After a tuning on every family no family is unseen: only the weights from before it can tell.
    with weights(given.before):
        unseen = drawn(held_out_sets(given.data), palette, given.boards, SEED)
        seen = drawn(training_sets(given.data, registry_only=False), palette, given.boards, SEED + 1)
    pictures = real(given.real) if given.real else None
    cards.write(given.out, given.data, unseen, seen, pictures, given.note, given.before)
    return 0


if __name__ == "__main__":
    sys.exit(main())
