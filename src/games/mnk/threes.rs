//! Wins by fours and threes, on the shapes. Layer 2, private to m,n,k games.
//!
//! Each move of the winning side threatens to complete a line, or to make a double threat (an open four, or two fours). The replies are all moves
//! that do not lose at once: the cell of the line, fours of the other side, and stones that leave no double threat. So a win
//! found is a win against every defence; finding none proves nothing.
//!
//! Depth-first proof-number search: the attacker expands the continuation with the least proof number, the defender that with the
//! least disproof number. The other number of a position is the greatest of its open continuations plus their count less 1, not
//! their sum, as many of them come to the same positions.
//! CITE: V. Allis, H. van den Herik, M. Huntjens, "Go-Moku and Threat-Space Search", 1993.
//! CITE: A. Nagai, "Df-pn Algorithm for Searching AND/OR Trees and Its Applications", 2002.
//! CITE: T. Ueda, T. Hashimoto, J. Hashimoto, H. Iida, "Weak Proof-Number Search", 2008.

use std::collections::HashMap;

use super::bits::Bits;
use super::candidates::defences;
use super::fours::{line_of_fours, within};
use super::rules::Position;
use super::shapes::{Shapes, Threat};
use crate::game::{Position as _, Side};

/// The longest sequence of threats.
const MOST: u8 = 40;

/// The most positions of a search for fours: within a search for threes, after a move that may lose, and alone.
const EFFORT: u32 = 60;
const EFFORT_OF_A_REPLY: u32 = 400;
const LONG_EFFORT: u32 = 20_000;

/// The most positions remembered at a time.
const MOST_REMEMBERED: usize = 1 << 20;

/// The proof number of a position that is not won, and the disproof number of one that is.
const NEVER: u32 = u32::MAX;

/// The allowed effort is used up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Spent;

/// A position and its shapes.
struct Place<'p, const W: usize> {
    position: &'p Position<W>,
    shapes: &'p Shapes<W>,
}

/// What is known of a position, or the limits of a search of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Numbers {
    /// How many positions, more or less, must be proven to prove a win of the attacker: 0 if one is proven.
    proof: u32,
    /// How many must be disproven to disprove it: 0 if there is none.
    disproof: u32,
    /// The plies of a proven win.
    plies: u16,
}

impl Numbers {
    const UNKNOWN: Numbers = Numbers { proof: 1, disproof: 1, plies: 0 };
    const NONE: Numbers = Numbers { proof: NEVER, disproof: 0, plies: 0 };

    const fn won(plies: u16) -> Numbers {
        Numbers { proof: 0, disproof: NEVER, plies }
    }

    /// Whether nothing is left to find out within these limits.
    const fn reach(self, limits: Numbers) -> bool {
        self.proof >= limits.proof || self.disproof >= limits.disproof
    }
}

/// A continuation that is open, and its numbers.
#[derive(Debug, Clone, Copy)]
struct Open {
    mv: u16,
    numbers: Numbers,
}

/// A search for wins by threats, with its memory.
pub(super) struct Pursuit<'s> {
    /// Called for every position; returns whether another one may be visited.
    step: &'s mut dyn FnMut() -> bool,
    /// What is known of each position, of both sides.
    known: HashMap<u64, Numbers>,
}

impl<'s> Pursuit<'s> {
    pub(super) fn new(step: &'s mut dyn FnMut() -> bool) -> Self {
        Pursuit { step, known: HashMap::new() }
    }

    /// A win of the side to move, if found before `step` returns `false`: its first move and a continuation. Otherwise
    /// empty.
    pub(super) fn winning_line<const W: usize>(&mut self, position: &Position<W>, shapes: &Shapes<W>) -> Vec<u16> {
        match self.by_fours(shapes, position.side_to_move(), LONG_EFFORT) {
            Ok(Some(line)) => return line,
            Ok(None) => {}
            Err(Spent) => return Vec::new(),
        }
        let limits = Numbers { proof: NEVER, disproof: NEVER, plies: 0 };
        match self.attack(Place { position, shapes }, limits, MOST) {
            Ok(Numbers { proof: 0, .. }) => self.line(*position, shapes.clone()),
            _ => Vec::new(),
        }
    }

    /// The moves that leave the opponent a win by fours, as far as found before `step` returns `false`.
    pub(super) fn losing_moves<const W: usize>(&mut self, position: &Position<W>, shapes: &Shapes<W>) -> Vec<u16> {
        let side = position.side_to_move();
        // Test likely moves first.
        let mut cells: Vec<usize> = (position.empty & !shapes.forbidden(position)).iter().collect();
        cells.sort_by_key(|&cell| std::cmp::Reverse(shapes.at(side, cell).rank));
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

    /// The numbers of a position in which the attacker moves, as soon as they reach the limits.
    fn attack<const W: usize>(&mut self, place: Place<'_, W>, limits: Numbers, most: u8) -> Result<Numbers, Spent> {
        let Place { position, shapes } = place;
        let side = position.side_to_move();
        if !self.known.contains_key(&position.hash()) {
            if let Some(line) = self.by_fours(shapes, side, EFFORT)? {
                return Ok(self.learn(position, Numbers::won(line.len() as u16)));
            }
        } else if !(self.step)() {
            return Err(Spent);
        }
        if most == 0 {
            return Ok(self.learn(position, Numbers::NONE));
        }
        let mut open: Vec<Open> = Vec::new();
        for mv in attacks(place) {
            match self.numbers_of(&position.after(mv)) {
                Numbers { proof: 0, plies, .. } => return Ok(self.learn(position, Numbers::won(plies + 1))),
                Numbers { disproof: 0, .. } => {}
                numbers => open.push(Open { mv, numbers }),
            }
        }
        loop {
            let Some((place, second)) = least(&open, |numbers| numbers.proof) else {
                return Ok(self.learn(position, Numbers::NONE));
            };
            let most_difficult = open.iter().map(|open| open.numbers.disproof).max().unwrap_or(0);
            let others = open.len() as u32 - 1;
            let best = open[place];
            let own = Numbers {
                proof: best.numbers.proof,
                disproof: most_difficult.saturating_add(others).min(NEVER - 1),
                plies: 0,
            };
            if own.reach(limits) {
                return Ok(self.learn(position, own));
            }
            let limits =
                Numbers { proof: limits.proof.min(beyond(second)), disproof: limits.disproof - others, plies: 0 };
            let next = position.after(best.mv);
            let mut changed = shapes.clone();
            changed.place(best.mv.into(), side);
            match self.defend(Place { position: &next, shapes: &changed }, side, limits, most - 1)? {
                Numbers { proof: 0, plies, .. } => return Ok(self.learn(position, Numbers::won(plies + 1))),
                Numbers { disproof: 0, .. } => drop(open.swap_remove(place)),
                numbers => open[place].numbers = numbers,
            }
        }
    }

    /// The numbers of a position in which the defender moves, as soon as they reach the limits. `side` is the attacker.
    fn defend<const W: usize>(
        &mut self,
        place: Place<'_, W>,
        side: Side,
        limits: Numbers,
        most: u8,
    ) -> Result<Numbers, Spent> {
        let Place { position, shapes } = place;
        let replies = match defend_by(place, side) {
            Defence::NotNeeded => return Ok(self.learn(position, Numbers::NONE)),
            Defence::TooLate => return Ok(self.learn(position, Numbers::won(2))),
            Defence::By(replies) => replies,
        };
        let mut longest = 0;
        let mut open: Vec<Open> = Vec::new();
        for mv in replies {
            let next = position.after(mv);
            if next.outcome().is_some() {
                return Ok(self.learn(position, Numbers::NONE));
            }
            match self.numbers_of(&next) {
                Numbers { disproof: 0, .. } => return Ok(self.learn(position, Numbers::NONE)),
                Numbers { proof: 0, plies, .. } => longest = longest.max(plies),
                numbers => open.push(Open { mv, numbers }),
            }
        }
        loop {
            let Some((place, second)) = least(&open, |numbers| numbers.disproof) else {
                return Ok(self.learn(position, Numbers::won(longest + 1)));
            };
            let most_difficult = open.iter().map(|open| open.numbers.proof).max().unwrap_or(0);
            let others = open.len() as u32 - 1;
            let best = open[place];
            let own = Numbers {
                proof: most_difficult.saturating_add(others).min(NEVER - 1),
                disproof: best.numbers.disproof,
                plies: 0,
            };
            if own.reach(limits) {
                return Ok(self.learn(position, own));
            }
            let limits =
                Numbers { proof: limits.proof - others, disproof: limits.disproof.min(beyond(second)), plies: 0 };
            let next = position.after(best.mv);
            let mut changed = shapes.clone();
            changed.place(best.mv.into(), side.other());
            match self.attack(Place { position: &next, shapes: &changed }, limits, most)? {
                Numbers { disproof: 0, .. } => return Ok(self.learn(position, Numbers::NONE)),
                Numbers { proof: 0, plies, .. } => {
                    longest = longest.max(plies);
                    open.swap_remove(place);
                }
                numbers => open[place].numbers = numbers,
            }
        }
    }

    fn numbers_of<const W: usize>(&self, position: &Position<W>) -> Numbers {
        self.known.get(&position.hash()).copied().unwrap_or(Numbers::UNKNOWN)
    }

    /// Remembers the numbers of a position.
    fn learn<const W: usize>(&mut self, position: &Position<W>, numbers: Numbers) -> Numbers {
        if self.known.len() >= MOST_REMEMBERED {
            // What is settled took longest to find.
            self.known.retain(|_, known| known.proof == 0);
        }
        self.known.insert(position.hash(), numbers);
        numbers
    }

    /// The moves of a win that was found, the replies being the longest defence.
    fn line<const W: usize>(&mut self, mut position: Position<W>, mut shapes: Shapes<W>) -> Vec<u16> {
        let side = position.side_to_move();
        let mut line = Vec::new();
        loop {
            let mut left = within(EFFORT);
            if let Some(fours) = line_of_fours(&shapes, side, &mut left) {
                line.extend(fours);
                return line;
            }
            let of_a_win = |known: &HashMap<u64, Numbers>, position: &Position<W>, mv: u16| {
                known.get(&position.after(mv).hash()).filter(|numbers| numbers.proof == 0).map(|numbers| numbers.plies)
            };
            let moves = attacks(Place { position: &position, shapes: &shapes });
            let wins = moves.into_iter().filter_map(|mv| Some((of_a_win(&self.known, &position, mv)?, mv)));
            let Some((_, mv)) = wins.min() else { return line };
            line.push(mv);
            position.play(mv);
            shapes.place(mv.into(), side);
            let replies = match defend_by(Place { position: &position, shapes: &shapes }, side) {
                Defence::By(replies) => replies,
                // One of the cells of the line, if it may be taken; or any other reply than the cells of the double threat.
                Defence::TooLate => {
                    let free = position.empty & !shapes.forbidden(&position);
                    let mut cells = (free & shapes.threats(side, Threat::Five)).iter();
                    let mut others = (free & !shapes.threats(side, Threat::OpenFour)).iter();
                    cells.next().or_else(|| others.next()).into_iter().map(|cell| cell as u16).collect()
                }
                Defence::NotNeeded => Vec::new(),
            };
            let longest = replies.into_iter().max_by_key(|&mv| of_a_win(&self.known, &position, mv));
            let Some(reply) = longest else { return line };
            line.push(reply);
            position.play(reply);
            shapes.place(reply.into(), side.other());
        }
    }
}

/// The threats that the side to move can make, the best one by its rank first; on the cell of a line that it must stop.
fn attacks<const W: usize>(Place { position, shapes }: Place<'_, W>) -> Vec<u16> {
    let side = position.side_to_move();
    let forced = shapes.threats(side.other(), Threat::Five);
    let fours = shapes.threats(side, Threat::Four) | shapes.threats(side, Threat::OpenFour);
    let threes = shapes.threats(side, Threat::Three);
    // If the opponent has an open three, only fours are faster.
    let doubles = shapes.double_threats(side.other());
    let moves = match (forced.count(), forced.iter().next()) {
        (0, _) if doubles.is_empty() => fours | threes,
        (0, _) => fours | threes & defences(shapes, position, doubles),
        (1, Some(cell)) => Bits::EMPTY.with(cell),
        _ => Bits::EMPTY,
    };
    let mut moves: Vec<u16> = (moves & !shapes.forbidden(position)).iter().map(|cell| cell as u16).collect();
    moves.sort_by_key(|&cell| std::cmp::Reverse(shapes.at(side, cell.into()).rank));
    moves
}

/// What the defender can do.
enum Defence {
    /// The attacker threatens nothing, or less than the defender.
    NotNeeded,
    /// Nothing stops the threat.
    TooLate,
    By(Vec<u16>),
}

/// The replies to the last move of `side`.
fn defend_by<const W: usize>(Place { position, shapes }: Place<'_, W>, side: Side) -> Defence {
    if !shapes.threats(side.other(), Threat::Five).is_empty() || position.outcome().is_some() {
        return Defence::NotNeeded;
    }
    let barred = shapes.forbidden(position);
    let mut fives = shapes.threats(side, Threat::Five).iter();
    match (fives.next(), fives.next()) {
        (Some(reply), None) if !barred.has(reply) => return Defence::By(vec![reply as u16]),
        (Some(_), _) => return Defence::TooLate,
        _ => {}
    }
    let doubles = shapes.double_threats(side);
    // An open four or two fours of the opponent are faster.
    if doubles.is_empty() || !(shapes.threats(side.other(), Threat::OpenFour) & !barred).is_empty() {
        return Defence::NotNeeded;
    }
    let fours = shapes.threats(side.other(), Threat::Four);
    let replies = (fours | defences(shapes, position, doubles)) & !barred;
    let replies: Vec<u16> = replies.iter().map(|cell| cell as u16).collect();
    if replies.is_empty() { Defence::TooLate } else { Defence::By(replies) }
}

/// Where the least number is, and the least number of the others.
fn least(open: &[Open], number: impl Fn(Numbers) -> u32) -> Option<(usize, u32)> {
    let (mut place, mut least, mut second) = (None, NEVER, NEVER);
    for (at, one) in open.iter().enumerate() {
        let number = number(one.numbers);
        if place.is_none() || number < least {
            (place, least, second) = (Some(at), number, if place.is_none() { NEVER } else { least });
        } else {
            second = second.min(number);
        }
    }
    place.map(|place| (place, second))
}

/// The limit that lets a search go on a little after another one has become more promising, which saves going back and forth.
const fn beyond(second: u32) -> u32 {
    second.saturating_add(1).saturating_add(second / 4)
}

#[cfg(test)]
mod tests {
    use super::super::fours::crowded;
    use super::super::renju::forbidden;
    use super::*;
    use crate::game::{Outcome, SplitMix64};

    fn winning_line(position: &Position<4>, shapes: &Shapes<4>, steps: u32) -> Vec<u16> {
        Pursuit::new(&mut within(steps)).winning_line(position, shapes)
    }

    #[test]
    fn after_the_first_move_of_a_win_every_reply_leaves_one() {
        let mut rng = SplitMix64::new(21);
        let (mut won, mut long) = (0, 0);
        while won < 20 || long < 8 {
            let name = ["gomoku", "gomokufreestyle", "renju"][rng.below(3)];
            let Some((position, shapes)) = crowded(name, 10 + rng.below(20), &mut rng) else { continue };
            let side = position.side_to_move();
            let line = winning_line(&position, &shapes, 20_000);
            if line.is_empty() || (line.len() < 9 && won > 12) {
                continue;
            }
            (won, long) = (won + 1, long + usize::from(line.len() >= 9));
            let end = line.iter().fold(position, |at, &mv| {
                assert!(!forbidden(&at).has(mv.into()), "{name} {position:?} {line:?}");
                at.after(mv)
            });
            assert_eq!(end.outcome(), Some(Outcome::Win(side)), "{name} {position:?} {line:?}");
            let (after, mut changed) = (position.after(line[0]), shapes.clone());
            changed.place(line[0].into(), side);
            if after.outcome().is_some() {
                continue;
            }
            for reply in (after.empty & !forbidden(&after)).iter() {
                let (mut shapes, at) = (changed.clone(), after.after(reply as u16));
                shapes.place(reply, side.other());
                assert!(at.outcome().is_none(), "{name} {position:?} {line:?}: {reply}");
                assert!(!winning_line(&at, &shapes, 400_000).is_empty(), "{name} {position:?} {line:?}: {reply}");
            }
        }
    }

    #[test]
    fn a_search_ends_at_the_first_no_and_finds_more_with_more_steps() {
        let mut rng = SplitMix64::new(22);
        let mut found = [0; 3];
        for _ in 0..300 {
            let Some((position, shapes)) = crowded("gomokufreestyle", 12 + rng.below(16), &mut rng) else { continue };
            for (found, most) in found.iter_mut().zip([30, 300, 3_000]) {
                let (mut asked, mut refused) = (0, 0);
                let mut step = || {
                    asked += 1;
                    refused += u32::from(asked > most);
                    asked <= most
                };
                let line = Pursuit::new(&mut step).winning_line(&position, &shapes);
                assert!(refused <= 1 && (refused == 0 || line.is_empty()), "{asked} {line:?}");
                *found += u32::from(!line.is_empty());
            }
        }
        assert!(found[0] + 10 < found[1] && found[1] + 10 < found[2], "{found:?}");
    }
}
