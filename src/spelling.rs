//! Words in error messages: suggestions for misspelt words, and how found text is quoted. Layer 0, pure.

use strsim::damerau_levenshtein;

/// Longest word that is compared, in characters.
const LONGEST: usize = 40;

/// The word of `known` nearest to `word`: one that it begins (from three letters on), or one with at most every third letter
/// changed, missing or exchanged. The first of several; `None` if none is near. Ignores case.
pub fn nearest<'k>(word: &str, known: impl IntoIterator<Item = &'k str>) -> Option<&'k str> {
    let word = word.trim().to_lowercase();
    let length = word.chars().count();
    if length > LONGEST {
        return None;
    }
    let slips = |known: &str| {
        let known = known.to_lowercase();
        if length >= 3 && known.starts_with(&word) { 0 } else { damerau_levenshtein(&word, &known) }
    };
    let known = known.into_iter().map(|known| (slips(known), known)).filter(|(slips, _)| *slips <= length / 3);
    known.min_by_key(|(slips, _)| *slips).map(|(_, known)| known)
}

/// A piece of the user's text in an error message: in quotes, or `nothing`.
#[must_use]
pub fn quoted(text: &str) -> String {
    if text.is_empty() { "nothing".into() } else { format!("'{text}'") }
}

/// The end of an error message about a word: a suggestion, and the known words.
#[must_use]
pub fn instead(meant: Option<&str>, known: &str) -> String {
    match meant {
        Some(meant) => format!("; did you mean '{meant}'? There are {known}"),
        None => format!("; there are {known}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_is_forgiven_and_another_word_is_not() {
        let known = ["Hash", "Clear Hash", "Threads", "Skill Level", "nim", "othello"];
        for (word, meant) in [
            ("hsah", Some("Hash")),
            ("Hsh", Some("Hash")),
            ("thread", Some("Threads")),
            ("skill", Some("Skill Level")),
            ("OTELO", None),
            ("othelo", Some("othello")),
            ("min", None),
            ("nimm", Some("nim")),
            ("n", None),
            ("", None),
            ("shogi", None),
            ("Colour", None),
        ] {
            assert_eq!(nearest(word, known), meant, "{word}");
        }
        assert_eq!(nearest(&"o".repeat(1 << 20), known), None);
    }
}
