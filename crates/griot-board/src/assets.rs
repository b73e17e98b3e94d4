//! The files of the page, embedded from `assets/` unchanged.

const HTML: &str = "text/html; charset=utf-8";
const CSS: &str = "text/css; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";
const LINES: &str = "application/jsonl; charset=utf-8";
const SVG: &str = "image/svg+xml";

macro_rules! asset {
    ($path:literal, $kind:expr) => {
        (concat!("/", $path), $kind, include_str!(concat!("../assets/", $path)))
    };
}

/// A set of puzzles written by `griot puzzles`.
macro_rules! puzzles {
    ($name:literal) => {
        (concat!("/puzzles/", $name, ".jsonl"), LINES, include_str!(concat!("../puzzles/", $name, ".jsonl")))
    };
}

/// Path, content type and text of each file.
pub(crate) const ASSETS: &[(&str, &str, &str)] = &[
    ("/", HTML, include_str!("../assets/index.html")),
    asset!("style.css", CSS),
    asset!("icon.svg", SVG),
    asset!("awale.js", SCRIPT),
    asset!("clock.js", SCRIPT),
    asset!("dialogs.js", SCRIPT),
    asset!("editor.js", SCRIPT),
    asset!("files.js", SCRIPT),
    asset!("figures.js", SCRIPT),
    asset!("formats.js", SCRIPT),
    asset!("games.js", SCRIPT),
    asset!("ggf.js", SCRIPT),
    asset!("graph.js", SCRIPT),
    asset!("grid.js", SCRIPT),
    asset!("guess.js", SCRIPT),
    asset!("icons.js", SCRIPT),
    asset!("library.js", SCRIPT),
    asset!("main.js", SCRIPT),
    asset!("moves.js", SCRIPT),
    asset!("nim.js", SCRIPT),
    asset!("ogn.js", SCRIPT),
    asset!("pgn.js", SCRIPT),
    asset!("picture.js", SCRIPT),
    asset!("psq.js", SCRIPT),
    asset!("puzzles.js", SCRIPT),
    asset!("retry.js", SCRIPT),
    asset!("review.js", SCRIPT),
    asset!("rows.js", SCRIPT),
    asset!("server.js", SCRIPT),
    asset!("sgf.js", SCRIPT),
    asset!("share.js", SCRIPT),
    asset!("sound.js", SCRIPT),
    asset!("stage.js", SCRIPT),
    asset!("svg.js", SCRIPT),
    asset!("tags.js", SCRIPT),
    asset!("text.js", SCRIPT),
    asset!("thoughts.js", SCRIPT),
    asset!("words.js", SCRIPT),
    puzzles!("awale"),
    puzzles!("chess"),
    puzzles!("connect4"),
    puzzles!("gomoku"),
    puzzles!("mnk775"),
    puzzles!("othello"),
    puzzles!("tictactoe"),
];
