//! Rendering: replies as lines of a dialect.
//!
//! Layer 4. A reply is one line, without its end; only answers of GTP and numbers of NBoard have more, and those of GTP end
//! with a blank one. LAW 6: text from the user is escaped before it is repeated, so that no reply breaks into two lines.

use std::fmt::Write;

use super::dialect::{Dialect, Grammar, Words};
use super::{gomocup, hub, nboard};
use crate::message::{
    Answer, GameResult, Info, MoveLine, OptionKind, OptionSpec, Player, Reply, ReportedBound, ReportedScore, Response,
};

/// Longest user text repeated in a reply, in characters.
const LONGEST_QUOTE: usize = 60;
/// Longest path repeated in a reply, in characters: as long as Windows lets most programs have one.
const LONGEST_PATH: usize = 260;
/// Longest line for people, in characters.
const LONGEST_NOTE: usize = 600;

/// User text for a reply: shortened, with control characters escaped.
#[must_use]
pub fn tidy(text: &str) -> String {
    tidy_to(LONGEST_QUOTE, text)
}

/// The path of a file for a reply: whole, unless nothing else would fit in the line, since its end is what tells files apart.
#[must_use]
pub fn tidy_path(path: &str) -> String {
    tidy_to(LONGEST_PATH, path)
}

/// Counts the length of the result, not of `text`: an escape is longer than its character.
fn tidy_to(longest: usize, text: &str) -> String {
    let mut tidy = String::new();
    let mut length = 0;
    for c in text.chars() {
        length += printable(c).count();
        if length > longest {
            tidy.push('…');
            break;
        }
        tidy.extend(printable(c));
    }
    tidy
}

fn printable(c: char) -> impl Iterator<Item = char> {
    // Besides control characters, escape those that are invisible or change the direction of the text.
    let unseen = matches!(c, '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2060}'..='\u{206F}' | '\u{FEFF}' | '\u{FFFD}');
    let escape = c.is_control() || unseen;
    let (escaped, plain) = if escape { (Some(c.escape_default()), None) } else { (None, Some(c)) };
    escaped.into_iter().flatten().chain(plain)
}

/// The answer to an unknown question, or without a position.
const UNKNOWN: &str = "unknown";

/// The line for `reply` in `dialect`, or `None` if the dialect has none.
#[must_use]
pub fn render(dialect: &Dialect, reply: &Reply) -> Option<String> {
    match &dialect.grammar {
        Grammar::Universal(words) => Some(universal(words, reply)),
        Grammar::Gtp => gtp(reply),
        Grammar::Gomocup => gomocup(reply),
        Grammar::NBoard => nboard(reply),
        Grammar::Hub => hub(reply),
    }
}

/// As in UGI and UCI.
fn universal(words: &Words, reply: &Reply) -> String {
    match reply {
        Reply::Name(name) => format!("id name {name}"),
        Reply::Author(author) => format!("id author {author}"),
        Reply::Option(spec) => option(spec),
        Reply::GreetingDone => words.ok.into(),
        Reply::Ready => "readyok".into(),
        Reply::Pong => "pong".into(),
        Reply::Info(numbers) | Reply::Better(numbers) => {
            format!("info {}", info(numbers, words.both_scores, words.glued_lines))
        }
        Reply::Note(text) => format!("info string {}", tidy_to(LONGEST_NOTE, text)),
        Reply::Count { mv, lines } => format!("{mv}: {lines}"),
        Reply::Total(lines) => format!("Nodes searched: {lines}"),
        Reply::Response(answer) => match response(answer) {
            text if text.is_empty() => "response".into(),
            text => format!("response {text}"),
        },
        Reply::BestMove { best, ponder } => {
            let best = best.as_deref().unwrap_or(words.no_move);
            match ponder {
                Some(ponder) if words.ponder_move => format!("bestmove {best} ponder {ponder}"),
                _ => format!("bestmove {best}"),
            }
        }
        Reply::Answer { answer, .. } => format!("info string {}", tidy_to(LONGEST_NOTE, told(answer))),
    }
}

/// The answer to a query.
fn response(response: &Response) -> String {
    match response {
        Response::Over(is_over) => is_over.to_string(),
        Response::Turn(player) => (*player == Player::First).to_string(),
        Response::Result(result) => match result {
            Some(GameResult::Win(Player::First)) => "p1win",
            Some(GameResult::Win(Player::Second)) => "p2win",
            Some(GameResult::Draw) => "draw",
            None => "none",
        }
        .into(),
        Response::BoardText(text) | Response::Games(text) => text.clone(),
        Response::Moves(moves) => moves.join(" "),
        // Serialising fails only on maps with keys that are not text; it has none.
        Response::Picture(picture) => serde_json::to_string(picture).unwrap_or_else(|_| UNKNOWN.into()),
        Response::Line(line) => serde_json::to_string(line).unwrap_or_else(|_| UNKNOWN.into()),
        Response::Unknown => UNKNOWN.into(),
    }
}

/// As in GTP, which has answers only.
fn gtp(reply: &Reply) -> Option<String> {
    let Reply::Answer { id, answer } = reply else { return None };
    let id = id.map_or(String::new(), |id| id.to_string());
    Some(match answer {
        Answer::Failed(text) | Answer::Unknown(text) => format!("?{id} {}\n", tidy_to(LONGEST_NOTE, text)),
        answer => format!("={id} {}\n", told(answer)),
    })
}

/// The plain text of an answer.
fn told(answer: &Answer) -> &str {
    match answer {
        Answer::Done(text) | Answer::Failed(text) | Answer::Unknown(text) | Answer::Move { mv: text, .. } => text,
        Answer::Advised | Answer::Worth(..) | Answer::Pong(_) | Answer::Swap2 { .. } | Answer::Forbidden(_) => "",
    }
}

/// As in Gomocup, where a message may come at any time.
fn gomocup(reply: &Reply) -> Option<String> {
    match reply {
        Reply::Info(numbers) => gomocup::thought(numbers),
        Reply::Note(text) => Some(format!("MESSAGE {}", tidy_to(LONGEST_NOTE, text))),
        Reply::Answer { answer: Answer::Failed(text), .. } => Some(format!("ERROR {}", tidy_to(LONGEST_NOTE, text))),
        Reply::Answer { answer: Answer::Unknown(text), .. } => Some(format!("UNKNOWN {}", tidy_to(LONGEST_NOTE, text))),
        Reply::Answer { answer, .. } => {
            gomocup::answer(answer).or_else(|| Some(told(answer).to_owned())).filter(|text| !text.is_empty())
        }
        Reply::Better(numbers) => gomocup::better(numbers),
        _ => None,
    }
}

/// As in Hub.
fn hub(reply: &Reply) -> Option<String> {
    Some(match reply {
        Reply::Name(name) => {
            let (name, version) = name.split_once(' ').unwrap_or((name, "0"));
            format!("id name={name} version={version} author=\"the griot authors\"")
        }
        Reply::Option(spec) => return hub::parameter(spec),
        Reply::GreetingDone => "wait".into(),
        Reply::Ready => "ready".into(),
        Reply::Pong => "pong".into(),
        Reply::Info(numbers) => hub::numbers(numbers),
        Reply::Note(text) => hub::note(&tidy_to(LONGEST_NOTE, text)),
        Reply::BestMove { best, ponder } => hub::done(best.as_deref(), ponder.as_deref()),
        Reply::Answer { answer: Answer::Failed(text) | Answer::Unknown(text), .. } => {
            hub::note(&format!("error: {}", tidy_to(LONGEST_NOTE, text)))
        }
        Reply::Answer { .. }
        | Reply::Author(_)
        | Reply::Better(_)
        | Reply::Count { .. }
        | Reply::Total(_)
        | Reply::Response(_) => return None,
    })
}

/// As in NBoard: text for people goes to the status line, which a move and the end of the hints clear.
fn nboard(reply: &Reply) -> Option<String> {
    let status = |text: &str| Some(format!("status {}", tidy_to(LONGEST_NOTE, text)));
    match reply {
        Reply::Info(numbers) => Some(nboard::numbers(numbers)),
        Reply::Note(text) => status(text),
        Reply::Answer { answer, .. } => match answer {
            Answer::Done(text) => Some(text.clone()).filter(|text| !text.is_empty()),
            Answer::Failed(text) => status(&format!("error: {text}")),
            Answer::Unknown(_) => None,
            Answer::Move { mv, score, time } => {
                let score = score.map(nboard::discs).unwrap_or_default();
                Some(format!("=== {mv}/{score}/{:.3}", time.as_secs_f64()))
            }
            Answer::Advised => Some("status".into()),
            Answer::Worth(plies, score) => Some(format!("analysis {plies} {}", nboard::discs(*score))),
            Answer::Pong(number) => Some(format!("pong {number}")),
            Answer::Swap2 { .. } | Answer::Forbidden(_) => None,
        },
        _ => None,
    }
}

fn option(spec: &OptionSpec) -> String {
    let name = spec.name;
    match &spec.kind {
        OptionKind::Check { default } => format!("option name {name} type check default {default}"),
        OptionKind::Spin { default, min, max } => {
            format!("option name {name} type spin default {default} min {min} max {max}")
        }
        OptionKind::Combo { default, choices } => {
            let choices: String = choices.iter().map(|choice| format!(" var {choice}")).collect();
            format!("option name {name} type combo default {default}{choices}")
        }
        OptionKind::Button => format!("option name {name} type button"),
        OptionKind::String { default } => {
            let default = if default.is_empty() { "<empty>" } else { default };
            format!("option name {name} type string default {default}")
        }
    }
}

/// `both`: for UCI front ends, which show `cp` and may not know `mate`. A certain win or loss then has its balance as
/// `cp`, before the `mate` if there is one; without a `mate`, the balance is a bound: the least that the winner has.
fn info(info: &Info, both: bool, glued: bool) -> String {
    let mut line = format!("depth {}", info.depth);
    let mut add = |words: std::fmt::Arguments<'_>| {
        // Writing to a string cannot fail.
        let _ = line.write_fmt(words);
    };
    if info.seldepth > 0 {
        add(format_args!(" seldepth {}", info.seldepth));
    }
    if let Some(rank) = info.rank {
        add(format_args!(" multipv {rank}"));
    }
    if let Some((score, bound)) = info.score {
        let balance = info.balance.filter(|_| both);
        let bound = match (score, balance) {
            (ReportedScore::Centi(_), Some(balance)) => {
                add(format_args!(" score cp {balance}"));
                if balance > 0 { ReportedBound::Lower } else { ReportedBound::Upper }
            }
            (ReportedScore::Mate(moves), Some(balance)) => {
                add(format_args!(" score cp {balance} mate {moves}"));
                bound
            }
            (ReportedScore::Centi(centi), None) => {
                add(format_args!(" score cp {centi}"));
                bound
            }
            (ReportedScore::Mate(moves), None) => {
                add(format_args!(" score mate {moves}"));
                bound
            }
        };
        match bound {
            ReportedBound::Exact => {}
            ReportedBound::Lower => add(format_args!(" lowerbound")),
            ReportedBound::Upper => add(format_args!(" upperbound")),
        }
    }
    if let Some([wins, draws, losses]) = info.chances {
        add(format_args!(" wdl {wins} {draws} {losses}"));
    }
    add(format_args!(" nodes {} nps {} hashfull {}", info.nodes, info.nps, info.hashfull));
    add(format_args!(" tbhits {} time {}", info.tbhits, info.time.as_millis()));
    if let Some((mv, number)) = &info.current_move {
        add(format_args!(" currmove {mv} currmovenumber {number}"));
    }
    if !info.pv.moves.is_empty() {
        add(format_args!(" pv {}", moves(&info.pv, glued)));
    }
    line
}

fn moves(line: &MoveLine, glued: bool) -> String {
    line.moves.join(if glued && line.may_glue { "" } else { " " })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::message::DialectName::{self, Gomocup, Gtp, Uci, Ugi};
    use crate::protocol::{dialect, dialect_for};

    fn said(name: DialectName, reply: Reply) -> String {
        render(dialect(name), &reply).unwrap_or_default()
    }

    #[test]
    fn an_answer_is_written_as_the_dialect_has_it() {
        let answer = |answer| Reply::Answer { id: Some(3), answer };
        let done = answer(Answer::Done("J3".into()));
        let failed = answer(Answer::Failed("no\nway".into()));
        let unknown = answer(Answer::Unknown("what?".into()));
        assert_eq!([said(Gtp, done.clone()), said(Gomocup, done)], ["=3 J3\n", "J3"]);
        assert_eq!([said(Gtp, failed.clone()), said(Gomocup, failed)], ["?3 no\\nway\n", "ERROR no\\nway"]);
        assert_eq!([said(Gtp, unknown.clone()), said(Gomocup, unknown)], ["?3 what?\n", "UNKNOWN what?"]);
        let note = Reply::Note("so so".into());
        assert_eq!([said(Gtp, note.clone()), said(Gomocup, note)], ["", "MESSAGE so so"]);
        assert_eq!(render(dialect(Gomocup), &answer(Answer::Done(String::new()))), None);
    }

    #[test]
    fn bestmove_has_two_words_in_ugi_whatever_is_expected_next() {
        let reply = Reply::BestMove { best: Some("A".into()), ponder: Some("b".into()) };
        assert_eq!(said(Ugi, reply.clone()), "bestmove A");
        assert_eq!(said(Uci, reply), "bestmove A ponder b");
        let none = Reply::BestMove { best: None, ponder: None };
        assert_eq!([said(Ugi, none.clone()), said(Uci, none.clone())], ["bestmove 0000"; 2]);
        let of_chess = [Ugi, Uci].map(|name| render(dialect_for(name, true), &none).unwrap());
        assert_eq!(of_chess, ["bestmove 0000", "bestmove (none)"]);
    }

    #[test]
    fn a_query_is_answered_in_the_words_of_the_dialect() {
        let won = |player| Response::Result(Some(GameResult::Win(player)));
        for (response, text) in [
            (Response::Over(true), "true"),
            (Response::Turn(Player::Second), "false"),
            (won(Player::First), "p1win"),
            (won(Player::Second), "p2win"),
            (Response::Result(Some(GameResult::Draw)), "draw"),
            (Response::Result(None), "none"),
            (Response::BoardText("7 1".into()), "7 1"),
            (Response::Moves(vec!["a1".into(), "a2".into()]), "a1 a2"),
            (Response::Unknown, "unknown"),
        ] {
            assert_eq!(said(Ugi, Reply::Response(response)), format!("response {text}"));
        }
    }

    #[test]
    fn only_uci_glues_lines_and_only_of_games_that_can() {
        let line = |may_glue| {
            let pv = MoveLine { moves: vec!["A".into(), "b".into()], may_glue };
            Reply::Info(Info { depth: 2, pv, ..Info::default() })
        };
        assert!(said(Ugi, line(true)).ends_with(" pv A b"));
        assert!(said(Uci, line(true)).ends_with(" pv Ab"));
        assert!(said(Uci, line(false)).ends_with(" pv A b"));
    }

    #[test]
    fn an_info_line_names_every_number() {
        let info = Info {
            depth: 7,
            seldepth: 9,
            rank: Some(2),
            score: Some((ReportedScore::Mate(-3), ReportedBound::Lower)),
            balance: None,
            chances: Some([1, 2, 997]),
            certain: true,
            nodes: 10,
            nps: 20,
            hashfull: 30,
            tbhits: 40,
            time: std::time::Duration::from_micros(50_700),
            current_move: Some(("c3".into(), 4)),
            pv: MoveLine::default(),
        };
        assert_eq!(
            said(Ugi, Reply::Info(info)),
            "info depth 7 seldepth 9 multipv 2 score mate -3 lowerbound wdl 1 2 997 nodes 10 nps 20 hashfull 30 tbhits 40 time 50 \
             currmove c3 currmovenumber 4"
        );
    }

    /// Auale reads only `cp`, so a forced win must not have `cp 0`.
    #[test]
    fn a_certain_result_has_its_balance_in_uci() {
        let line = |name, score, bound, balance| {
            let said =
                said(name, Reply::Info(Info { depth: 1, score: Some((score, bound)), balance, ..Info::default() }));
            said.split(" nodes ").next().unwrap_or_default().to_owned()
        };
        let (mate, known) = (ReportedScore::Mate(7), ReportedScore::Centi(100_700));
        assert_eq!(line(Uci, mate, ReportedBound::Exact, Some(2600)), "info depth 1 score cp 2600 mate 7");
        assert_eq!(line(Uci, mate, ReportedBound::Lower, Some(2600)), "info depth 1 score cp 2600 mate 7 lowerbound");
        assert_eq!(line(Uci, mate, ReportedBound::Exact, None), "info depth 1 score mate 7");
        assert_eq!(line(Uci, known, ReportedBound::Exact, Some(700)), "info depth 1 score cp 700 lowerbound");
        assert_eq!(line(Uci, known, ReportedBound::Exact, Some(-700)), "info depth 1 score cp -700 upperbound");
        assert_eq!(line(Ugi, mate, ReportedBound::Exact, Some(2600)), "info depth 1 score mate 7");
        assert_eq!(line(Ugi, known, ReportedBound::Exact, Some(700)), "info depth 1 score cp 100700");
    }

    #[test]
    fn no_reply_breaks_into_two_lines() {
        assert_eq!(said(Ugi, Reply::Note("a\r\nb".into())), "info string a\\r\\nb");
        assert_eq!(said(Ugi, Reply::Response(Response::Moves(Vec::new()))), "response");
        assert_eq!(tidy("a\u{0}b\n"), "a\\u{0}b\\n");
        assert_eq!(tidy(&"é".repeat(100)).chars().count(), LONGEST_QUOTE + 1);
        assert_eq!(tidy_path(&"/folder".repeat(30)), "/folder".repeat(30));
        assert_eq!(tidy("a\u{202E}b\u{FEFF}"), "a\\u{202e}b\\u{feff}");
    }

    #[test]
    fn escapes_count_as_long_as_they_are_written() {
        assert_eq!(tidy(&"\u{1}".repeat(100)), "\\u{1}".repeat(LONGEST_QUOTE / 5) + "…");
        let note = said(Ugi, Reply::Note("\u{1}".repeat(10_000)));
        assert!(note.chars().count() <= LONGEST_NOTE + "info string …".chars().count(), "{note}");
    }
}
