"""Draw chess diagrams for tests, with NumPy and Pillow alone, and know exactly where everything is.

Every picture is a `Picture`: pixels, and the boards on it with their exact corners, placement and the side at
the bottom. Build one from the inside out, each step returning a new `Picture`:

    from draw import THEMES, board, framed, on_page, photographed

    picture = board("r3k2r/8/8/8/8/8/8/R3K2R", square_px=48, theme=THEMES["wood"])   # 8×8 squares alone
    picture = framed(picture, "coordinates")                                         # frame, strips, letters
    picture = on_page([picture], width=1200, rng=random.Random(1))                    # text around it
    picture = photographed(picture, rng, tilt=25, turn=10)                            # perspective, noise …

- `pieces`   men as vector shapes, or DejaVu's chess glyphs where that font is installed (`STYLES`)
- `themes`   colours, hatching, dots, engraving by hand (`THEMES`)
- `diagram`  the board itself: men, highlights, arrows; frames and coordinates
- `scenes`   pages of text, windows with panels, several boards side by side
- `camera`   perspective, curved paper, shadow, glare, moiré, blur, noise, JPEG
- `printing` halftone, black and white scans, spread ink, old paper, what shows through
- `negatives` pictures without a board: text, tables, crosswords, go boards, QR codes … (`NEGATIVES`)
- `kinds`    random stress pictures by kind and seed (`KINDS`, `draw_kind`)

All randomness comes from the `random.Random` that is passed in: the same seed draws the same picture.
"""

from draw.camera import blurred, compressed, curved, moire, noisy, photographed, resized, shaded
from draw.diagram import arrows, board, framed, highlighted, placed
from draw.kinds import KINDS, draw_kind
from draw.negatives import NEGATIVES, draw_negative
from draw.picture import Picture, Seen
from draw.pieces import STYLES, man
from draw.printing import bitonal, halftone, inked, shown_through, yellowed
from draw.scenes import in_window, on_page, side_by_side
from draw.themes import THEMES, Theme, random_theme

__all__ = [
    "KINDS",
    "NEGATIVES",
    "STYLES",
    "THEMES",
    "Picture",
    "Seen",
    "Theme",
    "arrows",
    "bitonal",
    "blurred",
    "board",
    "compressed",
    "curved",
    "draw_kind",
    "draw_negative",
    "framed",
    "halftone",
    "highlighted",
    "in_window",
    "inked",
    "man",
    "moire",
    "noisy",
    "on_page",
    "photographed",
    "placed",
    "random_theme",
    "resized",
    "shaded",
    "shown_through",
    "side_by_side",
    "yellowed",
]
