"""The command line: `python3 -m fen_core read FILE…`, `check`, `teach`, `info`.

A thin door: each command has a room of its own (`cli_read`, `cli_check`, `cli_teach`), and the checker starts
without NumPy. Exit status 2 is misuse everywhere; what 0 and 1 mean stands with each command.
"""

from __future__ import annotations

import shlex
import sys
from collections.abc import Sequence
from difflib import get_close_matches
from os.path import isfile

from fen_core import __version__

USAGE = """usage: python3 -m fen_core COMMAND …

  read FILE…     read the chess diagrams in pictures (and PDF files)
  check [FEN]    check FENs: given, or one a line on standard input
  teach FILE…    learn a print from diagrams and their FENs; `read --profile` then reads it better
  info           versions of what reads and checks, for a report of a fault

`python3 -m fen_core read --help` and `… check --help` tell more; `--version` tells the version."""
COMMANDS = ("read", "check", "teach", "info")
HELP = {"-h", "--help", "help"}


def info() -> int:
    """Print the versions that matter in a report of a fault."""
    from hashlib import sha256

    from fen_core.models import NETWORKS, path

    print(f"fen_core {__version__}, Python {sys.version.split()[0]}")
    for name, module in (("NumPy", "numpy"), ("Pillow", "PIL")):
        try:
            print(f"{name} {__import__(module).__version__}")
        except ImportError:
            print(f"{name} is not installed: pictures cannot be read, FENs can be checked")
    for name in NETWORKS:
        file = path(name)
        print(f"{name} {sha256(file.read_bytes()).hexdigest()[:12] if file.is_file() else 'missing'}")
    return 0


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    command, rest = (arguments[0], arguments[1:]) if arguments else ("", [])
    if command == "read":
        from fen_core import cli_read

        return cli_read.main(rest)
    if command == "check":
        from fen_core import cli_check

        return cli_check.main(rest)
    if command == "teach":
        from fen_core import cli_teach

        return cli_teach.main(rest)
    if command in HELP or (command == "info" and HELP & set(rest)):
        print(USAGE)
        return 0
    if command in {"-V", "--version"}:
        print(f"fen_core {__version__}")
        return 0
    if command == "info" and not rest:
        return info()
    print(misuse(command, rest), file=sys.stderr)
    return 2


def misuse(command: str, rest: Sequence[str]) -> str:
    """Say what is not understood, and what may have been meant."""
    if not command:
        return USAGE
    if command == "info":
        return f"“info” takes nothing more: {' '.join(rest)}"
    meant = get_close_matches(command.lower(), COMMANDS, n=1, cutoff=0.6)
    if isfile(command):  # which takes any text, however long
        hint = f"To read a picture: python3 -m fen_core read {shlex.quote(command)}"
    elif command.count("/") > 3:
        text = shlex.quote(" ".join([command, *rest]))
        hint = f"To check a FEN: python3 -m fen_core check {text}"
    elif meant:
        hint = f"Did you mean: python3 -m fen_core {shlex.join([meant[0], *rest])}"
    else:
        hint = USAGE
    return f"“{command}” is no command. {hint}" if hint != USAGE else f"“{command}” is no command.\n\n{USAGE}"


if __name__ == "__main__":
    sys.exit(main())
