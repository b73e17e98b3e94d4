//! A game as the board keeps it: where it began, what was played, where one looks, who plays. Plain data.
//!
//! It knows no rules. Boards, legal moves and results are what the engine said of them.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::engine::Score;
use crate::words::{Board, GameName, MoveText, Refusal};

/// Levels of the engine: 20 is its full strength.
pub(crate) const FULL_STRENGTH: u8 = 20;

/// Pictures of so many positions are kept: a page shows up to three moves one by one.
const PICTURES: usize = 4;

/// Who plays a side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase", deny_unknown_fields)]
pub(crate) enum Player {
    Human,
    Engine { level: u8 },
}

/// How it is played; the page may change all of it at any time.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Settings {
    /// The first player and the second.
    pub(crate) players: [Player; 2],
    /// Milliseconds that the engine has for a move.
    pub(crate) movetime: u32,
    /// Milliseconds between the moves of two engines.
    pub(crate) pace: u32,
    /// Whether the engine thinks about the position shown whenever it has nothing to play.
    pub(crate) analysis: bool,
}

impl Settings {
    /// # Errors
    /// When a number is out of its range.
    pub(crate) fn check(&self) -> Result<(), Refusal> {
        let level = |player: &Player| matches!(player, Player::Engine { level } if *level > FULL_STRENGTH);
        if self.players.iter().any(level) {
            return Err(Refusal::new("bad_settings", "level: expected 0 to 20"));
        }
        if !(20..=60_000).contains(&self.movetime) {
            return Err(Refusal::new("bad_settings", "movetime: expected 20 to 60000"));
        }
        if self.pace > 10_000 {
            return Err(Refusal::new("bad_settings", "pace: expected 0 to 10000"));
        }
        Ok(())
    }
}

/// A position of the game, as the engine described it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Spot {
    pub(crate) board: String,
    pub(crate) first_to_move: bool,
    /// Nothing while the game goes on.
    pub(crate) result: Option<String>,
    pub(crate) score: Option<Score>,
}

/// The game.
#[derive(Debug, Clone)]
pub(crate) struct Record {
    pub(crate) game: GameName,
    /// Nothing: the start position.
    pub(crate) start: Option<Board>,
    pub(crate) moves: Vec<MoveText>,
    /// One more than moves, once the engine has described them.
    pub(crate) spots: Vec<Spot>,
    /// Which of the positions is on the board.
    pub(crate) at: usize,
    /// What can be played there.
    pub(crate) legal: Vec<String>,
    /// The positions up to that one as they are shown, by their places: as the engine pictured them, nothing else.
    pub(crate) pictures: BTreeMap<usize, Value>,
}

impl Record {
    pub(crate) fn new(game: GameName, start: Option<Board>) -> Record {
        Record {
            game,
            start,
            moves: Vec::new(),
            spots: Vec::new(),
            at: 0,
            legal: Vec::new(),
            pictures: BTreeMap::new(),
        }
    }

    /// The line that tells the engine the position on the board.
    pub(crate) fn position(&self) -> String {
        let mut line = match &self.start {
            Some(board) => format!("position fen {board}"),
            None => "position startpos".to_owned(),
        };
        let mut played = self.moves.iter().take(self.at).peekable();
        if played.peek().is_some() {
            line.push_str(" moves");
        }
        played.for_each(|played| {
            line.push(' ');
            line.push_str(played.as_str());
        });
        line
    }

    /// The legal move that is meant: capitals are the engine's business.
    pub(crate) fn legal_move(&self, wanted: &MoveText) -> Option<MoveText> {
        let mut same = self.legal.iter().filter(|legal| legal.eq_ignore_ascii_case(wanted.as_str()));
        let found = same.next().filter(|_| same.next().is_none())?;
        MoveText::new(found).ok()
    }

    /// Plays a move on the board; what had been played from here is forgotten.
    pub(crate) fn push(&mut self, played: MoveText) {
        self.moves.truncate(self.at);
        self.spots.truncate(self.at + 1);
        self.moves.push(played);
        self.at += 1;
        self.legal.clear();
    }

    /// Keeps the picture of the position on the board, if the engine has one, and those of the positions just before it.
    pub(crate) fn show(&mut self, picture: Option<Value>) {
        self.pictures.retain(|&place, _| (place..place + PICTURES).contains(&self.at) && place != self.at);
        self.pictures.extend(picture.map(|picture| (self.at, picture)));
    }

    /// The positions that lead to another one, of which the page can show that it is come to.
    pub(crate) fn way_to(&self, at: usize) -> std::ops::RangeInclusive<usize> {
        let is_near = (self.at + 1..self.at + PICTURES).contains(&at);
        if is_near { self.at + 1..=at } else { at..=at }
    }

    pub(crate) fn here(&self) -> Option<&Spot> {
        self.spots.get(self.at)
    }

    pub(crate) fn is_over(&self) -> bool {
        self.here().is_none_or(|spot| spot.result.is_some())
    }

    /// The side to move in the position on the board: 0 or 1.
    pub(crate) fn turn(&self) -> usize {
        usize::from(!self.here().is_some_and(|spot| spot.first_to_move))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn played(moves: &str) -> Record {
        let mut record = Record::new(GameName::new("awale").unwrap(), None);
        moves.split_whitespace().for_each(|text| record.push(MoveText::new(text).unwrap()));
        record
    }

    #[test]
    fn what_is_played_after_taking_back_replaces_what_was() {
        let mut record = played("A b C");
        assert_eq!(record.position(), "position startpos moves A b C");
        record.at = 1;
        assert_eq!(record.position(), "position startpos moves A");
        record.push(MoveText::new("f").unwrap());
        assert_eq!((record.position().as_str(), record.at), ("position startpos moves A f", 2));
        record.at = 0;
        assert_eq!(record.position(), "position startpos");
    }

    #[test]
    fn pictures_are_kept_of_the_positions_just_before() {
        let mut record = played("");
        for at in 0..7 {
            record.at = at;
            record.show(Some(at.into()));
        }
        assert_eq!(record.pictures.keys().copied().collect::<Vec<_>>(), [3, 4, 5, 6]);
        record.at = 5;
        record.show(Some("again".into()));
        assert_eq!((record.pictures.len(), &record.pictures[&5]), (3, &Value::from("again")));
        record.show(None);
        assert!(!record.pictures.contains_key(&5));
        assert_eq!(
            [record.way_to(6), record.way_to(8), record.way_to(9), record.way_to(2)],
            [6..=6, 6..=8, 9..=9, 2..=2]
        );
    }

    #[test]
    fn a_move_is_one_of_the_engines_own() {
        let mut record = played("");
        record.legal = ["A", "B", "b1"].map(str::to_owned).to_vec();
        let meant = |text: &str| record.legal_move(&MoveText::new(text).unwrap()).map(|found| found.to_string());
        assert_eq!((meant("a"), meant("B1"), meant("c")), (Some("A".into()), Some("b1".into()), None));
    }

    #[test]
    fn settings_have_ranges() {
        let good = Settings { players: [Player::Human; 2], movetime: 1000, pace: 500, analysis: false };
        assert!(good.check().is_ok());
        assert!(Settings { movetime: 0, ..good.clone() }.check().is_err());
        assert!(Settings { pace: 99_999, ..good.clone() }.check().is_err());
        assert!(Settings { players: [Player::Engine { level: 21 }, Player::Human], ..good }.check().is_err());
    }
}
