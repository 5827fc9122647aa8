// @ts-check
/**
 * PDF files, as the page sees them: how many pages there are, and each as a picture when its turn comes.
 *
 * Where it stands: media.js asks here; static/pdf/pages.js does the work in a worker, which is started when the first
 * PDF comes and ended when the last has gone, and what it held with it.
 * What always holds: the worker starts from a blob, so that the page's policy binds it; a question that is no longer
 * wanted is dropped; a failure has a code of the language files.
 */
import manifest from '../engine/manifest.js';
import { keepForLater } from './offline.js';
import { PictureError } from './picture-error.js';

const BASE = new URL('../../', import.meta.url).href;
const WORKER = new URL('../pdf/pages.js', import.meta.url).href;
/** Longest side of a drawn page, px: about 200 dots an inch for A4, as on the command line (fen_core/pdf.py). */
const LONG_SIDE_PX = 2200;
/** pdf.js answers in a second or two; a page of a map may take a minute. */
const START_LIMIT_MS = 60_000;
/** No page takes longer, and no file waits longer behind others: a damaged file holds the worker. */
const ANSWER_LIMIT_MS = 180_000;

/** Whether this copy of the page can open PDF files: the single file carries no pdf.js, to stay small. */
export const canOpenPdf = () => !WORKER.startsWith('single:');

/** @typedef {{png: Blob, width: number, height: number}} DrawnPage */

export function createPdf() {
  /** @type {Promise<Worker> | null} */
  let starting = null;
  /** @type {Map<number, {resolve: (answer: any) => void, reject: (error: PictureError) => void}>} */
  const asked = new Map();
  let lastId = 0;

  /** @param {PictureError} error */
  function fail(error) {
    starting?.then((worker) => worker.terminate(), () => undefined);
    starting = null;
    for (const { reject } of asked.values()) reject(error);
    asked.clear();
  }

  /** @returns {Promise<Worker>} */
  function start() {
    const config = { base: new URL(`${manifest.pdf[0].path.replace(/[^/]+$/, '')}`, BASE).href, longSide: LONG_SIDE_PX };
    const source = `import(${JSON.stringify(WORKER)}).then((m) => m.start(${JSON.stringify(config)}))\n`
      + `  .catch((error) => postMessage({ pdf: 'failed', detail: String(error) }));\n`;
    const address = URL.createObjectURL(new Blob([source], { type: 'text/javascript' }));
    const worker = new Worker(address);
    return new Promise((resolve, reject) => {
      /** @param {string} detail */
      const failed = (detail) => {
        console.warn(detail);
        worker.terminate();
        reject(new PictureError('pdf-part-missing'));
      };
      const late = setTimeout(() => failed('no answer'), START_LIMIT_MS);
      worker.addEventListener('error', (event) => {
        failed(event.message);
        fail(new PictureError('pdf-damaged'));
      });
      worker.addEventListener('message', ({ data }) => {
        if (data?.pdf === 'answer') {
          const job = asked.get(data.id);
          asked.delete(data.id);
          if (data.code) {
            console.warn(data.detail);
            job?.reject(new PictureError(data.code));
          } else job?.resolve(data);
        } else if (data?.pdf === 'ready' || data?.pdf === 'failed') {
          clearTimeout(late);
          URL.revokeObjectURL(address);
          if (data.pdf === 'failed') return failed(data.detail);
          keepForLater(manifest.pdf.map(({ path }) => path));
          resolve(worker);
        }
      });
    });
  }

  /** @param {Record<string, any>} question @param {AbortSignal} [signal] @returns {Promise<any>} */
  async function ask(question, signal) {
    if (!canOpenPdf()) throw new PictureError('pdf-elsewhere');
    starting ??= start();
    const mine = starting;
    const worker = await mine.catch((error) => {
      // The next one may have better luck: the connection may be back.
      if (starting === mine) starting = null;
      throw error;
    });
    if (signal?.aborted) throw new PictureError('cancelled');
    const id = ++lastId;
    let timer = 0;
    return new Promise((resolve, reject) => {
      asked.set(id, { resolve, reject });
      timer = window.setTimeout(() => asked.has(id) && fail(new PictureError('pdf-damaged')), ANSWER_LIMIT_MS);
      signal?.addEventListener('abort', () => {
        if (!asked.delete(id)) return;
        worker.postMessage({ ask: 'cancel', id });
        reject(new PictureError('cancelled'));
      });
      worker.postMessage({ ...question, id });
    }).finally(() => clearTimeout(timer));
  }

  return {
    /**
     * Count the pages.
     * @param {number} file which of the person's files it is
     * @param {Blob} blob
     * @returns {Promise<number>} rejects with a PictureError
     */
    pages: async (file, blob) => (await ask({ ask: 'pages', file, blob })).pages,

    /**
     * Draw one page.
     * @param {number} file
     * @param {Blob} blob
     * @param {number} page from 1
     * @param {AbortSignal} [signal]
     * @returns {Promise<DrawnPage>} rejects with a PictureError
     */
    draw: (file, blob, page, signal) => ask({ ask: 'draw', file, blob, page }, signal),

    /** No PDF is left: what the worker holds goes with it. */
    end: () => fail(new PictureError('cancelled')),
  };
}
