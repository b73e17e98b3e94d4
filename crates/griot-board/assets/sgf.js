// SGF of gomoku (GM[4]), and that of Othello (GM[2]) to read: points as two letters, column and row from the top left corner.

import { rowsOf, textOf } from './rows.js';
import { today } from './tags.js';

const letter = (n) => String.fromCharCode((n < 26 ? 97 : 39) + n);
const number = (sign) => (sign >= 'a' ? sign.charCodeAt(0) - 97 : sign.charCodeAt(0) - 39);

/** Columns and rows of the games that are written so. */
function sizeOf(game) {
  if (['gomoku', 'gomokufreestyle', 'renju'].includes(game)) return [15, 15];
  const [, cols, rows] = /^mnk:(\d+),(\d+),5(?:,exact)?$/.exec(game) ?? [];
  return cols && [Number(cols), Number(rows)];
}

export const writes = (game) => !!sizeOf(game);

export const reads = (text) => /^\(\s*;/.test(text) && !/GM\[othello\]/i.test(text) && /\b(GM|FF|SZ)\[/.test(text);

const safe = (text) => `${text ?? ''}`.replace(/[\\\]]/g, '\\$&');

export function write({ game, start, moves, players = [], result, date, comments }) {
  const [cols, rows] = sizeOf(game);
  const point = (move) => {
    const [, col, row] = /^([a-z])(\d+)$/.exec(move);
    return letter(col.charCodeAt(0) - 97) + letter(rows - Number(row));
  };
  let turn = 'x';
  let setup = '';
  if (start !== 'startpos') {
    const board = rowsOf(start);
    turn = board.turn;
    const of = (mark) => board.cells.flatMap((row, y) => row.flatMap((one, x) => (one === mark ? `[${letter(x)}${letter(y)}]` : [])));
    const stones = (name, mark) => (of(mark).length ? name + of(mark).join('') : '');
    setup = `${stones('AB', 'x')}${stones('AW', 'o')}PL[${turn === 'x' ? 'B' : 'W'}]`;
  }
  const won = { p1win: 'B+', p2win: 'W+', draw: '0' }[result];
  const head =
    `FF[4]GM[4]CA[UTF-8]AP[griot]SZ[${cols === rows ? cols : `${cols}:${rows}`}]RU[${safe(game)}]DT[${(date ?? today()).replaceAll('.', '-')}]` +
    `PB[${safe(players[0])}]PW[${safe(players[1])}]${won ? `RE[${won}]` : ''}${setup}`;
  const played = moves.map((move, i) => {
    const side = (i % 2 === 0) === (turn === 'x') ? 'B' : 'W';
    const said = comments?.[i + 1];
    return `;${side}[${point(move)}]${said ? `C[${safe(said)}]` : ''}`;
  });
  return `(;${head}\n${played.join('')})\n`;
}

/** The properties of the main line, node by node: the first branch wherever there are several. */
function mainLine(text) {
  const nodes = [];
  let depth = 0;
  // Where a branch has ended, its siblings are not the main line.
  let ended = Infinity;
  const sign = /\(|\)|;|([A-Za-z]+)((?:\s*\[(?:\\[\s\S]|[^\]\\])*\])+)/g;
  for (const [token, name, values] of text.matchAll(sign)) {
    if (token === '(') depth += 1;
    else if (token === ')') {
      ended = Math.min(ended, depth);
      depth -= 1;
      if (depth === 0) break;
    } else if (depth >= ended) continue;
    else if (token === ';') nodes.push({});
    else if (nodes.length) {
      const list = [...values.matchAll(/\[((?:\\[\s\S]|[^\]\\])*)\]/g)].map(([, value]) => value.replace(/\\([\s\S])/g, '$1'));
      nodes.at(-1)[name.replace(/[a-z]/g, '')] = list;
    }
  }
  return nodes;
}

export function read(text) {
  const nodes = mainLine(text);
  const [root = {}] = nodes;
  const [cols, rows = cols] = (root.SZ?.[0] ?? (root.GM?.[0] === '2' ? '8' : '15')).split(':').map(Number);
  const othello = root.GM?.[0] === '2';
  if (root.GM && !othello && root.GM[0] !== '4') return [];
  const name = (sign) => {
    // Othello's servers write `f5` as people do.
    if (/^[a-z]\d+$/i.test(sign)) return sign.toLowerCase();
    const [x, y] = [number(sign[0]), number(sign[1])];
    return `${String.fromCharCode(97 + x)}${othello ? y + 1 : rows - y}`;
  };
  const moves = [];
  const comments = {};
  for (const node of nodes) {
    const played = node.B?.[0] ?? node.W?.[0];
    if (played !== undefined) moves.push(played && !/^(tt|pa|pass)$/i.test(played) ? name(played) : '0000');
    if (node.C) comments[moves.length] = node.C[0];
  }
  let start = 'startpos';
  if (!othello && (root.AB || root.AW)) {
    const cells = Array.from({ length: rows }, () => Array(cols).fill(null));
    for (const [mark, list] of [['x', root.AB], ['o', root.AW]]) {
      for (const sign of list ?? []) cells[number(sign[1])][number(sign[0])] = mark;
    }
    const turn = root.PL ? (root.PL[0] === 'B' ? 'x' : 'o') : (root.AB?.length ?? 0) > (root.AW?.length ?? 0) ? 'o' : 'x';
    start = textOf(cells, turn);
  }
  const told = root.RU?.[0] ?? '';
  const square = cols === 15 && rows === 15;
  const game = othello
    ? 'othello'
    : square
      ? told === 'gomokufreestyle'
        ? told
        : 'gomoku'
      : told.startsWith(`mnk:${cols},${rows},`)
        ? told
        : `mnk:${cols},${rows},5`;
  const won = root.RE?.[0] ?? '';
  return [
    {
      game,
      start,
      moves,
      players: [root.PB?.[0], root.PW?.[0]],
      result: /^B\+/.test(won) ? 'p1win' : /^W\+/.test(won) ? 'p2win' : /^(0|Draw)$/i.test(won) ? 'draw' : null,
      date: root.DT?.[0],
      comments,
    },
  ];
}
