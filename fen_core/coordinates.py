"""Read the printed coordinates at a board's edge: a to h along the files, 1 to 8 along the ranks.

A witness for `orient`. The board is straightened in grey with a square around it, and small windows are cut
where coordinates stand: in the corners of the edge squares, and beside the board at three scales. A small
network (models/coordinates.npz, made by models/train/coordinates_train.py) names the glyph in each. One
window is often misread; eight in a row that count up or down are not. What always holds: letters count
only along files and digits only along ranks, a row of windows speaks only if its glyphs stand in order,
rows must agree, and a board without legible coordinates gives no answer rather than a guess.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray
from PIL import Image

from fen_core import models, net
from fen_core.rectify import rectify

__all__ = ["GLYPHS", "INSIDE", "PATCH", "Printed", "read", "suspect"]

GLYPHS = "abcdefgh12345678"
NONE = len(GLYPHS)
PATCH = 32  # pixels, side of the network's window
SQUARE = 72  # pixels, side of a straightened square
INSIDE = PATCH / SQUARE  # side of a fine window, in squares

BLANK = 3.5  # grey levels: the fainter coordinates of real boards have twice this standard deviation
PROBED = (0, 2, 5, 7)  # positions read first; the others only where these promise something
REST = (1, 3, 4, 6)
PROMISE = 2.0  # log ratio over the probed positions that makes the rest worth reading
FLOOR = 0.05  # what a window may be wrong by, whatever the network says
# A row speaks if its log ratio, its glyphs in order and their share say so; the answer needs a bit more.
ROW_RATIO, ROW_GLYPHS, ROW_SHARE, AGAINST = 5.0, 3, 0.5, 1
TOTAL_RATIO, AGREEMENT = 6.0, 0.8
WEIGHT_LIMIT = 6.0  # log-odds: no wrong answer was seen on some hundreds of boards, which vouches for no more

Gray = NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Printed:
    """The side at the bottom by the printed coordinates, or None; log-odds; the rows that spoke."""

    bottom: Literal["white", "black"] | None
    weight: float = 0.0
    zones: tuple[dict[str, Any], ...] = ()


@dataclass(frozen=True, slots=True)
class _Zone:
    """Eight windows in a row: left to right along files, top to bottom along ranks."""

    files: bool
    place: str  # "inside" or "outside"
    side: str
    size: int  # pixels
    origins: tuple[tuple[int, int], ...]  # (x, y) of each window's top left


def _zones() -> tuple[_Zone, ...]:
    first, last = SQUARE, 9 * SQUARE  # the board's own edges in the straightened picture
    zones = []
    steps = [first + i * SQUARE for i in range(8)]
    for right in (False, True):
        shift = SQUARE - PATCH if right else 0
        low = tuple((s + shift, last - PATCH) for s in steps)
        zones.append(_Zone(True, "inside", "bottom", PATCH, low))
        column = last - PATCH if right else first
        zones.append(
            _Zone(False, "inside", "right" if right else "left", PATCH, tuple((column, s) for s in steps))
        )
    for size, gap in ((PATCH, 0), (PATCH, 22), (2 * PATCH, 4)):
        centred = [s + (SQUARE - size) // 2 for s in steps]
        before, after = first - gap - size, last + gap
        zones.append(_Zone(True, "outside", "bottom", size, tuple((s, after) for s in centred)))
        zones.append(_Zone(True, "outside", "top", size, tuple((s, before) for s in centred)))
        zones.append(_Zone(False, "outside", "left", size, tuple((before, s) for s in centred)))
        zones.append(_Zone(False, "outside", "right", size, tuple((after, s) for s in centred)))
    return tuple(zones)


ZONES = _zones()


@cache
def _weights() -> dict[str, NDArray[np.float32]]:
    return net.load_weights(models.path("coordinates.npz"))


def _name(patches: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the probabilities of the glyphs and of none, (n, 17), for windows of shape (n, 32, 32)."""
    w = _weights()
    x = patches - patches.mean(axis=(1, 2), keepdims=True)
    x = (x / (np.sqrt(np.mean(x * x, axis=(1, 2), keepdims=True)) + 4))[..., None]
    x = net.conv2d(x, w["conv0_weight"], w["conv0_bias"], 5, stride=2, padding=2)
    x = net.conv2d(x, w["conv1_weight"], w["conv1_bias"], 3, padding=1)
    x = net.max_pool2(x)
    x = net.conv2d(x, w["conv2_weight"], w["conv2_bias"], 3, padding=1)
    x = net.conv2d(x, w["conv3_weight"], w["conv3_bias"], 3, stride=2, padding=1)
    x = net.max_pool2(x)
    return net.softmax(net.linear(x.reshape(len(x), -1), w["linear_weight"], w["linear_bias"]))


def _straighten(image: NDArray[np.uint8], corners: ArrayLike) -> Gray:
    """Return the board in grey with one square around it."""
    quad = np.asarray(corners, dtype=np.float64)
    # Only what is near the board is made grey, and no finer than it is needed: a page may be large.
    reach = 0.2 * float(np.ptp(quad, axis=0).max()) + 4
    left, top = np.maximum(np.floor(quad.min(axis=0) - reach), 0).astype(int)
    right, bottom = np.ceil(quad.max(axis=0) + reach).astype(int)
    part = image[top : max(bottom, top + 1), left : max(right, left + 1)]
    if part.size == 0:
        return rectify(image if image.ndim == 2 else image[..., 1], quad, SQUARE, margin=1.0)
    quad = quad - (left, top)
    picture = Image.fromarray(np.ascontiguousarray(part)).convert("L")
    square = float(np.linalg.norm(quad - np.roll(quad, -1, axis=0), axis=1).mean()) / 8
    wanted = 0.98 * SQUARE  # a hair less, lest `rectify` sample twice as finely, which takes thrice the time
    if square > wanted:
        size = (
            max(1, round(picture.width * wanted / square)),
            max(1, round(picture.height * wanted / square)),
        )
        quad = quad * (size[0] / picture.width, size[1] / picture.height)
        picture = picture.resize(size, Image.Resampling.BOX)
    return rectify(np.asarray(picture), quad, SQUARE, margin=1.0)


class _Reader:
    """Reads windows of one straightened board, each at most once, blank ones without the network."""

    def __init__(self, board: Gray) -> None:
        self.board = board
        self.named = np.zeros((len(ZONES), 8, NONE + 1), np.float32)
        self.named[:, :, NONE] = 1

    def read(self, wanted: list[tuple[int, int]]) -> None:
        """Name the windows (zone, position)."""
        windows, at = [], []
        for z, i in wanted:
            zone = ZONES[z]
            x, y = zone.origins[i]
            window = self.board[y : y + zone.size, x : x + zone.size].astype(np.float32)
            if zone.size > PATCH:
                window = window.reshape(PATCH, 2, PATCH, 2).mean(axis=(1, 3))
            if window.std() >= BLANK:
                windows.append(window)
                at.append((z, i))
        if windows:
            rows, columns = zip(*at, strict=True)
            self.named[rows, columns] = _name(np.stack(windows))

    def ratios(self, z: int) -> tuple[NDArray[np.float64], NDArray[np.intp]]:
        """Return for each position the log ratio for White at the bottom, and the glyph read (-1: none)."""
        own, other = (slice(0, 8), slice(8, 16)) if ZONES[z].files else (slice(8, 16), slice(0, 8))
        p = self.named[z].astype(np.float64)
        # Letters beside ranks are a misreading or a page's text: they weaken, and are never counted.
        share = (
            p[:, own] / (p[:, own].sum(axis=1) + p[:, NONE] + 0.25 * p[:, other].sum(axis=1) + 1e-9)[:, None]
        )
        positions = np.arange(8)
        white = positions if ZONES[z].files else 7 - positions
        ratio = np.log((share[positions, white] + FLOOR) / (share[positions, 7 - white] + FLOOR))
        glyph = np.where(share.sum(axis=1) > 0.5, share.argmax(axis=1), -1)
        return ratio, glyph


def _rows(board: Gray) -> list[tuple[_Zone, float, str]]:
    """Return the rows of windows that speak: zone, log ratio for White at the bottom, text."""
    reader = _Reader(board)
    reader.read([(z, i) for z in range(len(ZONES)) for i in PROBED])
    hopeful = [z for z in range(len(ZONES)) if abs(reader.ratios(z)[0].sum()) >= PROMISE]
    reader.read([(z, i) for z in hopeful for i in REST])
    spoken = []
    for z in hopeful:
        ratio, glyph = reader.ratios(z)
        total = float(ratio.sum())
        white = np.arange(8) if ZONES[z].files else 7 - np.arange(8)
        expected, opposite = (white, 7 - white) if total > 0 else (7 - white, white)
        legible = int((glyph >= 0).sum())
        right, wrong = int((glyph == expected).sum()), int((glyph == opposite).sum())
        if abs(total) < ROW_RATIO or right < ROW_GLYPHS or right < ROW_SHARE * legible or wrong > AGAINST:
            continue
        offset = 0 if ZONES[z].files else 8
        text = "".join(GLYPHS[offset + g] if g >= 0 else "." for g in glyph)
        spoken.append((ZONES[z], total, text))
    return spoken


def _judge(board: Gray) -> tuple[Printed, float]:
    """Return what the rows say together, and the size of their log ratio, 0 where they say nothing."""
    strongest: dict[tuple[str, str, int], tuple[_Zone, float, str]] = {}
    for row in _rows(board):
        zone = row[0]
        # The three scales beside one side see the same print: the strongest stands for it.
        key = (zone.place, zone.side, zone.origins[0][0] if zone.place == "inside" else 0)
        if key not in strongest or abs(row[1]) > abs(strongest[key][1]):
            strongest[key] = row
    total = sum(ratio for _, ratio, _ in strongest.values())
    heard = sum(abs(ratio) for _, ratio, _ in strongest.values())
    if abs(total) < TOTAL_RATIO or abs(total) <= AGREEMENT * heard:
        return Printed(None), 0.0
    ordered = sorted(strongest.values(), key=lambda row: -abs(row[1]))
    zones = tuple({"place": zone.place, "side": zone.side, "text": text} for zone, _, text in ordered)
    printed = Printed("white" if total > 0 else "black", min(WEIGHT_LIMIT, abs(total) / 2), zones)
    return printed, abs(total)


def read(image: NDArray[np.uint8], corners: ArrayLike) -> Printed:
    """Read the printed coordinates of a board.

    Parameters
    ----------
    image : ndarray of shape (H, W, 3) or (H, W), uint8
    corners : array_like of shape (4, 2)
        Corners of the 8×8 squares, pixels, as seen.

    Returns
    -------
    Printed
        `bottom` is None where no coordinates are legible or they contradict one another. Each zone is
        {"place": "inside" | "outside", "side", "text"}, "." where a glyph was not legible.
    """
    return _judge(_straighten(image, corners))[0]


def suspect(image: NDArray[np.uint8], corners: ArrayLike) -> Literal["mirrored", "turned"] | None:
    """Say whether the picture itself is mirrored or upside down, where printed coordinates show it.

    Meant for a picture that reads badly: it takes twice the time of `read`. A board seen from Black's side
    is neither. None where the coordinates stand upright or none are legible.
    """
    board = _straighten(image, corners)
    upright = _judge(board)[1]
    mirrored = _judge(np.ascontiguousarray(board[:, ::-1]))[1]
    turned = _judge(np.ascontiguousarray(board[::-1, ::-1]))[1]
    if max(mirrored, turned) <= upright:
        return None
    return "mirrored" if mirrored > turned else "turned"
