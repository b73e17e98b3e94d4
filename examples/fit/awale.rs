//! Awalé: games from random openings by a shallow search, and a table for their endings.

use griot::game::{Evaluate, Expertise, Mixer, Notation as _, Position as _, Side};
use griot::games::awale::{
    Abapa, AwaleEndings, AwaleLayers, AwaleNotation, FEATURES, PHASES, Position, Weights, features, interpolated, share,
};
use griot::score::Score;
use griot::search::{Knowledge, NoMemory, Task, TranspositionTable, search};
use griot::tablebase::{Monitor, Table};

use super::least_squares::Sums;
use super::{Fitted, play_on};

const SEED: u64 = 2026;
/// Games of each round; later rounds begin with the weights of the one before.
const ROUNDS: [usize; 3] = [1_000, 3_000, 12_000];
/// Plies searched for each move.
const DEPTH: u32 = 5;
/// Random plies at the beginning of a game: from the first number up to, not including, the second.
const OPENING: [usize; 2] = [2, 16];
/// Seeds on the board from which the table tells how a game ends.
const TABLE_SEEDS: usize = 12;
/// Plies after which a game that captures nothing more is left out.
const LONGEST: usize = 300;
/// How strongly weights are drawn to zero, in samples.
const RIDGE: f64 = 20.0;
/// How strongly the weights of neighbouring phases are drawn to each other, in samples.
const SMOOTH: f64 = 1000.0;

/// Plain beginnings, for the first round: empty houses are bad.
const FIRST: Weights = [[-80, -8, -8, 0, 30, 3, 0, 0, 0, 0]; PHASES];

/// The evaluation with the weights so far.
struct Candidate {
    weights: Vec<[i32; FEATURES]>,
}

impl Evaluate<Position<Abapa>> for Candidate {
    fn evaluate(&self, position: &Position<Abapa>) -> Score {
        let weights = &self.weights[usize::from(position.seeds_on_board())];
        let shape: i32 = features(position).iter().zip(weights).map(|(feature, weight)| feature * weight).sum();
        Score::units(100 * position.store_balance() + shape)
    }
}

impl Expertise<Position<Abapa>> for Candidate {
    type State = ();
}

type Endings = Table<AwaleLayers<Abapa>>;

/// Plays a game, and takes in its positions.
fn play(rng: &mut Mixer, evaluate: &Candidate, memory: &TranspositionTable, endings: &Endings, sums: &mut Sums) {
    let mut position = AwaleNotation::<Abapa>::default().start();
    let (mut seen, mut history) = (Vec::new(), Vec::new());
    let random = OPENING[0] + rng.below(OPENING[1] - OPENING[0]);
    for ply in 0..LONGEST {
        let is_repeated = history.contains(&position.hash());
        let bounds = endings.bounds(&position).filter(|bounds| bounds.high - bounds.low <= 2);
        let rest = match (position.final_balance(), bounds) {
            (Some(balance), _) => Some(f64::from(balance)),
            // Each side keeps what lies in its row.
            (None, _) if is_repeated => Some(f64::from(position.store_balance()) + f64::from(held(&position))),
            (None, Some(bounds)) => {
                Some(f64::from(position.store_balance()) + f64::from(bounds.low + bounds.high) / 2.0)
            }
            (None, None) => None,
        };
        if let Some(balance) = rest {
            let last = position.side_to_move();
            for position in &seen {
                let position: &Position<Abapa> = position;
                let balance = if position.side_to_move() == last { balance } else { -balance };
                let target = 100.0 * (balance - f64::from(position.store_balance()));
                sums.add(&features(position), share(position.seeds_on_board()), target);
            }
            return;
        }
        let mut moves = Vec::new();
        position.generate(&mut moves);
        let mv = if ply < random {
            moves[rng.below(moves.len())]
        } else {
            seen.push(position);
            let task = Task { depth: DEPTH, history: history.clone(), ..Task::new(position) };
            let endings = AwaleEndings::default();
            let knowledge = Knowledge::new(evaluate, &endings, memory);
            search(&task, knowledge, &mut ()).pv[0]
        };
        play_on(&mut position, mv, &mut history);
    }
}

/// The seeds in the mover's row less those in the opponent's.
fn held(position: &Position<Abapa>) -> i32 {
    let row = |side: Side| (0..6).map(|house| i32::from(position.seeds(side, house))).sum::<i32>();
    row(position.side_to_move()) - row(position.side_to_move().other())
}

/// The weights after all rounds.
///
/// # Errors
/// When there is no memory for the transposition table.
pub(crate) fn fit() -> Result<Fitted, NoMemory> {
    let mut rng = Mixer::new(SEED);
    let endings = Endings::in_memory(AwaleLayers::default(), TABLE_SEEDS, 1, &Monitor::default());
    let endings = endings.unwrap_or_else(|_| Endings::empty(AwaleLayers::default()));
    let mut weights = FIRST.map(|row| row.to_vec()).to_vec();
    let mut last_round = String::new();
    for games in ROUNDS {
        let mut rows = FIRST;
        for (row, fitted) in rows.iter_mut().zip(&weights) {
            row.copy_from_slice(fitted);
        }
        let evaluate = Candidate { weights: interpolated(&rows).to_vec() };
        let memory = TranspositionTable::new(1)?;
        let mut sums = Sums::new(FEATURES, PHASES, RIDGE, SMOOTH);
        for _ in 0..games {
            play(&mut rng, &evaluate, &memory, &endings, &mut sums);
        }
        let samples = sums.samples;
        let left;
        (weights, left) = sums.solve();
        last_round = format!("{games} games, {samples} positions, {:.2} seeds left unexplained", left / 100.0);
        eprintln!("{last_round}");
    }
    Ok(Fitted { weights, last_round })
}
