//! Texts of chess: FEN with the castling rights of X-FEN or Shredder-FEN, UCI moves, SAN. Layer 2.
//!
//! CITE: S. J. Edwards, "Portable Game Notation Specification", 1994 (FEN, SAN); R. Scharnagl, "X-FEN", 2003; S. Meyer-Kahlen,
//! "Universal Chess Interface", 2006.

use cozy_chess::util::{display_san_move, parse_san_move};
use cozy_chess::{Board, BoardBuilder, BoardBuilderError, CastleRights, Color, File, Move, Piece, Rank, Square};

use super::rules::{COUNTED_PLIES, Position, en_passant};
use crate::game::{self, Position as _, TextError};
use crate::message::{self, BoardPicture, Point, Way};
use crate::spelling::quoted;

/// The texts of chess.
///
/// # Format
/// Board: a FEN. Its last fields may be missing. Rights to castle are read as FEN and X-FEN have them (`KQkq`, the outermost
/// rook) or by the files of the rooks (`HAha`). A square behind a pawn is written when the pawn can be taken en passant.
///
/// Move: from, to, and the piece that a pawn becomes: `e2e4`, `e7e8q`. Castling is the king's way, `e1g1`, or, in Chess960, the
/// king that takes its rook, `e1h1`. Both are read, and so is SAN, which is how people write a move: `Nf3`, `O-O`; castling with
/// noughts, too.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Notation {
    /// The number of the start position, from 0 to 959, when Chess960 is played; its rights to castle are told by files.
    pub(super) chess960: Option<u32>,
}

/// The files from which king and rooks castle in the game that everybody plays.
const KING_FILE: File = File::E;
const ROOK_FILES: [File; 2] = [File::H, File::A];

/// A text without blanks around it, and where it stands.
type Field<'t> = (usize, &'t str);

fn letter(piece: Piece, color: Color) -> char {
    let letter: char = piece.into();
    if color == Color::White { letter.to_ascii_uppercase() } else { letter }
}

/// The squares of the pieces, from the text of the ranks.
fn read_ranks((at, text): Field<'_>, builder: &mut BoardBuilder) -> Result<(), TextError> {
    let ranks = text.split('/').count();
    if ranks != Rank::NUM {
        let found = if text.is_empty() { quoted(text) } else { ranks.to_string() };
        return Err(TextError::new(at, "board", "8 ranks", found));
    }
    let mut offset = at;
    for (rank, row) in Rank::ALL.into_iter().rev().zip(text.split('/')) {
        let name = format!("rank {}", char::from(rank));
        let mut file = 0;
        for (i, c) in row.char_indices() {
            let error = |expected: &str| TextError::new(offset + i, name.as_str(), expected, quoted(&c.to_string()));
            if let Some(empty) = c.to_digit(10).filter(|empty| (1..=8).contains(empty)) {
                file += empty as usize;
                continue;
            }
            let piece = Piece::try_from(c.to_ascii_lowercase()).map_err(|_| error("a piece or 1 to 8"))?;
            let color = if c.is_ascii_uppercase() { Color::White } else { Color::Black };
            let on = File::try_index(file).ok_or_else(|| error("8 squares"))?;
            if piece == Piece::Pawn && matches!(rank, Rank::First | Rank::Eighth) {
                return Err(error("no pawn on the first or last rank"));
            }
            *builder.square_mut(Square::new(on, rank)) = Some((piece, color));
            file += 1;
        }
        if file != File::NUM {
            return Err(TextError::new(offset, name, "8 squares", file.to_string()));
        }
        offset += row.len() + 1;
    }
    for color in Color::ALL {
        let own = builder.board.iter().flatten().filter(|(_, of)| *of == color);
        let count = |wanted| own.clone().filter(|(piece, _)| *piece == wanted).count();
        let name = if color == Color::White { "White" } else { "Black" };
        for (found, allowed, expected) in [
            (count(Piece::King), 1..=1, "one king"),
            (count(Piece::Pawn), 0..=8, "at most 8 pawns"),
            (own.clone().count(), 1..=16, "at most 16 pieces"),
        ] {
            if !allowed.contains(&found) {
                return Err(TextError::new(at, name, expected, found.to_string()));
            }
        }
    }
    Ok(())
}

/// The rights to castle: `KQkq` means the outermost rook, a letter of a file the rook there.
fn read_rights((at, text): Field<'_>, builder: &mut BoardBuilder) -> Result<(), TextError> {
    if text == "-" {
        return Ok(());
    }
    for (i, c) in text.char_indices() {
        let error = |expected: &str| TextError::new(at + i, "castling", expected, quoted(&c.to_string()));
        let color = if c.is_ascii_uppercase() { Color::White } else { Color::Black };
        let back = Rank::First.relative_to(color);
        let on_file = |file, piece| builder.square(Square::new(file, back)) == Some((piece, color));
        let king = File::ALL.into_iter().find(|&file| on_file(file, Piece::King));
        let king = king.ok_or_else(|| error("a king on its first rank"))?;
        let rook = match c.to_ascii_lowercase() {
            'k' => File::ALL.into_iter().rev().find(|&file| on_file(file, Piece::Rook)).filter(|&file| file > king),
            'q' => File::ALL.into_iter().find(|&file| on_file(file, Piece::Rook)).filter(|&file| file < king),
            other => {
                let file = File::try_from(other).map_err(|_| error("K, Q, k, q, a file, or '-'"))?;
                Some(file).filter(|&file| on_file(file, Piece::Rook))
            }
        };
        let rook = rook.ok_or_else(|| error("a rook to castle with"))?;
        let rights = builder.castle_rights_mut(color);
        let right = if rook > king { &mut rights.short } else { &mut rights.long };
        if right.replace(rook).is_some() {
            return Err(error("each right once"));
        }
    }
    if text.is_empty() { Err(TextError::new(at, "castling", "rights or '-'", "nothing")) } else { Ok(()) }
}

fn read_counter<T: std::str::FromStr>((at, text): Field<'_>, name: &str) -> Result<T, TextError> {
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| digits).ok_or_else(|| TextError::new(at, name, "a number", quoted(text)))
}

fn read(text: &str) -> Result<Board, TextError> {
    let mut fields = text.split_ascii_whitespace().map(|word| (word.as_ptr() as usize - text.as_ptr() as usize, word));
    let mut next = |otherwise: &'static str| fields.next().unwrap_or((text.len(), otherwise));
    let mut builder = BoardBuilder::empty();
    let ranks = next("");
    read_ranks(ranks, &mut builder)?;
    let (at, side) = next("");
    builder.side_to_move = match side {
        "w" => Color::White,
        "b" => Color::Black,
        _ => return Err(TextError::new(at, "side to move", "'w' or 'b'", quoted(side))),
    };
    read_rights(next("-"), &mut builder)?;
    let (ep_at, ep) = next("-");
    let expected = "the square behind a pawn that has just moved two, or '-'";
    if ep != "-" {
        let square = ep.parse::<Square>().map_err(|_| TextError::new(ep_at, "en passant", expected, quoted(ep)))?;
        builder.en_passant = Some(square);
    }
    // Beyond the end of the count there is nothing more to count.
    builder.halfmove_clock = read_counter::<u16>(next("0"), "halfmove counter")?.min(COUNTED_PLIES.into()) as u8;
    // Some programs begin with move 0.
    builder.fullmove_number = read_counter::<u16>(next("1"), "move counter")?.max(1);
    let (at, rest) = next("");
    if !rest.is_empty() {
        return Err(TextError::new(at, "end of the position", "nothing after the counters", quoted(rest)));
    }
    match builder.build() {
        // The library lets kings stand side by side.
        Ok(board) if !cozy_chess::get_king_moves(board.king(Color::White)).has(board.king(Color::Black)) => Ok(board),
        Err(BoardBuilderError::InvalidEnPassant) => Err(TextError::new(ep_at, "en passant", expected, quoted(ep))),
        _ => {
            let found = "a king that could be taken, or checks that cannot be";
            Err(TextError::new(ranks.0, "board", "a position that a game can reach", found))
        }
    }
}

/// The rights of one side: the files of the rooks, or, where they are the outermost, K and Q.
fn write_rights(board: &Board, color: Color, by_files: bool, text: &mut String) {
    let CastleRights { short, long } = *board.castle_rights(color);
    let rooks = board.colored_pieces(color, Piece::Rook) & Rank::First.relative_to(color).bitboard();
    let outermost = |file: File| match file > board.king(color).file() {
        true => File::ALL.into_iter().rev().find(|file| !(rooks & file.bitboard()).is_empty()),
        false => File::ALL.into_iter().find(|file| !(rooks & file.bitboard()).is_empty()),
    };
    for (file, plain) in [(short, 'k'), (long, 'q')] {
        let Some(file) = file else { continue };
        let letter: char = if !by_files && outermost(file) == Some(file) { plain } else { file.into() };
        text.push(if color == Color::White { letter.to_ascii_uppercase() } else { letter });
    }
}

impl Notation {
    /// Where a move is shown to go: castling as everybody plays it is the king's way.
    fn shown_to(self, position: &Position, mv: Move) -> Square {
        let is_usual = mv.from.file() == KING_FILE && ROOK_FILES.contains(&mv.to.file());
        if position.castles(mv) && is_usual && self.chess960.is_none() { king_after(mv) } else { mv.to }
    }
}

/// Where the king stands after castling with the rook on `mv.to`.
fn king_after(mv: Move) -> Square {
    Square::new(if mv.to.file() > mv.from.file() { File::G } else { File::C }, mv.from.rank())
}

/// A move as UCI writes it, castling either way.
fn read_uci(board: &Board, text: &str) -> Option<Move> {
    let mv: Move = text.parse().ok()?;
    if board.is_legal(mv) {
        return Some(mv);
    }
    let rights = board.castle_rights(board.side_to_move());
    let rooks = [rights.short, rights.long].into_iter().flatten();
    rooks
        .map(|file| Move { to: Square::new(file, mv.from.rank()), ..mv })
        .find(|&castle| mv.promotion.is_none() && king_after(castle) == mv.to && board.is_legal(castle))
}

/// A move as people write it.
fn read_san(position: &Position, text: &str) -> Option<Move> {
    if !text.is_ascii() {
        return None;
    }
    let castles = text.starts_with("0-0").then(|| text.replace('0', "O"));
    let text = castles.as_deref().unwrap_or(text);
    // The library has castling as the king that takes its rook, but nobody writes it so.
    let is_told = |mv: &Move| text.starts_with('O') || !position.castles(*mv);
    parse_san_move(position.board(), text).ok().filter(is_told)
}

impl game::Notation for Notation {
    type Position = Position;

    fn start(&self) -> Position {
        Position::new(self.chess960.map_or_else(Board::default, Board::chess960_startpos))
    }

    fn parse_position(&self, text: &str) -> Result<Position, TextError> {
        read(text).map(Position::new)
    }

    fn position_text(&self, position: &Position) -> String {
        let board = position.board();
        let whole = board.to_string();
        let ranks = whole.split(' ').next().unwrap_or_default();
        let mut rights = String::new();
        for color in Color::ALL {
            write_rights(board, color, self.chess960.is_some(), &mut rights);
        }
        let rights = if rights.is_empty() { "-" } else { &rights };
        let side = board.side_to_move();
        let behind = en_passant(board).map(|file| Square::new(file, Rank::Sixth.relative_to(side)).to_string());
        let behind = behind.as_deref().unwrap_or("-");
        format!("{ranks} {side} {rights} {behind} {} {}", board.halfmove_clock(), board.fullmove_number())
    }

    fn parse_move(&self, position: &Position, text: &str) -> Result<Move, TextError> {
        let board = position.board();
        let error = |expected: &str| Err(TextError::new(0, "move", expected, quoted(text)));
        if position.outcome().is_some() {
            return error("no move, the game is over");
        }
        if let Some(mv) = read_uci(board, text) {
            return Ok(mv);
        }
        match text.parse::<Move>() {
            Ok(mv) => match board.color_on(mv.from) {
                None => error("a move of a piece; there is none"),
                Some(color) if color != board.side_to_move() => error("a move of the side to move"),
                Some(_) if board.is_legal(Move { promotion: Some(Piece::Queen), ..mv }) => {
                    error("the piece that the pawn becomes: q, r, b or n")
                }
                Some(_) => error("a legal move"),
            },
            Err(_) => read_san(position, text).map_or_else(|| error("a legal move as e2e4, e7e8q or Nf3"), Ok),
        }
    }

    fn parse_move_past_end(&self, position: &Position, text: &str) -> Option<Move> {
        read_uci(position.board(), text).or_else(|| read_san(position, text))
    }

    fn move_text(&self, position: &Position, mv: Move) -> String {
        Move { to: self.shown_to(position, mv), ..mv }.to_string()
    }

    fn move_name(&self, position: &Position, mv: Move) -> String {
        display_san_move(position.board(), mv).to_string()
    }

    fn repetition_rule(&self) -> Option<&str> {
        Some("the third time of a position is a draw, and so are fifty moves of each without capture or pawn move")
    }

    fn board(&self, position: &Position) -> BoardPicture {
        let board = position.board();
        BoardPicture::pieces(8, 8, ['w', 'b'], |file, rank| {
            let square = Square::new(File::index(file.into()), Rank::index(rank.into()));
            let (piece, color) = board.piece_on(square).zip(board.color_on(square))?;
            Some(message::Piece { owner: super::side_of(color).into(), mark: letter(piece, color) })
        })
    }

    fn way(&self, position: &Position, mv: Move) -> Way {
        let point = |square: Square| Point::new(square.file() as u32, square.rank() as u32);
        Way::between(point(mv.from), point(self.shown_to(position, mv)))
    }
}
