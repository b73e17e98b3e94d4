// Small helpers: elements, and the places of a board on which one plays.

const SVG = 'http://www.w3.org/2000/svg';

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith('on')) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? '' : value);
  }
  node.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

/** Whether a finger did it, which covers what it points at. */
export const isTouch = (event) =>
  event.pointerType ? event.pointerType === 'touch' : event.type === 'click' && matchMedia('(pointer: coarse)').matches;

/** An SVG element. */
export const s = (name, attributes, ...children) => fill(document.createElementNS(SVG, name), attributes, children);
/** An HTML element. */
export const h = (name, attributes, ...children) => fill(document.createElement(name), attributes, children);

export const still = () => matchMedia('(prefers-reduced-motion: reduce)').matches;

/** Runs an animation to its end; at once where people do not want to see things move. */
export async function animate(node, frames, options) {
  if (still() || document.hidden) return;
  // An animation whose element goes away is cancelled: that is an end as well.
  await node.animate(frames, { easing: 'ease-out', fill: 'backwards', ...options }).finished.catch(() => {});
}

export const wait = (ms) => new Promise((done) => setTimeout(done, still() || document.hidden ? 0 : ms));

/** What is moved by fewer pixels was pressed, and not dragged. */
const FAR = 10;

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/**
 * The places of a board: buttons within an SVG, of which one is in the tab order; arrow keys go from one to another.
 * A place has `node`, `x`, `y`; `move` is what is played there, or nothing.
 */
export class Places {
  /** `refuse(place)` is called when a place is chosen on which nothing can be played. */
  constructor(choose, refuse) {
    this.choose = choose;
    this.refuse = refuse;
    this.list = [];
    /** Of a board on which one drags: `over(from, to, event)` while it goes on, and `drop(from, to, event)`; `to` may be nothing. */
    this.drag = null;
    /** Whether something is dragged. */
    this.dragging = false;
    /** Whether a place that is chosen has to wait: it is noted, and chosen later. */
    this.early = null;
    /** Whether the click that comes now is the end of a drag. */
    this.dragged = false;
  }

  add(node, x, y) {
    // Whether it was come to by keys.
    const place = { node, x, y, move: null, walked: false };
    node.setAttribute('role', 'button');
    node.setAttribute('tabindex', this.list.length ? '-1' : '0');
    const act = (event) => this.act(place, event);
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

  /** A place is chosen. */
  act(place, event) {
    if (this.early?.(place)) return;
    if (place.move) this.choose(place.move, event);
    else this.refuse?.(place);
  }

  /** Follows a pointer that was pressed on a place until it is let go. */
  follow(from, { pointerId, clientX, clientY }) {
    let far = false;
    const below = (event) => {
      const node = document.elementFromPoint(event.clientX, event.clientY);
      return this.list.find((place) => place.node.contains(node)) ?? null;
    };
    const on = (event) => {
      if (event.pointerId !== pointerId) return;
      far ||= Math.hypot(event.clientX - clientX, event.clientY - clientY) > FAR;
      if (event.type === 'pointermove') {
        this.dragging = far;
        if (far) this.drag.over(from, below(event), event);
        return;
      }
      this.dragging = false;
      for (const name of ['pointermove', 'pointerup', 'pointercancel']) removeEventListener(name, on);
      if (!far) return;
      this.dragged = true;
      setTimeout(() => (this.dragged = false));
      // A browser that took the pointer for something else has cancelled it.
      this.drag.drop(from, event.type === 'pointerup' ? below(event) : null, event);
    };
    for (const name of ['pointermove', 'pointerup', 'pointercancel']) addEventListener(name, on);
  }

  remove(place) {
    this.list = this.list.filter((other) => other !== place);
    place.node.remove();
    if (this.list.length && !this.list.some((other) => other.node.getAttribute('tabindex') === '0')) {
      this.list[0].node.setAttribute('tabindex', '0');
    }
  }

  rove(place) {
    for (const other of this.list) other.node.setAttribute('tabindex', other === place ? '0' : '-1');
  }

  nearest(from, [dx, dy]) {
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

  /** Says what a place is, and what is played there. */
  set(place, label, move) {
    place.move = move ?? null;
    place.node.setAttribute('aria-label', label);
    place.node.setAttribute('aria-disabled', move ? 'false' : 'true');
    place.node.classList.toggle('legal', !!move);
    if (move) place.node.dataset.move = move;
    else delete place.node.dataset.move;
  }
}
