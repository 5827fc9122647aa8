"""One fault put into a sound FEN: what a hand, a program or a reader of pictures gets wrong, and its code.

Each function of `FAULTS` takes the six fields of a position that legal moves reach and spoils one thing. It
gives the spoilt text and the code that the checker must tell, or None where the position has no room for it.
"""

from __future__ import annotations

import random
from collections.abc import Callable

from fen_core import make_placement, parse_placement
from fen_core.attacks import attackers
from fen_core.position import place_men

Fields = list[str]
Spoilt = tuple[str, str] | None
FAULTS: dict[str, Callable[[Fields, random.Random], Spoilt]] = {}


def fault(function: Callable[[Fields, random.Random], Spoilt]) -> Callable[[Fields, random.Random], Spoilt]:
    FAULTS[function.__name__] = function
    return function


def joined(fields: Fields, at: int, text: str, code: str) -> Spoilt:
    return " ".join([*fields[:at], text, *fields[at + 1 :]]), code


def on_rank(fields: Fields, rng: random.Random, change: Callable[[str], str | None], code: str) -> Spoilt:
    """Change one rank of the placement."""
    ranks = fields[0].split("/")
    for at in rng.sample(range(len(ranks)), len(ranks)):
        changed = change(ranks[at]) if ranks[at] else None
        if changed is not None and changed != ranks[at]:
            return joined(fields, 0, "/".join([*ranks[:at], changed, *ranks[at + 1 :]]), code)
    return None


def with_board(fields: Fields, board: list[str], code: str, **others: str) -> Spoilt:
    """Write another board; castling rights and en passant square go, so that the fault stays alone."""
    side = others.get("side", fields[1])
    return f"{make_placement(''.join(board))} {side} - - {fields[4]} {fields[5]}", code


def free(board: list[str], rng: random.Random, *, edge: bool = False) -> list[int]:
    """List empty squares in random order, those of the first and last rank alone or left out."""
    squares = [at for at in range(64) if board[at] == "." and (at < 8 or at > 55) == edge]
    return rng.sample(squares, len(squares))


# --- The text


@fault
def field_dropped(fields: Fields, rng: random.Random) -> Spoilt:
    return " ".join(fields[: rng.randint(1, 5)]), "field-count"


@fault
def field_added(fields: Fields, rng: random.Random) -> Spoilt:
    return " ".join([*fields, rng.choice(["0", "1", "-", "w", "e3", "and"])]), "field-count"


@fault
def rank_dropped(fields: Fields, rng: random.Random) -> Spoilt:
    ranks = fields[0].split("/")
    ranks.pop(rng.randrange(len(ranks)))
    return joined(fields, 0, "/".join(ranks), "rank-count")


@fault
def rank_added(fields: Fields, rng: random.Random) -> Spoilt:
    ranks = fields[0].split("/")
    ranks.insert(rng.choice([rng.randrange(9), 8]), rng.choice(["8", ranks[0], "4P3", "NBrq"]))
    return joined(fields, 0, "/".join(ranks), "rank-count")


@fault
def rank_wrong(fields: Fields, rng: random.Random) -> Spoilt:
    def change(rank: str) -> str | None:
        digits = [at for at, letter in enumerate(rank) if letter.isdigit()]
        if not digits:
            return rank + rng.choice("PNbq")
        at = rng.choice(digits)
        wrong = int(rank[at]) + rng.choice((-1, 1))
        return rank[:at] + str(wrong) + rank[at + 1 :] if 1 <= wrong <= 8 else None

    return on_rank(fields, rng, change, "rank-sum")


@fault
def letter_doubled(fields: Fields, rng: random.Random) -> Spoilt:
    return on_rank(fields, rng, lambda rank: rank + rank[-1] if rank[-1].isalpha() else None, "rank-sum")


@fault
def letter_lost(fields: Fields, rng: random.Random) -> Spoilt:
    return on_rank(fields, rng, lambda rank: rank[:-1] if rank[-1].isalpha() else None, "rank-sum")


@fault
def digit_split(fields: Fields, rng: random.Random) -> Spoilt:
    def change(rank: str) -> str | None:
        for digit in "8765432":
            if digit in rank:
                part = rng.randint(1, int(digit) - 1)
                return rank.replace(digit, f"{part}{int(digit) - part}", 1)
        return None

    return on_rank(fields, rng, change, "digit")


@fault
def digit_out_of_range(fields: Fields, rng: random.Random) -> Spoilt:
    return on_rank(
        fields, rng, lambda rank: rng.choice(["9", "0" + rank, rank.replace("3", "30", 1)]), "digit"
    )


@fault
def strange_letter(fields: Fields, rng: random.Random) -> Spoilt:
    def change(rank: str) -> str | None:
        letters = [at for at, letter in enumerate(rank) if letter.isalpha()]
        if not letters:
            return None
        at = rng.choice(letters)
        signs = "*?!" if at else ""  # before the first rank, a sign may belong to the text around the FEN
        return rank[:at] + rng.choice("XZxzaej" + signs) + rank[at + 1 :]

    return on_rank(fields, rng, change, "bad-char")


@fault
def side_misspelt(fields: Fields, rng: random.Random) -> Spoilt:
    return joined(fields, 1, rng.choice(["W", "B", "-", "white", "black", "0", "x", "wb"]), "side")


@fault
def castling_misspelt(fields: Fields, rng: random.Random) -> Spoilt:
    wrong = ["KK", "qkQK", "KQkq-", "none", "0-0", "kqKQ", "X", "--", fields[2][0] * 2, fields[2][-1] * 2]
    return joined(fields, 2, rng.choice(wrong), "castling-syntax")


@fault
def ep_misspelt(fields: Fields, rng: random.Random) -> Spoilt:
    return joined(fields, 3, rng.choice(["e", "E6", "e66", "6e", "i3", "e9", "ep", "--"]), "ep-syntax")


@fault
def halfmove_misspelt(fields: Fields, rng: random.Random) -> Spoilt:
    return joined(fields, 4, rng.choice(["-", "-1", "x", "1.5", "00", "007", "1e2", "12345"]), "halfmove")


@fault
def fullmove_misspelt(fields: Fields, rng: random.Random) -> Spoilt:
    return joined(fields, 5, rng.choice(["0", "-", "-3", "x", "2.0", "01", "1.", "54321"]), "fullmove")


# --- Castling rights and en passant


@fault
def right_too_many(fields: Fields, rng: random.Random) -> Spoilt:
    board = parse_placement(fields[0])
    homes = {"K": (60, 63), "Q": (60, 56), "k": (4, 7), "q": (4, 0)}
    lost = [
        letter
        for letter, (king, rook) in homes.items()
        if board[king] != ("K" if letter.isupper() else "k")
        or board[rook] != ("R" if letter.isupper() else "r")
    ]
    if not lost:
        return None
    # Claims of both sides could be Chess960: only those of one stay.
    wrong = rng.choice(lost)
    kept = [x for x in "KQkq" if x == wrong or (x in fields[2] and x.isupper() == wrong.isupper())]
    return joined(fields, 2, "".join(kept), "castling-impossible")


@fault
def ep_on_a_wrong_rank(fields: Fields, rng: random.Random) -> Spoilt:
    ranks = "1234578" if fields[1] == "w" else "1245678"
    return joined(fields, 3, rng.choice("abcdefgh") + rng.choice(ranks), "ep-rank")


@fault
def ep_without_a_pawn(fields: Fields, rng: random.Random) -> Spoilt:
    board = parse_placement(fields[0])
    row, pawn, rank = (24, "p", "6") if fields[1] == "w" else (32, "P", "3")
    files = [file for file in range(8) if board[row + file] != pawn]
    return joined(fields, 3, "abcdefgh"[rng.choice(files)] + rank, "ep-no-pawn") if files else None


@fault
def ep_over_a_man(fields: Fields, rng: random.Random) -> Spoilt:
    board = parse_placement(fields[0])
    row, step, pawn, rank = (24, -8, "p", "6") if fields[1] == "w" else (32, 8, "P", "3")
    for file in range(8):
        at = row + file
        if board[at] == pawn and (board[at + step] != "." or board[at + 2 * step] != "."):
            return joined(fields, 3, "abcdefgh"[file] + rank, "ep-blocked")
    return None


@fault
def ep_with_a_running_clock(fields: Fields, rng: random.Random) -> Spoilt:
    if fields[3] == "-":
        return None
    return joined(fields, 4, str(rng.randint(1, 9)), "halfmove")


# --- The position


@fault
def king_lost(fields: Fields, rng: random.Random) -> Spoilt:
    board = list(parse_placement(fields[0]))
    board[board.index(rng.choice("Kk"))] = "."
    return with_board(fields, board, "kings-missing")


@fault
def king_added(fields: Fields, rng: random.Random) -> Spoilt:
    board = list(parse_placement(fields[0]))
    board[free(board, rng)[0]] = rng.choice("Kk")
    return with_board(fields, board, "kings-many")


@fault
def kings_that_touch(fields: Fields, rng: random.Random) -> Spoilt:
    board = list(parse_placement(fields[0]))
    at = board.index("k")
    board[board.index("K")] = "."
    beside = [square for square in free(board, rng) if abs(square % 8 - at % 8) <= 1]
    beside = [square for square in beside if abs(square // 8 - at // 8) <= 1]
    if not beside:
        return None
    board[beside[0]] = "K"
    return with_board(fields, board, "opponent-in-check")


@fault
def other_side_in_check(fields: Fields, rng: random.Random) -> Spoilt:
    """Put a queen of the side to move where she sees the other king."""
    board = list(parse_placement(fields[0]))
    queen, king = ("Q", "k") if fields[1] == "w" else ("q", "K")
    for at in free(board, rng):
        after = [*board[:at], queen, *board[at + 1 :]]
        men = place_men("".join(after))
        target = men.pieces[king].bit_length() - 1
        if attackers(men.pieces, target, white=queen == "Q", occupied=men.occupied):
            return with_board(fields, after, "opponent-in-check")
    return None


@fault
def side_exchanged_in_check(fields: Fields, rng: random.Random) -> Spoilt:
    men = place_men(parse_placement(fields[0]))
    white = fields[1] == "w"
    king = men.pieces["K" if white else "k"].bit_length() - 1
    if not attackers(men.pieces, king, white=not white, occupied=men.occupied):
        return None
    return f"{fields[0]} {'b' if white else 'w'} {fields[2]} - {fields[4]} {fields[5]}", "opponent-in-check"


@fault
def pawn_on_the_edge(fields: Fields, rng: random.Random) -> Spoilt:
    board = list(parse_placement(fields[0]))
    pawn = rng.choice("Pp")
    squares = free(board, rng, edge=True)
    if not squares:
        return None
    board[squares[0]] = pawn
    return with_board(fields, board, "pawn-edge")


@fault
def ninth_pawn(fields: Fields, rng: random.Random) -> Spoilt:
    board = list(parse_placement(fields[0]))
    pawn = rng.choice("Pp")
    squares = free(board, rng)
    while board.count(pawn) < 9:
        board[squares.pop()] = pawn
    return with_board(fields, board, "too-many-pawns")


@fault
def queens_beyond_the_pawns(fields: Fields, rng: random.Random) -> Spoilt:
    """More queens than missing pawns could have become, within sixteen men or not."""
    board = list(parse_placement(fields[0]))
    queen, pawn = rng.choice((("Q", "P"), ("q", "p")))
    squares = free(board, rng)
    while squares and board.count(queen) - 1 <= 8 - board.count(pawn):
        board[squares.pop()] = queen
    return with_board(fields, board, "too-many-pieces")


@fault
def three_checkers(fields: Fields, rng: random.Random) -> Spoilt:
    """Three knights around the king to move: no move gives a check with more than two men."""
    board = ["."] * 64
    king, other, knight = ("K", "k", "n") if fields[1] == "w" else ("k", "K", "N")
    at = rng.randrange(64)
    jumps = [
        square
        for square in range(64)
        if sorted((abs(square % 8 - at % 8), abs(square // 8 - at // 8))) == [1, 2]
    ]
    if len(jumps) < 3:
        return None
    board[at] = king
    for square in rng.sample(jumps, 3):
        board[square] = knight
    far = [
        square for square in free(board, rng) if max(abs(square % 8 - at % 8), abs(square // 8 - at // 8)) > 1
    ]
    board[far[0]] = other
    return with_board(fields, board, "impossible-check")


@fault
def pawn_at_home_gives_check(fields: Fields, rng: random.Random) -> Spoilt:
    """A pawn that has never moved cannot just have given check."""
    board = list(parse_placement(fields[0]))
    king, pawn, row = ("K", "p", 16) if fields[1] == "w" else ("k", "P", 40)
    at = row + rng.randrange(8)
    home = at + (-8 if row == 16 else 8) + (1 if at % 8 == 0 else -1)
    if board[at] not in ".PNBRQpnbrq" or board[home] in "Kk":
        return None
    other = "k" if king == "K" else "K"
    away = board.index(other)
    if max(abs(away % 8 - at % 8), abs(away // 8 - at // 8)) < 2:
        return None
    board[board.index(king)] = "."
    board[at], board[home] = king, pawn
    men = place_men("".join(board))
    square, rival = at ^ 56, men.pieces[other].bit_length() - 1
    white = king == "K"
    checkers = attackers(men.pieces, square, white=not white, occupied=men.occupied)
    if checkers != 1 << (home ^ 56) or attackers(men.pieces, rival, white=white, occupied=men.occupied):
        return None
    return with_board(fields, board, "impossible-check")


def spoil(fen: str, name: str, rng: random.Random) -> Spoilt:
    """Put the fault of that name into a FEN; None where it has no room for it."""
    return FAULTS[name](fen.split(" "), rng)


def questions(rng: random.Random) -> str:
    """Write a position that asks of castling, en passant and checks: home squares, double steps, few men."""
    board = ["."] * 64
    for letter, home in (("K", 60), ("k", 4)):
        empty = [at for at in range(64) if board[at] == "."]
        board[home if home in empty and rng.random() < 0.7 else rng.choice(empty)] = letter
    for letter, home in (("R", 56), ("R", 63), ("r", 0), ("r", 7)):
        if board[home] == "." and rng.random() < 0.5:
            board[home] = letter
    for row, pawns in ((24, "Pp"), (32, "Pp")):
        for file in range(8):
            if board[row + file] == "." and rng.random() < 0.3:
                board[row + file] = rng.choice(pawns)
    for letter in "QRBNqrbn":
        at = rng.randrange(64)
        if board[at] == "." and rng.random() < 0.4:
            board[at] = letter
    side = rng.choice("wb")
    castling = "".join(letter for letter in "KQkq" if rng.random() < 0.4) or "-"
    ep = rng.choice("abcdefgh") + ("6" if side == "w" else "3") if rng.random() < 0.6 else "-"
    return f"{make_placement(''.join(board))} {side} {castling} {ep} 0 30"
