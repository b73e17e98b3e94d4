//! `griot completions` and `griot man`: what shells and manuals want to know of the command line. Floor 6.

use std::fs;
use std::io::Write;
use std::path::Path;

use clap::CommandFactory;
use clap_complete::Shell;
use griot::message::Problem;

use super::Failure;
use crate::cli::Cli;

const NAME: &str = "griot";

pub(super) fn completions(shell: Shell, out: &mut dyn Write) -> Result<(), Failure> {
    // Written whole: the generator takes a writer that fails for a mistake of its caller.
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), NAME, &mut script);
    Ok(out.write_all(&script)?)
}

pub(super) fn pages(folder: Option<&Path>, out: &mut dyn Write) -> Result<(), Failure> {
    match folder {
        None => Ok(clap_mangen::Man::new(Cli::command()).render(out)?),
        Some(folder) => {
            let written = fs::create_dir_all(folder).and_then(|()| clap_mangen::generate_to(Cli::command(), folder));
            written.map_err(|error| Problem::new(format!("{}: {error}", folder.display())).into())
        }
    }
}
