"""What holds of every FEN: reading undoes writing, and the four transformations undo themselves."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from fen_core import (
    Fen,
    check,
    exchange_colours,
    format_fen,
    make_placement,
    mirror,
    parse_fen,
    parse_placement,
    reverse_ranks,
    turn,
)
from fen_core.position import CLASSES, place_men, square_list

boards = st.text(alphabet=CLASSES, min_size=64, max_size=64)
fens = st.builds(
    Fen,
    boards,
    st.sampled_from("wb"),
    st.sampled_from(["-", "KQkq", "K", "Qk", "HAha", "Gb", "KQfa"]),
    st.sampled_from(["-", "a3", "e6", "h3"]),
    st.integers(0, 9999),
    st.integers(1, 9999),
)


@given(fens)
def test_reading_undoes_writing(fen: Fen):
    text = format_fen(fen)
    assert parse_fen(text) == fen
    assert format_fen(parse_fen(text)) == text


@given(fens)
def test_the_checker_says_a_canonical_fen_as_it_is(fen: Fen):
    text = format_fen(fen)
    result = check(text)
    assert result.fen == text
    assert result.cleaned == ()
    assert result.placement == text.split(" ")[0]
    assert all(problem.severity != "syntax" for problem in result.problems)


@given(boards)
def test_transformations_undo_themselves(board: str):
    for transform in (mirror, turn, reverse_ranks, exchange_colours):
        assert transform(transform(board)) == board
    assert turn(board) == mirror(reverse_ranks(board)) == reverse_ranks(mirror(board))
    assert parse_placement(make_placement(board)) == board


@given(boards)
def test_bit_sets_hold_every_man(board: str):
    men = place_men(board)
    assert sum(bits.bit_count() for bits in men.pieces.values()) == 64 - board.count(".")
    assert men.white & men.black == 0
    assert len(square_list(men.occupied)) == men.occupied.bit_count()
