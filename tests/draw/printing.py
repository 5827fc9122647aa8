"""What presses, copiers and scanners do to a picture; nothing moves, so corners stay."""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageFilter

from draw.picture import Picture


def _grey(pixels: NDArray[np.floating]) -> Image.Image:
    return Image.fromarray(_clipped(pixels)).convert("RGB")


def halftone(picture: Picture, dots_px: int) -> Picture:
    """Print in black dots, `dots_px` pixels apart: each as large as the grey that it stands for."""
    grey = np.asarray(picture.image.convert("L"), dtype=np.float64)
    y, x = np.mgrid[0 : grey.shape[0], 0 : grey.shape[1]] * (2 * np.pi / dots_px)
    screen = 127.5 + 63.75 * (np.cos((x + y) / np.sqrt(2)) + np.cos((x - y) / np.sqrt(2)))  # at 45°
    return replace(picture, image=_grey(np.where(grey > screen, 255.0, 0.0)))


def bitonal(picture: Picture, threshold: float, rough: float, rng: random.Random) -> Picture:
    """Scan to black and white alone; `rough` is the paper's grain, in grey levels."""
    grey = np.asarray(picture.image.convert("L"), dtype=np.float64)
    grain = np.random.default_rng(rng.randrange(1 << 30)).normal(0, rough, grey.shape)
    return replace(picture, image=_grey(np.where(grey + grain > threshold, 255.0, 0.0)))


def inked(picture: Picture, pixels: int) -> Picture:
    """Let ink spread by so many pixels, or wear off where negative."""
    side = 2 * abs(pixels) + 1
    how = ImageFilter.MinFilter(side) if pixels > 0 else ImageFilter.MaxFilter(side)
    return replace(picture, image=picture.image.filter(how)) if pixels else picture


def yellowed(picture: Picture, rng: random.Random) -> Picture:
    """Age the paper: tinted, spotted, its ink grey."""
    pixels = np.asarray(picture.image, dtype=np.float64)
    height, width = pixels.shape[:2]
    spots = np.random.default_rng(rng.randrange(1 << 30)).normal(0, 12, (8, 8)).astype(np.float32)
    stain = np.asarray(Image.fromarray(spots).resize((width, height), Image.Resampling.BICUBIC))
    paper, ink = np.array([236.0, 222.0, 188.0]), np.array([58.0, 50.0, 42.0])
    aged = ink + (paper - ink) * pixels / 255 + stain[..., None]
    return replace(picture, image=Image.fromarray(_clipped(aged)))


def shown_through(picture: Picture, strength: float) -> Picture:
    """Let the back of the page show: the picture's own mirror image, upside down and faint."""
    pixels = np.asarray(picture.image, dtype=np.float64)
    back = 255 - np.asarray(picture.image.convert("L"), dtype=np.float64)[::-1, ::-1]
    return replace(picture, image=Image.fromarray(_clipped(pixels - strength * back[..., None])))


def _clipped(pixels: NDArray[np.floating]) -> NDArray[np.uint8]:
    return np.clip(np.rint(pixels), 0, 255).astype(np.uint8)
