"""Measure how well boards are found: on drawn stress pictures, or on a folder of labelled ones.

    python models/train/boards_eval.py                        # every kind, 25 pictures each
    python models/train/boards_eval.py --kinds gaps bent -n 50
    python models/train/boards_eval.py --negatives -n 20      # 20 of every kind without a board
    python models/train/boards_eval.py --folder FOLDER        # with labels.csv, as tools for scoring read it
    python models/train/boards_eval.py --report               # every kind of both, into models/FINDING.md

Prints one line a kind: boards, found (within half a square), within 0.25 and 0.10 squares (largest corner
error), median error, boards shifted by whole ranks or files, reports that are no board, time a picture.
Uses `fen_core` and the drawing kit of the tests; trains nothing.
"""

from __future__ import annotations

import argparse
import csv
import pathlib
import random
import statistics
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from draw import KINDS, NEGATIVES, draw_kind, draw_negative  # noqa: E402

from fen_core.boards import Board, find  # noqa: E402
from fen_core.image import load  # noqa: E402
from fen_core.quad import BOARD_OUTLINE, Points, mean_side  # noqa: E402
from fen_core.rectify import apply_homography, homography  # noqa: E402

WITHOUT_BOARD = ("negative", "board3d")
REPORT = """# Evaluation of the finder of boards

Written by `python models/train/boards_eval.py --report -n {count}`, from pictures that `tests/draw` draws
with fixed seeds, {count} of each kind; `tests/draw/kinds.py` and `negatives.py` there say what the kinds are.
The error of a board is that of its worst corner, in squares; a shift is one by whole ranks or files; extra
is what was reported and is no board. Time is the processor's, natively, without the decoding.

| kind | boards | found | < 0.25 | < 0.10 | median error | shifts | extra | ms |
|---|---|---|---|---|---|---|---|---|
{boards}

Pictures without a board; what the finder alone reports, before the reader of squares refuses:

| kind | pictures | reported | ms |
|---|---|---|---|
{negatives}
"""


@dataclass(slots=True)
class Tally:
    """What one kind of picture came to."""

    boards: int = 0
    errors: list[float] = field(default_factory=list)
    shifts: int = 0
    extra: int = 0
    ms: list[float] = field(default_factory=list)

    def add(self, other: Tally) -> None:
        """Count another tally in."""
        self.boards += other.boards
        self.shifts += other.shifts
        self.extra += other.extra
        self.errors += other.errors
        self.ms += other.ms

    def line(self, name: str) -> str:
        """Return the line of the table."""
        near = [sum(e < limit for e in self.errors) for limit in (0.5, 0.25, 0.1)]
        median = f"{statistics.median(self.errors):6.3f}" if self.errors else "     -"
        ms = f"{statistics.median(self.ms):6.0f} {max(self.ms):6.0f}" if self.ms else ""
        counts = f"{near[0]:6} {near[1]:6} {near[2]:6} {median} {self.shifts:6} {self.extra:6}"
        return f"{name:14}{self.boards:6} {counts} {ms}"

    def row(self, name: str) -> str:
        """Return the row of the report: for a kind without a board, only what was reported nevertheless."""
        ms = f"{statistics.median(self.ms):.0f}"
        if not self.boards:
            return f"| {name} | {len(self.ms)} | {self.extra} | {ms} |"
        near = [f"{sum(e < limit for e in self.errors)}" for limit in (0.5, 0.25, 0.1)]
        median = f"{statistics.median(self.errors):.3f}"
        counts = [name, str(self.boards), *near, median, str(self.shifts), str(self.extra), ms]
        return "| " + " | ".join(counts) + " |"


def corner_error(found: Points, true: Points) -> float:
    """Return the largest distance of a corner, in squares."""
    return float(np.hypot(*(found - true).T).max() / (mean_side(true) / 8))


def whole_shift(found: Points, true: Points) -> tuple[int, int] | None:
    """Return by how many files and ranks a board is off as a whole, or None where that is not its fault."""
    moved = apply_homography(homography(true, BOARD_OUTLINE), found) - BOARD_OUTLINE
    whole = np.round(moved.mean(axis=0))
    if not whole.any() or np.abs(moved - whole).max() > 0.35:
        return None
    return int(whole[0]), int(whole[1])


def score(tally: Tally, found: list[Board], true: list[Points]) -> list[str]:
    """Add a picture to a tally, and return what went wrong, in words."""
    left, words = list(found), []
    tally.boards += len(true)
    for corners in true:
        nearest = min(left, key=lambda board: corner_error(board.corners, corners), default=None)
        error = corner_error(nearest.corners, corners) if nearest is not None else 99.0
        if nearest is None or error > 4:
            tally.errors.append(99.0)
            words.append("not found")
            continue
        left = [board for board in left if board is not nearest]
        tally.errors.append(error)
        shift = whole_shift(nearest.corners, corners)
        tally.shifts += shift is not None
        if error > 0.25:
            words.append(f"off by {error:.2f}" + (f", shifted by {shift}" if shift else ""))
    tally.extra += len(left)
    words += [f"extra, score {board.score:.2f}" for board in left]
    return words


Sample = tuple[str, str, np.ndarray, list[Points]]  # kind, name, pixels, true corners


def drawn(kinds: list[str], count: int, first: int) -> Iterator[Sample]:
    """Draw pictures with boards."""
    for kind in kinds:
        for seed in range(first, first + count):
            picture = draw_kind(kind, seed)
            yield kind, f"{kind} {seed}", picture.pixels, [seen.corners for seen in picture.boards]


def drawn_negatives(kinds: list[str], count: int, first: int) -> Iterator[Sample]:
    """Draw pictures without a board."""
    for kind in kinds:
        for seed in range(first, first + count):
            yield kind, f"{kind} {seed}", draw_negative(kind, random.Random(f"{kind} {seed}")).pixels, []


def labelled(folder: pathlib.Path) -> Iterator[Sample]:
    """Load the labelled pictures of a folder."""
    with open(folder / "labels.csv", newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    for name in dict.fromkeys(row["file"] for row in rows):
        pixels = load((folder / name).read_bytes())
        own = [row for row in rows if row["file"] == name]
        true = []
        for row in own:
            if row["corners"]:
                points = [[float(v) for v in pair.split(",")] for pair in row["corners"].split()]
                true.append(np.array(points))
            elif row["category"] not in WITHOUT_BOARD:
                true.append(BOARD_OUTLINE / 8 * np.array([pixels.shape[1], pixels.shape[0]]))
        yield own[0]["category"], name, pixels, true


def report(count: int, first: int) -> str:
    """Return the report on every kind of drawn picture."""
    rows = []
    for samples in (drawn(list(KINDS), count, first), drawn_negatives(list(NEGATIVES), count, first)):
        tallies = measured(samples, wrong=False)
        rows.append("\n".join(tally.row(kind) for kind, tally in tallies.items()))
    return REPORT.format(count=count, boards=rows[0], negatives=rows[1])


def measured(samples: Iterator[Sample], *, wrong: bool) -> dict[str, Tally]:
    """Look for the boards of every picture; list what went wrong where asked to."""
    tallies: dict[str, Tally] = {}
    for kind, name, pixels, true in samples:
        start = time.process_time()
        found = find(pixels)
        tally = tallies.setdefault(kind, Tally())
        tally.ms.append(1000 * (time.process_time() - start))
        words = score(tally, found, true)
        if wrong and words:
            print(f"{name}: {'; '.join(words)}", flush=True)
    return tallies


def main() -> int:
    """Measure and print."""
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("--kinds", nargs="*", default=None, help="kinds of drawn pictures; all without")
    ask.add_argument("--negatives", action="store_true", help="drawn pictures without a board")
    ask.add_argument("--folder", type=pathlib.Path, help="labelled pictures")
    ask.add_argument("-n", type=int, default=25, help="drawn pictures a kind")
    ask.add_argument("--first", type=int, default=0, help="first seed")
    ask.add_argument("--wrong", action="store_true", help="list what went wrong")
    ask.add_argument("--report", action="store_true", help="write models/FINDING.md")
    options = ask.parse_args()
    if options.report:
        (ROOT / "models" / "FINDING.md").write_text(report(options.n, options.first), "utf-8")
        return 0
    if options.folder:
        samples = labelled(options.folder)
    elif options.negatives:
        samples = drawn_negatives(options.kinds or list(NEGATIVES), options.n, options.first)
    else:
        samples = drawn(options.kinds or list(KINDS), options.n, options.first)
    tallies = measured(samples, wrong=options.wrong)
    header = f"{'kind':14}boards  found  <0.25  <0.10 median shifts  extra  ms med  ms max"
    print(header)
    for kind, tally in tallies.items():
        print(tally.line(kind))
    whole = Tally()
    for kind, tally in tallies.items():
        if kind not in WITHOUT_BOARD:
            whole.add(tally)
    print(whole.line("all boards"))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
