//! cutegames, a match runner that knows no game: it asks both engines about everything, takes `bestmove` in exactly two words, and
//! kills an engine right after `quit`.

use std::time::{Duration, Instant};

use griot_testing::picked;

use super::recordings;
use crate::support::Talk;

/// How long an engine may take to greet and to get ready.
const PATIENCE: Duration = Duration::from_secs(10);

/// A match of one game between two engines.
struct Match {
    engines: [Talk; 2],
    moves: Vec<String>,
}

impl Match {
    fn new(game: &str) -> Match {
        let engines = [(); 2].map(|()| {
            let mut talk = Talk::process(&[]);
            talk.send("ugi");
            let start = Instant::now();
            talk.until("ugiok");
            talk.send(&format!("setoption name Game value {game}"));
            // Whatever the user's file says, whether the engine has it or not.
            talk.send("setoption name Hash value 8");
            talk.send("setoption name Contempt value 20");
            for _ in 0..2 {
                talk.send("isready");
                talk.until("readyok");
            }
            talk.send("uginewgame");
            assert!(start.elapsed() < PATIENCE);
            talk
        });
        Match { engines, moves: Vec::new() }
    }

    fn position(&mut self, i: usize) {
        let moves = if self.moves.is_empty() { String::new() } else { format!(" moves {}", self.moves.join(" ")) };
        self.engines[i].send(&format!("position startpos{moves}"));
    }

    /// Asks one engine about the present position.
    fn query(&mut self, i: usize, question: &str) -> String {
        self.position(i);
        self.engines[i].send(&format!("query {question}"));
        let line = self.engines[i].until("response*").pop().unwrap();
        let words: Vec<&str> = line.split(' ').collect();
        assert_eq!(words.len(), 2, "{line}");
        words[1].to_owned()
    }

    /// Asks both, which must agree.
    fn both(&mut self, question: &str) -> String {
        let answers = [0, 1].map(|i| self.query(i, question));
        assert_eq!(answers[0], answers[1], "{question} after {:?}", self.moves);
        answers[0].clone()
    }

    /// Asks whose turn it is, and that engine whether the game is over; it is ready then, and told the position.
    fn mover(&mut self) -> Option<usize> {
        let turn = usize::from(self.both("p1turn") == "false");
        self.engines[turn].send("isready");
        self.engines[turn].until("readyok");
        self.position(turn);
        (self.query(turn, "gameover") == "false").then_some(turn)
    }

    /// One move of the engine whose turn it is, within its time and the margin.
    fn mv(&mut self, turn: usize, go: &str, time: Option<Duration>) {
        let start = Instant::now();
        self.engines[turn].send(go);
        let lines = self.engines[turn].until("bestmove*");
        let spent = start.elapsed();
        assert!(time.is_none_or(|time| spent < time), "{go}: {spent:?}");
        let words: Vec<&str> = lines[lines.len() - 1].split(' ').collect();
        let ["bestmove", best] = words.as_slice() else { panic!("{lines:?}") };
        assert!(!lines.iter().any(|line| line.contains('\t')));
        self.moves.push((*best).to_owned());
    }

    /// Plays to the end, or so many plies.
    fn play(&mut self, plies: usize, go: &str, time: Option<Duration>) {
        while self.moves.len() < plies
            && let Some(turn) = self.mover()
        {
            self.mv(turn, go, time);
        }
    }

    /// `quit`, and the kill that does not wait for it.
    fn end(self) {
        for mut engine in self.engines {
            engine.send("quit");
            drop(engine);
        }
    }
}

#[test]
fn cutegames_plays_whole_games_on_the_clock() {
    // Far beyond the clocks: a machine that is busy with other tests is no fault of the engine.
    let time = Some(Duration::from_secs(5));
    for game in picked(["tictactoe", "awale:mini", "nim", "connect4", "othello"], 1) {
        let mut it = Match::new(game);
        it.play(200, "go p1time 1000 p2time 1000 p1inc 20 p2inc 20", time);
        assert_eq!(it.both("gameover"), "true", "{game}");
        assert!(["p1win", "p2win", "draw"].contains(&it.both("result").as_str()));
        it.engines.iter().for_each(|talk| recordings::know("cutegames_", talk));
        it.end();
    }
}

#[test]
fn cutegames_limits_a_move_in_every_way() {
    let mut it = Match::new("awale");
    for go in ["go movetime 20", "go depth 3", "go nodes 500", "go p1time 900 p2time 900 p1inc 0 p2inc 0"] {
        it.play(it.moves.len() + 2, go, None);
    }
    it.engines.iter().for_each(|talk| recordings::know("cutegames_", talk));
    assert_eq!(it.both("result"), "none");
    it.end();
}

/// The runner checks no move: the engines must call the game over, and the same winner.
#[test]
fn cutegames_has_both_engines_see_an_illegal_move() {
    for (game, legal, illegal) in [
        ("tictactoe", "b2", "d4"),
        ("awale", "A", "g"),
        ("connect4", "d", "h"),
        ("othello", "d3", "a1"),
        ("nim", "a1", "a4"),
    ] {
        let mut it = Match::new(game);
        it.moves = vec![legal.into(), illegal.into()];
        assert_eq!([it.both("gameover"), it.both("result")], ["true", "p1win"], "{game}");
        it.moves = vec![illegal.into()];
        assert_eq!([it.both("gameover"), it.both("result")], ["true", "p2win"], "{game}");
        it.end();
    }
}

#[test]
fn cutegames_kills_an_engine_that_searches() {
    let mut it = Match::new("gomoku");
    it.position(0);
    it.engines[0].send("go p1time 60000 p2time 60000");
    it.end();
}
