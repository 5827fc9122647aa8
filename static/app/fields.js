// @ts-check
/**
 * Side to move, castling rights, en passant square and counters: what each is, where it comes from, and what it may be.
 * A right that cannot be is disabled with the reason; one that is claimed all the same stays, marked, until a person
 * takes it back.
 */
import { byId, el } from './dom.js';
import * as fen from './fen.js';
import { evidenceWords } from './phrases.js';
import { valueWords } from './say.js';
import * as st from './state.js';

/** @typedef {keyof typeof st.FIELDS} Field */

/** @param {import('./app.js').App} app @returns {import('./app.js').Render} */
export function mountFields(app) {
  const { store } = app;
  const box = byId('fields');
  /** @param {Field} field @param {string} value */
  const set = (field, value) => store.set(st.setField(store.state, field, value));

  /** Words that are put in again when the language changes. @type {(() => void)[]} */
  const words = [];
  /** @template {HTMLElement} T @param {T} node @param {string} key @returns {T} */
  const said = (node, key) => {
    words.push(() => { node.textContent = app.t(key); });
    return node;
  };

  /** Where a field comes from, as a word that opens the evidence; and what it was before an action changed it by the way. @param {Field} field */
  function source(field) {
    const was = el('p', { class: 'was', hidden: true });
    const why = el('p', { class: 'why soft', id: `why-${field}`, hidden: true });
    const button = el('button', { type: 'button', class: 'source', 'aria-expanded': 'false', 'aria-controls': why.id });
    button.addEventListener('click', () => {
      why.hidden = !why.hidden;
      button.setAttribute('aria-expanded', String(!why.hidden));
    });
    return {
      button,
      why,
      was,
      /** @param {st.Doc} doc */
      render(doc) {
        const from = doc.from[field];
        button.hidden = !doc.squares;
        button.dataset.from = from;
        button.textContent = app.t(`ui.from-${from}`);
        const evidence = from === 'user' ? [] : evidenceWords(app.t, doc.evidence[field]);
        const contradicts = from === 'assumed' && evidence.length > 0;
        why.textContent = [app.t(contradicts ? 'ui.from-assumed-contradicts' : `ui.from-${from}-why`), ...evidence].join(' ');
        if (!doc.squares) why.hidden = true;
        was.hidden = !(field in doc.was);
        if (!was.hidden) was.textContent = app.t('ui.field-was', { was: valueWords(app.t, field, doc.was[field]) });
      },
    };
  }

  // Side to move
  const sideSource = source('side_to_move');
  const sideInputs = ['w', 'b'].map((side) => el('input', { type: 'radio', name: 'side', value: side, onchange: () => set('side_to_move', side) }));
  box.append(el('div', { class: 'field', role: 'radiogroup', 'aria-labelledby': 'side-name' },
    said(el('h3', { id: 'side-name' }), 'ui.side-to-move'), sideSource.button, el('div', { class: 'segments' }, ...sideInputs.map((input, k) => el('label', {}, input, said(el('span'), k ? 'side.black' : 'side.white')))),
    sideSource.was, sideSource.why));

  // Castling
  const castlingSource = source('castling_rights');
  const rights = [...'KQkq'].map((right) => {
    const input = el('input', { type: 'checkbox', value: right });
    input.addEventListener('change', () => set('castling_rights', fen.withRight(st.docOf(store.state).castling, right, input.checked)));
    const text = el('span', {});
    return { right, input, text, label: el('label', { class: 'right' }, input, el('b', { class: 'fen' }, right), text) };
  });
  const all = el('button', { type: 'button', class: 'small all', onclick: () => {
    const possible = fen.possibleRights(st.docOf(store.state).board);
    set('castling_rights', possible);
    rights.find((r) => possible.includes(r.right))?.input.focus(); // the button goes
  } });
  const others = el('p', { class: 'soft' });
  const reasons = el('ul', { class: 'soft reasons' });
  const whyNot = el('details', { class: 'whynot' }, said(el('summary'), 'ui.castling-why'), reasons);
  box.append(el('div', { class: 'field', role: 'group', 'aria-labelledby': 'castling-name' },
    said(el('h3', { id: 'castling-name' }), 'ui.castling'), castlingSource.button, el('div', { class: 'rights' }, ...rights.map((r) => r.label)), all, others, castlingSource.was, whyNot, castlingSource.why));

  // En passant
  const epSource = source('ep_square');
  const ep = el('select', { id: 'ep', dir: 'auto', onchange: () => set('ep_square', ep.value) });
  box.append(el('div', { class: 'field' }, said(el('label', { for: 'ep' }), 'ui.ep'), epSource.button, ep, epSource.was, epSource.why));

  // Counters
  const counters = /** @type {[Field, string][]} */ ([['halfmove_clock', 'ui.halfmove'], ['fullmove_number', 'ui.fullmove']]).map(([field, key]) => {
    const from = source(field);
    const input = el('input', { type: 'number', id: field, min: field === 'fullmove_number' ? '1' : '0', max: '9999', step: '1', inputMode: 'numeric' });
    input.addEventListener('change', () => {
      if (/^\d{1,4}$/.test(input.value)) set(field, String(Number(input.value)));
      else input.value = st.docOf(store.state)[/** @type {'halfmove' | 'fullmove'} */ (st.FIELDS[field])];
    });
    return { field, from, input, box: el('div', { class: 'field half' }, said(el('label', { for: field }), key), input, from.button, from.was, from.why) };
  });
  box.append(el('div', { class: 'pair' }, ...counters.map((c) => c.box)));

  /** @param {st.Doc} doc */
  function renderRights(doc) {
    /** @type {string[]} */
    const lines = [];
    for (const { right, input, text, label } of rights) {
      const on = doc.castling.includes(right);
      const obstacle = fen.castlingObstacle(doc.board, right);
      const name = app.t(`ui.right-${right === right.toUpperCase() ? 'white' : 'black'}-${right.toUpperCase() === 'K' ? 'short' : 'long'}`);
      input.checked = on;
      input.disabled = !!obstacle && !on;
      label.dataset.state = obstacle ? (on ? 'fault' : 'off') : 'free';
      text.textContent = app.t(`ui.short-${right === right.toUpperCase() ? 'white' : 'black'}`, { move: right.toUpperCase() === 'K' ? 'O\u2011O' : 'O\u2011O\u2011O' });
      input.setAttribute('aria-label', `${name} (${right})`);
      if (obstacle) {
        const reason = app.t('ui.right-reason', { right: name, piece: app.t.piece(obstacle.piece), square: obstacle.square });
        lines.push(reason);
        label.title = reason;
      } else label.title = '';
    }
    const possible = fen.possibleRights(doc.board);
    all.hidden = possible === '-' || [...possible].every((right) => doc.castling.includes(right));
    all.textContent = app.t('ui.castling-all', { rights: possible });
    const foreign = [...doc.castling].filter((c) => !'KQkq-'.includes(c)).join('');
    others.textContent = foreign ? app.t('ui.castling-960', { rights: foreign }) : '';
    whyNot.hidden = !lines.length;
    reasons.replaceChildren(...lines.map((line) => el('li', {}, line)));
  }

  /** @param {st.Doc} doc */
  function renderEp(doc) {
    const possible = fen.epSquares(doc.board, doc.side);
    const options = [el('option', { value: '-' }, app.t('ui.ep-none'))];
    for (const { square, capturable } of possible) {
      options.push(el('option', { value: square }, app.t(capturable ? 'ui.ep-capture' : 'ui.ep-no-capture', { square })));
    }
    if (doc.ep !== '-' && !possible.some(({ square }) => square === doc.ep)) {
      options.push(el('option', { value: doc.ep }, app.t('ui.ep-impossible', { square: doc.ep })));
    }
    ep.replaceChildren(...options);
    ep.value = doc.ep;
    ep.disabled = options.length === 1;
  }

  return (state, before) => {
    const doc = st.docOf(state);
    if (before && st.docOf(before) === doc) return;
    if (!before) for (const put of words) put();
    for (const input of sideInputs) input.checked = input.value === doc.side;
    renderRights(doc);
    renderEp(doc);
    for (const { input, field, from } of counters) {
      const value = doc[/** @type {'halfmove' | 'fullmove'} */ (st.FIELDS[field])];
      if (input.value !== value) input.value = value;
      from.render(doc);
    }
    for (const from of [sideSource, castlingSource, epSource]) from.render(doc);
  };
}
