//! `griot games` and `griot options`: what there is to choose from. Layer 6.

use std::io::Write;

use griot::registry::FAMILIES;

use super::Failure;
use crate::cli::options_help;

/// Names up to this length stand in a column of their own.
const COLUMN: usize = 22;

/// A line for each way to name a game: the name, what it is, and what the family says of it.
pub(super) fn games(out: &mut dyn Write) -> Result<(), Failure> {
    for family in FAMILIES {
        for name in family.names {
            // Notes are Markdown.
            let note = name.note.replace('`', "").replacen("= ", "the same as ", 1);
            let colon = if note.is_empty() { "" } else { ": " };
            writeln!(out, "{:<COLUMN$} {}{colon}{note}", name.form, family.title)?;
        }
    }
    Ok(())
}

/// A line for each option.
pub(super) fn options(out: &mut dyn Write) -> Result<(), Failure> {
    Ok(writeln!(out, "{}", options_help())?)
}
