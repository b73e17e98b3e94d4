// Puzzles: how far they are solved, which come next, and the rating of the solver.

import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { test } from 'node:test';
import { page } from './page.js';

const { UNRATED, asked, next, progress, rated, strength, themes, themesOf } = await page('solving');

const puzzle = (more = {}) => ({ goal: 'win', grade: 10, line: ['a', 'b', 'c', 'd', 'e'], move: 'a', forced: 2, ...more });
const after = (...played) => {
  const { what, ply } = progress(puzzle(), played);
  return `${what} ${ply}`;
};

test('a puzzle goes on after the right move, as far as it is forced', () => {
  assert.deepEqual([after(), after('a'), after('a', 'b'), after('a', 'b', 'c'), after('a', 'b', 'c', 'x')], ['find 0', 'reply 1', 'find 2', 'solved 3', 'solved 3']);
  assert.deepEqual([after('x'), after('x', 'b'), after('a', 'b', 'x'), after('a', 'x'), after('a', 'x', 'c')], ['wrong 0', 'wrong 0', 'wrong 2', 'astray 1', 'astray 1']);
  assert.equal(progress(puzzle({ forced: undefined }), ['a']).what, 'solved');
});

test('themes say what a puzzle is about, and those that all puzzles have are not offered', () => {
  assert.deepEqual(themesOf(puzzle()), ['win', 'several', 'medium']);
  assert.deepEqual(themesOf(puzzle({ within: 3, moves: 3, grade: 20, forced: 1 })), ['mate3', 'one', 'hard']);
  assert.deepEqual(themesOf(puzzle({ margin: 4, grade: 1 })), ['margin', 'several', 'easy']);
  assert.deepEqual(themesOf(puzzle({ goal: 'gain', within: 3, gain: 5, ahead: 3 })), ['gain', 'several', 'medium']);
  assert.deepEqual(themesOf(puzzle({ goal: 'material', within: 3, gain: 2, ahead: 1, forced: 1 })), ['material', 'one', 'medium']);
  assert.deepEqual(themes([puzzle(), puzzle({ grade: 1 }), puzzle({ grade: 2 })]), [['easy', 2], ['medium', 1]]);
});

test('the next puzzle is one of the theme that is not done', () => {
  const set = [puzzle({ id: 0 }), puzzle({ id: 1, forced: 1 }), puzzle({ id: 2 }), puzzle({ id: 3, forced: 1 })];
  assert.equal(next(set, -1, () => false), 0);
  assert.equal(next(set, -1, ({ id }) => id < 2), 2);
  assert.equal(next(set, -1, () => false, 'one'), 1);
  assert.equal(next(set, 1, () => false, 'one'), 3);
  assert.equal(next(set, 3, () => true, 'one'), 1);
  assert.equal(next(set, 0, () => false, 'no such theme'), 1);
});

test('a rating rises with what is solved, less and less, and comes to where half is solved', () => {
  const hard = puzzle({ grade: 15 });
  const once = rated(UNRATED, hard, true);
  assert.ok(once.rating > UNRATED.rating && once.deviation < UNRATED.deviation && once.count === 1);
  assert.ok(rated(UNRATED, hard, false).rating < UNRATED.rating);
  // One who solves half of the puzzles of one strength has that strength.
  let player = UNRATED;
  for (let n = 0; n < 400; n += 1) player = rated(player, hard, n % 2 === 0);
  assert.ok(Math.abs(player.rating - strength(hard)) < 40, `${player.rating}`);
  assert.equal(player.deviation, 60);
});

test('every set says how far its lines are forced, and some go on', () => {
  const folder = new URL('../../puzzles/', import.meta.url);
  /** Sets consist of files: chess.jsonl, chess-long.jsonl. */
  const goOn = new Map();
  for (const name of readdirSync(folder)) {
    const puzzles = readFileSync(new URL(name, folder), 'utf8').trim().split('\n').map((line) => JSON.parse(line));
    for (const one of puzzles) {
      assert.ok(one.forced >= 1 && 2 * one.forced - 1 <= one.line.length, `${name} ${one.number}`);
      assert.equal(one.line[0], one.move);
    }
    const [set] = name.split(/[-.]/);
    goOn.set(set, goOn.get(set) || puzzles.some((one) => asked(one) > 1));
  }
  assert.deepEqual([...goOn].filter(([, some]) => !some), []);
});
