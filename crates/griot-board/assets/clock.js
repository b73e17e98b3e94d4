// The clocks beside the players' names: what the server said, counted down until it says more.

import { h } from './svg.js';

const face = (/** @type {number} */ ms) => {
  const tenths = Math.floor(ms / 100);
  const [minutes, seconds] = [Math.floor(tenths / 600), Math.floor(tenths / 10) % 60];
  const two = `${seconds}`.padStart(2, '0');
  return ms < 10_000 ? `0:${two}.${tenths % 10}` : `${minutes}:${two}`;
};

export class ClockFaces {
  constructor() {
    this.faces = [0, 1].map((side) => h('output', { class: 'clock', 'data-side': side, hidden: true, role: 'timer' }));
    /** @type {(ClockState & { since: number }) | null} */
    this.clock = null;
    /** How far this machine's clock is ahead of the server's, in milliseconds. */
    this.ahead = 0;
    setInterval(() => this.tick(), 100);
  }

  /** @param {number} side */
  face(side) {
    return this.faces[side];
  }

  /** What the server says may be old: it says when it was so. @param {ClockState | null} clock */
  show(clock) {
    const age = clock ? Math.max(0, performance.now() - this.ahead - clock.at) : 0;
    this.clock = clock && { ...clock, since: performance.now() - age };
    this.tick();
  }

  /** The server's time. @param {number} now */
  set(now) {
    this.ahead = performance.now() - now;
  }

  tick() {
    const { clock } = this;
    this.faces.forEach((output, side) => {
      output.hidden = !clock;
      if (!clock) return;
      const runs = clock.running === side;
      const left = Math.max(0, clock.left[side] - (runs ? performance.now() - clock.since : 0));
      const text = face(left);
      if (output.textContent !== text) output.textContent = text;
      output.classList.toggle('runs', runs);
      output.classList.toggle('short', left < 10_000);
    });
  }
}
