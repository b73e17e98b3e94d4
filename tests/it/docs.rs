//! The book: its links lead somewhere, and its sessions (`$ command` in a block, then what it prints) are what the program says.
//!
//! In a session `...` stands for any lines, and times are not compared: whatever follows `"time":`, and numbers with one decimal.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use griot::engine::options;
use griot::message::{OptionKind, OptionSpec};
use griot::registry::Registry;

/// The pages that people read: those of the book, and those beside it.
fn pages() -> Vec<PathBuf> {
    let beside =
        ["README.md", "protocol.md", "SECURITY.md", "CHANGELOG.md", "python/README.md", "clients/ludii/README.md"];
    let beside = beside.map(PathBuf::from);
    let folders = ["docs", "docs/experiments"];
    let book = folders.iter().flat_map(|folder| fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()));
    beside.into_iter().chain(book.filter(|path| path.extension().is_some_and(|end| end == "md"))).collect()
}

/// The lines of a page, each with whether it stands in a block of code.
fn lines(text: &str) -> impl Iterator<Item = (bool, &str)> {
    let mut in_code = false;
    text.lines().filter_map(move |line| {
        let fence = line.trim_start().starts_with("```");
        in_code ^= fence;
        (!fence).then_some((in_code, line))
    })
}

/// The name by which a heading is linked to.
fn anchor(heading: &str) -> String {
    let kept = heading.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.map(|c| if c == ' ' { '-' } else { c.to_ascii_lowercase() }).collect()
}

fn anchors(page: &Path) -> HashSet<String> {
    let text = fs::read_to_string(page).unwrap();
    let headings = lines(&text).filter(|(in_code, line)| !in_code && line.starts_with('#'));
    headings.map(|(_, line)| anchor(line.trim_start_matches('#').trim())).collect()
}

/// Where the links of a line lead.
fn targets(line: &str) -> impl Iterator<Item = &str> {
    let markdown = line.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    let html = line.split("src=\"").skip(1).filter_map(|rest| rest.split('"').next());
    markdown.chain(html)
}

#[test]
fn every_link_leads_somewhere() {
    let (mut wrong, mut checked) = (Vec::new(), 0);
    for page in pages() {
        let text = fs::read_to_string(&page).unwrap();
        for (_, line) in lines(&text).filter(|(in_code, _)| !in_code) {
            for target in targets(line).filter(|target| !target.contains("://")) {
                checked += 1;
                let (file, heading) = target.split_once('#').unwrap_or((target, ""));
                let path = if file.is_empty() { page.clone() } else { page.parent().unwrap().join(file) };
                let found = path.exists() && (heading.is_empty() || anchors(&path).contains(heading));
                if !found {
                    wrong.push(format!("{}: {target}", page.display()));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(checked > 40, "only {checked} links found: is this test still reading the pages?");
}

#[test]
fn the_readme_can_be_read_at_once() {
    let lines = fs::read_to_string("README.md").unwrap().lines().count();
    assert!(lines <= 150, "{lines} lines");
}

#[test]
fn every_page_of_the_book_stands_in_its_summary() {
    let summary = fs::read_to_string("docs/SUMMARY.md").unwrap();
    for page in pages().iter().filter(|page| page.starts_with("docs")) {
        let name = page.strip_prefix("docs").unwrap().to_str().unwrap().replace('\\', "/");
        assert!(name == "SUMMARY.md" || summary.contains(&format!("({name})")), "{name}");
    }
}

/// A command of a page, and what it prints there.
struct Session {
    command: String,
    printed: Vec<String>,
}

fn sessions(text: &str) -> Vec<Session> {
    let mut found: Vec<Session> = Vec::new();
    let mut goes_on = false;
    for (in_code, line) in lines(text) {
        if let Some(command) = line.strip_prefix("$ ").filter(|_| in_code) {
            found.push(Session { command: command.to_owned(), printed: Vec::new() });
            goes_on = true;
        } else if in_code && goes_on {
            found.last_mut().unwrap().printed.push(line.to_owned());
        } else {
            goes_on = false;
        }
    }
    found
}

/// A line without what differs from run to run.
fn tidied(line: &str) -> String {
    let mut words = Vec::new();
    for word in line.split_ascii_whitespace() {
        let is_time = word.split_once('.').is_some_and(|(whole, rest)| {
            rest.len() == 1 && [whole, rest].iter().all(|part| part.bytes().all(|b| b.is_ascii_digit()))
        });
        let word = match word.split_once("\"time\":") {
            Some((before, after)) => format!("{before}TIME{}", after.trim_start_matches(|c: char| c.is_ascii_digit())),
            None => word.to_owned(),
        };
        words.push(if is_time { "TIME".to_owned() } else { word });
    }
    words.join(" ")
}

/// Whether the lines are those of the page, where `...` stands for any.
fn agree(page: &[String], said: &[String]) -> bool {
    match page {
        [] => said.is_empty(),
        [first, rest @ ..] if first == "..." => (0..=said.len()).any(|skipped| agree(rest, &said[skipped..])),
        [first, rest @ ..] => said.first() == Some(first) && agree(rest, &said[1..]),
    }
}

#[test]
fn the_sessions_of_the_book_are_what_the_program_says() {
    let folder = Path::new(env!("CARGO_BIN_EXE_griot")).parent().unwrap();
    let path = std::env::join_paths(
        [folder.to_owned()].into_iter().chain(std::env::split_paths(&std::env::var_os("PATH").unwrap())),
    )
    .unwrap();
    let mut checked = 0;
    for page in pages() {
        for Session { command, printed } in sessions(&fs::read_to_string(&page).unwrap()) {
            let mut shell = Command::new("sh");
            shell.args(["-c", &command]).env("PATH", &path).env("LC_ALL", "C").stdin(Stdio::null());
            let output = match shell.output() {
                // Windows has a shell only with Git or the like.
                Err(error) if cfg!(windows) && error.kind() == std::io::ErrorKind::NotFound => return,
                output => output.unwrap(),
            };
            let said = String::from_utf8(output.stdout).unwrap();
            let tidy = |lines: Vec<&str>| -> Vec<String> { lines.into_iter().map(tidied).collect() };
            let expected = tidy(printed.iter().map(String::as_str).collect());
            let told = tidy(said.lines().collect());
            assert!(
                agree(&expected, &told),
                "{}: {command}\n{}\nsaid\n{said}{}",
                page.display(),
                printed.join("\n"),
                String::from_utf8_lossy(&output.stderr)
            );
            checked += 1;
        }
    }
    assert!(checked >= 4, "only {checked} sessions found");
}

/// The rows of a table of a page, by its heading; without the marks that make text code or a link.
fn rows(page: &str, heading: &str) -> Vec<Vec<String>> {
    let below = page.lines().skip_while(|line| *line != heading).skip(2);
    let rows = below.take_while(|line| line.starts_with('|'));
    let plain = |cell: &str| {
        let pieces = cell.trim().split("](").enumerate();
        let unlinked = pieces.map(|(i, piece)| if i == 0 { piece } else { piece.split_once(')').unwrap().1 });
        unlinked.collect::<String>().replace(['`', '['], "").replace('\u{0}', "|")
    };
    rows.map(|row| row.replace("\\|", "\u{0}").trim_matches('|').split('|').map(plain).collect()).collect()
}

#[test]
fn protocol_md_tells_of_every_option_what_the_engine_does() {
    let page = fs::read_to_string("protocol.md").unwrap();
    let rows = rows(&page, "| name | type | default | values | effect |");
    let options = options(&Registry);
    assert_eq!(rows.len(), options.len());
    for (row, OptionSpec { name, kind, help }) in rows.into_iter().zip(options) {
        let empty = |text: String| if text.is_empty() { "<empty>".into() } else { text };
        let (kind, default, values) = match kind {
            OptionKind::Button => ("button", String::new(), Some(String::new())),
            OptionKind::Check { default } => ("check", default.to_string(), Some("true, false".into())),
            OptionKind::Spin { default, min, max } => ("spin", default.to_string(), Some(format!("{min} to {max}"))),
            OptionKind::Combo { default, choices } => ("combo", default, Some(choices.join(", "))),
            OptionKind::String { default } => ("string", empty(default), None),
        };
        // What is offered first is the game, whichever.
        let default = if name == "UCI_Variant" { "the game".into() } else { default };
        assert_eq!(row[..3], [name, kind, &default], "{name}");
        assert!(values.is_none_or(|values| row[3] == values), "{name}: {}", row[3]);
        assert!(row[4].starts_with(help), "{name}: {help}: {}", row[4]);
    }
}
