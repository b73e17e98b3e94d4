// The engine's thoughts: the numbers, the candidate lines whose moves can be clicked, and what the book and the tables say.
//
// A line is drawn anew many times a second. Its buttons stay, and only their words change, so that a click on one counts.

import { isCertain, signScore, tellScore } from './games.js';
import { h } from './svg.js';
import { t } from './words.js';

/** @type {(id: string) => any} */
const $ = (id) => document.getElementById(id);

const short = (/** @type {number} */ n) =>
  n >= 1e9
    ? `${(n / 1e9).toFixed(1)} G`
    : n >= 1e6
      ? `${(n / 1e6).toFixed(1)} M`
      : n >= 1e4
        ? `${Math.round(n / 1e3)} k`
        : `${n}`;

/** The letters of the pieces, in the order of those that SAN has. */
const LETTERS = 'KQRBN';

/** A name in SAN with the letters of this language. @param {string} name */
const localName = (name) =>
  name.replace(/^[KQRBN](?=[a-h1-8x])|(?<==)[QRBN]/g, (letter) => t('piece_letters')[LETTERS.indexOf(letter)]);

/** A move that was typed with the letters of this language, in SAN. @param {string} typed */
export const sanOf = (typed) =>
  typed.replace(/^\p{Lu}(?=[a-h1-8x])|(?<==)\p{Lu}/gu, (letter) => LETTERS[t('piece_letters').indexOf(letter)] ?? letter);

/** A move as people write it: by its name, if it has one. @param {string} move @param {string | null} [name] */
export const moveName = (move, name) => (move === '0000' ? t('pass') : name ? localName(name) : move);

/** The moves of a line as people write them. @param {{ pv: string[], names?: string[] }} line */
export const lineNames = ({ pv, names }) => pv.map((move, i) => moveName(move, names?.[i]));

/** Makes a list as long as it has to be. @param {HTMLElement} list @param {number} n @param {(i: number) => Node} make */
function resize(list, n, make) {
  while (list.children.length > n) list.lastElementChild?.remove();
  while (list.children.length < n) list.append(make(list.children.length));
}

export class Thoughts {
  /** `pick(picked)` shows a line on the board as far as a move, or the best one again; `keep(moves, count)` puts it into the tree.
   * @param {{ pick: (picked: import('./state.js').Picked | null) => void, keep: (moves: string[], count: number) => void }} on */
  constructor(on) {
    this.on = on;
    /** @type {Line[]} */
    this.lines = [];
    this.node = 0;
    /** @type {import('./state.js').Picked | null} */
    this.picked = null;
    $('lines').addEventListener('click', (/** @type {Event} */ event) => this.clicked(event));
  }

  /** The language or the position has changed. */
  forget() {
    this.lines = [];
  }

  /** @param {Event} event */
  clicked(event) {
    const button = /** @type {HTMLElement} */ (event.target).closest('button');
    if (!button) return;
    const nth = [...$('lines').children].indexOf(button.closest('.candidate'));
    const line = this.lines[nth];
    if (!line) return;
    if (button.classList.contains('keep')) {
      this.on.keep(line.pv, this.picked?.nth === nth ? this.picked.place + 1 : line.pv.length);
      return;
    }
    const place = [.../** @type {HTMLElement} */ (button.closest('.pv')).children].indexOf(/** @type {HTMLElement} */ (button.parentElement));
    if (place >= line.pv.length) return;
    const again = this.picked?.nth === nth && this.picked.place === place;
    this.on.pick(again ? null : { nth, place, node: this.node, moves: line.pv.slice(0, place + 1) });
  }

  /**
   * @param {Spec} spec
   * @param {ServerState} state
   * @param {Line[] | null} lines
   * @param {number} most
   * @param {import('./state.js').Picked | null} picked
   * @param {boolean} isThreat whether the other side is to move in them
   */
  show(spec, state, lines, most, picked, isThreat) {
    const [best] = lines ?? [];
    $('n-depth').textContent = best ? (best.seldepth ? `${best.depth} / ${best.seldepth}` : `${best.depth}`) : '–';
    $('n-nodes').textContent = best ? short(best.nodes) : '–';
    $('n-nps').textContent = best ? short(best.nps) : '–';
    this.picked = picked;
    this.node = state.nodes[state.at];
    this.lines = (lines ?? []).slice(0, most);
    this.draw(spec, state.first[state.at] !== isThreat);
    $('lines').classList.toggle('threats', isThreat);
    this.lore(spec, state, best);
  }

  /** @param {Spec} spec @param {boolean} first whether the first player begins the lines */
  draw(spec, first) {
    const holder = $('lines');
    resize(holder, this.lines.length, () =>
      h(
        'li',
        { class: 'candidate' },
        h('span', { class: 'value' }),
        h('ol', { class: 'pv' }),
        h('button', { type: 'button', class: 'keep quiet', title: t('keep_line'), 'aria-label': t('keep_line') }, '+'),
      ),
    );
    this.lines.forEach((line, nth) => {
      const [value, pv] = holder.children[nth].children;
      value.textContent = signScore(spec, line.score);
      value.title = tellScore(spec, line.score);
      const names = lineNames(line);
      resize(pv, names.length, () => h('li', {}, h('button', { type: 'button' })));
      names.forEach((name, place) => {
        const button = /** @type {HTMLElement} */ (pv.children[place].firstChild);
        if (button.textContent !== name) button.textContent = name;
        button.className = `step ${(place % 2 === 0) === first ? 'x' : 'o'}`;
        button.setAttribute('aria-pressed', this.picked?.nth === nth && this.picked.place === place ? 'true' : 'false');
      });
      pv.id = nth ? '' : 'pv';
    });
  }

  /** What is known beside the search. @param {Spec} spec @param {ServerState} state @param {Line | undefined} best */
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
