//! `griot convert`: game records from any format to another. Layer 6.
//!
//! PGN is read game by game, so that memory does not grow with the file; other formats are read whole. What cannot be read is told
//! on stderr, a line for each game, and the games after it are still converted.

use std::ffi::OsStr;
use std::io::{self, BufReader, Read, Write};
use std::path::Path;

use griot::encoding::Utf8Reader;
use griot::files;
use griot::message::Problem;
use griot::registry::Registry;
use griot_records::{Fault, Format, Hints, Reader, Record, Splitter, write};

use super::Failure;
use crate::cli::{Cli, Convert};

/// So much is read at once.
const BLOCK: usize = 1 << 20;

/// Converts the games of the files.
///
/// # Errors
/// When a file cannot be opened, the output fails, or some games could not be converted.
pub(super) fn run(cli: &Cli, args: &Convert, out: &mut dyn Write) -> Result<(), Failure> {
    let game = [&args.game, &cli.game].into_iter().find_map(Option::as_deref);
    let format = args.to.unwrap_or(Format::Json);
    let mut reader = Reader::new(&Registry);
    let stdin = [std::path::PathBuf::from("-")];
    let files = if args.files.is_empty() { &stdin[..] } else { &args.files };
    let (mut good, mut bad) = (0_u64, 0_u64);
    for path in files {
        let name = if path == Path::new("-") { "stdin".to_owned() } else { path.display().to_string() };
        let source: Box<dyn Read> = if path == Path::new("-") {
            Box::new(io::stdin())
        } else {
            Box::new(files::open(path).map_err(|error| Problem::new(format!("{name}: {error}")))?)
        };
        let hints = Hints { game, on_board: None, file_name: &name };
        let mut failed = None;
        let mut each = |found: Result<Record, Fault>| {
            let found = found.map_err(|fault| fault.to_string());
            let written =
                found.and_then(|record| write(&record, format, &Registry).map_err(|problem| problem.to_string()));
            match written {
                Ok(text) => {
                    good += 1;
                    failed = out.write_all(text.as_bytes()).err();
                }
                Err(problem) => {
                    bad += 1;
                    log_bad(&name, &problem);
                }
            }
            failed.is_none()
        };
        read_file(source, &mut reader, &hints, path, &mut each)
            .map_err(|error| Problem::new(format!("{name}: {error}")))?;
        if let Some(error) = failed {
            return Err(error.into());
        }
    }
    out.flush()?;
    match bad {
        0 if good == 0 => Err(Problem::new("no game found").into()),
        0 => Ok(()),
        _ => Err(Problem::new(format!("{bad} of {} games could not be converted", good + bad)).into()),
    }
}

/// Tells what is wrong with a game. Nobody need listen.
fn log_bad(file: &str, problem: &str) {
    let _ = writeln!(io::stderr(), "{file}: {problem}");
}

/// Reads the games of a file.
pub(super) fn read_file(
    source: Box<dyn Read>,
    reader: &mut Reader<'_>,
    hints: &Hints<'_>,
    path: &Path,
    each: &mut dyn FnMut(Result<Record, Fault>) -> bool,
) -> io::Result<()> {
    reader.begin_file();
    let mut source = Utf8Reader::new(BufReader::new(source));
    let mut block = vec![0; BLOCK];
    let mut length = fill(&mut source, &mut block)?;
    let start = block[..length].trim_ascii_start();
    let is_tagged = start.starts_with(b"[") && start.get(1).is_some_and(u8::is_ascii_alphabetic);
    if !is_tagged {
        let mut bytes = block[..length].to_vec();
        source.read_to_end(&mut bytes)?;
        reader.read_file(&bytes, hints, &|ending| beside(path, ending), each);
        return Ok(());
    }
    let mut splitter = Splitter::default();
    let mut goes_on = true;
    while goes_on {
        splitter.push(&block[..length]);
        let is_end = length < block.len();
        while goes_on && let Some((line, game)) = splitter.next(is_end) {
            reader.read(&game, line, hints, &mut |found| {
                goes_on = each(found);
                goes_on
            });
        }
        if is_end {
            break;
        }
        length = fill(&mut source, &mut block)?;
    }
    Ok(())
}

/// Reads until the block is full or the source has ended.
fn fill(source: &mut dyn Read, block: &mut [u8]) -> io::Result<usize> {
    let mut length = 0;
    while length < block.len() {
        match source.read(&mut block[length..]) {
            Ok(0) => break,
            Ok(more) => length += more,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(length)
}

/// The bytes of the one file in the same folder that ends so, whatever the case: the names of players of a database of Thor.
fn beside(path: &Path, ending: &str) -> Option<Vec<u8>> {
    let folder = path.parent().filter(|folder| *folder != Path::new(""));
    let entries = std::fs::read_dir(folder.unwrap_or(Path::new("."))).ok()?;
    let is_wanted =
        |path: &Path| path.extension().and_then(OsStr::to_str).is_some_and(|own| own.eq_ignore_ascii_case(ending));
    let mut found: Vec<_> = entries.flatten().map(|entry| entry.path()).filter(|path| is_wanted(path)).collect();
    found.sort();
    let mut bytes = Vec::new();
    files::open(found.first()?).ok()?.read_to_end(&mut bytes).ok()?;
    Some(bytes)
}
