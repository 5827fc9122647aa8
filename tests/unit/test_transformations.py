"""The four ways to mend a board that was read the wrong way: the checker's cures against the shared table.

tests/js/state.test.mjs holds the page to the same table.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from fen_core.fen import parse_placement
from fen_core.legality import Position
from fen_core.position import exchange_colours, mirror, place_men, reverse_ranks, turn
from fen_core.suspect import _edit

TABLE = json.loads((Path(__file__).parents[1] / "transformations.json").read_text("utf-8"))
WAYS = {
    "turn": ("turn", turn),
    "mirror": ("mirror", mirror),
    "ranks": ("reverse-ranks", reverse_ranks),
    "colours": ("exchange-colours", exchange_colours),
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("row", TABLE, ids=[row["what"] for row in TABLE])
def test_a_cure_does_to_each_field_what_the_table_says(row: dict[str, str], way: str) -> None:
    fields = row["fen"].split()
    board = parse_placement(fields[0])
    position = Position.of(
        board, place_men(board), fields[1], fields[2], fields[3], (int(fields[4]), int(fields[5]))
    )
    code, transformed = WAYS[way]
    _, changed, params = _edit(code, transformed(board), position, tuple(fields))
    mended = [changed.get(i, field) for i, field in enumerate(fields)]
    assert " ".join(mended) == row[way]
    names = {2: "castling_rights", 3: "ep_square"}
    assert params["dropped"] == [name for i, name in names.items() if mended[i] != fields[i]]
