//! The fitted evaluation: patterns of men, kings, and the turn, between two stages of the game. Layer 2.
//!
//! A region is a rectangle of four rows by two squares; which of them have white and black men is a number in base 3. Regions
//! overlap and cover the board. Each of the first half of the regions is looked up twice: as it stands, and as Black sees it, turned
//! round with the colours changed, with the opposite sign; so both sides are valued alike.
//!
//! ```text
//!   8x8: 3 times 3 regions, 5 looked up       10x10: 4 times 4 regions, 8 looked up
//!   squares of a region        . 0 . 1        number: sum of (1 for a white man, 2 for a black one) * 3^square
//!                              2 . 3 .
//!                              . 4 . 5        weights: one of the opening (all pieces) and one of the ending (none) each,
//!                              6 . 7 .        mixed by the number of pieces; hundredths of a man, for White
//! ```
//!
//! CITE: F. Letouzey, Scan 2, 2015 (sixteen overlapping squares of men, two stages, fitted to games by logistic regression).

use std::sync::{Arc, OnceLock};

use super::board::{Position, square_of};
use super::rule_sets::{Color, RULES};

/// Squares of a region, and the patterns on it.
const SQUARES: usize = 8;
const PATTERNS: usize = 6561;

/// The features besides patterns: men, kings, kings on the long diagonal, the side to move, men on the own first row, free steps of
/// men, and the move ([`Position::has_the_move`]) between equal numbers of pieces; then kings on each square, as White sees it.
const OTHERS: usize = 7;

/// The stages.
const STAGES: usize = 2;

/// The files that come with the crate, by rule set.
const FILES: [(&str, &[u8]); 3] = [
    ("english", include_bytes!("english.bin")),
    ("international", include_bytes!("international.bin")),
    ("russian", include_bytes!("russian.bin")),
];

/// The rule sets that use the weights of another one on a board of the same size. Those without any are valued by counts.
const ALIKE: [(&str, &str); 2] = [("brazilian", "russian"), ("pool", "russian")];

/// Marks a run of zeros in a file; the next byte counts them.
const ZEROS: u8 = 0;

/// For eight squares as bits: the number in base 3 that they make, and the same from the last to the first.
const BASE_3: [[u16; 256]; 2] = {
    let mut all = [[0; 256]; 2];
    let mut bits = 0;
    while bits < 256 {
        let (mut square, mut power) = (0, 1);
        while square < SQUARES {
            if bits >> square & 1 == 1 {
                all[0][bits] += power;
            }
            if bits >> (SQUARES - 1 - square) & 1 == 1 {
                all[1][bits] += power;
            }
            power *= 3;
            square += 1;
        }
        bits += 1;
    }
    all
};

/// The number of regions that are looked up on a board.
#[must_use]
pub const fn regions(size: u32) -> usize {
    let all = (size / 2 - 1) * (size / 2 - 1);
    all.div_ceil(2) as usize
}

/// The number of features of a board: patterns, then the others.
#[must_use]
pub const fn features(size: u32) -> usize {
    regions(size) * PATTERNS + OTHERS + (size * size / 2) as usize
}

/// Weights for one size of board.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Patterns {
    size: u32,
    /// For each feature, both stages.
    weights: Vec<[i16; STAGES]>,
}

/// Calls `add` with each feature of a position and how often it counts, for White.
#[inline]
fn visit(position: &Position, mut add: impl FnMut(usize, i32)) {
    let rules = position.rules();
    let (size, half) = (rules.size, rules.size / 2);
    let pair = size + 3;
    let odd = half + 1 + u32::from(rules.mirrored);
    let men = [position.men(Color::White), position.men(Color::Black)];
    let across = half - 1;
    let all = (across * across) as usize;
    // The men of both sides in a region, as eight bits.
    let region = |number: u32| {
        let first = number / across * pair + number % across;
        men.map(|men| {
            let at = men >> first;
            (at & 3 | (at >> odd & 3) << 2 | (at >> pair & 3) << 4 | (at >> (pair + odd) & 3) << 6) as usize
        })
    };
    for number in 0..regions(size) {
        let [white, black] = region(number as u32);
        let as_white = BASE_3[0][white] + 2 * BASE_3[0][black];
        let [white, black] = region((all - 1 - number) as u32);
        let as_black = BASE_3[1][black] + 2 * BASE_3[1][white];
        if as_white != as_black {
            add(number * PATTERNS + usize::from(as_white), 1);
            add(number * PATTERNS + usize::from(as_black), -1);
        }
    }
    let others = regions(size) * PATTERNS;
    let kings = [Color::White, Color::Black].map(|color| position.kings_of(color));
    let difference = |of: [u64; 2]| of[0].count_ones() as i32 - of[1].count_ones() as i32;
    add(others, difference(men));
    if kings != [0; 2] {
        add(others + 1, difference(kings));
        add(others + 2, difference(kings.map(|kings| kings & position.main_road())));
        let last = size * half - 1;
        for (mut kings, is_white) in kings.into_iter().zip([true, false]) {
            while kings != 0 {
                let square = square_of(rules, kings.trailing_zeros());
                kings &= kings - 1;
                let (square, sign) = if is_white { (square, 1) } else { (last - square, -1) };
                add(others + OTHERS + square as usize, sign);
            }
        }
    }
    add(others + 3, if position.turn == Color::White { 1 } else { -1 });
    let first_row = [Color::Black, Color::White].map(|color| position.crown_row(color));
    add(others + 4, difference([men[0] & first_row[0], men[1] & first_row[1]]));
    if position.pieces[0].count_ones() == position.pieces[1].count_ones() {
        add(others + 6, if position.has_the_move() == (position.turn == Color::White) { 1 } else { -1 });
    }
    let steps = [Color::White, Color::Black].map(|color| position.steps(color));
    add(others + 5, difference(steps.map(|[left, _]| left)) + difference(steps.map(|[_, right]| right)));
}

/// The share of the opening in the value of a position, from 0 to 1.
#[must_use]
pub fn opening_share(position: &Position) -> f32 {
    let (pieces, all) = pieces(position);
    pieces as f32 / all as f32
}

/// Pieces on the board, and at the start.
#[inline]
fn pieces(position: &Position) -> (i32, i32) {
    let pieces = (position.pieces[0] | position.pieces[1]).count_ones() as i32;
    (pieces, (position.rules().rows * position.rules().size) as i32)
}

/// The features of a position, and how often each counts, for White.
#[must_use]
pub fn features_of(position: &Position) -> Vec<(u32, i8)> {
    let mut found = Vec::new();
    visit(position, |feature, count| {
        if count != 0 {
            found.push((feature as u32, count as i8));
        }
    });
    found
}

impl Patterns {
    /// Weights for boards of this size, two for each of its [`features`].
    #[must_use]
    pub fn new(size: u32, weights: Vec<[i16; STAGES]>) -> Option<Patterns> {
        (weights.len() == features(size)).then_some(Patterns { size, weights })
    }

    /// Weights that count men and kings alone, in hundredths of a man.
    #[must_use]
    pub fn by_material(size: u32, king: i16) -> Patterns {
        let mut weights = vec![[0; STAGES]; features(size)];
        let others = regions(size) * PATTERNS;
        weights[others] = [100; STAGES];
        weights[others + 1] = [king; STAGES];
        Patterns { size, weights }
    }

    /// The weights that come with the crate for a rule set, unpacked on first use; nothing where there are none.
    #[must_use]
    pub fn fitted(kind: u8) -> Option<Arc<Patterns>> {
        static FITTED: [OnceLock<Option<Arc<Patterns>>>; RULES.len()] = [const { OnceLock::new() }; RULES.len()];
        let read = || {
            let rules = &RULES[usize::from(kind)];
            let name = ALIKE.iter().find(|(name, _)| *name == rules.name).map_or(rules.name, |(_, alike)| alike);
            let (_, file) = FILES.iter().find(|(own, _)| *own == name)?;
            Patterns::read(rules.size, file).ok().map(Arc::new)
        };
        FITTED.get(usize::from(kind))?.get_or_init(read).clone()
    }

    /// The value for White, in hundredths of a man.
    #[inline]
    #[must_use]
    pub fn value(&self, position: &Position) -> i32 {
        let (mut opening, mut ending) = (0, 0);
        visit(position, |feature, count| {
            let [first, last] = self.weights[feature];
            opening += i32::from(first) * count;
            ending += i32::from(last) * count;
        });
        let (pieces, all) = pieces(position);
        (opening * pieces + ending * (all - pieces)) / all
    }

    /// The size of the board.
    #[must_use]
    pub fn size(&self) -> u32 {
        self.size
    }

    /// The file of these weights: each as a number of seven bits a byte, the lowest first, its sign in the lowest bit; runs of zeros
    /// as a zero and their count.
    #[must_use]
    pub fn pack(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut zeros = 0_u8;
        // All of the opening, then all of the ending.
        for weight in (0..STAGES).flat_map(|stage| self.weights.iter().map(move |weights| weights[stage])) {
            if weight == 0 && zeros < u8::MAX {
                zeros += 1;
                continue;
            }
            if zeros > 0 {
                bytes.extend([ZEROS, std::mem::take(&mut zeros)]);
            }
            if weight == 0 {
                zeros = 1;
                continue;
            }
            let mut left = (i32::from(weight) << 1 ^ i32::from(weight) >> 15) as u32;
            while left >= 1 << 7 {
                bytes.push(left as u8 | 1 << 7);
                left >>= 7;
            }
            bytes.push(left as u8);
        }
        if zeros > 0 {
            bytes.extend([ZEROS, zeros]);
        }
        bytes
    }

    /// Reads a file for boards of this size.
    ///
    /// # Errors
    /// When it does not hold as many weights as there are.
    pub fn read(size: u32, file: &[u8]) -> Result<Patterns, String> {
        let expected = STAGES * features(size);
        let mut all: Vec<i16> = Vec::with_capacity(expected);
        let mut bytes = file.iter().copied();
        while let Some(byte) = bytes.next() {
            if all.len() > expected {
                break;
            }
            if byte == ZEROS {
                let run = bytes.next().unwrap_or_default();
                all.extend(std::iter::repeat_n(0, run.into()));
                continue;
            }
            let (mut left, mut shift, mut last) = (u32::from(byte & 127), 7, byte);
            while last >= 1 << 7 && shift < 28 {
                last = bytes.next().unwrap_or_default();
                left |= u32::from(last & 127) << shift;
                shift += 7;
            }
            all.push(((left >> 1) as i32 ^ -((left & 1) as i32)) as i16);
        }
        if all.len() != expected {
            return Err(format!("expected {expected} weights of patterns on {size} by {size}, found {}", all.len()));
        }
        let (opening, ending) = all.split_at(expected / STAGES);
        Ok(Patterns { size, weights: opening.iter().zip(ending).map(|(&first, &last)| [first, last]).collect() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Position as _, SplitMix64};

    #[test]
    fn weights_read_back_as_they_were_written() {
        let mut rng = SplitMix64::new(3);
        for size in [8, 10] {
            let mut random = || if rng.below(3) == 0 { (rng.below(2001) as i16) - 1000 } else { 0 };
            let mut weights: Vec<[i16; 2]> = (0..features(size)).map(|_| [random(), random()]).collect();
            weights[300..900].fill([0, 0]);
            weights[7] = [i16::MIN, i16::MAX];
            let patterns = Patterns::new(size, weights).unwrap();
            let file = patterns.pack();
            assert_eq!(Patterns::read(size, &file).as_ref(), Ok(&patterns));
            assert!(
                Patterns::read(size, &file[..file.len() / 2]).is_err() && Patterns::read(18 - size, &file).is_err()
            );
        }
        assert_eq!(Patterns::new(8, vec![[0, 0]; 5]), None);
    }

    /// Turned round with the colours changed, a position has the opposite value for White.
    #[test]
    fn both_sides_are_valued_alike() {
        let mut rng = SplitMix64::new(5);
        for (kind, rules) in (0..).zip(&RULES) {
            let random: Vec<[i16; 2]> =
                (0..features(rules.size)).map(|_| [rng.below(99) as i16, rng.below(99) as i16]).collect();
            let patterns = Patterns::new(rules.size, random).unwrap();
            let mut position = Position::start(kind);
            for _ in 0..60 {
                let mut moves = Vec::new();
                position.generate(&mut moves);
                if moves.is_empty() {
                    break;
                }
                position.play(moves[rng.below(moves.len())]);
                let turned = position.turned();
                assert_eq!(patterns.value(&turned), -patterns.value(&position), "{}: {position:?}", rules.name);
                assert_eq!(turned.turned(), position);
            }
        }
    }

    #[test]
    fn the_weights_that_come_with_the_crate_know_what_a_man_and_a_king_are_worth() {
        for (kind, rules) in (0..).zip(&RULES) {
            let names = FILES.map(|(name, _)| name).into_iter().chain(ALIKE.map(|(name, _)| name));
            let has_file = names.into_iter().any(|name| name == rules.name);
            let fitted = Patterns::fitted(kind);
            assert_eq!(fitted.is_some(), has_file, "{}", rules.name);
            let Some(fitted) = fitted else { continue };
            let start = Position { turn: Color::White, ..Position::start(kind) };
            // Without the black man of the lowest bit; with a king in its place.
            let man = start.pieces[1] & start.pieces[1].wrapping_neg();
            let fewer = Position { pieces: [start.pieces[0], start.pieces[1] & !man], ..start };
            let king = Position { kings: man, ..start };
            let value = |position: &Position| fitted.value(position);
            assert!(value(&start).abs() < 40 && value(&fewer) > value(&start) + 30, "{}", rules.name);
            assert!(value(&king) < value(&start) - 20, "{}", rules.name);
        }
    }

    #[test]
    fn counting_material_counts_men_and_kings() {
        let patterns = Patterns::by_material(8, 140);
        let position = Position { turn: Color::White, ..Position::start(1) };
        assert_eq!(patterns.value(&position), 0);
        let fewer =
            Position { pieces: [position.pieces[0], position.pieces[1] & (position.pieces[1] - 1)], ..position };
        assert_eq!(patterns.value(&fewer), 100);
    }
}
