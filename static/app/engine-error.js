// @ts-check
/** A coded failure of a job or of the engine: words are `error.<code>.title` and `.next`. */
export class EngineError extends Error {
  /**
   * @param {string} code
   * @param {Record<string, any>} [params]
   */
  constructor(code, params = {}) {
    super(code);
    this.name = 'EngineError';
    this.code = code;
    this.params = params;
  }
}
