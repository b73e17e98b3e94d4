//! Completions and manual pages: made from the same command line that is parsed.

use std::fs;
use std::process::{Command, Stdio};

use crate::support::{Folder, stdout_of};

fn griot(arguments: &[&str]) -> String {
    stdout_of(Command::new(env!("CARGO_BIN_EXE_griot")).args(arguments).output().unwrap())
}

#[test]
fn every_shell_gets_completions_of_its_own() {
    for (shell, part) in [
        ("bash", "complete -F _griot "),
        ("zsh", "#compdef griot\n"),
        ("fish", "complete -c griot "),
        ("powershell", "Register-ArgumentCompleter -Native -CommandName 'griot'"),
        ("elvish", "set edit:completion:arg-completer[griot]"),
    ] {
        let script = griot(&["completions", shell]);
        for part in [part, "tablebase", "analyse", "movetime", "multipv"] {
            assert!(script.contains(part), "{shell}: {part}");
        }
    }
    let output = Command::new(env!("CARGO_BIN_EXE_griot")).args(["completions", "tcsh"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
}

/// Bash itself completes by what was printed.
#[test]
fn bash_completes_subcommands_and_flags() {
    if Command::new("bash").arg("--version").stdout(Stdio::null()).status().is_err() {
        return;
    }
    let folder = Folder::new("completions");
    let script = folder.join("griot.bash");
    fs::write(&script, griot(&["completions", "bash"])).unwrap();
    let asks = "source \"$1\"; shift; COMP_WORDS=(griot \"$@\"); COMP_CWORD=$#; \
                _griot griot \"${@: -1}\" \"${@: -2:1}\"; echo \"${COMPREPLY[@]}\"";
    for (words, completed) in [
        (&["ana"][..], "analyse"),
        (&["tablebase", "ver"], "verify"),
        (&["play", "--lev"], "--level"),
        (&["play", "--side", ""], "first second white black both none"),
        (&["play", "--game", "oth"], "othello"),
        (&["play", "oth"], "othello"),
        (&["solve", "--game", "aw"], "awale awale:awari awale:tipe awale:mini"),
        (&["play", "--level", "2"], "2 20"),
        (
            &["--option", "SkillLevel=1"],
            "SkillLevel=1 SkillLevel=10 SkillLevel=11 SkillLevel=12 SkillLevel=13 SkillLevel=14 SkillLevel=15 SkillLevel=16 SkillLevel=17 SkillLevel=18 SkillLevel=19",
        ),
        (
            &["--option", "Algo"],
            "Algorithm=alphabeta Algorithm=negabeta Algorithm=negamax Algorithm=minimax Algorithm=mcts",
        ),
        (&["--dialect", "g"], "gtp gomocup"),
        // Nothing is offered where no file is meant.
        (&["play", "--movetime", ""], ""),
        (&["perft", "--fen", ""], ""),
    ] {
        let output = Command::new("bash").args(["-c", asks, "bash"]).arg(&script).args(words).output().unwrap();
        assert_eq!(stdout_of(output).trim(), completed, "{words:?}");
    }
}

#[test]
fn the_manual_page_tells_of_flags_and_subcommands() {
    let page = griot(&["man"]);
    assert!(page.contains(".TH griot 1"), "{page}");
    for part in ["\\-\\-dialect", "griot\\-tablebase", "Examples"] {
        assert!(page.contains(part), "{part}: {page}");
    }
}

#[test]
fn pages_of_all_subcommands_go_into_a_folder() {
    let folder = Folder::new("man");
    let pages = folder.join("share/man1");
    assert_eq!(griot(&["man", "--out", pages.to_str().unwrap()]), "");
    for (name, part) in [
        ("griot.1", "\\-\\-game"),
        ("griot-analyse.1", "\\-\\-resume"),
        ("griot-tablebase-build.1", "\\-\\-seeds"),
        ("griot-play.1", "\\-\\-movetime"),
        ("griot-options.1", "size of the transposition table in MiB"),
    ] {
        let page = fs::read_to_string(pages.join(name)).unwrap();
        assert!(page.contains(part), "{name}: {page}");
    }
    let output = Command::new(env!("CARGO_BIN_EXE_griot")).args(["man", "--out"]).arg(pages.join("griot.1")).output();
    let output = output.unwrap();
    let err = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.code() == Some(2) && err.contains("griot.1: "), "{err}");
}
