"""The build refuses what is not what was pinned, and says which file it was; it never leaves half a file."""

from __future__ import annotations

import base64
import hashlib
import http.server
import io
import json
import sys
import tarfile
import threading
import urllib.error
import urllib.request
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / ".ci"))
sys.path.insert(0, str(ROOT))

import assemble  # noqa: E402
import common  # noqa: E402
import packages  # noqa: E402
import preload  # noqa: E402
import serve  # noqa: E402
import wheels  # noqa: E402

import build  # noqa: E402

NAME = "thing-1.0-py3-none-any.whl"
CONTENT = b"a wheel" * 1000
DIGEST = hashlib.sha256(CONTENT).hexdigest()


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache of the test's own."""
    folder = tmp_path / "cache"
    monkeypatch.setenv(common.CACHE_VARIABLE, str(folder))
    return folder


@pytest.fixture
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise urllib.error.URLError("no network")

    monkeypatch.setattr(urllib.request, "urlopen", refuse)
    monkeypatch.setattr(wheels, "pypi_address", lambda _requirement: "http://127.0.0.1:9/nothing")


def test_wheels_come_from_the_folder_and_then_from_the_cache(tmp_path: Path, no_network: None) -> None:
    folder = tmp_path / "given"
    folder.mkdir()
    (folder / NAME).write_bytes(CONTENT)
    found = wheels.fetch_wheels({NAME: DIGEST}, folder=folder, cdn=None)
    assert found[NAME].read_bytes() == CONTENT
    (folder / NAME).unlink()
    assert wheels.fetch_wheels({NAME: DIGEST}, folder=None, cdn=None)[NAME].read_bytes() == CONTENT


def test_an_altered_wheel_is_refused_by_name(tmp_path: Path, no_network: None) -> None:
    (tmp_path / NAME).write_bytes(CONTENT + b"!")
    with pytest.raises(common.BuildError, match=NAME):
        wheels.fetch_wheels({NAME: DIGEST}, folder=tmp_path, cdn=None)


def test_a_wheel_altered_in_the_cache_is_not_used(cache: Path, no_network: None) -> None:
    store = cache / "wheels"
    store.mkdir(parents=True)
    (store / NAME).write_bytes(CONTENT[:-1])
    with pytest.raises(common.BuildError, match=f"could not fetch {NAME}"):
        wheels.fetch_wheels({NAME: DIGEST}, folder=None, cdn=None)
    assert not (store / NAME).exists()


class _Ranges(http.server.BaseHTTPRequestHandler):
    """Serves one file by ranges, and counts the bytes that it gave."""

    data = b""
    given = 0

    def do_HEAD(self) -> None:
        self.send_response(200)
        self.send_header("Content-Length", str(len(self.data)))
        self.end_headers()

    def do_GET(self) -> None:
        first, last = self.headers["Range"].removeprefix("bytes=").split("-")
        piece = self.data[int(first) : int(last) + 1]
        type(self).given += len(piece)
        self.send_response(206)
        self.send_header("Content-Length", str(len(piece)))
        self.end_headers()
        self.wfile.write(piece)

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture
def ranges() -> Iterator[str]:
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), _Ranges) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_address[1]}/archive"
        server.shutdown()
        thread.join()


def test_one_member_is_read_out_of_a_large_archive(ranges: str, monkeypatch: pytest.MonkeyPatch) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("before", b"\0" * 20_000_000)
        archive.writestr(wheels.CARRIER_FOLDER + NAME, CONTENT)
        archive.writestr("after", b"\0" * 20_000_000)
    _Ranges.data, _Ranges.given = packed.getvalue(), 0
    monkeypatch.setattr(wheels, "pypi_address", lambda _requirement: ranges)
    found = wheels.fetch_wheels({NAME: DIGEST}, folder=None, cdn=None)
    assert found[NAME].read_bytes() == CONTENT
    assert _Ranges.given < 6_000_000


def _npm_archive(name: str, content: bytes) -> bytes:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as archive:
        entry = tarfile.TarInfo(name)
        entry.size = len(content)
        archive.addfile(entry, io.BytesIO(content))
    return packed.getvalue()


def _pin(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, archive: bytes, pinned: bytes) -> None:
    integrity = "sha512-" + base64.b64encode(hashlib.sha512(pinned).digest()).decode()
    lock = {"packages": {"node_modules/thing": {"version": "1.0.0", "integrity": integrity}}}
    (tmp_path / "package-lock.json").write_text(json.dumps(lock))
    monkeypatch.setattr(packages, "ROOT", tmp_path)
    monkeypatch.setattr(packages, "_npm_pack", lambda _name, _version: archive)


def test_npm_package_is_unpacked_once_it_is_what_the_lock_pins(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    archive = _npm_archive("package/dist/index.js", b"1;")
    _pin(monkeypatch, tmp_path, archive, archive)
    assert (packages.npm_package("thing") / "dist" / "index.js").read_bytes() == b"1;"


def test_altered_npm_package_is_refused_by_name(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    _pin(monkeypatch, tmp_path, _npm_archive("package/index.js", b"2;"), b"something else")
    with pytest.raises(common.BuildError, match=r"thing 1\.0\.0"):
        packages.npm_package("thing")


def test_no_member_of_an_archive_leads_outside(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    archive = _npm_archive("package/../../escaped", b"!")
    _pin(monkeypatch, tmp_path, archive, archive)
    with pytest.raises(common.BuildError, match="leads outside"):
        packages.npm_package("thing")
    assert not (tmp_path / "escaped").exists()


def test_the_npm_lock_pins_everything_and_names_no_address() -> None:
    text = (ROOT / "package-lock.json").read_text("utf-8")
    assert "http" not in text
    wanted = json.loads((ROOT / "package.json").read_text("utf-8"))["devDependencies"]
    pinned = json.loads(text)["packages"]
    for name, version in wanted.items():
        assert pinned[f"node_modules/{name}"]["version"] == version
        assert pinned[f"node_modules/{name}"]["integrity"].startswith("sha512-")


def test_a_folder_is_replaced_whole_or_not_at_all(tmp_path: Path) -> None:
    target = tmp_path / "site"
    with common.fresh_folder(target) as work:
        (work / "old").write_text("old")

    def fail() -> None:
        with common.fresh_folder(target) as work:
            (work / "new").write_text("new")
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()
    assert [path.name for path in target.iterdir()] == ["old"]
    with common.fresh_folder(target) as work:
        (work / "new").write_text("new")
    assert [path.name for path in target.iterdir()] == ["new"]
    assert [path.name for path in tmp_path.iterdir() if "site" in path.name] == ["site"]


def test_server_has_types_and_stays_below_its_path(tmp_path: Path) -> None:
    (tmp_path / "a.wasm").write_bytes(b"\0asm")
    (tmp_path / "b.mjs").write_text("1;")
    with serve.serving(tmp_path, prefix="some/path/") as address:
        assert address.endswith("/some/path/")
        with urllib.request.urlopen(f"{address}a.wasm") as answer:
            assert answer.headers["Content-Type"] == "application/wasm"
            assert answer.headers["Access-Control-Allow-Origin"] == "*"
        with urllib.request.urlopen(f"{address}b.mjs") as answer:
            assert answer.headers["Content-Type"].startswith("text/javascript")
        root = address.removesuffix("some/path/")
        with pytest.raises(urllib.error.HTTPError) as refused:
            urllib.request.urlopen(f"{root}a.wasm")
        assert refused.value.code == 404
        refused.value.close()
        with urllib.request.urlopen(f"{root}some/path/b.mjs") as answer:
            assert answer.status == 200


def test_a_port_in_use_is_said(tmp_path: Path) -> None:
    with serve.make_server(tmp_path) as server:
        port = server.server_address[1]
        with pytest.raises(common.BuildError, match="--port"):
            serve.make_server(tmp_path, port=port)


def test_pyscript_config_names_what_the_build_puts_there(tmp_path: Path) -> None:
    names = {"interpreter.mjs": "runtime/p-1/interpreter.mjs", "engine.zip": "runtime/engine-2.zip"}
    assemble._place_config(tmp_path, names)
    text = (tmp_path / "pyscript.toml").read_text("utf-8")
    for name in names.values():
        assert f'"./{name}"' in text


def test_usage_errors_are_status_two(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        build.main(["serve", "--nonsense"])
    assert left.value.code == 2
    assert "--nonsense" in capsys.readouterr().err


def test_modules_are_named_once_and_only_if_imported(tmp_path: Path) -> None:
    (tmp_path / "app").mkdir()
    (tmp_path / "app" / "main.js").write_text(
        "/** @type {import('./only-a-type.js').T} */\nimport { a } from './a.js';\n"
        "// import './not.js';\nimport './b.js';\n"
    )
    lazy = "export const later = () => import('./late.js');\n"
    (tmp_path / "app" / "a.js").write_text(f"import {{ b }} from './b.js';\n{lazy}")
    for name in ("b", "late", "only-a-type", "not"):
        (tmp_path / "app" / f"{name}.js").write_text("export {};\n")
    page = tmp_path / "index.html"
    page.write_text('<head>\n  <script type="module" src="app/main.js"></script>\n</head>')
    named = preload.add_preloads(page)
    assert named == ["app/main.js", "app/a.js", "app/b.js", "app/late.js"]
    assert page.read_text().count("modulepreload") == len(named)
