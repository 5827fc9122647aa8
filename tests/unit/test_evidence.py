"""What the picture tells beyond the placement: markers, last moves, check; and silence otherwise."""

from __future__ import annotations

from typing import Any

import drawn_boards as draw
import numpy as np
import pytest

from fen_core import evidence
from fen_core.orient import Orientation
from fen_core.position import SQUARE_NAMES, square_index

SHAPES = [(shape, fill) for shape in ("square", "circle", "triangle") for fill in ("open", "filled")] + [
    ("arrow", "filled")
]
KINDS = ("screen", "texture", "print")


def board_of(placement: str) -> str:
    return "".join("." * int(c) if c.isdigit() else c for c in placement.replace("/", ""))


def upright(white_below: bool = True) -> Orientation:
    return Orientation("white" if white_below else "black", 0.999)


def told(drawing: draw.Drawing, board: str, pixels: Any) -> dict[str, dict[str, Any]]:
    return evidence.fields(pixels, drawing.corners, upright(drawing.white_below), board)


# ---- drawn pictures, by kind --------------------------------------------------------------------------


def marker_picture(seed: int, shape: str, fill: str) -> tuple[str, dict[str, Any]]:
    """Return the side that a drawn marker means, and what was told."""
    rng = np.random.default_rng([seed, 11])
    board = draw.random_board(rng)
    white_below = bool(rng.random() < 0.7)
    drawing = draw.draw_board(rng, board, white_below, str(rng.choice(KINDS)))
    draw.put_men(rng, drawing, board)
    if rng.random() < 0.4:
        draw.put_coordinates(rng, drawing, "inside")
    if shape == "arrow":
        end = str(rng.choice(["top", "bottom"]))
        meant = "w" if (end == "bottom") == white_below else "b"
    else:
        meant = "w" if fill == "open" else "b"
        end = "bottom" if (meant == "w") == white_below else "top"
    draw.put_marker(rng, drawing, shape, fill, str(rng.choice(["left", "right"], p=[0.2, 0.8])), end)
    return meant, told(drawing, board, draw.photograph(rng, drawing))["side_to_move"]


def last_move_picture(seed: int, theme_mark: int | None = None) -> tuple[str, str, dict[str, dict[str, Any]]]:
    """Return the side to move and the en passant square that a marked move means, and what was told."""
    rng = np.random.default_rng([seed, 12])
    while True:
        board = list(draw.random_board(rng))
        men = [i for i, man in enumerate(board) if man != "."]
        end = int(rng.choice(men))
        starts = [i for i in range(64) if board[i] == "." and evidence._could_move("".join(board), i, end)]
        if rng.random() < 0.15:  # more double steps than chance gives
            file = int(rng.integers(8))
            man, home, step = ("P", 48, -8) if rng.random() < 0.5 else ("p", 8, 8)
            way = [home + file + step * i for i in range(3)]
            if all(board[square] == "." for square in way):
                end, starts = way[2], [way[0]]
                board[end] = man
        if starts and not draw.checked("".join(board)):
            break
    start = int(rng.choice(starts))
    text = "".join(board)
    white_below = bool(rng.random() < 0.6)
    drawing = draw.draw_board(rng, text, white_below, str(rng.choice(["screen", "screen", "texture"])))
    colour, opacity = draw.MARKS[rng.integers(len(draw.MARKS)) if theme_mark is None else theme_mark]
    for square in (start, end):
        draw.mark(drawing, square, colour, opacity)
    draw.put_men(rng, drawing, text)
    if rng.random() < 0.5:
        draw.put_coordinates(rng, drawing, str(rng.choice(["inside", "outside"])))
    if rng.random() < 0.2:
        draw.arrow_over(rng, drawing)
    double = text[end] in "Pp" and abs(start - end) == 16
    passant = SQUARE_NAMES[(start + end) // 2] if double else "-"
    answer = told(drawing, text, draw.photograph(rng, drawing))
    return ("b" if text[end].isupper() else "w"), passant, answer


def plain_picture(seed: int) -> tuple[dict[str, dict[str, Any]], str]:
    """Return what is told of a board without any evidence, and a description."""
    rng = np.random.default_rng([seed, 13])
    board = draw.random_board(rng)
    kind = str(rng.choice(KINDS))
    drawing = draw.draw_board(rng, board, bool(rng.random() < 0.7), kind)
    draw.put_men(rng, drawing, board)
    where = str(rng.choice(["none", "inside", "outside"]))
    if where != "none":
        draw.put_coordinates(rng, drawing, where)
    if kind != "print" and rng.random() < 0.25:
        draw.arrow_over(rng, drawing)
    if kind != "print" and rng.random() < 0.15:
        draw.glow(drawing, board.index("K" if rng.random() < 0.5 else "k"))
    return told(drawing, board, draw.photograph(rng, drawing, rough=True)), f"{seed} {kind} {where}"


def check_markers(seeds: range) -> None:
    wrong, silent, total = [], 0, 0
    for seed in seeds:
        for shape, fill in SHAPES:
            meant, answer = marker_picture(seed * 7 + len(shape), shape, fill)
            total += 1
            if answer["provenance"] == "assumed":
                silent += 1
            elif answer["value"] != meant:
                wrong.append((seed, shape, fill))
    assert total - silent - len(wrong) >= 0.95 * total, (wrong, silent, total)
    assert len(wrong) <= 0.01 * total, wrong


def check_last_moves(seeds: range) -> None:
    right, wrong = 0, []
    for seed in seeds:
        side, passant, answer = last_move_picture(seed)
        moved = answer["side_to_move"]
        if moved["provenance"] == "assumed":
            continue
        if moved["value"] == side and answer["ep_square"]["value"] == passant:
            right += 1
        else:
            wrong.append(seed)
    assert right >= 0.95 * len(seeds), (right, len(seeds), wrong)
    assert len(wrong) <= 0.01 * len(seeds), wrong


def check_silence(seeds: range, most: int) -> None:
    claims = []
    for seed in seeds:
        answer, what = plain_picture(seed)
        if any(field["provenance"] != "assumed" for field in answer.values()):
            claims.append((what, answer["side_to_move"]["evidence"]))
    assert len(claims) <= most, claims


def test_markers_of_every_kind_are_understood() -> None:
    check_markers(range(8))


def test_last_moves_are_understood() -> None:
    check_last_moves(range(60))


def test_boards_without_evidence_give_no_claim() -> None:
    check_silence(range(60), 0)


@pytest.mark.long
def test_many_markers_are_understood() -> None:
    check_markers(range(100, 160))


@pytest.mark.long
def test_many_last_moves_are_understood() -> None:
    check_last_moves(range(1000, 1400))


@pytest.mark.long
def test_a_thousand_boards_without_evidence_give_at_most_five_claims() -> None:
    check_silence(range(5000, 6000), 5)


# ---- single laws --------------------------------------------------------------------------------------


def blank(board: str, white_below: bool = True) -> dict[str, dict[str, Any]]:
    return evidence.fields(
        np.full((160, 160, 3), 200, np.uint8),
        [[0, 0], [160, 0], [160, 160], [0, 160]],
        upright(white_below),
        board,
    )


def marked(
    board: str, squares: str, seed: int = 1, *, kings: str = "", white_below: bool = True
) -> dict[str, dict[str, Any]]:
    rng = np.random.default_rng(seed)
    drawing = draw.draw_board(rng, board, white_below)
    for name in squares.split():
        draw.mark(drawing, square_index(name), (155, 199, 0), 0.41)
    for name in kings.split():
        draw.glow(drawing, square_index(name))
    draw.put_men(rng, drawing, board)
    return told(drawing, board, np.asarray(drawing.picture))


def test_nothing_to_go_by_is_assumed_and_says_so() -> None:
    answer = blank(board_of("r3k2r/8/8/8/8/8/8/4K2R"))
    assert {name: field["value"] for name, field in answer.items()} == {
        "side_to_move": "w",
        "castling_rights": "-",
        "ep_square": "-",
        "halfmove_clock": 0,
        "fullmove_number": 1,
    }
    assert all(field["provenance"] == "assumed" and not field["evidence"] for field in answer.values())
    assert answer["castling_rights"]["possible"] == "Kkq"


@pytest.mark.parametrize(
    ("placement", "side"), [("4k3/8/8/8/4R3/8/8/4K3", "b"), ("4k3/8/8/8/7q/8/8/4K3", "w")]
)
def test_the_side_in_check_moves(placement: str, side: str) -> None:
    field = blank(board_of(placement))["side_to_move"]
    assert (field["value"], field["provenance"]) == (side, "inferred")
    assert field["evidence"][0]["kind"] == "check"
    assert len(field["evidence"][0]["squares"]) == 2


def test_two_kings_in_check_prove_nothing() -> None:
    field = blank(board_of("4k3/8/8/8/8/3r4/8/3KR3"))["side_to_move"]
    assert field["provenance"] == "assumed"


def test_an_unsure_square_gives_no_check() -> None:
    board = board_of("4k3/8/8/8/4R3/8/8/4K3")
    p = np.full((64, 13), 0.01)
    p[:, 0] = 0.88
    p[square_index("e4")] = 1 / 13
    corners = [[0, 0], [160, 0], [160, 160], [0, 160]]
    answer = evidence.fields(np.full((160, 160, 3), 200, np.uint8), corners, upright(), board, p)
    assert answer["side_to_move"]["provenance"] == "assumed"


@pytest.mark.parametrize("white_below", [True, False])
def test_a_marked_double_step_gives_the_en_passant_square(white_below: bool) -> None:
    board = board_of("4k3/8/8/8/3pP3/8/8/4K3")
    answer = marked(board, "e2 e4", white_below=white_below)
    assert answer["side_to_move"]["value"] == "b"
    assert (answer["ep_square"]["value"], answer["ep_square"]["provenance"]) == ("e3", "inferred")
    assert answer["ep_square"]["evidence"][0]["squares"] == ["e2", "e4"]


def test_marks_that_no_move_explains_say_nothing() -> None:
    board = board_of("4k3/8/8/8/3pP3/8/8/N3K3")
    for squares in ("a1 a8", "e4 e6", "e4 d4", "h3 h5", "e2 e4 c3 c5 f3"):
        assert marked(board, squares)["side_to_move"]["provenance"] == "assumed", squares


def test_a_glowing_king_beside_a_marked_move_confirms_it() -> None:
    board = board_of("4k3/8/8/8/4R3/8/8/4K3")
    field = marked(board, "a4 e4", kings="e8")["side_to_move"]
    assert field["value"] == "b"
    assert [entry["kind"] for entry in field["evidence"]] == ["last-move", "check"]


def test_witnesses_that_contradict_one_another_are_not_believed() -> None:
    board = board_of("4k3/8/8/8/4R3/8/8/4K3")  # Black is in check …
    field = marked(board, "e8 d8")["side_to_move"]  # … and has just moved
    assert field["provenance"] == "assumed"
    assert {entry["side"] for entry in field["evidence"]} == {"w", "b"}


def test_castling_marked_by_king_and_rook_is_understood() -> None:
    board = board_of("4k3/8/8/8/8/8/8/5RK1")
    for squares in ("e1 h1", "e1 g1"):
        assert marked(board, squares)["side_to_move"]["value"] == "b"


def test_a_grey_picture_of_two_dimensions_is_read_too() -> None:
    answer = evidence.fields(
        np.full((160, 160), 200, np.uint8),
        [[0, 0], [160, 0], [160, 160], [0, 160]],
        upright(),
        board_of("4k3/8/8/8/8/8/8/4K3"),
    )
    assert answer["side_to_move"]["provenance"] == "assumed"
