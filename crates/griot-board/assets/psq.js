// PSQ, the games of Piskvork and of gomoku tournaments: a line with the size, a line `column,row,milliseconds` for each stone,
// counted from 1 at the top left corner, then the players.

const HEAD = /^Piskvorky\s+(\d+)x(\d+)\s*,/i;

function sizeOf(game) {
  if (['gomoku', 'gomokufreestyle', 'renju'].includes(game)) return [15, 15];
  const [, cols, rows] = /^mnk:(\d+),(\d+),5(?:,exact)?$/.exec(game) ?? [];
  return cols && [Number(cols), Number(rows)];
}

export const writes = (game) => !!sizeOf(game);

export const reads = (text) => HEAD.test(text);

/** Only a game from the start position can be written: the format has no other. */
export function write({ game, moves, players = [], result }) {
  const [cols, rows] = sizeOf(game);
  const exact = game === 'gomoku' || game.endsWith(',exact');
  const stones = moves.map((move) => {
    const [, col, row] = /^([a-z])(\d+)$/.exec(move);
    return `${col.charCodeAt(0) - 96},${rows - Number(row) + 1},0`;
  });
  const winner = { p1win: 1, p2win: 2 }[result] ?? 0;
  return [
    `Piskvorky ${cols}x${rows}, 11:11, ${exact ? 1 : 0}`,
    ...stones,
    players[0] ?? '?',
    players[1] ?? '?',
    '-1',
    `${winner},${exact ? 'Standard' : 'Freestyle'}`,
    '',
  ].join('\n');
}

export function read(text) {
  const lines = text.split(/\r?\n/);
  const [, width, height] = HEAD.exec(lines[0]);
  const [cols, rows] = [Number(width), Number(height)];
  let end = 1;
  const moves = [];
  for (; end < lines.length; end += 1) {
    const [, col, row] = /^\s*(\d+)\s*,\s*(\d+)\s*,\s*-?\d+\s*$/.exec(lines[end]) ?? [];
    if (!col) break;
    moves.push(`${String.fromCharCode(96 + Number(col))}${rows - Number(row) + 1}`);
  }
  const [first, second, , last = ''] = lines.slice(end);
  const standard = /,\s*1\s*$/.test(lines[0]) || /standard/i.test(last);
  const square = cols === 15 && rows === 15;
  const game = square ? (standard ? 'gomoku' : 'gomokufreestyle') : `mnk:${cols},${rows},5${standard ? ',exact' : ''}`;
  return [
    {
      game,
      start: 'startpos',
      moves,
      players: [first?.trim(), second?.trim()],
      result: { 1: 'p1win', 2: 'p2win' }[last.split(',')[0]] ?? null,
    },
  ];
}
