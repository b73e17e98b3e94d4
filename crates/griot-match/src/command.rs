//! Splits command lines of engines: words, quotes and backslashes as in a shell, and nothing else of a shell.

/// Splits a command line into words. Quotes keep blanks; `\` takes the next character as it is, except between `'`.
///
/// # Errors
/// When a quote is not closed, or there is no word at all.
pub(crate) fn split_command(line: &str) -> Result<Vec<String>, String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote: Option<char> = None;
    let mut letters = line.chars();
    while let Some(letter) = letters.next() {
        match (quote, letter) {
            (Some(open), _) if letter == open => quote = None,
            (None, '\'' | '"') => {
                quote = Some(letter);
                word.get_or_insert_default();
            }
            (None, _) if letter.is_whitespace() => words.extend(word.take()),
            (None | Some('"'), '\\') => match letters.next() {
                Some(next) => word.get_or_insert_default().push(next),
                None => return Err(format!("'{line}': the last '\\' has nothing to stand before")),
            },
            _ => word.get_or_insert_default().push(letter),
        }
    }
    if let Some(open) = quote {
        return Err(format!("'{line}': the quote {open} is not closed"));
    }
    words.extend(word);
    if words.is_empty() { Err("an engine needs a command line, like 'griot --game awale'".into()) } else { Ok(words) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_split_as_in_a_shell() {
        for (line, words) in [
            ("griot", vec!["griot"]),
            ("  griot\t--game  awale ", vec!["griot", "--game", "awale"]),
            ("'a b' \"c d\"", vec!["a b", "c d"]),
            (r#"a\ b "c\"d" 'e\f'"#, vec!["a b", "c\"d", r"e\f"]),
            ("--x='1 2'y ''", vec!["--x=1 2y", ""]),
        ] {
            assert_eq!(split_command(line).unwrap(), words, "{line}");
        }
        for wrong in ["", "  ", "'a", "a \"b", "a\\"] {
            assert!(split_command(wrong).is_err(), "{wrong}");
        }
    }
}
