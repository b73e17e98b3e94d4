//! The tree that a textbook algorithm visits, as text.
//!
//! Layer 4. The search records positions, moves and scores; here they become text, from the point of view of the algorithm.

use super::report::reported;
use crate::game::{Evaluate, Evaluator, Game, Notation, Position, Side};
use crate::message::{GameTree, Problem, ReportedBound, ReportedScore, TreeNode, TreeOrder};
use crate::score::Bound;
use crate::search::recording::{Form, Node, record};
use crate::search::{MAX_DEPTH, Path, Stopped};

/// The tree below `root`; `history` are the hashes of the positions before it, oldest first.
pub(super) fn tree<N, E>(
    game: &Game<N, E>,
    evaluate: Evaluator<'_, E>,
    root: &N::Position,
    history: &[u64],
    order: &TreeOrder,
) -> Result<GameTree, Problem>
where
    N: Notation,
    E: Evaluate<N::Position>,
{
    let Some(form) = Form::ALL.into_iter().find(|form| form.name().eq_ignore_ascii_case(&order.algorithm)) else {
        let names = Form::ALL.map(Form::name).join(", ");
        return Err(Problem::new(format!("algorithm: expected one of {names}, found '{}'", order.algorithm)));
    };
    let depth = order.depth.unwrap_or(MAX_DEPTH).min(MAX_DEPTH);
    let nodes = record(form, evaluate, Path::new(history), root, depth, order.nodes).map_err(|Stopped| {
        let limit = order.nodes;
        let expected = "expected a smaller depth, a position nearer to the end, or room for more nodes";
        Problem::new(format!("the tree has more than {limit} nodes; {expected}"))
    })?;
    let text = |node: &Node<N::Position>| {
        let position = &node.position;
        let side = position.side_to_move();
        let turned = form.is_for_first() && side == Side::Second;
        let value = node.value.map(|(score, bound)| {
            let bound = match (bound, turned) {
                (Bound::Exact, _) => ReportedBound::Exact,
                (Bound::Lower, false) | (Bound::Upper, true) => ReportedBound::Lower,
                (Bound::Upper, false) | (Bound::Lower, true) => ReportedBound::Upper,
            };
            let score = reported(score, |units| game.evaluate.centi_units(units));
            (if turned { opposite(score) } else { score }, bound)
        });
        let mv = node.parent.zip(node.mv).map(|(parent, mv)| game.notation.move_text(&nodes[parent].position, mv));
        TreeNode {
            parent: node.parent,
            mv,
            board: game.notation.position_text(position),
            seen: game.notation.board(position),
            player: side.into(),
            over: position.outcome().is_some(),
            value,
            chosen: node.chosen,
        }
    };
    let nodes = nodes.iter().map(text).collect();
    Ok(GameTree { game: game.name.clone(), for_first: form.is_for_first(), nodes })
}

/// A reported score from the other side's point of view. The winner's moves are the same from both sides; a game that
/// one side has lost now, the other has won.
fn opposite(score: ReportedScore) -> ReportedScore {
    match score {
        ReportedScore::Centi(centi) => ReportedScore::Centi(-centi),
        ReportedScore::Mate(0) => ReportedScore::Mate(1),
        ReportedScore::Mate(moves) => ReportedScore::Mate(-moves),
    }
}
