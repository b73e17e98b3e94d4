//! Drawings in plain text: the one way in which every game is drawn.
//!
//! Layer 4. Pure. A drawing is made of [`Span`]s, each with its [`SpanRole`]: the protocols write their texts one after the other, a
//! terminal gives each role a colour. Nothing reads a drawing.

use crate::message::{BoardPicture, GameResult, GridPicture, Picture, Pile, Player, PlayerNames, Point, Shape, Way};

/// Heaps above this are abbreviated.
const LONGEST_ROW: u32 = 40;

/// The role of a piece of a drawing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SpanRole {
    /// Plain text.
    Plain,
    /// The label of a row, or of columns.
    Label,
    /// The frame of a board.
    Frame,
    /// Something of this player.
    Of(Player),
    /// An empty cell.
    Empty,
    /// An empty cell to which a move goes, or a house that can be sown.
    Legal,
    /// An empty cell where the last move began, stopped or took a piece.
    Left,
    /// The destination of the last move, or the place it removed something from.
    Last,
}

/// A piece of a drawing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Span {
    /// Its role.
    pub role: SpanRole,
    /// Its text.
    pub text: String,
}

/// A line of a drawing.
pub type DrawnLine = Vec<Span>;

fn span(role: SpanRole, text: impl Into<String>) -> Span {
    Span { role, text: text.into() }
}

/// Draws a board with the way of the last move.
#[must_use]
pub fn sketch(board: &BoardPicture, last: Option<Way>) -> Vec<DrawnLine> {
    sketch_moves(board, last, &[])
}

/// Draws a board with the way of the last move, and a cross on the destinations of these moves.
#[must_use]
pub fn sketch_moves(board: &BoardPicture, last: Option<Way>, moves: &[Way]) -> Vec<DrawnLine> {
    let last = last.unwrap_or_default();
    match &board.shape {
        Shape::Grid(grid) => cells(grid, last, moves),
        Shape::Houses { rows, stores } => houses(rows, *stores, last, moves),
        Shape::Heaps { heaps, .. } => bars(heaps),
        Shape::Text { text } => text.lines().map(|line| vec![span(SpanRole::Plain, line)]).collect(),
    }
}

/// The lines of a drawing in plain text.
pub fn plain(lines: &[DrawnLine]) -> impl Iterator<Item = String> {
    lines.iter().map(|line| line.iter().map(|span| span.text.as_str()).collect())
}

/// Draws a position; the last line says who is to move, or how the game ended. A text board says that itself.
#[must_use]
pub fn draw(picture: &Picture) -> String {
    let board = sketch(&picture.board, None);
    plain(&board).chain(state(picture)).collect::<Vec<String>>().join("\n")
}

/// Rows with their labels at the left, columns below; or, where cells have names of their own, these on the empty ones. Cells that
/// are never used stay blank.
fn cells(grid: &GridPicture, last: Way, moves: &[Way]) -> Vec<DrawnLine> {
    let width = |labels: &[String], least| labels.iter().map(|label| label.chars().count()).fold(least, usize::max);
    let (margin, columns) = (width(&grid.rows, 2), width(&grid.columns, 1));
    let is_named = !grid.labels.is_empty();
    let wide = grid.labels.iter().flatten().map(|label| label.chars().count()).fold(columns, usize::max);
    let order: Box<dyn Iterator<Item = usize>> =
        if grid.from_top { Box::new(0..grid.rows.len()) } else { Box::new((0..grid.rows.len()).rev()) };
    let cell = |col: usize, row: usize| {
        let point = Point { col: col as u32, row: row as u32 };
        let piece = grid.piece(point);
        let role = match piece {
            _ if last.to == Some(point) => SpanRole::Last,
            Some(piece) => SpanRole::Of(piece.owner),
            None if moves.iter().any(|way| way.to == Some(point)) => SpanRole::Legal,
            None if last.from == Some(point) || last.via.contains(&point) || last.takes.contains(&point) => {
                SpanRole::Left
            }
            None => SpanRole::Empty,
        };
        let place = row * grid.columns.len() + col;
        let is_used = grid.dark.get(place).is_none_or(|&dark| dark);
        let text = match piece {
            Some(piece) => piece.mark.to_string(),
            None if !is_used => " ".into(),
            None if role == SpanRole::Legal => "+".into(),
            None => grid.labels.get(place).cloned().flatten().unwrap_or_else(|| ".".into()),
        };
        span(role, text)
    };
    let row = |row: usize| {
        let label = if is_named { String::new() } else { format!("{:>margin$}", grid.rows[row]) };
        let mut line = vec![span(SpanRole::Label, label)];
        for col in 0..grid.columns.len() {
            let cell = cell(col, row);
            line.push(span(SpanRole::Plain, " ".repeat((wide + 1).saturating_sub(cell.text.chars().count()))));
            line.push(cell);
        }
        line
    };
    let labels: String = grid.columns.iter().map(|label| format!(" {label:>wide$}")).collect();
    let labels = vec![span(SpanRole::Label, " ".repeat(margin) + &labels)];
    order.map(row).chain((!is_named).then_some(labels)).collect()
}

/// Two rows in a frame, between the stores.
fn houses(rows: &[Vec<Pile>; 2], stores: [u32; 2], last: Way, moves: &[Way]) -> Vec<DrawnLine> {
    let [south, north] = rows;
    let rule = || span(SpanRole::Frame, format!("+{}", "----+".repeat(south.len())));
    let blank = || span(SpanRole::Plain, "   ");
    let names = |player, row: &[Pile]| {
        let text: String = row.iter().map(|house| format!("  {}  ", house.name)).collect();
        vec![span(SpanRole::Of(player), format!("    {text}").trim_end())]
    };
    let seeds = |number: u32, row: &[Pile]| {
        let mut line = vec![blank(), span(SpanRole::Frame, "|")];
        for (col, house) in row.iter().enumerate() {
            let point = Some(Point { col: col as u32, row: number });
            let role = match () {
                () if last.from == point => SpanRole::Last,
                () if moves.iter().any(|way| way.from == point) => SpanRole::Legal,
                () => SpanRole::Plain,
            };
            line.push(span(SpanRole::Plain, " "));
            line.push(span(role, format!("{:2}", house.count)));
            line.push(span(SpanRole::Plain, " "));
            line.push(span(SpanRole::Frame, "|"));
        }
        line
    };
    let store = |player: Player| format!("{:2}", stores[player.index()]);
    vec![
        names(Player::Second, north),
        vec![blank(), rule()],
        seeds(1, north),
        vec![
            span(SpanRole::Plain, store(Player::Second) + " "),
            rule(),
            span(SpanRole::Plain, format!(" {}", store(Player::First))),
        ],
        seeds(0, south),
        vec![blank(), rule()],
        names(Player::First, south),
    ]
}

/// One row for each heap, a bar for each match; large heaps are cut short in the middle.
fn bars(heaps: &[Pile]) -> Vec<DrawnLine> {
    let width = heaps.iter().map(|heap| heap.count.to_string().len()).max().unwrap_or(1);
    let row = |heap: &Pile| {
        let bars = match heap.count {
            0 => String::new(),
            size @ 1..=LONGEST_ROW => format!("  {}", "|".repeat(size as usize)),
            _ => format!("  {0} ... {0}", "|".repeat(LONGEST_ROW as usize / 2)),
        };
        vec![span(SpanRole::Plain, format!("{} {:>width$}{bars}", heap.name, heap.count))]
    };
    heaps.iter().map(row).collect()
}

/// The name of a player.
fn name(board: &BoardPicture, player: Player) -> String {
    match board.players {
        PlayerNames::Colors => board.color_name(player).map_or_else(String::new, |color| color.name().into()),
        PlayerNames::Marks(marks) => marks[player.index()].into(),
        PlayerNames::Compass => ["South", "North"][player.index()].into(),
        PlayerNames::Numbers => format!("player {}", player.index() + 1),
    }
}

/// Who is to move or how the game ended, and the counts.
fn state(picture: &Picture) -> Option<String> {
    let Picture { turn, result, board, .. } = picture;
    let BoardPicture { shape, counts, .. } = board;
    let name = |player| name(board, player);
    let standing = match (shape, result) {
        (Shape::Text { .. }, _) => return None,
        (_, None) => format!("{} to move", name(*turn)),
        (Shape::Houses { .. }, Some(_)) => format!("the game is over ({} would move)", name(*turn)),
        (_, Some(GameResult::Win(winner))) => format!("{} has won", name(*winner)),
        (_, Some(GameResult::Draw)) => "draw".into(),
    };
    let more = match shape {
        Shape::Heaps { most, last_wins, .. } => {
            let take = match most {
                None => "take any number from one heap".into(),
                Some(1) => "take 1".into(),
                Some(most) => format!("take 1 to {most} from one heap"),
            };
            format!("; {take}, the last match {}", if *last_wins { "wins" } else { "loses" })
        }
        _ => match counts {
            Some([first, second]) => {
                format!("; {} {first}, {} {second}", name(Player::First), name(Player::Second))
            }
            None => String::new(),
        },
    };
    Some(standing + &more)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::message::{Color, Piece, Stroke};

    fn picture(board: BoardPicture) -> Picture {
        Picture { board, ..Picture::default() }
    }

    fn grid(cols: u8, rows: u8, text: &str) -> Picture {
        let cells: Vec<char> = text.chars().filter(|c| !c.is_whitespace()).collect();
        let owner = |col, row| match cells[usize::from(rows - 1 - row) * usize::from(cols) + usize::from(col)] {
            'x' => Some(Player::First),
            'o' => Some(Player::Second),
            _ => None,
        };
        picture(BoardPicture::grid(cols, rows, ['x', 'o'], owner))
    }

    fn piles(row: &[(&str, u32)]) -> Vec<Pile> {
        row.iter().map(|&(name, count)| Pile { name: name.into(), count }).collect()
    }

    #[test]
    fn cells_stand_between_the_labels_of_rows_and_columns() {
        let mut shown = grid(4, 3, "...o .x.. ....");
        assert_eq!(draw(&shown), " 3 . . . o\n 2 . x . .\n 1 . . . .\n   a b c d\nx to move");
        shown.result = Some(GameResult::Win(Player::First));
        assert!(draw(&shown).ends_with("\nx has won"));
        shown.result = Some(GameResult::Draw);
        shown.board.counts = Some([1, 1]);
        assert!(draw(&shown).ends_with("\ndraw; x 1, o 1"));
        let Shape::Grid(cells) = &mut shown.board.shape else { panic!() };
        cells.from_top = true;
        assert!(draw(&shown).starts_with(" 1 . . . .\n 2 . x . .\n 3 . . . o\n"));
    }

    #[test]
    fn columns_are_as_wide_as_their_labels() {
        let drawing = draw(&grid(27, 100, &".".repeat(2700)));
        let lines: Vec<&str> = drawing.lines().collect();
        assert!(lines[0].starts_with("100  .  .") && lines[99].starts_with("  1  .") && lines[100].ends_with("  z aa"));
        assert!(lines[..101].iter().all(|line| line.len() == lines[0].len()));
    }

    #[test]
    fn houses_have_a_frame_with_north_on_top() {
        let south = piles(&[("A", 0), ("B", 1), ("C", 12)]);
        let north = piles(&[("c", 5), ("b", 4), ("a", 3)]);
        let shape = Shape::Houses { rows: [south, north], stores: [2, 10] };
        let mut shown = picture(BoardPicture { players: PlayerNames::Compass, colors: None, shape, counts: None });
        shown.turn = Player::Second;
        let drawing = "
      c    b    a
   +----+----+----+
   |  5 |  4 |  3 |
10 +----+----+----+  2
   |  0 |  1 | 12 |
   +----+----+----+
      A    B    C
North to move";
        assert_eq!(draw(&shown), drawing[1..]);
        shown.result = Some(GameResult::Draw);
        assert!(draw(&shown).ends_with("\nthe game is over (North would move)"));
    }

    #[test]
    fn heaps_have_a_bar_for_each_match_and_large_ones_are_shortened() {
        let shape = |most, last_wins| Shape::Heaps { heaps: piles(&[("a", 3), ("b", 0), ("c", 41)]), most, last_wins };
        let shown = |shape| picture(BoardPicture { players: PlayerNames::Numbers, colors: None, shape, counts: None });
        let bars = "|".repeat(20);
        let heaps = format!("a  3  |||\nb  0\nc 41  {bars} ... {bars}\n");
        for (most, last_wins, rule) in [
            (Some(3), false, "take 1 to 3 from one heap, the last match loses"),
            (Some(1), true, "take 1, the last match wins"),
            (None, true, "take any number from one heap, the last match wins"),
        ] {
            assert_eq!(draw(&shown(shape(most, last_wins))), format!("{heaps}player 1 to move; {rule}"));
        }
        let over = Picture { result: Some(GameResult::Win(Player::Second)), ..shown(shape(Some(1), true)) };
        assert!(draw(&over).contains("\nplayer 2 has won; take 1, "));
    }

    #[test]
    fn legal_moves_are_seen_on_the_board() {
        let shown = grid(3, 2, ".x. o..");
        let way = |col: u8, row: u8| Way::to(Point::new(col, row));
        let lines = |moves: &[Way]| plain(&sketch_moves(&shown.board, None, moves)).collect::<Vec<String>>().join("\n");
        assert_eq!(lines(&[way(0, 1), way(2, 0), way(1, 1)]), " 2 + x .\n 1 o . +\n   a b c");
        assert_eq!(lines(&[]), plain(&sketch(&shown.board, None)).collect::<Vec<String>>().join("\n"));
    }

    #[test]
    fn named_cells_have_their_names_and_unused_ones_are_blank() {
        let king = |owner, mark| Piece { owner, mark, kind: Some("king") };
        let set = [king(Player::First, 'W'), king(Player::Second, 'B')];
        let mut board =
            BoardPicture::pieces(4, 2, PlayerNames::Colors, set, |col, row| (col == 0 && row == 0).then_some(set[0]))
                .colored(Color::White, Color::Black);
        if let Shape::Grid(grid) = &mut board.shape {
            grid.dark = (0..8).map(|cell| (cell + cell / 4) % 2 == 0).collect();
        }
        assert_eq!(draw(&picture(board.clone())), " 2   .   .\n 1 W   .  \n   a b c d\nWhite to move");
        if let Shape::Grid(grid) = &mut board.shape {
            let names = [Some("13"), None, Some("14"), None, None, Some("9"), None, Some("10")];
            grid.labels = names.map(|name| name.map(str::to_owned)).into();
        }
        assert_eq!(draw(&picture(board)), "     9    10\n  W    14   \nWhite to move");
    }

    #[test]
    fn a_game_without_points_is_its_text() {
        assert_eq!(draw(&picture(BoardPicture::text("7 a"))), "7 a");
    }

    #[test]
    fn the_last_move_has_its_roles_and_changes_no_letter() {
        let shown = grid(2, 2, ".x o.");
        let point = |col: u8, row: u8| Point::new(col, row);
        let way = Way::between(point(0, 1), point(1, 1));
        let lines = sketch(&shown.board, Some(way.clone()));
        let roles = |role| lines.iter().flatten().filter(move |span| span.role == role).map(|span| span.text.as_str());
        assert_eq!(roles(SpanRole::Left).chain(roles(SpanRole::Last)).collect::<String>(), ".x");
        assert_eq!(roles(SpanRole::Of(Player::Second)).collect::<String>(), "o");
        assert!(plain(&lines).eq(plain(&sketch(&shown.board, None))));
        let capture = Way { takes: vec![point(1, 0)], ..Way::between(point(0, 1), point(1, 1)) };
        let lines = sketch(&shown.board, Some(capture));
        let left = lines.iter().flatten().filter(|span| span.role == SpanRole::Left);
        assert_eq!(left.map(|span| span.text.as_str()).collect::<String>(), "..");
        let last = Stroke { mv: "a2b2".into(), name: None, way };
        assert_eq!(draw(&Picture { last: Some(last), ..shown.clone() }), draw(&shown));
    }
}
