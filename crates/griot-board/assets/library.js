// The games that this browser keeps: searched, opened again, exported. Nothing of it is known to the server.

import { dialog } from './dialogs.js';
import { download } from './files.js';
import { ending, formatsOf, gameText, write } from './formats.js';
import { h } from './svg.js';
import { language, memory, t, word } from './words.js';

/** The most games that are kept: the oldest goes first. */
const MOST = 1000;

const key = (one) => gameText(one);

/** The moves as people write them; nothing where they write them as the engine does. */
export const namesOf = ({ moves, names }) =>
  names?.some(Boolean) ? moves.map((move, i) => names[i] ?? move) : undefined;

export class Library {
  constructor() {
    this.games = [];
    try {
      const kept = JSON.parse(memory.get('library') ?? '[]');
      if (Array.isArray(kept)) this.games = kept.filter((one) => typeof one?.game === 'string' && Array.isArray(one.moves));
    } catch {
      // What cannot be read is begun anew.
    }
  }

  /** Keeps a game: one whose moves go on from a kept one of the same day takes its place. */
  add({ game, start, moves, names, boards, result, players, date }) {
    if (!game || !moves.length) return;
    const one = { game, start, moves, names, boards, result: result ?? null, players: players ?? [], date: date ?? new Date().toISOString() };
    const begins = (other) => other.date.slice(0, 10) === one.date.slice(0, 10) && key(one).startsWith(key(other));
    this.games = [one, ...this.games.filter((other) => key(other) !== key(one) && !begins(other))].slice(0, MOST);
    this.save();
  }

  keep(state, title, players) {
    const result = state.results.at(-1);
    // Readers of Chess960 want the board that a number stands for.
    const boards = state.game.startsWith('chess960') ? state.boards.slice(0, 1) : undefined;
    this.add({ game: state.game, start: state.start, moves: state.moves, names: namesOf(state), boards, result, players, title });
  }

  remove(one) {
    this.games = this.games.filter((other) => other !== one);
    this.save();
  }

  save() {
    memory.set('library', JSON.stringify(this.games));
  }

  /** The games in which every word of `text` is found somewhere. */
  search(text) {
    const words = text.toLowerCase().split(/\s+/).filter(Boolean);
    return this.games.filter((one) => {
      const all = `${one.game} ${t(one.game.split(':')[0])} ${one.players.join(' ')} ${one.date} ${one.result ?? ''} ${one.moves.join(' ')}`;
      return words.every((part) => all.toLowerCase().includes(part));
    });
  }
}

const day = (date) => {
  const when = new Date(date.replaceAll('.', '-'));
  return Number.isNaN(when.getTime()) ? date : when.toLocaleDateString(language());
};

/** `on` has `open(game)` and `keep()`. */
export function libraryDialog(library, on) {
  const list = h('ul', { class: 'library' });
  const find = h('input', { type: 'search', 'aria-label': t('search'), placeholder: t('search'), oninput: () => show() });
  const count = h('p', { class: 'small', role: 'status' });
  const item = (one) =>
    h(
      'li',
      {},
      h(
        'button',
        {
          type: 'button',
          class: 'open',
          onclick: () => {
            box.close();
            on.open(one);
          },
        },
        h('b', {}, word(one.game.split(':')[0], one.game)),
        ` ${[one.players[0], one.players[1]].filter(Boolean).join(' – ')} · ${t('n_moves', one.moves.length)} · ${day(one.date)}`,
      ),
      h(
        'button',
        {
          type: 'button',
          class: 'quiet',
          'aria-label': t('delete_game', one.moves.slice(0, 4).join(' ')),
          onclick: () => {
            library.remove(one);
            show();
          },
        },
        '×',
      ),
    );
  const show = () => {
    const found = library.search(find.value);
    list.replaceChildren(...found.slice(0, 200).map(item));
    count.textContent = t('games_kept', found.length, library.games.length);
  };
  // Each game in the first format that it has: all of them are read again by the page.
  const all = () => download('griot-games.txt', library.games.map((one) => gameText(one)).join('\n'));
  const own = () => {
    const text = {};
    for (const one of library.games) {
      const [format] = formatsOf(one.game);
      text[format] = (text[format] ?? '') + `${write(format, one)}\n`;
    }
    for (const [format, games] of Object.entries(text)) download(`griot-games.${ending(format)}`, games);
  };
  const box = dialog(
    'keep',
    t('library'),
    h('div', { class: 'copy-row' }, find, h('button', { type: 'button', id: 'keep-now', onclick: () => (on.keep(), show()) }, t('keep_game'))),
    count,
    list,
    h(
      'div',
      { class: 'ends' },
      h('button', { type: 'button', id: 'export-all', onclick: all }, t('export_all')),
      h('button', { type: 'button', onclick: own }, t('export_own')),
      h('button', { type: 'button', class: 'primary', onclick: () => box.close() }, t('close')),
    ),
  );
  show();
}

