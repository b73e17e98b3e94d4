// What a puzzle asks for, how far it is solved, and how good the solver is. Pure: tests/unit/solving.test.js tests it.
//
// A puzzle has a `line`: the solver's moves at even places, the replies at odd ones. `forced` says how many of the solver's moves are
// the only ones that reach the goal; so many are asked for.
//
// Rating: Glicko (CITE: M. Glickman, The Glicko system, 1999), with a period of one puzzle. Only the player has a rating of his own. A
// puzzle is as strong as the levels of griot that fail at it: 500, and 100 for each of them.

/**
 * @typedef {{ number: number, game: string, board: string, side: string, goal: 'win' | 'draw' | 'gain' | 'material', within?: number, gain?: number,
 *   ahead?: number, moves?: number, margin?: number,
 *   move: string, line: string[], names?: string[], legal: number, grade: number, forced?: number }} Puzzle
 * @typedef {{ rating: number, deviation: number, count: number }} Rating
 */

/** How many moves the solver has to find. @param {Puzzle} puzzle */
export const asked = ({ forced = 1 }) => forced;

/**
 * How far the moves that were played from the puzzle's position solve it: `find` a move, `reply` is due, `solved`, or the move at `ply` is
 * `wrong` (the solver's) or `astray` (a reply that is not the line's).
 * @param {Puzzle} puzzle
 * @param {string[]} played
 * @returns {{ what: 'find' | 'reply' | 'solved' | 'wrong' | 'astray', ply: number }}
 */
export function progress(puzzle, played) {
  const length = 2 * asked(puzzle) - 1;
  for (let ply = 0; ply < length; ply += 1) {
    if (ply === played.length) return { what: ply % 2 ? 'reply' : 'find', ply };
    if (played[ply] !== puzzle.line[ply]) return { what: ply % 2 ? 'astray' : 'wrong', ply };
  }
  return { what: 'solved', ply: length };
}

/** The themes of a puzzle: what it is about, and how long it is. @param {Puzzle} puzzle */
export function themesOf(puzzle) {
  const { goal, within, margin, grade } = puzzle;
  return [
    goal === 'win' && within ? `mate${within}` : goal === 'win' && margin ? 'margin' : goal,
    asked(puzzle) > 1 ? 'several' : 'one',
    grade >= 15 ? 'hard' : grade <= 5 ? 'easy' : 'medium',
  ];
}

/** The themes of a set that not all of its puzzles have, the most frequent first, with their numbers. @param {Puzzle[]} puzzles @returns {[string, number][]} */
export function themes(puzzles) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const theme of puzzles.flatMap(themesOf)) counts.set(theme, (counts.get(theme) ?? 0) + 1);
  return [...counts].filter(([, count]) => count < puzzles.length).sort(([, one], [, other]) => other - one);
}

/** The place of the next puzzle of a theme that `isDone` does not know, after `place`; the next one when all are done. */
export function next(/** @type {Puzzle[]} */ puzzles, /** @type {number} */ place, /** @type {(puzzle: Puzzle) => boolean} */ isDone, theme = '') {
  const all = puzzles.map((_, i) => (place + 1 + i) % puzzles.length);
  const fitting = all.filter((at) => !theme || themesOf(puzzles[at]).includes(theme));
  const places = fitting.length ? fitting : all;
  return places.find((at) => !isDone(puzzles[at])) ?? places[0];
}

/** The rating before the first result. @type {Rating} */
export const UNRATED = { rating: 1000, deviation: 350, count: 0 };
/** The least deviation of a rating, since people learn. */
const SUREST = 60;
/** The deviation of a puzzle's rating. */
const PUZZLE_DEVIATION = 100;

/** The strength of a puzzle. @param {Puzzle} puzzle */
export const strength = ({ grade }) => 500 + 100 * grade;

/** The player's rating after a puzzle. @param {Rating} player @param {Puzzle} puzzle @param {boolean} solved @returns {Rating} */
export function rated({ rating, deviation, count }, puzzle, solved) {
  const q = Math.LN10 / 400;
  const weight = 1 / Math.sqrt(1 + (3 * (q * PUZZLE_DEVIATION) ** 2) / Math.PI ** 2);
  const expected = 1 / (1 + 10 ** ((-weight * (rating - strength(puzzle))) / 400));
  const information = (q * weight) ** 2 * expected * (1 - expected);
  const precision = 1 / deviation ** 2 + information;
  return {
    rating: rating + (q / precision) * weight * ((solved ? 1 : 0) - expected),
    deviation: Math.max(SUREST, Math.sqrt(1 / precision)),
    count: count + 1,
  };
}
