//! Syzygy tables, read by the crate `pyrrhic-rs`. Layer 2.
//!
//! The crate keeps its tables in global variables, so a process has one set of folders at a time, and every look-up takes a lock.
//! It ends the process or prints where a file is damaged: all files are checked before it sees them.
//! CITE: R. de Man, "Syzygy bases", 2013; A. Grant, "Pyrrhic".

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use cozy_chess::{
    BitBoard, Board, Color, File, Move, Piece, Rank, Square, get_bishop_moves, get_king_moves, get_knight_moves,
    get_pawn_attacks, get_rook_moves,
};
use pyrrhic_rs::{DtzProbeValue, EngineAdapter, TableBases, WdlProbeResult};

use super::super::rules::{Position, en_passant};
use crate::game::{OutsideTables, Position as _};
use crate::score::Score;
use crate::tablebase::{FileKind, checked_files};

/// The moves of the pieces, for the crate.
#[derive(Clone)]
struct Moves;

fn square(number: u64) -> Square {
    Square::index(number as usize)
}

impl EngineAdapter for Moves {
    fn pawn_attacks(color: pyrrhic_rs::Color, from: u64) -> u64 {
        let color = if color == pyrrhic_rs::Color::Black { Color::Black } else { Color::White };
        get_pawn_attacks(square(from), color).0
    }

    fn knight_attacks(from: u64) -> u64 {
        get_knight_moves(square(from)).0
    }

    fn bishop_attacks(from: u64, occupied: u64) -> u64 {
        get_bishop_moves(square(from), BitBoard(occupied)).0
    }

    fn rook_attacks(from: u64, occupied: u64) -> u64 {
        get_rook_moves(square(from), BitBoard(occupied)).0
    }

    fn queen_attacks(from: u64, occupied: u64) -> u64 {
        Moves::bishop_attacks(from, occupied) | Moves::rook_attacks(from, occupied)
    }

    fn king_attacks(from: u64) -> u64 {
        get_king_moves(square(from)).0
    }
}

/// The tables that the process has open.
struct Open {
    path: String,
    tables: Mutex<TableBases<Moves>>,
    most_pieces: u32,
}

/// Syzygy tables, and how they are used.
#[derive(Clone)]
pub(super) struct Syzygy {
    open: Arc<Open>,
    least_depth: u32,
    most_pieces: u32,
    counts_fifty: bool,
}

impl std::fmt::Debug for Syzygy {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Syzygy({})", self.open.path)
    }
}

/// Between the folders of a path for the crate, on every system.
const SEPARATOR: &str = ":";

/// The folders of a path: separated by semicolons, or, where a colon is no part of a name, by colons.
pub(super) fn folders(path: &str, has_drives: bool) -> impl Iterator<Item = &str> {
    let separates = move |c: char| c == ';' || (c == ':' && !has_drives);
    path.split(separates).map(str::trim).filter(|folder| !folder.is_empty())
}

/// The files: who wins, and the distance to a capture or pawn move.
const KINDS: [FileKind; 2] = [
    FileKind { ending: "rtbw", magic: [0x71, 0xE8, 0x23, 0x5D], length: [64, 16] },
    FileKind { ending: "rtbz", magic: [0xD7, 0x66, 0x0C, 0xA5], length: [64, 16] },
];

/// Checks the files of a folder; returns the most pieces of a table that says who wins, 0 without one.
fn check(folder: &Path) -> Result<u32, String> {
    let files = checked_files(folder, &KINDS)?;
    // `KQvKR` has four pieces.
    let pieces = |name: &str| name.chars().filter(char::is_ascii_uppercase).count() as u32;
    let who_wins = files.iter().filter(|(_, kind)| *kind == 0);
    Ok(who_wins.map(|(name, _)| pieces(name)).max().unwrap_or(0))
}

impl Syzygy {
    /// The tables of these settings; `None` without a path.
    ///
    /// # Errors
    /// What is wrong with a folder or a file, or that the process uses other folders.
    pub(super) fn open(outside: &OutsideTables) -> Result<Option<Syzygy>, String> {
        let path = outside.path.trim();
        if path.is_empty() {
            return Ok(None);
        }
        let open = Open::at(path)?;
        let most_pieces = outside.most_pieces.min(open.most_pieces);
        Ok(Some(Syzygy { open, least_depth: outside.least_depth, most_pieces, counts_fifty: outside.counts_fifty }))
    }

    pub(super) fn most_pieces(&self) -> u32 {
        self.most_pieces
    }

    /// Who wins a position, right after a capture or pawn move.
    pub(super) fn value(&self, position: &Position, depth: u32) -> Option<Score> {
        let board = position.board();
        let pieces = board.occupied().len();
        let is_asked = pieces < self.most_pieces || depth >= self.least_depth;
        if !is_asked || pieces > self.most_pieces || board.halfmove_clock() != 0 || can_castle(board) {
            return None;
        }
        let Asked { white, black, of, passant, is_white, .. } = Asked::new(board);
        let tables = self.open.tables.lock().unwrap_or_else(PoisonError::into_inner);
        let [pawns, knights, bishops, rooks, queens, kings] = of;
        let found =
            tables.probe_wdl(white, black, kings, queens, rooks, bishops, knights, pawns, passant, is_white).ok()?;
        Some(match self.rank(found) {
            rank if rank > 0 => Score::known_win(),
            0 => Score::DRAW,
            _ => Score::known_loss(),
        })
    }

    /// 2 for a win, -2 for a loss, 0 for a draw; what the rule of fifty moves makes a draw lies between, if it counts.
    fn rank(&self, found: WdlProbeResult) -> i32 {
        let near = if self.counts_fifty { 0 } else { 2 };
        match found {
            WdlProbeResult::Win => 2,
            WdlProbeResult::CursedWin => near,
            WdlProbeResult::Draw => 0,
            WdlProbeResult::BlessedLoss => -near,
            WdlProbeResult::Loss => -2,
        }
    }

    /// The moves that keep the result; of those that win, only the quickest to a capture or pawn move if a position has come
    /// back since the last one, or if the count may end before it.
    pub(super) fn root_moves(&self, root: &Position, history: &[u64]) -> Option<Vec<Move>> {
        let board = root.board();
        if board.occupied().len() > self.most_pieces || can_castle(board) {
            return None;
        }
        let Asked { white, black, of, passant, is_white, count } = Asked::new(board);
        let [pawns, knights, bishops, rooks, queens, kings] = of;
        let tables = self.open.tables.lock().unwrap_or_else(PoisonError::into_inner);
        let found = tables
            .probe_root(white, black, kings, queens, rooks, bishops, knights, pawns, count, passant, is_white)
            .ok()?;
        drop(tables);
        let mut legal = Vec::new();
        root.generate(&mut legal);
        let mut ranked = Vec::new();
        for value in &found.moves[..found.num_moves] {
            let DtzProbeValue::DtzResult(result) = value else { continue };
            let promotion = match result.promotion {
                pyrrhic_rs::Piece::Queen => Some(Piece::Queen),
                pyrrhic_rs::Piece::Rook => Some(Piece::Rook),
                pyrrhic_rs::Piece::Bishop => Some(Piece::Bishop),
                pyrrhic_rs::Piece::Knight => Some(Piece::Knight),
                _ => None,
            };
            let [from, to] = [result.from_square, result.to_square].map(|number| square(number.into()));
            let mv = Move { from, to, promotion };
            if legal.contains(&mv) {
                ranked.push((mv, self.rank(result.wdl), u32::from(result.dtz)));
            }
        }
        // A table that is missing leaves moves unknown: better none of them than a wrong choice.
        if ranked.len() != legal.len() {
            return None;
        }
        let best = ranked.iter().map(|&(_, rank, _)| rank).max()?;
        ranked.retain(|&(_, rank, _)| rank == best);
        if best > 0 {
            let own = root.hash();
            let all: Vec<u64> = history.iter().copied().chain([own]).collect();
            let repeats = (1..all.len()).any(|at| all[..at].contains(&all[at]));
            let least = ranked.iter().map(|&(_, _, plies)| plies).min()?;
            let left = u32::from(super::super::rules::COUNTED_PLIES).saturating_sub(count);
            ranked.retain(|&(_, _, plies)| plies == least || (!repeats && plies < left));
        }
        Some(ranked.into_iter().map(|(mv, ..)| mv).collect())
    }
}

impl Open {
    /// The tables at this path: those that are open, or new ones.
    fn at(path: &str) -> Result<Arc<Open>, String> {
        static CURRENT: Mutex<Weak<Open>> = Mutex::new(Weak::new());
        let mut current = CURRENT.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(open) = current.upgrade() {
            if open.path == path {
                return Ok(open);
            }
            return Err(format!("{path}: this process uses the tables at {}; empty SyzygyPath first", open.path));
        }
        let mut most_pieces = 0;
        let folders: Vec<&str> = folders(path, cfg!(windows)).collect();
        for text in &folders {
            let folder = Path::new(text);
            if !folder.is_dir() {
                return Err(format!("{}: expected a folder with Syzygy tables, found none", folder.display()));
            }
            most_pieces = most_pieces.max(check(folder)?);
        }
        if most_pieces == 0 {
            return Err(format!("{path}: expected files KQvK.rtbw and the like, found none"));
        }
        let joined = match own_drive() {
            Some(drive) => without_drives(&folders, drive)?,
            None => folders.join(SEPARATOR),
        };
        let opened = TableBases::new(&joined).map_err(|error| format!("{path}: {error:?}"))?;
        let open = Arc::new(Open { path: path.to_owned(), tables: Mutex::new(opened), most_pieces });
        *current = Arc::downgrade(&open);
        Ok(open)
    }
}

/// The letter of the drive of the working folder, where there are such.
fn own_drive() -> Option<char> {
    let folder = std::env::current_dir().ok().filter(|_| cfg!(windows))?;
    folder.to_str()?.chars().next()
}

/// Folders of Windows as the crate takes them, which splits at colons on every system: without the letters of drives.
///
/// # Errors
/// When a folder is on another drive than `own`, which no path without a letter leads to.
pub(super) fn without_drives(folders: &[&str], own: char) -> Result<String, String> {
    let folders = folders.iter().map(|folder| match folder.split_once(':') {
        Some((drive, rest)) if drive.eq_ignore_ascii_case(own.encode_utf8(&mut [0; 4])) => Ok(rest),
        Some((drive, _)) => {
            Err(format!("{folder}: expected a folder on the drive that griot was started on, {own}:, found {drive}:"))
        }
        None => Ok(*folder),
    });
    Ok(folders.collect::<Result<Vec<&str>, String>>()?.join(SEPARATOR))
}

fn can_castle(board: &Board) -> bool {
    Color::ALL.into_iter().any(|color| {
        let rights = board.castle_rights(color);
        rights.short.is_some() || rights.long.is_some()
    })
}

/// A board as the crate takes it.
struct Asked {
    white: u64,
    black: u64,
    /// From the pawns to the kings.
    of: [u64; 6],
    /// The square behind a pawn that can be taken en passant, or 0.
    passant: u32,
    is_white: bool,
    count: u32,
}

impl Asked {
    fn new(board: &Board) -> Asked {
        let side = board.side_to_move();
        let behind = |file: File| Square::new(file, Rank::Sixth.relative_to(side)) as u32;
        Asked {
            white: board.colors(Color::White).0,
            black: board.colors(Color::Black).0,
            of: Piece::ALL.map(|piece| board.pieces(piece).0),
            passant: en_passant(board).map_or(0, behind),
            is_white: side == Color::White,
            count: board.halfmove_clock().into(),
        }
    }
}
