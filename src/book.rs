//! Opening books: positions, each with its move and value, in a text file that people can read.
//!
//! Layer 1: knows the traits of games; no game, no search, no protocol. Plain values, any thread. Values are for the side to
//! move, in hundredths of the game's unit; distances are plies.
//!
//! A position stands for all its images under the symmetries of its game. A book is checked whole when it is read: boards,
//! legal moves, number of positions, checksum.

mod any;
mod polyglot;

use std::collections::HashMap;
use std::fmt;
use std::io::{BufReader, Read};
use std::path::Path;

pub use any::{AnyBook, LookUpError, Said, Seen};
pub use polyglot::Polyglot;

use crate::encoding::Utf8Reader;
use crate::files;
use crate::game::{Notation, Position, TextError};
use crate::message::{Problem, ReportedScore};

/// The beginning of the first line.
pub const MAGIC: &str = "griot-book";
/// The version of the format.
const VERSION: &str = "1";
/// The word before the checksum.
const CHECKSUM: &str = "checksum ";
/// The form of a position's line.
const LINE: &str = "BOARD|MOVE|VALUE|DEPTH";
/// The greatest size of a book.
const MOST_BYTES: u64 = 256 << 20;
/// The largest value, in hundredths, and the longest distance to the end of a game: arithmetic on them cannot overflow.
const MOST_CENTI: i32 = 1_000_000_000;
const MOST_PLIES: u32 = 1_000_000;
/// The longest line of play followed through a book.
const LONGEST: usize = 100;
/// From here on hundredths mean a certain win of unknown length; see protocol.md.
const CERTAIN_CENTI: i32 = 100_000;

/// The value of a position for the side to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Worth {
    /// Hundredths of the game's unit.
    Centi(i32),
    /// A win in this many plies.
    Win(u32),
    /// A loss in this many plies.
    Loss(u32),
}

impl Worth {
    /// The same, one ply earlier, for the other side.
    #[must_use]
    pub fn backed_up(self) -> Worth {
        match self {
            Worth::Centi(centi) => Worth::Centi(-centi),
            Worth::Win(plies) => Worth::Loss(plies + 1),
            Worth::Loss(plies) => Worth::Win(plies + 1),
        }
    }

    /// An ordering: losses before estimates before wins.
    #[must_use]
    pub fn rank(self) -> i64 {
        const DECIDED: i64 = 1 << 40;
        match self {
            Worth::Centi(centi) => centi.into(),
            Worth::Win(plies) => DECIDED - i64::from(plies),
            Worth::Loss(plies) => i64::from(plies) - DECIDED,
        }
    }

    /// Whether it is a certain win or loss.
    #[must_use]
    pub fn is_decisive(self) -> bool {
        !matches!(self, Worth::Centi(centi) if centi.abs() < CERTAIN_CENTI)
    }

    /// As a score of the protocol.
    #[must_use]
    pub fn reported(self) -> ReportedScore {
        let moves = |plies: u32| i32::try_from(plies).unwrap_or(i32::MAX);
        match self {
            Worth::Centi(centi) => ReportedScore::Centi(centi),
            Worth::Win(plies) => ReportedScore::Mate(moves(plies.div_ceil(2).max(1))),
            Worth::Loss(0) => ReportedScore::Mate(0),
            Worth::Loss(plies) => ReportedScore::Mate(-moves((plies / 2).max(1))),
        }
    }

    fn parse(text: &str) -> Option<Worth> {
        let plies = |text: &str| text.parse().ok().filter(|plies| (1..=MOST_PLIES).contains(plies));
        match text.split_once(' ') {
            Some(("win", text)) => plies(text).map(Worth::Win),
            Some(("loss", text)) => plies(text).map(Worth::Loss),
            Some(_) => None,
            None => text.parse().ok().filter(|centi| (-MOST_CENTI..=MOST_CENTI).contains(centi)).map(Worth::Centi),
        }
    }
}

/// As books write it: `+35`, `0`, `win 7`.
impl fmt::Display for Worth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Worth::Centi(0) => f.write_str("0"),
            Worth::Centi(centi) => write!(f, "{centi:+}"),
            Worth::Win(plies) => write!(f, "win {plies}"),
            Worth::Loss(plies) => write!(f, "loss {plies}"),
        }
    }
}

/// A position of a book, as it is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// The board text.
    pub board: String,
    /// The move to be played.
    pub mv: String,
    /// The value of the position.
    pub worth: Worth,
    /// The search depth behind it, in plies.
    pub depth: u32,
}

/// The text of a book.
///
/// # Format
/// ```text
/// griot-book 1                      magic, version of the format
/// game tictactoe                    the name of the game, with its parameters
/// positions 1                       how many there are
/// # made by hand                    remarks
/// 3/1x1/3 o|a1|0|8                  board, move, value, depth
/// checksum ea49a686                 CRC-32 of the lines before, each with the line feed at its end
/// ```
/// A value is for the side to move: hundredths, or `win PLIES`, or `loss PLIES`.
#[must_use]
pub fn text(game: &str, remarks: &[String], entries: &[Entry]) -> String {
    let mut text = format!("{MAGIC} {VERSION}\ngame {game}\npositions {}\n", entries.len());
    for remark in remarks {
        text += &format!("# {remark}\n");
    }
    for Entry { board, mv, worth, depth } in entries {
        text += &format!("{board}|{mv}|{worth}|{depth}\n");
    }
    let checksum = crc32fast::hash(text.as_bytes());
    text + &format!("{CHECKSUM}{checksum:08x}\n")
}

/// A position of a book.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line<P: Position> {
    /// The position.
    pub position: P,
    /// Its move.
    pub advice: Advice<P::Move>,
}

/// The entry of a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Advice<M> {
    /// The move to be played.
    pub mv: M,
    /// The value of the position.
    pub worth: Worth,
    /// The search depth behind it, in plies.
    pub depth: u32,
}

/// A valid book.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Book<P: Position> {
    /// In the order of the text.
    lines: Vec<Line<P>>,
    /// Index of a position by the hash that its images share.
    places: HashMap<u64, usize>,
    checksum: u32,
}

/// An error in a line of a book.
fn wrong(line: usize, what: impl fmt::Display) -> Problem {
    Problem::new(format!("line {line}: {what}"))
}

/// A piece of a book for an error message.
fn quoted(text: &str) -> String {
    match text.char_indices().nth(40) {
        _ if text.is_empty() => "nothing".into(),
        Some((cut, _)) => format!("'{}...'", text[..cut].escape_debug()),
        None => format!("'{}'", text.escape_debug()),
    }
}

/// The lines of a book, numbered from 1, after the checks that need no game: the first lines, the length, the last line.
struct Parts<'t> {
    game: &'t str,
    positions: usize,
    /// All lines before the last one.
    lines: Vec<&'t str>,
    checksum: u32,
}

/// The lines before the first position.
const HEADER: usize = 3;

impl<'t> Parts<'t> {
    fn read(text: &'t str) -> Result<Parts<'t>, Problem> {
        let mut lines: Vec<&str> = text.lines().collect();
        let field = |number: usize, name: &str, example: &str| {
            let line = lines.get(number - 1).copied().unwrap_or_default();
            let value = line.strip_prefix(name).and_then(|rest| rest.strip_prefix(' '));
            value.ok_or_else(|| wrong(number, format!("expected '{name} {example}', found {}", quoted(line))))
        };
        let version = field(1, MAGIC, VERSION)?;
        if version != VERSION {
            let found = quoted(version);
            return Err(wrong(1, format!("expected version {VERSION} of the format, found {found}; grow it anew")));
        }
        let game = field(2, "game", "NAME")?;
        let positions = field(3, "positions", "NUMBER")?;
        let positions = positions
            .parse()
            .map_err(|_| wrong(3, format!("expected the number of positions, found {}", quoted(positions))))?;
        // Only a complete book ends with a checksum of eight digits and a line feed.
        let checksum = lines.last().and_then(|last| last.strip_prefix(CHECKSUM)).filter(|_| text.ends_with('\n'));
        let checksum = checksum.and_then(|digits| Some((digits, u32::from_str_radix(digits, 16).ok()?)));
        // Accept only the form that is written, in lower case.
        let checksum = checksum.filter(|(digits, sum)| *digits == format!("{sum:08x}")).map(|(_, sum)| sum);
        let Some(checksum) = checksum else {
            let what = "expected 'checksum' and eight digits at the end, found none: the book is cut short or damaged";
            return Err(wrong(lines.len(), what));
        };
        lines.pop();
        Ok(Parts { game, positions, lines, checksum })
    }
}

/// The name of the game that a book is for.
///
/// # Errors
/// When the text is not a book, or is incomplete.
pub fn game_of(text: &str) -> Result<&str, Problem> {
    Parts::read(text).map(|parts| parts.game)
}

/// The text of a book file.
///
/// # Errors
/// When the file cannot be read or is not a book; the problem begins with its name.
pub fn read(path: &Path) -> Result<String, Problem> {
    let wrong = |what: &dyn fmt::Display| Problem::new(format!("{}: {what}", path.display()));
    let file = files::open(path).map_err(|error| wrong(&error))?;
    let mut text = String::new();
    let mut file = Utf8Reader::new(BufReader::new(file.take(MOST_BYTES + 1)));
    let length = file.read_to_string(&mut text).map_err(|error| wrong(&error))?;
    if length as u64 > MOST_BYTES {
        return Err(wrong(&format!("expected at most {MOST_BYTES} bytes, found more")));
    }
    Ok(text)
}

impl<P: Position> Book<P> {
    /// Reads the text of a book for the game of that name.
    ///
    /// # Errors
    /// What is wrong with it, and in which line.
    pub fn parse<N: Notation<Position = P>>(text: &str, game: &str, notation: &N) -> Result<Book<P>, Problem> {
        let parts = Parts::read(text)?;
        if parts.game != game {
            return Err(wrong(2, format!("expected a book for {game}, found one for {}", quoted(parts.game))));
        }
        let mut book = Book { lines: Vec::new(), places: HashMap::new(), checksum: parts.checksum };
        // The line number of each position, for errors.
        let mut numbers = Vec::new();
        for (line, number) in parts.lines.iter().zip(1..).skip(HEADER).filter(|(line, _)| !line.starts_with('#')) {
            let line = read_line(line, notation).map_err(|what| wrong(number, what))?;
            let place = *book.places.entry(line.position.folded().0).or_insert(book.lines.len());
            if let Some(earlier) = numbers.get(place) {
                return Err(wrong(
                    number,
                    format!("expected another position, found that of line {earlier}, or an image of it"),
                ));
            }
            book.lines.push(line);
            numbers.push(number);
        }
        if book.lines.len() != parts.positions {
            let (expected, found) = (parts.positions, book.lines.len());
            return Err(wrong(3, format!("expected {expected} positions, as it says, found {found}")));
        }
        let mut checksum = crc32fast::Hasher::new();
        for line in &parts.lines {
            checksum.update(line.as_bytes());
            checksum.update(b"\n");
        }
        let (expected, found) = (checksum.finalize(), parts.checksum);
        if expected != found {
            let number = parts.lines.len() + 1;
            return Err(wrong(
                number,
                format!("expected checksum {expected:08x}, found {found:08x}: the book is damaged"),
            ));
        }
        Ok(book)
    }

    /// Reads a book file for the game of that name.
    ///
    /// # Errors
    /// As [`Book::parse`], and when the file cannot be read; the problem begins with its name.
    pub fn open<N: Notation<Position = P>>(path: &Path, game: &str, notation: &N) -> Result<Book<P>, Problem> {
        let book = Book::parse(&read(path)?, game, notation);
        book.map_err(|problem| Problem::new(format!("{}: {problem}", path.display())))
    }

    /// Its positions.
    #[must_use]
    pub fn lines(&self) -> &[Line<P>] {
        &self.lines
    }

    /// Its checksum.
    #[must_use]
    pub fn checksum(&self) -> u32 {
        self.checksum
    }

    /// The entry of a position. Its move is legal there.
    #[must_use]
    pub fn find(&self, position: &P) -> Option<Advice<P::Move>> {
        let (hash, symmetry) = position.folded();
        let Line { position: own, advice } = self.lines.get(*self.places.get(&hash)?)?;
        if own == position {
            return Some(*advice);
        }
        // `position` is an image of the entry: find the move that is the same as the entry's in the image that was
        // hashed.
        let carried = |position: &P, mv, symmetry| if symmetry == 0 { mv } else { position.carried(mv, symmetry) };
        let wanted = carried(own, advice.mv, own.folded().1);
        let mut moves = Vec::new();
        position.generate(&mut moves);
        let mv = moves.into_iter().find(|&mv| carried(position, mv, symmetry) == wanted)?;
        // Against hash collisions: the move must lead to the same position, up to symmetry.
        let leads_there = position.after(mv).folded().0 == own.after(advice.mv).folded().0;
        leads_there.then_some(Advice { mv, ..*advice })
    }

    /// The moves of a position that lead to positions of the book and are worse than the book move by at most this many
    /// hundredths. The book move comes first, and is the only one if it wins or loses in a known number of plies. Empty
    /// for an unknown position.
    #[must_use]
    pub fn choices(&self, position: &P, margin: u64) -> Vec<Advice<P::Move>> {
        let Some(best) = self.find(position) else { return Vec::new() };
        let Worth::Centi(most) = best.worth else { return vec![best] };
        let mut choices = vec![best];
        let mut moves = Vec::new();
        position.generate(&mut moves);
        for mv in moves.into_iter().filter(|&mv| mv != best.mv) {
            let Some(behind) = self.find(&position.after(mv)) else { continue };
            let worth = behind.worth.backed_up();
            if matches!(worth, Worth::Centi(centi) if i64::from(most) - i64::from(centi) <= margin.cast_signed()) {
                choices.push(Advice { mv, worth, depth: behind.depth + 1 });
            }
        }
        choices
    }

    /// The line of play from a position by the book's moves, as far as they go.
    #[must_use]
    pub fn follow(&self, position: &P) -> Vec<P::Move> {
        let mut path = vec![position.clone()];
        let mut line = Vec::new();
        while line.len() < LONGEST
            && let Some(advice) = path.last().and_then(|last| self.find(last))
        {
            let next = path[path.len() - 1].after(advice.mv);
            line.push(advice.mv);
            if next.outcome().is_some() || path.contains(&next) {
                break;
            }
            path.push(next);
        }
        line
    }
}

/// Reads a line about a position.
fn read_line<N: Notation>(line: &str, notation: &N) -> Result<Line<N::Position>, String> {
    let fields: Vec<&str> = line.split('|').collect();
    let &[board, mv, worth, depth] = fields.as_slice() else {
        return Err(format!("expected {LINE}, found {}", quoted(line)));
    };
    let position = notation.parse_position(board).map_err(|error: TextError| error.to_string())?;
    if position.outcome().is_some() {
        return Err(format!("expected a position in which the game goes on, found {}", quoted(board)));
    }
    let mv = notation.parse_move(&position, mv).map_err(|error| error.to_string())?;
    let worth = Worth::parse(worth).ok_or_else(|| {
        format!("value: expected hundredths, such as +35, or 'win PLIES', or 'loss PLIES', found {}", quoted(worth))
    })?;
    let depth = depth.parse().ok().filter(|&depth| depth > 0);
    let depth = depth.ok_or_else(|| format!("depth: expected a number from 1, found {}", quoted(fields[3])))?;
    Ok(Line { position, advice: Advice { mv, worth, depth } })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::mnk::{self, Parameters, Style};

    type Texts = mnk::Notation<1>;

    fn notation() -> Texts {
        Texts::new(Parameters::TIC_TAC_TOE, Style::Coordinates)
    }

    fn entry(board: &str, mv: &str, worth: Worth, depth: u32) -> Entry {
        Entry { board: board.into(), mv: mv.into(), worth, depth }
    }

    fn entries() -> Vec<Entry> {
        vec![
            entry("3/3/3 x", "b2", Worth::Centi(0), 9),
            entry("3/1x1/3 o", "a1", Worth::Centi(-35), 8),
            entry("xx1/oo1/3 x", "c3", Worth::Win(1), 1),
            entry("2x/oox/x2 o", "c1", Worth::Centi(12), 4),
        ]
    }

    fn good() -> String {
        text("tictactoe", &["by hand".into()], &entries())
    }

    fn parse(text: &str) -> Result<Book<mnk::Position<1>>, String> {
        Book::parse(text, "tictactoe", &notation()).map_err(|problem| problem.to_string())
    }

    #[test]
    fn what_is_written_is_read() {
        let text = good();
        let head = "griot-book 1\ngame tictactoe\npositions 4\n# by hand\n3/3/3 x|b2|0|9\n3/1x1/3 o|a1|-35|8\n";
        assert!(text.starts_with(head), "{text}");
        let notation = notation();
        for text in [text.clone(), text.replace('\n', "\r\n")] {
            let book = parse(&text).unwrap();
            let read: Vec<Entry> = book
                .lines()
                .iter()
                .map(|Line { position, advice }| {
                    let Advice { mv, worth, depth } = *advice;
                    entry(&notation.position_text(position), &notation.move_text(position, mv), worth, depth)
                })
                .collect();
            assert_eq!(read, entries());
            assert_eq!(super::text("tictactoe", &["by hand".into()], &read), good());
        }
        assert_eq!(game_of(&text).unwrap(), "tictactoe");
        assert_eq!(parse(&super::text("tictactoe", &[], &[])).unwrap().lines(), []);
    }

    #[test]
    fn every_damage_is_named_with_its_line() {
        let last = good().lines().last().unwrap().to_owned();
        let own = last.strip_prefix(CHECKSUM).unwrap();
        for (old, new, said) in [
            ("griot-book 1", "griot-tb 1", "line 1: expected 'griot-book 1', found 'griot-tb 1'"),
            ("griot-book 1", "griot-book 2", "line 1: expected version 1 of the format, found '2'; grow it anew"),
            ("game tictactoe", "game awale", "line 2: expected a book for tictactoe, found one for 'awale'"),
            ("game tictactoe\n", "", "line 2: expected 'game NAME', found 'positions 4'"),
            ("positions 4", "positions many", "line 3: expected the number of positions, found 'many'"),
            ("positions 4", "positions 5", "line 3: expected 5 positions, as it says, found 4"),
            ("3/3/3 x|b2", "3/4/3 x|b2", "line 5: row 2: expected"),
            ("3/1x1/3 o|a1|", "3/1x1/3 o|b2|", "line 6: move: expected an empty cell, found a stone on b2"),
            ("|a1|-35|8", "|a1|-35", "line 6: expected BOARD|MOVE|VALUE|DEPTH, found '3/1x1/3 o|a1|-35'"),
            ("|a1|-35|8", "", "line 6: expected BOARD|MOVE|VALUE|DEPTH, found '3/1x1/3 o'"),
            (
                "|-35|",
                "|x|",
                "line 6: value: expected hundredths, such as +35, or 'win PLIES', or 'loss PLIES', found 'x'",
            ),
            ("|win 1|", "|win 0|", "line 7: value: expected hundredths, such as +35"),
            ("|win 1|", "|win 1000001|", "line 7: value: expected hundredths, such as +35"),
            ("|-35|", "|-2147483648|", "line 6: value: expected hundredths, such as +35"),
            ("|win 1|", "|won 1|", "line 7: value: expected hundredths, such as +35"),
            ("|-35|8", "|-35|0", "line 6: depth: expected a number from 1, found '0'"),
            ("xx1/oo1/3 x", "xxx/oo1/3 o", "line 7: expected a position in which the game goes on"),
            ("xx1/oo1/3 x", "3/3/3 x", "line 7: expected another position, found that of line 5, or an image of it"),
            ("# by hand", "# by Hand", "line 9: expected checksum "),
            ("|-35|", "|-36|", "line 9: expected checksum "),
            (
                &format!("{last}\n"),
                "",
                "line 8: expected 'checksum' and eight digits at the end, found none: the book is cut short",
            ),
            (&format!("{last}\n"), &last, "line 9: expected 'checksum' and eight digits at the end"),
            (own, "1234567", "line 9: expected 'checksum' and eight digits at the end"),
            (&last, &format!("{last}\n3/3/2x o|a1|0|1"), "line 10: expected 'checksum' and eight digits at the end"),
        ] {
            let text = good();
            assert!(text.contains(old), "{old}");
            let found = parse(&text.replacen(old, new, 1)).unwrap_err();
            assert!(found.starts_with(said), "{old} -> {new}: {found}");
        }
        // Three stones, and then a line with another image of that position.
        let image = [&entries()[..], &[entry("x2/xoo/2x o", "a1", Worth::Centi(12), 4)]].concat();
        let found = parse(&super::text("tictactoe", &[], &image)).unwrap_err();
        assert!(found.starts_with("line 8: expected another position, found that of line 7, or an image"), "{found}");
    }

    #[test]
    fn a_book_that_is_cut_short_or_changed_anywhere_is_refused() {
        let text = good();
        for end in 0..text.len() {
            assert!(parse(&text[..end]).is_err(), "{end}");
        }
        for at in 0..text.len() {
            for other in ['0', 'x', '|', '\n'] {
                let changed = [&text[..at], &other.to_string(), &text[at + 1..]].concat();
                assert!(changed == text || parse(&changed).is_err(), "{at} {other}");
            }
        }
    }

    #[test]
    fn a_line_serves_all_images_of_its_position() {
        let (book, notation) = (parse(&good()).unwrap(), notation());
        let find = |board: &str| {
            let position = notation.parse_position(board).unwrap();
            let advice = book.find(&position)?;
            Some((notation.move_text(&position, advice.mv), advice.worth))
        };
        // The cells and the move of a line, rotated and mirrored.
        let cells = |board: &str, mv: &str| {
            let rows: Vec<Vec<char>> = board.split('/').map(|row| row.chars().collect()).collect();
            let (col, rank) = (mv.as_bytes()[0] - b'a', mv.as_bytes()[1] - b'1');
            (rows, (2 - usize::from(rank), usize::from(col)))
        };
        let (mut rows, mut at) = cells("..x/oox/x..", "c1");
        let mut seen = std::collections::HashSet::new();
        for turn in 0..8 {
            let text: Vec<String> = rows
                .iter()
                .map(|row| row.iter().collect::<String>().replace("...", "3").replace("..", "2").replace('.', "1"))
                .collect();
            let board = format!("{} o", text.join("/"));
            let mv = format!("{}{}", char::from(b'a' + at.1 as u8), 3 - at.0);
            assert_eq!(find(&board), Some((mv, Worth::Centi(12))), "{board}");
            seen.insert(board);
            if turn == 3 {
                rows.reverse();
                at.0 = 2 - at.0;
            } else {
                rows = (0..3).map(|row| (0..3).map(|col| rows[2 - col][row]).collect()).collect();
                at = (at.1, 2 - at.0);
            }
        }
        assert_eq!(seen.len(), 8);
        assert_eq!(find("3/1x1/3 o").unwrap().0, "a1");
        assert_eq!(find("3/3/x2 o"), None);
        assert_eq!(find("1o1/1x1/3 x"), None);
    }

    #[test]
    fn a_line_is_followed_to_its_end() {
        let (book, notation) = (parse(&good()).unwrap(), notation());
        let line = |board: &str| {
            let mut position = notation.parse_position(board).unwrap();
            let mut texts = Vec::new();
            for mv in book.follow(&position) {
                texts.push(notation.move_text(&position, mv));
                position.play(mv);
            }
            texts.join(" ")
        };
        assert_eq!(line("3/3/3 x"), "b2 a1");
        assert_eq!(line("xx1/oo1/3 x"), "c3");
        assert_eq!(line("o2/1x1/3 x"), "");
    }

    #[test]
    fn values_turn_round_and_keep_their_order() {
        let all = [
            Worth::Loss(2),
            Worth::Loss(9),
            Worth::Centi(-300),
            Worth::Centi(0),
            Worth::Centi(7),
            Worth::Win(8),
            Worth::Win(1),
        ];
        assert!(all.windows(2).all(|two| two[0].rank() < two[1].rank()));
        assert!(all.windows(2).all(|two| two[0].backed_up().rank() > two[1].backed_up().rank()));
        for worth in all {
            assert_eq!(Worth::parse(&worth.to_string()), Some(worth));
        }
        assert_eq!(Worth::Win(3).backed_up(), Worth::Loss(4));
        for (worth, said) in [
            (Worth::Win(1), ReportedScore::Mate(1)),
            (Worth::Win(2), ReportedScore::Mate(1)),
            (Worth::Win(3), ReportedScore::Mate(2)),
            (Worth::Loss(1), ReportedScore::Mate(-1)),
            (Worth::Loss(5), ReportedScore::Mate(-2)),
            (Worth::Centi(-7), ReportedScore::Centi(-7)),
        ] {
            assert_eq!(worth.reported(), said);
        }
        assert!(
            Worth::Centi(100_300).is_decisive() && Worth::Loss(40).is_decisive() && !Worth::Centi(99_999).is_decisive()
        );
    }
}
