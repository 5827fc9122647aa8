// @ts-check
/**
 * The page, put together: state, words, views, then the engine. Everything but the reading works before Python is
 * there, and without it.
 */
import './stand-ins.js';
import { ACTIONS, actionOf, spellKeys } from './actions.js';
import { mountBatchTools } from './batch-tools.js';
import { mountBoard } from './board-view.js';
import { mountGrid } from './board-grid.js';
import { byId, icon, onceAFrame, paced } from './dom.js';
import { readFragment } from '../embed/protocol.js';
import { language } from './early.js';
import { mountFenBar } from './fen-bar.js';
import { mountFields } from './fields.js';
import { mountHelp } from './help.js';
import { mountHost } from './host.js';
import { chooseLanguage, LANGUAGES, loadLanguage, translatePage } from './i18n.js';
import { mountInput } from './input.js';
import { mountCaption } from './caption-view.js';
import { createJobs } from './jobs.js';
import { mountKeep } from './keep.js';
import { takeLaunched } from './launch.js';
import { createMedia } from './media.js';
import { mountOffline } from './offline.js';
import { mountPalette } from './palette.js';
import { createPdf } from './pdf.js';
import { mountPicture } from './picture-view.js';
import { mountPictureNotes } from './picture-notes.js';
import { mountProblems } from './problems.js';
import { mountQueue, rowOf } from './queue.js';
import { doneWords, squareWords } from './say.js';
import { mountShare } from './share.js';
import { mountSquarePanel } from './square-panel.js';
import * as st from './state.js';
import { mountStatus } from './status.js';
import { createStore } from './store.js';
import { mountStraight } from './straight-view.js';
import { mountTeach } from './teach.js';

// guard.js, a classic script, says what is amiss where this module could not be loaded.
document.documentElement.dataset.started = '';

const address = new URL(location.href);
// A page that frames this one puts its wishes behind the `#`, where no server sees them.
const begun = readFragment(location.hash);

/** Change a part of the address that is not sent anywhere by itself. @param {(url: URL) => void} change */
function readdress(change) {
  const url = new URL(location.href);
  change(url);
  history.replaceState(null, '', url);
}

/** @returns {string} the FEN that the address carries behind its `#`, '' if none */
const fenInAddress = () => readFragment(location.hash).fen ?? '';

async function main() {
  const store = createStore(st.initialState());
  const media = createMedia(createPdf());
  const jobs = createJobs(store, media);
  const settings = { single: true };
  let announceTimer = 0;
  /** @type {string[]} */
  const pending = [];
  let noticeTimer = 0;

  /** @type {import('./app.js').App} */
  const app = {
    store,
    media,
    jobs,
    t: await loadLanguage(language),
    act(id) {
      const action = ACTIONS.find((a) => a.id === id);
      if (!action) return;
      const before = store.state;
      action.run(parts);
      const follows = byId('board-grid').contains(document.activeElement);
      const there = action.points && !follows ? `${squareWords(app.t, st.docOf(store.state), store.state.focus)}.` : '';
      const done = doneWords(app.t, before, store.state, follows) || there;
      if (!done) return;
      const words = `${app.t(`action.${id}`)}. ${done}`;
      if (action.tells) app.tell(words);
      else app.announce(words);
    },
    announce(text) {
      // What comes at the same time is said together, once; the same again is written otherwise, so that it is read again.
      if (text && !pending.includes(text)) pending.push(text);
      clearTimeout(announceTimer);
      announceTimer = window.setTimeout(() => {
        const words = pending.splice(0).join(' ');
        byId('live').textContent = byId('live').textContent === words ? `${words}\u00a0` : words;
      }, 150);
    },
    tell(text) {
      const toast = byId('toast');
      toast.textContent = text;
      toast.hidden = false;
      app.announce(text);
      clearTimeout(noticeTimer);
      noticeTimer = window.setTimeout(() => { toast.hidden = true; }, Math.max(5000, 60 * text.length));
    },
    notice: (key, params) => app.tell(app.t(key, params)),
  };

  jobs.whenRepeated((name, id) => app.notice('ui.repeated', { name, n: rowOf(store.state, id) }));
  const board = mountBoard(app);
  const picture = mountPicture(app);
  const input = mountInput(app);
  const parts = { app, picture, input, help: mountHelp(app, settings), theme };
  const host = mountHost(app, { setLanguage: (code) => setLanguage(chooseLanguage(code, navigator.languages)), setTheme });
  const renderStatus = mountStatus(app);
  // Some dozens of milliseconds of work, in parts: in between the browser draws, and hears the person.
  const pause = paced();
  /** @type {import('./app.js').Render[]} */
  const renders = [renderStatus, board.render, picture.render, input.render, host.render, renderActions, renderAddress];
  for (const mount of [
    mountGrid, mountFenBar, mountStraight, mountPictureNotes, mountSquarePanel, mountFields, mountProblems, mountQueue,
    mountBatchTools, mountKeep, mountTeach, mountCaption, mountShare, mountOffline,
  ]) {
    renders.push(mount(app));
    await pause();
  }
  renders.push(mountPalette(app, board.dragFromPalette));

  /** @type {NodeListOf<HTMLButtonElement>} */
  const buttons = document.querySelectorAll('[data-action]');
  for (const button of buttons) {
    button.addEventListener('click', () => {
      app.act(button.dataset.action ?? '');
      const menu = button.closest('details');
      if (menu) menu.open = false;
    });
  }

  /** @type {import('./app.js').Render} */
  function renderActions(state, before) {
    for (const button of buttons) {
      const action = ACTIONS.find((a) => a.id === button.dataset.action);
      if (!action) continue;
      if (!before) {
        const words = app.t(`action.${action.id}`);
        const text = document.createElement('span');
        text.textContent = words;
        button.replaceChildren(...(action.icon ? [icon(action.icon)] : []), ...(action.bare ? [] : [text]));
        if (action.bare) button.setAttribute('aria-label', words);
        const tip = app.t.has(`action.${action.id}.tip`) ? app.t(`action.${action.id}.tip`) : action.bare ? words : '';
        button.title = [tip, action.keys ? `(${spellKeys(action.keys)})` : ''].filter(Boolean).join(' ');
      }
      button.disabled = action.enabled ? !action.enabled(state) : false;
      if (action.shown) button.hidden = !action.shown(state);
      if (action.pressed) button.setAttribute('aria-pressed', String(action.pressed(state, parts)));
    }
    const doc = st.docOf(state);
    byId('side-line').textContent = app.t(doc.side === 'w' ? 'ui.white-to-move' : 'ui.black-to-move');
  }

  let addressTimer = 0;
  /** @type {import('./app.js').Render} */
  function renderAddress(state, before) {
    if (!before || st.docOf(before) === st.docOf(state)) return;
    clearTimeout(addressTimer);
    addressTimer = window.setTimeout(() => {
      const text = st.textOf(st.docOf(store.state));
      readdress((url) => { url.hash = `fen=${encodeURIComponent(text.slice(0, 400)).replace(/%20/g, '_').replace(/%2F/g, '/')}`; });
    }, 400);
  }

  function theme() {
    const root = document.documentElement;
    const dark = root.dataset.theme ? root.dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
    setTheme(dark ? 'light' : 'dark');
    readdress((url) => url.searchParams.set('theme', String(root.dataset.theme)));
  }

  /** @param {string} name light, dark, or auto: what the system prefers */
  function setTheme(name) {
    if (name === 'auto') delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = name;
    renderAll();
  }

  /** @type {st.State | null} */
  let drawn = null;
  function renderNow() {
    const state = store.state;
    const before = drawn;
    drawn = state;
    for (const render of before && st.differInLoading(before, state) ? [renderStatus] : renders) render(state, before);
  }
  function renderAll() {
    drawn = null;
    translatePage(document, app.t);
    renderNow();
  }

  const picker = byId('language');
  for (const [code, name] of Object.entries(LANGUAGES)) picker.append(Object.assign(document.createElement('option'), { value: code, textContent: name, lang: code }));
  picker.value = app.t.language;
  /** @param {string} code */
  async function setLanguage(code) {
    app.t = await loadLanguage(code);
    picker.value = app.t.language;
    readdress((url) => url.searchParams.set('lang', code));
    renderAll();
  }
  picker.addEventListener('change', () => setLanguage(picker.value));

  document.addEventListener('keydown', (event) => {
    const target = /** @type {HTMLElement} */ (event.target);
    if (event.defaultPrevented || target.closest?.('dialog')) return;
    const inText = !!target.closest?.('input[type="text"], input[type="number"], textarea, select');
    const action = actionOf(event, settings.single && !inText);
    if (!action || (inText && ['undo', 'redo'].includes(action.id))) return;
    if (action.enabled && !action.enabled(store.state)) return;
    event.preventDefault();
    app.act(action.id);
  });
  // A menu closes when the person goes elsewhere, or by Escape.
  document.addEventListener('pointerdown', (event) => {
    for (const menu of document.querySelectorAll('details.menu[open]')) {
      if (!menu.contains(/** @type {Node} */ (event.target))) menu.removeAttribute('open');
    }
  });
  document.addEventListener('keydown', (event) => {
    const menu = event.key === 'Escape' && document.querySelector('details.menu[open]');
    if (!menu) return;
    menu.removeAttribute('open');
    menu.querySelector('summary')?.focus();
  });
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', renderAll);
  // Paper is white: the board is printed in the light colours, whatever the screen has.
  let onScreen = /** @type {string | undefined} */ (undefined);
  window.addEventListener('beforeprint', () => {
    onScreen = document.documentElement.dataset.theme;
    document.documentElement.dataset.theme = 'light';
    board.paint();
  });
  window.addEventListener('afterprint', () => {
    if (onScreen) document.documentElement.dataset.theme = onScreen;
    else delete document.documentElement.dataset.theme;
    board.paint();
  });
  window.addEventListener('hashchange', () => {
    const text = fenInAddress();
    if (text && text !== st.textOf(st.docOf(store.state))) store.set(st.setText(store.state, text));
  });

  if (fenInAddress()) store.set(st.setText(store.state, fenInAddress()));
  translatePage(document, app.t);
  drawn = store.state;
  for (const render of renders) {
    render(drawn, null);
    await pause();
  }
  if (store.state !== drawn) renderNow();
  store.subscribe(onceAFrame(renderNow));
  document.documentElement.dataset.state = 'usable';
  performance.mark('page-usable');
  byId('not-started').hidden = true;
  takeLaunched(app);

  try {
    const { startEngine } = await import('./engine.js');
    jobs.begin(host.around(startEngine));
  } catch (error) {
    console.error(error);
    store.set(st.patch(store.state, { engine: { ...store.state.engine, phase: 'failed', code: 'engine-start-failed', params: {} } }));
  }
}

const asked = address.searchParams.get('theme') ?? begun.theme;
if (asked === 'light' || asked === 'dark') document.documentElement.dataset.theme = asked;
main();
