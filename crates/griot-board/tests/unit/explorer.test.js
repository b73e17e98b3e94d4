// The moves of the explorer: where each value comes from, and their order.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { page } from './page.js';

const { candidates } = await page('explorer');

const nothing = { lines: null, worth: null, book: null, first: true };
const told = (rows) => rows.map(({ move, games, value }) => `${move} ${games} ${value ? `${value.score.cp ?? `#${value.score.mate}`}@${value.depth}${value.settled ? '!' : ''}` : '-'}`);
const worth = (settled, ...moves) => ({ settled, moves: moves.map(([move, score, depth]) => ({ move, score, depth })) });

test('moves of kept games come first, the others by their values for the side to move', () => {
  const played = [{ move: 'b', games: 2, results: [1, 0, 1] }];
  const values = worth(false, ['a', { cp: -20 }, 5], ['b', { cp: -90 }, 5], ['c', { cp: 30 }, 5], ['d', { mate: 3 }, 5], ['e', { mate: 2 }, 5], ['f', { mate: -2 }, 5]);
  assert.deepEqual(told(candidates(played, { ...nothing, worth: values })), ['b 2 -90@5', 'e 0 #2@5', 'd 0 #3@5', 'c 0 30@5', 'a 0 -20@5', 'f 0 #-2@5']);
  assert.deepEqual(told(candidates([], { ...nothing, worth: values, first: false })).map((text) => text[0]), ['f', 'b', 'a', 'c', 'd', 'e']);
});

test('the deeper value counts, and what is settled stays', () => {
  const line = (move, cp, depth) => ({ pv: [move, 'x'], score: { cp }, depth });
  const known = { ...nothing, worth: worth(false, ['a', { cp: 1 }, 8], ['b', { cp: 2 }, 8]), book: { pv: ['b'], score: { cp: 7 }, depth: 14 }, lines: [line('a', 3, 12), line('b', 4, 12)] };
  assert.deepEqual(told(candidates([], known)), ['b 0 7@14', 'a 0 3@12']);
  assert.deepEqual(told(candidates([], { ...known, worth: worth(true, ['a', { cp: 0 }, 3]) })), ['b 0 7@14', 'a 0 0@3!']);
});

test('without values there are the moves of kept games alone', () => {
  assert.deepEqual(told(candidates([{ move: 'a', games: 1, results: [0, 0, 0] }], nothing)), ['a 1 -']);
});
