// What holds the page together: pieces and their files, actions and their words, languages, exports.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import test from 'node:test';

globalThis.matchMedia ??= () => ({ matches: false, addEventListener() {} });
const { ACTIONS, actionOf } = await import('../../static/app/actions.js');
const { inOrder } = await import('../../static/app/corners.js');
const { csvLine, diagramSvg, epd, pgn } = await import('../../static/app/diagram.js');
const fen = await import('../../static/app/fen.js');
const { boardHomography, contains, isConvex, project } = await import('../../static/app/geometry.js');
const { EXPLAINED } = await import('../../static/app/guide.js');
const { chooseLanguage, fill, LANGUAGES, translator } = await import('../../static/app/i18n.js');
const { kindOf } = await import('../../static/app/media.js');
const { pieceSvg } = await import('../../static/app/piece-art.js');
const { problemWords, spoken } = await import('../../static/app/phrases.js');
const { doneWords } = await import('../../static/app/say.js');
const st = await import('../../static/app/state.js');
const { transform } = await import('../../static/app/transform.js');
const { analysisLinks } = await import('../../static/app/share.js');

const root = new URL('../../', import.meta.url);
const read = (path) => readFileSync(new URL(path, root), 'utf8');
const english = JSON.parse(read('static/i18n/en.json'));

test('the piece files are what the drawing gives', () => {
  for (const letter of 'PNBRQKpnbrqk') {
    const name = (letter === letter.toUpperCase() ? 'w' : 'b') + letter.toUpperCase();
    assert.equal(read(`static/pieces/${name}.svg`), pieceSvg(letter), name);
  }
});

test('every action has a label, an icon that exists, and keys of its own', () => {
  const page = read('index.html');
  const keys = ACTIONS.map((a) => a.keys).filter(Boolean);
  assert.equal(new Set(keys).size, keys.length);
  for (const action of ACTIONS) {
    assert.ok(english[`action.${action.id}`], action.id);
    if (action.icon) assert.ok(page.includes(`id="i-${action.icon}"`), action.icon);
  }
  for (const [, id] of page.matchAll(/data-action="([^"]+)"/g)) assert.ok(ACTIONS.some((a) => a.id === id), id);
});

test('every key that the page or its code names has English words', () => {
  const named = new Set([...read('index.html').matchAll(/data-t(?:-\w+)?="([^"]+)"/g)].map((m) => m[1]));
  for (const file of readdirSync(new URL('static/app', root))) {
    for (const [, key] of read(`static/app/${file}`).matchAll(/'((?:ui|a11y|side|progress|error)\.[a-z0-9.-]+)'/g)) named.add(key);
  }
  assert.deepEqual([...named].filter((key) => !(key in english)), []);
});

test('the words in the page itself are the English ones', () => {
  for (const [, key, text] of read('index.html').matchAll(/data-t="([^"]+)"[^>]*>([^<]+)</g)) {
    assert.equal(text, key === 'a11y.board-help' ? text : english[key], key);
  }
});

test('the guide has a place for each problem that leads there, in every language', () => {
  for (const language of Object.keys(LANGUAGES)) {
    const codes = [...read(`static/guide/${language}.html`).matchAll(/id="mistake-([a-z0-9-]+)"/g)].map((m) => m[1]).filter((c) => !c.endsWith('-title'));
    assert.deepEqual(codes.sort(), [...EXPLAINED].sort(), language);
  }
  for (const code of EXPLAINED) assert.ok(english[`problem.${code}.title`], code);
});

test('what an action has done is said square by square, field by field', () => {
  const t = translator('en', english, english);
  const s = st.setText(st.initialState(), '4k3/8/8/8/8/8/8/4K2R w K - 0 1');
  assert.equal(doneWords(t, s, st.setPiece(s, 36, 'n')), 'e4, black knight.');
  assert.equal(doneWords(t, s, transform(s, 'mirror')), '6 squares changed. Castling rights: none (before: K).');
  assert.equal(doneWords(t, s, st.setField(s, 'side_to_move', 'b')), 'Side to move: Black (before: White).');
  assert.equal(doneWords(t, s, st.patch(s, { turned: true })), 'Board, Black at the bottom.');
  assert.equal(doneWords(t, s, st.patch(s, { focus: 60 })), 'e1, white king.');
  assert.equal(doneWords(t, s, st.patch(s, { focus: 60 }), true), '');
  assert.equal(doneWords(t, s, s), '');
});

test('a shortcut finds its action, and single keys can be switched off', () => {
  const press = (key, more = {}) => ({ key, ctrlKey: false, metaKey: false, shiftKey: false, altKey: false, ...more });
  assert.equal(actionOf(press('z', { ctrlKey: true }), true)?.id, 'undo');
  assert.equal(actionOf(press('Z', { ctrlKey: true, shiftKey: true }), true)?.id, 'redo');
  assert.equal(actionOf(press('y', { ctrlKey: true }), true)?.id, 'redo');
  assert.equal(actionOf(press('u'), true)?.id, 'next-unsure');
  assert.equal(actionOf(press('U', { shiftKey: true }), true)?.id, 'previous-unsure');
  assert.equal(actionOf(press('?', { shiftKey: true }), true)?.id, 'help');
  assert.equal(actionOf(press('u'), false), undefined);
  assert.equal(actionOf(press('z', { ctrlKey: true }), false)?.id, 'undo');
});

test('the address chooses the language, then the browser, then English', () => {
  assert.equal(chooseLanguage('el', ['bn']), 'el');
  assert.equal(chooseLanguage(null, ['fr-FR', 'pt-PT', 'en']), 'pt-BR');
  assert.equal(chooseLanguage(null, ['gu-IN']), 'gu');
  assert.equal(chooseLanguage('xx', ['fr']), 'en');
  for (const code of Object.keys(LANGUAGES)) assert.equal(chooseLanguage(code, []), code);
});

test('words fall back to English key by key, and plurals follow the language', () => {
  const t = translator('pt-BR', { 'ui.a': 'Olá {name}', 'ui.n': { one: '{n} casa', other: '{n} casas' } }, { 'ui.b': 'English' });
  assert.equal(t('ui.a', { name: 'Ana' }), 'Olá Ana');
  assert.equal(t('ui.b'), 'English');
  assert.equal(t('ui.none'), 'ui.none');
  assert.deepEqual([0, 1, 2].map((n) => t('ui.n', { n })), ['0 casa', '1 casa', '2 casas']);
  assert.equal(fill({ one: '{n} square', other: '{n} squares' }, { n: 0 }, 'en'), '0 squares');
  assert.equal(t.percent(0.9999), new Intl.NumberFormat('pt-BR', { style: 'percent' }).format(0.99));
  assert.equal(t.percent(1), new Intl.NumberFormat('pt-BR', { style: 'percent' }).format(1));
});

test('parameters become words of the language', () => {
  const t = translator('en', english, english);
  assert.deepEqual(spoken(t, { side: 'w', piece: 'n', squares: ['e1', 'd4'], n: 3 }), { side: 'White', piece: 'black knight', squares: 'e1, d4', n: 3 });
  const unknown = problemWords(t, { code: 'no-such-code', severity: 'note', field: null, squares: [], params: {}, fixes: [] });
  assert.equal(unknown.title, 'no-such-code');
});

test('the homography takes the board to its corners, and straight lines stay straight', () => {
  const corners = [[10, 20], [410, 60], [380, 400], [40, 330]];
  const m = boardHomography(corners);
  [[0, 0], [8, 0], [8, 8], [0, 8]].forEach(([u, v], i) => {
    const [x, y] = project(m, u, v);
    assert.ok(Math.hypot(x - corners[i][0], y - corners[i][1]) < 1e-6);
  });
  const [a, b, c] = [0, 3, 8].map((u) => project(m, u, 5));
  assert.ok(Math.abs((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])) < 1e-6);
  assert.ok(isConvex(corners) && contains(corners, [200, 200]) && !contains(corners, [5, 5]));
  assert.ok(!isConvex([corners[0], corners[2], corners[1], corners[3]]));
});

test('four clicks in any order become TL TR BR BL', () => {
  const right = [[10, 20], [410, 60], [380, 400], [40, 330]];
  for (const order of [[0, 1, 2, 3], [2, 0, 3, 1], [3, 2, 1, 0], [1, 3, 0, 2]]) {
    assert.deepEqual(inOrder(order.map((i) => right[i])), right);
  }
});

test('files are known by their first bytes, not by their names', () => {
  const bytes = (...parts) => Uint8Array.from(parts.flatMap((p) => (typeof p === 'string' ? [...p].map((c) => c.charCodeAt(0)) : [p])));
  assert.equal(kindOf(bytes(0x89, 'PNG\r\n')), 'png');
  assert.equal(kindOf(bytes(0xff, 0xd8, 0xff)), 'jpeg');
  assert.equal(kindOf(bytes('RIFF1234WEBP')), 'webp');
  assert.equal(kindOf(bytes(0, 0, 0, 24, 'ftypheic')), 'heic');
  assert.equal(kindOf(bytes(0, 0, 0, 24, 'ftypavif')), 'avif');
  assert.equal(kindOf(bytes('%PDF-1.7')), 'pdf');
  assert.equal(kindOf(bytes('hello')), 'unknown');
});

test('exports are what their standards say', () => {
  const position = fen.parseFen('4k3/8/8/8/8/8/8/R3K3 w Q - 3 40').position;
  assert.equal(epd(position, 'a "b"'), '4k3/8/8/8/8/8/8/R3K3 w Q - hmvc 3; fmvn 40; id "a b";');
  assert.match(pgn(fen.makeFen(position), 'x "y"'), /\[Event "x \\"y\\""\]\n[\s\S]*\[SetUp "1"\]\n\[FEN "4k3\/8\/8\/8\/8\/8\/8\/R3K3 w Q - 3 40"\]\n\n\*\n$/);
  assert.equal(csvLine(['=1+1', 'a"b']), '"\'=1+1","a""b"');
  const svg = diagramSvg(position.board, { bottom: 'black', coordinates: true, title: 'a < b' });
  assert.ok(svg.includes('a &lt; b') && svg.includes('<use href="#wR" x="700" y="0"/>') && !svg.includes('style='));
});

test('analysis links carry the FEN and nothing else', () => {
  const links = analysisLinks('4k3/8/8/8/8/8/8/R3K3 w Q - 3 40', 'black', true).map((l) => l.href);
  assert.equal(links[0], 'https://lichess.org/analysis/standard/4k3/8/8/8/8/8/8/R3K3_w_Q_-_3_40?color=black');
  assert.equal(new URL(links[1]).searchParams.get('fen'), '4k3/8/8/8/8/8/8/R3K3 w Q - 3 40');
  assert.match(analysisLinks('8/8/8/8/8/8/8/8 w - - 0 1', 'white', false)[0].href, /\/editor\//);
});
