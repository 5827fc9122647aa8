// @ts-check
/**
 * What can be drawn of a text at once, before Python has said what is wrong with it: as many ranks as there are, each
 * as far as it goes. Pure; it judges nothing.
 *
 * @typedef {object} Sketch
 * @property {string} board          64 letters in FEN order, '.' where nothing stands or nothing is told
 * @property {Map<number, string>} strange  FEN index → letter that is no piece
 * @property {boolean} whole         eight ranks of eight known letters
 */
import { EMPTY, parsePlacement } from '../app/fen.js';

const MOST = 2000; // letters looked at: a placement has 71 at most

/**
 * @param {string} text
 * @returns {Sketch | null} null where the text shows no ranks
 */
export function sketch(text) {
  const placement = text.slice(0, MOST).trim().split(/[\s_]+/)[0];
  // A tag, an address, a sentence: what the ranks are is for the checker to say.
  if (!/^[^\s/\\]{1,16}[/\\]/.test(placement) || /[:"'[\](){}=%?#]/.test(placement)) return null;
  const known = placement.match(/[1-8PNBRQKpnbrqk/\\]/g)?.length ?? 0;
  if (known < placement.length / 2) return null;
  const exact = parsePlacement(placement);
  if (exact) return { board: exact, strange: new Map(), whole: true };
  const letters = [...EMPTY];
  /** @type {Map<number, string>} */
  const strange = new Map();
  placement.split(/[/\\]/).slice(0, 8).forEach((rank, r) => {
    let file = 0;
    for (const letter of rank) {
      if (file > 7) break;
      if (/[0-9]/.test(letter)) file += Number(letter);
      else {
        if (/[PNBRQKpnbrqk]/.test(letter)) letters[r * 8 + file] = letter;
        else strange.set(r * 8 + file, letter);
        file += 1;
      }
    }
  });
  return { board: letters.join(''), strange, whole: false };
}
