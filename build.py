#!/usr/bin/env python3
"""The one door for a person: serve, site, test, single, bench. Standard library only.

    python3 build.py serve      fetch what is needed, assemble the site, serve it on this machine
    python3 build.py test       install what the tests need and run them

Where it stands: on top; the rooms behind it lie in .ci/, one module each. Nothing here needs Node, a
browser or a package to be there before: each command gets what it lacks.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent / ".ci"))

if sys.version_info < (3, 11):  # noqa: UP036 - whoever runs this has not installed anything yet
    sys.exit("build.py needs Python 3.11 or newer")

from common import DIST, ROOT, cache_folder, main_guard, megabytes, say


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="build.py",
        description="Image to FEN: build, serve, test. What was fetched is kept in the cache.",
    )
    commands = parser.add_subparsers(dest="action", required=True, metavar="COMMAND")
    serve = commands.add_parser("serve", help="assemble the site and serve it on 127.0.0.1")
    serve.add_argument("--port", type=int, default=8000, help="8000 if not given; 0 takes a free one")
    serve.add_argument(
        "--prefix", default="", metavar="/PATH", help="serve below a path, as a project page is"
    )
    site = commands.add_parser("site", help="assemble the site into dist/")
    single = commands.add_parser("single", help="make image-to-fen.html: the whole in one file")
    bench = commands.add_parser("bench", help="measure start-up, bytes and reading times in Chromium")
    bench.add_argument("--runs", type=int, default=5, help="runs for each figure (5)")
    for command in (serve, site, single, bench):
        command.add_argument(
            "--wheels", type=Path, metavar="FOLDER", help="take Pyodide's official wheels from here"
        )
    test = commands.add_parser("test", help="run every check; what follows goes on to pytest")
    test.add_argument("--all", action="store_true", help="also what is long: oracles, soak, Firefox")
    return parser


def _serve(options: argparse.Namespace) -> int:
    from assemble import make_site
    from serve import serve_for_ever

    make_site(wheels=options.wheels)
    return serve_for_ever(DIST, port=options.port, prefix=options.prefix)


def _site(options: argparse.Namespace) -> int:
    from assemble import make_site

    site = make_site(wheels=options.wheels)
    size = sum(path.stat().st_size for path in site.rglob("*") if path.is_file())
    say(f"{site.relative_to(ROOT)}/ is ready: {megabytes(size)}. The cache: {cache_folder()}")
    return 0


def _single(options: argparse.Namespace) -> int:
    from single import make_single

    path = make_single(wheels=options.wheels)
    say(f"{path.name}: {megabytes(path.stat().st_size)}")
    return 0


def _bench(options: argparse.Namespace) -> int:
    from bench import run_bench

    return run_bench(runs=options.runs, wheels=options.wheels)


def _test(options: argparse.Namespace) -> int:
    from checks import run_checks

    return run_checks(options.rest, everything=options.all)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; return its exit status."""
    options, rest = _parser().parse_known_args(arguments)
    if rest and options.action != "test":
        _parser().error(f"unrecognized arguments: {' '.join(rest)}")
    options.rest = rest
    actions = {"serve": _serve, "site": _site, "single": _single, "bench": _bench, "test": _test}
    return main_guard(options.action, actions[options.action], options)


if __name__ == "__main__":
    sys.exit(main())
