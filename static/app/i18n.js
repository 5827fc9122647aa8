// @ts-check
/**
 * Words in the person's language. Flat keys, `{name}` places, plurals by Intl.PluralRules. Only the chosen language is
 * loaded: a test holds all six to the same keys. English stands in where a file does not come; a key that is nowhere
 * shows itself.
 */

export const LANGUAGES = Object.freeze({
  en: 'English',
  el: 'Ελληνικά',
  vi: 'Tiếng Việt',
  gu: 'ગુજરાતી',
  'pt-BR': 'Português (Brasil)',
  bn: 'বাংলা',
});

/** Where the decimal sign is a comma. */
const COMMA = ['el', 'vi', 'pt-BR'];

/** @typedef {Record<string, string | Record<string, string>>} Words */
/** @typedef {Record<string, string | number>} Params */

/**
 * Choose the language: the address first, then what the browser prefers.
 * @param {string | null} asked
 * @param {readonly string[]} preferred
 */
export function chooseLanguage(asked, preferred) {
  const codes = Object.keys(LANGUAGES);
  for (const wish of [asked, ...preferred]) {
    if (!wish) continue;
    const exact = codes.find((c) => c.toLowerCase() === wish.toLowerCase());
    const near = codes.find((c) => c.split('-')[0] === wish.toLowerCase().split('-')[0]);
    if (exact || near) return exact || near || 'en';
  }
  return 'en';
}

/**
 * Fill a text's places; for a plural take the form of the number `n`.
 * @param {string | Record<string, string>} entry
 * @param {Params} params
 * @param {string} language
 */
export function fill(entry, params, language) {
  let text = entry;
  if (typeof text !== 'string') {
    const n = Number(params.n ?? params.count ?? 0);
    text = text[new Intl.PluralRules(language).select(n)] ?? text.other ?? '';
  }
  return text.replace(/\{(\w+)\}/g, (whole, name) => (name in params ? String(params[name]) : whole));
}

/**
 * Make the translator of one language.
 * @param {string} language
 * @param {Words} words
 * @param {Words} english
 */
export function translator(language, words, english) {
  /** @param {string} key @param {Params} [params] */
  const t = (key, params = {}) => {
    if (key in words) return fill(words[key], params, language);
    if (key in english) return fill(english[key], params, 'en');
    return key;
  };
  /** @param {string} key */
  t.has = (key) => key in words || key in english;
  t.language = language;
  /** @param {number} share 0..1 */
  t.percent = (share) => {
    // 99.7 % is not certain and 0.2 % is not impossible: neither is rounded to say so
    const p = Math.min(Math.max(Math.round(share * 100), share > 0 ? 1 : 0), share < 1 ? 99 : 100);
    return new Intl.NumberFormat(language, { style: 'percent', numberingSystem: 'latn' }).format(p / 100);
  };
  /**
   * Write a size without its unit. Not by Intl.NumberFormat, whose first use holds up the start of a page by 40 ms.
   * @param {number} bytes
   * @param {number} [digits] after the decimal sign
   */
  t.megabytes = (bytes, digits = 1) => (bytes / 1e6).toFixed(digits).replace('.', COMMA.includes(language) ? ',' : '.');
  /** @param {string} letter FEN letter @returns {string} "white knight" */
  t.piece = (letter) => {
    if (letter === '.') return t('piece.empty');
    const kind = { p: 'pawn', n: 'knight', b: 'bishop', r: 'rook', q: 'queen', k: 'king' }[letter.toLowerCase()];
    return t(`piece.${letter === letter.toUpperCase() ? 'white' : 'black'}.${kind}`);
  };
  return t;
}

/** @typedef {ReturnType<typeof translator>} Translate */

/** @type {Map<string, Promise<Words>>} */
const loaded = new Map();

/** @param {string} language @returns {Promise<Words>} */
function load(language) {
  let words = loaded.get(language);
  if (!words) {
    words = fetch(new URL(`../i18n/${language}.json`, import.meta.url)).then((r) => (r.ok ? r.json() : {}));
    words = words.catch(() => ({}));
    loaded.set(language, words);
  }
  return words;
}

/** @param {string} language @returns {Promise<Translate>} */
export async function loadLanguage(language) {
  const words = await load(language);
  const came = Object.keys(words).length > 0;
  return translator(came ? language : 'en', words, came ? {} : await load('en'));
}

/**
 * Put the words of a language into the page's fixed texts: `data-t` is the text, `data-t-label` the name for a
 * screen reader, `data-t-title` the tip, `data-t-content` the description; `data-by-language` is where a page in each language lies.
 * @param {ParentNode} root
 * @param {Translate} t
 */
export function translatePage(root, t) {
  document.documentElement.lang = t.language;
  for (const link of root.querySelectorAll('[data-by-language]')) {
    link.setAttribute('href', `${link.getAttribute('data-by-language')}${t.language}.html`);
  }
  for (const node of root.querySelectorAll('[data-t]')) node.textContent = t(node.getAttribute('data-t') || '');
  for (const [name, attribute] of [['label', 'aria-label'], ['title', 'title'], ['content', 'content']]) {
    for (const node of root.querySelectorAll(`[data-t-${name}]`)) {
      node.setAttribute(attribute, t(node.getAttribute(`data-t-${name}`) || ''));
    }
  }
}
