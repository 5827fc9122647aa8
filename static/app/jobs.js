// @ts-check
/**
 * What the page asks of the engine, and what comes of the answers: every text is checked, every picture is read in
 * turn, corners and orientation that a person has set are read again. Nothing here draws.
 *
 * What always holds: one picture is read at a time; what cannot be opened is told before what takes long; the picture
 * on show comes first; of a PDF file at most one page is drawn ahead of the reading.
 */
import * as batch from './batch.js';
import * as readings from './readings.js';
import * as st from './state.js';

/** @typedef {import('./engine-types.js').Engine} Engine */
/** @typedef {import('./engine-types.js').EngineOptions} EngineOptions */
/** @typedef {[number, number]} Point */
/** @typedef {{id: number, job: import('./engine-types.js').Job<any>}} Running */

/**
 * @param {ReturnType<typeof import('./store.js').createStore>} store
 * @param {ReturnType<typeof import('./media.js').createMedia>} media
 */
export function createJobs(store, media) {
  /** @type {Engine | null} */
  let engine = null;
  /** What runs for the list, and what runs because a person has set corners or a side. @type {Running | null} */
  let listed = null;
  /** @type {Running | null} */
  let asked = null;
  /** @type {{id: number, stop: AbortController} | null} the picture that is being made ready */
  let preparing = null;
  let askedText = '';
  // No number of another visit, of which a list may have been kept, comes again: neither when something is taken in
  // before that list has come back, nor where two windows keep theirs.
  let lastId = Date.now();
  /** @type {(name: string, id: number) => void} the same file has come once more */
  let onRepeat = () => {};
  /** @type {() => {profile?: string, known?: string[]}} what every picture is read with */
  let readWith = () => ({});

  /** @param {Partial<st.State['engine']>} change */
  const tellEngine = (change) => store.set(st.patch(store.state, { engine: { ...store.state.engine, ...change } }));

  /** @param {number} id */
  const has = (id) => store.state.works.some((w) => w.id === id);

  /** @param {any} error @returns {{code: string, params: Record<string, any>}} */
  const codeOf = (error) => {
    if (!error?.code) console.error(error);
    return { code: error?.code ?? 'unexpected', params: error?.params ?? {} };
  };

  /** @param {number} id @param {any} error */
  function fail(id, error) {
    const { code, params } = codeOf(error);
    if (!has(id) || code === 'cancelled') return;
    store.set(st.patchWork(store.state, id, { status: 'failed', error: { code, params }, progress: null }));
  }

  function check() {
    const text = st.textOf(st.docOf(store.state));
    if (!engine || text === askedText) return;
    askedText = text;
    engine.check(text).then(
      (result) => {
        const state = st.patch(store.state, { check: { text, result } });
        store.set(result.fen ? st.follow(state, text, result.fen) : state);
      },
      (error) => {
        if (askedText === text && error?.code !== 'replaced') askedText = '';
      },
    );
  }

  /** @returns {st.Work[]} what is to be read, the picture on show first */
  function waiting() {
    const queued = store.state.works.filter((w) => w.status === 'queued' && media.get(w.id));
    return queued.sort((a, b) => Number(b.id === store.state.current) - Number(a.id === store.state.current));
  }

  /** Decode pictures for showing and for the list, one at a time; draw the next page of a PDF. */
  async function prepareNext() {
    if (preparing) return;
    const queued = waiting();
    // A drawn page is large: it is drawn when nothing but the one that is being read stands before it.
    const aheadOfPages = queued.some((w) => media.get(w.id)?.ready);
    const work = queued.find((w) => !media.get(w.id)?.ready && !(w.source && aheadOfPages));
    if (!work) return;
    const { id } = work;
    preparing = { id, stop: new AbortController() };
    try {
      await media.prepare(id, preparing.stop.signal);
      if (has(id)) store.set(st.patchWork(store.state, id, { opened: !!media.get(id)?.width }));
    } catch (error) {
      fail(id, error);
    }
    preparing = null;
    readNext();
    prepareNext();
  }

  async function readNext() {
    if (!engine || listed || store.state.engine.phase !== 'ready') return;
    const ready = waiting().filter((w) => media.get(w.id)?.ready);
    // What the browser could not open is soon told apart: it must not wait behind what takes long.
    const work = ready.find((w) => !media.get(w.id)?.width) ?? ready[0];
    if (!work) return;
    const { id } = work;
    const bytes = /** @type {Blob} */ (media.get(id)?.bytes);
    let boards = 0;
    const job = engine.read(bytes, { ...readWith(), keep: true }, ({ stage, share, board }) => {
      let state = st.patchWork(store.state, id, { progress: { stage, share } });
      if (board) state = readings.takeBoard(state, id, board, boards++);
      store.set(state);
    });
    listed = { id, job };
    store.set(st.patchWork(store.state, id, { status: 'reading', progress: { stage: 'wait', share: 0 } }));
    await settle(listed, (reading) => store.set(readings.takeReading(store.state, id, reading, boards > 0)));
    listed = null;
    media.done(id);
    readNext();
    prepareNext();
  }

  /**
   * Wait for a reading and give it on; an error becomes the work's own.
   * @param {Running} running
   * @param {(reading: any) => void} take
   */
  async function settle(running, take) {
    const { id, job } = running;
    try {
      const reading = await job;
      if (has(id)) take(reading);
    } catch (error) {
      const { code, params } = codeOf(error);
      if (code === 'replaced' || !has(id)) return;
      const read = st.workOf(store.state, id).boards[0].now.corners !== null;
      const cancelled = code === 'cancelled';
      // A picture that was stopped half-way can be gone on with, whatever has been read of it.
      const after = cancelled && (running === listed || !read) ? 'stopped' : read ? 'read' : 'failed';
      store.set(st.patchWork(store.state, id, { status: after, error: cancelled ? null : { code, params }, progress: null }));
    }
  }

  /** A PDF file: count its pages; a few are read at once, of more the person says which. @param {number} id @param {Blob} blob */
  async function openPdf(id, blob) {
    try {
      const pages = await media.pdf.pages(id, blob);
      if (!has(id)) return;
      store.set(st.patchWork(store.state, id, { status: 'choosing', source: { file: id, page: 0, pages } }));
      if (pages <= batch.PAGES_UNASKED) choosePages(id, Array.from({ length: pages }, (_, k) => k + 1));
    } catch (error) {
      fail(id, error);
    }
  }

  /** @param {number} id the work of a PDF file @param {number[]} pages from 1 */
  function choosePages(id, pages) {
    const file = media.get(id);
    if (!file || !pages.length) return;
    const chosen = pages.map((page) => ({ id: ++lastId, page }));
    for (const { id: work, page } of chosen) media.add(work, { blob: file.source, kind: 'png', file: id, page });
    media.handOn(id, chosen[0].id);
    store.set(batch.splitPages(store.state, id, chosen));
  }

  store.subscribe((state, before) => {
    check();
    if (state.works !== before.works || state.engine.phase !== before.engine.phase) {
      prepareNext();
      readNext();
    }
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
          onState: ({ state, code, params, restarted }) => {
            if (state === 'ready') tellEngine({ phase: 'ready', code: '' });
            else if (state === 'failed') tellEngine({ phase: 'failed', code: code ?? 'engine-start-failed', params: params ?? {} });
            // What had begun is done again by itself; that Python had stopped is said meanwhile.
            else if (state === 'loading') tellEngine({ phase: 'starting', code: restarted ? store.state.engine.code : '' });
          },
        });
        engine.ready.catch(() => undefined); // told by onState
        check();
        readNext();
      } catch (error) {
        tellEngine({ phase: 'failed', ...codeOf(error) });
      }
    },

    /**
     * Take files in: each becomes a work, the first is shown, and they are read in their turn. What cannot be opened
     * is told at once; a file that is in the list already is shown, not taken twice.
     * @param {{blob: Blob, name: string}[]} files
     */
    async take(files) {
      let first = true;
      for (const { blob, name } of files) {
        /** @type {{kind: string, digest: string, same: number} | null} */
        let known = null;
        let error = null;
        try {
          known = await media.identify(blob);
        } catch (caught) {
          error = codeOf(caught);
        }
        const same = known && has(known.same) ? known.same : -1;
        const id = same >= 0 ? same : ++lastId;
        if (same >= 0) onRepeat(name, same);
        else {
          const { kind, digest } = known ?? { kind: 'unknown', digest: '' };
          const pdf = kind === 'pdf';
          media.add(id, { blob, kind, digest, file: pdf ? id : 0 });
          store.set(st.addWork(store.state, id, name, error ? { status: 'failed', error } : pdf ? { status: 'opening', source: { file: id, page: 0, pages: 0 } } : {}));
          if (pdf) openPdf(id, blob);
        }
        if (first) store.set(st.pickWork(store.state, id));
        first = false;
      }
    },

    /**
     * Take works back that were kept on this device.
     * @param {{work: st.Work, blob: Blob, kind: string, digest: string, shown: import('./media.js').Shown | null}[]} kept in the order of the list
     */
    restore(kept) {
      const works = [];
      for (const { work, blob, kind, digest, shown } of kept) {
        lastId = Math.max(lastId, work.id, work.source?.file ?? 0);
        media.add(work.id, { blob, kind, digest, file: work.source?.file ?? 0, page: work.source?.page ?? 0, shown: work.status === 'queued' ? null : shown });
        works.push({ ...work, opened: !!shown });
      }
      store.set(batch.restoreWorks(store.state, works));
      for (const { work, blob } of kept) if (work.status === 'opening') openPdf(work.id, blob);
    },

    choosePages,

    /** @param {(name: string, id: number) => void} tell */
    whenRepeated(tell) {
      onRepeat = tell;
    },

    /** Take a picture off the list; what runs for it ends. @param {number} id */
    remove(id) {
      if (preparing?.id === id) preparing.stop.abort();
      for (const running of [listed, asked]) if (running?.id === id) engine?.cancel(running.job.id);
      store.set(st.removeWork(store.state, id));
      media.forget(id);
    },

    /**
     * Read the board on show again.
     * @param {{corners?: Point[], orientation?: 'white' | 'black', snap?: boolean}} options
     * @param {boolean} [instead] the new reading takes the place of the last change, as one step of undo
     */
    async again(options, instead = false) {
      const { current } = store.state;
      if (!engine || !media.get(current)) return;
      const at = st.workOf(store.state).board;
      const { status } = st.workOf(store.state);
      store.set(st.patchWork(store.state, current, { status: 'reading', progress: { stage: 'wait', share: 0 } }));
      /** @type {Blob} */
      let bytes;
      try {
        bytes = await media.bytes(current);
      } catch (error) {
        return fail(current, error);
      }
      const job = engine.read(bytes, /** @type {any} */ ({ ...readWith(), ...options }), ({ stage, share }) => store.set(st.patchWork(store.state, current, { progress: { stage, share } })));
      const mine = { id: current, job };
      asked = mine;
      await settle(mine, (reading) => {
        const state = store.state;
        const work = st.workOf(state, current);
        if (!options.corners && (reading.boards.length !== work.boards.length || !reading.boards.length)) {
          store.set(readings.takeReading(state, current, reading));
        } else if (reading.boards[options.corners ? 0 : at]) {
          const taken = readings.retakeBoard(state, current, at, reading.boards[options.corners ? 0 : at], instead, options.snap ? options.corners : null);
          // One board of a picture that was stopped: the others are still to be read.
          store.set(status === 'stopped' ? st.patchWork(taken, current, { status }) : taken);
        }
      });
      if (asked === mine) asked = null;
      // A reading that gave nothing new, or that another one replaced, leaves things as they were.
      if (has(current) && asked?.id !== current && st.workOf(store.state, current).status === 'reading') {
        store.set(st.patchWork(store.state, current, { status, progress: null }));
      }
      readNext();
    },

    /** Whether a reading runs for this work. @param {number} id */
    isReading: (id) => listed?.id === id || asked?.id === id,

    /** Stop: what runs, and what waits for its turn. */
    cancel() {
      const works = store.state.works.map((w) => (w.status === 'queued' ? { ...w, status: /** @type {const} */ ('stopped') } : w));
      store.set(st.patch(store.state, { works }));
      preparing?.stop.abort();
      for (const running of [listed, asked]) if (running) engine?.cancel(running.job.id);
    },

    /** Go on with what was stopped. */
    goOn() {
      const works = store.state.works.map((w) => (w.status === 'stopped' ? { ...w, status: /** @type {const} */ ('queued') } : w));
      store.set(st.patch(store.state, { works }));
    },

    restart() {
      tellEngine({ phase: 'starting', stage: 'start', code: '' });
      engine?.restart().catch(() => undefined);
    },

    /** Read with profiles of prints from now on. @param {() => {profile?: string, known?: string[]}} give */
    whenRead(give) {
      readWith = give;
    },

    /** What is wrong with a position, null where Python does not answer. @param {string} text @returns {Promise<any[] | null>} */
    problemsOf: (text) => (engine ? engine.call('check', [text]).then((result) => result.problems, () => null) : Promise.resolve(null)),

    /** Ask Python by name. @param {string} name @param {any[]} args @param {import('./engine-types.js').CallOptions} [options] */
    call: (name, args, options = {}) => (engine ? engine.call(name, args, options) : Promise.reject(new Error('the engine has not started'))),
  };
}
