"""Chess men: drawn from simple shapes, or from the chess glyphs of DejaVu Sans where it is installed."""

from __future__ import annotations

from functools import lru_cache

from PIL import Image, ImageChops, ImageDraw, ImageFilter, ImageFont

Colour = tuple[int, int, int]

OVERSAMPLING = 4  # men are drawn this many times larger and reduced

# Outlines on a square of side 100, y downwards. A man is a list of polygons and of circles (x, y, radius).
Shape = list[list[tuple[float, float]] | tuple[float, float, float]]
_FOOT = [(22.0, 90.0), (22.0, 82.0), (78.0, 82.0), (78.0, 90.0)]
SHAPES: dict[str, Shape] = {
    "p": [(50, 34, 13), [(40, 44), (60, 44), (68, 82), (32, 82)], _FOOT],
    "n": [
        [
            *[(30, 82), (34, 62), (48, 50), (30, 56), (20, 50), (34, 28)],
            *[(40, 14), (50, 22), (68, 32), (76, 56), (74, 82)],
        ],
        _FOOT,
    ],
    "b": [  # the mitre with its cut, a collar, and the wide foot that printed bishops have
        (50, 13, 6),
        [(50, 18), (57, 25), (47, 41), (52, 43), (61, 30), (70, 46), (63, 62), (37, 62), (30, 46), (38, 30)],
        [(36, 65), (64, 65), (65, 71), (35, 71)],
        [(44, 71), (56, 71), (60, 80), (86, 84), (86, 91), (54, 88), (46, 88), (14, 91), (14, 84), (40, 80)],
    ],
    "r": [
        [
            *[(26, 18), (36, 18), (36, 26), (45, 26), (45, 18), (55, 18)],
            *[(55, 26), (64, 26), (64, 18), (74, 18), (74, 34), (26, 34)],
        ],
        [(33, 36), (67, 36), (70, 82), (30, 82)], _FOOT,
    ],
    "q": [
        [(18, 30), (34, 56), (36, 22), (48, 54), (52, 54), (64, 22), (66, 56), (82, 30), (72, 80), (28, 80)],
        (18, 27, 5), (36, 19, 5), (64, 19, 5), (82, 27, 5), _FOOT,
    ],
    "k": [
        [
            *[(47, 8), (53, 8), (53, 14), (59, 14), (59, 20), (53, 20)],
            *[(53, 32), (47, 32), (47, 20), (41, 20), (41, 14), (47, 14)],
        ],
        [(50, 34), (62, 30), (80, 40), (76, 58), (68, 80), (32, 80), (24, 58), (20, 40), (38, 30)], _FOOT,
    ],
}  # fmt: skip
GLYPHS = {"k": "\u265a", "q": "\u265b", "r": "\u265c", "b": "\u265d", "n": "\u265e", "p": "\u265f"}
OUTLINED = {"k": "\u2654", "q": "\u2655", "r": "\u2656", "b": "\u2657", "n": "\u2658", "p": "\u2659"}


@lru_cache(maxsize=8)
def _chess_font(size: int) -> ImageFont.FreeTypeFont | None:
    try:
        return ImageFont.truetype("DejaVuSans.ttf", size)
    except OSError:
        return None


STYLES = ("shapes", "glyphs") if _chess_font(20) else ("shapes",)


@lru_cache(maxsize=64)
def _silhouette(kind: str, side: int) -> Image.Image:
    mask = Image.new("L", (side, side))
    draw = ImageDraw.Draw(mask)
    for part in SHAPES[kind]:
        if isinstance(part, tuple):
            x, y, radius = (value * side / 100 for value in part)
            draw.ellipse([x - radius, y - radius, x + radius, y + radius], fill=255)
        else:
            draw.polygon([(x * side / 100, y * side / 100) for x, y in part], fill=255)
    return mask


def _glyph(character: str, side: int) -> Image.Image:
    font = _chess_font(max(4, round(side * 0.86)))
    assert font is not None
    mask = Image.new("L", (side, side))
    ImageDraw.Draw(mask).text((side / 2, side * 0.54), character, fill=255, font=font, anchor="mm")
    return mask


def _filled(kind: str, side: int, ink: Image.Image) -> Image.Image:
    """Return what an outlined glyph encloses: the solid one's silhouette, its inner lines closed."""
    solid = ImageChops.lighter(ink, _glyph(GLYPHS[kind], side))
    small = solid.resize((side // 2, side // 2), Image.Resampling.BOX)
    closed = small.filter(ImageFilter.MaxFilter(9)).filter(ImageFilter.MinFilter(9))
    return ImageChops.lighter(solid, closed.resize(solid.size, Image.Resampling.BILINEAR))


@lru_cache(maxsize=512)
def man(
    letter: str, side: int, style: str = "shapes", light: Colour = (255, 255, 255), dark: Colour = (0, 0, 0)
) -> Image.Image:
    """Draw a man on a transparent square.

    Parameters
    ----------
    letter : str
        FEN letter: capital for White.
    side : int
        Pixels.
    style : str
        One of `STYLES`.
    light, dark : colours
        Body of the white men and outline of the black, and the reverse.

    Returns
    -------
    PIL.Image.Image, mode RGBA
    """
    kind, white, fine = letter.lower(), letter.isupper(), side * OVERSAMPLING
    thick = max(3, fine // 40) | 1
    if style == "glyphs" and not white:
        body, ink = _glyph(GLYPHS[kind], fine), Image.new("L", (fine, fine))
    elif style == "glyphs":
        ink = _glyph(OUTLINED[kind], fine)
        body = _filled(kind, fine, ink)
    else:
        body = _silhouette(kind, fine)
        ink = ImageChops.difference(body, body.filter(ImageFilter.MinFilter(min(thick, 9))))
    picture = Image.new("RGBA", (fine, fine), (*light, 0))
    picture.paste((*(light if white else dark), 255), (0, 0), body)
    picture.paste((*(dark if white else light), 255), (0, 0), ink)
    return picture.resize((side, side), Image.Resampling.BOX)
