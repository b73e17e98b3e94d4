//! Move ordering.
//!
//! Layer 3, private to the full search; one per thread. The hash move comes first, then moves that the game scores
//! above 0, then killers, then history. Games with candidate moves add their scores to history.
//! CITE: chessprogramming wiki, "Move Ordering", "Killer Heuristic", "History Heuristic".

use super::MAX_DEPTH;
use super::technique::{Technique, Techniques};
use crate::game::{Candidates, DOMINATED, Evaluate, Evaluator, Outcome, Position};

/// Move scores. History scores are sums of three of up to ±[`HISTORY_LIMIT`]; scores by the game start at [`GAME_MOVE`].
const HASH_MOVE: i32 = i32::MAX;
const GAME_MOVE: i32 = 1 << 20;
const KILLER: i32 = 1 << 19;
/// Moves that the game scores below 0 come after all others.
const LOSING_MOVE: i32 = -(1 << 20);
const HISTORY_LIMIT: i32 = 1 << 14;
/// Units of a noisy move's history that weigh as much as 1 of the game's score. At chess the limit weighs 1.28 pawns.
const NOISY_GRAIN: i32 = 16;

/// The number of a node's moves that are picked one by one. The rest, which is seldom reached before a cutoff, is
/// sorted at once.
const PICKED: usize = 8;

/// The key by which moves are picked: the higher score first, and among equal scores the move generated first. Never 0.
#[inline]
fn key(score: i32, place: usize) -> u64 {
    u64::from(score.cast_unsigned() ^ (1 << 31)) << 32 | u64::from(!(place as u32))
}

/// The key of the `count`th move that is put off: below those of all scores, and of those put off before.
fn key_put_off(count: usize, place: usize) -> u64 {
    ((1 << 24) - count as u64) << 32 | u64::from(!(place as u32))
}

/// The place of a move among those of its node.
#[inline]
fn place_of(key: u64) -> usize {
    !(key as u32) as usize
}

/// A move and its ordering score.
#[derive(Debug, Clone, Copy)]
pub(super) struct ScoredMove<M> {
    pub(super) mv: M,
    /// Higher is tried earlier; among equals, the one generated first.
    score: i32,
    /// Its id in the transposition table.
    pub(super) id: u16,
}

/// The id in the transposition table of the move generated at index `number`, if the position is looked up by this
/// symmetric image of it. In games with move indices, it is the move's index.
#[inline]
pub(super) fn move_id<P: Position>(position: &P, symmetry: u8, number: usize, mv: P::Move) -> u16 {
    const { assert!(P::MOVE_INDICES <= 1 << 16, "the transposition table keeps 16 bits of an index") };
    let mv = if symmetry == 0 { mv } else { position.carried(mv, symmetry) };
    (if P::MOVE_INDICES > 0 { P::move_index(mv) } else { number }) as u16
}

impl<M> ScoredMove<M> {
    /// Whether the game or the transposition table puts it before all quiet moves.
    #[inline]
    pub(super) fn is_sharp(&self) -> bool {
        self.score >= GAME_MOVE
    }

    /// Its history score, unless it is the hash move, a killer, or scored by the game.
    #[inline]
    pub(super) fn history(&self) -> Option<i32> {
        (-3 * HISTORY_LIMIT..=3 * HISTORY_LIMIT).contains(&self.score).then_some(self.score)
    }

    /// The game's score of it, if that is above 0 and it is not the hash move; with its history in games that prune boldly.
    #[inline]
    pub(super) fn by_game(&self) -> Option<i32> {
        (GAME_MOVE..HASH_MOVE).contains(&self.score).then(|| self.score - GAME_MOVE)
    }

    /// Whether the game scores it below 0.
    #[inline]
    pub(super) fn is_losing(&self) -> bool {
        self.score < -KILLER
    }
}

/// The landing indices of the opponent's last move and of the own move before it, in games that define them; the latter
/// only in games that prune boldly.
pub(super) type Before = [Option<usize>; 2];

/// The change of the history of a move that refuted a node of this depth, and of those that did not. Games that prune
/// boldly learn quickly.
#[inline]
fn bonus(depth: u32, is_bold: bool) -> i32 {
    if is_bold {
        (200 * depth as i32 - 100).clamp(0, HISTORY_LIMIT / 9)
    } else {
        (depth * depth).min(HISTORY_LIMIT.cast_unsigned() / 8) as i32
    }
}

/// Continuation history: the score of each move after an earlier one, for both sides, by landing indices. A short search
/// meets few of the earlier moves, so a row is made when it first learns.
#[derive(Debug)]
struct Continuation {
    /// The number of each row, from 1; 0 for one that is not made yet.
    places: Vec<u16>,
    rows: Vec<i16>,
    landings: usize,
}

impl Continuation {
    fn new(landings: usize) -> Self {
        Continuation { places: vec![0; 2 * landings], rows: Vec::new(), landings }
    }

    /// The scores of the moves of the side to move after a move with landing index `before`.
    #[inline]
    fn after<P: Position>(&self, position: &P, before: usize) -> Option<&[i16]> {
        let place = *self.places.get(Self::index(position, before))?;
        self.rows.chunks_exact(self.landings).nth(usize::from(place).checked_sub(1)?)
    }

    /// The same, to learn.
    fn after_mut<P: Position>(&mut self, position: &P, before: usize) -> Option<&mut [i16]> {
        let Continuation { places, rows, landings } = self;
        let place = places.get_mut(Self::index(position, before))?;
        if *place == 0 {
            rows.resize(rows.len() + *landings, 0);
            *place = (rows.len() / *landings) as u16;
        }
        rows.chunks_exact_mut(*landings).nth(usize::from(*place) - 1)
    }

    #[inline]
    fn index<P: Position>(position: &P, before: usize) -> usize {
        const { assert!(2 * P::LANDINGS < 1 << 16, "a row's number is of 16 bits") };
        position.side_to_move().index() * P::LANDINGS + before
    }
}

/// Killers, history, and the moves of the nodes of the current line.
#[derive(Debug)]
pub(super) struct Ordering<M> {
    /// Killer moves by ply: quiet moves that refuted a sibling node, the last one first.
    killers: Vec<[Option<M>; 2]>,
    /// The history score of each move, by side and move index.
    history: [Vec<i32>; 2],
    /// The continuation history after the opponent's last move, and after the own move before it.
    continuation: [Continuation; 2],
    /// The history score of each noisy move, by side and landing index; learned only in games that prune boldly.
    noisy: [Vec<i32>; 2],
    /// The moves of all nodes of the current line, one node after the other, as they were generated.
    moves: Vec<ScoredMove<M>>,
    /// The [`key`] of each of them; 0 once it was picked.
    keys: Vec<u64>,
    /// The places of the moves of a node in the order in which they were picked.
    picked: Vec<u32>,
    generated: Vec<M>,
    scores: Vec<i32>,
    /// A buffer for sorting.
    sorted: Vec<u64>,
}

/// The moves of one node, in [`Ordering`].
#[derive(Debug, Clone, Copy)]
pub(super) struct NodeMoves {
    first: usize,
    end: usize,
}

impl NodeMoves {
    /// The number of moves.
    #[inline]
    pub(super) fn len(self) -> usize {
        self.end - self.first
    }
}

/// The moves of a node up to index `last` of its order, the last one first.
fn tried<'o, M: Copy>(
    (moves, picked): (&'o [ScoredMove<M>], &'o [u32]),
    node: NodeMoves,
    last: usize,
) -> impl Iterator<Item = ScoredMove<M>> + 'o {
    picked[node.first..=node.first + last].iter().rev().map(move |&place| moves[node.first + place as usize])
}

impl<M: Copy + Eq> Ordering<M> {
    pub(super) fn new(move_indices: usize, landings: usize) -> Self {
        Ordering {
            killers: vec![[None; 2]; MAX_DEPTH as usize + 2],
            history: [vec![0; move_indices], vec![0; move_indices]],
            continuation: [(); 2].map(|()| Continuation::new(landings)),
            noisy: [vec![0; landings], vec![0; landings]],
            moves: Vec::new(),
            keys: Vec::new(),
            picked: Vec::new(),
            generated: Vec::new(),
            scores: Vec::new(),
            sorted: Vec::new(),
        }
    }

    /// Clears the moves of a search that was stopped.
    pub(super) fn restart(&mut self) {
        self.leave(NodeMoves { first: 0, end: 0 });
    }

    /// Generates the moves of a node. Returns the result of the game if it ends by having no moves.
    #[inline]
    pub(super) fn generate<P: Position<Move = M>>(&mut self, position: &P) -> Option<Outcome> {
        self.generated.clear();
        if P::ENDS_WITHOUT_MOVES {
            return position.status(&mut self.generated);
        }
        position.generate(&mut self.generated);
        None
    }

    /// Generates the moves of quiescence search: the noisy ones, or all.
    #[inline]
    pub(super) fn generate_noisy<P: Position<Move = M>, E: Evaluate<P>>(
        &mut self,
        position: &P,
        evaluate: Evaluator<'_, E>,
        all: bool,
    ) {
        self.generated.clear();
        if all {
            position.generate(&mut self.generated);
        } else {
            evaluate.noisy_moves(position, &mut self.generated);
        }
    }

    /// Lets the game choose and score the moves of a node; generates all moves if it chooses none.
    #[inline]
    pub(super) fn choose<P: Position<Move = M>, E: Evaluate<P>>(
        &mut self,
        (position, state): (&P, &E::State),
        depth: u32,
        evaluate: Evaluator<'_, E>,
    ) -> Candidates {
        self.generated.clear();
        self.scores.clear();
        let candidates = evaluate.candidates(position, state, depth, &mut self.generated, &mut self.scores);
        if candidates == Candidates::All {
            position.generate(&mut self.generated);
        }
        candidates
    }

    /// The number of moves generated last.
    #[inline]
    pub(super) fn generated(&self) -> usize {
        self.generated.len()
    }

    /// The moves generated last.
    #[inline]
    pub(super) fn all_generated(&self) -> &[M] {
        &self.generated
    }

    /// Scores the last generated moves, unless the game has scored them, and appends them to `moves`. Dominated moves
    /// are left out, except the hash move: the table has it as the best move, and after [`Self::begin_with`] it was
    /// searched already.
    #[inline]
    pub(super) fn score_moves<P: Position<Move = M>, E: Evaluate<P>>(
        &mut self,
        (position, state, symmetry): (&P, &E::State, u8),
        (depth, ply, before): (u32, u32, Before),
        (hash_move, is_scored): (Option<u16>, bool),
        evaluate: Evaluator<'_, E>,
        techniques: Techniques,
    ) -> NodeMoves {
        let Ordering { killers, history, continuation, noisy, moves, keys, generated, scores, .. } = self;
        let after = [0, 1].map(|back| before[back].and_then(|before| continuation[back].after(position, before)));
        let killers = killers[ply as usize];
        let uses_history = techniques.has(Technique::History);
        let drops_dominated = techniques.has(Technique::Dominated) && techniques.has(Technique::StaticKnowledge);
        let side = position.side_to_move().index();
        let (history, noisy) = (&history[side], &noisy[side]);
        if !is_scored {
            scores.clear();
            scores.resize(generated.len(), 0);
            evaluate.score_moves(position, state, depth, generated, scores);
        }
        let first = moves.len();
        for (number, (&mv, &by_game)) in generated.iter().zip(scores.iter()).enumerate() {
            let id = move_id(position, symmetry, number, mv);
            let quiet = || {
                if !uses_history {
                    return 0;
                }
                let of_move = history.get(P::move_index(mv)).copied().unwrap_or(0);
                let landing = if P::LANDINGS > 0 { position.landing(mv) } else { 0 };
                let continued = |after: Option<&[i16]>| after.map_or(0, |after| i32::from(after[landing]));
                of_move + continued(after[0]) + continued(after[1])
            };
            let score = if hash_move == Some(id) {
                HASH_MOVE
            } else if by_game == DOMINATED && drops_dominated {
                continue;
            } else if by_game > 0 && techniques.has(Technique::MoveScores) {
                let learned = || noisy.get(position.landing(mv)).map_or(0, |value| value / NOISY_GRAIN);
                GAME_MOVE + if E::PRUNES_BOLDLY && uses_history { (by_game + learned()).max(0) } else { by_game }
            } else if killers[0] == Some(mv) {
                KILLER
            } else if killers[1] == Some(mv) {
                KILLER - 1
            } else if !is_scored && (LOSING_MOVE..0).contains(&by_game) && techniques.has(Technique::MoveScores) {
                LOSING_MOVE + by_game
            } else {
                quiet() + if is_scored { by_game.min(0) } else { 0 }
            };
            keys.push(key(score, moves.len() - first));
            moves.push(ScoredMove { mv, score, id });
        }
        self.node(first)
    }

    /// The moves from index `first` on, as those of a node.
    #[inline]
    fn node(&mut self, first: usize) -> NodeMoves {
        let end = self.moves.len();
        self.picked.resize(end, 0);
        NodeMoves { first, end }
    }

    /// Appends the last generated moves without scores, with the hash move as the best: it may be the only one that is
    /// searched. `None` if it is not among them.
    #[inline]
    pub(super) fn begin_with<P: Position<Move = M>>(
        &mut self,
        (position, symmetry): (&P, u8),
        hash_move: u16,
    ) -> Option<NodeMoves> {
        let is_it = |(number, &mv)| move_id(position, symmetry, number, mv) == hash_move;
        let at = self.generated.iter().enumerate().position(is_it)?;
        let first = self.moves.len();
        self.moves.extend(self.generated.iter().map(|&mv| ScoredMove { mv, score: HASH_MOVE, id: hash_move }));
        self.keys.resize(self.moves.len(), 0);
        self.keys[first + at] = key(HASH_MOVE, at);
        Some(self.node(first))
    }

    /// Undoes [`Self::begin_with`] after the first move was picked: the moves count as generated last again.
    #[inline]
    pub(super) fn take_back(&mut self, node: NodeMoves) {
        self.generated.clear();
        self.generated.extend(self.moves[node.first..].iter().map(|scored| scored.mv));
        self.leave(node);
    }

    /// Moves the picked move at index `number` behind all others; `before` were put off already. The node must be the last one
    /// of the line.
    pub(super) fn put_off(&mut self, node: NodeMoves, number: usize, before: usize) {
        let place = self.picked[node.first + number] as usize;
        self.moves[node.first + place].score = i32::MIN;
        // At `PICKED` the rest is sorted again.
        if number <= PICKED {
            self.keys[node.first + place] = key_put_off(before, place);
        } else {
            self.picked[node.first + number..].rotate_left(1);
        }
    }

    /// The best move from index `number` of the node's order on. Call it with 0, 1, 2, ... in turn.
    #[inline]
    pub(super) fn pick_best(&mut self, node: NodeMoves, number: usize) -> ScoredMove<M> {
        let NodeMoves { first, end } = node;
        if number < PICKED {
            let best = self.keys[first..end].iter().copied().fold(0, u64::max);
            let place = place_of(best);
            self.keys[first + place] = 0;
            self.picked[first + number] = place as u32;
            return self.moves[first + place];
        }
        if number == PICKED {
            // Integers are sorted, so that all games share the sort function.
            self.sorted.clear();
            self.sorted.extend(self.keys[first..end].iter().filter(|&&key| key > 0));
            self.sorted.sort_unstable();
            for (picked, &key) in self.picked[first + number..end].iter_mut().zip(self.sorted.iter().rev()) {
                *picked = place_of(key) as u32;
            }
        }
        self.moves[first + self.picked[first + number] as usize]
    }

    /// Removes the moves of the node, which is the last one of the line.
    #[inline]
    pub(super) fn leave(&mut self, node: NodeMoves) {
        self.moves.truncate(node.first);
        self.keys.truncate(node.first);
        self.picked.truncate(node.first);
    }

    /// Updates the history of noisy moves: the move at index `cut` refuted the node, and those before it did not.
    pub(super) fn learn_noisy<P: Position<Move = M>>(
        &mut self,
        position: &P,
        depth: u32,
        node: NodeMoves,
        (cut, is_noisy): (usize, bool),
    ) {
        let bonus = bonus(depth, true);
        let noisy = &mut self.noisy[position.side_to_move().index()];
        for (number, candidate) in tried((&self.moves, &self.picked), node, cut).enumerate() {
            let (counts, change) =
                if number == 0 { (is_noisy, bonus) } else { (candidate.by_game().is_some(), -bonus) };
            if counts && let Some(value) = noisy.get_mut(position.landing(candidate.mv)) {
                *value += change - *value * change.abs() / HISTORY_LIMIT;
            }
        }
    }

    /// Updates killers and history: the quiet move at index `cut` refuted the node, and those before it did not.
    pub(super) fn learn<P: Position<Move = M>>(
        &mut self,
        position: &P,
        (depth, ply, before): (u32, u32, Before),
        node: NodeMoves,
        cut: usize,
        (techniques, is_bold): (Techniques, bool),
    ) {
        let ScoredMove { mv, score, .. } = self.moves[node.first + self.picked[node.first + cut] as usize];
        if (GAME_MOVE..HASH_MOVE).contains(&score) || score < LOSING_MOVE {
            return;
        }
        let killers = &mut self.killers[ply as usize];
        if killers[0] != Some(mv) && techniques.has(Technique::Killers) {
            *killers = [Some(mv), killers[0]];
        }
        let bonus = bonus(depth, is_bold);
        let history = &mut self.history[position.side_to_move().index()];
        let changes = [bonus].into_iter().chain(std::iter::repeat(-bonus));
        for (candidate, change) in tried((&self.moves, &self.picked), node, cut).zip(changes) {
            // Steps shrink near the limit, so a value never exceeds it.
            if let Some(value) = history.get_mut(P::move_index(candidate.mv)) {
                *value += change - *value * change.abs() / HISTORY_LIMIT;
            }
            for (table, before) in self.continuation.iter_mut().zip(before) {
                let Some(after) = before.and_then(|before| table.after_mut(position, before)) else { continue };
                let value = &mut after[position.landing(candidate.mv)];
                let old = i32::from(*value);
                // The limit fits into an `i16`.
                *value = (old + change - old * change.abs() / HISTORY_LIMIT) as i16;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Expertise, Pruning, Side, Solving, Threats};
    use crate::score::Score;

    /// Four moves, 10 to 13.
    #[derive(Debug, Clone, PartialEq, Eq)]
    struct Four;

    impl Position for Four {
        type Move = u8;

        fn side_to_move(&self) -> Side {
            Side::First
        }
        fn outcome(&self) -> Option<Outcome> {
            None
        }
        fn generate(&self, moves: &mut Vec<u8>) {
            moves.extend(10..14);
        }
        fn play(&mut self, _: u8) {}
        fn hash(&self) -> u64 {
            0
        }

        const LANDINGS: usize = 14;

        fn landing(&self, mv: u8) -> usize {
            mv.into()
        }
    }

    /// All moves are noisy.
    struct Noise;

    impl Evaluate<Four> for Noise {
        fn evaluate(&self, _: &Four) -> Score {
            Score::DRAW
        }
        fn is_noisy(&self, _: &Four, _: u8) -> bool {
            true
        }
    }

    impl Expertise<Four> for Noise {
        type State = ();
    }

    impl Pruning<Four> for Noise {
        const PRUNES_BOLDLY: bool = true;
    }

    impl Threats<Four> for Noise {}
    impl Solving<Four> for Noise {}

    #[test]
    fn noisy_moves_of_equal_score_are_tried_by_what_they_refuted() {
        let mut ordering = Ordering::<u8>::new(0, Four::LANDINGS);
        let mut order = |refutes: Option<usize>| {
            ordering.generate(&Four);
            let evaluate = Evaluator::full(&Noise);
            let depth = 5;
            let node = ordering.score_moves(
                (&Four, &(), 0),
                (depth, 0, [None; 2]),
                (None, false),
                evaluate,
                Techniques::default(),
            );
            let order: Vec<u8> = (0..4).map(|number| ordering.pick_best(node, number).mv).collect();
            if let Some(cut) = refutes {
                ordering.learn_noisy(&Four, depth, node, (cut, true));
            }
            ordering.leave(node);
            order
        };
        assert_eq!(order(Some(2)), [10, 11, 12, 13]);
        assert_eq!(order(None), [12, 13, 10, 11]);
    }

    #[test]
    fn what_is_taken_back_is_what_was_generated() {
        let mut ordering = Ordering::<u8>::new(0, 0);
        ordering.generate(&Four);
        let above = ordering.begin_with((&Four, 0), 0).expect("the first move");
        for id in 0..4 {
            ordering.generate(&Four);
            let node = ordering.begin_with((&Four, 0), id).expect("one of four moves");
            assert_eq!(node.len(), 4);
            let first = ordering.pick_best(node, 0);
            assert_eq!((first.mv, first.id), (10 + id as u8, id));
            ordering.take_back(node);
            assert_eq!(ordering.generated, [10, 11, 12, 13]);
            assert_eq!(ordering.moves.len(), above.len(), "those of the node above stay");
        }
        assert!(ordering.begin_with((&Four, 0), 4).is_none(), "there is no such move");
        assert_eq!((ordering.generated(), ordering.moves.len()), (4, above.len()));
    }

    #[test]
    fn what_is_put_off_comes_last_wherever_it_stood_and_nothing_is_lost() {
        // There are more moves than are picked one by one.
        for put_off in 1..11 {
            let mut ordering = Ordering::<u8>::new(0, 0);
            let scored = |mv: u8| ScoredMove { mv, score: -i32::from(mv), id: mv.into() };
            ordering.moves = (0..12).map(scored).collect();
            ordering.keys = (0..12).map(|place| key(-(place as i32), place)).collect();
            let node = ordering.node(0);
            let mut order: Vec<u8> = Vec::new();
            while order.len() < 12 {
                let ScoredMove { mv, .. } = ordering.pick_best(node, order.len());
                if order.len() == put_off && mv == put_off as u8 {
                    ordering.put_off(node, order.len(), 0);
                } else {
                    order.push(mv);
                }
            }
            let expected: Vec<u8> = (0..12).filter(|&mv| mv != put_off as u8).chain([put_off as u8]).collect();
            assert_eq!(order, expected);
        }
    }
}
