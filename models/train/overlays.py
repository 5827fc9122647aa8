"""What lies on boards besides men: marked squares, lines, frames, coordinates, arrows, dots, cursors, badges.

``under`` is drawn before the men, ``over`` after them.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from models.train.canvas import Canvas, Mask, like

Labels = NDArray[np.int64]


def mark_squares(canvas: Canvas) -> None:
    """Tint squares as last moves, checks and lessons do: whole, as a glow, or as a border."""
    chance, square = canvas.chance, canvas.square
    tones = [canvas.random_tone(60, 250, 0.85) for _ in range(2)]
    for _ in range(chance.i(1, 5) if chance.p(0.85) else chance.i(4, 24)):
        row, column = chance.square()
        part = canvas.board[row * square : (row + 1) * square, column * square : (column + 1) * square]
        alpha, tone = chance.u(0.25, 0.9), tones[chance.i(0, 2)]
        share = np.full((square, square), alpha, np.float32)
        kind = chance.random.random()
        if kind < 0.12:
            axis = np.arange(square) - square / 2
            radius = np.hypot(*np.meshgrid(axis, axis)).astype(np.float32) / (square * 0.5)
            share *= np.clip(1 - radius, 0, 1)
        elif kind < 0.24:
            edge = max(1, int(square * chance.u(0.03, 0.1)))
            share[edge:-edge, edge:-edge] = 0
        part += like(share, part) * (tone - part)


def inner_coordinates(canvas: Canvas) -> None:
    """Write ranks and files inside the edge squares, in the tone of the other colour or near it."""
    chance, square = canvas.chance, canvas.square
    font, size, shift = chance.i(0, 8), chance.u(0.13, 0.24), chance.u(30, 200)
    left, first = chance.p(0.7), chance.p(0.5)
    for i in range(8):
        places = ((i + 0.27, 0.04 if left else 7.8, str(8 - i), i, 0 if left else 7),)
        places += ((7.95, i + (0.8 if first else 0.05), "abcdefgh"[i], 7, i),)
        for y, x, text, row, column in places:
            under = canvas.board[int((row + 0.5) * square), int((column + 0.5) * square)]
            tone = np.clip(under + (shift if np.mean(under) < 128 else -shift), 0, 255)
            canvas.write(text, (x + 1) * square, (y + 1) * square, size, tone, font)


def square_lines(canvas: Canvas) -> None:
    """Draw the lines between the squares."""
    chance, square = canvas.chance, canvas.square
    thick = 1 if square < 40 or chance.p(0.7) else 2
    tone = canvas.random_tone(0, 100) if chance.p(0.75) else canvas.random_tone(150, 255)

    def draw(mask: Mask) -> None:
        for i in range(9):
            at = square + i * square
            cv2.line(mask, (square, at), (9 * square, at), 255, thick)
            cv2.line(mask, (at, square), (at, 9 * square), 255, thick)

    canvas.paint(draw, tone, chance.u(0.4, 1))


def frame(canvas: Canvas, *, screen: bool) -> None:
    """Draw one or two frames, thin or thick, close to the board or a little off."""
    chance, square = canvas.chance, canvas.square
    tone = canvas.random_tone(0, 60) if not screen or chance.p(0.6) else canvas.random_tone(0, 255)
    off, thick = int(square * chance.u(0, 0.10)), max(1, int(square * chance.u(0.01, 0.09)))
    double = chance.p(0.4)
    off2 = off + thick + int(square * chance.u(0.03, 0.2))
    thick2 = max(1, int(square * chance.u(0.01, 0.14)))

    def draw(mask: Mask) -> None:
        for o, t in ((off, thick), (off2, thick2))[: 2 if double else 1]:
            low, high = square - o - t // 2 - 1, 9 * square + o + t // 2
            cv2.rectangle(mask, (low, low), (high, high), 255, t)

    canvas.paint(draw, tone)


def under(canvas: Canvas, *, screen: bool) -> None:
    """Draw what the men stand on."""
    chance = canvas.chance
    if screen:
        if chance.p(0.45):
            mark_squares(canvas)
        if chance.p(0.35):
            inner_coordinates(canvas)
    elif chance.p(0.05):
        mark_squares(canvas)
    if chance.p(0.12):
        square_lines(canvas)
    if chance.p(0.3 if screen else 0.6):
        frame(canvas, screen=screen)


def arrow_outline(
    start: NDArray[np.float64], end: NDArray[np.float64], wide: float, head: tuple[float, float]
) -> NDArray[np.int32]:
    """Return the outline of a filled arrow: points (x, y) px; ``head`` is its length and its width, px."""
    along = (end - start) / max(1e-6, float(np.hypot(*(end - start))))
    across = np.array([-along[1], along[0]])
    neck = end - along * head[0]
    sides = [start + across * wide / 2, neck + across * wide / 2, neck + across * head[1] / 2]
    others = [neck - across * head[1] / 2, neck - across * wide / 2, start - across * wide / 2]
    return np.array([*sides, end, *others]).astype(np.int32)


def arrows(canvas: Canvas) -> None:
    """Draw arrows between squares, thick and see-through as analysis does, with filled heads or open ones."""
    chance, square = canvas.chance, canvas.square
    thick = max(1, int(square * chance.u(0.06, 0.26)))
    alpha, open_head = chance.u(0.4, 0.95), chance.p(0.2)
    head = chance.u(0.25, 0.55) * square, max(1.6 * thick, chance.u(0.3, 0.6) * square)
    late, beyond = (
        chance.u(0, 0.45) * square,
        chance.u(-0.25, 0.3) * square,
    )  # where line and tip stand from the middles
    tone = canvas.random_tone(40, 230, 0.8)
    for _ in range(chance.i(1, 5)):
        if chance.p(0.3):
            tone = canvas.random_tone(40, 230, 0.8)
        places = [np.array(canvas.centre(*chance.square()), np.float64) for _ in range(2)]
        reach = float(np.hypot(*(places[1] - places[0])))
        if reach < square:
            continue
        along = (places[1] - places[0]) / reach
        start, end = places[0] + along * late, places[1] + along * beyond
        bent = chance.p(0.12)

        def draw(
            mask: Mask, s: NDArray[np.float64] = start, e: NDArray[np.float64] = end, b: bool = bent
        ) -> None:
            if open_head:
                tip = min(0.5, 0.5 * square / float(np.hypot(*(e - s))))
                ends = [(int(x), int(y)) for x, y in (s, e)]
                cv2.arrowedLine(mask, ends[0], ends[1], 255, thick, cv2.LINE_AA, 0, tip)
                return
            if b:  # as a knight goes: first along the longer side
                far = abs(e - s)
                corner = np.array([e[0], s[1]]) if far[0] > far[1] else np.array([s[0], e[1]])
                cv2.line(mask, tuple(s.astype(int)), tuple(corner.astype(int)), 255, thick, cv2.LINE_AA)
                s = corner
            cv2.fillPoly(mask, [arrow_outline(s, e, thick, head)], 255, cv2.LINE_AA)

        canvas.paint(draw, tone, alpha)


def hints(canvas: Canvas, board: Labels) -> None:
    """Draw where a man may move: dots on empty squares, rings on men."""
    chance, square = canvas.chance, canvas.square
    places = [chance.square() for _ in range(chance.i(1, 12))]
    radius = int(square * chance.u(0.1, 0.18))

    def draw(mask: Mask) -> None:
        for row, column in places:
            if board[row, column] == 0:
                cv2.circle(mask, canvas.centre(row, column), radius, 255, -1, cv2.LINE_AA)
            else:
                thick = max(1, int(square * 0.08))
                cv2.circle(mask, canvas.centre(row, column), int(square * 0.46), 255, thick, cv2.LINE_AA)

    canvas.paint(draw, canvas.random_tone(0, 255), chance.u(0.12, 0.6))


def signs(canvas: Canvas, board: Labels) -> None:
    """Put crosses, stars, dots or letters on empty squares, as lessons and puzzles do."""
    chance, square = canvas.chance, canvas.square
    empty = np.argwhere(board == 0)
    if not len(empty):
        return
    sign = "x*o.+ABC12"[chance.i(0, 10)]
    font, size, tone = chance.i(0, 8), chance.u(0.2, 0.5), canvas.random_tone(0, 120)
    for row, column in empty[chance.random.permutation(len(empty))[: chance.i(1, 9)]]:
        x, y = canvas.centre(row, column)
        if sign == ".":
            canvas.paint(
                lambda m, c=(x, y): cv2.circle(m, c, max(1, int(square * size / 3)), 255, -1, cv2.LINE_AA),
                tone,
            )  # type: ignore[misc]
        else:
            canvas.write(
                sign, x - square * size * 0.4, y + square * size * 0.5, size, tone, font, chance.i(1, 3)
            )


def rings(canvas: Canvas) -> None:
    """Circle squares."""
    chance, square = canvas.chance, canvas.square
    places = [chance.square() for _ in range(chance.i(1, 4))]
    thick = max(1, int(square * chance.u(0.04, 0.1)))

    def draw(mask: Mask) -> None:
        for place in places:
            cv2.circle(mask, canvas.centre(*place), int(square * 0.45), 255, thick, cv2.LINE_AA)

    canvas.paint(draw, canvas.random_tone(0, 255, 0.8), chance.u(0.5, 1))


def cursor(canvas: Canvas) -> None:
    """Leave a mouse pointer on the board."""
    chance, square = canvas.chance, canvas.square
    outline = np.array([[0, 0], [0, 1], [0.23, 0.78], [0.38, 1.1], [0.53, 1.03], [0.38, 0.72], [0.7, 0.7]])
    at = chance.random.uniform(1, 9, 2) * square
    points = [(outline * square * chance.u(0.25, 0.6) + at).astype(np.int32)]
    inside, edge = (255.0, 0.0) if chance.p(0.6) else (0.0, 255.0)
    canvas.paint(lambda m: cv2.fillPoly(m, points, 255, cv2.LINE_AA), canvas.random_tone(inside, inside, 0))
    canvas.paint(
        lambda m: cv2.polylines(m, points, True, 255, 1, cv2.LINE_AA), canvas.random_tone(edge, edge, 0)
    )


def badge(canvas: Canvas) -> None:
    """Pin a judgement (!, ?) to a square's corner."""
    chance, square = canvas.chance, canvas.square
    row, column = chance.square()
    x, y = int((column + 1.95) * square), int((row + 1.05) * square)
    radius = int(square * chance.u(0.12, 0.22))
    canvas.paint(
        lambda m: cv2.circle(m, (x, y), radius, 255, -1, cv2.LINE_AA), canvas.random_tone(30, 230, 0.9)
    )
    white = canvas.random_tone(255, 255, 0)
    canvas.write("!?"[chance.i(0, 2)], x - square // 12, y + square // 12, 0.2, white, 0)


def play_button(canvas: Canvas) -> None:
    """Lay a video's play button or a see-through watermark over the board."""
    chance, square = canvas.chance, canvas.square
    x, y = (canvas.centre(3.5, 3.5)) if chance.p(0.7) else canvas.centre(*chance.square())
    if chance.p(0.3):
        tone = canvas.random_tone(0, 255)
        scale, text = chance.u(0.03, 0.08) * square, chance.text(4, 12)
        canvas.paint(
            lambda m: cv2.putText(
                m, text, (square * 2, y), 0, scale, 255, max(1, int(scale * 2)), cv2.LINE_AA
            ),
            tone,
            chance.u(0.1, 0.4),
        )
        return
    radius = square * chance.u(0.35, 1.1)
    back, front = (30.0, 250.0) if chance.p(0.6) else (250.0, 30.0)
    alpha = chance.u(0.35, 0.95)
    shape = chance.p(0.5)

    def plate(mask: Mask) -> None:
        if shape:
            cv2.circle(mask, (x, y), int(radius), 255, -1, cv2.LINE_AA)
        else:
            half = int(radius), int(radius * 0.7)
            cv2.rectangle(mask, (x - half[0], y - half[1]), (x + half[0], y + half[1]), 255, -1)

    canvas.paint(plate, canvas.random_tone(back, back, 0.4), alpha)
    r = radius * 0.5
    points = [np.array([[x - r * 0.6, y - r], [x - r * 0.6, y + r], [x + r, y]]).astype(np.int32)]
    canvas.paint(
        lambda m: cv2.fillPoly(m, points, 255, cv2.LINE_AA), canvas.random_tone(front, front, 0), 0.95
    )


def over(canvas: Canvas, board: Labels, *, screen: bool) -> None:
    """Draw what lies on the men; ``board`` is (8, 8) as seen."""
    chance = canvas.chance
    rate = 1.0 if screen else 0.12
    if chance.p(0.2 * rate):
        arrows(canvas)
    if chance.p(0.10 * rate):
        hints(canvas, board)
    if chance.p(0.05 if screen else 0.04):
        signs(canvas, board)
    if chance.p(0.08 * rate):
        rings(canvas)
    if chance.p(0.07 * rate):
        cursor(canvas)
    if chance.p(0.07 * rate):
        badge(canvas)
    if chance.p(0.03 * rate):
        play_button(canvas)
