//! The chess family: its descriptor. Layer 2.

use super::{USUAL, chess960, game};
use crate::game::TextError;
use crate::game::family::{
    Asked, BenchPosition, Descriptor, Entry, Family, Field, Input, LevelScale, Name, Sample, Variant, Visitor,
};
use crate::spelling::quoted;
use crate::tablebase::Tabled;

/// The family.
#[derive(Debug, Clone, Copy)]
pub struct Chess;

const NAME: &str = "chess";
const NAME_960: &str = "chess960";
/// Chess, as Cute Chess calls it.
const STANDARD: &str = "standard";

/// The number of the last start position of Chess960.
const LAST: u32 = 959;

/// Measured in matches against Stockfish 15.1 at its `UCI_Elo` (docs/levels.md). Level 0 is 240 below level 2 by
/// convention; the odd levels but 19 are halfway between their neighbours.
const LEVELS: LevelScale = LevelScale {
    elo: [
        850, 970, 1090, 1180, 1270, 1365, 1460, 1585, 1710, 1775, 1840, 1865, 1890, 1910, 1930, 1960, 1990, 2005, 2020,
        2170, 2260,
    ],
    selective_from: 8,
};

const fn bench(board: &'static str, depth: u32) -> BenchPosition {
    BenchPosition { game: NAME, board, depth }
}

impl Family for Chess {
    const DESCRIPTOR: Descriptor = Descriptor {
        names: &[
            Name { form: NAME, note: "" },
            Name { form: NAME_960, note: "castling is written as the king that takes its rook" },
            Name { form: "chess960:NUMBER", note: "from one of the 960 start positions, 0 to 959" },
        ],
        also_called: &[
            ("échecs", NAME),
            ("echecs", NAME),
            ("fischerandom", NAME_960),
            ("échecs960", NAME_960),
            ("echecs960", NAME_960),
        ],
        clear_lead: |_| 300,
        board: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        moves: "`e2e4`, `e1g1`, `e7e8q`; SAN is read, too",
        variants: &[
            Variant { name: NAME, restyled: false },
            Variant { name: STANDARD, restyled: false },
            Variant { name: NAME_960, restyled: false },
        ],
        levels: LEVELS,
        bench: &[
            bench("", 9),
            bench("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 7),
            bench("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 11),
            bench("r1bq1rk1/pp2bppp/2n2n2/3p4/3N4/2N1B1P1/PP2PPBP/R2Q1RK1 w - - 4 10", 8),
        ],
        menu: &[
            Entry {
                key: "chess",
                title: "Chess",
                name: NAME,
                fields: &[],
                example: (NAME, "4k3/8/8/4p3/3N4/8/8/4K3 w - - 0 1"),
            },
            Entry {
                key: "chess960",
                title: "Chess960",
                name: "chess960:{number}",
                example: (NAME, "6k1/8/8/3b4/4Q3/8/8/4K3 w - - 0 1"),
                fields: &[Field {
                    key: "number",
                    title: "start position",
                    input: Input::Number { default: USUAL, min: 0, max: LAST },
                }],
            },
        ],
        samples: &[
            Sample { game: NAME, games: 3, depth: 2 },
            Sample { game: NAME_960, games: 1, depth: 0 },
            Sample { game: "chess960:0", games: 2, depth: 0 },
        ],
        chess960: Some(|name, on| match (name, on) {
            (NAME, true) => Some(NAME_960),
            (NAME_960, false) => Some(NAME),
            _ => None,
        }),
        ..Descriptor::new("chess", "Chess")
    };

    fn open<V: Visitor>(asked: &Asked<'_>, visitor: V) -> Result<V::Output, TextError> {
        if asked.word == NAME || asked.word == STANDARD {
            asked.without_parameters()?;
            return Ok(visitor.visit(game()));
        }
        let Some(text) = asked.parameters else { return Ok(visitor.visit(chess960(USUAL))) };
        let is_plain = text.bytes().all(|byte| byte.is_ascii_digit()) && (text == "0" || !text.starts_with('0'));
        let number = text.parse().ok().filter(|&number| is_plain && number <= LAST).ok_or_else(|| {
            TextError::new(asked.word.len() + 1, "start position", "a number from 0 to 959", quoted(text))
        })?;
        Ok(visitor.visit(chess960(number)))
    }
}

impl Tabled for Chess {}
