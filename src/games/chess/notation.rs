//! Texts of chess: FEN with the castling rights of X-FEN or Shredder-FEN, UCI moves, SAN. Layer 2.
//!
//! CITE: S. J. Edwards, "Portable Game Notation Specification", 1994 (FEN, SAN); R. Scharnagl, "X-FEN", 2003; S. Meyer-Kahlen,
//! "Universal Chess Interface", 2006.

use cozy_chess::util::{display_san_move, parse_san_move};
use cozy_chess::{Board, BoardBuilder, BoardBuilderError, CastleRights, Color, File, Move, Piece, Rank, Square};

use super::polyglot;
use super::rules::{COUNTED_PLIES, Position, en_passant};
use crate::game::{self, Dropped, Position as _, TextError};
use crate::message::{self, BoardPicture, PieceStyle, PlayerNames, Point, Surface, Way};
use crate::spelling::quoted;

/// The texts of chess.
///
/// # Format
/// Board: a FEN. Its last fields may be missing. Rights to castle are read as FEN and X-FEN have them (`KQkq`, the outermost
/// rook) or by the files of the rooks (`HAha`). A square behind a pawn is written when the pawn can be taken en passant.
/// Dropped with a warning, as by other programs: rights without their king or rook, an impossible en passant square, EPD
/// operations, counters beyond their range.
///
/// Move: from, to, and the piece that a pawn becomes: `e2e4`, `e7e8q`, also in capitals. Castling is the king's way, `e1g1`, or, in Chess960, the
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

/// The pieces in pictures, in the library's order.
const KINDS: [&str; Piece::NUM] = ["pawn", "knight", "bishop", "rook", "queen", "king"];

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

/// What a reader drops: its place, the field, and why.
fn dropped(at: usize, field: &str, what: &str, why: &str) -> Dropped {
    Dropped { offset: at, text: format!("{field}: {} is dropped; {why}", quoted(what)) }
}

/// The rights to castle: `KQkq` means the outermost rook, a letter of a file the rook there. Rights that the board does not
/// have are dropped.
fn read_rights(
    (at, text): Field<'_>,
    builder: &mut BoardBuilder,
    warnings: &mut Vec<Dropped>,
) -> Result<(), TextError> {
    if text == "-" {
        return Ok(());
    }
    for (i, c) in text.char_indices() {
        let color = if c.is_ascii_uppercase() { Color::White } else { Color::Black };
        let back = Rank::First.relative_to(color);
        let on_file = |file, piece| builder.square(Square::new(file, back)) == Some((piece, color));
        let lower = c.to_ascii_lowercase();
        let named = match lower {
            'k' | 'q' => None,
            other => Some(File::try_from(other).map_err(|_| {
                TextError::new(at + i, "castling", "K, Q, k, q, a file, or '-'", quoted(&c.to_string()))
            })?),
        };
        let mut drop = |why: &str| warnings.push(dropped(at + i, "castling", &c.to_string(), why));
        let Some(king) = File::ALL.into_iter().find(|&file| on_file(file, Piece::King)) else {
            drop("the king is not on its first rank");
            continue;
        };
        let rook = match named {
            Some(file) => Some(file).filter(|&file| on_file(file, Piece::Rook)),
            None if lower == 'k' => {
                File::ALL.into_iter().rev().find(|&file| on_file(file, Piece::Rook)).filter(|&file| file > king)
            }
            None => File::ALL.into_iter().find(|&file| on_file(file, Piece::Rook)).filter(|&file| file < king),
        };
        let Some(rook) = rook else {
            drop("there is no rook to castle with");
            continue;
        };
        let rights = builder.castle_rights_mut(color);
        let right = if rook > king { &mut rights.short } else { &mut rights.long };
        if right.is_some() {
            drop("the right is there already");
        }
        right.get_or_insert(rook);
    }
    if text.is_empty() { Err(TextError::new(at, "castling", "rights or '-'", "nothing")) } else { Ok(()) }
}

/// A counter of at most `most`; beyond that it is `most`, below zero 0, and `-` is `otherwise`.
fn read_counter(
    (at, text): Field<'_>,
    name: &str,
    [most, otherwise]: [u16; 2],
    warnings: &mut Vec<Dropped>,
) -> Result<u16, TextError> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    let taken = match text {
        "-" => otherwise,
        _ if !is_number => return Err(TextError::new(at, name, "a number", quoted(text))),
        _ if text.starts_with('-') => 0,
        _ => match text.parse() {
            Ok(number) if number <= most => return Ok(number),
            _ => most,
        },
    };
    warnings.push(Dropped { offset: at, text: format!("{name}: {} is taken as {taken}", quoted(text)) });
    Ok(taken)
}

/// The counters among EPD operations such as `hmvc 3; fmvn 17; bm Nf3;`.
fn epd_counter(operations: &str, code: &str) -> Option<u16> {
    let of = |operation: &str| operation.trim().strip_prefix(code)?.trim().parse().ok();
    operations.split(';').find_map(of)
}

/// The most moves that the library counts, and the halfmove counter beyond which there is nothing more to count.
const MOST_MOVES: u16 = u16::MAX;

/// Reads a FEN, or an EPD with or without counters; what it drops is added to the warnings.
fn read(text: &str, warnings: &mut Vec<Dropped>) -> Result<Board, TextError> {
    let offset_of = |word: &str| word.as_ptr() as usize - text.as_ptr() as usize;
    let mut fields = text.split_ascii_whitespace().map(|word| (offset_of(word), word)).peekable();
    let mut builder = BoardBuilder::empty();
    let mut next = |otherwise: &'static str| fields.next().unwrap_or((text.len(), otherwise));
    let ranks = next("");
    read_ranks(ranks, &mut builder)?;
    let (at, side) = next("");
    builder.side_to_move = match side {
        "w" | "W" => Color::White,
        "b" | "B" => Color::Black,
        _ => return Err(TextError::new(at, "side to move", "'w' or 'b'", quoted(side))),
    };
    read_rights(next("-"), &mut builder, warnings)?;
    let (ep_at, ep) = next("-");
    if ep != "-" {
        let expected = "the square behind a pawn that has just moved two, or '-'";
        let square = ep.to_ascii_lowercase().parse::<Square>();
        builder.en_passant = Some(square.map_err(|_| TextError::new(ep_at, "en passant", expected, quoted(ep)))?);
    }
    // Operations of EPD end with a semicolon; they may follow the four fields, or the counters.
    let is_operation =
        |&(at, word): &Field<'_>| word.starts_with(|c: char| c.is_ascii_alphabetic()) && text[at..].contains(';');
    let mut counter = |name, most, otherwise, warnings: &mut Vec<Dropped>| match fields.peek().copied() {
        Some(field) if !is_operation(&field) => {
            fields.next();
            read_counter(field, name, [most, otherwise], warnings)
        }
        _ => Ok(otherwise),
    };
    let halfmoves = counter("halfmove counter", MOST_MOVES, 0, warnings)?;
    let moves = counter("move counter", MOST_MOVES, 1, warnings)?;
    builder.fullmove_number = moves;
    builder.halfmove_clock = halfmoves.min(COUNTED_PLIES.into()) as u8;
    if let Some(&(at, rest)) = fields.peek() {
        if !is_operation(&(at, rest)) {
            return Err(TextError::new(at, "end of the position", "nothing after the counters", quoted(rest)));
        }
        let operations = &text[at..];
        builder.halfmove_clock =
            epd_counter(operations, "hmvc").map_or(builder.halfmove_clock, |n| n.min(COUNTED_PLIES.into()) as u8);
        builder.fullmove_number = epd_counter(operations, "fmvn").unwrap_or(builder.fullmove_number);
        warnings.push(dropped(at, "EPD operations", operations.trim_end(), "only hmvc and fmvn are read"));
    }
    // Some programs begin with move 0.
    builder.fullmove_number = builder.fullmove_number.max(1);
    let mut built = builder.build();
    if matches!(built, Err(BoardBuilderError::InvalidEnPassant)) {
        warnings.push(dropped(ep_at, "en passant", ep, "no pawn has just moved past it"));
        builder.en_passant = None;
        built = builder.build();
    }
    match built {
        // The library lets kings stand side by side.
        Ok(board) if !cozy_chess::get_king_moves(board.king(Color::White)).has(board.king(Color::Black)) => Ok(board),
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
    legal(board, text.parse().ok()?)
}

/// The same in capitals, as some programs write it: no SAN looks like `E2E4`.
fn read_capitals(board: &Board, text: &str) -> Option<Move> {
    let is_capital = text.is_ascii() && text.starts_with(|c: char| c.is_ascii_uppercase());
    read_uci(board, &Some(text).filter(|_| is_capital)?.to_ascii_lowercase())
}

/// The legal move with these squares, castling either way.
fn legal(board: &Board, mv: Move) -> Option<Move> {
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
    // The library writes castling as the king that takes its rook, which UCI does only in Chess960.
    let is_told = |mv: &Move| text.starts_with('O') || !position.castles(*mv);
    parse_san_move(position.board(), text).ok().filter(is_told)
}

impl game::Notation for Notation {
    type Position = Position;

    fn start(&self) -> Position {
        Position::new(self.chess960.map_or_else(Board::default, Board::chess960_startpos))
    }

    fn parse_position(&self, text: &str) -> Result<Position, TextError> {
        self.read_position(text, &mut Vec::new())
    }

    fn read_position(&self, text: &str, warnings: &mut Vec<Dropped>) -> Result<Position, TextError> {
        read(text, warnings).map(Position::new)
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
            Err(_) => read_san(position, text)
                .or_else(|| read_capitals(board, text))
                .map_or_else(|| error("a legal move as e2e4, e7e8q or Nf3"), Ok),
        }
    }

    fn parse_move_past_end(&self, position: &Position, text: &str) -> Option<Move> {
        let board = position.board();
        read_uci(board, text).or_else(|| read_san(position, text)).or_else(|| read_capitals(board, text))
    }

    fn move_text(&self, position: &Position, mv: Move) -> String {
        let mut text = String::with_capacity(5);
        for square in [mv.from, self.shown_to(position, mv)] {
            text.push(square.file().into());
            text.push(square.rank().into());
        }
        text.extend(mv.promotion.map(char::from));
        text
    }

    fn move_name(&self, position: &Position, mv: Move) -> String {
        display_san_move(position.board(), mv).to_string()
    }

    fn book_key(&self, position: &Position) -> Option<u64> {
        Some(polyglot::key(position.board()))
    }

    fn book_move(&self, position: &Position, code: u16) -> Option<Move> {
        polyglot::read_move(position.board(), code)
    }

    fn flipped(&self, position: &Position) -> Option<Position> {
        let text = self.position_text(position);
        let mut fields = text.split(' ');
        let swap = |c: char| if c.is_ascii_uppercase() { c.to_ascii_lowercase() } else { c.to_ascii_uppercase() };
        let ranks = fields.next()?.split('/').rev().map(|rank| rank.chars().map(swap).collect::<String>());
        let ranks = ranks.collect::<Vec<String>>().join("/");
        let side = if fields.next()? == "w" { "b" } else { "w" };
        let rights: String = fields.next()?.chars().map(swap).collect();
        let behind = fields.next()?.replace(['3', '6'], if side == "w" { "6" } else { "3" });
        let counters = fields.collect::<Vec<&str>>().join(" ");
        self.parse_position(&format!("{ranks} {side} {rights} {behind} {counters}")).ok()
    }

    fn repetition_rule(&self) -> Option<&str> {
        Some("the third time of a position is a draw, and so are fifty moves of each without capture or pawn move")
    }

    fn board(&self, position: &Position) -> BoardPicture {
        let board = position.board();
        let chessman = |piece, color| {
            let kind = Some(KINDS[piece as usize]);
            message::Piece { owner: super::side_of(color).into(), mark: letter(piece, color), kind }
        };
        let set = Color::ALL.map(|color| Piece::ALL.map(|piece| chessman(piece, color))).concat();
        let picture = BoardPicture::pieces(8, 8, PlayerNames::Colors, set, |file, rank| {
            let square = Square::new(File::index(file.into()), Rank::index(rank.into()));
            let (piece, color) = board.piece_on(square).zip(board.color_on(square))?;
            Some(chessman(piece, color))
        });
        picture.looking(Surface::Squares, PieceStyle::Chessmen).colored(message::Color::White, message::Color::Black)
    }

    fn way(&self, position: &Position, mv: Move) -> Way {
        let point = |square: Square| Point::new(square.file() as u32, square.rank() as u32);
        Way {
            becomes: mv.promotion.map(|piece| KINDS[piece as usize]),
            ..Way::between(point(mv.from), point(self.shown_to(position, mv)))
        }
    }
}
