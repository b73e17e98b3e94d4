//! The ten laws where a transcript cannot tell them: storms of commands, every game and dialect, games that fail, processes,
//! the order of things, and the same again. What users of engines complain about most is at the end.

use std::fs;
use std::io::{ErrorKind, Read, Write};
use std::process::{Child, Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

#[cfg(unix)]
use crate::support::signal;
use crate::support::{Folder, PATIENCE, Talk, word};
use griot::engine::Only;
use griot::game::family::Sample;
use griot::game::{Evaluate, Game, NoExpertise, Notation, Outcome, Position, Side, TextError};
use griot::message::Problem;
use griot::registry::{Registry, samples};
use griot::score::Score;
use griot::session::{Catalogue, Resources, Session};
use griot_testing::picked;

const DIALECTS: [&str; 2] = ["ugi", "uci"];

/// The games that the laws are tried on.
fn games() -> impl Iterator<Item = &'static Sample> {
    samples().filter(|sample| sample.depth > 0)
}

/// Whether a game has so many moves that three plies are many.
fn is_wide(sample: &Sample) -> bool {
    sample.depth <= 2
}

/// An engine that was greeted and plays `game`.
fn talk(greeting: &str, game: &str) -> Talk {
    let mut talk = Talk::in_memory();
    greet(&mut talk, greeting);
    talk.send(&format!("setoption name Game value {game}"));
    talk
}

fn greet(talk: &mut Talk, greeting: &str) {
    talk.send(greeting);
    talk.until(&format!("{greeting}ok"));
}

/// The move of a `bestmove` line.
fn best(line: &str) -> &str {
    word(line, "bestmove").unwrap_or_else(|| panic!("no best move: {line}"))
}

/// Whether the answer to a `go` says that there is no move.
fn is_none(answer: &str) -> bool {
    matches!(answer, "bestmove 0000" | "bestmove (none)")
}

fn bests(lines: &[String]) -> Vec<&str> {
    lines.iter().filter(|line| line.starts_with("bestmove")).map(|line| best(line)).collect()
}

fn legal_moves(talk: &mut Talk) -> Vec<String> {
    talk.ask("query legalmoves").split(' ').skip(1).map(str::to_owned).collect()
}

/// The principal variation of an info line, as it is written.
fn pv(line: &str) -> Option<&str> {
    line.split_once(" pv ").map(|(_, pv)| pv)
}

/// The deepest iteration that was reported.
fn depth(lines: &[String]) -> u32 {
    lines.iter().filter_map(|line| word(line, "depth")).map(|depth| depth.parse().unwrap()).max().unwrap_or(0)
}

/// The nodes of the last line that has a principal variation.
fn nodes(lines: &[String]) -> u64 {
    let line = lines.iter().rev().find(|line| pv(line).is_some()).unwrap();
    word(line, "nodes").unwrap().parse().unwrap()
}

// ---------------------------------------------------------------------------------------------------- laws 1, 2 and 3

#[test]
fn law_03_no_stop_is_lost_in_a_storm_of_a_thousand() {
    const STORM: usize = 1000;
    for greeting in DIALECTS {
        let mut talk = talk(greeting, "awale");
        talk.send("position startpos");
        let legal = legal_moves(&mut talk);
        talk.send_raw("go infinite\nstop\n".repeat(STORM).as_bytes());
        let said = talk.rest();
        let moves = bests(&said);
        assert_eq!(moves.len(), STORM, "{greeting}");
        assert!(moves.iter().all(|mv| legal.iter().any(|legal| legal == mv)), "{greeting}");
    }
}

/// The stop stood behind the position, which waits for the search that it should end.
#[test]
fn law_03_a_stop_reaches_the_search_that_waits_whatever_waits_behind_it() {
    for greeting in DIALECTS {
        let mut talk = talk(greeting, "awale");
        talk.send_raw(b"go infinite\ngo infinite\nposition startpos moves A\nstop\n");
        talk.until("bestmove *");
        talk.until("bestmove *");
        assert_eq!(talk.ask("query p1turn"), "response false");
        talk.send_raw(b"go infinite\ngo ponder depth 1\nposition startpos\nponderhit\nstop\n");
        talk.until("bestmove *");
        talk.until("bestmove *");
        assert_eq!(talk.ask("query p1turn"), "response true");
    }
}

#[test]
fn law_03_several_threads_stop_and_answer_as_one_does() {
    const STORM: usize = 100;
    for (greeting, threads) in DIALECTS.into_iter().zip([2, 5]) {
        let mut talk = talk(greeting, "awale");
        talk.send(&format!("setoption name Threads value {threads}"));
        talk.send("position startpos");
        let legal = legal_moves(&mut talk);
        talk.send_raw("go infinite\nstop\n".repeat(STORM).as_bytes());
        talk.send("go nodes 30000");
        talk.send("go depth 8");
        let said = talk.rest();
        let moves = bests(&said);
        assert_eq!(moves.len(), STORM + 2, "{greeting}");
        assert!(moves.iter().all(|mv| legal.iter().any(|legal| legal == mv)), "{greeting}");
        assert!(!said.iter().any(|line| line.contains("error")), "{greeting}");
    }
}

#[test]
fn law_03_a_storm_with_positions_between_answers_for_each_position() {
    const STORM: usize = 250;
    for greeting in DIALECTS {
        let mut talk = talk(greeting, "awale");
        let round = "position startpos\ngo infinite\nstop\nposition startpos moves A\ngo infinite\nstop\n";
        talk.send_raw(round.repeat(STORM).as_bytes());
        let said = talk.rest();
        let moves = bests(&said);
        assert_eq!(moves.len(), 2 * STORM, "{greeting}");
        for pair in moves.chunks(2) {
            // South moves in upper case, North in lower case.
            assert!(pair[0].chars().all(|c| ('A'..='F').contains(&c)), "{greeting}: {pair:?}");
            assert!(pair[1].chars().all(|c| ('a'..='f').contains(&c)), "{greeting}: {pair:?}");
        }
        assert!(!said.iter().any(|line| line.contains("error")), "{greeting}");
    }
}

#[test]
fn law_01_two_hundred_searches_in_one_breath_are_all_answered() {
    for greeting in DIALECTS {
        let mut talk = talk(greeting, "awale");
        talk.send_raw("go depth 1\n".repeat(200).as_bytes());
        let said = talk.rest();
        let moves = bests(&said);
        assert_eq!(moves.len(), 200, "{greeting}");
        assert!(moves.iter().all(|mv| *mv == moves[0]), "{greeting}: {moves:?}");
    }
}

#[test]
fn law_01_a_hundred_moves_asked_for_in_one_breath_are_answered_in_order() {
    let mut talk = Talk::in_memory();
    talk.send("time_settings 0 0 0");
    let mut asked = String::new();
    for i in (0..200).step_by(2) {
        // Whatever the move is, it can be taken back and asked for again.
        asked += &format!("{i} genmove black\n# interrupt\n{} undo\n", i + 1);
    }
    talk.send_raw(asked.as_bytes());
    assert_eq!(talk.until(""), ["= ", ""]);
    for i in (0..200).step_by(2) {
        let [moved, undone] = [talk.until(""), talk.until("")];
        assert_eq!((moved.len(), moved[0].len()), (2, format!("={i} A3").len()), "{moved:?}");
        assert_eq!(undone, [format!("={} ", i + 1), String::new()]);
    }
    assert!(talk.rest().is_empty());
}

#[test]
fn law_01_stops_and_ponderhits_without_a_search_are_nothing() {
    let mut talk = talk("ugi", "awale");
    talk.send_raw("stop\nponderhit\n".repeat(100).as_bytes());
    talk.send("go depth 1");
    assert_eq!(bests(&talk.rest()).len(), 1);
}

/// Searches the position that `moves` lead to, and checks all that LAW 1 says of the answer. Answers the best move.
fn checked_search(talk: &mut Talk, moves: &[String], go: &str) -> Option<String> {
    let position = |moves: &str| match moves {
        "" => "position startpos".to_owned(),
        moves => format!("position startpos moves {moves}"),
    };
    let played = moves.join(" ");
    talk.send(&position(&played));
    let legal = legal_moves(talk);
    talk.send(go);
    let said = talk.until("bestmove *");
    let (answer, infos) = said.split_last().unwrap();
    let context = format!("{go} after '{played}': {said:#?}");
    assert!(infos.iter().any(|line| line.contains(" score ")), "{context}");
    let best = best(answer).to_owned();
    if legal.is_empty() {
        assert!(is_none(answer), "{context}");
        return None;
    }
    let is_best = |line: &&String| word(line, "multipv").is_none_or(|rank| rank == "1");
    let line = infos.iter().rev().filter(is_best).find_map(|line| pv(line));
    let line = line.unwrap_or_else(|| panic!("no pv: {context}"));
    assert!(line.starts_with(&best), "the best move is not the first of the pv: {context}");
    assert!(legal.contains(&best), "not legal: {context}");
    if let Some(expected) = word(answer, "ponder") {
        assert!(line[best.len()..].trim_start().starts_with(expected), "{context}");
    }
    for line in infos.iter().filter(|line| line.contains(" score ")) {
        let line = pv(line).unwrap_or_else(|| panic!("no pv: {context}"));
        talk.send(&position(&format!("{played} {line}")));
        assert_eq!(talk.ask("isready"), "readyok", "not legal to its end: {context}");
    }
    Some(best)
}

#[test]
fn law_01_in_every_game_and_dialect_a_score_and_a_legal_line_come_before_the_move() {
    for greeting in DIALECTS {
        for &Sample { game, depth, .. } in games() {
            let go = format!("go depth {}", depth.min(5));
            let mut talk = talk(greeting, game);
            let mut moves = Vec::new();
            for _ in 0..24 {
                let Some(best) = checked_search(&mut talk, &moves, &go) else { break };
                moves.push(best);
            }
        }
    }
}

#[test]
fn law_01_every_algorithm_answers_with_a_legal_line() {
    for algorithm in ["minimax", "negamax", "negabeta", "alphabeta", "mcts"] {
        for sample in games() {
            let mut talk = talk("ugi", sample.game);
            talk.send(&format!("setoption name Algorithm value {algorithm}"));
            let go = if is_wide(sample) { "go depth 1" } else { "go depth 3" };
            let mut moves = Vec::new();
            for _ in 0..4 {
                let Some(best) = checked_search(&mut talk, &moves, go) else { break };
                moves.push(best);
            }
        }
    }
}

#[test]
fn law_01_the_moves_of_a_cute_chess_variant_are_drops_in_lines_and_answers() {
    let mut talk = Talk::in_memory();
    greet(&mut talk, "uci");
    talk.send("setoption name UCI_Variant value tictactoe");
    let mut moves = Vec::new();
    while let Some(best) = checked_search(&mut talk, &moves, "go depth 9") {
        assert!(best.starts_with("P@"), "{best}");
        moves.push(best);
    }
    assert_eq!(moves.len(), 9, "perfect play is a draw");
    assert_eq!(talk.ask("query result"), "response draw");
}

/// The ranks, scores and first moves of the lines that were told, in order.
fn ranked(said: &[String]) -> Vec<(usize, String, String)> {
    let lines = said.iter().filter(|line| pv(line).is_some());
    lines
        .map(|line| {
            let rank = word(line, "multipv").expect("a rank").parse().unwrap();
            let first = pv(line).unwrap().split(' ').next().unwrap().to_owned();
            (rank, word(line, "depth").unwrap().to_owned(), first)
        })
        .collect()
}

#[test]
fn law_01_of_several_lines_the_best_is_first_and_played() {
    for &Sample { game, depth, .. } in picked(games(), 6) {
        for algorithm in ["alphabeta", "mcts", "negabeta"] {
            let mut talk = talk("ugi", game);
            talk.send("setoption name MultiPV value 3");
            talk.send(&format!("setoption name Algorithm value {algorithm}"));
            let go = format!("go depth {} nodes 3000", depth.min(4));
            let mut moves = Vec::new();
            for _ in 0..6 {
                let legal = legal_moves(&mut talk).len();
                talk.send(&go);
                let said = talk.until("bestmove *");
                for group in ranked(&said).chunk_by(|a, b| a.0 < b.0) {
                    let ranks: Vec<usize> = group.iter().map(|line| line.0).collect();
                    assert_eq!(ranks, (1..=ranks.len()).collect::<Vec<_>>(), "{game}, {algorithm}: {said:#?}");
                    assert!(ranks.len() <= legal.min(3));
                    assert!(group.iter().all(|line| line.1 == group[0].1), "one depth: {said:#?}");
                    let first = |i: usize| &group[i].2;
                    assert!((0..ranks.len()).all(|i| (0..i).all(|j| first(i) != first(j))), "{game}: {said:#?}");
                }
                let Some(best) = checked_search(&mut talk, &moves, &go) else { break };
                moves.push(best);
            }
        }
    }
}

#[test]
fn law_01_several_lines_keep_to_the_moves_named_and_to_stop() {
    let mut talk = talk("ugi", "awale");
    talk.send("setoption name MultiPV value 256");
    talk.send("go depth 4 searchmoves B D F");
    let said = talk.until("bestmove *");
    let mut last: Vec<String> = ranked(&said).into_iter().rev().take(3).map(|line| line.2).collect();
    last.sort();
    assert_eq!(last, ["B", "D", "F"], "{said:#?}");
    talk.send("go infinite\nstop");
    let said = talk.until("bestmove *");
    let ranked = ranked(&said);
    let (_, _, played) = ranked.iter().rfind(|line| line.0 == 1).unwrap();
    assert_eq!(best(&said[said.len() - 1]), played);
    assert!(ranked.iter().filter(|line| line.1 == "1").count() == 6, "the first iteration completes: {said:#?}");
}

// ---------------------------------------------------------------------------------------------------------- levels

#[test]
fn law_01_every_level_plays_every_game_by_its_rules() {
    for sample in picked(games(), 6) {
        let mut talk = talk("ugi", sample.game);
        for level in [0, 1, 5, 9] {
            talk.send(&format!("setoption name Skill Level value {level}"));
            let go = if is_wide(sample) { "go nodes 3000" } else { "go movetime 60000" };
            let mut moves = Vec::new();
            for _ in 0..8 {
                let Some(best) = checked_search(&mut talk, &moves, go) else { break };
                moves.push(best);
            }
        }
    }
}

/// The moves of a game that `level` plays with itself from the start.
fn game_of_level(game: &str, level: usize, seed: u32) -> Vec<String> {
    let mut talk = talk("ugi", game);
    talk.send(&format!("setoption name Skill Level value {level}\nsetoption name Seed value {seed}"));
    let mut moves = Vec::new();
    for _ in 0..30 {
        let Some(best) = checked_search(&mut talk, &moves, "go nodes 5000") else { break };
        moves.push(best);
    }
    moves
}

#[test]
fn law_10_a_level_plays_the_same_game_again_and_another_one_with_another_seed() {
    for game in picked(["awale", "othello", "connect4", "chess"], 2) {
        for level in [0, 4, 8] {
            let play = |seed| game_of_level(game, level, seed);
            assert_eq!(play(0), play(0), "{game}, level {level}");
            assert!((1..6).any(|seed| play(seed) != play(0)), "{game}, level {level}: there is no chance in it");
        }
    }
}

#[test]
fn every_level_sees_a_win_and_a_loss_that_lie_before_its_eyes() {
    for level in 0..=20 {
        for seed in 0..5 {
            let mut talk = talk("ugi", "tictactoe");
            talk.send(&format!("setoption name Skill Level value {level}\nsetoption name Seed value {seed}"));
            talk.send("position startpos moves a1 a3 b1 b3");
            talk.send("go movetime 60000");
            assert_eq!(bests(&talk.until("bestmove *")), ["c1"], "level {level}");
            talk.send("setoption name Game value connect4");
            talk.send("position startpos moves d a d a d");
            talk.send("go movetime 60000");
            assert_eq!(bests(&talk.until("bestmove *")), ["d"], "level {level}");
        }
    }
}

#[test]
fn a_weaker_level_knows_no_theory_and_looks_no_further_than_its_sight() {
    let mut talk = talk("ugi", "nim");
    talk.send("setoption name UCI_LimitStrength value true\nsetoption name UCI_Elo value 500");
    talk.send("go infinite");
    talk.send("isready");
    // The search may be over before the answer is.
    let mut weak = talk.until("readyok");
    talk.send("stop");
    talk.send("setoption name UCI_LimitStrength value false");
    talk.send("go depth 3");
    weak.extend(talk.until("bestmove *"));
    assert_eq!(depth(&weak), 1);
    assert!(weak.iter().all(|line| !line.contains("mate") && !line.contains("tbhits 3")), "{weak:#?}");
    let full = talk.until("bestmove *");
    assert!(full.iter().any(|line| line.contains("score mate -5")), "{full:#?}");
}

#[test]
fn only_a_depth_alone_is_gone_to_by_two_plies() {
    let mut talk = talk("ugi", "awale");
    let mut depths = |go: &str| -> Vec<u32> {
        talk.send(go);
        let lines = talk.until("bestmove *");
        let words = lines.iter().filter(|line| line.contains(" pv ")).filter_map(|line| line.split(' ').nth(2));
        words.map(|word| word.parse().unwrap()).collect()
    };
    assert_eq!(depths("go depth 6"), [1, 2, 3, 4, 5, 6]);
    assert_eq!(depths("setoption name Selective value false\ngo depth 6"), [1, 2, 4, 6]);
    assert_eq!(depths("go depth 6 movetime 600000"), [1, 2, 3, 4, 5, 6]);
    assert_eq!(depths("go depth 6 nodes 1000000000"), [1, 2, 3, 4, 5, 6]);
    // A weaker level weighs several lines of each depth.
    let mut weaker = depths("setoption name Skill Level value 8\ngo depth 200");
    weaker.dedup();
    assert_eq!(weaker, [1, 2, 3, 4, 5]);
}

// ------------------------------------------------------------------------------------------------- games that fail

/// Take one or two; whoever takes the last wins. Its rules fail when 13 are left, its evaluation when more than 5 are.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Fragile {
    left: u64,
    first: bool,
}

#[derive(Debug, Clone)]
struct FragileTexts;

#[derive(Debug, Clone)]
struct FragileEvaluation;

impl Position for Fragile {
    type Move = u64;

    fn side_to_move(&self) -> Side {
        if self.first { Side::First } else { Side::Second }
    }

    fn outcome(&self) -> Option<Outcome> {
        (self.left == 0).then(|| Outcome::Win(self.side_to_move().other()))
    }

    fn generate(&self, moves: &mut Vec<u64>) {
        moves.extend(1..=self.left.min(2));
    }

    fn play(&mut self, mv: u64) {
        self.left -= mv;
        self.first = !self.first;
        assert!(self.left != 13, "thirteen is too much");
    }

    fn hash(&self) -> u64 {
        griot::game::mix64(self.left << 1 | u64::from(self.first))
    }
}

impl Notation for FragileTexts {
    type Position = Fragile;

    fn start(&self) -> Fragile {
        Fragile { left: 20, first: true }
    }

    fn parse_position(&self, text: &str) -> Result<Fragile, TextError> {
        match text.parse() {
            Ok(left) => Ok(Fragile { left, first: true }),
            Err(_) => Err(TextError::new(0, "board", "a number", text)),
        }
    }

    fn position_text(&self, position: &Fragile) -> String {
        position.left.to_string()
    }

    fn parse_move(&self, position: &Fragile, text: &str) -> Result<u64, TextError> {
        let legal = |mv: &u64| (1..=position.left.min(2)).contains(mv);
        text.parse().ok().filter(legal).ok_or_else(|| TextError::new(0, "move", "1 or 2", text))
    }

    fn move_text(&self, _position: &Fragile, mv: u64) -> String {
        mv.to_string()
    }
}

impl Evaluate<Fragile> for FragileEvaluation {
    fn evaluate(&self, position: &Fragile) -> Score {
        assert!(position.left <= 5, "the evaluation lost\nits \u{1b}[31mhead");
        Score::units(0)
    }
}

impl NoExpertise for FragileEvaluation {}

fn fragile() -> Talk {
    let game = Game::new("fragile", FragileTexts, FragileEvaluation);
    Talk::with(Box::leak(Box::new(Only(game))))
}

#[test]
fn law_01_a_search_that_panics_is_reported_and_answered_and_the_next_one_works() {
    for greeting in DIALECTS {
        let mut talk = fragile();
        greet(&mut talk, greeting);
        for _ in 0..3 {
            talk.send("position startpos");
            talk.send("go depth 3");
            talk.expect("info string error: the search failed (the evaluation lost\\nits \\u{1b}[31mhead); *");
            talk.expect("info depth 1 score cp 0 * pv 1");
            talk.expect("bestmove 1");
            assert_eq!(talk.ask("isready"), "readyok");
            assert_eq!(talk.ask("query fen"), "response 20");
            talk.send("position fen 4");
            talk.send("go depth 9");
            let said = talk.until("bestmove *");
            assert_eq!(best(&said[said.len() - 1]), "1", "{said:?}");
            assert!(!said.iter().any(|line| line.contains("error")), "{said:?}");
        }
        assert!(talk.rest().is_empty());
    }
}

#[test]
fn law_01_a_search_that_panics_on_several_threads_is_answered_too() {
    let mut talk = fragile();
    talk.send("setoption name Threads value 4");
    for _ in 0..20 {
        talk.send("position fen 20");
        talk.send("go depth 3");
        talk.expect("info string error: the search failed (*");
        talk.expect("info depth 1 score cp 0 * pv 1");
        talk.expect("bestmove 1");
    }
    talk.send("position fen 4");
    talk.send("go depth 9");
    let said = talk.until("bestmove *");
    assert_eq!(best(&said[said.len() - 1]), "1", "{said:?}");
}

#[test]
fn law_01_a_panic_under_searchmoves_answers_with_one_of_them() {
    let mut talk = fragile();
    talk.send("go searchmoves 2 depth 3");
    talk.expect("info string error: *");
    talk.expect("info depth 1 * pv 2");
    talk.expect("bestmove 2");
}

#[test]
fn law_05_a_search_that_panics_under_infinite_waits_for_stop_like_any_other() {
    let mut talk = fragile();
    talk.send("go infinite");
    talk.expect("info string error: *");
    talk.expect("info depth 1 *");
    assert_eq!(talk.lines_within(Duration::from_millis(100)), [] as [String; 0]);
    talk.send("stop");
    talk.expect("bestmove 1");
}

#[test]
fn law_01_a_count_that_panics_is_reported_and_answered_and_the_session_lives() {
    let mut talk = fragile();
    for _ in 0..3 {
        talk.send("go perft 9");
        let said = talk.until("bestmove *");
        assert!(said.iter().any(|line| line.contains("go failed (thirteen is too much)")), "{said:?}");
        assert_eq!(said[said.len() - 1], "bestmove 0000");
        talk.send("go perft 2");
        assert!(talk.until("bestmove *").contains(&"Nodes searched: 4".to_owned()));
    }
}

#[test]
fn law_06_a_count_deeper_than_any_game_does_not_fill_the_stack() {
    let mut talk = talk("ugi", "awale");
    talk.send("go perft 250");
    assert_eq!(talk.ask("isready"), "readyok");
    talk.send("stop");
    talk.until("bestmove 0000");
    for deeper in ["251", "4294967295", "4294967296", "18446744073709551615"] {
        talk.send(&format!("go perft {deeper}"));
        talk.expect("info string error: go perft: expected at most 250 plies");
        talk.expect("bestmove 0000");
    }
    assert_eq!(talk.ask("isready"), "readyok");
}

// ------------------------------------------------------------------------------------------------------------ law 2

#[test]
fn law_02_questions_during_a_search_are_answered_before_its_move() {
    for greeting in DIALECTS {
        let mut talk = talk(greeting, "awale");
        talk.send("position startpos");
        talk.send("go infinite");
        for (asked, answer) in [
            ("isready", "readyok"),
            ("query fen", "response 4-4-4-4-4-4-4-4-4-4-4-4-0-0-S"),
            ("query gameover", "response false"),
            ("query result", "response none"),
            ("query p1turn", "response true"),
            ("query legalmoves", "response A B C D E F"),
            ("query board", "info string *S*outh*"),
            ("query nothing", "response unknown"),
            ("help", "info string *quit*"),
            ("nonsense", "info string error: *unknown command 'nonsense'*"),
            ("debug maybe", "info string error: *'on' or 'off'*"),
            (greeting, "*ok"),
        ] {
            talk.send(asked);
            let said = talk.until(answer);
            assert!(bests(&said).is_empty(), "{asked}: {said:?}");
        }
        talk.send("stop");
        talk.until("bestmove *");
        assert!(talk.rest().is_empty());
    }
}

#[test]
fn law_02_what_waits_is_done_in_order_and_no_two_searches_overlap() {
    for greeting in DIALECTS {
        let mut talk = talk(greeting, "awale");
        talk.send("debug on");
        let mut lines = "go infinite\n".to_owned();
        for round in 0..20 {
            lines += ["position startpos\n", "position startpos moves A\n"][round % 2];
            lines += &format!("go depth {}\n", 1 + round % 5);
        }
        lines += "stop\n";
        // The last stop is for the last search: they are in order, and all of them have been asked for.
        talk.send_raw(lines.as_bytes());
        talk.send("isready");
        let mut said = talk.until("readyok");
        talk.send("stop");
        said.extend(talk.rest());

        let mut searching = None;
        let mut answered = 0;
        for line in &said {
            if let Some(rest) = line.strip_prefix("info string debug: search ") {
                let id: u32 = rest.split(' ').next().unwrap().parse().unwrap();
                if rest.contains("starts") {
                    assert_eq!(searching, None, "{line}");
                    searching = Some(id);
                } else {
                    assert_eq!(searching, Some(id), "{line}");
                }
            } else if line.starts_with("bestmove") {
                assert_eq!(searching, Some(answered + 1), "{line}");
                if answered > 0 {
                    let south = answered % 2 == 1;
                    assert_eq!(best(line).starts_with(char::is_uppercase), south, "{line}");
                }
                answered += 1;
                searching = None;
            } else if line.starts_with("info depth") {
                assert!(searching.is_some(), "{line}");
            }
        }
        assert_eq!(answered, 21, "{greeting}");
    }
}

// ------------------------------------------------------------------------------------------------------------ law 5

#[test]
fn law_05_nothing_is_answered_before_it_is_asked_for_on_solved_positions() {
    for greeting in DIALECTS {
        for (game, position) in [
            ("tictactoe", "position startpos moves a1 b2 c3 c1 a3 a2"),
            ("tictactoe", "position fen xxx/oo1/3 o"),
            ("nim", "position startpos"),
            ("connect4", "position fen 7/7/7/7/ooo4/xxx4 x"),
            ("connect4", "position fen 7/7/7/7/ooo4/xxxx3 o"),
            ("othello", "position fen xxxxxxxx/xooxxxxx/oooxooox/ooxoooox/ooxxoxox/ooxoxxox/oooxoxox/1oxxxxxx o"),
            ("nim:1", "position startpos"),
            ("awale", "position fen 0-0-0-0-0-2-0-0-0-0-0-0-23-23-S"),
            ("awale", "position fen 0-0-0-0-0-0-0-0-0-0-0-0-25-23-S"),
        ] {
            for (go, release) in [
                ("go infinite", "stop"),
                ("go ponder", "stop"),
                ("go ponder depth 2", "ponderhit"),
                ("go ponder movetime 1", "ponderhit"),
                ("go ponder wtime 1 btime 1 p1time 1 p2time 1", "ponderhit"),
                ("go infinite movetime 1 depth 1 nodes 1", "stop"),
            ] {
                let mut talk = talk(greeting, game);
                talk.send(position);
                talk.send(go);
                talk.until("info depth * score *");
                sleep(Duration::from_millis(10));
                talk.send("isready");
                let said = talk.until("readyok");
                assert!(bests(&said).is_empty(), "{game}, {position}, {go}: {said:?}");
                talk.send(release);
                assert_eq!(bests(&talk.rest()).len(), 1, "{game}, {position}, {go}");
            }
        }
    }
}

#[test]
fn law_05_a_limit_of_time_counts_from_ponderhit() {
    let mut talk = talk("uci", "awale");
    for go in ["go ponder movetime 20", "go ponder wtime 200 btime 200", "go ponder depth 3 movetime 20"] {
        talk.send("position startpos");
        talk.send(go);
        // Longer than the limit: it does not count yet.
        sleep(Duration::from_millis(100));
        talk.send("isready");
        assert!(bests(&talk.until("readyok")).is_empty(), "{go}");
        talk.send("ponderhit");
        talk.until("bestmove *");
        // A second one, or a stop, is nothing.
        talk.send("ponderhit");
        talk.send("stop");
        assert_eq!(talk.ask("isready"), "readyok", "{go}");
    }
}

#[test]
fn law_05_ponderhit_does_not_end_an_unbounded_search() {
    let mut talk = talk("uci", "awale");
    talk.send("go ponder infinite");
    talk.send("ponderhit");
    sleep(Duration::from_millis(50));
    talk.send("isready");
    assert!(bests(&talk.until("readyok")).is_empty());
    talk.send("stop");
    talk.until("bestmove *");
}

// ------------------------------------------------------------------------------------------------------------ law 7

#[test]
fn law_07_two_engines_agree_on_who_lost_by_an_illegal_move() {
    // A game, two legal moves, and a move that is illegal after none, one or both of them.
    for (game, moves, illegal) in [
        ("awale", ["A", "a"], "A"),
        ("awale:awari", ["A", "a"], "A"),
        ("awale:tipe", ["A", "a"], "A"),
        ("awale:mini", ["A", "a"], "A"),
        ("tictactoe", ["b2", "a1"], "b2"),
        ("morpion:4", ["b2", "a1"], "b2"),
        ("mnk:5,4,4", ["b2", "a1"], "b2"),
        ("gomoku", ["h8", "a1"], "h8"),
        ("gomokufreestyle", ["h8", "a1"], "h8"),
        ("connect4", ["d", "4"], "h"),
        ("connect4:2,2,2", ["a", "a"], "a"),
        ("othello", ["d3", "c5"], "d3"),
        ("nim", ["a3", "a3"], "a4"),
        ("nim:3-4-5,take=any,normal", ["a3", "b4"], "a1"),
    ] {
        let mut engines = [talk("ugi", game), talk("uci", game)];
        for played in 0..=2 {
            for wrong in [illegal, "zz", "0000", "?"] {
                if wrong == illegal && played < 2 {
                    continue;
                }
                let line = format!("position startpos moves {} {wrong}", moves[..played].join(" "));
                let winner = if played % 2 == 0 { "p2win" } else { "p1win" };
                for talk in &mut engines {
                    talk.send(&line);
                    talk.expect("info string error: *; the game is lost by it");
                    assert_eq!(talk.ask("query gameover"), "response true", "{game}: {line}");
                    assert_eq!(talk.ask("query result"), format!("response {winner}"), "{game}: {line}");
                    assert_eq!(talk.ask("query legalmoves"), "response", "{game}: {line}");
                    talk.send("go depth 3");
                    talk.expect("info depth 0 score mate *");
                    assert!(is_none(&talk.line().unwrap()));
                    // The next good position forgets it.
                    talk.send("position startpos");
                    assert_eq!(talk.ask("query gameover"), "response false", "{game}: {line}");
                }
            }
        }
    }
}

// ------------------------------------------------------------------------------------------------------------ law 8

/// Runs the program on `input`, and ends the input.
fn run(arguments: &[&str], input: &[u8]) -> Output {
    let mut child = spawn(arguments);
    child.stdin.take().unwrap().write_all(input).unwrap();
    let mut stdout = child.stdout.take().unwrap();
    let mut stderr = child.stderr.take().unwrap();
    let out = std::thread::spawn(move || {
        let mut bytes = Vec::new();
        stdout.read_to_end(&mut bytes).unwrap();
        bytes
    });
    let status = ended(&mut child);
    let mut said = Vec::new();
    stderr.read_to_end(&mut said).unwrap();
    Output { status, stdout: out.join().unwrap(), stderr: said }
}

fn spawn(arguments: &[&str]) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_griot"));
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().unwrap()
}

/// Waits for the program to end by itself.
fn ended(child: &mut Child) -> std::process::ExitStatus {
    let start = Instant::now();
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            return status;
        }
        if start.elapsed() > PATIENCE {
            child.kill().unwrap();
            panic!("the program does not end");
        }
        sleep(Duration::from_millis(5));
    }
}

/// What the program says to `input`, which must end well.
fn said(input: &str) -> Vec<String> {
    let output = run(&[], input.as_bytes());
    assert_eq!(output.status.code(), Some(0), "{input:?}");
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "", "{input:?}");
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.is_empty() || text.ends_with('\n'), "{input:?}: {text}");
    text.lines().map(str::to_owned).collect()
}

#[test]
fn law_08_a_lone_go_plays_a_decent_move() {
    let inputs = ["go\n", "go", "go infinite\n", "go infinite", "go ponder\n", "position startpos moves A\r\ngo\r\n"];
    for input in picked(inputs, 3) {
        let said = said(input);
        assert_eq!(bests(&said).len(), 1, "{input:?}");
        assert!(depth(&said) > 4, "{input:?}: {said:?}");
        assert!(said[said.len() - 1].starts_with("bestmove"), "{input:?}: {said:?}");
    }
}

#[test]
fn law_08_a_bounded_search_finishes_at_the_end_of_the_input() {
    for input in ["go depth 7\n", "go depth 7", "go depth 7\n\n\n", "go depth 7\nisready"] {
        let said = said(input);
        assert_eq!((depth(&said), bests(&said).len()), (7, 1), "{input:?}");
    }
}

#[test]
fn law_08_what_waits_at_the_end_of_the_input_is_done() {
    let said = said(
        "go infinite\nsetoption name Game value tictactoe\ngo depth 2\nquery fen\nposition startpos moves b2\ngo depth 3",
    );
    let moves = bests(&said);
    assert_eq!(moves.len(), 3, "{said:?}");
    assert_eq!((moves[0].len(), moves[1].len(), moves[2].len()), (1, 2, 2), "{said:?}");
    assert!(said.contains(&"response 4-4-4-4-4-4-4-4-4-4-4-4-0-0-S".to_owned()), "a query does not wait: {said:?}");
}

#[test]
fn law_08_a_move_that_was_asked_for_in_gtp_or_gomocup_is_found_at_the_end_of_the_input() {
    for input in
        ["time_settings 2 0 0\n7 genmove b\n8 gogui-rules_side_to_move", "time_settings 2 0 0\n7 genmove b\n8 quit"]
    {
        let said = said(input);
        assert_eq!(said.len(), 6, "{said:?}");
        assert!(said[2].starts_with("=7 ") && said[2].len() == 5 && said[4].starts_with("=8 "), "{said:?}");
    }
    for input in ["START 15\nINFO timeout_turn 50\nBEGIN", "START 15\nINFO timeout_turn 100000\nBEGIN\nEND\n"] {
        let said: Vec<String> = said(input).into_iter().filter(|line| !line.starts_with("MESSAGE depth ")).collect();
        assert_eq!((said.len(), said[0].as_str()), (2, "OK"), "{said:?}");
        assert!(said[1].split(',').all(|number| number.parse::<u8>().is_ok_and(|number| number < 15)), "{said:?}");
    }
}

#[test]
fn law_08_nothing_is_said_to_nothing() {
    for input in ["", "\n", "\r\n\r\n", " \t \n\n", "\u{feff}", "quit", "quit\n", "quit\nisready\ngo depth 3\n"] {
        assert_eq!(said(input), [] as [String; 0], "{input:?}");
    }
}

#[test]
fn law_08_quit_ends_every_search_with_its_move() {
    let said_to = said;
    for (input, moves) in [
        ("go infinite\nquit\n", 1),
        ("go infinite\nquit", 1),
        ("go ponder\nquit\n", 1),
        ("go depth 200\nquit\n", 1),
        ("go depth x\nquit\n", 1),
        ("go infinite\nposition startpos moves A\ngo infinite\nsetoption name Hash value 8\ngo depth 100\nquit\n", 3),
        // What comes after it is not read any more.
        ("go infinite\nquit\ngo infinite\nisready\nxboard\n", 1),
    ] {
        let said = said_to(input);
        assert_eq!(bests(&said).len(), moves, "{input:?}: {said:?}");
        assert!(said[said.len() - 1].starts_with("bestmove"), "{input:?}: {said:?}");
    }
    // The process does not wait for the end of the input.
    let mut child = spawn(&[]);
    child.stdin.as_mut().unwrap().write_all(b"go infinite\nquit\n").unwrap();
    assert_eq!(ended(&mut child).code(), Some(0));
}

#[test]
fn law_08_an_output_that_is_closed_is_a_quiet_end() {
    for input in ["go infinite\n", "isready\n", "ugi\n", "go depth 100\n", "go infinite\nstop\n", "nonsense\n"] {
        let mut child = spawn(&[]);
        drop(child.stdout.take());
        // It may have noticed, and ended, before it is sent anything.
        if let Err(error) = child.stdin.as_mut().unwrap().write_all(input.as_bytes()) {
            assert_eq!(error.kind(), ErrorKind::BrokenPipe, "{input:?}");
        }
        assert_eq!(ended(&mut child).code(), Some(0), "{input:?}");
        let mut said = String::new();
        child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
        assert_eq!(said, "", "{input:?}");
    }
}

#[test]
fn law_08_an_output_that_is_closed_during_a_search_is_a_quiet_end() {
    let mut child = spawn(&[]);
    child.stdin.as_mut().unwrap().write_all(b"go infinite\n").unwrap();
    let mut first = [0];
    child.stdout.as_mut().unwrap().read_exact(&mut first).unwrap();
    drop(child.stdout.take());
    // The input stays open: the program notices by what it cannot write.
    assert_eq!(ended(&mut child).code(), Some(0));
    let mut said = String::new();
    child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
    assert_eq!(said, "");
}

/// Elsewhere a closed output is noticed by writing to it.
#[cfg(unix)]
#[test]
fn law_08_an_output_that_is_closed_after_an_endless_search_was_exhausted_is_a_quiet_end() {
    let mut child = spawn(&["--game", "nim:3"]);
    child.stdin.as_mut().unwrap().write_all(b"go infinite\n").unwrap();
    let mut first = [0];
    child.stdout.as_mut().unwrap().read_exact(&mut first).unwrap();
    // All there is to say has long been said: nothing is written that could find nobody there.
    sleep(Duration::from_millis(100));
    drop(child.stdout.take());
    assert_eq!(ended(&mut child).code(), Some(0));
}

#[cfg(unix)]
#[test]
fn law_08_a_signal_to_end_is_a_quit() {
    for name in ["TERM", "INT", "HUP"] {
        for (input, first, moves) in [
            ("go infinite\ngo infinite\ngo depth x\n", "info", 3),
            ("go infinite\nposition startpos moves A\ngo ponder\n", "info", 2),
            ("isready\n", "readyok", 0),
        ] {
            let mut child = spawn(&[]);
            child.stdin.as_mut().unwrap().write_all(input.as_bytes()).unwrap();
            let mut said = vec![0; first.len()];
            child.stdout.as_mut().unwrap().read_exact(&mut said).unwrap();
            // All of the input has been read by then.
            sleep(Duration::from_millis(50));
            signal(child.id(), name);
            let mut rest = String::new();
            child.stdout.as_mut().unwrap().read_to_string(&mut rest).unwrap();
            assert_eq!(ended(&mut child).code(), Some(0), "{name}, {input:?}");
            let said: Vec<String> = rest.lines().map(str::to_owned).collect();
            assert_eq!(bests(&said).len(), moves, "{name}, {input:?}: {said:?}");
            assert!(moves == 0 || said[said.len() - 1].starts_with("bestmove"), "{name}, {input:?}: {said:?}");
        }
    }
}

#[cfg(unix)]
#[test]
fn law_08_a_signal_to_end_waits_not_long_for_a_client_that_does_not_read() {
    let mut child = spawn(&[]);
    child.stdin.as_mut().unwrap().write_all("help\n".repeat(5_000).as_bytes()).unwrap();
    sleep(Duration::from_millis(100));
    signal(child.id(), "TERM");
    assert_eq!(ended(&mut child).code(), Some(0));
}

// ------------------------------------------------------------------------------------------------------------ law 9

#[test]
fn law_09_a_go_with_a_mistyped_limit_warns_before_it_searches_without_one() {
    let mut talk = talk("ugi", "awale");
    talk.send("go dept 5");
    talk.expect("info string warning: column 4: 'dept' is not a word of go, and there is no limit; *");
    talk.send("stop");
    talk.until("bestmove *");
}

#[test]
fn law_09_a_limit_of_nodes_is_never_exceeded_by_any_number_of_threads() {
    for &Sample { game, .. } in picked(games(), 6) {
        for limit in [1, 2, 10, 100, 1000, 5000, 12_345] {
            for threads in [1, 2, 4] {
                let mut talk = talk("ugi", game);
                talk.send(&format!("setoption name Threads value {threads}"));
                talk.send(&format!("go nodes {limit}"));
                let said = talk.until("bestmove *");
                assert!(said.iter().any(|line| pv(line).is_some()), "{game}, nodes {limit}: {said:?}");
                for line in said.iter().filter(|line| line.contains(" score ")) {
                    let nodes: u64 = word(line, "nodes").unwrap().parse().unwrap();
                    assert!(nodes <= limit, "{game}, nodes {limit}, threads {threads}: {line}");
                }
            }
        }
    }
}

/// FFO #1: 14 empty cells, which the solver of the game looks through beside the search.
#[test]
fn law_09_a_limit_of_nodes_holds_where_the_game_has_a_solver_of_its_own() {
    for limit in [300, 1787, 20_000, 100_000] {
        for threads in [1, 2, 4] {
            let mut talk = talk("ugi", "othello");
            talk.send(&format!("setoption name Threads value {threads}"));
            talk.send("position fen 1ooooo2/1xxxooo1/2xoxoxx/oxxxoxxx/1oxoxoxx/1oooxxox/1oooxx1o/2xxxxx1 x");
            talk.send(&format!("go nodes {limit}"));
            for line in talk.until("bestmove *") {
                assert!(!line.contains("error"), "nodes {limit}, threads {threads}: {line}");
                let nodes = word(&line, "nodes").map_or(0, |nodes| nodes.parse::<u64>().unwrap());
                assert!(nodes <= limit, "nodes {limit}, threads {threads}: {line}");
            }
        }
    }
}

/// 256 lines of minimax on a board of 225 cells took as many passes.
#[test]
fn what_cuts_nothing_off_tells_all_lines_in_one_pass() {
    for algorithm in ["minimax", "negamax"] {
        let mut nodes = Vec::new();
        for lines in [1, 3, 256] {
            let mut talk = talk("ugi", "mnk:5,5,4");
            talk.send(&format!("setoption name Algorithm value {algorithm}"));
            talk.send(&format!("setoption name MultiPV value {lines}"));
            talk.send("go depth 2");
            let said = talk.until("bestmove *");
            assert_eq!(
                said.iter().filter(|line| line.contains("depth 2 ") && line.contains(" pv ")).count(),
                lines.min(25)
            );
            nodes.push(word(&said[said.len() - 2], "nodes").unwrap().to_owned());
        }
        assert!(nodes.iter().all(|count| *count == nodes[0]), "{algorithm}: {nodes:?}");
    }
}

#[test]
fn law_09_whichever_limit_comes_first_ends_the_search() {
    let mut talk = talk("ugi", "awale");
    for (go, least, most) in [
        ("go depth 3 movetime 600000 nodes 1000000000 p1time 6000000 p2time 6000000", 3, 3),
        ("go movetime 600000 depth 3", 3, 3),
        ("go depth 200 nodes 1", 1, 1),
        ("go depth 200 movetime 0", 1, 1),
        ("go depth 200 movetime 600000 p1time 0 p2time 0", 1, 1),
        ("go depth 200 movetime 30", 1, 199),
        ("go nodes 1000000000 movetime 30", 1, 199),
        ("go p1time 300 depth 200", 1, 199),
        ("go depth 18446744073709551615 nodes 500", 1, 20),
        ("go depth 3 depth 2", 2, 2),
    ] {
        talk.send("setoption name Clear Hash");
        talk.send(go);
        let depth = depth(&talk.until("bestmove *"));
        assert!((least..=most).contains(&depth), "{go}: {depth}");
    }
}

/// The games of griot, one of which takes its time to be opened.
struct Slow;

impl Catalogue for Slow {
    fn default_game(&self) -> &str {
        Registry.default_game()
    }

    fn names(&self) -> String {
        Registry.names()
    }

    fn open(&self, name: &str, resources: Resources) -> Result<Box<dyn Session>, Problem> {
        if name == "awale:mini" {
            sleep(Duration::from_millis(400));
        }
        Registry.open(name, resources)
    }
}

#[test]
fn law_09_the_clock_starts_when_the_line_is_read() {
    let mut talk = Talk::with(&Slow);
    talk.send_raw(b"setoption name Game value awale:mini\ngo movetime 100\n");
    // Its time has passed while the engine was busy: the first iteration is all there is.
    assert_eq!(depth(&talk.until("bestmove *")), 1);
}

#[test]
fn law_09_a_go_that_had_to_wait_for_another_has_its_whole_time() {
    let mut talk = talk("ugi", "awale");
    talk.send_raw(b"go movetime 300\ngo movetime 300\n");
    talk.until("bestmove *");
    talk.send("setoption name Clear Hash");
    assert!(depth(&talk.until("bestmove *")) > 1);
}

// ----------------------------------------------------------------------------------------------------------- law 10

/// A line without what depends on the speed of the machine; nothing when all of it does.
fn timeless(line: &str) -> Option<String> {
    if line.contains(" currmove ") {
        return None;
    }
    let mut words: Vec<&str> = Vec::new();
    let mut skip = false;
    for word in line.split(' ') {
        if !skip && !matches!(word, "time" | "nps") {
            words.push(word);
        }
        skip = !skip && matches!(word, "time" | "nps");
    }
    Some(words.join(" "))
}

#[test]
fn a_single_reply_is_not_worth_the_clock_but_worth_the_time_that_is_given_for_it() {
    let only_one = "position fen 0-0-0-0-0-3-4-4-4-4-4-4-9-12-S";
    let mut talk = talk("ugi", "awale");
    let mut last = |position: &str, go: &str, names: [&str; 2]| {
        talk.send(position);
        talk.send("setoption name Clear Hash");
        talk.send(go);
        let said = talk.until("bestmove *");
        names.map(|name| said.iter().rev().find_map(|line| word(line, name)?.parse::<u64>().ok()).unwrap())
    };
    for (position, go) in [
        (only_one, "go p1time 600000 p2time 600000"),
        ("position startpos", "go p1time 600000 p2time 600000 searchmoves C"),
    ] {
        // Ten seconds would be millions of nodes; no iteration is begun after 20,000.
        let [depth, nodes] = last(position, go, ["depth", "nodes"]);
        assert!(depth > 4 && nodes < 200_000, "{go}: depth {depth}, {nodes} nodes");
    }
    let start = Instant::now();
    last("position startpos", "go p1time 600000 movetime 1000 searchmoves C", ["depth", "nodes"]);
    assert!(start.elapsed() >= Duration::from_millis(900), "{:?}", start.elapsed());
    assert_eq!(last(only_one, "go depth 11", ["depth", "depth"]), [11, 11]);
    // The expected move is not played yet: there is no clock to be saved.
    talk.send(only_one);
    talk.send("go ponder p1time 600000");
    talk.until("info depth 4 *");
    talk.send("ponderhit");
    talk.until("bestmove *");
}

/// In Cute Chess a game went from -M3 to -100.00 where there was a single reply, which was played after one ply.
#[test]
fn a_single_reply_keeps_the_mate_that_was_known() {
    let mut talk = talk("uci", "connect4");
    talk.send("position fen xx1oxxx/ox1xxox/ox1oxxo/oo1xooo/xo1oxox/xooxoox o");
    talk.send("go wtime 1000 btime 1000 winc 50 binc 50");
    let said = talk.until("bestmove c*");
    let scores: Vec<&str> =
        said.iter().filter_map(|line| line.split_once(" score ")?.1.split(" nodes ").next()).collect();
    assert_eq!(scores.last(), Some(&"mate -2"), "{said:?}");
}

/// A win that is known to be there, but not how soon, takes no longer than the search before it has promised.
#[test]
fn a_win_is_told_no_further_away_than_before() {
    for game in ["tictactoe", "connect4:5,4,4", "nim:3-4-5"] {
        let mut talk = talk("uci", game);
        talk.send("position startpos");
        let (mut moves, mut promised) = (String::new(), [u64::MAX; 2]);
        for ply in 0.. {
            talk.send(&format!("position startpos{}{moves}", if ply > 0 { " moves" } else { "" }));
            if talk.ask("query gameover") != "response false" {
                break;
            }
            talk.send("go nodes 30000");
            let said = talk.until("bestmove *");
            let told =
                said.iter().rev().find_map(|line| line.split_once(" score mate ")?.1.split(' ').next()?.parse().ok());
            let wins = told.and_then(|moves: i64| u64::try_from(moves).ok());
            let before = std::mem::replace(&mut promised[ply % 2], wins.unwrap_or(u64::MAX));
            assert!(before == u64::MAX || wins.is_some_and(|wins| wins < before), "{game}{moves}: {said:?}");
            moves = format!("{moves} {}", best(&said[said.len() - 1]));
        }
    }
}

/// What the search before has promised is kept by one of all moves, perhaps by none of those that are asked about: here d and a win at
/// once.
#[test]
fn a_promise_says_nothing_of_the_moves_that_a_search_is_held_to() {
    let mut talk = talk("uci", "connect4:4,3,3");
    talk.send("position startpos moves b b");
    talk.send("go depth 1");
    assert!(talk.until("bestmove c*").iter().any(|line| line.contains("score mate 2 ")));
    talk.send("position startpos moves b b c c");
    talk.send("go depth 3 searchmoves c");
    let said = talk.until("bestmove c*");
    assert!(!said.iter().any(|line| line.contains("score mate 1 ")), "{said:?}");
}

#[test]
fn law_10_the_same_commands_have_the_same_answers_in_every_game() {
    for sample @ &Sample { game, depth, .. } in games() {
        let go = format!("go depth {}", if is_wide(sample) { depth } else { (depth + 3).min(7) });
        let play = || {
            let mut talk = talk("ugi", game);
            let mut said = Vec::new();
            talk.send("position startpos");
            for go in [&go, "go nodes 3000", &go] {
                talk.send(go);
                said.extend(talk.until("bestmove *"));
            }
            said.iter().filter_map(|line| timeless(line)).collect::<Vec<_>>()
        };
        assert_eq!(play(), play(), "{game}");
    }
}

#[test]
fn law_10_an_emptied_table_gives_the_same_nodes_again() {
    for game in ["awale", "awale:mini", "mnk:5,4,4", "gomoku", "chess"] {
        let go = if game == "gomoku" { "go depth 3" } else { "go depth 8" };
        let mut talk = talk("ugi", game);
        let mut search = |before: &str| {
            if !before.is_empty() {
                talk.send(before);
            }
            talk.send(go);
            nodes(&talk.until("bestmove *"))
        };
        let first = search("");
        let again = search("");
        assert!(again < first, "{game}: the table is of no use: {again} nodes after {first}");
        let resize = "setoption name Hash value 8\nsetoption name Hash value 16";
        for empty in ["setoption name Clear Hash", "uginewgame", "ucinewgame", resize] {
            assert_eq!(search(empty), first, "{game}: {empty}");
            assert_eq!(search(""), again, "{game}: after {empty}");
        }
    }
}

#[test]
fn law_10_naming_the_game_that_is_played_leaves_its_position() {
    for line in ["Game value awale", "Game value AWALE:abapa", "UCI_Variant value awale"] {
        let mut talk = talk("uci", "awale");
        talk.send("position startpos moves A a");
        let before = talk.ask("query fen");
        talk.send(&format!("setoption name {line}"));
        assert_eq!(talk.ask("query fen"), before, "{line}");
    }
}

#[test]
fn law_10_setting_an_option_to_the_value_it_has_does_not_empty_the_table() {
    let mut talk = talk("ugi", "awale");
    let mut search = |before: &str| {
        talk.send(before);
        talk.send("go depth 9");
        nodes(&talk.until("bestmove *"))
    };
    let first = search("setoption name Clear Hash");
    for unchanged in [
        "setoption name Hash value 16",
        "setoption name HASH value 16",
        "setoption name Threads value 1",
        "setoption name Move Overhead value 10",
        "setoption name Algorithm value alphabeta",
        "setoption name Evaluation value full",
        "setoption name Selective value true",
        "setoption name MultiPV value 1",
        "setoption name Skill Level value 20",
        "setoption name UCI_LimitStrength value false",
        "setoption name UCI_Elo value 500",
        "setoption name Seed value 0",
        "setoption name Ponder value false",
        "setoption name OwnBook value false",
        "setoption name Game value awale",
        "setoption name Game value AWALE",
        "setoption name Log File value <empty>",
        "setoption name UCI_Variant value awale",
        "setoption name UCI_Variant value awale",
        "setoption name Hash value nonsense",
        "setoption name Nothing value 3",
        "position startpos",
    ] {
        let again = search(unchanged);
        assert!(again < first, "{unchanged}: {again} nodes after {first}");
    }
}

// --------------------------------------------------------------------------------------------- what users complain about

/// A new directory with a blank in its name.
fn directory() -> std::path::PathBuf {
    let time = std::time::UNIX_EPOCH.elapsed().unwrap().as_nanos();
    let path = std::env::temp_dir().join(format!("griot test {} {time}", std::process::id()));
    fs::create_dir(&path).unwrap();
    path
}

#[test]
fn a_log_file_may_have_blanks_in_its_path_and_holds_both_directions() {
    let directory = directory();
    let path = directory.join("a log  file.txt");
    let mut talk = Talk::in_memory();
    talk.send(&format!("setoption name log file value {}", path.display()));
    talk.send("isready");
    talk.until("readyok");
    talk.send_raw(b"isready\r\nbad \xff line\n");
    talk.until("*UTF-8*");
    talk.send("setoption name Log File value <empty>");
    talk.send("isready");
    talk.until("readyok");
    let text = fs::read_to_string(&path).unwrap();
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    assert_eq!(lines[..4], ["> isready", "< readyok", "> isready", "< readyok"], "{text}");
    assert!(lines[4].starts_with("> bad"), "{text}");
    assert!(lines[5].starts_with("< info string error: column 5: expected UTF-8"), "{text}");
    assert_eq!(lines[6..], ["> setoption name Log File value <empty>"], "{text}");
    fs::remove_dir_all(directory).unwrap();
}

#[test]
fn a_log_file_that_cannot_be_written_is_refused_and_the_old_one_stays() {
    let directory = directory();
    let path = directory.join("log");
    let mut talk = Talk::in_memory();
    talk.send(&format!("setoption name Log File value {}", path.display()));
    let said = talk.ask(&format!("setoption name Log File value {}/no/such/place", directory.display()));
    assert!(said.starts_with("info string error: column 31: option Log File: cannot write to '"), "{said}");
    talk.send("go depth 1");
    talk.until("bestmove *");
    assert!(fs::read_to_string(&path).unwrap().contains("< bestmove "));
    fs::remove_dir_all(directory).unwrap();
}

#[test]
fn options_are_known_by_their_names_in_any_case() {
    let mut talk = Talk::in_memory();
    for line in [
        "setoption name hash value 8",
        "SETOPTION NAME HASH VALUE 8",
        "setoption name cLeAr hAsH",
        "setoption name move overhead value 20",
        "setoption name OWNBOOK value TRUE",
        "setoption name ownbook value False",
        "setoption name uci_variant value TicTacToe",
        "setoption name game value AWALE:Mini",
        "setoption name algorithm value NegaMax",
        "setoption  name   Algorithm\tvalue   alphabeta  ",
        "setoption name Log File value <empty>",
        "setoption name Log File value",
        "setoption name Clear Hash value",
    ] {
        talk.send(line);
        assert_eq!(talk.ask("isready"), "readyok", "{line}");
    }
    assert_eq!(talk.ask("query fen"), "response 2-2-2-2-2-2-0-0-S");
}

#[test]
fn the_probes_of_xboard_clients_do_not_end_the_program() {
    let mut talk = Talk::process(&[]);
    for probe in ["xboard", "protover 2", "new", "force", "level 40 5 0", "ping 1", "?x"] {
        talk.send(probe);
        talk.expect("info string error: column 1: unknown command *");
    }
    greet(&mut talk, "ugi");
    assert_eq!(talk.exit_status().code(), Some(0));
}

#[test]
fn ends_of_lines_tabs_and_repeated_blanks_are_fine() {
    let mut talk = Talk::in_memory();
    talk.send_raw(b"\xef\xbb\xbfUGI\r\n");
    talk.until("ugiok");
    talk.send_raw(b"\r\n\t\r\n  position \t startpos\tmoves   A  b\t\r\n");
    talk.send_raw(b"\x0b\x0cquery   fen\t \r\n");
    talk.expect("response *-S");
    talk.send_raw(b"position   fen\t0-0-0-0-0-2-0-0-0-0-0-0-23-23-S \t moves \r\n");
    talk.send_raw(b"query\tlegalmoves\r\n");
    talk.expect("response F");
    talk.send_raw(b"\tgo\tdepth\t\t1\r\n");
    talk.until("bestmove F");
    talk.send_raw(b"isready \t\r\r\n");
    talk.expect("readyok");
    assert!(talk.rest().is_empty());
}

#[test]
fn no_line_is_ever_empty_or_ends_with_a_blank() {
    for &Sample { game, .. } in games() {
        for greeting in DIALECTS {
            let mut talk = talk(greeting, game);
            talk.send_raw(b"\n\n  \nhelp\nquery board\nquery fen\nquery\nquery nothing\ndebug on\nquery legalmoves\n");
            talk.send_raw(
                b"go depth 2\ngo perft 1\ngo depth x\nposition fen\nquery board\ngo\nquery legalmoves\nxboard\n",
            );
            let said = talk.rest();
            assert!(said.len() > 15, "{said:?}");
            for line in said {
                assert!(!line.is_empty() && !line.contains(char::is_control), "{game}: {line:?}");
                assert!(!line.ends_with(' ') || line.starts_with("info string "), "{game}: {line:?}");
                let first = line.split(' ').next().unwrap();
                // A count is told as chess programs tell it: `e2e4: 20`.
                let is_count = line.split_once(": ").is_some_and(|(_, count)| count.parse::<u64>().is_ok());
                assert!(is_count || matches!(first, "info" | "response" | "bestmove"), "{game}: {line:?}");
            }
        }
    }
}

#[test]
fn clocks_come_in_any_order_one_alone_and_nearly_empty() {
    for greeting in DIALECTS {
        for game in ["awale", "tictactoe", "gomoku", "nim"] {
            let mut talk = talk(greeting, game);
            let mut moves = Vec::new();
            for go in [
                "go wtime 100",
                "go btime 100",
                "go wtime 100 btime 100",
                "go binc 10 winc 10 btime 100 wtime 100",
                "go p2inc 1 p1time 100 p1inc 1 p2time 100 movestogo 2",
                "go movestogo 1 p2time 50 p1time 50",
                "go p1time 1",
                "go p1time 0 p2time 0",
                "go wtime 0 btime 0 winc 0 binc 0 movestogo 0",
                "go p1time 1 p2time 1 p1inc 0 p2inc 0",
                "go wtime -1 btime -1",
                "go movetime 0",
                "go movetime 1",
                "go nodes 1",
            ] {
                talk.send(&format!(
                    "position startpos{}",
                    if moves.is_empty() { "" } else { " moves " }.to_owned() + &moves.join(" ")
                ));
                let legal = legal_moves(&mut talk);
                if legal.is_empty() {
                    break;
                }
                talk.send(go);
                let said = talk.until("bestmove *");
                let best = best(&said[said.len() - 1]).to_owned();
                assert!(legal.contains(&best), "{game}, {go}: {best}");
                assert!(said.iter().any(|line| pv(line).is_some()), "{game}, {go}: {said:?}");
                // Every clock is tried; only a few moves are played.
                if moves.len() < 4 {
                    moves.push(best);
                }
            }
        }
    }
}

/// Plays from boards with few seeds until a position comes back: the board, and the moves, the last of which repeats it.
fn repetition() -> (String, Vec<String>) {
    let notation = griot::games::awale::game::<griot::games::awale::Abapa>().notation;
    let mut seed = 1_u64;
    for _ in 0..200_000 {
        let mut houses = [0_u64; 12];
        for _ in 0..6 {
            seed = griot::game::mix64(seed.wrapping_add(1));
            houses[(seed % 12) as usize] += 1;
        }
        let board = houses.map(|seeds| seeds.to_string()).join("-") + "-21-21-S";
        let mut position = notation.parse_position(&board).unwrap();
        let mut seen = vec![position];
        let mut moves = Vec::new();
        while position.outcome().is_none() {
            let mut legal = Vec::new();
            position.generate(&mut legal);
            seed = griot::game::mix64(seed.wrapping_add(1));
            let mv = legal[(seed % legal.len() as u64) as usize];
            moves.push(notation.move_text(&position, mv));
            position.play(mv);
            if seen.contains(&position) {
                return (board, moves);
            }
            seen.push(position);
        }
    }
    panic!("no position came back");
}

#[test]
fn a_repetition_ends_the_game_across_position_moves_and_is_seen_by_the_search_at_the_root() {
    let (board, moves) = repetition();
    let (last, before) = moves.split_last().unwrap();
    for greeting in DIALECTS {
        let mut talk = talk(greeting, "awale");
        talk.send(&format!("position fen {board} moves {}", before.join(" ")));
        assert_eq!(talk.ask("query gameover"), "response false");
        let first_to_move = talk.ask("query p1turn") == "response true";
        talk.send(&format!("go depth 1 searchmoves {last}"));
        let said = talk.until("bestmove *");
        let line = said.iter().rev().find(|line| pv(line).is_some()).unwrap().clone();

        talk.send(&format!("position fen {board} moves {}", moves.join(" ")));
        assert_eq!(talk.ask("query gameover"), "response true", "{moves:?}");
        assert_eq!(talk.ask("query legalmoves"), "response");
        let score = match (talk.ask("query result").as_str(), first_to_move) {
            ("response draw", _) => " score cp 0 ",
            ("response p1win", true) | ("response p2win", false) => " mate 1 ",
            _ => " mate -1 ",
        };
        assert!(line.contains(score), "expected '{score}': {line}");
        talk.send("go depth 5");
        assert!(is_none(talk.until("bestmove *").last().unwrap()));
    }
}

/// A variant that is written as its game is no other game, so leaving its name must not start the game anew.
#[test]
fn a_game_set_to_what_it_is_keeps_its_position_also_when_a_variant_named_it() {
    let mut talk = talk("uci", "othello");
    for name in ["awale:awari", "othello"] {
        talk.send(&format!("setoption name UCI_Variant value {name}"));
        talk.send("position startpos");
        let first = legal_moves(&mut talk).remove(0);
        talk.send(&format!("position startpos moves {first}"));
        talk.send(&format!("setoption name Game value {name}"));
        assert_eq!(talk.ask("query p1turn"), "response false", "{name}");
    }
    // Where the writing changes the game is opened anew, at its start.
    talk.send("setoption name UCI_Variant value tictactoe");
    talk.send("position startpos moves P@b2");
    talk.send("setoption name Game value tictactoe");
    assert_eq!(talk.ask("query fen"), "response 3/3/3 x");
}

/// The file stays when the game changes, and the new game is played without it; that is no reason to refuse the switch.
#[test]
fn a_book_or_tables_of_another_game_do_not_keep_their_switch_from_being_turned() {
    let folder = Folder::new("another-game");
    let book = folder.join("tictactoe.book");
    let entry =
        griot::book::Entry { board: "3/3/3 x".into(), mv: "b2".into(), worth: griot::book::Worth::Centi(0), depth: 9 };
    fs::write(&book, griot::book::text("tictactoe", &[], &[entry])).unwrap();
    let mut talk = talk("ugi", "tictactoe");
    talk.send(&format!("setoption name BookFile value {}", book.display()));
    // No game but awalé asks what is in the folder.
    talk.send(&format!("setoption name TablebasePath value {}", folder.join("").display()));
    talk.send("setoption name Game value awale:mini");
    for line in ["OwnBook value true", "OwnBook value false", "Tablebases value false", "Tablebases value true"] {
        talk.send(&format!("setoption name {line}"));
        assert_eq!(talk.ask("isready"), "readyok", "{line}");
    }
}
