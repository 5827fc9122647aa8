// @ts-check
/**
 * Fetch the parts of the runtime, count their bytes, and see that they are the right ones.
 *
 * Where it stands: in a worker of its own, which download.js starts, or on the page where there can be none.
 * What always holds: a part that is missing or altered is named.
 */
import { EngineError } from '../app/engine-error.js';

/** @typedef {import('./manifest.js').Part} Part */

/**
 * @param {string} base  address of the site
 * @param {Part[]} parts
 * @param {(loaded: number, total: number) => void} onBytes  in bytes on the wire
 * @param {AbortSignal} signal
 * @returns {Promise<void>}
 */
export async function fetchParts(base, parts, onBytes, signal) {
  const total = parts.reduce((sum, part) => sum + part.wire, 0);
  let loaded = 0;
  let shown = 0;
  /** @param {number} more */
  const count = (more) => {
    loaded += more;
    // A call for every 64 KB chunk would only keep the page busy.
    if (loaded - shown > total / 80 || loaded >= total - 1) {
      shown = loaded;
      onBytes(Math.min(loaded, total), total);
    }
  };
  await Promise.all(parts.map((part) => downloadPart(base, part, count, signal)));
  onBytes(total, total);
}

/**
 * Do it in a worker, and tell the page.
 * @param {string} base
 * @param {Part[]} parts
 */
export function start(base, parts) {
  const never = new AbortController().signal; // the worker is ended instead
  fetchParts(base, parts, (loaded, total) => postMessage({ loaded, total }), never).then(
    () => postMessage({ done: true }),
    (error) => postMessage({ code: error.code ?? 'engine-start-failed', params: error.params ?? { detail: String(error) } }),
  );
}

/**
 * @param {string} base
 * @param {Part} part
 * @param {(more: number) => void} count
 * @param {AbortSignal} signal
 * @returns {Promise<void>}
 */
async function downloadPart(base, part, count, signal) {
  const file = part.path.slice(part.path.lastIndexOf('/') + 1);
  const bytes = new Uint8Array(part.size);
  let position = 0;
  try {
    // The page's own modules go first.
    const answer = await fetch(new URL(part.path, base), { signal, priority: 'low' });
    if (!answer.ok || !answer.body) throw new Error(String(answer.status));
    const reader = answer.body.getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      if (position + value.length > part.size) throw new EngineError('runtime-altered', { file });
      bytes.set(value, position);
      position += value.length;
      count((value.length / part.size) * part.wire);
    }
  } catch (error) {
    if (signal.aborted || error instanceof EngineError) throw error;
    throw new EngineError('runtime-missing', { file });
  }
  if (position !== part.size || !(await matches(bytes, part.sha256))) {
    throw new EngineError('runtime-altered', { file });
  }
}

/**
 * @param {Uint8Array<ArrayBuffer>} bytes
 * @param {string} wanted
 * @returns {Promise<boolean>}
 */
async function matches(bytes, wanted) {
  // Only secure contexts can hash; elsewhere the length must do.
  if (!globalThis.crypto?.subtle) return true;
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('') === wanted;
}
