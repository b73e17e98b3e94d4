// A kept game that is looked at without the server.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { page } from './page.js';

const { isViewed, moved, viewed } = await page('viewing');

const record = {
  game: 'chess', start: 'startpos', moves: ['e2e4', 'e7e5'], players: ['Ann', null], result: 'p1win', ending: 'resignation',
  tags: { Event: 'club', Note: ['a', 'b'] }, notes: { 0: { comments: ['begin'] }, 2: { comments: ['so', 'so'], nags: [2], clock: 9.5 } },
};
const place = (board, first, move = null, name = null) => ({ board, first, result: null, move, name, picture: { board } });
const state = viewed(record, [place('a', true), place('b', false, 'e2e4', 'e4'), place('c', true, 'e7e5', 'e5')], 7);

test('a kept game has the state that the server sends, at the last move', () => {
  assert.ok(isViewed(state) && !isViewed({ ...state, round: 1 }) && !isViewed(null));
  assert.deepEqual([state.at, state.moves, state.names, state.boards], [2, ['e2e4', 'e7e5'], ['e4', 'e5'], ['a', 'b', 'c']]);
  assert.deepEqual(state.tree[1], { id: 2, parent: 1, move: 'e7e5', name: 'e5', comment: 'so\nso', nags: [2], clock: 9.5 });
  assert.equal(state.comment, 'begin');
  assert.deepEqual(state.about.tags, [['Event', 'club'], ['Note', 'a'], ['Note', 'b']]);
  assert.deepEqual([state.legal, state.pictures[1]], [[], { board: 'b' }]);
});

test('one goes through it, and does nothing else', () => {
  assert.equal(moved(state, 'go_to', { at: 0 }).at, 0);
  assert.equal(moved(state, 'visit', { node: 1 }).at, 1);
  for (const [what, more] of [['go_to', { at: 3 }], ['go_to', { at: -1 }], ['visit', { node: 9 }], ['play', { move: 'e2e4', at: 2 }], ['hint', undefined]]) {
    assert.equal(moved(state, what, more), null, what);
  }
});
