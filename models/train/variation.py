"""Makes cousins of a piece set: what a reader must know is what a knight is, not how 180 families draw one.

There are never enough piece sets to learn from, and the network knows those it saw by heart: families that
it never saw are where it errs.  So the artwork itself is varied, each kind of man in its own way and both
colours alike: in proportion, by bending, by taking kinds from other sets, by drawing a side anew from its
outline or from the other side.  Held-out families are measured as they are, never varied.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from models.train.artwork import ART_PX, Artwork
from models.train.chance import Chance

Float = NDArray[np.float32]

AXIS = np.arange(ART_PX, dtype=np.float32)


def _mixed(chance: Chance, pieces: Float, another: Callable[[], Artwork]) -> Float:
    """Take some kinds of men, both colours of each, from another set."""
    other = another().pieces
    for kind in range(6):
        if chance.p(0.5):
            pieces[kind], pieces[kind + 6] = other[kind], other[kind + 6]
    return pieces


def _warped(pieces: Float, kind: int, map_x: Float, map_y: Float) -> None:
    for man in (kind, kind + 6):
        pieces[man] = cv2.remap(
            pieces[man], map_x.astype(np.float32), map_y.astype(np.float32), cv2.INTER_LINEAR
        )


def _proportioned(chance: Chance, pieces: Float) -> Float:
    """Make each kind taller, slimmer, leaning, larger or smaller in the head, standing on the same ground."""
    ground, middle = ART_PX * 0.92, ART_PX / 2
    common = chance.u(0.9, 1.05)
    for kind in range(6):
        wide, tall = common * chance.u(0.84, 1.1), common * chance.u(0.84, 1.08)
        lean, head, waist = chance.u(-0.08, 0.08), chance.u(-0.22, 0.22), chance.u(-0.12, 0.12)
        height = (ground - AXIS[:, None]) / (ART_PX * 0.84)  # 0 at the foot, 1 at the top
        width = 1 + head * (height - 0.5) + waist * np.cos(2 * np.pi * height)
        map_x = middle + (AXIS[None] - middle - lean * (ground - AXIS[:, None])) / (wide * width)
        map_y = ground + (AXIS[:, None] - ground) / tall + 0 * AXIS[None]
        _warped(pieces, kind, map_x, map_y)
    return pieces


def _bent(chance: Chance, pieces: Float) -> Float:
    """Bend each kind of man in its own way."""
    for kind in range(6):
        strength = chance.u(0, 0.055) * ART_PX
        knots = chance.i(4, 6)
        map_x = AXIS[None] + chance.smooth(ART_PX, ART_PX, knots) * strength
        map_y = AXIS[:, None] + chance.smooth(ART_PX, ART_PX, knots) * strength
        _warped(pieces, kind, map_x, map_y)
    return pieces


def _outline(alpha: Float, thickness: int) -> Float:
    """Return how much each pixel belongs to the rim of a shape given by its alpha (0..1)."""
    inside = cv2.erode(alpha, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (thickness, thickness)))
    return np.clip(alpha - inside, 0, 1)


def _filled(alpha: Float, fill: float, rim: float, thickness: int, inner: Float) -> Float:
    """Return a grey RGBA man: this fill with a rim, ``inner`` (0..1) of the rim's tone drawn inside."""
    share = np.clip(_outline(alpha, thickness) + inner, 0, 1)
    grey = (fill + (rim - fill) * share) * alpha
    return np.dstack([grey, grey, grey, alpha * 255]).astype(np.float32)


def _drawn_anew(chance: Chance, pieces: Float) -> Float:
    """Draw the men from their shapes: flat, with a rim, with much or little of what was drawn inside."""
    detail = chance.u(0, 1.2) if chance.p(0.6) else 0.0
    light, dark = chance.u(215, 255), chance.u(0, 70)
    thickness = 2 * chance.i(1, 4) + 1
    rim_of_black = light if chance.p(0.2) else chance.u(0, dark + 1)
    borrowed, source = chance.p(0.4), chance.i(0, 2)  # whether, and whose, drawing serves for both sides
    anew = np.empty_like(pieces)
    for kind in range(6):
        for side in (0, 1):
            man = pieces[kind + 6 * (source if borrowed else side)]
            alpha = man[..., 3] / 255
            grey = man[..., :3].mean(-1) / np.maximum(alpha, 1e-3)
            solid = alpha > 0.6
            if not solid.any():
                return pieces
            # what differs from the man's own commonest tone is what was drawn inside
            inner = np.clip(np.abs(grey - np.median(grey[solid])) / 128, 0, 1) * solid * detail
            fill, rim = (dark, rim_of_black) if side else (light, chance.u(0, 40))
            anew[kind + 6 * side] = _filled(alpha, fill, rim, thickness, inner.astype(np.float32))
    return anew


def cousin(chance: Chance, artwork: Artwork, another: Callable[[], Artwork]) -> Artwork:
    """Return a set as another hand might have drawn it, or often the set itself; ``another`` draws a set."""
    mixed, shaped, bent, anew = chance.p(0.14), chance.p(0.4), chance.p(0.4), chance.p(0.14)
    if not (mixed or shaped or bent or anew):
        return artwork
    pieces = artwork.pieces.copy()
    if mixed:
        pieces = _mixed(chance, pieces, another)
    if shaped:
        pieces = _proportioned(chance, pieces)
    if bent:
        pieces = _bent(chance, pieces)
    if anew:
        pieces = _drawn_anew(chance, pieces)
    return replace(artwork, pieces=np.clip(pieces, 0, 255), dark_squares=None)
