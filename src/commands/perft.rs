//! `griot perft`: how many lines of play there are. Layer 6.

use std::io::Write;

use griot::message::Go;
use griot::registry::DEFAULT_GAME;

use super::progress::{rate, time};
use super::{Failure, open, search};
use crate::cli::{self, Cli};

pub(super) fn run(cli: &Cli, args: &cli::Perft, out: &mut dyn Write) -> Result<(), Failure> {
    let game = [&args.name, &args.game, &cli.game].into_iter().find_map(Option::as_deref).unwrap_or(DEFAULT_GAME);
    let mut session = open(cli, game, args.fen.as_deref())?;
    let answer = search(&mut *session, &Go { perft: Some(args.depth), ..Go::default() })?;
    if args.divide {
        for (mv, lines) in &answer.counts {
            writeln!(out, "{mv} {lines}")?;
        }
    }
    let info = answer.info.unwrap_or_default();
    writeln!(out, "nodes {} in {}, {}", info.nodes, time(info.time), rate(info.nps as f64))?;
    Ok(())
}
