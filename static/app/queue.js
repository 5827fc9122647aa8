// @ts-check
/**
 * The list of pictures, when there are several: a thumbnail and a state each, one is shown. As they came it has a row
 * for every picture; by doubt, one for every diagram, the worst first. Only rows that differ are touched, and rows out
 * of sight cost nothing (content-visibility), so that five hundred stay fluid.
 */
import * as batch from './batch.js';
import { byId, el, icon } from './dom.js';
import { errorWords } from './phrases.js';
import * as st from './state.js';

/**
 * @typedef {Object} Row
 * @property {st.Work} work
 * @property {number} at which of its boards; -1 for the whole picture
 */
/**
 * @typedef {Object} Item
 * @property {HTMLElement} item
 * @property {HTMLButtonElement} pick
 * @property {HTMLImageElement} thumb
 * @property {HTMLElement} name
 * @property {HTMLElement} words
 * @property {HTMLButtonElement} remove
 * @property {string} drawn what it shows, in short
 */

/** @param {st.State} state @returns {Row[]} */
function rowsOf(state) {
  const works = state.works.filter((w) => w.status !== 'blank');
  if (state.order === 'come') return works.map((work) => ({ work, at: -1 }));
  // Pages of a book that hold no diagram are no doubt; a picture without one is.
  const others = works.filter((w) => !batch.diagramsOf(w).length);
  const open = others.filter((w) => ['failed', 'choosing'].includes(w.status) || (w.status === 'none' && !w.source?.page));
  const rest = others.filter((w) => !open.includes(w) && w.status !== 'none');
  return [...open.map((work) => ({ work, at: -1 })), ...batch.byDoubt(state).map(({ work, at }) => ({ work, at })), ...rest.map((work) => ({ work, at: -1 }))];
}

/** @param {st.State} state @param {number} id @returns {number} the first row of a work in the list, from 1 */
export const rowOf = (state, id) => rowsOf(state).findIndex(({ work }) => work.id === id) + 1;

/** @param {import('./app.js').App} app @returns {import('./app.js').Render} */
export function mountQueue(app) {
  const { store, media } = app;
  const list = byId('queue');
  /** @type {Map<string, Item>} */
  const items = new Map();
  /** @type {Map<st.History, batch.Diagram>} */
  let same = new Map();

  /** @param {Row} row */
  const keyOf = ({ work, at }) => `${work.id}:${at}`;

  list.addEventListener('keydown', (/** @type {KeyboardEvent} */ event) => {
    if (!['ArrowDown', 'ArrowUp'].includes(event.key)) return;
    const at = /** @type {HTMLElement} */ (event.target).closest('li');
    const next = event.key === 'ArrowDown' ? at?.nextElementSibling : at?.previousElementSibling;
    /** @type {HTMLButtonElement | null | undefined} */ (next?.querySelector('.pick-work'))?.focus();
    event.preventDefault();
  });

  /** @param {Row} row */
  function make({ work, at }) {
    const thumb = el('img', { class: 'thumb', alt: '', width: 44, height: 44, loading: 'lazy', decoding: 'async' });
    const name = el('span', { class: 'file' });
    const words = el('span', { class: 'soft' });
    const { id } = work;
    const pick = el('button', { type: 'button', class: 'bare pick-work', onclick: () => {
      const now = store.state.works.find((w) => w.id === id);
      if (!now) return;
      const diagram = batch.diagramsOf(now)[at];
      store.set(diagram ? batch.goTo(store.state, diagram) : st.pickWork(store.state, id));
    } }, thumb, el('span', { class: 'about' }, name, words));
    let warned = false;
    const remove = el('button', { type: 'button', class: 'bare', hidden: at > 0, onblur: () => { warned = false; }, onclick: () => {
      const now = store.state.works.find((w) => w.id === id);
      if (warned || !now || !batch.isWorkedOn(now)) return app.jobs.remove(id);
      warned = true;
      setTimeout(() => { warned = false; }, 6000); // not every browser focuses what is pressed, and so blurs it
      app.notice('ui.remove-sure', { name: batch.workName(app.t, now) });
    } }, icon('x'));
    const made = { item: el('li', {}, pick, remove), pick, thumb, name, words, remove, drawn: '' };
    items.set(keyOf({ work, at }), made);
    return made;
  }

  /** @param {readonly st.History[]} boards @returns {string} */
  function doubtWords(boards) {
    const { t } = app;
    const doubts = boards.reduce((sum, h) => sum + st.unsureSquares(h.now).length, 0);
    const twin = boards.length === 1 ? same.get(boards[0]) : undefined;
    return [
      boards.every(batch.isAccepted) ? t('ui.accepted') : doubts ? t('ui.doubts', { n: doubts }) : '',
      twin ? t('ui.same-as', { name: batch.diagramName(t, twin) }) : '',
    ].filter(Boolean).join(' · ');
  }

  /** @param {Row} row @param {st.State} state */
  function stateWords({ work, at }, state) {
    const { t } = app;
    if (work.error) return errorWords(t, work.error.code, work.error.params).title;
    if (at >= 0) return doubtWords([work.boards[at]]) || t('ui.no-doubt');
    if (work.status === 'queued' && state.engine.phase === 'starting') return t('ui.status-loading');
    if (work.status !== 'read') return t(`ui.status-${work.status}`, { n: work.source?.pages ?? 0 });
    return [t('ui.read-done', { n: work.boards.length }), doubtWords(work.boards)].filter(Boolean).join(' · ');
  }

  /** @param {Row} row @param {st.State} state @param {Item} shown */
  function drawRow(row, state, { item, pick, thumb, name, words, remove }) {
    const { work, at } = row;
    const histories = at >= 0 ? [work.boards[at]] : work.boards;
    const title = at >= 0 ? batch.diagramName(app.t, { work, at, history: work.boards[at] }) : batch.workName(app.t, work);
    const current = work.id === state.current && (at < 0 || work.board === at);
    name.textContent = title || ' ';
    words.textContent = stateWords(row, state);
    pick.setAttribute('aria-pressed', String(current));
    remove.setAttribute('aria-label', app.t('ui.remove', { name: batch.workName(app.t, work) }));
    item.dataset.state = work.status;
    item.toggleAttribute('data-accepted', batch.diagramsOf(work).length > 0 && histories.every(batch.isAccepted));
    item.toggleAttribute('data-doubt', histories.some((h) => !batch.isAccepted(h) && batch.doubtOf(h.now) > 0));
    const address = media.get(work.id)?.address ?? '';
    if (address && thumb.getAttribute('src') !== address) thumb.src = address;
  }

  /** Put the rows into their order; what has the focus keeps it. @param {Item[]} order */
  function arrange(order) {
    const focused = /** @type {HTMLElement | null} */ (list.contains(document.activeElement) ? document.activeElement : null);
    let after = list.firstElementChild;
    for (const { item } of order) {
      if (item === after) after = after.nextElementSibling;
      else list.insertBefore(item, after);
    }
    if (focused && document.activeElement !== focused && focused.isConnected) focused.focus({ preventScroll: true });
  }

  /** @param {HTMLElement} item brought into sight within the list; the page itself does not move */
  function reveal(item) {
    const [box, row] = [list.getBoundingClientRect(), item.getBoundingClientRect()];
    if (row.top < box.top) list.scrollTop -= box.top - row.top + 4;
    else if (row.bottom > box.bottom) list.scrollTop += row.bottom - box.bottom + 4;
  }

  return (state, before) => {
    const works = state.works.filter((w) => w.status !== 'blank');
    const rows = rowsOf(state);
    list.hidden = works.length < 2 && rows.length < 2;
    byId('add-picture').hidden = !works.length;
    const moved = !before || before.current !== state.current || before.order !== state.order || st.workOf(before).board !== st.workOf(state).board;
    if (before && before.works === state.works && !moved && before.engine.phase === state.engine.phase) return;
    if (!before || before.works !== state.works) same = batch.repeats(batch.diagrams(state));
    const keys = new Set(rows.map(keyOf));
    for (const [key, { item }] of items) if (!keys.has(key)) {
      const focused = item.contains(document.activeElement);
      const near = /** @type {HTMLElement | null} */ (item.nextElementSibling ?? item.previousElementSibling);
      item.remove();
      items.delete(key);
      if (focused) /** @type {HTMLButtonElement | null} */ (near?.querySelector('.pick-work'))?.focus({ preventScroll: true });
    }
    /** @type {Item | null} */
    let current = null;
    const order = rows.map((row) => {
      const shown = items.get(keyOf(row)) ?? make(row);
      const here = row.work.id === state.current && (row.at < 0 || row.work.board === row.at);
      if (here) current = shown;
      const twins = row.at >= 0 ? same.has(row.work.boards[row.at]) : row.work.boards.some((h) => same.has(h));
      const sign = [versionOf(row.work), here, twins, app.t.language, row.work.status === 'queued' && state.engine.phase, media.get(row.work.id)?.address].join();
      if (sign !== shown.drawn) {
        shown.drawn = sign;
        drawRow(row, state, shown);
      }
      return shown;
    });
    arrange(order);
    if (moved && current && !list.hidden) reveal(/** @type {Item} */ (current).item);
  };
}

/** @type {WeakMap<st.Work, number>} */
const versions = new WeakMap();
let lastVersion = 0;

/** A number of its own for every version of a work. @param {st.Work} work */
function versionOf(work) {
  const known = versions.get(work) ?? ++lastVersion;
  versions.set(work, known);
  return known;
}
