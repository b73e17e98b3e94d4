// The dialog of the games that this browser keeps: a page of them at a time, searched while one types.

import { dialog } from './dialogs.js';
import { download } from './files.js';
import { search } from './library.js';
import { ending, writeGames } from './records.js';
import { h } from './svg.js';
import { language, t, word } from './words.js';

/** So many games are listed at once. */
const PAGE = 50;

/** The browser's own kind of this language, if it has one. */
const locale = () => (navigator.language.startsWith(language()) ? navigator.language : language());

/** A date as people of this language write it; one with unknown parts as it is. */
const day = (/** @type {string} */ date) => {
  const parts = /^(\d{4})[.-](\d\d?)[.-](\d\d?)/.exec(date);
  if (!parts) return date.replace(/[.-]?\?\?/g, '').replace(/^\?+$/, '');
  return new Date(Number(parts[1]), Number(parts[2]) - 1, Number(parts[3])).toLocaleDateString(locale());
};

const RESULTS = { p1win: '1–0', p2win: '0–1', draw: '½–½' };

/**
 * `on` has `open(record, id)`, `keep()`, and `removed(record)`, which offers to take it back.
 * @param {import('./library.js').Library} library
 * @param {{ open: (record: GameRecord, id: number) => void, keep: () => Promise<void>, removed: (record: GameRecord) => void, failed: (code: string, detail?: string) => void }} on
 */
export async function libraryDialog(library, on) {
  try {
    await library.open();
  } catch (problem) {
    on.failed('no_library', `${problem}`);
    return;
  }
  const list = h('ul', { class: 'library' });
  let shown = PAGE;
  const find = h('input', {
    type: 'search',
    'aria-label': t('search'),
    placeholder: t('search'),
    oninput: () => {
      shown = PAGE;
      show();
    },
  });
  const count = h('p', { class: 'small', role: 'status' });
  const more = h('button', { type: 'button', id: 'more-games', onclick: () => ((shown += PAGE), show()) }, t('more_games'));
  const item = (/** @type {import('./library.js').Entry} */ one) => {
    const facts = [
      one.players.filter(Boolean).join(' – '),
      one.opening,
      one.result && RESULTS[/** @type {keyof typeof RESULTS} */ (one.result)],
      t('n_moves', one.plies),
      day(one.date),
    ];
    const open = async () => {
      const record = await library.get(one.id);
      box.close();
      if (record) on.open(record, one.id);
    };
    const remove = async () => {
      const record = await library.get(one.id);
      await library.remove(one.id);
      show();
      if (record) on.removed(record);
    };
    return h(
      'li',
      {},
      h('button', { type: 'button', class: 'open', onclick: open }, h('b', {}, word(one.game.split(':')[0], one.game)), ` ${facts.filter(Boolean).join(' · ')}`),
      h('button', { type: 'button', class: 'quiet', 'aria-label': t('delete_game', facts.filter(Boolean).join(' ')), onclick: remove }, '×'),
    );
  };
  const show = () => {
    const found = search(library.entries, find.value);
    list.replaceChildren(...found.slice(0, shown).map(item));
    more.hidden = found.length <= shown;
    count.textContent = t('games_kept', found.length, library.entries.length);
  };
  const all = async (/** @type {string} */ format) => {
    const records = await library.all();
    const { texts, faults = [], error, detail } = await writeGames(records, format);
    // The page can write its own format by itself.
    if (error === 'unreachable' && format === 'json') download('griot-games.json', records.map((record) => `${JSON.stringify(record)}\n`).join(''));
    else if (error) on.failed(error, detail);
    for (const [name, text] of Object.entries(texts ?? {})) download(`griot-games.${ending(name)}`, text);
    if (faults.length) on.failed('not_written', `${faults.length}: ${faults[0]}`);
  };
  const box = dialog(
    'my-games',
    t('library'),
    h('div', { class: 'copy-row' }, find, h('button', { type: 'button', id: 'keep-now', onclick: async () => (await on.keep(), show()) }, t('keep_game'))),
    count,
    list,
    more,
    h(
      'div',
      { class: 'ends' },
      h('button', { type: 'button', id: 'export-all', onclick: () => all('json') }, t('export_all')),
      h('button', { type: 'button', id: 'export-own', onclick: () => all('own') }, t('export_own')),
      h('button', { type: 'button', class: 'primary', onclick: () => box.close() }, t('close')),
    ),
  );
  show();
}
