// The page: it shows what the server says, and sends what people do. The game itself is kept by the server.

import { ClockFaces } from './clock.js';
import { copyDialog, helpDialog, newGame, pasteDialog, several } from './dialogs.js';
import { editDialog } from './editor.js';
import { gameText, recognise } from './formats.js';
import { side, signScore, tellResult, tellScore, tinyScore, title } from './games.js';
import { drawBar, drawGraph } from './graph.js';
import { Library, libraryDialog, namesOf } from './library.js';
import { Moves, beside, isMain } from './moves.js';
import { Puzzles } from './puzzles.js';
import { Retry } from './retry.js';
import { Review, marks, values } from './review.js';
import { News, ask, readMenu } from './server.js';
import { shareDialog } from './share.js';
import { Sounds } from './sound.js';
import { Stage, pictureOf, specOf } from './stage.js';
import { h, s } from './svg.js';
import { Thoughts, moveName } from './thoughts.js';
import { language, memory, problem, speak, t, translate, word } from './words.js';

const $ = (id) => document.getElementById(id);
const narrow = matchMedia('(max-width: 640px)');

/** What the server said last. */
let state = null;
let thinking = null;
let menu = [];
let online = true;
let keysOn = memory.get('keys') !== 'off';
/** How many lines are listed; a value on every point needs more of them from the engine. */
let most = Number(memory.get('lines') ?? 3);
let valued = memory.get('values') === 'on';

const stage = new Stage($('board'), narrow, {
  choose: (move) => play(move),
  refuse: (why) => refuse(why),
  aimed: (move) => tell(t('aimed', nameHere(move))),
  several,
  stepped: (said) => {
    announce(said);
    sounds.move();
    showStory();
  },
  settled: () => settle(),
  built: () => layOut(),
});
const thoughts = new Thoughts(() => drawLine());
const moves = new Moves($('moves'), (node, ply) => visit(node, ply));
const clocks = new ClockFaces();
const sounds = new Sounds();
const library = new Library();
const retry = new Retry($('retry'), {
  ask: (nodes, limit) => wish('review', { nodes, limit }),
  back: (node) => wish('visit', { node }),
  end: () => {
    showControls();
    showStory();
    showThinking();
  },
});
const puzzles = new Puzzles($('puzzle'), {
  set: async ({ game, board }) => {
    keepNow();
    retry.end();
    if (state.settings.analysis) settings({ analysis: false });
    return (await setUp({ text: `${game}|${board}|` })) ? state.round : null;
  },
  back: (node) => wish('visit', { node }),
  nameHere: (move) => nameHere(move),
  show: (node, pv) => {
    wanted = { node, pv };
    if (node !== state.nodes[state.at]) wish('visit', { node });
  },
  changed: () => {
    showControls();
    if (stage.settled) settle();
  },
});
/** Whether somebody looks for a move by himself: what the engine thinks of it is hidden. */
const isHidden = () => retry.active || puzzles.active;
const review = new Review($('review'), {
  start: (limit) => {
    retry.end();
    wish('review', { limit });
  },
  stop: () => wish('stop_review'),
  visit: (node, ply) => visit(node, ply),
  line: async ({ from, ply, before }) => {
    wanted = { node: from, pv: before.pv };
    if (from !== state.nodes[state.at]) await visit(from, ply - 1);
    else drawLine();
  },
  retry: async ({ from, node, name, before }) => {
    wanted = null;
    thoughts.forget();
    retry.begin({ node: from, played: node, name, best: before, limit: state.review.limit });
    showControls();
    if (from === state.nodes[state.at]) settle();
    else await wish('visit', { node: from });
  },
});
/** A line of the review that is shown on the board as soon as it is there. */
let wanted = null;

// ---- talking to the server

async function wish(what, more) {
  const refusal = await ask(what, more);
  if (refusal) complain(refusal.error, refusal.detail ?? '');
  return !refusal;
}

const news = new News({
  state: receive,
  thinking: (told) => {
    thinking = told;
    showThinking();
  },
  notice: ({ notice, detail }) => complain(notice, detail),
  open: async () => {
    online = true;
    showStatus();
    if (!menu.length) menu = await readMenu();
  },
  lost: (code, detail) => {
    online = false;
    $('status').textContent = code === 'unreachable' ? t('lost') : problem(code, detail);
  },
});

/** Something that went wrong, or that is worth a moment's notice. */
function toast(text) {
  const one = h(
    'div',
    { class: 'toast' },
    h('span', {}, text),
    h('button', { class: 'quiet', 'aria-label': t('close'), onclick: () => one.remove() }, '×'),
  );
  $('toasts').append(one);
  while ($('toasts').children.length > 3) $('toasts').firstChild.remove();
  setTimeout(() => one.remove(), 9000);
}
const complain = (code, detail) => toast(problem(code, detail));

function announce(text) {
  if (!text) return;
  $('live').append(h('p', {}, text));
  while ($('live').children.length > 4) $('live').firstChild.remove();
}

/** A word beside the board about what was just clicked, until the position changes. */
function tell(text) {
  $('why').textContent = text;
  announce(text);
}

function refuse(why) {
  if (!state) return;
  if (state.result) tell(t('why_over'));
  else if (!mayPlay()) tell(t('why_wait', side(stage.spec, turn())));
  else tell(why ?? t('why_illegal'));
}

// ---- what is shown

let position = '';

function receive(next) {
  if (!next) return;
  const hinted = next.hint && next.hint !== state?.hint;
  online = true;
  state = next;
  const now = `${state.round}|${state.nodes[state.at]}`;
  if (now !== position) {
    position = now;
    thoughts.forget();
    if (wanted?.node !== state.nodes[state.at]) wanted = null;
    $('why').textContent = '';
  }
  if (hinted) announce(t('hint_is', nameHere(next.hint)));
  if (!state.review) retry.end();
  stage.receive(state);
  showControls();
}

/** The board shows what the server said. */
function settle() {
  const { board } = stage;
  const { at } = state;
  const won = state.result === 'p1win' || state.result === 'p2win';
  board.signs({ before: state.pictures[at - 1], hint: state.hint, won });
  board.offer(mayPlay());
  $('board').dataset.at = at;
  $('board').dataset.turn = turn();
  $('board').dataset.node = state.nodes[at];
  showStory();
  showThinking();
  if (state.result) ended();
}

let last = '';

/** The game on the board is over: it is told, and kept. */
function ended() {
  const key = `${state.round}|${state.nodes[state.at]}`;
  if (key === last) return;
  const known = last !== '';
  last = key;
  announce(resultText());
  sounds.end();
  if (known || state.at > 0) library.keep(state, title(stage.spec), names());
}

const names = () => state.settings.players.map((player) => (player.kind === 'human' ? t('human') : `griot ${player.level}`));

/** A low board leaves room below it. */
function layOut() {
  const { board } = stage;
  const low = board.width > 1.8 * board.height && !narrow.matches;
  $(low ? 'left' : 'right').append($('course'));
  $('course').dataset.wide = low;
}

/** A move of the position on the board, as people write it. */
const nameHere = (move) => moveName(move, pictureOf(state).moves.find((one) => one.move === move)?.name);

const turn = () => (state.first[state.at] ? 0 : 1);
const isHuman = () => state.settings.players[turn()].kind === 'human';
const mayPlay = () => !state.result && state.engine !== 'full' && (isHuman() || state.paused);

async function play(move) {
  if (!mayPlay() || !stage.settled) return;
  await wish('play', { move, at: state.at, hold: isHidden() });
}

const visit = (node, ply) => (state.nodes[ply] === node ? wish('go_to', { at: ply }) : wish('visit', { node }));

const resultText = () => tellResult(stage.spec, state, pictureOf(state));

/** What the story of the game is, as far as the board shows it. */
function showStory() {
  const { spec, shown } = stage;
  if (!state || !spec || !shown) return;
  showCounts();
  showStatus();
  showPlayers();
  if (!stage.settled) return;
  const { scores } = values(state);
  const hidden = retry.hidden;
  const signs = marks(spec, state, hidden);
  const plies = new Map(state.nodes.flatMap((node, ply) => (signs.has(node) ? [[ply, signs.get(node).size]] : [])));
  const seen = puzzles.active ? scores.map(() => null) : scores;
  drawGraph($('graph'), spec, seen, state.at, plies, (at) => wish('go_to', { at }));
  moves.show(state, state.nodes[state.at], signs);
  review.show(spec, state, hidden, language());
  retry.show(spec, state);
  puzzles.show(spec, state);
  const here = state.nodes[state.at];
  const node = moves.nodes.get(here);
  $('promote').disabled = !here || isMain(moves.nodes, here);
  $('delete').disabled = !here;
  if (document.activeElement !== $('comment')) $('comment').value = (here ? node?.comment : state.comment) ?? '';
}

function showStatus() {
  if (!state || !online) return;
  const status = $('status');
  const { spec, settled } = stage;
  // What moves on the board is told when it has arrived.
  if (spec && stage.drawing && !settled) {
    status.classList.remove('busy', 'over');
    return;
  }
  status.className = 'status';
  if (state.engine === 'full') status.textContent = t('no_seat');
  else if (state.engine === 'failed') status.textContent = t('failed');
  else if (!state.boards.length) status.textContent = '…';
  else if (state.result) {
    status.textContent = resultText();
    status.classList.add('over');
  } else if (state.engine === 'resting') status.textContent = t('resting', Math.max(1, Math.round(state.idle / 60)));
  else {
    const name = side(specOf(state), turn());
    const key = { play: 'thinks', hint: 'hinting', analysis: 'analysing', review: 'reviewing' }[state.doing];
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
  const known = state.boards.length > 0;
  $('game-name').textContent = known ? gameTitle(specOf(state)) : '…';
  const end = state.boards.length - 1;
  $('back').disabled = state.at <= 0;
  $('forward').disabled = state.at >= end;
  $('hint').disabled = !!state.result || state.doing === 'hint' || state.doing === 'play' || isHidden();
  $('stop').disabled = state.doing !== 'play' && state.doing !== 'hint';
  const engines = state.settings.players.some((player) => player.kind === 'engine');
  const resumes = (state.paused && engines) || state.engine !== 'ready';
  $('pause').textContent = t(resumes ? 'resume' : 'pause');
  $('pause').disabled = !!state.result || (!engines && state.engine === 'ready' && !state.clock);
  $('pause').classList.toggle('call', resumes && !$('pause').disabled && (state.engine !== 'ready' || !isHuman()));
  $('pass').hidden = !(state.legal.length === 1 && state.legal[0] === '0000' && mayPlay());
  $('rematch').hidden = !state.result;
  $('movetime').value = `${state.settings.movetime}`;
  if (document.activeElement !== $('pace')) $('pace').value = state.settings.pace;
  $('analysis').checked = state.settings.analysis;
  $('line-count').value = `${most}`;
  $('show-values').checked = valued;
  $('sounds').checked = sounds.on;
  $('about').textContent = state.name ? t('about', state.name) : '';
  $('board').dataset.doing = state.doing ?? '';
  clocks.show(state.clock);
  if (known && stage.settled) showPlayers();
  showStatus();
}

/** What the menu calls a game that the page has no word for. */
const gameTitle = (spec) => {
  const entry = menu.find(({ key }) => key === spec.family);
  return word(spec.family, '') ? title(spec) : (entry?.title ?? title(spec));
};

function showPlayers() {
  const at = stage.shown?.at ?? state.at;
  const mover = state.first[at] ? 0 : 1;
  document.querySelectorAll('.player').forEach((card) => {
    const which = Number(card.dataset.side);
    const player = state.settings.players[which];
    const name = side(specOf(state), which);
    card.classList.toggle('turn', !(state.result && at === state.at) && state.boards.length > 0 && mover === which);
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
    clocks.face(which),
    kind,
    h('label', { class: 'level' }, label, range),
  );
}

function showCounts() {
  const counts = stage.board?.counts();
  document.querySelectorAll('.player .points').forEach((output, which) => {
    output.textContent = counts ? `${counts[which]}` : '';
  });
}

function settings(change) {
  // A second change may come before the first one is confirmed.
  state.settings = { ...state.settings, ...change };
  wish('set', { settings: state.settings });
}

/** As many lines as are listed, or one for each point that is to have a value. */
const linesAsked = () => (valued ? 64 : most);

// ---- the engine's thoughts

/** The lines of the search about the position on the board. */
const linesNow = () => (thinking && thinking.at === state.at && !isHidden() ? thinking.lines : null);

function showThinking() {
  const { spec } = stage;
  if (!state || !spec || !stage.settled) return;
  const lines = linesNow();
  thoughts.show(spec, isHidden() ? { ...state, book: null } : state, lines, most);
  const at = state.at;
  const live = lines?.[0]?.score;
  const { scores } = values(state);
  const known = state.result ? scores[at] : (live ?? scores[at] ?? state.scores[at]);
  const score = isHidden() ? null : known;
  const text = state.result
    ? { short: { p1win: '1–0', p2win: '0–1', draw: '½' }[state.result], long: resultText() }
    : { long: tellScore(spec, score) };
  $('n-score').textContent = signScore(spec, score);
  $('n-score').title = text.long;
  drawBar($('bar'), spec, score, text);
  drawLine();
}

function drawLine() {
  const { board, spec } = stage;
  if (!board || !stage.settled || board.aim) return;
  const lines = linesNow();
  const first = state.first[state.at];
  const shown = wanted?.node === state.nodes[state.at] ? wanted.pv : thoughts.picked ? thoughts.line(lines) : null;
  board.line(shown ?? ($('show-pv').checked && !valued ? thoughts.line(lines) : []), first);
  const worth = valued && !shown ? (lines ?? []) : [];
  board.values(worth.map((line, i) => ({ move: line.pv[0], text: tinyScore(spec, line.score), best: i === 0 })));
}

// ---- what people do

const human = (at) => state.settings.players[state.first[at] ? 0 : 1].kind === 'human';

/** Where taking back leads: to the last position in which a person was to move, if there is one. */
function backTo() {
  for (let at = state.at - 1; at >= 0; at -= 1) if (human(at)) return at;
  return Math.max(0, state.at - 1);
}

function forwardTo() {
  const end = state.boards.length - 1;
  for (let at = state.at + 1; at <= end; at += 1) if (human(at)) return at;
  return Math.min(end, state.at + 1);
}

const turnTo = (step) => {
  const node = beside(moves.nodes, state.nodes[state.at], step);
  if (node) wish('visit', { node });
};

/** Sets up a text that the server reads, and waits until that is what the page knows. */
async function setUp(asked) {
  const before = state.round;
  if (!(await wish('paste', asked))) return false;
  for (let tries = 0; state.round === before && tries < 50; tries += 1) await new Promise((done) => setTimeout(done, 20));
  return true;
}

/** Sets up what a text says, whatever it says, and tells what it was taken for. */
async function take(text, name) {
  const found = recognise(text, state.game, menu);
  if (!found.length) {
    complain('bad_paste', t('paste_text'));
    return false;
  }
  const [one] = found;
  if (found.length > 1) for (const other of found) library.add(other);
  if (!(await setUp({ text: one.text, games: one.games }))) return false;
  for (const [ply, text] of Object.entries(one.comments ?? {})) {
    const node = state.nodes[ply];
    if (node !== undefined) await wish('comment', { node, text });
  }
  const kept = found.length > 1 ? ` ${t('kept_all', found.length)}` : '';
  toast(t('taken_for', title(specOf(state)), name ?? word(`form_${one.form}`, one.form), state.moves.length) + kept);
  return true;
}

const current = () => ({
  game: state.game,
  start: state.start,
  moves: state.moves,
  names: namesOf(state),
  result: state.results.at(-1),
  players: names(),
  boards: state.boards,
  comments: Object.fromEntries(
    state.nodes.map((node, ply) => [ply, ply ? moves.nodes.get(node)?.comment : state.comment]).filter(([, text]) => text),
  ),
});

const actions = {
  new: () =>
    newGame(
      menu,
      stage.spec,
      state.game,
      state.settings.players.find((player) => player.kind === 'engine')?.level ?? 6,
      (game, players, clock) => wish('new', { game, players, clock }),
    ),
  back: async () => {
    const at = backTo();
    if (await wish('go_to', { at })) announce(t('taken_back', at));
  },
  forward: () => wish('go_to', { at: forwardTo() }),
  earlier: async () => {
    const at = state.at - 1;
    if (await wish('go_to', { at })) announce(t('taken_back', at));
  },
  later: () => wish('go_to', { at: state.at + 1 }),
  above: () => turnTo(-1),
  below: () => turnTo(1),
  pass: () => play('0000'),
  hint: () => wish('hint'),
  stop: () => wish('move_now'),
  pause: () => wish(state.paused || state.engine !== 'ready' ? 'resume' : 'pause'),
  swap: () => wish('swap'),
  rematch: () => {
    const { base, increment } = state.clock ?? {};
    const clock = state.clock ? { base, increment } : undefined;
    wish('new', { game: state.game, players: [...state.settings.players].reverse(), clock });
  },
  promote: () => wish('promote', { node: state.nodes[state.at] }),
  delete: () => wish('delete', { node: state.nodes[state.at] }),
  copy: () => copyDialog(current(), state.boards[state.at], () => announce(t('copied'))),
  paste: () => pasteDialog(take),
  edit: () => editDialog(stage.spec, state.boards[state.at], (board) => wish('paste', { text: `${state.game}|${board}|` })),
  library: () => libraryDialog(library, { open: (one) => take(gameText(one), t('library')), keep: () => keepNow() }),
  share: () => shareDialog(stage.board.svg, title(stage.spec)),
  puzzles: () => puzzles.choose(),
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
  ArrowLeft: 'earlier',
  ArrowRight: 'later',
  ArrowUp: 'above',
  ArrowDown: 'below',
  h: 'hint',
  s: 'stop',
  p: 'pause',
  x: 'swap',
  c: 'copy',
  v: 'paste',
  u: 'puzzles',
  '?': 'help',
};
/** What a key may do without a button for it. */
const may = {
  earlier: () => state.at > 0,
  later: () => state.at + 1 < state.boards.length,
  above: () => true,
  below: () => true,
};

function keepNow() {
  if (state.moves.length) library.keep(state, title(stage.spec), names());
}

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
  stage.name();
  thoughts.forget();
  showControls();
  if (stage.settled) settle();
}

for (const [id, act] of Object.entries(actions)) $(id)?.addEventListener('click', () => state && act());
$('movetime').addEventListener('change', (event) => settings({ movetime: Number(event.target.value) }));
$('pace').addEventListener('change', (event) => settings({ pace: Number(event.target.value) }));
$('analysis').addEventListener('change', (event) => settings({ analysis: event.target.checked, lines: linesAsked() }));
$('line-count').addEventListener('change', (event) => {
  most = Number(event.target.value);
  memory.set('lines', most);
  settings({ lines: linesAsked() });
});
$('show-values').addEventListener('change', (event) => {
  valued = event.target.checked;
  memory.set('values', valued ? 'on' : 'off');
  settings({ lines: linesAsked() });
  drawLine();
});
$('show-pv').addEventListener('change', drawLine);
$('sounds').addEventListener('change', (event) => sounds.turn(event.target.checked));
$('comment').addEventListener('change', (event) =>
  wish('comment', { node: state.nodes[state.at], text: event.target.value }),
);

document.addEventListener('keydown', (event) => {
  const typing = event.target.closest?.('input:not([type=checkbox]), select, textarea, dialog');
  if (!keysOn || !state || typing || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
  const name = keys[event.key];
  const button = name && $(name);
  if (!name || (button ? button.disabled : !may[name]())) return;
  event.preventDefault();
  actions[name]();
});

// A file that is dropped is read as one that is pasted.
document.addEventListener('dragover', (event) => {
  if ([...event.dataTransfer.types].some((type) => type === 'Files' || type === 'text/plain')) event.preventDefault();
});
document.addEventListener('drop', async (event) => {
  const [file] = event.dataTransfer.files;
  const text = file ? await file.text() : event.dataTransfer.getData('text/plain');
  event.preventDefault();
  if (state && text) take(text);
});

// A link may hold a whole game. What is on the board is kept first.
async function readLink() {
  const text = location.hash.startsWith('#game=') && decodeURIComponent(location.hash.slice('#game='.length));
  if (!text) return;
  history.replaceState(null, '', location.pathname);
  for (let tries = 0; !state?.boards.length && tries < 100; tries += 1) await new Promise((done) => setTimeout(done, 100));
  if (!state) return;
  keepNow();
  take(text, t('link'));
}

const theme = memory.get('theme');
if (theme === 'dark' || theme === 'light') document.documentElement.dataset.theme = theme;
words();
news.open();
readLink();
addEventListener('hashchange', readLink);
