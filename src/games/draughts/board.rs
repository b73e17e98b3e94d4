//! The board: squares as bits, the positions of all rule sets, and their moves.
//!
//! Layer 2. Plain data. A row has half as many squares as columns, and spare bits at its ends, so that one shift moves all pieces a
//! square in a direction, and a piece that leaves the board lands on a spare bit. Two rows take `size + 3` bits.
//!
//! ```text
//!   8x8, numbers of squares      bits                           mirrored (Italian)
//!   .  1  .  2  .  3  .  4       .  0  .  1  .  2  .  3   |4     0  .  1  .  2  .  3  .   |4 5
//!   5  .  6  .  7  .  8  .       5  .  6  .  7  .  8  .   |9 10  .  6  .  7  .  8  .  9   |10
//!   .  9  . 10  . 11  . 12       . 11  . 12  . 13  . 14   |15   11  . 12  . 13  . 14  .   |15 16
//!   :                            :
//!   down: left << size/2 + 1, right << size/2 + 2; two rows << size + 3; two columns << 1; up: the same with >>
//! ```
//!
//! The generator is compiled once for each rule set (`R`, its index in [`RULES`]); the position is one type for all.

use super::rule_sets::{Choice, Color, Ending, Goal, Passing, RULES, Rules};

/// The directions: down left, down right, up left, up right; down, right, left, up by two squares' distance.
const DIRECTIONS: usize = 8;

/// The mask of a board's squares.
const fn squares_of(rules: &Rules) -> u64 {
    let mut mask = 0;
    let mut square = 0;
    while square < rules.size * rules.size / 2 {
        mask |= 1 << bit_of(rules, square);
        square += 1;
    }
    mask
}

/// The bit of a square, counted from 0 in the upper left corner.
pub(super) const fn bit_of(rules: &Rules, square: u32) -> u32 {
    let half = rules.size / 2;
    let row = square / half;
    let odd = half + 1 + rules.mirrored as u32;
    row / 2 * (rules.size + 3) + row % 2 * odd + square % half
}

/// The square of a bit, counted from 0. Spare bits have none.
pub(super) const fn square_of(rules: &Rules, bit: u32) -> u32 {
    let half = rules.size / 2;
    let (pair, rest) = (bit / (rules.size + 3), bit % (rules.size + 3));
    let odd = half + 1 + rules.mirrored as u32;
    let (row, col) = if rest >= odd { (2 * pair + 1, rest - odd) } else { (2 * pair, rest) };
    row * half + col
}

/// The squares of the `count` rows from row `first`.
const fn rows_of(rules: &Rules, first: u32, count: u32) -> u64 {
    let half = rules.size / 2;
    let mut mask = 0;
    let mut square = first * half;
    while square < (first + count) * half {
        mask |= 1 << bit_of(rules, square);
        square += 1;
    }
    mask
}

/// The long diagonal.
const fn main_road(rules: &Rules) -> u64 {
    let half = rules.size / 2;
    let mut mask = 0;
    let mut row = 0;
    while row < rules.size {
        // From the lower left corner, or the lower right one.
        let col = if rules.mirrored { row } else { rules.size - 1 - row };
        mask |= 1 << bit_of(rules, row * half + col / 2);
        row += 1;
    }
    mask
}

/// The squares that are not on the border: from each of them there is one in all four directions.
const fn inner(rules: &Rules) -> u64 {
    let squares = squares_of(rules);
    let (left, right) = (rules.size / 2 + 1, rules.size / 2 + 2);
    squares & (squares << left) & (squares << right) & (squares >> left) & (squares >> right)
}

/// The squares of every second row, the lowest one among them.
const fn odd_rows(rules: &Rules) -> u64 {
    let mut mask = 0;
    let mut row = 1;
    while row < rules.size {
        mask |= rows_of(rules, row, 1);
        row += 2;
    }
    mask
}

/// What the generator needs of a board.
#[derive(Debug, Clone, Copy)]
struct Board {
    squares: u64,
    /// The last row of each colour.
    crown: [u64; 2],
    start: [u64; 2],
    main_road: u64,
    /// The squares that are not on the border.
    inner: u64,
    /// The squares of every second row, the lowest one among them.
    odd_rows: u64,
}

const BOARDS: [Board; RULES.len()] = {
    let mut boards =
        [Board { squares: 0, crown: [0; 2], start: [0; 2], main_road: 0, inner: 0, odd_rows: 0 }; RULES.len()];
    let mut number = 0;
    while number < RULES.len() {
        let rules = &RULES[number];
        boards[number] = Board {
            squares: squares_of(rules),
            crown: [rows_of(rules, 0, 1), rows_of(rules, rules.size - 1, 1)],
            start: [rows_of(rules, rules.size - rules.rows, rules.rows), rows_of(rules, 0, rules.rows)],
            main_road: main_road(rules),
            inner: inner(rules),
            odd_rows: odd_rows(rules),
        };
        number += 1;
    }
    boards
};

/// The bits one step in a direction; those that leave the board land on spare bits.
#[inline]
const fn step<const R: usize>(bits: u64, direction: usize) -> u64 {
    let size = RULES[R].size;
    match direction {
        0 => bits << (size / 2 + 1),
        1 => bits << (size / 2 + 2),
        2 => bits >> (size / 2 + 2),
        3 => bits >> (size / 2 + 1),
        4 => bits << (size + 3),
        5 => bits << 1,
        6 => bits >> 1,
        _ => bits >> (size + 3),
    }
}

/// How many bits further the square lies that is one step in a direction.
const fn distance<const R: usize>(direction: usize) -> i32 {
    let size = RULES[R].size as i32;
    match direction {
        0 => size / 2 + 1,
        1 => size / 2 + 2,
        2 => -(size / 2 + 2),
        3 => -(size / 2 + 1),
        4 => size + 3,
        5 => 1,
        6 => -1,
        _ => -(size + 3),
    }
}

#[inline]
const fn opposite(direction: usize) -> usize {
    if direction < 4 { 3 - direction } else { 11 - direction }
}

/// A move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Move {
    /// The captured pieces.
    pub(super) taken: u64,
    /// The bit of the square it leaves.
    pub(super) from: u8,
    /// The bit of the square it reaches.
    pub(super) to: u8,
    /// Its number among the moves of a position with the same ends, which capture different pieces.
    pub(super) ordinal: u8,
    /// Whether a man becomes a king.
    pub(super) crowns: bool,
}

impl Move {
    /// Whether it captures.
    #[must_use]
    pub const fn is_capture(self) -> bool {
        self.taken != 0
    }
}

/// How often in a row a player has moved the same king without a capture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct KingRun {
    /// The bit of its square; 0 without a count.
    pub(super) at: u8,
    /// The count.
    pub(super) count: u8,
}

/// A position of any rule set.
#[derive(Debug, Clone, Copy)]
pub struct Position {
    /// The pieces of White and of Black.
    pub(super) pieces: [u64; 2],
    /// The kings of both.
    pub(super) kings: u64,
    /// Where the rules limit it; else zero.
    pub(super) runs: [KingRun; 2],
    /// The rule set.
    pub(super) kind: u8,
    pub(super) turn: Color,
    /// Plies since a capture or a man's move; in an ending with a count of its own, plies since it began.
    pub(super) quiet: u8,
    /// The ending, from 1; 0 for none with a count of its own.
    pub(super) ending: u8,
}

impl PartialEq for Position {
    fn eq(&self, other: &Self) -> bool {
        let all = |of: &Position| (of.pieces, of.kings, of.runs, of.kind, of.turn);
        all(self) == all(other)
    }
}

impl Eq for Position {}

/// Calls `$function::<R>` with the rule set of the position as a constant.
macro_rules! by_rules {
    ($kind:expr, $function:ident ( $($argument:expr),* )) => {
        match $kind {
            0 => $function::<0>($($argument),*),
            1 => $function::<1>($($argument),*),
            2 => $function::<2>($($argument),*),
            3 => $function::<3>($($argument),*),
            4 => $function::<4>($($argument),*),
            5 => $function::<5>($($argument),*),
            6 => $function::<6>($($argument),*),
            7 => $function::<7>($($argument),*),
            _ => $function::<8>($($argument),*),
        }
    };
}

// Each rule set has a line above.
const _: () = assert!(RULES.len() == 9);

impl Position {
    /// The start position of a rule set.
    pub(super) fn start(kind: u8) -> Position {
        let pieces = BOARDS[usize::from(kind)].start;
        let turn = RULES[usize::from(kind)].first;
        Position { pieces, kings: 0, runs: [KingRun::default(); 2], kind, turn, quiet: 0, ending: 0 }
    }

    /// The rules.
    #[must_use]
    pub fn rules(&self) -> &'static Rules {
        &RULES[usize::from(self.kind)]
    }

    /// The last row of a colour.
    pub(super) fn crown_row(&self, color: Color) -> u64 {
        BOARDS[usize::from(self.kind)].crown[color as usize]
    }

    /// The squares that are not on the border.
    pub(super) fn inner_squares(&self) -> u64 {
        BOARDS[usize::from(self.kind)].inner
    }

    /// The long diagonal.
    pub(super) fn main_road(&self) -> u64 {
        BOARDS[usize::from(self.kind)].main_road
    }

    /// Whether the side to move has the move (the opposition), if both have as many pieces: the pieces on its system are odd in
    /// number. Its system are the columns in which it has a square of its own first row.
    ///
    /// CITE: Wikipedia, "The Move (checkers)".
    #[inline]
    pub(super) fn has_the_move(&self) -> bool {
        let odd = BOARDS[usize::from(self.kind)].odd_rows;
        let system = if self.turn == Color::White { odd } else { !odd };
        ((self.pieces[0] | self.pieces[1]) & system).count_ones() % 2 == 1
    }

    /// The position turned round, with the colours changed.
    #[cfg(test)]
    pub(super) fn turned(&self) -> Position {
        let rules = self.rules();
        let last = rules.size * rules.size / 2 - 1;
        let turn = |bits: u64| {
            let squares = (0..=last).filter(|&square| bits >> bit_of(rules, square) & 1 == 1);
            squares.fold(0_u64, |turned, square| turned | 1 << bit_of(rules, last - square))
        };
        let run = |run: KingRun| match run.count {
            0 => run,
            _ => KingRun { at: bit_of(rules, last - square_of(rules, run.at.into())) as u8, ..run },
        };
        Position {
            pieces: [turn(self.pieces[1]), turn(self.pieces[0])],
            kings: turn(self.kings),
            runs: [run(self.runs[1]), run(self.runs[0])],
            turn: self.turn.other(),
            ..*self
        }
    }

    /// The men of a colour.
    #[inline]
    pub(super) fn men(&self, color: Color) -> u64 {
        self.pieces[color as usize] & !self.kings
    }

    /// The kings of a colour.
    #[inline]
    pub(super) fn kings_of(&self, color: Color) -> u64 {
        self.pieces[color as usize] & self.kings
    }

    /// The ending with a count of its own that this position belongs to, from 1; 0 for none.
    pub(super) fn ending_now(&self) -> u8 {
        let counts = self.pieces.map(u64::count_ones);
        if self.rules().endings.is_empty() || self.kings == 0 || counts[0].min(counts[1]) > 2 || counts.contains(&0) {
            return 0;
        }
        let strong = usize::from(counts[1] > counts[0]);
        let [kings, weak_kings] = [strong, 1 - strong].map(|side| (self.pieces[side] & self.kings).count_ones());
        let road = BOARDS[usize::from(self.kind)].main_road;
        let is_it = |ending: &Ending| {
            (ending.strong[0]..=ending.strong[1]).contains(&counts[strong])
                && kings >= ending.strong_kings
                && counts[1 - strong] <= ending.weak
                && weak_kings > 0
                && counts[0] + counts[1] - kings - weak_kings <= ending.men
                && (!ending.on_main_road || self.pieces[1 - strong] & self.kings & road != 0)
        };
        self.rules().endings.iter().position(is_it).map_or(0, |number| number as u8 + 1)
    }

    /// Plies until the count makes a draw.
    pub(super) fn plies_to_draw(&self) -> u32 {
        let limit = match self.ending {
            0 => self.rules().quiet,
            number => self.rules().endings[usize::from(number) - 1].plies,
        };
        limit.saturating_sub(self.quiet).into()
    }

    /// Whether a king may not move without a capture, as it has done so too often in a row.
    fn is_held(&self) -> u64 {
        let limit = self.rules().king_run;
        let run = self.runs[self.turn as usize];
        if limit > 0 && run.count >= limit { 1 << run.at } else { 0 }
    }

    /// Appends the legal moves, even if the game is over by another rule.
    #[inline]
    pub(super) fn moves(&self, moves: &mut Vec<Move>) {
        by_rules!(self.kind, generate(self, moves));
    }

    /// The number of legal moves; `moves` is left as it was.
    #[inline]
    pub(super) fn number_of_moves(&self, moves: &mut Vec<Move>) -> usize {
        by_rules!(self.kind, count(self, moves))
    }

    /// The number of lines of two plies; `moves` is left as it was.
    pub(super) fn number_of_pairs(&self, moves: &mut Vec<Move>) -> u64 {
        by_rules!(self.kind, count_two(self, moves))
    }

    /// Appends the moves without a capture that crown a man.
    pub(super) fn crownings(&self, moves: &mut Vec<Move>) {
        by_rules!(self.kind, crownings(self, moves));
    }

    /// Whether the side to move can capture.
    #[inline]
    pub(super) fn can_capture(&self) -> bool {
        by_rules!(self.kind, can_capture(self, self.turn))
    }

    /// Whether the side to move can move, even if the game is over by another rule.
    #[inline]
    pub(super) fn can_move(&self) -> bool {
        by_rules!(self.kind, can_move(self))
    }

    /// The squares that the men of a colour could move to without a capture, once for each direction.
    #[inline]
    pub(super) fn steps(&self, color: Color) -> [u64; 2] {
        by_rules!(self.kind, man_steps(self, color))
    }

    /// Appends the ways back of the pieces of a colour: a row back for men, anywhere without a capture for kings.
    pub(super) fn retreats(&self, color: Color, moves: &mut Vec<Move>) {
        by_rules!(self.kind, retreats(self, color, moves));
    }

    /// Every path of a capture: calls `visit` with the squares where it stops and the squares of the captured pieces, both as bits
    /// in their order, until it returns `true`. Returns whether it did.
    pub(super) fn paths(&self, mv: Move, visit: &mut dyn FnMut(&[u8], &[u8]) -> bool) -> bool {
        by_rules!(self.kind, paths(self, mv, visit))
    }

    /// Plays a legal move.
    #[inline]
    pub(super) fn apply(&mut self, mv: Move) {
        by_rules!(self.kind, apply(self, mv));
    }

    /// [`Position::apply`] for rule set `R`.
    #[inline(always)]
    fn apply_by<const R: usize>(&mut self, mv: Move) {
        let (own, other) = (self.turn as usize, self.turn.other() as usize);
        let (from, to) = (1_u64 << mv.from, 1_u64 << mv.to);
        let is_king = self.kings & from != 0;
        self.pieces[own] = self.pieces[own] & !from | to;
        self.pieces[other] &= !mv.taken;
        if mv.taken != 0 {
            self.kings &= !mv.taken;
        }
        if is_king {
            self.kings = self.kings & !from | to;
        } else if mv.crowns {
            self.kings |= to;
        }
        let ending = if RULES[R].endings.is_empty() || self.kings == 0 { 0 } else { self.ending_now() };
        if mv.taken != 0 || ending != self.ending || (ending == 0 && !is_king) {
            self.quiet = 0;
        } else {
            self.quiet = self.quiet.saturating_add(1);
        }
        self.ending = ending;
        if RULES[R].king_run > 0 {
            let run = self.runs[own];
            self.runs[own] = match is_king && mv.taken == 0 {
                true if run.count > 0 && run.at == mv.from => KingRun { at: mv.to, count: run.count + 1 },
                true => KingRun { at: mv.to, count: 1 },
                false => KingRun::default(),
            };
            self.settle_runs();
        }
        self.turn = self.turn.other();
    }

    /// Drops counts that limit nothing: of a captured king, or of a side without men.
    pub(super) fn settle_runs(&mut self) {
        for side in 0..2 {
            let run = self.runs[side];
            let king = self.pieces[side] & self.kings & (1 << run.at);
            if run.count > 0 && (king == 0 || self.pieces[side] & !self.kings == 0) {
                self.runs[side] = KingRun::default();
            }
        }
    }

    /// A hash of all that makes positions equal, but for the rule set.
    #[inline]
    pub(super) fn key(&self) -> u64 {
        let fold = |a: u64, b: u64| {
            let product = u128::from(a) * u128::from(b);
            product as u64 ^ (product >> 64) as u64
        };
        let [white, black] = self.pieces;
        let [first, second] = self.runs;
        let runs = [first.at, first.count, second.at, second.count].map(u64::from);
        let rest = runs.into_iter().fold(self.turn as u64, |sum, part| sum << 6 | part);
        let key = fold(white ^ 0x9e37_79b9_7f4a_7c15, black ^ 0xd1b5_4a32_d192_ed03);
        fold(key ^ self.kings ^ 0x8cb9_2ba7_2f3d_8dd7, 0xaef1_7502_108e_f2d9 ^ rest << 8)
    }
}

/// The directions in which men of a colour move.
#[inline]
const fn forward(color: Color) -> [usize; 2] {
    match color {
        Color::White => [2, 3],
        Color::Black => [0, 1],
    }
}

/// Whether men of a colour capture in a direction.
#[inline]
const fn man_captures<const R: usize>(color: Color, direction: usize) -> bool {
    let rules = &RULES[R];
    if direction >= 4 {
        return rules.orthogonal;
    }
    rules.backward || (direction >= 2) == matches!(color, Color::White)
}

#[inline]
fn empty<const R: usize>(position: &Position) -> u64 {
    BOARDS[R].squares & !(position.pieces[0] | position.pieces[1])
}

#[inline]
fn man_steps<const R: usize>(position: &Position, color: Color) -> [u64; 2] {
    let (men, empty) = (position.men(color), empty::<R>(position));
    match color {
        Color::White => [step::<R>(men, 2) & empty, step::<R>(men, 3) & empty],
        Color::Black => [step::<R>(men, 0) & empty, step::<R>(men, 1) & empty],
    }
}

/// The pieces of the opponent that men, and those that kings can capture.
#[inline]
fn targets<const R: usize>(position: &Position, color: Color) -> [u64; 2] {
    let all = position.pieces[color.other() as usize];
    [if RULES[R].men_take_kings { all } else { all & !position.kings }, all]
}

/// The squares from which a man of `color` could capture in each direction, whatever stands there.
#[inline]
fn man_jumps<const R: usize>(position: &Position, color: Color) -> [u64; DIRECTIONS] {
    let empty = empty::<R>(position);
    let [targets, _] = targets::<R>(position, color);
    match color {
        _ if RULES[R].backward => jumps::<R, 0, DIRECTIONS>(empty, targets),
        Color::White => jumps::<R, 2, 4>(empty, targets),
        Color::Black => jumps::<R, 0, 2>(empty, targets),
    }
}

/// The squares from which a piece could jump over a target to an empty square, in the directions from `FIRST` to before `LAST`.
#[inline]
fn jumps<const R: usize, const FIRST: usize, const LAST: usize>(empty: u64, targets: u64) -> [u64; DIRECTIONS] {
    let mut from = [0; DIRECTIONS];
    for (direction, from) in from.iter_mut().enumerate() {
        if direction >= FIRST && direction < LAST && direction < king_directions::<R>() {
            let back = opposite(direction);
            *from = step::<R>(step::<R>(empty, back) & targets, back);
        }
    }
    from
}

/// The bits that are set in any of the words.
#[inline]
fn any_of(words: [u64; DIRECTIONS]) -> u64 {
    words.into_iter().fold(0, |all, word| all | word)
}

/// The men of `color` that can capture.
#[inline]
fn capturing_men<const R: usize>(position: &Position, color: Color) -> u64 {
    position.men(color) & any_of(man_jumps::<R>(position, color))
}

/// The number of directions in which kings capture.
const fn king_directions<const R: usize>() -> usize {
    if RULES[R].orthogonal { 8 } else { 4 }
}

/// The kings of `color` that can capture.
#[inline]
fn capturing_kings<const R: usize>(position: &Position, color: Color) -> u64 {
    let kings = position.kings_of(color);
    if kings == 0 {
        return 0;
    }
    let empty = empty::<R>(position);
    let [_, targets] = targets::<R>(position, color);
    let mut found = 0;
    for direction in 0..king_directions::<R>() {
        let back = opposite(direction);
        // From the squares behind targets back to the kings.
        let mut line = step::<R>(step::<R>(empty, back) & targets, back);
        found |= kings & line;
        if RULES[R].flying {
            loop {
                line = step::<R>(line & empty, back);
                if line == 0 {
                    break;
                }
                found |= kings & line;
            }
        }
    }
    found
}

fn can_capture<const R: usize>(position: &Position, color: Color) -> bool {
    capturing_men::<R>(position, color) != 0 || capturing_kings::<R>(position, color) != 0
}

fn can_move<const R: usize>(position: &Position) -> bool {
    let [left, right] = man_steps::<R>(position, position.turn);
    if left | right != 0 {
        return true;
    }
    let kings = position.kings_of(position.turn) & !position.is_held();
    let empty = empty::<R>(position);
    (0..4).any(|direction| step::<R>(kings, direction) & empty != 0) || can_capture::<R>(position, position.turn)
}

/// The bits of a word, one by one from the lowest.
#[inline]
fn bits(mut word: u64) -> impl Iterator<Item = u64> {
    std::iter::from_fn(move || {
        let bit = word & word.wrapping_neg();
        word ^= bit;
        (bit != 0).then_some(bit)
    })
}

/// Appends the moves of men without a capture to `squares`.
#[inline]
fn man_moves<const R: usize>(position: &Position, squares: u64, moves: &mut Vec<Move>) {
    let color = position.turn;
    let crown = BOARDS[R].crown[color as usize];
    for (targets, direction) in man_steps::<R>(position, color).into_iter().zip(forward(color)) {
        let distance = distance::<R>(direction);
        for bit in bits(targets & squares) {
            let to = bit.trailing_zeros();
            let from = to.wrapping_add_signed(-distance) as u8;
            moves.push(Move { taken: 0, from, to: to as u8, ordinal: 0, crowns: bit & crown != 0 });
        }
    }
}

/// See [`Position::crownings`].
fn crownings<const R: usize>(position: &Position, moves: &mut Vec<Move>) {
    man_moves::<R>(position, BOARDS[R].crown[position.turn as usize], moves);
}

fn generate<const R: usize>(position: &Position, moves: &mut Vec<Move>) {
    let color = position.turn;
    let (jumps, kings) = (man_jumps::<R>(position, color), capturing_kings::<R>(position, color));
    if position.men(color) & any_of(jumps) | kings != 0 {
        captures::<R, true>(position, jumps, kings, moves);
        return;
    }
    man_moves::<R>(position, BOARDS[R].squares, moves);
    let kings = position.kings_of(color);
    if kings == 0 {
        return;
    }
    let empty = empty::<R>(position);
    for from in bits(kings & !position.is_held()) {
        for direction in 0..4 {
            let mut to = step::<R>(from, direction) & empty;
            while to != 0 {
                let [from, at] = [from, to].map(|bit| bit.trailing_zeros() as u8);
                moves.push(Move { taken: 0, from, to: at, ordinal: 0, crowns: false });
                to = if RULES[R].flying { step::<R>(to, direction) & empty } else { 0 };
            }
        }
    }
}

/// The number of legal moves. Captures are counted as they are generated, other moves by the squares that they reach: a piece stops
/// the ray of another one behind it, so no two pieces reach a square in the same direction.
#[inline(always)]
fn count<const R: usize>(position: &Position, moves: &mut Vec<Move>) -> usize {
    let color = position.turn;
    let (jumps, kings) = (man_jumps::<R>(position, color), capturing_kings::<R>(position, color));
    if position.men(color) & any_of(jumps) | kings != 0 {
        let before = moves.len();
        let others = captures::<R, false>(position, jumps, kings, moves);
        let count = moves.len() - before;
        moves.truncate(before);
        return count + others as usize;
    }
    let [left, right] = man_steps::<R>(position, color);
    let mut count = left.count_ones() + right.count_ones();
    let kings = position.kings_of(color);
    if kings != 0 {
        let kings = kings & !position.is_held();
        let empty = empty::<R>(position);
        for direction in 0..4 {
            let mut reached = step::<R>(kings, direction) & empty;
            while reached != 0 {
                count += reached.count_ones();
                reached = if RULES[R].flying { step::<R>(reached, direction) & empty } else { 0 };
            }
        }
    }
    count as usize
}

/// The number of lines of two plies. Moves of men are not listed: each is played as it is found.
fn count_two<const R: usize>(position: &Position, moves: &mut Vec<Move>) -> u64 {
    let color = position.turn;
    let after = |mv: Move, moves: &mut Vec<Move>| {
        let mut next = *position;
        next.apply_by::<R>(mv);
        let is_over = RULES[R].goal == Goal::Crown && next.kings != 0;
        if is_over { 0 } else { count::<R>(&next, moves) as u64 }
    };
    let mut lines = 0;
    let base = moves.len();
    if position.kings_of(color) != 0 || position.men(color) & any_of(man_jumps::<R>(position, color)) != 0 {
        generate::<R>(position, moves);
        for number in base..moves.len() {
            lines += after(moves[number], moves);
        }
        moves.truncate(base);
        return lines;
    }
    let crown = BOARDS[R].crown[color as usize];
    let steps = man_steps::<R>(position, color);
    for (steps, direction) in steps.into_iter().zip(forward(color)) {
        let distance = distance::<R>(direction);
        for bit in bits(steps) {
            let to = bit.trailing_zeros();
            let from = to.wrapping_add_signed(-distance) as u8;
            lines += after(Move { taken: 0, from, to: to as u8, ordinal: 0, crowns: bit & crown != 0 }, moves);
        }
    }
    lines
}

/// See [`Position::retreats`].
fn retreats<const R: usize>(position: &Position, color: Color, moves: &mut Vec<Move>) {
    let empty = empty::<R>(position);
    for direction in 0..4 {
        let is_back = forward(color.other()).contains(&direction);
        let pieces = if is_back { position.pieces[color as usize] } else { position.kings_of(color) };
        for from in bits(pieces) {
            let mut to = step::<R>(from, direction) & empty;
            while to != 0 {
                let [from, at] = [from, to].map(|bit| bit.trailing_zeros() as u8);
                moves.push(Move { taken: 0, from, to: at, ordinal: 0, crowns: false });
                let is_long = RULES[R].flying && position.kings >> from & 1 == 1;
                to = if is_long { step::<R>(to, direction) & empty } else { 0 };
            }
        }
    }
}

/// The captures of one position as they are found.
struct Captures<'m> {
    moves: &'m mut Vec<Move>,
    /// The moves before these belong to other positions.
    base: usize,
    /// The rank of those found, where not all captures may be played.
    best: u32,
    /// The capturing piece.
    from: u64,
    /// Whether it began as a king.
    is_king: bool,
    enemy_kings: u64,
    /// The squares where it may land, its own included.
    empty: u64,
}

/// A capture on its way.
#[derive(Clone, Copy)]
struct Jump {
    at: u64,
    taken: u64,
    /// The number of captured pieces.
    count: u32,
    /// What may still be captured.
    targets: u64,
    /// Which captures were of kings: the first has the highest bit.
    kings: u32,
    crowned: bool,
}

impl Captures<'_> {
    fn record<const R: usize>(&mut self, jump: Jump, crowns: bool) {
        let count = jump.count;
        let rank = match RULES[R].choice {
            Choice::Free => 0,
            Choice::Most => count,
            Choice::Value => {
                let kings = (jump.taken & self.enemy_kings).count_ones();
                2 * (100 * (count - kings) + 199 * kings) + u32::from(self.is_king)
            }
            Choice::Ranked => {
                let kings = (jump.taken & self.enemy_kings).count_ones();
                count << 24 | u32::from(self.is_king) << 23 | kings << 16 | jump.kings
            }
        };
        if rank < self.best {
            return;
        }
        if rank > self.best {
            self.best = rank;
            self.moves.truncate(self.base);
        }
        let mv = Move {
            taken: jump.taken,
            from: self.from.trailing_zeros() as u8,
            to: jump.at.trailing_zeros() as u8,
            ordinal: 0,
            crowns,
        };
        // Short captures of fewer pieces cannot go round.
        let is_long = RULES[R].flying && (self.is_king || jump.crowned);
        let may_repeat = is_long || count >= if RULES[R].orthogonal { 3 } else { 4 };
        if may_repeat && self.moves[self.base..].contains(&mv) {
            return;
        }
        self.moves.push(mv);
    }

    /// The captures of short pieces that go on after a first jump. `start` has what may be captured.
    #[inline]
    fn go_on<const R: usize>(&mut self, first: &FirstJumps, start: Jump, empty: u64, color: Color) {
        for direction in 0..king_directions::<R>() {
            let back = opposite(direction);
            for to in bits(first.goes_on[direction]) {
                let from = step::<R>(step::<R>(to, back), back);
                self.from = from;
                self.empty = empty | from;
                self.over::<R>(Jump { at: from, ..start }, direction, color);
            }
        }
    }

    /// The jump over `over` to `to`.
    #[inline]
    fn after<const R: usize>(&self, jump: Jump, over: u64, to: u64) -> Jump {
        let king = u32::from(RULES[R].choice == Choice::Ranked && over & self.enemy_kings != 0);
        Jump {
            at: to,
            taken: jump.taken | over,
            count: jump.count + 1,
            targets: jump.targets & !over,
            kings: jump.kings | king << (15 - jump.count.min(15)),
            crowned: jump.crowned,
        }
    }

    /// The captures of a man, or of a king that moves as short. Records them; returns whether there is one.
    fn short<const R: usize>(&mut self, jump: Jump, color: Color) -> bool {
        let mut found = false;
        for direction in 0..king_directions::<R>() {
            if !self.is_king && !man_captures::<R>(color, direction) {
                continue;
            }
            let over = step::<R>(jump.at, direction) & jump.targets;
            let to = step::<R>(over, direction) & self.empty;
            if to == 0 {
                continue;
            }
            found = true;
            self.over::<R>(jump, direction, color);
        }
        found
    }

    /// The captures of a short piece that begin with a jump in a direction where there is one.
    fn over<const R: usize>(&mut self, jump: Jump, direction: usize, color: Color) {
        let over = step::<R>(jump.at, direction);
        let to = step::<R>(over, direction);
        let next = self.after::<R>(jump, over, to);
        let on_last_row = !self.is_king && to & BOARDS[R].crown[color as usize] != 0;
        match RULES[R].passing {
            Passing::Ends if on_last_row => self.record::<R>(next, true),
            Passing::Crowned if on_last_row => {
                let next = Jump { crowned: true, ..next };
                if !self.long::<R>(next, direction) {
                    self.record::<R>(next, true);
                }
            }
            _ => {
                if !self.short::<R>(next, color) {
                    self.record::<R>(next, on_last_row);
                }
            }
        }
    }

    /// The captures of a flying king that came here in direction `came`, or stands here if that is [`DIRECTIONS`].
    fn long<const R: usize>(&mut self, jump: Jump, came: usize) -> bool {
        let mut found = false;
        for direction in 0..king_directions::<R>() {
            if came < DIRECTIONS && direction == opposite(came) {
                continue;
            }
            found |= self.ray::<R>(jump, direction);
        }
        found
    }

    /// The captures that begin in one direction.
    fn ray<const R: usize>(&mut self, jump: Jump, direction: usize) -> bool {
        let mut over = step::<R>(jump.at, direction);
        while over & self.empty != 0 {
            over = step::<R>(over, direction);
        }
        let over = over & jump.targets;
        let first = step::<R>(over, direction) & self.empty;
        if first == 0 {
            return false;
        }
        let mut goes_on = false;
        let mut to = first;
        while to & self.empty != 0 {
            let next = self.after::<R>(jump, over, to);
            for turned in 0..king_directions::<R>() {
                // What stands ahead is the same from every landing square.
                if turned != opposite(direction) && (turned != direction || to == first) {
                    goes_on |= self.ray::<R>(next, turned);
                }
            }
            to = step::<R>(to, direction);
        }
        if !goes_on {
            let mut to = first;
            while to & self.empty != 0 {
                let next = self.after::<R>(jump, over, to);
                self.record::<R>(next, next.crowned);
                to = step::<R>(to, direction);
            }
        }
        true
    }
}

/// The first jumps of short pieces: where they land in each direction.
struct FirstJumps {
    /// Those after which no other jump is possible: whole captures, of one piece.
    ends: [u64; DIRECTIONS],
    /// The others. Where captures are chosen by more than the number of pieces, all.
    goes_on: [u64; DIRECTIONS],
}

impl FirstJumps {
    /// The first jumps of `pieces`, which can jump from the squares `jumps`.
    #[inline]
    fn of<const R: usize>(pieces: u64, jumps: [u64; DIRECTIONS], crown: u64) -> FirstJumps {
        let mut found = FirstJumps { ends: [0; DIRECTIONS], goes_on: [0; DIRECTIONS] };
        for direction in 0..king_directions::<R>() {
            let to = step::<R>(step::<R>(pieces & jumps[direction], direction), direction);
            let goes_on = match RULES[R].choice {
                Choice::Value | Choice::Ranked => to,
                Choice::Free | Choice::Most => {
                    // The next jump does not go back over the same piece. The square that the piece has left is empty now, but
                    // only that jump would reach it.
                    let mut from = 0;
                    for (next, squares) in jumps.into_iter().enumerate() {
                        from |= if next == opposite(direction) { 0 } else { squares };
                    }
                    match RULES[R].passing {
                        Passing::Ends => to & from & !crown,
                        Passing::GoesOn => to & from,
                        Passing::Crowned => to & (from | crown),
                    }
                }
            };
            found.goes_on[direction] = goes_on;
            found.ends[direction] = to & !goes_on;
        }
        found
    }

    /// The number of captures of one piece.
    #[inline]
    fn count(&self) -> u32 {
        self.ends.iter().map(|ends| ends.count_ones()).sum()
    }
}

/// Appends the captures. Without `ALL`, leaves out those that are counted without being made, of one piece by short pieces, and returns
/// their number.
fn captures<const R: usize, const ALL: bool>(
    position: &Position,
    jumps: [u64; DIRECTIONS],
    kings: u64,
    moves: &mut Vec<Move>,
) -> u32 {
    let color = position.turn;
    let crown = BOARDS[R].crown[color as usize];
    let men = FirstJumps::of::<R>(position.men(color), jumps, crown);
    let is_last = kings == 0 && any_of(men.goes_on) == 0;
    if !ALL && is_last {
        return men.count();
    }
    let base = moves.len();
    let empty = empty::<R>(position);
    let [by_men, by_kings] = targets::<R>(position, color);
    let enemy_kings = position.kings_of(color.other());
    let mut captures = Captures { moves, base, best: 0, from: 0, is_king: false, enemy_kings, empty };
    let start = |from: u64, targets: u64| Jump { at: from, taken: 0, count: 0, targets, kings: 0, crowned: false };
    if !is_last {
        captures.go_on::<R>(&men, start(0, by_men), empty, color);
        captures.is_king = true;
        if RULES[R].flying {
            for from in bits(kings) {
                captures.from = from;
                captures.empty = empty | from;
                captures.long::<R>(start(from, by_kings), DIRECTIONS);
            }
        }
    }
    let mut others = 0;
    let mut add = |captures: &mut Captures<'_>, first: &FirstJumps, crown: u64| {
        // More pieces have to be taken if that is possible.
        if RULES[R].choice == Choice::Most && captures.best > 1 {
            return;
        }
        if !ALL {
            others += first.count();
            return;
        }
        for direction in 0..king_directions::<R>() {
            let distance = distance::<R>(direction);
            for bit in bits(first.ends[direction]) {
                let to = bit.trailing_zeros();
                let over = to.wrapping_add_signed(-distance);
                let from = over.wrapping_add_signed(-distance) as u8;
                captures.moves.push(Move {
                    taken: 1 << over,
                    from,
                    to: to as u8,
                    ordinal: 0,
                    crowns: bit & crown != 0,
                });
            }
        }
    };
    if !RULES[R].flying && kings != 0 {
        let jumps = self::jumps::<R, 0, DIRECTIONS>(empty, by_kings);
        let kings = FirstJumps::of::<R>(kings, jumps, 0);
        captures.go_on::<R>(&kings, start(0, by_kings), empty, color);
        add(&mut captures, &kings, 0);
    }
    add(&mut captures, &men, crown);
    if ALL {
        // Moves with the same ends are numbered.
        for number in base + 1..moves.len() {
            let Move { from, to, .. } = moves[number];
            let before = moves[base..number].iter().filter(|mv| (mv.from, mv.to) == (from, to)).count();
            moves[number].ordinal = before.min(usize::from(u8::MAX)) as u8;
        }
    }
    others
}

/// See [`Position::paths`].
fn paths<const R: usize>(position: &Position, mv: Move, visit: &mut dyn FnMut(&[u8], &[u8]) -> bool) -> bool {
    let from = 1_u64 << mv.from;
    let mut path = Path {
        mv,
        color: position.turn,
        empty: empty::<R>(position) | from,
        crown: BOARDS[R].crown[position.turn as usize],
        stops: Vec::new(),
        taken: Vec::new(),
        visit,
    };
    path.follow::<R>(from, mv.taken, position.kings & from != 0, DIRECTIONS)
}

/// The way of a capture that is being followed.
struct Path<'v> {
    mv: Move,
    color: Color,
    empty: u64,
    crown: u64,
    stops: Vec<u8>,
    taken: Vec<u8>,
    visit: &'v mut dyn FnMut(&[u8], &[u8]) -> bool,
}

impl Path<'_> {
    /// All that is `left` has to be captured from here.
    fn follow<const R: usize>(&mut self, at: u64, left: u64, is_king: bool, came: usize) -> bool {
        let rules = &RULES[R];
        if left == 0 {
            let crowns_here = !is_king && at & self.crown != 0;
            let was_king = !self.mv.crowns;
            let ends_so = if is_king { true } else { crowns_here == self.mv.crowns };
            return at == 1 << self.mv.to
                && ends_so
                && (was_king || is_king || crowns_here)
                && (self.visit)(&self.stops, &self.taken);
        }
        for direction in 0..king_directions::<R>() {
            if !is_king && !man_captures::<R>(self.color, direction) || came < DIRECTIONS && direction == opposite(came)
            {
                continue;
            }
            let mut over = step::<R>(at, direction);
            while is_king && rules.flying && over & self.empty != 0 {
                over = step::<R>(over, direction);
            }
            let over = over & left;
            let mut to = step::<R>(over, direction) & self.empty;
            while to != 0 {
                let on_last_row = !is_king && to & self.crown != 0;
                let is_crowned = on_last_row && rules.passing == Passing::Crowned;
                let may_go_on = !(on_last_row && rules.passing == Passing::Ends) || left == over;
                // A man that is crowned on its way must be crowned in this move.
                if may_go_on && (!is_crowned || self.mv.crowns) {
                    self.stops.push(to.trailing_zeros() as u8);
                    self.taken.push(over.trailing_zeros() as u8);
                    let is_king_now = is_king || is_crowned;
                    if self.follow::<R>(to, left & !over, is_king_now, direction) {
                        return true;
                    }
                    self.stops.pop();
                    self.taken.pop();
                }
                to = if is_king && rules.flying { step::<R>(to, direction) & self.empty } else { 0 };
            }
        }
        false
    }
}

fn apply<const R: usize>(position: &mut Position, mv: Move) {
    position.apply_by::<R>(mv);
}

/// The result that shows without generating moves.
pub(super) fn crowned(position: &Position) -> Option<Color> {
    if position.rules().goal != Goal::Crown || position.kings == 0 {
        return None;
    }
    Some(if position.kings_of(Color::White) != 0 { Color::White } else { Color::Black })
}
