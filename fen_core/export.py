"""A position in other forms: EPD, PGN, a row of a table, links, and words for those who cannot see it.

Above the FEN text and the language files; used by the commands.  Nothing here opens a link or sends
anything: a link is text until a person follows it.

Source: PGN standard 8.1.1 (seven tag roster), 9.7 (SetUp and FEN tags), 16.2 (EPD).
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from urllib.parse import quote

from fen_core.fen import Fen, format_fen, parse_fen
from fen_core.position import SQUARE_NAMES
from fen_core.words import Words

__all__ = ["alternative_text", "chesscom_link", "csv_row", "epd", "lichess_link", "pgn", "uci_position"]

_ORDER = "KQRBNP"


def epd(fen: str, **operations: str | int) -> str:
    """Write a FEN as one line of EPD: four fields, then operations; the counters as hmvc and fmvn.

    Parameters
    ----------
    fen : str
        A well-formed FEN.
    **operations : str or int
        Further operations, as `id="page 12"`; text is quoted.

    >>> epd("8/8/8/4k3/8/8/4P3/4K3 w - - 3 40", id="study 1")
    '8/8/8/4k3/8/8/4P3/4K3 w - - hmvc 3; fmvn 40; id "study 1";'
    """
    fields = format_fen(parse_fen(fen)).split(" ")
    parts = [f"hmvc {fields[4]};", f"fmvn {fields[5]};"]
    for code, value in operations.items():
        shown = str(value) if isinstance(value, int) else f'"{_unquoted(value)}"'
        parts.append(f"{code} {shown};")
    return " ".join([*fields[:4], *parts])


def pgn(fen: str, **tags: str) -> str:
    """Write a FEN as a game without moves, which any chess program opens.

    Parameters
    ----------
    fen : str
        A well-formed FEN.
    **tags : str
        Values for tags, as `Event="Page 12"`; those of the roster that are not given are unknown.

    >>> print(pgn("8/8/8/4k3/8/8/4P3/4K3 w - - 0 1").splitlines()[-4])
    [SetUp "1"]
    """
    text = format_fen(parse_fen(fen))
    roster = {
        "Event": "?",
        "Site": "?",
        "Date": "????.??.??",
        "Round": "?",
        "White": "?",
        "Black": "?",
        "Result": "*",
    }
    values = {**roster, **tags, "SetUp": "1", "FEN": text}
    lines = [f'[{name} "{_one_line(value)}"]' for name, value in values.items()]
    return "\n".join([*lines, "", values["Result"], ""])


def _unquoted(value: str) -> str:
    """Make a text fit into a quoted value of EPD, which has no way to write a quote."""
    return " ".join(value.split())[:200].replace("\\", "").replace('"', "")


def _one_line(value: str) -> str:
    """Make a text fit into a quoted value: one line, quotes and backslashes escaped as PGN does."""
    return " ".join(value.split())[:200].replace("\\", "\\\\").replace('"', '\\"')


def csv_row(values: Iterable[object]) -> str:
    """Write values as one row of a table, without a line end.

    A text that a spreadsheet would take for a formula is kept from it by an apostrophe.

    >>> csv_row(["a,b", 2])
    '"a,b",2'
    """
    safe = (
        f"'{value}"
        if isinstance(value, str) and value[:1] in ("=", "+", "-", "@", "\t", "\r") and len(value) > 1
        else value
        for value in values
    )
    out = io.StringIO()
    end = "\r\n"  # what the writer puts between quotes because of it
    csv.writer(out, lineterminator=end).writerow(safe)
    return out.getvalue().removesuffix(end)


def lichess_link(fen: str, *, analysis: bool = True, bottom: str = "white") -> str:
    """Return the address that shows a FEN on lichess.org, in the analysis board or in the editor.

    The analysis board refuses impossible positions; the editor shows any.

    >>> lichess_link("8/8/8/4k3/8/8/4P3/4K3 w - - 0 1")
    'https://lichess.org/analysis/standard/8/8/8/4k3/8/8/4P3/4K3_w_-_-_0_1?color=white'
    """
    room = "analysis/standard" if analysis else "editor"
    return f"https://lichess.org/{room}/{quote(fen, safe='/ ').replace(' ', '_')}?color={bottom}"


def chesscom_link(fen: str) -> str:
    """Return the address that shows a FEN on the analysis board of chess.com.

    >>> chesscom_link("8/8/8/4k3/8/8/4P3/4K3 w - - 0 1")[:48]
    'https://www.chess.com/analysis?fen=8%2F8%2F8%2F4'
    """
    return f"https://www.chess.com/analysis?fen={quote(fen, safe='')}"


def uci_position(fen: str) -> str:
    """Return the command that sets a FEN up in a chess engine."""
    return f"position fen {fen}"


def alternative_text(fen: Fen | str, words: Words) -> str:
    """Describe a position in words: the men of each side with their squares, and the side to move.

    Parameters
    ----------
    fen : Fen or str
        A well-formed FEN, or its values.
    words : Words
        The language.

    Returns
    -------
    str
        For instance "White: king e1, pawn e2. Black: king e5. To move: White."
    """
    values = parse_fen(fen) if isinstance(fen, str) else fen
    parts = []
    for side in ("white", "black"):
        men = []
        for letter in _ORDER:
            own = letter if side == "white" else letter.lower()
            for rank in range(7, -1, -1) if side == "white" else range(8):
                for index in range(8 * rank, 8 * rank + 8):
                    if values.board[index] == own:
                        named = {"piece": words.kind(own), "square": SQUARE_NAMES[index]}
                        men.append(words.text("square.piece", named))
        shown = ", ".join(men) or words.text("square.none")
        parts.append(words.text("square.side", {"side": side, "pieces": shown}))
    parts.append(words.text("square.to-move", {"side": values.side_to_move}))
    return ". ".join(parts) + "."
