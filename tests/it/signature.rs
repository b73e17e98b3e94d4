//! The signature of the search: `griot bench` against `tests/signature.txt`.
//!
//! A change to the search that means to change it writes the new `Bench:` line into the file and into its commit message; any
//! other change leaves it alone.

use std::process::Command;

#[test]
fn the_search_does_what_the_signature_says() {
    let output = Command::new(env!("CARGO_BIN_EXE_griot")).arg("bench").output().unwrap();
    assert!(output.status.success());
    let text = String::from_utf8(output.stdout).unwrap();
    let line = text.lines().last().unwrap();
    let expected = std::fs::read_to_string("tests/signature.txt").unwrap();
    assert_eq!(line.strip_prefix("Bench: "), Some(expected.trim()), "the search has changed:\n{text}");
}
