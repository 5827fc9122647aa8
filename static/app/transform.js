// @ts-check
/** The four ways to mend a board that was read the wrong way, and the checker's cures: what each does to every field. */
import * as fen from './fen.js';
import * as st from './state.js';

/**
 * Turn the board by 180°, mirror it (a ↔ h), reverse its ranks (1 ↔ 8), or exchange the colours: four ways to mend how
 * a board was read. Side to move and counters stay; of the castling rights those stay that still can be; the en passant
 * square stays, or goes along with its pawn, or goes (`fen.carry`). What a field held before stands in `was`.
 * @param {st.State} s
 * @param {fen.Transformation} how
 * @returns {st.State}
 */
export function transform(s, how) {
  const doc = st.docOf(s);
  const { squares } = doc;
  const board = fen.TRANSFORMED[how](doc.board);
  const fields = fen.carry(how, board, doc);
  const was = st.altered(doc, fields);
  /** @type {Record<string, st.Provenance>} */
  const from = { ...doc.from, placement: 'user' };
  for (const name of Object.keys(was)) from[name] = 'user';
  /** @type {Partial<st.Doc>} */
  const change = { board, ...fields, was, from, evidence: movedEvidence(doc.evidence, how) };
  if (how === 'colours') {
    change.squares = squares && squares.map((q) => ({
      ...q,
      piece: fen.otherColour(q.piece),
      alternatives: q.alternatives.map(([letter, p]) => [fen.otherColour(letter), p]),
    }));
    return st.edit(s, change);
  }
  change.squares = squares && fen.moved(how, squares);
  if (how !== 'turn' || !squares) return st.edit(s, change);
  // With a picture the men stay where they are seen and the names of the squares turn round them.
  from.placement = doc.from.placement;
  const next = st.edit(s, { ...change, bottom: doc.bottom === 'white' ? 'black' : 'white', orientation: null });
  return st.patch(next, { focus: 63 - s.focus });
}

/** The squares that evidence names lie where they lay in the picture; their names change. @param {Record<string, any>} evidence @param {fen.Transformation} how */
const movedEvidence = (evidence, how) => Object.fromEntries(Object.entries(evidence).map(([field, list]) =>
  [field, Array.isArray(list) ? list.map((e) => (e?.squares ? { ...e, squares: e.squares.map((/** @type {string} */ q) => fen.movedSquare(how, q)) } : e)) : list]));

/** What the checker calls the four transformations. @type {Readonly<Record<string, fen.Transformation>>} */
const CURES = Object.freeze({ turn: 'turn', mirror: 'mirror', 'reverse-ranks': 'ranks', 'exchange-colours': 'colours' });

/**
 * Take a cure that the checker offers. A board that is turned, mirrored or exchanged keeps its squares on their part of
 * the picture, which the text alone would not.
 * @param {st.State} s @param {{code: string, fen: string}} fix @returns {st.State}
 */
export function applyFix(s, { code, fen: text }) {
  const doc = st.docOf(s);
  const turned = CURES[code] && doc.squares ? transform(s, CURES[code]) : s;
  if (turned !== s && st.textOf(st.docOf(turned)) === text) return turned;
  const next = st.setText(s, text);
  const history = st.historyOf(next);
  const { now } = history;
  return next === s ? s : st.putHistory(next, st.freeze({ ...history, now: { ...now, was: st.altered(doc, now) } }));
}
