"""Ways out of a page, and what a page has left behind: for the tests that try to get out.

What always holds: every attempt asks for an address of its own at a place that notes whatever arrives, so
that one that got out is known by name; the same attempts do arrive from a page without a policy (a test
shows it).
"""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager

_ANSWER = (
    b"HTTP/1.1 200 OK\r\nAccess-Control-Allow-Origin: *\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
)

# A page without a policy, and without an icon that would be looked for.
BARE = '<!doctype html><title>bare</title><link rel="icon" href="data:,"><body></body>'

# Each runs on its own; how it ends is not asked: the listener says what got out.
PAGE = """async (address) => {
  const add = (name, props) => document.body.appendChild(Object.assign(document.createElement(name), props));
  const link = (rel, path, as) => add('link', { rel, href: address + path, ...(as ? { as } : {}) });
  const ways = {
    fetch: () => fetch(address + 'fetch', { method: 'POST', mode: 'no-cors', body: 'x' }),
    xhr: () => { const r = new XMLHttpRequest(); r.open('GET', address + 'xhr'); r.send(); },
    websocket: () => new WebSocket(address.replace('http', 'ws') + 'websocket'),
    events: () => new EventSource(address + 'events'),
    beacon: () => navigator.sendBeacon(address + 'beacon', 'x'),
    image: () => { new Image().src = address + 'image'; },
    video: () => add('video', { src: address + 'video', preload: 'auto' }),
    audio: () => add('audio', { src: address + 'audio', preload: 'auto' }),
    object: () => add('object', { data: address + 'object' }),
    embed: () => add('embed', { src: address + 'embed' }),
    source: () => {
      const picture = add('picture', {});
      const source = Object.assign(document.createElement('source'), { srcset: address + 'source' });
      picture.append(source, document.createElement('img'));
    },
    worker: () => new Worker(URL.createObjectURL(new Blob([
      `fetch('${address}worker', { mode: 'no-cors' }).catch(() => 0)`], { type: 'text/javascript' }))),
    ping: () => {
      const anchor = add('a', { href: '#ping', ping: address + 'ping' });
      anchor.click();
    },
    script: () => add('script', { src: address + 'script' }),
    module: () => import(address + 'module'),
    style: () => link('stylesheet', 'style'),
    prefetch: () => link('prefetch', 'prefetch'),
    preload: () => link('preload', 'preload', 'image'),
    frame: () => add('iframe', { src: address + 'frame' }),
    font: () => new FontFace('f', `url(${address}font)`).load(),
    sheet: () => {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(`body { background: url(${address}sheet) }`);
      document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
    },
    form: () => {
      add('iframe', { name: 'answer' });
      add('form', { action: address + 'form', target: 'answer' }).submit();
    },
  };
  for (const [name, way] of Object.entries(ways)) {
    try { Promise.resolve(way()).catch(() => undefined); } catch (error) { console.info(name, error.name); }
  }
  await new Promise((resolve) => setTimeout(resolve, 1500));
  return Object.keys(ways);
}"""

# What asks for nothing yet, but opens a connection; whatever is said on it would be noted.
HINTS = """async (address) => {
  for (const rel of ['preconnect', 'dns-prefetch', 'prerender', 'modulepreload', 'manifest']) {
    document.head.append(Object.assign(document.createElement('link'), { rel, href: address + rel }));
  }
  await new Promise((resolve) => setTimeout(resolve, 1500));
}"""

WORKER = """async (address) => {
  const ways = {
    'worker-fetch': () => fetch(address + 'worker-fetch', { method: 'POST', mode: 'no-cors', body: 'x' }),
    'worker-xhr': () => { const r = new XMLHttpRequest(); r.open('GET', address + 'worker-xhr'); r.send(); },
    'worker-websocket': () => new WebSocket(address.replace('http', 'ws') + 'worker-websocket'),
    'worker-events': () => new EventSource(address + 'worker-events'),
    'worker-scripts': () => WorkerGlobalScope.prototype.importScripts.call(self, address + 'worker-scripts'),
    'worker-module': () => import(address + 'worker-module'),
    'worker-worker': () => new Worker(address + 'worker-worker'),
    'worker-blob': () => new Worker(URL.createObjectURL(new Blob([
      `fetch('${address}worker-blob', { mode: 'no-cors' }).catch(() => 0)`], { type: 'text/javascript' }))),
    'worker-beacon': () => navigator.sendBeacon?.(address + 'worker-beacon', 'x'),
    'worker-font': () => new FontFace('f', `url(${address}worker-font)`).load(),
  };
  const ended = {};
  await Promise.all(Object.entries(ways).map(async ([name, way]) => {
    try { await way(); ended[name] = 'begun'; } catch (error) { ended[name] = error.name; }
  }));
  await new Promise((resolve) => setTimeout(resolve, 1000));
  return ended;
}"""

# In the place of static/engine/worker.py: the same, and Python's own ways out. ADDRESS is filled in.
PYTHON = """
import asyncio, js
from pyodide.ffi import to_js
from pyodide.http import pyfetch

async def web_fetch(name): await js.fetch("ADDRESS" + name)
async def package_fetch(name): await pyfetch("ADDRESS" + name)
async def request(name):
    asked = js.XMLHttpRequest.new()
    asked.open("GET", "ADDRESS" + name, False)
    asked.send()
async def library(name):
    import urllib.request
    urllib.request.urlopen("ADDRESS" + name, timeout=5)

async def probe():
    ended = {}
    for way in (web_fetch, package_fetch, request, library):
        try:
            await way("python-" + way.__name__)
            ended[way.__name__] = "left"
        except BaseException as error:
            ended[way.__name__] = type(error).__name__
    js.probed = to_js(ended, dict_converter=js.Object.fromEntries)

asyncio.ensure_future(probe())
"""

STORED = """async () => {
  const databases = {};
  for (const { name } of await indexedDB.databases()) {
    const open = indexedDB.open(name);
    const base = await new Promise((done) => { open.onsuccess = () => done(open.result); });
    databases[name] = 0;
    for (const store of base.objectStoreNames) {
      const count = base.transaction(store).objectStore(store).count();
      databases[name] += await new Promise((done) => { count.onsuccess = () => done(count.result); });
    }
    base.close();
  }
  const caches_ = {};
  for (const name of await caches.keys()) {
    caches_[name] = (await (await caches.open(name)).keys()).map((request) => request.url);
  }
  const files = [];
  for await (const name of (await navigator.storage.getDirectory()).keys()) files.push(name);
  return { local: localStorage.length, session: sessionStorage.length, cookie: document.cookie,
           databases, caches: caches_, files };
}"""


@contextmanager
def listening() -> Iterator[tuple[str, list[str]]]:
    """Take any connection at a place of its own; yield its address, and the first line of whatever comes."""
    came: list[str] = []
    ears = socket.create_server(("127.0.0.1", 0), backlog=64)

    def answer(caller: socket.socket) -> None:
        with caller:
            caller.settimeout(5)
            try:
                # Chromium opens a connection for a frame or a form before it asks the policy, and closes it
                # without a word: nothing was asked, nothing sent.
                if said := caller.recv(4096):
                    came.append(said.split(b"\r\n", 1)[0].decode("latin-1"))
                    caller.sendall(_ANSWER)
            except OSError:
                pass

    def listen() -> None:
        while True:
            try:
                caller, _ = ears.accept()
            except OSError:
                return
            threading.Thread(target=answer, args=(caller,), daemon=True).start()

    thread = threading.Thread(target=listen, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{ears.getsockname()[1]}/", came
    ears.shutdown(socket.SHUT_RDWR)
    ears.close()
    thread.join()
