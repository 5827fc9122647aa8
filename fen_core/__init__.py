"""Image to FEN: read chess diagrams in pictures, and check, repair and explain FENs.

The names exported here are the checker, which needs the standard library alone; reading pictures needs
NumPy and Pillow and starts at `fen_core.read`.

>>> from fen_core import check
>>> check("4k3/8/8/8/8/8/8/4K2R w KQ - 0 1").problems[0].code
'castling-impossible'
"""

from fen_core.check import CheckResult, check, check_board
from fen_core.errors import FenCoreError, ImageError, ModelError, UsageError
from fen_core.fen import START_FEN, Fen, format_fen, make_placement, parse_fen, parse_placement
from fen_core.position import exchange_colours, mirror, reverse_ranks, turn
from fen_core.problem import Fix, Problem

__version__ = "0.1.0"

__all__ = [
    "START_FEN",
    "CheckResult",
    "Fen",
    "FenCoreError",
    "Fix",
    "ImageError",
    "ModelError",
    "Problem",
    "UsageError",
    "__version__",
    "check",
    "check_board",
    "exchange_colours",
    "format_fen",
    "make_placement",
    "mirror",
    "parse_fen",
    "parse_placement",
    "reverse_ranks",
    "turn",
]
