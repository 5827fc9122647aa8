"""What a first visit costs in bytes on the wire, by kind, and how much it may cost.

Where it stands: above `assemble`; the bench prints it, a browser test holds the limits.
What always holds: every file that was asked for counts once, gzipped where static hosts compress that kind;
what a service worker fetches later, when the first reading is done, does not count.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from assemble import wire_size

# The first pattern that fits says the kind.
KINDS = {
    "Python and its library": r"runtime/pyodide-[^/]+/(pyodide|python_stdlib|interpreter)",
    "NumPy": r"runtime/pyodide-[^/]+/numpy",
    "Pillow": r"runtime/pyodide-[^/]+/pillow",
    "PyScript": r"runtime/pyscript-|pyscript\.toml$",
    "ours: Python, weights, words": r"runtime/(engine|checker)-",
    "ours: the page": r".",
}
# Bytes: until the first reading, and what of it is ours; the single file; the networks' weights together.
LARGEST_VISIT = 13_500_000
LARGEST_OURS = 2_200_000
LARGEST_SINGLE = 19_000_000
LARGEST_WEIGHTS = 1_600_000


def visit_sizes(site: Path, address: str, asked: Iterable[str]) -> dict[str, int]:
    """Return bytes on the wire by kind.

    Parameters
    ----------
    site
        The folder that is served.
    address
        Where it is served, with its closing slash.
    asked
        Addresses that the browser asked for; what is no file of the site does not count.
    """
    wire = dict.fromkeys(KINDS, 0)
    for url in {url.split("#")[0].split("?")[0] for url in asked}:
        path = url.removeprefix(address) or "index.html"
        if url.startswith(address) and (site / path).is_file():
            kind = next(name for name, pattern in KINDS.items() if re.match(pattern, path))
            wire[kind] += wire_size(site / path)
    return wire


def ours(wire: dict[str, int]) -> int:
    """Return the bytes of what this project made: code, weights, pieces, words."""
    return sum(size for kind, size in wire.items() if kind.startswith("ours"))


def weights_size(models: Path) -> int:
    """Return the bytes of all networks' weights together, as they lie in the repository."""
    return sum(path.stat().st_size for path in models.glob("*.npz"))
