// @ts-check
/**
 * What stands round the list of pictures: how far it is, in which order, which pages of a PDF, going through what is
 * to be looked at, all positions in one file, and keeping the list on this device.
 */
import * as batch from './batch.js';
import { byId, el } from './dom.js';
import { FORMS, listText, TYPES } from './lists.js';
import { downloadText } from './share.js';
import * as st from './state.js';

const NAMES = /** @type {Record<string, string>} */ ({ fen: 'positions.txt' });

/** @param {import('./app.js').App} app @returns {import('./app.js').Render} */
export function mountBatchTools(app) {
  const { store, jobs } = app;
  const box = byId('batch');
  const title = byId('batch-title');
  const bar = byId('batch-bar');
  const plain = el('button', { type: 'button', class: 'small', id: 'accept-plain', onclick: () => {
    const n = batch.diagrams(store.state).filter(batch.isPlain).length;
    store.set(batch.acceptAll(store.state, batch.isPlain));
    app.notice('ui.accepted-plain', { n });
  } });
  byId('review-tools').append(plain);
  const tools = byId('queue-tools');
  const pages = mountPages(app);

  /** @param {st.State} state */
  function summary(state) {
    const { t } = app;
    const works = state.works.filter((w) => !['blank', 'choosing', 'opening'].includes(w.status));
    const settled = works.filter((w) => !['queued', 'reading', 'stopped'].includes(w.status)).length;
    const all = batch.diagrams(state);
    const open = all.filter((d) => !batch.isAccepted(d.history) && batch.doubtOf(d.history.now) > 0).length;
    const accepted = all.filter((d) => batch.isAccepted(d.history)).length;
    const parts = [
      settled < works.length ? t('ui.batch-done', { done: settled, n: works.length }) : t('ui.batch-all', { n: works.length }),
      all.length ? t('ui.batch-diagrams', { n: all.length }) : '',
      open ? t('ui.batch-open', { n: open }) : '',
      accepted ? t('ui.batch-accepted', { n: accepted }) : '',
    ];
    return { text: parts.filter(Boolean).join(' · '), share: works.length ? settled / works.length : 1, plain: all.filter(batch.isPlain).length, many: all.length > 1 };
  }

  return (state, before) => {
    const works = state.works.filter((w) => w.status !== 'blank');
    pages(state, before);
    box.hidden = works.length < 2 && !works.some((w) => w.boards.length > 1);
    if (!before) {
      tools.replaceChildren(el('span', { class: 'soft' }, app.t('ui.all-together')),
        ...FORMS.map((form) => el('button', { type: 'button', class: 'small', 'data-list': form, onclick: async () => {
          downloadText(await listText(store.state, form, app.t, jobs.problemsOf), NAMES[form] ?? `positions.${form}`, TYPES[form]);
          tools.dispatchEvent(new Event('saved'));
        } }, app.t(`ui.list-${form}`))));
    }
    if (box.hidden || (before && before.works === state.works && before.order === state.order)) return;
    const now = summary(state);
    if (title.textContent !== now.text) title.textContent = now.text;
    bar.hidden = now.share >= 1;
    bar.value = now.share;
    plain.hidden = now.plain < 2;
    plain.textContent = app.t('ui.accept-plain', { n: now.plain });
    byId('order').hidden = !now.many;
    tools.hidden = !batch.diagrams(state).length;
    byId('review-tools').hidden = !now.many && !works.some((w) => w.status === 'stopped');
  };

  /** Which pages of a PDF file. @param {import('./app.js').App} _ @returns {import('./app.js').Render} */
  function mountPages(_) {
    const form = byId('pages-form');
    const lead = el('p', { class: 'name' });
    const field = el('input', { type: 'text', id: 'pages', inputMode: 'text', autocomplete: 'off', spellcheck: false, dir: 'ltr', 'aria-describedby': 'pages-fault' });
    const label = el('label', { for: 'pages' });
    const fault = el('p', { id: 'pages-fault', class: 'soft', role: 'alert' });
    const go = el('button', { type: 'submit', class: 'main' });
    /** The question goes, with the file; the keyboard stands where the next file would come from. */
    const drop = () => {
      jobs.remove(asking);
      const ways = () => /** @type {HTMLElement[]} */ ([byId('add-picture'), document.querySelector("[data-action='open']")]);
      requestAnimationFrame(() => requestAnimationFrame(() => ways().find((way) => way.offsetParent)?.focus()));
    };
    const leave = el('button', { type: 'button', onclick: drop });
    let asking = -1;
    form.append(lead, el('div', { class: 'row' }, label, field, go, leave), fault);
    form.addEventListener('keydown', (/** @type {KeyboardEvent} */ event) => {
      if (event.key === 'Escape') drop();
    });
    form.addEventListener('submit', (/** @type {Event} */ event) => {
      event.preventDefault();
      const work = store.state.works.find((w) => w.id === asking);
      const chosen = work && batch.parsePages(field.value, work.source?.pages ?? 0);
      fault.textContent = chosen ? '' : app.t('ui.pages-fault', { n: work?.source?.pages ?? 0 });
      field.setAttribute('aria-invalid', String(!chosen));
      if (chosen) jobs.choosePages(asking, chosen);
      else field.focus();
    });
    return (state, before) => {
      const open = state.works.filter((w) => w.status === 'choosing');
      const work = open.find((w) => w.id === state.current) ?? open[0];
      form.hidden = !work;
      if (!work) {
        asking = -1;
        return;
      }
      if (asking === work.id && before) return;
      const n = work.source?.pages ?? 0;
      lead.textContent = app.t('ui.pages-of', { name: work.name, n });
      label.textContent = app.t('ui.pages-which');
      go.textContent = app.t('ui.pages-go');
      leave.textContent = app.t('ui.pages-leave');
      if (asking !== work.id) {
        field.value = `1-${n}`;
        fault.textContent = '';
        field.setAttribute('aria-invalid', 'false');
        app.announce(lead.textContent);
      }
      asking = work.id;
    };
  }
}
