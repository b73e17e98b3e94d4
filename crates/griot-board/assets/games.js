// From a game and a picture of it to what the page needs to draw it. No rules: those are the engine's.

import { AwaleBoard } from './awale.js';
import { chessEnd } from './ends.js';
import { GridBoard } from './grid.js';
import { NimBoard } from './nim.js';
import { placed, sidesOf } from './picture.js';
import { TextBoard } from './text.js';
import { t, tell, word } from './words.js';

/**
 * What the page needs to know of a game to draw it and to speak of it. All of it comes from a picture of one of its positions: how
 * board and pieces look, and, in games of the registry, title, scale and rules of its family (`game` in `query picture`).
 * @param {string} name @param {Picture} picture @returns {Spec}
 */
export function read(name, picture) {
  const { board, game } = picture;
  const spec = {
    name,
    kind: board.kind,
    family: game?.key ?? name,
    title: game?.title ?? name,
    details: game?.details ?? [],
    sides: sidesOf(picture),
    colors: picture.colors,
    scale: game?.clear_lead ?? 300,
    certain: game?.certain,
    k: game?.row,
    surface: '',
    pieces: '',
  };
  if (board.kind !== 'grid') return spec;
  return {
    ...spec,
    cols: board.columns.length,
    rows: board.rows.length,
    surface: board.surface ?? (board.falls ? 'holes' : 'tiles'),
    pieces: board.pieces ?? 'marks',
    set: (board.set ?? []).map(placed),
  };
}

/** The name for people, in the page's words where it has some. @param {Spec} spec */
export function title(spec) {
  const known = spec.k ? tell(`${spec.family}_of`, null, spec.k) : null;
  const details = spec.details.map(({ key, title: english }) => (key ? word(key, english) : english));
  return [known ?? word(spec.family, spec.title), ...details].join(' · ');
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
  !!score && (score.mate !== undefined || Math.abs(score.cp) >= Math.min(CERTAIN, spec.certain ?? CERTAIN));

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
  if (state.ended === 'time') return t('on_time', state.result === 'p1win' ? first : second, state.result === 'p1win' ? second : first);
  if (state.ended === 'resignation') return t('by_resignation', state.result === 'p1win' ? first : second, state.result === 'p1win' ? second : first);
  if (state.ended === 'agreement') return t('by_agreement');
  if (spec.pieces === 'chessmen') {
    const why = chessEnd(state.boards.slice(0, state.at + 1), state.result, picture.last?.name);
    return why ? t(why, state.result === 'p1win' ? first : second) : who;
  }
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
  const rules = spec.details[0]?.key;
  if (!rules || rules === 'mini') {
    const why = came_back ? t('came_back') : t('no_more');
    return told([low + rows[0], high + rows[1]], left ? `${why} ${t('own_rows', rows[0], rows[1])}` : '');
  }
  if (rules === 'awari' && came_back) return told([low + left / 2, high + left / 2], `${t('came_back')} ${t('halves', left)}`);
  return told([low, high], left ? t('left_over', left) : '');
}
