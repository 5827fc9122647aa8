// @ts-check
/**
 * The example page: an element and a frame, and a log of everything that they say. Written to be read and copied from;
 * the frame's part uses nothing of this project, as a host's own page would not.
 */

const LANGUAGES = ['en', 'el', 'vi', 'gu', 'pt-BR', 'bn'];
const FENS = [
  'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1',
  'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR w KQkq e3 0 1',
  'r3k2r/8/8/8/8/8/8/4K2R w KQkq - 0 1',
  'TSLDKLST/BBBBBBBB/8/8/8/8/bbbbbbbb/tsldklst w - - 0 1',
  '4k3/8/8/8/8/8/4r3/4K3 b - - 0 1',
];

/** @param {string} id @returns {any} */
const byId = (id) => document.getElementById(id);

/** @param {string} from @param {string} what @param {unknown} data */
function log(from, what, data) {
  const line = document.createElement('li');
  line.dataset.what = what;
  line.textContent = `${from} ${what} ${JSON.stringify(data)}`;
  byId('log').append(line);
}

/** @param {string} id @param {readonly string[]} values */
function fill(id, values) {
  byId(id).append(...values.map((value) => new Option(value, value)));
}

// — the element —

const element = byId('element');
fill('lang', LANGUAGES);
fill('fens', FENS);
element.setAttribute('fen', FENS[1]);
byId('fens').value = FENS[1];

function writeElementCode() {
  const names = ['fen', 'lang', 'theme', 'orientation'].filter((name) => element.hasAttribute(name));
  const attributes = names.map((name) => ` ${name}="${element.getAttribute(name)}"`).join('');
  const script = new URL('fen-checker.js', location.href).href;
  byId('element-code').textContent = `<script type="module" src="${script}"></script>\n<fen-checker${attributes}></fen-checker>`;
}
for (const name of ['lang', 'theme', 'orientation']) {
  byId(name).addEventListener('change', () => {
    element.setAttribute(name, byId(name).value);
    writeElementCode();
  });
}
byId('fens').addEventListener('change', () => {
  element.setAttribute('fen', byId('fens').value);
  writeElementCode();
});
for (const name of ['fen:ready', 'fen:change', 'fen:error']) {
  element.addEventListener(name, (/** @type {CustomEvent} */ event) => {
    log('element', name, event.detail);
    byId('fen-now').textContent = JSON.stringify(element.fen);
    byId('problems-now').textContent = JSON.stringify(element.problems.map((/** @type {any} */ problem) => problem.code));
  });
}
writeElementCode();

// — the frame —

const frame = byId('frame');
byId('frame-code').textContent = frame.outerHTML.replaceAll('&amp;', '&');

let asked = 0;
/** @param {string} type @param {Record<string, unknown>} [fields] */
function say(type, fields = {}) {
  // This frame is sandboxed and so has no origin that could be named; one that has gets new URL(frame.src).origin here.
  frame.contentWindow.postMessage({ source: 'image-to-fen', v: 1, type, id: ++asked, ...fields }, '*');
}
addEventListener('message', (event) => {
  // The frame, and nobody else, and in the protocol's own envelope.
  if (event.source !== frame.contentWindow || event.data?.source !== 'image-to-fen' || event.data.v !== 1) return;
  log('frame', event.data.type, event.data);
  // The frame's first word: it is there, and answers from now on to the origin that speaks to it.
  if (event.data.type === 'ready' && !asked) say('set-options', { theme: 'auto' });
  if (event.data.type === 'resize') frame.style.blockSize = `${event.data.height}px`;
});
byId('ask').addEventListener('click', () => say('get-result'));
byId('send').addEventListener('click', () => say('set-fen', { fen: FENS[4] }));
byId('dark').addEventListener('click', () => say('set-options', { theme: 'dark' }));
