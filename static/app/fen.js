// @ts-check
/**
 * The little of FEN that the page needs to edit at once: placement ⇄ 64 letters, the four ways to turn a board,
 * which rights and en passant squares can be. It judges nothing else: all checking is Python's (fen_core.check).
 *
 * A board is a string of 64 letters in FEN order (index 0 = a8 … 63 = h1), '.' where nothing stands.
 */

export const EMPTY = '.'.repeat(64);
export const START = 'rnbqkbnrpppppppp' + '.'.repeat(32) + 'PPPPPPPPRNBQKBNR';
export const CLASSES = '.PNBRQKpnbrqk';
const FILES = 'abcdefgh';

/** @param {number} i FEN index */
export const squareName = (i) => FILES[i % 8] + (8 - (i >> 3));

/** @param {string} name @returns {number} FEN index, -1 where it is no square */
export function squareIndex(name) {
  return /^[a-h][1-8]$/.test(name) ? (8 - Number(name[1])) * 8 + FILES.indexOf(name[0]) : -1;
}

/** @param {string} text @returns {string | null} the board, null where it is not eight ranks of eight */
export function parsePlacement(text) {
  const ranks = text.split('/');
  if (ranks.length !== 8) return null;
  let board = '';
  for (const rank of ranks) {
    const wide = rank.replace(/[1-8]/g, (n) => '.'.repeat(Number(n)));
    if (wide.length !== 8 || !/^[.PNBRQKpnbrqk]+$/.test(wide) || rank.includes('.') || /\d\d/.test(rank)) return null;
    board += wide;
  }
  return board;
}

/** @param {string} board */
export function makePlacement(board) {
  /** @type {string[]} */
  const ranks = [];
  for (let r = 0; r < 8; r++) ranks.push(board.slice(r * 8, r * 8 + 8).replace(/\.+/g, (dots) => String(dots.length)));
  return ranks.join('/');
}

/**
 * @typedef {{board: string, side: string, castling: string, ep: string, halfmove: string, fullmove: string}} Position
 */

/**
 * Read a FEN of one to six fields that is already well written; anything else is null and Python's to explain.
 * @param {string} text
 * @returns {{position: Position, given: number} | null} `given`: how many fields the text had
 */
export function parseFen(text) {
  const fields = text.trim().split(/\s+/);
  if (fields.length > 6) return null;
  const board = parsePlacement(fields[0]);
  if (!board) return null;
  const [, side = 'w', castling = '-', ep = '-', halfmove = '0', fullmove = '1'] = fields;
  if (!/^[wb]$/.test(side) || !/^(-|[A-Ha-hKQkq]{1,4})$/.test(castling) || !/^(-|[a-h][1-8])$/.test(ep)) return null;
  if (!/^\d{1,4}$/.test(halfmove) || !/^\d{1,4}$/.test(fullmove)) return null;
  return { position: { board, side, castling, ep, halfmove, fullmove }, given: fields.length };
}

/** @param {Position} p */
export const makeFen = (p) =>
  `${makePlacement(p.board)} ${p.side} ${p.castling || '-'} ${p.ep || '-'} ${p.halfmove} ${p.fullmove}`;

/** @param {string} board @param {number} index @param {string} letter */
export const withPiece = (board, index, letter) => board.slice(0, index) + letter + board.slice(index + 1);

/** @param {string} letter */
export const otherColour = (letter) => (letter === letter.toUpperCase() ? letter.toLowerCase() : letter.toUpperCase());

/**
 * The four ways to mend a board that was read the wrong way: by 180° (a1 ↔ h8), left and right (a ↔ h), ranks (1 ↔ 8),
 * every man in the other colour where it stands.
 * @typedef {'turn' | 'mirror' | 'ranks' | 'colours'} Transformation
 */

/** Where an index goes: each is its own inverse. @type {Readonly<Record<Transformation, (i: number) => number>>} */
const PLACES = Object.freeze({ turn: (i) => 63 - i, mirror: (i) => i ^ 7, ranks: (i) => i ^ 56, colours: (i) => i });

/** @template T @param {Transformation} how @param {readonly T[]} list FEN order @returns {T[]} */
export const moved = (how, list) => list.map((_, i) => list[PLACES[how](i)]);

/** @param {Transformation} how @param {string} name of a square @returns {string} the name it has afterwards */
export const movedSquare = (how, name) => squareName(PLACES[how](squareIndex(name)));

/** @type {Readonly<Record<Transformation, (board: string) => string>>} */
export const TRANSFORMED = Object.freeze({
  turn: (board) => moved('turn', [...board]).join(''),
  mirror: (board) => moved('mirror', [...board]).join(''),
  ranks: (board) => moved('ranks', [...board]).join(''),
  colours: (board) => [...board].map(otherColour).join(''),
});

/**
 * Say what becomes of the fields that depend on where the men stand, as the checker's cures do (fen_core.suspect).
 * @param {Transformation} how
 * @param {string} board after it
 * @param {Position} before
 * @returns {{castling: string, ep: string}} the rights that still can be; the en passant square where it was, or where it went, or none
 */
export function carry(how, board, { castling, ep, side }) {
  const kept = [...'KQkq'].filter((right) => castling.includes(right) && !castlingObstacle(board, right));
  const possible = epSquares(board, side).map(({ square }) => square);
  const target = ep === '-' ? '-' : [ep, movedSquare(how, ep)].find((square) => possible.includes(square));
  return { castling: kept.join('') || '-', ep: target ?? '-' };
}

/** King and rook squares that each right needs. @type {Readonly<Record<string, [string, string, string, string]>>} */
const RIGHTS = Object.freeze({
  K: ['K', 'e1', 'R', 'h1'],
  Q: ['K', 'e1', 'R', 'a1'],
  k: ['k', 'e8', 'r', 'h8'],
  q: ['k', 'e8', 'r', 'a8'],
});

/**
 * Say what keeps a castling right from being.
 * @param {string} board
 * @param {string} right K, Q, k or q
 * @returns {null | {piece: string, square: string}} the man that is not where it must be, null when the right can be
 */
export function castlingObstacle(board, right) {
  const [king, kingHome, rook, rookHome] = RIGHTS[right];
  if (board[squareIndex(kingHome)] !== king) return { piece: king, square: kingHome };
  if (board[squareIndex(rookHome)] !== rook) return { piece: rook, square: rookHome };
  return null;
}

/** @param {string} board @returns {string} all rights that the board allows in a standard game, '-' for none */
export const possibleRights = (board) => [...'KQkq'].filter((right) => !castlingObstacle(board, right)).join('') || '-';

/** @param {string} castling @param {string} right @param {boolean} on @returns {string} in the order KQkq */
export function withRight(castling, right, on) {
  const others = [...castling].filter((c) => c !== '-' && c !== right);
  const all = on ? [...others, right] : others;
  const known = [...'KQkq'].filter((c) => all.includes(c));
  return [...known, ...all.filter((c) => !'KQkq'.includes(c))].join('') || '-';
}

/**
 * List the en passant squares that the board and the side to move allow.
 * @param {string} board
 * @param {string} side
 * @returns {{square: string, capturable: boolean}[]} capturable: a pawn stands ready to take there
 */
export function epSquares(board, side) {
  const white = side === 'w';
  const [target, pawn, origin] = white ? [16, 24, 8] : [40, 32, 48];
  const [enemy, own] = white ? ['p', 'P'] : ['P', 'p'];
  const found = [];
  for (let f = 0; f < 8; f++) {
    if (board[pawn + f] !== enemy || board[target + f] !== '.' || board[origin + f] !== '.') continue;
    const beside = (f > 0 && board[pawn + f - 1] === own) || (f < 7 && board[pawn + f + 1] === own);
    found.push({ square: squareName(target + f), capturable: beside });
  }
  return found;
}

/**
 * Take the FEN text out of what a person pasted, where it is plainly there, so that the board can follow at once.
 * @param {string} text
 */
export function looksLikeFen(text) {
  return /([1-8PNBRQKpnbrqk]{1,8}[/\\]){3,}/.test(text) || /%2F/i.test(text);
}
