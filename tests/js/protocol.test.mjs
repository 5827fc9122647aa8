// The protocol between the embedded checker and its host, without a browser: shapes, junk, and who is answered.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';

import { linkToHost } from '../../static/embed/frame-link.js';
import { ANSWERS, MOST_PICTURE, MOST_TEXT, READER_ANSWERS, READER_REQUESTS, REQUESTS, SOURCE, VERSION, pack, readFragment, targetOf, unpack, writeFragment } from '../../static/embed/protocol.js';
import { sketch } from '../../static/embed/sketch.js';
import { WORDS } from '../../static/embed/words.js';
import { random } from './random.mjs';

const RESULT = { text: 'x', fen: null, checked: true, problems: [{ code: 'a' }], cleaned: [], fixes: [] };
const POSITION = { ...RESULT, unsure: ['e4'], picture: null };
const VALID = [
  [REQUESTS, 'set-fen', { fen: '8/8' }],
  [REQUESTS, 'set-options', {}],
  [REQUESTS, 'set-options', { lang: 'gu', theme: 'dark', orientation: 'black' }],
  [REQUESTS, 'get-result', {}],
  [ANSWERS, 'ready', {}],
  [ANSWERS, 'ready', { lang: 'el', theme: 'auto', orientation: 'white', title: 'Έλεγχος', engine: 'loading' }],
  [ANSWERS, 'result', RESULT],
  [ANSWERS, 'result', { ...RESULT, after: 'a' }],
  [ANSWERS, 'change', { ...RESULT, by: 'host' }],
  [ANSWERS, 'change', { ...RESULT, by: 'person', after: null }],
  [ANSWERS, 'resize', { height: 812.5 }],
  [ANSWERS, 'error', { code: 'worker-died', params: {}, title: 'Python has stopped' }],
  [READER_REQUESTS, 'read', { picture: new Uint8Array([1, 2]) }],
  [READER_REQUESTS, 'read', { picture: new ArrayBuffer(3), name: 'a.png', show: false }],
  [READER_REQUESTS, 'set-fen', { fen: '8/8' }],
  [READER_REQUESTS, 'set-options', { lang: 'bn', theme: 'auto' }],
  [READER_REQUESTS, 'get-result', {}],
  [READER_ANSWERS, 'progress', { stage: 'decode', share: 0.5 }],
  [READER_ANSWERS, 'reading', { reading: { boards: [] } }],
  [READER_ANSWERS, 'change', { ...POSITION, picture: 'a-1', by: 'reader' }],
];

const ODD = [undefined, null, true, 0, -1, 1e300, NaN, Infinity, '', 'set-fen', 'read', 'ready', '__proto__', 'constructor', 'x'.repeat(200), [], {}, [[]], 10n, Symbol.iterator, () => 1, new Date(0), new Map(), new Uint8Array(3), new Blob(['x']), Object.create(null)];

function anything(next, depth = 0) {
  const pick = (list) => list[Math.floor(next() * list.length)];
  if (depth > 2 || next() < 0.4) return pick(ODD);
  if (next() < 0.3) return Array.from({ length: Math.floor(next() * 4) }, () => anything(next, depth + 1));
  const names = ['source', 'v', 'type', 'id', 'fen', 'lang', 'theme', 'height', 'problems', 'by', 'code', 'picture', 'reading', 'show', '__proto__', 'toString'];
  return Object.fromEntries(Array.from({ length: Math.floor(next() * 6) }, () => [pick(names), anything(next, depth + 1)]));
}

test('what is packed is unpacked, with its id and nothing added', () => {
  for (const [shapes, type, fields] of VALID) {
    for (const id of [undefined, 0, 7, 'a-1']) {
      const sent = structuredClone({ ...pack(type, fields, id), more: 'of a later version' });
      assert.deepEqual(unpack(sent, shapes), id === undefined ? { type, ...fields } : { type, id, ...fields });
    }
  }
});

test('fields cannot take the place of the envelope', () => {
  const message = pack('set-fen', { fen: '8/8', source: 'other', v: 9, type: 'ready' });
  assert.deepEqual([message.source, message.v, message.type], [SOURCE, VERSION, 'set-fen']);
});

test('another source, version, type or a wrong id is nobody\'s business', () => {
  const good = pack('get-result', {}, 1);
  assert.ok(unpack(good, REQUESTS));
  for (const change of [{ source: 'fen' }, { v: 2 }, { v: '1' }, { v: undefined }, { type: 'read' }, { type: 'toString' }, { type: '__proto__' }, { id: {} }, { id: null }, { id: NaN }, { id: 'x'.repeat(101) }]) {
    assert.equal(unpack({ ...good, ...change }, REQUESTS), null, JSON.stringify(change));
  }
  // what only the frame may say is not heard by the frame, and the other way round
  assert.equal(unpack(pack('result', RESULT), REQUESTS), null);
  assert.equal(unpack(good, ANSWERS), null);
});

test('a field that is missing or not of its kind is named', () => {
  const faulty = [
    [REQUESTS, 'set-fen', {}, 'fen'],
    [REQUESTS, 'set-fen', { fen: 5 }, 'fen'],
    [REQUESTS, 'set-fen', { fen: 'x'.repeat(MOST_TEXT + 1) }, 'fen'],
    [REQUESTS, 'set-options', { theme: 'red' }, 'theme'],
    [REQUESTS, 'set-options', { lang: ['el'] }, 'lang'],
    [REQUESTS, 'set-options', { orientation: 'w' }, 'orientation'],
    [ANSWERS, 'resize', { height: -1 }, 'height'],
    [ANSWERS, 'resize', { height: NaN }, 'height'],
    [ANSWERS, 'change', RESULT, 'by'],
    [ANSWERS, 'change', { ...RESULT, by: 'host', after: {} }, 'after'],
    [ANSWERS, 'result', { ...RESULT, problems: ['none'] }, 'problems'],
  ];
  for (const [shapes, type, fields, fault] of faulty) assert.equal(unpack(pack(type, fields, 3), shapes)?.fault, fault, JSON.stringify(fields));
});

test('a picture is bytes, and not more than a picture has', () => {
  const judge = (/** @type {any} */ picture) => unpack(pack('read', { picture }, 1), READER_REQUESTS);
  assert.deepEqual(judge(new Blob(['x']))?.fault, undefined);
  for (const wrong of [undefined, null, 'data:image/png;base64,AA', 7, [1, 2], {}, new Uint8Array(0), new Blob([]), new DataView(new ArrayBuffer(4)), new Uint8Array(MOST_PICTURE + 1)]) {
    assert.equal(judge(wrong)?.fault, 'picture');
  }
  assert.equal(unpack(pack('read', { picture: new Uint8Array(1), name: 5 }), READER_REQUESTS)?.fault, 'name');
  assert.equal(unpack(pack('read', { picture: new Uint8Array(1) }), REQUESTS), null, 'the checker reads no pictures');
});

test('junk of any shape is null or a message that keeps to its shape', () => {
  const next = random(20240731);
  let heard = 0;
  for (let round = 0; round < 30_000; round++) {
    const shapes = [REQUESTS, ANSWERS, READER_REQUESTS, READER_ANSWERS][Math.floor(next() * 4)];
    let data = anything(next);
    if (next() < 0.7) {
      const types = [...Object.keys(shapes), 'nothing'];
      data = { ...(typeof data === 'object' && data ? data : {}), source: SOURCE, v: VERSION, type: types[Math.floor(next() * types.length)] };
    }
    const message = unpack(data, shapes);
    if (message === null) continue;
    heard += 1;
    assert.ok(Object.hasOwn(shapes, message.type));
    if (message.fault) continue;
    const known = [...Object.keys(shapes[message.type].needed ?? {}), ...Object.keys(shapes[message.type].free ?? {}), 'type', 'id'];
    assert.deepEqual(Object.keys(message).filter((name) => !known.includes(name)), []);
    // what was let through is let through again
    assert.deepEqual(unpack({ ...message, source: SOURCE, v: VERSION }, shapes), message);
  }
  assert.ok(heard > 1000, String(heard));
});

/** Two windows without a browser: what the frame posts is kept with its target. */
function stage() {
  const posted = [];
  const listeners = [];
  const parent = { postMessage: (message, target) => posted.push({ message, target }) };
  const frame = { parent, addEventListener: (_type, listener) => listeners.push(listener) };
  const requests = [];
  const link = linkToHost({ frame, onRequest: (request) => requests.push(request), onHost: () => requests.push('host') });
  const hear = (data, origin = 'https://host.example', source = parent) => listeners.forEach((listener) => listener({ data, origin, source }));
  return { posted, requests, link, hear, parent };
}

test('before the host has spoken it is told nothing but that the frame is there', () => {
  const { posted, link } = stage();
  link.say('change', { ...RESULT, by: 'person' });
  link.say('resize', { height: 5 });
  assert.deepEqual(posted, [{ message: { source: SOURCE, v: VERSION, type: 'ready' }, target: '*' }]);
});

test('the frame answers the origin that spoke, and a host without one at its window', () => {
  for (const [origin, target] of [['https://host.example', 'https://host.example'], ['null', '*']]) {
    const { posted, link, hear, requests } = stage();
    hear(pack('get-result', {}, 4), origin);
    link.say('result', RESULT, 4);
    assert.deepEqual(posted.at(-1), { message: { ...RESULT, source: SOURCE, v: VERSION, type: 'result', id: 4 }, target });
    assert.deepEqual(requests, ['host', { type: 'get-result', id: 4 }]);
  }
  assert.equal(targetOf('http://localhost:81'), 'http://localhost:81');
});

test('other windows and junk are not answered; a faulty request is, with its fault', () => {
  const { posted, hear, requests } = stage();
  hear(pack('get-result', {}, 1), 'https://other.example', { postMessage: () => assert.fail('answered a stranger') });
  for (const junk of [null, 'hello', 5, [], { type: 'get-result' }, pack('obey'), { ...pack('get-result'), v: 2 }]) hear(junk);
  assert.deepEqual([requests, posted.length], [[], 1]);
  hear(pack('set-fen', { fen: null }, 9));
  assert.deepEqual(posted.at(-1).message, pack('error', { code: 'bad-request', params: { type: 'set-fen', field: 'fen' } }, 9));
  assert.deepEqual(requests, ['host']);
});

test('a frame that nobody holds speaks to nobody', () => {
  const frame = { addEventListener: () => {}, postMessage: () => assert.fail('spoke to itself') };
  frame.parent = frame;
  const link = linkToHost({ frame, onRequest: assert.fail, onHost: assert.fail });
  link.say('ready');
  assert.equal(link.framed, false);
});

test('options go through the address and back; what is not of its kind is left out', () => {
  const options = { fen: '4k3/8/8/8/8/8/8/4K3 w - - 0 1 & #=%?', lang: 'pt-BR', theme: 'dark', orientation: 'black' };
  assert.deepEqual(readFragment(writeFragment(options)), options);
  assert.deepEqual(readFragment('#fen=8/8/8/8/8/8/8/8_w_-_-_0_1&theme=red&lang=' + 'x'.repeat(99)), { fen: '8/8/8/8/8/8/8/8 w - - 0 1' });
  assert.deepEqual(readFragment(''), {});
  assert.equal(writeFragment({ fen: undefined }), '');
  for (const broken of ['#%', '#fen=%E0%A4%A', '#&&==', '#fen']) assert.doesNotThrow(() => readFragment(broken));
});

test('a text is drawn as far as it goes', () => {
  const whole = sketch('rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1');
  assert.equal(whole.whole, true);
  const odd = sketch('tnb/ppppppppp/9/44/Kx');
  assert.equal(odd.whole, false);
  assert.deepEqual([...odd.strange], [[0, 't'], [33, 'x']]);
  assert.equal(odd.board.slice(0, 16), '.nb.....pppppppp');
  assert.equal(odd.board[32], 'K');
  for (const other of ['', 'hello', '[FEN "4k3/8/8/8/8/8/8/4K3 w - - 0 1"]', 'https://example.org/4k3/8/8/8/8/8/8/4K3', '1. e4 e5']) assert.equal(sketch(other), null, other);
  for (let n = 0; n < 200; n++) assert.doesNotThrow(() => sketch(`${'PPPPPPPP/'.repeat(n)}${'9'.repeat(n)}`));
});

test('the words that the element and the empty frame carry are those of the language files', () => {
  const page = readFileSync(new URL('../../embed.html', import.meta.url), 'utf-8');
  const languages = ['en', 'el', 'vi', 'gu', 'pt-BR', 'bn'];
  assert.deepEqual(Object.keys(WORDS), languages);
  for (const language of languages) {
    const words = JSON.parse(readFileSync(new URL(`../../static/i18n/${language}.json`, import.meta.url), 'utf-8'));
    for (const [name, text] of Object.entries(WORDS[language])) assert.equal(text, words[`embed.${name}`], `${language} ${name}`);
    for (const reason of ['origin', 'files']) {
      const key = `embed.not-started-${reason}`;
      assert.ok(page.includes(`<p lang="${language}" data-t-copy="${key}" hidden>${words[key]}</p>`), `${language} ${key}`);
    }
  }
});
