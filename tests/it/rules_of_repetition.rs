//! Games that end without moves, whose positions have to come up three times, and whose evaluation carries state down the line:
//! what the traits offer such games, held against plain minimax over the whole history.

use griot::game::{Evaluate, Expertise, Outcome, Position, Pruning, Side, Solving, SplitMix64, Threats, mix64};
use griot::score::{Meaning, Score};
use griot::search::{Knowledge, Task, TranspositionTable, search};

/// How a repetition ends the game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Repetition {
    Draw,
    LossOfTheMover,
}

/// Two players walk one piece over a random graph. Places of one level can be walked to and fro; there is no way back to a
/// lower one. A place without a way out is lost for whoever has to move there, or drawn.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Walk<const OCCURRENCES: u32> {
    graph: u64,
    repetition: Repetition,
    place: u16,
    turn: Side,
}

const PLACES: u16 = 24;
const LEVEL: u16 = 8;

impl<const OCCURRENCES: u32> Walk<OCCURRENCES> {
    fn new(graph: u64, repetition: Repetition, place: u16) -> Self {
        Walk { graph, repetition, place, turn: Side::First }
    }

    fn ways(&self) -> impl Iterator<Item = u16> {
        let (seed, place) = (mix64(self.graph ^ mix64(u64::from(self.place))), self.place);
        let count = [0, 1, 2, 2, 3, 3, 3, 3][(seed & 7) as usize];
        let level = place / LEVEL * LEVEL;
        let mut ways: Vec<u16> = (0..count)
            .map(|number| {
                let next = mix64(seed ^ number);
                // One way in four leads up, if there is an up.
                let up = if next & 3 == 0 && level + LEVEL < PLACES { LEVEL } else { 0 };
                level + up + (next >> 8) as u16 % LEVEL
            })
            .collect();
        ways.sort_unstable();
        ways.dedup();
        ways.into_iter()
    }
}

impl<const OCCURRENCES: u32> Position for Walk<OCCURRENCES> {
    type Move = u16;
    const OCCURRENCES: u32 = OCCURRENCES;
    const ENDS_WITHOUT_MOVES: bool = true;

    fn side_to_move(&self) -> Side {
        self.turn
    }

    fn outcome(&self) -> Option<Outcome> {
        let is_mate = mix64(self.graph ^ u64::from(self.place)) & 1 == 0;
        let end = if is_mate { Outcome::Win(self.turn.other()) } else { Outcome::Draw };
        self.ways().next().is_none().then_some(end)
    }

    fn generate(&self, moves: &mut Vec<u16>) {
        moves.extend(self.ways());
    }

    fn status(&self, moves: &mut Vec<u16>) -> Option<Outcome> {
        moves.extend(self.ways());
        if moves.is_empty() { self.outcome() } else { None }
    }

    fn play(&mut self, place: u16) {
        self.place = place;
        self.turn = self.turn.other();
    }

    fn hash(&self) -> u64 {
        mix64(self.graph ^ mix64(u64::from(self.place) << 1 | self.turn.index() as u64))
    }

    fn is_irreversible(&self, next: &Self) -> bool {
        self.place / LEVEL != next.place / LEVEL
    }

    fn outcome_by_repetition(&self) -> Option<Outcome> {
        Some(match self.repetition {
            Repetition::Draw => Outcome::Draw,
            Repetition::LossOfTheMover => Outcome::Win(self.turn.other()),
        })
    }
}

/// Values each place by noise, of which the state of the line holds a part.
struct Noise;

fn noise(place: u16) -> i32 {
    (mix64(u64::from(place)) % 101) as i32 - 50
}

impl<const O: u32> Evaluate<Walk<O>> for Noise {
    fn evaluate(&self, position: &Walk<O>) -> Score {
        self.evaluate_with(position, &self.state(position))
    }

    fn evaluate_with(&self, position: &Walk<O>, state: &i32) -> Score {
        Score::units(if position.turn == Side::First { *state } else { -*state })
    }
}

impl<const O: u32> Expertise<Walk<O>> for Noise {
    type State = i32;

    fn state(&self, position: &Walk<O>) -> i32 {
        noise(position.place)
    }

    fn next_state(&self, state: &i32, position: &Walk<O>, place: u16, _next: &Walk<O>) -> i32 {
        state - noise(position.place) + noise(place)
    }
}

impl<const O: u32> Pruning<Walk<O>> for Noise {}
impl<const O: u32> Threats<Walk<O>> for Noise {}
impl<const O: u32> Solving<Walk<O>> for Noise {}

/// Minimax over the whole history of the game.
fn minimax<const O: u32>(position: &Walk<O>, earlier: &mut Vec<Walk<O>>, depth: u32) -> Score {
    let seen = earlier.iter().filter(|&before| before == position).count() as u32;
    let end = position.outcome().or_else(|| position.outcome_by_repetition().filter(|_| seen + 1 >= O));
    if let Some(end) = end {
        return end.score_for(position.turn);
    }
    if depth == 0 {
        return Noise.evaluate(position);
    }
    let mut best = Score::MINUS_INFINITY;
    for place in position.ways() {
        earlier.push(position.clone());
        best = best.max((-minimax(&position.after(place), earlier, depth - 1)).backed_up());
        earlier.pop();
    }
    best
}

/// Searches after random walks, each with the table that the others have left; answers how many values lean on a repetition.
fn check<const O: u32>(repetition: Repetition, graphs: u64) -> usize {
    let mut rng = SplitMix64::new(u64::from(O) + 7 * repetition as u64);
    let mut repeated = 0;
    for graph in 0..graphs {
        let (exact_table, table) = (TranspositionTable::new(1).unwrap(), TranspositionTable::new(1).unwrap());
        for _ in 0..12 {
            let mut root = Walk::<O>::new(graph, repetition, rng.below(usize::from(PLACES)) as u16);
            let mut earlier: Vec<Walk<O>> = Vec::new();
            for _ in 0..rng.below(10) {
                let ways: Vec<u16> = root.ways().collect();
                let seen = earlier.iter().filter(|&before| *before == root).count() as u32;
                if ways.is_empty() || seen + 1 >= O {
                    break;
                }
                let next = root.after(ways[rng.below(ways.len())]);
                if root.is_irreversible(&next) {
                    earlier.clear()
                } else {
                    earlier.push(root)
                }
                root = next;
            }
            let seen = earlier.iter().filter(|&before| *before == root).count() as u32;
            if root.outcome().is_some() || seen + 1 >= O {
                continue;
            }
            let history: Vec<u64> = earlier.iter().map(Position::hash).collect();
            for depth in [1, 2, 3, 5, 8, 11] {
                let task = Task { history: history.clone(), depth, ..Task::new(root.clone()) };
                let expected = minimax(&root, &mut earlier.clone(), depth);
                repeated += usize::from(expected != minimax(&root, &mut Vec::new(), depth));
                let exact = Task { selective: false, ..task.clone() };
                let exact = search(&exact, Knowledge::new(&Noise, &(), &exact_table), &mut ());
                assert_eq!(exact.score, expected, "graph {graph}, {root:?} after {earlier:?}, {depth} plies");
                // What is proven is true, whatever was left out on the way.
                let free = search(&task, Knowledge::new(&Noise, &(), &table), &mut ());
                if let Meaning::Win(plies) | Meaning::Loss(plies) = free.score.meaning()
                    && plies <= 14
                {
                    let truth = minimax(&root, &mut earlier.clone(), plies);
                    let wins = |score: Score| matches!(score.meaning(), Meaning::Win(_));
                    assert!(truth.is_decisive(), "graph {graph}, {root:?} after {earlier:?}, {depth} plies: {free:?}");
                    assert_eq!(wins(truth), wins(free.score), "graph {graph}, {root:?} after {earlier:?}: {free:?}");
                }
            }
        }
    }
    repeated
}

#[test]
fn a_draw_by_the_second_or_third_occurrence_is_what_minimax_over_the_history_finds() {
    assert!(check::<2>(Repetition::Draw, 60) > 100);
    assert!(check::<3>(Repetition::Draw, 60) > 100);
    assert!(check::<4>(Repetition::Draw, 20) > 5);
}

#[test]
fn a_loss_by_repetition_is_what_minimax_over_the_history_finds() {
    assert!(check::<2>(Repetition::LossOfTheMover, 60) > 100);
    assert!(check::<3>(Repetition::LossOfTheMover, 60) > 100);
}
