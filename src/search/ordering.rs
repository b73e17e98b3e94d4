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

/// The number of a node's moves that are picked one by one. The rest, which is seldom reached before a cutoff, is
/// sorted at once.
const PICKED: usize = 6;

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

    /// The game's score of it, if that is above 0 and it is not the hash move.
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

/// The range of the continuation history for the side to move after a move with landing index `before`.
#[inline]
fn continued<P: Position>(position: &P, before: usize) -> std::ops::Range<usize> {
    let first = (position.side_to_move().index() * P::LANDINGS + before) * P::LANDINGS;
    first..first + P::LANDINGS
}

/// Killers, history, and the moves of the nodes of the current line.
#[derive(Debug)]
pub(super) struct Ordering<M> {
    /// Killer moves by ply: quiet moves that refuted a sibling node, the last one first.
    killers: Vec<[Option<M>; 2]>,
    /// The history score of each move, by side and move index.
    history: [Vec<i32>; 2],
    /// Continuation history: the score of each move after each move of the opponent, and after each own move before
    /// that, by landing indices, for both sides.
    continuation: [Vec<i16>; 2],
    /// The moves of all nodes of the current line, one node after the other.
    moves: Vec<ScoredMove<M>>,
    generated: Vec<M>,
    scores: Vec<i32>,
    /// Buffers for sorting.
    keys: Vec<u64>,
    sorted: Vec<ScoredMove<M>>,
}

/// The moves of one node, in [`Ordering`].
#[derive(Debug, Clone, Copy)]
pub(super) struct NodeMoves {
    first: usize,
    end: usize,
    /// The index of the best of them.
    best: usize,
}

impl NodeMoves {
    /// The number of moves.
    #[inline]
    pub(super) fn len(self) -> usize {
        self.end - self.first
    }
}

impl<M: Copy + Eq> Ordering<M> {
    pub(super) fn new(move_indices: usize, landings: usize) -> Self {
        Ordering {
            killers: vec![[None; 2]; MAX_DEPTH as usize + 2],
            history: [vec![0; move_indices], vec![0; move_indices]],
            continuation: [(); 2].map(|()| vec![0; 2 * landings * landings]),
            moves: Vec::new(),
            generated: Vec::new(),
            scores: Vec::new(),
            keys: Vec::new(),
            sorted: Vec::new(),
        }
    }

    /// Clears the moves of a search that was stopped.
    pub(super) fn restart(&mut self) {
        self.moves.clear();
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
        let Ordering { killers, history, continuation, moves, generated, scores, .. } = self;
        let after = [0, 1].map(|back| {
            let table: &[i16] = &continuation[back];
            before[back].and_then(|before| table.get(continued::<P>(position, before)))
        });
        let killers = killers[ply as usize];
        let uses_history = techniques.has(Technique::History);
        let drops_dominated = techniques.has(Technique::Dominated) && techniques.has(Technique::StaticKnowledge);
        let history = &history[position.side_to_move().index()];
        if !is_scored {
            scores.clear();
            scores.resize(generated.len(), 0);
            evaluate.score_moves(position, state, depth, generated, scores);
        }
        let first = moves.len();
        let (mut best, mut best_score) = (first, i32::MIN);
        for (number, (&mv, &by_game)) in generated.iter().zip(scores.iter()).enumerate() {
            let id = move_id(position, symmetry, number, mv);
            let quiet = || {
                let of_move = history.get(P::move_index(mv)).copied().unwrap_or(0);
                let continued = |after: Option<&[i16]>| after.map_or(0, |after| i32::from(after[position.landing(mv)]));
                if uses_history { of_move + continued(after[0]) + continued(after[1]) } else { 0 }
            };
            let score = if hash_move == Some(id) {
                HASH_MOVE
            } else if by_game == DOMINATED && drops_dominated {
                continue;
            } else if by_game > 0 && techniques.has(Technique::MoveScores) {
                GAME_MOVE + by_game
            } else if killers[0] == Some(mv) {
                KILLER
            } else if killers[1] == Some(mv) {
                KILLER - 1
            } else if !is_scored && (LOSING_MOVE..0).contains(&by_game) && techniques.has(Technique::MoveScores) {
                LOSING_MOVE + by_game
            } else {
                quiet() + if is_scored { by_game.min(0) } else { 0 }
            };
            if score > best_score {
                (best, best_score) = (moves.len(), score);
            }
            moves.push(ScoredMove { mv, score, id });
        }
        NodeMoves { first, end: moves.len(), best }
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
        Some(NodeMoves { first, end: self.moves.len(), best: first + at })
    }

    /// Undoes [`Self::begin_with`] after the first move was picked: the moves count as generated last again.
    #[inline]
    pub(super) fn take_back(&mut self, node: NodeMoves) {
        self.moves[node.first..=node.best].rotate_left(1);
        self.generated.clear();
        self.generated.extend(self.moves.drain(node.first..).map(|scored| scored.mv));
    }

    /// Moves the picked move at index `number` behind all others. The node must be the last one of the line.
    pub(super) fn put_off(&mut self, node: NodeMoves, number: usize) {
        let rest = &mut self.moves[node.first + number..];
        rest[0].score = i32::MIN;
        rest.rotate_left(1);
    }

    /// The best move from index `number` of the node's order on, moved to that index. Call it with 0, 1, 2, ... in
    /// turn.
    #[inline]
    pub(super) fn pick_best(&mut self, node: NodeMoves, number: usize) -> ScoredMove<M> {
        let Ordering { moves, keys, sorted, .. } = self;
        let rest = &mut moves[node.first + number..];
        if number < PICKED {
            let mut best = 0;
            if number == 0 {
                best = node.best - node.first;
            } else {
                for (i, candidate) in rest.iter().enumerate() {
                    if candidate.score > rest[best].score {
                        best = i;
                    }
                }
            }
            rest[..=best].rotate_right(1);
        } else if number == PICKED {
            // Sort integer keys, so that all games share the sort function. Among equal scores, the earlier move has
            // the higher key.
            let key = |(place, candidate): (usize, &ScoredMove<M>)| {
                u64::from(candidate.score.cast_unsigned() ^ (1 << 31)) << 32 | u64::from(!(place as u32))
            };
            keys.clear();
            keys.extend(rest.iter().enumerate().map(key));
            keys.sort_unstable();
            sorted.clear();
            sorted.extend(keys.iter().rev().map(|&key| rest[!(key as u32) as usize]));
            rest.copy_from_slice(sorted);
        }
        rest[0]
    }

    /// Removes the moves of the node, which is the last one of the line.
    #[inline]
    pub(super) fn leave(&mut self, node: NodeMoves) {
        self.moves.truncate(node.first);
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
        let tried = &self.moves[node.first..=node.first + cut];
        let ScoredMove { mv, score, .. } = tried[cut];
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
        for (candidate, change) in tried.iter().rev().zip(changes) {
            // Steps shrink near the limit, so a value never exceeds it.
            if let Some(value) = history.get_mut(P::move_index(candidate.mv)) {
                *value += change - *value * change.abs() / HISTORY_LIMIT;
            }
            for (table, before) in self.continuation.iter_mut().zip(before) {
                let Some(after) = before.and_then(|before| table.get_mut(continued::<P>(position, before))) else {
                    continue;
                };
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
    use crate::game::Side;

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
            let node = NodeMoves { first: 0, end: 12, best: 0 };
            let mut order: Vec<u8> = Vec::new();
            while order.len() < 12 {
                let ScoredMove { mv, .. } = ordering.pick_best(node, order.len());
                if order.len() == put_off && mv == put_off as u8 {
                    ordering.put_off(node, order.len());
                } else {
                    order.push(mv);
                }
            }
            let expected: Vec<u8> = (0..12).filter(|&mv| mv != put_off as u8).chain([put_off as u8]).collect();
            assert_eq!(order, expected);
        }
    }
}
