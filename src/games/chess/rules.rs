//! The rules of chess, from the crate `cozy-chess`, as [`game::Position`]. Layer 2.
//!
//! Two positions are equal as the rule of repetition defines: the same pieces, rights and turn, and the same legal en passant
//! captures. The counters of plies and moves are kept beside that ([`game::Position::reversible_plies_left`]).
//! CITE: FIDE Laws of Chess, 2023, articles 3.8, 5.2, 9.2, 9.3.

use cozy_chess::{
    BitBoard, Board, Color, File, Move, Piece, PieceMoves, Rank, Square, get_bishop_moves, get_bishop_rays,
    get_knight_moves, get_pawn_attacks, get_rook_moves, get_rook_rays,
};

use crate::game::{self, Outcome, Side};

/// Plies without a capture or pawn move after which a game is drawn.
pub(super) const COUNTED_PLIES: u8 = 100;

/// A piece on its square.
pub(super) type Placed = (Color, Piece, Square);

/// A position of chess, or of a Chess960 game.
#[derive(Debug, Clone)]
pub struct Position {
    board: Board,
    /// Equal for equal positions: the library's hash without en passant captures that are not legal.
    key: u64,
    /// The piece on each square. What is said of empty squares means nothing.
    pieces: [Piece; Square::NUM],
}

impl Position {
    pub(super) fn new(board: Board) -> Position {
        let key = if en_passant(&board).is_some() { board.hash() } else { board.hash_without_ep() };
        let pieces = Square::ALL.map(|square| board.piece_on(square).unwrap_or(Piece::Pawn));
        Position { board, key, pieces }
    }

    /// The piece on a square that is not empty.
    #[inline]
    pub(super) fn piece_on(&self, square: Square) -> Piece {
        self.pieces[square as usize]
    }

    /// The board of the library.
    #[must_use]
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Whether the move is castling, which is written as the king capturing its own rook.
    #[inline]
    pub(super) fn castles(&self, mv: Move) -> bool {
        self.board.colors(self.board.side_to_move()).has(mv.to)
    }

    /// Whether the move captures a piece.
    #[inline]
    pub(super) fn captures(&self, mv: Move) -> bool {
        self.board.colors(!self.board.side_to_move()).has(mv.to) || self.takes_en_passant(mv)
    }

    #[inline]
    fn takes_en_passant(&self, mv: Move) -> bool {
        mv.from.file() != mv.to.file()
            && self.board.pieces(Piece::Pawn).has(mv.from)
            && !self.board.occupied().has(mv.to)
    }

    /// The piece that a move captures.
    #[inline]
    pub(super) fn victim(&self, mv: Move) -> Option<Piece> {
        let taken = self.board.colors(!self.board.side_to_move()).has(mv.to).then(|| self.piece_on(mv.to));
        taken.or_else(|| self.takes_en_passant(mv).then_some(Piece::Pawn))
    }

    /// The changes of a move: the moving piece before and after; the other piece that leaves its square, a captured
    /// piece or the castling rook; and this rook on its new square.
    #[inline]
    pub(super) fn changes(&self, mv: Move) -> ([Placed; 2], Option<Placed>, Option<Placed>) {
        let (board, side) = (&self.board, self.board.side_to_move());
        let piece = self.piece_on(mv.from);
        let from = (side, piece, mv.from);
        if self.castles(mv) {
            let [king, rook] = castled(mv);
            return ([from, (side, piece, king)], Some((side, Piece::Rook, mv.to)), Some((side, Piece::Rook, rook)));
        }
        let taken = self.victim(mv).map(|victim| {
            let on = if board.colors(!side).has(mv.to) { mv.to } else { Square::new(mv.to.file(), mv.from.rank()) };
            (!side, victim, on)
        });
        ([from, (side, mv.promotion.unwrap_or(piece), mv.to)], taken, None)
    }

    /// Whether neither side can ever mate: bare kings, one knight, or bishops of one colour of squares alone.
    fn is_dead(&self) -> bool {
        let pieces = |piece| self.board.pieces(piece);
        let mating = pieces(Piece::Pawn) | pieces(Piece::Rook) | pieces(Piece::Queen);
        let (knights, bishops) = (pieces(Piece::Knight), pieces(Piece::Bishop));
        let one_color = [BitBoard::DARK_SQUARES, BitBoard::LIGHT_SQUARES].map(|squares| (bishops & squares).is_empty());
        mating.is_empty()
            && match knights.len() {
                0 => one_color.contains(&true),
                1 => bishops.is_empty(),
                _ => false,
            }
    }

    /// Whether the moving piece gives check from its new square.
    #[inline]
    pub(super) fn gives_check(&self, mv: Move) -> bool {
        let board = &self.board;
        let side = board.side_to_move();
        let king = board.king(!side);
        let occupied = (board.occupied() & !mv.from.bitboard()) | mv.to.bitboard();
        // Most moves go to squares without a line to the king.
        let along_rank_or_file = || get_rook_rays(mv.to).has(king) && get_rook_moves(mv.to, occupied).has(king);
        let along_diagonal = || get_bishop_rays(mv.to).has(king) && get_bishop_moves(mv.to, occupied).has(king);
        match mv.promotion.unwrap_or_else(|| self.piece_on(mv.from)) {
            Piece::Pawn => get_pawn_attacks(mv.to, side).has(king),
            Piece::Knight => get_knight_moves(mv.to).has(king),
            Piece::Bishop => along_diagonal(),
            Piece::Rook => along_rank_or_file(),
            Piece::Queen => along_diagonal() || along_rank_or_file(),
            Piece::King => false,
        }
    }

    /// Appends captures, en passant captures, and promotions to a queen.
    pub(super) fn captures_and_promotions(&self, moves: &mut Vec<Move>) {
        let board = &self.board;
        let side = board.side_to_move();
        let taken = board.colors(!side);
        let last_rank = Rank::Eighth.relative_to(side).bitboard();
        let en_passant =
            board.en_passant().map_or(BitBoard::EMPTY, |file| Square::new(file, Rank::Sixth.relative_to(side)).into());
        board.generate_moves(|mut some| {
            some.to &= if some.piece == Piece::Pawn { taken | last_rank | en_passant } else { taken };
            append(some, promotes(some).then_some(Piece::Queen), moves);
            false
        });
    }

    /// Whether the exchanges begun by `mv` on its square gain at least `threshold` for its side, when each side always
    /// captures with its least valuable piece and may stop at any time. Ignores pins. CITE: chessprogramming wiki,
    /// "Static Exchange Evaluation".
    pub(super) fn exchange_wins(&self, mv: Move, threshold: i32) -> bool {
        let board = &self.board;
        if self.castles(mv) {
            return threshold <= 0;
        }
        let promotion = mv.promotion.map_or(0, |piece| VALUES[piece as usize] - VALUES[Piece::Pawn as usize]);
        // The balance of the exchange so far, and the piece on the square.
        let mut balance = self.victim(mv).map_or(0, |piece| VALUES[piece as usize]) + promotion - threshold;
        if balance < 0 {
            return false;
        }
        balance -= VALUES[mv.promotion.unwrap_or_else(|| self.piece_on(mv.from)) as usize];
        if balance >= 0 {
            return true;
        }
        let to = mv.to;
        let mut occupied = (board.occupied() & !mv.from.bitboard()) | to.bitboard();
        if self.takes_en_passant(mv) {
            occupied &= !Square::new(to.file(), mv.from.rank()).bitboard();
        }
        let diagonal = board.pieces(Piece::Bishop) | board.pieces(Piece::Queen);
        let straight = board.pieces(Piece::Rook) | board.pieces(Piece::Queen);
        let mut attackers = attackers(board, to, occupied);
        let mut side = !board.side_to_move();
        let mut wins = true;
        loop {
            attackers &= occupied;
            let own = attackers & board.colors(side);
            let Some(piece) = Piece::ALL.into_iter().find(|&piece| !(own & board.pieces(piece)).is_empty()) else {
                return wins;
            };
            if piece == Piece::King && !(attackers & board.colors(!side)).is_empty() {
                // The king cannot capture a defended piece.
                return wins;
            }
            wins = !wins;
            balance = -balance - 1 - VALUES[piece as usize];
            // A side that stays ahead even if it loses this piece need not go on.
            if balance >= 0 {
                return wins;
            }
            if let Some(from) = (own & board.pieces(piece)).next_square() {
                occupied &= !from.bitboard();
            }
            if matches!(piece, Piece::Pawn | Piece::Bishop | Piece::Queen) {
                attackers |= get_bishop_moves(to, occupied) & diagonal;
            }
            if matches!(piece, Piece::Rook | Piece::Queen) {
                attackers |= get_rook_moves(to, occupied) & straight;
            }
            side = !side;
        }
    }
}

/// The values of pieces in exchanges, in hundredths of a pawn, from the pawn to the king.
pub(super) const VALUES: [i32; Piece::NUM] = [100, 320, 330, 500, 950, 20_000];

/// The squares of the king and of the rook after castling.
#[inline]
fn castled(mv: Move) -> [Square; 2] {
    let files = if mv.to.file() > mv.from.file() { [File::G, File::F] } else { [File::C, File::D] };
    files.map(|file| Square::new(file, mv.from.rank()))
}

/// Whether these are promotions.
#[inline]
fn promotes(some: PieceMoves) -> bool {
    let last = Rank::First.bitboard() | Rank::Eighth.bitboard();
    some.piece == Piece::Pawn && !(some.to & last).is_empty()
}

/// Appends a move to each of the squares.
#[inline]
fn append(some: PieceMoves, promotion: Option<Piece>, moves: &mut Vec<Move>) {
    moves.extend(some.to.into_iter().map(|to| Move { from: some.from, to, promotion }));
}

/// The pieces of both sides that attack a square.
fn attackers(board: &Board, to: Square, occupied: BitBoard) -> BitBoard {
    let of = |piece| board.pieces(piece);
    let pawns = |side| get_pawn_attacks(to, side) & board.colored_pieces(!side, Piece::Pawn);
    (get_bishop_moves(to, occupied) & (of(Piece::Bishop) | of(Piece::Queen)))
        | (get_rook_moves(to, occupied) & (of(Piece::Rook) | of(Piece::Queen)))
        | (get_knight_moves(to) & of(Piece::Knight))
        | (cozy_chess::get_king_moves(to) & of(Piece::King))
        | pawns(Color::White)
        | pawns(Color::Black)
}

/// The file of a legal en passant capture.
pub(super) fn en_passant(board: &Board) -> Option<File> {
    let file = board.en_passant()?;
    let side = board.side_to_move();
    let to = Square::new(file, Rank::Sixth.relative_to(side));
    let takers = get_pawn_attacks(to, !side) & board.colored_pieces(side, Piece::Pawn);
    takers.into_iter().any(|from| board.is_legal(Move { from, to, promotion: None })).then_some(file)
}

impl PartialEq for Position {
    fn eq(&self, other: &Self) -> bool {
        // `Board::same_position` mistakes a move of another piece to the en passant square for an en passant capture.
        let pieces = |board: &Board| Piece::ALL.map(|piece| board.pieces(piece));
        let sides = |board: &Board| Color::ALL.map(|color| (board.colors(color), *board.castle_rights(color)));
        let all = |of: &Position| (pieces(&of.board), sides(&of.board), of.board.side_to_move(), en_passant(&of.board));
        self.key == other.key && all(self) == all(other)
    }
}

impl Eq for Position {}

impl game::Position for Position {
    type Move = Move;

    const OCCURRENCES: u32 = 3;
    const DRAWS_ARE_CLAIMED: bool = true;
    const ENDS_WITHOUT_MOVES: bool = true;
    const HAS_NULL_MOVE: bool = true;
    const MIN_CYCLE: u32 = 4;
    /// From, to, and one of three underpromotions; the moves of a piece are adjacent.
    const MOVE_INDICES: usize = Square::NUM * Square::NUM * 4;

    fn move_index(mv: Move) -> usize {
        let promotion = mv.promotion.map_or(0, |piece| Piece::Queen as usize - piece as usize);
        (promotion * Square::NUM + mv.from as usize) * Square::NUM + mv.to as usize
    }

    const LANDINGS: usize = Piece::NUM * Square::NUM;

    /// The piece and its destination square.
    fn landing(&self, mv: Move) -> usize {
        self.piece_on(mv.from) as usize * Square::NUM + mv.to as usize
    }

    fn side_to_move(&self) -> Side {
        super::side_of(self.board.side_to_move())
    }

    fn outcome(&self) -> Option<Outcome> {
        if self.board.generate_moves(|_| true) {
            return self.is_dead().then_some(Outcome::Draw);
        }
        let winner = self.side_to_move().other();
        Some(if self.board.checkers().is_empty() { Outcome::Draw } else { Outcome::Win(winner) })
    }

    fn generate(&self, moves: &mut Vec<Move>) {
        if !self.is_dead() {
            self.board.generate_moves(|some| {
                if promotes(some) {
                    moves.extend(some);
                } else {
                    append(some, None, moves);
                }
                false
            });
        }
    }

    fn play(&mut self, mv: Move) {
        if self.castles(mv) {
            let [king, rook] = castled(mv);
            (self.pieces[king as usize], self.pieces[rook as usize]) = (Piece::King, Piece::Rook);
        } else {
            self.pieces[mv.to as usize] = mv.promotion.unwrap_or_else(|| self.piece_on(mv.from));
        }
        self.board.play_unchecked(mv);
        self.key = if self.board.en_passant().is_none() || en_passant(&self.board).is_some() {
            self.board.hash()
        } else {
            self.board.hash_without_ep()
        };
    }

    fn hash(&self) -> u64 {
        self.key
    }

    fn null_move(&self) -> Option<Position> {
        let side = self.board.side_to_move();
        let lesser = self.board.pieces(Piece::Pawn) | self.board.pieces(Piece::King);
        if (self.board.colors(side) & !lesser).is_empty() {
            return None;
        }
        let mut board = self.board.null_move()?;
        board.set_halfmove_clock(0);
        let key = board.hash();
        Some(Position { board, key, ..*self })
    }

    fn after_pass(&self) -> Option<Position> {
        let board = self.board.null_move()?;
        let key = board.hash();
        Some(Position { board, key, ..*self })
    }

    fn is_irreversible(&self, next: &Position) -> bool {
        next.board.halfmove_clock() == 0
    }

    fn reversible_plies_left(&self) -> Option<u32> {
        Some(u32::from(COUNTED_PLIES.saturating_sub(self.board.halfmove_clock())))
    }

    /// Castling rights do not return, and a ply brings at most one piece of one side back.
    fn may_return_to(&self, earlier: &Position, plies: u32) -> bool {
        let side = self.board.side_to_move();
        let away = |color| (self.board.colors(color) & !earlier.board.colors(color)).len();
        let rights = |board: &Board| [*board.castle_rights(Color::White), *board.castle_rights(Color::Black)];
        away(side) <= plies.div_ceil(2) && away(!side) <= plies / 2 && rights(&self.board) == rights(&earlier.board)
    }

    fn outcome_by_repetition(&self) -> Option<Outcome> {
        Some(Outcome::Draw)
    }
}
