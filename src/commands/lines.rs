//! A file of lines that grows, and that a killed process may have left with half a line at its end. Layer 6.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::Path;

use griot::encoding::is_utf16;
use griot::files::{Claim, GrowingFile};
use griot::message::Problem;

/// No line is longer than this, in bytes: what has none is not read to its end.
const LONGEST: u64 = 64 << 20;
/// Where UTF-16 comes from, and what to do about it.
const FROM_POWERSHELL: &str = "which PowerShell's '>' writes; let griot write the file itself";

/// Knows the lines of a file.
pub(super) trait Known {
    /// Takes note of a whole line.
    ///
    /// # Errors
    /// When it is none of those.
    fn take(&mut self, line: &str) -> Result<(), Problem>;

    /// Whether such a line may begin so, where `vouched` says that whole ones stand before it.
    fn may_begin(&self, text: &str, vouched: bool) -> bool;
}

/// A file to which whole lines are added, by this process alone.
#[derive(Debug)]
pub(super) struct LineFile {
    file: GrowingFile,
    /// Bytes of its whole lines.
    whole: u64,
    claim: Claim,
}

impl LineFile {
    /// Claims the file, opens it, or makes it, and hands each of its whole lines to `known`. A last line without an end gets
    /// it when it is whole, and is cut off when it is the beginning of one.
    ///
    /// # Errors
    /// When the file cannot be used, or `known` finds a line wrong; it is then as it was.
    pub(super) fn open(path: &Path, known: &mut impl Known) -> Result<LineFile, Problem> {
        let wrong = |error: io::Error| Problem::new(format!("{}: {error}", path.display()));
        let claim = Claim::of_file(path).map_err(wrong)?;
        let mut file = claim.append().map_err(wrong)?;
        let mut reader = BufReader::new(&mut file);
        let (mut whole, mut number) = (0, 0);
        let mut bytes = Vec::new();
        let rest = loop {
            bytes.clear();
            let length = (&mut reader).take(LONGEST).read_until(b'\n', &mut bytes).map_err(wrong)?;
            let is_whole = bytes.pop_if(|byte| *byte == b'\n').is_some();
            if length == 0 {
                break None;
            }
            number += 1;
            let place = |what: &str| Problem::new(format!("{}, line {number}: {what}", path.display()));
            if number == 1 && is_utf16(&bytes) {
                return Err(place(&format!("expected UTF-8, found UTF-16, {FROM_POWERSHELL}")));
            }
            let line = str::from_utf8(&bytes);
            if !is_whole {
                // It may have been cut within a letter.
                let line = match line {
                    Err(error) if error.error_len().is_none() => str::from_utf8(&bytes[..error.valid_up_to()]),
                    line => line,
                };
                let line = line.map_err(|error| place(&error.to_string()))?;
                break match known.take(line) {
                    Ok(()) => Some(&b"\n"[..]),
                    Err(_) if known.may_begin(line, number > 1) => None,
                    Err(problem) => return Err(place(&problem.to_string())),
                };
            }
            let line = line.map_err(|error| place(&error.to_string()))?;
            // Some editors put a byte order mark before the first line.
            let line = if number == 1 { line.trim_start_matches('\u{FEFF}') } else { line };
            known.take(line).map_err(|problem| place(&problem.to_string()))?;
            whole += length as u64;
        };
        match rest {
            Some(end) => {
                file.write_all(end).map_err(wrong)?;
                whole = file.length().map_err(wrong)?;
            }
            None if file.length().map_err(wrong)? > whole => file.cut(whole).map_err(wrong)?,
            None => {}
        }
        Ok(LineFile { file, whole, claim })
    }
}

/// A write that fails leaves nothing of itself.
impl Write for LineFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if let Err(error) = self.file.write_all(bytes).and_then(|()| self.file.expect_name()) {
            // Where that fails too, half a line stays, which the next one cuts off.
            let _ = self.file.cut(self.whole);
            return Err(io::Error::new(error.kind(), format!("{}: {error}", self.claim.path().display())));
        }
        self.whole += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// Whether a text is the beginning of what the pattern stands for, or begins so; `#` stands for a number.
pub(super) fn begins_as(text: &str, pattern: &str) -> bool {
    let mut rest = text;
    for c in pattern.chars() {
        if rest.is_empty() {
            return true;
        }
        let after = match c {
            '#' => Some(rest.trim_start_matches(|c: char| c.is_ascii_digit())).filter(|after| after.len() < rest.len()),
            c => rest.strip_prefix(c),
        };
        match after {
            Some(after) => rest = after,
            None => return false,
        }
    }
    true
}

/// Whether a text is JSON that breaks off.
pub(super) fn breaks_off(text: &str) -> bool {
    serde_json::from_str::<serde::de::IgnoredAny>(text).is_err_and(|error| error.is_eof())
}

/// Writes a line whole: a reader of the file never finds half of it.
pub(super) fn write_line(out: &mut dyn Write, mut line: String) -> io::Result<()> {
    line.push('\n');
    out.write_all(line.as_bytes())?;
    out.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_beginning_is_known_however_short_and_nothing_else_is() {
        let pattern = "{\"line\":#,\"id\":";
        for text in ["{", "{\"li", "{\"line\":1", "{\"line\":12,\"i", "{\"line\":3,\"id\":\"x"] {
            assert!(begins_as(text, pattern) && breaks_off(text), "{text}");
        }
        for text in ["Dear Sir", "[", "{ \"line\":1", "{\"lines\":1", "{\"line\":x", "{\"line\":1;"] {
            assert!(!begins_as(text, pattern), "{text}");
        }
        for text in ["{}", "{\"line\":1}", "x", "{\"line\":}", "7"] {
            assert!(!breaks_off(text), "{text}");
        }
    }
}
