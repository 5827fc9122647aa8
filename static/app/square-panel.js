// @ts-check
/** The square in focus: as printed and enlarged, what was read there, and what else it may be, at one tap. */
import { byId, el, fitCanvas } from './dom.js';
import * as fen from './fen.js';
import { straighten } from './geometry.js';
import { pieceUrl } from './palette.js';
import * as st from './state.js';

const CROP_PX = 112;
const AROUND = 0.3; // of a square, on each side

/** @param {import('./app.js').App} app @returns {import('./app.js').Render} */
export function mountSquarePanel(app) {
  const { store, media } = app;
  const panel = byId('square-panel');
  const title = el('h3', { id: 'square-title' });
  const crop = el('canvas', { class: 'crop', role: 'img' });
  const said = el('p', { class: 'soft' });
  const choices = el('div', { class: 'row choices' });
  panel.append(crop, el('div', { class: 'beside' }, title, said, choices));
  let drawn = '';

  /** @param {st.Doc} doc @param {number} i */
  function enlarge(doc, i) {
    const pixels = media.pixels(store.state.current);
    const read = doc.squares?.[i];
    const key = `${store.state.current}:${JSON.stringify(doc.corners)}:${read?.seen}`;
    crop.hidden = !pixels;
    if (!pixels || !doc.corners || !read || key === drawn) return;
    drawn = key;
    const image = straighten(pixels.data, pixels.scale, doc.corners, (read.seen % 8) - AROUND, (read.seen >> 3) - AROUND, 1 + 2 * AROUND, CROP_PX);
    const flat = new OffscreenCanvas(CROP_PX, CROP_PX);
    /** @type {any} */ (flat.getContext('2d')).putImageData(image, 0, 0);
    fitCanvas(crop, CROP_PX, CROP_PX).drawImage(flat, 0, 0, CROP_PX, CROP_PX);
  }

  /** @param {string} letter @param {string} text @param {boolean} now @param {() => void} take */
  function choice(letter, text, now, take) {
    const picture = letter === '.' ? null : el('img', { src: pieceUrl(letter), alt: '', width: 32, height: 32 });
    return el('button', { type: 'button', class: 'choice', 'aria-pressed': String(now), 'data-piece': letter, onclick: take },
      picture, el('span', {}, app.t.piece(letter), ' ', el('b', {}, text)));
  }

  return (state, before) => {
    const doc = st.docOf(state);
    const read = doc.squares?.[state.focus];
    panel.hidden = !read || st.workOf(state).status === 'blank';
    if (panel.hidden || !read) return;
    enlarge(doc, state.focus);
    if (before && before.focus === state.focus && st.docOf(before) === doc) return;
    const square = fen.squareName(state.focus);
    const letter = doc.board[state.focus];
    title.textContent = app.t('ui.square', { square });
    crop.setAttribute('aria-label', app.t('ui.as-printed', { square }));
    const changed = letter !== read.piece;
    said.textContent = app.t(changed ? 'ui.square-changed' : read.looked ? 'ui.square-kept' : read.unsure ? 'ui.square-unsure' : 'ui.square-sure',
      { piece: app.t.piece(read.piece), percent: app.t.percent(read.probability) });
    const offered = [/** @type {[string, number]} */ ([read.piece, read.probability]), ...read.alternatives]
      .filter(([, p], k) => k === 0 || p >= 0.001).slice(0, 4);
    const focused = /** @type {HTMLElement | null} */ (panel.contains(document.activeElement) ? document.activeElement : null)?.dataset.piece;
    choices.replaceChildren(...offered.map(([piece, p]) => choice(piece, app.t.percent(p), piece === letter, () => {
      store.set(piece === letter ? st.keepSquare(store.state, state.focus) : st.setPiece(store.state, state.focus, piece));
    })));
    if (read.unsure && !read.looked && !changed) {
      choices.append(el('button', { type: 'button', class: 'quiet', 'data-piece': 'keep', onclick: () => app.act('keep') }, app.t('ui.keep')));
    }
    if (focused) {
      const again = /** @type {HTMLElement | null} */ (choices.querySelector(`[data-piece="${focused}"]`) ?? choices.querySelector('button'));
      again?.focus();
    }
  };
}
