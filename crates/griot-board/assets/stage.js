// The board on the page: it is brought to what the server said last, move by move where it can.
//
// Everything else that tells how the game stands waits for it: `settled` is called when the board shows what the server said,
// `stepped` after each move that was shown.

import { makeBoard, read, title } from './games.js';
import { plainPicture } from './picture.js';
import { s } from './svg.js';
import { t } from './words.js';

/** At most so many moves are shown one by one. */
const STEPS = 3;

/** The picture of a position: the server keeps those of the last few that were shown. */
export const pictureOf = (/** @type {ServerState} */ state, at = state.at) =>
  state.pictures[at] ?? plainPicture(state.boards[at] ?? '', at === state.at ? state.legal : []);
export const specOf = (/** @type {ServerState} */ state) => read(state.game, pictureOf(state));

const identity = (/** @type {ServerState} */ state) => `${state.round}|${state.game}|${state.boards[0]}`;

/** @typedef {import('./svg.js').Place} Place */

export class Stage {
  /**
   * `on` has `choose(move)`, `refuse(why)`, `aimed(move)`, `several(moves)` for the board, `early()` whether a click has to wait,
   * `turned()` whether the first player's side is far, and `stepped(said)` and `settled()`.
   * @param {HTMLElement} holder
   * @param {MediaQueryList} narrow
   * @param {{
   *   choose: (move: string) => unknown, refuse: (why: string | null) => void, early: () => boolean, aimed: (move: string) => void,
   *   several: (strokes: Stroke[]) => Promise<string | null>, turned: () => boolean, stepped: (said: string) => void, settled: () => void,
   * }} on
   */
  constructor(holder, narrow, on) {
    this.holder = holder;
    this.narrow = narrow;
    this.on = on;
    /** @type {any} */
    this.board = null;
    /** @type {Spec} */
    this.spec = /** @type {any} */ (null);
    /** @type {ServerState} */
    this.state = /** @type {any} */ (null);
    /** What is on the board: a place in the line, and its text. */
    /** @type {{ identity: string, lie: string, at: number, text: string } | null} */
    this.shown = null;
    this.run = 0;
    this.drawing = false;
    /** Places that were clicked before their position was there, in order. @type {Place[]} */
    this.queue = [];
    /** Arrows and circles that were drawn by hand, on one position. */
    /** @type {Map<string, [Place, Place]>} */
    this.marks = new Map();
    narrow.addEventListener('change', () => this.state && this.draw());
  }

  /** @param {ServerState} state */
  receive(state) {
    this.state = state;
    this.draw();
  }

  /** How the board lies: high or wide, and whose side is below. */
  lie() {
    return `${this.narrow.matches}|${this.on.turned()}`;
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

  /** @param {number} run */
  async step(run) {
    const target = this.state;
    const same = this.shown?.identity === identity(target) && this.shown.lie === this.lie();
    if (!same) this.build(target);
    const { shown } = this;
    const far = shown ? target.at - shown.at : 0;
    const isKnown = () => Array.from({ length: Math.max(0, far) }, (_, i) => target.at - i).every((at) => target.pictures[at]?.last);
    const follows = far >= 1 && far <= STEPS && shown?.text === target.boards[shown?.at ?? 0] && isKnown();
    const place = (/** @type {number} */ at) => ({ identity: identity(target), lie: this.lie(), at, text: target.boards[at] });
    if (!follows) {
      this.clearMarks();
      this.board.show(pictureOf(target));
      document.documentElement.style.setProperty('--ratio', `${this.board.width / this.board.height}`);
      this.shown = place(target.at);
      return;
    }
    const at = target.at - far + 1;
    this.clearMarks();
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

  /** @param {ServerState} target */
  build(target) {
    this.spec = specOf(target);
    const [tall, turned] = this.lie().split('|').map((one) => one === 'true');
    const { choose, refuse, aimed, several } = this.on;
    this.board = makeBoard(this.spec, pictureOf(target), choose, { tall, turned, refuse, aimed, several });
    this.queue = [];
    this.board.places.early = (/** @type {Place} */ place) => this.wait(place);
    this.name();
    this.holder.replaceChildren(this.board.svg);
    this.drawByHand(this.board.svg);
    delete this.holder.dataset.moving;
    this.holder.dataset.family = this.spec.family;
    document.documentElement.dataset.sides = this.spec.sides[0];
    this.shown = null;
  }

  /** A place was clicked: whether it has to wait for its position. @param {Place} place */
  wait(place) {
    if (!this.on.early()) {
      this.clearMarks();
      return false;
    }
    this.queue.push(place);
    place.node.classList.add('queued');
    return true;
  }

  clearQueue() {
    for (const place of this.queue) place.node.classList.remove('queued');
    this.queue = [];
  }

  /** Chooses what was clicked early, as far as it can be chosen now. */
  runQueue() {
    while (this.queue.length && !this.on.early()) {
      const place = /** @type {Place} */ (this.queue.shift());
      place.node.classList.remove('queued');
      if (!place.move || !this.board.places.list.includes(place)) {
        // What was foreseen did not come.
        this.clearQueue();
        return;
      }
      this.board.places.act(place);
    }
  }

  /** The right button draws circles and arrows; once more takes them away. A click with the left one clears them. @param {SVGSVGElement} svg */
  drawByHand(svg) {
    /** @type {{ places: import('./svg.js').Places }} */
    const { places } = this.board;
    const below = (/** @type {PointerEvent} */ { clientX, clientY }) => {
      const node = document.elementFromPoint(clientX, clientY);
      return places.list.findIndex((place) => place.node.contains(node));
    };
    let from = -1;
    svg.addEventListener('contextmenu', (event) => {
      event.preventDefault();
      this.clearQueue();
    });
    svg.addEventListener('pointerdown', (event) => {
      from = event.button === 2 ? below(event) : -1;
    });
    svg.addEventListener('pointerup', (event) => {
      if (event.button !== 2 || from < 0) return;
      const to = below(event);
      if (to < 0) return;
      const key = `${from},${to}`;
      if (!this.marks.delete(key)) this.marks.set(key, [places.list[from], places.list[to]]);
      this.showMarks();
    });
  }

  clearMarks() {
    if (!this.marks.size) return;
    this.marks.clear();
    this.showMarks();
  }

  showMarks() {
    const { svg } = this.board;
    svg.querySelector('.by-hand')?.remove();
    if (!this.marks.size) return;
    const drawn = [...this.marks.values()].map(([from, to]) => {
      if (from === to) return s('circle', { cx: to.x, cy: to.y, r: 40 });
      const far = Math.hypot(to.x - from.x, to.y - from.y) || 1;
      const [dx, dy] = [(to.x - from.x) / far, (to.y - from.y) / far];
      const [x, y] = [to.x - 12 * dx, to.y - 12 * dy];
      return s('path', { d: `M${from.x} ${from.y}L${x} ${y}M${x - 22 * dx - 16 * dy} ${y - 22 * dy + 16 * dx}L${x} ${y}L${x - 22 * dx + 16 * dy} ${y - 22 * dy - 16 * dx}` });
    });
    svg.append(s('g', { class: 'by-hand', 'aria-hidden': 'true' }, drawn));
  }

  /** Says what is on the stage, in the language of the page. */
  name() {
    if (!this.board) return;
    this.board.svg.setAttribute('aria-label', `${t('board')}, ${title(this.spec)}`);
    document.title = `${title(this.spec)} · griot`;
  }
}
