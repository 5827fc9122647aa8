// @ts-check
/**
 * Everything a person can do by name: one registry feeds the buttons, the shortcuts and the list of keys.
 * The label of an action is `action.<id>` in the language files; a test finds actions without one.
 */
import * as batch from './batch.js';
import * as fen from './fen.js';
import { toCopy } from './fen-bar.js';
import * as st from './state.js';
import { transform } from './transform.js';

/**
 * @typedef {Object} Parts what actions reach beyond the state
 * @property {import('./app.js').App} app
 * @property {ReturnType<typeof import('./picture-view.js').mountPicture>} picture
 * @property {ReturnType<typeof import('./input.js').mountInput>} input
 * @property {() => void} help
 * @property {() => void} theme
 */
/**
 * @typedef {Object} Action
 * @property {string} id
 * @property {string} icon
 * @property {string} [keys] e.g. 'Mod+Z'; Mod is Ctrl, or Cmd on a Mac; a single letter can be switched off
 * @property {boolean} [bare] only the icon is shown; the words are its name and tip
 * @property {boolean} [tells] what it has done is shown, not only said: it changes more than the eye sees at once
 * @property {boolean} [points] where it only goes to a square, that square is said, even when one is there already
 * @property {(s: st.State) => boolean} [enabled]
 * @property {(s: st.State) => boolean} [shown]
 * @property {(s: st.State, parts?: Parts) => boolean} [pressed]
 * @property {(parts: Parts) => void} run
 */

/** @param {(s: st.State) => st.State} change @returns {(parts: Parts) => void} */
const become = (change) => ({ app }) => app.store.set(change(app.store.state));
/** @param {st.State} s */
const hasCorners = (s) => !!st.docOf(s).corners;
/** @param {st.State} s */
const canSee = (s) => st.workOf(s).opened;
/** @param {st.State} s */
const canRead = (s) => (canSee(s) || st.workOf(s).status === 'read') && s.engine.phase !== 'failed' && !['queued', 'reading', 'opening', 'choosing'].includes(st.workOf(s).status);
/** @param {st.State} s */
const hasDiagram = (s) => batch.diagramsOf(st.workOf(s)).length > 0;

/** @param {Parts} parts */
function turn({ app }) {
  const { store, jobs } = app;
  const doc = st.docOf(store.state);
  const untouched = Object.values(doc.from).every((from) => from !== 'user');
  store.set(transform(store.state, 'turn'));
  const next = st.docOf(store.state);
  // What was inferred is inferred anew from the other side, as long as nothing has been set by hand.
  if (next.corners && untouched && canRead(store.state)) jobs.again({ corners: next.corners, orientation: next.bottom }, true);
}

/** @param {Parts} parts */
function whole({ app }) {
  const p = app.media.get(app.store.state.current);
  if (p?.width) app.jobs.again({ corners: [[0, 0], [p.width, 0], [p.width, p.height], [0, p.height]] });
}

/** @param {Parts} parts */
async function copy({ app }) {
  const { text, done } = toCopy(app);
  try {
    await navigator.clipboard.writeText(text);
    app.notice(done);
  } catch {
    const field = /** @type {HTMLInputElement} */ (document.getElementById('fen'));
    field.value = text;
    field.select();
    app.notice(document.execCommand('copy') ? done : 'ui.copy-by-key');
  }
}

/** @param {string} id */
const click = (id) => () => document.getElementById(id)?.click();

/** @type {readonly Action[]} */
export const ACTIONS = Object.freeze([
  { id: 'open', icon: 'image-plus', keys: 'Mod+O', run: click('file') },
  { id: 'open-more', icon: 'image-plus', run: click('file') },
  { id: 'open-folder', icon: 'folder-open', shown: () => 'webkitdirectory' in HTMLInputElement.prototype && !matchMedia('(pointer: coarse)').matches, run: click('folder') },
  { id: 'paste', icon: 'clipboard-paste', run: ({ input }) => void input.paste() },
  { id: 'camera', icon: 'camera', shown: () => matchMedia('(pointer: coarse)').matches, run: click('camera') },
  { id: 'copy', icon: 'copy', run: copy },
  { id: 'mode-picture', icon: '', pressed: (s) => s.mode === 'picture', run: become((s) => st.patch(s, { mode: 'picture' })) },
  { id: 'mode-straight', icon: '', pressed: (s) => s.mode === 'straight', enabled: (s) => !!st.docOf(s).squares, run: become((s) => st.patch(s, { mode: 'straight' })) },
  { id: 'find-again', icon: '', enabled: canRead, run: ({ app }) => void app.jobs.again({}) },
  { id: 'whole-picture', icon: '', enabled: canRead, run: whole },
  { id: 'place-corners', icon: '', enabled: canRead, pressed: (_, parts) => !!parts?.picture.isPlacing(), run: ({ picture }) => (picture.isPlacing() ? picture.stopPlacing() : picture.placeCorners()) },
  { id: 'zoom-in', icon: 'zoom-in', bare: true, enabled: canSee, run: ({ picture }) => picture.zoomBy(1.5) },
  { id: 'zoom-out', icon: 'zoom-out', bare: true, enabled: canSee, run: ({ picture }) => picture.zoomBy(1 / 1.5) },
  { id: 'undo', icon: 'undo-2', keys: 'Mod+Z', bare: true, enabled: (s) => st.historyOf(s).past.length > 0, run: become(st.undo) },
  { id: 'redo', icon: 'redo-2', keys: 'Mod+Shift+Z', bare: true, enabled: (s) => st.historyOf(s).future.length > 0, run: become(st.redo) },
  { id: 'turn', tells: true, icon: 'rotate-cw', run: turn },
  { id: 'view', icon: 'eye', keys: 'x', pressed: (s) => s.turned, run: become((s) => st.patch(s, { turned: !s.turned })) },
  { id: 'mirror', tells: true, icon: 'flip-horizontal-2', run: become((s) => transform(s, 'mirror')) },
  { id: 'ranks', tells: true, icon: 'flip-vertical-2', run: become((s) => transform(s, 'ranks')) },
  { id: 'colours', tells: true, icon: 'contrast', run: become((s) => transform(s, 'colours')) },
  { id: 'start', tells: true, icon: 'undo-2', run: become((s) => st.setBoard(s, fen.START)) },
  { id: 'clear', tells: true, icon: 'trash-2', run: become((s) => st.setBoard(s, fen.EMPTY)) },
  { id: 'next-unsure', icon: '', points: true, keys: 'u', enabled: (s) => st.unsureSquares(st.docOf(s)).length > 0, run: become((s) => st.nextUnsure(s, 1)) },
  { id: 'previous-unsure', icon: '', points: true, keys: 'Shift+U', enabled: (s) => st.unsureSquares(st.docOf(s)).length > 0, run: become((s) => st.nextUnsure(s, -1)) },
  { id: 'keep', icon: 'check', enabled: hasCorners, run: become((s) => st.keepSquare(s, s.focus)) },
  { id: 'accept', icon: 'check', keys: 'y', enabled: (s) => hasDiagram(s) && !batch.isAccepted(st.historyOf(s)), run: become(batch.accept) },
  { id: 'next-diagram', icon: '', keys: 'j', enabled: (s) => batch.diagrams(s).some((d) => !batch.isAccepted(d.history)), run: become((s) => batch.goOn(s, 1)) },
  { id: 'previous-diagram', icon: '', keys: 'Shift+J', enabled: (s) => batch.diagrams(s).some((d) => !batch.isAccepted(d.history)), run: become((s) => batch.goOn(s, -1)) },
  { id: 'order-come', icon: '', pressed: (s) => s.order === 'come', run: become((s) => st.patch(s, { order: 'come' })) },
  { id: 'order-doubt', icon: '', pressed: (s) => s.order === 'doubt', run: become((s) => st.patch(s, { order: 'doubt' })) },
  { id: 'read-on', icon: 'rotate-cw', shown: (s) => s.works.filter((w) => w.status === 'stopped').length > 0, run: ({ app }) => app.jobs.goOn() },
  { id: 'cancel', icon: 'x', shown: (s) => s.works.some((w) => w.status === 'reading' || (w.status === 'queued' && s.engine.phase === 'ready')), run: ({ app }) => app.jobs.cancel() },
  { id: 'restart', icon: 'rotate-cw', shown: (s) => s.engine.phase === 'failed', run: ({ app }) => app.jobs.restart() },
  { id: 'theme', icon: 'sun-moon', run: ({ theme }) => theme() },
  { id: 'help', icon: 'keyboard', keys: '?', run: ({ help }) => help() },
]);

const isMac = typeof navigator !== 'undefined' && /Mac|iPhone|iPad/.test(navigator.platform ?? '');

/** @param {string} keys @returns {string} as it stands on the keyboard */
export const spellKeys = (keys) => keys.replace('Mod', isMac ? '⌘' : 'Ctrl').replace(/\b[a-z]\b/, (c) => c.toUpperCase());

/**
 * Find the action that a key press means.
 * @param {{key: string, ctrlKey: boolean, metaKey: boolean, shiftKey: boolean, altKey: boolean}} event
 * @param {boolean} single whether single keys count
 * @returns {Action | undefined}
 */
export function actionOf(event, single) {
  const mod = isMac ? event.metaKey : event.ctrlKey;
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  if (mod && !event.altKey) {
    if (key === 'y' && !event.shiftKey) return ACTIONS.find((a) => a.id === 'redo');
    const spelt = `Mod+${event.shiftKey ? 'Shift+' : ''}${key.toUpperCase()}`;
    return ACTIONS.find((a) => a.keys === spelt);
  }
  if (!single || event.ctrlKey || event.metaKey || event.altKey) return undefined;
  if (event.key === '?') return ACTIONS.find((a) => a.id === 'help');
  const spelt = event.shiftKey ? `Shift+${key.toUpperCase()}` : key;
  return ACTIONS.find((a) => a.keys === spelt);
}
