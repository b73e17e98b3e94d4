//! `griot tree`: what an algorithm of the course visits, drawn. Layer 6.

use std::io::Write;

use griot::message::{GameTree, Player, ReportedBound, ReportedScore, TreeNode, TreeOrder};
use griot::registry::DEFAULT_GAME;

use super::drawing::{
    DOT, Diagram, Direction, Node, SVG, Sheet, board_lines, dot, mark_main_line, svg, text, value_text,
};
use super::{Failure, open};
use crate::cli::{self, Boards, Cli};

/// The longest board text, in characters, that is written into boxes without being asked for.
const SHORT: usize = 16;

pub(super) fn run(cli: &Cli, args: &cli::TreeArguments, out: &mut dyn Write) -> Result<(), Failure> {
    let game = args.game.as_deref().or(cli.game.as_deref()).unwrap_or(DEFAULT_GAME);
    let svg_sheet = Sheet::claim(args.svg.as_deref(), SVG)?;
    let dot_sheet = Sheet::claim(args.dot.as_deref(), DOT)?;
    let session = open(cli, game, args.fen.as_deref())?;
    let order = TreeOrder { algorithm: args.algorithm.clone(), depth: args.depth, nodes: args.nodes };
    let tree = session.tree(&order)?;
    let picture = picture(args, &tree);
    if let Some(sheet) = &svg_sheet {
        sheet.draw(&svg(&picture))?;
    }
    if let Some(sheet) = &dot_sheet {
        sheet.draw(&dot(&picture))?;
    }
    if svg_sheet.is_none() && dot_sheet.is_none() {
        out.write_all(text(&picture).as_bytes())?;
    }
    Ok(())
}

fn picture(args: &cli::TreeArguments, tree: &GameTree) -> Diagram {
    let boards = args.boards.unwrap_or_else(|| {
        let is_short = tree.nodes.iter().all(|node| node.board.chars().count() <= SHORT);
        if is_short { Boards::Text } else { Boards::None }
    });
    let mut nodes: Vec<Node> = tree.nodes.iter().map(|node| drawn(node, boards)).collect();
    mark_main_line(&mut nodes);
    let visited = nodes.iter().filter(|node| node.value.is_some()).count();
    let cut_off = nodes.len() - visited;

    let depth = args.depth.map_or_else(String::new, |depth| format!(", depth {depth}"));
    let title = format!("{}: {}{depth}, {visited} nodes visited", tree.game, args.algorithm.to_ascii_lowercase());
    let mut legend = Vec::new();
    if tree.for_first {
        legend.push("Values are those of the player who maximises: the one who makes the first move of a game.".into());
    } else {
        legend
            .push("Each value is that of the side to move at its node: the greatest of the opposites below it.".into());
    }
    if tree.nodes.iter().any(|node| node.over || matches!(node.value, Some((ReportedScore::Mate(_), _)))) {
        legend.push("win 2: by the winner's second move from there. won, lost, draw: the game is over.".into());
    }
    if cut_off > 0 {
        legend.push(format!("Dashed: the first moves of {cut_off} branches that were cut off, and never visited."));
        if tree.for_first {
            legend.push("Below MIN those are alpha cuts, below MAX beta cuts.".into());
        }
        legend.push("A node with a ≥ or ≤ has only been shown to be so good, or so bad, that it is not played.".into());
    }
    legend.push("Thick: best play. The other strong lines: what each node chose, the first of the best.".into());
    let levels = tree.for_first.then(|| match tree.nodes.first().map(|root| root.player) {
        Some(Player::Second) => ["MIN", "MAX"],
        _ => ["MAX", "MIN"],
    });
    Diagram { title, nodes, links: Vec::new(), direction: Direction::Down, levels, legend }
}

fn drawn(node: &TreeNode, boards: Boards) -> Node {
    let board = match boards {
        Boards::None => Vec::new(),
        Boards::Text => vec![node.board.clone()],
        Boards::Drawing => board_lines(&node.seen),
    };
    let value = node.value.map(|(score, bound)| {
        // A game that is over has the value it has.
        value_text(score, if node.over { ReportedBound::Exact } else { bound }, node.over)
    });
    // A box must show something.
    let board = if board.is_empty() && value.is_none() { vec!["·".into()] } else { board };
    Node {
        parent: node.parent,
        mv: node.mv.clone().unwrap_or_default(),
        board,
        value,
        first_to_move: node.player == Player::First,
        chosen: node.chosen,
        main: false,
        hint: node.board.clone(),
    }
}
