//! Thor's database of Othello games, `.wtb`, with the names of players and tournaments from the files beside it.
//!
//! ```text
//! header  16 bytes: century, year, month, day, games (u32), names (u16), year of the games (u16), size of the board (0 and 8 mean 8),
//!         kind of the file, depth of the theoretical score, reserved
//! game    68 bytes: tournament (u16), black (u16), white (u16), discs of black, theoretical score, 60 moves as 10 · row + column
//! .JOU    header, then 20 bytes a player      .TRN    header, then 26 bytes a tournament
//! ```
//!
//! Numbers are little-endian. Passes are left out. CITE: S. Quin, "Format de la base Thor (WTHOR)", Fédération Française d'Othello.

use crate::decode::windows_1252;
use crate::fault::{Fault, Piece};
use crate::model::{Format, Outcome, Record, Side};
use crate::raw::Raw;

const HEADER: usize = 16;
const GAME: usize = 68;
const PLAYER: usize = 20;
const TOURNAMENT: usize = 26;

fn number(bytes: &[u8], at: usize, length: usize) -> usize {
    bytes[at..at + length].iter().rev().fold(0, |sum, &byte| sum << 8 | usize::from(byte))
}

/// Whether these bytes are such a database.
pub(crate) fn looks_right(bytes: &[u8]) -> bool {
    bytes.len() >= HEADER
        && (bytes.len() - HEADER).is_multiple_of(GAME)
        && matches!(bytes[0], 18..=21)
        && bytes[1] < 100
        && (1..=12).contains(&bytes[2])
        && (1..=31).contains(&bytes[3])
        && number(bytes, 4, 4) == (bytes.len() - HEADER) / GAME
}

/// Reads the games.
pub(crate) fn read(
    bytes: &[u8],
    beside: &dyn Fn(&str) -> Option<Vec<u8>>,
    each: &mut dyn FnMut(Result<Raw, Fault>) -> bool,
) {
    let piece = Piece { text: "", line: 1 };
    if !matches!(bytes[12], 0 | 8) {
        let size = bytes[12];
        each(Err(piece.fault(0, None, format!("a board of {size}×{size}: griot plays Othello on 8×8 only"))));
        return;
    }
    let (players, tournaments) = (beside("jou"), beside("trn"));
    let name = |file: &Option<Vec<u8>>, length: usize, place: usize| {
        let file = file.as_deref()?;
        let begin = HEADER + place * length;
        let bytes = file.get(begin..begin + length)?;
        let end = bytes.iter().position(|&byte| byte == 0).unwrap_or(length);
        Some(windows_1252(&bytes[..end]).trim().to_owned()).filter(|name| !name.is_empty())
    };
    let year = number(bytes, 10, 2);
    for game in bytes[HEADER..].chunks_exact(GAME) {
        let mut record = Record::new("othello", Format::Thor);
        record.players = [name(&players, PLAYER, number(game, 2, 2)), name(&players, PLAYER, number(game, 4, 2))];
        if let Some(event) = name(&tournaments, TOURNAMENT, number(game, 0, 2)) {
            record.push_tag("Event", event);
        }
        record.push_tag("Date", format!("{year:04}.??.??"));
        record.push_tag("Discs", game[6].to_string());
        record.push_tag("Theoretical", game[7].to_string());
        // Empty cells belong to the winner, so that both scores make 64.
        record.result = Some(match game[6].cmp(&32) {
            std::cmp::Ordering::Greater => Outcome::Win(Side::First),
            std::cmp::Ordering::Less => Outcome::Win(Side::Second),
            std::cmp::Ordering::Equal => Outcome::Draw,
        });
        let mut raw = Raw::new(record);
        raw.games = vec!["othello".into()];
        raw.is_certain = true;
        let mut current = 0;
        for &mv in game[8..].iter().take_while(|&&mv| mv != 0) {
            let (row, col) = (mv / 10, mv % 10);
            let word = match (col, row) {
                (1..=8, 1..=8) => format!("{}{row}", char::from(b'a' + col - 1)),
                _ => format!("byte {mv}"),
            };
            current = raw.add(current, &word, 0, None);
        }
        if !each(Ok(raw)) {
            return;
        }
    }
}
