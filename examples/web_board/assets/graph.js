// The score over the game: above the middle the first player stands better, below it the second.

import { s } from './svg.js';
import { share } from './games.js';
import { t } from './words.js';

const height = 120;

export function drawGraph(holder, spec, state, go) {
  const n = state.boards.length;
  const width = holder.closest('[data-wide="true"]') ? 880 : 360;
  const span = Math.max(10, n - 1);
  const x = (ply) => 8 + (ply / span) * (width - 16);
  const y = (value) => height / 2 - value * (height / 2 - 8);
  const known = state.scores.map((score, ply) => ({ score, ply })).filter(({ score }) => score);
  const points = known.map(({ score, ply }) => [x(ply), y(share(spec, score))]);
  const line = points.map((point) => point.map((value) => value.toFixed(1)).join(' ')).join('L');
  const middle = height / 2;
  const area =
    points.length > 1
      ? `M${points[0][0].toFixed(1)} ${middle}L${line}L${points.at(-1)[0].toFixed(1)} ${middle}z`
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
    s('line', { class: 'zero', x1: 8, x2: width - 8, y1: middle, y2: middle }),
    s('line', { class: 'now', x1: x(state.at), x2: x(state.at), y1: 6, y2: height - 6 }),
    points.length > 1 && s('path', { class: 'curve', d: `M${line}` }),
    points.map(([cx, cy], i) =>
      s('circle', {
        class: known[i].ply === state.at ? 'point here' : 'point',
        cx,
        cy,
        r: known[i].ply === state.at ? 4.5 : 2.6,
      }),
    ),
  );
  svg.addEventListener('click', (event) => {
    const box = svg.getBoundingClientRect();
    const ply = Math.round(((((event.clientX - box.left) / box.width) * width - 8) / (width - 16)) * span);
    go(Math.max(0, Math.min(n - 1, ply)));
  });
  holder.replaceChildren(svg);
}

/** The bar: how much of it is the first player's. */
export function drawBar(bar, spec, score, text) {
  const part = (share(spec, score) + 1) / 2;
  bar.style.setProperty('--first', `${(100 * part).toFixed(1)}%`);
  bar.querySelector('.bar-text').textContent = text.short;
  bar.setAttribute('aria-label', text.long);
}
