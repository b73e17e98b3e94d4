//! The awalé family: its variants and descriptor. Layer 2.

use super::{Abapa, AwaleLayers, AwaleNotation, Awari, Mini, Tipe, Variant as _, game};
use crate::game::TextError;
use crate::game::family::{
    Asked, BenchPosition, Choice, Descriptor, Entry, Family, Field, Input, Name, OpeningBook, Sample, Variant, Visitor,
};
use crate::tablebase::{TableVisitor, Tabled};

/// The family.
#[derive(Debug, Clone, Copy)]
pub struct Awale;

/// The variant of a name.
enum Asks {
    Abapa,
    Awari,
    Tipe,
    Mini,
}

fn asks(asked: &Asked<'_>) -> Result<Asks, TextError> {
    match asked.parameters.unwrap_or_default() {
        "" | "abapa" => Ok(Asks::Abapa),
        "awari" => Ok(Asks::Awari),
        "tipe" => Ok(Asks::Tipe),
        "mini" => Ok(Asks::Mini),
        other => {
            let at = asked.word.len() + 1;
            Err(TextError::new(at, "variant", "abapa, awari, tipe or mini", format!("'{other}'")))
        }
    }
}

const fn bench(game: &'static str, board: &'static str, depth: u32) -> BenchPosition {
    BenchPosition { game, board, depth }
}

impl Family for Awale {
    const DESCRIPTOR: Descriptor = Descriptor {
        names: &[
            Name { form: Abapa::NAME, note: "= `awale:abapa`, tournament rules; the default" },
            Name { form: Awari::NAME, note: "the rules under which it was solved" },
            Name { form: Tipe::NAME, note: "a French exam text" },
            Name { form: Mini::NAME, note: "2×3" },
        ],
        also_called: &[
            ("awele", Abapa::NAME),
            ("awélé", Abapa::NAME),
            ("awalé", Abapa::NAME),
            ("oware", Abapa::NAME),
            ("wari", Abapa::NAME),
            ("ayo", Abapa::NAME),
            ("mancala", Abapa::NAME),
            ("abapa", Abapa::NAME),
            ("awari", Awari::NAME),
        ],
        clear_lead: |_| 900,
        board: "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S",
        moves: "`A`…`F` South, `a`…`f` North",
        variants: &[
            Variant { name: Abapa::NAME, restyled: false },
            Variant { name: Awari::NAME, restyled: false },
            Variant { name: Tipe::NAME, restyled: false },
            Variant { name: Mini::NAME, restyled: false },
        ],
        bench: &[
            bench(Abapa::NAME, "", 12),
            bench(Abapa::NAME, "1-0-2-9-1-8-0-7-2-1-6-3-4-4-S", 12),
            bench(Abapa::NAME, "0-1-0-3-0-2-1-0-2-0-0-1-20-18-N", 16),
            bench(Awari::NAME, "0-12-1-0-3-1-2-0-1-2-1-1-12-12-S", 12),
            bench(Tipe::NAME, "5-5-0-0-5-5-4-4-4-4-4-4-2-2-S", 11),
            bench(Mini::NAME, "", 16),
        ],
        with_tables: &[Abapa::NAME, Awari::NAME, Tipe::NAME, Mini::NAME],
        books: &[OpeningBook { game: Abapa::NAME, text: include_str!("book.txt") }],
        records: |_| "ogn",
        menu: &[Entry {
            key: "awale",
            title: "Awalé",
            name: "{variant}",
            example: ("awale", "5-0-4-1-3-2-4-6-0-5-3-2-7-6-S"),
            fields: &[Field {
                key: "variant",
                title: "Rules",
                input: Input::Choice {
                    default: Abapa::NAME,
                    choices: &[
                        Choice { value: Abapa::NAME, key: "abapa", title: "tournaments (abapa)" },
                        Choice { value: Awari::NAME, key: "awari", title: "as it was solved (awari)" },
                        Choice { value: Tipe::NAME, key: "tipe", title: "French exam (tipe)" },
                        Choice { value: Mini::NAME, key: "mini", title: "small board (mini)" },
                    ],
                },
            }],
        }],
        samples: &[
            Sample { game: Abapa::NAME, games: 30, depth: 4 },
            Sample { game: Awari::NAME, games: 30, depth: 4 },
            Sample { game: Tipe::NAME, games: 30, depth: 4 },
            Sample { game: Mini::NAME, games: 60, depth: 8 },
        ],
        ..Descriptor::new("awale", "awalé")
    };

    fn open<V: Visitor>(asked: &Asked<'_>, visitor: V) -> Result<V::Output, TextError> {
        Ok(match asks(asked)? {
            Asks::Abapa => visitor.visit(game::<Abapa>()),
            Asks::Awari => visitor.visit(game::<Awari>()),
            Asks::Tipe => visitor.visit(game::<Tipe>()),
            Asks::Mini => visitor.visit(game::<Mini>()),
        })
    }
}

impl Tabled for Awale {
    fn open_tables<V: TableVisitor>(asked: &Asked<'_>, visitor: V) -> Option<V::Output> {
        Some(match asks(asked).ok()? {
            Asks::Abapa => visitor.visit(AwaleNotation::<Abapa>::default(), AwaleLayers::<Abapa>::default()),
            Asks::Awari => visitor.visit(AwaleNotation::<Awari>::default(), AwaleLayers::<Awari>::default()),
            Asks::Tipe => visitor.visit(AwaleNotation::<Tipe>::default(), AwaleLayers::<Tipe>::default()),
            Asks::Mini => visitor.visit(AwaleNotation::<Mini>::default(), AwaleLayers::<Mini>::default()),
        })
    }
}
