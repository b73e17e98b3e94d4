// A game without points: its text, and its moves to choose from.

import { Places, s } from './svg.js';
import { moveName } from './thoughts.js';
import { t } from './words.js';

const LETTER = 17;
const LINE = 44;
const IN_A_ROW = 6;
const WIDE = 150;

export class TextBoard {
  /** @param {Spec} spec @param {Picture} picture @param {(move: string) => unknown} choose @param {{ refuse: (why: string | null) => void }} options */
  constructor(spec, picture, choose, { refuse }) {
    this.spec = spec;
    this.places = new Places(choose, () => refuse(null));
    /** @type {Record<string, SVGElement>} */
    this.layer = {};
    this.width = 0;
    this.height = 0;
    /** @type {{ move: string, name?: string, node: SVGElement, place: import('./svg.js').Place }[]} */
    this.spots = [];
    this.picture = picture;
    this.svg = s(
      'svg',
      { class: 'text', role: 'group' },
      ['ground', 'places'].map((name) => (this.layer[name] = s('g', { class: name }))),
    );
    this.show(picture);
  }

  /** @param {Picture} picture */
  show(picture) {
    this.picture = picture;
    /** @type {string[]} */
    const lines = picture.board.text.split('\n');
    const { moves } = picture;
    const under = 60 + lines.length * LINE;
    this.width = Math.max(IN_A_ROW * WIDE, ...lines.map((line) => line.length * LETTER)) + 60;
    this.height = under + Math.ceil(Math.max(1, moves.length) / IN_A_ROW) * 60 + 30;
    this.svg.setAttribute('viewBox', `0 0 ${this.width} ${this.height}`);
    this.layer.ground.replaceChildren(
      s('rect', { class: 'slab', x: 4, y: 4, width: this.width - 8, height: this.height - 8, rx: 28 }),
      ...lines.map((line, i) => s('text', { class: 'line', x: this.width / 2, y: 60 + i * LINE }, line)),
    );
    this.layer.places.replaceChildren();
    this.places.list = [];
    this.spots = moves.map(({ move, name }, i) => {
      const [x, y] = [30 + ((i % IN_A_ROW) + 0.5) * WIDE, under + Math.floor(i / IN_A_ROW) * 60 + 20];
      const spot = s(
        'g',
        { class: 'spot', transform: `translate(${x} ${y})` },
        s('rect', { class: 'touch', x: 4 - WIDE / 2, y: -24, width: WIDE - 8, height: 48, rx: 14 }),
        s('text', { class: 'coordinate', y: 9 }, moveName(move, name)),
      );
      this.layer.places.append(spot);
      return { move, name, node: spot, place: this.places.add(spot, x, y) };
    });
  }

  /** @param {Picture} after @param {number} mover */
  async move(after, mover) {
    this.show(after);
    const { move, name } = /** @type {Stroke} */ (after.last);
    return move === '0000' ? t('passes', t(this.spec.sides[mover])) : t('plays', t(this.spec.sides[mover]), name ?? move);
  }

  /** @param {boolean} playable */
  offer(playable) {
    for (const { move, place } of this.spots) this.places.set(place, move, playable ? move : null);
  }

  signs() {}

  line() {}

  /** What moves are worth, beside them. @param {{ move: string, text: string }[]} list */
  values(list) {
    const told = new Map(list.map((one) => [one.move, one.text]));
    for (const { move, name, node } of this.spots) {
      const shown = moveName(move, name);
      node.querySelector('text')?.replaceChildren(told.has(move) ? `${shown} ${told.get(move)}` : shown);
    }
  }

  counts() {
    return this.picture.counts;
  }
}
