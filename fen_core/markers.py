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

SCALE = 40  # pixels a square in the strips
NEAR, FAR = 0.03, 1.25  # reach of a strip beside the board, squares
ABOVE, BELOW = 0.55, 1.8  # and beyond and within the board's edge, along it: two rank numbers fit in
SMALLEST, LARGEST = 0.16, 0.85  # side of a marker, squares
MOST_INK = 0.45  # share of a strip
MOST_COMPANY = 2  # other regions of some size in the strip: a rank number or two
MOST_TURNS = 5  # changes between ink and ground, a row on average: text and texture have more
LEAST_CONTRAST = 45.0  # grey levels
COLOURLESS = 24.0  # grey levels of chroma
LEAST_SQUARE_PX = 11.0  # smaller squares show no shape
GLANCE = 12  # points a square in the first, coarse look
LIGHTNESS = np.array([0.299, 0.587, 0.114], np.float32)  # ITU-R BT.601
GRAIN = 24  # pixels, side of the templates
# How like its template a shape must be, and how far its box may be from a square.
DEMANDS: dict[Shape, tuple[float, float]] = {
    "square": (0.88, 1.25),
    "circle": (0.86, 1.25),
    "triangle": (0.74, 1.7),
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


def _sample(image: NDArray[np.uint8], points: NDArray[np.float64]) -> NDArray[np.uint8]:
    """Return the pixels that hold the points, the picture's edges repeated; one flat look-up is quick."""
    height, width = image.shape[:2]
    columns = np.clip(points[..., 0].astype(np.int32), 0, width - 1)
    rows = np.clip(points[..., 1].astype(np.int32), 0, height - 1)
    pixels: NDArray[np.uint8] = image.reshape(-1, 3)[rows * np.int32(width) + columns]
    return pixels


def _lattice(origin: tuple[float, float], scale: int) -> NDArray[np.float64]:
    """Return the points of a strip, `scale` a square, in squares from the board's top left."""
    x = origin[0] + (np.arange(round((FAR - NEAR) * scale)) + 0.5) / scale
    y = origin[1] + (np.arange(round((ABOVE + BELOW) * scale)) + 0.5) / scale
    return np.stack(np.meshgrid(x, y), axis=-1)


def _worth_a_look(image: NDArray[np.uint8], matrix: NDArray[np.float64], origin: tuple[float, float]) -> bool:
    """Tell by a coarse look whether a strip lies in the picture, and is neither blank nor busy."""
    points = apply_homography(matrix, _lattice(origin, GLANCE))
    within = (points >= 0) & (points < (image.shape[1], image.shape[0]))
    if float(within.all(axis=-1).mean()) < 0.5:
        return False
    grey = _sample(image, points) @ LIGHTNESS
    away = np.abs(grey - np.median(grey))
    return bool(away.max() >= 0.6 * LEAST_CONTRAST and (away > 0.6 * LEAST_CONTRAST).mean() <= MOST_INK)


def _strip(
    image: NDArray[np.uint8], matrix: NDArray[np.float64], origin: tuple[float, float], square_px: float
) -> NDArray[np.float32]:
    """Return a strip beside the board, (rows, columns, 3): averaged where it shrinks, else interpolated."""
    times = int(np.clip(np.ceil(square_px / SCALE), 1, 2))
    points = apply_homography(matrix, _lattice(origin, SCALE * times))
    strip: NDArray[np.float32]
    if times > 1:
        seen = _sample(image, points).astype(np.float32)
        strip = (seen[::2, ::2] + seen[1::2, ::2] + seen[::2, 1::2] + seen[1::2, 1::2]) / np.float32(4)
        return strip
    points -= 0.5
    whole = np.floor(points)
    share = (points - whole).astype(np.float32)
    strip = np.zeros((*points.shape[:2], 3), np.float32)
    for dx in (0, 1):
        for dy in (0, 1):
            weight = np.abs(1 - dx - share[..., :1]) * np.abs(1 - dy - share[..., 1:])
            strip += weight * _sample(image, whole + np.array([dx, dy]))
    return strip


def _reaches_rim(blob: _Blob, height: int, width: int) -> bool:
    """Tell whether a region touches the rim of its strip."""
    rows, columns = blob.mask.shape
    return not blob.top or not blob.left or blob.top + rows == height or blob.left + columns == width


def _marker_in(strip: NDArray[np.float32]) -> tuple[Shape, Literal["open", "filled"], _Blob] | None:
    """Find the one marker of a strip."""
    grey = strip @ LIGHTNESS
    ground = float(np.median(grey))
    away = np.abs(grey - ground)
    contrast = float(away.max())
    if contrast < LEAST_CONTRAST:
        return None
    ink = away > max(0.3 * contrast, 0.6 * LEAST_CONTRAST)  # a frame is often darker than the marker
    turns = np.count_nonzero(ink[:, 1:] != ink[:, :-1])
    if float(ink.mean()) > MOST_INK or turns > MOST_TURNS * len(ink):
        return None
    found, company = [], []
    height, width = ink.shape
    alone = [blob for blob in _blobs(ink) if not _reaches_rim(blob, height, width)]
    alone = [blob for blob in alone if max(blob.mask.shape) >= 0.1 * SCALE]
    if not 1 <= len(alone) <= MOST_COMPANY + 1:
        return None
    for blob in alone:
        rows, columns = blob.mask.shape
        sized = SMALLEST * SCALE <= min(rows, columns) and max(rows, columns) <= LARGEST * SCALE
        holes = _holes(blob.mask) if sized else np.zeros_like(blob.mask)
        shape = _shape(blob.mask | holes) if sized else None
        if shape is None or (holes.any() and float(holes.sum()) < 0.15 * float(blob.mask.sum())):
            company.append(blob)
        else:
            found.append((shape, holes, blob))
    if len(found) != 1:
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
    image = np.ascontiguousarray(image)
    matrix = homography(square_corners(8.0), quad)
    sides: tuple[tuple[Literal["left", "right"], float], ...] = (("left", -FAR), ("right", 8 + NEAR))
    ends: tuple[tuple[Literal["top", "bottom"], float], ...] = (("top", -ABOVE), ("bottom", 8 - BELOW))
    markers = []
    for side, x in sides:
        for end, y in ends:
            if not _worth_a_look(image, matrix, (x, y)):
                continue
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
