"""Bytes of a picture → an upright RGB array, within limits.

The first stage of reading. Pillow decodes, the same under CPython and in the browser, so that both read
alike. What always holds: the result is (H, W, 3) uint8, turned as the camera meant it (EXIF), transparent
parts on white, deep greys scaled by their own range, the first frame of an animation; the size in pixels is
checked before anything is decoded; whatever is wrong with a file is an `ImageError` with a code.
"""

from __future__ import annotations

import io
import warnings
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageOps

from fen_core.errors import ImageError

__all__ = ["FORMATS", "MAX_BYTES", "MAX_PIXELS", "Picture", "load", "open_picture"]

FORMATS = ("PNG", "JPEG", "WEBP", "GIF", "BMP", "TIFF", "PPM")
MAX_BYTES = 64 * 1024 * 1024  # a phone's largest photo is under 30 MB
MAX_PIXELS = 64_000_000  # 192 MB once decoded: as much as a phone's browser can spare
MIN_SIDE_PX = 32  # below this a square is under 4 px: nothing can be read
MAX_ASPECT = 60  # times longer than wide: a line, not a picture


@dataclass(frozen=True, slots=True)
class Picture:
    """An upright picture, perhaps shrunk: `pixels` (H, W, 3) uint8 and how many times it was shrunk."""

    pixels: NDArray[np.uint8]
    shrunk: float = 1.0  # pixels of the file for one of ours


def load(data: bytes) -> NDArray[np.uint8]:
    """Decode a picture at its full size; see `open_picture`."""
    return open_picture(data).pixels


def open_picture(data: bytes, most_pixels: int = MAX_PIXELS) -> Picture:
    """Decode a picture, shrinking it by a whole number where it has more than `most_pixels`.

    Parameters
    ----------
    data : bytes
        The whole file: PNG, JPEG, WebP, GIF, BMP, TIFF or PPM.
    most_pixels : int
        What the caller wants to hold; a larger picture is averaged down while it is decoded.

    Raises
    ------
    ImageError
        `image-empty`, `image-heavy` (bytes), `image-unknown`, `image-huge` (pixels), `image-tiny`,
        `image-truncated`, `image-damaged`.
    """
    if not data:
        raise ImageError("image-empty")
    if len(data) > MAX_BYTES:
        raise ImageError("image-heavy", megabytes=len(data) // 1_000_000, limit=MAX_BYTES // 1_000_000)
    with warnings.catch_warnings():
        # Pillow warns of size and of odd metadata; the size is judged below, the metadata is not kept.
        warnings.simplefilter("ignore")
        return _decode(data, most_pixels)


def _decode(data: bytes, most_pixels: int) -> Picture:
    try:
        picture: Image.Image = Image.open(io.BytesIO(data), formats=FORMATS)
    except Image.DecompressionBombError as error:
        raise ImageError("image-huge", limit=MAX_PIXELS // 1_000_000) from error
    except Exception as error:  # broken headers upset Pillow's readers in many ways; to the person it is one
        raise ImageError("image-unknown") from error
    width, height = picture.size
    if width * height > MAX_PIXELS:
        raise ImageError("image-huge", width=width, height=height, limit=MAX_PIXELS // 1_000_000)
    if min(width, height) < MIN_SIDE_PX or max(width, height) > MAX_ASPECT * min(width, height):
        raise ImageError("image-tiny", width=width, height=height, least=MIN_SIDE_PX)
    times = 1
    while width * height > most_pixels * times * times:
        times += 1
    try:
        if times > 1:
            picture.draft(None, (width // times, height // times))  # a JPEG is decoded smaller at once
        picture.load()
        left = picture.width * times // width  # what draft has not already done
        upright = _to_rgb(_turn_upright(picture))
        if left > 1:
            upright = upright.reduce(left)
        pixels = np.asarray(upright, dtype=np.uint8)
    except (MemoryError, Image.DecompressionBombError) as error:
        raise ImageError("image-huge", width=width, height=height, limit=MAX_PIXELS // 1_000_000) from error
    except OSError as error:
        code = "image-truncated" if "truncated" in str(error).lower() else "image-damaged"
        raise ImageError(code) from error
    except Exception as error:  # a broken file can upset a decoder in any way; to the person it is one thing
        raise ImageError("image-damaged") from error
    return Picture(pixels, max(width, height) / max(pixels.shape[:2]))


def _turn_upright(picture: Image.Image) -> Image.Image:
    try:
        return ImageOps.exif_transpose(picture)
    except Exception:  # broken EXIF data: the picture itself is fine
        return picture


def _to_rgb(picture: Image.Image) -> Image.Image:
    """Bring any mode to RGB: palettes and alpha on white, CMYK converted, deep greys to their own range."""
    if picture.mode in {"I", "F"} or picture.mode.startswith("I;16"):
        grey = np.asarray(picture, dtype=np.float64)
        low, high = (
            (0.0, 65535.0) if picture.mode.startswith("I;16") else (float(grey.min()), float(grey.max()))
        )
        scaled = np.clip((grey - low) * (255.0 / max(high - low, 1e-9)), 0, 255)
        return Image.fromarray(np.rint(scaled).astype(np.uint8)).convert("RGB")
    if (
        picture.mode in {"P", "PA"}
        or "transparency" in picture.info
        or picture.mode in {"LA", "RGBA", "RGBa", "La"}
    ):
        layer = picture.convert("RGBA")
        white = Image.new("RGBA", layer.size, (255, 255, 255, 255))
        return Image.alpha_composite(white, layer).convert("RGB")
    return picture if picture.mode == "RGB" else picture.convert("RGB")
