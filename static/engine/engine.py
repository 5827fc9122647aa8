"""The engine in the worker: takes calls from the page, runs fen_core, answers in JSON.

Where it stands: started by PyScript (worker.py) or by plain Pyodide (starter.mjs); static/app/engine.js
speaks to it. It is the only Python that knows of the browser.
What always holds: every call is answered once, with a result or with a coded error; only the functions of
`CALLS` can be called; bytes go in, JSON comes out, pixels never cross.
"""

from __future__ import annotations

import asyncio
import importlib
import inspect
import json
import sys
import types
from collections.abc import Callable, Coroutine
from typing import Any

import js
import pyodide_js
from pyodide.ffi import can_run_sync, create_proxy, run_sync, to_js

# Name → where it lives. Modules are imported when first called: the checker alone never loads NumPy.
CALLS = {
    "check": "fen_core.check:check",
    "explain": "fen_core.explain:explain",
    "export.epd": "fen_core.export:epd",
    "export.pgn": "fen_core.export:pgn",
    "learning.load": "engine:load_learning",
    "memory": "engine:memory",
    "read": "fen_core.read:read",
    "teach.board": "fen_core.lessons:teach_board",
    "teach.open": "fen_core.lessons:open_profile",
    "teach.relearn": "fen_core.lessons:relearn_profile",
    "teach.rename": "fen_core.lessons:rename_profile",
}
# Those that report how far they are, through an argument `progress`.
REPORTING = {"read", "teach.board", "teach.relearn"}

_cancelled: set[int] = set()
_kept: list[Any] = []


class Cancelled(Exception):
    """The page wants this job no more."""


class UnknownCall(LookupError):
    """The page asked for what is not in `CALLS`."""

    code = "unknown-call"

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.params = {"name": name}


class LearningMissing(RuntimeError):
    """scikit-learn could not be loaded into this worker."""

    code = "learning-missing"

    def __init__(self, detail: str) -> None:
        super().__init__(detail)
        self.params = {"detail": detail}


def start() -> None:
    """Listen to the page, and say that Python is ready."""
    listener = create_proxy(_on_message)
    _kept.append(listener)
    js.addEventListener("message", listener)
    _post(engine="ready", python=sys.version.split()[0])
    _keep(_warm())


async def _warm() -> None:
    """Import what reads pictures, one part at a time, so that the first picture need not wait for that.

    A question that comes meanwhile waits for one part at most. The checker alone has none of them.
    """
    for name in ("numpy", "PIL.Image", "fen_core.boards", "fen_core.classify", "fen_core.read"):
        await asyncio.sleep(0)
        try:
            importlib.import_module(name)
        except ImportError:
            return
    _post(engine="warm")


def _keep(work: Coroutine[Any, Any, None]) -> None:
    """Run `work` beside what else goes on, and hold it until it is done."""
    task = asyncio.ensure_future(work)
    _kept.append(task)
    task.add_done_callback(_kept.remove)


def memory() -> dict[str, int]:
    """Return the bytes that WebAssembly holds; it never gives any back."""
    return {"bytes": pyodide_js._module.HEAP8.length}


async def load_learning() -> dict[str, str]:
    """Load scikit-learn from beside the interpreter and return its version; quick when it is there.

    Raises
    ------
    LearningMissing
        If a package is missing or is not the one that our lock names (Pyodide only logs that).
    """
    try:
        await pyodide_js.loadPackage("scikit-learn")
        import numpy

        # SciPy names it in passing; it compiles Fortran, and is left out of what we ship.
        if "numpy.f2py" not in sys.modules:
            sys.modules["numpy.f2py"] = numpy.f2py = types.ModuleType("numpy.f2py")
        learn = importlib.import_module("sklearn")
        importlib.import_module("fen_core.teach").prepare()
    except MemoryError:
        raise
    except Exception as error:
        raise LearningMissing(f"{type(error).__name__}: {error}") from error
    version: str = learn.__version__
    return {"version": version}


def _post(**message: Any) -> None:
    js.postMessage(to_js(message, dict_converter=js.Object.fromEntries))


def _on_message(event: Any) -> None:
    message = event.data
    kind = getattr(message, "engine", None)
    if kind == "call":
        _keep(_answer(message.id, message.name, message.args, message.buffers))
    elif kind == "cancel":
        _cancelled.add(message.id)


async def _answer(job: int, name: str, arguments: str, buffers: Any) -> None:
    """Run one call and post its one answer."""
    try:
        if job in _cancelled:
            raise Cancelled
        positional, named = _arguments(arguments, buffers)
        result = await _run(job, name, positional, named)
        _post(engine="result", id=job, json=result)
    except Cancelled:
        _post(engine="error", id=job, code="cancelled", params="{}")
    except MemoryError:
        _post(engine="error", id=job, code="out-of-memory", params="{}")
    except Exception as error:
        code, params = getattr(error, "code", None), getattr(error, "params", None)
        if not isinstance(code, str):
            code, params = "internal", {"detail": f"{type(error).__name__}: {error}"}
        _post(engine="error", id=job, code=code, params=json.dumps(params or {}, default=str))
    finally:
        _cancelled.discard(job)


def _arguments(text: str, buffers: Any) -> tuple[list[Any], dict[str, Any]]:
    """Return the positional and named arguments; ``{"$bytes": i}`` stands for the i-th buffer."""

    def restore(value: dict[str, Any]) -> Any:
        return buffers[value["$bytes"]].to_bytes() if set(value) == {"$bytes"} else value

    values = json.loads(text, object_hook=restore)
    return values["args"], values["named"]


async def _run(job: int, name: str, positional: list[Any], named: dict[str, Any]) -> str:
    """Call the function that `name` stands for, and return its answer as JSON."""
    if name not in CALLS:
        raise UnknownCall(name)
    module, _, function = CALLS[name].partition(":")
    call: Callable[..., Any] = getattr(importlib.import_module(module), function)
    if name in REPORTING:
        report = _reporter(job)
        named = {**named, "progress": report}
        if name == "read":
            # A page of many diagrams is shown board by board.
            named["each"] = lambda board, share: report("squares", share, json.dumps(board.to_json()))
    answer = call(*positional, **named)
    if inspect.isawaitable(answer):
        answer = await answer
    if hasattr(answer, "to_json"):
        answer = answer.to_json()
    return answer if isinstance(answer, str) and name in {"read", "check"} else json.dumps(answer)


def _reporter(job: int) -> Callable[..., None]:
    """Return what a job calls between its stages: it tells the page, and stops where the page wants so."""

    def report(stage: str, share: float = 0.0, board: str = "") -> None:
        _post(engine="progress", id=job, stage=stage, share=float(share), board=board)
        if can_run_sync():
            # Let waiting messages in: a cancellation, or a quick check, is seen between two stages.
            run_sync(asyncio.sleep(0))
        if job in _cancelled:
            raise Cancelled

    return report
