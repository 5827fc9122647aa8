// @ts-check
/**
 * Fetch what learning needs (scikit-learn), and have Python take it in: only when a person asks for it.
 *
 * Where it stands: below teach.js; the files are fetched here first, so that their bytes can be counted and their
 * digests seen to; the worker then finds them in the browser's cache.
 * What always holds: nothing is fetched before `load`; a missing or altered file is named; what was fetched is kept for
 * use without a network, where this browser keeps anything.
 */
import { EngineError } from './engine-error.js';
import { keepForLater } from './offline.js';
import { download } from '../engine/download.js';
import manifest from '../engine/manifest.js';

const PARTS = manifest.parts.learning;
/** Bytes on the wire. */
export const LEARNING_BYTES = PARTS.reduce((sum, part) => sum + part.wire, 0);
/** The single file has no room for it. */
export const canLearn = PARTS.length > 0;

let fetched = false;

/**
 * @param {import('./app.js').App} app
 * @param {(stage: 'loading' | 'starting', bytes: number) => void} onStage
 * @param {AbortSignal} signal
 * @returns {Promise<void>} rejects with a coded error
 */
export async function loadLearning(app, onStage, signal) {
  if (!canLearn) throw new EngineError('learning-missing');
  if (!fetched) {
    onStage('loading', 0);
    const base = new URL('../../', import.meta.url).href;
    await download(base, PARTS, (bytes) => onStage('loading', bytes), signal);
    keepForLater(PARTS.map(({ path }) => path));
    fetched = true;
  }
  onStage('starting', LEARNING_BYTES);
  await app.jobs.call('learning.load', []);
}
