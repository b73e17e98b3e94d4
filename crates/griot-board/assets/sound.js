// Sounds, off unless they are switched on: made here, none is loaded from elsewhere.

import { memory } from './words.js';

export class Sounds {
  constructor() {
    /** @type {AudioContext | undefined} */
    this.context = undefined;
    this.on = memory.get('sounds') === 'on';
  }

  /** @param {boolean} on */
  turn(on) {
    this.on = on;
    memory.set('sounds', on ? 'on' : 'off');
    this.move();
  }

  /** A short knock. */
  move() {
    this.play([[320, 0, 0.07]]);
  }

  end() {
    this.play([
      [392, 0, 0.2],
      [523, 0.16, 0.3],
    ]);
  }

  /** Tones: the pitch of each, when it begins, and how long it is. @param {[number, number, number][]} tones */
  play(tones) {
    if (!this.on || document.hidden) return;
    // A browser lets a page sound after somebody has touched it.
    this.context ??= new AudioContext();
    const { context } = this;
    for (const [pitch, start, length] of tones) {
      const [tone, volume] = [context.createOscillator(), context.createGain()];
      const at = context.currentTime + start;
      tone.type = 'triangle';
      tone.frequency.setValueAtTime(pitch, at);
      volume.gain.setValueAtTime(0.12, at);
      volume.gain.exponentialRampToValueAtTime(0.001, at + length);
      tone.connect(volume).connect(context.destination);
      tone.start(at);
      tone.stop(at + length);
    }
  }
}
