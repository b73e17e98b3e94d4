//! A file of lines that grows, and that a killed process may have left with half a line at its end. Floor 6.

use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Write};
use std::path::Path;

use griot::message::Problem;

/// A file to which whole lines are added.
#[derive(Debug)]
pub(super) struct LineFile {
    file: File,
}

impl LineFile {
    /// Opens the file, or makes it, and hands each of its whole lines to `held` with its number. What stands behind the last
    /// end of a line is cut off, once every line before it has been found good.
    ///
    /// # Errors
    /// When the file cannot be used, or `held` finds a line wrong.
    pub(super) fn open(
        path: &Path,
        mut held: impl FnMut(usize, &str) -> Result<(), Problem>,
    ) -> Result<LineFile, Problem> {
        let wrong = |error: io::Error| Problem::new(format!("{}: {error}", path.display()));
        let file = OpenOptions::new().read(true).append(true).create(true).open(path).map_err(wrong)?;
        let mut reader = BufReader::new(&file);
        let (mut whole, mut number) = (0, 0);
        let mut bytes = Vec::new();
        loop {
            bytes.clear();
            let length = reader.read_until(b'\n', &mut bytes).map_err(wrong)?;
            if bytes.pop() != Some(b'\n') {
                break;
            }
            number += 1;
            let place = |what: &str| Problem::new(format!("{}, line {number}: {what}", path.display()));
            let line = str::from_utf8(&bytes).map_err(|error| place(&error.to_string()))?;
            held(number, line).map_err(|problem| place(&problem.to_string()))?;
            whole += length as u64;
        }
        if file.metadata().map_err(wrong)?.len() > whole {
            file.set_len(whole).map_err(wrong)?;
        }
        Ok(LineFile { file })
    }
}

impl Write for LineFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// Writes a line whole: whoever reads on meanwhile, or afterwards, finds no half of it.
pub(super) fn write_line(out: &mut dyn Write, mut line: String) -> io::Result<()> {
    line.push('\n');
    out.write_all(line.as_bytes())?;
    out.flush()
}
