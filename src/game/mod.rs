//! What a game supplies: five small traits, and [`Game`], which bundles one implementation of each.
//!
//! Layer 0: knows the numbers of [`crate::score`], the plain data of [`crate::message`], and no search, no protocol, no game.
//! Everything here is plain data, cheap to copy, without history: repetition is handled once, outside the games.
//!
//! ```text
//!  Position   rules: moves, outcome, hash           one value per node, copied
//!  Notation   texts and pictures of positions       one value per game, shared
//!  Evaluate   static evaluation, noisy moves, unit  one value per game, shared
//!  Expertise  move ordering, static knowledge,      the same value; an empty impl has none
//!             futility margin, proofs, state carried
//!             down a line
//!  Probe      exact values from theory or a table   one value per game, shared; () has none
//! ```
//!
//! What the house has to know of the games that one folder plays is in [`family`]; [`network`] is an evaluation for any game.

pub mod conformance;
pub(crate) mod crew;
pub mod family;
mod mix;
pub mod network;
mod sight;
mod sort;

use std::fmt::Debug;
use std::path::Path;

pub use mix::{Mixer, mix64};
pub use sight::{Sight, Sighted};
pub use sort::sort_few;

use crate::message::{BoardPicture, GameResult, Picture, Player, Stroke, Way};
use crate::score::{Bound, Meaning, Score};

/// One of the two players; `First` makes the first move of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Side {
    /// The player who begins: South, x, player 1.
    First,
    /// The other one: North, o, player 2.
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

/// What the players of a game play for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Objective {
    /// To win as soon as possible, and to lose as late as possible: a finished game is a win, a draw or a loss.
    Result,
    /// The final balance: a finished game is worth its [`Evaluate::material`], on the scale of the estimates.
    Margin,
}

/// How a game ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// This side won.
    Win(Side),
    /// Nobody did.
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

    /// How many times a position has to come up for the game to end by [`Position::outcome_by_repetition`]: at least 2.
    const OCCURRENCES: u32 = 2;

    /// Whether the end by a repetition, or by a count ([`Position::reversible_plies_left`]), is one that a player has to claim: then
    /// whoever is asked for a move there all the same finds one.
    const DRAWS_ARE_CLAIMED: bool = false;

    /// Whether the end of the game shows in the moves alone, as in chess, where mate and stalemate are positions without any.
    /// Then the search asks for [`Position::status`], and for [`Position::outcome`] at leaves only; but where there are null moves, for
    /// [`Position::outcome`] everywhere, which should not make all moves then.
    const ENDS_WITHOUT_MOVES: bool = false;

    /// Whether there is a [`Position::null_move`].
    const HAS_NULL_MOVE: bool = false;

    /// A lower limit on the number of plies after which a position can come back; the larger the truthful limit, the more
    /// the search may share between paths. Games in which no position ever recurs keep the default.
    const MIN_CYCLE: u32 = 2;

    /// How many different values [`Position::move_index`] has; 0 when the game gives its moves no index.
    const MOVE_INDICES: usize = 0;

    /// A number below [`Position::MOVE_INDICES`] that is the same for a move in every position where it occurs, and different
    /// for different moves of one position: by it the search remembers which moves have been good.
    fn move_index(_mv: Self::Move) -> usize {
        0
    }

    /// How many different values [`Position::landing`] has; 0 when the game tells none.
    const LANDINGS: usize = 0;

    /// A number below [`Position::LANDINGS`] for what a move puts where: by it the search remembers which moves have been good
    /// after which (continuation history).
    fn landing(&self, _mv: Self::Move) -> usize {
        0
    }

    /// Whose turn it is; in a finished game, whose turn it would be.
    fn side_to_move(&self) -> Side;

    /// The result, or `None` while the game goes on. Repetition is not the position's business.
    fn outcome(&self) -> Option<Outcome>;

    /// Appends every legal move to `moves`, in a fixed order; none when the game is over, at least one otherwise.
    fn generate(&self, moves: &mut Vec<Self::Move>);

    /// [`Position::outcome`] and [`Position::generate`] in one call: appends every legal move, or tells the result. Worth writing
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

    /// A hash that all images of a position under the symmetries of its game share, and the number of the symmetry that carries
    /// this position into the image the hash was taken of; 0 carries it into itself. The evaluation must value all images
    /// alike. The search asks for it where it saves a large tree.
    fn folded(&self) -> (u64, u8) {
        (self.hash(), 0)
    }

    /// What `mv` becomes when this position is carried into its image by `symmetry`, which is not 0. A game that folds gives its
    /// moves an index.
    fn carried(&self, mv: Self::Move, _symmetry: u8) -> Self::Move {
        mv
    }

    /// This position with the turn passed, for null move pruning: the search takes it that a side which stands well enough
    /// even after passing need not be looked at further. Nothing where passing may be better than every move (zugzwang), or a
    /// threat must be answered. Asked only if [`Position::HAS_NULL_MOVE`].
    fn null_move(&self) -> Option<Self> {
        None
    }

    /// About how many plies the game still takes at most, if that can be told; the game goes on. When it is not far beyond what
    /// the search can see, it tries to see to the end at once.
    fn plies_left(&self) -> Option<u32> {
        None
    }

    /// Whether this position and those before it cannot come back after the move that made it `next`. `false` is always safe.
    fn is_irreversible(&self, _next: &Self) -> bool {
        true
    }

    /// Whether a line of at most `plies` plies from here can come back to `earlier`, from which reversible moves have led here.
    /// What is `true` must be so for more plies, and a ply earlier on the line for one ply more. `true` is always safe; the
    /// more often the answer is `false`, the more the search may share between paths.
    fn may_return_to(&self, _earlier: &Self, _plies: u32) -> bool {
        true
    }

    /// After how many more plies without an irreversible move ([`Position::is_irreversible`]) the game is drawn, where the rules
    /// count them: fifty moves of each side without a capture or a move of a pawn, in chess. At 0 it is drawn, unless it is over
    /// otherwise ([`Position::outcome`], which knows nothing of the count). Two positions that differ in nothing else are
    /// equal, have one hash and one evaluation: as with repetition, the search sees to it that what leans on the count is told
    /// apart.
    fn reversible_plies_left(&self) -> Option<u32> {
        None
    }

    /// How the game ends when this position comes up for the time that [`Position::OCCURRENCES`] says; `None`: it goes on.
    fn outcome_by_repetition(&self) -> Option<Outcome> {
        None
    }

    /// How the game ends here because of what was before, if it does: by the count of plies, or by a repetition.
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

/// A text that is not what it should be: which part, what was found there, what would have been right.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{field}: expected {expected}, found {found}")]
pub struct TextError {
    /// Byte offset of the trouble in the text that was given.
    pub offset: usize,
    /// The part of the text, in the user's words: `South's store`, `row 3`, `move`.
    pub field: String,
    /// What would have been right.
    pub expected: String,
    /// What stood there.
    pub found: String,
}

impl TextError {
    /// An error at byte `offset` of the text. Control characters in what was found are escaped: it is shown to people.
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

/// The texts of a game (board text, move text, lists of moves), and what is to be seen of it.
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

    /// The board text; [`Notation::parse_position`] reads it back to an equal position.
    fn position_text(&self, position: &Self::Position) -> String;

    /// Reads a move and checks that it is legal in `position`.
    ///
    /// # Errors
    /// When the text is no move of this game, or the move is not legal here.
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

    /// How people write a legal move, where that is not its text: `Nf3`. Without blanks, and different for different moves of a
    /// position; [`Notation::parse_move`] reads it, too.
    fn move_name(&self, position: &Self::Position, mv: <Self::Position as Position>::Move) -> String {
        self.move_text(position, mv)
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

    /// How a repetition ends the game, in a sentence; nothing in games where no position comes up twice.
    fn repetition_rule(&self) -> Option<&str> {
        None
    }

    /// What is to be seen of a position. It is all that a game tells of its looks: drawings, colours, GTP and web pages are made
    /// of it. Without it a game is shown by its board text.
    fn board(&self, position: &Self::Position) -> BoardPicture {
        BoardPicture::text(self.position_text(position))
    }

    /// From where to where a legal move goes on that board.
    fn way(&self, _position: &Self::Position, _mv: <Self::Position as Position>::Move) -> Way {
        Way::default()
    }

    /// The picture of a position by itself, without what was before it.
    fn picture(&self, position: &Self::Position) -> Picture {
        let mut moves = Vec::new();
        position.generate(&mut moves);
        Picture {
            turn: position.side_to_move().into(),
            result: position.outcome().map(GameResult::from),
            board: self.board(position),
            moves: moves.into_iter().map(|mv| stroke(self, position, mv)).collect(),
            last: None,
        }
    }
}

/// A legal move as it is shown.
pub fn stroke<N: Notation>(notation: &N, position: &N::Position, mv: <N::Position as Position>::Move) -> Stroke {
    let text = notation.move_text(position, mv);
    let name = Some(notation.move_name(position, mv)).filter(|name| *name != text);
    Stroke { mv: text, name, way: notation.way(position, mv) }
}

/// The score of a move that the search may leave out: see [`Expertise::score_moves`].
pub const DOMINATED: i32 = i32::MIN;

/// What plain minimax is bound to find in a position, told without a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StaticKnowledge {
    /// Its value, or a bound of it, for the side to move.
    pub score: Score,
    /// Which.
    pub bound: Bound,
    /// Whether the same holds for every deeper search.
    pub proven: bool,
}

/// What a game's own solver has found: see [`Expertise::solve`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Solution<M> {
    /// The value, for the side to move.
    pub score: Score,
    /// Whether it is proven, and as what; nothing if it is only likely.
    pub proven: Option<Bound>,
    /// How certain each judgement behind it was, in percent; 100 if it is proven.
    pub percent: u8,
    /// A line of best moves, as far as it is known; not empty.
    pub line: Vec<M>,
}

impl<M> Solution<M> {
    /// What is proven of a value between these bounds, in a game that is won, drawn or lost; nothing without a line, or if it may be
    /// anything. Who does not lose, and may win yet, is told as likely to draw.
    pub fn between(lower: Score, upper: Score, line: Vec<M>) -> Option<Solution<M>> {
        let (score, proven) = match lower {
            _ if lower == upper => (lower, Some(Bound::Exact)),
            _ if lower > Score::DRAW => (lower, Some(Bound::Lower)),
            _ if upper < Score::DRAW => (upper, Some(Bound::Upper)),
            _ if lower == Score::DRAW => (Score::DRAW, None),
            _ => return None,
        };
        (!line.is_empty()).then_some(Solution { score, proven, percent: 100, line })
    }
}

/// What the first position of a line is worth if both sides play it, to the end of the game, for the side to move.
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

/// What a game's own solver may use: see [`Expertise::solve`].
#[derive(Clone, Copy)]
pub struct SolverMeans<'a> {
    /// The number of threads.
    pub threads: usize,
    /// The memory of its table, in bytes.
    pub bytes: usize,
    /// Whether it is to forget what it found before.
    pub fresh: bool,
    /// Asked by every thread now and then, with the positions that it has looked at since it last asked; ends the search when it
    /// says yes.
    pub stop: &'a (dyn Fn(u64) -> bool + Sync),
}

/// What the moves that a game chooses for a selective search are, of all.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Candidates {
    /// None were chosen: all moves are to be looked at.
    All,
    /// Those left out are known to be no better, whatever is played after them.
    Complete,
    /// Those left out are thought to be no better: what the chosen ones come to is no proof of a loss.
    Chosen,
}

/// Static evaluation: what every game gives.
pub trait Evaluate<P: Position>: Expertise<P> {
    /// What the players play for.
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
    /// A decisive score ([`Score::win_in`], [`Score::known_win`], ...) may be given only when it is a fact, and a distance
    /// only when it is the exact one.
    fn evaluate(&self, position: &P) -> Score;

    /// The same of a position whose [`Expertise::state`] is this one: the same value.
    fn evaluate_with(&self, position: &P, _state: &Self::State) -> Score {
        self.evaluate(position)
    }

    /// Whether a move changes the balance at once (a capture): such moves are tried first, and never searched less deep than
    /// quiet ones.
    fn is_noisy(&self, _position: &P, _mv: P::Move) -> bool {
        false
    }

    /// The part of [`Evaluate::evaluate`] that is in the bag (seeds in store), in units, for the side to move; for a
    /// finished game, the final balance.
    fn material(&self, _position: &P) -> i32 {
        0
    }

    /// The same evaluation by other weights: those of a file that `fit` has written.
    ///
    /// # Errors
    /// When these are no weights of this evaluation, or it takes none; what would have been right.
    fn with_weights(&self, _file: &[u8]) -> Result<Self, String>
    where
        Self: Sized,
    {
        Err("the weights of this game come with the program alone".into())
    }

    /// Units to hundredths of the game's own unit (a seed, a pawn), the `cp` of the protocols.
    fn centi_units(&self, units: i32) -> i32 {
        units
    }
}

/// What only some games know of their positions and moves. Every method has a default:
/// `impl Expertise<MyPosition> for MyEvaluation { type State = (); }` is enough.
pub trait Expertise<P: Position>: Send + Sync + 'static {
    /// What the evaluation carries down a line of play, so that a node costs what its move changed: indices of patterns, the
    /// first layer of a network. `()` for an evaluation that looks at the position alone.
    type State: Clone + Default + Send + 'static;

    /// Whether selective searches go on at their leaves through noisy moves (quiescence search), because an evaluation in the
    /// middle of an exchange says little.
    const QUIESCES: bool = false;

    /// Whether the game has a [`Expertise::solve`] of its own.
    const SOLVES: bool = false;

    /// The solver may look at so many positions for each node of the search: to it a position costs a fraction of what it costs
    /// the search.
    const SOLVER_SHARE: u64 = 4;

    /// Whether the solver makes use of several threads. While it is at work, those of the search rest.
    const SOLVER_THREADS: bool = false;

    /// With so many plies left ([`Position::plies_left`]) or fewer, the solver hardly takes time any more: a clock need not last for them.
    const SOLVED_FROM: u32 = 0;

    /// Whether selective searches may leave moves out near their leaves, because one of them hardly ever changes everything: quiet
    /// ones that come late (late move pruning) or where the evaluation is far below alpha (futility pruning), and those that
    /// the game scores below 0. Then late moves are reduced by what history says of them, too.
    const PRUNES_MOVES: bool = false;

    /// The state of a position, made from nothing.
    fn state(&self, _position: &P) -> Self::State {
        Self::State::default()
    }

    /// The state of `next`, to which `mv` leads from `position`, which has this one.
    fn next_state(&self, _state: &Self::State, _position: &P, _mv: P::Move, _next: &P) -> Self::State {
        Self::State::default()
    }

    /// The state of `passed`, which is a position with this one after its [`Position::null_move`].
    fn passed_state(&self, _state: &Self::State, passed: &P) -> Self::State {
        self.state(passed)
    }

    /// Move ordering: scores each of the `moves` of `position`, which has this state, for a search of `depth` plies; at depth 0, in quiescence search, they
    /// are those of [`Expertise::noisy_moves`], or all where the side must answer. 0 is a quiet move, left
    /// to killers and history; more than 0 is tried before those, the highest first, up to 2^16; less than 0, down to -2^16, is
    /// tried after all others, as noisy moves that lose something may be. [`DOMINATED`] is a move that
    /// may be left out, because another one is known to be at least as good at this depth. By default, noisy moves score 1.
    fn score_moves(&self, position: &P, _state: &Self::State, _depth: u32, moves: &[P::Move], scores: &mut [i32])
    where
        Self: Evaluate<P>,
    {
        for (score, &mv) in scores.iter_mut().zip(moves) {
            *score = self.is_noisy(position, mv).into();
        }
    }

    /// [`Expertise::score_moves`] for a search that evaluates by [`Evaluate::material`] alone, and carries no state. By default it
    /// gets the state by [`Default`]: where that says nothing of the position, write this one too.
    fn score_moves_by_material(&self, position: &P, depth: u32, moves: &[P::Move], scores: &mut [i32])
    where
        Self: Evaluate<P>,
    {
        self.score_moves(position, &Self::State::default(), depth, moves, scores);
    }

    /// What a move of `position` seems to be worth to the side that plays it, by its score of [`Expertise::score_moves`] in a search of
    /// `depth` plies: a late move is reduced the more, the less it seems to be worth. Nothing, the default, where scores do not say.
    /// Asked in games with [`Expertise::futility_margin`], by which worth is measured.
    fn expected(&self, _position: &P, _depth: u32, _score: i32) -> Option<Score> {
        None
    }

    /// What plain minimax of `depth` plies (at least 1) is bound to find in a position in which the game goes on, where it can
    /// be told without a search; repetition aside. What is looked at for it does not count as nodes. A bound is of use only if
    /// it is not below `beta` as a lower one, or not above `alpha` as an upper one.
    fn static_knowledge(&self, _position: &P, _depth: u32, _alpha: Score, _beta: Score) -> Option<StaticKnowledge> {
        None
    }

    /// [`Expertise::static_knowledge`] for a search that evaluates by [`Evaluate::material`] alone.
    fn static_knowledge_by_material(
        &self,
        _position: &P,
        _depth: u32,
        _alpha: Score,
        _beta: Score,
    ) -> Option<StaticKnowledge> {
        None
    }

    /// Whether the side to move cannot leave things as they are (it stands in check): then quiescence search looks at all moves.
    fn must_answer(&self, _position: &P) -> bool {
        false
    }

    /// Whether the opponent must answer a move ([`Expertise::must_answer`]), as far as that is quickly seen: such a move is not left
    /// out. Asked in games with [`Expertise::PRUNES_MOVES`].
    fn forces(&self, _position: &P, _mv: P::Move) -> bool {
        false
    }

    /// Appends the noisy moves of `position`, in the order of [`Position::generate`], for quiescence search. Worth writing where
    /// they can be had without the others.
    fn noisy_moves(&self, position: &P, moves: &mut Vec<P::Move>)
    where
        Self: Evaluate<P>,
    {
        let first = moves.len();
        position.generate(moves);
        let mut at = first;
        for number in first..moves.len() {
            if self.is_noisy(position, moves[number]) {
                moves.swap(at, number);
                at += 1;
            }
        }
        moves.truncate(at);
    }

    /// What a noisy move is likely to bring at most to the side that plays it, in units: quiescence search leaves out a move
    /// with which even so the evaluation would not come to alpha. Nothing, the default, where none is to be left out. Asked in
    /// games with [`Expertise::PRUNES_MOVES`].
    fn greatest_gain(&self, _position: &P, _mv: P::Move) -> Option<i32> {
        None
    }

    /// The margin of reverse futility pruning, in units for each ply of depth, more than 0: the search prunes a node whose
    /// evaluation is so far above beta. Nothing, the default, where a threat can be worth more than any evaluation of the rest.
    fn futility_margin(&self) -> Option<i32> {
        None
    }

    /// The margin of razoring, in units for each ply of depth, more than 0: the search prunes a node whose evaluation is so far
    /// below alpha. Nothing, the default, where a single move can turn a game.
    fn razoring_margin(&self) -> Option<i32> {
        None
    }

    /// Whether the game chooses the moves of selective searches: then these ask for [`Expertise::foresight`],
    /// [`Expertise::is_forced`] and [`Expertise::candidates`], with full sight.
    const CHOOSES: bool = false;

    /// What is known without a search of a position in which the game goes on, for the side to move, at a node of `depth` plies,
    /// which may be 0. A decisive score is a fact; as a lower bound, its distance may be too long. Unless `is_new`, it was asked
    /// here before: what takes more than a glance need not be looked at again.
    fn foresight(&self, _position: &P, _state: &Self::State, _depth: u32, _is_new: bool) -> Option<StaticKnowledge> {
        None
    }

    /// Whether a threat of the opponent leaves the side to move few moves that do not lose soon: such a node is searched a ply deeper.
    fn is_forced(&self, _position: &P, _state: &Self::State) -> bool {
        false
    }

    /// Appends the moves that are worth a look in a search of `depth` plies (at least 1), and as many scores: those above 0, up to
    /// 2^16, are tried first, the highest first, and to the full depth; the others, down to -2^14, count beside their history.
    /// Nothing is appended where all moves are to be looked at.
    fn candidates(
        &self,
        _position: &P,
        _state: &Self::State,
        _depth: u32,
        _moves: &mut Vec<P::Move>,
        _scores: &mut Vec<i32>,
    ) -> Candidates {
        Candidates::All
    }

    /// The search spends one node on each proof by the game's own means for so many nodes before it.
    const PROOF_SHARE: u64 = 2;

    /// And so many nodes at least.
    const PROOF_LEAST: u64 = 4_000;

    /// A line whose first move wins, whatever the opponent answers, found by the game's own means in a position in which the
    /// game goes on; empty if none was found, which proves nothing. The search asks for it now and then, with ever more effort.
    /// `step` is to be called for every position looked at, which counts as a node; from when it answers `false` on, nothing
    /// more is to be looked at.
    fn winning_line(&self, _position: &P, _step: &mut dyn FnMut() -> bool) -> Vec<P::Move> {
        Vec::new()
    }

    /// Solves a position near the end of the game by the game's own means, and tells step by step what it finds; the last word is
    /// exact, unless it was stopped. The line of a lower bound begins with a move that makes sure of it. Positions that are
    /// beyond the solver it leaves alone. Asked only if [`Expertise::SOLVES`].
    fn solve(&self, _position: &P, _means: SolverMeans<'_>, _news: &mut dyn FnMut(Solution<P::Move>)) {}

    /// How many positions the solver looks at until it is done with one like this, on the mean. It is asked once its effort would
    /// be half of that: before, the iterations make better use of the time.
    fn solver_cost(&self, _position: &P) -> u64 {
        0
    }

    /// Moves that lose, whatever is played after them, as far as the game finds out by its own means; see
    /// [`Expertise::winning_line`].
    fn losing_moves(&self, _position: &P, _step: &mut dyn FnMut() -> bool) -> Vec<P::Move> {
        Vec::new()
    }
}

/// Exact knowledge: theory, or a table.
pub trait Probe<P: Position>: Clone + Send + Sync + 'static {
    /// The exact value of a position in which the game goes on, for the side to move, or nothing.
    ///
    /// The search believes it at every depth, without looking further.
    fn probe(&self, position: &P) -> Option<Score>;

    /// What a table tells of the final balance of a position in which the game goes on, or nothing. Asked at every node.
    ///
    /// It need hold only where no position from before the last irreversible move has any say, and where all positions since
    /// that move are looked up: whoever has a claim takes its way at the first of them. The search believes it where no
    /// position from before its root can come back; elsewhere it corrects the evaluation. A game with static knowledge
    /// ([`Expertise::static_knowledge`]) tells nothing here, for the one does not know of the other.
    fn balance(&self, _position: &P) -> Option<Balance> {
        None
    }

    /// Gets what is of use to a search from `root`, in the background; called before every search. Answers whether it is
    /// there: a search without a clock waits for it, so that what it finds does not depend on the speed of the machine.
    fn prepare(&self, _root: &P) -> bool {
        true
    }

    /// The same with the tables in `directory`, or without any, in place of those it has.
    ///
    /// # Errors
    /// What is wrong with the tables, in words.
    fn with_tables(&self, _directory: Option<&Path>) -> Result<Self, String> {
        Ok(self.clone())
    }

    /// The same without any tables, until [`Probe::prepare`] or [`Probe::with_tables`] gets some.
    #[must_use]
    fn without_tables(&self) -> Self {
        self.clone()
    }
}

/// What is known of the balance of the finished game: more than 0 is a win. In the units of [`Evaluate::evaluate`], for the side
/// to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Balance {
    /// The side to move can make sure of this.
    pub low: i32,
    /// Its opponent can hold it to this.
    pub high: i32,
}

impl Balance {
    /// The result, if it is known, by the margin that the winner can make sure of.
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

    /// `score` moved to where the result can still be: not below a draw for a side that cannot lose, not above one for a side
    /// that cannot win.
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

    /// An estimate moved to where the balance can still be.
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
    /// What is known of it exactly.
    pub probe: T,
}

impl<N, E> Game<N, E> {
    /// A game without exact knowledge.
    pub fn new(name: impl Into<String>, notation: N, evaluate: E) -> Game<N, E> {
        Game { name: name.into(), notation, evaluate, probe: () }
    }
}
