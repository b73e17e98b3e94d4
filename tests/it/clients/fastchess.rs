//! fastchess, whose `--compliance` goes through 40 steps before it lets an engine play chess: greetings, clocks of one side and of
//! both in any order, what must be said before a best move, and the first moves of a game.

use super::recordings;
use crate::support::Talk;

/// A step: what is sent, or what is looked at in what was said since the last `go`.
#[derive(Debug, Clone, Copy)]
enum Step {
    /// Any line, which has no answer of its own.
    Send(&'static str),
    Ready,
    /// The greeting told this.
    Greeted(&'static str),
    BestMove,
    /// There is a line with a score.
    Info,
    /// What stands behind `time`, `nps` and `score` in that line is there, and has no point.
    WholeNumbers,
    Score,
    /// The best move is one.
    Moved,
}

use Step::{BestMove, Greeted, Info, Moved, Ready, Score, Send, WholeNumbers};

/// The last line that tells a score, of the best line if there are several.
fn last_info(said: &[String]) -> &str {
    let tells = |line: &&String| {
        let is_first = !line.contains(" multipv ") || line.contains(" multipv 1");
        line.starts_with("info ") && line.contains(" score ") && !line.starts_with("info string") && is_first
    };
    said.iter().rev().find(tells).map_or("", String::as_str)
}

fn has_whole_numbers(info: &str) -> bool {
    let words: Vec<&str> = info.split_whitespace().collect();
    let named = words.iter().enumerate().filter(|(_, word)| ["time", "nps", "score"].contains(*word));
    words.first() == Some(&"info")
        && named.map(|(at, _)| words.get(at + 1)).all(|next| next.is_some_and(|next| !next.contains('.')))
}

#[test]
fn the_forty_steps_of_compliance_are_passed() {
    let steps = [
        // The first step starts the program.
        &[Ready, Greeted("id name "), Greeted("id author "), Send("ucinewgame"), Send("position startpos"), Ready][..],
        &[Send("position fen 3r2k1/p5n1/1pq1p2p/2p3p1/2P1P1n1/1P1P2pP/PN1Q2K1/5R2 w - - 0 27"), Ready],
        &[Send("go wtime 100"), BestMove, Info, WholeNumbers, Score],
        &[Send("position fen rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1")],
        &[Send("go btime 100"), BestMove, Info, WholeNumbers, Score],
        &[Send("go wtime 100 winc 100 btime 100 binc 100"), BestMove, Info, WholeNumbers, Score],
        &[Send("go btime 100 binc 100 wtime 100 winc 100"), BestMove, Info, WholeNumbers, Score, Score],
        &[Send("ucinewgame"), Send("position startpos"), Send("go wtime 100 btime 100"), Moved, WholeNumbers],
        &[Send("position startpos moves e2e4 e7e5"), Send("go wtime 100 btime 100"), Moved, WholeNumbers],
    ]
    .concat();
    assert_eq!(1 + steps.len(), 40);
    let mut talk = Talk::process(&["--game", "chess"]);
    talk.send("uci");
    let greeting = talk.until("uciok");
    let mut said = Vec::new();
    for (number, step) in (2..).zip(steps) {
        match step {
            Send(line) => {
                talk.send(line);
                said.clear();
                if line == "ucinewgame" {
                    talk.send("isready");
                    talk.until("readyok");
                }
            }
            Ready => {
                talk.send("isready");
                talk.until("readyok");
            }
            Greeted(start) => {
                assert!(
                    greeting.iter().any(|line| line.len() > start.len() && line.starts_with(start)),
                    "step {number}"
                );
            }
            BestMove => said = talk.until("bestmove *"),
            Moved => {
                said = talk.until("bestmove *");
                let mv = said[said.len() - 1].split_whitespace().nth(1).unwrap();
                assert!((4..=5).contains(&mv.len()) && mv != "0000", "step {number}: {mv}");
            }
            Info | Score => assert!(!last_info(&said).is_empty(), "step {number}: {said:?}"),
            WholeNumbers => assert!(has_whole_numbers(last_info(&said)), "step {number}: {said:?}"),
        }
    }
    // It says `stop` and `quit` to an engine that is idle.
    talk.send("stop");
    talk.send("quit");
    let sent: Vec<&str> = talk.log.iter().filter_map(|line| line.strip_prefix("> ")).collect();
    assert_eq!(sent, recordings::sent("fastchess_compliance"), "what the real one sent");
    while talk.line().is_some() {}
}
