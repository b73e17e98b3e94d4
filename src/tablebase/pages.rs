//! The values of a file, read in pages on demand and cached.
//!
//! Layer 1; read through `&`, from any thread. A search touches a small part of gigabytes. Files are not mapped into memory,
//! since truncation by another program would end the process; here lost values are unknown. Beyond [`MOST_KEPT`] bytes each
//! value of a plain file is read by itself, and the blocks of a packed file that were read last are kept.
//!
//! ```text
//!  plain file   | header | page 0 | page 1 | ... | what is left |
//!  packed file  | header | list | block 0 | block 1 | ... |             a page is what a block is unpacked to (see `packed`)
//!  pages                   [ kept ] [  -   ]  ...  [ kept ]             a page is read once, on its first use
//! ```

use std::collections::VecDeque;
use std::fs::File;
use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use super::packed::{BLOCK, Blocks};

/// Bytes of a page of a plain file. Even, so that no entry crosses two pages. Large, so that the list of pages stays in
/// the nearest cache: lookups took 1.1 times as long with pages of 16 KiB.
const PAGE: usize = 256 << 10;
/// Bytes cached for all layers of a table: `awale` to 20 seeds takes 452 MB; keeping only the last blocks of packed layers is too
/// slow for a search that reads them all.
const MOST_KEPT: usize = 512 << 20;
/// Last blocks of a packed layer that are held when the cache is full.
const MOST_HELD: usize = 32;

/// The cache budget of all layers of a table.
#[derive(Debug, Clone)]
pub(super) struct Budget {
    used: Arc<AtomicUsize>,
    most: usize,
}

impl Default for Budget {
    fn default() -> Budget {
        Budget { used: Arc::default(), most: MOST_KEPT }
    }
}

impl Budget {
    /// Reserves bytes, if they are left.
    fn take(&self, bytes: usize) -> bool {
        let taken = self.used.fetch_add(bytes, Ordering::Relaxed) + bytes <= self.most;
        if !taken {
            self.used.fetch_sub(bytes, Ordering::Relaxed);
        }
        taken
    }
}

/// The values of a file.
#[derive(Debug)]
pub(super) struct Pages {
    source: Source,
    length: u64,
    /// Bytes of a page: a power of two.
    page: usize,
    kept: Box<[OnceLock<Box<[u8]>>]>,
    budget: Budget,
}

/// The location of the values.
#[derive(Debug)]
enum Source {
    /// In a plain file, from an offset on.
    Plain { file: File, start: u64 },
    /// In blocks. The last ones read, with their numbers, are held when the cache is full.
    Packed { blocks: Blocks, held: Mutex<VecDeque<(usize, Box<[u8]>)>> },
}

impl Pages {
    /// `length` bytes of the file, from `start` on. Nothing is read.
    pub(super) fn plain(file: File, start: u64, length: u64, budget: Budget) -> Pages {
        Pages::new(Source::Plain { file, start }, length, PAGE, budget)
    }

    /// The values of these blocks. Nothing is read.
    pub(super) fn packed(blocks: Blocks, budget: Budget) -> Pages {
        let length = blocks.values();
        Pages::new(Source::Packed { blocks, held: Mutex::default() }, length, BLOCK, budget)
    }

    fn new(source: Source, length: u64, page: usize, budget: Budget) -> Pages {
        let pages = length.div_ceil(page as u64) as usize;
        Pages { source, length, page, kept: std::iter::repeat_with(OnceLock::new).take(pages).collect(), budget }
    }

    /// The number of bytes.
    pub(super) const fn len(&self) -> u64 {
        self.length
    }

    /// The `N` bytes of an entry, or `None` if the file does not have it (any more). `N` is 1 or 2.
    #[inline]
    pub(super) fn entry<const N: usize>(&self, rank: u64) -> Option<[u8; N]> {
        let at = rank.checked_mul(N as u64)?;
        let slot = self.kept.get((at >> self.page.trailing_zeros()) as usize)?;
        let offset = at as usize & (self.page - 1);
        match slot.get() {
            Some(page) => page.get(offset..)?.first_chunk().copied(),
            None => self.fetch(slot, at),
        }
    }

    /// The same for a page that is not loaded.
    #[cold]
    fn fetch<const N: usize>(&self, slot: &OnceLock<Box<[u8]>>, at: u64) -> Option<[u8; N]> {
        if at + N as u64 > self.length {
            return None;
        }
        let offset = at as usize & (self.page - 1);
        let start = at - offset as u64;
        let size = (self.length - start).min(self.page as u64) as usize;
        if !self.budget.take(size) {
            return self.entry_without_room(at);
        }
        let mut mine = false;
        let page = slot.get_or_init(|| {
            mine = true;
            let mut page = vec![0; size];
            let read = self.read_at(&mut page, start).unwrap_or(0);
            page.truncate(read);
            page.into()
        });
        if !mine {
            self.budget.used.fetch_sub(size, Ordering::Relaxed);
        }
        page.get(offset..)?.first_chunk().copied()
    }

    /// An entry of a page that cannot be cached.
    fn entry_without_room<const N: usize>(&self, at: u64) -> Option<[u8; N]> {
        match &self.source {
            Source::Plain { .. } => {
                let mut entry = [0; N];
                let read = self.read_at(&mut entry, at);
                read.is_ok_and(|read| read == N).then_some(entry)
            }
            Source::Packed { blocks, held } => {
                let (number, offset) = ((at / BLOCK as u64) as usize, at as usize % BLOCK);
                let mut held = held.lock().unwrap_or_else(PoisonError::into_inner);
                let block = match held.iter().position(|&(other, _)| other == number) {
                    Some(place) => &held[place].1,
                    None => {
                        let block = blocks.read(number)?;
                        held.truncate(MOST_HELD - 1);
                        held.push_front((number, block.into()));
                        &held[0].1
                    }
                };
                block.get(offset..)?.first_chunk().copied()
            }
        }
    }

    /// Passes on all existing values piece by piece, without caching.
    pub(super) fn pieces(&self, mut hand_on: impl FnMut(&[u8])) {
        let mut piece = vec![0; self.page];
        let mut at = 0;
        loop {
            let left = (self.length - at).min(self.page as u64) as usize;
            let Ok(read @ 1..) = self.read_at(&mut piece[..left], at) else { break };
            hand_on(&piece[..read]);
            at += read as u64;
        }
    }

    /// Reads up to this many bytes. In a packed file `at` is the beginning of a block.
    pub(super) fn read_at(&self, bytes: &mut [u8], at: u64) -> io::Result<usize> {
        match &self.source {
            Source::Plain { file, start } => read_at(file, bytes, start + at),
            Source::Packed { blocks, .. } => {
                let first = (at / BLOCK as u64) as usize;
                let mut done = 0;
                for (i, piece) in bytes.chunks_mut(BLOCK).enumerate() {
                    let Some(block) = blocks.read(first + i).filter(|block| block.len() >= piece.len()) else { break };
                    piece.copy_from_slice(&block[..piece.len()]);
                    done += piece.len();
                }
                Ok(done)
            }
        }
    }
}

/// Reads up to this many bytes of a file from `at` on.
pub(super) fn read_at(file: &File, bytes: &mut [u8], at: u64) -> io::Result<usize> {
    let mut done = 0;
    while done < bytes.len() {
        let place = at + done as u64;
        #[cfg(unix)]
        let read = std::os::unix::fs::FileExt::read_at(file, &mut bytes[done..], place);
        #[cfg(windows)]
        let read = std::os::windows::fs::FileExt::seek_read(file, &mut bytes[done..], place);
        match read {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Ok(0) => break,
            read => done += read?,
        }
    }
    Ok(done)
}

#[cfg(test)]
mod tests {
    use super::super::packed::List;
    use super::*;
    use std::io::Write;

    const START: u64 = 80;
    const BYTES: usize = 3 * PAGE + 100;

    /// A file with this many bytes after a header, and these bytes.
    fn file() -> (File, Vec<u8>) {
        let mut file = tempfile::tempfile().unwrap();
        let bytes: Vec<u8> = (0..BYTES).map(|at| (at * 31 % 251) as u8).collect();
        file.write_all(&[9; START as usize]).unwrap();
        file.write_all(&bytes).unwrap();
        (file, bytes)
    }

    fn pages(file: File, most: usize) -> Pages {
        Pages::plain(file, START, BYTES as u64, Budget { most, ..Budget::default() })
    }

    #[test]
    fn every_entry_is_read_whether_there_is_room_for_it_or_not() {
        for most in [0, PAGE + 7, MOST_KEPT] {
            let (file, bytes) = file();
            let pages = pages(file, most);
            for _ in 0..2 {
                for at in (0..BYTES).step_by(61).chain([BYTES - 1]) {
                    assert_eq!(pages.entry::<1>(at as u64), Some([bytes[at]]), "{at}");
                    let two = bytes.get(2 * at..2 * at + 2).map(|two| [two[0], two[1]]);
                    assert_eq!(pages.entry::<2>(at as u64), two, "{at}");
                }
            }
            for rank in [BYTES as u64, u64::MAX / 2, u64::MAX] {
                assert_eq!(pages.entry::<1>(rank), None, "{rank}");
            }
            let kept: usize = pages.kept.iter().filter_map(OnceLock::get).map(|page| page.len()).sum();
            assert_eq!(pages.budget.used.load(Ordering::Relaxed), kept);
            assert!(kept <= most && (most < MOST_KEPT || kept == BYTES), "{kept} of {most}");
        }
    }

    #[test]
    fn every_entry_of_a_packed_file_is_read_whether_there_is_room_for_it_or_not() {
        let (_, bytes) = file();
        let mut packed = tempfile::NamedTempFile::new().unwrap();
        super::super::packed::write(packed.as_file_mut(), BYTES as u64, bytes.iter().copied()).unwrap();
        for most in [0, BLOCK, BLOCK + 7, MOST_KEPT] {
            let list = List::read(packed.path(), packed.as_file(), BYTES as u64).unwrap();
            let blocks = Blocks::new(packed.reopen().unwrap(), list);
            let pages = Pages::packed(blocks, Budget { most, ..Budget::default() });
            for at in (0..BYTES).step_by(61).chain((0..BYTES).step_by(BLOCK / 2 + 1)).chain([BYTES - 1]) {
                assert_eq!(pages.entry::<1>(at as u64), Some([bytes[at]]), "{at}");
            }
            assert_eq!(pages.entry::<1>(BYTES as u64), None);
            let kept: usize = pages.kept.iter().filter_map(OnceLock::get).map(|page| page.len()).sum();
            assert!(kept <= most && (most < MOST_KEPT || kept == BYTES), "{kept} of {most}");
        }
    }

    #[test]
    fn what_a_file_that_is_cut_short_has_lost_is_not_known() {
        let (file, bytes) = file();
        let pages = pages(file.try_clone().unwrap(), MOST_KEPT);
        assert_eq!(pages.entry::<1>(5), Some([bytes[5]]));
        file.set_len(START + PAGE as u64 + 10).unwrap();
        assert_eq!(pages.entry::<1>(6), Some([bytes[6]]), "was read before");
        assert_eq!(pages.entry::<1>(PAGE as u64 + 9), Some([bytes[PAGE + 9]]));
        for gone in [PAGE + 10, 2 * PAGE, BYTES - 1] {
            assert_eq!(pages.entry::<1>(gone as u64), None, "{gone}");
        }
    }

    #[test]
    fn a_page_is_read_once_whoever_asks() {
        let (file, _) = file();
        let pages = pages(file, MOST_KEPT);
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| (0..BYTES as u64).for_each(|at| assert!(pages.entry::<1>(at).is_some())));
            }
        });
        assert_eq!(pages.budget.used.load(Ordering::Relaxed), BYTES);
    }
}
