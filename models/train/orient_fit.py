"""Fit the tables by which the men say which way up a board is: models/orient.npz.

    python models/train/orient_fit.py --out models/orient.npz

Needs python-chess and scikit-learn (training only). Positions are made, not collected: games between two
players who like captures, development and advanced pawns and dislike losing men, at several strengths down
to random legal moves; endgames drawn at random and played on; and problem-like positions whose men stand
anywhere. The fit is a logistic regression without intercept on the antisymmetric features of
`fen_core.orient.men_features`, so that turning a board changes the sign of its log-odds and nothing else.
What always holds: seeded; a quarter of the positions (whole games) is kept from the fit, and the
printed reliability is theirs.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

import chess
import numpy as np
from sklearn.linear_model import LogisticRegression

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from fen_core.orient import men_features
from fen_core.position import CLASSES

VALUE = {
    chess.PAWN: 1.0,
    chess.KNIGHT: 3.0,
    chess.BISHOP: 3.2,
    chess.ROOK: 5.0,
    chess.QUEEN: 9.0,
    chess.KING: 0.0,
}


def _place(kind: int, square: int, white: bool, bare: bool) -> float:
    """Return how well a man stands, in pawns: a few words of every beginner's book."""
    file, rank = chess.square_file(square), chess.square_rank(square)
    rank = rank if white else 7 - rank
    centre = 3.5 - max(abs(file - 3.5), abs(rank - 3.5))
    if kind == chess.PAWN:
        return 0.06 * rank * (2.5 if bare else 1.0) + (0.15 if file in (3, 4) and rank in (3, 4) else 0.0)
    if kind == chess.KING:
        return 0.1 * centre if bare else (0.5 if rank == 0 and file in (1, 2, 6) else -0.25 * rank)
    if kind == chess.ROOK:
        return 0.15 if rank == 6 else 0.03 * centre
    if kind == chess.QUEEN:
        return 0.03 * centre
    return 0.14 * centre - (0.2 if rank == 0 else 0.0)


def _move(board: chess.Board, rng: np.random.Generator, heat: float) -> chess.Move:
    """Choose a move: the greater `heat`, the more at random."""
    moves = list(board.legal_moves)
    if heat > 5 or len(moves) == 1:
        return moves[int(rng.integers(len(moves)))]
    white = board.turn
    bare = chess.popcount(board.occupied) < 14
    scores = np.empty(len(moves))
    for i, move in enumerate(moves):
        kind = board.piece_type_at(move.from_square)
        taken = board.piece_type_at(move.to_square)
        attackers = board.attackers_mask(not white, move.to_square)
        guards = chess.popcount(board.attackers_mask(white, move.to_square)) - (kind != chess.PAWN)
        score = VALUE[taken] if taken else 0.0
        if attackers:
            cheapest = min(VALUE[board.piece_type_at(s)] or 100 for s in chess.scan_forward(attackers))
            if guards <= 0 and cheapest < 100:
                score -= VALUE[kind]
            elif cheapest < VALUE[kind]:
                score -= VALUE[kind] - cheapest
        if board.attackers_mask(not white, move.from_square) and kind != chess.PAWN:
            score += 0.3 * VALUE[kind]
        if move.promotion:
            score += VALUE[move.promotion]
        if board.is_castling(move):
            score += 1.0
        score += _place(kind, move.to_square, white, bare) - _place(kind, move.from_square, white, bare)
        scores[i] = score
    weights = np.exp((scores - scores.max()) / heat)
    return moves[int(rng.choice(len(moves), p=weights / weights.sum()))]


def _play(
    board: chess.Board, rng: np.random.Generator, plies: int, heat: float, every: int
) -> Iterator[chess.Board]:
    wait = int(rng.integers(1, every + 1))
    for _ in range(plies):
        if board.is_game_over(claim_draw=False):
            return
        board.push(_move(board, rng, heat))
        wait -= 1
        if wait == 0:
            wait = int(rng.integers(every // 2 + 1, every * 2))
            yield board


def _scattered(rng: np.random.Generator, problem: bool) -> chess.Board | None:
    """Return men put down at random: an endgame, or the busier board of a problem."""
    board = chess.Board(None)
    free = list(rng.permutation(64))
    board.set_piece_at(int(free.pop()), chess.Piece(chess.KING, chess.WHITE))
    board.set_piece_at(int(free.pop()), chess.Piece(chess.KING, chess.BLACK))
    pieces = int(rng.integers(1, 9)) if problem else int(rng.integers(0, 5))
    for _ in range(pieces):
        kind = int(rng.choice([2, 3, 4, 5], p=[0.28, 0.28, 0.3, 0.14]))
        board.set_piece_at(int(free.pop()), chess.Piece(kind, bool(rng.random() < 0.58)))
    for _ in range(int(rng.integers(0, 9 if problem else 7))):
        white = bool(rng.random() < 0.5)
        spread = [0.2, 0.19, 0.19, 0.17, 0.14, 0.11] if problem else [0.27, 0.22, 0.2, 0.15, 0.1, 0.06]
        rank = int(rng.choice(6, p=spread)) + 1
        square = chess.square(int(rng.integers(8)), rank if white else 7 - rank)
        if board.piece_at(square) is None:
            board.set_piece_at(square, chess.Piece(chess.PAWN, white))
    board.turn = bool(rng.random() < 0.5)
    legal = not (board.status() & ~chess.STATUS_TOO_MANY_CHECKERS) and not board.is_game_over()
    return board if legal else None


def positions(rng: np.random.Generator, kind: str) -> list[chess.Board]:
    """Return the positions of one game, endgame or problem."""
    if kind == "game":
        heat = float(np.exp(rng.uniform(np.log(0.08), np.log(0.8))))
        return [b.copy(stack=False) for b in _play(chess.Board(), rng, int(rng.integers(20, 220)), heat, 16)]
    if kind == "random":
        return [b.copy(stack=False) for b in _play(chess.Board(), rng, int(rng.integers(20, 300)), 9.0, 30)]
    while (board := _scattered(rng, kind == "problem")) is None:
        pass
    if kind == "problem":
        return [board]
    start = board.copy(stack=False)
    return [start] + [b.copy(stack=False) for b in _play(board, rng, int(rng.integers(6, 60)), 0.2, 20)]


def as_probabilities(board: chess.Board, rng: np.random.Generator) -> np.ndarray:
    """Return what a classifier would say of a position in FEN order: mostly right, now and then not."""
    p = np.full((64, 13), 0.0005)
    for index in range(64):
        piece = board.piece_at(index ^ 56)
        p[index, CLASSES.index(piece.symbol()) if piece else 0] = 1.0
    for index in rng.integers(0, 64, rng.poisson(0.3)):
        p[index] = 0.02
        p[index, rng.integers(13)] = 0.8
    return p / p.sum(axis=1, keepdims=True)


def design(board: chess.Board, rng: np.random.Generator) -> np.ndarray:
    """Return the features of a position, once weighted by how full the board is, once by how bare."""
    features = men_features(as_probabilities(board, rng))
    full = min(1.0, float(features["men"]) / 32)
    flat = np.concatenate([features["squares"].ravel(), features["pairs"]])
    return np.concatenate([flat * full, flat * (1 - full)])


def main() -> None:
    """Make positions, fit, report on those kept apart, and write the tables."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--games", type=int, default=2400, help="games; the other kinds in proportion")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    rows: list[np.ndarray] = []
    kinds: list[str] = []
    kept: list[bool] = []
    shares = {"game": 1.0, "random": 0.12, "endgame": 2.0, "problem": 3.0}
    for kind, share in shares.items():
        for number in range(int(arguments.games * share)):
            rng = np.random.default_rng([arguments.seed, list(shares).index(kind), number])
            for board in positions(rng, kind):
                rows.append(design(board, rng))
                kinds.append(kind)
                kept.append(number % 4 == 0)
    x = np.array(rows)
    kind_of, held = np.array(kinds), np.array(kept)
    rng = np.random.default_rng(arguments.seed)
    signs = np.where(rng.random(len(x)) < 0.5, 1.0, -1.0)
    weight = np.array([{"game": 1.0, "random": 0.4, "endgame": 1.0, "problem": 1.0}[k] for k in kinds])
    model = LogisticRegression(C=0.5, fit_intercept=False, max_iter=2000)
    model.fit(x[~held] * signs[~held, None], signs[~held] > 0, sample_weight=weight[~held])
    coefficients = model.coef_[0].astype(np.float16)
    half = len(coefficients) // 2
    np.savez_compressed(
        arguments.out,
        squares_full=coefficients[: half - 2].reshape(6, 32),
        pairs_full=coefficients[half - 2 : half],
        squares_bare=coefficients[half : 2 * half - 2].reshape(6, 32),
        pairs_bare=coefficients[2 * half - 2 :],
    )
    logits = x[held] @ coefficients.astype(np.float64)
    sure = 1 / (1 + np.exp(-np.abs(logits)))
    right = logits > 0
    print("kind      positions  right  mean probability | right where 0.5-0.75  -0.9  -0.97  -0.99  -1")
    for kind in [*shares, "all"]:
        of = np.ones(len(logits), bool) if kind == "all" else kind_of[held] == kind
        bins = []
        for low, high in ((0.5, 0.75), (0.75, 0.9), (0.9, 0.97), (0.97, 0.99), (0.99, 1.01)):
            inside = of & (sure >= low) & (sure < high)
            bins.append(f"{right[inside].mean():.3f} of {inside.sum()}" if inside.any() else "none")
        print(f"{kind:9s} {of.sum():9d} {right[of].mean():.3f} {sure[of].mean():.3f} | {'  '.join(bins)}")


if __name__ == "__main__":
    main()
