//! A folder for the files of one test, gone when the test ends.

use std::fs;
use std::path::{Path, PathBuf};

/// The folder.
pub struct Folder(PathBuf);

impl Folder {
    /// An empty folder; `name` tells tests of one process apart.
    pub fn new(name: &str) -> Folder {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    /// The path of a file in it.
    pub fn join(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
