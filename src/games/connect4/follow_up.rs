//! Claimeven: what a side guarantees by answering every move right above it, which decides most endings. Layer 2.
//!
//! ```text
//!   6 | B B .     Each column from its lowest free cell on: A is to move, and B always plays in the column that A has just
//!   5 | A A *     played in. A gets no other cells than those marked A. In a column with an odd number of free cells the
//!   4 | B x A     last one has nothing above it, and B would have to begin elsewhere. If B completes a line in such a
//!   3 | A o o     column (*), it is never filled, and B wins at the latest when A has nothing else left to play.
//! ```
//! CITE: V. Allis, "A Knowledge-based Approach of Connect-Four", 1988 (claimeven, zugzwang control).

use super::Parameters;
use super::rules::has_line;

/// What the side that answers can guarantee.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FollowUp {
    /// Nothing proven.
    Open,
    /// It does not lose.
    Holds,
    /// It wins, in at most this many plies.
    Wins(u32),
}

/// The lowest of these cells in every column, or the spare bit of a column without any.
fn lowest_or_spare(parameters: &Parameters, cells: u64) -> u64 {
    let with_spare = cells | parameters.bottom << parameters.rows;
    // Subtracting one from each column clears its lowest bit and keeps all higher ones.
    with_spare & !(with_spare - parameters.bottom)
}

/// The lowest of these cells in every column that has one.
pub(super) fn lowest(parameters: &Parameters, cells: u64) -> u64 {
    lowest_or_spare(parameters, cells) & parameters.cells
}

/// The lowest of these cells in every column that has one, and all cells above it.
pub(super) fn from_lowest(parameters: &Parameters, cells: u64) -> u64 {
    (parameters.bottom << parameters.rows) - lowest_or_spare(parameters, cells)
}

/// The free cells that the side to begin gets, and those that the side answering above gets, from the lowest free cells
/// on.
#[inline]
fn shares(parameters: &Parameters, playable: u64) -> (u64, u64) {
    let ranks = parameters.odd_ranks;
    let (on_odd, on_even) = (from_lowest(parameters, playable & ranks), from_lowest(parameters, playable & !ranks));
    (on_odd & ranks | on_even & !ranks, on_odd & !ranks | on_even & ranks)
}

/// What `owner`, whose opponent `other` is to move, can guarantee by answering above; `threats` are cells on which the
/// owner completes a line.
#[inline]
pub(super) fn answering(parameters: &Parameters, owner: u64, other: u64, playable: u64, threats: u64) -> FollowUp {
    let (theirs, ours) = shares(parameters, playable);
    let odd = theirs & parameters.bottom << (parameters.rows - 1);
    // A column ends where the owner completes a line.
    let beyond = from_lowest(parameters, threats & ours);
    if odd & !beyond != 0 {
        return FollowUp::Open;
    }
    let reached = theirs & !beyond;
    if has_line(parameters, other | reached) {
        FollowUp::Open
    } else if beyond != 0 || has_line(parameters, owner | ours) {
        FollowUp::Wins(2 * reached.count_ones())
    } else {
        FollowUp::Holds
    }
}

/// What `owner`, who is to move and cannot complete a line at once, can guarantee by one move and then answering above.
#[inline]
pub(super) fn beginning(parameters: &Parameters, owner: u64, other: u64, playable: u64, threats: u64) -> FollowUp {
    let (ours, theirs) = shares(parameters, playable);
    // As if the opponent were to move; the move changes one column.
    let odd = ours & parameters.bottom << (parameters.rows - 1);
    let unguarded = odd & !from_lowest(parameters, threats & theirs);
    if unguarded & unguarded.wrapping_sub(1) != 0 {
        return FollowUp::Open;
    }
    let mut best = FollowUp::Open;
    let mut rest = playable;
    while rest != 0 {
        let cell = rest & rest.wrapping_neg();
        rest ^= cell;
        let column = from_lowest(parameters, cell);
        // A column that the move makes odd needs a guard.
        let helps = if unguarded != 0 { unguarded & column } else { (odd | threats & ours) & column };
        if helps == 0 {
            continue;
        }
        let next = playable ^ cell | cell << 1 & parameters.cells;
        match answering(parameters, owner | cell, other, next, threats & !cell) {
            FollowUp::Wins(plies) => return FollowUp::Wins(plies + 1),
            FollowUp::Holds => best = FollowUp::Holds,
            FollowUp::Open => {}
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::super::brute_force::{Known, value};
    use super::super::parse_parameters;
    use super::super::rules::Position;
    use super::*;
    use crate::game::{Position as _, SplitMix64};
    use crate::score::Score;
    use griot_testing::{Cases, full_run, sample};

    #[test]
    fn what_following_up_makes_sure_of_is_what_brute_force_finds() {
        let Cases { seed, rounds } = sample(5, 200, 20);
        let mut rng = SplitMix64::new(seed);
        // How often a hold and a win were reported, for the side that begins and the side that answers.
        let mut told = [[0; 2]; 2];
        for (name, free) in [
            ("connect4", 13),
            ("connect4:5,4,4", 15),
            ("connect4:4,5,3", 15),
            ("connect4:5,4,3", 13),
            ("connect4:6,3,3", 13),
            ("connect4:3,5,3", 15),
            ("connect4:4,6,4", 14),
        ] {
            let board = parse_parameters(name).unwrap();
            let mut known = Known::new();
            for _ in 0..rounds {
                let mut position = Position::start(board);
                let mut moves = Vec::new();
                while position.outcome().is_none() {
                    let side = position.side_to_move();
                    let cells = [side, side.other()].map(|side| position.stones(side));
                    let threats = [side, side.other()].map(|side| position.winning_cells(side));
                    let playable = position.playable();
                    if position.free().count_ones() <= free && threats[0] & playable == 0 {
                        let best = value(&position, &mut known);
                        let parameters = position.parameters();
                        let begins = beginning(parameters, cells[0], cells[1], playable, threats[0]);
                        let answers = answering(parameters, cells[1], cells[0], playable, threats[1]);
                        // For the side to move, and for the other side.
                        for ((what, best), told) in [(begins, best), (answers, -best)].into_iter().zip(&mut told) {
                            let least = match what {
                                FollowUp::Wins(plies) => Score::win_in(plies),
                                FollowUp::Holds => Score::DRAW,
                                FollowUp::Open => Score::MINUS_INFINITY,
                            };
                            assert!(best >= least, "{position:?} {best:?} {what:?}");
                            told[0] += u32::from(what == FollowUp::Holds);
                            told[1] += u32::from(matches!(what, FollowUp::Wins(_)));
                        }
                    }
                    moves.clear();
                    position.generate(&mut moves);
                    position.play(moves[rng.below(moves.len())]);
                }
            }
        }
        assert!(!full_run() || told.iter().flatten().all(|&times| times > 70), "{told:?}");
    }

    #[test]
    fn what_is_made_sure_of_stays_so_after_the_answer() {
        let mut rng = SplitMix64::new(6);
        let (mut kept, mut wins) = (0, 0);
        for (number, name) in (0..1200).zip(["connect4", "connect4:5,4,3", "connect4:4,6,4"].into_iter().cycle()) {
            let mut position = Position::start(parse_parameters(name).unwrap());
            let mut before = FollowUp::Open;
            while position.outcome().is_none() {
                let side = position.side_to_move();
                let [mine, theirs] = [side, side.other()].map(|side| position.stones(side));
                let (playable, threats) = (position.playable(), position.winning_cells(side));
                let wins_at_once = threats & playable != 0;
                if !wins_at_once {
                    let now = beginning(position.parameters(), mine, theirs, playable, threats);
                    match (before, now) {
                        (FollowUp::Wins(plies), FollowUp::Wins(left)) => assert!(left < plies, "{number} {position:?}"),
                        (FollowUp::Wins(_), _) | (FollowUp::Holds, FollowUp::Open) => panic!("{position:?} {now:?}"),
                        _ => {}
                    }
                    kept += u32::from(before != FollowUp::Open);
                    wins += u32::from(matches!(before, FollowUp::Wins(_)));
                }
                // What the opponent has, whatever is played now.
                before = match wins_at_once {
                    true => FollowUp::Open,
                    false => {
                        answering(position.parameters(), theirs, mine, playable, position.winning_cells(side.other()))
                    }
                };
                let mut moves = Vec::new();
                position.generate(&mut moves);
                position.play(moves[rng.below(moves.len())]);
            }
        }
        assert!(kept > 80 && wins > 30, "{kept} {wins}");
    }

    #[test]
    fn a_single_column_is_held_by_who_gets_its_last_cell() {
        let upright = parse_parameters("connect4:1,6,2").unwrap();
        assert_eq!(answering(&upright, 0, 0, upright.bottom, 0), FollowUp::Holds);
        assert_eq!(beginning(&upright, 0, 0, upright.bottom, 0), FollowUp::Open);
        let odd = parse_parameters("connect4:1,5,2").unwrap();
        assert_eq!(answering(&odd, 0, 0, odd.bottom, 0), FollowUp::Open);
        assert_eq!(beginning(&odd, 0, 0, odd.bottom, 0), FollowUp::Holds);
        // With a line to complete on the fourth cell, the side that answers wins there, odd or not.
        assert_eq!(answering(&odd, 0, 0, odd.bottom, 1 << 3), FollowUp::Wins(4));
        assert_eq!(answering(&odd, 0, 0, odd.bottom, 1 << 2), FollowUp::Open, "the other side gets that cell");
    }

    #[test]
    fn what_is_lowest_is_found_column_by_column() {
        let mut rng = SplitMix64::new(2);
        for name in ["connect4", "connect4:9,6,4", "connect4:1,63,4", "connect4:26,1,3", "connect4:8,7,4"] {
            let parameters = parse_parameters(name).unwrap();
            for _ in 0..200 {
                let cells = rng.next_u64() & rng.next_u64() & rng.next_u64() & parameters.cells;
                let (mut low, mut from) = (0, 0);
                for col in 0..parameters.cols() {
                    let column = cells & parameters.column(col.into());
                    let first = column & column.wrapping_neg();
                    low |= first;
                    for row in 0..parameters.rows() {
                        let cell = 1_u64 << parameters.bit(col, row);
                        from |= if first != 0 && cell >= first { cell } else { 0 };
                    }
                }
                assert_eq!(lowest(&parameters, cells), low, "{name} {cells:x}");
                assert_eq!(from_lowest(&parameters, cells), from, "{name} {cells:x}");
            }
        }
    }
}
