//! What draughts has of its own in PDN, which otherwise has the syntax of PGN: the tag `GameType`, results, the words of moves.
//!
//! White and Black are colours of pieces: in English draughts and Pool, Black is the first player. Results are those of White and
//! Black, also for results in points (`2-0`, `1-1`, `0-2`).
//! CITE: W. Wesselink, "Portable Draughts Notation 3.0", 2015; lidraughts.org (types 96 to 98).

use crate::model::{Outcome, Record, Side};

/// The types of games that the engine plays: the number, the game, the rest of the tag's value.
const TYPES: [(u32, &str, &str); 9] = [
    (20, "draughts:international", "W,10,10,N2,0"),
    (21, "draughts:english", "B,8,8,N1,0"),
    (22, "draughts:italian", "W,8,8,N2,1"),
    (23, "draughts:pool", "B,8,8,N1,0"),
    (25, "draughts:russian", "W,8,8,A0,0"),
    (26, "draughts:brazilian", "W,8,8,A0,0"),
    (40, "draughts:frisian", "W,10,10,N2,0"),
    (96, "draughts:breakthrough", "W,10,10,N2,0"),
    (98, "draughts:losing", "W,10,10,N2,0"),
];

/// The game that a value of `GameType` names; an error for a type of draughts that the engine does not play.
pub(crate) fn game_of(value: &str) -> Option<Result<&'static str, String>> {
    let number: u32 = value.split(',').next()?.trim().parse().ok()?;
    let known = TYPES.iter().find(|(own, ..)| *own == number).map(|(_, game, _)| *game);
    Some(known.ok_or_else(|| format!("draughts of type {number}")))
}

/// The value of `GameType` for a game.
pub(crate) fn type_of(game: &str) -> Option<String> {
    TYPES.iter().find(|(_, own, _)| *own == game).map(|(number, _, rest)| format!("{number},{rest}"))
}

/// Whether Black is the first player.
pub(crate) fn black_begins(game: &str) -> bool {
    matches!(game, "draughts:english" | "draughts:pool")
}

/// The squares of a word that can be a move: two or more, by number or by column and row, with a sign between them.
pub(crate) fn squares(word: &str) -> Option<Vec<&str>> {
    let parts: Vec<&str> = word.split(['-', 'x', 'X', ':', '×']).collect();
    let is_square = |part: &&str| match part.as_bytes() {
        [one] => one.is_ascii_digit() && *one != b'0',
        [b'0', two] => (b'1'..=b'9').contains(two),
        [one, two] if one.is_ascii_digit() => two.is_ascii_digit() && **part <= *"50",
        [col, row] => col.is_ascii_alphabetic() && (b'1'..=b'8').contains(row),
        _ => false,
    };
    (parts.len() >= 2 && parts.iter().all(is_square) && parts.windows(2).all(|pair| pair[0] != pair[1]))
        .then_some(parts)
}

/// Whether a move begins and ends on the first and the last of the squares, and passes the others in their order.
pub(crate) fn goes_by(mv: &str, named: &[&str]) -> bool {
    let Some(own) = squares(mv) else { return false };
    let mut rest = own.iter();
    own.first() == named.first() && own.last() == named.last() && named.iter().all(|one| rest.any(|other| other == one))
}

/// Whether a word can be a move by numbers, and no result: `32-28`, `26x17x8`.
pub(crate) fn is_move(word: &str) -> bool {
    squares(word).is_some_and(|squares| squares.iter().all(|square| square.starts_with(|c: char| c.is_ascii_digit())))
}

/// Whether a first move is one of draughts by letters, for White: from the third row one step aside, as no piece of chess goes.
pub(crate) fn begins_by_letters(word: &str) -> bool {
    let word = word.to_ascii_lowercase();
    let Some([from, to]) = squares(&word).and_then(|squares| <[&str; 2]>::try_from(squares).ok()) else { return false };
    let ([col, b'3'], [next, b'4']) = (from.as_bytes(), to.as_bytes()) else { return false };
    col.abs_diff(*next) == 1
}

/// Whether a word is a square and a sign, behind which the other square stands after a blank: `1- 6`, `35x 4`.
pub(crate) fn is_half(word: &str) -> bool {
    let square = word.strip_suffix(['-', 'x', ':']).unwrap_or_default();
    matches!(square.len(), 1 | 2) && square.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether a text is a board: `W:W31,K22:B1`. Some write `?` where they do not know who is to move.
pub(crate) fn is_board(text: &str) -> bool {
    let mut fields = text.trim().split(':');
    let is_side = fields.next().is_some_and(|text| matches!(text.trim(), "W" | "B" | "w" | "b" | "?"));
    let pieces = |text: &str| text.trim().starts_with(['W', 'B', 'w', 'b', '.']) || text.trim().is_empty();
    is_side && fields.next().is_some_and(pieces) && fields.next().is_some_and(pieces)
}

/// The result that a word tells, for White as the first player; the outer `None` for a word that is no result.
pub(crate) fn result_of(word: &str) -> Option<Option<Outcome>> {
    Some(match word {
        "2-0" | "1-0" => Some(Outcome::Win(Side::First)),
        "0-2" | "0-1" => Some(Outcome::Win(Side::Second)),
        "1-1" | "1/2-1/2" | "½-½" => Some(Outcome::Draw),
        "0-0" | "*" => None,
        _ => return None,
    })
}

/// Whether the record is of draughts: by its type, by its board, or by its first move.
pub(crate) fn is_told(record: &Record) -> bool {
    record.tag(&["GameType"]).is_some_and(|value| game_of(value).is_some())
        || record.tag(&["FEN"]).is_some_and(is_board)
}

/// The games that moves by these words can be of, likeliest first.
pub(crate) fn games_of(words: &[&str]) -> Vec<String> {
    let all: Option<Vec<Vec<&str>>> = words.iter().map(|word| squares(word)).collect();
    let owned = |games: &[&str]| games.iter().map(|game| format!("draughts:{game}")).collect();
    let Some(all) = all.filter(|all| !all.is_empty()) else { return Vec::new() };
    let numbers: Option<Vec<u32>> = all.iter().flatten().map(|square| square.parse().ok()).collect();
    match numbers {
        None => owned(&["russian", "brazilian"]),
        Some(numbers) if numbers.iter().any(|&number| number > 32) => owned(&["international", "frisian"]),
        // Black begins on the low numbers.
        Some(numbers) if numbers[0] <= 16 => owned(&["english", "pool"]),
        Some(_) => owned(&["brazilian", "italian", "russian", "international", "frisian"]),
    }
}

/// The games that a board can be of, likeliest first.
pub(crate) fn games_of_board(board: &str) -> Vec<String> {
    let owned = |games: &[&str]| games.iter().map(|game| format!("draughts:{game}")).collect();
    let sides = board.split(':').skip(1).take(2);
    let squares: Vec<&str> = sides
        .flat_map(|side| side.trim().get(1..).unwrap_or_default().split([',', '-']))
        .map(|square| square.trim().trim_start_matches(['K', 'k']).trim_end_matches('.'))
        .collect();
    match () {
        () if squares.iter().any(|square| square.starts_with(|c: char| c.is_ascii_alphabetic())) => {
            owned(&["russian", "brazilian"])
        }
        () if squares.iter().any(|square| square.parse::<u32>().is_ok_and(|number| number > 32)) => {
            owned(&["international", "frisian"])
        }
        () => owned(&["english", "international", "italian", "pool", "frisian", "russian", "brazilian"]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_told_from_results() {
        for word in ["32-28", "1-5", "26x17x8", "11:18", "06-11"] {
            assert!(is_move(word), "{word}");
        }
        assert!(begins_by_letters("c3-d4") && begins_by_letters("e3-d4"));
        for word in ["e2-e4", "c3-d5", "c3-c4", "d4-e5", "c3-d4-e5", "33-34"] {
            assert!(!begins_by_letters(word), "{word}");
        }
        assert!(is_half("1-") && is_half("35x") && !is_half("1-6") && !is_half("e-") && !is_half("1."));
        for word in ["1-0", "0-1", "2-0", "1-1", "64-0", "1/2-1/2", "e2-e4", "5", "51-46", "12-"] {
            assert!(!is_move(word), "{word}");
        }
        assert_eq!(result_of("2-0"), Some(Some(Outcome::Win(Side::First))));
        assert_eq!((result_of("0-0"), result_of("12-16")), (Some(None), None));
    }

    #[test]
    fn types_name_games_and_games_types() {
        assert_eq!(game_of("21"), Some(Ok("draughts:english")));
        assert_eq!(game_of("25,W,8,8,A0,0"), Some(Ok("draughts:russian")));
        assert_eq!(game_of("30,W,8,8,N1,0"), Some(Err("draughts of type 30".into())));
        assert_eq!(game_of("chess"), None);
        for (number, game, _) in TYPES {
            assert!(type_of(game).unwrap().starts_with(&format!("{number},")), "{game}");
        }
    }
}
