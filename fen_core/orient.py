"""Say which side is at the bottom of a board, with an honest probability and its reasons.

Stands between `classify` and `decode`: the probabilities of the 64 squares are still as seen, and the side
named here says whether they must be turned by 180° to stand in FEN order. Three witnesses are heard, each
as log-odds for White at the bottom: the printed coordinates (`coordinates`), the men (pawns, kings, home
squares: tables fitted by models/train/orient_fit.py), and what is usual. What always holds: the log-odds
add up, so a witness that contradicts another lowers the probability; and no witness alone is certain.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fen_core import coordinates, models, net
from fen_core.position import CLASSES

__all__ = ["Orientation", "men_features", "orient"]

Side = Literal["white", "black"]

# Diagrams in books have White at the bottom nearly always, pictures of a player's own game in about three
# of four; this stands for about eight pictures in nine.
PRIOR = 2.1
MEN_LIMIT = 6.5  # log-odds: a fit to positions that we made cannot vouch for more than one in 700
TYPES = "PNBRQK"


@dataclass(frozen=True, slots=True)
class Orientation:
    """The side at the bottom as seen, how probable that is, and the evidence, strongest first."""

    bottom: Side
    probability: float
    evidence: list[dict[str, Any]] = field(default_factory=list)

    def to_json(self) -> dict[str, Any]:
        """Return the value as the Reading carries it."""
        return {"bottom": self.bottom, "probability": self.probability, "evidence": self.evidence}


def men_features(probabilities: ArrayLike) -> dict[str, NDArray[np.float64]]:
    """Measure what the men say of the way up; every feature changes sign when the board is turned.

    Parameters
    ----------
    probabilities : array_like of shape (64, 13)
        Row-major from the top left as seen; classes in the order of `CLASSES`. Expected counts are used,
        so that an unsure square weighs less.

    Returns
    -------
    dict
        "squares", shape (6, 32): for each kind of man, how many stand on each square of their owner's half
        if White is at the bottom, less how many if Black is (colours taken together, each from its owner's
        side). "pairs", shape (2,): white pawns below black ones less those above, on one file and on
        neighbouring files. "men", shape (): the expected number of men.
    """
    p = np.asarray(probabilities, dtype=np.float64)
    white = p[:, [CLASSES.index(t) for t in TYPES]].T
    black = p[:, [CLASSES.index(t.lower()) for t in TYPES]].T
    # A black man's square from its owner's side is the one mirrored in the middle of the board.
    owned = white + black.reshape(6, 8, 8)[:, ::-1].reshape(6, 64)
    squares = owned[:, 32:] - owned[:, 31::-1]
    pawns, foes = white[0].reshape(8, 8), black[0].reshape(8, 8)
    above = np.cumsum(foes, axis=0) - foes  # black pawns above each square, by file
    below = foes.sum(axis=0) - above - foes
    lead = above - below
    near = np.zeros_like(lead)
    near[:, 1:] += lead[:, :-1]
    near[:, :-1] += lead[:, 1:]
    pairs = np.array([(pawns * lead).sum(), (pawns * near).sum()])
    return {"squares": squares, "pairs": pairs, "men": np.asarray(p[:, 1:].sum())}


@cache
def _tables() -> dict[str, NDArray[np.float32]]:
    return net.load_weights(models.path("orient.npz"))


def _men(probabilities: ArrayLike) -> list[tuple[str, float]]:
    """Return the log-odds of pawns, kings and home squares for White at the bottom."""
    tables = _tables()
    features = men_features(probabilities)
    # As chess engines do, one table for a full board and one for a bare one, mixed by the men left.
    full = min(1.0, float(features["men"]) / 32)
    squares = features["squares"] * (full * tables["squares_full"] + (1 - full) * tables["squares_bare"])
    pairs = features["pairs"] * (full * tables["pairs_full"] + (1 - full) * tables["pairs_bare"])
    by_kind = squares.sum(axis=1)
    said = [
        ("pawns", float(by_kind[0] + pairs.sum())),
        ("kings", float(by_kind[5])),
        ("home-squares", float(by_kind[1:5].sum())),
    ]
    total = sum(weight for _, weight in said)
    scale = min(1.0, MEN_LIMIT / abs(total)) if total else 1.0
    return [(kind, weight * scale) for kind, weight in said]


def orient(image: NDArray[np.uint8], corners: ArrayLike, probabilities: ArrayLike) -> Orientation:
    """Say which side is at the bottom of a board.

    Parameters
    ----------
    image : ndarray of shape (H, W, 3) or (H, W), uint8
    corners : array_like of shape (4, 2)
        Corners of the board, pixels: top left, top right, bottom right, bottom left as seen.
    probabilities : array_like of shape (64, 13)
        Of the squares, row-major from the top left as seen.

    Returns
    -------
    Orientation
        Evidence entries are {"kind", "side", "weight"}: kind is "coordinates", "pawns", "kings",
        "home-squares" or "prior", weight is in log-odds (natural) and never negative.
    """
    said: list[tuple[str, float, dict[str, Any]]] = [
        (kind, weight, {}) for kind, weight in _men(probabilities)
    ]
    said.append(("prior", PRIOR, {}))
    printed = coordinates.read(image, corners)
    if printed.bottom is not None:
        sign = 1.0 if printed.bottom == "white" else -1.0
        said.append(("coordinates", sign * printed.weight, {"read": list(printed.zones)}))
    total = sum(weight for _, weight, _ in said)
    bottom: Side = "white" if total >= 0 else "black"
    said.sort(key=lambda entry: -abs(entry[1]))
    evidence = [
        {"kind": kind, "side": "white" if weight >= 0 else "black", "weight": round(abs(weight), 2), **more}
        for kind, weight, more in said
    ]
    return Orientation(bottom, 1 / (1 + math.exp(-abs(total))), evidence)
