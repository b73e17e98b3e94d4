// The dialogs: a new game, pasting and copying, a choice between moves, help.

import { download } from './files.js';
import { icon } from './icons.js';
import { ending, gameText } from './records.js';
import { h } from './svg.js';
import { moveName } from './thoughts.js';
import { keys, memory, t, word } from './words.js';

/** @type {HTMLDialogElement | null} */
let last = null;

/** Opens a dialog; it is gone when it is closed, and the focus is where it was. @param {string} name @param {string} title @param {(import('./svg.js').Child | import('./svg.js').Child[])[]} content */
export function dialog(name, title, ...content) {
  last?.close();
  const box = h(
    'dialog',
    { class: name, 'aria-labelledby': 'dialog-title' },
    h('h2', { id: 'dialog-title' }, title),
    ...content,
  );
  box.addEventListener('close', () => {
    box.remove();
    last = null;
  });
  box.addEventListener('click', (event) => {
    if (event.target === box) box.close();
  });
  document.body.append(box);
  box.showModal();
  last = box;
  return box;
}

/** @param {string} name @param {[string, string][]} options @param {string} value */
const choice = (name, options, value) =>
  h(
    'select',
    { name },
    options.map(([key, text]) => h('option', { value: key, selected: key === value }, text)),
  );
const field = (/** @type {string} */ label, /** @type {HTMLElement} */ input) => h('label', {}, h('span', {}, label), input);

/** Minutes for all moves, and seconds more with each. */
const CLOCKS = ['1+0', '3+2', '5+0', '10+5', '30+0'];

/** What the engine asks to be filled in, in the page's words where it has some. @param {MenuField} field */
function input({ key, title, type, ...more }) {
  const label = word(key, title);
  switch (type) {
    case 'number':
      return field(
        label,
        h('input', {
          name: key,
          type,
          min: more.min,
          max: more.max,
          value: more.default,
          required: true,
          inputmode: 'numeric',
        }),
      );
    case 'choice': {
      const choices = more.choices.map((/** @type {{ value: string, key: string, title: string }} */ one) => [one.value, word(one.key, one.title)]);
      return field(label, choice(key, choices, more.default));
    }
    case 'tick':
      return h(
        'label',
        { class: 'tick' },
        h('input', { type: 'checkbox', name: key, value: more.value }),
        h('span', {}, label),
      );
    default: {
      const about = { pattern: more.pattern, title: word(`${key}_rule`, more.hint) };
      return field(label, h('input', { name: key, value: more.default, required: true, autocomplete: 'off', ...about }));
    }
  }
}

/** The name of the game that the form asks for: a tick that is not set adds nothing. @param {MenuEntry} entry @param {FormData} form */
const filled = (entry, form) => entry.name.replace(/\{(\w+)\}/g, (_, key) => textOf(form, key));

/** What a field of a form holds. @param {FormData} form @param {string} name */
const textOf = (form, name) => `${form.get(name) ?? ''}`;

/**
 * Offers the games of the engine's menu; without one, the game that is on the board.
 * @param {MenuEntry[]} menu
 * @param {Spec} spec
 * @param {string} game
 * @param {number} level
 * @param {(game: string, players: [Player, Player], clock: { base: number, increment: number } | undefined) => void} begin
 */
export function newGame(menu, spec, game, level, begin) {
  const offered = menu.length ? menu : [{ key: spec.family, title: spec.title, name: game, fields: [] }];
  const shown = Math.max(
    offered.findIndex(({ key }) => key === spec.family),
    0,
  );
  const fields = h('div', { class: 'fields' });
  const games = h(
    'div',
    { class: 'games', role: 'radiogroup', 'aria-label': t('game') },
    offered.map((entry, i) => {
      const { key, title } = entry;
      return h(
        'label',
        { class: `game ${key}` },
        h('input', { type: 'radio', name: 'family', value: key, checked: i === shown }),
        icon(entry),
        h('span', {}, word(key, title)),
      );
    }),
  );
  const output = h('output', {}, `${level}`);
  const range = h('input', {
    type: 'range',
    name: 'level',
    min: 0,
    max: 20,
    value: level,
    oninput: () => {
      output.textContent = range.value;
    },
  });
  const players = choice(
    'players',
    [
      ['first', t('you_first')],
      ['second', t('you_second')],
      ['people', t('two_people')],
      ['engines', t('two_engines')],
    ],
    memory.get('players') ?? 'first',
  );
  const clock = choice(
    'clock',
    [['', t('no_clock')], ...CLOCKS.map((value) => /** @type {[string, string]} */ ([value, t('clock_is', ...value.split('+').map(Number))])), ['own', t('own_clock')]],
    memory.get('clock') ?? '',
  );
  const [ownMinutes = '15', ownSeconds = '10'] = (memory.get('own-clock') ?? '').split('+').filter(Boolean);
  const own = h(
    'div',
    { class: 'fields' },
    field(t('minutes'), h('input', { name: 'minutes', type: 'number', min: 0.1, max: 600, step: 0.1, value: ownMinutes })),
    field(t('seconds_more'), h('input', { name: 'seconds', type: 'number', min: 0, max: 600, value: ownSeconds })),
  );
  const showOwn = () => {
    own.hidden = clock.value !== 'own';
    for (const input of own.querySelectorAll('input')) input.required = !own.hidden;
  };
  clock.addEventListener('change', showOwn);
  showOwn();
  const rules = h('p', { class: 'rules' });
  const form = h(
    'form',
    { method: 'dialog' },
    games,
    rules,
    fields,
    h(
      'div',
      { class: 'fields' },
      field(t('you'), players),
      h('label', {}, h('span', {}, t('level'), ' ', output), range),
      field(t('clock'), clock),
    ),
    own,
    h(
      'div',
      { class: 'ends' },
      h('button', { type: 'button', onclick: () => box.close() }, t('cancel')),
      h('button', { class: 'primary', value: 'start' }, t('start')),
    ),
  );
  const chosen = (/** @type {FormData} */ data) => offered.find(({ key }) => key === data.get('family')) ?? offered[0];
  const update = () => {
    const entry = chosen(new FormData(form));
    fields.replaceChildren(...entry.fields.map(input));
    rules.textContent = word(`rules_${entry.key}`, '');
    rules.hidden = !rules.textContent;
  };
  games.addEventListener('change', update);
  form.addEventListener('submit', () => {
    const data = new FormData(form);
    const engine = /** @type {Player} */ ({ kind: 'engine', level: Number(data.get('level')) });
    const human = /** @type {Player} */ ({ kind: 'human' });
    memory.set('players', textOf(data, 'players'));
    memory.set('clock', textOf(data, 'clock'));
    const other = `${data.get('minutes')}+${data.get('seconds')}`;
    if (data.get('clock') === 'own') memory.set('own-clock', other);
    const [minutes, seconds] = `${data.get('clock') === 'own' ? other : data.get('clock')}`.split('+').map(Number);
    /** @type {Record<string, [Player, Player]>} */
    const sides = {
      first: [human, engine],
      second: [engine, human],
      people: [human, human],
      engines: [engine, engine],
    };
    const times = data.get('clock') ? { base: Math.round(60_000 * minutes), increment: 1000 * seconds } : undefined;
    begin(filled(chosen(data), data), sides[textOf(data, 'players')], times);
  });
  const box = dialog('new-game', t('new_game'), form);
  update();
}

/** `set(content, name)` gets the text, or the file that was chosen: its letters may be of any encoding. @param {(content: string | File) => void} set */
export function pasteDialog(set) {
  const input = h('textarea', {
    name: 'text',
    rows: 6,
    spellcheck: 'false',
    autocomplete: 'off',
    'aria-label': t('paste_text'),
  });
  const file = h('input', { type: 'file', name: 'file' });
  const form = h(
    'form',
    { method: 'dialog' },
    h('p', {}, t('paste_text')),
    input,
    h('label', { class: 'line' }, h('span', {}, t('or_file')), file),
    h(
      'div',
      { class: 'ends' },
      h('button', { type: 'button', onclick: () => box.close() }, t('cancel')),
      h('button', { class: 'primary', value: 'ok' }, t('set_up')),
    ),
  );
  form.addEventListener('submit', () => {
    const [chosen] = file.files ?? [];
    if (chosen) set(chosen);
    else if (input.value.trim()) set(input.value);
  });
  const box = dialog('paste', t('paste_title'), form);
  // A browser may ask before it lets a page read what was copied, or refuse.
  navigator.clipboard?.readText?.().then(
    (text) => {
      if (!input.value && text.length < 1_000_000) input.value = text.trim();
    },
    () => {},
  );
}

/**
 * `record` is the whole game, `texts` has it in every format that can hold it, `link` is what a link to it ends in, `board` is the text of
 * the position.
 * @param {{ record: GameRecord, texts: Record<string, string>, link: string }} game
 * @param {string} board
 * @param {() => void} copied
 */
export function copyDialog({ record, texts, link: held }, board, copied) {
  const line = gameText(record);
  const row = (/** @type {string} */ id, /** @type {string} */ label, /** @type {string} */ text) => {
    /** @type {HTMLInputElement} */
    const input = h('input', { id, readonly: true, value: text, onfocus: () => input.select() });
    const button = h(
      'button',
      {
        type: 'button',
        onclick: () => {
          input.select();
          const done = () => {
            box.close();
            copied();
          };
          if (navigator.clipboard) navigator.clipboard.writeText(input.value).then(done, () => {});
        },
      },
      t('copy'),
    );
    return h('div', { class: 'copy-row' }, h('label', { for: id }, label), input, button);
  };
  // A game that griot does not have is written as its engine reads it.
  /** @type {Record<string, string>} */
  const known = Object.keys(texts).length ? texts : { moves: line };
  const formats = Object.keys(known);
  /** @type {HTMLTextAreaElement} */
  const text = h('textarea', { id: 'copy-text', rows: 9, readonly: true, 'aria-label': t('whole_game'), onfocus: () => text.select() });
  const format = choice(
    'format',
    formats.map((name) => [name, word(`form_${name}`, name)]),
    formats[0],
  );
  format.setAttribute('aria-label', t('format'));
  const show = () => {
    text.value = known[format.value];
  };
  format.addEventListener('change', show);
  const save = () => download(`griot.${ending(format.value)}`, text.value);
  const link = `${location.origin}${location.pathname}#${held}`;
  const box = dialog(
    'copy',
    t('copy_title'),
    row('copy-board', t('copy_board'), board),
    row('copy-game', t('copy_line'), line),
    row('copy-link', t('copy_link'), link),
    h('div', { class: 'copy-row' }, h('label', { for: 'copy-text' }, t('whole_game')), format, h('button', { type: 'button', id: 'save-file', onclick: save }, t('save_file'))),
    text,
    h('p', { class: 'small' }, t('copy_hint')),
    h('div', { class: 'ends' }, h('button', { type: 'button', onclick: () => box.close() }, t('close'))),
  );
  show();
}

/** Which of several moves that go the same way is meant; nothing when the dialog is closed. @param {Stroke[]} strokes @returns {Promise<string | null>} */
export function several(strokes) {
  return new Promise((done) => {
    const box = dialog(
      'several',
      t('which_move'),
      h(
        'div',
        { class: 'ends' },
        strokes.map(({ move, name }) => {
          const choose = () => {
            done(move);
            box.close();
          };
          return h('button', { type: 'button', onclick: choose }, moveName(move, name));
        }),
      ),
    );
    box.addEventListener('close', () => done(null));
  });
}

/** @param {boolean} keysOn @param {(on: boolean) => void} setKeys */
export function helpDialog(keysOn, setKeys) {
  /** @type {HTMLInputElement} */
  const tick = h('input', { type: 'checkbox', checked: keysOn, onchange: () => setKeys(tick.checked) });
  const box = dialog(
    'help',
    t('help_title'),
    h('p', {}, t('help_text')),
    h(
      'dl',
      { class: 'keys' },
      keys().map(([key, what]) =>
        h(
          'div',
          {},
          h(
            'dt',
            {},
            key.split(' ').map((one) => h('kbd', {}, one)),
          ),
          h('dd', {}, what),
        ),
      ),
    ),
    h('label', { class: 'tick' }, tick, h('span', {}, t('keys_on'))),
    h(
      'div',
      { class: 'ends' },
      h('button', { type: 'button', class: 'primary', onclick: () => box.close() }, t('close')),
    ),
  );
}
