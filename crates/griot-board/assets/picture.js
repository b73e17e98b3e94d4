// Positions as the engine pictures them (`query picture` in protocol.md), turned as the page draws: rows from the top.

/** The picture of a position by its board text and its moves, for engines that know no other. @param {string} text @param {string[]} legal @returns {Picture} */
export const plainPicture = (text, legal) => ({
  players: 'numbers',
  board: { kind: 'text', text },
  counts: null,
  moves: legal.map((move) => ({ move })),
  last: null,
});

/** A piece as the page draws it. @param {Piece} piece @returns {import('./figures.js').Placed} */
export const placed = ({ owner, mark, kind }) => ({ side: owner === 'first' ? 'x' : 'o', mark, kind });

/** Cells of a grid, row by row from the top: whose piece and its mark, or nothing. @param {Picture} picture @returns {(import('./figures.js').Placed | null)[][]} */
export function cells({ board }) {
  const wide = board.columns.length;
  const rows = board.rows.map((/** @type {string} */ _, /** @type {number} */ row) =>
    board.cells.slice(row * wide, (row + 1) * wide).map((/** @type {Piece | null} */ piece) => piece && placed(piece)),
  );
  return board.from_top ? rows : rows.reverse();
}

/** Column and row, from the top, of a point of a grid. @param {Picture} picture @param {Point} point @returns {Point} */
export const placeOf = ({ board }, [col, row]) => [col, board.from_top ? row : board.rows.length - 1 - row];

/** @typedef {{ from?: Point, to?: Point, via?: Point[] }} Way */

/** The points of a move in the order in which a person shows them. @param {Way} way @returns {Point[]} */
export const pointsOf = ({ from, via = [], to }) => /** @type {Point[]} */ ([from, ...via, to].filter(Boolean));

/** The points of a move on each of its ways: a piece may choose where it stops between two captures. @param {Stroke} stroke @returns {Point[][]} */
export const waysOf = ({ from, via = [], ways = [], to }) => [via, ...ways].map((stops) => pointsOf({ from, via: stops, to }));

/** The name of a cell, in columns and rows as the picture counts them. @param {Picture} picture @param {Point} point @returns {string} */
export const cellName = ({ board }, [col, row]) => board.labels?.[row * board.columns.length + col] ?? `${board.columns[col]}${board.rows[row]}`;

/** The cell with a name. @param {Picture} picture @param {string} name @returns {Point | null} */
function cellOf({ board }, name) {
  const wide = board.columns.length;
  if (board.labels) {
    const at = board.labels.indexOf(name);
    return at < 0 ? null : [at % wide, Math.floor(at / wide)];
  }
  const [, col = '', row = ''] = /^([a-z]+)([0-9]+)$/.exec(name) ?? [];
  const point = /** @type {Point} */ ([board.columns.indexOf(col), board.rows.indexOf(row)]);
  return point.includes(-1) ? null : point;
}

/** From where to where a move goes, by the names of cells in its text: for moves of positions to come. @param {Picture} picture @param {string} move @returns {Way} */
export function wayByName(picture, move) {
  // An x between two cells is a capture and not a column.
  const named = [...move.matchAll(/[a-z]*[0-9]+/g)].map(([name]) => cellOf(picture, name) ?? cellOf(picture, name.replace(/^x/, '')));
  const points = named.filter((point) => point !== null);
  if (!points.length || points.length < named.length) return {};
  if (points.length === 1) return { to: points[0] };
  return { from: points[0], via: points.slice(1, -1), to: points.at(-1) };
}

/** What the players are called: keys of words, or marks as they are. @param {Picture} picture @returns {string[]} */
export function sidesOf({ players, colors }) {
  if (players === 'compass') return ['south', 'north'];
  if (colors) return colors;
  return players.marks ?? ['player1', 'player2'];
}

/** Houses as the seeds go round: their names, what is in them, and the stores. @param {Picture} picture @returns {{ names: string[], houses: number[], stores: [number, number] }} */
export function houses({ board }) {
  const [lower, upper] = board.rows;
  /** @type {{ name: string, count: number }[]} */
  const all = [...lower, ...[...upper].reverse()];
  return { names: all.map((house) => house.name), houses: all.map((house) => house.count), stores: board.stores };
}

/** The place of a point in that order. @param {Picture} picture @param {Point} point @returns {number} */
export const houseOf = ({ board }, [col, row]) => (row ? 2 * board.rows[0].length - 1 - col : col);
