//! Threat search: wins by moves that leave the opponent no choice, or little. Layer 2, private to m,n,k games.
//!
//! A *four* leaves a line one stone short, so one cell must be answered; two such cells win. A *three* is any other move after
//! which its side, if it moved again, would win by fours alone. Replies to a three that cannot disturb the win are skipped: see
//! [`Forcing::replies`]. A win found is a win against every defence; finding none proves nothing.
//! CITE: V. Allis, H. van den Herik, M. Huntjens, "Go-Moku and Threat-Space Search", 1993.
//! CITE: T. Thomsen, "Lambda-Search in Game Trees", 2000 (threats told by what a pass would allow).

use std::collections::HashMap;

use super::Position;
use super::bits::Bits;
use super::threats::{completing, threats, three_short};
use crate::game::{Position as _, Side};

/// The longest sequence of fours searched; no sequence has more fours than half the cells of the board.
const MOST_FOURS: u8 = 40;
/// The longest sequence of threes.
const MOST_THREES: u8 = 8;
/// The most fours in the threat of a three: threats that need more are many, and easily met.
const FOURS_OF_A_THREE: u8 = 3;
/// In place of a number of fours or threes: nothing at any depth.
const NEVER: u8 = u8::MAX;

/// The memory has this many parts, so that no part is slow to grow.
const PARTS: usize = 256;
/// A part with this many entries is cleared; together they take at most some hundred megabytes.
const MOST_IN_A_PART: usize = 1 << 13;

/// The number of fours or threes tried without success, by position.
struct Tried(Vec<HashMap<u64, u8>>);

impl Tried {
    fn new() -> Tried {
        Tried((0..PARTS).map(|_| HashMap::new()).collect())
    }

    fn get(&self, key: u64) -> Option<u8> {
        self.0[key as usize % PARTS].get(&key).copied()
    }

    fn insert(&mut self, key: u64, tried: u8) {
        let part = &mut self.0[key as usize % PARTS];
        if part.len() >= MOST_IN_A_PART {
            part.clear();
        }
        part.insert(key, tried);
    }
}

/// The allowed effort is used up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Spent;

/// Moves of both sides in turn, the first and the last by the winner; the replies are the longest defence.
type Line = Vec<u16>;

/// A threat search with its memory.
pub(super) struct Forcing<'s> {
    /// Called for every position; returns whether another one may be visited.
    step: &'s mut dyn FnMut() -> bool,
    /// The number of fours without a win, by position.
    without_fours: Tried,
    /// The same for threes.
    without_threes: Tried,
}

/// The cells on which a stone of `side` completes a line.
fn wins<const W: usize>(position: &Position<W>, side: Side) -> Bits<W> {
    completing(position.stones[side.index()], position.empty, position.parameters)
}

fn key<const W: usize>(position: &Position<W>) -> u64 {
    // The hash of a position covers the stones only, which a pass does not change.
    position.hash() ^ position.side_to_move().index() as u64
}

impl<'s> Forcing<'s> {
    pub(super) fn new(step: &'s mut dyn FnMut() -> bool) -> Self {
        Forcing { step, without_fours: Tried::new(), without_threes: Tried::new() }
    }

    fn step(&mut self) -> Result<(), Spent> {
        if (self.step)() { Ok(()) } else { Err(Spent) }
    }

    /// A win of the side to move, if found before `step` returns `false`; else empty.
    pub(super) fn winning_line<const W: usize>(&mut self, position: &Position<W>) -> Line {
        for threes in 0..=MOST_THREES {
            let mut cut = false;
            match self.by_threes(position, threes, &mut cut) {
                Ok(Some(line)) => return line,
                Ok(None) if cut => {}
                _ => break,
            }
        }
        Line::new()
    }

    /// The moves that leave the opponent a win by fours, as far as found before `step` returns `false`.
    pub(super) fn losing_moves<const W: usize>(&mut self, position: &Position<W>) -> Vec<u16> {
        let mut lost = Vec::new();
        if let Ok(Some(threat)) = self.shortest_by_fours(&position.passed(), MOST_FOURS) {
            let relevant = relevant_replies(position, &threat);
            for mv in position.empty.iter() {
                match self.loses(&position.after(mv as u16), relevant.has(mv), &threat) {
                    Ok(true) => lost.push(mv as u16),
                    Ok(false) => {}
                    Err(Spent) => break,
                }
            }
        }
        lost
    }

    /// Whether the side to move wins by fours after a reply to its threat.
    fn loses<const W: usize>(&mut self, after: &Position<W>, relevant: bool, threat: &Line) -> Result<bool, Spent> {
        Ok(after.outcome().is_none()
            && (!relevant || self.holds(*after, threat)? || self.shortest_by_fours(after, MOST_FOURS)?.is_some()))
    }

    /// The win of the side to move by the fewest fours, up to `most`.
    pub(super) fn shortest_by_fours<const W: usize>(
        &mut self,
        position: &Position<W>,
        most: u8,
    ) -> Result<Option<Line>, Spent> {
        for fours in 0..=most {
            let mut cut = false;
            let line = self.by_fours(position, fours, &mut cut)?;
            if line.is_some() || !cut {
                return Ok(line);
            }
        }
        Ok(None)
    }

    /// A win of the side to move by at most this many fours before the last stone; sets `cut` if more fours might win.
    fn by_fours<const W: usize>(
        &mut self,
        position: &Position<W>,
        fours: u8,
        cut: &mut bool,
    ) -> Result<Option<Line>, Spent> {
        self.step()?;
        let side = position.side_to_move();
        let mine = threats(position.stones[side.index()], position.empty, position.parameters);
        if let Some(win) = mine.wins.iter().next() {
            return Ok(Some(vec![win as u16]));
        }
        let Some(moves) = answering(mine.makes, wins(position, side.other())) else { return Ok(None) };
        if moves.is_empty() {
            return Ok(None);
        }
        let key = key(position);
        match self.without_fours.get(key) {
            Some(NEVER) => return Ok(None),
            Some(tried) if tried >= fours => {
                *cut = true;
                return Ok(None);
            }
            _ if fours == 0 => {
                *cut = true;
                return Ok(None);
            }
            _ => {}
        }
        let mut cut_here = false;
        for mv in (moves & mine.doubles).iter().chain((moves & !mine.doubles).iter()) {
            let next = position.after(mv as u16);
            let mut cells = wins(&next, side).iter();
            let (Some(reply), other) = (cells.next(), cells.next()) else { continue };
            if let Some(other) = other {
                return Ok(Some(vec![mv as u16, reply as u16, other as u16]));
            }
            let after = next.after(reply as u16);
            if after.outcome().is_some() {
                continue;
            }
            if let Some(rest) = self.by_fours(&after, fours - 1, &mut cut_here)? {
                return Ok(Some([&[mv as u16, reply as u16], rest.as_slice()].concat()));
            }
        }
        self.without_fours.insert(key, if cut_here { fours } else { NEVER });
        *cut |= cut_here;
        Ok(None)
    }

    /// A win of the side to move by fours, preceded by at most this many threes and fours; sets `cut` if more might
    /// win.
    fn by_threes<const W: usize>(
        &mut self,
        position: &Position<W>,
        threes: u8,
        cut: &mut bool,
    ) -> Result<Option<Line>, Spent> {
        if let Some(line) = self.shortest_by_fours(position, MOST_FOURS)? {
            return Ok(Some(line));
        }
        let key = key(position);
        match self.without_threes.get(key) {
            Some(NEVER) => return Ok(None),
            Some(tried) if tried >= threes => {
                *cut = true;
                return Ok(None);
            }
            _ if threes == 0 => {
                *cut = true;
                return Ok(None);
            }
            _ => {}
        }
        let side = position.side_to_move();
        let parameters = position.parameters;
        let mine = threats(position.stones[side.index()], position.empty, parameters);
        let (some, several) = three_short(position.stones[side.index()], position.empty, parameters);
        let forced = wins(position, side.other());
        let mut cut_here = false;
        let (four, three) = (mine.makes, some & !mine.makes);
        for moves in [three & several, four, three & !several] {
            let Some(moves) = answering(moves, forced) else { return Ok(None) };
            for mv in moves.iter() {
                self.step()?;
                let next = position.after(mv as u16);
                if let Some(rest) = self.pursue(&next, side, threes - 1, &mut cut_here)? {
                    return Ok(Some([&[mv as u16], rest.as_slice()].concat()));
                }
            }
        }
        self.without_threes.insert(key, if cut_here { threes } else { NEVER });
        *cut |= cut_here;
        Ok(None)
    }

    /// The win of `side`, which has just moved, by at most this many further threes and fours, if its move was one.
    fn pursue<const W: usize>(
        &mut self,
        position: &Position<W>,
        side: Side,
        threes: u8,
        cut: &mut bool,
    ) -> Result<Option<Line>, Spent> {
        if position.outcome().is_some() || !wins(position, side.other()).is_empty() {
            return Ok(None);
        }
        if let Some(reply) = wins(position, side).iter().next() {
            // Two such cells are a win by fours, which was searched before.
            let after = position.after(reply as u16);
            if after.outcome().is_some() {
                return Ok(None);
            }
            let rest = self.by_threes(&after, threes, cut)?;
            return Ok(rest.map(|rest| [&[reply as u16], rest.as_slice()].concat()));
        }
        let Some(threat) = self.shortest_by_fours(&position.passed(), FOURS_OF_A_THREE)? else { return Ok(None) };
        self.replies(position, &threat, threes, cut)
    }

    /// The win, against every reply, of the side that has just moved; `threat` is its win if the opponent passed.
    ///
    /// A reply matters only if it takes a cell of the threat, makes a four itself, or shares a possible line with a
    /// cell that the threat forces the opponent to take.
    fn replies<const W: usize>(
        &mut self,
        position: &Position<W>,
        threat: &Line,
        threes: u8,
        cut: &mut bool,
    ) -> Result<Option<Line>, Spent> {
        let relevant = relevant_replies(position, threat);
        let mut longest: Option<Line> = None;
        let mut open = Vec::new();
        for reply in position.empty.iter() {
            let after = position.after(reply as u16);
            if !relevant.has(reply) || self.holds(after, threat)? {
                longest.get_or_insert_with(|| [&[reply as u16], threat.as_slice()].concat());
            } else if after.outcome().is_some() {
                return Ok(None);
            } else {
                open.push((reply, after));
            }
        }
        for (reply, after) in open {
            let Some(line) = self.by_threes(&after, threes, cut)? else { return Ok(None) };
            if longest.as_ref().is_none_or(|longest| longest.len() <= line.len()) {
                longest = Some([&[reply as u16], line.as_slice()].concat());
            }
        }
        Ok(longest)
    }

    /// Whether the side to move still wins by the fours of this line.
    fn holds<const W: usize>(&mut self, mut position: Position<W>, line: &Line) -> Result<bool, Spent> {
        self.step()?;
        let side = position.side_to_move();
        if position.outcome().is_some() {
            return Ok(false);
        }
        for &mv in line.iter().step_by(2) {
            if !position.empty.has(mv.into()) {
                return Ok(false);
            }
            if position.completes(side, mv) {
                return Ok(true);
            }
            let forced = wins(&position, side.other());
            if answering(Bits::EMPTY.with(mv.into()), forced).is_none_or(Bits::is_empty) {
                return Ok(false);
            }
            position.play(mv);
            let mut cells = wins(&position, side).iter();
            let Some(reply) = cells.next() else { return Ok(false) };
            if cells.next().is_some() {
                return Ok(true);
            }
            position.play(reply as u16);
            if position.outcome().is_some() {
                return Ok(false);
            }
        }
        Ok(false)
    }
}

/// The moves that may be played when the opponent completes a line on each of the cells `forced`; `None` when no move
/// stops it.
fn answering<const W: usize>(moves: Bits<W>, forced: Bits<W>) -> Option<Bits<W>> {
    match forced.count() {
        0 => Some(moves),
        1 => Some(moves & forced),
        _ => None,
    }
}

/// A superset of the cells of which a reply must take one to disturb `threat`.
fn relevant_replies<const W: usize>(position: &Position<W>, threat: &Line) -> Bits<W> {
    let parameters = position.parameters;
    let mut relevant = threats(position.stones[position.side_to_move().index()], position.empty, parameters).makes;
    let mut replies = Bits::EMPTY;
    for (number, &mv) in threat.iter().enumerate() {
        relevant = relevant.with(mv.into());
        if number % 2 == 1 {
            replies = replies.with(mv.into());
        }
    }
    for step in parameters.steps() {
        let (mut up, mut down) = (replies, replies);
        for _ in 1..parameters.k() {
            // A step around an edge only adds a cell to the superset.
            (up, down) = (up.up(step), down.down(step));
            relevant = relevant | up | down;
        }
    }
    relevant & position.empty
}
