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
