// The value over the game: above the middle the first player stands better, below it the second. And the bar beside the board.

import { isCertain, share, tinyScore } from './games.js';
import { s } from './svg.js';
import { t } from './words.js';

const HEIGHT = 56;

/**
 * `scores` has a value of one kind for each position, or nothing; `marks` the mistakes by their plies.
 * @param {HTMLElement} holder
 * @param {Spec} spec
 * @param {(Score | null)[]} scores
 * @param {number} at
 * @param {Map<number, string>} marks
 * @param {(at: number) => void} go
 */
export function drawGraph(holder, spec, scores, at, marks, go) {
  const n = scores.length;
  const width = Math.max(200, holder.clientWidth - Number.parseFloat(getComputedStyle(holder).paddingLeft));
  const known = scores.map((score, ply) => ({ score, ply })).filter(({ score }) => score);
  const height = HEIGHT;
  const span = Math.max(10, n - 1);
  const x = (/** @type {number} */ ply) => 8 + (ply / span) * (width - 16);
  const y = (/** @type {number} */ value) => height / 2 - value * (height / 2 - 8);
  const points = known.map(({ score, ply }) => [x(ply), y(share(spec, score))]);
  const line = points.map((point) => point.map((value) => value.toFixed(1)).join(' ')).join('L');
  const middle = height / 2;
  const area =
    points.length > 1
      ? `M${points[0][0].toFixed(1)} ${middle}L${line}L${points[points.length - 1][0].toFixed(1)} ${middle}z`
      : null;
  const svg = s(
    'svg',
    { class: 'graph', viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': t('graph_is', n - 1) },
    s(
      'defs',
      {},
      s('clipPath', { id: 'above' }, s('rect', { width, height: middle })),
      s('clipPath', { id: 'below' }, s('rect', { y: middle, width, height: middle })),
    ),
    s('rect', { class: 'field', width, height, rx: 10 }),
    area && s('path', { class: 'area x', d: area, 'clip-path': 'url(#above)' }),
    area && s('path', { class: 'area o', d: area, 'clip-path': 'url(#below)' }),
    area && s('line', { class: 'zero', x1: 8, x2: width - 8, y1: middle, y2: middle }),
    area && s('line', { class: 'now', x1: x(at), x2: x(at), y1: 6, y2: height - 6 }),
    !area && s('text', { class: 'nothing', x: width / 2, y: middle + 5 }, t('graph_empty')),
    points.length > 1 && s('path', { class: 'curve', d: `M${line}` }),
    area &&
      points.map(([cx, cy], i) => {
        const { ply } = known[i];
        const mark = marks.get(ply);
        return s('circle', {
          class: `point${ply === at ? ' here' : ''}${mark ? ` ${mark}` : ''}`,
          cx,
          cy,
          r: ply === at ? 4.5 : mark ? 4 : 2.6,
        });
      }),
  );
  svg.addEventListener('click', (event) => {
    const box = svg.getBoundingClientRect();
    const ply = Math.round(((((event.clientX - box.left) / box.width) * width - 8) / (width - 16)) * span);
    go(Math.max(0, Math.min(n - 1, ply)));
  });
  holder.replaceChildren(svg);
}

/**
 * The bar: how much of it is the first player's.
 * @param {HTMLElement} bar
 * @param {Spec} spec
 * @param {Score | null} score
 * @param {{ short?: string, long: string }} text
 * @param {boolean} turned
 */
export function drawBar(bar, spec, score, text, turned) {
  bar.classList.toggle('turned', turned);
  const part = (share(spec, score) + 1) / 2;
  bar.style.setProperty('--first', `${(100 * part).toFixed(1)}%`);
  bar.dataset.better = share(spec, score) >= 0 ? 'first' : 'second';
  const shown = text.short ?? tinyScore(spec, score);
  bar.querySelector('.bar-text')?.replaceChildren(isCertain(spec, score) ? shown : shown.replace(/^[+−]/, ''));
  bar.setAttribute('aria-label', text.long);
}
