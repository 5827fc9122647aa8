// @ts-check
/**
 * `<fen-checker fen lang theme>`: the checker as an element of somebody else's page. It holds the frame, speaks the
 * protocol to it, gives it the height it asks for, and says what the host's policy must allow where it is kept out.
 *
 *   <script type="module" src="https://…/static/embed/fen-checker.js"></script>
 *   <fen-checker fen="8/8/8/8/8/8/8/8 w - - 0 1" lang="el" theme="dark"></fen-checker>
 *
 * Attributes: fen, lang, theme (auto, light, dark), orientation (white, black: the side at the bottom), src (of
 * embed.html, if it does not lie where this file expects it), sandbox (for the frame; empty: "allow-scripts").
 * Properties: value (the text in the field; may be set), fen (what it says, canonically, or null), problems, result.
 * Events: fen:ready, fen:change, fen:error; all bubble and leave shadow trees. PROTOCOL.md has the details.
 */
import { ANSWERS, isCurrent, pack, targetOf, unpack, writeFragment } from './protocol.js';
import { WORDS } from './words.js';

/** A frame on a slow line may take its time; one that is kept out never answers. */
const SILENCE_MS = 12_000;
const FIRST_HEIGHT = 420; // px, until the frame has said
const OPTIONS = ['lang', 'theme', 'orientation'];
/** What an attribute that is taken away goes back to. @type {Record<string, string>} */
const DEFAULTS = { theme: 'auto', orientation: 'white' };

const SHEET = `
:host { display: block; max-inline-size: 60rem; }
:host([hidden]) { display: none; }
iframe { display: block; inline-size: 100%; min-block-size: 12rem; border: 0; border-radius: 8px; }
p { margin: 0; padding: 0.75rem 1rem; border: 1px solid; border-radius: 8px; font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
[hidden] { display: none; }
`;

/** @param {string} [asked] */
function wordsFor(asked) {
  const wish = (asked || navigator.language || 'en').toLowerCase();
  const code = Object.keys(WORDS).find((known) => known.toLowerCase() === wish) ??
    Object.keys(WORDS).find((known) => known.split('-')[0].toLowerCase() === wish.split('-')[0]) ?? 'en';
  return { code, ...WORDS[code] };
}

export class FenCheckerElement extends HTMLElement {
  static observedAttributes = ['fen', 'src', 'sandbox', ...OPTIONS];

  /** @type {HTMLIFrameElement | null} */
  #frame = null;
  #note = document.createElement('p');
  #spoken = false; // the frame has said that it is there
  #ready = false; // Python answers
  #shown = ''; // address of embed.html in the frame
  #origin = ''; // that the frame's messages come from, "null" where it has none
  #value = '';
  #opened = ''; // the text that the frame began with
  /** @type {Record<string, any> | null} */
  #result = null;
  /** @type {Map<number, (result: any) => void>} */
  #asked = new Map();
  #last = 0;
  /** @type {number | null} id of the text that was set last: what the frame says from before it is stale */
  #set = null;
  #silence = 0;
  #stop = new AbortController();

  constructor() {
    super();
    const root = this.attachShadow({ mode: 'open' });
    // No element of style, no attribute of style: a host's policy may forbid both.
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(SHEET);
    root.adoptedStyleSheets = [sheet];
    this.#note.setAttribute('role', 'alert');
    this.#note.hidden = true;
    root.append(this.#note);
  }

  connectedCallback() {
    this.#stop = new AbortController();
    const { signal } = this.#stop;
    window.addEventListener('message', (event) => this.#onMessage(event), { signal });
    document.addEventListener('securitypolicyviolation', (event) => this.#onViolation(event), { signal });
    this.#open();
  }

  disconnectedCallback() {
    this.#stop.abort();
    this.#close();
  }

  /** @param {string} name @param {string | null} before @param {string | null} now */
  attributeChangedCallback(name, before, now) {
    // The same FEN once more means: back to it, whatever the person has made of it.
    if (name === 'fen' && (now ?? '') !== this.#value) this.value = now ?? '';
    if (before === now || name === 'fen' || !this.#frame) return;
    if (name === 'src' || name === 'sandbox') this.#open();
    else if (this.#spoken) this.#say('set-options', { ...(name in DEFAULTS ? { [name]: DEFAULTS[name] } : {}), ...this.#options() });
  }

  /** The text in the checker's field. */
  get value() {
    return this.#value;
  }

  set value(text) {
    // As a field of text holds it: lines end with one character.
    this.#value = String(text).replace(/\r\n?/g, '\n');
    this.#result = null;
    if (this.#spoken) this.#sayValue();
  }

  /** What the text says, written canonically and not repaired; null where it cannot be read or is not checked yet. */
  get fen() {
    return this.#result?.fen ?? null;
  }

  /** What is wrong or odd, worst first, with words in the checker's language. */
  get problems() {
    return this.#result?.problems ?? [];
  }

  /** The last answer of the checker to the text, null while there is none. */
  get result() {
    return this.#result;
  }

  /** Ask for the answer to the text as it now stands. @returns {Promise<Record<string, any>>} */
  getResult() {
    return new Promise((resolve) => {
      const id = ++this.#last;
      this.#asked.set(id, resolve);
      if (this.#spoken) this.#say('get-result', {}, id);
    });
  }

  #options() {
    const given = OPTIONS.map((name) => [name, this.getAttribute(name)]).filter(([, value]) => value);
    return Object.fromEntries(given);
  }

  #open() {
    this.#close();
    const page = new URL(this.getAttribute('src') || new URL('../../embed.html', import.meta.url), document.baseURI);
    page.hash = '';
    this.#shown = page.href;
    this.#opened = this.#value;
    const frame = document.createElement('iframe');
    frame.title = wordsFor(this.getAttribute('lang') ?? '').title;
    frame.allow = 'clipboard-write';
    frame.referrerPolicy = 'no-referrer';
    frame.loading = 'lazy';
    const sandbox = this.getAttribute('sandbox');
    if (sandbox !== null) frame.setAttribute('sandbox', sandbox || 'allow-scripts');
    // An isolated page (Cross-Origin-Embedder-Policy) takes in only frames that say the same, or carry no credentials.
    if (globalThis.crossOriginIsolated) /** @type {any} */ (frame).credentialless = true;
    frame.style.blockSize = `${FIRST_HEIGHT}px`;
    frame.addEventListener('load', () => {
      clearTimeout(this.#silence);
      if (!this.#spoken) this.#silence = window.setTimeout(() => this.#tell('silent', { address: this.#shown }), SILENCE_MS);
    });
    frame.src = this.#shown + writeFragment({ fen: this.#value || undefined, ...this.#options() });
    this.#frame = frame;
    this.#note.hidden = true;
    /** @type {ShadowRoot} */ (this.shadowRoot).append(frame);
  }

  #close() {
    clearTimeout(this.#silence);
    this.#frame?.remove();
    this.#frame = null;
    this.#spoken = false;
    this.#ready = false;
    this.#result = null;
    this.#set = null;
  }

  #sayValue() {
    this.#set = ++this.#last;
    this.#say('set-fen', { fen: this.#value }, this.#set);
  }

  /** @param {string} type @param {Record<string, any>} fields @param {number} [id] */
  #say(type, fields, id) {
    this.#frame?.contentWindow?.postMessage(pack(type, fields, id), targetOf(this.#origin));
  }

  /** @param {MessageEvent} event */
  #onMessage(event) {
    if (!this.#frame || event.source !== this.#frame.contentWindow) return;
    // Its own origin, or none where it is sandboxed (or this page is, which holds for what it frames).
    if (event.origin !== new URL(this.#shown).origin && event.origin !== 'null') return;
    this.#origin = event.origin;
    const message = unpack(event.data, ANSWERS);
    if (!message || message.fault) return;
    const { type, id, ...fields } = message;
    if (type === 'ready') this.#onReady(fields);
    else if (type === 'resize') this.#frame.style.blockSize = `${fields.height}px`;
    else if (type === 'error') {
      clearTimeout(this.#silence);
      this.#emit('fen:error', fields);
    }
    else if (type === 'change') {
      if (!isCurrent(/** @type {any} */ (fields), this.#set, this.#value)) return;
      this.#value = fields.text;
      this.#result = fields;
      this.#emit('fen:change', fields);
    } else {
      this.#asked.get(Number(id))?.(fields);
      this.#asked.delete(Number(id));
    }
  }

  /** @param {Record<string, any>} fields */
  #onReady(fields) {
    clearTimeout(this.#silence);
    this.#note.hidden = true;
    if (fields.title && this.#frame) this.#frame.title = fields.title;
    if (!this.#spoken) {
      // The frame's first word, which says nothing yet. What was set meanwhile goes to it now.
      this.#spoken = true;
      this.#say('set-options', this.#options());
      if (this.#value !== this.#opened) this.#sayValue();
      for (const asked of this.#asked.keys()) this.#say('get-result', {}, asked);
    } else if (fields.engine === 'ready' && !this.#ready) {
      this.#ready = true;
      this.#emit('fen:ready', fields);
    }
  }

  /** @param {SecurityPolicyViolationEvent} event */
  #onViolation(event) {
    const directive = event.effectiveDirective;
    if (event.disposition !== 'enforce' || !['frame-src', 'child-src', 'default-src'].includes(directive) || this.#spoken) return;
    const { origin } = new URL(this.#shown);
    // Some browsers name the whole address that was kept out, some its origin only.
    if (event.blockedURI !== origin && !event.blockedURI.startsWith(`${origin}/`)) return;
    this.#tell('blocked', { directive: 'frame-src', origin });
  }

  /** @param {'blocked' | 'silent'} what @param {Record<string, string>} params */
  #tell(what, params) {
    clearTimeout(this.#silence);
    const words = wordsFor(this.getAttribute('lang') ?? '');
    this.#note.lang = words.code;
    this.#note.textContent = words[what].replace(/\{(\w+)\}/g, (whole, name) => params[name] ?? whole);
    this.#note.hidden = false;
    if (what === 'blocked' && this.#frame) this.#frame.hidden = true;
    this.#emit('fen:error', { code: what, params, title: this.#note.textContent });
  }

  /** @param {string} name @param {Record<string, any>} detail */
  #emit(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }));
  }
}

if (!customElements.get('fen-checker')) customElements.define('fen-checker', FenCheckerElement);
