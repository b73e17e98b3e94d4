// Nim: heaps of matches. Pointing at a match means it and all to the right of it.

import { Places, animate, s } from './svg.js';
import { t } from './words.js';

const STEP = 36;
const TALL = 118;

/** A heap as it is drawn: its matches, from the left, and its number. @typedef {{ matches: { node: SVGElement, inner: SVGElement, place: import('./svg.js').Place }[], count: SVGElement, middle: number }} Heap */

export class NimBoard {
  /** @param {Spec} spec @param {Picture} picture @param {(move: string) => unknown} choose @param {BoardOptions} options */
  constructor(spec, picture, choose, { tall, refuse }) {
    this.spec = spec;
    this.picture = picture;
    /** @type {string[]} */
    this.names = picture.board.heaps.map((/** @type {{ name: string }} */ heap) => heap.name);
    this.most = tall ? 11 : 21;
    this.places = new Places(choose, () => refuse(this.picture.board.most ? t('why_most', this.picture.board.most) : null));
    /** @type {Record<string, SVGElement>} */
    this.layer = {};
    this.width = 0;
    this.height = 0;
    this.svg = s(
      'svg',
      { class: 'nim', role: 'group' },
      s(
        'defs',
        {},
        s(
          'linearGradient',
          { id: 'stick', x1: 0, x2: 1 },
          s('stop', { offset: 0, class: 'm1' }),
          s('stop', { offset: 0.5, class: 'm2' }),
          s('stop', { offset: 1, class: 'm3' }),
        ),
        s(
          'radialGradient',
          { id: 'head', cx: 0.35, cy: 0.3 },
          s('stop', { offset: 0, class: 'h1' }),
          s('stop', { offset: 1, class: 'h2' }),
        ),
      ),
      ['ground', 'places', 'ghosts', 'values', 'signs'].map((name) => (this.layer[name] = s('g', { class: name }))),
    );
    /** @type {Heap[]} */
    this.heaps = [];
  }

  /** Room for heaps as large as any that has been here. @param {number[]} sizes */
  build(sizes) {
    this.layer.ground.replaceChildren();
    this.layer.places.replaceChildren();
    this.places.list = [];
    const per = Math.min(this.most, Math.max(7, ...sizes));
    const rows = sizes.map((size) => Math.max(1, Math.ceil(size / per)));
    this.width = 190 + per * STEP;
    let y = 34;
    this.heaps = sizes.map((size, heap) => {
      const top = y;
      y += rows[heap] * TALL + 26;
      const middle = top + (rows[heap] * TALL) / 2;
      this.layer.ground.append(
        s('rect', { class: 'mat', x: 78, y: top - 8, width: this.width - 170, height: rows[heap] * TALL + 4, rx: 18 }),
        s('text', { class: 'coordinate big', x: 50, y: middle + 10 }, this.names[heap]),
      );
      const count = s('text', { class: 'number', x: this.width - 50, y: middle + 14 });
      this.layer.ground.append(count);
      const matches = Array.from({ length: size }, (_, i) => {
        const [x, my] = [96 + (i % per) * STEP + STEP / 2, top + Math.floor(i / per) * TALL + TALL / 2 - 6];
        const inner = s(
          'g',
          { class: 'match' },
          s('rect', { x: -5, y: -34, width: 10, height: 84, rx: 3, fill: 'url(#stick)' }),
          s('ellipse', { cy: -38, rx: 9, ry: 13, fill: 'url(#head)' }),
        );
        const node = s(
          'g',
          { class: 'spot', transform: `translate(${x} ${my}) rotate(${((i * 37) % 7) - 3})` },
          s('rect', { class: 'touch', x: -STEP / 2, y: -56, width: STEP, height: 112, rx: 8 }),
          inner,
        );
        this.layer.places.append(node);
        const place = this.places.add(node, x, my);
        for (const kind of ['pointerenter', 'focus']) node.addEventListener(kind, () => this.light(heap, i, true));
        for (const kind of ['pointerleave', 'blur']) node.addEventListener(kind, () => this.light(heap, i, false));
        return { node, inner, place };
      });
      return { matches, count, middle };
    });
    this.height = y + 8;
    this.layer.ground.prepend(
      s('rect', { class: 'slab', x: 4, y: 4, width: this.width - 8, height: this.height - 8, rx: 30 }),
    );
    this.svg.setAttribute('viewBox', `0 0 ${this.width} ${this.height}`);
  }

  /** @param {number} heap @param {number} from @param {boolean} on */
  light(heap, from, on) {
    const { matches } = this.heaps[heap];
    const lit = on && matches[from]?.place.move;
    matches.forEach(({ node }, i) => node.classList.toggle('lit', !!lit && i >= from));
  }

  /** @param {Picture} picture */
  show(picture) {
    /** @type {number[]} */
    const sizes = picture.board.heaps.map((/** @type {{ count: number }} */ heap) => heap.count);
    this.picture = picture;
    if (sizes.length !== this.heaps.length || sizes.some((size, heap) => size > this.heaps[heap].matches.length))
      this.build(sizes);
    sizes.forEach((size, heap) => this.drop(heap, size));
  }

  /** @param {number} heap @param {number} size */
  drop(heap, size) {
    const { matches, count } = this.heaps[heap];
    for (const { place } of matches.splice(size)) this.places.remove(place);
    count.textContent = `${size}`;
  }

  /** @param {Picture} after @param {number} mover */
  async move(after, mover) {
    const [heap, row] = after.last?.from ?? [0, 0];
    const n = row + 1;
    const { matches } = this.heaps[heap];
    const away = mover === 0 ? 70 : -70;
    await Promise.all(
      matches.slice(-n).map(({ inner }, i) =>
        animate(
          inner,
          [
            { transform: 'none', opacity: 1 },
            { transform: `translateY(${away}px) rotate(${away / 4}deg)`, opacity: 0 },
          ],
          { duration: 380, delay: 60 * i, fill: 'both', easing: 'ease-in' },
        ),
      ),
    );
    this.show(after);
    return t('takes', t(this.spec.sides[mover]), n, this.names[heap]);
  }

  /** @param {boolean} playable */
  offer(playable) {
    /** @type {Map<string, string>} */
    const moves = new Map(playable ? this.picture.moves.map(({ move, from }) => [`${from}`, move]) : []);
    this.heaps.forEach(({ matches }, heap) =>
      matches.forEach(({ place }, i) => {
        const n = matches.length - i;
        const move = moves.get(`${heap},${n - 1}`);
        const name = this.names[heap];
        this.places.set(place, move ? t('take', n, name) : t('heap', name, matches.length), move);
      }),
    );
  }

  /** @param {string} move @param {string} kind */
  box(move, kind) {
    const from = this.picture.moves.find((one) => one.move === move)?.from;
    const taken = from ? this.heaps[from[0]].matches.slice(-from[1] - 1) : [];
    return taken.map(({ place }) =>
      s('rect', { class: kind, x: place.x - STEP / 2 + 2, y: place.y - 56, width: STEP - 4, height: 112, rx: 8 }),
    );
  }

  /** @param {{ hint?: string | null }} shown */
  signs({ hint }) {
    this.layer.signs.replaceChildren();
    if (hint) this.layer.signs.append(...this.box(hint, 'hint'));
  }

  /** @param {string[]} moves */
  line(moves) {
    this.layer.ghosts.replaceChildren();
    if (moves.length) this.layer.ghosts.append(...this.box(moves[0], 'take'));
  }

  /** What moves are worth, above the leftmost match that each takes. @param {{ move: string, text: string, best: boolean }[]} list */
  values(list) {
    this.layer.values.replaceChildren(
      ...list.flatMap(({ move, text, best }) => {
        const from = this.picture.moves.find((one) => one.move === move)?.from;
        const place = from && this.heaps[from[0]].matches.at(-from[1] - 1)?.place;
        if (!place) return [];
        return s('text', { class: `value${best ? ' best' : ''}`, x: place.x, y: place.y + 62 }, text);
      }),
    );
  }

  counts() {
    return null;
  }
}
