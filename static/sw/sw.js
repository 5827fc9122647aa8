// @ts-check
/**
 * The service worker: keeps the site's own files on the device, so that everything works without a network.
 *
 * Where it stands: build.py writes it to the root of the site with the list of all files and their digests;
 * static/app/offline.js registers it and offers what is new.
 * What always holds: a file is kept under its digest, so that only what changed is fetched, and what was altered on
 * the way is refused; only this site's own cache is touched; a new version waits until the person wants it; a request
 * to another origin is answered with an error; nothing of the person's is stored.
 */

/** @typedef {Record<string, [digest: string, size: number]>} Files path → SHA-256 in hexadecimal, bytes */

/** @type {{now: Files, later: Files}} what is kept at once, and what is kept when it is first used */
const LIST = { now: {}, later: {} }; // build.py: the list

const worker = /** @type {any} */ (self);
const SCOPE = new URL('./', worker.location.href);
// Other projects of the same origin have caches too.
const CACHE = `image-to-fen ${SCOPE.pathname}`;
/** A network that answers no sooner is treated as none. */
const PATIENCE_MS = 4000;
/** How long a shared picture waits in memory for the page that takes it. */
const SHARED_MS = 60_000;
const AT_ONCE = 4;

/** Pages that came from a newer site than this list: their files come from there too. @type {Set<string>} */
const fresh = new Set();
/** @type {Map<string, {files: File[], text: string}>} */
const shared = new Map();

/** @param {string} path */
const fileOf = (path) => (Object.hasOwn(LIST.now, path) ? LIST.now[path] : Object.hasOwn(LIST.later, path) ? LIST.later[path] : null);
/** @param {string} path @param {string} digest */
const keyOf = (path, digest) => `${SCOPE.href}${path}?${digest}`;

/** @param {BufferSource} bytes */
async function digestOf(bytes) {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** @param {ArrayBuffer} bytes @param {Response} answer whose headers still hold for the bytes as they are now */
function unpacked(bytes, answer) {
  const headers = new Headers(answer.headers);
  for (const name of ['content-encoding', 'content-length']) headers.delete(name);
  return new Response(bytes, { headers });
}

/**
 * Fetch a file of the list and keep it, if it is what the list says.
 * @param {Cache} cache
 * @param {string} path
 * @returns {Promise<Response>} a copy of what was kept
 */
async function keep(cache, path) {
  const [digest] = /** @type {[string, number]} */ (fileOf(path));
  // The browser's own cache may have it already, or may have an older one.
  for (const mode of /** @type {const} */ (['default', 'reload'])) {
    const answer = await fetch(new URL(path, SCOPE), { cache: mode });
    if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
    const bytes = await answer.arrayBuffer();
    if ((await digestOf(bytes)) !== digest) continue;
    const kept = unpacked(bytes, answer);
    await cache.put(keyOf(path, digest), kept.clone());
    return kept;
  }
  throw new Error(`${path} is not the file that this version lists`);
}

async function install() {
  const cache = await caches.open(CACHE);
  const there = new Set((await cache.keys()).map((request) => request.url));
  const missing = Object.entries(LIST.now).filter(([path, [digest]]) => !there.has(keyOf(path, digest)));
  const take = async () => {
    for (let next = missing.shift(); next; next = missing.shift()) await keep(cache, next[0]);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, take));
}

/** Drop what no version in use lists any more: only where this is the only one, and one page the only page. */
async function tidy() {
  const { installing, waiting } = worker.registration;
  const pages = await worker.clients.matchAll({ type: 'window', includeUncontrolled: true });
  if (installing || waiting || pages.length > 1) return;
  const cache = await caches.open(CACHE);
  const listed = new Set();
  for (const files of [LIST.now, LIST.later]) for (const [path, [digest]] of Object.entries(files)) listed.add(keyOf(path, digest));
  await Promise.all((await cache.keys()).filter(({ url }) => !listed.has(url)).map((request) => cache.delete(request)));
}

/**
 * A page: as the site has it now; without a network, as it was kept.
 * @param {any} event
 * @param {string} path
 */
async function servePage(event, path) {
  const [digest] = LIST.now[path];
  try {
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const answer = await fetch(event.request.url, { cache: 'no-cache', redirect: 'manual', signal });
    if (answer.ok) {
      const bytes = await answer.arrayBuffer();
      if ((await digestOf(bytes)) !== digest) {
        // A newer page must not run with older parts.
        fresh.add(event.resultingClientId);
        worker.registration.update().catch(() => undefined);
      }
      return unpacked(bytes, answer);
    }
  } catch {
    // no network, or none to speak of
  }
  return serveKept(path);
}

/** @param {string} path @returns {Promise<Response>} */
async function serveKept(path) {
  const cache = await caches.open(CACHE);
  const file = fileOf(path);
  // A page of the version before still finds its own runtime: those names carry digests.
  const kept = file ? await cache.match(keyOf(path, file[0])) : await cache.match(new URL(path, SCOPE), { ignoreSearch: true });
  if (kept) return kept;
  return file ? keep(cache, path) : fetch(new URL(path, SCOPE));
}

/** @param {any} event @param {string} path */
async function serveFile(event, path) {
  if (fresh.has(event.clientId) && !path.startsWith('runtime/')) {
    const answer = await fetch(event.request, { cache: 'no-cache' }).catch(() => null);
    if (answer?.ok) return answer;
  }
  try {
    return await serveKept(path);
  } catch {
    // Half a deployment, say: whatever the site has for it now is better than nothing.
    return fetch(event.request);
  }
}

/** Take what another app shares; the page that opens fetches it from here. @param {any} event */
async function takeShared(event) {
  const id = crypto.randomUUID();
  const form = await event.request.formData().catch(() => new FormData());
  const files = form.getAll('pictures').filter((/** @type {unknown} */ part) => part instanceof File && part.size > 0);
  shared.set(id, { files, text: String(form.get('text') ?? '') });
  setTimeout(() => shared.delete(id), SHARED_MS);
  return Response.redirect(`${SCOPE.href}?shared=${id}`, 303);
}

worker.addEventListener('install', (/** @type {any} */ event) => event.waitUntil(install()));
worker.addEventListener('activate', (/** @type {any} */ event) => event.waitUntil(worker.clients.claim()));

worker.addEventListener('message', (/** @type {any} */ event) => {
  const { type, id } = event.data ?? {};
  const [port] = event.ports;
  if (type === 'activate') worker.skipWaiting();
  else if (type === 'tidy') event.waitUntil(tidy());
  else if (type === 'status') {
    const bytes = Object.values(LIST.now).reduce((sum, [, size]) => sum + size, 0);
    port?.postMessage({ fresh: fresh.has(event.source?.id), bytes });
  } else if (type === 'shared') {
    port?.postMessage(shared.get(id) ?? null);
    shared.delete(id);
  }
});

worker.addEventListener('fetch', (/** @type {any} */ event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (url.origin !== SCOPE.origin) return event.respondWith(Response.error());
  if (!url.href.startsWith(SCOPE.href)) return undefined;
  const path = url.pathname.slice(SCOPE.pathname.length) || 'index.html';
  const navigates = request.mode === 'navigate';
  if (request.method === 'POST' && navigates && path === 'share') {
    // Held in memory, never stored: so this worker must live until the page has come.
    event.waitUntil(new Promise((resolve) => setTimeout(resolve, SHARED_MS / 2)));
    return event.respondWith(takeShared(event));
  }
  if (request.method === 'HEAD') return undefined;
  // Nothing is sent, not even to where the site comes from.
  if (request.method !== 'GET') return event.respondWith(Response.error());
  if (navigates && Object.hasOwn(LIST.now, path)) return event.respondWith(servePage(event, path));
  if (fileOf(path) || path.startsWith('runtime/')) return event.respondWith(serveFile(event, path));
  return undefined;
});
