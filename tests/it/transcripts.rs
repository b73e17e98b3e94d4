//! Golden transcripts: files in `tests/transcripts`, each a conversation.
//!
//! ```text
//! # comment
//! > line to send; lines in a row are sent at once
//! < next line, where * stands for anything
//! << reads on to the first line that matches
//! = 100       nothing is said for so many milliseconds
//! ! end       ends the input; after it and after the last line nothing more may be said
//! ```
//!
//! A file `ugi_*` or `uci_*` begins after that greeting, a file `law_*` runs after each of them, the others greet by
//! themselves or not at all. `GRIOT_BLESS=1 cargo test --test it -- transcripts::` writes what was said over what was expected.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::support::{Talk, matches};

fn files() -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> =
        fs::read_dir("tests/transcripts").unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

fn greetings(path: &Path) -> Vec<Option<&'static str>> {
    let name = path.file_name().unwrap().to_str().unwrap();
    match name.split('_').next().unwrap() {
        "law" => vec![Some("ugi"), Some("uci")],
        "ugi" => vec![Some("ugi")],
        "uci" => vec![Some("uci")],
        _ => vec![None],
    }
}

/// Plays the transcript. Answers its text with the lines that were wrong replaced by what was said, and what was wrong.
fn play(text: &str, greeting: Option<&str>) -> (String, Vec<String>) {
    let mut talk = Talk::in_memory();
    if let Some(greeting) = greeting {
        talk.send(greeting);
        talk.until(&format!("{greeting}ok"));
    }
    let mut played = Vec::new();
    let mut wrong = Vec::new();
    let mut unsent = String::new();
    for (number, line) in text.lines().enumerate() {
        let at = |what: String| format!("line {}: {what}", number + 1);
        let (mark, rest) = line.split_once(' ').unwrap_or((line, ""));
        if mark != ">" && !unsent.is_empty() {
            talk.send_raw(std::mem::take(&mut unsent).as_bytes());
        }
        let mut written = line.to_owned();
        match mark {
            "" | "#" => {}
            ">" => {
                unsent += rest;
                unsent.push('\n');
            }
            "<" => {
                let said = talk.line().unwrap_or_else(|| "(the end)".into());
                if !matches(rest, &said) {
                    wrong.push(at(format!("expected '{rest}', found '{said}'")));
                    written = format!("< {said}");
                }
            }
            "<<" => loop {
                match talk.line() {
                    // A `MESSAGE` line of Gomocup may contain points, but it is not the answer.
                    Some(said) if matches(rest, &said) && !said.starts_with("MESSAGE ") => break,
                    Some(_) => {}
                    None => {
                        wrong.push(at(format!("expected '{rest}', found the end")));
                        break;
                    }
                }
            },
            "=" => {
                let said = talk.lines_within(Duration::from_millis(rest.trim().parse().unwrap()));
                if !said.is_empty() {
                    wrong.push(at(format!("expected silence, found {said:?}")));
                }
            }
            "!" => talk.end(),
            _ => panic!("line {}: unknown mark '{mark}'", number + 1),
        }
        played.push(written);
    }
    if !unsent.is_empty() {
        talk.send_raw(unsent.as_bytes());
    }
    for said in talk.rest() {
        wrong.push(format!("expected the end, found '{said}'"));
        played.push(format!("< {said}"));
    }
    (played.join("\n") + "\n", wrong)
}

#[test]
fn every_transcript_is_what_the_engine_says() {
    let mut failures = Vec::new();
    for path in files() {
        let text = fs::read_to_string(&path).unwrap();
        for greeting in greetings(&path) {
            let (played, wrong) = play(&text, greeting);
            if !wrong.is_empty() && std::env::var_os("GRIOT_BLESS").is_some() {
                fs::write(&path, played).unwrap();
            }
            failures.extend(wrong.into_iter().map(|what| format!("{} ({greeting:?}): {what}", path.display())));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn protocol_md_quotes_transcripts_as_they_are() {
    let pages = ["protocol.md", "docs/protocol-dialects.md", "docs/protocol-games.md"];
    let pages = pages.map(|page| fs::read_to_string(page).unwrap()).concat();
    let mut quoted = 0;
    for block in pages.split("```transcript ").skip(1) {
        let (path, rest) = block.split_once('\n').unwrap();
        let quote = rest.split_once("```").expect("the end of the quote").0;
        let file = fs::read_to_string(path.trim()).unwrap_or_else(|error| panic!("{path}: {error}"));
        assert_eq!(quote, file, "{path} is quoted differently");
        quoted += 1;
    }
    assert!(quoted >= 20, "protocol.md quotes only {quoted} transcripts");
}
