//! Hints for processor, system and allocator: prefetching, large pages, heaps.
//!
//! Layer 0. One of the three modules with `unsafe`.
#![allow(unsafe_code)]

/// Size of a large page in bytes, where there are any.
const LARGE_PAGE: usize = 2 << 20;

/// Lets all threads of the process allocate from two heaps. Call it before any other thread runs.
///
/// The C library of GNU sets 64 MiB of addresses aside for each thread that allocates, up to eight heaps a core. Under a limit of
/// addresses (`ulimit -v`) nothing is left for a search then. griot's threads allocate little while they search.
pub fn share_heaps() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    // SAFETY: the call takes no memory of ours, and no other thread allocates yet.
    unsafe {
        libc::mallopt(libc::M_ARENA_MAX, 2);
    }
}

/// Prefetches the cache line of `place`, where the processor can.
///
/// Prefetching a batch of boards makes building a tablebase 1.45 times as fast (abapa to 15 seeds, one thread).
#[inline]
pub(crate) fn prefetch<T: ?Sized>(place: &T) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: a prefetch changes nothing that a program can see, whatever the address; this one is that of a live reference.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(place).cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = place;
}

/// Advises the system to use large pages for `items`, not yet touched, where it has any: this saves TLB misses.
pub(crate) fn ask_for_large_pages<T>(items: &[T]) {
    #[cfg(target_os = "linux")]
    {
        let bytes = size_of_val(items);
        let start = items.as_ptr().cast::<u8>();
        let before = start.align_offset(LARGE_PAGE);
        let whole = bytes.saturating_sub(before) / LARGE_PAGE * LARGE_PAGE;
        if whole > 0 {
            let start = start.wrapping_add(before).cast_mut().cast();
            // SAFETY: these whole pages are of a live allocation, and the advice changes nothing that a program can see.
            let asked = unsafe { rustix::mm::madvise(start, whole, rustix::mm::Advice::LinuxHugepage) };
            // A system that has none goes on with small ones.
            asked.unwrap_or_default();
        }
    }
    #[cfg(not(target_os = "linux"))]
    let _ = (items, LARGE_PAGE);
}
