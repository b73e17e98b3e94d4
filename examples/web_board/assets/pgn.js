// The games of Cute Chess in the tags of chess: `tictactoe`, `cfour`, `gomoku` and `gomokufreestyle`, each move a drop, `P@b2`.

import { readTagged, today, writeMoves, writeTags } from './tags.js';

const VARIANTS = { tictactoe: 'tictactoe', 'morpion:3': 'tictactoe', connect4: 'cfour', gomoku: 'gomoku', gomokufreestyle: 'gomokufreestyle' };
const RESULTS = { p1win: '1-0', p2win: '0-1', draw: '1/2-1/2' };
const ENDS = new Set(['1-0', '0-1', '1/2-1/2', '*']);

export const writes = (game) => game in VARIANTS;

export const reads = (text) => /^\[/.test(text) && /\[\s*(White|Black|Variant|Event)\s+"/.test(text);

/** The cells that the moves of Connect Four fall to. `start` is the board that they are played on. */
export function cellsOf(moves, start) {
  const filled = {};
  if (start !== 'startpos') {
    for (const row of start.split(' ')[0].split('/')) {
      let col = 0;
      for (const [, empty, mark] of row.matchAll(/(\d+)|([a-z])/g)) {
        if (mark) {
          const name = String.fromCharCode(97 + col);
          filled[name] = (filled[name] ?? 0) + 1;
        }
        col += empty ? Number(empty) : 1;
      }
    }
  }
  return moves.map((move) => `${move}${(filled[move] = (filled[move] ?? 0) + 1)}`);
}

export function write({ game, start, moves, players = [], result, date, comments }) {
  const cells = game === 'connect4' ? cellsOf(moves, start) : moves;
  const end = RESULTS[result] ?? '*';
  const tags = [
    ['Event', '?'],
    ['Site', '?'],
    ['Date', date ?? today()],
    ['Round', '?'],
    ['White', players[0] ?? '?'],
    ['Black', players[1] ?? '?'],
    ['Result', end],
    ['Variant', VARIANTS[game]],
  ];
  if (start !== 'startpos') tags.push(['FEN', start], ['SetUp', '1']);
  return `${writeTags(tags)}\n${writeMoves(
    cells.map((cell) => `P@${cell}`),
    comments,
    end,
  )}`;
}

export function read(text) {
  return readTagged(text).flatMap(({ tags, words, comments }) => {
    const variant = (tags.Variant ?? '').toLowerCase();
    const game = Object.keys(VARIANTS).find((name) => VARIANTS[name] === variant);
    const played = words.filter((word) => !ENDS.has(word)).map((word) => word.replace(/^[Pp]?@/, '').replace(/[!?+#]+$/, ''));
    if (!game) return [];
    return [
      {
        game,
        start: tags.FEN ?? 'startpos',
        // Of the cell that a stone falls to, the engine wants the column.
        moves: game === 'connect4' ? played.map((cell) => cell[0]) : played,
        players: [tags.White, tags.Black],
        result: Object.keys(RESULTS).find((name) => RESULTS[name] === tags.Result) ?? null,
        date: tags.Date,
        comments,
      },
    ];
  });
}
