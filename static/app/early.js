// @ts-check
/**
 * What need not wait for the page, begun as soon as the browser has read its head: the words, and Python.
 *
 * Where it stands: a script of its own beside main.js, with few imports, so that it runs long before the page's many
 * modules have come; main.js imports it too, and takes over the engine that runs already.
 * What always holds: what the engine said meanwhile is said again to whoever takes it over.
 */
import { readFragment } from '../embed/protocol.js';
import { startEngine as start } from './engine.js';
import { chooseLanguage, loadLanguage } from './i18n.js';

/** @typedef {import('./engine-types.js').EngineOptions} EngineOptions */

/** @type {EngineOptions} whom the engine tells */
let told = {};
/** @type {import('./engine-types.js').EngineState} */
let state = { state: 'loading' };
/** @type {import('./engine-types.js').LoadProgress | null} */
let progress = null;

/** The language of the page: of its address, then of the person's browser. */
export const language = chooseLanguage(
  new URL(location.href).searchParams.get('lang') ?? readFragment(location.hash).lang ?? null,
  navigator.languages,
);
// Asked for now, remembered for main.js.
loadLanguage(language);

const engine = start({
  onProgress(now) {
    progress = now;
    told.onProgress?.(now);
  },
  onState(now) {
    state = now;
    told.onState?.(now);
  },
});

/**
 * Take over the engine.
 * @param {EngineOptions} options  what it tells; how it runs is settled
 * @returns {import('./engine-types.js').Engine}
 */
export function startEngine(options) {
  told = options;
  if (progress) told.onProgress?.(progress);
  told.onState?.(state);
  return engine;
}
