// @ts-check
/**
 * The page of embed.html: puts the panel, the engine, the words and the link to the host together.
 *
 * What always holds: the panel is there before Python and without it; no storage is touched; the address decides what
 * is shown first, the host and the person what comes after.
 */
import { startEngine } from '../app/engine.js';
import { byId, el } from '../app/dom.js';
import { LANGUAGES, chooseLanguage, loadLanguage, translatePage } from '../app/i18n.js';
import { mountPanel } from './checker-panel.js';
import { linkToHost } from './frame-link.js';
import { readFragment, writeFragment } from './protocol.js';

// guard.js, a classic script, says what is amiss where this module could not be loaded.
document.documentElement.dataset.started = '';

const options = readFragment(location.hash);
let words = await loadLanguage(chooseLanguage(options.lang ?? null, navigator.languages));
let height = 0;
/** @type {import('./protocol.js').Id[]} requests that wait for the answer to the text */
let waiting = [];
/** @type {import('./protocol.js').Id | null} of the last text that the host has set: by it the host tells a stale answer */
let after = null;

/** @type {import('../app/engine-types.js').Engine} */
let engine;

const panel = mountPanel({
  t: words,
  explain: (text, language) => engine.call('explain', [text, language]),
  restart: () => engine.restart().catch(() => {}),
  onSettled(result, by) {
    // The change first: who waits for the answer then finds the host's own copy of it up to date.
    link.say('change', { ...result, by, after });
    for (const id of waiting.splice(0)) link.say('result', { ...result, after }, id);
  },
});

const link = linkToHost({
  frame: window,
  onHost() {
    sayHeight();
    if (panel.settled()) link.say('change', { ...panel.result(), by: panel.by, after });
  },
  onRequest(request) {
    if (request.type === 'set-fen') {
      after = request.id ?? null;
      panel.setText(request.fen);
      answerWhenKnown(request.id);
    } else if (request.type === 'get-result') answerWhenKnown(request.id);
    else setOptions(/** @type {import('./protocol.js').Options} */ (/** @type {unknown} */ (request))).then(() => sayReady(request.id));
  },
});

/** @param {import('./protocol.js').Id} [id] */
function sayReady(id) {
  const { theme = 'auto' } = document.documentElement.dataset;
  const engineState = { failed: 'failed', ready: 'ready' }[/** @type {string} */ (panel.engine.state)] ?? 'loading';
  link.say('ready', { lang: words.language, theme, orientation: panel.orientation, title: words('embed.title'), engine: engineState }, id);
}

/** @param {import('./protocol.js').Id} [id] */
function answerWhenKnown(id) {
  if (id === undefined) return;
  if (panel.settled()) link.say('result', { ...panel.result(), after }, id);
  else waiting.push(id);
}

/** What is said of a failure, in the words of the frame. */
const said = () => ({ title: byId('status-text').textContent ?? '' });

function sayHeight() {
  const now = Math.ceil(byId('checker').getBoundingClientRect().height);
  if (now !== height) height = now;
  link.say('resize', { height });
}

/** @param {import('./protocol.js').Options} wanted */
async function setOptions({ lang, theme, orientation }) {
  if (theme) document.documentElement.dataset.theme = theme;
  if (orientation) panel.setOrientation(orientation);
  if (theme) panel.redraw();
  if (lang) await setLanguage(chooseLanguage(lang, navigator.languages));
}

/** @param {string} code */
async function setLanguage(code) {
  const next = await loadLanguage(code);
  if (next.language === words.language) return;
  words = next;
  translate();
  panel.setWords(words);
}

function translate() {
  translatePage(document, words);
  byId('language').value = words.language;
  document.title = words('embed.title');
  writeLink();
}

/** The link to the whole page takes the text with it, behind the `#`. */
function writeLink() {
  byId('whole').href = `./${writeFragment({ fen: panel.text || undefined, lang: words.language })}`;
}

byId('language').append(...Object.entries(LANGUAGES).map(([code, name]) => el('option', { value: code, lang: code }, name)));
byId('language').addEventListener('change', (/** @type {Event} */ event) => setLanguage(/** @type {HTMLSelectElement} */ (event.target).value).then(() => sayReady()));
byId('fen').addEventListener('input', writeLink);
byId('whole').addEventListener('click', writeLink);
addEventListener('hashchange', () => {
  const now = readFragment(location.hash);
  setOptions(now);
  if (now.fen !== undefined && now.fen !== panel.text) panel.setText(now.fen);
});
new ResizeObserver(sayHeight).observe(byId('checker'));

engine = startEngine({
  mode: 'checker',
  onProgress: panel.setProgress,
  onState(state) {
    panel.setEngine(state);
    if (state.state === 'failed') link.say('error', { code: state.code, params: state.params ?? {}, ...said() });
    if (state.state === 'ready') sayReady();
  },
});

translate();
await setOptions({ ...options, lang: undefined });
if (options.fen) panel.setText(options.fen);
else panel.redraw();
