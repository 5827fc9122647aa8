// @ts-check
/** What some browsers still lack, made of what they have: imported before everything that uses it. */

if (typeof OffscreenCanvas === 'undefined') {
  /** A canvas of the page, with the one method more (Safari before 16.4). */
  /** @type {any} */ (globalThis).OffscreenCanvas = class {
    /** @param {number} width @param {number} height */
    constructor(width, height) {
      /** @type {any} */
      const canvas = Object.assign(document.createElement('canvas'), { width, height });
      canvas.convertToBlob = (/** @type {{type?: string, quality?: number}} */ { type, quality } = {}) =>
        new Promise((resolve) => canvas.toBlob(resolve, type, quality));
      return canvas;
    }
  };
}

export {};
