"""Decoding: every kind of file that people have, and every way in which one can be broken."""

from __future__ import annotations

import io
import struct
import zlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from fen_core import image
from fen_core.errors import ImageError


def encoded(picture: Image.Image, kind: str = "PNG", **options) -> bytes:
    out = io.BytesIO()
    picture.save(out, kind, **options)
    return out.getvalue()


def plain(width: int = 64, height: int = 48) -> Image.Image:
    """Left half red, right half blue."""
    pixels = np.zeros((height, width, 3), np.uint8)
    pixels[:, : width // 2, 0] = 250
    pixels[:, width // 2 :, 2] = 250
    return Image.fromarray(pixels)


def png_header(width: int, height: int) -> bytes:
    """A PNG that claims a size and holds next to nothing: a decompression bomb's outside."""

    def chunk(kind: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    head = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    body = zlib.compress(b"\0" * 1000)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", body) + chunk(b"IEND", b"")


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP", "GIF", "BMP", "TIFF", "PPM"])
def test_every_format_gives_the_same_rgb(kind):
    got = image.load(encoded(plain(), kind))
    assert got.shape == (48, 64, 3)
    assert got.dtype == np.uint8
    assert np.abs(got[:, :24].astype(int) - [250, 0, 0]).max() < 12
    assert np.abs(got[:, 40:].astype(int) - [0, 0, 250]).max() < 12


def test_exif_orientation_is_applied():
    exif = Image.Exif()
    exif[0x0112] = 6  # the camera was held upright: turn by 90° clockwise
    got = image.load(encoded(plain(), "JPEG", exif=exif, quality=95))
    assert got.shape == (64, 48, 3)
    assert got[8, 24, 0] > 200  # the red half is now on top
    assert got[56, 24, 2] > 200


@pytest.mark.parametrize("mode", ["RGBA", "LA"])
def test_transparent_parts_lie_on_white(mode):
    layer = plain().convert("RGBA")
    layer.putalpha(Image.fromarray(np.where(np.arange(64) < 32, 0, 255).astype(np.uint8)[None].repeat(48, 0)))
    got = image.load(encoded(layer if mode == "RGBA" else layer.convert(mode)))
    assert (got[:, :30] == 255).all()
    assert (got[:, 34:] != 255).any(axis=2).all()


def test_palette_with_a_transparent_colour():
    picture = plain().convert("P", palette=Image.Palette.ADAPTIVE, colors=4)
    red = int(np.asarray(picture)[0, 0])
    got = image.load(encoded(picture, "PNG", transparency=red))
    assert (got[:, :30] == 255).all()


def test_sixteen_bit_grey_keeps_its_tones():
    ramp = np.linspace(0, 65535, 64).astype(np.uint16)[None].repeat(48, 0)
    got = image.load(encoded(Image.fromarray(ramp)))
    assert got[0, 0, 0] == 0
    assert got[0, -1, 0] == 255
    assert abs(int(got[0, 32, 0]) - 130) < 4


def test_cmyk_and_bilevel():
    assert image.load(encoded(plain().convert("CMYK"), "JPEG")).shape == (48, 64, 3)
    assert set(np.unique(image.load(encoded(plain().convert("1"))))) <= {0, 255}


def test_first_frame_of_an_animation():
    frames = [plain(), Image.new("RGB", (64, 48), "green")]
    got = image.load(encoded(frames[0], "GIF", save_all=True, append_images=frames[1:]))
    assert got[10, 10, 0] > 200


def code_of(data: bytes) -> str:
    with pytest.raises(ImageError) as caught:
        image.load(data)
    return caught.value.code


def test_bad_files_have_codes():
    photo = encoded(plain(640, 480), "JPEG", quality=95)
    assert code_of(b"") == "image-empty"
    assert code_of(b"This is a text that was renamed to board.png") == "image-unknown"
    assert code_of(b"%PDF-1.7 not a picture") == "image-unknown"
    assert code_of(photo[: len(photo) // 2]) == "image-truncated"
    assert code_of(encoded(Image.new("RGB", (1, 1)))) == "image-tiny"
    assert code_of(encoded(Image.new("RGB", (4000, 33)))) == "image-tiny"
    assert code_of(b"\xff\xd8\xff" + b"\0" * 40) in {"image-unknown", "image-truncated", "image-damaged"}


def test_a_bomb_is_refused_before_it_is_decoded():
    for side in (9_000, 30_000, 60_000):
        assert code_of(png_header(side, side)) == "image-huge"


def test_a_file_heavier_than_the_limit_is_refused(monkeypatch):
    monkeypatch.setattr(image, "MAX_BYTES", 100)
    assert code_of(encoded(plain(640, 480))) == "image-heavy"


def test_all_black_is_a_picture():
    assert image.load(encoded(Image.new("RGB", (64, 64)))).max() == 0


@pytest.mark.parametrize("kind", ["PNG", "JPEG"])
def test_a_large_picture_is_shrunk_and_says_by_how_much(kind):
    got = image.open_picture(encoded(plain(1200, 900), kind), most_pixels=300_000)
    assert got.pixels.shape[0] * got.pixels.shape[1] <= 300_000
    assert got.shrunk == pytest.approx(1200 / got.pixels.shape[1])
    assert got.pixels[5, 5, 0] > 230
    assert got.pixels[-5, -5, 2] > 230


@given(st.binary(max_size=300), st.integers(0, 3))
def test_no_bytes_do_anything_but_decode_or_fail_with_a_code(junk, kind):
    start = [b"", b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff\xe0", b"GIF89a"][kind]
    try:
        image.load(start + junk)
    except ImageError as error:
        assert error.code.startswith("image-")


@given(st.integers(0, 2**32 - 1))
def test_damaged_bytes_in_a_real_file_never_escape(seed):
    rng = np.random.default_rng(seed)
    data = bytearray(encoded(plain(), ["PNG", "JPEG", "GIF", "WEBP"][seed % 4]))
    for place in rng.integers(0, len(data), 6):
        data[place] = rng.integers(256)
    try:
        assert image.load(bytes(data)).ndim == 3
    except ImageError as error:
        assert error.code.startswith("image-")
