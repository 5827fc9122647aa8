"""The doors to teaching: what the page and the command line call to make, open and use profiles.

Stands above `boards`, `teach` and `profile`, below the command line and the page's engine. What always
holds: what comes in as a file is looked at before anything of it is used; what goes out as a file is written
by `profile` alone; a profile of another network is learnt anew from its boards or refused, never used.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from fen_core import boards, classify, profile
from fen_core.classify import Seen
from fen_core.errors import ProfileError
from fen_core.fen import parse_placement
from fen_core.image import open_picture
from fen_core.orient import Side
from fen_core.position import CLASSES
from fen_core.profile import Profile, Taught
from fen_core.teach import (
    LEAST_RESEMBLANCE,
    Array,
    Progress,
    adapt,
    learn,
    likeness,
    network,
    straightened,
)

__all__ = [
    "Lesson",
    "lesson",
    "matched",
    "open_profile",
    "relearn_profile",
    "rename_profile",
    "teach_board",
    "usable",
]

# Of the squares that hold a man in the picture or in the FEN, the share that both say is white's, or both
# black's; below it the FEN is of another diagram. Empty squares do not count: endgames share most of theirs.
LEAST_AGREEMENT = 0.5
KINDS = np.array([0] + [1] * 6 + [2] * 6)  # of each class: empty, white, black


@lru_cache(maxsize=16)  # a queue of pictures comes with the same files again and again
def _loaded(text: str) -> Profile:
    return profile.load(text)


@lru_cache(maxsize=4)
def usable(text: str) -> Profile:
    """Read a profile's file, and learn it anew from its boards where the network has changed since.

    Raises
    ------
    ProfileError
        As `profile.load`; `profile-other-network` where it must be learnt anew and scikit-learn is missing.
    """
    found = _loaded(text)
    if found.model.network == network():
        if found.model.features.shape[1] != classify.width():
            raise ProfileError("profile-damaged", part="features")
        return found
    try:
        return learn(found.name, found.boards)
    except ModuleNotFoundError as error:
        raise ProfileError("profile-other-network", name=found.name) from error


@dataclass(frozen=True, slots=True)
class Lesson:
    """What a reading knows of prints: the profile that it uses, and those that it compares with."""

    used: Profile | None = None
    known: tuple[Profile, ...] = ()

    def read(self, seen: Seen) -> tuple[Array, dict[str, Any] | None, list[dict[str, Any]]]:
        """Return a board's probabilities, what it was read with, and what it looks like.

        Returns
        -------
        probabilities : ndarray of shape (64, 13), float32
        used : dict or None
            "name", "likeness" (0 to 1), "used" (whether it fits); None where there is no profile.
        resembles : list of dict
            "name" and "likeness" of the known profiles that it looks like, the likest first.
        """
        if self.used is not None:
            adapted = adapt(self.used.model, seen)
            said = {
                "name": self.used.name,
                "likeness": round(adapted.likeness, 3),
                "used": adapted.used,
            }
            return adapted.probabilities, said, []
        found = [(likeness(one.model, seen), one.name) for one in self.known]
        found = sorted((pair for pair in found if pair[0] >= LEAST_RESEMBLANCE), key=lambda pair: -pair[0])
        return seen.probabilities, None, [{"name": n, "likeness": round(alike, 3)} for alike, n in found]


def lesson(used: Profile | str | None, known: Sequence[Profile | str] = ()) -> Lesson:
    """Make a lesson of profiles or of their files' texts.

    Raises
    ------
    ProfileError
        If the profile that is to be used cannot be; one that is only known is passed over.
    """
    chosen = usable(used) if isinstance(used, str) else used
    if chosen is not None and chosen.model.network != network():
        raise ProfileError("profile-other-network", name=chosen.name)
    others = [_loaded(one) if isinstance(one, str) else one for one in known]
    width = classify.width() if others else 0
    fit = [one for one in others if one.model.network == network() and one.model.features.shape[1] == width]
    return Lesson(chosen, tuple(fit))


def matched(data: bytes, board64: str, bottom: Side | None = None) -> Taught:
    """Find the diagram of a picture that shows this position, whichever way up.

    Parameters
    ----------
    data : bytes
        The picture's file.
    board64 : str
        64 letters in FEN order.
    bottom : "white" or "black", optional
        The side at the bottom, where a person has said it.

    Raises
    ------
    ImageError
        If the file is no picture.
    ProfileError
        `teach-no-board`, `teach-mismatch` (params: how many squares of the likest diagram differ).
    """
    pixels = open_picture(data).pixels
    best: tuple[float, float, int, Taught] | None = None
    for found in boards.find(pixels):
        flat = straightened(pixels, found.corners)
        p = classify.read_straightened(flat).probabilities
        for side in ("white", "black") if bottom is None else (bottom,):
            as_seen = board64 if side == "white" else board64[::-1]
            truth = [CLASSES.index(letter) for letter in as_seen]
            seen, told = KINDS[p.argmax(axis=1)], KINDS[truth]
            men = (seen > 0) | (told > 0)
            alike = float((seen == told)[men].mean()) if men.any() else 1.0
            rank = alike + float(p[np.arange(64), truth].mean())
            if best is None or rank > best[0]:
                best = rank, alike, int((seen != told).sum()), Taught.of(flat, as_seen)
    if best is None:
        raise ProfileError("teach-no-board")
    _, alike, differing, taught = best
    if alike < LEAST_AGREEMENT:
        raise ProfileError("teach-mismatch", n=differing)
    return taught


def _told(learnt: Profile) -> dict[str, Any]:
    """Return what the page is told of a profile; its boards are counted, its file is whole."""
    return {"name": learnt.name, "boards": len(learnt.boards), "profile": profile.dump(learnt)}


def teach_board(
    data: bytes,
    corners: ArrayLike,
    bottom: Side,
    placement: str,
    name: str,
    text: str | None = None,
    *,
    progress: Progress | None = None,
) -> dict[str, Any]:
    """Learn from one corrected board, alone or added to a profile; the page calls this.

    Parameters
    ----------
    data : bytes
        The picture's file.
    corners : array_like of shape (4, 2)
        Of the board, pixels of the upright file.
    bottom : "white" or "black"
    placement : str
        What stands there, as in a FEN.
    name : str
        Of a new profile; one that is added to keeps its own.
    text : str, optional
        The file of the profile to add to.

    Returns
    -------
    dict
        "name", "boards" (how many), "profile" (the file's text).
    """
    board64 = parse_placement(placement)
    picture = open_picture(data)
    flat = straightened(picture.pixels, np.asarray(corners, dtype=np.float64) / picture.shrunk)
    taught = Taught.of(flat, board64 if bottom == "white" else board64[::-1])
    earlier = profile.load(text) if text else None
    before = [one for one in earlier.boards if one.picture != taught.picture] if earlier else []
    return _told(learn(earlier.name if earlier else name, [*before, taught], progress))


def open_profile(text: str) -> dict[str, Any]:
    """Look at a profile's file before it is taken in; the page calls this.

    Returns
    -------
    dict
        "name", "boards" (how many), "current": whether it was learnt with the network that reads here.
    """
    found = profile.load(text)
    for board in found.boards:
        board.pixels()  # a picture that cannot be decoded is noticed now, not when it is needed
    return {
        "name": found.name,
        "boards": len(found.boards),
        "current": found.model.network == network(),
        "profile": profile.dump(found),  # nothing but what we know of it goes on
    }


def rename_profile(text: str, name: str) -> dict[str, Any]:
    """Return a profile's file under another name; the page calls this."""
    found = profile.load(text).renamed(name)
    if not found.name:
        raise ProfileError("profile-nameless")
    return _told(found)


def relearn_profile(text: str, *, progress: Progress | None = None) -> dict[str, Any]:
    """Learn a profile anew from its boards, for the network that reads here; the page calls this."""
    found = profile.load(text)
    return _told(learn(found.name, found.boards, progress))
