// Game records: the server reads and writes them, in every format. A record here is the JSON of `griot convert`.

/** The longest text that is sent, in bytes: the server takes no more. */
export const LONGEST = 32 * 1024 * 1024;

const PATIENCE = 60_000;

/**
 * Posts something and returns the answer, or `{ error, detail }`.
 * @param {string} path
 * @param {BodyInit} body
 * @param {string} [type]
 * @returns {Promise<any>}
 */
async function post(path, body, type = 'application/octet-stream') {
  try {
    const answer = await fetch(path, { method: 'POST', headers: { 'Content-Type': type }, body, signal: AbortSignal.timeout(PATIENCE) });
    return await answer.json();
  } catch {
    return { error: 'unreachable', detail: '' };
  }
}

/**
 * The games of a text or file. A list of moves that is legal in `game` is of that game. `knows` tells whether griot has that game.
 * @param {string | Blob} content
 * @param {string} game
 * @returns {Promise<{ games?: GameRecord[], openings?: (Opening | null)[], faults?: string[], knows?: boolean, error?: string, detail?: string }>}
 */
export const readGames = (content, game) => post(`/api/read/${encodeURIComponent(game)}`, content);

/**
 * Puts a record on the board. Returns why not, or nothing.
 * @param {GameRecord} record
 * @returns {Promise<{ error: string, detail?: string } | null>}
 */
export async function loadGame(record) {
  const answer = await post('/api/load', JSON.stringify(record), 'application/json');
  return answer.error ? answer : null;
}

/**
 * The game on the board with its whole tree, and its text in each format that can hold it.
 * @param {(string | null)[]} players
 * @param {string} date
 * @returns {Promise<{ record?: GameRecord, opening?: Opening | null, texts?: Record<string, string>, error?: string, detail?: string }>}
 */
export const currentGame = (players, date) => post('/api/record', JSON.stringify({ players, date }), 'application/json');

/**
 * The texts of records in one format, or each in its own (`own`), by format.
 * @param {GameRecord[]} records
 * @param {string} format
 * @returns {Promise<{ texts?: Record<string, string>, faults?: string[], error?: string, detail?: string }>}
 */
export const writeGames = (records, format) => post(`/api/write/${format}`, records.map((record) => JSON.stringify(record)).join('\n'));

/**
 * The positions of the main line of a game, with their pictures, as text: what it takes to show it without the server. Nothing where they
 * cannot be had.
 * @param {GameRecord} record
 * @returns {Promise<string | null>}
 */
export async function viewOf(record) {
  const { places } = await post('/api/view', JSON.stringify(record), 'application/json');
  return places ? JSON.stringify(places) : null;
}

/** The main line as `griot analyse` and links have it. */
export const gameText = (/** @type {{ game: string, start: string, moves: string[] }} */ { game, start, moves }) =>
  `${game}|${start}|${moves.join(' ')}`;

/** Today as PGN writes it. */
export function today() {
  const now = new Date();
  const two = (/** @type {number} */ n) => `${n}`.padStart(2, '0');
  return `${now.getFullYear()}.${two(now.getMonth() + 1)}.${two(now.getDate())}`;
}

/** The end of the name of a file in this format. */
export const ending = (/** @type {string} */ format) => ({ moves: 'txt', obf: 'obf' })[format] ?? format;
