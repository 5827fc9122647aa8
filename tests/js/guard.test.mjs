// What the page says where its modules do not start: the words are those of the language files, in every language.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import vm from 'node:vm';

const read = (/** @type {string} */ path) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf-8');
const LANGUAGES = ['en', 'el', 'vi', 'gu', 'pt-BR', 'bn'];

test('the words of the guard and of the page without JavaScript are those of the language files', () => {
  /** @type {any} */
  const window = {};
  vm.runInNewContext(read('static/app/guard-words.js'), { window });
  const carried = JSON.parse(JSON.stringify(window.notStartedWords));
  const page = read('index.html');
  assert.deepEqual(Object.keys(carried), LANGUAGES);
  for (const language of LANGUAGES) {
    const words = JSON.parse(read(`static/i18n/${language}.json`));
    const reasons = Object.keys(words).filter((key) => key.startsWith('ui.not-started.')).sort();
    assert.deepEqual(reasons.map((key) => [key, words[key]]), Object.keys(carried[language]).sort().map((why) => [`ui.not-started.${why}`, carried[language][why]]));
    assert.ok(page.includes(`<p class="notice" lang="${language}">${words['ui.no-script']}</p>`), language);
  }
});

test('a page that has started while the words were on their way never sees them', () => {
  for (const usable of [false, true]) {
    const heard = {};
    const state = {};
    const note = { hidden: true, setAttribute() {} };
    /** @type {any} */
    let script = null;
    const root = { getAttribute: (/** @type {string} */ name) => state[name] ?? null };
    const document = {
      documentElement: root,
      createElement: () => ({}),
      getElementById: (/** @type {string} */ id) => (id === 'not-started' ? note : null),
      head: { appendChild: (/** @type {any} */ made) => { script = made; } },
    };
    /** @type {any} */
    const window = { document, navigator: { languages: ['en'] }, location: { protocol: 'https:', href: 'https://a.test/' }, origin: 'https://a.test', ResizeObserver() {}, createImageBitmap() {}, structuredClone() {} };
    window.window = window.parent = window;
    window.HTMLScriptElement = class { get noModule() { return false; } };
    window.addEventListener = (/** @type {string} */ name, /** @type {any} */ listener) => { heard[name] = listener; };
    const context = vm.createContext(window);
    vm.runInContext(read('static/app/guard.js'), context);
    heard.unhandledrejection();
    if (usable) state['data-state'] = 'usable';
    vm.runInContext(read('static/app/guard-words.js'), context);
    script.onload();
    assert.equal(note.hidden, usable);
  }
});
