//! `griot explore`: the tree of a game's openings, told and drawn. Layer 6.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::io::Write;

use griot::book::Worth;
use griot::message::{Problem, ReportedBound};
use griot::registry::DEFAULT_GAME;

use super::Failure;
use super::drawing::{
    DOT, Diagram, Direction, Link, Node as Drawn, SVG, Sheet, board_lines, dot, mark_main_line, svg, value_text,
};
use super::openings::{Graph, Grown, Manner, Node, Plan, Rules, grow};
use super::stop::Stop;
use crate::cli::{self, Boards, Cli};

pub(super) fn run(cli: &Cli, args: &cli::Explore, out: &mut dyn Write) -> Result<(), Failure> {
    let plan = Plan {
        game: args.game.as_ref().or(cli.game.as_ref()).map_or(DEFAULT_GAME, String::as_str),
        fen: args.fen.as_deref(),
        limits: &args.limits,
        file: &args.out,
        plies: args.plies,
        positions: args.positions,
        manner: Manner::Tree,
    };
    // What is wrong with a name is said before the first search.
    let svg_sheet = Sheet::claim(args.svg.as_deref(), SVG)?;
    let dot_sheet = Sheet::claim(args.dot.as_deref(), DOT)?;
    let Grown { graph, game, limits, searched } = grow(cli, &plan)?;
    tell(&graph, &game, searched, out)?;
    if svg_sheet.is_some() || dot_sheet.is_some() {
        let never = Stop::new();
        let mut rules = Rules::new(cli, &args.limits, &never, &game);
        let picture = picture(&graph, &game, args, &limits, &mut rules)?;
        if let Some(sheet) = svg_sheet {
            sheet.draw(&svg(&picture))?;
        }
        if let Some(sheet) = dot_sheet {
            sheet.draw(&dot(&picture))?;
        }
    }
    Ok(())
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
fn picture(
    graph: &Graph,
    game: &str,
    args: &cli::Explore,
    limits: &str,
    rules: &mut Rules<'_>,
) -> Result<Diagram, Problem> {
    let mut nearest: Vec<usize> = (0..graph.nodes.len()).collect();
    // A parent costs less than its children, so that none is left out before them.
    nearest.sort_by_key(|&place| (graph.nodes[place].cost(), place));
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
            Boards::Drawing => board_lines(&rules.seen(&node.board)?),
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
    Ok(Diagram {
        title: format!("{game}: openings, {part}, searched with {limits}"),
        nodes,
        links,
        direction: Direction::Right,
        levels: None,
        legend,
    })
}
