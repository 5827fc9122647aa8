"""Draw the page's built-in example pictures from our own pieces: `python3 tests/browser/draw_examples.py`.

They are drawn by the browser (SVG pieces, CSS for paper and perspective) and written to static/examples/.
All texts and positions in them are ours. Not a test: the pictures lie in the repository, and this says how
they came about.
"""

from __future__ import annotations

import io
import random
import sys
from pathlib import Path

from PIL import Image, ImageFilter
from playwright.sync_api import Page, sync_playwright

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / ".ci"))
from packages import chromium  # noqa: E402

OUT = ROOT / "static" / "examples"
SCREEN = "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2Q1RK1"
BOOK = "2r3k1/5ppp/p2p4/1p1Pn3/1P2r3/P3N2P/2R2PP1/4R1K1"
PHOTO = "8/5pk1/4p1p1/3pP2p/1r1P1P1P/4K1P1/2R5/8"
HATCH = "repeating-linear-gradient(135deg,#0000 0 4px,#555 4px 5px)"


def board(placement: str, size: int, light: str, dark: str) -> str:
    """Return the diagram as HTML: 64 boxes with our pieces as pictures."""
    boxes = []
    for rank, row in enumerate(placement.split("/")):
        letters = "".join("." * int(c) if c.isdigit() else c for c in row)
        for file, letter in enumerate(letters):
            colour = dark if (rank + file) % 2 else light
            name = f"{'w' if letter.isupper() else 'b'}{letter.upper()}.svg"
            man = "" if letter == "." else f"<img src='{(ROOT / 'static/pieces' / name).as_uri()}'>"
            boxes.append(f"<i style='background:{colour}'>{man}</i>")
    return f"<div class=b style='--s:{size}px'>{''.join(boxes)}</div>"


STYLE = """<style>*{box-sizing:border-box}body{margin:0}
.b{display:grid;grid-template-columns:repeat(8,var(--s));inline-size:max-content}
.b i{inline-size:var(--s);block-size:var(--s)}.b img{inline-size:100%;display:block}</style>"""


def shot(page: Page, folder: Path, body: str, width: int, height: int) -> Image.Image:
    """Show a body in the browser, and return what is seen."""
    page.set_viewport_size({"width": width, "height": height})
    file = folder / "draw.html"
    file.write_text(f"<!doctype html><meta charset=utf-8>{STYLE}{body}", "utf-8")
    page.goto(file.as_uri())
    page.wait_for_load_state("networkidle")
    return Image.open(io.BytesIO(page.screenshot())).convert("RGB")


def screen() -> str:
    """Return a game as a chess program shows it."""
    moves = ["d4 Nf6", "Nf3 e6", "Bf4 d5", "e3 c5", "c3 Nc6", "Nbd2 Be7", "Bd3 O-O", "O-O"]
    rows = "".join(f"<p><b>{n}</b> {m}</p>" for n, m in enumerate(moves, 1))
    return (
        "<body style='background:#26292e;color:#d5d8dc;font:15px sans-serif;"
        "display:flex;gap:24px;padding:28px'>"
        + board(SCREEN, 54, "#dfe3e8", "#7d93a8")
        + f"<div style='inline-size:170px'><p>Black &nbsp; 12:41</p>{rows}<p>White &nbsp; 11:07</p></div>"
    )


def book() -> str:
    """Return a page of a book, with a hatched diagram between two paragraphs."""
    first = (
        "Both sides have kept their rooks and one knight, and each knight stands in the middle of the board. "
        "The open files decide such positions: whoever doubles rooks first asks the questions, and the other "
        "side has to answer them."
    )
    second = "Before you move, look at every capture, then at every check, and only then at the quiet moves."
    return (
        '<body style=\'background:#f3ecdb;color:#2b2721;font:17px/1.45 Georgia,"DejaVu Serif",serif;'
        "padding:40px 56px;text-align:justify'>"
        f"<p style='text-align:center;font-variant:small-caps'>Open files</p><p>{first}</p>"
        "<div style='inline-size:max-content;margin:18px auto;border:2px solid #2b2721;padding:2px'>"
        f"<div style='border:1px solid #2b2721'>{board(BOOK, 44, '#f3ecdb', HATCH)}</div></div>"
        f"<p style='text-align:center'>White to move</p><p>{second}</p>"
    )


def photo() -> str:
    """Return a screen seen from the side."""
    return (
        "<body style='background:linear-gradient(120deg,#3a3027,#14110e);"
        "perspective:900px;padding:70px 90px'>"
        "<div style='transform:rotateY(-16deg) rotateX(9deg) rotateZ(2deg);background:#0b0b0c;padding:22px;"
        "border-radius:14px;inline-size:max-content;position:relative'>"
        + board(PHOTO, 52, "#ecd9b4", "#b08a63")
        + "<div style='position:absolute;inset:0;"
        "background:linear-gradient(115deg,#fff3 0 22%,#fff0 38%)'></div></div>"
    )


def grain(picture: Image.Image, amount: int, blur: float, seed: int) -> Image.Image:
    """Return the picture with the softness of a lens and the grain of a sensor."""
    random.seed(seed)
    noise = Image.effect_noise(picture.size, amount).convert("RGB")
    return Image.blend(picture.filter(ImageFilter.GaussianBlur(blur)), noise, 0.06)


def main() -> None:
    """Draw the three."""
    OUT.mkdir(exist_ok=True)
    folder = OUT / ".draw"
    folder.mkdir(exist_ok=True)
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        page = browser.new_page()
        shot(page, folder, screen(), 690, 490).quantize(96).save(OUT / "screen.png", optimize=True)
        paper = shot(page, folder, book(), 560, 760)
        paper = paper.rotate(-0.7, Image.Resampling.BICUBIC, fillcolor="#f3ecdb")
        grain(paper, 60, 0.6, 1).save(OUT / "book.jpg", quality=72, optimize=True)
        lit = shot(page, folder, photo(), 720, 620)
        grain(lit, 80, 0.9, 2).save(OUT / "photo.jpg", quality=72, optimize=True)
        browser.close()
    (folder / "draw.html").unlink()
    folder.rmdir()


if __name__ == "__main__":
    main()
