// @ts-check
/**
 * The pictures themselves: their bytes as they came (what Python reads), and what the page shows of them. Nothing of
 * this is in the state; a work's id leads here.
 */

const SHOWN_PX = 2400; // longest side that is kept for showing
const PIXELS_PX = 1200; // longest side of the pixels that the straightened board is taken from
const KEPT = 4; // decoded pictures held at once; the others are decoded again when they are shown

/** @typedef {{id: number, bytes: Blob, name: string, width: number, height: number, bitmap: ImageBitmap | null, small: ImageBitmap | null, thumb: ImageBitmap | null, pixels: {data: ImageData, scale: number} | null, used: number, ready: boolean}} Picture */

/** A picture that cannot be taken; words are `error.<code>.title` and `.next`. */
export class PictureError extends Error {
  /** @param {string} code */
  constructor(code) {
    super(code);
    this.code = code;
  }
}

/** Say what kind of file begins with these bytes. @param {Uint8Array} head the first 32 */
export function kindOf(head) {
  const ascii = String.fromCharCode(...head);
  if (head[0] === 0x89 && ascii.startsWith('PNG', 1)) return 'png';
  if (head[0] === 0xff && head[1] === 0xd8) return 'jpeg';
  if (ascii.startsWith('GIF8')) return 'gif';
  if (ascii.startsWith('BM')) return 'bmp';
  if (ascii.startsWith('RIFF') && ascii.startsWith('WEBP', 8)) return 'webp';
  if (ascii.startsWith('II*\0') || ascii.startsWith('MM\0*')) return 'tiff';
  if (ascii.startsWith('%PDF')) return 'pdf';
  if (ascii.startsWith('ftyp', 4)) {
    if (/avif|avis/.test(ascii.slice(8))) return 'avif';
    if (/heic|heix|hevc|mif1|msf1/.test(ascii.slice(8))) return 'heic';
  }
  return 'unknown';
}

/** @param {number} width @param {number} height @param {number} most @returns {[number, number]} */
function within(width, height, most) {
  const factor = Math.min(1, most / Math.max(width, height));
  return [Math.max(1, Math.round(width * factor)), Math.max(1, Math.round(height * factor))];
}

/** @param {Blob} blob @param {number} width @param {number} height */
async function toPng(blob, width, height) {
  const canvas = new OffscreenCanvas(width, height);
  const bitmap = await createImageBitmap(blob);
  /** @type {any} */ (canvas.getContext('2d')).drawImage(bitmap, 0, 0);
  bitmap.close();
  return canvas.convertToBlob({ type: 'image/png' });
}

export function createMedia() {
  /** @type {Map<number, Picture>} */
  const pictures = new Map();
  let clock = 0;

  /** @param {Picture} picture */
  async function decode(picture) {
    const full = await createImageBitmap(picture.bytes);
    const [resizeWidth, resizeHeight] = within(full.width, full.height, SHOWN_PX);
    picture.bitmap = resizeWidth === full.width ? full : await createImageBitmap(full, { resizeWidth, resizeHeight, resizeQuality: 'medium' });
    // Made smaller off the main thread, so that taking its pixels later blocks nothing.
    const [w, h] = within(full.width, full.height, PIXELS_PX);
    picture.small = await createImageBitmap(full, { resizeWidth: w, resizeHeight: h, resizeQuality: 'medium' });
    return full;
  }

  return {
    /** @param {number} id @returns {Picture | undefined} */
    get: (id) => pictures.get(id),

    /**
     * Take a file: look what it is, decode it for showing, turn what only the browser can decode into PNG.
     * @param {number} id
     * @param {Blob} blob
     * @param {string} name
     * @returns {Promise<Picture>} rejects with a PictureError
     */
    async add(id, blob, name) {
      if (!blob.size) throw new PictureError('image-empty');
      const kind = kindOf(new Uint8Array(await blob.slice(0, 32).arrayBuffer()));
      /** @type {Picture} */
      const picture = { id, bytes: blob, name, width: 0, height: 0, bitmap: null, small: null, thumb: null, pixels: null, used: ++clock, ready: false };
      pictures.set(id, picture);
      if (kind === 'pdf') throw new PictureError('image-pdf');
      try {
        const full = await decode(picture);
        [picture.width, picture.height] = [full.width, full.height];
        const [resizeWidth, resizeHeight] = within(full.width, full.height, 160);
        picture.thumb = await createImageBitmap(full, { resizeWidth, resizeHeight, resizeQuality: 'medium' });
        if (full !== picture.bitmap) full.close();
        if (kind === 'avif' || kind === 'heic') picture.bytes = await toPng(blob, picture.width, picture.height);
      } catch {
        if (kind === 'heic' || kind === 'avif') throw new PictureError('image-heic');
        if (kind === 'unknown') throw new PictureError('image-unknown');
        // Python may still read it, and says what is wrong where it cannot
      }
      return picture;
    },

    /** Make sure that a picture can be drawn; forget the drawing of those not seen for longest. @param {number} id */
    async show(id) {
      const picture = pictures.get(id);
      if (!picture) return;
      picture.used = ++clock;
      if (!picture.bitmap && picture.width) {
        const full = await decode(picture);
        if (full !== picture.bitmap) full.close();
      }
      const shown = [...pictures.values()].filter((p) => p.bitmap).sort((a, b) => b.used - a.used);
      for (const old of shown.slice(KEPT)) {
        old.bitmap?.close();
        old.bitmap = null;
        old.pixels = null;
      }
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
      pictures.get(id)?.bitmap?.close();
      pictures.delete(id);
    },
  };
}
