"""Score the reader of printed coordinates on labelled pictures.

    python models/train/coordinates_eval.py FOLDER [--show]

FOLDER has a labels.csv with the columns file, placement, orientation, corners. Each board is read with its
corners as labelled, moved at random (0.05 and 0.1 of a square), shrunk (squares of 20 and 12 pixels), shifted
by a whole square, turned by 180° and mirrored; where coordinates stand upright, none of the last three may
give a side that is not the truth. Nothing here is learnt from.
"""

from __future__ import annotations

import argparse
import csv
import sys
import time
from pathlib import Path

import numpy as np
from PIL import Image, ImageOps

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from fen_core import coordinates
from fen_core.rectify import apply_homography, homography, square_corners

OTHER = {"white": "black", "black": "white"}


def variants(image: np.ndarray, corners: np.ndarray, rng: np.random.Generator) -> dict[str, tuple]:
    """Return name → (image, corners, whether the side at the bottom is exchanged)."""
    height, width = image.shape[:2]
    square = np.linalg.norm(corners - np.roll(corners, -1, axis=0), axis=1).mean() / 8
    found = {"as labelled": (image, corners, False)}
    for noise in (0.05, 0.1):
        found[f"corners ± {noise}"] = (image, corners + rng.normal(0, noise * square, (4, 2)), False)
    for small in (20, 12):
        if small < square:
            size = (max(8, round(width * small / square)), max(8, round(height * small / square)))
            shrunk = np.asarray(Image.fromarray(image).resize(size, Image.Resampling.BOX))
            found[f"{small} px squares"] = (shrunk, corners * (size[0] / width, size[1] / height), False)
    matrix = homography(square_corners(8.0), corners)
    found["shifted by one"] = (image, apply_homography(matrix, square_corners(8.0) + np.array([1, 0])), False)
    found["turned"] = (
        np.ascontiguousarray(image[::-1, ::-1]),
        ((width, height) - corners)[[2, 3, 0, 1]],
        True,
    )
    mirrored = corners.copy()
    mirrored[:, 0] = width - corners[:, 0]
    found["mirrored"] = (np.ascontiguousarray(image[:, ::-1]), mirrored[[1, 0, 3, 2]], False)
    return found


def main() -> None:
    """Read and count."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--show", action="store_true", help="one line a board, as labelled")
    arguments = parser.parse_args()
    rng = np.random.default_rng(0)
    counts: dict[str, dict[str, int]] = {}
    suspected: dict[str, dict[str, int]] = {}
    times = []
    with open(arguments.folder / "labels.csv", encoding="utf-8") as handle:
        rows = [r for r in csv.DictReader(handle) if r["placement"] and r["orientation"]]
    rows = [r for r in rows if r["category"] != "board3d"]
    for row in rows:
        image = np.asarray(ImageOps.exif_transpose(Image.open(arguments.folder / row["file"])).convert("RGB"))
        if row["corners"].strip():
            corners = np.array([[float(v) for v in p.split(",")] for p in row["corners"].split()])
        else:
            height, width = image.shape[:2]
            corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], float)
        for name, (picture, quad, exchanged) in variants(image, corners, rng).items():
            start = time.perf_counter()
            printed = coordinates.read(picture, quad)
            if name == "as labelled":
                times.append(1000 * (time.perf_counter() - start))
            truth = OTHER[row["orientation"]] if exchanged else row["orientation"]
            verdict = (
                "undecided" if printed.bottom is None else "right" if printed.bottom == truth else "wrong"
            )
            tally = counts.setdefault(name, {"right": 0, "wrong": 0, "undecided": 0})
            tally[verdict] += 1
            if name == "as labelled" and arguments.show:
                texts = [zone["text"] for zone in printed.zones]
                print(f"{verdict:10s} {row['file'][7:]:44s} {printed.weight:.1f} {texts}")
            if name in ("as labelled", "turned", "mirrored"):
                answer = str(coordinates.suspect(picture, quad))
                tally = suspected.setdefault(name, {})
                tally[answer] = tally.get(answer, 0) + 1
    for name, tally in counts.items():
        print(f"{name:18s} {tally}")
    print("suspected:", suspected)
    print(f"ms a board: median {np.median(times):.1f}, most {max(times):.1f}")


if __name__ == "__main__":
    main()
