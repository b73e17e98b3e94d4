//! Input as UTF-8: a byte order mark is dropped, and UTF-16 is decoded, which PowerShell's `>` writes.
//!
//! Layer 0, any thread. Only the first bytes decide, so nothing waits for more input. Everything else passes through unchanged,
//! invalid UTF-8 included.
//!
//! CITE: The Unicode Standard, section 23.8, "Byte Order Mark (BOM)".

use std::io::{self, BufRead, Read};

/// Whether these bytes begin with the byte order mark of UTF-16.
#[must_use]
pub fn is_utf16(bytes: &[u8]) -> bool {
    bytes.starts_with(&[0xFF, 0xFE]) || bytes.starts_with(&[0xFE, 0xFF])
}

/// Reads an input of UTF-8 or UTF-16 as UTF-8.
///
/// ```
/// use std::io::Read;
///
/// let mut text = String::new();
/// griot::encoding::Utf8Reader::new(&b"\xFF\xFEg\0o\0"[..]).read_to_string(&mut text)?;
/// assert_eq!(text, "go");
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct Utf8Reader<R> {
    input: R,
    encoding: Encoding,
}

#[derive(Debug)]
enum Encoding {
    /// Nothing was read yet.
    Unknown,
    /// UTF-8, or no text at all.
    Utf8,
    Utf16(Decoder),
}

impl<R: BufRead> Utf8Reader<R> {
    /// Nothing is read yet.
    pub fn new(input: R) -> Utf8Reader<R> {
        Utf8Reader { input, encoding: Encoding::Unknown }
    }

    /// Looks at the first bytes.
    fn begin(&mut self) -> io::Result<()> {
        let start = self.input.fill_buf()?;
        let (encoding, mark) = match start {
            [0xEF, 0xBB, 0xBF, ..] => (Encoding::Utf8, 3),
            [first, _, ..] if is_utf16(start) => (Encoding::Utf16(Decoder::new(*first == 0xFF)), 2),
            _ => (Encoding::Utf8, 0),
        };
        self.encoding = encoding;
        self.input.consume(mark);
        Ok(())
    }
}

impl<R: BufRead> BufRead for Utf8Reader<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if matches!(self.encoding, Encoding::Unknown) {
            self.begin()?;
        }
        let Encoding::Utf16(decoder) = &mut self.encoding else { return self.input.fill_buf() };
        while decoder.rest().is_empty() {
            let bytes = self.input.fill_buf()?;
            let length = bytes.len();
            decoder.push(bytes);
            self.input.consume(length);
            if length == 0 {
                break;
            }
        }
        Ok(decoder.rest())
    }

    fn consume(&mut self, amount: usize) {
        match &mut self.encoding {
            Encoding::Utf16(decoder) => decoder.at += amount,
            Encoding::Unknown | Encoding::Utf8 => self.input.consume(amount),
        }
    }
}

impl<R: BufRead> Read for Utf8Reader<R> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let length = self.fill_buf()?.read(bytes)?;
        self.consume(length);
        Ok(length)
    }
}

/// Decodes UTF-16 in pieces of any length. An unpaired surrogate or half a unit becomes U+FFFD.
#[derive(Debug)]
struct Decoder {
    is_little: bool,
    /// The first byte of a unit.
    half: Option<u8>,
    /// The first unit of a surrogate pair.
    high: Option<u16>,
    text: String,
    /// Bytes of `text` that were consumed.
    at: usize,
}

impl Decoder {
    fn new(is_little: bool) -> Decoder {
        Decoder { is_little, half: None, high: None, text: String::new(), at: 0 }
    }

    /// What was decoded and not consumed.
    fn rest(&self) -> &[u8] {
        &self.text.as_bytes()[self.at..]
    }

    /// Decodes the next piece, once all before it is consumed; an empty one is the end.
    fn push(&mut self, bytes: &[u8]) {
        self.text.clear();
        self.at = 0;
        for &byte in bytes {
            let Some(first) = self.half.replace(byte) else { continue };
            self.half = None;
            let pair = [first, byte];
            self.push_unit(if self.is_little { u16::from_le_bytes(pair) } else { u16::from_be_bytes(pair) });
        }
        let is_cut = self.half.is_some() || self.high.is_some();
        if bytes.is_empty() && is_cut {
            (self.half, self.high) = (None, None);
            self.text.push(char::REPLACEMENT_CHARACTER);
        }
    }

    fn push_unit(&mut self, unit: u16) {
        let high = self.high.take();
        match (high, unit) {
            (Some(high), 0xDC00..0xE000) => {
                let letter = char::decode_utf16([high, unit]).next().and_then(Result::ok);
                self.text.push(letter.unwrap_or(char::REPLACEMENT_CHARACTER));
                return;
            }
            (Some(_), _) => self.text.push(char::REPLACEMENT_CHARACTER),
            (None, _) => {}
        }
        match unit {
            0xD800..0xDC00 => self.high = Some(unit),
            _ => self.text.push(char::from_u32(unit.into()).unwrap_or(char::REPLACEMENT_CHARACTER)),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::BufReader;

    use super::*;

    /// Reads in pieces of this many bytes.
    fn read(bytes: &[u8], piece: usize) -> Vec<u8> {
        let mut read = Vec::new();
        Utf8Reader::new(BufReader::with_capacity(piece, bytes)).read_to_end(&mut read).unwrap();
        read
    }

    fn utf16(text: &str, is_little: bool) -> Vec<u8> {
        let bytes = |unit: u16| if is_little { unit.to_le_bytes() } else { unit.to_be_bytes() };
        std::iter::once(0xFEFF).chain(text.encode_utf16()).flat_map(bytes).collect()
    }

    #[test]
    fn utf16_of_either_order_is_read_in_pieces_of_any_length() {
        let text = "awalé||A b\r\n♞ 🦓🦓\n";
        for is_little in [true, false] {
            for piece in [2, 3, 4, 5, 7, 64] {
                assert_eq!(read(&utf16(text, is_little), piece), text.as_bytes(), "{piece}");
            }
        }
    }

    #[test]
    fn a_mark_is_dropped_and_other_bytes_stay_as_they_are() {
        assert_eq!(read(b"\xEF\xBB\xBFgo\n", 64), b"go\n");
        for same in [&b"go\n"[..], b"", b"\xFF", b"\xE9t\xE9 \xFF\xFE", b"a\xEF\xBB\xBF"] {
            assert_eq!(read(same, 64), same);
        }
    }

    #[test]
    fn what_is_no_utf16_becomes_replacement_characters() {
        // A second surrogate alone, a first one before a letter, two first ones and a pair, and the end within each.
        for (units, text) in [
            (&[0xDC00, 0x61][..], "\u{FFFD}a"),
            (&[0xD83E, 0x61], "\u{FFFD}a"),
            (&[0xD83E, 0xD83E, 0xDD93], "\u{FFFD}🦓"),
            (&[0x61, 0xD83E], "a\u{FFFD}"),
        ] {
            let bytes: Vec<u8> = [0xFEFF].iter().chain(units).flat_map(|unit: &u16| unit.to_le_bytes()).collect();
            assert_eq!(read(&bytes, 3), text.as_bytes());
        }
        assert_eq!(read(b"\xFF\xFEa\0b", 3), "a\u{FFFD}".as_bytes());
    }
}
