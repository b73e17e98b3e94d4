//! The tactical set of chess: positions in which one move mates soonest, or is the only one that wins material.
//!
//! The mates are puzzles of the page, proven by `griot puzzles`. The others are proven here: the values of moves are material alone,
//! every line is searched at full width for some plies, and then on through captures, promotions, and answers to check. The engine's
//! evaluation and pruning have no part in it. Repetitions are not looked for.

use std::fs;
use std::time::Duration;

use cozy_chess::util::display_uci_move;
use cozy_chess::{Board, Color, Move, Piece};
use griot::game::{SplitMix64, mix64};
use griot_client::Client;

use crate::workspace;

/// The files of the set, from the root of the workspace.
const MATES: &str = "crates/griot-board/puzzles/chess.jsonl";
const GAINS: &str = "tests/data/tactics.txt";

/// The least that the only move wins, and what no other move wins, in hundredths of a pawn.
const GAIN: i32 = 200;
const LESS: i32 = 100;
/// Neither side is ahead by more, in hundredths: a move that wins material is wanted.
const LEAD: i32 = 500;
/// The numbers of plies for which it is the only one.
pub const DEPTHS: [u32; 3] = [3, 5, 6];

/// Games to find positions in: plies before the first position, and before the last one.
const OPENING: usize = 10;
const LONGEST: usize = 100;

/// More than any material.
const MATE: i32 = 1_000_000;

/// A position and the move to find.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tactic {
    /// The position as FEN.
    pub board: String,
    /// The move as UCI writes it.
    pub mv: String,
}

/// The positions with a shortest mate, in up to three moves.
pub fn mates() -> Vec<Tactic> {
    let text = fs::read_to_string(workspace().join(MATES)).expect(MATES);
    let field = |line: &str, name: &str| -> String {
        let (_, rest) = line.split_once(&format!("\"{name}\":\"")).expect(name);
        rest.split('"').next().expect(name).to_owned()
    };
    text.lines().map(|line| Tactic { board: field(line, "board"), mv: field(line, "move") }).collect()
}

/// The positions in which one move wins material.
pub fn gains() -> Vec<Tactic> {
    let text = fs::read_to_string(workspace().join(GAINS)).expect(GAINS);
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let parts = lines.map(|line| line.split_once(" ; ").expect("board ; move"));
    parts.map(|(board, mv)| Tactic { board: board.to_owned(), mv: mv.to_owned() }).collect()
}

/// The number of these positions whose move a UCI program plays, from an empty table, with this many nodes for each. Panics if
/// an answer takes longer than `patience`.
pub fn solved(client: &mut Client, set: &[Tactic], nodes: u64, patience: Duration) -> usize {
    let mut solves = |tactic: &&Tactic| {
        let commands = ["ucinewgame".into(), format!("position fen {}", tactic.board), format!("go nodes {nodes}")];
        for command in commands {
            client.send(&command).expect("the program reads");
        }
        let answer = client.answer("bestmove", patience).expect("the program answers");
        answer.split(' ').next() == Some(&tactic.mv)
    };
    set.iter().filter(|tactic| solves(tactic)).count()
}

/// The proofs of moves that win material.
#[derive(Debug)]
pub struct Prover {
    /// Positions by their keys, which count the plies and the target in, with the answers.
    known: Vec<(u64, bool)>,
    /// How often a quiet move has reached a target, by side, piece and square.
    history: [[[u32; 64]; 6]; 2],
}

impl Default for Prover {
    fn default() -> Prover {
        Prover { known: vec![(0, false); 1 << 20], history: [[[0; 64]; 6]; 2] }
    }
}

impl Prover {
    /// The only move that wins material here, if its exchange alone does not; `None` where one side is far ahead.
    pub fn tactic(&mut self, fen: &str) -> Option<Tactic> {
        let board = Board::from_fen(fen, false).ok()?;
        if balance(&board).abs() > LEAD {
            return None;
        }
        let [first, deeper @ ..] = DEPTHS;
        let only = self.only_gain(&board, first)?;
        let is_tactic = !takes(&board, only)
            && deeper.iter().all(|&plies| self.only_gain(&board, plies) == Some(only))
            && !self.wins(&board, only, deeper[deeper.len() - 1], MATE / 2);
        is_tactic.then(|| Tactic { board: fen.to_owned(), mv: display_uci_move(&board, only).to_string() })
    }

    /// The only move that wins two pawns or more within so many plies, while all others win less than one.
    pub fn only_gain(&mut self, board: &Board, plies: u32) -> Option<Move> {
        let mut winning = self.ordered(board).into_iter().filter(|&mv| self.wins(board, mv, plies, LESS));
        let (only, other) = (winning.next()?, winning.next());
        drop(winning);
        (other.is_none() && self.wins(board, only, plies, GAIN)).then_some(only)
    }

    /// Whether the opponent wins a rook, or more, by the reply to this move and the captures after it, or mates.
    pub fn gives_a_rook(&mut self, board: &Board, mv: Move) -> bool {
        !self.wins(board, mv, 2, 1 - value(Piece::Rook))
    }

    /// Whether a move wins so much, looking so many plies ahead, this one included.
    fn wins(&mut self, board: &Board, mv: Move, plies: u32, gain: i32) -> bool {
        !self.reaches(&after(board, mv), plies - 1, 1 - (balance(board) + gain))
    }

    /// Whether the side to move can reach a balance of `target`.
    fn reaches(&mut self, board: &Board, plies: u32, target: i32) -> bool {
        if plies == 0 {
            return reaches_by_captures(board, target, true);
        }
        let key = mix64(board.hash() ^ mix64(u64::from(plies) << 32 | u64::from(target.cast_unsigned())));
        let slot = key as usize % self.known.len();
        if self.known[slot].0 == key {
            return self.known[slot].1;
        }
        let moves = self.ordered(board);
        let does = if moves.is_empty() {
            without_moves(board) >= target
        } else {
            let found = moves.into_iter().find(|&mv| !self.reaches(&after(board, mv), plies - 1, 1 - target));
            if let Some(mv) = found.filter(|&mv| gain(board, mv) == 0) {
                let count = self.count(board, mv);
                *count = count.saturating_add(1 << plies);
            }
            found.is_some()
        };
        self.known[slot] = (key, does);
        does
    }

    /// All moves: captures of great pieces by small ones first, then what has helped elsewhere.
    fn ordered(&mut self, board: &Board) -> Vec<Move> {
        let mut moves = legal(board);
        moves.sort_by_cached_key(|&mv| std::cmp::Reverse((order(board, mv), *self.count(board, mv))));
        moves
    }

    fn count(&mut self, board: &Board, mv: Move) -> &mut u32 {
        let piece = board.piece_on(mv.from).unwrap_or(Piece::King);
        &mut self.history[board.side_to_move() as usize][piece as usize][mv.to as usize]
    }
}

/// The boards of a game, without its first plies. Its players see what captures follow a move. They play the best move, or any of
/// several.
pub fn game(rng: &mut SplitMix64) -> Vec<Board> {
    let (mut board, mut boards) = (Board::default(), Vec::new());
    for ply in 0..LONGEST {
        let now = balance(&board);
        let keeps = |mv: &Move, gain: i32| !reaches_by_captures(&after(&board, *mv), 1 - (now + gain), true);
        let (moves, mut most) = (legal(&board), Vec::new());
        for gain in [0, LESS, GAIN, 2 * GAIN, 4 * GAIN] {
            let better: Vec<Move> = moves.iter().copied().filter(|mv| keeps(mv, gain)).collect();
            if better.is_empty() {
                break;
            }
            most = better;
        }
        let choice = if most.is_empty() { moves } else { most };
        if choice.is_empty() {
            break;
        }
        if ply >= OPENING {
            boards.push(board.clone());
        }
        board = after(&board, choice[rng.below(choice.len())]);
    }
    boards
}

/// Whether a move wins material by its exchange alone.
fn takes(board: &Board, mv: Move) -> bool {
    !reaches_by_captures(&after(board, mv), 1 - (balance(board) + LESS), false)
}

/// Whether the side to move can reach a balance of `target` by captures and promotions, and, if `answers`, by what answers a check.
fn reaches_by_captures(board: &Board, target: i32, answers: bool) -> bool {
    let goes_on = |mv: &Move| !reaches_by_captures(&after(board, *mv), 1 - target, answers);
    let moves = legal(board);
    if moves.is_empty() {
        return without_moves(board) >= target;
    }
    if answers && !board.checkers().is_empty() {
        return moves.iter().any(goes_on);
    }
    let now = balance(board);
    // After a move that wins too little the other side need not take anything.
    let mut gains: Vec<Move> =
        moves.into_iter().filter(|&mv| gain(board, mv) > 0 && now + gain(board, mv) >= target).collect();
    gains.sort_by_cached_key(|&mv| std::cmp::Reverse(order(board, mv)));
    now >= target || gains.iter().any(goes_on)
}

/// The value of a position without legal moves for the side to move.
fn without_moves(board: &Board) -> i32 {
    if board.checkers().is_empty() { 0 } else { -MATE }
}

fn value(piece: Piece) -> i32 {
    match piece {
        Piece::Pawn => 100,
        Piece::Knight | Piece::Bishop => 300,
        Piece::Rook => 500,
        Piece::Queen => 900,
        Piece::King => 0,
    }
}

/// The material of the side to move less that of the other.
fn balance(board: &Board) -> i32 {
    let of = |color: Color| -> i32 {
        let pieces = Piece::ALL.into_iter();
        pieces.map(|piece| value(piece) * board.colored_pieces(color, piece).len() as i32).sum()
    };
    of(board.side_to_move()) - of(!board.side_to_move())
}

/// The legal moves.
pub fn legal(board: &Board) -> Vec<Move> {
    let mut moves = Vec::with_capacity(48);
    board.generate_moves(|some| {
        moves.extend(some);
        false
    });
    moves
}

/// The board after a legal move.
pub fn after(board: &Board, mv: Move) -> Board {
    let mut next = board.clone();
    next.play_unchecked(mv);
    next
}

/// What a move takes, and what its pawn becomes.
fn gain(board: &Board, mv: Move) -> i32 {
    // Castling is a king that takes its rook.
    let taken = board.piece_on(mv.to).filter(|_| board.color_on(mv.to) != Some(board.side_to_move())).map_or(0, value);
    let is_pawn = board.piece_on(mv.from) == Some(Piece::Pawn);
    let is_passant = is_pawn && mv.from.file() != mv.to.file() && taken == 0;
    let becomes = mv.promotion.map_or(0, |piece| value(piece) - value(Piece::Pawn));
    taken + becomes + if is_passant { value(Piece::Pawn) } else { 0 }
}

fn order(board: &Board, mv: Move) -> i32 {
    let gain = gain(board, mv);
    if gain == 0 { 0 } else { 10 * gain - board.piece_on(mv.from).map_or(0, value) + 1000 }
}

#[cfg(test)]
mod tests {
    use super::{DEPTHS, Prover};
    use cozy_chess::Board;

    /// Knights that fork king and rook, alone, where another knight guards the square, and where either of two can.
    #[test]
    fn the_only_move_that_wins_material_is_found() {
        for (fen, mv) in [
            ("r3k3/8/8/1N6/8/8/5PPP/6K1 w - - 0 1", Some("b5c7")),
            ("r3k3/8/4n3/1N6/8/8/5PPP/6K1 w - - 0 1", None),
            ("r3k3/8/8/1N1N4/8/8/5PPP/6K1 w - - 0 1", None),
        ] {
            let board = Board::from_fen(fen, false).expect("a board");
            for plies in DEPTHS {
                let only = Prover::default().only_gain(&board, plies).map(|mv| mv.to_string());
                assert_eq!(only.as_deref(), mv, "{fen}, {plies} plies");
            }
        }
    }

    #[test]
    fn what_wins_by_its_exchange_is_no_tactic() {
        let mut prover = Prover::default();
        let pawn = "6k1/8/8/2b1n3/8/2P5/3P1PPP/6K1 w - - 0 1";
        assert_eq!(prover.tactic(pawn).map(|tactic| tactic.mv), Some("d2d4".into()));
        assert_eq!(prover.tactic("4k3/8/8/3r4/4P3/8/3P4/4K2N w - - 0 1"), None);
    }
}
