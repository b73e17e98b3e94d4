//! `griot bench`: the signature of the search. Floor 6.
//!
//! Fixed positions of every game, searched to fixed depths from an empty table on one thread. The sum of nodes and the hash of
//! moves and scores change exactly when the search does; `tests/signature.txt` holds them.

use std::io::Write;
use std::time::Instant;

use griot::game::mix64;
use griot::message::Go;

use super::{Failure, open, score_text, search};
use crate::cli::{self, Cli};

/// Game, board text (nothing: the start position), depth in plies.
const POSITIONS: &[(&str, &str, u32)] = &[
    ("awale", "", 12),
    ("awale", "1-0-2-9-1-8-0-7-2-1-6-3-4-4-S", 12),
    ("awale", "0-1-0-3-0-2-1-0-2-0-0-1-20-18-N", 16),
    ("awale:awari", "0-12-1-0-3-1-2-0-1-2-1-1-12-12-S", 12),
    ("awale:tipe", "5-5-0-0-5-5-4-4-4-4-4-4-2-2-S", 11),
    ("awale:mini", "", 16),
    ("tictactoe", "", 9),
    ("mnk:4,4,4", "4/1x2/2o1/4 x", 10),
    ("mnk:7,7,5", "", 4),
    ("gomoku", "15/15/15/15/15/15/7x7/6ox7/7o7/15/15/15/15/15/15 x", 3),
    ("gomokufreestyle", "15/15/15/15/15/6oxo6/7x7/7x7/15/15/15/15/15/15/15 o", 3),
    ("connect4", "", 11),
    ("connect4", "7/7/3o3/3x3/2xo3/1oxxo2 x", 13),
    ("connect4", "2o4/2x4/2xox2/o1oxo2/x1xox2/xooxo1x o", 40),
    ("connect4:6,5,4", "", 12),
    ("othello", "", 9),
    ("othello", "8/8/2xx4/2ooooo1/2oooo2/2x1oox1/3x2o1/4x3 x", 7),
    ("othello", "1ox1oox1/1ox1oxx1/2oxxxx1/1ooooxx1/1xooxxx1/3oxxx1/3xx1ox/2oooo1o x", 7),
    ("othello", "oo1oooxx/xoxooox1/1xooooxx/1xxxooxx/1xxxooxx/oxxxxxx1/o1xxxxxo/o1xxxxx1 o", 20),
    ("nim", "", 8),
    ("nim:3-4-5,take=any", "", 8),
];

pub(super) fn run(cli: &Cli, args: &cli::Bench, out: &mut dyn Write) -> Result<(), Failure> {
    let start = Instant::now();
    let mut nodes = 0;
    let mut signature = 0;
    for &(game, board, depth) in POSITIONS {
        let depth = args.depth.unwrap_or(depth);
        let mut session = open(cli, game, Some(board).filter(|board| !board.is_empty()))?;
        let answer = search(&mut *session, &Go { depth: Some(depth), ..Go::default() })?;
        let info = answer.info.unwrap_or_default();
        let (best, score) = (answer.best.unwrap_or_default(), score_text(&info));
        nodes += info.nodes;
        for byte in format!("{best} {score};").bytes() {
            signature = mix64(signature ^ u64::from(byte));
        }
        writeln!(out, "{game:<20} depth {depth:>2} nodes {:>9} best {best:<4} score {score}", info.nodes)?;
        out.flush()?;
    }
    let nps = nodes as f64 / start.elapsed().as_secs_f64();
    writeln!(out, "{nodes} nodes {nps:.0} nps")?;
    writeln!(out, "Bench: {nodes} {signature:016x}")?;
    Ok(())
}
