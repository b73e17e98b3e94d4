//! Names of games, board texts and move texts: `GAME\nBOARD\nMOVE MOVE ...`. A text that is read is written so that it
//! reads back the same, every legal move survives writing and reading, and every move that is read is legal.

#![no_main]

use griot::game::{Evaluate, Game, Notation, Position, Probe};
use griot::protocol::draw;
use griot::registry::{Visitor, with_game};
use libfuzzer_sys::fuzz_target;

struct Play<'t> {
    board: &'t str,
    moves: &'t str,
}

impl Visitor for Play<'_> {
    type Output = ();

    fn visit<N, E, T>(self, game: Game<N, E, T>)
    where
        N: Notation,
        E: Evaluate<N::Position>,
        T: Probe<N::Position>,
    {
        let notation = game.notation;
        let mut position = match self.board {
            "startpos" => notation.start(),
            board => match notation.parse_position(board) {
                Ok(position) => position,
                Err(error) => {
                    assert!(!error.to_string().chars().any(char::is_control), "{error}");
                    return;
                }
            },
        };
        check(&notation, &position);
        for (_, text) in notation.split_moves(self.moves).into_iter().take(60) {
            let Ok(mv) = notation.parse_move(&position, text) else { return };
            let mut legal = Vec::new();
            position.generate(&mut legal);
            assert!(legal.contains(&mv), "{text} is read, but is not legal");
            position.play(mv);
            check(&notation, &position);
            let _ = game.evaluate.evaluate(&position);
        }
    }
}

fn check<N: Notation>(notation: &N, position: &N::Position) {
    let text = notation.position_text(position);
    assert!(!text.chars().any(char::is_control), "{text:?}");
    let again = notation.parse_position(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
    assert_eq!(&again, position, "{text}");
    let picture = notation.picture(position);
    assert!(!draw(&picture).is_empty(), "{text}");
    let mut legal = Vec::new();
    position.generate(&mut legal);
    assert_eq!(legal.is_empty(), position.outcome().is_some(), "{text}");
    for mv in legal {
        let name = notation.move_text(position, mv);
        let read = notation.parse_move(position, &name).unwrap_or_else(|error| panic!("{text} {name}: {error}"));
        assert_eq!(read, mv, "{text} {name}");
    }
}

fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    let mut lines = text.splitn(3, '\n');
    let mut line = || lines.next().unwrap_or_default();
    let (game, board, moves) = (line(), line(), line());
    if let Err(problem) = with_game(game, Play { board, moves }) {
        assert!(!problem.text.chars().any(char::is_control), "{problem:?}");
    }
});
