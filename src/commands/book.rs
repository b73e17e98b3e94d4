//! `griot book`: grows opening books from searches, checks them and looks into them. Layer 6.
//!
//! Every position that was searched is in the book: one whose moves were searched with the best of them and what that leads to,
//! any other with what its own search found. Values are for the side to move.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::io::{ErrorKind, IsTerminal, Read, Write, stderr};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use griot::book::{self, AnyBook, Entry, LookUpError, Said, Worth};
use griot::files::{self, Claim};
use griot::message::{Problem, ReportedBound};
use griot::protocol::draw;
use griot::registry::{DEFAULT_GAME, Registry, any_book, exact_book};
use indicatif::ProgressBar;
use serde_json::json;

use super::Failure;
use super::analysis::{Analyst, Columns, WrittenPosition};
use super::drawing::value_text;
use super::openings::{Graph, Grown, Key, Manner, Plan, grow};
use super::stop::Stop;
use crate::cli::{self, Cli, GrowBook, Limits, ShowBook, VerifyBook};

pub(super) fn run(cli: &Cli, command: &cli::Book, out: &mut dyn Write) -> Result<(), Failure> {
    match command {
        cli::Book::Grow(args) if args.exact => grow_exact(cli, args, out),
        cli::Book::Grow(args) => grow_book(cli, args, out),
        cli::Book::Info { file, json } => info(file, &*read(file)?, *json, out),
        cli::Book::Verify(args) => verify(cli, args, &*read(&args.file)?, out),
        cli::Book::Show(args) => show(args, &*read(&args.file)?, out),
    }
}

/// The searches that a book is made of, beside it.
fn searches(book: &Path) -> PathBuf {
    let mut name = book.as_os_str().to_owned();
    name.push(".jsonl");
    name.into()
}

fn grow_book(cli: &Cli, args: &GrowBook, out: &mut dyn Write) -> Result<(), Failure> {
    let is_of_books = |option: &&String| {
        let name = option.split('=').next().unwrap_or_default().trim();
        name.eq_ignore_ascii_case("OwnBook") || name.eq_ignore_ascii_case("BookFile")
    };
    if let Some(option) = cli.options.iter().find(is_of_books) {
        return Err(Problem::new(format!("--option {option}: a book is not grown from a book")).into());
    }
    let wrong = |error: std::io::Error| Problem::new(format!("{}: {error}", args.out.display()));
    // What is wrong with a name is said before the first search.
    let claim = Claim::of_file(&args.out).map_err(wrong)?;
    claim.expect(book::MAGIC).map_err(wrong)?;
    let file = searches(&args.out);
    let plan = Plan {
        game: args.game.as_ref().or(cli.game.as_ref()).map_or(DEFAULT_GAME, String::as_str),
        fen: args.fen.as_deref(),
        limits: &args.limits,
        file: &file,
        plies: args.plies,
        positions: args.positions,
        manner: Manner::Book { margin: args.margin.into(), wide_plies: args.wide_plies },
    };
    let Grown { graph, game, searched, .. } = grow(cli, &plan)?;
    let entries = entries(&graph);
    let text = book::text(&game, &remarks(cli, args, &game), &entries);
    // What is written is read, by the rules by which it will be.
    any_book(&text)?;
    claim.replace(|file| file.write_all(text.as_bytes())).map_err(wrong)?;
    let grown = graph.nodes.iter().filter(|node| !node.children.is_empty()).count();
    writeln!(
        out,
        "{}: {} positions of {game}, {grown} of them with all their moves; {searched} were searched now",
        args.out.display(),
        entries.len()
    )?;
    Ok(())
}

/// How often a book of exact values is written while it grows.
const KEPT_EVERY: Duration = Duration::from_secs(60);
/// The memory of the solver's table if none is asked for, in MiB.
const EXACT_HASH: u64 = 64;

/// Solves all positions up to some ply, one after the other.
fn grow_exact(cli: &Cli, args: &GrowBook, out: &mut dyn Write) -> Result<(), Failure> {
    let game = args.game.as_ref().or(cli.game.as_ref()).map_or(DEFAULT_GAME, String::as_str);
    let wrong = |error: &dyn std::fmt::Display| Problem::new(format!("{}: {error}", args.out.display()));
    let mib = usize::try_from(args.limits.hash.unwrap_or(EXACT_HASH)).unwrap_or(usize::MAX);
    let mut book = exact_book(game, args.plies, mib.saturating_mul(1 << 20))?;
    let claim = Claim::of_file(&args.out).map_err(|error| wrong(&error))?;
    claim.expect(book.beginning()).map_err(|error| wrong(&error))?;
    let mut bytes = Vec::new();
    match files::open(&args.out) {
        Err(error) if error.kind() == ErrorKind::NotFound => {}
        file => drop(file.and_then(|mut file| file.read_to_end(&mut bytes)).map_err(|error| wrong(&error))?),
    }
    if !bytes.is_empty() {
        book.read(&bytes).map_err(|error| wrong(&error))?;
    }
    if args.winners {
        book.look_for_winners();
    }
    let stop = Stop::by_ctrl_c()?;
    let (before, all) = book.progress();
    let bar = if stderr().is_terminal() { ProgressBar::new(all as u64) } else { ProgressBar::hidden() };
    bar.set_position(before as u64);
    let nodes = AtomicU64::new(0);
    let halt = |more: u64| {
        nodes.fetch_add(more, Ordering::Relaxed);
        stop.is_said()
    };
    let mut kept = Instant::now();
    while book.grow(&halt) {
        bar.inc(1);
        if kept.elapsed() >= KEPT_EVERY {
            claim.replace(|file| file.write_all(&book.bytes())).map_err(|error| wrong(&error))?;
            kept = Instant::now();
        }
    }
    bar.finish_and_clear();
    claim.replace(|file| file.write_all(&book.bytes())).map_err(|error| wrong(&error))?;
    let (known, all) = book.progress();
    let path = args.out.display();
    writeln!(
        out,
        "{path}: {known} of {all} values of {game}; {} were found now, {} nodes",
        known - before,
        nodes.into_inner()
    )?;
    if known == all { Ok(()) } else { Err(Problem::new("stopped: the same command goes on").into()) }
}

/// Whence the book comes: with the same program and the same command, the same book.
fn remarks(cli: &Cli, args: &GrowBook, game: &str) -> Vec<String> {
    let GrowBook { positions, plies, margin, wide_plies, fen, limits, .. } = args;
    let mut command =
        format!("griot book grow --game {game} --positions {positions} --plies {plies} --margin {margin}");
    let Limits { depth, nodes, movetime, multipv, hash, .. } = limits;
    let numbers = [
        ("wide-plies", Some(u64::from(*wide_plies)).filter(|plies| *plies > 0)),
        ("depth", depth.map(u64::from)),
        ("nodes", limits.go().nodes.or(*nodes)),
        ("movetime", *movetime),
        ("multipv", *multipv),
        ("hash", *hash),
    ];
    for (name, number) in numbers {
        command += &number.map_or(String::new(), |number| format!(" --{name} {number}"));
    }
    command += &fen.as_ref().map_or(String::new(), |fen| format!(" --fen '{fen}'"));
    for option in &cli.options {
        command += &format!(" --option '{option}'");
    }
    vec![format!("griot {}", env!("CARGO_PKG_VERSION")), command]
}

/// The lines of the book, by their plies. Of a position that comes up at several, one is taken that has its moves.
fn entries(graph: &Graph) -> Vec<Entry> {
    let mut places: Vec<usize> = (0..graph.nodes.len()).filter(|&place| !graph.nodes[place].over).collect();
    places.sort_by_key(|&place| (graph.nodes[place].ply, place));
    let mut chosen: HashMap<Key, usize> = HashMap::new();
    for &place in &places {
        let held = chosen.entry(graph.key(&graph.nodes[place].board)).or_insert(place);
        if graph.nodes[*held].children.is_empty() && !graph.nodes[place].children.is_empty() {
            *held = place;
        }
    }
    places.retain(|&place| chosen[&graph.key(&graph.nodes[place].board)] == place);
    let entry = |place: usize| {
        let node = &graph.nodes[place];
        let best = match graph.advised(place) {
            Some(choice) => node.steps[choice].mv.clone(),
            None => node.best.clone()?,
        };
        Some(Entry { board: node.board.clone(), mv: best, worth: node.worth, depth: depth(graph, place) })
    };
    places.into_iter().filter_map(entry).collect()
}

/// The plies that the best move of a node rests on.
fn depth(graph: &Graph, place: usize) -> u32 {
    let node = &graph.nodes[place];
    graph.advised(place).map_or(node.depth.max(1), |choice| {
        let child = node.children[choice];
        1 + if graph.nodes[child].over { 0 } else { depth(graph, child) }
    })
}

/// Reads a book file, of whichever game it is.
fn read(file: &Path) -> Result<Box<dyn AnyBook>, Failure> {
    let text = book::read(file)?;
    any_book(&text).map_err(|problem| Problem::new(format!("{}: {problem}", file.display())).into())
}

/// A value for people.
fn worth_text(worth: Worth) -> String {
    value_text(worth.reported(), ReportedBound::Exact, false)
}

fn info(file: &Path, book: &dyn AnyBook, as_json: bool, out: &mut dyn Write) -> Result<(), Failure> {
    let worths = || (0..).map_while(|number| book.worth(number));
    let mut depths: Vec<u32> = worths().map(|(_, depth)| depth).collect();
    depths.sort_unstable();
    let of = |is: fn(Worth) -> bool| worths().filter(|&(worth, _)| is(worth)).count();
    let wins = of(|worth| worth.is_decisive() && worth.rank() > 0);
    let losses = of(|worth| worth.is_decisive() && worth.rank() < 0);
    let line = book.look_up(None, "").map_err(|error| Problem::new(error.to_string()))?.said;
    let line = line.map_or_else(Vec::new, |said| said.line);
    let (name, positions, checksum) = (book.game(), book.positions(), format!("{:08x}", book.checksum()));
    let depth = |place: usize| depths.get(place).copied().unwrap_or_default();
    let [least, median, most] = [0, positions / 2, positions.saturating_sub(1)].map(depth);
    if as_json {
        let value = json!({
            "file": file, "game": name, "positions": positions, "won": wins, "lost": losses,
            "depth": { "least": least, "median": median, "most": most }, "line": line, "checksum": checksum,
        });
        writeln!(out, "{value}")?;
        return Ok(());
    }
    writeln!(out, "{}: a book for {name}, checksum {checksum}", file.display())?;
    writeln!(out, "{positions} positions, {wins} of them won and {losses} lost for the side to move")?;
    writeln!(out, "plies that they rest on: {least} to {most}, half of them {median} or more")?;
    writeln!(out, "from the start: {}", if line.is_empty() { "nothing".into() } else { line.join(" ") })?;
    Ok(())
}

fn verify(cli: &Cli, args: &VerifyBook, book: &dyn AnyBook, out: &mut dyn Write) -> Result<(), Failure> {
    let VerifyBook { file, search, limits } = args;
    let (name, positions) = (book.game(), book.positions());
    writeln!(out, "{}: good, {positions} positions of {name}", file.display())?;
    let Some(sample) = search.map(|search| usize::try_from(search).unwrap_or(usize::MAX).min(positions)) else {
        return Ok(());
    };
    out.flush()?;
    let stop = Stop::by_ctrl_c()?;
    let mut analyst = Analyst::new(&Registry, cli, limits, &stop);
    let mut same = 0;
    // Spread over the whole book, which is in the order of plies.
    let entries = (0..sample).map_while(|number| book.entry(number * positions / sample));
    for (number, Entry { board, mv, worth, .. }) in entries.enumerate() {
        let found = analyst.analyse(&WrittenPosition::new(name, Some(&board), None), Columns::Apart)?;
        if stop.is_said() {
            return Err(Problem::new(format!("stopped after {number} of {sample} searches")).into());
        }
        let best = found.bestmove.unwrap_or_default();
        if mv == best {
            same += 1;
        } else {
            let value = worth_text(worth);
            writeln!(out, "{board}: the book plays {mv} ({value}), a search of {} plies {best}", found.depth)?;
            out.flush()?;
        }
    }
    writeln!(out, "{sample} positions searched again, the same move in {same} of them")?;
    Ok(())
}

fn show(args: &ShowBook, book: &dyn AnyBook, out: &mut dyn Write) -> Result<(), Failure> {
    let mut seen = book.look_up(args.fen.as_deref(), &args.moves).map_err(|error| match error {
        LookUpError::Board(error) => Problem::new(format!("--fen: {error}")),
        error @ LookUpError::Move { .. } => Problem::new(error.to_string()),
    })?;
    writeln!(out, "{}", draw(&seen.picture))?;
    match seen.said {
        None => writeln!(out, "not in the book")?,
        Some(Said { worth, depth, line }) => {
            writeln!(out, "value {}, depth {depth}, {}", worth_text(worth), line.join(" "))?;
        }
    }
    seen.moves.sort_by_key(|said| Reverse(said.worth.rank()));
    for Said { worth, depth, line } in seen.moves {
        let value = worth_text(worth);
        writeln!(out, "{:<6} {value:>9}  depth {depth:>3}  {}", line[0], line.join(" "))?;
    }
    Ok(())
}
