// The games that this browser keeps, in IndexedDB: searched, opened again, exported. Nothing of it is known to the server.
//
//   index   { id, key, line, text, game, players, date, plies, result, opening }   read as a whole: what is searched and listed
//   games   { id, record }                                          read one by one, or all for an export
//   views   { id, line, view }    the pictures of the newest and of those that were on the board, compressed: to show them when the server
//                                 is away

import { deflate, inflate } from './links.js';
import { openingText } from './moves.js';
import { gameText } from './records.js';
import { memory } from './words.js';

/** @typedef {{ id: number, key: string, line: string, text: string, game: string, players: (string | null)[], date: string, plies: number, result: string | null, opening?: string }} Entry */

/** The value of a tag; the first one where there are several. */
export const tag = (/** @type {GameRecord} */ record, /** @type {string[]} */ ...names) => {
  for (const name of names) {
    const value = record.tags?.[name];
    if (value) return Array.isArray(value) ? value[0] : value;
  }
  return '';
};

/**
 * What makes a game another one: equal moves by other players, or on another day, are other games.
 * @param {GameRecord} record
 */
export const keyOf = (record) => JSON.stringify([gameText(record), record.players, tag(record, 'Date', 'DT'), tag(record, 'Event', 'EV'), tag(record, 'Round', 'RO')]);

/**
 * A record as it is searched and listed.
 * @param {GameRecord} record
 * @param {Opening | null} [opening] the name of its opening; by default what its tags say
 * @returns {Omit<Entry, 'id'>}
 */
export function entryOf(record, opening = null) {
  const named = opening ? openingText(opening) : [tag(record, 'ECO'), tag(record, 'Opening')].filter((text) => /\w/.test(text)).join(' ');
  const date = tag(record, 'Date', 'DT');
  const players = record.players ?? [];
  const facts = Object.values(record.tags ?? {}).flat().join(' ');
  const text = `${record.game} ${players.join(' ')} ${named} ${facts} ${date.replaceAll('.', '-')} ${record.result ?? ''} ${record.moves.join(' ')}`.toLowerCase();
  return { key: keyOf(record), line: gameText(record), text, game: record.game, players, date, plies: record.moves.length, result: record.result ?? null, opening: named };
}

/**
 * Whether a kept game is the beginning of another one that was played on from it: the same players on the same day.
 * @param {Entry} entry
 * @param {Omit<Entry, 'id'>} next
 */
export const grows = (entry, next) => {
  const [text, ...rest] = JSON.parse(entry.key);
  const [longer, ...others] = JSON.parse(next.key);
  return `${longer} `.startsWith(`${text} `) && JSON.stringify(rest) === JSON.stringify(others);
};

/**
 * The entries in which every word of `text` is found, the newest first.
 * @param {Entry[]} entries
 * @param {string} text
 */
export function search(entries, text) {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return words.length ? entries.filter((one) => words.every((word) => one.text.includes(word))) : entries;
}

/**
 * What was played from a position in the kept games, the most frequent first: how often, and with which results.
 * @param {Entry[]} entries
 * @param {{ game: string, start: string, moves: string[] }} line the line to the position
 * @returns {{ move: string, games: number, results: [number, number, number] }[]} wins of the first player, draws, wins of the second
 */
export function explore(entries, line) {
  const begin = gameText(line) + (line.moves.length ? ' ' : '');
  /** @type {Map<string, { move: string, games: number, results: [number, number, number] }>} */
  const found = new Map();
  for (const entry of entries) {
    const text = entry.line ?? JSON.parse(entry.key)[0];
    if (!text.startsWith(begin)) continue;
    const [move] = text.slice(begin.length).split(' ');
    if (!move) continue;
    const row = found.get(move) ?? { move, games: 0, results: /** @type {[number, number, number]} */ ([0, 0, 0]) };
    row.games += 1;
    const place = ['p1win', 'draw', 'p2win'].indexOf(entry.result ?? '');
    if (place >= 0) row.results[place] += 1;
    found.set(move, row);
  }
  return [...found.values()].sort((one, other) => other.games - one.games);
}

/**
 * @template T
 * @param {IDBRequest<T>} request
 * @returns {Promise<T>}
 */
const done = (request) =>
  new Promise((yes, no) => {
    request.onsuccess = () => yes(request.result);
    request.onerror = () => no(request.error);
  });

/** @param {IDBTransaction} change @returns {Promise<void>} */
const finished = (change) =>
  new Promise((yes, no) => {
    change.oncomplete = () => yes();
    change.onabort = change.onerror = () => no(change.error);
  });

export class Library {
  constructor() {
    /** @type {Entry[]} The newest first. */
    this.entries = [];
    /** @type {Promise<IDBDatabase> | null} */
    this.opened = null;
  }

  /** @returns {Promise<IDBDatabase>} */
  open() {
    this.opened ??= this.begin().catch((problem) => {
      this.opened = null;
      throw problem;
    });
    return this.opened;
  }

  async begin() {
    const request = indexedDB.open('griot', 2);
    request.onupgradeneeded = ({ oldVersion }) => {
      if (oldVersion < 1) {
        request.result.createObjectStore('index', { keyPath: 'id', autoIncrement: true });
        request.result.createObjectStore('games', { keyPath: 'id' });
      }
      request.result.createObjectStore('views', { keyPath: 'id' });
    };
    const base = await done(request);
    // Another tab may have a later version of the page, which needs the games otherwise.
    base.onversionchange = () => base.close();
    /** @type {Entry[]} */
    const entries = await done(base.transaction('index').objectStore('index').getAll());
    this.entries = entries.reverse();
    this.opened = Promise.resolve(base);
    await this.moveOver();
    return base;
  }

  /** The games of an earlier version of the page, which kept them elsewhere. */
  async moveOver() {
    const text = memory.get('library');
    if (!text) return;
    try {
      const kept = JSON.parse(text);
      /** @type {GameRecord[]} */
      const records = kept
        .filter((/** @type {any} */ one) => typeof one?.game === 'string' && Array.isArray(one.moves))
        .map((/** @type {any} */ { game, start, moves, result, players, date }) => ({
          ...{ game, start, moves, result, players: players ?? [] },
          tags: { Date: `${date ?? ''}`.slice(0, 10).replaceAll('-', '.') },
        }));
      await this.add(records.reverse());
    } catch {
      // What cannot be read is given up.
    }
    memory.remove('library');
  }

  /**
   * Keeps games; those that are there already are not kept twice. With `growing`, a game takes the place of its beginning; `openings`
   * are the names of theirs, in the same order. Returns the number of new games and the id of the last one.
   * @param {GameRecord[]} records
   * @param {{ growing?: boolean, openings?: (Opening | null)[] }} [more]
   */
  async add(records, { growing = false, openings = [] } = {}) {
    const base = await this.open();
    const change = base.transaction(['index', 'games'], 'readwrite');
    const [index, games] = [change.objectStore('index'), change.objectStore('games')];
    const known = new Map(this.entries.map((entry) => [entry.key, entry]));
    let [added, last] = [0, 0];
    for (const [n, record] of records.entries()) {
      const entry = entryOf(record, openings[n]);
      const old = known.get(entry.key) ?? (growing ? this.entries.find((one) => grows(one, entry)) : undefined);
      if (old) {
        // What is said about the moves may be new.
        Object.assign(old, entry);
        index.put(old);
        games.put({ id: old.id, record });
        last = old.id;
        continue;
      }
      const id = Number(await done(index.add(entry)));
      games.put({ id, record });
      const kept = { ...entry, id };
      this.entries.unshift(kept);
      known.set(kept.key, kept);
      added += 1;
      last = id;
    }
    await finished(change);
    return { added, last };
  }

  /** @param {number} id @returns {Promise<GameRecord | undefined>} */
  async get(id) {
    const base = await this.open();
    return (await done(base.transaction('games').objectStore('games').get(id)))?.record;
  }

  /** Keeps what shows a game without the server: `view` is asked for it, unless it is kept already. @param {number} id @param {GameRecord} record @param {(record: GameRecord) => Promise<string | null>} view */
  async keepView(id, record, view) {
    const base = await this.open();
    const line = gameText(record);
    const kept = await done(base.transaction('views').objectStore('views').get(id));
    const text = kept?.line === line ? null : await view(record);
    if (!text) return;
    const packed = await deflate(text);
    const change = base.transaction('views', 'readwrite');
    change.objectStore('views').put({ id, line, view: packed });
    await finished(change);
  }

  /** The newest games, so many at most, of which nothing is kept that shows them without the server. @param {number} most @returns {Promise<number[]>} */
  async unseen(most) {
    const base = await this.open();
    const seen = new Set(await done(base.transaction('views').objectStore('views').getAllKeys()));
    return this.entries.slice(0, most).map(({ id }) => id).filter((id) => !seen.has(id));
  }

  /** What shows a game without the server; nothing where that is not kept. @param {number} id @returns {Promise<import('./viewing.js').Place[] | null>} */
  async view(id) {
    const base = await this.open();
    const kept = await done(base.transaction('views').objectStore('views').get(id));
    return kept ? JSON.parse(await inflate(kept.view)) : null;
  }

  /** All records, the oldest first. @returns {Promise<GameRecord[]>} */
  async all() {
    const base = await this.open();
    const kept = await done(base.transaction('games').objectStore('games').getAll());
    return kept.map(({ record }) => record);
  }

  /** @param {number} id */
  async remove(id) {
    const base = await this.open();
    const change = base.transaction(['index', 'games', 'views'], 'readwrite');
    for (const store of ['index', 'games', 'views']) change.objectStore(store).delete(id);
    await finished(change);
    this.entries = this.entries.filter((one) => one.id !== id);
  }
}
