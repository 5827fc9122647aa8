// @ts-check
/**
 * Where words are printed under or over a diagram ("White to play"): a box to be cut out of the picture and shown, so
 * that a person reads it beside the side to move. Nothing is read by machine here.
 *
 * What always holds: only where there is ink, set in lines like text, near the board; the coordinates along the edge
 * are no caption; what belongs to another diagram of the page is not taken. Pure functions of pixels and corners.
 */

/** @typedef {[number, number]} Point */
/** @typedef {{x: number, y: number, width: number, height: number, where: 'under' | 'over'}} Box in pixels of the picture */

const REACH = 2.6; // squares from the board's edge within which a caption begins and ends
const START = 1.6; // squares within which it begins
const SIDEWAYS = 0.6; // squares that it may stand out on each side
const TILT = 0.12; // of a side: a board that leans more has no straight lines beside it
const LINE = [0.1, 0.95]; // squares: height of a line of print
const GAP = 0.45; // squares: white between the lines of one caption
const MOST_LINES = 3;
const CONTRAST = 34; // grey levels that ink stands off the paper

/** @param {ImageData} image @param {number} x @param {number} y @returns {number} grey, 0..255 */
const greyAt = (image, x, y) => {
  const at = (y * image.width + x) * 4;
  return 0.299 * image.data[at] + 0.587 * image.data[at + 1] + 0.114 * image.data[at + 2];
};

/**
 * Runs of marked places.
 * @param {ArrayLike<number | boolean>} marks
 * @param {number} bridge gaps up to this long are part of a run
 * @returns {[number, number][]} from, to (the place after the last)
 */
export function runs(marks, bridge) {
  /** @type {[number, number][]} */
  const found = [];
  for (let i = 0; i < marks.length; i++) {
    if (!marks[i]) continue;
    const last = found.at(-1);
    if (last && i - last[1] <= bridge) last[1] = i + 1;
    else found.push([i, i + 1]);
  }
  return found;
}

/**
 * Whether a line of print is the letters a to h, or what else stands below each file: narrow, one to a file, in its
 * middle.
 * @param {[number, number][]} glyphs where its marks stand, from the left edge of the board
 * @param {number} square
 */
function isCoordinates(glyphs, square) {
  if (glyphs.length < 4 || glyphs.length > 10) return false;
  const files = glyphs.map(([from, to]) => {
    const middle = (from + to) / 2 / square;
    const file = Math.floor(middle);
    return to - from < 0.6 * square && Math.abs(middle - file - 0.5) < 0.28 && file >= 0 && file < 8 ? file : -1;
  });
  const right = files.filter((f) => f >= 0);
  return right.length >= glyphs.length - 1 && new Set(right).size === right.length;
}

/**
 * @param {ImageData} image
 * @param {{left: number, right: number, top: number, bottom: number}} area
 * @param {boolean} down whether the lines are looked for from the top of the area, else from its bottom
 * @param {number} square
 * @param {number} boardLeft
 * @returns {[number, number, number, number] | null} x0 y0 x1 y1
 */
function linesIn(image, area, down, square, boardLeft) {
  const { left, right, top, bottom } = area;
  const [w, h] = [right - left, bottom - top];
  if (w < 8 || h < 4) return null;
  const grey = new Uint8Array(w * h);
  const counts = new Uint32Array(256);
  for (let y = 0; y < h; y++) for (let x = 0; x < w; x++) {
    const value = greyAt(image, left + x, top + y);
    grey[y * w + x] = value;
    counts[Math.round(value)]++;
  }
  let paper = 0; // the most frequent grey, and its neighbours
  let best = -1;
  for (let v = 2; v < 254; v++) {
    const sum = counts[v - 2] + counts[v - 1] + counts[v] + counts[v + 1] + counts[v + 2];
    if (sum > best) [best, paper] = [sum, v];
  }
  /** @param {number} i */
  const ink = (i) => Math.abs(grey[i] - paper) > CONTRAST;
  const rows = new Uint32Array(h);
  for (let y = 0; y < h; y++) for (let x = 0; x < w; x++) if (ink(y * w + x)) rows[y]++;
  // A rule along the whole width is a frame, not print; a speck is nothing.
  const marked = Array.from(rows, (n) => n >= 2 && n < 0.75 * w);
  let lines = runs(marked, Math.max(1, Math.round(0.04 * square)));
  if (!down) lines = lines.reverse();
  /** @type {[number, number, number, number] | null} */
  let box = null;
  let taken = 0;
  let edge = down ? 0 : h; // where the board, or the last line taken, ends
  for (const [from, to] of lines) {
    const away = down ? from - edge : edge - to;
    const high = to - from;
    if (away > (box ? GAP : START) * square) break;
    if (high < LINE[0] * square || high > LINE[1] * square) {
      if (box) break;
      edge = down ? to : from;
      continue;
    }
    const columns = Array.from({ length: w }, (_, x) => {
      for (let y = from; y < to; y++) if (ink(y * w + x)) return true;
      return false;
    });
    const glyphs = runs(columns, Math.max(1, Math.round(0.03 * square)));
    const dark = rows.slice(from, to).reduce((sum, n) => sum + n, 0) / ((glyphs.at(-1)?.[1] ?? 1) - glyphs[0][0]) / high;
    if (!box && isCoordinates(glyphs.map(([a, b]) => [a + left - boardLeft, b + left - boardLeft]), square)) {
      edge = down ? to : from;
      continue;
    }
    const [x0, x1] = [glyphs[0][0], /** @type {[number, number]} */ (glyphs.at(-1))[1]];
    // Print is neither a solid block nor a few specks, and longer than it is high.
    if (dark > 0.72 || dark < 0.03 || x1 - x0 < 1.2 * high) {
      if (box) break;
      edge = down ? to : from;
      continue;
    }
    box = box ? [Math.min(box[0], x0), Math.min(box[1], from), Math.max(box[2], x1), Math.max(box[3], to)] : [x0, from, x1, to];
    edge = down ? to : from;
    if (++taken === MOST_LINES) break;
  }
  return box && [box[0] + left, box[1] + top, box[2] + left, box[3] + top];
}

/**
 * Find the captions of a diagram.
 * @param {ImageData} image the picture, possibly reduced
 * @param {number} scale pixels of `image` for one of the picture
 * @param {Point[]} corners of the board, TL TR BR BL, in pixels of the picture
 * @param {Point[][]} [others] corners of the other boards of the picture
 * @returns {Box[]} under first, then over; empty where nothing is printed there
 */
export function captions(image, scale, corners, others = []) {
  const [tl, tr, br, bl] = corners.map(([x, y]) => /** @type {Point} */ ([x * scale, y * scale]));
  const side = (Math.hypot(tr[0] - tl[0], tr[1] - tl[1]) + Math.hypot(br[0] - bl[0], br[1] - bl[1])) / 2;
  const square = side / 8;
  const leans = Math.max(Math.abs(tr[1] - tl[1]), Math.abs(br[1] - bl[1]), Math.abs(bl[0] - tl[0]), Math.abs(br[0] - tr[0])) / side;
  if (square < 6 || leans > TILT) return [];
  const [x0, x1] = [Math.min(tl[0], bl[0]), Math.max(tr[0], br[0])];
  const left = Math.max(0, Math.floor(x0 - SIDEWAYS * square));
  const right = Math.min(image.width, Math.ceil(x1 + SIDEWAYS * square));
  const boards = others.map((c) => ({
    left: Math.min(...c.map((p) => p[0])) * scale, right: Math.max(...c.map((p) => p[0])) * scale,
    top: Math.min(...c.map((p) => p[1])) * scale, bottom: Math.max(...c.map((p) => p[1])) * scale,
  })).filter((b) => b.left < right && b.right > left);
  // The frame round the board is not looked at.
  const frame = 0.06 * square + 1;
  const under = Math.ceil(Math.max(bl[1], br[1]) + frame);
  const over = Math.floor(Math.min(tl[1], tr[1]) - frame);
  const next = Math.min(image.height, ...boards.filter((b) => b.top > under).map((b) => b.top - frame));
  const former = Math.max(0, ...boards.filter((b) => b.bottom < over).map((b) => b.bottom + frame));
  const areas = /** @type {const} */ ([
    // Between two diagrams one above the other each takes its half.
    ['under', { left, right, top: under, bottom: Math.floor(Math.min(under + REACH * square, next < image.height ? (under + next) / 2 : next)) }],
    ['over', { left, right, top: Math.ceil(Math.max(over - REACH * square, former > 0 ? (over + former) / 2 : former)), bottom: over }],
  ]);
  return areas.flatMap(([where, area]) => {
    const box = linesIn(image, area, where === 'under', square, x0);
    if (!box) return [];
    const pad = 0.12 * square;
    const [ax, ay] = [Math.max(0, box[0] - pad), Math.max(0, box[1] - pad)];
    const [bx, by] = [Math.min(image.width, box[2] + pad), Math.min(image.height, box[3] + pad)];
    return [{ x: ax / scale, y: ay / scale, width: (bx - ax) / scale, height: (by - ay) / scale, where }];
  });
}
