"""The `read` command: pictures (files, folders, PDF pages, standard input) → their diagrams.

Stands above `inputs`, `read` and `export`. With `--json` one object a picture and a line; without, a drawn
board, the FEN, what is unsure and what is wrong. What always holds: a file that cannot be read is reported in
its place and the rest go on; nothing is held of one picture when the next is read; with `--output` and
`--resume` a run that was broken off goes on where it was. Exit status: 0 every picture gave a board, 1 some
did not, 2 misuse.
"""

from __future__ import annotations

import argparse
import io
import json
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import IO, Any

from fen_core import export
from fen_core.cli_check import problem_lines
from fen_core.draw import draw_board
from fen_core.errors import FenCoreError, ImageError, ModelError, ProfileError, UsageError, package
from fen_core.fen import parse_placement
from fen_core.inputs import already_read, hold_apart, sources
from fen_core.pdf import page_numbers
from fen_core.words import Words, languages

__all__ = ["main", "readings"]


def _arguments(argv: Sequence[str]) -> argparse.Namespace:
    ask = argparse.ArgumentParser(
        prog="python3 -m fen_core read", description="Read the chess diagrams in pictures."
    )
    ask.add_argument(
        "files",
        nargs="+",
        metavar="FILE",
        help="pictures, PDF files, folders of them, patterns as 'scans/**/*.png', or - ",
    )
    form = ask.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="one JSON object a picture and a line")
    form.add_argument("--epd", action="store_true", help="one EPD line a diagram")
    form.add_argument("--pgn", action="store_true", help="one game a diagram, with SetUp and FEN")
    form.add_argument("--csv", action="store_true", help="a table, one row a diagram")
    ask.add_argument("--corners", metavar='"x,y x,y x,y x,y"', help="corners of the board in the one picture")
    ask.add_argument("--snap", action="store_true", help="let the given corners move onto the squares nearby")
    ask.add_argument("--orientation", choices=("white", "black"), help="the side at the bottom")
    ask.add_argument(
        "--castling",
        choices=("none", "possible"),
        default="none",
        help="castling rights: none (a picture cannot tell), or all that kings and rooks allow",
    )
    ask.add_argument("--pages", metavar="1-20,35", help="pages of PDF files; all if not given")
    ask.add_argument("--output", type=Path, metavar="FILE", help="write there, and say here how far it is")
    ask.add_argument(
        "--resume",
        action="store_true",
        help="go on with a run that was broken off (with --json and --output)",
    )
    ask.add_argument("--profile", metavar="FILE", help="read with what `teach` learnt of this print")
    ask.add_argument("--lang", default="en", choices=languages(), help="language of the words")
    options = ask.parse_args(argv)
    if options.snap and options.corners is None:
        ask.error("--snap needs --corners")
    if options.resume and not (options.json and options.output):
        ask.error("--resume needs --json and --output")
    return options


def _corners(text: str) -> list[list[float]]:
    try:
        points = [[float(value) for value in pair.split(",")] for pair in text.split()]
    except ValueError as error:
        raise UsageError("corners-shape") from error
    if len(points) != 4 or any(len(point) != 2 for point in points):
        raise UsageError("corners-shape")
    return points


def _profile(name: str) -> Any:
    """Return a profile, learnt anew where the network has changed since it was made."""
    from fen_core.lessons import usable

    try:
        return usable(Path(name).read_text("utf-8", errors="replace"))
    except OSError as error:
        raise ProfileError("profile-unreadable", file=name) from error


def readings(
    names: Sequence[str],
    *,
    pages: str | None = None,
    done: set[tuple[str, int | None]] | None = None,
    **options: Any,
) -> Iterator[dict[str, Any]]:
    """Read files one after another.

    Parameters
    ----------
    names : sequence of str
        Files, folders, patterns, or "-" for standard input.
    pages : str, optional
        Which pages of PDF files, as "1-20,35".
    done : set of (file, page), optional
        What is not to be read again.
    **options
        `corners`, `orientation`, `snap`, `castling`, `profile` as in `read.read`.

    Yields
    ------
    dict
        The reading contract, with "file"; for a PDF with "page"; "same_as" names an earlier file of the same
        bytes.
    """
    from fen_core.read import read  # NumPy and Pillow are needed from here on

    wanted = page_numbers(pages) if pages else None
    for source in sources(names, wanted=wanted, done=done or set()):
        start = time.perf_counter()
        try:
            yield source.head() | read(source.data(), **options).to_json()
        except ImageError as error:
            yield source.head() | _failed(error, (time.perf_counter() - start) * 1000)


def _failed(error: FenCoreError, ms: float) -> dict[str, Any]:
    words = Words("en")
    message = words.error(error.code, error.params)
    return {
        "boards": [],
        "error": {"code": error.code, "message": message, "params": error.params},
        "ms": round(ms, 1),
    }


class _Programs:
    """Write results for programs: JSON, EPD, PGN or CSV, one diagram after another."""

    def __init__(self, form: str, out: IO[str]) -> None:
        self.form, self.out = form, out
        self.first: dict[str, str] = {}  # placement → where it stood first
        if form == "csv":
            columns = ["file", "page", "diagram", "fen", "bottom", "unsure", "problems", "same_as"]
            print(export.csv_row(columns), file=out)

    def __call__(self, result: dict[str, Any]) -> None:
        if self.form == "json":
            print(json.dumps(result, ensure_ascii=False), file=self.out)
            return
        for number, board in enumerate(result["boards"], start=1):
            self._diagram(result, number, board)
        if not result["boards"]:
            reason = (result["error"] or {"message": Words("en").text("cli.read.none")})["message"]
            print(f"{result['file']}: {reason}", file=sys.stderr)

    def _diagram(self, result: dict[str, Any], number: int, board: dict[str, Any]) -> None:
        page = result.get("page", "")
        where = ", ".join(
            [Path(result["file"]).name, *([f"page {page}"] if page else []), f"diagram {number}"]
        )
        if self.form == "epd":
            print(export.epd(board["fen"], id=where), file=self.out)
        elif self.form == "pgn":
            print(export.pgn(board["fen"], Event=where), file=self.out)
        else:
            unsure = " ".join(square["square"] for square in board["squares"] if square["unsure"])
            codes = " ".join(problem["code"] for problem in board["problems"])
            bottom = board["orientation"]["bottom"]
            earlier = self.first.setdefault(board["placement"], where)
            row = [result["file"], page, number, board["fen"], bottom, unsure, codes]
            print(export.csv_row([*row, "" if earlier == where else earlier]), file=self.out)


class _People:
    """Write results for people: the drawn board, the FEN, what is unsure, what is wrong."""

    def __init__(self, words: Words, out: IO[str]) -> None:
        self.words, self.out = words, out

    def __call__(self, result: dict[str, Any]) -> None:
        print("\n".join(self._all(result)), file=self.out)

    def _all(self, result: dict[str, Any]) -> Iterator[str]:
        yield _name(result)
        if result["error"]:
            yield "  " + self.words.error(result["error"]["code"], result["error"]["params"])
        elif not result["boards"]:
            yield "  " + self.words.text("cli.read.none")
        for number, board in enumerate(result["boards"], start=1):
            yield ""
            if len(result["boards"]) > 1:
                yield self.words.text("cli.read.board", {"number": number})
            yield from self._lines(board)
        yield ""

    def _lines(self, board: dict[str, Any]) -> list[str]:
        words, turn = self.words, board["orientation"]
        unsure = [square for square in board["squares"] if square["unsure"]]
        lines = [
            draw_board(parse_placement(board["placement"]), marked={square["square"] for square in unsure}),
            board["fen"],
            words.text(
                "cli.read.bottom", {"side": turn["bottom"], "percent": f"{100 * turn['probability']:.0f}"}
            ),
        ]
        if board["profile"]:
            kind = "profile" if board["profile"]["used"] else "profile-unlike"
            lines.append(words.text(f"cli.read.{kind}", board["profile"]))
        if unsure:
            shown = "; ".join(self._doubt(square) for square in unsure)
            lines.append(words.text("cli.read.unsure", {"squares": shown}))
        for provenance in ("inferred", "assumed"):
            names = [name for name, value in board["fields"].items() if value["provenance"] == provenance]
            if names:
                fields = ", ".join(words.text(f"field.{name}") for name in names)
                lines.append(words.text(f"cli.read.{provenance}", {"fields": fields}))
                lines.extend(f"  {told}" for name in names for told in self._evidence(board["fields"][name]))
        for problem in board["problems"]:
            lines.extend(problem_lines(problem, words, colour=False))
        return lines

    def _evidence(self, field: dict[str, Any]) -> Iterator[str]:
        for item in field["evidence"]:
            if self.words.has(f"evidence.{item['kind']}"):
                yield self.words.text(f"evidence.{item['kind']}", item)

    def _doubt(self, square: dict[str, Any]) -> str:
        others = [
            f"{self._man(piece)} {100 * p:.0f} %" for piece, p in square["alternatives"][:2] if p >= 0.005
        ]
        values = {
            "square": square["square"],
            "content": self._man(square["piece"]),
            "percent": f"{100 * square['probability']:.0f}",
            "alternatives": ", ".join(others),
        }
        return self.words.text("cli.read.unsure-square", values)

    def _man(self, piece: str) -> str:
        return self.words.text("cli.read.empty") if piece == "." else self.words.piece(piece)


def _name(result: dict[str, Any]) -> str:
    return f"{result['file']}, {result['page']}" if "page" in result else str(result["file"])


def _run(options: argparse.Namespace, words: Words) -> int:
    """Read everything that is asked for and write it; return the exit status."""
    corners = None if options.corners is None else _corners(options.corners)
    if corners is not None and (len(options.files) != 1 or Path(options.files[0]).is_dir()):
        raise UsageError("corners-one-picture")
    if options.output:
        hold_apart(options.output, options.files)
    done, without_board = already_read(options.output) if options.resume else (set(), False)
    results = readings(
        options.files,
        pages=options.pages,
        done=done,
        corners=corners,
        orientation=options.orientation,
        snap=options.snap,
        castling=options.castling,
        profile=None if options.profile is None else _profile(options.profile),
    )
    form = next((name for name in ("json", "epd", "pgn", "csv") if getattr(options, name)), None)
    mode = "a" if options.resume else "w"
    odd = "backslashreplace"  # a name whose bytes are no text: as JSON writes it
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=odd)
    written = options.output.open(mode, encoding="utf-8", errors=odd) if options.output else None
    with written or nullcontext(sys.stdout) as out:
        writer = _Programs(form, out) if form else _People(words, out)
        for number, result in enumerate(results, start=len(done) + 1):
            without_board |= not result["boards"]
            writer(result)
            out.flush()
            if options.output:
                said = words.text("ui.read-done", {"n": len(result["boards"])})
                print(f"{number}. {_name(result)}: {said}", file=sys.stderr)
    return 1 if without_board else 0


def main(argv: Sequence[str]) -> int:
    """Run `read` and return its exit status."""
    options = _arguments(argv)
    words = Words(options.lang)
    try:
        return _run(options, words)
    except UsageError as error:
        form = ' (--corners "x,y x,y x,y x,y")' if error.code == "corners-shape" else ""
        print(words.error(error.code, error.params) + form, file=sys.stderr)
        return 2
    except ModuleNotFoundError as error:
        print(words.error("picture-packages-missing", {"name": package(error)}), file=sys.stderr)
        return 2
    except (ModelError, ProfileError) as error:
        print(words.error(error.code, error.params), file=sys.stderr)
        return 2
    except BrokenPipeError:  # the reader of our output has gone, as `head` does
        sys.stderr.close()
        return 1
    except OSError as error:  # the file to write to
        print(f"{options.output}: {error.strerror}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 1
