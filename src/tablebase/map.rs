//! A file as a slice of memory, read by the system page by page as it is looked at.
//!
//! Floor 1. The only `unsafe` of the crate: tables are gigabytes, of which a search touches a small part.
#![allow(unsafe_code)]

use std::fs::File;
use std::io;

use memmap2::{Advice, Mmap};

/// Maps `file`, for reading at random places.
pub(super) fn map(file: &File) -> io::Result<Mmap> {
    // SAFETY: the mapping is read-only and private to this handle. What could break it is a change of the file under it.
    // Griot never changes a table that has its final name: it writes another file and renames it, which leaves the mapped
    // one as it is until it is unmapped. The bytes are plain numbers, any of which is valid, so a foreign program that
    // overwrites them spoils answers, not memory; one that cuts the file short ends this process with a bus error, which
    // the documentation of the tables tells users.
    let map = unsafe { Mmap::map(file) }?;
    // Reading ahead would fetch what nobody asks for. Where the system knows no advice, nothing is lost.
    #[cfg(unix)]
    let _ = map.advise(Advice::Random);
    Ok(map)
}
