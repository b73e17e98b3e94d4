//! Which games a list of moves can be of, by the shape of its words. The rules decide among them.

use crate::model::Record;

/// The games of five in a row on the usual board, likeliest first.
const FIVES: [&str; 3] = ["gomoku", "gomokufreestyle", "renju"];

/// Whether a word is a cell: a letter and a number.
fn is_cell(word: &str) -> bool {
    let mut letters = word.bytes();
    letters.next().is_some_and(|letter| letter.is_ascii_alphabetic())
        && matches!(word.len(), 2 | 3)
        && letters.all(|letter| letter.is_ascii_digit())
}

fn is_pass(word: &str) -> bool {
    matches!(word.to_ascii_lowercase().as_str(), "pa" | "ps" | "pass" | "--" | "0000")
}

/// Takes cells and passes that are glued together apart; nothing when the word is something else.
fn cells_of(word: &str) -> Option<Vec<String>> {
    let mut cells = Vec::new();
    let mut rest = word;
    while !rest.is_empty() {
        rest = rest.trim_start_matches(['-', ',', '.']);
        let digits = rest.bytes().skip(1).take_while(u8::is_ascii_digit).count();
        let length = if digits > 0 { digits + 1 } else { 2 };
        let head = rest.get(..length)?;
        if !(is_cell(head) || is_pass(head)) {
            return None;
        }
        cells.push(head.to_owned());
        rest = &rest[length..];
    }
    Some(cells)
}

/// Whether only chess has such a word: `Nf3`, `exd5`, `O-O`, `e2e4`, `e8=Q`.
fn is_chess(word: &str) -> bool {
    let word = word.trim_end_matches(['+', '#', '!', '?']);
    if matches!(word, "O-O" | "O-O-O" | "0-0" | "0-0-0" | "o-o" | "o-o-o") {
        return true;
    }
    let mut letters = word.chars();
    let Some(first) = letters.next() else { return false };
    let ends_on_square = || {
        let tail: Vec<char> = word.trim_end_matches(['Q', 'R', 'B', 'N', '=']).chars().rev().take(2).collect();
        matches!(tail[..], ['1'..='8', 'a'..='h'])
    };
    match first {
        'K' | 'Q' | 'R' | 'N' | '♔'..='♟' => word.chars().count() >= 3 && ends_on_square(),
        'B' => word.len() >= 3 && ends_on_square() && !is_cell(word),
        'a'..='h' => {
            let is_capture = letters.next() == Some('x');
            let is_promotion = word.contains('=');
            (is_capture || is_promotion) && ends_on_square()
        }
        _ => false,
    }
}

/// The games that these words can be moves of.
pub(crate) fn games_of(words: &[&str]) -> Vec<String> {
    let owned = |games: &[&str]| games.iter().map(|&game| game.to_owned()).collect::<Vec<_>>();
    let Some(&first) = words.first() else { return Vec::new() };
    let all = |is: &dyn Fn(&str) -> bool| words.iter().all(|word| is(word));
    if all(&crate::pdn::is_move) {
        return crate::pdn::games_of(words);
    }
    if words.iter().any(|word| is_chess(word)) {
        return owned(&["chess", "chess960"]);
    }
    if all(&|word| word.bytes().all(|letter| (b'1'..=b'9').contains(&letter))) {
        return owned(&["connect4"]);
    }
    let letters =
        |last: u8| move |word: &str| word.bytes().all(|letter| (b'a'..=last).contains(&letter.to_ascii_lowercase()));
    let bare: Vec<String> = words.iter().map(|word| word.split('+').next().unwrap_or_default().to_owned()).collect();
    if !bare.iter().all(|word| letters(b'g')(word) && !is_pass(word)) {
        // Cells, or something else.
    } else if bare.iter().all(|word| letters(b'f')(word)) {
        // South has capitals, North small letters.
        let glued = bare.concat();
        let alternates = glued.bytes().enumerate().all(|(at, letter)| letter.is_ascii_uppercase() == (at % 2 == 0));
        let awale = ["awale", "awale:awari", "awale:tipe"];
        return match alternates {
            true => owned(&[&awale[..], &["awale:mini", "connect4"]].concat()),
            false => owned(&[&["connect4"], &awale[..]].concat()),
        };
    } else {
        return owned(&["connect4"]);
    }
    let drops = words.iter().any(|word| word.starts_with("P@") || word.starts_with("p@"));
    let bare: Vec<&str> =
        words.iter().map(|word| word.trim_start_matches(['P', 'p']).trim_start_matches('@')).collect();
    let cells: Option<Vec<Vec<String>>> = if drops {
        bare.iter().map(|word| cells_of(word)).collect()
    } else {
        words.iter().map(|word| cells_of(word)).collect()
    };
    let Some(cells) = cells else {
        return [owned(&["chess", "chess960", "othello"]), crate::pdn::games_of(words)].concat();
    };
    let cells = cells.concat();
    let is_glued = words.len() < cells.len();
    let is_capital = first.starts_with(|letter: char| letter.is_ascii_uppercase());
    let low: Vec<String> = cells.iter().map(|cell| cell.to_ascii_lowercase()).collect();
    let within = |last: u8, rows: u32| {
        low.iter().all(|cell| {
            let number = cell[1..].parse::<u32>().is_ok_and(|row| (1..=rows).contains(&row));
            is_pass(cell) || number && cell.as_bytes()[0] <= last
        })
    };
    let passes = cells.iter().any(|cell| is_pass(cell));
    let mut games: Vec<&str> = Vec::new();
    let looks_like_othello = is_glued || is_capital || passes;
    // From square to square, word by word.
    let are_ways = cells.len() == 2 * words.len();
    let on_chessboard = within(b'h', 8) && !drops;
    if (!looks_like_othello || are_ways && !is_capital) && on_chessboard {
        games.push("chess");
    }
    if on_chessboard {
        games.push("othello");
    }
    if on_chessboard && !passes && !games.contains(&"chess") {
        games.push("chess");
    }
    if !passes {
        if within(b'c', 3) {
            games.push("tictactoe");
        }
        if within(b'g', 6) {
            games.push("connect4");
        }
        if within(b'o', 15) {
            games.extend(FIVES);
        }
        if !drops {
            games.push("nim");
        }
    }
    let mut games = owned(&games);
    if !passes && !within(b'o', 15) {
        games.extend(["mnk:19,19,5", "mnk:20,20,5", "mnk:22,22,5"].map(str::to_owned));
    }
    games
}

/// The games that a game with tags may be of, where no tag names it: chess, or else what its moves look like.
pub(crate) fn games_of_tagged(record: &Record) -> Vec<String> {
    let mut games = vec!["chess".to_owned()];
    let moves = record.moves();
    if moves.iter().take(8).any(|word| is_chess(word)) {
        return games;
    }
    // Nearly every list of cells is legal in games of stones: only cells beyond the chessboard say that it is one.
    let is_beyond = |word: &&str| {
        let low = word.to_ascii_lowercase();
        is_cell(&low) && (low.as_bytes()[0] > b'h' || low[1..].parse::<u32>().is_ok_and(|row| row > 8))
    };
    let is_beyond = moves.iter().any(is_beyond);
    for game in games_of(&moves[..moves.len().min(16)]) {
        let is_likely = if is_beyond { game != "nim" } else { game == "othello" && moves.len() > 1 };
        if is_likely && !games.contains(&game) {
            games.push(game);
        }
    }
    games
}

/// The games that a board text may be of.
pub(crate) fn games_of_board(board: &str) -> Vec<String> {
    if crate::pdn::is_board(board) {
        return crate::pdn::games_of_board(board);
    }
    let first = board.split_whitespace().next().unwrap_or_default();
    let numbers =
        |text: &str| text.split('-').all(|part| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit()));
    if let Some(houses) = board.trim().strip_suffix("-S").or_else(|| board.trim().strip_suffix("-N"))
        && numbers(houses)
    {
        return match houses.split('-').count() {
            8 => vec!["awale:mini".into()],
            _ => ["awale", "awale:awari", "awale:tipe"].map(str::to_owned).to_vec(),
        };
    }
    if numbers(first) && !first.contains('/') {
        return vec![format!("nim:{first},take=any,normal"), format!("nim:{first}")];
    }
    if first.matches('/').count() == 7 && first.contains(['k', 'K']) {
        return vec!["chess".into(), "chess960".into()];
    }
    let rows: Vec<&str> = first.split('[').next().unwrap_or_default().split('/').collect();
    let width = |row: &str| {
        let mut sum = 0_usize;
        let mut digits = 0_usize;
        for letter in row.chars() {
            match letter.to_digit(10) {
                Some(digit) => digits = digits * 10 % 1000 + digit as usize,
                None => sum += std::mem::take(&mut digits) + 1,
            }
        }
        sum + digits
    };
    let (cols, count) = (rows.first().map_or(0, |row| width(row)), rows.len());
    let mut games: Vec<String> = Vec::new();
    match (cols, count) {
        (8, 8) => games.push("othello".into()),
        (7, 6) => games.push("connect4".into()),
        (3, 3) => games.push("tictactoe".into()),
        (15, 15) => games.extend(FIVES.map(str::to_owned)),
        _ => {}
    }
    if (1..=22).contains(&cols) && (1..=22).contains(&count) {
        games.push(format!("mnk:{cols},{count},{}", cols.max(count).min(5)));
        games.push(format!("connect4:{cols},{count},4"));
    }
    games
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_tell_their_games() {
        for (words, first) in [
            (&["e4", "e5", "Nf3"][..], "chess"),
            (&["e4", "e5"], "chess"),
            (&["e2e4"], "chess"),
            (&["F5D6C3"], "othello"),
            (&["f5d6", "PA"], "othello"),
            (&["44"], "connect4"),
            (&["CdA", "b"], "awale"),
            (&["dda", "g"], "connect4"),
            (&["dd", "a"], "connect4"),
            (&["F", "f", "D", "a+2"], "awale"),
            (&["Fa"], "awale"),
            (&["h8", "i9", "o15"], "gomoku"),
            (&["P@b2", "P@a1"], "tictactoe"),
            (&["t20"], "nim"),
        ] {
            assert_eq!(games_of(words).first().map(String::as_str), Some(first), "{words:?}");
        }
    }
}
