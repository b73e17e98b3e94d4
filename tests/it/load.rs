//! What does not grow: memory, threads and descriptors of a program that is used for long, or flooded by a client that does not
//! read. A sample of each in the gate; the full size is `cargo test --test it -- --ignored load`, which prints its figures.

#![cfg(target_os = "linux")]

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use griot::registry::samples;

use crate::support::PATIENCE;

/// How much more a flooded program may take than an idle one, in KiB.
const FLOODED_KIB: u64 = 64 << 10;

/// A program whose output is read when the test wants to.
struct Program {
    child: Child,
    input: Option<ChildStdin>,
    output: Option<BufReader<ChildStdout>>,
}

/// What a program holds.
#[derive(Debug, Clone, Copy)]
struct Held {
    kib: u64,
    threads: usize,
    descriptors: usize,
}

impl Program {
    fn new(options: &[&str]) -> Program {
        let mut child = Command::new(env!("CARGO_BIN_EXE_griot"))
            .args(options)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let input = child.stdin.take();
        let output = child.stdout.take().map(BufReader::new);
        let mut program = Program { child, input, output };
        // Whatever is built at the first need is there afterwards.
        program.tell("go depth 6");
        program.until("bestmove");
        program
    }

    fn tell(&mut self, line: &str) {
        self.input.as_mut().unwrap().write_all(format!("{line}\n").as_bytes()).unwrap();
    }

    fn until(&mut self, beginning: &str) {
        let mut line = String::new();
        while !line.starts_with(beginning) {
            line.clear();
            assert!(self.output.as_mut().unwrap().read_line(&mut line).unwrap() > 0, "the program ended");
        }
    }

    fn ready(&mut self) {
        self.tell("isready");
        self.until("readyok");
    }

    fn proc(&self, file: &str) -> String {
        format!("/proc/{}/{file}", self.child.id())
    }

    /// A number of the status page, in KiB.
    fn status(&self, name: &str) -> u64 {
        let status = fs::read_to_string(self.proc("status")).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix(name)).unwrap();
        line.trim_start_matches(':').trim().trim_end_matches(" kB").parse().unwrap()
    }

    fn held(&self) -> Held {
        let count = |folder| fs::read_dir(self.proc(folder)).unwrap().count();
        Held { kib: self.status("VmRSS"), threads: count("task"), descriptors: count("fd") }
    }

    /// Processor time so far, in ticks.
    fn ticks(&self) -> u64 {
        let stat = fs::read_to_string(self.proc("stat")).unwrap();
        let fields: Vec<&str> = stat.rsplit_once(')').unwrap().1.split_whitespace().collect();
        fields[11].parse::<u64>().unwrap() + fields[12].parse::<u64>().unwrap()
    }

    /// Waits until it works no more.
    fn until_it_rests(&self) {
        let start = Instant::now();
        let mut before = self.ticks();
        loop {
            thread::sleep(Duration::from_millis(150));
            let now = self.ticks();
            if now == before {
                return;
            }
            assert!(start.elapsed() < PATIENCE, "it works on");
            before = now;
        }
    }

    /// Sends all this, while nobody reads what comes back.
    fn flood(&mut self, text: Vec<u8>) {
        let mut input = self.input.take().unwrap();
        let sent = thread::spawn(move || {
            input.write_all(&text).unwrap();
            input
        });
        let start = Instant::now();
        while !sent.is_finished() {
            assert!(start.elapsed() < PATIENCE, "the flood is not taken");
            thread::sleep(Duration::from_millis(5));
        }
        self.input = Some(sent.join().unwrap());
    }

    /// Ends the input and reads all that is still said; counts the lines that begin so.
    fn rest(&mut self, beginning: &str) -> usize {
        self.input = None;
        let lines = self.output.take().unwrap().lines();
        let count = lines.filter(|line| line.as_ref().unwrap().starts_with(beginning)).count();
        assert_eq!(self.child.wait().unwrap().code(), Some(0));
        count
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Sends a flood behind `go infinite` with nobody reading, then `stop`. Memory stays bounded, and the search ends.
fn flooded(text: Vec<u8>) -> Program {
    let mut program = Program::new(&[]);
    let idle = program.held().kib;
    program.tell("go infinite");
    program.until("info depth 3");
    program.flood(text);
    program.tell("stop");
    let most = program.status("VmHWM");
    println!("idle {idle} KiB, flooded {most} KiB");
    assert!(most < idle + FLOODED_KIB, "{idle} KiB, flooded {most}");
    program
}

fn flooded_with_searches(number: usize) {
    let mut program = flooded("go\n".repeat(number).into_bytes());
    program.until("bestmove");
    program.tell("quit");
    // LAW 1: those for which there was no room have their answer, too.
    assert_eq!(program.rest("bestmove"), number);
}

fn flooded_with_positions(number: usize) {
    let long = format!("position startpos moves {}\n", "A a ".repeat(262_000));
    let mut program = flooded(long.repeat(number).into_bytes());
    program.until_it_rests();
    program.until("bestmove");
    // What is refused leaves no position.
    program.tell("query fen");
    program.until("response unknown");
    program.tell("position startpos");
    program.tell("query fen");
    program.until("response 4-4-");
    assert_eq!(program.rest("bestmove"), 0);
}

fn flooded_with_questions(number: usize) {
    let mut program = flooded("isready\n".repeat(number).into_bytes());
    program.until_it_rests();
    assert_eq!(program.rest("readyok"), number);
}

#[test]
fn a_flood_of_searches_behind_a_search_does_not_fill_the_memory() {
    flooded_with_searches(400_000);
}

#[test]
fn a_flood_of_long_positions_behind_a_search_does_not_fill_the_memory() {
    flooded_with_positions(100);
}

#[test]
fn a_flood_of_questions_with_nobody_reading_does_not_fill_the_memory() {
    flooded_with_questions(500_000);
}

#[test]
#[ignore = "the full size of the floods above"]
fn floods_at_full_size() {
    flooded_with_searches(1_000_000);
    flooded_with_positions(300);
    flooded_with_questions(4 << 20);
}

#[test]
fn a_stop_acts_while_the_answers_before_it_are_not_read() {
    let mut program = Program::new(&[]);
    program.tell("go infinite");
    program.until("info depth 3");
    // More than is kept: the engine's own thread waits for its client to read.
    program.flood("query board\n".repeat(10_000).into_bytes());
    program.tell("stop");
    program.until_it_rests();
    assert_eq!(program.rest("bestmove"), 1);
}

#[test]
fn an_idle_program_takes_no_processor_time() {
    let mut program = Program::new(&[]);
    program.ready();
    program.until_it_rests();
    let before = program.ticks();
    thread::sleep(Duration::from_millis(300));
    assert_eq!(program.ticks(), before);
}

/// What few rounds may still add, in KiB: pages that are touched for the first time.
const FIRST_TOUCHED_KIB: u64 = 256;

/// Does `round` a number of times, and more often; then no more is held than before, up to one percent and `slack` KiB.
fn steady(what: &str, mut round: impl FnMut(&mut Program, usize), (often, more_often): (usize, usize), slack: u64) {
    // The table has no say in this: a small one is full at once.
    let mut program = Program::new(&["--option", "Hash=1"]);
    let mut rounds = 0..more_often;
    rounds.by_ref().take(often).for_each(|number| round(&mut program, number));
    program.ready();
    let before = program.held();
    rounds.for_each(|number| round(&mut program, number));
    program.ready();
    let after = program.held();
    println!("{what}: after {often} {before:?}, after {more_often} {after:?}");
    assert_eq!((after.threads, after.descriptors), (before.threads, before.descriptors), "{what}");
    assert!(after.kib <= before.kib + before.kib / 100 + slack, "{what}: {before:?}, {after:?}");
}

fn go_and_stop(program: &mut Program, number: usize) {
    program.tell("go infinite");
    if number == 0 {
        // Deeper than any of the others comes: its memory is touched once.
        program.until("info depth 16");
    } else if number.is_multiple_of(10) {
        program.until("info depth 4");
    }
    program.tell("stop");
    program.until("bestmove");
}

fn new_game(program: &mut Program, _: usize) {
    program.tell("uginewgame");
    program.tell("go nodes 2000");
    program.until("bestmove");
}

fn other_game(program: &mut Program, number: usize) {
    let games: Vec<&str> = samples().filter(|sample| sample.depth > 0).map(|sample| sample.game).collect();
    program.tell(&format!("setoption name Game value {}", games[number % games.len()]));
    program.tell("go nodes 1000 depth 5");
    program.until("bestmove");
}

#[test]
fn searches_leave_nothing_behind() {
    steady("go and stop", go_and_stop, (100, 1_000), FIRST_TOUCHED_KIB);
}

#[test]
fn new_games_leave_nothing_behind() {
    steady("new games", new_game, (50, 150), FIRST_TOUCHED_KIB);
}

#[test]
fn changes_of_game_leave_nothing_behind() {
    steady("changes of game", other_game, (50, 100), FIRST_TOUCHED_KIB);
}

#[test]
#[ignore = "the full size of the loads above"]
fn loads_at_full_size() {
    steady("go and stop", go_and_stop, (100, 10_000), 0);
    steady("new games", new_game, (100, 1_000), 0);
    steady("changes of game", other_game, (100, 200), 0);
}
