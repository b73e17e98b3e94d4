//! The file of the option `Log File`: what may be one. Layer 5, on the engine's thread.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use crate::files;

/// Opens a log to be gone on with: a new file, an empty one, or one that griot began. Several engines may write into one: their
/// lines are whole.
///
/// # Errors
/// When it is something else, a stream of this process, or the system refuses.
pub(super) fn open(path: &Path) -> io::Result<File> {
    let file = files::append(path)?;
    if let Some(stream) = files::own_stream(&file) {
        // What is written would be read as commands, or be told to the client.
        return Err(io::Error::other(format!("expected a file of its own, found {stream}")));
    }
    let mut beginning = Vec::new();
    (&file).take(2).read_to_end(&mut beginning)?;
    match &*beginning {
        b"" | b"> " | b"< " => Ok(file),
        other => {
            let found = other.escape_ascii();
            Err(io::Error::other(format!("expected a log, or an empty file, found one that begins with '{found}'")))
        }
    }
}
