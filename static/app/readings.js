// @ts-check
/**
 * What a reading does to the state: boards as they come one by one, a whole picture, one board read anew.
 *
 * Where it stands: above state.js; jobs.js calls it with what Python answers.
 * What always holds: what a person has made of a diagram is never dropped; a board that is read anew is one step of undo.
 */
import * as fen from './fen.js';
import * as st from './state.js';

/** @typedef {st.State} State */
/** @typedef {st.History} History */
/** @typedef {st.Doc} Doc */
/** @typedef {st.Provenance} Provenance */

const SNAP_PX = 0.5; // what the reading's rounding alone does not explain

/** @param {any} board one of a Reading's boards @returns {Partial<Doc>} */
function docOfReading(board) {
  const parsed = fen.parseFen(board.fen);
  const position = parsed ? parsed.position : { board: fen.parsePlacement(board.placement) ?? fen.EMPTY, side: 'w', castling: '-', ep: '-', halfmove: '0', fullmove: '1' };
  const bottom = board.orientation?.bottom === 'black' ? 'black' : 'white';
  /** @type {Record<string, Provenance>} */
  const from = st.allFrom('assumed');
  /** @type {Record<string, any>} */
  const evidence = {};
  for (const [name, field] of Object.entries(board.fields ?? {})) {
    from[name] = /** @type {any} */ (field).provenance;
    evidence[name] = /** @type {any} */ (field).evidence;
  }
  from.placement = 'read';
  const squares = (board.squares ?? []).map((/** @type {any} */ q, /** @type {number} */ i) => ({
    seen: bottom === 'white' ? i : 63 - i,
    piece: q.piece || '.',
    probability: q.probability,
    unsure: !!q.unsure,
    looked: false,
    alternatives: (q.alternatives ?? []).map((/** @type {[string, number]} */ [letter, p]) => [letter || '.', p]),
  }));
  return {
    ...position,
    text: null,
    from,
    evidence,
    bottom,
    orientation: board.orientation ? { probability: board.orientation.probability, evidence: board.orientation.evidence } : null,
    corners: board.corners,
    snapped: null,
    was: {},
    squares: squares.length === 64 ? squares : null,
    read: { fen: board.fen, problems: board.problems ?? [] },
    profile: board.profile ?? null,
    resembles: board.resembles ?? [],
  };
}

/**
 * A whole picture has been read. What the person has done meanwhile with boards that were there already stays.
 * @param {State} s @param {number} id @param {any} reading @param {boolean} [growing] its boards were taken one by one
 * @returns {State}
 */
export function takeReading(s, id, reading, growing = false) {
  const work = st.workOf(s, id);
  const read = reading.boards.map((/** @type {any} */ b, /** @type {number} */ i) => historyOfReading(work.boards, b, i));
  // What a person has worked on is not dropped because it was not found again.
  const boards = [...read, ...(read.length ? work.boards.filter((h) => h.now.corners && st.touched(h) && !read.includes(h)) : [])];
  if (!boards.length) return st.patchWork(s, id, { status: 'none', error: reading.error ?? null, progress: null });
  const seen = growing && work.boards[0].now.corners;
  const shown = seen ? Math.min(work.board, boards.length - 1) : 0;
  const next = st.patchWork(s, id, { status: 'read', error: null, progress: null, boards, board: shown });
  return id === s.current && !seen ? st.patch(next, { focus: st.unsureSquares(boards[shown].now)[0] ?? 0 }) : next;
}

/**
 * The history of a board that has been read. What a person has made of the diagram in that place stays; what was set up
 * by hand before there was a diagram is one undo away.
 * @param {readonly History[]} before the histories of the work so far
 * @param {any} board one of a Reading's boards
 * @param {number} at which one, from 0
 * @returns {History}
 */
function historyOfReading(before, board, at) {
  const mine = before.find((h) => h.now.corners && st.touched(h) && isSamePlace(h.now.corners, board.corners));
  if (mine) return mine;
  const fresh = st.freshHistory(docOfReading(board));
  const bare = at === 0 ? before[0] : null;
  return bare && !bare.now.corners && st.touched(bare) ? st.freeze({ ...fresh, past: [...bare.past, bare.now] }) : fresh;
}

/** Whether corners are another's to half a square. @param {readonly (readonly number[])[]} a @param {readonly (readonly number[])[]} b */
function isSamePlace(a, b) {
  const side = Math.hypot(b[1][0] - b[0][0], b[1][1] - b[0][1]) / 8;
  return a.every(([x, y], k) => Math.hypot(x - b[k][0], y - b[k][1]) < side / 2);
}

/**
 * A board has been read again, with other corners or from the other side; undo brings the former reading back.
 * @param {State} s
 * @param {number} id the work
 * @param {number} at which of its boards
 * @param {any} board one of a Reading's boards
 * @param {boolean} [instead] in place of the last change, not after it
 * @param {[number, number][] | null} [hand] corners that a person has set roughly: remembered where the reading moved them
 * @returns {State}
 */
export function retakeBoard(s, id, at, board, instead = false, hand = null) {
  const boards = st.workOf(s, id).boards.map((h, i) => {
    if (i !== at) return h;
    const past = h.now.corners && !instead ? [...h.past, h.now] : h.past;
    const snapped = hand?.some(([x, y], k) => Math.hypot(x - board.corners[k][0], y - board.corners[k][1]) > SNAP_PX) ? hand : null;
    return st.freeze({ past, now: { ...h.now, ...docOfReading(board), snapped }, future: [], accepted: h.accepted });
  });
  return st.patchWork(s, id, { status: 'read', error: null, progress: null, boards });
}

/**
 * One board of a picture has been read, the others are still being read.
 * @param {st.State} s @param {number} id @param {any} board one of a Reading's boards @param {number} at which one, from 0
 * @returns {st.State}
 */
export function takeBoard(s, id, board, at) {
  const work = s.works.find((w) => w.id === id);
  if (!work || work.status !== 'reading') return s;
  // What was stopped is read from the start: what a person has done since stays.
  const next = historyOfReading(work.boards, board, at);
  const boards = [...work.boards.slice(0, at), next, ...work.boards.slice(at + 1)];
  const changed = st.patchWork(s, id, { boards, board: Math.min(work.board, boards.length - 1) });
  return at === 0 && id === s.current ? st.patch(changed, { focus: st.unsureSquares(next.now)[0] ?? 0 }) : changed;
}
