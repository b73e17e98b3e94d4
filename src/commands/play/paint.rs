//! Colours of a board drawn in text, where it is shown on a terminal. Floor 6; pure.
//!
//! A drawing is read as all games draw: cells are `x`, `o` and `.` in rows that begin with a number, houses stand in frames.

/// Colours, or none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Paint(pub(super) bool);

const DIM: &str = "2";
const BOLD: &str = "1";
const FIRST: &str = "36";
const SECOND: &str = "33";
const LAST: &str = "1;7";

const FRAME: [char; 3] = ['+', '-', '|'];

impl Paint {
    /// Whether there are colours: on a terminal that knows them, unless `NO_COLOR` says anything.
    pub(super) fn on(is_terminal: bool, variable: impl Fn(&str) -> Option<String>) -> Paint {
        let forbidden = variable("NO_COLOR").is_some_and(|said| !said.is_empty());
        let dumb = variable("TERM").is_none_or(|term| term == "dumb");
        Paint(is_terminal && !forbidden && !(cfg!(unix) && dumb))
    }

    fn with(self, code: &str, text: &str) -> String {
        if self.0 { format!("\x1b[{code}m{text}\x1b[0m") } else { text.into() }
    }

    /// What is less important.
    pub(super) fn dim(self, text: &str) -> String {
        self.with(DIM, text)
    }

    /// What is more important.
    pub(super) fn bold(self, text: &str) -> String {
        self.with(BOLD, text)
    }

    /// A drawing, with the cell of the last move marked.
    pub(super) fn board(self, drawing: &str, last: Option<&str>) -> String {
        if !self.0 {
            return drawing.into();
        }
        let last = last.and_then(|mv| last_cell(drawing, mv));
        let has_houses = drawing.contains("+-");
        let lines = drawing.lines().enumerate().map(|(number, line)| {
            let mark = last.filter(|(marked, _)| *marked == number).map(|(_, col)| col);
            let is_letters = |ok: fn(&char) -> bool| {
                line.split_whitespace().all(|word| word.chars().count() == 1 && word.chars().all(|c| ok(&c)))
            };
            if cells(line).is_some() {
                self.row(line, mark)
            } else if line.trim().is_empty() {
                line.into()
            } else if has_houses && line.contains(FRAME) {
                self.frame(line)
            } else if !is_letters(char::is_ascii_alphabetic) {
                line.into()
            } else if !has_houses {
                self.dim(line)
            } else {
                self.with(if is_letters(char::is_ascii_uppercase) { FIRST } else { SECOND }, line)
            }
        });
        lines.collect::<Vec<String>>().join("\n")
    }

    /// A line with parts of a frame.
    fn frame(self, line: &str) -> String {
        let mut text = String::new();
        let mut rest = line;
        while let Some(start) = rest.find(FRAME) {
            let end = rest[start..].find(|c| !FRAME.contains(&c)).map_or(rest.len(), |length| start + length);
            text.push_str(&rest[..start]);
            text.push_str(&self.dim(&rest[start..end]));
            rest = &rest[end..];
        }
        text + rest
    }

    /// A row of cells; the cell of this column is marked.
    fn row(self, line: &str, mark: Option<usize>) -> String {
        let start = line.len() - line.trim_start().len();
        let label = line.trim_start().split(' ').next().map_or(0, str::len) + start;
        let mut text = self.dim(&line[..label]);
        // Cells stand behind one blank each.
        for (col, cell) in line[label..].split_whitespace().enumerate() {
            text.push(' ');
            text.push_str(&match cell {
                _ if mark == Some(col) => self.with(LAST, cell),
                "x" => self.with(FIRST, cell),
                "o" => self.with(SECOND, cell),
                _ => self.dim(cell),
            });
        }
        text
    }
}

/// The number of a row and its cells, if the line is one.
fn cells(line: &str) -> Option<(u32, Vec<&str>)> {
    let mut words = line.split_whitespace();
    let number = words.next()?.parse().ok()?;
    let cells: Vec<&str> = words.collect();
    (!cells.is_empty() && cells.iter().all(|cell| matches!(*cell, "." | "x" | "o"))).then_some((number, cells))
}

/// Where a move was made: the line of the drawing, and the column. A move that names a column only fell on its topmost stone.
fn last_cell(drawing: &str, mv: &str) -> Option<(usize, usize)> {
    let letter = mv.chars().next().filter(char::is_ascii_lowercase)?;
    let col = letter as usize - usize::from(b'a');
    let row: Option<u32> = if mv.len() == 1 { None } else { Some(mv[1..].parse().ok()?) };
    let mut rows = drawing.lines().enumerate().filter_map(|(place, line)| Some((place, cells(line)?)));
    let is_it = |number: u32, cell: &str| row.map_or(cell != ".", |row| row == number);
    rows.find(|(_, (number, cells))| cells.get(col).is_some_and(|cell| is_it(*number, cell))).map(|(at, _)| (at, col))
}

#[cfg(test)]
mod tests {
    use super::*;

    const GRID: &str = " 2 . x\n 1 o x\n   a b";

    #[test]
    fn colours_are_for_terminals_that_know_them_and_people_who_want_them() {
        let said = |pairs: &'static [(&str, &str)]| {
            move |name: &str| pairs.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned())
        };
        assert_eq!(Paint::on(true, said(&[("TERM", "xterm")])), Paint(true));
        assert_eq!(Paint::on(true, said(&[("TERM", "xterm"), ("NO_COLOR", "")])), Paint(true));
        assert_eq!(Paint::on(true, said(&[("TERM", "xterm"), ("NO_COLOR", "1")])), Paint(false));
        assert_eq!(Paint::on(false, said(&[("TERM", "xterm")])), Paint(false));
        #[cfg(unix)]
        assert_eq!(Paint::on(true, said(&[("TERM", "dumb")])), Paint(false));
    }

    #[test]
    fn without_colours_a_drawing_stays_as_it_is() {
        assert_eq!(Paint(false).board(GRID, Some("b2")), GRID);
    }

    #[test]
    fn colours_leave_every_letter_in_its_place() {
        let houses = "     b    a\n   +----+----+\n   |  4 | 12 |\n 0 +----+----+  0\n     A    B";
        let matches = "a  3  |||\nb 12  ||||||||||||";
        for drawing in [GRID, houses, matches] {
            let painted = Paint(true).board(drawing, Some("b2"));
            let mut plain = String::new();
            let mut rest = painted.as_str();
            while let Some((before, after)) = rest.split_once("\x1b[") {
                plain.push_str(before);
                rest = after.split_once('m').unwrap().1;
            }
            assert_eq!(plain + rest, drawing);
        }
    }

    #[test]
    fn the_last_move_is_marked() {
        assert_eq!(last_cell(GRID, "a1"), Some((1, 0)));
        assert_eq!(last_cell(GRID, "b2"), Some((0, 1)));
        // A column: its topmost stone.
        assert_eq!(last_cell(GRID, "b"), Some((0, 1)));
        assert_eq!(last_cell(GRID, "a"), Some((1, 0)));
        assert_eq!((last_cell(GRID, "c1"), last_cell(GRID, "A"), last_cell(GRID, "0000")), (None, None, None));
        assert!(Paint(true).board(GRID, Some("a1")).contains("\x1b[1;7mo\x1b[0m"));
    }
}
