// @ts-check
/** The list of pictures, when there are several: a thumbnail and a state each, one is shown, all go out together. */
import { byId, el, icon } from './dom.js';
import { errorWords } from './phrases.js';
import * as st from './state.js';

/** @param {import('./app.js').App} app @returns {import('./app.js').Render} */
export function mountQueue(app) {
  const { store, media } = app;
  const list = byId('queue');
  /** @type {Map<number, {item: HTMLElement, pick: HTMLButtonElement, thumb: HTMLCanvasElement, state: HTMLElement, remove: HTMLButtonElement, name: HTMLElement}>} */
  const items = new Map();

  /** @param {st.Work} work */
  function make(work) {
    const thumb = el('canvas', { class: 'thumb', 'aria-hidden': 'true' });
    const name = el('span', { class: 'file' }, work.name || ' ');
    const state = el('span', { class: 'soft' });
    const pick = el('button', { type: 'button', class: 'bare pick-work', onclick: () => store.set(st.pickWork(store.state, work.id)) }, thumb, el('span', { class: 'about' }, name, state));
    const remove = el('button', { type: 'button', class: 'bare', onclick: () => {
      media.forget(work.id);
      store.set(st.removeWork(store.state, work.id));
    } }, icon('x'));
    const made = { item: el('li', {}, pick, remove), pick, thumb, state, remove, name };
    items.set(work.id, made);
    return made;
  }

  /** @param {HTMLCanvasElement} canvas @param {number} id */
  function drawThumb(canvas, id) {
    const bitmap = media.get(id)?.thumb;
    if (!bitmap || canvas.dataset.done) return;
    canvas.dataset.done = 'yes';
    canvas.width = bitmap.width;
    canvas.height = bitmap.height;
    canvas.getContext('2d')?.drawImage(bitmap, 0, 0);
  }

  /** @param {st.Work} work */
  function stateWords(work) {
    if (work.error) return errorWords(app.t, work.error.code, work.error.params).title;
    if (work.status !== 'read') return app.t(`ui.status-${work.status}`);
    const doubts = work.boards.reduce((sum, h) => sum + st.unsureSquares(h.now).length, 0);
    return [app.t('ui.read-done', { n: work.boards.length }), doubts ? app.t('ui.doubts', { n: doubts }) : ''].filter(Boolean).join(' · ');
  }

  return (state, before) => {
    const works = state.works.filter((w) => w.status !== 'blank');
    const many = works.length > 1 || works.some((w) => w.boards.length > 1);
    list.hidden = works.length < 2;
    byId('queue-tools').hidden = !many;
    byId('add-picture').hidden = !works.length;
    if (before && before.works === state.works && before.current === state.current) return;
    for (const [id, { item }] of items) if (!works.some((w) => w.id === id)) {
      item.remove();
      items.delete(id);
    }
    for (const work of works) {
      const { item, pick, thumb, state: words, remove } = items.get(work.id) ?? make(work);
      if (!item.parentNode) list.append(item);
      pick.setAttribute('aria-pressed', String(work.id === state.current));
      remove.setAttribute('aria-label', app.t('ui.remove', { name: work.name }));
      words.textContent = stateWords(work);
      item.dataset.state = work.status;
      drawThumb(thumb, work.id);
    }
  };
}
