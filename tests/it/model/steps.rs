//! What griot must answer in GTP and Gomocup, where the engine keeps the game: one answer to each command, in order.
//!
//! Nothing is at once here, so the model does what the engine does: it takes the commands one after the other, and each time an
//! answer is complete it holds it against what the first of them must say. The move of a search may be any legal one.
//!
//! | GTP | answer |
//! |---|---|
//! | a command | `=ID TEXT`, lines up to a blank one |
//! | one that is unknown, wrong or cannot be done | `?ID TEXT`, a blank line; nothing has changed |
//! | a remark, a blank line | none |
//!
//! | Gomocup | answer |
//! |---|---|
//! | `START`, `RECTSTART`, `RESTART`, `TAKEBACK` | `OK` |
//! | `BEGIN`, `TURN`, `DONE` | a point |
//! | `INFO`, `BOARD`, a stone, `END` | none |
//! | unknown; cannot be done | `UNKNOWN …`; `ERROR …`, and nothing has changed |
//! | at any time before an answer | `MESSAGE …` |

use std::collections::VecDeque;
use std::rc::Rc;

use griot::game::{Outcome, Side};
use griot::message::Shape;
use griot::protocol::draw;

use super::contract::BadLine;
use super::lines::words;
use super::referee::{Board, Rules, rules};

/// The commands of GTP.
const COMMANDS: [&str; 30] = [
    "boardsize",
    "clear_board",
    "final_score",
    "genmove",
    "gogui-analyze_commands",
    "gogui-interrupt",
    "gogui-play_sequence",
    "gogui-rules_board",
    "gogui-rules_board_gfx",
    "gogui-rules_board_size",
    "gogui-rules_captured_count",
    "gogui-rules_final_result",
    "gogui-rules_game_id",
    "gogui-rules_legal_moves",
    "gogui-rules_side_to_move",
    "kgs-genmove_cleanup",
    "known_command",
    "komi",
    "list_commands",
    "loadsgf",
    "name",
    "play",
    "protocol_version",
    "quit",
    "reg_genmove",
    "showboard",
    "time_left",
    "time_settings",
    "undo",
    "version",
];

/// Whether a line that begins so is taken for GTP when no dialect was chosen.
pub fn opens_gtp(line: &str) -> bool {
    let mut words = words(line).map(|(_, word)| word).peekable();
    if words.peek().is_some_and(|word| word.parse::<u64>().is_ok() && is_number(word)) {
        words.next();
    }
    words.next().is_some_and(|word| word != "quit" && COMMANDS.contains(&word))
}

/// Whether it is taken for Gomocup.
pub fn opens_gomocup(line: &str) -> bool {
    const WORDS: [&str; 14] = [
        "ABOUT",
        "START",
        "RECTSTART",
        "RECSTART",
        "RESTART",
        "BEGIN",
        "TURN",
        "BOARD",
        "DONE",
        "TAKEBACK",
        "INFO",
        "END",
        "PLAY",
        "SWAP2BOARD",
    ];
    words(line).next().is_some_and(|(_, word)| WORDS.contains(&word))
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// A game told move by move.
pub struct Steps {
    gomocup: bool,
    rules: Rc<dyn Rules>,
    moves: Vec<String>,
    passes: usize,
    /// The side of the square board at the start; nothing where it is not of cells or houses.
    side: usize,
    five: Option<(u64, u64)>,
    exact: bool,
    stones: Option<Vec<(String, bool)>>,
    /// Whether a line among them was refused.
    gap: bool,
    waiting: VecDeque<String>,
    /// What the first of those that wait must be answered by: it is done, but for the move that it asks for.
    due: Option<Answer>,
    /// Lines of an answer that is not complete.
    part: Vec<String>,
    quit: bool,
    ended: bool,
}

/// What a command must be answered by.
enum Answer {
    Nothing,
    Exactly(String),
    /// Anything at all, but done.
    Done,
    Failed(&'static str),
    Unknown,
    /// A move, which is then played.
    Move,
    /// A move, which is not played.
    Advice,
}

type Point = (usize, usize);

impl Steps {
    pub fn gtp(game: &str) -> Steps {
        Steps::new(false, game)
    }

    pub fn gomocup() -> Steps {
        Steps::new(true, "awale")
    }

    fn new(gomocup: bool, game: &str) -> Steps {
        let rules = rules(game, false).expect("a game");
        let mut steps = Steps {
            gomocup,
            rules,
            moves: Vec::new(),
            passes: 0,
            side: 0,
            five: None,
            exact: false,
            stones: None,
            gap: false,
            waiting: VecDeque::new(),
            due: None,
            part: Vec::new(),
            quit: false,
            ended: false,
        };
        steps.side = steps.shape().0.max(steps.shape().1);
        steps
    }

    pub fn sent(&mut self, line: Result<&str, BadLine<'_>>) {
        if self.quit {
            return;
        }
        let (text, bad) = match line {
            Ok(text) => (text.to_owned(), false),
            // No command has a word like this; its number is read as ever.
            Err(bad) => (format!("{}\u{1}", bad.beginning), true),
        };
        let said = if self.gomocup { text.as_str() } else { text.split('#').next().unwrap_or("") };
        if words(said).next().is_none() && !bad {
            return;
        }
        self.waiting.push_back(text.clone());
        let verb = words(said).map(|(_, word)| word).find(|word| self.gomocup || !is_number(word)).unwrap_or("");
        if !bad && (verb == "quit" && !self.gomocup || verb.eq_ignore_ascii_case("END") && self.gomocup) {
            self.quit = true;
        }
        self.advance();
    }

    pub fn ended(&mut self) {
        self.ended = true;
    }

    pub fn owes(&self) -> Option<String> {
        self.waiting.front().map(|line| format!("the answer to '{line}'"))
    }

    pub fn closed(&self) -> Result<(), String> {
        match self.owes() {
            Some(owed) => Err(format!("the engine ended, and still owed {owed}")),
            None if self.quit || self.ended => Ok(()),
            None => Err("the engine ended, and nobody had asked it to".into()),
        }
    }

    /// A line was said.
    pub fn said(&mut self, line: &str) -> Result<(), String> {
        if self.gomocup && line.starts_with("MESSAGE ") {
            return Ok(());
        }
        if self.waiting.is_empty() {
            return Err("nothing is owed".into());
        }
        if !self.gomocup && !line.is_empty() {
            self.part.push(line.to_owned());
            return Ok(());
        }
        let answer = if self.gomocup { line.to_owned() } else { std::mem::take(&mut self.part).join("\n") };
        let command = self.waiting.pop_front().unwrap_or_default();
        let due = self.due.take().ok_or("nothing is owed")?;
        let result =
            if self.gomocup { self.gomocup_answer(due, &answer) } else { self.gtp_answer(&command, due, &answer) };
        self.advance();
        result.map_err(|wrong| format!("to '{command}': {wrong}"))
    }

    /// Does the first of the commands that wait, and those before it that have no answer.
    fn advance(&mut self) {
        while self.due.is_none()
            && let Some(command) = self.waiting.front().cloned()
        {
            let due = if self.gomocup { self.gomocup_step(&command) } else { self.gtp_step(&command) };
            self.gap |= matches!(due, Answer::Failed("column " | "expected"));
            if self.gomocup && matches!(due, Answer::Nothing) {
                self.waiting.pop_front();
            } else {
                self.due = Some(due);
            }
        }
    }

    // ------------------------------------------------------------------------------------------------------- the game

    fn board(&self) -> Box<dyn Board> {
        let mut board = self.rules.start();
        for mv in &self.moves {
            board.play(mv).expect("the moves kept are legal");
        }
        board
    }

    /// Columns and rows of the board as it stands, and whether it is of houses, or of heaps.
    fn shape(&self) -> (usize, usize, Form) {
        let board = self.board();
        let text = board.text();
        let name = self.rules.name();
        if name.starts_with("awale") {
            return ((text.split('-').count() - 3) / 2, 2, Form::Houses);
        }
        if name.starts_with("nim") {
            let heaps = text.split(' ').next().unwrap_or("");
            let sizes = heaps.split('-').map(|size| size.parse().unwrap_or(0_usize));
            return (heaps.split('-').count(), sizes.max().unwrap_or(0).clamp(1, 25), Form::Heaps);
        }
        let rows = text.split(' ').next().unwrap_or("").split('/').count();
        (
            cells(&text).first().map_or(0, Vec::len),
            rows,
            if name.starts_with("connect4") { Form::Columns } else { Form::Cells },
        )
    }

    /// The point of a legal move, columns and rows from 0; nothing for a pass, or beyond the letters.
    fn point(&self, board: &dyn Board, mv: &str) -> Option<Point> {
        let (cols, rows, form) = self.shape();
        let letter = mv.chars().next().filter(char::is_ascii_alphabetic)?;
        let index = usize::from(letter.to_ascii_lowercase() as u8 - b'a');
        let side = self.side.max(cols).max(rows).min(25);
        let point = match form {
            Form::Houses if letter.is_ascii_uppercase() => (index, (side / 2).saturating_sub(1)),
            Form::Houses => (cols - 1 - index, side / 2),
            Form::Columns => {
                let stones = cells(&board.text()).iter().filter(|row| row[index] != '.').count();
                (index, stones)
            }
            Form::Cells | Form::Heaps => (index, mv[1..].parse::<usize>().ok()?.checked_sub(1)?),
        };
        (point.0 < 25 && point.1 < 25).then_some(point)
    }

    fn name(&self, board: &dyn Board, mv: &str) -> String {
        match self.point(board, mv) {
            None if mv == "0000" => "pass".into(),
            None => mv.to_owned(),
            Some((col, row)) if self.gomocup => format!("{col},{row}"),
            Some((col, row)) => format!("{}{}", letters().nth(col).unwrap_or('?'), row + 1),
        }
    }

    /// The legal move that a client means.
    fn find(&self, board: &dyn Board, text: &str) -> Option<String> {
        let moves = board.moves();
        if self.gomocup {
            let (x, y) = text.split_once(',')?;
            let point = (x.parse().ok()?, y.parse().ok()?);
            return moves.into_iter().find(|mv| self.point(board, mv) == Some(point));
        }
        if text.eq_ignore_ascii_case("pass") {
            return moves.into_iter().find(|mv| mv == "0000");
        }
        let point = text.chars().next().and_then(|first| {
            let col = letters().position(|letter| letter == first.to_ascii_uppercase())?;
            let row = text.get(1..).filter(|row| is_number(row))?.parse::<usize>().ok()?.checked_sub(1)?;
            Some((col, row))
        });
        // What is no point is a word of the game.
        moves.into_iter().find(|mv| match (self.point(board, mv), point) {
            (Some(own), Some(point)) => own == point,
            (_, None) => mv == text,
            (None, _) => mv == text,
        })
    }

    /// Plays a move if it is legal and its player's turn.
    fn play(&mut self, player: Option<Side>, text: &str) -> Answer {
        let board = self.board();
        if board.outcome().is_some() {
            if !self.gomocup && text.eq_ignore_ascii_case("pass") {
                self.passes += 1;
                return Answer::Exactly(String::new());
            }
            return Answer::Failed("illegal move");
        }
        if player.is_some_and(|player| player != board.turn()) {
            return Answer::Failed("illegal move: it is ");
        }
        match self.find(&*board, text) {
            None => Answer::Failed("illegal move: column "),
            Some(mv) => {
                self.moves.push(mv);
                Answer::Exactly(String::new())
            }
        }
    }

    /// The move that was found, played.
    fn found(&mut self, name: &str) -> Result<(), String> {
        let board = self.board();
        let Some(mv) = board.moves().into_iter().find(|mv| self.name(&*board, mv) == name) else {
            return Err(format!("'{name}' is not a legal move"));
        };
        self.moves.push(mv);
        Ok(())
    }

    // ------------------------------------------------------------------------------------------------------------ GTP

    fn gtp_answer(&mut self, command: &str, must: Answer, answer: &str) -> Result<(), String> {
        let (id, _) = id(command);
        let done = answer.strip_prefix(&format!("={id} "));
        let failed = answer.strip_prefix(&format!("?{id} "));
        match (must, done, failed) {
            (Answer::Exactly(text), Some(done), _) if done == text => Ok(()),
            (Answer::Exactly(text), ..) => Err(format!("expected '={id} {text}', found '{answer}'")),
            (Answer::Done | Answer::Nothing, Some(_), _) => Ok(()),
            (Answer::Done | Answer::Nothing, ..) => Err(format!("expected '={id} …', found '{answer}'")),
            (Answer::Move, Some(name), _) => self.found(name),
            (Answer::Advice, Some(name), _) => {
                self.found(name)?;
                self.moves.pop();
                Ok(())
            }
            (Answer::Move | Answer::Advice, ..) => Err(format!("expected a move, found '{answer}'")),
            (Answer::Failed(part), _, Some(text)) if text.contains(part) => Ok(()),
            (Answer::Failed(part), ..) => Err(format!("expected '?{id} … {part} …', found '{answer}'")),
            (Answer::Unknown, _, Some(_)) => Ok(()),
            (Answer::Unknown, ..) => Err(format!("expected '?{id} …', found '{answer}'")),
        }
    }

    fn gtp_step(&mut self, command: &str) -> Answer {
        let (_, at) = id(command);
        let said = command.split('#').next().unwrap_or("");
        if said.contains('\u{1}') || command.contains('\u{1}') {
            return Answer::Unknown;
        }
        let mut arguments = words(&said[at.min(said.len())..]).map(|(_, word)| word);
        let Some(verb) = arguments.next() else { return Answer::Unknown };
        let arguments: Vec<&str> = arguments.collect();
        let first = arguments.first().copied();
        let board = self.board();
        let over = board.outcome();
        let (cols, rows, form) = self.shape();
        let side = self.side.max(cols).max(rows).min(25);
        let nothing = || Answer::Exactly(String::new());
        match verb {
            "protocol_version" => Answer::Exactly("2".into()),
            "name" => Answer::Exactly("griot".into()),
            "version" | "gogui-analyze_commands" => Answer::Done,
            "list_commands" => Answer::Exactly(COMMANDS.join("\n")),
            "known_command" => match first {
                Some(name) => Answer::Exactly(COMMANDS.contains(&name).to_string()),
                None => Answer::Failed("column "),
            },
            "gogui-interrupt" | "quit" => nothing(),
            "komi" if first.is_some_and(|komi| komi.parse::<f64>().is_ok()) => nothing(),
            "komi" => Answer::Failed("column "),
            "boardsize" => match first.filter(|size| is_number(size)).and_then(|size| size.parse::<u64>().ok()) {
                Some(size) if size == side as u64 => {
                    self.moves.clear();
                    self.passes = 0;
                    nothing()
                }
                Some(_) => Answer::Failed("unacceptable size"),
                None => Answer::Failed("column "),
            },
            "clear_board" => {
                self.moves.clear();
                self.passes = 0;
                nothing()
            }
            "play" => match (colour(first), arguments.get(1)) {
                (Some(player), Some(text)) => self.play(Some(player), text),
                _ => Answer::Failed("column "),
            },
            "genmove" | "kgs-genmove_cleanup" => match colour(first) {
                None => Answer::Failed("column "),
                Some(_) if over.is_some() => {
                    self.passes += 1;
                    Answer::Exactly("pass".into())
                }
                Some(player) if player != board.turn() => Answer::Failed("illegal move: it is "),
                Some(_) => Answer::Move,
            },
            "reg_genmove" => match colour(first) {
                None => Answer::Failed("column "),
                Some(_) if over.is_some() => Answer::Exactly("pass".into()),
                Some(player) if player != board.turn() => Answer::Failed("illegal move: it is "),
                Some(_) => Answer::Advice,
            },
            "gogui-play_sequence" => {
                let pairs: Option<Vec<_>> =
                    arguments.chunks(2).map(|pair| Some((colour(pair.first().copied())?, *pair.get(1)?))).collect();
                let Some(pairs) = pairs else { return Answer::Failed("column ") };
                let before = (self.moves.clone(), self.passes);
                for (player, text) in pairs {
                    match self.play(Some(player), text) {
                        Answer::Failed(why) => {
                            (self.moves, self.passes) = before;
                            return Answer::Failed(why);
                        }
                        played => drop(played),
                    }
                }
                nothing()
            }
            // No session has a file.
            "loadsgf" if first.is_some() => Answer::Failed("cannot load file: "),
            "loadsgf" => Answer::Failed("column "),
            "undo" if self.passes > 0 => {
                self.passes -= 1;
                nothing()
            }
            "undo" => match self.moves.pop() {
                Some(_) => nothing(),
                None => Answer::Failed("cannot undo"),
            },
            "time_settings" => numbers(&arguments, 3),
            "time_left" if colour(first).is_some() => numbers(&arguments[1..], 2),
            "time_left" => Answer::Failed("column "),
            "showboard" => {
                let mut picture = board.picture(over);
                if let Shape::Grid(grid) = &mut picture.board.shape {
                    // GTP has no column I.
                    let letters = ('a'..='z').filter(|letter| *letter != 'i');
                    let named = grid.columns.iter_mut().zip(letters).filter(|(label, _)| label.as_str() >= "i");
                    named.for_each(|(label, letter)| *label = letter.to_string());
                }
                let drawing = draw(&picture);
                let lines = drawing.lines().filter(|line| !line.trim().is_empty());
                Answer::Exactly(lines.map(|line| format!("\n{line}")).collect())
            }
            "final_score" => match over {
                None => Answer::Failed("the game goes on"),
                Some(Outcome::Draw) => Answer::Exactly("0".into()),
                Some(Outcome::Win(Side::First)) => Answer::Exactly("B+".into()),
                Some(Outcome::Win(Side::Second)) => Answer::Exactly("W+".into()),
            },
            "gogui-rules_final_result" => match over {
                None => Answer::Done,
                Some(Outcome::Draw) => Answer::Exactly("Draw".into()),
                Some(Outcome::Win(Side::First)) => Answer::Exactly("Black wins".into()),
                Some(Outcome::Win(Side::Second)) => Answer::Exactly("White wins".into()),
            },
            "gogui-rules_side_to_move" => {
                Answer::Exactly(if board.turn() == Side::First { "black" } else { "white" }.into())
            }
            "gogui-rules_legal_moves" if over.is_some() => nothing(),
            "gogui-rules_legal_moves" => {
                let names: Vec<String> = board.moves().iter().map(|mv| self.name(&*board, mv)).collect();
                Answer::Exactly(names.join(" "))
            }
            "gogui-rules_game_id" => {
                let word: String = self.rules.name().chars().take_while(char::is_ascii_alphabetic).collect();
                Answer::Exactly(word[..1].to_ascii_uppercase() + &word[1..])
            }
            "gogui-rules_board_size" => Answer::Exactly(side.to_string()),
            "gogui-rules_board" => {
                let mut picture = vec![vec!['.'; side]; side];
                if matches!(form, Form::Cells | Form::Columns) {
                    let text = cells(&board.text());
                    for (line, row) in text.iter().enumerate() {
                        // Rows are named from the bottom, but in Othello, where the first line of the text is row 1.
                        let row_number = if self.rules.name() == "othello" { line } else { text.len() - 1 - line };
                        for (col, stone) in row.iter().enumerate() {
                            picture[side - 1 - row_number][col] = match stone {
                                'x' => 'X',
                                'o' => 'O',
                                _ => '.',
                            };
                        }
                    }
                }
                let lines: Vec<String> =
                    picture.iter().map(|row| row.iter().map(char::to_string).collect::<Vec<_>>().join(" ")).collect();
                Answer::Exactly(lines.join("\n"))
            }
            "gogui-rules_board_gfx" => Answer::Done,
            "gogui-rules_captured_count" if form == Form::Houses => {
                let text = board.text();
                let numbers: Vec<&str> = text.split('-').collect();
                Answer::Exactly(format!("{} {}", numbers[2 * cols], numbers[2 * cols + 1]))
            }
            "gogui-rules_captured_count" => Answer::Exactly("0 0".into()),
            _ => Answer::Unknown,
        }
    }

    // -------------------------------------------------------------------------------------------------------- Gomocup

    fn gomocup_answer(&mut self, due: Answer, answer: &str) -> Result<(), String> {
        match due {
            Answer::Nothing | Answer::Done => Err(format!("expected nothing, found '{answer}'")),
            Answer::Exactly(text) if text == answer => Ok(()),
            Answer::Exactly(text) => Err(format!("expected '{text}', found '{answer}'")),
            Answer::Move | Answer::Advice => self.found(answer),
            Answer::Failed(part) if answer.starts_with("ERROR ") && answer.contains(part) => Ok(()),
            Answer::Failed(part) => Err(format!("expected 'ERROR … {part} …', found '{answer}'")),
            Answer::Unknown if answer.starts_with("UNKNOWN ") => Ok(()),
            Answer::Unknown => Err(format!("expected 'UNKNOWN …', found '{answer}'")),
        }
    }

    fn gomocup_step(&mut self, command: &str) -> Answer {
        let ok = || Answer::Exactly("OK".into());
        if command.contains('\u{1}') {
            return Answer::Failed("column ");
        }
        let mut arguments = words(command);
        let verb = arguments.next().map_or("", |(_, word)| word);
        let first = arguments.next().map(|(_, word)| word);
        if verb.starts_with(|c: char| c.is_ascii_digit()) {
            if is_point(verb) {
                // Whose it is can be left out in other lists than that of a board.
                return Answer::Failed("expected");
            }
            let Some((point, own)) = verb.rsplit_once(',').filter(|(_, own)| matches!(*own, "1" | "2")) else {
                return Answer::Failed("column ");
            };
            if !is_point(point) {
                return Answer::Failed("column ");
            }
            return match &mut self.stones {
                None => Answer::Failed("expected BOARD"),
                Some(stones) => {
                    stones.push((point.to_owned(), own == "1"));
                    Answer::Nothing
                }
            };
        }
        let number = |text: &str| Some(text).filter(|text| is_number(text)).and_then(|text| text.parse::<u64>().ok());
        match verb.to_ascii_uppercase().as_str() {
            "ABOUT" => Answer::Exactly(format!(
                "name=\"griot\", version=\"{}\", author=\"the griot authors\"",
                env!("CARGO_PKG_VERSION")
            )),
            "START" => match first.and_then(number) {
                Some(size) => self.open_five(size, size),
                None => Answer::Failed("column "),
            },
            "RECTSTART" => {
                match first.and_then(|size| size.split_once(',')).and_then(|(x, y)| number(x).zip(number(y))) {
                    Some((cols, rows)) => self.open_five(cols, rows),
                    None => Answer::Failed("column "),
                }
            }
            "RESTART" if self.five.is_none() => Answer::Failed("expected START"),
            "RESTART" => {
                self.moves.clear();
                ok()
            }
            "BEGIN" | "TURN" | "DONE" | "TAKEBACK" | "BOARD" if self.bad_point(verb, first) => {
                Answer::Failed("column ")
            }
            "TAKEBACK" => self.take_back(first.unwrap_or("")),
            "BOARD" if self.five.is_none() => Answer::Failed("expected START"),
            "BOARD" => {
                self.stones = Some(Vec::new());
                self.gap = false;
                Answer::Nothing
            }
            "DONE" => self.place(),
            "BEGIN" if self.five.is_none() => Answer::Failed("expected START"),
            "TURN" if self.five.is_none() => Answer::Failed("expected START"),
            "BEGIN" if self.board().outcome().is_some() => Answer::Failed("the game is over"),
            "BEGIN" => Answer::Move,
            "TURN" => match self.play(None, first.unwrap_or("")) {
                Answer::Exactly(_) if self.board().outcome().is_some() => {
                    self.moves.pop();
                    Answer::Failed("the game is over")
                }
                Answer::Exactly(_) => Answer::Move,
                failed => failed,
            },
            "INFO" => self.take_note(first.unwrap_or(""), words(command).nth(2).map(|(_, word)| word)),
            "END" => Answer::Nothing,
            _ => Answer::Unknown,
        }
    }

    fn bad_point(&self, verb: &str, point: Option<&str>) -> bool {
        matches!(verb.to_ascii_uppercase().as_str(), "TURN" | "TAKEBACK") && !point.is_some_and(is_point)
    }

    fn open_five(&mut self, cols: u64, rows: u64) -> Answer {
        if !(5..=22).contains(&cols) || !(5..=22).contains(&rows) {
            return Answer::Failed("no board of");
        }
        self.five = Some((cols, rows));
        self.moves.clear();
        self.choose_five();
        Answer::Exactly("OK".into())
    }

    fn choose_five(&mut self) {
        if let Some((cols, rows)) = self.five {
            let exact = if self.exact { ",exact" } else { "" };
            self.rules = rules(&format!("mnk:{cols},{rows},5{exact}"), false).expect("a game");
            self.side = cols.max(rows) as usize;
        }
    }

    fn take_back(&mut self, point: &str) -> Answer {
        let Some(last) = self.moves.pop() else { return Answer::Failed("cannot undo") };
        let board = self.board();
        if self.find(&*board, point).as_ref() != Some(&last) {
            self.moves.push(last);
            return Answer::Failed("cannot take back");
        }
        Answer::Exactly("OK".into())
    }

    fn place(&mut self) -> Answer {
        let Some(stones) = self.stones.take() else { return Answer::Failed("expected BOARD") };
        if self.gap {
            return Answer::Failed("a stone of the board was refused");
        }
        let of =
            |own| stones.iter().filter(move |stone| stone.1 == own).map(|stone| stone.0.clone()).collect::<Vec<_>>();
        let (own, other) = (of(true), of(false));
        let (first, second) = match other.len().checked_sub(own.len()) {
            Some(0) => (own, other),
            Some(1) => (other, own),
            _ => return Answer::Failed("expected as many, or one more"),
        };
        let before = std::mem::take(&mut self.moves);
        for i in 0..stones.len() {
            let point = if i % 2 == 0 { &first[i / 2] } else { &second[i / 2] };
            if let failed @ Answer::Failed(_) = self.play(None, &point.clone()) {
                self.moves = before;
                return failed;
            }
        }
        if self.board().outcome().is_some() {
            self.moves = before;
            return Answer::Failed("the game is over");
        }
        Answer::Move
    }

    fn take_note(&mut self, key: &str, value: Option<&str>) -> Answer {
        let digits = |value: &str| is_number(value) && value.parse::<u64>().is_ok();
        let key = key.to_ascii_lowercase();
        match key.as_str() {
            "timeout_turn" | "timeout_match" | "max_memory" | "rule" if !value.is_some_and(digits) => {
                Answer::Failed("column ")
            }
            "time_left" if !value.is_some_and(|value| digits(value.strip_prefix('-').unwrap_or(value))) => {
                Answer::Failed("column ")
            }
            "rule" => {
                self.exact = value.and_then(|value| value.parse::<u64>().ok()).is_some_and(|bits| bits & 1 == 1);
                self.choose_five();
                Answer::Nothing
            }
            _ => Answer::Nothing,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    Cells,
    Columns,
    Houses,
    Heaps,
}

fn letters() -> impl Iterator<Item = char> {
    ('A'..='Z').filter(|letter| *letter != 'I')
}

/// The number before a command of GTP, and where the command begins.
fn id(command: &str) -> (String, usize) {
    match words(command).next() {
        Some((at, word)) if is_number(word) && word.parse::<u64>().is_ok() => {
            (word.parse::<u64>().map_or(String::new(), |id| id.to_string()), at + word.len())
        }
        _ => (String::new(), 0),
    }
}

fn colour(word: Option<&str>) -> Option<Side> {
    match word?.to_ascii_lowercase().as_str() {
        "b" | "black" => Some(Side::First),
        "w" | "white" => Some(Side::Second),
        _ => None,
    }
}

fn is_point(text: &str) -> bool {
    text.split_once(',').is_some_and(|(x, y)| [x, y].iter().all(|n| is_number(n) && n.parse::<u64>().is_ok()))
}

/// Whether the first words are so many whole numbers.
fn numbers(words: &[&str], count: usize) -> Answer {
    let good = (0..count).all(|i| words.get(i).is_some_and(|word| is_number(word) && word.parse::<u64>().is_ok()));
    if good { Answer::Exactly(String::new()) } else { Answer::Failed("column ") }
}

/// The rows of a board text as they are written, one character a cell.
fn cells(text: &str) -> Vec<Vec<char>> {
    let board = text.split(' ').next().unwrap_or("");
    board
        .split('/')
        .map(|row| {
            let mut cells = Vec::new();
            let mut digits = String::new();
            for c in row.chars().chain([' ']) {
                if c.is_ascii_digit() {
                    digits.push(c);
                    continue;
                }
                cells.extend(std::iter::repeat_n('.', digits.parse().unwrap_or(0)));
                digits.clear();
                if c != ' ' {
                    cells.push(c);
                }
            }
            cells
        })
        .collect()
}
