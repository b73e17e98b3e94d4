//! `griot compare`: the algorithms of the course and the full search on one position. Layer 6.

use std::io::Write;

use griot::message::Go;
use griot::registry::DEFAULT_GAME;

use super::{Failure, open, score_text, search};
use crate::cli::{self, Cli};

/// From the one that visits most to the one that visits least.
const ALGORITHMS: [&str; 4] = ["minimax", "negamax", "negabeta", "alphabeta"];

pub(super) fn run(cli: &Cli, args: &cli::Compare, out: &mut dyn Write) -> Result<(), Failure> {
    let game = args.game.as_deref().or(cli.game.as_deref()).unwrap_or(DEFAULT_GAME);
    let mut most: Option<u64> = None;
    // What is wrong with the command line is said before the first line of the table.
    open(cli, game, args.fen.as_deref())?;
    writeln!(
        out,
        "{:<10} {:>10} {:>6} {:>14} {:>10} {:>12}",
        "algorithm", "value", "best", "nodes", "time ms", "nodes saved"
    )?;
    for algorithm in ALGORITHMS {
        let mut session = open(cli, game, args.fen.as_deref())?;
        session.set_option("Algorithm", Some(algorithm))?;
        let answer = search(&mut *session, &Go { depth: Some(args.depth), ..Go::default() })?;
        let info = answer.info.unwrap_or_default();
        let most = *most.get_or_insert(info.nodes.max(1));
        let saved = 100.0 * (1.0 - info.nodes as f64 / most as f64);
        writeln!(
            out,
            "{algorithm:<10} {:>10} {:>6} {:>14} {:>10.1} {saved:>11.2}%",
            score_text(&info),
            answer.best.unwrap_or_else(|| "-".into()),
            info.nodes,
            info.time.as_secs_f64() * 1000.0,
        )?;
        out.flush()?;
    }
    writeln!(
        out,
        "depth {}; alphabeta counts the nodes of all its iterations, the others those of the last",
        args.depth
    )?;
    Ok(())
}
