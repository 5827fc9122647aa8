"""Fills a ring of drawn boards on disk for the trainer, and makes contact sheets to look at.

    python -m models.train.generate ring --data DATA --ring RING [--sets registry | every] [--seed N]
    python -m models.train.generate sheet --data DATA --out SHEET.png

``--sets registry`` draws from what package registries give; ``--sets every`` takes the held-out families in,
for a last tuning after everything has been measured without them.

The ring is three memory-mapped files: boards (CAPACITY, 288, 288, 3) uint8, labels (CAPACITY, 64) uint8, and
one counter of boards made so far.  A file named STOP in the ring's folder ends the generator.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from models.train.artwork import (
    HELD_OUT,
    Artwork,
    ArtworkDraw,
    Palette,
    read_artwork,
    read_palette,
    read_sets,
)
from models.train.degrade import SIDE_PX, degrade
from models.train.render import draw_board

CAPACITY = 20_000


@dataclass(frozen=True, slots=True)
class Ring:
    """The boards that a trainer may draw from; the oldest are overwritten."""

    boards: NDArray[np.uint8]
    labels: NDArray[np.uint8]
    made: NDArray[np.int64]

    @property
    def filled(self) -> int:
        """How many of the places hold a board."""
        return min(len(self.boards), int(self.made[0]))


def open_ring(folder: Path, *, create: bool = False, capacity: int = CAPACITY) -> Ring:
    """Open the ring in this folder; ``create`` makes it, empty, where there is none yet."""
    folder.mkdir(parents=True, exist_ok=True)
    create = create and not (folder / "made.i64").exists()
    if not create:
        capacity = (folder / "labels.u8").stat().st_size // 64
    mode = "w+" if create else "r+"
    shape = (capacity, SIDE_PX, SIDE_PX, 3)
    return Ring(
        np.memmap(folder / "boards.u8", np.uint8, mode, shape=shape),
        np.memmap(folder / "labels.u8", np.uint8, mode, shape=(capacity, 64)),
        np.memmap(folder / "made.i64", np.int64, mode, shape=(1,)),
    )


def samples(
    seed: int, sets: list[Artwork], palette: Palette, *, vary: bool = False
) -> Iterator[tuple[NDArray[np.uint8], NDArray[np.int64]]]:
    """Yield boards (288, 288, 3) and their labels (64,) without end; the same seed gives the same boards."""
    random = np.random.default_rng(seed)
    draw = ArtworkDraw(sets)
    while True:
        drawn = draw_board(random, draw, palette, vary=vary)
        cut = degrade(random, drawn)
        if cut is not None:
            yield cut, drawn.labels


def training_sets(data: Path, *, registry_only: bool) -> list[Artwork]:
    """Return every set whose family is not held out."""
    rows = read_sets(data, registry_only=registry_only)
    return read_artwork(data, [r for r in rows if r["family"] not in HELD_OUT])


def held_out_sets(data: Path) -> list[Artwork]:
    """Return the sets of the families that training never sees."""
    return read_artwork(data, [r for r in read_sets(data) if r["family"] in HELD_OUT])


def contact_sheet(boards: list[NDArray[np.uint8]], columns: int, path: Path) -> None:
    """Write boards side by side as one picture."""
    rows = [np.hstack(boards[i : i + columns]) for i in range(0, len(boards), columns)]
    cv2.imwrite(str(path), np.vstack(rows)[..., ::-1])


def main() -> int:
    """Run the command line."""
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("do", choices=["ring", "sheet"])
    ask.add_argument("--data", type=Path, required=True)
    ask.add_argument("--ring", type=Path)
    ask.add_argument("--out", type=Path)
    ask.add_argument("--sets", choices=["all", "registry", "every"], default="all")
    ask.add_argument("--seed", type=int, default=1)
    given = ask.parse_args()
    cv2.setNumThreads(1)
    sets = training_sets(given.data, registry_only=given.sets == "registry")
    if given.sets == "every":
        sets += held_out_sets(given.data)
    palette = read_palette(given.data)
    if given.do == "sheet":
        made = samples(given.seed, sets, palette, vary=True)
        contact_sheet([next(made)[0] for _ in range(24)], 6, given.out)
        return 0
    ring = open_ring(given.ring, create=True)
    for board, labels in samples(given.seed + int(ring.made[0]), sets, palette, vary=True):
        place = int(ring.made[0]) % len(ring.boards)
        ring.boards[place], ring.labels[place] = board, labels
        ring.made[0] += 1
        if (given.ring / "STOP").exists():
            return 0
    return 0


if __name__ == "__main__":
    sys.exit(main())
