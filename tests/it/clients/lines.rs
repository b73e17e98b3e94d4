//! The board of a referee of games of lines, by rules of its own.

/// How a game ended.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Ending {
    Line,
    Full,
}

/// `cells[row][col]`, 0 for nobody, 1 and 2 for the players, row 1 first.
#[derive(Clone)]
pub(super) struct Lines {
    line: usize,
    /// Whether a longer line does not win.
    exact: bool,
    /// Whether stones fall.
    gravity: bool,
    cells: Vec<Vec<u8>>,
    plies: usize,
}

impl Lines {
    pub(super) fn new(cols: usize, rows: usize, line: usize, exact: bool, gravity: bool) -> Lines {
        Lines { line, exact, gravity, cells: vec![vec![0; cols]; rows], plies: 0 }
    }

    /// Places the next stone; answers whether that was legal.
    pub(super) fn place(&mut self, col: usize, row: usize) -> bool {
        let free = |row: usize| self.cells.get(row).and_then(|cells| cells.get(col)) == Some(&0);
        if !free(row) || self.gravity && row > 0 && free(row - 1) || self.ending().is_some() {
            return false;
        }
        self.cells[row][col] = 1 + (self.plies % 2) as u8;
        self.plies += 1;
        true
    }

    pub(super) fn ending(&self) -> Option<Ending> {
        let at = |col: i32, row: i32| {
            let cells = usize::try_from(row).ok().and_then(|row| self.cells.get(row));
            cells.zip(usize::try_from(col).ok()).and_then(|(cells, col)| cells.get(col)).copied().unwrap_or(0)
        };
        let (cols, rows) = (self.cells[0].len() as i32, self.cells.len() as i32);
        for (col, row) in (0..rows).flat_map(|row| (0..cols).map(move |col| (col, row))) {
            for (dc, dr) in [(1, 0), (0, 1), (1, 1), (1, -1)] {
                let who = at(col, row);
                if who == 0 || at(col - dc, row - dr) == who {
                    continue;
                }
                let run = (0..).take_while(|i| at(col + i * dc, row + i * dr) == who).count();
                if run == self.line || run > self.line && !self.exact {
                    return Some(Ending::Line);
                }
            }
        }
        self.cells.iter().flatten().all(|&cell| cell != 0).then_some(Ending::Full)
    }
}
