//! Move ordering.
//!
//! Layer 3, private to the full search; one per thread. The hash move comes first, then moves that the game scores
//! above 0, then killers, then history. Games with candidate moves add their scores to history.
//! CITE: chessprogramming wiki, "Move Ordering", "Killer Heuristic", "History Heuristic".

use super::MAX_DEPTH;
use super::histories::{HISTORY_LIMIT, Histories, bonus};
use super::technique::{Technique, Techniques};
use crate::game::{Candidates, DOMINATED, Evaluate, Evaluator, Outcome, Position};

/// Move scores. History scores are sums of three of up to ±[`HISTORY_LIMIT`]; scores by the game start at [`GAME_MOVE`].
const HASH_MOVE: i32 = i32::MAX;
const GAME_MOVE: i32 = 1 << 20;
const KILLER: i32 = 1 << 19;
const KILLER_BEFORE: i32 = KILLER - 1;
/// Moves that the game scores below 0 come after all others.
const LOSING_MOVE: i32 = -(1 << 20);
/// Units of a noisy move's history that weigh as much as 1 of the game's score. At chess the limit weighs 1.28 pawns.
const NOISY_GRAIN: i32 = 16;

/// The number of a node's moves that are picked one by one. The rest is sorted at once.
const PICKED: usize = 3;

/// The key by which moves are picked: the higher score first, and among equal scores the move generated first.
#[inline]
fn key(score: i32, place: usize) -> u64 {
    u64::from(score.cast_unsigned() ^ (1 << 31)) << 32 | u64::from(!(place as u32))
}

/// The key of the `count`th move that is put off: below those of all scores, and of those put off before.
fn key_put_off(count: usize, place: usize) -> u64 {
    ((1 << 24) - count as u64) << 32 | u64::from(!(place as u32))
}

/// The score of a move.
#[inline]
fn score_of(key: u64) -> i32 {
    ((key >> 32) as u32 ^ 1 << 31).cast_signed()
}

/// The place of a move among those generated for its node.
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
    /// The number of moves generated before it.
    pub(super) place: usize,
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

/// Killers, history, and the moves of the nodes of the current line.
#[derive(Debug)]
pub(super) struct Ordering<M> {
    /// Killer moves by ply: quiet moves that refuted a sibling node, the last one first.
    killers: Vec<[Option<M>; 2]>,
    /// What was learned about moves, and about the evaluation.
    pub(super) histories: Histories,
    /// The moves of all nodes of the current line, one node after the other, as they were generated.
    moves: Vec<M>,
    /// The [`key`] of each move that is not left out: in each node first those that were picked, in their order.
    keys: Vec<u64>,
    generated: Vec<M>,
    scores: Vec<i32>,
}

/// A node whose moves are ordered.
#[derive(Debug)]
pub(super) struct OrderedNode<'n, P, S> {
    pub(super) position: &'n P,
    /// The evaluation's incremental state.
    pub(super) state: &'n S,
    /// The symmetric image of the position that the transposition table knows.
    pub(super) symmetry: u8,
    /// The depth to which it is searched, and its distance from the root, in plies.
    pub(super) depth: u32,
    pub(super) ply: u32,
    /// The moves that led to it.
    pub(super) before: Before,
}

/// The moves of one node, in [`Ordering`].
#[derive(Debug, Clone, Copy)]
pub(super) struct NodeMoves {
    /// The index of the first of them in [`Ordering::moves`].
    moves: usize,
    /// The index of the first key.
    first: usize,
    /// The index after the last key of a move that may be picked.
    end: usize,
    /// The index after the last key; from `end` on come those of moves that were pruned together.
    all: usize,
}

impl NodeMoves {
    /// The number of moves that may be picked.
    #[inline]
    pub(super) fn len(self) -> usize {
        self.end - self.first
    }
}

/// The move with this key, of the node whose moves these are.
#[inline]
fn scored<M: Copy>(moves: &[M], key: u64) -> ScoredMove<M> {
    let place = place_of(key);
    ScoredMove { mv: moves[place], score: score_of(key), place }
}

/// The moves of a node up to the one picked at index `last`, and that one first.
fn tried<'o, M: Copy>(
    (moves, keys): (&'o [M], &'o [u64]),
    node: NodeMoves,
    last: usize,
) -> impl Iterator<Item = ScoredMove<M>> + 'o {
    let picked = &keys[node.first..=node.first + last];
    let least = keys[node.first + last];
    let pruned = keys[node.end..node.all].iter().filter(move |&&key| key > least);
    picked.iter().rev().chain(pruned).map(move |&key| scored(&moves[node.moves..], key))
}

impl<M: Copy + Eq> Ordering<M> {
    pub(super) fn new(histories: Histories) -> Self {
        Ordering {
            killers: vec![[None; 2]; MAX_DEPTH as usize + 2],
            histories,
            moves: Vec::new(),
            keys: Vec::new(),
            generated: Vec::new(),
            scores: Vec::new(),
        }
    }

    /// Clears the moves of a search that was stopped.
    pub(super) fn restart(&mut self) {
        self.leave(NodeMoves { moves: 0, first: 0, end: 0, all: 0 });
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

    /// Appends the last generated moves and their keys. `is_scored` says that the game has scored them.
    #[inline]
    pub(super) fn score_moves<P: Position<Move = M>, E: Evaluate<P>>(
        &mut self,
        node: &OrderedNode<'_, P, E::State>,
        (hash_move, is_scored): (Option<u16>, bool),
        evaluate: Evaluator<'_, E>,
        techniques: Techniques,
    ) -> NodeMoves {
        let begun = self.append();
        let hash_place = hash_move.and_then(|id| self.place_of_id((node.position, node.symmetry), id));
        if let Some(place) = hash_place {
            self.keys.push(key(HASH_MOVE, place));
        }
        self.score(node, (begun, hash_place, is_scored), evaluate, techniques)
    }

    /// Appends the last generated moves, and the key of the hash move alone: it may be the only one that is searched. `None` if it
    /// is not among them.
    #[inline]
    pub(super) fn begin_with<P: Position<Move = M>>(&mut self, node: (&P, u8), hash_move: u16) -> Option<NodeMoves> {
        let place = self.place_of_id(node, hash_move)?;
        let begun = self.append();
        self.keys.push(key(HASH_MOVE, place));
        let end = self.keys.len();
        Some(NodeMoves { end, all: end, ..begun })
    }

    /// Appends the keys of the other moves after [`Self::begin_with`].
    #[inline]
    pub(super) fn score_others<P: Position<Move = M>, E: Evaluate<P>>(
        &mut self,
        node: &OrderedNode<'_, P, E::State>,
        begun: NodeMoves,
        evaluate: Evaluator<'_, E>,
        techniques: Techniques,
    ) -> NodeMoves {
        let hash_place = place_of(self.keys[begun.first]);
        self.score(node, (begun, Some(hash_place), false), evaluate, techniques)
    }

    /// Appends the last generated moves.
    #[inline]
    fn append(&mut self) -> NodeMoves {
        let (moves, first) = (self.moves.len(), self.keys.len());
        self.moves.extend_from_slice(&self.generated);
        NodeMoves { moves, first, end: first, all: first }
    }

    /// The place of the move with this id among the last generated ones.
    #[inline]
    fn place_of_id<P: Position<Move = M>>(&self, (position, symmetry): (&P, u8), id: u16) -> Option<usize> {
        let is_it = |(number, &mv)| move_id(position, symmetry, number, mv) == id;
        self.generated.iter().enumerate().position(is_it)
    }

    /// Appends the keys of the moves of the last node; that of the move at `hash_place` is there. Scores the moves, unless the game
    /// has scored them. Dominated moves are left out, except the hash move: the table has it as the best move.
    #[inline]
    fn score<P: Position<Move = M>, E: Evaluate<P>>(
        &mut self,
        &OrderedNode { position, state, depth, ply, before, .. }: &OrderedNode<'_, P, E::State>,
        (begun, hash_place, is_scored): (NodeMoves, Option<usize>, bool),
        evaluate: Evaluator<'_, E>,
        techniques: Techniques,
    ) -> NodeMoves {
        let is_scored = E::CHOOSES && is_scored;
        let Ordering { killers, histories, moves, keys, scores, .. } = self;
        let Histories { history, continuation, noisy, .. } = &*histories;
        let moves = &moves[begun.moves..];
        let after = [0, 1].map(|back| before[back].and_then(|before| continuation[back].after(position, before)));
        let killers = killers[ply as usize];
        let uses_history = techniques.has(Technique::History);
        let uses_scores = techniques.has(Technique::MoveScores);
        let drops_dominated = techniques.has(Technique::Dominated) && techniques.has(Technique::StaticKnowledge);
        let side = position.side_to_move().index();
        let (history, noisy) = (history[side].as_slice(), noisy[side].as_slice());
        if !is_scored {
            scores.clear();
            scores.resize(moves.len(), 0);
            evaluate.score_moves(position, state, depth, moves, scores);
        }
        let hash_place = hash_place.unwrap_or(usize::MAX);
        let quiet = |mv| {
            if killers[0] == Some(mv) {
                return KILLER;
            }
            if killers[1] == Some(mv) {
                return KILLER_BEFORE;
            }
            if !uses_history {
                return 0;
            }
            let of_move = history.get(P::move_index(mv)).copied().unwrap_or(0);
            let landing = if P::LANDINGS > 0 { position.landing(mv) } else { 0 };
            let continued = |after: Option<&[i16]>| after.map_or(0, |after| i32::from(after[landing]));
            of_move + continued(after[0]) + continued(after[1])
        };
        keys.reserve(moves.len());
        for (place, (&mv, &by_game)) in moves.iter().zip(scores.iter()).enumerate() {
            if place == hash_place {
                continue;
            }
            let score = if by_game == 0 {
                quiet(mv)
            } else if by_game > 0 && uses_scores {
                let learned = || noisy.get(position.landing(mv)).map_or(0, |value| value / NOISY_GRAIN);
                GAME_MOVE + if E::PRUNES_BOLDLY && uses_history { (by_game + learned()).max(0) } else { by_game }
            } else if by_game == DOMINATED && drops_dominated {
                continue;
            } else {
                match quiet(mv) {
                    killer @ (KILLER | KILLER_BEFORE) => killer,
                    _ if !is_scored && (LOSING_MOVE..0).contains(&by_game) && uses_scores => LOSING_MOVE + by_game,
                    by_history => by_history + if is_scored { by_game.min(0) } else { 0 },
                }
            };
            keys.push(key(score, place));
        }
        NodeMoves { end: keys.len(), all: keys.len(), ..begun }
    }

    /// Prunes the quiet moves from index `number` on, except those for which `stays` is true. They still count as tried
    /// ([`Self::place`]).
    #[inline]
    pub(super) fn prune_quiet(&mut self, node: NodeMoves, number: usize, stays: impl Fn(M) -> bool) -> NodeMoves {
        let from = node.first + number;
        let mut end = from;
        for at in from..node.end {
            let scored = scored(&self.moves[node.moves..], self.keys[at]);
            if scored.history().is_none() || stays(scored.mv) {
                self.keys.swap(end, at);
                end += 1;
            }
        }
        NodeMoves { end, ..node }
    }

    /// The place in the node's order of the move picked at index `number`, counted from 0 with the moves that were pruned together.
    #[inline]
    pub(super) fn place(&self, node: NodeMoves, number: usize) -> usize {
        let picked = self.keys[node.first + number];
        number + self.keys[node.end..node.all].iter().filter(|&&key| key > picked).count()
    }

    /// Moves the picked move at index `number` behind all others; `before` were put off already. The node must be the last one
    /// of the line.
    pub(super) fn put_off(&mut self, node: NodeMoves, number: usize, before: usize) {
        let keys = &mut self.keys[node.first + number..node.end];
        keys[0] = key_put_off(before, place_of(keys[0]));
        // Up to `PICKED` the rest is picked or sorted again.
        if number > PICKED {
            keys.rotate_left(1);
        }
    }

    /// The best move from index `number` of the node's order on. Call it with 0, 1, 2, ... in turn.
    #[inline]
    pub(super) fn pick_best(&mut self, node: NodeMoves, number: usize) -> ScoredMove<M> {
        let keys = &mut self.keys[node.first + number..node.end];
        if number < PICKED {
            let (mut best, mut greatest) = (0, 0);
            for (at, &key) in keys.iter().enumerate() {
                if key > greatest {
                    (best, greatest) = (at, key);
                }
            }
            keys.swap(0, best);
        } else if number == PICKED {
            // Integers are sorted, so that all games share the sort function.
            keys.sort_unstable();
            keys.reverse();
        }
        scored(&self.moves[node.moves..], keys[0])
    }

    /// Removes the moves of the node, which is the last one of the line.
    #[inline]
    pub(super) fn leave(&mut self, node: NodeMoves) {
        self.moves.truncate(node.moves);
        self.keys.truncate(node.first);
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
        let noisy = &mut self.histories.noisy[position.side_to_move().index()];
        for (number, candidate) in tried((&self.moves, &self.keys), node, cut).enumerate() {
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
        let ScoredMove { mv, score, .. } = scored(&self.moves[node.moves..], self.keys[node.first + cut]);
        if (GAME_MOVE..HASH_MOVE).contains(&score) || score < LOSING_MOVE {
            return;
        }
        let killers = &mut self.killers[ply as usize];
        if killers[0] != Some(mv) && techniques.has(Technique::Killers) {
            *killers = [Some(mv), killers[0]];
        }
        let bonus = bonus(depth, is_bold);
        let Histories { history, continuation, .. } = &mut self.histories;
        let history = &mut history[position.side_to_move().index()];
        let changes = [bonus].into_iter().chain(std::iter::repeat(-bonus));
        for (candidate, change) in tried((&self.moves, &self.keys), node, cut).zip(changes) {
            // Steps shrink near the limit, so a value never exceeds it.
            if let Some(value) = history.get_mut(P::move_index(candidate.mv)) {
                *value += change - *value * change.abs() / HISTORY_LIMIT;
            }
            for (table, before) in continuation.iter_mut().zip(before) {
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

    const NODE: OrderedNode<'_, Four, ()> =
        OrderedNode { position: &Four, state: &(), symmetry: 0, depth: 5, ply: 0, before: [None; 2] };

    #[test]
    fn noisy_moves_of_equal_score_are_tried_by_what_they_refuted() {
        let mut ordering = Ordering::<u8>::new(Histories::new(0, Four::LANDINGS));
        let mut order = |refutes: Option<usize>| {
            ordering.generate(&Four);
            let evaluate = Evaluator::full(&Noise);
            let depth = 5;
            let node =
                ordering.score_moves(&OrderedNode { depth, ..NODE }, (None, false), evaluate, Techniques::default());
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
    fn the_others_follow_the_hash_move_whatever_was_searched_in_between() {
        let mut ordering = Ordering::<u8>::new(Histories::new(0, Four::LANDINGS));
        let evaluate = Evaluator::full(&Noise);
        let in_order = |ordering: &mut Ordering<u8>, node: NodeMoves| -> Vec<u8> {
            (0..node.len()).map(|number| ordering.pick_best(node, number).mv).collect()
        };
        for id in 0..4 {
            ordering.generate(&Four);
            let begun = ordering.begin_with((&Four, 0), id).expect("one of four moves");
            assert_eq!(in_order(&mut ordering, begun), [10 + id as u8]);
            // A node below.
            ordering.generate(&Four);
            let below = ordering.score_moves(&NODE, (Some(3), false), evaluate, Techniques::default());
            assert_eq!(in_order(&mut ordering, below), [13, 10, 11, 12]);
            ordering.leave(below);
            ordering.generated.clear();
            let node = ordering.score_others(&NODE, begun, evaluate, Techniques::default());
            let mut expected: Vec<u8> = (10..14).filter(|&mv| mv != 10 + id as u8).collect();
            expected.insert(0, 10 + id as u8);
            assert_eq!(in_order(&mut ordering, node), expected);
            ordering.leave(node);
        }
        ordering.generate(&Four);
        assert!(ordering.begin_with((&Four, 0), 4).is_none(), "there is no such move");
        assert_eq!((ordering.moves.len(), ordering.keys.len()), (0, 0), "all nodes were left");
    }

    #[test]
    fn what_is_put_off_comes_last_wherever_it_stood_and_nothing_is_lost() {
        // There are more moves than are picked one by one.
        for put_off in 1..11 {
            let mut ordering = Ordering::<u8>::new(Histories::new(0, 0));
            ordering.moves = (0..12).collect();
            ordering.keys = (0..12).map(|place| key(-(place as i32), place)).collect();
            let node = NodeMoves { moves: 0, first: 0, end: 12, all: 12 };
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

    #[test]
    fn moves_pruned_together_keep_their_places_and_count_as_tried() {
        for number in 1..5 {
            let mut ordering = Ordering::<u8>::new(Histories::new(0, 0));
            ordering.moves = (0..12).collect();
            // The last one is a losing move.
            let score = |place: usize| if place == 11 { LOSING_MOVE } else { -(place as i32) };
            ordering.keys = (0..12).map(|place| key(score(place), place)).collect();
            let node = NodeMoves { moves: 0, first: 0, end: 12, all: 12 };
            for number in 0..number {
                assert_eq!(ordering.pick_best(node, number).place, number);
            }
            let node = ordering.prune_quiet(node, number, |mv| [6, 9].contains(&mv));
            assert_eq!(node.len(), number + 3);
            for (number, place) in (number..).zip([6, 9, 11]) {
                assert_eq!(ordering.pick_best(node, number).place, place);
                assert_eq!(ordering.place(node, number), place);
                let mut tried: Vec<u8> = tried((&ordering.moves, &ordering.keys), node, number).map(|m| m.mv).collect();
                assert_eq!(tried.remove(0), place as u8);
                tried.sort_unstable();
                assert_eq!(tried, (0..place as u8).collect::<Vec<_>>(), "{number}");
            }
        }
    }
}
