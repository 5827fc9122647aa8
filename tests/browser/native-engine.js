// The engine's place in tests of the page: the same Python, but in the test's own process, so that nothing starts up.
// What the engine itself does is tested in test_engine.py, and the whole way in test_page.py.

class NativeError extends Error {
  constructor({ code, params }) {
    super(code);
    Object.assign(this, { code, params });
  }
}

/** @param {Blob} blob */
const base64 = (blob) => new Promise((resolve) => {
  const reader = new FileReader();
  reader.onload = () => resolve(reader.result.split(',')[1]);
  reader.readAsDataURL(blob);
});

export function startEngine({ onProgress, onState }) {
  const cancelled = new Map();
  let last = 0;
  let ready = () => {};
  const started = globalThis.heldStart ?? Promise.resolve();
  started.then(() => {
    onProgress({ stage: 'ready', loaded: 1, total: 1, share: 1 });
    onState({ state: 'ready' });
    ready();
  });
  const readiness = new Promise((resolve) => { ready = resolve; });

  /** @param {() => Promise<any>} work */
  const job = (work) => {
    const id = ++last;
    const stopped = new Promise((_, reject) => cancelled.set(id, () => reject(new NativeError({ code: 'cancelled', params: {} }))));
    const run = readiness.then(work).then((answer) => {
      if (answer.error) throw new NativeError(answer.error);
      return answer.result;
    });
    return Object.assign(Promise.race([run, stopped]), { id });
  };
  return {
    ready: readiness,
    state: { state: 'ready' },
    check: (text) => job(() => globalThis.nativePython('check', { text })),
    read: (bytes, { keep, ...options } = {}, progress = () => {}) => job(async () => {
      progress({ stage: 'find', share: 0.1 });
      await globalThis.heldRead;
      return globalThis.nativePython('read', { data: await base64(new Blob([bytes])), options });
    }),
    call: () => Promise.reject(new NativeError({ code: 'unknown-call', params: {} })),
    cancel: (id) => cancelled.get(id)?.(),
    restart: async () => onState({ state: 'ready' }),
    dispose() {},
  };
}
