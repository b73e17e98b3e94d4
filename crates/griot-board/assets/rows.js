// Board texts of grids: rows from the top with `/` between them, letters or points, numbers for empty cells, and what follows.

/** The marks of each row, null for an empty cell; whose turn it is; and what else stands behind the board. @param {string} board */
export function rowsOf(board) {
  const [field, turn = '', ...rest] = board.trim().split(/\s+/);
  /** @type {(string | null)[][]} */
  const cells = field.split('/').map((row) =>
    [...row.matchAll(/(\d+)|([a-zA-Z.])/g)].flatMap(([, empty, mark]) =>
      empty ? Array(Number(empty)).fill(null) : mark === '.' ? [null] : [mark],
    ),
  );
  return { cells, turn, rest, points: field.includes('.') };
}

/**
 * The text of rows of marks.
 * @param {(string | null)[][]} cells
 * @param {string} turn
 * @param {{ rest?: string[], points?: boolean }} [more]
 */
export function textOf(cells, turn, { rest = [], points = false } = {}) {
  const row = (/** @type {(string | null)[]} */ marks) => {
    if (points) return marks.map((mark) => mark ?? '.').join('');
    return marks
      .map((mark) => mark ?? ' ')
      .join('')
      .replace(/ +/g, (empty) => `${empty.length}`);
  };
  return [cells.map(row).join('/'), turn, ...rest].filter(Boolean).join(' ');
}
