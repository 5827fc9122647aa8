// @ts-check
/**
 * Pictures that come from outside the page: shared from another app (the service worker holds them in memory until
 * this page asks), or opened with the installed app.
 */
import { looksLikeFen } from './fen.js';
import { ask, container } from './offline.js';
import * as st from './state.js';

/** @param {import('./app.js').App} app */
export async function takeLaunched(app) {
  const { launchQueue } = /** @type {any} */ (window);
  launchQueue?.setConsumer(async (/** @type {{files?: any[]}} */ { files = [] }) => {
    const opened = await Promise.all([...files].map((handle) => handle.getFile())).catch(() => null);
    if (!opened) app.notice('error.file-unreadable.title'); // moved or deleted since
    else if (opened.length) app.jobs.take(opened.map((file) => ({ blob: file, name: file.name })));
  });

  const address = new URL(location.href);
  const id = address.searchParams.get('shared');
  if (!id) return;
  // Reloading must not ask for it again.
  address.searchParams.delete('shared');
  history.replaceState(null, '', address);
  const found = await ask(container()?.controller ?? null, { type: 'shared', id });
  if (found?.files.length) app.jobs.take(found.files.map((/** @type {File} */ file) => ({ blob: file, name: file.name || app.t('ui.pasted-picture') })));
  else if (looksLikeFen(found?.text ?? '')) app.store.set(st.setText(app.store.state, found.text.trim()));
  else app.notice('ui.offline.not-shared');
}
