//! `griot perft`: how many lines of play there are. Floor 6.

use std::io::Write;

use griot::message::Go;

use super::{Failure, open, search};
use crate::cli::{self, Cli};

pub(super) fn run(cli: &Cli, args: &cli::Perft, out: &mut dyn Write) -> Result<(), Failure> {
    let mut session = open(cli, &args.name, args.fen.as_deref())?;
    let answer = search(&mut *session, &Go { perft: Some(args.depth), ..Go::default() })?;
    if args.divide {
        for (mv, lines) in &answer.counts {
            writeln!(out, "{mv} {lines}")?;
        }
    }
    let info = answer.info.unwrap_or_default();
    writeln!(out, "nodes {} time {} ms nps {}", info.nodes, info.time.as_millis(), info.nps)?;
    Ok(())
}
