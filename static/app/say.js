// @ts-check
/** What stands where and what has changed, in words: for a screen reader, and for the notice after an action. */
import * as fen from './fen.js';
import { bottomShown, docOf, FIELDS } from './state.js';

/** @typedef {import('./i18n.js').Translate} Translate */
/** @typedef {import('./state.js').Doc} Doc */
/** @typedef {import('./state.js').State} State */

const FIELD_KEYS = /** @type {Record<string, string>} */ ({
  side_to_move: 'ui.side-to-move', castling_rights: 'ui.castling', ep_square: 'ui.ep', halfmove_clock: 'ui.halfmove', fullmove_number: 'ui.fullmove',
});
const MOST_SQUARES = 3; // more than these are counted, not named

/** @param {Translate} t @param {Doc} doc @param {number} i FEN index @returns {string} "e4, white knight" */
export function squareWords(t, doc, i) {
  const square = fen.squareName(i);
  const piece = t.piece(doc.board[i]);
  const read = doc.squares?.[i];
  if (!read || read.looked || !read.unsure) return t('a11y.square', { square, piece });
  const percent = t.percent(read.probability);
  const other = read.alternatives[0];
  return other
    ? t('a11y.square-unsure-maybe', { square, piece, percent, other: t.piece(other[0]) })
    : t('a11y.square-unsure', { square, piece, percent });
}

/** @param {Translate} t @param {string} field @param {string} value as in the FEN @returns {string} as players say it */
export function valueWords(t, field, value) {
  if (field === 'side_to_move') return t(value === 'w' ? 'side.white' : 'side.black');
  return value === '-' ? t(field === 'castling_rights' ? 'ui.castling-none' : 'ui.ep-none') : value;
}

/** @param {Translate} t @param {Doc} a before @param {Doc} b after @returns {string[]} a sentence for each thing that differs */
export function changeWords(t, a, b) {
  const squares = [...b.board].flatMap((letter, i) => (letter === a.board[i] ? [] : [i]));
  const settled = (b.squares ?? []).flatMap((q, i) => (q.looked !== a.squares?.[i]?.looked ? [i] : []));
  const named = squares.length ? squares : settled;
  const words = named.length > MOST_SQUARES
    ? [t('a11y.squares-changed', { n: named.length })]
    : named.map((i) => `${squareWords(t, b, i)}.`);
  for (const [field, key] of Object.entries(FIELDS)) {
    const [was, now] = [a[key], b[key]];
    if (was !== now) words.push(t('a11y.field-changed', { field: t(FIELD_KEYS[field]), value: valueWords(t, field, now), was: valueWords(t, field, was) }));
  }
  if (JSON.stringify(a.corners) !== JSON.stringify(b.corners)) words.push(t('a11y.corners-changed'));
  return words;
}

/**
 * Say what an action has done.
 * @param {Translate} t @param {State} before @param {State} after
 * @param {boolean} [follows] whether the keyboard's focus goes along on the board, where it is read out by itself
 * @returns {string} '' where there is nothing to say
 */
export function doneWords(t, before, after, follows = false) {
  const [a, b] = [docOf(before), docOf(after)];
  const words = a === b ? [] : changeWords(t, a, b);
  if (bottomShown(before) !== bottomShown(after)) words.push(`${t(`a11y.board-${bottomShown(after)}`)}.`);
  if (!words.length && !follows && before.focus !== after.focus) words.push(`${squareWords(t, b, after.focus)}.`);
  return words.join(' ');
}
