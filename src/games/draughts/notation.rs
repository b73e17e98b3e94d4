//! Texts of draughts: FEN as in PDN, moves by squares. Layer 2.
//!
//! CITE: W. Wesselink, "Portable Draughts Notation 3.0", 2015; the FEN of lidraughts.org (counts of moves); F. Letouzey, "Hub
//! protocol", version 2, 2017 (boards as 51 letters, captures by what they take).

use super::board::{KingRun, Move, Position, bit_of, square_of};
use super::rule_sets::{Color, Names, RULES, Rules};
use crate::game::{self, Dropped, Position as _, TextError};
use crate::message::{self, BoardPicture, GridPicture, PieceStyle, Player, PlayerNames, Point, Shape, Surface, Way};
use crate::spelling::quoted;

/// The most choices of stops that are shown of a capture.
const MOST_WAYS: usize = 32;

/// The texts of a rule set.
///
/// # Format
/// Board: the FEN of PDN: the side to move, then the squares of each side, `W:W21,K22:B1,2`. `K` is a king, `31-50` a range. Then
/// may follow `H` and the count of plies towards a draw, and in Frisian draughts `+` and how often each side has moved a king, with
/// its square: `:+2@23+0`. It also reads boards of Hub (the side to move, and `w`, `b`, `W`, `B` or `e` for each square) and boards
/// in rows, as other games have them: `8/1b6/8/4W3/8/8/8/8 w`.
///
/// Move: `32-28`; a capture `26x8`, and with all its stops, `26x17x8`, where another one has the same ends. Read is any choice of
/// the stops that leaves one move, and a capture as Hub writes it, `26x8x22x13`, with what it takes. Squares are numbers, or in
/// Russian and Brazilian draughts columns and rows, `c3-d4`; both are read. Hub clients get Hub's board texts and captures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Notation {
    /// The rule set, as an index of [`RULES`].
    pub(super) kind: u8,
    /// Whether boards and moves are written as in Hub: `Wbbe…`, `26x8x22x13`.
    pub(super) hub: bool,
}

/// The column, from the left, and the row, from the bottom, of a square.
pub(super) fn place(rules: &Rules, square: u32) -> (u32, u32) {
    let half = rules.size / 2;
    let row = square / half;
    let shift = u32::from(row.is_multiple_of(2) != rules.mirrored);
    (2 * (square % half) + shift, rules.size - 1 - row)
}

/// The bit of the square in a column, from the left, and a row, from the bottom; `None` if it is light or beyond the board.
fn bit_at(rules: &Rules, col: u32, row: u32) -> Option<u32> {
    let half = rules.size / 2;
    let line = rules.size.checked_sub(row + 1)?;
    let square = line * half + col / 2;
    (col < rules.size && place(rules, square) == (col, row)).then(|| bit_of(rules, square))
}

/// The name of the square of a bit.
pub(super) fn square_name(rules: &Rules, bit: u32) -> String {
    let square = square_of(rules, bit);
    match rules.names {
        Names::Numbers => (square + 1).to_string(),
        Names::Letters => {
            let (col, row) = place(rules, square);
            format!("{}{}", char::from(b'a' + col as u8), row + 1)
        }
    }
}

/// The bit of a square with this name, either way.
fn read_square(rules: &Rules, text: &str) -> Option<u32> {
    let last = rules.size * rules.size / 2;
    let first = text.chars().next()?;
    if first.is_ascii_digit() {
        let number: u32 = text.parse().ok().filter(|_| text.len() <= 2 && text.bytes().all(|c| c.is_ascii_digit()))?;
        return (1..=last).contains(&number).then(|| bit_of(rules, number - 1));
    }
    let col = (first.to_ascii_lowercase() as u32).checked_sub('a' as u32)?;
    let rest = &text[first.len_utf8()..];
    let row: u32 = rest.parse().ok().filter(|_| rest.bytes().all(|c| c.is_ascii_digit()))?;
    (0..last).find(|&square| place(rules, square) == (col, row.wrapping_sub(1))).map(|square| bit_of(rules, square))
}

impl Notation {
    fn rules(self) -> &'static Rules {
        &RULES[usize::from(self.kind)]
    }

    /// The pieces of one side: `21,K22,31-50`.
    ///
    /// A man on its last row is a king, as other programs read it; `warnings` say so.
    fn read_side(
        self,
        at: usize,
        text: &str,
        color: Color,
        position: &mut Position,
        warnings: &mut Vec<Dropped>,
    ) -> Result<(), TextError> {
        let rules = self.rules();
        let mut offset = at;
        for word in text.split(',') {
            let item = word.trim();
            let place = offset + (word.len() - word.trim_start().len());
            offset += word.len() + 1;
            if item.is_empty() && text.trim().is_empty() {
                break;
            }
            let is_king = item.starts_with(['K', 'k']);
            let squares = item.strip_prefix(['K', 'k']).unwrap_or(item);
            let error = |expected: &str| Err(TextError::new(place, "square", expected, quoted(item)));
            let (first, last) = squares.split_once('-').unwrap_or((squares, squares));
            let (Some(first), Some(last)) = (read_square(rules, first), read_square(rules, last)) else {
                return error("a square of the board, a range of them, and K before kings");
            };
            if last < first {
                return error("a range from the lower to the higher number");
            }
            for square in square_of(rules, first)..=square_of(rules, last) {
                let bit = 1 << bit_of(rules, square);
                if (position.pieces[0] | position.pieces[1]) & bit != 0 {
                    return error("each square once");
                }
                let is_crowned = !is_king && position.crown_row(color) & bit != 0;
                if is_crowned {
                    let text = format!("square: {} is on the last row, and is read as a king", quoted(item));
                    warnings.push(Dropped { offset: place, text });
                }
                position.pieces[color as usize] |= bit;
                if is_king || is_crowned {
                    position.kings |= bit;
                }
            }
        }
        Ok(())
    }

    /// The counts of king moves: `2@23+0`.
    fn read_runs(self, at: usize, text: &str, position: &mut Position) -> Result<(), TextError> {
        let rules = self.rules();
        let error = || {
            let expected = "how often White and Black have moved a king, with its square: +2@23+0";
            Err(TextError::new(at, "king moves", expected, quoted(text)))
        };
        let Some((white, black)) = text.split_once('+').filter(|_| rules.king_run > 0) else { return error() };
        for (side, part) in [white, black].into_iter().enumerate() {
            let (count, square) = part.split_once('@').map_or((part, None), |(count, square)| (count, Some(square)));
            let Some(count) = count.parse().ok().filter(|&count: &u8| count <= rules.king_run) else { return error() };
            if count == 0 {
                continue;
            }
            let kings = position.pieces[side] & position.kings;
            let at = match square {
                Some(square) => read_square(rules, square).filter(|&bit| kings >> bit & 1 == 1),
                None => (kings.count_ones() == 1).then(|| kings.trailing_zeros()),
            };
            let Some(at) = at else { return error() };
            position.runs[side] = KingRun { at: at as u8, count };
        }
        Ok(())
    }

    /// A board as Hub writes it.
    fn read_letters(self, text: &str) -> Option<Result<Position, TextError>> {
        let rules = self.rules();
        let squares = rules.size * rules.size / 2;
        let turn = match text.chars().next()? {
            'W' => Color::White,
            'B' => Color::Black,
            _ => return None,
        };
        if text.len() != squares as usize + 1 || !text.bytes().all(|letter| b"wbWBe".contains(&letter)) {
            return None;
        }
        let mut position = self.empty();
        position.turn = turn;
        for (square, letter) in (0..).zip(text[1..].bytes()) {
            let bit = 1 << bit_of(rules, square);
            let color = match letter.to_ascii_lowercase() {
                b'w' => Color::White,
                b'b' => Color::Black,
                _ => continue,
            };
            position.pieces[color as usize] |= bit;
            if letter.is_ascii_uppercase() {
                position.kings |= bit;
            } else if position.crown_row(color) & bit != 0 {
                let error = TextError::new(square as usize + 1, "square", "no man on its last row", quoted(text));
                return Some(Err(error));
            }
        }
        Some(self.settled(position))
    }

    /// A board in rows from the top, as other games write it: `w`, `b`, `W` and `B`, dots or numbers for empty squares, light ones
    /// included; a blank; `w` or `b` to move.
    fn read_rows(self, text: &str) -> Result<Position, TextError> {
        let rules = self.rules();
        let mut position = self.empty();
        let (board, turn) = text.split_once(|c: char| c.is_ascii_whitespace()).unwrap_or((text, ""));
        let turn_at = text.len() - turn.trim_start().len();
        position.turn = match turn.trim() {
            "w" | "W" => Color::White,
            "b" | "B" => Color::Black,
            other => return Err(TextError::new(turn_at, "side to move", "'w' or 'b'", quoted(other))),
        };
        let rows = board.split('/').count();
        if rows != rules.size as usize {
            return Err(TextError::new(board.len(), "board", format!("{} rows", rules.size), rows.to_string()));
        }
        let mut offset = 0;
        for (line, row) in (0..rules.size).zip(board.split('/')) {
            let error = |at: usize, expected: String, found: &str| {
                Err(TextError::new(offset + at, format!("row {}", line + 1), expected, quoted(found)))
            };
            let mut col = 0;
            let mut at = 0;
            while let Some(letter) = row[at..].chars().next() {
                let digits = row[at..].bytes().take_while(u8::is_ascii_digit).count();
                let here = bit_at(rules, col, rules.size - 1 - line);
                let (color, is_king) = match letter {
                    '.' => (None, false),
                    'w' | 'W' => (Some(Color::White), letter == 'W'),
                    'b' | 'B' => (Some(Color::Black), letter == 'B'),
                    _ => {
                        match row[at..at + digits].parse::<u32>().ok().filter(|count| (1..=rules.size).contains(count))
                        {
                            Some(count) => {
                                col += count;
                                at += digits;
                                continue;
                            }
                            None => return error(at, "w, b, W, B, or a number of empty squares".into(), &row[at..]),
                        }
                    }
                };
                if let Some(color) = color {
                    let Some(bit) = here.map(|bit| 1_u64 << bit) else {
                        return error(at, "pieces on dark squares only".into(), &row[at..]);
                    };
                    if !is_king && position.crown_row(color) & bit != 0 {
                        return error(at, "no man on its last row".into(), &row[at..]);
                    }
                    position.pieces[color as usize] |= bit;
                    position.kings |= if is_king { bit } else { 0 };
                }
                col += 1;
                at += 1;
            }
            if col != rules.size {
                return error(row.len(), format!("{} squares", rules.size), &col.to_string());
            }
            offset += row.len() + 1;
        }
        self.settled(position)
    }

    /// The board as Hub writes it.
    fn letters(self, position: &Position) -> String {
        let rules = self.rules();
        let squares = (0..rules.size * rules.size / 2).map(|square| bit_of(rules, square));
        let letter = |bit: u32| {
            let is_king = position.kings >> bit & 1 == 1;
            match position.pieces.map(|pieces| pieces >> bit & 1 == 1) {
                [true, _] if is_king => 'W',
                [true, _] => 'w',
                [_, true] if is_king => 'B',
                [_, true] => 'b',
                _ => 'e',
            }
        };
        let turn = if position.turn == Color::White { 'W' } else { 'B' };
        std::iter::once(turn).chain(squares.map(letter)).collect()
    }

    fn empty(self) -> Position {
        let start = Position::start(self.kind);
        Position { pieces: [0; 2], ..start }
    }

    /// Checks the numbers of pieces, and finds the ending.
    fn settled(self, mut position: Position) -> Result<Position, TextError> {
        let rules = self.rules();
        let most = rules.rows * rules.size / 2;
        if position.pieces == [0; 2] {
            return Err(TextError::new(0, "board", "at least one piece", "none"));
        }
        for (pieces, name) in position.pieces.into_iter().zip(["White", "Black"]) {
            let count = pieces.count_ones();
            if count > most {
                return Err(TextError::new(0, name, format!("at most {most} pieces"), count.to_string()));
            }
        }
        position.ending = position.ending_now();
        position.settle_runs();
        Ok(position)
    }

    /// The squares where a capture stops, its last one included, and those it takes, on one of its ways.
    fn one_path(position: &Position, mv: Move) -> (Vec<u8>, Vec<u8>) {
        let mut found = (Vec::new(), Vec::new());
        if mv.is_capture() {
            position.paths(mv, &mut |stops, taken| {
                found = (stops.to_vec(), taken.to_vec());
                true
            });
        }
        found
    }

    fn point(self, bit: u8) -> Point {
        let rules = self.rules();
        let (col, row) = place(rules, square_of(rules, bit.into()));
        Point { col, row }
    }
}

/// The squares of a move's text: words of digits, and letters with digits, between separators.
fn words(text: &str) -> Option<Vec<&str>> {
    let mut words = Vec::new();
    let mut begin = None;
    for (at, letter) in text.char_indices() {
        let ends = match letter {
            '0'..='9' => None,
            '-' | 'x' | 'X' | ':' | '×' | '*' => Some(false),
            'a'..='j' | 'A'..='J' => Some(true),
            _ => return None,
        };
        match (begin, ends) {
            (None, None) => begin = Some(at),
            (Some(first), Some(_)) => {
                words.push(&text[first..at]);
                begin = (ends == Some(true)).then_some(at);
            }
            // A separator stands between two squares.
            (None, Some(false)) => return None,
            (None, Some(true)) => begin = Some(at),
            (Some(_), None) => {}
        }
    }
    words.push(&text[begin?..]);
    Some(words)
}

impl game::Notation for Notation {
    type Position = Position;

    fn start(&self) -> Position {
        Position::start(self.kind)
    }

    fn parse_position(&self, text: &str) -> Result<Position, TextError> {
        self.read_position(text, &mut Vec::new())
    }

    fn read_position(&self, text: &str, warnings: &mut Vec<Dropped>) -> Result<Position, TextError> {
        if let Some(read) = self.read_letters(text) {
            return read;
        }
        if text.contains('/') {
            return self.read_rows(text);
        }
        let mut fields = text.split(':');
        let mut position = self.empty();
        let side = fields.next().unwrap_or_default();
        position.turn = match side.trim() {
            "W" | "w" => Color::White,
            "B" | "b" => Color::Black,
            other => return Err(TextError::new(0, "side to move", "'W' or 'B', then ':'", quoted(other))),
        };
        let mut offset = side.len() + 1;
        let mut seen = [false; 2];
        let mut runs = None;
        for field in fields {
            let blanks = field.len() - field.trim_start().len();
            let at = offset + blanks;
            offset += field.len() + 1;
            let field = field.trim();
            let first = field.chars().next();
            let rest = field.get(1..).unwrap_or_default();
            match first {
                Some('W' | 'w' | 'B' | 'b') => {
                    let color = if matches!(first, Some('W' | 'w')) { Color::White } else { Color::Black };
                    if std::mem::replace(&mut seen[color as usize], true) {
                        return Err(TextError::new(at, "board", "each side once", quoted(field)));
                    }
                    self.read_side(at + 1, rest.strip_suffix('.').unwrap_or(rest), color, &mut position, warnings)?;
                }
                Some('H' | 'F') => {
                    let digits = !rest.is_empty() && rest.bytes().all(|letter| letter.is_ascii_digit());
                    let Some(number) = rest.parse::<u32>().ok().filter(|_| digits) else {
                        return Err(TextError::new(at, "count", "a number behind H and F", quoted(field)));
                    };
                    if first == Some('H') {
                        position.quiet = number.min(u8::MAX.into()) as u8;
                    }
                }
                Some('+') => runs = Some((at, rest)),
                _ => {
                    let expected = "the pieces of each side, W21,K22 and B1,2, or a count";
                    return Err(TextError::new(at, "board", expected, quoted(field)));
                }
            }
        }
        if seen != [true; 2] {
            let missing = if seen[0] { "B" } else { "W" };
            return Err(TextError::new(text.len(), "board", format!("the pieces of {missing}, too"), "nothing"));
        }
        if let Some((at, runs)) = runs {
            self.read_runs(at, runs, &mut position)?;
        }
        self.settled(position)
    }

    fn position_text(&self, position: &Position) -> String {
        let rules = self.rules();
        if self.hub {
            return self.letters(position);
        }
        let mut text = String::from(if position.turn == Color::White { "W" } else { "B" });
        for (color, letter) in [(Color::White, 'W'), (Color::Black, 'B')] {
            let pieces = position.pieces[color as usize];
            let squares = (0..rules.size * rules.size / 2).map(|square| bit_of(rules, square));
            let named = squares.filter(|&bit| pieces >> bit & 1 == 1).map(|bit| {
                let king = if position.kings >> bit & 1 == 1 { "K" } else { "" };
                format!("{king}{}", square_name(rules, bit))
            });
            text.push(':');
            text.push(letter);
            text += &named.collect::<Vec<_>>().join(",");
        }
        if position.quiet > 0 {
            text += &format!(":H{}", position.quiet);
        }
        if position.runs != [KingRun::default(); 2] {
            let run = |run: KingRun| match run.count {
                0 => "0".to_owned(),
                count => format!("{count}@{}", square_name(rules, run.at.into())),
            };
            text += &format!(":+{}+{}", run(position.runs[0]), run(position.runs[1]));
        }
        text
    }

    fn parse_move(&self, position: &Position, text: &str) -> Result<Move, TextError> {
        let rules = self.rules();
        let error = |expected: &str| Err(TextError::new(0, "move", expected, quoted(text)));
        if position.outcome().is_some() {
            return error("no move, the game is over");
        }
        let example = match rules.names {
            Names::Numbers => "a legal move as 32-28 or 26x17x8",
            Names::Letters => "a legal move as c3-d4 or c3xe5xc7",
        };
        let squares: Option<Vec<u8>> = words(text)
            .and_then(|words| words.into_iter().map(|word| read_square(rules, word).map(|bit| bit as u8)).collect());
        let Some(squares) = squares.filter(|squares| squares.len() >= 2) else { return error(example) };
        let mut moves = Vec::new();
        position.generate(&mut moves);
        let (from, to) = (squares[0], squares[squares.len() - 1]);
        let same: Vec<Move> = moves.iter().copied().filter(|mv| (mv.from, mv.to) == (from, to)).collect();
        let between = &squares[1..squares.len() - 1];
        if let [only] = same[..]
            && between.is_empty()
        {
            return Ok(only);
        }
        // All its stops, or some of them in their order.
        let stops_at = |mv: &Move, exactly: bool| {
            position.paths(*mv, &mut |stops, _| {
                let stops = &stops[..stops.len() - 1];
                let mut rest = stops.iter();
                if exactly { stops == between } else { between.iter().all(|stop| rest.any(|at| at == stop)) }
            })
        };
        for exactly in [true, false] {
            let mut meant = same.iter().filter(|mv| mv.is_capture() && stops_at(mv, exactly));
            match (meant.next(), meant.next()) {
                (Some(mv), None) => return Ok(*mv),
                (Some(_), Some(_)) if !exactly => return error("the stops of the capture, too: there are several"),
                _ => {}
            }
        }
        // As Hub writes it: the ends, then what is taken.
        let taken = squares[2..].iter().fold(0_u64, |taken, bit| taken | 1 << bit);
        let mut by_taken =
            moves.iter().filter(|mv| (mv.from, mv.to) == (from, squares[1]) && mv.taken == taken && taken != 0);
        if let Some(mv) = by_taken.next() {
            return Ok(*mv);
        }
        let own = position.pieces[position.turn as usize] >> from & 1 == 1;
        match () {
            () if position.pieces[position.turn.other() as usize] >> from & 1 == 1 => {
                error("a move of the side to move")
            }
            () if !own => error("a move of a piece; there is none"),
            () if moves.iter().all(|mv| mv.is_capture()) && !text.contains(['x', 'X', ':', '×', '*']) => {
                error("a capture, which must be played")
            }
            () => error(example),
        }
    }

    fn move_text(&self, position: &Position, mv: Move) -> String {
        let rules = self.rules();
        if self.hub {
            let mut squares = vec![mv.from, mv.to];
            squares.extend((0..64).filter(|bit| mv.taken >> bit & 1 == 1));
            let names = squares.into_iter().map(|bit| (square_of(rules, bit.into()) + 1).to_string());
            return names.collect::<Vec<_>>().join(if mv.is_capture() { "x" } else { "-" });
        }
        let [from, to] = [mv.from, mv.to].map(|bit| square_name(rules, bit.into()));
        if !mv.is_capture() {
            return format!("{from}-{to}");
        }
        let mut moves = Vec::new();
        position.generate(&mut moves);
        if moves.iter().filter(|other| (other.from, other.to) == (mv.from, mv.to)).count() < 2 {
            return format!("{from}x{to}");
        }
        let (stops, _) = Notation::one_path(position, mv);
        stops.into_iter().fold(from, |text, bit| text + "x" + &square_name(rules, bit.into()))
    }

    fn repetition_rule(&self) -> Option<&str> {
        Some("the third time of a position is a draw, and so is a number of moves without progress")
    }

    fn board(&self, position: &Position) -> BoardPicture {
        let rules = self.rules();
        let size = rules.size as u8;
        let draughtsman = |color: Color, is_king: bool| {
            let (mark, kind) = match (color, is_king) {
                (Color::White, false) => ('w', "man"),
                (Color::White, true) => ('W', "king"),
                (Color::Black, false) => ('b', "man"),
                (Color::Black, true) => ('B', "king"),
            };
            message::Piece { owner: Player::from(position.side_of(color)), mark, kind: Some(kind) }
        };
        let players = [rules.first, rules.first.other()];
        let set = players.map(|color| [false, true].map(|is_king| draughtsman(color, is_king))).concat();
        let mut board = BoardPicture::pieces(size, size, PlayerNames::Colors, set, |col, row| {
            let bit = bit_at(rules, col.into(), row.into())?;
            let color = match () {
                () if position.pieces[0] >> bit & 1 == 1 => Color::White,
                () if position.pieces[1] >> bit & 1 == 1 => Color::Black,
                () => return None,
            };
            Some(draughtsman(color, position.kings >> bit & 1 == 1))
        });
        if let Shape::Grid(GridPicture { dark, labels, .. }) = &mut board.shape {
            let cells = (0..size).flat_map(|row| (0..size).map(move |col| (col, row)));
            let bits: Vec<Option<u32>> = cells.map(|(col, row)| bit_at(rules, col.into(), row.into())).collect();
            *dark = bits.iter().map(Option::is_some).collect();
            if rules.names == Names::Numbers {
                *labels = bits.into_iter().map(|bit| bit.map(|bit| square_name(rules, bit))).collect();
            }
        }
        let [first, second] = players.map(|color| match color {
            Color::White => message::Color::White,
            Color::Black => message::Color::Black,
        });
        board.looking(Surface::Squares, PieceStyle::Men).colored(first, second)
    }

    fn way(&self, position: &Position, mv: Move) -> Way {
        let (_, taken) = Notation::one_path(position, mv);
        let points = |bits: &[u8]| bits.iter().map(|&bit| self.point(bit)).collect::<Vec<_>>();
        let mut ways: Vec<Vec<Point>> = Vec::new();
        if mv.is_capture() {
            position.paths(mv, &mut |stops, _| {
                let via = stops.split_last().map_or(Vec::new(), |(_, stops)| points(stops));
                if !ways.contains(&via) {
                    ways.push(via);
                }
                ways.len() == MOST_WAYS
            });
        }
        let via = if ways.is_empty() { Vec::new() } else { ways.remove(0) };
        Way { via, ways, takes: points(&taken), ..Way::between(self.point(mv.from), self.point(mv.to)) }
    }
}
