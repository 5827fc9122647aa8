"""Straighten a board: four corners in a picture → the board seen squarely from above.

Stands between finding boards (`boards`) and reading squares (`classify`). Points are (x, y) in pixels in
the pixel-corner convention: a picture of width W and height H spans 0..W and 0..H, and the centre of its
first pixel is (0.5, 0.5). Corners are always in the order top left, top right, bottom right, bottom left,
as seen in the picture. What always holds: shrinking averages areas, so that hatching becomes grey instead
of moiré, and what lies beyond the picture is its nearest edge, repeated.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray
from PIL import Image

__all__ = ["apply_homography", "homography", "rectify", "square_corners"]


def square_corners(side: float, offset: float = 0.0) -> NDArray[np.float64]:
    """Return the corners of an upright square of `side`, moved right and down by `offset`, shape (4, 2)."""
    unit = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], dtype=np.float64)
    return unit * side + offset


def _three_on_a_line(points: NDArray[np.float64]) -> bool:
    """Tell whether any three of four points are collinear, to a millionth of their spread."""
    spread = float(np.abs(points - points.mean(axis=0)).max())
    for left_out in range(4):
        a, b, c = np.delete(points, left_out, axis=0)
        if abs((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])) <= 1e-6 * spread * spread:
            return True
    return False


def homography(source: ArrayLike, target: ArrayLike) -> NDArray[np.float64]:
    """Return the homography that maps four points onto four others.

    Parameters
    ----------
    source, target : array_like of shape (4, 2)
        Points (x, y); no three of them on a line.

    Returns
    -------
    ndarray of shape (3, 3), float64
        Scaled so that its last element is 1.

    Raises
    ------
    ValueError
        If a shape is wrong, a value is not finite, or three points lie on a line.

    Notes
    -----
    Direct linear transform: Hartley and Zisserman, *Multiple View Geometry*, 2nd ed., §4.1.
    """
    src = np.asarray(source, dtype=np.float64)
    dst = np.asarray(target, dtype=np.float64)
    if src.shape != (4, 2) or dst.shape != (4, 2):
        raise ValueError("a homography needs two arrays of shape (4, 2)")
    if not (np.isfinite(src).all() and np.isfinite(dst).all()):
        raise ValueError("corners must be finite numbers")
    if _three_on_a_line(src) or _three_on_a_line(dst):
        raise ValueError("three of the corners lie on one line")
    rows = []
    for (x, y), (u, v) in zip(src, dst, strict=True):
        rows.append([x, y, 1, 0, 0, 0, -u * x, -u * y])
        rows.append([0, 0, 0, x, y, 1, -v * x, -v * y])
    h = np.linalg.solve(np.array(rows), dst.reshape(8))
    return np.append(h, 1.0).reshape(3, 3)


def apply_homography(matrix: NDArray[np.float64], points: ArrayLike) -> NDArray[np.float64]:
    """Map points (x, y) of shape (…, 2) through a homography."""
    xy = np.asarray(points, dtype=np.float64)
    mapped = xy @ matrix[:, :2].T + matrix[:, 2]
    result: NDArray[np.float64] = mapped[..., :2] / mapped[..., 2:]
    return result


def _window(
    image: NDArray[np.uint8], quad: NDArray[np.float64]
) -> tuple[NDArray[np.uint8], NDArray[np.float64]]:
    """Cut the part of the picture that a quadrilateral needs, its edges repeated where it reaches beyond."""
    height, width = image.shape[:2]
    left, top = np.floor(quad.min(axis=0)).astype(int) - 2
    right, bottom = np.ceil(quad.max(axis=0)).astype(int) + 2
    # At least one pixel is kept of a picture that the quadrilateral misses altogether.
    x0, x1 = min(max(left, 0), width - 1), max(min(right, width), 1)
    y0, y1 = min(max(top, 0), height - 1), max(min(bottom, height), 1)
    cut = image[y0:y1, x0:x1]
    around = [(max(0, y0 - top), max(0, bottom - y1)), (max(0, x0 - left), max(0, right - x1))]
    if any(map(any, around)):
        cut = np.pad(cut, [*around, (0, 0)][: image.ndim], mode="edge")
        left, top = min(left, x0), min(top, y0)
    else:
        cut = np.ascontiguousarray(cut)
    return cut, quad - (left, top)


def rectify(
    image: NDArray[np.uint8], corners: ArrayLike, square_px: int, margin: float = 0.0
) -> NDArray[np.uint8]:
    """Return a board straightened to `square_px` pixels a square.

    Parameters
    ----------
    image : ndarray of shape (H, W, 3) or (H, W), uint8
    corners : array_like of shape (4, 2)
        Corners of the 8×8 squares, pixels.
    square_px : int
        Side of a square in the result, pixels.
    margin : float
        What to keep around the board, in squares.

    Returns
    -------
    ndarray of shape (n, n, 3) or (n, n), uint8
        n = 8 · square_px + 2 · round(margin · square_px).

    Raises
    ------
    ValueError
        If the corners are no proper quadrilateral, or reach absurdly far beyond the picture.
    """
    quad = np.asarray(corners, dtype=np.float64)
    border = round(margin * square_px)
    side = 8 * square_px + 2 * border
    to_picture = homography(square_corners(8.0 * square_px, border), quad)
    outline = apply_homography(to_picture, square_corners(float(side)))
    size = max(image.shape[:2])
    if not np.isfinite(outline).all() or np.abs(outline - quad.mean(axis=0)).max() > 4 * size + 64:
        raise ValueError("the corners reach too far beyond the picture")
    edges = np.linalg.norm(quad - np.roll(quad, -1, axis=0), axis=1)
    seen_px = float(edges.mean()) / 8  # side of a square in the picture
    cut, local = _window(image, outline)
    # Large squares are first shrunk by whole numbers, a fair average, to about twice what is wanted; two
    # samples a pixel and way, averaged, then see everything that is left.
    shrink = max(1, round(seen_px / (2 * square_px)))
    picture = Image.fromarray(cut)
    if shrink > 1:
        picture = picture.reduce(shrink)
        local = local / shrink
    times = 2 if seen_px > square_px * shrink else 1
    fine = side * times
    matrix = homography(square_corners(float(fine)), local)
    # Pillow maps the centre of an output pixel to a point in the pixel-corner convention, as we do.
    warped = picture.transform(
        (fine, fine), Image.Transform.PERSPECTIVE, tuple(matrix.ravel()[:8]), Image.Resampling.BILINEAR
    )
    return np.asarray(warped.reduce(times) if times > 1 else warped)
