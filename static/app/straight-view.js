// @ts-check
/** The board of the picture, straightened, with the read pieces laid over it: square against square with the board. */
import { drawMark, marksOf } from './board-marks.js';
import { byId, colours, fitCanvas, onceAFrame } from './dom.js';
import { drawEvidence } from './evidence-marks.js';
import { straighten } from './geometry.js';
import { drawPiece } from './piece-art.js';
import * as st from './state.js';

const SIDE_PX = 480;

/** @param {import('./app.js').App} app */
export function mountStraight(app) {
  const { store, media } = app;
  const box = byId('straight-view');
  /** @type {HTMLCanvasElement} */
  const canvas = byId('straight');
  const flat = document.createElement('canvas');
  flat.width = flat.height = SIDE_PX;
  let made = '';

  /** @param {st.Doc} doc */
  function straightened(doc) {
    const key = `${store.state.current}:${JSON.stringify(doc.corners)}`;
    const pixels = media.pixels(store.state.current);
    if (!pixels || !doc.corners) return false;
    if (key !== made) {
      made = key;
      const image = straighten(pixels.data, pixels.scale, doc.corners, 0, 0, 8, SIDE_PX);
      /** @type {any} */ (flat.getContext('2d')).putImageData(image, 0, 0);
    }
    return true;
  }

  function paint() {
    const state = store.state;
    const doc = st.docOf(state);
    const side = box.clientWidth;
    if (state.mode !== 'straight' || !side || !doc.squares || !straightened(doc)) return;
    const ctx = fitCanvas(canvas, side, side);
    ctx.imageSmoothingQuality = 'high';
    ctx.drawImage(flat, 0, 0, side, side);
    const size = side / 8;
    const [paper, doubt, fault, focus] = colours('board-light', 'mark-doubt', 'mark-fault', 'mark-focus');
    const marks = marksOf(doc, app.jobs.verdict(state));
    ctx.globalAlpha = state.overlay * 0.75;
    ctx.fillStyle = paper;
    ctx.fillRect(0, 0, side, side);
    doc.squares.forEach((read, i) => {
      const x = (read.seen % 8) * size;
      const y = (read.seen >> 3) * size;
      ctx.globalAlpha = state.overlay;
      if (doc.board[i] !== '.') drawPiece(ctx, doc.board[i], x + size * 0.08, y + size * 0.08, size * 0.84);
      ctx.globalAlpha = 1;
      const mark = marks.get(i);
      if (mark) drawMark(ctx, mark, x, y, size, mark === 'doubt' ? doubt : fault, i === state.focus);
      if (i === state.focus) {
        ctx.strokeStyle = focus;
        ctx.lineWidth = 3;
        ctx.strokeRect(x + 1.5, y + 1.5, size - 3, size - 3);
      }
    });
    drawEvidence(ctx, doc, (u, v) => [u * size, v * size], null);
  }
  const draw = onceAFrame(paint);

  /** @param {PointerEvent} event */
  function point(event) {
    const { squares } = st.docOf(store.state);
    const area = canvas.getBoundingClientRect();
    const seen = Math.floor(((event.clientY - area.top) / area.height) * 8) * 8 + Math.floor(((event.clientX - area.left) / area.width) * 8);
    const i = squares ? squares.findIndex((q) => q.seen === seen) : -1;
    if (i >= 0) store.set(st.patch(store.state, { focus: i }));
  }
  canvas.addEventListener('pointerdown', point);
  canvas.addEventListener('pointermove', (event) => {
    if (event.pointerType === 'mouse') point(event);
  });
  byId('overlay').addEventListener('input', (/** @type {any} */ event) => {
    store.set(st.patch(store.state, { overlay: Number(event.target.value) }));
  });
  new ResizeObserver(draw).observe(box);

  /** @type {import('./app.js').Render} */
  return (state) => {
    const straight = state.mode === 'straight';
    box.hidden = !straight;
    byId('straight-tools').hidden = !straight;
    if (straight) byId('picture-tools').hidden = true; // else as the picture has it
    draw();
  };
}
