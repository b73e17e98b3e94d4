//! The standing of a match or tournament while it runs, and the tables at its end.
//!
//! Points are counted in halves. A pair of games counts when both are over; strength is computed from pairs. An engine's Elo is
//! that of its score against all its opponents.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write as _;

use griot::game::Side;

use crate::game::Seen;
use crate::record::{Reason, Record};
use crate::stats::{Decision, Elo, Pentanomial, Sprt, Tally};

/// Sums over the searches of an engine.
#[derive(Debug, Clone, Default)]
pub(crate) struct Effort {
    searches: u64,
    depths: u64,
    counted_ms: f64,
    nodes: u64,
    moves: u64,
    all_ms: f64,
    worst_ms: f64,
    /// The most that a move took beyond its time, negative if it was always less.
    over_ms: Option<f64>,
    lines: u64,
    illegal_lines: u64,
    illegal_line: Option<String>,
}

/// A finished game, as the standing needs it.
#[derive(Debug, Clone)]
pub(crate) struct Finished {
    /// The engines, the one that played first before the other.
    pub(crate) engines: [usize; 2],
    pub(crate) seen: Vec<Seen>,
    pub(crate) record: Record,
}

/// The standing.
#[derive(Debug, Clone)]
pub(crate) struct Standing {
    pub(crate) names: Vec<String>,
    /// Results by engine and opponent.
    met: HashMap<(usize, usize), (Tally, Pentanomial)>,
    /// Points in halves of the first finished game of a pair, from the view of the lower engine, by the number of the pair.
    halves: BTreeMap<usize, usize>,
    lost: Vec<BTreeMap<Reason, u32>>,
    drawn: BTreeMap<Reason, u32>,
    effort: Vec<Effort>,
    plies: usize,
    games: u32,
    /// Number of games to play.
    pub(crate) planned: usize,
    sprt: Option<Sprt>,
    /// The first decision of the sequential test; games under way may blur it, but not change it.
    decision: Decision,
}

impl Standing {
    pub(crate) fn new(names: Vec<String>, planned: usize, sprt: Option<Sprt>) -> Standing {
        let count = names.len();
        Standing {
            names,
            met: HashMap::new(),
            halves: BTreeMap::new(),
            lost: vec![BTreeMap::new(); count],
            drawn: BTreeMap::new(),
            effort: vec![Effort::default(); count],
            plies: 0,
            games: 0,
            planned,
            sprt,
            decision: Decision::Undecided,
        }
    }

    /// Counts a game; games `2n + 1` and `2n + 2` are a pair.
    pub(crate) fn book(&mut self, game: &Finished) {
        let record = &game.record;
        let [first, second] = game.engines;
        let (low, high) = (first.min(second), first.max(second));
        let of_low = if low == first { Side::First } else { Side::Second };
        let halves = record.result.halves_for(of_low);
        self.met.entry((low, high)).or_default().0.book(halves);
        self.met.entry((high, low)).or_default().0.book(2 - halves);
        let pair = (record.round - 1) / 2;
        match self.halves.remove(&pair) {
            Some(other) => {
                self.met.entry((low, high)).or_default().1.book(halves + other);
                self.met.entry((high, low)).or_default().1.book(4 - halves - other);
            }
            None => {
                self.halves.insert(pair, halves);
            }
        }
        if let (Decision::Undecided, Some(sprt)) = (self.decision, self.sprt) {
            self.decision = sprt.judge(self.against(0, 1).1).1;
        }
        match halves {
            0 => *self.lost[low].entry(record.reason).or_default() += 1,
            1 => *self.drawn.entry(record.reason).or_default() += 1,
            _ => *self.lost[high].entry(record.reason).or_default() += 1,
        }
        self.games += 1;
        self.plies += record.moves.len();
        for seen in &game.seen {
            self.effort[game.engines[seen.side.index()]].book(seen);
        }
    }

    /// The result of an engine against another one.
    pub(crate) fn against(&self, engine: usize, other: usize) -> (Tally, Pentanomial) {
        self.met.get(&(engine, other)).copied().unwrap_or_default()
    }

    /// The result of an engine against all.
    pub(crate) fn of(&self, engine: usize) -> (Tally, Pentanomial) {
        let met = (0..self.names.len()).map(|other| self.against(engine, other));
        met.fold(Default::default(), |(games, pairs), (tally, more)| (games + tally, pairs + more))
    }

    /// Number of finished games.
    pub(crate) fn games(&self) -> u32 {
        self.games
    }

    /// The line for the last game.
    pub(crate) fn line(&self, game: &Finished) -> String {
        let record = &game.record;
        let [first, second] = game.engines.map(|engine| &self.names[engine]);
        let mut line = format!("game {}/{}: {first} - {second} {}", record.round, self.planned, told(record));
        let [first, second] = game.engines;
        let (low, high) = (first.min(second), first.max(second));
        let (Tally { wins, draws, losses }, pairs) = self.against(low, high);
        let _ = write!(line, " | {} +{wins} ={draws} -{losses}", self.names[low]);
        if let Some(elo) = pairs.elo() {
            let _ = write!(line, ", Elo {}", elo_text(elo));
        }
        if let Some(likelihood) = pairs.superiority() {
            let _ = write!(line, ", LOS {:.1} %", 100.0 * likelihood);
        }
        if let Some(sprt) = self.sprt {
            let (ratio, _) = sprt.judge(pairs);
            let [lower, upper] = sprt.bounds();
            let _ = write!(line, ", LLR {ratio:.2} ({lower:.2}, {upper:.2})");
        }
        line
    }

    /// Whether the sequential test, if there is one, has decided.
    pub(crate) fn is_decisive(&self) -> bool {
        self.decision != Decision::Undecided
    }

    /// The engines, the one with the best score first.
    pub(crate) fn ranking(&self) -> Vec<usize> {
        let mut ranking: Vec<usize> = (0..self.names.len()).collect();
        let score = |engine: &usize| self.of(*engine).0.score();
        if self.names.len() > 2 {
            ranking.sort_by(|a, b| score(b).total_cmp(&score(a)));
        }
        ranking
    }

    /// One row for each engine: name, points, won, drawn, lost, Elo, and its searches.
    pub(crate) fn rows(&self) -> Vec<[String; 11]> {
        let row = |engine: usize| {
            let (tally, pairs) = self.of(engine);
            let effort = &self.effort[engine];
            let lost = self.lost[engine].iter().map(|(reason, count)| format!("{} {count}", reason.told()));
            [
                self.names[engine].clone(),
                format!("{:.1}/{}", tally.points(), tally.games()),
                tally.wins.to_string(),
                tally.draws.to_string(),
                tally.losses.to_string(),
                pairs.elo().map_or("-".into(), elo_text),
                effort.depth(),
                effort.speed(),
                effort.times(),
                effort.checked_lines(),
                Some(lost.collect::<Vec<_>>().join(", ")).filter(|text| !text.is_empty()).unwrap_or("-".into()),
            ]
        };
        self.ranking().into_iter().map(row).collect()
    }

    /// The table of engines.
    pub(crate) fn table(&self) -> String {
        let mut text = String::new();
        let heads = HEADS.map(str::to_owned);
        let width = self.names.iter().map(|name| name.chars().count()).max().unwrap_or(0).max(20);
        for [name, score, won, drawn, lost, elo, depth, nps, times, lines, how] in
            [heads].into_iter().chain(self.rows())
        {
            let _ = writeln!(
                text,
                "{name:<width$} {score:>11} {won:>6} {drawn:>6} {lost:>6} {elo:>18} {depth:>6} {nps:>10} {times:>20} \
                 {lines:>8}  {how}"
            );
        }
        text
    }

    /// The cross table: wins, draws and losses of the row's engine. Empty for two engines.
    pub(crate) fn cross_table(&self) -> String {
        let mut text = String::new();
        if self.names.len() < 3 {
            return text;
        }
        let width = self.names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
        let cells = self.cross_cells();
        let widest = cells.iter().flatten().map(|cell| cell.chars().count()).max().unwrap_or(0).max(3);
        let _ = write!(text, "    {:width$}", "");
        text.extend((1..=cells.len()).map(|number| format!("  {number:>widest$}")));
        text.push('\n');
        for ((engine, row), number) in self.ranking().into_iter().zip(&cells).zip(1..) {
            let _ = write!(text, "{number:>2}  {:<width$}", self.names[engine]);
            text.extend(row.iter().map(|cell| format!("  {cell:>widest$}")));
            text.push('\n');
        }
        text
    }

    /// The cells of the cross table, in the order of the ranking.
    pub(crate) fn cross_cells(&self) -> Vec<Vec<String>> {
        let ranking = self.ranking();
        let cell = |engine: usize, other: usize| {
            let (Tally { wins, draws, losses }, _) = self.against(engine, other);
            if engine == other || wins + draws + losses == 0 {
                "·".into()
            } else {
                format!("+{wins} ={draws} -{losses}")
            }
        };
        ranking.iter().map(|&engine| ranking.iter().map(|&other| cell(engine, other)).collect()).collect()
    }

    /// Remarks, one a line.
    pub(crate) fn remarks(&self) -> Vec<String> {
        let mut lines = Vec::new();
        if let [a, b] = self.names.as_slice() {
            let (_, pairs) = self.against(0, 1);
            let [none, half, one, more, both] = pairs.0;
            lines.push(format!(
                "pairs of {a} against {b}: {none} of 0, {half} of 0.5, {one} of 1, {more} of 1.5, {both} of 2 points"
            ));
            if let Some(normalised) = pairs.normalised_elo() {
                lines.push(format!("normalised Elo of {a}: {}", elo_text(normalised)));
            }
            if let Some(likelihood) = pairs.superiority() {
                lines.push(format!("likelihood that {a} is the stronger one: {:.1} %", 100.0 * likelihood));
            }
            if let Some(sprt) = self.sprt {
                let (ratio, _) = sprt.judge(pairs);
                let [lower, upper] = sprt.bounds();
                let decided = match self.decision {
                    Decision::Undecided => "undecided".to_owned(),
                    Decision::AcceptElo0 => format!("Elo {} accepted", sprt.elo0),
                    Decision::AcceptElo1 => format!("Elo {} accepted", sprt.elo1),
                };
                lines.push(format!(
                    "SPRT {} against {}: {decided}, LLR {ratio:.2} ({lower:.2}, {upper:.2})",
                    sprt.elo0, sprt.elo1
                ));
            }
        }
        let drawn: Vec<String> =
            self.drawn.iter().map(|(reason, count)| format!("{} {count}", reason.told())).collect();
        let drawn = if drawn.is_empty() { "none".into() } else { drawn.join(", ") };
        let mean = self.plies as f64 / f64::from(self.games.max(1));
        lines.push(format!("games of {mean:.1} plies; drawn: {drawn}"));
        for (name, effort) in self.names.iter().zip(&self.effort) {
            if let Some(line) = &effort.illegal_line {
                let count = effort.illegal_lines;
                lines.push(format!("{name} told {count} lines of play that the rules refuse, the first {line}"));
            }
        }
        lines
    }

    /// The final report.
    pub(crate) fn report(&self) -> String {
        let cross = self.cross_table();
        let cross = if cross.is_empty() { cross } else { format!("\n{cross}\n") };
        format!("{}{cross}{}\n", self.table(), self.remarks().join("\n"))
    }
}

/// The heads of [`Standing::rows`].
pub(crate) const HEADS: [&str; 11] =
    ["engine", "score", "won", "drawn", "lost", "Elo", "depth", "nps", "ms mean/worst/over", "bad pv", "lost"];

impl Effort {
    fn book(&mut self, seen: &Seen) {
        let thought = &seen.thought;
        if let Some(depth) = thought.depth {
            self.searches += 1;
            self.depths += u64::from(depth);
        }
        if let Some(nodes) = thought.nodes {
            self.nodes += nodes;
            self.counted_ms += thought.ms;
        }
        self.moves += 1;
        self.all_ms += thought.ms;
        self.worst_ms = self.worst_ms.max(thought.ms);
        if let Some(over) = thought.over_ms {
            self.over_ms = Some(self.over_ms.map_or(over, |most| most.max(over)));
        }
        self.lines += u64::from(thought.lines);
        self.illegal_lines += u64::from(thought.illegal_lines);
        if self.illegal_line.is_none() {
            self.illegal_line.clone_from(&thought.illegal_line);
        }
    }

    /// The mean depth.
    fn depth(&self) -> String {
        if self.searches == 0 { "-".into() } else { format!("{:.1}", self.depths as f64 / self.searches as f64) }
    }

    /// Nodes a second.
    fn speed(&self) -> String {
        if self.nodes == 0 {
            "-".into()
        } else {
            format!("{:.0}", self.nodes as f64 * 1000.0 / self.counted_ms.max(1e-3))
        }
    }

    /// Milliseconds of a move: mean, worst, and the most beyond its time.
    fn times(&self) -> String {
        let mean = self.all_ms / self.moves.max(1) as f64;
        let over = self.over_ms.map_or("-".into(), |over| format!("{over:+.0}"));
        format!("{mean:.0}/{:.0}/{over}", self.worst_ms)
    }

    /// Illegal lines of play, of how many.
    fn checked_lines(&self) -> String {
        if self.lines == 0 { "-".into() } else { format!("{}/{}", self.illegal_lines, self.lines) }
    }
}

/// How a game ended, for people.
pub(crate) fn told(record: &Record) -> String {
    let mut text = format!("{} {} ({} plies)", record.result, record.reason.told(), record.moves.len());
    match record.by {
        Some(by) => {
            let at_fault = if by == Side::First.into() { &record.p1.name } else { &record.p2.name };
            let _ = write!(text, " [{at_fault}: {}]", record.detail);
        }
        None if !record.detail.is_empty() => {
            let _ = write!(text, " [{}]", record.detail);
        }
        None => {}
    }
    text
}

/// A difference in Elo with its 95 % error, `?` as long as that is not known; `inf` when one engine won everything.
fn elo_text(elo: Elo) -> String {
    // Adding zero turns the zero below zero, which would be written with its sign, into the other one.
    let difference = elo.difference + 0.0;
    if elo.error.is_finite() {
        format!("{difference:+.1} ± {:.1}", elo.error)
    } else {
        format!("{difference:+.1} ± ?")
    }
}
