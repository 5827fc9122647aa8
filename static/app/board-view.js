// @ts-check
/**
 * The board on a canvas: draws it, and lets a pointer move, stamp and erase. Keyboard and screen reader have the
 * grid that lies over it (board-grid.js); both change the same state.
 */
import { drawMark, marksOf } from './board-marks.js';
import { byId, colours, fitCanvas, onceAFrame } from './dom.js';
import { drawPiece } from './piece-art.js';
import { doneWords } from './say.js';
import * as st from './state.js';

const DRAG_PX = 5; // a finger trembles less than this
const LONG_PRESS_MS = 550;

/** @typedef {{letter: string, from: number, x: number, y: number, moved: boolean}} Drag `from` is -1 from the palette */

/** @param {import('./app.js').App} app @returns {{render: import('./app.js').Render, paint: () => void, dragFromPalette: (event: PointerEvent, letter: string) => void}} */
export function mountBoard(app) {
  const { store } = app;
  const box = byId('board');
  /** @type {HTMLCanvasElement} */
  const canvas = byId('board-canvas');
  const grid = byId('board-grid');
  /** @type {Drag | null} */
  let drag = null;
  let painting = '';
  let press = 0;

  /** Which square lies at a place of the screen; -1 outside. @param {PointerEvent | MouseEvent} event */
  function squareAt(event) {
    const area = grid.getBoundingClientRect();
    const f = Math.floor(((event.clientX - area.left) / area.width) * 8);
    const r = Math.floor(((event.clientY - area.top) / area.height) * 8);
    if (f < 0 || f > 7 || r < 0 || r > 7) return -1;
    const seen = r * 8 + f;
    return st.bottomShown(store.state) === 'white' ? seen : 63 - seen;
  }

  function paint() {
    const state = store.state;
    const doc = st.docOf(state);
    const whole = box.getBoundingClientRect();
    const area = grid.getBoundingClientRect();
    if (!area.width) return;
    const size = area.width / 8;
    const left = area.left - whole.left;
    const top = area.top - whole.top;
    const ctx = fitCanvas(canvas, whole.width, whole.height);
    const [light, dark, letters, hair, doubt, fault, focusColour] = colours(
      'board-light', 'board-dark', 'board-letter', 'edge', 'mark-doubt', 'mark-fault', 'mark-focus');
    const white = st.bottomShown(state) === 'white';
    const marks = marksOf(doc, app.jobs.verdict(state));
    for (let seen = 0; seen < 64; seen++) {
      const i = white ? seen : 63 - seen;
      const x = left + (seen % 8) * size;
      const y = top + (seen >> 3) * size;
      ctx.fillStyle = ((seen % 8) + (seen >> 3)) % 2 ? dark : light;
      ctx.fillRect(x, y, size + 0.5, size + 0.5);
      if (doc.board[i] !== '.' && !(drag?.moved && drag.from === i)) drawPiece(ctx, doc.board[i], x, y, size);
      const mark = marks.get(i);
      if (mark) drawMark(ctx, mark, x, y, size, mark === 'doubt' ? doubt : fault, i === state.focus && !!doc.squares);
      if (i === state.focus && doc.squares) {
        ctx.strokeStyle = focusColour;
        ctx.lineWidth = 3;
        ctx.strokeRect(x + 1.5, y + 1.5, size - 3, size - 3);
      }
    }
    ctx.strokeStyle = hair;
    ctx.lineWidth = 1;
    ctx.strokeRect(left - 0.5, top - 0.5, size * 8 + 1, size * 8 + 1);
    ctx.fillStyle = letters;
    ctx.font = `${Math.min(13, Math.max(10, size * 0.24))}px system-ui, sans-serif`;
    ctx.textAlign = 'center';
    ctx.textBaseline = 'middle';
    for (let k = 0; k < 8; k++) {
      ctx.fillText(String(white ? 8 - k : k + 1), left / 2, top + (k + 0.5) * size);
      ctx.fillText('abcdefgh'[white ? k : 7 - k], left + (k + 0.5) * size, top + size * 8 + (whole.height - top - size * 8) / 2 + 1);
    }
    if (drag?.moved) drawPiece(ctx, drag.letter, drag.x - whole.left - size * 0.55, drag.y - whole.top - size * 0.6, size * 1.1);
  }
  const draw = onceAFrame(paint);

  /** @param {st.State} next what a pointer has done, to be said too */
  function become(next) {
    const before = store.state;
    store.set(next);
    if (st.docOf(before) !== st.docOf(next)) app.announce(doneWords(app.t, before, next));
  }

  /** @param {PointerEvent} event */
  function down(event) {
    if (event.button > 0 || (event.target instanceof Element && event.pointerType === 'touch' && !event.isPrimary)) return;
    const i = squareAt(event);
    if (i < 0) return;
    const state = store.state;
    const letter = st.docOf(state).board[i];
    // At once here, as painting over further squares must know what the first one did.
    if (state.tool) {
      painting = state.tool === letter ? '.' : state.tool;
      become(st.setPiece(st.patch(state, { focus: i }), i, painting));
      grid.setPointerCapture(event.pointerId);
      return;
    }
    store.set(st.patch(state, { focus: i }));
    if (letter === '.') return;
    drag = { letter, from: i, x: event.clientX, y: event.clientY, moved: false };
    grid.setPointerCapture(event.pointerId);
    if (event.pointerType === 'touch') {
      press = window.setTimeout(() => {
        if (!drag || drag.moved) return;
        drag = null;
        become(st.setPiece(store.state, i, '.'));
      }, LONG_PRESS_MS);
    }
  }

  /** @param {PointerEvent} event */
  function move(event) {
    if (painting) {
      const i = squareAt(event);
      if (i >= 0 && st.docOf(store.state).board[i] !== painting) store.set(st.setPiece(store.state, i, painting));
      return;
    }
    if (!drag) return;
    if (Math.hypot(event.clientX - drag.x, event.clientY - drag.y) > DRAG_PX || drag.moved) {
      Object.assign(drag, { moved: true, x: event.clientX, y: event.clientY });
      clearTimeout(press);
      draw();
    }
  }

  /** @param {PointerEvent} event */
  function up(event) {
    painting = '';
    clearTimeout(press);
    if (!drag) return;
    const { from, letter, moved } = drag;
    drag = null;
    if (!moved) return;
    const i = squareAt(event);
    let state = store.state;
    if (from < 0) {
      if (i >= 0) state = st.patch(st.setPiece(state, i, letter), { focus: i });
    } else if (i < 0) state = st.setPiece(state, from, '.');
    else state = st.patch(st.movePiece(state, from, i), { focus: i });
    become(state);
    draw();
  }

  function drop() {
    painting = '';
    drag = null;
    clearTimeout(press);
    draw();
  }

  grid.addEventListener('pointerdown', down);
  grid.addEventListener('pointermove', move);
  grid.addEventListener('pointerup', up);
  grid.addEventListener('pointercancel', drop);
  grid.addEventListener('contextmenu', (/** @type {MouseEvent} */ event) => {
    event.preventDefault();
    const i = squareAt(event);
    if (i >= 0 && !drag) become(st.patch(st.setPiece(store.state, i, '.'), { focus: i }));
  });
  new ResizeObserver(draw).observe(box);

  return {
    render: draw,
    paint,
    dragFromPalette(event, letter) {
      drag = { letter, from: -1, x: event.clientX, y: event.clientY, moved: false };
      const stop = new AbortController();
      const options = { signal: stop.signal };
      window.addEventListener('pointermove', move, options);
      window.addEventListener('pointerup', (e) => { stop.abort(); up(e); }, options);
      window.addEventListener('pointercancel', () => { stop.abort(); drop(); }, options);
    },
  };
}
