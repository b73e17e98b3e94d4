//! A match between two engines of any dialect, refereed by griot's own rules. `--help` teaches how to play one.
//!
//! ```text
//!   args ----> main ---- one thread per game at a time ----> game ----> engine (process, reader thread)
//!                |  <---- finished games, one channel ----     |----> referee (a griot session)
//!                +----> score, stats, record
//! ```
//!
//! The threads take the next opening, play both games of it, and send them; this one books, prints and records them, so a
//! line of the record is written by one write of one thread. Ctrl-C ends the program between two such lines, and the
//! engines, whose input ends with it.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program with a command line")]

mod args;
mod command;
mod engine;
mod game;
mod openings;
mod record;
mod referee;
mod score;
mod stats;
mod waiting;

use std::fs::File;
use std::io::Write;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

use clap::Parser;
use crossbeam_channel::{Sender, unbounded};
use griot::game::Side;
use griot::protocol::words;

use args::Args;
use engine::{Engine, Spec};
use game::{Limits, Seat};
use openings::Opening;
use record::{Record, Who};
use referee::Referee;
use score::{Finished, Score};

fn main() -> ExitCode {
    let args = Args::parse();
    let result = match &args.replay {
        Some(path) => {
            std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display())).map(|text| {
                let (count, wrong) = record::replay(&text);
                wrong.iter().for_each(|problem| eprintln!("{problem}"));
                println!("{count} records, {} of them not true", wrong.len());
                ExitCode::from(u8::from(!wrong.is_empty()))
            })
        }
        None => run(&args).map(|()| ExitCode::SUCCESS),
    };
    result.unwrap_or_else(|problem| {
        eprintln!("play_match: {problem}");
        ExitCode::from(2)
    })
}

/// Plays the match.
fn run(args: &Args) -> Result<(), String> {
    let problem = |problem: griot::message::Problem| problem.text;
    let mut referee = Referee::new(&args.game).map_err(problem)?;
    let openings = openings(args, &mut referee)?;
    let specs = args.specs(&referee)?;
    let (specs, names) = try_out(specs, [&args.name_a, &args.name_b])?;
    let mut records = match &args.records {
        Some(path) => Some(record::open_for_adding(path).map_err(|error| format!("{}: {error}", path.display()))?),
        None => None,
    };
    let plan = Plan {
        seed: args.random_plies.map(|_| args.seed),
        limits: args.limits(),
        pairs: args.pairs(),
        openings,
        specs,
        names: names.clone(),
        next: AtomicUsize::new(0),
        stop: AtomicBool::new(false),
    };
    let count = args.concurrency.clamp(1, plan.pairs);
    let mut referees = vec![referee];
    while referees.len() < count {
        referees.push(Referee::new(&args.game).map_err(problem)?);
    }
    let mut score = Score::new(names, args.sprt);
    thread::scope(|scope| {
        let (sender, finished) = unbounded();
        for referee in referees {
            let (plan, sender) = (&plan, sender.clone());
            scope.spawn(move || plan.work(referee, &sender));
        }
        drop(sender);
        for game in finished {
            score.book(&game);
            eprintln!("{}", score.line(&game, 2 * plan.pairs));
            if let Some(file) = &mut records
                && let Err(error) = add(file, &game.record)
            {
                // A match without its records is worth little: the games under way are finished, and no more begun.
                plan.stop.store(true, Ordering::Relaxed);
                return Err(format!("the records cannot be written: {error}"));
            }
            if score.is_decisive() {
                plan.stop.store(true, Ordering::Relaxed);
            }
        }
        Ok(())
    })?;
    print!("{}", score.table());
    Ok(())
}

fn add(file: &mut File, record: &Record) -> std::io::Result<()> {
    file.write_all(record.line()?.as_bytes())
}

/// The openings of the match; one of them is the start position if none are asked for.
fn openings(args: &Args, referee: &mut Referee) -> Result<Vec<Opening>, String> {
    let pairs = args.pairs();
    let openings = match (&args.openings, args.random_plies) {
        (Some(path), _) => {
            let told = |problem: String| format!("{}: {problem}", path.display());
            let text = std::fs::read_to_string(path).map_err(|error| told(error.to_string()))?;
            openings::read_openings(&text, referee).map_err(told)?
        }
        (None, Some(plies)) => openings::random_openings(referee, plies, pairs, args.seed)?,
        (None, None) => vec![Opening::default()],
    };
    if openings.len() < pairs {
        let count = openings.len();
        eprintln!("fewer openings ({count}) than pairs of games ({pairs}): they come again, and the games may too");
    }
    Ok(openings)
}

/// Starts each engine once: tells a wrong command line before the first game, and learns dialects and names.
fn try_out(specs: [Spec; 2], given: [&Option<String>; 2]) -> Result<([Spec; 2], [String; 2]), String> {
    let mut names = [String::new(), String::new()];
    let mut specs = specs;
    for (i, letter) in ["A", "B"].into_iter().enumerate() {
        let engine = Engine::start(&specs[i]).map_err(|fault| {
            let hint = "check its command line, or say what it speaks with --dialect-a, --dialect-b";
            format!("engine {letter} ({}): {}; {hint}", specs[i].command.join(" "), fault.detail)
        })?;
        let own = engine.name.clone().unwrap_or_else(|| specs[i].command[0].clone());
        names[i] = given[i].clone().unwrap_or(own);
        specs[i].dialect = Some(engine.dialect);
    }
    if names[0] == names[1] {
        names[0] += " A";
        names[1] += " B";
    }
    Ok((specs, names))
}

/// What the threads of a match share.
struct Plan {
    seed: Option<u64>,
    limits: Limits,
    pairs: usize,
    openings: Vec<Opening>,
    /// Engine A, engine B.
    specs: [Spec; 2],
    names: [String; 2],
    /// The next pair to be played.
    next: AtomicUsize,
    stop: AtomicBool,
}

impl Plan {
    /// Plays pair after pair until there is none left.
    fn work(&self, mut referee: Referee, finished: &Sender<Finished>) {
        let [a, b] = &self.specs;
        let mut seats = [Seat::new(a), Seat::new(b)];
        while !self.stop.load(Ordering::Relaxed) {
            let pair = self.next.fetch_add(1, Ordering::Relaxed);
            if pair >= self.pairs {
                return;
            }
            let opening = &self.openings[pair % self.openings.len()];
            for (side_of_a, round) in [(Side::First, 2 * pair + 1), (Side::Second, 2 * pair + 2)] {
                let game = self.play(&mut referee, &mut seats, opening, side_of_a, round);
                if finished.send(game).is_err() {
                    return;
                }
            }
        }
    }

    fn play(
        &self,
        referee: &mut Referee,
        seats: &mut [Seat<'_>; 2],
        opening: &Opening,
        side_of_a: Side,
        round: usize,
    ) -> Finished {
        let [a, b] = &mut *seats;
        let in_order = if side_of_a == Side::First { [a, b] } else { [b, a] };
        let played = game::play(referee, in_order, opening, &self.limits);
        let who = |side: Side| {
            let i = usize::from(side != side_of_a);
            Who {
                name: self.names[i].clone(),
                command: self.specs[i].command.clone(),
                dialect: words(self.specs[i].dialect.unwrap_or_default()).greeting.to_owned(),
            }
        };
        let (thinkers, thoughts) = played.thoughts.into_iter().unzip();
        let end = played.end;
        let record = Record {
            game: referee.game().to_owned(),
            round,
            seed: self.seed,
            limits: self.limits.text(),
            p1: who(Side::First),
            p2: who(Side::Second),
            board: opening.board.clone(),
            opening: opening.moves.len(),
            moves: referee.moves().to_vec(),
            thoughts,
            result: end.result,
            reason: end.reason,
            by: end.by,
            answer: end.answer,
            detail: end.detail,
        };
        Finished { round, side_of_a, thinkers, record }
    }
}
