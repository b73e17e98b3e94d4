//! The Connect Four family: its names and descriptor. Layer 2.

use super::{Board, Growing, MAX_COLS, MAX_PLIES, MAX_ROWS, Parameters, Standard, Style, game, parse_parameters};
use crate::game::TextError;
use crate::game::family::{
    Asked, BenchPosition, Descriptor, Entry, ExactBook, Family, Field, Input, Name, Sample, Variant, Visitor,
};
use crate::tablebase::Tabled;

/// The family.
#[derive(Debug, Clone, Copy)]
pub struct ConnectFour;

/// Its name in Cute Chess.
const CUTE_CHESS: &str = "cfour";

const fn number(key: &'static str, title: &'static str, default: u32, max: u8) -> Field {
    Field { key, title, input: Input::Number { default, min: 1, max: max as u32 } }
}

impl Family for ConnectFour {
    const DESCRIPTOR: Descriptor = Descriptor {
        names: &[
            Name { form: "connect4", note: "`cfour` for Cute Chess" },
            Name { form: "connect4:COLS,ROWS,K", note: "up to 64 bits" },
        ],
        also_called: &[
            ("puissance4", "connect4"),
            ("puissance-4", "connect4"),
            ("connect-four", "connect4"),
            ("four-in-a-row", "connect4"),
            ("quatre-en-ligne", "connect4"),
        ],
        clear_lead: |_| 250,
        // A win by following up, whose length is unknown, is worth as much.
        certain: Some(10_000),
        row: |name| parse_parameters(name).ok().map(|parameters| parameters.k.into()),
        board: "7/7/7/7/3o3/3x3 x",
        moves: "`d`",
        variants: &[Variant { name: CUTE_CHESS, restyled: true }],
        bench: &[
            BenchPosition { game: "connect4", board: "7/7/7/3x3/2xoo2/xooxx2 o", depth: 11 },
            BenchPosition { game: "connect4", board: "7/7/3o3/3x3/2xo3/1oxxo2 x", depth: 13 },
            BenchPosition { game: "connect4", board: "2o4/2x4/2xox2/o1oxo2/x1xox2/xooxo1x o", depth: 40 },
            BenchPosition { game: "connect4:6,5,4", board: "", depth: 12 },
        ],
        menu: &[Entry {
            key: "connect4",
            title: "Connect Four",
            name: "connect4:{columns},{rows},{in_a_row}",
            example: ("connect4", "7/7/7/3x3/2oxo2/1oxxox1 o"),
            fields: &[
                number("columns", "Columns", 7, MAX_COLS),
                number("rows", "Rows", 6, MAX_ROWS),
                number("in_a_row", "In a row", 4, MAX_ROWS),
            ],
        }],
        samples: &[
            Sample { game: "connect4", games: 40, depth: 5 },
            Sample { game: "connect4:5,4,3", games: 30, depth: 6 },
            Sample { game: "connect4:4,4,3", games: 30, depth: 9 },
            Sample { game: "connect4:8,7,5", games: 10, depth: 3 },
            Sample { game: "connect4:1,63,4", games: 1, depth: 0 },
            Sample { game: "connect4:26,1,3", games: 5, depth: 0 },
            Sample { game: "connect4:1,1,1", games: 1, depth: 0 },
        ],
        ..Descriptor::new("connect4", "Connect Four")
    };

    fn open<V: Visitor>(asked: &Asked<'_>, visitor: V) -> Result<V::Output, TextError> {
        if asked.word == CUTE_CHESS {
            asked.without_parameters()?;
        }
        let parameters = parse_parameters(asked.name)?;
        let style = if asked.as_variant { Style::Drops } else { Style::Coordinates };
        // The standard board, the most common one, has specialised code.
        Ok(if parameters == Parameters::STANDARD {
            visitor.visit(game(Standard, style))
        } else {
            visitor.visit(game(parameters, style))
        })
    }

    fn exact_book(asked: &Asked<'_>, plies: u32, bytes: usize) -> Option<Result<Box<dyn ExactBook>, String>> {
        fn grown<B: Board>(board: B, plies: u32, bytes: usize) -> Result<Box<dyn ExactBook>, String> {
            Ok(Box::new(Growing::new(board, plies, bytes).map_err(|error| error.to_string())?))
        }
        let parameters = parse_parameters(asked.name).ok()?;
        Some(match parameters {
            _ if plies > MAX_PLIES => Err(format!("--plies {plies}: expected at most {MAX_PLIES} for exact values")),
            Parameters::STANDARD => grown(Standard, plies, bytes),
            _ => grown(parameters, plies, bytes),
        })
    }
}

impl Tabled for ConnectFour {}
