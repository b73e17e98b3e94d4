// The tree of moves.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { page } from './page.js';

const { beside, grow, isMain } = await page('moves');

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
