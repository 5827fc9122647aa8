// @ts-check
/** Where the guide tells more: its pages by language, and which problems have a place of their own there. */

/** Problems with an anchor `#mistake-<code>` in the guide; a test compares them with its pages. */
export const EXPLAINED = new Set([
  'bad-char', 'castling-impossible', 'castling-syntax', 'clock-ahead', 'colours-swapped-suspected', 'digit', 'ep-blocked',
  'ep-no-pawn', 'ep-not-capturable', 'ep-rank', 'ep-syntax', 'field-count', 'fifty-moves', 'fullmove', 'halfmove',
  'impossible-check', 'kings-many', 'kings-missing', 'locked-piece', 'mirrored-suspected', 'misread-suspected',
  'opponent-in-check', 'pawn-edge', 'pawn-structure', 'rank-count', 'rank-sum', 'seventy-five-moves', 'side',
  'too-many-pawns', 'too-many-pieces', 'turn-doubtful', 'upside-down-suspected',
]);

/** @param {string} language @param {string} [anchor] @returns {string} the address in this site */
export const guideAddress = (language, anchor) => `static/guide/${language}.html${anchor ? `#${anchor}` : ''}`;
