//! Splits command lines of engines into words, as the system's own shell does, and nothing else of a shell.

use std::path::Path;

/// How quotes and backslashes are meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Quoting {
    /// Quotes of both kinds keep blanks; `\` takes the next character as it is, except between `'`.
    Shell,
    /// `"` keeps blanks; `\` is itself, but before a `"`, where two stand for one and a single one makes the quote a letter.
    /// CITE: Microsoft, "Parsing C command-line arguments".
    Windows,
}

impl Quoting {
    const HERE: Quoting = if cfg!(windows) { Quoting::Windows } else { Quoting::Shell };
}

/// Splits a command line into words. One that is the path of a file, blanks and all, is one word.
///
/// # Errors
/// When a quote is not closed, or there is no word at all.
pub(crate) fn split_command(line: &str) -> Result<Vec<String>, String> {
    let path = line.trim();
    if Path::new(path).is_file() { Ok(vec![path.to_owned()]) } else { split(line, Quoting::HERE) }
}

fn split(line: &str, quoting: Quoting) -> Result<Vec<String>, String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote: Option<char> = None;
    let mut letters = line.chars().peekable();
    while let Some(letter) = letters.next() {
        match (quote, letter) {
            (Some(open), _) if letter == open => quote = None,
            (None, '"') => {
                quote = Some(letter);
                word.get_or_insert_default();
            }
            (None, '\'') if quoting == Quoting::Shell => {
                quote = Some(letter);
                word.get_or_insert_default();
            }
            (None, _) if letter.is_whitespace() => words.extend(word.take()),
            (None | Some('"'), '\\') if quoting == Quoting::Shell => match letters.next() {
                Some(next) => word.get_or_insert_default().push(next),
                None => return Err(format!("'{line}': the last '\\' has nothing to stand before")),
            },
            (_, '\\') if quoting == Quoting::Windows => {
                let mut count = 1;
                while letters.next_if_eq(&'\\').is_some() {
                    count += 1;
                }
                let is_before_quote = letters.peek() == Some(&'"');
                let own = word.get_or_insert_default();
                own.extend(std::iter::repeat_n('\\', if is_before_quote { count / 2 } else { count }));
                if is_before_quote && count % 2 == 1 {
                    own.extend(letters.next());
                }
            }
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
            assert_eq!(split(line, Quoting::Shell).unwrap(), words, "{line}");
        }
        for wrong in ["", "  ", "'a", "a \"b", "a\\"] {
            assert!(split(wrong, Quoting::Shell).is_err(), "{wrong}");
        }
    }

    #[test]
    fn on_windows_backslashes_are_themselves_but_before_a_quote() {
        for (line, words) in [
            (r"C:\Tools\griot.exe --game chess", vec![r"C:\Tools\griot.exe", "--game", "chess"]),
            (r#""C:\Tools\my engine\griot.exe" uci"#, vec![r"C:\Tools\my engine\griot.exe", "uci"]),
            (r#""C:\folder\\" \"a\" \\share\x"#, vec![r"C:\folder\", "\"a\"", r"\\share\x"]),
            ("Bob's engine.exe", vec!["Bob's", "engine.exe"]),
            (r#""" x"#, vec!["", "x"]),
        ] {
            assert_eq!(split(line, Quoting::Windows).unwrap_or_default(), words, "{line}");
        }
        for wrong in ["", r#""C:\a\" b"#] {
            assert!(split(wrong, Quoting::Windows).is_err(), "{wrong}");
        }
    }

    #[test]
    fn the_path_of_a_file_is_one_word() {
        let folder = std::env::temp_dir().join(format!("griot match {}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let path = folder.join("my engine");
        std::fs::write(&path, "").unwrap();
        let line = path.display().to_string();
        assert_eq!(split_command(&format!(" {line} ")).unwrap(), std::slice::from_ref(&line));
        assert!(split_command(&format!("{line} --game nim")).unwrap().len() > 3);
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
