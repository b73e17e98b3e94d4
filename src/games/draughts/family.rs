//! The draughts family: its descriptor. Layer 2.

use super::rule_sets::{RULES, named};
use super::{Endings, EnglishLayers, Evaluate, Notation, game};
use crate::game::family::{
    Asked, BenchPosition, Choice, Descriptor, Entry, Family, Field, Input, Name, Sample, Visitor,
};
use crate::game::{Game, TextError};
use crate::spelling::quoted;
use crate::tablebase::{TableVisitor, Tabled};

/// The family.
#[derive(Debug, Clone, Copy)]
pub struct Draughts;

const INTERNATIONAL: &str = "draughts:international";
const ENGLISH: &str = "draughts:english";
const RUSSIAN: &str = "draughts:russian";

/// Names of their own, with their rule sets: in France `dames` is the international game.
const OTHER_NAMES: [(&str, u8); 2] = [("dames", 0), ("checkers", 1)];
const _: () = assert!(matches!(RULES[0].name.len(), 13) && matches!(RULES[1].name.len(), 7));

const fn choice(value: &'static str, title: &'static str) -> Choice {
    Choice { value, key: value, title }
}

const fn sample(game: &'static str, games: u32, depth: u32) -> Sample {
    Sample { game, games, depth }
}

/// The game of that rule set. Of the protocols that choose a variant, Hub alone has draughts.
fn written(kind: u8, in_hub: bool) -> Game<Notation, Evaluate, Endings> {
    let mut game = game(kind);
    game.notation.hub = in_hub;
    game
}

impl Family for Draughts {
    const DESCRIPTOR: Descriptor = Descriptor {
        names: &[
            Name { form: INTERNATIONAL, note: "ten by ten; so are `draughts` and `dames`" },
            Name { form: ENGLISH, note: "so is `checkers`; Black begins" },
            Name { form: RUSSIAN, note: "shashki" },
            Name { form: "draughts:brazilian", note: "the international rules on eight by eight" },
            Name { form: "draughts:pool", note: "" },
            Name { form: "draughts:italian", note: "" },
            Name { form: "draughts:frisian", note: "captures along rows and columns, too" },
            Name { form: "draughts:breakthrough", note: "the first king wins" },
            Name { form: "draughts:losing", note: "the player who cannot move wins" },
            Name { form: "draughts", note: "" },
            Name { form: "dames", note: "" },
            Name { form: "checkers", note: "" },
        ],
        also_called: &[
            ("dammen", INTERNATIONAL),
            ("jeu-de-dames", INTERNATIONAL),
            ("international-draughts", INTERNATIONAL),
            ("english-draughts", ENGLISH),
            ("dames-anglaises", ENGLISH),
            ("shashki", RUSSIAN),
            ("russian-draughts", RUSSIAN),
            ("dames-russes", RUSSIAN),
            ("dama", "draughts:italian"),
            ("pool-checkers", "draughts:pool"),
        ],
        board: "B:W18,24,K29:B11,K22",
        moves: "`32-28`, `26x17`; `26x17x8` by its stops",
        bench: &[
            BenchPosition { game: INTERNATIONAL, board: "", depth: 9 },
            BenchPosition {
                game: INTERNATIONAL,
                board: "W:W25,27,28,30,32,33,34,35,37,38:B3,8,12,13,14,16,19,23,24,26",
                depth: 9,
            },
            BenchPosition { game: ENGLISH, board: "", depth: 13 },
            BenchPosition { game: ENGLISH, board: "W:WK6,K10,21:BK18,K25,13", depth: 11 },
            BenchPosition { game: RUSSIAN, board: "", depth: 11 },
        ],
        with_tables: &[ENGLISH],
        menu: &[Entry {
            key: "draughts",
            title: "Draughts",
            name: "draughts:{rules}",
            example: ("draughts:international", "W:W28:B23"),
            fields: &[Field {
                key: "rules",
                title: "rules",
                input: Input::Choice {
                    default: "international",
                    choices: &[
                        choice("international", "international (10x10)"),
                        choice("english", "English (checkers)"),
                        choice("russian", "Russian"),
                        choice("brazilian", "Brazilian"),
                        choice("pool", "Pool"),
                        choice("italian", "Italian"),
                        choice("frisian", "Frisian"),
                        choice("breakthrough", "breakthrough"),
                        choice("losing", "losing"),
                    ],
                },
            }],
        }],
        samples: &[
            sample(INTERNATIONAL, 6, 3),
            sample(ENGLISH, 10, 4),
            sample(RUSSIAN, 8, 3),
            sample("draughts:brazilian", 4, 0),
            sample("draughts:pool", 4, 0),
            sample("draughts:italian", 4, 0),
            sample("draughts:frisian", 4, 3),
            sample("draughts:breakthrough", 4, 0),
            sample("draughts:losing", 4, 0),
        ],
        records: |_| "pdn",
        ..Descriptor::new("draughts", "Draughts")
    };

    fn open<V: Visitor>(asked: &Asked<'_>, visitor: V) -> Result<V::Output, TextError> {
        if let Some((_, rules)) = OTHER_NAMES.iter().find(|(word, _)| *word == asked.word) {
            asked.without_parameters()?;
            return Ok(visitor.visit(written(*rules, asked.as_variant)));
        }
        let name = asked.parameters.unwrap_or(RULES[0].name);
        let kind = named(name).ok_or_else(|| {
            let known: Vec<&str> = RULES.iter().map(|rules| rules.name).collect();
            TextError::new(asked.word.len() + 1, "rules", known.join(", "), quoted(name))
        })?;
        Ok(visitor.visit(written(kind, asked.as_variant)))
    }
}

impl Tabled for Draughts {
    fn open_tables<V: TableVisitor>(asked: &Asked<'_>, visitor: V) -> Option<V::Output> {
        let is_english = matches!(asked.name, ENGLISH | "checkers");
        is_english.then(|| visitor.visit(game(super::layers::ENGLISH).notation, EnglishLayers))
    }
}
