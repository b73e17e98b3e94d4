//! Candidate moves of a selective search, and static results. Layer 2, private to m,n,k games.
//!
//! A line that the opponent threatens to complete must be answered on its cell. A *double threat* (an open four, or two fours)
//! is answered by a four, by taking its cell, or by a stone on one of its lines that leaves no double threat there; every other
//! reply loses in four plies, so only these are candidates. Without threats, moves far from the stones and those of least value
//! are left out, which proves nothing.

use super::bits::Bits;
use super::fours::win_by_fours;
use super::rules::Position;
use super::shapes::{Shapes, Threat};
use crate::game::{Candidates, Position as _, StaticKnowledge};
use crate::score::{Bound, Score};

/// Moves with at least this rank are tried before killers, and to the full depth.
const SHARP: u16 = 100;

/// The most moves of a node: a base, and an increment for each ply of depth.
const MOST_MOVES: [usize; 2] = [8, 3];

/// The weight of ranks beside history.
const RANK_WEIGHT: i32 = 48;

/// The most positions of a search for fours: at a leaf, and for each ply above.
const EFFORT: [u32; 2] = [8, 2];

/// Results without a search: wins by a line, a double threat or fours; losses by two lines or a double threat that
/// cannot be met.
pub(super) fn threat_result<const W: usize>(
    shapes: &Shapes<W>,
    position: &Position<W>,
    depth: u32,
    is_new: bool,
) -> Option<StaticKnowledge> {
    let exactly = |score| Some(StaticKnowledge { score, bound: Bound::Exact, proven: true });
    let mine = position.side_to_move();
    let theirs = mine.other();
    if !shapes.threats(mine, Threat::Five).is_empty() {
        return exactly(Score::win_in(1));
    }
    let forced = shapes.threats(theirs, Threat::Five).count();
    if forced > 1 {
        return exactly(Score::loss_in(2));
    }
    let barred = shapes.forbidden(position);
    if forced == 1 && !(shapes.threats(theirs, Threat::Five) & barred).is_empty() {
        return exactly(Score::loss_in(2));
    }
    // The first player of renju may have only forbidden cells left before, and lose by it.
    let renju = position.parameters().is_renju();
    let by_then = |score, bound| {
        let bound = if renju { bound } else { Bound::Exact };
        Some(StaticKnowledge { score, bound, proven: true })
    };
    let doubles = shapes.threats(mine, Threat::OpenFour) & !barred;
    if forced == 0 && !doubles.is_empty() {
        return by_then(Score::win_in(3), Bound::Lower);
    }
    let fours = doubles | shapes.threats(mine, Threat::Four) & !barred;
    if fours.is_empty() {
        let doubles = shapes.double_threats(theirs);
        let lost = forced == 0 && !doubles.is_empty() && (defences(shapes, position, doubles) & !barred).is_empty();
        return if lost { by_then(Score::loss_in(4), Bound::Upper) } else { None };
    }
    if !is_new {
        return None;
    }
    let plies = win_by_fours(shapes, mine, EFFORT[0] + EFFORT[1] * depth)?;
    Some(StaticKnowledge { score: Score::win_in(plies), bound: Bound::Lower, proven: true })
}

/// Whether the opponent threatens a line or a double threat, so that few replies do not lose.
pub(super) fn is_forced<const W: usize>(shapes: &Shapes<W>, position: &Position<W>) -> bool {
    let theirs = position.side_to_move().other();
    !(shapes.threats(theirs, Threat::Five) | shapes.double_threats(theirs)).is_empty()
}

/// The empty cells on which a stone leaves the opponent none of the double threats on these cells.
pub(super) fn defences<const W: usize>(shapes: &Shapes<W>, position: &Position<W>, doubles: Bits<W>) -> Bits<W> {
    let theirs = position.side_to_move().other();
    let steps = position.parameters().steps();
    let mut met = position.empty;
    for cell in doubles.iter() {
        let mut here = Bits::EMPTY.with(cell);
        for (direction, step) in steps.into_iter().enumerate() {
            for n in (-shapes.reach()..=shapes.reach()).filter(|&n| n != 0) {
                let at = (cell as i32 + n * step.cast_signed()) as usize;
                if shapes.is_empty(cell, direction, n)
                    && met.has(at)
                    && shapes.threat_behind(theirs, cell, direction, n) < Threat::OpenFour
                {
                    here = here.with(at);
                }
            }
        }
        met = met & here;
    }
    met
}

/// Appends the candidate moves, each with its score.
pub(super) fn candidates<const W: usize>(
    shapes: &Shapes<W>,
    position: &Position<W>,
    depth: u32,
    moves: &mut Vec<u16>,
    scores: &mut Vec<i32>,
) -> Candidates {
    let mine = position.side_to_move();
    let theirs = mine.other();
    let barred = shapes.forbidden(position);
    let forced = shapes.threats(theirs, Threat::Five) & !barred;
    if let Some(cell) = forced.iter().next() {
        moves.push(cell as u16);
        scores.push(1);
        return Candidates::Complete;
    }
    let rank = |cell: usize| {
        let (mine, theirs) = (shapes.at(mine, cell).rank, shapes.at(theirs, cell).rank);
        mine + mine / 4 + theirs
    };
    let score =
        |rank: u16| if rank >= SHARP { i32::from(rank) } else { RANK_WEIGHT * (i32::from(rank) - i32::from(SHARP)) };
    let doubles = shapes.double_threats(theirs);
    if !doubles.is_empty() {
        let fours = shapes.threats(mine, Threat::Four) | shapes.threats(mine, Threat::OpenFour);
        let met = (fours | defences(shapes, position, doubles)) & !barred;
        for cell in met.iter() {
            moves.push(cell as u16);
            scores.push(score(rank(cell)));
        }
        if !moves.is_empty() {
            return Candidates::Complete;
        }
    }
    let near = shapes.near & position.empty & !barred;
    if near.is_empty() {
        // The first stone, in the middle; or no cell near the stones is left.
        let Some(cell) = middle(position) else { return Candidates::All };
        moves.push(cell);
        scores.push(0);
        return Candidates::Chosen;
    }
    let most = MOST_MOVES[0] + MOST_MOVES[1] * depth as usize;
    // Value and cell of each move in one number, for fast sorting.
    let first = scores.len();
    scores.extend(near.iter().map(|cell| i32::from(rank(cell)) << 16 | cell as i32));
    let chosen = &mut scores[first..];
    if chosen.len() > most {
        chosen.select_nth_unstable_by(most, |a, b| b.cmp(a));
        scores.truncate(first + most);
    }
    scores[first..].sort_unstable_by_key(|&key| key as u16);
    for key in &mut scores[first..] {
        moves.push(*key as u16);
        *key = score((*key >> 16) as u16);
    }
    Candidates::Chosen
}

/// The middle cell of the board, if it is free.
fn middle<const W: usize>(position: &Position<W>) -> Option<u16> {
    let parameters = position.parameters();
    let middle = parameters.bit(parameters.cols() / 2, parameters.rows() / 2);
    position.empty.has(middle.into()).then_some(middle)
}

#[cfg(test)]
mod tests {
    use super::super::fours::within;
    use super::super::renju::forbidden;
    use super::super::shapes::Tables;
    use super::super::threes::Pursuit;
    use super::super::{Notation, Style, parse_parameters};
    use super::*;
    use crate::game::{Notation as _, Outcome, Side};

    fn read(name: &str, moves: &str) -> (Position<4>, Shapes<4>) {
        let parameters = parse_parameters(name).unwrap();
        let notation = Notation::<4>::new(parameters, Style::Coordinates);
        let mut position = notation.start();
        for text in moves.split(' ') {
            position.play(notation.parse_move(&position, text).unwrap());
        }
        (position, Shapes::new(Tables::of(parameters).unwrap(), parameters, position.stones))
    }

    #[test]
    fn fours_and_open_threes_must_be_answered() {
        for (moves, is_expected) in [
            ("h8", false),
            ("h8 a1 i8", false),
            // An open three; a three closed on one side, which is no threat yet; a four.
            ("h8 a1 i8 c1 j8", true),
            ("h8 g8 i8 c1 j8", false),
            ("h8 g8 i8 c1 j8 e1 k8", true),
        ] {
            for name in ["gomoku", "gomokufreestyle"] {
                let (position, shapes) = read(name, moves);
                assert_eq!(is_forced(&shapes, &position), is_expected, "{name} {moves}");
            }
        }
    }

    #[test]
    fn at_renju_black_wins_by_what_it_may_play_and_white_by_what_black_may_not() {
        let known = |moves: &str| {
            let (position, shapes) = read("renju", moves);
            threat_result(&shapes, &position, 0, true).map(|known| (known.score, known.bound))
        };
        // x has an open three; it wins by a straight four. So does o, when it is to move.
        assert_eq!(known("h8 a1 i8 a3 j8 a5"), Some((Score::win_in(3), Bound::Lower)));
        assert_eq!(known("a1 h8 a3 i8 a5 j8 a7"), Some((Score::win_in(3), Bound::Lower)));
        // Two fours by one stone, with three on a rank and three on a file: o wins by them, x may not make them.
        assert_eq!(known("a1 h8 a3 i8 g8 j8 a7 k5 a9 k6 k4 k7 a15"), Some((Score::win_in(3), Bound::Lower)));
        assert_eq!(known("h8 a1 i8 g8 j8 a7 k5 a9 k6 k4 k7 a15"), None);
        // o makes a four that x must stop on k8, which would make two fours; so x plays elsewhere, and o completes it.
        let moves = "h8 a1 i8 g8 j8 j7 k5 k4 k6 l9 k7 m10";
        let (position, shapes) = read("renju", &format!("{moves} c15 n11"));
        assert_eq!(threat_result(&shapes, &position, 0, true).map(|known| known.score), Some(Score::loss_in(2)));
        let (_, shapes) = read("renju", &format!("{moves} c15"));
        assert_eq!(win_by_fours(&shapes, Side::Second, 100), Some(3));
        // The four of x on l8 is one that o must stop; six in a row are none.
        assert_eq!(known("h8 a1 i8 g8 j8 a3 m8 a5 n8 a7"), None);
    }

    #[test]
    fn a_double_threat_that_black_may_not_make_needs_no_answer() {
        // x has three on a rank and three on a file, each closed on one side; k8 would make two fours.
        let moves = "h8 g8 i8 k4 j8 c4 k5 d4 k6 e5 k7 e6 a15";
        let (position, shapes) = read("gomokufreestyle", moves);
        assert!(is_forced(&shapes, &position));
        let (position, shapes) = read("renju", moves);
        assert!(!is_forced(&shapes, &position));
        // It is not faster than the threes of o either, which wins by two of them.
        let line = Pursuit::new(&mut within(10_000)).winning_line(&position, &shapes);
        assert!(!line.is_empty());
        let end = line.iter().fold(position, |at, &mv| {
            assert!(!forbidden(&at).has(mv.into()), "{line:?}");
            at.after(mv)
        });
        assert_eq!(end.outcome(), Some(Outcome::Win(Side::Second)), "{line:?}");
    }

    #[test]
    fn what_takes_more_than_a_glance_is_foreseen_once() {
        // x has three on a rank and three on a file, each closed on one side: two fours one after the other win.
        let (position, shapes) = read("gomokufreestyle", "h8 g8 i8 k11 j8 k4 k5 a15 k6 c15 k7 e15");
        let at_once = threat_result(&shapes, &position, 0, false);
        assert!(at_once.is_some_and(|known| known.score == Score::win_in(3)), "{at_once:?}");
        // A four on rank 8 must come before the four on the file, which is also one on rank 7.
        let moves = "h8 g8 i8 l4 j8 a3 l5 a15 l6 e13 m7 a10 n7 d2 o7 d9";
        let (position, shapes) = read("gomokufreestyle", moves);
        let known = threat_result(&shapes, &position, 0, true);
        assert!(known.is_some_and(|known| known.score == Score::win_in(5) && known.bound == Bound::Lower), "{known:?}");
        assert!(threat_result(&shapes, &position, 0, false).is_none());
    }
}
