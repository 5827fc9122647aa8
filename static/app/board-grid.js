// @ts-check
/**
 * The same board for keyboard and screen reader: a grid of 64 named squares that lies over the canvas, with one tab
 * stop. Arrows follow the screen; letters place pieces as FEN writes them (N white, n black); e4 typed goes there.
 */
import { byId, el } from './dom.js';
import * as fen from './fen.js';
import { doneWords, squareWords } from './say.js';
import * as st from './state.js';

const TYPING_MS = 1200; // within this a file letter and a digit are one square

/** @param {import('./app.js').App} app @returns {import('./app.js').Render} */
export function mountGrid(app) {
  const { store } = app;
  const grid = byId('board-grid');
  /** @type {HTMLElement[]} by place on the screen */
  const cells = [];
  for (let r = 0; r < 8; r++) {
    const row = el('div', { role: 'row' });
    for (let f = 0; f < 8; f++) cells.push(row.appendChild(el('div', { role: 'gridcell', tabindex: '-1', class: 'at' })));
    grid.append(row);
  }
  const at = () => st.bottomShown(store.state) === 'white';
  /** @param {number} i place on the screen ↔ FEN index */
  const swap = (i) => (at() ? i : 63 - i);

  /** @param {number} i FEN index */
  function go(i) {
    store.set(st.patch(store.state, { focus: i }));
    cells[swap(i)].focus({ preventScroll: false });
  }

  let held = -1;
  let typed = '';
  let typedAt = 0;

  /** @param {string} key @param {number} now @returns {boolean} whether the key ended a square's name */
  function jump(key, now) {
    const file = now - typedAt < TYPING_MS ? typed : '';
    typed = '';
    if (!file || !/^[1-8]$/.test(key)) return false;
    if (file === 'b') store.set(st.undo(store.state)); // it had placed a bishop
    go(fen.squareIndex(file + key));
    return true;
  }

  grid.addEventListener('keydown', (/** @type {KeyboardEvent} */ event) => {
    if (event.ctrlKey && !['Home', 'End'].includes(event.key)) return;
    if (event.metaKey || event.altKey) return;
    const state = store.state;
    const i = state.focus;
    const place = swap(i);
    const [r, f] = [place >> 3, place & 7];
    /** @type {Record<string, () => void>} */
    const keys = {
      ArrowLeft: () => f > 0 && go(swap(place - 1)),
      ArrowRight: () => f < 7 && go(swap(place + 1)),
      ArrowUp: () => r > 0 && go(swap(place - 8)),
      ArrowDown: () => r < 7 && go(swap(place + 8)),
      Home: () => go(swap(event.ctrlKey ? 0 : r * 8)),
      End: () => go(swap(event.ctrlKey ? 63 : r * 8 + 7)),
      Delete: () => store.set(st.setPiece(state, i, '.')),
      Backspace: () => store.set(st.setPiece(state, i, '.')),
      Escape: () => {
        held = -1;
        app.announce(app.t('a11y.put-back'));
      },
      Enter: () => {
        const first = byId('square-panel').querySelector('button');
        if (first && !byId('square-panel').hidden) first.focus();
      },
      ' ': () => {
        if (state.tool) store.set(st.setPiece(state, i, state.tool === st.docOf(state).board[i] ? '.' : state.tool));
        else if (held >= 0) {
          const from = held;
          held = -1;
          store.set(st.movePiece(state, from, i));
        } else if (st.docOf(state).board[i] !== '.') {
          held = i;
          app.announce(app.t('a11y.picked-up', { piece: app.t.piece(st.docOf(state).board[i]), square: fen.squareName(i) }));
        }
      },
      u: () => app.act('next-unsure'),
      U: () => app.act('previous-unsure'),
    };
    keys.F2 = keys.Enter;
    const said = () => {
      if (st.docOf(store.state) !== st.docOf(state)) app.announce(doneWords(app.t, state, store.state));
    };
    if (keys[event.key]) {
      typed = '';
      keys[event.key]();
      said();
    } else if (!jump(event.key, event.timeStamp)) {
      if (/^[a-h]$/.test(event.key)) [typed, typedAt] = [event.key, event.timeStamp];
      if (/^[pnbrqkPNBRQK]$/.test(event.key)) store.set(st.setPiece(state, i, event.key));
      else if (!typed) return;
      // a bishop that stood there already leaves nothing to undo
      if (event.key === 'b' && store.state === state) typed = '';
      said();
    }
    event.preventDefault();
  });
  grid.addEventListener('focusin', (/** @type {FocusEvent} */ event) => {
    const place = cells.indexOf(/** @type {HTMLElement} */ (event.target));
    if (place >= 0 && swap(place) !== store.state.focus) store.set(st.patch(store.state, { focus: swap(place) }));
  });

  return (state) => {
    const doc = st.docOf(state);
    const white = at();
    grid.setAttribute('aria-label', app.t(white ? 'a11y.board-white' : 'a11y.board-black'));
    cells.forEach((cell, place) => {
      const i = swap(place);
      const name = squareWords(app.t, doc, i);
      if (cell.getAttribute('aria-label') !== name) cell.setAttribute('aria-label', name);
      cell.tabIndex = i === state.focus ? 0 : -1;
      cell.dataset.square = fen.squareName(i);
      cell.dataset.piece = doc.board[i];
      cell.setAttribute('aria-selected', String(i === held));
    });
    const focused = cells.includes(/** @type {any} */ (document.activeElement));
    if (focused && document.activeElement !== cells[swap(state.focus)]) cells[swap(state.focus)].focus();
  };
}
