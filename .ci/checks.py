"""Run every check of the project: lint, format, types, then the tests. Install what they lack first.

Where it stands: above `packages`; `build.py test` and .ci/run come here.
What always holds: the first failure of a step does not hide the later ones; the exit status is 0 only when
every step passed; each step's time is printed; pytest's closing line comes last.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from common import ROOT, say
from packages import chromium, ensure_python_packages, firefox, node_command, npm_package

TESTS_ENVIRONMENT = {"PYTHONDONTWRITEBYTECODE": "1", "PYTHONHASHSEED": "0"}
LONG = "long"


def run_checks(pytest_arguments: Sequence[str], *, everything: bool) -> int:
    """Run all steps and return 0 when all passed.

    Parameters
    ----------
    pytest_arguments
        What goes on to pytest, such as ``-k name``. With them only pytest runs: the person is after tests.
    everything
        Also what is long, the oracles and Firefox.
    """
    started = time.perf_counter()
    python = ensure_python_packages("dev", *(["oracle"] if everything else []))
    _ensure_playwright_driver_runs(python)
    chromium()
    if everything:
        firefox()
    say(f"Tools are there ({time.perf_counter() - started:.1f} s)")
    steps = [] if pytest_arguments else _static_steps(python)
    failed = [name for name, command in steps if not _step(name, command)]
    mark = [] if everything else ["-m", f"not {LONG}"]

    if not _step("pytest", [python, "-m", "pytest", *mark, *_durations(pytest_arguments), *pytest_arguments]):
        failed.append("pytest")
    total = time.perf_counter() - started
    if failed:
        print(f"\nFailed: {', '.join(failed)} ({total:.0f} s)", file=sys.stderr, flush=True)
        return 1
    say(f"\nEverything passed ({total:.0f} s)")
    return 0


def _static_steps(python: Path) -> list[tuple[str, list[str | Path]]]:
    """Return the checks that read the code without running it."""
    node, _ = node_command()
    rooms = sorted(str(path.relative_to(ROOT)) for path in (ROOT / ".ci").glob("*.py"))
    steps: list[tuple[str, list[str | Path]]] = [
        ("ruff check", [python, "-m", "ruff", "check", "."]),
        ("ruff format", [python, "-m", "ruff", "format", "--check", "."]),
        ("mypy", [python, "-m", "mypy", "--strict", "fen_core", "build.py", *rooms]),
        ("tsc", [node, npm_package("typescript") / "bin" / "tsc", "--project", ROOT / "tsconfig.json"]),
    ]
    scripts = sorted((ROOT / "tests" / "js").glob("*.test.mjs"))
    if scripts:
        steps.append(("node tests", [node, "--test", *scripts]))
    return steps


def _durations(arguments: Sequence[str]) -> list[str]:
    return [] if any(argument.startswith("--durations") for argument in arguments) else ["--durations=8"]


def _ensure_playwright_driver_runs(python: Path) -> None:
    """Make Playwright's driver executable where an installer lost the bit."""
    found = subprocess.run(
        [python, "-c", "import playwright, pathlib; print(pathlib.Path(playwright.__file__).parent)"],
        capture_output=True,
        text=True,
        check=False,
    )
    driver = Path(found.stdout.strip()) / "driver" / "node" if found.returncode == 0 else None
    if driver and driver.exists() and not os.access(driver, os.X_OK):
        driver.chmod(0o755)


def _step(name: str, command: Sequence[str | Path]) -> bool:
    """Run one step with its output shown; say how long it took."""
    say(f"\n== {name}")
    start = time.perf_counter()
    path = os.pathsep.join([str(ROOT / ".ci"), os.environ.get("MYPYPATH", "")]).rstrip(os.pathsep)
    done = subprocess.run(
        [str(part) for part in command],
        cwd=ROOT,
        env={**os.environ, **TESTS_ENVIRONMENT, "MYPYPATH": path},
        stdin=subprocess.DEVNULL,
        check=False,
    )
    verdict = "passed" if done.returncode == 0 else f"FAILED (exit status {done.returncode})"
    say(f"== {name}: {verdict}, {time.perf_counter() - start:.1f} s")
    return done.returncode == 0
