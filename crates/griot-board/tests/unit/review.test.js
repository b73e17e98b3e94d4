// What a review says of moves.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { page } from './page.js';

const { accuracy, judge, turns } = await page('review');

const spec = { sides: ['x', 'o'], scale: 300 };
const place = (node, first, move, cp, best, result) => ({ node, first, move, result, review: { score: { cp }, pv: [best] } });

test('a move loses what the expected result falls by, and its best move loses nothing', () => {
  const line = [place(0, true, null, 0, 'a'), place(1, false, 'a', -50, 'y'), place(2, true, 'z', 900, 'b'), place(3, false, 'b', 900, 'y')];
  const [best, blunder, kept] = judge(spec, { review: { line } });
  assert.deepEqual([best.loss, best.mistake, kept.loss], [0, undefined, 0]);
  assert.equal(blunder.mistake.size, 'blunder');
  assert.equal(blunder.mover, 1);
  assert.deepEqual(turns([best, blunder, kept]), [blunder]);
  assert.equal(accuracy([best, blunder, kept], 0), 100);
  assert.ok(accuracy([best, blunder, kept], 1) < 30);
  assert.equal(accuracy([], 0), null);
});

test('a finished game is worth its result', () => {
  const line = [place(0, true, null, 0, 'a'), { ...place(1, false, 'b', 0, 'a', 'p2win'), review: null }];
  const [lost] = judge(spec, { review: { line } });
  assert.ok(lost.loss > 0.45 && lost.mistake.size === 'blunder');
});
