//! What a position of chess is worth: terms that are counted, each with a weight for the middlegame and one for the endgame.
//!
//! Floor 2. One walk over the board serves two ends: the evaluation sums weights, and `examples/fit` asks which terms there
//! are ([`terms`]). The terms of pieces on squares are carried down a line. Hundredths of a pawn, for the side to move.
//! CITE: chessprogramming wiki, "Tapered Eval", "Mobility", "Pawn Structure", "King Safety", "Piece-Square Tables".

use cozy_chess::{
    BitBoard, Board, Color, File, Move, Piece, Square, get_bishop_moves, get_king_moves, get_knight_moves,
    get_rook_moves,
};

use super::rules::{Position, VALUES};
use super::weights::FITTED;
use crate::game::{self, Expertise, Position as _};
use crate::score::Score;

/// Where the terms of each kind begin; each kind ends where the next one begins.
mod at {
    /// By piece, and square as its side sees it.
    pub(super) const SQUARES: usize = 0;
    /// By how many squares a knight, bishop, rook or queen attacks that hold no piece of its own and no pawn defends.
    pub(super) const KNIGHT: usize = SQUARES + 6 * 64;
    pub(super) const BISHOP: usize = KNIGHT + 9;
    pub(super) const ROOK: usize = BISHOP + 14;
    pub(super) const QUEEN: usize = ROOK + 15;
    /// Passed pawns, by rank; those whose way is free; and by the distance of either king from the square before them.
    pub(super) const PASSED: usize = QUEEN + 28;
    pub(super) const FREE: usize = PASSED + 8;
    pub(super) const OWN_KING: usize = FREE + 8;
    pub(super) const THEIR_KING: usize = OWN_KING + 8;
    pub(super) const ISOLATED: usize = THEIR_KING + 8;
    pub(super) const DOUBLED: usize = ISOLATED + 1;
    pub(super) const BACKWARD: usize = DOUBLED + 1;
    /// Pawns that a pawn defends, and those beside a pawn, by rank.
    pub(super) const DEFENDED: usize = BACKWARD + 1;
    pub(super) const PHALANX: usize = DEFENDED + 8;
    pub(super) const BISHOP_PAIR: usize = PHALANX + 8;
    pub(super) const OPEN_FILE: usize = BISHOP_PAIR + 1;
    pub(super) const HALF_OPEN_FILE: usize = OPEN_FILE + 1;
    /// A knight or bishop that a pawn defends and none can drive away.
    pub(super) const OUTPOST: usize = HALF_OPEN_FILE + 1;
    /// Pieces that a pawn, a minor piece or a rook attacks, by what they are.
    pub(super) const BY_PAWN: usize = OUTPOST + 2;
    pub(super) const BY_MINOR: usize = BY_PAWN + 6;
    pub(super) const BY_ROOK: usize = BY_MINOR + 6;
    /// Pieces that are attacked and not defended.
    pub(super) const HANGING: usize = BY_ROOK + 6;
    /// The nearest own pawn on the king's file and those beside it, by rank as the king sees it, 0 for none; and theirs.
    pub(super) const SHELTER: usize = HANGING + 1;
    pub(super) const STORM: usize = SHELTER + 16;
    /// By the strength of the attack on their king.
    pub(super) const ATTACK: usize = STORM + 16;
    pub(super) const TO_MOVE: usize = ATTACK + super::ATTACKS;
    pub(super) const END: usize = TO_MOVE + 1;
}

/// How many strengths of an attack are told apart.
const ATTACKS: usize = 24;

/// How many terms there are.
pub const TERMS: usize = at::END;

/// What the pieces of both sides add up to when all are there: a position counts as so many parts middlegame.
pub const PHASES: i32 = 24;

/// What each piece adds to that.
const PHASE_OF: [i32; Piece::NUM] = [0, 1, 1, 2, 4, 0];

/// In how many parts an endgame value is scaled down where it is hard to win.
const WHOLE: i32 = 64;

/// What the attack of a piece on a square beside the king adds to its strength, and a check from a square that is not defended.
const ATTACK_OF: [u32; Piece::NUM] = [0, 2, 2, 3, 4, 0];
const CHECK_OF: [u32; Piece::NUM] = [0, 5, 3, 6, 5, 0];

/// A weight for the middlegame in the lower half, one for the endgame in the upper: one addition adds both.
type Packed = i32;

const fn pack([middle, end]: [i16; 2]) -> Packed {
    ((end as i32) << 16) + middle as i32
}

const fn middle(packed: Packed) -> i32 {
    packed as i16 as i32
}

const fn end(packed: Packed) -> i32 {
    (packed.wrapping_add(0x8000) >> 16) as i16 as i32
}

const WEIGHTS: [Packed; TERMS] = {
    let mut weights = [0; TERMS];
    let mut term = 0;
    while term < TERMS {
        weights[term] = pack(FITTED[term]);
        term += 1;
    }
    weights
};

/// Whoever wants to know the terms of a position.
trait Tally {
    /// The side has this term so many times.
    fn add(&mut self, side: Color, term: usize, count: i32);
}

/// The sum of weights, for White.
struct Sum(Packed);

impl Tally for Sum {
    #[inline(always)]
    fn add(&mut self, side: Color, term: usize, count: i32) {
        let weight = WEIGHTS[term] * count;
        self.0 += if side == Color::White { weight } else { -weight };
    }
}

/// The terms of a position, for White, and how they are weighed.
#[derive(Debug, Clone)]
pub struct Terms {
    /// How many more of each White has than Black; none is 0.
    pub counts: Vec<(usize, i32)>,
    /// Of [`PHASES`] parts, how many are middlegame.
    pub phase: i32,
    /// What is left of the value for the endgame.
    pub scale: f64,
}

struct Counts([i32; TERMS]);

impl Tally for Counts {
    fn add(&mut self, side: Color, term: usize, count: i32) {
        self.0[term] += if side == Color::White { count } else { -count };
    }
}

/// The weights of the terms, for the middlegame and the endgame.
#[must_use]
pub const fn weights() -> &'static [[i16; 2]; TERMS] {
    &FITTED
}

/// Which terms a position has, for White.
#[must_use]
pub fn terms(position: &Position) -> Terms {
    let board = position.board();
    let mut counts = Counts([0; TERMS]);
    let state = State::of(board, &mut counts);
    walk(board, &mut counts);
    let weighed: i32 = counts.0.iter().zip(WEIGHTS).map(|(count, weight)| count * weight).sum();
    let counts = counts.0.into_iter().enumerate().filter(|&(_, count)| count != 0).collect();
    Terms { counts, phase: state.phase.min(PHASES), scale: f64::from(scale(board, end(weighed))) / f64::from(WHOLE) }
}

/// What is carried down a line: the weights of the pieces on their squares, for White, and how far the game has come.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct State {
    squares: Packed,
    phase: i32,
}

const fn on_square(side: Color, piece: Piece, square: Square) -> usize {
    at::SQUARES + piece as usize * 64 + square.relative_to(side) as usize
}

impl State {
    fn of(board: &Board, tally: &mut impl Tally) -> State {
        let mut sum = Sum(0);
        let mut phase = 0;
        for side in Color::ALL {
            for piece in Piece::ALL {
                for square in board.colored_pieces(side, piece) {
                    tally.add(side, on_square(side, piece, square), 1);
                    sum.add(side, on_square(side, piece, square), 1);
                    phase += PHASE_OF[piece as usize];
                }
            }
        }
        State { squares: sum.0, phase }
    }

    fn put(&mut self, side: Color, piece: Piece, square: Square, count: i32) {
        let mut sum = Sum(self.squares);
        sum.add(side, on_square(side, piece, square), count);
        self.squares = sum.0;
        self.phase += PHASE_OF[piece as usize] * count;
    }

    /// The state after a move.
    fn after(mut self, position: &Position, mv: Move) -> State {
        let board = position.board();
        let side = board.side_to_move();
        let Some(piece) = board.piece_on(mv.from) else { return self };
        self.put(side, piece, mv.from, -1);
        if board.colors(side).has(mv.to) {
            let (king, rook) = if mv.to.file() > mv.from.file() { (File::G, File::F) } else { (File::C, File::D) };
            self.put(side, Piece::Rook, mv.to, -1);
            self.put(side, Piece::King, Square::new(king, mv.from.rank()), 1);
            self.put(side, Piece::Rook, Square::new(rook, mv.from.rank()), 1);
            return self;
        }
        if let Some(victim) = position.victim(mv) {
            let on = if board.colors(!side).has(mv.to) { mv.to } else { Square::new(mv.to.file(), mv.from.rank()) };
            self.put(!side, victim, on, -1);
        }
        self.put(side, mv.promotion.unwrap_or(piece), mv.to, 1);
        self
    }
}

const NOT_A: u64 = !File::A.bitboard().0;
const NOT_H: u64 = !File::H.bitboard().0;

/// The squares one rank ahead, as a side sees it.
const fn ahead(side: Color, squares: u64) -> u64 {
    match side {
        Color::White => squares << 8,
        Color::Black => squares >> 8,
    }
}

/// The squares on the files to both sides.
const fn beside(squares: u64) -> u64 {
    (squares & NOT_H) << 1 | (squares & NOT_A) >> 1
}

/// All squares ahead of these, to the end of the board.
const fn all_ahead(side: Color, squares: u64) -> u64 {
    let mut filled = ahead(side, squares);
    filled |= ahead(side, filled);
    filled |= ahead(side, ahead(side, filled));
    filled | ahead(side, ahead(side, ahead(side, ahead(side, filled))))
}

/// The distance in moves of a king.
fn distance(a: Square, b: Square) -> usize {
    let files = (a.file() as usize).abs_diff(b.file() as usize);
    let ranks = (a.rank() as usize).abs_diff(b.rank() as usize);
    files.max(ranks)
}

fn rank_of(side: Color, square: Square) -> usize {
    square.relative_to(side).rank() as usize
}

/// What one side attacks.
#[derive(Clone, Copy, Default)]
struct Attacks {
    by: [u64; Piece::NUM],
    all: u64,
    twice: u64,
    /// The strength of its attack on the king.
    on_king: u32,
    attackers: u32,
}

impl Attacks {
    fn add(&mut self, piece: Piece, squares: u64) {
        self.twice |= self.all & squares;
        self.all |= squares;
        self.by[piece as usize] |= squares;
    }
}

/// Counts every term that is no piece on a square.
fn walk(board: &Board, tally: &mut impl Tally) {
    let pawns = Color::ALL.map(|side| board.colored_pieces(side, Piece::Pawn).0);
    let by_pawns = Color::ALL.map(|side| beside(ahead(side, pawns[side as usize])));
    let mut attacks = [Attacks::default(); 2];
    for side in Color::ALL {
        attacks[side as usize].add(Piece::Pawn, by_pawns[side as usize]);
        attacks[side as usize].add(Piece::King, get_king_moves(board.king(side)).0);
    }
    for side in Color::ALL {
        pieces(board, side, pawns, by_pawns, &mut attacks[side as usize], tally);
        pawn_structure(board, side, pawns, by_pawns[side as usize], tally);
        shelter(board, side, pawns, tally);
    }
    for side in Color::ALL {
        threats(board, side, attacks, tally);
        attack_on_king(board, side, attacks, tally);
    }
    tally.add(board.side_to_move(), at::TO_MOVE, 1);
}

/// Knights to queens: where they can go, and what they do there.
fn pieces(
    board: &Board,
    side: Color,
    pawns: [u64; 2],
    by_pawns: [u64; 2],
    attacks: &mut Attacks,
    tally: &mut impl Tally,
) {
    let occupied = board.occupied();
    let (own_pawns, their_pawns) = (pawns[side as usize], pawns[!side as usize]);
    let their_king = board.king(!side);
    let beside_king = get_king_moves(their_king).0 | their_king.bitboard().0;
    let usable = !(board.colors(side).0 & (own_pawns | board.pieces(Piece::King).0)) & !by_pawns[!side as usize];
    // Pieces of one line look through each other: they attack together.
    let queens = board.colored_pieces(side, Piece::Queen);
    let rooks = board.colored_pieces(side, Piece::Rook);
    for (piece, first) in
        [(Piece::Knight, at::KNIGHT), (Piece::Bishop, at::BISHOP), (Piece::Rook, at::ROOK), (Piece::Queen, at::QUEEN)]
    {
        for square in board.colored_pieces(side, piece) {
            let squares = match piece {
                Piece::Knight => get_knight_moves(square),
                Piece::Bishop => get_bishop_moves(square, occupied & !queens),
                Piece::Rook => get_rook_moves(square, occupied & !queens & !rooks),
                _ => get_bishop_moves(square, occupied) | get_rook_moves(square, occupied),
            };
            let squares = squares.0;
            attacks.add(piece, squares);
            tally.add(side, first + (squares & usable).count_ones() as usize, 1);
            let near = (squares & beside_king).count_ones();
            if near > 0 {
                attacks.attackers += 1;
                attacks.on_king += near * ATTACK_OF[piece as usize];
            }
            match piece {
                Piece::Knight | Piece::Bishop => {
                    let drivers = all_ahead(side, beside(square.bitboard().0)) & their_pawns;
                    let is_held = by_pawns[side as usize] & square.bitboard().0 != 0;
                    if is_held && drivers == 0 && (3..6).contains(&rank_of(side, square)) {
                        tally.add(side, at::OUTPOST + usize::from(piece == Piece::Bishop), 1);
                    }
                }
                Piece::Rook => {
                    let file = square.file().bitboard().0;
                    if file & own_pawns == 0 {
                        let term = if file & their_pawns == 0 { at::OPEN_FILE } else { at::HALF_OPEN_FILE };
                        tally.add(side, term, 1);
                    }
                }
                _ => {}
            }
        }
    }
    let bishops = board.colored_pieces(side, Piece::Bishop);
    if !(bishops & BitBoard::LIGHT_SQUARES).is_empty() && !(bishops & BitBoard::DARK_SQUARES).is_empty() {
        tally.add(side, at::BISHOP_PAIR, 1);
    }
}

fn pawn_structure(board: &Board, side: Color, pawns: [u64; 2], defended: u64, tally: &mut impl Tally) {
    let (own, theirs) = (pawns[side as usize], pawns[!side as usize]);
    let occupied = board.occupied().0;
    for square in BitBoard(own) {
        let here = square.bitboard().0;
        let rank = rank_of(side, square);
        let way = all_ahead(side, here);
        let neighbours = beside(square.file().bitboard().0) & own;
        if neighbours == 0 {
            tally.add(side, at::ISOLATED, 1);
        } else if neighbours & !all_ahead(side, beside(here)) == 0
            && beside(ahead(side, ahead(side, here))) & theirs != 0
        {
            // None is behind it or beside it, and where it would go a pawn takes it.
            tally.add(side, at::BACKWARD, 1);
        }
        if way & own != 0 {
            tally.add(side, at::DOUBLED, 1);
        }
        if here & defended != 0 {
            tally.add(side, at::DEFENDED + rank, 1);
        }
        if here & beside(own) != 0 {
            tally.add(side, at::PHALANX + rank, 1);
        }
        let is_passed = (way | beside(way)) & theirs == 0 && way & own == 0;
        if is_passed {
            tally.add(side, at::PASSED + rank, 1);
            if way & occupied == 0 {
                tally.add(side, at::FREE + rank, 1);
            }
            if let Some(before) = BitBoard(ahead(side, here)).next_square().filter(|_| rank >= 3) {
                tally.add(side, at::OWN_KING + distance(board.king(side), before), rank as i32 - 2);
                tally.add(side, at::THEIR_KING + distance(board.king(!side), before), rank as i32 - 2);
            }
        }
    }
}

/// The pawns before a king, of both sides.
fn shelter(board: &Board, side: Color, pawns: [u64; 2], tally: &mut impl Tally) {
    let king = board.king(side);
    let not_behind = all_ahead(side, king.rank().bitboard().0) | king.rank().bitboard().0;
    let middle = (king.file() as i32).clamp(1, 6);
    for file in middle - 1..=middle + 1 {
        let squares = File::index(file as usize).bitboard().0 & not_behind;
        let is_side = file != king.file() as i32;
        for (pawns, first) in [(pawns[side as usize], at::SHELTER), (pawns[!side as usize], at::STORM)] {
            let ranks = BitBoard(squares & pawns).into_iter().map(|square| rank_of(side, square));
            let nearest = ranks.min().unwrap_or(0);
            tally.add(side, first + 8 * usize::from(is_side) + nearest, 1);
        }
    }
}

/// The pieces that lesser ones attack, and those that nobody defends.
fn threats(board: &Board, side: Color, attacks: [Attacks; 2], tally: &mut impl Tally) {
    let (own, theirs) = (attacks[side as usize], attacks[!side as usize]);
    let minor = own.by[Piece::Knight as usize] | own.by[Piece::Bishop as usize];
    let targets = board.colors(!side).0;
    for (attacked, first) in [
        (own.by[Piece::Pawn as usize], at::BY_PAWN),
        (minor, at::BY_MINOR),
        (own.by[Piece::Rook as usize], at::BY_ROOK),
    ] {
        for square in BitBoard(attacked & targets) {
            if let Some(piece) = board.piece_on(square) {
                tally.add(side, first + piece as usize, 1);
            }
        }
    }
    let hanging = targets & own.all & !theirs.all;
    tally.add(side, at::HANGING, hanging.count_ones() as i32);
}

/// The strength of the attack on their king: squares beside it, and checks from where nothing takes.
fn attack_on_king(board: &Board, side: Color, attacks: [Attacks; 2], tally: &mut impl Tally) {
    let (own, theirs) = (attacks[side as usize], attacks[!side as usize]);
    let king = board.king(!side);
    let occupied = board.occupied();
    let safe = !board.colors(side).0 & (!theirs.all | (own.twice & !theirs.twice & theirs.by[Piece::King as usize]));
    let diagonal = get_bishop_moves(king, occupied).0;
    let straight = get_rook_moves(king, occupied).0;
    let mut strength = own.on_king;
    for (piece, from) in [
        (Piece::Knight, get_knight_moves(king).0),
        (Piece::Bishop, diagonal),
        (Piece::Rook, straight),
        (Piece::Queen, diagonal | straight),
    ] {
        if from & safe & own.by[piece as usize] != 0 {
            strength += CHECK_OF[piece as usize];
        }
    }
    // Weak squares beside the king: attacked, and defended by the king or nothing.
    let weak = get_king_moves(king).0 & own.all & !(theirs.all & !theirs.by[Piece::King as usize]) & !theirs.twice;
    strength += 2 * weak.count_ones();
    if own.attackers < 2 && board.colored_pieces(side, Piece::Queen).is_empty() {
        strength /= 2;
    }
    tally.add(side, at::ATTACK + (strength as usize / 2).min(ATTACKS - 1), 1);
}

/// What is left of a value for the endgame, in parts of [`WHOLE`]: without pawns a small advantage wins nothing, and bishops on
/// squares of two colours make draws.
fn scale(board: &Board, end: i32) -> i32 {
    let strong = if end >= 0 { Color::White } else { Color::Black };
    let count = |side, piece| board.colored_pieces(side, piece).len() as i32;
    let material = |side| {
        [Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen]
            .map(|piece| count(side, piece) * VALUES[piece as usize])
            .iter()
            .sum::<i32>()
    };
    let (own, theirs) = (material(strong), material(!strong));
    if count(strong, Piece::Pawn) == 0 && own - theirs <= VALUES[Piece::Bishop as usize] {
        return if own < VALUES[Piece::Rook as usize] {
            0
        } else if theirs <= VALUES[Piece::Bishop as usize] {
            8
        } else {
            14
        };
    }
    let bishops = board.pieces(Piece::Bishop);
    let one_each = Color::ALL.into_iter().all(|side| count(side, Piece::Bishop) == 1);
    if one_each && (bishops & BitBoard::LIGHT_SQUARES).len() == 1 {
        let alone = own == theirs && own == VALUES[Piece::Bishop as usize];
        return if alone { 24 } else { 44 };
    }
    WHOLE
}

/// Where only a king is left against pieces that can mate, the way to the mate: the king to the edge, the other one beside it.
fn drive(board: &Board) -> i32 {
    for side in Color::ALL {
        let major = board.colored_pieces(side, Piece::Rook) | board.colored_pieces(side, Piece::Queen);
        let minor = board.colored_pieces(side, Piece::Knight) | board.colored_pieces(side, Piece::Bishop);
        if board.colors(!side).len() == 1 && (!major.is_empty() || minor.len() >= 2) {
            let king = board.king(!side);
            let to_edge = |index: usize| index.min(7 - index) as i32;
            let edge = 6 - to_edge(king.file() as usize) - to_edge(king.rank() as usize);
            let near = 7 - distance(king, board.king(side)) as i32;
            let value = 40 * edge + 20 * near;
            return if side == Color::White { value } else { -value };
        }
    }
    0
}

/// The value for White.
fn value(board: &Board, state: State) -> i32 {
    let mut sum = Sum(state.squares);
    walk(board, &mut sum);
    let phase = state.phase.min(PHASES);
    let end = end(sum.0);
    let end = end * scale(board, end) / WHOLE;
    let value = (middle(sum.0) * phase + end * (PHASES - phase)) / PHASES;
    if state.phase <= 8 { value + drive(board) } else { value }
}

/// The evaluation of chess.
#[derive(Debug, Clone, Copy, Default)]
pub struct Evaluate;

fn for_side(position: &Position, value: i32) -> Score {
    Score::units(if position.board().side_to_move() == Color::White { value } else { -value })
}

/// What a capture that loses something scores: below all others, and less than any of them brings.
const LOSING: i32 = -(1 << 15);

/// How much a capture is worth to move ordering: what is taken, then by how little.
fn capture_score(position: &Position, mv: Move) -> i32 {
    let victim = position.victim(mv).map_or(0, |piece| VALUES[piece as usize]);
    let promotion = mv.promotion.map_or(0, |piece| VALUES[piece as usize]);
    let mover = position.board().piece_on(mv.from).map_or(0, |piece| piece as i32);
    8 * (victim + promotion) - mover
}

impl Expertise<Position> for Evaluate {
    type State = State;

    const QUIESCES: bool = true;
    const PRUNES_MOVES: bool = true;

    fn state(&self, position: &Position) -> State {
        State::of(position.board(), &mut Sum(0))
    }

    fn next_state(&self, state: &State, position: &Position, mv: Move, _next: &Position) -> State {
        state.after(position, mv)
    }

    fn score_moves(&self, position: &Position, _depth: u32, moves: &[Move], scores: &mut [i32]) {
        for (score, &mv) in scores.iter_mut().zip(moves) {
            let is_noisy = game::Evaluate::is_noisy(self, position, mv);
            *score = match is_noisy {
                false if mv.promotion.is_some() => LOSING,
                false => 0,
                true if position.exchange_wins(mv, 0) => 1 + capture_score(position, mv),
                true => LOSING + capture_score(position, mv),
            };
        }
    }

    fn must_answer(&self, position: &Position) -> bool {
        !position.board().checkers().is_empty()
    }

    fn forces(&self, position: &Position, mv: Move) -> bool {
        position.gives_check(mv)
    }

    fn noisy_moves(&self, position: &Position, moves: &mut Vec<Move>) {
        let first = moves.len();
        position.captures_and_promotions(moves);
        let mut kept = first;
        for number in first..moves.len() {
            if position.exchange_wins(moves[number], 0) {
                moves.swap(kept, number);
                kept += 1;
            }
        }
        moves.truncate(kept);
    }

    fn futility_margin(&self) -> Option<i32> {
        Some(80)
    }
}

impl game::Evaluate<Position> for Evaluate {
    fn evaluate(&self, position: &Position) -> Score {
        self.evaluate_with(position, &self.state(position))
    }

    fn evaluate_with(&self, position: &Position, state: &State) -> Score {
        for_side(position, value(position.board(), *state))
    }

    fn is_noisy(&self, position: &Position, mv: Move) -> bool {
        mv.promotion == Some(Piece::Queen) || position.captures(mv)
    }

    fn material(&self, position: &Position) -> i32 {
        if position.outcome().is_some() {
            return 0;
        }
        let board = position.board();
        let of = |side| {
            let pieces = Piece::ALL.into_iter().filter(|&piece| piece != Piece::King);
            pieces.map(|piece| board.colored_pieces(side, piece).len() as i32 * VALUES[piece as usize]).sum::<i32>()
        };
        of(board.side_to_move()) - of(!board.side_to_move())
    }
}
