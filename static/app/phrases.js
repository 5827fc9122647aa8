// @ts-check
/** Problems, fixes and evidence in words: the parameters of the engine's codes, as the person's language writes them. */

/** @typedef {import('./i18n.js').Translate} Translate */

const SIDES = /** @type {Record<string, string>} */ ({ w: 'white', b: 'black', white: 'white', black: 'black' });

/**
 * Make the parameters of a code fit to stand in a sentence.
 * @param {Translate} t
 * @param {Record<string, any> | undefined} params
 * @returns {Record<string, string | number>}
 */
export function spoken(t, params) {
  /** @type {Record<string, string | number>} */
  const out = {};
  for (const [name, value] of Object.entries(params ?? {})) {
    if (Array.isArray(value)) out[name] = value.map((v) => String(one(t, name, v))).join(', ');
    else out[name] = one(t, name, value);
  }
  return out;
}

/** @param {Translate} t @param {string} name @param {any} value @returns {string | number} */
function one(t, name, value) {
  if (typeof value === 'number') return value;
  if (value === null || value === undefined) return '';
  const text = String(value);
  if (/side|colour|bottom|mover/.test(name) && SIDES[text]) return t(`side.${SIDES[text]}`);
  if (/piece|man|men/.test(name) && /^[PNBRQKpnbrqk]$/.test(text)) return t.piece(text);
  for (const kind of [`${name}.${text}`, `piece.${text}`]) if (/^[a-z][a-z-]+$/.test(text) && t.has(kind)) return t(kind);
  return text;
}

/** @param {Translate} t @param {import('./engine-types.js').Problem} problem */
export function problemWords(t, problem) {
  const params = { ...spoken(t, problem.params), squares: (problem.squares ?? []).join(', '), n: problem.params?.n ?? problem.squares?.length ?? 1 };
  const title = `problem.${problem.code}.title`;
  const body = `problem.${problem.code}.body`;
  return { title: t.has(title) ? t(title, params) : problem.code, body: t.has(body) ? t(body, params) : '' };
}

/** @param {Translate} t @param {{code: string, fen: string, params?: Record<string, any>}} fix */
export const fixWords = (t, fix) => (t.has(`fix.${fix.code}`) ? t(`fix.${fix.code}`, spoken(t, fix.params)) : t('ui.fix'));

/** @param {Translate} t @param {string} code @param {Record<string, any>} [params] @returns {{title: string, next: string}} */
export function errorWords(t, code, params) {
  const known = t.has(`error.${code}.title`) ? code : 'unexpected';
  const words = { ...spoken(t, params), code };
  return { title: t(`error.${known}.title`, words), next: t.has(`error.${known}.next`) ? t(`error.${known}.next`, words) : '' };
}

/**
 * @param {Translate} t
 * @param {any} evidence a list of {kind, …} as the Reading gives it
 * @returns {string[]} one sentence for each that has words
 */
export function evidenceWords(t, evidence) {
  const list = Array.isArray(evidence) ? evidence : evidence ? [evidence] : [];
  return list.flatMap((item) => {
    const kind = typeof item === 'string' ? item : (item.kind ?? item.code);
    const key = `evidence.${kind}`;
    return t.has(key) ? [t(key, spoken(t, typeof item === 'string' ? {} : item))] : [];
  });
}
