// @ts-check
/** A picture or a file of pictures that cannot be taken; words are `error.<code>.title` and `.next`. */
export class PictureError extends Error {
  /** @param {string} code @param {Record<string, any>} [params] */
  constructor(code, params = {}) {
    super(code);
    this.code = code;
    this.params = params;
  }
}
