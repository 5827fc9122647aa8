// @ts-check
/** What is printed under or over the diagram, cut out of the picture, beside the side to move: for the person to read. */
import { captions } from './caption.js';
import { byId, el } from './dom.js';
import * as st from './state.js';

const WIDEST_PX = 420;
const HIGHEST_PX = 120;

/** @param {import('./app.js').App} app @returns {import('./app.js').Render} */
export function mountCaption(app) {
  const { media } = app;
  const box = byId('caption');
  let drawn = '';

  return (state, before) => {
    const doc = st.docOf(state);
    const picture = media.get(state.current);
    const work = st.workOf(state);
    if (!doc.corners || !picture?.bitmap) {
      box.hidden = true;
      drawn = '';
      return;
    }
    const key = `${state.current}:${work.board}:${JSON.stringify(doc.corners)}:${app.t.language}`;
    if (key === drawn && before) return;
    const pixels = media.pixels(state.current);
    if (!pixels) return;
    drawn = key;
    const others = work.boards.flatMap((h, i) => (i !== work.board && h.now.corners ? [h.now.corners] : []));
    const found = captions(pixels.data, pixels.scale, doc.corners, others);
    const per = picture.bitmap.width / picture.width;
    // All at one scale, as they stand in the picture.
    const shown = Math.min(per * 2, ...found.map(({ width, height }) => Math.min(WIDEST_PX / width, HIGHEST_PX / height)));
    box.replaceChildren(...found.map(({ x, y, width, height, where }) => {
      const canvas = el('canvas', { role: 'img', 'aria-label': app.t(`ui.caption-${where}`) });
      canvas.width = Math.max(1, Math.round(width * shown));
      canvas.height = Math.max(1, Math.round(height * shown));
      const ctx = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'));
      ctx.imageSmoothingQuality = 'high';
      ctx.drawImage(/** @type {ImageBitmap} */ (picture.bitmap), x * per, y * per, width * per, height * per, 0, 0, canvas.width, canvas.height);
      return el('figure', { 'data-caption': where }, canvas, el('figcaption', { class: 'soft' }, app.t(`ui.caption-${where}`)));
    }));
    box.hidden = !found.length;
  };
}
