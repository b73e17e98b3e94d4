//! The command line, as clap reads it, and what it means.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Parser, ValueEnum};
use griot::message::DialectName;
use griot_client::griot_beside;

use crate::command::split_command;
use crate::engine::Spec;
use crate::game::Limits;
use crate::referee::{Referee, Style};
use crate::stats::Sprt;

/// Plays a match between two engines, UGI or UCI, under griot's rules
///
/// Every opening is played twice, with sides swapped. An engine that plays an illegal move, crashes, hangs, or uses too much
/// time loses that game, and the match goes on. Progress goes to stderr, the final table to stdout.
#[derive(Debug, Parser)]
#[command(name = "play_match", after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Command line of engine A, split like a shell does; default: the griot built beside this program
    #[arg(long, value_name = "CMD")]
    engine_a: Option<String>,
    /// Command line of engine B
    #[arg(long, value_name = "CMD")]
    engine_b: Option<String>,
    /// Name of engine A; default: its own
    #[arg(long, value_name = "NAME")]
    pub(crate) name_a: Option<String>,
    /// Name of engine B
    #[arg(long, value_name = "NAME")]
    pub(crate) name_b: Option<String>,
    /// What engine A speaks; auto says ugi, and after two seconds uci
    #[arg(long, value_enum, default_value_t = DialectChoice::Auto)]
    dialect_a: DialectChoice,
    /// What engine B speaks
    #[arg(long, value_enum, default_value_t = DialectChoice::Auto)]
    dialect_b: DialectChoice,
    /// An option for engine A; may be repeated
    #[arg(long = "option-a", value_name = "NAME=VALUE", value_parser = option)]
    options_a: Vec<(String, String)>,
    /// An option for engine B; may be repeated
    #[arg(long = "option-b", value_name = "NAME=VALUE", value_parser = option)]
    options_b: Vec<(String, String)>,
    /// How m,n,k moves are written to engine A: a1, or as drops P@a1; auto: drops if UCI_Variant was set
    #[arg(long, value_enum, default_value_t = StyleChoice::Auto)]
    style_a: StyleChoice,
    /// How m,n,k moves are written to engine B
    #[arg(long, value_enum, default_value_t = StyleChoice::Auto)]
    style_b: StyleChoice,
    /// The game, by griot's name for it; UCI engines get it as UCI_Variant if they list it there, else as Game
    #[arg(long, value_name = "NAME", default_value = griot::registry::DEFAULT_GAME)]
    pub(crate) game: String,

    /// Time for each move; 100 if there is no limit at all
    #[arg(long, value_name = "MS", help_heading = "Limits", value_parser = clap::value_parser!(u64).range(1..))]
    movetime: Option<u64>,
    /// Depth of each search, in plies
    #[arg(long, value_name = "N", help_heading = "Limits", value_parser = clap::value_parser!(u32).range(1..))]
    depth: Option<u32>,
    /// Nodes of each search
    #[arg(long, value_name = "N", help_heading = "Limits", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// A clock for each player: time at the start, and time added with each move
    #[arg(long, value_name = "BASE_MS+INC_MS", help_heading = "Limits", value_parser = clock)]
    clock: Option<(Duration, Duration)>,
    /// How much time may be overdrawn before the game is lost: the way through pipes and a busy machine
    #[arg(long, value_name = "MS", help_heading = "Limits", default_value_t = 100)]
    margin: u64,
    /// How long to wait for an engine that does not answer: after its time and the margin are up (5000), or after go when
    /// only depth or nodes are limited (60000); greeting and set-up have ten seconds at least
    #[arg(long, value_name = "MS", help_heading = "Limits")]
    hang: Option<u64>,
    /// A game that lasts longer is a draw, "unfinished"
    #[arg(long, value_name = "N", help_heading = "Limits", default_value_t = 1000)]
    max_plies: usize,

    /// Games to play; rounded up to an even number
    #[arg(long, value_name = "N", help_heading = "Match", default_value_t = 100)]
    games: usize,
    /// Games at the same time, each with its own pair of engines
    #[arg(long, value_name = "N", help_heading = "Match", default_value_t = 1)]
    pub(crate) concurrency: usize,
    /// Openings, one a line: 'startpos' or a board text, then perhaps 'moves' and moves; '#' begins a comment
    #[arg(long, value_name = "FILE", help_heading = "Match", conflicts_with = "random_plies")]
    pub(crate) openings: Option<PathBuf>,
    /// Openings of so many random moves, all different
    #[arg(long, value_name = "N", help_heading = "Match")]
    pub(crate) random_plies: Option<usize>,
    /// Seed of the random openings
    #[arg(long, value_name = "S", help_heading = "Match", default_value_t = 1)]
    pub(crate) seed: u64,
    /// Stop as soon as a sequential test decides between two differences in Elo; the chances of error are 0.05 unless given
    #[arg(long, value_name = "ELO0,ELO1[,ALPHA,BETA]", help_heading = "Match", allow_hyphen_values = true)]
    pub(crate) sprt: Option<Sprt>,
    /// Add a line for every finished game to this file
    #[arg(long, value_name = "FILE", help_heading = "Match")]
    pub(crate) records: Option<PathBuf>,
    /// Show what the engines write to stderr
    #[arg(long, help_heading = "Match")]
    stderr: bool,
    /// Play no match: check the games recorded in this file against the rules
    #[arg(long, value_name = "FILE", help_heading = "Match", exclusive = true)]
    pub(crate) replay: Option<PathBuf>,
}

const EXAMPLES: &str = "\
Examples:
  griot against itself, to see that everything works:
    play_match --game tictactoe --movetime 20 --games 4
  Two versions at a fast clock on two cores, until it is clear which one is better:
    play_match --engine-a ./new --engine-b ./old --clock 1000+10 --random-plies 4 \\
      --games 20000 --concurrency 2 --sprt 0,10
  Another program, over UCI, in its own variant:
    play_match --game tictactoe --engine-b 'fairy-stockfish load variants.ini' --dialect-b uci --nodes 2000
  One option switched off, and every game kept:
    play_match --option-b Selective=false --depth 8 --random-plies 6 --records games.jsonl
    play_match --replay games.jsonl

The exit code is 0 when the match was played, whoever won, and when every record is true; 1 when a record is not; 2 when
there is something wrong with the command line, a file, or an engine before the first game.";

#[derive(Debug, Clone, Copy, ValueEnum)]
enum DialectChoice {
    Ugi,
    Uci,
    Auto,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum StyleChoice {
    Coordinates,
    Drops,
    Auto,
}

fn option(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.trim().is_empty() => Ok((name.trim().to_owned(), value.trim().to_owned())),
        _ => Err("expected NAME=VALUE, like Hash=64".into()),
    }
}

fn clock(text: &str) -> Result<(Duration, Duration), String> {
    let (base, increment) = text.split_once('+').unwrap_or((text, "0"));
    match (base.trim().parse(), increment.trim().parse()) {
        (Ok(base), Ok(increment)) if base > 0 => Ok((Duration::from_millis(base), Duration::from_millis(increment))),
        _ => Err("expected milliseconds, like 10000+100".into()),
    }
}

impl Args {
    /// How many pairs of games are to be played.
    pub(crate) fn pairs(&self) -> usize {
        self.games.div_ceil(2).max(1)
    }

    pub(crate) fn limits(&self) -> Limits {
        let unlimited = self.depth.is_none() && self.nodes.is_none() && self.clock.is_none();
        let movetime = self.movetime.or(unlimited.then_some(100));
        let timed = movetime.is_some() || self.clock.is_some();
        Limits {
            movetime: movetime.map(Duration::from_millis),
            depth: self.depth,
            nodes: self.nodes,
            clock: self.clock,
            margin: Duration::from_millis(self.margin),
            hang: Duration::from_millis(self.hang.unwrap_or(if timed { 5000 } else { 60_000 })),
            max_plies: self.max_plies,
        }
    }

    /// How to start engine A and engine B.
    ///
    /// # Errors
    /// When a command line cannot be read, or a style does not fit the game.
    pub(crate) fn specs(&self, referee: &Referee) -> Result<[Spec; 2], String> {
        let spec = |which: &str, command: &Option<String>, dialect, style, options: &[(String, String)]| {
            let command = match command {
                Some(line) => split_command(line).map_err(|problem| format!("--engine-{which}: {problem}"))?,
                None => vec![beside().map_err(|problem| format!("{problem}, or give --engine-{which} CMD"))?],
            };
            if matches!(style, StyleChoice::Drops) && !referee.has_drops() {
                return Err(format!("--style-{which} drops: only m,n,k games have drops, not {}", referee.game()));
            }
            Ok(Spec {
                command,
                game: referee.game().to_owned(),
                dialect: match dialect {
                    DialectChoice::Ugi => Some(DialectName::Ugi),
                    DialectChoice::Uci => Some(DialectName::Uci),
                    DialectChoice::Auto => None,
                },
                style: match style {
                    StyleChoice::Coordinates => Some(Style::Coordinates),
                    StyleChoice::Drops => Some(Style::Drops),
                    StyleChoice::Auto => None,
                },
                has_drops: referee.has_drops(),
                options: options.to_vec(),
                show_stderr: self.stderr,
                patience: Duration::from_millis(self.hang.unwrap_or(0).max(10_000)),
            })
        };
        Ok([
            spec("a", &self.engine_a, self.dialect_a, self.style_a, &self.options_a)?,
            spec("b", &self.engine_b, self.dialect_b, self.style_b, &self.options_b)?,
        ])
    }
}

/// The engine that is played when none is given, as a word of a command line.
fn beside() -> Result<String, String> {
    let found = griot_beside()?.into_os_string();
    found.into_string().map_err(|path| format!("the path {path:?} is not UTF-8"))
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_command_line_is_sound() {
        Args::command().debug_assert();
        let limits = |line: &str| Args::parse_from(line.split(' ')).limits().text();
        assert_eq!(limits("x"), "movetime 100");
        assert_eq!(limits("x --depth 3 --clock 1000+5"), "depth 3 clock 1000+5");
        for wrong in ["x --clock 0", "x --option-a Hash", "x --depth 0", "x --sprt 5,0", "x --replay a --depth 1"] {
            assert!(Args::try_parse_from(wrong.split(' ')).is_err(), "{wrong}");
        }
        assert_eq!(Args::parse_from(["x", "--games", "5"]).pairs(), 3);
        assert!(Args::parse_from(["x", "--sprt", "-5,5"]).sprt.is_some());
    }

    #[test]
    fn drops_are_for_games_that_have_them() {
        let specs = |game: &str| {
            let line = ["x", "--engine-a", "a 'b c'", "--engine-b", "d", "--style-b", "drops"];
            Args::parse_from(line).specs(&Referee::new(game).unwrap())
        };
        let [a, b] = specs("gomoku").unwrap();
        assert_eq!((a.command, a.style, b.style), (vec!["a".into(), "b c".into()], None, Some(Style::Drops)));
        assert!(specs("awale").unwrap_err().contains("only m,n,k games have drops"));
    }
}
