// What a bare text may be: a position with or without its game, or moves alone. The shape says which games it can be of.

import { rowsOf } from './rows.js';

const HOUSES = /^\d+(-\d+){7,13}-[SN]$/;
const HEAPS = /^\d+(-\d+)* [12]$/;
const GRID = /^[\w.]+(\/[\w.]+)+( \S+)*$/;

/** A move of chess as people write it, or as engines do. */
const SAN = /^([KQRBN]?[a-h]?[1-8]?x?[a-h][1-8](=?[QRBNqrbn])?|[O0]-[O0](-[O0])?)[+#]?$/;
const FEN = /^[pnbrqkPNBRQK1-8]+(\/[pnbrqkPNBRQK1-8]+){7} [wb]\b/;

const family = (game) => game.split(':')[0];

/** The games that a board text can be of, the one on the board first where it fits. */
export function gamesOf(board, current) {
  const fits = (games, same) => [...new Set([...(same(current) ? [current] : []), ...games])];
  if (HOUSES.test(board)) {
    const small = board.split('-').length < 12;
    return fits(small ? ['awale:mini'] : ['awale'], (game) => family(game) === 'awale' && (game === 'awale:mini') === small);
  }
  if (HEAPS.test(board)) {
    const heaps = board.split(' ')[0];
    const same = (game) => family(game) === 'nim' && (game.split(':')[1] ?? '21').split(',')[0].split('-').length === heaps.split('-').length;
    return fits([`nim:${heaps},take=any,normal`, `nim:${heaps}`], same);
  }
  if (FEN.test(board) && board.includes('K')) return fits(['chess'], (game) => family(game).startsWith('chess'));
  if (!GRID.test(board)) return [];
  const { cells } = rowsOf(board);
  const [cols, rows] = [cells[0].length, cells.length];
  if (cells.some((row) => row.length !== cols)) return [current];
  const plain = cells.flat().every((mark) => mark === null || 'xo'.includes(mark));
  if (!plain) return [current];
  const full = (x, y) => cells[y][x] !== null;
  const games = [];
  // A stone with nothing below it has not fallen.
  const fallen = cells.every((row, y) => y + 1 === rows || row.every((mark, x) => mark === null || full(x, y + 1)));
  if (cols === 8 && rows === 8 && full(3, 3) && full(4, 3) && full(3, 4) && full(4, 4)) games.push('othello');
  if (fallen && cols === 7 && rows === 6) games.push('connect4');
  if (cols === 3 && rows === 3) games.push('tictactoe');
  if (cols === 15 && rows === 15) games.push('gomoku', 'gomokufreestyle');
  games.push(`mnk:${cols},${rows},${Math.min(5, Math.max(cols, rows))}`);
  if (fallen) games.push(`connect4:${cols},${rows},4`);
  const size = (game) => {
    const numbers = (game.split(':')[1] ?? '').split(',').map(Number);
    const named = { othello: [8, 8], tictactoe: [3, 3], gomoku: [15, 15], gomokufreestyle: [15, 15] }[game];
    if (named) return named;
    if (family(game) === 'connect4') return game === 'connect4' ? [7, 6] : numbers;
    if (family(game) === 'morpion') return [numbers[0], numbers[0]];
    return numbers;
  };
  const of = size(current);
  // A game that nobody here knows has boards of its own.
  const strange = !['awale', 'nim', 'othello', 'connect4', 'tictactoe', 'morpion', 'mnk', 'gomoku', 'gomokufreestyle'].includes(family(current));
  return fits(games, () => strange || (of[0] === cols && of[1] === rows));
}

/** Moves as people write them, without numbers, pauses and results; glued ones apart. */
function split(text) {
  const words = text
    .replace(/\d+\.+(?=\s|[A-Za-z])/g, ' ')
    .split(/[\s,;]+/)
    .filter((word) => word && !/^(1-0|0-1|1\/2-1\/2|\*)$/.test(word))
    .map((word) => word.replace(/^[Pp]@/, '').replace(/(.)[!?]+$/, '$1'));
  return words.flatMap((word) => {
    if (/^[A-Fa-f]{2,}$/.test(word)) return [...word];
    if (/^([A-Oa-o](1[0-5]|[1-9])){2,}$/.test(word) && word.length > 4) return word.match(/[A-Oa-o](1[0-5]|[1-9])/g);
    if (/^[1-9]{2,}$/.test(word)) return [...word];
    return [word];
  });
}

/** Columns of Connect Four by their letters: people name them by numbers and by the cells that stones fall to as well. */
export function columns(moves) {
  const letter = (move) => (/^[1-9]$/.test(move) ? String.fromCharCode(96 + Number(move)) : move.replace(/^([a-z])\d+$/i, '$1'));
  return moves.map(letter);
}

/** The games that moves from a start position can be of. */
function gamesOfMoves(moves, current, menu) {
  const all = (shape) => moves.every((move) => shape.test(move));
  const games = [current];
  if (all(SAN) && moves.some((move) => /^(0-0|O-O|[KQRBN]|[a-h]x)/.test(move) || /^[a-h]\d[a-h]\d/.test(move))) games.push('chess');
  const low = moves.map((move) => move.toLowerCase());
  if (all(/^[A-Fa-f]$/)) {
    const turns = moves.every((move, i) => /[A-F]/.test(move) === (i % 2 === 0));
    games.push(...(turns ? ['awale', 'connect4'] : ['connect4', 'awale']));
  } else if (all(/^([A-Ga-g]|[1-7])$/)) games.push('connect4');
  else if (all(/^([A-Za-z]\d+|0000|pa|pass|--)$/i)) {
    if (['d3', 'c4', 'f5', 'e6'].includes(low[0])) games.push('othello');
    if (low.every((move) => /^[a-c][1-3]$/.test(move))) games.push('tictactoe');
    games.push('gomoku', 'gomokufreestyle', 'nim', 'nim:3-4-5,take=any,normal');
  }
  const offered = new Set(menu.map(({ key }) => key));
  const known = (game) => game === current || !menu.length || offered.has(family(game)) || family(game) === 'gomokufreestyle';
  return [...new Set(games.filter(known))];
}

const PASSES = /^(pa|pass|--)$/i;

/** A game as the first words of a text name it, or nothing. `form` says what kind of text it is. */
export function guess(text, current, menu) {
  const said = text.trim();
  if (!said) return null;
  const parts = said.split('|');
  const list = (moves) => split(moves).map((move) => (PASSES.test(move) ? '0000' : move));
  if (parts.length > 1) {
    const named = /^[a-z]\w*(:.*)?$/i.test(parts[0].trim()) && parts[0].trim() !== 'startpos';
    const [board = 'startpos', moves = ''] = (named ? parts.slice(1) : parts).map((part) => part.trim());
    const start = (board || 'startpos').replace(/^(position\s+)?(fen\s+)?/, '');
    if (named) {
      const game = parts[0].trim().toLowerCase();
      return { form: 'line', game, start, moves: family(game) === 'connect4' ? columns(list(moves)) : list(moves) };
    }
    return { form: 'board', games: start === 'startpos' ? [current] : gamesOf(start, current), start, moves: list(moves) };
  }
  const [board, moves = ''] = said.replace(/^position\s+/, '').replace(/^fen\s+/, '').split(/\s*\bmoves\b\s*/);
  if (board === 'startpos') return { form: 'moves', games: gamesOfMoves(list(moves), current, menu), start: board, moves: list(moves) };
  const games = gamesOf(board.replace(/\s+/g, ' '), current);
  if (games.length) return { form: 'board', games, start: board.replace(/\s+/g, ' '), moves: list(moves) };
  const offered = menu.find(({ key, name }) => key === said.toLowerCase() || name === said.toLowerCase());
  if (offered && !offered.name.includes('{')) return { form: 'line', game: offered.name, start: 'startpos', moves: [] };
  const played = list(said);
  const offers = (key) => !menu.length || menu.some((entry) => entry.key === key);
  if (played.length && played.every((move) => /^[1-9]$/.test(move)) && offers('connect4')) {
    const games = [...new Set([...(family(current) === 'connect4' ? [current] : []), 'connect4'])];
    return { form: 'moves', games, start: 'startpos', moves: columns(played) };
  }
  if (played.length && played.every((move) => /^[A-Za-z0-9]{1,8}$/.test(move))) {
    return { form: 'moves', games: gamesOfMoves(played, current, menu), start: 'startpos', moves: played };
  }
  // Whatever it is, the game on the board may know it.
  return /^[\w/.\- ]+$/.test(said) ? { form: 'board', games: [current], start: said, moves: [] } : null;
}
