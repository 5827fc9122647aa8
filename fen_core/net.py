"""The forward pass of small neural networks, in NumPy. Knows no chess.

Used by `classify` (squares) and `coordinates` (printed letters and digits). Activations are float32 arrays
of shape (N, H, W, C), channels last; a convolution's weights are (O, k·k·C) in the order row, column,
channel, so that it is one matrix product a strip of rows. What always holds: no function changes its
arguments, and the same weights and input give the same classes natively and in the browser.
"""

from __future__ import annotations

import io
import sys
import zipfile
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from fen_core.errors import ModelError

__all__ = [
    "attention",
    "conv2d",
    "layer_norm",
    "linear",
    "load_weights",
    "matmul_t",
    "max_pool2",
    "relu",
    "softmax",
]

Array = NDArray[np.float32]

# Pyodide's NumPy has no BLAS: there einsum over a transposed second operand is two to four times faster
# than `@`, at every size; natively BLAS is far faster than einsum.
IN_BROWSER = sys.platform == "emscripten"
LEAST_MINIMAL_CHANNELS = 32  # input channels from which saved products outweigh the sums around them
_LINE = np.array([[1, 0, 0], [0.5, 0.5, 0.5], [0.5, -0.5, 0.5], [0, 0, 1]], np.float32)
FILTER_TRANSFORM = np.kron(_LINE, _LINE)  # (16, 9)
STRIP_FLOATS = 1 << 18  # unfolded patches held at once (1 MB): larger strips leave the cache


def load_weights(source: Path | bytes) -> dict[str, Array]:
    """Read an .npz of arrays as contiguous float32.

    Raises
    ------
    ModelError
        If the file is missing, is no .npz, or holds anything but plain arrays (nothing is unpickled).
    """
    try:
        with np.load(
            io.BytesIO(source) if isinstance(source, bytes) else source, allow_pickle=False
        ) as archive:
            return {name: np.ascontiguousarray(archive[name], dtype=np.float32) for name in archive.files}
    except FileNotFoundError as error:
        raise ModelError("model-missing", file=str(source)) from error
    except (OSError, ValueError, EOFError, KeyError, AttributeError, zipfile.BadZipFile) as error:
        raise ModelError("model-damaged", file=str(source) if isinstance(source, Path) else "") from error


def matmul_t(a: Array, b: Array) -> Array:
    """Return a @ b.T for (n, k) and (m, k), both contiguous."""
    if IN_BROWSER:
        product: Array = np.einsum("ij,kj->ik", a, b)
        return product
    result: Array = a @ b.T
    return result


def linear(x: Array, weight: Array, bias: Array) -> Array:
    """Return x W^T + b for x (n, in), weight (out, in), bias (out,)."""
    return matmul_t(x, weight) + bias


def relu(x: Array) -> Array:
    """Return max(x, 0)."""
    return np.maximum(x, np.float32(0))


def _runs(x: Array, kernel: int, count: int, stride: int) -> Array:
    """Return a view (N, H, count, kernel·C) of (N, H, W, C): the `kernel` pixels under each output column.

    Channels come last, so that these pixels lie side by side in memory: they are copied as one run, not as
    `kernel` small pieces, which took half of the time of a convolution.
    """
    batch, row, column, channel = x.strides
    shape = (*x.shape[:2], count, kernel * x.shape[3])
    view: Array = np.lib.stride_tricks.as_strided(
        x, shape, (batch, row, stride * column, channel), writeable=False
    )
    return view


def conv2d(
    x: Array,
    weight: Array,
    bias: Array,
    kernel: int,
    stride: int = 1,
    padding: int = 0,
    *,
    rectified: bool = True,
) -> Array:
    """Convolve (N, H, W, C) with weights (O, kernel·kernel·C); ReLU after it unless `rectified` is false.

    Returns
    -------
    ndarray of shape (N, H', W', O), float32
        H' = (H + 2·padding − kernel) // stride + 1, W' alike.

    Notes
    -----
    A 3×3 kernel that moves by one over many channels is done by Winograd's minimal filtering, which
    multiplies 2¼ times less often: arithmetic is what a reading in the browser waits for.
    """
    if kernel == 3 and stride == 1 and x.shape[3] >= LEAST_MINIMAL_CHANNELS:
        result = _minimal_filtering(x, weight, padding)
        result += bias
        return np.maximum(result, 0, out=result) if rectified else result
    if padding:
        x = np.pad(x, ((0, 0), (padding, padding), (padding, padding), (0, 0)))
    count, height, width, channels = x.shape
    out_h = (height - kernel) // stride + 1
    out_w = (width - kernel) // stride + 1
    result = np.empty((count, out_h, out_w, weight.shape[0]), np.float32)
    runs = _runs(np.ascontiguousarray(x), kernel, out_w, stride)
    depth = kernel * kernel * channels
    # Whole pictures at a time where they are small, else strips of rows.
    rows = max(1, min(out_h, STRIP_FLOATS // max(1, out_w * depth)))
    batch = max(1, STRIP_FLOATS // max(1, out_h * out_w * depth)) if rows == out_h else 1
    for first in range(0, count, batch):
        last = min(count, first + batch)
        for top in range(0, out_h, rows):
            bottom = min(out_h, top + rows)
            patches = np.empty((last - first, bottom - top, out_w, kernel, kernel * channels), np.float32)
            for i in range(kernel):
                start = top * stride + i
                patches[:, :, :, i] = runs[
                    first:last, start : start + (bottom - top - 1) * stride + 1 : stride
                ]
            product = matmul_t(patches.reshape(-1, depth), weight)
            product += bias
            if rectified:
                np.maximum(product, 0, out=product)
            result[first:last, top:bottom] = product.reshape(last - first, bottom - top, out_w, -1)
    return result


def _minimal_filtering(x: Array, weight: Array, padding: int) -> Array:
    """Convolve with 3×3 kernels, two by two results at a time: F(2×2, 3×3).

    Lavin and Gray, "Fast Algorithms for Convolutional Neural Networks", CVPR 2016, §4.1.
    """
    count, height, width, channels = x.shape
    out_h, out_w = height + 2 * padding - 2, width + 2 * padding - 2
    down, across = -(-out_h // 2), -(-out_w // 2)  # blocks of 2 × 2, the last ones perhaps beyond the edge
    more_h, more_w = 2 * down - out_h, 2 * across - out_w
    x = np.pad(x, ((0, 0), (padding, padding + more_h), (padding, padding + more_w), (0, 0)))
    filters = FILTER_TRANSFORM @ weight.reshape(-1, 9, channels).transpose(1, 0, 2).reshape(9, -1)
    filters = filters.reshape(4, 4, -1, channels)
    result = np.empty((count, down, 2, across, 2, filters.shape[2]), np.float32)
    for i, band in enumerate(_input_transform(x, down, axis=1)):
        blocks = [
            matmul_t(np.ascontiguousarray(part).reshape(-1, channels), filters[i, j])
            for j, part in enumerate(_input_transform(band, across, axis=2))
        ]
        pair = (blocks[0] + blocks[1] + blocks[2], blocks[1] - blocks[2] - blocks[3])
        for j, part in enumerate(pair):
            block = part.reshape(count, down, across, -1)
            if i == 0:
                result[:, :, 0, :, j] = block
            elif i == 1:
                result[:, :, 0, :, j] += block
                result[:, :, 1, :, j] = block
            elif i == 2:
                result[:, :, 0, :, j] += block
                result[:, :, 1, :, j] -= block
            else:
                result[:, :, 1, :, j] -= block
    whole = result.reshape(count, 2 * down, 2 * across, -1)
    return np.ascontiguousarray(whole[:, :out_h, :out_w]) if more_h or more_w else whole


def _input_transform(x: Array, count: int, axis: int) -> tuple[Array, Array, Array, Array]:
    """Return what the four lines of every overlapping block become: (0 − 2, 1 + 2, 2 − 1, 1 − 3)."""
    first, second, third, fourth = (
        x[:, k : k + 2 * count : 2] if axis == 1 else x[:, :, k : k + 2 * count : 2] for k in range(4)
    )
    return first - third, second + third, third - second, second - fourth


def max_pool2(x: Array) -> Array:
    """Return the maximum over 2×2 blocks of (N, H, W, C); an odd last row or column is left out."""
    count, height, width, channels = x.shape
    even = x[:, : height // 2 * 2, : width // 2 * 2]
    result: Array = even.reshape(count, height // 2, 2, width // 2, 2, channels).max(axis=(2, 4))
    return result


def layer_norm(x: Array, gain: Array, bias: Array, epsilon: float = 1e-5) -> Array:
    """Normalise the last axis to mean 0 and variance 1, then scale and shift (Ba et al. 2016)."""
    centred = x - x.mean(axis=-1, keepdims=True)
    variance = np.mean(centred * centred, axis=-1, keepdims=True)
    result: Array = centred / np.sqrt(variance + np.float32(epsilon)) * gain + bias
    return result


def softmax(logits: Array) -> Array:
    """Return probabilities along the last axis; safe for large logits."""
    shifted = np.exp(logits - logits.max(axis=-1, keepdims=True))
    result: Array = shifted / shifted.sum(axis=-1, keepdims=True)
    return result


def attention(query: Array, key: Array, value: Array, heads: int) -> Array:
    """Let n items look at one another: scaled dot-product attention over (n, d), d split among `heads`.

    Vaswani et al., *Attention Is All You Need* (2017), §3.2.
    """
    count, width = query.shape
    depth = width // heads
    result = np.empty((count, width), np.float32)
    for head in range(heads):
        part = slice(head * depth, (head + 1) * depth)
        scores = matmul_t(np.ascontiguousarray(query[:, part]), np.ascontiguousarray(key[:, part]))
        weights = softmax(scores / np.float32(np.sqrt(depth)))
        result[:, part] = matmul_t(weights, np.ascontiguousarray(value[:, part].T))
    return result
