// @ts-check
/**
 * Fetch the parts of the runtime ahead of Python's worker.
 *
 * Where it stands: beside the hosts. Python's worker asks for the same addresses a little later and finds them in the
 * browser's cache, or joins the transfer; it cannot itself tell a missing file from a slow one.
 * What always holds: the bytes go through a worker of their own (fetcher.js), so that the page is not held up by them;
 * that worker has ended when this has.
 */
import { EngineError } from '../app/engine-error.js';
import { fetchParts } from './fetcher.js';

/** @typedef {import('./manifest.js').Part} Part */

/**
 * @param {string} base  address of the site
 * @param {Part[]} parts
 * @param {(loaded: number, total: number) => void} onBytes  in bytes on the wire
 * @param {AbortSignal} signal
 * @returns {Promise<void>}
 */
export function download(base, parts, onBytes, signal) {
  if (typeof Worker === 'undefined') return fetchParts(base, parts, onBytes, signal);
  const script = new URL('./fetcher.js', import.meta.url).href;
  const source = `import(${JSON.stringify(script)}).then((m) => m.start(${JSON.stringify(base)}, ${JSON.stringify(parts)}), () => postMessage({ alone: true }));`;
  const address = URL.createObjectURL(new Blob([source], { type: 'text/javascript' }));
  const worker = new Worker(address);
  /** @type {Promise<void>} */
  const fetched = new Promise((resolve, reject) => {
    // Where the worker cannot run, the page does it.
    const alone = () => {
      worker.terminate();
      fetchParts(base, parts, onBytes, signal).then(resolve, reject);
    };
    worker.addEventListener('message', ({ data }) => {
      if (data.done) resolve();
      else if (data.code) reject(new EngineError(data.code, data.params));
      else if (data.alone) alone();
      else onBytes(data.loaded, data.total);
    });
    worker.addEventListener('error', alone, { once: true });
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
  return fetched.finally(() => {
    worker.terminate();
    URL.revokeObjectURL(address);
  });
}
