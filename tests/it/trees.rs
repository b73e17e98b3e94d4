//! `griot tree`: what the algorithms of the course visit, in numbers, in text, and in the pictures of the book.
//!
//! `GRIOT_BLESS=1 cargo test --test it -- trees::` writes the pictures of `examples/trees` anew.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use std::sync::mpsc::channel;
use std::time::Instant;

use griot::message::{
    GameTree, Go, Player, Problem, Reply, ReportedBound, ReportedScore, Setup, Text, TreeNode, TreeOrder,
};
use griot::registry::Registry;
use griot::session::{Catalogue, Resources, Session, Settings};

use crate::support::{self, Folder};

const ALGORITHMS: [&str; 4] = ["minimax", "negamax", "alphabeta", "negabeta"];

/// Where X, to move, can only draw. CITE: B. Zanuttini, "Algorithme négamax", 2022, part 4.
const DRAWN_END: &str = "xox/oo1/1x1 x";

fn session(game: &str, board: Option<&str>) -> Box<dyn Session> {
    let mut session = Registry.open(game, Resources::new(Settings::default()).unwrap()).unwrap();
    let board = board.map(|board| Text { column: 1, text: board.into() });
    session.set_position(&Setup { board, ..Setup::default() }).unwrap();
    session
}

fn tree_of(session: &dyn Session, algorithm: &str, depth: Option<u32>, nodes: usize) -> Result<GameTree, Problem> {
    session.tree(&TreeOrder { algorithm: algorithm.into(), depth, nodes })
}

fn tree(game: &str, board: Option<&str>, algorithm: &str, depth: Option<u32>) -> GameTree {
    tree_of(&*session(game, board), algorithm, depth, 1_000_000).unwrap()
}

fn visited(tree: &GameTree) -> usize {
    tree.nodes.iter().filter(|node| node.value.is_some()).count()
}

/// The nodes, the best move and the score of a search.
fn searched(session: &mut dyn Session, depth: u32) -> (u64, String, ReportedScore) {
    let (sender, replies) = channel();
    let go = Go { depth: Some(depth), ..Go::default() };
    let _handle = session.go(&go, Instant::now(), Box::new(move |reply| sender.send(reply).unwrap()));
    let mut found = None;
    for reply in replies {
        match reply {
            Reply::Info(info) => found = Some(info),
            Reply::BestMove { best, .. } => {
                let info = found.unwrap();
                return (info.nodes, best.unwrap(), info.score.unwrap().0);
            }
            _ => {}
        }
    }
    panic!("no best move");
}

#[test]
fn a_tree_is_what_the_same_algorithm_visits_when_it_searches() {
    for (game, board, depth) in [
        ("tictactoe", Some(DRAWN_END), 3),
        ("tictactoe", Some("3/1x1/3 o"), 4),
        ("awale", None, 4),
        ("awale:tipe", Some("2-1-0-6-0-0-0-5-0-1-1-3-14-15-S"), 5),
        ("connect4:5,4,3", None, 5),
        ("othello", None, 4),
    ] {
        for algorithm in ["minimax", "negamax", "negabeta"] {
            let mut session = session(game, board);
            let tree = tree_of(&*session, algorithm, Some(depth), 1_000_000).unwrap();
            session.set_option("Algorithm", Some(algorithm)).unwrap();
            // The tree is drawn without endgame tables.
            session.set_option("Tablebases", Some("false")).unwrap();
            let (nodes, best, score) = searched(&mut *session, depth);
            let name = format!("{game} {algorithm}");
            assert_eq!(visited(&tree) as u64, nodes, "{name}");
            let chosen = tree.nodes.iter().find(|node| node.parent == Some(0) && node.chosen).unwrap();
            assert_eq!(chosen.mv.as_deref(), Some(best.as_str()), "{name}");
            // Minimax values for the first player, who may not be the one to move.
            let turned = tree.for_first && tree.nodes[0].player == Player::Second;
            let score = match score {
                ReportedScore::Centi(centi) if turned => ReportedScore::Centi(-centi),
                score => score,
            };
            assert_eq!(tree.nodes[0].value, Some((score, ReportedBound::Exact)), "{name}");
        }
    }
}

/// CITE: J. David, "Comment faire jouer un programme à un jeu de société ?": the nodes of Nim's trees, s(n).
#[test]
fn nims_trees_have_as_many_nodes_as_the_course_says() {
    for (matches, nodes) in [1, 2, 4, 8, 15, 28, 52, 96, 177, 326, 600].into_iter().enumerate().skip(1) {
        let tree = tree(&format!("nim:{matches}"), None, "minimax", None);
        assert_eq!(tree.nodes.len(), nodes, "{matches}");
        assert!(tree.nodes.iter().all(|node| node.value.is_some()));
    }
}

/// CITE: B. Zanuttini, "Algorithme négamax", part 4: the moves are worth 0, -1 and -1, and the right of the middle is played.
#[test]
fn the_example_of_the_course_comes_out() {
    let tree = tree("tictactoe", Some(DRAWN_END), "negamax", None);
    let moves: Vec<(&str, ReportedScore, bool)> = tree
        .nodes
        .iter()
        .filter(|node| node.parent == Some(0))
        .map(|node| (node.mv.as_deref().unwrap(), node.value.unwrap().0, node.chosen))
        .collect();
    let (draw, win) = (ReportedScore::Centi(0), ReportedScore::Mate(1));
    assert_eq!(moves, [("a1", win, false), ("c1", win, false), ("c2", draw, true)]);
}

#[test]
fn cuts_change_neither_the_value_nor_the_move_and_the_forms_agree() {
    for (game, board) in [("nim:8", None), ("tictactoe", Some("xo1/1x1/2o x"))] {
        let trees = ALGORITHMS.map(|algorithm| tree(game, board, algorithm, None));
        let [minimax, negamax, alphabeta, negabeta] = &trees;
        let chosen = |tree: &GameTree| tree.nodes.iter().position(|node| node.parent == Some(0) && node.chosen);
        let mv = |tree: &GameTree| tree.nodes[chosen(tree).unwrap()].mv.clone();
        assert!(trees.iter().all(|tree| mv(tree) == mv(minimax)));
        assert_eq!(visited(minimax), visited(negamax));
        assert_eq!(visited(alphabeta), visited(negabeta));
        assert!(visited(negabeta) < visited(negamax));
        assert!(minimax.for_first && alphabeta.for_first && !negamax.for_first && !negabeta.for_first);

        // What is cut off was there to be played, and leads nowhere.
        let cut_off = |node: &&TreeNode| node.value.is_none();
        assert!(negabeta.nodes.iter().filter(cut_off).count() > 0);
        for (place, node) in negabeta.nodes.iter().enumerate().filter(|(_, node)| cut_off(node)) {
            assert!(negabeta.nodes.iter().all(|child| child.parent != Some(place)));
            let parent = &negabeta.nodes[node.parent.unwrap()];
            assert_eq!(parent.value.unwrap().1, ReportedBound::Lower);
            let parent = session(game, Some(&parent.board));
            let legal = parent.legal_moves();
            assert!(legal.iter().any(|mv| Some(mv) == node.mv.as_ref()), "{legal:?}");
        }
        // Every bound is true of the value that minimax finds there.
        for (cut, whole) in [(alphabeta, minimax), (negabeta, negamax)] {
            for node in cut.nodes.iter().filter(|node| node.value.is_some()) {
                let exact = whole.nodes.iter().find(|other| other.board == node.board).unwrap().value.unwrap().0;
                let (score, bound) = node.value.unwrap();
                let holds = match bound {
                    ReportedBound::Exact => rank(exact) == rank(score),
                    ReportedBound::Lower => rank(exact) >= rank(score),
                    ReportedBound::Upper => rank(exact) <= rank(score),
                };
                assert!(holds, "{}: {score:?} {bound:?}, and it is {exact:?}", node.board);
            }
        }
    }
}

/// A number that is the greater the better a score is.
fn rank(score: ReportedScore) -> i32 {
    match score {
        ReportedScore::Centi(centi) => centi,
        ReportedScore::Mate(moves) if moves > 0 => 1_000_000 - moves,
        ReportedScore::Mate(moves) => -1_000_000 - moves,
    }
}

/// The winner's moves are counted alike from both sides.
#[test]
fn the_forms_tell_the_same_distances() {
    let (minimax, negamax) = (tree("nim:7", None, "minimax", None), tree("nim:7", None, "negamax", None));
    for (first, mover) in minimax.nodes.iter().zip(&negamax.nodes) {
        let (own, theirs) = (mover.value.unwrap().0, first.value.unwrap().0);
        let turned = mover.player == Player::Second;
        match (own, theirs) {
            (ReportedScore::Mate(0), ReportedScore::Mate(moves)) if turned => assert_eq!(moves, 1),
            (ReportedScore::Mate(own), ReportedScore::Mate(moves)) => {
                assert_eq!(moves, if turned { -own } else { own })
            }
            other => panic!("{}: {other:?}", first.board),
        }
    }
}

#[test]
fn what_cannot_be_drawn_is_told() {
    let start = session("tictactoe", None);
    let said = tree_of(&*start, "minimax", None, 1000).unwrap_err().to_string();
    assert!(said.contains("the tree has more than 1000 nodes; expected a smaller depth"), "{said}");
    let said = tree_of(&*start, "mtdf", None, 1000).unwrap_err().to_string();
    assert_eq!(said, "algorithm: expected one of minimax, negamax, alphabeta, negabeta, found 'mtdf'");
    let mut refused = session("tictactoe", None);
    refused.drop_position();
    assert!(tree_of(&*refused, "minimax", Some(1), 1000).unwrap_err().text.contains("there is no position"));
    // As many nodes as there are places.
    assert_eq!(tree_of(&*start, "minimax", Some(1), 10).unwrap().nodes.len(), 10);
    assert!(tree_of(&*start, "minimax", Some(1), 9).is_err());
}

#[test]
fn a_game_that_is_over_is_a_tree_of_one_node() {
    let tree = tree("tictactoe", Some("xxx/oo1/3 o"), "negabeta", None);
    assert_eq!(tree.nodes.len(), 1);
    assert!(tree.nodes[0].over && tree.nodes[0].value == Some((ReportedScore::Mate(0), ReportedBound::Exact)));
}

fn griot(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_griot")).args(arguments).output().unwrap()
}

#[test]
fn without_a_file_the_tree_is_written_as_text() {
    let text = support::stdout_of(griot(&["tree", "--game", "nim:4", "--algorithm", "negabeta"]));
    assert!(text.starts_with("nim:4: negabeta, 14 nodes visited\nwin 1  4 1\n├─ a1  win 1  3 2\n"), "{text}");
    assert!(
        text.contains(
            "├─ a2  ≥ win 1  2 2\n│  ├─ a1  loss 1  1 1  <\n│  │  └─ a1  won  0 2  <\n│  └─ a2  cut off  0 1\n"
        )
    );
    assert!(text.contains("└─ a3  loss 1  1 2  <<\n   └─ a1  won  0 1  <<\n"), "{text}");
}

#[test]
fn graphviz_gets_every_node_and_edge() {
    let folder = Folder::new("trees-dot");
    let path = folder.join("tree.dot");
    support::stdout_of(griot(&["tree", "--game", "nim:7", "--dot", path.to_str().unwrap()]));
    let dot = fs::read_to_string(path).unwrap();
    let tree = tree("nim:7", None, "negabeta", None);
    assert_eq!(dot.matches(" [label=").count(), 2 * tree.nodes.len() - 1);
    assert_eq!(dot.matches(" -> ").count(), tree.nodes.len() - 1);
    assert_eq!(dot.matches(" -> ").count(), dot.lines().filter(|line| line.contains(" -> n")).count());
    assert!(dot.starts_with("digraph \"nim:7: negabeta, ") && dot.ends_with("}\n"));
}

#[test]
fn a_wrong_command_line_ends_with_2() {
    for (arguments, says) in [
        (&["tree", "--game", "tictactoe"][..], "the tree has more than 1000 nodes"),
        (&["tree", "--game", "nim:7", "--algorithm", "best"], "algorithm: expected one of minimax, "),
        (&["tree", "--game", "nim:7", "--fen", "x"], "column 1: heap a: expected"),
        (&["tree", "--game", "nim:7", "--svg", "tests/none/tree.svg"], "tests/none/tree.svg: "),
        (&["tree", "--boards", "all"], "possible values: none, text, drawing"),
    ] {
        let output = griot(arguments);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {said}");
        assert!(said.contains(says), "{arguments:?}: '{says}' is not in '{said}'");
    }
}

/// The pictures, and how each is drawn.
const PICTURES: [(&str, &[&str]); 5] = [
    ("nim-7-minimax.svg", &["--game", "nim:7", "--algorithm", "minimax"]),
    ("nim-7-negabeta.svg", &["--game", "nim:7", "--algorithm", "negabeta"]),
    (
        "tictactoe-negamax.svg",
        &["--game", "tictactoe", "--fen", DRAWN_END, "--algorithm", "negamax", "--boards", "drawing"],
    ),
    (
        "awale-alpha-cuts.svg",
        &[
            "--game",
            "awale:tipe",
            "--fen",
            "2-1-0-6-0-0-0-5-0-1-1-3-14-15-S",
            "--algorithm",
            "alphabeta",
            "--depth",
            "2",
            "--option",
            "Evaluation=plain",
        ],
    ),
    (
        "awale-beta-cuts.svg",
        &[
            "--game",
            "awale:tipe",
            "--fen",
            "0-5-0-1-1-3-2-1-0-6-0-0-14-15-N",
            "--algorithm",
            "alphabeta",
            "--depth",
            "2",
            "--option",
            "Evaluation=plain",
        ],
    ),
];

#[test]
fn the_pictures_are_what_is_drawn() {
    let folder = Folder::new("trees-pictures");
    let mut wrong = Vec::new();
    for (name, arguments) in PICTURES {
        let path = folder.join(name);
        let arguments = [&["tree"], arguments, &["--svg", path.to_str().unwrap()]].concat();
        support::stdout_of(griot(&arguments));
        let drawn = fs::read_to_string(&path).unwrap();
        let kept = Path::new("examples/trees").join(name);
        if std::env::var_os("GRIOT_BLESS").is_some() {
            fs::create_dir_all("examples/trees").unwrap();
            fs::write(&kept, &drawn).unwrap();
        }
        if fs::read_to_string(&kept).ok() != Some(drawn) {
            wrong.push(name);
        }
    }
    assert!(wrong.is_empty(), "drawn otherwise: {wrong:?}; look at them, and bless them with GRIOT_BLESS=1");
}

/// Every element that is opened is closed, in order, and no text holds a mark of its own.
#[test]
fn the_pictures_are_well_formed() {
    for (name, _) in PICTURES {
        let text = fs::read_to_string(Path::new("examples/trees").join(name)).unwrap();
        let mut open = Vec::new();
        for tag in text.split('<').skip(1) {
            let (tag, content) = tag.split_once('>').expect("a tag that ends");
            assert!(!content.contains('>'), "{name}: {content}");
            let word = tag.trim_start_matches('/').split(' ').next().unwrap();
            if tag.starts_with('/') {
                assert_eq!(open.pop(), Some(word), "{name}");
            } else if !tag.ends_with('/') {
                open.push(word);
            }
        }
        assert!(open.is_empty(), "{name}: {open:?}");
        assert!(text.contains("prefers-color-scheme:dark") && text.contains("aria-label="), "{name}");
    }
}
