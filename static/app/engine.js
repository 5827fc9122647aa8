// @ts-check
/**
 * The engine, as the page sees it: Python in a worker, behind a few promises.
 *
 * Where it stands: page → **engine** → host (PyScript's worker, or plain Pyodide) → static/engine/engine.py
 * → fen_core. The page calls `startEngine` once and may call `read` and `check` at once: calls made before
 * Python is ready wait for it. The page never waits for the engine; where it fails, `onState` says why.
 * What always holds: every job is settled once; a worker that died is noticed, and another is started, which
 * takes the jobs up again.
 *
 * @typedef {import('./engine-types.js').Engine} Engine
 * @typedef {import('./engine-types.js').EngineOptions} EngineOptions
 * @typedef {import('./engine-types.js').EngineState} EngineState
 * @typedef {import('./engine-types.js').EngineInfo} EngineInfo
 * @typedef {import('./engine-types.js').EngineFailure} EngineFailure
 * @typedef {import('./engine-types.js').LoadProgress} LoadProgress
 */
import { EngineError } from './engine-error.js';
import { createQueue } from './engine-jobs.js';
import { chooseHost, startPlain, startPyScript } from '../engine/hosts.js';
import { download } from '../engine/download.js';
import manifest from '../engine/manifest.js';

export { EngineError };

/** How much of the whole the download is; the rest is Python starting. */
const DOWNLOAD_SHARE = 0.7;
/** Python starts in a second or two, on a slow phone in ten: so long without a sign of life is a hang. */
const START_LIMIT_MS = 90_000;
/** A worker that dies again and again, and answers nothing between, is not started a fourth time. */
const MOST_RESTARTS = 3;

/** @returns {boolean} */
function hasWebAssembly() {
  try {
    // Also false where the page's policy forbids it. The smallest module there is: magic number and version.
    return Boolean(new WebAssembly.Module(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0])));
  } catch {
    return false;
  }
}

/**
 * Start the engine.
 * @param {EngineOptions} [options]
 * @returns {Engine}
 */
export function startEngine(options = {}) {
  const { mode = 'full', onProgress = () => {}, onState = () => {} } = options;
  let kind = mode === 'checker' ? 'plain' : !options.host || options.host === 'auto' ? chooseHost() : options.host;
  const base = new URL('../../', import.meta.url).href;

  /** @type {EngineState} */
  let state = { state: 'loading' };
  /** @type {import('../engine/hosts.js').Host | null} */
  let host = null;
  let generation = 0;
  let restarts = 0;
  let share = 0;
  /** @type {(error: EngineError) => void} ends the start that is under way */
  let endStart = () => {};
  const queue = createQueue({
    onStuck: () => died(),
    // A worker that does its work may die again much later without being given up.
    onAnswer: () => {
      restarts = 0;
    },
  });

  /** @param {EngineState} next */
  const become = (next) => {
    state = next;
    onState(next);
  };
  /**
   * @param {'download'|'start'|'ready'} stage
   * @param {number} loaded
   * @param {number} total
   * @param {number} whole
   */
  const report = (stage, loaded, total, whole) => {
    share = Math.max(share, whole);
    onProgress({ stage, loaded, total, share });
  };

  /**
   * One start of one worker. Whatever happens to an older one is of no interest any more.
   * @param {boolean} again
   * @returns {Promise<EngineInfo>}
   */
  async function launch(again) {
    const mine = ++generation;
    const started = performance.now();
    const stale = () => mine !== generation;
    host?.stop();
    host = null;
    queue.detach();
    queue.open();
    share = 0;
    become(again ? { state: 'loading', restarted: true } : { state: 'loading' });
    const fetching = new AbortController();
    try {
      if (!hasWebAssembly()) throw new EngineError('no-webassembly');
      const parts = manifest.parts[mode];
      const total = parts.reduce((sum, part) => sum + part.wire, 0);
      let loaded = 0;
      const downloaded = download(
        base,
        parts,
        (now) => {
          loaded = now;
          if (!stale() && state.state === 'loading') {
            report(now < total ? 'download' : 'start', now, total, (DOWNLOAD_SHARE * now) / total);
          }
        },
        fetching.signal,
      );
      /** @param {number} step */
      const step = (step) => {
        if (!stale() && loaded >= total) report('start', total, total, DOWNLOAD_SHARE + (1 - DOWNLOAD_SHARE) * step);
      };
      const python = await race(downloaded, (worker) => step(worker === 'python' ? 0.8 : 0.2), mine);
      await downloaded;
      if (stale()) throw new EngineError('cancelled');
      report('ready', total, total, 1);
      performance.mark('engine-ready');
      become({ state: 'ready' });
      if (host) queue.attach(/** @type {import('../engine/hosts.js').Host} */ (host).worker);
      return { host: kind, python, ms: Math.round(performance.now() - started) };
    } catch (error) {
      fetching.abort();
      const failure = error instanceof EngineError ? error : new EngineError('engine-start-failed', { detail: String(error) });
      if (!stale()) fail(/** @type {EngineFailure} */ (failure.code), failure.params);
      throw failure;
    }
  }

  /**
   * Start the worker, and wait for Python, or for whatever goes wrong first.
   * @param {Promise<void>} downloaded
   * @param {(step: 'alive'|'python') => void} onStep
   * @param {number} mine
   * @returns {Promise<string>} the version of Python
   */
  async function race(downloaded, onStep, mine) {
    /** @type {Promise<never>} */
    const missing = new Promise((_, reject) => downloaded.catch(reject));
    missing.catch(() => {});
    /** @param {any} [error] */
    const plain = (error) => {
      // An older browser, say, in which PyScript does not run though Python does.
      if (error) console.warn(error);
      kind = 'plain';
      return startPlain(base, manifest, mode);
    };
    const starting = kind === 'pyscript' ? startPyScript(base, manifest).catch(plain) : plain();
    // A host that fails because a file is missing says less than the download does: let that speak first.
    const hosted = await Promise.race([starting, missing]).catch(async (error) => {
      await downloaded;
      throw error;
    });
    if (mine !== generation) {
      hosted.stop();
      throw new EngineError('cancelled');
    }
    host = hosted;
    /** @type {Promise<string>} */
    const ready = new Promise((resolve, reject) => {
      endStart = reject;
      const late = () => reject(new EngineError('engine-start-failed', { detail: 'no answer' }));
      let patience = 0;
      const wait = () => {
        clearTimeout(patience);
        patience = window.setTimeout(late, START_LIMIT_MS);
      };
      hosted.worker.addEventListener('message', ({ data }) => {
        if (mine !== generation || !data?.engine) return;
        if (patience) wait();
        if (data.engine === 'ready') {
          clearTimeout(patience);
          patience = 0;
          resolve(data.python);
        }
        if (data.engine === 'failed') reject(new EngineError('engine-start-failed', { detail: data.detail }));
        else if (data.engine === 'fatal') died();
        else if (data.engine === 'alive') watch(data.lock, mine);
        if (data.engine === 'alive' || data.engine === 'python') onStep(data.engine);
        // All that reads pictures is imported: what the bench compares with a bare interpreter.
        if (data.engine === 'warm') performance.mark('engine-warm');
      });
      hosted.worker.addEventListener('error', (event) => {
        if (mine !== generation) return;
        reject(new EngineError('engine-start-failed', { detail: event.message ?? '' }));
        if (state.state === 'ready') died();
      });
      // A slow line is no hang.
      downloaded.then(wait, () => {});
    });
    return Promise.race([ready, missing]).catch(async (error) => {
      await downloaded;
      throw error;
    });
  }

  /**
   * Notice when the worker ends: it holds this lock as long as it lives.
   * @param {string|null} lock
   * @param {number} mine
   */
  function watch(lock, mine) {
    if (!lock) return;
    navigator.locks
      .request(lock, { mode: 'shared' }, () => {
        if (mine === generation && state.state !== 'disposed') died();
      })
      .catch(() => {});
  }

  /** The worker has ended, or does not answer: say so, and start another. */
  function died() {
    if (state.state === 'loading') return endStart(new EngineError('worker-died'));
    if (state.state !== 'ready') return;
    const last = restarts++ >= MOST_RESTARTS;
    fail('worker-died', {}, !last);
    if (!last) launch(true).catch(() => {});
  }

  /**
   * @param {EngineFailure} code
   * @param {Record<string, any>} params
   * @param {boolean} [keepJobs]  they wait for another worker, which will come
   */
  function fail(code, params, keepJobs = false) {
    generation++;
    host?.stop();
    host = null;
    queue.detach();
    become({ state: 'failed', code, params });
    if (!keepJobs) queue.close(new EngineError(code, params));
  }

  const ready = launch(false);
  // The failure is told by onState too: nobody has to await `ready`.
  ready.catch(() => {});

  return {
    ready,
    get state() {
      return state;
    },
    read(bytes, readOptions = {}, progress) {
      const { keep, ...named } = readOptions;
      return queue.add('read', [bytes], named, { onProgress: progress, keep });
    },
    check: (text) => queue.add('check', [text], {}, {}),
    call: (name, args = [], callOptions = {}) => queue.add(name, args, {}, callOptions),
    cancel: (id) => queue.cancel(id),
    restart() {
      restarts = 0;
      return launch(true);
    },
    dispose() {
      generation++;
      host?.stop();
      host = null;
      queue.detach();
      queue.close(new EngineError('cancelled'));
      become({ state: 'disposed' });
    },
  };
}
