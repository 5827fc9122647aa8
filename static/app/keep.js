// @ts-check
/**
 * The list kept on this device, if the person wants it: the files as they came and what has been read and settled, in
 * the browser's own storage (IndexedDB), so that it is there again after a reload.
 *
 * What always holds: nothing is stored before the person says so, and all of it goes when they say so; nothing leaves
 * the device; where a browser has no room, that is said and the list goes on without.
 */
import * as batch from './batch.js';
import { answer, canStore, storeName } from './device.js';
import { byId, el } from './dom.js';
import * as st from './state.js';

const NAME = storeName('list');
const SAVE_AFTER_MS = 800;
/** @typedef {{id: number, at: number, work: st.Work, shown: import('./media.js').Shown | null}} KeptWork */

/** @param {boolean} create @returns {Promise<IDBDatabase | null>} null where nothing is kept */
async function openStore(create) {
  const request = indexedDB.open(NAME, 1);
  let made = false;
  request.onupgradeneeded = () => {
    made = true;
    request.result.createObjectStore('files', { keyPath: 'id' });
    request.result.createObjectStore('works', { keyPath: 'id' });
  };
  const base = await answer(request);
  if (made && !create) {
    // Asking made an empty one: it goes again.
    base.close();
    await answer(indexedDB.deleteDatabase(NAME));
    return null;
  }
  return base;
}

/** @returns {Promise<boolean>} whether a list is kept here, without making one where the browser can tell */
async function isThere() {
  if (!canStore()) return false;
  if (!indexedDB.databases) return true;
  return (await indexedDB.databases()).some(({ name }) => name === NAME);
}

/** @param {st.Work} work @returns {st.Work} without what only this visit needs: the steps of undo */
const lean = (work) => ({ ...work, progress: null, boards: work.boards.map((h) => ({ ...h, past: [], future: [] })) });

/** @param {import('./app.js').App} app @returns {import('./app.js').Render} */
export function mountKeep(app) {
  const { store, media, jobs } = app;
  const box = byId('keep');
  // Who frames the page is told the position on show: what was kept for the person alone has no place there.
  if (window.top !== window.self) return () => undefined;
  const check = el('input', { type: 'checkbox', id: 'keep-list' });
  const words = el('span', {});
  const note = el('p', { class: 'soft', id: 'keep-note' });
  check.setAttribute('aria-describedby', 'keep-note');
  box.append(el('label', { class: 'check' }, check, words), note);
  /** @type {IDBDatabase | null} */
  let base = null;
  /** What lies there, as it was stored. @type {Map<number, {work: st.Work, at: number}>} */
  const stored = new Map();
  /** @type {Set<number>} files that lie there */
  const files = new Set();
  /** The list as it was when it was last saved as a file, and as it was last stored. @type {readonly st.Work[] | null} */
  let written = null;
  /** @type {readonly st.Work[] | null} */
  let safe = null;
  let fault = ''; // words for what went wrong last, under `ui`
  let timer = 0;
  let saving = Promise.resolve();

  /** @param {st.Work} work @returns {number} the file that a work came from */
  const fileOf = (work) => work.source?.file ?? work.id;

  /** Store what differs from what lies there: all of it or, where there is no room, nothing. @param {st.State} state */
  async function save(state) {
    if (!base) return;
    const before = { stored: new Map(stored), files: new Set(files) };
    const change = base.transaction(['files', 'works'], 'readwrite');
    const done = new Promise((resolve, reject) => {
      change.oncomplete = () => resolve(undefined);
      change.onabort = () => reject(change.error);
    });
    try {
      write(state, change);
      await done;
    } catch (error) {
      done.catch(() => undefined);
      try {
        change.abort();
      } catch { /* it has ended by itself */ }
      stored.clear();
      for (const [id, what] of before.stored) stored.set(id, what);
      files.clear();
      for (const id of before.files) files.add(id);
      throw error;
    }
  }

  /** @param {st.State} state @param {IDBTransaction} change */
  function write(state, change) {
    const works = state.works.filter((w) => w.status !== 'blank' && media.get(w.id));
    works.forEach((work, at) => {
      const before = stored.get(work.id);
      if (before && before.work === work && before.at === at) return;
      const picture = media.get(work.id);
      const shown = picture?.thumb ? { thumb: picture.thumb, width: picture.width, height: picture.height } : null;
      change.objectStore('works').put({ id: work.id, at, work: lean(work), shown });
      stored.set(work.id, { work, at });
      if (picture && !files.has(fileOf(work))) {
        change.objectStore('files').put({ id: fileOf(work), blob: picture.source, kind: picture.kind, digest: media.digestOf(work.id) });
        files.add(fileOf(work));
      }
    });
    const here = new Set(works.map((w) => w.id));
    const needed = new Set(works.map(fileOf));
    for (const id of stored.keys()) if (!here.has(id)) {
      change.objectStore('works').delete(id);
      stored.delete(id);
    }
    for (const id of files) if (!needed.has(id)) {
      change.objectStore('files').delete(id);
      files.delete(id);
    }
  }

  function saveSoon() {
    // Not put off by what changes meanwhile: while a book is read something always does.
    timer ||= window.setTimeout(saveNow, SAVE_AFTER_MS);
  }

  function saveNow() {
    clearTimeout(timer);
    timer = 0;
    saving = saving.then(keepNow).then(() => tell(''), (error) => {
      console.warn(error); // no room, mostly: what lies there stays, and the next change tries again
      tell('keep-short');
    });
  }

  async function keepNow() {
    const { state } = store;
    await save(state);
    if (base) safe = state.works;
  }

  /** @param {string} words */
  function tell(words) {
    if (fault === words) return;
    fault = words;
    render();
  }

  /** @param {boolean} create */
  async function attach(create) {
    base = await openStore(create);
    // Another window deletes the list: it would wait for this one for ever, and this one would write it again.
    if (base) base.onversionchange = () => {
      detach();
      render();
    };
  }

  function detach() {
    clearTimeout(timer);
    timer = 0;
    base?.close();
    base = safe = null;
    stored.clear();
    files.clear();
  }

  async function forget() {
    detach();
    await answer(indexedDB.deleteDatabase(NAME)).catch(() => undefined);
  }

  async function restore() {
    if (!(await isThere())) return;
    await attach(false);
    if (!base) return;
    const read = base.transaction(['files', 'works']);
    /** @type {[KeptWork[], {id: number, blob: Blob, kind: string, digest: string}[]]} */
    const [works, blobs] = await Promise.all([answer(read.objectStore('works').getAll()), answer(read.objectStore('files').getAll())]);
    const byFile = new Map(blobs.map((file) => [file.id, file]));
    for (const { id } of blobs) files.add(id);
    const kept = works.sort((a, b) => a.at - b.at).flatMap(({ work, shown }) => {
      const file = byFile.get(fileOf(work));
      return file ? [{ work, blob: file.blob, kind: work.source?.page ? 'png' : file.kind, digest: file.digest, shown }] : [];
    });
    for (const { id } of works) stored.set(id, { work: st.workOf(store.state, 0), at: -1 }); // stored anew when it differs
    if (kept.length) jobs.restore(kept);
    safe = store.state.works;
    render();
  }

  check.addEventListener('change', async () => {
    fault = '';
    try {
      if (check.checked) {
        // Without this leave the browser may clear it when room is short; that it asks is fine.
        await navigator.storage?.persist?.().catch(() => false);
        await attach(true);
        await keepNow();
        app.notice('ui.keep-done');
      } else {
        await forget();
        app.notice('ui.keep-gone');
      }
    } catch (error) {
      console.warn(error);
      fault = 'keep-failed';
      await forget();
    }
    render();
  });

  function render() {
    check.checked = !!base;
    words.textContent = app.t('ui.keep-list');
    note.textContent = app.t(fault ? `ui.${fault}` : base ? 'ui.keep-on' : 'ui.keep-off');
  }

  /** Whether a person's work would go with the page. The address keeps the position on show; a reading can be made anew. */
  function isAtStake() {
    const { works, current } = store.state;
    const onShow = st.workOf(store.state).board;
    return works !== written && works !== safe && batch.diagrams(store.state).some((d) => st.touched(d.history) && !(d.work.id === current && d.at === onShow));
  }
  byId('queue-tools').addEventListener('saved', () => { written = store.state.works; });
  document.addEventListener('visibilitychange', () => {
    if (document.hidden && timer) saveNow();
  });
  window.addEventListener('beforeunload', (event) => {
    if (isAtStake()) event.preventDefault();
  });

  restore().catch((error) => console.warn(error));
  return (state, before) => {
    if (!before) render();
    box.hidden = !canStore();
    if (base && (!before || before.works !== state.works)) saveSoon();
  };
}
