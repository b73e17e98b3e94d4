//! A game as point-based clients see it: stones, labels, and the point of each move.
//!
//! Layer 4. Pure: renders the [`Picture`] of a position, and knows no game. The board is square. Columns and rows count from 0,
//! from the bottom left; GTP names them as below.
//!
//! ```text
//!      cells                 houses of awale:mini     heaps
//!   3  .  .  .  beyond       .  .  .                  .  .  .
//!   2  a2 b2 c2              c  b  a                  a2 b2 c2   b2 takes two from heap b
//!   1  a1 b1 c1              A  B  C                  a1 b1 c1   labels: the sizes of the heaps
//!      A  B  C               labels: the seeds        A  B  C
//! ```
//!
//! A move is named by its points, one after the other: a stone by the cell it is put on, a house or matches by the place they
//! are taken from, a piece that moves by the cell where it begins, those where it stops and the one where it ends. Promotions to
//! different pieces would have the same points. They have one more: the end again for the first piece, and for the others the cells
//! from there towards the middle of the board. In GTP each point is a command of its own, as GoGui has no other way to show or
//! enter such a move; the player stays the one to move until the last point is named.
//! CITE: the GoGui manual, chapter "Rules" (`gogui-rules_legal_moves` has points, `gogui-rules_side_to_move` the side to play).

use std::collections::HashMap;
use std::fmt::Write;

use super::dialect::Points;
use super::drawing::draw;
use super::nboard;
use crate::message::{GameResult, Picture, PieceStyle, Player, Point, Question, Shape, Stroke, Surface};

/// The longest side of a board of points: the number of letters without I.
const LONGEST_SIDE: u32 = 25;

/// The colours of squares, and of points that are no part of the game.
const DARK: &str = "COLOR #b58863";
const LIGHT: &str = "COLOR #f0d9b5";
const BEYOND: &str = "COLOR #808080";

/// The pass in sessions.
const PASS: &str = "0000";

/// A game on a board of points.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct View {
    game: String,
    picture: Picture,
    /// Columns and rows; `None` without points.
    size: Option<(u32, u32)>,
    /// The points that name each of the legal moves, in their order; none for a move without a point.
    steps: Vec<Vec<Point>>,
    /// The points of a move that is not named completely yet.
    chosen: Vec<Point>,
}

/// What a point names after those before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NextPoint<'v> {
    /// Part of a move; its next point follows.
    Part(Point),
    /// The last point of this move.
    Move(&'v str),
}

impl View {
    /// The position of that game which has this picture.
    #[must_use]
    pub fn new(game: &str, picture: Picture) -> View {
        let length = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
        let size = match &picture.board.shape {
            Shape::Grid(grid) => Some((length(grid.columns.len()), length(grid.rows.len()))),
            Shape::Houses { rows: [row, _], .. } => Some((length(row.len()), 2)),
            Shape::Heaps { heaps, .. } => {
                let largest = heaps.iter().map(|heap| heap.count).max().unwrap_or_default();
                Some((length(heaps.len()), largest.clamp(1, LONGEST_SIDE)))
            }
            Shape::Text { .. } => None,
        };
        let mut view = View { game: game.into(), picture, size, steps: Vec::new(), chosen: Vec::new() };
        view.steps = view.steps_of_moves();
        view
    }

    /// The view after these points of a move that is not complete.
    #[must_use]
    pub fn choosing(self, chosen: &[Point]) -> View {
        View { chosen: chosen.to_vec(), ..self }
    }

    /// What this point names after those that are chosen, in GTP's naming; `None` if no move goes on with it.
    #[must_use]
    pub fn next(&self, text: &str) -> Option<NextPoint<'_>> {
        let point = point_of(Points::Letters, text)?;
        let place = self.begun().find(|&place| self.steps[place][self.chosen.len()] == point)?;
        let is_last = self.steps[place].len() == self.chosen.len() + 1;
        Some(if is_last { NextPoint::Move(&self.picture.moves[place].mv) } else { NextPoint::Part(point) })
    }

    /// The points that name a legal move.
    #[must_use]
    pub fn steps(&self, mv: &str) -> &[Point] {
        let place = self.picture.moves.iter().position(|stroke| stroke.mv == mv);
        place.map_or(&[], |place| &self.steps[place])
    }

    /// The legal moves that go on from the chosen points, as the game writes them.
    pub fn moves_begun(&self) -> impl Iterator<Item = &str> {
        self.begun().map(|place| self.picture.moves[place].mv.as_str())
    }

    /// The places of those moves among all.
    fn begun(&self) -> impl Iterator<Item = usize> {
        let goes_on = |steps: &[Point]| steps.len() > self.chosen.len() && steps.starts_with(&self.chosen);
        (0..self.steps.len()).filter(move |&place| goes_on(&self.steps[place]))
    }

    /// The player to move, or who would be if the game went on.
    #[must_use]
    pub fn turn(&self) -> Player {
        self.picture.turn
    }

    /// Whether the game is over.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.picture.result.is_some()
    }

    /// The side of the square board; `None` without points.
    #[must_use]
    pub fn side(&self) -> Option<u32> {
        self.size.map(|(cols, rows)| cols.max(rows).min(LONGEST_SIDE))
    }

    /// Makes a board of heaps at least this large: it does not shrink with its heaps.
    pub fn grow(&mut self, side: u32) {
        if let Some((cols, rows)) = &mut self.size
            && (*cols).max(*rows) < side
        {
            *rows = side;
        }
    }

    /// The legal move that `text` names, as the game writes it. A move without a point goes by its own text, and so does, beside
    /// letter points, any text that is no point.
    #[must_use]
    pub fn find(&self, points: Points, text: &str) -> Option<&str> {
        let mut moves = self.moves();
        if points == Points::Letters && text.eq_ignore_ascii_case("pass") {
            return moves.map(|(mv, _)| mv).find(|&mv| mv == PASS);
        }
        if points == Points::Capitals {
            return moves.map(|(mv, _)| mv).find(|&mv| nboard::means(text, mv));
        }
        let point = point_of(points, text);
        let by_text = point.is_none() && points != Points::Numbers;
        let is_meant = |(mv, own): &(&str, Option<Point>)| match own {
            Some(own) => point == Some(*own) || by_text && *mv == text,
            None => *mv == text,
        };
        moves.find(is_meant).map(|(mv, _)| mv)
    }

    /// The empty cells of a grid that the player to move must not take, in a game that goes on.
    #[must_use]
    pub fn untakeable(&self) -> Vec<Point> {
        let Shape::Grid(grid) = &self.picture.board.shape else { return Vec::new() };
        if self.is_over() {
            return Vec::new();
        }
        let points = (0..grid.rows.len() as u32)
            .flat_map(|row| (0..grid.columns.len() as u32).map(move |col| Point { col, row }));
        points
            .filter(|point| grid.piece(*point).is_none() && !self.steps.iter().any(|steps| steps == &[*point]))
            .collect()
    }

    /// The pass, as the game writes it, if it is the only move.
    #[must_use]
    pub fn only_pass(&self) -> Option<&str> {
        self.moves().next().map(|(mv, _)| mv).filter(|&mv| mv == PASS && self.steps.len() == 1)
    }

    /// The name of a legal move in this naming; `None` if there is none.
    #[must_use]
    pub fn name(&self, points: Points, mv: Option<&str>) -> Option<String> {
        match (points, mv) {
            (Points::Letters, None | Some(PASS)) => Some("pass".into()),
            (_, None) => None,
            (points, Some(mv)) => {
                let point = self.moves().find(|(own, _)| *own == mv).and_then(|(_, point)| point);
                Some(written(points, point, mv))
            }
        }
    }

    /// The legal moves, as the game writes them, each with the point that names it, if one is enough.
    fn moves(&self) -> impl Iterator<Item = (&str, Option<Point>)> {
        let only = |steps: &Vec<Point>| if let [point] = steps[..] { Some(point) } else { None };
        self.picture.moves.iter().map(|stroke| stroke.mv.as_str()).zip(self.steps.iter().map(only))
    }

    /// The points that name each move.
    fn steps_of_moves(&self) -> Vec<Vec<Point>> {
        let strokes = &self.picture.moves;
        let points =
            |stroke: &Stroke| stroke.way.points().map(|point| self.point(Some(point))).collect::<Option<Vec<_>>>();
        let ways: Vec<Vec<Point>> = strokes.iter().map(|stroke| points(stroke).unwrap_or_default()).collect();
        let mut alike: HashMap<&[Point], Vec<usize>> = HashMap::new();
        for (place, way) in ways.iter().enumerate().filter(|(_, way)| !way.is_empty()) {
            alike.entry(way).or_default().push(place);
        }
        let set = match &self.picture.board.shape {
            Shape::Grid(grid) => &grid.set[..],
            _ => &[],
        };
        let worth = |place: &usize| {
            let kind = strokes[*place].way.becomes;
            set.iter().position(|piece| piece.owner == self.turn() && piece.kind == kind)
        };
        let mut steps = ways.clone();
        for (way, mut places) in alike {
            let Some(&end) = way.last().filter(|_| places.len() > 1) else { continue };
            // Sets begin with the least piece.
            places.sort_by_key(|place| std::cmp::Reverse(worth(place)));
            let middle = self.side().unwrap_or_default() / 2;
            for (far, place) in (0..).zip(places) {
                let row = if end.row < middle { end.row + far } else { end.row.saturating_sub(far) };
                steps[place].push(Point { row, ..end });
            }
        }
        steps
    }

    /// Maps a point of the game's board to the square board.
    fn point(&self, point: Option<Point>) -> Option<Point> {
        let Point { col, row } = point?;
        let row = match self.picture.board.shape {
            Shape::Houses { .. } => self.lower_row() + row,
            _ => row,
        };
        (col < LONGEST_SIDE && row < LONGEST_SIDE).then_some(Point { col, row })
    }

    /// The row of the first player's houses: the lower of the two in the middle.
    fn lower_row(&self) -> u32 {
        (self.side().unwrap_or_default() / 2).saturating_sub(1)
    }

    /// The answer to a question in the words of GTP, or why there is none.
    ///
    /// # Errors
    /// When the game has no board of points, or the question has no answer yet.
    pub fn answer(&self, question: Question) -> Result<String, String> {
        let colour = |player| if player == Player::First { "black" } else { "white" };
        Ok(match question {
            Question::Game => {
                let letters = self.game.chars().take_while(char::is_ascii_alphabetic);
                let cased =
                    |(i, c): (usize, char)| if i == 0 { c.to_ascii_uppercase() } else { c.to_ascii_lowercase() };
                letters.enumerate().map(cased).collect()
            }
            Question::Moves => {
                let mut names: Vec<String> = Vec::new();
                for (stroke, steps) in self.picture.moves.iter().zip(&self.steps) {
                    let name = match steps.strip_prefix(&self.chosen[..]) {
                        Some([next, ..]) => vertex(*next),
                        Some([]) if stroke.mv == PASS => "pass".to_owned(),
                        Some([]) => stroke.mv.clone(),
                        None => continue,
                    };
                    if !names.contains(&name) {
                        names.push(name);
                    }
                }
                names.join(" ")
            }
            Question::Turn => colour(self.turn()).into(),
            Question::Result => match self.picture.result {
                Some(GameResult::Win(Player::First)) => "Black wins".into(),
                Some(GameResult::Win(Player::Second)) => "White wins".into(),
                Some(GameResult::Draw) => "Draw".into(),
                None => format!("The game goes on, {} to move", colour(self.turn())),
            },
            Question::Score => match self.picture.result {
                Some(GameResult::Win(Player::First)) => "B+".into(),
                Some(GameResult::Win(Player::Second)) => "W+".into(),
                Some(GameResult::Draw) => "0".into(),
                None => return Err("cannot score: the game goes on".into()),
            },
            // The drawing begins on a new line, so that its columns are aligned; an empty line would end the answer.
            Question::Drawing => {
                let mut picture = self.picture.clone();
                // Columns are called as points are: no I.
                if let Shape::Grid(grid) = &mut picture.board.shape {
                    let named = grid.columns.iter_mut().zip(letters()).skip_while(|(label, _)| label.as_str() < "i");
                    named.for_each(|(label, letter)| *label = letter.to_ascii_lowercase().to_string());
                }
                let drawing = draw(&picture);
                let lines = drawing.lines().filter(|line| !line.trim().is_empty());
                lines.map(|line| format!("\n{line}")).collect()
            }
            Question::Size | Question::Stones | Question::Graphics | Question::Captured => {
                let side = self.side().ok_or_else(|| format!("{} has no board of points", self.game))?;
                match question {
                    Question::Size => side.to_string(),
                    Question::Stones => self.stones(side),
                    Question::Graphics => self.graphics(side),
                    _ => {
                        let [first, second] = match self.picture.board.shape {
                            Shape::Houses { stores, .. } => stores,
                            _ => [0, 0],
                        };
                        format!("{first} {second}")
                    }
                }
            }
        })
    }

    /// Every point, from the top left. Points outside the game's board are empty, too: GoGui knows no other letter, and drops a
    /// board with short rows.
    fn stones(&self, side: u32) -> String {
        let letter = |col, row| match &self.picture.board.shape {
            Shape::Grid(grid) => match grid.piece(Point { col, row }).map(|piece| piece.owner) {
                Some(Player::First) => "X",
                Some(Player::Second) => "O",
                None => ".",
            },
            _ => ".",
        };
        let row = |row| (0..side).map(|col| letter(col, row)).collect::<Vec<&str>>().join(" ");
        (0..side).rev().map(row).collect::<Vec<String>>().join("\n")
    }

    /// The labels, and in grey the points that do not belong to the game.
    fn graphics(&self, side: u32) -> String {
        let points = (0..side).flat_map(|row| (0..side).map(move |col| Point { col, row }));
        let (cols, rows) = self.size.unwrap_or_default();
        let lowest = if matches!(self.picture.board.shape, Shape::Houses { .. }) { self.lower_row() } else { 0 };
        let belongs = |point: &Point| point.col < cols && (lowest..lowest + rows).contains(&point.row);
        let list =
            |points: Vec<Point>| points.into_iter().map(|point| format!(" {}", vertex(point))).collect::<String>();
        let (inside, beyond): (Vec<Point>, Vec<Point>) = points.partition(belongs);
        let (dark, light) = match &self.picture.board.shape {
            Shape::Grid(grid) if grid.surface == Surface::Squares => {
                let is_dark = |point: &Point| {
                    let known = grid.dark.get((point.row * cols + point.col) as usize).copied();
                    known.unwrap_or((point.col + point.row).is_multiple_of(2))
                };
                inside.into_iter().partition(is_dark)
            }
            _ => (Vec::new(), Vec::new()),
        };
        let choices = self.choices();
        let labels = self.labels().into_iter().filter(|(point, _)| choices.iter().all(|(choice, _)| choice != point));
        let labels = labels.chain(choices.iter().cloned()).fold(String::new(), |mut text, (point, label)| {
            if let Some(point) = self.point(Some(point)) {
                // Writing to a string cannot fail.
                let _ = write!(text, " {} {label}", vertex(point));
            }
            text
        });
        let lines = [
            (DARK, list(dark)),
            (LIGHT, list(light)),
            (BEYOND, list(beyond)),
            ("CIRCLE", list(self.chosen.clone())),
            ("LABEL", labels),
        ];
        let lines = lines.iter().filter(|(_, rest)| !rest.is_empty()).map(|(word, rest)| format!("{word}{rest}"));
        lines.collect::<Vec<String>>().join("\n")
    }

    /// The points that choose what a piece becomes, once the others of its move are chosen, each with the letter of the piece.
    fn choices(&self) -> Vec<(Point, String)> {
        let Shape::Grid(grid) = &self.picture.board.shape else { return Vec::new() };
        let mark = |place: usize| {
            let stroke = &self.picture.moves[place];
            let is_chosen = self.steps[place].len() > stroke.way.points().count();
            let is_last = self.steps[place].len() == self.chosen.len() + 1;
            let piece = grid.set.iter().find(|piece| piece.owner == self.turn() && piece.kind == stroke.way.becomes)?;
            (is_chosen && is_last).then(|| (self.steps[place][self.chosen.len()], piece.mark.to_string()))
        };
        let mut choices: Vec<(Point, String)> = self.begun().filter_map(mark).collect();
        choices.sort_by_key(|(point, _)| point.row);
        choices
    }

    /// Labels of points besides stones: seeds, heap sizes, and marks of pieces other than plain stones.
    fn labels(&self) -> Vec<(Point, String)> {
        let board = &self.picture.board;
        match &board.shape {
            Shape::Grid(grid) => {
                let points = (0..grid.rows.len() as u32)
                    .flat_map(|row| (0..grid.columns.len() as u32).map(move |col| Point { col, row }));
                // A stone shows its owner, so that the first piece of each needs no label, but a chessman does.
                let first = |owner| grid.set.iter().find(|piece| piece.owner == owner).copied();
                let special = |point| {
                    let piece = grid.piece(point)?;
                    let is_plain = grid.pieces != PieceStyle::Chessmen && first(piece.owner) == Some(piece);
                    (!is_plain).then(|| (point, piece.mark.to_string()))
                };
                points.filter_map(special).collect()
            }
            // In sowing order.
            Shape::Houses { rows: [lower, upper], .. } => {
                let lower = (0..).zip(lower).map(|(col, house)| (Point { col, row: 0 }, house.count.to_string()));
                let upper = (0..).zip(upper).map(|(col, house)| (Point { col, row: 1 }, house.count.to_string()));
                lower.chain(upper.collect::<Vec<_>>().into_iter().rev()).collect()
            }
            Shape::Heaps { heaps, .. } => {
                (0..).zip(heaps).map(|(col, heap)| (Point { col, row: 0 }, heap.count.to_string())).collect()
            }
            Shape::Text { .. } => Vec::new(),
        }
    }
}

/// Parses a point in this naming.
fn point_of(points: Points, text: &str) -> Option<Point> {
    match points {
        Points::Moves | Points::Capitals => None,
        Points::Letters => {
            let letter = text.chars().next()?.to_ascii_uppercase();
            let (col, _) = (0..).zip(letters()).find(|(_, known)| *known == letter)?;
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
fn whole_number(text: &str) -> Option<u32> {
    super::parse::whole_number(text)?.try_into().ok()
}

/// The text of a move with this point; without one, or in the game's own naming, its own text.
fn written(points: Points, point: Option<Point>, mv: &str) -> String {
    match (points, point) {
        (Points::Capitals, _) => nboard::written(mv),
        (Points::Moves, _) | (_, None) => mv.to_owned(),
        (Points::Letters, Some(point)) => vertex(point),
        (Points::Numbers, Some(Point { col, row })) => format!("{col},{row}"),
    }
}

/// A point as GTP writes it.
#[must_use]
pub fn vertex(point: Point) -> String {
    let letter = letters().nth(point.col as usize).unwrap_or('?');
    format!("{letter}{}", point.row + 1)
}

/// The letters of files, without I.
fn letters() -> impl Iterator<Item = char> {
    ('A'..='Z').filter(|letter| *letter != 'I')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::message::{BoardPicture, Pile, PlayerNames, Way};

    /// A view of a board on which these moves go these ways.
    fn view(game: &str, board: BoardPicture, moves: &[(&str, Way)]) -> View {
        let moves = moves.iter().map(|(mv, way)| Stroke { mv: (*mv).into(), name: None, way: way.clone() }).collect();
        View::new(game, Picture { board, moves, ..Picture::default() })
    }

    fn at(col: u32, row: u32) -> Point {
        Point { col, row }
    }

    fn to(mv: &str) -> (&str, Way) {
        let col = u32::from(mv.as_bytes()[0] - b'a');
        (mv, Way::to(at(col, mv[1..].parse::<u32>().unwrap() - 1)))
    }

    /// Two rows of three: o on a1, x on b2.
    fn small() -> BoardPicture {
        BoardPicture::grid(3, 2, ['x', 'o'], |col, row| match (col, row) {
            (0, 0) => Some(Player::Second),
            (1, 1) => Some(Player::First),
            _ => None,
        })
    }

    fn piles(counts: &[u32]) -> Vec<Pile> {
        counts.iter().map(|&count| Pile { name: "?".into(), count }).collect()
    }

    fn heaps(counts: &[u32]) -> BoardPicture {
        let shape = Shape::Heaps { heaps: piles(counts), most: None, last_wins: true };
        BoardPicture { players: PlayerNames::Numbers, colors: None, shape, counts: None }
    }

    #[test]
    fn cells_are_points_and_rows_that_lack_are_grey() {
        let view = view("mnk:3,2,3", small(), &["b1", "c1", "a2", "c2"].map(to));
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
    fn a_column_is_the_cell_that_its_stone_falls_to() {
        let moves = [("a", at(0, 1)), ("b", at(1, 0)), ("c", at(2, 0))].map(|(mv, point)| (mv, Way::to(point)));
        let view = view("connect4", small(), &moves);
        assert_eq!(view.answer(Question::Moves).as_deref(), Ok("A2 B1 C1"));
        assert_eq!(view.find(Points::Letters, "A2"), Some("a"));
        assert_eq!(view.find(Points::Letters, "A1"), None);
        assert_eq!(view.find(Points::Letters, "a"), Some("a"));
    }

    #[test]
    fn no_file_is_named_i() {
        let board = BoardPicture::grid(10, 1, ['x', 'o'], |_, _| None::<Player>);
        let view = view("mnk:10,1,3", board, &["i1", "j1"].map(to));
        assert_eq!(view.answer(Question::Moves).as_deref(), Ok("J1 K1"));
        assert_eq!(view.find(Points::Letters, "J1"), Some("i1"));
        assert_eq!(view.find(Points::Letters, "I1"), None);
    }

    /// What the points of a text name, one after the other.
    fn named(view: &View, text: &str) -> Option<String> {
        let mut chosen = Vec::new();
        for word in text.split(' ') {
            match view.clone().choosing(&chosen).next(word)? {
                NextPoint::Part(point) => chosen.push(point),
                NextPoint::Move(mv) => return Some(mv.to_owned()),
            }
        }
        None
    }

    #[test]
    fn a_piece_goes_by_the_points_where_it_begins_stops_and_ends() {
        let way = |from, to| Way::between(from, to);
        let moves = [
            ("a1a2", way(at(0, 0), at(0, 1))),
            ("a1xc1", Way { via: vec![at(1, 1)], ..way(at(0, 0), at(2, 0)) }),
            ("c1b2", way(at(2, 0), at(1, 1))),
        ];
        let board = BoardPicture::grid(3, 4, ['P', 'p'], |_, _| None::<Player>);
        let view = view("hexapawn", board, &moves);
        assert_eq!(view.answer(Question::Moves).as_deref(), Ok("A1 C1"));
        for (text, mv) in [("A1 A2", "a1a2"), ("a1 b2 c1", "a1xc1"), ("C1 B2", "c1b2")] {
            assert_eq!(named(&view, text).as_deref(), Some(mv));
        }
        for wrong in ["A2", "A1 C1", "A1 B2 A2", "A1", "pass", "a1a2"] {
            assert_eq!(named(&view, wrong), None, "{wrong}");
        }
        // The whole text is read as well.
        assert_eq!(view.find(Points::Letters, "a1a2"), Some("a1a2"));
        assert_eq!((view.find(Points::Letters, "a1"), view.find(Points::Letters, "b2")), (None, None));
        assert_eq!(view.steps("a1xc1"), [at(0, 0), at(1, 1), at(2, 0)]);
        let begun = view.choosing(&[at(0, 0)]);
        assert_eq!(begun.answer(Question::Moves).as_deref(), Ok("A2 B2"));
        assert_eq!(begun.moves_begun().collect::<Vec<_>>(), ["a1a2", "a1xc1"]);
        assert!(begun.answer(Question::Graphics).unwrap().contains("CIRCLE A1"));
    }

    #[test]
    fn what_a_piece_becomes_is_one_point_more() {
        let piece = |mark, kind| crate::message::Piece { owner: Player::First, mark, kind: Some(kind) };
        let set = [piece('P', "pawn"), piece('R', "rook"), piece('Q', "queen")];
        let board = BoardPicture::pieces(4, 4, PlayerNames::Numbers, set, |_, _| None);
        let becomes = |to, kind| Way { becomes: Some(kind), ..Way::between(at(0, 2), to) };
        let moves =
            [("r", becomes(at(0, 3), "rook")), ("q", becomes(at(0, 3), "queen")), ("only", becomes(at(1, 3), "queen"))];
        let view = view("chess", board.looking(Surface::Squares, PieceStyle::Chessmen), &moves);
        for (text, mv) in [("A3 A4 A4", "q"), ("A3 A4 A3", "r"), ("A3 B4", "only")] {
            assert_eq!(named(&view, text).as_deref(), Some(mv));
        }
        let drawn = view.choosing(&[at(0, 2), at(0, 3)]).answer(Question::Graphics).unwrap();
        assert!(drawn.starts_with("COLOR #b58863 A1 C1 B2 D2 A3 C3 B4 D4\nCOLOR #f0d9b5 B1 "), "{drawn}");
        assert!(drawn.ends_with("\nCIRCLE A3 A4\nLABEL A3 R A4 Q"), "{drawn}");
    }

    #[test]
    fn pieces_that_are_no_plain_stones_are_labelled() {
        let mut board = small();
        let Shape::Grid(grid) = &mut board.shape else { panic!() };
        grid.cells[0].as_mut().unwrap().mark = 'K';
        let view = view("chess", board, &[]);
        assert_eq!(view.answer(Question::Stones).as_deref(), Ok(". . .\n. X .\nO . ."));
        assert_eq!(view.answer(Question::Graphics).as_deref(), Ok("COLOR #808080 A3 B3 C3\nLABEL A1 K"));
    }

    #[test]
    fn houses_show_their_seeds() {
        let shape = Shape::Houses { rows: [piles(&[1, 2, 3]), piles(&[6, 5, 4])], stores: [7, 8] };
        let board = BoardPicture { players: PlayerNames::Compass, colors: None, shape, counts: None };
        let moves = [("A", Way::from(at(0, 0))), ("C", Way::from(at(2, 0))), ("a", Way::from(at(2, 1)))];
        let view = view("awale:mini", board, &moves);
        assert_eq!(view.answer(Question::Size).as_deref(), Ok("3"));
        assert_eq!(view.answer(Question::Stones).as_deref(), Ok(". . .\n. . .\n. . ."));
        assert_eq!(
            view.answer(Question::Graphics).as_deref(),
            Ok("COLOR #808080 A3 B3 C3\nLABEL A1 1 B1 2 C1 3 C2 4 B2 5 A2 6")
        );
        assert_eq!(view.answer(Question::Captured).as_deref(), Ok("7 8"));
        assert_eq!(view.answer(Question::Moves).as_deref(), Ok("A1 C1 C2"));
        assert_eq!(view.name(Points::Letters, Some("a")).as_deref(), Some("C2"));
        assert_eq!(view.name(Points::Letters, None).as_deref(), Some("pass"));
    }

    fn taken(mv: &str) -> (&str, Way) {
        let (mv, way) = to(mv);
        (mv, Way { from: way.to, ..Way::default() })
    }

    #[test]
    fn heaps_are_files_and_a_board_does_not_shrink_with_them() {
        let mut view = view("nim", heaps(&[2, 0, 4]), &["a1", "a2", "c1"].map(taken));
        view.grow(5);
        assert_eq!(view.side(), Some(5));
        assert_eq!(view.answer(Question::Moves).as_deref(), Ok("A1 A2 C1"));
        assert!(view.answer(Question::Graphics).unwrap().ends_with("\nLABEL A1 2 B1 0 C1 4"));
    }

    #[test]
    fn a_move_beyond_the_letters_and_numbers_of_the_board_goes_by_its_text() {
        let view = view("nim", heaps(&[30]), &["a1", "a25", "a26"].map(taken));
        assert_eq!(view.side(), Some(25));
        assert_eq!(view.answer(Question::Moves).as_deref(), Ok("A1 A25 a26"));
        assert_eq!([view.find(Points::Letters, "A25"), view.find(Points::Letters, "a26")], [Some("a25"), Some("a26")]);
    }

    #[test]
    fn a_game_without_a_board_of_points_is_played_by_its_own_words() {
        let view =
            view("chess", BoardPicture::text("8/8 w\n\nwhite"), &["e2e4", "0000"].map(|mv| (mv, Way::default())));
        assert_eq!(view.side(), None);
        assert_eq!(view.answer(Question::Stones), Err("chess has no board of points".into()));
        assert_eq!(view.answer(Question::Drawing).as_deref(), Ok("\n8/8 w\nwhite"));
        assert_eq!(view.find(Points::Letters, "e2e4"), Some("e2e4"));
        assert_eq!(view.find(Points::Letters, "PASS"), Some("0000"));
        assert_eq!(view.answer(Question::Moves).as_deref(), Ok("e2e4 pass"));
    }
}
