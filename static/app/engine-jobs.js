// @ts-check
/**
 * The jobs of the engine: which waits, which runs, which replaces which.
 *
 * Where it stands: between engine.js, which hands over a worker that is ready (`attach`) or takes it away
 * (`detach`), and the messages of static/engine/engine.py.
 * What always holds: one job of a kind runs at a time; a newer one replaces the older, unless they are kept;
 * a job that was running when its worker went is run once more on the next.
 */
import { EngineError } from './engine-error.js';

/** A running job that is no longer wanted gets this long to stop between two stages. */
const STOP_LIMIT_MS = 4_000;
/** A worker that runs a job and is silent for this long is taken for dead. */
const SILENCE_LIMIT_MS = 90_000;
/** A job that was on a worker that died is tried once more. */
const MOST_ATTEMPTS = 2;

/**
 * @typedef {object} Entry
 * @property {number} id
 * @property {string} name
 * @property {any[]} args
 * @property {Record<string, any>} named
 * @property {string} kind
 * @property {boolean} keep
 * @property {((progress: import('./engine-types.js').JobProgress) => void)|undefined} onProgress
 * @property {(value: any) => void} resolve
 * @property {(error: EngineError) => void} reject
 * @property {number} attempts
 */

/**
 * @typedef {object} Running
 * @property {Entry} entry
 * @property {boolean} unwanted
 * @property {ReturnType<typeof setTimeout>|undefined} timer
 */

/**
 * @param {{onStuck: () => void, onAnswer: () => void}} events
 */
export function createQueue({ onStuck, onAnswer }) {
  /** @type {Entry[]} */
  let waiting = [];
  /** @type {Map<string, Running>} by kind */
  const running = new Map();
  /** @type {Worker|null} */
  let worker = null;
  let lastId = 0;
  /** @type {EngineError|null} why no job is taken now: there is no worker and none will come */
  let refusal = null;

  /** @param {MessageEvent} event */
  function onMessage({ data }) {
    if (!data?.engine || concernsNoJob(data)) return;
    for (const [kind, job] of running) {
      if (job.entry.id !== data.id) continue;
      if (data.engine === 'progress') {
        // A sign of life for all: those that came later wait for this one.
        for (const other of running.values()) if (!other.unwanted || isBehind(other)) arm(other, SILENCE_LIMIT_MS);
        if (!job.unwanted) {
          job.entry.onProgress?.({ stage: data.stage, share: data.share, ...(data.board && { board: JSON.parse(data.board) }) });
        }
        return;
      }
      clearTimeout(job.timer);
      running.delete(kind);
      onAnswer();
      if (!job.unwanted) {
        if (data.engine === 'result') job.entry.resolve(JSON.parse(data.json));
        else job.entry.reject(new EngineError(data.code, JSON.parse(data.params)));
      }
      next();
      return;
    }
  }

  /**
   * @param {Running} job
   * @param {number} limit
   */
  function arm(job, limit) {
    clearTimeout(job.timer);
    job.timer = setTimeout(onStuck, limit);
  }

  /**
   * Whether the worker, which does one thing at a time, may be at an earlier job that is still wanted: it cannot stop
   * this one before it comes to it.
   * @param {Running} job
   */
  const isBehind = (job) => [...running.values()].some((other) => !other.unwanted && other.entry.id < job.entry.id);

  /** Send what may run now. */
  function next() {
    if (!worker) return;
    for (const entry of [...waiting]) {
      if (running.has(entry.kind)) continue;
      waiting = waiting.filter((other) => other !== entry);
      /** @type {Running} */
      const job = { entry, unwanted: false, timer: undefined };
      running.set(entry.kind, job);
      entry.attempts += 1;
      arm(job, SILENCE_LIMIT_MS);
      send(worker, entry);
    }
  }

  /**
   * @param {Worker} target
   * @param {Entry} entry
   */
  async function send(target, entry) {
    try {
      /** @type {Uint8Array[]} */
      const buffers = [];
      const args = await Promise.all(entry.args.map((value) => pack(value, buffers)));
      const text = JSON.stringify({ args, named: entry.named });
      if (target === worker) target.postMessage({ engine: 'call', id: entry.id, name: entry.name, args: text, buffers });
    } catch (error) {
      // A file that cannot be read any more, say.
      onMessage(/** @type {MessageEvent} */ ({
        data: { engine: 'error', id: entry.id, code: 'file-unreadable', params: JSON.stringify({ detail: String(error) }) },
      }));
    }
  }

  /**
   * @param {Running} job
   */
  function stop(job) {
    job.unwanted = true;
    arm(job, isBehind(job) ? SILENCE_LIMIT_MS : STOP_LIMIT_MS);
    worker?.postMessage({ engine: 'cancel', id: job.entry.id });
  }

  /**
   * Drop jobs that wait or run.
   * @param {(entry: Entry) => boolean} which
   * @param {EngineError} error
   */
  function drop(which, error) {
    const dropped = waiting.filter(which);
    waiting = waiting.filter((entry) => !which(entry));
    for (const job of running.values()) {
      if (which(job.entry) && !job.unwanted) {
        dropped.push(job.entry);
        stop(job);
      }
    }
    for (const entry of dropped) entry.reject(error);
  }

  return {
    /**
     * @param {string} name
     * @param {any[]} args
     * @param {Record<string, any>} named
     * @param {import('./engine-types.js').CallOptions} options
     * @returns {import('./engine-types.js').Job<any>}
     */
    add(name, args, named, { onProgress, kind = name, keep = false }) {
      const id = ++lastId;
      if (refusal) return Object.assign(Promise.reject(refusal), { id });
      if (!keep) drop((entry) => entry.kind === kind && !entry.keep, new EngineError('replaced'));
      const promise = new Promise((resolve, reject) => {
        waiting.push({ id, name, args, named, kind, keep, onProgress, resolve, reject, attempts: 0 });
      });
      next();
      return Object.assign(promise, { id });
    },
    /** @param {number} id */
    cancel(id) {
      drop((entry) => entry.id === id, new EngineError('cancelled'));
    },
    /** @param {Worker} ready */
    attach(ready) {
      worker = ready;
      worker.addEventListener('message', onMessage);
      next();
    },
    /** The worker is gone: what it was at goes to the head of the queue. */
    detach() {
      worker?.removeEventListener('message', onMessage);
      worker = null;
      /** @type {Entry[]} */
      const again = [];
      for (const job of running.values()) {
        clearTimeout(job.timer);
        if (job.unwanted) continue;
        if (job.entry.attempts < MOST_ATTEMPTS) again.push(job.entry);
        else job.entry.reject(new EngineError('worker-died'));
      }
      running.clear();
      waiting = [...again.sort((a, b) => a.id - b.id), ...waiting];
    },
    /**
     * No worker will come: what waits is told so, and so is what is asked from now on.
     * @param {EngineError} error
     */
    close(error) {
      refusal = error;
      drop(() => true, error);
    },
    /** A worker is on its way: jobs wait for it again. */
    open() {
      refusal = null;
    },
  };
}

/**
 * @param {any} data
 * @returns {boolean}
 */
function concernsNoJob(data) {
  return data.engine !== 'progress' && data.engine !== 'result' && data.engine !== 'error';
}

/**
 * Bytes go beside the JSON, which names them by number.
 * @param {any} value
 * @param {Uint8Array[]} buffers
 * @returns {Promise<any>}
 */
async function pack(value, buffers) {
  let bytes = value;
  if (bytes instanceof Blob) bytes = await bytes.arrayBuffer();
  if (bytes instanceof ArrayBuffer) bytes = new Uint8Array(bytes);
  if (!(bytes instanceof Uint8Array)) return value;
  buffers.push(bytes);
  return { $bytes: buffers.length - 1 };
}
