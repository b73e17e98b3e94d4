//! The command line (clap), and its conversion to a match.

use std::path::PathBuf;
use std::time::Duration;

use clap::{ArgAction, CommandFactory, FromArgMatches, Parser};

use crate::limits::{Judging, Limits};
use crate::referee::Referee;
use crate::spec::{Common, KEYS, PRESETS, Spec, clock};
use crate::stats::Sprt;
use crate::tune::Number;

/// Plays matches and tournaments of engines that speak UGI, UCI, GTP, Gomocup, NBoard or Hub, under griot's rules
///
/// Every opening is played twice, with sides swapped. An engine that plays an illegal move, crashes, hangs, or uses too much
/// time loses that game, and the match goes on. Progress goes to stderr, the final table to stdout.
#[derive(Debug, Parser)]
#[command(name = "griot-match", bin_name = "griot-match", version)]
pub(crate) struct Args {
    /// An engine in words: its command line, and KEY=VALUE as below; may be repeated. With a single --engine the opponent is the
    /// griot built beside this program; with none, that griot plays itself
    #[arg(long = "engine", value_name = "WORD", num_args = 1.., action = ArgAction::Append)]
    engine: Vec<String>,
    /// Words for every engine, before its own
    #[arg(long, value_name = "WORD", num_args = 1..)]
    pub(crate) each: Vec<String>,
    /// The game, by griot's name for it; UCI engines get it as UCI_Variant if they list it there, else as Game
    #[arg(long, value_name = "NAME", default_value = griot::registry::DEFAULT_GAME)]
    pub(crate) game: String,

    /// Milliseconds for each move [default: 100, if no limit is given]
    #[arg(long, value_name = "MS", help_heading = "Limits", value_parser = whole::<u64>(1))]
    movetime: Option<u64>,
    /// Depth of each search, in plies
    #[arg(long, value_name = "N", help_heading = "Limits", value_parser = whole::<u32>(1))]
    depth: Option<u32>,
    /// Nodes of each search
    #[arg(long, value_name = "N", help_heading = "Limits", value_parser = whole::<u64>(1))]
    nodes: Option<u64>,
    /// A clock for each player: time at the start, and time added with each move
    #[arg(long, value_name = "BASE_MS+INC_MS", help_heading = "Limits", value_parser = clock)]
    clock: Option<(Duration, Duration)>,
    /// Time that may be overdrawn before the game is lost, for pipes and a busy machine
    #[arg(long, value_name = "MS", help_heading = "Limits", default_value_t = 100, value_parser = whole::<u64>(0))]
    margin: u64,
    /// Wait this long for a silent engine after its time and the margin [default: 5000]. Without a time limit, after the question:
    /// 60000; with time=untold: 600000. Greeting and set-up have at least 10000
    #[arg(long, value_name = "MS", help_heading = "Limits", value_parser = whole::<u64>(0))]
    hang: Option<u64>,
    /// Longest game, in plies; a longer one is a draw, "unfinished"
    #[arg(long, value_name = "N", help_heading = "Limits", default_value_t = 1000, value_parser = whole::<usize>(0))]
    max_plies: usize,

    /// Games of every pairing, rounded up to an even number
    #[arg(long, value_name = "N", help_heading = "Match", default_value_t = 100, value_parser = whole::<usize>(0))]
    games: usize,
    /// The first N engines play against all others, not among themselves [default: all against all]
    #[arg(long, value_name = "N", help_heading = "Match", value_parser = whole::<u16>(1))]
    pub(crate) gauntlet: Option<u16>,
    /// Games at the same time, each with its own engines
    #[arg(long, value_name = "N", help_heading = "Match", default_value_t = 1, value_parser = whole::<usize>(0))]
    pub(crate) concurrency: usize,
    /// A file of openings, one a line ('startpos' or a board text, then perhaps 'moves' and moves; a list of moves; EPD; '#' begins
    /// a comment), or of games in any format that griot convert reads
    #[arg(long, value_name = "FILE", help_heading = "Match", conflicts_with = "random_plies")]
    pub(crate) openings: Option<PathBuf>,
    /// Cut openings of a file to this many plies
    #[arg(long, value_name = "N", help_heading = "Match", requires = "openings", value_parser = whole::<usize>(0))]
    pub(crate) opening_plies: Option<usize>,
    /// Openings of this many random moves, all different
    #[arg(long, value_name = "N", help_heading = "Match", value_parser = whole::<usize>(0))]
    pub(crate) random_plies: Option<usize>,
    /// Seed of the random openings
    #[arg(long, value_name = "S", help_heading = "Match", default_value_t = 1, value_parser = whole::<u64>(0))]
    pub(crate) seed: u64,
    /// Stop when a sequential test has decided between two differences in Elo; error probabilities are 0.05 by default
    #[arg(long, value_name = "ELO0,ELO1[,ALPHA,BETA]", help_heading = "Match", allow_hyphen_values = true)]
    pub(crate) sprt: Option<Sprt>,
    /// Tune numbers of one engine by SPSA: it plays itself, a pair of games each round, with other numbers where its words have
    /// {NAME}; may be repeated. STEP is how far a number is varied in the last round
    #[arg(
        long,
        value_name = "NAME=START,LEAST,MOST,STEP",
        help_heading = "Tuning",
        conflicts_with_all = ["gauntlet", "sprt", "export", "page", "replay"]
    )]
    pub(crate) tune: Vec<Number>,
    /// Size of the changes in the last rounds: so many STEPs for each game won more than lost
    #[arg(long, value_name = "RATE", help_heading = "Tuning", default_value_t = 0.02, requires = "tune", value_parser = rate)]
    pub(crate) tune_rate: f64,
    /// Show what the engines write to stderr
    #[arg(long, help_heading = "Match")]
    stderr: bool,

    /// Append every finished game, or every round of a tuning, to this file as a JSON line
    #[arg(long, value_name = "FILE", help_heading = "Records")]
    pub(crate) records: Option<PathBuf>,
    /// Continue the match in the file of records
    #[arg(long, help_heading = "Records", requires = "records")]
    pub(crate) resume: bool,
    /// Write every finished game to this file, too; the ending chooses the format: .pgn, .ogn (awalé), .ggf (Othello), .sgf (games
    /// of stones), .psq (five in a row), .pdn (draughts); may be repeated
    #[arg(long, value_name = "FILE", help_heading = "Records")]
    pub(crate) export: Vec<PathBuf>,
    /// Write a web page of the standing to this file
    #[arg(long, value_name = "FILE.html", help_heading = "Records")]
    pub(crate) page: Option<PathBuf>,
    /// Play no match: check the records of this file against the rules, and write them to the files of --export
    #[arg(long, value_name = "FILE", help_heading = "Records", conflicts_with_all = ["engine", "each", "records", "page"])]
    pub(crate) replay: Option<PathBuf>,

    /// The words of each engine.
    #[arg(skip)]
    words: Vec<Vec<String>>,
}

/// A whole number from `least` on.
fn whole<T: TryFrom<u64>>(least: u64) -> impl Fn(&str) -> Result<T, String> + Clone + Send + Sync + 'static {
    move |text| {
        let number = text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok()).flatten();
        let number = number.filter(|&number| number >= least).and_then(|number| T::try_from(number).ok());
        number.ok_or_else(|| format!("expected a whole number from {least} on"))
    }
}

/// A number greater than 0, and no more than 1.
fn rate(text: &str) -> Result<f64, String> {
    let rate = text.parse().ok().filter(|rate| *rate > 0.0 && *rate <= 1.0);
    rate.ok_or_else(|| "expected a number greater than 0, and no more than 1".into())
}

const EXAMPLES: &str = "\
Examples:
  griot against itself, to see that everything works:
    griot-match --game tictactoe --movetime 20 --games 4
  Two versions at a fast clock on two cores, until it is clear which one is better:
    griot-match --engine ./new --engine ./old --clock 1000+10 --random-plies 4 \\
      --games 20000 --concurrency 2 --sprt 0,10
  Another program, over GTP, at its own highest level:
    griot-match --game othello --engine griot movetime=100 --engine 'gtp-rhino -l 5' --random-plies 8 --games 200
  Three engines, each against each, one of them without an option:
    griot-match --game gomoku --engine griot name=new --engine griot name=plain option.Selective=false \\
      --engine ./rapfi dialect=gomocup --each movetime=1000
  Tune the search in a thousand rounds; the same line with --resume continues:
    griot-match --game awale --random-plies 6 --games 2000 --nodes 5000 --records tuning.jsonl \\
      --tune lmr=100,50,200,10 --tune futility=100,50,200,10 \\
      --engine griot 'option.SearchParameters=lmr={lmr},futility={futility}'
  Interrupt and resume:
    griot-match --game awale --random-plies 6 --records games.jsonl
    griot-match --game awale --random-plies 6 --records games.jsonl --resume
    griot-match --replay games.jsonl --export games.ogn

The exit code is 0 when the match was played, whoever won, and when every record is right; 1 when a record is wrong; 2 for an
error in the command line, in a file, or in an engine before the first game.";

impl Args {
    /// The command line of this process; a wrong one, and one that asks for help, ends it.
    pub(crate) fn read() -> Args {
        Args::try_read(std::env::args_os()).unwrap_or_else(|error| error.exit())
    }

    fn try_read<T>(words: impl IntoIterator<Item = T>) -> Result<Args, clap::Error>
    where
        T: Into<std::ffi::OsString> + Clone,
    {
        let presets: Vec<String> =
            PRESETS.iter().map(|preset| format!("  {:<18}  {}", preset.name, preset.words.join(" "))).collect();
        let help = format!("{KEYS}\n\nPresets:\n{}\n\n{EXAMPLES}", presets.join("\n"));
        let matches = Args::command().after_help(help).try_get_matches_from(words)?;
        let mut args = Args::from_arg_matches(&matches)?;
        let engines = matches.get_occurrences::<String>("engine").into_iter().flatten();
        args.words = engines.map(|words| words.cloned().collect()).collect();
        Ok(args)
    }

    /// How many pairs of games every two engines play.
    pub(crate) fn pairs(&self) -> usize {
        self.games.div_ceil(2).max(1)
    }

    /// The limits of engines that have none of their own.
    pub(crate) fn limits(&self) -> Limits {
        let unlimited = self.depth.is_none() && self.nodes.is_none() && self.clock.is_none();
        let movetime = self.movetime.or(unlimited.then_some(100));
        Limits {
            movetime: movetime.map(Duration::from_millis),
            depth: self.depth,
            nodes: self.nodes,
            clock: self.clock,
        }
    }

    pub(crate) fn judging(&self) -> Judging {
        Judging {
            margin: Duration::from_millis(self.margin),
            hang: self.hang.map(Duration::from_millis),
            max_plies: self.max_plies,
        }
    }

    /// The engines, in their order; two at least.
    ///
    /// # Errors
    /// When the words of one cannot be read.
    pub(crate) fn specs(&self, referee: &Referee) -> Result<Vec<Spec>, String> {
        let common = self.common(&self.each);
        let mut words = self.words.clone();
        while words.len() < 2 {
            words.insert(0, Vec::new());
        }
        let specs = words.iter().zip(1..).map(|(words, number)| {
            Spec::read(words, &common, referee).map_err(|problem| format!("engine {number}: {problem}"))
        });
        specs.collect()
    }

    fn common<'c>(&self, each: &'c [String]) -> Common<'c> {
        Common {
            each,
            limits: self.limits(),
            patience: Duration::from_millis(self.hang.unwrap_or(0).max(10_000)),
            show_stderr: self.stderr,
        }
    }

    /// The words of the engine that is tuned.
    ///
    /// # Errors
    /// When there is not exactly one.
    pub(crate) fn tuned_words(&self) -> Result<&[String], String> {
        match &self.words[..] {
            [words] => Ok(words),
            words => Err(format!("--tune: expected one --engine, which plays itself, found {}", words.len())),
        }
    }

    /// The tuned engine with numbers in its words, and in those of every engine.
    ///
    /// # Errors
    /// When the words cannot be read.
    pub(crate) fn spec_of(&self, each: &[String], words: &[String], referee: &Referee) -> Result<Spec, String> {
        Spec::read(words, &self.common(each), referee).map_err(|problem| format!("the engine: {problem}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Result<Args, clap::Error> {
        Args::try_read(line.split(' '))
    }

    #[test]
    fn the_command_line_is_sound() {
        Args::command().debug_assert();
        let limits = |line: &str| read(line).unwrap().limits().text();
        assert_eq!(limits("x"), "movetime 100");
        assert_eq!(limits("x --depth 3 --clock 1000+5"), "depth 3 clock 1000+5");
        for wrong in [
            "x --clock 0",
            "x --depth 0",
            "x --sprt 5,0",
            "x --replay a --engine b",
            "x --resume",
            "x a",
            "x --tune a",
            "x --tune-rate 0.1",
            "x --tune a=1,0,2,1 --sprt 0,5",
        ] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
        for wrong in ["x --games many", "x --depth 0", "x --nodes 1.5"] {
            let told = read(wrong).unwrap_err().to_string();
            assert!(told.contains("expected a whole number from "), "{wrong}: {told}");
        }
        assert_eq!(read("x --games 5").unwrap().pairs(), 3);
        assert!(read("x --sprt -5,5").unwrap().sprt.is_some());
    }

    #[test]
    fn each_engine_has_its_own_words() {
        let args = read("x --engine a name=A --games 4 --engine b --engine cmd=c depth=2 --each nodes=7").unwrap();
        let specs = args.specs(&Referee::new("gomoku").unwrap()).unwrap();
        let commands: Vec<&str> = specs.iter().map(|spec| spec.command[0].as_str()).collect();
        assert_eq!(commands, ["a", "b", "c"]);
        assert_eq!(specs[0].name.as_deref(), Some("A"));
        assert_eq!(specs[2].limits.text(), "depth 2 nodes 7");
        let told = read("x --engine a --engine b quick=yes").unwrap().specs(&Referee::new("gomoku").unwrap());
        assert!(told.unwrap_err().starts_with("engine 2: 'quick=yes': no key"));
    }
}
