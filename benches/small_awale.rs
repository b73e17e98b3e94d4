//! Small boards of awalé, solved: the value of the start, and the moves with that value.
//!
//! `cargo bench --bench small_awale [-- --houses N --total N --threads N]`. For each rule and each length of a row, one table
//! of all boards, up to the seeds of the largest start; every start with fewer seeds is in it. A value is what the first
//! player is ahead in the end, in seeds. There is no majority: a game goes on until the board is done. Under rules by which a
//! repetition leaves each side its row, a board has two bounds, what either side can make sure of whatever the history.
//! Prints a Markdown table.

#![allow(clippy::print_stdout, clippy::expect_used, missing_docs)]

use std::time::Instant;

use clap::Parser;
use griot::game::Notation;
use griot::games::awale::{Abapa, AwaleLayers, AwaleNotation, Awari, GrandSlam, Mini, Rest, Variant};
use griot::tablebase::{Bounds, Layered, Monitor, Step, Table};

#[derive(Parser)]
struct Arguments {
    /// The longest row, 2 to 5 houses.
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u8).range(2..=5))]
    houses: u8,
    /// The most seeds of a start, 2 to 60. With 30, rows of five houses take 2 GiB of memory and an hour.
    #[arg(long, default_value_t = 24, value_parser = clap::value_parser!(u8).range(2..=60))]
    total: u8,
    /// The number of threads.
    #[arg(long, default_value_t = 2)]
    threads: usize,
    /// Given by cargo.
    #[arg(long, hide = true)]
    bench: bool,
}

/// The rules of one variant on rows of other lengths, without a majority.
macro_rules! on_rows {
    ($name:ident: $rules:ty) => {
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        struct $name<const HOUSES: usize>;

        impl<const HOUSES: usize> Variant for $name<HOUSES> {
            const NAME: &'static str = <$rules>::NAME;
            const HOUSES: usize = HOUSES;
            const SEEDS: u8 = 6;
            const CAPTURE_MAX: u8 = <$rules>::CAPTURE_MAX;
            const CAPTURE_HOUSES: usize = <$rules>::CAPTURE_HOUSES;
            const GRAND_SLAM: GrandSlam = <$rules>::GRAND_SLAM;
            const UNFED: Option<Rest> = <$rules>::UNFED;
            const REPETITION: Rest = <$rules>::REPETITION;
            const MAJORITY: u8 = 100;
        }
    };
}

on_rows!(MiniOn: Mini);
on_rows!(AbapaOn: Abapa);
on_rows!(AwariOn: Awari);

fn main() {
    let arguments = Arguments::parse();
    println!("| rules | board | seeds in a house | boards | first player's lead | moves with that value | seconds |");
    println!("|---|---|--:|--:|--:|---|--:|");
    for houses in 2..=arguments.houses {
        match houses {
            2 => solve_all::<2>(&arguments),
            3 => solve_all::<3>(&arguments),
            4 => solve_all::<4>(&arguments),
            _ => solve_all::<5>(&arguments),
        }
    }
}

fn solve_all<const HOUSES: usize>(arguments: &Arguments) {
    solve::<MiniOn<HOUSES>>(arguments);
    solve::<AbapaOn<HOUSES>>(arguments);
    solve::<AwariOn<HOUSES>>(arguments);
}

fn solve<V: Variant>(arguments: &Arguments) {
    let begun = Instant::now();
    let most = (arguments.total / (2 * V::HOUSES as u8)).min(V::SEEDS);
    let top = 2 * V::HOUSES * usize::from(most);
    let table = Table::in_memory(AwaleLayers::<V>::default(), top, arguments.threads, &Monitor::default())
        .expect("a builder that is not stopped ends");
    let seconds = begun.elapsed().as_secs_f64();
    for seeds in 1..=most {
        let boards: u64 = (0..=2 * V::HOUSES * usize::from(seeds)).map(|layer| table.rules().size(layer)).sum();
        let (value, moves) = value_of_start(&table, seeds);
        let seconds = if seeds == most { format!("{seconds:.1}") } else { String::new() };
        println!("| `{}` | 2×{} | {seeds} | {boards} | {} | {moves} | {seconds} |", V::NAME, V::HOUSES, told(value));
    }
}

/// The bounds of the start, and its moves with the best of them.
fn value_of_start<V: Variant>(table: &Table<AwaleLayers<V>>, seeds: u8) -> (Bounds, String) {
    let houses = vec![seeds.to_string(); 2 * V::HOUSES].join("-");
    // The other seeds of the rules are in the stores, half in each.
    let stored = V::HOUSES * usize::from(V::SEEDS - seeds);
    let start = AwaleNotation::<V>::default()
        .parse_position(&format!("{houses}-{stored}-{stored}-S"))
        .expect("as many seeds as the rules have");
    let value = table.bounds(&start).expect("a board of the table");
    let mut names = ('A'..).take(V::HOUSES);
    let mut moves = Vec::new();
    table.rules().steps(&start, |step: Step<_>| {
        let name = names.next().expect("as many moves as houses");
        if table.worth(&step) == Some(value) {
            moves.push(name.to_string());
        }
    });
    (value, moves.join(" "))
}

fn told(bounds: Bounds) -> String {
    if bounds.is_exact() { format!("{:+}", bounds.low) } else { format!("{:+} to {:+}", bounds.low, bounds.high) }
}
