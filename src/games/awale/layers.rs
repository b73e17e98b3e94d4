//! Awalé as a layered game: the layer of a board is the number of its seeds. Layer 2.
//!
//! A value is the seeds that the mover still wins from the board less those of the opponent, played to the end of the
//! board. A majority ends a game earlier, but that side then cannot lose its lead. So with a store balance b and bounds
//! low and high for the mover, b + low > 0 is a won game, b + low >= 0 is not lost, and b + high correspondingly. The
//! final margin is between b + low and b + high unless a majority ends the game first.
//!
//! This holds if the game had no earlier board with as many seeds, as after a capture, since a repetition ends a game.
//! In a search it holds for all boards of a layer that the line has entered by a capture, if each is looked up. Where a
//! repetition shares the rest evenly or gives it to neither side (`Awari`, `Tipe`), values are exact; where each side keeps
//! its row, there are bounds.

use std::marker::PhantomData;

use super::board::{House, ONES, Position, sum};
use super::count::boards;
use super::index;
use super::rules::{GrandSlam, Rest, Variant};
use crate::game::{Position as _, mix64};
use crate::tablebase::{Convention, Identity, Layered, Step};

/// The six house bytes of a row.
const HOUSES: u64 = ONES * 0xFF;

/// The layers of variant `V`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AwaleLayers<V>(PhantomData<V>);

impl<V> Default for AwaleLayers<V> {
    fn default() -> Self {
        AwaleLayers(PhantomData)
    }
}

impl<V: Variant> AwaleLayers<V> {
    /// A hash of the rules that the values depend on, and of the order of boards. The start position and the majority
    /// do not affect the values.
    fn rules_hash() -> u64 {
        /// Changes with the numbering of boards.
        const NUMBERING: u64 = 1;
        let rest = |rest: Rest| match rest {
            Rest::OwnSide => 1,
            Rest::Even => 2,
            Rest::MoverLessOne => 3,
        };
        let slam = match V::GRAND_SLAM {
            GrandSlam::CapturesNothing => 1,
            GrandSlam::OnlyIfForced => 2,
        };
        let parameters = [
            NUMBERING,
            V::HOUSES as u64,
            u64::from(V::CAPTURE_MAX),
            V::CAPTURE_HOUSES as u64,
            slam,
            V::UNFED.map_or(0, rest),
            rest(V::REPETITION),
            u64::from(V::FEW_SEEDS),
        ];
        parameters.into_iter().fold(1, |hash: u64, parameter| mix64(hash.wrapping_mul(31).wrapping_add(parameter)))
    }
}

/// The houses of a set, bit 0 for the mover's first.
#[inline]
fn members(set: u8) -> impl Iterator<Item = House> {
    (0..6).filter(move |house| set >> house & 1 == 1).filter_map(House::new)
}

impl<V: Variant> Layered for AwaleLayers<V> {
    type Board = Position<V>;

    const CONVENTION: Convention = match V::REPETITION {
        Rest::Even => Convention::Exact,
        Rest::OwnSide | Rest::MoverLessOne => Convention::Bounds,
    };

    fn identity(&self) -> Identity {
        Identity { name: V::NAME.into(), rules: Self::rules_hash(), convention: Self::CONVENTION }
    }

    fn top(&self) -> usize {
        usize::from(V::TOTAL)
    }

    fn size(&self, layer: usize) -> u64 {
        boards(2 * V::HOUSES as u64, layer as u64)
    }

    fn stake(&self, layer: usize) -> i8 {
        layer as i8
    }

    #[inline]
    fn layer(&self, board: &Position<V>) -> usize {
        usize::from(board.seeds_on_board())
    }

    #[inline]
    fn rank(&self, board: &Position<V>) -> u64 {
        index::rank::<V>(board.mine(), board.theirs())
    }

    fn unrank(&self, layer: usize, rank: u64) -> Position<V> {
        let (mine, theirs) = index::unrank::<V>(layer, rank);
        Position::from_rows(mine, theirs)
    }

    #[inline]
    fn next(&self, board: &Position<V>) -> Position<V> {
        let (mine, theirs) = index::next::<V>(board.mine(), board.theirs());
        Position::from_rows(mine, theirs)
    }

    #[inline]
    fn end(&self, board: &Position<V>) -> Option<i8> {
        let all = || board.seeds_on_board() as i8;
        if V::FEW_SEEDS > 0 && board.seeds_on_board() <= V::FEW_SEEDS {
            Some(0)
        } else if board.mine() & HOUSES == 0 {
            Some(-all())
        } else if board.theirs() & HOUSES == 0 && board.playable() == 0 {
            Some(match V::UNFED {
                Some(Rest::OwnSide) => all(),
                Some(Rest::MoverLessOne) => all() - 2,
                Some(Rest::Even) | None => 0,
            })
        } else {
            None
        }
    }

    #[inline]
    fn repetition(&self, board: &Position<V>) -> i8 {
        let (mine, theirs) = (sum(board.mine()) as i8, sum(board.theirs()) as i8);
        match V::REPETITION {
            Rest::OwnSide => mine - theirs,
            Rest::Even => 0,
            Rest::MoverLessOne => mine + theirs - 2,
        }
    }

    #[inline]
    fn step(&self, board: &Position<V>, next: Position<V>) -> Step<Position<V>> {
        let gain = board.seeds_on_board() - next.seeds_on_board();
        if gain > 0 {
            return Step::Down { gain: gain as i8, board: next };
        }
        self.end(&next).map_or(Step::Within(next), |value| Step::End(-value))
    }

    #[inline]
    fn steps(&self, board: &Position<V>, mut visit: impl FnMut(Step<Position<V>>)) {
        members(board.playable()).for_each(|house| visit(self.step(board, board.after(house))));
    }

    /// Reverses sowings. From an empty house of the side that has moved, takes one seed from each following house as
    /// long as they hold any. Each number of seeds taken gives a board that may be a parent, if its move captured
    /// nothing. The move was legal, as the side to move has seeds.
    #[inline]
    fn parents(&self, board: &Position<V>, mut visit: impl FnMut(Position<V>)) {
        for origin in 0..V::HOUSES {
            if board.theirs() >> (8 * origin) & 0xFF != 0 {
                continue;
            }
            // Before the move the rows were swapped.
            let mut rows = [board.theirs() & HOUSES, board.mine() & HOUSES];
            let mut at = origin;
            for hand in 1_u64.. {
                at = (at + 1) % (2 * V::HOUSES);
                if at == origin {
                    at += 1;
                }
                let (side, place) = (at / V::HOUSES, 8 * (at % V::HOUSES));
                if rows[side] >> place & 0xFF == 0 {
                    break;
                }
                rows[side] -= 1 << place;
                let parent = Position::from_rows(rows[0] | hand << (8 * origin), rows[1]);
                let last = board.mine() >> place & 0xFF;
                let may_capture = side == 1 && 2 <= last && last <= u64::from(V::CAPTURE_MAX);
                // A slam may be a move without captures: check with the rules.
                if !may_capture || House::new(origin).is_some_and(|house| parent.captured(house) == 0) {
                    visit(parent);
                }
            }
        }
    }
}
