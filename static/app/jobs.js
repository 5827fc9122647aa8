// @ts-check
/**
 * What the page asks of the engine, and what comes of the answers: every text is checked, every picture is read in
 * turn, corners and orientation that a person has set are read again. Nothing here draws.
 */
import * as st from './state.js';

/** @typedef {import('./engine-types.js').Engine} Engine */
/** @typedef {import('./engine-types.js').EngineOptions} EngineOptions */
/** @typedef {[number, number]} Point */

/**
 * @param {ReturnType<typeof import('./store.js').createStore>} store
 * @param {ReturnType<typeof import('./media.js').createMedia>} media
 */
export function createJobs(store, media) {
  /** @type {Engine | null} */
  let engine = null;
  /** @type {import('./engine-types.js').Job<any> | null} */
  let running = null;
  let runningId = -1;
  let asked = '';
  let lastId = 0;

  /** @param {Partial<st.State['engine']>} change */
  const tellEngine = (change) => store.set(st.patch(store.state, { engine: { ...store.state.engine, ...change } }));

  /** @param {any} error @returns {{code: string, params: Record<string, any>}} */
  const codeOf = (error) => {
    if (!error?.code) console.error(error);
    return { code: error?.code ?? 'unexpected', params: error?.params ?? {} };
  };

  /** @param {number} id @param {import('./engine-types.js').JobProgress} progress */
  const tellProgress = (id, { stage, share }) => store.set(st.patchWork(store.state, id, { progress: { stage, share } }));

  function check() {
    const text = st.textOf(st.docOf(store.state));
    if (!engine || text === asked) return;
    asked = text;
    engine.check(text).then(
      (result) => {
        const state = st.patch(store.state, { check: { text, result } });
        store.set(result.fen ? st.follow(state, text, result.fen) : state);
      },
      (error) => {
        if (asked === text && error?.code !== 'replaced') asked = '';
      },
    );
  }

  async function readNext() {
    if (!engine || running || store.state.engine.phase === 'failed') return;
    const work = store.state.works.find((w) => w.status === 'queued' && media.get(w.id)?.ready);
    if (!work) return;
    const { id } = work;
    store.set(st.patchWork(store.state, id, { status: 'reading', progress: { stage: 'wait', share: 0 } }));
    await start(id, engine.read(/** @type {any} */ (media.get(id)).bytes, { keep: true }, (p) => tellProgress(id, p)), (reading) => {
      store.set(st.takeReading(store.state, id, reading));
    });
    readNext();
  }

  /**
   * Wait for a reading and give it on; an error becomes the work's own.
   * @param {number} id
   * @param {import('./engine-types.js').Job<any>} job
   * @param {(reading: any) => void} take
   */
  async function start(id, job, take) {
    running = job;
    runningId = id;
    const { status } = st.workOf(store.state, id);
    try {
      const reading = await job;
      if (running === job) running = null;
      if (store.state.works.some((w) => w.id === id)) take(reading);
    } catch (error) {
      const { code, params } = codeOf(error);
      if (code === 'replaced') return;
      const read = st.workOf(store.state, id).boards[0].now.corners !== null;
      const after = code === 'cancelled' ? 'stopped' : 'failed';
      store.set(st.patchWork(store.state, id, { status: read ? 'read' : after, error: code === 'cancelled' ? null : { code, params }, progress: null }));
    } finally {
      if (running === job) running = null;
      if (st.workOf(store.state, id).status === 'reading') store.set(st.patchWork(store.state, id, { status }));
    }
  }

  store.subscribe(() => {
    check();
    readNext();
  });

  return {
    /**
     * The problems of what is shown: the reading's own, which know of likely misreadings, as long as nothing has been
     * changed; then the checker's. Null while they are not known.
     * @param {st.State} state
     */
    verdict(state) {
      const doc = st.docOf(state);
      if (doc.read && doc.read.fen === st.textOf(doc)) return { problems: doc.read.problems, cleaned: [], fixes: [], fen: doc.read.fen };
      return st.checkOf(state);
    },

    /** Start Python. @param {(options: EngineOptions) => Engine} startEngine */
    begin(startEngine) {
      try {
        engine = startEngine({
          onProgress: ({ stage, loaded, total, share }) => tellEngine({ stage, loaded, total, share }),
          onState: ({ state, code, params }) => {
            if (state === 'ready') tellEngine({ phase: 'ready' });
            else if (state === 'failed') tellEngine({ phase: 'failed', code: code ?? 'engine-start-failed', params: params ?? {} });
            else if (state === 'loading') tellEngine({ phase: 'starting', code: '' });
          },
        });
        engine.ready.catch(() => undefined); // told by onState
        check();
        readNext();
      } catch (error) {
        tellEngine({ phase: 'failed', ...codeOf(error) });
      }
    },

    /** Take files in: each becomes a work, is shown, and is read in its turn. @param {{blob: Blob, name: string}[]} files */
    async take(files) {
      const added = files.map(({ blob, name }) => ({ id: ++lastId, blob, name }));
      for (const { id, name } of added) store.set(st.addWork(store.state, id, name));
      if (added.length) store.set(st.pickWork(store.state, added[0].id));
      for (const { id, blob, name } of added) {
        try {
          (await media.add(id, blob, name)).ready = true;
          store.set(st.patchWork(store.state, id, {}));
        } catch (error) {
          store.set(st.patchWork(store.state, id, { status: 'failed', error: codeOf(error) }));
        }
      }
    },

    /**
     * Read the board on show again.
     * @param {{corners?: Point[], orientation?: 'white' | 'black'}} options
     * @param {boolean} [instead] the new reading takes the place of the last change, as one step of undo
     */
    async again(options, instead = false) {
      const { current } = store.state;
      const picture = media.get(current);
      if (!engine || !picture) return;
      const at = st.workOf(store.state).board;
      store.set(st.patchWork(store.state, current, { status: 'reading', progress: { stage: 'wait', share: 0 } }));
      const job = engine.read(picture.bytes, /** @type {any} */ (options), (p) => tellProgress(current, p));
      await start(current, job, (reading) => {
        const state = store.state;
        const work = st.workOf(state, current);
        if (!options.corners && (reading.boards.length !== work.boards.length || !reading.boards.length)) {
          store.set(st.takeReading(state, current, reading));
        } else if (reading.boards[options.corners ? 0 : at]) {
          store.set(st.retakeBoard(state, current, at, reading.boards[options.corners ? 0 : at], instead));
        }
      });
      readNext();
    },

    /** Whether a reading runs for this work. @param {number} id */
    isReading: (id) => running !== null && runningId === id,

    cancel() {
      if (running && engine) engine.cancel(running.id);
    },

    restart() {
      tellEngine({ phase: 'starting', stage: 'start', code: '' });
      engine?.restart().catch(() => undefined);
    },

    /** Ask Python by name. @param {string} name @param {any[]} args */
    call: (name, args) => (engine ? engine.call(name, args) : Promise.reject(new Error('the engine has not started'))),
  };
}
