// @ts-check
/** One line of words on what goes on: loading with its bytes, reading with its stage, or what has come of it. */
import { byId } from './dom.js';
import { errorWords } from './phrases.js';
import * as st from './state.js';

/**
 * @param {import('./app.js').App} app
 * @param {st.State} state
 * @returns {{text: string, share: number | null, kind: 'idle' | 'busy' | 'fault', title: string, said?: string}} `said` is what a screen reader hears; the problems say themselves (problems.js)
 */
function line(app, state) {
  const { t } = app;
  const { engine } = state;
  const work = st.workOf(state);
  const waiting = state.works.filter((w) => w.status === 'queued').length;
  const title = t('ui.title');
  if (engine.phase === 'failed') {
    const { title: what, next } = errorWords(t, engine.code, engine.params);
    return { text: `${what} ${next} ${t('ui.still-works')}`, share: null, kind: 'fault', title };
  }
  if (engine.phase === 'starting') {
    const text = engine.stage === 'download' && engine.total
      ? t('ui.loading', { done: t.megabytes(engine.loaded), total: t.megabytes(engine.total) })
      : t(engine.stage === 'download' ? 'ui.loading-begins' : 'ui.starting');
    const parts = [engine.code ? `${errorWords(t, engine.code, engine.params).title} ${t('ui.restarting')}` : '', text, waiting ? t('ui.then-read') : ''];
    return { text: parts.filter(Boolean).join(' '), share: engine.share, kind: 'busy', title };
  }
  const busy = work.status === 'reading' ? work : state.works.find((w) => w.status === 'reading' || w.status === 'queued');
  if (busy) {
    const stage = `progress.${busy.progress?.stage ?? 'wait'}`;
    const text = t(t.has(stage) ? stage : 'progress.wait');
    const more = waiting - (busy.status === 'queued' ? 1 : 0);
    return { text: more ? `${text} ${t('ui.waiting', { n: more })}` : text, share: busy.progress?.share ?? 0, kind: 'busy', title: t('ui.title-reading') };
  }
  if (work.status === 'blank') return { text: t('ui.ready'), share: null, kind: 'idle', title };
  if (work.status === 'read') {
    const doubts = st.unsureSquares(st.docOf(state)).length;
    const faults = (app.jobs.verdict(state)?.problems ?? []).filter((/** @type {any} */ p) => p.severity !== 'note').length;
    const parts = [t('ui.read-done', { n: work.boards.length }), doubts ? t('ui.doubts', { n: doubts }) : '', faults ? t('ui.problems', { n: faults }) : ''];
    const said = parts.slice(0, 2).filter(Boolean).join(' · ');
    return { text: parts.filter(Boolean).join(' · '), said, share: null, kind: 'idle', title: t('ui.title-read', { n: doubts + faults }) };
  }
  return { text: t(`ui.status-${work.status}`, { n: work.source?.pages ?? 0 }), share: null, kind: 'idle', title };
}

/** @param {import('./app.js').App} app @returns {import('./app.js').Render} */
export function mountStatus(app) {
  const box = byId('status');
  const bar = byId('status-bar');
  let said = '';
  return (state) => {
    const now = line(app, state);
    box.hidden = false;
    box.dataset.state = now.kind;
    const text = byId('status-text');
    if (text.textContent !== now.text) text.textContent = now.text;
    bar.hidden = now.share === null;
    if (now.share !== null) bar.value = now.share;
    document.title = now.title;
    // Bytes and stages run by in silence; what comes of them is said.
    const { phase, code } = state.engine;
    const words = now.said ?? now.text;
    const key = now.kind === 'busy' ? phase + code + (st.workOf(state).status === 'reading') : words;
    if (key !== said && (now.kind !== 'busy' || code)) app.announce(words);
    said = key;
  };
}
