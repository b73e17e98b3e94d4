//! The command line, as clap reads it. Layer 6.

use std::convert::Infallible;
use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

use clap::builder::{PossibleValue, TypedValueParser};
use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use griot::engine::options;
use griot::message::{DialectName, OptionKind, OptionSpec};
use griot::protocol::dialects;
use griot::registry::{DEFAULT_GAME, FAMILIES, Registry, names, names_with_tables};
use griot::session::Settings;
use log::LevelFilter;

/// The whole command line.
#[derive(Debug, Parser)]
#[command(bin_name = "griot", version, about = about(), long_about = long_about(), help_template = help_template(), after_help = EXAMPLES)]
pub(crate) struct Cli {
    #[arg(long, value_name = "GAME", value_parser = GAME, hide_possible_values = true, help = game_help())]
    pub(crate) game: Option<String>,

    /// The dialect: ugi, uci, gtp, gomocup, nboard or hub. Default: chosen by the client's first line
    #[arg(long, value_name = "DIALECT", value_parser = DIALECT, hide_possible_values = true)]
    pub(crate) dialect: Option<DialectName>,

    /// Set an option of the engine, as setoption does; may be repeated. Blanks may be left out: SkillLevel=5
    #[arg(long = "option", value_name = "NAME=VALUE", global = true, value_parser = OPTION, hide_possible_values = true)]
    pub(crate) options: Vec<String>,

    /// What to log on stderr: off, error, warn, info, debug (every line in and out), trace
    #[arg(long, value_name = "LEVEL", default_value = "error", global = true)]
    pub(crate) log_level: LevelFilter,

    #[command(subcommand)]
    pub(crate) command: Option<Command>,
}

const EXAMPLES: &str = "\
Examples:
  griot play othello --level 5
  griot games
  griot --game awale --option SkillLevel=5  for a front end; griot alone waits for commands
  griot --dialect gtp --game awale          for GoGui
  griot --dialect gomocup                   for gomoku tournament managers
  griot --dialect nboard                    for NBoard, with Othello
  griot --dialect hub                       for draughts front ends of Hub
  printf 'position startpos\\ngo movetime 1000\\n' | griot --game mnk:5,5,4 --option Hash=256
  griot analyse --depth 12 --jobs 2 positions.txt
  griot solve --game awale:mini
  griot puzzles --game connect4 --count 20 --out connect4.jsonl
  griot explore --game awale --plies 6 --depth 14 --out tree.jsonl --svg tree.svg
  griot book grow --game awale --nodes 1000000 --out awale.book
  griot tablebase build --game awale --seeds 16 --out tables
  griot compare --game tictactoe --depth 9
  griot tree --game nim:7 --algorithm negabeta --svg tree.svg
  griot perft --game awale 8 --divide";

/// The greatest depth of a search, in plies.
pub(crate) const DEEPEST: u32 = 250;

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Play in the terminal against griot
    Play(Play),
    /// Serve the board in the browser, and engines over a WebSocket for other pages
    Serve(Serve),
    /// Search many positions, one a line, and write a JSON object for each
    Analyse(Analyse),
    /// Convert game records from any format to another: PGN, PDN, SGF, GGF, OGN, PSQ, JSON and more
    #[command(after_help = CONVERT_HELP)]
    Convert(Convert),
    /// Solve a position: the result of every move with perfect play
    Solve(Solve),
    /// Grow and draw the tree of a game's openings, best moves first
    Explore(Explore),
    /// Grow, check and show opening books
    #[command(subcommand)]
    Book(Book),
    /// Build, check and query endgame tables of awalé and English draughts
    #[command(subcommand)]
    Tablebase(Tablebase),
    /// Compare the textbook algorithms and the full search on one position
    Compare(Compare),
    /// Find puzzles: positions with exactly one winning or saving move, proven twice
    Puzzles(Puzzles),
    /// Draw the tree that a textbook algorithm visits, with its cuts
    Tree(TreeArguments),
    /// List the games, by the names that --game takes
    Games,
    /// List the options of the engine, for --option and for setoption
    #[command(after_help = options_help())]
    Options,
    /// Print version, processor, tables and dialects, find front ends, and say what to enter in each
    Doctor,
    /// Count the lines of a number of plies (perft)
    Perft(Perft),
    /// Search fixed positions; print the sum of nodes and a hash of moves and scores
    Bench(Bench),
    /// Print a completion script for a shell
    #[command(after_help = COMPLETIONS_HELP)]
    Completions {
        /// The shell
        shell: Shell,
    },
    /// Print the manual page, or write one for each subcommand
    #[command(after_help = MAN_HELP)]
    Man {
        /// Write the pages into this folder, created if missing
        #[arg(long, value_name = "DIR")]
        out: Option<PathBuf>,
    },
}

/// The subcommands as the help lists them.
const GROUPS: [(&str, &[&str]); 4] = [
    ("Play", &["play", "serve"]),
    ("Matches", &[MATCH]),
    ("Analysis", &["analyse", "convert", "solve", "puzzles", "explore", "book", "tablebase", "compare", "tree"]),
    ("Tools", &["games", "options", "doctor", "perft", "bench", "completions", "man", "help"]),
];

/// Listed among the subcommands, but a program of its own.
const MATCH: &str = "griot-match";

/// The help, with the subcommands in groups.
fn help_template() -> String {
    let commands = Command::augment_subcommands(clap::Command::new("griot"));
    let about = |name: &str| match commands.find_subcommand(name).and_then(clap::Command::get_about) {
        Some(about) => about.to_string(),
        None if name == MATCH => "Play matches and tournaments (a separate program, see docs/matches.md)".into(),
        None => "Print this help, or that of a subcommand: griot help options".into(),
    };
    let line = |name: &&str| format!("  {name:<12} {}\n", about(name));
    let groups = GROUPS.map(|(title, names)| format!("{title}:\n{}\n", names.iter().map(line).collect::<String>()));
    format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{}Flags:\n{{options}}{{after-help}}",
        groups.concat()
    )
}

const COMPLETIONS_HELP: &str = "\
Examples:
  griot completions bash > ~/.local/share/bash-completion/completions/griot
  griot completions zsh > ~/.zfunc/_griot             with fpath+=~/.zfunc before compinit in ~/.zshrc
  griot completions fish > ~/.config/fish/completions/griot.fish
  griot completions powershell >> $PROFILE
  griot completions elvish >> ~/.config/elvish/rc.elv";

const MAN_HELP: &str = "\
Examples:
  griot man | man -l -
  griot man --out ~/.local/share/man/man1             then: man griot, man griot-analyse";

#[derive(Debug, Args)]
#[command(after_help = SERVE_HELP)]
pub(crate) struct Serve {
    /// Arguments of griot-board, the server; 'griot serve -- --help' lists them
    #[arg(value_name = "ARGUMENTS", trailing_var_arg = true, allow_hyphen_values = true)]
    pub(crate) arguments: Vec<OsString>,
}

const SERVE_HELP: &str = "\
griot-board is a separate program, beside griot or on the path; 'cargo install --path crates/griot-board' installs it. A text
frame of the WebSocket is one line of the protocol, in both directions; each connection has an engine. Allow pages of other
servers by their origin, and a page opened as a file by 'null'. docs/serve.md has more.

Examples:
  griot serve                                         the page, and ws://127.0.0.1:8017/engine for its own origin
  griot serve --allow-origin http://localhost:8000    for the pages of a server on port 8000, too
  griot serve --allow-origin null --visitors 2        for a page opened as a file; two engines at most";

#[derive(Debug, Args)]
#[command(after_help = PLAY_HELP)]
pub(crate) struct Play {
    /// The same as --game
    #[arg(value_name = "GAME", value_parser = GAME, hide_possible_values = true, conflicts_with = "game")]
    pub(crate) name: Option<String>,
    #[arg(long, value_name = "GAME", value_parser = GAME, hide_possible_values = true, help = game_or_default_help())]
    pub(crate) game: Option<String>,
    /// Playing strength, from 0 to 20 [default: 20, full strength]
    #[arg(long, value_name = "N", value_parser = Offering { parser: whole::<u64>(0, full_strength()), words: levels }, hide_possible_values = true)]
    pub(crate) level: Option<u64>,
    /// The side you play
    #[arg(long, value_name = "SIDE", default_value = "first")]
    pub(crate) side: Seat,
    /// Time for each of griot's moves, and for a hint
    #[arg(long, value_name = "MS", default_value_t = 1000, value_parser = whole::<u64>(1, u64::MAX))]
    pub(crate) movetime: u64,
    /// The language [default: that of LC_ALL, LC_MESSAGES or LANG]
    #[arg(long, value_name = "LANGUAGE")]
    pub(crate) language: Option<Language>,
}

/// Which sides a person plays.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Seat {
    /// The side that begins: South, x, player 1.
    First,
    /// The other side.
    Second,
    /// White: first in chess, second in games of stones.
    White,
    /// Black.
    Black,
    /// Both sides: two people, or analysis with hints.
    Both,
    /// Neither: griot plays against itself.
    None,
}

/// A language.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Language {
    /// English.
    En,
    /// French.
    Fr,
}

const PLAY_HELP: &str = "\
Type a move by its name (chess: SAN or UCI) or by its number in the list of moves. Commands: hint, undo, resign, review, record,
save, load, swap, new, level, moves, board, quit and ? (in French conseil, annuler, abandonner, revue, partie, enregistrer,
charger, changer, nouveau, niveau, coups, plateau, quitter; both languages always work).

The board has colours on a terminal, unless NO_COLOR=1 is set. Without a terminal lines are plain, and the end of the input ends
the game.

Examples:
  griot play
  griot play othello --level 5 --side second
  griot play --game nim:3-4-5,take=any,normal --language fr
  griot play --game tictactoe --side none --movetime 100
  printf 'b2\\nhint\\n' | griot play --game tictactoe";

#[derive(Debug, Args)]
#[command(allow_missing_positional = true, after_help = PERFT_HELP)]
pub(crate) struct Perft {
    #[arg(long, value_name = "GAME", value_parser = GAME, hide_possible_values = true, help = game_or_default_help())]
    pub(crate) game: Option<String>,
    /// The same as --game
    #[arg(value_name = "GAME", value_parser = GAME, hide_possible_values = true, conflicts_with = "game")]
    pub(crate) name: Option<String>,
    /// Plies
    #[arg(required = true, value_parser = whole::<u32>(0, DEEPEST.into()))]
    pub(crate) depth: u32,
    /// Show the count behind each move
    #[arg(long)]
    pub(crate) divide: bool,
    /// Count from this board text instead of the start position
    #[arg(long, value_name = "BOARD")]
    pub(crate) fen: Option<String>,
}

const PERFT_HELP: &str = "\
Examples:
  griot perft 8
  griot perft --game othello 6 --divide
  griot perft tictactoe 9";

#[derive(Debug, Args)]
pub(crate) struct Bench {
    /// Only the positions of this game's family; the signature is that of all
    #[arg(long, value_name = "GAME", value_parser = GAME, hide_possible_values = true)]
    pub(crate) game: Option<String>,
    /// One depth in plies for every position, in place of the depths of the signature
    #[arg(long, value_parser = whole::<u32>(1, u32::MAX.into()))]
    pub(crate) depth: Option<u32>,
}

#[derive(Debug, Args)]
pub(crate) struct Compare {
    #[arg(long, value_name = "GAME", value_parser = GAME, hide_possible_values = true, help = game_or_default_help())]
    pub(crate) game: Option<String>,
    /// Plies
    #[arg(long, default_value_t = 6, value_parser = whole::<u32>(1, u32::MAX.into()))]
    pub(crate) depth: u32,
    /// Search this board text instead of the start position
    #[arg(long, value_name = "BOARD")]
    pub(crate) fen: Option<String>,
}

#[derive(Debug, Args)]
#[command(after_help = SOLVE_HELP)]
pub(crate) struct Solve {
    #[arg(long, value_name = "GAME", value_parser = GAME, hide_possible_values = true, help = game_or_default_help())]
    pub(crate) game: Option<String>,
    /// Solve this board text instead of the start position
    #[arg(long, value_name = "BOARD")]
    pub(crate) fen: Option<String>,
    /// Stop after this many milliseconds, and print what is known by then
    #[arg(long, value_name = "MS", value_parser = whole::<u64>(1, u64::MAX))]
    pub(crate) movetime: Option<u64>,
    /// Write one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

const SOLVE_HELP: &str = "\
Prints each move with its result and the number of the winner's own moves, with the shortest win and the longest defence. Where
a repeated position ends the game, the number is an upper limit ('or less'); --option Selective=false, which can take very long,
makes it exact. The search ends when every move is solved. Ctrl-C ends it earlier and prints what is known by then.

Examples:
  griot solve --game awale:mini
  griot solve --game tictactoe
  griot solve --game mnk:4,4,4 --json
  griot solve --game nim:3-4-5,take=any
  griot solve --game connect4 --fen '2o4/2x4/2xox2/o1oxo2/x1xox2/xooxo1x o' --option Hash=256";

#[derive(Debug, Args)]
#[command(after_help = PUZZLES_HELP)]
pub(crate) struct Puzzles {
    #[arg(long, value_name = "GAME", value_parser = GAME, hide_possible_values = true, help = game_or_default_help())]
    pub(crate) game: Option<String>,
    /// Number of puzzles
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = whole::<u64>(1, u64::MAX))]
    pub(crate) count: u64,
    /// Seed of the games: the same seed finds the same puzzles
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = whole::<u64>(0, u64::MAX))]
    pub(crate) seed: u64,
    /// Write to this new or empty file [default: stdout]
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// Continue the file after the puzzles in it
    #[arg(long, requires = "out")]
    pub(crate) resume: bool,
    /// Find the only move that wins within N own moves; other moves may win later. For chess, where little else can be proven
    #[arg(long, value_name = "N", value_parser = whole::<u32>(2, 10))]
    pub(crate) within: Option<u32>,
    /// With --within: leave out wins in fewer than N own moves
    #[arg(long, value_name = "N", requires = "within", conflicts_with = "gain", value_parser = whole::<u32>(2, 10))]
    pub(crate) least: Option<u32>,
    /// Find the only move that captures at least N more than any other, counted after as many moves of each side as --within says. For
    /// awalé and draughts
    #[arg(long, value_name = "N", requires = "within", value_parser = whole::<i32>(1, 48))]
    pub(crate) gain: Option<i32>,
    /// With --gain: leave out moves whose line does not fall behind by at least N first
    #[arg(long, value_name = "N", requires = "gain", value_parser = whole::<i32>(1, 48))]
    pub(crate) sacrifice: Option<i32>,
    /// Nodes of each search of the first proof
    #[arg(long, value_name = "N", default_value_t = 300_000, value_parser = whole::<u64>(1, u64::MAX))]
    pub(crate) nodes: u64,
    /// Nodes of the second proof
    #[arg(long, value_name = "N", default_value_t = 3_000_000, value_parser = whole::<u64>(1, u64::MAX))]
    pub(crate) second_nodes: u64,
    /// Stop after this many games
    #[arg(long, value_name = "N", value_parser = whole::<u64>(1, u64::MAX))]
    pub(crate) games: Option<u64>,
    /// Games at the same time [default: 1]. The puzzles are the same for any number
    #[arg(long, value_name = "N", default_value_t = 1, hide_default_value = true, value_parser = whole::<u16>(1, 256))]
    pub(crate) jobs: u16,
}

const PUZZLES_HELP: &str = "\
griot plays against itself, with random moves, and takes positions in which exactly one move wins or, where none wins, exactly
one draws. Two proofs must agree: the engine's search, and full-width play by the rules alone. Left out are positions that either
proof leaves open, positions with a single legal move, wins by the next move, symmetric images of earlier puzzles, and what every
level from 1 to 20 solves with 10,000 nodes. The grade is the number of levels that fail.

  {\"number\":3,\"game\":\"tictactoe\",\"board\":\"...\",\"side\":\"first\",\"goal\":\"win\",\"moves\":2,\"move\":\"b2\",\"line\":[...],
  \"legal\":5,\"grade\":4,\"fails\":[1,2,3,5],\"proof\":{\"best\":{\"nodes\":..,\"depth\":..},\"others\":{\"result\":\"draw\",..},
  \"second\":{\"nodes\":..,\"depth\":..}},\"seed\":0,\"limits\":\"nodes 300000, second 3000000\"}

With --gain, the goal is \"gain\"; \"gain\" is what the move captures less what the other side captures, and \"ahead\" what every other
move lacks to that, at least. Both proofs then are full width to that depth. At draughts captures that must be played are played out,
and a king counts two men, or three where it flies. \"given\" is by how much the solver falls behind on the line before he gains.

Endgame tables decide most positions of awalé. Larger ones than the built-in 9 seeds (--option TablebasePath) decide more.

--resume refuses a file with other content, and a file that another process is writing.

Examples:
  griot puzzles --game connect4 --count 100 --seed 1 --out connect4.jsonl
  griot puzzles --game connect4 --count 100 --seed 1 --out connect4.jsonl --resume    continues after Ctrl-C
  griot puzzles --game awale --count 20 --option TablebasePath=tables > awale.jsonl
  griot puzzles --game chess --within 3 --count 20 > mates.jsonl
  griot puzzles --game awale --within 3 --gain 3 --count 20 > captures.jsonl
  griot puzzles --game draughts:english --within 3 --gain 2 --sacrifice 1 --count 20 > shots.jsonl";

/// The limits of each of many searches.
#[derive(Debug, Args)]
pub(crate) struct Limits {
    /// Depth in plies
    #[arg(long, value_name = "N", value_parser = whole::<u32>(1, u32::MAX.into()))]
    pub(crate) depth: Option<u32>,
    /// Nodes for each position [default: 100000, if no limit is given]
    #[arg(long, value_name = "N", value_parser = whole::<u64>(1, u64::MAX))]
    pub(crate) nodes: Option<u64>,
    /// Milliseconds for each position; results then depend on the machine
    #[arg(long, value_name = "MS", value_parser = whole::<u64>(1, u64::MAX))]
    pub(crate) movetime: Option<u64>,
    /// Number of best lines for each position, each with its own value
    #[arg(long, value_name = "N", value_parser = whole::<u64>(0, u64::MAX))]
    pub(crate) multipv: Option<u64>,
    /// Transposition table of each job, in MiB [default: 16]
    #[arg(long, value_name = "MiB", value_parser = whole::<u64>(0, u64::MAX))]
    pub(crate) hash: Option<u64>,
    /// Positions searched at the same time [default: 1]. The answers are the same for any number
    #[arg(long, value_name = "N", default_value_t = 1, hide_default_value = true, value_parser = whole::<u16>(1, 256))]
    pub(crate) jobs: u16,
}

#[derive(Debug, Args)]
#[command(after_help = ANALYSE_HELP)]
pub(crate) struct Analyse {
    /// Files of positions, one a line [default: stdin]
    #[arg(value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    #[arg(
        long,
        value_name = "GAME",
        value_parser = GAME,
        hide_possible_values = true,
        help = format!("The game of lines that name none [default: {DEFAULT_GAME}]")
    )]
    pub(crate) game: Option<String>,
    #[command(flatten)]
    pub(crate) limits: Limits,
    /// Append to this file, created if missing, and skip the positions in it
    #[arg(long, value_name = "FILE")]
    pub(crate) resume: Option<PathBuf>,
    /// Leave these fields out, so that answers are the same on every machine
    #[arg(long, value_name = "FIELD", value_delimiter = ',')]
    pub(crate) omit: Vec<Field>,
    /// Add the picture of each position, as in query picture: what you need to draw the board
    #[arg(long)]
    pub(crate) picture: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Convert {
    /// Where the games are; stdin if no file is named
    #[arg(value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// The game of records that name none; found out by the rules if not given
    #[arg(long, value_name = "GAME", value_parser = GAME, hide_possible_values = true)]
    pub(crate) game: Option<String>,
    /// The format to write: json, pgn, pdn, sgf, ggf, ogn, psq, obf or moves; json if not given
    #[arg(long, value_name = "FORMAT", value_parser = FORMAT, hide_possible_values = true)]
    pub(crate) to: Option<griot_records::Format>,
}

const CONVERT_HELP: &str = "\
Reads PGN, PDN, SGF, GGF, OGN, PSQ, OBF, EPD, Thor (.wtb), RenLib (.lib), RenjuNet (.rif), openings of Gomocup, JSON, and lists of moves
in every spelling. JSON has an object a game on each line. A game that cannot be read is reported on stderr with its place; the
exit status is then 2. docs/records.md lists what each format holds.

Examples:
  griot convert games.pgn > games.jsonl
  griot convert --to sgf renju.psq > renju.sgf
  echo F5D6C3D3C4 | griot convert --to ggf
  griot convert --game renju --to moves openings.txt";

/// A field that can be left out of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Field {
    /// The number of the input line.
    Line,
    /// Milliseconds.
    Time,
}

const ANALYSE_HELP: &str = "\
A line is GAME|BOARD|MOVES, of which every part may be left out: awale||AbC, nim:7, |3/1x1/3 o|. Or it is a JSON object with
game, board, moves (one text, or a list) and id (anything; the answer repeats it). Empty lines and lines that begin with # are
skipped.

Each position is searched from an empty table, so its answer depends neither on the others nor on --jobs; with --depth or
--nodes, and Threads 1, it is always the same. Answers come in the order of the positions:

  {\"line\":1,\"position\":{\"game\":\"mnk:4,4,3\",\"board\":\"startpos\",\"moves\":\"\"},\"bestmove\":\"b2\",\"score\":{\"mate\":3,
  \"bound\":\"exact\"},\"depth\":5,\"seldepth\":5,\"nodes\":1303,\"time\":7,\"tbhits\":0,\"pv\":[\"b2\",\"c2\",\"b3\"]}
  {\"line\":2,\"input\":\"tictactoe|3/3/3 x|b2 b2\",\"error\":\"column 22: move: expected an empty cell, found ...\"}

Scores are for the side to move: cp in hundredths, or mate in the winner's own moves.

Endgame tables decide most positions of awalé. Larger ones than the built-in 9 seeds (--option TablebasePath) decide more.

--resume refuses a file with other content, and a file that another process is writing.

Examples:
  griot analyse --depth 12 --jobs 2 positions.txt > answers.jsonl
  griot analyse --nodes 1000000 --resume answers.jsonl positions.txt    continues after Ctrl-C
  printf 'tictactoe||b2\\n' | griot analyse --depth 9 --multipv 3
  griot analyse --depth 12 --option Evaluation=plain < positions.txt
  jq -c 'select(.score.cp > 300).position' answers.jsonl | griot analyse --depth 20";

#[derive(Debug, Args)]
#[command(after_help = EXPLORE_HELP)]
pub(crate) struct Explore {
    #[arg(long, value_name = "GAME", value_parser = GAME, hide_possible_values = true, help = game_or_default_help())]
    pub(crate) game: Option<String>,
    /// Begin at this board text instead of the start position
    #[arg(long, value_name = "BOARD")]
    pub(crate) fen: Option<String>,
    /// Greatest depth of the tree, in plies
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = whole::<u32>(1, DEEPEST.into()))]
    pub(crate) plies: u32,
    /// Most positions of the tree
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = whole::<u64>(1, u64::MAX))]
    pub(crate) positions: u64,
    /// File of its positions, one a line; positions in it are not searched again
    #[arg(long, value_name = "FILE")]
    pub(crate) out: PathBuf,
    #[command(flatten)]
    pub(crate) limits: Limits,
    /// Draw the tree as SVG
    #[arg(long, value_name = "FILE")]
    pub(crate) svg: Option<PathBuf>,
    /// Draw the tree for Graphviz
    #[arg(long, value_name = "FILE")]
    pub(crate) dot: Option<PathBuf>,
    /// Number of positions to draw, the nearest to best play
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = whole::<u64>(1, u64::MAX))]
    pub(crate) drawn: u64,
    /// What the boxes show besides values
    #[arg(long, value_name = "WHAT", default_value = "none")]
    pub(crate) boards: Boards,
}

const EXPLORE_HELP: &str = "\
Repeatedly expands the position nearest to best play: all its moves are searched as by griot analyse. The distance from best play
is the sum of the losses on the way there (how much better the best move was) plus 0.2 units a ply. A position is worth what its
best move leads to. Positions reached in several ways at the same ply are one.

FILE holds one position a line, with its moves and where they lead. The same command continues it after Ctrl-C; more --plies or
--positions make the tree larger; other limits need another file. Files with other content are refused.

Examples:
  griot explore --game awale --plies 6 --depth 14 --out tree.jsonl --svg tree.svg
  griot explore --game connect4 --plies 8 --nodes 200000 --positions 5000 --jobs 2 --out connect4.jsonl
  griot explore --game tictactoe --plies 3 --depth 9 --out t.jsonl --dot t.dot --boards drawing && dot -Tpdf -O t.dot";

#[derive(Debug, Subcommand)]
pub(crate) enum Book {
    /// Grow a book by deep searches
    Grow(GrowBook),
    /// Summarise a book
    Info {
        /// The book
        #[arg(value_name = "FILE")]
        file: PathBuf,
        /// Write one JSON object
        #[arg(long)]
        json: bool,
    },
    /// Check a book: every board, every move, and the checksum
    Verify(VerifyBook),
    /// Show a position, its book move, and where the moves lead
    Show(ShowBook),
}

#[derive(Debug, Args)]
#[command(after_help = GROW_HELP)]
pub(crate) struct GrowBook {
    #[arg(long, value_name = "GAME", value_parser = GAME, hide_possible_values = true, help = game_or_default_help())]
    pub(crate) game: Option<String>,
    /// Begin at this board text instead of the start position
    #[arg(long, value_name = "BOARD")]
    pub(crate) fen: Option<String>,
    /// Where to write the book; its searches are kept in FILE.jsonl
    #[arg(long, value_name = "FILE")]
    pub(crate) out: PathBuf,
    /// Number of positions to search
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = whole::<u64>(1, u64::MAX))]
    pub(crate) positions: u64,
    /// Greatest depth of the book, in plies
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = whole::<u32>(1, DEEPEST.into()))]
    pub(crate) plies: u32,
    /// Follow opponent's moves that are up to this much worse than the best one, in hundredths
    #[arg(long, value_name = "CENTI", default_value_t = 150, value_parser = whole::<u32>(0, u32::MAX.into()))]
    pub(crate) margin: u32,
    /// Follow every move of both sides in the first N plies, better ones first
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = whole::<u32>(0, DEEPEST.into()))]
    pub(crate) wide_plies: u32,
    /// Make a book of exact values of all positions up to --plies, with the game's solver (connect4)
    #[arg(long, conflicts_with_all = ["fen", "positions", "margin", "wide_plies", "depth", "nodes", "movetime", "multipv", "jobs"])]
    pub(crate) exact: bool,
    /// With --exact: find only who wins; the same command without this then adds how soon
    #[arg(long, requires = "exact")]
    pub(crate) winners: bool,
    #[command(flatten)]
    pub(crate) limits: Limits,
}

const GROW_HELP: &str = "\
Repeatedly expands the position nearest to best play, among those reached when one side plays best moves and the other any move
within the margin: all its moves are searched as by griot analyse. Each opponent's loss and each ply count as distance. Every searched
position is in the book with its best move. Symmetric positions are one.

The searches are kept in FILE.jsonl: the same command continues it after Ctrl-C, and more --positions or --plies make a larger
book; griot explore draws it. The book is written when all is done. With --depth or --nodes it is the same book every time.

To play from it: setoption name BookFile value FILE, setoption name OwnBook value true. BookVariety draws among good moves.

With --exact every position after --plies plies is solved, mirror images once; the file takes at most a byte for each. It is written
every minute and at Ctrl-C, and the same command continues it. --winners finds only who wins, in fewer nodes. Connect Four reads
it as connect4.exact in the folder of TablebasePath.

Examples:
  griot book grow --exact --game connect4 --plies 8 --hash 256 --out connect4.exact
  griot book grow --game awale --nodes 1000000 --hash 64 --out awale.book
  griot book grow --game connect4 --plies 10 --nodes 3000000 --jobs 2 --out connect4.book
  griot book grow --game draughts:english --wide-plies 3 --plies 9 --margin 20 --out english.book
  griot --game awale --option BookFile=awale.book --option OwnBook=true";

#[derive(Debug, Args)]
#[command(after_help = VERIFY_HELP)]
pub(crate) struct VerifyBook {
    /// The book
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// Search this many of its positions again, and print where another move is found
    #[arg(long, value_name = "N", value_parser = whole::<u64>(1, u64::MAX))]
    pub(crate) search: Option<u64>,
    #[command(flatten)]
    pub(crate) limits: Limits,
}

const VERIFY_HELP: &str = "\
Examples:
  griot book verify awale.book
  griot book verify awale.book --search 50 --nodes 1000000";

#[derive(Debug, Args)]
#[command(after_help = SHOW_HELP)]
pub(crate) struct ShowBook {
    /// The book
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// Show this board text instead of the start position
    #[arg(long, value_name = "BOARD")]
    pub(crate) fen: Option<String>,
    /// Show the position after these moves
    #[arg(long, value_name = "MOVES", default_value = "", hide_default_value = true)]
    pub(crate) moves: String,
}

const SHOW_HELP: &str = "\
Values are for the side to move. Moves are ordered by the book's values of the positions behind them.

Examples:
  griot book show awale.book
  griot book show awale.book --moves 'F d'";

#[derive(Debug, Args)]
#[command(after_help = TREE_HELP)]
pub(crate) struct TreeArguments {
    #[arg(long, value_name = "GAME", value_parser = GAME, hide_possible_values = true, help = game_or_default_help())]
    pub(crate) game: Option<String>,
    /// Begin at this board text instead of the start position
    #[arg(long, value_name = "BOARD")]
    pub(crate) fen: Option<String>,
    /// minimax, negamax, alphabeta (the course's, in min/max form) or negabeta (the same with one sign)
    #[arg(long, value_name = "NAME", default_value = "negabeta")]
    pub(crate) algorithm: String,
    /// Depth in plies [default: to the end of every game]
    #[arg(long, value_name = "N", value_parser = whole::<u32>(1, u32::MAX.into()))]
    pub(crate) depth: Option<u32>,
    /// Refuse to draw more nodes than this
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = whole::<usize>(1, u32::MAX.into()))]
    pub(crate) nodes: usize,
    /// Draw the tree as SVG
    #[arg(long, value_name = "FILE")]
    pub(crate) svg: Option<PathBuf>,
    /// Draw the tree for Graphviz
    #[arg(long, value_name = "FILE")]
    pub(crate) dot: Option<PathBuf>,
    /// What the boxes show besides values [default: the board text, if it is short]
    #[arg(long, value_name = "WHAT")]
    pub(crate) boards: Option<Boards>,
}

/// What a box shows of its position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Boards {
    /// Nothing.
    None,
    /// The board text.
    Text,
    /// A drawing of the board.
    Drawing,
}

const TREE_HELP: &str = "\
Without --svg and --dot the tree is written as text. Square boxes are positions of the player who begins the game, round ones those
of the other. Thick lines are best play; dashed boxes are moves that were cut off. Options choose the evaluation: --option
Evaluation=plain counts captured seeds only.

Examples:
  griot tree --game nim:7 --algorithm minimax --svg minimax.svg
  griot tree --game nim:7 --algorithm negabeta --svg negabeta.svg       the same game, with cuts
  griot tree --game tictactoe --fen 'xox/oo1/1x1 x' --algorithm negamax --boards drawing --svg end.svg
  griot tree --game awale:tipe --depth 2 --algorithm alphabeta --option Evaluation=plain";

#[derive(Debug, Subcommand)]
pub(crate) enum Tablebase {
    /// Build the tables of all boards with up to N seeds or pieces, one file for each number of seeds or each material
    Build(BuildTables),
    /// Check every table file of a folder against its checksums and the rules of its game
    Verify {
        /// Folder of the files [default: the shared folder]
        #[arg(value_name = "DIR")]
        directory: Option<PathBuf>,
    },
    /// Count the won, drawn and lost boards of every table file of a folder
    Info {
        /// Folder of the files [default: the shared folder]
        #[arg(value_name = "DIR")]
        directory: Option<PathBuf>,
        /// Write one JSON object
        #[arg(long)]
        json: bool,
    },
    /// Look up one board and each of its moves
    Probe(ProbeTables),
    /// Compress the files of a folder to a third of their size; engines read them as they are
    #[command(after_help = PACK_HELP)]
    Pack {
        /// Folder of the files [default: the shared folder]
        #[arg(value_name = "DIR")]
        directory: Option<PathBuf>,
    },
    /// Decompress the files of a folder
    Unpack {
        /// Folder of the files [default: the shared folder]
        #[arg(value_name = "DIR")]
        directory: Option<PathBuf>,
    },
    /// Delete the tables of the shared folder
    Clear,
}

#[derive(Debug, Args)]
#[command(after_help = BUILD_HELP)]
pub(crate) struct BuildTables {
    #[arg(long, value_name = "GAME", value_parser = GAME_WITH_TABLES, hide_possible_values = true, default_value = DEFAULT_GAME, help = game_with_tables_help())]
    pub(crate) game: String,
    /// Awalé: most seeds on a board [default: 16, or all of a smaller game]
    #[arg(long, value_name = "N", value_parser = whole::<usize>(0, u32::MAX.into()))]
    pub(crate) seeds: Option<usize>,
    /// English draughts: most pieces on a board, of both sides, up to 5 [default: 4]
    #[arg(long, value_name = "N", value_parser = whole::<usize>(1, u32::MAX.into()))]
    pub(crate) pieces: Option<usize>,
    /// Folder to write to, created if missing [default: the shared folder]
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// Threads [default: one for each processor]. The files are the same for any number
    #[arg(long, value_name = "N", value_parser = whole::<u16>(1, u16::MAX.into()))]
    pub(crate) threads: Option<u16>,
    /// Refuse to build a layer that needs more memory than this, in GiB
    #[arg(long, value_name = "GiB", value_parser = gibibytes)]
    pub(crate) memory: Option<u64>,
    /// Lowest priority, and stop when the input ends, as when an engine builds the shared tables
    #[arg(long)]
    pub(crate) background: bool,
}

const BUILD_HELP: &str = "\
Layers are built from the lowest up, each from those below. In awalé a layer is a number of seeds, in English draughts the
men and kings of both sides. Layers with a good file are kept, so the same command continues a build
that ended early. A file that is no table is left as it is, and ends the build.

awale:awari and awale:tipe take one byte a board, the exact value. In awale and awale:mini a repetition leaves each side its row,
so a board's value depends on the game before: they take two bytes, a lower and an upper bound for the side to move.

  seeds                        8       12       16        20         24
  boards, of all layers    126 k    2.7 M   30.4 M   225.8 M   1251.7 M
  bytes of memory to build 403 k    8.1 M     87 M     621 M      3.3 G     (awale)

draughts:english takes one byte a board, a win, a draw or a loss.

  pieces                       3        4        5   (at most three a side)
  layers                      18       32       44
  boards, of all layers    271 k    6.6 M  103.7 M

Engines read the shared folder unless they are given other tables, and fill it: after ten seconds of search an engine builds the
tables of its game up to 18 seeds or 4 pieces in the background, and says so. The environment variable GRIOT_TABLES names another folder;
an empty one, or the option SharedTablebases=false, switches this off.

Examples:
  griot tablebase build                               the tables of awalé that engines share, all cores at once
  griot tablebase build --seeds 20                    larger ones, some 45 Elo stronger; engines use them, too
  griot tablebase build --seeds 20 --out tables       for setoption name TablebasePath value tables
  griot tablebase build --game draughts:english --pieces 4 --out tables
  griot tablebase info                                what is in the shared folder";

const PACK_HELP: &str = "\
Each file is replaced when its new one is complete, so Ctrl-C loses nothing, and the same command continues. Plain files are read
a little faster.

Examples:
  griot tablebase pack tables       smaller files, for instance to copy
  griot tablebase info tables       contents and size";

#[derive(Debug, Args)]
pub(crate) struct ProbeTables {
    #[arg(long, value_name = "GAME", value_parser = GAME_WITH_TABLES, hide_possible_values = true, default_value = DEFAULT_GAME, help = game_with_tables_help())]
    pub(crate) game: String,
    /// Folder of the files [default: the shared folder]
    #[arg(long = "dir", value_name = "DIR")]
    pub(crate) directory: Option<PathBuf>,
    /// The board, as `position fen` takes it: 0-0-0-0-1-1-0-0-0-0-0-2-22-22-S
    #[arg(value_name = "FEN")]
    pub(crate) fen: String,
}

fn about() -> String {
    let titles: Vec<&str> = FAMILIES.iter().map(|family| family.title).collect();
    format!("A board-game engine: {} over UGI, UCI, GTP, Gomocup, NBoard and Hub", listed(&titles, "and"))
}

fn long_about() -> String {
    let about = about();
    format!(
        "{about}.\n\nWithout a subcommand griot speaks the protocol on stdin and stdout; type `help` there, or read protocol.md. 'griot help options' lists the options."
    )
}

fn game_help() -> String {
    let forms: Vec<&str> = names().map(|name| name.form).collect();
    format!("The game: {}", forms.join(", "))
}

fn game_or_default_help() -> String {
    format!("The game [default: {DEFAULT_GAME}]")
}

fn game_with_tables_help() -> String {
    let names: Vec<&str> = names_with_tables().collect();
    format!("The game: {}", listed(&names, "or"))
}

/// Joins words with commas and a conjunction.
fn listed(words: &[&str], last: &str) -> String {
    match words {
        [first @ .., end] if !first.is_empty() => format!("{} {last} {end}", first.join(", ")),
        words => words.concat(),
    }
}

/// A parser with words that shells offer for completion; it accepts others, too.
#[derive(Clone)]
struct Offering<P> {
    parser: P,
    words: fn() -> Vec<String>,
}

impl<P: TypedValueParser> TypedValueParser for Offering<P> {
    type Value = P::Value;

    fn parse_ref(
        &self,
        command: &clap::Command,
        arg: Option<&clap::Arg>,
        value: &OsStr,
    ) -> Result<P::Value, clap::Error> {
        self.parser.parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new((self.words)().into_iter().map(PossibleValue::new)))
    }
}

/// Reads a value.
type Read<T, E> = fn(&str) -> Result<T, E>;

type Text = Read<String, Infallible>;

/// Any text.
const TEXT: Text = |text| Ok(text.to_owned());

/// The name of a game: any text, which the registry checks later. Complete names are offered for completion.
const GAME: Offering<Text> = Offering { parser: TEXT, words: games };

fn games() -> Vec<String> {
    names().filter(|name| name.is_complete()).map(|name| name.form.to_owned()).collect()
}

/// The names of games with endgame tables.
const GAME_WITH_TABLES: Offering<Text> =
    Offering { parser: TEXT, words: || names_with_tables().map(str::to_owned).collect() };

/// An option and its value. Options with few values offer all of them, others their default.
const OPTION: Offering<Text> = Offering { parser: TEXT, words: option_values };

fn option_values() -> Vec<String> {
    let values = |OptionSpec { name, kind, .. }: OptionSpec| {
        let name: String = name.split(' ').collect();
        let values = match kind {
            OptionKind::Button => Vec::new(),
            OptionKind::Check { .. } => vec!["false".into(), "true".into()],
            OptionKind::Spin { min, max, .. } if max - min < 32 => (min..=max).map(|n| n.to_string()).collect(),
            OptionKind::Spin { default, .. } => vec![default.to_string()],
            OptionKind::Combo { choices, .. } => choices,
            OptionKind::String { default } => vec![default],
        };
        values.into_iter().map(move |value| format!("{name}={value}")).collect::<Vec<String>>()
    };
    options(&Registry).into_iter().flat_map(values).collect()
}

/// The levels.
fn levels() -> Vec<String> {
    (0..=full_strength()).map(|level| level.to_string()).collect()
}

fn full_strength() -> u64 {
    Settings::default().skill_level as u64
}

/// A whole number in a range.
fn whole<T: TryFrom<u64>>(least: u64, most: u64) -> impl Fn(&str) -> Result<T, String> + Clone + Send + Sync + 'static {
    move |text| {
        let number = text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok()).flatten();
        let number =
            number.filter(|number| (least..=most).contains(number)).and_then(|number| T::try_from(number).ok());
        number.ok_or_else(|| format!("expected a whole number from {least} to {most}"))
    }
}

/// The options of the engine, one a line.
pub(crate) fn options_help() -> String {
    let mut help = "Options, for --option and for setoption:".to_owned();
    for OptionSpec { name, kind, help: said } in options(&Registry) {
        let given = |values: String, default: String| {
            let default = if default.is_empty() { "nothing".into() } else { default };
            format!(" ({values}; {default} if not set)")
        };
        let values = match kind {
            OptionKind::Button => String::new(),
            OptionKind::Check { default } => given("true, false".into(), default.to_string()),
            OptionKind::Spin { default, min, max } => given(format!("{min} to {max}"), default.to_string()),
            OptionKind::Combo { default, choices } => given(choices.join(", "), default),
            OptionKind::String { default } => given("a text".into(), default),
        };
        help.push_str(&format!("\n  {name}: {said}{values}"));
    }
    help
}

/// A dialect.
const DIALECT: Offering<Read<DialectName, String>> =
    Offering { parser: dialect_name, words: || dialects().map(|(called, _)| called.to_owned()).collect() };

/// The formats that game records are written in.
const WRITTEN: [&str; 9] = ["json", "pgn", "pdn", "sgf", "ggf", "ogn", "psq", "obf", "moves"];

const FORMAT: Offering<Read<griot_records::Format, String>> =
    Offering { parser: format_name, words: || WRITTEN.map(str::to_owned).to_vec() };

fn format_name(text: &str) -> Result<griot_records::Format, String> {
    let known = WRITTEN.iter().find(|name| name.eq_ignore_ascii_case(text));
    known
        .and_then(|name| griot_records::Format::named(name))
        .ok_or_else(|| format!("expected one of {}", WRITTEN.join(", ")))
}

/// Parses the name of a dialect.
fn dialect_name(text: &str) -> Result<DialectName, String> {
    let known = dialects().find(|(called, _)| called.eq_ignore_ascii_case(text));
    known.map(|(_, name)| name).ok_or_else(|| {
        let names: Vec<&str> = dialects().map(|(called, _)| called).collect();
        format!("expected one of {}", names.join(", "))
    })
}

/// A size in GiB, as bytes.
fn gibibytes(text: &str) -> Result<u64, String> {
    match text.parse::<f64>() {
        Ok(size) if size > 0.0 && size < 1e6 => Ok((size * f64::from(1 << 30)) as u64),
        _ => Err("expected a number of GiB above 0, such as 4 or 0.5".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn every_subcommand_stands_in_one_group_of_the_help() {
        let mut listed: Vec<&str> =
            GROUPS.iter().flat_map(|(_, names)| *names).copied().filter(|name| *name != MATCH).collect();
        let mut command = Cli::command();
        command.build();
        let mut known: Vec<&str> = command.get_subcommands().map(clap::Command::get_name).collect();
        listed.sort_unstable();
        known.sort_unstable();
        assert_eq!(listed, known);
        Cli::command().debug_assert();
    }

    #[test]
    fn a_number_that_is_none_is_told_what_would_be_right() {
        let read = whole::<u16>(1, 256);
        assert_eq!((read("1"), read("256")), (Ok(1), Ok(256)));
        for text in ["0", "257", "", "x", "-1", "+3", "1.5", "99999999999999999999"] {
            assert_eq!(read(text), Err("expected a whole number from 1 to 256".into()), "{text}");
        }
    }
}
