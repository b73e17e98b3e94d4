//! The Nim family: its parameters and descriptor. Layer 2.

use super::{Parameters, game};
use crate::game::TextError;
use crate::game::family::{
    Asked, BenchPosition, Choice, Descriptor, Entry, Family, Field, Input, Name, Sample, Visitor,
};
use crate::tablebase::Tabled;

/// The family.
#[derive(Debug, Clone, Copy)]
pub struct Nim;

const fn take(value: &'static str) -> Choice {
    Choice { value, key: value, title: value }
}

impl Family for Nim {
    const DESCRIPTOR: Descriptor = Descriptor {
        names: &[
            Name { form: "nim", note: "21 matches, take 1 to 3, the last one loses" },
            Name { form: "nim:HEAP-HEAP,take=N|any,normal|misere", note: "as `nim:7`, `nim:3-4-5,take=any,normal`" },
        ],
        also_called: &[
            ("allumettes", "nim"),
            ("jeu-de-nim", "nim"),
            ("matches", "nim"),
            ("marienbad", "nim:1-3-5-7,take=any,misere"),
        ],
        clear_lead: |_| 100,
        board: "3-4-5 1",
        moves: "`b2`: two from heap b",
        bench: &[
            BenchPosition { game: "nim", board: "", depth: 8 },
            BenchPosition { game: "nim:3-4-5,take=any", board: "", depth: 8 },
        ],
        menu: &[Entry {
            key: "nim",
            title: "Nim",
            name: "nim:{heaps},take={take_most},{goal}",
            example: ("nim:1-3-5-2", "1-3-5-2 1"),
            fields: &[
                Field {
                    key: "heaps",
                    title: "Heaps",
                    input: Input::Text {
                        default: "21",
                        pattern: "[0-9]+(-[0-9]+)*",
                        hint: "Numbers with hyphens between them, like 3-4-5",
                    },
                },
                Field {
                    key: "take_most",
                    title: "Take at most",
                    input: Input::Choice {
                        default: "3",
                        choices: &[
                            take("1"),
                            take("2"),
                            take("3"),
                            take("4"),
                            take("5"),
                            take("6"),
                            take("7"),
                            take("8"),
                            take("9"),
                            Choice { value: "any", key: "any", title: "any number" },
                        ],
                    },
                },
                Field {
                    key: "goal",
                    title: "Goal",
                    input: Input::Choice {
                        default: "misere",
                        choices: &[
                            Choice { value: "misere", key: "last_loses", title: "The last match loses" },
                            Choice { value: "normal", key: "last_wins", title: "The last match wins" },
                        ],
                    },
                },
            ],
        }],
        samples: &[
            Sample { game: "nim", games: 30, depth: 9 },
            Sample { game: "nim:7", games: 30, depth: 9 },
            Sample { game: "nim:3-4-5,take=any,normal", games: 30, depth: 9 },
            Sample { game: "nim:30-2-9-1,take=4", games: 20, depth: 4 },
            Sample { game: "nim:0", games: 1, depth: 0 },
        ],
        ..Descriptor::new("nim", "Nim")
    };

    fn open<V: Visitor>(asked: &Asked<'_>, visitor: V) -> Result<V::Output, TextError> {
        let parameters = Parameters::parse(asked.parameters.unwrap_or_default())?;
        Ok(visitor.visit(game(parameters)))
    }
}

impl Tabled for Nim {}
