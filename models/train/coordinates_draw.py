"""Draw what the edge of a board looks like in life: the training patches of the coordinate reader.

Used by coordinates_train.py. A patch is 32×32 grey pixels, cut where `fen_core.coordinates` cuts: the corner
of an edge square (seen 0.44 of a square wide), or the strip beside the board at three scales. It shows a
file letter, a rank number, or neither: blank ground, a piece reaching in, frame lines, page text, other
characters, and letters and digits that are mirrored, upside down or cut off. What always holds: seeded, so
a seed gives the same patches; a glyph may stand anywhere in the window, so that nothing needs locating.
"""

from __future__ import annotations

import subprocess
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np
from PIL import Image, ImageDraw, ImageFont

from fen_core.coordinates import GLYPHS, INSIDE, PATCH

NONE = len(GLYPHS)
OTHERS = "ijklmnopqrstuvwxyz09KQRNSTMW.,:;+-#()=/"
FINE = 2 * PATCH  # patches are drawn at twice their size, then shrunk
# Glyphs that stay (nearly) themselves when turned or mirrored cannot be called "neither".
SAME_TURNED = set("8125HgOxoszSNXZ0IlB")
SAME_MIRRORED = set("81AHbdTMWOoxwvVU0IlX")
CHESS = "♔♕♖♗♘♙♚♛♜♝♞♟"


@dataclass
class Face:
    """The glyphs of one typeface as masks, each with its height in capitals."""

    glyphs: dict[str, tuple[np.ndarray, float]] = field(default_factory=dict)


def _mask(font: ImageFont.FreeTypeFont, text: str) -> np.ndarray | None:
    sheet = Image.new("L", (200, 200), 0)
    ImageDraw.Draw(sheet).text((50, 30), text, fill=255, font=font)
    ink = np.asarray(sheet)
    rows, columns = np.flatnonzero(ink.max(axis=1) > 40), np.flatnonzero(ink.max(axis=0) > 40)
    if len(rows) < 4 or not len(columns):
        return None
    return ink[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]


def font_files(folders: list[Path]) -> list[Path]:
    """Return the font files to draw with: those of the folders given, else the system's Latin ones."""
    if folders:
        return sorted(p for f in folders for p in f.rglob("*") if p.suffix.lower() in (".ttf", ".otf"))
    listed = subprocess.run(["fc-list", ":lang=en", "file"], capture_output=True, text=True, check=True)
    return sorted(Path(line.split(":")[0]) for line in listed.stdout.splitlines() if "tf:" in line)


def faces(files: list[Path], per_family: int = 5) -> list[Face]:
    """Load typefaces, a few of each family, leaving out symbol fonts and doubles."""
    families: dict[str, list[Face]] = {}
    seen: set[bytes] = set()
    for path in files:
        try:
            font = ImageFont.truetype(str(path), 72)
            digit, letter, missing = _mask(font, "8"), _mask(font, "a"), _mask(font, "\U0010fffd")
        except OSError:
            continue
        name = (font.getname()[0] or path.stem).split(" Light")[0]
        symbols = any(
            word in name for word in ("Symbol", "Dings", "Math", "Emoji", "Music", "D050000L", "Standard")
        )
        if digit is None or letter is None or symbols or digit.shape == letter.shape:
            continue
        key = digit.tobytes() + letter.tobytes()
        if key in seen or len(families.get(name, [])) >= per_family:
            continue
        seen.add(key)
        face = Face()
        for glyph in GLYPHS + GLYPHS[:8].upper() + OTHERS:
            mask = _mask(font, glyph)
            if mask is not None and (missing is None or not np.array_equal(mask, missing)):
                face.glyphs[glyph] = (mask, mask.shape[0] / digit.shape[0])
        if all(glyph in face.glyphs for glyph in GLYPHS):
            families.setdefault(name, []).append(face)
    return [face for family in families.values() for face in family]


def pieces(files: list[Path]) -> list[np.ndarray]:
    """Return masks of chess pieces from the fonts that have them."""
    found = []
    for path in files:
        if path.stem in ("DejaVuSans", "FreeSerif", "NotoSansSymbols2-Regular"):
            font = ImageFont.truetype(str(path), 90)
            found += [mask for text in CHESS if (mask := _mask(font, text)) is not None]
    return found


def _paint(
    patch: np.ndarray, mask: np.ndarray, x: float, y: float, height: float, grey: float, opacity: float
) -> None:
    """Paint a mask centred on (x, y), so many pixels high."""
    rows = max(1, round(height))
    columns = max(1, round(mask.shape[1] * height / mask.shape[0]))
    ink = cv2.resize(mask, (columns, rows), interpolation=cv2.INTER_AREA).astype(np.float32) / 255 * opacity
    left, top = round(x - columns / 2), round(y - rows / 2)
    x0, y0, x1, y1 = max(0, left), max(0, top), min(FINE, left + columns), min(FINE, top + rows)
    if x1 > x0 and y1 > y0:
        part = patch[y0:y1, x0:x1]
        part += (grey - part) * ink[y0 - top : y1 - top, x0 - left : x1 - left]


class Drawer:
    """Draws labelled patches from one random generator."""

    def __init__(self, rng: np.random.Generator, typefaces: list[Face], men: list[np.ndarray]) -> None:
        self.rng, self.faces, self.men = rng, typefaces, men
        self.face = typefaces[0]

    def patch(self) -> tuple[np.ndarray, int]:
        """Return one patch, (32, 32) uint8, and its label: an index into GLYPHS, or NONE."""
        rng = self.rng
        self.face = self.faces[rng.integers(len(self.faces))]
        kind = rng.choice(["inside", "near", "wide", "far"], p=[0.4, 0.25, 0.24, 0.11])
        picture = self._ground(rng.uniform(0, 255))
        label = self._inside(picture) if kind == "inside" else self._beside(picture, str(kind))
        return self._degrade(np.clip(picture, 0, 255)), label

    def _ground(self, grey: float) -> np.ndarray:
        """Return flat, grained, hatched or unevenly lit ground."""
        rng, picture, choice = self.rng, np.full((FINE, FINE), grey, np.float32), self.rng.random()
        rows, columns = np.mgrid[:FINE, :FINE].astype(np.float32)
        if choice < 0.15:
            size = int(rng.choice([7, 15, 31]))
            grain = cv2.blur(
                rng.normal(size=picture.shape).astype(np.float32), (1, size)[:: rng.choice([1, -1])]
            )
            picture += grain / grain.std() * rng.uniform(2, 12)
        elif choice < 0.32:
            period, slope = rng.uniform(4, 16), rng.choice([1.0, -1.0, 0.0])
            dark = (columns * (1 if slope or rng.random() < 0.5 else 0) + rows * slope + 99) % period
            picture += (
                (dark < period * rng.uniform(0.2, 0.5)) * rng.uniform(25, 160) * (-1 if grey > 128 else 1)
            )
        elif choice < 0.45:
            picture += (columns * rng.normal() + rows * rng.normal()) / FINE * 22
        return picture

    def _glyph(
        self, picture: np.ndarray, x: float, y: float, cap: float, contrast: float | None = None
    ) -> int:
        """Paint a character and return its label."""
        rng, label = self.rng, int(self.rng.integers(16))
        text = GLYPHS[label]
        if label < 8 and rng.random() < 0.3:
            text = text.upper()
        if rng.random() < 0.12:
            text, label = str(rng.choice(list(OTHERS))), NONE
        if text not in self.face.glyphs:
            return NONE
        mask, height = self.face.glyphs[text]
        # Capitals, digits and ascenders share a top; only "g" goes below the line.
        drop = (1 - height) / 2 if text != "g" else height / 2 - 0.26
        turn = rng.random()
        if turn < 0.07 and text not in SAME_TURNED:
            mask, label, drop = mask[::-1, ::-1], NONE, -drop
        elif turn < 0.12 and text not in SAME_MIRRORED:
            mask, label = mask[:, ::-1], NONE
        around = float(np.median(picture))
        contrast = rng.choice([-1, 1]) * rng.uniform(22, 220) if contrast is None else contrast
        grey = around + contrast if 0 <= around + contrast <= 255 else around - contrast
        _paint(
            picture, mask, x, y + cap * drop, cap * height, float(np.clip(grey, 0, 255)), rng.uniform(0.7, 1)
        )
        return label

    def _inside(self, picture: np.ndarray) -> int:
        """Draw the corner of an edge square, 0.44 of it wide, with what may stand in it."""
        rng, square, label = self.rng, FINE / INSIDE, NONE
        left, top = rng.random() < 0.5, rng.random() < 0.5
        shift = rng.normal(0, 0.04, 2) * square  # the corners were not found exactly
        if rng.random() < 0.55 and self.men:
            man = self.men[rng.integers(len(self.men))]
            high = square * rng.uniform(0.62, 0.95)
            x, y = (square / 2 if left else FINE - square / 2), (square / 2 if top else FINE - square / 2)
            grey = rng.choice([rng.uniform(0, 60), rng.uniform(180, 255)])
            outline = cv2.dilate(man, np.ones((5, 5), np.uint8))
            _paint(
                picture, outline, x + shift[0], y + shift[1], high * 1.04, rng.choice([0.0, 255.0 - grey]), 1
            )
            _paint(picture, man, x + shift[0], y + shift[1], high, grey, 1)
        if rng.random() < 0.68:
            cap = square * rng.uniform(0.10, 0.25)
            x, y = rng.uniform(0.02, 0.11, 2) * square + cap * np.array([0.35, 0.5])
            label = self._glyph(
                picture, (x if left else FINE - x) + shift[0], (y if top else FINE - y) + shift[1], cap
            )
        outer = rng.uniform(0, 255)
        for axis, near in ((1, left), (0, top)):  # the neighbour or the frame shows at the rim
            width = round((shift[1 - axis] if near else -shift[1 - axis]) + rng.choice([0, 1, 3]))
            if width > 0 and rng.random() < 0.8:
                rim = [slice(None), slice(None)]
                rim[axis] = slice(0, width) if near else slice(FINE - width, FINE)
                picture[tuple(rim)] = outer
        return label

    def _beside(self, picture: np.ndarray, kind: str) -> int:
        """Draw the strip beside the board: a coordinate, page text, frame lines, or nothing."""
        rng, label = self.rng, NONE
        square = FINE / (0.9 if kind == "wide" else INSIDE)
        side = int(rng.integers(4))  # the board lies above, below, left, right
        if rng.random() < 0.68:
            cap = square * (rng.uniform(0.2, 0.5) if kind == "wide" else rng.uniform(0.09, 0.32))
            room = max(0.0, FINE / 2 - cap * 0.5)
            along, across = rng.normal(0, 0.035) * square, rng.uniform(-room, room)
            x, y = (along, across) if side < 2 else (across, along)
            label = self._glyph(picture, FINE / 2 + x, FINE / 2 + y, cap)
        elif rng.random() < 0.5:
            self._text(picture, square)
        if kind != "far" and rng.random() < 0.8:
            self._frame(picture, square, side, label)
        if rng.random() < 0.08:  # the outer edge of a frame
            picture[FINE - int(rng.integers(1, 12)) :] = rng.uniform(0, 255)
        return label

    def _text(self, picture: np.ndarray, square: float) -> None:
        """Draw a line of page text at the rim, or a glyph that the window cuts."""
        rng, cap = self.rng, square * self.rng.uniform(0.15, 0.6)
        rim = rng.choice([0, FINE]) + rng.uniform(-0.1, 0.12) * FINE
        if rng.random() < 0.5:
            x, contrast = rng.uniform(-10, 10), rng.choice([-1, 1]) * rng.uniform(25, 220)
            y = rim if rng.random() < 0.6 else rng.uniform(0, FINE)
            while x < FINE + 10:
                self._glyph(picture, x, y, cap, contrast)
                x += cap * rng.uniform(0.6, 1.0)
        else:
            at = rng.uniform(0, FINE)
            self._glyph(picture, *((rim, at) if rng.random() < 0.5 else (at, rim)), cap)

    def _frame(self, picture: np.ndarray, square: float, side: int, label: int) -> None:
        """Draw the board's own edge and up to two frame lines on the side where the board lies."""
        rng = self.rng
        profile, drawn = np.zeros(FINE, np.float32), np.zeros(FINE, bool)
        end, board = round(rng.normal(0, 0.045) * square), rng.uniform(0, 255)
        if end > 0:
            profile[:end], drawn[:end] = board, True
        at = max(end, 0)
        for _ in range(int(rng.integers(0, 3))):
            width = int(rng.uniform(1, 0.05 * square)) or 1
            profile[at : at + width], drawn[at : at + width] = rng.choice([0, 255, board]), True
            at += width + int(rng.uniform(0, 0.05 * square))
        if at > FINE * 0.35 and label != NONE:
            return
        if side in (1, 3):
            profile, drawn = profile[::-1], drawn[::-1]
        if side < 2:
            picture[drawn] = profile[drawn][:, None]
        else:
            picture[:, drawn] = profile[drawn][None]

    def _degrade(self, picture: np.ndarray) -> np.ndarray:
        """Warp, blur, shrink, add noise, moiré and JPEG, and bring to 32 pixels."""
        rng = self.rng
        if rng.random() < 0.5:
            corners = np.array([[0, 0], [FINE, 0], [FINE, FINE], [0, FINE]], np.float32)
            moved = corners + rng.normal(0, 1.4, (4, 2)).astype(np.float32)
            matrix = cv2.getPerspectiveTransform(corners, moved)
            picture = cv2.warpPerspective(picture, matrix, (FINE, FINE), borderMode=cv2.BORDER_REPLICATE)
        if rng.random() < 0.1:  # moiré of a photographed screen
            rows, columns = np.mgrid[:FINE, :FINE]
            wave = np.sin(columns * rng.normal(0, 0.8) + rows * rng.normal(0, 0.8) + rng.uniform(0, 6))
            picture = picture + wave * rng.uniform(3, 22)
        if rng.random() < 0.4:
            picture = cv2.GaussianBlur(picture, (0, 0), rng.uniform(0.5, 2.4))
        size = int(FINE * np.exp(rng.uniform(np.log(0.16), 0))) if rng.random() < 0.6 else PATCH
        picture = cv2.resize(picture.astype(np.float32), (size, size), interpolation=cv2.INTER_AREA)
        if rng.random() < 0.5:
            picture = picture + rng.normal(0, rng.uniform(1, 10), picture.shape)
        if rng.random() < 0.4:
            quality = [cv2.IMWRITE_JPEG_QUALITY, int(rng.uniform(25, 90))]
            _, packed = cv2.imencode(".jpg", np.clip(picture, 0, 255).astype(np.uint8), quality)
            picture = cv2.imdecode(packed, cv2.IMREAD_GRAYSCALE).astype(np.float32)
        how = cv2.INTER_AREA if size > PATCH else cv2.INTER_LINEAR
        return np.clip(
            cv2.resize(picture.astype(np.float32), (PATCH, PATCH), interpolation=how), 0, 255
        ).astype(np.uint8)
