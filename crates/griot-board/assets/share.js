// A picture of the board to give away, as SVG and as PNG: what is seen, with its colours written into it.

import { dialog } from './dialogs.js';
import { download } from './files.js';
import { h } from './svg.js';
import { t } from './words.js';

const LOOKS = [
  'fill',
  'fill-opacity',
  'stroke',
  'stroke-width',
  'stroke-dasharray',
  'stroke-linecap',
  'stroke-linejoin',
  'opacity',
  'font-size',
  'font-family',
  'font-weight',
  'text-anchor',
  'stop-color',
  'transform',
  'paint-order',
  'display',
];

/** The text of a drawing that stands alone. @param {SVGSVGElement} svg */
export function standalone(svg) {
  const copy = /** @type {SVGSVGElement} */ (svg.cloneNode(true));
  const all = (/** @type {SVGSVGElement} */ root) => [root, .../** @type {NodeListOf<SVGElement>} */ (root.querySelectorAll('*'))];
  const [live, made] = [all(svg), all(copy)];
  live.forEach((node, i) => {
    const look = getComputedStyle(node);
    for (const name of LOOKS) {
      const value = look.getPropertyValue(name);
      // A place is told by an attribute already, unless a style moves it there.
      if (name === 'transform' && (value === 'none' || node.hasAttribute('transform'))) continue;
      if (value) made[i].style.setProperty(name, value);
    }
    for (const name of ['tabindex', 'role', 'class', 'aria-label', 'aria-disabled', 'data-move']) made[i].removeAttribute(name);
  });
  copy.querySelectorAll('.touch').forEach((node) => node.remove());
  const { width, height } = svg.viewBox.baseVal;
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  copy.setAttribute('width', `${width}`);
  copy.setAttribute('height', `${height}`);
  return new XMLSerializer().serializeToString(copy);
}

/** The same as a picture of points, twice as fine. @param {string} text @param {number} width @param {number} height @returns {Promise<Blob>} */
export async function png(text, width, height) {
  const url = URL.createObjectURL(new Blob([text], { type: 'image/svg+xml' }));
  try {
    const image = new Image(width, height);
    image.src = url;
    await image.decode();
    const canvas = h('canvas', { width: 2 * width, height: 2 * height });
    canvas.getContext('2d')?.drawImage(image, 0, 0, 2 * width, 2 * height);
    return await new Promise((done, fail) => canvas.toBlob((blob) => (blob ? done(blob) : fail(new Error('no picture'))), 'image/png'));
  } finally {
    URL.revokeObjectURL(url);
  }
}

/** @param {SVGSVGElement} svg @param {string} title */
export function shareDialog(svg, title) {
  const { width, height } = svg.viewBox.baseVal;
  const name = title.toLowerCase().replace(/[^\p{L}\d]+/gu, '-');
  const text = standalone(svg);
  const box = dialog(
    'share',
    t('share_title'),
    h('p', {}, t('share_text')),
    h(
      'div',
      { class: 'ends' },
      h('button', { type: 'button', id: 'share-svg', onclick: () => download(`${name}.svg`, text, 'image/svg+xml') }, 'SVG'),
      h(
        'button',
        { type: 'button', id: 'share-png', onclick: async () => download(`${name}.png`, await png(text, width, height), 'image/png') },
        'PNG',
      ),
      h('button', { type: 'button', class: 'primary', onclick: () => box.close() }, t('close')),
    ),
  );
}
