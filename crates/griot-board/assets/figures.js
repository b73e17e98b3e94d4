// The figures of chess: their drawings, their names, and which rights to castle they leave.

import { s } from './svg.js';
import { t, word } from './words.js';

/** What every figure stands on. */
const FOOT = 'M-29 37v-6c0-5 4-9 9-9h40c5 0 9 4 9 9v6z';

/** Around the middle of a square whose side is 100: an outline, and lines that are drawn into it. */
export const FIGURES = {
  p: {
    shape: `M-12-3c-5-3-8-8-8-14a16 16 0 0 1 40 0c0 6-3 11-8 14 3 9 9 16 10 25h-44c1-9 7-16 10-25z${FOOT}`,
    lines: 'M-12-3h24',
  },
  r: {
    shape: `M-25-36h12v8h7v-8h12v8h7v-8h12v17l-8 7 3 34h-40l3-34-8-7z${FOOT}`,
    lines: 'M-17-12h34M-20 22h40',
  },
  n: {
    shape: `M-19 22c-1-13 6-19 13-26 3-3 4-6 4-9-5 3-9 7-15 8-4 1-6 5-10 5-5 0-8-4-7-9 1-6 7-9 10-15 3-7 7-12 14-15l2-8 8 6c17 4 25 20 24 37 0 10-2 18-3 26z${FOOT}`,
    lines: 'M-12-19l-4 3M10-27c7 6 10 15 9 26M-20 22h42',
  },
  b: {
    shape: `M0-42a5 5 0 0 1 4 8c11 7 17 16 17 26 0 8-4 13-8 17l3 13h-32l3-13c-4-4-8-9-8-17 0-10 6-19 17-26a5 5 0 0 1 4-8z${FOOT}`,
    lines: 'M6-26l-9 14M-13 9h26M-16 22h32',
  },
  q: {
    shape: `M-33-29a5 5 0 1 1 5 4l9 22 3-29a5 5 0 1 1 6-1l10 28 10-28a5 5 0 1 1 6 1l3 29 9-22a5 5 0 1 1 5-4l-8 37 1 14h-48l1-14z${FOOT}`,
    lines: 'M-25 8c16-6 34-6 50 0M-24 22h48',
  },
  k: {
    shape: `M-3-44h6v7h7v6h-7v7c2 1 4 3 5 6 9-8 26-5 26 11 0 12-10 17-12 29h-44c-2-12-12-17-12-29 0-16 17-19 26-11 1-3 3-5 5-6v-7h-7v-6h7z${FOOT}`,
    lines: 'M0-16v24M-26 8c16-6 36-6 52 0M-22 22h44',
  },
};

/** A figure around the origin. */
export function figure(mark) {
  const { shape, lines } = FIGURES[mark.toLowerCase()];
  return [s('path', { class: 'figure', d: shape }), s('path', { class: 'carving', d: lines })];
}

/** A figure by itself. */
export const smallFigure = (mark) =>
  s('svg', { viewBox: '-46 -50 92 94', class: 'small-figure', 'aria-hidden': 'true' },
    s('g', { class: `piece ${mark === mark.toUpperCase() ? 'x' : 'o'}` }, figure(mark)));

/** What it is called, with its side. */
export const figureName = (mark) => t('piece', word(`piece_${mark.toLowerCase()}`, mark), t(mark === mark.toUpperCase() ? 'white' : 'black'));

/** The rights of a FEN for which king and rook stand where they castle from, in either way to write them. */
export function rightsLeft(rights, cells) {
  const left = [...rights].filter((right) => {
    const white = right === right.toUpperCase();
    const row = cells[white ? 7 : 0].map((mark) => (mark && (mark === mark.toUpperCase()) === white ? mark.toLowerCase() : null));
    const kind = right.toLowerCase();
    if (kind === 'k' || kind === 'q') return row[4] === 'k' && row[kind === 'k' ? 7 : 0] === 'r';
    return row.includes('k') && row['abcdefgh'.indexOf(kind)] === 'r';
  });
  return left.join('') || '-';
}
