"""Serve a folder on this machine, as a static host would, and nothing more.

Where it stands: above `common`; `build.py serve`, the bench and the browser tests use it.
What always holds: only 127.0.0.1 is listened on; WebAssembly and modules have their right types; every
answer may be read by frames of any origin (a sandboxed frame has none); no other special header is sent.
"""

from __future__ import annotations

import http.server
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http import HTTPStatus
from pathlib import Path

from common import BuildError, say

TYPES = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".mjs": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".json": "application/json",
    ".wasm": "application/wasm",
    ".svg": "image/svg+xml",
    ".toml": "text/plain; charset=utf-8",
    ".py": "text/plain; charset=utf-8",
    ".zip": "application/zip",
    ".whl": "application/octet-stream",
    ".webmanifest": "application/manifest+json",
    ".woff2": "font/woff2",
}


class Handler(http.server.SimpleHTTPRequestHandler):
    """Answers GET and HEAD below a prefix; names with a digest may be cached for ever."""

    protocol_version = "HTTP/1.1"
    # Head and body are written apart; held back until the head is acknowledged, each answer costs 40 ms.
    disable_nagle_algorithm = True
    extensions_map = {**http.server.SimpleHTTPRequestHandler.extensions_map, **TYPES}  # noqa: RUF012

    def __init__(self, *args: object, prefix: str = "", quiet: bool = True, **options: object) -> None:
        self._prefix = prefix
        self._quiet = quiet
        super().__init__(*args, **options)  # type: ignore[arg-type]

    def send_head(self):  # type: ignore[no-untyped-def]
        """Take the prefix off, or say where the site is."""
        path = self.path.split("?", 1)[0].split("#", 1)[0]
        if self._prefix and not path.startswith(f"{self._prefix}/"):
            if path in ("/", self._prefix):
                self.send_response(HTTPStatus.FOUND)
                self.send_header("Location", f"{self._prefix}/")
                self.send_header("Content-Length", "0")
                self.end_headers()
            else:
                self.send_error(HTTPStatus.NOT_FOUND)
            return None
        self.path = self.path[len(self._prefix) :]
        return super().send_head()

    def end_headers(self) -> None:
        """Add what every answer has."""
        self.send_header("Access-Control-Allow-Origin", "*")
        for_ever = self.path.startswith("/runtime/")
        self.send_header("Cache-Control", "public, max-age=31536000, immutable" if for_ever else "no-cache")
        super().end_headers()

    def log_message(self, format: str, *args: object) -> None:
        """Print requests only when asked."""
        if not self._quiet:
            super().log_message(format, *args)


class _Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 64

    def handle_error(self, request: object, client_address: object) -> None:
        """Say nothing when a browser goes away in the middle of an answer."""


def clean_prefix(prefix: str) -> str:
    """Return `prefix` as "/a/b", or "" for the root."""
    inner = prefix.strip("/")
    return f"/{inner}" if inner else ""


def make_server(folder: Path, *, port: int = 0, prefix: str = "", quiet: bool = True) -> _Server:
    """Return a server of `folder` on 127.0.0.1; port 0 takes a free one."""
    handler = partial(Handler, directory=str(folder), prefix=clean_prefix(prefix), quiet=quiet)
    try:
        return _Server(("127.0.0.1", port), handler)
    except OSError as error:
        raise BuildError(
            f"port {port} cannot be used ({error.strerror}): choose another with --port"
        ) from error


def address_of(server: _Server, prefix: str = "") -> str:
    """Return the address at which a browser finds the site."""
    return f"http://127.0.0.1:{server.server_address[1]}{clean_prefix(prefix)}/"


@contextmanager
def serving(folder: Path, *, prefix: str = "") -> Iterator[str]:
    """Serve `folder` in the background for the length of the block; yield the address."""
    server = make_server(folder, prefix=prefix)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield address_of(server, prefix)
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def serve_for_ever(folder: Path, *, port: int, prefix: str) -> int:
    """Serve `folder` until the person stops it."""
    server = make_server(folder, port=port, prefix=prefix, quiet=True)
    say(f"\nOpen {address_of(server, prefix)}\nStop with Ctrl+C.")
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        say("")
    finally:
        server.server_close()
    return 0
