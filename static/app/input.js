// @ts-check
/** In: files dropped anywhere, pasted pictures and FEN texts, the file picker, the camera, and the built-in examples. */
import { byId, el } from './dom.js';
import { filesOfFolder, takeDropped } from './dropped.js';
import { looksLikeFen } from './fen.js';
import { toCopy } from './fen-bar.js';
import * as st from './state.js';

const EXAMPLES = ['screen', 'book', 'photo'];

/** @param {DataTransfer | null} data @returns {{blob: Blob, name: string}[]} */
function filesOf(data) {
  return [...(data?.files ?? [])].map((file) => ({ blob: file, name: file.name }));
}

/** @param {EventTarget | null} target */
const isText = (target) => target instanceof HTMLElement && !!target.closest('input[type="text"], input[type="number"], textarea');

/** @param {import('./app.js').App} app */
export function mountInput(app) {
  const { store, jobs } = app;
  const veil = byId('drop-veil');

  /** @param {string} text */
  function takeText(text) {
    if (!looksLikeFen(text)) return false;
    store.set(st.setText(store.state, text.trim()));
    app.notice('ui.fen-pasted');
    return true;
  }

  /** @param {import('./dropped.js').Found} found */
  function takeFolder({ files, lost, cut }) {
    if (files.length) jobs.take(files);
    const said = [
      lost.length ? app.t('ui.folder-lost', { n: lost.length, name: lost[0] }) : '',
      cut ? app.t('ui.folder-cut', { n: files.length }) : '',
      !files.length && !lost.length ? app.t('error.folder-empty.title') : '',
    ].filter(Boolean);
    if (said.length) app.tell(said.join(' '));
  }

  let depth = 0;
  window.addEventListener('dragenter', (event) => {
    if (![...(event.dataTransfer?.types ?? [])].includes('Files')) return;
    depth++;
    veil.hidden = false;
  });
  window.addEventListener('dragleave', () => {
    depth = Math.max(0, depth - 1);
    veil.hidden = depth === 0;
  });
  window.addEventListener('dragover', (event) => event.preventDefault());
  window.addEventListener('drop', (event) => {
    event.preventDefault();
    depth = 0;
    veil.hidden = true;
    const { files, folders } = takeDropped(event.dataTransfer);
    if (files.length) jobs.take(files);
    folders?.then(takeFolder);
    if (files.length || folders) return;
    if (!takeText(event.dataTransfer?.getData('text/plain') ?? '')) app.notice('ui.nothing-dropped');
  });
  window.addEventListener('paste', (event) => {
    const files = filesOf(event.clipboardData);
    if (files.length) {
      event.preventDefault();
      jobs.take(files.map(({ blob, name }) => ({ blob, name: name || app.t('ui.pasted-picture') })));
    } else if (!isText(event.target) && takeText(event.clipboardData?.getData('text/plain') ?? '')) event.preventDefault();
  });
  window.addEventListener('copy', (event) => {
    if (isText(event.target) || String(getSelection())) return;
    const { text, done } = toCopy(app);
    event.clipboardData?.setData('text/plain', text);
    event.preventDefault();
    app.notice(done);
  });
  for (const id of ['file', 'camera']) {
    const input = byId(id);
    input.addEventListener('change', () => {
      jobs.take([...input.files].map((/** @type {File} */ file) => ({ blob: file, name: file.name })));
      input.value = '';
    });
  }

  const folder = byId('folder');
  folder.addEventListener('change', () => {
    takeFolder(filesOfFolder(folder.files));
    folder.value = '';
  });

  const examples = EXAMPLES.map((name) => {
    const href = new URL(`../examples/${name}.${name === 'screen' ? 'png' : 'jpg'}`, import.meta.url).href;
    const words = el('span', {});
    const button = el('button', { type: 'button', class: 'example', 'data-example': name, onclick: async () => {
      try {
        const answer = await fetch(href);
        if (!answer.ok) throw new Error(String(answer.status));
        jobs.take([{ blob: await answer.blob(), name: app.t(`ui.example-${name}`) }]);
      } catch (error) {
        console.warn(error);
        app.notice('error.file-unreadable.title'); // no network, say
      }
    } }, el('img', { src: href, alt: '', width: 96, height: 96, loading: 'lazy' }), words);
    return { name, button, words };
  });
  const lead = el('p', { class: 'soft' });
  byId('examples').append(lead, ...examples.map((e) => e.button));

  return {
    /** Take what the clipboard holds; needs the person's leave in most browsers. */
    async paste() {
      try {
        for (const item of await navigator.clipboard.read()) {
          const type = item.types.find((t) => t.startsWith('image/'));
          if (type) return jobs.take([{ blob: await item.getType(type), name: app.t('ui.pasted-picture') }]);
          if (item.types.includes('text/plain') && takeText(await (await item.getType('text/plain')).text())) return;
        }
        app.notice('ui.nothing-pasted');
      } catch {
        app.notice('ui.paste-by-key');
      }
    },
    /** @type {import('./app.js').Render} */
    render(state, before) {
      if (before) return;
      lead.textContent = app.t('ui.examples');
      for (const { name, words } of examples) words.textContent = app.t(`ui.example-${name}`);
    },
  };
}
