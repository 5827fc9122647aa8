"""Draw the icons of the installed app from static/icons/icon.svg: `python3 tests/browser/draw_icons.py`.

The browser draws them; they are written to static/icons/. Not a test: the pictures lie in the repository,
and this says how they came about.
"""

from __future__ import annotations

import io
import re
import sys
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / ".ci"))
from packages import chromium  # noqa: E402

ICONS = ROOT / "static" / "icons"
SOURCE = (ICONS / "icon.svg").read_text("utf-8")
GROUND = '<rect width="96" height="96" rx="18" fill="#1f4d3f"/>'
# Systems cut a maskable icon to a shape of their own: the drawing keeps to the inner 80 %.
FULL = '<rect width="96" height="96" fill="#1f4d3f"/>'
INNER = f'{FULL}<g transform="translate(12 12) scale(.75)">'
MASKABLE = SOURCE.replace(GROUND, INNER).replace("</svg>", "</g></svg>")
# Only its shape is used: the light squares and the corners, the ground and the dark squares are left out.
MONOCHROME = re.sub(r'<path d="M48 20[^>]*fill="#9db8a9"/>', "", SOURCE.replace(GROUND, ""))
DRAWINGS = {
    "app-192.png": (SOURCE, 192, True),
    "app-512.png": (SOURCE, 512, True),
    "app-maskable-512.png": (MASKABLE, 512, True),
    "app-monochrome-512.png": (MONOCHROME, 512, False),
}


def main() -> None:
    """Draw each at its size, with as few colours as its edges need."""
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        for name, (svg, side, few) in DRAWINGS.items():
            page = browser.new_page(viewport={"width": side, "height": side})
            page.set_content(f"<style>body{{margin:0}}svg{{display:block;width:{side}px}}</style>{svg}")
            picture = Image.open(io.BytesIO(page.screenshot(omit_background=True))).convert("RGBA")
            if few:
                picture = picture.quantize(64, method=Image.Quantize.FASTOCTREE)
            picture.save(ICONS / name, optimize=True)
            page.close()
        browser.close()


if __name__ == "__main__":
    main()
