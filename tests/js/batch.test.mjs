// Many pictures without a page: order by doubt, going through, pages of a PDF, repeats, the files of all.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';

import * as batch from '../../static/app/batch.js';
import { filesOfFolder, takeDropped } from '../../static/app/dropped.js';
import * as fen from '../../static/app/fen.js';
import { translator } from '../../static/app/i18n.js';
import { createJobs } from '../../static/app/jobs.js';
import { listText } from '../../static/app/lists.js';
import * as readings from '../../static/app/readings.js';
import * as st from '../../static/app/state.js';
import { createStore } from '../../static/app/store.js';

const english = JSON.parse(readFileSync(new URL('../../static/i18n/en.json', import.meta.url), 'utf8'));
const t = translator('en', english, english);

/** A Reading's board with so many unsure squares, in a place of its own. */
function board(placement, unsure = 0, problems = []) {
  const left = 100 * [A, B, C].indexOf(placement);
  const letters = fen.parsePlacement(placement);
  return {
    fen: `${placement} w - - 0 1`,
    placement,
    orientation: { bottom: 'white', probability: 0.99, evidence: [] },
    corners: [[left, 0], [left + 80, 0], [left + 80, 80], [left, 80]],
    squares: [...letters].map((piece, i) => ({ square: fen.squareName(i), piece, probability: i < unsure ? 0.6 : 0.999, unsure: i < unsure, alternatives: i < unsure ? [['B', 0.3]] : [] })),
    fields: {},
    problems,
  };
}
const A = '4k3/8/8/8/4N3/8/8/4K3';
const B = '4k3/8/8/8/4R3/8/8/4K3';
const C = '4k3/8/8/8/4Q3/8/8/4K3';

/** Three pictures: the first sure, the second with two unsure squares, the third impossible. */
function three() {
  let s = st.initialState();
  for (const [id, name] of [[1, 'a.png'], [2, 'b.png'], [3, 'c.png']]) s = st.addWork(s, id, name);
  s = readings.takeReading(s, 1, { boards: [board(A)] });
  s = readings.takeReading(s, 2, { boards: [board(B, 2)] });
  return readings.takeReading(s, 3, { boards: [board(C, 0, [{ code: 'kings-many', severity: 'illegal' }])] });
}
const names = (list) => list.map((d) => d.work.name).join(' ');

test('the worst comes first, what is accepted last', () => {
  let s = three();
  assert.equal(names(batch.byDoubt(s)), 'c.png b.png a.png');
  s = batch.acceptAll(s, (d) => d.work.id === 3);
  assert.equal(names(batch.byDoubt(s)), 'b.png a.png c.png');
});

test('what has been settled by hand weighs no more', () => {
  let s = st.pickWork(three(), 2);
  const before = batch.doubtOf(st.docOf(s));
  s = st.keepSquare(s, 0);
  assert.ok(batch.doubtOf(st.docOf(s)) < before);
  s = st.keepSquare(s, 1);
  assert.equal(batch.doubtOf(st.docOf(s)), 0);
});

test('accepting goes on to the next, and a later edit or undo is told apart from what was accepted', () => {
  let s = st.patch(st.pickWork(three(), 3), { order: 'doubt' });
  s = batch.accept(s);
  assert.equal(s.current, 2);
  assert.equal(s.focus, 0); // its first unsure square
  s = batch.accept(s);
  assert.equal(s.current, 1);
  s = batch.accept(s);
  assert.equal(s.current, 1); // nothing is left
  assert.ok(batch.diagrams(s).every((d) => batch.isAccepted(d.history)));
  s = st.setPiece(s, 20, 'Q');
  assert.equal(batch.isAccepted(st.historyOf(s)), false);
  assert.equal(batch.isAccepted(st.historyOf(st.undo(s))), true);
});

test('as they came, going on leads round the end in both directions', () => {
  let s = st.pickWork(three(), 3);
  s = batch.goOn(s, 1);
  assert.equal(s.current, 1);
  s = batch.goOn(s, -1);
  assert.equal(s.current, 3);
});

test('all without doubt are accepted together, the others are left', () => {
  const s = batch.acceptAll(three(), batch.isPlain);
  assert.equal(names(batch.diagrams(s).filter((d) => batch.isAccepted(d.history))), 'a.png');
});

test('the same position is noticed, an empty board is none', () => {
  let s = three();
  for (const [id, placement] of [[4, A], [5, '8/8/8/8/8/8/8/8'], [6, '8/8/8/8/8/8/8/8']]) {
    s = readings.takeReading(st.addWork(s, id, `${id}.png`), id, { boards: [board(placement)] });
  }
  const found = [...batch.repeats(batch.diagrams(s)).values()];
  assert.equal(names(found), 'a.png');
});

test('pages as a person writes them', () => {
  assert.deepEqual(batch.parsePages('1-3, 7', 10), [1, 2, 3, 7]);
  assert.deepEqual(batch.parsePages('9-', 10), [9, 10]);
  assert.deepEqual(batch.parsePages('2 – 4', 10), [2, 3, 4]);
  assert.deepEqual(batch.parsePages('5;5;3', 10), [3, 5]);
  assert.deepEqual(batch.parsePages('8-99', 10), [8, 9, 10]);
  for (const text of ['', '0', '11', '4-2', 'all', '1-2-3', '-3']) assert.equal(batch.parsePages(text, 10), null, text);
});

test('a PDF file gives its place to its pages', () => {
  let s = st.addWork(three(), 4, 'book.pdf', { status: 'choosing', source: { file: 4, page: 0, pages: 30 } });
  s = st.pickWork(st.addWork(s, 5, 'z.png'), 4);
  s = batch.splitPages(s, 4, [{ id: 6, page: 12 }, { id: 7, page: 13 }]);
  assert.deepEqual(s.works.map((w) => w.id), [0, 1, 2, 3, 6, 7, 5]);
  assert.equal(s.current, 6);
  assert.equal(batch.workName(t, s.works[4]), 'book.pdf, page 12');
  assert.equal(s.works[4].status, 'queued');
});

test('boards come one by one, and what is done with one meanwhile stays', () => {
  let s = st.addWork(st.initialState(), 1, 'a.png');
  assert.equal(readings.takeBoard(s, 1, board(A), 0), s); // not being read: a late word is not taken
  s = st.patchWork(s, 1, { status: 'reading' });
  s = readings.takeBoard(s, 1, board(A, 1), 0);
  s = readings.takeBoard(s, 1, board(B), 1);
  assert.equal(st.workOf(s).boards.length, 2);
  s = st.setPiece(st.pickBoard(s, 1), 0, 'q');
  s = readings.takeReading(s, 1, { boards: [board(A, 1), board(B), board(C)] }, true);
  assert.equal(st.workOf(s).board, 1);
  assert.equal(st.docOf(s).board[0], 'q');
  assert.deepEqual(st.workOf(s).boards.map((h) => h.now.board[36]), ['N', 'R', 'Q']);
});

/** What Python says of a position that a person has changed. */
const asked = async (text) => [{ code: 'asked-of', params: { text } }];

test('all positions go out together, with file, page and diagram', async () => {
  let s = batch.acceptAll(three(), (d) => d.work.id === 1);
  s = st.addWork(s, 4, 'book.pdf', { source: { file: 4, page: 12, pages: 30 } });
  s = readings.takeReading(s, 4, { boards: [board(A), board(C, 1)] });
  assert.equal((await listText(s, 'fen', t, asked)).trim().split('\n').length, 5);
  const games = (await listText(s, 'pgn', t, asked)).split('\n\n*\n').filter((g) => g.trim());
  assert.equal(games.length, 5);
  assert.match(games[4], /^\n?\[Event "book\.pdf, page 12, diagram 2"\]/);
  assert.ok(games.every((g) => /\[SetUp "1"\]\n\[FEN "4k3/.test(g)));
  const rows = (await listText(s, 'csv', t, asked)).split('\r\n');
  assert.equal(rows[0], '"file","page","diagram","fen","bottom","unsure","problems","same_as","accepted","error"');
  assert.match(rows[3], /"kings-many"/);
  assert.equal(rows[4], `"book.pdf","12","1","${A} w - - 0 1","white","","","a.png","no",""`);
  const list = JSON.parse(await listText(s, 'json', t, asked));
  assert.deepEqual(list[0], { file: 'a.png', page: null, diagram: 1, fen: `${A} w - - 0 1`, bottom: 'white', unsure: [], problems: [], accepted: true, same_as: null, error: null });
  assert.deepEqual(list[4].unsure, ['a8']);
});

test('pictures without a diagram are named, boards set up by hand go out, changed positions are asked about', async () => {
  let s = three();
  s = st.addWork(s, 4, 'blurred.png');
  s = st.patchWork(s, 4, { status: 'none' });
  s = st.addWork(s, 5, 'broken.png', { status: 'failed', error: { code: 'image-damaged', params: {} } });
  assert.deepEqual(JSON.parse(await listText(s, 'json', t, asked)).slice(3), [
    { file: 'blurred.png', page: null, error: 'no-board', diagram: null, fen: null },
    { file: 'broken.png', page: null, error: 'image-damaged', diagram: null, fen: null },
  ]);
  assert.match(await listText(s, 'csv', t, asked), /"broken\.png",.*"image-damaged"\r\n$/);
  s = st.pickWork(s, 4);
  s = st.setPiece(s, 36, 'K');
  assert.equal(batch.diagrams(s).length, 4);
  const list = JSON.parse(await listText(s, 'json', t, asked));
  assert.equal(list[3].fen, '8/8/8/8/4K3/8/8/8 w - - 0 1');
  assert.deepEqual(list[3].problems, ['asked-of']);
  assert.equal(list.length, 5);
  assert.ok(batch.isWorkedOn(st.workOf(s, 4)));
  assert.ok(!batch.isWorkedOn(st.workOf(s, 1)));
});

test('what a person has changed is not taken for plain', () => {
  const s = st.setPiece(st.pickWork(three(), 1), 0, 'k');
  assert.ok(!batch.diagrams(s).some(batch.isPlain));
});

test('a picture that was stopped and is read on keeps what has been corrected of it', () => {
  let s = st.addWork(st.initialState(), 1, 'page.png');
  s = st.patchWork(s, 1, { status: 'reading' });
  s = readings.takeBoard(s, 1, board(A), 0);
  s = st.setPiece(st.pickWork(s, 1), 0, 'r');
  const mine = st.textOf(st.docOf(s));
  s = st.patchWork(st.patchWork(s, 1, { status: 'stopped' }), 1, { status: 'reading' });
  s = readings.takeBoard(readings.takeBoard(s, 1, board(A), 0), 1, board(B), 1);
  assert.deepEqual(st.workOf(s, 1).boards.map((h) => st.textOf(h.now)), [mine, `${B} w - - 0 1`]);
});

test('a reading that finds other boards drops nothing that a person has made', () => {
  let s = st.addWork(st.initialState(), 1, 'page.png');
  s = readings.takeReading(st.patchWork(s, 1, { status: 'reading' }), 1, { boards: [board(A), board(B)] });
  s = st.setPiece(st.patchWork(st.pickWork(s, 1), 1, { board: 1 }), 0, 'q');
  const mine = st.textOf(st.docOf(s));
  const more = readings.takeReading(s, 1, { boards: [board(C), board(A), board(B)] });
  assert.deepEqual(st.workOf(more, 1).boards.map((h) => st.textOf(h.now)), [`${C} w - - 0 1`, `${A} w - - 0 1`, mine]);
  const fewer = readings.takeReading(s, 1, { boards: [board(C)] });
  assert.deepEqual(st.workOf(fewer, 1).boards.map((h) => st.textOf(h.now)), [`${C} w - - 0 1`, mine]);
});

test('what was set up while a picture waited is one undo away', () => {
  let s = st.pickWork(st.addWork(st.initialState(), 1, 'a.png'), 1);
  s = st.setPiece(s, 36, 'N');
  const mine = st.textOf(st.docOf(s));
  s = readings.takeBoard(st.patchWork(s, 1, { status: 'reading' }), 1, board(A), 0);
  s = readings.takeReading(s, 1, { boards: [board(A)] }, true);
  assert.equal(st.textOf(st.docOf(s)), `${A} w - - 0 1`);
  assert.equal(st.textOf(st.docOf(st.undo(s))), mine);
});

test('of a folder the pictures are taken, in order, and what was cut or lost is told', async () => {
  const file = (name) => ({ name: name.split('/').at(-1), webkitRelativePath: name });
  const few = filesOfFolder([file('b/10.png'), file('b/2.png'), file('b/.hidden.png'), file('b/notes.txt')]);
  assert.deepEqual([few.files.map((f) => f.name), few.cut, few.lost], [['b/2.png', 'b/10.png'], false, []]);
  const many = filesOfFolder(Array.from({ length: 2001 }, (_, n) => file(`b/${n}.png`)));
  assert.deepEqual([many.files.length, many.cut], [2000, true]);

  const entry = (name, more) => ({ name, fullPath: `/b/${name}`, isDirectory: false, ...more });
  const unreadable = (_, reject) => reject(new Error('no leave'));
  const inside = [
    entry('1.png', { file: (resolve) => resolve({}) }),
    entry('2.png', { file: unreadable }),
    entry('deep', { isDirectory: true, createReader: () => ({ readEntries: unreadable }) }),
  ];
  const folder = { name: 'b', fullPath: '/b', isDirectory: true, createReader: () => ({ readEntries: (resolve) => resolve(inside.splice(0)) }) };
  const dropped = takeDropped({ items: [{ kind: 'file', webkitGetAsEntry: () => folder }], files: [] });
  const found = await dropped.folders;
  assert.deepEqual([found.files.map((f) => f.name), found.lost], [['b/1.png'], ['b/2.png', 'b/deep']]);
});

test('a list that was kept goes on where it was', () => {
  let s = three();
  s = st.patchWork(s, 3, { status: 'reading' });
  const back = batch.restoreWorks(st.initialState(), s.works.slice(1));
  assert.deepEqual(back.works.map((w) => w.status), ['blank', 'read', 'read', 'queued']);
  assert.equal(back.current, 1);
  // The address brought a position back before: it is tied to its diagram again, wherever in the list that is.
  const last = st.workOf(s, 2);
  const text = st.textOf(last.boards.at(-1).now);
  const tied = batch.restoreWorks(st.setText(st.initialState(), text), s.works.slice(1));
  assert.equal(st.textOf(st.docOf(tied)), text);
  assert.notEqual(st.workOf(tied).status, 'blank');
  const other = batch.restoreWorks(st.setText(st.initialState(), '8/8/8/8/8/8/8/K1k5 w - - 0 1'), s.works.slice(1));
  assert.equal(st.workOf(other).status, 'blank');
});

test('a list of five hundred diagrams costs little at every step', () => {
  let s = st.initialState();
  for (let id = 1; id <= 500; id++) s = readings.takeReading(st.addWork(s, id, `${id}.png`), id, { boards: [board([A, B, C][id % 3], id % 4)] });
  const step = () => {
    s = st.patchWork(s, 250, { progress: { stage: 'find', share: Math.random() } });
    batch.repeats(batch.byDoubt(s));
    return batch.diagrams(s).filter(batch.isPlain).length;
  };
  step(); // what is said of each document is remembered from here on
  const before = process.cpuUsage();
  for (let k = 0; k < 10; k++) step();
  const { user, system } = process.cpuUsage(before);
  assert.ok(user + system < 10 * 40_000, `${(user + system) / 10_000} ms a step`);
});

test('what is taken in before a kept list has come back has a number of its own', async () => {
  const store = createStore(st.initialState());
  const media = { add() {}, get() {}, identify: async () => ({ kind: 'png', digest: '', same: -1 }) };
  const jobs = createJobs(store, media);
  const blob = new Blob(['x']);
  await jobs.take([{ blob, name: 'shared.png' }]);
  jobs.restore([1, 2].map((id) => ({ work: st.freshWork(id, `kept ${id}.png`), blob, kind: 'png', digest: '', shown: null })));
  const works = store.state.works.filter((w) => w.status !== 'blank');
  assert.equal(works.length, 3);
  assert.equal(new Set(works.map((w) => w.id)).size, 3);
});
