// Scores and results in words.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { page } from './page.js';

const { expected, isCertain, read, share, signScore, tellResult, tellScore, tinyScore, title } = await page('games');
const { speak } = await page('words');
speak('en');

const grid = (columns, rows) => ({
  players: { marks: ['x', 'o'] },
  board: { kind: 'grid', columns: Array(columns).fill('a'), rows: Array(rows).fill('1') },
  counts: null,
});
const small = read('tictactoe', grid(3, 3));

test('a game has a name', () => {
  for (const [name, picture, told] of [
    ['tictactoe', grid(3, 3), 'Tic-tac-toe'],
    ['mnk:7,9,5', grid(7, 9), '5 in a row · 7 × 9'],
    ['connect4', grid(7, 6), 'Connect Four'],
    ['connect4:5,4,4', grid(5, 4), 'Connect Four · 5 × 4'],
    ['gomoku', grid(15, 15), 'Gomoku · exactly five'],
    ['chess960:518', grid(8, 8), 'Chess960 · 518'],
    ['hexapawn', grid(3, 3), 'hexapawn'],
  ]) {
    assert.equal(title(read(name, picture)), told);
  }
});

test('certain scores are words', () => {
  for (const [score, tell, sign, tiny] of [
    [null, '–', '–', ''],
    [{ cp: 0 }, 'Even', '0.00', '0'],
    [{ cp: 123 }, null, '+1.23', '+1.2'],
    [{ cp: -123 }, null, '−1.23', '−1.2'],
    [{ mate: 2 }, 'X wins in 2', 'X in 2', 'in 2'],
    [{ mate: -1 }, 'O wins in 1', 'O in 1', 'in 1'],
  ]) {
    if (tell) assert.equal(tellScore(small, score), tell);
    assert.deepEqual([signScore(small, score), tinyScore(small, score)], [sign, tiny]);
  }
  for (const score of [{ cp: 100_000 }, { cp: -100_600 }]) {
    assert.ok(isCertain(small, score));
    for (const told of [tellScore, signScore, tinyScore]) assert.doesNotMatch(told(small, score), /#|1000/);
  }
});

test('who is ahead has the greater share', () => {
  assert.equal(expected(small, { cp: 0 }), 0.5);
  assert.deepEqual([share(small, { mate: 3 }), share(small, { mate: -3 }), share(small, null)], [1, -1, 0]);
  assert.ok(share(small, { cp: 200 }) > share(small, { cp: 100 }) && share(small, { cp: 99_999 }) < 1);
});

test('a result is told in full', () => {
  const houses = (lower, upper, stores) => {
    const row = (counts) => counts.map((count) => ({ count }));
    return { players: 'compass', board: { kind: 'houses', rows: [row(lower), row(upper)], stores }, counts: null };
  };
  const heaps = { players: 'numbers', board: { kind: 'heaps', last_wins: true }, counts: null };
  const sown = houses([0, 0, 0, 0, 0, 0], [1, 1, 1, 0, 0, 0], [25, 20]);
  for (const [name, picture, state, told] of [
    ['tictactoe', grid(3, 3), { result: 'p1win' }, 'X wins: 3 in a row.'],
    ['tictactoe', grid(3, 3), { result: 'p1win', on_time: true }, 'X wins: the time of O is up.'],
    ['othello', { ...grid(8, 8), counts: [1, 11] }, { result: 'p2win' }, 'White wins 11 to 1.'],
    ['awale', sown, { result: 'p1win' }, 'South wins 25 to 20. That is more than half of the 48 seeds.'],
    ['nim:2,take=any,normal', heaps, { result: 'p1win' }, 'Player 1 wins: the last match was taken, which wins.'],
  ]) {
    assert.equal(tellResult(read(name, picture), state, picture), told);
  }
});
