//! The m,n,k family: its names and descriptor. Layer 2.

use super::{MAX_SIDE, Style, game, parse_parameters};
use crate::game::TextError;
use crate::game::family::{
    Asked, BenchPosition, Choice, Descriptor, Entry, Family, Field, Input, Name, Sample, Variant, Visitor,
};
use crate::message::FiveRule;
use crate::tablebase::Tabled;

/// The family.
#[derive(Debug, Clone, Copy)]
pub struct Mnk;

/// The name of the game in which five in a row win by this rule.
fn five_in_a_row(cols: u64, rows: u64, rule: FiveRule) -> Option<String> {
    let fits = |side| (5..=u64::from(MAX_SIDE)).contains(&side);
    let rule = match rule {
        FiveRule::OrMore => "",
        FiveRule::Exactly => ",exact",
        FiveRule::Renju => ",renju",
    };
    (fits(cols) && fits(rows)).then(|| format!("mnk:{cols},{rows},5{rule}"))
}

const fn side(key: &'static str, title: &'static str, default: u32) -> Field {
    Field { key, title, input: Input::Number { default, min: 1, max: MAX_SIDE as u32 } }
}

impl Family for Mnk {
    const DESCRIPTOR: Descriptor = Descriptor {
        names: &[
            Name { form: "tictactoe", note: "= `morpion:3`" },
            Name { form: "morpion:M", note: "M in a row on M×M" },
            Name {
                form: "mnk:COLS,ROWS,K",
                note: "up to 22×22; with `,exact` behind it longer lines do not win; `mnk:COLS,ROWS,5,renju`",
            },
            Name { form: "gomoku", note: "exactly five" },
            Name { form: "gomokufreestyle", note: "five or more" },
            Name { form: "renju", note: "with the forbidden moves of black" },
        ],
        also_called: &[
            ("morpion", "tictactoe"),
            ("tic-tac-toe", "tictactoe"),
            ("noughts-and-crosses", "tictactoe"),
            ("gobang", "gomokufreestyle"),
            ("five-in-a-row", "gomoku"),
            ("cinq-en-ligne", "gomoku"),
        ],
        clear_lead: |name| if name.starts_with("gomoku") || name == "renju" { 800 } else { 600 },
        row: |name| parse_parameters(name).ok().map(|parameters| parameters.k.into()),
        board: "3/1x1/3 o",
        moves: "`b2`",
        // Named and written as in Cute Chess.
        variants: &[
            Variant { name: "tictactoe", restyled: true },
            Variant { name: "gomoku", restyled: true },
            Variant { name: "gomokufreestyle", restyled: true },
        ],
        bench: &[
            BenchPosition { game: "tictactoe", board: "", depth: 9 },
            BenchPosition { game: "mnk:4,4,4", board: "4/1x2/2o1/4 x", depth: 10 },
            BenchPosition { game: "mnk:7,7,5", board: "", depth: 4 },
            BenchPosition { game: "gomoku", board: "15/15/15/15/15/15/7x7/6ox7/7o7/15/15/15/15/15/15 x", depth: 3 },
            BenchPosition {
                game: "gomokufreestyle",
                board: "15/15/15/15/15/6oxo6/7x7/7x7/15/15/15/15/15/15/15 o",
                depth: 3,
            },
        ],
        records: |name| if name == "tictactoe" { "pgn" } else { "sgf" },
        menu: &[
            Entry {
                key: "tictactoe",
                title: "Tic-tac-toe",
                name: "tictactoe",
                fields: &[],
                example: ("tictactoe", "2o/1x1/3 x"),
            },
            Entry {
                key: "gomoku",
                title: "Gomoku",
                name: "{rule}",
                example: ("gomoku", "15/15/15/15/15/15/6x8/6oxo6/6x8/15/15/15/15/15/15 o"),
                fields: &[Field {
                    key: "rule",
                    title: "Rules",
                    input: Input::Choice {
                        default: "gomoku",
                        choices: &[
                            Choice { value: "gomoku", key: "five_exact", title: "exactly five" },
                            Choice { value: "gomokufreestyle", key: "five_free", title: "five or more" },
                            Choice { value: "renju", key: "renju", title: "renju" },
                        ],
                    },
                }],
            },
            Entry {
                key: "mnk",
                title: "K in a row",
                name: "mnk:{columns},{rows},{in_a_row}{exact}",
                example: ("mnk:4,4,4", "3x/1ox1/1xo1/4 o"),
                fields: &[
                    side("columns", "Columns", 7),
                    side("rows", "Rows", 7),
                    side("in_a_row", "In a row", 5),
                    Field { key: "exact", title: "Exactly so many", input: Input::Tick { value: ",exact" } },
                ],
            },
        ],
        samples: &[
            Sample { game: "tictactoe", games: 60, depth: 9 },
            Sample { game: "mnk:4,4,4", games: 20, depth: 4 },
            Sample { game: "mnk:4,3,3", games: 40, depth: 6 },
            Sample { game: "mnk:9,2,3,exact", games: 20, depth: 3 },
            Sample { game: "morpion:5", games: 10, depth: 3 },
            Sample { game: "mnk:7,7,5", games: 4, depth: 2 },
            Sample { game: "gomoku", games: 1, depth: 2 },
            Sample { game: "gomokufreestyle", games: 1, depth: 2 },
            Sample { game: "mnk:7,7,5,renju", games: 4, depth: 2 },
            Sample { game: "renju", games: 1, depth: 0 },
            // Boards that just fit or just exceed a number of words, and the smallest and the largest board.
            Sample { game: "mnk:8,7,4", games: 4, depth: 0 },
            Sample { game: "mnk:12,10,6", games: 2, depth: 0 },
            Sample { game: "mnk:22,22,6", games: 1, depth: 0 },
            Sample { game: "mnk:1,1,1", games: 2, depth: 0 },
        ],
        five_in_a_row: Some(five_in_a_row),
        ..Descriptor::new("mnk", "m,n,k games")
    };

    fn open<V: Visitor>(asked: &Asked<'_>, visitor: V) -> Result<V::Output, TextError> {
        if Self::DESCRIPTOR.names.iter().any(|name| name.form == asked.word) {
            asked.without_parameters()?;
        }
        let parameters = parse_parameters(asked.name)?;
        let name = parameters.to_string();
        let style = if asked.as_variant { Style::Drops } else { Style::Coordinates };
        Ok(match parameters.words() {
            1 => visitor.visit(game::<1>(name, parameters, style)),
            2 => visitor.visit(game::<2>(name, parameters, style)),
            4 => visitor.visit(game::<4>(name, parameters, style)),
            _ => visitor.visit(game::<8>(name, parameters, style)),
        })
    }
}

impl Tabled for Mnk {}
