"""A board drawn with characters, for terminals and plain text.

Used by the commands.  Pieces are FEN letters, or figurines where asked; squares can be marked, in
colour where the terminal has colours and with brackets everywhere.
"""

from __future__ import annotations

from collections.abc import Collection

from fen_core.characters import FIGURINES
from fen_core.position import SQUARE_NAMES

__all__ = ["draw_board"]

_FIGURINE_OF = {letter: figurine for figurine, letter in FIGURINES.items()}
_RESET = "\x1b[0m"
_LIGHT, _DARK, _MARKED = "\x1b[30;47m", "\x1b[30;46m", "\x1b[97;41m"


def draw_board(
    board: str, *, marked: Collection[str] = (), colour: bool = False, figurines: bool = False
) -> str:
    """Draw a board of 64 letters, White at the bottom, with its coordinates.

    Parameters
    ----------
    board : str
        64 letters in FEN order.
    marked : collection of str
        Names of squares to mark.
    colour : bool
        Whether escape sequences for colours may be used.
    figurines : bool
        Whether pieces are drawn as ♔ instead of K.

    Returns
    -------
    str
        Nine lines.
    """
    lines = []
    for rank in range(8):
        shown = []
        for file in range(8):
            index = 8 * rank + file
            letter = board[index]
            drawn = _FIGURINE_OF.get(letter, letter) if figurines else letter
            hit = SQUARE_NAMES[index] in marked
            left, right = ("[", "]") if hit else (" ", " ")
            if colour:
                paint = _MARKED if hit else _DARK if (rank + file) % 2 else _LIGHT
                shown.append(f"{paint}{left}{drawn.replace('.', ' ')}{right}{_RESET}")
            else:
                shown.append(f"{left}{drawn}{right}")
        lines.append(f"{8 - rank} " + "".join(shown).rstrip())
    lines.append("   " + "  ".join("abcdefgh"))
    return "\n".join(lines)
