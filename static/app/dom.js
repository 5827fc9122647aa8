// @ts-check
/** Small helpers to make elements; text only ever goes in as text. */

/**
 * Make an element.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Record<string, any>} [props] `class`, `data-*`, `aria-*`, `role` and the like as attributes, `on…` as listeners, the rest as properties
 * @param {...(Node | string | null)} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function el(tag, props = {}, ...children) {
  const node = document.createElement(tag);
  for (const [key, value] of Object.entries(props)) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith('on')) node.addEventListener(key.slice(2), value);
    else if (key === 'class') node.className = value;
    else if (key.includes('-') || key === 'role' || key === 'for' || key === 'lang') node.setAttribute(key, String(value));
    else /** @type {any} */ (node)[key] = value;
  }
  node.append(.../** @type {(Node | string)[]} */ (children.filter((c) => c !== null && c !== '')));
  return node;
}

/** @param {string} id @returns {any} the element of the page with this id; the page always has it */
export function byId(id) {
  const node = document.getElementById(id);
  if (!node) throw new Error(`the page has no #${id}`);
  return node;
}

/** @param {string} name a symbol of the sheet in index.html @returns {SVGSVGElement} */
export function icon(name) {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  svg.setAttribute('class', 'icon');
  svg.setAttribute('aria-hidden', 'true');
  const use = document.createElementNS('http://www.w3.org/2000/svg', 'use');
  use.setAttribute('href', `#i-${name}`);
  svg.append(use);
  return svg;
}

/**
 * Fit a canvas to its box on the screen and give a context whose unit is a CSS pixel.
 * @param {HTMLCanvasElement} canvas
 * @param {number} width CSS pixels
 * @param {number} height
 */
export function fitCanvas(canvas, width, height) {
  const ratio = window.devicePixelRatio || 1;
  const w = Math.max(1, Math.round(width * ratio));
  const h = Math.max(1, Math.round(height * ratio));
  if (canvas.width !== w || canvas.height !== h) {
    canvas.width = w;
    canvas.height = h;
  }
  const ctx = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'));
  ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
  ctx.clearRect(0, 0, width, height);
  return ctx;
}

/**
 * Call `draw` at most once a frame.
 * @param {() => void} draw
 */
export function onceAFrame(draw) {
  let asked = false;
  return () => {
    if (asked) return;
    asked = true;
    requestAnimationFrame(() => {
      asked = false;
      draw();
    });
  };
}

/**
 * Divide long work: what comes back waits, wherever the work has gone on for long enough, until the browser has had
 * its turn.
 * @param {number} [most] milliseconds at a stretch
 * @returns {() => Promise<void>}
 */
export function paced(most = 20) {
  let begun = performance.now();
  return async () => {
    if (performance.now() - begun < most) return;
    // A page in the background waits long for a timer.
    await (/** @type {any} */ (globalThis).scheduler?.yield?.() ?? new Promise((resolve) => setTimeout(resolve)));
    begun = performance.now();
  };
}

/** @type {Map<string, string>} */
const inks = new Map();
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => inks.clear());

/** The colours that canvases draw with, taken from the tokens (in the theme that is on). @param {...string} names */
export function colours(...names) {
  const theme = document.documentElement.dataset.theme ?? '';
  return names.map((name) => {
    const key = `${theme}:${name}`;
    let found = inks.get(key);
    if (!found) {
      // A custom property comes back as written, light-dark() and all; as a colour of an element it is resolved.
      const probe = el('span', { hidden: true });
      probe.style.color = `var(--${name})`;
      probe.style.setProperty('forced-color-adjust', 'none'); // a board without its squares is none
      document.body.append(probe);
      found = getComputedStyle(probe).color;
      probe.remove();
      inks.set(key, found);
    }
    return found;
  });
}

/**
 * Rebuild what is in a box without losing the keyboard's place: what stands there now has the focus, else `elsewhere`.
 * @param {HTMLElement} box @param {() => void} rebuild @param {string} [elsewhere] selector of a heading to go to
 */
export function keepFocus(box, rebuild, elsewhere = 'h3') {
  const stops = () => /** @type {HTMLElement[]} */ ([...box.querySelectorAll('a[href], button:not(:disabled), select, input')]);
  const held = box.contains(document.activeElement);
  const at = stops().indexOf(/** @type {any} */ (document.activeElement));
  rebuild();
  if (!held) return;
  const left = box.hidden || at < 0 ? [] : stops(); // a heading that held it hands it to the one that takes its place
  /** @type {HTMLElement | null} */
  const next = left[Math.min(at, left.length - 1)] ?? (box.hidden ? document : box).querySelector(elsewhere);
  if (next && !left.includes(next)) next.tabIndex = -1;
  next?.focus({ preventScroll: true });
}
