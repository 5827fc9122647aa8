"""Where the weights and the language files lie: in a checkout, in an installed wheel, in the browser.

The repository keeps them once, in models/ and static/i18n/; the wheel carries them inside the package
(pyproject.toml says so), and so does the archive that the page unpacks. Everything else asks here.
"""

from __future__ import annotations

from pathlib import Path

__all__ = ["NETWORKS", "languages_folder", "path"]

NETWORKS = ("squares.npz", "coordinates.npz", "orient.npz")
"""Every file of weights that reading asks for."""

PACKAGE = Path(__file__).resolve().parent


def _folder(packaged: str, checkout: str) -> Path:
    inside = PACKAGE / packaged
    return inside if inside.is_dir() else PACKAGE.parent / checkout


def path(name: str) -> Path:
    """Return the path of a file of weights, such as "squares.npz"; it need not exist."""
    return _folder("_models", "models") / name


def languages_folder() -> Path:
    """Return the folder that holds the language files, en.json and the rest."""
    return _folder("_i18n", "static/i18n")
