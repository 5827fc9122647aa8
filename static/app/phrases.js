// @ts-check
/** Problems, fixes and evidence in words: the parameters of the engine's codes, as the person's language writes them. */

/** @typedef {import('./i18n.js').Translate} Translate */

const SIDES = /** @type {Record<string, string>} */ ({ w: 'white', b: 'black', white: 'white', black: 'black' });
const SIDE_NAMES = new Set(['side', 'mover', 'bottom', 'rival', 'colour']);
const KINDS = ['field', 'severity', 'dialect'];

/**
 * Make the parameters of a code fit to stand in a sentence, as fen_core.words does.
 * @param {Translate} t
 * @param {Record<string, any> | undefined} params
 * @returns {Record<string, string | number>}
 */
export function spoken(t, params) {
  return Object.fromEntries(Object.entries(params ?? {}).map(([name, value]) => [name, one(t, name, value)]));
}

/** @param {Translate} t @param {string} name @param {any} value @returns {string | number} */
function one(t, name, value) {
  if (Array.isArray(value)) return value.map((v) => one(t, name, v)).join(', ');
  if (typeof value === 'number') return value;
  const text = String(value ?? '');
  if (SIDE_NAMES.has(name) && SIDES[text]) return t(`side.${SIDES[text]}`);
  if (/^pieces?$/.test(name) && /^[.PNBRQKpnbrqk]$/.test(text)) return t.piece(text);
  if (KINDS.includes(name) && t.has(`${name}.${text}`)) return t(`${name}.${text}`);
  return text;
}

/** @param {Translate} t @param {import('./engine-types.js').Problem} problem */
export function problemWords(t, problem) {
  const squares = problem.squares ?? [];
  const params = { n: squares.length, ...spoken(t, problem.params), squares: squares.join(', ') };
  const plain = `problem.${problem.code}.title`;
  const title = t.has(`${plain}.${problem.params?.variant}`) ? `${plain}.${problem.params?.variant}` : plain;
  const body = `problem.${problem.code}.body`;
  const closer = `${body}.${problem.params?.variant}`;
  const key = t.has(closer) ? closer : body;
  return { title: t.has(title) ? t(title, params) : problem.code, body: t.has(key) ? t(key, params) : '' };
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
