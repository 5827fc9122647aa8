"""The taking back of the last move, against brute force over python-chess: every origin, with and without a
captured man (whose kind does not matter: it never attacks its own king)."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from fen_core.attacks import attackers
from fen_core.fen import make_placement
from fen_core.position import place_men
from fen_core.retro import check_is_possible, check_stood_before

chess = pytest.importorskip("chess")

POSITIONS = 60


def random_board(rng: random.Random) -> str:
    """Place two kings, few defenders, and attackers of White's near the black king."""
    board = ["."] * 64
    king = rng.randrange(64)
    board[king] = "k"
    free = [square for square in range(64) if square != king]
    rng.shuffle(free)
    board[free.pop()] = "K"
    for letters, count in (("NBRQPNBRQPRB", rng.randint(1, 5)), ("nbrqpp", rng.randint(0, 4))):
        for _ in range(count):
            letter = rng.choice(letters)
            square = free.pop()
            if letter in "Pp" and not 8 <= square < 56:
                continue
            board[square] = letter
    return "".join(board)


def previous_positions(after: chess.Board) -> Iterator[tuple[chess.Board, chess.Move]]:
    """Give every position and move of White's that could have led here, castling and legality unchecked."""
    white = chess.WHITE
    for to in chess.SquareSet(after.occupied_co[white]):
        piece = after.piece_at(to)
        assert piece
        for origin in chess.SquareSet(~after.occupied & chess.BB_ALL):
            for before in {piece.piece_type, chess.PAWN}:
                promotion = piece.piece_type if before != piece.piece_type else None
                for captured in (None, chess.KNIGHT):
                    board = after.copy(stack=False)
                    board.turn = white
                    board.ep_square = None
                    board.remove_piece_at(to)
                    if captured:
                        board.set_piece_at(to, chess.Piece(captured, not white))
                    board.set_piece_at(origin, chess.Piece(before, white))
                    yield board, chess.Move(origin, to, promotion)
                if before == chess.PAWN and not promotion and chess.square_rank(to) == 5:
                    board = after.copy(stack=False)
                    board.turn = white
                    board.remove_piece_at(to)
                    board.set_piece_at(origin, piece)
                    victim = to - 8
                    if after.piece_at(victim) is None and after.piece_at(to + 8) is None and victim != origin:
                        board.set_piece_at(victim, chess.Piece(chess.PAWN, not white))
                        board.ep_square = to
                        yield board, chess.Move(origin, to)


def some_last_move(after: chess.Board) -> bool:
    for board, move in previous_positions(after):
        if (
            chess.square_rank(move.from_square) in (0, 7)
            and board.piece_type_at(move.from_square) == chess.PAWN
        ):
            continue
        if not board.is_pseudo_legal(move) or board.was_into_check():
            continue
        board.push(move)
        if board.board_fen() == after.board_fen() and not board.was_into_check():
            return True
    return False


def castled(after: chess.Board) -> bool:
    """Tell whether White can just have castled here, from the squares of the standard game."""
    for king_to, rook_to, rook_from in ((6, 5, 7), (2, 3, 0)):
        if after.piece_at(king_to) != chess.Piece(chess.KING, True):
            continue
        if (
            after.piece_at(rook_to) != chess.Piece(chess.ROOK, True)
            or after.piece_at(4)
            or after.piece_at(rook_from)
        ):
            continue
        board = after.copy(stack=False)
        board.turn = chess.WHITE
        board.remove_piece_at(king_to)
        board.remove_piece_at(rook_to)
        board.set_piece_at(4, chess.Piece(chess.KING, True))
        board.set_piece_at(rook_from, chess.Piece(chess.ROOK, True))
        board.castling_rights = chess.BB_SQUARES[rook_from]
        if not board.was_into_check() and chess.Move(4, king_to) in board.legal_moves:
            return True
    return False


def disagreements(seed: int, wanted: int) -> list[str]:
    rng = random.Random(seed)
    found = []
    compared = 0
    while compared < wanted:
        text = random_board(rng)
        men = place_men(text)
        king = men.pieces["k"].bit_length() - 1
        if not attackers(men.pieces, king, white=True, occupied=men.occupied):
            continue
        own = men.pieces["K"].bit_length() - 1
        if attackers(men.pieces, own, white=False, occupied=men.occupied):
            continue
        compared += 1
        after = chess.Board(f"{make_placement(text)} b - - 0 1")
        if check_is_possible(men, False) != (some_last_move(after) or castled(after)):
            found.append(after.fen())
    return found


def test_agrees_with_brute_force():
    assert disagreements(7, POSITIONS) == []


@pytest.mark.long
def test_agrees_with_brute_force_on_many():
    assert disagreements(8, 10_000) == []


@pytest.mark.parametrize(
    ("fen", "stood"),
    [
        ("8/7k/8/8/4Pp2/3B4/8/4K3 b - e3 0 1", True),
        ("8/8/8/7k/4Pp2/8/8/3QK3 b - e3 0 1", False),
        ("7k/8/8/r2p3K/8/8/8/8 w - d6 0 1", True),
    ],
)
def test_double_step_taken_back(fen: str, stood: bool):
    board = chess.Board(fen)
    text = "".join(piece.symbol() if (piece := board.piece_at(index ^ 56)) else "." for index in range(64))
    target = chess.parse_square(fen.split()[3])
    assert check_stood_before(place_men(text), board.turn, target) is stood
