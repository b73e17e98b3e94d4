//! The texts of Nim (parameters, board text, moves) and its picture. Layer 2.
//!
//! ```text
//!  parameters   3-4-5,take=any,normal    heaps, then rules in any order
//!  board text   3-4-5 1                  heaps, blank, player to move
//!  move         b2                       heap b, take 2
//! ```

use super::{MAX_HEAP, MAX_HEAPS, MAX_MOVES, NimMove, NimPosition, Rule};
use crate::game::{Notation, Side, TextError};
use crate::message::{BoardPicture, Pile, PlayerNames, Point, Shape, Way};
use crate::spelling::quoted;

/// The heaps a game starts with, and its rule.
///
/// # Examples
/// ```
/// use griot::games::nim::Parameters;
///
/// assert_eq!(Parameters::parse("").unwrap(), Parameters::parse("21,take=3,misere").unwrap());
/// assert_eq!(Parameters::parse("3-4-5,normal,take=any").unwrap().name(), "nim:3-4-5,take=any,normal");
/// assert_eq!(Parameters::parse("3-x").unwrap_err().to_string(), "heap b: expected a number from 0 to 4000000000, found 'x'");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Parameters {
    start: NimPosition,
}

impl Default for Parameters {
    /// One heap of 21, one to three matches a move, the last one loses.
    fn default() -> Parameters {
        let mut heaps = [0; MAX_HEAPS];
        heaps[0] = 21;
        let rule = Rule { most: DEFAULT_MOST, last_wins: false };
        Parameters { start: NimPosition { heaps, count: 1, side: Side::First, rule } }
    }
}

/// The most matches a move may take when the parameters do not say.
const DEFAULT_MOST: u32 = 3;

impl Parameters {
    /// Reads what stands behind `nim:`; nothing stands for the default.
    ///
    /// # Format
    /// `HEAP[-HEAP...][,RULE...]`: up to 26 heaps of 0 to 4,000,000,000 matches, then at most one of `take=N` (1 to N
    /// matches a move; 3 if not given) and `take=any`, and at most one of `misere` (the last match loses; so if not given)
    /// and `normal` (it wins). A position may offer 65,535 moves at most.
    ///
    /// # Errors
    /// When a part cannot be read, is out of range, or is given twice.
    pub fn parse(text: &str) -> Result<Parameters, TextError> {
        let Parameters { mut start } = Parameters::default();
        if text.is_empty() {
            return Ok(Parameters { start });
        }
        let (heaps_text, rules) = text.split_once(',').map_or((text, None), |(heaps, rules)| (heaps, Some(rules)));
        (start.heaps, start.count) = parse_heaps(heaps_text, 0)?;

        let mut most = None;
        let mut last_wins = None;
        let mut offset = heaps_text.len() + 1;
        for word in rules.into_iter().flat_map(|rules| rules.split(',')) {
            let twice = match word {
                "normal" => last_wins.replace(true).is_some(),
                "misere" => last_wins.replace(false).is_some(),
                "take=any" => most.replace(Rule::ANY).is_some(),
                _ => match word.strip_prefix("take=") {
                    Some(digits) => {
                        let found = parse_number(digits, 1, "take", offset + "take=".len())?;
                        most.replace(found).is_some()
                    }
                    None => {
                        let expected = "'take=N', 'take=any', 'normal' or 'misere'";
                        return Err(TextError::new(offset, "rule", expected, quoted(word)));
                    }
                },
            };
            if twice {
                let expected = "one word on what a move takes and one on who wins";
                return Err(TextError::new(offset, "rule", expected, format!("a second one, '{word}'")));
            }
            offset += word.len() + 1;
        }
        start.rule = Rule { most: most.unwrap_or(DEFAULT_MOST), last_wins: last_wins.unwrap_or(false) };
        check_choices(&start)?;
        Ok(Parameters { start })
    }

    /// The canonical name of the game: `nim` for the default, else all heaps and what differs from the default rule.
    #[must_use]
    pub fn name(&self) -> String {
        if *self == Parameters::default() {
            return "nim".into();
        }
        let mut name = format!("nim:{}", heaps_text(&self.start));
        match self.start.rule.most {
            DEFAULT_MOST => {}
            Rule::ANY => name.push_str(",take=any"),
            most => name.push_str(&format!(",take={most}")),
        }
        if self.start.rule.last_wins {
            name.push_str(",normal");
        }
        name
    }
}

/// The texts of a game of Nim.
#[derive(Debug, Clone, Copy)]
pub struct NimNotation {
    start: NimPosition,
}

impl NimNotation {
    /// The notation of the game with these parameters.
    #[must_use]
    pub fn new(parameters: Parameters) -> NimNotation {
        NimNotation { start: parameters.start }
    }
}

impl Notation for NimNotation {
    type Position = NimPosition;

    fn start(&self) -> NimPosition {
        self.start
    }

    /// Reads heaps and player; there must be as many heaps as in the start position, but each may have any size, also above
    /// the one it starts with: people set positions up to study them.
    fn parse_position(&self, text: &str) -> Result<NimPosition, TextError> {
        let fields = self.split_moves(text);
        let nothing = (text.len(), "");
        let (offset, heaps_text) = fields.first().copied().unwrap_or(nothing);
        let (heaps, count) = parse_heaps(heaps_text, offset)?;
        if count != self.start.count {
            let expected = format!("{} joined by '-'", self.start.count);
            return Err(TextError::new(offset, "heaps", expected, count.to_string()));
        }
        let (offset, player) = fields.get(1).copied().unwrap_or(nothing);
        let side = match player {
            "1" => Side::First,
            "2" => Side::Second,
            _ => return Err(TextError::new(offset, "player", "'1' or '2'", quoted(player))),
        };
        if let Some(&(offset, rest)) = fields.get(2) {
            return Err(TextError::new(offset, "end of the position", "nothing more", quoted(rest)));
        }
        let position = NimPosition { heaps, count, side, ..self.start };
        check_choices(&position)?;
        Ok(position)
    }

    fn position_text(&self, position: &NimPosition) -> String {
        format!("{} {}", heaps_text(position), player(position.side))
    }

    fn parse_move(&self, position: &NimPosition, text: &str) -> Result<NimMove, TextError> {
        let heaps = position.heaps();
        let last = heap_name(heaps.len() - 1);
        let wrong = |offset, expected: String, found| Err(TextError::new(offset, "move", expected, found));
        let Some(heap) = text.chars().next().and_then(|name| (0..heaps.len()).find(|&heap| heap_name(heap) == name))
        else {
            return wrong(0, format!("a heap from a to {last} and a number, as in a1"), quoted(text));
        };
        let most = heaps[heap].min(position.rule.most);
        match number(&text[1..]) {
            Some(take @ 1..) if take <= u64::from(most) => Ok(NimMove { heap: heap as u8, take: take as u32 }),
            _ if most == 0 => wrong(0, "a heap that has matches left".into(), quoted(text)),
            _ => wrong(1, format!("a number from 1 to {most} after the heap"), quoted(&text[1..])),
        }
    }

    fn move_text(&self, _position: &NimPosition, mv: NimMove) -> String {
        format!("{}{}", heap_name(usize::from(mv.heap)), mv.take)
    }

    fn board(&self, position: &NimPosition) -> BoardPicture {
        let heap = |(heap, &count): (usize, &u32)| Pile { name: heap_name(heap).into(), count };
        let heaps = position.heaps().iter().enumerate().map(heap).collect();
        let most = Some(position.rule.most).filter(|&most| most != Rule::ANY);
        let shape = Shape::Heaps { heaps, most, last_wins: position.rule.last_wins };
        BoardPicture { players: PlayerNames::Numbers, colors: None, shape, counts: None }
    }

    fn way(&self, _position: &NimPosition, mv: NimMove) -> Way {
        Way::from(Point::new(mv.heap, mv.take - 1))
    }
}

fn heap_name(heap: usize) -> char {
    char::from(b'a' + heap as u8)
}

fn player(side: Side) -> usize {
    side.index() + 1
}

fn heaps_text(position: &NimPosition) -> String {
    position.heaps().iter().map(u32::to_string).collect::<Vec<_>>().join("-")
}

/// Reads heaps that stand at byte `offset` of the user's text: the heaps, filled up with empty ones, and their number.
fn parse_heaps(text: &str, mut offset: usize) -> Result<([u32; MAX_HEAPS], u8), TextError> {
    let given = text.split('-').count();
    if given > MAX_HEAPS {
        return Err(TextError::new(offset, "heaps", format!("at most {MAX_HEAPS}"), given.to_string()));
    }
    let mut heaps = [0; MAX_HEAPS];
    for (heap, word) in text.split('-').enumerate() {
        heaps[heap] = parse_number(word, 0, &format!("heap {}", heap_name(heap)), offset)?;
        offset += word.len() + 1;
    }
    Ok((heaps, given as u8))
}

/// Reads a number of matches, from `least` to [`MAX_HEAP`].
fn parse_number(text: &str, least: u32, field: &str, offset: usize) -> Result<u32, TextError> {
    match number(text) {
        Some(n) if (u64::from(least)..=u64::from(MAX_HEAP)).contains(&n) => Ok(n as u32),
        _ => Err(TextError::new(offset, field, format!("a number from {least} to {MAX_HEAP}"), quoted(text))),
    }
}

/// A number in plain digits. One too long for `u64` becomes the largest, which is above every limit of this game.
fn number(text: &str) -> Option<u64> {
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    digits.then(|| text.parse().unwrap_or(u64::MAX))
}

/// Refuses positions with more moves than a search can keep; play never adds moves, so it is enough to look once.
fn check_choices(position: &NimPosition) -> Result<(), TextError> {
    match position.choices() {
        0..=MAX_MOVES => Ok(()),
        choices => {
            let expected = format!("at most {MAX_MOVES} moves to choose from");
            Err(TextError::new(0, "heaps", expected, choices.to_string()))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nim(parameters: &str) -> NimNotation {
        NimNotation::new(Parameters::parse(parameters).unwrap())
    }

    /// An error as `offset field: ...`.
    fn told<T>(result: Result<T, TextError>) -> String {
        let error = result.err().unwrap();
        format!("{} {error}", error.offset)
    }

    #[test]
    fn names_are_canonical_and_read_back() {
        for (text, name) in [
            ("", "nim"),
            ("21", "nim"),
            ("021,misere,take=3", "nim"),
            ("7", "nim:7"),
            ("3-4-5", "nim:3-4-5"),
            ("3-4-5,take=any,normal", "nim:3-4-5,take=any,normal"),
            ("3-4-5,normal,take=any", "nim:3-4-5,take=any,normal"),
            ("21,take=1", "nim:21,take=1"),
            ("21,normal", "nim:21,normal"),
            ("0", "nim:0"),
            ("4000000000,take=4", "nim:4000000000,take=4"),
        ] {
            let parameters = Parameters::parse(text).unwrap();
            assert_eq!(parameters.name(), name);
            let behind = name.strip_prefix("nim").unwrap().trim_start_matches(':');
            assert_eq!(Parameters::parse(behind).unwrap(), parameters);
        }
    }

    #[test]
    fn wrong_parameters_are_refused_with_the_place_and_the_reason() {
        let range = "expected a number from 0 to 4000000000";
        let rules = "expected 'take=N', 'take=any', 'normal' or 'misere'";
        let twice = "expected one word on what a move takes and one on who wins, found a second one";
        let too_many = "expected at most 65535 moves to choose from";
        for (text, error) in [
            (" ", format!("0 heap a: {range}, found ' '")),
            ("x", format!("0 heap a: {range}, found 'x'")),
            ("-", format!("0 heap a: {range}, found nothing")),
            ("3--5", format!("2 heap b: {range}, found nothing")),
            ("3-+4", format!("2 heap b: {range}, found '+4'")),
            ("3-4-4000000001", format!("4 heap c: {range}, found '4000000001'")),
            ("18446744073709551616", format!("0 heap a: {range}, found '18446744073709551616'")),
            ("normal", format!("0 heap a: {range}, found 'normal'")),
            ("7,", format!("2 rule: {rules}, found nothing")),
            ("7,normal,", format!("9 rule: {rules}, found nothing")),
            ("7,take", format!("2 rule: {rules}, found 'take'")),
            ("7,Normal", format!("2 rule: {rules}, found 'Normal'")),
            ("7,take=0", "7 take: expected a number from 1 to 4000000000, found '0'".into()),
            ("7,take=é", "7 take: expected a number from 1 to 4000000000, found 'é'".into()),
            ("7,take=99999999999999999999", {
                "7 take: expected a number from 1 to 4000000000, found '99999999999999999999'".into()
            }),
            ("7,take=2,take=any", format!("9 rule: {twice}, 'take=any'")),
            ("7,normal,take=2,misere", format!("16 rule: {twice}, 'misere'")),
            ("65536,take=any", format!("0 heaps: {too_many}, found 65536")),
            ("40001-40000,take=40001", format!("0 heaps: {too_many}, found 80001")),
        ] {
            assert_eq!(told(Parameters::parse(text)), error);
        }
        let heaps = |n: usize| vec!["1"; n].join("-");
        assert!(Parameters::parse(&heaps(26)).is_ok());
        assert_eq!(told(Parameters::parse(&heaps(27))), "0 heaps: expected at most 26, found 27");
    }

    #[test]
    fn board_texts_read_back_and_may_hold_any_heaps() {
        let notation = nim("3-4-5");
        assert_eq!(notation.position_text(&notation.start()), "3-4-5 1");
        for text in ["3-4-5 1", "0-0-0 2", "100-0-4000000000 2"] {
            let position = notation.parse_position(text).unwrap();
            assert_eq!(notation.position_text(&position), text);
        }
        let spaced = notation.parse_position("\t3-4-5   1 \r").unwrap();
        assert_eq!(spaced, notation.start());
    }

    #[test]
    fn wrong_board_texts_are_refused_with_the_place_and_the_reason() {
        let notation = nim("3-4-5");
        let range = "expected a number from 0 to 4000000000";
        for (text, error) in [
            ("", format!("0 heap a: {range}, found nothing")),
            ("3-4 1", "0 heaps: expected 3 joined by '-', found 2".into()),
            (" 3-4-5-6 1", "1 heaps: expected 3 joined by '-', found 4".into()),
            (" 3-x-5 1", format!("3 heap b: {range}, found 'x'")),
            ("3-4-99999999999999999999999 1", format!("4 heap c: {range}, found '99999999999999999999999'")),
            ("3-4-5", "5 player: expected '1' or '2', found nothing".into()),
            ("3-4-5  3", "7 player: expected '1' or '2', found '3'".into()),
            ("3-4-5 1 é", "8 end of the position: expected nothing more, found 'é'".into()),
        ] {
            assert_eq!(told(notation.parse_position(text)), error);
        }
        let error = told(nim("5,take=any").parse_position("4000000000 1"));
        assert_eq!(error, "0 heaps: expected at most 65535 moves to choose from, found 4000000000");
    }

    #[test]
    fn moves_read_back_and_wrong_ones_are_refused() {
        let notation = nim("3-0-5");
        let start = notation.start();
        let mv = notation.parse_move(&start, "c2").unwrap();
        assert_eq!(notation.move_text(&start, mv), "c2");
        for (text, error) in [
            ("", "0 move: expected a heap from a to c and a number, as in a1, found nothing"),
            ("d1", "0 move: expected a heap from a to c and a number, as in a1, found 'd1'"),
            ("é1", "0 move: expected a heap from a to c and a number, as in a1, found 'é1'"),
            ("b1", "0 move: expected a heap that has matches left, found 'b1'"),
            ("c", "1 move: expected a number from 1 to 3 after the heap, found nothing"),
            ("c0", "1 move: expected a number from 1 to 3 after the heap, found '0'"),
            ("c4", "1 move: expected a number from 1 to 3 after the heap, found '4'"),
            ("c-1", "1 move: expected a number from 1 to 3 after the heap, found '-1'"),
            ("a18446744073709551617", {
                "1 move: expected a number from 1 to 3 after the heap, found '18446744073709551617'"
            }),
        ] {
            assert_eq!(told(notation.parse_move(&start, text)), error);
        }
    }

    #[test]
    fn the_picture_has_every_heap_and_its_rule() {
        let notation = nim("3-0-41,take=any,normal");
        let picture = notation.picture(&notation.start());
        let pile = |name: &str, count| Pile { name: name.into(), count };
        let heaps = vec![pile("a", 3), pile("b", 0), pile("c", 41)];
        assert_eq!(picture.board.shape, Shape::Heaps { heaps, most: None, last_wins: true });
        let last = picture.moves.last().unwrap();
        assert_eq!((last.mv.as_str(), last.way.clone()), ("c41", Way::from(Point::new(2_u8, 40_u8))));
        let start = Parameters::default().start;
        assert!(matches!(nim("").board(&start).shape, Shape::Heaps { most: Some(3), last_wins: false, .. }));
    }
}
