//! Shapes: what a stone would make on each empty cell, updated by each move. Layer 2, private to m,n,k games.
//!
//! ```text
//!   line     the cells of one line of the board in a word, two bits each: 0 empty, 1 x, 2 o, 3 no cell
//!            cell p stands at bits 2(p + 5); p is the column in rows, the row in all other directions
//!   half     the `reach` cells to one side of a cell: 2 · reach bits; the same number stands for all halves that are alike up to
//!            their first wall
//!   window   both halves around a cell: their numbers make the index of `Tables::windows`
//!   shape    what a stone makes in one direction, four bits: `DEAD` to `FIVE`, from the windows of k cells through the stone
//!   seen     the shapes of both sides on a cell: a byte for each direction, x in the low four bits, o in the high ones
//!   number   of a cell, by the shapes of one side in the four directions in any order: the index of `Tables::cells`; found by the
//!            numbers of two pairs of shapes
//! ```
//!
//! A stone changes the windows of the cells at most `reach` away; nothing else is recomputed. A search uses [`Shapes`]; the
//! search for wins by fours uses [`Fours`], a part of them that takes a fraction of the time.
//!
//! At renju only the lines of the first player must be exact. Its shapes include its forbidden moves: [`Shapes::forbidden`] finds
//! these among the few cells whose shapes allow one.

use std::sync::OnceLock;

use super::bits::Bits;
use super::network::{inputs, kind};
use super::renju::{self, Line, Verdict};
use super::values::{all_shapes, multiset, rank};
use super::{MAX_SIDE, Parameters, Position};
use crate::game::Side;

/// The largest reach of a window.
pub(super) const MAX_REACH: usize = 5;

/// The number of unordered pairs of shapes.
const PAIRS: usize = shape::COUNT * (shape::COUNT + 1) / 2;

/// The most lines of a board: rows, columns, and diagonals in two directions.
const LINES: usize = 6 * MAX_SIDE as usize - 2;

/// The shapes: what a stone makes in one direction, by the number of stones then missing to a line and the number of
/// ways.
pub(super) mod shape {
    /// No line is possible.
    pub(crate) const DEAD: u8 = 0;
    /// More than three stones are missing; a line that can be stopped from one end.
    pub(crate) const ONE: u8 = 1;
    /// The same, and the next stone may make an open two.
    pub(crate) const OPEN_ONE: u8 = 2;
    /// Three are missing.
    pub(crate) const TWO: u8 = 3;
    /// The same in several ways.
    pub(crate) const BROAD_TWO: u8 = 4;
    /// The next stone makes an open three, on one or two cells.
    pub(crate) const OPEN_TWO: u8 = 5;
    /// The same on three cells.
    pub(crate) const BROAD_OPEN_TWO: u8 = 6;
    /// The same on four or more.
    pub(crate) const WIDE_OPEN_TWO: u8 = 7;
    /// The next stone makes a four, on one cell.
    pub(crate) const THREE: u8 = 8;
    /// The same on two or more.
    pub(crate) const BROAD_THREE: u8 = 9;
    /// The next stone makes an open four, on one cell.
    pub(crate) const OPEN_THREE: u8 = 10;
    /// The same on two or more.
    pub(crate) const BROAD_OPEN_THREE: u8 = 11;
    /// One stone is missing, on one cell.
    pub(crate) const FOUR: u8 = 12;
    /// One stone is missing, on either of two cells.
    pub(crate) const OPEN_FOUR: u8 = 13;
    /// A line that wins.
    pub(crate) const FIVE: u8 = 14;
    /// How many shapes there are.
    pub(crate) const COUNT: usize = 15;
}
use shape::*;

/// The threat of a stone on a cell, from all directions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub(super) enum Threat {
    /// Nothing that must be answered at once.
    Quiet,
    /// An open four at the next move.
    Three,
    /// A line at the next move, on one cell.
    Four,
    /// A line at the next move, on two cells: one stone cannot stop it.
    OpenFour,
    /// It wins.
    Five,
}

impl Threat {
    /// The number of threats stored as sets of cells.
    const KEPT: usize = 4;

    /// The threat of a stone with these shapes.
    pub(super) fn of(shapes: [u8; 4]) -> Threat {
        let fours = shapes.iter().filter(|&&shape| shape == FOUR).count();
        match shapes.into_iter().fold(DEAD, u8::max) {
            FIVE => Threat::Five,
            OPEN_FOUR => Threat::OpenFour,
            FOUR if fours > 1 => Threat::OpenFour,
            FOUR => Threat::Four,
            OPEN_THREE | BROAD_OPEN_THREE => Threat::Three,
            _ => Threat::Quiet,
        }
    }
}

/// The data of a cell by its shapes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cell {
    /// The value for move ordering.
    pub(super) rank: u16,
    /// See [`kind`].
    kind: u16,
    pub(super) threat: Threat,
    /// Whether a stone of the first player of renju may make two fours or two threes.
    is_double: bool,
}

/// The shapes of every window, and their combinations, for one length of line and one rule.
#[derive(Debug)]
pub(super) struct Tables {
    /// The reach of a window to either side.
    reach: u32,
    /// The fewest stones around a cell from which one more makes a shape from [`FOUR`] on.
    fewest_for_four: u32,
    /// The numbers of the halves below a cell and above it, by their bits.
    halves: [Vec<u16>; 2],
    /// The number of distinct half numbers.
    half_numbers: usize,
    /// The shape of x by window in the low four bits, that of o in the high ones.
    windows: Vec<u8>,
    /// The numbers of pairs of shapes, by their eight bits.
    pairs: [u8; 256],
    /// The number of a cell, by those of two pairs.
    numbers: Vec<u16>,
    /// The cells, by number.
    cells: Vec<Cell>,
}

impl Tables {
    /// The tables for these rules, unless windows are too long; built on first use.
    pub(super) fn of(parameters: Parameters) -> Option<&'static Tables> {
        const LENGTHS: std::ops::RangeInclusive<u8> = 4..=6;
        static TABLES: [[OnceLock<Tables>; 3]; 3] = [const { [const { OnceLock::new() }; 3] }; 3];
        let k = parameters.k();
        let exact = [Side::First, Side::Second].map(|side| parameters.of(side).exact);
        let is_known = LENGTHS.contains(&k) && exact.iter().all(|&exact| reach(k, exact) <= MAX_REACH);
        // If only one side needs exact lines, it is the first.
        let number = exact.into_iter().filter(|&exact| exact).count();
        is_known.then(|| TABLES[usize::from(k - LENGTHS.start())][number].get_or_init(|| Tables::new(k, exact)))
    }

    /// The tables for lines of k, which must be exact or not for each side.
    fn new(k: u8, exact: [bool; 2]) -> Tables {
        let reaches = exact.map(|exact| reach(k, exact));
        let reach = reaches[0].max(reaches[1]);
        let shapes = exact.map(|exact| Windows::new(k, exact).all());
        // The windows of a side with the smaller reach are the middle of these.
        let shape = |side: usize, window: usize| {
            let (all, own) = (reach as u32, reaches[side] as u32);
            shapes[side][window / 3_usize.pow(all - own) % 3_usize.pow(2 * own)]
        };
        let (halves, kinds) = halves(reach);
        // The index of such cells in the windows of one side, by its stones and by its obstacles.
        let digits = |codes: &[u8], side: u8| {
            codes.iter().rev().fold(0, |index, &code| {
                3 * index
                    + if code == 0 {
                        0
                    } else if code == side {
                        1
                    } else {
                        2
                    }
            })
        };
        // Above a cell the nearest ones come first, as on a line; below it, last.
        let low: Vec<[usize; 2]> = kinds
            .iter()
            .map(|kind| {
                let codes: Vec<u8> = kind.iter().rev().copied().collect();
                [1, 2].map(|side| digits(&codes, side))
            })
            .collect();
        let high: Vec<[usize; 2]> = kinds.iter().map(|kind| [1, 2].map(|side| digits(kind, side))).collect();
        let above = 3_usize.pow(reach as u32);
        let windows = high
            .iter()
            .flat_map(|high| low.iter().map(move |low| [0, 1].map(|side| low[side] + above * high[side])))
            .map(|[x, o]| shape(0, x) | shape(1, o) << 4)
            .collect();
        let mut pairs = [0; 256];
        let mut numbers = vec![0; PAIRS * PAIRS];
        let shapes_of = |pair: usize| [pair & 15, pair >> 4].map(|shape| (shape as u8).min(FIVE));
        for (pair, number) in pairs.iter_mut().enumerate() {
            let [a, b] = shapes_of(pair);
            let (low, high) = (usize::from(a.min(b)), usize::from(a.max(b)));
            *number = (high * (high + 1) / 2 + low) as u8;
        }
        for (first, second) in (0..256).flat_map(|first| (0..256).map(move |second| (first, second))) {
            let ([a, b], [c, d]) = (shapes_of(first), shapes_of(second));
            numbers[usize::from(pairs[first]) * PAIRS + usize::from(pairs[second])] = multiset([a, b, c, d]) as u16;
        }
        let cells = all_shapes()
            .map(|shapes| {
                let threat = Threat::of(shapes);
                let threes = shapes.iter().filter(|&&shape| shape >= OPEN_THREE).count();
                let is_double = threat != Threat::Five && (threes > 1 || shapes.contains(&OPEN_FOUR));
                Cell { rank: rank(shapes, threat), kind: kind(shapes), threat, is_double }
            })
            .collect();
        Tables {
            reach: reach as u32,
            fewest_for_four: u32::from(k) - 2,
            halves,
            half_numbers: kinds.len(),
            windows,
            pairs,
            numbers,
            cells,
        }
    }

    /// The shapes of both sides on cell `p` of a line.
    #[inline]
    fn line(&self, line: u64, p: u32) -> u8 {
        // The cell itself is bits 2·MAX_REACH and the next one.
        let window = line >> (2 * p);
        let mask = (1_u64 << (2 * self.reach)) - 1;
        let low = window >> (2 * (MAX_REACH as u32 - self.reach)) & mask;
        let high = window >> (2 * (MAX_REACH as u32 + 1)) & mask;
        let (low, high) = (self.halves[0][low as usize], self.halves[1][high as usize]);
        self.windows[usize::from(low) + self.half_numbers * usize::from(high)]
    }

    /// Whether a side has enough stones around cell `p` of a line for a shape from [`FOUR`] on that includes it.
    #[inline]
    fn may_have_four(&self, line: u64, p: u32) -> bool {
        const EACH: u64 = 0x5555_5555_5555_5555;
        let around = line >> (2 * (p + MAX_REACH as u32 - self.reach)) & ((1 << (4 * self.reach + 2)) - 1);
        [around & !(around >> 1), !around & around >> 1].into_iter().any(|stones| {
            let mut stones = stones & EACH;
            for _ in 1..self.fewest_for_four {
                stones &= stones.wrapping_sub(1);
            }
            stones != 0
        })
    }

    /// The number of a cell with these shapes, four bits each.
    #[inline]
    fn number(&self, shapes: u16) -> u16 {
        let [low, high] = shapes.to_le_bytes().map(|pair| usize::from(self.pairs[usize::from(pair)]));
        self.numbers[low * PAIRS + high]
    }

    #[inline]
    pub(super) fn cell(&self, shapes: u16) -> &Cell {
        &self.cells[usize::from(self.number(shapes))]
    }
}

/// The numbers of the halves of a window below a cell and above it, by their bits, and the contents of the halves of
/// each number, the nearest cell first. Everything beyond a wall is a wall.
fn halves(reach: usize) -> ([Vec<u16>; 2], Vec<Vec<u8>>) {
    const WALL: u8 = 3;
    let mut kinds: Vec<Vec<u8>> = Vec::new();
    let mut number_of = |mut codes: Vec<u8>| {
        let open = codes.iter().position(|&code| code == WALL).unwrap_or(reach);
        codes[open..].fill(WALL);
        let number = kinds.iter().position(|kind| *kind == codes).unwrap_or(kinds.len());
        if number == kinds.len() {
            kinds.push(codes);
        }
        number as u16
    };
    let codes = |half: usize| (0..reach).map(move |at| (half >> (2 * at) & 3) as u8);
    let all = 0..1_usize << (2 * reach);
    let high = all.clone().map(|half| number_of(codes(half).collect())).collect();
    let low = all.map(|half| number_of(codes(half).rev().collect())).collect();
    ([low, high], kinds)
}

/// The reach of a window from a stone: where longer lines do not win, the cell after a line matters, too.
const fn reach(k: u8, exact: bool) -> usize {
    k as usize - 1 + exact as usize
}

/// The shapes of a stone in the middle of every window, by its surroundings: each cell is empty, a stone of its side,
/// or an obstacle, as digits 0, 1, 2 of a number, the first cell last.
struct Windows {
    k: usize,
    exact: bool,
    reach: usize,
    known: Vec<Option<u8>>,
}

impl Windows {
    fn new(k: u8, exact: bool) -> Windows {
        let reach = reach(k, exact);
        Windows { k: k.into(), exact, reach, known: vec![None; 9_usize.pow(reach as u32)] }
    }

    fn all(mut self) -> Vec<u8> {
        let mut cells = vec![1; 2 * self.reach + 1];
        for index in 0..self.known.len() {
            let mut rest = index;
            for at in (0..cells.len()).filter(|&at| at != self.reach) {
                (cells[at], rest) = (rest % 3, rest / 3);
            }
            self.shape(&mut cells, index);
        }
        self.known.into_iter().flatten().collect()
    }

    /// The shape of the stone in the middle of these cells, which have this index.
    fn shape(&mut self, cells: &mut [usize], index: usize) -> u8 {
        if let Some(shape) = self.known[index] {
            return shape;
        }
        let shape = if self.is_line(cells) { FIVE } else { self.by_next(cells, index) };
        self.known[index] = Some(shape);
        shape
    }

    /// Whether a winning line goes through the middle.
    fn is_line(&self, cells: &[usize]) -> bool {
        let ahead = cells[self.reach..].iter().take_while(|&&cell| cell == 1).count();
        let behind = cells[..self.reach].iter().rev().take_while(|&&cell| cell == 1).count();
        let length = ahead + behind;
        if self.exact { length == self.k } else { length >= self.k }
    }

    /// The shape of an incomplete line, by the shapes that the next stone makes.
    fn by_next(&mut self, cells: &mut [usize], index: usize) -> u8 {
        let mut next = [0_usize; COUNT];
        let mut digit = 1;
        for at in 0..cells.len() {
            if at == self.reach {
                continue;
            }
            if cells[at] == 0 {
                cells[at] = 1;
                next[usize::from(self.shape(cells, index + digit))] += 1;
                cells[at] = 0;
            }
            digit *= 3;
        }
        let count = |from: u8, to: u8| next[usize::from(from)..=usize::from(to)].iter().sum::<usize>();
        let best = next.iter().rposition(|&cells| cells > 0).unwrap_or(0) as u8;
        match best {
            FIVE => {
                if count(FIVE, FIVE) > 1 {
                    OPEN_FOUR
                } else {
                    FOUR
                }
            }
            OPEN_FOUR => {
                if count(OPEN_FOUR, OPEN_FOUR) > 1 {
                    BROAD_OPEN_THREE
                } else {
                    OPEN_THREE
                }
            }
            FOUR => {
                if count(FOUR, FOUR) > 1 {
                    BROAD_THREE
                } else {
                    THREE
                }
            }
            OPEN_THREE..FOUR => match count(OPEN_THREE, BROAD_OPEN_THREE) {
                ..=2 => OPEN_TWO,
                3 => BROAD_OPEN_TWO,
                _ => WIDE_OPEN_TWO,
            },
            THREE..OPEN_THREE => {
                if count(THREE, BROAD_THREE) > 2 {
                    BROAD_TWO
                } else {
                    TWO
                }
            }
            OPEN_TWO..THREE => OPEN_ONE,
            ONE..OPEN_TWO => ONE,
            _ => DEAD,
        }
    }
}

/// The shapes of one side, from the shapes of both sides on a cell.
#[inline]
fn one_side(seen: u32, side: usize) -> u16 {
    let bytes = seen >> (4 * side) & 0x0F0F_0F0F;
    let halves = (bytes | bytes >> 4) & 0x00FF_00FF;
    (halves | halves >> 8) as u16
}

/// Whether at most three stones of a side are missing in two directions or more on a cell: [`TWO`] at least.
#[inline]
fn has_support(seen: u32, side: usize) -> bool {
    const EACH: u32 = 0x0101_0101;
    let high = ((seen >> (4 * side) & (15 * EACH)) + u32::from(0x80 - TWO) * EACH) & (0x80 * EACH);
    high & high.wrapping_sub(1) != 0
}

/// The line of each direction through a cell, in the order of [`Parameters::steps`], and the place of the cell on it.
#[inline]
fn places(parameters: Parameters, bit: u16) -> [(usize, u32); 4] {
    let (cols, rows) = (usize::from(parameters.cols), usize::from(parameters.rows));
    let (col, row) = parameters.cell(bit);
    let (at_col, at_row) = (u32::from(col), u32::from(row));
    let (col, row) = (usize::from(col), usize::from(row));
    let diagonals = cols + rows - 1;
    [
        (row, at_col),
        (rows + cols + col + row, at_row),
        (rows + col, at_row),
        (rows + cols + diagonals + col + rows - 1 - row, at_row),
    ]
}

/// The empty cells of a line whose windows a new stone changes, by their places on the line and on the board: up to
/// `reach` to both sides, the nearest first. Cells behind stones of both sides are not affected.
#[inline]
fn felt(reach: u32, (line, p): (u64, u32), (bit, step): (usize, u32), mut cell: impl FnMut(u32, usize)) {
    let step = step.cast_signed();
    for towards in [1, -1] {
        let (mut passed, mut p, mut bit) = (0, p, bit);
        for _ in 0..reach {
            p = p.wrapping_add_signed(towards);
            bit = bit.wrapping_add_signed((towards * step) as isize);
            match line >> (2 * p.wrapping_add(MAX_REACH as u32)) & 3 {
                0 => cell(p, bit),
                code => {
                    passed |= code;
                    if passed == 3 {
                        break;
                    }
                }
            }
        }
    }
}

/// The number of a cell that is no input and no threat.
const NO_CELL: u16 = 0;

/// The shapes of both sides on every empty cell of a board.
#[derive(Debug, Clone)]
pub(super) struct Shapes<const W: usize> {
    tables: &'static Tables,
    parameters: Parameters,
    lines: [u64; LINES],
    /// The shapes of both sides by cell; meaningless for cells with a stone.
    seen: [[u32; 64]; W],
    /// The number of each cell for each side.
    numbers: [[[u16; 64]; W]; 2],
    /// The empty cells by the threat of a stone of each side there, from [`Threat::Three`] on.
    threats: [[Bits<W>; Threat::KEPT]; 2],
    /// The empty cells on which a stone of the first player may make two fours or two threes; kept at renju.
    doubles: Bits<W>,
    /// Empty cells at most two steps from a stone, in any direction.
    pub(super) near: Bits<W>,
}

/// The lines of shapes, for verdicts of renju.
struct LineWords<'l> {
    parameters: Parameters,
    lines: &'l [u64; LINES],
}

impl renju::Lines for LineWords<'_> {
    fn steps(&self) -> [u32; 4] {
        self.parameters.steps()
    }

    fn lines(&self, cell: usize) -> [Line; 4] {
        places(self.parameters, cell as u16).map(|(number, p)| Line::of_codes(self.lines[number] >> (2 * p)))
    }
}

impl<const W: usize> Shapes<W> {
    /// The shapes of a board with these stones.
    pub(super) fn new(tables: &'static Tables, parameters: Parameters, stones: [Bits<W>; 2]) -> Shapes<W> {
        let mut shapes = Shapes::empty(tables, parameters);
        for side in [Side::First, Side::Second] {
            for bit in stones[side.index()].iter() {
                shapes.place(bit, side);
            }
        }
        shapes
    }

    fn empty(tables: &'static Tables, parameters: Parameters) -> Shapes<W> {
        let mut shapes = Shapes {
            tables,
            parameters,
            lines: [u64::MAX; LINES],
            seen: [[0; 64]; W],
            numbers: [[[0; 64]; W]; 2],
            threats: [[Bits::EMPTY; Threat::KEPT]; 2],
            doubles: Bits::EMPTY,
            near: Bits::EMPTY,
        };
        let cells =
            || (0..parameters.rows).flat_map(|row| (0..parameters.cols).map(move |col| parameters.bit(col, row)));
        for bit in cells() {
            for (line, p) in places(parameters, bit) {
                shapes.lines[line] &= !(3 << (2 * (p + MAX_REACH as u32)));
            }
        }
        for bit in cells() {
            for (direction, (line, p)) in places(parameters, bit).into_iter().enumerate() {
                let both = u32::from(tables.line(shapes.lines[line], p));
                shapes.seen[usize::from(bit) / 64][usize::from(bit) % 64] |= both << (8 * direction);
            }
            for side in 0..2 {
                let number = tables.number(shapes.cell(side, bit.into()));
                shapes.renumber(side, bit.into(), number, &mut |_, _, _| {});
            }
        }
        shapes
    }

    /// The shapes of a side on a cell.
    #[inline]
    pub(super) fn cell(&self, side: usize, bit: usize) -> u16 {
        one_side(self.seen[bit / 64][bit % 64], side)
    }

    /// See [`has_support`].
    #[inline]
    pub(super) fn has_support(&self, side: Side, bit: usize) -> bool {
        has_support(self.seen[bit / 64][bit % 64], side.index())
    }

    /// The value and threat of a stone of a side on a cell.
    #[inline]
    pub(super) fn at(&self, side: Side, bit: usize) -> &'static Cell {
        &self.tables.cells[usize::from(self.numbers[side.index()][bit / 64][bit % 64])]
    }

    /// The empty cells on which a stone of `side` makes this threat.
    #[inline]
    pub(super) fn threats(&self, side: Side, threat: Threat) -> Bits<W> {
        match (threat as usize).checked_sub(1) {
            Some(kept) => self.threats[side.index()][kept],
            None => Bits::EMPTY,
        }
    }

    /// Changes the number of a cell for a side, and tells `changed` the kinds before and after, if they differ.
    #[inline]
    fn renumber(&mut self, side: usize, bit: usize, number: u16, changed: &mut impl FnMut(usize, u16, u16)) {
        let before = std::mem::replace(&mut self.numbers[side][bit / 64][bit % 64], number);
        let [new, old] = [number, before].map(|number| &self.tables.cells[usize::from(number)]);
        if new.kind != old.kind {
            changed(side, old.kind, new.kind);
        }
        if new.threat != old.threat {
            for threat in [new.threat, old.threat] {
                if let Some(kept) = (threat as usize).checked_sub(1) {
                    self.threats[side][kept].flip(bit);
                }
            }
        }
        if new.is_double != old.is_double && side == 0 && self.parameters.renju {
            self.doubles.flip(bit);
        }
    }

    /// The free cells forbidden to the side to move of this position, which has these shapes; see [`renju::forbidden`].
    pub(super) fn forbidden(&self, position: &Position<W>) -> Bits<W> {
        if !self.parameters.renju || position.turn != Side::First {
            return Bits::EMPTY;
        }
        let black = position.stones[Side::First.index()];
        let mut cells = renju::overlines(black, position.empty, self.parameters.steps());
        cells = cells & !self.threats(Side::First, Threat::Five);
        for cell in (self.doubles & !cells).iter().filter(|&cell| self.verdict(cell).is_forbidden()) {
            cells.flip(cell);
        }
        cells
    }

    /// The verdict of renju on a stone of the first player on this free cell.
    fn verdict(&self, cell: usize) -> Verdict {
        renju::verdict(&LineWords { parameters: self.parameters, lines: &self.lines }, cell)
    }

    /// The empty cells on which a stone of `side` will make an open four or two fours unless a stone on one of their lines
    /// prevents it. Those of the first player of renju are free of threes on other lines, as it depends on stones elsewhere
    /// whether these would make two real threes, which are forbidden.
    pub(super) fn double_threats(&self, side: Side) -> Bits<W> {
        let mut cells = self.threats(side, Threat::OpenFour);
        if self.parameters.renju && side == Side::First {
            for cell in cells.iter() {
                let shapes = self.cell(side.index(), cell);
                let threes = [0, 4, 8, 12].into_iter().filter(|at| shapes >> at & 15 >= u16::from(OPEN_THREE)).count();
                if threes > 1 || self.verdict(cell).is_forbidden() {
                    cells.remove(cell);
                }
            }
        }
        cells
    }

    /// Puts a stone of `side` on an empty cell.
    pub(super) fn place(&mut self, bit: usize, side: Side) {
        self.place_and_tell(bit, side, |_, _, _| {});
    }

    /// The same, and tells `changed` each cell that becomes of another kind: its player, and the kinds before and after.
    pub(super) fn place_and_tell(&mut self, bit: usize, side: Side, mut changed: impl FnMut(usize, u16, u16)) {
        for side in 0..2 {
            self.renumber(side, bit, NO_CELL, &mut changed);
        }
        let code = 1 + side.index() as u64;
        let steps = self.parameters.steps();
        for (direction, (number, p)) in places(self.parameters, bit as u16).into_iter().enumerate() {
            let line = self.lines[number] | code << (2 * (p + MAX_REACH as u32));
            self.lines[number] = line;
            let tables = self.tables;
            felt(tables.reach, (line, p), (bit, steps[direction]), |p, bit| {
                self.renew(bit, direction, tables.line(line, p), &mut changed);
            });
        }
        self.spread(bit);
    }

    /// Updates the shapes of an empty cell in one direction, and the sets that depend on them.
    #[inline]
    fn renew(&mut self, bit: usize, direction: usize, both: u8, changed: &mut impl FnMut(usize, u16, u16)) {
        let (word, at) = (bit / 64, bit % 64);
        let old = self.seen[word][at];
        let new = old & !(255 << (8 * direction)) | u32::from(both) << (8 * direction);
        if new == old {
            return;
        }
        self.seen[word][at] = new;
        for side in 0..2 {
            if (new ^ old) & 0x0F0F_0F0F << (4 * side) != 0 {
                self.renumber(side, bit, self.tables.number(one_side(new, side)), changed);
            }
        }
    }

    /// The active inputs of `side`, from the cells in `empty`.
    pub(super) fn inputs(&self, side: Side, empty: Bits<W>) -> Vec<usize> {
        let of = |player: usize| {
            let number = move |bit: usize| self.numbers[player][bit / 64][bit % 64];
            let kind = move |bit: usize| self.tables.cells[usize::from(number(bit))].kind;
            empty.iter().filter_map(move |bit| inputs(kind(bit)).map(|seen| seen[usize::from(player != side.index())]))
        };
        of(0).chain(of(1)).collect()
    }

    /// Marks the empty cells around a stone as near.
    #[inline]
    fn spread(&mut self, bit: usize) {
        let (col, row) = self.parameters.cell(bit as u16);
        let (first, last) = (col.saturating_sub(2), (col + 2).min(self.parameters.cols - 1));
        for row in row.saturating_sub(2)..=(row + 2).min(self.parameters.rows - 1) {
            self.near.fill(self.parameters.bit(first, row).into(), u32::from(last - first) + 1);
        }
    }

    /// The threat of a stone of `side` on the empty cell `bit` if the opponent had a stone on `reply`, `n` steps
    /// further on the same line in this direction.
    pub(super) fn threat_behind(&self, side: Side, bit: usize, direction: usize, n: i32) -> Threat {
        let (number, p) = places(self.parameters, bit as u16)[direction];
        let code = 1 + side.other().index() as u64;
        let at = p.wrapping_add_signed(n + MAX_REACH as i32);
        let both = self.tables.line(self.lines[number] | code << (2 * at), p);
        let shape = u16::from(both >> (4 * side.index()) & 15);
        let cell = self.cell(side.index(), bit) & !(15 << (4 * direction)) | shape << (4 * direction);
        self.tables.cell(cell).threat
    }

    /// The distance at which a stone changes windows.
    pub(super) fn reach(&self) -> i32 {
        self.tables.reach as i32
    }

    /// Whether the cell `n` steps from `bit` in a direction is empty.
    pub(super) fn is_empty(&self, bit: usize, direction: usize, n: i32) -> bool {
        let (number, p) = places(self.parameters, bit as u16)[direction];
        let at = p.wrapping_add_signed(n + MAX_REACH as i32);
        at < 32 && self.lines[number] >> (2 * at) & 3 == 0
    }
}

/// The threats from [`Threat::Four`] on, for searches that place and take back stones.
///
/// A stone is processed only in directions in which a side has enough stones for such a shape. The shapes stored for
/// other cells may be out of date, but are below [`FOUR`] before and after.
#[derive(Debug)]
pub(super) struct Fours<const W: usize> {
    tables: &'static Tables,
    parameters: Parameters,
    lines: [u64; LINES],
    seen: [[u32; 64]; W],
    threats: [[Bits<W>; 3]; 2],
    /// The changed cells with their previous shapes.
    changed: Vec<(u16, u32)>,
}

/// The changes of a stone.
pub(super) struct Placed<const W: usize> {
    lines: [(usize, u64); 4],
    threats: [[Bits<W>; 3]; 2],
    changed: usize,
}

impl<const W: usize> Fours<W> {
    pub(super) fn new(shapes: &Shapes<W>) -> Fours<W> {
        let &Shapes { tables, parameters, lines, seen, .. } = shapes;
        let threats = shapes.threats.map(|[_, rest @ ..]| rest);
        Fours { tables, parameters, lines, seen, threats, changed: Vec::with_capacity(64) }
    }

    /// Whether a stone of `side` on an empty cell is no forbidden move of renju.
    #[inline]
    pub(super) fn allows(&self, side: Side, cell: usize) -> bool {
        let lines = LineWords { parameters: self.parameters, lines: &self.lines };
        !self.parameters.renju || side == Side::Second || !renju::verdict(&lines, cell).is_forbidden()
    }

    /// An empty cell that `side` may take, but for this one.
    pub(super) fn another(&self, side: Side, but: usize) -> Option<usize> {
        let Parameters { cols, rows, .. } = self.parameters;
        let mut cells = (0..rows).flat_map(|row| (0..cols).map(move |col| self.parameters.bit(col, row)));
        let is_free = |cell: u16| {
            let (number, p) = places(self.parameters, cell)[0];
            self.lines[number] >> (2 * (p + MAX_REACH as u32)) & 3 == 0
        };
        let may_take = |cell: usize| cell != but && self.allows(side, cell);
        cells.find(|&cell| is_free(cell) && may_take(cell.into())).map(usize::from)
    }

    /// The empty cells on which a stone of `side` makes this threat, at least [`Threat::Four`].
    #[inline]
    pub(super) fn threats(&self, side: Side, threat: Threat) -> Bits<W> {
        self.threats[side.index()][threat as usize - Threat::Four as usize]
    }

    /// See [`has_support`].
    #[inline]
    pub(super) fn has_support(&self, side: Side, bit: usize) -> bool {
        has_support(self.seen[bit / 64][bit % 64], side.index())
    }

    /// Puts a stone of `side` on an empty cell.
    pub(super) fn place(&mut self, bit: usize, side: Side) -> Placed<W> {
        let threats = self.threats;
        self.threats.as_flattened_mut().iter_mut().for_each(|cells| cells.remove(bit));
        let changed = self.changed.len();
        let code = 1 + side.index() as u64;
        let steps = self.parameters.steps();
        let places = places(self.parameters, bit as u16);
        let lines = places.map(|(number, _)| (number, self.lines[number]));
        for (direction, (number, p)) in places.into_iter().enumerate() {
            let line = self.lines[number] | code << (2 * (p + MAX_REACH as u32));
            self.lines[number] = line;
            let tables = self.tables;
            if tables.may_have_four(line, p) {
                felt(tables.reach, (line, p), (bit, steps[direction]), |p, bit| {
                    self.renew(bit, direction, tables.line(line, p));
                });
            }
        }
        Placed { lines, threats, changed }
    }

    /// Takes the last stone back.
    pub(super) fn take_back(&mut self, placed: &Placed<W>) {
        for (number, line) in placed.lines {
            self.lines[number] = line;
        }
        self.threats = placed.threats;
        while self.changed.len() > placed.changed
            && let Some((bit, seen)) = self.changed.pop()
        {
            self.seen[usize::from(bit) / 64][usize::from(bit) % 64] = seen;
        }
    }

    /// Updates the shapes of an empty cell in one direction.
    #[inline]
    fn renew(&mut self, bit: usize, direction: usize, both: u8) {
        let (word, at) = (bit / 64, bit % 64);
        let old = self.seen[word][at];
        let before = (old >> (8 * direction)) as u8;
        if both == before {
            return;
        }
        let new = old & !(255 << (8 * direction)) | u32::from(both) << (8 * direction);
        self.seen[word][at] = new;
        self.changed.push((bit as u16, old));
        for side in 0..2 {
            let (now, before) = (both >> (4 * side) & 15, before >> (4 * side) & 15);
            if now == before || now.max(before) < FOUR {
                continue;
            }
            let [new, old] = [new, old].map(|seen| self.tables.cell(one_side(seen, side)).threat);
            if new != old {
                for threat in [new, old].into_iter().filter(|&threat| threat >= Threat::Four) {
                    self.threats[side][threat as usize - Threat::Four as usize].flip(bit);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{HashMap, HashSet};

    use super::super::parse_parameters;
    use super::*;
    use crate::game::{Position as _, SplitMix64};
    use crate::games::mnk::Position;

    /// The surroundings of a stone in the middle: empty, a stone of its side, or an obstacle.
    type Around = Vec<Option<bool>>;

    /// The cells that complete a line through the middle, and whether there is a line already, window by window.
    fn completing(around: &Around, k: usize, exact: bool) -> (Vec<usize>, bool) {
        let (middle, at) = (around.len() / 2, |i: usize| around.get(i).copied().unwrap_or(Some(false)));
        let (mut cells, mut is_line) = (Vec::new(), false);
        for first in middle + 1 - k..=middle {
            let window = first..first + k;
            let is_long = at(first.wrapping_sub(1)) == Some(true) || at(first + k) == Some(true);
            if window.clone().any(|i| at(i) == Some(false)) || exact && is_long {
                continue;
            }
            let missing: Vec<usize> = window.filter(|&i| at(i).is_none()).collect();
            match missing[..] {
                [] => is_line = true,
                [cell] if !cells.contains(&cell) => cells.push(cell),
                _ => {}
            }
        }
        (cells, is_line)
    }

    /// The shape by its definition: the distance to a line, and the number of ways.
    fn plain_shape(around: &Around, k: usize, exact: bool, known: &mut HashMap<Around, u8>) -> u8 {
        if let Some(&shape) = known.get(around) {
            return shape;
        }
        let shape = shape_by_meaning(around, k, exact, known);
        known.insert(around.clone(), shape);
        shape
    }

    fn shape_by_meaning(around: &Around, k: usize, exact: bool, known: &mut HashMap<Around, u8>) -> u8 {
        let (cells, is_line) = completing(around, k, exact);
        if is_line {
            return FIVE;
        }
        match cells.len() {
            0 => {}
            1 => return FOUR,
            _ => return OPEN_FOUR,
        }
        let mut next = [0; COUNT];
        for cell in (0..around.len()).filter(|&cell| around[cell].is_none()) {
            let mut around = around.clone();
            around[cell] = Some(true);
            next[usize::from(plain_shape(&around, k, exact, known))] += 1;
        }
        let ways = |shapes: &[u8]| shapes.iter().map(|&shape| next[usize::from(shape)]).sum::<usize>();
        let open_threes = ways(&[OPEN_THREE, BROAD_OPEN_THREE]);
        let by_level = [
            (ways(&[OPEN_FOUR]), &[OPEN_THREE, BROAD_OPEN_THREE][..]),
            (ways(&[FOUR]), &[THREE, BROAD_THREE]),
            (open_threes.saturating_sub(1), &[OPEN_TWO, BROAD_OPEN_TWO, WIDE_OPEN_TWO]),
            (open_threes, &[OPEN_TWO]),
            (ways(&[THREE, BROAD_THREE]).saturating_sub(1), &[TWO, BROAD_TWO]),
            (ways(&[THREE, BROAD_THREE]), &[TWO]),
            (ways(&[OPEN_TWO, BROAD_OPEN_TWO, WIDE_OPEN_TWO]), &[OPEN_ONE]),
            (ways(&[ONE, OPEN_ONE, TWO, BROAD_TWO]), &[ONE]),
        ];
        let found = by_level.into_iter().find(|(ways, _)| *ways > 0);
        found.map_or(DEAD, |(ways, shapes)| shapes[(ways - 1).min(shapes.len() - 1)])
    }

    #[test]
    fn the_shape_of_every_window_is_what_its_meaning_says() {
        for (k, exact) in [(4, false), (4, true), (5, false), (5, true)] {
            let reach = reach(k, exact);
            let mut known = HashMap::new();
            for (index, shape) in Windows::new(k, exact).all().into_iter().enumerate() {
                let mut rest = index;
                let mut around: Around = (0..2 * reach)
                    .map(|_| {
                        let digit = rest % 3;
                        rest /= 3;
                        [None, Some(true), Some(false)][digit]
                    })
                    .collect();
                around.insert(reach, Some(true));
                assert_eq!(shape, plain_shape(&around, k.into(), exact, &mut known), "{k} {exact} {around:?}");
            }
        }
    }

    /// The shapes of a position, computed cell by cell from the stones.
    fn plain_cell<const W: usize>(
        position: &Position<W>,
        side: Side,
        bit: u16,
        known: &mut HashMap<Around, u8>,
    ) -> u16 {
        let parameters = position.parameters();
        let (col, row) = parameters.cell(bit);
        let exact = parameters.of(side).exact();
        let reach = reach(parameters.k(), exact) as i32;
        let directions = [(1, 0), (-1, 1), (0, 1), (1, 1)];
        directions.into_iter().enumerate().fold(0, |cell, (direction, (dc, dr))| {
            let around = (-reach..=reach).map(|n| {
                let (col, row) = (i32::from(col) + n * dc, i32::from(row) + n * dr);
                let on_board =
                    (0..parameters.cols().into()).contains(&col) && (0..parameters.rows().into()).contains(&row);
                match (on_board, n) {
                    (_, 0) => Some(true),
                    (false, _) => Some(false),
                    (true, _) => position.stone(col as u8, row as u8).map(|stone| stone == side),
                }
            });
            let shape = plain_shape(&around.collect(), parameters.k().into(), exact, known);
            cell | u16::from(shape) << (4 * direction)
        })
    }

    #[test]
    fn shapes_kept_up_to_date_are_those_of_the_stones() {
        let mut rng = SplitMix64::new(5);
        let mut seen = HashSet::new();
        for name in ["gomoku", "gomokufreestyle", "renju", "mnk:9,12,5", "mnk:22,11,4,exact", "mnk:15,15,6"] {
            let parameters = parse_parameters(name).unwrap();
            let tables = Tables::of(parameters).unwrap();
            let mut known = [HashMap::new(), HashMap::new()];
            let mut position = Position::<4>::start(parameters);
            let mut shapes = Shapes::new(tables, parameters, position.stones);
            let mut moves = Vec::new();
            while position.outcome().is_none() {
                moves.clear();
                position.generate(&mut moves);
                // Near each other, so that shapes occur.
                let near: Vec<u16> = moves.iter().copied().filter(|&mv| shapes.near.has(mv.into())).collect();
                let from = if near.is_empty() { &moves } else { &near };
                let mv = from[rng.below(from.len())];
                shapes.place(mv.into(), position.side_to_move());
                position.play(mv);
                if !position.empty.count().is_multiple_of(5) || position.outcome().is_some() {
                    continue;
                }
                let mut inputs_of = [Vec::new(), Vec::new()];
                for side in [Side::First, Side::Second] {
                    for bit in position.empty.iter() {
                        let cell = plain_cell(&position, side, bit as u16, &mut known[side.index()]);
                        assert_eq!(shapes.cell(side.index(), bit), cell, "{name} {side:?} {bit}");
                        let known = tables.cell(cell);
                        for threat in [Threat::Three, Threat::Four, Threat::OpenFour, Threat::Five] {
                            assert_eq!(shapes.threats(side, threat).has(bit), known.threat == threat);
                        }
                        let kind = kind([0, 4, 8, 12].map(|at| (cell >> at & 15) as u8));
                        for (player, inputs_of) in inputs_of.iter_mut().enumerate() {
                            let both = inputs(kind);
                            inputs_of.extend(both.map(|seen| seen[usize::from(player != side.index())]));
                        }
                    }
                }
                for side in [Side::First, Side::Second] {
                    assert_eq!(shapes.inputs(side, position.empty), inputs_of[side.index()], "{name}");
                }
                seen.extend(inputs_of.into_iter().flatten());
            }
        }
        assert!(seen.len() > 400, "{}", seen.len());
    }

    /// A board of renju in play, with its shapes, after each stone.
    fn games_of_renju(games: usize, seed: u64, mut look: impl FnMut(&Position<4>, &Shapes<4>)) {
        let mut rng = SplitMix64::new(seed);
        let parameters = parse_parameters("renju").unwrap();
        for _ in 0..games {
            let mut position = Position::<4>::start(parameters);
            let mut shapes = Shapes::new(Tables::of(parameters).unwrap(), parameters, position.stones);
            let mut mv = parameters.bit(7, 7);
            while position.outcome().is_none() && position.empty.count() > 150 {
                shapes.place(mv.into(), position.side_to_move());
                position.play(mv);
                look(&position, &shapes);
                // White moves anywhere, so that Black comes to its threes and fours.
                let is_white = position.side_to_move() == Side::Second;
                let from = if is_white { position.empty } else { shapes.near & position.empty };
                let from: Vec<usize> = (from & !renju::forbidden(&position)).iter().collect();
                let rank = |&&cell: &&usize| (shapes.at(Side::First, cell).rank, cell);
                let best = from.iter().max_by_key(rank).copied();
                mv = if is_white || rng.below(2) == 0 { from[rng.below(from.len())] } else { best.unwrap() } as u16;
            }
        }
    }

    #[test]
    fn forbidden_moves_are_told_by_the_shapes_as_by_the_rules() {
        let (mut found, mut overlines) = (0, 0);
        games_of_renju(300, 8, |position, shapes| {
            if position.side_to_move() == Side::First {
                let expected = renju::forbidden(position);
                assert_eq!(shapes.forbidden(position), expected, "{position:?}");
                found += expected.count();
                overlines += expected.iter().filter(|&cell| shapes.verdict(cell) == Verdict::Overline).count();
            }
            for cell in position.empty.iter() {
                assert_eq!(shapes.verdict(cell), renju::verdict_at(position, cell), "{position:?} {cell}");
            }
        });
        assert!(found > 100 && overlines > 5, "{found} {overlines}");
    }

    #[test]
    fn a_double_threat_is_met_on_its_lines_alone() {
        let mut found = 0;
        games_of_renju(40, 9, |position, shapes| {
            for cell in shapes.double_threats(Side::First).iter() {
                for reply in position.empty.iter().filter(|&reply| reply != cell) {
                    let mut after = shapes.clone();
                    after.place(reply, Side::Second);
                    let is_left = after.threats(Side::First, Threat::OpenFour).has(cell);
                    assert!(!is_left || after.verdict(cell) == Verdict::Allowed, "{position:?} {cell} {reply}");
                    found += usize::from(is_left);
                }
            }
        });
        assert!(found > 2_000, "{found}");
    }

    #[test]
    fn support_is_of_two_directions() {
        for shapes in all_shapes() {
            let expected = shapes.iter().filter(|&&shape| shape >= TWO).count() > 1;
            for other in [DEAD, FIVE] {
                let seen = |side: usize| shapes.map(|shape| shape << (4 * side) | other << (4 - 4 * side));
                assert!([0, 1].iter().all(|&side| has_support(u32::from_le_bytes(seen(side)), side) == expected));
            }
        }
    }

    #[test]
    fn fours_are_those_of_the_shapes_whatever_is_put_and_taken_back() {
        let mut rng = SplitMix64::new(6);
        let mut found = [0; 3];
        for name in ["gomoku", "gomokufreestyle", "renju", "mnk:9,12,5", "mnk:22,11,4,exact", "mnk:15,15,6"] {
            let parameters = parse_parameters(name).unwrap();
            let tables = Tables::of(parameters).unwrap();
            for _ in 0..20 {
                let mut shapes = Shapes::<4>::new(tables, parameters, [Bits::EMPTY; 2]);
                shapes.place(parameters.bit(4, 5).into(), Side::First);
                let mut fours = Fours::new(&shapes);
                let mut before = Vec::new();
                let mut filled = Bits::EMPTY.with(parameters.bit(4, 5).into());
                // Stones of both sides near each other; some of them are taken back.
                for _ in 0..80 {
                    let near: Vec<usize> = (shapes.near & !filled).iter().collect();
                    if near.is_empty() {
                        break;
                    }
                    let (bit, side) = (near[rng.below(near.len())], [Side::First, Side::Second][rng.below(2)]);
                    before.push((shapes.clone(), filled, fours.place(bit, side)));
                    shapes.place(bit, side);
                    filled = filled.with(bit);
                    let back = if rng.below(8) == 0 { rng.below(before.len()) } else { 0 };
                    for _ in 0..back {
                        let (earlier, cells, placed) = before.pop().unwrap();
                        fours.take_back(&placed);
                        (shapes, filled) = (earlier, cells);
                    }
                    for side in [Side::First, Side::Second] {
                        for (number, threat) in [Threat::Four, Threat::OpenFour, Threat::Five].into_iter().enumerate() {
                            assert_eq!(fours.threats(side, threat), shapes.threats(side, threat), "{name} {threat:?}");
                            found[number] += fours.threats(side, threat).count();
                        }
                    }
                }
            }
        }
        assert!(found.iter().all(|&cells| cells > 1_000), "{found:?}");
    }
}
