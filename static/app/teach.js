// @ts-check
/**
 * "Teach it a print": a corrected board is learnt, and profiles are used, renamed, passed on, kept or forgotten.
 *
 * Where it stands: a view like the others, with a state of its own (profiles.js) and the loading of scikit-learn
 * (learning.js). What was learnt goes to every reading through jobs.js; what a reading was read with comes back in it.
 * What always holds: a profile is used only when the person has chosen it; what it holds and how large what must be
 * loaded is are said before anything happens.
 */
import { byId, el } from './dom.js';
import * as fen from './fen.js';
import { canLearn, LEARNING_BYTES, loadLearning } from './learning.js';
import { errorWords } from './phrases.js';
import { canKeep, createProfiles } from './profiles.js';
import { downloadText } from './share.js';
import * as st from './state.js';

/** @typedef {import('./profiles.js').Profile} Profile */

/** A file larger than this is no profile; reading it would only cost memory. */
const MOST_BYTES = 3_000_000;

/** @param {import('./app.js').App} app @returns {import('./app.js').Render} */
export function mountTeach(app) {
  const { store, media, jobs } = app;
  const panel = byId('teach');
  const note = byId('teach-note');
  /** @type {AbortController | null} */
  let busy = null;
  /** The profile whose name is being changed, and the one that would be deleted. */
  let renaming = -1;
  let deleting = -1;
  const profiles = createProfiles(() => render());
  jobs.whenRead(() => {
    const { used } = profiles;
    if (used) return { profile: used.text };
    return { known: profiles.known.profiles.filter((p) => p.current && !profiles.known.dismissed.includes(p.id)).map((p) => p.text) };
  });

  const intro = el('p', {});
  const size = el('p', { class: 'soft' });
  const hint = el('p', { class: 'soft', id: 'teach-hint' });
  const nameWords = el('span', {});
  const name = el('input', { type: 'text', id: 'teach-name', maxLength: 60, autocomplete: 'off' });
  const named = el('label', {}, nameWords, name);
  const learn = el('button', { type: 'button', class: 'main', id: 'teach-learn', 'aria-describedby': 'teach-hint', onclick: () => void run(learnBoard) });
  const bar = el('progress', { max: 1, value: 0, hidden: true, 'aria-labelledby': 'teach-state' });
  const line = el('p', { class: 'teach-state', id: 'teach-state', role: 'status' });
  const stop = el('button', { type: 'button', id: 'teach-stop', hidden: true, onclick: () => {
    busy?.abort();
    learn.focus();
  } });
  const again = el('button', { type: 'button', id: 'teach-again', hidden: true, onclick: () => readAgain() });
  const title = el('h3', {});
  const list = el('ul', { class: 'items', id: 'profiles' });
  const file = el('input', { type: 'file', id: 'profile-file', accept: '.json,application/json', hidden: true, onchange: () => void run(takeFile) });
  const bring = el('button', { type: 'button', id: 'profile-import', onclick: () => file.click() });
  const keep = el('input', { type: 'checkbox', id: 'keep-profiles', 'aria-describedby': 'keep-profiles-note', onchange: () => {
    const wanted = keep.checked;
    void run(() => setKept(wanted));
  } });
  const keepWords = el('span', {});
  const keepNote = el('p', { class: 'soft', id: 'keep-profiles-note' });
  const making = el('div', { class: 'teach-new' }, size, hint, named, learn, bar, line, stop, again);
  byId('teach-body').append(intro, making, title, list, el('div', { class: 'row' }, bring, file), el('label', { class: 'check' }, keep, keepWords), keepNote);

  /** @param {string} text @param {'' | 'fault' | 'done'} [kind] @param {number | null} [share] */
  function tell(text, kind = '', share = null) {
    if (line.textContent !== text) line.textContent = text;
    line.dataset.kind = kind;
    bar.hidden = share === null;
    if (share !== null) bar.value = share;
  }

  /** Do one thing at a time, and say what went wrong with it. @param {(signal: AbortSignal) => Promise<void>} task */
  async function run(task) {
    if (busy) return;
    busy = new AbortController();
    render();
    try {
      await task(busy.signal);
    } catch (error) {
      if (busy.signal.aborted) tell(app.t('teach.stopped'));
      else report(error);
    }
    stop.hidden = true;
    busy = null;
    render();
  }

  /** @param {unknown} error */
  function report(error) {
    const { code, params } = /** @type {any} */ (error);
    if (!code) console.error(error);
    const words = errorWords(app.t, code ?? 'unexpected', params);
    tell(`${words.title} ${words.next}`, 'fault');
  }

  /** @param {AbortSignal} signal */
  const load = (signal) => loadLearning(app, (stage, bytes) => {
    const words = { done: app.t.megabytes(bytes), total: app.t.megabytes(LEARNING_BYTES) };
    stop.hidden = stage !== 'loading'; // what follows is short
    tell(app.t(`teach.${stage}`, words), '', stage === 'loading' ? (0.8 * bytes) / LEARNING_BYTES : 0.85);
  }, signal);

  /** @param {any} answer of Python @param {string} key what to say */
  function told(answer, key) {
    tell(app.t(key, { name: answer.name, n: answer.boards }), 'done');
  }

  /** @param {AbortSignal} signal */
  async function learnBoard(signal) {
    const doc = st.docOf(store.state);
    // Who says that the board is right has looked at what was marked.
    if (st.unsureSquares(doc).length) store.set(st.edit(store.state, { squares: doc.squares && doc.squares.map((q) => ({ ...q, looked: true })) }));
    const bytes = await media.bytes(store.state.current);
    await load(signal);
    tell(app.t('progress.teach'), '', 0.9);
    const { used } = profiles;
    const args = [bytes, doc.corners, doc.bottom, fen.makePlacement(doc.board), name.value.trim() || app.t('teach.name-given'), used?.text ?? null];
    const answer = await jobs.call('teach.board', args);
    const made = { name: answer.name, text: answer.profile, boards: answer.boards, current: true };
    const stored = used ? profiles.change(used.id, made) : profiles.add(made, true);
    told(answer, 'teach.learnt');
    again.hidden = false;
    await stored.catch(() => tell(app.t('teach.keep-failed'), 'fault'));
  }

  /** Read the board on show again, with or without what is in use now. */
  function readAgain() {
    const doc = st.docOf(store.state);
    again.hidden = true;
    if (doc.corners) jobs.again({ corners: [...doc.corners], orientation: doc.bottom });
  }

  async function takeFile() {
    const [chosen] = file.files ?? [];
    file.value = '';
    if (!chosen) return;
    if (chosen.size > MOST_BYTES) throw Object.assign(new Error('too large'), { code: 'profile-large', params: { megabytes: app.t.megabytes(chosen.size), limit: app.t.megabytes(MOST_BYTES) } });
    const answer = await jobs.call('teach.open', [await chosen.text()]);
    const stored = profiles.add({ name: answer.name, text: answer.profile, boards: answer.boards, current: answer.current }, false);
    told(answer, 'teach.imported');
    await stored.catch(() => tell(app.t('teach.keep-failed'), 'fault'));
  }

  /** @param {boolean} wanted */
  async function setKept(wanted) {
    try {
      await profiles.keep(wanted);
      tell(app.t(wanted ? 'teach.kept' : 'teach.forgotten'), 'done');
    } catch (error) {
      console.warn(error);
      tell(app.t('teach.keep-failed'), 'fault');
    }
  }

  /** @param {Profile} profile @param {string} wanted */
  async function rename(profile, wanted) {
    renaming = -1;
    if (!wanted.trim() || wanted.trim() === profile.name) return render();
    await run(async () => {
      const answer = await jobs.call('teach.rename', [profile.text, wanted]);
      await profiles.change(profile.id, { name: answer.name, text: answer.profile });
    });
    focusOn(profile.id, 'rename');
  }

  /** @param {Profile} profile */
  const relearn = (profile) => run(async (signal) => {
    await load(signal);
    tell(app.t('progress.teach'), '', 0.9);
    const answer = await jobs.call('teach.relearn', [profile.text]);
    await profiles.change(profile.id, { text: answer.profile, current: true });
    told(answer, 'teach.learnt');
    profiles.use(profile.id);
  });

  /** @param {number} id @param {string} what a button of a profile, by what it does */
  const focusOn = (id, what) => /** @type {HTMLElement | null} */ (list.querySelector(`[data-id="${id}"] [data-do="${what}"]`))?.focus();

  /** @param {Profile} profile */
  function remove(profile) {
    if (deleting !== profile.id) {
      deleting = profile.id;
      render();
      return focusOn(profile.id, 'delete');
    }
    deleting = -1;
    profiles.remove(profile.id).catch((error) => console.warn(error));
    tell(app.t('teach.deleted', { name: profile.name }), 'done');
    bring.focus();
  }

  /** @param {Profile} profile */
  function item(profile) {
    const { t } = app;
    const used = profile.id === profiles.known.used;
    /** @param {string} what @param {string} key @param {() => void} act @param {boolean} [off] */
    const button = (what, key, act, off = false) => el('button', {
      type: 'button', class: 'small', 'data-do': what, disabled: off,
      'aria-label': t('teach.of', { action: t(key), name: profile.name }), onclick: act,
    }, t(key));
    /** @type {HTMLElement} */
    let head = el('span', { class: 'name' }, profile.name);
    if (renaming === profile.id) {
      const field = el('input', { type: 'text', value: profile.name, maxLength: 60, 'aria-label': t('teach.name'),
        onkeydown: (/** @type {KeyboardEvent} */ event) => {
          if (event.key === 'Enter') rename(profile, field.value);
          else if (event.key === 'Escape') {
            renaming = -1;
            render();
            focusOn(profile.id, 'rename');
          } else return;
          event.preventDefault();
        },
        onblur: () => { if (renaming === profile.id) rename(profile, field.value); } });
      head = field;
    }
    const about = [t('teach.boards', { n: profile.boards }), profile.current ? '' : t('teach.outdated')].filter(Boolean).join(' · ');
    return el('li', { class: 'profile', 'data-id': String(profile.id), ...(used && { 'data-used': '' }) },
      head, el('span', { class: 'soft' }, about),
      el('div', { class: 'row tight' },
        profile.current
          ? el('button', { type: 'button', class: 'small', 'data-do': 'use', 'aria-pressed': String(used), 'aria-label': t('teach.of', { action: t(used ? 'teach.stop' : 'teach.use'), name: profile.name }), onclick: () => {
            profiles.use(used ? null : profile.id);
            again.hidden = !st.docOf(store.state).corners;
            focusOn(profile.id, 'use');
          } }, t(used ? 'teach.stop' : 'teach.use'))
          : button('relearn', 'teach.relearn', () => void relearn(profile), !canLearn),
        button('rename', 'teach.rename', () => {
          renaming = profile.id;
          render();
          const field = list.querySelector('input');
          field?.focus();
          field?.select();
        }),
        button('export', 'teach.export', () => downloadText(profile.text, `${profile.name.replace(/[\\/:*?"<>|]+/g, ' ').trim() || 'profile'}.json`, 'application/json')),
        button('delete', deleting === profile.id ? 'teach.delete-sure' : 'teach.delete', () => remove(profile), !!busy)));
  }

  /** Whether there is a read board to learn from. @param {st.State} state */
  function isReady(state) {
    const doc = st.docOf(state);
    return !!doc.corners && !!doc.squares && doc.text === null && st.workOf(state).status === 'read';
  }

  /** What is to be known before the board is learnt. @param {st.State} state */
  function advice(state) {
    const marked = st.unsureSquares(st.docOf(state)).length;
    const { used } = profiles;
    if (!isReady(state)) return app.t('teach.first');
    return [marked ? app.t('teach.marked', { n: marked }) : '', used ? app.t('teach.adds', { name: used.name }) : ''].filter(Boolean).join(' ');
  }

  /** What the board on show was read with, or looks like. @param {st.State} state */
  function renderNote(state) {
    const { t } = app;
    const { profile = null, resembles = [] } = st.docOf(state);
    const offered = profile || profiles.used ? undefined : profiles.known.profiles.find((p) => !profiles.known.dismissed.includes(p.id) && resembles.some((r) => r.name === p.name));
    note.hidden = !profile && !offered;
    if (note.hidden) return;
    note.dataset.kind = profile?.used ? 'used' : 'doubt';
    if (profile) return note.replaceChildren(t(profile.used ? 'teach.with' : 'teach.without', { name: profile.name }));
    const found = /** @type {Profile} */ (offered);
    note.replaceChildren(
      el('span', {}, t('teach.looks-like', { name: found.name })),
      el('button', { type: 'button', class: 'small', id: 'teach-use', onclick: () => {
        profiles.use(found.id);
        readAgain();
        byId('view').focus();
      } }, t('teach.use-it')),
      el('button', { type: 'button', class: 'small quiet', id: 'teach-no', onclick: () => {
        profiles.dismiss(found.id);
        byId('view').focus();
      } }, t('teach.not-now')));
    if (said !== found.id) app.announce(t('teach.looks-like', { name: found.name }));
    said = found.id;
  }
  let said = -1;

  function render() {
    const { t } = app;
    const { known, used } = profiles;
    const state = store.state;
    intro.textContent = t('teach.intro');
    size.textContent = canLearn ? t('teach.size', { size: app.t.megabytes(LEARNING_BYTES) }) : t('teach.single');
    hint.textContent = advice(state);
    hint.hidden = !canLearn || !hint.textContent;
    nameWords.textContent = t('teach.name');
    name.placeholder = t('teach.name-given');
    named.hidden = !canLearn || !!used || !isReady(state);
    learn.textContent = t('teach.learn');
    learn.hidden = !canLearn;
    // While it works it keeps the focus, and does nothing.
    learn.setAttribute('aria-disabled', String(!!busy));
    learn.disabled = !isReady(state) || state.engine.phase !== 'ready';
    stop.textContent = t('teach.stop');
    again.textContent = t('teach.again');
    if (!st.docOf(state).corners) again.hidden = true;
    title.textContent = t('teach.profiles');
    title.hidden = list.hidden = !known.profiles.length;
    // A name that is being typed must not be taken away.
    if (renaming < 0 || !list.contains(document.activeElement) || document.activeElement?.tagName !== 'INPUT') list.replaceChildren(...known.profiles.map(item));
    bring.textContent = t('teach.import');
    bring.disabled = state.engine.phase !== 'ready';
    if (!busy) keep.checked = known.kept;
    keep.disabled = !canKeep();
    keepWords.textContent = t('teach.keep');
    keepNote.textContent = t('teach.keep-note');
    renderNote(state);
  }

  if (canKeep()) profiles.restore().catch((error) => console.warn(error));
  // What has been said of one board is not of the next.
  let shown = '';
  return (state, before) => {
    const now = `${state.current}:${st.workOf(state).board}`;
    if (before && now !== shown && !busy) {
      tell('');
      again.hidden = true;
    }
    shown = now;
    if (!before || before.works !== state.works || before.current !== state.current || before.engine !== state.engine) render();
    panel.dataset.profiles = String(profiles.known.profiles.length);
  };
}
