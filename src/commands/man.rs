//! `griot completions` and `griot man`: what shells and manuals want to know of the command line. Layer 6.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::{Arg, CommandFactory, ValueHint};
use clap_complete::Shell;
use clap_mangen::Man;
use griot::files::Claim;
use griot::message::Problem;

use super::Failure;
use crate::cli::Cli;

const NAME: &str = "griot";

pub(super) fn completions(shell: Shell, out: &mut dyn Write) -> Result<(), Failure> {
    // Written whole: the generator takes a writer that fails for a mistake of its caller.
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut without_files(Cli::command()), NAME, &mut script);
    Ok(out.write_all(&script)?)
}

/// Tells shells which values are no files: all but those that are paths.
fn without_files(command: clap::Command) -> clap::Command {
    let hinted = |arg: Arg| match arg.get_value_hint() {
        ValueHint::Unknown if arg.get_action().takes_values() => arg.value_hint(ValueHint::Other),
        _ => arg,
    };
    command.mut_args(hinted).mut_subcommands(without_files)
}

/// How a page begins.
const PAGE: &str = ".ie";

pub(super) fn pages(folder: Option<&Path>, out: &mut dyn Write) -> Result<(), Failure> {
    let Some(folder) = folder else { return Ok(Man::new(Cli::command()).render(out)?) };
    let mut command = Cli::command().disable_help_subcommand(true);
    command.build();
    let written = fs::create_dir_all(folder).map_err(|error| (folder.to_owned(), error));
    let written = written.and_then(|()| write_pages(command, folder));
    written.map_err(|(path, error)| Problem::new(format!("{}: {error}", path.display())).into())
}

/// Writes the page of a command, and those of its subcommands.
fn write_pages(command: clap::Command, folder: &Path) -> Result<(), (PathBuf, io::Error)> {
    for subcommand in command.get_subcommands().filter(|subcommand| !subcommand.is_hide_set()).cloned() {
        write_pages(subcommand, folder)?;
    }
    let man = Man::new(command);
    let path = folder.join(man.get_filename());
    let write = || {
        let mut page = Vec::new();
        man.render(&mut page)?;
        let claim = Claim::of_file(&path)?;
        claim.expect(PAGE)?;
        claim.replace(|file| file.write_all(&page))
    };
    write().map_err(|error| (path.clone(), error))
}
