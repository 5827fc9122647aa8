// @ts-check
/**
 * On the picture, what the fields beyond the placement were taken from: an arrow for the last move, one from each
 * checking man to the king, a frame round a marker beside the board. What a person has set needs none.
 */
import { colours } from './dom.js';
import { squareIndex } from './fen.js';

/** @typedef {import('./geometry.js').Point} Point */

const FRAME_PX = 5; // round a marker

/** @param {CanvasRenderingContext2D} ctx @param {Point} a @param {Point} b @param {number} head */
function arrow(ctx, [x0, y0], [x1, y1], head) {
  const angle = Math.atan2(y1 - y0, x1 - x0);
  ctx.moveTo(x0, y0);
  ctx.lineTo(x1, y1);
  for (const turn of [2.6, -2.6]) {
    ctx.moveTo(x1, y1);
    ctx.lineTo(x1 + head * Math.cos(angle + turn), y1 + head * Math.sin(angle + turn));
  }
}

/**
 * @param {CanvasRenderingContext2D} ctx
 * @param {import('./state.js').Doc} doc
 * @param {(u: number, v: number) => Point} onBoard a place of the board, 0..8 from its top left as seen, on the screen
 * @param {((p: Point) => Point) | null} onPicture a point of the picture on the screen; null where only the board is shown
 */
export function drawEvidence(ctx, doc, onBoard, onPicture) {
  const { squares } = doc;
  const told = ['side_to_move', 'ep_square'].filter((field) => doc.from[field] !== 'user').flatMap((field) => doc.evidence[field] ?? []);
  if (!squares || !told.length) return;
  const [x0, y0] = onBoard(3.5, 3.5);
  const [x1, y1] = onBoard(4.5, 4.5);
  const side = Math.hypot(x1 - x0, y1 - y0) / Math.SQRT2;
  /** @param {string} name of a square @returns {Point} its middle on the screen */
  const middle = (name) => {
    const { seen } = squares[squareIndex(name)];
    return onBoard((seen % 8) + 0.5, (seen >> 3) + 0.5);
  };
  ctx.beginPath();
  for (const { kind, squares: names, box } of told) {
    if (kind === 'last-move') arrow(ctx, middle(names[0]), middle(names[1]), side * 0.3);
    if (kind === 'check') for (const from of names.slice(1)) arrow(ctx, middle(from), middle(names[0]), side * 0.3);
    if (kind === 'marker' && box && onPicture) {
      const [left, top] = onPicture([box[0], box[1]]);
      const [right, bottom] = onPicture([box[2], box[3]]);
      ctx.rect(left - FRAME_PX, top - FRAME_PX, right - left + 2 * FRAME_PX, bottom - top + 2 * FRAME_PX);
    }
  }
  const [bright, dark] = colours('evidence', 'evidence-dark');
  ctx.save();
  ctx.lineCap = 'round';
  ctx.lineJoin = 'round';
  for (const [width, colour] of /** @type {[number, string][]} */ ([[Math.max(4.5, side * 0.13), dark], [Math.max(2.5, side * 0.08), bright]])) {
    ctx.lineWidth = width;
    ctx.strokeStyle = colour;
    ctx.stroke();
  }
  ctx.restore();
}
