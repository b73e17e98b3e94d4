//! One `go`: what limits it, and what may be said between it and its `bestmove`.
//!
//! Laws 1, 4, 5 and 9 as far as one search goes: an `info` line with score and pv before the `bestmove`, which is the pv's first
//! move; every pv legal to its last move, written as the game writes it, and not beyond the game's end; depth, nodes and mate
//! kept; `searchmoves` kept; no answer to `infinite` and `ponder` before a word; numbers that only grow; scores that are true
//! where the whole game is known.

use griot::game::{Outcome, Side};

use super::contract::Settings;
use super::lines::{Info, Told, Words, column};
use super::referee::Board;

/// Whether something has reached a search.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Owed {
    #[default]
    No,
    Maybe,
    Sure,
}

/// The words of a `go`.
#[derive(Debug, Clone, Default)]
pub struct Limits {
    pub depth: Option<u64>,
    pub nodes: Option<u64>,
    pub mate: Option<u64>,
    pub perft: Option<u32>,
    pub timed: bool,
    pub infinite: bool,
    pub ponder: bool,
    /// Column and text.
    pub search_moves: Option<(usize, String)>,
    /// Clocks below zero, with the columns of their values.
    pub corrected: Vec<(usize, String)>,
    /// The column of the first word that means nothing.
    pub unknown: Option<usize>,
}

const CLOCKS: [&str; 8] = ["p1time", "p2time", "wtime", "btime", "p1inc", "p2inc", "winc", "binc"];
const PLAIN: [&str; 9] =
    ["depth", "nodes", "mate", "perft", "movestogo", "movetime", "infinite", "ponder", "searchmoves"];

impl Limits {
    /// Reads what stands behind `go`; the error is the column of a bad value.
    pub fn read(line: &str, words: Words<'_>) -> Result<Limits, usize> {
        let words: Vec<(usize, String)> = words.map(|(at, word)| (at, word.to_owned())).collect();
        let known = |word: &str| {
            let word = word.to_ascii_lowercase();
            PLAIN.iter().chain(&CLOCKS).any(|known| *known == word)
        };
        let mut limits = Limits::default();
        let mut i = 0;
        while let Some((at, word)) = words.get(i) {
            i += 1;
            let word = word.to_ascii_lowercase();
            if !known(&word) {
                limits.unknown.get_or_insert(column(line, Some(*at)));
                continue;
            }
            match word.as_str() {
                "infinite" => limits.infinite = true,
                "ponder" => limits.ponder = true,
                "searchmoves" => {
                    let end = (i..words.len()).find(|&k| known(&words[k].1)).unwrap_or(words.len());
                    let text = match words[i..end].last() {
                        Some((last, word)) => line[words[i].0..last + word.len()].to_owned(),
                        None => String::new(),
                    };
                    limits.search_moves = Some((column(line, words.get(i).map(|(at, _)| *at)), text));
                    i = end;
                }
                _ => {
                    let at = column(line, words.get(i).map(|(at, _)| *at));
                    let value = words.get(i).map_or("", |(_, word)| word.as_str());
                    i += 1;
                    let digits_only = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
                    let counts = word == "perft";
                    let (minus, digits) = match value.strip_prefix('-').filter(|_| !counts) {
                        Some(digits) => (true, digits),
                        None => (false, value),
                    };
                    let (whole, fraction) = match digits.split_once('.').filter(|_| !counts) {
                        Some((whole, fraction)) => (whole, Some(fraction)),
                        None => (digits, None),
                    };
                    let is_number = digits_only(whole) && fraction.is_none_or(digits_only);
                    let number = whole.parse::<u64>().ok().filter(|_| is_number).ok_or(at)?;
                    let least = u64::from(["depth", "nodes", "mate"].contains(&word.as_str()));
                    let taken = if minus { least } else { number.max(least) };
                    if minus || number < least {
                        let below = if least == 0 { "zero" } else { "1" };
                        limits.corrected.push((at, format!("{word} is below {below}; taken as {taken}")));
                    } else if fraction.is_some() {
                        limits.corrected.push((at, format!("{word} is not a whole number; taken as {taken}")));
                    }
                    let number = taken;
                    match word.as_str() {
                        "depth" => limits.depth = Some(number),
                        "nodes" => limits.nodes = Some(number),
                        "mate" => limits.mate = Some(number),
                        "perft" => limits.perft = Some(u32::try_from(number).unwrap_or(u32::MAX)),
                        "movetime" => limits.timed = true,
                        "movestogo" => {}
                        clock => limits.timed |= clock.ends_with("time"),
                    }
                }
            }
        }
        Ok(limits)
    }

    pub fn is_limited(&self) -> bool {
        self.depth.is_some() || self.nodes.is_some() || self.mate.is_some() || self.perft.is_some() || self.timed
    }
}

/// What a `go` is about.
pub enum Root {
    /// It cannot be done; a column, where the trouble has one.
    Refused(Option<usize>),
    /// The game is over, and whose turn it would be.
    Over(Outcome, Side),
    /// Lines to be counted: behind each move, of so many plies.
    Count(Vec<(String, u64)>, u32),
    Board {
        board: Box<dyn Board>,
        /// The moves of `searchmoves`; none: all.
        choices: Vec<String>,
        /// The book's move, if the book is to be asked and has one.
        advice: Option<String>,
        /// Whether a repetition can keep the book from being asked.
        may_repeat: bool,
    },
}

/// A search that has not answered.
pub struct Search {
    /// The best move where there is none to play.
    pub no_move: &'static str,
    pub number: u64,
    pub limits: Limits,
    pub stop: Owed,
    pub hit: Owed,
    /// Whether `debug` was on when it began; nothing if nobody can tell.
    pub debug: Option<bool>,
    root: Root,
    settings: Settings,
    glues: bool,
    /// Lines with numbers so far.
    told: u64,
    last: Option<Info>,
    /// The last line of the best move: its moves.
    best: Option<Vec<String>>,
    /// First moves and score of the lines of this iteration.
    iteration: Vec<(String, Told)>,
    counted: u64,
    complete: bool,
    starts: bool,
    ends: bool,
    refused: bool,
}

impl Search {
    pub fn new(root: Root, limits: Limits, settings: Settings, number: u64, glues: bool) -> Search {
        Search {
            no_move: "0000",
            number,
            limits,
            stop: Owed::No,
            hit: Owed::No,
            debug: None,
            root,
            settings,
            glues,
            told: 0,
            last: None,
            best: None,
            iteration: Vec::new(),
            counted: 0,
            complete: false,
            starts: false,
            ends: false,
            refused: false,
        }
    }

    /// Whether the answer comes without another word.
    pub fn must_answer(&self) -> bool {
        self.answers(Owed::Sure)
    }

    fn answers(&self, least: Owed) -> bool {
        let Limits { infinite, ponder, .. } = self.limits;
        if matches!(self.root, Root::Refused(_)) || self.stop >= least {
            return true;
        }
        if ponder {
            return self.hit >= least && !infinite;
        }
        // A finished game is told at once, also to a bare `go`.
        !infinite && (self.limits.is_limited() || matches!(self.root, Root::Over(..)))
    }

    /// A line that nobody else has said. Answers whether it was the `bestmove`.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn said(&mut self, line: &str, uci: bool, input_ended: bool) -> Result<bool, String> {
        if let Some(best) = line.strip_prefix("bestmove ") {
            return self.best_move(best, uci, input_ended).map(|()| true);
        }
        if let Root::Count(..) = &self.root
            && let Some(counted) = line.split_once(": ").filter(|_| !line.starts_with("info "))
        {
            return self.count(counted).map(|()| false);
        }
        let Some(text) = line.strip_prefix("info string ") else {
            return self.info(Info::read(line)?, uci).map(|()| false);
        };
        self.note(text).map(|()| false)
    }

    fn note(&mut self, text: &str) -> Result<(), String> {
        if let Some(debug) = text.strip_prefix("debug: search ") {
            if self.debug == Some(false) {
                return Err("debug is off".into());
            }
            let bounded = self.limits.is_limited() && !self.limits.infinite && !self.limits.ponder;
            let bounded = if bounded { "bounded" } else { "unbounded" };
            let number = self.number;
            if debug == format!("{number} starts, {bounded}") && !self.starts && self.told == 0 {
                self.starts = true;
            } else if debug.starts_with(&format!("{number} ends after ")) && !self.ends {
                self.ends = true;
            } else {
                return Err(format!("search {number} is {bounded}; its start and its end are each told once"));
            }
            return Ok(());
        }
        if let (Root::Refused(column), false) = (&self.root, self.refused) {
            let start = column.map_or("error: ".to_owned(), |column| format!("error: column {column}: "));
            self.refused = true;
            return if text.starts_with(&start) { Ok(()) } else { Err(format!("expected 'info string {start}'")) };
        }
        let is_stopped = text == "perft stopped; the count is not complete";
        if matches!(&self.root, Root::Count(..)) && self.told == 0 && is_stopped && self.stop_or_end_possible() {
            self.complete = true;
            return Ok(());
        }
        Err("a search has no such thing to say".into())
    }

    /// A line of a count: a move and the lines behind it, in the order of `query legalmoves`, and at last their sum.
    fn count(&mut self, (mv, count): (&str, &str)) -> Result<(), String> {
        let Root::Count(counts, depth) = &self.root else { return Err("nothing is to be counted".into()) };
        let expected = if self.told > 0 {
            ("Nodes searched", self.total(counts, *depth))
        } else {
            let (mv, count) = counts.get(self.counted as usize).ok_or("no move is left to be counted")?;
            (mv.as_str(), *count)
        };
        if (mv, count) != (expected.0, expected.1.to_string().as_str()) {
            return Err(format!("expected '{}: {}'", expected.0, expected.1));
        }
        self.counted += u64::from(self.told == 0);
        Ok(())
    }

    fn stop_or_end_possible(&self) -> bool {
        self.stop != Owed::No || (self.hit != Owed::No && !self.limits.is_limited())
    }

    fn total(&self, counts: &[(String, u64)], depth: u32) -> u64 {
        if depth == 0 { 1 } else { counts.iter().take(self.counted as usize).map(|(_, count)| count).sum() }
    }

    fn info(&mut self, info: Info, uci: bool) -> Result<(), String> {
        self.told += 1;
        if info.hashfull > 1000 {
            return Err("hashfull goes up to 1000".into());
        }
        if let Some(last) = &self.last {
            if info.time < last.time {
                return Err(format!("time went back from {}", last.time));
            }
            let textbook = matches!(self.settings.algorithm.as_str(), "negabeta" | "negamax" | "minimax");
            if info.nodes < last.nodes && !textbook {
                return Err(format!("nodes went back from {}", last.nodes));
            }
        }
        let checked = match &self.root {
            Root::Refused(_) => Err("a refused go has no numbers".into()),
            Root::Over(outcome, turn) => {
                let expected = match outcome {
                    Outcome::Draw => Told { mate: false, value: 0, bound: 0 },
                    Outcome::Win(winner) => Told { mate: true, value: i64::from(winner == turn), bound: 0 },
                };
                // Where discs are counted, they are told: an even number of them, more for the winner.
                let counts = |told: Told| {
                    let sign = if expected.mate { 2 * expected.value - 1 } else { 0 };
                    !told.mate && told.bound == 0 && told.value.signum() == sign && told.value % 200 == 0
                };
                let is_told = info.score == Some(expected) || info.score.is_some_and(counts);
                let good = info.depth == 0 && is_told && info.pv.is_none() && self.told == 1;
                if good { Ok(()) } else { Err(format!("expected depth 0, {expected:?}, and no pv, once")) }
            }
            Root::Count(counts, depth) => {
                let total = self.total(counts, *depth);
                let all = self.complete || self.counted as usize == counts.len();
                let good = info.depth == u64::from(*depth) && info.nodes == total && info.pv.is_none() && all;
                if good { Ok(()) } else { Err(format!("expected depth {depth} nodes {total} after every count")) }
            }
            Root::Board { .. } => self.line(&info, uci),
        };
        self.last = Some(info);
        checked
    }

    /// A line about a position in which the game goes on.
    fn line(&mut self, info: &Info, uci: bool) -> Result<(), String> {
        let Root::Board { board, choices, advice, may_repeat } = &self.root else { return Ok(()) };
        let (limits, settings) = (&self.limits, &self.settings);
        let mcts = settings.algorithm == "mcts";
        let (Some(score), Some(pv)) = (info.score, &info.pv) else {
            let mere = info.score.is_none() && info.pv.is_none() && info.rank.is_none();
            return if mere { Ok(()) } else { Err("score and pv come together".into()) };
        };
        if info.has_chances && !settings.shows_chances {
            return Err("chances were not asked for".into());
        }
        let moves = read_pv(pv, &**board, self.glues && uci)?;
        let first = moves[0].clone();

        // The book answers alone, and only where it may.
        let asks_book = limits.is_limited()
            && !limits.infinite
            && !limits.ponder
            && limits.mate.is_none()
            && settings.multi_pv == 1
            && settings.algorithm == "alphabeta"
            && !settings.analyses
            && !settings.plain
            && !settings.is_weak();
        let book = advice.as_ref().filter(|mv| asks_book && (choices.is_empty() || choices.contains(mv)));
        // A search that is stopped at once has no nodes either, but then its score is a bound.
        let from_book = info.nodes == 0 && score.bound == 0;
        match book {
            Some(mv) if from_book => {
                let good = *mv == first && self.told == 1;
                self.best = Some(moves);
                return if good { Ok(()) } else { Err(format!("the book plays {mv}")) };
            }
            Some(mv) if !may_repeat => return Err(format!("the book knows this position and plays {mv}")),
            None if from_book => return Err("no nodes, and no book is to be asked".into()),
            _ => {}
        }

        if !choices.is_empty() && !choices.contains(&first) {
            return Err(format!("{first} is not among the searchmoves"));
        }
        if info.depth == 0 {
            return Err("expected a depth from 1".into());
        }
        // Visits do not come by plies: there the first line that reaches the limit is the last one.
        let before = if mcts { self.best.as_ref().map_or(0, |pv| pv.len() as u64) } else { info.depth };
        let extra = if mcts { 8 } else { 0 };
        let mate_depth = limits.mate.map(|mate| mate.saturating_mul(2).saturating_add(extra));
        for (limit, name) in [(limits.depth, "depth"), (mate_depth, "mate"), (Some(250), "all searches")] {
            let over = |limit: u64| if mcts { before >= limit && info.depth > before } else { info.depth > limit };
            if limit.is_some_and(over) {
                return Err(format!("deeper than the limit of {name}"));
            }
        }
        // It is that of the first line; a level may play another one.
        if mcts && !settings.is_weak() && info.rank.unwrap_or(1) == 1 && info.depth != moves.len() as u64 {
            return Err("with mcts depth is the length of the pv".into());
        }
        if let Some(nodes) = limits.nodes.filter(|nodes| info.nodes > *nodes) {
            return Err(format!("more than {nodes} nodes"));
        }
        let last = self.last.as_ref();
        if !mcts && last.is_some_and(|last| info.depth < last.depth) {
            return Err("an earlier iteration after a later one".into());
        }

        // Lines of one iteration come together, ranked from 1, each with another first move.
        let rank = match info.rank {
            None if settings.multi_pv == 1 => 1,
            Some(rank) if settings.multi_pv > 1 => rank,
            _ => return Err("multipv is told when MultiPV is more than 1, and only then".into()),
        };
        let all = if choices.is_empty() { board.moves().len() } else { choices.len() };
        if rank == 1 {
            self.iteration.clear();
        }
        if rank != self.iteration.len() + 1 || rank > settings.multi_pv.min(all) {
            return Err(format!(
                "expected line {} of at most {}",
                self.iteration.len() + 1,
                settings.multi_pv.min(all)
            ));
        }
        if rank > 1 && last.is_some_and(|last| last.depth != info.depth) && !mcts {
            return Err("the lines of an iteration have one depth".into());
        }
        if self.iteration.iter().any(|(mv, _)| *mv == first) {
            return Err(format!("{first} begins a line already"));
        }
        if let Some((_, before)) = self.iteration.last()
            && !mcts
            && score.bound == 0
            && before.bound == 0
            && score.merit() > before.merit()
        {
            return Err("a later line is better than the one before it".into());
        }
        self.iteration.push((first, score));
        if rank == 1 {
            self.best = Some(moves.clone());
        }
        self.check_truth(score, &moves, rank)
    }

    /// Where the whole game is known, what is certain must be true.
    fn check_truth(&self, score: Told, moves: &[String], rank: usize) -> Result<(), String> {
        let Root::Board { board, choices, .. } = &self.root else { return Ok(()) };
        if !score.mate && score.value.abs() < 100_000 {
            return Ok(());
        }
        let truth = if rank == 1 && choices.is_empty() && !self.settings.is_weak() {
            board.truth()
        } else {
            // What the line's first move is worth.
            let mut next = board.copy();
            let turn = next.turn();
            next.play(&moves[0]).map_err(|_| "not legal".to_owned())?;
            let same = next.turn() == turn;
            next.truth().map(|(result, plies)| (if same { result } else { -result }, plies + 1))
        };
        let Some((result, plies)) = truth else { return Ok(()) };
        let plies = i64::from(plies);
        let moves = if result > 0 { (plies + 1) / 2 } else { plies / 2 };
        let truth = Told { mate: result != 0, value: i64::from(result) * moves.max(1), bound: 0 };
        // Without a distance, or with one that need not be the shortest, a certain result is a bound.
        let far = !score.mate || self.settings.algorithm == "mcts";
        let good = match score.bound {
            0 if far => truth.value.signum() == score.value.signum(),
            0 => truth == score,
            1 => truth.merit() >= score.merit() || far && truth.value.signum() >= score.value.signum(),
            _ => truth.merit() <= score.merit() || far && truth.value.signum() <= score.value.signum(),
        };
        if good { Ok(()) } else { Err(format!("the truth is {truth:?}")) }
    }

    fn best_move(&mut self, text: &str, uci: bool, input_ended: bool) -> Result<(), String> {
        if !input_ended && !self.answers(Owed::Maybe) {
            return Err("it must wait for a stop or a ponderhit".into());
        }
        if self.debug == Some(true) && !(self.starts && self.ends) {
            return Err("debug is on, and start and end of this search were not told".into());
        }
        let expected = match &self.root {
            Root::Refused(_) if !self.refused => return Err("a refused go has an error line".into()),
            Root::Over(..) if self.told != 1 => return Err("a finished game has one info line".into()),
            Root::Count(..) if self.told != 1 => return Err("perft has one info line".into()),
            Root::Refused(_) | Root::Over(..) | Root::Count(..) => self.no_move.to_owned(),
            Root::Board { .. } => match self.best.as_deref() {
                None => return Err("no info line with score and pv before it".into()),
                Some([first, second, ..]) if uci => format!("{first} ponder {second}"),
                Some(moves) => moves[0].clone(),
            },
        };
        if text == expected { Ok(()) } else { Err(format!("expected 'bestmove {expected}'")) }
    }
}

impl Told {
    /// A number that grows with what the score is worth.
    fn merit(self) -> i64 {
        const MATE: i64 = 1 << 40;
        match self.mate {
            false => self.value,
            true if self.value > 0 => MATE - self.value,
            true => -MATE - self.value,
        }
    }
}

/// The moves of a pv, each legal where it is played, in the game's one spelling, none after the end of the game.
fn read_pv(pv: &str, board: &dyn Board, glued: bool) -> Result<Vec<String>, String> {
    let mut moves: Vec<String> = pv.split(' ').map(str::to_owned).collect();
    if glued {
        if moves.len() > 1 {
            return Err("single letters are glued in UCI".into());
        }
        moves = pv.chars().map(String::from).collect();
    }
    let mut board = board.copy();
    for (i, mv) in moves.iter().enumerate() {
        let over = if i == 0 { board.outcome_unclaimed() } else { board.outcome() };
        if over.is_some() {
            return Err(format!("pv: the game is over before move {} '{mv}'", i + 1));
        }
        match board.spelling(mv) {
            Some(known) if known == *mv => {}
            Some(known) => return Err(format!("pv: '{mv}' is written '{known}'")),
            None => return Err(format!("pv: move {} '{mv}' is not legal", i + 1)),
        }
        board.play(mv).map_err(|_| "not legal".to_owned())?;
    }
    Ok(moves)
}
