// @ts-check
/**
 * The worker of the single file: decodes the parts it is handed and starts Pyodide from them.
 *
 * Where it stands: started from a blob by single.js; a classic worker, since a page opened from a file may
 * start no module worker from a blob.
 * What always holds: what Pyodide fetches comes from the parts; any other address is left to the page's
 * policy, which refuses it.
 */
(() => {
  // Pyodide takes a worker for one that can load modules only where this is gone.
  /** @type {any} */ (self).importScripts = undefined;

  const HERE = 'https://single.invalid/';

  /**
   * @param {string} text  base64
   * @returns {Uint8Array<ArrayBuffer>}
   */
  function decode(text) {
    const native = /** @type {any} */ (Uint8Array).fromBase64;
    if (native) return native.call(Uint8Array, text);
    const letters = atob(text);
    const bytes = new Uint8Array(letters.length);
    for (let i = 0; i < letters.length; i += 1) bytes[i] = letters.charCodeAt(i);
    return bytes;
  }

  /**
   * @param {{name: string, text: string}} part  gzipped, in base64
   * @returns {Promise<[string, Uint8Array<ArrayBuffer>]>}
   */
  async function unpack({ name, text }) {
    const stream = new Blob([decode(text)]).stream().pipeThrough(new DecompressionStream('gzip'));
    return [name, new Uint8Array(await new Response(stream).arrayBuffer())];
  }

  /**
   * @param {Uint8Array<ArrayBuffer>} bytes
   * @returns {Promise<any>}
   */
  function importBytes(bytes) {
    return import(URL.createObjectURL(new Blob([bytes], { type: 'text/javascript' })));
  }

  /**
   * @param {{name: string, text: string}[]} parts
   * @param {string[]} packages
   */
  async function start(parts, packages) {
    postMessage({ engine: 'alive', lock: null });
    const unpacked = await Promise.all(parts.map(unpack));
    const files = new Map(unpacked.map(([name, bytes]) => [name.slice(name.lastIndexOf('/') + 1), bytes]));
    /** @param {string} name */
    const file = (name) => /** @type {Uint8Array<ArrayBuffer>} */ (files.get(name));

    const outside = self.fetch;
    self.fetch = (input, options) => {
      const address = String(input instanceof Request ? input.url : input);
      if (!address.startsWith(HERE)) return outside(input, options);
      const name = address.slice(HERE.length);
      const type = name.endsWith('.wasm') ? 'application/wasm' : 'application/octet-stream';
      return Promise.resolve(
        files.has(name) ? new Response(file(name), { headers: { 'content-type': type } }) : new Response(null, { status: 404 }),
      );
    };

    const [{ loadPyodide }, { default: createPyodideModule }] = await Promise.all([
      importBytes(file('pyodide.mjs')),
      importBytes(file('pyodide.asm.mjs')),
    ]);
    const pyodide = await loadPyodide({
      indexURL: HERE,
      packageBaseUrl: HERE,
      lockFileContents: JSON.parse(new TextDecoder().decode(file('pyodide-lock.json'))),
      createPyodideModule,
      packages,
    });
    pyodide._api.on_fatal = (/** @type {unknown} */ error) => {
      postMessage({ engine: 'fatal', detail: String(error) });
      self.close();
    };
    postMessage({ engine: 'python' });
    const archive = [...files.keys()].find((name) => /^(engine|checker)-.*\.zip$/.test(name));
    pyodide.unpackArchive(file(archive ?? ''), 'zip');
    files.clear();
    pyodide.pyimport('engine').start();
  }

  self.addEventListener(
    'message',
    ({ data }) => {
      start(data.parts, data.packages).catch((error) => postMessage({ engine: 'failed', detail: String(error) }));
    },
    { once: true },
  );
})();
