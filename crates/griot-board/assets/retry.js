// "Try again from here": a position of the game in which a mistake was made, with the answer hidden until it is found or asked for.

import { expected, final } from './games.js';
import { h } from './svg.js';
import { lineNames, moveName } from './thoughts.js';
import { t } from './words.js';

/** A move that loses less than this of the expected result is as good as the best. */
const GOOD = 0.02;

/**
 * A mistake to be tried again: its node, the node and the name of the move, and what was better.
 * @typedef {{ node: number, played: number, name: string, best: Judgement, limit: unknown }} Mistake
 * @typedef {Mistake & { asked: number | null, solved: boolean, told?: boolean, given?: boolean }} Task
 */

export class Retry {
  /**
   * `on` has `ask(nodes, limit)`, which has positions judged, `back(node)` and `end()`.
   * @param {HTMLElement} holder
   * @param {{ ask: (nodes: number[], limit: unknown) => void, back: (node: number) => void, end: () => void }} on
   */
  constructor(holder, on) {
    this.holder = holder;
    this.on = on;
    /** @type {Task | null} */
    this.task = null;
  }

  get active() {
    return !!this.task && !this.task.solved;
  }

  /** The node of the mistake, whose review is hidden until the retry is over. */
  get hidden() {
    return this.task && this.active ? this.task.played : null;
  }

  /** @param {Mistake} task */
  begin(task) {
    this.task = { ...task, asked: null, solved: false };
  }

  end() {
    if (!this.task) return;
    this.task = null;
    this.holder.replaceChildren();
    this.holder.hidden = true;
  }

  /** @param {Spec} spec @param {ServerState} state */
  show(spec, state) {
    const { task } = this;
    this.holder.hidden = !task;
    if (!task) return;
    const at = state.nodes.indexOf(task.node);
    const tried = at >= 0 && state.at === at + 1 ? at + 1 : null;
    let said = t('find_better', task.name);
    if (tried && state.nodes[tried] !== task.played) {
      const result = state.results[tried];
      const score = result ? final[result] : state.reviews[tried]?.score;
      const name = moveName(state.moves[at], state.names[at]);
      if (state.moves[at] === task.best.pv[0]) {
        said = t('found_best', name);
        task.solved = true;
      } else if (!score) {
        said = t('is_judged', name);
        if (task.asked !== state.nodes[tried]) {
          task.asked = state.nodes[tried];
          this.on.ask([state.nodes[tried]], task.limit);
        }
      } else {
        const [had, has] = [expected(spec, task.best.score), expected(spec, score)];
        const loss = state.first[at] ? had - has : has - had;
        task.solved ||= loss < GOOD;
        said = task.solved ? t('found_good', name) : t('not_better', name, Math.round(100 * loss));
      }
    }
    if (task.solved && !task.told) {
      task.told = true;
      // What was hidden is shown, after this.
      setTimeout(() => this.on.end());
    }
    if (task.solved && task.given) said = t('answer_is', lineNames(task.best).slice(0, 5).join(' '));
    const give = () => {
      Object.assign(task, { solved: true, given: true });
      this.on.end();
    };
    this.holder.replaceChildren(
      h('p', { role: 'status' }, said),
      h(
        'div',
        { class: 'review-row' },
        tried && !task.solved && h('button', { type: 'button', onclick: () => this.on.back(task.node) }, t('once_more')),
        !task.solved && h('button', { type: 'button', onclick: give }, t('show_answer')),
        h(
          'button',
          {
            type: 'button',
            onclick: () => {
              this.end();
              this.on.end();
            },
          },
          t('close'),
        ),
      ),
    );
  }
}
