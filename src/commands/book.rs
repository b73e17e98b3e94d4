//! `griot book`: grows opening books from searches, checks them and looks into them. Floor 6.
//!
//! Every position that was searched is in the book: one whose moves were searched with the best of them and what that leads to,
//! any other with what its own search found. Values are for the side to move.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::io::{ErrorKind, IsTerminal, Read, Write, stderr};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use griot::book::{self, Advice, Book, Entry, Worth};
use griot::files::{self, Claim};
use griot::game::{Evaluate, Game, Notation, Position as _, Probe};
use griot::message::{Problem, ReportedBound};
use griot::protocol::draw;
use griot::registry::{DEFAULT_GAME, Registry, Visitor, exact_book, with_game};
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
        cli::Book::Info { file, json } => look(file, Info { file, json: *json, out }),
        cli::Book::Verify(args) => look(&args.file, Verify { cli, args, out }),
        cli::Book::Show(args) => look(&args.file, Show { args, out }),
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
        manner: Manner::Book { margin: args.margin.into() },
    };
    let Grown { graph, game, searched, .. } = grow(cli, &plan)?;
    let entries = entries(&graph);
    let text = book::text(&game, &remarks(cli, args, &game), &entries);
    // What is written is read, by the rules by which it will be.
    with_game(&game, Parse(&text))??;
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
    let GrowBook { positions, plies, margin, fen, limits, .. } = args;
    let mut command =
        format!("griot book grow --game {game} --positions {positions} --plies {plies} --margin {margin}");
    let Limits { depth, nodes, movetime, multipv, hash, .. } = limits;
    let numbers = [
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

/// Reads a text as a book of the game visited.
struct Parse<'a>(&'a str);

impl Visitor for Parse<'_> {
    type Output = Result<(), Problem>;

    fn visit<N, E, T>(self, game: Game<N, E, T>) -> Self::Output
    where
        N: Notation,
        E: Evaluate<N::Position>,
        T: Probe<N::Position>,
    {
        Book::parse(self.0, &game.name, &game.notation).map(|_| ())
    }
}

/// Something to be done with a book.
trait Look {
    fn look<N: Notation>(self, name: &str, notation: &N, book: &Book<N::Position>) -> Result<(), Failure>;
}

/// Reads a book for the game visited, and does something with it.
struct Reading<'a, L> {
    file: &'a Path,
    text: &'a str,
    look: L,
}

impl<L: Look> Visitor for Reading<'_, L> {
    type Output = Result<(), Failure>;

    fn visit<N, E, T>(self, game: Game<N, E, T>) -> Self::Output
    where
        N: Notation,
        E: Evaluate<N::Position>,
        T: Probe<N::Position>,
    {
        let book = Book::parse(self.text, &game.name, &game.notation).map_err(|problem| at(self.file, &problem))?;
        self.look.look(&game.name, &game.notation, &book)
    }
}

fn at(file: &Path, problem: &Problem) -> Problem {
    Problem::new(format!("{}: {problem}", file.display()))
}

/// Reads the book file, for whatever game it is.
fn look(file: &Path, look: impl Look) -> Result<(), Failure> {
    let text = book::read(file)?;
    let name = book::game_of(&text).map_err(|problem| at(file, &problem))?;
    with_game(name, Reading { file, text: &text, look }).map_err(|problem| at(file, &problem))?
}

/// A value for people.
fn worth_text(worth: Worth) -> String {
    value_text(worth.reported(), ReportedBound::Exact, false)
}

struct Info<'a> {
    file: &'a Path,
    json: bool,
    out: &'a mut dyn Write,
}

impl Look for Info<'_> {
    fn look<N: Notation>(self, name: &str, notation: &N, book: &Book<N::Position>) -> Result<(), Failure> {
        let advice = || book.lines().iter().map(|line| line.advice);
        let mut depths: Vec<u32> = advice().map(|advice| advice.depth).collect();
        depths.sort_unstable();
        let of = |is: fn(Worth) -> bool| advice().filter(|advice| is(advice.worth)).count();
        let wins = of(|worth| worth.is_decisive() && worth.rank() > 0);
        let losses = of(|worth| worth.is_decisive() && worth.rank() < 0);
        let start = notation.start();
        let line = line_texts(notation, &start, &book.follow(&start));
        let (positions, checksum) = (book.lines().len(), format!("{:08x}", book.checksum()));
        let depth = |place: usize| depths.get(place).copied().unwrap_or_default();
        let [least, median, most] = [0, positions / 2, positions.saturating_sub(1)].map(depth);
        if self.json {
            let value = json!({
                "file": self.file, "game": name, "positions": positions, "won": wins, "lost": losses,
                "depth": { "least": least, "median": median, "most": most }, "line": line, "checksum": checksum,
            });
            writeln!(self.out, "{value}")?;
            return Ok(());
        }
        writeln!(self.out, "{}: a book for {name}, checksum {checksum}", self.file.display())?;
        writeln!(self.out, "{positions} positions, {wins} of them won and {losses} lost for the side to move")?;
        writeln!(self.out, "plies that they rest on: {least} to {most}, half of them {median} or more")?;
        writeln!(self.out, "from the start: {}", if line.is_empty() { "nothing".into() } else { line.join(" ") })?;
        Ok(())
    }
}

/// A line of moves from a position, as texts.
fn line_texts<N: Notation>(
    notation: &N,
    position: &N::Position,
    line: &[<N::Position as griot::game::Position>::Move],
) -> Vec<String> {
    let mut position = position.clone();
    let mut texts = Vec::new();
    for &mv in line {
        texts.push(notation.move_text(&position, mv));
        position.play(mv);
    }
    texts
}

struct Verify<'a> {
    cli: &'a Cli,
    args: &'a VerifyBook,
    out: &'a mut dyn Write,
}

impl Look for Verify<'_> {
    fn look<N: Notation>(self, name: &str, notation: &N, book: &Book<N::Position>) -> Result<(), Failure> {
        let VerifyBook { file, search, limits } = self.args;
        let lines = book.lines();
        writeln!(self.out, "{}: good, {} positions of {name}", file.display(), lines.len())?;
        let Some(sample) = search.map(|search| usize::try_from(search).unwrap_or(usize::MAX).min(lines.len())) else {
            return Ok(());
        };
        self.out.flush()?;
        let stop = Stop::by_ctrl_c()?;
        let mut analyst = Analyst::new(&Registry, self.cli, limits, &stop);
        let mut same = 0;
        for number in 0..sample {
            // Spread over the whole book, which is in the order of plies.
            let book::Line { position, advice } = &lines[number * lines.len() / sample];
            let board = notation.position_text(position);
            let found = analyst.analyse(&WrittenPosition::new(name, Some(&board), None), Columns::Apart)?;
            if stop.is_said() {
                return Err(Problem::new(format!("stopped after {number} of {sample} searches")).into());
            }
            let (mv, best) = (notation.move_text(position, advice.mv), found.bestmove.unwrap_or_default());
            if mv == best {
                same += 1;
            } else {
                let value = worth_text(advice.worth);
                writeln!(self.out, "{board}: the book plays {mv} ({value}), a search of {} plies {best}", found.depth)?;
                self.out.flush()?;
            }
        }
        writeln!(self.out, "{sample} positions searched again, the same move in {same} of them")?;
        Ok(())
    }
}

struct Show<'a> {
    args: &'a ShowBook,
    out: &'a mut dyn Write,
}

impl Look for Show<'_> {
    fn look<N: Notation>(self, _: &str, notation: &N, book: &Book<N::Position>) -> Result<(), Failure> {
        let ShowBook { fen, moves, .. } = self.args;
        let mut position = match fen {
            None => notation.start(),
            Some(fen) => notation.parse_position(fen).map_err(|error| Problem::new(format!("--fen: {error}")))?,
        };
        for (_, text) in notation.split_moves(moves) {
            let mv = notation.parse_move(&position, text);
            position.play(mv.map_err(|error| Problem::new(format!("move '{text}': {error}")))?);
        }
        writeln!(self.out, "{}", draw(&notation.picture(&position)))?;
        match book.find(&position) {
            None => writeln!(self.out, "not in the book")?,
            Some(Advice { worth, depth, .. }) => {
                let line = line_texts(notation, &position, &book.follow(&position)).join(" ");
                writeln!(self.out, "value {}, depth {depth}, {line}", worth_text(worth))?;
            }
        }
        let mut moves = Vec::new();
        position.generate(&mut moves);
        let known = |mv| {
            let next = position.after(mv);
            let advice = book.find(&next)?;
            let mut line = vec![mv];
            line.extend(book.follow(&next));
            Some((advice.worth.backed_up(), advice.depth, line_texts(notation, &position, &line)))
        };
        let mut rows: Vec<_> = moves.into_iter().filter_map(known).collect();
        rows.sort_by_key(|(worth, ..)| Reverse(worth.rank()));
        for (worth, depth, line) in rows {
            let value = worth_text(worth);
            writeln!(self.out, "{:<6} {value:>9}  depth {depth:>3}  {}", line[0], line.join(" "))?;
        }
        Ok(())
    }
}
