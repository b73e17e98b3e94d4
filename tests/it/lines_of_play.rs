//! What the search tells can be played. LAW 1: every principal variation of every line of every game, algorithm, option and
//! number of threads is legal to its last move, and does not go on behind the end of the game.

use std::sync::mpsc::channel;
use std::time::{Duration, Instant};

use crate::support::Talk;
use griot::game::{Evaluate, Game, Notation, Outcome, Position, Probe, SplitMix64};
use griot::message::{ClockTime, Go, Info, Reply, Setup, Text};
use griot::registry::{Registry, Visitor, with_game};
use griot::session::{Catalogue, Resources, Session, Settings};
use griot_testing::{Cases, sample};

/// A game that is followed by its rules alone.
trait Referee {
    /// Begins again.
    fn restart(&mut self);
    /// The legal moves; none when the game is over.
    fn legal(&self) -> Vec<String>;
    /// Plays a legal move.
    fn play(&mut self, mv: &str);
    /// What is wrong with this line, if it is to be played from here.
    fn fault(&self, line: &[String]) -> Option<String>;
}

/// A position, and those before it that can still come back.
#[derive(Clone)]
struct Place<P>(P, Vec<P>);

impl<P: Position> Place<P> {
    fn outcome(&self) -> Option<Outcome> {
        let Place(position, earlier) = self;
        position.outcome().or_else(|| position.outcome_by_repetition().filter(|_| earlier.contains(position)))
    }

    fn play(&mut self, mv: P::Move) {
        let next = self.0.after(mv);
        if self.0.is_irreversible(&next) {
            self.1.clear();
        } else {
            self.1.push(self.0.clone());
        }
        self.0 = next;
    }
}

struct Followed<N: Notation> {
    notation: N,
    place: Place<N::Position>,
}

impl<N: Notation> Referee for Followed<N> {
    fn restart(&mut self) {
        self.place = Place(self.notation.start(), Vec::new());
    }

    fn legal(&self) -> Vec<String> {
        let mut moves = Vec::new();
        if self.place.outcome().is_none() {
            self.place.0.generate(&mut moves);
        }
        moves.into_iter().map(|mv| self.notation.move_text(&self.place.0, mv)).collect()
    }

    fn play(&mut self, mv: &str) {
        let mv = self.notation.parse_move(&self.place.0, mv).unwrap();
        self.place.play(mv);
    }

    fn fault(&self, line: &[String]) -> Option<String> {
        let mut place = self.place.clone();
        for (number, text) in line.iter().enumerate() {
            if let Some(outcome) = place.outcome() {
                return Some(format!("move {number}, '{text}', comes behind the end of the game, {outcome:?}"));
            }
            match self.notation.parse_move(&place.0, text) {
                Ok(mv) => place.play(mv),
                Err(error) => return Some(format!("move {number}, '{text}': {error}")),
            }
        }
        None
    }
}

/// Makes a referee for a game.
struct Refereed;

impl Visitor for Refereed {
    type Output = Box<dyn Referee>;
    fn visit<N, E, T>(self, game: Game<N, E, T>) -> Box<dyn Referee>
    where
        N: Notation,
        E: Evaluate<N::Position>,
        T: Probe<N::Position>,
    {
        let place = Place(game.notation.start(), Vec::new());
        Box::new(Followed { notation: game.notation, place })
    }
}

/// One game after the other on one engine, whose table is never emptied, with other options and limits for every search.
struct Match {
    name: &'static str,
    session: Box<dyn Session>,
    referee: Box<dyn Referee>,
    moves: Vec<String>,
    options: Vec<String>,
    rng: SplitMix64,
    lines: usize,
}

impl Match {
    fn new(name: &'static str, seed: u64) -> Match {
        let settings = Settings { hash_mib: 1, ..Settings::default() };
        let session = Registry.open(name, Resources::new(settings).unwrap()).unwrap();
        let referee = with_game(name, Refereed).unwrap();
        let rng = SplitMix64::new(seed);
        Match { name, session, referee, moves: Vec::new(), options: Vec::new(), rng, lines: 0 }
    }

    fn one_in(&mut self, n: usize) -> bool {
        self.rng.below(n) == 0
    }

    fn pick<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.rng.below(choices.len())]
    }

    fn begin(&mut self) {
        self.moves.clear();
        self.referee.restart();
        // Seldom, for small tables are built anew behind it.
        let tables = !self.one_in(50);
        self.session.set_option("Tablebases", Some(&tables.to_string())).unwrap();
        // Somewhere in a game; the search plays on from there.
        for _ in 0..self.rng.below(70) {
            let legal = self.referee.legal();
            if legal.is_empty() {
                break;
            }
            let mv = legal[self.rng.below(legal.len())].clone();
            self.referee.play(&mv);
            self.moves.push(mv);
        }
        if self.referee.legal().is_empty() {
            self.begin();
        }
    }

    fn set_options(&mut self) {
        let algorithm = match self.rng.below(12) {
            0 => "negabeta",
            1 => "negamax",
            2 => "minimax",
            3 | 4 => "mcts",
            _ => "alphabeta",
        };
        let threads = if self.one_in(4) { 1 + self.rng.below(4) } else { 1 };
        let lines = self.pick(&[1, 1, 1, 1, 2, 3, 5, 256]);
        let level = if self.one_in(8) { self.rng.below(20) } else { 20 };
        let values = [
            ("Algorithm", algorithm.to_owned()),
            ("Evaluation", self.pick(&["full", "full", "plain"]).to_owned()),
            ("Selective", self.pick(&["true", "true", "false"]).to_owned()),
            ("OwnBook", self.one_in(30).to_string()),
            ("MultiPV", lines.to_string()),
            ("Threads", threads.to_string()),
            ("Skill Level", level.to_string()),
        ];
        self.options.clear();
        for (name, value) in values {
            self.session.set_option(name, Some(&value)).unwrap();
            self.options.push(format!("{name} {value}"));
        }
    }

    /// Limits of all kinds, none of which takes long.
    fn go(&mut self, legal: &[String]) -> Go {
        let nodes = self.pick(&[1, 2, 5, 20, 50, 100, 300, 800]);
        let mut go = Go { nodes: Some(nodes), ..Go::default() };
        match self.rng.below(8) {
            0 => go.depth = Some(1 + self.rng.below(4) as u32),
            1 => go.depth = Some(3 + self.rng.below(30) as u32),
            2 => go.mate = Some(1 + self.rng.below(4) as u32),
            3 => go.movetime = Some(Duration::from_micros(self.rng.below(300) as u64)),
            4 => {
                let remaining = Some(Duration::from_millis(self.rng.below(20) as u64));
                go.clocks[0] = ClockTime { remaining, ..ClockTime::default() };
            }
            5 => go.infinite = true,
            _ => {}
        }
        if self.one_in(8) {
            let some: Vec<&str> = legal.iter().map(String::as_str).filter(|_| self.rng.below(2) == 0).collect();
            go.search_moves = (!some.is_empty()).then(|| Text { column: 1, text: some.join(" ") });
        }
        go
    }

    /// One search, all of whose lines are played, and a move.
    fn search(&mut self) {
        let legal = self.referee.legal();
        if legal.is_empty() {
            self.begin();
            return self.search();
        }
        self.set_options();
        let go = self.go(&legal);
        let setup = Setup { board: None, moves: Text { column: 1, text: self.moves.join(" ") }, ..Setup::default() };
        self.session.set_position(&setup).unwrap();
        let (sender, replies) = channel();
        let handle = self.session.go(&go, Instant::now(), Box::new(move |reply| sender.send(reply).unwrap()));
        if go.infinite {
            handle.stop();
        }
        let replies: Vec<Reply> = replies.into_iter().collect();
        let told = |fault: &str| {
            let Match { name, moves, options, .. } = &*self;
            format!("{name}, {}: {go:?} after {}: {fault}: {replies:#?}", options.join(", "), moves.join(" "))
        };
        let mut first = None;
        let mut lines = 0;
        for reply in &replies {
            match reply {
                Reply::Info(Info { pv, rank, score, nodes, .. }) if score.is_some() => {
                    assert!(!pv.moves.is_empty(), "{}", told("a line without a move"));
                    if let Some(fault) = self.referee.fault(&pv.moves) {
                        panic!("{}", told(&fault));
                    }
                    assert!(go.nodes.is_none_or(|limit| *nodes <= limit), "{}", told("too many nodes"));
                    if rank.is_none_or(|rank| rank == 1) {
                        first = pv.moves.first();
                    }
                    lines += 1;
                }
                Reply::Note(text) => assert!(!text.contains("error"), "{}", told(text)),
                Reply::BestMove { best, ponder } => {
                    let line: Vec<String> = best.iter().chain(ponder).cloned().collect();
                    assert_eq!(best.as_ref(), first, "{}", told("not the move of the last line"));
                    assert_eq!(self.referee.fault(&line), None, "{}", told("what is to be pondered"));
                }
                _ => {}
            }
        }
        assert!(matches!(replies.last(), Some(Reply::BestMove { best: Some(_), .. })), "{}", told("no move"));
        self.lines += lines;
        let mv = first.unwrap().clone();
        let mv = if self.one_in(3) { legal[self.rng.below(legal.len())].clone() } else { mv };
        self.referee.play(&mv);
        self.moves.push(mv);
    }
}

/// Plays the lines of so many searches.
fn play_lines(games: &[(&'static str, usize)]) {
    for &(name, searches) in games {
        let Cases { seed, rounds } = sample(name.len() as u64, searches, searches / 10);
        let mut game = Match::new(name, seed);
        game.begin();
        for _ in 0..rounds {
            game.search();
        }
        assert!(game.lines >= rounds, "{name}: {}", game.lines);
    }
}

#[test]
fn every_line_of_awale_can_be_played_to_its_end() {
    play_lines(&[("awale", 2000), ("awale:awari", 1000), ("awale:tipe", 1000), ("awale:mini", 2500)]);
}

#[test]
fn every_line_of_connect_four_can_be_played_to_its_end() {
    play_lines(&[("connect4", 3000), ("connect4:5,4,4", 2000), ("connect4:5,4,3", 500)]);
}

#[test]
fn every_line_of_m_n_k_games_can_be_played_to_its_end() {
    let small = [("tictactoe", 500), ("mnk:4,4,3", 500), ("mnk:4,4,4", 1000), ("mnk:5,5,4", 1500), ("mnk:7,7,5", 500)];
    play_lines(&small);
    play_lines(&[("gomoku", 200), ("gomokufreestyle", 100)]);
}

#[test]
fn every_line_of_othello_and_nim_can_be_played_to_its_end() {
    play_lines(&[("othello", 2000), ("nim", 1000), ("nim:3-4-5,take=any,normal", 700), ("nim:1-3-5-7,take=any", 700)]);
}

#[test]
fn behind_the_best_move_of_a_drawn_ending_stands_no_line_of_another_move() {
    let mut talk = Talk::in_memory();
    talk.send("uci\nsetoption name UCI_Variant value cfour");
    talk.until("uciok");
    talk.send(
        "position startpos moves P@d1 P@d2 P@d3 P@d4 P@d5 P@a1 P@d6 P@g1 P@a2 P@a3 P@a4 P@g2 P@e1 P@b1 P@e2 P@e3 P@e4 \
         P@f1 P@f2 P@f3 P@f4 P@g3 P@g4 P@a5 P@g5 P@f5 P@e5 P@e6",
    );
    talk.send("go depth 14");
    for line in talk.until("bestmove *") {
        let Some((_, pv)) = line.split_once(" pv ") else { continue };
        // Each of the cells is free once.
        let mut cells: Vec<&str> = pv.split(' ').collect();
        cells.sort_unstable();
        assert!(cells.windows(2).all(|pair| pair[0] != pair[1]), "{line}");
    }
}
