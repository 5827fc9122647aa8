// @ts-check
/** What is to be said about the picture on show: no board, a file that cannot be read, a guess about the side at the bottom. */
import { byId, el } from './dom.js';
import { errorWords, evidenceWords } from './phrases.js';
import * as st from './state.js';

/** @param {import('./app.js').App} app @returns {import('./app.js').Render} */
export function mountPictureNotes(app) {
  const note = byId('picture-note');
  const pick = byId('boards-pick');
  const select = byId('boards');
  select.addEventListener('change', () => app.store.set(st.pickBoard(app.store.state, Number(select.value))));

  /** @param {st.State} state @param {st.Work} work */
  function words(state, work) {
    const { t } = app;
    if (work.error) {
      const { title, next } = errorWords(t, work.error.code, work.error.params);
      return [title, next];
    }
    if (work.status === 'none') return [t('error.no-board.title'), t('error.no-board.next')];
    if (work.status === 'stopped') return [t('ui.stopped')];
    const { orientation, bottom } = st.docOf(state);
    if (work.status === 'read' && orientation && orientation.probability < 0.95) {
      return [t('ui.maybe-turned', { side: t(`side.${bottom}`), percent: t.percent(orientation.probability) }), ...evidenceWords(t, orientation.evidence)];
    }
    return [];
  }

  return (state, before) => {
    if (before && before.works === state.works && before.current === state.current) return;
    const work = st.workOf(state);
    byId('modes').hidden = !st.docOf(state).squares || work.status === 'blank';
    pick.hidden = work.boards.length < 2;
    if (!pick.hidden) {
      select.replaceChildren(...work.boards.map((_, i) => el('option', { value: String(i) }, app.t('ui.board-of', { n: i + 1, total: work.boards.length }))));
      select.value = String(work.board);
    }
    const lines = words(state, work);
    note.hidden = !lines.length;
    note.dataset.kind = work.error || work.status === 'none' ? 'fault' : 'doubt';
    note.replaceChildren(...lines.map((line, i) => el(i ? 'span' : 'b', {}, line, ' ')));
  };
}
