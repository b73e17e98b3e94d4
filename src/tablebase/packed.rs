//! Table values in blocks, each compressed by itself.
//!
//! Layer 1. A damaged block is detected when it is read; its values are then unknown.
//!
//! ```text
//!  byte 80          CRC-32 of the list, u32
//!       84          the list: how many bytes each block takes, u32
//!       84 + 4 n    the blocks, one behind the other: BLOCK bytes of values, in the last one what is left, in zlib's format
//! ```

use std::fs::File;
use std::io::{self, Seek, SeekFrom, Write};
use std::path::Path;

use miniz_oxide::deflate::compress_to_vec_zlib;
use miniz_oxide::inflate::decompress_to_vec_zlib_with_limit;

use super::file::{FileError, HEADER_BYTES};
use super::pages::read_at;

/// Bytes of values in a block. Even, so that no entry crosses two blocks. Blocks of 16 KiB take 4 % more disk space.
/// Blocks of 256 KiB take 2 % less, and four times as long to look up a single value.
pub(super) const BLOCK: usize = 64 << 10;
/// Compression level, of 10; a higher one gains hardly anything.
const LEVEL: u8 = 9;
/// Bytes of the checksum before the list, and of an entry of the list.
const WORD: usize = 4;

/// The list of the blocks of a file.
#[derive(Debug, Clone)]
pub(super) struct List {
    /// End of each block, relative to the first one.
    bounds: Box<[u64]>,
    /// Bytes of values in all blocks.
    values: u64,
}

impl List {
    /// Reads the list of a file with this many bytes of values. `path` is for errors.
    ///
    /// # Errors
    /// When the file cannot be read or is not as long as the list says, or the list is damaged.
    pub(super) fn read(path: &Path, file: &File, values: u64) -> Result<List, FileError> {
        let found = file.metadata().map_err(FileError::at(path, "asking for its length"))?.len();
        let length = |expected| FileError::Length { path: path.to_owned(), expected, found };
        let blocks = values.div_ceil(BLOCK as u64);
        let start = (HEADER_BYTES + WORD) as u64 + blocks.saturating_mul(WORD as u64);
        // A header may promise more than there is memory for.
        if found < start {
            return Err(length(start));
        }
        let mut bytes = vec![0; (start - HEADER_BYTES as u64) as usize];
        let read = read_at(file, &mut bytes, HEADER_BYTES as u64).map_err(FileError::at(path, "reading"))?;
        if read < bytes.len() {
            return Err(length(start));
        }
        let (sum, list) = bytes.split_at(WORD);
        let word = |bytes: &[u8]| bytes.iter().rev().fold(0_u32, |word, &byte| word << 8 | u32::from(byte));
        let (expected, found_sum) = (crc32fast::hash(list), word(sum));
        if expected != found_sum {
            return Err(FileError::Header { path: path.to_owned(), expected, found: found_sum });
        }
        let mut end = start;
        let ends = list.chunks_exact(WORD).map(|size| {
            end += u64::from(word(size));
            end
        });
        let bounds: Box<[u64]> = std::iter::once(start).chain(ends).collect();
        match bounds.last() {
            Some(&end) if end != found => Err(length(end)),
            _ => Ok(List { bounds, values }),
        }
    }

    /// The number of blocks.
    pub(super) const fn blocks(&self) -> usize {
        self.bounds.len() - 1
    }

    /// Bytes of the whole file.
    pub(super) fn file_bytes(&self) -> u64 {
        self.bounds[self.bounds.len() - 1]
    }

    /// The values of a block, if it is there and sound.
    pub(super) fn block(&self, file: &File, number: usize) -> Option<Vec<u8>> {
        let (start, end) = (*self.bounds.get(number)?, *self.bounds.get(number + 1)?);
        let size = (self.values - (number * BLOCK) as u64).min(BLOCK as u64) as usize;
        let mut packed = vec![0; (end - start) as usize];
        let read = read_at(file, &mut packed, start).ok()?;
        let values = decompress_to_vec_zlib_with_limit(packed.get(..read)?, size).ok()?;
        (values.len() == size).then_some(values)
    }
}

/// The blocks of a file.
#[derive(Debug)]
pub(super) struct Blocks {
    file: File,
    list: List,
}

impl Blocks {
    pub(super) const fn new(file: File, list: List) -> Blocks {
        Blocks { file, list }
    }

    /// Bytes of values in all blocks.
    pub(super) const fn values(&self) -> u64 {
        self.list.values
    }

    /// The values of a block, if it is there and sound.
    pub(super) fn read(&self, number: usize) -> Option<Vec<u8>> {
        self.list.block(&self.file, number)
    }
}

/// Writes list and blocks after the header, and returns the checksum of the values. There are `bytes` of them.
pub(super) fn write(
    out: &mut (impl Write + Seek),
    bytes: u64,
    mut values: impl Iterator<Item = u8>,
) -> io::Result<u32> {
    let blocks = bytes.div_ceil(BLOCK as u64) as usize;
    let mut list = Vec::with_capacity(blocks * WORD);
    let mut checksum = crc32fast::Hasher::new();
    // The list is known only after the blocks are written.
    out.seek(SeekFrom::Start(0))?;
    out.write_all(&vec![0; HEADER_BYTES + WORD + blocks * WORD])?;
    let mut block = Vec::with_capacity(BLOCK);
    loop {
        block.clear();
        block.extend(values.by_ref().take(BLOCK));
        if block.is_empty() {
            break;
        }
        checksum.update(&block);
        let packed = compress_to_vec_zlib(&block, LEVEL);
        list.extend((packed.len() as u32).to_le_bytes());
        out.write_all(&packed)?;
    }
    out.seek(SeekFrom::Start(HEADER_BYTES as u64))?;
    out.write_all(&crc32fast::hash(&list).to_le_bytes())?;
    out.write_all(&list)?;
    Ok(checksum.finalize())
}
