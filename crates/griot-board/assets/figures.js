// Pieces: their drawings by the style that a picture says, their names, and which rights to castle chessmen leave.

import { s } from './svg.js';
import { t, word } from './words.js';

/** What every figure stands on. */
const FOOT = 'M-29 37v-6c0-5 4-9 9-9h40c5 0 9 4 9 9v6z';

/** Chessmen by their kinds, around the middle of a square whose side is 100: an outline, and lines that are drawn into it. @type {Record<string, { shape: string, lines: string }>} */
export const FIGURES = {
  pawn: {
    shape: `M-12-3c-5-3-8-8-8-14a16 16 0 0 1 40 0c0 6-3 11-8 14 3 9 9 16 10 25h-44c1-9 7-16 10-25z${FOOT}`,
    lines: 'M-12-3h24',
  },
  rook: {
    shape: `M-25-36h12v8h7v-8h12v8h7v-8h12v17l-8 7 3 34h-40l3-34-8-7z${FOOT}`,
    lines: 'M-17-12h34M-20 22h40',
  },
  knight: {
    shape: `M-19 22c-1-13 6-19 13-26 3-3 4-6 4-9-5 3-9 7-15 8-4 1-6 5-10 5-5 0-8-4-7-9 1-6 7-9 10-15 3-7 7-12 14-15l2-8 8 6c17 4 25 20 24 37 0 10-2 18-3 26z${FOOT}`,
    lines: 'M-12-19l-4 3M10-27c7 6 10 15 9 26M-20 22h42',
  },
  bishop: {
    shape: `M0-42a5 5 0 0 1 4 8c11 7 17 16 17 26 0 8-4 13-8 17l3 13h-32l3-13c-4-4-8-9-8-17 0-10 6-19 17-26a5 5 0 0 1 4-8z${FOOT}`,
    lines: 'M6-26l-9 14M-13 9h26M-16 22h32',
  },
  queen: {
    shape: `M-33-29a5 5 0 1 1 5 4l9 22 3-29a5 5 0 1 1 6-1l10 28 10-28a5 5 0 1 1 6 1l3 29 9-22a5 5 0 1 1 5-4l-8 37 1 14h-48l1-14z${FOOT}`,
    lines: 'M-25 8c16-6 34-6 50 0M-24 22h48',
  },
  king: {
    shape: `M-3-44h6v7h7v6h-7v7c2 1 4 3 5 6 9-8 26-5 26 11 0 12-10 17-12 29h-44c-2-12-12-17-12-29 0-16 17-19 26-11 1-3 3-5 5-6v-7h-7v-6h7z${FOOT}`,
    lines: 'M0-16v24M-26 8c16-6 36-6 52 0M-22 22h44',
  },
};

/** @typedef {{ side: 'x' | 'o', mark: string, kind?: string }} Placed a piece, and whose it is */

/** A chessman around the origin. @param {string} kind */
export function figure(kind) {
  const { shape, lines } = FIGURES[kind];
  return [s('path', { class: 'figure', d: shape }), s('path', { class: 'carving', d: lines })];
}

/** A draughtsman: a disc with grooves; a king is two discs, the upper one with a crown. @param {Placed} piece @param {string} color */
function draughtsman({ side, kind }, color) {
  const disc = (/** @type {number} */ y) => s('circle', { class: `man ${color}`, cy: y, r: 36, fill: `url(#piece-${side})` });
  if (kind !== 'king') return [disc(0), ...[26, 15].map((r) => s('circle', { class: `groove ${color}`, r }))];
  return [
    disc(8),
    disc(-5),
    s('path', { class: `crown ${color}`, d: 'M-20 8v-24l11 11 9-17 9 17 11-11v24z' }),
  ];
}

/** The radius of a stone on each kind of board. */
const RADIUS = /** @type {Record<string, number>} */ ({ holes: 43, cloth: 40 });

/** What a piece is drawn with, around the origin of a cell whose side is 100. @param {Placed} piece @param {Spec} spec */
export function shapes(piece, spec) {
  const { side, mark, kind } = piece;
  const color = colorOf(piece, spec);
  if (spec.pieces === 'chessmen' && kind && FIGURES[kind]) return figure(kind);
  if (spec.pieces === 'men') return draughtsman(piece, color);
  if (spec.pieces === 'stones') {
    const r = RADIUS[spec.surface] ?? 44;
    return [
      spec.surface !== 'holes' && s('ellipse', { class: 'shade', cx: 3, cy: 5, rx: r, ry: r }),
      s('circle', { class: `stone ${side} ${color}`, r, fill: `url(#piece-${side})` }),
      spec.surface === 'holes' && s('circle', { class: `ring ${side}`, r: 28 }),
    ].filter(Boolean);
  }
  if (mark === 'x') return [s('path', { class: `mark ${side}`, d: 'M-25 -25L25 25M25 -25L-25 25', pathLength: 1 })];
  if (mark === 'o') return [s('circle', { class: `mark ${side}`, r: 28, pathLength: 1 })];
  return [s('text', { class: `letter ${side}`, y: 21 }, mark)];
}

/** The colour of a piece: black and white where the picture says none. @param {Placed} piece @param {Spec} spec */
export const colorOf = ({ side }, { colors }) => (colors ?? ['black', 'white'])[side === 'x' ? 0 : 1];

/** A piece by itself. @param {Placed} piece @param {Spec} spec */
export const smallPiece = (piece, spec) =>
  s('svg', { viewBox: '-48 -50 96 96', class: 'small-figure', 'aria-hidden': 'true' },
    s('g', { class: `piece ${piece.side} ${colorOf(piece, spec)}` }, shapes(piece, spec)));

/** What it is called: by its side, and by its kind where there are several. @param {Placed} piece @param {Spec} spec */
export function pieceName({ side, kind }, spec) {
  const owner = t(spec.sides[side === 'x' ? 0 : 1]);
  return kind ? t('piece', word(`piece_${kind}`, kind), owner) : owner;
}

/** The piece with a mark. @param {Spec} spec @param {string} mark @returns {Placed} */
export const pieceOf = (spec, mark) => spec.set?.find((/** @type {Placed} */ piece) => piece.mark === mark) ?? { side: 'x', mark };

/** The rights of a FEN for which king and rook stand where they castle from, in either way to write them. @param {string} rights @param {(string | null)[][]} cells */
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
