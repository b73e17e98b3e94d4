//! GGF, the game format of Othello: `(;GM[Othello]…BO[8 … *]B[F5//1.2]W[PA];)` to a game in griot's own notation.
//!
//! Layer 4. Pure. Properties about neither position nor time are skipped. The times of moves are taken from the clocks, and
//! increments added. A player whose time is used up gets the grace period, once.
//! CITE: M. Buro, I. Durdanovic, "The Generic Game Format", as C. Welty's NBoard reads and writes it.

use std::time::Duration;

use nom::Err;

use super::parse::{Parsed, Wrong, is_blank, text_at};
use crate::message::{ClockTime, GameRecord, Player, Text};

const GAME: &str = "a game in GGF, as in (;GM[Othello]BO[8 … *]B[F5];)";
const BOARD: &str = "a board of 8 rows of *, O and -, and who is to move";
const MOVE: &str = "a move, as in F5 or PA";
const TIME: &str = "a time, as in 5:00 or 5:00/0:10/2:00";
const OTHELLO: &str = "Othello";

/// The default grace period.
const GRACE: f64 = 120.0;
/// The longest clock, decades.
const LONGEST: f64 = 1e9;

/// An initial clock, in seconds.
#[derive(Debug, Clone, Copy)]
struct Clock {
    left: f64,
    increment: f64,
    grace: f64,
}

/// Reads a game. `line` is the whole line that contains `input`.
pub(super) fn game<'a>(line: &'a str, input: &'a str) -> Parsed<'a, GameRecord> {
    let wrong = |at: &'a str, expected| Err::Failure(Wrong { at, expected });
    let mut rest = input.strip_prefix("(;").ok_or_else(|| wrong(input, GAME))?;
    let mut record = GameRecord::default();
    let mut clocks = [None; 2];
    loop {
        rest = rest.trim_start_matches(is_blank);
        if rest.starts_with(';') {
            break;
        }
        let (name, after) = rest.split_once('[').ok_or_else(|| wrong(rest, GAME))?;
        let (value, after) = after.split_once(']').ok_or_else(|| wrong(after, GAME))?;
        match name.trim_matches(is_blank) {
            "GM" if !value.trim_matches(is_blank).eq_ignore_ascii_case(OTHELLO) => return Err(wrong(value, OTHELLO)),
            "TI" => clocks = [Some(clock(value).ok_or_else(|| wrong(value, TIME))?); 2],
            "TB" => clocks[0] = Some(clock(value).ok_or_else(|| wrong(value, TIME))?),
            "TW" => clocks[1] = Some(clock(value).ok_or_else(|| wrong(value, TIME))?),
            "BO" => {
                let board = board(value).ok_or_else(|| wrong(value, BOARD))?;
                record.board = Some(Text { text: board, ..text_at(line, value) });
            }
            colour @ ("B" | "W") => {
                let player = if colour == "B" { Player::First } else { Player::Second };
                let (mv, time) = item(line, value).ok_or_else(|| wrong(value, MOVE))?;
                record.moves.push((player, mv, time));
            }
            _ => {}
        }
        rest = after;
    }
    for player in [Player::First, Player::Second] {
        let own = record.moves.iter().filter(|(mover, ..)| *mover == player);
        let left = clocks[player.index()].map(|clock| own.fold(clock, |clock, (.., time)| clock.after(*time)));
        record.clocks[player.index()] = left.map(Clock::time);
    }
    Ok(("", record))
}

impl Clock {
    fn after(mut self, time: Duration) -> Clock {
        self.left -= time.as_secs_f64();
        if self.left < 0.0 {
            self.left = (self.left + self.grace).max(0.0);
            self.grace = 0.0;
        }
        self.left += self.increment;
        self
    }

    fn time(self) -> ClockTime {
        ClockTime { remaining: Some(seconds(self.left)), increment: seconds(self.increment) }
    }
}

fn seconds(seconds: f64) -> Duration {
    Duration::from_secs_f64(seconds.clamp(0.0, LONGEST))
}

/// `5:00/0:10/2:00`: time for all moves, increment, grace period. Missing parts have GGF's defaults.
fn clock(text: &str) -> Option<Clock> {
    let mut parts = text.trim_matches(is_blank).split('/');
    let mut next = |default| match parts.next() {
        None | Some("") => Some(default),
        Some(part) => time(part),
    };
    Some(Clock { left: next(0.0)?, increment: next(0.0)?, grace: next(GRACE)? })
}

/// `days.hours:minutes:seconds` in seconds; leading parts may be missing.
fn time(text: &str) -> Option<f64> {
    // Limits on the number of moves follow a comma; NBoard does not write them.
    let text = text.split(',').next()?;
    let parts: Vec<&str> = text.split(':').collect();
    let (&last, others) = parts.split_last()?;
    let mut time = 0.0;
    for part in others {
        let (days, part) =
            part.split_once('.').map_or((0.0, *part), |(days, hours)| (number(days).unwrap_or(f64::NAN), hours));
        time = 60.0 * (time + 24.0 * days + number(part)?);
    }
    Some(time + number(last)?).filter(|time| time.is_finite() && parts.len() <= 3)
}

/// A decimal number without sign or exponent; nothing is 0.
fn number(text: &str) -> Option<f64> {
    let is_decimal = text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    if text.is_empty() { Some(0.0) } else { text.parse().ok().filter(|_| is_decimal) }
}

/// `F5/1.25/3.4`: a move and its time. The evaluation is skipped.
pub(super) fn item(line: &str, text: &str) -> Option<(Text, Duration)> {
    let mut fields = text.split('/');
    let mv = fields.next()?.trim_matches(is_blank);
    let time = fields.nth(1).map_or("", |time| time.trim_matches(is_blank));
    let is_move = mv.bytes().all(|byte| byte.is_ascii_alphanumeric()) && mv.len() >= 2;
    let time = number(time)?;
    is_move.then(|| (text_at(line, mv), seconds(time)))
}

/// A board of `BO[…]` as a board text.
fn board(text: &str) -> Option<String> {
    const SIDE: usize = 8;
    let mut words = text.split(is_blank).filter(|word| !word.is_empty());
    if words.next() != Some("8") {
        return None;
    }
    let cells: Vec<char> = words.flat_map(str::chars).collect();
    if cells.len() != SIDE * SIDE + 1 {
        return None;
    }
    let mark = |cell: &char| match cell {
        '*' => Some('x'),
        'O' | 'o' => Some('o'),
        '-' => Some('-'),
        _ => None,
    };
    let rows = cells.chunks_exact(SIDE).map(|row| {
        let mut text = String::new();
        for run in row.chunk_by(|a, b| *a == '-' && *b == '-') {
            match mark(&run[0])? {
                '-' => text += &run.len().to_string(),
                disc => text.push(disc),
            }
        }
        Some(text)
    });
    let rows: Option<Vec<String>> = rows.collect();
    let mover = mark(cells.last()?).filter(|mark| *mark != '-')?;
    Some(format!("{} {mover}", rows?.join("/")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> GameRecord {
        game(text, text).unwrap().1
    }

    #[test]
    fn a_game_has_its_board_its_moves_and_what_is_left_of_its_clocks() {
        let record = read(
            "(;GM[Othello]PC[NBoard]DT[2014-02-21 20:52:27 GMT]PB[./mEdax]PW[a b]RE[?]TI[1:30/0:10]TY[8]\
             BO[8 ---------------------------O*------*O--------------------------- *]B[F5//4.5]W[pa/-3.2/100]B[D3/1];)",
        );
        assert_eq!(record.board.map(|board| board.text).as_deref(), Some("8/8/8/3ox3/3xo3/8/8/8 x"));
        let moves: Vec<(Player, &str)> =
            record.moves.iter().map(|(player, mv, _)| (*player, mv.text.as_str())).collect();
        assert_eq!(moves, [(Player::First, "F5"), (Player::Second, "pa"), (Player::First, "D3")]);
        let left = record.clocks.map(|clock| clock.and_then(|clock| clock.remaining));
        // White has begun its grace period of two minutes.
        assert_eq!(left, [Some(Duration::from_secs_f64(105.5)), Some(Duration::from_secs(120))]);
        assert_eq!(record.clocks[0].map(|clock| clock.increment), Some(Duration::from_secs(10)));
    }

    #[test]
    fn times_are_read_as_they_are_written() {
        for (text, seconds) in [
            ("5:00", 300.0),
            ("15", 15.0),
            ("1:02:03.5", 3723.5),
            ("1.01:00:00", 90_000.0),
            ("5:00,N:0", 300.0),
            (":30", 30.0),
        ] {
            assert_eq!(time(text), Some(seconds), "{text}");
        }
        for text in ["five", "-1", "1e9", "1:2:3:4", "0x1"] {
            assert_eq!(time(text), None, "{text}");
        }
    }

    #[test]
    fn what_is_no_game_is_refused_where_it_goes_wrong() {
        for (text, at, expected) in [
            ("", "", GAME),
            ("(;GM[Othello]", "", GAME),
            ("(;GM[Go];)", "Go];)", OTHELLO),
            ("(;BO[10 -- *];)", "10 -- *];)", BOARD),
            ("(;B[?];)", "?];)", MOVE),
            ("(;B[F5//soon];)", "F5//soon];)", MOVE),
            ("(;TI[soon];)", "soon];)", TIME),
        ] {
            let Err(Err::Failure(wrong)) = game(text, text) else { panic!("{text}") };
            assert!(at.starts_with(wrong.at), "{text}: {}", wrong.at);
            assert_eq!(wrong.expected, expected, "{text}");
        }
    }
}
