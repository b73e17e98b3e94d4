//! The files of the page, embedded from `assets/` unchanged; the service worker gets their version and their paths.

use std::sync::LazyLock;

const HTML: &str = "text/html; charset=utf-8";
const CSS: &str = "text/css; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";
const LINES: &str = "application/jsonl; charset=utf-8";
const SVG: &str = "image/svg+xml";
const MANIFEST: &str = "application/manifest+json";

macro_rules! asset {
    ($path:literal, $kind:expr) => {
        (concat!("/", $path), $kind, include_str!(concat!("../assets/", $path)))
    };
}

/// The sets of puzzles: the name of each, and the files that it consists of.
macro_rules! sets {
    ($($name:literal: $($file:literal),+;)*) => {
        /// Name and puzzles of each set.
        const SETS: &[(&str, &str)] =
            &[$(($name, concat!($(include_str!(concat!("../puzzles/", $file, ".jsonl"))),+))),*];

        /// Path, content type and text of each set.
        const SET_FILES: &[(&str, &str, &str)] = &[$((
            concat!("/puzzles/", $name, ".jsonl"),
            LINES,
            concat!($(include_str!(concat!("../puzzles/", $file, ".jsonl"))),+),
        )),*];
    };
}

sets! {
    "awale": "awale", "awale-gain";
    "chess": "chess", "chess-long", "chess-material";
    "draughts-english": "draughts-english";
    "draughts-international": "draughts-international";
    "connect4": "connect4";
    "othello": "othello";
    "mnk775": "mnk775";
    "gomoku": "gomoku";
    "tictactoe": "tictactoe";
}

/// The sets as JSON, in the order in which they are offered: `[{"name":"mnk775","game":FACTS},…]`, with what a picture's `game` says.
pub(crate) fn sets() -> String {
    let facts = |puzzles: &str| {
        let first: serde_json::Value = serde_json::from_str(puzzles.lines().next()?).ok()?;
        griot::registry::facts_of(first["game"].as_str()?)
    };
    let sets = SETS.iter().map(|(name, puzzles)| serde_json::json!({ "name": name, "game": facts(puzzles) }));
    serde_json::Value::from_iter(sets).to_string()
}

/// Path, content type and text of each file in `assets/`.
const ASSETS: &[(&str, &str, &str)] = &[
    ("/", HTML, include_str!("../assets/index.html")),
    asset!("boards.css", CSS),
    asset!("style.css", CSS),
    asset!("icon.svg", SVG),
    asset!("manifest.webmanifest", MANIFEST),
    asset!("awale.js", SCRIPT),
    asset!("clock.js", SCRIPT),
    asset!("commands.js", SCRIPT),
    asset!("dialogs.js", SCRIPT),
    asset!("editor.js", SCRIPT),
    asset!("ends.js", SCRIPT),
    asset!("explorer.js", SCRIPT),
    asset!("faults.js", SCRIPT),
    asset!("files.js", SCRIPT),
    asset!("figures.js", SCRIPT),
    asset!("games.js", SCRIPT),
    asset!("graph.js", SCRIPT),
    asset!("grid.js", SCRIPT),
    asset!("icons.js", SCRIPT),
    asset!("library.js", SCRIPT),
    asset!("links.js", SCRIPT),
    asset!("main.js", SCRIPT),
    asset!("moves.js", SCRIPT),
    asset!("nim.js", SCRIPT),
    asset!("offline.js", SCRIPT),
    asset!("picture.js", SCRIPT),
    asset!("players.js", SCRIPT),
    asset!("puzzles.js", SCRIPT),
    asset!("records.js", SCRIPT),
    asset!("retry.js", SCRIPT),
    asset!("review.js", SCRIPT),
    asset!("rows.js", SCRIPT),
    asset!("server.js", SCRIPT),
    asset!("share.js", SCRIPT),
    asset!("shelf.js", SCRIPT),
    asset!("signs.js", SCRIPT),
    asset!("solving.js", SCRIPT),
    asset!("sound.js", SCRIPT),
    asset!("stage.js", SCRIPT),
    asset!("state.js", SCRIPT),
    asset!("svg.js", SCRIPT),
    asset!("text.js", SCRIPT),
    asset!("thoughts.js", SCRIPT),
    asset!("viewing.js", SCRIPT),
    asset!("words.js", SCRIPT),
];

/// All files of the page.
pub(crate) fn files() -> impl Iterator<Item = &'static (&'static str, &'static str, &'static str)> {
    ASSETS.iter().chain(SET_FILES)
}

/// A hash of all files: FNV-1a, 64 bits.
static VERSION: LazyLock<String> = LazyLock::new(|| {
    let bytes = files().flat_map(|(path, _, text)| path.bytes().chain(text.bytes())).chain(WORKER.bytes());
    let hash =
        bytes.fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
    format!("{hash:016x}")
});

const WORKER: &str = include_str!("../assets/worker.js");

/// The `ETag` of every file: they all change together.
pub(crate) fn tag() -> String {
    format!("\"{}\"", *VERSION)
}

/// The service worker: content type and text.
pub(crate) fn worker() -> (&'static str, String) {
    let paths: Vec<_> = files().map(|(path, ..)| format!("'{path}'")).collect();
    (SCRIPT, format!("const VERSION = '{}';\nconst FILES = [{}];\n{WORKER}", *VERSION, paths.join(", ")))
}
