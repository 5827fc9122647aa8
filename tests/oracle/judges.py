"""Judges that others wrote, side by side: chess.js and chessops through Node, python-chess if it is there.

Each says of a text whether it takes it for a FEN that can be, and if not, why. Nothing that ships imports it.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / ".ci"))

from common import BuildError  # noqa: E402
from packages import node_command, npm_package  # noqa: E402

try:
    import chess
except ImportError:  # `build.py test --all` installs it
    chess = None

SCRIPT = Path(__file__).with_name("judges.mjs")
PACKAGES = ("chess.js", "chessops", "@badrap/result")
Verdict = dict[str, Any]


class Judges:
    """Ask the judges; chess.js and chessops are unpacked beside each other in `folder`.

    Raises
    ------
    BuildError
        Where Node or a package cannot be had.
    """

    def __init__(self, folder: Path) -> None:
        self.node, _ = node_command()
        for name in PACKAGES:
            place = folder / "node_modules" / name
            place.parent.mkdir(parents=True, exist_ok=True)
            place.symlink_to(npm_package(name), target_is_directory=True)
        self.script = folder / SCRIPT.name
        self.script.write_bytes(SCRIPT.read_bytes())

    def _run(self, arguments: Sequence[str], lines: str) -> list[dict[str, Any]]:
        command = [self.node, "--preserve-symlinks", "--preserve-symlinks-main", str(self.script), *arguments]
        done = subprocess.run(command, input=lines, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return [json.loads(line) for line in done.stdout.splitlines() if line]

    def games(self, seed: int, positions: int) -> list[dict[str, Any]]:
        """Return positions of random games, each with what chessops knows of it."""
        return self._run(["games", str(seed), str(positions)], "")

    def judge(self, texts: Sequence[str]) -> list[dict[str, Verdict]]:
        """Return, for each text, the verdict of each judge by its name."""
        verdicts = self._run(["judge"], "".join(json.dumps(text) + "\n" for text in texts))
        assert len(verdicts) == len(texts)
        if chess:
            for text, verdict in zip(texts, verdicts, strict=True):
                verdict["python-chess"] = by_python_chess(text)
        return verdicts


def by_python_chess(text: str) -> Verdict:
    """Return the verdict of python-chess: what its parser or its status says first, else what it keeps."""
    try:
        board = chess.Board(text, chess960=False)
    except ValueError as error:
        return {"error": f"parser: {error}"}
    status = board.status()
    flags = [flag.name for flag in chess.Status if flag and status & flag]
    if flags:
        return {"error": " ".join(sorted(str(flag) for flag in flags))}
    _, _, castling, ep, *_ = board.fen(en_passant="legal").split(" ")
    return {
        "error": None,
        "castling": castling,
        "ep": ep,
        "check": board.is_check(),
        "mate": board.is_checkmate(),
        "stalemate": board.is_stalemate(),
        "insufficient": board.is_insufficient_material(),
        "moves": any(board.legal_moves),
    }


__all__ = ["BuildError", "Judges", "Verdict"]
