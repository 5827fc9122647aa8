"""What can go wrong outside the chess: unusable files, missing models, a caller's mistakes.

    FenCoreError
    ├── ImageError    a file that is no picture, or one that cannot be decoded
    ├── ModelError    weights that are missing or damaged
    ├── ProfileError  a profile of a print that cannot be used, or a board it cannot learn from
    └── UsageError    arguments that cannot be

Each has a code and parameters; the sentences live in the language files under `error.<code>`. What a text
or a picture may hold is never an exception: it comes back as problems and doubts.
"""

from __future__ import annotations

__all__ = ["FenCoreError", "ImageError", "ModelError", "ProfileError", "UsageError", "package"]


class FenCoreError(Exception):
    """Base of every exception raised here: a stable `code` and the `params` of its message."""

    def __init__(self, code: str, **params: str | int | float) -> None:
        super().__init__(code)
        self.code = code
        self.params: dict[str, str | int | float] = dict(params)


class ImageError(FenCoreError):
    """A file cannot be used as a picture."""


class ModelError(FenCoreError):
    """Weights are missing or damaged."""


class ProfileError(FenCoreError):
    """A profile of a print cannot be used, or a board cannot be learnt from."""


class UsageError(FenCoreError, ValueError):
    """A caller passed what cannot be."""


def package(error: ModuleNotFoundError) -> str:
    """Return the name under which what could not be imported is installed."""
    name = error.name or ""
    return {"PIL": "Pillow", "numpy": "NumPy", "sklearn": "scikit-learn"}.get(name, name)
