// From a game and a picture of it to what the page needs to draw it. No rules: those are the engine's.

import { AwaleBoard } from './awale.js';
import { GridBoard } from './grid.js';
import { NimBoard } from './nim.js';
import { sidesOf } from './picture.js';
import { TextBoard } from './text.js';
import { t } from './words.js';

/** What a picture shows by itself: a board for any game, also for one that nobody here has heard of. */
function shown(picture) {
  const { board } = picture;
  const looks = { kind: board.kind, sides: sidesOf(picture), scale: 300 };
  if (board.kind !== 'grid') return looks;
  return { ...looks, cols: board.columns.length, rows: board.rows.length, style: board.falls ? 'drop' : 'marks' };
}

/** What a name adds to that: family, variant, style, the names of the sides, and how many points make a clear advantage. */
function known(name, { cols, rows }) {
  const [family, parameters = ''] = name.split(':');
  const numbers = parameters.split(',').map(Number);
  switch (family) {
    case 'awale':
      return { family, variant: parameters || 'abapa', scale: 900 };
    case 'othello':
      return { family, style: 'felt', sides: ['black', 'white'], scale: 1500 };
    case 'connect4':
      return { family, k: parameters ? numbers[2] : 4, sides: ['red', 'yellow'], scale: 250 };
    case 'nim':
      return { family, scale: 100 };
    case 'gomoku':
    case 'gomokufreestyle':
      return {
        family: 'gomoku',
        exact: family === 'gomoku',
        k: 5,
        style: 'stones',
        sides: ['black', 'white'],
        scale: 800,
      };
    case 'tictactoe':
    case 'morpion':
    case 'mnk': {
      const k = { tictactoe: 3, morpion: numbers[0], mnk: numbers[2] }[family];
      const small = cols === 3 && rows === 3 && k === 3;
      const stones = cols * rows > 64 && { style: 'stones', sides: ['black', 'white'] };
      return { family: small ? 'tictactoe' : 'mnk', k, exact: parameters.endsWith('exact'), scale: 600, ...stones };
    }
    default:
      return { family: name };
  }
}

/** What is to be known of a game to draw it, by its name and the picture of one of its positions. */
export function read(name, picture) {
  const looks = shown(picture);
  return { name, ...looks, ...known(name, looks) };
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

/** A board for what a picture shows. `choose` is called with the move that is clicked; `options` say how it lies. */
export function makeBoard(spec, picture, choose, options) {
  const Board = { grid: GridBoard, houses: AwaleBoard, heaps: NimBoard, text: TextBoard }[picture.board.kind];
  return new Board(spec, picture, choose, options);
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
