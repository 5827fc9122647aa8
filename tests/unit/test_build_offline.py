"""The list of the service worker and the manifest of the installed app: whole, and of what is there."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / ".ci"))

import offline  # noqa: E402
from common import BuildError, sha256  # noqa: E402

MANIFEST: dict[str, Any] = json.loads((ROOT / "static" / "manifest.webmanifest").read_text("utf-8"))


def make(site: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        (site / name).parent.mkdir(parents=True, exist_ok=True)
        (site / name).write_text(text, "utf-8")
    return site


FILES = {
    "index.html": "page",
    "static/app/main.js": "main",
    "runtime/pyodide-1/scipy-1.0.whl": "later",
    "runtime/pdfjs-1/pdf.min.mjs": "later too",
    "runtime/pyscript-1/core.js": "core",
    "runtime/pyscript-1/mpy-x.js": "another Python",
    "LICENSE": "words",
}


def test_list_holds_every_file_with_its_digest(tmp_path: Path) -> None:
    listed = offline.files_of(make(tmp_path, {**FILES, "sw.js": "itself"}))
    assert listed["now"].keys() | listed["later"].keys() == FILES.keys()
    assert listed["now"]["index.html"] == [sha256(b"page"), 4]
    assert set(listed["now"]) == {"index.html", "static/app/main.js", "runtime/pyscript-1/core.js"}


def test_worker_changes_with_the_site_and_only_with_it(tmp_path: Path) -> None:
    site = make(tmp_path, FILES)
    offline.place_worker(site)
    first = (site / "sw.js").read_text("utf-8")
    offline.place_worker(site)
    assert (site / "sw.js").read_text("utf-8") == first
    make(site, {"static/app/main.js": "other"})
    offline.place_worker(site)
    second = (site / "sw.js").read_text("utf-8")
    assert sha256(b"other") in second
    assert len(set(first.splitlines()) ^ set(second.splitlines())) == 2  # one line of the list


def test_worker_without_a_place_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = make(tmp_path / "source", {"sw.js": "const LIST = {};"}) / "sw.js"
    monkeypatch.setattr(offline, "SOURCE", source)
    with pytest.raises(BuildError, match="one place"):
        offline.place_worker(tmp_path)


def test_manifest_keeps_to_its_own_folder() -> None:
    assert MANIFEST["start_url"] == MANIFEST["scope"] == "./"
    addresses = [entry["url"] for entry in MANIFEST["shortcuts"]]
    addresses += [MANIFEST["share_target"]["action"], MANIFEST["file_handlers"][0]["action"]]
    assert not [address for address in addresses if re.match(r"/|\w+:|\.\./", address)]


def test_worker_takes_what_the_manifest_sends() -> None:
    target = MANIFEST["share_target"]
    source = (ROOT / "static" / "sw" / "sw.js").read_text("utf-8")
    assert f"path === '{target['action'].removeprefix('./')}'" in source
    assert f"getAll('{target['params']['files'][0]['name']}')" in source
    assert f"get('{target['params']['text']}')" in source


@pytest.mark.parametrize("icon", MANIFEST["icons"], ids=lambda icon: Path(icon["src"]).name)
def test_icons_are_what_the_manifest_says(icon: dict[str, str]) -> None:
    path = ROOT / icon["src"]
    if path.suffix == ".svg":
        assert path.exists()
        return
    with Image.open(path) as picture:
        assert f"{picture.width}x{picture.height}" == icon["sizes"]
        alpha = picture.convert("RGBA").getchannel("A")
    lowest, highest = alpha.getextrema()
    # Maskable: cut by the system, so without a corner of its own. Monochrome: its shape is all there is.
    assert (lowest == 255) == (icon["purpose"] == "maskable")
    assert highest == 255
    assert path.stat().st_size < 10_000


@pytest.mark.parametrize("shot", MANIFEST["screenshots"], ids=lambda shot: shot["form_factor"])
def test_screenshots_are_what_the_manifest_says(shot: dict[str, str]) -> None:
    path = ROOT / shot["src"]
    with Image.open(path) as picture:
        assert f"{picture.width}x{picture.height}" == shot["sizes"]
        assert Image.MIME[picture.format or ""] == shot["type"]
        wide = picture.width > picture.height
        # Browsers show none that is longer than 2.3 times its width.
        assert max(picture.size) <= 2.3 * min(picture.size)
    assert wide == (shot["form_factor"] == "wide")
    assert path.stat().st_size < 120_000


def test_pictures_of_the_app_are_kept_only_when_first_used(tmp_path: Path) -> None:
    """They are for browsers that install: nobody else need fetch them."""
    names = [entry["src"] for entry in MANIFEST["screenshots"]]
    names += [icon["src"] for icon in MANIFEST["icons"] if icon["src"].endswith(".png")]
    listed = offline.files_of(make(tmp_path, dict.fromkeys(names, "picture")))
    assert sorted(listed["later"]) == sorted(names)
