//! The programs of the workspace, built and found.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::{Mutex, PoisonError};

/// What is built by now.
static BUILT: Mutex<Option<HashSet<String>>> = Mutex::new(None);

/// The top folder of the workspace.
pub fn workspace() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

/// The program of the example `name`, built with the profile of the running test.
///
/// `cargo test` builds the unit tests of an example that has any, but not its program.
pub fn workspace_example(name: &str) -> PathBuf {
    built(&["--example", name], name, "examples")
}

/// The program `name` of any package of the workspace, built with the profile of the running test.
///
/// An example is built along with it: cargo then unifies features as it does for the tests, and does not compile the library twice.
pub fn workspace_program(name: &str) -> PathBuf {
    built(&["--bin", name, "--example", "drive"], name, "")
}

/// The folder of the profile that the running test was built with, such as `target/debug`. A test program is in its `deps`.
fn profile_folder() -> PathBuf {
    let test = std::env::current_exe().expect("a test has a path");
    let deps = test.parent().expect("a program is in a folder");
    deps.parent().expect("deps is in the folder of a profile").to_owned()
}

/// The folder for files of tests, inside cargo's target directory.
pub(crate) fn temporary_folder() -> PathBuf {
    profile_folder().with_file_name("tmp")
}

/// Has cargo build what is `wanted`, once; `name` is then to be found in `folder`.
fn built(wanted: &[&str], name: &str, folder: &str) -> PathBuf {
    let directory = profile_folder();
    let profile = match directory.file_name().and_then(|name| name.to_str()) {
        Some("debug") | None => "dev",
        Some(profile) => profile,
    };
    let program = directory.join(folder).join(format!("{name}{}", std::env::consts::EXE_SUFFIX));
    let mut built = BUILT.lock().unwrap_or_else(PoisonError::into_inner);
    if !built.get_or_insert_default().insert(name.to_owned()) {
        return program;
    }
    let status = Command::new(env!("CARGO"))
        .args(["build", "--quiet"])
        .args(wanted)
        .args(["--profile", profile, "--target-dir"])
        .arg(directory.parent().expect("the folder of a profile is in the target directory"))
        .current_dir(workspace())
        .status()
        .expect("cargo runs");
    assert!(status.success(), "{name} does not build");
    program
}

/// What a run wrote to stdout; a failed run ends the test with everything it said.
pub fn stdout_of(output: Output) -> String {
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{}\n{said}{}", output.status, String::from_utf8_lossy(&output.stderr));
    said
}
