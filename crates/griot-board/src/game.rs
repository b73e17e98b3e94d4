//! A game as the board stores it: start position, tree of moves, current position, players. Plain data.
//!
//! It knows no rules. Boards, legal moves, results and values come from the engine; values are for the first player. A
//! line goes from the root through the current position and on along first children; `at` counts its plies.

use std::collections::BTreeMap;

use griot_records::{Format, Notes, Outcome, Tag};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::engine::Score;
use crate::words::{Board, GameName, LONGEST_GAME, MoveText, Refusal};

/// Levels of the engine: 20 is its full strength.
pub(crate) const FULL_STRENGTH: u8 = 20;

/// The most lines of an analysis: enough for each house or column, or for the best cells.
pub(crate) const MOST_LINES: u16 = 64;
/// The largest depth at which an analysis ends.
const DEEPEST: u8 = 60;
/// The most positions of a tree.
const MOST_NODES: usize = 5000;
/// The longest comment, in bytes.
const LONGEST_COMMENT: usize = 2000;

/// The number of positions whose pictures are stored: a page animates up to three moves.
const PICTURES: usize = 4;

/// The player of a side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase", deny_unknown_fields)]
pub(crate) enum Player {
    Human,
    Engine { level: u8 },
}

/// The settings of a game; the page may change them at any time.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Settings {
    /// The first player and the second.
    pub(crate) players: [Player; 2],
    /// Milliseconds for a move of the engine.
    pub(crate) movetime: u32,
    /// Milliseconds between the moves of two engines.
    pub(crate) pace: u32,
    /// Whether the engine analyses the position shown whenever it has nothing to play.
    pub(crate) analysis: bool,
    /// The number of lines of an analysis.
    #[serde(default = "one")]
    pub(crate) lines: u16,
    /// The depth at which an analysis ends; 0 for none.
    #[serde(default)]
    pub(crate) depth: u8,
    /// Whether the position is analysed as if the other side were to move. Ends with the next position.
    #[serde(default)]
    pub(crate) threat: bool,
    /// Whether every move of the position shown is to have a value, for the explorer.
    #[serde(default)]
    pub(crate) explore: bool,
}

fn one() -> u16 {
    1
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
        if !(1..=MOST_LINES).contains(&self.lines) {
            return Err(Refusal::new("bad_settings", format!("lines: expected 1 to {MOST_LINES}")));
        }
        if self.depth > DEEPEST {
            return Err(Refusal::new("bad_settings", format!("depth: expected 0 to {DEEPEST}")));
        }
        if self.pace > 10_000 {
            return Err(Refusal::new("bad_settings", "pace: expected 0 to 10000"));
        }
        Ok(())
    }
}

/// The result of a search.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct Judgement {
    pub(crate) score: Score,
    pub(crate) depth: u64,
    pub(crate) pv: Vec<String>,
    /// The names of these moves, where they differ.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) names: Vec<String>,
}

/// What the moves of a position are worth, by one search of all of them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct Worth {
    /// Whether the search has settled every value, by the rules or by endgame tables.
    pub(crate) settled: bool,
    pub(crate) moves: Vec<MoveWorth>,
}

/// The value of a move.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct MoveWorth {
    #[serde(rename = "move")]
    pub(crate) mv: String,
    pub(crate) score: Score,
    pub(crate) depth: u64,
}

/// A position of the game, as described by the engine.
#[derive(Debug, Clone, Default)]
pub(crate) struct Spot {
    pub(crate) board: String,
    pub(crate) first_to_move: bool,
    /// `None` while the game goes on.
    pub(crate) result: Option<String>,
}

/// A node of the tree: a position, and the move to it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Node {
    /// `None` at the root.
    parent: Option<usize>,
    pub(crate) played: Option<MoveText>,
    /// The name of the move, where it differs.
    pub(crate) name: Option<String>,
    /// The first child is the main line.
    children: Vec<usize>,
    pub(crate) spot: Spot,
    /// Comments, glyphs, clocks and what else a record says about the move.
    pub(crate) notes: Notes,
    /// Whether the move was played although the rules had ended the game, by a repetition for example.
    pub(crate) is_past_end: bool,
    /// The score of the last search of any kind.
    pub(crate) score: Option<Score>,
    /// The score of a short search, the same for every position, for the graph.
    pub(crate) glance: Option<Score>,
    /// The entry of the opening book.
    pub(crate) book: Option<Judgement>,
    /// Whether the book was queried.
    pub(crate) is_looked_up: bool,
    /// What its moves are worth.
    pub(crate) worth: Option<Worth>,
    /// The result of the review.
    pub(crate) review: Option<Judgement>,
    /// The end of the game here other than by the rules of its board.
    pub(crate) ended: Option<Ended>,
}

/// The end of a game by the clock or by its players.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Ended {
    /// `p1win`, `p2win` or `draw`.
    pub(crate) result: &'static str,
    /// `time`, `resignation` or `agreement`.
    pub(crate) why: &'static str,
}

impl Node {
    pub(crate) fn parent(&self) -> Option<usize> {
        self.parent
    }

    /// The comments on the move as one text.
    pub(crate) fn comment(&self) -> String {
        self.notes.comments.join("\n")
    }

    /// The result, if the game ended here.
    pub(crate) fn result(&self) -> Option<&str> {
        self.ended.as_ref().map(|ended| ended.result).or(self.spot.result.as_deref())
    }
}

/// The facts about a game that was read: who played it, when, and how it ended.
#[derive(Debug, Clone, Default)]
pub(crate) struct About {
    pub(crate) players: [Option<String>; 2],
    pub(crate) tags: Vec<Tag>,
    pub(crate) result: Option<Outcome>,
    pub(crate) ending: Option<String>,
    /// The format it was read from; `None` for a game that was begun here.
    pub(crate) format: Option<Format>,
}

/// The game.
#[derive(Debug, Clone)]
pub(crate) struct Record {
    pub(crate) game: GameName,
    /// `None` for the start position.
    pub(crate) start: Option<Board>,
    pub(crate) about: About,
    nodes: BTreeMap<usize, Node>,
    next: usize,
    /// The nodes from the root to the end of the line shown.
    line: Vec<usize>,
    /// The index in the line of the position on the board.
    pub(crate) at: usize,
    /// Whether the engine has described the root.
    pub(crate) is_described: bool,
    /// The legal moves of the position on the board.
    pub(crate) legal: Vec<String>,
    /// The names of these moves, where they differ.
    pub(crate) names: BTreeMap<String, String>,
    /// The pictures of the last positions up to that one, by their places, as the engine sent them.
    pub(crate) pictures: BTreeMap<usize, Value>,
}

pub(crate) const ROOT: usize = 0;

impl Record {
    pub(crate) fn new(game: GameName, start: Option<Board>) -> Record {
        Record {
            game,
            start,
            about: About::default(),
            nodes: BTreeMap::from([(ROOT, Node::default())]),
            next: ROOT + 1,
            line: vec![ROOT],
            at: 0,
            is_described: false,
            legal: Vec::new(),
            names: BTreeMap::new(),
            pictures: BTreeMap::new(),
        }
    }

    /// The `position` command for the position on the board.
    pub(crate) fn position(&self) -> String {
        self.position_at(self.here())
    }

    /// The `position` command for a node.
    ///
    /// An engine refuses moves after the end of a game: behind such a move the position is given by its board.
    pub(crate) fn position_at(&self, node: usize) -> String {
        let way = self.way_to_node(node);
        let is_past_end = |node: &usize| self.nodes.get(node).is_some_and(|node| node.is_past_end);
        let past = way.iter().position(is_past_end);
        let mut line = match (past.and_then(|at| self.nodes.get(&way[at])), &self.start) {
            (Some(past), _) => format!("position fen {}", past.spot.board),
            (None, Some(board)) => format!("position fen {board}"),
            (None, None) => "position startpos".to_owned(),
        };
        let way = &way[past.map_or(0, |at| at + 1)..];
        let mut played = way.iter().filter_map(|node| self.nodes.get(node)?.played.as_ref()).peekable();
        if played.peek().is_some() {
            line.push_str(" moves");
        }
        played.for_each(|played| {
            line.push(' ');
            line.push_str(played.as_str());
        });
        line
    }

    /// The nodes from the root to this one.
    fn way_to_node(&self, node: usize) -> Vec<usize> {
        let mut way: Vec<usize> =
            std::iter::successors(Some(node), |node| self.nodes.get(node).and_then(|node| node.parent)).collect();
        way.reverse();
        way
    }

    /// The legal move that matches the text, ignoring case unless that is ambiguous.
    pub(crate) fn legal_move(&self, wanted: &MoveText) -> Option<MoveText> {
        let by_name = || self.names.iter().find(|(_, name)| *name == wanted.as_str()).map(|(legal, _)| legal);
        if let Some(exact) = self.legal.iter().find(|legal| *legal == wanted.as_str()).or_else(by_name) {
            return MoveText::new(exact).ok();
        }
        let mut same = self.legal.iter().filter(|legal| legal.eq_ignore_ascii_case(wanted.as_str()));
        let found = same.next().filter(|_| same.next().is_none())?;
        MoveText::new(found).ok()
    }

    /// Plays a move on the board; a new move begins a variation, which comes last.
    ///
    /// # Errors
    /// When the game, or its tree, is too large.
    pub(crate) fn push(&mut self, played: MoveText) -> Result<(), Refusal> {
        if self.at >= LONGEST_GAME {
            return Err(Refusal::new("too_long", format!("at most {LONGEST_GAME} moves")));
        }
        let here = self.here();
        let is_same = |node: &usize| self.nodes.get(node).is_some_and(|node| node.played.as_ref() == Some(&played));
        let known = self.nodes.get(&here).and_then(|node| node.children.iter().copied().find(is_same));
        let child = match known {
            Some(child) => child,
            None => {
                if self.nodes.len() >= MOST_NODES {
                    return Err(Refusal::new("too_long", format!("at most {MOST_NODES} positions")));
                }
                let child = self.next;
                self.next += 1;
                let node = Node { parent: Some(here), played: Some(played), ..Node::default() };
                self.nodes.insert(child, node);
                if let Some(here) = self.nodes.get_mut(&here) {
                    here.children.push(child);
                }
                child
            }
        };
        self.look_at(child)?;
        self.legal.clear();
        self.names.clear();
        Ok(())
    }

    /// Shows a position of the tree; the line is kept if it contains the position.
    ///
    /// # Errors
    /// When the node no longer exists.
    pub(crate) fn look_at(&mut self, node: usize) -> Result<(), Refusal> {
        if !self.nodes.contains_key(&node) {
            return Err(Refusal::new("stale", ""));
        }
        match self.line.iter().position(|&known| known == node) {
            Some(at) => self.at = at,
            None => {
                self.line = self.way_to_node(node);
                self.at = self.line.len() - 1;
                self.follow();
            }
        }
        Ok(())
    }

    /// Extends the line along first children.
    fn follow(&mut self) {
        while let Some(&next) = self.line.last().and_then(|last| self.nodes.get(last)?.children.first()) {
            self.line.push(next);
        }
    }

    /// Makes the line through a node the main line at the last branch before it.
    ///
    /// # Errors
    /// When there is no such node.
    pub(crate) fn promote(&mut self, node: usize) -> Result<(), Refusal> {
        if !self.nodes.contains_key(&node) {
            return Err(Refusal::new("stale", ""));
        }
        for pair in self.way_to_node(node).windows(2).rev() {
            let [parent, child] = pair else { continue };
            let Some(parent) = self.nodes.get_mut(parent) else { continue };
            if let Some(place) = parent.children.iter().position(|other| other == child).filter(|&place| place > 0) {
                parent.children[..=place].rotate_right(1);
                break;
            }
        }
        Ok(())
    }

    /// Deletes a move and everything after it; returns whether the position on the board changed.
    ///
    /// # Errors
    /// When there is no such move.
    pub(crate) fn delete(&mut self, node: usize) -> Result<bool, Refusal> {
        let stale = || Refusal::new("stale", "");
        let parent = self.nodes.get(&node).and_then(|node| node.parent).ok_or_else(stale)?;
        let is_above_board = self.way_to_node(self.here()).contains(&node);
        if let Some(parent) = self.nodes.get_mut(&parent) {
            parent.children.retain(|&child| child != node);
        }
        let mut gone = vec![node];
        while let Some(node) = gone.pop() {
            gone.extend(self.nodes.remove(&node).into_iter().flat_map(|node| node.children));
        }
        if is_above_board {
            self.line = self.way_to_node(parent);
            self.at = self.line.len() - 1;
        } else {
            self.line.retain(|node| self.nodes.contains_key(node));
        }
        self.follow();
        Ok(is_above_board)
    }

    /// Describes the start position.
    pub(crate) fn describe(&mut self, spot: Spot, notes: Notes) {
        if let Some(root) = self.nodes.get_mut(&ROOT) {
            root.spot = spot;
            root.notes = notes;
        }
    }

    /// Adds a move after a node, as its last child, with the position that it leads to. Returns the new node.
    ///
    /// # Errors
    /// When the tree is too large.
    pub(crate) fn grow(
        &mut self,
        parent: usize,
        played: MoveText,
        name: Option<String>,
        spot: Spot,
        notes: Notes,
        is_past_end: bool,
    ) -> Result<usize, Refusal> {
        if self.nodes.len() >= MOST_NODES {
            return Err(Refusal::new("too_long", format!("at most {MOST_NODES} positions")));
        }
        let own = self.next;
        self.next += 1;
        let played = Some(played);
        let node = Node { parent: Some(parent), played, name, spot, notes, is_past_end, ..Node::default() };
        self.nodes.insert(own, node);
        if let Some(parent) = self.nodes.get_mut(&parent) {
            parent.children.push(own);
        }
        Ok(own)
    }

    /// Shows the end of the main line.
    pub(crate) fn go_to_end(&mut self) {
        self.line = vec![ROOT];
        self.follow();
        self.at = self.line.len() - 1;
    }

    /// Sets the comment of a position.
    ///
    /// # Errors
    /// When there is no such node, or the comment is too long.
    pub(crate) fn comment(&mut self, node: usize, text: &str) -> Result<(), Refusal> {
        let text: String = text.chars().filter(|&c| !c.is_control() || c == '\n').collect();
        if text.len() > LONGEST_COMMENT {
            return Err(Refusal::new("too_large", format!("at most {LONGEST_COMMENT} bytes")));
        }
        let node = self.nodes.get_mut(&node).ok_or_else(|| Refusal::new("stale", ""))?;
        if node.comment() != text.trim() {
            node.notes.comments = Some(text.trim().to_owned()).filter(|text| !text.is_empty()).into_iter().collect();
        }
        Ok(())
    }

    /// Sets the glyph of a move, 1 for `!` to 6 for `?!`, or takes it away; glyphs of other kinds stay.
    ///
    /// # Errors
    /// When there is no such move, or no such glyph.
    pub(crate) fn annotate(&mut self, node: usize, glyph: Option<u8>) -> Result<(), Refusal> {
        if glyph.is_some_and(|glyph| !(1..=6).contains(&glyph)) {
            return Err(Refusal::new("bad_settings", "glyph: expected 1 to 6"));
        }
        let found = self.nodes.get_mut(&node).filter(|node| node.played.is_some());
        let nags = &mut found.ok_or_else(|| Refusal::new("stale", ""))?.notes.nags;
        nags.retain(|nag| !(1..=6).contains(nag));
        nags.splice(0..0, glyph);
        Ok(())
    }

    /// Clears the results of an earlier review.
    pub(crate) fn forget_review(&mut self) {
        self.nodes.values_mut().for_each(|node| node.review = None);
    }

    /// Stores the picture of the position on the board, if the engine has one, and keeps those of the positions just
    /// before it.
    pub(crate) fn show(&mut self, picture: Option<Value>) {
        self.pictures.retain(|&place, _| (place..place + PICTURES).contains(&self.at) && place != self.at);
        self.pictures.extend(picture.map(|picture| (self.at, picture)));
    }

    /// The positions on the way to `at`, if the page can animate it.
    pub(crate) fn way_to(&self, at: usize) -> std::ops::RangeInclusive<usize> {
        let is_near = (self.at + 1..self.at + PICTURES).contains(&at);
        if is_near { self.at + 1..=at } else { at..=at }
    }

    /// The node on the board.
    pub(crate) fn here(&self) -> usize {
        self.line.get(self.at).copied().unwrap_or(ROOT)
    }

    pub(crate) fn spot(&self) -> Option<&Spot> {
        self.nodes.get(&self.here()).filter(|_| self.is_described).map(|node| &node.spot)
    }

    /// The result of the position on the board, if the game is over there.
    pub(crate) fn result(&self) -> Option<&str> {
        self.nodes.get(&self.here()).filter(|_| self.is_described).and_then(Node::result)
    }

    pub(crate) fn node(&self, node: usize) -> Option<&Node> {
        self.nodes.get(&node)
    }

    pub(crate) fn node_mut(&mut self, node: usize) -> Option<&mut Node> {
        self.nodes.get_mut(&node)
    }

    /// The nodes of the line shown.
    pub(crate) fn line(&self) -> &[usize] {
        &self.line
    }

    /// The children of a node, the main line first.
    pub(crate) fn children(&self, node: usize) -> &[usize] {
        self.nodes.get(&node).map_or(&[], |node| &node.children)
    }

    /// Whether moves of this game have names that differ from their texts.
    pub(crate) fn has_names(&self) -> bool {
        !self.names.is_empty() || self.nodes.values().any(|node| node.name.is_some())
    }

    pub(crate) fn is_over(&self) -> bool {
        self.spot().is_none() || self.result().is_some()
    }

    /// The side to move on the board: 0 or 1.
    pub(crate) fn turn(&self) -> usize {
        usize::from(!self.spot().is_some_and(|spot| spot.first_to_move))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn played(moves: &str) -> Record {
        let mut record = Record::new(GameName::new("awale").unwrap(), None);
        record.is_described = true;
        moves.split_whitespace().for_each(|text| push(&mut record, text));
        record
    }

    fn push(record: &mut Record, text: &str) {
        record.push(MoveText::new(text).unwrap()).unwrap();
    }

    fn line(record: &Record) -> String {
        let of = |node: &usize| record.node(*node).unwrap().played.as_ref().map(ToString::to_string);
        record.line().iter().filter_map(of).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn what_is_played_after_taking_back_is_a_variation() {
        let mut record = played("A b C");
        assert_eq!(record.position(), "position startpos moves A b C");
        record.at = 1;
        assert_eq!(record.position(), "position startpos moves A");
        push(&mut record, "f");
        assert_eq!((record.position().as_str(), record.at), ("position startpos moves A f", 2));
        assert_eq!(line(&record), "A f");
        // The old move is kept, and playing it again leads to its node.
        record.at = 1;
        push(&mut record, "b");
        assert_eq!((line(&record).as_str(), record.at), ("A b C", 2));
        record.at = 0;
        assert_eq!((record.position().as_str(), line(&record).as_str()), ("position startpos", "A b C"));
    }

    #[test]
    fn variations_are_promoted_deleted_and_spoken_of() {
        let mut record = played("A b C");
        record.at = 1;
        push(&mut record, "f");
        push(&mut record, "D");
        let variation = record.here();
        assert_eq!(record.children(record.line()[1]).len(), 2);
        record.promote(variation).unwrap();
        record.look_at(1).unwrap();
        assert_eq!(line(&record), "A f D");
        record.comment(variation, " a good\nidea\u{7} ").unwrap();
        assert_eq!(record.node(variation).unwrap().comment(), "a good\nidea");
        record.node_mut(variation).unwrap().notes.nags = vec![2, 14];
        record.annotate(variation, Some(3)).unwrap();
        assert_eq!(record.node(variation).unwrap().notes.nags, [3, 14]);
        record.annotate(variation, None).unwrap();
        assert_eq!(record.node(variation).unwrap().notes.nags, [14]);
        assert!(record.annotate(variation, Some(7)).is_err() && record.annotate(ROOT, Some(1)).is_err());
        // A line that is not shown follows first children.
        let old = record.children(1)[1];
        record.look_at(old).unwrap();
        assert_eq!((line(&record).as_str(), record.at), ("A b C", 2));
        assert!(record.delete(old).unwrap(), "the board was in what is gone");
        assert_eq!((line(&record).as_str(), record.at), ("A f D", 1));
        assert!(!record.delete(variation).unwrap());
        assert_eq!(line(&record), "A f");
        for wrong in [ROOT, variation, 999] {
            assert_eq!(record.delete(wrong).unwrap_err().error, "stale");
        }
        assert!(record.look_at(variation).is_err() && record.promote(variation).is_err());
        assert!(record.comment(ROOT, &"x".repeat(LONGEST_COMMENT + 1)).is_err());
    }

    #[test]
    fn a_game_and_its_tree_have_an_end() {
        let mut record = played("");
        for at in 0..LONGEST_GAME {
            push(&mut record, if at % 2 == 0 { "A" } else { "a" });
        }
        assert_eq!(record.push(MoveText::new("A").unwrap()).unwrap_err().error, "too_long");
        for at in 0..MOST_NODES {
            record.look_at(0).unwrap();
            let text = MoveText::new(&format!("x{at}")).unwrap();
            assert_eq!(record.push(text).is_ok(), at + LONGEST_GAME + 1 < MOST_NODES, "{at}");
        }
    }

    #[test]
    fn pictures_are_kept_of_the_positions_just_before() {
        let mut record = played("A b C D e F");
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
        record.legal = ["A", "B", "b1", "Nc3", "nc3"].map(str::to_owned).to_vec();
        let meant = |text: &str| record.legal_move(&MoveText::new(text).unwrap()).map(|found| found.to_string());
        assert_eq!((meant("a"), meant("B1"), meant("c")), (Some("A".into()), Some("b1".into()), None));
        assert_eq!((meant("nc3"), meant("NC3")), (Some("nc3".into()), None));
        record.names.insert("b1".into(), "exd8=Q+".into());
        assert_eq!(record.legal_move(&MoveText::new("exd8=Q+").unwrap()).unwrap().as_str(), "b1");
    }

    #[test]
    fn settings_have_ranges() {
        let good = Settings {
            players: [Player::Human; 2],
            movetime: 1000,
            pace: 500,
            analysis: false,
            lines: 3,
            depth: 0,
            threat: false,
            explore: false,
        };
        assert!(Settings { depth: DEEPEST + 1, ..good.clone() }.check().is_err());
        assert!(good.check().is_ok());
        assert!(Settings { movetime: 0, ..good.clone() }.check().is_err());
        assert!(Settings { pace: 99_999, ..good.clone() }.check().is_err());
        assert!(Settings { lines: 0, ..good.clone() }.check().is_err());
        assert!(Settings { lines: MOST_LINES + 1, ..good.clone() }.check().is_err());
        assert!(Settings { players: [Player::Engine { level: 21 }, Player::Human], ..good }.check().is_err());
    }
}
