use cozy_chess::{Board, BoardBuilder, Color, Piece};

use super::material::{Material, Placed};
use super::table::{Below as _, Table, Tables, Value, below};
use super::*;
use crate::game::{Notation as _, SplitMix64};
use crate::games::chess::Notation;

fn material(white: &str, black: &str) -> Material {
    let of = |color, text: &str| -> Vec<(Color, Piece)> {
        text.chars().map(|c| (color, Piece::try_from(c.to_ascii_lowercase()).unwrap())).collect()
    };
    Material::new([of(Color::White, white), of(Color::Black, black)].concat().into_iter()).unwrap().0
}

/// The tables of a material and of all below it.
fn tables(material: Material, all: &mut Tables) {
    if material.is_dead() || all.has(material) {
        return;
    }
    for smaller in below(material) {
        tables(smaller, all);
    }
    let table = Table::build(material, all, &|| false).unwrap();
    all.push(Arc::new(table));
}

/// The board of the library, where it can be one.
fn board(material: Material, placed: &Placed) -> Option<Board> {
    let mut builder = BoardBuilder::empty();
    for (color, king) in Color::ALL.into_iter().zip(placed.kings) {
        *builder.square_mut(king) = Some((Piece::King, color));
    }
    for ((color, piece), square) in material.pieces().zip(placed.pieces) {
        *builder.square_mut(square) = Some((piece, color));
    }
    builder.side_to_move = placed.turn;
    if placed.passant {
        let moved = placed.pieces[!placed.turn as usize];
        builder.en_passant =
            Some(cozy_chess::Square::new(moved.file(), cozy_chess::Rank::Sixth.relative_to(placed.turn)));
    }
    builder.build().ok()
}

/// What a board is worth by the library's moves and the values behind them.
fn by_moves(board: &Board, all: &Tables) -> Value {
    let (mut win, mut longest, mut drawn, mut any) = (None::<u32>, 0, false, false);
    board.generate_moves(|moves| {
        for mv in moves {
            any = true;
            let mut next = board.clone();
            next.play_unchecked(mv);
            let value = match Material::of(&next) {
                Some((material, placed)) if !material.is_dead() => all.value(material, &placed).unwrap(),
                _ => Value::Draw,
            };
            match value {
                Value::Draw => drawn = true,
                Value::Loss(plies) => win = Some(win.map_or(plies + 1, |least| least.min(plies + 1))),
                Value::Win(plies) => longest = longest.max(plies + 1),
            }
        }
        false
    });
    match win {
        Some(plies) => Value::Win(plies),
        None if !any => {
            if board.checkers().is_empty() {
                Value::Draw
            } else {
                Value::Loss(0)
            }
        }
        None if drawn => Value::Draw,
        None => Value::Loss(longest),
    }
}

/// Checks boards of a table against the library's moves, one in `part`; returns the longest mate, in moves of the winner.
fn check(material: Material, all: &mut Tables, part: usize) -> u32 {
    tables(material, all);
    let table = all.of(material).unwrap();
    let (mut longest, mut checked) = (0, 0);
    let mut draw = SplitMix64::new(part as u64);
    for (placed, value) in table.boards() {
        if let Value::Win(plies) = value {
            longest = longest.max(plies.div_ceil(2));
        }
        if draw.below(part) == 0 {
            let board = board(material, &placed).unwrap_or_else(|| panic!("{placed:?}"));
            assert_eq!(Material::of(&board).map(|(found, _)| found), Some(material));
            assert_eq!(by_moves(&board, all), value, "{board}");
            checked += 1;
        }
    }
    assert!(checked > 1000);
    longest
}

/// Every board of a queen, a rook or a pawn against a king, by the library's moves; and the longest mates, which are known.
#[test]
fn three_pieces_are_exact() {
    let mut all = Tables::default();
    assert_eq!(check(material("Q", ""), &mut all, 3), 10);
    assert_eq!(check(material("R", ""), &mut all, 3), 16);
    assert_eq!(check(material("P", ""), &mut all, 10), 28);
}

/// The longest mates with four pieces (as in the tables of Thompson, Heinz, Nalimov), and a sample of boards by the library's moves.
#[test]
#[ignore = "takes minutes unless optimised"]
fn four_pieces_are_exact() {
    let mut all = Tables::default();
    for (white, black, moves) in [
        ("BN", "", 33),
        ("Q", "R", 35),
        ("BB", "", 19),
        ("Q", "N", 21),
        ("Q", "B", 17),
        ("R", "N", 40),
        ("R", "B", 29),
        ("P", "P", 33),
    ] {
        assert_eq!(check(material(white, black), &mut all, 997), moves, "{white} {black}");
    }
}

fn position(text: &str) -> Position {
    Notation::default().parse_position(text).unwrap()
}

fn wait_for(endings: &Endings, root: &Position) {
    while !endings.prepare(root) {
        std::thread::yield_now();
    }
}

#[test]
fn a_search_sees_the_tables_that_its_root_asks_for() {
    let root = position("8/8/8/4k3/8/8/8/R3K3 w - - 0 1");
    let endings = Endings::default();
    assert_eq!(endings.probe(&root), None, "nothing was asked for");
    wait_for(&endings, &root);
    let win = endings.probe(&root).unwrap();
    assert!(win.distance().is_some_and(|plies| plies <= 31) && win > Score::DRAW, "{win:?}");
    // The colours exchanged, and the other side to move.
    assert_eq!(endings.probe(&position("r3k3/8/8/8/4K3/8/8/8 b - - 0 1")), Some(win));
    assert!(endings.probe(&position("8/8/8/4k3/8/8/8/R3K3 b - - 0 1")).unwrap() < Score::DRAW);
    // A clone is another search.
    assert_eq!(endings.clone().probe(&root), None);
    // Castling is not in the tables.
    assert_eq!(endings.probe(&position("8/8/8/4k3/8/8/8/R3K3 w Q - 0 1")), None);
}

#[test]
fn a_mate_beyond_the_fiftieth_move_is_none() {
    let endings = Endings::default();
    let at = |count| position(&format!("8/8/8/4k3/8/8/8/R3K3 w - - {count} 60"));
    wait_for(&endings, &at(0));
    let plies = endings.probe(&at(0)).unwrap().distance().unwrap();
    assert_eq!(endings.probe(&at(100 - plies)), endings.probe(&at(0)));
    assert_eq!(endings.probe(&at(101 - plies)), None);
}

#[cfg(any(target_arch = "x86", target_arch = "x86_64", target_vendor = "apple", windows))]
mod of_syzygy {
    use super::*;

    /// The Syzygy tables of three pieces; none in a crate without its tests.
    fn three_piece_files() -> Option<std::path::PathBuf> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/syzygy");
        folder.is_dir().then_some(folder)
    }

    fn outside(path: &Path) -> OutsideTables {
        let path = path.to_str().unwrap().to_owned();
        OutsideTables { path, least_depth: 1, most_pieces: 7, counts_fifty: true }
    }

    #[test]
    fn folders_are_separated_by_semicolons_or_where_there_are_no_drives_by_colons() {
        let of = |path, has_drives| syzygy::folders(path, has_drives).collect::<Vec<_>>();
        assert_eq!(of("/a/345:/b; /c d ;", false), ["/a/345", "/b", "/c d"]);
        assert_eq!(of("C:\\345;..\\6", true), ["C:\\345", "..\\6"]);
    }

    /// The crate has one set of tables for the process, so one test opens them.
    #[test]
    fn syzygy_tables_say_who_wins_and_what_makes_progress() {
        let Some(folder) = three_piece_files() else { return };
        let settings = outside(&folder);
        let syzygy = Syzygy::open(&settings).unwrap().unwrap();
        assert_eq!(syzygy.most_pieces(), 3);

        // Every board agrees with the tables that griot builds.
        let mut all = Tables::default();
        let mut draw = SplitMix64::new(1);
        for white in ["Q", "R", "P"] {
            let material = material(white, "");
            tables(material, &mut all);
            for (placed, value) in all.of(material).unwrap().boards() {
                if draw.below(20) != 0 {
                    continue;
                }
                let board = board(material, &placed).unwrap();
                let position = position(&format!("{board}"));
                // Mates and stalemates are not asked for.
                if position.outcome().is_some() {
                    continue;
                }
                let expected = match value {
                    Value::Draw => Score::DRAW,
                    Value::Win(_) => Score::known_win(),
                    Value::Loss(_) => Score::known_loss(),
                };
                assert_eq!(syzygy.value(&position, 1), Some(expected), "{board}");
            }
        }

        // Only right after a capture or pawn move, and only from the least depth on.
        let won = "8/8/8/4k3/8/8/8/R3K3 w - -";
        assert_eq!(syzygy.value(&position(&format!("{won} 1 9")), 9), None);
        let deep = Syzygy::open(&OutsideTables { least_depth: 5, ..settings.clone() }).unwrap().unwrap();
        assert_eq!([4, 5].map(|depth| deep.value(&position(won), depth).is_some()), [false, true]);
        let few = Syzygy::open(&OutsideTables { most_pieces: 2, ..settings.clone() }).unwrap().unwrap();
        assert_eq!((few.value(&position(won), 9), few.root_moves(&position(won), &[])), (None, None));

        // A pawn that must be pushed at once, and moves that keep the win.
        let root = position("8/8/8/8/8/1k6/7P/7K w - - 0 1");
        let moves = syzygy.root_moves(&root, &[]).unwrap();
        assert!(
            moves.iter().all(|&mv| syzygy.value(&position(&after(&root, mv)), 1) != Some(Score::DRAW)),
            "{moves:?}"
        );
        // After a repetition only the quickest of the moves that win.
        let root = position("8/8/8/4k3/8/8/8/R3K3 w - - 20 30");
        let [free, forced] = [vec![], vec![7, 7]].map(|history| syzygy.root_moves(&root, &history).unwrap().len());
        assert!(1 <= forced && forced < free, "{forced} {free}");
        // Where nothing wins all draws stay.
        let root = position("8/8/8/4k3/4P3/4K3/8/8 b - - 0 1");
        assert!(!syzygy.root_moves(&root, &[]).unwrap().is_empty());

        // The process has one path at a time.
        let same = folder.join("..").join("syzygy");
        assert!(Syzygy::open(&outside(&same)).unwrap_err().contains("empty SyzygyPath first"));
        drop((syzygy, deep, few));
        assert_eq!(Syzygy::open(&outside(&same)).unwrap().unwrap().most_pieces(), 3);
        assert!(Syzygy::open(&OutsideTables::default()).unwrap().is_none());
    }

    /// `C:\345;C:\6` on Windows; the crate takes a colon for the end of a folder.
    #[test]
    fn paths_of_windows_lose_their_drives_or_are_refused() {
        use super::super::syzygy::without_drives;
        for (path, expected) in [
            (r"C:\syzygy\345", r"\syzygy\345"),
            (r"C:\my tables;c:/6;;tables", r"\my tables:/6:tables"),
            ("tables", "tables"),
        ] {
            let folders: Vec<&str> = syzygy::folders(path, true).collect();
            assert_eq!(without_drives(&folders, 'C').as_deref(), Ok(expected), "{path}");
        }
        let refused = without_drives(&[r"C:\345", r"D:\6"], 'C').unwrap_err();
        assert_eq!(refused, r"D:\6: expected a folder on the drive that griot was started on, C:, found D:");
    }

    /// The board text after a move, with the counter at 0 so that tables are asked.
    fn after(root: &Position, mv: Move) -> String {
        let text = Notation::default().position_text(&root.after(mv));
        text.split(' ').take(4).collect::<Vec<&str>>().join(" ")
    }
}
