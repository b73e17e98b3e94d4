//! The position of awalé in two words, and the rules as arithmetic on them. Layer 2.
//!
//! A byte never exceeds 48, so sums and comparisons of many bytes at once cannot carry into the next: adding `128 - t` to every
//! byte sets the top bit of exactly those that hold `t` or more.

use std::fmt;
use std::marker::PhantomData;

use super::notation::board_text;
use super::rules::{Ending, GrandSlam, Rest, Variant};
use crate::game::{self, Outcome, Side, mix64};

/// One in each of the six house bytes of a row.
pub(super) const ONES: u64 = 0x0000_0101_0101_0101;
/// The six house bytes of a row.
const HOUSES: u64 = ONES * 0xFF;
/// The top bit of each house byte.
const TOPS: u64 = ONES * 0x80;
/// The first bit of the store in a row.
const STORE: u32 = 48;
/// The bit for the owner of a row.
const OWNER: u32 = 56;

/// The top bits of those houses of `row` that hold `threshold` (1 to 128) seeds or more.
#[inline]
pub(super) const fn at_least(row: u64, threshold: u64) -> u64 {
    ((row & HOUSES) + ONES * (128 - threshold)) & TOPS
}

/// The sum of the house bytes of `row`; the bytes above them are ignored.
#[inline]
pub(super) const fn sum(row: u64) -> u64 {
    ((row & HOUSES).wrapping_mul(ONES) >> 40) & 0xFF
}

/// The largest byte of a word.
#[inline]
pub(super) fn largest_byte(word: u64) -> u8 {
    if word == 0 { 0 } else { word.to_le_bytes().into_iter().max().unwrap_or(0) }
}

/// The seeds that sowing `house` captures, from [`Position::captures`].
#[inline]
pub(super) const fn captured(captures: u64, house: House) -> i32 {
    (captures >> (8 * house.index()) & 0xFF) as i32
}

/// A house of the side to move, 0 for its own first house (`A` or `a`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct House(u8);

impl House {
    /// House `index` of the mover's row, or `None` when no variant has so many.
    #[must_use]
    pub const fn new(index: usize) -> Option<House> {
        if index < 6 { Some(House(index as u8)) } else { None }
    }

    /// Its number, 0 to 5.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// The effect of sowing a house on the two rows.
#[derive(Clone, Copy)]
struct Sowing {
    /// Added to the mover's row; this also empties the origin.
    mine: u64,
    /// Added to the opponent's row.
    theirs: u64,
    /// The bytes of the opponent's houses that may be captured: the one of the last seed and those before it, as many as the
    /// variant allows. None when the last seed falls into the mover's row.
    reach: u64,
}

/// A [`Sowing`] for each house (6 of 8 are used, to save a bounds check) and number of seeds.
type SowingTable = [[Sowing; 64]; 8];

const fn sowing_table(houses: usize, capture_houses: usize) -> SowingTable {
    let mut table = [[Sowing { mine: 0, theirs: 0, reach: 0 }; 64]; 8];
    let mut origin = 0;
    while origin < houses {
        let mut sowing = Sowing { mine: 0, theirs: 0, reach: 0 };
        let mut at = origin;
        let mut seeds = 1;
        while seeds < 64 {
            at = (at + 1) % (2 * houses);
            if at == origin {
                at += 1;
            }
            sowing.reach = 0;
            if at < houses {
                sowing.mine += 1 << (8 * at);
            } else {
                let last = at - houses;
                sowing.theirs += 1 << (8 * last);
                let mut house = (last + 1).saturating_sub(capture_houses);
                while house <= last {
                    sowing.reach |= 0xFF << (8 * house);
                    house += 1;
                }
            }
            table[origin][seeds] = sowing;
            table[origin][seeds].mine = sowing.mine.wrapping_sub((seeds as u64) << (8 * origin));
            seeds += 1;
        }
        origin += 1;
    }
    table
}

/// Bits for each house in the words of [`taken_table`].
const TAKEN_BITS: usize = 5;

/// The seeds captured when the last seed of a first lap falls into each house of a row, in [`TAKEN_BITS`] bits a house,
/// for each set of houses with one seed (bits 0 to 5) and each set with two (bits 6 to 11).
const fn taken_table(capture_max: u8, capture_houses: usize) -> [u32; 4096] {
    let mut table = [0; 4096];
    let mut held = 0;
    while held < 4096 {
        let mut last = 0;
        while last < 6 {
            let (mut taken, mut house, mut count) = (0, last + 1, 0);
            while house > 0 && count < capture_houses {
                house -= 1;
                count += 1;
                match (held >> house & 1, held >> (house + 6) & 1) {
                    (1, 0) => taken += 2,
                    (0, 1) if capture_max == 3 => taken += 3,
                    _ => break,
                }
            }
            table[held] |= taken << (TAKEN_BITS * last);
            last += 1;
        }
        held += 1;
    }
    table
}

/// Marks a lap in [`landing_table`].
const LAP: u8 = 0x80;

/// Where the last seed falls, by house and number of seeds: a set of one of the opponent's houses, the empty set, or
/// [`LAP`].
const fn landing_table(houses: usize) -> [[u8; 64]; 6] {
    let mut table = [[0; 64]; 6];
    let mut origin = 0;
    while origin < houses {
        let mut seeds = 1;
        while seeds < 64 {
            let last = origin + seeds;
            table[origin][seeds] = if seeds >= 2 * houses {
                LAP
            } else if houses <= last && last < 2 * houses {
                1 << (last - houses)
            } else {
                0
            };
            seeds += 1;
        }
        origin += 1;
    }
    table
}

/// The members of each set of houses in ascending order, and how many they are.
static MEMBERS: [([House; 6], usize); 64] = {
    let mut table = [([House(0); 6], 0); 64];
    let mut set = 0;
    while set < 64 {
        let mut house = 0;
        while house < 6 {
            if set >> house & 1 == 1 {
                table[set].0[table[set].1] = House(house);
                table[set].1 += 1;
            }
            house += 1;
        }
        set += 1;
    }
    table
};

/// The members of a set of houses, in ascending order.
#[inline]
fn members(set: u8) -> impl Iterator<Item = House> {
    let mut left = set;
    std::iter::from_fn(move || {
        let house = House(left.trailing_zeros() as u8);
        (left != 0).then(|| {
            left &= left - 1;
            house
        })
    })
}

/// The set of houses whose top bits are in `tops`, as six bits: a product moves bit 8k + 7 to 42 + k, and no two of its
/// partial products fall on one bit.
#[inline]
const fn gathered(tops: u64) -> u8 {
    const FACTOR: u64 = 1 << 42 | 1 << 35 | 1 << 28 | 1 << 21 | 1 << 14 | 1 << 7;
    ((tops >> 7).wrapping_mul(FACTOR) >> 42 & 63) as u8
}

/// A position of awalé under the rules `V`: houses, stores and side to move.
///
/// In a finished game the seeds on the board stay where they are; [`Position::final_balance`] adds them.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Position<V> {
    mine: u64,
    theirs: u64,
    rules: PhantomData<V>,
}

impl<V: Variant> Position<V> {
    const SOWING: &'static SowingTable = {
        assert!(V::HOUSES <= 6 && V::TOTAL < 64, "the packed rows and the sowing table hold no more");
        assert!(V::CAPTURE_MAX == 2 || V::CAPTURE_MAX == 3, "the mask of captures knows these two");
        &sowing_table(V::HOUSES, V::CAPTURE_HOUSES)
    };

    const LANDINGS: &'static [[u8; 64]; 6] = &landing_table(V::HOUSES);
    const TAKEN: &'static [u32; 4096] = &taken_table(V::CAPTURE_MAX, V::CAPTURE_HOUSES);

    /// The position before the first move.
    #[must_use]
    pub const fn start() -> Position<V> {
        let row = (ONES & ((1 << (8 * V::HOUSES)) - 1)) * V::SEEDS as u64;
        Position { mine: row, theirs: row | 1 << OWNER, rules: PhantomData }
    }

    /// The position with these houses (South's row, then North's), South's and North's store, and side to move, or `None`
    /// when the number of houses or the total of the seeds is wrong.
    #[must_use]
    pub fn from_parts(houses: &[u8], stores: [u8; 2], side: Side) -> Option<Position<V>> {
        let total: u64 = houses.iter().chain(&stores).map(|&seeds| u64::from(seeds)).sum();
        if houses.len() != 2 * V::HOUSES || total != u64::from(V::TOTAL) {
            return None;
        }
        let row = |owner: usize| {
            let seeds = &houses[owner * V::HOUSES..][..V::HOUSES];
            let packed = seeds.iter().rev().fold(0, |row, &seeds| row << 8 | u64::from(seeds));
            packed | u64::from(stores[owner]) << STORE | (owner as u64) << OWNER
        };
        let (mine, theirs) = (row(side.index()), row(side.other().index()));
        Some(Position { mine, theirs, rules: PhantomData })
    }

    /// The board with these house bytes and empty stores. It is not a position of a game, as seeds are missing, but
    /// moves work in the same way.
    #[inline]
    pub(super) const fn from_rows(mine: u64, theirs: u64) -> Position<V> {
        Position { mine: mine & HOUSES, theirs: theirs & HOUSES | 1 << OWNER, rules: PhantomData }
    }

    /// The mover's row: houses, store, owner.
    #[inline]
    pub(super) const fn mine(&self) -> u64 {
        self.mine
    }

    /// The opponent's row: houses, store, owner.
    #[inline]
    pub(super) const fn theirs(&self) -> u64 {
        self.theirs
    }

    const fn row_of(&self, side: Side) -> u64 {
        if self.mine >> OWNER == side.index() as u64 { self.mine } else { self.theirs }
    }

    /// The seeds in house `house` (from 0) of `side`'s row.
    #[must_use]
    pub const fn seeds(&self, side: Side, house: usize) -> u8 {
        if house < V::HOUSES { (self.row_of(side) >> (8 * house)) as u8 } else { 0 }
    }

    /// The seeds in `side`'s store.
    #[must_use]
    pub const fn store(&self, side: Side) -> u8 {
        (self.row_of(side) >> STORE) as u8
    }

    /// The seeds that lie in the houses of both rows.
    #[must_use]
    pub const fn seeds_on_board(&self) -> u8 {
        (sum(self.mine) + sum(self.theirs)) as u8
    }

    /// Store of the side to move minus store of the opponent.
    #[must_use]
    #[inline]
    pub const fn store_balance(&self) -> i32 {
        (self.mine >> STORE & 0xFF) as i32 - (self.theirs >> STORE & 0xFF) as i32
    }

    /// Looks up what sowing `house` does.
    #[inline]
    fn sowing(&self, house: House) -> &'static Sowing {
        let seeds = self.mine >> (8 * house.0) & 63;
        &Self::SOWING[house.index() & 7][seeds as usize]
    }

    /// The two rows after sowing `house`, before anything is captured.
    #[inline]
    fn both_rows_after_sowing(&self, house: House) -> (u64, u64) {
        let sowing = self.sowing(house);
        (self.mine.wrapping_add(sowing.mine), self.theirs + sowing.theirs)
    }

    /// The two rows after sowing `house`, and the contents of the opponent's houses that are then captured, in their
    /// bytes.
    #[inline]
    fn sown(&self, house: House) -> (u64, u64, u64) {
        let sowing = self.sowing(house);
        let (mine, theirs) = self.both_rows_after_sowing(house);
        // A house that is captured differs from 2 in no bit except, where three counts too, the lowest.
        let differing = (theirs ^ (ONES * 2)) & (ONES * if V::CAPTURE_MAX == 3 { 0xFE } else { 0xFF });
        let broken = at_least(differing, 1) & sowing.reach;
        // All bits above the highest bit of `broken`, or all bits if there is none.
        let beyond = u64::MAX << (63 - (broken << 1 | 1).leading_zeros());
        let taken = theirs & sowing.reach & beyond;
        if matches!(V::GRAND_SLAM, GrandSlam::CapturesNothing) && taken == theirs & HOUSES {
            return (mine, theirs, 0);
        }
        (mine, theirs, taken)
    }

    /// The same board with the opponent to move.
    #[inline]
    pub(super) const fn passed(&self) -> Position<V> {
        Position { mine: self.theirs, theirs: self.mine, rules: PhantomData }
    }

    /// The number of seeds that sowing `house` captures.
    #[must_use]
    #[inline]
    pub fn captured(&self, house: House) -> u32 {
        sum(self.sown(house).2) as u32
    }

    /// The opponent's houses with one seed and those with two that are captured when another seed falls into them.
    #[inline]
    fn takable(&self) -> (u8, u8) {
        let two = at_least(self.theirs, 2);
        let ones = gathered(at_least(self.theirs, 1) & !two);
        (ones, if V::CAPTURE_MAX == 3 { gathered(two & !at_least(self.theirs, 3)) } else { 0 })
    }

    /// The houses where a last seed may capture: a set of the opponent's houses, and [`LAP`] if the mover has a house
    /// that sows a full lap. If it is empty, no move captures.
    #[inline]
    pub(super) fn aims(&self) -> u8 {
        let takable = gathered(at_least(self.theirs, 1) & !at_least(self.theirs, V::CAPTURE_MAX.into()));
        let mut landings = 0;
        let mut house = 0;
        while house < V::HOUSES {
            landings |= Self::LANDINGS[house][(self.mine >> (8 * house)) as usize & 63];
            house += 1;
        }
        landings & (takable | LAP)
    }

    /// A quick test whether at least one of these [`Position::aims`] captures. `false` may be wrong.
    #[inline]
    pub(super) fn some_aim_captures(&self, aims: u8) -> bool {
        // A row with three seeds in a house is never captured whole.
        aims & !LAP != 0 && at_least(self.theirs, 3) != 0
    }

    /// The seeds captured by a last seed in each of the opponent's houses on a first lap, where every house passed gets
    /// one seed.
    #[inline]
    fn taken(&self) -> impl Fn(usize) -> u64 {
        let (ones, twos) = self.takable();
        let taken = Self::TAKEN[usize::from(ones) | usize::from(twos) << 6];
        move |last| (taken >> (TAKEN_BITS * last)) as u64 & ((1 << TAKEN_BITS) - 1)
    }

    /// The houses that may be sown and sow a full lap.
    #[inline]
    fn laps(&self) -> impl Iterator<Item = House> {
        members(gathered(at_least(self.mine, 2 * V::HOUSES as u64)) & self.playable())
    }

    /// The most seeds that a move captures, with these [`Position::aims`].
    pub(super) fn most_captured(&self, aims: u8) -> u32 {
        if aims == 0 {
            return 0;
        }
        let taken = self.taken();
        let mut most = 0;
        let mut houses = aims & !LAP;
        while houses != 0 {
            most = most.max(taken(houses.trailing_zeros() as usize));
            houses &= houses - 1;
        }
        if most > sum(self.theirs) {
            return largest_byte(self.captures_with_care()).into();
        }
        let most = most as u32;
        if aims & LAP == 0 { most } else { self.laps().fold(most, |most, house| most.max(self.captured(house))) }
    }

    /// The seeds that sowing each house captures, in its byte; 0 for houses that cannot be sown.
    #[inline]
    pub(super) fn captures(&self) -> u64 {
        let aims = self.aims();
        if aims == 0 {
            return 0;
        }
        let taken = self.taken();
        let mut captures = 0;
        let mut house = 0;
        while house < V::HOUSES {
            let seeds = (self.mine >> (8 * house)) as usize & 63;
            // Wraps to a large number if the last seed does not reach the opponent's row.
            let last = (house + seeds).wrapping_sub(V::HOUSES);
            let byte = if last < V::HOUSES { taken(last) } else { 0 };
            captures |= byte << (8 * house);
            house += 1;
        }
        // A capture of the whole row takes more than the row held before, as at least one seed was sown into it.
        if u64::from(largest_byte(captures)) > sum(self.theirs) {
            return self.captures_with_care();
        }
        if aims & LAP == 0 {
            captures
        } else {
            self.laps().fold(captures, |all, house| all | u64::from(self.captured(house)) << (8 * house.0))
        }
    }

    #[cold]
    fn captures_with_care(&self) -> u64 {
        self.playable_houses().fold(0, |all, house| all | u64::from(self.captured(house)) << (8 * house.0))
    }

    /// The position after sowing `house`, which must capture nothing.
    #[inline]
    pub(super) fn after_sowing(&self, house: House) -> Position<V> {
        let (mine, theirs) = self.both_rows_after_sowing(house);
        Position { mine: theirs, theirs: mine, rules: PhantomData }
    }

    /// Whether this many more seeds give the side to move a majority.
    #[inline]
    pub(super) const fn wins_by_capturing(&self, gain: u32) -> bool {
        (self.mine >> STORE & 0xFF) as u32 + gain >= V::MAJORITY as u32
    }

    /// A quick test that no player runs out of seeds or moves by the next ply, and that the game does not end because
    /// few seeds are left. A majority may still end it. `false` may be wrong.
    ///
    /// Sowing leaves a row without seeds only if they all were in one house. Captures take a whole row only where the
    /// rules say so, and never from a house that held three seeds or more.
    #[inline]
    pub(super) fn goes_on(&self) -> bool {
        let slams = !matches!(V::GRAND_SLAM, GrandSlam::CapturesNothing);
        let theirs = at_least(self.theirs, if slams { 3 } else { 1 });
        // A ply captures at most three seeds from each of six houses.
        let stored = (self.mine >> STORE & 0xFF) + (self.theirs >> STORE & 0xFF);
        let many = V::FEW_SEEDS == 0 || stored + 18 + (V::FEW_SEEDS as u64) < V::TOTAL as u64;
        let mine = at_least(self.mine, 1);
        mine & mine.wrapping_sub(1) != 0 && theirs != 0 && many
    }

    /// A quick test that a position for which [`Position::goes_on`] holds keeps that property after any move that
    /// captures nothing and, with `captures`, after any move.
    #[inline]
    pub(super) fn goes_on_twice(&self, captures: bool) -> bool {
        // Of two houses with seeds, a move empties at most one by sowing, and captures none that held three.
        let two_hold = |row, seeds| at_least(row, seeds) & at_least(row, seeds).wrapping_sub(1) != 0;
        let slams = !matches!(V::GRAND_SLAM, GrandSlam::CapturesNothing);
        let stored = (self.mine >> STORE & 0xFF) + (self.theirs >> STORE & 0xFF);
        let many = V::FEW_SEEDS == 0 || stored + 36 + (V::FEW_SEEDS as u64) < V::TOTAL as u64;
        two_hold(self.theirs, if captures { 3 } else { 1 }) && two_hold(self.mine, if slams { 3 } else { 1 }) && many
    }

    /// Whether the opponent has a seed after `house` is sown.
    fn leaves_a_seed(&self, house: House) -> bool {
        let (_, theirs, taken) = self.sown(house);
        theirs & HOUSES != taken
    }

    /// The houses that may be sown on this board, bit 0 for the mover's first house. Ignores the ends of the game by
    /// [`Ending::Majority`] and [`Ending::FewSeeds`].
    #[must_use]
    #[inline]
    pub fn playable(&self) -> u8 {
        let occupied = gathered(at_least(self.mine, 1));
        let opponent = self.theirs & HOUSES;
        // A house with four or more seeds is never captured.
        let slam_is_possible = matches!(V::GRAND_SLAM, GrandSlam::OnlyIfForced) && at_least(opponent, 4) == 0;
        if opponent == 0 || slam_is_possible { self.playable_with_care(occupied) } else { occupied }
    }

    /// [`Position::playable`], house by house.
    #[inline]
    pub(super) fn playable_houses(&self) -> impl Iterator<Item = House> {
        members(self.playable())
    }

    /// The first house that may be sown, in a position for which [`Position::goes_on`] holds.
    #[inline]
    pub(super) fn first_playable(&self) -> Option<House> {
        if matches!(V::GRAND_SLAM, GrandSlam::OnlyIfForced) {
            return self.playable_houses().next();
        }
        Some(House((self.mine.trailing_zeros() / 8) as u8))
    }

    #[cold]
    fn playable_with_care(&self, occupied: u8) -> u8 {
        let (houses, count) = &MEMBERS[occupied as usize & 63];
        let good = houses[..*count].iter().filter(|house| self.leaves_a_seed(**house));
        let good = good.fold(0, |set, house| set | 1 << house.0);
        if good != 0 || (self.theirs & HOUSES == 0 && V::UNFED.is_some()) { good } else { occupied }
    }

    /// Whether the seeds in store end the game.
    #[inline]
    const fn is_decided_by_stores(&self) -> bool {
        let add = (128 - V::MAJORITY as u64) << STORE;
        let majority = ((self.mine + add) | (self.theirs + add)) & 0x80 << STORE != 0;
        let stored = (self.mine >> STORE & 0xFF) + (self.theirs >> STORE & 0xFF);
        majority || (V::FEW_SEEDS > 0 && stored + V::FEW_SEEDS as u64 >= V::TOTAL as u64)
    }

    /// Why the game is over, or `None` while it goes on.
    #[must_use]
    #[inline]
    pub fn ending(&self) -> Option<Ending> {
        let is_over = self.is_decided_by_stores()
            || self.mine & HOUSES == 0
            || (self.theirs & HOUSES == 0 && self.playable() == 0);
        if is_over { Some(self.reason()) } else { None }
    }

    #[cold]
    fn reason(&self) -> Ending {
        if self.store(Side::First).max(self.store(Side::Second)) >= V::MAJORITY {
            Ending::Majority
        } else if self.is_decided_by_stores() {
            Ending::FewSeeds
        } else if self.mine & HOUSES == 0 {
            Ending::NoSeeds
        } else {
            Ending::NoFeedingMove
        }
    }

    /// Seeds of the side to move minus seeds of the opponent, when the rest is divided in this way.
    fn shared(&self, rest: Rest) -> i32 {
        let (mine, theirs) = (sum(self.mine) as i32, sum(self.theirs) as i32);
        self.store_balance()
            + match rest {
                Rest::OwnSide => mine - theirs,
                Rest::Even => 0,
                Rest::MoverLessOne => mine + theirs - 2,
            }
    }

    /// The final balance for the side to move in a finished game, after the seeds left on the board are divided; `None`
    /// while the game goes on. After [`Ending::Majority`] and [`Ending::FewSeeds`] only the stores count.
    #[must_use]
    pub fn final_balance(&self) -> Option<i32> {
        let rest = match self.ending()? {
            Ending::Majority | Ending::FewSeeds => Rest::Even,
            Ending::NoSeeds => Rest::OwnSide,
            Ending::NoFeedingMove => V::UNFED.unwrap_or(Rest::OwnSide),
        };
        Some(self.shared(rest))
    }

    /// The result for a balance, for the side to move.
    fn outcome_of(&self, balance: i32) -> Outcome {
        use game::Position as _;
        match balance {
            0 => Outcome::Draw,
            1.. => Outcome::Win(self.side_to_move()),
            _ => Outcome::Win(self.side_to_move().other()),
        }
    }
}

impl<V: Variant> game::Position for Position<V> {
    type Move = House;

    /// Every house on the board. In a cycle no seed leaves the board and every house ends as it began. So the number m
    /// of seeds that step from a house to the next is the same for all neighbours, and m > 0, as something was sown. So
    /// some sowing enters each house: it drops a seed there, which a later sowing must carry off, or it is the house's
    /// own sowing after a full lap. Either way each house is sown at least once, and a ply sows one house.
    const MIN_CYCLE: u32 = 2 * V::HOUSES as u32;
    const MOVE_INDICES: usize = V::HOUSES;

    fn move_index(house: House) -> usize {
        house.index()
    }

    #[inline]
    fn side_to_move(&self) -> Side {
        if self.mine >> OWNER == 0 { Side::First } else { Side::Second }
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        self.ending()?;
        self.final_balance().map(|balance| self.outcome_of(balance))
    }

    #[inline]
    fn generate(&self, moves: &mut Vec<House>) {
        if self.is_decided_by_stores() {
            return;
        }
        // Copying a fixed length and truncating is faster than a push for each house.
        let (houses, count) = &MEMBERS[self.playable() as usize & 63];
        let base = moves.len();
        moves.extend_from_slice(houses);
        moves.truncate(base + count);
    }

    #[inline]
    fn play(&mut self, house: House) {
        let (mine, theirs, taken) = self.sown(house);
        self.mine = theirs - taken;
        self.theirs = mine + (taken.wrapping_mul(ONES << 8) & 0xFF << STORE);
    }

    #[inline]
    fn hash(&self) -> u64 {
        let spread = self.theirs.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        mix64(self.mine ^ spread ^ spread >> 32)
    }

    /// Captures: seeds never leave a store.
    #[inline]
    fn is_irreversible(&self, next: &Position<V>) -> bool {
        let stores = |position: &Position<V>| (position.mine >> STORE & 0xFF) + (position.theirs >> STORE & 0xFF);
        stores(self) != stores(next)
    }

    fn after_pass(&self) -> Option<Position<V>> {
        Some(self.passed())
    }

    fn captured_lead(&self) -> Option<i32> {
        Some(self.store_balance())
    }

    /// A house that now holds more than before must be sown by its owner, who moves every second ply.
    #[inline]
    fn may_return_to(&self, earlier: &Position<V>, plies: u32) -> bool {
        let then = if self.mine >> OWNER == earlier.mine >> OWNER { *earlier } else { earlier.passed() };
        let fuller = |now: u64, then: u64| (((now & HOUSES) + TOPS - ONES - (then & HOUSES)) & TOPS).count_ones();
        fuller(self.mine, then.mine) <= plies.div_ceil(2) && fuller(self.theirs, then.theirs) <= plies / 2
    }

    fn outcome_by_repetition(&self) -> Option<Outcome> {
        Some(self.outcome_of(self.shared(V::REPETITION)))
    }
}

impl<V: Variant> fmt::Debug for Position<V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&board_text(self))
    }
}
