// The engine's thoughts: the numbers, the candidate lines whose moves can be clicked, and what the book and the tables say.

import { isCertain, signScore, tellScore } from './games.js';
import { h } from './svg.js';
import { t } from './words.js';

const $ = (id) => document.getElementById(id);
const LONGEST = 24;

const short = (n) =>
  n >= 1e9
    ? `${(n / 1e9).toFixed(1)} G`
    : n >= 1e6
      ? `${(n / 1e6).toFixed(1)} M`
      : n >= 1e4
        ? `${Math.round(n / 1e3)} k`
        : `${n}`;

/** A move as people write it: by its name, if it has one. */
export const moveName = (move, name) => (move === '0000' ? t('pass') : (name ?? move));

/** The moves of a line as people write them. */
export const lineNames = ({ pv, names }) => pv.map((move, i) => moveName(move, names?.[i]));

/** A line of the list: its value, and its moves. `pick(place)` shows the line as far as that move. */
function row(spec, line, first, picked, pick) {
  const moves = lineNames(line).slice(0, LONGEST).map((name, place) =>
    h(
      'li',
      {},
      h(
        'button',
        {
          type: 'button',
          class: `step ${(place % 2 === 0) === first ? 'x' : 'o'}`,
          'aria-pressed': picked === place ? 'true' : 'false',
          onclick: () => pick(place),
        },
        name,
      ),
    ),
  );
  return h(
    'li',
    { class: 'candidate' },
    h('span', { class: 'value', title: tellScore(spec, line.score) }, signScore(spec, line.score)),
    h('ol', { class: 'pv' }, moves),
  );
}

export class Thoughts {
  /** `preview(moves)` shows a line on the board, or with nothing the best one again. */
  constructor(preview) {
    this.preview = preview;
    this.picked = null;
    this.key = '';
  }

  /** What the board is to show of the lines: the one that was clicked, as far as that, or the best one. */
  line(lines) {
    const { picked } = this;
    if (picked) return picked.moves;
    return lines?.[0]?.pv ?? [];
  }

  /** The position has changed: nothing is picked any more. */
  forget() {
    this.picked = null;
    this.key = '';
  }

  show(spec, state, lines, most) {
    const [best] = lines ?? [];
    $('n-depth').textContent = best ? (best.seldepth ? `${best.depth} / ${best.seldepth}` : `${best.depth}`) : '–';
    $('n-nodes').textContent = best ? short(best.nodes) : '–';
    $('n-nps').textContent = best ? short(best.nps) : '–';
    this.rows(spec, state, (lines ?? []).slice(0, most));
    this.lore(spec, state, best);
  }

  rows(spec, state, lines) {
    const first = state.first[state.at];
    const key = JSON.stringify([state.at, this.picked?.at, lines.map((line) => [lineNames(line), line.score])]);
    if (key === this.key) return;
    this.key = key;
    const holder = $('lines');
    const places = [...holder.querySelectorAll('button')];
    const focus = places.indexOf(document.activeElement);
    holder.replaceChildren(
      ...lines.map((line, nth) => {
        const picked = this.picked?.nth === nth ? this.picked.place : null;
        return row(spec, line, first, picked, (place) => {
          const again = this.picked?.nth === nth && this.picked.place === place;
          this.picked = again ? null : { nth, place, at: state.at, moves: line.pv.slice(0, place + 1) };
          this.key = '';
          this.rows(spec, state, lines);
          this.preview();
        });
      }),
    );
    if (holder.firstChild) holder.firstChild.querySelector('.pv').id = 'pv';
    if (focus >= 0) holder.querySelectorAll('button')[focus]?.focus();
  }

  /** What is known beside the search. */
  lore(spec, state, best) {
    const said = [];
    if (state.book) {
      const { score, depth } = state.book;
      said.push(t('book_says', lineNames(state.book).slice(0, 4).join(' '), signScore(spec, score), depth));
    }
    if (best?.tbhits) said.push(t('tables_asked', short(best.tbhits)));
    if (best && isCertain(spec, best.score)) said.push(t('certain', tellScore(spec, best.score)));
    $('lore').replaceChildren(...said.map((text) => h('li', {}, text)));
  }
}
