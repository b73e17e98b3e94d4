//! Auale, a board for awalé: it starts a fixed command, tells positions from the last capture on, glues moves, and stops listening
//! for good at an empty line.

use std::time::{Duration, Instant};

use griot::message::{Setup, Text};
use griot::registry::Registry;
use griot::session::{Catalogue, Resources, Session, Settings};

use super::recordings;
use crate::support::Talk;

/// After this time the real one takes its engine for dead.
const PATIENCE: Duration = Duration::from_secs(8);

/// The game on the real one's own board.
struct Game {
    rules: Box<dyn Session>,
    /// The position after the last capture; nothing for the start position.
    root: Option<String>,
    /// The moves since then, glued.
    moves: String,
}

impl Game {
    fn new() -> Game {
        let rules = Registry.open("awale", Resources::new(Settings::default()).unwrap()).unwrap();
        Game { rules, root: None, moves: String::new() }
    }

    /// The position command.
    fn line(&self) -> String {
        let root = self.root.as_ref().map_or("startpos".into(), |fen| format!("fen {fen}"));
        if self.moves.is_empty() { format!("position {root}") } else { format!("position {root} moves {}", self.moves) }
    }

    /// Whether these moves can be played on from here.
    fn allows(&mut self, moves: &str) -> bool {
        let text = |text: &str| Text { column: 1, text: text.into() };
        let setup = Setup {
            board: self.root.as_deref().map(text),
            moves: text(&format!("{}{moves}", self.moves)),
            ..Setup::default()
        };
        self.rules.set_position(&setup).is_ok()
    }

    fn play(&mut self, mv: &str) {
        assert!(self.allows(""));
        let stores = |game: &Game| {
            game.board().split('-').skip(12).take(2).map(|number| number.parse::<u32>().unwrap()).sum::<u32>()
        };
        let before = stores(self);
        assert!(self.allows(mv), "{} {mv}", self.line());
        self.moves += mv;
        if stores(self) > before {
            self.root = Some(self.board());
            self.moves.clear();
        }
    }

    fn board(&self) -> String {
        self.rules.state().unwrap().board
    }

    fn is_over(&mut self) -> bool {
        assert!(self.allows(""));
        self.rules.state().unwrap().result.is_some()
    }

    fn legal_moves(&mut self) -> Vec<String> {
        assert!(self.allows(""));
        self.rules.legal_moves()
    }
}

struct Auale {
    talk: Talk,
}

impl Auale {
    fn start() -> Auale {
        let mut auale = Auale { talk: Talk::process(&["--game", "awale"]) };
        auale.talk.send("uci");
        let greeting = auale.until("uciok");
        assert!(greeting.iter().any(|line| line.starts_with("option name OwnBook type check ")), "{greeting:?}");
        auale
    }

    /// Reads on to the line that begins so; every line must have something in it and come in time.
    fn until(&mut self, word: &str) -> Vec<String> {
        let start = Instant::now();
        let mut lines = Vec::new();
        loop {
            let line = self.talk.line().expect("a line");
            assert!(!line.trim().is_empty(), "an empty line ends the conversation");
            assert!(start.elapsed() < PATIENCE);
            lines.push(line);
            if lines[lines.len() - 1].split(' ').next() == Some(word) {
                return lines;
            }
        }
    }

    fn new_game(&mut self, book: bool) {
        self.talk.send(&format!("setoption name OwnBook value {book}"));
        self.talk.send("ucinewgame");
        self.ready();
    }

    fn ready(&mut self) {
        self.talk.send("isready");
        assert_eq!(self.until("readyok").pop().unwrap(), "readyok");
    }

    /// Waits for the answer: the move and the reply that is expected to it. `0000` is not a move.
    fn answer(&mut self, game: &mut Game) -> (Option<String>, Option<String>) {
        let lines = self.until("bestmove");
        for line in &lines {
            let Some((_, pv)) = line.split_once(" pv ") else { continue };
            // It shows `cp`, and a score without one as level; certain results have one, too.
            let score = line.split_once(" score cp ").unwrap_or_else(|| panic!("{line}")).1;
            let cp: i32 = score.split(' ').next().unwrap().parse().unwrap();
            assert!(cp.abs() <= 4800, "no game ends so: {line}");
            assert!(!pv.contains(' ') && game.allows(pv), "{} {line}", game.line());
        }
        let words: Vec<&str> = lines[lines.len() - 1].split(' ').collect();
        let letter = |word: &str| (word.len() == 1 && "ABCDEFabcdef".contains(word)).then(|| word.to_owned());
        match words.as_slice() {
            ["bestmove", "0000"] => (None, None),
            ["bestmove", best] => (Some(letter(best).expect("one letter")), None),
            ["bestmove", best, "ponder", reply] => {
                assert!(game.allows(&format!("{best}{reply}")), "{best}{reply}");
                (Some(letter(best).expect("one letter")), Some(letter(reply).expect("one letter")))
            }
            _ => panic!("{lines:?}"),
        }
    }
}

/// A game of a person, who plays the first or the last legal move in turn, with an engine that thinks on the person's time too.
fn game(go: &str, plies: usize, ponder: bool) {
    let mut auale = Auale::start();
    let mut game = Game::new();
    auale.new_game(true);
    for ply in 0..plies {
        if game.is_over() {
            break;
        }
        if ply % 2 == 1 {
            let moves = game.legal_moves();
            let mut moves = moves.iter();
            let mv = if ply % 4 == 1 { moves.next() } else { moves.next_back() };
            game.play(mv.unwrap());
            continue;
        }
        auale.talk.send(&game.line());
        auale.talk.send(go);
        let (best, _) = auale.answer(&mut game);
        game.play(&best.expect("a move"));
        if ponder && !game.is_over() {
            auale.talk.send(&game.line());
            auale.talk.send("go ponder");
            let said = auale.talk.lines_within(Duration::from_millis(30));
            assert!(said.iter().all(|line| line.starts_with("info ")), "{said:?}");
            auale.talk.send("stop");
            auale.answer(&mut game);
        }
    }
    auale.talk.send("quit");
    recordings::know("auale_", &auale.talk);
    assert!(auale.talk.exit_status().success());
}

#[test]
fn auale_plays_a_game_and_lets_the_engine_ponder() {
    game("go depth 6 movetime 400", 300, true);
}

#[test]
fn auale_plays_at_its_strongest() {
    game("go depth 16 movetime 2400", 3, false);
}

/// At the end there is no move, and the next game goes through the same engine.
#[test]
fn auale_hears_of_the_end_and_begins_again() {
    let mut auale = Auale::start();
    for book in [false, true] {
        auale.new_game(book);
        let mut game = Game::new();
        game.root = Some("0-0-0-0-0-0-0-0-0-0-0-0-25-23-N".into());
        auale.talk.send(&game.line());
        auale.talk.send("go depth 16 movetime 2400");
        assert_eq!(auale.answer(&mut game), (None, None));
        auale.talk.send("position startpos moves BcEd");
        auale.talk.send("go depth 4 movetime 2400");
        let mut game = Game::new();
        game.moves = "BcEd".into();
        assert!(auale.answer(&mut game).0.is_some());
        auale.ready();
    }
    auale.talk.send("quit");
    assert!(auale.talk.exit_status().success());
}
