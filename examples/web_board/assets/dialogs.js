// The dialogs: a new game, pasting and copying, help.

import { h } from './svg.js';
import { memory, t } from './words.js';

let last = null;

/** Opens a dialog; it is gone when it is closed, and the focus is where it was. */
function dialog(name, title, ...content) {
  last?.close();
  const box = h(
    'dialog',
    { class: name, 'aria-labelledby': 'dialog-title' },
    h('h2', { id: 'dialog-title' }, title),
    content,
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

const choice = (name, options, value) =>
  h(
    'select',
    { name },
    options.map(([key, text]) => h('option', { value: key, selected: key === value }, text)),
  );
const number = (name, value, max, min = 1) =>
  h('input', { name, type: 'number', min, max, value, required: true, inputmode: 'numeric' });
const field = (label, input) => h('label', {}, h('span', {}, label), input);

/** What each game asks, and the name that it makes of the answers. */
const GAMES = {
  awale: {
    fields: () => [
      field(
        t('variant'),
        choice(
          'variant',
          ['abapa', 'awari', 'tipe', 'mini'].map((key) => [key, t(key)]),
          'abapa',
        ),
      ),
    ],
    name: (form) => (form.get('variant') === 'abapa' ? 'awale' : `awale:${form.get('variant')}`),
  },
  tictactoe: { fields: () => [], name: () => 'tictactoe' },
  connect4: {
    fields: () => [
      field(t('columns'), number('cols', 7, 26)),
      field(t('rows'), number('rows', 6, 62)),
      field(t('in_a_row'), number('k', 4, 26)),
    ],
    name: (form) => {
      const sizes = ['cols', 'rows', 'k'].map((key) => form.get(key)).join(',');
      return sizes === '7,6,4' ? 'connect4' : `connect4:${sizes}`;
    },
  },
  othello: { fields: () => [], name: () => 'othello' },
  gomoku: {
    fields: () => [
      field(
        t('variant'),
        choice(
          'rule',
          [
            ['gomoku', t('five_exact')],
            ['gomokufreestyle', t('five_free')],
          ],
          'gomoku',
        ),
      ),
    ],
    name: (form) => form.get('rule'),
  },
  mnk: {
    fields: () => [
      field(t('columns'), number('cols', 7, 22)),
      field(t('rows'), number('rows', 7, 22)),
      field(t('in_a_row'), number('k', 5, 22)),
      h('label', { class: 'tick' }, h('input', { type: 'checkbox', name: 'exact' }), h('span', {}, t('exact'))),
    ],
    name: (form) =>
      `mnk:${['cols', 'rows', 'k'].map((key) => form.get(key)).join(',')}${form.get('exact') ? ',exact' : ''}`,
  },
  nim: {
    fields: () => [
      field(
        t('heaps'),
        h('input', {
          name: 'heaps',
          value: '21',
          required: true,
          pattern: '[0-9]+(-[0-9]+)*',
          title: t('heaps_rule'),
          autocomplete: 'off',
        }),
      ),
      field(
        t('take_most'),
        choice('take', [['any', t('any')], ...Array.from({ length: 9 }, (_, i) => [`${i + 1}`, `${i + 1}`])], '3'),
      ),
      field(
        t('goal'),
        choice(
          'goal',
          [
            ['misere', t('last_loses')],
            ['normal', t('last_wins')],
          ],
          'misere',
        ),
      ),
    ],
    name: (form) => `nim:${form.get('heaps')},take=${form.get('take')},${form.get('goal')}`,
  },
};

export function newGame(spec, level, begin) {
  // A game that this page has not heard of is begun again by its name.
  const own = { [spec.family]: { fields: () => [], name: () => spec.name } };
  const choices = GAMES[spec.family] ? GAMES : { ...own, ...GAMES };
  const fields = h('div', { class: 'fields' });
  const games = h(
    'div',
    { class: 'games', role: 'radiogroup' },
    Object.keys(choices).map((key) =>
      h(
        'label',
        { class: `game ${key}` },
        h('input', { type: 'radio', name: 'family', value: key, checked: key === spec.family }),
        h('span', {}, t(key)),
      ),
    ),
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
  const form = h(
    'form',
    { method: 'dialog' },
    games,
    fields,
    h(
      'div',
      { class: 'fields' },
      field(t('you'), players),
      h('label', {}, h('span', {}, t('level'), ' ', output), range),
    ),
    h(
      'div',
      { class: 'ends' },
      h('button', { type: 'button', onclick: () => box.close() }, t('cancel')),
      h('button', { class: 'primary', value: 'start' }, t('start')),
    ),
  );
  const family = () => new FormData(form).get('family');
  const update = () => fields.replaceChildren(...choices[family()].fields());
  games.addEventListener('change', update);
  form.addEventListener('submit', () => {
    const data = new FormData(form);
    const engine = { kind: 'engine', level: Number(data.get('level')) };
    const human = { kind: 'human' };
    memory.set('players', data.get('players'));
    const sides = {
      first: [human, engine],
      second: [engine, human],
      people: [human, human],
      engines: [engine, engine],
    };
    begin(choices[data.get('family')].name(data), sides[data.get('players')]);
  });
  const box = dialog('new-game', t('new_game'), form);
  update();
}

export function pasteDialog(set) {
  const input = h('textarea', {
    name: 'text',
    rows: 3,
    required: true,
    spellcheck: 'false',
    autocomplete: 'off',
    'aria-label': t('paste_text'),
  });
  const form = h(
    'form',
    { method: 'dialog' },
    h('p', {}, t('paste_text')),
    input,
    h(
      'div',
      { class: 'ends' },
      h('button', { type: 'button', onclick: () => box.close() }, t('cancel')),
      h('button', { class: 'primary', value: 'ok' }, t('set_up')),
    ),
  );
  form.addEventListener('submit', () => set(input.value.trim()));
  const box = dialog('paste', t('paste_title'), form);
  // A browser may ask before it lets a page read what was copied, or refuse.
  navigator.clipboard?.readText?.().then(
    (text) => {
      if (!input.value && text.length < 4000) input.value = text.trim();
    },
    () => {},
  );
}

export function copyDialog(board, game, copied) {
  const row = (id, label, text) => {
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
          if (navigator.clipboard) navigator.clipboard.writeText(text).then(done, () => {});
        },
      },
      t('copy'),
    );
    return h('div', { class: 'copy-row' }, h('label', { for: id }, label), input, button);
  };
  const box = dialog(
    'copy',
    t('copy_title'),
    row('copy-board', t('copy_board'), board),
    row('copy-game', t('copy_game'), game),
    h('p', { class: 'small' }, t('copy_hint')),
    h('div', { class: 'ends' }, h('button', { type: 'button', onclick: () => box.close() }, t('close'))),
  );
}

export function helpDialog(keysOn, setKeys) {
  const tick = h('input', { type: 'checkbox', checked: keysOn, onchange: () => setKeys(tick.checked) });
  const box = dialog(
    'help',
    t('help_title'),
    h('p', {}, t('help_text')),
    h(
      'dl',
      { class: 'keys' },
      t('keys').map(([key, what]) =>
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
