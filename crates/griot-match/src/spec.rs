//! An engine as the command line describes it: words `KEY=VALUE`, and the presets of known programs.

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::ValueEnum;

use crate::command::split_command;
use crate::dialects::Speech;
use crate::limits::Limits;
use crate::referee::{PASS, Referee, Style};

/// A preset: what a known program needs besides its command line.
pub(crate) struct Preset {
    pub(crate) name: &'static str,
    /// Prefix of its file names.
    programs: &'static [&'static str],
    /// Words as on the command line.
    pub(crate) words: &'static [&'static str],
}

/// The presets. A name that begins with another one comes before it.
pub(crate) const PRESETS: [Preset; 11] = [
    Preset {
        name: "griot",
        programs: &["griot"],
        words: &[
            "args.gtp=--dialect gtp --game {game}",
            "args.gomocup=--dialect gomocup",
            "args.nboard=--dialect nboard",
            "args.hub=--dialect hub",
        ],
    },
    Preset { name: "gtp-rhino", programs: &["gtp-rhino"], words: &["dialect=gtp", "time=untold"] },
    Preset { name: "fairy-stockfish", programs: &["fairy-stockfish"], words: &["dialect=uci"] },
    Preset { name: "stockfish", programs: &["stockfish"], words: &["dialect=uci"] },
    Preset { name: "aalina", programs: &["aalina"], words: &["dialect=uci", "moves=glued"] },
    Preset { name: "samurai", programs: &["samurai"], words: &["dialect=uci", "moves=glued"] },
    Preset { name: "nothello", programs: &["nothello"], words: &["dialect=ugi"] },
    Preset { name: "poppy", programs: &["poppy"], words: &["dialect=ugi"] },
    Preset { name: "ntest", programs: &["ntest"], words: &["dialect=nboard"] },
    Preset { name: "scan", programs: &["scan"], words: &["dialect=hub", "args.hub=hub"] },
    Preset { name: "rapfi", programs: &["rapfi", "pbrain"], words: &["dialect=gomocup"] },
];

/// The separation of moves in a `position` command.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum Moves {
    #[default]
    Blanks,
    Glued,
}

/// How GTP gets times, and whether the engine can lose on time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum Clocks {
    /// Whole seconds.
    #[default]
    Seconds,
    /// Seconds with three decimals.
    Decimal,
    /// No times: it plays at its own level, and its time is not judged. In any dialect.
    Untold,
}

/// Who plays a pass.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum Passes {
    /// The engine is asked for it.
    #[default]
    Asked,
    /// The match makes it for the engine.
    Made,
}

/// The manner of an engine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Manner {
    pub(crate) moves: Moves,
    /// The word for a pass in UGI and UCI.
    pub(crate) pass: String,
    pub(crate) passes: Passes,
    pub(crate) clocks: Clocks,
}

impl Default for Manner {
    fn default() -> Manner {
        Manner { moves: Moves::default(), pass: PASS.into(), passes: Passes::default(), clocks: Clocks::default() }
    }
}

impl Manner {
    /// An engine's move, with its word for a pass replaced by griot's.
    pub(crate) fn own_pass(&self, mv: &str, referee: &Referee) -> String {
        if mv == self.pass && referee.is_legal(PASS) { PASS.into() } else { mv.into() }
    }
}

/// Everything needed to start and use an engine.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Spec {
    pub(crate) command: Vec<String>,
    /// As given by the user.
    pub(crate) name: Option<String>,
    /// `None`: to be detected.
    pub(crate) speech: Option<Speech>,
    /// `None`: by the dialect and `UCI_Variant`.
    pub(crate) style: Option<Style>,
    /// The value of `UCI_Variant`, where it is not the name of the game.
    pub(crate) variant: Option<String>,
    pub(crate) options: Vec<(String, String)>,
    /// Lines to send before the first game.
    pub(crate) init: Vec<String>,
    pub(crate) limits: Limits,
    pub(crate) manner: Manner,
    /// Whether it is restarted for each game.
    pub(crate) restarts: bool,
    /// Its working folder.
    pub(crate) folder: Option<PathBuf>,
    /// Whether its stderr is shown.
    pub(crate) show_stderr: bool,
    /// How long greeting and set-up may take, each.
    pub(crate) patience: Duration,
}

/// The keys and their meaning, for `--help`.
pub(crate) const KEYS: &str = "\
Words of --engine and --each:
  CMD | cmd=CMD       the command line, split like the system's shell does, or the path of a program;
                      default: the griot built beside this program
  name=NAME           its name in the table; default: its own
  preset=NAME|none    settings of a known program; default: by its file name
  dialect=D           ugi, uci, gtp, gomocup, nboard, hub; default: detected (not nboard, hub)
  option.NAME=VALUE   an option: setoption in UGI and UCI, a command in GTP, INFO in Gomocup, set in NBoard, set-param in Hub
  movetime=MS depth=N nodes=N clock=MS+MS
                      limits of this engine, in place of those of the match
  time=seconds|decimal|untold
                      how GTP gets times; untold: it plays at its own level, and its time is not judged
  moves=blanks|glued  how the moves of 'position' are written: A b C, or AbC
  style=coordinates|drops|auto
                      how moves of m,n,k games and Connect Four are written in UGI and UCI: a1, or P@a1
  variant=NAME        the value of UCI_Variant, where that is not the name of the game
  pass=WORD           how a pass is written in UGI and UCI; default: 0000
  passes=asked|made   made: an engine that must pass is not asked
  args.D=ARGUMENTS    arguments for dialect D if the command line has none; {game} is the name of the game
  init=LINE           a line to send before the first game
  dir=FOLDER          its working folder
  restart=yes|no      yes: restarted for each game";

/// Settings of all engines of a match.
pub(crate) struct Common<'c> {
    /// The words of `--each`.
    pub(crate) each: &'c [String],
    pub(crate) limits: Limits,
    pub(crate) patience: Duration,
    pub(crate) show_stderr: bool,
}

impl Spec {
    /// An engine of `game`, by its words.
    ///
    /// # Errors
    /// The wrong word, and what was expected.
    pub(crate) fn read(words: &[String], common: &Common<'_>, referee: &Referee) -> Result<Spec, String> {
        let key = |word: &str, key: &str| word.strip_prefix(key).map(str::to_owned);
        let both = || common.each.iter().chain(words);
        let line =
            both().filter_map(|word| key(word, "cmd=").or((!word.contains('=')).then(|| word.clone()))).next_back();
        let command = match line {
            Some(line) => split_command(&line)?,
            None => vec![beside().map_err(|problem| format!("{problem}, or give a command line"))?],
        };
        let preset = both().filter_map(|word| key(word, "preset=")).next_back();
        let preset = match preset.as_deref() {
            Some("none") => None,
            Some(name) => Some(PRESETS.iter().find(|preset| preset.name == name).ok_or_else(|| {
                let names: Vec<&str> = PRESETS.iter().map(|preset| preset.name).collect();
                format!("no preset '{name}'; there are {}, none", names.join(", "))
            })?),
            None => recognised(&command),
        };
        let mut spec = Spec { command, patience: common.patience, show_stderr: common.show_stderr, ..Spec::default() };
        let mut arguments = Vec::new();
        let of_preset = preset.map_or(&[][..], |preset| preset.words);
        let words = of_preset.iter().copied().chain(both().map(String::as_str));
        for word in words.filter(|word| word.contains('=')) {
            spec.take(word, &mut arguments, referee).map_err(|problem| format!("'{word}': {problem}"))?;
        }
        if spec.limits.is_empty() {
            spec.limits = common.limits;
        }
        let spoken = spec.speech.map(Speech::word);
        let own = arguments.iter().rfind(|(dialect, _)| Some(dialect.as_str()) == spoken);
        if let ([_], Some((_, own))) = (spec.command.as_slice(), own) {
            spec.command.extend(split_command(own)?.iter().map(|word| word.replace("{game}", referee.game())));
        }
        Ok(spec)
    }

    fn take(&mut self, word: &str, arguments: &mut Vec<(String, String)>, referee: &Referee) -> Result<(), String> {
        let (key, value) = word.split_once('=').unwrap_or((word, ""));
        let text = || Some(value.to_owned()).filter(|text| !text.is_empty()).ok_or("expected a value");
        match key {
            "cmd" | "preset" => {}
            "name" => self.name = Some(text()?),
            "dialect" => self.speech = if value == "auto" { None } else { Some(choice(value)?) },
            "movetime" => self.limits.movetime = Some(milliseconds(value)?),
            "depth" => self.limits.depth = Some(number(value)?),
            "nodes" => self.limits.nodes = Some(number(value)?),
            "clock" => self.limits.clock = Some(clock(value)?),
            "time" => self.manner.clocks = choice(value)?,
            "moves" => self.manner.moves = choice(value)?,
            "pass" => self.manner.pass = text()?,
            "passes" => self.manner.passes = choice(value)?,
            "variant" => self.variant = Some(text()?),
            "init" => self.init.push(text()?),
            "dir" => self.folder = Some(Path::new(value).to_owned()),
            "restart" => {
                self.restarts = match value {
                    "yes" => true,
                    "no" => false,
                    _ => return Err("expected yes or no".into()),
                }
            }
            "style" => {
                self.style = match value {
                    "auto" => None,
                    "coordinates" => Some(Style::Coordinates),
                    "drops" if referee.has_drops() => Some(Style::Drops),
                    "drops" => return Err(format!("{} has no drops", referee.game())),
                    _ => return Err("expected coordinates, drops or auto".into()),
                }
            }
            _ => match key.split_once('.') {
                Some(("option", name)) if !name.is_empty() => {
                    self.options.retain(|(own, _)| !own.eq_ignore_ascii_case(name));
                    self.options.push((name.to_owned(), value.to_owned()));
                }
                Some(("args", dialect)) => arguments.push((dialect.to_owned(), value.to_owned())),
                _ => return Err(format!("no key '{key}'; --help tells them")),
            },
        }
        Ok(())
    }

    /// Whether it gets times, and can lose on time.
    pub(crate) fn keeps_time(&self) -> bool {
        self.manner.clocks != Clocks::Untold
    }

    /// Its limits, in words.
    pub(crate) fn limits_text(&self) -> String {
        if self.keeps_time() { self.limits.text() } else { "its own".into() }
    }
}

/// The preset of a program, by its file name or that of one of its arguments, as in `java -jar aalina.jar`.
fn recognised(command: &[String]) -> Option<&'static Preset> {
    let files = || command.iter().filter_map(|word| Path::new(word).file_name()?.to_str());
    PRESETS.iter().find(|preset| {
        let is_it = |file: &str| preset.programs.iter().any(|program| file.to_ascii_lowercase().starts_with(program));
        files().any(is_it)
    })
}

fn choice<T: ValueEnum>(value: &str) -> Result<T, String> {
    T::from_str(value, false).map_err(|_| {
        let names = T::value_variants().iter().filter_map(ValueEnum::to_possible_value);
        format!("expected {}", names.map(|name| name.get_name().to_owned()).collect::<Vec<_>>().join(", "))
    })
}

fn number<T: std::str::FromStr + PartialOrd + From<u8>>(value: &str) -> Result<T, String> {
    value.parse().ok().filter(|number| *number >= T::from(1)).ok_or_else(|| "expected a number from 1".into())
}

fn milliseconds(value: &str) -> Result<Duration, String> {
    number(value).map(Duration::from_millis)
}

/// A clock: milliseconds at the start, and milliseconds added with each move.
pub(crate) fn clock(text: &str) -> Result<(Duration, Duration), String> {
    let (base, increment) = text.split_once('+').unwrap_or((text, "0"));
    match (base.trim().parse(), increment.trim().parse()) {
        (Ok(base), Ok(increment)) if base > 0 => Ok((Duration::from_millis(base), Duration::from_millis(increment))),
        _ => Err("expected milliseconds, like 10000+100".into()),
    }
}

/// The default opponent, as a word of a command line.
fn beside() -> Result<String, String> {
    let found = griot_client::griot_beside()?.into_os_string();
    found.into_string().map_err(|path| format!("the path {path:?} is not UTF-8"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(game: &str, each: &[&str], words: &[&str]) -> Result<Spec, String> {
        let own = |words: &[&str]| words.iter().map(|&word| word.to_owned()).collect::<Vec<String>>();
        let limits = Limits { nodes: Some(5), ..Limits::default() };
        let common = Common { each: &own(each), limits, patience: Duration::ZERO, show_stderr: false };
        Spec::read(&own(words), &common, &Referee::new(game).unwrap())
    }

    #[test]
    fn words_are_taken_in_their_order_and_presets_before_them() {
        let spec =
            read("awale", &["option.Hash=1", "nodes=9"], &["java -jar /x/aalina-2.jar", "option.hash=2"]).unwrap();
        assert_eq!((spec.speech, spec.manner.moves), (Some(Speech::Uci), Moves::Glued));
        assert_eq!((spec.options, spec.limits.nodes), (vec![("hash".into(), "2".into())], Some(9)));
        let spec = read("awale", &[], &["cmd=java -jar aalina.jar", "moves=blanks", "name=a b"]).unwrap();
        assert_eq!((spec.manner.moves, spec.name.as_deref()), (Moves::Blanks, Some("a b")));
        assert_eq!(spec.limits.nodes, Some(5));
        let spec = read("othello", &[], &["/usr/games/gtp-rhino -l 5", "movetime=50"]).unwrap();
        assert!(!spec.keeps_time() && spec.speech == Some(Speech::Gtp));
        assert_eq!(read("awale", &[], &["aalina", "preset=none"]).unwrap().speech, None);
    }

    #[test]
    fn arguments_of_a_dialect_are_for_command_lines_without_any() {
        let command = |words: &[&str]| read("othello", &[], words).unwrap().command;
        assert_eq!(command(&["griot", "dialect=gtp"]), ["griot", "--dialect", "gtp", "--game", "othello"]);
        assert_eq!(command(&["griot"]), ["griot"]);
        assert_eq!(command(&["griot --threads", "dialect=gtp"]), ["griot", "--threads"]);
        assert_eq!(command(&["x", "args.ugi=a \"b c\"", "dialect=ugi"]), ["x", "a", "b c"]);
    }

    #[test]
    fn a_word_that_is_wrong_is_told() {
        for (word, told) in [
            ("colour=red", "no key 'colour'"),
            ("dialect=xboard", "expected ugi, uci, gtp"),
            ("depth=0", "expected a number from 1"),
            ("clock=x", "like 10000+100"),
            ("style=drops", "othello has no drops"),
            ("preset=deep", "there are griot, gtp-rhino"),
            ("name=", "expected a value"),
            ("restart=maybe", "yes or no"),
            ("option.=3", "no key"),
        ] {
            let problem = read("othello", &[], &["griot", word]).unwrap_err();
            assert!(problem.contains(told), "{word}: {problem}");
        }
        assert_eq!(read("gomoku", &[], &["x", "style=drops"]).unwrap().style, Some(Style::Drops));
    }
}
