// @ts-check
/**
 * The messages between a frame (the checker alone, or the whole reader) and the page that holds it: shapes, packing,
 * judging. Version 1.
 *
 * Where it stands: below both ends (frame-link.js in the frame, fen-checker.js in the host's page); PROTOCOL.md says
 * the same in words.
 * What always holds: whatever arrives, `unpack` neither throws nor lets through a field that is not of its kind; what
 * is no message of this protocol, of another version or of an unknown type is null, and nobody answers it.
 */

export const SOURCE = 'image-to-fen';
export const VERSION = 1;

/** A pasted page of text is still answered with what is wrong in it; more than this is a mistake. */
export const MOST_TEXT = 100_000;
/** Bytes of one picture. */
export const MOST_PICTURE = 64 * 2 ** 20;
const MOST_ID = 100;
const MOST_FINDINGS = 1000;

export const THEMES = Object.freeze(['auto', 'light', 'dark']);
export const ORIENTATIONS = Object.freeze(['white', 'black']);

/** @typedef {string | number} Id  chosen by who asks; the answer bears the same */
/** @typedef {{type: string, id?: Id, fault?: string, [field: string]: any}} Message  `fault` names the field that is not of its kind */
/** @typedef {(value: unknown) => boolean} Kind */
/** @typedef {{needed?: Record<string, Kind>, free?: Record<string, Kind>}} Shape */

/** @param {number} most @returns {Kind} */
const textTo = (most) => (value) => typeof value === 'string' && value.length <= most;
/** @param {readonly string[]} words @returns {Kind} */
const oneOf = (words) => (value) => typeof value === 'string' && words.includes(value);
/** @type {Kind} */
const flag = (value) => typeof value === 'boolean';
/** @type {Kind} */
const list = (value) => Array.isArray(value) && value.length <= MOST_FINDINGS && value.every(record);
/** @type {Kind} */
const record = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
/** @type {Kind} */
const fenOrNull = (value) => value === null || textTo(MOST_TEXT)(value);
/** @type {Kind} */
const pixels = (value) => typeof value === 'number' && Number.isFinite(value) && value >= 0 && value <= 1e6;
/** @type {Kind} */
const share = (value) => typeof value === 'number' && value >= 0 && value <= 1;
/** A file as it is, not its pixels. @type {Kind} */
const picture = (value) => {
  const size = value instanceof Blob ? value.size : value instanceof ArrayBuffer || value instanceof Uint8Array ? value.byteLength : 0;
  return size > 0 && size <= MOST_PICTURE;
};
/** @type {Kind} */
const names = (value) => Array.isArray(value) && value.length <= 64 && value.every(textTo(2));
/** @type {Kind} */
const idOrNull = (value) => value === null || isId(value);

const OPTIONS = { lang: textTo(35), theme: oneOf(THEMES), orientation: oneOf(ORIENTATIONS) };
const RESULT = { text: textTo(MOST_TEXT), fen: fenOrNull, checked: flag, problems: list, cleaned: list, fixes: list };

/** What the checker hears. @type {Readonly<Record<string, Shape>>} */
export const REQUESTS = Object.freeze({
  'set-fen': { needed: { fen: textTo(MOST_TEXT) } },
  'set-options': { free: OPTIONS },
  'get-result': {},
});

/** What the host of the checker hears. @type {Readonly<Record<string, Shape>>} */
export const ANSWERS = Object.freeze({
  ready: { free: { ...OPTIONS, title: textTo(200), engine: oneOf(['loading', 'ready', 'failed']) } },
  result: { needed: RESULT, free: { after: idOrNull } },
  change: { needed: { ...RESULT, by: oneOf(['person', 'host']) }, free: { after: idOrNull } },
  resize: { needed: { height: pixels } },
  error: { needed: { code: textTo(100) }, free: { params: record, title: textTo(2000), next: textTo(2000) } },
});

/** What the reader hears. @type {Readonly<Record<string, Shape>>} */
export const READER_REQUESTS = Object.freeze({
  read: { needed: { picture }, free: { name: textTo(200), show: flag } },
  'set-fen': { needed: { fen: textTo(MOST_TEXT) } },
  'set-options': { free: { lang: OPTIONS.lang, theme: OPTIONS.theme } },
  'get-result': {},
});

const POSITION = { ...RESULT, unsure: names, picture: idOrNull };

/** What the host of the reader hears. @type {Readonly<Record<string, Shape>>} */
export const READER_ANSWERS = Object.freeze({
  ready: ANSWERS.ready,
  progress: { needed: { stage: textTo(100), share } },
  reading: { needed: { reading: record } },
  result: { needed: POSITION },
  change: { needed: { ...POSITION, by: oneOf(['person', 'host', 'reader']) } },
  error: ANSWERS.error,
});

/** @param {unknown} id @returns {id is Id} */
const isId = (id) => (typeof id === 'string' && id.length <= MOST_ID) || (typeof id === 'number' && Number.isFinite(id));

/**
 * Put a message into its envelope.
 * @param {string} type
 * @param {Record<string, any>} [fields]
 * @param {Id} [id]  of the request that this answers, or that wants an answer
 */
export function pack(type, fields = {}, id) {
  return { ...fields, source: SOURCE, v: VERSION, type, ...(id === undefined ? {} : { id }) };
}

/**
 * Judge what arrived.
 * @param {unknown} data
 * @param {Readonly<Record<string, Shape>>} shapes  REQUESTS in the frame, ANSWERS in the host's page; READER_… for the reader
 * @returns {Message | null} null: not for us. With `fault`: for us, but that field is missing or not of its kind.
 */
export function unpack(data, shapes) {
  if (!record(data)) return null;
  const { source, v, type, id } = /** @type {Record<string, unknown>} */ (data);
  if (source !== SOURCE || v !== VERSION || typeof type !== 'string' || !Object.hasOwn(shapes, type)) return null;
  if (id !== undefined && !isId(id)) return null;
  /** @type {Message} */
  const message = id === undefined ? { type } : { type, id };
  const given = /** @type {Record<string, unknown>} */ (data);
  for (const [name, kind] of Object.entries(shapes[type].needed ?? {})) {
    if (!kind(given[name])) return { ...message, fault: name };
    message[name] = given[name];
  }
  for (const [name, kind] of Object.entries(shapes[type].free ?? {})) {
    if (given[name] === undefined) continue;
    if (!kind(given[name])) return { ...message, fault: name };
    message[name] = given[name];
  }
  return message;
}

/**
 * Say whether a change is about the text as the host knows it, and not from before the text that it has set last. Both
 * ends may change the text at the same time: then the host's wins, since the frame takes it in after what it has said.
 * @param {{by: 'person' | 'host', text: string, after?: Id | null}} change
 * @param {Id | null} last  of the host's last set-fen, null where it has set none
 * @param {string} value  what the host holds for the text
 */
export function isCurrent({ by, text, after }, last, value) {
  // A frame of an earlier time does not say after which text it speaks.
  return after === undefined ? by === 'person' || text === value : after === last;
}

/**
 * Say to which origin a window may be written, given the origin that it spoke from.
 * A page without an origin ("null": sandboxed, or a file) cannot be named: there only the window itself is the address.
 * @param {string} origin
 */
export const targetOf = (origin) => (origin === 'null' || origin === '' ? '*' : origin);

/**
 * Options of a frame, as they stand behind the `#` of its address. The part behind `#` never reaches a server.
 * @typedef {object} Options
 * @property {string} [fen]
 * @property {string} [lang]
 * @property {string} [theme]        auto, light or dark
 * @property {string} [orientation]  the side at the bottom: white or black
 */

/** @param {string} hash  with or without its `#` @returns {Options} what is not of its kind is left out */
export function readFragment(hash) {
  const given = new URLSearchParams(hash.replace(/^#/, ''));
  /** @type {Record<string, string>} */
  const options = {};
  for (const [name, kind] of Object.entries({ fen: textTo(MOST_TEXT), ...OPTIONS })) {
    const value = given.get(name);
    if (value !== null && kind(value)) options[name] = value;
  }
  // In addresses `_` stands for a space, where there is none.
  if (options.fen && !/\s/.test(options.fen)) options.fen = options.fen.replaceAll('_', ' ');
  return options;
}

/** @param {Options} options @returns {string} with its `#`; empty where there is nothing to say */
export function writeFragment(options) {
  const parts = Object.entries(options).filter(([, value]) => value !== undefined && value !== null);
  return parts.length ? `#${parts.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&')}` : '';
}
