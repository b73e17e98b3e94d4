//! Openings: the tree that `explore` and `book grow` have in common, grown best first through the same searches as `analyse`.
//! Layer 6.
//!
//! The growth depends on the game, the limits and the values alone, so that it can be gone through once more: what the file
//! holds is taken from there, and the rest is searched. Values are for the side to move at their node; costs are in hundredths
//! of the game's unit. CITE: T. Lincke, "Strategies for the automatic construction of opening books", 2001 (drop-out expansion).

use std::cmp::Reverse;
use std::collections::HashMap;
use std::path::Path;

use griot::book::Worth;
use griot::message::{BoardPicture, PositionState, Problem};
use griot::prover::AnyProver;
use griot::registry::{Registry, any_prover};
use indicatif::ProgressBar;
use serde::{Deserialize, Serialize};

use super::Failure;
use super::analysis::{Analysis, Analyst, Columns, ScoreWord, WrittenPosition, open_limited};
use super::lines::{Known, LineFile, begins_as, breaks_off, write_line};
use super::pool::{Pool, with_pool};
use super::progress::{Whole, bar};
use super::stop::Stop;
use crate::cli::{Cli, Limits};

/// What a ply costs: without it, a line of best moves would be followed to its end before anything else is looked at.
const PLY_COST: i64 = 20;

/// The most that one move can cost, such as a win given away.
const MOST_LOST: i64 = 10_000;

/// Beyond every cost: no way leads there.
const UNREACHED: i64 = i64::MAX;

/// What is to grow.
pub(super) struct Plan<'a> {
    pub(super) game: &'a str,
    /// Where it begins, if not at the start.
    pub(super) fen: Option<&'a str>,
    /// The limits of each search.
    pub(super) limits: &'a Limits,
    /// Where the searches are kept.
    pub(super) file: &'a Path,
    /// How deep it may grow.
    pub(super) plies: u32,
    /// How many positions it may have.
    pub(super) positions: u64,
    pub(super) manner: Manner,
}

/// Which positions get their moves before others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Manner {
    /// Those nearest to best play, whichever side plays worse.
    Tree,
    /// Those that a player comes to who plays the best moves against one who gives away no more than `margin` by each of his.
    /// Positions that are images of each other are one. What is decided comes last.
    Book {
        /// Hundredths.
        margin: i64,
        /// Before this ply, as in a tree.
        wide_plies: u32,
    },
}

impl Manner {
    /// What it costs the book of either side to come to a node by a move, when `so_far` is what it costs to come to the node
    /// before; `ply` is that node's, and `lost` what the move gives away.
    fn costs(self, so_far: [i64; 2], ply: u32, lost: i64) -> [i64; 2] {
        let mover = (ply % 2) as usize;
        let toll = |side: usize| match self {
            Manner::Book { margin, wide_plies } if ply >= wide_plies => {
                let most = if side == mover { 0 } else { margin };
                (lost <= most).then_some(lost)
            }
            Manner::Tree | Manner::Book { .. } => Some(lost.min(MOST_LOST)),
        };
        let cost = |side: usize| toll(side).map_or(UNREACHED, |toll| so_far[side].saturating_add(toll + PLY_COST));
        [cost(0), cost(1)]
    }
}

/// What has grown.
pub(super) struct Grown {
    pub(super) graph: Graph,
    /// The name of the game.
    pub(super) game: String,
    /// What its values depend on, beside the positions.
    pub(super) limits: String,
    /// How many searches were made now.
    pub(super) searched: u64,
}

/// Grows a tree, or goes on with one.
///
/// # Errors
/// When there is no such game or position, the file cannot be used, or the growth was stopped: the file then has what is done.
pub(super) fn grow(cli: &Cli, plan: &Plan<'_>) -> Result<Grown, Failure> {
    let name = open_limited(&Registry, cli, plan.game, plan.limits)?.game().to_owned();
    let never = Stop::new();
    let mut rules = Rules::new(cli, plan.limits, &never, &name);
    let start = rules.after(plan.fen, None)?;

    let limits = limits_text(cli, plan.limits);
    let mut held = Held { game: &name, limits: &limits, kept: HashMap::new() };
    let mut file = LineFile::open(plan.file, &mut held)?;
    let held = held.kept;

    let stop = Stop::by_ctrl_c()?;
    let bar = bar(Whole::AtMost(plan.positions), "positions");
    let worker = || {
        let mut analyst = Analyst::new(&Registry, cli, plan.limits, &stop);
        move |place: WrittenPosition| analyst.analyse(&place, Columns::Apart)
    };
    let prover = match plan.manner {
        Manner::Tree => None,
        Manner::Book { .. } => Some(any_prover(&name, None)?),
    };
    let graph = Graph { nodes: Vec::new(), known: HashMap::new(), prover, manner: plan.manner };
    let mut growth = Growth { graph, rules, limits, held, searched: 0, bar: &bar };
    let grown = with_pool(plan.limits.jobs, &stop, worker, |pool| growth.grow(plan, &start, pool, &mut file));
    bar.finish_and_clear();
    grown?;
    if stop.is_said() {
        let (searched, file) = (growth.searched, plan.file.display());
        let text = format!("stopped after {searched} searches; the same command goes on with {file}");
        return Err(Problem::new(text).into());
    }
    let Growth { mut graph, limits, searched, .. } = growth;
    graph.settle();
    Ok(Grown { graph, game: name, limits, searched })
}

/// What the values in a file depend on, beside the positions.
fn limits_text(cli: &Cli, limits: &Limits) -> String {
    let go = limits.go();
    let mut words = Vec::new();
    words.extend(go.depth.map(|depth| format!("depth {depth}")));
    words.extend(go.nodes.map(|nodes| format!("nodes {nodes}")));
    words.extend(go.movetime.map(|time| format!("movetime {}", time.as_millis())));
    words.extend(limits.multipv.map(|lines| format!("multipv {lines}")));
    words.extend(limits.hash.map(|hash| format!("hash {hash}")));
    words.extend(cli.options.iter().cloned());
    words.join(", ")
}

/// A position as a line of the file.
#[derive(Serialize, Deserialize)]
struct TreeRecord {
    ply: u32,
    /// The moves by which it was first reached.
    line: Vec<String>,
    position: WrittenPosition,
    over: bool,
    limits: String,
    #[serde(flatten)]
    analysis: Analysis,
    /// Where its moves lead.
    moves: Vec<Step>,
}

/// A move, and the board after it.
#[derive(Clone, Serialize, Deserialize)]
pub(super) struct Step {
    #[serde(rename = "move")]
    pub(super) mv: String,
    pub(super) board: String,
}

/// What the file holds, by ply and board.
struct Held<'a> {
    game: &'a str,
    limits: &'a str,
    kept: HashMap<(u32, String), TreeRecord>,
}

impl Known for Held<'_> {
    fn take(&mut self, line: &str) -> Result<(), Problem> {
        let kept = TreeRecord::read(line, self.game, self.limits)?;
        self.kept.insert((kept.ply, kept.position.board.clone()), kept);
        Ok(())
    }

    fn may_begin(&self, text: &str, _: bool) -> bool {
        begins_as(text, r#"{"ply":#,"line":["#) && breaks_off(text)
    }
}

impl TreeRecord {
    fn read(line: &str, game: &str, limits: &str) -> Result<TreeRecord, Problem> {
        let kept: TreeRecord = serde_json::from_str(line)
            .map_err(|error| Problem::new(format!("expected a position of griot explore or griot book; {error}")))?;
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
pub(super) struct Rules<'a> {
    analyst: Analyst<'a>,
    game: String,
}

impl<'a> Rules<'a> {
    pub(super) fn new(cli: &'a Cli, limits: &'a Limits, stop: &'a Stop, game: &str) -> Rules<'a> {
        Rules { analyst: Analyst::new(&Registry, cli, limits, stop), game: game.to_owned() }
    }

    fn place(&self, board: Option<&str>, moves: Option<&str>) -> WrittenPosition {
        WrittenPosition::new(&self.game, board, moves)
    }

    /// The board text after the moves.
    fn after(&mut self, board: Option<&str>, moves: Option<&str>) -> Result<String, Problem> {
        Ok(self.state(board, moves)?.board)
    }

    /// Whether the game is over after the moves.
    fn is_over(&mut self, board: &str, moves: Option<&str>) -> Result<bool, Problem> {
        Ok(self.state(Some(board), moves)?.result.is_some())
    }

    /// Where the moves of a position lead.
    fn steps(&mut self, board: &str) -> Result<Vec<Step>, Problem> {
        let place = self.place(Some(board), None);
        let moves = self.analyst.set_up(&place, Columns::Apart)?.legal_moves();
        let step = |mv: String| Ok(Step { board: self.after(Some(board), Some(&mv))?, mv });
        moves.into_iter().map(step).collect()
    }

    /// What is to be seen of a position.
    pub(super) fn seen(&mut self, board: &str) -> Result<BoardPicture, Problem> {
        let place = self.place(Some(board), None);
        let picture = self.analyst.set_up(&place, Columns::Apart)?.picture();
        Ok(picture.unwrap_or_default().board)
    }

    fn state(&mut self, board: Option<&str>, moves: Option<&str>) -> Result<PositionState, Problem> {
        let place = self.place(board, moves);
        let state = self.analyst.set_up(&place, Columns::Apart)?.state();
        state.ok_or_else(|| Problem::new(format!("{}: there is no position", place.game)))
    }
}

/// The tree so far: a graph whose levels are plies.
pub(super) struct Graph {
    /// In the order in which they were found, the root first.
    pub(super) nodes: Vec<Node>,
    /// Where the node of this ply is that has this board text, or stands for it.
    known: HashMap<(u32, Key), usize>,
    prover: Option<Box<dyn AnyProver>>,
    manner: Manner,
}

/// What positions that are one have in common.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum Key {
    BoardPicture(String),
    Folded(u64),
}

pub(super) struct Node {
    pub(super) ply: u32,
    pub(super) board: String,
    /// The moves by which it was first reached.
    pub(super) line: Vec<String>,
    pub(super) over: bool,
    /// What its own search found, and how deep it was.
    pub(super) searched: Worth,
    pub(super) depth: u32,
    pub(super) best: Option<String>,
    /// What its moves make of it; what its own search found while it has none.
    pub(super) worth: Worth,
    /// How far it is from best play, for the book of the side that moves at the root and for that of the other one.
    costs: [i64; 2],
    /// The nearest way to it: the node before.
    pub(super) parent: Option<usize>,
    pub(super) steps: Vec<Step>,
    /// Where its moves lead, each in the place of its step; nothing before they are searched.
    pub(super) children: Vec<usize>,
}

impl Node {
    /// How far it is from best play.
    pub(super) fn cost(&self) -> i64 {
        self.costs[0].min(self.costs[1])
    }
}

impl Graph {
    /// By what this position is known.
    pub(super) fn key(&self, board: &str) -> Key {
        let folded = self.prover.as_ref().and_then(|prover| prover.folded(board));
        folded.map_or_else(|| Key::BoardPicture(board.to_owned()), Key::Folded)
    }

    /// Where the node of this ply with this board is.
    fn find(&self, ply: u32, board: &str) -> Option<usize> {
        self.known.get(&(ply, self.key(board))).copied()
    }

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
            (node.costs, node.parent) = ([UNREACHED; 2], None);
        }
        for place in levels {
            let Node { costs, worth, ply, .. } = self.nodes[place];
            for number in 0..self.nodes[place].children.len() {
                let child = self.nodes[place].children[number];
                let lost = worth.rank() - self.nodes[child].worth.backed_up().rank();
                let by_here = self.manner.costs(costs, ply, lost);
                let child = &mut self.nodes[child];
                let before = child.cost();
                child.costs = [0, 1].map(|side| child.costs[side].min(by_here[side]));
                if child.cost() < before {
                    child.parent = Some(place);
                }
            }
        }
    }

    /// The node nearest to best play that can still get its moves.
    fn nearest(&self, plies: u32) -> Option<usize> {
        let open = |node: &Node| node.children.is_empty() && !node.over && node.ply < plies && node.cost() < UNREACHED;
        let comes_last = |node: &Node| self.manner != Manner::Tree && node.worth.is_decisive();
        let open = self.nodes.iter().enumerate().filter(|(_, node)| open(node));
        open.min_by_key(|(place, node)| (comes_last(node), node.cost(), node.ply, *place)).map(|(place, _)| place)
    }

    /// The number of the child that a node chooses, if it has any: the first of the best.
    pub(super) fn choice(&self, place: usize) -> Option<usize> {
        let children = self.nodes[place].children.iter().enumerate();
        children
            .max_by_key(|&(number, &child)| (self.nodes[child].worth.backed_up().rank(), Reverse(number)))
            .map(|(number, _)| number)
    }

    /// The number of the child whose move a book plays: of the best ones that which the node's own search found, if it is one.
    pub(super) fn advised(&self, place: usize) -> Option<usize> {
        let Node { steps, children, best, .. } = &self.nodes[place];
        let choice = self.choice(place)?;
        let rank = |number: usize| self.nodes[children[number]].worth.backed_up().rank();
        let own = steps.iter().position(|step| Some(&step.mv) == best.as_ref());
        Some(own.filter(|&own| rank(own) == rank(choice)).unwrap_or(choice))
    }

    /// Best play from a node, as far as the tree goes, and the best move behind its end.
    pub(super) fn best_line(&self, mut place: usize) -> Vec<&str> {
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
    held: HashMap<(u32, String), TreeRecord>,
    searched: u64,
    bar: &'a ProgressBar,
}

type Searchers<'a> = Pool<'a, WrittenPosition, Result<Analysis, Problem>>;

impl Growth<'_> {
    /// Grows the tree as far as it may, or until it is stopped.
    fn grow(&mut self, plan: &Plan<'_>, start: &str, pool: &Searchers<'_>, file: &mut LineFile) -> Result<(), Failure> {
        if !self.add(&[(start.to_owned(), Vec::new())], 0, pool, file)? {
            return Ok(());
        }
        loop {
            self.graph.settle();
            let Some(place) = self.graph.nearest(plan.plies) else { return Ok(()) };
            let Node { ply, line, steps, .. } = &self.graph.nodes[place];
            let (ply, steps) = (ply + 1, steps.clone());
            let mut new: Vec<(String, Vec<String>)> = Vec::new();
            for Step { mv, board } in &steps {
                // Two moves may lead to one position.
                let key = self.graph.key(board);
                let is_known = self.graph.known.contains_key(&(ply, key.clone()));
                if !is_known && new.iter().all(|(other, _)| self.graph.key(other) != key) {
                    new.push((board.clone(), line.iter().chain([mv]).cloned().collect()));
                }
            }
            // A node gets all its moves or none.
            if (self.graph.nodes.len() + new.len()) as u64 > plan.positions || !self.add(&new, ply, pool, file)? {
                return Ok(());
            }
            let child = |step: &Step| self.graph.find(ply, &step.board);
            self.graph.nodes[place].children = steps.iter().filter_map(child).collect();
        }
    }

    /// Adds positions of one ply, with the lines that lead there. Answers whether there was time to.
    fn add(
        &mut self,
        new: &[(String, Vec<String>)],
        ply: u32,
        pool: &Searchers<'_>,
        file: &mut LineFile,
    ) -> Result<bool, Failure> {
        let key = |board: &String| (ply, board.clone());
        let unknown = new.iter().filter(|(board, _)| !self.held.contains_key(&key(board)));
        let places: Vec<WrittenPosition> = unknown.map(|(board, _)| self.rules.place(Some(board), None)).collect();
        let Some(found) = pool.all(places) else { return Ok(false) };
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

    fn kept(&mut self, ply: u32, board: &str, line: &[String], mut analysis: Analysis) -> Result<TreeRecord, Problem> {
        // A tree is the same whenever it is grown.
        analysis.time = None;
        Ok(TreeRecord {
            ply,
            line: line.to_vec(),
            position: self.rules.place(Some(board), None),
            over: self.rules.is_over(board, None)?,
            limits: self.limits.clone(),
            analysis,
            moves: self.rules.steps(board)?,
        })
    }

    fn push(&mut self, kept: TreeRecord) -> Result<(), Problem> {
        let TreeRecord { ply, line, position: WrittenPosition { board, .. }, over, analysis, moves: steps, .. } = kept;
        let worth = match analysis.score.value {
            ScoreWord::Cp(centi) => Worth::Centi(centi),
            ScoreWord::Mate(moves) => {
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
        self.graph.known.insert((ply, self.graph.key(&board)), self.graph.nodes.len());
        self.graph.nodes.push(Node {
            ply,
            board,
            line,
            over,
            searched: worth,
            depth: analysis.depth,
            best: analysis.bestmove,
            worth,
            costs: [0; 2],
            parent: None,
            steps,
            children: Vec::new(),
        });
        Ok(())
    }
}
