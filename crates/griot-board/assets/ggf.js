// GGF, the Generic Game Format of Othello servers and programs: `(;GM[Othello]… BO[8 … *]B[F5]W[D6]…;)`, a pass is `PA`.

import { rowsOf, textOf } from './rows.js';
import { today } from './tags.js';

const START = '8/8/8/3ox3/3xo3/8/8/8 x';
const GAME = /\(;\s*GM\[othello\][\s\S]*?;?\)/gi;
const PROPERTY = /([A-Z]+)\[([^\]]*)\]/gi;

export const writes = (game) => game === 'othello';

export const reads = (text) => /\(;\s*GM\[othello\]/i.test(text);

/** Discs of a board text, black's and white's. */
const discs = (board) => [...rowsOf(board).cells.flat()].reduce(([x, o], mark) => [x + (mark === 'x'), o + (mark === 'o')], [0, 0]);

export function write({ start, moves, players = [], result, date, boards }) {
  const board = start === 'startpos' ? START : start;
  const { cells, turn } = rowsOf(board);
  const marks = { x: '*', o: 'O' };
  const field = cells.map((row) => row.map((mark) => marks[mark] ?? '-').join('')).join(' ');
  const [x, o] = result && boards ? discs(boards.at(-1)) : [0, 0];
  const score = result ? `${x - o >= 0 ? '+' : ''}${x - o}` : '?';
  const first = turn === 'x';
  const played = moves.map((move, i) => {
    const side = (i % 2 === 0) === first ? 'B' : 'W';
    return `${side}[${move === '0000' ? 'PA' : move.toUpperCase()}]`;
  });
  const text = (value) => `${value ?? '?'}`.replace(/[[\];()]/g, ' ');
  return (
    `(;GM[Othello]PC[griot]DT[${date ?? today()}]PB[${text(players[0])}]PW[${text(players[1])}]RE[${score}]TY[8]` +
    `BO[8 ${field} ${first ? '*' : 'O'}]${played.join('')};)\n`
  );
}

export function read(text) {
  return [...text.matchAll(GAME)].map(([game]) => {
    const tags = {};
    const moves = [];
    for (const [, name, value] of game.matchAll(PROPERTY)) {
      const key = name.toUpperCase();
      if (key !== 'B' && key !== 'W') {
        tags[key] = value.trim();
        continue;
      }
      const [move] = value.trim().toLowerCase().split('/');
      moves.push(/^(pa|pass)?$/.test(move) ? '0000' : move);
    }
    const field = (tags.BO ?? '').replace(/^8/, '').replace(/\s/g, '');
    let start = 'startpos';
    if (field.length === 65) {
      const marks = [...field.slice(0, 64)].map((mark) => ({ '*': 'x', O: 'o', o: 'o', 0: 'o' })[mark] ?? null);
      const rows = Array.from({ length: 8 }, (_, row) => marks.slice(8 * row, 8 * row + 8));
      const board = textOf(rows, field[64] === '*' ? 'x' : 'o');
      if (board !== START) start = board;
    }
    const score = Number.parseFloat(tags.RE);
    const result = Number.isNaN(score) ? null : score > 0 ? 'p1win' : score < 0 ? 'p2win' : 'draw';
    return { game: 'othello', start, moves, players: [tags.PB, tags.PW], result, date: tags.DT };
  });
}
