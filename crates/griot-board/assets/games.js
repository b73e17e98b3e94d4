// From a game and a picture of it to what the page needs to draw it. No rules: those are the engine's.

import { AwaleBoard } from './awale.js';
import { chessEnd, draughtsEnd } from './ends.js';
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

/** What a game is called, in the page's words where it has some. @param {GameFacts} facts */
export function gameTitle({ key, title: english, details, row }) {
  const known = row ? tell(`${key}_of`, null, row) : null;
  const more = details.map((one) => (one.key ? word(one.key, one.title) : one.title));
  return [known ?? word(key, english), ...more].join(' · ');
}

/** The name for people. @param {Spec} spec */
export const title = (spec) => gameTitle({ key: spec.family, title: spec.title, details: spec.details, row: spec.k });

/** @param {Spec} spec @param {number} which */
export const side = (spec, which) => t(spec.sides[which]);

/**
 * A board for what a picture shows. `choose` is called with the move that is clicked; `options` say how it lies.
 * @param {Spec} spec
 * @param {Picture} picture
 * @param {(move: string) => unknown} choose
 * @param {BoardOptions} options
 */
export function makeBoard(spec, picture, choose, options) {
  switch (spec.kind) {
    case 'grid':
      return new GridBoard(spec, picture, choose, options);
    case 'houses':
      return new AwaleBoard(spec, picture, choose, options);
    case 'heaps':
      return new NimBoard(spec, picture, choose, options);
    default:
      return new TextBoard(spec, picture, choose, options);
  }
}

/** Scores from here on are wins whose length nobody knows; what is beyond is the margin in hundredths. */
const CERTAIN = 100_000;

/** The moves to a win or the hundredths: above zero the first player's. @param {Score} score */
const worth = (score) => score.mate ?? score.cp;

/** Whether a score is a fact: who wins, perhaps not how soon. @param {Spec} spec @param {Score | null | undefined} score @returns {score is Score} */
export const isCertain = (spec, score) =>
  !!score && (score.mate !== undefined || Math.abs(score.cp ?? 0) >= Math.min(CERTAIN, spec.certain ?? CERTAIN));

/** How far the first player is ahead, from -1 to 1. @param {Spec} spec @param {Score | null | undefined} score */
export function share(spec, score) {
  if (!score) return 0;
  if (isCertain(spec, score)) return worth(score) > 0 ? 1 : -1;
  return 0.96 * Math.tanh(worth(score) / spec.scale);
}

/** The value of a finished game. @type {Record<Result, Score>} */
export const final = { p1win: { mate: 1 }, p2win: { mate: -1 }, draw: { cp: 0 } };

/** What the first player may expect of a game, from 0 to 1. @param {Spec} spec @param {Score | null | undefined} score */
export const expected = (spec, score) => (share(spec, score) + 1) / 2;

/** Who is ahead, and the margin that a certain win has, if it has one. @param {Spec} spec @param {Score} score */
function win(spec, score) {
  const ahead = worth(score) > 0 ? 0 : 1;
  const margin = score.mate === undefined ? Math.round((Math.abs(worth(score)) - CERTAIN) / 100) : 0;
  return { name: side(spec, ahead), in: score.mate && Math.abs(score.mate), by: Math.max(0, margin) };
}

/** A score in words: for whom, and by how much. @param {Spec} spec @param {Score | null | undefined} score */
export function tellScore(spec, score) {
  if (!score) return '–';
  if (isCertain(spec, score)) {
    const { name, in: moves, by } = win(spec, score);
    return moves ? t('wins_in', name, moves) : by ? t('wins_by', name, by) : t('wins', name);
  }
  const cp = worth(score);
  if (cp === 0) return t('even');
  return t('stands', side(spec, cp > 0 ? 0 : 1), `+${(Math.abs(cp) / 100).toFixed(2)}`);
}

/** A score in a few signs, for the first player: above zero that one stands better. @param {Spec} spec @param {Score | null | undefined} score */
export function signScore(spec, score) {
  if (!score) return '–';
  if (isCertain(spec, score)) {
    const { name, in: moves, by } = win(spec, score);
    return moves ? t('short_in', name, moves) : by ? t('short_by', name, by) : t('wins', name);
  }
  const cp = worth(score);
  if (cp === 0) return '0.00';
  const value = (Math.abs(cp) / 100).toFixed(Math.abs(cp) < 10_000 ? 2 : 0);
  return `${cp > 0 ? '+' : '−'}${value}`;
}

/** The same in the few letters for which there is room in the bar, on a point or on a house: whose it is, the place says. @param {Spec} spec @param {Score | null | undefined} score */
export function tinyScore(spec, score) {
  if (!score) return '';
  if (isCertain(spec, score)) {
    const { in: moves, by } = win(spec, score);
    return moves ? t('tiny_in', moves) : by ? t('tiny_by', by) : t('tiny_win');
  }
  const cp = worth(score);
  const size = Math.abs(cp) / 100;
  const value = size < 10 ? size.toFixed(1) : size.toFixed(0);
  return Number(value) === 0 ? '0' : `${cp > 0 ? '+' : '−'}${value}`;
}

/** How a game ended, in full. @param {Spec} spec @param {ServerState} state @param {Picture} picture @returns {string} */
export function tellResult(spec, state, picture) {
  const [first, second] = [side(spec, 0), side(spec, 1)];
  const who = t(state.result ?? '', first, second);
  if (state.ended === 'time') return t('on_time', state.result === 'p1win' ? first : second, state.result === 'p1win' ? second : first);
  if (state.ended === 'resignation') return t('by_resignation', state.result === 'p1win' ? first : second, state.result === 'p1win' ? second : first);
  if (state.ended === 'agreement') return t('by_agreement');
  if (spec.pieces === 'chessmen') {
    const why = chessEnd(state.boards.slice(0, state.at + 1), state.result, picture.last?.name);
    return why ? t(why, state.result === 'p1win' ? first : second) : who;
  }
  if (spec.pieces === 'men') {
    const [why, whose] = draughtsEnd(state.boards.slice(0, state.at + 1), state.result, picture, spec.details.map(({ key }) => key ?? ''));
    return state.result === 'draw' ? t(why) : t(why, who, side(spec, whose));
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

/** The rules say who gets what is left on the board; which rules those are, the name of the game says. @param {Spec} spec @param {ServerState} state @param {{ rows: { count: number }[][], stores: [number, number] }} board @param {string} who */
function awaleResult(spec, state, board, who) {
  const rows = board.rows.map((row) => row.reduce((sum, house) => sum + house.count, 0));
  const [low, high] = board.stores;
  const left = rows[0] + rows[1];
  const all = low + high + left;
  const told = (/** @type {number[]} */ points, /** @type {string} */ why) => {
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
