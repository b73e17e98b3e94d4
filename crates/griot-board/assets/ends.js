// Chess in words: whether the king is in check, what was captured, and why a game has ended; of draughts why it has ended. Pure. What the
// rules decide is said by the engine; this only names what its board shows.

/** Column and row, from the top, of the king in check, or nothing: the last move's name ends in `+` or `#`. @param {Spec} spec @param {Picture} picture */
export function checked(spec, picture) {
  if (spec?.pieces !== 'chessmen' || !/[+#]$/.test(picture.last?.name ?? '')) return null;
  const { columns, rows, cells, from_top } = picture.board;
  const at = cells.findIndex((/** @type {Piece | null} */ piece) => piece?.kind === 'king' && piece.owner === picture.turn);
  if (at < 0) return null;
  const row = Math.floor(at / columns.length);
  return [at % columns.length, from_top ? row : rows.length - 1 - row];
}

/** The board text without its counters. */
const position = (/** @type {string} */ board) => board.split(' ').slice(0, 4).join(' ');

/** Whether neither side has what mates: bare kings, or one minor piece beside them, or bishops of one colour. @param {string} board */
function isTooLittle(board) {
  const rows = board.split(' ')[0].split('/');
  /** @type {{ mark: string, colour: number }[]} */
  const pieces = [];
  rows.forEach((row, y) => {
    let x = 0;
    for (const letter of row) {
      if (/\d/.test(letter)) x += Number(letter);
      else {
        if (!'kK'.includes(letter)) pieces.push({ mark: letter.toLowerCase(), colour: (x + y) % 2 });
        x += 1;
      }
    }
  });
  if (pieces.length === 0) return true;
  if (pieces.length === 1) return 'bn'.includes(pieces[0].mark);
  return pieces.every(({ mark, colour }) => mark === 'b' && colour === pieces[0].colour);
}

/**
 * The key of the words for how a game of chess has ended by its rules.
 * @param {string[]} boards the boards from the first to the last
 * @param {string | null} result
 * @param {string | null | undefined} name the last move
 */
export function chessEnd(boards, result, name) {
  if (result !== 'draw') return name?.endsWith('#') ? 'by_mate' : null;
  const last = boards[boards.length - 1] ?? '';
  if (isTooLittle(last)) return 'by_material';
  if (boards.filter((board) => position(board) === position(last)).length >= 3) return 'by_repetition';
  if (Number(last.split(' ')[4]) >= 100) return 'by_fifty';
  return 'by_stalemate';
}

/**
 * The key of the words for how a game of draughts has ended, and which side they speak of: that without pieces, or without moves.
 * @param {string[]} boards the boards from the first to the last
 * @param {string | null} result
 * @param {Picture} picture the last position
 * @param {string[]} rules what distinguishes the game from other draughts
 * @returns {[string, number]}
 */
export function draughtsEnd(boards, result, picture, rules) {
  if (result === 'draw') {
    const pieces = (/** @type {string} */ board) => board.replace(/:H\d+/, '');
    const last = pieces(boards[boards.length - 1] ?? '');
    return [boards.filter((board) => pieces(board) === last).length >= 3 ? 'by_repetition' : 'by_no_progress', 0];
  }
  const has = (/** @type {string} */ owner) => picture.board.cells.some((/** @type {Piece | null} */ piece) => piece?.owner === owner);
  const bare = ['first', 'second'].findIndex((owner) => !has(owner));
  if (bare >= 0) return ['by_no_pieces', bare];
  if (rules.includes('breakthrough')) return ['by_crowning', result === 'p1win' ? 0 : 1];
  return ['by_no_moves', picture.turn === 'second' ? 1 : 0];
}

const WORTH = /** @type {Record<string, number>} */ ({ q: 9, r: 5, b: 3, n: 3, p: 1 });

/**
 * What each side has captured, the heaviest first, and by how many pawns it is ahead. What a pawn has become counts as what it is; the
 * pieces that are missing for it are its pawns.
 * @param {string} board
 * @returns {{ pieces: string[], ahead: number }[]}
 */
export function captured(board) {
  const field = board.split(' ')[0];
  const count = (/** @type {string} */ mark) => [...field].filter((one) => one === mark).length;
  const start = /** @type {Record<string, number>} */ ({ q: 1, r: 2, b: 2, n: 2, p: 8 });
  const worth = [0, 0];
  const sides = [0, 1].map((side) => {
    // The first side's captures are missing among the second's pieces.
    const own = (/** @type {string} */ mark) => (side === 0 ? mark : mark.toUpperCase());
    const became = 'qrbn'.split('').reduce((sum, mark) => sum + Math.max(0, count(own(mark)) - start[mark]), 0);
    return Object.keys(start).flatMap((mark) => {
      worth[1 - side] += WORTH[mark] * count(own(mark));
      const missing = start[mark] - count(own(mark)) - (mark === 'p' ? became : 0);
      return Array(Math.max(0, missing)).fill(own(mark));
    });
  });
  return sides.map((pieces, side) => ({ pieces, ahead: Math.max(0, worth[side] - worth[1 - side]) }));
}
