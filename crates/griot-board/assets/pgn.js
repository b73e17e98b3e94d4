// Chess and Chess960, and the games of Cute Chess in the same tags: `tictactoe`, `cfour`, `gomoku` and `gomokufreestyle`, whose
// moves are drops, `P@b2`.

import { readTagged, today, writeMoves, writeTags } from './tags.js';

const VARIANTS = { tictactoe: 'tictactoe', 'morpion:3': 'tictactoe', connect4: 'cfour', gomoku: 'gomoku', gomokufreestyle: 'gomokufreestyle' };
const RESULTS = { p1win: '1-0', p2win: '0-1', draw: '1/2-1/2' };
const ENDS = new Set(['1-0', '0-1', '1/2-1/2', '*']);

const CHESS = /^(|\?|standard|chess|classical|normal|from position)$/;
const CHESS960 = /^(chess ?960|fischer(e)?random( chess)?)$/;
/** Chess, and the start positions of Chess960. */
const isChess = (game) => /^chess(960)?(:|$)/.test(game);

export const writes = (game) => game in VARIANTS || isChess(game);

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

export function write({ game, start, moves, names, boards, players = [], result, date, comments }) {
  const drops = !isChess(game);
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
  ];
  if (drops) tags.push(['Variant', VARIANTS[game]]);
  else if (game !== 'chess') tags.push(['Variant', 'Chess960']);
  // Readers of Chess960 do not know the numbers of the start positions.
  const first = start === 'startpos' && !drops && game !== 'chess' ? boards?.[0] : start;
  if (first && first !== 'startpos') tags.push(['FEN', first], ['SetUp', '1']);
  const [, turn, , , , number] = drops || !first ? [] : first.split(' ');
  return `${writeTags(tags)}\n${writeMoves(
    drops ? cells.map((cell) => `P@${cell}`) : (names ?? moves),
    comments,
    end,
    { number: Number(number) || 1, second: turn === 'b' },
  )}`;
}

export function read(text) {
  return readTagged(text).flatMap(({ tags, words, comments }) => {
    const variant = (tags.Variant ?? '').toLowerCase();
    const chess = CHESS.test(variant) ? 'chess' : CHESS960.test(variant) ? 'chess960' : null;
    const game = chess ?? Object.keys(VARIANTS).find((name) => VARIANTS[name] === variant);
    if (!game) return [];
    const bare = (word) => (chess ? word : word.replace(/^[Pp]?@/, '').replace(/[+#]+$/, ''));
    const played = words.filter((word) => !ENDS.has(word) && !/^(e\.p\.|[!?]+)$/.test(word)).map((word) => bare(word.replace(/[!?]+$/, '')));
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
