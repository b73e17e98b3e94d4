// The board on the page: it is brought to what the server said last, move by move where it can.
//
// Everything else that tells how the game stands waits for it: `settled` is called when the board shows what the server said,
// `stepped` after each move that was shown.

import { makeBoard, read, title } from './games.js';
import { plainPicture } from './picture.js';
import { t } from './words.js';

/** At most so many moves are shown one by one. */
const STEPS = 3;

/** The picture of a position: the server keeps those of the last few that were shown. */
export const pictureOf = (state, at = state.at) =>
  state.pictures[at] ?? plainPicture(state.boards[at] ?? '', at === state.at ? state.legal : []);
export const specOf = (state) => read(state.game, pictureOf(state));

const identity = (state) => `${state.round}|${state.game}|${state.boards[0]}`;

export class Stage {
  /**
   * `on` has `choose(move)`, `refuse(why)`, `aimed(move)`, `several(moves)` for the board, and `stepped(said)`, `settled()`,
   * `built(board, spec)`.
   */
  constructor(holder, narrow, on) {
    Object.assign(this, { holder, narrow, on });
    this.board = null;
    this.spec = null;
    this.state = null;
    /** What is on the board: a place in the line, and its text. */
    this.shown = null;
    this.run = 0;
    this.drawing = false;
    narrow.addEventListener('change', () => this.state && this.draw());
  }

  receive(state) {
    this.state = state;
    this.draw();
  }

  /** How the board lies: high or wide, and whose side is below. */
  lie() {
    const [first, second] = this.state.settings.players;
    return `${this.narrow.matches}|${first.kind === 'engine' && second.kind === 'human'}`;
  }

  isShown() {
    const { shown, state } = this;
    return (
      shown?.identity === identity(state) &&
      shown.lie === this.lie() &&
      shown.at === state.at &&
      shown.text === state.boards[state.at]
    );
  }

  get settled() {
    return !this.drawing && !!this.shown && this.isShown();
  }

  async draw() {
    // What moves now may go on moving, unless it belongs to another game.
    if (this.drawing && this.shown?.identity === identity(this.state)) return;
    this.run += 1;
    const { run } = this;
    this.drawing = true;
    while (run === this.run && this.state.boards.length && !this.isShown()) await this.step(run);
    if (run !== this.run) return;
    this.drawing = false;
    this.on.settled();
  }

  async step(run) {
    const target = this.state;
    const same = this.shown?.identity === identity(target) && this.shown.lie === this.lie();
    if (!same) this.build(target);
    const { shown } = this;
    const far = shown ? target.at - shown.at : 0;
    const isKnown = () => Array.from({ length: far }, (_, i) => target.at - i).every((at) => target.pictures[at]?.last);
    const follows = far >= 1 && far <= STEPS && shown.text === target.boards[shown.at] && isKnown();
    const place = (at) => ({ identity: identity(target), lie: this.lie(), at, text: target.boards[at] });
    if (!follows) {
      this.board.show(pictureOf(target));
      if (!same) this.on.built(this.board, this.spec);
      this.shown = place(target.at);
      return;
    }
    const at = shown.at + 1;
    this.board.offer(false);
    this.board.line([], true);
    this.board.values([]);
    this.board.signs({});
    this.holder.dataset.moving = 'true';
    const said = await this.board.move(target.pictures[at], target.first[at - 1] ? 0 : 1);
    if (run !== this.run) return;
    delete this.holder.dataset.moving;
    this.shown = place(at);
    this.on.stepped(said);
  }

  build(target) {
    this.spec = specOf(target);
    const [tall, turned] = this.lie().split('|').map((one) => one === 'true');
    const { choose, refuse, aimed, several } = this.on;
    this.board = makeBoard(this.spec, pictureOf(target), choose, { tall, turned, refuse, aimed, several });
    this.name();
    this.holder.replaceChildren(this.board.svg);
    delete this.holder.dataset.moving;
    this.holder.dataset.family = this.spec.family;
    document.documentElement.dataset.sides = this.spec.sides[0];
    this.shown = null;
  }

  /** Says what is on the stage, in the language of the page. */
  name() {
    if (!this.board) return;
    this.board.svg.setAttribute('aria-label', `${t('board')}, ${title(this.spec)}`);
    document.title = `${title(this.spec)} · griot`;
  }
}
