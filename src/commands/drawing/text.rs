//! A picture as lines of text. Layer 6.

use super::Diagram;

/// The picture, a node on each line, its children indented below it.
pub(in crate::commands) fn text(picture: &Diagram) -> String {
    let children = picture.children();
    let mut out = format!("{}\n", picture.title);
    // What is still to be written, the next node last: its place, and the rules that lead to it.
    let mut open = vec![(0, String::new(), String::new())];
    while let Some((place, before, below)) = open.pop() {
        let Some(node) = picture.nodes.get(place) else { break };
        let mut words: Vec<&str> = Vec::new();
        words.extend(Some(node.mv.as_str()).filter(|mv| !mv.is_empty()));
        words.push(node.value.as_deref().unwrap_or("cut off"));
        words.extend(Some(node.hint.as_str()).filter(|hint| !hint.is_empty()));
        let mark = if node.main && place > 0 {
            "  <<"
        } else if node.chosen {
            "  <"
        } else {
            ""
        };
        out.push_str(&format!("{before}{}{mark}\n", words.join("  ")));
        for (number, &child) in children[place].iter().enumerate().rev() {
            let is_last = number + 1 == children[place].len();
            let (branch, rest) = if is_last { ("└─ ", "   ") } else { ("├─ ", "│  ") };
            open.push((child, format!("{below}{branch}"), format!("{below}{rest}")));
        }
    }
    for line in &picture.legend {
        out.push_str(line);
        out.push('\n');
    }
    out
}
