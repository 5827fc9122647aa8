"""Take the pictures that an installing browser shows: `python3 tests/browser/draw_screenshots.py`.

The real page with a picture read in it, wide and narrow, written to static/icons/ as small WebP files. Not a
test: the pictures lie in the repository, and this says how they came about. Take them again when the page has
changed.
"""

from __future__ import annotations

import io
import re
import sys
import tempfile
from pathlib import Path

from PIL import Image
from playwright.sync_api import expect, sync_playwright

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / ".ci"))
from assemble import make_site  # noqa: E402
from packages import chromium  # noqa: E402
from serve import serving  # noqa: E402

ICONS = ROOT / "static" / "icons"
PICTURE = ROOT / "static" / "examples" / "photo.jpg"
# Name → width, height, pixels for one of CSS.
SHOTS = {"shot-wide.webp": (1280, 800, 1), "shot-narrow.webp": (412, 915, 2)}
PATIENCE_MS = 300_000


def main() -> None:
    """Take each at its size."""
    with tempfile.TemporaryDirectory() as work, sync_playwright() as driver:
        site = make_site(Path(work) / "site")
        browser = driver.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        with serving(site) as address:
            for name, (width, height, ratio) in SHOTS.items():
                page = browser.new_page(
                    viewport={"width": width, "height": height},
                    device_scale_factor=ratio,
                    locale="en-GB",
                    service_workers="block",
                )
                page.goto(address)
                page.set_input_files("#file", PICTURE)
                read = re.compile(r"^(?!8/8/8/8/8/8/8/8).+/")
                expect(page.locator("#status-text")).to_contain_text("1 board read", timeout=PATIENCE_MS)
                expect(page.locator("#fen")).to_have_value(read)
                page.locator("#offline").filter(has_text=re.compile(".")).wait_for()
                page.evaluate("document.activeElement.blur(); scrollTo(0, 0)")
                picture = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
                picture.save(ICONS / name, quality=70, method=6)
                page.close()
        browser.close()


if __name__ == "__main__":
    main()
