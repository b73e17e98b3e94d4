// A position is set up by hand: cells are clicked through the pieces that the picture has, houses and heaps are numbers. The board lies as it
// lies on the page. What is written is a board text, and whether it is a position of the game is for the engine to say: what it says
// is shown in the dialog, which stays open with everything that was entered.

import { dialog } from './dialogs.js';
import { pieceName, pieceOf, rightsLeft, smallPiece } from './figures.js';
import { cellName, cells as cellsOf, placeOf } from './picture.js';
import { rowsOf, textOf } from './rows.js';
import { h } from './svg.js';
import { t } from './words.js';

/** @typedef {import('./figures.js').Placed} Placed */

/** Squares behind a pawn that has just come two squares on, for the side that is to move. @param {(string | null)[][]} cells @param {string} turn */
export function passedSquares(cells, turn) {
  const [row, behind, pawn] = turn === 'w' ? [3, 2, 'p'] : [4, 5, 'P'];
  const from = turn === 'w' ? 1 : 6;
  return [...'abcdefgh'].flatMap((name, col) =>
    cells[row]?.[col] === pawn && !cells[behind][col] && !cells[from][col] ? [`${name}${8 - behind}`] : [],
  );
}

/** What stands behind a board of chess: rights to castle, the square of a pawn that may be taken in passing, two counters. @param {ReturnType<typeof rowsOf>} read @param {() => void} tell */
function behindChess(read, tell) {
  const [rights = '-', passed = '-', half = '0', full = '1'] = read.rest;
  const possible = rightsLeft('KQkq', read.cells);
  const castling = [...'KQkq'].map((right) =>
    h(
      'label',
      { class: 'tick' },
      h('input', {
        type: 'checkbox',
        name: `castle-${right}`,
        checked: rights.includes(right),
        disabled: !possible.includes(right),
        onchange: (event) => {
          const { checked } = /** @type {HTMLInputElement} */ (event.target);
          const kept = [...'KQkq'].filter((one) => (one === right ? checked : (read.rest[0] ?? '').includes(one)));
          read.rest[0] = kept.join('') || '-';
          tell();
        },
      }),
      h('span', {}, t(`castle_${right}`)),
    ),
  );
  const squares = ['-', ...passedSquares(read.cells, read.turn)];
  /** @type {HTMLSelectElement} */
  const chosen = h(
    'select',
    {
      name: 'passed',
      onchange: () => {
        read.rest[1] = chosen.value;
        tell();
      },
    },
    squares.map((square) => h('option', { value: square, selected: square === passed }, square)),
  );
  const counter = (/** @type {number} */ place, /** @type {string} */ name, /** @type {string} */ value, /** @type {number} */ least) =>
    h(
      'label',
      { class: 'line' },
      h('span', {}, t(name)),
      h('input', {
        type: 'number',
        name,
        min: least,
        value,
        oninput: (event) => {
          read.rest[place] = /** @type {HTMLInputElement} */ (event.target).value || `${least}`;
          tell();
        },
      }),
    );
  return [
    // Rights of another kind, those of Chess960, stay in the text.
    ...(/^(-|[KQkq]+)$/.test(rights) ? [h('div', { class: 'rights', role: 'group', 'aria-label': t('castling') }, castling)] : []),
    h(
      'div',
      { class: 'counts' },
      h('label', { class: 'line' }, h('span', {}, t('passed')), chosen),
      counter(2, 'half_moves', half, 0),
      counter(3, 'full_moves', full, 1),
    ),
  ];
}

/** The letters of a board text that say whose turn it is. @param {Picture} picture @returns {string[]} */
export const turnLetters = ({ players, colors }) => players.marks ?? (colors ?? []).map((/** @type {string} */ color) => color[0]);

/**
 * The marks on the cells, row by row from the top, whose turn it is, and what stands behind the board: of the board text, if it is in
 * rows that fit the board, and else of the picture.
 * @param {string} board @param {Spec} spec @param {Picture} picture
 */
export function readCells(board, spec, picture) {
  const read = rowsOf(board);
  const isMark = (/** @type {string | null} */ mark) => !mark || spec.set.some((/** @type {Placed} */ piece) => piece.mark === mark);
  const fits = read.cells.length === spec.rows && read.cells.every((row) => row.length === spec.cols && row.every(isMark));
  if (fits) return read;
  const cells = cellsOf(picture).map((row) => row.map((piece) => piece?.mark ?? null));
  return { cells, turn: turnLetters(picture)[picture.turn === 'second' ? 1 : 0] ?? '', rest: [], points: false };
}

/** Cells, and who is to move. @param {string} board @param {Spec} spec @param {{ picture: Picture, turned: boolean }} laid @param {(text: string) => void} changed */
function cells(board, spec, { picture, turned }, changed) {
  const read = readCells(board, spec, picture);
  const isChess = spec.pieces === 'chessmen';
  /** @type {Placed[]} */
  const all = spec.set;
  const tell = () => {
    // Who has moved a king by hand need not know of the rights behind the board; nor has a pawn just come.
    if (isChess) {
      const [rights = '-', passed = '-', ...counters] = read.rest;
      read.rest = [rightsLeft(rights, read.cells), passedSquares(read.cells, read.turn).includes(passed) ? passed : '-', ...counters];
      behind.replaceChildren(...behindChess(read, tell));
    }
    changed(textOf(read.cells, read.turn, read));
  };
  /** @type {HTMLDivElement} */
  const behind = h('div', {}, isChess ? behindChess(read, () => tell()) : []);
  let brush = 'next';
  const palette = h(
    'div',
    { class: 'palette', role: 'radiogroup', 'aria-label': t('brush') },
    h('label', {}, h('input', { type: 'radio', name: 'brush', value: 'next', checked: true, onchange: () => (brush = 'next') }), h('span', {}, t('in_turn'))),
    all.map((piece) =>
      h(
        'label',
        {},
        h('input', { type: 'radio', name: 'brush', value: piece.mark, onchange: () => (brush = piece.mark), 'aria-label': pieceName(piece, spec) }),
        smallPiece(piece, spec),
      ),
    ),
    h('label', {}, h('input', { type: 'radio', name: 'brush', value: 'empty', onchange: () => (brush = 'empty') }), h('span', {}, t('empty'))),
  );
  const point = (/** @type {number} */ x, /** @type {number} */ y) => placeOf(picture, [x, y]);
  const isUsed = (/** @type {number} */ x, /** @type {number} */ y) => {
    const [col, row] = point(x, y);
    return picture.board.dark?.[row * spec.cols + col] ?? true;
  };
  const buttons = read.cells.map((row, y) =>
    row.map((_, x) => {
      if (!isUsed(x, y)) return h('span', { class: 'cell unused', 'aria-hidden': 'true' });
      const name = cellName(picture, point(x, y));
      const button = h('button', {
        type: 'button',
        class: 'cell',
        onclick: () => {
          const order = [null, ...all.map(({ mark }) => mark)];
          const next = order[(order.indexOf(read.cells[y][x]) + 1) % order.length];
          read.cells[y][x] = brush === 'next' ? next : brush === 'empty' ? null : brush;
          show();
          tell();
        },
      });
      const show = () => {
        const mark = read.cells[y][x];
        const here = mark && pieceOf(spec, mark);
        button.replaceChildren(here ? smallPiece(here, spec) : picture.board.labels ? name : '·');
        button.dataset.mark = mark ?? '';
        button.setAttribute('aria-label', `${here ? pieceName(here, spec) : '·'} ${name}`);
      };
      show();
      return button;
    }),
  );
  const laid = turned ? buttons.map((row) => [...row].reverse()).reverse() : buttons;
  const field = h('div', { class: `cells of-${spec.pieces}`, 'data-columns': spec.cols }, laid.flat());
  field.style.setProperty('--columns', spec.cols);
  const letters = turnLetters(picture);
  /** @type {HTMLSelectElement} */
  const turn = h(
    'select',
    {
      onchange: () => {
        read.turn = turn.value;
        tell();
      },
    },
    letters.map((letter, side) => h('option', { value: letter, selected: letter === read.turn }, t(spec.sides[side]))),
  );
  return [palette, field, h('label', { class: 'line' }, h('span', {}, t('turn_of')), turn), behind];
}

/**
 * Numbers with hyphens between them, and who is to move behind the last sign. `lay` puts a field in its place.
 * @param {string} board
 * @param {(i: number, all: number) => string} labels
 * @param {string} sign
 * @param {[string, string][]} sides
 * @param {(text: string) => void} changed
 * @param {(label: HTMLElement, i: number, all: number) => void} [lay]
 */
function numbers(board, labels, sign, sides, changed, lay) {
  const parts = board.split(/[- ]/);
  const turn = parts.pop();
  /** @type {HTMLLabelElement[]} */
  const inputs = parts.map((value, i) =>
    h('label', {}, h('span', {}, labels(i, parts.length)), h('input', { type: 'number', min: 0, value, oninput: () => tell() })),
  );
  inputs.forEach((label, i) => lay?.(label, i, inputs.length));
  /** @type {HTMLSelectElement} */
  const select = h(
    'select',
    { onchange: () => tell() },
    sides.map(([value, text]) => h('option', { value, selected: value === turn }, text)),
  );
  const tell = () =>
    changed(inputs.map((label) => label.querySelector('input')?.value || '0').join('-') + sign + select.value);
  return [h('div', { class: lay ? 'counts laid' : 'counts' }, inputs), h('label', { class: 'line' }, h('span', {}, t('turn_of')), select)];
}

/** Houses lie as on the board: the far row goes the other way, the stores are at the ends. @param {boolean} turned */
function layHouses(turned) {
  return (/** @type {HTMLElement} */ label, /** @type {number} */ i, /** @type {number} */ all) => {
    const n = (all - 2) / 2;
    const isStore = i >= 2 * n;
    const second = isStore ? i > 2 * n : i >= n;
    const low = second === turned;
    label.style.gridRow = isStore ? '1 / 3' : low ? '2' : '1';
    label.style.gridColumn = `${isStore ? (low ? n + 2 : 1) : (low ? i % n : n - 1 - (i % n)) + 2}`;
    label.classList.toggle('store', isStore);
  };
}

/**
 * @param {Spec} spec
 * @param {Picture} picture
 * @param {string} board
 * @param {boolean} turned whether the first player's side is far
 * @param {(board: string) => Promise<string | null>} set what is wrong with the position, or nothing
 */
export function editDialog(spec, picture, board, turned, set) {
  const text = h('input', { name: 'board', value: board, 'aria-label': t('board_text'), spellcheck: 'false', autocomplete: 'off' });
  const problem = h('p', { class: 'problem', role: 'alert', hidden: true });
  const changed = (/** @type {string} */ next) => {
    text.value = next;
    problem.hidden = true;
  };
  const tools = h('div', { class: 'tools-of-board' });
  const draw = () => {
    /** @type {HTMLElement[]} */
    let parts = [];
    if (spec.kind === 'grid') parts = cells(text.value, spec, { picture, turned: turned && spec.surface !== 'holes' }, changed);
    else if (spec.kind === 'houses') {
      const name = (/** @type {number} */ i, /** @type {number} */ all) => {
        const n = (all - 2) / 2;
        if (i >= 2 * n) return t('store_of', t(spec.sides[i - 2 * n]));
        return String.fromCharCode((i < n ? 65 : 97) + (i % n));
      };
      parts = numbers(text.value, name, '-', [['S', t('south')], ['N', t('north')]], changed, layHouses(turned));
    } else if (spec.kind === 'heaps') {
      const name = (/** @type {number} */ i) => String.fromCharCode(97 + i);
      parts = numbers(text.value, name, ' ', [['1', t('player1')], ['2', t('player2')]], changed);
    }
    tools.replaceChildren(...parts);
  };
  text.addEventListener('change', () => {
    problem.hidden = true;
    draw();
  });
  const empty = () => {
    if (spec.kind !== 'grid') return;
    const read = readCells(text.value, spec, picture);
    text.value = textOf(
      read.cells.map((row) => row.map(() => null)),
      read.turn,
      read,
    );
    draw();
  };
  const form = h(
    'form',
    {},
    tools,
    h('label', { class: 'line' }, h('span', {}, t('board_text')), text),
    problem,
    h(
      'div',
      { class: 'ends' },
      spec.kind === 'grid' && h('button', { type: 'button', onclick: empty }, t('clear')),
      h('button', { type: 'button', onclick: () => box.close() }, t('cancel')),
      h('button', { class: 'primary', value: 'ok' }, t('set_up')),
    ),
  );
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const wrong = await set(text.value.trim());
    if (!wrong) {
      box.close();
      return;
    }
    problem.textContent = wrong;
    problem.hidden = false;
    problem.scrollIntoView({ block: 'nearest' });
  });
  draw();
  const box = dialog('edit', t('edit_title'), form);
}
