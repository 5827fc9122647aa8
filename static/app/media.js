// @ts-check
/**
 * The pictures themselves: their bytes as they came (what Python reads), and what the page shows of them. Nothing of
 * this is in the state; a work's id leads here.
 *
 * What always holds: however many pictures there are, only a few are held decoded, and pages of PDF files are drawn
 * when their turn comes or when they are looked at; of the others a small JPEG stays, for the list.
 */
import { PictureError } from './picture-error.js';

const SHOWN_PX = 2400; // longest side that is kept for showing
const PIXELS_PX = 1200; // longest side of the pixels that the straightened board is taken from
const THUMB_PX = 132;
const LARGE = 64 * 2 ** 20;
const KEPT = 4; // decoded pictures held at once; the others are decoded again when they are shown

/**
 * @typedef {Object} Picture
 * @property {number} id of the work
 * @property {Blob} source the person's file
 * @property {string} kind of file
 * @property {number} file which of the person's files, for pages of a PDF; else 0
 * @property {number} page of a PDF, from 1; else 0
 * @property {Blob | null} bytes what Python reads; null while a page of a PDF is not drawn
 * @property {number} width of the upright picture; 0 while it is not known, or where the browser cannot show it
 * @property {number} height
 * @property {ImageBitmap | null} bitmap
 * @property {ImageBitmap | null} small
 * @property {Blob | null} thumb a small picture for the list
 * @property {string} address of the small picture, '' while there is none
 * @property {{data: ImageData, scale: number} | null} pixels
 * @property {number} used
 * @property {boolean} ready whether it can be read: it has been looked at, and its bytes are there
 */

/** What the list shows of a picture. @typedef {{thumb: Blob, width: number, height: number}} Shown */

/** Say what kind of file begins with these bytes. @param {Uint8Array} head the first 32, of a PDF the first 1024 */
export function kindOf(head) {
  const ascii = String.fromCharCode(...head);
  if (head[0] === 0x89 && ascii.startsWith('PNG', 1)) return 'png';
  if (head[0] === 0xff && head[1] === 0xd8) return 'jpeg';
  if (ascii.startsWith('GIF8')) return 'gif';
  if (ascii.startsWith('BM')) return 'bmp';
  if (ascii.startsWith('RIFF') && ascii.startsWith('WEBP', 8)) return 'webp';
  if (ascii.startsWith('II*\0') || ascii.startsWith('MM\0*')) return 'tiff';
  if (ascii.startsWith('ftyp', 4)) {
    if (/avif|avis/.test(ascii.slice(8, 32))) return 'avif';
    if (/heic|heix|hevc|mif1|msf1/.test(ascii.slice(8, 32))) return 'heic';
  }
  // Its mark may stand after a little junk: PDF 1.7, annex H.3.4.1.
  if (ascii.includes('%PDF-')) return 'pdf';
  return 'unknown';
}

/** @param {Blob} blob @returns {Promise<string>} the same for the same bytes */
async function digestOf(blob) {
  // Of a very large file, its size and its ends tell it from any other.
  const part = blob.size > LARGE ? new Blob([String(blob.size), blob.slice(0, LARGE / 8), blob.slice(-LARGE / 8)]) : blob;
  const bytes = await part.arrayBuffer();
  if (!globalThis.crypto?.subtle) return '';
  return String(new Uint32Array(await crypto.subtle.digest('SHA-256', bytes)));
}

/** @param {number} width @param {number} height @param {number} most @returns {[number, number]} */
function within(width, height, most) {
  const factor = Math.min(1, most / Math.max(width, height));
  return [Math.max(1, Math.round(width * factor)), Math.max(1, Math.round(height * factor))];
}

/** @param {ImageBitmap} bitmap @param {string} type @param {[number, number]} size */
async function encode(bitmap, type, [width, height]) {
  const canvas = new OffscreenCanvas(width, height);
  const ctx = /** @type {OffscreenCanvasRenderingContext2D} */ (canvas.getContext('2d'));
  if (type === 'image/jpeg') {
    ctx.fillStyle = '#fff';
    ctx.fillRect(0, 0, width, height);
  }
  ctx.drawImage(bitmap, 0, 0, width, height);
  return canvas.convertToBlob({ type, quality: 0.8 });
}

/** @param {ReturnType<typeof import('./pdf.js').createPdf>} pdf what opens PDF files */
export function createMedia(pdf) {
  /** @type {Map<number, Picture>} */
  const pictures = new Map();
  /** @type {Map<string, number>} digest of a file → the first work that it became */
  const known = new Map();
  let clock = 0;
  let looked = -1; // the one on show

  /** @param {Picture} picture @param {AbortSignal} [signal] @returns {Promise<Blob>} what Python reads */
  async function bytesOf(picture, signal) {
    if (!picture.bytes) {
      const { png } = await pdf.draw(picture.file, picture.source, picture.page, signal);
      // Nobody keeps what has been forgotten meanwhile.
      if (pictures.get(picture.id) !== picture) return png;
      picture.bytes = png;
    }
    return picture.bytes;
  }

  /** @param {Picture} picture @param {AbortSignal} [signal] */
  async function decode(picture, signal) {
    const full = await createImageBitmap(await bytesOf(picture, signal));
    [picture.width, picture.height] = [full.width, full.height];
    const [resizeWidth, resizeHeight] = within(full.width, full.height, SHOWN_PX);
    picture.bitmap = resizeWidth === full.width ? full : await createImageBitmap(full, { resizeWidth, resizeHeight, resizeQuality: 'medium' });
    // Made smaller off the main thread, so that taking its pixels later blocks nothing.
    const [w, h] = within(full.width, full.height, PIXELS_PX);
    picture.small = await createImageBitmap(full, { resizeWidth: w, resizeHeight: h, resizeQuality: 'medium' });
    picture.used = ++clock;
    if (picture.kind === 'avif' || picture.kind === 'heic') picture.bytes = await encode(full, 'image/png', [full.width, full.height]);
    if (!picture.thumb) {
      const [width, height] = within(full.width, full.height, THUMB_PX);
      const reduced = await createImageBitmap(full, { resizeWidth: width, resizeHeight: height, resizeQuality: 'medium' });
      picture.thumb = await encode(reduced, 'image/jpeg', [width, height]);
      picture.address = URL.createObjectURL(picture.thumb);
      reduced.close();
    }
    if (full !== picture.bitmap) full.close();
    if (pictures.get(picture.id) !== picture) release(picture); // forgotten meanwhile
    trim();
  }

  /** @param {Picture} picture */
  function undress(picture) {
    picture.bitmap?.close();
    picture.small?.close();
    picture.bitmap = picture.small = picture.pixels = null;
    if (!picture.page) return;
    picture.bytes = null;
    picture.ready = false;
  }

  /** Let go of all that the browser holds for a picture. @param {Picture} picture */
  function release(picture) {
    undress(picture);
    if (picture.address) URL.revokeObjectURL(picture.address);
    picture.address = '';
  }

  /** Forget the drawing of those that were not seen for longest. */
  function trim() {
    const shown = [...pictures.values()].filter((p) => p.bitmap && p.id !== looked).sort((a, b) => b.used - a.used);
    for (const old of shown.slice(KEPT - 1)) undress(old);
  }

  return {
    pdf,

    /** @param {number} id @returns {Picture | undefined} */
    get: (id) => pictures.get(id),

    /** @param {number} id @param {AbortSignal} [signal] @returns {Promise<Blob>} what Python reads of it; a page of a PDF is drawn for it */
    async bytes(id, signal) {
      const picture = pictures.get(id);
      if (!picture) throw new PictureError('cancelled');
      return bytesOf(picture, signal);
    },

    /**
     * Look what a file is, and whether the same is here already.
     * @param {Blob} blob
     * @returns {Promise<{kind: string, digest: string, same: number}>} `same` is the work of the same file, -1 if none; rejects with a PictureError
     */
    async identify(blob) {
      if (!blob.size) throw new PictureError('image-empty');
      /** @type {Uint8Array} */
      let head;
      try {
        head = new Uint8Array(await blob.slice(0, 1024).arrayBuffer());
      } catch {
        throw new PictureError('file-unreadable'); // moved, or deleted, or a folder
      }
      const kind = kindOf(head);
      if (kind === 'unknown') {
        await createImageBitmap(blob).then((b) => b.close(), () => { throw new PictureError('image-unknown'); });
      }
      const digest = await digestOf(blob);
      return { kind, digest, same: (digest ? known.get(digest) : undefined) ?? -1 };
    },

    /**
     * Take a file, or a page of one; nothing is decoded yet.
     * @param {number} id of its work
     * @param {{blob: Blob, kind: string, digest?: string, file?: number, page?: number, shown?: Shown | null}} what
     */
    add(id, { blob, kind, digest = '', file = 0, page = 0, shown = null }) {
      if (digest && !known.has(digest)) known.set(digest, id);
      /** @type {Picture} */
      const picture = { id, source: blob, kind, file, page, bytes: page ? null : blob, width: 0, height: 0, bitmap: null, small: null, thumb: null, address: '', pixels: null, used: ++clock, ready: false };
      // Kept from another visit: what the list shows of it is there already.
      if (shown) Object.assign(picture, shown, { address: URL.createObjectURL(shown.thumb), ready: !page });
      pictures.set(id, picture);
      return picture;
    },

    /**
     * Make a picture ready to be read and shown. What only the browser can decode becomes PNG.
     * @param {number} id
     * @param {AbortSignal} [signal]
     * @returns {Promise<void>} rejects with a PictureError
     */
    async prepare(id, signal) {
      const picture = pictures.get(id);
      if (!picture) return;
      try {
        await decode(picture, signal);
      } catch (error) {
        if (error instanceof PictureError) throw error; // a page that cannot be drawn
        if (picture.kind === 'heic' || picture.kind === 'avif') throw new PictureError('image-heic');
        // Python may still read it, and says what is wrong where it cannot
      }
      picture.ready = true;
    },

    /** @param {number} id @returns {string} of the file, '' where the browser makes none */
    digestOf(id) {
      const { file = 0 } = pictures.get(id) ?? {};
      for (const [digest, work] of known) if (work === id || (file && pictures.get(work)?.file === file)) return digest;
      return '';
    },

    /** Make sure that a picture can be drawn. @param {number} id */
    async show(id) {
      looked = id;
      const picture = pictures.get(id);
      if (!picture) return;
      picture.used = ++clock;
      if (!picture.bitmap && picture.width) await decode(picture);
    },

    /** Reading it is over: what was drawn for it goes, unless it is being looked at. @param {number} id */
    done(id) {
      const picture = pictures.get(id);
      if (picture?.page && id !== looked) undress(picture);
    },

    /** @param {number} id @returns {{data: ImageData, scale: number} | null} pixels, and how many of them for one of the picture */
    pixels(id) {
      const picture = pictures.get(id);
      if (!picture?.bitmap) return null;
      if (!picture.pixels && picture.small) {
        const { width: w, height: h } = picture.small;
        const canvas = new OffscreenCanvas(w, h);
        const ctx = /** @type {OffscreenCanvasRenderingContext2D} */ (canvas.getContext('2d', { willReadFrequently: true }));
        ctx.fillStyle = '#fff';
        ctx.fillRect(0, 0, w, h);
        ctx.drawImage(picture.small, 0, 0);
        picture.small.close();
        picture.small = null;
        picture.pixels = { data: ctx.getImageData(0, 0, w, h), scale: w / picture.width };
      }
      return picture.pixels;
    },

    /** @param {number} id */
    forget(id) {
      const picture = pictures.get(id);
      if (!picture) return;
      pictures.delete(id);
      release(picture);
      const others = [...pictures.values()];
      for (const [digest, work] of known) {
        if (work !== id) continue;
        // Another page of the same file stands for it now.
        const other = others.find((p) => p.file !== 0 && p.file === picture.file);
        if (other) known.set(digest, other.id);
        else known.delete(digest);
      }
      if (picture.file && !others.some((p) => p.file)) pdf.end();
    },

    /** The file of a PDF has become pages: its digest stands for the first. @param {number} id @param {number} first */
    handOn(id, first) {
      for (const [digest, work] of known) if (work === id) known.set(digest, first);
      pictures.delete(id);
    },
  };
}
