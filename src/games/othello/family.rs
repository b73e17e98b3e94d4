//! The Othello family: its descriptor. Layer 2.

use super::game;
use crate::game::TextError;
use crate::game::family::{
    Asked, BenchPosition, Descriptor, Entry, Family, Name, OpeningBook, Sample, Variant, Visitor,
};
use crate::tablebase::Tabled;

/// The family.
#[derive(Debug, Clone, Copy)]
pub struct Othello;

const NAME: &str = "othello";

const fn bench(board: &'static str, depth: u32) -> BenchPosition {
    BenchPosition { game: NAME, board, depth }
}

impl Family for Othello {
    const DESCRIPTOR: Descriptor = Descriptor {
        names: &[Name { form: NAME, note: "" }],
        also_called: &[("reversi", NAME), ("réversi", NAME)],
        clear_lead: |_| 1500,
        board: "8/8/8/3ox3/3xo3/8/8/8 x",
        moves: "`d3`; `0000` passes",
        variants: &[Variant { name: NAME, restyled: false }],
        bench: &[
            bench("", 9),
            bench("8/8/2xx4/2ooooo1/2oooo2/2x1oox1/3x2o1/4x3 x", 7),
            bench("1ox1oox1/1ox1oxx1/2oxxxx1/1ooooxx1/1xooxxx1/3oxxx1/3xx1ox/2oooo1o x", 7),
            bench("oo1oooxx/xoxooox1/1xooooxx/1xxxooxx/1xxxooxx/oxxxxxx1/o1xxxxxo/o1xxxxx1 o", 20),
        ],
        books: &[OpeningBook { game: NAME, text: include_str!("book.txt") }],
        records: |_| "ggf",
        menu: &[Entry {
            key: "othello",
            title: "Othello",
            name: NAME,
            fields: &[],
            example: (NAME, "8/8/3x4/2xxoo2/2xoox2/3ox3/8/8 x"),
        }],
        samples: &[Sample { game: NAME, games: 40, depth: 3 }],
        ..Descriptor::new("othello", "Othello")
    };

    fn open<V: Visitor>(asked: &Asked<'_>, visitor: V) -> Result<V::Output, TextError> {
        asked.without_parameters()?;
        Ok(visitor.visit(game()))
    }
}

impl Tabled for Othello {}
