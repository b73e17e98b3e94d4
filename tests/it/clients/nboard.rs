//! NBoard, the front end of Othello: it keeps the game as GGF, tells what has changed of it, pings before each question, and takes what
//! comes for an answer only once its ping is answered.

use std::time::{Duration, Instant};

use super::recordings;
use crate::support::Talk;

/// Any answer of a search to so little depth.
const PATIENCE: Duration = Duration::from_secs(60);

const START: &str = "8 ---------------------------O*------*O--------------------------- *";

/// A board of the client's own: `*`, `O` and `-`, row by row from the top.
#[derive(Clone)]
struct Board {
    cells: Vec<u8>,
    mover: u8,
}

impl Board {
    fn new(text: &str) -> Board {
        let cells: Vec<u8> = text.bytes().skip(2).filter(|byte| b"*O-".contains(byte)).collect();
        Board { mover: cells[64], cells: cells[..64].to_vec() }
    }

    fn other(&self) -> u8 {
        if self.mover == b'*' { b'O' } else { b'*' }
    }

    fn flips(&self, cell: usize) -> Vec<usize> {
        let (col, row) = ((cell % 8) as i32, (cell / 8) as i32);
        let at = |step: i32, dc: i32, dr: i32| {
            let (col, row) = (col + step * dc, row + step * dr);
            ((0..8).contains(&col) && (0..8).contains(&row)).then_some((8 * row + col) as usize)
        };
        let mut flips = Vec::new();
        for (dc, dr) in [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)] {
            let run: Vec<usize> =
                (1..).map_while(|step| at(step, dc, dr)).take_while(|&cell| self.cells[cell] == self.other()).collect();
            let end = at(run.len() as i32 + 1, dc, dr);
            if end.is_some_and(|end| self.cells[end] == self.mover) {
                flips.extend(run);
            }
        }
        if self.cells[cell] == b'-' { flips } else { Vec::new() }
    }

    fn must_pass(&self) -> bool {
        (0..64).all(|cell| self.flips(cell).is_empty())
    }

    fn is_over(&self) -> bool {
        self.must_pass() && Board { mover: self.other(), ..self.clone() }.must_pass()
    }

    /// Plays a move of two characters, which must be legal.
    fn play(&mut self, mv: &str) {
        if mv == "PA" {
            assert!(self.must_pass(), "a pass, and there are moves");
        } else {
            let text = mv.as_bytes();
            assert!((b'A'..=b'H').contains(&text[0]) && (b'1'..=b'8').contains(&text[1]), "{mv}");
            let cell = usize::from(text[0] - b'A') + 8 * usize::from(text[1] - b'1');
            let flips = self.flips(cell);
            assert!(!flips.is_empty(), "{mv} is illegal");
            flips.into_iter().chain([cell]).for_each(|cell| self.cells[cell] = self.mover);
        }
        self.mover = self.other();
    }
}

/// What stands in the window: answers that belong to the present state.
#[derive(Default)]
struct Window {
    mv: Option<(String, Option<f64>, f64)>,
    /// Move, value and depth of each hint.
    hints: Vec<(String, f64, String)>,
    analysis: Vec<(usize, f64)>,
    nodes: u64,
    learned: bool,
    /// What the status line said, in order.
    status: Vec<String>,
}

struct NBoard {
    talk: Talk,
    ping: u32,
    pong: u32,
    depth: u32,
    /// The board at the start, the clocks, and the moves with what stands behind them.
    start: String,
    clock: String,
    moves: Vec<String>,
    told: String,
    told_depth: u32,
    name: String,
}

impl NBoard {
    fn start(arguments: &[&str]) -> NBoard {
        let mut talk = Talk::process(arguments);
        talk.send("nboard 2");
        NBoard {
            talk,
            ping: 0,
            pong: 0,
            depth: 4,
            start: START.into(),
            clock: "5:00".into(),
            moves: Vec::new(),
            told: String::new(),
            told_depth: 0,
            name: String::new(),
        }
    }

    fn ggf(&self) -> String {
        let mut board = Board::new(&self.start);
        let mut text = format!("(;GM[Othello]PC[NBoard]PB[a]PW[b]RE[?]TI[{}]TY[8]BO[{}", self.clock, self.start);
        for mv in &self.moves {
            text += &format!("]{}[{mv}", if board.mover == b'*' { 'B' } else { 'W' });
            board.play(&mv[..2]);
        }
        text + "];)"
    }

    fn board(&self) -> Board {
        let mut board = Board::new(&self.start);
        self.moves.iter().for_each(|mv| board.play(&mv[..2]));
        board
    }

    /// Tells what has changed: a move that was added, or the whole game; the depth; and pings.
    fn update(&mut self) {
        let game = self.ggf();
        if game != self.told {
            let added = self.told.strip_suffix(";)").and_then(|told| game.strip_prefix(told)?.strip_suffix("];)"));
            match added {
                Some(added) if added.matches('[').count() == 1 => self.talk.send(&format!("move {}", &added[2..])),
                _ => self.talk.send(&format!("set game {game}")),
            }
            self.told = game;
        }
        if self.depth != self.told_depth {
            self.talk.send(&format!("set depth {}", self.depth));
            self.told_depth = self.depth;
        }
        self.ping += 1;
        let ping = self.ping;
        self.talk.send(&format!("ping {ping}"));
    }

    /// Asks something of the present state, and listens until the window shows it.
    fn ask(&mut self, question: &str, is_shown: impl Fn(&Window) -> bool) -> Window {
        self.update();
        self.talk.send(question);
        let begin = Instant::now();
        let mut window = Window::default();
        while !is_shown(&window) {
            assert!(begin.elapsed() < PATIENCE, "{question}");
            self.listen(&mut window);
        }
        window
    }

    /// One line of the engine, as strictly as the client reads it.
    fn listen(&mut self, window: &mut Window) {
        let line = self.talk.line().expect("a line");
        let (word, rest) = line.split_once(' ').unwrap_or((&line, ""));
        let is_current = self.pong == self.ping;
        let words: Vec<&str> = rest.split(' ').collect();
        match word {
            "pong" => self.pong = rest.parse().unwrap(),
            "status" if is_current => window.status.push(rest.to_owned()),
            "set" => {
                assert_eq!(words[0], "myname", "the client knows no other variable");
                assert_eq!(words.len(), 2, "a name of one word");
                words[1].clone_into(&mut self.name);
            }
            "===" if is_current => {
                let mut parts = rest.split('/');
                let mv = parts.next().unwrap().to_owned();
                let value = parts.next().filter(|value| !value.is_empty()).map(|value| value.parse().unwrap());
                window.mv = Some((mv, value, parts.next().unwrap_or("0").parse().unwrap()));
            }
            "search" if is_current => {
                let value: f64 = words[1].parse().unwrap();
                assert_eq!(words[2], "0");
                assert!(words[3].as_bytes()[0].is_ascii_digit());
                let mut board = self.board();
                let line = words[0].as_bytes();
                assert!(line.len().is_multiple_of(2));
                line.chunks(2).for_each(|mv| board.play(std::str::from_utf8(mv).unwrap()));
                window.hints.push((words[0][..2].to_owned(), value, words[3].to_owned()));
            }
            "nodestats" if is_current => {
                window.nodes = words[0].parse().unwrap();
                assert!(words[1].parse::<f64>().unwrap() >= 0.0);
            }
            "analysis" if is_current => {
                window.analysis.push((words[0].parse().unwrap(), words[1].parse().unwrap()));
            }
            "learned" => window.learned = true,
            "===" | "search" | "nodestats" | "analysis" | "status" => {}
            _ => panic!("the client knows no '{line}'"),
        }
    }

    fn end(mut self) {
        self.talk.send("quit");
        assert!(self.talk.exit_status().success());
    }
}

#[test]
fn nboard_plays_a_game_with_griot_on_both_sides() {
    let mut client = NBoard::start(&[]);
    client.depth = 2;
    let mut values = 0;
    while !client.board().is_over() {
        let window = client.ask("go", |window| window.mv.is_some());
        let (mv, value, time) = window.mv.unwrap();
        assert!(window.nodes > 0);
        values += usize::from(value.is_some_and(|value| value.abs() <= 64.0));
        client.moves.push(format!("{mv}//{time}"));
    }
    assert_eq!(client.name, "griot");
    assert_eq!(values, client.moves.len());
    // The last positions are solved, and the client is told so.
    let end = client.board();
    let discs = |own: u8| end.cells.iter().filter(|&&cell| cell == own).count() as f64;
    let empty = discs(b'-');
    let balance = discs(b'*') - discs(b'O');
    let balance = balance + balance.signum() * empty;
    client.depth = 3;
    let analysis = client.ask("analyze", |window| window.analysis.iter().any(|(plies, _)| *plies == 0)).analysis;
    let plies: Vec<usize> = analysis.iter().map(|(plies, _)| *plies).collect();
    assert_eq!(plies, (0..=client.moves.len()).rev().collect::<Vec<_>>());
    let sign = if end.mover == b'*' { 1.0 } else { -1.0 };
    assert_eq!(analysis[0].1, sign * balance, "what the players count");
    recordings::know("nboard_", &client.talk);
    client.end();
}

#[test]
fn nboard_asks_for_hints_changes_its_mind_and_takes_back() {
    let mut client = NBoard::start(&["--dialect", "nboard"]);
    client.depth = 60;
    client.update();
    // A search that would take for ever; the next question ends it.
    client.talk.send("hint 3");
    client.moves = vec!["F5/1.00/12.5".into()];
    client.depth = 3;
    let window = client.ask("hint 5", |window| window.status.last().is_some_and(String::is_empty));
    let moves: Vec<&str> = window.hints.iter().map(|(mv, ..)| mv.as_str()).filter(|mv| mv.len() == 2).collect();
    for reply in ["D6", "F6", "F4"] {
        assert!(moves.contains(&reply), "{moves:?}");
    }
    client.moves.clear();
    assert!(client.ask("learn", |window| window.learned).hints.is_empty());
    recordings::know("nboard_", &client.talk);
    client.end();
}

#[test]
fn nboard_tells_clocks_and_passes_and_is_told_of_a_solved_end() {
    let mut client = NBoard::start(&[]);
    client.start = "8 OOOOOOO* OOOOOOOO OOO***OO OOO**OOO ****O*O- ****O*O- ***O**O- OOOOO**O O".into();
    client.clock = "0:00.5/0:00/0:00.1".into();
    client.depth = 40;
    let window = client.ask("go", |window| window.mv.is_some());
    assert_eq!(window.mv.unwrap().0, "PA");
    let window = client.ask("hint 1", |window| window.status.last().is_some_and(String::is_empty));
    assert!(window.hints.iter().any(|(_, _, depth)| depth == "100%"), "{:?}", window.hints);
    client.moves = vec!["PA".into(), "H6".into()];
    let (mv, _, time) = client.ask("go", |window| window.mv.is_some()).mv.unwrap();
    assert!(mv != "PA" && time < 3.0, "{time}");
    client.end();
}
