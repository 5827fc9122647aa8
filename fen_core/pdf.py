"""Pages of a PDF file → pictures, one at a time. For the command line only: the page uses pdf.js.

Needs the extra `pdf` (pypdfium2). What always holds: one page is in memory at a time, whatever their number.
"""

from __future__ import annotations

import io
from collections.abc import Iterator

from fen_core.errors import ImageError

__all__ = ["is_pdf", "pages"]

LONG_SIDE_PX = 2200  # about 200 dots an inch for A4: a diagram of 4 cm has squares of 39 px


def is_pdf(data: bytes) -> bool:
    """Tell whether a file is a PDF (its mark may stand after a little junk: PDF 1.7, annex H.3.4.1)."""
    return b"%PDF-" in data[:1024]


def pages(data: bytes) -> Iterator[bytes]:
    """Render page after page as PNG.

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
        for number in range(len(document)):
            page = document[number]
            scale = LONG_SIDE_PX / max(page.get_width(), page.get_height(), 1.0)
            picture = page.render(scale=scale).to_pil().convert("RGB")
            page.close()
            out = io.BytesIO()
            picture.save(out, "PNG", compress_level=1)
            yield out.getvalue()
    finally:
        document.close()
