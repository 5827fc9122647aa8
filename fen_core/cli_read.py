"""The `read` command: pictures (files, folders, PDF pages, standard input) → their diagrams.

Stands above `read` and `export`. With `--json` one object a picture and a line; without, a drawn board, the
FEN, what is unsure and what is wrong. What always holds: a file that cannot be read is reported in its place
and the rest go on; nothing is held of one picture when the next is read. Exit status: 0 every picture gave a
board, 1 some did not, 2 misuse.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from fen_core import export
from fen_core.cli_check import problem_lines
from fen_core.draw import draw_board
from fen_core.errors import FenCoreError, ImageError, ModelError, UsageError
from fen_core.fen import parse_placement
from fen_core.pdf import is_pdf, pages
from fen_core.words import Words, languages

__all__ = ["main", "readings"]

SUFFIXES = {".png", ".jpg", ".jpeg", ".webp", ".gif", ".bmp", ".tif", ".tiff", ".ppm", ".pdf"}


def _arguments(argv: Sequence[str]) -> argparse.Namespace:
    ask = argparse.ArgumentParser(
        prog="python3 -m fen_core read", description="Read the chess diagrams in pictures."
    )
    ask.add_argument("files", nargs="+", metavar="FILE", help="pictures, PDF files, folders of them, or - ")
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
    ask.add_argument("--lang", default="en", choices=languages(), help="language of the words")
    options = ask.parse_args(argv)
    if options.snap and options.corners is None:
        ask.error("--snap needs --corners")
    return options


def _corners(text: str) -> list[list[float]]:
    try:
        points = [[float(value) for value in pair.split(",")] for pair in text.split()]
    except ValueError as error:
        raise UsageError("corners-shape") from error
    if len(points) != 4 or any(len(point) != 2 for point in points):
        raise UsageError("corners-shape")
    return points


def _inputs(names: Sequence[str]) -> Iterator[tuple[str, Path | None]]:
    """Name every file: those given, and those in the folders given, in order."""
    for name in names:
        path = Path(name)
        if name == "-":
            yield name, None
        elif path.is_dir():
            inside = (file for file in path.rglob("*") if file.suffix.lower() in SUFFIXES and file.is_file())
            yield from [(str(file), file) for file in sorted(inside)] or [(name, path)]
        else:
            yield name, path


def _pictures(path: Path | None) -> Iterator[tuple[int | None, bytes]]:
    """Give a file's bytes, or those of its pages with their numbers from 1."""
    if path is not None and path.is_dir():  # only a folder without pictures comes this far
        raise ImageError("folder-empty")
    try:
        data = sys.stdin.buffer.read() if path is None else path.read_bytes()
    except OSError as error:
        raise ImageError("file-unreadable") from error
    if is_pdf(data):
        yield from ((number, page) for number, page in enumerate(pages(data), start=1))
    else:
        yield None, data


def readings(names: Sequence[str], **options: Any) -> Iterator[dict[str, Any]]:
    """Read files one after another.

    Parameters
    ----------
    names : sequence of str
        Files, folders, or "-" for standard input.
    **options
        `corners`, `orientation`, `snap`, `castling` as in `read.read`.

    Yields
    ------
    dict
        The reading contract, with "file" and, for a PDF, "page".
    """
    from fen_core.read import read  # NumPy and Pillow are needed from here on

    for name, path in _inputs(names):
        try:
            for page, data in _pictures(path):
                start = time.perf_counter()
                head: dict[str, Any] = {"file": name} if page is None else {"file": name, "page": page}
                try:
                    yield head | read(data, **options).to_json()
                except ImageError as error:
                    yield head | _failed(error, (time.perf_counter() - start) * 1000)
        except ImageError as error:
            yield {"file": name} | _failed(error, 0.0)


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

    def __init__(self, form: str) -> None:
        self.form = form
        if form == "csv":
            print(export.csv_row(["file", "page", "diagram", "fen", "bottom", "unsure", "problems"]))

    def __call__(self, result: dict[str, Any]) -> None:
        if self.form == "json":
            print(json.dumps(result, ensure_ascii=False))
            return
        for number, board in enumerate(result["boards"], start=1):
            self._diagram(result, number, board)
        if not result["boards"]:
            reason = (result["error"] or {"message": Words("en").text("cli.read.none")})["message"]
            print(f"{result['file']}: {reason}", file=sys.stderr)

    def _diagram(self, result: dict[str, Any], number: int, board: dict[str, Any]) -> None:
        page = result.get("page", "")
        where = [Path(result["file"]).name, *([f"page {page}"] if page else []), f"diagram {number}"]
        if self.form == "epd":
            print(export.epd(board["fen"], id=", ".join(where)))
        elif self.form == "pgn":
            print(export.pgn(board["fen"], Event=", ".join(where)))
        else:
            unsure = " ".join(square["square"] for square in board["squares"] if square["unsure"])
            codes = " ".join(problem["code"] for problem in board["problems"])
            bottom = board["orientation"]["bottom"]
            print(export.csv_row([result["file"], page, number, board["fen"], bottom, unsure, codes]))


class _People:
    """Write results for people: the drawn board, the FEN, what is unsure, what is wrong."""

    def __init__(self, words: Words) -> None:
        self.words = words

    def __call__(self, result: dict[str, Any]) -> None:
        page = f", {result['page']}" if "page" in result else ""
        print(f"{result['file']}{page}")
        if result["error"]:
            print("  " + self.words.error(result["error"]["code"], result["error"]["params"]))
        elif not result["boards"]:
            print("  " + self.words.text("cli.read.none"))
        for number, board in enumerate(result["boards"], start=1):
            print()
            if len(result["boards"]) > 1:
                print(self.words.text("cli.read.board", {"number": number}))
            print("\n".join(self._lines(board)))
        print()

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
        if unsure:
            shown = "; ".join(self._doubt(square) for square in unsure)
            lines.append(words.text("cli.read.unsure", {"squares": shown}))
        for provenance in ("inferred", "assumed"):
            names = [name for name, value in board["fields"].items() if value["provenance"] == provenance]
            if names:
                fields = ", ".join(words.text(f"field.{name}") for name in names)
                lines.append(words.text(f"cli.read.{provenance}", {"fields": fields}))
        for problem in board["problems"]:
            lines.extend(problem_lines(problem, words, colour=False))
        return lines

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


def main(argv: Sequence[str]) -> int:
    """Run `read` and return its exit status."""
    options = _arguments(argv)
    words = Words(options.lang)
    try:
        corners = None if options.corners is None else _corners(options.corners)
        if corners is not None and (len(options.files) != 1 or Path(options.files[0]).is_dir()):
            raise UsageError("corners-one-picture")
        without_board = False
        results = readings(
            options.files,
            corners=corners,
            orientation=options.orientation,
            snap=options.snap,
            castling=options.castling,
        )
        form = next((name for name in ("json", "epd", "pgn", "csv") if getattr(options, name)), None)
        writer = _Programs(form) if form else _People(words)
        for result in results:
            without_board |= not result["boards"]
            writer(result)
            sys.stdout.flush()
    except UsageError as error:
        form = ' (--corners "x,y x,y x,y x,y")' if error.code == "corners-shape" else ""
        print(words.error(error.code, error.params) + form, file=sys.stderr)
        return 2
    except ModuleNotFoundError as error:
        print(words.error("picture-packages-missing", {"name": error.name or ""}), file=sys.stderr)
        return 2
    except ModelError as error:
        print(words.error(error.code, error.params), file=sys.stderr)
        return 2
    except BrokenPipeError:  # the reader of our output has gone, as `head` does
        sys.stderr.close()
        return 1
    return 1 if without_board else 0
