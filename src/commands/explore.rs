//! `griot explore`: the tree of a game's openings, grown best first through the same searches as `analyse`. Floor 6.
//!
//! The growth depends on the game, the limits and the values alone, so that it can be gone through once more: what the file
//! holds is taken from there, and the rest is searched. Values are for the side to move at their node; costs are in hundredths
//! of the game's unit. CITE: T. Lincke, "Strategies for the automatic construction of opening books", 2001 (drop-out expansion).

use std::cmp::Reverse;
use std::collections::HashMap;
use std::io::Write;
use std::time::Duration;

use griot::message::{Problem, ReportedBound, ReportedScore};
use griot::registry::DEFAULT_GAME;
use indicatif::{ProgressBar, ProgressStyle};
use serde::{Deserialize, Serialize};

use super::Failure;
use super::analysis::{Analysis, Analyst, Columns, Place, Value, open_limited};
use super::crew::{Crew, with_crew};
use super::drawing::{
    Direction, Link, Node as Drawn, Picture, board_lines, dot, mark_main_line, svg, value_text, write_drawing,
};
use super::lines::{LineFile, write_line};
use super::stop::Stop;
use crate::cli::{self, Boards, Cli};

/// What a ply costs: without it, a line of best moves would be followed to its end before anything else is looked at.
const PLY_COST: i64 = 20;

/// The most that one move can cost, such as a win given away.
const MOST_LOST: i64 = 10_000;

pub(super) fn run(cli: &Cli, args: &cli::Explore, out: &mut dyn Write) -> Result<(), Failure> {
    let game = args.game.as_ref().or(cli.game.as_ref()).map_or(DEFAULT_GAME, String::as_str);
    let name = open_limited(cli, game, &args.limits)?.game().to_owned();
    let never = Stop::new();
    let mut rules = Rules { analyst: Analyst::new(cli, &args.limits, &never), game: name.clone() };
    let start = rules.after(args.fen.as_deref(), None)?;

    let limits = limits_text(cli, args);
    let mut held = HashMap::new();
    let mut file = LineFile::open(&args.out, |_, line| {
        let kept = Kept::read(line, &name, &limits)?;
        held.insert((kept.ply, kept.position.board.clone()), kept);
        Ok(())
    })?;

    let stop = Stop::by_ctrl_c()?;
    let bar = bar(args.positions);
    let worker = || {
        let mut analyst = Analyst::new(cli, &args.limits, &stop);
        move |place: Place| analyst.analyse(&place, Columns::Apart)
    };
    let mut growth = Growth { graph: Graph::default(), rules, limits, held, searched: 0, bar: &bar };
    let grown = with_crew(args.limits.jobs, &stop, worker, |crew| growth.grow(args, &start, crew, &mut file));
    bar.finish_and_clear();
    grown?;
    if stop.is_said() {
        let text =
            format!("stopped after {} searches; the same command goes on with {}", growth.searched, args.out.display());
        return Err(Problem::new(text).into());
    }
    let Growth { mut graph, mut rules, limits, searched, .. } = growth;
    graph.settle();
    tell(&graph, &name, searched, out)?;
    if args.svg.is_some() || args.dot.is_some() {
        let picture = picture(&graph, args, &limits, &mut rules)?;
        if let Some(path) = &args.svg {
            write_drawing(path, &svg(&picture))?;
        }
        if let Some(path) = &args.dot {
            write_drawing(path, &dot(&picture))?;
        }
    }
    Ok(())
}

/// What the values in a file depend on, beside the positions.
fn limits_text(cli: &Cli, args: &cli::Explore) -> String {
    let go = args.limits.go();
    let mut words = Vec::new();
    words.extend(go.depth.map(|depth| format!("depth {depth}")));
    words.extend(go.nodes.map(|nodes| format!("nodes {nodes}")));
    words.extend(go.movetime.map(|time| format!("movetime {}", time.as_millis())));
    words.extend(args.limits.multipv.map(|lines| format!("multipv {lines}")));
    words.extend(args.limits.hash.map(|hash| format!("hash {hash}")));
    words.extend(cli.options.iter().cloned());
    words.join(", ")
}

/// A position as a line of the file.
#[derive(Serialize, Deserialize)]
struct Kept {
    ply: u32,
    /// The moves by which it was first reached.
    line: Vec<String>,
    position: Place,
    over: bool,
    limits: String,
    #[serde(flatten)]
    analysis: Analysis,
    /// Where its moves lead.
    moves: Vec<Step>,
}

/// A move, and the board after it.
#[derive(Clone, Serialize, Deserialize)]
struct Step {
    #[serde(rename = "move")]
    mv: String,
    board: String,
}

impl Kept {
    fn read(line: &str, game: &str, limits: &str) -> Result<Kept, Problem> {
        let kept: Kept = serde_json::from_str(line)
            .map_err(|error| Problem::new(format!("expected a position of griot explore; {error}")))?;
        if kept.position.game != game || kept.limits != limits {
            let text = format!(
                "expected a position of {game} searched with {limits}, found one of {} with {}; another tree needs another --out",
                kept.position.game, kept.limits
            );
            return Err(Problem::new(text));
        }
        Ok(kept)
    }
}

/// The rules of the game, asked through a session.
struct Rules<'a> {
    analyst: Analyst<'a>,
    game: String,
}

impl Rules<'_> {
    fn place(&self, board: Option<&str>, moves: Option<&str>) -> Place {
        Place::new(&self.game, board, moves)
    }

    /// The board text after the moves.
    fn after(&mut self, board: Option<&str>, moves: Option<&str>) -> Result<String, Problem> {
        self.ask(board, moves, "fen")
    }

    /// Whether the game is over after the moves.
    fn is_over(&mut self, board: &str, moves: Option<&str>) -> Result<bool, Problem> {
        Ok(self.ask(Some(board), moves, "gameover")? == "true")
    }

    /// Where the moves of a position lead.
    fn steps(&mut self, board: &str) -> Result<Vec<Step>, Problem> {
        let moves = self.ask(Some(board), None, "legalmoves")?;
        let step = |mv: &str| Ok(Step { mv: mv.into(), board: self.after(Some(board), Some(mv))? });
        moves.split_whitespace().map(step).collect()
    }

    fn drawing(&mut self, board: &str) -> Result<String, Problem> {
        let place = self.place(Some(board), None);
        Ok(self.analyst.set_up(&place, Columns::Apart)?.board().unwrap_or_default())
    }

    fn ask(&mut self, board: Option<&str>, moves: Option<&str>, question: &str) -> Result<String, Problem> {
        let place = self.place(board, moves);
        let answer = self.analyst.set_up(&place, Columns::Apart)?.query(question);
        answer.ok_or_else(|| Problem::new(format!("{}: no answer to '{question}'", place.game)))
    }
}

/// What a position is worth to its side to move; losses before estimates before wins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Worth {
    Cp(i32),
    /// Plies to the end.
    Win(u32),
    Loss(u32),
}

impl Worth {
    /// The same, one ply earlier, for the other side.
    fn backed_up(self) -> Worth {
        match self {
            Worth::Cp(centi) => Worth::Cp(-centi),
            Worth::Win(plies) => Worth::Loss(plies + 1),
            Worth::Loss(plies) => Worth::Win(plies + 1),
        }
    }

    /// A number that is the greater the better it is.
    fn rank(self) -> i64 {
        const DECIDED: i64 = 1 << 40;
        match self {
            Worth::Cp(centi) => centi.into(),
            Worth::Win(plies) => DECIDED - i64::from(plies),
            Worth::Loss(plies) => i64::from(plies) - DECIDED,
        }
    }

    /// In the words of the protocol.
    fn reported(self) -> ReportedScore {
        let moves = |plies: u32| i32::try_from(plies).unwrap_or(i32::MAX);
        match self {
            Worth::Cp(centi) => ReportedScore::Centi(centi),
            Worth::Win(plies) => ReportedScore::Mate(moves(plies.div_ceil(2).max(1))),
            Worth::Loss(0) => ReportedScore::Mate(0),
            Worth::Loss(plies) => ReportedScore::Mate(-moves((plies / 2).max(1))),
        }
    }
}

/// The tree so far: a graph whose levels are plies.
#[derive(Default)]
struct Graph {
    /// In the order in which they were found, the root first.
    nodes: Vec<Node>,
    /// Where the node of this ply with this board text is.
    known: HashMap<(u32, String), usize>,
}

struct Node {
    ply: u32,
    board: String,
    /// The moves by which it was first reached.
    line: Vec<String>,
    over: bool,
    /// What its own search found.
    searched: Worth,
    best: Option<String>,
    /// What its moves make of it; what its own search found while it has none.
    worth: Worth,
    /// How far it is from best play.
    cost: i64,
    /// The nearest way to it: the node before.
    parent: Option<usize>,
    steps: Vec<Step>,
    /// Where its moves lead, each in the place of its step; nothing before they are searched.
    children: Vec<usize>,
}

impl Graph {
    /// Brings values up and costs down.
    fn settle(&mut self) {
        // A position may have been there before one that leads to it, but never at its ply.
        let mut levels: Vec<usize> = (0..self.nodes.len()).collect();
        levels.sort_by_key(|&place| self.nodes[place].ply);
        for &place in levels.iter().rev() {
            let worths = self.nodes[place].children.iter().map(|&child| self.nodes[child].worth.backed_up());
            if let Some(best) = worths.max_by_key(|worth| worth.rank()) {
                self.nodes[place].worth = best;
            }
        }
        for node in self.nodes.iter_mut().skip(1) {
            (node.cost, node.parent) = (i64::MAX, None);
        }
        for place in levels {
            let (cost, best) = (self.nodes[place].cost, self.nodes[place].worth.rank());
            for number in 0..self.nodes[place].children.len() {
                let child = self.nodes[place].children[number];
                let lost = best - self.nodes[child].worth.backed_up().rank();
                let by_here = cost.saturating_add(lost.min(MOST_LOST) + PLY_COST);
                if by_here < self.nodes[child].cost {
                    (self.nodes[child].cost, self.nodes[child].parent) = (by_here, Some(place));
                }
            }
        }
    }

    /// The node nearest to best play that can still get its moves.
    fn nearest(&self, plies: u32) -> Option<usize> {
        let open = |node: &&Node| node.children.is_empty() && !node.over && node.ply < plies;
        let open = self.nodes.iter().enumerate().filter(|(_, node)| open(node));
        open.min_by_key(|(place, node)| (node.cost, node.ply, *place)).map(|(place, _)| place)
    }

    /// The number of the child that a node chooses, if it has any: the first of the best.
    fn choice(&self, place: usize) -> Option<usize> {
        let children = self.nodes[place].children.iter().enumerate();
        children
            .max_by_key(|&(number, &child)| (self.nodes[child].worth.backed_up().rank(), Reverse(number)))
            .map(|(number, _)| number)
    }

    /// Best play from a node, as far as the tree goes, and the best move behind its end.
    fn best_line(&self, mut place: usize) -> Vec<&str> {
        let mut line = Vec::new();
        while let Some(choice) = self.choice(place) {
            line.push(self.nodes[place].steps[choice].mv.as_str());
            place = self.nodes[place].children[choice];
        }
        line.extend(self.nodes[place].best.as_deref());
        line
    }
}

/// A tree that grows.
struct Growth<'a> {
    graph: Graph,
    rules: Rules<'a>,
    limits: String,
    /// What the file held at the beginning.
    held: HashMap<(u32, String), Kept>,
    searched: u64,
    bar: &'a ProgressBar,
}

type Searchers<'a> = Crew<'a, Place, Result<Analysis, Problem>>;

impl Growth<'_> {
    /// Grows the tree as far as it may, or until it is stopped.
    fn grow(
        &mut self,
        args: &cli::Explore,
        start: &str,
        crew: &Searchers<'_>,
        file: &mut LineFile,
    ) -> Result<(), Failure> {
        if !self.add(&[(start.to_owned(), Vec::new())], 0, crew, file)? {
            return Ok(());
        }
        loop {
            self.graph.settle();
            let Some(place) = self.graph.nearest(args.plies) else { return Ok(()) };
            let Node { ply, line, steps, .. } = &self.graph.nodes[place];
            let (ply, steps) = (ply + 1, steps.clone());
            let mut new: Vec<(String, Vec<String>)> = Vec::new();
            for Step { mv, board } in &steps {
                // Two moves may lead to one position.
                let is_known = self.graph.known.contains_key(&(ply, board.clone()));
                if !is_known && new.iter().all(|(other, _)| other != board) {
                    new.push((board.clone(), line.iter().chain([mv]).cloned().collect()));
                }
            }
            // A node gets all its moves or none.
            if (self.graph.nodes.len() + new.len()) as u64 > args.positions || !self.add(&new, ply, crew, file)? {
                return Ok(());
            }
            let child = |step: &Step| self.graph.known.get(&(ply, step.board.clone())).copied();
            self.graph.nodes[place].children = steps.iter().filter_map(child).collect();
        }
    }

    /// Adds positions of one ply, with the lines that lead there. Answers whether there was time to.
    fn add(
        &mut self,
        new: &[(String, Vec<String>)],
        ply: u32,
        crew: &Searchers<'_>,
        file: &mut LineFile,
    ) -> Result<bool, Failure> {
        let key = |board: &String| (ply, board.clone());
        let unknown = new.iter().filter(|(board, _)| !self.held.contains_key(&key(board)));
        let places: Vec<Place> = unknown.map(|(board, _)| self.rules.place(Some(board), None)).collect();
        let Some(found) = crew.all(places) else { return Ok(false) };
        let mut found = found.into_iter();
        for (board, line) in new {
            let kept = match self.held.remove(&key(board)) {
                Some(kept) => kept,
                None => {
                    let Some(analysis) = found.next() else { break };
                    let kept = self.kept(ply, board, line, analysis?)?;
                    self.searched += 1;
                    let text = serde_json::to_string(&kept).map_err(|error| Problem::new(error.to_string()))?;
                    write_line(file, text).map_err(|error| Problem::new(format!("writing the tree: {error}")))?;
                    kept
                }
            };
            self.push(kept)?;
            self.bar.inc(1);
        }
        Ok(true)
    }

    fn kept(&mut self, ply: u32, board: &str, line: &[String], mut analysis: Analysis) -> Result<Kept, Problem> {
        // A tree is the same whenever it is grown.
        analysis.time = None;
        Ok(Kept {
            ply,
            line: line.to_vec(),
            position: self.rules.place(Some(board), None),
            over: self.rules.is_over(board, None)?,
            limits: self.limits.clone(),
            analysis,
            moves: self.rules.steps(board)?,
        })
    }

    fn push(&mut self, kept: Kept) -> Result<(), Problem> {
        let Kept { ply, line, position: Place { board, .. }, over, analysis, moves: steps, .. } = kept;
        let worth = match analysis.score.value {
            Value::Cp(centi) => Worth::Cp(centi),
            Value::Mate(moves) => {
                // Which side makes the last move is the game's affair: the line itself tells, if it goes so far.
                let pv = analysis.pv.join(" ");
                let ends = !over && !pv.is_empty() && self.rules.is_over(&board, Some(&pv))?;
                let own = moves.unsigned_abs();
                let plies = match (over, ends) {
                    (true, _) => 0,
                    (_, true) => u32::try_from(analysis.pv.len()).unwrap_or(u32::MAX),
                    _ => {
                        if moves > 0 {
                            2 * own - 1
                        } else {
                            2 * own
                        }
                    }
                };
                if moves > 0 { Worth::Win(plies) } else { Worth::Loss(plies) }
            }
        };
        self.graph.known.insert((ply, board.clone()), self.graph.nodes.len());
        self.graph.nodes.push(Node {
            ply,
            board,
            line,
            over,
            searched: worth,
            best: analysis.bestmove,
            worth,
            cost: 0,
            parent: None,
            steps,
            children: Vec::new(),
        });
        Ok(())
    }
}

/// What came of it, for people: the root's moves, the best first.
fn tell(graph: &Graph, game: &str, searched: u64, out: &mut dyn Write) -> Result<(), Failure> {
    let with_moves = graph.nodes.iter().filter(|node| !node.children.is_empty()).count();
    let moves: usize = graph.nodes.iter().map(|node| node.children.len()).sum();
    let merged = moves + 1 - graph.nodes.len();
    writeln!(
        out,
        "{game}: {} positions, {searched} of them searched now; {with_moves} have all their moves, {merged} moves lead to a \
         position that was there",
        graph.nodes.len()
    )?;
    let Some(root) = graph.nodes.first() else { return Ok(()) };
    if root.children.is_empty() {
        writeln!(out, "value {} best {}", worth_text(root), root.best.as_deref().unwrap_or("-"))?;
        return Ok(());
    }
    writeln!(out, "{:<6} {:>9} {:>9}  best play", "move", "value", "searched")?;
    let mut rows: Vec<(usize, usize)> = root.children.iter().copied().enumerate().collect();
    rows.sort_by_key(|&(_, child)| Reverse(graph.nodes[child].worth.backed_up().rank()));
    for (number, child) in rows {
        let node = &graph.nodes[child];
        let text = |worth: Worth| value_text(worth.backed_up().reported(), ReportedBound::Exact, false);
        let mv = root.steps[number].mv.as_str();
        let line = graph.best_line(child).join(" ");
        writeln!(out, "{mv:<6} {:>9} {:>9}  {mv} {line}", text(node.worth), text(node.searched))?;
    }
    Ok(())
}

fn worth_text(node: &Node) -> String {
    value_text(node.worth.reported(), ReportedBound::Exact, node.over)
}

/// The part of the tree that is nearest to best play.
fn picture(graph: &Graph, args: &cli::Explore, limits: &str, rules: &mut Rules<'_>) -> Result<Picture, Problem> {
    let game = rules.game.clone();
    let mut nearest: Vec<usize> = (0..graph.nodes.len()).collect();
    // A parent costs less than its children, so that none is left out before them.
    nearest.sort_by_key(|&place| (graph.nodes[place].cost, place));
    nearest.truncate(usize::try_from(args.drawn).unwrap_or(usize::MAX));
    nearest.sort_by_key(|&place| (graph.nodes[place].ply, place));
    let place_of: HashMap<usize, usize> = nearest.iter().enumerate().map(|(drawn, &place)| (place, drawn)).collect();

    let mut nodes = Vec::new();
    let mut links = Vec::new();
    for &place in &nearest {
        let node = &graph.nodes[place];
        let board = match args.boards {
            Boards::None => Vec::new(),
            Boards::Text => vec![node.board.clone()],
            Boards::Drawing => board_lines(&rules.drawing(&node.board)?),
        };
        let way = node.parent.and_then(|parent| {
            let number = graph.nodes[parent].children.iter().position(|&child| child == place)?;
            Some((parent, number))
        });
        nodes.push(Drawn {
            parent: way.and_then(|(parent, _)| place_of.get(&parent).copied()),
            mv: way.map_or_else(String::new, |(parent, number)| graph.nodes[parent].steps[number].mv.clone()),
            board,
            value: Some(worth_text(node)),
            first_to_move: node.ply.is_multiple_of(2),
            chosen: way.is_some_and(|(parent, number)| graph.choice(parent) == Some(number)),
            main: false,
            hint: format!("{} {}", node.line.join(" "), node.board).trim().to_owned(),
        });
        for (number, child) in node.children.iter().enumerate() {
            let Some(&to) = place_of.get(child) else { continue };
            let is_way = graph.nodes[*child].parent == Some(place)
                && node.children.iter().position(|other| other == child) == Some(number);
            if !is_way {
                links.push(Link { from: place_of[&place], to, mv: node.steps[number].mv.clone() });
            }
        }
    }
    mark_main_line(&mut nodes);
    let (drawn, all) = (nodes.len(), graph.nodes.len());
    let part = if drawn < all { format!("{drawn} of {all} positions") } else { format!("{all} positions") };
    let mut legend = vec![
        "Each value is that of the side to move; boxes with corners: the side that moves first here.".to_owned(),
        "Thick: best play. The other strong lines: each position's best move.".to_owned(),
    ];
    if !links.is_empty() {
        legend.push("Dotted: another way to the same position.".into());
    }
    Ok(Picture {
        title: format!("{game}: openings, {part}, searched with {limits}"),
        nodes,
        links,
        direction: Direction::Right,
        levels: None,
        legend,
    })
}

/// How far it is, on stderr and only where that is a terminal.
fn bar(positions: u64) -> ProgressBar {
    let bar = ProgressBar::new(positions);
    if bar.is_hidden() {
        return bar;
    }
    let template = "{wide_bar} {human_pos} of at most {human_len} positions, {per_sec}, {eta} left";
    bar.set_style(ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}
