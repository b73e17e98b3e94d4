// Small helpers: elements, and the places of a board on which one plays.

const SVG = 'http://www.w3.org/2000/svg';

/**
 * The attributes of an element, and what is to be done on events.
 * @typedef {{ [name: string]: unknown } & {
 *   onclick?: (event: MouseEvent) => unknown, onkeydown?: (event: KeyboardEvent) => unknown, oninput?: (event: Event) => unknown,
 *   onchange?: (event: Event) => unknown, onfocus?: (event: FocusEvent) => unknown,
 * }} Attributes
 * @typedef {Node | string | number | null | undefined | false | 0} Child
 */

/**
 * @template {Element} N
 * @param {N} node
 * @param {Attributes | undefined} attributes
 * @param {(Child | Child[])[]} children
 * @returns {N}
 */
function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (typeof value === 'function') node.addEventListener(name.slice(2), /** @type {EventListener} */ (value));
    else node.setAttribute(name, value === true ? '' : `${value}`);
  }
  for (const child of children.flat()) if (child !== null && child !== undefined && child !== false) node.append(/** @type {Node | string} */ (child));
  return node;
}

/** Whether a finger did it, which covers what it points at. @param {{ type: string, pointerType?: string }} event */
export const isTouch = (event) =>
  event.pointerType ? event.pointerType === 'touch' : event.type === 'click' && matchMedia('(pointer: coarse)').matches;

/**
 * An SVG element.
 * @template {keyof SVGElementTagNameMap} K
 * @param {K} name
 * @param {Attributes} [attributes]
 * @param {(Child | Child[])[]} children
 * @returns {SVGElementTagNameMap[K]}
 */
export const s = (name, attributes, ...children) => fill(document.createElementNS(SVG, name), attributes, children);
/**
 * An HTML element.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} name
 * @param {Attributes} [attributes]
 * @param {(Child | Child[])[]} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export const h = (name, attributes, ...children) => fill(document.createElement(name), attributes, children);

export const still = () => matchMedia('(prefers-reduced-motion: reduce)').matches;

/** Runs an animation to its end; at once where people do not want to see things move. @param {Element} node @param {Keyframe[]} frames @param {KeyframeAnimationOptions} options */
export async function animate(node, frames, options) {
  if (still() || document.hidden) return;
  // An animation whose element goes away is cancelled: that is an end as well.
  await node.animate(frames, { easing: 'ease-out', fill: 'backwards', ...options }).finished.catch(() => {});
}

/** @param {number} ms @returns {Promise<void>} */
export const wait = (ms) => new Promise((done) => setTimeout(done, still() || document.hidden ? 0 : ms));

/** What is moved by fewer pixels was pressed, and not dragged. */
const FAR = 10;

/** @type {Record<string, Point>} */
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/**
 * A place: what is played there, or nothing; whether it was come to by keys; and in awalé its house.
 * @typedef {{ node: SVGElement, x: number, y: number, move: string | null, walked: boolean, house?: number }} Place
 * @typedef {{ over: (from: Place, to: Place | null, event: PointerEvent) => void, drop: (from: Place, to: Place | null, event: PointerEvent) => void }} Drag
 */

/**
 * The places of a board: buttons within an SVG, of which one is in the tab order; arrow keys go from one to another.
 */
export class Places {
  /**
   * `refuse(place)` is called when a place is chosen on which nothing can be played.
   * @param {(move: string, event?: MouseEvent | KeyboardEvent) => unknown} choose
   * @param {((place: Place) => void) | undefined} refuse
   */
  constructor(choose, refuse) {
    this.choose = choose;
    this.refuse = refuse;
    /** @type {Place[]} */
    this.list = [];
    /** Of a board on which one drags: `over(from, to, event)` while it goes on, and `drop(from, to, event)`; `to` may be nothing. @type {Drag | null} */
    this.drag = null;
    /** Whether something is dragged. */
    this.dragging = false;
    /** Whether a place that is chosen has to wait: it is noted, and chosen later. @type {((place: Place) => boolean) | null} */
    this.early = null;
    /** Whether the click that comes now is the end of a drag. */
    this.dragged = false;
  }

  /** @param {SVGElement} node @param {number} x @param {number} y */
  add(node, x, y) {
    /** @type {Place} */
    const place = { node, x, y, move: null, walked: false };
    node.setAttribute('role', 'button');
    node.setAttribute('tabindex', this.list.length ? '-1' : '0');
    const act = (/** @type {MouseEvent | KeyboardEvent} */ event) => this.act(place, event);
    node.addEventListener('click', (event) => this.dragged || act(event));
    node.addEventListener('focus', () => {
      place.walked = node.matches(':focus-visible');
      this.rove(place);
    });
    node.addEventListener('pointerdown', (event) => {
      place.walked = false;
      if (this.drag && place.move && event.isPrimary && event.button === 0) this.follow(place, event);
    });
    node.addEventListener('keydown', (event) => {
      if (event.key === 'Enter' || event.key === ' ') {
        event.preventDefault();
        act(event);
        // Who has clicked goes through the game by the arrows, who walks over the board by keys goes on with that.
      } else if (ARROWS[event.key] && place.walked && !event.altKey && !event.ctrlKey && !event.metaKey) {
        event.preventDefault();
        event.stopPropagation();
        this.nearest(place, ARROWS[event.key])?.node.focus();
      }
    });
    this.list.push(place);
    return place;
  }

  /** A place is chosen. @param {Place} place @param {MouseEvent | KeyboardEvent} [event] */
  act(place, event) {
    if (this.early?.(place)) return;
    if (place.move) this.choose(place.move, event);
    else this.refuse?.(place);
  }

  /** Follows a pointer that was pressed on a place until it is let go. @param {Place} from @param {PointerEvent} event */
  follow(from, { pointerId, clientX, clientY }) {
    let far = false;
    const followed = /** @type {const} */ (['pointermove', 'pointerup', 'pointercancel']);
    const below = (/** @type {PointerEvent} */ event) => {
      const node = document.elementFromPoint(event.clientX, event.clientY);
      return this.list.find((place) => place.node.contains(node)) ?? null;
    };
    const on = (/** @type {PointerEvent} */ event) => {
      if (event.pointerId !== pointerId) return;
      far ||= Math.hypot(event.clientX - clientX, event.clientY - clientY) > FAR;
      if (event.type === 'pointermove') {
        this.dragging = far;
        if (far) this.drag?.over(from, below(event), event);
        return;
      }
      this.dragging = false;
      for (const name of followed) removeEventListener(name, on);
      if (!far) return;
      this.dragged = true;
      setTimeout(() => (this.dragged = false));
      // A browser that took the pointer for something else has cancelled it.
      this.drag?.drop(from, event.type === 'pointerup' ? below(event) : null, event);
    };
    for (const name of followed) addEventListener(name, on);
  }

  /** @param {Place} place */
  remove(place) {
    this.list = this.list.filter((other) => other !== place);
    place.node.remove();
    if (this.list.length && !this.list.some((other) => other.node.getAttribute('tabindex') === '0')) {
      this.list[0].node.setAttribute('tabindex', '0');
    }
  }

  /** @param {Place} place */
  rove(place) {
    for (const other of this.list) other.node.setAttribute('tabindex', other === place ? '0' : '-1');
  }

  /** @param {Place} from @param {Point} way */
  nearest(from, [dx, dy]) {
    /** @type {{ place: Place, distance: number } | null} */
    let best = null;
    for (const place of this.list) {
      const [x, y] = [place.x - from.x, place.y - from.y];
      const along = x * dx + y * dy;
      const aside = Math.abs(x * dy) + Math.abs(y * dx);
      if (along <= 0.01 || aside > along * 1.5) continue;
      const distance = along + 2 * aside;
      if (!best || distance < best.distance) best = { place, distance };
    }
    return best?.place;
  }

  /** Says what a place is, and what is played there. @param {Place} place @param {string} label @param {string | null} [move] */
  set(place, label, move) {
    place.move = move ?? null;
    place.node.setAttribute('aria-label', label);
    place.node.setAttribute('aria-disabled', move ? 'false' : 'true');
    place.node.classList.toggle('legal', !!move);
    if (move) place.node.dataset.move = move;
    else delete place.node.dataset.move;
  }
}
