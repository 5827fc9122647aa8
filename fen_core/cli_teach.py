"""The `teach` command: corrected diagrams of one print → a profile file that `read --profile` takes.

Stands above `lessons`, `teach` and `profile`. Each picture comes with the FEN of what it shows; which of the
picture's diagrams that is, and which way up, is told by agreement with what the network reads. What always
holds: a file is written only when every board was found, and an older file is replaced as a whole. Exit
status: 0 written, 1 a board could not be matched, 2 misuse.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from fen_core.check import check
from fen_core.errors import FenCoreError, ImageError, ProfileError, UsageError, package
from fen_core.fen import parse_placement
from fen_core.inputs import hold_apart
from fen_core.words import Words, languages

__all__ = ["main"]


def _arguments(argv: Sequence[str]) -> argparse.Namespace:
    ask = argparse.ArgumentParser(
        prog="python3 -m fen_core teach",
        description="Learn a print (a book, an app, a site) from one or a few of its diagrams.",
        epilog='example: python3 -m fen_core teach page1.png page2.png --fen "8/8/8/4k3/8/8/4P3/4K3" '
        '--fen "8/5k2/8/8/8/8/1Q6/K7" --name "my endgame book" --out endgames.json',
    )
    ask.add_argument("files", nargs="+", metavar="PICTURE", help="pictures of diagrams of this print")
    ask.add_argument(
        "--fen",
        action="append",
        default=[],
        required=True,
        help="what the diagram shows, a FEN or its placement; once for each PICTURE, in the same order",
    )
    ask.add_argument("--out", required=True, metavar="FILE", type=Path, help="the profile to write (.json)")
    ask.add_argument("--name", help="how the profile is called; the name of FILE if not given")
    ask.add_argument("--profile", metavar="FILE", type=Path, help="a profile to add these boards to")
    ask.add_argument("--orientation", choices=("white", "black"), help="the side at the bottom, of all")
    ask.add_argument("--lang", default="en", choices=languages(), help="language of the words")
    options = ask.parse_args(argv)
    if len(options.fen) != len(options.files):
        ask.error(f"{len(options.files)} pictures need as many --fen, not {len(options.fen)}")
    return options


def _board(text: str) -> str:
    found = check(text).fen
    if found is None:
        raise UsageError("teach-fen", text=text)
    return parse_placement(found.split()[0])


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise ImageError("file-unreadable") from error


def _write(path: Path, text: str) -> None:
    fresh = path.with_name(path.name + ".new")
    fresh.write_text(text, encoding="utf-8")
    os.replace(fresh, path)


def main(argv: Sequence[str]) -> int:
    """Run `teach` and return its exit status."""
    options = _arguments(argv)
    words = Words(options.lang)
    where = ""
    try:
        wanted = [_board(text) for text in options.fen]
        from fen_core import lessons, profile, teach

        hold_apart(options.out, options.files)
        boards = []
        if options.profile:
            where = str(options.profile)
            earlier = profile.load(_bytes(options.profile))
            boards = list(earlier.boards)
        for name, board64 in zip(options.files, wanted, strict=True):
            where = name
            boards.append(lessons.matched(_bytes(Path(name)), board64, options.orientation))
        where = ""
        name = options.name or (earlier.name if options.profile else options.out.stem)
        learnt = teach.learn(name, boards)
        where = str(options.out)
        text = profile.dump(learnt)
        _write(options.out, text)
    except ModuleNotFoundError as error:
        code = "picture-packages-missing" if error.name in ("numpy", "PIL") else "learning-missing"
        print(words.error(code, {"name": package(error), "detail": str(error)}), file=sys.stderr)
        return 2
    except FenCoreError as error:
        head = f"{where}: " if where else ""
        print(head + words.error(error.code, error.params), file=sys.stderr)
        return 1 if isinstance(error, ImageError | ProfileError) else 2
    except OSError as error:
        print(f"{where}: {error.strerror or error}", file=sys.stderr)
        return 2
    values = {"name": learnt.name, "n": len(learnt.boards), "file": str(options.out), "bytes": len(text)}
    print(words.text("cli.teach.written", values))
    return 0
