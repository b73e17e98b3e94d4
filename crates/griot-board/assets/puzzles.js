// Puzzles: positions in which exactly one move wins, or saves the game. They were made by `griot puzzles`, which has proven each; the
// page knows the answer, and needs no engine to judge a move. What was solved is kept in the browser.

import { dialog } from './dialogs.js';
import { icon } from './icons.js';
import { side, title } from './games.js';
import { h } from './svg.js';
import { lineNames, moveName } from './thoughts.js';
import { memory, t, word } from './words.js';

/** The sets there are, by the names of their files. */
const SETS = ['awale', 'chess', 'connect4', 'othello', 'mnk775', 'gomoku', 'tictactoe'];

/** So many moves are named by a hint, of which one is right. */
const HINTED = 3;
/** So many moves of the answer are told. */
const TOLD = 9;

const sets = new Map();

/** The puzzles of a set, easy ones first; none when they cannot be had. */
async function read(name) {
  if (!sets.has(name)) {
    try {
      const answer = await fetch(`/puzzles/${name}.jsonl`);
      const lines = answer.ok ? (await answer.text()).trim().split('\n') : [];
      const puzzles = lines.map((line) => JSON.parse(line));
      sets.set(name, puzzles.sort((one, other) => one.grade - other.grade || one.number - other.number));
    } catch {
      return [];
    }
  }
  return sets.get(name);
}

/** Which puzzles were solved, set by set. */
class Solved {
  constructor() {
    this.boards = {};
    try {
      const kept = JSON.parse(memory.get('puzzles') ?? '{}');
      for (const [name, boards] of Object.entries(kept)) if (Array.isArray(boards)) this.boards[name] = boards;
    } catch {
      // What cannot be read is begun anew.
    }
  }

  has(name, { board }) {
    return !!this.boards[name]?.includes(board);
  }

  add(name, { board }) {
    if (this.has(name, { board })) return;
    this.boards[name] = [...(this.boards[name] ?? []), board];
    memory.set('puzzles', JSON.stringify(this.boards));
  }
}

export class Puzzles {
  /** `on` has `set(puzzle)`, which answers whether it is on the board, `back(node)`, `changed()`, `show(node, line)` and
   * `nameHere(move)`. */
  constructor(holder, on) {
    Object.assign(this, { holder, on });
    this.solved = new Solved();
    /** The puzzle on the board: its set, its place there, what was done about it. */
    this.task = null;
    /** Whether the focus was here, and is to be again. */
    this.refocus = false;
  }

  /** Whether somebody looks for the move: then the engine says nothing. */
  get active() {
    return !!this.task && !this.task.done;
  }

  /** Offers the sets. */
  async choose() {
    const counted = await Promise.all(SETS.map(async (name) => [name, await read(name)]));
    const box = dialog(
      'puzzle-sets',
      t('puzzles'),
      h('p', {}, t('puzzles_text')),
      h(
        'div',
        { class: 'games' },
        counted
          .filter(([, puzzles]) => puzzles.length)
          .map(([name, puzzles]) =>
            h(
              'button',
              {
                type: 'button',
                class: `game ${name}`,
                'data-set': name,
                onclick: () => {
                  box.close();
                  this.open(name, this.next(name, puzzles, -1));
                },
              },
              icon(name === 'mnk775' ? 'mnk' : name),
              h('span', {}, word(name, name)),
              h('small', {}, t('solved_of', puzzles.filter((one) => this.solved.has(name, one)).length, puzzles.length)),
            ),
          ),
      ),
      h('div', { class: 'ends' }, h('button', { type: 'button', onclick: () => box.close() }, t('close'))),
    );
  }

  /** The place of the next puzzle that is not solved, after `place`; the next one when all are. */
  next(name, puzzles, place) {
    const places = puzzles.map((_, i) => (place + 1 + i) % puzzles.length);
    return places.find((at) => !this.solved.has(name, puzzles[at])) ?? places[0];
  }

  async open(name, place) {
    const puzzles = await read(name);
    const puzzle = puzzles[place];
    if (!puzzle) return;
    this.refocus = this.holder.contains(document.activeElement);
    this.task = null;
    const round = await this.on.set(puzzle);
    if (round === null) return;
    this.task = { name, place, of: puzzles.length, puzzle, round, hint: null, done: null };
    this.on.changed();
  }

  end() {
    if (!this.task) return;
    this.task = null;
    this.holder.replaceChildren();
    this.holder.hidden = true;
    this.on.changed();
  }

  /** The only move among others, always the same, in the order of the legal moves. */
  hint(legal) {
    const { puzzle } = this.task;
    const others = legal.filter((move) => move !== puzzle.move);
    const start = puzzle.number % others.length;
    const chosen = Array.from({ length: Math.min(HINTED - 1, others.length - 1) }, (_, i) => others[(start + i * 7) % others.length]);
    this.task.hint = legal.filter((move) => move === puzzle.move || chosen.includes(move)).map(this.on.nameHere);
  }

  answer() {
    const { line, names } = this.task.puzzle;
    return lineNames({ pv: line.slice(0, TOLD), names }).join(' ');
  }

  /** What there is to do: who is to achieve what. */
  goal(spec) {
    const { puzzle } = this.task;
    const name = side(spec, puzzle.side === 'first' ? 0 : 1);
    if (puzzle.within) return t('puzzle_within', name, puzzle.within);
    if (puzzle.goal === 'draw') return t('puzzle_draw', name);
    if (puzzle.margin) return t('puzzle_margin', name, puzzle.margin);
    return t('puzzle_win', name);
  }

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
    const tried = state.at >= 1 ? state.moves[0] : null;
    if (tried === puzzle.move && !task.done) {
      task.done = 'solved';
      this.solved.add(task.name, puzzle);
      setTimeout(() => this.on.changed());
    }
    const wrong = tried && tried !== puzzle.move && !task.done;
    let said = this.goal(spec);
    if (task.done === 'solved') said = t('puzzle_solved', moveName(puzzle.move, puzzle.names?.[0]), this.answer());
    else if (task.done === 'shown') said = t('answer_is', this.answer());
    else if (wrong) said = t('puzzle_wrong', moveName(tried, state.names[0]));
    else if (task.hint) said = `${said} ${t('one_of', task.hint.join(', '))}`;
    const button = (id, text, onclick, primary) => h('button', { type: 'button', id, class: primary && 'primary', onclick }, text);
    const kept = holder.contains(document.activeElement) && document.activeElement.id;
    holder.replaceChildren(
      h(
        'p',
        { class: 'puzzle-head' },
        h('b', {}, t('puzzle_is', title(spec), task.place + 1, task.of)),
        h('span', {}, t('puzzle_grade', puzzle.grade)),
      ),
      h('p', { role: 'status' }, said),
      h(
        'div',
        { class: 'review-row' },
        wrong && button('puzzle-back', t('once_more'), () => this.on.back(state.nodes[0]), true),
        !task.done && !wrong && !task.hint && button('puzzle-hint', t('hint'), () => {
          this.hint(state.legal);
          this.on.changed();
        }),
        !task.done && button('puzzle-answer', t('show_answer'), () => {
          task.done = 'shown';
          this.on.show(state.nodes[0], puzzle.line);
          this.on.changed();
        }),
        button('puzzle-next', t('next_puzzle'), async () => this.open(task.name, this.next(task.name, await read(task.name), task.place)), !!task.done),
        button('puzzle-sets', t('other_puzzles'), () => this.choose()),
        button('puzzle-end', t('close'), () => this.end()),
      ),
    );
    // Who used a button goes on from there, or from what has taken its place.
    if (kept || this.refocus) (document.getElementById(kept) ?? holder.querySelector('button')).focus();
    this.refocus = false;
  }
}
