// The connection to the server: commands by POST, news as server-sent events, and another try when it is lost.

/** The server says something at least every 15 seconds; an engine may need ten for an answer. */
const SILENCE = 40_000;
const PATIENCE = 30_000;
const RETRY = 2000;

/** Why something is not done. @typedef {{ error: string, detail: string }} Refusal */

/** @param {string} path @param {unknown} [body] @returns {Promise<Refusal | null>} */
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

/** Asks for something; why it is not done, or nothing. @param {string} what @param {object} [more] */
export const ask = (what, more) => post('/api/do', { do: what, ...more });

/** Reads a list from the server; an empty one if the server does not answer. @param {string} path */
async function readList(path) {
  try {
    const answer = await fetch(path, { signal: AbortSignal.timeout(PATIENCE) });
    return answer.ok ? await answer.json() : [];
  } catch {
    return [];
  }
}

/** The games that the engine offers. */
export const readMenu = () => readList('/api/games');

/** The sets of puzzles that the server has. @returns {Promise<PuzzleSet[]>} */
export const readPuzzleSets = () => readList('/api/puzzles');

/** One connection for news: it tells the server that somebody looks, too. */
/**
 * What is done with news: what was told, the server's time, and whether there is a connection.
 * @typedef {{
 *   state: (told: ServerState | null) => void, thinking: (told: Thinking | null) => void,
 *   notice: (told: { notice: string, detail: string }) => void, now: (time: number) => void, open: () => void,
 *   lost: (code: string, detail: string) => void,
 * }} Listener
 */

export class News {
  /** @param {Listener} on */
  constructor(on) {
    this.on = on;
    this.attempt = 0;
    this.heard = 0;
    /** @type {EventSource | null} */
    this.source = null;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.retry = undefined;
    // A page that is kept for "back" looks at nothing; one that comes back looks again.
    addEventListener('pagehide', () => this.close());
    addEventListener('pageshow', (event) => event.persisted && this.open());
    addEventListener('online', () => this.open());
    document.addEventListener('visibilitychange', () => !document.hidden && this.check());
    setInterval(() => this.check(), 5000);
  }

  async open() {
    this.close();
    const mine = this.attempt;
    this.heard = Date.now();
    const refusal = await post('/api/open');
    // The page was left, or something else connects already.
    if (mine !== this.attempt) return;
    if (refusal) {
      this.on.lost(refusal.error, refusal.detail);
      this.retry = setTimeout(() => this.open(), RETRY);
      return;
    }
    const source = new EventSource('/api/news');
    this.source = source;
    const listen = (/** @type {string} */ name, /** @type {(told: any) => void} */ act) =>
      source.addEventListener(name, (event) => {
        if (source !== this.source) return;
        this.heard = Date.now();
        act(event.data && JSON.parse(event.data));
      });
    listen('state', this.on.state);
    listen('thinking', this.on.thinking);
    listen('notice', this.on.notice);
    listen('beat', (told) => told?.now && this.on.now(told.now));
    listen('open', this.on.open);
    source.addEventListener('error', () => {
      if (source !== this.source) return;
      this.on.lost('unreachable', '');
      if (source.readyState === EventSource.CLOSED) this.retry = setTimeout(() => this.open(), RETRY);
    });
  }

  /** Nobody looks any more, as far as this page goes. */
  close() {
    this.attempt += 1;
    clearTimeout(this.retry);
    this.source?.close();
    this.source = null;
  }

  /** A machine that slept, or a network that changed, leaves a connection that looks whole and is not. */
  check() {
    if (this.source && Date.now() - this.heard > SILENCE) this.open();
  }
}
