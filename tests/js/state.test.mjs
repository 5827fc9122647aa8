// The page's state without a page: editing, undo, turning, reading.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';

import * as fen from '../../static/app/fen.js';
import * as readings from '../../static/app/readings.js';
import * as st from '../../static/app/state.js';
import { applyFix, transform } from '../../static/app/transform.js';

/** A Reading's board, as the engine gives it: every square sure but e4, which may be a bishop. */
function board(placement, bottom = 'white') {
  const letters = fen.parsePlacement(placement);
  return {
    fen: `${placement} b - - 0 1`,
    placement,
    orientation: { bottom, probability: 0.97, evidence: [] },
    corners: [[0, 0], [80, 0], [80, 80], [0, 80]],
    squares: [...letters].map((piece, i) => ({
      square: fen.squareName(i),
      piece,
      probability: i === 36 ? 0.62 : 0.999,
      unsure: i === 36,
      alternatives: i === 36 ? [['B', 0.3]] : [],
    })),
    fields: { side_to_move: { value: 'b', provenance: 'inferred', evidence: [{ code: 'highlight' }] } },
    problems: [],
  };
}
const PLACEMENT = '4k3/8/8/8/4N3/8/8/4K3';

function withPicture(bottom) {
  const s = st.addWork(st.initialState(), 1, 'a.png');
  return readings.takeReading(s, 1, { boards: [board(PLACEMENT, bottom)], error: null });
}

test('a state is frozen to the bottom', () => {
  const s = withPicture();
  assert.throws(() => { st.docOf(s).squares[0].looked = true; }, TypeError);
  assert.throws(() => { s.works.push(1); }, TypeError);
});

test('an edit can be undone and redone without end, and a new edit ends the redo', () => {
  let s = st.initialState();
  const first = s;
  for (let i = 16; i < 48; i++) s = st.setPiece(s, i, 'Q');
  const last = st.docOf(s);
  for (let i = 0; i < 32; i++) s = st.undo(s);
  assert.deepEqual(st.docOf(s), st.docOf(first));
  assert.equal(st.undo(s), s);
  for (let i = 0; i < 32; i++) s = st.redo(s);
  assert.deepEqual(st.docOf(s), last);
  s = st.setPiece(st.undo(s), 20, 'k');
  assert.equal(st.redo(s), s);
});

test('an edit that changes nothing leaves no trace in the history', () => {
  const s = st.initialState();
  assert.equal(st.setPiece(s, 0, 'r'), s);
  assert.equal(st.movePiece(s, 5, 5), s);
});

test('rights and counters stay through an edit that makes them impossible', () => {
  let s = st.setField(st.initialState(), 'halfmove_clock', '17');
  s = st.setPiece(s, fen.squareIndex('e1'), '.');
  assert.equal(st.docOf(s).castling, 'KQkq');
  assert.equal(st.docOf(s).halfmove, '17');
});

test('a reading gives board, fields and where each comes from', () => {
  const doc = st.docOf(withPicture());
  assert.equal(fen.makePlacement(doc.board), PLACEMENT);
  assert.deepEqual([doc.side, doc.from.side_to_move, doc.from.castling_rights], ['b', 'inferred', 'assumed']);
  assert.deepEqual(st.unsureSquares(doc), [36]);
});

test('placing a piece or keeping it settles the doubt, undo brings it back', () => {
  const s = withPicture();
  for (const next of [st.setPiece(s, 36, 'B'), st.keepSquare(s, 36)]) {
    assert.deepEqual(st.unsureSquares(st.docOf(next)), []);
    assert.deepEqual(st.unsureSquares(st.docOf(st.undo(next))), [36]);
  }
});

test('turning keeps every square on the part of the picture it was read from', () => {
  for (const bottom of ['white', 'black']) {
    const s = st.patch(withPicture(bottom), { focus: 36 });
    const turned = transform(s, 'turn');
    const [a, b] = [st.docOf(s), st.docOf(turned)];
    assert.notEqual(a.bottom, b.bottom);
    assert.equal(b.board, [...a.board].reverse().join(''));
    assert.equal(a.squares[36].seen, b.squares[27].seen);
    assert.equal(turned.focus, 27);
    // as seen on the screen nothing has moved
    const seen = (doc) => doc.squares.map((q, i) => [q.seen, doc.board[i]]).sort((x, y) => x[0] - y[0]);
    assert.deepEqual(seen(a), seen(b));
    assert.deepEqual(st.docOf(transform(turned, 'turn')).board, a.board);
  }
});

const TABLE = JSON.parse(readFileSync(new URL('../transformations.json', import.meta.url), 'utf8'));
const WAYS = ['turn', 'mirror', 'ranks', 'colours'];

test('each of the four transformations does to every field what the table says, and shows what it touched', () => {
  for (const row of TABLE) {
    const s = st.setText(st.initialState(), row.fen);
    for (const how of WAYS) {
      const doc = st.docOf(transform(s, how));
      assert.equal(st.textOf(doc), row[how], `${how}: ${row.what}`);
      const [before, after] = [row.fen, row[how]].map((text) => text.split(' '));
      const touched = Object.keys(st.FIELDS).filter((_, i) => before[i + 1] !== after[i + 1]);
      assert.deepEqual(Object.keys(doc.was), touched);
      for (const field of touched) assert.equal(doc.from[field], 'user');
      assert.deepEqual(st.docOf(st.undo(transform(s, how))), st.docOf(s));
      assert.equal(st.docOf(transform(transform(s, how), how)).board, st.docOf(s).board);
    }
  }
});

test('what the last action touched is forgotten with the next edit', () => {
  const mirrored = transform(st.initialState(), 'mirror');
  assert.deepEqual(st.docOf(mirrored).was, { castling_rights: 'KQkq' });
  assert.deepEqual(st.docOf(st.setPiece(mirrored, 20, 'Q')).was, {});
  assert.equal(st.setPiece(mirrored, 20, '.'), mirrored);
  const started = st.setBoard(st.setText(st.initialState(), '8/8/8/8/8/8/8/8 b - - 3 9'), fen.START);
  assert.deepEqual(st.docOf(started).was, { side_to_move: 'b', castling_rights: '-', halfmove_clock: '3', fullmove_number: '9' });
});

test('a cure of the checker that moves the board keeps the squares on their part of the picture', () => {
  const s = withPicture();
  for (const [code, how] of [['turn', 'turn'], ['mirror', 'mirror'], ['reverse-ranks', 'ranks'], ['exchange-colours', 'colours']]) {
    const turned = transform(s, how);
    const cured = applyFix(s, { code, fen: st.textOf(st.docOf(turned)) });
    assert.deepEqual(st.docOf(cured), st.docOf(turned), code);
    assert.equal(st.docOf(cured).squares.find((q) => q.unsure).seen, 36);
    // a cure that says more than the transformation is taken as its text
    assert.equal(st.textOf(st.docOf(applyFix(s, { code, fen: '8/8/8/8/8/8/8/8 w - - 0 1' }))), '8/8/8/8/8/8/8/8 w - - 0 1');
  }
  const other = applyFix(s, { code: 'turn-side', fen: `${PLACEMENT} w - - 0 1` });
  assert.deepEqual(st.docOf(other).was, { side_to_move: 'b' });
});

test('evidence stays on its part of the picture when the names of the squares turn', () => {
  const s = st.edit(withPicture(), { evidence: { side_to_move: [{ kind: 'last-move', squares: ['e2', 'e4'] }] } });
  const names = (how) => st.docOf(transform(s, how)).evidence.side_to_move[0].squares;
  assert.deepEqual(WAYS.map(names), [['d7', 'd5'], ['d2', 'd4'], ['e7', 'e5'], ['e2', 'e4']]);
});

test('corners that the reading moved are remembered as they were set, with the board that was read', () => {
  const s = st.addWork(withPicture(), 99, 'another.png');
  const { id } = st.workOf(withPicture());
  const { corners } = st.docOf(withPicture());
  const read = { fen: '4k3/8/8/8/8/8/8/4K3 w - - 0 1', placement: '4k3/8/8/8/8/8/8/4K3', corners, fields: {}, squares: [] };
  const retaken = (hand) => st.workOf(readings.retakeBoard(st.pickWork(s, 99), id, 0, read, false, hand), id).boards[0].now.snapped;
  assert.equal(retaken(corners.map(([x, y]) => [x + 0.1, y])), null);
  assert.equal(retaken(null), null);
  const hand = corners.map(([x, y]) => [x + 3, y - 2]);
  assert.deepEqual(retaken(hand), hand);
});

test('a text that is no FEN is kept and the board stays; a FEN moves the board', () => {
  let s = st.setText(st.initialState(), 'rnbqkbnr/pppp', true);
  assert.equal(st.textOf(st.docOf(s)), 'rnbqkbnr/pppp');
  assert.equal(st.docOf(s).board, fen.START);
  s = st.setText(s, '4k3/8/8/8/8/8/8/4K3', true);
  assert.equal(st.textOf(st.docOf(s)), '4k3/8/8/8/8/8/8/4K3');
  assert.equal(st.docOf(s).from.castling_rights, 'assumed');
  s = st.setPiece(s, 0, 'r');
  assert.equal(st.textOf(st.docOf(s)), 'r3k3/8/8/8/8/8/8/4K3 w - - 0 1');
});

test('the next unsure square is found in both directions and round the end', () => {
  let s = withPicture();
  s = st.edit(s, { squares: st.docOf(s).squares.map((q, i) => ({ ...q, unsure: i === 3 || i === 36 })) });
  assert.equal(st.nextUnsure(st.patch(s, { focus: 0 })).focus, 3);
  assert.equal(st.nextUnsure(st.patch(s, { focus: 3 })).focus, 36);
  assert.equal(st.nextUnsure(st.patch(s, { focus: 36 })).focus, 3);
  assert.equal(st.nextUnsure(st.patch(s, { focus: 3 }), -1).focus, 36);
});

test('a picture without a board says so, a failed one too, and removing goes to its neighbour', () => {
  let s = st.addWork(st.addWork(st.initialState(), 1, 'a'), 2, 'b');
  assert.equal(s.current, 1);
  s = readings.takeReading(s, 1, { boards: [], error: { code: 'no-board' } });
  assert.equal(st.workOf(s, 1).status, 'none');
  s = st.removeWork(s, 1);
  assert.equal(s.current, 2);
  s = st.removeWork(s, 2);
  assert.equal(st.workOf(s).status, 'blank');
});

test('the checker\'s answer counts only for the text that it was asked about', () => {
  const s = st.patch(st.initialState(), { check: { text: fen.makeFen({ ...st.docOf(st.initialState()) }), result: { problems: [] } } });
  assert.ok(st.checkOf(s));
  assert.equal(st.checkOf(st.setPiece(s, 30, 'q')), null);
});

test('castling rights and en passant squares that can be', () => {
  assert.equal(fen.castlingObstacle(fen.START, 'K'), null);
  assert.deepEqual(fen.castlingObstacle(fen.withPiece(fen.START, 63, '.'), 'K'), { piece: 'R', square: 'h1' });
  assert.equal(fen.withRight('-', 'k', true), 'k');
  assert.equal(fen.withRight('kq', 'K', true), 'Kkq');
  assert.equal(fen.withRight('K', 'K', false), '-');
  const after = fen.parsePlacement('rnbqkbnr/pppp1ppp/8/8/3Pp3/8/PPP1PPPP/RNBQKBNR');
  assert.deepEqual(fen.epSquares(after, 'b'), [{ square: 'd3', capturable: true }]);
  assert.deepEqual(fen.epSquares(fen.START, 'w'), []);
});

test('placements go through text and back', () => {
  for (const text of ['8/8/8/8/8/8/8/8', 'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR', '1r1k4/8/P1p5/8/8/7Q/8/4K2R']) {
    assert.equal(fen.makePlacement(fen.parsePlacement(text)), text);
  }
  for (const bad of ['', '8/8', 'rnbqkbnr/pppppppp/44/8/8/8/PPPPPPPP/RNBQKBNR', '9/8/8/8/8/8/8/8', '8/8/8/8/8/8/8/7.', '8/8/8/8/8/8/8/7x']) {
    assert.equal(fen.parsePlacement(bad), null, bad);
  }
});

test('progress of loading is told apart from every other change, and from none', () => {
  const before = st.initialState();
  const further = st.patch(before, { engine: { ...before.engine, loaded: 5 } });
  assert.ok(st.differInLoading(before, further));
  assert.ok(!st.differInLoading(before, st.patch(further, { focus: 5 })));
  assert.ok(!st.differInLoading(before, st.patch(before, { engine: { ...before.engine, phase: 'ready' } })));
  // What went away and came back within a frame is drawn again: the keyboard may stand elsewhere meanwhile.
  assert.ok(!st.differInLoading(before, st.patch(before, { focus: before.focus })));
});
