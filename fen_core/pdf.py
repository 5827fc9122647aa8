"""Pages of a PDF file → pictures, one at a time. For the command line only: the page uses pdf.js.

Needs the extra `pdf` (pypdfium2). What always holds: one page is in memory at a time, whatever their number;
pages that are not wanted are not drawn.
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterator

from fen_core.errors import ImageError, UsageError

__all__ = ["is_pdf", "page_numbers", "pages"]

LONG_SIDE_PX = 2200  # about 200 dots an inch for A4: a diagram of 4 cm has squares of 39 px


def is_pdf(data: bytes) -> bool:
    """Tell whether a file is a PDF (its mark may stand after a little junk: PDF 1.7, annex H.3.4.1)."""
    return b"%PDF-" in data[:1024]


def page_numbers(text: str) -> Callable[[int], bool]:
    """Return the test of whether a page is meant.

    Parameters
    ----------
    text : str
        Pages from 1 and ranges of them, as "1-20,35" or "40-".

    Raises
    ------
    UsageError
        `pages` where the text says something else.

    >>> wanted = page_numbers("1-3, 7, 40-")
    >>> [number for number in (1, 4, 7, 39, 99) if wanted(number)]
    [1, 7, 99]
    """
    ranges = []
    for part in re.sub(r"\s*-\s*", "-", text).replace(",", " ").split():
        match = re.fullmatch(r"(\d{1,6})(-?)(\d{0,6})", part)
        if not match:
            raise UsageError("pages", value=text)
        first = int(match[1])
        last = int(match[3]) if match[3] else None if match[2] else first
        if first < 1 or (last is not None and last < first):
            raise UsageError("pages", value=text)
        ranges.append((first, last))
    if not ranges:
        raise UsageError("pages", value=text)
    return lambda number: any(first <= number and (last is None or number <= last) for first, last in ranges)


def pages(data: bytes, wanted: Callable[[int], bool] = lambda number: True) -> Iterator[tuple[int, bytes]]:
    """Render page after page as PNG.

    Parameters
    ----------
    data : bytes
        The PDF file.
    wanted : callable
        Whether the page of that number, from 1, is to be rendered.

    Yields
    ------
    tuple of int and bytes
        The number of the page, from 1, and its picture.

    Raises
    ------
    ImageError
        `pdf-unsupported` where pypdfium2 is not installed, `pdf-damaged` or `pdf-locked` where it cannot be
        opened.
    """
    try:
        import pypdfium2
    except ImportError as error:
        raise ImageError("pdf-unsupported") from error
    try:
        document = pypdfium2.PdfDocument(data)
    except pypdfium2.PdfiumError as error:
        raise ImageError("pdf-locked" if "password" in str(error).lower() else "pdf-damaged") from error
    try:
        for number in range(1, len(document) + 1):
            if not wanted(number):
                continue
            page = document[number - 1]
            scale = LONG_SIDE_PX / max(page.get_width(), page.get_height(), 1.0)
            bitmap = page.render(scale=scale)
            picture = bitmap.to_pil().convert("RGB")
            bitmap.close()
            page.close()
            out = io.BytesIO()
            picture.save(out, "PNG", compress_level=1)
            yield number, out.getvalue()
    finally:
        document.close()
