// Boards of cells: m,n,k games with drawn marks or with stones, Othello, Connect Four, and whatever else is played on cells.

import { FIGURES, figure, figureName } from './figures.js';
import { cells, placeOf, wayByName } from './picture.js';
import { Places, animate, isTouch, s } from './svg.js';
import { t } from './words.js';

const CELL = 100;
const EDGE = 56;
/** Points of fewer pixels than this are touched twice: once to aim, once to play. */
const FINGER = 40;
/** Begins what is chosen at the cell where a move begins, and not yet where it ends. */
const FROM = 'from:';
const same = (one, other) => one?.side === other?.side && one?.mark === other?.mark;

export class GridBoard {
  /** `options.several(strokes)` answers which of several moves with the same way is meant. */
  constructor(spec, picture, choose, { refuse, aimed, several }) {
    Object.assign(this, { spec, picture, aimed, several, cols: spec.cols, rows: spec.rows });
    /** What is played when the same point is touched again. */
    this.aim = null;
    /** The cell whose piece is to move, as `FROM` and its name. */
    this.picked = null;
    this.playable = false;
    // Othello is numbered from above; nothing stands below it.
    const far = spec.style === 'felt' ? 24 : EDGE;
    this.width = this.cols * CELL + EDGE + far;
    this.height = this.rows * CELL + EDGE + far;
    this.grid = Array.from({ length: this.rows }, () => Array(this.cols).fill(null));
    this.pieces = new Map();
    this.layer = {};
    const layers = ['ground', 'pieces', 'frame', 'places', 'ghosts', 'values', 'signs'];
    this.svg = s(
      'svg',
      {
        viewBox: `0 0 ${this.width} ${this.height}`,
        class: `grid ${spec.style}${Math.max(spec.cols, spec.rows) > 10 ? ' large' : ''}`,
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
    this.spots = [];
    if (spec.style === 'drop') this.columns();
    else this.squares();
  }

  gradients() {
    const ball = (id, light, body, dark) =>
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
      ball('piece-x', 'x1', 'x2', 'x3'),
      ball('piece-o', 'o1', 'o2', 'o3'),
      s(
        'linearGradient',
        { id: 'wood', x1: 0, y1: 0, x2: 1, y2: 1 },
        s('stop', { offset: 0, class: 'w1' }),
        s('stop', { offset: 1, class: 'w2' }),
      ),
    );
  }

  /** A move was chosen: where points are small, a finger aims first. */
  async chosen(move, event, choose) {
    if (move.startsWith(FROM)) {
      this.pick(move);
      return;
    }
    const small = (this.svg.getBoundingClientRect().width / this.width) * CELL < FINGER;
    if (small && this.spec.style !== 'drop' && isTouch(event) && event.type === 'click' && this.aim !== move) {
      this.takeAim(move);
      return;
    }
    const { from, to } = this.picture.moves.find((one) => one.move === move);
    const alike = this.picture.moves.filter((one) => `${one.from}` === `${from}` && `${one.to}` === `${to}`);
    const meant = from && alike.length > 1 ? await this.several(alike) : move;
    if (meant) choose(meant);
  }

  /** What is dragged goes along: the piece that is to move, or the ghost of one that is to come. */
  carry(from, to, event) {
    if (from.move?.startsWith(FROM)) {
      if (this.picked !== from.move) this.pick(from.move);
      const { col, row } = this.spots.find(({ place }) => place === from);
      const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(this.svg.getScreenCTM().inverse());
      const piece = this.pieces.get(`${col},${row}`);
      piece?.setAttribute('transform', `translate(${x} ${y})`);
      piece?.classList.add('carried');
    } else if (this.aim !== (to?.move ?? null)) {
      this.aim = null;
      this.line([], true);
      if (to?.move) this.ghost(to.move);
    }
  }

  /** What was dragged is let go: on a cell where it may be it is played, elsewhere nothing is. */
  letGo(from, to, event, choose) {
    for (const [place, piece] of this.pieces) {
      piece.setAttribute('transform', `translate(${this.at(...place.split(',').map(Number)).join(' ')})`);
      piece.classList.remove('carried');
    }
    const move = to?.move?.startsWith(FROM) ? null : to?.move;
    this.aim = null;
    this.line([], true);
    if (!move) {
      if (this.picked) this.pick(this.picked);
    } else if (this.picked) this.chosen(move, event, choose);
    else choose(move);
  }

  takeAim(move) {
    this.ghost(move);
    this.aimed(move);
  }

  /** Shows where a move would go, and its column and row. */
  ghost(move) {
    this.aim = move;
    this.line([move], this.picture.turn === 'first');
    const { to } = this.way(move, this.grid);
    const [x, y] = this.at(...to);
    this.layer.ghosts.append(
      s('path', { class: 'aim', d: `M${x} ${EDGE}V${this.height - EDGE}M${EDGE} ${y}H${this.width - EDGE}` }),
    );
  }

  /** Why nothing can be played at a place. */
  why(place) {
    const { col, row } = this.spots.find((spot) => spot.place === place);
    if (this.spec.style === 'drop') return t('why_full', this.column(col));
    const name = this.name(col, row);
    const moves = this.picture.moves.some(({ from }) => from);
    return this.grid[row][col] && !moves ? t('why_taken', name) : t('why_not_here', name);
  }

  /** The middle of a cell. */
  at(col, row) {
    return [EDGE + (col + 0.5) * CELL, EDGE + (row + 0.5) * CELL];
  }

  column(col) {
    return this.picture.board.columns[col];
  }

  /** The label of a row, which is counted from the top. */
  number(row) {
    const { rows, from_top } = this.picture.board;
    return rows[from_top ? row : this.rows - 1 - row];
  }

  name(col, row) {
    return `${this.column(col)}${this.number(row)}`;
  }

  /** Column and row of a point. */
  place(point) {
    return placeOf(this.picture, point);
  }

  /** Where a move of a line ends, on a grid of what stands there; and where it begins, if it does. */
  way(move, grid) {
    if (this.spec.style === 'drop') {
      const col = this.picture.board.columns.indexOf(move);
      const full = grid.findIndex((row) => row[col]);
      return { to: [col, (full < 0 ? this.rows : full) - 1] };
    }
    const { from, to } = wayByName(this.picture, move);
    return { from: from && this.place(from), to: to && this.place(to) };
  }

  ground() {
    const { cols, rows, spec } = this;
    const [w, hgt] = [cols * CELL, rows * CELL];
    const put = (...nodes) => this.layer.ground.append(...nodes);
    put(s('rect', { class: 'slab', x: 4, y: 4, width: this.width - 8, height: this.height - 8, rx: 28 }));
    if (spec.style === 'marks') {
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
    } else if (spec.style === 'figures') {
      for (let row = 0; row < rows; row += 1) {
        for (let col = 0; col < cols; col += 1) {
          const kind = (row + col) % 2 ? 'dark' : 'light';
          put(s('rect', { class: `square ${kind}`, x: EDGE + col * CELL, y: EDGE + row * CELL, width: CELL, height: CELL }));
        }
      }
    } else if (spec.style === 'drop') {
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
      const inset = spec.style === 'stones' ? CELL / 2 : 0;
      if (spec.style === 'felt') put(s('rect', { class: 'cloth', x: EDGE, y: EDGE, width: w, height: hgt, rx: 6 }));
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
        spec.style === 'felt'
          ? [
              [2, 2],
              [6, 2],
              [2, 6],
              [6, 6],
            ].map(([x, y]) => [EDGE + x * CELL, EDGE + y * CELL])
          : cols === 15 && rows === 15
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
    const top = spec.style === 'felt';
    for (let col = 0; col < cols; col += 1) {
      put(s('text', { class: 'coordinate', x: this.at(col, 0)[0], y: top ? 34 : this.height - 18 }, this.column(col)));
    }
    if (spec.style !== 'drop') {
      for (let row = 0; row < rows; row += 1)
        put(s('text', { class: 'coordinate', x: 29, y: this.at(0, row)[1] + 9 }, `${this.number(row)}`));
    }
  }

  squares() {
    for (let row = 0; row < this.rows; row += 1) {
      for (let col = 0; col < this.cols; col += 1) {
        const [x, y] = this.at(col, row);
        const spot = s(
          'g',
          { class: 'spot', transform: `translate(${x} ${y})` },
          s('rect', { class: 'touch', x: -CELL / 2 + 2, y: -CELL / 2 + 2, width: CELL - 4, height: CELL - 4, rx: 14 }),
          s('circle', { class: 'offer', r: { felt: 14, figures: 13 }[this.spec.style] ?? 9 }),
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

  /** A piece around the origin. */
  piece({ side, mark }, number) {
    const { style } = this.spec;
    const drawn = [];
    if (style === 'figures' && FIGURES[mark.toLowerCase()]) drawn.push(...figure(mark));
    else if (style === 'marks' || style === 'figures') {
      drawn.push(
        !'xo'.includes(mark)
          ? s('text', { class: `letter ${side}`, y: 21 }, mark)
          : side === 'x'
            ? s('path', { class: 'mark x', d: 'M-25 -25L25 25M25 -25L-25 25', pathLength: 1 })
            : s('circle', { class: 'mark o', r: 28, pathLength: 1 }),
      );
    } else {
      const r = style === 'drop' ? 43 : style === 'felt' ? 40 : 44;
      if (style !== 'drop') drawn.push(s('ellipse', { class: 'shade', cx: 3, cy: 5, rx: r, ry: r }));
      drawn.push(s('circle', { class: `stone ${side}`, r, fill: `url(#piece-${side})` }));
      if (style === 'drop') drawn.push(s('circle', { class: `ring ${side}`, r: 28 }));
    }
    if (number) drawn.push(s('text', { class: `count ${side}`, y: 13 }, `${number}`));
    return s('g', { class: `piece ${side}` }, drawn);
  }

  put(col, row, what) {
    const [x, y] = this.at(col, row);
    const piece = this.piece(what);
    const holder = s('g', { transform: `translate(${x} ${y})` }, piece);
    this.pieces.get(`${col},${row}`)?.remove();
    this.pieces.set(`${col},${row}`, holder);
    this.layer.pieces.append(holder);
    return piece;
  }

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
    this.picked = null;
    this.aim = null;
  }

  /** Shows a move: the piece comes, and what it turns turns. Answers what is to be said of it. */
  async move(after, mover) {
    const { move, name, from, to } = after.last;
    if (!to) {
      this.show(after);
      return move === '0000' ? t('passes', t(this.spec.sides[mover])) : t('plays', t(this.spec.sides[mover]), name ?? move);
    }
    const old = this.grid;
    const grid = cells(after);
    const [col, row] = this.place(to);
    const what = grid[row][col] ?? { side: mover === 0 ? 'x' : 'o', mark: '' };
    // A piece that comes from another cell takes what stands where it goes; nothing else is turned by it.
    if (from) this.show(after);
    const piece = this.put(col, row, what);
    const turned = [];
    grid.forEach((cellsOfRow, r) =>
      cellsOfRow.forEach((now, c) => {
        const changed = now && old[r][c] && now.side !== old[r][c].side;
        if (changed && !from) turned.push([c, r, Math.max(Math.abs(c - col), Math.abs(r - row))]);
      }),
    );
    this.grid = grid;
    this.picture = after;
    await this.come(piece, row);
    await Promise.all(
      turned.map(async ([c, r, far]) => {
        const delay = 70 * (far - 1);
        const gone = this.pieces.get(`${c},${r}`)?.firstChild;
        await animate(gone ?? piece, [{ transform: 'scaleX(1)' }, { transform: 'scaleX(0)' }], {
          duration: 130,
          delay,
          easing: 'ease-in',
          fill: 'both',
        });
        await animate(this.put(c, r, grid[r][c]), [{ transform: 'scaleX(0)' }, { transform: 'scaleX(1)' }], {
          duration: 150,
        });
      }),
    );
    // What else has changed, in games that nobody here has heard of.
    this.show(after);
    const said = t('plays', t(this.spec.sides[mover]), name ?? move);
    return turned.length ? `${said} ${t('turns', turned.length)}` : said;
  }

  come(piece, row) {
    if (this.spec.style === 'drop') {
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
    if (this.spec.style === 'marks') {
      const drawn = piece.firstChild.tagName !== 'text';
      if (drawn) return animate(piece.firstChild, [{ strokeDashoffset: 1 }, { strokeDashoffset: 0 }], { duration: 320 });
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

  /** What is chosen by a click on each cell, or on each column. A move that begins on a cell is chosen by two. */
  offers() {
    const offers = new Map();
    for (const { move, from, to } of this.playable ? this.picture.moves : []) {
      if (!to) continue;
      const begin = from && FROM + this.name(...this.place(from));
      if (this.spec.style === 'drop') offers.set(`${this.place(to)[0]}`, move);
      else if (!begin || begin === this.picked) offers.set(`${this.place(to)}`, move);
      else if (!offers.has(`${this.place(from)}`)) offers.set(`${this.place(from)}`, begin);
    }
    return offers;
  }

  /** The piece that is to move, or another one, or none again. */
  pick(from) {
    this.picked = this.picked === from ? null : from;
    this.offer(this.playable);
  }

  /** Offers moves, and says what stands where. */
  offer(playable) {
    this.playable = playable;
    const offers = this.offers();
    for (const { col, row, place } of this.spots) {
      if (this.spec.style === 'drop') {
        const move = offers.get(`${col}`);
        const column = this.grid
          .map((line) => line[col])
          .filter(Boolean)
          .reverse()
          .map((one) => this.sideName(one))
          .join(', ');
        const label = `${t('column', this.column(col))}: ${column || t('empty')}`;
        this.places.set(place, move ? `${label}; ${t('playable')}` : label, move);
        continue;
      }
      const name = this.name(col, row);
      const here = this.grid[row][col];
      const move = offers.get(`${col},${row}`) ?? (this.picked === FROM + name ? this.picked : null);
      const parts = [name, here ? this.sideName(here) : t('empty')];
      if (this.lastPlace && this.lastPlace[0] === col && this.lastPlace[1] === row) parts.push(t('last'));
      if (this.picked === FROM + name) parts.push(t('picked'));
      else if (move) parts.push(t('playable'));
      place.node.classList.toggle('begins', !!move?.startsWith(FROM));
      place.node.classList.toggle('takes', !!here && !!move && !move.startsWith(FROM));
      place.node.classList.toggle('picked', this.picked === FROM + name);
      this.places.set(place, parts.join(', '), move);
    }
  }

  /** What a piece is called: by its side, and by its kind where there are several. */
  sideName({ side, mark }) {
    return this.spec.style === 'figures' ? figureName(mark) : t(this.spec.sides[side === 'x' ? 0 : 1]);
  }

  /** Marks the last move, a hint, and the line that has won. */
  signs({ hint, won }) {
    this.layer.signs.replaceChildren();
    const { last, moves } = this.picture;
    this.lastPlace = last?.to ? this.place(last.to) : null;
    const ring = ([col, row], kind) => {
      const [x, y] = this.at(col, row);
      const r = ['marks', 'figures'].includes(this.spec.style) ? 0 : 12;
      this.layer.signs.append(
        r && kind === 'last'
          ? s('circle', { class: kind, cx: x, cy: y, r })
          : kind === 'last'
            ? s('rect', { class: 'last tile-ring', x: x - 46, y: y - 46, width: 92, height: 92, rx: 14 })
            : s('circle', { class: kind, cx: x, cy: y, r: 38 }),
      );
    };
    if (this.lastPlace) ring(this.lastPlace, 'last');
    if (this.spec.style === 'figures' && last?.from) ring(this.place(last.from), 'last');
    const hinted = moves.find(({ move }) => move === hint);
    for (const point of [hinted?.from, hinted?.to]) if (point) ring(this.place(point), 'hint');
    const line = won && this.spec.k && this.lastPlace ? this.row() : null;
    if (line) {
      const [[x1, y1], [x2, y2]] = [this.at(...line[0]), this.at(...line[1])];
      const stroke = s('line', { class: 'won', x1, y1, x2, y2, pathLength: 1 });
      this.layer.signs.append(stroke);
      animate(stroke, [{ strokeDashoffset: 1 }, { strokeDashoffset: 0 }], { duration: 500 });
    }
  }

  /** The ends of the longest row through the last move, if it is long enough to have won. */
  row() {
    const [col, row] = this.lastPlace;
    const side = this.grid[row][col]?.side;
    let best = null;
    for (const [dx, dy] of [
      [1, 0],
      [0, 1],
      [1, 1],
      [1, -1],
    ]) {
      const run = (sign) => {
        let n = 0;
        while (side && this.grid[row + sign * dy * (n + 1)]?.[col + sign * dx * (n + 1)]?.side === side) n += 1;
        return n;
      };
      const [back, on] = [run(-1), run(1)];
      if (back + on + 1 >= this.spec.k && (!best || back + on > best.length)) {
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

  /** Draws a line of moves as numbered ghosts. */
  line(moves, first) {
    this.layer.ghosts.replaceChildren();
    const grid = this.grid.map((row) => [...row]);
    moves.slice(0, { stones: 9, figures: 4 }[this.spec.style] ?? 6).forEach((move, n) => {
      const { from, to } = this.way(move, grid);
      if (!to || (!from && grid[to[1]]?.[to[0]] !== null)) return;
      const [col, row] = to;
      const side = (first ? 0 : 1) === n % 2 ? 'x' : 'o';
      const { players } = this.picture;
      const what = (from && grid[from[1]][from[0]]) ?? { side, mark: players.marks?.['xo'.indexOf(side)] ?? side };
      if (from) grid[from[1]][from[0]] = null;
      grid[row][col] = what;
      const [x, y] = this.at(col, row);
      if (from && this.spec.style === 'figures') {
        this.layer.ghosts.append(this.arrow(this.at(...from), [x, y], what.side, n));
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

  /** The way of a piece in a line of play, with the number of its move. */
  arrow([x1, y1], [x2, y2], side, n) {
    const far = Math.hypot(x2 - x1, y2 - y1) || 1;
    const [dx, dy] = [(x2 - x1) / far, (y2 - y1) / far];
    // From the edge of the piece to just before the middle of the cell, so that arrows to one cell are told apart.
    const [ax, ay] = [x1 + 30 * dx, y1 + 30 * dy];
    const [bx, by] = [x2 - 12 * dx, y2 - 12 * dy];
    const head = `M${bx + 12 * dx} ${by + 12 * dy}L${bx - 14 * dx - 13 * dy} ${by - 14 * dy + 13 * dx}L${bx - 14 * dx + 13 * dy} ${by - 14 * dy - 13 * dx}z`;
    const [cx, cy] = [(ax + bx) / 2, (ay + by) / 2];
    return s(
      'g',
      { class: `ghost arrow ${side}${n === 0 ? ' next' : ''}` },
      s('path', { class: 'shaft', d: `M${ax} ${ay}L${bx - 10 * dx} ${by - 10 * dy}` }),
      s('path', { class: 'head', d: head }),
      s('circle', { class: 'badge', cx, cy, r: 15 }),
      s('text', { class: 'nth', x: cx, y: cy + 7 }, `${n + 1}`),
    );
  }

  /** What moves are worth, on the cells where they end. */
  values(list) {
    const where = new Map(this.picture.moves.map(({ move, to }) => [move, to]));
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
