// The signs of the buttons: lines on a field of 24 × 24, drawn for this page.

import { s } from './svg.js';

/** @type {Record<string, string>} */
const SIGNS = {
  new: 'M12 5v14M5 12h14',
  library: 'M5 4v16M9 4v16M13 5l5 15M3 20h18',
  paste: 'M8 5H6v15h12V5h-2M9 3h6v4H9zM9 12h6M9 16h4',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  edit: 'M4 20l1-5L16 4l4 4L9 19zM13 7l4 4',
  share: 'M4 5h16v14H4zM4 16l5-5 4 4 3-3 4 4M15.5 9h.01',
  puzzles: 'M4 8h5a2.2 2.2 0 1 1 4 0h5v5a2.2 2.2 0 1 1 0 4v3H4z',
  settings: 'M4 7h9M17 7h3M4 17h3M11 17h9M15 5v4M9 15v4',
  theme: 'M12 4a8 8 0 1 0 0 16zM12 4a8 8 0 0 1 0 16',
  help: 'M9 9a3 3 0 1 1 4 3c-1 .5-1 1-1 2M12 18h.01',
  start: 'M18 5l-8 7 8 7zM6 5v14',
  back: 'M16 5l-9 7 9 7z',
  forward: 'M8 5l9 7-9 7z',
  end: 'M6 5l8 7-8 7zM18 5v14',
  flip: 'M7 4v14M3 8l4-4 4 4M17 20V6M13 16l4 4 4-4',
  hint: 'M9 16a6 6 0 1 1 6 0v2H9zM10 21h4',
  stop: 'M5 6l7 6-7 6zM13 6l6 6-6 6z',
  pause: 'M8 5v14M16 5v14',
  resume: 'M8 5l10 7-10 7z',
  swap: 'M4 9h14l-4-4M20 15H6l4 4',
  undo: 'M9 6L4 11l5 5M4 11h10a5 5 0 0 1 0 10h-3',
  resign: 'M6 21V4h11l-2 4 2 4H6',
  offer: 'M12 4v16M5 8h14M3 15l3-7 3 7a3 3 0 0 1-6 0zM15 15l3-7 3 7a3 3 0 0 1-6 0z',
  pass: 'M4 12h13M13 7l5 5-5 5M20 5v14',
  rematch: 'M5 12a7 7 0 0 1 12-5l2 2M19 4v5h-5M19 12a7 7 0 0 1-12 5l-2-2M5 20v-5h5',
  promote: 'M12 20V5M6 11l6-6 6 6',
  delete: 'M5 7h14M10 4h4M7 7l1 13h8l1-13M10 11v5M14 11v5',
  threat: 'M12 3l9 17H3zM12 10v5M12 17.5h.01',
};

/** @param {string} name */
export const sign = (name) => s('svg', { viewBox: '0 0 24 24', class: 'sign', 'aria-hidden': 'true' }, s('path', { d: SIGNS[name] }));

/** Puts the signs into all buttons that ask for one. @param {ParentNode} root */
export function drawSigns(root) {
  for (const button of /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll('[data-sign]'))) {
    button.querySelector('.sign')?.remove();
    button.prepend(sign(button.dataset.sign ?? ''));
  }
}
