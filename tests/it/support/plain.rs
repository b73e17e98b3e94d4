//! What the tests share that hold a game against a second board, written as plainly as can be.

use griot::game::{Notation, Outcome, Position, SplitMix64};

/// A board as one would write it down: no code in common with the engine's, and no haste.
pub trait Plain: Clone {
    fn text(&self) -> String;
    fn outcome(&self) -> Option<Outcome>;
    /// The texts of all moves, in any order.
    fn moves(&self) -> Vec<String>;
    fn play(&mut self, mv: &str);

    fn after(&self, mv: &str) -> Self {
        let mut next = self.clone();
        next.play(mv);
        next
    }

    fn perft(&self, depth: u32) -> u64 {
        if depth == 0 { 1 } else { self.moves().iter().map(|mv| self.after(mv).perft(depth - 1)).sum() }
    }
}

/// Plays a random game on both boards, holds text, outcome and moves against each other at every ply, and lets `look` see the
/// position with its text and moves. Answers how the game ended: 0 and 1 for a winner, 2 for a draw.
pub fn compare<N: Notation, B: Plain>(
    notation: &N,
    mut plain: B,
    rng: &mut SplitMix64,
    mut look: impl FnMut(&N::Position, &str, &[String]),
) -> usize {
    let mut position = notation.start();
    loop {
        let text = plain.text();
        assert_eq!(notation.position_text(&position), text);
        assert_eq!(notation.parse_position(&text).as_ref(), Ok(&position), "{text}");
        assert_eq!(position.outcome(), plain.outcome(), "{text}");
        let mut moves = Vec::new();
        position.generate(&mut moves);
        let texts: Vec<String> = moves.iter().map(|&mv| notation.move_text(&position, mv)).collect();
        let (mut sorted, mut expected) = (texts.clone(), plain.moves());
        sorted.sort();
        expected.sort();
        assert_eq!(sorted, expected, "{text}");
        look(&position, &text, &texts);
        match position.outcome() {
            None => {}
            Some(Outcome::Win(side)) => return side.index(),
            Some(Outcome::Draw) => return 2,
        }
        let i = rng.below(moves.len());
        position.play(moves[i]);
        plain.play(&texts[i]);
    }
}

/// A line of a perft file.
pub struct PerftLine<'a> {
    pub game: &'a str,
    pub board: &'a str,
    /// Depths and lines of play.
    pub counts: Vec<(u32, u64)>,
}

/// The lines of a perft file: `game ; board ; D1 count ; D2 count ...`, and comments.
pub fn perft_lines(file: &str) -> impl Iterator<Item = PerftLine<'_>> {
    file.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty()).map(|line| {
        let fields: Vec<&str> = line.split(';').map(str::trim).collect();
        let [game, board, counts @ ..] = fields.as_slice() else { panic!("game ; board ; D1 count ...: {line}") };
        let count = |field: &&str| {
            let (depth, count) = field.strip_prefix('D').and_then(|rest| rest.split_once(' ')).expect(line);
            (depth.parse().expect(line), count.parse().expect(line))
        };
        PerftLine { game, board, counts: counts.iter().map(count).collect() }
    })
}
