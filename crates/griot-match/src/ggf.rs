//! Othello boards in GGF: `8`, eight rows from the top of `*`, `O` and `-`, and the side to move.

use griot::message::{Picture, Player, Point, Shape};

/// A position, as it stands in `BO[…]`.
pub(crate) fn board(picture: &Picture) -> String {
    let Shape::Grid(grid) = &picture.board.shape else { return String::new() };
    let mut text = grid.rows.len().to_string();
    for row in 0..grid.rows.len() as u32 {
        text.push(' ');
        let cell = |col| match grid.piece(Point { col, row }).map(|piece| piece.owner) {
            Some(Player::First) => '*',
            Some(Player::Second) => 'O',
            None => '-',
        };
        text.extend((0..grid.columns.len() as u32).map(cell));
    }
    text + if picture.turn == Player::First { " *" } else { " O" }
}

/// A board of `BO[…]` in griot's own text; nothing for what is none.
pub(crate) fn own_board(text: &str) -> Option<String> {
    let mut words = text.split_whitespace();
    let side: usize = words.next()?.parse().ok()?;
    let cells: Vec<char> = words.flat_map(str::chars).collect();
    if side == 0 || cells.len() != side * side + 1 {
        return None;
    }
    let (mover, cells) = cells.split_last()?;
    let own = |cell: &char| match cell {
        '*' => Some('x'),
        'O' | 'o' => Some('o'),
        '-' => Some('1'),
        _ => None,
    };
    let row = |cells: &[char]| {
        let mut text = String::new();
        let mut empty = 0;
        for cell in cells.iter().map(own).chain([Some(' ')]) {
            let cell = cell?;
            if cell == '1' {
                empty += 1;
                continue;
            }
            if empty > 0 {
                text += &empty.to_string();
                empty = 0;
            }
            text.push(cell);
        }
        Some(text.trim_end().to_owned())
    };
    let rows: Option<Vec<String>> = cells.chunks(side).map(row).collect();
    Some(format!("{} {}", rows?.join("/"), own(mover).filter(|mark| *mark != '1')?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::referee::Referee;

    #[test]
    fn boards_are_written_and_read_back() {
        let mut referee = Referee::new("othello").unwrap();
        for mv in ["d3", "c3", "c4"] {
            referee.play(mv).unwrap();
            assert_eq!(own_board(&board(&referee.picture())).as_deref(), Some(referee.board().as_str()));
        }
        for wrong in ["", "8", "8 *", "8 -------- x", "9 ---", "0 *"] {
            assert_eq!(own_board(wrong), None, "{wrong}");
        }
    }
}
