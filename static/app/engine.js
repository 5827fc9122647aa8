// @ts-check
/**
 * The engine, as the page sees it: Python in a worker, behind a few promises.
 *
 * Where it stands: page → **engine** → host (PyScript's worker, or plain Pyodide) → static/engine/engine.py
 * → fen_core. The page calls `startEngine` once and may call `read` and `check` at once: calls made before
 * Python is ready wait for it. The page never waits for the engine; where it fails, `onState` says why.
 *
 * @typedef {import('./engine-types.js').Engine} Engine
 * @typedef {import('./engine-types.js').EngineOptions} EngineOptions
 */

/** A coded failure of a job or of the engine: words are `error.<code>.title` and `.next`. */
export class EngineError extends Error {
  /**
   * @param {string} code
   * @param {Record<string, any>} [params]
   */
  constructor(code, params = {}) {
    super(code);
    this.name = 'EngineError';
    this.code = code;
    this.params = params;
  }
}

/**
 * Start the engine.
 * @param {EngineOptions} [options]
 * @returns {Engine}
 */
export function startEngine(options = {}) {
  throw new EngineError('engine-start-failed', { detail: 'being built', options });
}
