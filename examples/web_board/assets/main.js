// The page: it shows what the server says, and sends what people do. The game itself is kept by the server.

import { copyDialog, helpDialog, newGame, pasteDialog } from './dialogs.js';
import { makeBoard, read, share, side, signScore, tellScore, title } from './games.js';
import { drawBar, drawGraph } from './graph.js';
import { plainPicture } from './picture.js';
import { h, s } from './svg.js';
import { language, memory, problem, speak, t, translate } from './words.js';

const $ = (id) => document.getElementById(id);
const narrow = matchMedia('(max-width: 640px)');

/** What the server said last, and what of it is on the board. */
let state = null;
let thinking = null;
let board = null;
let spec = null;
let shown = null;
let drawing = false;
let news = null;
let online = true;
let keysOn = memory.get('keys') !== 'off';

// ---- talking to the server

/** The server says something at least every 15 seconds; an engine may need ten for an answer. */
const SILENCE = 40_000;
const PATIENCE = 30_000;
const RETRY = 2000;

async function post(path, body) {
  try {
    const answer = await fetch(path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body ?? {}),
      signal: AbortSignal.timeout(PATIENCE),
    });
    return answer.ok ? null : await answer.json();
  } catch {
    return { error: 'unreachable', detail: '' };
  }
}

async function wish(what, more) {
  const refusal = await post('/api/do', { do: what, ...more });
  if (refusal) complain(refusal.error, refusal.detail ?? '');
  return !refusal;
}

let attempt = 0;
let heard = 0;
let retry = null;

/** The games that the engine offers. */
let menu = [];

async function readMenu() {
  try {
    const answer = await fetch('/api/games', { signal: AbortSignal.timeout(PATIENCE) });
    if (answer.ok) menu = await answer.json();
  } catch {
    // The game on the board can be begun anew without it, and the next connection asks again.
  }
}

/** One connection for news: it tells the server that somebody looks, too. */
async function connect() {
  disconnect();
  const mine = attempt;
  heard = Date.now();
  const refusal = await post('/api/open');
  // The page was left, or something else connects already.
  if (mine !== attempt) return;
  if (refusal) {
    lost(refusal.error === 'unreachable' ? t('lost') : problem(refusal.error, refusal.detail));
    retry = setTimeout(connect, RETRY);
    return;
  }
  if (!menu.length) readMenu();
  const source = new EventSource('/api/news');
  news = source;
  const on = (name, act) =>
    source.addEventListener(name, (event) => {
      if (source !== news) return;
      heard = Date.now();
      act(event.data);
    });
  on('state', (data) => receive(JSON.parse(data)));
  on('thinking', (data) => {
    thinking = JSON.parse(data);
    showThinking();
  });
  on('notice', (data) => {
    const { notice, detail } = JSON.parse(data);
    complain(notice, detail);
  });
  on('beat', () => {});
  on('open', () => {
    online = true;
    showStatus();
  });
  source.addEventListener('error', () => {
    if (source !== news) return;
    lost(t('lost'));
    if (source.readyState === EventSource.CLOSED) retry = setTimeout(connect, RETRY);
  });
}

/** Nobody looks any more, as far as this page goes. */
function disconnect() {
  attempt += 1;
  clearTimeout(retry);
  news?.close();
  news = null;
}

/** A machine that slept, or a network that changed, leaves a connection that looks whole and is not. */
function checkNews() {
  if (news && Date.now() - heard > SILENCE) connect();
}

function lost(text) {
  online = false;
  $('status').textContent = text;
}

function complain(code, detail) {
  const text = problem(code, detail);
  const toast = h(
    'div',
    { class: 'toast' },
    h('span', {}, text),
    h('button', { class: 'quiet', 'aria-label': t('close'), onclick: () => toast.remove() }, '×'),
  );
  $('toasts').append(toast);
  while ($('toasts').children.length > 3) $('toasts').firstChild.remove();
  setTimeout(() => toast.remove(), 9000);
}

function announce(text) {
  $('live').append(h('p', {}, text));
  while ($('live').children.length > 4) $('live').firstChild.remove();
}

// ---- what is shown

function receive(next) {
  if (!next) return;
  if (next.hint && next.hint !== state?.hint) announce(t('hint_is', next.hint));
  online = true;
  state = next;
  showControls();
  draw();
}

/** Brings the board to what the server said last, move by move where it can. */
async function draw() {
  if (drawing) return;
  drawing = true;
  try {
    while (state.boards.length && !isShown()) await step();
  } finally {
    drawing = false;
  }
  showBoard();
}

/** The picture of a position: the server keeps those of the last few that were shown. */
const pictureOf = (from, at = from.at) =>
  from.pictures[at] ?? plainPicture(from.boards[at] ?? '', at === from.at ? from.legal : []);
const specOf = (from) => read(from.game, pictureOf(from));

const identity = (one) => `${one.game}|${one.boards[0]}`;
const lie = () =>
  `${narrow.matches}|${state.settings.players[0].kind === 'engine' && state.settings.players[1].kind === 'human'}`;

function isShown() {
  return (
    shown &&
    shown.identity === identity(state) &&
    shown.lie === lie() &&
    shown.at === state.at &&
    shown.text === state.boards[state.at]
  );
}

async function step() {
  const target = state;
  const same = shown && shown.identity === identity(target) && shown.lie === lie();
  if (!same) {
    spec = specOf(target);
    board = makeBoard(spec, pictureOf(target), (move) => play(move), { tall: narrow.matches, turned: lie().endsWith('true') });
    board.svg.setAttribute('aria-label', `${t('board')}, ${title(spec)}`);
    $('board').replaceChildren(board.svg);
    $('board').dataset.family = spec.family;
    document.documentElement.dataset.sides = spec.sides[0];
    document.title = `${title(spec)} · griot`;
    shown = null;
  }
  const far = shown ? target.at - shown.at : 0;
  const isKnown = () => Array.from({ length: far }, (_, i) => target.at - i).every((at) => target.pictures[at]?.last);
  const follows = far >= 1 && far <= 3 && shown.text === target.boards[shown.at] && isKnown();
  if (!follows) {
    board.show(pictureOf(target));
    if (!same) layOut();
    shown = { identity: identity(target), lie: lie(), at: target.at, text: target.boards[target.at] };
    return;
  }
  const { at } = shown;
  board.offer(false);
  board.line([], true);
  board.signs({});
  $('board').dataset.moving = 'true';
  const mover = target.first[at] ? 0 : 1;
  const said = await board.move(target.pictures[at + 1], mover);
  delete $('board').dataset.moving;
  shown = { ...shown, at: at + 1, text: target.boards[at + 1] };
  announce(said);
  if (target.at === at + 1 && target.result) announce(resultText(target));
  showCounts();
}

/** A low board leaves room below it. */
function layOut() {
  const low = board.width > 1.8 * board.height && !narrow.matches;
  $(low ? 'left' : 'right').append($('course'));
  $('course').dataset.wide = low;
}

const turn = () => (state.first[state.at] ? 0 : 1);
const isHuman = () => state.settings.players[turn()].kind === 'human';
const mayPlay = () => !state.result && state.engine !== 'full' && (isHuman() || state.paused);

async function play(move) {
  if (!mayPlay() || drawing) return;
  await wish('play', { move, at: state.at });
}

function showBoard() {
  if (!board || !state.boards.length) return;
  const { at } = state;
  const won = state.result === 'p1win' || state.result === 'p2win';
  board.signs({ before: state.pictures[at - 1], hint: state.hint, won });
  board.offer(mayPlay());
  $('board').dataset.at = at;
  $('board').dataset.turn = turn();
  showCounts();
  showThinking();
}

function resultText(from) {
  const names = specOf(from);
  return t(from.result, side(names, 0), side(names, 1));
}

function showStatus() {
  if (!state || !online) return;
  const status = $('status');
  status.className = 'status';
  if (state.engine === 'full') status.textContent = t('no_seat');
  else if (state.engine === 'failed') status.textContent = t('failed');
  else if (!state.boards.length) status.textContent = '…';
  else if (state.result) {
    status.textContent = resultText(state);
    status.classList.add('over');
  } else if (state.engine === 'resting') status.textContent = t('resting', Math.max(1, Math.round(state.idle / 60)));
  else {
    const name = side(specOf(state), turn());
    const key = { play: 'thinks', hint: 'hinting', analysis: 'analysing' }[state.doing];
    status.textContent =
      state.doing === 'analysis' && isHuman()
        ? t('your_move', name)
        : key
          ? t(key, name)
          : isHuman()
            ? t('your_move', name)
            : state.paused
              ? t('paused', name)
              : t('to_move', name);
    status.classList.toggle('busy', !!state.doing);
  }
}

function showControls() {
  const next = specOf(state);
  $('game-name').textContent = title(next);
  if (!spec) spec = next;
  const last = state.boards.length - 1;
  $('back').disabled = state.at <= 0;
  $('forward').disabled = state.at >= last;
  $('hint').disabled = !!state.result || state.doing === 'hint' || state.doing === 'play';
  $('stop').disabled = state.doing !== 'play' && state.doing !== 'hint';
  const engines = state.settings.players.some((player) => player.kind === 'engine');
  const resumes = (state.paused && engines) || state.engine !== 'ready';
  $('pause').textContent = t(resumes ? 'resume' : 'pause');
  $('pause').disabled = !!state.result || (!engines && state.engine === 'ready');
  $('pause').classList.toggle('call', resumes && !$('pause').disabled && (state.engine !== 'ready' || !isHuman()));
  $('pass').hidden = !(state.legal.length === 1 && state.legal[0] === '0000' && mayPlay());
  $('movetime').value = `${state.settings.movetime}`;
  if (document.activeElement !== $('pace')) $('pace').value = state.settings.pace;
  $('analysis').checked = state.settings.analysis;
  $('about').textContent = state.name ? t('about', state.name) : '';
  $('board').dataset.doing = state.doing ?? '';
  showPlayers();
  showMoves(next);
  showStatus();
}

function showPlayers() {
  document.querySelectorAll('.player').forEach((card) => {
    const which = Number(card.dataset.side);
    const player = state.settings.players[which];
    const name = side(specOf(state), which);
    card.classList.toggle('turn', !state.result && state.boards.length > 0 && turn() === which);
    if (!card.firstChild) buildPlayer(card, which);
    card.querySelector('.name').textContent = name;
    const kind = card.querySelector('select');
    kind.value = player.kind;
    kind.setAttribute('aria-label', name);
    [...kind.options].forEach((option) => {
      option.textContent = t(option.value);
    });
    const range = card.querySelector('input');
    card.querySelector('.level').hidden = player.kind !== 'engine';
    if (player.kind === 'engine' && document.activeElement !== range) range.value = player.level;
    card.querySelector('.level span').textContent =
      `${t('level')} ${range.value}${range.value === '20' ? ` · ${t('full')}` : ''}`;
  });
}

function buildPlayer(card, which) {
  const change = () => {
    const players = state.settings.players.map((player) => ({ ...player }));
    players[which] = kind.value === 'human' ? { kind: 'human' } : { kind: 'engine', level: Number(range.value) };
    settings({ players });
  };
  const kind = h('select', { onchange: change }, h('option', { value: 'human' }), h('option', { value: 'engine' }));
  const label = h('span', {});
  const range = h('input', {
    type: 'range',
    min: 0,
    max: 20,
    value: 6,
    onchange: change,
    oninput: () => {
      label.textContent = `${t('level')} ${range.value}`;
    },
  });
  card.append(
    h('span', { class: 'chip', 'aria-hidden': 'true' }),
    h('span', { class: 'name' }),
    h('output', { class: 'points' }),
    kind,
    h('label', { class: 'level' }, label, range),
  );
}

function showCounts() {
  const counts = board?.counts();
  document.querySelectorAll('.player .points').forEach((output, which) => {
    output.textContent = counts ? `${counts[which]}` : '';
  });
}

function settings(change) {
  // A second change may come before the first one is confirmed.
  state.settings = { ...state.settings, ...change };
  wish('set', { settings: state.settings });
}

let movesKey = '';

function showMoves(next) {
  drawGraph($('graph'), next, state, (at) => wish('go_to', { at }));
  const key = `${identity(state)}|${state.moves.join(' ')}|${language()}`;
  const list = $('moves');
  if (key !== movesKey) {
    movesKey = key;
    list.replaceChildren(
      ...state.moves.map((move, i) =>
        h(
          'li',
          {},
          h(
            'button',
            {
              class: `move ${state.first[i] ? 'x' : 'o'}`,
              'aria-label': t('move_n', i + 1, move),
              onclick: () => wish('go_to', { at: i + 1 }),
            },
            h('small', {}, `${i + 1}`),
            move === '0000' ? t('pass') : move,
          ),
        ),
      ),
    );
  }
  [...list.children].forEach((item, i) => {
    const here = i + 1 === state.at;
    if (here) item.firstChild.setAttribute('aria-current', 'true');
    else item.firstChild.removeAttribute('aria-current');
    if (here) list.scrollTop = Math.max(0, item.offsetTop - list.offsetTop - list.clientHeight / 2);
  });
}

// ---- the engine's thoughts

const short = (n) =>
  n >= 1e9
    ? `${(n / 1e9).toFixed(1)} G`
    : n >= 1e6
      ? `${(n / 1e6).toFixed(1)} M`
      : n >= 1e4
        ? `${Math.round(n / 1e3)} k`
        : `${n}`;

function showThinking() {
  if (!state || !spec) return;
  const info = thinking && thinking.at === state.at ? thinking.info : null;
  if (info) {
    if (info.score) state.scores[state.at] = info.score;
    $('n-depth').textContent = info.seldepth ? `${info.depth} / ${info.seldepth}` : `${info.depth}`;
    $('n-nodes').textContent = short(info.nodes);
    $('n-nps').textContent = short(info.nps);
    $('n-score').textContent = signScore(info.score);
    let first = state.first[state.at];
    $('pv').replaceChildren(
      ...info.pv.slice(0, 16).map((move) => {
        const item = h('li', { class: first ? 'x' : 'o' }, move === '0000' ? t('pass') : move);
        first = !first;
        return item;
      }),
    );
    if (info.score) drawGraph($('graph'), spec, state, (at) => wish('go_to', { at }));
  }
  // A position that was never thought about is judged as the last one that was.
  let at = state.at;
  while (at > 0 && !state.scores[at]) at -= 1;
  const score = state.result
    ? { p1win: { mate: 1 }, p2win: { mate: -1 }, draw: { cp: 0 } }[state.result]
    : state.scores[at];
  const text = state.result
    ? { short: { p1win: '1–0', p2win: '0–1', draw: '½' }[state.result], long: resultText(state) }
    : { short: signScore(score), long: tellScore(spec, score) };
  if (!info) $('n-score').textContent = signScore(score);
  $('n-score').title = text.long;
  $('bar').dataset.better = share(spec, score) >= 0 ? 'first' : 'second';
  drawBar($('bar'), spec, score, text);
  if (board && !drawing && isShown()) board.line(info && $('show-pv').checked ? info.pv : [], state.first[state.at]);
}

// ---- what people do

/** Where taking back leads: to the last position in which a person was to move, if there is one. */
function backTo() {
  const human = (at) => state.settings.players[state.first[at] ? 0 : 1].kind === 'human';
  for (let at = state.at - 1; at >= 0; at -= 1) if (human(at)) return at;
  return Math.max(0, state.at - 1);
}

function forwardTo() {
  const last = state.boards.length - 1;
  const human = (at) => state.settings.players[state.first[at] ? 0 : 1].kind === 'human';
  for (let at = state.at + 1; at <= last; at += 1) if (human(at)) return at;
  return Math.min(last, state.at + 1);
}

const actions = {
  new: () =>
    newGame(
      menu,
      spec,
      state.game,
      state.settings.players.find((player) => player.kind === 'engine')?.level ?? 6,
      (game, players) => wish('new', { game, players }),
    ),
  back: async () => {
    const at = backTo();
    if (await wish('go_to', { at })) announce(t('taken_back', at));
  },
  forward: () => wish('go_to', { at: forwardTo() }),
  pass: () => play('0000'),
  hint: async () => {
    await wish('hint');
  },
  stop: () => wish('move_now'),
  pause: () => wish(state.paused || state.engine !== 'ready' ? 'resume' : 'pause'),
  swap: () => wish('swap'),
  copy: () =>
    copyDialog(state.boards[state.at], `${state.game}|${state.start}|${state.moves.slice(0, state.at).join(' ')}`, () =>
      announce(t('copied')),
    ),
  paste: () => pasteDialog((text) => wish('paste', { text })),
  help: () =>
    helpDialog(keysOn, (on) => {
      keysOn = on;
      memory.set('keys', on ? 'on' : 'off');
    }),
  language: () => {
    speak(language() === 'fr' ? 'en' : 'fr');
    words();
  },
  theme: () => {
    const dark =
      document.documentElement.dataset.theme ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');
    setTheme(dark === 'dark' ? 'light' : 'dark');
  },
};
const keys = {
  n: 'new',
  ArrowLeft: 'back',
  ArrowRight: 'forward',
  h: 'hint',
  s: 'stop',
  p: 'pause',
  x: 'swap',
  c: 'copy',
  v: 'paste',
  '?': 'help',
};

function setTheme(name) {
  document.documentElement.dataset.theme = name;
  memory.set('theme', name);
}

function words() {
  document.documentElement.lang = language();
  translate(document.body);
  $('language').textContent = language() === 'fr' ? 'EN' : 'FR';
  $('theme').replaceChildren(
    s(
      'svg',
      { viewBox: '0 0 20 20', width: 18, height: 18, 'aria-hidden': 'true' },
      s('circle', { cx: 10, cy: 10, r: 7.5, fill: 'none', stroke: 'currentColor', 'stroke-width': 2 }),
      s('path', { d: 'M10 3a7 7 0 0 1 0 14z', fill: 'currentColor' }),
    ),
  );
  if (!state) return;
  showControls();
  showBoard();
}

for (const [id, act] of Object.entries(actions)) $(id).addEventListener('click', () => state && act());
$('movetime').addEventListener('change', (event) => settings({ movetime: Number(event.target.value) }));
$('pace').addEventListener('change', (event) => settings({ pace: Number(event.target.value) }));
$('analysis').addEventListener('change', (event) => settings({ analysis: event.target.checked }));
$('show-pv').addEventListener('change', showThinking);
narrow.addEventListener('change', () => state && draw());

document.addEventListener('keydown', (event) => {
  const typing = event.target.closest?.('input, select, textarea, dialog');
  if (!keysOn || !state || typing || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
  const button = keys[event.key] && $(keys[event.key]);
  if (!button || button.disabled) return;
  event.preventDefault();
  actions[keys[event.key]]();
});

const theme = memory.get('theme');
if (theme === 'dark' || theme === 'light') document.documentElement.dataset.theme = theme;
words();
connect();

// A page that is kept for "back" looks at nothing; one that comes back looks again.
addEventListener('pagehide', disconnect);
addEventListener('pageshow', (event) => event.persisted && connect());
addEventListener('online', () => connect());
document.addEventListener('visibilitychange', () => !document.hidden && checkNews());
setInterval(checkNews, 5000);
