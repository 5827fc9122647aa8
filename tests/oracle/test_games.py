"""The checker against python-chess: positions of games; random placements, every difference explained."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from fen_core import check, make_placement

chess = pytest.importorskip("chess")

VALUE = {1: 1, 2: 3, 3: 3, 4: 5, 5: 9, 6: 0}


def sensible_move(board: chess.Board, rng: random.Random) -> chess.Move:
    """Choose a move as a beginner would: take what hangs, save what is attacked, castle."""
    best, score = None, -1000.0
    for move in board.legal_moves:
        mover = board.piece_type_at(move.from_square)
        worth = rng.random() * 1.5 + 1.5 * board.is_castling(move)
        if board.is_capture(move):
            worth += VALUE[board.piece_type_at(move.to_square) or 1]
        if move.promotion:
            worth += VALUE[move.promotion] - 1
        if mover == chess.KING and not board.is_castling(move) and board.occupied.bit_count() > 14:
            worth -= 2
        us = board.turn
        board.push(move)
        attackers = board.attackers(board.turn, move.to_square)
        own = VALUE[board.piece_type_at(move.to_square) or 1]
        if attackers and not board.attackers(us, move.to_square):
            worth -= own
        elif attackers:
            worth -= max(0, own - min(VALUE[board.piece_type_at(square) or 1] for square in attackers))
        board.pop()
        if worth > score:
            best, score = move, worth
    assert best
    return best


def follow_games(seed: int, wanted: int, sensible: float) -> Counter[str]:
    """Check the positions of random games; count the suspicions, assert everything else."""
    rng = random.Random(seed)
    counts: Counter[str] = Counter()
    while counts["positions"] < wanted:
        board = chess.Board()
        while not board.is_game_over() and board.ply() < 250 and counts["positions"] < wanted:
            moves = list(board.legal_moves)
            board.push(sensible_move(board, rng) if rng.random() < sensible else rng.choice(moves))
            fen = board.fen(en_passant=rng.choice(["legal", "fen", "xfen"]))
            result = check(fen)
            counts["positions"] += 1
            assert result.fen == fen
            assert result.ok, (fen, [problem.code for problem in result.problems])
            told = {problem.code for problem in result.problems}
            assert ("checkmate" in told) == board.is_checkmate(), fen
            assert ("stalemate" in told) == board.is_stalemate(), fen
            assert ("insufficient-material" in told) == board.is_insufficient_material(), fen
            recorded = fen.split(" ")[3] != "-"
            assert ("ep-not-capturable" in told) == (recorded and not board.has_legal_en_passant()), fen
            counts["suspected"] += any(problem.severity == "suspect" for problem in result.problems)
    return counts


@pytest.mark.parametrize(("seed", "sensible"), [(1, 0.0), (2, 0.75)])
def test_positions_of_games_are_never_called_impossible(seed: int, sensible: float):
    assert follow_games(seed, 1000, sensible)["suspected"] <= 1


@pytest.mark.long
@pytest.mark.parametrize(("seed", "sensible"), [(11, 0.0), (12, 0.75)])
def test_many_positions_of_games(seed: int, sensible: float):
    counts = follow_games(seed, 60_000, sensible)
    assert counts["suspected"] <= counts["positions"] / 1000


def random_placement(rng: random.Random) -> str:
    board = ["."] * 64
    squares = rng.sample(range(64), 64)
    board[squares.pop()], board[squares.pop()] = "K", "k"
    density = rng.choice((0.3, 0.8))
    for letter in "PPPPPPPPNNBBRRQppppppppnnbbrrq" + rng.choice(("", "Q", "nn", "pP", "K")):
        if rng.random() < density:
            square = squares.pop()
            if letter not in "Pp" or 8 <= square < 56 or rng.random() < 0.02:
                board[square] = letter
    if rng.random() < 0.02:
        board[board.index("k")] = "."
    return f"{make_placement(''.join(board))} {rng.choice('wb')} - - 0 1"


def test_random_placements():
    """Every fault that python-chess knows is told; what is told beyond it is a rule that it does not have."""
    rng = random.Random(5)
    rules = {
        "opponent-in-check": chess.STATUS_OPPOSITE_CHECK,
        "kings-missing": chess.STATUS_NO_WHITE_KING | chess.STATUS_NO_BLACK_KING,
        "kings-many": chess.STATUS_TOO_MANY_KINGS,
        "too-many-pawns": chess.STATUS_TOO_MANY_WHITE_PAWNS | chess.STATUS_TOO_MANY_BLACK_PAWNS,
        "pawn-edge": chess.STATUS_PAWNS_ON_BACKRANK,
        "impossible-check": chess.STATUS_TOO_MANY_CHECKERS | chess.STATUS_IMPOSSIBLE_CHECK,
    }
    # Rules that python-chess does not have, or has in part: it takes back no move, counts no promotions
    # within sixteen men and no captures of pawns, and sees two kings of one colour only beside a third.
    beyond = {"impossible-check", "pawn-structure", "locked-piece", "too-many-pieces", "kings-many"}
    for _ in range(700):
        fen = random_placement(rng)
        status = chess.Board(fen).status()
        told = {problem.code for problem in check(fen).problems if problem.severity == "illegal"}
        for code, flag in rules.items():
            if status & flag:
                # A check on a king is not asked about where the other king could be taken, or where
                # there are more kings than two.
                silenced = code in ("impossible-check", "opponent-in-check") and told & {
                    "opponent-in-check",
                    "kings-many",
                }
                assert code in told or silenced, (fen, code)
            else:
                assert code not in told or code in beyond, (fen, code)
        assert told <= beyond | set(rules), fen
