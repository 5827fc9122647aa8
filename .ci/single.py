"""Make image-to-fen.html: the whole page, its languages, its guide and Python itself in one file.

Where it stands: above `assemble`; `build.py single` comes here.
What always holds: the file fetches nothing and its policy lets nothing out; scripts and styles are allowed
by their digests; every part of the runtime is checked here, since the browser cannot.
How: each JavaScript module becomes a data address in an import map; what a module finds beside itself
(``new URL('../x', import.meta.url)``) becomes a data address too; the runtime lies in data blocks that the
worker decodes.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
import mimetypes
import posixpath
import re
import tempfile
from pathlib import Path
from typing import Any

from assemble import make_site
from common import ROOT, BuildError, sha256, write_atomic
from sizes import LARGEST_SINGLE

TARGET = ROOT / "image-to-fen.html"
# The single file's own host stands in the place of these.
REPLACED = {"static/engine/hosts.js", "static/engine/download.js"}
HOST = "static/engine/single.js"
WORKER = "static/engine/single-worker.js"
_OTHERS = (
    r"embed/(?!protocol|frame-link)|guide/|pdf/|app/guard|engine/(single|starter|interpreter|worker|fetcher)"
)
NOT_MODULES = re.compile(rf"static/({_OTHERS})")
# Classic scripts that say why the page does not start; here they lie in the page.
GUARDS = ("static/app/guard-words.js", "static/app/guard.js")
ASSETS = ("static/i18n/*.json", "static/pieces/*.svg", "static/examples/*", "static/icons/*.svg")
POLICY = (
    "default-src 'none'; script-src {scripts} data: blob: 'wasm-unsafe-eval'; style-src {styles}; "
    "img-src blob: data:; font-src data:; connect-src blob: data:; worker-src blob:; media-src blob:; "
    "base-uri 'none'; form-action 'none'"
)

_IMPORT = re.compile(r"""(\bfrom\s*|\bimport\s*\(?\s*)(['"])(\.{1,2}/[^'"]+)\2""")
_BESIDE = re.compile(r"new URL\(((?:[^()]|\([^()]*\))*?),\s*import\.meta\.url\)")

# Gives modules what lies beside them, and opens the guide, which has no address of its own here.
HELPER = """
(() => {
  const assets = JSON.parse(document.getElementById('single-assets').textContent);
  const at = (path, from) => new URL(path, 'http://x/' + from).pathname.slice(1);
  globalThis.besideSingle = (path, from) => new URL(assets[at(path, from)] ?? 'single:/');
  document.addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest('a[href^="static/guide/"]') : null;
    if (!link) return;
    event.preventDefault();
    const page = assets[link.getAttribute('href').split('#')[0]];
    if (!page) return;
    fetch(page).then((answer) => answer.blob()).then((blob) => {
      open(URL.createObjectURL(blob) + link.hash, '_blank');
    });
  });
})();
"""


def make_single(*, wheels: Path | None = None, target: Path = TARGET) -> Path:
    """Write the single file and return its path.

    Raises
    ------
    BuildError
        If the page uses something that has no place in one file, or if the file grew too large.
    """
    with tempfile.TemporaryDirectory() as work:
        site = make_site(Path(work) / "site", wheels=wheels)
        manifest = _manifest(site)
        _leave_learning_out(site, manifest)
        _verify(site, manifest)
        page = _page(site, manifest)
    data = page.encode()
    if len(data) > LARGEST_SINGLE:
        limit = f"{LARGEST_SINGLE / 1e6:.0f} MB"
        raise BuildError(f"the single file is {len(data) / 1e6:.1f} MB: more than {limit}")
    write_atomic(target, data)
    return target


def _manifest(site: Path) -> dict[str, Any]:
    text = (site / "static" / "engine" / "manifest.js").read_text("utf-8")
    manifest: dict[str, Any] = json.loads(text[text.index("{") : text.rindex("}") + 1])
    return manifest


def _leave_learning_out(site: Path, manifest: dict[str, Any]) -> None:
    """Say in the manifest that scikit-learn is not to be had here: it alone is as large as all the rest."""
    manifest["parts"]["learning"] = []
    text = f"export default {json.dumps(manifest)};\n"
    (site / "static" / "engine" / "manifest.js").write_text(text, "utf-8")


def _verify(site: Path, manifest: dict[str, Any]) -> None:
    for part in manifest["parts"]["full"]:
        if sha256((site / part["path"]).read_bytes()) != part["sha256"]:
            raise BuildError(f"{part['path']} is not what the manifest says")


def _page(site: Path, manifest: dict[str, Any]) -> str:
    html = (site / "index.html").read_text("utf-8")
    styles: list[str] = []

    def inline_style(match: re.Match[str]) -> str:
        styles.append((site / match[1]).read_text("utf-8"))
        if re.search(r"url\((?!['\"]?data:)", styles[-1]):
            raise BuildError(f"{match[1]} refers to a file: the single file has no place for it")
        return f"<style>{styles[-1]}</style>"

    html = re.sub(r'<link rel="stylesheet" href="([^"]+)">', inline_style, html)
    # The comment tells of the served page's policy; this file has one of its own.
    html = re.sub(r"\s*<!--(?:(?!-->).)*unsafe-eval(?:(?!-->).)*-->", "", html, flags=re.DOTALL)
    html = re.sub(r'\s*<link rel="(?:manifest|apple-touch-icon|modulepreload|preload)"[^>]*>', "", html)
    html = re.sub(
        r'<link rel="icon" href="([^"]+)"',
        lambda match: f'<link rel="icon" href="{_data_address(site / match[1])}"',
        html,
    )
    entry = re.search(r'\s*<script type="module" src="([^"]+)"></script>', html)
    if not entry:
        raise BuildError("index.html starts no module")
    html = html.replace(entry[0], "")
    # The guard comes below; what is asked for early is here from the first.
    for name in ("guard", "early"):
        html, count = re.subn(rf'\s*<script [^>]*src="static/app/{name}\.js"[^>]*></script>', "", html)
        if count != 1:
            raise BuildError(f"index.html does not name {name}.js once")
    import_map = json.dumps({"imports": _modules(site)}, separators=(",", ":"))
    main = f"import '{_bare(entry[1])}';"
    scripts = [
        (' type="importmap"', import_map),
        ("", HELPER),
        *(("", (site / name).read_text("utf-8")) for name in GUARDS),
        (' type="module"', main),
    ]
    # The guide's pages open from this one and inherit its policy.
    styles += _styles_of_guide(site)
    policy = POLICY.format(
        scripts=" ".join(_hash(text) for _, text in scripts),
        styles=" ".join(dict.fromkeys(_hash(text) for text in styles)),
    )
    html, count = re.subn(
        r'<meta http-equiv="Content-Security-Policy" content="[^"]*">',
        lambda _: f'<meta http-equiv="Content-Security-Policy" content="{policy}">',
        html,
    )
    if count != 1:
        raise BuildError("index.html has no policy")
    # The blocks come last: the page is drawn before the browser has read through them.
    blocks = [_block("application/json", json.dumps(_assets(site)).replace("<", "\\u003c"), "single-assets")]
    blocks.append(_block("text/plain", (site / WORKER).read_text("utf-8"), part="single-worker"))
    for part in manifest["parts"]["full"]:
        data = gzip.compress((site / part["path"]).read_bytes(), 9, mtime=0)
        blocks.append(_block("text/plain", base64.b64encode(data).decode(), part=part["path"]))
    blocks += [f"<script{attributes}>{text}</script>" for attributes, text in scripts]
    head, _, tail = html.rpartition("</body>")
    return f"{head}{chr(10).join(blocks)}\n</body>{tail}"


def _block(kind: str, text: str, name: str = "", *, part: str = "") -> str:
    if "</script" in text.lower():
        raise BuildError("a data block would end before its end")
    attributes = f' id="{name}"' if name else f' data-part="{part}"'
    return f'<script type="{kind}"{attributes}>{text}</script>'


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def _bare(path: str) -> str:
    """Return the name under which the import map knows a module."""
    return f"single/{path}"


def _modules(site: Path) -> dict[str, str]:
    """Return the import map: each module of the page as a data address."""
    modules = {}
    for path in sorted(site.glob("static/**/*.js")):
        name = path.relative_to(site).as_posix()
        if (NOT_MODULES.match(name) and name != HOST) or name in REPLACED:
            continue
        text = _rewritten(path.read_text("utf-8"), name)
        modules[_bare(name)] = f"data:text/javascript;base64,{base64.b64encode(text.encode()).decode()}"
    for name in REPLACED:
        modules[_bare(name)] = modules[_bare(HOST)]
    return modules


def _rewritten(text: str, name: str) -> str:
    """Return a module's text with bare imports, and with what lies beside it looked up in the page."""
    folder = posixpath.dirname(name)

    def bare(match: re.Match[str]) -> str:
        return f"{match[1]}{match[2]}{_bare(posixpath.normpath(posixpath.join(folder, match[3])))}{match[2]}"

    text = _IMPORT.sub(bare, text)
    text = _BESIDE.sub(lambda match: f"globalThis.besideSingle({match[1]}, {json.dumps(name)})", text)
    code = re.sub(r"/\*.*?\*/|//[^\n]*", "", text, flags=re.DOTALL)
    if "import.meta" in code:
        raise BuildError(f"{name} uses import.meta otherwise than in new URL(…, import.meta.url)")
    return text


def _data_address(path: Path, content: bytes | None = None) -> str:
    kind = mimetypes.guess_type(path.name)[0] or "application/octet-stream"
    data = base64.b64encode(path.read_bytes() if content is None else content).decode()
    charset = ";charset=utf-8" if kind.startswith("text/") else ""
    return f"data:{kind}{charset};base64,{data}"


def _assets(site: Path) -> dict[str, str]:
    """Return what modules find beside themselves, and the guide's pages, as data addresses."""
    paths = [path for pattern in ASSETS for path in sorted(site.glob(pattern))]
    assets = {path.relative_to(site).as_posix(): _data_address(path) for path in paths}
    for path in sorted(site.glob("static/guide/*.html")):
        assets[path.relative_to(site).as_posix()] = _data_address(path, _guide(path).encode())
    return assets


def _styles_of_guide(site: Path) -> list[str]:
    pages = [_guide(path) for path in sorted(site.glob("static/guide/*.html"))]
    return [text for page in pages for text in re.findall(r"<style>(.*?)</style>", page, flags=re.DOTALL)]


def _guide(path: Path) -> str:
    """Return a page of the guide that stands alone: styles inside, links to other files as words."""
    html = path.read_text("utf-8")
    html = re.sub(
        r'<link rel="stylesheet" href="([^"]+)">',
        lambda match: f"<style>{(path.parent / match[1]).read_text('utf-8')}</style>",
        html,
    )
    html = re.sub(r'\s*<link rel="(?:icon|alternate)"[^>]*>', "", html)
    html = re.sub(r'\s*<script type="module"[^>]*></script>', "", html)
    html = re.sub(r'\s*<meta http-equiv="Content-Security-Policy"[^>]*>', "", html)
    return re.sub(
        r'<a\b([^>]*?)\shref="(?!#|https?:)[^"]*"([^>]*)>(.*?)</a>',
        r"<span\1\2>\3</span>",
        html,
        flags=re.DOTALL,
    )
