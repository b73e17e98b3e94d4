// The moves played, as analysis boards list them: the main line, and variations set in where they leave it.

import { h } from './svg.js';
import { moveName } from './thoughts.js';
import { language, t } from './words.js';

/** The tree as the server tells it: children by their parents, the main line first. */
export function grow(tree) {
  const nodes = new Map([[0, { id: 0, parent: null, children: [], ply: 0 }]]);
  for (const { id, parent, move, name, comment } of tree) {
    const above = nodes.get(parent);
    nodes.set(id, { id, parent, move, name, comment, children: [], ply: above.ply + 1 });
    above.children.push(id);
  }
  return nodes;
}

/** Whether a node is on the main line. */
export function isMain(nodes, id) {
  for (let node = nodes.get(id); node && node.parent !== null; node = nodes.get(node.parent)) {
    if (nodes.get(node.parent).children[0] !== node.id) return false;
  }
  return true;
}

/** The move beside the one on the board, up or down the list of its alternatives. */
export function beside(nodes, id, step) {
  const node = nodes.get(id);
  const all = node && node.parent !== null ? nodes.get(node.parent).children : [];
  return all[all.indexOf(id) + step];
}

export class Moves {
  /** `visit(node, ply)` goes to a move. */
  constructor(list, visit) {
    Object.assign(this, { list, visit });
    this.key = '';
    this.nodes = grow([]);
  }

  /** `marks` has a sign and what it says for some nodes. */
  show(state, here, marks) {
    const signs = JSON.stringify([...marks]);
    const key = `${state.round}|${language()}|${state.first[0]}|${JSON.stringify(state.tree)}|${signs}`;
    if (key !== this.key) {
      this.key = key;
      this.nodes = grow(state.tree);
      this.marks = marks;
      this.first = state.first[0] ?? true;
      this.buttons = new Map();
      this.list.replaceChildren(...this.line(0));
    }
    for (const [id, button] of this.buttons) {
      if (id === here) button.setAttribute('aria-current', 'true');
      else button.removeAttribute('aria-current');
    }
    const current = this.buttons.get(here);
    const { list } = this;
    if (current) list.scrollTop = Math.max(0, current.offsetTop - list.offsetTop - list.clientHeight / 2);
    else list.scrollTop = 0;
  }

  /** The items that follow a node: its main line, with variations where they are. */
  line(from) {
    const items = [];
    for (let node = this.nodes.get(from); node.children.length; node = this.nodes.get(node.children[0])) {
      const [main, ...others] = node.children;
      items.push(this.item(main));
      for (const other of others) {
        items.push(
          h('li', { class: 'variation' }, h('ol', { 'aria-label': t('variation') }, this.item(other), this.line(other))),
        );
      }
    }
    return items;
  }

  item(id) {
    const { move, name, comment, ply } = this.nodes.get(id);
    const mark = this.marks.get(id);
    const side = (ply % 2 === 1) === this.first ? 'x' : 'o';
    const button = h(
      'button',
      { type: 'button', class: `move ${side}`, 'data-node': id, title: mark?.says, onclick: () => this.visit(id, ply) },
      h('small', {}, `${ply}`),
      ` ${moveName(move, name)}`,
      mark && h('b', { class: `mark-${mark.size}` }, mark.sign),
    );
    this.buttons.set(id, button);
    return h('li', {}, button, comment && h('span', { class: 'comment' }, comment));
  }
}
