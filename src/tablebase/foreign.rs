//! Table files of other programs: whether they are what their names say. Layer 1.
//!
//! A crate that reads such files may trust them blindly, so they are checked before it sees them.

use std::fs;
use std::io::Read;
use std::path::Path;

use crate::files;

/// A kind of files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FileKind {
    /// The ending of their names, without the dot.
    pub ending: &'static str,
    /// Their first bytes.
    pub magic: [u8; 4],
    /// Their lengths, divided by the first number, leave the second one.
    pub length: [u64; 2],
}

/// The names without endings of the files of `kinds` in a folder, each with the place of its kind; other files are passed over.
///
/// # Errors
/// When the folder cannot be read, or a file is not what its name says; the problem begins with its path.
pub fn checked_files(folder: &Path, kinds: &[FileKind]) -> Result<Vec<(String, usize)>, String> {
    let told = |path: &Path, what: &dyn std::fmt::Display| format!("{}: {what}", path.display());
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).map_err(|error| told(folder, &error))? {
        let path = entry.map_err(|error| told(folder, &error))?.path();
        let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
        let Some((place, kind)) = kinds.iter().enumerate().find(|(_, kind)| kind.ending == ending) else { continue };
        let file = files::open(&path).map_err(|error| told(&path, &error))?;
        let length = file.metadata().map_err(|error| told(&path, &error))?.len();
        let mut begins = Vec::new();
        file.take(kind.magic.len() as u64).read_to_end(&mut begins).map_err(|error| told(&path, &error))?;
        if begins != kind.magic {
            return Err(told(&path, &"expected a table, found another file"));
        }
        let [divisor, rest] = kind.length;
        if length % divisor != rest {
            return Err(told(&path, &"the table is cut short"));
        }
        found.push((path.file_stem().and_then(|name| name.to_str()).unwrap_or_default().to_owned(), place));
    }
    Ok(found)
}
