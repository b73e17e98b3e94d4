// Moves as people write them.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { page } from './page.js';

const { lineNames, moveName, sanOf } = await page('thoughts');
const { speak } = await page('words');

test('pieces have the letters of the language, and other moves stay as they are', () => {
  speak('fr');
  for (const [move, name, told] of [
    ['g1f3', 'Nf3', 'Cf3'], ['e7e8q', 'e8=Q+', 'e8=D+'], ['a', 'Bxb5+', 'Fxb5+'], ['a', 'R1d2', 'T1d2'], ['a', 'O-O', 'O-O'],
    ['a', 'exd5', 'exd5'], ['B', undefined, 'B'], ['Nc3', undefined, 'Nc3'], ['0000', undefined, 'Passer'],
  ]) {
    assert.equal(moveName(move, name), told);
  }
  assert.deepEqual(['Cf3', 'e8=D', 'Txa1', 'Dd2', 'Rf1', 'd4', 'B'].map(sanOf), ['Nf3', 'e8=Q', 'Rxa1', 'Qd2', 'Kf1', 'd4', 'B']);
  speak('en');
  assert.deepEqual(lineNames({ pv: ['g1f3', '0000'], names: ['Nf3', '0000'] }), ['Nf3', 'Pass']);
  assert.equal(sanOf('Ngf3'), 'Ngf3');
});
