"""Read the 64 squares of a board: corners in a picture → what stands on each square, with probabilities.

Stands between finding boards (`boards`, `rectify`) and the way up (`orient`): squares are row-major from the
top left as seen. The network (models/train/net.py, weights in models/squares.npz) sees the whole board at
once: a convolutional trunk, one vector a square, then attention among the 64 squares, because one print draws
a man the same way every time. What always holds: the probabilities of a square add up to 1 and are calibrated
by the temperature that was fitted on piece families which training never saw; the network does not know
where on the board a square lies.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fen_core import models, net
from fen_core.position import CLASSES
from fen_core.rectify import rectify

__all__ = ["Seen", "forward", "mean_confidence", "read_straightened", "refuses", "see", "squares", "width"]

Array = NDArray[np.float32]

SQUARE_PX = 32
MARGIN = 0.5  # squares kept around the board
MARGIN_PX = round(MARGIN * SQUARE_PX)
SIDE_PX = 8 * SQUARE_PX + 2 * MARGIN_PX  # of a straightened board, as `read_straightened` takes it
HEADS = 4
CLIP = 4.0  # spreads: brighter or darker than this tells nothing more
FLOOR = 6.0  # grey levels added to the spread, so that an empty flat picture is not all noise

# A region whose squares cannot be read is not taken for a diagram. Diagrams, spoilt ones too, are mostly read
# with a mean probability above 0.97; pictures without a diagram and photos of real boards fall below 0.9, or
# look like an empty board, but never as surely as an empty board does.
LEAST_CONFIDENCE = 0.90
LEAST_CONFIDENCE_EMPTY = 0.98
FEW_MEN = 1  # up to so many, a region counts as empty
LEAST_CONFIDENCE_GRAINED = 0.96  # on a lattice as clear as SURE_SCORE: coarse wood has a look of faint men
SURE_SCORE = 0.95
LEAST_SCORE_EMPTY = 0.5  # what the finder of boards must be sure of, for a board without men
MOST_BEYOND_EMPTY = 0.12  # of 160 drawn boards with at most one man, 98 in 100 show less than 0.04


@dataclass(frozen=True, slots=True)
class Seen:
    """What the network makes of one board, squares row-major from the top left as seen.

    Attributes
    ----------
    probabilities : ndarray of shape (64, 13), float32
        Calibrated; classes in the order of `CLASSES`.
    features : ndarray of shape (64, d), float32
        The squares' vectors before the last layer, after they have looked at one another.
    vectors : ndarray of shape (64, d), float32
        The squares' vectors from the convolutions alone, each of its square and what is round it: what
        `teach` learns a print from.
    """

    probabilities: Array
    features: Array
    vectors: Array


@cache
def _weights() -> dict[str, Array]:
    return net.load_weights(models.path("squares.npz"))


def _normalised(board: NDArray[np.uint8]) -> Array:
    """Take the board's own mean and spread out of (288, 288, 3) or (288, 288) of 0..255."""
    pixels = board.astype(np.float32)
    if pixels.ndim == 2:
        pixels = np.repeat(pixels[..., None], 3, axis=2)
    inner = pixels[MARGIN_PX:-MARGIN_PX, MARGIN_PX:-MARGIN_PX]
    mean, spread = inner.mean(dtype=np.float64), inner.std(dtype=np.float64)
    result: Array = np.clip((pixels - np.float32(mean)) / np.float32(spread + FLOOR), -CLIP, CLIP)
    return result


def _trunk(weights: dict[str, Array], board: NDArray[np.uint8]) -> Array:
    """Return one vector a square, (64, d), from the convolutions alone."""

    def conv(x: Array, name: str, kernel: int, stride: int, padding: int) -> Array:
        return net.conv2d(x, weights[name + ".weight"], weights[name + ".bias"], kernel, stride, padding)

    x = _normalised(board)[None]
    x = conv(x, "stem.0", 5, 2, 2)
    x = conv(x, "stem.1", 3, 2, 1)
    x = conv(x, "stem.2", 3, 2, 1)
    block = 0
    while f"residuals.{block}.weight" in weights:
        x = x + conv(x, f"residuals.{block}", 3, 1, 1)
        block += 1
    edge = MARGIN_PX // 8  # three strides of two
    x = np.ascontiguousarray(x[:, edge:-edge, edge:-edge])
    return conv(x, "square", 4, 4, 0).reshape(64, -1)


def _attended(weights: dict[str, Array], x: Array) -> Array:
    """Let the squares (64, d) look at one another: pre-norm transformer blocks without a position code."""
    block = 0
    while f"blocks.{block}.qkv.weight" in weights:

        def linear(value: Array, name: str, at: str = f"blocks.{block}.") -> Array:
            return net.linear(value, weights[at + name + ".weight"], weights[at + name + ".bias"])

        def norm(value: Array, name: str, at: str = f"blocks.{block}.") -> Array:
            return net.layer_norm(value, weights[at + name + ".weight"], weights[at + name + ".bias"])

        query, key, value = np.split(linear(norm(x, "norm1"), "qkv"), 3, axis=1)
        x = x + linear(net.attention(query, key, value, HEADS), "out")
        x = x + linear(net.relu(linear(norm(x, "norm2"), "up")), "down")
        block += 1
    return net.layer_norm(x, weights["norm.weight"], weights["norm.bias"])


def width() -> int:
    """Return how many numbers a square's vector has."""
    return int(_weights()["square.bias"].shape[0])


def forward(board: NDArray[np.uint8]) -> tuple[Array, Array]:
    """Return the logits (64, 13), as trained, and the features (64, d) of a straightened board.

    Parameters
    ----------
    board : ndarray of shape (288, 288, 3) or (288, 288), uint8
        As `rectify` gives it for 32 pixels a square and a margin of half a square.
    """
    logits, features, _ = _through(board)
    return logits, features


def _through(board: NDArray[np.uint8]) -> tuple[Array, Array, Array]:
    weights = _weights()
    vectors = _trunk(weights, board)
    features = _attended(weights, vectors)
    return net.linear(features, weights["head.weight"], weights["head.bias"]), features, vectors


def read_straightened(board: NDArray[np.uint8]) -> Seen:
    """Read the squares of a board that is already straightened, see `forward`."""
    logits, features, vectors = _through(board)
    return Seen(net.softmax(logits / _weights()["temperature"]), features, vectors)


def see(image: NDArray[np.uint8], corners: ArrayLike) -> Seen:
    """Read the squares of one board, and keep the vectors they were read from.

    Parameters
    ----------
    image : ndarray of shape (H, W, 3) or (H, W), uint8
    corners : array_like of shape (4, 2)
        Top left, top right, bottom right, bottom left as seen, pixels.

    Raises
    ------
    ModelError
        If the weights are missing or damaged.
    ValueError
        If the corners are no proper quadrilateral.
    """
    return read_straightened(rectify(image, corners, SQUARE_PX, MARGIN))


def squares(image: NDArray[np.uint8], corners: ArrayLike) -> Array:
    """Return the calibrated probabilities (64, 13) of the squares of one board; see `see`."""
    return see(image, corners).probabilities


def mean_confidence(probabilities: Array) -> float:
    """Return the mean probability of the likeliest content over the 64 squares."""
    return float(probabilities.max(axis=1).mean())


def refuses(probabilities: Array, score: float, goes_on: float = 0.0) -> bool:
    """Tell whether a region is no diagram: unreadable as one, or empty where the finder was unsure too.

    What goes on beyond eight squares and bears no men is a floor or a cloth.

    Parameters
    ----------
    probabilities : ndarray of shape (64, 13)
    score : float
        How sure the finder of boards was, 0 to 1.
    goes_on : float
        How clearly the pattern goes on beyond some side, 0 to 1.
    """
    confidence = mean_confidence(probabilities)
    men = int((probabilities.argmax(axis=1) != CLASSES.index(".")).sum())
    if men <= FEW_MEN:
        least = LEAST_CONFIDENCE_EMPTY if score < SURE_SCORE else LEAST_CONFIDENCE_GRAINED
        unsure = men == 0 and score < LEAST_SCORE_EMPTY
        return confidence < least or unsure or goes_on > MOST_BEYOND_EMPTY
    return confidence < LEAST_CONFIDENCE
