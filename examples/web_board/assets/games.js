// From the name of a game to what the page needs to draw it. No rules: those are the engine's.

import { AwaleBoard } from './awale.js';
import { GridBoard } from './grid.js';
import { NimBoard } from './nim.js';
import { t } from './words.js';

/** What a name means: family, sizes, the names of the sides, and how many points make a clear advantage. */
export function read(name) {
  const [family, parameters = ''] = name.split(':');
  const numbers = parameters.split(',').map(Number);
  switch (family) {
    case 'awale':
      return {
        family,
        variant: parameters || 'abapa',
        sides: ['south', 'north'],
        scale: 900,
        houses: parameters === 'mini' ? 3 : 6,
      };
    case 'othello':
      return { family, cols: 8, rows: 8, style: 'felt', sides: ['black', 'white'], scale: 1500 };
    case 'connect4': {
      const [cols, rows, k] = parameters ? numbers : [7, 6, 4];
      return { family, cols, rows, k, style: 'drop', sides: ['red', 'yellow'], scale: 250 };
    }
    case 'nim':
      return { family, sides: ['player1', 'player2'], scale: 100 };
    case 'gomoku':
    case 'gomokufreestyle':
      return {
        family: 'gomoku',
        exact: family === 'gomoku',
        cols: 15,
        rows: 15,
        k: 5,
        style: 'stones',
        sides: ['black', 'white'],
        scale: 800,
      };
    default: {
      const [cols, rows, k] = family === 'mnk' ? numbers : family === 'morpion' ? Array(3).fill(numbers[0]) : [3, 3, 3];
      const stones = cols * rows > 64;
      const sides = stones ? ['black', 'white'] : ['x', 'o'];
      const small = family === 'tictactoe' || (cols === 3 && rows === 3 && k === 3);
      return {
        family: small ? 'tictactoe' : 'mnk',
        cols,
        rows,
        k,
        exact: parameters.endsWith('exact'),
        style: stones ? 'stones' : 'marks',
        sides,
        scale: 600,
      };
    }
  }
}

/** The name for people. */
export function title(spec) {
  const name = t(spec.family);
  if (spec.family === 'awale') return spec.variant === 'abapa' ? name : `${name} · ${t(spec.variant)}`;
  if (spec.family === 'mnk') return `${t('in_row', spec.k)} · ${spec.cols} × ${spec.rows}`;
  if (spec.family === 'gomoku') return `${name} · ${t(spec.exact ? 'five_exact' : 'five_free')}`;
  if (spec.family === 'connect4' && (spec.cols !== 7 || spec.rows !== 6 || spec.k !== 4))
    return `${name} · ${spec.cols} × ${spec.rows}`;
  return name;
}

export const side = (spec, which) => t(spec.sides[which]);

/** A board for a game. `choose` is called with the move that is clicked; `options` say how it lies. */
export function makeBoard(spec, choose, options) {
  if (spec.family === 'awale') return new AwaleBoard(spec, choose, options);
  if (spec.family === 'nim') return new NimBoard(spec, choose, options);
  return new GridBoard(spec, choose, options);
}

/** How far the first player is ahead, from -1 to 1. */
export function share(spec, score) {
  if (!score) return 0;
  if (score.mate !== undefined) return score.mate > 0 ? 1 : -1;
  return 0.96 * Math.tanh(score.cp / spec.scale);
}

/** A score in words: for whom, and by how much. */
export function tellScore(spec, score) {
  if (!score) return '–';
  if (score.mate !== undefined) return t('wins_in', side(spec, score.mate > 0 ? 0 : 1), Math.abs(score.mate));
  if (score.cp === 0) return t('even');
  return t('stands', side(spec, score.cp > 0 ? 0 : 1), `+${(Math.abs(score.cp) / 100).toFixed(2)}`);
}

/** A score in a few signs, for the first player. */
export function signScore(score) {
  if (!score) return '–';
  if (score.mate !== undefined) return `${score.mate > 0 ? '+' : '−'}#${Math.abs(score.mate)}`;
  const value = (Math.abs(score.cp) / 100).toFixed(Math.abs(score.cp) < 10000 ? 2 : 0);
  return score.cp === 0 ? '0.00' : `${score.cp > 0 ? '+' : '−'}${value}`;
}
