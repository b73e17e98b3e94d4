// The games that the browser keeps: what makes them the same, and how they are searched.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { page } from './page.js';

const { entryOf, explore, grows, keyOf, search, tag } = await page('library');

const game = (moves, more = {}) => ({ game: 'chess', start: 'startpos', moves, players: ['Ann', 'Bob'], tags: { Date: '2024.01.05' }, result: null, ...more });

test('equal moves by other players or on another day are other games', () => {
  const one = keyOf(game(['e2e4']));
  assert.equal(keyOf(game(['e2e4'], { result: 'draw' })), one);
  for (const other of [game(['d2d4']), game(['e2e4'], { players: ['Ann', 'Cid'] }), game(['e2e4'], { tags: { Date: '2024.01.06' } }), game(['e2e4'], { tags: { Date: '2024.01.05', Round: '2' } })]) {
    assert.notEqual(keyOf(other), one);
  }
});

test('a game takes the place of its own beginning', () => {
  const kept = { ...entryOf(game(['e2e4'])), id: 1 };
  assert.ok(grows(kept, entryOf(game(['e2e4', 'e7e5']))));
  assert.ok(!grows(kept, entryOf(game(['d2d4', 'e7e5']))));
  assert.ok(!grows(kept, entryOf(game(['e2e4', 'e7e5'], { players: ['Cid', 'Bob'] }))));
});

test('a game is found by its opening, which is named by its position or else by its tags', () => {
  const named = { ...entryOf(game(['e2e4']), { code: 'C60', name: 'Ruy Lopez' }), id: 1 };
  const tagged = { ...entryOf(game(['d2d4'], { tags: { ECO: 'D06', Opening: '?' } })), id: 2 };
  assert.deepEqual([named.opening, tagged.opening], ['C60 Ruy Lopez', 'D06']);
  assert.deepEqual(search([named, tagged], 'ruy c60').map(({ id }) => id), [1]);
  assert.deepEqual(search([named, tagged], 'd06').map(({ id }) => id), [2]);
});

test('1,500 games are searched in less time than they take to be listed', () => {
  const all = Array.from({ length: 1500 }, (_, n) => game(Array(80).fill('e2e4'), { players: [`A${n}`, 'B'] }));
  const begun = performance.now();
  const entries = all.map((record, n) => ({ ...entryOf(record), id: n }));
  const listed = performance.now() - begun;
  assert.deepEqual(search(entries, 'a1234 2024-01').map(({ id }) => id), [1234]);
  assert.ok(performance.now() - begun < 2 * listed);
  assert.equal(search(entries, ' ').length, 1500);
  assert.equal(search(entries, 'karpov').length, 0);
});

test('the first of several values of a tag counts', () => {
  assert.equal(tag(game([], { tags: { EV: ['one', 'two'] } }), 'Event', 'EV'), 'one');
  assert.equal(tag(game([], { tags: {} }), 'Event'), '');
});

test('what was played from a position is counted with its results', () => {
  const entries = [
    game(['e2e4', 'e7e5'], { result: 'p1win' }),
    game(['e2e4', 'c7c5', 'g1f3'], { result: 'p2win' }),
    game(['e2e4', 'e7e5', 'f2f4'], { result: 'draw' }),
    game(['d2d4']),
    game(['e2e4']),
    game(['e2e4', 'e7e6'], { start: 'another' }),
  ].map((record, id) => ({ ...entryOf(record), id }));
  const from = (...moves) => explore(entries, game(moves)).map(({ move, games, results }) => `${move} ${games} ${results.join('-')}`);
  assert.deepEqual(from('e2e4'), ['e7e5 2 1-1-0', 'c7c5 1 0-0-1']);
  assert.deepEqual(from(), ['e2e4 4 1-1-1', 'd2d4 1 0-0-0']);
  assert.deepEqual(from('e2e4', 'e7e5', 'f2f4'), []);
  // A move that only begins like another one is not it.
  assert.deepEqual(from('e2e'), []);
});
