//! What the name of the program's file stands for, for front ends that start a program without arguments. Layer 6.
//!
//! `pbrain-griot` speaks Gomocup, as tournament managers name their programs; `griot-othello`, `griot-chess` and the like play that
//! game. Arguments come before the name. A colon in the name of a game is written as another `-`, and what follows may be a version:
//! `griot-awale-awari-1.0.exe`.

use std::path::Path;

use griot::message::DialectName;
use griot::registry::known_as;

/// The beginning of the names of programs that play gomoku.
const GOMOCUP: &str = "pbrain-";
const GRIOT: &str = "griot-";

/// The dialect and the game of a file name; nothing of most names.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Named {
    pub(super) dialect: Option<DialectName>,
    pub(super) game: Option<String>,
}

/// What the name of this file stands for.
pub(super) fn by_file_name(program: Option<&Path>) -> Named {
    let name = program.and_then(Path::file_name).map(|name| name.to_string_lossy().to_ascii_lowercase());
    let Some(name) = name else { return Named::default() };
    let name = name.strip_suffix(".exe").unwrap_or(&name);
    if name.starts_with(GOMOCUP) {
        return Named { dialect: Some(DialectName::Gomocup), game: None };
    }
    Named { dialect: None, game: name.strip_prefix(GRIOT).and_then(game) }
}

/// The game that the longest beginning of this name is a word for.
fn game(name: &str) -> Option<String> {
    let ends = name.match_indices(['-', '_', ' ']).map(|(at, _)| at).chain([name.len()]);
    let beginnings: Vec<&str> = ends.map(|end| &name[..end]).collect();
    let spellings = |beginning: &&str| [(*beginning).to_owned(), beginning.replacen('-', ":", 1)];
    beginnings.iter().rev().flat_map(spellings).find(|game| known_as(game).is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_the_file_chooses_the_dialect_or_the_game() {
        let named = |path: &str| by_file_name(Some(Path::new(path)));
        let game = |game: &str| Named { dialect: None, game: Some(game.into()) };
        for name in ["/opt/pbrain-griot", "pbrain-griot.exe", "PBRAIN-GRIOT64.EXE"] {
            assert_eq!(named(name), Named { dialect: Some(DialectName::Gomocup), game: None }, "{name}");
        }
        assert_eq!(named("/usr/bin/griot-chess"), game("chess"));
        assert_eq!(named("Griot-Othello.exe"), game("othello"));
        assert_eq!(named("griot-awale-awari-1.0_x64.exe"), game("awale:awari"));
        assert_eq!(named("griot-awale-2"), game("awale"));
        for name in ["griot", "griot.exe", "griot-0.1.0", "griot-", "chess", "griot-nothing"] {
            assert_eq!(named(name), Named::default(), "{name}");
        }
        assert_eq!(by_file_name(None), Named::default());
    }
}
