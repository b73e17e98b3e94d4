//! Random sessions: what a client might send, wise or foolish, by a seed and nothing else.
//!
//! The generator keeps in mind which game it means to play, so that most of what it sends is sensible; what the engine makes of
//! it is the model's business. Searches are small, so that there can be many.

use std::rc::Rc;
use std::sync::LazyLock;

use griot::game::SplitMix64;
use griot::message::DialectName;
use griot::registry::{Registry, samples};
use griot::session::Catalogue;

use super::files::Files;
use super::referee::{Board, Rules, rules};
use super::talk::{Act, Session, Start};

/// Games, and how deep a search may go in each: those of the families, and some under other names of theirs.
static GAMES: LazyLock<Vec<(&str, usize)>> = LazyLock::new(|| {
    let searched = samples().filter(|sample| sample.depth > 0).map(|sample| (sample.game, sample.depth as usize));
    searched.chain([("awale:abapa", 4), ("morpion:4", 4), ("mnk:3,4,3", 6), ("connect4:4,3,3", 9)]).collect()
});

/// The most leaves of a full tree for the textbook algorithms.
const TEXTBOOK_LEAVES: usize = 5_000;

/// Lines that are wrong, each in its own way.
const BAD: [&str; 42] = [
    "frobnicate",
    "go depth",
    "go depth x",
    "go depth 0",
    "go depth 1.5",
    "go nodes -1",
    "go depth 1 wtime 7.25",
    "go mate 0 depth 1",
    "go movetime -1",
    "go movetime 1e3 depth 1",
    "go perft x",
    "go perft 251",
    "go nodes 18446744073709551616",
    "go depth 1 searchmoves z9",
    "go searchmoves a1 q9 depth 1",
    "go depth 1 wtime --5",
    "position",
    "position nowhere",
    "position fen",
    "position fen moves A",
    "position fen x",
    "position fen 3/3/3 x moves z",
    "position startpos moves ?",
    "position startpos moves a1 a1",
    "setoption",
    "setoption Hash value 3",
    "setoption name",
    "setoption name value 3",
    "setoption name Colour value blue",
    "setoption name Hash",
    "setoption name Hash value 0",
    "setoption name Hash value 1048577",
    "setoption name Hash value +2",
    "setoption name Threads value 257",
    "setoption name Ponder value perhaps",
    "setoption name Algorithm value mtdf",
    "setoption name Game value shogi",
    "setoption name Game value mnk:3,3,4",
    "setoption name UCI_Variant value shogi",
    "debug perhaps",
    "debug",
    "isready\u{0}",
];

/// How the sessions of a run differ.
#[derive(Debug, Clone, Copy)]
pub struct Taste {
    /// Whether awalé may build its tables, which takes as long as some hundred sessions.
    pub tables: bool,
}

/// The session of a seed.
pub fn session(seed: u64, process: bool, taste: Taste, files: &Files) -> Session {
    let mut rng = SplitMix64::new(seed);
    match rng.below(10) {
        0 => gtp(&mut rng, process),
        1 => gomocup(&mut rng, process),
        _ => Maker::new(rng, process, taste, files).universal(),
    }
}

/// One time in so many.
fn once_in(rng: &mut SplitMix64, times: usize) -> bool {
    rng.below(times) == 0
}

// ------------------------------------------------------------------------------------------------------------ UGI and UCI

struct Maker<'f> {
    rng: SplitMix64,
    files: &'f Files,
    start: Start,
    taste: Taste,
    acts: Vec<Act>,
    rules: Rc<dyn Rules>,
    depth: usize,
    board: Box<dyn Board>,
    /// How the game played began, and its moves.
    from: String,
    moves: Vec<String>,
    textbook: bool,
    mcts: bool,
    endless: bool,
}

impl<'f> Maker<'f> {
    fn new(mut rng: SplitMix64, process: bool, taste: Taste, files: &'f Files) -> Maker<'f> {
        let dialect = [None, None, Some(DialectName::Ugi), Some(DialectName::Uci)][rng.below(4)];
        let rules = rules("awale", false).expect("a game");
        let board = rules.start();
        let start = Start { process, dialect, game: None };
        let (from, moves) = ("startpos".into(), Vec::new());
        Maker {
            rng,
            files,
            start,
            taste,
            acts: Vec::new(),
            rules,
            depth: 4,
            board,
            from,
            moves,
            textbook: false,
            mcts: false,
            endless: false,
        }
    }

    fn below(&mut self, limit: usize) -> usize {
        self.rng.below(limit)
    }

    fn once_in(&mut self, times: usize) -> bool {
        once_in(&mut self.rng, times)
    }

    fn send(&mut self, line: impl Into<String>) {
        let mut line = line.into();
        // Blanks, tabs, carriage returns and capitals are all the same.
        if self.once_in(40) {
            line = line.replacen(' ', [" \t", "   ", "\t"][self.below(3)], 1);
        }
        if self.once_in(40) {
            line += ["\r", " ", "\t \r"][self.below(3)];
        }
        if self.once_in(60) {
            let (first, rest) = line.split_once(' ').map_or((line.clone(), None), |(a, b)| (a.to_owned(), Some(b)));
            line = first.to_ascii_uppercase() + &rest.map_or(String::new(), |rest| format!(" {rest}"));
        }
        self.acts.push(Act::send(line));
    }

    fn universal(mut self) -> Session {
        let length = 20 + self.below(120);
        if !self.once_in(3) {
            let greeting = ["ugi", "uci"][self.below(2)];
            self.send(greeting);
        }
        // Some tests of whole sessions must not wait for the tables that awalé builds for itself.
        if !self.taste.tables {
            self.acts.push(Act::send("setoption name Tablebases value false"));
        }
        // A small table is as good, and quicker to empty.
        if !self.once_in(20) {
            self.acts.push(Act::send("setoption name Hash value 1"));
        }
        if !self.once_in(8) {
            self.choose_game();
        }
        while self.acts.len() < length {
            self.something();
        }
        // A search without limits lasts a second beyond the end of the input, so few sessions end under one.
        if !self.once_in(200) {
            for _ in 0..6 {
                self.acts.push(Act::send("stop"));
                self.acts.push(Act::Settle);
            }
        }
        match self.below(10) {
            0 => {
                self.send("go depth 2");
                self.send("go depth 1");
                self.acts.push(Act::End);
            }
            1..=2 => {
                // What still waits at the end is done.
                self.send("go infinite");
                self.send("go depth 1");
                self.ask();
                self.send("quit");
                self.send("isready");
            }
            _ => {}
        }
        Session { start: self.start, acts: self.acts }
    }

    fn something(&mut self) {
        match self.below(100) {
            0..=24 => self.position(),
            25..=59 => self.go(),
            60..=74 => self.ask(),
            75..=84 => self.option(),
            85..=88 => {
                let line = BAD[self.below(BAD.len())];
                self.send(line);
            }
            89 => self.noise(),
            90..=91 => {
                let word = ["uginewgame", "ucinewgame"][self.below(2)];
                self.send(word);
            }
            92 => {
                let word = ["stop", "ponderhit", "debug on", "debug off", "help", "ugi", "uci"][self.below(7)];
                self.send(word);
            }
            93 => self.choose_game(),
            94 => {
                let time = self.below(3) as u64;
                self.acts.push(Act::Pause(time));
            }
            _ => self.acts.push(Act::Settle),
        }
        // Half of the time the answer is waited for, as most clients do.
        if self.once_in(2) {
            self.acts.push(Act::Settle);
        }
    }

    fn ask(&mut self) {
        const QUESTIONS: [&str; 14] = [
            "isready",
            "isready",
            "isready please",
            "query gameover",
            "query p1turn",
            "query result",
            "query fen",
            "query legalmoves",
            "query board",
            "query picture",
            "query Line",
            "query LegalMoves",
            "query meaning",
            "query",
        ];
        let question = QUESTIONS[self.below(QUESTIONS.len())];
        self.send(question);
    }

    /// Bytes that are no command.
    fn noise(&mut self) {
        let line: Vec<u8> = match self.below(9) {
            0 => Vec::new(),
            1 => b"# a remark".to_vec(),
            2 => b"   \t ".to_vec(),
            3 => b"go depth 1 \xff".to_vec(),
            4 => b"position startpos moves \xc3".to_vec(),
            5 => b"isready \xff\xfe".to_vec(),
            6 => "query fén \u{202e}".into(),
            7 => format!("setoption name Café value {}", "x".repeat(self.below(200))).into_bytes(),
            _ if self.once_in(20) => {
                let words: [&[u8]; 3] = [b"go ", b"position startpos moves ", b"x"];
                let mut line = words[self.below(3)].to_vec();
                line.resize((1 << 20) + self.below(2), b' ');
                line
            }
            _ => "x".repeat(self.below(3000)).into_bytes(),
        };
        self.acts.push(Act::Send(line));
    }

    fn choose_game(&mut self) {
        if self.once_in(3) {
            let variants = Registry.variants();
            let name = variants[self.below(variants.len())].name;
            self.send(format!("setoption name UCI_Variant value {name}"));
            let plain = if name == "cfour" { "connect4" } else { name };
            self.turn_to(name, plain, true);
        } else {
            let (name, _) = GAMES[self.below(GAMES.len())];
            self.send(format!("setoption name Game value {name}"));
            self.turn_to(name, name, false);
        }
    }

    fn turn_to(&mut self, name: &str, plain: &str, drops: bool) {
        self.rules = rules(name, drops).expect("a game");
        self.depth = GAMES.iter().find(|(known, _)| *known == plain).map_or(2, |(_, depth)| *depth);
        self.board = self.rules.start();
        self.from = "startpos".into();
        self.moves.clear();
    }

    fn move_list(&self) -> String {
        let glue = if self.rules.glues() && self.moves.len() % 3 == 1 { "" } else { " " };
        if self.moves.is_empty() { String::new() } else { format!(" moves {}", self.moves.join(glue)) }
    }

    /// Plays so many random moves on the game in mind.
    fn play_on(&mut self, plies: usize) {
        for _ in 0..plies {
            if self.board.outcome().is_some() {
                return;
            }
            let moves = self.board.moves();
            let mv = moves[self.below(moves.len())].clone();
            self.board.play(&mv).expect("legal");
            self.moves.push(mv);
        }
    }

    fn position(&mut self) {
        match self.below(20) {
            // The game goes on by a move or two: the table is warm.
            0..=7 => {
                let plies = self.below(3);
                self.play_on(plies);
            }
            // Another game.
            8..=13 => {
                self.from = "startpos".into();
                self.board = self.rules.start();
                self.moves.clear();
                let plies = [0, 2, 6, 12, 24, 60, 200][self.below(7)];
                let plies = self.below(plies + 1);
                self.play_on(plies);
            }
            // The same position without its past.
            14..=16 => {
                let text = self.board.text();
                self.from = format!("fen {text}");
                self.board = self.rules.read(&text).expect("a board text reads back").0;
                self.moves.clear();
                let plies = self.below(4);
                self.play_on(plies);
            }
            17 => {
                // An illegal move, or one after the end.
                let bad = ["z9", "0000", "P@a9", "A", "a", "b2", "é", "a1 a1", "d3"][self.below(9)];
                let list = self.move_list();
                let glue = if list.is_empty() { " moves " } else { " " };
                let line = format!("position {}{list}{glue}{bad}", self.from);
                return self.send(line);
            }
            18 => {
                // A board text with one character too many, too few, or another one.
                let mut text: Vec<char> = self.board.text().chars().collect();
                let at = self.below(text.len());
                match self.below(3) {
                    0 => drop(text.remove(at)),
                    1 => text.insert(at, ['x', '/', '9', '-', ' ', 'S', 'é'][self.below(7)]),
                    _ => text[at] = ['o', '/', '1', '-', ' ', 'N', '0'][self.below(7)],
                }
                return self.send(format!("position fen {}", text.into_iter().collect::<String>()));
            }
            _ => {
                let junk = ["", " now", " quickly moves"][self.below(3)];
                return self.send(format!("position startpos{junk}"));
            }
        }
        self.send(format!("position {}{}", self.from, self.move_list()));
    }

    fn depth(&mut self) -> usize {
        let mut most = self.depth;
        if self.textbook {
            // Several lines are not pruned, and every leaf is evaluated from scratch: two plies on 15x15 take minutes.
            let moves = self.board.moves().len();
            most = (1..=most.min(3)).take_while(|&plies| moves.pow(plies as u32) <= TEXTBOOK_LEAVES).count().max(1);
        }
        1 + self.below(most)
    }

    fn go(&mut self) {
        let mut line = String::from("go");
        let mut bounded = true;
        match self.below(24) {
            0..=7 => line += &format!(" depth {}", self.depth()),
            8..=12 => {
                let nodes = [1, 10, 100, 300, if self.mcts { 300 } else { 3000 }][self.below(5)];
                line += &format!(" nodes {}", 1 + self.below(nodes));
            }
            13 => line += &format!(" movetime {}", self.below(4)),
            14 => line += &format!(" depth {}", 1 + self.below(2)),
            15 => {
                let (first, second) = [("p1", "p2"), ("w", "b")][self.below(2)];
                let time = [0, 30, 200][self.below(3)];
                line += &format!(" {first}time {} {second}time {}", self.below(time + 1), self.below(time + 1));
                if self.once_in(2) {
                    line += &format!(" {first}inc {} {second}inc {}", self.below(3), self.below(3));
                }
                if self.once_in(3) {
                    line += &format!(" movestogo {}", self.below(5));
                }
                if self.once_in(6) {
                    line += &format!(" {first}time -{}", self.below(9));
                }
            }
            16 => line += &format!(" mate {} nodes {}", 1 + self.below(3), if self.mcts { 200 } else { 1000 }),
            17 => {
                let most = if self.depth < 3 { 1 } else { 2 };
                line += &format!(" perft {}", self.below(most + 1));
            }
            18..=19 => {
                line += " infinite";
                if self.once_in(3) {
                    line += &format!(" depth {}", self.depth());
                }
                bounded = false;
            }
            20..=21 => {
                line += " ponder";
                if !self.once_in(3) {
                    line += &format!(" depth {}", self.depth());
                }
                bounded = false;
            }
            22 => bounded = false,
            _ => {
                line += &format!(
                    " depth {} nodes {} movetime 20",
                    self.depth(),
                    1 + self.below(if self.mcts { 200 } else { 2000 })
                )
            }
        }
        if self.once_in(8) && self.board.outcome().is_none() {
            let moves = self.board.moves();
            let some: Vec<&str> = (0..1 + self.below(3)).map(|_| moves[self.below(moves.len())].as_str()).collect();
            line += &format!(" searchmoves {}", some.join(" "));
        }
        if self.once_in(20) {
            line += " please";
        }
        self.send(line);
        // With the textbook algorithms a search that is not bounded goes on through ever larger trees.
        self.endless |= !bounded;
        if self.endless {
            match self.below(8) {
                0 => {}
                1 => self.send("isready"),
                2 => self.ask(),
                3 => {
                    self.acts.push(Act::Settle);
                    let time = self.below(2) as u64;
                    self.acts.push(Act::Pause(time));
                }
                4 => self.send("ponderhit"),
                _ => {}
            }
            if !self.once_in(6) {
                self.send("stop");
                self.endless = false;
            }
        }
    }

    fn option(&mut self) {
        let line = match self.below(25) {
            0..=2 => format!("Threads value {}", 1 + self.below(4)),
            3..=6 => format!("MultiPV value {}", [1, 1, 2, 3, 5, 256][self.below(6)]),
            7 => format!("Hash value {}", 1 + self.below(3)),
            8 => "Clear Hash".into(),
            9..=10 => {
                let name =
                    ["alphabeta", "alphabeta", "alphabeta", "negabeta", "negamax", "minimax", "mcts"][self.below(7)];
                self.textbook = !matches!(name, "alphabeta" | "mcts");
                self.mcts = name == "mcts";
                format!("Algorithm value {name}")
            }
            11 => format!("Evaluation value {}", ["full", "plain"][self.below(2)]),
            12 => format!("Selective value {}", ["true", "false"][self.below(2)]),
            13 => format!("Skill Level value {}", [0, 3, 7, 19, 20, 20, 20][self.below(7)]),
            14 => format!("UCI_LimitStrength value {}", ["true", "false", "false"][self.below(3)]),
            15 => format!("UCI_Elo value {}", 500 + self.below(2281)),
            16 => format!("Seed value {}", self.below(1000)),
            17 => format!("Move Overhead value {}", self.below(20)),
            18 => {
                let name = ["Ponder", "UCI_ShowWDL", "UCI_AnalyseMode"][self.below(3)];
                format!("{name} value {}", ["true", "false"][self.below(2)])
            }
            19..=20 => format!("OwnBook value {}", ["true", "true", "false"][self.below(3)]),
            21 => {
                let files = self.files.books();
                // Half of the time the one that is for the game, if there is one.
                let own = match self.rules.name() {
                    "tictactoe" => 0,
                    "connect4" => 2,
                    _ => self.below(files.len()),
                };
                let other = self.below(files.len());
                format!("BookFile value {}", files[if self.once_in(2) { own } else { other }])
            }
            22 => {
                let folders = self.files.tables();
                let folder = folders[self.below(folders.len())].clone();
                if self.taste.tables && self.once_in(2) {
                    "Tablebases value true".into()
                } else {
                    format!("TablebasePath value {folder}")
                }
            }
            23 => {
                let files = self.files.books();
                format!("EvalFile value {}", files[self.below(files.len())])
            }
            _ => {
                let files = self.files.logs();
                format!("Log File value {}", files[self.below(files.len())])
            }
        };
        // Names are read in any case.
        let line = if self.once_in(10) {
            let (name, value) =
                line.split_once(" value").map_or((line.clone(), None), |(a, b)| (a.to_owned(), Some(b)));
            name.to_ascii_uppercase() + &value.map_or(String::new(), |value| format!(" value{value}"))
        } else {
            line
        };
        self.send(format!("setoption name {line}"));
    }
}

// -------------------------------------------------------------------------------------------------------------------- GTP

fn gtp(rng: &mut SplitMix64, process: bool) -> Session {
    let games =
        ["tictactoe", "connect4", "othello", "nim", "awale:mini", "awale", "mnk:9,9,5", "connect4:5,4,3", "nim:3-4-5"];
    let game = games[rng.below(games.len())];
    let start = Start { process, dialect: Some(DialectName::Gtp), game: Some(game) };
    let rules = rules(game, false).expect("a game");
    let mut acts = vec![Act::send("time_left b 0 0"), Act::send("time_left w 0 0")];
    let colours = ["b", "w", "black", "W"];
    let cols = rules.start().text().split('/').count().clamp(3, 9);
    for _ in 0..20 + rng.below(80) {
        let id = if once_in(rng, 2) { format!("{} ", rng.below(1000)) } else { String::new() };
        let command = match rng.below(30) {
            0..=8 => {
                let letter = (b'a' + rng.below(cols) as u8) as char;
                let letter = if letter == 'i' { 'j' } else { letter };
                let letter = if once_in(rng, 2) { letter.to_ascii_uppercase() } else { letter };
                format!("play {} {letter}{}", colours[rng.below(4)], 1 + rng.below(cols))
            }
            9..=14 => {
                acts.push(Act::send(format!("time_left {} 0 {}", colours[rng.below(4)], rng.below(2))));
                format!("{} {}", ["genmove", "genmove", "genmove", "reg_genmove"][rng.below(4)], colours[rng.below(4)])
            }
            15..=16 => "undo".into(),
            17 => "clear_board".into(),
            18 => format!("play {} pass", colours[rng.below(4)]),
            19 => format!("boardsize {}", rng.below(20)),
            20 => {
                const WRONG: [&str; 13] = [
                    "play b",
                    "play red a1",
                    "play b z99",
                    "genmove",
                    "genmove x",
                    "boardsize x",
                    "komi",
                    "komi x",
                    "reg_genmove",
                    "loadsgf",
                    "loadsgf not/there.sgf 3",
                    "gogui-play_sequence b a1 w",
                    "gogui-play_sequence b a1 w b1 b c1 w z9",
                ];
                WRONG[rng.below(WRONG.len())].into()
            }
            21 => ["nonsense", "Undo", "known_command", "time_settings 1", "time_left b x 1"][rng.below(5)].into(),
            22 => ["name", "version", "protocol_version", "list_commands", "komi 6.5"][rng.below(5)].into(),
            23 => format!("known_command {}", ["undo", "cputime"][rng.below(2)]),
            24 => "# interrupt".into(),
            25 => "  # a remark".into(),
            26 => "showboard".into(),
            27 => ["final_score", "gogui-rules_final_result", "gogui-interrupt", "gogui-analyze_commands"]
                [rng.below(4)]
            .into(),
            _ => format!(
                "gogui-rules_{}",
                ["game_id", "board", "board_gfx", "board_size", "captured_count", "legal_moves", "side_to_move"]
                    [rng.below(7)]
            ),
        };
        let remark = command.trim_start().starts_with('#');
        acts.push(Act::send(if remark { command } else { id + &command }));
        if once_in(rng, 60) {
            acts.push(Act::Send(b"name \xff".to_vec()));
        }
        if once_in(rng, 3) {
            acts.push(Act::Settle);
        }
    }
    if once_in(rng, 3) {
        acts.push(Act::send("7 quit"));
        acts.push(Act::send("name"));
    }
    Session { start, acts }
}

// ---------------------------------------------------------------------------------------------------------------- Gomocup

fn gomocup(rng: &mut SplitMix64, process: bool) -> Session {
    let dialect = if once_in(rng, 2) { None } else { Some(DialectName::Gomocup) };
    let start = Start { process, dialect, game: None };
    let mut acts = vec![Act::send("INFO timeout_turn 0"), Act::send("INFO max_memory 2000000")];
    let point = |rng: &mut SplitMix64| format!("{},{}", rng.below(8), rng.below(8));
    for _ in 0..15 + rng.below(50) {
        let command = match rng.below(24) {
            0..=1 => format!("START {}", [5, 6, 7, 7, 9, 4, 23][rng.below(7)]),
            2 => format!("RECTSTART {},{}", 4 + rng.below(6), 5 + rng.below(6)),
            3 => "RESTART".into(),
            4..=6 => "BEGIN".into(),
            7..=12 => format!("TURN {}", point(rng)),
            13..=14 => format!("TAKEBACK {}", point(rng)),
            15..=17 => {
                acts.push(Act::send("BOARD"));
                let stones = rng.below(9);
                for i in 0..stones {
                    acts.push(Act::send(format!("{},{},{}", i, rng.below(7), 1 + (i + stones) % 2)));
                }
                "DONE".into()
            }
            18 => format!(
                "INFO {}",
                ["timeout_turn 0", "timeout_match 0", "rule 1", "rule 0", "rule 2", "time_left 2147483647"]
                    [rng.below(6)]
            ),
            19 => ["INFO rule x", "INFO timeout_turn", "START", "START x", "RECTSTART 7", "TURN 7", "TURN -1,2", "5,5"]
                [rng.below(8)]
            .into(),
            20 => ["SUGGEST 1,1", "nonsense", "7,7,3", "7,7,1", "DONE"][rng.below(5)].into(),
            21 => "ABOUT".into(),
            22 => ["INFO folder /nowhere", "INFO evaluate 1,1", "", "INFO"][rng.below(4)].into(),
            _ => "begin".into(),
        };
        acts.push(Act::send(command));
        if once_in(rng, 3) {
            acts.push(Act::Settle);
        }
    }
    if once_in(rng, 3) {
        acts.push(Act::send("END"));
        acts.push(Act::send("ABOUT"));
    }
    Session { start, acts }
}
