//! Openings: from a file, or by random moves from the start position. Each is played twice, with sides swapped.

use std::collections::HashSet;

use griot::game::Mixer;

use crate::referee::Referee;

/// Where a game begins; the moves are in griot's own style.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Opening {
    /// A board text, or the start position.
    pub(crate) board: Option<String>,
    pub(crate) moves: Vec<String>,
}

/// Reads openings, one a line.
///
/// # Format
/// `startpos` or a board text, then nothing, or `moves` and moves. `#` and what follows it is a comment; lines without text
/// are skipped.
///
/// # Errors
/// The line that is wrong, and why: not a position, an illegal move, or a game that is over.
pub(crate) fn read_openings(text: &str, referee: &mut Referee) -> Result<Vec<Opening>, String> {
    let mut openings = Vec::new();
    for (line, number) in text.lines().zip(1..) {
        let line = line.split('#').next().unwrap_or_default().trim();
        if !line.is_empty() {
            let opening = read_opening(line, referee).map_err(|problem| format!("line {number}: {problem}"))?;
            openings.push(opening);
        }
    }
    if openings.is_empty() {
        return Err("no opening in it; write one a line, like 'startpos moves A b'".into());
    }
    Ok(openings)
}

fn read_opening(line: &str, referee: &mut Referee) -> Result<Opening, String> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let at = words.iter().position(|&word| word == "moves").unwrap_or(words.len());
    let (board, moves) = words.split_at(at);
    let board = board.join(" ");
    let board = if board == "startpos" { None } else { Some(board) };
    referee.begin(board.as_deref()).map_err(|problem| problem.text)?;
    for &word in moves.iter().skip(1) {
        if referee.play(word).is_none() {
            play_glued(word, referee)?;
        }
    }
    if referee.result().is_some() {
        return Err("the game is over in this position; openings must leave something to play".into());
    }
    Ok(Opening { board, moves: referee.moves().to_vec() })
}

/// Plays moves of one letter each, written without blanks.
fn play_glued(word: &str, referee: &mut Referee) -> Result<(), String> {
    for letter in word.chars() {
        let legal = referee.legal_moves().join(" ");
        if referee.play(letter.encode_utf8(&mut [0; 4])).is_none() {
            return Err(format!("move '{word}' is not legal after {:?}; legal are: {legal}", referee.moves()));
        }
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
    let mut random = Mixer::new(seed);
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

    #[test]
    fn a_file_has_boards_moves_and_comments() {
        let text = "# two of them\n\nstartpos moves b2 A1 # the corner\n3/1x1/3 o\n  startpos\n3/1P1/3 b moves P@a1\n";
        let openings = read_openings(text, &mut referee("tictactoe")).unwrap();
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
                opening(Some("3/1P1/3 b"), &["a1"]),
            ]
        );
        let glued = read_openings("startpos moves CdA b", &mut referee("awale")).unwrap();
        assert_eq!(glued[0].moves, ["C", "d", "A", "b"]);
    }

    #[test]
    fn what_is_wrong_is_told_with_its_line() {
        for (text, told) in [
            ("startpos\nstartpos moves b2 b2", "line 2: move 'b2' is not legal"),
            ("3/3/4 x", "line 1: row 3"),
            ("moves a1", "line 1: "),
            ("startpos moves a1 b1 a2 b2 a3", "line 1: the game is over"),
            ("# nothing\n", "no opening in it"),
        ] {
            let problem = read_openings(text, &mut referee("tictactoe")).unwrap_err();
            assert!(problem.starts_with(told), "{problem}");
        }
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
