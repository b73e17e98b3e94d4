//! A game as clients with a board of points see it: stones, labels, and the point of each move.
//!
//! Floor 4. Pure: reads the texts that a session gives, in the three forms that `protocol.md` describes, and knows no game. The
//! board is square. Columns and rows count from 0, from the bottom left; in the pictures they are named as in GTP.
//!
//! ```text
//!      cells                 houses of awale:mini     heaps
//!   3  .  .  .  beyond       .  .  .                  .  .  .
//!   2  a2 b2 c2              c  b  a                  a2 b2 c2   b2 takes two from heap b
//!   1  a1 b1 c1              A  B  C                  a1 b1 c1   labels: the sizes of the heaps
//!      A  B  C               labels: the seeds        A  B  C
//! ```

use std::fmt::Write;

use super::dialect::Points;
use crate::message::{Player, Question};

/// The longest side of a board of points: as many letters as there are without I.
const LONGEST_SIDE: usize = 25;

/// How sessions write the move of a player who must pass.
const PASS: &str = "0000";

/// A point of the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Point {
    col: usize,
    row: usize,
}

/// What a session says about its game, in its own words.
#[derive(Debug, Clone, Copy, Default)]
pub struct Said<'s> {
    /// The name of the game.
    pub game: &'s str,
    /// `query fen`.
    pub board: &'s str,
    /// The drawing.
    pub drawing: &'s str,
    /// `query legalmoves`.
    pub moves: &'s str,
    /// `query p1turn`.
    pub p1turn: &'s str,
    /// `query result`.
    pub result: &'s str,
}

/// A game on a board of points.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct View {
    game: String,
    drawing: String,
    result: String,
    turn: Player,
    board: Option<Board>,
    /// The legal moves, as the game writes them.
    moves: Vec<String>,
}

/// What lies on the points.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
struct Board {
    cols: usize,
    rows: usize,
    stones: Vec<(Point, Player)>,
    labels: Vec<(Point, String)>,
    captured: [u64; 2],
    form: Form,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Form {
    /// Rows of cells, and heaps: `b2`, or `b` for the lowest free cell of the file.
    #[default]
    Cells,
    /// `A` and `a`.
    Houses,
}

impl View {
    /// The game of which a session says this.
    #[must_use]
    pub fn new(said: &Said<'_>) -> View {
        View {
            game: said.game.into(),
            drawing: said.drawing.into(),
            result: said.result.into(),
            turn: if said.p1turn == "true" { Player::First } else { Player::Second },
            board: cells(said.drawing).or_else(|| houses(said.board)).or_else(|| heaps(said.board)),
            moves: said.moves.split_ascii_whitespace().map(str::to_owned).collect(),
        }
    }

    /// Whose turn it is, or would be.
    #[must_use]
    pub fn turn(&self) -> Player {
        self.turn
    }

    /// Whether the game is over.
    #[must_use]
    pub fn is_over(&self) -> bool {
        matches!(self.result.as_str(), "p1win" | "p2win" | "draw")
    }

    /// The side of the square board, or nothing for a game that has no board of points.
    #[must_use]
    pub fn side(&self) -> Option<usize> {
        self.board.as_ref().map(Board::side)
    }

    /// Makes a board of heaps at least so large: it does not shrink with its heaps.
    pub fn grow(&mut self, side: usize) {
        if let Some(board) = self.board.as_mut().filter(|board| board.side() < side) {
            board.rows = side;
        }
    }

    /// The legal move that `text` names in this way, as the game writes it. A move that has no point goes by its own text, and so
    /// does, beside points of letters, any text that is none.
    #[must_use]
    pub fn find(&self, points: Points, text: &str) -> Option<&str> {
        if points == Points::Letters && text.eq_ignore_ascii_case("pass") {
            return self.moves.iter().map(String::as_str).find(|&mv| mv == PASS);
        }
        let point = point_of(points, text);
        let by_text = point.is_none() && points != Points::Numbers;
        let is_meant = |mv: &&str| match self.point(mv) {
            Some(own) => point == Some(own) || by_text && *mv == text,
            None => *mv == text,
        };
        self.moves.iter().map(String::as_str).find(is_meant)
    }

    /// How a legal move is named in this way; nothing for none where there is no word for that.
    #[must_use]
    pub fn name(&self, points: Points, mv: Option<&str>) -> Option<String> {
        match (points, mv) {
            (Points::Letters, None | Some(PASS)) => Some("pass".into()),
            (_, None) => None,
            (points, Some(mv)) => {
                Some(self.point(mv).map_or_else(|| mv.to_owned(), |point| written(points, point, mv)))
            }
        }
    }

    /// The point of a legal move.
    fn point(&self, mv: &str) -> Option<Point> {
        let board = self.board.as_ref()?;
        let mut letters = mv.chars();
        let letter = letters.next().filter(char::is_ascii_alphabetic)?;
        let index = (letter.to_ascii_lowercase() as usize) - usize::from(b'a');
        let point = match (board.form, letters.as_str()) {
            (Form::Houses, "") if letter.is_ascii_uppercase() => Point { col: index, row: board.south_row() },
            (Form::Houses, "") => Point { col: board.cols.checked_sub(index + 1)?, row: board.south_row() + 1 },
            (Form::Cells, "") => {
                let free = |row: &usize| !board.stones.iter().any(|(at, _)| *at == Point { col: index, row: *row });
                Point { col: index, row: (0..board.rows).find(free)? }
            }
            (_, row) => Point { col: index, row: row.parse::<usize>().ok()?.checked_sub(1)? },
        };
        (point.col < LONGEST_SIDE && point.row < LONGEST_SIDE).then_some(point)
    }

    /// The answer to a question in the words of GTP, or why there is none.
    ///
    /// # Errors
    /// When the game has no board of points, or the question has no answer yet.
    pub fn answer(&self, question: Question) -> Result<String, String> {
        let turn = if self.turn == Player::First { "black" } else { "white" };
        Ok(match question {
            Question::Game => {
                let letters = self.game.chars().take_while(char::is_ascii_alphabetic);
                let cased =
                    |(i, c): (usize, char)| if i == 0 { c.to_ascii_uppercase() } else { c.to_ascii_lowercase() };
                letters.enumerate().map(cased).collect()
            }
            Question::Moves if self.is_over() => String::new(),
            Question::Moves => {
                let names = self.moves.iter().filter_map(|mv| self.name(Points::Letters, Some(mv)));
                names.collect::<Vec<String>>().join(" ")
            }
            Question::Turn => turn.into(),
            Question::Result => match self.result.as_str() {
                "p1win" => "Black wins".into(),
                "p2win" => "White wins".into(),
                "draw" => "Draw".into(),
                _ => format!("The game goes on, {turn} to move"),
            },
            Question::Score => match self.result.as_str() {
                "p1win" => "B+".into(),
                "p2win" => "W+".into(),
                "draw" => "0".into(),
                _ => return Err("cannot score: the game goes on".into()),
            },
            // It begins on a line of its own, so that its columns stand under each other; an empty line would end the answer.
            Question::Drawing => {
                let lines = self.drawing.lines().filter(|line| !line.trim().is_empty());
                lines.map(|line| format!("\n{line}")).collect()
            }
            Question::Size | Question::Stones | Question::Graphics | Question::Captured => {
                let board = self.board.as_ref().ok_or_else(|| format!("{} has no board of points", self.game))?;
                match question {
                    Question::Size => board.side().to_string(),
                    Question::Stones => board.picture(),
                    Question::Graphics => board.graphics(),
                    _ => format!("{} {}", board.captured[0], board.captured[1]),
                }
            }
        })
    }
}

impl Board {
    fn side(&self) -> usize {
        self.cols.max(self.rows).min(LONGEST_SIDE)
    }

    /// The row of the South houses: the lower of the two in the middle.
    fn south_row(&self) -> usize {
        (self.side() / 2).saturating_sub(1)
    }

    /// Every point, from the top left. Points beyond the board are empty too: GoGui takes no other letter for a point, and a row
    /// that lacks one makes it drop the board.
    fn picture(&self) -> String {
        let side = self.side();
        let mut text = String::new();
        for row in (0..side).rev() {
            for col in 0..side {
                let stone = self.stones.iter().find(|(at, _)| *at == Point { col, row });
                text.push_str(if col == 0 { "" } else { " " });
                text.push(match stone {
                    None => '.',
                    Some((_, Player::First)) => 'X',
                    Some((_, Player::Second)) => 'O',
                });
            }
            text.push_str(if row > 0 { "\n" } else { "" });
        }
        text
    }

    /// The labels, and in grey the points that do not belong to the game.
    fn graphics(&self) -> String {
        let side = self.side();
        let points = (0..side).flat_map(|row| (0..side).map(move |col| Point { col, row }));
        let belongs = |point: &Point| match self.form {
            Form::Cells => point.col < self.cols && point.row < self.rows,
            Form::Houses => point.row == self.south_row() || point.row == self.south_row() + 1,
        };
        let beyond: String =
            points.filter(|point| !belongs(point)).map(|point| format!(" {}", vertex(point))).collect();
        let labels = self.labels.iter().fold(String::new(), |mut text, (point, label)| {
            // Writing to a string cannot fail.
            let _ = write!(text, " {} {label}", vertex(*point));
            text
        });
        let lines = [("COLOR #808080", beyond), ("LABEL", labels)];
        let lines = lines.iter().filter(|(_, rest)| !rest.is_empty()).map(|(word, rest)| format!("{word}{rest}"));
        lines.collect::<Vec<String>>().join("\n")
    }
}

/// A board of cells, from its drawing: a row begins with its number, and each cell is `.`, `x` or `o`.
fn cells(drawing: &str) -> Option<Board> {
    let mut board = Board::default();
    for line in drawing.lines() {
        let mut words = line.split_ascii_whitespace();
        let Some(number) = words.next().and_then(|word| word.parse::<usize>().ok()) else { continue };
        let row = number.checked_sub(1)?;
        let mut cols = 0;
        for (col, word) in words.enumerate() {
            match word {
                "." => {}
                "x" => board.stones.push((Point { col, row }, Player::First)),
                "o" => board.stones.push((Point { col, row }, Player::Second)),
                _ => return None,
            }
            cols = col + 1;
        }
        board.rows += 1;
        board.cols = board.cols.max(cols);
    }
    (board.cols > 0).then_some(board)
}

/// Two rows of houses and two stores, from a board text: numbers and a letter with hyphens between them.
fn houses(text: &str) -> Option<Board> {
    let (numbers, _) = text.rsplit_once('-').filter(|(_, turn)| matches!(*turn, "S" | "N"))?;
    let numbers: Vec<u64> = numbers.split('-').map(|number| number.parse().ok()).collect::<Option<_>>()?;
    let cols = numbers.len().checked_sub(2).filter(|houses| *houses > 0 && houses % 2 == 0)? / 2;
    let captured = [numbers[2 * cols], numbers[2 * cols + 1]];
    let mut board = Board { cols, rows: 2, captured, form: Form::Houses, ..Board::default() };
    let south = board.south_row();
    let house = |i: usize| {
        if i < cols { Point { col: i, row: south } } else { Point { col: 2 * cols - 1 - i, row: south + 1 } }
    };
    board.labels = (0..2 * cols).map(|i| (house(i), numbers[i].to_string())).collect();
    Some(board)
}

/// Heaps, from a board text: numbers with hyphens between them, a blank, and the player.
fn heaps(text: &str) -> Option<Board> {
    let (heaps, _) = text.split_once(' ').filter(|(_, player)| matches!(*player, "1" | "2"))?;
    let heaps: Vec<usize> = heaps.split('-').map(|number| number.parse().ok()).collect::<Option<_>>()?;
    let rows = heaps.iter().copied().max().unwrap_or(0).clamp(1, LONGEST_SIDE);
    let labels = heaps.iter().take(LONGEST_SIDE).enumerate();
    let labels = labels.map(|(col, size)| (Point { col, row: 0 }, size.to_string())).collect();
    Some(Board { cols: heaps.len(), rows, labels, ..Board::default() })
}

/// The point that a client names in this way.
fn point_of(points: Points, text: &str) -> Option<Point> {
    match points {
        Points::Moves => None,
        Points::Letters => {
            let letter = text.chars().next()?.to_ascii_uppercase();
            let col = letters().position(|known| known == letter)?;
            let row = whole_number(&text[1..])?.checked_sub(1)?;
            Some(Point { col, row })
        }
        Points::Numbers => {
            let (col, row) = text.split_once(',')?;
            Some(Point { col: whole_number(col)?, row: whole_number(row)? })
        }
    }
}

/// A number of plain digits; no sign.
fn whole_number(text: &str) -> Option<usize> {
    super::parse::whole_number(text)?.try_into().ok()
}

/// How a point is written; where moves are written as the game does, the move.
fn written(points: Points, point: Point, mv: &str) -> String {
    match points {
        Points::Moves => mv.to_owned(),
        Points::Letters => vertex(point),
        Points::Numbers => format!("{},{}", point.col, point.row),
    }
}

/// A point as GTP writes it.
fn vertex(point: Point) -> String {
    let letter = letters().nth(point.col).unwrap_or('?');
    format!("{letter}{}", point.row + 1)
}

/// The letters of files: without I, which is too much like J.
fn letters() -> impl Iterator<Item = char> {
    ('A'..='Z').filter(|letter| *letter != 'I')
}

#[cfg(test)]
mod tests {
    use super::*;

    const GRID: &str = " 2 . x .\n 1 o . .\n   a b c\nx to move";

    fn view(said: Said<'_>) -> View {
        View::new(&Said { result: "none", p1turn: "true", ..said })
    }

    #[test]
    fn cells_are_points_and_rows_that_lack_are_grey() {
        let view = view(Said { game: "mnk:3,2,3", drawing: GRID, moves: "b1 c1 a2 c2", ..Said::default() });
        assert_eq!(view.answer(Question::Game).as_deref(), Ok("Mnk"));
        assert_eq!(view.answer(Question::Size).as_deref(), Ok("3"));
        assert_eq!(view.answer(Question::Stones).as_deref(), Ok(". . .\n. X .\nO . ."));
        assert_eq!(view.answer(Question::Graphics).as_deref(), Ok("COLOR #808080 A3 B3 C3"));
        assert_eq!(view.answer(Question::Moves).as_deref(), Ok("B1 C1 A2 C2"));
        assert_eq!(view.find(Points::Letters, "b1"), Some("b1"));
        assert_eq!(view.find(Points::Numbers, "2,1"), Some("c2"));
        for (points, text) in [
            (Points::Letters, "b2"),
            (Points::Letters, "pass"),
            (Points::Letters, "b0"),
            (Points::Letters, "é"),
            (Points::Letters, ""),
            (Points::Numbers, "b1"),
            (Points::Numbers, "1,1"),
            (Points::Numbers, "-1,0"),
            (Points::Numbers, "99999999999999999999,0"),
        ] {
            assert_eq!(view.find(points, text), None, "{text}");
        }
    }

    #[test]
    fn a_letter_is_the_lowest_free_cell_of_its_file() {
        let view = view(Said { drawing: GRID, moves: "a b c", ..Said::default() });
        assert_eq!(view.answer(Question::Moves).as_deref(), Ok("A2 B1 C1"));
        assert_eq!(view.find(Points::Letters, "A2"), Some("a"));
        assert_eq!(view.find(Points::Letters, "A1"), None);
        assert_eq!(view.find(Points::Letters, "a"), Some("a"));
    }

    #[test]
    fn no_file_is_named_i() {
        let drawing = format!(" 1{}", " .".repeat(10));
        let view = view(Said { drawing: &drawing, moves: "i1 j1", ..Said::default() });
        assert_eq!(view.answer(Question::Moves).as_deref(), Ok("J1 K1"));
        assert_eq!(view.find(Points::Letters, "J1"), Some("i1"));
        assert_eq!(view.find(Points::Letters, "I1"), None);
    }

    #[test]
    fn houses_show_their_seeds() {
        let view = view(Said { game: "awale:mini", board: "1-2-3-4-5-6-7-8-S", moves: "A C", ..Said::default() });
        assert_eq!(view.answer(Question::Size).as_deref(), Ok("3"));
        assert_eq!(view.answer(Question::Stones).as_deref(), Ok(". . .\n. . .\n. . ."));
        assert_eq!(
            view.answer(Question::Graphics).as_deref(),
            Ok("COLOR #808080 A3 B3 C3\nLABEL A1 1 B1 2 C1 3 C2 4 B2 5 A2 6")
        );
        assert_eq!(view.answer(Question::Captured).as_deref(), Ok("7 8"));
        assert_eq!(view.answer(Question::Moves).as_deref(), Ok("A1 C1"));
        assert_eq!(view.name(Points::Letters, Some("a")).as_deref(), Some("C2"));
        assert_eq!(view.name(Points::Letters, None).as_deref(), Some("pass"));
    }

    #[test]
    fn heaps_are_files_and_a_board_does_not_shrink_with_them() {
        let mut view = view(Said { board: "2-0-4 1", moves: "a1 a2 c1", ..Said::default() });
        view.grow(5);
        assert_eq!(view.side(), Some(5));
        assert_eq!(view.answer(Question::Moves).as_deref(), Ok("A1 A2 C1"));
        assert!(view.answer(Question::Graphics).unwrap().ends_with("\nLABEL A1 2 B1 0 C1 4"));
    }

    #[test]
    fn a_move_beyond_the_letters_and_numbers_of_the_board_goes_by_its_text() {
        let view = view(Said { board: "30 1", moves: "a1 a25 a26", drawing: "a\n\n30", ..Said::default() });
        assert_eq!(view.side(), Some(25));
        assert_eq!(view.answer(Question::Moves).as_deref(), Ok("A1 A25 a26"));
        assert_eq!([view.find(Points::Letters, "A25"), view.find(Points::Letters, "a26")], [Some("a25"), Some("a26")]);
        assert_eq!(view.answer(Question::Drawing).as_deref(), Ok("\na\n30"));
    }

    #[test]
    fn a_game_without_a_board_of_points_is_played_by_its_own_words() {
        let view = view(Said { game: "chess", board: "8/8 w", moves: "e2e4 0000", ..Said::default() });
        assert_eq!(view.side(), None);
        assert_eq!(view.answer(Question::Stones), Err("chess has no board of points".into()));
        assert_eq!(view.find(Points::Letters, "e2e4"), Some("e2e4"));
        assert_eq!(view.find(Points::Letters, "PASS"), Some("0000"));
        assert_eq!(view.answer(Question::Moves).as_deref(), Ok("e2e4 pass"));
    }
}
