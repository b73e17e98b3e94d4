//! A manager of gomoku tournaments: it keeps its own board and clocks, ends its lines as Windows does, and takes a move only as two
//! numbers with a comma between them.

use std::time::{Duration, Instant};

use super::lines::{Ending, Lines};
use crate::support::Talk;

/// How long an answer to START may take.
const START_PATIENCE: Duration = Duration::from_secs(30);
/// What a brain may overstep its time by before it has lost on time; more than the second of most managers, for these tests share
/// their machine.
const MARGIN: Duration = Duration::from_millis(3000);

struct Brain {
    talk: Talk,
    turn: Duration,
    /// What is left for the match.
    left: Duration,
}

impl Brain {
    /// Starts a brain, by its first word alone or with its dialect on the command line.
    fn start(arguments: &[&str], start: &str, rule: u32, turn: Duration, left: Duration) -> Brain {
        let mut brain = Brain { talk: Talk::process(arguments), turn, left };
        let about = brain.ask("ABOUT", START_PATIENCE);
        assert!(about.contains("name=\"griot\"") && about.contains("version=\""), "{about}");
        assert_eq!(brain.ask(start, START_PATIENCE), "OK");
        brain.inform(rule);
        brain
    }

    fn inform(&mut self, rule: u32) {
        let (turn, left) = (self.turn.as_millis(), self.left.as_millis());
        for info in [
            "INFO max_memory 83886080".to_owned(),
            format!("INFO timeout_match {left}"),
            format!("INFO timeout_turn {turn}"),
            "INFO game_type 1".to_owned(),
            format!("INFO rule {rule}"),
            format!("INFO time_left {left}"),
            "INFO folder C:\\Users\\A B".to_owned(),
        ] {
            self.send(&info);
        }
    }

    fn send(&mut self, line: &str) {
        self.talk.send_raw(format!("{line}\r\n").as_bytes());
    }

    /// Sends a command and answers the line that answers it. Messages may come before it; nothing else may.
    fn ask(&mut self, line: &str, patience: Duration) -> String {
        let start = Instant::now();
        self.send(line);
        loop {
            let said = self.talk.line().expect("an answer");
            if !said.starts_with("MESSAGE ") && !said.starts_with("DEBUG ") {
                assert!(start.elapsed() < patience, "{line}: {:?}", start.elapsed());
                return said;
            }
        }
    }

    /// Asks for a move.
    fn mv(&mut self, line: &str) -> (usize, usize) {
        let left = self.left.as_millis();
        self.send(&format!("INFO time_left {left}"));
        let start = Instant::now();
        let said = self.ask(line, self.turn.min(self.left) + MARGIN);
        self.left = self.left.saturating_sub(start.elapsed());
        let (x, y) = said.split_once(',').unwrap_or_else(|| panic!("no move: {said}"));
        (x.parse().unwrap(), y.parse().unwrap())
    }

    /// The real one kills a brain that is still there a while after `END`.
    fn end(mut self) {
        self.send("END");
        assert!(self.talk.exit_status().success());
    }
}

/// A game between two brains of at most so many plies, begun from these stones.
fn game(side: (usize, usize), rule: u32, opening: &[(usize, usize)], plies: usize) -> Option<Ending> {
    let (turn, left) = (Duration::from_millis(80), Duration::from_secs(20));
    let start = if side.0 == side.1 { format!("START {}", side.0) } else { format!("RECTSTART {},{}", side.0, side.1) };
    let mut brains = [&["--dialect", "gomocup"][..], &[]].map(|args| Brain::start(args, &start, rule, turn, left));
    // In renju an overline wins for white, and black makes none.
    let mut board = Lines::new(side.0, side.1, 5, rule == 1, false);
    let mut moves = opening.to_vec();
    opening.iter().for_each(|&(x, y)| assert!(board.place(x, y)));
    while board.ending().is_none() && moves.len() < plies {
        let brain = &mut brains[moves.len() % 2];
        let line = match moves.last() {
            None => "BEGIN".into(),
            Some((x, y)) if moves.len() > opening.len() + 1 || opening.is_empty() => format!("TURN {x},{y}"),
            Some(_) => {
                // A brain that has not seen the opening is told the board.
                brain.send("BOARD");
                for (i, (x, y)) in moves.iter().enumerate() {
                    brain.send(&format!("{x},{y},{}", if i % 2 == moves.len() % 2 { 1 } else { 2 }));
                }
                "DONE".into()
            }
        };
        let (x, y) = brain.mv(&line);
        assert!(board.place(x, y), "{x},{y} after {moves:?}");
        moves.push((x, y));
    }
    brains.into_iter().for_each(Brain::end);
    board.ending()
}

#[test]
fn a_gomoku_manager_runs_games_of_either_rule() {
    game((15, 15), 0, &[], 24);
    game((20, 20), 1, &[(10, 10), (11, 11), (9, 10)], 14);
}

#[test]
fn a_gomoku_manager_runs_the_smallest_the_largest_and_an_oblong_board() {
    assert!(game((5, 5), 0, &[], 25).is_some());
    game((22, 22), 0, &[], 6);
    game((12, 7), 1, &[], 10);
}

/// Under a rule that griot does not know it says so once and plays on; the manager judges.
#[test]
fn a_gomoku_manager_that_plays_caro_is_warned() {
    let mut brain = Brain::start(&[], "START 15", 0, Duration::from_millis(50), Duration::from_secs(20));
    brain.send("INFO rule 8");
    assert!(brain.talk.until("MESSAGE rule 8 is not known*").len() == 1);
    brain.mv("BEGIN");
    brain.end();
}

/// Two threes of black's wait for one stone, which is his best point but for the rule.
#[test]
fn a_gomoku_manager_plays_renju() {
    let mut brain = Brain::start(&[], "START 15", 4, Duration::from_millis(300), Duration::from_secs(20));
    brain.send("BOARD");
    for stone in ["5,7,1", "6,7,1", "7,5,1", "7,6,1", "0,0,2", "14,0,2", "0,14,2", "14,14,2"] {
        brain.send(stone);
    }
    assert_ne!(brain.mv("DONE"), (7, 7));
    assert_eq!(brain.ask("RESTART", MARGIN), "OK");
    let said = brain.ask("YXSHOWFORBID", MARGIN);
    assert_eq!(said, "FORBID .");
    brain.end();
    assert!(game((15, 15), 4, &[], 30).is_none_or(|ending| ending == Ending::Line));
}

/// The three questions of the swap2 opening: three stones, a side, and a side again.
#[test]
fn a_gomoku_manager_opens_by_swap2() {
    let mut brain = Brain::start(&[], "START 15", 1, Duration::from_millis(300), Duration::from_secs(20));
    brain.send("SWAP2BOARD");
    let opening = brain.ask("DONE", START_PATIENCE);
    let points: Vec<&str> = opening.split(' ').collect();
    let mut different = points.clone();
    different.dedup();
    assert!(different.len() == 3 && points.iter().all(|point| point.contains(',')), "{opening}");
    brain.send("SWAP2BOARD");
    points.iter().for_each(|point| brain.send(point));
    let side = brain.ask("DONE", START_PATIENCE);
    let put: Vec<&str> = side.split(' ').collect();
    assert!(
        side == "SWAP" || put.len() <= 2 && put.iter().all(|at| at.contains(',') && !points.contains(at)),
        "{side}"
    );
    // Black is about to win: whoever may choose takes black. And white is, with one more stone each.
    for (stones, swaps) in [
        (&["7,7", "0,0", "7,8"][..], None),
        (&["7,7", "0,0", "7,8", "0,14", "7,6"], Some(true)),
        (&["0,0", "7,7", "14,14", "7,8", "0,14"], Some(false)),
    ] {
        brain.send("SWAP2BOARD");
        stones.iter().for_each(|stone| brain.send(stone));
        let said = brain.ask("DONE", START_PATIENCE);
        if let Some(swaps) = swaps {
            assert_eq!(said == "SWAP", swaps, "{stones:?}: {said}");
        }
    }
    brain.send("SWAP2BOARD");
    brain.send("7,7");
    assert!(brain.ask("DONE", START_PATIENCE).starts_with("ERROR 1 stones"));
    brain.end();
}

/// With three stones there are three answers, and the value chooses among them; with five there are two.
#[test]
fn a_gomoku_manager_is_answered_by_value_in_swap2() {
    let mut brain = Brain::start(&[], "START 15", 1, Duration::from_secs(20), Duration::from_secs(1000));
    // By nodes, so that the values are always the same.
    brain.send("INFO max_node 60000");
    let mut choose = |stones: &[&str]| {
        assert_eq!(brain.ask("RESTART", MARGIN), "OK");
        brain.send("SWAP2BOARD");
        stones.iter().for_each(|stone| brain.send(stone));
        brain.ask("DONE", START_PATIENCE)
    };
    let points = |said: &str| said.split(' ').map(str::to_owned).collect::<Vec<String>>();
    // White has no other stone near: black is taken. Black has put one at the edge: white is kept.
    assert_eq!(choose(&["7,7", "14,0", "8,8"]), "SWAP");
    let kept = choose(&["7,7", "7,8", "14,0"]);
    assert!(kept != "SWAP" && points(&kept).len() == 1, "{kept}");
    // Here nobody stands better: two more stones, and the opponent may choose.
    let even = ["7,7", "9,9", "11,6"];
    let two = choose(&even);
    let put = points(&two);
    assert!(put.len() == 2 && put[0] != put[1] && put.iter().all(|at| !even.contains(&at.as_str())), "{two}");
    // Which leaves five; then there is a side to be taken, even though neither is better.
    let five = [even.as_slice(), &[put[0].as_str(), put[1].as_str()]].concat();
    let side = choose(&five);
    assert!(side == "SWAP" || points(&side).len() == 1 && !five.contains(&side.as_str()), "{side}");
    // What was told is not played yet: the manager tells the whole board after the opening.
    brain.send("BOARD");
    for (i, stone) in five.iter().enumerate() {
        brain.send(&format!("{stone},{}", if i % 2 == 1 { 1 } else { 2 }));
    }
    brain.mv("DONE");
    brain.end();
}

/// What a manager may impose, and the rest of its check list: a spelling, memory, a limit of nodes.
#[test]
fn a_gomoku_manager_imposes_a_move_and_limits() {
    let mut brain = Brain::start(&[], "RECSTART 15,12", 0, Duration::from_secs(5), Duration::from_secs(100));
    brain.send("INFO max_memory 0");
    brain.send("INFO max_node 300");
    assert_eq!(brain.ask("PLAY 4,4", MARGIN), "4,4");
    assert!(brain.ask("TURN 4,4", MARGIN).starts_with("ERROR "));
    let begin = Instant::now();
    brain.mv("TURN 5,5");
    assert!(begin.elapsed() < Duration::from_secs(4), "300 nodes end it");
    brain.end();
}

#[test]
fn a_gomoku_manager_takes_back_restarts_and_sets_up() {
    let mut brain = Brain::start(&[], "START 20", 0, Duration::from_millis(50), Duration::from_secs(20));
    let (x, y) = brain.mv("TURN 3,3");
    assert_eq!(brain.ask(&format!("TAKEBACK {x},{y}"), MARGIN), "OK");
    assert_eq!(brain.ask("TAKEBACK 3,3", MARGIN), "OK");
    brain.mv("BEGIN");
    assert_eq!(brain.ask("RESTART", MARGIN), "OK");
    // Own stones first, as some managers list them; four in a row want a fifth.
    brain.send("BOARD");
    for stone in ["5,5,1", "6,5,1", "7,5,1", "8,5,1", "0,0,2", "2,0,2", "4,0,2", "9,5,2"] {
        brain.send(stone);
    }
    assert_eq!(brain.mv("DONE"), (4, 5));
    brain.end();
}

/// A brain says what it cannot do, and goes on.
#[test]
fn a_gomoku_manager_is_told_what_it_cannot_have() {
    let mut brain = Brain { talk: Talk::process(&[]), turn: Duration::from_millis(50), left: Duration::from_secs(20) };
    for line in ["START 4", "START 23", "RECTSTART 30,20", "BEGIN", "TURN 3,3", "BOARD", "DONE", "3,3,1"] {
        let said = brain.ask(line, START_PATIENCE);
        assert!(said.starts_with("ERROR "), "{line}: {said}");
    }
    let said = brain.ask("SUGGEST 3,3", START_PATIENCE);
    assert!(said.starts_with("UNKNOWN "), "{said}");
    assert_eq!(brain.ask("START 15", START_PATIENCE), "OK");
    brain.inform(0);
    brain.mv("BEGIN");
    brain.end();
}

/// The rest of a manager's check list: what may be sent before a board is chosen, every key of INFO, and silence about all of it.
#[test]
fn a_gomoku_manager_hears_nothing_that_it_has_not_asked_for() {
    let mut talk = Talk::process(&["--dialect", "gomocup"]);
    assert!(talk.lines_within(Duration::from_millis(150)).is_empty(), "nothing is said before the first command");
    let mut brain = Brain { talk, turn: Duration::from_millis(80), left: Duration::from_secs(20) };
    for key in [
        "timeout_turn 80",
        "timeout_match 20000",
        "max_memory 83886080",
        "time_left 20000",
        "game_type 0",
        "game_type 3",
        "rule 0",
        "evaluate 3,4",
        "folder /tmp",
        "folder C:\\Program Files\\brains",
        "a_key_of_tomorrow 1",
    ] {
        brain.send(&format!("INFO {key}"));
    }
    // Empty lines are skipped.
    brain.send("");
    brain.talk.send("");
    let said = brain.ask("START 20", START_PATIENCE);
    assert_eq!((said.as_str(), brain.talk.log.iter().filter(|line| line.starts_with("< ")).count()), ("OK", 1));
    let (x, y) = brain.mv("BEGIN");
    assert!(x < 20 && y < 20);
    brain.end();
}

/// What was set before START holds after it, and RESTART keeps the board and the rule, by which a longer line does not win.
#[test]
fn a_gomoku_manager_restarts_under_the_same_rule() {
    let mut brain =
        Brain { talk: Talk::process(&[]), turn: Duration::from_millis(1500), left: Duration::from_secs(100) };
    brain.send("INFO rule 1");
    assert_eq!(brain.ask("RECTSTART 16,12", START_PATIENCE), "OK");
    // It is found at once; a little time may show a longer win first.
    brain.send("INFO timeout_turn 1500");
    for again in [false, true] {
        if again {
            assert_eq!(brain.ask("RESTART", MARGIN), "OK");
        }
        brain.send("BOARD");
        // Seven in a row, and five in a file.
        for stone in ["3,5", "4,5", "5,5", "7,5", "8,5", "9,5", "12,0", "12,1", "12,2", "12,3"] {
            brain.send(&format!("{stone},1"));
        }
        for stone in ["0,11", "2,11", "4,11", "6,11", "8,11", "10,11", "14,11", "0,9", "2,9", "4,9"] {
            brain.send(&format!("{stone},2"));
        }
        assert_eq!(brain.mv("DONE"), (12, 4));
    }
    // The width is 16 and the height 12.
    assert_eq!(brain.ask("RESTART", MARGIN), "OK");
    assert!(brain.ask("TURN 15,12", MARGIN).starts_with("ERROR "));
    brain.mv("TURN 15,11");
    brain.end();
}

/// A board is taken whole or not at all, and only the last stone can be taken back.
#[test]
fn a_gomoku_manager_errs_and_nothing_has_changed() {
    let mut brain = Brain::start(&[], "START 15", 0, Duration::from_millis(60), Duration::from_secs(20));
    let (x, y) = brain.mv("TURN 7,7");
    for wrong in [
        "TAKEBACK 7,7",
        "TAKEBACK 0,0",
        "TURN 7,7",
        "TURN 15,0",
        "TURN x,y",
        "TURN",
        "START",
        "START x",
        "START 4",
        "PLAY 7,7",
    ] {
        let said = brain.ask(wrong, MARGIN);
        assert!(said.starts_with("ERROR "), "{wrong}: {said}");
    }
    // The error of a stone comes at once, and the board that it is missing from is refused, too.
    for (errors, stones) in [
        (1, &["1,1,1", "2,2,1"][..]),
        (1, &["1,1,2", "2,2,2"]),
        (1, &["1,1,2", "1,1,1"]),
        (1, &["15,15,2"]),
        (2, &["1,1,2", "2,2", "3,3,1"]),
        (2, &["1,1,2", "2,2,3", "3,3,1"]),
    ] {
        brain.send("BOARD");
        stones.iter().for_each(|stone| brain.send(stone));
        brain.send("DONE");
        for _ in 0..errors {
            let said = brain.talk.line().unwrap();
            assert!(said.starts_with("ERROR "), "{stones:?}: {said}");
        }
    }
    // The game of before goes on.
    assert!(brain.ask(&format!("TURN {x},{y}"), MARGIN).starts_with("ERROR "));
    let free = if (x, y) == (0, 0) { "0,1" } else { "0,0" };
    brain.mv(&format!("TURN {free}"));
    brain.end();
}

/// END ends a brain at once, whatever it does; so does the end of the pipe within the time for a move.
#[test]
fn a_gomoku_manager_is_rid_of_a_brain_at_once() {
    let ended = |thinks: bool| {
        let mut brain = Brain::start(&[], "START 20", 0, Duration::from_secs(30), Duration::from_secs(1000));
        if thinks {
            brain.send("BEGIN");
            brain.talk.until("MESSAGE depth*");
        }
        let start = Instant::now();
        brain.end();
        start.elapsed()
    };
    for thinks in [false, true] {
        // The machine may be busy with other tests: once in three is proof enough.
        let fast = (0..3).any(|_| ended(thinks) < Duration::from_secs(1));
        assert!(fast, "thinking: {thinks}");
    }
    let mut brain = Brain::start(&[], "START 20", 0, Duration::from_millis(300), Duration::from_secs(1000));
    brain.send("BEGIN");
    let start = Instant::now();
    assert!(brain.talk.exit_status().success());
    assert!(start.elapsed() < Duration::from_millis(300) + MARGIN, "{:?}", start.elapsed());
}

/// The time for a move and the time for all of them hold, the smaller one too, and a clock that has run out is no reason to fall silent.
#[test]
fn a_gomoku_manager_gives_little_time() {
    for (turn, left) in [(100, 20_000), (5_000, 600), (0, 20_000), (50, 0)] {
        let (turn, left) = (Duration::from_millis(turn), Duration::from_millis(left));
        let mut brain = Brain::start(&[], "START 20", 0, turn, left);
        brain.mv("BEGIN");
        brain.end();
    }
}

/// What the process takes stays within what it may have: in a tournament it would be ended for more.
#[cfg(target_os = "linux")]
#[test]
fn a_gomoku_manager_limits_memory() {
    for mebibytes in [64, 350] {
        let mut brain = Brain::start(&[], "START 20", 0, Duration::from_millis(300), Duration::from_secs(20));
        brain.send("INFO hash_size 262144");
        brain.send(&format!("INFO max_memory {}", mebibytes << 20));
        brain.mv("BEGIN");
        let status = std::fs::read_to_string(format!("/proc/{}/status", brain.talk.process_id())).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
        let kib: u64 = line.trim().trim_end_matches(" kB").parse().unwrap();
        assert!(kib >> 10 < mebibytes, "{kib} KiB of {mebibytes} MiB");
        brain.end();
    }
}
