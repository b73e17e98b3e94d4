//! Quiescence search, its delta pruning and null move pruning, for games that ask for them: the first two against minimax that goes
//! on through noisy moves in the same way, the last by what it saves and by what it may not claim.

use griot::game::{Evaluate, Expertise, Outcome, Position, Pruning, Side, Solving, Threats, mix64};
use griot::score::{Meaning, Score};
use griot::search::{Knowledge, Task, Technique, Techniques, TranspositionTable, search};

/// A random tree of so many plies: most moves gain something, and who has more in the end wins. One move in three is noisy, and
/// one position in five wants an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Exchange {
    node: u64,
    turn: Side,
    /// What the first player has more than the second.
    balance: i32,
    left: u32,
}

impl Exchange {
    fn new(seed: u64, left: u32) -> Exchange {
        Exchange { node: mix64(seed), turn: Side::First, balance: 0, left }
    }
}

impl Position for Exchange {
    /// The node it leads to.
    type Move = u64;
    const ENDS_WITHOUT_MOVES: bool = true;
    const HAS_NULL_MOVE: bool = true;

    fn side_to_move(&self) -> Side {
        self.turn
    }

    fn outcome(&self) -> Option<Outcome> {
        let leads = match self.balance {
            1.. => Outcome::Win(Side::First),
            0 => Outcome::Draw,
            _ => Outcome::Win(Side::Second),
        };
        (self.left == 0).then_some(leads)
    }

    fn generate(&self, moves: &mut Vec<u64>) {
        if self.left > 0 {
            moves.extend((1..=4 + self.node % 3).map(|number| mix64(self.node ^ number)));
        }
    }

    fn play(&mut self, node: u64) {
        let gain = ((node >> 16) % 7) as i32 - 2;
        let balance = self.balance + if self.turn == Side::First { gain } else { -gain };
        *self = Exchange { node, turn: self.turn.other(), balance, left: self.left - 1 };
    }

    fn hash(&self) -> u64 {
        mix64(self.node ^ mix64(self.balance as u64) ^ self.turn.index() as u64)
    }

    fn null_move(&self) -> Option<Exchange> {
        Some(Exchange { turn: self.turn.other(), ..self.clone() })
    }
}

struct Balance;

impl Evaluate<Exchange> for Balance {
    fn evaluate(&self, position: &Exchange) -> Score {
        let units = 10 * position.balance + (position.node % 3) as i32;
        Score::units(if position.turn == Side::First { units } else { -units })
    }

    fn is_noisy(&self, _position: &Exchange, node: u64) -> bool {
        node.is_multiple_of(3)
    }
}

impl Expertise<Exchange> for Balance {
    type State = ();
}

impl Pruning<Exchange> for Balance {
    const QUIESCES: bool = true;

    fn must_answer(&self, position: &Exchange) -> bool {
        (position.node >> 8).is_multiple_of(5)
    }
}

impl Threats<Exchange> for Balance {}
impl Solving<Exchange> for Balance {}

/// The same, told what a noisy move brings at most: whoever need not answer may leave things as the move has made them.
struct Foreseen;

impl Evaluate<Exchange> for Foreseen {
    fn evaluate(&self, position: &Exchange) -> Score {
        Balance.evaluate(position)
    }

    fn is_noisy(&self, position: &Exchange, node: u64) -> bool {
        Balance.is_noisy(position, node)
    }
}

impl Expertise<Exchange> for Foreseen {
    type State = ();

    /// None comes late: moves are left out for what they take alone.
    fn score_moves(&self, _: &Exchange, _state: &Self::State, _depth: u32, _: &[u64], scores: &mut [i32]) {
        scores.fill(1);
    }
}

impl Pruning<Exchange> for Foreseen {
    const QUIESCES: bool = true;
    const PRUNES_MOVES: bool = true;

    fn must_answer(&self, position: &Exchange) -> bool {
        Balance.must_answer(position)
    }

    fn greatest_gain(&self, position: &Exchange, node: u64) -> Option<i32> {
        let next = position.after(node);
        let units = |position| match Balance.evaluate(position).meaning() {
            Meaning::Units(units) => units,
            other => panic!("{other:?}"),
        };
        let may_end_here = next.outcome().is_none() && !Balance.must_answer(&next);
        may_end_here.then(|| -units(&next) - units(position))
    }
}

impl Threats<Exchange> for Foreseen {}
impl Solving<Exchange> for Foreseen {}

fn moves(position: &Exchange) -> Vec<u64> {
    let mut moves = Vec::new();
    position.generate(&mut moves);
    moves
}

/// The value of a leaf that goes on through noisy moves.
fn quiet(position: &Exchange) -> Score {
    if let Some(end) = position.outcome() {
        return end.score_for(position.turn);
    }
    let must = Balance.must_answer(position);
    let stand_pat = if must { Score::MINUS_INFINITY } else { Balance.evaluate(position) };
    let tried = moves(position).into_iter().filter(|&mv| must || Balance.is_noisy(position, mv));
    tried.map(|mv| (-quiet(&position.after(mv))).backed_up()).fold(stand_pat, Score::max)
}

fn minimax(position: &Exchange, depth: u32) -> Score {
    if depth == 0 || position.outcome().is_some() {
        return quiet(position);
    }
    let values = moves(position).into_iter().map(|mv| (-minimax(&position.after(mv), depth - 1)).backed_up());
    values.fold(Score::MINUS_INFINITY, Score::max)
}

/// What may change the value of a search, besides.
const OTHERS: [Technique; 6] = [
    Technique::TtCutoffs,
    Technique::Lmr,
    Technique::Iir,
    Technique::ReverseFutility,
    Technique::NullMove,
    Technique::Extensions,
];

fn without(techniques: &[Technique]) -> Techniques {
    techniques.iter().fold(Techniques::ALL, |rest, &technique| rest.without(technique))
}

#[test]
fn quiescence_search_finds_what_minimax_through_noisy_moves_finds() {
    let mut differs = 0;
    for seed in 0..40 {
        let root = Exchange::new(seed, 9);
        for depth in 1..=4 {
            let run = |techniques, selective| {
                let table = TranspositionTable::new(1).unwrap();
                let task = Task { depth, techniques, selective, ..Task::new(root.clone()) };
                search(&task, Knowledge::new(&Balance, &(), &table), &mut ()).score
            };
            let value = run(without(&OTHERS), true);
            assert_eq!(value, minimax(&root, depth), "seed {seed}, {depth} plies");
            // Who asks for the value of a depth gets that of plain minimax.
            differs += u32::from(run(Techniques::ALL, false) != value);
        }
    }
    assert!(differs > 40, "only {differs} values show that something was looked at");
}

#[test]
fn delta_pruning_saves_nodes_and_changes_nothing_where_no_gain_is_underrated() {
    let (mut pruned, mut all) = (0, 0);
    for seed in 0..40 {
        let root = Exchange::new(seed, 9);
        for depth in 1..=4 {
            let run = |techniques| {
                let table = TranspositionTable::new(1).unwrap();
                let task = Task { depth, techniques, ..Task::new(root.clone()) };
                let answer = search(&task, Knowledge::new(&Foreseen, &(), &table), &mut ());
                assert_eq!(answer.score, minimax(&root, depth), "seed {seed}, {depth} plies");
                answer.nodes
            };
            pruned += run(without(&OTHERS));
            all += run(without(&OTHERS).without(Technique::MovePruning));
        }
    }
    assert!(pruned * 10 < all * 9, "{pruned} nodes with delta pruning, {all} without");
}

#[test]
fn null_moves_save_nodes() {
    let nodes = |techniques| -> u64 {
        let search = |seed| {
            let table = TranspositionTable::new(1).unwrap();
            let task = Task { depth: 8, techniques, ..Task::new(Exchange::new(seed, 30)) };
            search(&task, Knowledge::new(&Balance, &(), &table), &mut ()).nodes
        };
        (0..20).map(search).sum()
    };
    let (with, all) = (nodes(Techniques::ALL), nodes(without(&[Technique::NullMove])));
    assert!(with * 10 < all * 9, "{with} nodes with null moves, {all} without");
}

#[test]
fn what_null_moves_prune_proves_nothing() {
    let mut decisive = 0;
    for seed in 0..40 {
        // Deep iterations see the end of the game, whatever they reduce on the way.
        let root = Exchange::new(seed, 7);
        let truth = minimax(&root, 7);
        for depth in [5, 6, 9, 14] {
            let table = TranspositionTable::new(1).unwrap();
            let task = Task { depth, ..Task::new(root.clone()) };
            let found = search(&task, Knowledge::new(&Balance, &(), &table), &mut ()).score;
            if found.is_decisive() {
                decisive += 1;
                let wins = |score: Score| matches!(score.meaning(), Meaning::Win(_));
                assert!(truth.is_decisive(), "seed {seed}, {depth} plies: {found:?}");
                assert_eq!(wins(found), wins(truth), "seed {seed}, {depth} plies: {found:?}");
            }
        }
    }
    assert!(decisive > 20, "only {decisive} results");
}
