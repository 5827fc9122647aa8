"""The command line: `python3 -m fen_core read FILE…`, `check`, `info`.

A thin door: each command has a room of its own (`cli_read`, `cli_check`), and the checker starts without
NumPy. Exit status 2 is misuse everywhere; what 0 and 1 mean stands with each command.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from fen_core import __version__

USAGE = """usage: python3 -m fen_core COMMAND …

  read FILE…     read the chess diagrams in pictures (and PDF files)
  check [FEN]    check FENs: given, or one a line on standard input
  info           versions of what reads and checks

`python3 -m fen_core COMMAND --help` tells more."""


def info() -> int:
    """Print the versions that matter in a report of a fault."""
    from hashlib import sha256

    from fen_core.models import path

    print(f"fen_core {__version__}, Python {sys.version.split()[0]}")
    for module in ("numpy", "PIL"):
        try:
            print(f"{module} {__import__(module).__version__}")
        except ImportError:
            print(f"{module} is not installed: pictures cannot be read, FENs can be checked")
    for name in ("squares.npz", "coordinates.npz"):
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
    if command == "info" and not rest:
        return info()
    if command in {"-h", "--help"}:
        print(USAGE)
        return 0
    if command == "--version":
        print(__version__)
        return 0
    print(USAGE, file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main())
