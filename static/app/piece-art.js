// @ts-check
/**
 * The twelve pieces, drawn for this project: six outlines in a box of 100 × 100, shown in two inks.
 *
 * The same paths serve the canvas (Path2D), the exported SVG and the files in static/pieces, which a test
 * keeps equal to what `pieceSvg` gives. `body` is filled and outlined, `line` is drawn over it, `dot` is filled.
 */

/** @typedef {{body: string[], line: string[], dot: string[]}} Art */

/** @type {Readonly<Record<string, Art>>} */
export const ART = Object.freeze({
  K: {
    body: [
      'M50 90L24 90C22 90 21 89 21 87L21 85C21 80 26 78.5 31 76.5C37 72 40 67 41 61L36 61C32.5 61 32.5 55 36 55L38 54.5C31 48 26 43 25.5 35.5C25.2 31 31 28.5 37 28.5C41 28.5 44 29.5 46.3 31.5L46.3 22.5L38.5 22.8L38.5 14.2L46.3 14.5L45.8 6.5L50 6.5L54.2 6.5L53.7 14.5L61.5 14.2L61.5 22.8L53.7 22.5L53.7 31.5C56 29.5 59 28.5 63 28.5C69 28.5 74.8 31 74.5 35.5C74 43 69 48 62 54.5L64 55C67.5 55 67.5 61 64 61L59 61C60 67 63 72 69 76.5C74 78.5 79 80 79 85L79 87C79 89 78 90 76 90L50 90Z',
    ],
    line: [
      'M31 77.3H69',
      'M41 61H59',
      'M38 54.5H62',
      'M50 37V48',
    ],
    dot: [],
  },
  Q: {
    body: [
      'M50 90L24 90C22 90 21 89 21 87L21 85C21 80 26 78.5 31 76.5C37 72 40 64 41 56L36 56C32.5 56 32.5 50 36 50L38.5 49.5L27.5 27.5C24.5 27.5 22.8 25.6 22.8 23.2C22.8 20.5 25 18.6 27.5 18.6C30.2 18.6 32.2 20.6 32.2 23.2C32.2 24.4 31.8 25.3 31.3 26L41.3 34.5L46.7 20.6C45.6 19.6 45 18.3 45 16.6C45 13.8 47.2 11.6 50 11.6C52.8 11.6 55 13.8 55 16.6C55 18.3 54.4 19.6 53.3 20.6L58.7 34.5L68.7 26C68.2 25.3 67.8 24.4 67.8 23.2C67.8 20.6 69.8 18.6 72.5 18.6C75 18.6 77.2 20.5 77.2 23.2C77.2 25.6 75.5 27.5 72.5 27.5L61.5 49.5L64 50C67.5 50 67.5 56 64 56L59 56C60 64 63 72 69 76.5C74 78.5 79 80 79 85L79 87C79 89 78 90 76 90L50 90Z',
    ],
    line: [
      'M31 77.3H69',
      'M41 56H59',
      'M38.5 49.5H61.5',
    ],
    dot: [],
  },
  R: {
    body: [
      'M50 90L25 90C23 90 22 89 22 87L22 85C22 80.5 25 79 29 77L34 70L36 44L28 37C27 36 26.5 35 26.5 34L26.5 18.5C26.5 17.5 27 17 28 17L36 17L36 24L44 24L44 17L50 17L56 17L56 24L64 24L64 17L72 17C73 17 73.5 17.5 73.5 18.5L73.5 34C73.5 35 73 36 72 37L64 44L66 70L71 77C75 79 78 80.5 78 85L78 87C78 89 77 90 75 90L50 90Z',
    ],
    line: [
      'M29.5 77H70.5',
      'M34.5 70H65.5',
      'M36 44H64',
      'M28 36H72',
    ],
    dot: [],
  },
  B: {
    body: [
      'M50 90L26 90C24 90 23 89 23 87L23 85C23 80 28 78.5 33 76.5C38 73 41 67 42.5 60L38 60C34.5 60 34.5 54 38 54L40 53C33.5 49 31.5 44 31.5 39.5C31.5 31 41 24.5 46.5 20.5C43 18 43.5 10.5 50 10.5C56.5 10.5 57 18 53.5 20.5C59 24.5 68.5 31 68.5 39.5C68.5 44 66.5 49 60 53L62 54C65.5 54 65.5 60 62 60L57.5 60C59 67 62 73 67 76.5C72 78.5 77 80 77 85L77 87C77 89 76 90 74 90L50 90Z',
    ],
    line: [
      'M33 77.5H67',
      'M42.5 60H57.5',
      'M40.5 53.3H59.5',
      'M46.5 20.5H53.5',
      'M61 29.5L51.5 40',
    ],
    dot: [],
  },
  N: {
    body: [
      'M50 90L26 90C24 90 23 89 23 87L23 85C23 80.5 26.5 79 30.5 77C31 67 42 62 45.5 55C47 52 47.3 49.5 46.8 46.5C43 49.8 38.8 50.6 35.5 52.4C32.6 54 31.6 57.6 28.3 58.6C24.6 59.6 20.2 57 19.4 53.2C18.9 50.6 20.4 48.4 21.4 45.8C23.8 39.6 26.8 36.4 28.8 31.8C30 29 30.6 26.4 33 23.6C32.2 20.2 32.4 15.8 34.4 11.6C38 13 40.8 15.4 42.6 18C61 18.6 73.4 34 75 56C75.5 64 74.4 71 72.4 77C75 79 77 80.5 77 85L77 87C77 89 76 90 74 90Z',
    ],
    line: [
      'M30.5 77.3H72.3',
      'M46.8 46.5C48.2 45.2 49 43.6 49.4 41.6',
      'M47 25.5C58.5 29.5 64.8 42 65.2 58',
      'M24.6 51.6L26.2 50',
    ],
    dot: [
      'M35.2 33.2A2.3 2.3 0 1 0 39.8 33.2A2.3 2.3 0 1 0 35.2 33.2Z',
    ],
  },
  P: {
    body: [
      'M50 90L28 90C26 90 25 89 25 87L25 85C25 79 29 77.5 33 75C40 70 43 62 44 53L39.5 53C36 53 36 47 39.5 47L43 46.4C39 44 36.5 39.5 36.5 35C36.5 27 42.5 21.5 50 21.5C57.5 21.5 63.5 27 63.5 35C63.5 39.5 61 44 57 46.4L60.5 47C64 47 64 53 60.5 53L56 53C57 62 60 70 67 75C71 77.5 75 79 75 85L75 87C75 89 74 90 72 90L50 90Z',
    ],
    line: [
      'M33 77.5H67',
      'M44 53H56',
    ],
    dot: [],
  },
});

/** Fill, outline and inner lines of the two sides. @type {Readonly<Record<string, {fill: string, edge: string, line: string}>>} */
export const INK = Object.freeze({
  w: { fill: '#fffdf8', edge: '#1d1b18', line: '#1d1b18' },
  b: { fill: '#2a2825', edge: '#12110f', line: '#d9d3c7' },
});

export const EDGE_WIDTH = 3.6; // of 100: still a full pixel at 28 px a square
export const LINE_WIDTH = 2.8;

/**
 * Say which art and ink a FEN letter has.
 * @param {string} letter one of PNBRQKpnbrqk
 */
export function artOf(letter) {
  const upper = letter.toUpperCase();
  return { art: ART[upper], ink: letter === upper ? INK.w : INK.b };
}

/**
 * Write the SVG elements of one piece, in a box of 100 × 100.
 * @param {string} letter
 * @returns {string}
 */
export function pieceSvgBody(letter) {
  const { art, ink } = artOf(letter);
  const body = art.body.map(
    (d) => `<path d="${d}" fill="${ink.fill}" stroke="${ink.edge}" stroke-width="${EDGE_WIDTH}" stroke-linejoin="round"/>`,
  );
  const line = art.line.map(
    (d) => `<path d="${d}" fill="none" stroke="${ink.line}" stroke-width="${LINE_WIDTH}" stroke-linecap="round"/>`,
  );
  const dot = art.dot.map((d) => `<path d="${d}" fill="${ink.line}"/>`);
  return [...body, ...line, ...dot].join('');
}

/** Write one piece as an SVG file. @param {string} letter */
export function pieceSvg(letter) {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100">${pieceSvgBody(letter)}</svg>\n`;
}

/** @type {Map<string, Path2D>} */
const paths = new Map();

/** @param {string} d */
function path(d) {
  let found = paths.get(d);
  if (!found) {
    found = new Path2D(d);
    paths.set(d, found);
  }
  return found;
}

/**
 * Draw one piece on a canvas.
 * @param {CanvasRenderingContext2D} ctx
 * @param {string} letter
 * @param {number} x left edge of the square, in the units of the canvas
 * @param {number} y top edge
 * @param {number} size side of the square
 */
export function drawPiece(ctx, letter, x, y, size) {
  const { art, ink } = artOf(letter);
  ctx.save();
  ctx.translate(x, y);
  ctx.scale(size / 100, size / 100);
  ctx.lineJoin = 'round';
  ctx.lineCap = 'round';
  for (const d of art.body) {
    ctx.fillStyle = ink.fill;
    ctx.fill(path(d));
    ctx.strokeStyle = ink.edge;
    ctx.lineWidth = EDGE_WIDTH;
    ctx.stroke(path(d));
  }
  ctx.strokeStyle = ink.line;
  ctx.lineWidth = LINE_WIDTH;
  for (const d of art.line) ctx.stroke(path(d));
  ctx.fillStyle = ink.line;
  for (const d of art.dot) ctx.fill(path(d));
  ctx.restore();
}
