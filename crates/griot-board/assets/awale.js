// Awalé: houses with seeds that can be counted, sown one by one.
//
// The page sows by itself, as that is the same in every variant: one seed to each following house, none to the house of
// origin. What was captured is the difference between that and the board that the engine answers.

import { houseOf, houses } from './picture.js';
import { Places, animate, s, wait } from './svg.js';
import { t } from './words.js';

const STEP = 132;
const RADIUS = 56;
const GOLDEN = Math.PI * (3 - Math.sqrt(5));

/** Sows from one house without captures. Returns the seeds in each house afterwards, and which houses received a seed, in order. @param {number[]} seeds @param {number} from */
function sow(seeds, from) {
  const sown = [...seeds];
  /** @type {number[]} */
  const path = [];
  let to = from;
  for (sown[from] = 0; path.length < seeds[from];) {
    to = (to + 1) % seeds.length;
    if (to === from) continue;
    sown[to] += 1;
    path.push(to);
  }
  return { sown, path };
}

/** Where the seeds of a house lie: in rings while they can be told apart, in a spiral beyond. @param {number} n @param {number} turn @returns {Point[]} */
function nest(n, turn) {
  const ring = (/** @type {number} */ count, /** @type {number} */ radius, /** @type {number} */ phase) =>
    Array.from({ length: count }, (_, i) => {
      const angle = turn + phase + (2 * Math.PI * i) / count;
      return /** @type {Point} */ ([radius * Math.cos(angle), radius * Math.sin(angle)]);
    });
  if (n <= 1) return ring(n, 0, 0);
  if (n <= 5) return ring(n, [0, 0, 14, 17, 20, 23][n], 0);
  if (n <= 9) return [...ring(1, 0, 0), ...ring(n - 1, 28, 0)];
  if (n <= 15) {
    const inner = n - 10 < 3 ? 3 : 4;
    return [...ring(inner, 14, 0.4), ...ring(n - inner, 36, 0)];
  }
  return Array.from({ length: n }, (_, i) => {
    const radius = 42 * Math.sqrt((i + 0.5) / n);
    return [radius * Math.cos(turn + i * GOLDEN), radius * Math.sin(turn + i * GOLDEN)];
  });
}

/**
 * A part of what is captured: from a house into a store.
 * @typedef {{ house: number, store: number, part: number }} Flight
 * @typedef {ReturnType<typeof houses>} Houses
 */

export class AwaleBoard {
  /** @param {Spec} spec @param {Picture} picture @param {(move: string) => unknown} choose @param {BoardOptions} options */
  constructor(spec, picture, choose, { tall, turned, refuse }) {
    const { names } = houses(picture);
    this.spec = spec;
    this.picture = picture;
    this.made = 0;
    this.tall = tall;
    this.turned = turned;
    this.names = names;
    /** Houses of a side. */
    this.n = names.length / 2;
    this.side = tall ? 40 : 172;
    this.width = this.n * STEP + 2 * this.side;
    this.top = tall ? 150 : 70;
    this.height = 2 * STEP + 2 * this.top;
    /** @type {Record<string, SVGElement>} */
    this.layer = {};
    this.svg = s(
      'svg',
      { viewBox: `0 0 ${this.width} ${this.height}`, class: `awale${tall ? ' tall' : ''}`, role: 'group' },
      this.gradients(),
      ['ground', 'places', 'seeds', 'numbers', 'values', 'ghosts', 'signs'].map(
        (name) => (this.layer[name] = s('g', { class: name })),
      ),
    );
    this.places = new Places(choose, (place) => refuse(this.why(place)));
    // Who drags from a house to another sows; the way of the seeds shows meanwhile.
    this.places.drag = {
      over: (from, to) => this.line(to && to !== from && from.move ? [from.move] : []),
      drop: (from, to) => {
        this.line([]);
        if (to && to !== from && from.move) choose(from.move);
      },
    };
    /** Seeds as nodes: houses first, then the two stores. */
    this.seeds = Array.from({ length: 2 * this.n + 2 }, () => /** @type {SVGElement[]} */ ([]));
    /** @type {SVGElement[]} */
    this.numbers = [];
    this.ground();
  }

  gradients() {
    const seed = (/** @type {number} */ id) =>
      s(
        'radialGradient',
        { id: `seed-${id}`, cx: 0.35, cy: 0.3, r: 0.8 },
        s('stop', { offset: 0, class: `s${id}a` }),
        s('stop', { offset: 0.5, class: `s${id}b` }),
        s('stop', { offset: 1, class: `s${id}c` }),
      );
    return s(
      'defs',
      {},
      [0, 1, 2].map(seed),
      s(
        'radialGradient',
        { id: 'pit', cx: 0.5, cy: 0.62, r: 0.62 },
        s('stop', { offset: 0, class: 'p1' }),
        s('stop', { offset: 0.78, class: 'p2' }),
        s('stop', { offset: 1, class: 'p3' }),
      ),
      s(
        'linearGradient',
        { id: 'carved', x1: 0, y1: 0, x2: 0, y2: 1 },
        s('stop', { offset: 0, class: 'w1' }),
        s('stop', { offset: 1, class: 'w2' }),
      ),
    );
  }

  /** @param {number} house */
  name(house) {
    return this.names[house];
  }

  /** Returns a move's house, whose name is the text of that move. @param {string} move */
  house(move) {
    return this.names.indexOf(move);
  }

  /** Why nothing can be played at a house. @param {{ house?: number }} place */
  why({ house = 0 }) {
    const owner = house < this.n ? 0 : 1;
    const mover = this.picture.turn === 'first' ? 0 : 1;
    const name = this.name(house);
    if (owner !== mover) return t('why_not_yours', name, t(this.spec.sides[owner]), t(this.spec.sides[mover]));
    return this.seeds[house].length ? t('why_feed', name) : t('why_empty', name);
  }

  /** The middle of a house, or of a store (2n south's, 2n + 1 north's). @param {number} house @returns {Point} */
  at(house) {
    const { n } = this;
    let [x, y] = house < n ? [house, 1] : [2 * n - 1 - house, 0];
    if (house >= 2 * n) {
      const low = (house === 2 * n) !== !!this.turned;
      if (this.tall) return [this.width / 2, low ? this.height - 72 : 72];
      return [low ? this.width - 98 : 98, this.height / 2];
    }
    if (this.turned) [x, y] = [n - 1 - x, 1 - y];
    return [this.side + (x + 0.5) * STEP, this.top + (y + 0.5) * STEP];
  }

  ground() {
    const { n, width, height } = this;
    const put = (/** @type {SVGElement[]} */ ...nodes) => this.layer.ground.append(...nodes);
    put(
      s('rect', {
        class: 'slab',
        x: 5,
        y: 5,
        width: width - 10,
        height: height - 10,
        rx: this.tall ? 60 : 120,
        fill: 'url(#carved)',
      }),
      s('rect', { class: 'groove', x: 19, y: 19, width: width - 38, height: height - 38, rx: this.tall ? 48 : 106 }),
    );
    for (let i = 0; i < n; i += 1) {
      const x = this.side + (i + 0.5) * STEP;
      if (i < n - 1) put(s('path', { class: 'carving', d: `M${x + STEP / 2} ${height / 2 - 9}l9 9l-9 9l-9 -9z` }));
    }
    for (const store of [2 * n, 2 * n + 1]) {
      const [x, y] = this.at(store);
      const [w, hgt] = this.tall ? [width - 150, 96] : [112, 2 * STEP - 24];
      put(
        s('rect', {
          class: 'pit store',
          x: x - w / 2,
          y: y - hgt / 2,
          width: w,
          height: hgt,
          rx: 48,
          fill: 'url(#pit)',
        }),
        s('rect', {
          class: `rim side${store - 2 * n}`,
          x: x - w / 2 - 5,
          y: y - hgt / 2 - 5,
          width: w + 10,
          height: hgt + 10,
          rx: 53,
        }),
      );
      const number = s('text', {
        class: 'number store',
        x: this.tall ? width - 46 : x,
        y: this.tall ? y + 12 : y + hgt / 2 + 40,
      });
      this.layer.numbers.append(number);
      this.numbers[store] = number;
    }
    for (let house = 0; house < 2 * n; house += 1) {
      const [x, y] = this.at(house);
      const low = y > height / 2;
      const place = s(
        'g',
        { class: 'spot house', transform: `translate(${x} ${y})` },
        s('circle', { class: 'pit', r: RADIUS, fill: 'url(#pit)' }),
        s('circle', { class: `rim side${house < n ? 0 : 1}`, r: RADIUS + 1 }),
        s('circle', { class: 'offer', r: RADIUS + 3 }),
      );
      this.layer.places.append(place);
      this.places.add(place, x, y).house = house;
      const outer = low ? y + RADIUS + (this.tall ? 30 : 36) : y - RADIUS - (this.tall ? 12 : 16);
      this.layer.numbers.append(
        s('text', { class: 'coordinate', x: x - 17, y: outer }, this.name(house)),
        (this.numbers[house] = s('text', { class: 'number', x: x + 15, y: outer })),
      );
    }
  }

  /** Where seed number `i` of `n` lies in a house or a store. @param {number} where @param {number} i @param {number} n @returns {Point} */
  lie(where, i, n) {
    const [x, y] = this.at(where);
    if (where < 2 * this.n) {
      const [dx, dy] = nest(n, where * 1.3)[i];
      return [x + dx, y + dy];
    }
    // Rows of five (of fifteen on a tall board), filled from one end.
    const row = this.tall ? 3 : 4;
    const step = this.tall ? Math.min(24, (this.width - 210) / 16) : 23;
    const [a, b] = [Math.floor(i / row), (i % row) - (row - 1) / 2];
    return this.tall
      ? [x - (this.width - 220) / 2 + a * step, y + b * 24]
      : [x + b * 23, y + STEP - 46 - a * Math.min(23, 208 / Math.max(1, Math.ceil(n / row)))];
  }

  /** Puts a seed where it lies, at once. @param {SVGElement} seed @param {Point} place */
  lay(seed, [x, y]) {
    seed.style.transform = `translate(${x}px, ${y}px)`;
  }

  /** @param {number} where */
  settle(where) {
    const list = this.seeds[where];
    list.forEach((seed, i) => this.lay(seed, this.lie(where, i, list.length)));
    this.count(where);
  }

  /** @param {number} where */
  count(where) {
    this.numbers[where].textContent = `${this.seeds[where].length}`;
  }

  makeSeed() {
    this.made += 1;
    const kind = (this.made * 7) % 3;
    const seed = s(
      'g',
      { class: 'seed' },
      s('ellipse', { class: 'shade', cx: 1.5, cy: 3, rx: 11, ry: 10.5 }),
      s('ellipse', { rx: 11, ry: 10.4, fill: `url(#seed-${kind})`, transform: `rotate(${(this.made * 47) % 180})` }),
      s('circle', { class: 'shine', cx: -3.4, cy: -3.8, r: 2.2 }),
    );
    this.layer.seeds.append(seed);
    return seed;
  }

  /** @param {Picture} picture */
  show(picture) {
    const { houses: seeds, stores } = houses(picture);
    [...seeds, ...stores].forEach((n, where) => {
      const list = this.seeds[where];
      for (const seed of list.splice(n)) seed.remove();
      while (list.length < n) list.push(this.makeSeed());
      this.settle(where);
    });
    this.picture = picture;
  }

  /** @param {SVGElement} seed @param {Point} to @param {number} duration @param {number} lift */
  async fly(seed, to, duration, lift) {
    const from = new DOMMatrix(getComputedStyle(seed).transform);
    this.layer.seeds.append(seed);
    this.lay(seed, to);
    const middle = [(from.e + to[0]) / 2, (from.f + to[1]) / 2 - lift];
    await animate(
      seed,
      [
        { transform: `translate(${from.e}px, ${from.f}px)` },
        { transform: `translate(${middle[0]}px, ${middle[1]}px) scale(1.28)`, easing: 'ease-in' },
        { transform: `translate(${to[0]}px, ${to[1]}px)` },
      ],
      { duration },
    );
  }

  /** @param {Picture} after @param {number} mover */
  async move(after, mover) {
    const from = houseOf(after, after.last?.from ?? [0, 0]);
    const old = houses(this.picture);
    const now = houses(after);
    const { sown, path } = sow(old.houses, from);
    const beat = Math.max(60, Math.min(170, 1900 / Math.max(1, path.length)));
    const hand = this.seeds[from];
    this.seeds[from] = [];
    this.count(from);
    const inHand = hand.length;
    const flights = [];
    for (const to of path) {
      const seed = hand.shift() ?? this.makeSeed();
      const list = this.seeds[to];
      list.push(seed);
      flights.push(this.fly(seed, this.lie(to, list.length - 1, list.length), 320, 46).then(() => this.settle(to)));
      await wait(beat);
    }
    await Promise.all(flights);
    const taken = this.taken(sown, now, path.at(-1) ?? from, mover, [
      now.stores[0] - old.stores[0],
      now.stores[1] - old.stores[1],
    ]);
    this.svg.dataset.confirmed = String(taken.agree);
    if (taken.agree) await this.capture(taken.flights);
    // What the engine says is the board, whatever was drawn.
    this.show(after);
    const captured = now.stores[mover] - old.stores[mover];
    const said = t('sows', t(this.spec.sides[mover]), this.name(from), inHand);
    return captured ? `${said} ${t('captures', captured)}` : said;
  }

  /** Which houses are emptied by how many seeds into which store; `agree` if that explains the engine's board. @param {number[]} sown @param {Houses} now @param {number} last @param {number} mover @param {number[]} gains */
  taken(sown, now, last, mover, gains) {
    const { n } = this;
    const left = [...gains];
    /** @type {Flight[]} */
    const flights = [];
    const missing = sown.map((count, house) => count - now.houses[house]);
    // First the captured run, back from the last seed; then what is collected at the end of the game.
    const order = Array.from({ length: 2 * n }, (_, i) => (last - i + 2 * n) % (2 * n));
    for (const house of order) {
      if (missing[house] <= 0) continue;
      for (const store of [mover, 1 - mover]) {
        const part = Math.min(missing[house], left[store]);
        if (part <= 0) continue;
        flights.push({ house, store, part });
        missing[house] -= part;
        left[store] -= part;
      }
    }
    return { flights, agree: missing.every((count) => count === 0) && left.every((count) => count === 0) };
  }

  /** @param {Flight[]} flights */
  async capture(flights) {
    for (const { house, store, part } of flights) {
      const to = 2 * this.n + store;
      const [cx, cy] = this.at(house);
      const flash = s('circle', { class: 'captured', cx, cy, r: RADIUS + 4 });
      this.layer.signs.append(flash);
      animate(flash, [{ opacity: 0 }, { opacity: 1, offset: 0.3 }, { opacity: 0 }], {
        duration: 700,
        fill: 'both',
      }).then(() => flash.remove());
      await wait(180);
      const going = this.seeds[house].splice(0, part);
      this.count(house);
      await Promise.all(
        going.map(async (seed, i) => {
          await wait(60 * i);
          this.seeds[to].push(seed);
          await this.fly(seed, this.lie(to, this.seeds[to].length - 1, this.seeds[to].length), 420, 70);
        }),
      );
      this.settle(to);
    }
  }

  /** @param {boolean} playable */
  offer(playable) {
    /** @type {Map<number, string>} */
    const can = new Map();
    for (const { move, from } of playable ? this.picture.moves : []) if (from) can.set(houseOf(this.picture, from), move);
    for (const place of this.places.list) {
      const { house = 0 } = place;
      const side = t(this.spec.sides[house < this.n ? 0 : 1]);
      const label = t('house', this.name(house), side, this.seeds[house].length);
      const move = can.get(house);
      this.places.set(place, move ? `${label}; ${t('playable')}` : label, move);
    }
    for (const store of [0, 1]) {
      const where = 2 * this.n + store;
      this.numbers[where].setAttribute('aria-label', t('store', t(this.spec.sides[store]), this.seeds[where].length));
    }
  }

  /** @param {{ before?: Picture, hint?: string | null }} shown */
  signs({ before, hint }) {
    this.layer.signs.replaceChildren();
    const ring = (/** @type {number} */ house, /** @type {string} */ kind, /** @type {number} */ r) => {
      const [cx, cy] = this.at(house);
      this.layer.signs.append(s('circle', { class: kind, cx, cy, r }));
    };
    const { last } = this.picture;
    if (last?.from) {
      const from = houseOf(this.picture, last.from);
      ring(from, 'last', RADIUS - 2);
      const path = before ? sow(houses(before).houses, from).path : [];
      if (path.length) ring(path[path.length - 1], 'last end', RADIUS - 2);
    }
    if (hint) ring(this.house(hint), 'hint', RADIUS + 4);
  }

  /** Numbers houses in the order of the moves of a line, and draws the path of the first move. @param {string[]} moves */
  line(moves) {
    this.layer.ghosts.replaceChildren();
    if (!moves.length) return;
    const first = this.house(moves[0]);
    const { path } = sow(houses(this.picture).houses, first);
    const points = [first, ...path.slice(0, 2 * this.n - 1)].map((house) => this.at(house));
    if (points.length > 1) {
      this.layer.ghosts.append(
        s('path', { class: 'way', d: `M${points.map((point) => point.join(' ')).join('L')}` }),
        s('circle', { class: 'way-end', cx: points[points.length - 1][0], cy: points[points.length - 1][1], r: 8 }),
      );
    }
    const times = new Map();
    moves.slice(0, 6).forEach((move, i) => {
      const house = this.house(move);
      const [x, y] = this.at(house);
      const nth = times.get(house) ?? 0;
      times.set(house, nth + 1);
      const low = y > this.height / 2;
      this.layer.ghosts.append(
        s(
          'g',
          {
            class: `step ${house < this.n ? 'x' : 'o'}`,
            opacity: i === 0 ? 1 : 0.8,
            transform: `translate(${x - 44 + nth * 30} ${y + (low ? -44 : 44)})`,
          },
          s('circle', { r: 15 }),
          s('text', { y: 6 }, `${i + 1}`),
        ),
      );
    });
  }

  /** Shows the value of each move on its house. @param {{ move: string, text: string, best: boolean }[]} list */
  values(list) {
    this.layer.values.replaceChildren(
      ...list.map(({ move, text, best }) => {
        const [x, y] = this.at(this.house(move));
        const wide = 22 + 13 * text.length;
        return s(
          'g',
          { class: `value${best ? ' best' : ''}`, transform: `translate(${x} ${y + 44})` },
          s('rect', { x: -wide / 2, y: -18, width: wide, height: 36, rx: 18 }),
          s('text', { y: 8 }, text),
        );
      }),
    );
  }

  counts() {
    return [this.seeds[2 * this.n].length, this.seeds[2 * this.n + 1].length];
  }
}
