// Check, and why a game of chess or draughts has ended.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { page } from './page.js';

const { captured, checked, chessEnd, draughtsEnd } = await page('ends');

test('the king in check is found by the name of the last move', () => {
  const cells = Array(64).fill(null);
  cells[4] = { owner: 'first', mark: 'K', kind: 'king' };
  cells[60] = { owner: 'second', mark: 'k', kind: 'king' };
  const board = { columns: [...'abcdefgh'], rows: [...'12345678'], from_top: false, cells };
  const chess = { pieces: 'chessmen' };
  assert.deepEqual(checked(chess, { board, turn: 'second', last: { move: 'd1d7', name: 'Qd7+' } }), [4, 0]);
  assert.deepEqual(checked(chess, { board, turn: 'first', last: { move: 'd8d2', name: 'Qd2#' } }), [4, 7]);
  assert.equal(checked(chess, { board, turn: 'second', last: { move: 'd1d7', name: 'Qd7' } }), null);
  assert.equal(checked(chess, { board, turn: 'second', last: null }), null);
  assert.equal(checked({ pieces: 'men' }, { board, turn: 'second', last: { move: 'a', name: 'a+' } }), null);
});

test('every end of chess has its reason', () => {
  const start = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1';
  for (const [boards, result, name, why] of [
    [[start], 'p1win', 'Qh7#', 'by_mate'],
    [[start], 'p2win', 'e4', null],
    [[start, 'x', `${start.slice(0, -3)}4 3`, 'y', `${start.slice(0, -3)}8 5`], 'draw', 'Ng8', 'by_repetition'],
    [['8/8/4k3/8/8/3K4/8/R6r w - - 100 90'], 'draw', 'Kd3', 'by_fifty'],
    [['8/8/4k3/8/8/3K4/8/8 w - - 0 90'], 'draw', 'Kxd3', 'by_material'],
    [['8/8/4k3/8/8/3K4/8/5N2 w - - 0 90'], 'draw', 'Kxd3', 'by_material'],
    [['8/8/4k1b1/8/8/3K4/8/1B6 w - - 0 90'], 'draw', 'Kxd3', 'by_material'],
    [['7k/5Q2/6K1/8/8/8/8/8 b - - 0 1'], 'draw', 'Qf7', 'by_stalemate'],
  ]) {
    assert.equal(chessEnd(boards, result, name), why, boards.at(-1));
  }
});

test('what was captured is what is missing, and what a pawn became is no capture', () => {
  const of = (field) => captured(`${field} w - - 0 1`).map(({ pieces, ahead }) => `${pieces.join('')} ${ahead}`);
  assert.deepEqual(of('rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR'), [' 0', ' 0']);
  assert.deepEqual(of('rnb1kbnr/ppppppp1/8/8/8/8/PPPPPPPP/R1BQKBNR'), ['qp 7', 'N 0']);
  // A pawn of White became a second queen: Black has captured none.
  assert.deepEqual(of('rnbqkbnr/pppppppp/8/8/8/8/1PPPPPPP/RNBQKBNQ'), [' 3', 'R 0']);
});

test('every end of draughts has its reason', () => {
  const picture = (turn, ...owners) => ({ turn, board: { cells: [null, ...owners.map((owner) => ({ owner, mark: 'w', kind: 'man' }))] } });
  const both = picture('second', 'first', 'second');
  const boards = ['W:W31:B1', 'x', 'W:W31:B1:H2', 'y', 'W:W31:B1:H4'];
  assert.deepEqual(draughtsEnd(boards, 'draw', both, []), ['by_repetition', 0]);
  assert.deepEqual(draughtsEnd(boards.slice(1), 'draw', both, []), ['by_no_progress', 0]);
  assert.deepEqual(draughtsEnd(boards, 'p1win', picture('second', 'first'), []), ['by_no_pieces', 1]);
  assert.deepEqual(draughtsEnd(boards, 'p1win', both, []), ['by_no_moves', 1]);
  assert.deepEqual(draughtsEnd(boards, 'p2win', both, ['breakthrough']), ['by_crowning', 1]);
});
