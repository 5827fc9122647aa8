"""What is measured of a reader of squares: accuracy, calibration, doubt, confusion.

Arrays in, numbers out.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from fen_core.decode import decode
from fen_core.position import CLASSES

Float = NDArray[np.float64]
Ints = NDArray[np.int64]

BINS = 15
THRESHOLDS = (0.5, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995, 0.999)


@dataclass(slots=True)
class Readings:
    """Probabilities (64, 13) and labels (64,) of boards, both in FEN order, and a kind for each board."""

    probabilities: list[Float] = field(default_factory=list)
    labels: list[Ints] = field(default_factory=list)
    kinds: list[str] = field(default_factory=list)

    def add(self, probabilities: NDArray[np.float32], labels: Ints, kind: str) -> None:
        """Add one board."""
        self.probabilities.append(np.asarray(probabilities, np.float64))
        self.labels.append(labels)
        self.kinds.append(kind)

    def of(self, kind: str) -> Readings:
        """Return the boards of one kind."""
        chosen = [i for i, k in enumerate(self.kinds) if k == kind]
        return Readings(
            [self.probabilities[i] for i in chosen], [self.labels[i] for i in chosen], [kind] * len(chosen)
        )


def accuracy(readings: Readings) -> dict[str, float]:
    """Return shares in percent and means a board, as the score of the whole chain defines them.

    ``exact``: boards right to the last square; ``wrong``: squares a board; ``flagged``: squares a board
    called unsure; ``caught``: wrong squares that are called unsure; ``silent``: boards with wrong squares
    none of which is called unsure; ``nll``: mean negative log likelihood of a square.
    """
    exact = wrong = flagged = caught = silent = 0
    nll = 0.0
    for p, labels in zip(readings.probabilities, readings.labels, strict=True):
        decoded = decode(p)
        bad = np.array([CLASSES.index(piece) for piece in decoded.board64]) != labels
        exact += not bad.any()
        wrong += int(bad.sum())
        flagged += int(decoded.unsure.sum())
        caught += int((bad & decoded.unsure).sum())
        silent += bool(bad.any() and not (bad & decoded.unsure).any())
        nll -= float(np.log(np.maximum(p[np.arange(64), labels], 1e-9)).mean())
    n = max(1, len(readings.labels))
    return {
        "boards": len(readings.labels),
        "exact": 100 * exact / n,
        "wrong": wrong / n,
        "flagged": flagged / n,
        "caught": 100 * caught / wrong if wrong else 100.0,
        "silent": 100 * silent / n,
        "nll": nll / n,
    }


def _flat(readings: Readings) -> tuple[Float, NDArray[np.bool_]]:
    p, labels = np.concatenate(readings.probabilities), np.concatenate(readings.labels)
    return p.max(axis=1), p.argmax(axis=1) == labels


def reliability(readings: Readings) -> tuple[float, list[tuple[int, float, float]]]:
    """Return the expected calibration error in percent, and (squares, confidence, accuracy) of each bin.

    Bins of equal mass (Nixon et al., *Measuring Calibration in Deep Learning*, 2019).
    """
    confidence, right = _flat(readings)
    order = np.argsort(confidence, kind="stable")
    bins = [
        (len(part), float(confidence[part].mean()), float(right[part].mean()))
        for part in np.array_split(order, BINS)
    ]
    error = sum(n * abs(c - a) for n, c, a in bins) / len(confidence)
    return 100 * error, bins


def risk_coverage(readings: Readings) -> list[tuple[float, float, float, float]]:
    """Return rows: threshold, marked squares a board, wrong squares marked %, risk of the rest %."""
    confidence, right = _flat(readings)
    boards, wrong = len(readings.labels), max(1, int((~right).sum()))
    rows = []
    for threshold in THRESHOLDS:
        marked = confidence < threshold
        kept = max(1, int((~marked).sum()))
        rows.append(
            (
                threshold,
                float(marked.sum()) / boards,
                100 * float((marked & ~right).sum()) / wrong,
                100 * float((~marked & ~right).sum()) / kept,
            )
        )
    return rows


def confusion(readings: Readings) -> Ints:
    """Return (13, 13) counts: rows what stands there, columns what was read."""
    p, labels = np.concatenate(readings.probabilities), np.concatenate(readings.labels)
    counts = np.zeros((13, 13), np.int64)
    np.add.at(counts, (labels, p.argmax(axis=1)), 1)
    return counts
