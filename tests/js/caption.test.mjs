// Where words stand beside a diagram: on pages that are drawn here, dot by dot.
import assert from 'node:assert/strict';
import test from 'node:test';

import { captions } from '../../static/app/caption.js';

const SQUARE = 20;
const PAPER = 245;

/** A page with a chequered board at (60, 120), and a painter. */
function sheet(height = 420) {
  const [w, h] = [280, height];
  const data = new Uint8ClampedArray(w * h * 4).fill(255);
  const put = (x, y, grey) => {
    if (x >= 0 && y >= 0 && x < w && y < h) data.fill(grey, (y * w + x) * 4, (y * w + x) * 4 + 3);
  };
  const block = (x0, y0, x1, y1, grey) => {
    for (let y = y0; y < y1; y++) for (let x = x0; x < x1; x++) put(x, y, grey);
  };
  block(0, 0, w, h, PAPER);
  const board = (left, top) => {
    for (let i = 0; i < 64; i++) block(left + (i % 8) * SQUARE, top + (i >> 3) * SQUARE, left + (i % 8 + 1) * SQUARE, top + ((i >> 3) + 1) * SQUARE, (i + (i >> 3)) % 2 ? 120 : 220);
    for (const [x0, y0, x1, y1] of [[-1, -1, 161, 0], [-1, 160, 161, 161], [-1, 0, 0, 160], [160, 0, 161, 160]]) block(left + x0, top + y0, left + x1, top + y1, 0);
    return [[left, top], [left + 160, top], [left + 160, top + 160], [left, top + 160]];
  };
  /** Words: letters of uprights and bars. */
  const line = (left, top, letters, high = 10, ink = 30) => {
    for (let k = 0; k < letters; k++) {
      if (k % 6 === 5) continue; // a space
      block(left + k * 8, top, left + k * 8 + 2, top + high, ink);
      block(left + k * 8, top + high - 2, left + k * 8 + 6, top + high, ink);
    }
  };
  return { image: { width: w, height: h, data }, board, line, block };
}

const inside = (box, x, y) => x >= box.x && x < box.x + box.width && y >= box.y && y < box.y + box.height;

test('a line under the board is found, whole and alone', () => {
  const page = sheet();
  const corners = page.board(60, 120);
  page.line(80, 290, 15);
  const [box, ...more] = captions(page.image, 1, corners);
  assert.equal(more.length, 0);
  assert.equal(box.where, 'under');
  assert.ok(inside(box, 80, 290) && inside(box, 80 + 14 * 8 + 1, 299));
  assert.ok(box.height < 20 && box.y > 281);
});

test('white paper, a plain frame, specks and a solid bar are no caption', () => {
  const page = sheet();
  const corners = page.board(60, 120);
  assert.deepEqual(captions(page.image, 1, corners), []);
  page.block(50, 286, 230, 288, 0); // a rule
  page.block(100, 292, 102, 294, 60); // a speck
  page.block(70, 296, 200, 310, 90); // a bar
  assert.deepEqual(captions(page.image, 1, corners), []);
});

test('coordinates are passed over, and what stands below them is taken', () => {
  const page = sheet();
  const corners = page.board(60, 120);
  for (let file = 0; file < 8; file++) page.block(60 + file * SQUARE + 7, 285, 60 + file * SQUARE + 13, 293, 20);
  assert.deepEqual(captions(page.image, 1, corners), []);
  page.line(70, 304, 14);
  const [box] = captions(page.image, 1, corners);
  assert.ok(box.y > 294 && inside(box, 70, 304));
});

test('a title over the board and a line under it are both shown, under first', () => {
  const page = sheet();
  const corners = page.board(60, 120);
  page.line(90, 98, 11);
  page.line(70, 292, 14);
  page.line(70, 308, 12);
  assert.deepEqual(captions(page.image, 1, corners).map((b) => b.where), ['under', 'over']);
  assert.ok(inside(captions(page.image, 1, corners)[0], 70, 317));
});

test('words far away, or beside another diagram, are not its own', () => {
  const far = sheet();
  const corners = far.board(60, 120);
  far.line(70, 340, 14);
  assert.deepEqual(captions(far.image, 1, corners), []);
  const two = sheet(520);
  const first = two.board(60, 40);
  const second = two.board(60, 270);
  two.line(80, 252, 14); // over the second
  assert.deepEqual(captions(two.image, 1, first, [second]), []);
  assert.deepEqual(captions(two.image, 1, second, [first]).map((b) => b.where), ['over']);
});

test('white print on black is ink too; a leaning board has no caption', () => {
  const page = sheet();
  page.block(0, 0, 280, 420, 18);
  const corners = page.board(60, 120);
  page.line(70, 292, 14, 10, 230);
  assert.equal(captions(page.image, 1, corners).length, 1);
  const leaning = corners.map(([x, y]) => [x + (y - 200) * 0.2, y - (x - 140) * 0.2]);
  assert.deepEqual(captions(page.image, 1, leaning), []);
});

test('pixels that were reduced give boxes in pixels of the picture', () => {
  const page = sheet();
  const corners = page.board(60, 120).map(([x, y]) => [x * 3, y * 3]);
  page.line(80, 290, 15);
  const [box] = captions(page.image, 1 / 3, corners);
  assert.ok(inside(box, 240, 870) && box.height < 60);
});
