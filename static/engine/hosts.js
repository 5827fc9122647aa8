// @ts-check
/**
 * The two ways to start Python in a worker: PyScript's, and plain Pyodide. Both end with the same engine.
 *
 * Where it stands: engine.js chooses and speaks to the worker; engine.py answers there.
 * What always holds: the worker starts from a blob, so that the page's content security policy binds it.
 */

/** @typedef {import('./manifest.js').Manifest} Manifest */

/**
 * A worker that will say "ready", and the way to end it.
 * @typedef {object} Host
 * @property {Worker} worker
 * @property {() => void} stop
 */

/**
 * Say which host can run here. PyScript opens IndexedDB before anything else and hangs where a frame is denied
 * storage; it cannot run where the page has no origin.
 * @returns {'pyscript'|'plain'}
 */
export function chooseHost() {
  if (location.protocol === 'file:' || globalThis.origin === 'null') return 'plain';
  if (window.top !== window.self) {
    try {
      // Another site's frame: the read throws.
      void window.top?.location.href;
    } catch {
      return 'plain';
    }
  }
  return typeof indexedDB === 'undefined' ? 'plain' : 'pyscript';
}

/**
 * @param {string} base
 * @param {Manifest} manifest
 * @returns {Promise<Host>}
 */
export async function startPyScript(base, manifest) {
  const { hooks } = await import(new URL(manifest.pyscript, base).href);
  const element = document.createElement('script');
  element.setAttribute('type', 'py');
  element.setAttribute('worker', '');
  element.setAttribute('async', '');
  element.setAttribute('config', new URL(manifest.config, base).href);
  element.setAttribute('src', new URL('static/engine/worker.py', base).href);
  /** @type {Promise<Worker>} */
  const created = new Promise((resolve) => {
    /**
     * @param {any} _interpreter
     * @param {Worker} worker
     */
    const take = (_interpreter, worker) => {
      hooks.main.onWorker.delete(take);
      resolve(worker);
    };
    hooks.main.onWorker.add(take);
  });
  document.head.append(element);
  const worker = await created;
  return {
    worker,
    stop() {
      worker.terminate();
      element.remove();
    },
  };
}

/**
 * @param {string} base
 * @param {Manifest} manifest
 * @param {'full'|'checker'} mode
 * @returns {Promise<Host>}
 */
export async function startPlain(base, manifest, mode) {
  const starter = new URL('static/engine/starter.mjs', base).href;
  const config = {
    interpreter: new URL(`${manifest.pyodide}/interpreter.mjs`, base).href,
    archive: new URL(mode === 'checker' ? manifest.checker : manifest.engine, base).href,
    packages: mode === 'checker' ? [] : manifest.packages,
    // The checker has a smaller library of Python's; else it is the one beside the interpreter.
    library: mode === 'checker' ? new URL(manifest.library, base).href : null,
  };
  // A classic worker, since a page without origin may start no module worker from a blob; Pyodide takes it for
  // one of its own only where importScripts is gone.
  const source =
    `self.importScripts = undefined;\n` +
    `import(${JSON.stringify(starter)}).then((m) => m.start(${JSON.stringify(config)}))\n` +
    `  .catch((error) => postMessage({ engine: 'failed', detail: String(error) }));\n`;
  const address = URL.createObjectURL(new Blob([source], { type: 'text/javascript' }));
  const worker = new Worker(address);
  return {
    worker,
    stop() {
      worker.terminate();
      URL.revokeObjectURL(address);
    },
  };
}
