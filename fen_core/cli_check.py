"""The `check` command: FENs and pasted text → faults explained, for people or for programs.

Above `check` and `words`.  With `--json`, JSON strings one a line on standard input give one JSON object
a line; without, texts given as arguments (or one a line on standard input) are explained: the board,
the FEN, what is wrong and where, what would cure it.  Exit status: 0 nothing of severity syntax or
illegal, 1 something, 2 misuse.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterator, Sequence
from typing import Any, TextIO

from fen_core.check import CheckResult, check
from fen_core.draw import draw_board
from fen_core.fen import parse_placement
from fen_core.words import Words, languages

__all__ = ["explain", "main", "problem_lines"]

_PAINT = {"syntax": "\x1b[1;31m", "illegal": "\x1b[1;31m", "suspect": "\x1b[1;33m", "note": "\x1b[36m"}
_SIGN = {"syntax": "✗", "illegal": "✗", "suspect": "?", "note": "·"}


def _arguments(argv: Sequence[str]) -> argparse.Namespace:
    ask = argparse.ArgumentParser(
        prog="python3 -m fen_core check",
        description="Find what is wrong in a FEN, and what would cure it. Exit status: 0 nothing is wrong, "
        "1 something is, 2 misuse.",
    )
    ask.add_argument(
        "fens", nargs="*", metavar="FEN", help="a FEN or a text that holds one; - or none: standard input"
    )
    ask.add_argument(
        "--json", action="store_true", help="JSON strings in, one a line; JSON objects out, one a line"
    )
    ask.add_argument("--lang", default="en", choices=languages(), help="language of the words")
    ask.add_argument("--figurines", action="store_true", help="draw ♔ instead of K")
    ask.add_argument(
        "--no-color", "--no-colour", action="store_true", help="no colours, as with NO_COLOR set"
    )
    return ask.parse_args(argv)


def _texts(options: argparse.Namespace, stream: TextIO) -> Iterator[str]:
    """Give the texts to check: arguments that the shell has cut at spaces joined again, else lines."""
    given = options.fens
    if given and given != ["-"]:
        if sum("/" in word for word in given) < 2 and not any(" " in word for word in given):
            given = [" ".join(given)]
        yield from given
    else:
        for line in stream:
            if line.strip():
                yield line.rstrip("\n")


def explain(result: CheckResult, words: Words, *, colour: bool = False, figurines: bool = False) -> str:
    """Explain a result to a person: board, FEN, cleanings, problems and cures."""
    answer = result.to_json()
    lines = []
    if result.placement:
        marked = {square for problem in result.problems for square in problem.squares}
        board = parse_placement(result.placement)
        lines.append(draw_board(board, marked=marked, colour=colour, figurines=figurines))
        if marked:
            lines.append(f"   {words.text('cli.check.marked')}")
    lines.append(result.fen if result.fen else words.text("cli.check.unreadable"))
    if result.dialect != "standard":
        lines.append(words.text(f"dialect.{result.dialect}"))
    lines.extend(f"  {_SIGN['note']} {words.cleaned(note)}" for note in answer["cleaned"])
    for problem in answer["problems"]:
        lines.extend(problem_lines(problem, words, colour))
    lines.extend(f"  → {words.fix(fix)}\n      {fix['fen']}" for fix in answer["fixes"])
    lines.append(words.text("cli.check.fine" if result.ok else "cli.check.faults", {"n": _faults(result)}))
    return _showable("\n".join(lines), colour)


def _faults(result: CheckResult) -> int:
    return sum(problem.severity in ("syntax", "illegal") for problem in result.problems)


def problem_lines(problem: dict[str, Any], words: Words, colour: bool) -> list[str]:
    """Return the lines that explain one problem in its JSON form, with its cures."""
    title, body = words.problem(problem)
    severity = problem["severity"]
    head = f"{_SIGN[severity]} {title} ({words.text(f'severity.{severity}')})"
    lines = [f"{_PAINT[severity]}{head}\x1b[0m" if colour else head, f"    {body}"]
    if problem["squares"]:
        lines.append("    " + words.text("cli.check.squares", {"squares": problem["squares"]}))
    lines.extend(f"    → {words.fix(fix)}\n      {fix['fen']}" for fix in problem["fixes"])
    return lines


def _showable(text: str, colour: bool) -> str:
    """Write as codes what a terminal must not obey or cannot show, of the text that was checked.

    Bytes that are no UTF-8 arrive as U+DC80 … U+DCFF (PEP 383) and are shown as the bytes that they are.
    """
    kept = "\n\x1b" if colour else "\n"
    codes = {c: ord(c) - 0xDC00 if "\udc80" <= c <= "\udcff" else ord(c) for c in set(text)}
    return "".join(c if c in kept or c.isprintable() else f"<{codes[c]:02X}>" for c in text)


def _coloured(options: argparse.Namespace) -> bool:
    return not options.no_color and not os.environ.get("NO_COLOR") and sys.stdout.isatty() and os.name != "nt"


def main(argv: Sequence[str]) -> int:
    """Run `check` and return its exit status."""
    options = _arguments(argv)
    for stream in (sys.stdin, sys.stdout):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(
                encoding="utf-8", errors="surrogateescape" if stream is sys.stdin else "replace"
            )
    try:
        return _programs(options) if options.json else _people(options)
    except BrokenPipeError:  # the reader of our output has gone, as `head` does
        sys.stderr.close()
        return 1


def _programs(options: argparse.Namespace) -> int:
    """Answer JSON strings, one a line, with JSON objects, one a line."""
    wrong = False
    lines: Iterator[str] = (
        map(json.dumps, options.fens) if options.fens and options.fens != ["-"] else iter(sys.stdin)
    )
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            text = json.loads(line)
        except ValueError:
            text = None
        if not isinstance(text, str):
            print(Words(options.lang).text("cli.check.not-json", {"line": number}), file=sys.stderr)
            return 2
        result = check(text)
        wrong |= not result.ok
        print(json.dumps(result.to_json()))
    return int(wrong)


def _people(options: argparse.Namespace) -> int:
    """Explain texts to a person."""
    words, colour = Words(options.lang), _coloured(options)
    wrong, number = False, -1
    for number, text in enumerate(_texts(options, sys.stdin)):
        result = check(text)
        wrong |= not result.ok
        print(("\n" if number else "") + explain(result, words, colour=colour, figurines=options.figurines))
    if number < 0:
        print(words.text("cli.check.nothing"), file=sys.stderr)
        return 2
    return int(wrong)
