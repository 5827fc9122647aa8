// @ts-check
/**
 * What the page knows, as one frozen value, and the functions that give the next one. No DOM, no engine, no clock.
 *
 * A state holds works (one for each picture, and one without); a work holds boards; a board holds the history of its
 * document: undo and redo walk through it. Everything in a document is in FEN order; each read square keeps in `seen`
 * where it lies in the picture (0 = top left as seen), so that turning a board never loses the picture.
 */
import * as fen from './fen.js';

/**
 * @typedef {Object} ReadSquare
 * @property {number} seen where it lies in the picture, row by row from the top left, e.g. 0
 * @property {string} piece the letter that was read, '.' for empty
 * @property {number} probability of that piece, 0..1
 * @property {boolean} unsure
 * @property {boolean} looked whether the person has settled it
 * @property {[string, number][]} alternatives next-best pieces with their probabilities
 */
/** @typedef {'read' | 'inferred' | 'assumed' | 'user'} Provenance */
/**
 * @typedef {Object} Doc
 * @property {string} board 64 letters
 * @property {string} side 'w' or 'b'
 * @property {string} castling e.g. 'KQkq' or '-'
 * @property {string} ep e.g. 'e3' or '-'
 * @property {string} halfmove digits as text
 * @property {string} fullmove digits as text
 * @property {string | null} text what was typed, while it is no FEN that the board can follow
 * @property {Record<string, Provenance>} from where each field comes from
 * @property {Record<string, string>} was what stood in each field that the last action changed without being asked to
 * @property {Record<string, any>} evidence for each field that was inferred
 * @property {ReadSquare[] | null} squares null without a picture
 * @property {'white' | 'black'} bottom the side at the bottom
 * @property {{probability: number, evidence: any} | null} orientation how sure that side is
 * @property {[number, number][] | null} corners in pixels of the upright picture
 * @property {[number, number][] | null} snapped the corners as a person set them, where the reading moved them onto the squares nearby
 * @property {{fen: string, problems: any[]} | null} read what the reading itself said of its position
 * @property {{name: string, likeness: number, used: boolean} | null} [profile] the profile it was read with
 * @property {{name: string, likeness: number}[]} [resembles] profiles that it looks like
 */
/**
 * @typedef {Object} History
 * @property {readonly Doc[]} past
 * @property {Doc} now
 * @property {readonly Doc[]} future
 * @property {string | null} accepted the text that the person has found right; an edit leaves it behind, undo comes back to it
 */
/**
 * @typedef {Object} Work
 * @property {number} id
 * @property {string} name of the file; '' for the work without a picture
 * @property {'blank' | 'opening' | 'choosing' | 'queued' | 'reading' | 'read' | 'none' | 'failed' | 'stopped'} status
 *   of a PDF file: opening, then choosing among its pages; each page then is a work of its own
 * @property {{code: string, params: Record<string, any>} | null} error
 * @property {readonly History[]} boards never empty
 * @property {number} board which of them is shown
 * @property {{stage: string, share: number} | null} progress of the reading
 * @property {boolean} opened whether the browser can show the picture
 * @property {{file: number, page: number, pages: number} | null} source for a PDF file: which file, which of its pages (0: the file itself), how many it has
 */
/**
 * @typedef {Object} State
 * @property {readonly Work[]} works
 * @property {number} current id of the work that is shown
 * @property {number} focus square, FEN index
 * @property {string} tool '' moves; a piece letter stamps; '.' erases
 * @property {boolean} turned whether the board is shown from the other side than `bottom`
 * @property {'picture' | 'straight'} mode what the picture panel shows
 * @property {'come' | 'doubt'} order of the list of pictures: as they came, or by doubt
 * @property {number} overlay how strongly the read pieces lie over the straightened picture, 0..1
 * @property {{text: string, result: any} | null} check the last answer of the checker, and for which text
 * @property {{phase: 'starting' | 'ready' | 'failed', stage: string, loaded: number, total: number, share: number, code: string, params: Record<string, any>}} engine
 */

/** Field names as in the Reading, and the document's short ones. */
export const FIELDS = Object.freeze({
  side_to_move: 'side',
  castling_rights: 'castling',
  ep_square: 'ep',
  halfmove_clock: 'halfmove',
  fullmove_number: 'fullmove',
});

/** @param {Provenance} source @returns {Record<string, Provenance>} */
export const allFrom = (source) =>
  Object.fromEntries(['placement', ...Object.keys(FIELDS)].map((name) => [name, source]));

/** @type {Doc} */
const START_DOC = {
  board: fen.START,
  side: 'w',
  castling: 'KQkq',
  ep: '-',
  halfmove: '0',
  fullmove: '1',
  text: null,
  from: allFrom('user'),
  was: {},
  evidence: {},
  squares: null,
  bottom: 'white',
  orientation: null,
  corners: null,
  snapped: null,
  read: null,
};

/** @template T @param {T} value @returns {T} frozen to the bottom */
export function freeze(value) {
  if (value && typeof value === 'object' && !Object.isFrozen(value)) {
    Object.freeze(value);
    Object.values(value).forEach(freeze);
  }
  return value;
}

/** @param {Partial<Doc>} [patch] @returns {History} */
export const freshHistory = (patch = {}) => freeze({ past: [], now: { ...START_DOC, ...patch }, future: [], accepted: null });

/** @returns {State} */
export function initialState() {
  return freeze({
    works: [{ id: 0, name: '', status: 'blank', error: null, progress: null, boards: [freshHistory()], board: 0, opened: false, source: null }],
    current: 0,
    focus: 0,
    tool: '',
    turned: false,
    mode: 'picture',
    order: 'come',
    overlay: 0.7,
    check: null,
    engine: { phase: 'starting', stage: 'download', loaded: 0, total: 0, share: 0, code: '', params: {} },
  });
}

/** @param {State} s @param {Partial<State>} patch @returns {State} */
export const patch = (s, patch) => freeze({ ...s, ...patch });

/** Whether two states differ in no more than how far Python's loading has come, as they do many times a second. @param {State} a @param {State} b */
export const differInLoading = (a, b) =>
  a.engine !== b.engine && a.engine.phase === b.engine.phase && a.engine.code === b.engine.code && Object.entries({ ...a, engine: b.engine }).every(([name, value]) => value === /** @type {any} */ (b)[name]);

/** @param {State} s @param {number} [id] @returns {Work} */
export const workOf = (s, id = s.current) => s.works.find((w) => w.id === id) ?? s.works[0];
/** @param {State} s @returns {History} */
export const historyOf = (s) => workOf(s).boards[workOf(s).board];
/** @param {State} s @returns {Doc} */
export const docOf = (s) => historyOf(s).now;
/** @param {Doc} doc @returns {string} what stands in the FEN field */
export const textOf = (doc) => doc.text ?? fen.makeFen(doc);
/** @param {State} s @returns {'white' | 'black'} the side shown at the bottom */
export const bottomShown = (s) => ((docOf(s).bottom === 'white') !== s.turned ? 'white' : 'black');
/** @param {State} s @returns {any} the checker's answer, when it is about what is shown */
export const checkOf = (s) => (s.check && s.check.text === textOf(docOf(s)) ? s.check.result : null);

/** @param {Doc} doc @returns {number[]} squares that nobody has settled yet, FEN indices */
export function unsureSquares(doc) {
  return (doc.squares ?? []).flatMap((q, i) => (q.unsure && !q.looked ? [i] : []));
}

/** @param {State} s @param {number} id @param {Partial<Work>} change @returns {State} */
export function patchWork(s, id, change) {
  return patch(s, { works: s.works.map((w) => (w.id === id ? { ...w, ...change } : w)) });
}

/** @param {State} s @param {History} history @returns {State} */
export function putHistory(s, history) {
  const work = workOf(s);
  return patchWork(s, work.id, { boards: work.boards.map((h, i) => (i === work.board ? history : h)) });
}

/**
 * Make the document's next version; the former one can be had back by undo. A change that changes nothing is none.
 * @param {State} s @param {Partial<Doc>} change @returns {State}
 */
export function edit(s, change) {
  const { past, now, accepted } = historyOf(s);
  const next = { ...now, text: null, was: {}, ...change };
  if (JSON.stringify({ ...next, was: null }) === JSON.stringify({ ...now, was: null })) return s;
  return putHistory(s, freeze({ past: [...past, now], now: next, future: [], accepted }));
}

/** @param {State} s @returns {State} */
export function undo(s) {
  const { past, now, future, accepted } = historyOf(s);
  if (!past.length) return s;
  return putHistory(s, freeze({ past: past.slice(0, -1), now: past[past.length - 1], future: [now, ...future], accepted }));
}

/** @param {State} s @returns {State} */
export function redo(s) {
  const { past, now, future, accepted } = historyOf(s);
  if (!future.length) return s;
  return putHistory(s, freeze({ past: [...past, now], now: future[0], future: future.slice(1), accepted }));
}

/** @param {Doc} doc @param {Partial<Doc>} change @returns {Record<string, string>} what stood in each field that it changes */
export const altered = (doc, change) => Object.fromEntries(Object.entries(FIELDS)
  .filter(([, key]) => change[key] !== undefined && change[key] !== doc[key]).map(([name, key]) => [name, doc[key]]));

/** @param {Doc} doc @param {number[]} indices @returns {ReadSquare[] | null} with these squares settled */
function settled(doc, indices) {
  return doc.squares && doc.squares.map((q, i) => (indices.includes(i) ? { ...q, looked: true } : q));
}

/** @param {State} s @param {number} index @param {string} letter @returns {State} */
export function setPiece(s, index, letter) {
  const doc = docOf(s);
  return edit(s, {
    board: fen.withPiece(doc.board, index, letter),
    squares: settled(doc, [index]),
    from: { ...doc.from, placement: doc.board[index] === letter ? doc.from.placement : 'user' },
  });
}

/** @param {State} s @param {number} origin @param {number} target @returns {State} */
export function movePiece(s, origin, target) {
  const doc = docOf(s);
  if (origin === target) return s;
  const board = fen.withPiece(fen.withPiece(doc.board, target, doc.board[origin]), origin, '.');
  return edit(s, { board, squares: settled(doc, [origin, target]), from: { ...doc.from, placement: 'user' } });
}

/** @param {State} s @param {string} board @returns {State} the whole board set by the person */
export function setBoard(s, board) {
  const doc = docOf(s);
  const all = Array.from({ length: 64 }, (_, i) => i);
  const change = { board, squares: settled(doc, all), from: { ...doc.from, placement: /** @type {Provenance} */ ('user') } };
  if (board !== fen.START) return edit(s, change);
  const fields = { side: 'w', castling: 'KQkq', ep: '-', halfmove: '0', fullmove: '1' };
  return edit(s, { ...change, ...fields, from: allFrom('user'), was: altered(doc, fields) });
}

/** @param {State} s @param {keyof typeof FIELDS} field @param {string} value @returns {State} */
export function setField(s, field, value) {
  const doc = docOf(s);
  return edit(s, { [FIELDS[field]]: value, from: { ...doc.from, [field]: 'user' } });
}

/**
 * Take a text as the position. Where it is a FEN the board follows; else the board stays and the text is kept.
 * @param {State} s
 * @param {string} text
 * @param {boolean} [asTyped] keep the text itself in the field (a person is typing), not the canonical form
 * @returns {State}
 */
export function setText(s, text, asTyped = false) {
  const doc = docOf(s);
  const parsed = fen.parseFen(text);
  if (!parsed) return edit(s, { text });
  const { position, given } = parsed;
  /** @type {Record<string, Provenance>} */
  const from = { ...doc.from };
  ['placement', ...Object.keys(FIELDS)].forEach((name, i) => {
    const key = /** @type {keyof Doc} */ (i ? Object.values(FIELDS)[i - 1] : 'board');
    if (position[/** @type {keyof fen.Position} */ (key)] !== doc[key]) from[name] = i < given ? 'user' : 'assumed';
  });
  const changed = [...position.board].flatMap((letter, i) => (letter === doc.board[i] ? [] : [i]));
  const canonical = fen.makeFen(position) === text;
  return edit(s, { ...position, text: asTyped && !canonical ? text : null, squares: settled(doc, changed), from });
}

/** @param {State} s @param {number} index @returns {State} the square is right as it is */
export function keepSquare(s, index) {
  const doc = docOf(s);
  return doc.squares ? edit(s, { squares: settled(doc, [index]) }) : s;
}

/** @param {State} s @param {number} [step] 1 or -1 @returns {State} focus on the next unsure square */
export function nextUnsure(s, step = 1) {
  const list = unsureSquares(docOf(s));
  if (!list.length) return s;
  const ordered = step > 0 ? list : [...list].reverse();
  return patch(s, { focus: ordered.find((i) => (i - s.focus) * step > 0) ?? ordered[0] });
}

/** What a picture has before it is read: no men, nothing known. */
const unread = () => freshHistory({ board: fen.EMPTY, castling: '-', from: allFrom('assumed') });

/** @param {number} id @param {string} name @param {Partial<Work>} [more] @returns {Work} */
export const freshWork = (id, name, more = {}) => ({ id, name, status: 'queued', error: null, progress: null, board: 0, boards: [unread()], opened: false, source: null, ...more });

/** @param {State} s @param {number} id @param {string} name @param {Partial<Work>} [more] @returns {State} one more picture, shown if nothing else is */
export function addWork(s, id, name, more = {}) {
  const blank = workOf(s).status === 'blank';
  return patch(s, { works: [...s.works, freshWork(id, name, more)], ...(blank ? { current: id, turned: false, mode: 'picture' } : {}) });
}

/** @param {State} s @param {number} id @returns {State} */
export function removeWork(s, id) {
  const at = s.works.findIndex((w) => w.id === id);
  const works = s.works.filter((w) => w.id !== id || w.status === 'blank');
  const near = works[Math.min(at, works.length - 1)];
  return patch(s, { works, current: s.current === id ? near.id : s.current });
}

/** @param {History} h @returns {boolean} whether the person has done something with it */
export const touched = (h) => h.past.length > 0 || h.future.length > 0 || h.accepted !== null;

/** @param {State} s @param {number} id @returns {State} */
export const pickWork = (s, id) => patch(s, { current: id, turned: false, mode: 'picture' });

/** @param {State} s @param {number} board @returns {State} */
export const pickBoard = (s, board) => patchWork(s, s.current, { board });

/**
 * The checker has found the FEN in a text that was typed or pasted: the board follows, the text stays as typed.
 * @param {State} s @param {string} text the text that was asked about @param {string} found its FEN @returns {State}
 */
export function follow(s, text, found) {
  const doc = docOf(s);
  const parsed = fen.parseFen(found);
  if (doc.text !== text || !parsed) return s;
  const changed = [...parsed.position.board].flatMap((letter, i) => (letter === doc.board[i] ? [] : [i]));
  return putHistory(s, freeze({ ...historyOf(s), now: { ...doc, ...parsed.position, squares: settled(doc, changed) } }));
}
