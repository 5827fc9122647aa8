// @ts-check
/**
 * The tool without a network: the service worker is registered once the engine stands, so that it takes nothing from
 * the first reading; the foot of the page says what has come of it; a new version is offered, and taken only when the
 * person says so. Where a browser keeps nothing (a frame, a private window, no https) the page does without.
 */
import { byId, el } from './dom.js';
import { guideAddress } from './guide.js';
import manifest from '../engine/manifest.js';

/** @typedef {'' | 'saving' | 'kept' | 'unavailable' | 'failed' | 'asked'} Kind */

const ANSWER_MS = 3000;
const CHECK_EVERY_MS = 3_600_000;

/**
 * Ask the service worker something.
 * @param {ServiceWorker | null} target
 * @param {Record<string, unknown>} message
 * @returns {Promise<any>} its answer, null if there is none
 */
export function ask(target, message) {
  return new Promise((resolve) => {
    if (!target) return resolve(null);
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = ({ data }) => resolve(data);
    setTimeout(() => resolve(null), ANSWER_MS);
    target.postMessage(message, [port2]);
  });
}

/** The place where service workers are kept; null where there is none to be had. @returns {ServiceWorkerContainer | null} */
export function container() {
  try {
    return navigator.serviceWorker ?? null;
  } catch {
    return null; // a frame without an origin throws
  }
}

/**
 * Parts of the site that are not kept before they are used (PDF, learning) have been: keep them now. Asked of the
 * service worker, which answers from what it has or fetches and keeps; where there is none yet, as soon as there is.
 * @param {string[]} paths in the site, of the list in .ci/offline.py
 */
export function keepForLater(paths) {
  const workers = container();
  if (!workers) return;
  const take = () => {
    for (const path of paths) fetch(new URL(path, document.baseURI)).catch(() => undefined);
  };
  if (workers.controller) take();
  else workers.addEventListener('controllerchange', take, { once: true });
}

/** Whether this page is one that could be kept at all: a file is kept already, a frame belongs to another page. */
const concerned = () => location.protocol !== 'file:' && window.top === window.self;

/** @param {import('./app.js').App} app @returns {import('./app.js').Render} */
export function mountOffline(app) {
  const line = byId('offline');
  const workers = container();
  let begun = false;
  /** @type {Kind} */
  let kind = '';
  let bytes = 0;
  /** The version that waits, or 'other' where another window has brought it in. @type {ServiceWorker | 'other' | null} */
  let offered = null;
  let accepted = false;
  let quietly = false;
  const controlled = !!workers?.controller;

  function render() {
    const { t } = app;
    const size = t.megabytes(bytes || manifest.parts.full.reduce((sum, part) => sum + part.wire, 0), 0);
    document.documentElement.dataset.offline = kind;
    line.replaceChildren(
      kind ? `${t(`ui.offline.${kind}`, { size })} ` : '',
      kind === 'asked' ? el('button', { type: 'button', class: 'small', onclick: save }, t('ui.offline.keep', { size })) : '',
      ' ', el('a', { href: guideAddress(t.language, 'privacy'), target: '_blank', rel: 'noopener' }, t('ui.offline.check')));
    const bar = document.getElementById('update') ?? el('section', { id: 'update', class: 'status', hidden: true });
    if (!bar.isConnected) byId('status').before(bar);
    bar.hidden = !offered;
    bar.setAttribute('aria-label', t('ui.offline.title'));
    bar.replaceChildren(...(offered ? [
      el('p', {}, t('ui.offline.update')),
      el('button', { type: 'button', id: 'update-now', onclick: accept }, t('ui.offline.reload')),
      el('button', { type: 'button', id: 'update-later', class: 'quiet', onclick: () => { offered = null; render(); } }, t('ui.offline.later')),
    ] : []));
  }

  /** @param {Kind} next */
  function tell(next) {
    kind = next;
    render();
  }

  function accept() {
    accepted = true;
    if (offered instanceof ServiceWorker && offered.state === 'installed') offered.postMessage({ type: 'activate' });
    else location.reload();
  }

  /** A version waits. @param {ServiceWorker} waiting */
  async function offer(waiting) {
    const status = await ask(workers?.controller ?? null, { type: 'status' });
    if (!workers?.controller || status?.fresh) {
      // This page came from the site as it is now: nothing changes for it, nothing is to be asked.
      quietly = true;
      waiting.postMessage({ type: 'activate' });
      return;
    }
    offered = waiting;
    app.announce(app.t('ui.offline.update'));
    render();
  }

  /** @param {ServiceWorkerRegistration} registration */
  async function kept(registration) {
    const status = await ask(registration.active, { type: 'status' });
    bytes = status?.bytes ?? 0;
    registration.active?.postMessage({ type: 'tidy' });
    tell('kept');
  }

  /** @param {ServiceWorkerRegistration} registration */
  function follow(registration) {
    const coming = registration.installing;
    if (!coming) return;
    if (!registration.active) tell('saving');
    coming.addEventListener('statechange', () => {
      if (coming.state === 'installed' && registration.active) offer(coming);
      else if (coming.state === 'activated') kept(registration);
      else if (coming.state === 'redundant' && !registration.active) tell('failed');
    });
  }

  async function save() {
    if (!workers) return;
    try {
      const registration = await workers.register(new URL('sw.js', document.baseURI), { scope: './' });
      if (!registration) return tell('unavailable');
      if (registration.active) kept(registration);
      if (registration.waiting && registration.active) offer(registration.waiting);
      follow(registration);
      registration.addEventListener('updatefound', () => follow(registration));
      let checked = Date.now();
      document.addEventListener('visibilitychange', () => {
        if (document.hidden || Date.now() - checked < CHECK_EVERY_MS) return;
        checked = Date.now();
        registration.update().catch(() => undefined);
      });
    } catch (error) {
      console.warn(error);
      tell(/** @type {any} */ (error)?.name === 'TypeError' ? 'failed' : 'unavailable');
    }
  }

  function begin() {
    begun = true;
    if (!concerned()) return;
    if (!workers || !window.isSecureContext) tell('unavailable');
    else if (/** @type {any} */ (navigator).connection?.saveData && !controlled) tell('asked');
    else save();
  }

  workers?.addEventListener('controllerchange', () => {
    if (accepted) location.reload();
    else if (controlled && !quietly) {
      offered = 'other';
      render();
    }
    quietly = false;
  });

  return (state, before) => {
    if (!before) render();
    if (!begun && ['ready', 'failed'].includes(state.engine.phase)) begin();
  };
}
