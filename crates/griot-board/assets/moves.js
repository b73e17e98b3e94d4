// The moves played, as analysis boards list them: two columns with numbers, and variations indented below the move they replace.

import { h } from './svg.js';
import { moveName } from './thoughts.js';
import { language, t } from './words.js';

/**
 * @typedef {{ id: number, parent: number | null, children: number[], ply: number, move?: string, name?: string, comment?: string, before?: string, nags?: number[], clock?: number }} Grown
 * @typedef {{ number: string } | { node: number } | { comment: string } | { bracket: '(' | ')' }} Token
 * @typedef {{ number: number, cells: [number | null, number | null] } | { comment: string } | { variation: Token[] }} Row
 */

/** The tree as the server tells it: children by their parents, the main line first. @param {TreeNode[]} tree @returns {Map<number, Grown>} */
export function grow(tree) {
  /** @type {Map<number, Grown>} */
  const nodes = new Map([[0, { id: 0, parent: null, children: [], ply: 0 }]]);
  for (const { id, parent, ...told } of tree) {
    const above = /** @type {Grown} */ (nodes.get(parent));
    nodes.set(id, { ...told, id, parent, children: [], ply: above.ply + 1 });
    above.children.push(id);
  }
  return nodes;
}

/** Whether a node is on the main line. @param {Map<number, Grown>} nodes @param {number} id */
export function isMain(nodes, id) {
  for (let node = nodes.get(id); node && node.parent !== null; node = nodes.get(node.parent)) {
    if (nodes.get(node.parent)?.children[0] !== node.id) return false;
  }
  return true;
}

/** An opening as it is listed. @param {Opening} opening */
export const openingText = ({ code, name }) => (code ? `${code} ${name}` : name);

/** The move beside the one on the board, up or down the list of its alternatives. @param {Map<number, Grown>} nodes @param {number} id @param {number} step */
export function beside(nodes, id, step) {
  const node = nodes.get(id);
  const all = node && node.parent !== null ? (nodes.get(node.parent)?.children ?? []) : [];
  return all[all.indexOf(id) + step];
}

/** Numeric annotation glyphs as people write them. @type {Record<number, string>} */
const GLYPHS = { 1: '!', 2: '?', 3: '!!', 4: '??', 5: '!?', 6: '?!', 7: '□', 10: '=', 13: '∞', 14: '⩲', 15: '⩱', 16: '±', 17: '∓', 18: '+−', 19: '−+' };
export const glyphs = (/** @type {number[]} */ nags = []) => nags.map((nag) => GLYPHS[nag] ?? `$${nag}`).join('');

/** Where the numbers begin: the number of the first move, which is the last of the six fields of a FEN, and whether the second player makes it. @param {string} board @param {boolean} first */
export function numbering(board, first) {
  const fields = board?.split(' ') ?? [];
  const number = fields.length === 6 ? Number(fields[5]) : 1;
  return { number: number || 1, second: !first };
}

/**
 * The list row by row.
 * @param {Map<number, Grown>} nodes
 * @param {{ number: number, second: boolean }} start
 * @returns {Row[]}
 */
export function rowsOf(nodes, { number, second }) {
  const of = (/** @type {number} */ id) => /** @type {Grown} */ (nodes.get(id));
  const column = (/** @type {Grown} */ node) => (node.ply - 1 + (second ? 1 : 0)) % 2;
  const count = (/** @type {Grown} */ node) => number + Math.floor((node.ply - 1 + (second ? 1 : 0)) / 2);
  /** @type {(first: number) => Token[]} */
  const variation = (first) => {
    /** @type {Token[]} */
    const tokens = [];
    let needsNumber = true;
    for (let id = first; id !== undefined; id = of(id).children[0]) {
      const node = of(id);
      if (node.before) tokens.push({ comment: node.before });
      if (column(node) === 0) tokens.push({ number: `${count(node)}.` });
      else if (needsNumber || node.before) tokens.push({ number: `${count(node)}…` });
      tokens.push({ node: id });
      needsNumber = false;
      if (node.comment) {
        tokens.push({ comment: node.comment });
        needsNumber = true;
      }
      const others = id === first ? [] : of(/** @type {number} */ (node.parent)).children.slice(1);
      for (const other of others) {
        tokens.push({ bracket: '(' }, ...variation(other), { bracket: ')' });
        needsNumber = true;
      }
    }
    return tokens;
  };
  /** @type {Row[]} */
  const rows = [];
  /** @type {{ number: number, cells: [number | null, number | null] } | null} */
  let open = null;
  const root = of(0);
  if (root.comment) rows.push({ comment: root.comment });
  for (let id = root.children[0]; id !== undefined; id = of(id).children[0]) {
    const node = of(id);
    const place = column(node);
    if (node.before) {
      rows.push({ comment: node.before });
      open = null;
    }
    if (!open || place === 0) {
      open = { number: count(node), cells: [null, null] };
      rows.push(open);
    }
    open.cells[place] = id;
    const others = of(/** @type {number} */ (node.parent)).children.slice(1);
    if (node.comment) rows.push({ comment: node.comment });
    for (const other of others) rows.push({ variation: variation(other) });
    if (node.comment || others.length) open = null;
  }
  return rows;
}

export class Moves {
  /** `visit(node, ply)` goes to a move. @param {HTMLElement} list @param {(node: number, ply: number) => void} visit */
  constructor(list, visit) {
    this.list = list;
    this.visit = visit;
    this.key = '';
    this.nodes = grow([]);
    /** @type {Map<number, { size: string, sign: string, says: string }>} */
    this.marks = new Map();
    /** @type {Map<number, HTMLElement>} */
    this.buttons = new Map();
    this.first = true;
    this.here = 0;
    // The engine's lines above it make the list shorter.
    new ResizeObserver(() => this.isRead() || this.scroll()).observe(list);
  }

  /** The language has changed. */
  forget() {
    this.key = '';
  }

  /** `marks` has a sign and what it says for some nodes. @param {ServerState} state @param {number} here @param {Map<number, any>} marks */
  show(state, here, marks) {
    const signs = JSON.stringify([...marks]);
    const key = `${state.round}|${language()}|${state.first[0]}|${state.boards[0]}|${state.comment}|${JSON.stringify(state.tree)}|${signs}`;
    if (key !== this.key) {
      this.key = key;
      this.nodes = grow(state.tree);
      /** @type {Grown} */ (this.nodes.get(0)).comment = state.comment;
      this.marks = marks;
      this.first = state.first[0] ?? true;
      this.buttons = new Map();
      const rows = rowsOf(this.nodes, numbering(state.boards[0], this.first));
      const last = state.about.result && !state.results.at(-1) ? [h('li', { class: 'result' }, t('recorded', t(`result_${state.about.result}`)))] : [];
      this.list.replaceChildren(...rows.map((row) => this.row(row)), ...last);
    }
    for (const [id, button] of this.buttons) {
      if (id === here) button.setAttribute('aria-current', 'true');
      else button.removeAttribute('aria-current');
    }
    const moved = here !== this.here;
    this.here = here;
    if (moved || !this.isRead()) this.scroll();
  }

  /** Whether the keyboard is at one of the moves: then the list stays where it is, until another move is on the board. */
  isRead() {
    return document.activeElement !== this.list && this.list.contains(document.activeElement);
  }

  /** Brings the current move into sight. */
  scroll() {
    const current = this.buttons.get(this.here);
    const { list } = this;
    if (!current) list.scrollTop = 0;
    else if (current.offsetTop < list.scrollTop || current.offsetTop + current.offsetHeight > list.scrollTop + list.clientHeight) {
      list.scrollTop = Math.max(0, current.offsetTop - list.clientHeight / 2);
    }
  }

  /** @param {Row} row */
  row(row) {
    if ('comment' in row) return h('li', { class: 'comment' }, row.comment);
    if ('variation' in row) return h('li', { class: 'variation', 'aria-label': t('variation') }, row.variation.map((token) => this.token(token)));
    const gap = () => h('span', { class: 'gap' }, '…');
    const [one, two] = row.cells;
    return h(
      'li',
      { class: 'row' },
      h('span', { class: 'number' }, `${row.number}.`),
      one === null ? gap() : this.button(one, 'main'),
      two === null ? null : this.button(two, 'main'),
    );
  }

  /** @param {Token} token */
  token(token) {
    if ('number' in token) return h('span', { class: 'number' }, token.number);
    if ('comment' in token) return h('span', { class: 'comment' }, token.comment);
    if ('bracket' in token) return h('span', { class: 'bracket' }, token.bracket);
    return this.button(token.node, 'aside');
  }

  /** @param {number} id @param {string} kind */
  button(id, kind) {
    const { move = '', name, nags, ply } = /** @type {Grown} */ (this.nodes.get(id));
    const mark = this.marks.get(id);
    const side = (ply % 2 === 1) === this.first ? 'x' : 'o';
    const button = h(
      'button',
      { type: 'button', class: `move ${side} ${kind}`, 'data-node': id, title: mark?.says, onclick: () => this.visit(id, ply) },
      h('span', { class: 'san' }, moveName(move, name)),
      glyphs(nags),
      mark && h('b', { class: `mark-${mark.size}` }, mark.sign),
    );
    this.buttons.set(id, button);
    return button;
  }
}
