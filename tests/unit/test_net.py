"""The network primitives against their definitions, written out in loops."""

from __future__ import annotations

import io

import numpy as np
import pytest

from fen_core import net
from fen_core.errors import ModelError

RNG = np.random.default_rng(7)


def floats(*shape: int) -> np.ndarray:
    return RNG.normal(size=shape).astype(np.float32)


def convolved(x, weight, bias, kernel, stride, padding):
    """The definition: one output number at a time."""
    x = np.pad(x, ((0, 0), (padding,) * 2, (padding,) * 2, (0, 0)))
    n, h, w, _ = x.shape
    out = np.empty((n, (h - kernel) // stride + 1, (w - kernel) // stride + 1, len(weight)))
    for k in range(n):
        for i in range(out.shape[1]):
            for j in range(out.shape[2]):
                patch = x[k, i * stride : i * stride + kernel, j * stride : j * stride + kernel].ravel()
                out[k, i, j] = weight @ patch + bias
    return out


@pytest.mark.parametrize("browser", [False, True], ids=["native", "browser"])
@pytest.mark.parametrize(
    ("kernel", "stride", "padding"), [(3, 1, 1), (5, 2, 2), (4, 4, 0), (3, 2, 1), (1, 1, 0)]
)
def test_convolution_is_its_definition(monkeypatch, browser, kernel, stride, padding):
    monkeypatch.setattr(net, "IN_BROWSER", browser)
    x, weight, bias = floats(3, 12, 16, 5), floats(7, kernel * kernel * 5), floats(7)
    expected = convolved(x, weight, bias, kernel, stride, padding)
    got = net.conv2d(x, weight, bias, kernel, stride, padding, rectified=False)
    assert got.dtype == np.float32
    assert np.allclose(got, expected, atol=1e-4)
    assert np.allclose(
        net.conv2d(x, weight, bias, kernel, stride, padding), np.maximum(expected, 0), atol=1e-4
    )


@pytest.mark.parametrize("floats_at_once", [1, 500, 5000, 1 << 20])
def test_strips_do_not_change_the_result(monkeypatch, floats_at_once):
    x, weight, bias = floats(5, 20, 9, 4), floats(6, 36), floats(6)
    monkeypatch.setattr(net, "STRIP_FLOATS", floats_at_once)
    assert np.allclose(
        net.conv2d(x, weight, bias, 3, 1, 1, rectified=False), convolved(x, weight, bias, 3, 1, 1), atol=1e-4
    )


def test_pooling_takes_the_largest_and_drops_an_odd_rim():
    x = floats(2, 5, 7, 3)
    got = net.max_pool2(x)
    assert got.shape == (2, 2, 3, 3)
    assert got[1, 1, 2, 0] == x[1, 2:4, 4:6, 0].max()


def test_softmax_sums_to_one_and_survives_large_logits():
    p = net.softmax(np.array([[1000, 999, -1000], [0, 0, 0]], np.float32))
    assert np.allclose(p.sum(axis=1), 1)
    assert np.allclose(p[1], 1 / 3)
    assert np.isfinite(p).all()


def test_layer_norm_leaves_mean_zero_variance_one():
    y = net.layer_norm(floats(4, 32) * 9 + 5, np.ones(32, np.float32), np.zeros(32, np.float32))
    assert np.allclose(y.mean(axis=1), 0, atol=1e-5)
    assert np.allclose(y.var(axis=1), 1, atol=1e-3)


def test_attention_is_its_definition():
    q, k, v = floats(6, 8), floats(6, 8), floats(6, 8)
    got = net.attention(q, k, v, heads=2)
    for head in (0, 1):
        part = slice(head * 4, head * 4 + 4)
        scores = q[:, part] @ k[:, part].T / 2
        weights = np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)
        assert np.allclose(got[:, part], weights @ v[:, part], atol=1e-5)


def test_weights_come_back_as_contiguous_float32():
    out = io.BytesIO()
    np.savez(out, a=np.arange(6, dtype=np.float16).reshape(2, 3).T)
    weights = net.load_weights(out.getvalue())
    assert weights["a"].dtype == np.float32
    assert weights["a"].flags["C_CONTIGUOUS"]


def test_hostile_weights_are_refused_with_a_code(tmp_path):
    pickled = io.BytesIO()
    np.savez(pickled, a=np.array([{"x": 1}], dtype=object))
    for bad in (b"", b"not a zip", pickled.getvalue(), pickled.getvalue()[:40]):
        with pytest.raises(ModelError) as caught:
            net.load_weights(bad)
        assert caught.value.code == "model-damaged"
    with pytest.raises(ModelError) as caught:
        net.load_weights(tmp_path / "none.npz")
    assert caught.value.code == "model-missing"
