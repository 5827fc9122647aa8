"""Python for the page's tests, in the process of the test: no start, no WebAssembly, the same answers.

`serve_python` puts a module in the place of static/app/engine.js that asks this process. What always holds:
the answers are those of `fen_core`, nothing is made up; tests of the engine itself use the real one.
"""

from __future__ import annotations

import base64
from pathlib import Path
from typing import Any

from playwright.sync_api import BrowserContext

from fen_core.check import check
from fen_core.errors import FenCoreError
from fen_core.read import read

HERE = Path(__file__).parent
_known: dict[str, Any] = {}  # one picture is read in many tests


def _answer(name: str, given: dict[str, Any]) -> dict[str, Any]:
    """Return {"result"} or {"error"} as the worker would."""
    if name == "check":
        return {"result": check(given["text"]).to_json()}
    key = repr(sorted((str(k), str(v)) for k, v in given.items()))
    if key not in _known:
        try:
            _known[key] = {"result": read(base64.b64decode(given["data"]), **given["options"]).to_json()}
        except FenCoreError as error:
            _known[key] = {"error": {"code": error.code, "params": error.params}}
    found: dict[str, Any] = _known[key]
    return found


def serve_python(context: BrowserContext) -> None:
    """Let every page of the context ask this process instead of a worker."""
    context.expose_function("nativePython", _answer)
    script = (HERE / "native-engine.js").read_text("utf-8")
    context.route(
        "**/static/app/engine.js", lambda route: route.fulfill(body=script, content_type="text/javascript")
    )
    # The preloads of the real engine would only take time.
    context.route("**/runtime/**", lambda route: route.abort())
