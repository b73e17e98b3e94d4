//! What the system and the processor are told about memory: files as slices, and what will be read soon.
//!
//! Floor 1. The only `unsafe` of the crate. Tables are gigabytes, of which a search touches a small part, so they are mapped
//! and not read. Building follows moves back to places all over the memory of a layer: asking for a batch of them before
//! the first is waited for made it 1.45 times as fast (abapa to 15 seeds, one thread).
#![allow(unsafe_code)]

use std::fs::File;
use std::io;
use std::sync::atomic::AtomicU32;

use memmap2::{Advice, Mmap};

/// Maps `file`, for reading at random places.
pub(super) fn map(file: &File) -> io::Result<Mmap> {
    // SAFETY: the mapping is read-only and private to this handle. What could break it is a change of the file under it.
    // Griot never changes a table that has its final name: it writes another file and renames it, which leaves the mapped
    // one as it is until it is unmapped. The bytes are plain numbers, any of which is valid, so a foreign program that
    // overwrites them spoils answers, not memory; one that cuts the file short ends this process with a bus error.
    let map = unsafe { Mmap::map(file) }?;
    // Reading ahead would fetch what nobody asks for. Where the system knows no advice, nothing is lost.
    #[cfg(unix)]
    let _ = map.advise(Advice::Random);
    Ok(map)
}

/// Asks the processor to fetch the cache line of `place`, where it can be asked.
#[inline]
pub(super) fn prefetch(place: &AtomicU32) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: a prefetch changes nothing that a program can see, whatever the address; this one is that of a live reference.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(place).cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = place;
}
