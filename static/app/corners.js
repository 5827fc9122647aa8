// @ts-check
/**
 * The four corners of the board on the picture: handles to drag (with a magnifier) or to nudge by arrow keys, and
 * setting all four by clicking. Letting go reads the board again.
 */
import { byId, colours, el, fitCanvas } from './dom.js';
import { boardHomography, isConvex, project } from './geometry.js';
import * as st from './state.js';

/** @typedef {import('./geometry.js').Point} Point */

const NAMES = ['top-left', 'top-right', 'bottom-right', 'bottom-left'];
const NUDGE_MS = 350; // after the last arrow key the board is read again
const LENS_PX = 132;
const LENS_ZOOM = 3;

/**
 * Put four points in the order TL, TR, BR, BL as seen.
 * @param {Point[]} points
 * @returns {Point[]}
 */
export function inOrder(points) {
  const cx = points.reduce((sum, p) => sum + p[0], 0) / 4;
  const cy = points.reduce((sum, p) => sum + p[1], 0) / 4;
  const round = [...points].sort((a, b) => Math.atan2(a[1] - cy, a[0] - cx) - Math.atan2(b[1] - cy, b[0] - cx));
  const first = round.reduce((best, p, i) => (p[0] + p[1] < round[best][0] + round[best][1] ? i : best), 0);
  return [...round.slice(first), ...round.slice(0, first)];
}

/**
 * @param {import('./app.js').App} app
 * @param {{box: HTMLElement, toScreen: (p: Point) => Point, toPicture: (p: Point) => Point, inBox: (e: PointerEvent) => Point, redraw: () => void}} view
 */
export function mountCorners(app, { box, toScreen, toPicture, inBox, redraw }) {
  const { store, media } = app;
  /** @type {HTMLCanvasElement} */
  const lens = byId('magnifier');
  /** While a person moves them; else null and the document's hold. @type {Point[] | null} */
  let moved = null;
  /** Points clicked so far; null when not placing. @type {Point[] | null} */
  let placing = null;
  let timer = 0;

  const doc = () => st.docOf(store.state);
  const shown = () => (placing ? null : (moved ?? doc().corners));

  /** @param {boolean} [snap] rough corners may move onto the squares nearby; where they do, it is said and can be taken back */
  function commit(snap = false) {
    const corners = moved;
    if (!corners) return;
    if (!isConvex(corners)) {
      moved = null;
      app.notice('ui.corners-crossed');
      redraw();
      return;
    }
    const bottom = doc().orientation ? undefined : doc().bottom; // a side set by hand stays
    app.jobs.again({ corners, ...(snap ? { snap } : {}), ...(doc().squares && bottom ? { orientation: bottom } : {}) }).finally(() => {
      if (moved === corners) moved = null;
      redraw();
    });
  }

  /** @param {number} k @param {Point} to */
  function moveTo(k, to) {
    const p = media.get(store.state.current);
    const from = shown();
    if (!p || !from) return;
    const margin = 0.25 * Math.max(p.width, p.height); // a cut board may reach beyond the picture
    const kept = /** @type {Point} */ ([
      Math.min(Math.max(to[0], -margin), p.width + margin),
      Math.min(Math.max(to[1], -margin), p.height + margin),
    ]);
    moved = from.map((c, i) => (i === k ? kept : c));
    redraw();
    render();
  }

  /** @param {number} k @param {Point} at of the box */
  function magnify(k, at) {
    const p = media.get(store.state.current);
    const c = shown();
    if (!p?.bitmap || !c) return;
    lens.hidden = false;
    const left = at[0] > box.clientWidth / 2;
    lens.style.insetInlineStart = 'auto';
    lens.style.left = left ? '8px' : `${box.clientWidth - LENS_PX - 8}px`;
    const ctx = fitCanvas(lens, LENS_PX, LENS_PX);
    const per = (toScreen([1, 0])[0] - toScreen([0, 0])[0]) * LENS_ZOOM;
    const [x, y] = c[k];
    const half = LENS_PX / 2;
    /** @param {Point} q @returns {Point} */
    const inLens = (q) => [(q[0] - x) * per + half, (q[1] - y) * per + half];
    const [ox, oy] = inLens([0, 0]);
    ctx.imageSmoothingEnabled = per < 4;
    ctx.drawImage(p.bitmap, ox, oy, p.width * per, p.height * per);
    const m = boardHomography(c);
    const [bright, dark] = colours('outline', 'outline-dark');
    for (const [width, colour] of /** @type {[number, string][]} */ ([[3.5, dark], [1.5, bright]])) {
      ctx.strokeStyle = colour;
      ctx.lineWidth = width;
      ctx.beginPath();
      for (const u of [0, 1, 7, 8]) {
        ctx.moveTo(...inLens(project(m, u, 0)));
        ctx.lineTo(...inLens(project(m, u, 8)));
        ctx.moveTo(...inLens(project(m, 0, u)));
        ctx.lineTo(...inLens(project(m, 8, u)));
      }
      ctx.stroke();
    }
  }

  const handles = NAMES.map((name, k) => {
    const handle = el('button', { type: 'button', class: 'handle', 'data-corner': name });
    let grip = /** @type {Point | null} */ (null);
    handle.addEventListener('pointerdown', (event) => {
      const c = shown();
      if (!c) return;
      const [px, py] = inBox(event);
      const [hx, hy] = toScreen(c[k]);
      grip = [px - hx, py - hy]; // the corner keeps its distance from the finger
      handle.setPointerCapture(event.pointerId);
      handle.focus({ preventScroll: true });
      magnify(k, [hx, hy]);
      event.preventDefault();
    });
    handle.addEventListener('pointermove', (event) => {
      if (!grip) return;
      const [px, py] = inBox(event);
      const at = /** @type {Point} */ ([px - grip[0], py - grip[1]]);
      moveTo(k, toPicture(at));
      magnify(k, at);
    });
    const letGo = () => {
      if (!grip) return;
      grip = null;
      lens.hidden = true;
      commit();
    };
    handle.addEventListener('pointerup', letGo);
    handle.addEventListener('pointercancel', letGo);
    handle.addEventListener('keydown', (event) => {
      const c = shown();
      const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
      if (!way || !c) return;
      event.preventDefault();
      event.stopPropagation();
      const step = event.shiftKey ? 10 : 1;
      moveTo(k, [c[k][0] + way[0] * step, c[k][1] + way[1] * step]);
      magnify(k, toScreen(/** @type {Point[]} */ (shown())[k]));
      app.announce(handle.getAttribute('aria-label') ?? '');
      clearTimeout(timer);
      timer = window.setTimeout(() => {
        lens.hidden = true;
        commit();
      }, NUDGE_MS);
    });
    return handle;
  });
  byId('handles').append(...handles);

  function render() {
    const c = shown();
    handles.forEach((handle, k) => {
      handle.hidden = !c;
      if (!c) return;
      const [x, y] = toScreen(c[k]);
      handle.style.transform = `translate(${x}px, ${y}px) translate(-50%, -50%)`;
      const name = app.t(`a11y.corner-${NAMES[k]}`);
      handle.setAttribute('aria-label', app.t('a11y.corner', { name, x: Math.round(c[k][0]), y: Math.round(c[k][1]) }));
    });
  }

  function stop() {
    if (placing) placing = null;
    moved = null;
    lens.hidden = true;
    box.classList.remove('placing');
    redraw();
    render();
  }

  return {
    shown,
    render,
    stop,
    isPlacing: () => placing !== null,

    start() {
      placing = [];
      box.classList.add('placing');
      app.notice('ui.click-corners');
      box.focus({ preventScroll: true }); // so that Escape reaches it
      redraw();
      render();
    },

    /** Take a click, where corners are being set. @param {Point} at of the picture */
    click(at) {
      if (!placing) return false;
      placing.push(at);
      if (placing.length === 4) {
        moved = inOrder(placing);
        placing = null;
        box.classList.remove('placing');
        commit(true);
      }
      redraw();
      render();
      return true;
    },

    /** Draw the points clicked so far. @param {CanvasRenderingContext2D} ctx */
    place(ctx) {
      const [bright, dark] = colours('outline', 'outline-dark');
      for (const p of placing ?? []) {
        const [x, y] = toScreen(p);
        ctx.beginPath();
        ctx.arc(x, y, 7, 0, 2 * Math.PI);
        ctx.fillStyle = bright;
        ctx.strokeStyle = dark;
        ctx.lineWidth = 2;
        ctx.fill();
        ctx.stroke();
      }
      render(); // the handles follow zoom and pan
    },
  };
}
