//! Sessions of the real programs with griot, as they went over the pipe, each played back; and no double beside this file may send what the
//! real program did not.
//!
//! A recording is a text: `#` a remark, `$` the command line, `>` what the program sent, `<` what griot answered then. What griot says on
//! the way is left out, and what it answers may differ: searches by the clock never end alike.

use std::collections::HashSet;
use std::path::Path;

use crate::support::Talk;

struct Recording {
    name: String,
    arguments: Vec<String>,
    lines: Vec<Line>,
}

enum Line {
    Sent(String),
    Answered(String),
}

/// The recordings whose names begin so, in order.
fn recordings(start: &str) -> Vec<Recording> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/recordings");
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        if !name.starts_with(start) || name.starts_with("shown_") {
            continue;
        }
        let text = std::fs::read_to_string(path).unwrap();
        let mut recording = Recording { name, arguments: Vec::new(), lines: Vec::new() };
        for line in text.lines() {
            let rest = line.get(2..).unwrap_or("").to_owned();
            match line.as_bytes()[0] {
                b'$' => recording.arguments = rest.split(' ').skip(1).map(str::to_owned).collect(),
                b'>' => recording.lines.push(Line::Sent(rest)),
                b'<' => recording.lines.push(Line::Answered(rest)),
                mark => assert_eq!(mark, b'#', "{line}"),
            }
        }
        assert!(recording.lines.len() > 10, "{}", recording.name);
        found.push(recording);
    }
    found.sort_by(|one, other| one.name.cmp(&other.name));
    found
}

/// What kind of answer this is: all of it where it has to be the same again.
fn kind(answer: &str) -> String {
    let first = answer.split(' ').next().unwrap_or("");
    match answer.as_bytes().first() {
        Some(b'=' | b'?') => answer[..1].to_owned(),
        Some(digit) if digit.is_ascii_digit() => "a point".to_owned(),
        Some(_) if first == "response" => answer.to_owned(),
        Some(_) if first.starts_with("name=") => "name".to_owned(),
        _ => first.to_owned(),
    }
}

/// A line without its numbers and moves, and without those names that a user of the program chooses.
fn form(line: &str) -> String {
    let words: Vec<&str> = line.split_whitespace().collect();
    let is_word = |word: &&&str| word.starts_with(|c: char| c.is_ascii_alphabetic());
    match words.as_slice() {
        ["setoption", "name", name @ ("UCI_Variant" | "Ponder" | "OwnBook"), ..] => format!("setoption {name}"),
        ["go" | "query", ..] => words.iter().filter(is_word).copied().collect::<Vec<&str>>().join(" "),
        [first @ ("INFO" | "set"), name, ..] => format!("{first} {name}"),
        [first, ..] if first.as_bytes()[0].is_ascii_digit() => "a point".to_owned(),
        [first, ..] => (*first).to_owned(),
        [] => String::new(),
    }
}

/// Each form, and the one that follows it; nothing stands before the first.
fn steps<'a>(sent: impl Iterator<Item = &'a str>) -> Vec<(String, String)> {
    let forms: Vec<String> = std::iter::once(String::new()).chain(sent.map(form)).collect();
    forms.windows(2).map(|pair| (pair[0].clone(), pair[1].clone())).collect()
}

/// What the real program sent, of the recording of this name.
pub(super) fn sent(name: &str) -> Vec<String> {
    let mut found = recordings(name);
    assert_eq!(found.len(), 1, "{name}");
    let sent = |line| if let Line::Sent(text) = line { Some(text) } else { None };
    found.remove(0).lines.into_iter().filter_map(sent).collect()
}

/// Checks that a double has sent nothing but what recordings of these names know, in an order that they know.
pub(super) fn know(start: &str, talk: &Talk) {
    let recordings = recordings(start);
    assert!(!recordings.is_empty(), "{start}");
    let known: HashSet<(String, String)> = recordings
        .iter()
        .flat_map(|recording| {
            steps(recording.lines.iter().filter_map(|line| match line {
                Line::Sent(text) => Some(text.as_str()),
                Line::Answered(_) => None,
            }))
        })
        .collect();
    for step in steps(talk.log.iter().filter_map(|line| line.strip_prefix("> "))) {
        assert!(known.contains(&step), "the real program never sent '{}' after '{}'", step.1, step.0);
    }
}

/// What is asked whether a line of play is one.
struct Judge(Talk);

impl Judge {
    /// Whether the game is over there; the line must be legal.
    fn is_over(&mut self, position: &str) -> bool {
        self.0.send(position);
        let said = self.0.ask("query gameover");
        assert!(said.starts_with("response "), "{position}: {said}");
        said == "response true"
    }
}

struct Playback {
    talk: Talk,
    judge: Judge,
    position: String,
    searched: String,
    /// What was said since the last `go`.
    infos: Vec<String>,
}

impl Playback {
    fn new(recording: &Recording) -> Playback {
        let arguments: Vec<&str> = recording.arguments.iter().map(String::as_str).collect();
        let mut judge = Judge(Talk::process(&arguments));
        for line in &recording.lines {
            let Line::Sent(text) = line else { continue };
            match text.split(' ').next() {
                Some("uci" | "ugi") => {
                    judge.0.send(text);
                    judge.0.until("*ok");
                }
                Some("setoption") if ["UCI_Variant", "Game"].iter().any(|name| text.contains(name)) => {
                    judge.0.send(text)
                }
                _ => {}
            }
        }
        let talk = Talk::process(&arguments);
        Playback { talk, judge, position: String::new(), searched: String::new(), infos: Vec::new() }
    }

    fn send(&mut self, line: &str) {
        match line.split(' ').next() {
            Some("position") => line.clone_into(&mut self.position),
            Some("go") => {
                self.position.clone_into(&mut self.searched);
                self.infos.clear();
            }
            _ => {}
        }
        self.talk.send(line);
    }

    /// The next line that answers something. Remarks come before it; none of them is a complaint, but for an option that only others
    /// have.
    fn answer(&mut self) -> String {
        loop {
            let line = self.talk.line().expect("an answer");
            let is_remark = ["id ", "option ", "info ", "MESSAGE ", "search ", "nodestats ", "analysis ", "status "]
                .iter()
                .any(|start| line.starts_with(start));
            if is_remark {
                let complains = line.contains(" error: ") || line.contains(" warning: ");
                assert!(!complains || line.contains("no option 'debug'"), "{line}");
                self.infos.push(line);
            } else if !line.is_empty() {
                return line;
            }
        }
    }

    /// The laws of an answer to `go`: there was a score before it, and the move and all lines are legal and end with the game.
    fn judge(&mut self, answer: &str) {
        let infos = std::mem::take(&mut self.infos);
        assert!(infos.iter().any(|line| line.contains(" score ")), "{answer} after {infos:?}");
        let searched = match self.searched.as_str() {
            position if position.contains(" moves ") => position.to_owned(),
            position => format!("{position} moves"),
        };
        let mut words = answer.split(' ').skip(1);
        let best = words.next().unwrap();
        self.judge.is_over(&format!("{searched} {best}"));
        if let Some(expected) = words.nth(1) {
            let both = if searched.contains("@") || best.len() > 1 {
                format!("{best} {expected}")
            } else {
                format!("{best}{expected}")
            };
            self.judge.is_over(&format!("{searched} {both}"));
        }
        // The last line of each depth is enough.
        let mut told = HashSet::new();
        for line in infos.iter().rev() {
            let Some((_, pv)) = line.split_once(" pv ") else { continue };
            if !told.insert(line.split(' ').nth(2)) {
                continue;
            }
            self.judge.is_over(&format!("{searched} {pv}"));
            if let Some((before, _)) = pv.rsplit_once(' ') {
                assert!(!self.judge.is_over(&format!("{searched} {before}")), "{line} goes on behind the end");
            }
        }
    }
}

fn play_back(recording: &Recording) {
    let mut playback = Playback::new(recording);
    let is_gtp = recording.arguments.iter().any(|word| word == "gtp");
    let mut last_sent = "";
    for line in &recording.lines {
        match line {
            Line::Sent(text) => {
                playback.send(text);
                last_sent = text;
            }
            Line::Answered(then) if is_gtp => {
                // More lines may follow the first.
                let said = loop {
                    let line = playback.talk.line().expect("an answer");
                    if line.starts_with(['=', '?']) {
                        break line;
                    }
                };
                assert_eq!(kind(&said), kind(then), "{}: {last_sent}", recording.name);
                if let Some(color) = last_sent.strip_prefix("genmove ")
                    && said != *then
                {
                    // The game goes on as it did then.
                    for line in ["undo".to_owned(), format!("play {color} {}", &then[2..])] {
                        playback.send(&line);
                        playback.talk.until("=*");
                    }
                }
            }
            Line::Answered(then) => {
                let said = playback.answer();
                assert_eq!(kind(&said), kind(then), "{}: {last_sent}", recording.name);
                if said.starts_with("bestmove ") {
                    playback.judge(&said);
                } else if kind(&said) == "a point" && said != *then {
                    for (line, answer) in [(format!("TAKEBACK {said}"), "OK"), (format!("PLAY {then}"), then)] {
                        playback.send(&line);
                        assert_eq!(playback.answer(), *answer, "{line}");
                    }
                }
            }
        }
    }
    playback.talk.end();
    while let Some(line) = playback.talk.line() {
        assert!(line.is_empty() || line.starts_with("= ") || line.starts_with("info "), "{}: {line}", recording.name);
    }
    assert!(playback.talk.exit_status().success());
}

fn play_back_all(start: &str, at_least: usize) {
    let recordings = recordings(start);
    assert!(recordings.len() >= at_least, "{start}");
    recordings.iter().for_each(play_back);
}

#[test]
fn sessions_of_cute_chess_are_played_back() {
    play_back_all("cute_chess_", 8);
}

#[test]
fn sessions_of_fastchess_are_played_back() {
    play_back_all("fastchess_", 2);
}

#[test]
fn sessions_of_cutegames_are_played_back() {
    play_back_all("cutegames_", 5);
}

#[test]
fn sessions_of_c_gomoku_cli_are_played_back() {
    play_back_all("c_gomoku_cli_", 5);
}

#[test]
fn sessions_of_twogtp_are_played_back() {
    play_back_all("twogtp_", 1);
}

#[test]
fn sessions_of_nboard_are_played_back() {
    play_back_all("nboard_", 3);
}

#[test]
fn sessions_of_auale_are_played_back() {
    play_back_all("auale_", 2);
}

#[test]
fn sessions_of_the_window_of_gogui_are_played_back() {
    play_back_all("gogui_", 2);
}

#[test]
fn sessions_of_pychess_are_played_back() {
    play_back_all("pychess_", 1);
}

#[test]
fn sessions_of_yixin_board_are_played_back() {
    play_back_all("yixin_board_", 1);
}
