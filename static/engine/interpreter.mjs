// @ts-check
/**
 * The interpreter that pyscript.toml names: Pyodide, with our own lock, library and packages beside it.
 *
 * Where it stands: in the worker, between whoever starts Python (PyScript, or starter.mjs) and Pyodide.
 * What always holds: nothing is asked of any other place than the folder this file lies in; the page is
 * told that the worker lives, and learns at once when it has ended (a lock that dies with it).
 */
// Imported by a call, since Firefox asks worker-src, not script-src, of what a module imports by statement where a
// classic worker has imported that module by a call; and the policy of the embedded checker lets workers start from
// blobs alone.
// @ts-ignore: built by build.py beside this file
const { loadPyodide: load, version } = await import('./pyodide.mjs');

export { version };

const here = new URL('./', import.meta.url).href;

/**
 * Start Pyodide; the same signature as Pyodide's own.
 * @param {Record<string, any>} [options]
 * @returns {Promise<any>}
 */
export async function loadPyodide(options = {}) {
  holdLock();
  const pyodide = await load({ packageBaseUrl: here, indexURL: here, checkAPIVersion: true, ...options });
  // Memory that cannot be had, say, ends Python but not its worker: that ends too, so that another may be started.
  pyodide._api.on_fatal = (/** @type {unknown} */ error) => {
    postMessage({ engine: 'fatal', detail: String(error) });
    self.close();
  };
  postMessage({ engine: 'python' });
  return pyodide;
}

/** Hold a lock for as long as this worker lives, and tell the page its name. */
function holdLock() {
  const name = `engine-${Math.random().toString(36).slice(2)}${Date.now().toString(36)}`;
  try {
    // Denied where the frame has no origin: there the page watches for silence instead.
    navigator.locks
      .request(name, () => {
        postMessage({ engine: 'alive', lock: name });
        return new Promise(() => {});
      })
      .catch(() => postMessage({ engine: 'alive', lock: null }));
  } catch {
    postMessage({ engine: 'alive', lock: null });
  }
}
