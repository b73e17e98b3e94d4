// The review of a game: what each move lost, from values that one search found at one depth or time for every position.
//
// A loss is one of expected result, from 0 to 1 for the player who moved, so that it means the same in every game and does not
// grow where a game is won or lost anyway. The sizes of mistakes are those that analysis boards use: 5, 10 and 15 hundredths.

import { expected, final, side, signScore } from './games.js';
import { h } from './svg.js';
import { lineNames, moveName } from './thoughts.js';
import { t } from './words.js';

const SIZES = [
  { size: 'blunder', sign: '??', least: 0.15 },
  { size: 'mistake', sign: '?', least: 0.1 },
  { size: 'slip', sign: '?!', least: 0.05 },
];
/** A game turns where so much of the expected result changes hands. */
const TURN = 0.15;
const MOST_TURNS = 5;

/**
 * A judged move of the reviewed line: the positions before and after it, who made it, what it lost of the expected result, and by how much
 * that changed.
 * @typedef {{
 *   ply: number, from: number, node: number, mover: 0 | 1, move: string | null, name: string, loss: number, change: number,
 *   before: Judgement, after: Score, mistake?: typeof SIZES[number],
 * }} Judged
 */

/** The value of each position of the line that is shown: all of one kind, reviewed where all are, and else at a glance. @param {ServerState} state */
export function values(state) {
  const reviewed = state.reviews.every((one, i) => one || state.results[i]);
  const kind = state.reviews.some(Boolean) && reviewed ? 'review' : 'glance';
  const own = (/** @type {number} */ i) => (kind === 'review' ? state.reviews[i]?.score : state.glances[i]);
  const valueAt = (/** @type {number} */ i) => {
    const result = state.results[i];
    return (result ? final[result] : own(i)) ?? null;
  };
  return { kind, scores: state.boards.map((_, i) => valueAt(i)) };
}

/** What is to be said of each move of the reviewed line whose two positions are judged. @param {Spec} spec @param {ServerState} state */
export function judge(spec, state) {
  const line = state.review?.line ?? [];
  /** @type {Judged[]} */
  const moves = [];
  for (let ply = 1; ply < line.length; ply += 1) {
    const [{ node: from, review: before, first }, { node, move, name, result, review }] = [line[ply - 1], line[ply]];
    const after = result ? final[result] : review?.score;
    if (!before || !after) continue;
    const mover = first ? 0 : 1;
    const [had, has] = [expected(spec, before.score), expected(spec, after)];
    const loss = before.pv[0] === move ? 0 : Math.max(0, mover === 0 ? had - has : has - had);
    const mistake = SIZES.find(({ least }) => loss >= least);
    moves.push({ ply, from, node, mover, move, name: moveName(move ?? '', name), loss, change: Math.abs(had - has), before, after, mistake });
  }
  return moves;
}

/** From 0 to 100: what a player's moves kept, each mistake by its size. @param {{ mover: number, loss: number }[]} moves @param {number} which */
export function accuracy(moves, which) {
  const own = moves.filter(({ mover }) => mover === which);
  if (!own.length) return null;
  return own.reduce((sum, { loss }) => sum + 100 * Math.exp(-4 * loss), 0) / own.length;
}

/** Where the game turned, first to last. @template {{ change: number, ply: number }} M @param {M[]} moves */
export function turns(moves) {
  const large = moves.filter(({ change }) => change >= TURN).sort((one, other) => other.change - one.change);
  return large.slice(0, MOST_TURNS).sort((one, other) => one.ply - other.ply);
}

/** Signs for the list of moves; the node `hidden` gets none. @param {Spec} spec @param {ServerState} state @param {number | null} hidden @returns {Map<number, typeof SIZES[number] & { says: string }>} */
export function marks(spec, state, hidden) {
  const told = new Map();
  for (const { node, mistake, before } of judge(spec, state)) {
    if (!mistake || node === hidden) continue;
    told.set(node, { ...mistake, says: `${t(mistake.size)}. ${t('better_was', lineNames(before)[0])}` });
  }
  return told;
}

/** What each position was searched with. @param {{ by: string, value: number }} limit */
const effort = ({ by, value }) =>
  by === 'nodes'
    ? t('n_nodes', value >= 1e6 ? `${value / 1e6} M` : `${value / 1e3} k`)
    : by === 'depth'
      ? `${t('depth')} ${value}`
      : `${value / 1000} s`;

const percent = (/** @type {number | null} */ value) => (value === null ? '–' : `${value.toFixed(0)} %`);

export class Review {
  /**
   * `on` has `start(limit)`, `stop()`, `visit(node, ply)`, and for a judged move `retry(one)` and `line(one)`.
   * @param {HTMLElement} holder
   * @param {{
   *   start: (limit: { by: string, value: number }) => void, stop: () => void, visit: (node: number, ply: number) => void,
   *   retry: (one: Judged) => void, line: (one: Judged) => void,
   * }} on
   */
  constructor(holder, on) {
    this.holder = holder;
    this.on = on;
    this.key = '';
    /** The limit that was chosen. @type {string | undefined} */
    this.limit = undefined;
  }

  /** @param {Spec} spec @param {ServerState} state @param {number | null} hidden @param {string} words */
  show(spec, state, hidden, words) {
    const key = JSON.stringify([state.round, state.review, state.boards.length > 1, hidden, words]);
    if (key === this.key) return;
    this.key = key;
    const open = this.holder.querySelector('details')?.open ?? true;
    const focus = this.holder.contains(document.activeElement) ? /** @type {HTMLElement} */ (document.activeElement).dataset.keep : null;
    this.holder.replaceChildren(this.controls(state), ...this.told(spec, state, hidden, open));
    if (focus) /** @type {HTMLElement | null} */ (this.holder.querySelector(`[data-keep="${focus}"]`))?.focus();
  }

  /** @param {ServerState} state */
  controls(state) {
    const { review } = state;
    if (review?.runs) {
      return h(
        'div',
        { class: 'review-row' },
        h('progress', { max: review.of, value: review.done, 'aria-label': t('review_progress', review.done, review.of) }),
        h('span', {}, `${review.done} / ${review.of}`),
        h('button', { type: 'button', 'data-keep': 'run', onclick: this.on.stop }, t('review_stop')),
      );
    }
    /** @type {HTMLSelectElement} */
    const limit = h(
      'select',
      { 'aria-label': t('review_limit'), 'data-keep': 'limit', onchange: () => (this.limit = limit.value) },
      [
        ['nodes:100000', t('n_nodes', '100 k')],
        ['nodes:1000000', t('n_nodes', '1 M')],
        ['movetime:500', '0.5 s'],
        ['movetime:2000', '2 s'],
        ['depth:6', `${t('depth')} 6`],
        ['depth:10', `${t('depth')} 10`],
        ['depth:14', `${t('depth')} 14`],
      ].map(([value, text]) => h('option', { value, selected: value === (this.limit ?? 'nodes:100000') }, text)),
    );
    const start = () => {
      const [by, value] = limit.value.split(':');
      this.on.start({ by, value: Number(value) });
    };
    return h(
      'div',
      { class: 'review-row' },
      h(
        'button',
        { type: 'button', id: 'review-start', 'data-keep': 'run', disabled: state.boards.length < 2, onclick: start },
        t('review_game'),
      ),
      limit,
    );
  }

  /** @param {Spec} spec @param {ServerState} state @param {number | null} hidden @param {boolean} open @returns {HTMLElement[]} */
  told(spec, state, hidden, open) {
    const moves = judge(spec, state);
    if (!state.review || !moves.length) return [];
    const counts = (/** @type {number} */ which) =>
      SIZES.map(({ size, sign }) => {
        const n = moves.filter(({ mover, mistake }) => mover === which && mistake?.size === size).length;
        return h('td', {}, h('b', { class: `mark-${size}` }, sign), ` ${n}`);
      });
    const table = h(
      'table',
      { class: 'accuracy' },
      h('caption', {}, `${t('accuracy_of', moves.length)} · ${effort(state.review.limit)}`),
      h(
        'tbody',
        {},
        [0, 1].map((which) =>
          h('tr', {}, h('th', { scope: 'row' }, side(spec, which)), h('td', {}, percent(accuracy(moves, which))), counts(which)),
        ),
      ),
    );
    const mistakes = moves.filter(({ node }) => node !== hidden).flatMap((one) => (one.mistake ? [this.mistake(spec, one, one.mistake)] : []));
    const turning = turns(moves).filter(({ node }) => node !== hidden);
    return [
      table,
      ...(turning.length
        ? [
            h(
              'p',
              { class: 'turns' },
              `${t('turns_at')} `,
              turning.map(({ node, ply, name }) =>
                h('button', { type: 'button', class: 'quiet', onclick: () => this.on.visit(node, ply) }, `${ply} ${name}`),
              ),
            ),
          ]
        : []),
      h('details', { open }, h('summary', {}, t('mistakes', mistakes.length)), h('ol', { class: 'mistakes' }, mistakes)),
    ];
  }

  /** @param {Spec} spec @param {Judged} one @param {typeof SIZES[number]} size */
  mistake(spec, one, { size, sign }) {
    const { node, ply, name, before, after } = one;
    return h(
      'li',
      {},
      h(
        'button',
        { type: 'button', class: 'quiet', title: t(size), onclick: () => this.on.visit(node, ply) },
        `${ply} ${name} `,
        h('b', { class: `mark-${size}` }, sign),
      ),
      h('span', { class: 'from-to' }, `${signScore(spec, before.score)} → ${signScore(spec, after)}`),
      h(
        'button',
        { type: 'button', class: 'quiet better', onclick: () => this.on.line(one) },
        `${t('better')} ${lineNames(before).slice(0, 5).join(' ')}`,
      ),
      h('button', { type: 'button', onclick: () => this.on.retry(one) }, t('try_again')),
    );
  }
}
