// A kept game that is looked at while the server is away: the page shows what it kept of it, and nothing can be played. Pure:
// tests/unit/viewing.test.js tests it.
//
// A game that was on the board is kept with the pictures of its main line (`/api/view`). From these comes a state as the server would
// tell it, with a number of its own for a round: those of the server begin at 1.

/**
 * A position of the main line: its board text and picture, and the move that led to it.
 * @typedef {{ board: string, first: boolean, result: Result | null, move: string | null, name: string | null, picture: Picture }} Place
 */

/** Whether a state is one of these, and not the server's. @param {ServerState | null} server */
export const isViewed = (server) => !!server && server.round < 0;

/** The notes of a move as the list of moves shows them. @param {any} notes */
const told = ({ comments = [], before = [], nags = [], clock } = {}) => ({
  ...(comments.length && { comment: comments.join('\n') }),
  ...(before.length && { before: before.join('\n') }),
  ...(nags.length && { nags }),
  ...(clock !== undefined && { clock }),
});

/**
 * The state that shows a game at its end.
 * @param {GameRecord} record
 * @param {Place[]} places the positions of its main line, or the first of them
 * @param {number} id the number of the game in this browser
 * @returns {ServerState}
 */
export function viewed(record, places, id) {
  /** @type {any} */
  const notes = record.notes ?? {};
  const end = places.length - 1;
  const nothing = () => places.map(() => null);
  const moves = places.slice(1).map(({ move }) => move ?? '');
  const human = /** @type {Player} */ ({ kind: 'human' });
  return {
    n: 0,
    round: -id,
    game: record.game,
    start: record.start,
    moves,
    names: places.slice(1).map(({ name }) => name),
    boards: places.map(({ board }) => board),
    first: places.map(({ first }) => first),
    results: places.map(({ result }) => result),
    scores: nothing(),
    glances: nothing(),
    reviews: nothing(),
    nodes: places.map((_, ply) => ply),
    openings: [],
    tree: moves.map((move, ply) => ({ id: ply + 1, parent: ply, move, name: places[ply + 1].name ?? undefined, ...told(notes[ply + 1]) })),
    comment: told(notes[0]).comment ?? '',
    about: {
      players: record.players,
      tags: Object.entries(record.tags ?? {}).flatMap(([name, values]) => [values].flat().map((value) => /** @type {[string, string]} */ ([name, value]))),
      result: record.result ?? null,
      ending: record.ending ?? null,
      is_read: true,
    },
    review: null,
    worth: null,
    book: null,
    clock: null,
    ended: null,
    at: end,
    legal: [],
    pictures: Object.fromEntries(places.map(({ picture }, ply) => [ply, picture])),
    result: places[end].result,
    settings: { players: [human, human], movetime: 1000, pace: 0, analysis: false, lines: 1, depth: 0, threat: false, explore: false },
    paused: true,
    doing: null,
    hint: null,
    engine: 'ready',
    name: '',
    idle: 0,
  };
}

/**
 * What a command does to such a state; nothing where it takes a server.
 * @param {ServerState} state
 * @param {string} what
 * @param {any} [more]
 * @returns {ServerState | null}
 */
export function moved(state, what, more = {}) {
  const at = what === 'go_to' ? more.at : what === 'visit' ? more.node : null;
  if (at === null || !(at in state.boards)) return null;
  return { ...state, n: state.n + 1, at, result: state.results[at] };
}
