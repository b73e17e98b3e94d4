//! The limits of a search, held by what is done and not by a clock: nodes by all threads together, and how much may happen
//! between two looks at the stop flag.

use std::cell::Cell;

use crate::support::{Talk, word};
use griot::game::{Evaluate, NoExpertise, Outcome, Position, Side, mix64};
use griot::score::Score;
use griot::search::perft::perft_until;
use griot::search::{Algorithm, Knowledge, News, Observer, Poll, Stopped, Task, TranspositionTable, search};

thread_local! {
    /// Moves generated and looked at, positions made and valued, since the observer was asked last.
    static WORK: Cell<u64> = const { Cell::new(0) };
}

fn work() {
    WORK.set(WORK.get() + 1);
}

/// The moves of a position of [`Wide`].
const MOVES: u16 = 3000;

/// A game without end that offers thousands of moves.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Wide(u64, Side);

impl Position for Wide {
    type Move = u16;

    fn side_to_move(&self) -> Side {
        self.1
    }

    fn outcome(&self) -> Option<Outcome> {
        None
    }

    fn generate(&self, moves: &mut Vec<u16>) {
        moves.extend((0..MOVES).inspect(|_| work()));
    }

    fn play(&mut self, mv: u16) {
        work();
        *self = Wide(mix64(self.0 ^ u64::from(mv)), self.1.other());
    }

    fn hash(&self) -> u64 {
        self.0
    }
}

/// A value for each position, or nothing that tells them apart.
struct Noise(bool);

impl Evaluate<Wide> for Noise {
    fn evaluate(&self, position: &Wide) -> Score {
        work();
        Score::units(if self.0 { (position.0 % 1000) as i32 } else { 0 })
    }

    fn is_noisy(&self, _position: &Wide, _mv: u16) -> bool {
        work();
        false
    }
}

impl NoExpertise for Noise {}

/// Looks on, and says stop after so many questions.
struct Watch {
    polls: u32,
    most: u64,
    lines: Vec<Vec<u16>>,
}

impl Observer<u16> for Watch {
    fn poll(&mut self) -> Poll {
        self.most = self.most.max(WORK.take());
        self.polls = self.polls.saturating_sub(1);
        if self.polls == 0 { Poll::Stop } else { Poll::Continue }
    }

    fn another_iteration(&mut self) -> bool {
        true
    }

    fn report(&mut self, news: News<'_, u16>) {
        if let News::Line { rank: 1, pv, .. } = news {
            self.lines.push(pv.to_vec());
        }
    }
}

#[test]
fn no_search_works_long_between_two_looks_at_the_stop_flag() {
    /// A few milliseconds, at some ten nanoseconds each.
    const MOST: u64 = 250_000;
    let table = TranspositionTable::new(4).unwrap();
    let root = Wide(7, Side::First);
    for algorithm in Algorithm::ALL {
        for (lines, selective, differ) in [(1, true, true), (1, false, true), (256, true, true), (1, true, false)] {
            for polls in [1, 2, 5, 100] {
                let task = Task { algorithm, lines, selective, ..Task::new(root.clone()) };
                let mut watch = Watch { polls, most: 0, lines: Vec::new() };
                WORK.set(0);
                let verdict = search(&task, Knowledge::new(&Noise(differ), &(), &table), &mut watch);
                let case = format!("{algorithm}, {lines} lines, selective {selective}, {polls} polls");
                assert!(watch.most.max(WORK.get()) < MOST, "{case}: {}", watch.most.max(WORK.get()));
                assert!(!verdict.pv.is_empty() && watch.lines.last() == Some(&verdict.pv), "{case}: {verdict:?}");
            }
        }
    }
}

#[test]
fn perft_looks_at_the_stop_flag_before_it_generates() {
    let root = Wide(7, Side::First);
    for depth in 1..=3 {
        WORK.set(0);
        assert_eq!(perft_until(&root, depth, &mut || true), Err(Stopped));
        assert_eq!(WORK.get(), 0, "depth {depth}");
        let mut most = 0;
        let mut asked = 0;
        let mut stop = || {
            most = most.max(WORK.take());
            asked += 1;
            asked > 100
        };
        let _ = perft_until(&root, depth, &mut stop);
        assert!(most <= u64::from(MOVES) + 1, "depth {depth}: {most}");
    }
}

#[test]
fn all_threads_together_search_no_more_nodes_than_allowed_and_hardly_fewer() {
    let root = Wide(7, Side::First);
    for threads in 1..=4 {
        for nodes in [1, 2, 3, 100, 3_000, 20_001] {
            let table = TranspositionTable::new(4).unwrap();
            let task = Task { threads, nodes, ..Task::new(root.clone()) };
            let verdict = search(&task, Knowledge::new(&Noise(true), &(), &table), &mut ());
            let case = format!("{threads} threads, {nodes} nodes: {}", verdict.nodes);
            assert!(verdict.nodes <= nodes && !verdict.pv.is_empty(), "{case}");
            // What a helper has drawn when the last one is done is lost; one thread loses nothing.
            let lost = if threads == 1 { 0 } else { 16 };
            assert!(verdict.nodes + lost >= nodes, "{case}");
        }
    }
}

#[test]
fn a_position_of_many_moves_is_answered_when_there_is_time_for_few_of_them() {
    let mut talk = Talk::in_memory();
    talk.send("setoption name Game value nim:65535,take=any\nsetoption name MultiPV value 256");
    for evaluation in ["full", "plain"] {
        talk.send(&format!("setoption name Evaluation value {evaluation}"));
        for go in ["go movetime 1", "go infinite\nstop", "go perft 3\nstop"] {
            talk.send(go);
            let said = talk.until("bestmove *");
            if go.contains("perft") {
                assert!(said.iter().any(|line| line.contains("perft stopped")), "{said:?}");
                continue;
            }
            assert!(said.iter().any(|line| line.contains(" pv ")), "{go}: {said:?}");
            // An iteration of that many lines has millions of nodes.
            let nodes = said.iter().filter_map(|line| word(line, "nodes")?.parse::<u64>().ok()).max().unwrap();
            assert!(nodes < 4_000_000, "{go}: {nodes}");
        }
    }
    talk.send("setoption name Game value nim:1999999,take=any");
    talk.expect("info string error: *heaps: expected at most 65535 moves to choose from, found 1999999");
}

/// Runs griot with so little memory that lists of millions of moves would end it.
#[cfg(unix)]
#[test]
fn positions_of_many_moves_fit_into_little_memory() {
    use std::io::Write;
    use std::process::{Command, Stdio};

    let command = format!("ulimit -v 300000; exec '{}'", env!("CARGO_BIN_EXE_griot"));
    let mut child = Command::new("sh")
        .args(["-c", &command])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    writeln!(input, "setoption name Evaluation value plain\nsetoption name MultiPV value 256").unwrap();
    // The first game is refused, and another one is searched.
    for game in ["nim:1999999,take=any", "nim:65535,take=any"] {
        writeln!(input, "setoption name Game value {game}\nposition startpos\ngo nodes 100000").unwrap();
    }
    drop(input);
    let output = child.wait_with_output().unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{}: {said}", output.status);
    assert_eq!(said.lines().filter(|line| line.starts_with("bestmove ")).count(), 2, "{said}");
}

/// The tables of gomoku and the patterns of Othello were made on the search thread, where `stop` and `quit` were not heard meanwhile.
#[cfg(target_os = "linux")]
#[test]
fn what_a_game_needs_is_made_before_its_first_search() {
    for game in ["gomoku", "othello"] {
        let mut talk = Talk::process(&[]);
        talk.ask("query gameover");
        // Nanoseconds on a processor, of all threads.
        let process = talk.process_id();
        let spent = || -> u64 {
            let tasks = std::fs::read_dir(format!("/proc/{process}/task")).unwrap();
            let text = |task: std::fs::DirEntry| std::fs::read_to_string(task.path().join("schedstat")).unwrap();
            tasks.map(|task| text(task.unwrap()).split(' ').next().unwrap().parse::<u64>().unwrap()).sum()
        };
        let before = spent();
        talk.send(&format!("setoption name Game value {game}"));
        talk.ask("query gameover");
        let opened = spent();
        talk.send("go nodes 1");
        talk.until("bestmove *");
        let (opening, search) = (opened - before, spent() - opened);
        assert!(2 * search < opening, "{game}: {opening} ns to open it, {search} ns for one node");
    }
}
