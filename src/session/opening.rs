//! The opening book of a session: when a move is played from it, and what is reported.
//!
//! Layer 4; engine thread. A book knows positions without the game before them. If an earlier position of the game may soon
//! repeat, the book is not used.

use super::{Evaluation, Settings};
use crate::book::{Advice, Book, Polyglot, Worth};
use crate::game::{Notation, Position, SplitMix64, mix64};
use crate::message::{Go, Problem};
use crate::search::{Algorithm, Task};

/// Plies to look ahead for repetitions, the book's move included.
const PLIES_FORESEEN: u32 = 4;

/// Separates the book's draws from others with the same seed.
const BOOK_CHANCE: u64 = 0x0B00_C000;

/// An opening book.
pub(super) enum OpeningBook<P: Position> {
    /// Of griot: positions with values.
    Values(Book<P>),
    /// Of Polyglot: moves with weights.
    Weights(Polyglot),
}

/// The book of the settings, if any. A file is read even if the book is not used, so that errors are reported when it is named.
/// Its contents say which kind it is.
pub(super) fn open_book<N: Notation>(
    settings: &Settings,
    game: &str,
    notation: &N,
) -> Result<Option<OpeningBook<N::Position>>, Problem> {
    let book = match (settings.book(), settings.book_text) {
        (Some(path), _) => Some(match Polyglot::open(path, notation)? {
            Some(book) => OpeningBook::Weights(book),
            None => OpeningBook::Values(Book::open(path, game, notation)?),
        }),
        (None, Some(text)) if settings.own_book => Some(OpeningBook::Values(Book::parse(text, game, notation)?)),
        _ => None,
    };
    Ok(book.filter(|_| settings.own_book))
}

/// The book's entry for a position.
pub(super) struct Said<M> {
    pub(super) worth: Worth,
    /// The search depth behind it, in plies.
    pub(super) depth: u32,
    /// Its move and the line after it.
    pub(super) line: Vec<M>,
}

/// The book's entry for the root; `None` if the `go` asks for a search or needs one.
pub(super) fn advice<N: Notation>(
    book: &OpeningBook<N::Position>,
    notation: &N,
    settings: &Settings,
    go: &Go,
    task: &Task<N::Position>,
    history: &[N::Position],
) -> Option<Said<<N::Position as Position>::Move>> {
    let Task { root, moves, lines, algorithm, .. } = task;
    let wants_move = go.is_bounded() && go.mate.is_none() && *lines == 1 && !settings.analyse_mode;
    // A book is for full strength: it is made by the full search with the full evaluation.
    let as_grown = *algorithm == Algorithm::AlphaBeta
        && settings.evaluation == Evaluation::Full
        && settings.level(root.hash()).is_none();
    if !wants_move || !as_grown {
        return None;
    }
    // Like the draws of levels, it depends on the position and the seed alone; `BOOK_CHANCE` makes it independent of
    // them.
    let mut chance = SplitMix64::new(root.hash() ^ mix64(settings.seed.wrapping_add(BOOK_CHANCE)));
    let is_asked = |mv: &<N::Position as Position>::Move| moves.is_empty() || moves.contains(mv);
    let Advice { mv, worth, depth } = match book {
        OpeningBook::Values(book) => {
            let mut choices = book.choices(root, settings.book_variety);
            // Moves as good as the best one are drawn too, unless the variety is 0.
            if settings.book_variety == 0 {
                choices.truncate(1);
            }
            choices.retain(|choice| is_asked(&choice.mv));
            *choices.get(chance.below(choices.len().max(1)))?
        }
        OpeningBook::Weights(book) => {
            let mut choices = book.moves(notation, root);
            choices.retain(|(mv, _)| is_asked(mv));
            let mv = drawn_by_weight(&choices, settings.book_variety, &mut chance)?;
            // Such a book has no values.
            Advice { mv, worth: Worth::Centi(0), depth: 1 }
        }
    };
    let next = root.after(mv);
    // Positions closer than the shortest cycle cannot repeat yet.
    let is_far = history.len() as u32 + PLIES_FORESEEN >= <N::Position as Position>::MIN_CYCLE;
    if is_far && !root.is_irreversible(&next) && may_come_back(&next, history, PLIES_FORESEEN - 1) {
        return None;
    }
    let mut line = vec![mv];
    line.extend(match book {
        OpeningBook::Values(book) => book.follow(&next),
        OpeningBook::Weights(book) => book.follow(notation, &next),
    });
    let mut position = root.clone();
    let length = line.iter().position(|&mv| {
        position.play(mv);
        position == *root || history.contains(&position)
    });
    line.truncate(length.map_or(line.len(), |length| length + 1));
    Some(Said { worth, depth, line })
}

/// A move drawn by the weights among those whose weight falls short of the heaviest, the first, by at most `variety` thousandths
/// of it.
fn drawn_by_weight<M: Copy>(choices: &[(M, u16)], variety: u64, chance: &mut SplitMix64) -> Option<M> {
    let &(first, most) = choices.first()?;
    let least = u64::from(most) * 1000_u64.saturating_sub(variety);
    let light_enough = |&(_, weight): &(M, u16)| u64::from(weight) * 1000 >= least && variety > 0;
    let drawn: Vec<(M, u16)> = choices.iter().copied().filter(light_enough).collect();
    let all: usize = drawn.iter().map(|&(_, weight)| usize::from(weight)).sum();
    let mut at = chance.below(all.max(1));
    for (mv, weight) in drawn {
        match at.checked_sub(weight.into()) {
            Some(left) => at = left,
            None => return Some(mv),
        }
    }
    Some(first)
}

/// Whether a position of `history` can repeat within this many plies and end the game.
fn may_come_back<P: Position>(position: &P, history: &[P], plies: u32) -> bool {
    if history.contains(position) {
        return position.outcome_by_repetition().is_some();
    }
    let mut moves = Vec::new();
    if plies > 0 {
        position.generate(&mut moves);
    }
    moves.into_iter().any(|mv| {
        let next = position.after(mv);
        !position.is_irreversible(&next) && may_come_back(&next, history, plies - 1)
    })
}
