"""Piece artwork, board colours and board textures, read from a data folder, and the draw among them.

The folder holds ``pieces/sets.csv`` with a folder of twelve PNGs a set, ``boards/colours.json`` and
``boards/textures/``.  Sets of one family share their artwork; families, never sets or squares, are what is
held out.  Every picture is RGB here.
"""

from __future__ import annotations

import csv
import json
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

Float = NDArray[np.float32]

PIECE_FILES = ("wP", "wN", "wB", "wR", "wQ", "wK", "bP", "bN", "bB", "bR", "bQ", "bK")  # classes 1..12
ART_PX = 96

# Families that the final network never sees: about one in twelve, of every kind, some printed.
HELD_OUT = frozenset(
    {
        "f026", "f117", "f152", "f072", "f091",  # book
        "f100", "f112", "f138",  # unusual
        "f028", "f032", "f165", "f035", "f019",  # web and unicode
    }
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Artwork:
    """One piece set: twelve RGBA pictures, colour premultiplied by alpha, and its own dark squares if any."""

    name: str
    kind: str
    family: str
    pieces: Float  # (12, ART_PX, ART_PX, 4), 0..255
    dark_squares: Float | None  # (13, ART_PX, ART_PX) grey: the empty dark square, then with each piece


@dataclass(frozen=True, slots=True)
class Palette:
    """What empty boards look like: pairs of RGB colours (light, dark) and whole-board textures."""

    colours: list[tuple[Float, Float]]
    textures: list[NDArray[np.uint8]]


def premultiplied(picture: NDArray[np.uint8]) -> Float:
    """Return a grey, BGR or BGRA picture as float RGBA with colour multiplied by alpha."""
    if picture.ndim == 2:
        picture = cv2.cvtColor(picture, cv2.COLOR_GRAY2BGR)
    if picture.shape[2] == 3:
        picture = np.dstack([picture, np.full(picture.shape[:2], 255, np.uint8)])
    rgba = picture[..., [2, 1, 0, 3]].astype(np.float32)
    rgba[..., :3] *= rgba[..., 3:] / 255
    return rgba


def _shrunk(picture: NDArray[np.generic], side: int) -> NDArray[np.float32]:
    out: NDArray[np.float32] = cv2.resize(picture, (side, side), interpolation=cv2.INTER_AREA)
    return out


def read_sets(folder: Path, *, registry_only: bool = False) -> list[dict[str, str]]:
    """Return the rows of ``pieces/sets.csv``; with ``registry_only`` those that package registries give."""
    with open(folder / "pieces" / "sets.csv", newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    return [r for r in rows if not registry_only or r["obtainable_from_registry"] == "yes"]


def read_artwork(folder: Path, rows: list[dict[str, str]]) -> list[Artwork]:
    """Read the piece pictures of these rows; a set whose folder is missing is an error, not a gap."""
    sets = []
    for row in rows:
        here = folder / "pieces" / row["name"]
        pictures = [cv2.imread(str(here / f"{name}.png"), cv2.IMREAD_UNCHANGED) for name in PIECE_FILES]
        if any(p is None for p in pictures):
            raise FileNotFoundError(f"set {row['name']} lacks a piece picture")
        dark = None
        if row.get("dark_tiles") and (here / "empty_dark.png").exists():
            names = ["empty_dark", *(f"{name}_dark" for name in PIECE_FILES)]
            greys = [cv2.imread(str(here / f"{name}.png"), cv2.IMREAD_GRAYSCALE) for name in names]
            dark = np.stack([_shrunk(g.astype(np.float32), ART_PX) for g in greys])
        pieces = np.stack([_shrunk(premultiplied(p), ART_PX) for p in pictures])
        sets.append(Artwork(row["name"], row["kind"], row["family"], pieces, dark))
    return sets


def _rgb(text: str) -> Float:
    text = text.lstrip("#")
    return np.array([int(text[i : i + 2], 16) for i in (0, 2, 4)], np.float32)


def read_palette(folder: Path) -> Palette:
    """Read the colour pairs and textures of boards (print patterns are drawn, not read)."""
    entries = json.loads((folder / "boards" / "colours.json").read_text(encoding="utf-8"))
    colours = [(_rgb(e["light"]), _rgb(e["dark"])) for e in entries if not e.get("dark_pattern")]
    textures = []
    for path in sorted((folder / "boards" / "textures").iterdir()):
        picture = cv2.imread(str(path))
        if picture is not None:
            textures.append(cv2.resize(picture, (512, 512), interpolation=cv2.INTER_AREA)[..., ::-1].copy())
    return Palette(colours, textures)


class ArtworkDraw:
    """Draws a set: its kind first, then a family by the square root of its size, then a set of it."""

    def __init__(self, sets: list[Artwork]) -> None:
        self.families: dict[str, list[list[Artwork]]] = {}
        self.weights: dict[str, NDArray[np.float64]] = {}
        for kind in sorted({s.kind for s in sets}):
            names = sorted({s.family for s in sets if s.kind == kind})
            groups = [[s for s in sets if s.kind == kind and s.family == name] for name in names]
            weights = np.sqrt([len(g) for g in groups])
            self.families[kind], self.weights[kind] = groups, weights / weights.sum()

    def draw(self, random: np.random.Generator, kinds: dict[str, float]) -> Artwork:
        """Return a set; ``kinds`` gives each kind's weight, kinds that are missing here are passed over."""
        present = [k for k in kinds if k in self.families] or list(self.families)
        weights = np.array([kinds.get(k, 1.0) for k in present])
        kind = present[random.choice(len(present), p=weights / weights.sum())]
        groups = self.families[kind]
        group = groups[random.choice(len(groups), p=self.weights[kind])]
        return group[random.integers(len(group))]
