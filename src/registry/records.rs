//! The rules as game records need them: a game and the line of moves played in it, behind [`griot_records::Rules`].

use griot_records::{Catalogue, End, Grid, Hints, Outcome, Rules, Side};

use super::{Registry, family_of, meant, with_game};
use crate::game::family::Visitor;
use crate::game::{self, Evaluate, Game, Notation, Position, Probe};
use crate::message::{Point, Problem, Shape};
use crate::protocol::tidy;
use crate::session::RecordedGame;

/// The first game of a file.
///
/// # Errors
/// What the reader of records says is wrong with it.
pub(super) fn first(bytes: &[u8], game: &str) -> Result<RecordedGame, Problem> {
    let hints = Hints { game: None, on_board: Some(game), file_name: "" };
    let found = griot_records::read(bytes, &Registry, &hints).into_iter().next();
    let record =
        found.ok_or_else(|| Problem::new("no game in it"))?.map_err(|fault| Problem::new(fault.to_string()))?;
    let moves = record.moves().into_iter().map(str::to_owned).collect();
    Ok(RecordedGame { game: record.game, board: record.start, moves })
}

impl Catalogue for Registry {
    fn open(&self, name: &str) -> Result<Box<dyn Rules>, String> {
        struct Open;

        impl Visitor for Open {
            type Output = Box<dyn Rules>;

            fn visit<N, E, T>(self, game: Game<N, E, T>) -> Self::Output
            where
                N: Notation,
                E: Evaluate<N::Position>,
                T: Probe<N::Position>,
            {
                let line = vec![(game.notation.start(), 0)];
                Box::new(Played { name: game.name, notation: game.notation, line })
            }
        }

        // A file may be of any game: all names of griot's games would say nothing about it.
        let unknown = || {
            format!(
                "no game '{}' in griot{}",
                tidy(name),
                meant(name).map_or_else(String::new, |meant| format!("; did you mean '{meant}'?"))
            )
        };
        with_game(name, Open).map_err(|problem| if family_of(name).is_some() { problem.text } else { unknown() })
    }
}

/// A line of play.
struct Played<N: Notation> {
    name: String,
    notation: N,
    /// The positions, the first one included; with each the place of the first position that it can repeat.
    line: Vec<(N::Position, usize)>,
}

impl<N: Notation> Played<N> {
    fn position(&self) -> &N::Position {
        // The line always has its first position.
        &self.line[self.line.len() - 1].0
    }

    fn push(&mut self, mv: <N::Position as Position>::Move) -> String {
        let (position, since) = &self.line[self.line.len() - 1];
        let text = self.notation.move_text(position, mv);
        let next = position.after(mv);
        let since = if position.is_irreversible(&next) { self.line.len() } else { *since };
        self.line.push((next, since));
        text
    }

    fn is_repetition(&self) -> bool {
        let (position, since) = &self.line[self.line.len() - 1];
        let hash = position.hash();
        let is_equal = |earlier: &N::Position| earlier.hash() == hash && earlier == position;
        let times = self.line[*since..].iter().filter(|(earlier, _)| is_equal(earlier)).count();
        times >= N::Position::OCCURRENCES as usize
    }

    fn read(&self, mv: &str) -> Option<<N::Position as Position>::Move> {
        let position = self.position();
        self.notation.parse_move(position, mv).ok().or_else(|| self.notation.parse_move_past_end(position, mv))
    }
}

const fn side(side: game::Side) -> Side {
    match side {
        game::Side::First => Side::First,
        game::Side::Second => Side::Second,
    }
}

const fn outcome(outcome: game::Outcome) -> Outcome {
    match outcome {
        game::Outcome::Win(winner) => Outcome::Win(side(winner)),
        game::Outcome::Draw => Outcome::Draw,
    }
}

impl<N: Notation> Rules for Played<N> {
    fn name(&self) -> &str {
        &self.name
    }

    fn begin(&mut self, board: Option<&str>) -> Result<Vec<String>, String> {
        let mut dropped = Vec::new();
        let first = match board {
            None => self.notation.start(),
            Some(text) => self.notation.read_position(text, &mut dropped).map_err(|error| error.to_string())?,
        };
        self.line = vec![(first, 0)];
        Ok(dropped.into_iter().map(|part| part.text).collect())
    }

    fn ply(&self) -> usize {
        self.line.len() - 1
    }

    fn back_to(&mut self, ply: usize) {
        self.line.truncate(ply + 1);
    }

    fn play(&mut self, mv: &str) -> Result<String, String> {
        let found = self.notation.parse_move(self.position(), mv).map_err(|error| error.to_string())?;
        Ok(self.push(found))
    }

    fn play_on(&mut self, mv: &str) -> Option<String> {
        let found = self.notation.parse_move_past_end(self.position(), mv)?;
        Some(self.push(found))
    }

    fn turn(&self) -> Side {
        side(self.position().side_to_move())
    }

    fn legal(&self) -> Vec<String> {
        let mut moves = Vec::new();
        let position = self.position();
        position.generate(&mut moves);
        moves.into_iter().map(|mv| self.notation.move_text(position, mv)).collect()
    }

    fn name_of(&self, mv: &str) -> String {
        let found = self.read(mv);
        found.map_or_else(|| mv.to_owned(), |found| self.notation.move_name(self.position(), found))
    }

    fn end(&self) -> Option<End> {
        let position = self.position();
        match position.outcome() {
            Some(found) => Some(End { outcome: outcome(found), by_history: false }),
            None => {
                let found = position.outcome_by_history(|| self.is_repetition())?;
                Some(End { outcome: outcome(found), by_history: true })
            }
        }
    }

    fn board(&self) -> String {
        self.notation.position_text(self.position())
    }

    fn counts(&self) -> Option<[u32; 2]> {
        let board = self.notation.board(self.position());
        match board.shape {
            Shape::Houses { stores, .. } => Some(stores),
            _ => board.counts,
        }
    }

    fn grid(&self) -> Option<Grid> {
        let Shape::Grid(grid) = self.notation.board(self.position()).shape else { return None };
        Some(Grid {
            cols: grid.columns.len(),
            rows: grid.rows.len(),
            from_top: grid.from_top,
            falls: grid.falls,
            has_stones: grid.set.len() == 2,
        })
    }

    fn cell(&self, mv: &str) -> Option<(usize, usize)> {
        let grid = self.grid()?;
        let Point { col, row } = self.notation.way(self.position(), self.read(mv)?).to?;
        let (col, row) = (col as usize, row as usize);
        Some((col, if grid.from_top { row } else { grid.rows.checked_sub(row + 1)? }))
    }
}
