//! Chess: what the house makes of the library's rules, the texts, and a search that knows what a count of plies can spoil.

use std::time::Duration;

use griot::game::{Expertise as _, Notation as _, Outcome, Position as _, Pruning as _, Side, SplitMix64};
use griot::games::chess::{Notation, Position, chess960, game};
use griot::score::{Meaning, Score};
use griot::search::{Knowledge, Task, TranspositionTable, Verdict, search};

use crate::support::{Folder, Talk, matches, word};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

fn read(text: &str) -> Position {
    Notation::default().parse_position(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// The position after these moves.
fn play(position: &Position, moves: &str) -> Position {
    moves.split_whitespace().fold(position.clone(), |position, mv| {
        position.after(Notation::default().parse_move(&position, mv).unwrap_or_else(|error| panic!("{mv}: {error}")))
    })
}

fn is_legal(position: &Position, mv: &str) -> bool {
    Notation::default().parse_move(position, mv).is_ok()
}

#[test]
fn a_game_ends_by_mate_stalemate_and_when_neither_side_can_mate() {
    for (text, outcome) in [
        ("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3", Some(Outcome::Win(Side::Second))),
        ("R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1", Some(Outcome::Win(Side::First))),
        // Mate counts before the end of a count.
        ("R5k1/5ppp/8/8/8/8/8/6K1 b - - 100 90", Some(Outcome::Win(Side::First))),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", Some(Outcome::Draw)),
        ("8/8/8/4k3/8/8/8/4K3 w - - 0 1", Some(Outcome::Draw)),
        ("8/8/8/4k3/8/8/8/4KN2 w - - 0 1", Some(Outcome::Draw)),
        ("8/8/8/4k3/8/8/8/4KB2 b - - 0 1", Some(Outcome::Draw)),
        // Bishops on one colour of squares, however many and whose; one on the other colour can help to mate.
        ("8/4b3/4k3/8/8/2B5/8/B3K3 w - - 0 1", Some(Outcome::Draw)),
        ("8/4b3/8/4k3/8/3B4/8/4K3 w - - 0 1", None),
        ("8/8/8/4k3/8/8/8/3NKN2 w - - 0 1", None),
        ("8/8/8/4k1n1/8/8/8/4KN2 w - - 0 1", None),
        ("8/8/8/4k1n1/8/8/8/4KB2 w - - 0 1", None),
        ("8/p7/8/4k3/8/8/8/4K3 w - - 0 1", None),
    ] {
        let position = read(text);
        let mut moves = Vec::new();
        assert_eq!((position.outcome(), position.status(&mut moves)), (outcome, outcome), "{text}");
        assert_eq!(moves.is_empty(), outcome.is_some(), "{text}");
    }
}

#[test]
fn a_position_that_comes_back_is_the_same_only_if_the_same_can_be_done() {
    let start = read(START);
    let back = play(&start, "g1f3 g8f6 f3g1 f6g8");
    assert!(back == start && back.hash() == start.hash(), "the counters are no part of it");
    // Rights to castle are.
    let before = read("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
    assert!(play(&before, "e1e2 e8e7 e2e1 e7e8") != before && play(&before, "h1g1 h8g8 g1h1 g8h8") != before);
    // A capture en passant is one if it is legal, and only then.
    let with = play(&read("4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1"), "e2e4");
    assert!(with != read("4k3/8/8/8/3pP3/8/8/4K3 b - - 0 1") && is_legal(&with, "d4e3"));
    let nobody = play(&start, "e2e4");
    let same = read("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1");
    assert!(nobody == same && nobody.hash() == same.hash());
    // A queen that can go behind the pawn takes nothing there.
    let queen = play(&read("4k3/6p1/8/5Q2/8/8/8/4K3 b - - 0 1"), "g7g5");
    assert!(queen == read("4k3/8/8/5Qp1/8/8/8/4K3 w - - 0 2"));
    // The pawn on d4 is pinned to its king by the rook once the other one is gone.
    let pinned = play(&read("8/8/8/8/k2p3R/8/4P3/4K3 w - - 0 1"), "e2e4");
    let same = read("8/8/8/8/k2pP2R/8/8/4K3 b - - 0 1");
    assert!(pinned == same && pinned.hash() == same.hash() && !is_legal(&pinned, "d4e3"));
}

#[test]
fn what_cannot_come_back_is_told_and_nothing_else() {
    let mut rng = SplitMix64::new(64);
    for _ in 0..30 {
        let mut line = vec![read(START)];
        for _ in 0..200 {
            let position = line[line.len() - 1].clone();
            let mut moves = Vec::new();
            if position.status(&mut moves).is_some() {
                break;
            }
            let next = position.after(moves[rng.below(moves.len())]);
            let left = next.reversible_plies_left();
            let expected = position.reversible_plies_left().map(|left| left.saturating_sub(1));
            assert_eq!(left, if position.is_irreversible(&next) { Some(100) } else { expected });
            for (plies, earlier) in (1..).zip(line.iter().rev()) {
                assert!(*earlier != next || plies % 2 == 0 && earlier.may_return_to(&next, plies));
            }
            line.push(next);
        }
    }
}

#[test]
fn fen_x_fen_and_shredder_fen_are_read_and_written() {
    let plain = Notation::default();
    let by_files = chess960(0).notation;
    for (text, x_fen, shredder) in [
        (START, START, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1"),
        // The inner rook castles, and the outer one does.
        (
            "4k3/8/8/8/8/8/8/R1R1K2R w KC - 0 1",
            "4k3/8/8/8/8/8/8/R1R1K2R w KC - 0 1",
            "4k3/8/8/8/8/8/8/R1R1K2R w HC - 0 1",
        ),
        (
            "4k3/8/8/8/8/8/8/R1R1K2R w AH - 7 9",
            "4k3/8/8/8/8/8/8/R1R1K2R w KQ - 7 9",
            "4k3/8/8/8/8/8/8/R1R1K2R w HA - 7 9",
        ),
        // Fields that are missing; a square behind a pawn that nobody can take; a count beyond its end.
        ("4k3/8/8/8/8/8/8/4K3 b", "4k3/8/8/8/8/8/8/4K3 b - - 0 1", "4k3/8/8/8/8/8/8/4K3 b - - 0 1"),
        ("4k3/8/8/8/4P3/8/8/4K3 b - e3 0 1", "4k3/8/8/8/4P3/8/8/4K3 b - - 0 1", "4k3/8/8/8/4P3/8/8/4K3 b - - 0 1"),
        ("4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1", "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1", "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1"),
        ("4k3/p7/8/8/8/8/8/4K3 b - - 131 0", "4k3/p7/8/8/8/8/8/4K3 b - - 100 1", "4k3/p7/8/8/8/8/8/4K3 b - - 100 1"),
    ] {
        let position = read(text);
        assert_eq!(plain.position_text(&position), x_fen);
        assert_eq!(by_files.position_text(&position), shredder);
        assert!(read(x_fen) == position && by_files.parse_position(shredder) == Ok(position), "{text}");
    }
}

#[test]
fn boards_that_cannot_be_are_refused_where_they_are_wrong() {
    const UNREACHABLE: &str =
        "board: expected a position that a game can reach, found a king that could be taken, or checks that cannot be";
    for (text, offset, message) in [
        ("", 0, "board: expected 8 ranks, found nothing"),
        ("8/8/8/8/8/8/8 w - - 0 1", 0, "board: expected 8 ranks, found 7"),
        ("4k3/8/8/8/8/9/8/4K3 w - - 0 1", 12, "rank 3: expected a piece or 1 to 8, found '9'"),
        ("4k3/8/8/8/8/8x/8/4K3 w - - 0 1", 13, "rank 3: expected a piece or 1 to 8, found 'x'"),
        ("4k3/8/8/8/8/8p/8/4K3 w - - 0 1", 13, "rank 3: expected 8 squares, found 'p'"),
        ("4k3/7/8/8/8/8/8/4K3 w - - 0 1", 4, "rank 7: expected 8 squares, found 7"),
        ("4k2P/8/8/8/8/8/8/4K3 w - - 0 1", 3, "rank 8: expected no pawn on the first or last rank, found 'P'"),
        ("8/8/8/8/8/8/8/4K3 w - - 0 1", 0, "Black: expected one king, found 0"),
        ("4k3/8/8/8/8/8/8/4KK2 w - - 0 1", 0, "White: expected one king, found 2"),
        ("4k3/pppppppp/p7/8/8/8/8/4K3 w - - 0 1", 0, "Black: expected at most 8 pawns, found 9"),
        ("4k3/8/8/8/8/8/8/4K3 x - - 0 1", 20, "side to move: expected 'w' or 'b', found 'x'"),
        ("4k3/8/8/8/8/8/8/4K3 w Kx - 0 1", 23, "castling: expected K, Q, k, q, a file, or '-', found 'x'"),
        (
            "4k3/8/8/8/8/8/8/4K3 w - e9 0 1",
            24,
            "en passant: expected the square behind a pawn that has just moved two, or '-', found 'e9'",
        ),
        ("4k3/8/8/8/8/8/8/4K3 w - - x 1", 26, "halfmove counter: expected a number, found 'x'"),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1 2", 30, "end of the position: expected nothing after the counters, found '2'"),
        ("4k3/8/8/8/8/8/8/4RK2 w - - 0 1", 0, UNREACHABLE),
        ("8/P7/8/3kK3/8/8/8/8 w - - 0 1", 0, UNREACHABLE),
    ] {
        let error = Notation::default().parse_position(text).unwrap_err();
        assert_eq!((error.offset, error.to_string().as_str()), (offset, message), "{text}");
    }
}

/// What front ends and collections of positions send, and other programs read: rights without rooks, en passant squares that
/// nobody can have made, EPD operations, counters beyond their range.
#[test]
fn what_a_board_cannot_have_is_dropped_with_a_warning() {
    for (text, means, warnings) in [
        (
            "r3kbnr/8/8/8/8/8/8/4K3 w KQkq - 0 1",
            "r3kbnr/8/8/8/8/8/8/4K3 w kq - 0 1",
            vec![
                (25, "castling: 'K' is dropped; there is no rook to castle with"),
                (26, "castling: 'Q' is dropped; there is no rook to castle with"),
            ],
        ),
        (
            "4k3/8/8/8/8/8/4K3/7R w K - 0 1",
            "4k3/8/8/8/8/8/4K3/7R w - - 0 1",
            vec![(23, "castling: 'K' is dropped; the king is not on its first rank")],
        ),
        (
            "4k3/8/8/8/8/8/8/4K2R w KH - 0 1",
            "4k3/8/8/8/8/8/8/4K2R w K - 0 1",
            vec![(24, "castling: 'H' is dropped; the right is there already")],
        ),
        (
            "4k3/8/8/8/8/8/8/4K3 w - e6 0 1",
            "4k3/8/8/8/8/8/8/4K3 w - - 0 1",
            vec![(24, "en passant: 'e6' is dropped; no pawn has just moved past it")],
        ),
        // The square of the pawn itself.
        (
            "4k3/8/8/8/3pP3/8/8/4K3 b - e4 0 1",
            "4k3/8/8/8/3pP3/8/8/4K3 b - - 0 1",
            vec![(27, "en passant: 'e4' is dropped; no pawn has just moved past it")],
        ),
        (
            "4k3/8/8/8/8/8/8/4K2R w K - bm O-O; id \"one; two\";",
            "4k3/8/8/8/8/8/8/4K2R w K - 0 1",
            vec![(27, "EPD operations: 'bm O-O; id \"one; two\";' is dropped; only hmvc and fmvn are read")],
        ),
        (
            "4k3/8/8/8/8/8/8/4K2R w K - hmvc 7; fmvn 30; bm O-O;",
            "4k3/8/8/8/8/8/8/4K2R w K - 7 30",
            vec![(27, "EPD operations: *")],
        ),
        ("4k3/8/8/8/8/8/8/4K2R w K - 3 9 bm O-O;", "4k3/8/8/8/8/8/8/4K2R w K - 3 9", vec![(31, "EPD operations: *")]),
        (
            "4k3/8/8/8/8/8/8/4K2R w K - 70000 99999",
            "4k3/8/8/8/8/8/8/4K2R w K - 100 65535",
            vec![(27, "halfmove counter: '70000' is taken as 65535"), (33, "move counter: '99999' is taken as 65535")],
        ),
        (
            "4k3/8/8/8/8/8/8/4K2R w K - - -1",
            "4k3/8/8/8/8/8/8/4K2R w K - 0 1",
            vec![(27, "halfmove counter: '-' is taken as 0"), (29, "move counter: '-1' is taken as 0")],
        ),
        ("4k3/8/8/8/8/8/8/4K2R w K -", "4k3/8/8/8/8/8/8/4K2R w K - 0 1", vec![]),
        // Two queens beside eight pawns are no army, but sixteen pieces.
        ("4k3/8/8/8/8/8/PPPPPPPP/RNBQKBNQ w Q -", "4k3/8/8/8/8/8/PPPPPPPP/RNBQKBNQ w Q - 0 1", vec![]),
    ] {
        let (notation, mut dropped) = (Notation::default(), Vec::new());
        let position = notation.read_position(text, &mut dropped).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(notation.position_text(&position), means, "{text}");
        assert_eq!(dropped.len(), warnings.len(), "{text}: {dropped:?}");
        for (part, (offset, says)) in dropped.iter().zip(warnings) {
            assert!(part.offset == offset && matches(says, &part.text), "{text}: {part:?}");
        }
    }
}

#[test]
fn a_session_tells_what_it_dropped_from_a_board() {
    let mut talk = Talk::in_memory();
    talk.send("uci\nsetoption name UCI_Variant value standard");
    talk.until("uciok");
    talk.send("position fen 4k3/p7/8/8/8/8/8/4K3 w KQ e6 0 1 moves e1e2");
    talk.expect("info string warning: column 37: castling: 'K' is dropped; there is no rook to castle with");
    talk.expect("info string warning: column 38: castling: 'Q' is dropped; *");
    talk.expect("info string warning: column 40: en passant: 'e6' is dropped; *");
    assert_eq!(talk.ask("query fen"), "response 4k3/p7/8/8/8/8/4K3/8 b - - 1 1");
    // The next position has warnings of its own.
    talk.send("position startpos e2e4");
    talk.expect("info string warning: column 19: 'moves' is missing; what follows is read as moves");
    let board = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
    assert_eq!(talk.ask("query fen"), format!("response {board}"));
    talk.send("position startpos moves E2E4 E7E5 G1F3");
    assert!(talk.ask("query fen").starts_with("response rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/"));
    talk.send("position fen 8/P3k3/8/8/8/8/8/4K3 w - - 0 1 moves A7A8Q");
    assert!(talk.ask("query fen").starts_with("response Q7/4k3/8/"));
}

/// python-chess takes `0000` for a null move and plays on; it knows `(none)`, as all others do.
#[test]
fn a_uci_client_hears_that_there_is_no_move() {
    let mut talk = Talk::in_memory();
    talk.send("uci\nsetoption name UCI_Variant value chess");
    talk.until("uciok");
    for board in ["R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "nonsense"] {
        talk.send(&format!("position fen {board}\ngo depth 3"));
        assert_eq!(talk.until("bestmove *").last().unwrap(), "bestmove (none)", "{board}");
    }
}

#[test]
fn limits_that_are_no_whole_numbers_still_get_a_legal_move() {
    let mut talk = Talk::in_memory();
    talk.send("uci\nsetoption name UCI_Variant value chess");
    talk.until("uciok");
    for go in ["go depth 0", "go movetime -1", "go wtime 1000.5 btime 1000", "go nodes 0"] {
        talk.send("position startpos");
        talk.send(go);
        talk.expect("info string warning: column *");
        let best = talk.until("bestmove *").pop().unwrap();
        assert!(is_legal(&read(START), best.split(' ').nth(1).unwrap()), "{go}: {best}");
    }
}

#[test]
fn what_chess_programs_print_for_people_is_there() {
    let mut talk = Talk::in_memory();
    talk.send("uci\nsetoption name UCI_Variant value chess");
    talk.until("uciok");
    talk.send("position fen r3k2r/8/8/8/3pP3/8/8/R3K3 b Qkq e3 4 20\nflip\nquery fen");
    talk.expect("response r3k3/8/8/3Pp3/8/8/8/R3K2R w KQq e6 4 20");
    talk.send("eval");
    talk.expect("info string evaluation +*.* for the side to move, without a search");
    talk.expect("info string white pawns +*: d5 +*");
    talk.expect("info string white rooks +*: a1 +*, h1 +*");
    talk.expect("info string black pawns *: e5 *");
    talk.expect("info string black rooks -*: a8 -*");
    talk.send("bench 2");
    let lines = talk.until("Nodes searched: *");
    assert_eq!(lines.len(), 6, "{lines:?}");
    // A bench stops as a search does, and what was sent meanwhile is done after it.
    for waits in [true, false] {
        talk.send("bench 100");
        if waits {
            std::thread::sleep(Duration::from_millis(100));
        }
        talk.send("position startpos moves e2e4\nisready");
        talk.expect("readyok");
        talk.send("stop");
        talk.until("info string bench stopped; *");
        talk.send("query fen");
        talk.until("response rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1");
    }
    talk.send("position startpos\ngo perft 2");
    let lines = talk.until("bestmove *");
    assert!(lines.contains(&"e2e4: 20".to_owned()) && lines.contains(&"Nodes searched: 400".to_owned()), "{lines:?}");
    talk.send("setoption name Game value nim\nflip\neval");
    talk.expect("info string error: flip: a position of nim cannot be turned round");
    talk.expect("info string evaluation *");
}

#[test]
fn castling_is_the_way_of_the_king_or_the_rook_that_it_takes() {
    let (plain, by_rook) = (Notation::default(), chess960(518).notation);
    let position = read("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
    for (way, rook, san) in [("e1g1", "e1h1", "O-O"), ("e1c1", "e1a1", "O-O-O")] {
        let mv = plain.parse_move(&position, way).unwrap();
        assert!([way, rook, san].iter().all(|text| plain.parse_move(&position, text) == Ok(mv)));
        assert!([way, rook, san].iter().all(|text| by_rook.parse_move(&position, text) == Ok(mv)));
        assert_eq!((plain.move_text(&position, mv).as_str(), by_rook.move_text(&position, mv).as_str()), (way, rook));
    }
    // A king beside its rook: the square of the king's way is one that it can simply go to.
    let beside = read("4k3/8/8/8/8/8/8/5K1R w H - 0 1");
    let step = plain.parse_move(&beside, "f1g1").unwrap();
    let castle = plain.parse_move(&beside, "f1h1").unwrap();
    assert_ne!(step, castle);
    assert_eq!([step, castle].map(|mv| plain.move_text(&beside, mv)), ["f1g1", "f1h1"]);
    let after = beside.after(castle);
    assert_eq!(plain.position_text(&after), "4k3/8/8/8/8/8/8/5RK1 b - - 1 1");
    // Through a square that is attacked, and with something between.
    assert!(!is_legal(&read("4kr2/8/8/8/8/8/8/4K2R w K - 0 1"), "e1g1"));
    assert!(!is_legal(&read("4k3/8/8/8/8/8/8/4KB1R w K - 0 1"), "e1g1"));
}

#[test]
fn moves_that_are_none_are_told_what_would_be_right() {
    let start = read(START);
    for (text, message) in [
        ("", "move: expected a legal move as e2e4, e7e8q or Nf3, found nothing"),
        ("e2e5", "move: expected a legal move, found 'e2e5'"),
        ("e3e4", "move: expected a move of a piece; there is none, found 'e3e4'"),
        ("e7e5", "move: expected a move of the side to move, found 'e7e5'"),
        ("Nf4", "move: expected a legal move as e2e4, e7e8q or Nf3, found 'Nf4'"),
        ("0000", "move: expected a legal move as e2e4, e7e8q or Nf3, found '0000'"),
    ] {
        assert_eq!(Notation::default().parse_move(&start, text).unwrap_err().to_string(), message);
    }
    let promotes = read("8/P3k3/8/8/8/8/8/4K3 w - - 0 1");
    let error = Notation::default().parse_move(&promotes, "a7a8").unwrap_err().to_string();
    assert_eq!(error, "move: expected the piece that the pawn becomes: q, r, b or n, found 'a7a8'");
    assert!(["a7a8q", "a7a8n", "a8=R"].iter().all(|text| is_legal(&promotes, text)));
    assert_eq!(Notation::default().parse_move(&start, "Nf3"), Notation::default().parse_move(&start, "g1f3"));
}

#[test]
fn people_write_moves_in_san() {
    for (board, moves) in [
        (START, "g1f3 Nf3, e2e4 e4"),
        // Two knights, of which one is pinned; two that are not; three queens.
        ("4r1k1/8/8/8/8/4N3/8/2N1K3 w - - 0 1", "c1e2 Ne2, c1d3 Nd3"),
        ("6k1/8/8/8/8/2N5/8/4K1N1 w - - 0 1", "c3e2 Nce2, g1e2 Nge2"),
        ("8/k7/4Q3/8/8/8/4Q1Q1/4K3 w - - 0 1", "e6e4 Q6e4, e2e4 Qe2e4, g2e4 Qge4"),
        // Pawns that take, also en passant, and become something.
        ("4k3/8/8/3pP1p1/5P1P/8/8/4K3 w - d6 0 1", "e5d6 exd6, f4g5 fxg5, h4g5 hxg5, e5e6 e6"),
        ("3nk3/4P3/8/8/8/8/8/4K3 w - - 0 1", "e7d8q exd8=Q+, e7d8n exd8=N"),
        ("6k1/P4ppp/8/8/8/8/8/4K3 w - - 0 1", "a7a8q a8=Q#, a7a8r a8=R#, a7a8b a8=B"),
        ("3k4/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1g1 O-O, e1c1 O-O-O+, e1d1 Kd1"),
    ] {
        let (position, notation) = (read(board), Notation::default());
        for pair in moves.split(", ") {
            let (text, name) = pair.split_once(' ').unwrap();
            let mv = notation.parse_move(&position, text).unwrap();
            assert_eq!(notation.move_name(&position, mv), name, "{board}");
            assert_eq!(notation.parse_move(&position, name), Ok(mv), "{board}");
        }
    }
    // Chess960: the king goes where it would, or does not move at all; a step beside the rook is none.
    let by_rook = chess960(0).notation;
    let castling = read("4k3/8/8/8/8/8/8/R5K1 w A - 0 1");
    let mv = by_rook.parse_move(&castling, "O-O-O").unwrap();
    assert_eq!(
        (by_rook.move_text(&castling, mv).as_str(), by_rook.move_name(&castling, mv).as_str()),
        ("g1a1", "O-O-O")
    );
    let stays = read("4k3/8/8/8/8/8/8/6KR w H - 0 1");
    let mv = by_rook.parse_move(&stays, "O-O").unwrap();
    assert_eq!(by_rook.move_text(&stays, mv), "g1h1");
    assert_eq!(by_rook.parse_move(&stays, "0-0"), Ok(mv));
    assert!(by_rook.parse_move(&stays, "Kh1").is_err() && by_rook.parse_move(&stays, "O-O-O").is_err());
}

/// The full search of a position to a depth.
fn find(
    position: &Position,
    depth: u32,
    table: &TranspositionTable,
) -> Verdict<<Position as griot::game::Position>::Move> {
    let game = game();
    search(&Task { depth, ..Task::new(position.clone()) }, Knowledge::new(&game.evaluate, &(), table), &mut ())
}

#[test]
fn mates_are_found_and_are_as_short_as_can_be() {
    for (text, plies) in [
        ("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", 1),
        ("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", 3),
        ("r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1", 5),
    ] {
        let table = TranspositionTable::new(1).unwrap();
        // The second begins by giving the rook away in zugzwang, so how deep it is found depends on the evaluation.
        let task = Task { nodes: 100_000, ..Task::new(read(text)) };
        let found = search(&task, Knowledge::new(&game().evaluate, &(), &table), &mut ());
        assert_eq!(found.score, Score::win_in(plies), "{text}");
    }
}

/// What lies behind the moves beyond the best one is looked at as what lies behind that: late moves less deep. Without that, it took
/// sixty times as long.
#[test]
fn three_lines_take_a_few_times_the_nodes_of_one() {
    let nodes = |lines| {
        let (game, table) = (game(), TranspositionTable::new(1).unwrap());
        let task = Task { depth: 7, lines, ..Task::new(game.notation.start()) };
        search(&task, Knowledge::new(&game.evaluate, &(), &table), &mut ()).nodes
    };
    let [one, three] = [1, 3].map(nodes);
    assert!(one < three && three < 6 * one, "{one} {three}");
}

/// What is taken, what the pawn becomes, and a pawn and a half.
#[test]
fn a_noisy_move_can_lift_the_evaluation_by_what_it_takes_and_becomes() {
    for (text, mv, gain) in [
        ("k7/8/8/3r4/4P3/8/8/K7 w - - 0 1", "e4d5", 500),
        ("k7/8/8/3pP3/8/8/8/K7 w - d6 0 1", "e5d6", 100),
        ("k2r4/4P3/8/8/8/8/8/K7 w - - 0 1", "e7e8q", 950),
        ("k2r4/4P3/8/8/8/8/8/K7 w - - 0 1", "e7d8q", 500 + 950),
    ] {
        let position = read(text);
        let mv = Notation::default().parse_move(&position, mv).unwrap();
        assert_eq!(game().evaluate.greatest_gain(&position, mv), Some(gain + 150), "{text} {mv}");
    }
}

#[test]
fn a_null_move_is_verified_by_the_moves_of_its_own_position() {
    // Deep enough for that, and with enough pieces: once it went through the moves of another position, which may take a king.
    let root = read("r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10");
    let game = game();
    let table = TranspositionTable::new(16).unwrap();
    let task = Task { nodes: 600_000, ..Task::new(root.clone()) };
    let verdict = search(&task, Knowledge::new(&game.evaluate, &(), &table), &mut ());
    assert!(verdict.depth > 12, "{}", verdict.depth);
    for line in [root, read("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1")].iter().map(|root| find(root, 16, &table).pv) {
        assert!(!line.is_empty());
    }
}

#[test]
fn a_mate_that_comes_after_the_end_of_the_count_is_none() {
    // White mates in two moves, which is three plies.
    let at = |count: u32| read(&format!("7k/8/4K3/8/8/8/8/6Q1 w - - {count} 80"));
    let table = TranspositionTable::new(1).unwrap();
    let long = |count| find(&at(count), 6, &table).score;
    let Meaning::Win(plies) = long(0).meaning() else { panic!("{:?}", long(0)) };
    assert!((2..=6).contains(&plies));
    // One table, in every order: what it knows of the same position with time left is not believed where there is none.
    for count in [99, 0, 98, 97, 100 - plies, 101 - plies, 0, 99] {
        let expected = if count + plies <= 100 { Score::win_in(plies) } else { Score::DRAW };
        assert_eq!(long(count), expected, "{count}, mate in {plies} plies");
    }
}

#[test]
fn a_position_for_the_third_time_is_a_draw_that_the_search_sees_and_a_move_is_found_all_the_same() {
    let mut talk = Talk::in_memory();
    talk.send("uci\nsetoption name Game value chess");
    talk.until("uciok");
    let shuffle = "g1f3 g8f6 f3g1 f6g8 ";
    talk.send(&format!("position startpos moves {shuffle}"));
    assert_eq!(talk.ask("query result"), "response none");
    talk.send(&format!("position startpos moves {}", shuffle.repeat(2)));
    assert_eq!(talk.ask("query result"), "response draw");
    talk.send("go depth 3");
    let last = talk.until("bestmove *").pop().unwrap();
    assert!(last.starts_with("bestmove ") && !last.contains("0000"), "{last}");
    // A count that has run out is a draw, too; with a capture the game goes on.
    talk.send("position fen 4k3/8/8/3r4/8/1N6/8/4K3 w - - 99 80 moves b3d4");
    assert_eq!(talk.ask("query result"), "response draw");
    talk.send("position fen 4k3/p7/8/3r4/8/4N3/8/4K3 w - - 99 80 moves e3d5");
    assert_eq!(talk.ask("query result"), "response none");
    // Whoever is lost gives check for ever.
    talk.send("position fen 6k1/5p1p/8/2Q5/8/1q6/r7/6K1 w - - 0 1");
    talk.send("go depth 8");
    let lines = talk.until("bestmove *").join("\n");
    assert!(lines.contains("score cp 0"), "{lines}");
}

/// Checks make a line longer than the search is deep, and it came to the third repetition and went on: fastchess warned of it.
#[test]
fn a_line_ends_where_a_position_comes_up_for_the_third_time() {
    let mut talk = Talk::process(&["--game", "chess"]);
    talk.send("uci");
    let mut lines = 0;
    for position in [
        "8/4R3/8/8/4k1p1/4p3/1r6/4K3 b - - 13 96 moves e4f4 e7f7 f4e4 f7e7",
        "8/5R2/8/8/4k1p1/4p3/1r6/4K3 w - - 12 96 moves f7e7 e4f4 e7f7 f4e4",
        "8/4R3/8/8/4k1p1/4p3/r7/4K3 b - - 51 115 moves e4d4 e7d7",
        "4R3/8/4k3/4p1p1/3r4/2K5/8/8 b - - 1 67 moves e6f5 e8f8 f5g6 f8g8",
        "7k/4Q3/7p/p1p5/P1Pb4/1P4q1/5N2/5K2 w - - 11 53 moves e7f8 h8h7 f8e7 h7h8",
    ] {
        talk.send("ucinewgame");
        talk.send(&format!("position fen {position}"));
        talk.send("go depth 6");
        for line in talk.until("bestmove *") {
            let Some((_, pv)) = line.split_once(" pv ") else { continue };
            let pv: Vec<&str> = pv.split(' ').collect();
            for plies in 1..pv.len() {
                talk.send(&format!("position fen {position} {}", pv[..plies].join(" ")));
                assert_eq!(talk.ask("query gameover"), "response false", "{position}: {line} goes on after {plies}");
            }
            lines += 1;
        }
    }
    assert!(lines >= 30, "{lines}");
}

#[test]
fn uci_chess960_writes_castling_by_the_rook_and_only_then() {
    let mut talk = Talk::in_memory();
    talk.send("uci\nsetoption name UCI_Chess960 value true\nsetoption name UCI_Variant value chess");
    talk.until("uciok");
    let castling = "position fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    talk.send(castling);
    let moves = talk.ask("query legalmoves");
    assert!(moves.contains(" e1h1") && moves.contains(" e1a1") && !moves.contains(" e1g1 "), "{moves}");
    talk.send("setoption name UCI_Chess960 value false");
    talk.send(castling);
    let moves = talk.ask("query legalmoves");
    assert!(moves.contains("e1g1") && moves.contains("e1c1") && !moves.contains("e1h1"), "{moves}");
    talk.send("setoption name UCI_Chess960 value maybe");
    talk.expect("*option UCI_Chess960: expected 'true' or 'false', found 'maybe'*");
}

#[test]
fn the_evaluation_sees_both_sides_alike() {
    let mut rng = SplitMix64::new(7);
    let game = game();
    for _ in 0..20 {
        let mut position = read(START);
        for _ in 0..80 {
            let mut moves = Vec::new();
            if position.status(&mut moves).is_some() {
                break;
            }
            position.play(moves[rng.below(moves.len())]);
            let text = game.notation.position_text(&position);
            // The board turned upside down, and the colours exchanged.
            let mut fields = text.split(' ');
            let board: Vec<String> =
                fields.next().unwrap().split('/').rev().map(|rank| rank.chars().map(swap).collect()).collect();
            let side = if fields.next() == Some("w") { "b" } else { "w" };
            let other = read(&format!("{} {side} - - 0 1", board.join("/")));
            if position.outcome().is_none() && other.outcome().is_none() {
                use griot::game::Evaluate as _;
                assert_eq!(game.evaluate.evaluate(&position), game.evaluate.evaluate(&other), "{text}");
                let _ = game.evaluate.state(&position);
            }
        }
    }
}

fn swap(c: char) -> char {
    if c.is_ascii_uppercase() { c.to_ascii_lowercase() } else { c.to_ascii_uppercase() }
}

/// How many plies the search after 1. e4 d5 sees, and how many at most, with these options.
fn sight(options: &str) -> (u32, u32) {
    let mut talk = Talk::in_memory();
    talk.send("uci\nsetoption name UCI_Variant value chess");
    talk.send(&format!("{options}\nposition startpos moves e2e4 d7d5\ngo depth 30"));
    let lines = talk.until("bestmove *");
    let number =
        |line: &str, key: &str| -> Option<u32> { line.split(' ').skip_while(|word| *word != key).nth(1)?.parse().ok() };
    let most = |key: &str| lines.iter().filter_map(|line| number(line, key)).max().unwrap();
    (most("depth"), most("seldepth"))
}

/// Level 8 sees two plies at chess, and captures to their end; level 6 four, and nothing further. Where the search follows no
/// captures, level 8 sees as far as its nodes allow, up to the five plies that it sees elsewhere.
#[test]
fn levels_from_the_eighth_on_search_on_through_captures() {
    let level = |number: u32| format!("setoption name Skill Level value {number}");
    assert_eq!(sight(&level(6)), (4, 4));
    let (depth, seldepth) = sight(&level(8));
    assert!(depth == 2 && seldepth > 2, "{depth} {seldepth}");
    for option in ["Selective value false", "Evaluation value plain"] {
        let (depth, _) = sight(&format!("{}\nsetoption name {option}", level(8)));
        assert!((3..=5).contains(&depth), "{option}: {depth}");
    }
}

/// 1090 is level 2 at chess, at awale it is level 5.
#[test]
fn elo_goes_by_the_game_that_is_played() {
    let elo = "setoption name UCI_LimitStrength value true\nsetoption name UCI_Elo value 1090";
    assert_eq!(sight(elo).0, 2);
    assert_eq!(sight(&format!("setoption name Game value awale\n{elo}\nsetoption name Game value chess960:5")).0, 2);
    let mut talk = Talk::in_memory();
    talk.send(&format!("uci\nsetoption name UCI_Variant value chess\n{elo}\nsetoption name Game value awale"));
    talk.send("position startpos\ngo depth 30");
    let lines = talk.until("bestmove *");
    assert!(lines.iter().any(|line| line.starts_with("info depth 3 ")), "{lines:#?}");
}

/// A session of chess that speaks UCI, with these options.
fn uci(options: &[(&str, &str)]) -> Talk {
    let mut talk = Talk::in_memory();
    talk.send("uci\nsetoption name UCI_Variant value chess");
    talk.until("uciok");
    for (name, value) in options {
        talk.send(&format!("setoption name {name} value {value}"));
    }
    talk
}

/// What lichess-bot sends as it is shipped: its folder of Syzygy tables is not there, and the game goes on.
#[test]
fn the_default_configuration_of_lichess_bot_is_played() {
    let mut talk = uci(&[
        ("Move Overhead", "100"),
        ("Threads", "4"),
        ("Hash", "64"),
        ("SyzygyPath", "./no/such/syzygy/"),
        ("UCI_ShowWDL", "true"),
        ("UCI_AnalyseMode", "false"),
        ("UCI_Opponent", "none none human Magnus"),
    ]);
    talk.expect("info string error: column 33: option SyzygyPath: *expected a folder with Syzygy tables, found none");
    talk.send("ucinewgame\nisready");
    talk.expect("readyok");
    talk.send("position startpos moves e2e4\ngo wtime 1000 btime 1000 winc 0 binc 0");
    let lines = talk.until("bestmove *");
    let told: Vec<&String> = lines.iter().filter(|line| line.contains(" score cp ")).collect();
    assert!(!told.is_empty() && told.iter().all(|line| line.contains(" wdl ")), "{lines:#?}");
    // A mate is certain, and so is a stalemate.
    talk.send("position fen 6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1\ngo depth 2");
    assert!(talk.until("bestmove *").iter().any(|line| line.contains(" score mate 1 wdl 1000 0 0 ")));
    talk.send("position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1\ngo depth 2");
    talk.expect("info depth 0 score cp 0 wdl 0 1000 0 *");
}

#[test]
fn the_python_package_has_the_same_chances() {
    use griot::game::{Chances, Evaluate};
    use griot::games::{awale, chess, mnk, othello};
    let python = std::fs::read_to_string("python/src/griot/_score.py").unwrap();
    let of = |name: &str| {
        let line = python.lines().find(|line| line.trim_start().starts_with(&format!("\"{name}\": (")));
        let numbers = line.unwrap().split(['(', ',', ')']).filter_map(|number| number.trim().parse().ok());
        let numbers: Vec<f64> = numbers.collect();
        Some(Chances { middle: numbers[0], width: numbers[1] })
    };
    assert_eq!(<chess::Evaluate as Evaluate<chess::Position>>::CHANCES, of("chess"));
    assert_eq!(<othello::Evaluate as Evaluate<othello::Position>>::CHANCES, of("othello"));
    let awale = <awale::AwaleEvaluation as Evaluate<awale::Position<awale::Abapa>>>::CHANCES;
    let gomoku = <mnk::Evaluate<4> as Evaluate<mnk::Position<4>>>::CHANCES;
    assert_eq!([awale, gomoku], [of("awale"), of("mnk")]);
}

/// Files that are no tables, or were cut short, are refused by name before anybody reads them.
#[test]
fn bad_syzygy_files_are_refused_and_change_nothing() {
    let mut talk = uci(&[]);
    for (name, bytes, says) in [
        ("KRvK.rtbw", &b"no table"[..], "KRvK.rtbw: expected a table, found another file"),
        ("KRvK.rtbw", &[0x71, 0xE8, 0x23, 0x5D, 0, 0], "KRvK.rtbw: the table is cut short"),
        ("KRvK.rtbz", &[], "KRvK.rtbz: expected a table, found another file"),
        ("README", &b"no table"[..], "expected files KQvK.rtbw and the like, found none"),
    ] {
        let folder = Folder::new("syzygy");
        std::fs::write(folder.join(name), bytes).unwrap();
        let path = folder.join("");
        let line = talk.ask(&format!("setoption name SyzygyPath value {}", path.display()));
        assert!(
            line.starts_with("info string error: column 33: option SyzygyPath: ") && line.ends_with(says),
            "{line}"
        );
    }
    talk.send("position startpos\ngo depth 2");
    assert!(talk.until("bestmove *").pop().unwrap().len() > "bestmove ".len());
}

/// The bytes of a Polyglot book: positions by their moves from the start, each with a move and its weight.
fn polyglot(entries: &[(&str, &str, u16)]) -> Vec<u8> {
    let notation = Notation::default();
    let mut found: Vec<(u64, u16, u16)> = Vec::new();
    for &(moves, mv, weight) in entries {
        let position = play(&notation.start(), moves);
        let mv = notation.parse_move(&position, mv).unwrap();
        let square = |square: cozy_chess::Square| square as u16;
        found.push((notation.book_key(&position).unwrap(), square(mv.from) << 6 | square(mv.to), weight));
    }
    found.sort_by_key(|&(key, ..)| key);
    let bytes = |&(key, mv, weight): &(u64, u16, u16)| {
        [&key.to_be_bytes()[..], &mv.to_be_bytes(), &weight.to_be_bytes(), &[0; 4]].concat()
    };
    found.iter().flat_map(bytes).collect()
}

#[test]
fn a_polyglot_book_is_known_by_its_contents_and_played_by_its_weights() {
    let folder = Folder::new("polyglot");
    let path = folder.join("openings.dat");
    let book = polyglot(&[
        ("", "e2e4", 30),
        ("", "d2d4", 60),
        ("", "g1f3", 10),
        ("", "a2a3", 0),
        ("d2d4", "d7d5", 1),
        ("d2d4 d7d5", "c2c4", 1),
        ("e2e4 e7e5 g1f3 b8c6 f1c4 f8c5", "e1g1", 1),
    ]);
    std::fs::write(&path, &book).unwrap();
    let mut talk = uci(&[("BookFile", path.to_str().unwrap()), ("OwnBook", "true")]);
    let mut best = |moves: &str, go: &str| {
        talk.send(&format!("position startpos moves {moves}\n{go}"));
        let mut lines = talk.until("bestmove *");
        (lines.pop().unwrap(), lines)
    };
    // The heaviest move, with the line after it.
    let (answer, lines) = best("", "go depth 9");
    assert_eq!(answer, "bestmove d2d4 ponder d7d5");
    assert!(lines.len() == 1 && lines[0].ends_with(" pv d2d4 d7d5 c2c4"), "{lines:?}");
    assert_eq!(best("e2e4 e7e5 g1f3 b8c6 f1c4 f8c5", "go depth 9").0, "bestmove e1g1");
    assert_eq!(best("", "go depth 9 searchmoves g1f3").0, "bestmove g1f3");
    // Not known, and not asked for.
    assert!(best("a2a3", "go depth 2").1.len() > 1 && best("", "go depth 2 mate 1").1.len() > 1);
    // By lot among the moves that are heavy enough.
    let mut drawn = |variety: &str| {
        let mut drawn = std::collections::BTreeMap::new();
        talk.send(&format!("setoption name BookVariety value {variety}"));
        for seed in 0..200 {
            talk.send(&format!("setoption name Seed value {seed}\nposition startpos\ngo depth 1"));
            let line = talk.until("bestmove *").pop().unwrap();
            *drawn.entry(line.split(' ').nth(1).unwrap().to_owned()).or_insert(0) += 1;
        }
        drawn
    };
    assert_eq!(drawn("0").len(), 1);
    assert_eq!(drawn("500").keys().collect::<Vec<_>>(), ["d2d4", "e2e4"]);
    let all = drawn("1000");
    assert!(all.len() == 3 && all["d2d4"] > all["e2e4"] && all["e2e4"] > all["g1f3"], "{all:?}");
    // While a client analyses, the book rests.
    talk.send("setoption name UCI_AnalyseMode value true\nposition startpos\ngo depth 2");
    assert!(talk.until("bestmove *").len() > 2);
    // What is neither kind of book is refused, and so is this one at another game.
    for (bytes, says) in
        [(&book[1..], "expected 'griot-book 1'"), (&book[..17], "expected 'griot-book 1'"), (&b""[..], "expected")]
    {
        let bad = folder.join("bad.bin");
        std::fs::write(&bad, bytes).unwrap();
        let line = talk.ask(&format!("setoption name BookFile value {}", bad.display()));
        assert!(line.starts_with("info string error: ") && (line.contains(says) || line.contains("UTF-8")), "{line}");
    }
    talk.send("setoption name Game value othello\nsetoption name BookFile value <empty>");
    let line = talk.ask(&format!("setoption name BookFile value {}", path.display()));
    assert!(line.starts_with("info string error: "), "{line}");
}

/// Under a limit of addresses (`ulimit -v`, in KiB) there is no room for the usual stack, or for more heaps than two.
#[test]
#[cfg(target_os = "linux")]
fn it_plays_in_little_memory() {
    let program = crate::support::workspace_program("griot");
    for limit in (100_000..=300_000).step_by(40_000).chain([190_000, 200_000]) {
        let script = format!("ulimit -v {limit}; exec '{}' --game chess", program.display());
        let mut talk = Talk::with_command(std::process::Command::new("sh").args(["-c", &script]));
        talk.send("uci\nposition startpos moves e2e4\ngo depth 5");
        let best = talk.until("bestmove *").pop().unwrap();
        assert!(best.starts_with("bestmove ") && !best.contains("(none)"), "{limit}: {best}");
        talk.send("position fen 8/8/8/4k3/8/8/8/R3K3 w - - 0 1\ngo movetime 50");
        assert!(!talk.until("bestmove *").pop().unwrap().contains("(none)"), "{limit}");
        talk.send("quit");
        assert!(talk.exit_status().success(), "{limit}");
    }
}

/// A mate that the tables know has its whole line: as many moves as its distance says.
#[test]
fn the_line_of_a_mate_that_is_known_goes_to_its_end() {
    let mut talk = uci(&[]);
    for board in ["8/8/8/4k3/8/8/8/R3K3 w - - 0 1", "4k3/8/4K3/4P3/8/8/8/8 w - - 0 1", "8/8/8/4k3/8/8/8/Q3K3 b - - 0 1"]
    {
        talk.send(&format!("position fen {board}\ngo depth 4"));
        let lines = talk.until("bestmove *");
        let last = lines.iter().rfind(|line| line.contains(" pv ")).unwrap();
        let Some(moves) = word(last, "mate") else { panic!("{last}") };
        let moves: i32 = moves.parse().unwrap();
        let plies = if moves > 0 { 2 * moves - 1 } else { -2 * moves };
        let pv = last.split(" pv ").nth(1).unwrap();
        assert_eq!(pv.split(' ').count(), plies as usize, "{last}");
        assert!(word(last, "tbhits").unwrap().parse::<u64>().unwrap() > 0, "{last}");
    }
}

/// The same without tables, for every mate of either side that is reported as exact.
#[test]
fn the_line_of_a_mate_that_was_searched_goes_to_its_end() {
    let mut talk = uci(&[]);
    for (board, moves) in [
        ("r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1", 3),
        ("4k3/3R4/8/2N3P1/2B2P2/2N5/P1P2P2/5K2 w - - 0 1", 2),
        ("4k3/3R1B2/8/2N3P1/5P2/2N5/P1P2P2/5K2 b - - 0 1", -1),
    ] {
        talk.send(&format!("position fen {board}\ngo depth 8"));
        let lines = talk.until("bestmove *");
        let mut told = Vec::new();
        for line in lines.iter().filter(|line| !line.contains("bound ")) {
            let (Some(mate), Some((_, pv))) = (word(line, "mate"), line.split_once(" pv ")) else { continue };
            let mate: i32 = mate.parse().unwrap();
            let plies = if mate > 0 { 2 * mate - 1 } else { -2 * mate };
            assert_eq!(pv.split(' ').count(), plies as usize, "{line}");
            told.push(mate);
        }
        assert_eq!(told.last().copied().unwrap_or_default(), moves, "{board}: {lines:#?}");
    }
}

/// UCI: an engine goes on with the rest of a line whose first word it does not know.
#[test]
fn a_command_behind_an_unknown_word_is_obeyed() {
    let mut talk = uci(&[]);
    talk.send("joho debug on");
    talk.expect("info string warning: column 1: 'joho' is not a command; going on with what follows");
    talk.send("joho go depth 1");
    talk.expect("info string warning: column 1: 'joho' is not a command; going on with what follows");
    talk.expect("info string debug: search 1 starts, bounded");
    talk.until("bestmove *");
}

#[test]
fn a_folder_of_tables_that_is_not_there_is_refused_at_every_game() {
    let mut talk = Talk::in_memory();
    for game in ["chess", "chess960", "othello", "awale"] {
        talk.send(&format!("setoption name Game value {game}"));
        let line = talk.ask("setoption name TablebasePath value /no/such/folder");
        assert!(line.ends_with("/no/such/folder: expected a folder with endgame tables, found none"), "{game}: {line}");
    }
}
