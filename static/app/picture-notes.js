// @ts-check
/** What is to be said about the picture on show: no board, a file that cannot be read, a reading that was stopped. */
import { byId, el } from './dom.js';
import { errorWords } from './phrases.js';
import * as st from './state.js';

/** @param {import('./app.js').App} app @returns {import('./app.js').Render} */
export function mountPictureNotes(app) {
  const note = byId('picture-note');
  const pick = byId('boards-pick');
  const select = byId('boards');
  let said = /** @type {any} */ (null);
  select.addEventListener('change', () => app.store.set(st.pickBoard(app.store.state, Number(select.value))));

  /** @param {st.Work} work */
  function words(work) {
    const { t } = app;
    if (work.error) {
      const { title, next } = errorWords(t, work.error.code, work.error.params);
      return [title, next];
    }
    if (work.status === 'none') return [t('error.no-board.title'), t('error.no-board.next')];
    if (work.status === 'stopped') return [t('ui.stopped')];
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
    const lines = words(work);
    const { snapped } = st.docOf(state);
    if (snapped && !lines.length && work.status === 'read') lines.push(app.t('ui.snapped'));
    const mine = snapped && work.status === 'read'
      ? el('button', { type: 'button', class: 'small', id: 'unsnap', onclick: () => void app.jobs.again({ corners: /** @type {any} */ (snapped) }) }, app.t('ui.unsnap')) : '';
    note.hidden = !lines.length;
    note.dataset.kind = work.error || work.status === 'none' ? 'fault' : 'doubt';
    note.replaceChildren(...lines.map((line, i) => el(i ? 'span' : 'b', {}, line, ' ')), mine);
    if (snapped && snapped !== said) app.announce(lines.join(' '));
    said = snapped;
  };
}
