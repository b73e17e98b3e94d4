// A small picture of a game, for menus: the middle of a position that the engine pictures, drawn in few lines.

import { FIGURES } from './figures.js';
import { cells } from './picture.js';
import { s } from './svg.js';

/** So many columns and rows of a larger board are drawn: fewer where pieces have shapes. */
const PART = /** @type {Record<string, number>} */ ({ squares: 2 });
const USUAL_PART = 3;
/** The side of the picture, and its margin. */
const [SIDE, MARGIN] = [40, 3];

/** @typedef {import('./figures.js').Placed | null} Cell */

const dot = (/** @type {number} */ cx, /** @type {number} */ cy, /** @type {number} */ r, /** @type {string} */ kind) => s('circle', { cx, cy, r, class: kind });

/** The part of a board with the most pieces, and of several the one nearest to the middle. @param {Cell[][]} rows @param {number} [most] @returns {{ part: Cell[][], row: number, col: number }} */
export function busiest(rows, most = USUAL_PART) {
  const [high, wide] = [Math.min(most, rows.length), Math.min(most, rows[0].length)];
  let best = { part: rows, row: 0, col: 0, worth: -Infinity };
  for (let row = 0; row + high <= rows.length; row += 1) {
    for (let col = 0; col + wide <= rows[0].length; col += 1) {
      const part = rows.slice(row, row + high).map((line) => line.slice(col, col + wide));
      const far = Math.abs(2 * row + high - rows.length) + Math.abs(2 * col + wide - rows[0].length);
      const worth = part.flat().filter(Boolean).length - far / 100;
      if (worth > best.worth) best = { part, row, col, worth };
    }
  }
  return best;
}

/** What lies under the pieces of a grid: one surface, or cells of their own. @param {any} board @param {{ row: number, col: number }} at @param {number} size @param {Cell[][]} part */
function ground(board, at, size, part) {
  const [width, height] = [part[0].length * size, part.length * size];
  const plate = (/** @type {string} */ kind) => s('rect', { x: MARGIN, y: MARGIN, width, height, rx: 3, class: kind });
  const middle = (/** @type {number} */ n) => MARGIN + size * (n + 0.5);
  const across = (/** @type {number[]} */ places, /** @type {number} */ end) =>
    s('path', { class: 'lines', d: places.map((place) => `M${MARGIN} ${place}H${end}M${place} ${MARGIN}V${end}`).join('') });
  switch (board.surface) {
    case 'points':
      return [plate('wood'), across(part.map((_, i) => middle(i)), MARGIN + width)];
    case 'cloth':
      return [plate('green'), across(part.slice(1).map((_, i) => MARGIN + size * (i + 1)), MARGIN + width)];
    case 'holes':
      return [plate('blue'), part.flatMap((line, y) => line.map((_, x) => dot(middle(x), middle(y), 0.4 * size, 'hole')))];
    case 'squares': {
      const wide = board.columns.length;
      const isDark = (/** @type {number} */ x, /** @type {number} */ y) => {
        const row = board.from_top ? at.row + y : board.rows.length - 1 - at.row - y;
        return board.dark ? board.dark[row * wide + at.col + x] : (row + at.col + x) % 2 === 0;
      };
      const cell = (/** @type {number} */ x, /** @type {number} */ y) =>
        s('rect', { x: MARGIN + size * x, y: MARGIN + size * y, width: size, height: size, class: isDark(x, y) ? 'field' : 'pale' });
      return part.flatMap((line, y) => line.map((_, x) => cell(x, y)));
    }
    default:
      return [across(part.slice(1).map((_, i) => MARGIN + size * (i + 1)), MARGIN + width)];
  }
}

/** @param {any} picture a picture of a grid @returns {any[]} */
function grid(picture) {
  const { board, colors } = picture;
  const { part, ...at } = busiest(cells(picture), PART[board.surface]);
  const size = (SIDE - 2 * MARGIN) / part.length;
  const piece = (/** @type {Cell} */ one, /** @type {number} */ x, /** @type {number} */ y) => {
    if (!one) return null;
    const [cx, cy] = [MARGIN + size * (x + 0.5), MARGIN + size * (y + 0.5)];
    const color = colors?.[one.side === 'x' ? 0 : 1] ?? (one.side === 'x' ? 'black' : 'white');
    const shape = one.kind && FIGURES[one.kind]?.shape;
    if (board.pieces === 'chessmen' && shape) return s('path', { d: shape, class: `figure-of ${color}`, transform: `translate(${cx} ${cy}) scale(${size / 100})` });
    if (board.pieces !== 'marks') return dot(cx, cy, 0.4 * size, color);
    const r = 0.28 * size;
    if (one.side === 'x') return s('path', { class: 'one', d: `M${cx - r} ${cy - r}l${2 * r} ${2 * r}m0 ${-2 * r}l${-2 * r} ${2 * r}` });
    return dot(cx, cy, r, 'two');
  };
  return [ground(board, at, size, part), part.flatMap((line, y) => line.map((one, x) => piece(one, x, y)))];
}

/** Rows of houses in a board of wood: the fuller, the larger. @param {any} picture @returns {any[]} */
function houses({ board }) {
  const rows = [...board.rows].reverse();
  const step = 33 / rows[0].length;
  const house = (/** @type {{ count: number }} */ { count }, /** @type {number} */ x, /** @type {number} */ y) =>
    [dot(3.5 + step * (x + 0.5), 15 + 10 * y, 2.4, 'dark'), count > 0 && dot(3.5 + step * (x + 0.5), 15 + 10 * y, Math.min(2, 0.8 + count / 5), 'seed')];
  return [s('rect', { x: 1, y: 9, width: 38, height: 22, rx: 9, class: 'wood' }), rows.flatMap((row, y) => row.flatMap((/** @type {any} */ one, /** @type {number} */ x) => house(one, x, y)))];
}

/** Heaps of counters. @param {any} picture @returns {any[]} */
function heaps({ board }) {
  const highest = Math.max(...board.heaps.map((/** @type {{ count: number }} */ { count }) => count));
  const size = Math.min(34 / board.heaps.length, 34 / highest);
  const left = (SIDE - size * board.heaps.length) / 2;
  return board.heaps.flatMap((/** @type {{ count: number }} */ { count }, /** @type {number} */ x) =>
    Array.from({ length: count }, (_, y) => dot(left + size * (x + 0.5), SIDE - 3 - size * (y + 0.5), 0.42 * size, 'red')));
}

/** A board of which nothing is known. */
const plain = () => [0, 1, 2, 3].flatMap((x) => [0, 1, 2, 3].map((y) => s('rect', { x: 4 + 8 * x, y: 4 + 8 * y, width: 8, height: 8, class: (x + y) % 2 ? 'field' : 'pale' })));

const DRAWN = /** @type {Record<string, (picture: any) => any[]>} */ ({ grid, houses, heaps });

/** @param {Partial<Picture> | undefined} picture */
export const icon = (picture) =>
  s('svg', { viewBox: `0 0 ${SIDE} ${SIDE}`, class: 'thumb', 'aria-hidden': 'true' }, (DRAWN[picture?.board?.kind ?? ''] ?? plain)(picture).flat(3));
