//! A model of the protocol, and random sessions against it.
//!
//! [`contract`] says for UGI and UCI what each command must answer, [`search`] what a search may say, [`steps`] the same for GTP
//! and Gomocup. [`sessions`] makes sessions by a seed, [`talk`] plays them with an engine in memory or with the program, and makes
//! those that fail small. `GRIOT_MODEL_SEED` and `GRIOT_MODEL_COMMANDS` choose another run:
//!
//! ```text
//! GRIOT_MODEL_SEED=7 GRIOT_MODEL_COMMANDS=10000000 cargo test --release --test it -- --ignored model::
//! ```

mod contract;
mod files;
mod lines;
mod referee;
mod search;
mod sessions;
mod steps;
mod talk;
mod wrong;

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use files::Files;
use griot::game::mix64;
use griot_testing::{Cases, sample};
use sessions::{Taste, session};
use talk::{Act, Failure, Session, minimise, play};

/// One session of so many is held with the program, in a process of its own.
const PROCESSES: u64 = 25;
/// One session of so many lets awalé build its tables.
const TABLES: u64 = 100;
/// How long a session that failed is made smaller.
const TIME_TO_MINIMISE: Duration = Duration::from_secs(60);

fn number(variable: &str, default: u64) -> u64 {
    std::env::var(variable).ok().map_or(default, |text| text.parse().unwrap_or_else(|_| panic!("{variable}: {text}")))
}

/// The session of this place in a run.
fn nth(seed: u64, n: u64, files: &Files) -> (u64, Session) {
    let own = mix64(seed) ^ n;
    let taste = Taste { tables: n % TABLES == TABLES - 1 };
    (own, session(own, n.is_multiple_of(PROCESSES), taste, files))
}

/// Plays sessions until so many commands have gone in, on so many threads; what fails is made small and told.
fn run(name: &str, seed: u64, commands: u64, threads: usize) {
    let files = Files::new(name);
    let (next, sent, failed) = (AtomicU64::new(0), AtomicU64::new(0), AtomicBool::new(false));
    let failures: Mutex<Vec<(u64, u64, Session, Failure)>> = Mutex::new(Vec::new());
    let start = Instant::now();
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while sent.load(Ordering::Relaxed) < commands && !failed.load(Ordering::Relaxed) {
                    let n = next.fetch_add(1, Ordering::Relaxed);
                    let (own, session) = nth(seed, n, &files);
                    match play(&session) {
                        Ok(count) => {
                            let before = sent.fetch_add(count, Ordering::Relaxed);
                            if before / 500_000 != (before + count) / 500_000 {
                                println!("{} commands, {} sessions, {:?}", before + count, n, start.elapsed());
                            }
                        }
                        Err(failure) => {
                            failed.store(true, Ordering::Relaxed);
                            failures.lock().unwrap().push((own, n, session, failure));
                        }
                    }
                }
            });
        }
    });
    let (sent, sessions) = (sent.load(Ordering::Relaxed), next.load(Ordering::Relaxed));
    println!("{sent} commands in {sessions} sessions, {:?}", start.elapsed());
    if let Some((own, n, session, failure)) = failures.into_inner().unwrap().into_iter().next() {
        let why = failure.why.clone();
        let (small, failure) = minimise(&session, failure, TIME_TO_MINIMISE);
        panic!(
            "seed {seed}, session {n} ({own:#x}), {:?}, {} of {} acts\n{}{}\nat first: {why}\nnow: {}",
            small.start,
            small.acts.len(),
            session.acts.len(),
            failure.log,
            small.acts.iter().map(told).collect::<Vec<_>>().join(" | "),
            failure.why
        );
    }
    assert!(sent >= commands);
}

fn told(act: &Act) -> String {
    match act {
        Act::Send(line) => String::from_utf8_lossy(&line[..line.len().min(100)]).into_owned(),
        other => format!("{other:?}"),
    }
}

#[test]
fn random_sessions_get_the_answers_that_the_contract_promises() {
    let Cases { seed, rounds } = sample(2, 100_000, 8_000);
    run("model", number("GRIOT_MODEL_SEED", seed), number("GRIOT_MODEL_COMMANDS", rounds as u64), 2);
}

#[test]
#[ignore = "takes an hour; see docs/guarantees.md"]
fn ten_million_commands_get_the_answers_that_the_contract_promises() {
    let threads = thread::available_parallelism().map_or(1, usize::from);
    run("model-long", number("GRIOT_MODEL_SEED", 3), number("GRIOT_MODEL_COMMANDS", 10_000_000), threads);
}

/// The same seed makes the same session: otherwise a failure could not be looked at again.
#[test]
fn a_seed_makes_one_session() {
    let files = Files::new("model-seed");
    for n in 0..50 {
        let (one, other) = (nth(3, n, &files).1, nth(3, n, &files).1);
        assert_eq!((one.start, one.acts), (other.start, other.acts));
    }
    assert_ne!(nth(3, 0, &files).1.acts, nth(4, 0, &files).1.acts);
}
