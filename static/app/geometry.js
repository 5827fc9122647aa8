// @ts-check
/**
 * The plane geometry of the picture: the homography of four corners, and the straightened board.
 *
 * Points are [x, y] in pixels of the upright picture, pixel-corner convention (the picture spans 0..W, 0..H);
 * corners run TL, TR, BR, BL as seen; the board spans 0..8 in both directions.
 */

/** @typedef {[number, number]} Point */

/**
 * Find the homography that takes the square 0..8 × 0..8 to four corners (closed form: Heckbert, Fundamentals of
 * Texture Mapping and Image Warping, 1989, §2.2.3).
 * @param {Point[]} c TL TR BR BL
 * @returns {number[]} nine numbers, row by row
 */
export function boardHomography(c) {
  const [[x0, y0], [x1, y1], [x2, y2], [x3, y3]] = c;
  const sx = x0 - x1 + x2 - x3;
  const sy = y0 - y1 + y2 - y3;
  const dx1 = x1 - x2;
  const dx2 = x3 - x2;
  const dy1 = y1 - y2;
  const dy2 = y3 - y2;
  const det = dx1 * dy2 - dx2 * dy1 || 1e-9;
  const g = (sx * dy2 - dx2 * sy) / det;
  const h = (dx1 * sy - sx * dy1) / det;
  return [
    (x1 - x0 + g * x1) / 8, (x3 - x0 + h * x3) / 8, x0,
    (y1 - y0 + g * y1) / 8, (y3 - y0 + h * y3) / 8, y0,
    g / 8, h / 8, 1,
  ];
}

/** @param {number[]} m @param {number} u @param {number} v @returns {Point} */
export function project(m, u, v) {
  const w = m[6] * u + m[7] * v + m[8];
  return [(m[0] * u + m[1] * v + m[2]) / w, (m[3] * u + m[4] * v + m[5]) / w];
}

/** @param {Point[]} c @returns {boolean} whether the corners go round once, clockwise as seen, without a crossing */
export function isConvex(c) {
  return c.every((p, i) => {
    const q = c[(i + 1) % 4];
    const r = c[(i + 2) % 4];
    return (q[0] - p[0]) * (r[1] - q[1]) - (q[1] - p[1]) * (r[0] - q[0]) > 1;
  });
}

/** @param {Point[]} c @param {Point} p @returns {boolean} whether the point lies within the corners */
export function contains(c, p) {
  return c.every((a, i) => {
    const b = c[(i + 1) % 4];
    return (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]) >= 0;
  });
}

/**
 * Straighten a part of the board into a square picture, bilinear.
 * @param {ImageData} source the picture, possibly reduced
 * @param {number} scale pixels of `source` for one of the picture
 * @param {Point[]} corners in pixels of the picture
 * @param {number} u0 left edge of the part, in squares
 * @param {number} v0 top edge
 * @param {number} span side of the part, in squares
 * @param {number} size side of the result, in pixels
 * @returns {ImageData}
 */
export function straighten(source, scale, corners, u0, v0, span, size) {
  const m = boardHomography(corners);
  const out = new ImageData(size, size);
  const { data, width, height } = source;
  const step = span / size;
  for (let y = 0, o = 0; y < size; y++) {
    const v = v0 + (y + 0.5) * step;
    for (let x = 0; x < size; x++, o += 4) {
      const u = u0 + (x + 0.5) * step;
      const w = scale / (m[6] * u + m[7] * v + m[8]);
      const px = Math.min(Math.max((m[0] * u + m[1] * v + m[2]) * w - 0.5, 0), width - 1.001);
      const py = Math.min(Math.max((m[3] * u + m[4] * v + m[5]) * w - 0.5, 0), height - 1.001);
      const ix = px | 0;
      const iy = py | 0;
      const fx = px - ix;
      const fy = py - iy;
      const a = (iy * width + ix) * 4;
      const b = a + width * 4;
      for (let k = 0; k < 3; k++) {
        const top = data[a + k] + (data[a + 4 + k] - data[a + k]) * fx;
        const low = data[b + k] + (data[b + 4 + k] - data[b + k]) * fx;
        out.data[o + k] = top + (low - top) * fy;
      }
      out.data[o + 3] = 255;
    }
  }
  return out;
}
