//! Match records: one JSON line a game, and their check against the rules.
//!
//! # Format
//! A line is appended whole when its game is over, so an interrupted match leaves whole lines only:
//!
//! ```text
//! {"game":"awale","round":1,"seed":7,"limits":"movetime 100","p1":{"name":"a","command":["griot"],"dialect":"ugi"},"p2":{…},
//!  "board":null,"opening":2,"moves":["A","b","C"],"thoughts":[{"ms":101.2,"depth":9,"score":"cp 12","nodes":52100}],
//!  "result":"p1win","reason":"illegal","by":"p2","answer":"Z","detail":"…"}
//! ```
//!
//! `board` is a board text, or null for the start position. `moves` are in griot's own style; the first `opening` of them were
//! given. `thoughts` has what the engine reported of each other move, and one more if its last answer was refused. p1 moves
//! first. `reason` is one of [`Reason`]; `by` is the player at fault, and `answer` repeats a refused move. An engine with
//! limits of its own has `limits` beside its dialect.

use std::io::{self, Read, Write};
use std::path::Path;

use griot::encoding::is_utf16;
use griot::files::{Claim, GrowingFile};
use griot::game::Side;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::referee::{GameResult, Referee};

/// Why a game ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Reason {
    /// By the rules.
    Rules,
    /// By repetition.
    Repetition,
    /// It reached the greatest length; counted as a draw.
    Unfinished,
    /// An engine played an illegal move.
    Illegal,
    /// An engine said that there was no move (`bestmove 0000`), though the game went on.
    NoMove,
    /// An engine answered `go` with a `bestmove` without a move, or with a line without end.
    Garbage,
    /// An engine used more time than it had.
    Time,
    /// An engine did not answer at all.
    Hang,
    /// An engine ended, or could not be started.
    Crash,
    /// An engine resigned.
    Resignation,
    /// An engine refused a position.
    Position,
}

impl Reason {
    /// Its word in records.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Reason::Rules => "rules",
            Reason::Repetition => "repetition",
            Reason::Unfinished => "unfinished",
            Reason::Illegal => "illegal",
            Reason::NoMove => "no-move",
            Reason::Garbage => "garbage",
            Reason::Time => "time",
            Reason::Hang => "hang",
            Reason::Crash => "crash",
            Reason::Resignation => "resignation",
            Reason::Position => "position",
        }
    }

    /// The ending in words: it was won, drawn or lost …
    pub(crate) fn told(self) -> &'static str {
        match self {
            Reason::Rules => "on the board",
            Reason::Repetition => "by repetition",
            Reason::Unfinished => "unfinished",
            Reason::Illegal => "by an illegal move",
            Reason::NoMove => "by telling no move",
            Reason::Garbage => "by a garbled answer",
            Reason::Time => "on time",
            Reason::Hang => "by silence",
            Reason::Crash => "by a crash",
            Reason::Resignation => "by resigning",
            Reason::Position => "by refusing a position",
        }
    }
}

/// A player, as in the protocol.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Player {
    P1,
    P2,
}

impl From<Side> for Player {
    fn from(side: Side) -> Player {
        match side {
            Side::First => Player::P1,
            Side::Second => Player::P2,
        }
    }
}

/// An engine of the game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Who {
    pub(crate) name: String,
    pub(crate) command: Vec<String>,
    pub(crate) dialect: String,
    /// Its limits, if they differ from those of the match.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) limits: Option<String>,
}

/// The time of a move, and what the engine reported.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub(crate) struct Thought {
    /// Milliseconds from the `go` to the `bestmove`.
    pub(crate) ms: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) depth: Option<u32>,
    /// As reported: `cp 12`, `mate -3`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) score: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) nodes: Option<u64>,
    /// Milliseconds beyond the time it had, negative if it took less; `None` if its time is not judged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) over_ms: Option<f64>,
    /// Number of reported lines of play.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub(crate) lines: u32,
    /// Number of illegal ones, and the error of the first.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub(crate) illegal_lines: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) illegal_line: Option<String>,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "as serde asks")]
fn is_zero(count: &u32) -> bool {
    *count == 0
}

/// One game.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Record {
    pub(crate) game: String,
    pub(crate) round: usize,
    pub(crate) seed: Option<u64>,
    pub(crate) limits: String,
    pub(crate) p1: Who,
    pub(crate) p2: Who,
    pub(crate) board: Option<String>,
    pub(crate) opening: usize,
    pub(crate) moves: Vec<String>,
    pub(crate) thoughts: Vec<Thought>,
    pub(crate) result: GameResult,
    pub(crate) reason: Reason,
    pub(crate) by: Option<Player>,
    pub(crate) answer: Option<String>,
    pub(crate) detail: String,
}

impl Record {
    /// Plays the moves of the game.
    ///
    /// # Errors
    /// The first thing in it that is not legal.
    pub(crate) fn play(&self, referee: &mut Referee) -> Result<(), String> {
        referee.begin(self.board.as_deref()).map_err(|problem| format!("board: {}", problem.text))?;
        for (mv, number) in self.moves.iter().zip(1..) {
            if let Some(result) = referee.result() {
                return Err(format!("move {number}, '{mv}': the game was over before it, {result}"));
            }
            if referee.play(mv).is_none() {
                return Err(format!(
                    "move {number}, '{mv}': not legal; legal are: {}",
                    referee.legal_moves().join(" ")
                ));
            }
        }
        Ok(())
    }

    /// Plays the game again under the referee.
    ///
    /// # Errors
    /// The first contradiction between record and rules.
    pub(crate) fn check(&self, referee: &mut Referee) -> Result<(), String> {
        self.play(referee)?;
        let (reason, by) = (self.reason.word(), self.by.is_some());
        let found = match referee.result() {
            Some(result) if referee.is_repetition() => Some((result, Reason::Repetition)),
            Some(result) => Some((result, Reason::Rules)),
            None => None,
        };
        if let Some((result, why)) = found {
            let same = result == self.result && why == self.reason && !by;
            let told = || format!("it ends with {result} by {}, not {} by {reason}", why.word(), self.result);
            return if same { Ok(()) } else { Err(told()) };
        }
        let at_fault = [Side::First, Side::Second].into_iter().find(|&side| self.by == Some(side.into()));
        match (self.reason, at_fault) {
            (Reason::Rules | Reason::Repetition, _) => {
                Err(format!("it is said to end by {reason}, but the game goes on"))
            }
            (Reason::Unfinished, None) if self.result == GameResult::Draw => Ok(()),
            (Reason::Unfinished, _) => Err("an unfinished game is a draw, and neither player's fault".into()),
            (Reason::Illegal, _) if self.answer.as_ref().is_none_or(|answer| referee.is_legal(answer)) => {
                Err(format!("the move called illegal, {:?}, is legal or missing", self.answer))
            }
            (_, Some(side)) if self.result == GameResult::won_by(side.other()) => Ok(()),
            _ => Err(format!("a game that ends by {reason} is lost by the player whose fault it was")),
        }
    }
}

/// A record as its line, with the line end.
fn line(record: &impl Serialize) -> io::Result<String> {
    Ok(serde_json::to_string(record)? + "\n")
}

/// A file of records, opened for appending.
pub(crate) struct Keeper {
    file: GrowingFile,
    /// Held until dropped.
    _claim: Claim,
}

impl Keeper {
    /// Opens a file for appending, and reads its records, which only a resumed match may have. A last line without end, left by a
    /// full disk or a crash, is dropped: its game is played again.
    ///
    /// # Errors
    /// If there are records already, the content is not records, or another process writes it; the file is unchanged.
    pub(crate) fn begin<R: DeserializeOwned>(path: &Path, resume: bool) -> Result<(Keeper, Vec<R>), String> {
        let told = |problem: &str| format!("{}: {problem}", path.display());
        let system = |error: io::Error| format!("{}: {error}", path.display());
        let claim = Claim::of_file(path).map_err(system)?;
        let mut file = claim.append().map_err(system)?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(system)?;
        if !bytes.is_empty() && !resume {
            return Err(told("there are records in it already; go on with them by --resume, or name another file"));
        }
        let whole = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
        let no_text = if is_utf16(&bytes) { "expected UTF-8, found UTF-16" } else { "it is no text" };
        let text =
            std::str::from_utf8(&bytes[..whole]).map_err(|_| told(&format!("{no_text}; it is left as it is")))?;
        let mut records = Vec::new();
        let text = text.trim_start_matches('\u{FEFF}');
        for (line, number) in text.lines().zip(1..).filter(|(line, _)| !line.trim().is_empty()) {
            let record = serde_json::from_str(line);
            records.push(record.map_err(|error| told(&format!("line {number}: no record: {error}")))?);
        }
        if whole == 0 && bytes.first().is_some_and(|byte| *byte != b'{') {
            return Err(told("it has no records; it is left as it is"));
        }
        file.cut(whole as u64).map_err(system)?;
        Ok((Keeper { file, _claim: claim }, records))
    }

    /// Appends a record in one write.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(crate) fn add(&mut self, record: &impl Serialize) -> io::Result<()> {
        self.file.write_all(line(record)?.as_bytes())
    }
}

/// The content of a file of records.
#[derive(Debug, Default)]
pub(crate) struct Replayed {
    pub(crate) good: Vec<Record>,
    /// Errors with their line numbers.
    pub(crate) wrong: Vec<String>,
}

/// Checks every record of a file's text.
pub(crate) fn replay(text: &str) -> Replayed {
    let mut referee: Option<(String, Referee)> = None;
    let mut replayed = Replayed::default();
    for (line, number) in text.lines().zip(1..).filter(|(line, _)| !line.trim().is_empty()) {
        let mut check = || -> Result<Record, String> {
            let record: Record = serde_json::from_str(line).map_err(|error| format!("no record: {error}"))?;
            if referee.as_ref().is_none_or(|(game, _)| *game != record.game) {
                let fresh = Referee::new(&record.game).map_err(|problem| problem.text)?;
                referee = Some((record.game.clone(), fresh));
            }
            if let Some((_, referee)) = &mut referee {
                record.check(referee)?;
            }
            Ok(record)
        };
        match check() {
            Ok(record) => replayed.good.push(record),
            Err(problem) => replayed.wrong.push(format!("line {number}: {problem}")),
        }
    }
    replayed
}

#[cfg(test)]
mod tests {
    use super::*;

    fn won(moves: &[&str]) -> Record {
        let who = |name: &str| Who {
            name: name.into(),
            command: vec!["x \"y\"".into()],
            dialect: "ugi".into(),
            limits: None,
        };
        Record {
            game: "tictactoe".into(),
            round: 3,
            seed: Some(u64::MAX),
            limits: "depth 1".into(),
            p1: who("é\n"),
            p2: who("b"),
            board: None,
            opening: 1,
            moves: moves.iter().map(|&mv| mv.to_owned()).collect(),
            thoughts: vec![Thought { ms: 3.25, score: Some("mate 1".into()), ..Thought::default() }],
            result: GameResult::P1Win,
            reason: Reason::Rules,
            by: None,
            answer: None,
            detail: "a \\ \u{1} b".into(),
        }
    }

    const GAME: [&str; 5] = ["a1", "b1", "a2", "b2", "a3"];

    #[test]
    fn a_record_reads_back_and_is_one_line() {
        let record = won(&GAME);
        let line = line(&record).unwrap();
        assert_eq!(line.matches('\n').count(), 1);
        assert_eq!(serde_json::from_str::<Record>(&line).unwrap(), record);
        assert!(line.contains("\"result\":\"p1win\",\"reason\":\"rules\",\"by\":null"), "{line}");
        let replayed = replay(&format!("{line}\n{line}"));
        assert_eq!((replayed.good.len(), replayed.wrong), (2, vec![]));
    }

    #[test]
    fn every_reason_has_one_word() {
        for reason in [Reason::Rules, Reason::NoMove, Reason::Unfinished, Reason::Hang, Reason::Garbage] {
            assert_eq!(serde_json::to_string(&reason).unwrap(), format!("\"{}\"", reason.word()));
        }
    }

    #[test]
    fn a_record_that_is_not_true_is_found_out() {
        let check = |record: &Record| record.check(&mut Referee::new("tictactoe").unwrap());
        let told = |record: Record| check(&record).unwrap_err();
        assert!(told(won(&GAME[..4])).contains("the game goes on"));
        assert!(told(won(&["a1", "a1"])).starts_with("move 2, 'a1': not legal"));
        assert!(told(won(&["a1", "b1", "a2", "b2", "a3", "b3"])).contains("over before it, p1win"));
        assert!(told(Record { result: GameResult::Draw, ..won(&GAME) }).contains("ends with p1win"));
        assert!(told(Record { reason: Reason::Unfinished, ..won(&GAME) }).contains("by rules, not"));
        assert!(told(Record { board: Some("3/3 x".into()), ..won(&[]) }).starts_with("board: "));

        let fault = |answer: &str| Record {
            reason: Reason::Illegal,
            by: Some(Player::P2),
            answer: Some(answer.into()),
            ..won(&["a1"])
        };
        assert_eq!(check(&fault("a1")), Ok(()));
        assert!(told(fault("b2")).contains("is legal or missing"));
        assert!(told(Record { by: Some(Player::P1), ..fault("a1") }).contains("lost by the player"));
        assert!(told(Record { by: None, reason: Reason::Crash, ..fault("a1") }).contains("lost by the player"));
        assert_eq!(replay("nonsense").wrong.len(), 1);
    }
}
