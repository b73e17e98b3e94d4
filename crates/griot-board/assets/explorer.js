// The explorer: what was played from the position on the board in the games that this browser keeps, and what each move is worth.
//
//   library --explore--> games and results of each move --+
//   lines of the analysis, book, worth (server) ----------+--> candidates --> rows
//
// A value is the best known one: of the running analysis, of the opening book, or of the short search that the server does for the
// explorer while it is open. Where endgame tables or the rules settle a position, that search says so.

import { isCertain, signScore, tellScore } from './games.js';
import { explore } from './library.js';
import { h } from './svg.js';
import { t } from './words.js';

/** So many moves are listed. */
const MOST = 12;

/**
 * @typedef {{ score: Score, depth: number, settled: boolean }} Value
 * @typedef {{ move: string, games: number, results: [number, number, number], value: Value | null }} Candidate
 */

/**
 * The moves of a position: those of kept games, the most frequent first, and then the others that have a value, the best first.
 * @param {{ move: string, games: number, results: [number, number, number] }[]} played
 * @param {{ lines: Line[] | null, worth: Worth | null, book: Judgement | null, first: boolean }} known
 * @returns {Candidate[]}
 */
export function candidates(played, { lines, worth, book, first }) {
  /** @type {Map<string, Value>} */
  const values = new Map();
  const note = (/** @type {string | undefined} */ move, /** @type {Score} */ score, /** @type {number} */ depth, settled = false) => {
    const old = move === undefined ? null : values.get(move);
    if (move !== undefined && (!old || (!old.settled && depth >= old.depth))) values.set(move, { score, depth, settled });
  };
  for (const { move, score, depth } of worth?.moves ?? []) note(move, score, depth, worth?.settled);
  if (book) note(book.pv[0], book.score, book.depth);
  for (const { pv, score, depth } of lines ?? []) if (score) note(pv[0], score, depth);
  const rows = played.map((row) => ({ ...row, value: values.get(row.move) ?? null }));
  const others = [...values].filter(([move]) => !played.some((row) => row.move === move));
  const size = (/** @type {Value} */ { score }) => {
    const value = score.mate === undefined ? score.cp : Math.sign(score.mate) * (1e9 - Math.abs(score.mate));
    return first ? value : -value;
  };
  others.sort(([, one], [, other]) => size(other) - size(one));
  return [...rows, ...others.map(([move, value]) => ({ move, games: 0, results: /** @type {[number, number, number]} */ ([0, 0, 0]), value }))];
}

export class Explorer {
  /**
   * @param {HTMLDetailsElement} holder
   * @param {import('./library.js').Library} library
   * @param {{ nameHere: (move: string) => string, play: (move: string) => void, opened: (open: boolean) => void }} on
   */
  constructor(holder, library, on) {
    this.holder = holder;
    this.library = library;
    this.on = on;
    this.key = '';
    /** Whether it was shown once: after a reload it is open if it was open before. */
    this.begun = false;
    holder.addEventListener('toggle', () => on.opened(holder.open));
  }

  /** @param {Spec} spec @param {ServerState} state @param {Line[] | null} lines @param {boolean} hidden */
  show(spec, state, lines, hidden) {
    const { holder } = this;
    if (!this.begun) holder.open = state.settings.explore;
    this.begun = true;
    holder.hidden = hidden || !!state.result;
    if (holder.hidden) return;
    const moves = state.moves.slice(0, state.at);
    // What is closed has its number of games alone.
    const known = holder.open ? { lines, worth: state.worth, book: state.book, first: state.first[state.at] } : { lines: null, worth: null, book: null, first: true };
    const values = [known.worth, known.book, lines?.map(({ pv, score, depth }) => [pv[0], score, depth])];
    const key = JSON.stringify([state.game, state.start, moves, this.library.entries.length, holder.open && values, t('explorer')]);
    if (key === this.key) return;
    this.key = key;
    const found = explore(this.library.entries, { game: state.game, start: state.start, moves });
    const games = found.reduce((sum, row) => sum + row.games, 0);
    const [summary, list] = holder.children;
    summary.textContent = games ? t('my_games_here', games) : t('explorer');
    const focus = list.contains(document.activeElement) ? /** @type {HTMLElement} */ (document.activeElement).dataset.move : null;
    list.replaceChildren(
      ...candidates(found, known)
        .slice(0, MOST)
        .map((row) => this.row(spec, row)),
    );
    if (focus) /** @type {HTMLElement | null} */ (list.querySelector(`[data-move="${CSS.escape(focus)}"]`))?.focus();
  }

  /** @param {Spec} spec @param {Candidate} candidate */
  row(spec, { move, games, results, value }) {
    const sum = results.reduce((all, one) => all + one, 0);
    const part = (/** @type {number} */ i) => {
      const piece = h('span', { class: `part${i}` });
      piece.style.flexGrow = `${results[i]}`;
      return piece;
    };
    const settled = value && (value.settled || isCertain(spec, value.score));
    return h(
      'li',
      {},
      h('button', { type: 'button', class: 'step', 'data-move': move, onclick: () => this.on.play(move) }, this.on.nameHere(move)),
      h(
        'span',
        { class: settled ? 'worth settled' : 'worth', title: value && `${tellScore(spec, value.score)} · ${settled ? t('settled') : `${t('depth')} ${value.depth}`}` },
        value ? signScore(spec, value.score) : '',
      ),
      h('span', { class: 'games' }, games ? `${games}` : ''),
      sum ? h('span', { class: 'results', role: 'img', 'aria-label': results.join(' – ') }, [0, 1, 2].map(part)) : h('span', {}),
      h('span', { class: 'sums' }, sum ? results.join(' – ') : ''),
    );
  }
}
