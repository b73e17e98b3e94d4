//! A game of your own as an engine for every UGI and UCI front end: hexapawn, complete, in this one file.
//!
//! 1. `Position`: the rules. A plain value without history or text: whose turn it is, the outcome, the moves, and a hash.
//! 2. `Notation`: the texts of positions and moves, which must read back what they write, and the board as plain data.
//! 3. `Evaluate`: the value for the side to move. A rough one is enough; the search does the rest.
//! 4. `serve`: `printf 'ugi\nposition startpos\ngo depth 9\n' | cargo run --example add_a_game`
//! 5. `conformance::check`: the law suite, below as a test. It finds mistakes in steps 1 to 3.
//!
//! Hexapawn: three pawns a side on 3×3 move and capture as in chess. A side wins by crossing the board or by leaving the
//! opponent without a move. The second player wins.
//! CITE: Martin Gardner, "How to build a game-learning machine and then teach it to play and to win", 1962.

use griot::game::{Evaluate, Game, NoExpertise, Notation, Outcome, Position, Side, TextError, mix64};
use griot::message::{BoardPicture, Point, Way};
use griot::score::Score;

/// Bit `3 * row + column` of a set is that square; a1 is bit 0, c3 is bit 8. `First` is `P` and moves up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Hexapawn {
    pawns: [u16; 2],
    turn: Side,
}

impl Hexapawn {
    fn owner(&self, square: u8) -> Option<Side> {
        [Side::First, Side::Second].into_iter().find(|side| self.pawns[side.index()] >> square & 1 == 1)
    }

    fn crossed(&self, side: Side) -> bool {
        self.pawns[side.index()] & [0o700, 0o007][side.index()] != 0
    }
}

impl Position for Hexapawn {
    type Move = (u8, u8);

    fn side_to_move(&self) -> Side {
        self.turn
    }

    /// A side without a move has lost; after a crossing, the opponent has none.
    fn outcome(&self) -> Option<Outcome> {
        let mut moves = Vec::new();
        self.generate(&mut moves);
        moves.is_empty().then(|| Outcome::Win(self.turn.other()))
    }

    fn generate(&self, moves: &mut Vec<(u8, u8)>) {
        let goes_on = !self.crossed(self.turn.other());
        for from in (0..9).filter(|&from| goes_on && self.owner(from) == Some(self.turn)) {
            let ahead = if self.turn == Side::First { from + 3 } else { from - 3 };
            for column in (from % 3).saturating_sub(1)..=(from % 3 + 1).min(2) {
                let to = ahead - ahead % 3 + column;
                let met = if to == ahead { None } else { Some(self.turn.other()) };
                moves.extend((self.owner(to) == met).then_some((from, to)));
            }
        }
    }

    fn play(&mut self, (from, to): (u8, u8)) {
        self.pawns[self.turn.index()] ^= 1 << from | 1 << to;
        self.turn = self.turn.other();
        self.pawns[self.turn.index()] &= !(1 << to);
    }

    fn hash(&self) -> u64 {
        let [first, second] = self.pawns.map(u64::from);
        mix64(first | second << 9 | (self.turn.index() as u64) << 18 | 1 << 19)
    }
}

/// Positions as `ppp/.../PPP P`: the rows from the top, then the side to move. Moves as `a1a2`.
#[derive(Debug, Clone)]
pub(crate) struct Texts;

const LETTERS: [char; 2] = ['P', 'p'];

impl Notation for Texts {
    type Position = Hexapawn;
    fn start(&self) -> Hexapawn {
        Hexapawn { pawns: [0o007, 0o700], turn: Side::First }
    }

    fn parse_position(&self, text: &str) -> Result<Hexapawn, TextError> {
        let turn = if text.ends_with('P') { Side::First } else { Side::Second };
        let squares = text.chars().filter(|&letter| letter != '/').zip([6, 7, 8, 3, 4, 5, 0, 1, 2]);
        let pawns = |pawn| squares.clone().filter(|(letter, _)| *letter == pawn).map(|(_, square)| 1 << square).sum();
        let position = Hexapawn { pawns: LETTERS.map(pawns), turn };
        let wrong = |field, expected| Err(TextError::new(0, field, expected, format!("'{text}'")));
        if self.position_text(&position) != text {
            wrong("board", "three rows of 'P', 'p' and '.', and the side to move, like ppp/.../PPP P")
        } else if position.crossed(turn) || position.pawns.iter().any(|pawns| pawns.count_ones() > 3) {
            wrong("pawns", "at most three a side, and none of the side to move across the board")
        } else {
            Ok(position)
        }
    }

    fn position_text(&self, position: &Hexapawn) -> String {
        let letter = |square| position.owner(square).map_or('.', |side| LETTERS[side.index()]);
        let [top, middle, low] = [6, 3, 0].map(|at| (at..at + 3).map(letter).collect::<String>());
        format!("{top}/{middle}/{low} {}", LETTERS[position.turn.index()])
    }

    fn parse_move(&self, position: &Hexapawn, text: &str) -> Result<(u8, u8), TextError> {
        let mut moves = Vec::new();
        position.generate(&mut moves);
        let texts: Vec<String> = moves.iter().map(|&mv| self.move_text(position, mv)).collect();
        let found = moves.into_iter().zip(&texts).find(|(_, mv)| *mv == text).map(|(mv, _)| mv);
        found.ok_or_else(|| TextError::new(0, "move", texts.join(" or "), format!("'{text}'")))
    }

    fn move_text(&self, _position: &Hexapawn, (from, to): (u8, u8)) -> String {
        let square = |square: u8| format!("{}{}", char::from(b'a' + square % 3), square / 3 + 1);
        square(from) + &square(to)
    }

    fn board(&self, position: &Hexapawn) -> BoardPicture {
        BoardPicture::grid(3, 3, LETTERS, |column, row| position.owner(3 * row + column))
    }

    fn way(&self, _position: &Hexapawn, (from, to): (u8, u8)) -> Way {
        Way::between(Point::new(from % 3, from / 3), Point::new(to % 3, to / 3))
    }
}

/// The difference in pawns.
#[derive(Debug, Clone)]
pub(crate) struct CountPawns;

impl Evaluate<Hexapawn> for CountPawns {
    fn evaluate(&self, position: &Hexapawn) -> Score {
        let [own, other] = [position.turn, position.turn.other()].map(|side| position.pawns[side.index()].count_ones());
        Score::units(100 * (own as i32 - other as i32))
    }
}

impl NoExpertise for CountPawns {}

fn main() -> std::io::Result<()> {
    griot::engine::serve(Game::new("hexapawn", Texts, CountPawns))
}

#[test]
fn hexapawn_keeps_the_laws_of_games() {
    griot::game::conformance::check(&Game::new("hexapawn", Texts, CountPawns), 1, 500).unwrap();
}
