// @ts-check
/**
 * All diagrams of all pictures in one file: FEN, EPD, PGN, CSV, JSON; each with the file and the page it came from.
 * Tables have the command line's columns, and say which pictures gave no diagram.
 */
import * as batch from './batch.js';
import { csvLine, epd, pgn } from './diagram.js';
import * as fen from './fen.js';
import * as st from './state.js';

/** @typedef {'fen' | 'epd' | 'pgn' | 'csv' | 'json'} Form */
/** @type {readonly Form[]} */
export const FORMS = Object.freeze(['fen', 'epd', 'pgn', 'csv', 'json']);
export const TYPES = Object.freeze({ fen: 'text/plain', epd: 'text/plain', pgn: 'application/x-chess-pgn', csv: 'text/csv', json: 'application/json' });

/**
 * @typedef {Object} Line
 * @property {string} name the file, the page and the number of the diagram, in words
 * @property {string} file
 * @property {number | null} page of a PDF
 * @property {number} diagram of the picture, from 1
 * @property {st.Doc} doc
 * @property {boolean} accepted
 * @property {string} same name of an earlier diagram with the same position, '' if none
 * @property {string[] | null} problems codes, null where Python has not said
 */

/** @typedef {(text: string) => Promise<any[] | null>} ProblemsOf */

/** @param {st.State} state @param {import('./i18n.js').Translate} t @returns {Line[]} every diagram of every picture, or the one on the board */
export function linesOf(state, t) {
  const found = batch.diagrams(state);
  const same = batch.repeats(found);
  const lines = found.map((d) => {
    const twin = same.get(d.history);
    return {
      name: batch.diagramName(t, d),
      file: d.work.name,
      page: d.work.source?.page || null,
      diagram: d.at + 1,
      doc: d.history.now,
      accepted: batch.isAccepted(d.history),
      same: twin ? batch.diagramName(t, twin) : '',
      problems: null,
    };
  });
  return lines.length ? lines : [{ name: '', file: '', page: null, diagram: 1, doc: st.docOf(state), accepted: false, same: '', problems: null }];
}

/** @param {Line} line */
const unsure = ({ doc }) => st.unsureSquares(doc).map(fen.squareName);

/** Pictures without a diagram, and why. @param {st.State} state */
const withoutDiagram = (state) => state.works
  .filter((w) => ['none', 'failed', 'stopped'].includes(w.status) && !batch.diagramsOf(w).length)
  .map((w) => ({ file: w.name, page: w.source?.page || null, error: w.error?.code ?? (w.status === 'none' ? 'no-board' : w.status) }));

/** @typedef {ReturnType<typeof withoutDiagram>} Without */

/** @type {Record<Form, (lines: Line[], without: Without) => string>} */
const WRITERS = {
  fen: (lines) => lines.map(({ doc }) => `${fen.makeFen(doc)}\n`).join(''),
  epd: (lines) => lines.map(({ doc, name }) => `${epd(doc, name)}\n`).join(''),
  pgn: (lines) => lines.map(({ doc, name }) => pgn(fen.makeFen(doc), name)).join('\n'),
  csv: (lines, without) => [
    ['file', 'page', 'diagram', 'fen', 'bottom', 'unsure', 'problems', 'same_as', 'accepted', 'error'],
    ...lines.map((l) => [l.file, String(l.page ?? ''), String(l.diagram), fen.makeFen(l.doc), l.doc.bottom, unsure(l).join(' '), l.problems?.join(' ') ?? '', l.same, l.accepted ? 'yes' : 'no', '']),
    ...without.map(({ file, page, error }) => [file, String(page ?? ''), '', '', '', '', '', '', '', error]),
  ].map((row) => `${csvLine(row)}\r\n`).join(''),
  json: (lines, without) => `${JSON.stringify([
    ...lines.map((l) => ({
      file: l.file, page: l.page, diagram: l.diagram, fen: fen.makeFen(l.doc), bottom: l.doc.bottom, unsure: unsure(l), problems: l.problems,
      accepted: l.accepted, same_as: l.same || null, error: null,
    })),
    ...without.map((w) => ({ ...w, diagram: null, fen: null })),
  ], null, 1)}\n`,
};

/** @param {st.State} state @param {Form} form @param {import('./i18n.js').Translate} t @param {ProblemsOf} problemsOf */
export async function listText(state, form, t, problemsOf) {
  const lines = linesOf(state, t);
  if (form === 'csv' || form === 'json') {
    for (const line of lines) {
      const text = fen.makeFen(line.doc);
      const found = line.doc.read?.fen === text ? line.doc.read.problems : await problemsOf(text);
      line.problems = found?.map((/** @type {any} */ problem) => problem.code) ?? null;
    }
  }
  return WRITERS[form](lines, withoutDiagram(state));
}
