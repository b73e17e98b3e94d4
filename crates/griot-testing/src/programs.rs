//! The programs of the workspace, built and found.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::Once;

/// What `cargo test` builds, so that there is nothing left to build after it: with these together cargo unifies features as it does
/// for the tests, and compiles the library once.
const PROGRAMS: [&str; 5] =
    ["--bin=griot", "--bin=griot-match", "--bin=griot-board", "--example=add_a_game", "--example=drive"];

/// The programs are built, or found to be up to date, once in a test binary.
static BUILT: Once = Once::new();

/// The top folder of the workspace.
pub fn workspace() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

/// The program of the example `name`, built with the profile of the running test.
pub fn workspace_example(name: &str) -> PathBuf {
    built(name, "examples")
}

/// The program `name` of any package of the workspace, built with the profile of the running test.
pub fn workspace_program(name: &str) -> PathBuf {
    built(name, "")
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

/// The program `name` in `folder`, after cargo has built [`PROGRAMS`]: a test of one package may run alone. With `GRIOT_BUILT` in
/// the environment they are there already, as where Wine runs what was built on Linux.
fn built(name: &str, folder: &str) -> PathBuf {
    let directory = profile_folder();
    BUILT.call_once(|| {
        if std::env::var_os("GRIOT_BUILT").is_some() {
            return;
        }
        let profile = match directory.file_name().and_then(|name| name.to_str()) {
            Some("debug") | None => "dev",
            Some(profile) => profile,
        };
        let status = Command::new(env!("CARGO"))
            .args(["build", "--quiet"])
            .args(PROGRAMS)
            .args(["--profile", profile, "--target-dir"])
            .arg(directory.parent().expect("the folder of a profile is in the target directory"))
            .current_dir(workspace())
            .status()
            .expect("cargo runs");
        assert!(status.success(), "the programs do not build");
    });
    directory.join(folder).join(format!("{name}{}", std::env::consts::EXE_SUFFIX))
}

/// What a run wrote to stdout; a failed run ends the test with everything it said.
pub fn stdout_of(output: Output) -> String {
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{}\n{said}{}", output.status, String::from_utf8_lossy(&output.stderr));
    said
}
