// What is entered by hand.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { page } from './page.js';

const { passedSquares, readCells, turnLetters } = await page('editor');
const { rowsOf, textOf } = await page('rows');
const { rightsLeft } = await page('figures');

test('a pawn may be taken in passing where it has just come from its first row', () => {
  const squares = (board) => passedSquares(rowsOf(board).cells, rowsOf(board).turn);
  assert.deepEqual(squares('4k3/8/8/3pP3/8/8/8/4K3 w - - 0 1'), ['d6']);
  assert.deepEqual(squares('4k3/8/8/8/3pP3/8/8/4K3 b - - 0 1'), ['e3']);
  // Not where the way was barred, nor a pawn of the side that is to move.
  assert.deepEqual(squares('4k3/3n4/8/3pP3/8/8/8/4K3 w - - 0 1'), []);
  assert.deepEqual(squares('4k3/8/8/3pP3/8/8/8/4K3 b - - 0 1'), []);
});

test('rights to castle are there while king and rook are', () => {
  const rights = (board) => rightsLeft('KQkq', rowsOf(board).cells);
  assert.equal(rights('r3k2r/8/8/8/8/8/8/R3K2R w - - 0 1'), 'KQkq');
  assert.equal(rights('4k2r/8/8/8/8/8/8/R2K3R w - - 0 1'), 'k');
  assert.equal(rights('8/8/8/8/8/8/8/8 w - - 0 1'), '-');
});

const draughts = {
  turn: 'second',
  players: 'colors',
  colors: ['white', 'black'],
  board: {
    columns: ['a', 'b', 'c', 'd'],
    rows: ['1', '2'],
    from_top: false,
    cells: [{ owner: 'first', mark: 'W', kind: 'king' }, null, null, null, null, null, null, { owner: 'second', mark: 'b', kind: 'man' }],
  },
};
const spec = { cols: 4, rows: 2, set: ['w', 'W', 'b', 'B'].map((mark) => ({ mark })) };

test('a board whose text is not in rows is set up from its picture', () => {
  const read = readCells('B:WK1:B8', spec, draughts);
  assert.deepEqual(read.cells, [[null, null, null, 'b'], ['W', null, null, null]]);
  assert.equal(textOf(read.cells, read.turn, read), '3b/W3 b');
  assert.deepEqual(turnLetters({ players: { marks: ['x', 'o'] } }), ['x', 'o']);
  // What was written in rows is read from there, also with points.
  const points = readCells('.w../...B w', spec, draughts);
  assert.deepEqual([points.cells[0][1], points.cells[1][3], points.turn], ['w', 'B', 'w']);
  assert.equal(textOf(points.cells, points.turn, points), '.w../...B w');
  // Neither a board of another size nor one with other marks is.
  for (const other of ['4/4/4 w', '4/3x w']) assert.equal(readCells(other, spec, draughts).cells[1][0], 'W');
});
