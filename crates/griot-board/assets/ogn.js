// OGN, the Oware Game Notation of Auale: tags in its order, one letter a move, `+3` behind a move that captures three.
//
// Source: Auale's reader and writer. It skips variations, and reads only the letters of the moves.

import { readTagged, today, writeMoves, writeTags } from './tags.js';

const VARIANTS = { 'awale:awari': 'Oware Awari', 'awale:tipe': 'Oware Tipe', 'awale:mini': 'Oware Mini' };

export const writes = (game) => game === 'awale' || game.startsWith('awale:');

export const reads = (text) => /^\[/.test(text) && /\[\s*(South|North|Variant\s+"(Oware|Abapa|Awari|Tipe|Mini))/i.test(text);

const seeds = (board) => board?.split('-').slice(-3, -1).map(Number);

/** What each side has in the end. Under the rules of tournaments each keeps what lies in its row, unless one has more than half. */
function ends(game, board) {
  const counts = board.split('-').slice(0, -1).map(Number);
  const [south, north] = counts.slice(-2);
  const houses = counts.slice(0, -2);
  const sum = (row) => row.reduce((all, count) => all + count, 0);
  const half = houses.length / 2;
  const keeps = (game === 'awale' || game === 'awale:mini') && 2 * Math.max(south, north) <= sum(counts);
  return keeps ? [south + sum(houses.slice(0, half)), north + sum(houses.slice(half))] : [south, north];
}

export function write({ game, start, moves, players = [], result, date, comments, boards }) {
  const stores = boards?.map(seeds);
  const played = moves.map((move, i) => {
    const mover = /[A-Z]/.test(move) ? 0 : 1;
    const gained = stores ? stores[i + 1][mover] - stores[i][mover] : 0;
    return gained > 0 ? `${move}+${gained}` : move;
  });
  const end = result && boards ? ends(game, boards.at(-1)).join('-') : '*';
  const tags = [
    ['Variant', VARIANTS[game] ?? 'Oware Abapa'],
    ['Event', '?'],
    ['Site', '?'],
    ['Date', date ?? today()],
    ['Round', '?'],
    ['South', players[0] ?? '?'],
    ['North', players[1] ?? '?'],
    ['Result', end],
  ];
  if (start !== 'startpos') tags.push(['FEN', start]);
  return writeTags(tags) + (moves.length ? `\n${writeMoves(played, comments, end === '*' ? '' : end)}` : '');
}

export function read(text) {
  return readTagged(text).map(({ tags, words, comments }) => {
    const variant = (tags.Variant ?? '').toLowerCase();
    const game = Object.keys(VARIANTS).find((name) => variant.includes(name.split(':')[1])) ?? 'awale';
    const points = /^(\d+)-(\d+)$/.exec(tags.Result ?? '');
    const moves = words.flatMap((word) => /^([A-Fa-f])([+x(].*)?[!?]*$/.exec(word)?.[1] ?? []);
    const won = points && Math.sign(points[1] - points[2]);
    return {
      game,
      start: tags.FEN ?? 'startpos',
      moves,
      players: [tags.South, tags.North],
      result: points && { 1: 'p1win', '-1': 'p2win', 0: 'draw' }[won],
      date: tags.Date,
      comments,
    };
  });
}
