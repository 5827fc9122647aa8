// @ts-check
/** All diagrams of all pictures in one file: FEN, EPD, PGN, CSV, JSON; each with the file and the page it came from. */
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
 */

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
    };
  });
  return lines.length ? lines : [{ name: '', file: '', page: null, diagram: 1, doc: st.docOf(state), accepted: false, same: '' }];
}

/** @param {Line} line */
const unsure = ({ doc }) => st.unsureSquares(doc).map(fen.squareName);

/** @type {Record<Form, (lines: Line[]) => string>} */
const WRITERS = {
  fen: (lines) => lines.map(({ doc }) => `${fen.makeFen(doc)}\n`).join(''),
  epd: (lines) => lines.map(({ doc, name }) => `${epd(doc, name)}\n`).join(''),
  pgn: (lines) => lines.map(({ doc, name }) => pgn(fen.makeFen(doc), name)).join('\n'),
  csv: (lines) => [
    ['file', 'page', 'diagram', 'fen', 'bottom', 'unsure', 'accepted', 'same_as'],
    ...lines.map((l) => [l.file, String(l.page ?? ''), String(l.diagram), fen.makeFen(l.doc), l.doc.bottom, unsure(l).join(' '), l.accepted ? 'yes' : 'no', l.same]),
  ].map((row) => `${csvLine(row)}\r\n`).join(''),
  json: (lines) => `${JSON.stringify(lines.map((l) => ({
    file: l.file, page: l.page, diagram: l.diagram, fen: fen.makeFen(l.doc), bottom: l.doc.bottom, unsure: unsure(l), accepted: l.accepted, same_as: l.same || null,
  })), null, 1)}\n`,
};

/** @param {st.State} state @param {Form} form @param {import('./i18n.js').Translate} t */
export const listText = (state, form, t) => WRITERS[form](linesOf(state, t));
