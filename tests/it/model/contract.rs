//! What griot must answer in UGI and UCI: protocol.md as a program, to be read beside it.
//!
//! The model is told every line that goes in ([`Contract::sent`]) and every line that comes out ([`Contract::said`]), and says
//! at once what is wrong with one. It has its own reading of commands and its own state; only board texts and moves are left to
//! the [referee](super::referee). It says also what is still owed ([`Contract::owes`]), so that nobody waits for what cannot come.
//!
//! ```text
//!   command                                     acts       answer                                        state
//!   ugi uci isready help query, bad commands    at once    a line or more: `now`                         --
//!   debug stop ponderhit quit                   at once    none                                          flags of searches
//!   setoption, new game, position               in order   none, or an error line: `done`                game, options, position
//!   go                                          in order   info lines, then bestmove: `Search`           searching
//!
//!            go                            bestmove
//!   idle  ------->  searching  --------------------------->  idle:  what waits is done, in order, up to the next go
//!                   in order: waits
//! ```
//!
//! What was sent may not have been read yet, so the order of answers is what tells how far the engine is. Every line sent has
//! a number, and:
//!
//! - an answer at once comes after the answers of all commands before it, but those that wait for a search;
//! - it tells the state that stands when it is said: during a search, that before what waits;
//! - what is done in order is answered in order, each search wholly before the next command.

use std::collections::VecDeque;
use std::path::Path;
use std::rc::Rc;

use griot::game::{Outcome, Side};
use griot::protocol::draw;
use griot::registry::{Registry, levels_of, with_tables};
use griot::session::Catalogue;

use super::lines::{Words, column, words};
use super::referee::{Board, Rules, rules};
use super::search::{Limits, Owed, Root, Search};

/// The limits of numbers in options, as protocol.md has them.
enum Kind {
    Spin(u64, u64),
    Check,
    Combo(&'static [&'static str]),
    Button,
    Text,
    /// `NAME=PERCENT` of these names, from 10 to 1000.
    Percents(&'static [&'static str]),
}

const OPTIONS: [(&str, Kind); 32] = [
    ("Game", Kind::Text),
    ("UCI_Variant", Kind::Text),
    ("UCI_Chess960", Kind::Check),
    ("Log File", Kind::Text),
    ("Hash", Kind::Spin(1, 1_048_576)),
    ("Clear Hash", Kind::Button),
    ("Threads", Kind::Spin(1, 256)),
    ("MultiPV", Kind::Spin(1, 256)),
    ("Move Overhead", Kind::Spin(0, 5000)),
    ("Algorithm", Kind::Combo(&["alphabeta", "negabeta", "negamax", "minimax", "mcts"])),
    ("Evaluation", Kind::Combo(&["full", "plain"])),
    ("EvalFile", Kind::Text),
    ("Selective", Kind::Check),
    ("SearchParameters", Kind::Percents(&["lmr", "futility", "razoring", "late-moves", "null-move", "aspiration"])),
    ("Skill Level", Kind::Spin(0, 20)),
    ("UCI_LimitStrength", Kind::Check),
    ("UCI_Elo", Kind::Spin(500, 2400)),
    ("Seed", Kind::Spin(0, 2_147_483_647)),
    ("Ponder", Kind::Check),
    ("OwnBook", Kind::Check),
    ("BookFile", Kind::Text),
    ("BookVariety", Kind::Spin(0, 1000)),
    ("Tablebases", Kind::Check),
    ("TablebasePath", Kind::Text),
    ("SharedTablebases", Kind::Check),
    ("SyzygyPath", Kind::Text),
    ("SyzygyProbeDepth", Kind::Spin(1, 100)),
    ("SyzygyProbeLimit", Kind::Spin(0, 7)),
    ("Syzygy50MoveRule", Kind::Check),
    ("UCI_ShowWDL", Kind::Check),
    ("UCI_AnalyseMode", Kind::Check),
    ("UCI_Opponent", Kind::Text),
];

/// The values of options that change what may be answered.
#[derive(Debug, Clone)]
pub struct Settings {
    pub multi_pv: usize,
    pub algorithm: String,
    pub plain: bool,
    pub shows_chances: bool,
    pub analyses: bool,
    skill: u64,
    limit: bool,
    elo: u64,
    /// What the last two levels of the game are worth.
    strongest: [u64; 2],
    own_book: bool,
    book: String,
    tablebases: bool,
    tables: String,
}

impl Settings {
    /// Whether a level below the full strength plays. Beyond the middle between the two, the full one is the nearest.
    pub fn is_weak(&self) -> bool {
        if self.limit { 2 * self.elo <= self.strongest.iter().sum() } else { self.skill < 20 }
    }
}

/// A line that must come.
#[derive(Debug, Clone)]
struct Expected {
    /// The number of the command that asked for it.
    number: u64,
    what: What,
    /// It waited for a search, so that later commands may have been answered before it.
    waited: bool,
}

#[derive(Debug, Clone)]
enum What {
    /// This line.
    Line(String),
    /// A line that begins so and holds this.
    Like(String, &'static str),
    /// An answer that depends on the position at that time.
    Query(String),
    /// What is left of an answer.
    Lines(Vec<String>),
    /// The first line of a greeting: from now on griot writes in that dialect.
    Greeting(bool),
    /// An `option` line of this name with this default, where the model keeps it.
    Option(&'static str),
}

/// A command that waits for its turn.
enum Change {
    SetOption {
        name: (usize, String),
        value: Option<(usize, String)>,
    },
    NewGame,
    /// The column tells that the word `moves` is missing there.
    Position {
        fen: Option<(usize, String)>,
        moves: (usize, String),
        missing: Option<usize>,
    },
    BadPosition(usize),
    Go(Limits),
    BadGo(usize),
}

/// What the game on the engine's board is.
enum Standing {
    /// The last position was refused.
    None,
    Board {
        board: Box<dyn Board>,
        forfeit: Option<Side>,
    },
}

/// The contract of one conversation.
pub struct Contract {
    uci: bool,
    rules: Rc<dyn Rules>,
    variant: Option<&'static str>,
    chess960: bool,
    standing: Standing,
    settings: Settings,
    debug: bool,
    /// Whether the last `debug`, the command of this number, is known to have been read: a later one was answered.
    debug_read: bool,
    debug_at: u64,
    sent: u64,
    now: VecDeque<Expected>,
    done: VecDeque<Expected>,
    waiting: VecDeque<(u64, Change, Flags)>,
    search: Option<(u64, Search)>,
    searches: u64,
    ending: Option<Ending>,
}

/// What is known to have reached a search that waits.
#[derive(Debug, Clone, Copy, Default)]
struct Flags {
    stop: Owed,
    hit: Owed,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Ending {
    Eof,
    Quit,
}

impl Contract {
    /// A conversation that begins with this game.
    pub fn new(uci: bool) -> Contract {
        let rules = rules("awale", false).expect("awale is a game");
        let standing = Standing::Board { board: rules.start(), forfeit: None };
        let settings = Settings {
            multi_pv: 1,
            algorithm: "alphabeta".into(),
            plain: false,
            shows_chances: false,
            analyses: false,
            skill: 20,
            limit: false,
            elo: 2400,
            strongest: strongest("awale"),
            own_book: false,
            book: String::new(),
            tablebases: true,
            tables: String::new(),
        };
        Contract {
            uci,
            rules,
            variant: None,
            chess960: false,
            standing,
            settings,
            debug: false,
            debug_read: true,
            debug_at: 0,
            sent: 0,
            now: VecDeque::new(),
            done: VecDeque::new(),
            waiting: VecDeque::new(),
            search: None,
            searches: 0,
            ending: None,
        }
    }

    // ------------------------------------------------------------------------------------------------ lines that go in

    /// A line was sent. What is no text is `Err`, with what stands before it.
    pub fn sent(&mut self, line: Result<&str, BadLine<'_>>) {
        if self.ending == Some(Ending::Quit) {
            return;
        }
        self.sent += 1;
        let (line, bad) = match line {
            Ok(line) => (line, None),
            Err(bad) => (bad.beginning, Some(bad.column)),
        };
        let mut words = words(line);
        let Some((at, first)) = words.next() else {
            if let Some(at) = bad {
                self.error_now(at, "");
            }
            return;
        };
        let first = first.to_ascii_lowercase();
        if let Some(at) = bad {
            match first.as_str() {
                "go" => self.change(Change::BadGo(at)),
                "position" => self.change(Change::BadPosition(at)),
                _ => self.error_now(at, ""),
            }
            return;
        }
        match first.as_str() {
            "ugi" | "uci" => {
                self.owe_now(What::Greeting(first == "uci"));
                self.owe_now(What::Line("id author the griot authors".into()));
                for (name, _) in OPTIONS {
                    self.owe_now(What::Option(name));
                }
                self.owe_now(What::Line(format!("{first}ok")));
            }
            "isready" => self.owe_now(What::Line("readyok".into())),
            "query" => self.owe_now(What::Query(line[at + first.len()..].trim().to_owned())),
            "help" | "?" => {
                for line in griot::protocol::help() {
                    self.owe_now(What::Line(format!("info string {line}")));
                }
                self.owe_now(What::Like("info string games: awale ".into(), "nim"));
            }
            "debug" => match words.next() {
                Some((_, word)) if word.eq_ignore_ascii_case("on") || word.eq_ignore_ascii_case("off") => {
                    self.debug = word.eq_ignore_ascii_case("on");
                    self.debug_read = false;
                    self.debug_at = self.sent;
                    if let Some((_, search)) = &mut self.search {
                        search.debug = None;
                    }
                }
                found => self.error_now(column(line, found.map(|(at, _)| at)), "'on' or 'off'"),
            },
            "stop" => self.stop(),
            "ponderhit" => self.ponder_hit(),
            "quit" => {
                self.ending = Some(Ending::Quit);
                if let Some((_, search)) = &mut self.search {
                    search.stop = Owed::Sure;
                }
                for (_, _, flags) in &mut self.waiting {
                    flags.stop = Owed::Sure;
                }
            }
            "uginewgame" | "ucinewgame" => self.change(Change::NewGame),
            "setoption" => self.read_set_option(line, words),
            "position" => {
                let change = read_position(line, words);
                self.change(change);
            }
            "go" => {
                let change = Limits::read(line, words).map_or_else(Change::BadGo, Change::Go);
                self.change(change);
            }
            _ => self.error_now(column(line, Some(at)), "unknown command"),
        }
    }

    /// The input was ended.
    pub fn ended(&mut self) {
        self.ending = self.ending.or(Some(Ending::Eof));
    }

    fn owe_now(&mut self, what: What) {
        self.now.push_back(Expected { number: self.sent, what, waited: false });
    }

    fn error_now(&mut self, column: usize, holding: &'static str) {
        self.owe_now(What::Like(error_at(column), holding));
    }

    /// A stop ends the search that runs. If a go waits, it ends the last of them too. Which of those between is running when
    /// the stop is read, nobody can tell from here.
    fn stop(&mut self) {
        let gos: Vec<usize> = (0..self.waiting.len()).filter(|&i| matches!(self.waiting[i].1, Change::Go(_))).collect();
        if let Some((_, search)) = &mut self.search {
            search.stop = Owed::Sure;
        }
        for &i in &gos {
            let stop = &mut self.waiting[i].2.stop;
            *stop = if Some(&i) == gos.last() { Owed::Sure } else { (*stop).max(Owed::Maybe) };
        }
    }

    /// A ponderhit is for the search that runs if that one ponders, else for the one that waits.
    fn ponder_hit(&mut self) {
        let gos: Vec<usize> = (0..self.waiting.len()).filter(|&i| matches!(self.waiting[i].1, Change::Go(_))).collect();
        if let Some((_, search)) = &mut self.search {
            if search.limits.ponder && search.hit != Owed::Sure && search.stop == Owed::No {
                search.hit = Owed::Sure;
                return;
            }
            if search.limits.ponder && search.stop != Owed::Sure {
                search.hit = search.hit.max(Owed::Maybe);
            }
        }
        for &i in &gos {
            let hit = &mut self.waiting[i].2.hit;
            *hit = if gos.len() == 1 { Owed::Sure } else { (*hit).max(Owed::Maybe) };
        }
    }

    fn read_set_option(&mut self, line: &str, mut words: Words<'_>) {
        match words.next() {
            Some((_, word)) if word.eq_ignore_ascii_case("name") => {}
            found => return self.error_now(column(line, found.map(|(at, _)| at)), "'name'"),
        }
        let rest: Vec<(usize, &str)> = words.collect();
        let end = rest.iter().position(|(_, word)| word.eq_ignore_ascii_case("value"));
        let name = &rest[..end.unwrap_or(rest.len())];
        let Some(&(name_at, _)) = name.first() else {
            return self.error_now(column(line, rest.first().map(|(at, _)| *at)), "the name of an option");
        };
        let name_end = name.last().map_or(name_at, |(at, word)| at + word.len());
        let value = end.map(|end| {
            let text = rest.get(end + 1).map_or("", |(at, _)| line[*at..].trim_end_matches(super::lines::is_blank));
            let text = if text == "<empty>" { "" } else { text };
            (column(line, rest.get(end + 1).map(|(at, _)| *at)), text.to_owned())
        });
        let name = (column(line, Some(name_at)), line[name_at..name_end].to_owned());
        self.change(Change::SetOption { name, value });
    }

    // -------------------------------------------------------------------------------------------- what is done in order

    fn change(&mut self, change: Change) {
        let flags = Flags { stop: Owed::No, hit: Owed::No };
        self.waiting.push_back((self.sent, change, flags));
        self.go_on(false);
    }

    /// Does what waits, up to the next search.
    fn go_on(&mut self, waited: bool) {
        while self.search.is_none()
            && let Some((number, change, flags)) = self.waiting.pop_front()
        {
            // What was asked before it is answered by what stands before it.
            for i in 0..self.now.len() {
                if self.now[i].number < number {
                    self.settle(i);
                }
            }
            let mut owe = |what| self.done.push_back(Expected { number, what, waited });
            match change {
                Change::NewGame => {}
                Change::SetOption { name, value } => {
                    if let Some((at, holding)) = self.set_option(name, value) {
                        let what = What::Like(error_at(at), holding);
                        self.done.push_back(Expected { number, what, waited });
                    }
                }
                Change::BadPosition(at) => {
                    owe(What::Like(error_at(at), ""));
                    self.standing = Standing::None;
                }
                Change::BadGo(at) => {
                    owe(What::Like(error_at(at), ""));
                    owe(What::Line(format!("bestmove {}", no_move(self.uci, self.rules.name()))));
                }
                Change::Position { fen, moves, missing } => {
                    if let Some(at) = missing {
                        owe(What::Like(warning_at(at), "'moves' is missing"));
                    }
                    let (dropped, wrong) = self.set_up(fen, &moves);
                    let dropped = dropped.into_iter().map(|at| What::Like(warning_at(at), ""));
                    let wrong = wrong.map(|(at, holding)| What::Like(error_at(at), holding));
                    for what in dropped.chain(wrong) {
                        self.done.push_back(Expected { number, what, waited });
                    }
                }
                Change::Go(limits) => self.start(number, limits, flags, waited),
            }
        }
    }

    /// Fixes the answer to what was asked at this place, by what stands now.
    fn settle(&mut self, i: usize) {
        if let Some(answer) = self.by_what_stands(&self.now[i].what) {
            self.now[i].what = What::Lines(answer);
        }
    }

    /// The lines that answer a question now.
    fn by_what_stands(&self, what: &What) -> Option<Vec<String>> {
        match what {
            What::Query(question) => Some(self.answers(question)),
            What::Option(name) => self.option_line(name).map(|line| vec![line]),
            _ => None,
        }
    }

    fn option_line(&self, name: &'static str) -> Option<String> {
        let is = |kind: &str| format!("option name {name} type {kind} default ");
        match name {
            "Game" => Some(is("string") + self.rules.name()),
            "UCI_Variant" => {
                let names: Vec<&str> = Registry.variants().iter().map(|known| known.name).collect();
                let present = self.variant.unwrap_or(self.rules.name());
                let further = if names.contains(&present) { String::new() } else { format!(" var {present}") };
                let names = names.join(" var ");
                Some(format!("{}{present}{further} var {names}", is("combo")))
            }
            _ => None,
        }
    }

    fn set_up(
        &mut self,
        fen: Option<(usize, String)>,
        moves: &(usize, String),
    ) -> (Vec<usize>, Option<(usize, &'static str)>) {
        let at = |(column, text): &(usize, String), byte: usize| column + text[..byte].chars().count();
        let (mut board, dropped) = match &fen {
            None => (self.rules.start(), Vec::new()),
            Some(fen) => match self.rules.read(&fen.1) {
                Ok((board, dropped)) => (board, dropped.into_iter().map(|byte| at(fen, byte)).collect()),
                Err(byte) => {
                    self.standing = Standing::None;
                    return (Vec::new(), Some((at(fen, byte), "expected ")));
                }
            },
        };
        let mut forfeit = None;
        let mut problem = None;
        for (byte, mv) in self.rules.split(&moves.1) {
            if board.rules_outcome().is_some() {
                problem = Some((at(moves, byte), "the game is over before it"));
                break;
            }
            if let Err(wrong) = board.play(&mv) {
                forfeit = Some(board.turn());
                problem = Some((at(moves, byte + wrong), "; the game is lost by it"));
                break;
            }
        }
        self.standing = Standing::Board { board, forfeit };
        (dropped, problem)
    }

    fn follow_chess960(&mut self) {
        if let Some(name) = Registry.chess960(self.rules.name(), self.chess960) {
            self.play(rules(name, false).expect("a game"));
        }
    }

    /// Sets an option; what is wrong with it, if anything.
    fn set_option(&mut self, name: (usize, String), value: Option<(usize, String)>) -> Option<(usize, &'static str)> {
        let Some((known, kind)) = OPTIONS.iter().find(|(known, _)| known.eq_ignore_ascii_case(&name.1)) else {
            return Some((name.0, "no option"));
        };
        let (at, value) = value.unwrap_or((name.0, String::new()));
        let number = match kind {
            Kind::Spin(least, most) => {
                let number =
                    value.bytes().all(|byte| byte.is_ascii_digit()).then(|| value.parse::<u64>().ok()).flatten();
                match number.filter(|number| (least..=most).contains(&number)) {
                    Some(number) => number,
                    None => return Some((at, "expected a whole number from")),
                }
            }
            Kind::Check if value.eq_ignore_ascii_case("true") => 1,
            Kind::Check if value.eq_ignore_ascii_case("false") => 0,
            Kind::Check => return Some((at, "expected 'true' or 'false'")),
            Kind::Combo(choices) => match choices.iter().position(|choice| choice.eq_ignore_ascii_case(&value)) {
                Some(choice) => choice as u64,
                None => return Some((at, "expected one of")),
            },
            Kind::Percents(names) => {
                let is_right = |word: &str| {
                    word.split_once('=').is_some_and(|(name, percent)| {
                        names.contains(&name)
                            && percent.parse().is_ok_and(|percent: u16| (10..=1000).contains(&percent))
                    })
                };
                if !value.split([',', ' ']).filter(|word| !word.is_empty()).all(is_right) {
                    return Some((at, "expected NAME=PERCENT"));
                }
                0
            }
            Kind::Button | Kind::Text => 0,
        };
        let on = number == 1;
        let mut new = self.settings.clone();
        match *known {
            "Game" => {
                let Some(rules) = rules(&value, false) else { return Some((at, "game")) };
                let restyled = self.variant.take().is_some_and(is_restyled);
                if restyled || rules.name() != self.rules.name() {
                    self.play(rules);
                }
                if self.chess960 {
                    self.follow_chess960();
                }
            }
            "UCI_Chess960" => {
                self.chess960 = on;
                self.follow_chess960();
            }
            "UCI_Variant" => {
                let variants = Registry.variants();
                let Some(known) = variants.iter().find(|known| known.name.eq_ignore_ascii_case(&value)) else {
                    return if value == self.rules.name() { None } else { Some((at, "expected one of")) };
                };
                let variant = known.name;
                if self.variant == Some(variant) {
                    return None;
                }
                let rules = rules(variant, true).expect("a variant is a game");
                if known.restyled || self.variant.is_some_and(is_restyled) || rules.name() != self.rules.name() {
                    self.play(rules);
                }
                self.variant = Some(variant);
                if self.chess960 {
                    self.follow_chess960();
                }
            }
            "MultiPV" => new.multi_pv = number as usize,
            "Algorithm" => new.algorithm = value.to_ascii_lowercase(),
            "Evaluation" => new.plain = on,
            "Skill Level" => new.skill = number,
            "UCI_LimitStrength" => new.limit = on,
            "UCI_Elo" => new.elo = number,
            "OwnBook" => new.own_book = on,
            "UCI_ShowWDL" => new.shows_chances = on,
            "UCI_AnalyseMode" => new.analyses = on,
            // No conversation has a file with weights.
            "EvalFile" if !value.is_empty() => return Some((at, "option ")),
            "BookFile" => {
                let bad = !value.is_empty() && self.rules.advice(Some(Path::new(&value)), &self.start_text()).is_err();
                if value != new.book && bad {
                    return Some((at, "option "));
                }
                new.book = value;
            }
            "Tablebases" => new.tablebases = on,
            "TablebasePath" => {
                if value != new.tables && !value.is_empty() && !has_tables(self.rules.name(), Path::new(&value)) {
                    return Some((at, "option "));
                }
                new.tables = value;
            }
            "Log File" => {
                let folder =
                    Path::new(&value).parent().is_some_and(|folder| folder.as_os_str().is_empty() || folder.is_dir());
                if !value.is_empty() && !folder {
                    return Some((at, "cannot write to"));
                }
            }
            _ => {}
        }
        // A game of its own has levels of its own, which no option says.
        new.strongest = self.settings.strongest;
        self.settings = new;
        None
    }

    fn start_text(&self) -> String {
        self.rules.start().text()
    }

    /// Turns to a game, at its start.
    fn play(&mut self, rules: Rc<dyn Rules>) {
        self.standing = Standing::Board { board: rules.start(), forfeit: None };
        self.settings.strongest = strongest(rules.name());
        self.rules = rules;
    }

    fn start(&mut self, number: u64, limits: Limits, flags: Flags, waited: bool) {
        for (at, what) in &limits.corrected {
            let line = format!("info string warning: column {at}: {what}");
            self.done.push_back(Expected { number, what: What::Line(line), waited });
        }
        // Who writes more than `go` and names no limit may have meant one.
        if let Some(at) = limits.unknown.filter(|_| !limits.is_limited() && !limits.infinite && !limits.ponder) {
            let what = What::Like(warning_at(at), "is not a word of go");
            self.done.push_back(Expected { number, what, waited });
        }
        self.searches += 1;
        let debug = self.debug_read.then_some(self.debug);
        let root = match &self.standing {
            Standing::None => Root::Refused(None),
            Standing::Board { board, forfeit } => {
                let outcome = forfeit.map(|side| Outcome::Win(side.other())).or_else(|| board.outcome_unclaimed());
                match (outcome, limits.perft) {
                    (_, Some(depth)) if forfeit.is_none() && depth > 250 => Root::Refused(None),
                    (_, Some(depth)) if forfeit.is_none() => Root::Count(board.perft(depth), depth),
                    (Some(outcome), _) => Root::Over(outcome, board.turn()),
                    (None, _) => self.root(&**board, &limits),
                }
            }
        };
        let mut search = Search::new(root, limits, self.settings.clone(), self.searches, self.rules.glues());
        search.stop = flags.stop;
        search.hit = flags.hit;
        search.debug = debug;
        self.search = Some((number, search));
    }

    fn root(&self, board: &dyn Board, limits: &Limits) -> Root {
        let mut moves = Vec::new();
        if let Some((at, text)) = &limits.search_moves {
            for (byte, mv) in self.rules.split(text) {
                match board.spelling(&mv) {
                    Some(mv) if moves.contains(&mv) => {}
                    Some(mv) => moves.push(mv),
                    None => {
                        let mut copy = board.copy();
                        let wrong = copy.play(&mv).err().unwrap_or(0);
                        return Root::Refused(Some(at + text[..byte + wrong].chars().count()));
                    }
                }
            }
        }
        let book = Some(&self.settings.book).filter(|path| !path.is_empty()).map(Path::new);
        let advice = || self.rules.advice(book, &board.text()).ok().flatten();
        let advice = if self.settings.own_book { advice() } else { None };
        let may_repeat = self.rules.name().starts_with("awale");
        Root::Board { board: board.copy(), choices: moves, advice, may_repeat }
    }

    // ----------------------------------------------------------------------------------------------- lines that come out

    /// A line was said.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn said(&mut self, line: &str) -> Result<(), String> {
        let mut why = Vec::new();
        if let Some(now) = self.now.front() {
            // Nothing that was done before it may still be untold, but what `isready` need not wait for.
            let (number, ready) = (now.number, matches!(&now.what, What::Line(line) if line == "readyok"));
            let untold = self.done.iter().any(|done| done.number < number && !(ready && done.waited));
            let answered =
                if untold { Err(format!("{} comes first", self.done[0].what.text())) } else { self.answers_now(line) };
            match answered {
                Ok(()) => return Ok(()),
                Err(wrong) => why.push(wrong),
            }
        }
        let asked_before = |number: u64| self.now.front().is_some_and(|now| now.number < number);
        if let Some(done) = self.done.front() {
            let early = asked_before(done.number);
            match matches(&done.what, line) {
                _ if early => {}
                Ok(()) => {
                    self.done.pop_front();
                    return Ok(());
                }
                Err(wrong) => why.push(wrong),
            }
        }
        if let Some((number, search)) = &mut self.search {
            let early = self.now.front().is_some_and(|now| now.number < *number) || !self.done.is_empty();
            let quits = self.ending.is_some();
            search.no_move = no_move(self.uci, self.rules.name());
            match search.said(line, self.uci, quits) {
                Ok(_) if early => why.push("a search speaks before what came before it is answered".into()),
                Ok(false) => return Ok(()),
                Ok(true) => {
                    self.search = None;
                    self.go_on(true);
                    return Ok(());
                }
                Err(wrong) => why.push(wrong),
            }
        }
        if why.is_empty() {
            why.push("nothing is owed".into());
        }
        Err(why.join("\n  or "))
    }

    /// Whether the line is what the first of those that answer at once must say.
    fn answers_now(&mut self, line: &str) -> Result<(), String> {
        // A question is answered by what stands now; from its first line on nothing can change.
        let answer = self.now.front().and_then(|now| self.by_what_stands(&now.what));
        let Some(Expected { number, what, .. }) = self.now.front_mut() else { return Err("nothing was asked".into()) };
        let is_later = *number > self.debug_at;
        if let Some(answer) = answer {
            if answer.first().is_none_or(|first| first != line) {
                return Err(format!("expected {}, {answer:?}", what.text()));
            }
            *what = What::Lines(answer);
        }
        match what {
            What::Lines(answer) => {
                if answer.first().is_none_or(|first| first != line) {
                    return Err(format!("expected {answer:?}"));
                }
                answer.remove(0);
                if answer.is_empty() {
                    self.now.pop_front();
                }
            }
            What::Greeting(uci) => {
                if line.strip_prefix("id name griot ").is_none() {
                    return Err("expected id name griot VERSION".into());
                }
                self.uci = *uci;
                self.now.pop_front();
            }
            What::Option(name) if line.starts_with(&format!("option name {name} type ")) => {
                self.now.pop_front();
            }
            what => {
                matches(what, line)?;
                self.now.pop_front();
            }
        }
        self.debug_read |= is_later;
        Ok(())
    }

    /// The answer to a query, by what stands now.
    fn answers(&self, question: &str) -> Vec<String> {
        let unknown = vec!["response unknown".to_owned()];
        let Standing::Board { board, forfeit } = &self.standing else { return unknown };
        let outcome = forfeit.map(|side| Outcome::Win(side.other())).or_else(|| board.outcome());
        let answer = match question.to_ascii_lowercase().as_str() {
            "gameover" => outcome.is_some().to_string(),
            "p1turn" => (board.turn() == Side::First).to_string(),
            "result" => match outcome {
                None => "none",
                Some(Outcome::Draw) => "draw",
                Some(Outcome::Win(Side::First)) => "p1win",
                Some(Outcome::Win(Side::Second)) => "p2win",
            }
            .into(),
            "fen" => board.text(),
            "legalmoves" if outcome.is_some() => return vec!["response".into()],
            "legalmoves" => board.moves().join(" "),
            "board" => {
                return draw(&board.picture(outcome)).lines().map(|line| format!("info string {line}")).collect();
            }
            "picture" => serde_json::to_string(&board.picture(outcome)).unwrap(),
            // None, as far as they are legal.
            "line" => "[]".to_owned(),
            _ => return unknown,
        };
        vec![format!("response {answer}")]
    }

    /// The output has ended.
    ///
    /// # Errors
    /// When something was still owed, or nothing had ended it.
    pub fn closed(&self) -> Result<(), String> {
        match (self.ending, self.owes()) {
            (None, _) => Err("the engine ended, and nobody had asked it to".into()),
            (_, Some(owed)) => Err(format!("the engine ended, and still owed {owed}")),
            _ => Ok(()),
        }
    }

    /// What must still come, whatever is sent.
    pub fn owes(&self) -> Option<String> {
        let line = self.now.front().or(self.done.front());
        if let Some(expected) = line {
            return Some(expected.what.text());
        }
        let (_, search) = self.search.as_ref()?;
        (self.ending.is_some() || search.must_answer()).then(|| format!("the bestmove of search {}", search.number))
    }
}

/// A line that is no text, or too long.
#[derive(Debug, Clone, Copy)]
pub struct BadLine<'a> {
    pub beginning: &'a str,
    pub column: usize,
}

/// The best move where there is none to play.
fn no_move(uci: bool, game: &str) -> &'static str {
    if uci && game.starts_with("chess") { "(none)" } else { "0000" }
}

/// How an error line begins; column 0 stands for the command as a whole.
fn error_at(column: usize) -> String {
    if column == 0 { "info string error: ".into() } else { format!("info string error: column {column}: ") }
}

/// How a warning begins.
fn warning_at(column: usize) -> String {
    format!("info string warning: column {column}: ")
}

fn is_restyled(variant: &str) -> bool {
    Registry.variants().iter().any(|known| known.name == variant && known.restyled)
}

/// What the last two levels of a game are worth, in Elo.
fn strongest(game: &str) -> [u64; 2] {
    let scale = levels_of(game).elo;
    [scale[scale.len() - 2], scale[scale.len() - 1]]
}

fn has_tables(game: &str, folder: &Path) -> bool {
    struct Opens<'a>(&'a Path);
    impl griot::registry::TableVisitor for Opens<'_> {
        type Output = bool;
        fn visit<N, L>(self, _: N, layers: L) -> bool
        where
            N: griot::game::Notation,
            L: griot::tablebase::Layered<Board = N::Position>,
        {
            griot::tablebase::Table::open(layers, self.0).is_ok()
        }
    }
    // A game without tables has no opinion of a folder, but it must be there.
    folder.is_dir() && with_tables(game, Opens(folder)).unwrap_or(true)
}

impl What {
    fn text(&self) -> String {
        match self {
            What::Line(line) => format!("'{line}'"),
            What::Like(start, holding) => format!("'{start}… {holding}…'"),
            What::Query(question) => format!("the answer to query {question}"),
            What::Lines(answer) => format!("{answer:?}"),
            What::Greeting(_) => "a greeting".into(),
            What::Option(name) => format!("option {name}"),
        }
    }
}

fn matches(what: &What, line: &str) -> Result<(), String> {
    let good = match what {
        What::Line(expected) => expected == line,
        What::Like(start, holding) => line.strip_prefix(start.as_str()).is_some_and(|rest| rest.contains(holding)),
        _ => false,
    };
    if good { Ok(()) } else { Err(format!("expected {}", what.text())) }
}

fn read_position(line: &str, words: Words<'_>) -> Change {
    let words: Vec<(usize, &str)> = words.collect();
    let at = |i: usize| column(line, words.get(i).map(|(at, _)| *at));
    let is = |i: usize, keyword: &str| words.get(i).is_some_and(|(_, word)| word.eq_ignore_ascii_case(keyword));
    if !is(0, "startpos") && !is(0, "fen") {
        return Change::BadPosition(at(0));
    }
    let moves = (1..words.len()).find(|&i| is(i, "moves"));
    if is(0, "startpos") && moves.is_none() && words.len() > 1 {
        let text = line[words[1].0..].to_owned();
        return Change::Position { fen: None, moves: (at(1), text), missing: Some(at(1)) };
    }
    let end = moves.unwrap_or(words.len());
    let fen = if is(0, "startpos") {
        None
    } else if end == 1 {
        return Change::BadPosition(at(1));
    } else {
        let (last, word) = words[end - 1];
        Some((at(1), line[words[1].0..last + word.len()].to_owned()))
    };
    let moves = moves
        .and_then(|i| words.get(i + 1))
        .map_or((1, String::new()), |(at, _)| (column(line, Some(*at)), line[*at..].to_owned()));
    Change::Position { fen, moves, missing: None }
}
