// The page: it shows what the server says, and sends what people do. The game itself is kept by the server.
//
//   server.js (news) --events--> state.js (store) --state--> views: this file, stage.js, moves.js, thoughts.js, players.js, …
//   buttons, keys, board --> commands.js --> server.js (commands)

import { Commands } from './commands.js';
import { several } from './dialogs.js';
import { checked } from './ends.js';
import { Explorer } from './explorer.js';
import { read, side, signScore, tellResult, tellScore, tinyScore, title } from './games.js';
import { drawBar, drawGraph } from './graph.js';
import { Library } from './library.js';
import { Moves, isMain, openingText } from './moves.js';
import { keepPage } from './offline.js';
import { Players } from './players.js';
import { Puzzles } from './puzzles.js';
import { Retry } from './retry.js';
import { Review, marks, values } from './review.js';
import { News } from './server.js';
import { drawSigns, sign } from './signs.js';
import { Sounds } from './sound.js';
import { Stage, pictureOf, specOf } from './stage.js';
import {
  begin,
  createStore,
  drawnLine,
  isContest,
  isHuman,
  isSecret,
  isThreat,
  isTurned,
  linesAsked,
  linesOf,
  mayPlay,
  nodeOf,
  openingOf,
  reduce,
  settingsOf,
  turnOf,
} from './state.js';
import { h } from './svg.js';
import { Thoughts, moveName } from './thoughts.js';
import { isViewed } from './viewing.js';
import { language, memory, problem, speak, t, translate } from './words.js';

/** @type {(id: string) => any} */
const $ = (id) => document.getElementById(id);
const narrow = matchMedia('(max-width: 640px)');

const store = createStore(
  begin({
    lines: Number(memory.get('lines') ?? 3),
    values: memory.get('values') === 'on',
    pv: memory.get('pv') !== 'off',
    keys: memory.get('keys') !== 'off',
    reveal: memory.get('reveal') === 'on',
  }),
  reduce,
);
/** What the server said last; only what is called after the first news of it may ask. */
const server = () => /** @type {ServerState} */ (store.get().server);

const sounds = new Sounds();
const players = new Players($('far'), $('near'), document.querySelectorAll('.seat'), (change) => commands.settings(change));
const moves = new Moves($('moves'), (node, ply) => commands.visit(node, ply));
const thoughts = new Thoughts({
  pick: (picked) => store.dispatch({ type: 'pick', picked }),
  keep: (line, count) => commands.keepLine(line.slice(0, count)),
});
/** @type {Stage} */
const stage = new Stage($('board'), narrow, {
  choose: (move) => commands.play(move),
  refuse: (why) => refuse(why),
  early: () => isEarly(),
  aimed: (move) => tell(t('aimed', nameHere(move))),
  several,
  turned: () => isTurned(store.get()),
  stepped: (said) => {
    announce(said);
    sounds.move();
    show();
  },
  settled: () => settle(),
});
const retry = new Retry($('retry'), {
  ask: (nodes, limit) => commands.run('review', { nodes, limit }),
  back: (node) => commands.run('visit', { node }),
  end: () => taskChanged(),
});
const puzzles = new Puzzles($('puzzle'), {
  set: async ({ game, board }) => {
    retry.end();
    if (settingsOf(store.get()).analysis) commands.settings({ analysis: false });
    return (await commands.setUpText(`${game}|${board}|`)) ? server().round : null;
  },
  menu: () => commands.menu(),
  back: (node) => commands.run('visit', { node }),
  reply: (move) => commands.reply(move),
  nameHere: (move) => nameHere(move),
  show: (node, pv) => {
    store.dispatch({ type: 'want', wanted: { node, pv } });
    if (node !== nodeOf(server())) commands.run('visit', { node });
  },
  changed: () => taskChanged(),
});
const review = new Review($('review'), {
  start: (limit) => {
    retry.end();
    commands.run('review', { limit });
  },
  stop: () => commands.run('stop_review'),
  visit: (node, ply) => commands.visit(node, ply),
  line: async ({ from, ply, before }) => {
    store.dispatch({ type: 'want', wanted: { node: from, pv: before.pv } });
    if (from !== nodeOf(server())) await commands.visit(from, ply - 1);
  },
  retry: async ({ from, node, name, before }) => {
    store.dispatch({ type: 'want', wanted: null });
    store.dispatch({ type: 'pick', picked: null });
    retry.begin({ node: from, played: node, name, best: before, limit: server().review?.limit });
    taskChanged();
    if (from !== nodeOf(server())) await commands.run('visit', { node: from });
  },
});
const library = new Library();
const explorer = new Explorer($('explorer'), library, {
  nameHere: (move) => nameHere(move),
  play: (move) => commands.play(move),
  opened: (open) => {
    const state = store.get();
    if (state.server && settingsOf(state).explore !== open) commands.settings({ explore: open });
    showExplorer();
  },
});
/** @type {Commands} */
const commands = new Commands(store, {
  stage,
  library,
  moves,
  puzzles,
  sounds,
  toast,
  complain,
  announce,
  resultText: () => resultText(),
  say: (/** @type {import('./words.js').Language} */ name) => {
    speak(name);
    words();
  },
});

/** A puzzle, or another try at a mistake, has begun or ended. */
function taskChanged() {
  store.dispatch({ type: 'hide', hidden: retry.active || puzzles.active });
}

// ---- news

const news = new News({
  state: (told) => told && store.dispatch({ type: 'told', server: told }),
  thinking: (/** @type {Thinking | null} */ thinking) => store.dispatch({ type: 'thought', thinking }),
  notice: ({ notice, detail }) => complain(notice, detail),
  now: (time) => players.clocks.set(time),
  open: async () => {
    store.dispatch({ type: 'linked' });
    await commands.menu();
  },
  lost: (code, detail) => store.dispatch({ type: 'lost', code, detail }),
});

store.subscribe((state, event, before) => {
  switch (event.type) {
    case 'viewed':
    case 'told': {
      const { server: next } = event;
      if (nodeOf(before.server) !== nodeOf(next) || before.server?.round !== next.round) {
        $('why').textContent = '';
        thoughts.forget();
      }
      if (next.hint && next.hint !== before.server?.hint) announce(t('hint_is', nameHere(next.hint)));
      if (!next.review) retry.end();
      players.clock(next.clock);
      stage.receive(next);
      showControls();
      return;
    }
    case 'thought':
      showThinking();
      return;
    case 'shown':
      return;
    case 'pick':
    case 'want':
      showThinking();
      return;
    case 'prefer':
      if ('flip' in event.prefs && state.server) stage.draw();
      showControls();
      show();
      return;
    case 'hide':
      showControls();
      if (stage.settled) settle();
      return;
    default:
      showControls();
  }
});

/** Something that went wrong, or that is worth a moment's notice; with something that may be done about it. */
function toast(/** @type {string} */ text, /** @type {{ label: string, act: () => void } | null} */ does = null) {
  const act = () => {
    one.remove();
    does?.act();
  };
  /** @type {HTMLDivElement} */
  const one = h(
    'div',
    { class: 'toast' },
    h('span', {}, text),
    does && h('button', { class: 'does', onclick: act }, does.label),
    h('button', { class: 'quiet', 'aria-label': t('close'), onclick: () => one.remove() }, '×'),
  );
  $('toasts').append(one);
  while ($('toasts').children.length > 3) $('toasts').firstChild.remove();
  setTimeout(() => one.remove(), 9000);
}

function complain(/** @type {string} */ code, /** @type {string} */ detail = '') {
  toast(problem(code, detail));
}

function announce(/** @type {string} */ text) {
  if (!text) return;
  $('live').append(h('p', {}, text));
  while ($('live').children.length > 4) $('live').firstChild.remove();
}

/** A word about what was just clicked, until the position changes. */
function tell(/** @type {string} */ text) {
  $('why').textContent = text;
  announce(text);
}

/** Whether a click on the board is for a position that is still to come: then it waits for it. @returns {boolean} */
function isEarly() {
  const state = store.get();
  if (!state.server || state.server.result) return false;
  const { players: both } = settingsOf(state);
  return commands.playing || !stage.settled || (!mayPlay(state) && both.some(({ kind }) => kind === 'human') && state.server.engine === 'ready');
}

function refuse(/** @type {string | null} */ why) {
  const state = store.get();
  if (!state.server) return;
  if (state.server.result) tell(t('why_over'));
  else if (!mayPlay(state)) tell(t('why_wait', side(stage.spec, turnOf(state.server))));
  else tell(why ?? t('why_illegal'));
}

// ---- views

/** A move of the position on the board, as people write it. */
const nameHere = (/** @type {string} */ move) => moveName(move, pictureOf(server()).moves.find((one) => one.move === move)?.name);
const resultText = () => tellResult(stage.spec, server(), pictureOf(server()));

/** The board shows what the server said. */
function settle() {
  const { board } = stage;
  const state = store.get();
  const { at, nodes, pictures, hint, result } = server();
  const won = result === 'p1win' || result === 'p2win';
  board.signs({ before: pictures[at - 1], hint, won, check: checked(stage.spec, pictureOf(server())) });
  board.offer(mayPlay(state) && !commands.playing);
  Object.assign($('board').dataset, { at, turn: turnOf(server()), node: nodes[at] });
  store.dispatch({ type: 'shown', shown: { node: nodes[at], settled: true } });
  show();
  showThinking();
  if (result) ended();
  stage.runQueue();
}

let last = '';

/** The game on the board is over: it is told, and kept. */
function ended() {
  const key = `${server().round}|${nodeOf(server())}`;
  if (key === last) return;
  const known = last !== '';
  last = key;
  announce(resultText());
  sounds.end();
  if (known || server().at > 0) commands.keepNow();
}

/** What is beside the board, as far as the board shows it. */
function show() {
  const state = store.get();
  const { spec, shown } = stage;
  if (!state.server || !spec || !shown) return;
  showStatus();
  players.show(state, spec, shown.at, stage.board?.counts());
  if (!stage.settled) return;
  showExplorer();
  const { scores } = values(state.server);
  const signs = marks(spec, state.server, retry.hidden);
  /** @type {Map<number, string>} */
  const plies = new Map();
  for (const [ply, node] of state.server.nodes.entries()) {
    const sign = signs.get(node);
    if (sign) plies.set(ply, sign.size);
  }
  const seen = puzzles.active || isSecret(state) ? scores.map(() => null) : scores;
  drawGraph($('graph'), spec, seen, state.server.at, plies, (at) => commands.goTo(at));
  const here = nodeOf(state.server) ?? 0;
  moves.show(state.server, here, signs);
  const opening = openingOf(state.server);
  $('opening').hidden = !opening;
  $('opening').textContent = opening ? openingText(opening) : '';
  review.show(spec, state.server, retry.hidden, language());
  retry.show(spec, state.server);
  puzzles.show(spec, state.server);
  const node = moves.nodes.get(here);
  $('promote').disabled = !here || isMain(moves.nodes, here);
  $('delete').disabled = $('glyph').disabled = !here;
  $('glyph').value = `${node?.nags?.find((nag) => nag <= 6) ?? ''}`;
  if (document.activeElement !== $('comment')) $('comment').value = (here ? node?.comment : state.server.comment) ?? '';
}

function showExplorer() {
  const state = store.get();
  if (!state.server || !stage.spec || !stage.settled) return;
  explorer.show(stage.spec, state.server, isThreat(state) ? null : linesOf(state), state.hidden || isContest(state));
}

/** The line of words about how the game stands. */
function statusWords(/** @type {import('./state.js').PageState} */ state) {
  const told = server();
  if (!told.boards.length) return told.engine === 'failed' ? t('failed') : '…';
  if (told.result) return resultText();
  if (told.engine === 'full') return t('no_seat');
  if (told.engine === 'failed') return t('failed');
  if (told.engine === 'resting') return t('resting', Math.max(1, Math.round(told.idle / 60)));
  const name = side(specOf(told), turnOf(told));
  const check = checked(stage.spec, pictureOf(told)) ? `${t('check')} ` : '';
  if (told.doing === 'play') return check + t('thinks', name);
  if (told.doing === 'hint') return t('hinting');
  if (isHuman(state)) return check + t('your_move', name);
  const key = told.doing === 'analysis' || told.doing === 'threat' ? 'analysing' : told.doing === 'review' ? 'reviewing' : told.paused ? 'paused' : 'to_move';
  return check + t(key, name);
}

function showStatus() {
  const state = store.get();
  const status = $('status');
  if (!state.link.online) {
    const away = isViewed(state.server) ? 'viewing' : state.server ? 'lost' : 'offline';
    status.textContent = state.link.code === 'unreachable' ? t(away) : problem(state.link.code, state.link.detail);
    return;
  }
  if (!state.server) return;
  // What moves on the board is told when it has arrived.
  if (stage.spec && stage.drawing && !stage.settled) {
    status.classList.remove('busy', 'over');
    return;
  }
  status.classList.toggle('over', !!state.server.result && !!state.server.boards.length);
  status.classList.toggle('busy', !!state.server.doing && !state.server.result);
  const text = statusWords(state);
  if (status.textContent !== text) status.textContent = text;
}

/** The buttons that go through the game and those of a game that is played. */
function showButtons(/** @type {import('./state.js').PageState} */ state, /** @type {ServerState} */ told) {
  const both = settingsOf(state).players;
  const engines = both.some(({ kind }) => kind === 'engine');
  const contest = isContest(state) || (!told.result && both.every(({ kind }) => kind === 'human') && told.moves.length > 0 && !told.about.is_read);
  $('first').disabled = $('earlier').disabled = $('back').disabled = told.at <= 0;
  $('last').disabled = $('later').disabled = told.at >= told.boards.length - 1;
  $('hint').disabled = !!told.result || told.doing === 'hint' || told.doing === 'play' || state.hidden;
  $('stop').disabled = told.doing !== 'play' && told.doing !== 'hint';
  $('pass').hidden = !(told.legal.length === 1 && told.legal[0] === '0000' && mayPlay(state));
  $('rematch').hidden = !told.result;
  $('resign').disabled = $('offer').disabled = !contest || state.hidden;
  const resumes = (told.paused && engines) || told.engine !== 'ready';
  const pause = $('pause');
  pause.querySelector('span').textContent = t(resumes ? 'resume' : 'pause');
  pause.querySelector('.sign')?.replaceWith(sign(resumes ? 'resume' : 'pause'));
  pause.hidden = !engines && told.engine === 'ready' && !told.clock;
  pause.disabled = !!told.result || pause.hidden;
  pause.classList.toggle('call', resumes && !pause.disabled && (told.engine !== 'ready' || !isHuman(state)));
}

/** The switches and fields of the settings, and those above the engine's lines. */
function showSettings(/** @type {import('./state.js').PageState} */ state, /** @type {ServerState} */ told) {
  const { prefs } = state;
  const settings = settingsOf(state);
  $('movetime').value = `${settings.movetime}`;
  if (document.activeElement !== $('pace')) $('pace').value = settings.pace;
  $('analysis').checked = settings.analysis;
  $('analysis-depth').value = `${settings.depth}`;
  $('threat').setAttribute('aria-pressed', `${settings.threat}`);
  $('threat').disabled = !!told.result || !settings.analysis || state.hidden;
  $('line-count').value = `${prefs.lines}`;
  $('show-values').checked = prefs.values;
  $('show-pv').checked = prefs.pv;
  $('reveal').checked = prefs.reveal;
  $('sounds').checked = sounds.on;
  $('about').textContent = told.name ? t('about', told.name) : '';
}

function showControls() {
  const state = store.get();
  const { server: told } = state;
  if (told) {
    const known = told.boards.length > 0;
    $('game-name').textContent = known ? title(read(told.game, pictureOf(told))) : '…';
    showButtons(state, told);
    showSettings(state, told);
    $('board').dataset.doing = told.doing ?? '';
    if (known && stage.spec) players.show(state, stage.spec, stage.shown?.at ?? told.at, stage.board?.counts());
  }
  showStatus();
}

function showThinking() {
  const state = store.get();
  const { spec } = stage;
  if (!state.server || !spec || !stage.settled) return;
  const told = state.server;
  const lines = linesOf(state);
  const secret = isSecret(state);
  thoughts.show(spec, secret ? { ...told, book: null } : told, lines, state.prefs.lines, state.picked, isThreat(state));
  const { scores } = values(told);
  const known = told.result ? scores[told.at] : ((isThreat(state) ? null : lines?.[0]?.score) ?? scores[told.at] ?? told.scores[told.at]);
  const score = secret && !told.result ? null : known;
  const text = told.result
    ? { short: { p1win: '1–0', p2win: '0–1', draw: '½' }[told.result], long: resultText() }
    : { long: tellScore(spec, score) };
  $('n-score').textContent = told.result ? (text.short ?? '') : signScore(spec, score);
  $('n-score').title = text.long;
  $('n-score').dataset.better = !score ? '' : (score.mate ?? score.cp) >= 0 ? 'first' : 'second';
  drawBar($('bar'), spec, score, text, isTurned(state));
  showExplorer();
  drawLine();
}

function drawLine() {
  const state = store.get();
  const { board, spec } = stage;
  // What a hand shows on the board stays.
  if (!board || !stage.settled || board.aim || board.places?.dragging) return;
  board.line(drawnLine(state), server().first[server().at] !== isThreat(state));
  const worth = state.prefs.values && !state.picked && !state.wanted ? (linesOf(state) ?? []) : [];
  board.values(worth.map((line, i) => ({ move: line.pv[0], text: tinyScore(spec, line.score), best: i === 0 })));
}

// ---- what people do

/** A preference of this browser. */
function prefer(/** @type {'lines' | 'values' | 'pv' | 'reveal'} */ name, /** @type {any} */ value) {
  memory.set(name, typeof value === 'boolean' ? (value ? 'on' : 'off') : `${value}`);
  store.dispatch({ type: 'prefer', prefs: { [name]: value } });
  if (name === 'lines' || name === 'values') commands.settings({ lines: linesAsked(store.get().prefs) });
  showThinking();
}

/** What needs no server. */
const ALWAYS = ['library', 'help', 'language', 'theme'];
for (const [id, act] of Object.entries(commands.actions)) $(id)?.addEventListener('click', () => (store.get().server || ALWAYS.includes(id)) && act());
const on = (/** @type {string} */ id, /** @type {(target: any) => void} */ act) => $(id).addEventListener('change', (/** @type {Event} */ event) => act(event.target));
on('movetime', ({ value }) => commands.settings({ movetime: Number(value) }));
on('pace', ({ value }) => commands.settings({ pace: Number(value) }));
on('analysis', ({ checked: analysis }) => commands.settings({ analysis, lines: linesAsked(store.get().prefs) }));
on('analysis-depth', ({ value }) => commands.settings({ depth: Number(value) }));
on('glyph', ({ value }) => commands.run('glyph', { node: nodeOf(server()), glyph: value ? Number(value) : null }));
on('line-count', ({ value }) => prefer('lines', Number(value)));
on('show-values', ({ checked: values }) => prefer('values', values));
on('show-pv', ({ checked: pv }) => prefer('pv', pv));
on('reveal', ({ checked: reveal }) => prefer('reveal', reveal));
on('sounds', ({ checked: sound }) => sounds.turn(sound));
// A comment belongs to the move at which it was begun, whatever is played meanwhile.
$('comment').addEventListener('focus', () => ($('comment').dataset.node = nodeOf(store.get().server) ?? 0));
on('comment', ({ dataset, value }) => commands.run('comment', { node: Number(dataset.node), text: value }));
$('comment').addEventListener('blur', () => show());

$('typed').addEventListener('keydown', (/** @type {KeyboardEvent} */ event) => {
  if (event.key !== 'Enter' || !$('typed').value.trim()) return;
  commands.typed($('typed').value.trim());
  $('typed').value = '';
});

document.addEventListener('keydown', (event) => {
  const target = /** @type {HTMLElement} */ (event.target);
  const typing = target.closest?.('input:not([type=checkbox]), select, textarea, dialog');
  if (event.key === 'Escape') stage.clearQueue();
  if (!store.get().prefs.keys || !store.get().server || typing || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
  if (commands.key(event.key)) event.preventDefault();
});

// The wheel over the board goes through the game: a notch is a move. Touchpads send many small pieces of one.
const NOTCH = 80;
let wheeled = { by: 0, when: 0 };
$('board').addEventListener(
  'wheel',
  (/** @type {WheelEvent} */ event) => {
    if (event.ctrlKey || !event.deltaY) return;
    event.preventDefault();
    const pixels = event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? event.deltaY : event.deltaY * 40;
    const goesOn = event.timeStamp - wheeled.when < 300 && Math.sign(pixels) === Math.sign(wheeled.by);
    wheeled = { by: pixels + (goesOn ? wheeled.by : 0), when: event.timeStamp };
    if (Math.abs(wheeled.by) < NOTCH) return;
    wheeled.by = 0;
    commands.step(Math.sign(pixels));
  },
  { passive: false },
);

// A file that is dropped is read as one that is pasted.
document.addEventListener('dragover', (event) => {
  if ([...(event.dataTransfer?.types ?? [])].some((type) => type === 'Files' || type === 'text/plain')) event.preventDefault();
});
document.addEventListener('drop', (event) => {
  const content = event.dataTransfer?.files[0] ?? event.dataTransfer?.getData('text/plain');
  event.preventDefault();
  if (store.get().server && content) commands.take(content);
});

function words() {
  document.documentElement.lang = language();
  translate(document.body);
  $('language').querySelector('span').textContent = t('other_language');
  players.forget();
  moves.forget();
  if (!store.get().server) return;
  stage.name();
  thoughts.forget();
  showControls();
  if (stage.settled) settle();
}

const theme = memory.get('theme');
if (theme === 'dark' || theme === 'light') document.documentElement.dataset.theme = theme;
drawSigns(document);
words();
news.open();
commands.until((told) => told.boards.length > 0).then(() => {
  puzzles.resume(server());
  keepPage();
  commands.keepViews();
});
commands.readLink();
// A browser may keep nothing: then there is nothing to explore.
library.open().then(show, () => {});
addEventListener('hashchange', () => commands.readLink());
