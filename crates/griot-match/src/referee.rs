//! The referee: griot's own rules over one game, through a session as any client uses it.
//!
//! Knows legality, the end by the rules and by repetition, and how each dialect writes moves. Moves are kept in griot's own
//! style. Drops come from a second session at the same position, whose legal moves are in the same order; points from the
//! picture of the position.

use griot::game::Side;
use griot::message::{self, FiveRule, Picture, Player, Point, Problem, Setup, Shape, Text};
use griot::protocol::{NextPoint, Points, View};
use griot::registry::Registry;
use griot::session::{Catalogue, Resources, Session, Settings};
use serde::{Deserialize, Serialize};

/// The notation of positions and moves for an engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Style {
    /// griot's own.
    Coordinates,
    /// That of Cute Chess: `P@a1`, and a pocket in the board text.
    Drops,
    /// That of GTP: `D3`, without the letter I, and `pass`.
    Letters,
    /// That of Gomocup: `3,2`, from 0.
    Numbers,
}

/// What points of GTP name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Named {
    /// The beginning of a legal move.
    Part,
    /// This legal move, in griot's own style.
    Move(String),
    /// No legal move.
    Nothing,
}

/// How griot writes a pass.
pub(crate) const PASS: &str = "0000";

/// A board of five in a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct FiveInARow {
    pub(crate) cols: usize,
    pub(crate) rows: usize,
    /// Its rule.
    pub(crate) rule: FiveRule,
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
    /// Its initial board, unless it is the start position.
    board: Option<String>,
    moves: Vec<String>,
    legal: Vec<String>,
}

impl Written {
    fn new(session: Box<dyn Session>) -> Written {
        Written { session, board: None, moves: Vec::new(), legal: Vec::new() }
    }

    /// The board text; `None` after a refused one.
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
        self.session.set_position(&Setup { board, moves: text(&self.moves.join(" ")), ..Setup::default() })?;
        self.legal = self.session.legal_moves();
        Ok(())
    }

    /// The `position` command, with `between` between moves, and passes as the engine writes them.
    fn command(&self, between: &str, pass: &str) -> String {
        let mut line = match &self.board {
            None => "position startpos".to_owned(),
            Some(board) => format!("position fen {board}"),
        };
        if !self.moves.is_empty() {
            let moves = self.moves.iter().map(|mv| if mv == PASS { pass } else { mv });
            line = format!("{line} moves {}", moves.collect::<Vec<&str>>().join(between));
        }
        line
    }
}

/// A played move, as other dialects write it.
#[derive(Debug, Clone, Default)]
struct Played {
    side: Option<Side>,
    letters: String,
    numbers: String,
}

/// One game under its rules.
pub(crate) struct Referee {
    own: Written,
    drops: Option<Written>,
    /// The boards since the game began, in the style of `drops`.
    boards: Vec<String>,
    /// The moves since the game began, one by one.
    played: Vec<Played>,
    /// The initial position.
    beginning: Picture,
    view: View,
    /// A second game of the same kind, for positions without history and for lines of play.
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
        let drops = differ.then_some(drops);
        let view = View::new(own.session.game(), Picture::default());
        let mut referee = Referee {
            own,
            drops,
            boards: Vec::new(),
            played: Vec::new(),
            beginning: Picture::default(),
            view,
            aside: open()?,
        };
        referee.begin(None)?;
        Ok(referee)
    }

    /// The name of the game.
    pub(crate) fn game(&self) -> &str {
        self.own.session.game()
    }

    /// Whether the game has [`Style::Drops`].
    pub(crate) fn has_drops(&self) -> bool {
        self.drops.is_some()
    }

    /// Starts a game from a board text in either style, or from the start position.
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
        self.boards = self.drops.iter().map(Written::text).collect();
        self.played.clear();
        self.look();
        self.beginning = self.picture();
        Ok(())
    }

    /// The state of the present position.
    fn look(&mut self) {
        self.view = View::new(self.own.session.game(), self.picture());
    }

    /// The picture of the present position.
    pub(crate) fn picture(&self) -> Picture {
        self.own.session.picture().unwrap_or_default()
    }

    /// Plays a move in griot's own style or as a drop, and returns it in griot's own; `None` if it is illegal.
    pub(crate) fn play(&mut self, text: &str) -> Option<String> {
        self.play_in(Style::Coordinates, text)
    }

    /// Plays a move in that style, and returns it in griot's own; `None` if it is illegal.
    pub(crate) fn play_in(&mut self, style: Style, text: &str) -> Option<String> {
        let index = self.index_in(style, text)?;
        let mv = self.own.legal[index].clone();
        let name = |points| self.view.name(points, Some(&mv)).unwrap_or_default();
        let played = Played { side: Some(self.turn()), letters: name(Points::Letters), numbers: name(Points::Numbers) };
        self.own.play(mv.clone()).ok()?;
        self.played.push(played);
        if let Some(drops) = &mut self.drops {
            let mv = drops.legal.get(index)?.clone();
            drops.play(mv).ok()?;
            self.boards.push(drops.text());
        }
        self.look();
        Some(mv)
    }

    /// The index of the legal move `text` in that style.
    fn index_in(&self, style: Style, text: &str) -> Option<usize> {
        let points = match style {
            Style::Coordinates | Style::Drops => return self.legal_index(text),
            Style::Letters => Points::Letters,
            Style::Numbers => Points::Numbers,
        };
        let own = self.view.find(points, text)?;
        self.own.legal.iter().position(|mv| mv == own)
    }

    /// What points of GTP name, one after the other: a piece that moves goes by several.
    pub(crate) fn named(&self, points: &[String]) -> Named {
        let mut chosen = Vec::new();
        for (number, text) in points.iter().enumerate() {
            match self.view.clone().choosing(&chosen).next(text) {
                Some(NextPoint::Part(point)) => chosen.push(point),
                Some(NextPoint::Move(mv)) if number + 1 == points.len() => return Named::Move(mv.to_owned()),
                _ => return Named::Nothing,
            }
        }
        Named::Part
    }

    /// A legal move in that style, as griot writes it.
    pub(crate) fn own_text(&self, style: Style, text: &str) -> Option<String> {
        self.index_in(style, text).map(|index| self.own.legal[index].clone())
    }

    /// The index of the legal move `text`: exactly, or, if only one move matches, in any case. A capture that stops on its way may
    /// name its stops, or what it takes, in any form that the game reads.
    fn legal_index(&self, text: &str) -> Option<usize> {
        let styles = || std::iter::once(&self.own).chain(&self.drops);
        if let Some(index) = styles().find_map(|style| style.legal.iter().position(|mv| mv == text)) {
            return Some(index);
        }
        let in_any_case = |style: &Written| {
            let mut alike = style.legal.iter().enumerate().filter(|(_, mv)| mv.eq_ignore_ascii_case(text));
            alike.next().filter(|_| alike.next().is_none()).map(|(index, _)| index)
        };
        let with_stops = |style: &Written| {
            let line = style.session.line(text);
            let stroke = line.first().filter(|stroke| line.len() == 1 && !stroke.way.via.is_empty())?;
            style.legal.iter().position(|mv| *mv == stroke.mv)
        };
        styles().find_map(in_any_case).or_else(|| styles().find_map(with_stops))
    }

    /// Whether `text` is a legal move in any style of UGI and UCI.
    pub(crate) fn is_legal(&self, text: &str) -> bool {
        self.legal_index(text).is_some()
    }

    /// The legal moves; empty when the game is over.
    pub(crate) fn legal_moves(&self) -> &[String] {
        &self.own.legal
    }

    /// The moves since the game began.
    pub(crate) fn moves(&self) -> &[String] {
        &self.own.moves
    }

    /// Whose turn it is.
    pub(crate) fn turn(&self) -> Side {
        self.own.session.state().map_or(Side::Second, |state| side(state.turn))
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

    /// Whether the game is over only by repetition.
    pub(crate) fn is_repetition(&mut self) -> bool {
        let board = Some(Text { column: 1, text: self.board() });
        let goes_on = self.aside.set_position(&Setup { board, ..Setup::default() }).is_ok()
            && self.aside.state().is_some_and(|state| state.result.is_none());
        goes_on && self.result().is_some()
    }

    /// The `position` command for the present position, with all moves and `between` between them.
    pub(crate) fn position_command(&self, style: Style, between: &str, pass: &str) -> String {
        match (style, &self.drops) {
            (Style::Drops, Some(drops)) => drops.command(between, pass),
            _ => self.own.command(between, pass),
        }
    }

    /// The boards since the game began, the first one included, as [`Style::Drops`] has them; empty in games without that style.
    pub(crate) fn written_boards(&self) -> &[String] {
        &self.boards
    }

    /// The initial board text; `None` for the game's start position.
    pub(crate) fn start(&self) -> Option<&str> {
        self.own.board.as_deref()
    }

    /// Whether the game began at another position than the start.
    pub(crate) fn begins_elsewhere(&self) -> bool {
        self.own.board.is_some()
    }

    /// The moves since the game began, in that style.
    pub(crate) fn moves_in(&self, style: Style) -> Vec<&str> {
        let written = |at: usize| match style {
            Style::Letters => self.played[at].letters.as_str(),
            Style::Numbers => self.played[at].numbers.as_str(),
            Style::Drops => self.drops.as_ref().unwrap_or(&self.own).moves[at].as_str(),
            Style::Coordinates => self.own.moves[at].as_str(),
        };
        (0..self.played.len()).map(written).collect()
    }

    /// The player of a move of the game, counted from 0.
    pub(crate) fn side_of(&self, at: usize) -> Side {
        self.played.get(at).and_then(|played| played.side).unwrap_or(Side::First)
    }

    /// The side of GTP's square board; `None` for a game without points.
    pub(crate) fn side_of_board(&self) -> Option<u32> {
        self.view.side()
    }

    /// The game as one of five in a row, if it is one.
    pub(crate) fn five_in_a_row(&self) -> Option<FiveInARow> {
        let Shape::Grid(grid) = self.picture().board.shape else { return None };
        let (cols, rows) = (grid.columns.len(), grid.rows.len());
        let is_this = |rule| {
            let name = Registry.five_in_a_row(cols as u64, rows as u64, rule)?;
            let session = Registry.open(&name, self.aside.resources().clone()).ok()?;
            (session.game() == self.game()).then_some(FiveInARow { cols, rows, rule })
        };
        [FiveRule::OrMore, FiveRule::Exactly, FiveRule::Renju].into_iter().find_map(is_this)
    }

    /// The stones in the order in which they were played, initial ones first.
    pub(crate) fn stones(&self) -> Vec<(String, Side)> {
        let played = self.played.iter().filter_map(|played| Some((played.numbers.clone(), played.side?)));
        stones(&self.beginning).into_iter().chain(played).collect()
    }

    /// The count of each player, where there is one: discs or captured seeds.
    pub(crate) fn counts(&self) -> Option<[u32; 2]> {
        let board = self.picture().board;
        match board.shape {
            Shape::Houses { stores, .. } => Some(stores),
            _ => board.counts,
        }
    }

    /// Checks a line of play that an engine reported for the present position.
    ///
    /// # Errors
    /// Its first error.
    pub(crate) fn check_line(&mut self, line: &str, own_pass: &str) -> Result<(), String> {
        let words = line.split_ascii_whitespace().map(|word| if word == own_pass { PASS } else { word });
        let mut moves = self.own.moves.join(" ");
        for word in words {
            moves += " ";
            moves += word;
        }
        let board = self.own.board.as_ref().map(|text| Text { column: 1, text: text.clone() });
        let setup = Setup { board, moves: Text { column: 1, text: moves }, ..Setup::default() };
        self.aside.set_position(&setup).map_err(|problem| problem.text)
    }
}

/// The pieces on a board of cells, from its first row, as Gomocup names their points.
fn stones(picture: &Picture) -> Vec<(String, Side)> {
    let Shape::Grid(grid) = &picture.board.shape else { return Vec::new() };
    let cols = 0..grid.columns.len() as u32;
    let points = (0..grid.rows.len() as u32).flat_map(|row| cols.clone().map(move |col| Point { col, row }));
    let stone = |point: Point| {
        let piece = grid.piece(point)?;
        Some((format!("{},{}", point.col, point.row), side(piece.owner)))
    };
    points.filter_map(stone).collect()
}

fn side(player: Player) -> Side {
    match player {
        Player::First => Side::First,
        Player::Second => Side::Second,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_capture_may_name_its_stops_or_what_it_takes_in_any_order() {
        let mut referee = Referee::new("draughts:english").unwrap();
        for text in ["32x23x16", "32x16", "32x16x27x19", "32x16x19x27"] {
            referee.begin(Some("W:W28,32:B4,19,27")).unwrap();
            assert_eq!(referee.play(text).as_deref(), Some("32x16"), "{text}");
        }
        referee.begin(Some("W:W28,32:B4,19,27")).unwrap();
        for text in ["32x24x16", "32x23", "32x16x27", "32x16 4-8", "28x19"] {
            assert_eq!(referee.play(text), None, "{text}");
        }
    }

    #[test]
    fn both_styles_follow_one_game() {
        let mut referee = Referee::new("tictactoe").unwrap();
        referee.begin(None).unwrap();
        assert_eq!(referee.play("P@b2").as_deref(), Some("b2"));
        assert_eq!(referee.play("B2"), None);
        assert_eq!(referee.play("A1").as_deref(), Some("a1"));
        assert_eq!(referee.position_command(Style::Coordinates, " ", PASS), "position startpos moves b2 a1");
        assert_eq!(referee.position_command(Style::Drops, " ", PASS), "position startpos moves P@b2 P@a1");
        referee.begin(Some("3/1x1/3 o")).unwrap();
        assert_eq!(referee.position_command(Style::Drops, " ", PASS), "position fen 3/1P1/3[PPPPpppp] b - - 0 1");
        assert_eq!(referee.turn(), Side::Second);
    }

    #[test]
    fn every_dialect_has_its_names_of_the_moves() {
        let mut referee = Referee::new("othello").unwrap();
        assert_eq!((referee.side_of_board(), referee.five_in_a_row()), (Some(8), None));
        assert_eq!(referee.own_text(Style::Letters, "d3").as_deref(), Some("d3"));
        assert_eq!(referee.play_in(Style::Letters, "D3").as_deref(), Some("d3"));
        assert_eq!(referee.play_in(Style::Letters, "A1"), None);
        assert_eq!(referee.play("c3").as_deref(), Some("c3"));
        assert_eq!(referee.moves_in(Style::Letters), ["D3", "C3"]);
        assert_eq!((referee.side_of(0), referee.side_of(1)), (Side::First, Side::Second));
        assert_eq!(referee.counts(), Some([3, 3]));
        // White has no move: the pass is one.
        referee.begin(Some("ooooooox/oooooooo/oooxxxoo/oooxxooo/xxxxoxo1/xxxxoxo1/xxxoxxo1/oooooxxo o")).unwrap();
        assert_eq!(referee.own_text(Style::Letters, "PASS").as_deref(), Some(PASS));
        assert!(referee.play_in(Style::Letters, "pass").is_some() && referee.begins_elsewhere());
        assert_eq!(referee.moves_in(Style::Letters), ["pass"]);
        assert!(referee.position_command(Style::Coordinates, "", "--").ends_with(" o moves --"));
    }

    #[test]
    fn a_piece_that_moves_goes_by_the_points_of_its_way() {
        let mut referee = Referee::new("draughts:english").unwrap();
        referee.begin(Some("W:W31:B26,18,1")).unwrap();
        let named = |points: &[&str]| referee.named(&points.iter().map(|&point| point.to_owned()).collect::<Vec<_>>());
        assert_eq!(referee.own.legal, ["31x15"]);
        let from = referee.view.steps(&referee.own.legal[0])[0];
        let steps: Vec<String> =
            referee.view.steps(&referee.own.legal[0]).iter().map(|&point| griot::protocol::vertex(point)).collect();
        let steps: Vec<&str> = steps.iter().map(String::as_str).collect();
        assert_eq!((steps.len(), steps[0]), (3, griot::protocol::vertex(from).as_str()));
        for part in 1..steps.len() {
            assert_eq!(named(&steps[..part]), Named::Part);
        }
        assert_eq!(named(&steps), Named::Move(referee.own.legal[0].clone()));
        assert_eq!((named(&["A1"]), named(&[steps[0], steps[0]])), (Named::Nothing, Named::Nothing));
    }

    #[test]
    fn five_in_a_row_is_known_by_its_board_and_rule() {
        let five = |game: &str| Referee::new(game).unwrap().five_in_a_row();
        let board = |cols, rows, rule| Some(FiveInARow { cols, rows, rule });
        assert_eq!(five("gomoku"), board(15, 15, FiveRule::Exactly));
        assert_eq!(five("gomokufreestyle"), board(15, 15, FiveRule::OrMore));
        assert_eq!(five("renju"), board(15, 15, FiveRule::Renju));
        assert_eq!(five("mnk:20,12,5"), board(20, 12, FiveRule::OrMore));
        assert_eq!([five("tictactoe"), five("mnk:15,15,4"), five("awale")], [None, None, None]);
        let mut referee = Referee::new("gomoku").unwrap();
        assert_eq!(referee.play_in(Style::Numbers, "7,7").as_deref(), Some("h8"));
        assert_eq!(referee.play("a1").as_deref(), Some("a1"));
        assert_eq!(referee.stones(), [("7,7".into(), Side::First), ("0,0".into(), Side::Second)]);
        let board = referee.board();
        referee.begin(Some(&board)).unwrap();
        assert_eq!(referee.stones(), [("0,0".into(), Side::Second), ("7,7".into(), Side::First)]);
    }

    #[test]
    fn lines_of_play_are_checked_to_their_last_move() {
        let mut referee = Referee::new("tictactoe").unwrap();
        referee.play("b2").unwrap();
        for (line, good) in [("a1 c3", true), ("P@a1 P@c3", true), ("b2", false), ("a1 c3 a2 a3 a1", false), ("", true)]
        {
            assert_eq!(referee.check_line(line, PASS).is_ok(), good, "{line}");
        }
        assert_eq!(referee.moves(), ["b2"]);
        let mut awale = Referee::new("awale").unwrap();
        assert!(awale.check_line("FaAb", PASS).is_ok() && awale.check_line("Fz", PASS).is_err());
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
