//! `griot doctor`, and programs whose file name chooses the dialect or the game.

use std::fs;
use std::process::Command;

use crate::support::{Folder, Talk, stdout_of};

fn doctor(folder: &Folder, tables: &str) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_griot"));
    command.arg("doctor").env("PATH", folder.join("bin")).env("GRIOT_TABLES", tables);
    stdout_of(command.output().unwrap())
}

#[test]
fn doctor_tells_version_tables_dialects_and_front_ends() {
    let folder = Folder::new("doctor");
    fs::create_dir(folder.join("bin")).unwrap();
    fs::create_dir(folder.join("tables")).unwrap();
    let tables = folder.join("tables").display().to_string();
    let text = doctor(&folder, &tables);
    assert!(text.starts_with(&format!("griot {} for ", env!("CARGO_PKG_VERSION"))), "{text}");
    assert!(text.contains(&format!("\ntables: {tables}: no tables yet\n")), "{text}");
    assert!(text.contains("\ndialects: ugi, uci, gtp, gomocup, nboard"), "{text}");
    fs::write(folder.join("bin/cutechess-cli"), "").unwrap();
    assert!(text.contains("\nlarger tables: awale ") && text.contains(" build --game awale --seeds 20\n"), "{text}");
    fs::write(folder.join("tables/awale-20.tb"), "12345").unwrap();
    let text = doctor(&folder, &tables);
    assert!(text.contains(&format!("\ntables: {tables}: 1 file, 5 bytes\n")), "{text}");
    assert!(!text.contains("larger tables"), "{text}");
    let found =
        format!("\ncutechess-cli ({}): cutechess-cli -engine cmd=", folder.join("bin").join("cutechess-cli").display());
    assert!(text.contains(&found) && !text.contains("none found"), "{text}");
    assert!(doctor(&folder, "").contains("\ntables: none are kept"));
}

/// A chess program that starts griot as it is would have an engine of awalé.
#[test]
fn doctor_has_chess_programs_start_griot_with_chess() {
    let folder = Folder::new("doctor-chess");
    fs::create_dir(folder.join("bin")).unwrap();
    for program in ["arena", "en-croissant", "banksiagui", "scid", "pychess", "Yixin"] {
        fs::write(folder.join("bin").join(program), "").unwrap();
    }
    let text = doctor(&folder, "");
    let entry = |name: &str| text.lines().find(|line| line.starts_with(&format!("{name} ("))).unwrap_or("no entry");
    for name in ["Arena", "En Croissant", "Banksia GUI"] {
        assert!(entry(name).contains(" named griot-chess"), "{}", entry(name));
    }
    for name in ["Scid", "PyChess"] {
        assert!(entry(name).contains(", parameters --game chess"), "{}", entry(name));
    }
    assert!(entry("Yixin-Board").contains(" named engine, "), "{}", entry("Yixin-Board"));
}

/// Links on Unix, copies on Windows, where a link needs rights that few have.
#[test]
fn a_program_named_after_a_game_or_a_manager_needs_no_arguments() {
    let folder = Folder::new("named");
    let link = |name: &str| {
        let path = folder.join(&format!("{name}{}", std::env::consts::EXE_SUFFIX));
        #[cfg(unix)]
        std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_griot"), &path).unwrap();
        #[cfg(not(unix))]
        fs::copy(env!("CARGO_BIN_EXE_griot"), &path).unwrap();
        path
    };
    let mut talk = Talk::with_program(&link("griot-othello"), &[]);
    talk.send("query fen");
    talk.expect("response *ox*");
    let mut talk = Talk::with_program(&link("griot-chess"), &["--game", "nim:7"]);
    assert_eq!(talk.ask("query fen"), "response 7 1");
    // ABOUT is no first word by which griot would know Gomocup.
    let mut talk = Talk::with_program(&link("pbrain-griot"), &[]);
    assert!(talk.ask("ABOUT").starts_with("name=\"griot\""));
}
