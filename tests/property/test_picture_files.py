"""Whatever bytes come in: a Reading, or an error with a code; in bounded time and memory."""

from __future__ import annotations

import io
import json
import random
import struct
import sys
import time
import zlib
from collections.abc import Callable

import numpy as np
import pytest
from draw import THEMES, board, draw_negative, framed
from PIL import Image

from fen_core.errors import FenCoreError
from fen_core.read import read

MOST_SECONDS = 10.0  # of processor time; the slowest on record took a tenth of that
MOST_GROWTH_MB = 700  # of the process, over all files: one picture of the largest size is 192 MB, decoded
FORMATS = ("PNG", "JPEG", "WEBP", "GIF", "BMP", "TIFF", "PPM")
MAGIC = (
    b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff\xe0", b"GIF89a", b"BM", b"RIFF\x10\0\0\0WEBPVP8 ",
    b"II*\0\x08\0\0\0", b"MM\0*", b"P6\n", b"P5 9 9 255\n", b"%PDF-1.7\n", b"\0\0\0\x18ftypheic",
)  # fmt: skip
DIAGRAM = framed(board("r3k2r/8/8/3q4/8/8/4P3/R3K2R", 24, THEMES["brown"], style="shapes"), "line").image


def saved(image: Image.Image, kind: str, **options: object) -> bytes:
    data = io.BytesIO()
    image.save(data, kind, **options)
    return data.getvalue()


def something(rng: random.Random) -> Image.Image:
    """A small picture: a diagram, or none."""
    if rng.random() < 0.4:
        return DIAGRAM
    kind = rng.choice(["text", "noise", "moire", "qr", "stripes"])
    image = draw_negative(kind, rng, photo=False).image
    image.thumbnail((300, 300))
    return image


def junk(rng: random.Random) -> bytes:
    return rng.randbytes(rng.choice([0, 1, 7, 100, 5000]))


def junk_with_a_header(rng: random.Random) -> bytes:
    return rng.choice(MAGIC) + rng.randbytes(rng.randint(0, 3000))


def truncated(rng: random.Random) -> bytes:
    whole = saved(something(rng), rng.choice(FORMATS))
    return whole[: rng.randrange(len(whole))]


def damaged(rng: random.Random) -> bytes:
    data = bytearray(saved(something(rng), rng.choice(FORMATS)))
    for _ in range(rng.choice([1, 3, 30])):
        data[rng.randrange(min(len(data), rng.choice([40, 400, len(data)])))] = rng.randrange(256)
    return bytes(data)


def huge_on_paper(rng: random.Random) -> bytes:
    """Headers that claim more pixels than anybody has."""
    wide, high = (rng.choice([1, 60_000, 100_000, 2**31 - 1]) for _ in range(2))
    if rng.random() < 0.5:
        body = struct.pack("<IiiHHIIiiII", 40, min(wide, 2**31 - 1), high, 1, 24, 0, 0, 0, 0, 0, 0)
        return b"BM" + struct.pack("<IHHI", 54, 0, 0, 54) + body + rng.randbytes(50)
    head = struct.pack(">IIBBBBB", wide, high, 8, rng.choice([0, 2, 3, 6]), 0, 0, 0)

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    body = chunk(b"IDAT", zlib.compress(bytes(10_000)))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + body + chunk(b"IEND", b"")


def hundred_megapixels(rng: random.Random) -> bytes:
    return saved(Image.new("1", (10_000, 10_000), 1), rng.choice(["PNG", "TIFF"]))


def slivers(rng: random.Random) -> bytes:
    sizes = [(1, 1), (1, 5000), (5000, 1), (31, 31), (32, 32), (33, 1900), (2, 2), (40, 2400)]
    return saved(Image.new("RGB", rng.choice(sizes), (rng.randrange(256),) * 3), rng.choice(["PNG", "BMP"]))


def deep(rng: random.Random) -> bytes:
    """Sixteen bits, floats with what is no number, thirty-two bits."""
    grey = np.asarray(something(rng).convert("L"), dtype=np.float64)
    kind = rng.choice(["16", "12", "float", "nan", "int"])
    if kind in ("16", "12"):
        times = 257 if kind == "16" else 16
        return saved(Image.fromarray((grey * times).astype(np.uint16)), rng.choice(["PNG", "TIFF"]))
    if kind == "int":
        return saved(Image.fromarray((grey * 1000).astype(np.int32)), "TIFF")
    values = grey.astype(np.float32)
    if kind == "nan":
        values[rng.randrange(len(values))] = rng.choice([np.nan, np.inf, -np.inf])
    return saved(Image.fromarray(values), "TIFF")


def odd_modes(rng: random.Random) -> bytes:
    """CMYK, palettes, transparency, one bit, YCbCr, Lab."""
    image = something(rng)
    mode, kinds = rng.choice(
        [
            ("CMYK", ("JPEG", "TIFF")),
            ("P", ("PNG", "GIF", "BMP")),
            ("1", ("PNG", "BMP", "TIFF")),
            ("LA", ("PNG",)),
            ("RGBA", ("PNG", "WEBP", "TIFF")),
            ("L", FORMATS),
            ("YCbCr", ("JPEG", "TIFF")),
            ("LAB", ("TIFF",)),
        ]
    )
    if mode == "LA":
        return saved(image.convert("L").convert("LA"), "PNG")
    changed = image.convert("RGB").convert("LAB") if mode == "LAB" else image.convert(mode)
    if mode == "RGBA":
        changed.putalpha(rng.randrange(256))
    options = {"transparency": rng.randrange(256)} if mode == "P" and rng.random() < 0.5 else {}
    return saved(changed, rng.choice(kinds), **options)


def animated(rng: random.Random) -> bytes:
    frames = [DIAGRAM, *(something(rng).resize(DIAGRAM.size).convert("RGB") for _ in range(2))]
    kind = rng.choice(["GIF", "WEBP", "TIFF", "PNG"])
    return saved(frames[0], kind, save_all=True, append_images=frames[1:])


def turned_by_exif(rng: random.Random) -> bytes:
    exif = Image.Exif()
    exif[0x0112] = rng.choice([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 60_000])
    data = saved(DIAGRAM, rng.choice(["JPEG", "WEBP", "PNG"]), exif=exif)
    at = data.find(b"Exif")
    if at > 0 and rng.random() < 0.3:
        broken = bytearray(data)
        for _ in range(6):
            broken[at + rng.randrange(4, 30)] = rng.randrange(256)
        return bytes(broken)
    return data


FILES: tuple[Callable[[random.Random], bytes], ...] = (
    junk, junk_with_a_header, truncated, damaged, huge_on_paper, slivers, deep, odd_modes, animated,
    turned_by_exif, truncated, damaged,
)  # fmt: skip


def taken(data: bytes) -> str:
    """Read a file; return the code of its error, "boards" or "none"."""
    start = time.process_time()
    try:
        reading = read(data)
    except FenCoreError as error:
        assert isinstance(error.code, str)
        assert error.code
        json.dumps(error.params)
        result = error.code
    else:
        json.dumps(reading.to_json())
        result = "boards" if reading.boards else "none"
    assert time.process_time() - start < MOST_SECONDS
    return result


def seen_in(count: int) -> dict[str, int]:
    """Read so many files; count what came of them."""
    seen: dict[str, int] = {}
    for seed in range(count):
        make = FILES[seed % len(FILES)]
        result = taken(make(random.Random(f"file {seed}")))
        seen[result] = seen.get(result, 0) + 1
    return seen


def test_sixty_files_of_any_kind():
    seen = seen_in(60)
    assert {"boards", "image-unknown", "image-tiny"} <= set(seen)


@pytest.mark.parametrize("seed", range(2))
def test_a_hundred_megapixels_are_refused_with_a_code(seed):
    assert taken(hundred_megapixels(random.Random(seed))) == "image-huge"


@pytest.mark.long
@pytest.mark.skipif(sys.platform == "win32", reason="no resource module there")
def test_a_thousand_files_of_any_kind(capsys):
    import resource

    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    seen = seen_in(1000)
    unit = 1024 * 1024 if sys.platform == "darwin" else 1024
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / unit
    with capsys.disabled():
        print(f"\n{dict(sorted(seen.items()))}, grown by {grown:.0f} MB")
    assert grown < MOST_GROWTH_MB
