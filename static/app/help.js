// @ts-check
/** The list of keys, made from the registry of actions. */
import { ACTIONS, spellKeys } from './actions.js';
import { byId, el } from './dom.js';

const BOARD_KEYS = ['arrows', 'letters', 'delete', 'square', 'space', 'enter', 'home', 'pointer'];

/** @param {import('./app.js').App} app @param {{single: boolean}} settings */
export function mountHelp(app, settings) {
  /** @type {HTMLDialogElement} */
  const dialog = byId('help');

  function build() {
    const { t } = app;
    /** @param {string} keys @param {string} words */
    const row = (keys, words) => el('div', {}, el('dt', {}, ...keys.split(' ').map((k) => el('kbd', {}, k))), el('dd', {}, words));
    const single = el('input', { type: 'checkbox', checked: settings.single, onchange: () => { settings.single = single.checked; } });
    dialog.replaceChildren(
      el('header', { class: 'head' }, el('h2', { id: 'help-title' }, t('ui.keys-title')),
        el('button', { type: 'button', class: 'end', onclick: () => dialog.close() }, t('ui.close'))),
      el('h3', {}, t('ui.keys-everywhere')),
      el('dl', { class: 'keys' },
        ...ACTIONS.filter((a) => a.keys).map((a) => row(spellKeys(a.keys ?? ''), t(`action.${a.id}`))),
        row(spellKeys('Mod+V'), t('ui.key-paste')), row(spellKeys('Mod+C'), t('ui.key-copy'))),
      el('h3', {}, t('ui.keys-board')),
      el('dl', { class: 'keys' }, ...BOARD_KEYS.map((k) => row(t(`ui.key-${k}-keys`), t(`ui.key-${k}`)))),
      el('h3', {}, t('ui.keys-picture')),
      el('dl', { class: 'keys' }, ...['zoom', 'corner'].map((k) => row(t(`ui.key-${k}-keys`), t(`ui.key-${k}`)))),
      el('label', { class: 'check' }, single, t('ui.single-keys')));
  }

  return () => {
    build();
    dialog.showModal();
  };
}
