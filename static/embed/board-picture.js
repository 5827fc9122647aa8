// @ts-check
/**
 * The drawn board of the checker: men, coordinates, marked squares. A picture with words: what stands where is in the
 * hidden list beside it, so that a screen reader has it too.
 */
import { drawMark } from '../app/board-marks.js';
import { colours, el, fitCanvas, onceAFrame } from '../app/dom.js';
import { EMPTY, squareIndex, squareName } from '../app/fen.js';
import { drawPiece } from '../app/piece-art.js';

const LETTERS_PX = 16; // room for the coordinates, left and below
const MEN = 'KQRBNP';
const KINDS = { K: 'king', Q: 'queen', R: 'rook', B: 'bishop', N: 'knight', P: 'pawn' };

/** @typedef {import('../app/i18n.js').Translate} Translate */
/** @typedef {'doubt' | 'fault'} Mark */

/**
 * @typedef {object} Drawn
 * @property {string} board              64 letters in FEN order
 * @property {Map<number, string>} strange  letters that are no pieces, shown as they are
 * @property {Map<number, Mark>} marks
 * @property {readonly number[]} ranks   ranks that are not eight squares wide: the whole of each is marked
 */

/**
 * Say which squares bear which mark: faults before doubts, notes bear none.
 * @param {readonly {severity: string, squares: readonly string[]}[]} problems
 * @returns {Map<number, Mark>} by FEN index
 */
export function marksOfProblems(problems) {
  /** @type {Map<number, Mark>} */
  const marks = new Map();
  for (const [severities, mark] of /** @type {[string[], Mark][]} */ ([[['suspect'], 'doubt'], [['syntax', 'illegal'], 'fault']])) {
    for (const problem of problems) {
      if (!severities.includes(problem.severity)) continue;
      for (const index of problem.squares.map(squareIndex)) if (index >= 0) marks.set(index, mark);
    }
  }
  return marks;
}

/**
 * Say which ranks a fault of the text concerns as a whole.
 * @param {readonly {severity: string, squares: readonly string[], params: Record<string, any>}[]} problems
 * @returns {number[]} 1 to 8
 */
export const ranksOfProblems = (problems) =>
  problems.filter(({ severity, squares, params }) => severity === 'syntax' && !squares.length && params.rank >= 1 && params.rank <= 8)
    .map(({ params }) => Number(params.rank));

/**
 * @param {HTMLElement} figure
 * @returns {{show: (drawn: Drawn | null, orientation: string, t: Translate) => void, point: (squares: readonly string[]) => void}}
 */
export function mountBoardPicture(figure) {
  const canvas = el('canvas', { role: 'img' });
  const list = el('div', { class: 'hidden' });
  const empty = el('figcaption', { class: 'soft' });
  figure.append(canvas, empty, list);
  /** @type {Drawn | null} */
  let drawn = null;
  let white = true;
  /** @type {readonly number[]} squares that the person is pointing at in the list of problems */
  let pointed = [];

  const paint = onceAFrame(() => {
    const width = Math.floor(canvas.clientWidth);
    if (!width) return;
    const size = (width - LETTERS_PX - 1) / 8;
    const [left, top] = [LETTERS_PX, 1];
    const ctx = fitCanvas(canvas, width, width);
    const [light, dark, letters, edge, doubt, fault, focus, soft] = colours(
      'board-light', 'board-dark', 'board-letter', 'edge', 'mark-doubt', 'mark-fault', 'mark-focus', 'soft');
    const { board, strange, marks, ranks } = drawn ?? { board: EMPTY, strange: new Map(), marks: new Map(), ranks: [] };
    for (let seen = 0; seen < 64; seen++) {
      const index = white ? seen : 63 - seen;
      const x = left + (seen % 8) * size;
      const y = top + (seen >> 3) * size;
      ctx.fillStyle = ((seen % 8) + (seen >> 3)) % 2 ? dark : light;
      ctx.fillRect(x, y, size + 0.5, size + 0.5);
      if (board[index] !== '.') drawPiece(ctx, board[index], x, y, size);
      const letter = strange.get(index);
      if (letter) write(ctx, letter, x + size / 2, y + size / 2, size * 0.55, fault);
      const mark = marks.get(index) ?? (letter ? 'fault' : undefined);
      if (mark) drawMark(ctx, mark, x, y, size, mark === 'doubt' ? doubt : fault);
      if (pointed.includes(index)) {
        ctx.strokeStyle = focus;
        ctx.lineWidth = 4;
        ctx.strokeRect(x + 2, y + 2, size - 4, size - 4);
      }
    }
    for (const rank of ranks) {
      const y = top + (white ? 8 - rank : rank - 1) * size;
      ctx.strokeStyle = fault;
      ctx.lineWidth = 2;
      ctx.strokeRect(left + 1, y + 1, size * 8 - 2, size - 2);
      const radius = Math.max(6.5, size * 0.14);
      ctx.fillStyle = fault;
      ctx.beginPath();
      ctx.arc(left + size * 8 - radius - 1, y + radius + 1, radius, 0, 2 * Math.PI);
      ctx.fill();
      write(ctx, '!', left + size * 8 - radius - 1, y + radius * 1.1 + 1, radius * 1.6, '#fff');
    }
    ctx.strokeStyle = edge;
    ctx.lineWidth = 1;
    ctx.strokeRect(left - 0.5, top - 0.5, size * 8 + 1, size * 8 + 1);
    for (let k = 0; k < 8; k++) {
      write(ctx, String(white ? 8 - k : k + 1), left / 2 - 1, top + (k + 0.5) * size, 12, drawn ? letters : soft);
      write(ctx, 'abcdefgh'[white ? k : 7 - k], left + (k + 0.5) * size, top + size * 8 + LETTERS_PX / 2, 12, drawn ? letters : soft);
    }
  });

  new ResizeObserver(paint).observe(canvas);
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', paint);
  // A screen of another density, or another zoom: the canvas has its pixels anew.
  addEventListener('resize', paint);

  return {
    show(next, orientation, t) {
      drawn = next;
      white = orientation !== 'black';
      canvas.setAttribute('aria-label', t(white ? 'embed.board-white' : 'embed.board-black'));
      empty.textContent = drawn ? '' : t('embed.board-none');
      empty.hidden = drawn !== null;
      figure.dataset.placement = drawn?.board ?? '';
      list.replaceChildren(...(drawn ? menInWords(drawn, t) : []));
      paint();
    },
    point(squares) {
      pointed = squares.map(squareIndex);
      paint();
    },
  };
}

/**
 * @param {CanvasRenderingContext2D} ctx
 * @param {string} text
 * @param {number} x
 * @param {number} y
 * @param {number} size
 * @param {string} colour
 */
function write(ctx, text, x, y, size, colour) {
  ctx.fillStyle = colour;
  ctx.font = `${size}px system-ui, sans-serif`;
  ctx.textAlign = 'center';
  ctx.textBaseline = 'middle';
  ctx.fillText(text, x, y);
}

/** @param {Drawn} drawn @param {Translate} t @returns {HTMLElement[]} a sentence for each side, and one for the marked squares */
function menInWords({ board, marks }, t) {
  const sides = /** @type {[string, (letter: string) => string][]} */ ([
    ['embed.men-white', (letter) => letter],
    ['embed.men-black', (letter) => letter.toLowerCase()],
  ]);
  const sentences = sides.map(([key, ofSide]) => {
    const men = [...MEN].flatMap((kind) =>
      [...board].flatMap((letter, index) =>
        letter === ofSide(kind) ? [`${t(`piece.${KINDS[/** @type {keyof typeof KINDS} */ (kind)]}`)} ${squareName(index)}`] : []));
    return el('p', {}, t(key, { men: men.length ? men.join(', ') : t('embed.men-none') }));
  });
  if (marks.size) sentences.push(el('p', {}, t('embed.marked', { squares: [...marks.keys()].map(squareName).join(', ') })));
  return sentences;
}
