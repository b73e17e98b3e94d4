//! The moves that renju forbids its first player. Layer 2, private to m,n,k games; k is 5.
//!
//! By section 9 of the rules of the Renju International Federation a black stone that makes no five is forbidden when it makes
//! an overline (six or more in a row), two fours, or two threes. A *four* becomes a five by one stone; a *straight* four by
//! either of two, at its ends. A *three* becomes a straight four by a stone that makes no five and is not itself forbidden,
//! tested again on the board with both stones. So a three that cannot be extended is none.
//!
//! ```text
//!   a line around the cell c, as bits:   index  0 1 2 3 4 5 6 7 8 9 10
//!                                        cell  -5 . . . . c . . . . +5
//! ```
//! CITE: Renju International Federation, "The International Rules of Renju", 2008.

use super::bits::Bits;
use super::rules::Position;
use crate::game::Side;

/// The index of the cell in its lines.
const CENTRE: u32 = 5;

/// The result of a stone of the first player.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verdict {
    /// It wins, whatever else it makes.
    Five,
    Overline,
    TwoFours,
    TwoThrees,
    Allowed,
}

impl Verdict {
    pub(super) fn is_forbidden(self) -> bool {
        matches!(self, Verdict::Overline | Verdict::TwoFours | Verdict::TwoThrees)
    }
}

/// The stones of the first player and the free cells on a line through a cell, which counts as taken by it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Line {
    own: u16,
    free: u16,
}

impl Line {
    /// The line by the cells around its centre, two bits each from index 0 on: 0 is free, 1 a stone of the first player.
    #[inline]
    pub(super) fn of_codes(codes: u64) -> Line {
        const EACH: u32 = 0x15_5555;
        let (low, high) = (codes as u32 & EACH, (codes >> 1) as u32 & EACH);
        // Every second bit, close together.
        let packed = |mut bits: u32| {
            bits = (bits | bits >> 1) & 0x33_3333;
            bits = (bits | bits >> 2) & 0x0F_0F0F;
            bits = (bits | bits >> 4) & 0xFF_00FF;
            (bits | bits >> 8) as u16
        };
        Line { own: packed(low & !high) | 1 << CENTRE, free: packed(EACH & !(low | high)) & !(1 << CENTRE) }
    }

    /// The first and last index of the unbroken row through the centre, with `more` stones added to the line.
    fn row(self, more: u16) -> (u32, u32) {
        let own = self.own | more;
        let above = (own >> CENTRE).trailing_ones();
        let below = (own << (15 - CENTRE)).leading_ones();
        (CENTRE + 1 - below, CENTRE + above - 1)
    }

    fn length(self) -> u32 {
        let (first, last) = self.row(0);
        last - first + 1
    }

    fn has(set: u16, index: u32) -> bool {
        set >> index & 1 != 0
    }

    /// The stones close enough to share a line of five with the centre.
    fn stones_nearby(self) -> u32 {
        const NEARBY: u16 = 0x3FE & !(1 << CENTRE);
        (self.own & NEARBY).count_ones()
    }

    /// The free indices close enough to share a line of five with the centre.
    fn near(self) -> impl Iterator<Item = u32> {
        (1..10).filter(move |&index| Line::has(self.free, index))
    }

    /// The number of fours that include the stone in the centre.
    fn fours(self) -> u32 {
        let mut fives = self.near().filter(|&index| {
            let (first, last) = self.row(1 << index);
            last - first == 4 && (first..=last).contains(&index)
        });
        match (fives.next(), fives.next()) {
            (None, _) => 0,
            // The two ends of one straight four.
            (Some(low), Some(high)) if high - low == 5 => 1,
            (Some(_), None) => 1,
            (Some(_), Some(_)) => 2,
        }
    }

    /// The indices at which one more stone makes a straight four that includes the centre.
    fn straight_fours(self) -> impl Iterator<Item = u32> {
        self.near().filter(move |&index| {
            let (first, last) = self.row(1 << index);
            last - first == 3
                && (first..=last).contains(&index)
                && first >= 2
                && Line::has(self.free, first - 1)
                && Line::has(self.free, last + 1)
                && !Line::has(self.own, first - 2)
                && !Line::has(self.own, last + 2)
        })
    }
}

/// The lines of a board.
pub(super) trait Lines {
    /// The bits from a cell to the next one, by direction.
    fn steps(&self) -> [u32; 4];

    /// The lines through a free cell, by direction.
    fn lines(&self, cell: usize) -> [Line; 4];
}

/// The same with one more stone of the first player.
struct With<'l> {
    lines: &'l dyn Lines,
    stone: usize,
}

impl Lines for With<'_> {
    fn steps(&self) -> [u32; 4] {
        self.lines.steps()
    }

    fn lines(&self, cell: usize) -> [Line; 4] {
        let (mut lines, away) = (self.lines.lines(cell), self.stone as i32 - cell as i32);
        for (line, step) in lines.iter_mut().zip(self.steps()) {
            // A stone behind the edge of the board counts as well; no row reaches it.
            let (step, centre) = (step.cast_signed(), CENTRE.cast_signed());
            let index = centre + away / step;
            if away % step == 0 && (0..=2 * centre).contains(&index) {
                line.own |= 1 << index;
                line.free &= !(1 << index);
            }
        }
        lines
    }
}

/// The verdict on a stone of the first player on this free cell.
pub(super) fn verdict(board: &dyn Lines, cell: usize) -> Verdict {
    let lines = board.lines(cell);
    let near = lines.map(Line::stones_nearby);
    if near.iter().filter(|&&stones| stones > 1).count() < 2 && near.iter().all(|&stones| stones < 4) {
        return Verdict::Allowed;
    }
    let lengths = lines.map(Line::length);
    if lengths.contains(&5) {
        return Verdict::Five;
    }
    if lengths.iter().any(|&length| length > 5) {
        return Verdict::Overline;
    }
    let fours = lines.map(Line::fours);
    if fours.iter().sum::<u32>() >= 2 {
        return Verdict::TwoFours;
    }
    let may_be_three =
        |direction: &usize| fours[*direction] == 0 && lines[*direction].straight_fours().next().is_some();
    if (0..4).filter(may_be_three).count() < 2 {
        return Verdict::Allowed;
    }
    let next = With { lines: board, stone: cell };
    let is_three = |direction: &usize| {
        let step = board.steps()[*direction] as usize;
        let at = |index: u32| (cell + index as usize * step).wrapping_sub(CENTRE as usize * step);
        lines[*direction].straight_fours().any(|index| verdict(&next, at(index)) == Verdict::Allowed)
    };
    if (0..4).filter(may_be_three).filter(is_three).nth(1).is_some() { Verdict::TwoThrees } else { Verdict::Allowed }
}

/// The stones of the first player, and the free cells.
struct Board<const W: usize> {
    black: Bits<W>,
    empty: Bits<W>,
    steps: [u32; 4],
}

impl<const W: usize> Lines for Board<W> {
    fn steps(&self) -> [u32; 4] {
        self.steps
    }

    fn lines(&self, cell: usize) -> [Line; 4] {
        self.steps.map(|step| {
            let mut line = Line { own: 1 << CENTRE, free: 0 };
            let mut at = cell.wrapping_sub((CENTRE * step) as usize);
            for index in 0..=2 * CENTRE {
                line.own |= u16::from(self.black.has(at)) << index;
                line.free |= u16::from(self.empty.has(at) && at != cell) << index;
                at = at.wrapping_add(step as usize);
            }
            line
        })
    }
}

impl<const W: usize> Board<W> {
    /// The free cells on which a stone might be forbidden: two lines with two stones nearby, or one with four.
    fn suspects(&self) -> Bits<W> {
        let (mut lines, mut several) = (Bits::EMPTY, Bits::EMPTY);
        for step in self.steps {
            // Cells with at least one, two, three, four stones within four steps.
            let mut near = [Bits::EMPTY; 4];
            let (mut up, mut down) = (self.black, self.black);
            for _ in 0..4 {
                (up, down) = (up.up(step), down.down(step));
                for stones in [up, down] {
                    for n in (1..4).rev() {
                        near[n] = near[n] | near[n - 1] & stones;
                    }
                    near[0] = near[0] | stones;
                }
            }
            several = several | lines & near[1] | near[3];
            lines = lines | near[1];
        }
        several & self.empty
    }
}

/// The free cells on which a stone of the first player makes a row of six or more, where there is no row of five yet.
pub(super) fn overlines<const W: usize>(black: Bits<W>, empty: Bits<W>, steps: [u32; 4]) -> Bits<W> {
    let mut cells = Bits::EMPTY;
    for step in steps {
        // On one side of the cell are at least three in a row.
        let two = black & black.up(step);
        if (two & two.up(step)).is_empty() {
            continue;
        }
        // One, two, three, four stones in a row right below a cell, and right above it.
        let (mut below, mut above) = ([black.up(step); 4], [black.down(step); 4]);
        for n in 1..4 {
            below[n] = below[0] & below[n - 1].up(step);
            above[n] = above[0] & above[n - 1].down(step);
        }
        cells = (0..4).fold(cells, |cells, n| cells | below[n] & above[3 - n]);
    }
    cells & empty
}

/// The verdict on a stone of the first player on this free cell.
pub(super) fn verdict_at<const W: usize>(position: &Position<W>, cell: usize) -> Verdict {
    verdict(&board(position), cell)
}

/// The free cells forbidden to the side to move; empty except for the first player of renju.
pub(super) fn forbidden<const W: usize>(position: &Position<W>) -> Bits<W> {
    let mut cells = Bits::EMPTY;
    if position.parameters.renju && position.turn == Side::First {
        let board = board(position);
        for cell in board.suspects().iter().filter(|&cell| verdict(&board, cell).is_forbidden()) {
            cells.flip(cell);
        }
    }
    cells
}

fn board<const W: usize>(position: &Position<W>) -> Board<W> {
    Board { black: position.stones[Side::First.index()], empty: position.empty, steps: position.parameters.steps() }
}

#[cfg(test)]
mod tests {
    use super::super::{Notation, Style, parse_parameters};
    use super::*;
    use crate::game::{Notation as _, Outcome, Position as _, SplitMix64};

    /// A board of characters, with the definitions taken literally. `board[row][col]`.
    #[derive(Clone)]
    struct Plain(Vec<Vec<char>>);

    type At = (i32, i32);

    const WAYS: [At; 4] = [(1, 0), (0, 1), (1, 1), (1, -1)];

    fn along((col, row): At, (dc, dr): At, n: i32) -> At {
        (col + n * dc, row + n * dr)
    }

    impl Plain {
        fn get(&self, (col, row): At) -> char {
            let row = usize::try_from(row).ok().and_then(|row| self.0.get(row));
            row.zip(usize::try_from(col).ok()).and_then(|(row, col)| row.get(col)).copied().unwrap_or('#')
        }

        fn with(&self, (col, row): At) -> Plain {
            let mut board = self.clone();
            board.0[row as usize][col as usize] = 'x';
            board
        }

        /// The cells of black's row that includes this cell.
        fn row(&self, at: At, way: At) -> Vec<At> {
            let back = (0..).take_while(|&n| self.get(along(at, way, -n)) == 'x').last().unwrap();
            (0..).map(|n| along(at, way, n - back)).take_while(|&at| self.get(at) == 'x').collect()
        }

        fn makes_five(&self, at: At) -> bool {
            WAYS.iter().any(|&way| self.with(at).row(at, way).len() == 5)
        }

        /// The sets of four stones, including this cell, that one more stone makes a five, with the cell of that stone.
        fn fours(&self, at: At, way: At) -> Vec<(Vec<At>, At)> {
            let mut fours = Vec::new();
            for begin in -4..=0 {
                let window: Vec<At> = (begin..begin + 5).map(|n| along(at, way, n)).collect();
                let (stones, others): (Vec<At>, Vec<At>) = window.iter().partition(|&&cell| self.get(cell) == 'x');
                if stones.len() == 4 && self.get(others[0]) == '.' && self.with(others[0]).row(at, way).len() == 5 {
                    fours.push((stones, others[0]));
                }
            }
            fours
        }

        fn is_straight_four(&self, at: At, way: At) -> bool {
            let row = self.row(at, way);
            row.len() == 4 && self.fours(at, way).iter().filter(|(stones, _)| *stones == row).count() == 2
        }

        /// Whether a stone that makes no five is forbidden.
        fn forbids(&self, at: At) -> bool {
            let board = self.with(at);
            if WAYS.iter().any(|&way| board.row(at, way).len() > 5) {
                return true;
            }
            let fours = |way: At| {
                let mut sets: Vec<Vec<At>> = board.fours(at, way).into_iter().map(|(stones, _)| stones).collect();
                sets.dedup();
                sets.len()
            };
            if WAYS.iter().map(|&way| fours(way)).sum::<usize>() >= 2 {
                return true;
            }
            let is_three = |way: At| {
                fours(way) == 0
                    && (-4..=4).map(|n| along(at, way, n)).any(|cell| {
                        board.get(cell) == '.'
                            && board.with(cell).row(cell, way).contains(&at)
                            && board.with(cell).is_straight_four(cell, way)
                            && !board.makes_five(cell)
                            && !board.forbids(cell)
                    })
            };
            WAYS.iter().filter(|&&way| is_three(way)).count() >= 2
        }
    }

    /// A 15 by 15 board drawn with `x`, `o` and `.` from the top; the drawing is the lower left corner.
    fn drawn(rows: &[&str]) -> (Position<4>, Plain) {
        let parameters = parse_parameters("renju").unwrap();
        let mut plain = Plain(vec![vec!['.'; 15]; 15]);
        let mut stones = [Bits::EMPTY; 2];
        for (row, line) in rows.iter().rev().enumerate() {
            for (col, cell) in line.chars().enumerate() {
                let side = match cell {
                    'x' => 0,
                    'o' => 1,
                    _ => continue,
                };
                plain.0[row][col] = cell;
                stones[side].flip(parameters.bit(col as u8, row as u8).into());
            }
        }
        (Position::with_stones(parameters, stones, Side::First), plain)
    }

    /// The verdict of the cell drawn as `?`.
    fn asked(rows: &[&str]) -> Verdict {
        let (position, plain) = drawn(rows);
        let row = rows.iter().position(|row| row.contains('?')).unwrap();
        let (col, row) = (rows[row].find('?').unwrap(), rows.len() - 1 - row);
        let found = verdict_at(&position, position.parameters.bit(col as u8, row as u8).into());
        let at = (col as i32, row as i32);
        assert_eq!(found == Verdict::Five, plain.makes_five(at), "{rows:?}");
        if found != Verdict::Five {
            assert_eq!(found.is_forbidden(), plain.forbids(at), "{rows:?}");
        }
        assert_eq!(
            forbidden(&position).has(position.parameters.bit(at.0 as u8, at.1 as u8).into()),
            found.is_forbidden()
        );
        found
    }

    #[test]
    fn six_in_a_row_are_forbidden_and_five_win_whatever_else_they_make() {
        assert_eq!(asked(&["........", ".xxx?xx.", "........"]), Verdict::Overline);
        assert_eq!(asked(&["xxxx?"]), Verdict::Five);
        // A five with an overline, and a five with two fours.
        assert_eq!(asked(&["....x...", "....x...", "....x...", "....x...", ".xxx?xx."]), Verdict::Five);
        assert_eq!(asked(&["...x....", "...x....", "...x....", "xxx?x..."]), Verdict::Five);
    }

    #[test]
    fn two_fours_are_forbidden_on_two_lines_and_on_one() {
        assert_eq!(asked(&["...x....", "...x....", "...x....", ".xx?x...", "........"]), Verdict::TwoFours);
        // On one line: each gap gives its own five.
        assert_eq!(asked(&["........", ".x.x?x.x.", "........"]), Verdict::TwoFours);
        assert_eq!(asked(&["........", ".xx.?x.xx.", "........"]), Verdict::TwoFours);
        assert_eq!(asked(&["........", ".xxx.?.xxx.", "........"]), Verdict::TwoFours);
        // A straight four counts as one.
        assert_eq!(asked(&["........", "..x?xx..", "........"]), Verdict::Allowed);
        // A row that would become six is no four.
        assert_eq!(asked(&["...x.....", "...x.....", "...x.....", ".xx?.xx..", "........."]), Verdict::Allowed);
        // A blocked row is no four.
        assert_eq!(asked(&["...o....", "...x....", "...x....", "...x....", "oxx?xo..", "...o...."]), Verdict::Allowed);
    }

    #[test]
    fn two_threes_are_forbidden_when_both_can_become_straight_fours() {
        let cross = [".........", "....x....", "....x....", "..xx?....", ".........", "........."];
        assert_eq!(asked(&cross), Verdict::TwoThrees);
        // With a gap.
        assert_eq!(
            asked(&[".........", "....x....", ".........", "....x....", ".x.x?....", ".........", "........."]),
            Verdict::TwoThrees
        );
        // A four and a three are allowed.
        assert_eq!(
            asked(&[".........", "....x....", "....x....", ".xxx?....", ".........", "........."]),
            Verdict::Allowed
        );
        // A row between two white stones, with space for five but not for a straight four.
        assert_eq!(
            asked(&[".........", "....x....", "....x....", "o.xx?.o..", ".........", "........."]),
            Verdict::Allowed
        );
        // At the edge.
        assert_eq!(asked(&["..x......", "..x......", "..?xx...."]), Verdict::Allowed);
        // A further stone makes the straight four an overline.
        assert_eq!(
            asked(&["..........", "....x.....", "....x.....", "o.xx?..x..", "..........", ".........."]),
            Verdict::Allowed
        );
    }

    #[test]
    fn a_three_whose_only_straight_fours_are_forbidden_is_none() {
        // The row can become a straight four only on the right, where the stone would make two fours: it is no three.
        let rows = [
            ".............",
            ".............",
            "....x........",
            "....x........",
            "o.xx?........",
            ".....x.......",
            ".....x.......",
            ".....x.......",
            ".............",
        ];
        assert_eq!(asked(&rows), Verdict::Allowed);
        // With one stone fewer there it is a three.
        let mut fewer = rows;
        fewer[7] = ".............";
        assert_eq!(asked(&fewer), Verdict::TwoThrees);
        // The stone would make two real threes there.
        let rows = [
            ".............",
            ".............",
            "....x..x.....",
            "....x.x......",
            "o.xx?........",
            ".....x.......",
            ".....x.......",
            ".............",
            ".............",
        ];
        assert_eq!(asked(&rows), Verdict::Allowed);
    }

    #[test]
    fn random_boards_agree_with_the_definition() {
        let mut rng = SplitMix64::new(7);
        let (mut checked, mut found) = (0, [0; 5]);
        for _ in 0..400 {
            let parameters = parse_parameters("mnk:9,9,5,renju").unwrap();
            let mut plain = Plain(vec![vec!['.'; 9]; 9]);
            let mut stones = [Bits::<2>::EMPTY; 2];
            let density = 3 + rng.below(5);
            for row in 0..9_u8 {
                for col in 0..9_u8 {
                    if rng.below(12) < density {
                        let side = usize::from(rng.below(3) == 0);
                        plain.0[usize::from(row)][usize::from(col)] = ['x', 'o'][side];
                        stones[side].flip(parameters.bit(col, row).into());
                    }
                }
            }
            let mut position = Position::with_stones(parameters, stones, Side::First);
            position.winner = None;
            let all = forbidden(&position);
            for cell in position.empty.iter() {
                let (col, row) = parameters.cell(cell as u16);
                let at = (i32::from(col), i32::from(row));
                let told = verdict_at(&position, cell);
                let meant = if plain.makes_five(at) { Verdict::Five } else { Verdict::Allowed };
                let forbids = meant == Verdict::Allowed && plain.forbids(at);
                assert_eq!(
                    (told == Verdict::Five, told.is_forbidden()),
                    (meant == Verdict::Five, forbids),
                    "{at:?} {:?}",
                    plain.0
                );
                assert_eq!(all.has(cell), forbids);
                found[told as usize] += 1;
                checked += 1;
            }
        }
        assert!(checked > 10_000 && found.iter().all(|&n| n > 20), "{checked} {found:?}");
    }

    #[test]
    fn forbidden_points_are_no_moves_of_black_and_white_has_none() {
        let notation = Notation::<4>::new(parse_parameters("renju").unwrap(), Style::Coordinates);
        let board = "15/15/15/15/15/15/15/15/15/4x1o8/4x1o8/2xx11/15/6o1o6/15";
        let position = notation.parse_position(&format!("{board} x")).unwrap();
        let mut moves = Vec::new();
        position.generate(&mut moves);
        let e4 = position.parameters.bit(4, 3);
        assert!(!moves.contains(&e4) && moves.len() as u32 == position.empty.count() - 1);
        let error = notation.parse_move(&position, "e4").unwrap_err();
        assert_eq!(error.to_string(), "move: expected a point that is not forbidden, found e4, which makes two threes");
        let turned = notation.parse_position(&format!("{} o", board.replace("6o1o6", "6o8"))).unwrap();
        moves.clear();
        turned.generate(&mut moves);
        assert!(moves.contains(&e4));
    }

    #[test]
    fn an_overline_wins_for_white_alone() {
        let (mut position, _) = drawn(&["oo.ooo", "xx.xxx"]);
        position.turn = Side::Second;
        assert_eq!(position.after(position.parameters.bit(2, 1)).outcome(), Some(Outcome::Win(Side::Second)));
        let (position, _) = drawn(&["oo.ooo", "xx.xxx"]);
        assert_eq!(verdict_at(&position, position.parameters.bit(2, 0).into()), Verdict::Overline);
    }
}
