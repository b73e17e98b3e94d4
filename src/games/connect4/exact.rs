//! Exact values of all positions of the first plies: grown with the solver, stored in a file, looked up. Layer 2.
//!
//! The file holds the solver's values after a number of plies, mirror images once; those of earlier plies follow. The rules
//! enumerate the positions again when a file is read: it has a byte for each that two plies do not decide, in the order of
//! their keys ([`super::rules::Position::key`], the lower of both images), as one zlib stream (RFC 1950). Version 1 holds plain
//! bytes. A complete book of winners only is version 3, which needs no keys ([`super::keyless`]) and is used without
//! enumerating positions.
//!
//! ```text
//!  griot exact book 2 connect4 plies 6 values 5432\n     0 for a value that is not known yet, 1 for a win and 2 for a loss whose
//!  zlib(v0 v1 v2 ...) crc32                              distance is not, else 64 + the value as the solver counts; the sum of
//!                                                        all before it, least byte first
//!  griot exact book 3 connect4 plies 6 values 5432\n     w, l and d for a win, a loss and a draw, the most frequent first; whether
//!  wld, bits, bits, crc32                                it is the first of all, and of those that are not whether it is the second
//! ```
//!
//! Two files come with the standard board: `winners.bin` (who wins after twelve plies) and `distances.bin` (values after
//! eight), written by the commands below. For the first, the winners after eleven plies were known already, which saves nodes
//! and changes no value:
//!
//! ```text
//!  griot book grow --exact --winners --game connect4 --plies 12 --hash 8192 --out winners.bin
//!  griot book grow --exact --game connect4 --plies 8 --hash 6000 --out distances.bin
//! ```

use std::borrow::Cow;
use std::cmp::Reverse;
use std::fmt::Write as _;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock};
use std::thread;

use miniz_oxide::deflate::compress_to_vec_zlib;
use miniz_oxide::inflate::decompress_to_vec_zlib_with_limit;

use super::keyless::Keyless;
use super::rules::{Position, completions, mirrored, safe};
use super::solver::{Solver, Unsolvable, Value, score, value};
use super::{Board, Parameters};
use crate::game::family::ExactBook;
use crate::game::{self, Position as _};
use crate::score::Score;
use crate::tablebase::file;

/// The beginning of a file of any version.
const MAGIC: &str = "griot exact book ";
/// Compression level of a file, of 10.
const PACKED: u8 = 9;
/// The most plies: positions of later plies do not fit in memory.
pub const MAX_PLIES: u32 = 12;
/// The largest file that is read, in bytes.
const MAX_BYTES: u64 = 64 << 20;
/// The offset added to a value in the file.
const OFFSET: Value = 64;
/// An unknown value.
const UNKNOWN: i8 = i8::MIN;
/// A win and a loss at an unknown distance, beyond the range of exact values.
const WON: i8 = 100;
const LOST: i8 = -WON;

/// The files that come with the standard board, and their plies.
const WINNERS: &[u8] = include_bytes!("winners.bin");
const DISTANCES: &[u8] = include_bytes!("distances.bin");
const OWN_PLIES: u32 = 12;

/// Their values, read on first use. Values between the two files take the solver a few nodes.
static OWN: LazyLock<Option<Values>> = LazyLock::new(|| {
    let values = Values::read(Parameters::STANDARD, DISTANCES).ok()?;
    let winners = Head::read(Parameters::STANDARD, WINNERS).ok()?;
    Some(Values { winners: Winners::read(winners.plies, winners.rest.into()), ..values })
});

/// Starts to read it in the background, once, so that a search with little time need not wait. If no thread can be
/// started, the search reads it.
fn begin_to_read_own() {
    static IS_BEGUN: AtomicBool = AtomicBool::new(false);
    if !IS_BEGUN.swap(true, Ordering::Relaxed) {
        let _ = thread::Builder::new().name("book".into()).spawn(|| LazyLock::force(&OWN).is_some());
    }
}

/// The first line of a file.
struct Head<'a> {
    version: u32,
    plies: u32,
    /// The number of values.
    count: usize,
    /// The rest of the file, without the checksum.
    rest: &'a [u8],
}

impl Head<'_> {
    /// Parses the first line; checks the checksum and the board.
    fn read(parameters: Parameters, bytes: &[u8]) -> Result<Head<'_>, String> {
        let Some((body, sum)) = bytes.split_last_chunk::<4>() else {
            return Err("too short for a book of exact values".into());
        };
        let no_book = || "no book of exact values".to_owned();
        let end = body.iter().position(|&byte| byte == b'\n').ok_or_else(no_book)?;
        let head = String::from_utf8_lossy(&body[..end]);
        let words = head.strip_prefix(MAGIC).ok_or_else(no_book)?;
        let (version, words_of_game) = words.split_once(' ').unwrap_or((words, ""));
        let Some(version) = version.parse().ok().filter(|version| (1..=3).contains(version)) else {
            return Err(format!("expected version 1 to 3 of a book of exact values, found '{words}'"));
        };
        if crc32fast::hash(body).to_le_bytes() != *sum {
            return Err("the checksum is wrong: the file is damaged".into());
        }
        let (game, rest) = words_of_game.split_once(' ').unwrap_or((words_of_game, ""));
        if game != parameters.to_string() {
            return Err(format!("a book of exact values for {game}, not for {parameters}"));
        }
        let number = |text: &str| text.parse::<u32>().ok();
        let numbers = rest.strip_prefix("plies ").and_then(|rest| rest.split_once(" values "));
        let numbers = numbers.and_then(|(plies, values)| Some((number(plies)?, number(values)?)));
        let Some((plies, count)) = numbers.filter(|&(plies, _)| plies <= MAX_PLIES) else {
            return Err(format!("first line: expected 'plies' up to {MAX_PLIES} and 'values', found '{rest}'"));
        };
        Ok(Head { version, plies, count: count as usize, rest: &body[end + 1..] })
    }
}

/// The winner of each position after this many plies that two further plies do not decide.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Winners {
    plies: u32,
    /// [`WON`], [`LOST`] and 0, the most frequent first.
    order: [i8; 3],
    /// Whether the result is the first of `order`.
    is_first: Keyless,
    /// For the others, whether it is the second of `order`.
    is_second: Keyless,
}

impl Winners {
    /// The letters of a file, with their values.
    const LETTERS: [(u8, i8); 3] = [(b'w', WON), (b'l', LOST), (b'd', 0)];

    /// The winners of these positions, given by their keys.
    fn new(plies: u32, positions: &[(u64, i8)]) -> Winners {
        let mut order = Winners::LETTERS.map(|(_, value)| value);
        order.sort_by_key(|&value| Reverse(positions.iter().filter(|&&(_, other)| other == value).count()));
        let bits = |rank: usize| {
            let left = positions.iter().filter(|(_, value)| !order[..rank].contains(value));
            Keyless::new(&left.map(|&(key, value)| (key, value == order[rank])).collect::<Vec<_>>())
        };
        Winners { plies, order, is_first: bits(0), is_second: bits(1) }
    }

    /// The winner of one of those positions: [`WON`], [`LOST`] or 0. Meaningless for any other key.
    #[inline]
    fn find(&self, key: u64) -> i8 {
        self.order[if self.is_first.get(key) { 0 } else { 2 - usize::from(self.is_second.get(key)) }]
    }

    /// The bytes of a file after its first line.
    fn bytes(&self) -> Vec<u8> {
        let letter = |value| Winners::LETTERS.into_iter().find(|&(_, other)| other == value).map(|(letter, _)| letter);
        let letters = self.order.into_iter().filter_map(letter);
        letters.chain(self.is_first.bytes()).chain(self.is_second.bytes()).collect()
    }

    /// Parses the bytes of a file after its first line.
    fn read(plies: u32, bytes: Cow<'static, [u8]>) -> Option<Winners> {
        let value = |letter| Winners::LETTERS.into_iter().find(|&(other, _)| other == letter).map(|(_, value)| value);
        let (&[first, second, third], _) = bytes.split_first_chunk::<3>()?;
        let order = [value(first)?, value(second)?, value(third)?];
        let rest = match bytes {
            Cow::Borrowed(bytes) => bytes[3..].into(),
            Cow::Owned(bytes) => bytes[3..].to_vec().into(),
        };
        let (is_first, rest) = Keyless::read(rest)?;
        let (is_second, rest) = Keyless::read(rest)?;
        rest.is_empty().then_some(Winners { plies, order, is_first, is_second })
    }
}

/// The positions after some number of plies in which the game goes on, by their keys, and their values.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Layer {
    keys: Vec<u64>,
    values: Vec<i8>,
}

impl Layer {
    /// The known value of a position, or [`WON`] or [`LOST`].
    fn find(&self, key: u64) -> Option<Value> {
        let place = self.keys.binary_search(&key).ok()?;
        Some(self.values[place]).filter(|&value| value != UNKNOWN).map(Value::from)
    }
}

/// The values of all positions up to some ply.
#[derive(Debug, Clone)]
pub struct Values {
    parameters: Parameters,
    /// By plies, from the empty board on.
    layers: Vec<Layer>,
    /// Indices in the last layer of the values in the file.
    open: Vec<usize>,
    /// Winners after more plies than there are layers.
    winners: Option<Winners>,
}

/// Whether a known value is exact.
const fn is_exact(value: i8) -> bool {
    LOST < value && value < WON && value != UNKNOWN
}

/// The lower key of a position and its mirror image.
fn canonical<B: Board>(position: &Position<B>) -> u64 {
    position.key().min(position.mirrored_key())
}

/// The stones on the board with this key: those of the side to move, and all.
fn stones_of(parameters: &Parameters, key: u64) -> (u64, u64) {
    // The key of n stones in a column is from 2^n - 1 to 2^(n+1) - 2; with 1 added, bit n is the highest.
    let mut filled = key + parameters.bottom;
    let height = parameters.height();
    let mut step = 1;
    while step < height {
        // Mask out bits shifted in from the next column.
        let below = parameters.bottom * ((1 << (height - step)) - 1);
        filled |= (filled >> step) & below;
        step *= 2;
    }
    let mask = filled >> 1 & parameters.cells;
    (key - mask, mask)
}

/// The position with this key.
fn position_of<B: Board>(board: B, key: u64) -> Position<B> {
    let (mine, mask) = stones_of(board.parameters(), key);
    let is_first = mask.count_ones().is_multiple_of(2);
    Position::with_stones(board, if is_first { [mine, mask ^ mine] } else { [mask ^ mine, mine] })
}

/// The keys of the positions one ply later in which the game goes on, in order.
fn keys_after(parameters: &Parameters, keys: &[u64]) -> Vec<u64> {
    let columns: Vec<u64> = (0..u32::from(parameters.cols)).map(|col| parameters.column(col)).collect();
    let mut after = Vec::with_capacity(keys.len() * usize::from(parameters.cols));
    for &key in keys {
        let (mine, mask) = stones_of(parameters, key);
        let theirs = mask ^ mine;
        let [mirrored_theirs, mirrored_mask] = [theirs, mask].map(|stones| mirrored(parameters, stones));
        let wins = completions(parameters, mine);
        let cells = (mask + parameters.bottom) & parameters.cells & !wins;
        let mirrored_cells = mirrored(parameters, cells);
        for (column, image) in columns.iter().zip(columns.iter().rev()) {
            let taken = mask | cells & column;
            if taken != mask && taken != parameters.cells {
                after.push((theirs + taken).min(mirrored_theirs + (mirrored_mask | mirrored_cells & image)));
            }
        }
    }
    sort_keys(&mut after, u32::from(parameters.cols) * parameters.height());
    after.dedup();
    after
}

/// Radix sort of keys with this many bits, the lowest digit first. It is faster than sorting by comparison, and the
/// first search waits for a million keys.
fn sort_keys(keys: &mut Vec<u64>, bits: u32) {
    const DIGIT: u32 = 11;
    let mut sorted = vec![0; keys.len()];
    for shift in (0..bits).step_by(DIGIT as usize) {
        let digit = |key: u64| (key >> shift) as usize % (1 << DIGIT);
        let mut next = [0_usize; (1 << DIGIT) + 1];
        for &key in &*keys {
            next[digit(key) + 1] += 1;
        }
        for at in 1..next.len() {
            next[at] += next[at - 1];
        }
        for &key in &*keys {
            let place = &mut next[digit(key)];
            sorted[*place] = key;
            *place += 1;
        }
        std::mem::swap(keys, &mut sorted);
    }
}

/// The moves of a position.
fn moves<B: Board>(position: &Position<B>) -> Vec<u8> {
    let mut moves = Vec::new();
    position.generate(&mut moves);
    moves
}

/// The value of a position that two plies decide.
fn at_a_glance(position: &Position<Parameters>) -> Option<Value> {
    if let Some(outcome) = position.outcome() {
        return Some(value(outcome.score_for(position.side_to_move()), position.free().count_ones()));
    }
    let mine = position.stones(position.side_to_move());
    glance(position.parameters(), mine, position.parameters().cells & !position.free())
}

/// The same for a board with these stones of the side to move and `mask` of both, if the game goes on.
fn glance(parameters: &Parameters, mine: u64, mask: u64) -> Option<Value> {
    let playable = (mask + parameters.bottom) & parameters.cells;
    let free = (parameters.cells & !mask).count_ones();
    if completions(parameters, mine) & playable != 0 {
        Some(value(Score::win_in(1), free))
    } else if free >= 2 && safe(playable, completions(parameters, mask ^ mine) & !mask) == 0 {
        Some(value(Score::loss_in(2), free))
    } else {
        None
    }
}

impl Values {
    /// A book without values, for positions up to this many plies, at most [`MAX_PLIES`].
    #[must_use]
    pub fn new(parameters: Parameters, plies: u32) -> Values {
        let mut layers = vec![Layer { keys: vec![canonical(&Position::start(parameters))], values: Vec::new() }];
        for _ in 0..plies.min(MAX_PLIES) {
            let keys = keys_after(&parameters, layers.last().map_or(&[][..], |layer| &layer.keys));
            layers.push(Layer { keys, values: Vec::new() });
        }
        for layer in &mut layers {
            layer.values = vec![UNKNOWN; layer.keys.len()];
        }
        let mut open = Vec::new();
        if let Some(last) = layers.last_mut() {
            for (place, &key) in last.keys.iter().enumerate() {
                let (mine, mask) = stones_of(&parameters, key);
                match glance(&parameters, mine, mask) {
                    Some(value) => last.values[place] = value as i8,
                    None => open.push(place),
                }
            }
        }
        Values { parameters, layers, open, winners: None }
    }

    /// Reads a file for a board.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn read(parameters: Parameters, bytes: &[u8]) -> Result<Values, String> {
        let Head { version, plies, count, rest } = Head::read(parameters, bytes)?;
        let mut values = Values::new(parameters, plies);
        let expected = values.open.len();
        let short = |found: usize| Err(format!("expected {expected} values, found {found}"));
        if count != expected {
            return short(count);
        }
        let Some(last) = values.layers.last_mut() else { return short(0) };
        if version == 3 {
            let Some(winners) = Winners::read(plies, rest.to_vec().into()) else {
                return Err("its winners: a length other than the one in the header".into());
            };
            for &place in &values.open {
                last.values[place] = winners.find(last.keys[place]);
            }
        } else {
            let mut found = Cow::Borrowed(rest);
            if version == 2 {
                let unpacked = decompress_to_vec_zlib_with_limit(rest, expected + 1);
                found = unpacked.map_err(|error| format!("its values: {error}"))?.into();
            }
            if found.len() != expected {
                return short(found.len());
            }
            let free = parameters.cells.count_ones() - plies;
            let range = -(free as Value) / 2..=(free as Value + 1) / 2;
            for (&place, &byte) in values.open.iter().zip(found.iter()) {
                let value = Value::from(byte) - OFFSET;
                last.values[place] = match byte {
                    0 => UNKNOWN,
                    1 => WON,
                    2 => LOST,
                    _ if range.contains(&value) => value as i8,
                    _ => return Err(format!("a value of {value}, which no position has")),
                };
            }
        }
        values.back_up();
        Ok(values)
    }

    /// Computes the values of all earlier positions from the last layer. A position with an unknown successor is
    /// unknown, unless it wins at once.
    fn back_up(&mut self) {
        for ply in (0..self.plies() as usize).rev() {
            let (before, behind) = self.layers.split_at_mut(ply + 1);
            let (layer, next) = (&mut before[ply], &behind[0]);
            for (key, value) in layer.keys.iter().zip(&mut layer.values) {
                let position = position_of(self.parameters, *key);
                let worth = |mv| {
                    let next_position = position.after(mv);
                    match next_position.outcome() {
                        Some(_) => at_a_glance(&next_position),
                        None => next.find(canonical(&next_position)),
                    }
                };
                let glance = at_a_glance(&position);
                let known = glance.or_else(|| {
                    let all = moves(&position).into_iter().map(|mv| worth(mv).map(|worth| -worth));
                    let all: Vec<Value> = all.collect::<Option<_>>()?;
                    let best = all.iter().copied().max()?;
                    // The longest defence may be one of those with an unknown distance.
                    let lost = Value::from(LOST);
                    Some(if best < 0 && all.contains(&lost) { lost } else { best })
                });
                *value = known.map_or(UNKNOWN, |value| value as i8);
            }
        }
    }

    /// The ply up to which all positions are known.
    #[must_use]
    pub fn plies(&self) -> u32 {
        self.layers.len() as u32 - 1
    }

    /// The ply up to which some positions are known.
    pub(super) fn last_ply(&self) -> u32 {
        self.winners.as_ref().map_or(self.plies(), |winners| winners.plies)
    }

    /// The number of positions after this many plies in which the game goes on; mirror images count separately.
    #[must_use]
    pub fn positions(&self, ply: u32) -> usize {
        let layer = &self.layers[ply as usize];
        layer.keys.iter().map(|&key| if key == mirrored(&self.parameters, key) { 1 } else { 2 }).sum()
    }

    /// The positions whose values are in the file, and their values if known.
    pub fn held(&self) -> impl Iterator<Item = (Position<Parameters>, Option<Score>)> {
        let free = self.parameters.cells.count_ones() - self.plies();
        self.open.iter().filter_map(move |&place| {
            let last = self.layers.last()?;
            let known = Some(last.values[place]).filter(|&value| is_exact(value));
            Some((position_of(self.parameters, last.keys[place]), known.map(|value| score(value.into(), free))))
        })
    }

    /// The value of a position in which the game goes on, if known.
    #[inline]
    #[must_use]
    pub fn find<B: Board>(&self, position: &Position<B>) -> Option<Score> {
        let free = position.free().count_ones();
        self.known(canonical(position), free).filter(|&value| is_exact(value as i8)).map(|value| score(value, free))
    }

    /// The known value, or [`WON`] or [`LOST`], of a position in which the game goes on; given by its key (the lower
    /// one of both images) and its number of free cells.
    #[inline]
    fn known(&self, key: u64, free: u32) -> Option<Value> {
        let ply = self.parameters.cells.count_ones() - free;
        if let Some(layer) = self.layers.get(ply as usize) {
            return layer.find(key);
        }
        let winners = self.winners.as_ref().filter(|winners| winners.plies == ply)?;
        let (mine, mask) = stones_of(&self.parameters, key);
        Some(glance(&self.parameters, mine, mask).unwrap_or_else(|| winners.find(key).into()))
    }

    /// Bounds on the value of the position with this key (the lower one of both images) and this many free cells.
    #[inline]
    pub(super) fn bounds(&self, key: u64, free: u32) -> Option<(Value, Value)> {
        let most = (free as Value + 1) / 2;
        Some(match self.known(key, free)? {
            value if value == Value::from(WON) => (1, most),
            value if value == Value::from(LOST) => (-most, -1),
            value => (value, value),
        })
    }

    /// The bytes of its file.
    #[must_use]
    pub fn bytes(&self) -> Vec<u8> {
        let last = self.layers.last().map_or(&[][..], |last| &last.values);
        let is_of_winners =
            !self.open.is_empty() && self.open.iter().all(|&place| [WON, LOST, 0].contains(&last[place]));
        let (version, body) = if is_of_winners { (3, self.winners_by_key()) } else { (2, self.packed()) };
        let mut head = String::new();
        // Writing to a string does not fail.
        let plies = self.plies();
        let _ = writeln!(head, "{MAGIC}{version} {} plies {plies} values {}", self.parameters, self.open.len());
        let mut bytes = head.into_bytes();
        bytes.extend(body);
        let sum = crc32fast::hash(&bytes);
        bytes.extend(sum.to_le_bytes());
        bytes
    }

    /// The bytes of a version 3 file after its first line.
    fn winners_by_key(&self) -> Vec<u8> {
        let Some(last) = self.layers.last() else { return Vec::new() };
        let open: Vec<(u64, i8)> = self.open.iter().map(|&place| (last.keys[place], last.values[place])).collect();
        Winners::new(self.plies(), &open).bytes()
    }

    /// The bytes of a version 2 file after its first line.
    fn packed(&self) -> Vec<u8> {
        let last = self.layers.last().map_or(&[][..], |last| &last.values);
        let byte = |&place: &usize| match last[place] {
            UNKNOWN => 0,
            WON => 1,
            LOST => 2,
            value => (Value::from(value) + OFFSET) as u8,
        };
        compress_to_vec_zlib(&self.open.iter().map(byte).collect::<Vec<u8>>(), PACKED)
    }
}

/// A book that is being grown.
#[derive(Debug)]
pub struct Growing<B> {
    board: B,
    values: Values,
    solver: Solver<B>,
    /// The values known already, on the standard board, unless only winners are wanted.
    known: Option<&'static Values>,
    /// Whether only winners are wanted.
    winners: bool,
    /// All open places before this one are known.
    next: usize,
}

impl<B: Board> Growing<B> {
    /// A book without values for positions up to this many plies, and a solver with a table of this many bytes.
    ///
    /// # Errors
    /// See [`Unsolvable`].
    pub fn new(board: B, plies: u32, bytes: usize) -> Result<Growing<B>, Unsolvable> {
        let solver = Solver::new(board, bytes)?;
        let plies = plies.min(board.parameters().cells.count_ones().saturating_sub(2));
        let parameters = *board.parameters();
        let known = if parameters == Parameters::STANDARD { OWN.as_ref() } else { None };
        Ok(Growing { board, values: Values::new(parameters, plies), solver, known, winners: false, next: 0 })
    }

    /// Whether this value is enough for the book.
    fn is_enough(&self, value: i8) -> bool {
        is_exact(value) || self.winners && value != UNKNOWN
    }
}

impl<B: Board> ExactBook for Growing<B> {
    fn beginning(&self) -> &'static str {
        MAGIC
    }

    fn read(&mut self, bytes: &[u8]) -> Result<(), String> {
        let values = Values::read(self.values.parameters, bytes)?;
        if values.plies() != self.values.plies() {
            return Err(format!("a book up to ply {}, not {}", values.plies(), self.values.plies()));
        }
        (self.values, self.next) = (values, 0);
        Ok(())
    }

    fn look_for_winners(&mut self) {
        (self.winners, self.next) = (true, 0);
    }

    fn progress(&self) -> (usize, usize) {
        let last = self.values.layers.last().map_or(&[][..], |last| &last.values);
        let open = &self.values.open;
        (open.iter().filter(|&&place| self.is_enough(last[place])).count(), open.len())
    }

    fn grow(&mut self, stop: &(dyn Fn(u64) -> bool + Sync)) -> bool {
        let Some(last) = self.values.layers.last() else { return false };
        let rest = self.values.open.iter().skip(self.next);
        self.next += rest.take_while(|&&place| self.is_enough(last.values[place])).count();
        let Some(&place) = self.values.open.get(self.next) else { return false };
        let key = last.keys[place];
        let position = position_of(self.board, key);
        let free = position.free().count_ones();
        let found = if self.winners {
            self.solver.winner(&position, stop).map(|winner| winner as i8 * WON)
        } else {
            let found = self.solver.value_within(self.known, self.values.bounds(key, free), &position, stop);
            found.map(|found| value(found, free) as i8)
        };
        if let (Some(found), Some(last)) = (found, self.values.layers.last_mut()) {
            last.values[place] = found;
        }
        found.is_some()
    }

    fn bytes(&self) -> Vec<u8> {
        self.values.bytes()
    }
}

/// Exact values of Connect Four: those of a file, if there is one, and those that come with the standard board.
#[derive(Debug, Clone)]
pub struct Exact {
    parameters: Parameters,
    values: Option<Arc<Values>>,
    /// Whether the values that come with the board are wanted and loaded.
    own: Own,
}

/// The switch for the values that come with the standard board, shared with the solver.
#[derive(Debug, Clone, Default)]
pub(super) struct Own(Arc<AtomicBool>);

impl Own {
    /// The values, if they are wanted.
    #[inline]
    pub(super) fn values(&self) -> Option<&'static Values> {
        if !self.0.load(Ordering::Relaxed) {
            return None;
        }
        OWN.as_ref()
    }
}

impl Exact {
    /// Without values until [`game::Probe::prepare`] or a folder provides some.
    #[must_use]
    pub fn new(parameters: Parameters) -> Exact {
        Exact::with_switch(parameters, Own::default())
    }

    /// The same, with a shared switch.
    pub(super) fn with_switch(parameters: Parameters, own: Own) -> Exact {
        Exact { parameters, values: None, own }
    }

    /// The name of the file of a board: the name of the game without characters that are special in file names.
    #[must_use]
    pub fn file_name(parameters: &Parameters) -> String {
        parameters.to_string().replace([':', ','], "-") + ".exact"
    }
}

impl<B: Board> game::Probe<Position<B>> for Exact {
    #[inline]
    fn probe(&self, position: &Position<B>) -> Option<Score> {
        let in_file = self.values.as_ref().and_then(|values| values.find(position));
        // INVARIANT: the switch is on only for the standard board.
        in_file.or_else(|| self.own.values()?.find(position))
    }

    /// Loads the values that come with the board, if a search from `root` can reach them.
    fn prepare(&self, root: &Position<B>) -> bool {
        if self.parameters != Parameters::STANDARD || root.stones_played() > OWN_PLIES {
            return true;
        }
        self.own.0.store(true, Ordering::Relaxed);
        LazyLock::force(&OWN).is_some()
    }

    /// Reads the file of the board in `directory`, if there is one. The values that come with the board are used as
    /// well.
    fn with_tables(&self, directory: Option<&Path>) -> Result<Exact, String> {
        if self.parameters == Parameters::STANDARD {
            begin_to_read_own();
        }
        let nothing = Exact { values: None, ..self.clone() };
        let Some(path) = directory.map(|directory| directory.join(Exact::file_name(&self.parameters))) else {
            return Ok(nothing);
        };
        let Some(bytes) = file::read(&path, MAX_BYTES).map_err(|error| error.to_string())? else { return Ok(nothing) };
        let values = Values::read(self.parameters, &bytes).map_err(|error| format!("{}: {error}", path.display()))?;
        Ok(Exact { values: Some(Arc::new(values)), ..nothing })
    }

    fn without_tables(&self) -> Exact {
        self.own.0.store(false, Ordering::Relaxed);
        Exact { values: None, ..self.clone() }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Standard, parse_parameters};
    use super::*;
    use crate::game::SplitMix64;
    use std::sync::atomic::{AtomicU64, Ordering};

    fn grown(name: &str, plies: u32) -> Growing<Parameters> {
        let mut book = Growing::new(parse_parameters(name).unwrap(), plies, 1 << 16).unwrap();
        while book.grow(&|_| false) {}
        book
    }

    fn read_again(book: &impl ExactBook, name: &str) -> Values {
        Values::read(parse_parameters(name).unwrap(), &book.bytes()).unwrap()
    }

    fn with_sum(body: &[u8]) -> Vec<u8> {
        [body, &crc32fast::hash(body).to_le_bytes()].concat()
    }

    /// Positions of the standard board after this many plies that the side to move wins, according to its book.
    fn won_after(plies: u32) -> Vec<Position<Standard>> {
        let (own, mut rng) = (OWN.as_ref().unwrap(), SplitMix64::new(21));
        let mut won = Vec::new();
        while won.len() < 60 {
            let mut position = Position::start(Standard);
            while position.outcome().is_none() && position.stones_played() < plies {
                let moves = moves(&position);
                position.play(moves[rng.below(moves.len())]);
            }
            let free = position.free().count_ones();
            if position.outcome().is_none() && own.known(canonical(&position), free) == Some(WON.into()) {
                won.push(position);
            }
        }
        won
    }

    /// A book as a version 1 file, without its checksum.
    fn of_first_version(values: &Values) -> Vec<u8> {
        let (parameters, plies, count) = (values.parameters, values.plies(), values.open.len());
        let unpacked = decompress_to_vec_zlib_with_limit(&values.packed(), count).unwrap();
        let head = format!("{MAGIC}1 {parameters} plies {plies} values {count}\n");
        [head.as_bytes(), &unpacked].concat()
    }

    #[test]
    fn there_are_as_many_positions_after_each_ply_as_the_literature_says() {
        // CITE: OEIS A212693, the positions of 7x6 after n plies, those in which the game ends there among them.
        const KNOWN: [usize; 9] = [1, 7, 49, 238, 1120, 4263, 16_422, 54_859, 184_275];
        let values = Values::new(Parameters::STANDARD, 8);
        for (ply, known) in (0..).zip(KNOWN) {
            let mut ended = Vec::new();
            for &key in if ply == 0 { &[][..] } else { &values.layers[ply as usize - 1].keys } {
                let position = position_of(Parameters::STANDARD, key);
                ended.extend(
                    moves(&position).into_iter().map(|mv| position.after(mv)).filter(|next| next.outcome().is_some()),
                );
            }
            let mut ended: Vec<u64> =
                ended.iter().flat_map(|position| [position.key(), position.mirrored_key()]).collect();
            ended.sort_unstable();
            ended.dedup();
            assert_eq!(values.positions(ply) + ended.len(), known, "ply {ply}");
        }
    }

    #[test]
    fn a_position_comes_back_from_its_key() {
        let mut rng = SplitMix64::new(8);
        for name in ["connect4", "connect4:8,7,4", "connect4:1,9,3", "connect4:4,4,4"] {
            let mut position = Position::start(parse_parameters(name).unwrap());
            while position.outcome().is_none() {
                assert_eq!(position_of(*position.parameters(), position.key()), position);
                let moves = moves(&position);
                position.play(moves[rng.below(moves.len())]);
            }
        }
    }

    #[test]
    fn a_book_knows_every_position_up_to_its_ply_and_none_behind() {
        for (name, plies) in [("connect4:4,4,4", 5), ("connect4:5,4,3", 4), ("connect4:3,3,3", 7)] {
            let book = grown(name, plies);
            let (known, all) = book.progress();
            assert!(known == all && all > 5, "{name}: {known} of {all}");
            let values = read_again(&book, name);
            assert_eq!(values.plies(), plies);
            let mut solver = Solver::new(values.parameters, 1 << 16).unwrap();
            let mut found = 0;
            let mut line = vec![Position::start(values.parameters)];
            while let Some(position) = line.pop() {
                let value = values.find(&position);
                if position.stones_played() > plies {
                    assert_eq!(value, None);
                    continue;
                }
                found += 1;
                assert_eq!(value, solver.value(&position, &|_| false), "{name} {position:?}");
                line.extend(
                    moves(&position).into_iter().map(|mv| position.after(mv)).filter(|next| next.outcome().is_none()),
                );
            }
            assert!(found > 100);
        }
    }

    #[test]
    fn a_book_that_was_interrupted_grows_to_the_same() {
        let whole = grown("connect4:4,4,4", 4).bytes();
        let mut book = Growing::new(parse_parameters("connect4:4,4,4").unwrap(), 4, 1 << 16).unwrap();
        let mut times = 0;
        loop {
            let bytes = book.bytes();
            let (known, all) = book.progress();
            assert_eq!(known, all.min(7 * times), "what was found is kept");
            if known == all {
                assert!(bytes == whole);
                return;
            }
            book = Growing::new(parse_parameters("connect4:4,4,4").unwrap(), 4, 1 << 16).unwrap();
            book.read(&bytes).unwrap();
            for _ in 0..7 {
                book.grow(&|_| false);
            }
            times += 1;
        }
    }

    #[test]
    fn a_book_of_winners_grows_on_to_exact_values() {
        for (name, plies) in [("connect4:4,4,4", 4), ("connect4:5,4,4", 4), ("connect4:5,4,3", 3)] {
            let parameters = parse_parameters(name).unwrap();
            let (whole, begun) = (grown(name, plies), || Growing::new(parameters, plies, 1 << 16).unwrap());
            let mut book = begun();
            book.look_for_winners();
            for _ in 0..5 {
                book.grow(&|_| false);
            }
            // Interrupted, and continued.
            let mut winners = begun();
            winners.read(&book.bytes()).unwrap();
            winners.look_for_winners();
            assert_eq!(winners.progress(), (5, whole.values.open.len()));
            while winners.grow(&|_| false) {}
            let [of_winners, of_whole] = [&winners, &whole].map(|book| book.values.layers.last().unwrap());
            for &place in &whole.values.open {
                let (told, exact) = (of_winners.values[place], of_whole.values[place]);
                assert_eq!(told, WON * exact.signum(), "{name} {}", of_whole.keys[place]);
            }
            // Distances are computed from there.
            let mut again = begun();
            again.read(&winners.bytes()).unwrap();
            let decided = of_winners.values.iter().filter(|value| value.abs() == WON).count();
            let (known, all) = again.progress();
            assert!(decided > 0 && known + decided == all, "{name}: {known} of {all}");
            while again.grow(&|_| false) {}
            assert!(again.bytes() == whole.bytes(), "{name}");
            // A complete book of winners keeps no keys, and is looked up directly.
            let bytes = winners.bytes();
            let head = Head::read(parameters, &bytes).unwrap();
            assert_eq!(head.version, 3);
            let by_key = Winners::read(plies, head.rest.to_vec().into()).unwrap();
            let told = of_winners.keys.iter().zip(&of_winners.values);
            let mut told = told.enumerate().filter(|(place, _)| whole.values.open.contains(place));
            assert!(told.all(|(_, (&key, &value))| by_key.find(key) == value), "{name}");
        }
    }

    #[test]
    fn half_a_book_tells_what_it_knows() {
        let parameters = parse_parameters("connect4:4,4,4").unwrap();
        let mut book = Growing::new(parameters, 4, 1 << 16).unwrap();
        for _ in 0..10 {
            book.grow(&|_| false);
        }
        let (half, whole) =
            (read_again(&book, "connect4:4,4,4"), read_again(&grown("connect4:4,4,4", 4), "connect4:4,4,4"));
        let (mut told, mut open) = (0, 0);
        for (position, value) in half.held() {
            match value {
                Some(value) => {
                    told += 1;
                    assert_eq!(whole.find(&position), Some(value));
                }
                None => open += 1,
            }
        }
        assert!(told >= 10 && open > 10, "{told} {open}");
        assert_eq!(half.find(&Position::start(parameters)), None);
    }

    #[test]
    fn damaged_books_are_refused() {
        let parameters = parse_parameters("connect4:4,4,4").unwrap();
        let book = grown("connect4:4,4,4", 3);
        let (values, whole) = (&book.values, read_again(&book, "connect4:4,4,4"));
        let body = of_first_version(values);
        let mut winners = Growing::new(parameters, 3, 1 << 16).unwrap();
        winners.look_for_winners();
        while winners.grow(&|_| false) {}
        for good in [values.bytes(), with_sum(&body), winners.bytes()] {
            assert_eq!(Values::read(parameters, &good).unwrap().layers.len(), whole.layers.len());
            for place in 0..good.len() {
                let mut bytes = good.clone();
                bytes[place] ^= 1;
                assert!(Values::read(parameters, &bytes).is_err(), "byte {place}");
                assert!(Values::read(parameters, &good[..place]).is_err(), "{place} bytes");
            }
        }
        let mut wild = body.clone();
        wild[body.len() - 1] = 255;
        let [cut, cut_winners] = [values.bytes(), winners.bytes()].map(|bytes| with_sum(&bytes[..bytes.len() - 10]));
        for (bytes, said) in [
            (Vec::new(), "too short"),
            (with_sum(b"griot-book 1\n"), "no book of exact values"),
            (with_sum(b"griot exact book 4 connect4:4,4,4 plies 1 values 4\n"), "expected version 1 to 3"),
            (with_sum(&[&body, &b"@"[..]].concat()), "expected "),
            (cut, "its values: "),
            (cut_winners, "its winners: "),
            (with_sum(&wild), "a value of 191"),
            (with_sum(b"griot exact book 1 connect4:4,4,4 plies 99 values 0\n"), "'plies' up to 12"),
            (with_sum(b"griot exact book 1 connect4 plies 0 values 1\n@"), "for connect4, not for connect4:4,4,4"),
        ] {
            let error = Values::read(parameters, &bytes).unwrap_err();
            assert!(error.contains(said), "{error}");
        }
    }

    #[test]
    fn the_books_of_the_standard_board_are_what_is_known_of_it() {
        for (bytes, sum) in [(WINNERS, 0xEBE4_179E), (DISTANCES, 0xE516_DFAD)] {
            assert_eq!(bytes.split_last_chunk::<4>().map(|(_, sum)| u32::from_le_bytes(*sum)), Some(sum));
        }
        let own = OWN.as_ref().unwrap();
        assert_eq!((own.plies(), own.last_ply()), (8, OWN_PLIES));
        assert!(own.layers.iter().all(|layer| layer.values.iter().all(|&value| is_exact(value))));
        let start = Position::start(Standard);
        assert_eq!(own.find(&start), Some(Score::win_in(41)));
        // CITE: P. Pons, "Solving Connect 4: how to build a perfect AI", 2015.
        for (col, expected) in (0..).zip([-2, -1, 0, 1, 0, -1, -2]) {
            let next = start.after(start.landing(col).unwrap());
            let found = own.find(&next).map(|found| -value(found, next.free().count_ones()));
            assert_eq!(found, Some(expected), "column {col}");
        }
        // Some positions that the solver finishes quickly without the books.
        let (mut solver, mut rng) = (Solver::new(Standard, 1 << 22).unwrap(), SplitMix64::new(4));
        for ply in [8, OWN_PLIES] {
            let mut solved = 0;
            for _ in 0..200 {
                let mut position = start;
                while position.stones_played() < ply && position.outcome().is_none() {
                    let moves = moves(&position);
                    position.play(moves[rng.below(moves.len())]);
                }
                let nodes = AtomicU64::new(0);
                let is_long = |more| nodes.fetch_add(more, Ordering::Relaxed) + more > 40_000;
                let free = position.free().count_ones();
                if position.outcome().is_none()
                    && let Some(found) = solver.value(&position, &is_long)
                {
                    let (lower, upper) = own.bounds(canonical(&position), free).unwrap();
                    let found = value(found, free);
                    assert!(lower <= found && found <= upper, "{position:?}: {found}, {lower} to {upper}");
                    solved += 1;
                }
            }
            assert!(solved > 20, "ply {ply}: {solved}");
        }
    }

    /// The winners after eight plies follow from later winners.
    #[test]
    fn the_two_books_agree() {
        let own = OWN.as_ref().unwrap();
        let mut rng = SplitMix64::new(6);
        for _ in 0..40 {
            let layer = &own.layers[8];
            let place = rng.below(layer.keys.len());
            let position = position_of(Standard, layer.keys[place]);
            assert_eq!(backed_up(own, &position), i32::from(layer.values[place]).signum(), "{position:?}");
        }
    }

    /// The winner, from the winners of later plies alone.
    fn backed_up(own: &Values, position: &Position<Standard>) -> Value {
        let free = position.free().count_ones();
        if let Some(outcome) = position.outcome() {
            return value(outcome.score_for(position.side_to_move()), free).signum();
        }
        if position.stones_played() == OWN_PLIES {
            return own.known(canonical(position), free).unwrap().signum();
        }
        moves(position).into_iter().map(|mv| -backed_up(own, &position.after(mv))).max().unwrap()
    }

    #[test]
    fn where_a_win_is_known_a_move_that_does_not_lose_is_no_news() {
        let own = OWN.as_ref().unwrap();
        let mut solver = Solver::new(Standard, 1 << 22).unwrap();
        let mut stopped = 0;
        for position in won_after(OWN_PLIES) {
            let nodes = AtomicU64::new(0);
            let is_long = |more| nodes.fetch_add(more, Ordering::Relaxed) + more > 60_000;
            let solution = solver.solve_by(Some(own), &position, &is_long, &mut |_| {});
            assert_ne!(solution.lower, Score::DRAW, "{position:?}");
            if solution.lower < Score::DRAW {
                stopped += 1;
                let likely = solution.likely.unwrap();
                assert!(position.playable() >> likely & 1 != 0, "{position:?} {likely}");
            }
        }
        assert!(stopped > 3, "{stopped}");
    }

    #[test]
    fn a_win_or_loss_of_unknown_length_is_told_as_bounds() {
        let parameters = parse_parameters("connect4:4,4,4").unwrap();
        let whole = grown("connect4:4,4,3", 3);
        let parameters_of_three = parse_parameters("connect4:4,4,3").unwrap();
        let mut vague = of_first_version(&whole.values);
        let begin = vague.iter().position(|&byte| byte == b'\n').unwrap() + 1;
        for byte in &mut vague[begin..] {
            *byte = match byte.cmp(&&mut 64) {
                std::cmp::Ordering::Less => 2,
                std::cmp::Ordering::Equal => 64,
                std::cmp::Ordering::Greater => 1,
            };
        }
        let vague_values = Values::read(parameters_of_three, &with_sum(&vague)).unwrap();
        assert_eq!(of_first_version(&vague_values), vague);
        let exact = read_again(&whole, "connect4:4,4,3");
        let mut told = 0;
        for ply in 0..=3 {
            let (exact, vague) = (&exact.layers[ply as usize], &vague_values.layers[ply as usize]);
            for (key, &value) in exact.keys.iter().zip(&exact.values) {
                let (lower, upper) = vague_values.bounds(*key, 16 - ply).unwrap();
                assert!(lower <= value.into() && Value::from(value) <= upper, "{key}: {value}, {lower} to {upper}");
                assert!(value == 0 || lower.signum() == upper.signum());
                told += u32::from(lower < upper);
            }
            assert_eq!(exact.keys, vague.keys);
        }
        assert!(told > 10, "{told}");
        // A solver with the book finds the same values as one without it, in fewer nodes.
        let (mut by_book, mut alone) =
            (Solver::new(parameters_of_three, 1 << 16).unwrap(), Solver::new(parameters_of_three, 1 << 16).unwrap());
        let start = Position::start(parameters_of_three);
        let found = by_book.solve_by(Some(&vague_values), &start, &|_| false, &mut |_| {});
        let expected = alone.solve(&start, &|_| false, &mut |_| {});
        assert_eq!(found.exact(), expected.exact());
        assert!(found.exact().is_some() && Values::read(parameters, &with_sum(&vague)).is_err());
    }

    #[test]
    fn what_comes_with_the_board_is_there_when_it_is_asked_for() {
        use crate::game::Probe as _;
        let start = Position::start(Standard);
        let exact = Exact::new(Parameters::STANDARD);
        assert!(exact.own.values().is_none());
        let late = (0..=OWN_PLIES)
            .fold(start, |position, ply| position.after(position.landing([0, 2, 4, 6, 1][ply as usize / 3]).unwrap()));
        assert!(exact.prepare(&late) && exact.own.values().is_none(), "no search from there meets it");
        assert!(exact.prepare(&start));
        assert_eq!(exact.own.values().map(Values::last_ply), Some(OWN_PLIES));
        assert_eq!(exact.probe(&late), None);
        let without = game::Probe::<Position<Standard>>::without_tables(&exact);
        assert!(without.own.values().is_none() && exact.own.values().is_none());
        let small = Exact::new(parse_parameters("connect4:4,4,4").unwrap());
        let start = Position::start(parse_parameters("connect4:4,4,4").unwrap());
        assert!(small.prepare(&start) && small.own.values().is_none());
    }

    /// Solves the empty board, which takes minutes.
    #[test]
    #[ignore = "takes minutes"]
    fn the_first_moves_have_their_published_values() {
        // CITE: P. Pons, "Solving Connect 4: how to build a perfect AI", 2015, as the solver counts.
        let mut solver = Solver::new(Standard, 1 << 28).unwrap();
        let start = Position::start(Standard);
        for (col, expected) in (0..).zip([-2, -1, 0, 1]) {
            let next = start.after(start.landing(col).unwrap());
            assert_eq!(solver.value(&next, &|_| false).map(|found| -value(found, 41)), Some(expected), "column {col}");
        }
        assert_eq!(solver.value(&start, &|_| false), Some(Score::win_in(41)));
    }
}
