"""No board where there is none: every kind of negative, and what looks most like a board."""

from __future__ import annotations

import random

import pytest
from draw import NEGATIVES, THEMES, board, draw_negative, framed

from fen_core.boards import find
from fen_core.read import read


@pytest.mark.parametrize("kind", sorted(NEGATIVES))
def test_no_board_in(kind):
    """One of each kind; what comes near must not be sure."""
    picture = draw_negative(kind, random.Random(f"{kind} of boards"), photo=False)
    assert all(found.score < 0.5 for found in find(picture.pixels))


def test_the_beat_of_a_finer_pattern_is_no_board():
    """Two line screens, photographed: averaged, they leave faint X-corners on a slanted lattice."""
    assert find(draw_negative("moire", random.Random("moire 1")).pixels) == []


def alarms(count: int) -> int:
    """Count the random pictures without a board, of so many, in which one is reported after all."""
    kinds = sorted(NEGATIVES)
    total = 0
    for seed in range(count):
        picture = draw_negative(kinds[seed % len(kinds)], random.Random(f"fuzz {seed}"))
        total += bool(read(picture.png).boards)
    return total


@pytest.mark.parametrize("seed", [2, 4, 15])
def test_a_floor_that_goes_on_is_no_board(seed):
    """Photos of a chequered floor, with shadow and glare that seem to end it: found at most."""
    assert not read(draw_negative("tiles", random.Random(f"tiles {seed}")).png).boards


def test_an_empty_board_that_ends_is_one():
    picture = framed(board("8/8/8/8/8/8/8/8", 40, THEMES["brown"]), "line")
    assert len(read(picture.png).boards) == 1


def test_sixty_random_pictures_without_a_board_raise_no_alarm():
    assert alarms(60) <= 1


@pytest.mark.long
def test_a_thousand_random_pictures_without_a_board_raise_at_most_five_alarms():
    assert alarms(1000) <= 5
