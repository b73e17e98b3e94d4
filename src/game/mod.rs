//! The traits that make a game, and [`Game`], which bundles one implementation of each.
//!
//! Layer 0: knows [`crate::score`] and [`crate::message`], but no search, protocol or game. A position does not know its
//! history: the search and the session handle repetition. docs/adding-a-game.md explains how to implement the traits,
//! [`conformance`] tests them.
//!
//! ```text
//!  Position   rules: moves, outcome, hash                    one value per node, copied
//!  Notation   texts and pictures of positions and moves      one value per game, shared
//!  Evaluate   value of a position, its unit, noisy moves     one value per game, shared
//!  Expertise  optional: a state that moves update, move      the same value as Evaluate, as the next three; for all of
//!             ordering, results known without a search       them `impl NoExpertise` stands at first
//!  Pruning    optional: what selective searches leave out
//!  Threats    optional: candidate moves, wins by threats
//!  Solving    optional: a solver for the end of the game
//!  Probe      exact values from theory or a table            one value per game, shared; () knows nothing
//! ```
//!
//! For the games of this crate, [`family`] describes all games of one folder. [`network`] is a small neural network that any
//! game can use for its evaluation.

pub mod conformance;
mod evaluator;
mod expertise;
pub mod family;
pub mod network;
mod rng;
mod sort;
pub(crate) mod split;

use std::fmt::Debug;
use std::path::Path;

pub use evaluator::{EvaluationMode, Evaluator};
pub use expertise::{
    Candidates, DOMINATED, Expertise, NoExpertise, Pruning, Solution, SolverMeans, Solving, StaticKnowledge, Threats,
};
pub use rng::{SplitMix64, mix64};
pub use sort::{sort_by, sort_few};

use crate::message::{BoardPicture, GameResult, Picture, Player, Stroke, Way};
use crate::score::{Meaning, Score};

/// One of the two players; `First` makes the first move of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Side {
    /// The player who begins: South, x, player 1.
    First,
    /// The second player: North, o, player 2.
    Second,
}

impl Side {
    /// The opponent.
    #[must_use]
    pub const fn other(self) -> Side {
        match self {
            Side::First => Side::Second,
            Side::Second => Side::First,
        }
    }

    /// 0 for `First`, 1 for `Second`.
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }
}

impl From<Side> for Player {
    fn from(side: Side) -> Player {
        match side {
            Side::First => Player::First,
            Side::Second => Player::Second,
        }
    }
}

/// The objective of the players.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Objective {
    /// Win as soon as possible, lose as late as possible: a finished game is a win, a draw or a loss.
    Result,
    /// The final balance: a finished game is worth its [`Evaluate::material`], on the scale of the estimates.
    Margin,
}

/// How a game ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// This side won.
    Win(Side),
    /// A draw.
    Draw,
}

impl Outcome {
    /// The score of a finished game for `side`.
    #[must_use]
    pub fn score_for(self, side: Side) -> Score {
        match self {
            Outcome::Draw => Score::DRAW,
            Outcome::Win(winner) if winner == side => Score::win_in(0),
            Outcome::Win(_) => Score::loss_in(0),
        }
    }
}

impl From<Outcome> for GameResult {
    fn from(outcome: Outcome) -> GameResult {
        match outcome {
            Outcome::Win(side) => GameResult::Win(side.into()),
            Outcome::Draw => GameResult::Draw,
        }
    }
}

/// The rules: one position of a game, without history and without text.
///
/// Two positions are equal when the same moves are possible with the same results from both, repetition and the count of
/// reversible plies aside.
pub trait Position: Clone + Eq + Debug + Send + Sync + 'static {
    /// A move; meaningful only together with a position it is legal in.
    type Move: Copy + Eq + Debug + Send + Sync + 'static;

    /// How many occurrences of a position end the game by [`Position::outcome_by_repetition`]: at least 2.
    const OCCURRENCES: u32 = 2;

    /// Whether a player has to claim the end by repetition or by a count ([`Position::reversible_plies_left`]). `go` then still
    /// returns a move.
    const DRAWS_ARE_CLAIMED: bool = false;

    /// Whether the moves alone show the end of the game, as mate and stalemate in chess. The search then calls
    /// [`Position::status`], and [`Position::outcome`] only at leaves; with null moves or bold pruning
    /// ([`Pruning::PRUNES_BOLDLY`]) it calls [`Position::outcome`] everywhere, which must then be quick.
    const ENDS_WITHOUT_MOVES: bool = false;

    /// Whether [`Position::null_move`] is implemented.
    const HAS_NULL_MOVE: bool = false;

    /// The least number of plies after which a position can repeat. The larger it is, the more the search shares between paths.
    /// Games without repetition keep the default.
    const MIN_CYCLE: u32 = 2;

    /// Number of values of [`Position::move_index`], at most 65,536; 0 if moves have no index.
    const MOVE_INDICES: usize = 0;

    /// An index below [`Position::MOVE_INDICES`], the same for a move in every position and different for the moves of one
    /// position. The search uses it for history.
    fn move_index(_mv: Self::Move) -> usize {
        0
    }

    /// Number of values of [`Position::landing`]; 0 if it is not implemented.
    const LANDINGS: usize = 0;

    /// An index below [`Position::LANDINGS`] of the piece and destination of a move, for continuation history.
    fn landing(&self, _mv: Self::Move) -> usize {
        0
    }

    /// Whose turn it is; in a finished game, whose turn it would be.
    fn side_to_move(&self) -> Side;

    /// The result, or `None` while the game goes on. Ignores repetition.
    fn outcome(&self) -> Option<Outcome>;

    /// Appends every legal move to `moves`, in a fixed order; none when the game is over, at least one otherwise.
    fn generate(&self, moves: &mut Vec<Self::Move>);

    /// The number of moves that [`Position::generate`] would append to `moves`, which it leaves as it was: for perft. Implement it
    /// where moves can be counted without making them.
    fn count(&self, moves: &mut Vec<Self::Move>) -> usize {
        let before = moves.len();
        self.generate(moves);
        let count = moves.len() - before;
        moves.truncate(before);
        count
    }

    /// The number of lines of two plies, for perft; `moves` is left as it was. `None`, the default: perft plays each move and counts
    /// the replies. Implement it where that can be done quicker.
    fn count_two(&self, _moves: &mut Vec<Self::Move>) -> Option<u64> {
        None
    }

    /// [`Position::outcome`] and [`Position::generate`] in one call: appends every legal move, or returns the result. Implement it
    /// where one pass does both.
    fn status(&self, moves: &mut Vec<Self::Move>) -> Option<Outcome> {
        if Self::ENDS_WITHOUT_MOVES {
            let before = moves.len();
            self.generate(moves);
            return if moves.len() > before { None } else { self.outcome() };
        }
        let outcome = self.outcome();
        if outcome.is_none() {
            self.generate(moves);
        }
        outcome
    }

    /// Plays a legal move.
    ///
    /// # Panics
    /// May panic, or leave a meaningless position, when `mv` is not legal here.
    fn play(&mut self, mv: Self::Move);

    /// A 64-bit key, equal for equal positions and well mixed in every bit.
    fn hash(&self) -> u64;

    /// A hash shared by all symmetric images of a position, and the number of the symmetry that maps this position to the image
    /// that was hashed; 0 is the identity. The evaluation must value all images alike. The search calls it where it saves a large
    /// tree.
    fn folded(&self) -> (u64, u8) {
        (self.hash(), 0)
    }

    /// `mv` mapped by `symmetry`, which is not 0. A game that implements [`Position::folded`] gives its moves an index.
    fn carried(&self, mv: Self::Move, _symmetry: u8) -> Self::Move {
        mv
    }

    /// This position with the turn passed, for null move pruning; `None` where passing may be better than every move (zugzwang), or
    /// a threat must be answered. Called only if [`Position::HAS_NULL_MOVE`].
    fn null_move(&self) -> Option<Self> {
        None
    }

    /// This position with the other side to move, to look for its threats, whether or not the rules allow a pass. `None`, the default,
    /// where there is no such position: in check, and in games in which the number of stones decides whose turn it is.
    fn after_pass(&self) -> Option<Self> {
        None
    }

    /// By how much the side to move leads in what was captured: seeds, or by the pieces left. `None`, the default, in games that count no
    /// captures.
    fn captured_lead(&self) -> Option<i32> {
        None
    }

    /// Whether the rules oblige the side to move to capture: a lead is then counted only after such moves are played out.
    fn must_capture(&self) -> bool {
        false
    }

    /// An approximate upper limit of the plies left, if known; the game goes on. Near the end the search then tries to reach it at
    /// once.
    fn plies_left(&self) -> Option<u32> {
        None
    }

    /// Whether neither this position nor earlier ones can repeat after the move that made it `next`. `false` is always safe.
    fn is_irreversible(&self, _next: &Self) -> bool {
        true
    }

    /// Whether a line of at most `plies` plies from here can repeat `earlier`, from which reversible moves led here. `true` is
    /// always safe; the more often it is `false`, the more the search shares between paths. Must be monotone: if it is `true` for
    /// `plies`, it must also be `true` for `plies + 1`, and for `plies + 1` one ply earlier on the line.
    fn may_return_to(&self, _earlier: &Self, _plies: u32) -> bool {
        true
    }

    /// Plies without an irreversible move ([`Position::is_irreversible`]) after which the game is drawn, where the rules count
    /// them: fifty moves of each side in chess. At 0 it is drawn unless it is over otherwise ([`Position::outcome`] ignores the
    /// count). Positions that differ only in the count are equal, with one hash and one evaluation; the search tells them apart
    /// where the count matters.
    fn reversible_plies_left(&self) -> Option<u32> {
        None
    }

    /// The result when this position comes up for the [`Position::OCCURRENCES`]-th time; `None`: the game goes on.
    fn outcome_by_repetition(&self) -> Option<Outcome> {
        None
    }

    /// The result by the count of plies or by repetition, if any.
    fn outcome_by_history(&self, repeats: impl FnOnce() -> bool) -> Option<Outcome> {
        let counted = self.reversible_plies_left() == Some(0);
        if counted { Some(Outcome::Draw) } else { self.outcome_by_repetition().filter(|_| repeats()) }
    }

    /// The position after a legal move.
    #[must_use]
    fn after(&self, mv: Self::Move) -> Self {
        let mut next = self.clone();
        next.play(mv);
        next
    }
}

/// An error in a board text or a move: where, what was expected, what was found.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{field}: expected {expected}, found {found}")]
pub struct TextError {
    /// Byte offset of the error in the text.
    pub offset: usize,
    /// The part of the text, in the user's words: `South's store`, `row 3`, `move`.
    pub field: String,
    /// What was expected.
    pub expected: String,
    /// What was found.
    pub found: String,
}

impl TextError {
    /// An error at byte `offset` of the text. Control characters in what was found are escaped, as people see it.
    pub fn new(
        offset: usize,
        field: impl Into<String>,
        expected: impl Into<String>,
        found: impl Into<String>,
    ) -> TextError {
        let mut found = found.into();
        if found.contains(char::is_control) {
            let escaped = |c: char| if c.is_control() { c.escape_default().to_string() } else { c.to_string() };
            found = found.chars().map(escaped).collect();
        }
        TextError { offset, field: field.into(), expected: expected.into(), found }
    }
}

/// A part of a board text that was dropped or changed to read the rest, as other programs do: where, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dropped {
    /// Byte offset of the part in the text.
    pub offset: usize,
    /// The field, what was dropped, and why, in one line.
    pub text: String,
}

/// The texts of a game (board text, move text, lists of moves), and its picture.
pub trait Notation: Clone + Send + Sync + 'static {
    /// The positions this notation is for.
    type Position: Position;

    /// The start position.
    fn start(&self) -> Self::Position;

    /// Reads a board text. A finished game is a position like any other.
    ///
    /// # Errors
    /// When a field cannot be read, or no game can reach the position; the error names the field.
    fn parse_position(&self, text: &str) -> Result<Self::Position, TextError>;

    /// [`Notation::parse_position`], and what it dropped from the text. Implement it if the game drops anything.
    ///
    /// # Errors
    /// As there.
    fn read_position(&self, text: &str, _warnings: &mut Vec<Dropped>) -> Result<Self::Position, TextError> {
        self.parse_position(text)
    }

    /// The board text; [`Notation::parse_position`] reads it back to an equal position.
    fn position_text(&self, position: &Self::Position) -> String;

    /// Reads a move and checks that it is legal in `position`.
    ///
    /// # Errors
    /// When the text is not a move of this game, or the move is not legal here.
    fn parse_move(
        &self,
        position: &Self::Position,
        text: &str,
    ) -> Result<<Self::Position as Position>::Move, TextError>;

    /// Reads a move that would be legal if the game were not over, or that the rules forbid on pain of losing. Recorded games go on
    /// after their end by the rules, and [`Position::play`] plays such a move. Nothing, the default, where there is none.
    fn parse_move_past_end(
        &self,
        _position: &Self::Position,
        _text: &str,
    ) -> Option<<Self::Position as Position>::Move> {
        None
    }

    /// The text of a legal move, without blanks.
    fn move_text(&self, position: &Self::Position, mv: <Self::Position as Position>::Move) -> String;

    /// How people write a legal move where that is not its text: `Nf3`. Without blanks, different for the moves of a position, and
    /// read by [`Notation::parse_move`], too.
    fn move_name(&self, position: &Self::Position, mv: <Self::Position as Position>::Move) -> String {
        self.move_text(position, mv)
    }

    /// The key of a position in Polyglot books; `None`, the default, in games without such books.
    fn book_key(&self, _position: &Self::Position) -> Option<u64> {
        None
    }

    /// The legal move of a code of a Polyglot book.
    fn book_move(&self, _position: &Self::Position, _code: u16) -> Option<<Self::Position as Position>::Move> {
        None
    }

    /// Whether every move is one character, so that a list of moves may be written without blanks.
    fn glues_moves(&self) -> bool {
        false
    }

    /// Splits a list of moves into moves, each with its byte offset in `text`.
    fn split_moves<'t>(&self, text: &'t str) -> Vec<(usize, &'t str)> {
        let start = text.as_ptr() as usize;
        let words = text.split_ascii_whitespace();
        let mut moves = Vec::new();
        for word in words {
            let offset = word.as_ptr() as usize - start;
            if self.glues_moves() {
                moves.extend(word.char_indices().map(|(i, c)| (offset + i, &word[i..i + c.len_utf8()])));
            } else {
                moves.push((offset, word));
            }
        }
        moves
    }

    /// The same position with the players exchanged: the board turned round, the colours swapped, the other side to move. `None`,
    /// the default, where the game has no such position.
    fn flipped(&self, _position: &Self::Position) -> Option<Self::Position> {
        None
    }

    /// How a repetition ends the game, in a sentence; `None` in games without repetition.
    fn repetition_rule(&self) -> Option<&str> {
        None
    }

    /// The board as plain data, from which drawings, colours, GTP and web pages are made. By default a game is shown by its board
    /// text.
    fn board(&self, position: &Self::Position) -> BoardPicture {
        BoardPicture::text(self.position_text(position))
    }

    /// Where a legal move begins and ends on that board.
    fn way(&self, _position: &Self::Position, _mv: <Self::Position as Position>::Move) -> Way {
        Way::default()
    }

    /// The picture of a position without its history.
    fn picture(&self, position: &Self::Position) -> Picture {
        let mut moves = Vec::new();
        position.generate(&mut moves);
        Picture {
            turn: position.side_to_move().into(),
            result: position.outcome().map(GameResult::from),
            board: self.board(position),
            moves: moves.into_iter().map(|mv| stroke(self, position, mv)).collect(),
            last: None,
            game: None,
        }
    }
}

/// A legal move as it is shown.
pub fn stroke<N: Notation>(notation: &N, position: &N::Position, mv: <N::Position as Position>::Move) -> Stroke {
    let text = notation.move_text(position, mv);
    let name = Some(notation.move_name(position, mv)).filter(|name| *name != text);
    Stroke { mv: text, name, way: notation.way(position, mv) }
}

/// The value of the first position of a line that is played to the end of the game, for the side to move.
#[cfg(test)]
pub(crate) fn worth_of_line<P: Position>(position: &P, line: &[P::Move]) -> Score {
    let mut end = position.clone();
    for &mv in line {
        let mut moves = Vec::new();
        end.generate(&mut moves);
        assert!(end.outcome().is_none() && moves.contains(&mv), "a move that cannot be played");
        end.play(mv);
    }
    let last = end.outcome().expect("the end of the game").score_for(end.side_to_move());
    line.iter().fold(last, |score, _| (-score).backed_up())
}

/// A piece's part of an evaluation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EvaluationPart {
    /// The pieces that are listed together: `white pawns`.
    pub group: &'static str,
    /// The piece: `e4`.
    pub name: String,
    /// The evaluation, less that without this piece, in units for the side to move.
    pub units: i32,
}

/// How often a player wins, draws and loses, by the estimate of its position: a win has the chance logistic((cp - middle) / width),
/// a loss logistic((-cp - middle) / width). Fitted to games of griot against itself (`python/tools/fit_wdl.py`).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Chances {
    /// The estimate at which a win is as likely as not, in hundredths of the game's unit.
    pub middle: f64,
    /// By how much more the chance to win is 73 %.
    pub width: f64,
}

impl Chances {
    /// Wins, draws and losses in a thousand games after this estimate, in hundredths.
    #[must_use]
    pub fn per_thousand(self, centi: i32) -> [u32; 3] {
        let chance = |centi: f64| 1000.0 / (1.0 + ((self.middle - centi) / self.width).exp());
        // Halves go to the even neighbour, as in Python.
        let [wins, losses] = [centi, -centi].map(|centi| chance(centi.into()).round_ties_even() as u32);
        [wins, 1000_u32.saturating_sub(wins + losses), losses]
    }
}

/// Static evaluation, which every game supplies.
pub trait Evaluate<P: Position>: Pruning<P> + Threats<P> + Solving<P> {
    /// The objective of the players.
    const OBJECTIVE: Objective = Objective::Result;

    /// The value of a game that is finished by the rules, for the side to move.
    #[inline]
    fn final_score(&self, position: &P, outcome: Outcome) -> Score {
        match Self::OBJECTIVE {
            Objective::Result => outcome.score_for(position.side_to_move()),
            Objective::Margin => Score::units(self.material(position)),
        }
    }

    /// The value of a position in which the game goes on, for the side to move.
    ///
    /// Return a decisive score ([`Score::win_in`], [`Score::known_win`], ...) only if it is certain, and a distance only if it is
    /// exact.
    fn evaluate(&self, position: &P) -> Score;

    /// [`Evaluate::evaluate`] with the position's [`Expertise::state`]: must return the same value.
    fn evaluate_with(&self, position: &P, _state: &Self::State) -> Score {
        self.evaluate(position)
    }

    /// Whether a move changes the balance at once (a capture): such moves are tried first, and never searched less deep than
    /// quiet ones.
    fn is_noisy(&self, _position: &P, _mv: P::Move) -> bool {
        false
    }

    /// The captured part of [`Evaluate::evaluate`] (seeds in store), in units, for the side to move; for a finished game, the final
    /// balance.
    fn material(&self, _position: &P) -> i32 {
        0
    }

    /// What each piece adds to [`Evaluate::evaluate`], as far as the evaluation can say; none by default.
    fn parts(&self, _position: &P) -> Vec<EvaluationPart> {
        Vec::new()
    }

    /// How often a player wins and draws after an estimate; `None`, the default, where no model was fitted.
    const CHANCES: Option<Chances> = None;

    /// The same evaluation with the weights of a file written by `griot-train`.
    ///
    /// # Errors
    /// If the file has no weights for this evaluation, or the evaluation takes none; the error says what was expected.
    fn with_weights(&self, _file: &[u8]) -> Result<Self, String>
    where
        Self: Sized,
    {
        Err("the weights of this game come with the program alone".into())
    }

    /// Converts units to hundredths of the game's own unit (a seed, a pawn), the `cp` of the protocols.
    fn centi_units(&self, units: i32) -> i32 {
        units
    }
}

/// Tables of other programs, such as the Syzygy tables of chess, and how they are used.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct OutsideTables {
    /// Their folders; empty for none.
    pub path: String,
    /// The least depth, in plies, at which boards of the most pieces are looked up.
    pub least_depth: u32,
    /// The most pieces of a board that is looked up.
    pub most_pieces: u32,
    /// Whether the rule of fifty moves counts.
    pub counts_fifty: bool,
}

/// Exact knowledge: a formula or a table.
pub trait Probe<P: Position>: Clone + Send + Sync + 'static {
    /// The exact value of a position in which the game goes on, for the side to move, or `None`.
    ///
    /// The search uses it at every depth without searching further.
    fn probe(&self, position: &P) -> Option<Score>;

    /// Bounds from a table on the final balance of a position in which the game goes on, or `None`. Called at every node.
    ///
    /// They need hold only where no position before the last irreversible move matters, and where all positions since
    /// that move are looked up. The search uses them as exact where no position before its root can repeat; elsewhere
    /// they correct the evaluation. A game with static knowledge ([`Expertise::static_knowledge`]) returns nothing
    /// here, as neither takes the other into account.
    fn balance(&self, _position: &P) -> Option<Balance> {
        None
    }

    /// [`Probe::probe`] at a node that is searched to `depth`, for knowledge that takes longer to look up than a small tree to
    /// search.
    fn probe_at(&self, position: &P, _depth: u32) -> Option<Score> {
        self.probe(position)
    }

    /// The root moves that keep the result and make progress, where the game has tables of winners without distances; `history` are
    /// the hashes of the earlier positions that can come back. `None`: all moves are searched.
    fn root_moves(&self, _root: &P, _history: &[u64]) -> Option<Vec<P::Move>> {
        None
    }

    /// Prepares tables for a search from `root`, in the background; called before every search. Returns whether they are ready: a
    /// search without a clock waits for them, so that its result does not depend on the machine's speed.
    fn prepare(&self, _root: &P) -> bool {
        true
    }

    /// The same before a search that does not wait: tables that take too long to wait for may be prepared, too.
    fn prepare_on_clock(&self, root: &P) {
        self.prepare(root);
    }

    /// The same knowledge with the tables in `directory`, or without any.
    ///
    /// # Errors
    /// What is wrong with the tables.
    fn with_tables(&self, _directory: Option<&Path>) -> Result<Self, String> {
        Ok(self.clone())
    }

    /// The same knowledge with tables of other programs, or without them. Games that read none ignore the settings.
    ///
    /// # Errors
    /// What is wrong with the tables.
    fn with_outside(&self, _outside: &OutsideTables) -> Result<Self, String> {
        Ok(self.clone())
    }

    /// The same knowledge without tables, until [`Probe::prepare`] or [`Probe::with_tables`] adds some.
    #[must_use]
    fn without_tables(&self) -> Self {
        self.clone()
    }
}

/// Bounds on the final balance, what the side to move has at the end less what the opponent has: above 0 is a win. A margin, in
/// contrast, has no sign: it is by how much the winner wins. In the units of [`Evaluate::evaluate`], for the side to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Balance {
    /// The side to move can force at least this.
    pub low: i32,
    /// The opponent can hold it to at most this.
    pub high: i32,
}

impl Balance {
    /// The result, if known, with the margin that the winner can force.
    #[must_use]
    pub const fn result(self) -> Option<Score> {
        if self.low > 0 {
            Some(Score::of_final_balance(self.low))
        } else if self.high < 0 {
            Some(Score::of_final_balance(self.high))
        } else if self.low == 0 && self.high == 0 {
            Some(Score::DRAW)
        } else {
            None
        }
    }

    /// `score` clamped to the possible results: not below a draw for a side that cannot lose, not above one for a side that cannot
    /// win.
    #[must_use]
    pub fn limit(self, score: Score) -> Score {
        if self.low == 0 {
            score.max(Score::DRAW)
        } else if self.high == 0 {
            score.min(Score::DRAW)
        } else {
            score
        }
    }

    /// An estimate clamped to the possible balances.
    #[must_use]
    pub fn correct(self, estimate: Score) -> Score {
        match estimate.meaning() {
            Meaning::Units(units) => Score::units(units.max(self.low).min(self.high)),
            _ => estimate,
        }
    }
}

/// The empty table.
impl<P: Position> Probe<P> for () {
    fn probe(&self, _position: &P) -> Option<Score> {
        None
    }
}

/// One game, ready to be played: a name and an implementation of each trait.
#[derive(Debug, Clone)]
pub struct Game<N, E, T = ()> {
    /// The name users select it by, with its parameters: `awale`, `mnk:5,5,4`.
    pub name: String,
    /// Its texts, and through them its rules.
    pub notation: N,
    /// Its static evaluation.
    pub evaluate: E,
    /// Its exact knowledge.
    pub probe: T,
}

impl<N, E> Game<N, E> {
    /// A game without exact knowledge.
    pub fn new(name: impl Into<String>, notation: N, evaluate: E) -> Game<N, E> {
        Game { name: name.into(), notation, evaluate, probe: () }
    }
}
