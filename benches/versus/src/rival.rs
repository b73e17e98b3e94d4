//! The crate `minimax` over griot's positions, so that only the searches are compared, not the rules.

use std::marker::PhantomData;
use std::time::Duration;

use griot::game::{Outcome, Position};
use griot::games::awale::{self, Abapa, House};
use griot::games::mnk;
use minimax::{
    BEST_EVAL, Evaluation, Evaluator, Game, IterativeOptions, IterativeSearch, ParallelOptions, ParallelSearch,
    Replacement, Strategy, WORST_EVAL, Winner,
};

use crate::measure::{Run, Stopwatch, Value};

/// A move with an index, for the counter-move tables.
pub(crate) trait Indexed: Copy + Eq + Send + Sync + 'static {
    /// An arbitrary move that fills a table.
    const ANY: Option<Self>;
    /// The largest index.
    const LAST: u16;
    /// The index of the move, independent of the position.
    fn index(self) -> u16;
}

impl Indexed for House {
    const ANY: Option<House> = House::new(0);
    const LAST: u16 = 5;
    fn index(self) -> u16 {
        House::index(self) as u16
    }
}

/// A cell.
impl Indexed for u16 {
    const ANY: Option<u16> = Some(0);
    const LAST: u16 = 511;
    fn index(self) -> u16 {
        self
    }
}

/// The rules of a game of griot.
pub(crate) struct Rules<P>(PhantomData<P>);

impl<P: Position<Move: Indexed>> Game for Rules<P> {
    type S = P;
    type M = P::Move;

    #[inline]
    fn generate_moves(state: &P, moves: &mut Vec<P::Move>) -> Option<Winner> {
        let winner = Self::get_winner(state);
        if winner.is_none() {
            state.generate(moves);
        }
        winner
    }

    #[inline]
    fn apply(state: &mut P, mv: P::Move) -> Option<P> {
        Some(state.after(mv))
    }

    #[inline]
    fn get_winner(state: &P) -> Option<Winner> {
        Some(match state.outcome()? {
            Outcome::Draw => Winner::Draw,
            Outcome::Win(side) if side == state.side_to_move() => Winner::PlayerToMove,
            Outcome::Win(_) => Winner::PlayerJustMoved,
        })
    }

    #[inline]
    fn zobrist_hash(state: &P) -> u64 {
        state.hash()
    }

    fn null_move(_state: &P) -> Option<P::Move> {
        P::Move::ANY
    }

    fn table_index(mv: P::Move) -> u16 {
        mv.index()
    }

    fn max_table_index() -> u16 {
        P::Move::LAST
    }
}

/// The store difference, in seeds.
#[derive(Clone)]
pub(crate) struct Stores;

impl Evaluator for Stores {
    type G = Rules<awale::Position<Abapa>>;

    #[inline]
    fn evaluate(&self, state: &awale::Position<Abapa>) -> Evaluation {
        state.store_balance() as Evaluation
    }
}

/// The zero evaluation.
#[derive(Clone)]
pub(crate) struct Zero;

impl Evaluator for Zero {
    type G = Rules<mnk::Position<1>>;

    #[inline]
    fn evaluate(&self, _state: &mnk::Position<1>) -> Evaluation {
        0
    }
}

/// A set-up of the crate.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Setup {
    /// Its name in the output.
    pub(crate) name: &'static str,
    kibibytes: usize,
    mtdf: bool,
    /// Half the width of the window around the value of the iteration before, in the evaluation's units.
    aspiration: Option<Evaluation>,
    history: bool,
    countermoves: bool,
    double_step: bool,
    replacement: Replacement,
    parallel: bool,
}

const USUAL: Setup = Setup {
    name: "1 MiB",
    kibibytes: 1 << 10,
    mtdf: false,
    aspiration: None,
    history: false,
    countermoves: false,
    double_step: false,
    replacement: Replacement::TwoTier,
    parallel: false,
};

/// The set-ups to try. None of them changes the value: extensions, null moves and quiescence stay off.
pub(crate) const SETUPS: &[Setup] = &[
    USUAL,
    Setup { name: "256 KiB", kibibytes: 1 << 8, ..USUAL },
    Setup { name: "4 MiB", kibibytes: 1 << 12, ..USUAL },
    Setup { name: "16 MiB", kibibytes: 1 << 14, ..USUAL },
    Setup { name: "64 MiB", kibibytes: 1 << 16, ..USUAL },
    Setup { name: "1 MiB, MTD(f)", mtdf: true, ..USUAL },
    Setup { name: "16 MiB, MTD(f)", kibibytes: 1 << 14, mtdf: true, ..USUAL },
    Setup { name: "64 MiB, MTD(f)", kibibytes: 1 << 16, mtdf: true, ..USUAL },
    Setup { name: "1 MiB, history", history: true, ..USUAL },
    Setup { name: "16 MiB, history", kibibytes: 1 << 14, history: true, ..USUAL },
    Setup { name: "1 MiB, counter moves", countermoves: true, ..USUAL },
    Setup { name: "1 MiB, double step", double_step: true, ..USUAL },
    Setup { name: "16 MiB, double step", kibibytes: 1 << 14, double_step: true, ..USUAL },
    Setup { name: "256 KiB, double step", kibibytes: 1 << 8, double_step: true, ..USUAL },
    Setup { name: "1 MiB, aspiration", aspiration: Some(1), ..USUAL },
    Setup { name: "1 MiB, aspiration, double step", aspiration: Some(1), double_step: true, ..USUAL },
    Setup { name: "1 MiB, MTD(f), double step", mtdf: true, double_step: true, ..USUAL },
    Setup {
        name: "64 MiB, MTD(f), double step, history",
        kibibytes: 1 << 16,
        mtdf: true,
        double_step: true,
        history: true,
        ..USUAL
    },
    Setup { name: "256 MiB, MTD(f), double step", kibibytes: 1 << 18, mtdf: true, double_step: true, ..USUAL },
    Setup { name: "1 MiB, depth preferred", replacement: Replacement::DepthPreferred, ..USUAL },
    Setup { name: "1 MiB, parallel on one thread", parallel: true, ..USUAL },
];

impl Setup {
    /// Whether the table is larger than the caches of usual processors.
    pub(crate) fn has_large_table(self) -> bool {
        self.kibibytes >= 1 << 14
    }

    fn options(self) -> IterativeOptions {
        let mut options = IterativeOptions::new()
            .with_table_byte_size(self.kibibytes << 10)
            .with_replacement_strategy(self.replacement);
        if self.mtdf {
            options = options.with_mtdf();
        }
        if let Some(window) = self.aspiration {
            options = options.with_aspiration_window(window);
        }
        if self.history {
            options = options.with_countermove_history();
        }
        if self.countermoves {
            options = options.with_countermoves();
        }
        if self.double_step {
            options = options.with_double_step_increment();
        }
        options
    }

    /// Searches `root` to `depth`, from an empty table.
    pub(crate) fn run<P, E>(self, root: &P, evaluator: E, unit: i32, depth: u8, limit: Duration) -> Run
    where
        P: Position<Move: Indexed>,
        E: Evaluator<G = Rules<P>> + Clone + Send + Sync + 'static,
    {
        if self.parallel {
            let threads = ParallelOptions::new().with_num_threads(1);
            let mut strategy = ParallelSearch::new(evaluator, self.options(), threads);
            let (time, done) = timed(&mut strategy, root, depth, limit);
            let value = done.then(|| value(strategy.root_value(), unit));
            return Run { time, nodes: None, value };
        }
        let mut strategy = IterativeSearch::new(evaluator, self.options());
        let (time, done) = timed(&mut strategy, root, depth, limit);
        // The node count is only in the text: "... Explored N nodes to depth D. ... next depth hit N nodes. ...".
        let said = strategy.stats(&mut root.clone());
        let number = |before| said.split_once(before).and_then(|(_, rest)| rest.split(' ').next()?.parse::<u64>().ok());
        let nodes = number("Explored ").zip(number("next depth hit ")).map(|(finished, partial)| finished + partial);
        let value = done.then(|| value(strategy.root_value(), unit));
        Run { time, nodes, value }
    }
}

/// The time of a search, and whether it finished within the limit.
fn timed<G: Game>(strategy: &mut impl Strategy<G>, root: &G::S, depth: u8, limit: Duration) -> (Duration, bool) {
    strategy.set_depth_or_timeout(depth, limit);
    let watch = Stopwatch::start();
    let best = strategy.choose_move(root);
    let time = watch.elapsed();
    (time, best.is_some() && !watch.is_over(limit))
}

/// The crate has one value for wins of any distance.
fn value(evaluation: Evaluation, unit: i32) -> Value {
    match evaluation {
        BEST_EVAL => Value::Win,
        WORST_EVAL => Value::Loss,
        other => Value::Hundredths(unit * i32::from(other)),
    }
}
