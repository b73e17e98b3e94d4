// The state of the page: one value, changed by `reduce` alone. Pure: no document, no server; tests/unit/state.test.js tests it.
//
//   news, clicks --event--> reduce --state--> views, which only draw it
//
//   server     what the server said last: the tree of the game, the place in it, players, settings, clocks, review
//   thinking   the lines of the search that runs
//   changes    settings that the server has not confirmed yet, the oldest first
//   shown      what the board shows, which may lag behind the server by a few moves
//   picked     a move of an engine's line that was clicked;  wanted: a line of the review
//   hidden     whether somebody looks for a move by himself, so that what the engine thinks is not shown
//   prefs      what this browser remembers

/**
 * @typedef {{ lines: number, values: boolean, pv: boolean, keys: boolean, flip: boolean, reveal: boolean }} Prefs
 * @typedef {{ nth: number, place: number, node: number, moves: string[] }} Picked
 * @typedef {{ node: number, pv: string[] }} Wanted
 * @typedef {{ node: number | null, settled: boolean }} Shown
 * @typedef {{ online: boolean, code: string, detail: string }} Link
 * @typedef {{
 *   server: ServerState | null, thinking: Thinking | null, menu: MenuEntry[], link: Link, changes: Partial<Settings>[],
 *   shown: Shown, picked: Picked | null, wanted: Wanted | null, hidden: boolean, prefs: Prefs,
 * }} PageState
 * @typedef {(
 *   { type: 'told', server: ServerState } | { type: 'viewed', server: ServerState } | { type: 'thought', thinking: Thinking | null } | { type: 'menu', menu: MenuEntry[] } |
 *   { type: 'linked' } | { type: 'lost', code: string, detail: string } | { type: 'change', change: Partial<Settings> } |
 *   { type: 'confirmed' } | { type: 'shown', shown: Shown } | { type: 'pick', picked: Picked | null } |
 *   { type: 'want', wanted: Wanted | null } | { type: 'hide', hidden: boolean } | { type: 'prefer', prefs: Partial<Prefs> }
 * )} PageEvent
 */

/** @type {Prefs} */
const PREFS = { lines: 3, values: false, pv: true, keys: true, flip: false, reveal: false };

/** @param {Partial<Prefs>} [prefs] @returns {PageState} */
export const begin = (prefs = {}) => ({
  server: null,
  thinking: null,
  menu: [],
  link: { online: true, code: '', detail: '' },
  changes: [],
  shown: { node: null, settled: false },
  picked: null,
  wanted: null,
  hidden: false,
  prefs: { ...PREFS, ...prefs },
});

/** The node on the board, as the server has it. */
export const nodeOf = (/** @type {ServerState | null} */ server) => server?.nodes[server.at] ?? null;

/**
 * @param {PageState} state
 * @param {PageEvent} event
 * @returns {PageState}
 */
export function reduce(state, event) {
  switch (event.type) {
    // A kept game is looked at while the server is away.
    case 'viewed':
    case 'told': {
      const { server } = event;
      const old = state.server;
      const moved = old?.round !== server.round || nodeOf(old) !== nodeOf(server);
      const turned = old && old.round !== server.round && old.game !== server.game;
      return {
        ...state,
        server,
        link: event.type === 'told' ? { online: true, code: '', detail: '' } : state.link,
        thinking: event.type === 'told' ? state.thinking : null,
        picked: moved ? null : state.picked,
        wanted: moved && state.wanted?.node !== nodeOf(server) ? null : state.wanted,
        // Another game lies as its players sit.
        prefs: turned ? { ...state.prefs, flip: false } : state.prefs,
      };
    }
    case 'thought':
      return { ...state, thinking: event.thinking };
    case 'menu':
      return { ...state, menu: event.menu };
    case 'linked':
      return { ...state, link: { online: true, code: '', detail: '' } };
    case 'lost':
      return { ...state, link: { online: false, code: event.code, detail: event.detail } };
    case 'change':
      return { ...state, changes: [...state.changes, event.change] };
    case 'confirmed':
      return { ...state, changes: state.changes.slice(1) };
    case 'shown':
      return { ...state, shown: event.shown };
    case 'pick':
      return { ...state, picked: event.picked };
    case 'want':
      return { ...state, wanted: event.wanted };
    case 'hide':
      return { ...state, hidden: event.hidden };
    case 'prefer':
      return { ...state, prefs: { ...state.prefs, ...event.prefs } };
  }
}

/**
 * A store: holds the state, replaces it by `step` on every event, and then calls all subscribers.
 * @template S, E
 * @param {S} state
 * @param {(state: S, event: E) => S} step
 */
export function createStore(state, step) {
  /** @type {((state: S, event: E, before: S) => void)[]} */
  const listeners = [];
  return {
    get: () => state,
    /** @param {E} event */
    dispatch(event) {
      const before = state;
      state = step(state, event);
      for (const listener of listeners) listener(state, event, before);
    },
    /** @param {(state: S, event: E, before: S) => void} listener */
    subscribe(listener) {
      listeners.push(listener);
    },
  };
}

// ---- what follows from it

/** The settings with what the server has not confirmed yet. @param {PageState} state @returns {Settings} */
export const settingsOf = ({ server, changes }) => Object.assign({}, server?.settings, ...changes);

/** The opening on the board: the last position up to it that has a name. @param {ServerState} server @returns {Opening | null} */
export const openingOf = (server) => server.openings.slice(0, server.at + 1).findLast((one) => one !== null) ?? null;

/** Who is to move on the board: 0 or 1. */
export const turnOf = (/** @type {ServerState} */ server) => (server.first[server.at] ? 0 : 1);

/** @param {PageState} state */
export const isHuman = (state) => !!state.server && settingsOf(state).players[turnOf(state.server)].kind === 'human';

/** Whether a click on the board plays a move. @param {PageState} state */
export const mayPlay = (state) => !!state.server && !state.server.result && (isHuman(state) || state.server.paused);

/** Whether a person plays against an engine, and the game goes on. @param {PageState} state */
export const isContest = (state) => {
  const { server } = state;
  if (!server || server.result || server.paused) return false;
  const kinds = settingsOf(state).players.map(({ kind }) => kind);
  return kinds.includes('human') && kinds.includes('engine');
};

/**
 * Whether what the engine thinks is kept back: where somebody looks for a move, and in a game against it unless it was asked for.
 * @param {PageState} state
 */
export const isSecret = (state) => state.hidden || (isContest(state) && !state.prefs.reveal && !settingsOf(state).analysis);

/** The lines of the search about the position on the board. @param {PageState} state @returns {Line[] | null} */
export const linesOf = (state) => {
  const { server, thinking } = state;
  return server && thinking && thinking.at === server.at && !isSecret(state) ? thinking.lines : null;
};

/** Whether the lines are about what the other side would do. @param {PageState} state */
export const isThreat = (state) => linesOf(state) !== null && state.thinking?.purpose === 'threat';

/** The line to be drawn on the board: of the review, one that was clicked, or else the best. @param {PageState} state */
export function drawnLine(state) {
  const { wanted, picked, prefs } = state;
  const here = nodeOf(state.server);
  if (wanted && wanted.node === here) return wanted.pv;
  if (picked && picked.node === here) return picked.moves;
  return prefs.pv && !prefs.values ? (linesOf(state)?.[0]?.pv ?? []) : [];
}

/** As many lines as are listed, or one for each point that is to have a value. @param {Prefs} prefs */
export const linesAsked = (prefs) => (prefs.values ? 64 : prefs.lines);

/** Where taking back leads: to the last position in which a person was to move, if there is one. @param {PageState} state */
export function backTo(state) {
  const server = /** @type {ServerState} */ (state.server);
  const { players } = settingsOf(state);
  for (let at = server.at - 1; at >= 0; at -= 1) if (players[server.first[at] ? 0 : 1].kind === 'human') return at;
  return Math.max(0, server.at - 1);
}

/** Whether the board is turned: its near side is the person's, and a flip turns it once more. @param {PageState} state */
export function isTurned(state) {
  const [first, second] = settingsOf(state).players ?? [];
  return (first?.kind === 'engine' && second?.kind === 'human') !== state.prefs.flip;
}
