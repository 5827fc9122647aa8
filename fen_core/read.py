"""The whole chain: bytes of a picture → a Reading.

Stands above every other room of the picture side: image → boards → squares → orientation → placement →
evidence → FEN → problems. A Reading is one JSON value, the same from the command line and from the browser.
What always holds: every square and every field says how sure it is and where it came from; a picture
without a board gives an empty list of boards, not an error; what a person has set (corners, side at the
bottom) is never overruled.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fen_core import boards, classify, coordinates, evidence, orient
from fen_core.check import check
from fen_core.decode import Decoded, decode
from fen_core.errors import UsageError
from fen_core.fen import make_placement
from fen_core.image import Picture, open_picture
from fen_core.lessons import Lesson, lesson
from fen_core.orient import Orientation, Side
from fen_core.position import mirror
from fen_core.profile import Profile

__all__ = ["BoardReading", "Reading", "read", "read_picture"]

Progress = Callable[[str, float], None]
Each = Callable[["BoardReading", float], None]

MOST_PIXELS = 9_000_000  # held at once: a 4K screen, to the pixel; finer detail tells nothing of 64 squares
SPOILT = 0.97  # mean confidence below which a picture is asked whether it is mirrored or upside down
SURE_ORIENTATION = 0.95  # below this the turn itself is marked for the person to look at
FIELDS = ("side_to_move", "castling_rights", "ep_square", "halfmove_clock", "fullmove_number")


@dataclass(frozen=True, slots=True)
class BoardReading:
    """One diagram: where it is, what stands on it, what follows."""

    corners: NDArray[np.float64]  # (4, 2), pixels of the upright file
    score: float  # how sure that it is a board, 0 to 1
    snapped: bool  # corners given by hand were moved onto the squares nearby
    orientation: Orientation
    decoded: Decoded
    fields: dict[str, dict[str, Any]]
    fen: str
    problems: list[dict[str, Any]]
    profile: dict[str, Any] | None = None  # the one read with: its name, the likeness, whether it was used
    resembles: list[dict[str, Any]] = field(default_factory=list)  # known profiles that it looks like

    def to_json(self) -> dict[str, Any]:
        """Return the board's part of the reading contract."""
        return {
            "fen": self.fen,
            "placement": self.fen.split(" ", 1)[0],
            "orientation": {
                "bottom": self.orientation.bottom,
                "probability": round(float(self.orientation.probability), 4),
                "evidence": self.orientation.evidence,
            },
            "corners": [[round(float(x), 2), round(float(y), 2)] for x, y in self.corners],
            "score": round(float(self.score), 4),
            "snapped": self.snapped,
            "squares": self.decoded.to_json(),
            "fields": self.fields,
            "problems": self.problems,
            "profile": self.profile,
            "resembles": self.resembles,
        }


@dataclass(frozen=True, slots=True)
class Reading:
    """What a picture says: its diagrams in reading order, and the time it took."""

    boards: tuple[BoardReading, ...]
    width: int  # of the upright file, pixels
    height: int
    ms: float
    notes: list[dict[str, Any]] = field(default_factory=list)  # of the picture as a whole

    def to_json(self) -> dict[str, Any]:
        """Return the reading contract (all but the file's name, which the caller knows)."""
        return {
            "boards": [board.to_json() for board in self.boards],
            "error": None,
            "notes": self.notes,
            "size": [self.width, self.height],
            "ms": round(self.ms, 1),
        }


def read(
    data: bytes,
    *,
    corners: ArrayLike | None = None,
    orientation: Side | None = None,
    snap: bool = False,
    castling: str = "none",
    profile: Profile | str | None = None,
    known: Sequence[Profile | str] = (),
    progress: Progress | None = None,
    each: Each | None = None,
) -> Reading:
    """Read every diagram of a picture.

    Parameters
    ----------
    data : bytes
        The file as it is.
    corners : array_like of shape (4, 2), optional
        Corners set by a person (top left, top right, bottom right, bottom left, pixels of the upright
        file): one board, there and nowhere else.
    orientation : "white" or "black", optional
        The side at the bottom, where a person has said it.
    snap : bool
        Whether the given corners may move onto the squares found nearby.
    castling : "none" or "possible"
        Rights to assume: none, because a picture cannot tell, or all that kings and rooks at home allow.
    profile : Profile or str, optional
        What was learnt of the print (`teach`), or its file's text. A board that does not look like the
        print is read without it; each board says which.
    known : sequence of Profile or str
        Profiles to compare with where none is used; a board names those that it looks like.
    progress : callable, optional
        Called with a stage ("decode", "find", "squares", "check") and the share of the whole that is done.
    each : callable, optional
        Called with every board as soon as it is read, in reading order, and the share that is done.

    Raises
    ------
    ImageError
        If the file is no picture that can be read.
    ProfileError
        If a profile cannot be used.
    UsageError
        If corners or orientation are not what they must be.
    """
    tell = progress or (lambda stage, share: None)
    start = time.perf_counter()
    tell("decode", 0.0)
    picture = open_picture(data, MOST_PIXELS)
    result = read_picture(
        picture,
        corners=corners,
        orientation=orientation,
        snap=snap,
        castling=castling,
        profile=profile,
        known=known,
        progress=tell,
        each=each,
    )
    ms = (time.perf_counter() - start) * 1000
    return Reading(result.boards, result.width, result.height, ms, result.notes)


def read_picture(
    picture: Picture,
    *,
    corners: ArrayLike | None = None,
    orientation: Side | None = None,
    snap: bool = False,
    castling: str = "none",
    profile: Profile | str | None = None,
    known: Sequence[Profile | str] = (),
    progress: Progress | None = None,
    each: Each | None = None,
) -> Reading:
    """Read every diagram of a picture that is already decoded; see `read`."""
    tell = progress or (lambda stage, share: None)
    start = time.perf_counter()
    if orientation not in (None, "white", "black"):
        raise UsageError("orientation", value=str(orientation))
    if castling not in ("none", "possible"):
        raise UsageError("castling", value=castling)
    taught = lesson(profile, known)
    pixels, shrunk = picture.pixels, picture.shrunk
    found: Sequence[boards.Board]
    snapped = False
    if corners is None:
        tell("find", 0.1)
        found = boards.find(pixels)
    else:
        quad = _corners_within(corners, pixels, shrunk)
        near = boards.snap(pixels, quad) if snap else None
        snapped = near is not None
        found = [near or boards.Board(quad, 1.0)]
    readings = []
    for index, board in enumerate(found):
        tell("squares", 0.3 + 0.6 * index / len(found))
        reading = _read_board(
            pixels,
            board,
            orientation,
            castling=castling,
            by_hand=corners is not None,
            snapped=snapped,
            taught=taught,
        )
        if reading is not None:
            readings.append(reading if shrunk == 1 else _enlarged(reading, shrunk))
            if each:
                each(readings[-1], 0.3 + 0.6 * (index + 1) / len(found))
    tell("check", 1.0)
    height, width = pixels.shape[:2]
    notes: list[dict[str, Any]] = [] if readings else [{"code": "no-board", "candidates": len(found)}]
    ms = (time.perf_counter() - start) * 1000
    return Reading(tuple(readings), round(width * shrunk), round(height * shrunk), ms, notes)


def _enlarged(reading: BoardReading, shrunk: float) -> BoardReading:
    """Bring what is in pixels from the picture that we hold to the file's own."""
    fields = {
        name: {**told, "evidence": [_box_enlarged(entry, shrunk) for entry in told["evidence"]]}
        for name, told in reading.fields.items()
    }
    return replace(reading, corners=reading.corners * shrunk, fields=fields)


def _box_enlarged(entry: dict[str, Any], shrunk: float) -> dict[str, Any]:
    return {**entry, "box": [side * shrunk for side in entry["box"]]} if "box" in entry else entry


def _corners_within(corners: ArrayLike, pixels: NDArray[np.uint8], shrunk: float) -> NDArray[np.float64]:
    """Check corners given by a person, and bring them to the pixels that we hold."""
    try:
        quad = np.asarray(corners, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise UsageError("corners-shape") from error
    if quad.shape != (4, 2) or not np.isfinite(quad).all():
        raise UsageError("corners-shape")
    quad = quad / shrunk
    edges = np.roll(quad, -1, axis=0) - quad
    following = np.roll(edges, -1, axis=0)
    turns = edges[:, 0] * following[:, 1] - edges[:, 1] * following[:, 0]
    height, width = pixels.shape[:2]
    reach = max(width, height)
    if (turns <= 0).any() or np.linalg.norm(edges, axis=1).min() < 16:
        raise UsageError("corners-order")  # not convex, not clockwise from the top left, or far too small
    if quad.min() < -reach or (quad > np.array([width, height]) + reach).any():
        raise UsageError("corners-outside")
    return quad


def _read_board(
    pixels: NDArray[np.uint8],
    board: boards.Board,
    bottom: Side | None,
    *,
    castling: str,
    by_hand: bool,
    snapped: bool,
    taught: Lesson,
) -> BoardReading | None:
    """Read one quadrilateral; None where it holds no diagram and no person has said that it does."""
    seen, used, resembles = taught.read(classify.see(pixels, board.corners))
    # What looks like a print that the person has taught is a diagram, however badly it is read yet.
    if not by_hand and not resembles and classify.refuses(seen, board.score, board.goes_on):
        return None
    if bottom is None:
        turn = orient.orient(pixels, board.corners, seen)
    else:
        turn = Orientation(bottom, 1.0, [{"kind": "user", "side": bottom}])
    placed = decode(seen if turn.bottom == "white" else seen[::-1])
    if turn.probability < SURE_ORIENTATION:
        placed = placed.doubt_turn(turn.probability)
    fields = evidence.fields(pixels, board.corners, turn, placed.board64, placed.probabilities)
    if castling == "possible":
        rights = fields["castling_rights"]
        fields["castling_rights"] = {**rights, "value": rights["possible"]}
    values = [str(fields[name]["value"]) for name in FIELDS]
    fen = " ".join([make_placement(placed.board64), *values])
    problems = [
        *_turn_problem(placed, turn, values),
        *_picture_problem(pixels, board, seen, turn, placed, values),
        *check(fen).to_json()["problems"],
        *placed.cures(values),
    ]
    return BoardReading(
        board.corners, board.score, snapped, turn, placed, fields, fen, problems, used, resembles
    )


def _turn_problem(placed: Decoded, turn: Orientation, values: Sequence[str]) -> list[dict[str, Any]]:
    """Say that the board may be the other way up, and offer it so; nothing where the turn is sure."""
    if turn.probability >= SURE_ORIENTATION:
        return []
    # Castling rights and an en passant square belong to the way up that they were read in.
    turned = " ".join([make_placement(placed.board64[::-1]), values[0], "-", "-", *values[3:]])
    return [
        {
            "code": "turn-doubtful",
            "severity": "suspect",
            "field": "placement",
            "squares": [],
            "params": {"side": turn.bottom, "percent": round(100 * float(turn.probability))},
            "fixes": [{"code": "turn", "fen": turned}],
        }
    ]


def _picture_problem(
    pixels: NDArray[np.uint8],
    board: boards.Board,
    seen: NDArray[np.float32],
    turn: Orientation,
    placed: Decoded,
    values: Sequence[str],
) -> list[dict[str, Any]]:
    """Say that the picture itself is mirrored or upside down, where its printed coordinates show it.

    Asked only of a picture that reads badly or whose way up is in doubt: the answer takes a while.
    """
    if classify.mean_confidence(seen) >= SPOILT and turn.probability >= SURE_ORIENTATION:
        return []
    how = coordinates.suspect(pixels, board.corners)
    if how is None:
        return []
    problem = {"severity": "suspect", "field": "placement", "squares": [], "params": {}, "fixes": []}
    if how == "turned":
        return [problem | {"code": "picture-upside-down"}]
    mirrored = " ".join([make_placement(mirror(placed.board64)), values[0], "-", "-", *values[3:]])
    return [
        problem
        | {
            "code": "mirrored-suspected",
            "params": {"variant": "coordinates"},
            "fixes": [{"code": "mirror", "fen": mirrored}],
        }
    ]
