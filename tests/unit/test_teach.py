"""Teaching a print: what is learnt, what stays as it was, and what a profile's file may hold."""

from __future__ import annotations

import base64
import copy
import io
import json
import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from draw import THEMES, board, framed
from PIL import Image

from fen_core import classify, lessons, profile, read, teach
from fen_core.errors import ProfileError
from fen_core.fen import parse_placement
from fen_core.position import CLASSES
from fen_core.profile import Taught

pytest.importorskip("sklearn")

FIRST = "r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQ1RK1"
SECOND = "2rq1rk1/pb1n1ppN/4p3/1pb5/3P1Pn1/P1N5/1PQ1B1PP/R1B2RK1"
CORNERS = [[0, 0], [352, 0], [352, 352], [0, 352]]


def strange(placement: str) -> np.ndarray:
    """Draw a board whose men lie on their side, as no print has them: the network reads it badly."""
    flat = board(placement, square_px=44, theme=THEMES["blue"], style="shapes")
    pixels = flat.pixels.copy()
    for row in range(8):
        for column in range(8):
            part = pixels[row * 44 : row * 44 + 44, column * 44 : column * 44 + 44]
            part[:] = np.rot90(part, 1)
    return pixels


def png(pixels: np.ndarray) -> bytes:
    out = io.BytesIO()
    Image.fromarray(pixels).save(out, "PNG")
    return out.getvalue()


def labels(placement: str) -> np.ndarray:
    return np.array([CLASSES.index(letter) for letter in parse_placement(placement)])


def wrong(probabilities: np.ndarray, placement: str) -> int:
    return int((probabilities.argmax(axis=1) != labels(placement)).sum())


@pytest.fixture(scope="module")
def taught() -> Taught:
    return Taught.of(teach.straightened(strange(FIRST), CORNERS), parse_placement(FIRST))


@pytest.fixture(scope="module")
def learnt(taught: Taught) -> profile.Profile:
    return teach.learn("lying men", [taught])


@pytest.fixture(scope="module")
def text(learnt: profile.Profile) -> str:
    return profile.dump(learnt)


def test_one_corrected_board_makes_the_next_read_better(learnt: profile.Profile) -> None:
    seen = classify.see(strange(SECOND), CORNERS)
    before = wrong(seen.probabilities, SECOND)
    adapted = teach.adapt(learnt.model, seen)
    assert adapted.used
    assert adapted.likeness > teach.LEAST_LIKENESS
    after = wrong(adapted.probabilities, SECOND)
    assert before >= 8
    assert after <= before / 2
    assert np.allclose(adapted.probabilities.sum(axis=1), 1, atol=1e-5)


def test_two_boards_teach_more_than_one(taught: Taught) -> None:
    third = "3r2k1/1p3ppp/p1n1b3/4N3/1q1P4/2N1R1Q1/PP3PPP/6K1"
    second = Taught.of(teach.straightened(strange(SECOND), CORNERS), parse_placement(SECOND))
    seen = classify.see(strange(third), CORNERS)
    losses = []
    for boards in ([taught], [taught, second]):
        p = teach.adapt(teach.learn("two", boards).model, seen).probabilities
        losses.append(-np.log(p[np.arange(64), labels(third)]).mean())
    assert losses[1] < losses[0]


def test_what_looks_like_nothing_learnt_keeps_the_reading_of_the_network(learnt: profile.Profile) -> None:
    """Vectors at right angles to all that was learnt: the correction has all but faded."""
    model = learnt.model
    spare = np.linalg.svd(model.features, full_matrices=True)[2][-1]
    seen = classify.see(strange(SECOND), CORNERS)
    far = replace(seen, vectors=np.tile(spare.astype(np.float32), (64, 1)))
    adapted = teach.adapt(model, far)
    assert not adapted.used
    assert adapted.likeness < 0.2
    assert (adapted.probabilities == seen.probabilities).all()


def test_a_profile_that_does_not_fit_changes_nothing(learnt: profile.Profile) -> None:
    upright = board(SECOND, square_px=44, theme=THEMES["hatched"], style="shapes").pixels
    seen = classify.see(upright, CORNERS)
    adapted = teach.adapt(learnt.model, seen)
    assert not adapted.used
    assert (adapted.probabilities == seen.probabilities).all()


def test_a_class_that_was_not_taught_can_still_be_read(taught: Taught) -> None:
    """Learn from a print the network reads well, with no rook on the board: rooks are read as before."""
    plain = board("4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3", square_px=44, theme=THEMES["wood"], style="shapes")
    shown = Taught.of(
        teach.straightened(plain.pixels, CORNERS), parse_placement("4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3")
    )
    seen = classify.see(board(FIRST, 44, THEMES["wood"], style="shapes").pixels, CORNERS)
    assert wrong(seen.probabilities, FIRST) == 0
    adapted = teach.adapt(teach.learn("pawns", [shown]).model, seen)
    assert adapted.used
    assert wrong(adapted.probabilities, FIRST) == 0


def test_reading_says_what_it_was_read_with(text: str) -> None:
    data = png(strange(SECOND))
    given: dict[str, Any] = {"corners": CORNERS, "orientation": "white"}
    plain = read.read(data, **given, known=[text]).to_json()["boards"][0]
    assert plain["profile"] is None
    assert [found["name"] for found in plain["resembles"]] == ["lying men"]
    assert plain["placement"] != SECOND
    used = read.read(data, **given, profile=text).to_json()["boards"][0]
    assert used["placement"] == SECOND
    assert used["profile"]["name"] == "lying men"
    assert used["profile"]["used"] is True
    assert used["resembles"] == []
    other = png(board(SECOND, 44, THEMES["hatched"], style="shapes").pixels)
    unlike = read.read(other, **given, profile=text).to_json()["boards"][0]
    assert unlike["profile"]["used"] is False
    assert read.read(other, **given, known=[text]).to_json()["boards"][0]["resembles"] == []


def test_what_looks_like_a_taught_print_is_not_refused(text: str) -> None:
    data = png(strange(SECOND))
    assert read.read(data).boards == ()
    (found,) = read.read(data, known=[text]).boards
    assert found.resembles[0]["name"] == "lying men"
    (used,) = read.read(data, profile=text).boards
    assert used.to_json()["placement"] == SECOND


def test_the_page_teaches_adds_renames_and_opens(text: str) -> None:
    first = lessons.teach_board(png(strange(FIRST)), CORNERS, "white", FIRST, " my\nbook ")
    assert (first["name"], first["boards"]) == ("my book", 1)
    again = lessons.teach_board(png(strange(FIRST)), CORNERS, "white", FIRST, "x", first["profile"])
    assert again["boards"] == 1  # the same board twice teaches nothing more
    second = lessons.teach_board(
        png(strange(SECOND)), CORNERS, "black", SECOND[::-1], "", first["profile"]
    )  # the board as seen is the same, whichever side is said to be at the bottom
    assert (second["name"], second["boards"]) == ("my book", 2)
    loaded = profile.load(second["profile"])
    assert loaded.boards[1].board64 == parse_placement(SECOND)
    renamed = lessons.rename_profile(second["profile"], "another")
    assert profile.load(renamed["profile"]).name == "another"
    opened = lessons.open_profile(renamed["profile"])
    assert opened["current"] is True
    with pytest.raises(ProfileError, match="profile-nameless"):
        lessons.rename_profile(text, " \n")
    with pytest.raises(ProfileError, match="profile-full"):
        teach.learn("many", list(loaded.boards) * 5)


def test_another_network_learns_anew_or_refuses(
    text: str, learnt: profile.Profile, monkeypatch: pytest.MonkeyPatch
) -> None:
    value = json.loads(text)
    value["network"] = "0" * 64
    other = json.dumps(value)
    assert lessons.open_profile(other)["current"] is False
    assert lessons.lesson(None, [other]).known == ()  # not offered as it is
    anew = lessons.usable(other)
    assert anew.model.network == teach.network()
    assert np.allclose(anew.model.correction, learnt.model.correction, atol=1e-4)
    lessons.usable.cache_clear()

    def missing(*_: Any) -> None:
        raise ModuleNotFoundError("sklearn", name="sklearn")

    monkeypatch.setattr(lessons, "learn", missing)
    with pytest.raises(ProfileError, match="profile-other-network"):
        lessons.usable(other)


def test_a_profile_is_used_without_scikit_learn(text: str) -> None:
    """In a Python of its own: reading with a profile imports nothing of scikit-learn or SciPy."""
    import subprocess
    import sys

    code = (
        "import sys, json; from fen_core import lessons; "
        "lessons.lesson(sys.stdin.read()); import fen_core.read; "
        "print([m for m in sys.modules if m.split('.')[0] in ('sklearn', 'scipy', 'joblib')])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], input=text, text=True, capture_output=True, check=True
    )
    assert done.stdout.strip() == "[]"


def test_a_profile_comes_back_from_its_file(learnt: profile.Profile, text: str) -> None:
    back = profile.load(text)
    assert back.boards == learnt.boards
    assert np.allclose(back.model.features, learnt.model.features, atol=1e-3)
    assert np.allclose(back.model.correction, learnt.model.correction, atol=1e-2)
    assert profile.dump(profile.load(profile.dump(back))) == profile.dump(back)
    assert len(text) < 150_000
    assert profile.load(text.encode()).name == "lying men"


def test_names_are_one_line_and_cannot_turn_the_text() -> None:
    assert profile.clean_name("a\u202eb\x00c\n d" + "x" * 100) == "a b c d" + "x" * 53
    assert profile.clean_name("আমার বই ক্ষ\u200d") == "আমার বই ক্ষ\u200d"


def _jpeg(side: int) -> str:
    out = io.BytesIO()
    Image.new("RGB", (side, side), "white").save(out, "JPEG")
    return base64.b64encode(out.getvalue()).decode()


def _set(path: str, value: Any) -> Any:
    def change(profile_: dict[str, Any]) -> None:
        *way, last = path.split(".")
        at: Any = profile_
        for step in way:
            at = at[int(step) if step.isdigit() else step]
        at[int(last) if last.isdigit() else last] = value

    return change


NAN = base64.b64encode(np.full((64, 13), np.nan, "<f2").tobytes()).decode()
HUGE = base64.b64encode(np.full((64, 13), 60_000, "<f2").tobytes()).decode()
HOSTILE = {
    "no name": _set("name", ""),
    "name of another kind": _set("name", ["a"]),
    "no network": _set("network", "zz"),
    "boards of another kind": _set("boards", {"0": 1}),
    "no boards": _set("boards", []),
    "board of another kind": _set("boards.0", "a"),
    "board too short": _set("boards.0.board", "k" * 63),
    "board of other letters": _set("boards.0.board", "x" * 64),
    "picture not base64": _set("boards.0.picture", "*" * 40),
    "picture of another kind": _set("boards.0.picture", base64.b64encode(b"GIF89a" * 9).decode()),
    "picture too large": _set("boards.0.picture", "A" * 400_000),
    "shape negative": _set("features.shape", [-1, 144]),
    "shape huge": _set("features.shape", [10**9, 144]),
    "shape wider than anything": _set("features.shape", [64, 10**6]),
    "shape of fractions": _set("features.shape", [64.0, 144]),
    "shape of truth": _set("features.shape", [True, 144]),
    "shape of three": _set("features.shape", [1, 64, 144]),
    "shape that is not the data's": _set("features.shape", [64, 143]),
    "other classes": _set("correction.shape", [64, 12]),
    "not numbers": _set("correction.float16", NAN),
    "numbers beyond reason": _set("correction.float16", HUGE),
    "lengths that are not 1": _set("features.float16", base64.b64encode(bytes(2 * 64 * 144)).decode()),
    "no array": _set("correction", None),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_files_are_refused(text: str, name: str) -> None:
    value = json.loads(text)
    HOSTILE[name](value)
    with pytest.raises(ProfileError, match="profile-damaged"):
        profile.load(json.dumps(value))


def test_what_is_no_profile_says_so(text: str) -> None:
    for other in (
        "",
        "{",
        "[]",
        "null",
        "1" * 5000,
        '{"format": "x"}',
        "[" * 100_000,
        b"\xff\xfe\x00",
        b"PK\3\4" * 99,
    ):
        with pytest.raises(ProfileError, match="profile-unknown"):
            profile.load(other)
    for cut in (len(text) // 2, len(text) - 1):
        with pytest.raises(ProfileError, match="profile-damaged"):
            profile.load(text[:cut])
    with pytest.raises(ProfileError, match="profile-version"):
        profile.load(text.replace('"version": 1', '"version": 2'))
    with pytest.raises(ProfileError, match="profile-large"):
        profile.load(" " * (profile.MOST_BYTES + 1))


def test_pictures_that_are_none_are_found_before_they_are_used(text: str) -> None:
    for picture in (_jpeg(10), _jpeg(5000), base64.b64encode(b"\xff\xd8" + b"x" * 99).decode()):
        value = json.loads(text)
        value["boards"][0]["picture"] = picture
        with pytest.raises(ProfileError, match="profile-damaged"):
            lessons.open_profile(json.dumps(value))


def test_any_change_of_a_file_is_read_or_refused(text: str) -> None:
    """Values of the file exchanged, dropped, shortened, at random: a profile comes back, or a coded error."""
    rng = random.Random(4)
    junk: list[Any] = [None, True, -1, 1e308, "", "a" * 70, [], {}, [[[]]], {"shape": [1, 1]}, "AAAA", 2**70]
    refused = 0
    for _ in range(400):
        value = json.loads(text)
        at: Any = value
        while True:
            key = rng.choice(list(at) if isinstance(at, dict) else range(len(at)))
            if not isinstance(at[key], dict | list) or not at[key] or rng.random() < 0.3:
                break
            at = at[key]
        if isinstance(at[key], str) and rng.random() < 0.5 and at[key]:
            spot = rng.randrange(len(at[key]))
            at[key] = at[key][:spot] + rng.choice(["", "/", "é", "Q"]) + at[key][spot + 1 :]
        elif rng.random() < 0.2:
            del at[key]
        else:
            at[key] = copy.deepcopy(rng.choice(junk))
        try:
            found = profile.load(json.dumps(value))
        except ProfileError as error:
            assert error.code.startswith("profile-")
            refused += 1
        else:
            assert np.isfinite(found.model.correction).all()
    assert refused > 200


def test_the_right_diagram_is_found_whichever_way_up() -> None:
    from draw import side_by_side

    def side(bottom: str) -> bytes:
        drawn = [
            framed(board(p, 44, THEMES["wood"], style="shapes", bottom=bottom), "line")
            for p in (FIRST, SECOND)
        ]
        return png(side_by_side(drawn, 2, (60, 60)).pixels)

    data = side("white")
    assert lessons.matched(data, parse_placement(SECOND)).board64 == parse_placement(SECOND)
    assert lessons.matched(side("black"), parse_placement(FIRST)).board64 == parse_placement(FIRST)[::-1]
    with pytest.raises(ProfileError, match="teach-mismatch"):
        lessons.matched(data, "k" + "Q" * 63)
    # endgames have most of their empty squares in common, and are different diagrams all the same
    few = png(framed(board("8/8/8/4k3/8/8/4P3/4K3", 44, THEMES["wood"], style="shapes"), "line").pixels)
    for other in ("7k/8/5N2/8/2B5/8/8/K7", "8/8/8/8/8/8/8/8"):
        with pytest.raises(ProfileError, match="teach-mismatch"):
            lessons.matched(few, parse_placement(other))
    blank = png(np.full((300, 300, 3), 255, np.uint8))
    with pytest.raises(ProfileError, match="teach-no-board"):
        lessons.matched(blank, parse_placement(FIRST))


def test_the_model_card_shows_what_was_measured_of_teaching() -> None:
    pytest.importorskip("cv2", reason="what writes the cards draws boards too")
    from models.train import cards

    models = Path(__file__).parents[2] / "models"
    card, report = (
        (models / name).read_text(encoding="utf-8") for name in ("MODEL_CARD.md", "EVALUATION.md")
    )
    assert "## Teaching a print" in cards.teaching(report)
    assert cards.teaching(card) == cards.teaching(report)
    other = cards.with_teaching(card, "\n".join([cards.TEACHING[0], "new", cards.TEACHING[1], ""]))
    assert other.count("## Teaching a print") == 0
    assert other.count("new\n") == 1
