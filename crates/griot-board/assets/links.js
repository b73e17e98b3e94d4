// Links that hold a game: its main line as it is read, or the whole record, compressed, where there is more than that.
//
//   #game=GAME|START|MOVES         percent-encoded
//   #record=…                      the record as JSON, raw deflate, base64 with - and _

import { gameText } from './records.js';

/** The longest record in a link: what is longer, mail programs and chats cut. */
const LONGEST = 8000;

/** @param {Uint8Array} bytes @param {CompressionStream | DecompressionStream} through */
const pass = async (bytes, through) => new Uint8Array(await new Response(new Blob([/** @type {any} */ (bytes)]).stream().pipeThrough(/** @type {any} */ (through))).arrayBuffer());

/** A text in few bytes. @param {string} text */
export const deflate = (text) => pass(new TextEncoder().encode(text), new CompressionStream('deflate-raw'));
/** The text again. @param {Uint8Array} bytes */
export const inflate = async (bytes) => new TextDecoder().decode(await pass(bytes, new DecompressionStream('deflate-raw')));

/** A text in few letters that may stand in a link. @param {string} text */
export async function pack(text) {
  const bytes = await deflate(text);
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '');
}

/** The text again; nothing where it is none. @param {string} packed @returns {Promise<string | null>} */
export async function unpack(packed) {
  try {
    const bytes = Uint8Array.from(atob(packed.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0));
    return await inflate(bytes);
  } catch {
    return null;
  }
}

/** Whether a record says more than its main line: variations, comments, glyphs. @param {GameRecord} record */
export const isTree = ({ variations, notes }) => !!variations?.length || Object.keys(notes ?? {}).length > 0;

/** What stands behind the `#` of a link to a game. @param {GameRecord} record */
export async function linkOf(record) {
  const packed = isTree(record) ? await pack(JSON.stringify(record)) : '';
  return packed && packed.length <= LONGEST ? `record=${packed}` : `game=${encodeURIComponent(gameText(record))}`;
}

/** The text of the game that a link holds; nothing where it cannot be read, `undefined` where it holds none. @param {string} hash */
export async function linked(hash) {
  const [, kind, coded] = /^#(game|record)=(.*)$/s.exec(hash) ?? [];
  if (kind === 'record') return unpack(coded);
  if (kind !== 'game') return undefined;
  try {
    return decodeURIComponent(coded);
  } catch {
    return null;
  }
}
