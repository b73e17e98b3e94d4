// What people do: each is a command to the server, or a dialog that ends in one. Commands go out one after the other.

import { copyDialog, helpDialog, newGame, pasteDialog } from './dialogs.js';
import { editDialog } from './editor.js';
import { title } from './games.js';
import { linkOf, linked } from './links.js';
import { beside } from './moves.js';
import { currentGame, gameText, loadGame, readGames, today, viewOf } from './records.js';
import { ask, readMenu } from './server.js';
import { shareDialog } from './share.js';
import { libraryDialog } from './shelf.js';
import { pictureOf, specOf } from './stage.js';
import { sanOf } from './thoughts.js';
import { backTo, isContest, isTurned, mayPlay, nodeOf, settingsOf } from './state.js';
import { isViewed, moved, viewed } from './viewing.js';
import { language, memory, problem, t, word } from './words.js';

/** @typedef {ReturnType<typeof import('./state.js').createStore<import('./state.js').PageState, import('./state.js').PageEvent>>} Store */
/**
 * @typedef {{
 *   stage: import('./stage.js').Stage, library: import('./library.js').Library, moves: import('./moves.js').Moves,
 *   puzzles: import('./puzzles.js').Puzzles, sounds: import('./sound.js').Sounds,
 *   toast: (text: string, does?: { label: string, act: () => void } | null) => void,
 *   complain: (code: string, detail?: string) => void, announce: (text: string) => void, resultText: () => string,
 *   say: (language: import('./words.js').Language) => void,
 * }} Parts
 */

/** So many of the newest games can be shown without the server, whether they were on the board or not. */
const VIEWS = 100;

/** What a key does, by the name of its action. @type {Record<string, string>} */
const KEYS = {
  n: 'new',
  ArrowLeft: 'earlier',
  ArrowRight: 'later',
  ArrowUp: 'above',
  ArrowDown: 'below',
  Home: 'first',
  End: 'last',
  z: 'back',
  f: 'flip',
  h: 'hint',
  s: 'stop',
  p: 'pause',
  x: 'swap',
  c: 'copy',
  v: 'paste',
  u: 'puzzles',
  m: 'type',
  '?': 'help',
};

export class Commands {
  /** @param {Store} store @param {Parts} parts */
  constructor(store, parts) {
    this.store = store;
    /** @type {Parts} */
    this.parts = parts;
    /** The commands that were sent, one after the other. @type {Promise<unknown>} */
    this.sent = Promise.resolve();
    /** Whether a move is on its way to the server. */
    this.playing = false;
    /** The place in the line to go to, while the way there is asked for. @type {number | null} */
    this.going = null;
    this.goes = false;
    /** Whether pictures of kept games are being fetched. */
    this.keeping = false;
    /** @type {Record<string, () => unknown>} */
    this.actions = this.list();
  }

  /** What the server said last. */
  get server() {
    return /** @type {ServerState} */ (this.store.get().server);
  }

  /**
   * Sends a command and shows the reason if the server refuses it. Resolves to whether it was carried out.
   * @param {string} what
   * @param {object} [more]
   * @returns {Promise<boolean>}
   */
  run(what, more) {
    return this.send(what, more).then((refusal) => {
      if (refusal) this.parts.complain(refusal.error, refusal.detail ?? '');
      return !refusal;
    });
  }

  /** Sends a command. Resolves to the reason for a refusal, or to null. @param {string} what @param {object} [more] @returns {Promise<{ error: string, detail?: string } | null>} */
  send(what, more) {
    const { server } = this.store.get();
    if (server && isViewed(server)) {
      const next = moved(server, what, more);
      if (next) this.store.dispatch({ type: 'viewed', server: next });
      return Promise.resolve(next ? null : { error: 'away' });
    }
    const answered = this.sent.then(() => ask(what, more));
    this.sent = answered.catch(() => {});
    return answered;
  }

  /** Waits until the page knows something of the server. @param {(server: ServerState) => boolean} is @returns {Promise<void>} */
  until(is) {
    const { server } = this.store.get();
    if (server && is(server)) return Promise.resolve();
    return new Promise((done) =>
      this.store.subscribe((state) => {
        if (state.server && is(state.server)) done();
      }),
    );
  }

  /** Changes settings: what was changed before, and is not confirmed yet, stays changed. @param {Partial<Settings>} change */
  async settings(change) {
    this.store.dispatch({ type: 'change', change });
    await this.run('set', { settings: settingsOf(this.store.get()) });
    this.store.dispatch({ type: 'confirmed' });
  }

  /** @param {string} move */
  async play(move) {
    const state = this.store.get();
    if (!mayPlay(state) || !this.parts.stage.settled || this.playing) return;
    this.playing = true;
    const before = nodeOf(this.server);
    const done = await this.run('play', { move, at: this.server.at, hold: state.hidden });
    if (done) await this.until((server) => nodeOf(server) !== before);
    this.playing = false;
    if (this.parts.stage.settled) this.parts.stage.on.settled();
  }

  /** Plays the reply of a puzzle, unless the board has changed meanwhile. @param {string} move */
  async reply(move) {
    const { at } = this.server;
    if (this.server.legal.includes(move) && !this.server.result) await this.send('play', { move, at, hold: true });
  }

  /** Goes to a place of the line; of several that are asked for at once, to the last. @param {number} at */
  async goTo(at) {
    this.going = Math.max(0, Math.min(at, this.server.boards.length - 1));
    if (this.goes) return true;
    this.goes = true;
    let done = true;
    while (this.going !== null) {
      /** @type {number} */
      const to = this.going;
      done = await this.run('go_to', { at: to });
      if (this.going === to) this.going = null;
    }
    this.goes = false;
    return done;
  }

  /** One move on or back. @param {number} by */
  step(by) {
    const from = this.going ?? this.server.at;
    if (from + by >= 0 && from + by < this.server.boards.length) return this.goTo(from + by);
    return Promise.resolve(false);
  }

  /** @param {number} node @param {number} ply */
  visit(node, ply) {
    return this.server.nodes[ply] === node ? this.goTo(ply) : this.run('visit', { node });
  }

  /** Puts a line of the engine into the tree, as a variation. @param {string[]} line */
  async keepLine(line) {
    for (const move of line) {
      const before = nodeOf(this.server);
      if (!(await this.run('play', { move, at: this.server.at, hold: true }))) return;
      await this.until((server) => nodeOf(server) !== before);
    }
  }

  /** Plays a move that was typed, in any spelling that the engine reads. @param {string} text */
  async typed(text) {
    const found = this.server.legal.find((move) => move === text);
    return this.play(found ?? sanOf(text));
  }

  /** The menu of games: complete whenever a dialog opens. */
  async menu() {
    if (!this.store.get().menu.length) this.store.dispatch({ type: 'menu', menu: await readMenu() });
    return this.store.get().menu;
  }

  // ---- games that come and go

  /** How the players are called in a record. */
  names() {
    return settingsOf(this.store.get()).players.map((player) => (player.kind === 'human' ? t('human') : `griot ${player.level}`));
  }

  /** Keeps the game on the board; returns its record, or nothing where there is none. @returns {Promise<GameRecord | null>} */
  async keepNow() {
    const { server, parts } = this;
    if (!server || isViewed(server) || (!server.tree.length && !server.comment)) return null;
    const { record, opening } = await currentGame(this.names(), today());
    if (!record) return null;
    try {
      const { last } = await parts.library.add([record], { growing: !server.about.is_read, openings: [opening ?? null] });
      this.keepView(last, record);
    } catch (problem) {
      parts.complain('no_library', `${problem}`);
    }
    return record;
  }

  /** Keeps what shows a game when the server is away; a browser that has no room goes without. @param {number} id @param {GameRecord} record */
  keepView(id, record) {
    return this.parts.library.keepView(id, record, viewOf).catch(() => {});
  }

  /** Keeps what shows the newest games when the server is away, also of those that were never on the board: one after the other. */
  async keepViews() {
    if (this.keeping) return;
    this.keeping = true;
    const { library } = this.parts;
    for (const id of await library.unseen(VIEWS).catch(() => /** @type {number[]} */ ([]))) {
      const record = await library.get(id);
      if (!this.store.get().link.online) break;
      if (record) await this.keepView(id, record);
    }
    this.keeping = false;
  }

  /** Shows a kept game without the server, as far as it can be shown. @param {GameRecord} record @param {number} id */
  async lookAt(record, id) {
    const places = await this.parts.library.view(id).catch(() => null);
    if (!places?.length) this.parts.complain('no_view');
    else this.store.dispatch({ type: 'viewed', server: viewed(record, places, id) });
  }

  /** Has the server set something up, and waits until that is what the page knows. @param {() => Promise<boolean>} request */
  async setUp(request) {
    const before = this.server.round;
    if (!(await request())) return false;
    await this.until((server) => server.round !== before);
    return true;
  }

  /** Sets up a record; a game that griot does not have is read by its own engine. @param {GameRecord} record @param {boolean} knows */
  load(record, knows = true) {
    if (!knows) return this.setUp(() => this.run('paste', { text: gameText(record) }));
    return this.setUp(async () => {
      await this.sent;
      const refusal = await loadGame(record);
      if (refusal) this.parts.complain(refusal.error, refusal.detail ?? '');
      return !refusal;
    });
  }

  /** What takes back that the game on the board was replaced. @param {GameRecord | null} before */
  undo(before) {
    return before && { label: t('undo'), act: () => this.load(before) };
  }

  /** Begins something else in place of the game on the board, which is kept, and offers to take it back. @param {() => Promise<boolean>} request */
  async replace(request) {
    const before = await this.keepNow();
    const done = await this.setUp(request);
    if (done && before) this.parts.toast(t('game_kept'), this.undo(before));
    return done;
  }

  /** Sets up a position that the engine reads. @param {string} text */
  setUpText(text) {
    return this.replace(() => this.run('paste', { text }));
  }

  /** Sets up what a text or file says, whatever it says, and tells what it was taken for. @param {string | Blob} content @param {string} [name] */
  async take(content, name) {
    const { parts } = this;
    const { games = [], openings = [], faults = [], knows = true, error, detail } = await readGames(content, this.server.game);
    if (error) {
      parts.complain(error, detail ?? '');
      return false;
    }
    const before = await this.keepNow();
    const [one] = games;
    if (!one) {
      const text = typeof content === 'string' ? content.trim() : (await content.text()).trim();
      // A game that griot does not have is known to the engine on the board.
      if (!knows) return this.setUp(() => this.run('paste', { text }));
      parts.complain('bad_paste', faults[0] ?? t('paste_text'));
      return false;
    }
    let kept = '';
    if (games.length > 1) {
      await parts.library.add([...games].reverse(), { openings: [...openings].reverse() });
      kept = ` ${t('kept_all', games.length)}`;
      this.keepViews();
    }
    if (!(await this.load(one))) return false;
    const odd = [...(one.remarks ?? []).filter((text) => !text.startsWith('the game is a guess')), ...faults];
    const guess = one.guessed?.length ? ` ${t('could_be', one.guessed.map((game) => word(game, game)).join(', '))}` : '';
    const what = t('taken_for', title(specOf(this.server)), name ?? word(`form_${one.format}`, one.format ?? ''), one.moves.length);
    const more = odd.length ? ` ${odd[0]}${odd.length > 1 ? ` (${t('and_more', odd.length - 1)})` : ''}` : '';
    parts.toast(`${what}${guess}${kept}${more}`, this.undo(before));
    return true;
  }

  /** A link may hold a game. What is on the board is kept first. */
  async readLink() {
    const { hash } = location;
    const text = await linked(hash);
    if (text === undefined) return;
    history.replaceState(null, '', location.pathname);
    await this.until((server) => server.boards.length > 0);
    if (text?.trim()) this.take(text, t('link'));
    else this.parts.complain('bad_link', hash.slice(hash.indexOf('=') + 1).slice(0, 40));
  }

  // ---- buttons and keys

  /** Does what a key stands for; whether it does anything. @param {string} key */
  key(key) {
    const name = KEYS[key];
    const button = /** @type {HTMLButtonElement | null} */ (name ? document.getElementById(name) : null);
    if (!name || button?.disabled || button?.hidden) return false;
    this.actions[name]();
    return true;
  }

  /** @returns {Record<string, () => unknown>} */
  list() {
    const { store, parts } = this;
    const turnTo = (/** @type {number} */ step) => {
      const node = beside(parts.moves.nodes, nodeOf(this.server) ?? 0, step);
      if (node) this.run('visit', { node });
    };
    return {
      new: async () => {
        newGame(
          await this.menu(),
          parts.stage.spec,
          this.server.game,
          settingsOf(store.get()).players.find((player) => player.kind === 'engine')?.level ?? 6,
          (/** @type {string} */ game, /** @type {[Player, Player]} */ players, /** @type {{ base: number, increment: number } | undefined} */ clock) => this.replace(() => this.run('new', { game, players, clock })),
        );
      },
      back: async () => {
        const at = backTo(store.get());
        // An opponent is asked.
        if (await (isContest(store.get()) ? this.run('take_back', { at }) : this.goTo(at))) parts.announce(t('taken_back', at));
      },
      first: () => this.goTo(0),
      last: () => this.goTo(this.server.boards.length - 1),
      earlier: () => {
        parts.announce(t('taken_back', Math.max(0, (this.going ?? this.server.at) - 1)));
        return this.step(-1);
      },
      later: () => this.step(1),
      above: () => turnTo(-1),
      below: () => turnTo(1),
      flip: () => store.dispatch({ type: 'prefer', prefs: { flip: !store.get().prefs.flip } }),
      pass: () => this.play('0000'),
      hint: () => this.run('hint'),
      threat: () => this.settings({ threat: !settingsOf(store.get()).threat }),
      stop: () => this.run('move_now'),
      pause: () => this.run(this.server.paused || this.server.engine !== 'ready' ? 'resume' : 'pause'),
      swap: () => this.run('swap'),
      resign: () => this.run('resign', { at: this.server.at }),
      offer: () => this.run('offer_draw', { at: this.server.at }),
      rematch: () => {
        const { base, increment } = this.server.clock ?? {};
        const clock = this.server.clock ? { base, increment } : undefined;
        this.replace(() => this.run('new', { game: this.server.game, players: [...settingsOf(store.get()).players].reverse(), clock }));
      },
      promote: () => this.run('promote', { node: nodeOf(this.server) }),
      delete: async () => {
        const { record } = await currentGame(this.names(), today());
        const done = await this.run('delete', { node: nodeOf(this.server) });
        if (done && record) parts.toast(t('moves_deleted'), this.undo(record));
      },
      copy: async () => {
        const { record, texts = {}, error, detail } = await currentGame(this.names(), today());
        if (!record) parts.complain(error ?? '', detail ?? '');
        else copyDialog({ record, texts, link: await linkOf(record) }, this.server.boards[this.server.at], () => parts.announce(t('copied')));
      },
      paste: () => pasteDialog((/** @type {string | Blob} */ content) => this.take(content)),
      edit: () => {
        const { server } = this;
        editDialog(parts.stage.spec, pictureOf(server), server.boards[server.at], isTurned(store.get()), async (board) => {
          /** @type {string | null} */
          let wrong = null;
          await this.replace(async () => {
            const refusal = await this.send('paste', { text: `${server.game}|${board}|` });
            if (refusal) wrong = problem(refusal.error, refusal.detail ?? '');
            return !refusal;
          });
          return wrong;
        });
      },
      library: () =>
        libraryDialog(parts.library, {
          open: async (record, id) => {
            if (!store.get().link.online || !store.get().server) {
              await this.lookAt(record, id);
              return;
            }
            const before = await this.keepNow();
            if (!(await this.load(record))) return;
            this.keepView(id, record);
            parts.toast(t('taken_for', title(specOf(this.server)), t('library'), record.moves.length), this.undo(before));
          },
          keep: async () => {
            await this.keepNow();
          },
          removed: (record) => parts.toast(t('game_deleted'), { label: t('undo'), act: () => parts.library.add([record]) }),
          failed: parts.complain,
        }),
      share: () => shareDialog(parts.stage.board.svg, title(parts.stage.spec)),
      puzzles: () => parts.puzzles.choose(),
      help: () =>
        helpDialog(store.get().prefs.keys, (/** @type {boolean} */ keys) => {
          store.dispatch({ type: 'prefer', prefs: { keys } });
          memory.set('keys', keys ? 'on' : 'off');
        }),
      language: () => parts.say(language() === 'fr' ? 'en' : 'fr'),
      theme: () => {
        const { dataset } = document.documentElement;
        const isDark = dataset.theme ? dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
        dataset.theme = isDark ? 'light' : 'dark';
        memory.set('theme', dataset.theme);
      },
      type: () => document.getElementById('typed')?.focus(),
    };
  }
}
