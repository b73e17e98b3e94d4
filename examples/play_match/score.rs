//! The score of a match while it runs, and the table at its end.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use griot::game::Side;

use crate::record::{Reason, Record};
use crate::stats::{Decision, Elo, Pentanomial, Sprt, Tally};

/// What an engine told of its searches.
#[derive(Debug, Clone, Copy, Default)]
struct Effort {
    searches: u64,
    depths: u64,
    counted_ms: f64,
    nodes: u64,
}

/// A finished game, as the score needs it.
#[derive(Debug, Clone)]
pub(crate) struct Finished {
    /// Number of the game, from 1.
    pub(crate) round: usize,
    /// The side of engine A.
    pub(crate) side_of_a: Side,
    /// Who thought, in the order of the record's thoughts.
    pub(crate) thinkers: Vec<Side>,
    pub(crate) record: Record,
}

/// The score of a match, from the view of engine A.
#[derive(Debug, Clone)]
pub(crate) struct Score {
    names: [String; 2],
    tally: Tally,
    pairs: Pentanomial,
    /// Points in halves of the first finished game of a pair, by the number of the pair.
    halves: BTreeMap<usize, usize>,
    lost_by: [BTreeMap<Reason, u32>; 2],
    effort: [Effort; 2],
    plies: usize,
    sprt: Option<Sprt>,
    /// What the sequential test decided first; games under way then may blur it, but not change it.
    decision: Decision,
}

impl Score {
    pub(crate) fn new(names: [String; 2], sprt: Option<Sprt>) -> Score {
        Score {
            names,
            tally: Tally::default(),
            pairs: Pentanomial::default(),
            halves: BTreeMap::new(),
            lost_by: Default::default(),
            effort: Default::default(),
            plies: 0,
            sprt,
            decision: Decision::Undecided,
        }
    }

    /// Books a game; games `2n + 1` and `2n + 2` are a pair.
    pub(crate) fn book(&mut self, game: &Finished) {
        let record = &game.record;
        let halves = record.result.halves_for(game.side_of_a);
        self.tally.book(halves);
        let pair = (game.round - 1) / 2;
        match self.halves.remove(&pair) {
            Some(other) => self.pairs.book(halves + other),
            None => {
                self.halves.insert(pair, halves);
            }
        }
        if let (Decision::Undecided, Some(sprt)) = (self.decision, self.sprt) {
            self.decision = sprt.judge(self.pairs).1;
        }
        if halves != 1 {
            *self.lost_by[usize::from(halves == 2)].entry(record.reason).or_default() += 1;
        }
        self.plies += record.moves.len();
        for (side, thought) in game.thinkers.iter().zip(&record.thoughts) {
            let effort = &mut self.effort[usize::from(*side != game.side_of_a)];
            if let Some(depth) = thought.depth {
                effort.searches += 1;
                effort.depths += u64::from(depth);
            }
            if let Some(nodes) = thought.nodes {
                effort.nodes += nodes;
                effort.counted_ms += thought.ms;
            }
        }
    }

    /// The line about a game that has just been booked.
    pub(crate) fn line(&self, game: &Finished, games: usize) -> String {
        let record = &game.record;
        let mut line = format!(
            "game {}/{games}: {} - {} {} by {} ({} plies)",
            game.round,
            record.p1.name,
            record.p2.name,
            record.result,
            record.reason.word(),
            record.moves.len()
        );
        if let Some(by) = record.by {
            let at_fault = if by == Side::First.into() { &record.p1.name } else { &record.p2.name };
            let _ = write!(line, " [{at_fault}: {}]", record.detail);
        }
        let Tally { wins, draws, losses } = self.tally;
        let _ = write!(line, " | {} +{wins} ={draws} -{losses}", self.names[0]);
        if let Some(elo) = self.pairs.elo() {
            let _ = write!(line, ", Elo {}", elo_text(elo));
        }
        if let Some(likelihood) = self.pairs.superiority() {
            let _ = write!(line, ", LOS {:.1} %", 100.0 * likelihood);
        }
        if let Some(sprt) = self.sprt {
            let (ratio, _) = sprt.judge(self.pairs);
            let [lower, upper] = sprt.bounds();
            let _ = write!(line, ", LLR {ratio:.2} ({lower:.2}, {upper:.2})");
        }
        line
    }

    /// Whether the sequential test, if there is one, has decided.
    pub(crate) fn is_decisive(&self) -> bool {
        self.decision != Decision::Undecided
    }

    /// The final table.
    pub(crate) fn table(&self) -> String {
        let games = self.tally.games();
        let mut text = format!(
            "{:<20} {:>9} {:>6} {:>6} {:>6} {:>18} {:>9} {:>11}  lost by\n",
            "engine", "score", "won", "drawn", "lost", "Elo", "depth", "nps"
        );
        let mut rows = [(self.tally, 1.0), (self.tally.mirrored(), -1.0)].into_iter().enumerate();
        let _ = rows.try_for_each(|(i, (tally, sign))| {
            let elo =
                self.pairs.elo().map_or("-".into(), |elo| elo_text(Elo { difference: sign * elo.difference, ..elo }));
            let effort = self.effort[i];
            let depth = match effort.searches {
                0 => "-".into(),
                searches => format!("{:.1}", effort.depths as f64 / searches as f64),
            };
            let nps = match effort.nodes {
                0 => "-".into(),
                nodes => format!("{:.0}", nodes as f64 * 1000.0 / effort.counted_ms.max(1e-3)),
            };
            let lost_by: Vec<String> =
                self.lost_by[i].iter().map(|(reason, count)| format!("{} {count}", reason.word())).collect();
            writeln!(
                text,
                "{:<20} {:>9} {:>6} {:>6} {:>6} {elo:>18} {depth:>9} {nps:>11}  {}",
                self.names[i],
                format!("{:.1}/{games}", tally.points()),
                tally.wins,
                tally.draws,
                tally.losses,
                if lost_by.is_empty() { "-".into() } else { lost_by.join(", ") }
            )
        });
        let [a, b, c, d, e] = self.pairs.0;
        let _ = writeln!(
            text,
            "pairs of {}: {a} of 0, {b} of 0.5, {c} of 1, {d} of 1.5, {e} of 2 points; games of {:.1} plies",
            self.names[0],
            self.plies as f64 / f64::from(games.max(1))
        );
        if let Some(likelihood) = self.pairs.superiority() {
            let _ =
                writeln!(text, "likelihood that {} is the stronger one: {:.1} %", self.names[0], 100.0 * likelihood);
        }
        if let Some(sprt) = self.sprt {
            let (ratio, _) = sprt.judge(self.pairs);
            let [lower, upper] = sprt.bounds();
            let decided = match self.decision {
                Decision::Undecided => "undecided".to_owned(),
                Decision::AcceptElo0 => format!("Elo {} accepted", sprt.elo0),
                Decision::AcceptElo1 => format!("Elo {} accepted", sprt.elo1),
            };
            let _ = writeln!(
                text,
                "SPRT {} against {}: {decided}, LLR {ratio:.2} ({lower:.2}, {upper:.2})",
                sprt.elo0, sprt.elo1
            );
        }
        text
    }
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
