//! Material of small endings, and boards as the tables number them. Layer 2.
//!
//! A board is the side to move, the two kings, and at most two other pieces in the order of the material. The attacker is the
//! side whose pieces come first; it is shown as White, so that one table serves both colours.
//!
//! ```text
//!  index = ((((turn * kings + attacker's king) * 64 + other king) * 64 + first piece) * 64 + second piece) * passants + passant
//!          turn 0: the attacker moves    kings: 10 squares (a1-d1-d4) without pawns, 32 (files a to d) with pawns
//! ```
//!
//! Boards are turned and mirrored until the attacker's king is on one of those squares. Where that leaves two ways (a king on the
//! long diagonal, two pieces of one kind), the one with the lower index stands for both.

use cozy_chess::{
    BitBoard, Board, Color, Piece, Rank, Square, get_bishop_moves, get_king_moves, get_knight_moves, get_pawn_attacks,
    get_rook_moves,
};

/// The most pieces besides the kings.
pub(super) const MOST: usize = 2;

/// Kings and pieces of an ending: the attacker's pieces, then the other side's, each from the queen down.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Material {
    pieces: [Option<(Color, Piece)>; MOST],
}

/// A board with the pieces of a material: the squares of the attacker's king, the other king, and the pieces in order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Placed {
    pub(super) turn: Color,
    pub(super) kings: [Square; 2],
    pub(super) pieces: [Square; MOST],
    /// Whether the last move was a double step past an enemy pawn, which may be taken.
    pub(super) passant: bool,
}

/// A turn or reflection of the board as a change of square numbers.
fn turned(square: Square, [files, ranks, diagonal]: [bool; 3]) -> Square {
    let mut number = square as usize;
    number ^= if files { 7 } else { 0 };
    number ^= if ranks { 56 } else { 0 };
    if diagonal {
        number = number % 8 * 8 + number / 8;
    }
    Square::index(number)
}

/// The squares of the triangle a1-d1-d4, by number.
const TRIANGLE: [usize; 64] = {
    let mut slots = [usize::MAX; 64];
    let (mut rank, mut next) = (0, 0);
    while rank < 4 {
        let mut file = rank;
        while file < 4 {
            slots[8 * rank + file] = next;
            next += 1;
            file += 1;
        }
        rank += 1;
    }
    slots
};

/// The squares by their slots.
const TRIANGLE_SQUARES: [usize; 10] = {
    let mut squares = [0; 10];
    let mut at = 0;
    while at < 64 {
        if TRIANGLE[at] != usize::MAX {
            squares[TRIANGLE[at]] = at;
        }
        at += 1;
    }
    squares
};

impl Material {
    /// The material of these pieces, and whether the colours must be exchanged; `None` if there are too many, or none.
    pub(super) fn new(pieces: impl Iterator<Item = (Color, Piece)>) -> Option<(Material, bool)> {
        let mut sides = [Vec::new(), Vec::new()];
        for (color, piece) in pieces {
            sides[color as usize].push(piece);
        }
        if !(1..=MOST).contains(&(sides[0].len() + sides[1].len())) {
            return None;
        }
        for side in &mut sides {
            side.sort_by(|a, b| b.cmp(a));
        }
        // The attacker has more pieces, or better ones.
        let key = |side: &Vec<Piece>| (side.len(), side.clone());
        let is_swapped = key(&sides[1]) > key(&sides[0]);
        if is_swapped {
            sides.swap(0, 1);
        }
        let mut material = [None; MOST];
        let [own, others] = sides;
        let all = own.into_iter().map(|piece| (Color::White, piece));
        let all = all.chain(others.into_iter().map(|piece| (Color::Black, piece)));
        for (slot, placed) in material.iter_mut().zip(all) {
            *slot = Some(placed);
        }
        Some((Material { pieces: material }, is_swapped))
    }

    /// The pieces besides the kings.
    pub(super) fn pieces(self) -> impl Iterator<Item = (Color, Piece)> {
        self.pieces.into_iter().flatten()
    }

    pub(super) fn count(self) -> usize {
        self.pieces().count()
    }

    pub(super) fn has_pawns(self) -> bool {
        self.pieces().any(|(_, piece)| piece == Piece::Pawn)
    }

    /// Whether neither side can ever mate.
    pub(super) fn is_dead(self) -> bool {
        self.count() == 1 && self.pieces().all(|(_, piece)| matches!(piece, Piece::Knight | Piece::Bishop))
    }

    /// Whether a pawn may be taken en passant.
    pub(super) fn has_passants(self) -> bool {
        self.pieces == [Some((Color::White, Piece::Pawn)), Some((Color::Black, Piece::Pawn))]
    }

    fn are_alike(self) -> bool {
        self.pieces[0].is_some() && self.pieces[0] == self.pieces[1]
    }

    fn king_slots(self) -> usize {
        if self.has_pawns() { 32 } else { 10 }
    }

    fn passants(self) -> usize {
        if self.has_passants() { 2 } else { 1 }
    }

    /// The number of indices.
    pub(super) fn size(self) -> usize {
        2 * self.king_slots() * 64 * 64_usize.pow(self.count() as u32) * self.passants()
    }

    /// The index of a board whose king is where it belongs.
    fn plain_index(self, placed: &Placed) -> usize {
        let king = placed.kings[0] as usize;
        let slot = if self.has_pawns() { king / 8 * 4 + king % 8 } else { TRIANGLE[king] };
        let mut index = (placed.turn as usize * self.king_slots() + slot) * 64 + placed.kings[1] as usize;
        for at in 0..self.count() {
            index = index * 64 + placed.pieces[at] as usize;
        }
        index * self.passants() + usize::from(placed.passant && self.has_passants())
    }

    fn sorted(self, placed: Placed) -> Placed {
        if self.are_alike() && placed.pieces[0] as usize > placed.pieces[1] as usize {
            return Placed { pieces: [placed.pieces[1], placed.pieces[0]], ..placed };
        }
        placed
    }

    fn by(self, placed: &Placed, turn: [bool; 3]) -> Placed {
        let of = |square| turned(square, turn);
        self.sorted(Placed { kings: placed.kings.map(of), pieces: placed.pieces.map(of), ..*placed })
    }

    /// The index of a board; all boards that are the same by symmetry have the same one.
    pub(super) fn index(self, placed: &Placed) -> usize {
        let king = placed.kings[0] as usize;
        let files = king % 8 > 3;
        if self.has_pawns() {
            return self.plain_index(&self.by(placed, [files, false, false]));
        }
        let ranks = king / 8 > 3;
        let [file, rank] = [if files { 7 - king % 8 } else { king % 8 }, if ranks { 7 - king / 8 } else { king / 8 }];
        let plain = || self.plain_index(&self.by(placed, [files, ranks, false]));
        let mirrored = || self.plain_index(&self.by(placed, [files, ranks, true]));
        match rank.cmp(&file) {
            std::cmp::Ordering::Less => plain(),
            std::cmp::Ordering::Greater => mirrored(),
            std::cmp::Ordering::Equal => plain().min(mirrored()),
        }
    }

    /// The board of an index, which may be illegal.
    pub(super) fn board(self, mut index: usize) -> Placed {
        let passant = index % self.passants() == 1;
        index /= self.passants();
        let mut pieces = [Square::A1; MOST];
        for at in (0..self.count()).rev() {
            pieces[at] = Square::index(index % 64);
            index /= 64;
        }
        let other = Square::index(index % 64);
        index /= 64;
        let slot = index % self.king_slots();
        let turn = if index / self.king_slots() == 0 { Color::White } else { Color::Black };
        let king = if self.has_pawns() {
            Square::index(slot / 4 * 8 + slot % 4)
        } else {
            Square::index(TRIANGLE_SQUARES[slot])
        };
        Placed { turn, kings: [king, other], pieces, passant }
    }

    /// The material and the board of a position with at most that many pieces; `None` where castling or too many pieces forbid it.
    pub(super) fn of(board: &Board) -> Option<(Material, Placed)> {
        if board.occupied().len() as usize > MOST + 2 {
            return None;
        }
        let can_castle = Color::ALL.into_iter().any(|color| {
            let rights = board.castle_rights(color);
            rights.short.is_some() || rights.long.is_some()
        });
        if can_castle {
            return None;
        }
        let others = board.occupied() & !board.pieces(Piece::King);
        let on = |square| Some((board.color_on(square)?, board.piece_on(square)?));
        let (material, is_swapped) = Material::new(others.into_iter().filter_map(on))?;
        let mut left = others;
        let mut pieces = [Square::A1; MOST];
        for (slot, (color, piece)) in pieces.iter_mut().zip(material.pieces()) {
            let color = if is_swapped { !color } else { color };
            let square = (left & board.colored_pieces(color, piece)).next_square()?;
            left &= !square.bitboard();
            *slot = square;
        }
        let [white, black] = Color::ALL.map(|color| board.king(color));
        let kings = if is_swapped { [black, white] } else { [white, black] };
        let turn = if is_swapped { !board.side_to_move() } else { board.side_to_move() };
        let passant = super::super::rules::en_passant(board).is_some();
        let placed = Placed { turn, kings, pieces, passant };
        let placed = if is_swapped { material.by(&placed, [false, true, false]) } else { material.sorted(placed) };
        Some((material, placed))
    }
}

/// The squares that a piece attacks.
pub(super) fn attacks(color: Color, piece: Piece, from: Square, occupied: BitBoard) -> BitBoard {
    match piece {
        Piece::Pawn => get_pawn_attacks(from, color),
        Piece::Knight => get_knight_moves(from),
        Piece::Bishop => get_bishop_moves(from, occupied),
        Piece::Rook => get_rook_moves(from, occupied),
        Piece::Queen => get_bishop_moves(from, occupied) | get_rook_moves(from, occupied),
        Piece::King => get_king_moves(from),
    }
}

impl Placed {
    /// The squares of all pieces but the one at `without`, which is there no more.
    pub(super) fn occupied(&self, material: Material, without: Option<usize>) -> BitBoard {
        let pieces = (0..material.count()).filter(|&at| without != Some(at)).map(|at| self.pieces[at]);
        pieces.chain(self.kings).fold(BitBoard::EMPTY, |all, square| all | square.bitboard())
    }

    /// Whether the king of `color` is attacked; the piece at `without` is there no more.
    pub(super) fn is_attacked(&self, material: Material, color: Color, without: Option<usize>) -> bool {
        let king = self.kings[color as usize];
        let occupied = self.occupied(material, without);
        get_king_moves(king).has(self.kings[!color as usize])
            || material.pieces().enumerate().any(|(at, (of, piece))| {
                of != color && without != Some(at) && attacks(of, piece, self.pieces[at], occupied).has(king)
            })
    }

    /// Whether no two pieces stand on one square, pawns stand where they can, and the side not to move is not in check.
    pub(super) fn is_legal(&self, material: Material) -> bool {
        if self.occupied(material, None).len() as usize != 2 + material.count() {
            return false;
        }
        let last = Rank::First.bitboard() | Rank::Eighth.bitboard();
        let is_pawn_lost =
            material.pieces().enumerate().any(|(at, (_, piece))| piece == Piece::Pawn && last.has(self.pieces[at]));
        if is_pawn_lost || (self.passant && !self.has_passed(material)) {
            return false;
        }
        !self.is_attacked(material, !self.turn, None)
    }

    /// Whether the pawn of the side not to move may just have passed the other one by a double step.
    pub(super) fn has_passed(&self, material: Material) -> bool {
        let mover = !self.turn;
        let [moved, other] = [self.pieces[mover as usize], self.pieces[self.turn as usize]];
        let from = Square::new(moved.file(), Rank::Second.relative_to(mover));
        let behind = Square::new(moved.file(), Rank::Third.relative_to(mover));
        moved.rank() == Rank::Fourth.relative_to(mover)
            && other.rank() == moved.rank()
            && (other.file() as i32 - moved.file() as i32).abs() == 1
            && (self.occupied(material, None) & (from.bitboard() | behind.bitboard())).is_empty()
    }
}
