// The players: a row above the board and one below it with name, points and clock, and their seats in the settings.

import { captured } from './ends.js';
import { pieceName, pieceOf, smallPiece } from './figures.js';
import { side } from './games.js';
import { ClockFaces } from './clock.js';
import { isTurned, settingsOf } from './state.js';
import { h } from './svg.js';
import { t } from './words.js';

/** The name to show for a side: that of the record, or else the person's or the engine's. @param {import('./state.js').PageState} state @param {number} which */
function whoPlays(state, which) {
  const name = state.server?.about.players[which];
  if (name) {
    const elo = state.server?.about.tags.find(([tag]) => tag === (which ? 'BlackElo' : 'WhiteElo'))?.[1];
    return elo ? `${name} (${elo})` : name;
  }
  const player = settingsOf(state).players[which];
  return player.kind === 'human' ? t('human') : `griot ${player.level}`;
}

export class Players {
  /**
   * @param {HTMLElement} far the row above the board
   * @param {HTMLElement} near the row below it
   * @param {NodeListOf<HTMLElement>} seats
   * @param {(change: Partial<Settings>) => void} change
   */
  constructor(far, near, seats, change) {
    Object.assign(this, { seats, change });
    this.rows = [far, near];
    this.seats = seats;
    this.change = change;
    this.clocks = new ClockFaces();
    this.key = '';
    /** @type {import('./state.js').PageState | null} */
    this.state = null;
  }

  /** @param {ClockState | null} clock */
  clock(clock) {
    this.clocks.show(clock);
  }

  /** The language has changed. */
  forget() {
    this.key = '';
  }

  /**
   * @param {import('./state.js').PageState} state
   * @param {Spec} spec
   * @param {number} at the place in the line that the board shows
   * @param {number[] | null} counts
   */
  show(state, spec, at, counts) {
    const { server } = state;
    if (!server) return;
    this.state = state;
    const mover = server.first[at] ? 0 : 1;
    const isOver = !!server.result && at === server.at;
    const turned = isTurned(state);
    const key = JSON.stringify([spec.sides, turned, settingsOf(state).players, server.about, counts, mover, isOver, spec.pieces === 'chessmen' && server.boards[at]]);
    if (key === this.key) return;
    this.key = key;
    const taken = spec.pieces === 'chessmen' ? captured(server.boards[at] ?? '') : null;
    const told = (/** @type {number} */ which) => [(taken ?? [])[which]?.pieces.map((mark) => pieceName(pieceOf(spec, mark), spec)).join(', ') ?? '', (taken ?? [])[which]?.ahead ?? 0];
    const drawn = (/** @type {number} */ which) => {
      const { pieces, ahead } = (taken ?? [])[which];
      return [...pieces.map((mark) => smallPiece(pieceOf(spec, mark), spec)), ahead ? ` +${ahead}` : ''];
    };
    this.rows.forEach((row, place) => {
      const which = (place === 0) !== turned ? 1 : 0;
      row.dataset.side = `${which}`;
      row.classList.toggle('turn', !isOver && server.boards.length > 0 && mover === which);
      row.replaceChildren(
        h('span', { class: 'chip', 'aria-hidden': 'true' }),
        h('span', { class: 'name' }, side(spec, which)),
        h('span', { class: 'who' }, whoPlays(state, which)),
        taken ? h('span', { class: 'taken', role: 'img', 'aria-label': t('has_taken', ...told(which)) }, drawn(which)) : h('span', {}),
        h('output', { class: 'points' }, counts ? `${counts[which]}` : ''),
        this.clocks.face(which),
      );
    });
    this.seats.forEach((seat) => this.seat(seat, state, spec));
  }

  /** @param {HTMLElement} seat @param {import('./state.js').PageState} state @param {Spec} spec */
  seat(seat, state, spec) {
    const which = Number(seat.dataset.side);
    if (!seat.firstChild) this.build(seat, which);
    const player = settingsOf(state).players[which];
    const name = side(spec, which);
    const kind = /** @type {HTMLSelectElement} */ (seat.querySelector('select'));
    const range = /** @type {HTMLInputElement} */ (seat.querySelector('input'));
    const level = /** @type {HTMLElement} */ (seat.querySelector('.level'));
    /** @type {HTMLElement} */ (seat.querySelector('.name')).textContent = name;
    kind.value = player.kind;
    kind.setAttribute('aria-label', name);
    for (const option of kind.options) option.textContent = t(option.value);
    level.hidden = player.kind !== 'engine';
    if (player.kind === 'engine' && document.activeElement !== range) range.value = `${player.level}`;
    /** @type {HTMLElement} */ (level.querySelector('span')).textContent =
      `${t('level')} ${range.value}${range.value === '20' ? ` · ${t('full')}` : ''}`;
  }

  /** @param {HTMLElement} seat @param {number} which */
  build(seat, which) {
    const change = () => {
      if (!this.state) return;
      const players = /** @type {[Player, Player]} */ (settingsOf(this.state).players.map((player) => ({ ...player })));
      players[which] = kind.value === 'human' ? { kind: 'human' } : { kind: 'engine', level: Number(range.value) };
      this.change({ players });
    };
    const kind = h('select', { onchange: change }, h('option', { value: 'human' }), h('option', { value: 'engine' }));
    const label = h('span', {});
    /** @type {HTMLInputElement} */
    const range = h('input', {
      type: 'range',
      min: 0,
      max: 20,
      value: 6,
      onchange: change,
      oninput: () => (label.textContent = `${t('level')} ${range.value}`),
    });
    seat.append(h('span', { class: 'name' }), kind, h('label', { class: 'level' }, label, range));
  }
}
