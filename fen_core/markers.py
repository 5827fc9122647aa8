"""Find the sign beside a board that tells who moves: a square, circle, triangle or arrow, open or filled.

A witness for `evidence`. Books and programs put it left or right of the board, level with its first or last
rank. Four strips are looked at; what stands alone in one, colourless and of one of the four shapes, is a
marker. What always holds: shapes that reach the rim of a strip (frames, bars, text lines) and shapes with
company are none, and a strip that is nowhere near blank is not looked at.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fen_core.rectify import apply_homography, homography, square_corners

__all__ = ["Marker", "find"]

Shape = Literal["square", "circle", "triangle", "arrow"]

SCALE = 48  # pixels a square in the strips
NEAR, FAR = 0.03, 1.25  # reach of a strip beside the board, squares
ABOVE, BELOW = 0.55, 1.8  # and beyond and within the board's edge, along it: two rank numbers fit in
SMALLEST, LARGEST = 0.16, 0.85  # side of a marker, squares
MOST_INK = 0.45  # share of a strip
LEAST_CONTRAST = 45.0  # grey levels
COLOURLESS = 24.0  # grey levels of chroma
LEAST_SQUARE_PX = 11.0  # smaller squares show no shape
GRAIN = 24  # pixels, side of the templates
# How like its template a shape must be, and how far its box may be from a square.
DEMANDS: dict[Shape, tuple[float, float]] = {
    "square": (0.88, 1.25),
    "circle": (0.86, 1.25),
    "triangle": (0.8, 1.7),
    "arrow": (0.76, 2.2),
}


@dataclass(frozen=True, slots=True)
class Marker:
    """A sign beside the board; `box` is x0, y0, x1, y1 in pixels of the picture."""

    shape: Shape
    fill: Literal["open", "filled"]
    side: Literal["left", "right"]
    end: Literal["top", "bottom"]
    box: tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class _Blob:
    """A connected region: its pixels within its box."""

    top: int
    left: int
    mask: NDArray[np.bool_]


def _blobs(ink: NDArray[np.bool_], *, diagonal: bool = True) -> list[_Blob]:
    """Label the connected regions of a mask by joining the runs of neighbouring rows."""
    touch = int(diagonal)  # whether runs that meet corner to corner are one region
    runs: list[tuple[int, int, int]] = []
    parent: list[int] = []

    def root(i: int) -> int:
        while parent[i] != i:
            parent[i] = parent[parent[i]]
            i = parent[i]
        return i

    before: list[int] = []
    for y, row in enumerate(ink):
        edges = np.flatnonzero(np.diff(np.concatenate(([0], row.view(np.int8), [0]))))
        now = []
        for start, stop in zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True):
            number = len(runs)
            runs.append((y, start, stop))
            parent.append(number)
            now.append(number)
            for other in before:
                if runs[other][1] < stop + touch and runs[other][2] > start - touch:
                    parent[root(other)] = root(number)
        before = now
    groups: dict[int, list[tuple[int, int, int]]] = {}
    for number, run in enumerate(runs):
        groups.setdefault(root(number), []).append(run)
    found = []
    for members in groups.values():
        top, bottom = members[0][0], max(m[0] for m in members) + 1
        left, right = min(m[1] for m in members), max(m[2] for m in members)
        mask = np.zeros((bottom - top, right - left), bool)
        for y, start, stop in members:
            mask[y - top, start - left : stop - left] = True
        found.append(_Blob(top, left, mask))
    return found


def _holes(mask: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return what a region encloses."""
    empty = np.pad(~mask, 1, constant_values=True)
    inside = np.zeros_like(empty)
    for blob in _blobs(empty, diagonal=False):  # what is drawn is 8-connected, so its ground is 4-connected
        if blob.top > 0 and blob.left > 0:
            area = inside[
                blob.top : blob.top + blob.mask.shape[0], blob.left : blob.left + blob.mask.shape[1]
            ]
            area |= blob.mask
    return inside[1:-1, 1:-1]


def _templates() -> list[tuple[Shape, NDArray[np.bool_]]]:
    """Return the shapes as they fill their boxes, each way that they can point."""
    v, u = (np.mgrid[:GRAIN, :GRAIN] + 0.5) / GRAIN
    made: list[tuple[Shape, NDArray[np.bool_]]] = [
        ("square", np.ones((GRAIN, GRAIN), bool)),
        ("circle", np.hypot(u - 0.5, v - 0.5) <= 0.5),
    ]
    away = 2 * np.abs(u - 0.5)  # 0 on the axis of what points up, 1 at its sides
    pointing: list[tuple[Shape, NDArray[np.bool_]]] = [("triangle", away <= v)]
    for barbs in (0.35, 0.45, 0.55):
        pointing += [
            ("arrow", np.where(v <= barbs, away * barbs <= v, away <= shaft)) for shaft in (0.15, 0.3, 0.45)
        ]
    made += [(shape, np.rot90(mask, turns)) for shape, mask in pointing for turns in range(4)]
    return made


def _shape(full: NDArray[np.bool_]) -> Shape | None:
    """Name the shape of a region without holes by its likest template (intersection over union)."""
    height, width = full.shape
    rows = ((np.arange(GRAIN) + 0.5) * height / GRAIN).astype(int)
    columns = ((np.arange(GRAIN) + 0.5) * width / GRAIN).astype(int)
    seen = full[rows[:, None], columns[None, :]]
    alike = (TEMPLATES & seen).sum(axis=(1, 2)) / (TEMPLATES | seen).sum(axis=(1, 2))
    best = int(alike.argmax())
    shape = NAMES[best]
    least, stretch = DEMANDS[shape]
    return shape if alike[best] >= least and 1 / stretch <= width / height <= stretch else None


_MADE = _templates()
NAMES = [shape for shape, _ in _MADE]
TEMPLATES = np.stack([mask for _, mask in _MADE])


def _strip(
    image: NDArray[np.uint8], matrix: NDArray[np.float64], origin: tuple[float, float], square_px: float
) -> NDArray[np.float64]:
    """Return a strip beside the board, (rows, columns, 3): averaged where it shrinks, else interpolated."""
    width, height = round((FAR - NEAR) * SCALE), round((ABOVE + BELOW) * SCALE)
    times = int(np.clip(np.ceil(square_px / SCALE), 1, 3))
    x = origin[0] + (np.arange(width * times) + 0.5) / (SCALE * times)
    y = origin[1] + (np.arange(height * times) + 0.5) / (SCALE * times)
    points = apply_homography(matrix, np.stack(np.meshgrid(x, y), axis=-1)) - (0.5 if times == 1 else 0.0)
    whole = np.floor(points).astype(int)
    most = (image.shape[1] - 1, image.shape[0] - 1)
    strip: NDArray[np.float64]
    if times > 1:
        column, row = np.moveaxis(np.clip(whole, 0, most), -1, 0)
        seen = image[row, column].reshape(height, times, width, times, 3)
        strip = seen.mean(axis=(1, 3), dtype=np.float64)
        return strip
    share = points - whole
    strip = np.zeros((height, width, 3))
    for dx in (0, 1):
        for dy in (0, 1):
            column, row = np.moveaxis(np.clip(whole + np.array([dx, dy]), 0, most), -1, 0)
            weight = np.abs(1 - dx - share[..., 0]) * np.abs(1 - dy - share[..., 1])
            strip += weight[..., None] * image[row, column]
    return strip


def _marker_in(strip: NDArray[np.float64]) -> tuple[Shape, Literal["open", "filled"], _Blob] | None:
    """Find the one marker of a strip."""
    grey = strip @ np.array([0.299, 0.587, 0.114])
    ground = float(np.median(grey))
    away = np.abs(grey - ground)
    contrast = float(away.max())
    if contrast < LEAST_CONTRAST:
        return None
    ink = away > max(0.45 * contrast, 0.6 * LEAST_CONTRAST)
    if float(ink.mean()) > MOST_INK:
        return None
    found, company = [], []
    height, width = ink.shape
    blobs = _blobs(ink)
    if len(blobs) > 12:
        return None
    for blob in blobs:
        rows, columns = blob.mask.shape
        rim = not blob.top or not blob.left or blob.top + rows == height or blob.left + columns == width
        if rim or max(rows, columns) < 0.1 * SCALE:
            continue
        sized = SMALLEST * SCALE <= min(rows, columns) and max(rows, columns) <= LARGEST * SCALE
        holes = _holes(blob.mask)
        shape = _shape(blob.mask | holes) if sized else None
        if shape is None or (holes.any() and float(holes.sum()) < 0.15 * float(blob.mask.sum())):
            company.append(blob)
            continue
        found.append((shape, holes, blob))
    if len(found) != 1 or len(company) > 2:
        return None
    shape, holes, blob = found[0]
    if any(_close(blob, other) or _in_column(blob, other) for other in company):
        return None
    inside = (
        slice(blob.top, blob.top + blob.mask.shape[0]),
        slice(blob.left, blob.left + blob.mask.shape[1]),
    )
    line = float(grey[inside][blob.mask].mean())
    colour = strip[inside][blob.mask | holes]
    if float(np.abs(colour - colour.mean(axis=1, keepdims=True)).mean()) > COLOURLESS:
        return None
    # A ring is as dark or light as what it encloses, a solid shape as it is itself.
    bright = float(grey[inside][holes].mean()) > line if holes.any() else line > ground
    return shape, "open" if bright else "filled", blob


def _close(first: _Blob, second: _Blob) -> bool:
    """Tell whether two regions stand within a fifth of a square of each other."""
    gap = 0.2 * SCALE
    across = max(first.left, second.left) - min(
        first.left + first.mask.shape[1], second.left + second.mask.shape[1]
    )
    along = max(first.top, second.top) - min(
        first.top + first.mask.shape[0], second.top + second.mask.shape[0]
    )
    return bool(across < gap and along < gap)


def _in_column(first: _Blob, second: _Blob) -> bool:
    """Tell whether two regions, one above the other, are equally tall: rank numbers, lines of text."""
    heights = first.mask.shape[0] / second.mask.shape[0]
    middles = first.left + first.mask.shape[1] / 2 - second.left - second.mask.shape[1] / 2
    return bool(0.7 <= heights <= 1.4 and abs(middles) < 0.25 * SCALE)


def find(image: NDArray[np.uint8], corners: ArrayLike) -> list[Marker]:
    """Find the markers beside a board.

    Parameters
    ----------
    image : ndarray of shape (H, W, 3) or (H, W), uint8
    corners : array_like of shape (4, 2)
        Corners of the board, pixels: top left, top right, bottom right, bottom left as seen.
    """
    quad = np.asarray(corners, dtype=np.float64)
    square_px = float(np.linalg.norm(quad - np.roll(quad, -1, axis=0), axis=1).mean()) / 8
    if square_px < LEAST_SQUARE_PX:
        return []
    if image.ndim == 2:
        image = np.repeat(image[..., None], 3, axis=2)
    matrix = homography(square_corners(8.0), quad)
    sides: tuple[tuple[Literal["left", "right"], float], ...] = (("left", -FAR), ("right", 8 + NEAR))
    ends: tuple[tuple[Literal["top", "bottom"], float], ...] = (("top", -ABOVE), ("bottom", 8 - BELOW))
    markers = []
    for side, x in sides:
        for end, y in ends:
            seen = _marker_in(_strip(image, matrix, (x, y), square_px))
            if seen is None:
                continue
            shape, fill, blob = seen
            box = square_corners(1.0) * blob.mask.shape[::-1] + (blob.left, blob.top)
            outline = apply_homography(matrix, box / SCALE + (x, y))
            x0, y0 = (float(v) for v in outline.min(axis=0))
            x1, y1 = (float(v) for v in outline.max(axis=0))
            markers.append(
                Marker(shape, fill, side, end, (round(x0, 1), round(y0, 1), round(x1, 1), round(y1, 1)))
            )
    return markers
