// The page's state without a page: editing, undo, turning, reading.
import assert from 'node:assert/strict';
import test from 'node:test';

import * as fen from '../../static/app/fen.js';
import * as st from '../../static/app/state.js';

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
  return st.takeReading(s, 1, { boards: [board(PLACEMENT, bottom)], error: null });
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
    const turned = st.transform(s, 'turn');
    const [a, b] = [st.docOf(s), st.docOf(turned)];
    assert.notEqual(a.bottom, b.bottom);
    assert.equal(b.board, [...a.board].reverse().join(''));
    assert.equal(a.squares[36].seen, b.squares[27].seen);
    assert.equal(turned.focus, 27);
    // as seen on the screen nothing has moved
    const seen = (doc) => doc.squares.map((q, i) => [q.seen, doc.board[i]]).sort((x, y) => x[0] - y[0]);
    assert.deepEqual(seen(a), seen(b));
    assert.deepEqual(st.docOf(st.transform(turned, 'turn')).board, a.board);
  }
});

test('mirror, ranks and colours are three different things, and twice is none', () => {
  const s = st.setText(st.initialState(), 'r3k3/1P6/8/8/8/8/8/4K2R w - - 0 1');
  const out = Object.fromEntries(['mirror', 'ranks', 'colours', 'turn'].map((how) => [how, fen.makePlacement(st.docOf(st.transform(s, how)).board)]));
  assert.deepEqual(out, {
    mirror: '3k3r/6P1/8/8/8/8/8/R2K4',
    ranks: '4K2R/8/8/8/8/8/1P6/r3k3',
    colours: 'R3K3/1p6/8/8/8/8/8/4k2r',
    turn: 'R2K4/8/8/8/8/8/6P1/3k3r',
  });
  for (const how of Object.keys(out)) {
    assert.equal(st.docOf(st.transform(st.transform(s, how), how)).board, st.docOf(s).board);
  }
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
  s = st.takeReading(s, 1, { boards: [], error: { code: 'no-board' } });
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
