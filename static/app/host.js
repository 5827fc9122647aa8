// @ts-check
/**
 * The whole page in a frame of somebody else's: a picture comes by message, its Reading goes back, and so does the
 * position as the person corrects it.
 *
 * Where it stands: beside jobs.js; static/embed/protocol.js judges the messages, frame-link.js says who is heard.
 * What always holds: only the page that holds the frame is heard, and answered where it spoke from; it gets no picture
 * and no name of a file that is the person's own; that it is told the position is said on the page.
 */
import { linkToHost } from '../embed/frame-link.js';
import { READER_REQUESTS } from '../embed/protocol.js';
import { byId, el } from './dom.js';
import { squareName } from './fen.js';
import { errorWords, fixWords, problemWords } from './phrases.js';
import * as st from './state.js';

/** @typedef {import('./engine-types.js').Engine} Engine */
/** @typedef {import('./engine-types.js').EngineOptions} EngineOptions */
/** @typedef {import('./engine-types.js').JobProgress} JobProgress */
/** @typedef {import('../embed/protocol.js').Message} Message */
/** @typedef {import('../embed/protocol.js').Id} Id */

/**
 * @param {import('./app.js').App} app
 * @param {{setLanguage: (code: string) => Promise<void>, setTheme: (theme: string) => void}} page
 */
export function mountHost(app, { setLanguage, setTheme }) {
  /** @type {Engine | null} */
  let engine = null;
  /** @type {Message[]} pictures that came before there was an engine */
  let early = [];
  /** @type {Id[]} requests that wait for the answer to the text */
  let waiting = [];
  /**
   * Pictures of the host that the page is about to read as well: it takes the same job.
   * @type {Map<Blob, {job: import('./engine-types.js').Job<any>, follow: ((progress: JobProgress) => void)[]}>}
   */
  const known = new Map();
  /** @type {Map<string, Id>} FEN that was read → the request it answers */
  const readFor = new Map();
  /** @type {string | null} what the host has put on the board, or what stood there at first */
  let hostText = st.textOf(st.docOf(app.store.state));
  let told = '';
  let site = '';

  if (window.parent === window) return { around: (/** @type {(options: EngineOptions) => Engine} */ start) => start, render() {} };

  const line = el('p', { id: 'framed', hidden: true });
  byId('offline').before(line);

  const link = linkToHost({
    frame: window,
    requests: READER_REQUESTS,
    onHost(origin) {
      site = origin === 'null' ? '' : origin.replace(/^https?:\/\//, '');
      render();
      settle();
    },
    onRequest(request) {
      if (request.type === 'read') {
        if (engine) read(request);
        else if (app.store.state.engine.phase === 'failed') sayError(request.id, app.store.state.engine);
        else early.push(request);
      } else if (request.type === 'set-options') {
        setOptions(request).then(() => sayReady(request.id));
      } else {
        if (request.type === 'set-fen') {
          hostText = request.fen;
          app.store.set(st.setText(app.store.state, request.fen));
          hostText = st.textOf(st.docOf(app.store.state));
        }
        if (request.id !== undefined) waiting.push(request.id);
        settle();
      }
    },
  });

  /** @param {Message} request */
  async function setOptions({ lang, theme }) {
    if (theme) setTheme(theme);
    if (lang) await setLanguage(lang);
  }

  /** @param {Id} [id] */
  function sayReady(id) {
    const { phase } = app.store.state.engine;
    const { theme = 'auto' } = document.documentElement.dataset;
    link.say('ready', { lang: app.t.language, theme, title: app.t('ui.title'), engine: phase === 'starting' ? 'loading' : phase }, id);
  }

  /** @param {Id | undefined} id @param {{code?: string, params?: Record<string, any>}} error */
  function sayError(id, { code = 'unexpected', params = {} }) {
    link.say('error', { code, params, ...errorWords(app.t, code, params) }, id);
  }

  /** @param {Message} request */
  async function read({ id, picture, name = '', show = true }) {
    const blob = picture instanceof Blob ? picture : new Blob([picture]);
    /** @type {((progress: JobProgress) => void)[]} */
    const follow = [({ stage, share }) => {
      if (id !== undefined) link.say('progress', { stage, share }, id);
    }];
    const job = /** @type {Engine} */ (engine).read(blob, { keep: true }, (progress) => {
      for (const tell of follow) tell(progress);
    });
    if (show) {
      known.set(blob, { job, follow });
      app.jobs.take([{ blob, name }]);
    }
    try {
      const reading = await job;
      if (id === undefined) return;
      if (show) for (const board of reading.boards) readFor.set(board.fen, id);
      link.say('reading', { reading }, id);
    } catch (error) {
      sayError(id, /** @type {any} */ (error));
    } finally {
      known.delete(blob);
    }
  }

  /** The position on show, with what is wrong with it, in words. */
  function result() {
    const { t } = app;
    const doc = st.docOf(app.store.state);
    const verdict = app.jobs.verdict(app.store.state);
    const { fen = null, problems = [], cleaned = [], fixes = [] } = verdict ?? {};
    /** @param {any} fix */
    const labelled = (fix) => ({ ...fix, label: fixWords(t, fix) });
    return {
      text: st.textOf(doc), fen, checked: verdict !== null,
      problems: problems.map((/** @type {any} */ problem) => ({ ...problem, ...problemWords(t, problem), fixes: (problem.fixes ?? []).map(labelled) })),
      cleaned, fixes: fixes.map(labelled),
      unsure: st.unsureSquares(doc).map(squareName),
      picture: (doc.read && readFor.get(doc.read.fen)) ?? null,
    };
  }

  /** Tell the host of a position once it has its answer. */
  function settle() {
    const { state } = app.store;
    const { status } = st.workOf(state);
    // The empty board that stands while a picture is read is no position.
    if (status === 'queued' || status === 'reading') return;
    const text = st.textOf(st.docOf(state));
    if (!app.jobs.verdict(state) && state.engine.phase !== 'failed') return;
    const now = result();
    const key = JSON.stringify([now.text, now.checked, now.unsure, now.problems.length]);
    if (key !== told && link.heard()) {
      told = key;
      const untouched = st.docOf(state).read?.fen === text || (status !== 'blank' && !st.historyOf(state).past.length);
      link.say('change', { ...now, by: text === hostText ? 'host' : untouched ? 'reader' : 'person' });
    }
    for (const id of waiting.splice(0)) link.say('result', now, id);
  }

  let phase = '';
  app.store.subscribe((state) => {
    if (state.engine.phase !== phase) {
      phase = state.engine.phase;
      if (phase === 'ready') sayReady();
      if (phase === 'failed') {
        for (const request of early.splice(0)) sayError(request.id, state.engine);
        sayError(undefined, state.engine);
      }
    }
    settle();
  });

  function render() {
    line.hidden = !link.heard();
    line.textContent = app.t('ui.framed', { site: site || app.t('ui.framed.somebody') });
  }

  return {
    /**
     * Let the pictures of the host and those of the page be read by one engine, each once.
     * @param {(options: EngineOptions) => Engine} start
     * @returns {(options: EngineOptions) => Engine}
     */
    around: (start) => (options) => {
      const started = start(options);
      engine = started;
      for (const request of early.splice(0)) read(request);
      return {
        ready: started.ready,
        get state() {
          return started.state;
        },
        read(bytes, readOptions, progress) {
          const shared = bytes instanceof Blob && !readOptions?.corners && !readOptions?.orientation ? known.get(bytes) : undefined;
          if (!shared) return started.read(bytes, readOptions, progress);
          if (progress) shared.follow.push(progress);
          return shared.job;
        },
        check: started.check,
        call: started.call,
        cancel: started.cancel,
        restart: started.restart,
        dispose: started.dispose,
      };
    },
    /** @type {import('./app.js').Render} */
    render(_state, before) {
      if (!before) render();
    },
  };
}
