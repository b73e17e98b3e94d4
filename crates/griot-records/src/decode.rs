//! From bytes to text: UTF-8, UTF-16 with a byte order mark, or else Windows-1252, which contains Latin-1.
//! CITE: WHATWG, "Encoding Standard", windows-1252.

use std::borrow::Cow;

/// What Windows-1252 has from 0x80 to 0x9F. The five bytes without a character are left as control characters.
const UPPER: [char; 32] = [
    '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8D}', 'Ž', '\u{8F}', '\u{90}', '‘', '’',
    '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9D}', 'ž', 'Ÿ',
];

/// Whether these bytes begin with the byte order mark of UTF-16.
#[must_use]
pub fn is_utf16(bytes: &[u8]) -> bool {
    bytes.starts_with(&[0xFF, 0xFE]) || bytes.starts_with(&[0xFE, 0xFF])
}

/// The text of these bytes, without a byte order mark. Every sequence of bytes is some text.
#[must_use]
pub fn text(bytes: &[u8]) -> Cow<'_, str> {
    if is_utf16(bytes) {
        let is_little = bytes[0] == 0xFF;
        let units = bytes[2..].chunks_exact(2).map(|pair| {
            let pair = [pair[0], pair[1]];
            if is_little { u16::from_le_bytes(pair) } else { u16::from_be_bytes(pair) }
        });
        let letters = char::decode_utf16(units).map(|letter| letter.unwrap_or(char::REPLACEMENT_CHARACTER));
        return Cow::Owned(letters.collect());
    }
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    let text = match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => Cow::Owned(windows_1252(bytes)),
    };
    // Lines that end as on old Macs.
    if text.contains('\r') && !text.contains('\n') { Cow::Owned(text.replace('\r', "\n")) } else { text }
}

/// The text of bytes of Windows-1252.
#[must_use]
pub fn windows_1252(bytes: &[u8]) -> String {
    bytes
        .iter()
        .map(|&byte| match byte {
            0x80..=0x9F => UPPER[usize::from(byte - 0x80)],
            _ => char::from(byte),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_decoded() {
        assert_eq!(text("Zürich".as_bytes()), "Zürich");
        assert_eq!(text(b"\xEF\xBB\xBFa"), "a");
        assert_eq!(text(b"Z\xFCrich \x96 \x80"), "Zürich – €");
        assert_eq!((text(b"a\rb"), text(b"a\r\nb")), ("a\nb".into(), "a\r\nb".into()));
        assert_eq!(text(b"\xFF\xFEa\0\xFC\0"), "aü");
        assert_eq!(text(b"\xFE\xFF\0a\0\xFC"), "aü");
    }
}
