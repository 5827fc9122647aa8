// @ts-check
/** The palette: one piece, the eraser or the hand is taken up, and stamped on the board by tap or key. */
import { byId, el, icon } from './dom.js';
import * as st from './state.js';

const TOOLS = ['', 'K', 'Q', 'R', 'B', 'N', 'P', '.', 'k', 'q', 'r', 'b', 'n', 'p'];

/** Where the drawing of a piece lies. @param {string} letter */
export const pieceUrl = (letter) =>
  new URL(`../pieces/${letter === letter.toUpperCase() ? 'w' : 'b'}${letter.toUpperCase()}.svg`, import.meta.url).href;

/**
 * @param {import('./app.js').App} app
 * @param {(event: PointerEvent, letter: string) => void} dragFromPalette
 * @returns {import('./app.js').Render}
 */
export function mountPalette(app, dragFromPalette) {
  const { store } = app;
  const bar = byId('palette');
  const buttons = TOOLS.map((tool) => {
    const picture = /[a-z]/i.test(tool)
      ? el('img', { src: pieceUrl(tool), alt: '', width: 40, height: 40, draggable: false })
      : icon(tool ? 'eraser' : 'hand');
    const button = el('button', { type: 'button', class: 'bare piece', 'data-tool': tool }, picture);
    button.addEventListener('click', () => store.set(st.patch(store.state, { tool: store.state.tool === tool ? '' : tool })));
    if (/[a-z]/i.test(tool)) button.addEventListener('pointerdown', (event) => dragFromPalette(event, tool));
    return button;
  });
  bar.append(...buttons);
  bar.addEventListener('keydown', (/** @type {KeyboardEvent} */ event) => {
    const at = buttons.indexOf(/** @type {any} */ (document.activeElement));
    const step = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: 7, ArrowUp: -7 }[event.key];
    if (at < 0 || !step) return;
    event.preventDefault();
    buttons[(at + step + TOOLS.length) % TOOLS.length].focus();
  });
  bar.addEventListener('focusin', () => {
    for (const b of buttons) b.tabIndex = b === document.activeElement ? 0 : -1;
  });

  return (state, before) => {
    if (before && before.tool === state.tool) return;
    buttons.forEach((button, k) => {
      const tool = TOOLS[k];
      const name = tool === '' ? app.t('ui.tool-move') : tool === '.' ? app.t('ui.tool-erase') : app.t.piece(tool);
      button.setAttribute('aria-label', name);
      button.title = name;
      button.setAttribute('aria-pressed', String(state.tool === tool));
      if (!bar.contains(document.activeElement)) button.tabIndex = tool === state.tool ? 0 : -1;
    });
  };
}
