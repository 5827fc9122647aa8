"""A profile: what the reader has learnt of one print, as a value and as one small file.

Stands beside `teach`, which makes and uses it; `read` takes one. The file is JSON: the corrected boards as
small pictures with what stands on them, so that a profile can be learnt anew when the network changes, and
what was learnt, as float16 in base64, with the SHA-256 of the weights it belongs to. What always holds: a
file is data and never code; its size and the size of everything in it are checked before it is decoded;
whatever is wrong with it is a `ProfileError` with a code.
"""

from __future__ import annotations

import base64
import binascii
import io
import json
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from fen_core.classify import SIDE_PX
from fen_core.errors import ProfileError
from fen_core.position import CLASSES

__all__ = ["FORMAT", "MOST_BOARDS", "MOST_BYTES", "Model", "Profile", "Taught", "clean_name", "dump", "load"]

FORMAT = "image-to-fen profile"
VERSION = 1
MOST_BOARDS = 8  # more than that teach little, and a reading compares every square with all of theirs
MOST_BYTES = 3_000_000  # of the file; eight boards with what was learnt of them are under 1.5 MB
MOST_PICTURE_BYTES = 150_000
MOST_NAME = 60
JOINERS = "\u200c\u200d"
MOST_WIDTH = 1024  # of a square's vector: whatever the network is, no file may make us hold more
LARGEST = 1000.0  # no number that was learnt comes near it
JPEG_QUALITY = 90
ARRAYS = {"features": None, "correction": len(CLASSES)}  # columns; None: the width of the network's vectors

Array = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Taught:
    """One corrected board.

    Attributes
    ----------
    picture : bytes
        The straightened board with its margin, (SIDE_PX, SIDE_PX), as a JPEG file.
    board64 : str
        What stands on it, row-major from the top left as seen.
    """

    picture: bytes
    board64: str

    def pixels(self) -> NDArray[np.uint8]:
        """Decode the picture, (SIDE_PX, SIDE_PX, 3).

        Raises
        ------
        ProfileError
            `profile-damaged`, if it is no JPEG of that size.
        """
        try:
            picture = Image.open(io.BytesIO(self.picture), formats=("JPEG",))
            if picture.size != (SIDE_PX, SIDE_PX):
                raise ProfileError("profile-damaged", part="picture")
            return np.asarray(picture.convert("RGB"), dtype=np.uint8)
        except ProfileError:
            raise
        except Exception as error:  # a broken file can upset a decoder in any way
            raise ProfileError("profile-damaged", part="picture") from error

    @classmethod
    def of(cls, pixels: NDArray[np.uint8], board64: str) -> Taught:
        """Keep a straightened board (SIDE_PX, SIDE_PX, 3) with what stands on it."""
        out = io.BytesIO()
        Image.fromarray(pixels).save(out, "JPEG", quality=JPEG_QUALITY, subsampling=0)
        return cls(out.getvalue(), board64)


@dataclass(frozen=True, slots=True)
class Model:
    """What was learnt, for one network: n squares of the corrected boards and what each of them corrects.

    Attributes
    ----------
    network : str
        SHA-256 of the weights whose vectors these are.
    features : ndarray of shape (n, d), float32
        The squares' vectors, of length 1.
    correction : ndarray of shape (n, 13), float32
        What a square just like this one adds to the log probabilities of the classes.
    """

    network: str
    features: Array
    correction: Array


@dataclass(frozen=True, slots=True)
class Profile:
    """What was learnt of one print: its name, the corrected boards, and what was learnt of them."""

    name: str
    boards: tuple[Taught, ...]
    model: Model

    def renamed(self, name: str) -> Profile:
        """Return the same profile under another name."""
        return replace(self, name=clean_name(name))


def clean_name(name: str) -> str:
    r"""Return a name fit to be shown: one line, no control characters, at most 60 characters.

    >>> clean_name("  my\nendgame\tbook ")
    'my endgame book'
    """
    # What turns the direction of writing round goes too: it could make a name look like another. The joiners
    # of Indian scripts stay.
    kept = (c if c in JOINERS or unicodedata.category(c)[0] not in "CZ" else " " for c in name)
    return " ".join("".join(kept).split())[:MOST_NAME].strip()


def dump(profile: Profile) -> str:
    """Return the profile's file, one JSON object."""
    model = profile.model
    return json.dumps(
        {
            "format": FORMAT,
            "version": VERSION,
            "name": profile.name,
            "network": model.network,
            "boards": [
                {"board": taught.board64, "picture": base64.b64encode(taught.picture).decode()}
                for taught in profile.boards
            ],
            "features": _packed(model.features),
            "correction": _packed(model.correction),
        },
        ensure_ascii=False,
    )


def load(text: str | bytes) -> Profile:
    """Read a profile's file.

    Raises
    ------
    ProfileError
        `profile-large`, `profile-unknown` (not a profile at all), `profile-version` (of a later version),
        `profile-damaged` (params: the part).
    """
    if len(text) > MOST_BYTES:
        raise ProfileError(
            "profile-large", megabytes=round(len(text) / 1e6, 1), limit=round(MOST_BYTES / 1e6)
        )
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        code = "profile-damaged" if _begins_well(text) else "profile-unknown"
        raise ProfileError(code, **({"part": "end"} if code == "profile-damaged" else {})) from error
    if not isinstance(value, dict) or value.get("format") != FORMAT:
        raise ProfileError("profile-unknown")
    if value.get("version") != VERSION:
        raise ProfileError("profile-version", version=str(value.get("version"))[:20])
    return _profile(value)


def _begins_well(text: str | bytes) -> bool:
    head = text[:200] if isinstance(text, str) else text[:200].decode("utf-8", "replace")
    return FORMAT in head


def _profile(value: Mapping[str, Any]) -> Profile:
    name = clean_name(value["name"]) if isinstance(value.get("name"), str) else ""
    if not name:
        raise _damaged("name")
    network = value.get("network")
    if not isinstance(network, str) or len(network) != 64 or set(network) - set("0123456789abcdef"):
        raise _damaged("network")
    boards = value.get("boards")
    if not isinstance(boards, list) or not 1 <= len(boards) <= MOST_BOARDS:
        raise _damaged("boards")
    taught = tuple(_taught(entry) for entry in boards)
    most = 64 * len(taught)
    features, correction = (_unpacked(value.get(key), most, key) for key in ARRAYS)
    lengths = np.linalg.norm(features, axis=1)
    if len(features) != len(correction) or np.abs(lengths - 1).max(initial=0.0) > 0.01:
        raise _damaged("features")
    return Profile(name, taught, Model(network, features, correction))


def _taught(entry: Any) -> Taught:
    board = entry.get("board") if isinstance(entry, dict) else None
    if not isinstance(board, str) or len(board) != 64 or set(board) - set(CLASSES):
        raise _damaged("board")
    picture = _bytes(entry.get("picture"), MOST_PICTURE_BYTES, "picture")
    if not picture.startswith(b"\xff\xd8"):
        raise _damaged("picture")
    return Taught(picture, board)


def _packed(array: Array) -> dict[str, Any]:
    data = np.ascontiguousarray(array, dtype="<f2").tobytes()
    return {"shape": list(array.shape), "float16": base64.b64encode(data).decode()}


def _unpacked(value: Any, most_rows: int, key: str) -> Array:
    """Return an array (rows, columns), after its size has been found possible and all of it finite."""
    shape = value.get("shape") if isinstance(value, dict) else None
    if not isinstance(shape, list) or len(shape) != 2 or not all(type(side) is int for side in shape):
        raise _damaged(key)
    rows, columns = shape
    if not 1 <= rows <= most_rows or not 1 <= columns <= MOST_WIDTH or ARRAYS[key] not in (None, columns):
        raise _damaged(key)
    data = _bytes(value.get("float16"), 2 * rows * columns, key)
    if len(data) != 2 * rows * columns:
        raise _damaged(key)
    array: Array = np.frombuffer(data, "<f2").astype(np.float32).reshape(rows, columns)
    if not np.isfinite(array).all() or np.abs(array).max() > LARGEST:
        raise _damaged(key)
    return array


def _bytes(value: Any, most: int, key: str) -> bytes:
    if not isinstance(value, str) or len(value) > 4 * (most // 3 + 1):
        raise _damaged(key)
    try:
        return base64.b64decode(value, validate=True)
    except (binascii.Error, ValueError) as error:
        raise _damaged(key) from error


def _damaged(part: str) -> ProfileError:
    return ProfileError("profile-damaged", part=part)
