//! Wins by fours and threes, on the shapes. Layer 2, private to m,n,k games.
//!
//! Each move of the winning side threatens a line, or a double threat (an open four, or two fours). The replies are all moves
//! that do not lose at once: the cell of the line, fours of the other side, and stones that leave no double threat. So a win
//! found is a win against every defence; finding none proves nothing.
//! CITE: V. Allis, H. van den Herik, M. Huntjens, "Go-Moku and Threat-Space Search", 1993.

use std::collections::HashMap;

use super::bits::Bits;
use super::candidates::defences;
use super::fours::{line_of_fours, within};
use super::rules::Position;
use super::shapes::{Shapes, Threat};
use crate::game::{Position as _, Side};

/// The longest sequence of threats.
const MOST: u8 = 24;

/// The most positions of a search for fours: within a search for threes, after a move that may lose, and alone.
const EFFORT: u32 = 60;
const EFFORT_OF_A_REPLY: u32 = 400;
const LONG_EFFORT: u32 = 20_000;

/// The most positions remembered at a time.
const MOST_REMEMBERED: usize = 1 << 20;

/// The allowed effort is used up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Spent;

/// A position and its shapes.
struct Place<'p, const W: usize> {
    position: &'p Position<W>,
    shapes: &'p Shapes<W>,
}

/// A search for wins by threats, with its memory.
pub(super) struct Pursuit<'s> {
    /// Called for every position; returns whether another one may be visited.
    step: &'s mut dyn FnMut() -> bool,
    /// The number of threats in a row without a win, by position.
    tried: HashMap<u64, u8>,
}

impl<'s> Pursuit<'s> {
    pub(super) fn new(step: &'s mut dyn FnMut() -> bool) -> Self {
        Pursuit { step, tried: HashMap::new() }
    }

    /// A win of the side to move, if found before `step` returns `false`: its first move and a continuation. Otherwise
    /// empty.
    pub(super) fn winning_line<const W: usize>(&mut self, position: &Position<W>, shapes: &Shapes<W>) -> Vec<u16> {
        match self.by_fours(shapes, position.side_to_move(), LONG_EFFORT) {
            Ok(Some(line)) => return line,
            Ok(None) => {}
            Err(Spent) => return Vec::new(),
        }
        for most in 1..=MOST {
            let mut is_cut = false;
            match self.attack(Place { position, shapes }, most, &mut is_cut) {
                Ok(Some(line)) => return line,
                Ok(None) if is_cut => {}
                _ => break,
            }
        }
        Vec::new()
    }

    /// The moves that leave the opponent a win by fours, as far as found before `step` returns `false`.
    pub(super) fn losing_moves<const W: usize>(&mut self, position: &Position<W>, shapes: &Shapes<W>) -> Vec<u16> {
        let side = position.side_to_move();
        // Test likely moves first.
        let mut cells: Vec<usize> = position.empty.iter().collect();
        cells.sort_by_key(|&cell| std::cmp::Reverse(shapes.at(side, cell).worth.rank));
        let mut lost = Vec::new();
        for cell in cells {
            if shapes.at(side, cell).threat == Threat::Five {
                continue;
            }
            let mut changed = shapes.clone();
            changed.place(cell, side);
            match self.by_fours(&changed, side.other(), EFFORT_OF_A_REPLY) {
                Ok(Some(_)) => lost.push(cell as u16),
                Ok(None) => {}
                Err(Spent) => break,
            }
        }
        lost
    }

    /// A win of `side`, which is to move, by fours alone, if this many positions are enough to find it.
    fn by_fours<const W: usize>(
        &mut self,
        shapes: &Shapes<W>,
        side: Side,
        effort: u32,
    ) -> Result<Option<Vec<u16>>, Spent> {
        let mut is_spent = !(self.step)();
        if is_spent {
            return Err(Spent);
        }
        let mut left = within(effort);
        let line = line_of_fours(shapes, side, &mut || {
            left() && {
                is_spent = !(self.step)();
                !is_spent
            }
        });
        if is_spent { line.map(Some).ok_or(Spent) } else { Ok(line) }
    }

    /// A win of the side to move by at most this many threats; sets `is_cut` if more might win.
    fn attack<const W: usize>(
        &mut self,
        place: Place<'_, W>,
        most: u8,
        is_cut: &mut bool,
    ) -> Result<Option<Vec<u16>>, Spent> {
        let Place { position, shapes } = place;
        let side = position.side_to_move();
        if let Some(line) = self.by_fours(shapes, side, EFFORT)? {
            return Ok(Some(line));
        }
        let forced = shapes.threats(side.other(), Threat::Five);
        if forced.count() > 1 {
            return Ok(None);
        }
        if most == 0 {
            *is_cut = true;
            return Ok(None);
        }
        if self.tried.get(&position.hash()).is_some_and(|&tried| tried >= most) {
            *is_cut |= self.tried.get(&position.hash()) != Some(&u8::MAX);
            return Ok(None);
        }
        let fours = shapes.threats(side, Threat::Four);
        let threes = shapes.threats(side, Threat::Three);
        // If the opponent has an open three, only fours are faster.
        let is_threatened = !shapes.threats(side.other(), Threat::OpenFour).is_empty();
        let moves = match forced.iter().next() {
            Some(cell) => Bits::EMPTY.with(cell),
            None if is_threatened => {
                fours | threes & defences(shapes, position, shapes.threats(side.other(), Threat::OpenFour))
            }
            None => fours | threes,
        };
        let mut moves: Vec<u16> = moves.iter().map(|cell| cell as u16).collect();
        moves.sort_by_key(|&cell| std::cmp::Reverse(shapes.at(side, cell.into()).worth.rank));
        let mut is_cut_here = false;
        for mv in moves {
            let next = position.after(mv);
            if next.outcome().is_some() {
                continue;
            }
            let mut changed = shapes.clone();
            changed.place(mv.into(), side);
            let place = Place { position: &next, shapes: &changed };
            if let Some(line) = self.defend(place, side, most - 1, &mut is_cut_here)? {
                return Ok(Some([&[mv], line.as_slice()].concat()));
            }
        }
        if self.tried.len() >= MOST_REMEMBERED {
            self.tried.clear();
        }
        self.tried.insert(position.hash(), if is_cut_here { most } else { u8::MAX });
        *is_cut |= is_cut_here;
        Ok(None)
    }

    /// The win of `side`, which has just moved, by at most this many further threats against every reply; `None` if its
    /// move was no threat.
    fn defend<const W: usize>(
        &mut self,
        place: Place<'_, W>,
        side: Side,
        most: u8,
        is_cut: &mut bool,
    ) -> Result<Option<Vec<u16>>, Spent> {
        let Place { position, shapes } = place;
        if !shapes.threats(side.other(), Threat::Five).is_empty() {
            return Ok(None);
        }
        let fives = shapes.threats(side, Threat::Five);
        let doubles = shapes.threats(side, Threat::OpenFour);
        let fours = shapes.threats(side.other(), Threat::Four) | shapes.threats(side.other(), Threat::OpenFour);
        let mut cells = fives.iter();
        let replies: Vec<u16> = match (cells.next(), cells.next()) {
            (Some(reply), Some(win)) => return Ok(Some(vec![reply as u16, win as u16])),
            (Some(reply), None) => vec![reply as u16],
            _ if doubles.is_empty() => return Ok(None),
            // An open four or two fours of the opponent are faster.
            _ if !shapes.threats(side.other(), Threat::OpenFour).is_empty() => return Ok(None),
            _ => (fours | defences(shapes, position, doubles)).iter().map(|cell| cell as u16).collect(),
        };
        let mut longest: Option<Vec<u16>> = None;
        for &reply in &replies {
            let next = position.after(reply);
            if next.outcome().is_some() {
                return Ok(None);
            }
            let mut changed = shapes.clone();
            changed.place(reply.into(), side.other());
            let Some(line) = self.attack(Place { position: &next, shapes: &changed }, most, is_cut)? else {
                return Ok(None);
            };
            if longest.as_ref().is_none_or(|longest| longest.len() <= line.len()) {
                longest = Some([&[reply], line.as_slice()].concat());
            }
        }
        if longest.is_none() {
            // Nothing stops the double threat: any reply that does not take its cell serves.
            let cell = doubles.iter().next();
            let Some(reply) = position.empty.iter().find(|&reply| Some(reply) != cell) else { return Ok(None) };
            let mut changed = shapes.clone();
            changed.place(reply, side.other());
            let line = self.by_fours(&changed, side, EFFORT)?;
            longest = line.map(|line| [&[reply as u16], line.as_slice()].concat());
        }
        Ok(longest)
    }
}
