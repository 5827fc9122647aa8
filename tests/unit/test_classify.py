"""Reading squares: drawn diagrams are read, and what is no diagram is refused."""

from __future__ import annotations

import numpy as np
import pytest
from draw import THEMES, board, framed, resized
from numpy.typing import NDArray

from fen_core import classify
from fen_core.fen import parse_placement
from fen_core.position import CLASSES

MIDDLE_GAME = "2rq1rk1/pb1nbppp/1p2pn2/8/2pP4/1PN1PN2/PB2BPPP/2RQ1RK1"


def letters(probabilities: NDArray[np.float32]) -> str:
    return "".join(CLASSES[k] for k in probabilities.argmax(axis=1))


@pytest.mark.parametrize("theme", ["brown", "green"])
def test_a_plain_diagram_is_read_to_the_last_square(theme: str) -> None:
    picture = board(MIDDLE_GAME, 48, THEMES[theme])
    p = classify.squares(picture.pixels, picture.corners)
    assert p.shape == (64, 13)
    assert p.dtype == np.float32
    assert p.sum(axis=1) == pytest.approx(np.ones(64), abs=1e-5)
    assert letters(p) == parse_placement(MIDDLE_GAME)
    assert classify.mean_confidence(p) > 0.97
    assert not classify.refuses(p, 0.9)


def test_a_framed_diagram_with_coordinates_and_small_squares_is_read() -> None:
    picture = resized(framed(board(MIDDLE_GAME, 48, THEMES["brown"]), "coordinates"), 220)
    p = classify.squares(picture.pixels, picture.corners)
    assert letters(p) == parse_placement(MIDDLE_GAME)


def test_squares_come_row_by_row_from_the_top_left_as_seen() -> None:
    picture = board("q7/8/8/8/8/8/8/7R", 40, THEMES["brown"])
    seen = letters(classify.squares(picture.pixels, picture.corners))
    assert (seen[0], seen[63]) == ("q", "R")
    turned = board("q7/8/8/8/8/8/8/7R", 40, THEMES["brown"], bottom="black")
    seen = letters(classify.squares(turned.pixels, turned.corners))
    assert (seen[0], seen[63]) == ("R", "q")


def test_corners_in_another_order_turn_the_reading() -> None:
    picture = board("q7/8/8/8/8/8/8/7R", 40, THEMES["brown"])
    half_turn = np.roll(picture.corners, 2, axis=0)
    p = classify.squares(np.ascontiguousarray(picture.pixels), half_turn)
    assert p[63].argmax() != CLASSES.index(".") or p[0].argmax() != CLASSES.index(".")


def test_grey_and_colour_arrays_of_one_picture_agree() -> None:
    grey = np.asarray(board(MIDDLE_GAME, 40, THEMES["brown"]).image.convert("L"))
    corners = np.array([[0, 0], [320, 0], [320, 320], [0, 320]], float)
    one = classify.squares(grey, corners)
    three = classify.squares(np.repeat(grey[..., None], 3, axis=2), corners)
    assert np.abs(one - three).max() < 1e-4


def test_an_empty_board_is_empty_and_counts_only_where_the_finder_is_sure() -> None:
    picture = board("8/8/8/8/8/8/8/8", 40, THEMES["brown"])
    p = classify.squares(picture.pixels, picture.corners)
    assert letters(p) == "." * 64
    assert not classify.refuses(p, 0.9)
    assert classify.refuses(p, 0.2)


def test_an_empty_pattern_that_goes_on_beyond_eight_squares_is_a_floor() -> None:
    picture = board("8/8/8/8/8/8/8/8", 40, THEMES["brown"])
    assert classify.refuses(classify.squares(picture.pixels, picture.corners), 0.99, 0.3)
    picture = board("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR", 40, THEMES["brown"])
    assert not classify.refuses(classify.squares(picture.pixels, picture.corners), 0.99, 0.3)


def test_noise_is_refused_or_holds_no_men() -> None:
    noise = np.random.default_rng(5).integers(0, 256, (400, 400, 3), dtype=np.uint8)
    p = classify.squares(noise, [[20, 20], [380, 20], [380, 380], [20, 380]])
    assert classify.refuses(p, 0.3)


def test_unreadable_probabilities_are_refused_whatever_the_finder_says() -> None:
    even = np.full((64, 13), 1 / 13, np.float32)
    assert classify.refuses(even, 1.0)


def test_where_a_man_stands_does_not_change_what_it_is() -> None:
    # No position code: squares that change places among themselves are read the same, each where it went.
    random = np.random.default_rng(3)
    weights = classify._weights()
    vectors = random.normal(0, 1, (64, len(weights["head.weight"][0]))).astype(np.float32)
    order = random.permutation(64)
    moved = classify._attended(weights, vectors[order])
    assert np.abs(moved - classify._attended(weights, vectors)[order]).max() < 1e-4
    alone = classify._attended(weights, np.repeat(vectors[:1], 64, axis=0))
    assert np.abs(alone - classify._attended(weights, vectors)[0]).max() > 1e-2  # but the company matters


def test_a_region_with_hardly_a_man_must_be_read_as_surely_as_an_empty_board_is() -> None:
    p = np.full((64, 13), 0.05 / 12, np.float32)
    p[:, CLASSES.index(".")] = 0.95
    assert classify.refuses(p, 0.9)  # 0.95 would do for a board with men
    p[:4, CLASSES.index(".")], p[:4, CLASSES.index("P")] = 0.05 / 12, 0.95
    assert not classify.refuses(p, 0.9)


def test_features_are_what_the_probabilities_come_from() -> None:
    picture = board(MIDDLE_GAME, 40, THEMES["brown"])
    seen = classify.see(picture.pixels, picture.corners)
    weights = classify._weights()
    logits = seen.features @ weights["head.weight"].T + weights["head.bias"]
    z = logits / weights["temperature"]
    p = np.exp(z - z.max(1, keepdims=True))
    assert np.abs(p / p.sum(1, keepdims=True) - seen.probabilities).max() < 1e-4


def test_impossible_corners_are_refused() -> None:
    with pytest.raises(ValueError, match="line"):
        classify.squares(np.zeros((90, 90, 3), np.uint8), [[0, 0], [40, 0], [80, 0], [0, 80]])


def test_the_numpy_forward_pass_is_the_trained_networks(monkeypatch: pytest.MonkeyPatch) -> None:
    torch = pytest.importorskip("torch")
    from models.train.export import arrays_of
    from models.train.net import SquareNet

    torch.manual_seed(7)
    net = SquareNet()
    with torch.no_grad():  # norms with statistics of their own, so that folding is put to the test
        net.train()
        net(torch.rand(2, 3, 288, 288) * 255)
    for parameter in net.parameters():
        parameter.data = parameter.data.half().float()
    net.eval()
    pixels = np.random.default_rng(1).integers(0, 256, (288, 288, 3), dtype=np.uint8)
    arrays = {name: np.ascontiguousarray(v, np.float32) for name, v in arrays_of(net, np.float32).items()}
    monkeypatch.setattr(classify, "_weights", lambda: arrays)
    logits, _ = classify.forward(pixels)
    with torch.no_grad():
        expected = net(torch.from_numpy(pixels[None]).float().permute(0, 3, 1, 2))[0][0].numpy()
    assert np.abs(logits - expected).max() < 1e-3
