//! The texts of awalé (board text and moves) and its picture. Layer 2.

use std::fmt::Write as _;
use std::marker::PhantomData;

use super::board::{House, Position};
use super::rules::{Rest, Variant};
use crate::game::{Notation, Position as _, Side, TextError};
use crate::message::{BoardPicture, Pile, PlayerNames, Point, Shape, Way};

/// BoardPicture texts and moves of variant `V`.
///
/// # Format
/// A board text is the seeds of South's houses, of North's houses, South's store, North's store, and the side to move, joined
/// by hyphens, each row from its owner's left to right: `4-4-4-4-4-4-4-4-4-4-4-4-0-0-S`. Numbers are decimal digits without
/// sign, blank or leading zero. A move is the letter of the house that is sown, `A` to `F` for South and `a` to `f` for
/// North; a letter of the other case is read as the mover's. Lists of moves need no blanks between moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AwaleNotation<V>(PhantomData<V>);

impl<V> AwaleNotation<V> {
    /// The notation of variant `V`.
    #[must_use]
    pub const fn new() -> Self {
        AwaleNotation(PhantomData)
    }
}

impl<V> Default for AwaleNotation<V> {
    fn default() -> Self {
        AwaleNotation::new()
    }
}

const SIDES: [Side; 2] = [Side::First, Side::Second];

/// The name of `side`.
const fn name(side: Side) -> &'static str {
    match side {
        Side::First => "South",
        Side::Second => "North",
    }
}

/// The letter of house `house` of `side`'s row.
fn letter(side: Side, house: usize) -> char {
    char::from(b"Aa"[side.index()] + house as u8)
}

/// The name of field `index` of a board text.
fn field_name<V: Variant>(index: usize) -> String {
    let board = 2 * V::HOUSES;
    match SIDES.get(index / V::HOUSES) {
        Some(&side) => format!("house {}", letter(side, index % V::HOUSES)),
        None if index < board + 2 => format!("{}'s store", name(SIDES[index - board])),
        None => "side to move".into(),
    }
}

/// A piece of the user's text for an error message, quoted and not too long.
fn quoted(text: &str) -> String {
    match text.char_indices().nth(20) {
        _ if text.is_empty() => "nothing".into(),
        Some((cut, _)) => format!("'{}...'", text[..cut].escape_debug()),
        None => format!("'{}'", text.escape_debug()),
    }
}

/// A number of seeds: digits, no sign, no leading zero, at most `most`.
fn seeds(text: &str, most: u8) -> Option<u8> {
    let is_plain = text.bytes().all(|byte| byte.is_ascii_digit()) && (text.len() == 1 || !text.starts_with('0'));
    text.parse().ok().filter(|&seeds| is_plain && seeds <= most)
}

/// The board text of `position`.
pub(super) fn board_text<V: Variant>(position: &Position<V>) -> String {
    let houses = SIDES.iter().flat_map(|&side| (0..V::HOUSES).map(move |house| position.seeds(side, house)));
    let stores = SIDES.iter().map(|&side| position.store(side));
    let mut text = String::with_capacity(48);
    for number in houses.chain(stores) {
        // Writing to a String cannot fail.
        let _ = write!(text, "{number}-");
    }
    text.push(if position.side_to_move() == Side::First { 'S' } else { 'N' });
    text
}

/// The houses that may be sown, as the user is to write them.
fn legal_moves<V: Variant>(position: &Position<V>) -> String {
    let mut moves = Vec::new();
    position.generate(&mut moves);
    let letters = moves.iter().map(|house| letter(position.side_to_move(), house.index()).to_string());
    match letters.collect::<Vec<_>>().join(", ") {
        none if none.is_empty() => "no move, for the game is over".into(),
        one if moves.len() == 1 => format!("{one}, the only legal move"),
        several => format!("one of {several}"),
    }
}

impl<V: Variant> Notation for AwaleNotation<V> {
    type Position = Position<V>;

    fn start(&self) -> Position<V> {
        Position::start()
    }

    fn parse_position(&self, text: &str) -> Result<Position<V>, TextError> {
        let mut numbers = Vec::with_capacity(2 * V::HOUSES + 2);
        let mut offset = 0;
        for index in 0..2 * V::HOUSES + 2 {
            let rest = &text[offset..];
            let expected = || format!("a number of seeds from 0 to {}", V::TOTAL);
            let (word, ends_early) = rest.split_once('-').map_or((rest, true), |(word, _)| (word, false));
            let Some(number) = seeds(word, V::TOTAL) else {
                return Err(TextError::new(offset, field_name::<V>(index), expected(), quoted(word)));
            };
            numbers.push(number);
            offset += word.len();
            if ends_early {
                let next = field_name::<V>(index + 1);
                let expected = format!("'-' and then {next}");
                return Err(TextError::new(offset, next, expected, "the end of the text"));
            }
            offset += 1;
        }
        let side = match &text[offset..] {
            "S" => Side::First,
            "N" => Side::Second,
            other => {
                let field = field_name::<V>(2 * V::HOUSES + 2);
                return Err(TextError::new(offset, field, "S or N, and no more text", quoted(other)));
            }
        };
        let (houses, stores) = numbers.split_at(2 * V::HOUSES);
        Position::from_parts(houses, [stores[0], stores[1]], side).ok_or_else(|| {
            let found: u32 = numbers.iter().map(|&seeds| u32::from(seeds)).sum();
            let expected = format!("{} seeds in houses and stores together", V::TOTAL);
            TextError::new(0, "seed total", expected, found.to_string())
        })
    }

    fn position_text(&self, position: &Position<V>) -> String {
        board_text(position)
    }

    fn parse_move(&self, position: &Position<V>, text: &str) -> Result<House, TextError> {
        let side = position.side_to_move();
        let house = match text.as_bytes() {
            [byte] => (byte.to_ascii_uppercase() as usize).checked_sub(b'A' as usize),
            _ => None,
        };
        let Some(house) = house.filter(|&house| house < V::HOUSES).and_then(House::new) else {
            let (first, last) = (letter(side, 0), letter(side, V::HOUSES - 1));
            return Err(TextError::new(0, "move", format!("a house, {first} to {last}"), quoted(text)));
        };
        let mut moves = Vec::new();
        position.generate(&mut moves);
        if moves.contains(&house) {
            return Ok(house);
        }
        let why = if moves.is_empty() {
            ""
        } else if position.seeds(side, house.index()) == 0 {
            ", an empty house"
        } else {
            ", which leaves the opponent without seeds"
        };
        Err(TextError::new(0, "move", legal_moves(position), format!("{}{why}", quoted(text))))
    }

    fn parse_move_past_end(&self, position: &Position<V>, text: &str) -> Option<House> {
        let side = position.side_to_move();
        let [byte] = text.as_bytes() else { return None };
        let house =
            usize::from(byte.to_ascii_uppercase()).checked_sub(usize::from(b'A')).filter(|&house| house < V::HOUSES)?;
        House::new(house).filter(|_| position.outcome().is_some() && position.seeds(side, house) > 0)
    }

    fn move_text(&self, position: &Position<V>, house: House) -> String {
        letter(position.side_to_move(), house.index()).to_string()
    }

    fn glues_moves(&self) -> bool {
        true
    }

    fn repetition_rule(&self) -> Option<&str> {
        Some(match V::REPETITION {
            Rest::OwnSide => "a position that comes up again ends the game, and each side keeps the seeds in its row",
            Rest::Even => "a position that comes up again ends the game, and the seeds on the board are shared evenly",
            Rest::MoverLessOne => {
                "a position that comes up again ends the game, and the side to move gets all but one seed"
            }
        })
    }

    fn board(&self, position: &Position<V>) -> BoardPicture {
        let house = |side, house| Pile { name: letter(side, house).into(), count: position.seeds(side, house).into() };
        let [south, north] = SIDES;
        let rows = [
            (0..V::HOUSES).map(|i| house(south, i)).collect(),
            (0..V::HOUSES).rev().map(|i| house(north, i)).collect(),
        ];
        let stores = SIDES.map(|side| position.store(side).into());
        BoardPicture {
            players: PlayerNames::Compass,
            colors: None,
            shape: Shape::Houses { rows, stores },
            counts: None,
        }
    }

    fn way(&self, position: &Position<V>, house: House) -> Way {
        let index = house.index();
        let (col, row) = match position.side_to_move() {
            Side::First => (index, 0_u8),
            Side::Second => (V::HOUSES - 1 - index, 1),
        };
        Way::from(Point::new(col as u32, row))
    }
}
