"""Learn a print: a few corrected boards of a book, app or site → the reading of squares adapted to it.

Stands between `classify` and everything after it. The network stays as it is: its vectors of the corrected
squares, and how far its reading of each was from the truth, fit a correction of the log probabilities that is
strong near those squares and nothing far from them (kernel ridge regression on the residuals: one step of
boosting, or the mean of a Gaussian process whose prior is the network's own reading). Fitting needs
scikit-learn; using what was learnt needs NumPy alone. What always holds: a square unlike every corrected
one, and so every class that was not seen, keeps the network's reading; a board whose men do not look like
the print's is read without the profile, and says so.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fen_core import classify, models, net, profile
from fen_core.classify import Seen
from fen_core.errors import ProfileError
from fen_core.position import CLASSES
from fen_core.profile import MOST_BOARDS, Model, Profile, Taught
from fen_core.rectify import rectify

__all__ = [
    "Adapted",
    "adapt",
    "learn",
    "likeness",
    "network",
    "prepare",
    "straightened",
]

Array = NDArray[np.float32]
Progress = Callable[[str, float], None]

# Chosen on boards drawn from piece families that training never saw; models/train/teach_eval.py measures the
# choice. Nearest neighbours, LDA and logistic regression with a prior were tried too: none reads the same
# print better, and LDA reads other prints far worse.
NEARNESS = 6.0  # how fast the correction fades: exp(-NEARNESS · (1 - cosine)) of the squares' vectors
RIDGE = 0.1  # how little a corrected square is believed to be as it looks
STEP = 6.0  # nats that a square read wrongly with certainty is moved by
LEAST_LIKENESS = 0.75  # below it the profile does not fit
LEAST_RESEMBLANCE = 0.91  # from it on the profile is offered


@dataclass(frozen=True, slots=True)
class Adapted:
    """A board read with a profile.

    Attributes
    ----------
    probabilities : ndarray of shape (64, 13), float32
        Adapted where the profile fits, else as the network reads.
    likeness : float
        How much the board's squares look like the print's, 0 to 1.
    used : bool
        Whether the profile fits.
    """

    probabilities: Array
    likeness: float
    used: bool


@cache
def network() -> str:
    """Return the SHA-256 of the weights that read squares here, in hexadecimal."""
    return hashlib.sha256(models.path("squares.npz").read_bytes()).hexdigest()


def prepare() -> None:
    """Import what learning needs, so that a package that is missing is noticed before a board is at stake.

    Raises
    ------
    ModuleNotFoundError
        Naming the package.
    """
    from sklearn.kernel_ridge import KernelRidge  # noqa: F401


def straightened(image: NDArray[np.uint8], corners: ArrayLike) -> NDArray[np.uint8]:
    """Return one board of a picture as the network takes it, (SIDE_PX, SIDE_PX, 3)."""
    board = rectify(image, corners, classify.SQUARE_PX, classify.MARGIN)
    return board if board.ndim == 3 else np.repeat(board[..., None], 3, axis=2)


def _unit(features: Array) -> Array:
    """Return vectors of length 1."""
    lengths = np.linalg.norm(features, axis=1, keepdims=True)
    result: Array = features / np.maximum(lengths, np.float32(1e-6))
    return result


def learn(name: str, taught: Sequence[Taught], progress: Progress | None = None) -> Profile:
    """Learn a print from its corrected boards.

    Parameters
    ----------
    name : str
        How the person calls it.
    taught : sequence of Taught
        1 to `MOST_BOARDS` boards.
    progress : callable, optional
        Called with the stage "teach" and the share that is done.

    Raises
    ------
    ProfileError
        `profile-full`, `profile-damaged` (a picture), `profile-nameless`.
    ModuleNotFoundError
        If scikit-learn is missing.
    """
    from sklearn.kernel_ridge import KernelRidge

    if not 1 <= len(taught) <= MOST_BOARDS:
        raise ProfileError("profile-full", limit=MOST_BOARDS)
    called = profile.clean_name(name)
    if not called:
        raise ProfileError("profile-nameless")
    features, residuals = [], []
    for index, board in enumerate(taught):
        if progress:
            progress("teach", 0.9 * index / len(taught))
        seen = classify.read_straightened(board.pixels())
        truth = np.eye(len(CLASSES))[[CLASSES.index(letter) for letter in board.board64]]
        features.append(_unit(seen.vectors))
        residuals.append(STEP * (truth - seen.probabilities))
    vectors = np.concatenate(features).astype(np.float64)
    # On vectors of length 1, half the squared distance is 1 - cosine.
    fit = KernelRidge(alpha=RIDGE, kernel="rbf", gamma=NEARNESS / 2)
    fit.fit(vectors, np.concatenate(residuals))
    model = Model(network(), vectors.astype(np.float32), np.asarray(fit.dual_coef_, dtype=np.float32))
    return Profile(called, tuple(taught), model)


def _cosines(model: Model, seen: Seen) -> Array:
    """Return how alike a board's squares and the learnt ones look, (64, n)."""
    return net.matmul_t(_unit(seen.vectors), np.ascontiguousarray(model.features))


def _likeness(cosines: Array, probabilities: Array) -> float:
    nearest = cosines.max(axis=1)
    # Empty squares look much the same in many prints: the men tell, where there are any.
    men = probabilities.argmax(axis=1) != CLASSES.index(".")
    return float(np.clip((nearest[men] if men.any() else nearest).mean(), 0.0, 1.0))


def likeness(model: Model, seen: Seen) -> float:
    """Return how much a board looks like a print, 0 to 1: the likeness of its men to the likest learnt."""
    return _likeness(_cosines(model, seen), seen.probabilities)


def adapt(model: Model, seen: Seen) -> Adapted:
    """Read the squares of a board anew with what was learnt of a print."""
    cosines = _cosines(model, seen)
    alike = _likeness(cosines, seen.probabilities)
    if alike < LEAST_LIKENESS:
        return Adapted(seen.probabilities, alike, used=False)
    near: Array = np.exp(np.float32(NEARNESS) * (cosines - 1))
    correction = net.matmul_t(near, np.ascontiguousarray(model.correction.T))
    logits = np.log(np.maximum(seen.probabilities, np.float32(1e-9))) + correction
    return Adapted(net.softmax(logits), alike, used=True)
