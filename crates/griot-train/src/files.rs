//! Games in files: existing games are not played again, so a run can be interrupted and resumed.

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Instant;

use griot::game::mix64;
use indicatif::{ProgressBar, ProgressStyle};

/// Plays the games of each missing file; returns the files that then exist. `play` makes the bytes of a file by its number; files
/// not started by `until` are left out.
pub fn play(
    files: &[PathBuf],
    title: String,
    threads: usize,
    until: Option<Instant>,
    play: impl Fn(usize) -> Result<Vec<u8>, String> + Sync,
) -> Result<Vec<PathBuf>, Box<dyn Error>> {
    let style = ProgressStyle::with_template("{prefix} {bar:40} {pos}/{len} files, {eta} left")?;
    let bar = ProgressBar::new(files.len() as u64).with_style(style).with_prefix(title);
    let next = AtomicUsize::new(0);
    let failure = Mutex::new(None);
    thread::scope(|scope| {
        for _ in 0..threads.max(1) {
            scope.spawn(|| {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    let Some(file) = files.get(number) else { return };
                    let is_over = until.is_some_and(|until| Instant::now() >= until);
                    if !file.exists()
                        && !is_over
                        && let Err(error) = play(number).and_then(|bytes| write(file, &bytes))
                    {
                        *failure.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
                        return;
                    }
                    bar.inc(1);
                }
            });
        }
    });
    bar.finish();
    match failure.into_inner().unwrap_or_else(PoisonError::into_inner) {
        Some(error) => Err(error.into()),
        None => Ok(files.iter().filter(|file| file.exists()).cloned().collect()),
    }
}

/// One file in this many is held out for validation.
pub const HELD_OUT: usize = 20;

/// The files of games in a directory, of earlier rounds too, in the order of their names.
pub fn files(dir: &Path) -> Result<Vec<PathBuf>, Box<dyn Error>> {
    let read = || fs::read_dir(dir)?.map(|entry| entry.map(|entry| entry.path())).collect::<Result<Vec<_>, _>>();
    let found = read().map_err(|error| format!("{}: {error}", dir.display()))?;
    let mut files: Vec<PathBuf> = found.into_iter().filter(|file| number_of(file).is_some()).collect();
    files.sort();
    Ok(files)
}

/// Whether a file of games is held out.
pub fn is_held_out(file: &Path) -> bool {
    number_of(file).is_some_and(|number| number.is_multiple_of(HELD_OUT))
}

/// The number of a file of games in its round, if it is one.
fn number_of(file: &Path) -> Option<usize> {
    let name = file.file_name()?.to_str()?.strip_prefix("games-")?.strip_suffix(".txt")?;
    name.rsplit('-').next()?.parse().ok()
}

/// A hash of a network. It stands in the names of files, as games by another network are different games.
pub fn hash_of_player(network: &[i16]) -> u64 {
    network.iter().fold(0, |sum, number| mix64(sum ^ u64::from(number.cast_unsigned()))) >> 32
}

/// Writes a file, all or nothing.
pub fn write(file: &Path, bytes: &[u8]) -> Result<(), String> {
    let unfinished = file.with_extension("part");
    fs::write(&unfinished, bytes)
        .and_then(|()| fs::rename(&unfinished, file))
        .map_err(|error| format!("{}: {error}", file.display()))
}
