//! A picture for Graphviz. Layer 6.

use std::fmt::Write;

use super::{Diagram, Direction};

/// The picture in the language of `dot`.
pub(in crate::commands) fn dot(picture: &Diagram) -> String {
    let mut out = String::new();
    let direction = if picture.direction == Direction::Down { "TB" } else { "LR" };
    // Writing into a string does not fail.
    let _ = write!(
        out,
        "digraph {} {{\n  rankdir={direction};\n  ordering=out;\n  node [fontname=monospace, fontsize=11];\n  \
         edge [fontname=monospace, fontsize=10, arrowhead=none];\n",
        quoted(&picture.title)
    );
    for (place, node) in picture.nodes.iter().enumerate() {
        let mut label = node.board.join("\n");
        if let Some(value) = &node.value {
            label = if label.is_empty() { value.clone() } else { format!("{label}\n{value}") };
        }
        let shape = if node.first_to_move { "box" } else { "ellipse" };
        let look = match (node.is_cut_off(), node.main) {
            (true, _) => ", style=dashed, color=gray60, fontcolor=gray60",
            (_, true) => ", penwidth=2.5",
            _ => "",
        };
        let (label, hint) = (quoted(&label), quoted(&node.hint));
        let _ = writeln!(out, "  n{place} [label={label}, tooltip={hint}, shape={shape}{look}];");
    }
    for (place, node) in picture.nodes.iter().enumerate() {
        let Some(parent) = node.parent else { continue };
        let look = match (node.is_cut_off(), node.main, node.chosen) {
            (true, ..) => ", style=dashed, color=gray60, fontcolor=gray60",
            (_, true, _) => ", penwidth=3, color=red3",
            (_, _, true) => ", penwidth=2, color=blue",
            _ => "",
        };
        let _ = writeln!(out, "  n{parent} -> n{place} [label={}{look}];", quoted(&node.mv));
    }
    for link in &picture.links {
        let look = "style=dotted, constraint=false";
        let _ = writeln!(out, "  n{} -> n{} [label={}, {look}];", link.from, link.to, quoted(&link.mv));
    }
    out.push_str("}\n");
    out
}

/// A text between quotation marks, with every line on its own.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n"))
}
