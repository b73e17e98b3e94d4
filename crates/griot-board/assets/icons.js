// A small picture of each game that the page knows, for the menu; a plain board for all others.

import { FIGURES } from './figures.js';
import { s } from './svg.js';

const dot = (/** @type {number} */ cx, /** @type {number} */ cy, /** @type {number} */ r, /** @type {string} */ kind) => s('circle', { cx, cy, r, class: kind });
const lines = (/** @type {string} */ d) => s('path', { d, class: 'lines' });

/** @type {Record<string, () => (SVGElement | SVGElement[] | SVGElement[][])[]>} */
const PICTURES = {
  awale: () => [
    s('rect', { x: 2, y: 9, width: 36, height: 22, rx: 10, class: 'wood' }),
    [0, 1, 2, 3].flatMap((i) => [dot(9 + 7.3 * i, 15.5, 2.9, 'dark'), dot(9 + 7.3 * i, 24.5, 2.9, 'dark')]),
  ],
  tictactoe: () => [
    lines('M14 5V35M26 5V35M5 14H35M5 26H35'),
    s('path', { d: 'M16 16l8 8m0-8l-8 8', class: 'one' }),
    s('circle', { cx: 31, cy: 9, r: 4, class: 'two' }),
  ],
  mnk: () => [
    lines('M6 10H34M6 20H34M6 30H34M10 6V34M20 6V34M30 6V34'),
    dot(10, 30, 4, 'black'),
    dot(20, 20, 4, 'black'),
    dot(30, 10, 4, 'black'),
    dot(10, 20, 4, 'white'),
  ],
  gomoku: () => [
    s('rect', { x: 3, y: 3, width: 34, height: 34, rx: 4, class: 'wood' }),
    lines('M6 10H34M6 20H34M6 30H34M10 6V34M20 6V34M30 6V34'),
    dot(20, 20, 4.4, 'black'),
    dot(30, 20, 4.4, 'white'),
    dot(10, 30, 4.4, 'black'),
  ],
  connect4: () => [
    s('rect', { x: 3, y: 5, width: 34, height: 30, rx: 4, class: 'blue' }),
    [0, 1, 2, 3].flatMap((x) => [0, 1, 2].map((y) => dot(8.5 + 7.7 * x, 11 + 9 * y, 3.1, y < 2 - (x % 3) ? 'hole' : x % 2 ? 'yellow' : 'red'))),
  ],
  othello: () => [
    s('rect', { x: 3, y: 3, width: 34, height: 34, rx: 3, class: 'green' }),
    dot(14, 14, 6, 'white'),
    dot(26, 14, 6, 'black'),
    dot(14, 26, 6, 'black'),
    dot(26, 26, 6, 'white'),
  ],
  nim: () => [8, 14, 20, 26, 32].map((x) => [s('path', { d: `M${x} 14V34`, class: 'stick' }), dot(x, 11, 2.8, 'red')]),
};

const squares = () => [0, 1].flatMap((x) => [0, 1].map((y) => s('rect', { x: 3 + 17 * x, y: 3 + 17 * y, width: 17, height: 17, class: (x + y) % 2 ? 'field' : 'pale' })));
/** A figure of chess on a small board. @param {string} kind */
const chess = (kind) => () => [squares(), s('path', { d: FIGURES[kind].shape, class: 'figure-of', transform: 'translate(20 20.5) scale(0.34)' })];
const draughts = () => [squares(), dot(11.5, 28.5, 7, 'white'), dot(28.5, 11.5, 7, 'black')];
Object.assign(PICTURES, { chess: chess('knight'), chess960: chess('queen'), draughts });

const PLAIN = () => [0, 1, 2, 3].flatMap((x) => [0, 1, 2, 3].map((y) => s('rect', { x: 4 + 8 * x, y: 4 + 8 * y, width: 8, height: 8, class: (x + y) % 2 ? 'field' : 'pale' })));

export const icon = (/** @type {string} */ key) =>
  s('svg', { viewBox: '0 0 40 40', class: 'icon', 'aria-hidden': 'true' }, (PICTURES[key] ?? PLAIN)().flat(2));
