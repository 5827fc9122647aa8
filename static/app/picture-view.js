// @ts-check
/**
 * The picture on a canvas, with the boards found in it. Zoom and pan by wheel, pinch and keys; the four corners are
 * handles (corners.js). Only what is needed for drawing lives here: the corners themselves are the document's.
 */
import { byId, colours, fitCanvas, onceAFrame } from './dom.js';
import { drawEvidence } from './evidence-marks.js';
import { boardHomography, contains, project } from './geometry.js';
import { mountCorners } from './corners.js';
import * as st from './state.js';

/** @typedef {import('./geometry.js').Point} Point */

const MOST_ZOOM = 12;

/** @param {import('./app.js').App} app */
export function mountPicture(app) {
  const { store, media } = app;
  const box = byId('view');
  /** @type {HTMLCanvasElement} */
  const canvas = byId('picture');
  /** What is shown: `zoom` 1 fits the picture; the centre in picture pixels. */
  let view = { zoom: 1, x: 0, y: 0 };
  let shownId = -1;

  const picture = () => media.get(store.state.current);

  /** Screen pixels for one of the picture. */
  function scale() {
    const p = picture();
    if (!p?.width) return 1;
    return Math.min(box.clientWidth / p.width, box.clientHeight / p.height) * view.zoom;
  }
  /** @param {Point} p of the picture @returns {Point} of the box */
  const toScreen = ([x, y]) => {
    const k = scale();
    return [(x - view.x) * k + box.clientWidth / 2, (y - view.y) * k + box.clientHeight / 2];
  };
  /** @param {Point} p of the box @returns {Point} of the picture */
  const toPicture = ([x, y]) => {
    const k = scale();
    return [(x - box.clientWidth / 2) / k + view.x, (y - box.clientHeight / 2) / k + view.y];
  };
  /** @param {PointerEvent | WheelEvent} event @returns {Point} */
  const inBox = (event) => {
    const area = box.getBoundingClientRect();
    return [event.clientX - area.left - box.clientLeft, event.clientY - area.top - box.clientTop];
  };

  function settle() {
    const p = picture();
    if (!p?.width) return;
    view.zoom = Math.min(Math.max(view.zoom, 1), MOST_ZOOM);
    const k = scale();
    const [halfW, halfH] = [box.clientWidth / 2 / k, box.clientHeight / 2 / k];
    view.x = halfW * 2 >= p.width ? p.width / 2 : Math.min(Math.max(view.x, halfW), p.width - halfW);
    view.y = halfH * 2 >= p.height ? p.height / 2 : Math.min(Math.max(view.y, halfH), p.height - halfH);
    box.classList.toggle('zoomed', view.zoom > 1);
    draw();
  }

  /** @param {number} factor @param {Point} [at] stays where it is */
  function zoomBy(factor, at = [box.clientWidth / 2, box.clientHeight / 2]) {
    const fixed = toPicture(at);
    view.zoom = Math.min(Math.max(view.zoom * factor, 1), MOST_ZOOM);
    const now = toPicture(at);
    view.x += fixed[0] - now[0];
    view.y += fixed[1] - now[1];
    settle();
  }

  function fit() {
    view = { zoom: 1, x: 0, y: 0 };
    settle();
  }

  const corners = mountCorners(app, { box, toScreen, toPicture, inBox, redraw: () => draw() });

  /** @param {CanvasRenderingContext2D} ctx @param {Point[]} c @param {boolean} whole with its lines */
  function outline(ctx, c, whole) {
    const m = boardHomography(c);
    /** @param {number} u0 @param {number} v0 @param {number} u1 @param {number} v1 */
    const line = (u0, v0, u1, v1) => {
      ctx.moveTo(...toScreen(project(m, u0, v0)));
      ctx.lineTo(...toScreen(project(m, u1, v1)));
    };
    const [bright, dark] = colours('outline', 'outline-dark');
    if (whole) {
      ctx.beginPath();
      for (let k = 1; k < 8; k++) {
        line(k, 0, k, 8);
        line(0, k, 8, k);
      }
      ctx.lineWidth = 1;
      ctx.strokeStyle = bright;
      ctx.globalAlpha = 0.55;
      ctx.stroke();
      ctx.globalAlpha = 1;
    }
    ctx.beginPath();
    c.forEach((p, i) => ctx[i ? 'lineTo' : 'moveTo'](...toScreen(p)));
    ctx.closePath();
    for (const [width, colour] of /** @type {[number, string][]} */ ([[whole ? 4 : 3.5, dark], [whole ? 2 : 1.5, bright]])) {
      ctx.lineWidth = width;
      ctx.strokeStyle = colour;
      ctx.setLineDash(whole ? [] : [7, 5]);
      ctx.stroke();
    }
    ctx.setLineDash([]);
  }

  function paint() {
    const p = picture();
    if (!box.clientWidth || !p) return;
    const ctx = fitCanvas(canvas, box.clientWidth, box.clientHeight);
    const k = scale();
    if (p.bitmap) {
      const [x, y] = toScreen([0, 0]);
      ctx.imageSmoothingQuality = 'high';
      ctx.imageSmoothingEnabled = k * (p.width / p.bitmap.width) < 3;
      ctx.drawImage(p.bitmap, x, y, p.width * k, p.height * k);
    }
    const work = st.workOf(store.state);
    work.boards.forEach((history, i) => {
      if (i !== work.board && history.now.corners) outline(ctx, history.now.corners, false);
    });
    const shown = corners.shown();
    if (shown) {
      outline(ctx, shown, true);
      const m = boardHomography(shown);
      drawEvidence(ctx, st.docOf(store.state), (u, v) => toScreen(project(m, u, v)), toScreen);
    }
    corners.place(ctx);
  }
  const draw = onceAFrame(paint);

  /** @type {Map<number, Point>} */
  const fingers = new Map();
  let travelled = 0;

  box.addEventListener('pointerdown', (/** @type {PointerEvent} */ event) => {
    if (event.target !== canvas) return;
    fingers.set(event.pointerId, inBox(event));
    travelled = 0;
    canvas.setPointerCapture(event.pointerId);
  });
  box.addEventListener('pointermove', (/** @type {PointerEvent} */ event) => {
    const was = fingers.get(event.pointerId);
    if (!was) return;
    const now = inBox(event);
    const others = [...fingers].filter(([id]) => id !== event.pointerId);
    if (others.length) {
      const [, other] = others[0];
      const before = Math.hypot(was[0] - other[0], was[1] - other[1]);
      const after = Math.hypot(now[0] - other[0], now[1] - other[1]);
      zoomBy(after / Math.max(before, 1), [(now[0] + other[0]) / 2, (now[1] + other[1]) / 2]);
      travelled = 99;
    } else if (view.zoom > 1) {
      const k = scale();
      view.x -= (now[0] - was[0]) / k;
      view.y -= (now[1] - was[1]) / k;
      settle();
    }
    travelled += Math.hypot(now[0] - was[0], now[1] - was[1]);
    fingers.set(event.pointerId, now);
  });
  box.addEventListener('pointerup', (/** @type {PointerEvent} */ event) => {
    if (!fingers.delete(event.pointerId) || travelled > 6) return;
    const at = toPicture(inBox(event));
    if (corners.click(at)) return;
    const work = st.workOf(store.state);
    const hit = work.boards.findIndex(({ now }) => now.corners && contains(now.corners, at));
    if (hit >= 0 && hit !== work.board) store.set(st.pickBoard(store.state, hit));
  });
  box.addEventListener('pointercancel', (/** @type {PointerEvent} */ event) => fingers.delete(event.pointerId));
  box.addEventListener('wheel', (/** @type {WheelEvent} */ event) => {
    // a page that scrolls by must not be caught: the wheel zooms with Ctrl (so does a pinch), or once the picture is in use
    if (!event.ctrlKey && !box.contains(document.activeElement)) return;
    event.preventDefault();
    zoomBy(Math.exp(-event.deltaY * (event.ctrlKey ? 0.01 : 0.002)), inBox(event));
  }, { passive: false });
  box.addEventListener('keydown', (/** @type {KeyboardEvent} */ event) => {
    if (event.target !== box || event.ctrlKey || event.metaKey || event.altKey) return;
    const step = 40 / scale();
    /** @type {Record<string, () => void>} */
    const keys = {
      '+': () => zoomBy(1.25), '=': () => zoomBy(1.25), '-': () => zoomBy(0.8), 0: fit,
      ArrowLeft: () => { view.x -= step; settle(); },
      ArrowRight: () => { view.x += step; settle(); },
      ArrowUp: () => { view.y -= step; settle(); },
      ArrowDown: () => { view.y += step; settle(); },
      Escape: () => corners.stop(),
    };
    if (!keys[event.key]) return;
    keys[event.key]();
    event.preventDefault();
  });
  new ResizeObserver(() => settle()).observe(box);

  return {
    zoomBy,
    fit,
    placeCorners: corners.start,
    stopPlacing: corners.stop,
    isPlacing: corners.isPlacing,
    /** @type {import('./app.js').Render} */
    render(state) {
      const p = picture();
      byId('viewer').hidden = !p;
      byId('drop').hidden = !!p;
      if (!p) return;
      // What cannot be opened has nothing to be shown, and a PDF file only its pages.
      const nothing = !p.width && ['failed', 'opening', 'choosing'].includes(st.workOf(state).status);
      box.hidden = state.mode !== 'picture' || nothing;
      byId('picture-tools').hidden = nothing;
      if (p.width) box.style.aspectRatio = String(Math.min(Math.max(p.width / p.height, 0.8), 1.9));
      if (state.current !== shownId) {
        shownId = state.current;
        corners.stop();
        fit();
        media.show(state.current).then(draw, () => undefined);
      }
      corners.render();
      draw();
    },
  };
}
