//! Cute Chess, which referees by rules of its own: it believes no move that it has not checked, and no engine about the end.

use std::time::{Duration, Instant};

use super::lines::{Ending, Lines};
use super::recordings;
use crate::support::Talk;

/// How long the real one waits for `uciok` and `readyok` before it calls an engine dead.
const PATIENCE: Duration = Duration::from_secs(10);
/// What an engine may overstep its clock by before it has lost on time.
const MARGIN: Duration = Duration::from_millis(1500);

/// A variant, and how its positions begin.
struct Variant {
    name: &'static str,
    cols: usize,
    rows: usize,
    line: usize,
    /// Whether a longer line does not win.
    exact: bool,
    /// Whether stones fall.
    gravity: bool,
    start: &'static str,
}

const TIC_TAC_TOE: Variant = Variant {
    name: "tictactoe",
    cols: 3,
    rows: 3,
    line: 3,
    exact: false,
    gravity: false,
    start: "3/3/3[PPPPPpppp] w - - 0 1",
};
const CONNECT_FOUR: Variant = Variant {
    name: "cfour",
    cols: 7,
    rows: 6,
    line: 4,
    exact: false,
    gravity: true,
    start: "7/7/7/7/7/7[21 P, 21 p] w - - 0 1",
};
const GOMOKU: Variant = Variant {
    name: "gomoku",
    cols: 15,
    rows: 15,
    line: 5,
    exact: true,
    gravity: false,
    start: "15/15/15/15/15/15/15/15/15/15/15/15/15/15/15[113 P, 112 p] w - - 0 1",
};
const GOMOKU_FREESTYLE: Variant = Variant { name: "gomokufreestyle", exact: false, ..GOMOKU };

/// The referee's board and its record.
#[derive(Clone)]
struct Board {
    rules: &'static Variant,
    lines: Lines,
    moves: Vec<String>,
}

impl Board {
    fn new(rules: &'static Variant) -> Board {
        let Variant { cols, rows, line, exact, gravity, .. } = *rules;
        Board { rules, lines: Lines::new(cols, rows, line, exact, gravity), moves: Vec::new() }
    }

    /// Plays a drop, which must be written as the real one reads it and be legal.
    fn play(&mut self, mv: &str) {
        let told = || panic!("{}: illegal move '{mv}' after {:?}", self.rules.name, self.moves);
        let Some(cell) = mv.strip_prefix("P@").filter(|cell| cell.len() >= 2) else { told() };
        let col = usize::from(cell.as_bytes()[0].wrapping_sub(b'a'));
        let row = cell[1..].parse::<usize>().unwrap_or_else(|_| told()).wrapping_sub(1);
        if !self.lines.place(col, row) {
            told();
        }
        self.moves.push(mv.to_owned());
    }

    fn ending(&self) -> Option<Ending> {
        self.lines.ending()
    }
}

/// One engine, as the real one sees it.
struct Engine {
    talk: Talk,
    /// What is left on its clock.
    clock: Duration,
    /// The move on which it ponders.
    ponders_on: Option<String>,
}

impl Engine {
    /// Starts the engine with no argument at all, greets it, and chooses the variant if the greeting has it.
    fn new(rules: &Variant, clock: Duration, ponder: bool) -> Engine {
        let mut talk = Talk::process(&[]);
        talk.send("uci");
        let start = Instant::now();
        let greeting = talk.until("uciok");
        assert!(start.elapsed() < PATIENCE);
        let variants =
            greeting.iter().find_map(|line| line.strip_prefix("option name UCI_Variant type combo default "));
        let mut words = variants.expect("an option for variants").split(" var ").skip(1);
        assert!(words.any(|name| name == rules.name), "{greeting:?}");
        for line in &greeting[..greeting.len() - 1] {
            assert!(line.starts_with("id name ") || line.starts_with("id author ") || line.starts_with("option name "));
        }
        let mut engine = Engine { talk, clock, ponders_on: None };
        engine.ready();
        engine.talk.send(&format!("setoption name UCI_Variant value {}", rules.name));
        engine.talk.send("ucinewgame");
        engine.talk.send(&format!("setoption name Ponder value {ponder}"));
        engine
    }

    /// `isready` is answered at once, whatever else the engine does; only info lines may come before.
    fn ready(&mut self) {
        let start = Instant::now();
        self.talk.send("isready");
        let lines = self.talk.until("readyok");
        assert!(start.elapsed() < PATIENCE);
        assert!(lines[..lines.len() - 1].iter().all(|line| line.starts_with("info ")), "{lines:?}");
    }

    fn position(&mut self, board: &Board, from_fen: bool, expected: Option<&str>) {
        let mut line =
            if from_fen { format!("position fen {}", board.rules.start) } else { "position startpos".into() };
        let moves: Vec<&str> = board.moves.iter().map(String::as_str).chain(expected).collect();
        if !moves.is_empty() {
            line = format!("{line} moves {}", moves.join(" "));
        }
        self.talk.send(&line);
    }

    /// Reads up to the answer: the move, and the reply that is expected to it. Every line of play must be legal, and there
    /// must be one, unless the engine `pondered` and has told them all before.
    fn answer(&mut self, board: &Board, pondered: bool) -> (String, Option<String>) {
        let lines = self.talk.until("bestmove *");
        let (answer, infos) = lines.split_last().unwrap();
        let mut scored = 0;
        for line in infos {
            assert!(line.starts_with("info "), "{line}");
            let Some((_, pv)) = line.split_once(" pv ") else { continue };
            assert!(line.contains(" score "), "{line}");
            let mut play = board.clone();
            pv.split(' ').for_each(|mv| play.play(mv));
            scored += 1;
        }
        assert!(scored > 0 || pondered, "{lines:?}");
        let words: Vec<&str> = answer.split(' ').collect();
        match words.as_slice() {
            ["bestmove", best] => (best.to_string(), None),
            ["bestmove", best, "ponder", expected] => (best.to_string(), Some(expected.to_string())),
            _ => panic!("{answer}"),
        }
    }
}

/// Plays a game between two engines with clocks, pondering or not, for at most so many plies; both may be told the position
/// from its FEN.
fn game(rules: &'static Variant, clock: Duration, ponder: bool, from_fen: bool, plies: usize) -> Option<Ending> {
    let increment = clock / 50;
    let mut engines = [(); 2].map(|()| Engine::new(rules, clock, ponder));
    let mut board = Board::new(rules);
    while board.ending().is_none() && board.moves.len() < plies {
        let turn = board.moves.len() % 2;
        let clocks = engines.each_ref().map(|engine| engine.clock.as_millis());
        let inc = increment.as_millis();
        let limits = format!("wtime {} btime {} winc {inc} binc {inc}", clocks[0], clocks[1]);
        let engine = &mut engines[turn];
        let start = Instant::now();
        let expected = engine.ponders_on.take();
        let hit = expected.is_some() && board.moves.last() == expected.as_ref();
        match expected {
            Some(_) if hit => engine.talk.send("ponderhit"),
            expected => {
                if expected.is_some() {
                    // The engine looked at another move: its answer is waited for and thrown away.
                    engine.talk.send("stop");
                    engine.talk.until("bestmove *");
                }
                engine.position(&board, from_fen, None);
                engine.ready();
                engine.talk.send(&format!("go {limits}"));
            }
        }
        let (best, expected) = engine.answer(&board, hit);
        let spent = start.elapsed();
        assert!(spent < engine.clock + MARGIN, "{spent:?} of {:?}", engine.clock);
        engine.clock = engine.clock.saturating_sub(spent) + increment;
        board.play(&best);
        if let Some(expected) = expected {
            board.clone().play(&expected);
            if ponder && board.ending().is_none() {
                engine.position(&board, from_fen, Some(&expected));
                engine.ready();
                engine.talk.send(&format!("go ponder {limits}"));
                engine.ponders_on = Some(expected);
            }
        }
    }
    for engine in &mut engines {
        // The real one ends every search before it ends the engine.
        if engine.ponders_on.is_some() {
            engine.talk.send("stop");
            engine.talk.until("bestmove *");
        }
        engine.ready();
        engine.talk.send("quit");
        recordings::know("cute_chess_", &engine.talk);
    }
    for engine in engines {
        assert!(engine.talk.exit_status().success());
    }
    board.ending()
}

#[test]
fn cute_chess_referees_tic_tac_toe() {
    let clock = Duration::from_secs(2);
    for (ponder, from_fen) in [(false, false), (true, true)] {
        assert_eq!(game(&TIC_TAC_TOE, clock, ponder, from_fen, 9), Some(Ending::Full));
    }
}

#[test]
fn cute_chess_referees_connect_four() {
    let clock = Duration::from_millis(500);
    for (ponder, from_fen) in [(false, true), (true, false)] {
        assert!(game(&CONNECT_FOUR, clock, ponder, from_fen, 42).is_some());
    }
}

#[test]
fn cute_chess_referees_both_kinds_of_gomoku() {
    let clock = Duration::from_millis(500);
    game(&GOMOKU, clock, true, true, 30);
    game(&GOMOKU_FREESTYLE, clock, false, false, 30);
}

/// Analysis in the GUI, and engines set to a depth, a number of nodes or a time for each move.
#[test]
fn cute_chess_analyses_and_limits_a_search_in_other_ways() {
    for rules in [&TIC_TAC_TOE, &CONNECT_FOUR, &GOMOKU, &GOMOKU_FREESTYLE] {
        let mut engine = Engine::new(rules, Duration::from_secs(1), false);
        let mut board = Board::new(rules);
        for go in ["go depth 2", "go nodes 500", "go movetime 20", "go wtime 500 btime 500 movestogo 20"] {
            engine.position(&board, false, None);
            engine.ready();
            engine.talk.send(go);
            let (best, _) = engine.answer(&board, false);
            board.play(&best);
        }
        recordings::know("cute_chess_", &engine.talk);
        // What follows only the program with the window does.
        engine.talk.send("debug on");
        engine.position(&board, true, None);
        engine.talk.send("go infinite");
        engine.ready();
        let said = engine.talk.lines_within(Duration::from_millis(50));
        assert!(said.iter().all(|line| line.starts_with("info ")), "{said:?}");
        engine.talk.send("stop");
        engine.talk.until("bestmove P@*");
        engine.talk.send("quit");
        assert!(engine.talk.exit_status().success());
    }
}
