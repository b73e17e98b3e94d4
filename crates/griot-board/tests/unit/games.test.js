// Scores and results in words.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { page } from './page.js';

const { expected, isCertain, read, share, signScore, tellResult, tellScore, tinyScore, title } = await page('games');
const { speak } = await page('words');
speak('en');

/** A picture of a grid, with what the registry says of its game. */
const grid = (columns, rows, game, more = {}) => ({
  players: { marks: ['x', 'o'] },
  board: { kind: 'grid', columns: Array(columns).fill('a'), rows: Array(rows).fill('1') },
  counts: null,
  game: game && { details: [], clear_lead: 300, ...game },
  ...more,
});
const tictactoe = grid(3, 3, { key: 'tictactoe', title: 'Tic-tac-toe', row: 3 });
const othello = { ...grid(8, 8, { key: 'othello', title: 'Othello' }), counts: [1, 11], colors: ['black', 'white'] };
const small = read('tictactoe', tictactoe);

test('a game has a name', () => {
  for (const [name, picture, told] of [
    ['tictactoe', tictactoe, 'Tic-tac-toe'],
    ['mnk:7,9,5', grid(7, 9, { key: 'mnk', title: '5 in a row', row: 5, details: [{ title: '7 × 9' }] }), '5 in a row · 7 × 9'],
    ['gomokufreestyle', grid(15, 15, { key: 'gomoku', title: 'Gomoku', row: 5, details: [{ key: 'five_free', title: '5+' }] }), 'Gomoku · five or more'],
    // A game that the page has no word for has those of the engine, and one without any has its name.
    ['ludus:small', grid(8, 8, { key: 'ludus', title: 'Ludus', details: [{ key: 'ludus_small', title: 'small' }] }), 'Ludus · small'],
    ['hexapawn', grid(3, 3), 'hexapawn'],
  ]) {
    assert.equal(title(read(name, picture)), told);
  }
});

test('looks, players and scale come from the picture', () => {
  const men = [{ owner: 'first', mark: 'b', kind: 'man' }, { owner: 'second', mark: 'w', kind: 'man' }];
  const picture = grid(8, 8, { key: 'new', title: 'New', clear_lead: 450, certain: 10_000 }, { players: 'colors', colors: ['black', 'white'] });
  Object.assign(picture.board, { surface: 'squares', pieces: 'men', set: men });
  const spec = read('new', picture);
  assert.deepEqual([spec.surface, spec.pieces, spec.sides, spec.scale], ['squares', 'men', ['black', 'white'], 450]);
  assert.deepEqual(spec.set.map(({ side, kind }) => `${side} ${kind}`), ['x man', 'o man']);
  assert.ok(isCertain(spec, { cp: 10_000 }) && !isCertain(spec, { cp: 9999 }) && !isCertain(small, { cp: 10_000 }));
  assert.equal(tellScore(spec, { cp: -50 }), 'White stands better: +0.50');
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
    const game = { key: 'awale', title: 'Awalé', details: [], clear_lead: 900 };
    return { players: 'compass', board: { kind: 'houses', rows: [row(lower), row(upper)], stores }, counts: null, game };
  };
  const heaps = { players: 'numbers', board: { kind: 'heaps', last_wins: true }, counts: null };
  const sown = houses([0, 0, 0, 0, 0, 0], [1, 1, 1, 0, 0, 0], [25, 20]);
  for (const [name, picture, state, told] of [
    ['tictactoe', tictactoe, { result: 'p1win' }, 'X wins: 3 in a row.'],
    ['tictactoe', tictactoe, { result: 'p1win', ended: 'time' }, 'X wins: the time of O is up.'],
    ['othello', othello, { result: 'p2win' }, 'White wins 11 to 1.'],
    ['awale', sown, { result: 'p1win' }, 'South wins 25 to 20. That is more than half of the 48 seeds.'],
    ['nim:2,take=any,normal', heaps, { result: 'p1win' }, 'Player 1 wins: the last match was taken, which wins.'],
  ]) {
    assert.equal(tellResult(read(name, picture), state, picture), told);
  }
});
