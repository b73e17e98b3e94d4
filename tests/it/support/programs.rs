//! What the tests of the other programs share: the programs, built and found.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::Mutex;

/// What is built by now.
static BUILT: Mutex<Option<HashSet<String>>> = Mutex::new(None);

/// The program of example `name`, built by the profile of this test.
///
/// `cargo test` builds the tests of an example that has any, but not its program.
pub fn example(name: &str) -> PathBuf {
    built(&["--example", name], name, "examples")
}

/// The program `name` of another package of the workspace, built by the profile of this test.
///
/// An example is built along: then cargo takes what only tests need into account, and the library as they have built it, and does not
/// compile another one.
pub fn product(name: &str) -> PathBuf {
    built(&["--bin", name, "--example", "drive"], name, "")
}

/// Has cargo build what is `wanted`, once; `name` is then to be found in `folder`.
fn built(wanted: &[&str], name: &str, folder: &str) -> PathBuf {
    let directory = Path::new(env!("CARGO_BIN_EXE_griot")).parent().unwrap();
    let profile = match directory.file_name().unwrap().to_str().unwrap() {
        "debug" => "dev",
        profile => profile,
    };
    let program = directory.join(folder).join(format!("{name}{}", std::env::consts::EXE_SUFFIX));
    let mut built = BUILT.lock().unwrap();
    if !built.get_or_insert_default().insert(name.to_owned()) {
        return program;
    }
    let status = Command::new(env!("CARGO"))
        .args(["build", "--quiet"])
        .args(wanted)
        .args(["--profile", profile, "--target-dir"])
        .arg(directory.parent().unwrap())
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .status()
        .unwrap();
    assert!(status.success(), "{name} does not build");
    program
}

/// What a run wrote to stdout; a failed run ends the test with everything it said.
pub fn stdout_of(output: Output) -> String {
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{}\n{said}{}", output.status, String::from_utf8_lossy(&output.stderr));
    said
}
