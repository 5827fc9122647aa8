// <fen-checker> without a browser: whatever the order in which both ends' messages arrive, a text that the page has set
// is never overwritten by what the frame said before it knew of it, and in the end both hold the same text.
import assert from 'node:assert/strict';
import test from 'node:test';

import { REQUESTS, pack, unpack } from '../../static/embed/protocol.js';
import { random } from './random.mjs';

// The few things of a browser that the element touches.
const heard = [];
const listen = (type, listener) => { if (type === 'message') heard.push(listener); };
globalThis.HTMLElement = class {
  shadowRoot = null;
  attachShadow() {
    this.shadowRoot = { append() {}, adoptedStyleSheets: [] };
    return this.shadowRoot;
  }
  getAttribute() { return null; }
  dispatchEvent() { return true; }
};
globalThis.CSSStyleSheet = class { replaceSync() {} };
globalThis.window = { addEventListener: listen, setTimeout, clearTimeout };
globalThis.navigator ??= { language: 'en' };
globalThis.customElements = { get: () => undefined, define() {} };
const frames = [];
globalThis.document = {
  baseURI: 'https://host.example/',
  addEventListener() {},
  createElement: () => {
    const made = { style: {}, setAttribute() {}, addEventListener() {}, remove() {}, sent: [] };
    made.contentWindow = { postMessage: (message) => made.sent.push(structuredClone(message)) };
    frames.push(made);
    return made;
  },
};
const { FenCheckerElement } = await import('../../static/embed/fen-checker.js');
const ORIGIN = new URL(import.meta.url).origin;

/** An element in a page, and a frame that keeps to PROTOCOL.md; messages wait until they are let through. */
function stage({ saysAfter = true } = {}) {
  const element = new FenCheckerElement();
  element.connectedCallback();
  const frame = frames.at(-1);
  const hear = heard.at(-1);
  const underway = [];
  let [text, after] = ['', null];
  const say = (type, fields, id) => underway.push(structuredClone(pack(type, fields, id)));
  const change = (by) => say('change', { text, fen: null, checked: true, problems: [], cleaned: [], fixes: [], by, ...(saysAfter ? { after } : {}) });
  const toElement = () => {
    const message = underway.shift();
    if (message) hear({ source: frame.contentWindow, origin: ORIGIN, data: message });
  };
  const toFrame = () => {
    const message = unpack(frame.sent.shift(), REQUESTS);
    if (message?.type !== 'set-fen') return;
    [text, after] = [message.fen, message.id ?? null];
    change('host');
  };
  const type = (typed) => {
    text = typed;
    change('person');
  };
  say('ready');
  return { element, frame, underway, toElement, toFrame, type, get text() { return text; } };
}

test('a text that was set is not overwritten by an older word of the frame', () => {
  const { element, toElement, toFrame, type } = stage();
  toElement();
  toFrame();
  type('typed');
  element.value = 'set';
  toElement();
  assert.equal(element.value, 'set');
  toFrame();
  toElement();
  assert.deepEqual([element.value, element.result.text], ['set', 'set']);
});

test('in whatever order messages arrive: no stale text, and one text in the end', () => {
  const next = random(7);
  for (let round = 0; round < 1000; round++) {
    const ends = stage();
    const { element, frame, underway, toElement, toFrame, type } = ends;
    let expected = null; // what the page has set and the frame has not taken in yet
    for (let step = 0; step < 30; step++) {
      const dice = next();
      if (dice < 0.2) {
        expected = `set ${step}`;
        element.value = expected;
      } else if (dice < 0.4) type(`typed ${step}`);
      else if (dice < 0.7) toElement();
      else toFrame();
      if (ends.text === expected) expected = null;
      if (expected !== null) assert.equal(element.value, expected, `round ${round}, step ${step}`);
    }
    while (underway.length || frame.sent.length) {
      toElement();
      toFrame();
    }
    assert.equal(element.value, ends.text, `round ${round}`);
    if (element.result) assert.equal(element.result.text, element.value);
  }
});

test('a frame that does not say after which text it speaks is understood as before', () => {
  const { element, toElement, toFrame, type } = stage({ saysAfter: false });
  toElement();
  toFrame();
  element.value = 'set';
  toFrame();
  toElement();
  assert.deepEqual([element.value, element.result.text], ['set', 'set']);
  type('typed');
  toElement();
  assert.equal(element.value, 'typed');
});
