//! Yixin-Board, the graphical front end of gomoku and renju: it greets in lower case, names points by row and column, tells the whole
//! board for every move, and reads what is said in capitals, by how each line begins.

use std::time::{Duration, Instant};

use crate::support::Talk;

const PATIENCE: Duration = Duration::from_secs(30);

struct Board {
    talk: Talk,
    moves: Vec<(usize, usize)>,
    /// The best point as it is shown while the engine thinks.
    best: Option<(usize, usize)>,
    value: Option<i32>,
    forbidden: Vec<(usize, usize)>,
    threads: usize,
    log: Vec<String>,
}

fn numbers(text: &str) -> Vec<usize> {
    text.split(|c: char| !c.is_ascii_digit()).filter_map(|number| number.parse().ok()).collect()
}

impl Board {
    fn start(rule: u32) -> Board {
        let mut talk = Talk::process(&["--dialect", "gomocup"]);
        for line in [
            "info show_detail 1",
            "yxshowinfo",
            "START 15 15",
            "INFO timeout_turn 300",
            "INFO timeout_match 100000000",
            "INFO time_left 100000000",
            "INFO max_node -1",
            "INFO max_depth 225",
            "INFO time_increment 0",
            "INFO caution_factor 1",
            "INFO thread_num 1",
            "INFO thread_split_depth 8",
            "INFO hash_size 16384",
            "INFO pondering 0",
            "INFO vcthread 0",
        ] {
            talk.send(line);
        }
        talk.send(&format!("INFO rule {rule}"));
        let (moves, forbidden, log) = (Vec::new(), Vec::new(), Vec::new());
        Board { talk, moves, best: None, value: None, forbidden, threads: 0, log }
    }

    /// Tells the stones; the list begins with this command.
    fn tell(&mut self, command: &str) {
        self.talk.send("start 15 15");
        self.talk.send(command);
        for (i, (y, x)) in self.moves.iter().enumerate() {
            let own = if self.moves.len() % 2 == i % 2 { 1 } else { 2 };
            self.talk.send(&format!("{y},{x},{own}"));
        }
        self.talk.send("done");
    }

    /// One line, as the window reads it; a move if it is one.
    fn listen(&mut self) -> Option<(usize, usize)> {
        let line = self.talk.line().expect("a line").to_ascii_uppercase();
        if let Some(rest) = line.strip_prefix("MESSAGE REALTIME ") {
            match rest.split(' ').next() {
                Some("BEST") => self.best = Some((numbers(rest)[0], numbers(rest)[1])),
                Some("VAL") => self.value = rest[4..].parse().ok(),
                Some("PV") => {}
                _ => panic!("{line}"),
            }
        } else if line.starts_with("MESSAGE INFO MAX_THREAD_NUM") {
            self.threads = numbers(&line)[0];
        } else if let Some(rest) = line.strip_prefix("FORBID ") {
            let points = rest.split('.').next().unwrap();
            assert!(points.len() % 4 == 0 && rest.ends_with('.'), "{line}");
            let point = |at: usize| (points[at..at + 2].parse().unwrap(), points[at + 2..at + 4].parse().unwrap());
            self.forbidden = (0..points.len()).step_by(4).map(point).collect();
        } else if line.starts_with(|c: char| c.is_ascii_digit()) {
            return Some((numbers(&line)[0], numbers(&line)[1]));
        } else {
            assert!(["OK", "MESSAGE", "ERROR", "UNKNOWN"].iter().any(|word| line.starts_with(word)), "{line}");
            self.log.push(line);
        }
        None
    }

    fn wait_for_move(&mut self) -> (usize, usize) {
        let begin = Instant::now();
        loop {
            assert!(begin.elapsed() < PATIENCE);
            if let Some(point) = self.listen() {
                assert!(!self.moves.contains(&point), "{point:?}");
                return point;
            }
        }
    }

    /// Listens until the log shows a line that begins so.
    fn until(&mut self, start: &str) -> String {
        loop {
            if let Some(at) = self.log.iter().position(|line| line.starts_with(start)) {
                return self.log.remove(at);
            }
            assert_eq!(self.listen(), None);
        }
    }

    fn end(mut self) {
        self.talk.send("end");
        assert!(self.talk.exit_status().success());
    }
}

#[test]
fn yixin_board_plays_shows_what_is_thought_and_stops() {
    let mut board = Board::start(0);
    board.moves = vec![(7, 7), (0, 0), (7, 8), (0, 2)];
    board.talk.send("yxhashclear");
    board.tell("board");
    let mv = board.wait_for_move();
    assert_eq!(board.threads, 256);
    assert_eq!(board.best, Some(mv), "what is shown last is what is played");
    assert!(board.value.is_some());
    board.moves.push(mv);
    // The best three, and all there are; stopped at once.
    for question in ["yxnbest 3", "yxsearchdefend"] {
        board.talk.send("INFO timeout_turn 2000000");
        board.tell("yxboard");
        board.talk.send(question);
        let begin = Instant::now();
        while board.log.iter().filter(|line| line.contains("MULTIPV 3")).count() == 0 {
            assert_eq!(board.listen(), None);
        }
        board.talk.send("yxstop");
        board.wait_for_move();
        assert!(begin.elapsed() < PATIENCE);
        board.log.clear();
    }
    // Blocked points are not looked at, and what the database would be told is of no use.
    board.talk.send("INFO timeout_turn 100");
    for line in ["yxquerydatabaseall", "7,7", "done", "yxdraw", "yxblock", "7,9", "7,6", "done"] {
        board.talk.send(line);
    }
    board.moves = vec![(7, 7), (0, 0), (7, 8), (0, 2), (7, 5), (0, 4)];
    board.tell("board");
    assert!(![(7, 9), (7, 6)].contains(&board.wait_for_move()));
    board.talk.send("yxblockreset");
    assert!(!board.log.iter().any(|line| line.starts_with("ERROR") || line.starts_with("UNKNOWN")), "{:?}", board.log);
    board.end();
}

#[test]
fn yixin_board_shows_the_forbidden_points_of_renju() {
    let mut board = Board::start(2);
    // Two threes meet in one point; row first.
    board.moves = vec![(5, 7), (0, 0), (6, 7), (0, 14), (7, 5), (14, 0), (7, 6), (14, 14)];
    board.tell("yxboard");
    board.talk.send("yxshowforbid");
    while board.forbidden.is_empty() {
        assert_eq!(board.listen(), None);
    }
    assert_eq!(board.forbidden, [(7, 7)]);
    board.end();
}

#[test]
fn yixin_board_opens_by_swap2() {
    let mut board = Board::start(1);
    // A new game begins, whatever was told of the one before.
    board.moves = vec![(7, 7), (8, 8)];
    board.tell("yxboard");
    board.talk.send("yxswap2step1");
    let points: Vec<(usize, usize)> = ["MOVE1", "MOVE2", "MOVE3"]
        .iter()
        .map(|step| {
            let line = board.until(&format!("MESSAGE SWAP2 {step}"));
            let numbers = numbers(&line["MESSAGE SWAP2 MOVE1".len()..]);
            (numbers[0], numbers[1])
        })
        .collect();
    board.moves = points;
    board.tell("yxboard");
    board.talk.send("yxswap2step2");
    let said = board.until("MESSAGE SWAP2 ");
    assert!(["SWAP1 YES", "SWAP1 NO", "MOVE4"].iter().any(|word| said.contains(word)), "{said}");
    board.log.clear();
    // Here nobody stands better: two more stones come, and the person chooses.
    board.talk.send("INFO timeout_turn 20000");
    board.talk.send("INFO max_node 60000");
    board.moves = vec![(7, 7), (9, 9), (11, 6)];
    board.tell("yxboard");
    board.talk.send("yxswap2step2");
    let put = ["MOVE4", "MOVE5"]
        .map(|step| numbers(&board.until(&format!("MESSAGE SWAP2 {step}"))["MESSAGE SWAP2 MOVE4".len()..]));
    assert!(put[0] != put[1] && put.iter().all(|point| point.len() == 2), "{put:?}");
    // Three of black's in a row, and white to move: black is taken.
    board.moves = vec![(7, 7), (0, 0), (7, 8), (0, 14), (7, 6)];
    board.tell("yxboard");
    board.talk.send("yxswap2step3");
    assert!(board.until("MESSAGE SWAP2 SWAP2 ").ends_with("YES"));
    board.end();
}
