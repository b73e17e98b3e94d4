//! The options of a session: names, kinds, values, and the parsing of a value.
//!
//! Layer 4. [`OPTIONS`] is the single table of options; greeting, `setoption`, help and effects are derived from it. LAW 6: a
//! bad value changes nothing.

use std::fmt;
use std::path::Path;
use std::time::Duration;

use super::level::{Level, sight_of};
use crate::game::family::{FULL_STRENGTH, LevelScale};
use crate::game::{EvaluationMode, OutsideTables};
use crate::message::{GameFacts, OptionKind, OptionSpec, Problem};
use crate::search::{Algorithm, NoParameters, Parameters};
use crate::spelling::{instead, nearest, quoted};

/// Greatest `Hash`, in MiB.
pub const MAX_HASH_MIB: usize = 1 << 20;

/// Greatest `MultiPV`.
pub const MAX_LINES: u64 = 256;

/// Greatest `Seed`, which clients can represent.
const MAX_SEED: u64 = i32::MAX as u64;
const MAX_BOOK_VARIETY: u64 = 1000;

/// Greatest `Threads`.
const MAX_THREADS: u64 = 256;

/// The evaluation at the leaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Evaluation {
    /// The game's own evaluation and exact knowledge.
    #[default]
    Full,
    /// The plain count, zero in games without one ([`EvaluationMode::Plain`]); no exact knowledge.
    Plain,
}

impl Evaluation {
    /// Both of them, the stronger first.
    pub const ALL: [Evaluation; 2] = [Evaluation::Full, Evaluation::Plain];

    /// The name in options and messages.
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

/// The most pieces of Syzygy tables.
const MOST_SYZYGY_PIECES: u64 = 7;

/// The values of a session's options.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    /// Size of the transposition table, in MiB.
    pub hash_mib: usize,
    /// Time kept back for each move, for the way between the engine and its client.
    pub move_overhead: Duration,
    /// The algorithm that searches.
    pub algorithm: Algorithm,
    /// The evaluation.
    pub evaluation: Evaluation,
    /// The file with its weights; empty for the built-in ones.
    pub eval_file: String,
    /// Whether the search is selective.
    pub selective: bool,
    /// How strongly it reduces and prunes.
    pub parameters: Parameters,
    /// Search threads.
    pub threads: usize,
    /// Lines to report.
    pub multi_pv: usize,
    /// Level, from 0 to 20, full strength.
    pub skill_level: usize,
    /// Whether `elo` sets the strength, not `skill_level`.
    pub limit_strength: bool,
    /// Strength in Elo: the level with the nearest measured strength.
    pub elo: u64,
    /// Strengths of the game's levels. Not an option: part of the game.
    pub levels: LevelScale,
    /// The built-in opening book of the game, as [`crate::book::text`] writes it. Not an option.
    pub book_text: Option<&'static str>,
    /// What front ends show of the game. Not an option.
    pub facts: Option<GameFacts>,
    /// Seed of the draws of weaker levels, together with the position.
    pub seed: u64,
    /// Whether the client will ponder; has no effect.
    pub ponder: bool,
    /// Whether moves are played from the opening book.
    pub own_book: bool,
    /// The file of the opening book; empty for the built-in one.
    pub book_file: String,
    /// Hundredths of the game's unit by which a book move may fall short of the best one.
    pub book_variety: u64,
    /// Whether endgame tables are used.
    pub tablebases: bool,
    /// The directory with endgame tables; empty for none.
    pub tablebase_path: String,
    /// Whether endgame tables are shared with other engines if there is no such directory.
    pub shared_tables: bool,
    /// Tables of other programs, at chess Syzygy tables.
    pub outside: OutsideTables,
    /// Whether scores are reported with chances to win, draw and lose.
    pub show_wdl: bool,
    /// Whether the client analyses: no move is then played from the book.
    pub analyse_mode: bool,
    /// Title, rating, kind and name of the opponent; has no effect.
    pub opponent: String,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            hash_mib: 16,
            move_overhead: Duration::from_millis(10),
            algorithm: Algorithm::default(),
            evaluation: Evaluation::default(),
            eval_file: String::new(),
            selective: true,
            parameters: Parameters::default(),
            threads: 1,
            multi_pv: 1,
            skill_level: FULL_STRENGTH,
            limit_strength: false,
            elo: LevelScale::USUAL.elo[FULL_STRENGTH],
            levels: LevelScale::USUAL,
            book_text: None,
            facts: None,
            seed: 0,
            ponder: false,
            own_book: false,
            book_file: String::new(),
            book_variety: 0,
            tablebases: true,
            tablebase_path: String::new(),
            shared_tables: true,
            outside: OutsideTables {
                path: String::new(),
                least_depth: 1,
                most_pieces: MOST_SYZYGY_PIECES as u32,
                counts_fifty: true,
            },
            show_wdl: false,
            analyse_mode: false,
            opponent: String::new(),
        }
    }
}

/// The effect of a changed option on the session, besides storing it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Effect {
    Nothing,
    /// The transposition table must be emptied.
    EmptyHash,
    /// Load other weights.
    LoadWeights,
    ResizeHash,
    /// Open another book.
    OpenBook,
    /// Open other tables.
    OpenTables,
    /// Turn the book on or off.
    TurnBook,
    /// Turn the tables on or off.
    TurnTables,
}

/// An option. Its default is the value in [`Settings::default`].
struct SessionOption {
    name: &'static str,
    /// Its help.
    help: &'static str,
    effect: Effect,
    /// The slot of its value, with the allowed values.
    slot: fn(&mut Settings) -> Slot<'_>,
}

/// The slot of an option's value; its type is the option's type.
enum Slot<'s> {
    /// A button, without a value.
    Button,
    Check(&'s mut bool),
    /// From the first to the second number.
    Spin(&'s mut dyn Number, u64, u64),
    Combo(&'s mut dyn Choice),
    Parameters(&'s mut Parameters),
    Text(&'s mut String),
}

/// A whole number among the settings.
trait Number {
    fn get(&self) -> u64;
    fn put(&mut self, number: u64);
}

impl Number for u64 {
    fn get(&self) -> u64 {
        *self
    }

    fn put(&mut self, number: u64) {
        *self = number;
    }
}

impl Number for usize {
    fn get(&self) -> u64 {
        *self as u64
    }

    fn put(&mut self, number: u64) {
        *self = number as usize;
    }
}

impl Number for u32 {
    fn get(&self) -> u64 {
        u64::from(*self)
    }

    fn put(&mut self, number: u64) {
        *self = number as u32;
    }
}

/// In milliseconds.
impl Number for Duration {
    fn get(&self) -> u64 {
        self.as_millis() as u64
    }

    fn put(&mut self, number: u64) {
        *self = Duration::from_millis(number);
    }
}

/// A choice of named values.
trait Choice {
    fn name(&self) -> &'static str;
    fn names(&self) -> Vec<&'static str>;
    /// Selects the value with that name, in any case; returns whether there is one.
    fn choose(&mut self, name: &str) -> bool;
}

/// Puts the value of `all` called `name` into `slot`.
fn choose<T: Choice>(slot: &mut T, all: impl IntoIterator<Item = T>, name: &str) -> bool {
    let known = all.into_iter().find(|known| known.name().eq_ignore_ascii_case(name));
    known.map(|known| *slot = known).is_some()
}

impl Choice for Algorithm {
    fn name(&self) -> &'static str {
        Algorithm::name(*self)
    }

    fn names(&self) -> Vec<&'static str> {
        Algorithm::ALL.map(Algorithm::name).into()
    }

    fn choose(&mut self, name: &str) -> bool {
        choose(self, Algorithm::ALL, name)
    }
}

impl Choice for Evaluation {
    fn name(&self) -> &'static str {
        Evaluation::name(*self)
    }

    fn names(&self) -> Vec<&'static str> {
        Evaluation::ALL.map(Evaluation::name).into()
    }

    fn choose(&mut self, name: &str) -> bool {
        choose(self, Evaluation::ALL, name)
    }
}

/// The options of every session, in the order of the greeting. protocol.md repeats the help.
const OPTIONS: [SessionOption; 28] = [
    SessionOption {
        name: "Hash",
        help: "size of the transposition table in MiB; a new size empties it",
        effect: Effect::ResizeHash,
        slot: |settings| Slot::Spin(&mut settings.hash_mib, 1, MAX_HASH_MIB as u64),
    },
    SessionOption {
        name: "Clear Hash",
        help: "empties the transposition table",
        effect: Effect::EmptyHash,
        slot: |_| Slot::Button,
    },
    SessionOption {
        name: "Threads",
        help: "threads of the alphabeta search",
        effect: Effect::Nothing,
        slot: |settings| Slot::Spin(&mut settings.threads, 1, MAX_THREADS),
    },
    SessionOption {
        name: "MultiPV",
        help: "lines reported in each iteration",
        effect: Effect::Nothing,
        slot: |settings| Slot::Spin(&mut settings.multi_pv, 1, MAX_LINES),
    },
    SessionOption {
        name: "Move Overhead",
        help: "milliseconds kept back each move for the way between engine and client",
        effect: Effect::Nothing,
        slot: |settings| Slot::Spin(&mut settings.move_overhead, 0, 5000),
    },
    SessionOption {
        name: "Algorithm",
        help: "the full search, one of the textbook algorithms, or Monte Carlo tree search",
        effect: Effect::Nothing,
        slot: |settings| Slot::Combo(&mut settings.algorithm),
    },
    SessionOption {
        name: "Evaluation",
        help: "the game's own evaluation and exact knowledge, or a plain count",
        effect: Effect::EmptyHash,
        slot: |settings| Slot::Combo(&mut settings.evaluation),
    },
    SessionOption {
        name: "EvalFile",
        help: "a file with the weights of the evaluation, for games that read one",
        effect: Effect::LoadWeights,
        slot: |settings| Slot::Text(&mut settings.eval_file),
    },
    SessionOption {
        name: "Selective",
        help: "reduce and prune, and use the game's own proofs",
        effect: Effect::EmptyHash,
        slot: |settings| Slot::Check(&mut settings.selective),
    },
    SessionOption {
        name: "SearchParameters",
        help: "how strongly the search reduces and prunes, in percent of the default",
        effect: Effect::EmptyHash,
        slot: |settings| Slot::Parameters(&mut settings.parameters),
    },
    SessionOption {
        name: "Skill Level",
        help: "playing strength; 20 is full strength",
        effect: Effect::EmptyHash,
        slot: |settings| Slot::Spin(&mut settings.skill_level, 0, FULL_STRENGTH as u64),
    },
    SessionOption {
        name: "UCI_LimitStrength",
        help: "take the playing strength from UCI_Elo, not from Skill Level",
        effect: Effect::EmptyHash,
        slot: |settings| Slot::Check(&mut settings.limit_strength),
    },
    SessionOption {
        name: "UCI_Elo",
        help: "playing strength in Elo; griot plays the level measured nearest to it at this game",
        effect: Effect::EmptyHash,
        slot: |settings| Slot::Spin(&mut settings.elo, LevelScale::USUAL.elo[0], LevelScale::USUAL.elo[FULL_STRENGTH]),
    },
    SessionOption {
        name: "Seed",
        help: "seed of the random choices of weaker levels and of BookVariety",
        effect: Effect::Nothing,
        slot: |settings| Slot::Spin(&mut settings.seed, 0, MAX_SEED),
    },
    SessionOption {
        name: "Ponder",
        help: "accepted; the client decides whether to ponder",
        effect: Effect::Nothing,
        slot: |settings| Slot::Check(&mut settings.ponder),
    },
    SessionOption {
        name: "OwnBook",
        help: "play moves from the opening book",
        effect: Effect::TurnBook,
        slot: |settings| Slot::Check(&mut settings.own_book),
    },
    SessionOption {
        name: "BookFile",
        help: "an opening book made by griot book grow, or for chess a Polyglot book",
        effect: Effect::OpenBook,
        slot: |settings| Slot::Text(&mut settings.book_file),
    },
    SessionOption {
        name: "BookVariety",
        help: "hundredths of the game's unit by which a book move may fall short of the best one",
        effect: Effect::Nothing,
        slot: |settings| Slot::Spin(&mut settings.book_variety, 0, MAX_BOOK_VARIETY),
    },
    SessionOption {
        name: "Tablebases",
        help: "use endgame tables",
        effect: Effect::TurnTables,
        slot: |settings| Slot::Check(&mut settings.tablebases),
    },
    SessionOption {
        name: "TablebasePath",
        help: "a directory of endgame tables made by griot tablebase build",
        effect: Effect::OpenTables,
        slot: |settings| Slot::Text(&mut settings.tablebase_path),
    },
    SessionOption {
        name: "SharedTablebases",
        help: "read endgame tables from the folder that all engines share, and build them there in the background",
        effect: Effect::TurnTables,
        slot: |settings| Slot::Check(&mut settings.shared_tables),
    },
    SessionOption {
        name: "SyzygyPath",
        help: "folders of Syzygy tables for chess, separated by semicolons or colons",
        effect: Effect::OpenTables,
        slot: |settings| Slot::Text(&mut settings.outside.path),
    },
    SessionOption {
        name: "SyzygyProbeDepth",
        help: "the least depth at which boards of SyzygyProbeLimit pieces are looked up",
        effect: Effect::OpenTables,
        slot: |settings| Slot::Spin(&mut settings.outside.least_depth, 1, 100),
    },
    SessionOption {
        name: "SyzygyProbeLimit",
        help: "the most pieces of a board that is looked up in Syzygy tables",
        effect: Effect::OpenTables,
        slot: |settings| Slot::Spin(&mut settings.outside.most_pieces, 0, MOST_SYZYGY_PIECES),
    },
    SessionOption {
        name: "Syzygy50MoveRule",
        help: "count results of Syzygy tables that the rule of fifty moves spoils as draws",
        effect: Effect::OpenTables,
        slot: |settings| Slot::Check(&mut settings.outside.counts_fifty),
    },
    SessionOption {
        name: "UCI_ShowWDL",
        help: "report how often the side to move wins, draws and loses in a thousand games",
        effect: Effect::Nothing,
        slot: |settings| Slot::Check(&mut settings.show_wdl),
    },
    SessionOption {
        name: "UCI_AnalyseMode",
        help: "play no moves from the opening book",
        effect: Effect::Nothing,
        slot: |settings| Slot::Check(&mut settings.analyse_mode),
    },
    SessionOption {
        name: "UCI_Opponent",
        help: "accepted; griot plays all opponents alike",
        effect: Effect::Nothing,
        slot: |settings| Slot::Text(&mut settings.opponent),
    },
];

impl SessionOption {
    fn spec(&self) -> OptionSpec {
        let kind = match (self.slot)(&mut Settings::default()) {
            Slot::Button => OptionKind::Button,
            Slot::Check(on) => OptionKind::Check { default: *on },
            Slot::Spin(number, min, max) => OptionKind::Spin { default: number.get(), min, max },
            Slot::Combo(choice) => OptionKind::Combo {
                default: choice.name().into(),
                choices: choice.names().into_iter().map(str::to_owned).collect(),
            },
            Slot::Parameters(parameters) => OptionKind::String { default: parameters.to_string() },
            Slot::Text(text) => OptionKind::String { default: text.clone() },
        };
        OptionSpec { name: self.name, kind, help: self.help }
    }

    /// Parses a value into its slot.
    ///
    /// # Errors
    /// What is accepted; the settings are unchanged.
    fn put(&self, settings: &mut Settings, value: &str) -> Result<(), String> {
        match (self.slot)(settings) {
            Slot::Button => {}
            Slot::Check(on) if value.eq_ignore_ascii_case("true") => *on = true,
            Slot::Check(on) if value.eq_ignore_ascii_case("false") => *on = false,
            Slot::Check(_) => return Err("'true' or 'false'".into()),
            Slot::Spin(slot, min, max) => {
                // Rust also parses a plus sign; `go` does not, so options do not either.
                let digits = value.bytes().all(|byte| byte.is_ascii_digit());
                let number = value.parse().ok().filter(|number| digits && (min..=max).contains(number));
                slot.put(number.ok_or_else(|| format!("a whole number from {min} to {max}"))?);
            }
            Slot::Combo(choice) => {
                if !choice.choose(value) {
                    return Err(format!("one of {}", choice.names().join(", ")));
                }
            }
            Slot::Parameters(slot) => *slot = value.parse().map_err(|wrong: NoParameters| wrong.expected())?,
            Slot::Text(text) => *text = value.into(),
        }
        Ok(())
    }

    /// Whether its effect is due, compared with the settings `before`.
    fn acts(&self, before: &Settings, settings: &mut Settings) -> bool {
        if matches!((self.slot)(settings), Slot::Button) {
            true
        } else if self.effect == Effect::EmptyHash {
            // Table entries depend on the yardstick; a strength that has no effect does not change it.
            settings.yardstick() != before.yardstick()
        } else {
            *settings != *before
        }
    }
}

/// A path, unless it is empty.
fn path(text: &str) -> Option<&Path> {
    Some(Path::new(text)).filter(|path| !path.as_os_str().is_empty())
}

impl Settings {
    /// The file of weights, if not the built-in ones.
    pub(super) fn weights(&self) -> Option<&Path> {
        path(&self.eval_file)
    }

    /// The file of the opening book, if not the built-in one.
    pub(super) fn book(&self) -> Option<&Path> {
        path(&self.book_file)
    }

    /// The folder of endgame tables, if any.
    pub(super) fn tables(&self) -> Option<&Path> {
        path(&self.tablebase_path)
    }

    /// The options of every session, with the values it starts with.
    #[must_use]
    pub fn options() -> Vec<OptionSpec> {
        OPTIONS.iter().map(SessionOption::spec).collect()
    }

    /// Sets the option `name`, in any case; returns its effect. LAW 6: a bad value changes nothing.
    pub(super) fn set(&mut self, name: &str, value: Option<&str>) -> Result<Effect, Problem> {
        let Some(option) = OPTIONS.iter().find(|option| option.name.eq_ignore_ascii_case(name)) else {
            let names = OPTIONS.map(|option| option.name);
            let instead = instead(nearest(name, names), &names.join(", "));
            return Err(Problem::new(format!("no option '{name}'{instead}")));
        };
        let before = self.clone();
        let value = value.unwrap_or_default();
        option.put(self, value).map_err(|expected| {
            Problem::new(format!("option {}: expected {expected}, found {}", option.name, quoted(value)))
        })?;
        Ok(if option.acts(&before, self) { option.effect } else { Effect::Nothing })
    }

    /// The level to play in the position with this hash; `None` for full strength.
    pub(super) fn level(&self, position: u64) -> Option<Level> {
        Level::new(self.level_number(), self.is_selective(), position, self.seed)
    }

    /// Whether the level is selective at this game, and the search may be.
    fn is_selective(&self) -> bool {
        self.level_number() >= self.levels.selective_from
            && self.selective
            && self.algorithm == Algorithm::AlphaBeta
            && self.evaluation == Evaluation::Full
    }

    /// How much of the game's knowledge the search uses.
    pub(super) fn mode(&self) -> EvaluationMode {
        match self.evaluation {
            Evaluation::Full => sight_of(self.level_number()),
            Evaluation::Plain => EvaluationMode::Plain,
        }
    }

    /// Whether the search uses endgame tables.
    pub(super) fn asks_tables(&self) -> bool {
        self.tablebases && self.mode() == EvaluationMode::Full
    }

    fn level_number(&self) -> usize {
        if self.limit_strength { self.levels.level_of(self.elo) } else { self.skill_level }
    }

    /// The settings that values in the transposition table depend on.
    fn yardstick(&self) -> (Evaluation, bool, Parameters, usize) {
        (self.evaluation, self.selective, self.parameters, self.level_number())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A value that the option does not have, of those it may have.
    fn another(option: &SessionOption) -> String {
        match (option.slot)(&mut Settings::default()) {
            Slot::Button => String::new(),
            Slot::Check(on) => (!*on).to_string(),
            Slot::Spin(number, min, max) => (if number.get() == max { min } else { max }).to_string(),
            Slot::Combo(choice) => choice.names().into_iter().rfind(|name| *name != choice.name()).unwrap().to_owned(),
            Slot::Parameters(_) => "lmr=90".into(),
            Slot::Text(text) => format!("{text}x"),
        }
    }

    #[test]
    fn each_option_has_a_place_of_its_own_and_the_effect_it_names() {
        for (i, option) in OPTIONS.iter().enumerate() {
            // `UCI_Elo` only has an effect if the strength is limited, and `UCI_LimitStrength` only if the Elo is below
            // full strength.
            let mut settings = Settings { limit_strength: option.name == "UCI_Elo", ..Settings::default() };
            if option.name == "UCI_LimitStrength" {
                settings.elo = LevelScale::USUAL.elo[0];
            }
            let before = settings.clone();
            let value = another(option);
            assert_eq!(settings.set(option.name, Some(&value)), Ok(option.effect), "{} {value}", option.name);
            let is_button = matches!((option.slot)(&mut settings), Slot::Button);
            assert_eq!(settings == before, is_button, "{}", option.name);
            // No other option keeps its value there.
            for (j, other) in OPTIONS.iter().enumerate() {
                let kind = |settings: &Settings| match (other.slot)(&mut settings.clone()) {
                    Slot::Button => String::new(),
                    Slot::Check(on) => on.to_string(),
                    Slot::Spin(number, ..) => number.get().to_string(),
                    Slot::Combo(choice) => choice.name().to_owned(),
                    Slot::Parameters(parameters) => parameters.to_string(),
                    Slot::Text(text) => text.clone(),
                };
                assert_eq!(kind(&settings) != kind(&before), i == j && !is_button, "{} {}", option.name, other.name);
            }
        }
    }

    #[test]
    fn an_option_says_what_it_starts_with() {
        let mut settings = Settings::default();
        for OptionSpec { name, kind, .. } in Settings::options() {
            let default = match kind {
                OptionKind::Button => continue,
                OptionKind::Check { default } => default.to_string(),
                OptionKind::Spin { default, .. } => default.to_string(),
                OptionKind::Combo { default, .. } | OptionKind::String { default } => default,
            };
            assert_eq!(settings.set(name, Some(&default)), Ok(Effect::Nothing), "{name} {default}");
        }
        assert_eq!(settings, Settings::default());
    }

    #[test]
    fn a_strength_that_does_not_count_empties_nothing() {
        let mut settings = Settings::default();
        assert_eq!(settings.set("UCI_Elo", Some("500")), Ok(Effect::Nothing));
        assert_eq!(settings.set("UCI_LimitStrength", Some("true")), Ok(Effect::EmptyHash));
        assert_eq!(settings.set("Skill Level", Some("3")), Ok(Effect::Nothing));
        assert_eq!(settings.set("UCI_Elo", Some("2000")), Ok(Effect::EmptyHash));
        assert_eq!(settings.set("UCI_Elo", Some("2001")), Ok(Effect::Nothing), "the same level");
    }

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
            ("bookvariety", "1000"),
        ] {
            assert_eq!(settings.set(name, Some(value)), Ok(Effect::Nothing), "{name}");
        }
        assert_eq!(settings.set("searchparameters", Some("lmr=90 futility=110")), Ok(Effect::EmptyHash));
        assert_eq!(settings.set("searchparameters", Some("futility=110,lmr=90")), Ok(Effect::Nothing));
        assert_eq!(settings.set("skill level", Some("7")), Ok(Effect::EmptyHash));
        assert_eq!(settings.set("skill level", Some("7")), Ok(Effect::Nothing));
        assert_eq!(settings.set("uci_limitstrength", Some("true")), Ok(Effect::EmptyHash), "another level now counts");
        assert_eq!(settings.set("evalfile", Some("network.bin")), Ok(Effect::LoadWeights));
        assert_eq!(settings.set("ownbook", Some("true")), Ok(Effect::TurnBook));
        assert_eq!(settings.set("ownbook", Some("true")), Ok(Effect::Nothing));
        assert_eq!(settings.set("bookfile", Some("awale.book")), Ok(Effect::OpenBook));
        assert_eq!(settings.set("bookfile", Some("awale.book")), Ok(Effect::Nothing));
        assert_eq!(settings.set("tablebasepath", Some("tables")), Ok(Effect::OpenTables));
        assert_eq!(settings.set("tablebasepath", Some("tables")), Ok(Effect::Nothing));
        assert_eq!(settings.set("tablebases", Some("true")), Ok(Effect::Nothing));
        assert_eq!(settings.set("tablebases", Some("false")), Ok(Effect::TurnTables));
        assert_eq!(settings.set("sharedtablebases", Some("false")), Ok(Effect::TurnTables));
        let set = Settings {
            hash_mib: 32,
            move_overhead: Duration::ZERO,
            algorithm: Algorithm::Negamax,
            evaluation: Evaluation::Plain,
            eval_file: "network.bin".into(),
            selective: false,
            parameters: Parameters { lmr: 90, futility: 110, ..Parameters::default() },
            threads: 1,
            multi_pv: 256,
            skill_level: 7,
            limit_strength: true,
            elo: 1000,
            levels: LevelScale::USUAL,
            book_text: None,
            facts: None,
            seed: 2_147_483_647,
            ponder: true,
            own_book: true,
            book_file: "awale.book".into(),
            book_variety: 1000,
            tablebases: false,
            tablebase_path: "tables".into(),
            shared_tables: false,
            ..Settings::default()
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
            (
                "SearchParameters",
                Some("lmr=90,margin=3"),
                "option SearchParameters: expected NAME=PERCENT, a name of lmr, futility, razoring, late-moves, null-move, aspiration, from 10 to 1000, found 'lmr=90,margin=3'",
            ),
            ("Evaluation", Some("simple"), "option Evaluation: expected one of full, plain, found 'simple'"),
            (
                "Contempt",
                Some("3"),
                "no option 'Contempt'; there are Hash, Clear Hash, Threads, MultiPV, Move Overhead, Algorithm, Evaluation, EvalFile, Selective, SearchParameters, Skill Level, UCI_LimitStrength, UCI_Elo, Seed, Ponder, OwnBook, BookFile, BookVariety, Tablebases, TablebasePath, SharedTablebases, SyzygyPath, SyzygyProbeDepth, SyzygyProbeLimit, Syzygy50MoveRule, UCI_ShowWDL, UCI_AnalyseMode, UCI_Opponent",
            ),
        ] {
            assert_eq!(settings.set(name, value).unwrap_err().to_string(), said);
        }
        assert_eq!(settings, Settings::default());
    }
}
