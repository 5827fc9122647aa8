"""Write the service worker with its list of files: what makes the site work without a network.

Where it stands: above `common`; `assemble` calls it last, when every other file lies in its place.
What always holds: the list names every file of the site but the worker itself, with its SHA-256; the same
site gives the same worker, any other site another one, which is how browsers notice a new version.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

from common import ROOT, BuildError, sha256

SOURCE = ROOT / "static" / "sw" / "sw.js"
NAME = "sw.js"
_PLACE = re.compile(r"^const LIST = .*; // build\.py: the list$", re.MULTILINE)
# Kept when first used (static/app/offline.js, `keepForLater`): what only PyScript's other kinds of script ask
# for, packages for learning, what opens PDF files, what an installing browser or a reader of the repository
# looks at.
_LATER = re.compile(
    r"^runtime/pyscript-[^/]+/(donkey|index|mpy|py-editor|py-game|py-terminal|storage|zip)\b|"
    r"^runtime/.*/(scikit_learn|scipy|joblib|threadpoolctl)-|^runtime/pdfjs-|"
    r"^static/icons/(app|shot)-|\.(md|webmanifest)$|(^|/)LICENSE$|^\.nojekyll$"
)


def files_of(site: Path) -> dict[str, dict[str, list[str | int]]]:
    """Return the list: path → [SHA-256, bytes], for what is kept at once and for what is kept later."""
    files: dict[str, dict[str, list[str | int]]] = {"now": {}, "later": {}}
    for path in sorted(site.rglob("*")):
        name = path.relative_to(site).as_posix()
        if path.is_file() and name != NAME:
            data = path.read_bytes()
            files["later" if _LATER.search(name) else "now"][name] = [sha256(data), len(data)]
    return files


def place_worker(site: Path) -> None:
    """Write sw.js into the root of `site`.

    Raises
    ------
    BuildError
        If the worker's source has no place for the list.
    """
    listed = json.dumps(files_of(site), indent=0, separators=(",", ":"))
    text, count = _PLACE.subn(lambda _: f"const LIST = {listed};", SOURCE.read_text("utf-8"))
    if count != 1:
        raise BuildError(f"{SOURCE.name} must have one place for the list of files")
    (site / NAME).write_text(text, "utf-8")
