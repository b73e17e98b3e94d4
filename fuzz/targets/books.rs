//! Opening books: a text is a book or is refused, and a book's moves are legal. A checksum line is corrected first, so
//! that the rest is reached, unless the first byte says otherwise.

#![no_main]

use griot::book::{Book, game_of};
use griot::game::{Evaluate, Game, Notation, Position, Probe};
use griot::registry::{Visitor, with_game};
use libfuzzer_sys::fuzz_target;

struct Read<'t> {
    text: &'t str,
}

impl Visitor for Read<'_> {
    type Output = ();

    fn visit<N, E, T>(self, game: Game<N, E, T>)
    where
        N: Notation,
        E: Evaluate<N::Position>,
        T: Probe<N::Position>,
    {
        let book = match Book::parse(self.text, &game.name, &game.notation) {
            Ok(book) => book,
            Err(problem) => {
                assert!(!problem.text.chars().any(char::is_control), "{problem:?}");
                return;
            }
        };
        for line in book.lines() {
            let advice = book.find(&line.position).expect("a position of the book is found");
            let mut legal = Vec::new();
            line.position.generate(&mut legal);
            assert!(legal.contains(&advice.mv), "{advice:?}");
            let mut position = line.position.clone();
            for mv in book.follow(&line.position) {
                legal.clear();
                position.generate(&mut legal);
                assert!(legal.contains(&mv), "{mv:?}");
                position.play(mv);
            }
        }
    }
}

fuzz_target!(|bytes: &[u8]| {
    let Some((kind, bytes)) = bytes.split_first() else { return };
    let mut text = String::from_utf8_lossy(bytes).into_owned();
    if *kind != b'!'
        && let Some(at) = text.rfind("checksum ")
    {
        text.truncate(at);
        let lines: String = text.lines().flat_map(|line| [line, "\n"]).collect();
        text += &format!("checksum {:08x}\n", crc32fast::hash(lines.as_bytes()));
    }
    if let Ok(game) = game_of(&text) {
        let game = game.to_owned();
        // A game that does not exist is refused.
        let _ = with_game(&game, Read { text: &text });
    }
});
