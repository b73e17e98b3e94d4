//! Perft: the number of lines of a number of plies, the standard test of a move generator.
//!
//! Layer 3. Counts lines, not positions; finished games have no continuation; repetition is ignored.

use super::Stopped;
use crate::game::Position;

/// The number of lines of exactly `depth` plies from `position`.
#[must_use]
pub fn perft<P: Position>(position: &P, depth: u32) -> u64 {
    perft_until(position, depth, &mut || false).unwrap_or(0)
}

/// Like [`perft`], but calls `stop` at each position more than a ply or two from the end of a line, and gives up if it returns true.
///
/// # Errors
/// [`Stopped`] if `stop` returned true.
pub fn perft_until<P: Position>(position: &P, depth: u32, stop: &mut impl FnMut() -> bool) -> Result<u64, Stopped> {
    if depth == 0 {
        return Ok(1);
    }
    let mut moves = Vec::new();
    walk(position, depth, &mut moves, stop)
}

/// `moves` is a stack shared by all nodes of the line: each node uses the part above the length it found.
fn walk<P: Position>(
    position: &P,
    depth: u32,
    moves: &mut Vec<P::Move>,
    stop: &mut impl FnMut() -> bool,
) -> Result<u64, Stopped> {
    if stop() {
        return Err(Stopped);
    }
    if depth == 1 {
        return Ok(position.count(moves) as u64);
    }
    if depth == 2
        && let Some(lines) = position.count_two(moves)
    {
        return Ok(lines);
    }
    let base = moves.len();
    position.generate(moves);
    let end = moves.len();
    let mut nodes = 0;
    for i in base..end {
        nodes += walk(&position.after(moves[i]), depth - 1, moves, stop)?;
    }
    moves.truncate(base);
    Ok(nodes)
}
