// A position is set up by hand: cells are clicked through the marks of the game, houses and heaps are numbers. What is written is a
// board text, and whether it is a position of the game is for the engine to say.

import { dialog } from './dialogs.js';
import { figureName, rightsLeft, smallFigure } from './figures.js';
import { rowsOf, textOf } from './rows.js';
import { h } from './svg.js';
import { t } from './words.js';

/** Cells, and who is to move. */
function cells(board, { marks = ['x', 'o'], style, sides: players }, changed) {
  const read = rowsOf(board);
  const figures = style === 'figures';
  const columns = Math.max(...read.cells.map((row) => row.length));
  const all = figures ? [...'KQRBNPkqrbnp'] : [...new Set([...marks, ...read.cells.flat().filter(Boolean)])];
  const tell = () => {
    // Who has moved a king by hand need not know of the rights behind the board; nor has a pawn just come.
    if (figures) read.rest = [rightsLeft(read.rest[0] ?? '-', read.cells), '-', ...read.rest.slice(2)];
    changed(textOf(read.cells, read.turn, read));
  };
  const said = (mark) => (figures && mark ? figureName(mark) : (mark ?? '·'));
  let brush = 'next';
  const palette = h(
    'div',
    { class: 'palette', role: 'radiogroup', 'aria-label': t('brush') },
    [['next', t('in_turn')], ...all.map((mark) => [mark, mark]), ['empty', t('empty')]].map(([value, text]) => {
      const drawn = figures && all.includes(value);
      const named = drawn ? { 'aria-label': figureName(value) } : {};
      return h(
        'label',
        {},
        h('input', { type: 'radio', name: 'brush', value, checked: value === brush, onchange: () => (brush = value), ...named }),
        drawn ? smallFigure(value) : h('span', {}, text),
      );
    }),
  );
  const name = (x, y) => `${String.fromCharCode(97 + x)}${read.cells.length - y}`;
  const buttons = read.cells.map((row, y) =>
    row.map((mark, x) => {
      const button = h('button', {
        type: 'button',
        class: 'cell',
        onclick: () => {
          const order = [null, ...all];
          const next = order[(order.indexOf(read.cells[y][x]) + 1) % order.length];
          read.cells[y][x] = brush === 'next' ? next : brush === 'empty' ? null : brush;
          show();
          tell();
        },
      });
      const show = () => {
        const here = read.cells[y][x];
        button.replaceChildren(figures && here ? smallFigure(here) : (here ?? '·'));
        button.dataset.mark = here ?? '';
        button.setAttribute('aria-label', `${said(here)} ${name(x, y)}`);
      };
      show();
      return button;
    }),
  );
  const field = h('div', { class: 'cells', 'data-columns': columns }, buttons.flat());
  field.style.setProperty('--columns', columns);
  const sides = all.length === 2 || 'xowbPp'.includes(read.turn) ? [...new Set([read.turn, ...turns(read.turn)])].sort() : [read.turn];
  const turn = h(
    'select',
    {
      onchange: () => {
        read.turn = turn.value;
        tell();
      },
    },
    sides.map((side) => h('option', { value: side, selected: side === read.turn }, figures ? t(players[side === 'w' ? 0 : 1]) : side)),
  );
  return [palette, field, h('label', { class: 'line' }, h('span', {}, t('turn_of')), turn)];
}

/** The two letters for whose turn it is, of which one is known. */
const turns = (one) => ({ x: ['x', 'o'], o: ['x', 'o'], w: ['w', 'b'], b: ['w', 'b'], P: ['P', 'p'], p: ['P', 'p'] })[one] ?? [one];

/** Numbers with hyphens between them, and who is to move behind the last sign. */
function numbers(board, labels, sign, sides, changed) {
  const parts = board.split(/[- ]/);
  const turn = parts.pop();
  const inputs = parts.map((value, i) =>
    h('label', {}, h('span', {}, labels(i, parts.length)), h('input', { type: 'number', min: 0, value, oninput: () => tell() })),
  );
  const select = h(
    'select',
    { onchange: () => tell() },
    sides.map(([value, text]) => h('option', { value, selected: value === turn }, text)),
  );
  const tell = () =>
    changed(inputs.map((label) => label.querySelector('input').value || '0').join('-') + sign + select.value);
  return [h('div', { class: 'counts' }, inputs), h('label', { class: 'line' }, h('span', {}, t('turn_of')), select)];
}

export function editDialog(spec, board, set) {
  const text = h('input', { name: 'board', value: board, 'aria-label': t('board_text'), spellcheck: 'false', autocomplete: 'off' });
  const changed = (next) => {
    text.value = next;
  };
  const tools = h('div', { class: 'tools-of-board' });
  const draw = () => {
    let parts = [];
    if (spec.kind === 'grid') parts = cells(text.value, spec, changed);
    else if (spec.kind === 'houses') {
      const name = (i, all) => {
        const n = (all - 2) / 2;
        if (i >= 2 * n) return t('store_of', t(spec.sides[i - 2 * n]));
        return String.fromCharCode((i < n ? 65 : 97) + (i % n));
      };
      parts = numbers(text.value, name, '-', [['S', t('south')], ['N', t('north')]], changed);
    } else if (spec.kind === 'heaps') {
      const name = (i) => String.fromCharCode(97 + i);
      parts = numbers(text.value, name, ' ', [['1', t('player1')], ['2', t('player2')]], changed);
    }
    tools.replaceChildren(...parts);
  };
  text.addEventListener('change', draw);
  const empty = () => {
    if (spec.kind !== 'grid') return;
    const read = rowsOf(text.value);
    text.value = textOf(
      read.cells.map((row) => row.map(() => null)),
      read.turn,
      read,
    );
    draw();
  };
  const form = h(
    'form',
    { method: 'dialog' },
    tools,
    h('label', { class: 'line' }, h('span', {}, t('board_text')), text),
    h(
      'div',
      { class: 'ends' },
      spec.kind === 'grid' && h('button', { type: 'button', onclick: empty }, t('clear')),
      h('button', { type: 'button', onclick: () => box.close() }, t('cancel')),
      h('button', { class: 'primary', value: 'ok' }, t('set_up')),
    ),
  );
  form.addEventListener('submit', () => set(text.value.trim()));
  const box = dialog('edit', t('edit_title'), form);
  draw();
}
