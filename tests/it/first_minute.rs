//! The first minute: the commands of README.md run as they stand, one block after the other, in a fresh home.
//!
//! The programs that the tests have built stand first on the path, and a `cargo` that builds nothing: `cargo run` starts what was
//! built, `cargo install` and `cargo build` check that there is such a package. Where the blocks run, the folders of the repository
//! are to be found, and what README.md takes for granted: a file of positions, and the engines `new` and `old`.
//!
//! Not run, and why:
//!
//! - `cargo test`: it is what runs this test;
//! - `griot-board`, and `cargo run -p griot-board`: they serve until they are ended, at a port that may be taken. That they start is
//!   shown by `griot-board::`, at a port of their own; that they can be told so here, by `--help`;
//! - `griot-match … --games 20000`: it takes hours. It is ended after the first games, and must have played some;
//! - blocks of Python: `python/tests/test_docs.py` runs them;
//! - what stands in the tables: programs of others.

#![cfg(target_os = "linux")]

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::process::{Command, Stdio};

use crate::support::{Folder, workspace_example, workspace_program};

/// The shell blocks of a page.
fn blocks(page: &str) -> Vec<String> {
    let mut blocks = Vec::new();
    let mut block: Option<String> = None;
    for line in page.lines() {
        match (&mut block, line) {
            (None, "```sh") => block = Some(String::new()),
            (Some(_), "```") => blocks.extend(block.take()),
            (Some(text), line) => *text += &format!("{line}\n"),
            (None, _) => {}
        }
    }
    blocks
}

/// The commands of a block: lines, joined where they go on.
fn commands(block: &str) -> Vec<String> {
    let joined = block.replace("\\\n", " ");
    joined.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')).map(str::to_owned).collect()
}

/// A `cargo` that runs and checks what was built already.
const CARGO: &str = r#"#!/bin/sh
set -eu
case "$1" in
test) exit 0 ;;
install)
    [ "$2" = --path ] && grep -q '^name = ' "$3/Cargo.toml" ;;
build)
    case "$*" in
    *"--example add_a_game"*) mkdir -p target/release/examples && ln -sf "$BUILT/add_a_game" target/release/examples/ ;;
    esac ;;
run)
    case "$*" in
    "run --release") exec griot ;;
    "run --release --example add_a_game") exec add_a_game ;;
    "run --release -p griot-board -- --engine "*) test -x "$7" && exec griot-board --help ;;
    *) echo "no such cargo run: $*" >&2; exit 1 ;;
    esac ;;
*) echo "no such cargo: $*" >&2; exit 1 ;;
esac
"#;

/// Runs a command as it stands; answers how it ended and what it said.
fn run(command: &str, folder: &Path, path: &str) -> (Option<i32>, String) {
    let script = match command.split(' ').next() {
        // Ended as Ctrl-C would once a game is told of, which is no failure of it.
        Some("griot-match") => format!(
            r#"
            coproc timeout --signal=INT 60 {command} 2>&1
            while read -r line <&"${{COPROC[0]}}"; do
                echo "$line"
                case $line in *"/20000: "*) kill -INT $COPROC_PID 2>/dev/null || true ;; esac
            done
            "#
        ),
        Some("griot-board") => command.replacen("griot-board", "griot-board --help", 1),
        _ => command.to_owned(),
    };
    let mut shell = Command::new("bash");
    shell.args(["-euo", "pipefail", "-c", &script]).current_dir(folder.join("griot")).stdin(Stdio::null());
    shell.env_clear().env("PATH", path).env("HOME", folder.join("home")).env("BUILT", folder.join("bin"));
    let output = shell.output().unwrap();
    (
        output.status.code(),
        String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr),
    )
}

#[test]
fn every_command_of_the_readme_runs_as_it_stands_in_a_fresh_home() {
    let folder = Folder::new("first-minute");
    let (bin, checkout) = (folder.join("bin"), folder.join("griot"));
    for made in [&bin, &checkout, &folder.join("home")] {
        fs::create_dir(made).unwrap();
    }
    let griot = Path::new(env!("CARGO_BIN_EXE_griot"));
    for program in
        [griot, &workspace_program("griot-match"), &workspace_program("griot-board"), &workspace_example("add_a_game")]
    {
        symlink(program, bin.join(program.file_name().unwrap())).unwrap();
    }
    fs::write(bin.join("cargo"), CARGO).unwrap();
    fs::set_permissions(bin.join("cargo"), fs::Permissions::from_mode(0o755)).unwrap();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for name in ["Cargo.toml", "crates", "examples", "python", "src", "docs"] {
        symlink(root.join(name), checkout.join(name)).unwrap();
    }
    for name in ["new", "old"] {
        symlink(griot, checkout.join(name)).unwrap();
    }
    fs::write(checkout.join("positions.txt"), "tictactoe||b2\nawale||C f\n").unwrap();
    let path = format!("{}:/usr/local/bin:/usr/bin:/bin", bin.display());

    let readme = fs::read_to_string("README.md").unwrap();
    let mut ran = 0;
    for command in blocks(&readme).iter().flat_map(|block| commands(block)) {
        if ["pip ", "docker ", ".ci/dist"].iter().any(|start| command.starts_with(start)) {
            // They build for minutes, with a network; `dist::`, and CI_FULL, have them.
            continue;
        }
        let (code, said) = run(&command, &folder.join(""), &path);
        assert_eq!(code, Some(0), "{command}\n{said}");
        assert!(!said.contains("error:"), "{command}\n{said}");
        // Each says something, but what installs and builds, and what writes a file.
        assert!(command.starts_with("cargo ") || command.contains("--resume") || !said.is_empty(), "{command}");
        assert!(!command.starts_with("griot-match") || said.contains("/20000: "), "{command}\n{said}");
        ran += 1;
    }
    assert!(ran >= 12, "only {ran} commands: is this test still reading the page?");
    assert!(fs::read_to_string(checkout.join("answers.jsonl")).unwrap().lines().count() == 2);
}

/// What the table of front ends tells people to enter.
#[test]
fn every_griot_that_a_front_end_is_told_to_start_starts() {
    let readme = fs::read_to_string("README.md").unwrap();
    let told: Vec<&str> = readme.split('`').skip(1).step_by(2).filter(|code| code.starts_with("griot -")).collect();
    assert!(told.len() >= 2, "{told:?}");
    for code in told {
        let arguments = code.split(' ').skip(1);
        let output = Command::new(env!("CARGO_BIN_EXE_griot")).args(arguments).stdin(Stdio::null()).output().unwrap();
        assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(0), &b""[..]), "{code}");
    }
}
