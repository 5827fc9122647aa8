"""Put the site together: `dist/`, everything a static host needs and nothing else.

Where it stands: above `runtime`; `serve`, `single`, `bench` and the browser tests use what it makes.
What always holds: every address in the site is relative; what lies in `runtime/` carries a digest of its
content in its name, so that it may be cached for ever; pyscript.toml is the repository's own, with those
names put in.
"""

from __future__ import annotations

import gzip
import io
import json
import os
import re
import shutil
import zipfile
from dataclasses import dataclass
from pathlib import Path

from checker_parts import checker_library, checker_modules
from common import DIST, ROOT, BuildError, cache_folder, digest_of, fresh_folder, sha256, write_atomic
from offline import place_worker
from packages import npm_package
from preload import add_preloads
from runtime import (
    COMPILER,
    CORE,
    LEARNING,
    LOCK,
    PACKAGES,
    STDLIB,
    Runtime,
    compile_archives,
    make_runtime,
)

PAGES = ("index.html", "embed.html", "LICENSE", "THIRD_PARTY_NOTICES.md")
# PyScript's editor and terminal are never opened here, and its service worker would take the place of ours.
UNUSED_PYSCRIPT = re.compile(r"\.map$|^(codemirror|xterm|pyodide_graph|service-worker)")
ENGINE_SOURCES = ROOT / "static" / "engine"
# What draws pages of PDF files: both halves of pdf.js (for older browsers too), its decoders for JBIG2 and
# JPEG 2000, as scans have them, and for colour profiles. Asked for when the first PDF comes.
PDF = (
    *("legacy/build/pdf.min.mjs", "legacy/build/pdf.worker.min.mjs"),
    *("wasm/jbig2.wasm", "wasm/openjpeg.wasm", "wasm/qcms_bg.wasm"),
    *("LICENSE", "wasm/LICENSE_JBIG2", "wasm/LICENSE_OPENJPEG", "wasm/LICENSE_QCMS"),
)
# How many compiled states of our own Python stay in the cache.
MOST_ARCHIVES = 12
# Compressed by the usual static hosts on the way; archives are not.
COMPRESSED_ON_THE_WAY = {".js", ".mjs", ".wasm", ".json", ".html", ".css", ".toml", ".py", ".svg"}


@dataclass(frozen=True, slots=True)
class Part:
    """One file that the engine loads: its place in the site, its size, what it is on the wire, its digest."""

    path: str
    size: int
    wire: int
    sha256: str

    def to_json(self) -> dict[str, str | int]:
        """Return it as the manifest holds it."""
        return {"path": self.path, "size": self.size, "wire": self.wire, "sha256": self.sha256}


def wire_size(path: Path) -> int:
    """Return how many bytes of `path` travel: gzipped where hosts compress that kind, else its size."""
    data = path.read_bytes()
    if path.suffix not in COMPRESSED_ON_THE_WAY:
        return len(data)
    store = cache_folder() / "wire" / sha256(data)
    if not store.exists():
        write_atomic(store, str(len(gzip.compress(data, 9, mtime=0))).encode())
    return int(store.read_text())


def engine_archive(*, whole: bool) -> bytes:
    """Return the zip of our own Python, compiled, as the browser unpacks it into its working folder.

    Parameters
    ----------
    whole
        With what reads pictures, and the networks' weights; the checker alone does without.
    """
    entries: dict[str, bytes] = {}
    package = ROOT / "fen_core"
    for source in sorted(package.rglob("*.py")) if whole else checker_modules(package):
        entries[source.relative_to(ROOT).as_posix()] = source.read_bytes()
    entries["engine.py"] = (ENGINE_SOURCES / "engine.py").read_bytes()
    for data in sorted(package.rglob("*")):
        if whole and data.is_file() and data.suffix not in {".py", ".pyc"}:
            entries[data.relative_to(ROOT).as_posix()] = data.read_bytes()
    for words in sorted((ROOT / "static" / "i18n").glob("*.json")):
        entries[f"fen_core/_i18n/{words.name}"] = words.read_bytes()
    if whole:
        for model in sorted((ROOT / "models").glob("*.npz")):
            entries[f"fen_core/_models/{model.name}"] = model.read_bytes()
    return _compiled(entries)


def _compiled(entries: dict[str, bytes]) -> bytes:
    """Return `entries` as a compiled archive, from the cache when nothing changed."""
    plain = io.BytesIO()
    with zipfile.ZipFile(plain, "w") as archive:
        for name, content in sorted(entries.items()):
            archive.writestr(zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0)), content)
    key = digest_of([COMPILER], extra=sha256(plain.getvalue()))
    folder = cache_folder() / "engine"
    result = folder / f"{key}.zip"
    if not result.exists():
        # Two builds at once must not take each other's files away: each has names of its own.
        source, fresh = folder / f"{key}.{os.getpid()}.source.zip", folder / f"{key}.{os.getpid()}.new"
        write_atomic(source, plain.getvalue())
        compile_archives([(source, fresh)])
        fresh.replace(result)
        _prune(folder)
        source.unlink()
    return result.read_bytes()


def _prune(folder: Path) -> None:
    """Keep the newest archives: each state of the sources leaves two."""
    archives = sorted(folder.glob("*.zip"), key=lambda path: path.stat().st_mtime, reverse=True)
    for old in archives[MOST_ARCHIVES:]:
        old.unlink(missing_ok=True)


def make_site(target: Path = DIST, *, wheels: Path | None = None) -> Path:
    """Assemble the site into `target` and return it."""
    # What learns from corrections lies in the site too; the page fetches it only when asked to learn.
    runtime = make_runtime(wheels=wheels, learning=True)
    with fresh_folder(target) as site:
        names = _place_runtime(runtime, site)
        _place_pages(site)
        _place_config(site, names)
        _place_manifest(site, names, runtime)
        add_preloads(site / "index.html", f"{names['pyscript']}/core.js")
        place_worker(site)
    return target


def _place_runtime(runtime: Runtime, site: Path) -> dict[str, str]:
    """Copy the runtime; return the plain name of each part → its place in the site."""
    shim = (ENGINE_SOURCES / "interpreter.mjs").read_bytes()
    core = site / "runtime" / f"pyodide-{sha256(shim + runtime.key.encode())[:10]}"
    shutil.copytree(runtime.pyodide, core)
    (core / "interpreter.mjs").write_bytes(shim)
    names = {"interpreter.mjs": core / "interpreter.mjs", "pyodide": core}
    pyscript = site / "runtime" / f"pyscript-{digest_of([runtime.pyscript / 'core.js'])[:10]}"
    ignored = [path.name for path in runtime.pyscript.iterdir() if UNUSED_PYSCRIPT.search(path.name)]
    shutil.copytree(runtime.pyscript, pyscript, ignore=lambda _folder, _names: ignored)
    names["pyscript"] = pyscript
    archives = {
        "engine.zip": engine_archive(whole=True),
        "checker.zip": engine_archive(whole=False),
        "library.zip": checker_library((runtime.pyodide / STDLIB).read_bytes()),
    }
    names["pdf"] = _place_pdf(site)
    for name, data in archives.items():
        path = site / "runtime" / f"{Path(name).stem}-{sha256(data)[:10]}.zip"
        path.write_bytes(data)
        names[name] = path
    return {name: path.relative_to(site).as_posix() for name, path in names.items()}


def _place_pdf(site: Path) -> Path:
    """Copy what of pdf.js is needed into one folder, and return it."""
    package = npm_package("pdfjs-dist")
    sources = [package / name for name in PDF]
    folder = site / "runtime" / f"pdfjs-{digest_of(sources)[:10]}"
    folder.mkdir(parents=True)
    for source in sources:
        shutil.copyfile(source, folder / source.name)
    return folder


def _place_pages(site: Path) -> None:
    for name in PAGES:
        if (ROOT / name).exists():
            shutil.copyfile(ROOT / name, site / name)
    ignored = shutil.ignore_patterns("engine.py", "sw", "*.webmanifest", "*.d.ts", "__pycache__", ".*")
    shutil.copytree(ROOT / "static", site / "static", ignore=ignored, dirs_exist_ok=True)
    # What is installed, and with it its scope, is the whole site: the manifest lies at its root.
    shutil.copyfile(ROOT / "static" / "manifest.webmanifest", site / "manifest.webmanifest")
    (site / ".nojekyll").write_bytes(b"")


def _place_config(site: Path, names: dict[str, str]) -> None:
    """Write pyscript.toml with the names that carry digests."""
    text = (ROOT / "pyscript.toml").read_text("utf-8")
    for plain in ("interpreter.mjs", "engine.zip"):
        if text.count(f'"./runtime/{plain}"') != 1:
            raise BuildError(f'pyscript.toml must name "./runtime/{plain}" exactly once')
        text = text.replace(f'"./runtime/{plain}"', f'"./{names[plain]}"')
    (site / "pyscript.toml").write_text(text, "utf-8")


def _place_manifest(site: Path, names: dict[str, str], runtime: Runtime) -> None:
    """Write the module that tells the page what there is to load, with sizes and digests."""
    core = names["pyodide"]
    base = [f"{core}/{name}" for name in (*CORE, LOCK)]
    lock = runtime.lock()["packages"]

    def wheels(names: tuple[str, ...]) -> list[str]:
        return [f"{core}/{lock[name]['file_name']}" for name in names]

    manifest = {
        "pyodide": core,
        "pyscript": f"{names['pyscript']}/core.js",
        "config": "pyscript.toml",
        "packages": list(PACKAGES),
        "engine": names["engine.zip"],
        "checker": names["checker.zip"],
        "library": names["library.zip"],
        "pdf": [
            _part(site, f"{names['pdf']}/{Path(name).name}").to_json()
            for name in PDF
            if name.endswith(("js", "wasm"))
        ],
        "parts": {
            "full": [
                _part(site, path).to_json()
                for path in [*base, f"{core}/{STDLIB}", *wheels(PACKAGES), names["engine.zip"]]
            ],
            "checker": [
                _part(site, path).to_json() for path in [*base, names["library.zip"], names["checker.zip"]]
            ],
            "learning": [_part(site, path).to_json() for path in wheels(LEARNING)],
        },
    }
    text = "// Written by build.py: what the engine loads, with sizes and digests.\n"
    text += f"export default {json.dumps(manifest, indent=1)};\n"
    (site / "static" / "engine" / "manifest.js").write_text(text, "utf-8")


def _part(site: Path, path: str) -> Part:
    file = site / path
    data = file.read_bytes()
    return Part(path, len(data), wire_size(file), sha256(data))
