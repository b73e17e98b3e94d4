// Puzzles: positions in which exactly one move wins, saves the game, captures most or wins material. Each is proven (docs/puzzles.md); the
// page knows the answer, and needs no engine to judge a move. After the right move the reply is played, as far as the line is forced
// (solving.js). What was solved and tried, the ratings and the theme are kept in the browser.

import { dialog } from './dialogs.js';
import { icon } from './icons.js';
import { gameTitle, side, title } from './games.js';
import { readPuzzleSets } from './server.js';
import { UNRATED, asked, next, progress, rated, themes } from './solving.js';
import { h } from './svg.js';
import { lineNames, moveName } from './thoughts.js';
import { memory, t } from './words.js';

/** So many moves are named by a hint, of which one is right. */
const HINTED = 3;
/** So many moves of the answer are told. */
const TOLD = 9;

/** @typedef {import('./solving.js').Puzzle} Puzzle */

/** @type {Map<string, Puzzle[]>} */
const sets = new Map();

/** The puzzles of a set, easy ones first; none when they cannot be had. @param {string} name @returns {Promise<Puzzle[]>} */
async function read(name) {
  if (!sets.has(name)) {
    try {
      const answer = await fetch(`/puzzles/${name}.jsonl`);
      const lines = answer.ok ? (await answer.text()).trim().split('\n') : [];
      /** @type {Puzzle[]} */
      const puzzles = lines.map((line) => JSON.parse(line));
      sets.set(name, puzzles.sort((one, other) => one.grade - other.grade || one.number - other.number));
    } catch {
      return [];
    }
  }
  return sets.get(name) ?? [];
}

/** @param {string} key @returns {any} what is remembered; nothing where that cannot be read */
const recall = (key) => {
  try {
    return JSON.parse(memory.get(key) ?? 'null');
  } catch {
    return null;
  }
};

/** A move of the line as people write it. @param {Puzzle} puzzle @param {number} ply */
const nameOf = ({ line, names }, ply) => moveName(line[ply], names?.[ply]);

/** Which puzzles something happened to, set by set, by their boards. */
class Boards {
  /** @param {string} key what it is remembered by */
  constructor(key) {
    this.key = key;
    /** @type {Record<string, string[]>} */
    this.boards = {};
    for (const [name, boards] of Object.entries(recall(key) ?? {})) if (Array.isArray(boards)) this.boards[name] = boards;
  }

  /** @param {string} name @param {{ board: string }} puzzle */
  has(name, { board }) {
    return !!this.boards[name]?.includes(board);
  }

  /** @param {string} name @param {{ board: string }} puzzle */
  add(name, { board }) {
    if (this.has(name, { board })) return;
    this.boards[name] = [...(this.boards[name] ?? []), board];
    memory.set(this.key, JSON.stringify(this.boards));
  }
}

/**
 * The puzzle on the board: its set, its place there, the round of the game that it is, and what was done about it.
 * @typedef {{
 *   name: string, place: number, round: number, of: number, themes: [string, number][], puzzle: Puzzle,
 *   hint: { ply: number, names: string[] } | null, done: 'solved' | 'shown' | null, replied: Set<number>,
 * }} Task
 */

export class Puzzles {
  /**
   * `on` has `set(puzzle)`, which answers whether it is on the board, `menu()`, the games and their pictures, `back(node)`, `changed()`, `show(node, line)`, `reply(move)` and
   * `nameHere(move)`.
   * @param {HTMLElement} holder
   * @param {{
   *   set: (puzzle: Puzzle) => Promise<number | null>, menu: () => Promise<MenuEntry[]>, back: (node: number) => void, changed: () => void,
   *   show: (node: number, line: string[]) => void, reply: (move: string) => void, nameHere: (move: string) => string,
   * }} on
   */
  constructor(holder, on) {
    this.holder = holder;
    this.on = on;
    this.solved = new Boards('puzzles');
    /** What was rated: the first try of each puzzle counts. */
    this.tried = new Boards('puzzles-tried');
    /** The player's ratings, by set. @type {Record<string, import('./solving.js').Rating>} */
    this.ratings = recall('puzzle-ratings') ?? {};
    /** What the next puzzles are about; nothing for any. @type {string} */
    this.theme = memory.get('puzzle-theme') ?? '';
    /** @type {Task | null} */
    this.task = null;
    /** The latest call of `open`: an earlier one, or one that was closed since, puts no puzzle on the board. @type {object | null} */
    this.opening = null;
    /** Whether the focus was here, and is to be again. */
    this.refocus = false;
  }

  /** Whether somebody looks for the move: then the engine says nothing. */
  get active() {
    return !!this.task && !this.task.done;
  }

  /** Offers the sets. */
  async choose() {
    const [sets, menu] = await Promise.all([readPuzzleSets(), this.on.menu()]);
    const counted = await Promise.all(sets.map(async ({ name, game }) => ({ name, game, puzzles: await read(name) })));
    const box = dialog(
      'puzzle-sets',
      t('puzzles'),
      h('p', {}, t('puzzles_text')),
      h(
        'div',
        { class: 'games' },
        counted
          .filter(({ puzzles }) => puzzles.length)
          .map(({ name, game, puzzles }) =>
            h(
              'button',
              {
                type: 'button',
                class: 'game',
                'data-set': name,
                onclick: () => {
                  box.close();
                  this.open(name, this.next(name, puzzles, -1));
                },
              },
              icon(menu.find(({ key }) => key === game.key)),
              h('span', {}, gameTitle(game)),
              h('small', {}, t('solved_of', puzzles.filter((one) => this.solved.has(name, one)).length, puzzles.length)),
              this.ratings[name] && h('small', {}, this.ratingText(name)),
            ),
          ),
      ),
      h('div', { class: 'ends' }, h('button', { type: 'button', onclick: () => box.close() }, t('close'))),
    );
  }

  /** The place of the next puzzle of the theme that is not solved, after `place`; the next one when all are. @param {string} name @param {Puzzle[]} puzzles @param {number} place */
  next(name, puzzles, place) {
    return next(puzzles, place, (one) => this.solved.has(name, one), this.theme);
  }

  /** @param {string} name */
  ratingText(name) {
    const { rating, deviation } = this.ratings[name] ?? UNRATED;
    return t('puzzle_rating', Math.round(rating), Math.round(2 * deviation));
  }

  /** The first try of a puzzle is over: solved alone, or not. @param {boolean} solved */
  rate(solved) {
    if (!this.task) return;
    const { name, puzzle } = this.task;
    if (this.tried.has(name, puzzle)) return;
    this.tried.add(name, puzzle);
    this.ratings = { ...this.ratings, [name]: rated(this.ratings[name] ?? UNRATED, puzzle, solved) };
    memory.set('puzzle-ratings', JSON.stringify(this.ratings));
  }

  /** @param {string} name @param {number} place */
  async open(name, place) {
    const opening = (this.opening = {});
    const puzzles = await read(name);
    const puzzle = puzzles[place];
    if (!puzzle || this.opening !== opening) return;
    this.refocus = this.holder.contains(document.activeElement);
    this.task = null;
    const round = await this.on.set(puzzle);
    if (round === null || this.opening !== opening) return;
    this.task = { name, place, of: puzzles.length, themes: themes(puzzles), puzzle, round, hint: null, done: null, replied: new Set() };
    memory.set('puzzle', JSON.stringify({ name, place, round }));
    this.on.changed();
  }

  /** After a reload: goes on with the puzzle that is on the board. */
  async resume(/** @type {ServerState} */ state) {
    const kept = recall('puzzle');
    if (this.task || !kept || kept.round !== state.round) return;
    const puzzles = await read(kept.name);
    const puzzle = puzzles[kept.place];
    if (this.task || puzzle?.board !== state.boards[0]) return;
    this.task = { ...kept, of: puzzles.length, themes: themes(puzzles), puzzle, hint: null, done: null, replied: new Set() };
    this.on.changed();
  }

  end() {
    this.opening = null;
    this.task = null;
    memory.remove('puzzle');
    this.holder.replaceChildren();
    this.holder.hidden = true;
    this.on.changed();
  }

  /** The only move among others, always the same, in the order of the legal moves. @param {Task} task @param {string[]} legal @param {number} ply */
  hint(task, legal, ply) {
    const { puzzle } = task;
    const right = puzzle.line[ply];
    const others = legal.filter((move) => move !== right);
    const start = puzzle.number % others.length;
    const chosen = Array.from({ length: Math.min(HINTED - 1, others.length - 1) }, (_, i) => others[(start + i * 7) % others.length]);
    task.hint = { ply, names: legal.filter((move) => move === right || chosen.includes(move)).map(this.on.nameHere) };
  }

  /** @param {Puzzle} puzzle */
  answer({ line, names }) {
    return lineNames({ pv: line.slice(0, TOLD), names }).join(' ');
  }

  /** What there is to do: who is to achieve what. @param {Spec} spec @param {Puzzle} puzzle */
  goal(spec, puzzle) {
    const name = side(spec, puzzle.side === 'first' ? 0 : 1);
    if (puzzle.goal === 'gain' || puzzle.goal === 'material') return t(`puzzle_${puzzle.goal}`, name, puzzle.gain, puzzle.within);
    if (puzzle.within) return t('puzzle_within', name, puzzle.within);
    if (puzzle.goal === 'draw') return t('puzzle_draw', name);
    if (puzzle.margin) return t('puzzle_margin', name, puzzle.margin);
    return t('puzzle_win', name);
  }

  /** @param {Spec} spec @param {ServerState} state */
  show(spec, state) {
    const { task, holder } = this;
    holder.hidden = !task;
    if (!task) return;
    if (state.round !== task.round) {
      // Something else is on the board.
      this.end();
      return;
    }
    const { puzzle } = task;
    const { what, ply } = progress(puzzle, state.moves.slice(0, state.at));
    if (what === 'solved' && !task.done) {
      task.done = 'solved';
      this.rate(true);
      this.solved.add(task.name, puzzle);
      setTimeout(() => this.on.changed());
    }
    const wrong = (what === 'wrong' || what === 'astray') && !task.done;
    if (wrong) this.rate(false);
    const here = state.nodes[state.at];
    if (what === 'reply' && !task.done && !task.replied.has(here)) {
      task.replied.add(here);
      setTimeout(() => this.on.reply(puzzle.line[ply]));
    }
    const found = Math.ceil(ply / 2);
    let said = this.goal(spec, puzzle);
    if (task.done === 'solved') said = t('puzzle_solved', nameOf(puzzle, 2 * asked(puzzle) - 2), this.answer(puzzle));
    else if (task.done === 'shown') said = t('answer_is', this.answer(puzzle));
    else if (wrong) said = t('puzzle_wrong', moveName(state.moves[ply], state.names[ply]));
    else if (found) said = t('puzzle_goes_on', nameOf(puzzle, 2 * found - 2), found, asked(puzzle));
    if (!task.done && !wrong && task.hint?.ply === ply) said = `${said} ${t('one_of', task.hint.names.join(', '))}`;
    const button = (/** @type {string} */ id, /** @type {string} */ text, /** @type {() => unknown} */ onclick, primary = false) => h('button', { type: 'button', id, class: primary && 'primary', onclick }, text);
    const kept = holder.contains(document.activeElement) && document.activeElement?.id;
    /** @type {HTMLSelectElement} */
    const theme = h(
      'select',
      { id: 'puzzle-theme', 'aria-label': t('puzzle_theme'), onchange: () => this.chooseTheme(theme.value) },
      [['', task.of], ...task.themes].map(([key, count]) => h('option', { value: key, selected: key === this.theme }, `${t(`theme_${key || 'any'}`)} (${count})`)),
    );
    holder.replaceChildren(
      h(
        'p',
        { class: 'puzzle-head' },
        h('b', {}, t('puzzle_is', title(spec), task.place + 1, task.of)),
        h('span', {}, t('puzzle_grade', puzzle.grade)),
        this.ratings[task.name] && h('span', { class: 'rating' }, this.ratingText(task.name)),
      ),
      h('p', { role: 'status' }, said),
      h(
        'div',
        { class: 'review-row' },
        wrong && button('puzzle-back', t('once_more'), () => this.on.back(state.nodes[ply]), true),
        what === 'find' && !task.done && task.hint?.ply !== ply && button('puzzle-hint', t('hint'), () => {
          this.rate(false);
          this.hint(task, state.legal, ply);
          this.on.changed();
        }),
        !task.done && button('puzzle-answer', t('show_answer'), () => {
          this.rate(false);
          task.done = 'shown';
          this.on.show(state.nodes[0], puzzle.line);
          this.on.changed();
        }),
        button('puzzle-next', t('next_puzzle'), async () => this.open(task.name, this.next(task.name, await read(task.name), task.place)), !!task.done),
        button('puzzle-sets', t('other_puzzles'), () => this.choose()),
        button('puzzle-end', t('close'), () => this.end()),
        task.themes.length > 0 && theme,
      ),
    );
    // Who used a button goes on from there, or from what has taken its place.
    if (kept || this.refocus) (document.getElementById(kept || '') ?? holder.querySelector('button'))?.focus();
    this.refocus = false;
  }

  /** The next puzzles are to be about something. @param {string} theme */
  chooseTheme(theme) {
    this.theme = theme;
    memory.set('puzzle-theme', theme);
  }
}
