// @ts-check
/**
 * The host of the single file: Python from the parts that lie in the page itself, without any server.
 *
 * Where it stands: build.py puts this module in the place of hosts.js and download.js when it makes
 * image-to-fen.html, and single-worker.js and the parts into data blocks.
 * What always holds: nothing is fetched; the long strings are handed to the worker as they are, which decodes
 * them, so that the page is never held up.
 */

/** @typedef {import('./manifest.js').Manifest} Manifest */

/**
 * @returns {'pyscript'|'plain'}
 */
export function chooseHost() {
  return 'plain';
}

/**
 * @returns {Promise<import('./hosts.js').Host>}
 */
export async function startPyScript() {
  throw new Error('PyScript needs a server');
}

/**
 * @param {string} _base
 * @param {Manifest} manifest
 * @param {'full'|'checker'} mode
 * @returns {Promise<import('./hosts.js').Host>}
 */
export async function startPlain(_base, manifest, mode) {
  const address = URL.createObjectURL(new Blob([block('single-worker')], { type: 'text/javascript' }));
  const worker = new Worker(address);
  const parts = manifest.parts[mode].map(({ path }) => ({ name: path, text: block(path) }));
  worker.postMessage({ parts, packages: mode === 'checker' ? [] : manifest.packages });
  return {
    worker,
    stop() {
      worker.terminate();
      URL.revokeObjectURL(address);
    },
  };
}

/**
 * @param {string} _base
 * @param {import('./manifest.js').Part[]} parts
 * @param {(loaded: number, total: number) => void} onBytes
 * @returns {Promise<void>}
 */
export async function download(_base, parts, onBytes) {
  const total = parts.reduce((sum, part) => sum + part.wire, 0);
  onBytes(total, total);
}

/**
 * @param {string} name
 * @returns {string} the text of the data block of that name
 */
function block(name) {
  const found = document.querySelector(`script[data-part="${name}"]`);
  if (!found?.textContent) throw new Error(`${name} is missing from this file`);
  return found.textContent;
}
