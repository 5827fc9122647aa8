"""A random source with the few draws that drawing and spoiling need, and noise at a chosen coarseness."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

Float = NDArray[np.float32]


class Chance:
    """Wraps a seeded NumPy generator; one object runs through one sample."""

    def __init__(self, random: np.random.Generator) -> None:
        self.random = random

    def p(self, share: float) -> bool:
        """Return True with this probability."""
        return bool(self.random.random() < share)

    def u(self, low: float, high: float) -> float:
        """Return a number between low and high, all alike."""
        return low + (high - low) * self.random.random()

    def log_u(self, low: float, high: float) -> float:
        """Return a number between low and high, alike on a logarithmic scale."""
        return float(np.exp(self.u(np.log(low), np.log(high))))

    def i(self, low: int, high: int) -> int:
        """Return a whole number from low to high - 1."""
        return int(self.random.integers(low, high))

    def one_of(self, values: list[float]) -> float:
        """Return one of the values."""
        return values[self.i(0, len(values))]

    def square(self) -> tuple[int, int]:
        """Return a row and a column of the board."""
        return self.i(0, 8), self.i(0, 8)

    def text(self, low: int, high: int) -> str:
        """Return letters and signs without meaning."""
        return "".join(chr(self.i(65, 123)) for _ in range(self.i(low, high)))

    def noise(self, height: int, width: int, blur: float = 0.0, blur_y: float = 0.0) -> Float:
        """Return noise of mean 0; after blurring its spread is brought back to 1."""
        out = self.random.standard_normal((height, width), dtype=np.float32)
        if blur > 0:
            out = cv2.GaussianBlur(out, (0, 0), blur, sigmaY=blur_y or blur)
            out /= float(out.std()) + 1e-6
        return out

    def smooth(self, height: int, width: int, knots: int) -> Float:
        """Return a smooth random field, about unit spread, with this many knots a side."""
        coarse = self.random.standard_normal((knots, knots), dtype=np.float32)
        out: Float = cv2.resize(coarse, (width, height), interpolation=cv2.INTER_CUBIC)
        return out
