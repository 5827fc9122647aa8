"""Drawing boards for training, with tiny made-up artwork: labels fit, seeds repeat, held-out stays out."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import numpy as np
import pytest

cv2 = pytest.importorskip("cv2", reason="drawing boards for training needs opencv")

from models.train import artwork, positions, render  # noqa: E402
from models.train.canvas import Canvas  # noqa: E402
from models.train.chance import Chance  # noqa: E402
from models.train.degrade import SIDE_PX, degrade, men_are_visible, rectified  # noqa: E402
from models.train.generate import open_ring, samples, training_sets  # noqa: E402
from models.train.render import draw_board  # noqa: E402
from models.train.variation import cousin  # noqa: E402

FIELDS = [
    "name", "split", "kind", "family", "dark_tiles", "origin", "origin_path", "licence",
    "obtainable_from_registry", "registry_where", "note",
]  # fmt: skip
HELD = sorted(artwork.HELD_OUT)[0]


def make_set(folder: Path, name: str, level: int) -> None:
    """Draw twelve men: White light discs, Black dark ones, of six sizes, with an outline."""
    here = folder / "pieces" / name
    here.mkdir(parents=True)
    for index, piece in enumerate(artwork.PIECE_FILES):
        picture = np.zeros((160, 160, 4), np.uint8)
        radius = 25 + 8 * (index % 6)
        cv2.circle(picture, (80, 80), radius, (level if index < 6 else 20,) * 3 + (255,), -1)
        cv2.circle(picture, (80, 80), radius, (0, 0, 0, 255), 5)
        cv2.imwrite(str(here / f"{piece}.png"), picture)


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("data")
    rows = [
        ("plain", "web", "x1", "yes"),
        ("printed", "book", "x2", "no"),
        ("kept", "book", HELD, "yes"),
    ]
    for index, (name, *_) in enumerate(rows):
        make_set(folder, name, 255 - 10 * index)
    with open(folder / "pieces" / "sets.csv", "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, FIELDS, restval="")
        writer.writeheader()
        for name, kind, family, registry in rows:
            writer.writerow(
                {"name": name, "kind": kind, "family": family, "obtainable_from_registry": registry}
            )
    (folder / "boards" / "textures").mkdir(parents=True)
    colours = [
        {"name": "a", "light": "#f0d9b5", "dark": "#b58863"},
        {"name": "b", "light": "#ffffff", "dark": "#ffffff", "dark_pattern": {"angle": 45}},
    ]
    (folder / "boards" / "colours.json").write_text(json.dumps(colours), encoding="utf-8")
    return folder


def test_held_out_families_and_sets_beyond_registries_stay_out(data: Path) -> None:
    assert {s.name for s in training_sets(data, registry_only=False)} == {"plain", "printed"}
    assert {s.name for s in training_sets(data, registry_only=True)} == {"plain"}


def test_a_set_with_a_missing_picture_is_an_error(data: Path, tmp_path: Path) -> None:
    rows = [{"name": "nowhere", "kind": "web", "family": "x9"}]
    with pytest.raises(FileNotFoundError, match="nowhere"):
        artwork.read_artwork(data, rows)


def test_patterns_are_not_taken_for_colours(data: Path) -> None:
    palette = artwork.read_palette(data)
    assert len(palette.colours) == 1
    assert palette.colours[0][1].tolist() == [0xB5, 0x88, 0x63]


def test_the_same_seed_draws_the_same_boards(data: Path) -> None:
    sets, palette = training_sets(data, registry_only=False), artwork.read_palette(data)
    one, other = samples(5, sets, palette), samples(5, sets, palette)
    for _ in range(3):
        (board, labels), (again, labels_again) = next(one), next(other)
        assert (board == again).all()
        assert (labels == labels_again).all()
    assert (next(samples(6, sets, palette))[0] != board).any()


def test_cousins_differ_and_white_stays_the_lighter_side(data: Path) -> None:
    sets = training_sets(data, registry_only=False)
    original = sets[0]
    before = original.pieces.copy()
    changed = 0
    for seed in range(60):
        made = cousin(Chance(np.random.default_rng(seed)), original, lambda: sets[1])
        assert made.pieces.shape == before.shape
        assert 0 <= made.pieces.min() <= made.pieces.max() <= 255
        alpha = made.pieces[..., 3:] / 255
        assert (made.pieces[..., :3] <= 255 * alpha + 1).all(), "colour stays premultiplied"
        assert (alpha.mean((1, 2, 3)) > 0.02).all(), "no man vanishes"
        light = made.pieces[..., :3].sum((1, 2, 3)) / alpha.sum((1, 2, 3))
        assert (light[:6] > light[6:] + 200).all()
        changed += made is not original
    assert 30 < changed < 60
    assert (original.pieces == before).all(), "the set itself is left alone"


def test_only_training_varies_the_artwork(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Boards that measure come from artwork as it is."""
    sets, palette = training_sets(data, registry_only=False), artwork.read_palette(data)
    calls = []
    monkeypatch.setattr(render, "cousin", lambda _chance, made, _another: calls.append(made) or made)
    next(samples(5, sets, palette))
    assert not calls
    next(samples(5, sets, palette, vary=True))
    assert calls


def test_boards_have_the_readers_shape_and_labels_are_classes(data: Path) -> None:
    made = samples(11, training_sets(data, registry_only=False), artwork.read_palette(data))
    shares = []
    for _ in range(30):
        board, labels = next(made)
        assert board.shape == (SIDE_PX, SIDE_PX, 3)
        assert board.dtype == np.uint8
        assert labels.shape == (64,)
        assert 0 <= labels.min()
        assert labels.max() <= 12
        assert men_are_visible(board, labels)
        shares.append(float((labels > 0).mean()))
    assert min(shares) < 0.15
    assert max(shares) > 0.4


def test_men_stand_where_the_labels_say(data: Path) -> None:
    """On clean boards, squares with men have dark outlines that empty squares of their colour lack."""
    random = np.random.default_rng(3)
    draw = artwork.ArtworkDraw(training_sets(data, registry_only=True))
    agree = []
    for _ in range(40):
        drawn = draw_board(random, draw, artwork.read_palette(data))
        canvas = drawn.canvas
        if not drawn.screen:
            continue
        grey = canvas.board if canvas.board.ndim == 2 else canvas.board.mean(-1)
        px = canvas.square
        spread = grey.reshape(8, px, 8, px).transpose(0, 2, 1, 3)[
            :, :, px // 5 : -px // 5, px // 5 : -px // 5
        ]
        spread = spread.std((2, 3)).reshape(64)
        men = drawn.labels > 0
        if men.any() and not men.all():
            agree.append(np.median(spread[men]) > np.median(spread[~men]))
    assert np.mean(agree) > 0.9


def test_a_clean_cut_is_where_the_board_is() -> None:
    """The cut has the reader's geometry: a chessboard of 8×8 exactly inside half a square of margin."""
    px = 40
    picture = np.full((10 * px, 10 * px), 128, np.uint8)
    picture[px:-px, px:-px] = np.kron(np.indices((8, 8)).sum(0) % 2, np.ones((px, px))) * 255
    corners = np.array([[1, 1], [9, 1], [9, 9], [1, 9]], np.float32) * px

    class Still(Chance):
        def u(self, low: float, high: float) -> float:
            return low

        def p(self, share: float) -> bool:
            return share > 0.5

    cut = rectified(Still(np.random.default_rng(0)), picture, corners, px)[..., 0].astype(float)
    inner = cut[16:-16, 16:-16].reshape(8, 32, 8, 32).transpose(0, 2, 1, 3)
    expected = np.indices((8, 8)).sum(0) % 2 * 255.0
    assert np.abs(inner[:, :, 2:-2, 2:-2].mean((2, 3)) - expected).max() < 1
    assert np.abs(inner[:, :, 0].mean(2) - expected).max() < 70  # the edge row belongs to its square


def test_the_cut_agrees_with_the_readers_own() -> None:
    from fen_core.rectify import rectify

    random = np.random.default_rng(8)
    picture = cv2.GaussianBlur(random.integers(0, 256, (500, 520, 3), dtype=np.uint8), (0, 0), 2.5)
    corners = np.array([[60, 50], [430, 70], [440, 440], [50, 420]], np.float32)

    class Still(Chance):
        def u(self, low: float, high: float) -> float:
            return low

        def p(self, share: float) -> bool:
            return share > 0.5

    square = float(np.linalg.norm(corners - np.roll(corners, -1, 0), axis=1).mean()) / 8
    ours = rectified(Still(random), picture, corners, square).astype(float)
    readers = rectify(picture, corners, 32, 0.5).astype(float)
    assert ours.shape == readers.shape
    # Only the last corner's jitter of zero, the filters and their rounding may differ.
    assert np.abs(ours - readers).mean() < 1.5


def test_lost_men_are_noticed() -> None:
    labels = np.zeros(64, np.int64)
    labels[9] = 1
    board = np.full((SIDE_PX, SIDE_PX, 3), 200, np.uint8)
    board[16:80, 16:48] = 90  # something elsewhere
    assert not men_are_visible(board, labels)
    cv2.circle(board, (16 + 48, 16 + 48), 9, (0, 0, 0), 2)
    assert men_are_visible(board, labels)


def test_positions_of_every_kind_hold_only_classes_and_sparse_ones_are_sparse() -> None:
    random = np.random.default_rng(1)
    for draw in (positions.start_like, positions.chess_like, positions.random_men, positions.sparse):
        boards = np.stack([draw(random) for _ in range(40)])
        assert boards.shape == (40, 64)
        assert 0 <= boards.min()
        assert boards.max() <= 12
    few = [int((positions.sparse(random) > 0).sum()) for _ in range(60)]
    assert max(few) <= 11
    kings = [6 in positions.sparse(random) for _ in range(60)]
    assert 0 < sum(kings) < 60
    assert all(
        (board == positions.KING).any() and (board == positions.KING + positions.BLACK).any()
        for board in (positions.chess_like(random) for _ in range(20))
    )


def test_canvas_turns_colours_into_its_own_kind() -> None:
    grey = Canvas(Chance(np.random.default_rng(2)), 24, colour=False)
    rgb = Canvas(Chance(np.random.default_rng(2)), 24, colour=True)
    red = np.float32([255, 0, 0])
    assert grey.tone(red).shape == ()
    assert rgb.tone(red).tolist() == [255, 0, 0]
    rgb.paint(lambda mask: cv2.rectangle(mask, (30, 30), (40, 40), 255, -1), red, 0.5)
    assert rgb.pixels[35, 35].tolist() == [127.5, 0, 0]
    assert rgb.pixels[60, 60].tolist() == [0, 0, 0]


def test_a_degraded_board_keeps_its_range(data: Path) -> None:
    random = np.random.default_rng(4)
    draw = artwork.ArtworkDraw(training_sets(data, registry_only=False))
    cuts = [degrade(random, draw_board(random, draw, artwork.read_palette(data))) for _ in range(12)]
    kept = [cut for cut in cuts if cut is not None]
    assert len(kept) >= 8
    assert all(int(cut.max()) - int(cut.min()) > 10 for cut in kept)


def test_a_ring_is_made_once_and_goes_on(tmp_path: Path) -> None:
    ring = open_ring(tmp_path, create=True, capacity=4)
    ring.labels[0] = 7
    ring.made[0] = 9
    assert ring.filled == 4
    again = open_ring(tmp_path, create=True, capacity=99)
    assert len(again.boards) == 4
    assert int(again.made[0]) == 9
    assert again.labels[0, 0] == 7
