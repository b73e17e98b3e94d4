//! Openings: from a file, or random moves from the start position. Each is played twice, with sides swapped.

use std::collections::HashSet;

use griot::game::SplitMix64;
use griot::registry::Registry;
use griot_records::{Hints, Reader};

use crate::referee::Referee;

/// Where a game begins; the moves are in griot's own style.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Opening {
    /// A board text, or the start position.
    pub(crate) board: Option<String>,
    pub(crate) moves: Vec<String>,
}

/// Reads openings: the games of any file that `griot convert` reads, or lines of boards or moves. Of each, no more than `plies` are
/// taken, without variations and comments. `name` is the file's.
///
/// # Errors
/// The line or game that is wrong, and why: not a position, an illegal move, another game, or a game that is over.
pub(crate) fn read_openings(
    bytes: &[u8],
    name: &str,
    plies: Option<usize>,
    referee: &mut Referee,
) -> Result<Vec<Opening>, String> {
    let game = referee.game().to_owned();
    let hints = Hints { game: Some(&game), on_board: None, file_name: name };
    let mut openings = Vec::new();
    let mut problem = None;
    let mut number = 0;
    Reader::new(&Registry).read_file(bytes, &hints, &|_| None, &mut |found| {
        number += 1;
        let opening = found.map_err(|fault| fault.to_string()).and_then(|record| {
            if record.game != game {
                return Err(format!("game {number}: expected a game of {game}, found one of {}", record.game));
            }
            let moves = record.moves().into_iter().take(plies.unwrap_or(usize::MAX)).map(str::to_owned).collect();
            let opening = Opening { board: record.start, moves };
            play(&opening, referee).map_err(|problem| format!("game {number}: {problem}"))?;
            Ok(opening)
        });
        match opening {
            Ok(opening) => openings.push(opening),
            Err(text) => problem = Some(text),
        }
        problem.is_none()
    });
    match problem {
        Some(problem) => Err(problem),
        None if openings.is_empty() => Err("no opening in it; write one a line, like 'startpos moves A b'".into()),
        None => Ok(openings),
    }
}

/// Leads the referee through an opening, which must leave something to play.
fn play(opening: &Opening, referee: &mut Referee) -> Result<(), String> {
    referee.begin(opening.board.as_deref()).map_err(|problem| problem.text)?;
    for mv in &opening.moves {
        if referee.result().is_some() || referee.play(mv).is_none() {
            break;
        }
    }
    if referee.result().is_some() {
        let few = "openings must leave something to play; --opening-plies N takes the beginning of games";
        return Err(format!("the game is over in this position; {few}"));
    }
    Ok(())
}

/// So many random games in a row without a new opening mean that there are hardly any more.
const MISSES: usize = 300;

/// Up to `count` openings of `plies` random moves that end in different running games; fewer when there are no more.
///
/// # Errors
/// When not one game lasts so long.
pub(crate) fn random_openings(
    referee: &mut Referee,
    plies: usize,
    count: usize,
    seed: u64,
) -> Result<Vec<Opening>, String> {
    let mut random = SplitMix64::new(seed);
    let mut seen = HashSet::new();
    let mut openings = Vec::new();
    let mut misses = 0;
    while openings.len() < count && misses < MISSES {
        misses += 1;
        referee.begin(None).map_err(|problem| problem.text)?;
        while referee.moves().len() < plies && !referee.legal_moves().is_empty() {
            let legal = referee.legal_moves();
            let mv = legal[random.below(legal.len())].clone();
            referee.play(&mv);
        }
        if referee.result().is_none() && referee.moves().len() == plies && seen.insert(referee.board()) {
            openings.push(Opening { board: None, moves: referee.moves().to_vec() });
            misses = 0;
        }
    }
    if openings.is_empty() {
        return Err(format!("--random-plies {plies}: random games of {} end before that; take fewer", referee.game()));
    }
    Ok(openings)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn referee(game: &str) -> Referee {
        Referee::new(game).unwrap()
    }

    fn read(text: &str, plies: Option<usize>, game: &str) -> Result<Vec<Opening>, String> {
        read_openings(text.as_bytes(), "openings.txt", plies, &mut referee(game))
    }

    #[test]
    fn a_file_has_boards_moves_and_comments() {
        let text = "# two of them\n\nstartpos moves b2 A1 # the corner\n3/1x1/3 o\n  startpos\n3/1P1/3 b moves P@a1\n";
        let openings = read(text, None, "tictactoe").unwrap();
        let opening = |board: Option<&str>, moves: &[&str]| Opening {
            board: board.map(str::to_owned),
            moves: moves.iter().map(|&mv| mv.to_owned()).collect(),
        };
        assert_eq!(
            openings,
            [
                opening(None, &["b2", "a1"]),
                opening(Some("3/1x1/3 o"), &[]),
                opening(None, &[]),
                opening(Some("3/1x1/3 o"), &["a1"]),
            ]
        );
        let glued = read("startpos moves CdA b", None, "awale").unwrap();
        assert_eq!(glued[0].moves, ["C", "d", "A", "b"]);
    }

    #[test]
    fn what_is_wrong_is_told_with_its_line() {
        for (text, told) in [
            ("startpos\nstartpos moves b2 b2", "game 2, line 2, column 19, ply 2: 'b2' is not legal; legal are "),
            ("3/3/4 x", "game 1, line 1, column 1: row 3"),
            ("startpos moves a1 b1 a2 b2 a3", "game 1: the game is over"),
            ("othello|startpos|f5", "game 1: expected a game of tictactoe, found one of othello"),
            ("# nothing\n", "no opening in it"),
        ] {
            let problem = read(text, None, "tictactoe").unwrap_err();
            assert!(problem.starts_with(told), "{problem}");
        }
    }

    fn moves_of(text: &str, plies: Option<usize>, game: &str) -> Vec<Vec<String>> {
        let openings = read(text, plies, game).unwrap();
        openings.into_iter().map(|opening| opening.moves).collect()
    }

    #[test]
    fn lists_of_moves_and_positions_of_epd_are_openings() {
        let expected = ["f5", "d6", "c4"];
        for line in ["f5d6c4", "f5 d6 c4", "1. f5 d6 2. c4", "1.F5 D6 2.C4", "startpos moves f5d6 c4"] {
            assert_eq!(moves_of(line, None, "othello"), [expected], "{line}");
        }
        assert_eq!(moves_of("f5d6c4", Some(2), "othello"), [["f5", "d6"]]);
        let epd = "3/1x1/3 o bm a1; id \"x y\";";
        assert_eq!(read(epd, None, "tictactoe").unwrap()[0].board.as_deref(), Some("3/1x1/3 o"));
        assert!(read("f5x9", None, "othello").unwrap_err().contains("'x9' is not legal"));
    }

    #[test]
    fn games_of_other_formats_are_openings() {
        let ggf = "(;GM[Othello]PC[x]PB[a\\]b]BO[8 -------- -------- -------- ---O*--- ---*O--- -------- -------- \
                   -------- *]B[d3//0.01]W[c5/2.3];)\n(;GM[Othello]BO[8 -------- -------- -------- ---O*--- ---*O--- \
                   -------- -------- -------- *]B[F5];)";
        assert_eq!(moves_of(ggf, None, "othello"), [vec!["d3", "c5"], vec!["f5"]]);
        let sgf = "(;FF[4]GM[4]SZ[15]C[a (;B[aa\\])];B[hh];W[ih]BL[9](;B[aa];W[bb])(;B[cc]))";
        assert_eq!(moves_of(sgf, None, "gomoku"), [["h8", "i8", "a15", "b14"]]);
        let ogn = "[Variant \"Abapa\"]\n[Result \"*\"]\n\n1. F a 2. B {well} (2. C) b\n\n[Variant \"Abapa\"]\n[FEN \
                   \"4-4-4-4-4-4-4-4-4-4-4-4-0-0-N\"]\n\n1. a F *\n";
        let openings = read(ogn, Some(3), "awale").unwrap();
        assert_eq!(openings[0].moves, ["F", "a", "B"]);
        assert_eq!((openings[1].board.is_some(), openings[1].moves.len()), (true, 2));
        let told = read("(;GM[4]SZ[3];B[aa];W[aa])", None, "tictactoe").unwrap_err();
        assert!(told.starts_with("game 1, line 1, column 22, ply 2: 'a3' is not legal"), "{told}");
        // Games may begin with stones on the board.
        let stones = read("(;GM[4]SZ[15]AB[aa];W[bb])", None, "gomoku").unwrap();
        assert_eq!((stones[0].board.as_deref().map(|board| &board[..4]), stones[0].moves.len()), (Some("x14/"), 1));
    }

    #[test]
    fn random_openings_differ_and_leave_a_game_to_play() {
        let openings = random_openings(&mut referee("awale"), 4, 20, 7).unwrap();
        assert_eq!((openings.len(), openings[3].moves.len()), (20, 4));
        assert_eq!(random_openings(&mut referee("awale"), 4, 20, 7).unwrap(), openings);
        assert_ne!(random_openings(&mut referee("awale"), 4, 20, 8).unwrap(), openings);
        assert_eq!(random_openings(&mut referee("tictactoe"), 1, 20, 1).unwrap().len(), 9);
        assert!(random_openings(&mut referee("tictactoe"), 10, 1, 1).is_err());
        let mut judge = referee("tictactoe");
        for opening in random_openings(&mut judge, 6, 40, 1).unwrap() {
            judge.begin(None).unwrap();
            assert!(opening.moves.iter().all(|mv| judge.play(mv).is_some()) && judge.result().is_none());
        }
    }
}
