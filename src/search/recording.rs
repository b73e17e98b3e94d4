//! Records the tree that a textbook algorithm visits, for drawing.
//!
//! Layer 3. Observes a [`Textbook`] from outside: nodes that it enters are visited, moves that it never enters were cut off.
//! Values are for the side to move at their node.

use std::cell::Cell;

use super::textbook::{Follow, Textbook};
use super::{Path, Stopped};
use crate::game::{Evaluate, Evaluator, Position, Side};
use crate::score::{Bound, Score};

/// The course's algorithms, in the course's forms.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// [`Textbook::minimax`].
    Minimax,
    /// [`Textbook::negamax`].
    Negamax,
    /// [`Textbook::alpha_beta`], in min/max form.
    AlphaBeta,
    /// [`Textbook::nega_beta`].
    NegaBeta,
}

impl Form {
    /// All of them.
    pub const ALL: [Form; 4] = [Form::Minimax, Form::Negamax, Form::AlphaBeta, Form::NegaBeta];

    /// The name users know it by.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Form::Minimax => "minimax",
            Form::Negamax => "negamax",
            Form::AlphaBeta => "alphabeta",
            Form::NegaBeta => "negabeta",
        }
    }

    /// Whether its values are for the first player, who maximises, instead of for the side to move.
    #[must_use]
    pub const fn is_for_first(self) -> bool {
        matches!(self, Form::Minimax | Form::AlphaBeta)
    }
}

/// A node of a recorded tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Node<P: Position> {
    /// The index of its parent; `None` for the root.
    pub parent: Option<usize>,
    /// The move that leads here; `None` for the root.
    pub mv: Option<P::Move>,
    /// The position.
    pub position: P,
    /// Its value for the side to move, and whether that is exact or a bound; `None` if the node was cut off.
    pub value: Option<(Score, Bound)>,
    /// Whether it is its parent's first best child.
    pub chosen: bool,
}

/// Records the tree below `root`, `depth` plies deep: parents before children, and children in the order of the moves.
/// `path` holds the positions before it.
///
/// # Errors
/// [`Stopped`] if the tree has more than `limit` nodes, including those that were cut off.
pub fn record<P: Position, E: Evaluate<P>>(
    form: Form,
    evaluate: Evaluator<'_, E>,
    path: Path,
    root: &P,
    depth: u32,
    limit: usize,
) -> Result<Vec<Node<P>>, Stopped> {
    let count = Cell::new(0);
    let mut recording = Recording { form, count: &count, nodes: Vec::new(), open: Vec::new() };
    recording.push(None, root.clone());
    recording.open.push(0);
    let mut stop = |_| count.get() > limit;
    let mut book = Textbook::following(evaluate, path, &mut stop, &mut recording);
    let (low, high) = (-Score::INFINITY, Score::INFINITY);
    let value = match form {
        Form::Minimax => book.minimax(root, depth),
        Form::Negamax => book.negamax(root, depth),
        Form::AlphaBeta => book.alpha_beta(root, depth, low, high),
        Form::NegaBeta => book.nega_beta(root, depth, low, high),
    }?;
    recording.leave(value);
    if count.get() > limit { Err(Stopped) } else { Ok(recording.nodes) }
}

struct Recording<'a, P: Position> {
    form: Form,
    /// The number of nodes so far, shared with the algorithm's stop condition.
    count: &'a Cell<usize>,
    nodes: Vec<Node<P>>,
    /// The indices of the nodes from the root to the current one, each a child of the one before.
    open: Vec<usize>,
}

impl<P: Position> Recording<'_, P> {
    fn push(&mut self, mv: Option<P::Move>, position: P) {
        let parent = self.open.last().copied();
        self.nodes.push(Node { parent, mv, position, value: None, chosen: false });
        self.count.set(self.nodes.len());
    }
}

impl<P: Position> Follow<P> for Recording<'_, P> {
    fn enter(&mut self, mv: P::Move, next: &P) {
        self.push(Some(mv), next.clone());
        self.open.push(self.nodes.len() - 1);
    }

    fn leave(&mut self, value: Score) {
        let Some(&place) = self.open.last() else { return };
        let position = self.nodes[place].position.clone();
        let turned = self.form.is_for_first() && position.side_to_move() == Side::Second;
        let value = if turned { -value } else { value };
        let children: Vec<usize> =
            (place + 1..self.nodes.len()).filter(|&child| self.nodes[child].parent == Some(place)).collect();
        let mut bound = Bound::Exact;
        if !children.is_empty() {
            let mut moves = Vec::new();
            position.generate(&mut moves);
            let cut_off = &moves[children.len()..];
            // A child's upper bound for the opponent is a lower bound for this side.
            let worth = |child: usize| self.nodes[child].value.map(|(score, bound)| ((-score).backed_up(), bound));
            let worths: Vec<(Score, Bound)> = children.iter().filter_map(|&child| worth(child)).collect();
            let at_least = worths.iter().any(|&(score, bound)| score == value && bound != Bound::Lower);
            let at_most = cut_off.is_empty() && worths.iter().all(|&(_, bound)| bound != Bound::Upper);
            bound = match (at_least, at_most) {
                (true, true) => Bound::Exact,
                (false, true) => Bound::Upper,
                _ => Bound::Lower,
            };
            if let Some(first) = worths.iter().position(|&(score, _)| score == value) {
                self.nodes[children[first]].chosen = true;
            }
            for &mv in cut_off {
                self.push(Some(mv), position.after(mv));
            }
        }
        self.nodes[place].value = Some((value, bound));
        self.open.pop();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{NoExpertise, Outcome};

    /// A game given by its tree, as in the course's figures. A leaf has a value for the first player, and one move that
    /// leads beyond it.
    #[derive(Debug, Clone, PartialEq, Eq)]
    struct Drawn {
        tree: &'static [Branch],
        side: Side,
        path: Vec<u8>,
    }

    #[derive(Debug, PartialEq, Eq)]
    enum Branch {
        Leaf(i32),
        Fork(&'static [Branch]),
    }
    use Branch::{Fork, Leaf};

    impl Drawn {
        fn new(tree: &'static [Branch], side: Side) -> Drawn {
            Drawn { tree, side, path: Vec::new() }
        }

        fn here(&self) -> Result<&'static [Branch], i32> {
            let mut branches = self.tree;
            for &step in &self.path {
                match &branches[usize::from(step)] {
                    Leaf(value) => return Err(*value),
                    Fork(inner) => branches = inner,
                }
            }
            Ok(branches)
        }
    }

    impl Position for Drawn {
        type Move = u8;
        fn side_to_move(&self) -> Side {
            if self.path.len().is_multiple_of(2) { self.side } else { self.side.other() }
        }
        fn outcome(&self) -> Option<Outcome> {
            None
        }
        fn generate(&self, moves: &mut Vec<u8>) {
            moves.extend(0..self.here().map_or(1, <[Branch]>::len) as u8);
        }
        fn play(&mut self, mv: u8) {
            self.path.push(mv);
        }
        fn hash(&self) -> u64 {
            0
        }
    }

    struct Written;
    impl Evaluate<Drawn> for Written {
        fn evaluate(&self, position: &Drawn) -> Score {
            let value = position.here().expect_err("a leaf");
            Score::units(if position.side_to_move() == Side::First { value } else { -value })
        }
    }

    impl NoExpertise for Written {}

    /// The recorded values for the first player with their bounds, in preorder; `-` for nodes that were cut off.
    fn recorded(form: Form, tree: &'static [Branch], side: Side, depth: u32) -> String {
        let root = Drawn::new(tree, side);
        let nodes = record(form, Evaluator::full(&Written), Path::default(), &root, depth, 1000).unwrap();
        let texts = nodes.iter().map(|node| {
            let Some((score, bound)) = node.value else { return "-".into() };
            let first = node.position.side_to_move() == Side::First;
            let sign = match (bound, first) {
                (Bound::Exact, _) => "",
                (Bound::Lower, true) | (Bound::Upper, false) => ">=",
                _ => "<=",
            };
            let value = format!("{:?}", if first { score } else { -score });
            format!("{sign}{}{}", value.trim_start_matches('+'), if node.chosen { "*" } else { "" })
        });
        texts.collect::<Vec<String>>().join(" ")
    }

    const MINIMAX: &[Branch] =
        &[Fork(&[Leaf(8), Leaf(7), Leaf(5)]), Fork(&[Leaf(3), Leaf(1), Leaf(6)]), Fork(&[Leaf(9), Leaf(2)])];

    /// CITE: TIPE 2012, part D, figures 1 and 2: the greatest leaf is not the value that comes to the root.
    #[test]
    fn minimax_visits_everything_and_takes_the_greatest_of_the_least() {
        for form in [Form::Minimax, Form::Negamax] {
            assert_eq!(recorded(form, MINIMAX, Side::First, 2), "5 5* 8 7 5* 1 3 1* 6 2 9 2*");
        }
    }

    /// CITE: TIPE 2012, part D, figure 5: once 2 is seen below the right child, which is at most 2, its other children do not
    /// matter to the root, which has 9.
    #[test]
    fn an_alpha_cut_leaves_the_rest_of_a_min_node() {
        const TREE: &[Branch] = &[Fork(&[Leaf(9), Leaf(12)]), Fork(&[Leaf(2), Leaf(20), Leaf(1)])];
        for form in [Form::AlphaBeta, Form::NegaBeta] {
            assert_eq!(recorded(form, TREE, Side::First, 2), "9 9* 9* 12 <=2 2* - -");
        }
    }

    /// CITE: TIPE 2012, part D, figure 6.
    #[test]
    fn a_beta_cut_leaves_the_rest_of_a_max_node() {
        const TREE: &[Branch] = &[Fork(&[Leaf(5), Leaf(4)]), Fork(&[Leaf(9), Leaf(1)])];
        for form in [Form::AlphaBeta, Form::NegaBeta] {
            assert_eq!(recorded(form, TREE, Side::Second, 2), "5 5* 5* 4 >=9 9* -");
        }
    }

    #[test]
    fn cuts_of_both_kinds_bound_their_nodes_and_nothing_else() {
        // The first branch has a beta cut, the second an alpha cut; the third is searched completely and has its
        // minimax value.
        const TREE: &[Branch] = &[
            Fork(&[Fork(&[Leaf(4), Leaf(6)]), Fork(&[Leaf(7), Leaf(9)])]),
            Fork(&[Fork(&[Leaf(1), Leaf(2)]), Fork(&[Leaf(0), Leaf(1)])]),
            Fork(&[Fork(&[Leaf(8), Leaf(8)]), Fork(&[Leaf(3), Leaf(5)])]),
        ];
        let said = recorded(Form::NegaBeta, TREE, Side::First, 3);
        assert_eq!(said, "6 6* 6* 4 6* >=7 7* - <=2 2* 1 2* - 5 8 8* 8 5* 3 5*");
        assert_eq!(recorded(Form::AlphaBeta, TREE, Side::First, 3), said);
    }

    #[test]
    fn a_tree_of_more_nodes_than_there_is_room_for_is_refused() {
        let root = Drawn::new(MINIMAX, Side::First);
        for (limit, fits) in [(11, false), (12, true)] {
            let nodes = record(Form::Negamax, Evaluator::full(&Written), Path::default(), &root, 2, limit);
            assert_eq!(nodes.is_ok(), fits, "{limit}");
        }
    }
}
