//! What is given away: `.ci/dist` makes archives, wheels, installers and manifests of the programs that the tests have built.
//!
//! The programs of other systems are stood in for by the same ones. The test passes by where a tool that it takes is missing.

#![cfg(all(target_os = "linux", target_arch = "x86_64"))]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::process::Command;

use griot_testing::left_to_the_full_run;
use serde_json::Value;

use crate::support::{Folder, stdout_of, workspace_program};

const VERSION: &str = env!("CARGO_PKG_VERSION");
const URL: &str = "https://example.org/griot/releases/download/v1";

fn has(tool: &str) -> bool {
    Command::new(tool).arg("--version").output().is_ok_and(|output| output.status.success())
}

/// Makes the files in `folder` of the programs in `built`, for these targets; answers their checksums by their names.
fn dist(built: &Path, folder: &Path, targets: &[&str]) -> (BTreeMap<String, String>, String) {
    let mut command = Command::new("python3");
    command.arg(".ci/dist").env("DIST", folder).env("DIST_URL", URL).env("SOURCE_DATE_EPOCH", "1700000000");
    // How small the files are is of no matter here, and making them small takes a minute.
    command.env("DIST_COMPRESSION", "1").env_remove("GITHUB_REPOSITORY");
    for target in targets {
        command.arg(format!("--prebuilt={target}={}", built.display()));
    }
    let said = stdout_of(command.output().unwrap());
    let sums = fs::read_to_string(folder.join("SHA256SUMS")).unwrap();
    let pair = |line: &str| line.split_once("  ").map(|(sum, name)| (name.to_owned(), sum.to_owned())).unwrap();
    (sums.lines().map(pair).collect(), said)
}

/// The programs without what is for debuggers, under the names that they have on Unix and on Windows.
fn stripped(folder: &Path) {
    fs::create_dir(folder).unwrap();
    for name in ["griot", "griot-match", "griot-board"] {
        let program = folder.join(name);
        let stripped = Command::new("strip").arg("-o").arg(&program).arg(workspace_program(name)).status();
        assert!(stripped.unwrap().success());
        fs::hard_link(&program, folder.join(format!("{name}.exe"))).unwrap();
    }
}

#[test]
fn archives_wheels_and_manifests_are_made_by_one_command() {
    if let Some(tool) = ["tar", "strip", "sha256sum", "python3", "curl"].into_iter().find(|tool| !has(tool)) {
        println!("passed by: there is no {tool}");
        return;
    }
    let folder = Folder::new("dist");
    let built = folder.join("built");
    stripped(&built);
    let out = folder.join("out");
    let all = ["x86_64-linux", "aarch64-linux", "x86_64-windows", "aarch64-windows", "x86_64-macos", "aarch64-macos"];
    let (sums, said) = dist(&built, &out, &all);
    assert!(!said.contains("left out"), "{said}");
    let names: BTreeSet<&str> = sums.keys().map(String::as_str).collect();
    let archive = |target: &str, ending: &str| format!("griot-{VERSION}-{target}.{ending}");
    for (target, ending) in all.into_iter().zip(["tar.gz", "tar.gz", "zip", "zip", "tar.gz", "tar.gz"]) {
        assert!(names.contains(archive(target, ending).as_str()), "{target}: {names:?}");
    }
    for name in [
        format!("griot-{VERSION}-py3-none-any.whl"),
        format!("griot-{VERSION}.cdx.json"),
        "griot-installer.sh".into(),
        "griot-installer.ps1".into(),
        "griot.rb".into(),
        "griot.json".into(),
        "griot.griot.yaml".into(),
        "griot.griot.installer.yaml".into(),
        "griot.griot.locale.en-US.yaml".into(),
    ] {
        assert!(names.contains(name.as_str()), "{name}: {names:?}");
    }
    // The stand-ins are all programs of one system, so there is one wheel with an engine.
    assert_eq!(names.iter().filter(|name| name.contains("-manylinux_2_")).count(), 1, "{names:?}");
    let check = Command::new("sha256sum").args(["--check", "--quiet", "SHA256SUMS"]).current_dir(&out).status();
    assert!(check.unwrap().success());

    check_archives(&folder, &out);
    check_manifests(&out, &sums);
    check_bill(&out.join(format!("griot-{VERSION}.cdx.json")));
    check_installer(&folder, &out);
    check_binstall(&sums);

    if left_to_the_full_run() {
        return;
    }
    // The same programs make the same files; the stand-ins' wheels have one name. Without an archive nothing is promised that needs
    // it.
    let (fewer, said) = dist(&built, &out, &["x86_64-linux", "x86_64-windows"]);
    let is_other = |name: &str| name.starts_with("griot-installer") || name.contains("-manylinux_");
    for (name, sum) in fewer.iter().filter(|(name, _)| !is_other(name)) {
        assert_eq!(Some(sum), sums.get(name), "{name}");
    }
    assert!(
        said.contains("left out: griot.rb: there is no archive for aarch64-linux, aarch64-macos, x86_64-macos"),
        "{said}"
    );
    assert!(fewer.contains_key("griot-installer.sh") && !fewer.contains_key("griot.rb"), "{fewer:?}");
}

/// Unpacked into a prefix, an archive of Unix works there; one of Windows is a folder with the programs in it.
fn check_archives(folder: &Folder, out: &Path) {
    let root = folder.join("root");
    fs::create_dir(&root).unwrap();
    let linux = format!("griot-{VERSION}-x86_64-linux");
    let unpacked =
        Command::new("tar").arg("-xzf").arg(out.join(format!("{linux}.tar.gz"))).arg("-C").arg(&root).status();
    assert!(unpacked.unwrap().success());
    for program in ["griot", "griot-match"] {
        let said =
            stdout_of(Command::new(root.join(&linux).join("bin").join(program)).arg("--version").output().unwrap());
        assert_eq!(said, format!("{program} {VERSION}\n"));
    }
    for file in [
        "bin/griot-board",
        "share/man/man1/griot-play.1",
        "share/zsh/site-functions/_griot",
        "share/bash-completion/completions/griot",
        "share/doc/griot/LICENSE-MIT",
    ] {
        assert!(root.join(&linux).join(file).exists(), "{file}");
    }
    let libraries = fs::read_to_string(root.join(&linux).join("share/doc/griot/LICENSES-OF-LIBRARIES.txt")).unwrap();
    assert!(libraries.contains("\ncozy-chess 0.3.4 (MIT)\n") && libraries.contains("Permission is hereby granted"));
    assert!(!libraries.contains("\nproptest "), "what only the tests need is not given away");

    let script = "import sys, zipfile; print('\\n'.join(zipfile.ZipFile(sys.argv[1]).namelist()))";
    let zip = out.join(format!("griot-{VERSION}-x86_64-windows.zip"));
    let listed = stdout_of(Command::new("python3").args(["-c", script]).arg(zip).output().unwrap());
    for file in ["griot.exe", "griot-match.exe", "griot-board.exe", "README.md", "LICENSE-MIT", "completions/griot.ps1"]
    {
        assert!(listed.contains(&format!("griot-{VERSION}-x86_64-windows/{file}\n")), "{file}: {listed}");
    }
}

/// Every manifest names the archive of its system with its checksum, and nothing is left of the templates.
fn check_manifests(out: &Path, sums: &BTreeMap<String, String>) {
    let text = |name: &str| fs::read_to_string(out.join(name)).unwrap();
    let has_archives = |name: &str, targets: &[&str]| {
        let text = text(name);
        assert!(!text.contains("_sha256@") && !text.contains("@version@"), "{name}: {text}");
        for target in targets {
            let (archive, sum) = sums.iter().find(|(archive, _)| archive.contains(target)).unwrap();
            // An installer puts the name together.
            let is_named = text.contains(&format!("{URL}/{archive}")) || name.starts_with("griot-installer");
            assert!(text.contains(URL) && is_named && text.contains(sum), "{name} {target}: {text}");
        }
    };
    has_archives("griot.rb", &["x86_64-macos", "aarch64-macos", "x86_64-linux", "aarch64-linux"]);
    has_archives("griot.json", &["x86_64-windows", "aarch64-windows"]);
    has_archives("griot.griot.installer.yaml", &["x86_64-windows", "aarch64-windows"]);
    has_archives("griot-installer.sh", &["x86_64-macos", "aarch64-macos", "x86_64-linux", "aarch64-linux"]);
    has_archives("griot-installer.ps1", &["x86_64-windows", "aarch64-windows"]);

    // CITE: Scoop, "App Manifests".
    let scoop: Value = serde_json::from_str(&text("griot.json")).unwrap();
    assert_eq!((&scoop["version"], &scoop["license"]), (&VERSION.into(), &"MIT OR Apache-2.0".into()));
    assert_eq!(scoop["bin"].as_array().unwrap().len(), 3);
    assert_eq!(scoop["architecture"].as_object().unwrap().len(), 2);
    // CITE: Microsoft, "Windows Package Manager manifest schema 1.6.0": the keys that each file must have.
    for (name, kind, keys) in [
        ("griot.griot.yaml", "version", &["DefaultLocale"][..]),
        ("griot.griot.installer.yaml", "installer", &["Installers", "InstallerType", "NestedInstallerType"]),
        (
            "griot.griot.locale.en-US.yaml",
            "defaultLocale",
            &["PackageLocale", "Publisher", "PackageName", "License", "ShortDescription"],
        ),
    ] {
        let text = text(name);
        let value = |key: &str| text.lines().find_map(|line| line.strip_prefix(&format!("{key}:"))).map(str::trim);
        assert_eq!(value("ManifestType"), Some(kind), "{name}");
        assert_eq!(
            (value("PackageIdentifier"), value("ManifestVersion")),
            (Some("griot.griot"), Some("1.6.0")),
            "{name}"
        );
        assert_eq!(value("PackageVersion"), Some(VERSION), "{name}");
        assert!(keys.iter().all(|key| value(key).is_some()), "{name}: {text}");
    }
    if has("ruby") {
        assert!(Command::new("ruby").arg("-c").arg(out.join("griot.rb")).output().unwrap().status.success());
    }
    if has("shellcheck") {
        let checked = Command::new("shellcheck").arg(out.join("griot-installer.sh")).output().unwrap();
        assert!(checked.status.success(), "{}", String::from_utf8_lossy(&checked.stdout));
    }
}

fn check_bill(path: &Path) {
    let bill: Value = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    assert_eq!((&bill["bomFormat"], &bill["specVersion"]), (&"CycloneDX".into(), &"1.5".into()));
    let components = bill["components"].as_array().unwrap();
    let chess = components.iter().find(|component| component["name"] == "cozy-chess").unwrap();
    assert_eq!(chess["purl"], "pkg:cargo/cozy-chess@0.3.4");
    assert_eq!(chess["hashes"][0]["content"].as_str().unwrap().len(), 64);
    assert!(components.iter().all(|component| component["licenses"][0]["expression"].is_string()), "{components:?}");
    assert!(components.iter().all(|component| component["name"] != "proptest"));
}

/// What `cargo binstall` would download is there, for each target that it asks for.
fn check_binstall(sums: &BTreeMap<String, String>) {
    let metadata =
        Command::new(env!("CARGO")).args(["metadata", "--no-deps", "--format-version", "1"]).output().unwrap();
    let metadata: Value = serde_json::from_str(&stdout_of(metadata)).unwrap();
    let griot = metadata["packages"].as_array().unwrap().iter().find(|package| package["name"] == "griot").unwrap();
    let targets = griot["metadata"]["binstall"]["overrides"].as_object().unwrap();
    let mut archives = BTreeSet::new();
    for (target, given) in targets {
        let url = given["pkg-url"].as_str().unwrap().replace("{ version }", VERSION);
        let name = url.strip_prefix(&format!("{{ repo }}/releases/download/v{VERSION}/")).unwrap();
        assert!(sums.contains_key(name), "{target}: {name}");
        let is_zip = name.ends_with(".zip");
        assert_eq!(given["pkg-fmt"] == "zip", is_zip, "{target}");
        let root = name.trim_end_matches(".zip").trim_end_matches(".tar.gz");
        let program = if is_zip { "{ bin }{ binary-ext }" } else { "bin/{ bin }{ binary-ext }" };
        let folder = given["bin-dir"].as_str().unwrap().replace("{ version }", VERSION);
        assert_eq!(folder, format!("{root}/{program}"), "{target}");
        archives.insert(name.to_owned());
    }
    assert_eq!((targets.len(), archives.len()), (8, 6));
}

/// The installer for Unix downloads, checks and unpacks, and refuses what has another checksum.
fn check_installer(folder: &Folder, out: &Path) {
    let prefix = folder.join("a prefix");
    let from = |place: &Path| {
        Command::new("sh")
            .arg(out.join("griot-installer.sh"))
            .env("GRIOT_DOWNLOAD", format!("file://{}", place.display()))
            .env("GRIOT_PREFIX", &prefix)
            .output()
            .unwrap()
    };
    let said = stdout_of(from(out));
    assert!(said.contains(&format!("griot {VERSION}")) && said.contains("is not in PATH"), "{said}");
    let version = stdout_of(Command::new(prefix.join("bin/griot")).arg("--version").output().unwrap());
    assert_eq!(version, format!("griot {VERSION}\n"));
    assert!(prefix.join("share/man/man1/griot.1").exists());
    let other = folder.join("other");
    fs::create_dir(&other).unwrap();
    fs::write(other.join(format!("griot-{VERSION}-x86_64-linux.tar.gz")), "another file").unwrap();
    let refused = from(&other);
    let errors = String::from_utf8_lossy(&refused.stderr);
    assert!(!refused.status.success() && errors.contains("expected the checksum "), "{errors}");
}
