//! `griot bench`: the signature of the search. Layer 6.
//!
//! Fixed positions of every game, searched to fixed depths from an empty table on one thread. The sum of nodes and the hash of
//! moves and scores change exactly when the search does; `tests/signature.txt` holds them.

use std::io::Write;
use std::time::Instant;

use griot::game::family::BenchPosition;
use griot::game::mix64;
use griot::message::Go;
use griot::registry::{bench_positions, family_of};

use super::{Failure, open, score_text, search};
use crate::cli::{self, Cli};

pub(super) fn run(cli: &Cli, args: &cli::Bench, out: &mut dyn Write) -> Result<(), Failure> {
    let start = Instant::now();
    let mut nodes = 0;
    let mut signature = 0;
    let only = args.game.as_deref().or(cli.game.as_deref()).and_then(family_of);
    let is_asked =
        |game: &str| only.is_none_or(|family| family_of(game).is_some_and(|own| own.folder == family.folder));
    for &BenchPosition { game, board, depth } in bench_positions().filter(|position| is_asked(position.game)) {
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
