//! The referee: griot's own rules over one game, asked through a session as any client would ask.
//!
//! Knows legality, the end by the rules and by repetition, and the texts of both styles of m,n,k games. Moves are kept in
//! griot's own style; the other style is a second session that is led through the same moves, whose legal moves come in the
//! same order.

use griot::game::Side;
use griot::message::{self, Player, Problem, Setup, Text};
use griot::registry::Registry;
use griot::session::{Catalogue, Resources, Session, Settings};
use serde::{Deserialize, Serialize};

/// How texts of positions and moves are written to an engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Style {
    /// griot's own.
    Coordinates,
    /// That of Cute Chess: `P@a1`, and a pocket in the board text.
    Drops,
}

/// The result of a game, in the words of `query result`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum GameResult {
    P1Win,
    P2Win,
    Draw,
}

impl GameResult {
    pub(crate) fn won_by(side: Side) -> GameResult {
        match side {
            Side::First => GameResult::P1Win,
            Side::Second => GameResult::P2Win,
        }
    }

    /// The points of `side` in halves.
    pub(crate) fn halves_for(self, side: Side) -> usize {
        match self {
            GameResult::Draw => 1,
            won if won == GameResult::won_by(side) => 2,
            _ => 0,
        }
    }
}

impl std::fmt::Display for GameResult {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            GameResult::P1Win => "p1win",
            GameResult::P2Win => "p2win",
            GameResult::Draw => "draw",
        })
    }
}

/// A game in one style.
struct Written {
    session: Box<dyn Session>,
    /// The board it began from, unless that was the start position.
    board: Option<String>,
    moves: Vec<String>,
    legal: Vec<String>,
}

impl Written {
    fn new(session: Box<dyn Session>) -> Written {
        Written { session, board: None, moves: Vec::new(), legal: Vec::new() }
    }

    /// The board text; none after one that was refused.
    fn text(&self) -> String {
        self.session.state().map(|state| state.board).unwrap_or_default()
    }

    fn begin(&mut self, board: Option<&str>) -> Result<(), Problem> {
        self.board = board.map(str::to_owned);
        self.moves.clear();
        self.set()
    }

    fn play(&mut self, mv: String) -> Result<(), Problem> {
        self.moves.push(mv);
        self.set()
    }

    fn set(&mut self) -> Result<(), Problem> {
        let text = |text: &str| Text { column: 1, text: text.to_owned() };
        let board = self.board.as_deref().map(text);
        self.session.set_position(&Setup { board, moves: text(&self.moves.join(" ")) })?;
        self.legal = self.session.legal_moves();
        Ok(())
    }

    fn command(&self) -> String {
        let mut line = match &self.board {
            None => "position startpos".to_owned(),
            Some(board) => format!("position fen {board}"),
        };
        if !self.moves.is_empty() {
            line = format!("{line} moves {}", self.moves.join(" "));
        }
        line
    }
}

/// One game under its rules.
pub(crate) struct Referee {
    own: Written,
    drops: Option<Written>,
    /// A second game of the same kind, to look at positions without their history.
    aside: Box<dyn Session>,
}

impl Referee {
    /// A referee of the game `name`, at its start position.
    ///
    /// # Errors
    /// When there is no such game, or no memory for it.
    pub(crate) fn new(name: &str) -> Result<Referee, Problem> {
        let resources = Resources::new(Settings { hash_mib: 1, ..Settings::default() })?;
        let open = || Registry.open(name, resources.clone());
        let mut own = Written::new(open()?);
        let mut drops = Written::new(Registry.open_variant(name, resources.clone())?);
        own.begin(None)?;
        drops.begin(None)?;
        let differ = own.text() != drops.text();
        Ok(Referee { own, drops: differ.then_some(drops), aside: open()? })
    }

    /// The name of the game.
    pub(crate) fn game(&self) -> &str {
        self.own.session.game()
    }

    /// Whether the game can be written in [`Style::Drops`] too.
    pub(crate) fn has_drops(&self) -> bool {
        self.drops.is_some()
    }

    /// Begins a game from a board text, in either style, or from the start position.
    ///
    /// # Errors
    /// What is wrong with the board text.
    pub(crate) fn begin(&mut self, board: Option<&str>) -> Result<(), Problem> {
        self.own.begin(board)?;
        if board.is_some() {
            self.own.board = Some(self.own.text());
        }
        if let Some(drops) = &mut self.drops {
            drops.begin(board)?;
            if board.is_some() {
                drops.board = Some(drops.text());
            }
        }
        Ok(())
    }

    /// Plays a move given in any style, and answers it in griot's own; nothing when it is not legal.
    pub(crate) fn play(&mut self, text: &str) -> Option<String> {
        let index = self.legal_index(text)?;
        let mv = self.own.legal[index].clone();
        self.own.play(mv.clone()).ok()?;
        if let Some(drops) = &mut self.drops {
            let mv = drops.legal.get(index)?.clone();
            drops.play(mv).ok()?;
        }
        Some(mv)
    }

    /// Which of the legal moves `text` is: letter by letter, or, if that is one move only, in any case.
    fn legal_index(&self, text: &str) -> Option<usize> {
        let styles = || std::iter::once(&self.own).chain(&self.drops);
        if let Some(index) = styles().find_map(|style| style.legal.iter().position(|mv| mv == text)) {
            return Some(index);
        }
        styles().find_map(|style| {
            let mut alike = style.legal.iter().enumerate().filter(|(_, mv)| mv.eq_ignore_ascii_case(text));
            alike.next().filter(|_| alike.next().is_none()).map(|(index, _)| index)
        })
    }

    /// Whether `text` is a legal move.
    pub(crate) fn is_legal(&self, text: &str) -> bool {
        self.legal_index(text).is_some()
    }

    /// The legal moves; none when the game is over.
    pub(crate) fn legal_moves(&self) -> &[String] {
        &self.own.legal
    }

    /// The moves since the game began.
    pub(crate) fn moves(&self) -> &[String] {
        &self.own.moves
    }

    /// Whose turn it is.
    pub(crate) fn turn(&self) -> Side {
        match self.own.session.state().map(|state| state.turn) {
            Some(Player::First) => Side::First,
            _ => Side::Second,
        }
    }

    /// The board text of the present position.
    pub(crate) fn board(&self) -> String {
        self.own.text()
    }

    /// The result, when the game is over.
    pub(crate) fn result(&self) -> Option<GameResult> {
        self.own.session.state()?.result.map(|result| match result {
            message::GameResult::Win(Player::First) => GameResult::P1Win,
            message::GameResult::Win(Player::Second) => GameResult::P2Win,
            message::GameResult::Draw => GameResult::Draw,
        })
    }

    /// Whether the game is over only because a position came back.
    pub(crate) fn is_repetition(&mut self) -> bool {
        let board = Some(Text { column: 1, text: self.board() });
        let goes_on = self.aside.set_position(&Setup { board, ..Setup::default() }).is_ok()
            && self.aside.state().is_some_and(|state| state.result.is_none());
        goes_on && self.result().is_some()
    }

    /// The `position` command for the present position, with all the moves to it.
    pub(crate) fn position_command(&self, style: Style) -> String {
        match (style, &self.drops) {
            (Style::Drops, Some(drops)) => drops.command(),
            _ => self.own.command(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_styles_follow_one_game() {
        let mut referee = Referee::new("tictactoe").unwrap();
        referee.begin(None).unwrap();
        assert_eq!(referee.play("P@b2").as_deref(), Some("b2"));
        assert_eq!(referee.play("B2"), None);
        assert_eq!(referee.play("A1").as_deref(), Some("a1"));
        assert_eq!(referee.position_command(Style::Coordinates), "position startpos moves b2 a1");
        assert_eq!(referee.position_command(Style::Drops), "position startpos moves P@b2 P@a1");
        referee.begin(Some("3/1x1/3 o")).unwrap();
        assert_eq!(referee.position_command(Style::Drops), "position fen 3/1P1/3[PPPPpppp] b - - 0 1");
        assert_eq!(referee.turn(), Side::Second);
    }

    #[test]
    fn results_and_repetitions_are_told_apart() {
        let mut referee = Referee::new("tictactoe").unwrap();
        referee.begin(None).unwrap();
        for mv in ["a1", "b1", "a2", "b2", "a3"] {
            assert_eq!(referee.result(), None);
            referee.play(mv).unwrap();
        }
        assert_eq!((referee.result(), referee.is_repetition()), (Some(GameResult::P1Win), false));
        assert!(referee.legal_moves().is_empty());

        let mut referee = Referee::new("awale").unwrap();
        referee.begin(Some("0-0-0-0-0-1-0-0-0-0-0-1-23-23-S")).unwrap();
        for _ in 0..200 {
            let Some(mv) = referee.legal_moves().first().cloned() else { break };
            referee.play(&mv).unwrap();
        }
        assert!(referee.result().is_some());
        assert!(!referee.has_drops() && !referee.is_legal("Bb"));
    }
}
