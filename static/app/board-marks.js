// @ts-check
/** Which squares of the board bear which mark: an unsettled doubt, a problem, the focus. Shapes differ, not only colours. */
import * as fen from './fen.js';
import { unsureSquares } from './state.js';

/**
 * @param {import('./state.js').Doc} doc
 * @param {{problems: import('./engine-types.js').Problem[]} | null} check
 * @returns {Map<number, 'doubt' | 'fault'>} FEN index → mark; a fault is stronger than a doubt
 */
export function marksOf(doc, check) {
  /** @type {Map<number, 'doubt' | 'fault'>} */
  const marks = new Map();
  for (const i of unsureSquares(doc)) marks.set(i, 'doubt');
  for (const problem of check?.problems ?? []) {
    if (problem.severity !== 'illegal' && problem.severity !== 'syntax') continue;
    for (const name of problem.squares ?? []) {
      const i = fen.squareIndex(name);
      if (i >= 0) marks.set(i, 'fault');
    }
  }
  return marks;
}

/**
 * Draw a mark in a square: doubt is a dashed frame with `?`, fault a solid frame with `!`.
 * @param {CanvasRenderingContext2D} ctx
 * @param {'doubt' | 'fault'} mark
 * @param {number} x
 * @param {number} y
 * @param {number} size
 * @param {string} colour
 * @param {boolean} [focused] the mark makes room for the frame of the focus
 */
export function drawMark(ctx, mark, x, y, size, colour, focused = false) {
  const inset = focused ? 4 : 1;
  const width = Math.max(2, size * 0.05);
  ctx.save();
  ctx.strokeStyle = colour;
  ctx.lineWidth = width;
  if (mark === 'doubt') ctx.setLineDash([size * 0.16, size * 0.1]);
  ctx.strokeRect(x + width / 2 + inset, y + width / 2 + inset, size - width - 2 * inset, size - width - 2 * inset);
  const r = Math.max(6.5, size * 0.14);
  ctx.fillStyle = colour;
  ctx.beginPath();
  ctx.arc(x + size - r - 1, y + r + 1, r, 0, 2 * Math.PI);
  ctx.fill();
  ctx.fillStyle = '#fff';
  ctx.font = `600 ${r * 1.6}px system-ui, sans-serif`;
  ctx.textAlign = 'center';
  ctx.textBaseline = 'middle';
  ctx.fillText(mark === 'doubt' ? '?' : '!', x + size - r - 1, y + r + 1 + r * 0.1);
  ctx.restore();
}
