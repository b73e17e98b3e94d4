// Board texts of grids.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { page } from './page.js';

const { rowsOf, textOf } = await page('rows');

test('a board text is read, and written as it was', () => {
  for (const text of [
    '2o/1x1/3 x',
    '15/15/8o6/7oxo2x2/15 o',
    'ppp/.../PPP P',
    'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1',
  ]) {
    const { cells, turn, rest, points } = rowsOf(text);
    assert.equal(textOf(cells, turn, { rest, points }), text);
  }
});

test('a row has an entry for every cell', () => {
  assert.deepEqual(rowsOf(' 2o/1x1  x ').cells, [
    [null, null, 'o'],
    [null, 'x', null],
  ]);
  assert.deepEqual(rowsOf('12x').cells[0].length, 13);
  assert.equal(rowsOf('3').turn, '');
});
