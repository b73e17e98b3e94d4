//! Table files: one for each layer, a header and the values.
//!
//! Layer 1. A layer is written whole or not at all; a failure leaves the files as they were. Opening checks header and length;
//! [`Reader::verify`] reads the values, too. Files are plain or packed; [`repack`] converts them.
//!
//! ```text
//!  byte  0  "griot-tb"                     64  boards, u64
//!        8  1 plain, 2 packed, u32         72  CRC-32 of the values, u32
//!       12  layer, u32                     76  CRC-32 of bytes 0 to 75, u32
//!       16  name of the game, 32 bytes     80  values: a byte (exact) or two (low, high) for each board;
//!       48  hash of the rules, u64             in a packed file those in blocks (see `packed`)
//!       56  convention: 1 exact, 2 bounds; then 7 bytes of 0           numbers are little-endian
//! ```

use std::fs::{self, File};
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::layer::Layer;
use super::packed::{self, Blocks, List};
use super::pages::{Budget, Pages, read_at};
use super::{Convention, Identity};
use crate::files;

const MAGIC: [u8; 8] = *b"griot-tb";
/// Bytes before the values.
pub const HEADER_BYTES: usize = 80;
/// Bytes that the header's own checksum covers.
const CHECKED: usize = HEADER_BYTES - 4;
/// What is found in an empty file.
const EMPTY: &str = "an empty file";
/// What the name of a table file ends with.
const EXTENSION: &str = "tb";

/// The form of the values in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// As they are.
    Plain,
    /// Compressed, in blocks that are unpacked one by one.
    Packed,
}

impl Form {
    /// The number in the header.
    const fn version(self) -> u32 {
        match self {
            Form::Plain => 1,
            Form::Packed => 2,
        }
    }
}

/// Why a file cannot be used or was not written. Every message begins with the file.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// The system refused something.
    #[error("{}: {action}: {source}", path.display())]
    System {
        /// The file or directory.
        path: PathBuf,
        /// The operation.
        action: &'static str,
        /// The system's error.
        source: io::Error,
    },
    /// It is not a table file.
    #[error("{}: expected a table, which begins with 'griot-tb', found {found}", path.display())]
    NoTable {
        /// The file.
        path: PathBuf,
        /// Its beginning.
        found: String,
    },
    /// It was written by another version of griot.
    #[error("{}: expected version 1 or 2 of the format, found version {found}; build it anew", path.display())]
    Version {
        /// The file.
        path: PathBuf,
        /// Its version.
        found: u32,
    },
    /// The header was damaged.
    #[error("{}: the header is damaged: expected checksum {expected:08x}, found {found:08x}; build it anew", path.display())]
    Header {
        /// The file.
        path: PathBuf,
        /// The checksum of the header's bytes.
        expected: u32,
        /// The checksum in the header.
        found: u32,
    },
    /// It is another table.
    #[error("{}: expected {field} {expected}, found {found}", path.display())]
    Other {
        /// The file.
        path: PathBuf,
        /// What differs: game, rules, cycle convention, layer, number of boards.
        field: &'static str,
        /// What was expected.
        expected: String,
        /// What was found.
        found: String,
    },
    /// The file is too short or too long.
    #[error("{}: expected {expected} bytes, found {found}: the file is {}; build it anew", path.display(), if found < expected { "cut short" } else { "too long" })]
    Length {
        /// The file.
        path: PathBuf,
        /// Bytes that the header promises.
        expected: u64,
        /// Bytes there are.
        found: u64,
    },
    /// The values were damaged.
    #[error("{}: the values are damaged: expected checksum {expected:08x}, found {found:08x}; build it anew", path.display())]
    Values {
        /// The file.
        path: PathBuf,
        /// The checksum in the header.
        expected: u32,
        /// The checksum of the values.
        found: u32,
    },
}

impl FileError {
    /// Whether the file is neither a table of griot nor empty, or cannot be read.
    pub(super) fn is_foreign(&self) -> bool {
        matches!(self, FileError::NoTable { found, .. } if found != EMPTY) || matches!(self, FileError::System { .. })
    }

    /// Adds file and operation to an error of the system.
    pub(super) fn at(path: &Path, action: &'static str) -> impl FnOnce(io::Error) -> FileError {
        let path = path.to_owned();
        move |source| FileError::System { path, action, source }
    }
}

/// The header of a table file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Header {
    /// Which game's table it is.
    pub identity: Identity,
    /// The layer.
    pub layer: usize,
    /// The number of boards.
    pub boards: u64,
}

const fn convention_byte(convention: Convention) -> u8 {
    match convention {
        Convention::Exact => 1,
        Convention::Bounds => 2,
    }
}

/// The name of a convention.
const fn convention_text(convention: Convention) -> &'static str {
    match convention {
        Convention::Exact => "exact (endless play is worth 0)",
        Convention::Bounds => "bounds (endless play is worth its worst board to the side that depends on it)",
    }
}

impl Header {
    /// The name of the file in its directory: `awale-awari-08.tb`.
    #[must_use]
    pub fn file_name(&self) -> String {
        format!("{}-{:02}.{EXTENSION}", self.identity.file_stem(), self.layer)
    }

    /// Bytes of the values; saturates if the header names impossibly many boards.
    const fn value_bytes(&self) -> u64 {
        self.boards.saturating_mul(self.identity.convention.entry_bytes() as u64)
    }

    /// Bytes of the whole plain file; saturates like the values.
    #[must_use]
    pub const fn plain_bytes(&self) -> u64 {
        self.value_bytes().saturating_add(HEADER_BYTES as u64)
    }

    /// The header of a file of this form whose values have this checksum.
    fn bytes(&self, form: Form, values: u32) -> [u8; HEADER_BYTES] {
        let mut bytes = [0; HEADER_BYTES];
        let mut put = |at: usize, field: &[u8]| bytes[at..at + field.len()].copy_from_slice(field);
        put(0, &MAGIC);
        put(8, &form.version().to_le_bytes());
        put(12, &(self.layer as u32).to_le_bytes());
        put(16, &self.identity.name.as_bytes()[..self.identity.name.len().min(32)]);
        put(48, &self.identity.rules.to_le_bytes());
        put(56, &[convention_byte(self.identity.convention)]);
        put(64, &self.boards.to_le_bytes());
        put(72, &values.to_le_bytes());
        let own = crc32fast::hash(&bytes[..CHECKED]);
        bytes[CHECKED..].copy_from_slice(&own.to_le_bytes());
        bytes
    }

    /// Reads a header, the form and the checksum of the values. `path` is for the error.
    fn parse(path: &Path, bytes: &[u8]) -> Result<(Header, Form, u32), FileError> {
        let no_table = |found| FileError::NoTable { path: path.to_owned(), found };
        if !bytes.starts_with(&MAGIC) {
            let found = match bytes.len() {
                0 => EMPTY.into(),
                _ => format!("'{}'", bytes[..bytes.len().min(8)].escape_ascii()),
            };
            return Err(no_table(found));
        }
        let Some(bytes) = bytes.first_chunk::<HEADER_BYTES>() else {
            let (expected, found) = (HEADER_BYTES as u64, bytes.len() as u64);
            return Err(FileError::Length { path: path.to_owned(), expected, found });
        };
        let word = |at: usize| u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
        let long = |at: usize| u64::from(word(at)) | u64::from(word(at + 4)) << 32;
        // Check the version first: another version may have another header.
        let forms = [Form::Plain, Form::Packed];
        let Some(form) = forms.into_iter().find(|form| form.version() == word(8)) else {
            return Err(FileError::Version { path: path.to_owned(), found: word(8) });
        };
        let expected = crc32fast::hash(&bytes[..CHECKED]);
        if word(CHECKED) != expected {
            return Err(FileError::Header { path: path.to_owned(), expected, found: word(CHECKED) });
        }
        let name: Vec<u8> = bytes[16..48].iter().copied().take_while(|&byte| byte != 0).collect();
        let convention = match bytes[56] {
            1 => Convention::Exact,
            2 => Convention::Bounds,
            other => return Err(no_table(format!("cycle convention {other}"))),
        };
        // The name is shown in messages: escape what must not reach a terminal or a line of the protocol.
        let identity = Identity { name: name.escape_ascii().to_string(), rules: long(48), convention };
        Ok((Header { identity, layer: word(12) as usize, boards: long(64) }, form, word(72)))
    }

    /// Whether this is the header `expected`; if not, the error names the first difference.
    ///
    /// # Errors
    /// [`FileError::Other`].
    pub fn expect(&self, path: &Path, expected: &Header) -> Result<(), FileError> {
        let (own, other) = (&self.identity, &expected.identity);
        let fields = [
            ("game", other.name.clone(), own.name.clone()),
            ("rules", format!("{:016x}", other.rules), format!("{:016x}", own.rules)),
            (
                "cycle convention",
                convention_text(other.convention).to_owned(),
                convention_text(own.convention).to_owned(),
            ),
            ("layer", expected.layer.to_string(), self.layer.to_string()),
            ("number of boards", expected.boards.to_string(), self.boards.to_string()),
        ];
        match fields.into_iter().find(|(_, expected, found)| expected != found) {
            Some((field, expected, found)) => Err(FileError::Other { path: path.to_owned(), field, expected, found }),
            None => Ok(()),
        }
    }
}

/// Writes the plain file of a layer into `directory`, whole.
///
/// # Errors
/// [`FileError::System`]; an existing file of that name is then unchanged.
pub fn write(directory: &Path, header: &Header, values: impl Iterator<Item = u8>) -> Result<PathBuf, FileError> {
    let path = directory.join(header.file_name());
    files::replace(&path, |file| write_to(file, header, values)).map_err(FileError::at(&path, "writing"))?;
    Ok(path)
}

/// Writes header and values. The checksum is known last and stands first, so the header is written twice.
fn write_to(out: &mut (impl Write + Seek), header: &Header, mut values: impl Iterator<Item = u8>) -> io::Result<()> {
    const PIECE: usize = 1 << 20;
    let mut checksum = crc32fast::Hasher::new();
    let mut writer = BufWriter::new(&mut *out);
    writer.write_all(&[0; HEADER_BYTES])?;
    let mut piece = Vec::with_capacity(PIECE);
    loop {
        piece.clear();
        piece.extend(values.by_ref().take(PIECE));
        if piece.is_empty() {
            break;
        }
        checksum.update(&piece);
        writer.write_all(&piece)?;
    }
    writer.flush()?;
    drop(writer);
    out.seek(SeekFrom::Start(0))?;
    out.write_all(&header.bytes(Form::Plain, checksum.finalize()))
}

/// Rewrites a layer in another form; returns the size of the new file, or `None` if it already has that form. `done` gets the
/// number of boards written so far.
///
/// # Errors
/// When the file cannot be read or its values are damaged, or the new file cannot be written; the old one is then
/// unchanged.
pub fn repack(path: &Path, form: Form, mut done: impl FnMut(u64)) -> Result<Option<u64>, FileError> {
    let reader = Reader::open(path)?;
    if reader.form() == form {
        return Ok(None);
    }
    let Header { identity, boards, .. } = &reader.header;
    let entry = identity.convention.entry_bytes() as u64;
    let layer = reader.load()?;
    let values = layer.values();
    let told = values.iter().enumerate().map(|(at, &value)| {
        if at.is_multiple_of(1 << 16) {
            done(at as u64 / entry);
        }
        value
    });
    let write = |file: &mut File| match form {
        Form::Plain => write_to(file, &reader.header, told),
        Form::Packed => {
            let checksum = packed::write(file, boards * entry, told)?;
            file.seek(SeekFrom::Start(0))?;
            file.write_all(&reader.header.bytes(form, checksum))
        }
    };
    files::replace(path, write).map_err(FileError::at(path, "writing"))?;
    Ok(Some(Reader::open(path)?.bytes()))
}

/// A table file whose header and length are right.
#[derive(Debug)]
pub struct Reader {
    path: PathBuf,
    file: File,
    header: Header,
    checksum: u32,
    /// Where the blocks are, if the file is packed.
    list: Option<List>,
}

impl Reader {
    /// Opens a file and checks header and length.
    ///
    /// # Errors
    /// When the file cannot be read, is not a table, of another version, damaged in its header, too short or too long.
    pub fn open(path: &Path) -> Result<Reader, FileError> {
        let file = files::open(path).map_err(FileError::at(path, "opening"))?;
        let mut bytes = Vec::with_capacity(HEADER_BYTES);
        let head = (&file).take(HEADER_BYTES as u64).read_to_end(&mut bytes);
        head.map_err(FileError::at(path, "reading"))?;
        let (header, form, checksum) = Header::parse(path, &bytes)?;
        let list = match form {
            Form::Packed => Some(List::read(path, &file, header.value_bytes())?),
            Form::Plain => {
                let found = file.metadata().map_err(FileError::at(path, "asking for its length"))?.len();
                let expected = header.plain_bytes();
                if found != expected {
                    return Err(FileError::Length { path: path.to_owned(), expected, found });
                }
                None
            }
        };
        Ok(Reader { path: path.to_owned(), file, header, checksum, list })
    }

    /// The form of the values.
    #[must_use]
    pub const fn form(&self) -> Form {
        match self.list {
            Some(_) => Form::Packed,
            None => Form::Plain,
        }
    }

    /// Bytes of the whole file.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.list.as_ref().map_or_else(|| self.header.plain_bytes(), List::file_bytes)
    }

    /// Its header.
    #[must_use]
    pub const fn header(&self) -> &Header {
        &self.header
    }

    /// Reads all values and compares them with their checksum.
    ///
    /// # Errors
    /// [`FileError::Values`] when they differ, [`FileError::System`] when the file cannot be read.
    pub fn verify(&self) -> Result<(), FileError> {
        self.read(|_| ())
    }

    /// Reads all values into memory, verified.
    ///
    /// # Errors
    /// As [`Reader::verify`].
    pub fn load(&self) -> Result<Layer, FileError> {
        // A packed file can promise more values than there is memory for.
        let expected = if self.list.is_none() { self.header.value_bytes() as usize } else { 0 };
        let mut values = Vec::with_capacity(expected);
        self.read(|piece| values.extend_from_slice(piece))?;
        Ok(Layer::owned(values, self.header.identity.convention))
    }

    /// Reads all values, passes them on piece by piece, and compares them with their checksum.
    fn read(&self, mut hand_on: impl FnMut(&[u8])) -> Result<(), FileError> {
        let mut checksum = crc32fast::Hasher::new();
        let mut take = |piece: &[u8]| {
            checksum.update(piece);
            hand_on(piece);
        };
        match &self.list {
            Some(list) => {
                // A damaged block yields no values, which the checksum detects.
                (0..list.blocks()).filter_map(|number| list.block(&self.file, number)).for_each(|block| take(&block));
            }
            None => self.read_plain(take)?,
        }
        match checksum.finalize() {
            found if found == self.checksum => Ok(()),
            found => Err(FileError::Values { path: self.path.clone(), expected: self.checksum, found }),
        }
    }

    fn read_plain(&self, mut take: impl FnMut(&[u8])) -> Result<(), FileError> {
        let mut piece = vec![0; 1 << 20];
        let mut at = 0;
        // Read no more than the length that was checked at opening.
        loop {
            let left = (self.header.value_bytes() - at).min(piece.len() as u64) as usize;
            let read = read_at(&self.file, &mut piece[..left], HEADER_BYTES as u64 + at);
            match read.map_err(FileError::at(&self.path, "reading"))? {
                0 => return Ok(()),
                read => {
                    take(&piece[..read]);
                    at += read as u64;
                }
            }
        }
    }

    /// The values, read on demand and not verified.
    #[must_use]
    pub fn layer(self) -> Layer {
        self.layer_in(&Budget::default())
    }

    /// The same, with a budget that all layers of a table share.
    pub(super) fn layer_in(self, budget: &Budget) -> Layer {
        let pages = match self.list {
            Some(list) => Pages::packed(Blocks::new(self.file, list), budget.clone()),
            None => Pages::plain(self.file, HEADER_BYTES as u64, self.header.value_bytes(), budget.clone()),
        };
        Layer::filed(pages, self.header.identity.convention)
    }
}

/// The bytes of a value file without layers, at most this many; `None` if there is no file.
///
/// # Errors
/// When it is no regular file, or the system refuses.
pub fn read(path: &Path, most: u64) -> Result<Option<Vec<u8>>, FileError> {
    let mut bytes = Vec::new();
    match files::open(path).and_then(|file| file.take(most).read_to_end(&mut bytes)) {
        Ok(_) => Ok(Some(bytes)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(source) => Err(FileError::System { path: path.to_owned(), action: "reading it", source }),
    }
}

/// The table files in `directory`, in the order of their names, which is that of games and layers.
///
/// # Errors
/// [`FileError::System`] when the directory cannot be read.
pub fn list(directory: &Path) -> Result<Vec<PathBuf>, FileError> {
    let entries = fs::read_dir(directory).map_err(FileError::at(directory, "reading the directory"))?;
    let mut paths = entries
        .map(|entry| Ok(entry?.path()))
        .collect::<io::Result<Vec<PathBuf>>>()
        .map_err(FileError::at(directory, "reading the directory"))?;
    paths.retain(|path| path.extension().is_some_and(|extension| extension == EXTENSION));
    paths.sort();
    Ok(paths)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A disk with room for this many bytes.
    struct FullDisk(usize);

    impl Write for FullDisk {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            if self.0 < bytes.len() {
                return Err(io::ErrorKind::StorageFull.into());
            }
            self.0 -= bytes.len();
            Ok(bytes.len())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    impl Seek for FullDisk {
        fn seek(&mut self, _: SeekFrom) -> io::Result<u64> {
            Ok(0)
        }
    }

    fn header() -> Header {
        let identity = Identity { name: "nim:3".into(), rules: 7, convention: Convention::Exact };
        Header { identity, layer: 3, boards: 5 }
    }

    #[test]
    fn a_header_is_read_as_it_was_written() {
        for form in [Form::Plain, Form::Packed] {
            assert_eq!(Header::parse(Path::new("x"), &header().bytes(form, 99)).unwrap(), (header(), form, 99));
        }
        assert_eq!((header().file_name(), header().plain_bytes()), ("nim-3-03.tb".into(), 85));
    }

    #[test]
    fn every_flipped_bit_of_a_header_is_noticed() {
        for bit in 0..8 * HEADER_BYTES {
            let mut bytes = header().bytes(Form::Plain, 99);
            bytes[bit / 8] ^= 1 << (bit % 8);
            assert!(Header::parse(Path::new("x"), &bytes).is_err(), "bit {bit}");
        }
    }

    #[test]
    fn a_full_disk_is_an_error_wherever_it_fills_up() {
        let header = Header { boards: 3 << 20, ..header() };
        let whole = 2 * HEADER_BYTES + (3 << 20);
        let write = |free| write_to(&mut FullDisk(free), &header, std::iter::repeat_n(1, 3 << 20));
        assert!(write(whole).is_ok());
        for free in [0, 79, 80, 1 << 20, 3 << 20, whole - 1] {
            assert_eq!(write(free).unwrap_err().kind(), io::ErrorKind::StorageFull, "{free}");
        }
    }
}
