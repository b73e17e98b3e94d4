//! Chess moves as people mistype them, held against the legal moves: `e8Q`, `Ngf3`, `nf3`, `0-0`, `e4xd5`, `exd6e.p.`.

/// What a word says about a move.
#[derive(Debug, Default, PartialEq, Eq)]
struct Said {
    piece: char,
    /// Whether the word names the piece; a pawn is seldom named.
    names_piece: bool,
    file: Option<char>,
    rank: Option<char>,
    to: String,
    promotion: Option<char>,
}

/// The legal move that the word means, if it means exactly one. `legal` are moves like `e7e8q`, `name` tells how people write one.
pub(crate) fn san(word: &str, legal: &[String], name: impl Fn(&str) -> String) -> Option<String> {
    let is_chess = |mv: &String| matches!(mv.as_bytes(), [b'a'..=b'h', b'1'..=b'8', b'a'..=b'h', b'1'..=b'8', ..]);
    if !legal.first().is_some_and(is_chess) {
        return None;
    }
    let plain = plain(word);
    let castling: String = plain.chars().map(|letter| if matches!(letter, '0' | 'o') { 'O' } else { letter }).collect();
    if castling == "OO" || castling == "OOO" {
        return legal.iter().find(|mv| name(mv).replace(['-', '+', '#'], "") == castling).cloned();
    }
    let names: Vec<(String, &String)> = legal.iter().map(|mv| (name(mv), mv)).collect();
    if let Some(said) = read(&plain) {
        let found = meant(&said, &names);
        if found.is_some() || said.names_piece {
            return found;
        }
    }
    // A small letter may be that of a piece.
    let mut letters = plain.chars();
    let first = letters.next()?.to_ascii_uppercase();
    let said =
        matches!(first, 'K' | 'Q' | 'R' | 'B' | 'N').then(|| read(&format!("{first}{}", letters.as_str())))??;
    meant(&said, &names)
}

/// The word without marks and with letters for figurines.
fn plain(word: &str) -> String {
    let word = word.trim_end_matches("e.p.").trim_end_matches("ep");
    word.chars()
        .filter_map(|letter| match letter {
            '♔' | '♚' => Some('K'),
            '♕' | '♛' => Some('Q'),
            '♖' | '♜' => Some('R'),
            '♗' | '♝' => Some('B'),
            '♘' | '♞' => Some('N'),
            '+' | '#' | '!' | '?' | '=' | 'x' | 'X' | '-' | ':' | '(' | ')' | '/' | '♙' | '♟' => None,
            letter => Some(letter),
        })
        .collect()
}

fn read(plain: &str) -> Option<Said> {
    let mut letters: Vec<char> = plain.chars().collect();
    let mut said = Said { piece: 'P', ..Said::default() };
    if let Some(&first) = letters.first()
        && matches!(first, 'K' | 'Q' | 'R' | 'B' | 'N' | 'P')
    {
        said.piece = first;
        said.names_piece = true;
        letters.remove(0);
    }
    if said.piece == 'P'
        && let Some(&last) = letters.last()
        && matches!(last.to_ascii_lowercase(), 'q' | 'r' | 'b' | 'n')
    {
        said.promotion = Some(last.to_ascii_lowercase());
        letters.pop();
    }
    let rank = letters.pop().filter(|rank| ('1'..='8').contains(rank))?;
    let file = letters.pop().map(|file| file.to_ascii_lowercase()).filter(|file| ('a'..='h').contains(file))?;
    said.to = format!("{file}{rank}");
    for letter in letters {
        match letter.to_ascii_lowercase() {
            file @ 'a'..='h' if said.file.is_none() && said.rank.is_none() => said.file = Some(file),
            rank @ '1'..='8' if said.rank.is_none() => said.rank = Some(rank),
            _ => return None,
        }
    }
    Some(said)
}

fn meant(said: &Said, names: &[(String, &String)]) -> Option<String> {
    let fits = |(name, mv): &&(String, &String)| {
        let piece = name.chars().next().filter(|letter| matches!(letter, 'K' | 'Q' | 'R' | 'B' | 'N')).unwrap_or('P');
        let mut letters = mv.chars();
        let (file, rank) = (letters.next(), letters.next());
        let to = mv.get(2..4).unwrap_or_default();
        let becomes = mv.chars().nth(4);
        !name.starts_with('O')
            // The whole way may be written without the piece.
            && (piece == said.piece || !said.names_piece && said.file.is_some() && said.rank.is_some())
            && to == said.to
            && (said.file.is_none() || said.file == file)
            && (said.rank.is_none() || said.rank == rank)
            && (said.promotion == becomes)
    };
    let mut found = names.iter().filter(fits);
    let mv = found.next()?.1.clone();
    found.next().is_none().then_some(mv)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mistyped_moves_mean_the_one_legal_move() {
        let legal: Vec<String> =
            ["g1f3", "e7e8q", "e7e8n", "e4d5", "e1g1", "b1c3", "b5c6"].into_iter().map(str::to_owned).collect();
        let name = |mv: &str| {
            match mv {
                "g1f3" => "Nf3",
                "e7e8q" => "e8=Q+",
                "e7e8n" => "e8=N",
                "e4d5" => "exd5",
                "e1g1" => "O-O",
                "b1c3" => "Nc3",
                _ => "Bxc6",
            }
            .to_owned()
        };
        for (word, mv) in [
            ("Ngf3", Some("g1f3")),
            ("nf3", Some("g1f3")),
            ("♘f3", Some("g1f3")),
            ("e8Q", Some("e7e8q")),
            ("e8(N)", Some("e7e8n")),
            ("e7-e8=Q", Some("e7e8q")),
            ("e8", None),
            ("ed5", Some("e4d5")),
            ("e4:d5", Some("e4d5")),
            ("0-0", Some("e1g1")),
            ("o-o", Some("e1g1")),
            ("bxc6", Some("b5c6")),
            ("Nd3", None),
            ("", None),
        ] {
            assert_eq!(san(word, &legal, name).as_deref(), mv, "{word}");
        }
    }
}
