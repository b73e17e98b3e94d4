//! What is given away: `.ci/dist` makes archives, wheels and checksums, of the programs that the tests have built.
//!
//! The test passes by where a tool that it takes is missing.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use crate::support::{Folder, stdout_of, workspace_program};

fn has(tool: &str) -> bool {
    Command::new(tool).arg("--version").output().is_ok_and(|output| output.status.success())
}

/// Makes the files in `folder`, and answers the checksums.
fn dist(programs: &Path, folder: &Path) -> String {
    let mut command = Command::new("bash");
    command.args([".ci/dist", "--prebuilt", &format!("x86_64={}", programs.display())]);
    // How small the files are is of no matter here, and making them small takes a minute.
    command.env("DIST", folder).env("SOURCE_DATE_EPOCH", "1700000000").env("DIST_COMPRESSION", "1");
    stdout_of(command.output().unwrap());
    fs::read_to_string(folder.join("SHA256SUMS")).unwrap()
}

#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
#[test]
fn archives_and_wheels_hold_the_programs_and_are_the_same_again() {
    if let Some(tool) = ["tar", "gzip", "strip", "sha256sum", "python3"].into_iter().find(|tool| !has(tool)) {
        println!("passed by: there is no {tool}");
        return;
    }
    let folder = Folder::new("dist");
    let built = folder.join("built");
    fs::create_dir(&built).unwrap();
    for program in
        [Path::new(env!("CARGO_BIN_EXE_griot")), &workspace_program("griot-match"), &workspace_program("griot-board")]
    {
        // A link, for what is built is large.
        std::os::unix::fs::symlink(program, built.join(program.file_name().unwrap())).unwrap();
    }
    let out = folder.join("out");
    let sums = dist(&built, &out);
    let version = env!("CARGO_PKG_VERSION");
    let names: BTreeSet<&str> = sums.lines().map(|line| line.split("  ").nth(1).unwrap()).collect();
    let archive = format!("griot-{version}-x86_64-linux.tar.gz");
    assert!(names.contains(archive.as_str()), "{sums}");
    assert!(names.contains(format!("griot-{version}-py3-none-any.whl").as_str()), "{sums}");
    assert!(names.iter().any(|name| name.contains("-py3-none-manylinux_2_")), "{sums}");
    assert_eq!(names.len(), 3, "{sums}");
    assert!(
        Command::new("sha256sum")
            .args(["--check", "--quiet", "SHA256SUMS"])
            .current_dir(&out)
            .status()
            .unwrap()
            .success()
    );

    // Unpacked into a prefix it works there.
    let root = folder.join("root");
    fs::create_dir(&root).unwrap();
    let unpacked = Command::new("tar").arg("-xzf").arg(out.join(&archive)).arg("-C").arg(&root).status();
    assert!(unpacked.unwrap().success());
    let root = root.join(format!("griot-{version}-x86_64-linux"));
    for program in ["griot", "griot-match"] {
        let said = stdout_of(Command::new(root.join("bin").join(program)).arg("--version").output().unwrap());
        assert_eq!(said, format!("{program} {version}\n"));
    }
    for file in [
        "bin/griot-board",
        "share/man/man1/griot-play.1",
        "share/zsh/site-functions/_griot",
        "share/doc/griot/LICENSE-MIT",
    ] {
        assert!(root.join(file).exists(), "{file}");
    }
    assert_eq!(dist(&built, &out), sums, "the same programs make the same files");
}
