// A move is chosen cell by cell: where it begins, where it stops, and where it ends.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { page } from './page.js';

const { GridBoard } = await page('grid');
const { cellName, wayByName } = await page('picture');

const COLS = 4;
const labels = Array.from({ length: 16 }, (_, i) => `${i + 1}`);
const board = { kind: 'grid', columns: [...'abcd'], rows: [...'1234'], from_top: true, labels };
const point = (cell) => [(cell - 1) % COLS, Math.floor((cell - 1) / COLS)];
/** A move from its text, as `1x6x11`. */
const stroke = (move) => {
  const cells = move.split(/[-x]/).map(Number).map(point);
  return cells.length === 1 ? { move, to: cells[0] } : { move, from: cells[0], via: cells.slice(1, -1), to: cells.at(-1) };
};

/** A board without its drawing: what is offered, and what a click does. */
function playing(...moves) {
  const place = (name) => ({ name, node: { classList: { toggle() {} } } });
  return Object.assign(Object.create(GridBoard.prototype), {
    spec: { surface: 'squares' },
    picture: { board, moves: moves.map(stroke) },
    grid: Array.from({ length: 4 }, () => Array(COLS).fill(null)),
    path: [],
    playable: true,
    spots: [],
    place,
    at: (cell) => cell,
  });
}
const offered = (told) => [...told.offers()].map(([cell, move]) => `${cell}:${move}`).sort().join(' ');

test('two captures with the same ends differ in their stops', () => {
  const told = playing('1x6x11', '1x3x11', '2-5');
  assert.equal(offered(told), '1:from:1 2:from:2');
  told.pick('from:1');
  // The end alone does not say which one.
  assert.equal(offered(told), '1:from:1 2:from:2 3:from:3 6:from:6');
  told.pick('from:6');
  assert.deepEqual(told.path, ['1', '6']);
  assert.match(offered(told), /11:1x6x11/);
  // The last stop is given up, then another one is chosen.
  told.pick('from:6');
  told.pick('from:3');
  assert.match(offered(told), /11:1x3x11/);
  told.pick('from:2');
  assert.deepEqual(told.path, ['2']);
  assert.match(offered(told), /5:2-5/);
});

test('the end alone is enough where only one move of the piece goes there', () => {
  const told = playing('1x6x11', '1x6x3');
  told.pick('from:1');
  assert.equal(offered(told), '11:1x6x11 1:from:1 3:1x6x3 6:from:6');
  told.pick('from:6');
  assert.equal(offered(told), '11:1x6x11 1:from:1 3:1x6x3');
});

test('a capture that comes back to where it began is complete with its last stop', () => {
  const told = playing('1x6x11x1');
  for (const cell of ['1', '6', '11']) told.pick(`from:${cell}`);
  assert.equal(new Map(told.offers()).get('1'), '1x6x11x1');
});

test('a piece that may stop on several cells is taken to any of them', () => {
  const told = playing('1x6x16', '1x3x8');
  told.picture.moves[0].ways = [[point(11)]];
  told.pick('from:1');
  assert.equal(offered(told), '11:from:11 16:1x6x16 1:from:1 3:from:3 6:from:6 8:1x3x8');
  told.pick('from:11');
  assert.match(offered(told), /16:1x6x16/);
  assert.doesNotMatch(offered(told), /8:1x3x8/);
});

test('a placed piece takes one click', () => assert.equal(offered(playing('7', '9')), '7:7 9:9'));

test('cells go by their names, or by column and row', () => {
  const plain = { board: { ...board, labels: undefined } };
  assert.deepEqual([cellName({ board }, [2, 1]), cellName(plain, [2, 1])], ['7', 'c2']);
  assert.deepEqual(wayByName({ board }, '1x6x11'), { from: [0, 0], via: [[1, 1]], to: [2, 2] });
  assert.deepEqual(wayByName({ board }, '7'), { to: [2, 1] });
  assert.deepEqual(wayByName(plain, 'a1xc3'), { from: [0, 0], via: [], to: [2, 2] });
  assert.deepEqual(wayByName(plain, 'a1c3q'), { from: [0, 0], via: [], to: [2, 2] });
  for (const elsewhere of ['17', 'pass']) assert.deepEqual(wayByName({ board }, elsewhere), {});
});
