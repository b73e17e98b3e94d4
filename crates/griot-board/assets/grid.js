// Boards of cells: what they look like and which pieces stand on them the picture says. A piece that moves is chosen by its cell, then
// by the cells where it stops, and where it ends; the end alone is enough where only one move of the piece goes there.

import { colorOf, pieceName, shapes } from './figures.js';
import { cellName, cells, placeOf, pointsOf, wayByName, waysOf } from './picture.js';
import { Places, animate, isTouch, s } from './svg.js';
import { t } from './words.js';

/**
 * @typedef {import('./figures.js').Placed} Piece
 * @typedef {import('./svg.js').Place} Place
 * @typedef {(move: string) => unknown} Choose
 */

const CELL = 100;
const EDGE = 56;
/** The edge of a board without labels beside it. */
const NARROW = 18;
/** Points of fewer pixels than this are touched twice: once to aim, once to play. */
const FINGER = 40;
/** Begins what is chosen at a cell where a move begins or stops, and does not end yet. */
const FROM = 'from:';
const same = (/** @type {Piece | null} */ one, /** @type {Piece | null} */ other) => one?.side === other?.side && one?.mark === other?.mark;
/** How many moves of a line are drawn. */
/** @type {Record<string, number>} */
const GHOSTS = { points: 9, squares: 4 };

export class GridBoard {
  /** `options.several(strokes)` answers which of several moves with the same way is meant. @param {Spec} spec @param {Picture} picture @param {Choose} choose @param {BoardOptions} options */
  constructor(spec, picture, choose, { refuse, aimed, several, turned }) {
    // What falls, falls down.
    this.turned = !!turned && spec.surface !== 'holes';
    this.spec = spec;
    this.picture = picture;
    this.aimed = aimed;
    this.several = several;
    /** @type {number} */
    this.cols = spec.cols;
    /** @type {number} */
    this.rows = spec.rows;
    /** What is played when the same point is touched again. @type {string | null} */
    this.aim = null;
    /** The names of the cells that were chosen of a move: where it begins, and where it has stopped. @type {string[]} */
    this.path = [];
    this.playable = false;
    // Othello is numbered from above; nothing stands below it.
    const isNamed = !!picture.board.labels;
    const far = isNamed ? NARROW : (/** @type {Record<string, number>} */ ({ cloth: 24, squares: NARROW })[spec.surface] ?? EDGE);
    /** What is above the cells, and beside them. */
    this.top = spec.surface === 'squares' ? far : EDGE;
    this.left = isNamed ? NARROW : EDGE;
    this.width = this.cols * CELL + this.left + far;
    this.height = this.rows * CELL + (isNamed ? this.top : EDGE) + far;
    /** @type {(Piece | null)[][]} */
    this.grid = Array.from({ length: this.rows }, () => Array(this.cols).fill(null));
    /** @type {Map<string, SVGElement>} */
    this.pieces = new Map();
    /** @type {Point | null} */
    this.lastPlace = null;
    /** @type {Record<string, SVGElement>} */
    this.layer = {};
    const layers = ['ground', 'pieces', 'frame', 'places', 'ghosts', 'values', 'signs'];
    this.svg = s(
      'svg',
      {
        viewBox: `0 0 ${this.width} ${this.height}`,
        class: `grid on-${spec.surface}${Math.max(spec.cols, spec.rows) > 10 ? ' large' : ''}`,
        role: 'group',
      },
      this.gradients(),
      layers.map((name) => (this.layer[name] = s('g', { class: name }))),
    );
    this.ground();
    this.places = new Places((move, event) => this.chosen(move, event, choose), (place) => refuse(this.why(place)));
    this.places.drag = {
      over: (from, to, event) => this.carry(from, to, event),
      drop: (from, to, event) => this.letGo(from, to, event, choose),
    };
    /** @type {{ col: number, row: number, place: Place }[]} */
    this.spots = [];
    if (spec.surface === 'holes') this.columns();
    else this.squares();
  }

  gradients() {
    const ball = (/** @type {string} */ id, /** @type {string} */ light, /** @type {string} */ body, /** @type {string} */ dark) =>
      s(
        'radialGradient',
        { id, cx: 0.36, cy: 0.3, r: 0.8 },
        s('stop', { offset: 0, class: light }),
        s('stop', { offset: 0.45, class: body }),
        s('stop', { offset: 1, class: dark }),
      );
    return s(
      'defs',
      {},
      /** @type {('x' | 'o')[]} */ (['x', 'o']).map((side) => {
        const color = colorOf({ side, mark: '' }, this.spec);
        return ball(`piece-${side}`, `${color}1`, `${color}2`, `${color}3`);
      }),
      s(
        'linearGradient',
        { id: 'wood', x1: 0, y1: 0, x2: 1, y2: 1 },
        s('stop', { offset: 0, class: 'w1' }),
        s('stop', { offset: 1, class: 'w2' }),
      ),
    );
  }

  /** A move was chosen: where points are small, a finger aims first. @param {string} move @param {Event | undefined} event @param {Choose} choose */
  async chosen(move, event, choose) {
    if (move.startsWith(FROM)) {
      this.pick(move);
      return;
    }
    const small = (this.svg.getBoundingClientRect().width / this.width) * CELL < FINGER;
    if (small && this.spec.surface !== 'holes' && event?.type === 'click' && isTouch(event) && this.aim !== move) {
      this.takeAim(move);
      return;
    }
    const way = this.picture.moves.find((one) => one.move === move);
    const alike = way ? this.picture.moves.filter((one) => `${pointsOf(one)}` === `${pointsOf(way)}`) : [];
    const meant = way?.from && way.to && alike.length > 1 ? await this.oneOf(alike, way.to) : move;
    if (meant) choose(meant);
  }

  /** Which of several moves that go the same way is meant: what the piece becomes is chosen where it will stand, the queen first. @param {Stroke[]} alike @param {Point} to @returns {Promise<string | null>} */
  oneOf(alike, to) {
    const side = this.picture.turn === 'first' ? 'x' : 'o';
    const become = (/** @type {Stroke} */ { becomes }) => becomes && this.spec.set.find((/** @type {Piece} */ piece) => piece.side === side && piece.kind === becomes);
    if (!alike.every(become)) return this.several(alike);
    const [x, y] = this.at(...this.place(to));
    const down = y < this.height / 2 ? 1 : -1;
    return new Promise((done) => {
      const close = (/** @type {string | null} */ move) => {
        layer.remove();
        this.svg.removeEventListener('keydown', escape);
        done(move);
      };
      const escape = (/** @type {KeyboardEvent} */ event) => {
        if (event.key === 'Escape') close(null);
      };
      const order = ['queen', 'rook', 'bishop', 'knight'];
      const choices = [...alike].sort((one, other) => order.indexOf(one.becomes ?? '') - order.indexOf(other.becomes ?? ''));
      /** @type {SVGGElement} */
      const layer = s(
        'g',
        { class: 'promotion' },
        s('rect', { class: 'veil', width: this.width, height: this.height, onclick: () => close(null) }),
        choices.map((one, i) =>
          s(
            'g',
            {
              class: 'choice',
              role: 'button',
              tabindex: 0,
              'aria-label': `${pieceName(become(one), this.spec)}, ${one.name ?? one.move}`,
              transform: `translate(${x} ${y + down * i * CELL})`,
              onclick: () => close(one.move),
              onkeydown: (event) => {
                if (event.key === 'Enter' || event.key === ' ') {
                  event.preventDefault();
                  close(one.move);
                }
              },
            },
            s('rect', { x: -CELL / 2, y: -CELL / 2, width: CELL, height: CELL }),
            this.piece(become(one)),
          ),
        ),
      );
      this.svg.append(layer);
      this.svg.addEventListener('keydown', escape);
      /** @type {HTMLElement | null} */ (layer.querySelector('.choice'))?.focus();
    });
  }

  /** What is dragged goes along: the piece that is to move, or the ghost of one that is to come. @param {Place} from @param {Place | null} to @param {PointerEvent} event */
  carry(from, to, event) {
    if (from.move?.startsWith(FROM)) {
      if (FROM + this.path.at(-1) !== from.move) this.pick(from.move);
      const { col, row } = this.spotOf(from);
      const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(this.svg.getScreenCTM()?.inverse());
      const piece = this.pieces.get(`${col},${row}`);
      piece?.setAttribute('transform', `translate(${x} ${y})`);
      piece?.classList.add('carried');
    } else if (this.aim !== (to?.move ?? null)) {
      this.aim = null;
      this.line([], true);
      if (to?.move) this.ghost(to.move);
    }
  }

  /** What was dragged is let go: on a cell where it may be it is played, elsewhere nothing is. @param {Place} _ @param {Place | null} to @param {PointerEvent} event @param {Choose} choose */
  letGo(_, to, event, choose) {
    for (const [place, piece] of this.pieces) {
      const [col, row] = place.split(',').map(Number);
      piece.setAttribute('transform', `translate(${this.at(col, row).join(' ')})`);
      piece.classList.remove('carried');
    }
    const move = to?.move?.startsWith(FROM) ? null : to?.move;
    this.aim = null;
    this.line([], true);
    const stop = (!move && to?.move?.slice(FROM.length)) || '';
    // A piece that was carried to a stop stands where it was until its move is complete.
    if (stop && !this.path.includes(stop) && this.goesOn(stop)) this.pick(FROM + stop);
    else if (!move) {
      this.path = [];
      this.offer(this.playable);
    } else if (this.path.length) this.chosen(move, event, choose);
    else choose(move);
  }

  /** @param {string} move */
  takeAim(move) {
    this.ghost(move);
    this.aimed(move);
  }

  /** Shows where a move would go, and its column and row. @param {string} move */
  ghost(move) {
    this.aim = move;
    this.line([move], this.picture.turn === 'first');
    const { to } = this.way(move, this.grid);
    if (!to) return;
    const [x, y] = this.at(...to);
    this.layer.ghosts.append(
      s('path', { class: 'aim', d: `M${x} ${this.top}v${this.rows * CELL}M${this.left} ${y}h${this.cols * CELL}` }),
    );
  }

  /** Where a place is. @param {Place} place */
  spotOf(place) {
    return /** @type {{ col: number, row: number, place: Place }} */ (this.spots.find((spot) => spot.place === place));
  }

  /** Why nothing can be played at a place. @param {Place} place */
  why(place) {
    const { col, row } = this.spotOf(place);
    if (this.spec.surface === 'holes') return t('why_full', this.column(col));
    const name = this.name(col, row);
    const moves = this.picture.moves.some(({ from }) => from);
    return this.grid[row][col] && !moves ? t('why_taken', name) : t('why_not_here', name);
  }

  /** The middle of a cell. @param {number} col @param {number} row @returns {Point} */
  at(col, row) {
    if (this.turned) [col, row] = [this.cols - 1 - col, this.rows - 1 - row];
    return [this.left + (col + 0.5) * CELL, this.top + (row + 0.5) * CELL];
  }

  /** @param {number} col @returns {string} */
  column(col) {
    return this.picture.board.columns[col];
  }

  /** The label of a row, which is counted from the top. @param {number} row @returns {string} */
  number(row) {
    const { rows, from_top } = this.picture.board;
    return rows[from_top ? row : this.rows - 1 - row];
  }

  /** @param {number} col @param {number} row */
  name(col, row) {
    return cellName(this.picture, this.place([col, row]));
  }

  /** Whether pieces can stand on a cell. @param {number} col @param {number} row @returns {boolean} */
  isUsed(col, row) {
    const { dark, columns } = this.picture.board;
    const [, own] = this.place([col, row]);
    return dark?.[own * columns.length + col] ?? true;
  }

  /** Column and row of a point. @param {Point} point */
  place(point) {
    return placeOf(this.picture, point);
  }

  /** Where a move of a line ends, on a grid of what stands there; and where it begins and stops, if it does. @param {string} move @param {(Piece | null)[][]} grid @returns {import('./picture.js').Way} */
  way(move, grid) {
    if (this.spec.surface === 'holes') {
      const col = this.picture.board.columns.indexOf(move);
      const full = grid.findIndex((row) => row[col]);
      return { to: [col, (full < 0 ? this.rows : full) - 1] };
    }
    const { from, to, via = [] } = wayByName(this.picture, move);
    return { from: from && this.place(from), to: to && this.place(to), via: via.map((point) => this.place(point)) };
  }

  ground() {
    const { cols, rows, spec } = this;
    const [w, hgt] = [cols * CELL, rows * CELL];
    const put = (/** @type {SVGElement[]} */ ...nodes) => this.layer.ground.append(...nodes);
    put(s('rect', { class: 'slab', x: 4, y: 4, width: this.width - 8, height: this.height - 8, rx: 28 }));
    if (spec.surface === 'tiles') {
      for (let row = 0; row < rows; row += 1) {
        for (let col = 0; col < cols; col += 1) {
          put(
            s('rect', {
              class: 'tile',
              x: EDGE + col * CELL + 4,
              y: EDGE + row * CELL + 4,
              width: CELL - 8,
              height: CELL - 8,
              rx: 14,
            }),
          );
        }
      }
    } else if (spec.surface === 'squares') {
      for (let row = 0; row < rows; row += 1) {
        for (let col = 0; col < cols; col += 1) {
          const isDark = this.picture.board.dark ? this.isUsed(col, row) : (row + col) % 2 === 1;
          const kind = isDark ? 'dark' : 'light';
          const [x, y] = this.at(col, row);
          put(s('rect', { class: `square ${kind}`, x: x - CELL / 2, y: y - CELL / 2, width: CELL, height: CELL }));
        }
      }
    } else if (spec.surface === 'holes') {
      const holes = [];
      for (let row = 0; row < rows; row += 1) {
        for (let col = 0; col < cols; col += 1) {
          const [x, y] = this.at(col, row);
          holes.push(`M${x - 41} ${y}a41 41 0 1 0 82 0a41 41 0 1 0 -82 0z`);
          this.layer.frame.append(s('circle', { class: 'rim', cx: x, cy: y, r: 41 }));
        }
      }
      put(s('rect', { class: 'back', x: EDGE, y: EDGE, width: w, height: hgt }));
      this.layer.frame.prepend(
        s('path', {
          class: 'blue',
          'fill-rule': 'evenodd',
          d: `M${EDGE - 1} ${EDGE - 1}h${w + 2}v${hgt + 2}h${-w - 2}z${holes.join('')}`,
        }),
      );
    } else {
      const inset = spec.surface === 'points' ? CELL / 2 : 0;
      if (spec.surface === 'cloth') put(s('rect', { class: 'cloth', x: EDGE, y: EDGE, width: w, height: hgt, rx: 6 }));
      const from = inset ? 0.5 : 0;
      for (let col = from; col <= cols - from; col += 1) {
        put(
          s('line', {
            class: 'line',
            x1: EDGE + col * CELL,
            x2: EDGE + col * CELL,
            y1: EDGE + inset,
            y2: EDGE + hgt - inset,
          }),
        );
      }
      for (let row = from; row <= rows - from; row += 1) {
        put(
          s('line', {
            class: 'line',
            y1: EDGE + row * CELL,
            y2: EDGE + row * CELL,
            x1: EDGE + inset,
            x2: EDGE + w - inset,
          }),
        );
      }
      const dots =
        spec.surface === 'cloth' && cols === 8 && rows === 8
          ? [
              [2, 2],
              [6, 2],
              [2, 6],
              [6, 6],
            ].map(([x, y]) => [EDGE + x * CELL, EDGE + y * CELL])
          : spec.surface === 'points' && cols === 15 && rows === 15
            ? [
                [3, 3],
                [11, 3],
                [7, 7],
                [3, 11],
                [11, 11],
              ].map(([x, y]) => this.at(x, y))
            : [];
      put(...dots.map(([cx, cy]) => s('circle', { class: 'dot', cx, cy, r: 9 })));
    }
    if (this.picture.board.labels) {
      for (let row = 0; row < rows; row += 1) {
        for (let col = 0; col < cols; col += 1) {
          const [x, y] = this.at(col, row);
          if (this.isUsed(col, row)) put(s('text', { class: 'cell-name', x: x - 46, y: y - 31 }, this.name(col, row)));
        }
      }
      return;
    }
    const top = spec.surface === 'cloth';
    for (let col = 0; col < cols; col += 1) {
      put(s('text', { class: 'coordinate', x: this.at(col, 0)[0], y: top ? 34 : this.height - 18 }, this.column(col)));
    }
    if (spec.surface !== 'holes') {
      for (let row = 0; row < rows; row += 1)
        put(s('text', { class: 'coordinate', x: 29, y: this.at(0, row)[1] + 9 }, `${this.number(row)}`));
    }
  }

  squares() {
    for (let row = 0; row < this.rows; row += 1) {
      for (let col = 0; col < this.cols; col += 1) {
        if (!this.isUsed(col, row)) continue;
        const [x, y] = this.at(col, row);
        const spot = s(
          'g',
          { class: 'spot', transform: `translate(${x} ${y})` },
          s('rect', { class: 'touch', x: -CELL / 2 + 2, y: -CELL / 2 + 2, width: CELL - 4, height: CELL - 4, rx: 14 }),
          s('circle', { class: 'offer', r: /** @type {Record<string, number>} */ ({ cloth: 14, squares: 13 })[this.spec.surface] ?? 9 }),
        );
        this.layer.places.append(spot);
        this.spots.push({ col, row, place: this.places.add(spot, x, y) });
      }
    }
  }

  columns() {
    for (let col = 0; col < this.cols; col += 1) {
      const [x] = this.at(col, 0);
      const spot = s(
        'g',
        { class: 'spot', transform: `translate(${x} 0)` },
        s('rect', { class: 'touch', x: -CELL / 2, y: 4, width: CELL, height: this.height - 8, rx: 16 }),
        s('path', { class: 'offer arrow', d: 'M-15 12h30l-15 18z' }),
      );
      this.layer.places.append(spot);
      this.spots.push({ col, row: 0, place: this.places.add(spot, x, 0) });
    }
  }

  /** A piece around the origin. @param {import('./figures.js').Placed} what @param {number} [number] */
  piece(what, number) {
    const color = colorOf(what, this.spec);
    const count = number && s('text', { class: `count ${what.side} ${color}`, y: 13 }, `${number}`);
    return s('g', { class: `piece ${what.side} ${color}` }, shapes(what, this.spec), count);
  }

  /** @param {number} col @param {number} row @param {Piece} what */
  put(col, row, what) {
    const [x, y] = this.at(col, row);
    const piece = this.piece(what);
    const holder = s('g', { transform: `translate(${x} ${y})` }, piece);
    this.pieces.get(`${col},${row}`)?.remove();
    this.pieces.set(`${col},${row}`, holder);
    this.layer.pieces.append(holder);
    return piece;
  }

  /** @param {Picture} picture */
  show(picture) {
    const grid = cells(picture);
    for (let row = 0; row < this.rows; row += 1) {
      for (let col = 0; col < this.cols; col += 1) {
        const [old, now] = [this.grid[row][col], grid[row][col]];
        if (same(old, now)) continue;
        this.pieces.get(`${col},${row}`)?.remove();
        this.pieces.delete(`${col},${row}`);
        if (now) this.put(col, row, now);
      }
    }
    this.grid = grid;
    this.picture = picture;
    this.path = [];
    this.aim = null;
  }

  /** Shows a move: the piece comes, and what it turns turns. Answers what is to be said of it. */
  /** @param {Picture} after @param {number} mover */
  async move(after, mover) {
    const { move, name, from, to } = /** @type {Stroke} */ (after.last);
    if (!to) {
      this.show(after);
      return move === '0000' ? t('passes', t(this.spec.sides[mover])) : t('plays', t(this.spec.sides[mover]), name ?? move);
    }
    const old = this.grid;
    const grid = cells(after);
    const [col, row] = this.place(to);
    const said = t('plays', t(this.spec.sides[mover]), name ?? move);
    if (from) {
      await this.slide(pointsOf({ ...after.last }).map((point) => this.place(point)));
      this.show(after);
      return said;
    }
    const what = grid[row][col] ?? this.first(mover === 0 ? 'x' : 'o');
    const piece = this.put(col, row, what);
    /** @type {[number, number, number][]} */
    const turned = [];
    grid.forEach((cellsOfRow, r) =>
      cellsOfRow.forEach((now, c) => {
        const changed = now && old[r][c] && now.side !== old[r][c]?.side;
        if (changed) turned.push([c, r, Math.max(Math.abs(c - col), Math.abs(r - row))]);
      }),
    );
    this.grid = grid;
    this.picture = after;
    await this.come(piece, row);
    await Promise.all(
      turned.map(async ([c, r, far]) => {
        const delay = 70 * (far - 1);
        const gone = this.pieces.get(`${c},${r}`)?.firstElementChild;
        await animate(gone ?? piece, [{ transform: 'scaleX(1)' }, { transform: 'scaleX(0)' }], {
          duration: 130,
          delay,
          easing: 'ease-in',
          fill: 'both',
        });
        await animate(this.put(c, r, /** @type {Piece} */ (grid[r][c])), [{ transform: 'scaleX(0)' }, { transform: 'scaleX(1)' }], {
          duration: 150,
        });
      }),
    );
    // What else has changed, in games that nobody here has heard of.
    this.show(after);
    return turned.length ? `${said} ${t('turns', turned.length)}` : said;
  }

  /** The first piece of a side: what is put down in games with one kind of piece. @param {'x' | 'o'} side */
  first(side) {
    return this.spec.set.find((/** @type {Piece} */ piece) => piece.side === side) ?? { side, mark: side };
  }

  /** A piece goes from cell to cell, over what stands there. @param {Point[]} stops */
  async slide([from, ...stops]) {
    const piece = this.pieces.get(`${from}`);
    if (!piece) return;
    this.layer.pieces.append(piece);
    const shift = (/** @type {Point} */ place) => `translate(${this.at(...place).map((at) => `${at}px`).join(', ')})`;
    let here = from;
    for (const stop of stops) {
      const far = Math.max(Math.abs(stop[0] - here[0]), Math.abs(stop[1] - here[1]));
      await animate(piece, [{ transform: shift(here) }, { transform: shift(stop) }], { duration: 130 + 25 * far, fill: 'both' });
      here = stop;
    }
  }

  /** @param {SVGElement} piece @param {number} row */
  come(piece, row) {
    if (this.spec.surface === 'holes') {
      const far = (row + 1) * CELL + 20;
      return animate(
        piece,
        [
          { transform: `translateY(${-far}px)`, easing: 'cubic-bezier(.5,0,.9,.6)' },
          { transform: 'none', offset: 0.72, easing: 'ease-out' },
          { transform: `translateY(${-far * 0.07}px)`, offset: 0.86, easing: 'ease-in' },
          { transform: 'none' },
        ],
        { duration: 240 + 75 * row },
      );
    }
    if (this.spec.surface === 'tiles') {
      const drawn = piece.firstElementChild;
      if (drawn && drawn.tagName !== 'text') return animate(drawn, [{ strokeDashoffset: 1 }, { strokeDashoffset: 0 }], { duration: 320 });
    }
    return animate(
      piece,
      [
        { transform: 'scale(1.5)', opacity: 0 },
        { transform: 'none', opacity: 1 },
      ],
      { duration: 220 },
    );
  }

  /** The names of the cells of a move, in the order in which they are clicked. @param {Stroke} stroke @returns {string[]} */
  steps(stroke) {
    return pointsOf(stroke).map((point) => cellName(this.picture, point));
  }

  /** The moves that begin with the cells that were chosen, and go on: the cells of each on each such way. @param {string[]} path @returns {{ stroke: Stroke, steps: string[] }[]} */
  begun(path) {
    const all = this.picture.moves.flatMap((/** @type {Stroke} */ stroke) =>
      waysOf(stroke).map((points) => ({ stroke, steps: points.map((point) => cellName(this.picture, point)) })),
    );
    return all.filter(({ steps }) => steps.length > path.length && path.every((name, i) => steps[i] === name));
  }

  /** Whether the moves that were begun can stop at this cell next. @param {string} name */
  goesOn(name) {
    return this.path.length > 0 && this.begun([...this.path, name]).length > 0;
  }

  /** What is chosen by a click on each cell, by its name, or on each column: a move, or `FROM` and a cell where a move begins or stops. @returns {Map<string, string>} */
  offers() {
    /** @type {Map<string, string>} */
    const offers = new Map();
    const moves = this.playable ? this.picture.moves : [];
    for (const stroke of moves) {
      const [first, ...more] = this.steps(stroke);
      if (first === undefined || !stroke.to) continue;
      if (this.spec.surface === 'holes') offers.set(`${this.place(stroke.to)[0]}`, stroke.move);
      else if (!more.length) offers.set(first, stroke.move);
      else if (!offers.has(first)) offers.set(first, FROM + first);
    }
    if (!this.playable || !this.path.length) return offers;
    const begun = this.begun(this.path);
    /** @type {Map<string, Set<string>>} */
    const ends = new Map();
    for (const { stroke, steps } of begun) {
      const end = /** @type {string} */ (steps.at(-1));
      ends.set(end, (ends.get(end) ?? new Set()).add(`${this.steps(stroke)}`));
      const next = steps[this.path.length];
      offers.set(next, steps.length === this.path.length + 1 ? stroke.move : FROM + next);
    }
    // The end alone, where no stop is there and it says which move is meant.
    for (const { stroke, steps } of begun) {
      const end = /** @type {string} */ (steps.at(-1));
      const isStop = offers.get(end)?.startsWith(FROM) && begun.some((one) => one.steps[this.path.length] === end);
      if (ends.get(end)?.size === 1 && !isStop && !this.path.includes(end)) offers.set(end, stroke.move);
    }
    return offers;
  }

  /** A cell where a move begins or stops; where that is the last chosen one, it is given up. @param {string} from */
  pick(from) {
    const name = from.slice(FROM.length);
    if (this.goesOn(name)) this.path.push(name);
    else if (this.path.includes(name)) this.path = name === this.path.at(-1) ? this.path.slice(0, -1) : [];
    else this.path = [name];
    this.offer(this.playable);
  }

  /** Offers moves, and says what stands where. @param {boolean} playable */
  offer(playable) {
    this.playable = playable;
    const offers = this.offers();
    for (const { col, row, place } of this.spots) {
      if (this.spec.surface === 'holes') {
        const move = offers.get(`${col}`);
        const column = this.grid
          .flatMap((line) => line[col] ?? [])
          .reverse()
          .map((one) => pieceName(one, this.spec))
          .join(', ');
        const label = `${t('column', this.column(col))}: ${column || t('empty')}`;
        this.places.set(place, move ? `${label}; ${t('playable')}` : label, move);
        continue;
      }
      const name = this.name(col, row);
      const here = this.grid[row][col];
      const isPicked = this.path.includes(name);
      const move = offers.get(name) ?? (isPicked ? FROM + name : null);
      const isStep = !!move?.startsWith(FROM);
      const parts = [name, here ? pieceName(here, this.spec) : t('empty')];
      if (this.lastPlace && this.lastPlace[0] === col && this.lastPlace[1] === row) parts.push(t('last'));
      if (isPicked) parts.push(t('picked'));
      else if (move) parts.push(t('playable'));
      place.node.classList.toggle('begins', isStep && !this.goesOn(name));
      place.node.classList.toggle('takes', !!here && !!move && !isStep);
      place.node.classList.toggle('picked', isPicked);
      this.places.set(place, parts.join(', '), move);
    }
  }

  /** Marks the last move, a hint, and the line that has won. */
  signs(/** @type {{ hint?: string, won?: boolean, check?: Point | null }} */ { hint, won, check }) {
    this.layer.signs.replaceChildren();
    const { last, moves } = this.picture;
    this.lastPlace = last?.to ? this.place(last.to) : null;
    const ring = (/** @type {Point} */ [col, row], /** @type {string} */ kind) => {
      const [x, y] = this.at(col, row);
      const r = ['tiles', 'squares'].includes(this.spec.surface) ? 0 : 12;
      this.layer.signs.append(
        r && kind === 'last'
          ? s('circle', { class: kind, cx: x, cy: y, r })
          : kind === 'last'
            ? s('rect', { class: 'last tile-ring', x: x - 46, y: y - 46, width: 92, height: 92, rx: 14 })
            : s('circle', { class: kind, cx: x, cy: y, r: 38 }),
      );
    };
    if (this.lastPlace) ring(this.lastPlace, 'last');
    if (this.spec.surface === 'squares' && last?.from) ring(this.place(last.from), 'last');
    if (last?.via?.length) {
      const points = pointsOf(last).map((point) => this.at(...this.place(point)).join(' '));
      this.layer.signs.append(s('path', { class: 'trail', d: `M${points.join('L')}` }));
    }
    if (check) {
      const [x, y] = this.at(...check);
      this.layer.signs.append(s('rect', { class: 'check', x: x - 47, y: y - 47, width: 94, height: 94, rx: 10 }));
    }
    const hinted = moves.find((/** @type {Stroke} */ { move }) => move === hint);
    for (const point of hinted ? pointsOf(hinted) : []) ring(this.place(point), 'hint');
    const line = won && this.spec.k && this.lastPlace ? this.row() : null;
    if (line) {
      const [[x1, y1], [x2, y2]] = [this.at(...line[0]), this.at(...line[1])];
      const stroke = s('line', { class: 'won', x1, y1, x2, y2, pathLength: 1 });
      this.layer.signs.append(stroke);
      animate(stroke, [{ strokeDashoffset: 1 }, { strokeDashoffset: 0 }], { duration: 500 });
    }
  }

  /** The ends of the longest row through the last move, if it is long enough to have won. @returns {[Point, Point] | undefined} */
  row() {
    const [col, row] = /** @type {Point} */ (this.lastPlace);
    const side = this.grid[row][col]?.side;
    /** @type {{ length: number, ends: [Point, Point] } | null} */
    let best = null;
    for (const [dx, dy] of [
      [1, 0],
      [0, 1],
      [1, 1],
      [1, -1],
    ]) {
      const run = (/** @type {number} */ sign) => {
        let n = 0;
        while (side && this.grid[row + sign * dy * (n + 1)]?.[col + sign * dx * (n + 1)]?.side === side) n += 1;
        return n;
      };
      const [back, on] = [run(-1), run(1)];
      if (back + on + 1 >= (this.spec.k ?? 1) && (!best || back + on > best.length)) {
        best = {
          length: back + on,
          ends: [
            [col - dx * back, row - dy * back],
            [col + dx * on, row + dy * on],
          ],
        };
      }
    }
    return best?.ends;
  }

  /** Draws a line of moves as numbered ghosts. @param {string[]} moves @param {boolean} first */
  line(moves, first) {
    this.layer.ghosts.replaceChildren();
    const grid = this.grid.map((row) => [...row]);
    moves.slice(0, GHOSTS[this.spec.surface] ?? 6).forEach((move, n) => {
      const { from, to, via = [] } = this.way(move, grid);
      if (!to || (!from && grid[to[1]]?.[to[0]] !== null)) return;
      const [col, row] = to;
      const side = (first ? 0 : 1) === n % 2 ? 'x' : 'o';
      const what = (from && grid[from[1]][from[0]]) ?? this.first(side);
      if (from) grid[from[1]][from[0]] = null;
      grid[row][col] = what;
      const [x, y] = this.at(col, row);
      if (from && this.spec.surface === 'squares') {
        this.layer.ghosts.append(this.arrow([from, ...via, to].map((place) => this.at(...place)), what.side, n));
        return;
      }
      this.layer.ghosts.append(
        s(
          'g',
          { class: `ghost${n === 0 ? ' next' : ''}`, transform: `translate(${x} ${y})` },
          this.piece(what, n + 1),
        ),
      );
    });
  }

  /** The way of a piece in a line of play, from the middle of one cell to that of another, with the number of its move. @param {Point[]} points @param {string} side @param {number} n */
  arrow(points, side, n) {
    const [[x0, y0], [x9, y9]] = points;
    const [[x1, y1], [x2, y2]] = points.slice(-2);
    const first = Math.hypot(x9 - x0, y9 - y0) || 1;
    const far = Math.hypot(x2 - x1, y2 - y1) || 1;
    const [dx, dy] = [(x2 - x1) / far, (y2 - y1) / far];
    // From the edge of the piece to just before the middle of the cell, so that arrows to one cell are told apart.
    const [ax, ay] = [x0 + (30 * (x9 - x0)) / first, y0 + (30 * (y9 - y0)) / first];
    const stops = points.slice(1, -1).map((point) => `L${point.join(' ')}`);
    const [bx, by] = [x2 - 12 * dx, y2 - 12 * dy];
    const head = `M${bx + 12 * dx} ${by + 12 * dy}L${bx - 14 * dx - 13 * dy} ${by - 14 * dy + 13 * dx}L${bx - 14 * dx + 13 * dy} ${by - 14 * dy - 13 * dx}z`;
    const [cx, cy] = points.length > 2 ? points[1] : [(ax + bx) / 2, (ay + by) / 2];
    return s(
      'g',
      { class: `ghost arrow ${side}${n === 0 ? ' next' : ''}` },
      s('path', { class: 'shaft', d: `M${ax} ${ay}${stops.join('')}L${bx - 10 * dx} ${by - 10 * dy}` }),
      s('path', { class: 'head', d: head }),
      s('circle', { class: 'badge', cx, cy, r: 15 }),
      s('text', { class: 'nth', x: cx, y: cy + 7 }, `${n + 1}`),
    );
  }

  /** Writes the value of each move on the cell where it ends. @param {{ move: string, text: string, best: boolean }[]} list */
  values(list) {
    /** @type {Map<string, Point | undefined>} */
    const where = new Map(this.picture.moves.map((/** @type {Stroke} */ { move, to }) => [move, to]));
    // Where several pieces can go to a cell, the best of these moves counts, which comes first.
    const told = new Set();
    this.layer.values.replaceChildren(
      ...list.flatMap(({ move, text, best }) => {
        const to = where.get(move);
        if (!to || told.has(`${to}`)) return [];
        told.add(`${to}`);
        const [x, y] = this.at(...this.place(to));
        const wide = 18 + 15 * text.length;
        return s(
          'g',
          { class: `value${best ? ' best' : ''}`, transform: `translate(${x} ${y})` },
          s('rect', { x: -wide / 2, y: -21, width: wide, height: 42, rx: 21 }),
          s('text', { y: 9 }, text),
        );
      }),
    );
  }

  /** What each side has, where that is a number. */
  counts() {
    return this.picture.counts;
  }
}
