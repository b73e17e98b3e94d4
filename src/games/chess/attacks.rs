//! What the pieces attack, as inputs of the network that are found anew for each evaluation. Layer 2.
//!
//! ```text
//!  pieces under attack    undefended, by a lesser piece, or otherwise; each kind of piece on its square
//!  mobility               squares that a piece reaches and no enemy pawn attacks, for each kind of piece
//!  rings                  squares of a king and beside it that a kind of piece attacks
//!  weak squares           squares of a ring that are attacked, and defended by the king at most
//!  passed pawns           each on its square
//!  safe checks            squares from which a kind of piece could give check without being taken
//! ```
//!
//! Each is there for the side that looks and for its opponent. Pins are not seen.

use cozy_chess::{
    BitBoard, Board, Color, File, Piece, Square, get_bishop_moves, get_king_moves, get_knight_moves, get_rook_moves,
};

use super::rules::piece_at;

/// Pieces on their squares, of one side.
const PLACES: usize = Piece::NUM * Square::NUM;
/// Ways of being under attack.
const WAYS: usize = 3;
/// Numbers of squares that a piece reaches; greater ones count as the last.
const REACHES: usize = 16;
/// Numbers of squares of a ring.
const RING: usize = 10;
/// Numbers of safe checks; greater ones count as the last.
const CHECKS: usize = 4;
/// Kinds of pieces that have a mobility and safe checks: knights, bishops, rooks and queens.
const OFFICERS: usize = 4;

// Where the inputs of each kind begin.
const MOBILITY: usize = WAYS * 2 * PLACES;
const RINGS: usize = MOBILITY + 2 * OFFICERS * REACHES;
const WEAK: usize = RINGS + 2 * (1 + OFFICERS) * RING;
const PASSED: usize = WEAK + 2 * RING;
const SAFE_CHECKS: usize = PASSED + 2 * Square::NUM;
/// The number of these inputs.
pub const ADDED: usize = SAFE_CHECKS + 2 * OFFICERS * CHECKS;

/// The greatest number of active inputs; what a crowded board has beyond is left out.
pub(super) const MOST: usize = 80;

/// The active inputs of a position.
#[derive(Debug, Clone, Copy)]
pub struct Added {
    /// Each as White and as Black see it.
    inputs: [[u16; Color::NUM]; SPACE],
    count: usize,
    /// The number by which each side turns a square to the one it sees (by exclusive or).
    turns: [u8; Color::NUM],
}

/// More than [`MOST`], and a power of two.
const SPACE: usize = 128;

impl Added {
    /// The inputs of a board.
    #[must_use]
    #[inline]
    pub fn of(board: &Board, turns: [u8; Color::NUM]) -> Added {
        let mut added = Added { inputs: [[0; Color::NUM]; SPACE], count: 0, turns };
        let pawns_of = |color| board.colored_pieces(color, Piece::Pawn);
        let [white, black] =
            [by_pawns(pawns_of(Color::White), Color::White), by_pawns(pawns_of(Color::Black), Color::Black)];
        let white_attacks = added.mobility(board, Color::White, [white, black]);
        let black_attacks = added.mobility(board, Color::Black, [black, white]);
        for (color, own, theirs) in
            [(Color::White, &white_attacks, &black_attacks), (Color::Black, &black_attacks, &white_attacks)]
        {
            added.under_attack(board, color, own, theirs);
            added.king(board, color, own, theirs);
            for square in pawns_of(color) & !held_up_by(pawns_of(!color), color) {
                added.add_on(color, [PASSED, Square::NUM, 0], square);
            }
        }
        added
    }

    /// The inputs, as White and as Black see them.
    #[must_use]
    #[inline]
    pub fn inputs(&self) -> &[[u16; Color::NUM]] {
        &self.inputs[..self.count.min(MOST)]
    }

    /// Adds an input of a piece of `color` if `is_there`: one of `of_owner` for each owner, from `first` on.
    #[inline]
    fn add(&mut self, color: Color, [first, of_owner, number]: [usize; 3], is_there: bool) {
        let own = (first + number) as u16;
        let theirs = own + of_owner as u16;
        self.inputs[self.count % SPACE] = if color == Color::White { [own, theirs] } else { [theirs, own] };
        self.count += usize::from(is_there);
    }

    /// Adds an input of a piece of `color` on a square.
    #[inline]
    fn add_on(&mut self, color: Color, [first, of_owner, number]: [usize; 3], square: Square) {
        self.add(color, [first, of_owner, number], true);
        let pair = &mut self.inputs[(self.count - 1) % SPACE];
        pair[0] += u16::from(square as u8 ^ self.turns[0]);
        pair[1] += u16::from(square as u8 ^ self.turns[1]);
    }

    #[inline]
    fn under_attack(&mut self, board: &Board, color: Color, own: &Attacks, theirs: &Attacks) {
        // What is attacked by pieces that are worth less than each kind.
        let minors = theirs.by[0] | theirs.by[1] | theirs.by[2];
        let none = BitBoard::EMPTY;
        let lesser = [none, theirs.by[0], theirs.by[0], minors, minors | theirs.by[3], none];
        for square in board.colors(color) & theirs.all & !board.pieces(Piece::King) {
            let piece = piece_at(board, square);
            let by_lesser = lesser[piece as usize].has(square);
            let way = usize::from(own.all.has(square)) * (2 - usize::from(by_lesser));
            self.add_on(color, [way * 2 * PLACES, PLACES, piece as usize * Square::NUM], square);
        }
    }

    /// Adds the mobility of each officer, and returns what the side attacks. The first bitboard is what its own pawns attack, the
    /// second what the other side's do.
    #[inline]
    fn mobility(&mut self, board: &Board, color: Color, [by_own_pawns, by_pawns]: [BitBoard; 2]) -> Attacks {
        let free = !board.colors(color) & !by_pawns;
        let occupied = board.occupied();
        let none = BitBoard::EMPTY;
        let mut by = [by_own_pawns, none, none, none, none, get_king_moves(board.king(color))];
        let lesser = board.pieces(Piece::Pawn) | board.pieces(Piece::King);
        for square in board.colors(color) & !lesser {
            let piece = piece_at(board, square);
            let reached = reach(piece, square, occupied);
            by[piece as usize] |= reached;
            let number = (piece as usize - 1) * REACHES + ((reached & free).len() as usize).min(REACHES - 1);
            self.add(color, [MOBILITY, OFFICERS * REACHES, number], true);
        }
        let but_the_king = by[0] | by[1] | by[2] | by[3] | by[4];
        Attacks { by, all: but_the_king | by[Piece::King as usize], but_the_king }
    }

    /// What the pieces of `color` do to the king of the other side.
    #[inline]
    fn king(&mut self, board: &Board, color: Color, own: &Attacks, theirs: &Attacks) {
        let king = board.king(!color);
        let ring = get_king_moves(king) | king.bitboard();
        for kind in 0..=OFFICERS {
            let count = (own.by[kind] & ring).len() as usize;
            self.add(color, [RINGS, (1 + OFFICERS) * RING, kind * RING + count], count > 0);
        }
        let weak = (own.all & ring & !theirs.but_the_king).len() as usize;
        self.add(color, [WEAK, RING, weak], true);
        let safe = !theirs.all & !board.colors(color);
        let (diagonal, straight) = (get_bishop_moves(king, board.occupied()), get_rook_moves(king, board.occupied()));
        let from = [get_knight_moves(king), diagonal, straight, diagonal | straight];
        for (kind, from) in from.into_iter().enumerate() {
            let checks = ((from & own.by[1 + kind] & safe).len() as usize).min(CHECKS - 1);
            self.add(color, [SAFE_CHECKS, OFFICERS * CHECKS, kind * CHECKS + checks], checks > 0);
        }
    }
}

/// The squares that a side attacks, occupied by either side or by none.
struct Attacks {
    /// By each kind of piece, from pawns to the king.
    by: [BitBoard; Piece::NUM],
    all: BitBoard,
    but_the_king: BitBoard,
}

/// The squares that a knight, bishop, rook or queen attacks.
#[inline]
fn reach(piece: Piece, from: Square, occupied: BitBoard) -> BitBoard {
    match piece {
        Piece::Knight => get_knight_moves(from),
        Piece::Bishop => get_bishop_moves(from, occupied),
        Piece::Rook => get_rook_moves(from, occupied),
        _ => get_bishop_moves(from, occupied) | get_rook_moves(from, occupied),
    }
}

/// The squares beside these on their ranks.
#[inline]
fn beside(squares: BitBoard) -> BitBoard {
    let (left, right) = (squares & !File::A.bitboard(), squares & !File::H.bitboard());
    BitBoard((left.0 >> 1) | (right.0 << 1))
}

/// A rank further, as `color` sees it.
#[inline]
fn ahead(squares: BitBoard, color: Color) -> BitBoard {
    BitBoard(if color == Color::White { squares.0 << 8 } else { squares.0 >> 8 })
}

/// The squares that these pawns attack.
#[inline]
fn by_pawns(pawns: BitBoard, color: Color) -> BitBoard {
    ahead(beside(pawns), color)
}

/// The squares on which a pawn of `color` would have one of these enemies ahead, on its file or a file beside it.
#[inline]
fn held_up_by(enemies: BitBoard, color: Color) -> BitBoard {
    let mut squares = ahead(enemies | beside(enemies), !color);
    for ranks in [1, 2, 4] {
        squares |= BitBoard(if color == Color::White { squares.0 >> (8 * ranks) } else { squares.0 << (8 * ranks) });
    }
    squares
}
#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::super::game;
    use super::*;
    use crate::game::{Notation as _, Position as _, SplitMix64, mix64};

    const TURNS: [u8; Color::NUM] = [0, 56];

    /// The inputs of White, who sees squares as they are.
    fn of_white(board: &Board) -> BTreeSet<usize> {
        Added::of(board, TURNS).inputs().iter().map(|pair| usize::from(pair[0])).collect()
    }

    #[test]
    fn what_attacks_add_is_what_is_reckoned_by_hand() {
        // The pawns attack each other, and nothing guards them; the rook could check on h8, and reaches nine squares.
        let board: Board = "4k3/8/8/3p4/4P3/8/8/4K2R w - - 0 1".parse().unwrap();
        let expected = [
            Square::E4 as usize,
            PLACES + Square::D5 as usize,
            MOBILITY + 2 * REACHES + 9,
            WEAK,
            WEAK + RING,
            SAFE_CHECKS + 2 * CHECKS + 1,
        ];
        assert_eq!(of_white(&board), BTreeSet::from(expected));
        // The knight is attacked by a lesser piece, and guarded by the king; the queen, attacked by it, is not.
        let board: Board = "7k/8/8/8/6p1/3q1N2/6K1/8 w - - 0 1".parse().unwrap();
        let knight = 2 * PLACES + Piece::Knight as usize * Square::NUM + Square::F3 as usize;
        let seen = of_white(&board);
        assert!(seen.contains(&knight), "{seen:?}");
        assert!(seen.contains(&(PASSED + Square::NUM + Square::G4 as usize)), "{seen:?}");
        // Of the ring the pawn attacks f3 and h3, the queen f1 and f3.
        for kind in [Piece::Pawn, Piece::Queen] {
            let attacker = RINGS + (1 + OFFICERS) * RING + kind as usize * RING + 2;
            assert!(seen.contains(&attacker), "{kind}: {seen:?}");
        }
    }

    /// What a piece attacks, whatever stands there.
    fn attacked_from(board: &Board, square: Square) -> BitBoard {
        let (color, piece) = (board.color_on(square).unwrap(), board.piece_on(square).unwrap());
        match piece {
            Piece::Pawn => cozy_chess::get_pawn_attacks(square, color),
            Piece::Knight => get_knight_moves(square),
            Piece::Bishop => get_bishop_moves(square, board.occupied()),
            Piece::Rook => get_rook_moves(square, board.occupied()),
            Piece::Queen => get_bishop_moves(square, board.occupied()) | get_rook_moves(square, board.occupied()),
            Piece::King => get_king_moves(square),
        }
    }

    /// Each attack looked for piece by piece, in positions of random games.
    #[test]
    fn attacks_and_passed_pawns_are_those_of_each_piece() {
        let mut positions = 0;
        for number in 0..30 {
            let mut rng = SplitMix64::new(mix64(number));
            let mut position = game().notation.start();
            let mut moves = Vec::new();
            while position.status(&mut moves).is_none() && rng.below(150) > 0 {
                let board = position.board();
                let attackers = |of: Color, to: Square| {
                    let pieces = board.colors(of).into_iter().filter(move |&from| attacked_from(board, from).has(to));
                    pieces.map(|from| board.piece_on(from).unwrap()).collect::<Vec<_>>()
                };
                let mut expected = BTreeSet::new();
                for square in board.occupied() {
                    let (color, piece) = (board.color_on(square).unwrap(), board.piece_on(square).unwrap());
                    let owner = usize::from(color == Color::Black);
                    let (takers, guards) = (attackers(!color, square), attackers(color, square));
                    let value = |piece: Piece| [1, 3, 3, 5, 9, 100][piece as usize];
                    if !takers.is_empty() && piece != Piece::King {
                        let by_lesser = takers.iter().any(|&taker| value(taker) < value(piece));
                        let way = if guards.is_empty() { 0 } else { 2 - usize::from(by_lesser) };
                        expected.insert((2 * way + owner) * PLACES + piece as usize * Square::NUM + square as usize);
                    }
                    let ahead = |other: Square| {
                        let (own, other) = (square.rank() as usize, other.rank() as usize);
                        if color == Color::White { other > own } else { other < own }
                    };
                    let near = |other: Square| (other.file() as i32 - square.file() as i32).abs() <= 1;
                    let mut enemies = board.colored_pieces(!color, Piece::Pawn).into_iter();
                    if piece == Piece::Pawn && !enemies.any(|other| near(other) && ahead(other)) {
                        expected.insert(PASSED + owner * Square::NUM + square as usize);
                    }
                }
                let on_squares = |input: &usize| *input < MOBILITY || (PASSED..SAFE_CHECKS).contains(input);
                let found: BTreeSet<usize> = of_white(board).into_iter().filter(on_squares).collect();
                assert_eq!(found, expected, "{board}");
                positions += 1;
                position.play(moves[rng.below(moves.len())]);
                moves.clear();
            }
        }
        assert!(positions > 1000, "{positions}");
    }

    #[test]
    fn a_crowded_board_leaves_out_what_is_beyond_the_greatest_number() {
        let board: Board = "qqqqqqqq/qqqqqqqq/8/3k4/8/4K3/QQQQQQQQ/QQQQQQQQ w - - 0 1".parse().unwrap_or_default();
        assert!(Added::of(&board, TURNS).inputs().len() <= MOST);
    }
}
