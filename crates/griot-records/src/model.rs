//! The model of a game record: what every reader fills in and every writer writes.
//!
//! Plain data; knows no rules and no format. The moves are a tree in one flat list of nodes, so that no depth of nesting can
//! overflow a stack: nothing in this crate is recursive.
//!
//! ```text
//!  nodes    0 root   1 e4    2 e5    3 c5    4 Nf3          1. e4 e5 (1... c5) 2. Nf3
//!  parent   -        0       1       1       2
//!  first    1        2       4       -       -              first child: the main line
//!  next     -        -       3       -       -              next child of the same parent: a variation
//! ```
//!
//! INVARIANT: a parent stands before its children; node 0 is the position before the first move and has no move.

use smol_str::SmolStr;

/// One of the two players; `First` makes the first move of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Side {
    /// The player who begins.
    First,
    /// The other one.
    Second,
}

impl Side {
    /// The opponent.
    #[must_use]
    pub const fn other(self) -> Side {
        match self {
            Side::First => Side::Second,
            Side::Second => Side::First,
        }
    }

    /// 0 for `First`, 1 for `Second`.
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }
}

/// The result of a finished game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// This side won.
    Win(Side),
    /// Nobody won.
    Draw,
}

impl Outcome {
    /// The word for it in griot's JSON: `p1win`, `p2win` or `draw`.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Outcome::Win(Side::First) => "p1win",
            Outcome::Win(Side::Second) => "p2win",
            Outcome::Draw => "draw",
        }
    }
}

/// A file format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Format {
    /// Portable Game Notation: chess, and the games of Cute Chess.
    Pgn,
    /// Portable Draughts Notation.
    Pdn,
    /// Smart Game Format: games of stones.
    Sgf,
    /// Generic Game Format: Othello.
    Ggf,
    /// Oware Game Notation: awalé.
    Ogn,
    /// Piskvork's games of gomoku.
    Psq,
    /// Lines of Othello boards with values of moves: OBF, FFO and boards of 64 letters.
    Obf,
    /// Extended Position Description: a chess position and operations in each line.
    Epd,
    /// Thor's database of Othello games.
    Thor,
    /// RenLib's tree of gomoku positions.
    RenLib,
    /// RenjuNet's XML.
    Rif,
    /// Openings of Gomocup: offsets from the middle of the board.
    Offsets,
    /// Moves, one game a line.
    Moves,
    /// Lines of JSON, as [`crate::json`] writes them and `griot analyse` reads them.
    Json,
}

impl Format {
    /// Every format.
    pub const ALL: [Format; 14] = [
        Format::Pgn,
        Format::Pdn,
        Format::Sgf,
        Format::Ggf,
        Format::Ogn,
        Format::Psq,
        Format::Obf,
        Format::Epd,
        Format::Thor,
        Format::RenLib,
        Format::Rif,
        Format::Offsets,
        Format::Moves,
        Format::Json,
    ];

    /// Its name, which is also how its files end.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Format::Pgn => "pgn",
            Format::Pdn => "pdn",
            Format::Sgf => "sgf",
            Format::Ggf => "ggf",
            Format::Ogn => "ogn",
            Format::Psq => "psq",
            Format::Obf => "obf",
            Format::Epd => "epd",
            Format::Thor => "wtb",
            Format::RenLib => "lib",
            Format::Rif => "rif",
            Format::Offsets => "offsets",
            Format::Moves => "moves",
            Format::Json => "json",
        }
    }

    /// The format of that name.
    #[must_use]
    pub fn named(name: &str) -> Option<Format> {
        Format::ALL.into_iter().find(|format| format.name().eq_ignore_ascii_case(name))
    }
}

/// A fact about the game: a tag of PGN, a property of the root of SGF or GGF.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tag {
    /// The name, as the file has it.
    pub name: String,
    /// The value, without the escapes of the format.
    pub value: String,
}

/// What is said about a move beside the move itself.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Notes {
    /// Remarks before the move.
    pub before: Vec<String>,
    /// Remarks after the move.
    pub comments: Vec<String>,
    /// Numeric annotation glyphs: 1 is `!`, 2 is `?`, 3 is `!!`, 4 is `??`, 5 is `!?`, 6 is `?!`.
    pub nags: Vec<u8>,
    /// The time on the mover's clock after the move, in seconds.
    pub clock: Option<f64>,
    /// The time spent on the move, in seconds.
    pub spent: Option<f64>,
    /// The evaluation after the move, as the file has it: in GGF for the mover, in PGN (`%eval`) for White.
    pub eval: Option<String>,
    /// Other properties of the move: marks, labels, commands in comments.
    pub marks: Vec<Tag>,
}

impl Notes {
    /// Whether there is nothing.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        let Notes { before, comments, nags, clock, spent, eval, marks } = self;
        let is_untold = clock.is_none() && spent.is_none() && eval.is_none();
        is_untold && before.is_empty() && comments.is_empty() && nags.is_empty() && marks.is_empty()
    }
}

/// A position of the tree, and the move that leads to it.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Node {
    pub(crate) parent: u32,
    pub(crate) first: u32,
    pub(crate) last: u32,
    pub(crate) next: u32,
    pub(crate) mv: SmolStr,
    pub(crate) notes: Option<Box<Notes>>,
}

/// Something odd about a record that was read all the same.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Remark {
    /// After how many plies, if it is about a move.
    pub ply: Option<usize>,
    /// What is odd.
    pub text: String,
}

/// A game.
#[derive(Debug, Clone, PartialEq)]
pub struct Record {
    /// The name of the game and its rule, as griot names it.
    pub game: String,
    /// The board text of the first position; nothing for the game's start position.
    pub start: Option<String>,
    /// The names of the player who begins and of the other one.
    pub players: [Option<String>; 2],
    /// The other facts about the game, in the order of the file.
    pub tags: Vec<Tag>,
    /// The result, as the file has it, or as the rules have it where the file has none.
    pub result: Option<Outcome>,
    /// How the game ended, if the file says so: `time`, `resignation`, `forfeit`, or the file's own words.
    pub ending: Option<String>,
    /// What is odd about it.
    pub remarks: Vec<Remark>,
    /// The other games that the moves are legal in, where the file does not say which game it is; nothing where it says so.
    pub guessed: Option<Vec<String>>,
    /// The format it was read from.
    pub format: Format,
    pub(crate) nodes: Vec<Node>,
}

/// A line of the tree: the main line, or a variation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// The line it departs from, by its place in the list of lines.
    pub of: usize,
    /// How many moves stand before its first move.
    pub ply: usize,
    /// The nodes of its moves.
    pub nodes: Vec<usize>,
}

impl Record {
    /// A record without moves.
    #[must_use]
    pub fn new(game: impl Into<String>, format: Format) -> Record {
        Record {
            game: game.into(),
            start: None,
            players: [None, None],
            tags: Vec::new(),
            result: None,
            ending: None,
            remarks: Vec::new(),
            guessed: None,
            format,
            nodes: vec![Node::default()],
        }
    }

    /// Adds a move after the position of node `parent`, as its last child. Returns the new node.
    pub fn add(&mut self, parent: usize, mv: impl AsRef<str>) -> usize {
        let node = self.nodes.len();
        let own = index(node);
        self.nodes.push(Node { parent: index(parent), mv: SmolStr::new(mv), ..Node::default() });
        let last = std::mem::replace(&mut self.nodes[parent].last, own);
        if last == 0 {
            self.nodes[parent].first = own;
        } else {
            self.nodes[last as usize].next = own;
        }
        node
    }

    /// The same record without its moves; what stands before the first move is kept.
    pub(crate) fn without_moves(&self) -> Record {
        let root = Node { notes: self.nodes[0].notes.clone(), ..Node::default() };
        Record {
            game: self.game.clone(),
            start: self.start.clone(),
            players: self.players.clone(),
            tags: self.tags.clone(),
            result: self.result,
            ending: self.ending.clone(),
            remarks: self.remarks.clone(),
            guessed: self.guessed.clone(),
            format: self.format,
            nodes: vec![root],
        }
    }

    /// The number of nodes, the root included.
    #[must_use]
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there is no move at all.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.nodes.len() == 1
    }

    /// The move that leads to a node; empty for the root.
    #[must_use]
    pub fn mv(&self, node: usize) -> &str {
        &self.nodes[node].mv
    }

    /// What is said about a move, if anything.
    #[must_use]
    pub fn notes(&self, node: usize) -> Option<&Notes> {
        self.nodes[node].notes.as_deref()
    }

    /// What is said about a move, to be added to.
    pub fn notes_mut(&mut self, node: usize) -> &mut Notes {
        self.nodes[node].notes.get_or_insert_default()
    }

    /// The node before; nothing for the root.
    #[must_use]
    pub fn parent(&self, node: usize) -> Option<usize> {
        (node != 0).then(|| self.nodes[node].parent as usize)
    }

    /// The nodes after this one: that of the main line first, then the variations.
    pub fn children(&self, node: usize) -> impl Iterator<Item = usize> + '_ {
        let first = self.nodes[node].first as usize;
        std::iter::successors(Some(first), |&child| Some(self.nodes[child].next as usize))
            .take_while(|&child| child != 0)
    }

    /// The nodes of the main line.
    pub fn main_line(&self) -> impl Iterator<Item = usize> + '_ {
        std::iter::successors(Some(self.nodes[0].first as usize), |&node| Some(self.nodes[node].first as usize))
            .take_while(|&node| node != 0)
    }

    /// The moves of the main line.
    #[must_use]
    pub fn moves(&self) -> Vec<&str> {
        self.main_line().map(|node| self.mv(node)).collect()
    }

    /// The main line, and every variation after the line that it departs from.
    #[must_use]
    pub fn lines(&self) -> Vec<Line> {
        let mut lines: Vec<Line> = Vec::new();
        // First nodes of lines still to be followed, with the line and the ply they depart from.
        let mut waiting = vec![(self.nodes[0].first as usize, 0, 0)];
        while let Some((first, of, ply)) = waiting.pop() {
            let own = lines.len();
            let mut nodes = Vec::new();
            let mut siblings = Vec::new();
            let mut node = first;
            while node != 0 {
                // The siblings of the first move of a variation belong to the line before.
                if own == 0 || !nodes.is_empty() {
                    let parent = self.nodes[node].parent as usize;
                    siblings.extend(self.children(parent).skip(1).map(|sibling| (sibling, own, ply + nodes.len())));
                }
                nodes.push(node);
                node = self.nodes[node].first as usize;
            }
            lines.push(Line { of, ply, nodes });
            waiting.extend(siblings.into_iter().rev());
        }
        lines
    }

    /// The value of the first tag with one of these names.
    #[must_use]
    pub fn tag(&self, names: &[&str]) -> Option<&str> {
        names.iter().find_map(|name| {
            let tag = self.tags.iter().find(|tag| tag.name.eq_ignore_ascii_case(name));
            tag.map(|tag| tag.value.as_str())
        })
    }

    /// Adds a tag.
    pub fn push_tag(&mut self, name: impl Into<String>, value: impl Into<String>) {
        self.tags.push(Tag { name: name.into(), value: value.into() });
    }

    /// Adds a remark.
    pub fn remark(&mut self, ply: Option<usize>, text: impl Into<String>) {
        self.remarks.push(Remark { ply, text: text.into() });
    }

    /// Whether two records have the same game, start, players, result, moves and remarks of players on them.
    #[must_use]
    pub fn says_the_same(&self, other: &Record) -> bool {
        (&self.game, &self.start, &self.players, self.result)
            == (&other.game, &other.start, &other.players, other.result)
            && self.has_the_same_tree(other)
    }

    /// Whether two records have the same tree of moves, with the same notes.
    #[must_use]
    pub fn has_the_same_tree(&self, other: &Record) -> bool {
        let mut waiting = vec![(0, 0)];
        while let Some((own, theirs)) = waiting.pop() {
            let (mine, yours) = (&self.nodes[own], &other.nodes[theirs]);
            let notes = |node: &Node| node.notes.as_deref().filter(|notes| !notes.is_empty()).cloned();
            if mine.mv != yours.mv || notes(mine) != notes(yours) {
                return false;
            }
            let (mut left, mut right) = (self.children(own), other.children(theirs));
            loop {
                match (left.next(), right.next()) {
                    (None, None) => break,
                    (Some(one), Some(two)) => waiting.push((one, two)),
                    _ => return false,
                }
            }
        }
        true
    }
}

/// The index of a node. A record of 4 billion nodes does not fit into memory.
fn index(node: usize) -> u32 {
    u32::try_from(node).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_depart_from_the_line_before() {
        let mut record = Record::new("chess", Format::Pgn);
        let e4 = record.add(0, "e4");
        let e5 = record.add(e4, "e5");
        let c5 = record.add(e4, "c5");
        record.add(c5, "Nf3");
        record.add(c5, "c3");
        record.add(e5, "f4");
        let lines = record.lines();
        let texts: Vec<_> = lines
            .iter()
            .map(|line| {
                (line.of, line.ply, line.nodes.iter().map(|&node| record.mv(node)).collect::<Vec<_>>().join(" "))
            })
            .collect();
        assert_eq!(texts, [(0, 0, "e4 e5 f4".into()), (0, 1, "c5 Nf3".into()), (1, 2, "c3".into())]);
        assert_eq!(record.moves(), ["e4", "e5", "f4"]);
    }
}
