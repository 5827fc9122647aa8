"""Spoils a clean board as printing, scanning, filming and saving do, then cuts it out as the reader will.

``age_print`` works on the drawing, ``capture`` takes the picture, ``rectified`` cuts it with an error of the
corners.  The cut follows ``fen_core.rectify``: pixel-corner geometry, bilinear, edges repeated beyond the
picture, averaged over areas where it shrinks.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from models.train.canvas import like
from models.train.chance import Chance
from models.train.render import Drawn

Float = NDArray[np.float32]
Picture = NDArray[np.uint8]

SQUARE_PX, MARGIN_PX = 32, 16
SIDE_PX = 8 * SQUARE_PX + 2 * MARGIN_PX
BAYER = np.array([[0, 8, 2, 10], [12, 4, 14, 6], [3, 11, 1, 9], [15, 7, 13, 5]], np.float32) * 16 + 8
CORNER_ERROR = 0.065  # largest, in squares


def age_print(chance: Chance, picture: Float, square: int) -> Float:
    """Spread, lose and speckle ink, screen greys into dots, let the other side show through."""
    side = picture.shape[0]
    if chance.p(0.55):
        soft = cv2.GaussianBlur(picture, (0, 0), chance.u(0.35, 0.04 * square))
        threshold: Float | float = chance.u(70, 185)
        if chance.p(0.4):
            threshold = like(threshold + chance.smooth(side, side, chance.i(3, 9)) * chance.u(0, 18), soft)
        if chance.p(0.3):
            soft = soft + like(chance.noise(side, side) * chance.u(0, 40), soft)
        hardness = chance.u(0.02, 0.09)
        picture = 255 / (1 + np.exp(np.clip((threshold - soft) * hardness, -30, 30)))
    if chance.p(0.07):
        axis = np.arange(side, dtype=np.float32) * (2 * np.pi / (square * chance.u(0.06, 0.12)))
        angle = np.deg2rad(chance.one_of([45, 45, 15, 75, 0]))
        cos, sin = np.float32(np.cos(angle)), np.float32(np.sin(angle))
        u, v = axis[None] * cos + axis[:, None] * sin, axis[:, None] * cos - axis[None] * sin
        screen = 128 + 60 * (np.sin(u) + np.sin(v))
        picture = np.clip((picture - like(screen, picture)) * chance.u(1.5, 6) + 128, 0, 255)
    if chance.p(0.2):
        holes = np.clip(chance.noise(side, side, chance.u(0.6, 1.6)) - chance.u(0.6, 2), 0, 1) * chance.u(
            0.3, 1
        )
        picture = 255 - (255 - picture) * like(1 - holes, picture)
    if chance.p(0.15):
        specks = np.clip((chance.noise(side, side, chance.u(0.5, 1.2)) - chance.u(1.8, 2.8)) * 2, 0, 1)
        picture = picture * like(1 - specks * chance.u(0.3, 0.9), picture)
    paper = chance.u(150, 255)
    ink = chance.u(0, min(110.0, paper - 60))
    picture = ink + picture * ((paper - ink) / 255)
    if chance.p(0.3):
        picture = picture + like(chance.noise(side, side, chance.u(0.6, 3)) * chance.u(1, 7), picture)
    if chance.p(0.12):
        other = np.zeros((side, side), np.uint8)
        for line in range(10):
            at = int(chance.u(-20, 20)), int(side * (line + 0.5) / 10)
            cv2.putText(other, chance.text(24, 25), at, chance.i(0, 8), square * 0.018, 255, 1, cv2.LINE_AA)
        soft = cv2.GaussianBlur(other[:, ::-1].astype(np.float32) / 255, (0, 0), 1.2)
        picture = picture - like(soft * chance.u(8, 45), picture)
    return picture


def _light(chance: Chance, picture: Float, square: float) -> Float:
    """Add what a camera's scene adds: slopes of light, shadows, glare, moiré, a cast of colour."""
    side = picture.shape[0]
    axis = np.arange(side, dtype=np.float32) / side - 0.5
    x, y = axis[None, :], axis[:, None]

    def along(angle: float) -> Float:
        return x * np.float32(np.cos(angle)) + y * np.float32(np.sin(angle))

    gain = np.ones((side, side), np.float32)
    if chance.p(0.7):
        gain *= 1 + chance.u(0, 0.45) * along(chance.u(0, 6.28))
    if chance.p(0.25):
        gain *= 1 - chance.u(0, 0.7) * (x**2 + y**2)
    if chance.p(0.22):
        edge = (along(chance.u(0, 6.28)) - chance.u(-0.35, 0.35)) / chance.u(0.01, 0.15)
        gain *= 1 - chance.u(0.15, 0.6) / (1 + np.exp(np.clip(-edge, -20, 20)))
    picture = picture * like(gain, picture)
    if chance.p(0.12):
        spot = np.exp(
            -((x - chance.u(-0.5, 0.5)) ** 2 + (y - chance.u(-0.5, 0.5)) ** 2) / chance.u(0.01, 0.12)
        )
        picture = picture + (255 - picture) * like(spot * chance.u(0.2, 0.75), picture)
    if chance.p(0.28):
        angle, depth = chance.u(0, 3.14), chance.u(0.02, 0.13)
        waves = along(angle) * (side * chance.u(0.15, 3.0) / square * 8) + chance.smooth(
            side, side, 3
        ) * chance.u(0, 2)
        across = np.float32(1)
        if chance.p(0.5):
            across = np.sin(along(angle + np.pi / 2) * (side * chance.u(0.15, 3.0) / square * 8))
        if picture.ndim == 3:
            phases = np.arange(3, dtype=np.float32) * chance.u(0, 2.1)
            picture = picture * (1 + np.sin(waves[..., None] + phases) * like(across * depth, picture))
        else:
            picture = picture * (1 + np.sin(waves) * across * np.float32(depth))
    if picture.ndim == 3 and chance.p(0.6):
        picture = picture * chance.random.uniform(0.75, 1.15, 3).astype(np.float32)
    return picture


def _blur(chance: Chance, picture: Float, square: float) -> Float:
    if chance.p(0.5):
        reach = chance.u(0.3, 0.6) if chance.p(0.5) else max(0.3, chance.u(0.01, 0.075) * square)
        picture = cv2.GaussianBlur(picture, (0, 0), reach)
    if chance.p(0.06):
        length = max(3, int(square * chance.u(0.05, 0.2)))
        kernel = np.zeros((length, length), np.float32)
        start, end = chance.i(0, length), chance.i(0, length)
        if chance.p(0.5):
            cv2.line(kernel, (start, 0), (end, length - 1), 1, 1)
        else:
            cv2.line(kernel, (0, start), (length - 1, end), 1, 1)
        picture = cv2.filter2D(picture, -1, kernel / kernel.sum())
    return picture


def _exposure(chance: Chance, picture: Float) -> Float:
    """Change contrast, gamma, noise and sharpness."""
    if chance.p(0.16):
        low = chance.u(0, 90)
        picture = low + picture * (chance.u(60, 150) / 255)
    elif chance.p(0.4):
        picture = picture * chance.u(0.8, 1.15) + chance.u(-20, 25)
    picture = np.clip(picture, 0, 255)
    if chance.p(0.25):
        picture = 255 * (picture / 255) ** chance.u(0.55, 1.8)
    if chance.p(0.4):
        strength = chance.u(1, 5 if chance.p(0.6) else 16)
        grain = chance.noise(picture.shape[0], picture.shape[1])
        if picture.ndim == 3 and chance.p(0.5):
            grain = np.stack([grain, np.roll(grain, 7, 0), np.roll(grain, 13, 1)], -1)
            picture = picture + grain * strength
        else:
            picture = picture + like(grain * strength, picture)
    if chance.p(0.1):
        picture = picture + (picture - cv2.GaussianBlur(picture, (0, 0), 1.0)) * chance.u(0.5, 2)
    return np.clip(picture, 0, 255)


def _two_levels(chance: Chance, grey: Picture, square: float, *, screen: bool) -> Picture:
    """Threshold as fax, scanner and copier do."""
    share = chance.random.random()
    if screen or share < 0.45:
        block = int(square * (chance.u(0.2, 0.7) if screen else chance.u(0.5, 2))) * 2 + 3
        return cv2.adaptiveThreshold(
            grey, 255, cv2.ADAPTIVE_THRESH_GAUSSIAN_C, cv2.THRESH_BINARY, block, chance.u(3, 18)
        )
    if share < 0.9:
        level, _ = cv2.threshold(grey, 0, 255, cv2.THRESH_OTSU)
        return ((grey > level + chance.u(-30, 30)) * 255).astype(np.uint8)
    side = grey.shape[0]
    pattern = np.tile(BAYER, (side // 4 + 1, side // 4 + 1))[:side, : grey.shape[1]]
    return ((grey > pattern) * 255).astype(np.uint8)


def capture(chance: Chance, drawn: Drawn) -> tuple[Picture, Float, float]:
    """Return the picture of a drawn board, the board's corners in it (4, 2), and the size of a square, px."""
    canvas, picture = drawn.canvas, drawn.canvas.pixels
    side_square, screen = canvas.square, drawn.screen
    if not screen:
        picture = age_print(chance, picture, side_square)
    elif chance.p(0.10):
        paper, ink = chance.u(160, 255), chance.u(0, 80)
        picture = ink + picture * ((paper - ink) / 255)
    photo = chance.p(0.45)
    square = chance.log_u(12, 64) if chance.p(0.4) else chance.u(22, 60)
    square = min(square, side_square * 1.6)
    side = int(np.ceil(square * 10))
    corners = np.array([[1, 1], [9, 1], [9, 9], [1, 9]], np.float32) * square
    if photo and chance.p(0.6):
        corners += chance.random.normal(0, 0.22, (4, 2)).astype(np.float32) * square
    elif chance.p(0.1):
        angle = np.deg2rad(chance.random.normal(0, 1.5))
        turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
        corners = ((corners - corners.mean(0)) @ turn + corners.mean(0)).astype(np.float32)
    shrink = side_square / square
    if shrink > 1.15:
        picture = cv2.GaussianBlur(picture, (0, 0), (0.42 if shrink < 2.2 or chance.p(0.5) else 0.5) * shrink)
    origin = np.array([[1, 1], [9, 1], [9, 9], [1, 9]], np.float32) * side_square
    warp = cv2.getPerspectiveTransform(origin - 0.5, corners - 0.5)
    picture = cv2.warpPerspective(
        picture, warp, (side, side), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    if photo and chance.p(0.3):
        axis = np.arange(side, dtype=np.float32)
        bend, rate, phase = chance.u(-0.1, 0.1) * square, chance.u(0.5, 1.5) * np.pi / side, chance.u(0, 6)
        lift = chance.u(-0.1, 0.1) * square
        map_x = axis[None, :] + np.sin(axis[:, None] * rate + phase) * bend
        map_y = axis[:, None] + np.sin(axis[None, :] * rate + phase) * lift
        picture = cv2.remap(
            picture,
            map_x.astype(np.float32),
            map_y.astype(np.float32),
            cv2.INTER_LINEAR,
            borderMode=cv2.BORDER_REPLICATE,
        )
    picture = _blur(chance, picture, square)
    if picture.ndim == 2 and not screen and chance.p(0.4):
        paper = np.array([255, 255 * chance.u(0.86, 1), 255 * chance.u(0.62, 1)], np.float32)
        ink = np.array([chance.u(0, 60), chance.u(0, 50), chance.u(0, 60)], np.float32)
        picture = ink + (paper - ink) * (np.clip(picture, 0, 255) / 255)[..., None]
    if photo:
        picture = _light(chance, picture, square)
    out = _exposure(chance, picture).astype(np.uint8)
    if chance.p(0.03 if screen else 0.2):
        grey = out if out.ndim == 2 else cv2.cvtColor(out, cv2.COLOR_RGB2GRAY)
        out = _two_levels(chance, grey, square, screen=screen)
    if chance.p(0.55):
        quality = int(chance.u(25, 92)) if chance.p(0.85) else int(chance.u(8, 25))
        _, data = cv2.imencode(".jpg", out, [cv2.IMWRITE_JPEG_QUALITY, quality])
        out = cv2.imdecode(data, cv2.IMREAD_UNCHANGED)
    return out, corners, square


def rectified(chance: Chance, picture: Picture, corners: Float, square: float) -> Picture:
    """Return (288, 288, 3): the board cut out by corners that are a little wrong."""
    error = chance.u(0, 1) ** 2 * CORNER_ERROR * square
    jitter = chance.random.uniform(-1, 1, (4, 2)) * error + chance.random.uniform(-1, 1, 2) * error * 0.7
    at = (corners + jitter).astype(np.float32)
    if chance.p(0.3):  # a picture that ends at the board's edge
        low = np.maximum(np.floor(corners.min(0) - chance.u(0, 0.1) * square).astype(int), 0)
        high = np.ceil(corners.max(0) + chance.u(0, 0.1) * square).astype(int)
        picture = np.ascontiguousarray(picture[low[1] : high[1], low[0] : high[0]])
        at = at - low.astype(np.float32)
    times = max(1, int(np.ceil(square / SQUARE_PX)))
    margin, side = MARGIN_PX * times, SIDE_PX * times
    span = 8 * SQUARE_PX * times
    target = np.array([[0, 0], [span, 0], [span, span], [0, span]], np.float32) + margin
    warp = cv2.getPerspectiveTransform(at - 0.5, target - 0.5)
    method = cv2.INTER_LINEAR if chance.p(0.85) else cv2.INTER_CUBIC
    out = cv2.warpPerspective(picture, warp, (side, side), flags=method, borderMode=cv2.BORDER_REPLICATE)
    if times > 1:
        out = cv2.resize(out, (SIDE_PX, SIDE_PX), interpolation=cv2.INTER_AREA)
    if out.ndim == 2:
        out = cv2.cvtColor(out, cv2.COLOR_GRAY2RGB)
    elif chance.p(0.1):  # a colour picture saved in grey
        grey = (out @ chance.random.dirichlet([3, 6, 1.5])).astype(np.uint8)
        out = cv2.cvtColor(grey, cv2.COLOR_GRAY2RGB)
    return out


def men_are_visible(cut: Picture, labels: NDArray[np.int64]) -> bool:
    """Tell whether every man left some trace: a board that lost its white men teaches only to guess."""
    grey = cut[MARGIN_PX:-MARGIN_PX, MARGIN_PX:-MARGIN_PX].mean(-1)
    inner = grey.reshape(8, SQUARE_PX, 8, SQUARE_PX).transpose(0, 2, 1, 3)[:, :, 5:-5, 5:-5]
    spread = inner.std((2, 3)).reshape(64)
    return bool((spread[labels > 0] > 0.06 * grey.std()).all())


def degrade(random: np.random.Generator, drawn: Drawn) -> Picture | None:
    """Return a drawn board as a poor picture's cut shows it (288, 288, 3); None if men are lost."""
    chance = Chance(random)
    for _ in range(3):
        picture, corners, square = capture(chance, drawn)
        cut = rectified(chance, picture, corners, square)
        if men_are_visible(cut, drawn.labels):
            return cut
    return None
