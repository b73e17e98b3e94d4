//! The file of the option `Log File`: which files are accepted. Layer 5, engine thread.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use crate::files;

/// Opens a log for appending: a new file, an empty one, or an existing log of griot. Several engines may write to one
/// file; their lines stay whole.
///
/// # Errors
/// If it is another kind of file, a stream of this process, or the system refuses.
pub(super) fn open(path: &Path) -> io::Result<File> {
    let file = files::append(path)?;
    if let Some(stream) = files::own_stream(&file) {
        // The log would be read as commands, or be sent to the client.
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
