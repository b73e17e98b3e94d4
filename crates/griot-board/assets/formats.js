// Games as text, in and out: what a text is, and in which formats a game can be written.
//
// A game here is plain data: `game`, `start` (a board text, or "startpos"), `moves` as the engine writes them, and what else is
// known: `players`, `result` (p1win, p2win, draw), `date`, `comments` by ply. The page knows no rules: a text that may be of
// several games names them all, likeliest first, and the engine says of which it is one.

import * as ggf from './ggf.js';
import * as ogn from './ogn.js';
import * as pgn from './pgn.js';
import * as psq from './psq.js';
import * as sgf from './sgf.js';
import { guess } from './guess.js';

const FORMATS = { ogn, ggf, sgf, psq, pgn };

/** The formats in which a game can be written, its own first; every game has the engine's line. */
export function formatsOf(game) {
  return [...Object.keys(FORMATS).filter((name) => FORMATS[name].writes(game)), 'line'];
}

/** The engine's own text of a whole game, which `griot analyse` reads as well. */
export const gameText = ({ game, start, moves }) => `${game}|${start}|${moves.join(' ')}`;

export const write = (format, one) => (format === 'line' ? gameText(one) : FORMATS[format].write(one));

/** The end of the name of a file. */
export const ending = (format) => (format === 'line' ? 'txt' : format);

/** What is to be told the server about a game that was read. */
const told = (form, one) => ({
  ...one,
  form,
  text: one.game ? gameText(one) : [one.start, ...(one.moves.length ? ['moves', ...one.moves] : [])].join(' '),
  games: one.game ? [] : one.games,
});

/** What a text may be: the games in it, each with its format; none when it is nothing that anybody here can read. */
export function recognise(text, current, menu) {
  const clean = text.replace(/^\uFEFF/, '').trim();
  for (const [form, { reads, read }] of Object.entries(FORMATS)) {
    if (!reads(clean)) continue;
    const games = read(clean);
    if (games.length) return games.map((one) => told(form, one));
  }
  if (clean.startsWith('{')) return objects(clean).map((one) => told('json', one));
  const lines = clean.split(/\r?\n/).filter((line) => line.trim() && !line.startsWith('#'));
  if (lines.length > 1 && lines.every((line) => line.includes('|'))) {
    return lines.flatMap((line) => recognise(line, current, menu));
  }
  const one = guess(lines.join(' '), current, menu);
  return one ? [told(one.form, one)] : [];
}

/** Lines of JSON as `griot analyse` reads them, and as it answers. */
function objects(text) {
  return text.split(/\r?\n/).flatMap((line) => {
    try {
      const read = JSON.parse(line);
      const { game, board = 'startpos', moves = '' } = read.position ?? read;
      if (typeof game !== 'string' || typeof board !== 'string') return [];
      const list = Array.isArray(moves) ? moves : `${moves}`.split(/\s+/).filter(Boolean);
      return [{ game, start: board || 'startpos', moves: list }];
    } catch {
      return [];
    }
  });
}
