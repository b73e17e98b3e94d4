//! The law suite: checks what every game must do, over random games. Call it for a game of your own, too.
//!
//! Layer 0. [`check`] plays seeded random games and tests each position, move and text against the contracts of the traits in
//! [`crate::game`]. It does not panic: it returns the first broken law as text, behind the methods that it concerns.

use std::collections::{HashMap, HashSet};

use super::{Evaluate, Evaluator, Game, Notation, Position, Probe, Side, SplitMix64};
use crate::message::{BoardPicture, GameResult, Picture, Piece, PlayerNames, Shape, Stroke};
use crate::score::{Bound, Score};

/// Counts of a run of [`check`].
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Report {
    /// Games played to their end.
    pub games: u32,
    /// Positions checked.
    pub positions: u32,
    /// The longest game, in plies.
    pub longest: u32,
    /// Games that ended by repetition.
    pub repetitions: u32,
}

/// Plies after which a random game counts as endless.
const ENDLESS: u32 = 20_000;

/// Invalid texts, which every game must refuse without a panic.
const GARBAGE: [&str; 14] = [
    "",
    " ",
    "-",
    "/",
    "@",
    "zz",
    "0",
    "99999999999999999999999",
    "é",
    "\u{0}",
    "x x x",
    "a-1",
    "---------------",
    "🥜",
];

/// Plays `games` random games from the start position, seeded with `seed`, and checks the laws at every position.
///
/// # Errors
/// The first broken law, with the position it was broken in.
pub fn check<N, E, T>(game: &Game<N, E, T>, seed: u64, games: u32) -> Result<Report, String>
where
    N: Notation,
    E: Evaluate<N::Position>,
    T: Probe<N::Position>,
{
    let mut rng = SplitMix64::new(seed);
    let mut report = Report::default();
    let mut seen = Seen { positions: HashMap::new(), images: HashMap::new() };
    let start = game.notation.start();
    if start.side_to_move() != Side::First {
        return Err("Notation::start: the first player does not begin".into());
    }
    for _ in 0..games {
        let mut position = start.clone();
        let mut history: Vec<N::Position> = Vec::new();
        let mut state = game.evaluate.state(&position);
        let mut spare = state.clone();
        let mut reversible = 0;
        let mut counted: Option<u32> = None;
        let mut plies = 0;
        loop {
            check_position(game, &position, &mut seen, &mut rng)?;
            report.positions += 1;
            let told = |law: &str| Err(format!("{law}: {}", game.notation.position_text(&position)));
            let left = position.reversible_plies_left();
            if left.zip(counted).is_some_and(|(left, before)| reversible > 0 && left != before.saturating_sub(1)) {
                return told(
                    "Position::reversible_plies_left: the count does not go down by one with each reversible ply",
                );
            }
            counted = left;
            if let Some(back) = history.iter().rev().position(|earlier| *earlier == position) {
                let back = back as u32 + 1;
                if back > reversible {
                    return told("Position::is_irreversible: a position from before an irreversible move came back");
                }
                if back < N::Position::MIN_CYCLE {
                    return told("Position::MIN_CYCLE: a position came back sooner");
                }
                let since = history[history.len() - back as usize + 1..].iter().rev();
                if (1..).zip(since).any(|(plies, on_the_way)| !on_the_way.may_return_to(&position, plies)) {
                    return told("Position::may_return_to: a position came back that was said not to return");
                }
                let earlier = history.iter().filter(|&earlier| *earlier == position).count() as u32;
                if earlier >= N::Position::OCCURRENCES - 1 && position.outcome_by_repetition().is_some() {
                    report.repetitions += 1;
                    break;
                }
            }
            if position.outcome().is_some() || left == Some(0) {
                break;
            }
            if plies == ENDLESS {
                return told("Position::outcome, outcome_by_repetition: a random game does not end");
            }
            let mut moves = Vec::new();
            position.generate(&mut moves);
            let mv = moves[rng.below(moves.len())];
            let next = position.after(mv);
            // As in a search: in the memory of an earlier state, where a game does that.
            let carried = game.evaluate.next_state_in(spare, &state, &position, mv, &next);
            spare = std::mem::replace(&mut state, carried);
            if next.outcome().is_none() && game.evaluate.evaluate_with(&next, &state) != game.evaluate.evaluate(&next) {
                return told(
                    "Expertise::next_state: after a move the carried state has another value than the position, from",
                );
            }
            if let Some(passed) = next.null_move().filter(|passed| passed.outcome().is_none()) {
                let carried = game.evaluate.passed_state(&state, &passed);
                if game.evaluate.evaluate_with(&passed, carried.as_ref().unwrap_or(&state))
                    != game.evaluate.evaluate(&passed)
                {
                    return told(
                        "Expertise::passed_state: the state that is carried past a null move leads to another value, at",
                    );
                }
            }
            reversible = if position.is_irreversible(&next) { 0 } else { reversible + 1 };
            history.push(std::mem::replace(&mut position, next));
            plies += 1;
        }
        report.games += 1;
        report.longest = report.longest.max(plies);
    }
    Ok(report)
}

/// Positions met during a check.
struct Seen<P> {
    positions: HashMap<u64, P>,
    /// By the hash shared by all images: their value and mapped moves.
    images: HashMap<u64, (Option<Score>, Vec<usize>)>,
}

/// The laws that hold at one position.
fn check_position<N, E, T>(
    game: &Game<N, E, T>,
    position: &N::Position,
    seen: &mut Seen<N::Position>,
    rng: &mut SplitMix64,
) -> Result<(), String>
where
    N: Notation,
    E: Evaluate<N::Position>,
    T: Probe<N::Position>,
{
    let notation = &game.notation;
    let text = notation.position_text(position);
    let broken = |law: &str| Err(format!("{law}: {text}"));

    match notation.parse_position(&text) {
        Ok(back) if back == *position => {
            if back.hash() != position.hash() {
                return broken("Position::hash: equal positions hash differently");
            }
        }
        Ok(_) => return broken("Notation::parse_position: the board text reads back to another position"),
        Err(error) => return broken(&format!("Notation::parse_position: the board text does not read back ({error})")),
    }
    if text.trim() != text || text.contains(|c: char| c.is_control()) {
        return broken("Notation::position_text: the board text has a blank at an end, or a control character");
    }
    if seen.positions.insert(position.hash(), position.clone()).is_some_and(|other| other != *position) {
        return broken("Position::hash: two positions share a hash");
    }

    if let Some(passed) = position.after_pass() {
        if passed.side_to_move() == position.side_to_move() {
            return broken("the turn does not pass with a pass");
        }
        if passed.hash() == position.hash() || passed == *position {
            return broken("a position and the same after a pass are equal");
        }
    }

    let mut moves = Vec::new();
    position.generate(&mut moves);
    let mut again = Vec::new();
    position.generate(&mut again);
    if moves != again {
        return broken("Position::generate: the order of the moves is not fixed");
    }
    if position.count(&mut again) != moves.len() || moves != again {
        return broken("Position::count: the number of moves is not that of the moves");
    }
    if let Some(lines) = position.count_two(&mut again) {
        let each: usize = moves.iter().map(|&mv| position.after(mv).count(&mut again)).sum();
        if lines != each as u64 || moves != again {
            return broken("Position::count_two: the number of lines is not that of the replies to all moves");
        }
    }
    let mut with_status = Vec::new();
    if position.status(&mut with_status) != position.outcome() || with_status != moves {
        return broken("Position::status: it is not the outcome and the moves together");
    }
    if moves.is_empty() != position.outcome().is_some() {
        return broken("Position::outcome, generate: a game must be over exactly when there is no move");
    }
    let (folded, symmetry) = position.folded();
    let mut indices: Vec<usize> = Vec::new();
    let mut texts: Vec<String> = Vec::with_capacity(moves.len());
    for &mv in &moves {
        if N::Position::MOVE_INDICES > 0 {
            indices.push(N::Position::move_index(if symmetry == 0 { mv } else { position.carried(mv, symmetry) }));
        }
        let mv_text = notation.move_text(position, mv);
        match notation.parse_move(position, &mv_text) {
            Ok(back) if back == mv => {}
            Ok(_) => return broken(&format!("Notation::parse_move: move text '{mv_text}' reads back to another move")),
            Err(error) => {
                return broken(&format!("Notation::parse_move: move text '{mv_text}' does not read back ({error})"));
            }
        }
        if notation.split_moves(&mv_text) != [(0, mv_text.as_str())] {
            return broken(&format!("Notation::split_moves: move text '{mv_text}' is not one word of a list of moves"));
        }
        let name = notation.move_name(position, mv);
        match notation.parse_move(position, &name) {
            Ok(back) if back == mv => {}
            _ => {
                return broken(&format!(
                    "Notation::move_name: the name '{name}' of '{mv_text}' does not read back to it"
                ));
            }
        }
        if name.is_empty() || name.contains(char::is_whitespace) {
            return broken(&format!("Notation::move_name: the name '{name}' of '{mv_text}' is not one word"));
        }
        if position.after(mv).side_to_move() == position.side_to_move() {
            return broken(&format!("Position::play: the turn does not pass after '{mv_text}'"));
        }
        let _ = game.evaluate.is_noisy(position, mv);
        texts.push(mv_text);
    }
    indices.sort_unstable();
    if indices.iter().any(|&index| index >= N::Position::MOVE_INDICES) || indices.windows(2).any(|two| two[0] == two[1])
    {
        return broken("Position::move_index: the index of a move is too large, or two moves share one");
    }
    let margins = [game.evaluate.futility_margin(), game.evaluate.razoring_margin(), game.evaluate.deviation(position)];
    if margins.into_iter().flatten().any(|margin| margin <= 0) {
        return broken("Pruning::futility_margin, razoring_margin, deviation: a margin is not more than 0");
    }
    let value = position.outcome().is_none().then(|| game.evaluate.evaluate(position));
    let image = (value, indices);
    if seen.images.entry(folded).or_insert_with(|| image.clone()) != &image {
        return broken("Position::folded, carried: two images of a position differ in value or in their moves");
    }
    let line = texts.join(if notation.glues_moves() { "" } else { " " });
    let split: Vec<&str> = notation.split_moves(&line).into_iter().map(|(_, mv)| mv).collect();
    if split != texts {
        return broken("Notation::split_moves: a line of moves does not split into its moves");
    }
    texts.sort_unstable();
    texts.dedup();
    if texts.len() != moves.len() {
        return broken("Notation::move_text: two moves have the same text");
    }

    for garbage in GARBAGE {
        if let Ok(mv) = notation.parse_move(position, garbage)
            && !moves.contains(&mv)
        {
            return broken(&format!("Notation::parse_move: garbage '{garbage}' is taken for an illegal move"));
        }
        let _ = notation.parse_position(garbage);
    }
    let mutated = mutate(&text, rng);
    if let Ok(other) = notation.parse_position(&mutated)
        && notation.parse_position(&notation.position_text(&other)).as_ref() != Ok(&other)
    {
        return broken(&format!("Notation::parse_position: '{mutated}' is accepted, but its text does not read back"));
    }

    if position.outcome().is_none() {
        let score = game.evaluate.evaluate(position);
        if score.distance() == Some(0) || score <= -Score::INFINITY || score >= Score::INFINITY {
            return broken("Evaluate::evaluate: it calls a running game finished");
        }
        let _ = game.probe.probe(position);
    }
    let picture = notation.picture(position);
    let told = (picture.turn, picture.result, picture.moves.len());
    if told != (position.side_to_move().into(), position.outcome().map(GameResult::from), moves.len()) {
        return broken("Notation::picture: it has another turn, result or number of moves");
    }
    if let Some(rows) = picture.board.in_rows(picture.turn) {
        // Games that write empty cells as points may read only these.
        let rows = if text.contains('.') { dotted(&rows) } else { rows };
        match notation.parse_position(&rows).map(|back| notation.picture(&back)) {
            Ok(back) if (back.turn, &back.board) == (picture.turn, &picture.board) => {}
            Ok(_) => {
                return broken(&format!(
                    "Notation::parse_position: the board in rows, '{rows}', reads back to another board"
                ));
            }
            Err(error) => {
                return broken(&format!(
                    "Notation::parse_position: the board in rows, '{rows}', does not read back ({error})"
                ));
            }
        }
    }
    check_picture(&picture).or_else(|law| broken(&law))
}

/// A board in rows with a point for each empty cell.
fn dotted(rows: &str) -> String {
    let mut text = String::new();
    let mut empty = 0;
    for letter in rows.chars() {
        if let Some(digit) = letter.to_digit(10) {
            empty = 10 * empty + digit as usize;
        } else {
            text += &".".repeat(std::mem::take(&mut empty));
            text.push(letter);
        }
    }
    text
}

/// The laws that hold for the picture of a position.
fn check_picture(picture: &Picture) -> Result<(), String> {
    let BoardPicture { players, colors, shape, .. } = &picture.board;
    if matches!(players, PlayerNames::Marks([first, second]) if first == second) {
        return Err("Notation::board: both players have the same mark".into());
    }
    if colors.is_some_and(|[first, second]| first == second) {
        return Err("Notation::board: both players have the same colour".into());
    }
    if *players == PlayerNames::Colors && colors.is_none() {
        return Err("Notation::board: the players go by their colours, which it does not name".into());
    }
    let is_told = match shape {
        Shape::Grid(grid) => {
            let are_told_apart = |labels: &[String]| {
                labels.iter().collect::<HashSet<_>>().len() == labels.len()
                    && labels.iter().all(|label| !label.is_empty())
            };
            let is_seen = |piece: &Piece| !piece.mark.is_whitespace() && !piece.mark.is_control();
            are_told_apart(&grid.columns)
                && are_told_apart(&grid.rows)
                && grid.cells.len() == grid.columns.len() * grid.rows.len()
                && !grid.cells.is_empty()
                && grid.cells.iter().flatten().all(is_seen)
                && grid.set.iter().all(is_seen)
                && [grid.dark.len(), grid.labels.len()]
                    .into_iter()
                    .all(|length| [0, grid.cells.len()].contains(&length))
        }
        Shape::Houses { rows: [lower, upper], .. } => !lower.is_empty() && lower.len() == upper.len(),
        Shape::Heaps { heaps, .. } => !heaps.is_empty(),
        Shape::Text { text } => !text.is_empty(),
    };
    if !is_told {
        return Err(
            "Notation::board: it shows nothing, lacks cells, or has labels or pieces that cannot be told apart".into(),
        );
    }
    if let Shape::Grid(grid) = shape {
        let marks: HashSet<char> = grid.set.iter().map(|piece| piece.mark).collect();
        if marks.len() != grid.set.len() || grid.cells.iter().flatten().any(|piece| !grid.set.contains(piece)) {
            return Err(
                "Notation::board: the set of pieces has two with one mark, or lacks one that is on the board".into()
            );
        }
        let is_used = |cell: usize| grid.dark.get(cell).is_none_or(|&is_used| is_used);
        if grid.cells.iter().enumerate().any(|(cell, piece)| piece.is_some() && !is_used(cell)) {
            return Err("Notation::board: a piece is on a cell without use".into());
        }
    }
    let points = |stroke: &Stroke| stroke.way.points().chain(stroke.way.takes.clone()).collect::<Vec<_>>();
    if let Some(stroke) = picture.moves.iter().find(|stroke| points(stroke).iter().any(|&point| !shape.has(point))) {
        return Err(format!("Notation::way: the way of '{}' leaves the board", stroke.mv));
    }
    check_ways(&picture.moves)
}

/// A person shows a move by its points, one after the other: no move is shown by the beginning of another one, and moves of the
/// same points become different pieces.
fn check_ways(moves: &[Stroke]) -> Result<(), String> {
    /// The points of a move, what it becomes, and its text.
    type Shown<'s> = (Vec<[u32; 2]>, Option<&'s str>, &'s str);
    let mut ways: Vec<Shown<'_>> = moves
        .iter()
        .map(|stroke| (stroke.way.points().map(Into::into).collect(), stroke.way.becomes, stroke.mv.as_str()))
        .filter(|(points, ..): &Shown<'_>| !points.is_empty())
        .collect();
    // In this order the beginning of a way comes just before the ways that go on from it.
    ways.sort_unstable();
    for pair in ways.windows(2) {
        let [(one, becomes, mv), (other, other_becomes, other_mv)] = pair else { continue };
        let are_told_apart = one == other && becomes.is_some() && other_becomes.is_some() && becomes != other_becomes;
        if other.starts_with(one) && !are_told_apart {
            return Err(format!(
                "Notation::way: the points of '{mv}' are also those of '{other_mv}', or the beginning of them"
            ));
        }
    }
    Ok(())
}

/// Compares the static knowledge of a position in which the game goes on with plain minimax of `depth` plies: in
/// windows between adjacent `limits` (ascending), in wider ones, and in the widest. Adds to `told`, in the order of
/// [`Bound`], how often each bound was useful.
///
/// # Errors
/// The wrong knowledge.
pub fn check_static_knowledge<P: Position, E: Evaluate<P>>(
    position: &P,
    evaluate: Evaluator<'_, E>,
    depth: u32,
    limits: &[Score],
    told: &mut [u32; 3],
) -> Result<(), String> {
    let value = minimax(position, evaluate, depth);
    let inside = limits.windows(2).chain(limits.windows(5)).map(|some| (some[0], some[some.len() - 1]));
    // A search that has found an immediate win uses windows above every score, too.
    let beyond = Score::INFINITY.successor();
    let outside = [(-Score::INFINITY, Score::INFINITY), (Score::INFINITY, beyond), (-beyond, -Score::INFINITY)];
    for (alpha, beta) in inside.chain(outside) {
        let Some(known) = evaluate.static_knowledge(position, depth, alpha, beta) else { continue };
        let is_right = match known.bound {
            Bound::Exact => value == known.score,
            Bound::Lower => value >= known.score,
            Bound::Upper => value <= known.score,
        };
        // Minimax sees no end beyond its depth, so only knowledge that holds at every depth may report one.
        let is_near = known.proven || known.score.distance().is_none_or(|plies| plies <= depth + 1);
        if !is_right || !is_near {
            let window = format!("{depth} plies, between {alpha:?} and {beta:?}");
            return Err(format!("{position:?}, {window}: told {known:?}, plain minimax finds {value:?}"));
        }
        let is_of_use = match known.bound {
            Bound::Exact => true,
            Bound::Lower => known.score >= beta,
            Bound::Upper => known.score <= alpha,
        };
        told[known.bound as usize] += u32::from(is_of_use);
    }
    Ok(())
}

/// The value of plain minimax of `depth` plies, without regard to repetition.
pub(crate) fn minimax<P: Position, E: Evaluate<P>>(position: &P, evaluate: Evaluator<'_, E>, depth: u32) -> Score {
    if let Some(outcome) = position.outcome() {
        return evaluate.final_score(position, outcome);
    }
    if depth == 0 {
        return evaluate.evaluate(position);
    }
    let mut moves = Vec::new();
    position.generate(&mut moves);
    let values = moves.into_iter().map(|mv| (-minimax(&position.after(mv), evaluate, depth - 1)).backed_up());
    values.max().unwrap_or(-Score::INFINITY)
}

/// One small change to a text, on character boundaries.
fn mutate(text: &str, rng: &mut SplitMix64) -> String {
    let mut chars: Vec<char> = text.chars().collect();
    let replacement = ['0', '9', '-', '/', ' ', 'x', 'S', 'N', 'é'][rng.below(9)];
    if chars.is_empty() {
        return replacement.to_string();
    }
    let at = rng.below(chars.len());
    match rng.below(3) {
        0 => chars[at] = replacement,
        1 => chars.insert(at, replacement),
        _ => {
            chars.remove(at);
        }
    }
    chars.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{NoExpertise, Outcome, TextError, mix64};
    use crate::message::{Color, GridPicture, Pile, Point, Way};

    /// A valid picture of two by two cells, with one change.
    fn changed(change: impl FnOnce(&mut Picture)) -> Result<(), String> {
        let board = BoardPicture::grid(2, 2, ['x', 'o'], |col, row| (col == row).then_some(Side::First));
        let stroke = Stroke { mv: "a2".into(), name: None, way: Way::to(Point::new(0_u8, 1_u8)) };
        let mut picture = Picture { board, moves: vec![stroke], ..Picture::default() };
        change(&mut picture);
        check_picture(&picture)
    }

    fn changed_grid(change: impl FnOnce(&mut GridPicture)) -> Result<(), String> {
        changed(|picture| {
            if let Shape::Grid(grid) = &mut picture.board.shape {
                change(grid);
            }
        })
    }

    fn shaped(shape: Shape) -> Result<(), String> {
        changed(|picture| {
            picture.board.shape = shape;
            picture.moves.clear();
        })
    }

    /// What is wrong with a game.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    enum Wrong {
        Nothing,
        Start,
        Hash,
        Count,
        CountTwo,
        Play,
        MoveText,
        BoardText,
        Value,
    }

    /// One or two are taken from a heap in turn; the last one wins.
    #[derive(Debug, Clone, PartialEq, Eq)]
    struct Heap {
        left: u8,
        turn: Side,
        wrong: Wrong,
    }

    impl Position for Heap {
        type Move = u8;

        fn side_to_move(&self) -> Side {
            self.turn
        }

        fn outcome(&self) -> Option<Outcome> {
            (self.left == 0).then(|| Outcome::Win(self.turn.other()))
        }

        fn generate(&self, moves: &mut Vec<u8>) {
            moves.extend(1..=self.left.min(2));
        }

        fn count(&self, moves: &mut Vec<u8>) -> usize {
            let before = moves.len();
            self.generate(moves);
            let count = moves.len() - before;
            moves.truncate(before);
            count + usize::from(self.wrong == Wrong::Count)
        }

        fn count_two(&self, moves: &mut Vec<u8>) -> Option<u64> {
            let replies = |taken| self.after(taken).count(moves) as u64;
            let lines: u64 = (1..=self.left.min(2)).map(replies).sum();
            Some(lines + u64::from(self.wrong == Wrong::CountTwo))
        }

        fn play(&mut self, taken: u8) {
            self.left -= taken;
            self.turn = if self.wrong == Wrong::Play { self.turn } else { self.turn.other() };
        }

        fn hash(&self) -> u64 {
            let left = if self.wrong == Wrong::Hash { 0 } else { self.left };
            mix64(2 * u64::from(left) + self.turn.index() as u64)
        }
    }

    #[derive(Debug, Clone)]
    struct HeapTexts(Wrong);

    impl Notation for HeapTexts {
        type Position = Heap;

        fn start(&self) -> Heap {
            let turn = if self.0 == Wrong::Start { Side::Second } else { Side::First };
            Heap { left: 7, turn, wrong: self.0 }
        }

        fn position_text(&self, position: &Heap) -> String {
            format!("{}{}", position.left, ["a", "b"][position.turn.index()])
        }

        fn parse_position(&self, text: &str) -> Result<Heap, TextError> {
            let error = || TextError::new(0, "heap", "a number and a or b", text.to_owned());
            let (left, turn) = match (text.strip_suffix('a'), text.strip_suffix('b')) {
                (Some(left), _) => (left, Side::First),
                (_, Some(left)) => (left, Side::Second),
                _ => return Err(error()),
            };
            let left: u8 = left.parse().map_err(|_| error())?;
            Ok(Heap { left: left + u8::from(self.0 == Wrong::BoardText), turn, wrong: self.0 })
        }

        fn move_text(&self, _position: &Heap, taken: u8) -> String {
            if self.0 == Wrong::MoveText { "1".into() } else { taken.to_string() }
        }

        fn parse_move(&self, position: &Heap, text: &str) -> Result<u8, TextError> {
            let mut moves = Vec::new();
            position.generate(&mut moves);
            let found = moves.into_iter().find(|&taken| self.move_text(position, taken) == text);
            found.ok_or_else(|| TextError::new(0, "move", "1 or 2", text.to_owned()))
        }
    }

    #[derive(Debug)]
    struct HeapValue(Wrong);

    impl NoExpertise for HeapValue {}

    impl Evaluate<Heap> for HeapValue {
        fn evaluate(&self, _position: &Heap) -> Score {
            if self.0 == Wrong::Value { Score::win_in(0) } else { Score::units(0) }
        }
    }

    #[test]
    fn a_broken_law_names_the_method() {
        let told = |wrong| check(&Game::new("heap", HeapTexts(wrong), HeapValue(wrong)), 1, 5);
        assert_eq!(told(Wrong::Nothing).map(|report| report.games), Ok(5));
        for (wrong, method) in [
            (Wrong::Start, "Notation::start: "),
            (Wrong::Hash, "Position::hash: "),
            (Wrong::Count, "Position::count: "),
            (Wrong::CountTwo, "Position::count_two: "),
            (Wrong::Play, "Position::play: "),
            (Wrong::MoveText, "Notation::parse_move: "),
            (Wrong::BoardText, "Notation::parse_position: "),
            (Wrong::Value, "Evaluate::evaluate: "),
        ] {
            let said = told(wrong).unwrap_err();
            assert!(said.starts_with(method), "{wrong:?}: {said}");
        }
    }

    #[test]
    fn empty_cells_may_be_points() {
        assert_eq!(dotted("12/1P1p/3 w"), "............/.P.p/... w");
    }

    #[test]
    fn moves_that_points_do_not_tell_apart_are_found() {
        let at = |col: u32| Point::new(col, 0_u32);
        let through =
            |via: &[u32], to: u32| Way { via: via.iter().map(|&col| at(col)).collect(), ..Way::between(at(0), at(to)) };
        let becomes = |kind| Way { becomes: kind, ..through(&[], 3) };
        let told = |ways: &[Way]| {
            let stroke = |way: &Way| Stroke { mv: "a".into(), name: None, way: way.clone() };
            check_ways(&ways.iter().map(stroke).collect::<Vec<_>>())
        };
        for good in [
            &[through(&[1], 3), through(&[2], 3), through(&[1, 2], 0)][..],
            &[becomes(Some("queen")), becomes(Some("rook"))],
            &[Way::default(), Way::default(), Way::to(at(1))],
        ] {
            assert_eq!(told(good), Ok(()));
        }
        for bad in [
            &[through(&[1], 3), through(&[1, 3], 2)][..],
            &[through(&[], 3), through(&[], 3)],
            &[becomes(None), becomes(Some("rook"))],
            &[Way::from(at(0)), through(&[], 3)],
        ] {
            assert!(told(bad).is_err_and(|law| law.contains("the points of 'a'")));
        }
    }

    #[test]
    fn a_picture_that_cannot_be_shown_is_found() {
        let pile = |count| Pile { name: "a".into(), count };
        let heaps = |heaps| Shape::Heaps { heaps, most: None, last_wins: true };
        let houses =
            |lower, upper| Shape::Houses { rows: [vec![pile(4); lower], vec![pile(4); upper]], stores: [0, 0] };
        for good in [
            changed(|_| ()),
            changed_grid(|grid| grid.rows[1] = "a".into()),
            shaped(heaps(vec![pile(0)])),
            shaped(houses(3, 3)),
            shaped(Shape::Text { text: "7 a".into() }),
            changed(|picture| picture.moves[0].way = Way::default()),
        ] {
            assert_eq!(good, Ok(()));
        }
        for (bad, law) in [
            (changed(|picture| picture.board.players = PlayerNames::Marks(['x', 'x'])), "the same mark"),
            (changed(|picture| picture.board.players = PlayerNames::Colors), "their colours, which"),
            (changed(|picture| picture.board.colors = Some([Color::Red; 2])), "the same colour"),
            (changed_grid(|grid| grid.set[1].mark = 'x'), "two with one mark"),
            (changed_grid(|grid| grid.set.truncate(0)), "lacks one"),
            (changed_grid(|grid| grid.dark = vec![false, true, true, true]), "without use"),
            (changed_grid(|grid| grid.columns[1] = "a".into()), "shows nothing, lacks"),
            (changed_grid(|grid| grid.rows[0].clear()), "shows nothing, lacks"),
            (changed_grid(|grid| grid.cells.truncate(3)), "shows nothing, lacks"),
            (
                changed_grid(|grid| grid.cells[0] = Some(Piece { owner: Side::First.into(), mark: ' ', kind: None })),
                "pieces",
            ),
            (shaped(heaps(Vec::new())), "shows nothing"),
            (shaped(houses(3, 2)), "shows nothing"),
            (shaped(Shape::Text { text: String::new() }), "shows nothing"),
            (changed(|picture| picture.moves[0].way.to = Some(Point::new(2_u8, 0_u8))), "'a2' leaves the board"),
            (changed(|picture| picture.moves[0].way.from = Some(Point::new(0_u8, 2_u8))), "'a2' leaves the board"),
            (changed(|picture| picture.board.shape = heaps(vec![pile(1)])), "'a2' leaves the board"),
            (changed(|picture| picture.board.shape = Shape::Text { text: "7 a".into() }), "'a2' leaves the board"),
        ] {
            let told = bad.unwrap_err();
            assert!(told.starts_with("Notation::") && told.contains(law), "{told}");
        }
    }
}
