//! The layers of the library: which module may import which. A forbidden import fails here.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use griot::registry::FAMILIES;

/// Module, layer, and the modules it may import. Layer 6 is the program: it sees the library from outside. `games::*` stands for the
/// module of every game.
const MODULES: &[(&str, u8, &[&str])] = &[
    ("score", 0, &[]),
    ("message", 0, &[]),
    ("files", 0, &[]),
    ("encoding", 0, &[]),
    ("spelling", 0, &[]),
    ("memory", 0, &[]),
    ("vector", 0, &[]),
    ("game", 0, &["message", "score", "vector"]),
    ("tablebase", 1, &["game", "files", "memory"]),
    ("book", 1, &["message", "game", "files", "encoding"]),
    ("games::grid", 1, &["message", "spelling", "game"]),
    (GAMES, 2, &["message", "spelling", "game", "score", "memory", "tablebase", "games::grid"]),
    ("search", 3, &["game", "score", "memory"]),
    ("time", 3, &[]),
    ("prover", 3, &["game", "message"]),
    ("protocol", 4, &["message", "spelling"]),
    ("session", 4, &["message", "spelling", "files", "game", "score", "book", "search", "time"]),
    ("registry", 5, &["message", "spelling", "book", "game", GAMES, "protocol", "prover", "session", "tablebase"]),
    ("engine", 5, &["message", "spelling", "game", "files", "encoding", "protocol", "session"]),
    (
        "program",
        6,
        &[
            "message",
            "game",
            "files",
            "memory",
            "encoding",
            "book",
            "protocol",
            "prover",
            "registry",
            "session",
            "engine",
            "tablebase",
        ],
    ),
];

/// The module of every game; what games on a grid share is a module of its own, below them.
const GAMES: &str = "games::*";

/// The entry of [`MODULES`] that `module` belongs to.
fn kind_of(module: &str) -> &str {
    if module.starts_with("games::") && module != "games::grid" { GAMES } else { module }
}

/// What the rules of a module forbid by name, whatever it imports. [`GAMES`] stands for the name of any game, as a path begins.
const FORBIDDEN_WORDS: &[(&str, &[&str])] = &[
    ("score", &["std::io", "std::time", "log::"]),
    ("message", &["std::io", "log::"]),
    ("spelling", &["std::io", "log::"]),
    ("memory", &["std::io", "log::"]),
    ("vector", &["std::io", "log::"]),
    ("files", &["awale", "tablebase", "book", "log::"]),
    ("encoding", &["std::fs", "awale", "log::"]),
    ("game", &["std::io", "std::time", "log::"]),
    ("games::grid", &["std::io", "std::time", "log::"]),
    (GAMES, &["std::io", "std::time", "log::"]),
    ("book", &[GAMES, "log::"]),
    ("tablebase", &[GAMES, "log::"]),
    ("search", &["std::io", "std::time", GAMES]),
    ("time", &["std::io", "Instant"]),
    ("prover", &["std::io", "log::", GAMES]),
    ("protocol", &["std::io", "std::thread", "log::"]),
    // What is done with a game is compiled in the library, once, and not in the program again.
    ("program", &["Visitor", "Notation", "with_game"]),
    ("session", &["stdout", "stdin", "bestmove", "\"ugi", "\"uci", "p1win", "p1turn", "gameover", "legalmoves"]),
];

fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.ends_with("target") {
            // What a package within ours has built is not ours.
            continue;
        }
        if path.is_dir() {
            files.extend(rust_files(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files.sort();
    files
}

/// The module that a file belongs to; `None` for the files that only list modules.
fn module_of(path: &Path) -> Option<String> {
    let parts: Vec<String> = path
        .strip_prefix("src")
        .unwrap()
        .with_extension("")
        .components()
        .map(|part| part.as_os_str().to_str().unwrap().to_owned())
        .collect();
    match parts[0].as_str() {
        "lib" => None,
        "main" | "cli" | "commands" => Some("program".into()),
        "games" if parts[1] == "mod" => None,
        "games" => Some(format!("games::{}", parts[1])),
        module => Some(module.into()),
    }
}

/// The code of a file: without comments, and without the unit tests at its end, which may look anywhere below.
fn code(text: &str) -> String {
    let end = text.find("#[cfg(test)]\nmod tests {").unwrap_or(text.len());
    text[..end].lines().filter(|line| !line.trim_start().starts_with("//")).map(|line| format!("{line}\n")).collect()
}

/// The modules that a piece of code names, after `crate::` or `griot::`.
fn imports(code: &str) -> Vec<String> {
    let starts = ["crate::", "griot::"].iter().flat_map(|prefix| code.match_indices(prefix));
    let paths = starts.flat_map(|(at, prefix)| items(&code[at + prefix.len()..]));
    let mut modules = Vec::new();
    for path in paths {
        match path.strip_prefix("games::") {
            Some(inner) => modules.extend(items(inner).iter().map(|game| format!("games::{}", head(game)))),
            None if matches!(head(path), "cli" | "commands") => modules.push("program".into()),
            None => modules.push(head(path).into()),
        }
    }
    modules.retain(|module| !module.is_empty());
    modules
}

/// What stands at the beginning of a text: one path, or the paths of a list in braces, however nested.
fn items(text: &str) -> Vec<&str> {
    let Some(list) = text.strip_prefix('{') else { return vec![text] };
    let (mut depth, mut start, mut items) = (0, 0, Vec::new());
    for (at, c) in list.char_indices() {
        match c {
            '{' => depth += 1,
            '}' | ',' if depth == 0 => {
                items.push(list[start..at].trim());
                start = at + 1;
                if c == '}' {
                    break;
                }
            }
            '}' => depth -= 1,
            _ => {}
        }
    }
    items
}

/// The first name of a path.
fn head(path: &str) -> &str {
    path.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default()
}

#[test]
fn every_module_imports_only_lower_modules_that_it_may_know() {
    let layer = |module: &str| MODULES.iter().find(|(name, _, _)| *name == module).map(|(_, layer, _)| *layer);
    for (module, own_layer, allowed) in MODULES {
        for seen in *allowed {
            let below = layer(seen).unwrap_or_else(|| panic!("{module} may see {seen}, which is not in the table"));
            // The traits are made of numbers and plain data; they are the only module that imports others of its layer.
            assert!(below < *own_layer || *module == "game", "{module} sees {seen}");
        }
    }
    let mut wrong = Vec::new();
    let mut checked = 0;
    for path in rust_files(Path::new("src")) {
        let Some(module) = module_of(&path) else { continue };
        let Some((_, _, allowed)) = MODULES.iter().find(|(name, _, _)| *name == kind_of(&module)) else {
            wrong.push(format!("{}: no module '{module}' in the table", path.display()));
            continue;
        };
        let text = fs::read_to_string(&path).unwrap();
        let code = code(&text);
        let own = module.rsplit("::").next().unwrap();
        for seen in imports(&code) {
            checked += 1;
            if seen != module && seen != own && !allowed.contains(&kind_of(&seen)) {
                wrong.push(format!("{}: {module} may not know {seen}", path.display()));
            }
        }
        for (_, words) in FORBIDDEN_WORDS.iter().filter(|(name, _)| *name == kind_of(&module)) {
            let every_game = || FAMILIES.iter().map(|family| format!("{}::", family.folder));
            let words = words.iter().flat_map(|&word| match word {
                GAMES => every_game().collect(),
                word => vec![word.to_owned()],
            });
            for word in words.filter(|word| code.contains(word)) {
                wrong.push(format!("{}: {module} may not say {word}", path.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(checked > 50, "only {checked} imports found: is this test still reading the code?");
}

#[test]
fn the_reader_of_imports_sees_every_form() {
    let code = "use crate::score::Score;\nuse crate::{game, time as t};\nuse crate::games::{awale, mnk::X};\n\
                let x = griot::engine::run(); use crate::games::nim::Y; use crate::{message::{A, B}, session::{C}};";
    let mut seen = imports(code);
    seen.sort();
    assert_eq!(
        seen,
        ["engine", "game", "games::awale", "games::mnk", "games::nim", "message", "score", "session", "time"]
    );
}

/// Whatever opens or writes a file does it through the module `files`, whose contract it is to lose none.
#[test]
fn only_the_module_files_opens_files() {
    const WAYS: &[&str] =
        &["File::open", "File::options", "File::create", "OpenOptions", "fs::write", "fs::read(", "fs::read_to_string"];
    for path in rust_files(Path::new("src")).iter().filter(|path| !path.ends_with("files.rs")) {
        let code = code(&fs::read_to_string(path).unwrap());
        let is_word = |at: usize| !code[..at].ends_with(|c: char| c.is_alphanumeric());
        let uses = |way: &&&str| code.match_indices(**way).any(|(at, _)| is_word(at));
        let used: Vec<&&str> = WAYS.iter().filter(uses).collect();
        assert!(used.is_empty(), "{}: {used:?}", path.display());
    }
}

/// Time is told by a clock that never jumps: the time of day may be set back under a search, or a lock.
#[test]
fn nobody_asks_for_the_time_of_day() {
    for path in ["src", "crates", "examples", "benches"].iter().flat_map(|folder| rust_files(Path::new(folder))) {
        let code = code(&fs::read_to_string(&path).unwrap());
        assert!(!code.contains("SystemTime"), "{}", path.display());
    }
}

/// The modules that may be, and their blocks: they tell processor, system and allocator how memory will be used, and use instructions
/// that the processor has been asked for.
const UNSAFE: [(&str, usize); 3] =
    [("src/memory.rs", 3), ("src/vector.rs", 3), ("src/games/othello/solver/processor.rs", 3)];

#[test]
fn nothing_is_unsafe_but_three_modules() {
    let uses = |code: &str, word: &str| code.matches(word).count();
    for path in
        ["src", "crates", "tests", "examples", "benches"].iter().flat_map(|folder| rust_files(Path::new(folder)))
    {
        let text = fs::read_to_string(&path).unwrap();
        let allowed = UNSAFE.iter().find(|(module, _)| path == Path::new(module));
        let blocks = allowed.map_or(0, |&(_, blocks)| blocks);
        assert_eq!(uses(&code(&text), concat!("uns", "afe ")), blocks, "{}", path.display());
        assert_eq!(
            uses(&code(&text), concat!("allow(uns", "afe_code)")),
            usize::from(allowed.is_some()),
            "{}",
            path.display()
        );
    }
}

/// The crate is built from its package by whoever installs it; the network of chess was once missing there.
#[test]
fn the_package_has_every_file_that_the_source_includes() {
    // There is no cargo where the programs were built elsewhere.
    if std::env::var_os("GRIOT_BUILT").is_some() {
        return;
    }
    let list = Command::new(env!("CARGO"))
        .args(["package", "--list", "--allow-dirty", "--offline", "--package", "griot"])
        .output()
        .unwrap();
    assert!(list.status.success(), "{}", String::from_utf8_lossy(&list.stderr));
    let packaged = String::from_utf8(list.stdout).unwrap();
    let mut included = 0;
    for path in rust_files(Path::new("src")) {
        let code = code(&fs::read_to_string(&path).unwrap());
        for found in ["include_bytes!(\"", "include_str!(\""].iter().flat_map(|call| code.split(call).skip(1)) {
            let file = path.with_file_name(found.split('"').next().unwrap());
            let is_packaged = packaged.lines().any(|line| Path::new(line) == file);
            assert!(is_packaged, "{} is not in the package; Cargo.toml lists what is", file.display());
            included += 1;
        }
    }
    assert!(included >= 3, "only {included} files found: is this test still reading the code?");
}
