// @ts-check
/**
 * Pages of a PDF file → pictures, one at a time, in a worker of its own: pdf.js reads and draws here, on an
 * OffscreenCanvas, so that the page's main thread is never held up.
 *
 * Where it stands: static/app/pdf.js starts it from a blob when the first PDF comes, and speaks to it. The command
 * line does the same with pypdfium2 (fen_core/pdf.py), at the same resolution.
 * What always holds: one document is open at a time and one page is drawn at a time, whatever their number; nothing
 * is fetched but pdf.js and its decoders, from the site's own folder; every question is answered once.
 */

/**
 * @typedef {object} Config
 * @property {string} base absolute address of pdf.js's folder, with a slash at the end
 * @property {number} longSide of a drawn page, px
 */

/** A document is opened anew after this many pages: what pdf.js keeps of a book (fonts, images) would only grow. */
const PAGES_A_TURN = 24;
/** A canvas with more pixels than this is refused by some phones. */
const MOST_PIXELS = 16_000_000;

/** What pdf.js draws on: canvases without a document. */
class Canvases {
  /** @param {number} width @param {number} height */
  create(width, height) {
    const canvas = new OffscreenCanvas(Math.max(1, width), Math.max(1, height));
    return { canvas, context: canvas.getContext('2d', { willReadFrequently: true }) };
  }

  /** @param {{canvas: OffscreenCanvas}} entry @param {number} width @param {number} height */
  reset(entry, width, height) {
    entry.canvas.width = width;
    entry.canvas.height = height;
  }

  /** @param {{canvas: OffscreenCanvas | null, context: any}} entry */
  destroy(entry) {
    if (entry.canvas) entry.canvas.width = entry.canvas.height = 0;
    entry.canvas = null;
    entry.context = null;
  }

  /** @param {OffscreenCanvas} canvas */
  getNoAlphaContext(canvas) {
    return canvas.getContext('2d', { alpha: false, willReadFrequently: true });
  }
}

/** SVG filters need a document; without them pdf.js does the same by hand, or leaves a tint out. */
class NoFilters {
  addFilter() { return 'none'; }
  addHCMFilter() { return 'none'; }
  addAlphaFilter() { return 'none'; }
  addLuminosityFilter() { return 'none'; }
  addKnockoutFilter() { return 'none'; }
  addHighlightHCMFilter() { return 'none'; }
  addSelectionHCMFilter() { return 'none'; }
  addSelectionFilter() { return 'none'; }
  createSelectionStyle() { return null; }
  destroy() {}
}

/** @param {any} error @returns {string} our code for what pdf.js says */
function codeOf(error) {
  if (error?.code === 'pdf-part-missing') return error.code;
  if (error?.name === 'PasswordException') return 'pdf-locked';
  if (error?.name === 'RenderingCancelledException') return 'cancelled';
  return 'pdf-damaged';
}

/**
 * Listen to the page.
 * @param {Config} config
 */
export async function start({ base, longSide }) {
  /** Fetches pdf.js's decoders of images; fonts and tables that a file lacks are done without. */
  class Parts {
    /** @param {{kind: string, filename: string}} part */
    async fetch({ kind, filename }) {
      if (kind !== 'wasmUrl') throw new Error(`${filename} is not kept`);
      const answer = await fetch(base + filename);
      if (!answer.ok) throw new Error(`${filename}: ${answer.status}`);
      return new Uint8Array(await answer.arrayBuffer());
    }
  }

  // The one that parses announces itself to the one that draws; both live in this worker.
  await import(`${base}pdf.worker.min.mjs`);
  const pdfjs = await import(`${base}pdf.min.mjs`);
  pdfjs.GlobalWorkerOptions.workerSrc = `${base}pdf.worker.min.mjs`;

  /** @type {{file: number, task: any, pdf: any, drawn: number} | null} the one that is open */
  let open = null;
  /** @type {any} */
  let drawing = null;
  let drawingId = 0;

  async function close() {
    const { task } = open ?? {};
    open = null;
    await task?.destroy();
  }

  /** @param {number} file @param {Blob} blob */
  async function document(file, blob) {
    if (open && open.file === file && open.drawn < PAGES_A_TURN) return open;
    await close();
    const task = pdfjs.getDocument({
      data: new Uint8Array(await blob.arrayBuffer()),
      CanvasFactory: Canvases,
      FilterFactory: NoFilters,
      BinaryDataFactory: Parts,
      wasmUrl: base,
      // Letters are drawn as outlines: a worker has no fonts of its own in every browser.
      disableFontFace: true,
      useSystemFonts: false,
      disableWorkerRendering: true,
      isEvalSupported: false,
      verbosity: 0,
    });
    try {
      open = { file, task, pdf: await task.promise, drawn: 0 };
      return open;
    } catch (error) {
      await task.destroy();
      throw error;
    }
  }

  /** @param {number} id @param {number} file @param {Blob} blob @param {number} number from 1 */
  async function draw(id, file, blob, number) {
    const now = await document(file, blob);
    now.drawn += 1;
    const page = await now.pdf.getPage(number);
    try {
      const natural = page.getViewport({ scale: 1 });
      const fit = longSide / Math.max(natural.width, natural.height, 1);
      const scale = Math.min(fit, Math.sqrt(MOST_PIXELS / Math.max(natural.width * natural.height, 1)));
      const viewport = page.getViewport({ scale });
      const canvas = new OffscreenCanvas(Math.max(1, Math.round(viewport.width)), Math.max(1, Math.round(viewport.height)));
      const canvasContext = canvas.getContext('2d', { alpha: false });
      drawing = page.render({ canvas, canvasContext, viewport, background: '#fff', annotationMode: pdfjs.AnnotationMode.DISABLE });
      drawingId = id;
      await drawing.promise;
      const png = await canvas.convertToBlob({ type: 'image/png' });
      const { width, height } = canvas;
      canvas.width = canvas.height = 0;
      return { png, width, height };
    } finally {
      drawing = null;
      page.cleanup();
    }
  }

  /** @param {any} question @returns {Promise<Record<string, any>>} */
  async function answer({ ask, id, file, blob, page }) {
    if (ask === 'pages') return { pages: (await document(file, blob)).pdf.numPages };
    if (ask === 'draw') return draw(id, file, blob, page);
    await close();
    return {};
  }

  let last = Promise.resolve();
  addEventListener('message', ({ data }) => {
    if (!data?.ask) return;
    if (data.ask === 'cancel') {
      if (drawingId === data.id) drawing?.cancel();
      return;
    }
    last = last.then(async () => {
      try {
        postMessage({ pdf: 'answer', id: data.id, ...(await answer(data)) });
      } catch (error) {
        postMessage({ pdf: 'answer', id: data.id, code: codeOf(error), detail: String(error) });
      }
    });
  });
  postMessage({ pdf: 'ready' });
}
