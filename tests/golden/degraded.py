"""Diagrams spoilt in one way each, drawn from a seed; what must hold of their readings is in the tests.

A kind is a function of a random generator that draws a picture with one board. `GENTLE` kinds are what
pictures are like every day, and must be read to the last square; `HARSH` ones are as bad as a person would
still send, and may be misread, but never in silence.
"""

from __future__ import annotations

import random
from collections.abc import Callable

from draw import (
    THEMES,
    Picture,
    Theme,
    arrows,
    bitonal,
    blurred,
    board,
    compressed,
    curved,
    framed,
    halftone,
    highlighted,
    in_window,
    inked,
    moire,
    noisy,
    on_page,
    photographed,
    resized,
    shaded,
    shown_through,
    yellowed,
)

PLACEMENTS = (
    "r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQ1RK1",
    "r2q1rk1/pb1nbppp/1p2pn2/2pp4/3P1B2/2NBPN2/PPQ2PPP/R4RK1",
    "8/5pk1/4p1p1/3pP2p/1r1P1P1P/4K1P1/2R5/8",
    "2r3k1/5ppp/p3p3/1p1bP3/3N1P2/P1q1B3/2Q3PP/4R1K1",
    "6k1/8/3b2K1/3P4/2N5/8/p7/8",
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR",
)
SCREENS = ("brown", "green", "blue", "grey", "wood")
PRINTS = ("hatched", "crossed", "dotted", "grey")
Kind = Callable[[random.Random], Picture]


def _board(rng: random.Random, themes: tuple[str, ...], square_px: int = 44, **more: object) -> Picture:
    theme = THEMES[rng.choice(themes)]
    halo = theme.pattern != "plain"
    drawn = board(rng.choice(PLACEMENTS), square_px, theme, style="shapes", halo=halo, rng=rng, **more)
    return drawn


def _screen(rng: random.Random, square_px: int = 44) -> Picture:
    return framed(_board(rng, SCREENS, square_px), rng.choice(["none", "line", "coordinates", "thick"]))


def _printed(rng: random.Random, square_px: int = 44) -> Picture:
    return framed(_board(rng, PRINTS, square_px), rng.choice(["line", "double", "coordinates_line"]))


def _page(rng: random.Random, square_px: int = 44) -> Picture:
    return on_page([_printed(rng, square_px)], 18 * square_px, rng)


def any_colours(rng: random.Random) -> Picture:
    """Draw a screen theme of random colours."""
    base, step = rng.randint(150, 245), rng.randint(40, 100)
    tint = [rng.randint(-20, 10) for _ in range(3)]
    theme = Theme(tuple(base + t for t in tint), tuple(base - step + t for t in tint))
    return framed(board(rng.choice(PLACEMENTS), 44, theme, style="shapes"), "coordinates")


def marked_squares(rng: random.Random) -> Picture:
    """Mark the last move."""
    marks = [(rng.randrange(8), rng.randrange(8)) for _ in range(2)]
    return framed(highlighted(_board(rng, SCREENS), marks), "coordinates")


def few_arrows(rng: random.Random) -> Picture:
    """Draw one or two arrows."""
    return arrows(_board(rng, SCREENS), rng.randint(1, 2), rng)


def many_arrows(rng: random.Random) -> Picture:
    """Draw five to eight arrows and circles."""
    return arrows(_board(rng, SCREENS), rng.randint(5, 8), rng)


def in_a_program(rng: random.Random) -> Picture:
    """Show the board among panels."""
    return in_window(_board(rng, SCREENS, rng.randint(40, 70)), (1280, 800), rng, dark=rng.random() < 0.5)


def jpeg(rng: random.Random) -> Picture:
    """Compress to the quality that messengers use."""
    return compressed(_screen(rng), 60)


def hard_jpeg(rng: random.Random) -> Picture:
    """Compress until blocks show."""
    return compressed(_screen(rng, 30), 20)


def hatched_page(rng: random.Random) -> Picture:
    """Print hatched, crossed or dotted squares on a page."""
    return _page(rng)


def old_paper(rng: random.Random) -> Picture:
    """Age the page."""
    return yellowed(_page(rng), rng)


def through_the_paper(rng: random.Random) -> Picture:
    """Let the back of the page show."""
    return shown_through(_page(rng), 0.12)


def halftoned(rng: random.Random) -> Picture:
    """Print a screen's colours in dots."""
    return resized(halftone(_screen(rng, 80), 6), 420)


def coarse_halftone(rng: random.Random) -> Picture:
    """Print in dots a tenth of a square apart."""
    return halftone(_screen(rng), 5)


def black_and_white(rng: random.Random) -> Picture:
    """Scan print to black and white alone."""
    return bitonal(_printed(rng, 56), 128, 20, rng)


def rough_black_and_white(rng: random.Random) -> Picture:
    """Scan small print on rough paper to black and white alone."""
    return bitonal(_printed(rng, 30), rng.uniform(90, 190), 50, rng)


def spread_ink(rng: random.Random) -> Picture:
    """Let ink spread by a pixel."""
    return inked(_page(rng), 1)


def worn_ink(rng: random.Random) -> Picture:
    """Wear the ink off by a pixel."""
    return inked(_page(rng), -1)


def out_of_focus(rng: random.Random) -> Picture:
    """Blur by a twentieth of a square."""
    return blurred(_screen(rng), 2.2)


def far_out_of_focus(rng: random.Random) -> Picture:
    """Blur by a tenth of a square."""
    return blurred(_screen(rng), 4.5)


def grainy(rng: random.Random) -> Picture:
    """Photograph in poor light: noise."""
    return noisy(_screen(rng), 14, rng)


def very_grainy(rng: random.Random) -> Picture:
    """Photograph in the dark: noise as strong as some squares' difference."""
    return noisy(_screen(rng), 40, rng)


def shadow(rng: random.Random) -> Picture:
    """Cast a shadow with an edge."""
    return shaded(_page(rng), rng, edge=True)


def glare(rng: random.Random) -> Picture:
    """Let a lamp shine back."""
    return shaded(_screen(rng), rng, glare=True)


def light_moire(rng: random.Random) -> Picture:
    """Photograph a screen: faint moiré."""
    return blurred(moire(_screen(rng, 60), 0.06, rng), 0.8)


def strong_moire(rng: random.Random) -> Picture:
    """Photograph a screen from close by: strong moiré."""
    return moire(_screen(rng), 0.22, rng)


def slanted(rng: random.Random) -> Picture:
    """See the board at up to 25° out of its plane."""
    return photographed(_screen(rng, 60), rng, tilt=25, turn=10, clean=True)


def photo(rng: random.Random) -> Picture:
    """Photograph a page with everything that goes with it."""
    return photographed(_page(rng, 60), rng, tilt=15, turn=8)


def bent(rng: random.Random) -> Picture:
    """Bend the page by a tenth of a square."""
    return curved(_page(rng), rng.choice([-1, 1]) * 0.03, rng.random())


def small(rng: random.Random) -> Picture:
    """Draw 18 pixels a square."""
    return resized(_screen(rng, 60), 160)


def smallest(rng: random.Random) -> Picture:
    """Draw 12 pixels a square."""
    return resized(_screen(rng, 60), 106)


GENTLE: dict[str, Kind] = {
    "any_colours": any_colours, "marked_squares": marked_squares,
    "in_a_program": in_a_program, "jpeg": jpeg, "hatched_page": hatched_page, "old_paper": old_paper,
    "through_the_paper": through_the_paper, "halftoned": halftoned, "black_and_white": black_and_white,
    "spread_ink": spread_ink, "out_of_focus": out_of_focus, "grainy": grainy, "shadow": shadow,
    "light_moire": light_moire, "slanted": slanted, "bent": bent, "small": small,
}  # fmt: skip
HARSH: dict[str, Kind] = {
    "few_arrows": few_arrows, "many_arrows": many_arrows, "hard_jpeg": hard_jpeg,
    "coarse_halftone": coarse_halftone,
    "rough_black_and_white": rough_black_and_white, "worn_ink": worn_ink,
    "far_out_of_focus": far_out_of_focus, "very_grainy": very_grainy, "glare": glare,
    "strong_moire": strong_moire, "photo": photo, "smallest": smallest,
}  # fmt: skip


def draw_degraded(kind: str, seed: int) -> Picture:
    """Draw a picture of a kind; the same seed draws the same picture."""
    return {**GENTLE, **HARSH}[kind](random.Random(f"{kind} {seed}"))
