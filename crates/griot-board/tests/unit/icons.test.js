// The part of a board that a menu shows.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { page } from './page.js';

const { busiest } = await page('icons');
const cells = (...rows) => rows.map((row) => [...row].map((mark) => (mark === '.' ? null : { side: mark, mark })));

test('a small board is shown as a whole', () => {
  const rows = cells('x.', '.o');
  assert.deepEqual(busiest(rows).part, rows);
});

test('of a large board the part with the most pieces is shown, near the middle where several have as many', () => {
  const { row, col, part } = busiest(cells('x......', '.......', '....xo.', '....x..', '.......', '.......', '.......'));
  assert.deepEqual([row, col], [2, 3]);
  assert.equal(part.flat().filter(Boolean).length, 3);
  assert.deepEqual([busiest(cells('.......', '.......', '.......', '.......', '.......', '.......', '.......'))].map(({ row, col }) => [row, col]), [[2, 2]]);
});
