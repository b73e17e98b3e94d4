//! Gomoku: games from random openings by a short search; logistic regression of who wins on what the cells are worth.

use griot::game::{Mixer, Notation as _, Position as _, Side};
use griot::games::mnk::{CELLS, Evaluate, Notation, Parameters, Position, Style, Weights};
use griot::score::Meaning;
use griot::search::{Knowledge, NoMemory, Task, TranspositionTable, search};

use super::Fitted;

const SEED: u64 = 2026;
/// Games of each round; later rounds begin with the weights of the one before.
const ROUNDS: [usize; 2] = [800, 3_000];
/// Nodes searched for each move.
const NODES: u64 = 500;
/// Random stones at the beginning of a game: from the first number up to, not including, the second; they lie so near to the
/// middle.
const OPENING: [usize; 2] = [2, 9];
const NEAR: usize = 4;
/// Plies after which a game is a draw.
const LONGEST: usize = 140;
/// Passes over the positions of a round.
const PASSES: usize = 12;
/// The first step of a weight, in logistic units.
const STEP: f32 = 0.02;
/// How strongly what a cell is worth besides its shapes one by one is drawn to zero, for each pass.
const RIDGE: f32 = 0.004;
/// Units of the evaluation to one logistic unit.
const UNIT: f32 = 100.0;
const SHAPES: usize = 15;

/// By shape: plain beginnings, for the first round, of the side to move and the other.
const FIRST: [[i16; SHAPES]; 2] =
    [[0, 0, 1, 1, 1, 4, 5, 6, 4, 5, 16, 18, 15, 40, 60], [0, 0, 1, 1, 1, 3, 4, 5, 3, 4, 11, 12, 11, 35, 60]];

/// A position: its cells, and what the side to move got of the game, from 0 to 1.
struct Sample {
    cells: [Vec<(u16, u8)>; 2],
    result: f32,
}

/// How often each number comes, but 0, of cells of which nothing can come.
fn counted(mut numbers: Vec<u16>) -> Vec<(u16, u8)> {
    numbers.sort_unstable();
    numbers
        .chunk_by(|a, b| a == b)
        .map(|same| (same[0], same.len().min(255) as u8))
        .filter(|&(number, _)| number > 0)
        .collect()
}

/// Plays a game, and adds those of its positions that the evaluation has to weigh up.
fn play(
    rng: &mut Mixer,
    evaluate: &Evaluate<4>,
    parameters: Parameters,
    table: &TranspositionTable,
    samples: &mut Vec<Sample>,
) {
    let mut position: Position<4> = Notation::new(parameters, Style::Coordinates).start();
    let mut seen = Vec::new();
    let random = OPENING[0] + rng.below(OPENING[1] - OPENING[0]);
    let mut result = None;
    for ply in 0..LONGEST {
        if let Some(outcome) = position.outcome() {
            result = Some(outcome.score_for(Side::First));
            break;
        }
        let mv = if ply < random {
            let at = |rng: &mut Mixer| 7 - NEAR + rng.below(2 * NEAR + 1);
            let bit = |(col, row): (usize, usize)| (row * 16 + col) as u16;
            let mut moves = Vec::new();
            position.generate(&mut moves);
            loop {
                let mv = bit((at(rng), at(rng)));
                if moves.contains(&mv) {
                    break mv;
                }
            }
        } else {
            let task = Task { nodes: NODES, ..Task::new(position) };
            let verdict = search(&task, Knowledge::new(evaluate, &(), table), &mut ());
            if verdict.score.is_decisive() {
                let score = verdict.score;
                result = Some(if position.side_to_move() == Side::First { score } else { -score });
                break;
            }
            if let Some(cells) = evaluate.features(&position) {
                seen.push((position.side_to_move(), cells.map(counted)));
            }
            verdict.pv[0]
        };
        position.play(mv);
    }
    let first = match result.map(|score| score.meaning()) {
        Some(Meaning::Win(_) | Meaning::KnownWin(_)) => 1.0,
        Some(Meaning::Loss(_) | Meaning::KnownLoss(_)) => 0.0,
        _ => 0.5,
    };
    samples.extend(
        seen.into_iter()
            .map(|(side, cells)| Sample { cells, result: if side == Side::First { first } else { 1.0 - first } }),
    );
}

/// The shapes of each cell, in the order of their numbers.
fn shapes() -> Vec<[usize; 4]> {
    let mut all = Vec::new();
    for d in 0..SHAPES {
        for c in 0..=d {
            for b in 0..=c {
                all.extend((0..=b).map(|a| [a, b, c, d]));
            }
        }
    }
    all
}

/// What is fitted: a share of each shape, what cells are worth besides, and the worth of having the move; with the sums of the
/// squares of all steps so far.
struct Model {
    shapes: Vec<[usize; 4]>,
    by_shape: [[[f32; 2]; SHAPES]; 2],
    by_cell: [Vec<[f32; 2]>; 2],
    tempo: [f32; 2],
}

/// Changes a weight against its slope, by less the more it was changed before.
fn step([weight, squares]: &mut [f32; 2], slope: f32) {
    *squares += slope * slope;
    *weight -= STEP * slope / (1.0 + *squares).sqrt();
}

impl Model {
    fn new() -> Model {
        let by_shape = FIRST.map(|row| row.map(|units| [f32::from(units) / UNIT, 0.0]));
        Model { shapes: shapes(), by_shape, by_cell: [vec![[0.0; 2]; CELLS], vec![[0.0; 2]; CELLS]], tempo: [0.0; 2] }
    }

    fn worth(&self, role: usize, cell: usize) -> f32 {
        let shares: f32 = self.shapes[cell].iter().map(|&shape| self.by_shape[role][shape][0]).sum();
        shares + self.by_cell[role][cell][0]
    }

    fn weights(&self) -> Weights {
        let mut weights = [[0; 2]; CELLS + 1];
        for (cell, weights) in weights.iter_mut().enumerate().take(CELLS) {
            *weights = [0, 1].map(|role| (self.worth(role, cell) * UNIT).round() as i16);
        }
        weights[CELLS][0] = (self.tempo[0] * UNIT).round() as i16;
        weights
    }

    /// One pass; answers the mean loss, in bits.
    fn pass(&mut self, samples: &[Sample], learns: bool) -> f32 {
        let mut loss = 0.0;
        for sample in samples {
            let sum = |role: usize| -> f32 {
                sample.cells[role].iter().map(|&(cell, n)| f32::from(n) * self.worth(role, cell.into())).sum()
            };
            let p = 1.0 / (1.0 + (sum(1) - sum(0) - self.tempo[0]).exp());
            let p = p.clamp(1e-6, 1.0 - 1e-6);
            loss -= sample.result * p.log2() + (1.0 - sample.result) * (1.0 - p).log2();
            if !learns {
                continue;
            }
            let error = p - sample.result;
            step(&mut self.tempo, error);
            for (role, sign) in [(0, 1.0), (1, -1.0)] {
                for &(cell, n) in &sample.cells[role] {
                    let slope = sign * error * f32::from(n);
                    let own = &mut self.by_cell[role][usize::from(cell)];
                    step(own, slope);
                    own[0] *= 1.0 - RIDGE * STEP;
                    for &shape in self.shapes[usize::from(cell)].iter().filter(|&&shape| shape > 0) {
                        step(&mut self.by_shape[role][shape], slope / 4.0);
                    }
                }
            }
        }
        loss / samples.len() as f32
    }
}

/// The weights after all rounds.
///
/// # Errors
/// When there is no memory for the transposition table.
pub(crate) fn fit() -> Result<Fitted, NoMemory> {
    let mut rng = Mixer::new(SEED);
    let mut model = Model::new();
    let mut weights = model.weights();
    let mut last_round = String::new();
    for games in ROUNDS {
        let rules = [Parameters::GOMOKU, Parameters::GOMOKU_FREESTYLE]
            .map(|parameters| (parameters, Evaluate::new(parameters).with_weights(&weights)));
        let table = TranspositionTable::new(8)?;
        let mut samples = Vec::new();
        for game in 0..games {
            let (parameters, evaluate) = &rules[game % 2];
            play(&mut rng, evaluate, *parameters, &table, &mut samples);
        }
        // The last tenth is not learned from.
        let (learned, kept) = samples.split_at(samples.len() - samples.len() / 10);
        let mut order: Vec<&Sample> = learned.iter().collect();
        model = Model::new();
        let before = model.pass(kept, false);
        for _ in 0..PASSES {
            for at in (1..order.len()).rev() {
                order.swap(at, rng.below(at + 1));
            }
            for sample in &order {
                model.pass(std::slice::from_ref(*sample), true);
            }
        }
        let after = model.pass(kept, false);
        weights = model.weights();
        last_round =
            format!("{games} games, {} positions, {after:.3} bits left unexplained of {before:.3}", samples.len());
        eprintln!("{last_round}");
    }
    Ok(Fitted { weights: weights.iter().map(|row| row.map(i32::from).to_vec()).collect(), last_round })
}
