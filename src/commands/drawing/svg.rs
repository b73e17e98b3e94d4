//! A picture as SVG: one file, readable on light and dark pages. Layer 6.
//!
//! Lengths are pixels. Text has a fixed pitch, so its width is known without a font. Squares are nodes where the player who began
//! is to move, and round ones those of the other.

use std::fmt::Write;

use super::layout::places;
use super::{Diagram, Direction, Node};

/// The pitch and the height of a line of text in a box.
const CHAR: f64 = 6.7;
const LINE: f64 = 13.0;
/// The pitch of the title.
const TITLE_CHAR: f64 = 8.6;
/// Between a box and its text.
const PAD: f64 = 6.0;
/// Between levels: room for the moves.
const BETWEEN_DOWN: f64 = 44.0;
const BETWEEN_RIGHT: f64 = 58.0;
const MARGIN: f64 = 16.0;
const TITLE: f64 = 26.0;
const LEGEND_LINE: f64 = 17.0;
/// Room for the names of the levels.
const LEVEL_NAMES: f64 = 44.0;

const STYLE: &str = "\
text{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace;font-size:11px;fill:#1f2328}
.page{fill:#ffffff}
.title{font-size:14px;font-weight:bold}
.note{fill:#59636e}
.value{font-weight:bold;text-anchor:middle}
.move{text-anchor:middle;paint-order:stroke;stroke:#ffffff;stroke-width:4px;stroke-linejoin:round}
.box{fill:#eef2f6;stroke:#59636e;stroke-width:1.2}
.round{fill:#fdf3dc}
.main{stroke:#c62f3b;stroke-width:2.4}
.edge{fill:none;stroke:#8c959f;stroke-width:1.2}
.best{stroke:#1a66d6;stroke-width:2}
.line{stroke:#c62f3b;stroke-width:3.2}
.link{stroke-dasharray:2 3}
.cut{stroke:#b4bcc4;stroke-dasharray:4 3}
.cutbox{fill:#ffffff;stroke:#b4bcc4;stroke-dasharray:4 3}
.cuttext{fill:#78828c}
@media (prefers-color-scheme:dark){
text{fill:#e6edf3}
.page{fill:#0d1117}
.note{fill:#9198a1}
.move{stroke:#0d1117}
.box{fill:#1c2430;stroke:#8b949e}
.round{fill:#33291a}
.main{stroke:#ff7b72}
.edge{stroke:#6e7681}
.best{stroke:#6cb6ff}
.line{stroke:#ff7b72}
.cut{stroke:#4b535d}
.cutbox{fill:#0d1117;stroke:#4b535d}
.cuttext{fill:#848d97}
}
";

/// A box, by its middle.
#[derive(Clone, Copy)]
struct Frame {
    x: f64,
    y: f64,
    width: f64,
    height: f64,
}

/// The picture as a file of SVG.
pub(in crate::commands) fn svg(picture: &Diagram) -> String {
    let frames = frames(picture);
    let right = frames.iter().map(|frame| frame.x + frame.width / 2.0).fold(0.0, f64::max);
    let bottom = frames.iter().map(|frame| frame.y + frame.height / 2.0).fold(0.0, f64::max);
    let chars = |line: &String| line.chars().count() as f64;
    let legend =
        picture.legend.iter().map(|line| chars(line) * CHAR).fold(chars(&picture.title) * TITLE_CHAR, f64::max);
    let width = (right + MARGIN).max(legend + 2.0 * MARGIN).ceil();
    let height = (bottom + MARGIN + LEGEND_LINE * picture.legend.len() as f64).ceil();

    let mut out = String::new();
    let title = escaped(&picture.title);
    // Writing into a string does not fail.
    let _ = write!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" \
         role=\"img\" aria-label=\"{title}\">\n<style>\n{STYLE}</style>\n\
         <rect class=\"page\" width=\"{width}\" height=\"{height}\"/>\n\
         <text class=\"title\" x=\"{MARGIN}\" y=\"{}\">{title}</text>\n",
        MARGIN + 10.0
    );
    level_names(picture, &frames, &mut out);
    // Moves lie over all lines, and best play over other lines.
    let mut labels = String::new();
    let order = |node: &Node| (!node.is_cut_off(), node.chosen, node.main);
    let mut places: Vec<usize> = (0..picture.nodes.len()).collect();
    places.sort_by_key(|&place| order(&picture.nodes[place]));
    for link in &picture.links {
        edge(
            picture.direction,
            frames[link.from],
            frames[link.to],
            "edge link",
            &link.mv,
            "note",
            &mut out,
            &mut labels,
        );
    }
    for &place in &places {
        let node = &picture.nodes[place];
        let Some(parent) = node.parent else { continue };
        let (look, text) = match (node.is_cut_off(), node.main, node.chosen) {
            (true, ..) => ("edge cut", "cuttext"),
            (_, true, _) => ("edge line", ""),
            (_, _, true) => ("edge best", ""),
            _ => ("edge", ""),
        };
        edge(picture.direction, frames[parent], frames[place], look, &node.mv, text, &mut out, &mut labels);
    }
    for (node, frame) in picture.nodes.iter().zip(&frames) {
        draw_box(node, *frame, &mut out);
    }
    out.push_str(&labels);
    for (number, line) in picture.legend.iter().enumerate() {
        let y = bottom + MARGIN + LEGEND_LINE * (number as f64 + 0.5);
        let _ = writeln!(out, "<text class=\"note\" x=\"{MARGIN}\" y=\"{}\">{}</text>", at(y), escaped(line));
    }
    out.push_str("</svg>\n");
    out
}

/// Where the boxes go.
fn frames(picture: &Diagram) -> Vec<Frame> {
    let sizes: Vec<(f64, f64)> = picture.nodes.iter().map(size).collect();
    let down = picture.direction == Direction::Down;
    let along: Vec<f64> = sizes.iter().map(|&(width, height)| if down { width } else { height }).collect();
    let along = places(&picture.children(), &along);

    let mut levels = Vec::with_capacity(sizes.len());
    for node in &picture.nodes {
        levels.push(node.parent.map_or(0, |parent: usize| levels[parent] + 1));
    }
    let mut thickness = vec![0.0; levels.iter().max().map_or(0, |deepest| deepest + 1)];
    for (&level, &(width, height)) in levels.iter().zip(&sizes) {
        thickness[level] = f64::max(thickness[level], if down { height } else { width });
    }
    let between = if down { BETWEEN_DOWN } else { BETWEEN_RIGHT };
    let middle =
        |level: usize| thickness[..level].iter().map(|before| before + between).sum::<f64>() + thickness[level] / 2.0;
    let left = if picture.levels.is_some() { MARGIN + LEVEL_NAMES } else { MARGIN };
    let top = MARGIN + TITLE;
    let frame = |((&(width, height), along), &level): ((&(f64, f64), f64), &usize)| {
        let (x, y) = if down { (along, middle(level)) } else { (middle(level), along) };
        Frame { x: x + left, y: y + top, width, height }
    };
    sizes.iter().zip(along).zip(&levels).map(frame).collect()
}

/// The width and height of a box.
fn size(node: &Node) -> (f64, f64) {
    let lines = node.board.iter().chain(&node.value);
    let widest = lines.clone().map(|line| line.chars().count()).max().unwrap_or_default();
    let height = lines.count().max(1) as f64 * LINE + PAD;
    // Round ends take some of the width.
    let ends = if node.first_to_move { 0.0 } else { 6.0 };
    ((widest.max(2) as f64 * CHAR + 2.0 * PAD + ends).round(), height)
}

fn draw_box(node: &Node, frame: Frame, out: &mut String) {
    let Frame { x, y, width, height } = frame;
    let mut look = String::from("box");
    if !node.first_to_move {
        look += " round";
    }
    if node.main {
        look += " main";
    }
    if node.is_cut_off() {
        look += " cutbox";
    }
    let radius = if node.first_to_move { 2.0 } else { (height / 2.0).min(12.0) };
    let (left, top) = (x - width / 2.0, y - height / 2.0);
    let _ = write!(
        out,
        "<g><title>{}</title><rect class=\"{look}\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"{}\"/>",
        escaped(&node.hint),
        at(left),
        at(top),
        at(width),
        at(height),
        at(radius)
    );
    let text = if node.is_cut_off() { " class=\"cuttext\"" } else { "" };
    let longest = node.board.iter().map(|line| line.chars().count()).max().unwrap_or_default();
    let start = x - longest as f64 * CHAR / 2.0;
    let mut baseline = top + PAD / 2.0 + LINE - 3.0;
    for line in &node.board {
        let _ = write!(
            out,
            "<text{text} xml:space=\"preserve\" x=\"{}\" y=\"{}\" textLength=\"{}\">{}</text>",
            at(start),
            at(baseline),
            at((line.chars().count().max(1)) as f64 * CHAR),
            escaped(line)
        );
        baseline += LINE;
    }
    if let Some(value) = &node.value {
        let _ = write!(out, "<text class=\"value\" x=\"{}\" y=\"{}\">{}</text>", at(x), at(baseline), escaped(value));
    }
    out.push_str("</g>\n");
}

/// A line from box to box, and the move on it.
#[allow(clippy::too_many_arguments)] // everything there is to say about one line
fn edge(
    direction: Direction,
    from: Frame,
    to: Frame,
    look: &str,
    mv: &str,
    text: &str,
    out: &mut String,
    labels: &mut String,
) {
    let (x, y) = match direction {
        Direction::Down => {
            let (start, end) = (from.y + from.height / 2.0, to.y - to.height / 2.0);
            let _ =
                writeln!(out, "<path class=\"{look}\" d=\"M{} {}L{} {}\"/>", at(from.x), at(start), at(to.x), at(end));
            // Nearer to the child, where lines are further apart.
            (from.x + 0.68 * (to.x - from.x), start + 0.68 * (end - start) + 4.0)
        }
        Direction::Right => {
            let (start, end) = (from.x + from.width / 2.0, to.x - to.width / 2.0);
            let middle = f64::midpoint(start, end);
            let _ = writeln!(
                out,
                "<path class=\"{look}\" d=\"M{} {}C{} {} {} {} {} {}\"/>",
                at(start),
                at(from.y),
                at(middle),
                at(from.y),
                at(middle),
                at(to.y),
                at(end),
                at(to.y)
            );
            (end - 4.0 - mv.chars().count() as f64 * CHAR / 2.0, to.y + 4.0)
        }
    };
    let class = if text.is_empty() { "move".into() } else { format!("move {text}") };
    let _ = writeln!(labels, "<text class=\"{class}\" x=\"{}\" y=\"{}\">{}</text>", at(x), at(y), escaped(mv));
}

/// The names of the levels, at the left.
fn level_names(picture: &Diagram, frames: &[Frame], out: &mut String) {
    let Some(names) = picture.levels else { return };
    let mut heights: Vec<f64> = Vec::new();
    for frame in frames {
        if !heights.iter().any(|height| (height - frame.y).abs() < 0.5) {
            heights.push(frame.y);
        }
    }
    heights.sort_by(f64::total_cmp);
    for (y, name) in heights.iter().zip(names.iter().cycle()) {
        let _ = writeln!(out, "<text class=\"note\" x=\"{MARGIN}\" y=\"{}\">{name}</text>", at(y + 4.0));
    }
}

/// A length, with a tenth of a pixel.
fn at(length: f64) -> String {
    let text = format!("{length:.1}");
    text.strip_suffix(".0").map_or(text.clone(), str::to_owned)
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
