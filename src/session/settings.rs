//! The options of a session: their names, kinds, values, and how a text becomes a value.
//!
//! Floor 4. One table of options serves the greeting and `setoption`. LAW 6: a bad value changes nothing.

use std::fmt;
use std::path::Path;
use std::time::Duration;

use super::level::{ELO, FULL_STRENGTH, Level, level_of, sight_of};
use crate::game::Sight;
use crate::message::{OptionKind, OptionSpec, Problem};
use crate::search::Algorithm;

/// The largest transposition table that can be asked for, in MiB.
pub const MAX_HASH_MIB: usize = 1 << 20;

/// The most lines that can be asked for.
pub const MAX_LINES: u64 = 256;

/// The largest seed: what clients can hold.
const MAX_SEED: u64 = i32::MAX as u64;

/// The most threads that can be asked for.
const MAX_THREADS: u64 = 256;

/// What the search knows of a position it looks no further from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Evaluation {
    /// The game's own evaluation and exact knowledge.
    #[default]
    Full,
    /// What is in the bag, and zero in games that have nothing of the kind ([`Sight::Plain`]); no exact knowledge.
    Plain,
}

impl Evaluation {
    /// Both of them, the stronger first.
    pub const ALL: [Evaluation; 2] = [Evaluation::Full, Evaluation::Plain];

    /// The name users know it by.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Evaluation::Full => "full",
            Evaluation::Plain => "plain",
        }
    }
}

impl fmt::Display for Evaluation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The values of a session's options.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    /// Size of the transposition table, in MiB.
    pub hash_mib: usize,
    /// Time kept back for each move, for the way between the engine and its client.
    pub move_overhead: Duration,
    /// The algorithm that searches.
    pub algorithm: Algorithm,
    /// What positions are valued by.
    pub evaluation: Evaluation,
    /// Whether the search may look less deep here, and use results that are deeper than asked for there.
    pub selective: bool,
    /// How many threads search.
    pub threads: usize,
    /// How many lines are shown.
    pub multi_pv: usize,
    /// How strong to play, from 0 to 20, the full strength.
    pub skill_level: usize,
    /// Whether `elo` says how strong to play, and not `skill_level`.
    pub limit_strength: bool,
    /// How strong to play, in Elo: the nearest of the levels' measured strengths.
    pub elo: u64,
    /// What the choices of weaker players are drawn from, with the position.
    pub seed: u64,
    /// Whether the client means to let the engine ponder; it changes nothing.
    pub ponder: bool,
    /// Whether moves are played from the opening book.
    pub own_book: bool,
    /// The file of that book; empty for the one that comes with the game.
    pub book_file: String,
    /// Whether endgame tables are used.
    pub tablebases: bool,
    /// The directory with endgame tables; empty for none.
    pub tablebase_path: String,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            hash_mib: 16,
            move_overhead: Duration::from_millis(10),
            algorithm: Algorithm::default(),
            evaluation: Evaluation::default(),
            selective: true,
            threads: 1,
            multi_pv: 1,
            skill_level: FULL_STRENGTH,
            limit_strength: false,
            elo: ELO[FULL_STRENGTH],
            seed: 0,
            ponder: false,
            own_book: false,
            book_file: String::new(),
            tablebases: true,
            tablebase_path: String::new(),
        }
    }
}

/// What setting an option asks for, beyond remembering the value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Effect {
    Nothing,
    EmptyHash,
    ResizeHash,
    /// The book is another one.
    OpenBook,
    /// The tables are others.
    OpenTables,
    /// The book is asked from now on, or no longer.
    TurnBook,
    /// The tables are asked from now on, or no longer.
    TurnTables,
}

const HASH: &str = "Hash";
const CLEAR_HASH: &str = "Clear Hash";
const THREADS: &str = "Threads";
const MOVE_OVERHEAD: &str = "Move Overhead";
const ALGORITHM: &str = "Algorithm";
const EVALUATION: &str = "Evaluation";
const SELECTIVE: &str = "Selective";
const MULTI_PV: &str = "MultiPV";
const SKILL_LEVEL: &str = "Skill Level";
const LIMIT_STRENGTH: &str = "UCI_LimitStrength";
const ELO_NAME: &str = "UCI_Elo";
const SEED: &str = "Seed";
const PONDER: &str = "Ponder";
const OWN_BOOK: &str = "OwnBook";
const BOOK_FILE: &str = "BookFile";
const TABLEBASES: &str = "Tablebases";
const TABLEBASE_PATH: &str = "TablebasePath";

/// The options and their defaults.
pub(super) fn specs() -> Vec<OptionSpec> {
    let default = Settings::default();
    let check = |default| OptionKind::Check { default };
    let spin = |default, min, max| OptionKind::Spin { default, min, max };
    let algorithms = Algorithm::ALL.iter().map(ToString::to_string).collect();
    let evaluations = Evaluation::ALL.iter().map(ToString::to_string).collect();
    [
        (HASH, spin(default.hash_mib as u64, 1, MAX_HASH_MIB as u64)),
        (CLEAR_HASH, OptionKind::Button),
        (THREADS, spin(default.threads as u64, 1, MAX_THREADS)),
        (MULTI_PV, spin(default.multi_pv as u64, 1, MAX_LINES)),
        (MOVE_OVERHEAD, spin(default.move_overhead.as_millis() as u64, 0, 5000)),
        (ALGORITHM, OptionKind::Combo { default: default.algorithm.to_string(), choices: algorithms }),
        (EVALUATION, OptionKind::Combo { default: default.evaluation.to_string(), choices: evaluations }),
        (SELECTIVE, check(default.selective)),
        (SKILL_LEVEL, spin(default.skill_level as u64, 0, FULL_STRENGTH as u64)),
        (LIMIT_STRENGTH, check(default.limit_strength)),
        (ELO_NAME, spin(default.elo, ELO[0], ELO[FULL_STRENGTH])),
        (SEED, spin(default.seed, 0, MAX_SEED)),
        (PONDER, check(default.ponder)),
        (OWN_BOOK, check(default.own_book)),
        (BOOK_FILE, OptionKind::String { default: default.book_file }),
        (TABLEBASES, check(default.tablebases)),
        (TABLEBASE_PATH, OptionKind::String { default: default.tablebase_path }),
    ]
    .map(|(name, kind)| OptionSpec { name, kind })
    .into()
}

impl Settings {
    /// Where the opening book is, if not in the game.
    pub(super) fn book(&self) -> Option<&Path> {
        Some(Path::new(&self.book_file)).filter(|path| !path.as_os_str().is_empty())
    }

    /// Where the endgame tables are, if anywhere.
    pub(super) fn tables(&self) -> Option<&Path> {
        Some(Path::new(&self.tablebase_path)).filter(|path| !path.as_os_str().is_empty())
    }

    /// Sets the option `name`, in any case.
    pub(super) fn set(&mut self, name: &str, value: Option<&str>) -> Result<Effect, Problem> {
        let before = self.yardstick();
        let effect = self.assign(name, value)?;
        // What another yardstick has left in the table is not good enough.
        Ok(if effect == Effect::Nothing && self.yardstick() != before { Effect::EmptyHash } else { effect })
    }

    /// The strength to play with in the position of this hash; nothing for the full one.
    pub(super) fn level(&self, position: u64) -> Option<Level> {
        Level::new(self.level_number(), position, self.seed)
    }

    /// How much of what the game knows the search uses.
    pub(super) fn sight(&self) -> Sight {
        match self.evaluation {
            Evaluation::Full => sight_of(self.level_number()),
            Evaluation::Plain => Sight::Plain,
        }
    }

    /// Whether the search asks endgame tables.
    pub(super) fn asks_tables(&self) -> bool {
        self.tablebases && self.sight() == Sight::Full
    }

    fn level_number(&self) -> usize {
        if self.limit_strength { level_of(self.elo) } else { self.skill_level }
    }

    /// What the values in the table depend on.
    fn yardstick(&self) -> (Evaluation, bool, usize) {
        (self.evaluation, self.selective, self.level_number())
    }

    fn assign(&mut self, name: &str, value: Option<&str>) -> Result<Effect, Problem> {
        let specs = specs();
        let Some(spec) = specs.iter().find(|spec| spec.name.eq_ignore_ascii_case(name)) else {
            let names: Vec<&str> = specs.iter().map(|spec| spec.name).collect();
            return Err(Problem::new(format!("no option '{name}'; there are {}", names.join(", "))));
        };
        let value = value.unwrap_or_default();
        let wrong = |expected: String| {
            let found = if value.is_empty() { "nothing".into() } else { format!("'{value}'") };
            Problem::new(format!("option {}: expected {expected}, found {found}", spec.name))
        };
        match &spec.kind {
            OptionKind::Button => return Ok(Effect::EmptyHash),
            OptionKind::Check { .. } => {
                let on = if value.eq_ignore_ascii_case("true") {
                    true
                } else if value.eq_ignore_ascii_case("false") {
                    false
                } else {
                    return Err(wrong("'true' or 'false'".into()));
                };
                match spec.name {
                    SELECTIVE => self.selective = on,
                    LIMIT_STRENGTH => self.limit_strength = on,
                    PONDER => self.ponder = on,
                    TABLEBASES if on == self.tablebases => {}
                    TABLEBASES => {
                        self.tablebases = on;
                        return Ok(Effect::TurnTables);
                    }
                    _ if on == self.own_book => {}
                    _ => {
                        self.own_book = on;
                        return Ok(Effect::TurnBook);
                    }
                }
            }
            OptionKind::Spin { min, max, .. } => {
                // Rust reads a plus sign too; `go` does not, and one word has one meaning.
                let digits = value.bytes().all(|byte| byte.is_ascii_digit());
                let number = value.parse().ok().filter(|number| digits && (min..=max).contains(&number));
                let Some(number) = number else {
                    return Err(wrong(format!("a whole number from {min} to {max}")));
                };
                match spec.name {
                    HASH if number as usize == self.hash_mib => {}
                    HASH => {
                        self.hash_mib = number as usize;
                        return Ok(Effect::ResizeHash);
                    }
                    MOVE_OVERHEAD => self.move_overhead = Duration::from_millis(number),
                    MULTI_PV => self.multi_pv = number as usize,
                    SKILL_LEVEL => self.skill_level = number as usize,
                    ELO_NAME => self.elo = number,
                    SEED => self.seed = number,
                    _ => self.threads = number as usize,
                }
            }
            OptionKind::Combo { choices, .. } => {
                let wrong = || wrong(format!("one of {}", choices.join(", ")));
                if spec.name == EVALUATION {
                    let known = Evaluation::ALL.into_iter().find(|known| known.name().eq_ignore_ascii_case(value));
                    self.evaluation = known.ok_or_else(wrong)?;
                } else {
                    let known = Algorithm::ALL.into_iter().find(|known| known.name().eq_ignore_ascii_case(value));
                    self.algorithm = known.ok_or_else(wrong)?;
                }
            }
            OptionKind::String { .. } => {
                let (path, effect) = match spec.name {
                    BOOK_FILE => (&mut self.book_file, Effect::OpenBook),
                    _ => (&mut self.tablebase_path, Effect::OpenTables),
                };
                if value != path.as_str() {
                    *path = value.into();
                    return Ok(effect);
                }
            }
        }
        Ok(Effect::Nothing)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_come_in_any_case_and_every_option_can_be_set() {
        let mut settings = Settings::default();
        assert_eq!(settings.set("hash", Some("32")), Ok(Effect::ResizeHash));
        assert_eq!(settings.set("HASH", Some("32")), Ok(Effect::Nothing), "the value it has does nothing");
        assert_eq!(settings.set("clear hash", None), Ok(Effect::EmptyHash));
        assert_eq!(settings.set("selective", Some("false")), Ok(Effect::EmptyHash));
        assert_eq!(settings.set("selective", Some("false")), Ok(Effect::Nothing));
        assert_eq!(settings.set("evaluation", Some("Plain")), Ok(Effect::EmptyHash));
        assert_eq!(settings.set("Evaluation", Some("plain")), Ok(Effect::Nothing), "the value it has does nothing");
        for (name, value) in [
            ("Move Overhead", "0"),
            ("algorithm", "NegaMax"),
            ("ponder", "TRUE"),
            ("threads", "1"),
            ("multipv", "256"),
            ("uci_elo", "1000"),
            ("seed", "2147483647"),
        ] {
            assert_eq!(settings.set(name, Some(value)), Ok(Effect::Nothing), "{name}");
        }
        assert_eq!(settings.set("skill level", Some("7")), Ok(Effect::EmptyHash));
        assert_eq!(settings.set("skill level", Some("7")), Ok(Effect::Nothing));
        assert_eq!(settings.set("uci_limitstrength", Some("true")), Ok(Effect::EmptyHash), "another level now counts");
        assert_eq!(settings.set("ownbook", Some("true")), Ok(Effect::TurnBook));
        assert_eq!(settings.set("ownbook", Some("true")), Ok(Effect::Nothing));
        assert_eq!(settings.set("bookfile", Some("awale.book")), Ok(Effect::OpenBook));
        assert_eq!(settings.set("bookfile", Some("awale.book")), Ok(Effect::Nothing));
        assert_eq!(settings.set("tablebasepath", Some("tables")), Ok(Effect::OpenTables));
        assert_eq!(settings.set("tablebasepath", Some("tables")), Ok(Effect::Nothing));
        assert_eq!(settings.set("tablebases", Some("true")), Ok(Effect::Nothing));
        assert_eq!(settings.set("tablebases", Some("false")), Ok(Effect::TurnTables));
        let set = Settings {
            hash_mib: 32,
            move_overhead: Duration::ZERO,
            algorithm: Algorithm::Negamax,
            evaluation: Evaluation::Plain,
            selective: false,
            threads: 1,
            multi_pv: 256,
            skill_level: 7,
            limit_strength: true,
            elo: 1000,
            seed: 2_147_483_647,
            ponder: true,
            own_book: true,
            book_file: "awale.book".into(),
            tablebases: false,
            tablebase_path: "tables".into(),
        };
        assert_eq!(settings, set);
    }

    #[test]
    fn a_bad_value_changes_nothing_and_tells_the_right_ones() {
        let mut settings = Settings::default();
        for (name, value, said) in [
            ("Hash", Some("0"), "option Hash: expected a whole number from 1 to 1048576, found '0'"),
            ("Hash", Some("+8"), "option Hash: expected a whole number from 1 to 1048576, found '+8'"),
            ("Hash", None, "option Hash: expected a whole number from 1 to 1048576, found nothing"),
            ("Threads", Some("257"), "option Threads: expected a whole number from 1 to 256, found '257'"),
            ("Ponder", Some("yes"), "option Ponder: expected 'true' or 'false', found 'yes'"),
            (
                "Algorithm",
                Some("mtdf"),
                "option Algorithm: expected one of alphabeta, negabeta, negamax, minimax, mcts, found 'mtdf'",
            ),
            ("Evaluation", Some("simple"), "option Evaluation: expected one of full, plain, found 'simple'"),
            (
                "Contempt",
                Some("3"),
                "no option 'Contempt'; there are Hash, Clear Hash, Threads, MultiPV, Move Overhead, Algorithm, Evaluation, Selective, Skill Level, UCI_LimitStrength, UCI_Elo, Seed, Ponder, OwnBook, BookFile, Tablebases, TablebasePath",
            ),
        ] {
            assert_eq!(settings.set(name, value).unwrap_err().to_string(), said);
        }
        assert_eq!(settings, Settings::default());
    }
}
