//! Trees and graphs of play, drawn: as SVG, for Graphviz, and as text. Layer 6.
//!
//! A picture is a tree, with further links where a node has more than one parent. Whatever is drawn is text by now.

mod dot;
mod layout;
mod svg;
mod text;

use std::io::{self, Write};
use std::path::Path;

use griot::files::Claim;
use griot::message::{BoardPicture, Problem, ReportedBound, ReportedScore};
use griot::protocol::{plain, sketch};

/// How drawings begin.
pub(super) const SVG: &str = "<svg";
pub(super) const DOT: &str = "digraph";

pub(super) use dot::dot;
pub(super) use svg::svg;
pub(super) use text::text;

/// What is to be drawn.
pub(super) struct Diagram {
    /// What it shows, in one line.
    pub(super) title: String,
    /// The root, then parents before children, and children from the first to the last.
    pub(super) nodes: Vec<Node>,
    /// Moves that lead to nodes which have another parent in the tree.
    pub(super) links: Vec<Link>,
    /// Where the root's children are.
    pub(super) direction: Direction,
    /// What the levels are called, by turns, beginning with the root's.
    pub(super) levels: Option<[&'static str; 2]>,
    /// How to read it, a line each.
    pub(super) legend: Vec<String>,
}

/// A position.
pub(super) struct Node {
    pub(super) parent: Option<usize>,
    /// The move that leads here.
    pub(super) mv: String,
    /// What stands in its box, a line each.
    pub(super) board: Vec<String>,
    /// What it is worth; nothing where the search did not go.
    pub(super) value: Option<String>,
    /// Whether the player who began is to move.
    pub(super) first_to_move: bool,
    /// Whether its parent chose it.
    pub(super) chosen: bool,
    /// Whether best play leads here from the root.
    pub(super) main: bool,
    /// More about it, for those who ask.
    pub(super) hint: String,
}

impl Node {
    fn is_cut_off(&self) -> bool {
        self.value.is_none()
    }
}

/// A move to a node that has another parent.
pub(super) struct Link {
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) mv: String,
}

/// Where children are.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Direction {
    Down,
    Right,
}

impl Diagram {
    /// The children of each node.
    fn children(&self) -> Vec<Vec<usize>> {
        let mut children = vec![Vec::new(); self.nodes.len()];
        for (place, node) in self.nodes.iter().enumerate() {
            if let Some(parent) = node.parent {
                children[parent].push(place);
            }
        }
        children
    }
}

/// Follows the chosen children from the root, and marks them as best play.
pub(super) fn mark_main_line(nodes: &mut [Node]) {
    let mut end = None;
    // Children stand behind their parents.
    for (place, node) in nodes.iter_mut().enumerate() {
        if node.parent == end && (place == 0 || node.chosen) {
            node.main = true;
            end = Some(place);
        }
    }
}

/// A value for a picture: `+1.5`, `win 3`, `won`.
pub(super) fn value_text(score: ReportedScore, bound: ReportedBound, over: bool) -> String {
    let sign = match bound {
        ReportedBound::Exact => "",
        ReportedBound::Lower => "≥ ",
        ReportedBound::Upper => "≤ ",
    };
    let value = match score {
        ReportedScore::Mate(moves) if over => if moves > 0 { "won" } else { "lost" }.into(),
        ReportedScore::Mate(moves) if moves > 0 => format!("win {moves}"),
        ReportedScore::Mate(moves) => format!("loss {}", -moves),
        ReportedScore::Centi(0) if over => "draw".into(),
        ReportedScore::Centi(0) => "0".into(),
        ReportedScore::Centi(centi) if centi % 100 == 0 => format!("{:+}", centi / 100).replace('-', "−"),
        ReportedScore::Centi(centi) => format!("{:+.2}", f64::from(centi) / 100.0).replace('-', "−"),
    };
    format!("{sign}{value}")
}

/// A board in the lines of a box, as far to the left as it goes.
pub(super) fn board_lines(board: &BoardPicture) -> Vec<String> {
    let lines: Vec<String> = plain(&sketch(board, None)).collect();
    let indent = lines.iter().map(|line| line.len() - line.trim_start().len()).min().unwrap_or_default();
    lines.iter().map(|line| line.get(indent..).unwrap_or_default().trim_end().to_owned()).collect()
}

/// A file for a drawing, claimed before there is one.
pub(super) struct Sheet(Claim);

impl Sheet {
    /// Claims the file, if one is named. What is there must be a drawing of the same kind, which begins so.
    pub(super) fn claim(path: Option<&Path>, beginning: &str) -> Result<Option<Sheet>, Problem> {
        let claim = |path: &Path| {
            let claim = Claim::of_file(path)?;
            claim.expect(beginning)?;
            Ok(Sheet(claim))
        };
        let wrong = |path: &Path, error: io::Error| Problem::new(format!("{}: {error}", path.display()));
        path.map(|path| claim(path).map_err(|error| wrong(path, error))).transpose()
    }

    /// Writes the drawing.
    pub(super) fn draw(&self, drawing: &str) -> Result<(), Problem> {
        let written = self.0.replace(|file| file.write_all(drawing.as_bytes()));
        written.map_err(|error| Problem::new(format!("{}: {error}", self.0.path().display())))
    }
}
