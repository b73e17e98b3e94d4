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
#[command(version, about = about(), long_about = long_about(), help_template = help_template(), after_help = EXAMPLES)]
pub(crate) struct Cli {
    #[arg(long, value_name = "GAME", value_parser = GAME, hide_possible_values = true, help = game_help())]
    pub(crate) game: Option<String>,

    /// The dialect that is spoken from the first line on: ugi, uci, gtp, gomocup or nboard. Without it the client's first word decides
    #[arg(long, value_name = "DIALECT", value_parser = DIALECT, hide_possible_values = true)]
    pub(crate) dialect: Option<DialectName>,

    /// Set an option before the first command, as setoption would; may be repeated. Blanks may be left out: SkillLevel=5
    #[arg(long = "option", value_name = "NAME=VALUE", global = true, value_parser = OPTION, hide_possible_values = true)]
    pub(crate) options: Vec<String>,

    /// How much to log, on stderr: off, error, warn, info, debug (every line in and out), trace
    #[arg(long, value_name = "LEVEL", default_value = "error", global = true)]
    pub(crate) log_level: LevelFilter,

    #[command(subcommand)]
    pub(crate) command: Option<Command>,
}

const EXAMPLES: &str = "\
Examples:
  griot play othello --level 5
  griot games
  griot --game awale --option SkillLevel=5  for a front end; griot alone waits for commands, and help lists them
  griot --dialect gtp --game awale          for GoGui
  griot --dialect gomocup                   for managers of gomoku tournaments
  griot --dialect nboard                    for NBoard, with Othello
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

/// The most plies that anything is searched.
pub(crate) const DEEPEST: u32 = 250;

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Play in the terminal against griot
    Play(Play),
    /// Serve the board in the browser, and engines over a WebSocket for boards that others have written
    Serve(Serve),
    /// Search many positions, one a line, and write an object of JSON for each
    Analyse(Analyse),
    /// Convert game records from any format to another: PGN, SGF, GGF, OGN, PSQ, JSON and more
    #[command(after_help = CONVERT_HELP)]
    Convert(Convert),
    /// Find out what every move of a position comes to when both sides play as well as can be
    Solve(Solve),
    /// Grow the tree of a game's openings, the best moves first, and draw it
    Explore(Explore),
    /// Grow, check and look into opening books: what is played in the first moves
    #[command(subcommand)]
    Book(Book),
    /// Build, check and look into endgame tables: what boards with few seeds are worth
    #[command(subcommand)]
    Tablebase(Tablebase),
    /// Search one position with every algorithm of the course and with the full search, side by side
    Compare(Compare),
    /// Find positions in which exactly one move wins, or saves the game, each proven twice
    Puzzles(Puzzles),
    /// Draw what an algorithm of the course visits: values, best moves, and the branches it cuts off
    Tree(TreeArguments),
    /// List the games, by the names that --game takes
    Games,
    /// List the options of the engine, for --option and for setoption
    #[command(after_help = options_help())]
    Options,
    /// Count the lines of so many plies, to check the rules and their speed
    Perft(Perft),
    /// Search fixed positions of every game to fixed depths: the sum of nodes and a hash of moves and scores
    Bench(Bench),
    /// Print what makes a shell complete the words of griot
    #[command(after_help = COMPLETIONS_HELP)]
    Completions {
        /// The shell
        shell: Shell,
    },
    /// Print the manual page, or write one for each subcommand
    #[command(after_help = MAN_HELP)]
    Man {
        /// Write the pages into this folder; made if it is not there
        #[arg(long, value_name = "DIR")]
        out: Option<PathBuf>,
    },
}

/// The subcommands as the help lists them.
const GROUPS: [(&str, &[&str]); 4] = [
    ("Play", &["play", "serve"]),
    ("Matches", &[MATCH]),
    ("Analysis", &["analyse", "convert", "solve", "puzzles", "explore", "book", "tablebase", "compare", "tree"]),
    ("Tools", &["games", "options", "perft", "bench", "completions", "man", "help"]),
];

/// What is listed among the subcommands and is a program of its own.
const MATCH: &str = "griot-match";

/// The help, with the subcommands in groups.
fn help_template() -> String {
    let commands = Command::augment_subcommands(clap::Command::new("griot"));
    let about = |name: &str| match commands.find_subcommand(name).and_then(clap::Command::get_about) {
        Some(about) => about.to_string(),
        None if name == MATCH => "A program of its own, for matches and tournaments: see docs/matches.md".into(),
        None => "Print this, or the help of a subcommand: griot help options".into(),
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
    /// Arguments of griot-board, the program that serves; 'griot serve -- --help' tells them
    #[arg(value_name = "ARGUMENTS", trailing_var_arg = true, allow_hyphen_values = true)]
    pub(crate) arguments: Vec<OsString>,
}

const SERVE_HELP: &str = "\
griot-board is a program of its own, beside griot or on the path; 'cargo install --path crates/griot-board' puts it there.
A text frame of the WebSocket is a line of the protocol, both ways; each connection has an engine. Pages of other servers have to
be named, a page opened as a file is 'null'. docs/serve.md tells more.

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
    /// How strong griot plays, from 0 to 20; at full strength, 20, if not given
    #[arg(long, value_name = "N", value_parser = Offering { parser: whole::<u64>(0, full_strength()), words: levels }, hide_possible_values = true)]
    pub(crate) level: Option<u64>,
    /// Whom you play
    #[arg(long, value_name = "SIDE", default_value = "first")]
    pub(crate) side: Seat,
    /// Time for each of griot's moves, and for a hint
    #[arg(long, value_name = "MS", default_value_t = 1000, value_parser = whole::<u64>(1, u64::MAX))]
    pub(crate) movetime: u64,
    /// The language; that of LC_ALL, LC_MESSAGES or LANG if not given
    #[arg(long, value_name = "LANGUAGE")]
    pub(crate) language: Option<Language>,
}

/// Which sides a person plays.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Seat {
    /// The one that begins: South, x, player 1.
    First,
    /// The other one.
    Second,
    /// White, which begins in chess and comes second in games of stones.
    White,
    /// Black.
    Black,
    /// Both: two people, or one who looks at a game with hints.
    Both,
    /// None: griot plays against itself.
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
A move is typed by its name, in chess in SAN or as UCI has it, or by its number in the list of moves. Besides there are hint,
undo, resign, review, record, save, load, swap, new, level, moves, board, quit and ? (in French conseil, annuler, abandonner, revue,
partie, enregistrer, charger, changer, nouveau, niveau, coups, plateau, quitter; both are always understood).

The board has colours on a terminal; NO_COLOR=1 takes them away. Without a terminal the lines are plain, and the end of the
input is the end.

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
    /// Plies, the same for every position, instead of the depths that make the signature
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
    /// Give up after so many milliseconds, and tell what is known by then
    #[arg(long, value_name = "MS", value_parser = whole::<u64>(1, u64::MAX))]
    pub(crate) movetime: Option<u64>,
    /// Write one object of JSON
    #[arg(long)]
    pub(crate) json: bool,
}

const SOLVE_HELP: &str = "\
Each move is told with its result, and how many of the winner's own moves it takes: the winner takes the shortest way, and
the loser the longest. Where a position that comes up again ends the game, the number is a limit ('or less'); with --option
Selective=false, which can take very long, it is exact. The search ends when every move is settled. Ctrl-C ends it before,
and tells what is known by then.

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
    /// How many puzzles
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = whole::<u64>(1, u64::MAX))]
    pub(crate) count: u64,
    /// What the games are played by: the same seed finds the same puzzles
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = whole::<u64>(0, u64::MAX))]
    pub(crate) seed: u64,
    /// Write to this file, which is made, or is empty
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// Go on with the file, after the puzzles it holds
    #[arg(long, requires = "out")]
    pub(crate) resume: bool,
    /// Only a win in so many own moves counts, and the only move that wins soonest is looked for; others may win later. For games in
    /// which hardly anything but a mate can be proven, such as chess
    #[arg(long, value_name = "N", value_parser = whole::<u32>(2, 10))]
    pub(crate) within: Option<u32>,
    /// Nodes of each search of the first proof
    #[arg(long, value_name = "N", default_value_t = 300_000, value_parser = whole::<u64>(1, u64::MAX))]
    pub(crate) nodes: u64,
    /// Nodes of the second proof
    #[arg(long, value_name = "N", default_value_t = 3_000_000, value_parser = whole::<u64>(1, u64::MAX))]
    pub(crate) second_nodes: u64,
    /// Give up after so many games
    #[arg(long, value_name = "N", value_parser = whole::<u64>(1, u64::MAX))]
    pub(crate) games: Option<u64>,
    /// Games that are looked at the same time; 1 if not given. The puzzles are the same for any number
    #[arg(long, value_name = "N", default_value_t = 1, hide_default_value = true, value_parser = whole::<u16>(1, 256))]
    pub(crate) jobs: u16,
}

const PUZZLES_HELP: &str = "\
The positions are those of games that griot plays against itself, with moves by chance in them. A puzzle is a position in which
exactly one move wins; or, where none wins, exactly one draws. Two proofs have to agree: the engine's search, and play by the
rules at full width, in which the side that proves needs one move and the other has all of them. What either leaves open is
left out, and so are positions with a single legal move, wins by the next move, images of puzzles that are there already, and
what every level from 1 to 20 finds with 10,000 nodes. The grade is the number of levels that fail.

  {\"number\":3,\"game\":\"tictactoe\",\"board\":\"...\",\"side\":\"first\",\"goal\":\"win\",\"moves\":2,\"move\":\"b2\",\"line\":[...],
  \"legal\":5,\"grade\":4,\"fails\":[1,2,3,5],\"proof\":{\"best\":{\"nodes\":..,\"depth\":..},\"others\":{\"result\":\"draw\",..},
  \"second\":{\"nodes\":..,\"depth\":..}},\"seed\":0,\"limits\":\"nodes 300000, second 3000000\"}

At awalé most positions are settled by endgame tables: those to 9 seeds, or larger ones of --option TablebasePath, settle more.

A file for --resume that holds anything else is left as it is. While it is written nobody else can write it.

Examples:
  griot puzzles --game connect4 --count 100 --seed 1 --out connect4.jsonl
  griot puzzles --game connect4 --count 100 --seed 1 --out connect4.jsonl --resume    goes on after Ctrl-C
  griot puzzles --game awale --count 20 --option TablebasePath=tables > awale.jsonl
  griot puzzles --game chess --within 3 --count 20 > mates.jsonl";

/// The limits of each of many searches.
#[derive(Debug, Args)]
pub(crate) struct Limits {
    /// Plies
    #[arg(long, value_name = "N", value_parser = whole::<u32>(1, u32::MAX.into()))]
    pub(crate) depth: Option<u32>,
    /// Nodes. 100,000 if no limit is given
    #[arg(long, value_name = "N", value_parser = whole::<u64>(1, u64::MAX))]
    pub(crate) nodes: Option<u64>,
    /// Time for each position. What comes out then depends on the machine
    #[arg(long, value_name = "MS", value_parser = whole::<u64>(1, u64::MAX))]
    pub(crate) movetime: Option<u64>,
    /// The best lines of each position, so many, each with its own value
    #[arg(long, value_name = "N", value_parser = whole::<u64>(0, u64::MAX))]
    pub(crate) multipv: Option<u64>,
    /// Memory of the transposition table of each job, in MiB; 16 if not given
    #[arg(long, value_name = "MiB", value_parser = whole::<u64>(0, u64::MAX))]
    pub(crate) hash: Option<u64>,
    /// Positions that are searched at the same time; 1 if not given. The answers are the same for any number
    #[arg(long, value_name = "N", default_value_t = 1, hide_default_value = true, value_parser = whole::<u16>(1, 256))]
    pub(crate) jobs: u16,
}

#[derive(Debug, Args)]
#[command(after_help = ANALYSE_HELP)]
pub(crate) struct Analyse {
    /// Where the positions are, one a line; stdin if no file is named
    #[arg(value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    #[arg(
        long,
        value_name = "GAME",
        value_parser = GAME,
        hide_possible_values = true,
        help = format!("The game of lines that name none; {DEFAULT_GAME} if not given")
    )]
    pub(crate) game: Option<String>,
    #[command(flatten)]
    pub(crate) limits: Limits,
    /// Write to this file, after what it holds, and leave out the positions it holds; made if it is not there
    #[arg(long, value_name = "FILE")]
    pub(crate) resume: Option<PathBuf>,
    /// Leave these out of every answer, so that it is the same wherever and whenever it is found
    #[arg(long, value_name = "FIELD", value_delimiter = ',')]
    pub(crate) omit: Vec<Field>,
    /// Add the picture of each position, as query picture tells it: what it takes to draw the board
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
    /// The format to write: json, pgn, sgf, ggf, ogn, psq, obf or moves; json if not given
    #[arg(long, value_name = "FORMAT", value_parser = FORMAT, hide_possible_values = true)]
    pub(crate) to: Option<griot_records::Format>,
}

const CONVERT_HELP: &str = "\
Read are PGN, SGF, GGF, OGN, PSQ, OBF, EPD, Thor (.wtb), RenLib (.lib), RenjuNet (.rif), openings of Gomocup, JSON, and lists of moves
in every spelling. JSON has an object a game on each line. A game that cannot be read is reported on stderr with its place; the
exit status is then 2. docs/records.md lists what each format holds.

Examples:
  griot convert games.pgn > games.jsonl
  griot convert --to sgf renju.psq > renju.sgf
  echo F5D6C3D3C4 | griot convert --to ggf
  griot convert --game renju --to moves openings.txt";

/// A field that an answer can do without.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Field {
    /// The number of the line that is answered.
    Line,
    /// Milliseconds.
    Time,
}

const ANALYSE_HELP: &str = "\
A line is GAME|BOARD|MOVES, of which every part may be left out: awale||AbC, nim:7, |3/1x1/3 o|. Or it is an object of JSON
with game, board, moves (one text, or a list) and id (anything; the answer repeats it). Empty lines and lines that begin
with # are passed over.

Each position is searched from an empty table, so its answer depends neither on the others nor on --jobs; with --depth or
--nodes, and Threads 1, it is always the same. Answers come in the order of the positions, each as soon as those before it
are there:

  {\"line\":1,\"position\":{\"game\":\"mnk:4,4,3\",\"board\":\"startpos\",\"moves\":\"\"},\"bestmove\":\"b2\",\"score\":{\"mate\":3,
  \"bound\":\"exact\"},\"depth\":5,\"seldepth\":5,\"nodes\":1303,\"time\":7,\"tbhits\":0,\"pv\":[\"b2\",\"c2\",\"b3\"]}
  {\"line\":2,\"input\":\"tictactoe|3/3/3 x|b2 b2\",\"error\":\"column 22: move: expected an empty cell, found ...\"}

Scores are for the side to move: cp in hundredths, or mate in the winner's own moves.

At awalé most positions are settled by endgame tables: those to 9 seeds, or larger ones of --option TablebasePath, settle more.

A file for --resume that holds anything but answers is left as it is. While it is written nobody else can write it.

Examples:
  griot analyse --depth 12 --jobs 2 positions.txt > answers.jsonl
  griot analyse --nodes 1000000 --resume answers.jsonl positions.txt    goes on after Ctrl-C
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
    /// How deep the tree may grow
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = whole::<u32>(1, DEEPEST.into()))]
    pub(crate) plies: u32,
    /// How many positions it may have
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = whole::<u64>(1, u64::MAX))]
    pub(crate) positions: u64,
    /// Where its positions are kept, one a line; what is there already is not searched again
    #[arg(long, value_name = "FILE")]
    pub(crate) out: PathBuf,
    #[command(flatten)]
    pub(crate) limits: Limits,
    /// Draw it, as SVG
    #[arg(long, value_name = "FILE")]
    pub(crate) svg: Option<PathBuf>,
    /// Draw it, for Graphviz
    #[arg(long, value_name = "FILE")]
    pub(crate) dot: Option<PathBuf>,
    /// How many positions are drawn, the nearest to best play
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = whole::<u64>(1, u64::MAX))]
    pub(crate) drawn: u64,
    /// What is written into their boxes, besides values
    #[arg(long, value_name = "WHAT", default_value = "none")]
    pub(crate) boards: Boards,
}

const EXPLORE_HELP: &str = "\
Again and again the position nearest to best play gets all its moves, each searched as by griot analyse. How near it is, is
what the players have given away on the way there, a move's loss being how much better the best move was, and 0.2 units for
each ply. Values come up from below: a position is worth what its best move leads to. Positions that are reached in several
ways at the same ply are one.

FILE holds a position on each line, with its moves and where they lead, and grows line by line. The same command goes on with
it after Ctrl-C, and one with more --plies or --positions makes the tree larger; other limits need another file. A file of
something else is left as it is, and so are drawings of another kind than --svg and --dot write.

Examples:
  griot explore --game awale --plies 6 --depth 14 --out tree.jsonl --svg tree.svg
  griot explore --game connect4 --plies 8 --nodes 200000 --positions 5000 --jobs 2 --out connect4.jsonl
  griot explore --game tictactoe --plies 3 --depth 9 --out t.jsonl --dot t.dot --boards drawing && dot -Tpdf -O t.dot";

#[derive(Debug, Subcommand)]
pub(crate) enum Book {
    /// Grow a book by deep searches, and write it
    Grow(GrowBook),
    /// Tell what is in a book
    Info {
        /// The book
        #[arg(value_name = "FILE")]
        file: PathBuf,
        /// Write one object of JSON
        #[arg(long)]
        json: bool,
    },
    /// Read a book whole: every board, every move by the rules of its game, and the checksum
    Verify(VerifyBook),
    /// Show a position, what the book plays there, and where the moves lead
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
    /// Where the book is put; the searches it is made of are kept in FILE.jsonl
    #[arg(long, value_name = "FILE")]
    pub(crate) out: PathBuf,
    /// How many positions are searched
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = whole::<u64>(1, u64::MAX))]
    pub(crate) positions: u64,
    /// How deep the book may go
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = whole::<u32>(1, DEEPEST.into()))]
    pub(crate) plies: u32,
    /// How much worse than the best one an opponent's move may be to be followed, in hundredths
    #[arg(long, value_name = "CENTI", default_value_t = 150, value_parser = whole::<u32>(0, u32::MAX.into()))]
    pub(crate) margin: u32,
    /// Make a book of exact values instead, of all positions up to --plies, with the game's own solver (connect4)
    #[arg(long, conflicts_with_all = ["fen", "positions", "margin", "depth", "nodes", "movetime", "multipv", "jobs"])]
    pub(crate) exact: bool,
    /// Of exact values, find who wins alone, which takes less; the same command without this goes on to how soon
    #[arg(long, requires = "exact")]
    pub(crate) winners: bool,
    #[command(flatten)]
    pub(crate) limits: Limits,
}

const GROW_HELP: &str = "\
Again and again a position gets all its moves, each searched as by griot analyse: the one nearest to best play of those that
a player comes to who plays the best moves himself, whatever the opponent answers within the margin. Each move that the
opponent gives away something by puts it off, and so does each ply. Values come up from below, and every position that was
searched is in the book with its best move. Positions that are images of each other are one.

The searches are kept in FILE.jsonl, which grows line by line: the same command goes on with it after Ctrl-C, and one with more
--positions or --plies makes a larger book; griot explore draws it. The book itself is written when all is done, under another
name first. With --depth or --nodes it is the same book every time.

Play by it: setoption name BookFile value FILE, setoption name OwnBook value true; BookVariety draws among good moves.

With --exact every position after --plies plies is solved, mirror images once; the file takes some bits for each. It is written every
minute and at Ctrl-C, and the same command goes on with it. With --winners it says who wins, found in fewer nodes. Connect Four
finds it as connect4.exact in the folder of TablebasePath.

Examples:
  griot book grow --exact --game connect4 --plies 8 --hash 256 --out connect4.exact
  griot book grow --game awale --nodes 1000000 --hash 64 --out awale.book
  griot book grow --game connect4 --plies 10 --nodes 3000000 --jobs 2 --out connect4.book
  griot --game awale --option BookFile=awale.book --option OwnBook=true";

#[derive(Debug, Args)]
#[command(after_help = VERIFY_HELP)]
pub(crate) struct VerifyBook {
    /// The book
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// Search so many of its positions again, and tell where another move is found
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
Values are for the side to move. Moves stand in the order of what the book says of the positions behind them.

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
    /// Plies; to the end of every game if not given
    #[arg(long, value_name = "N", value_parser = whole::<u32>(1, u32::MAX.into()))]
    pub(crate) depth: Option<u32>,
    /// The most nodes that are worth a picture
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = whole::<usize>(1, u32::MAX.into()))]
    pub(crate) nodes: usize,
    /// Draw it, as SVG
    #[arg(long, value_name = "FILE")]
    pub(crate) svg: Option<PathBuf>,
    /// Draw it, for Graphviz
    #[arg(long, value_name = "FILE")]
    pub(crate) dot: Option<PathBuf>,
    /// What is written into the boxes, besides values; the text, if it is short, without this
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
Without --svg and --dot the tree is written as text. Boxes with corners are positions of the player who makes the first move
of a game, round ones those of the other. Thick lines are best play; dashed boxes are moves that were cut off, and that the
algorithm never looked at. Positions are valued as the options say: --option Evaluation=plain counts what is in the bag.

Examples:
  griot tree --game nim:7 --algorithm minimax --svg minimax.svg
  griot tree --game nim:7 --algorithm negabeta --svg negabeta.svg       the same game, with cuts
  griot tree --game tictactoe --fen 'xox/oo1/1x1 x' --algorithm negamax --boards drawing --svg end.svg
  griot tree --game awale:tipe --depth 2 --algorithm alphabeta --option Evaluation=plain";

#[derive(Debug, Subcommand)]
pub(crate) enum Tablebase {
    /// Build the tables of all boards with up to so many seeds, one file for each number of seeds
    Build(BuildTables),
    /// Read every table file in a directory, and compare it with its checksums and with the rules of its game
    Verify {
        /// Where the files are; the shared folder if not given
        #[arg(value_name = "DIR")]
        directory: Option<PathBuf>,
    },
    /// Count the won, drawn and lost boards of every table file in a directory
    Info {
        /// Where the files are; the shared folder if not given
        #[arg(value_name = "DIR")]
        directory: Option<PathBuf>,
        /// Write one object of JSON
        #[arg(long)]
        json: bool,
    },
    /// Look up one board and each of its moves
    Probe(ProbeTables),
    /// Compress the files of a directory to a third of their size; engines read them as they are
    #[command(after_help = PACK_HELP)]
    Pack {
        /// Where the files are; the shared folder if not given
        #[arg(value_name = "DIR")]
        directory: Option<PathBuf>,
    },
    /// Turn the compressed files of a directory back into plain ones
    Unpack {
        /// Where the files are; the shared folder if not given
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
    /// The most seeds on a board; 16 if not given, or all of a smaller game
    #[arg(long, value_name = "N", value_parser = whole::<usize>(0, u32::MAX.into()))]
    pub(crate) seeds: Option<usize>,
    /// Where the files are put, made if it is not there; the shared folder if not given
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// Threads; as many as there are processors if not given. The files are the same for any number
    #[arg(long, value_name = "N", value_parser = whole::<u16>(1, u16::MAX.into()))]
    pub(crate) threads: Option<u16>,
    /// Refuse to begin when a layer needs more memory than this, in GiB
    #[arg(long, value_name = "GiB", value_parser = gibibytes)]
    pub(crate) memory: Option<u64>,
    /// Give way to every other program, and stop when the input ends: so engines build the shared tables
    #[arg(long)]
    pub(crate) background: bool,
}

const BUILD_HELP: &str = "\
Layers are built from 0 seeds up, each from those below. A layer whose file is there and good is kept, so a build that was
ended, by Ctrl-C or by a full disk, goes on where it was when the same command is given again. A file that is no table is
left as it is, and ends the build.

awale:awari and awale:tipe get one byte for each board, the exact value. In awale and awale:mini a repetition leaves each
side its own row, so a board's value depends on the game before it: there are two bytes, what the side to move can make
sure of and what the opponent can hold it to.

  seeds                        8       12       16        20         24
  boards, of all layers    126 k    2.7 M   30.4 M   225.8 M   1251.7 M
  bytes of memory to build 403 k    8.1 M     87 M     621 M      3.3 G     (awale)

The shared folder is read by every engine that is not told of other tables, and filled by them: after ten seconds of search an
engine begins to build those of its game up to 16 seeds in the background, and says so. The environment variable GRIOT_TABLES
names another folder, and switches this off when it is empty, as the engine's option SharedTablebases does.

Examples:
  griot tablebase build                               the tables of awalé that engines share, all cores at once
  griot tablebase build --seeds 20 --out tables       larger ones, for setoption name TablebasePath value tables
  griot tablebase info                                what is in the shared folder";

const PACK_HELP: &str = "\
Each file is replaced whole when its new one is written, so Ctrl-C loses nothing, and the same command goes on. Where disks and
memory are plenty, plain files are read a little faster.

Examples:
  griot tablebase pack tables       to be copied to where they are needed
  griot tablebase info tables       what they hold, and the bytes they take now";

#[derive(Debug, Args)]
pub(crate) struct ProbeTables {
    #[arg(long, value_name = "GAME", value_parser = GAME_WITH_TABLES, hide_possible_values = true, default_value = DEFAULT_GAME, help = game_with_tables_help())]
    pub(crate) game: String,
    /// Where the files are; the shared folder if not given
    #[arg(long = "dir", value_name = "DIR")]
    pub(crate) directory: Option<PathBuf>,
    /// The board, as `position fen` takes it: 0-0-0-0-1-1-0-0-0-0-0-2-22-22-S
    #[arg(value_name = "FEN")]
    pub(crate) fen: String,
}

fn about() -> String {
    let titles: Vec<&str> = FAMILIES.iter().map(|family| family.title).collect();
    format!(
        "A board-game engine for other people's front ends: {} over UGI, UCI, GTP, Gomocup and NBoard",
        listed(&titles, "and")
    )
}

fn long_about() -> String {
    let about = about();
    format!(
        "{about}.\n\nWithout a subcommand griot speaks the protocol on stdin and stdout; type `help` there, or read protocol.md. What can be set is listed by griot help options."
    )
}

fn game_help() -> String {
    let forms: Vec<&str> = names().map(|name| name.form).collect();
    format!("The game: {}", forms.join(", "))
}

fn game_or_default_help() -> String {
    format!("The game; {DEFAULT_GAME} if none is named")
}

fn game_with_tables_help() -> String {
    let names: Vec<&str> = names_with_tables().collect();
    format!("The game: {}", listed(&names, "or"))
}

/// Words as people list them.
fn listed(words: &[&str], last: &str) -> String {
    match words {
        [first @ .., end] if !first.is_empty() => format!("{} {last} {end}", first.join(", ")),
        words => words.concat(),
    }
}

/// A parser beside which shells offer words; it takes others as well.
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

/// Any text, which whoever wants it reads.
const TEXT: Text = |text| Ok(text.to_owned());

/// The name of a game: any text here, of which the registry says whether it is one. Offered are the names that leave nothing to be
/// filled in.
const GAME: Offering<Text> = Offering { parser: TEXT, words: games };

fn games() -> Vec<String> {
    names().filter(|name| name.is_complete()).map(|name| name.form.to_owned()).collect()
}

/// The names of games with endgame tables.
const GAME_WITH_TABLES: Offering<Text> =
    Offering { parser: TEXT, words: || names_with_tables().map(str::to_owned).collect() };

/// An option and its value. Offered is every value of those that have few of them, and the default of the others.
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

/// A whole number; what is none, or is out of range, is told what would have been right.
fn whole<T: TryFrom<u64>>(least: u64, most: u64) -> impl Fn(&str) -> Result<T, String> + Clone + Send + Sync + 'static {
    move |text| {
        let number = text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok()).flatten();
        let number =
            number.filter(|number| (least..=most).contains(number)).and_then(|number| T::try_from(number).ok());
        number.ok_or_else(|| format!("expected a whole number from {least} to {most}"))
    }
}

/// What can be set, a line each.
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
const WRITTEN: [&str; 8] = ["json", "pgn", "sgf", "ggf", "ogn", "psq", "obf", "moves"];

const FORMAT: Offering<Read<griot_records::Format, String>> =
    Offering { parser: format_name, words: || WRITTEN.map(str::to_owned).to_vec() };

fn format_name(text: &str) -> Result<griot_records::Format, String> {
    let known = WRITTEN.iter().find(|name| name.eq_ignore_ascii_case(text));
    known
        .and_then(|name| griot_records::Format::named(name))
        .ok_or_else(|| format!("expected one of {}", WRITTEN.join(", ")))
}

/// A dialect, by the name the protocol has for it.
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
