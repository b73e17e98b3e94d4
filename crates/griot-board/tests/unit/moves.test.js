// The tree of moves.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { page } from './page.js';

const { beside, glyphs, grow, isMain, numbering, rowsOf } = await page('moves');

// a, with b and the variation c after it; d after b, e after c.
const nodes = grow([
  { id: 1, parent: 0, move: 'a' },
  { id: 2, parent: 1, move: 'b', comment: 'good' },
  { id: 3, parent: 1, move: 'c' },
  { id: 4, parent: 2, move: 'd' },
  { id: 5, parent: 3, move: 'e' },
]);

test('a node knows its children, its ply and what is said of it', () => {
  assert.deepEqual(nodes.get(1).children, [2, 3]);
  assert.deepEqual([0, 1, 2, 3, 4, 5].map((id) => nodes.get(id).ply), [0, 1, 2, 2, 3, 3]);
  assert.equal(nodes.get(2).comment, 'good');
});

test('the main line takes the first child everywhere', () => {
  assert.deepEqual([0, 1, 2, 3, 4, 5].filter((id) => isMain(nodes, id)), [0, 1, 2, 4]);
});

test('beside a move are its alternatives', () => {
  assert.equal(beside(nodes, 2, 1), 3);
  assert.equal(beside(nodes, 3, -1), 2);
  for (const [id, step] of [[2, -1], [3, 1], [4, 1], [0, 1], [99, 1]]) assert.equal(beside(nodes, id, step), undefined);
});

/** The rows as a text: moves by their letters. */
const text = (tree, start) => {
  const nodes = grow(tree);
  const name = (id) => (id === null ? '-' : nodes.get(id).move);
  const token = (one) => one.number ?? one.bracket ?? (one.comment ? `{${one.comment}}` : name(one.node));
  return rowsOf(nodes, start).map((row) =>
    row.comment ? `{${row.comment}}` : row.variation ? `[${row.variation.map(token).join(' ')}]` : `${row.number}. ${row.cells.map(name).join(' ')}`,
  );
};

test('moves stand in two columns, and variations below the move that they replace', () => {
  const tree = [
    { id: 1, parent: 0, move: 'a' },
    { id: 2, parent: 1, move: 'b', comment: 'good' },
    { id: 3, parent: 1, move: 'c' },
    { id: 4, parent: 2, move: 'd' },
    { id: 5, parent: 3, move: 'e' },
    { id: 6, parent: 3, move: 'f' },
    { id: 7, parent: 4, move: 'g' },
  ];
  const one = { number: 1, second: false };
  assert.deepEqual(text(tree, one), ['1. a b', '{good}', '[1… c 2. e ( 2. f )]', '2. d g']);
  // A comment after the first move of a row breaks the row.
  assert.deepEqual(text([{ ...tree[0], comment: 'x' }, tree[1]], one), ['1. a -', '{x}', '1. - b', '{good}']);
  // The second player begins, at move 30.
  assert.deepEqual(text(tree.slice(0, 1), numbering('k7/8/8/8/8/8/8/K7 b - - 0 30', false)), ['30. - a']);
  assert.deepEqual(numbering('8/8/8/3ox3/3xo3/8/8/8 x', true), { number: 1, second: false });
  assert.deepEqual(numbering('3-4-5 2', false), { number: 1, second: true });
  assert.deepEqual(text([], one), []);
});

test('glyphs are written as people do', () => assert.equal(glyphs([1, 4, 14, 146]), '!??⩲$146'));
