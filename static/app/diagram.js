// @ts-check
/** The position as a picture of its own: SVG text, or PNG pixels, with or without coordinates. */
import * as fen from './fen.js';
import { drawPiece, pieceSvgBody } from './piece-art.js';

const SQUARE = 100; // units of the SVG
const PIXELS = 90; // a square in the PNG
const LIGHT = '#efeadd';
const DARK = '#b9b09a';
const INK = '#4a463e';

/** @param {string} board @param {boolean} white at the bottom @returns {{letter: string, x: number, y: number, dark: boolean}[]} */
function layout(board, white) {
  return Array.from({ length: 64 }, (_, seen) => ({
    letter: board[white ? seen : 63 - seen],
    x: seen % 8,
    y: seen >> 3,
    dark: ((seen % 8) + (seen >> 3)) % 2 === 1,
  }));
}

/**
 * Write the diagram as SVG.
 * @param {string} board
 * @param {{bottom: 'white' | 'black', coordinates: boolean, title: string}} options
 */
export function diagramSvg(board, { bottom, coordinates, title }) {
  const white = bottom === 'white';
  const gutter = coordinates ? 36 : 0;
  const side = 8 * SQUARE + gutter + 2;
  const squares = layout(board, white);
  const rects = squares.filter((s) => s.dark).map((s) => `<rect x="${s.x * SQUARE}" y="${s.y * SQUARE}" width="100" height="100"/>`);
  const used = [...new Set(squares.map((s) => s.letter))].filter((l) => l !== '.');
  const defs = used.map((l) => `<g id="${l === l.toUpperCase() ? 'w' : 'b'}${l.toUpperCase()}">${pieceSvgBody(l)}</g>`);
  const men = squares.filter((s) => s.letter !== '.').map((s) =>
    `<use href="#${s.letter === s.letter.toUpperCase() ? 'w' : 'b'}${s.letter.toUpperCase()}" x="${s.x * SQUARE}" y="${s.y * SQUARE}"/>`);
  const letters = !coordinates ? [] : Array.from({ length: 8 }, (_, k) =>
    `<text x="${-gutter / 2}" y="${k * SQUARE + 58}">${white ? 8 - k : k + 1}</text><text x="${k * SQUARE + 50}" y="${8 * SQUARE + 27}">${'abcdefgh'[white ? k : 7 - k]}</text>`);
  const escaped = title.replace(/[<>&]/g, (c) => ({ '<': '&lt;', '>': '&gt;', '&': '&amp;' })[c] ?? c);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${-gutter - 1} -1 ${side} ${side}" width="${side}" height="${side}" role="img"><title>${escaped}</title>`
    + `<defs>${defs.join('')}</defs><rect width="800" height="800" fill="${LIGHT}"/><g fill="${DARK}">${rects.join('')}</g>`
    + `<rect width="800" height="800" fill="none" stroke="${INK}" stroke-width="2"/>${men.join('')}`
    + `<g font-family="sans-serif" font-size="24" text-anchor="middle" fill="${INK}">${letters.join('')}</g></svg>\n`;
}

/**
 * Draw the diagram as PNG.
 * @param {string} board
 * @param {{bottom: 'white' | 'black', coordinates: boolean}} options
 * @returns {Promise<Blob>}
 */
export function diagramPng(board, { bottom, coordinates }) {
  const white = bottom === 'white';
  const gutter = coordinates ? 32 : 0;
  const canvas = new OffscreenCanvas(8 * PIXELS + gutter + 2, 8 * PIXELS + gutter + 2);
  const ctx = /** @type {any} */ (canvas.getContext('2d'));
  ctx.fillStyle = '#fff';
  ctx.fillRect(0, 0, canvas.width, canvas.height);
  ctx.translate(gutter + 1, 1);
  for (const { letter, x, y, dark } of layout(board, white)) {
    ctx.fillStyle = dark ? DARK : LIGHT;
    ctx.fillRect(x * PIXELS, y * PIXELS, PIXELS, PIXELS);
    if (letter !== '.') drawPiece(ctx, letter, x * PIXELS, y * PIXELS, PIXELS);
  }
  ctx.strokeStyle = INK;
  ctx.lineWidth = 2;
  ctx.strokeRect(0, 0, 8 * PIXELS, 8 * PIXELS);
  if (coordinates) {
    ctx.fillStyle = INK;
    ctx.font = '20px sans-serif';
    ctx.textAlign = 'center';
    ctx.textBaseline = 'middle';
    for (let k = 0; k < 8; k++) {
      ctx.fillText(String(white ? 8 - k : k + 1), -gutter / 2, (k + 0.5) * PIXELS);
      ctx.fillText('abcdefgh'[white ? k : 7 - k], (k + 0.5) * PIXELS, 8 * PIXELS + gutter / 2);
    }
  }
  return canvas.convertToBlob({ type: 'image/png' });
}

/**
 * Write the position as the start of a PGN game (PGN standard §9.7).
 * @param {string} text a FEN
 * @param {string} name of the event
 */
export function pgn(text, name) {
  const tags = [['Event', name || '?'], ['Site', '?'], ['Date', '????.??.??'], ['Round', '?'], ['White', '?'], ['Black', '?'], ['Result', '*'], ['SetUp', '1'], ['FEN', text]];
  return `${tags.map(([tag, value]) => `[${tag} "${value.replace(/\s+/g, ' ').slice(0, 200).replace(/[\\"]/g, '\\$&')}"]`).join('\n')}\n\n*\n`;
}

/** Write the position as EPD (PGN standard §16.2). @param {fen.Position} p @param {string} id */
export function epd(p, id) {
  const counters = `hmvc ${p.halfmove}; fmvn ${p.fullmove};`;
  return `${fen.makeFen(p).split(' ').slice(0, 4).join(' ')} ${counters}${id ? ` id "${id.replace(/["\\]/g, '')}";` : ''}`;
}

/** @param {string[]} row @returns {string} a line of CSV (RFC 4180); a text that a spreadsheet would run is defused */
export const csvLine = (row) => row.map((cell) => `"${cell.replace(/^[=+\-@\t\r]/, "'$&").replace(/"/g, '""')}"`).join(',');
