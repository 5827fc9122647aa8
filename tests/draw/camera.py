"""What cameras, scanners and compression do to a picture; corners move along exactly."""

from __future__ import annotations

import io
import math
import random
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageFilter

from draw.picture import Picture
from fen_core.rectify import homography

Points = NDArray[np.float64]


def resized(picture: Picture, width: int, height: int | None = None) -> Picture:
    """Resize, averaging areas."""
    size = (width, height or max(1, round(picture.image.height * width / picture.image.width)))
    factor = np.array(size) / np.array(picture.image.size)
    return picture.mapped(
        picture.image.resize(size, Image.Resampling.LANCZOS), lambda points: points * factor
    )


def blurred(picture: Picture, radius_px: float) -> Picture:
    """Blur as a lens out of focus does."""
    return replace(picture, image=picture.image.filter(ImageFilter.GaussianBlur(radius_px)))


def compressed(picture: Picture, quality: int) -> Picture:
    """Store as JPEG and load again."""
    data = io.BytesIO()
    picture.image.save(data, "JPEG", quality=quality)
    return replace(picture, image=Image.open(data).convert("RGB"))


def noisy(picture: Picture, grey_levels: float, rng: random.Random) -> Picture:
    """Add sensor noise of this standard deviation."""
    pixels = np.asarray(picture.image, dtype=np.float32)
    noise = np.random.default_rng(rng.randrange(1 << 30)).normal(0, grey_levels, (*pixels.shape[:2], 1))
    return replace(picture, image=_image(pixels + noise))


def moire(picture: Picture, strength: float, rng: random.Random) -> Picture:
    """Beat three slightly bent waves against the picture, as a camera does with a screen's pixels."""
    pixels = np.asarray(picture.image, dtype=np.float32)
    y, x = np.mgrid[0 : pixels.shape[0], 0 : pixels.shape[1]]
    for _ in range(3):
        frequency, direction = rng.uniform(0.05, 0.9), rng.uniform(0, math.pi)
        phase = (
            frequency * (x * math.cos(direction) + y * math.sin(direction))
            + 1e-5 * rng.uniform(-1, 1) * x * y
        )
        pixels = pixels * (1 + strength * np.sin(2 * np.pi * phase))[..., None]
    return replace(picture, image=_image(pixels))


def shaded(picture: Picture, rng: random.Random, *, edge: bool = False, glare: bool = False) -> Picture:
    """Light unevenly: a slope, the edge of a shadow, a round glare."""
    pixels = np.asarray(picture.image, dtype=np.float32)
    height, width = pixels.shape[:2]
    y, x = np.mgrid[0:height, 0:width]
    u, v = x / width - 0.5, y / height - 0.5
    direction = rng.uniform(0, 2 * math.pi)
    light = 1 + rng.uniform(0.1, 0.5) * (u * math.cos(direction) + v * math.sin(direction))
    if edge:
        across = u * math.cos(direction + 1) + v * math.sin(direction + 1)
        light *= np.where(across > rng.uniform(-0.3, 0.3), 1.0, rng.uniform(0.45, 0.8))
    pixels = pixels * light[..., None]
    if glare:
        distance = np.hypot(u - rng.uniform(-0.4, 0.4), v - rng.uniform(-0.4, 0.4))
        pixels = pixels + 170 * np.exp(-((distance / rng.uniform(0.08, 0.25)) ** 2))[..., None]
    return replace(picture, image=_image(pixels))


def curved(picture: Picture, bulge: float, axis_at: float = 0.5) -> Picture:
    """Bend the paper around an upright axis: columns slide down by bulge · width · (x − axis)²."""
    pixels = np.asarray(picture.image)
    height, width = pixels.shape[:2]

    def slide(x: NDArray[np.float64]) -> NDArray[np.float64]:
        return bulge * width * (x / width - axis_at) ** 2

    rows = np.arange(height)[:, None] - slide(np.arange(width) + 0.5)[None, :]
    low = np.clip(np.floor(rows).astype(int), 0, height - 1)
    high = np.clip(low + 1, 0, height - 1)
    share = (rows - np.floor(rows))[..., None]
    columns = np.arange(width)[None, :]
    bent = pixels[low, columns] * (1 - share) + pixels[high, columns] * share
    return picture.mapped(_image(bent), lambda p: p + np.stack([np.zeros(len(p)), slide(p[:, 0])], axis=1))


def _image(pixels: NDArray[np.floating]) -> Image.Image:
    return Image.fromarray(np.clip(np.rint(pixels), 0, 255).astype(np.uint8))


def _rotation(turn: float, tilt: float, swing: float) -> Points:
    """Return the rotation about the viewing axis, then the level, then the upright one, from degrees."""
    a, b, c = (math.radians(angle) for angle in (turn, tilt, swing))
    about_z = np.array([[math.cos(a), -math.sin(a), 0], [math.sin(a), math.cos(a), 0], [0, 0, 1]])
    about_x = np.array([[1, 0, 0], [0, math.cos(b), -math.sin(b)], [0, math.sin(b), math.cos(b)]])
    about_y = np.array([[math.cos(c), 0, math.sin(c)], [0, 1, 0], [-math.sin(c), 0, math.cos(c)]])
    return about_z @ about_x @ about_y


def photographed(
    picture: Picture,
    rng: random.Random,
    *,
    turn: float = 8.0,
    tilt: float = 20.0,
    size: tuple[int, int] = (1200, 900),
    share: tuple[float, float] = (0.55, 0.95),
    clean: bool = False,
) -> Picture:
    """Photograph a picture lying on a table.

    Parameters
    ----------
    turn, tilt : float
        Largest rotation in the picture plane, and out of it about either axis, degrees.
    size : (width, height)
        Of the photo, pixels.
    share : (least, most)
        Of the photo's shorter side that the board (or the picture without one) fills.
    clean : bool
        Perspective alone, without light, blur, noise and JPEG.
    """
    width, height = picture.image.size
    long_px, distance = max(width, height), rng.uniform(1.2, 2.2)
    rotation = _rotation(rng.uniform(-turn, turn), rng.uniform(-tilt, tilt), rng.uniform(-tilt, tilt))

    def project(points: Points) -> Points:
        flat = np.column_stack([(points - np.array([width, height]) / 2) / long_px, np.zeros(len(points))])
        turned = flat @ rotation.T
        return turned[:, :2] / (turned[:, 2:] + distance)

    outline = np.array([[0, 0], [width, 0], [width, height], [0, height]], dtype=np.float64)
    subject = project(rng.choice(picture.boards).corners if picture.boards else outline)
    zoom = rng.uniform(*share) * min(size) / np.ptp(subject, axis=0).max()
    room = (np.array(size) - np.ptp(subject, axis=0) * zoom) / 2
    shift = np.array(size) / 2 + room * [rng.uniform(-0.8, 0.8), rng.uniform(-0.8, 0.8)]
    middle = (subject.min(axis=0) + subject.max(axis=0)) / 2

    def to_photo(points: Points) -> Points:
        return (project(points) - middle) * zoom + shift

    photo = _warped(
        picture.image, outline, to_photo(outline), size, tuple(rng.randint(20, 200) for _ in range(3))
    )
    result = picture.mapped(photo, to_photo)
    if clean:
        return result
    result = shaded(result, rng, edge=rng.random() < 0.3, glare=rng.random() < 0.15)
    if rng.random() < 0.3:
        faded = 128 + (np.asarray(result.image, dtype=np.float32) - 128) * rng.uniform(0.4, 0.8)
        result = replace(result, image=_image(faded))
    result = blurred(result, rng.choice([0, 0.7, 1.2, 2.0]))
    result = noisy(result, rng.choice([1, 4, 9]), rng)
    return compressed(result, rng.choice([40, 60, 80, 92]))


def _warped(
    image: Image.Image, outline: Points, target: Points, size: tuple[int, int], table: tuple[int, ...]
) -> Image.Image:
    """Warp an image onto a table of one colour, shrinking it first where it gets smaller."""
    scale = float(np.hypot(*(target[1] - target[0])) / outline[1, 0]) * 1.3
    if scale < 1:
        small = image.resize([max(8, round(n * scale)) for n in image.size], Image.Resampling.LANCZOS)
        outline = outline * (np.array(small.size) / np.array(image.size))
        image = small
    back = tuple((homography(target, outline)).ravel()[:8])
    warped = image.convert("RGBA").transform(
        size, Image.Transform.PERSPECTIVE, back, Image.Resampling.BICUBIC
    )
    canvas = Image.new("RGBA", size, (*table, 255))
    canvas.alpha_composite(warped)
    return canvas.convert("RGB")
