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
      return { family, k: parameters ? numbers[2] : 4, sides: ['red', 'yellow'], scale: 250, won: 10_000 };
    case 'chess':
    case 'chess960':
      return { family: 'chess', number: parameters || (family === 'chess960' ? '518' : null), style: 'figures', sides: ['white', 'black'], scale: 300 };
    case 'nim':
      return { family, scale: 100 };
    case 'gomoku':
    case 'gomokufreestyle':
    case 'renju':
      return {
        family: 'gomoku',
        rule: { gomoku: 'five_exact', gomokufreestyle: 'five_free', renju: 'renju' }[family],
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
  if (spec.family === 'chess' && spec.number) return `${t('chess960')} · ${spec.number}`;
  if (spec.family === 'mnk') return `${t('in_row', spec.k)} · ${spec.cols} × ${spec.rows}`;
  if (spec.family === 'gomoku') return `${name} · ${t(spec.rule)}`;
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

/** Scores from here on are wins whose length nobody knows; what is beyond is the margin in hundredths. */
const CERTAIN = 100_000;

/** Whether a score is a fact: who wins, perhaps not how soon. */
export const isCertain = (spec, score) =>
  !!score && (score.mate !== undefined || Math.abs(score.cp) >= Math.min(CERTAIN, spec.won ?? CERTAIN));

/** How far the first player is ahead, from -1 to 1. */
export function share(spec, score) {
  if (!score) return 0;
  if (isCertain(spec, score)) return (score.mate ?? score.cp) > 0 ? 1 : -1;
  return 0.96 * Math.tanh(score.cp / spec.scale);
}

/** The value of a finished game. */
export const final = { p1win: { mate: 1 }, p2win: { mate: -1 }, draw: { cp: 0 } };

/** What the first player may expect of a game, from 0 to 1. */
export const expected = (spec, score) => (share(spec, score) + 1) / 2;

/** Who is ahead, and the margin that a certain win has, if it has one. */
function win(spec, score) {
  const ahead = (score.mate ?? score.cp) > 0 ? 0 : 1;
  const margin = score.mate === undefined ? Math.round((Math.abs(score.cp) - CERTAIN) / 100) : 0;
  return { name: side(spec, ahead), in: score.mate && Math.abs(score.mate), by: Math.max(0, margin) };
}

/** A score in words: for whom, and by how much. */
export function tellScore(spec, score) {
  if (!score) return '–';
  if (isCertain(spec, score)) {
    const { name, in: moves, by } = win(spec, score);
    return moves ? t('wins_in', name, moves) : by ? t('wins_by', name, by) : t('wins', name);
  }
  if (score.cp === 0) return t('even');
  return t('stands', side(spec, score.cp > 0 ? 0 : 1), `+${(Math.abs(score.cp) / 100).toFixed(2)}`);
}

/** A score in a few signs, for the first player: above zero that one stands better. */
export function signScore(spec, score) {
  if (!score) return '–';
  if (isCertain(spec, score)) {
    const { name, in: moves, by } = win(spec, score);
    return moves ? t('short_in', name, moves) : by ? t('short_by', name, by) : t('wins', name);
  }
  if (score.cp === 0) return '0.00';
  const value = (Math.abs(score.cp) / 100).toFixed(Math.abs(score.cp) < 10_000 ? 2 : 0);
  return `${score.cp > 0 ? '+' : '−'}${value}`;
}

/** The same in the few letters for which there is room in the bar, on a point or on a house: whose it is, the place says. */
export function tinyScore(spec, score) {
  if (!score) return '';
  if (isCertain(spec, score)) {
    const { in: moves, by } = win(spec, score);
    return moves ? t('tiny_in', moves) : by ? t('tiny_by', by) : t('tiny_win');
  }
  const size = Math.abs(score.cp) / 100;
  const value = size < 10 ? size.toFixed(1) : size.toFixed(0);
  return Number(value) === 0 ? '0' : `${score.cp > 0 ? '+' : '−'}${value}`;
}

/** How a game ended, in full. */
export function tellResult(spec, state, picture) {
  const [first, second] = [side(spec, 0), side(spec, 1)];
  const who = t(state.result, first, second);
  if (state.on_time) return t('on_time', state.result === 'p1win' ? first : second, state.result === 'p1win' ? second : first);
  const { board, counts } = picture;
  if (counts) {
    const [most, least] = [Math.max(...counts), Math.min(...counts)];
    return t('by_count', who, most, least);
  }
  if (board.kind === 'houses') return awaleResult(spec, state, board, who);
  if (board.kind === 'heaps') return t(board.last_wins ? 'took_last' : 'left_last', who);
  if (spec.k) return state.result === 'draw' ? t('full_board', who) : t('by_row', who, spec.k);
  return who;
}

/** The rules say who gets what is left on the board; which rules those are, the name of the game says. */
function awaleResult(spec, state, board, who) {
  const rows = board.rows.map((row) => row.reduce((sum, house) => sum + house.count, 0));
  const [low, high] = board.stores;
  const left = rows[0] + rows[1];
  const all = low + high + left;
  const told = (points, why) => {
    const [most, least] = [Math.max(...points), Math.min(...points)];
    return t('by_count', who, most, least) + (why ? ` ${why}` : '');
  };
  if (2 * Math.max(low, high) > all) return told([low, high], t('by_majority', all));
  const came_back = state.boards.slice(0, state.at).includes(state.boards[state.at]);
  if (spec.variant === 'abapa' || spec.variant === 'mini') {
    const why = came_back ? t('came_back') : t('no_more');
    return told([low + rows[0], high + rows[1]], left ? `${why} ${t('own_rows', rows[0], rows[1])}` : '');
  }
  if (spec.variant === 'awari' && came_back) return told([low + left / 2, high + left / 2], `${t('came_back')} ${t('halves', left)}`);
  return told([low, high], left ? t('left_over', left) : '');
}
