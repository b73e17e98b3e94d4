// Positions as the engine pictures them (`query picture` in protocol.md), turned as the page draws: rows from the top.

/** The picture of a position by its board text and its moves, for engines that know no other. */
export const plainPicture = (text, legal) => ({
  players: 'numbers',
  board: { kind: 'text', text },
  counts: null,
  moves: legal.map((move) => ({ move })),
  last: null,
});

/** Cells of a grid, row by row from the top: whose piece and its mark, or nothing. */
export function cells({ board }) {
  const wide = board.columns.length;
  const rows = board.rows.map((_, row) =>
    board.cells
      .slice(row * wide, (row + 1) * wide)
      .map((piece) => piece && { side: piece.owner === 'first' ? 'x' : 'o', mark: piece.mark }),
  );
  return board.from_top ? rows : rows.reverse();
}

/** Column and row, from the top, of a point of a grid. */
export const placeOf = ({ board }, [col, row]) => [col, board.from_top ? row : board.rows.length - 1 - row];

/** From where to where a move goes, by the names of the columns and rows in its text: for moves of positions to come. */
export function wayByName({ board }, move) {
  const number = (labels, label) => labels.indexOf(label);
  const points = [...move.matchAll(/([a-z]+)([0-9]+)/g)].map(([, col, row]) => [
    number(board.columns, col),
    number(board.rows, row),
  ]);
  if (!points.length || points.some((point) => point.includes(-1))) return {};
  return points.length > 1 ? { from: points[0], to: points.at(-1) } : { to: points[0] };
}

/** What the players are called: keys of words, or marks as they are. */
export function sidesOf({ players }) {
  if (players === 'compass') return ['south', 'north'];
  return players.marks ?? ['player1', 'player2'];
}

/** Houses as the seeds go round: their names, what is in them, and the stores. */
export function houses({ board }) {
  const [lower, upper] = board.rows;
  const all = [...lower, ...[...upper].reverse()];
  return { names: all.map((house) => house.name), houses: all.map((house) => house.count), stores: board.stores };
}

/** The place of a point in that order. */
export const houseOf = ({ board }, [col, row]) => (row ? 2 * board.rows[0].length - 1 - col : col);
