// @ts-check
/** The FEN field: it and the board are one. What is typed moves the board; what is done on the board is written here. */
import { byId } from './dom.js';
import { makeFen, parseFen } from './fen.js';
import * as st from './state.js';

/**
 * What copying gives: the FEN as it is written well, or the text as it stands where it is none; and what is said of it.
 * @param {import('./app.js').App} app
 */
export function toCopy({ store, jobs }) {
  const doc = st.docOf(store.state);
  const text = st.textOf(doc);
  const found = jobs.verdict(store.state)?.fen ?? (parseFen(text) && makeFen(doc));
  return { text: found ?? text, done: found ? 'ui.copied' : 'ui.copied-broken' };
}

/** @param {import('./app.js').App} app @returns {import('./app.js').Render} */
export function mountFenBar(app) {
  const { store } = app;
  /** @type {HTMLInputElement} */
  const input = byId('fen');
  let typing = false;

  input.addEventListener('input', () => {
    // The typing of one text is one step of undo: the first letter makes it, the others change it.
    const state = typing ? st.undo(store.state) : store.state;
    const next = st.setText(state, input.value, true);
    typing = next !== state;
    store.set(next);
  });
  input.addEventListener('focus', () => { typing = false; });
  input.addEventListener('blur', () => { typing = false; });
  input.addEventListener('keydown', (event) => {
    if (event.key === 'Enter') {
      const verdict = app.jobs.verdict(store.state);
      if (verdict?.fen) store.set(st.setText(store.state, verdict.fen));
      typing = false;
      input.select();
    }
    if (event.key === 'Escape') {
      if (typing) store.set(st.undo(store.state));
      typing = false;
      input.blur();
    }
  });

  return (state) => {
    const text = st.textOf(st.docOf(state));
    if (input.value !== text) input.value = text;
    const verdict = app.jobs.verdict(state);
    const broken = !!verdict && verdict.fen === null;
    input.setAttribute('aria-invalid', String(broken));
    byId('fen-state').textContent = broken ? app.t('ui.fen-unreadable') : '';
  };
}
