//! The referee: every game of the registry behind one pair of traits, as the model sees it.
//!
//! Rules and texts are the crate's own ([`Position`], [`Notation`]), which other tests hold against second boards. What is
//! written anew here is what a session adds to them: the game so far, repetition, who lost by an illegal move, and the values
//! of games small enough to be searched to their ends.

use std::cell::RefCell;
use std::collections::HashMap;
use std::path::Path;
use std::rc::Rc;

use griot::book::Book;
use griot::game::{Evaluate, Game, Notation, Outcome, Position, Probe, Side, TextError, stroke};
use griot::message::{GameFacts, Picture, Stroke};
use griot::registry::{Visitor, book_of, facts_of, with_game, with_variant};

/// A game: its texts and its start.
pub trait Rules {
    /// The name that the registry knows it by.
    fn name(&self) -> &str;
    fn start(&self) -> Box<dyn Board>;
    /// Reads a board text, and tells at which bytes something was dropped or changed; the error is the byte where the trouble begins.
    fn read(&self, text: &str) -> Result<(Box<dyn Board>, Vec<usize>), usize>;
    /// The moves of a list, each with the byte at which it begins.
    fn split(&self, moves: &str) -> Vec<(usize, String)>;
    /// Whether moves are single letters that may be glued.
    fn glues(&self) -> bool;
    /// What the book says in a position; an error when the file is no good book for this game. No path: the game's own book.
    fn advice(&self, book: Option<&Path>, board: &str) -> Result<Option<String>, ()>;
}

/// A position and the game before it.
pub trait Board {
    fn copy(&self) -> Box<dyn Board>;
    fn turn(&self) -> Side;
    /// How the position alone ends the game.
    fn rules_outcome(&self) -> Option<Outcome>;
    /// The same, or because of what was before.
    fn outcome(&self) -> Option<Outcome>;
    /// The same for who is asked for a move: a draw that a player has to claim is none until then.
    fn outcome_unclaimed(&self) -> Option<Outcome>;
    /// The legal moves of the position, in the order of `query legalmoves`.
    fn moves(&self) -> Vec<String>;
    /// Plays a move in any of its spellings; the error is the byte where the trouble begins.
    fn play(&mut self, text: &str) -> Result<(), usize>;
    /// The one spelling in which the game writes this move.
    fn spelling(&self, text: &str) -> Option<String>;
    fn text(&self) -> String;
    /// The picture of the position in a game that has ended so, or goes on.
    fn picture(&self, outcome: Option<Outcome>) -> Picture;
    /// The lines of `depth` plies behind each move.
    fn perft(&self, depth: u32) -> Vec<(String, u64)>;
    /// The result with best play and the plies to it, for the side to move: `(1, n)` a win in n. Nothing where the tree is too
    /// large to be searched here, or repetition has a say.
    fn truth(&self) -> Option<(i32, u32)>;
}

/// What a session cannot know of positions beyond this many cells of memory.
const TRUTHS: usize = 400_000;

/// Books by their paths; nothing for a file that is none for the game.
type Books<P> = HashMap<String, Option<Rc<Book<P>>>>;

struct Table<N: Notation> {
    name: String,
    notation: Rc<N>,
    books: RefCell<Books<N::Position>>,
    truths: Rc<RefCell<HashMap<u64, (i32, u32)>>>,
    facts: Option<GameFacts>,
    small: bool,
}

struct Seat<N: Notation> {
    notation: Rc<N>,
    position: N::Position,
    past: Vec<N::Position>,
    /// The last move, as it is shown.
    last: Option<Stroke>,
    truths: Rc<RefCell<HashMap<u64, (i32, u32)>>>,
    facts: Option<GameFacts>,
    small: bool,
}

impl<N: Notation> Clone for Seat<N> {
    fn clone(&self) -> Self {
        Seat {
            notation: Rc::clone(&self.notation),
            position: self.position.clone(),
            past: self.past.clone(),
            last: self.last.clone(),
            truths: Rc::clone(&self.truths),
            facts: self.facts.clone(),
            small: self.small,
        }
    }
}

impl<N: Notation> Table<N> {
    fn new(name: String, notation: N) -> Table<N> {
        let small =
            matches!(name.as_str(), "tictactoe" | "nim" | "connect4:4,3,3" | "mnk:3,4,3") || name.starts_with("nim:");
        let facts = facts_of(&name);
        Table { name, notation: Rc::new(notation), books: RefCell::default(), truths: Rc::default(), facts, small }
    }

    fn seat(&self, position: N::Position) -> Box<dyn Board> {
        Box::new(Seat {
            notation: Rc::clone(&self.notation),
            position,
            past: Vec::new(),
            last: None,
            truths: Rc::clone(&self.truths),
            facts: self.facts.clone(),
            small: self.small,
        })
    }
}

impl<N: Notation> Rules for Table<N> {
    fn name(&self) -> &str {
        &self.name
    }

    fn start(&self) -> Box<dyn Board> {
        self.seat(self.notation.start())
    }

    fn read(&self, text: &str) -> Result<(Box<dyn Board>, Vec<usize>), usize> {
        let mut dropped = Vec::new();
        let position = self.notation.read_position(text, &mut dropped).map_err(|error| error.offset)?;
        Ok((self.seat(position), dropped.into_iter().map(|dropped| dropped.offset).collect()))
    }

    fn split(&self, moves: &str) -> Vec<(usize, String)> {
        self.notation.split_moves(moves).into_iter().map(|(at, mv)| (at, mv.to_owned())).collect()
    }

    fn glues(&self) -> bool {
        self.notation.glues_moves()
    }

    fn advice(&self, path: Option<&Path>, board: &str) -> Result<Option<String>, ()> {
        let key = path.map_or(String::new(), |path| path.display().to_string());
        let mut books = self.books.borrow_mut();
        let book = books.entry(key).or_insert_with(|| {
            let book = match (path, book_of(&self.name)) {
                (Some(path), _) => Book::open(path, &self.name, &*self.notation),
                (None, Some(text)) => Book::parse(text, &self.name, &*self.notation),
                (None, None) => return None,
            };
            book.map(Rc::new).ok()
        });
        let book = book.as_ref().ok_or(())?;
        let position = self.notation.parse_position(board).map_err(drop)?;
        Ok(book.find(&position).map(|advice| self.notation.move_text(&position, advice.mv)))
    }
}

impl<N: Notation> Board for Seat<N> {
    fn copy(&self) -> Box<dyn Board> {
        Box::new(self.clone())
    }

    fn turn(&self) -> Side {
        self.position.side_to_move()
    }

    fn rules_outcome(&self) -> Option<Outcome> {
        self.position.outcome()
    }

    fn outcome(&self) -> Option<Outcome> {
        let earlier = || self.past.iter().filter(|&past| *past == self.position).count() as u32;
        let again = || earlier() + 1 >= N::Position::OCCURRENCES;
        self.position.outcome().or_else(|| self.position.outcome_by_history(again))
    }

    fn outcome_unclaimed(&self) -> Option<Outcome> {
        if N::Position::DRAWS_ARE_CLAIMED { self.rules_outcome() } else { self.outcome() }
    }

    fn moves(&self) -> Vec<String> {
        let mut moves = Vec::new();
        self.position.generate(&mut moves);
        moves.into_iter().map(|mv| self.notation.move_text(&self.position, mv)).collect()
    }

    fn play(&mut self, text: &str) -> Result<(), usize> {
        let mv = self.notation.parse_move(&self.position, text).map_err(|error: TextError| error.offset)?;
        let next = self.position.after(mv);
        if next.outcome_by_repetition().is_some() || self.position.outcome_by_repetition().is_some() {
            self.past.push(self.position.clone());
        }
        self.last = Some(stroke(&*self.notation, &self.position, mv));
        self.position = next;
        Ok(())
    }

    fn spelling(&self, text: &str) -> Option<String> {
        let mv = self.notation.parse_move(&self.position, text).ok()?;
        Some(self.notation.move_text(&self.position, mv))
    }

    fn text(&self) -> String {
        self.notation.position_text(&self.position)
    }

    fn picture(&self, outcome: Option<Outcome>) -> Picture {
        let mut picture = self.notation.picture(&self.position);
        if let Some(outcome) = outcome {
            picture = Picture { result: Some(outcome.into()), moves: Vec::new(), ..picture };
        }
        Picture { last: self.last.clone(), game: self.facts.clone(), ..picture }
    }

    fn perft(&self, depth: u32) -> Vec<(String, u64)> {
        let mut moves = Vec::new();
        if depth > 0 {
            self.position.generate(&mut moves);
        }
        let text = |mv| self.notation.move_text(&self.position, mv);
        moves.into_iter().map(|mv| (text(mv), lines(&self.position.after(mv), depth - 1))).collect()
    }

    fn truth(&self) -> Option<(i32, u32)> {
        let known = self.small && self.position.outcome_by_repetition().is_none();
        known.then(|| value(&self.position, &mut self.truths.borrow_mut())).flatten()
    }
}

fn lines<P: Position>(position: &P, depth: u32) -> u64 {
    let mut moves = Vec::new();
    if depth == 0 {
        return 1;
    }
    position.generate(&mut moves);
    moves.into_iter().map(|mv| lines(&position.after(mv), depth - 1)).sum()
}

/// The value by looking at every game: the winner wins as soon, and the loser loses as late, as can be.
fn value<P: Position>(position: &P, known: &mut HashMap<u64, (i32, u32)>) -> Option<(i32, u32)> {
    match position.outcome() {
        Some(Outcome::Draw) => return Some((0, 0)),
        Some(Outcome::Win(side)) => return Some((if side == position.side_to_move() { 1 } else { -1 }, 0)),
        None => {}
    }
    if let Some(&known) = known.get(&position.hash()) {
        return Some(known);
    }
    if known.len() > TRUTHS {
        return None;
    }
    let mut moves = Vec::new();
    position.generate(&mut moves);
    // A win soon before a win late, a draw, a loss late before a loss soon.
    let rank = |(result, plies): (i32, u32)| i64::from(result) * (1000 - i64::from(plies));
    let mut best: Option<(i32, u32)> = None;
    for mv in moves {
        let next = position.after(mv);
        let (result, plies) = value(&next, known)?;
        let same = next.side_to_move() == position.side_to_move();
        let ours = (if same { result } else { -result }, plies + 1);
        if best.is_none_or(|best| rank(ours) > rank(best)) {
            best = Some(ours);
        }
    }
    let best = best?;
    known.insert(position.hash(), best);
    Some(best)
}

struct Open;

impl Visitor for Open {
    type Output = Rc<dyn Rules>;

    fn visit<N, E, T>(self, game: Game<N, E, T>) -> Self::Output
    where
        N: Notation,
        E: Evaluate<N::Position>,
        T: Probe<N::Position>,
    {
        Rc::new(Table::new(game.name, game.notation))
    }
}

/// Games by their name and their way of writing; nothing for a name that is none.
type Opened = HashMap<(String, bool), Option<Rc<dyn Rules>>>;

thread_local! {
    static OPENED: RefCell<Opened> = RefCell::default();
}

/// The game of that name; `drops` for the way in which Cute Chess writes it, where it does.
pub fn rules(name: &str, drops: bool) -> Option<Rc<dyn Rules>> {
    OPENED.with_borrow_mut(|opened| opened.entry((name.to_owned(), drops)).or_insert_with(|| open(name, drops)).clone())
}

fn open(name: &str, drops: bool) -> Option<Rc<dyn Rules>> {
    if drops { with_variant(name, Open) } else { with_game(name, Open) }.ok()
}
