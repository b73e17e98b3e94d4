//! The parts of the page, as they stand in `assets/`: what the browser gets is what can be read there.

const HTML: &str = "text/html; charset=utf-8";
const CSS: &str = "text/css; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";
const SVG: &str = "image/svg+xml";

macro_rules! asset {
    ($path:literal, $kind:expr) => {
        (concat!("/", $path), $kind, include_str!(concat!("assets/", $path)))
    };
}

/// Path, type, text.
pub(crate) const ASSETS: [(&str, &str, &str); 14] = [
    ("/", HTML, include_str!("assets/index.html")),
    asset!("style.css", CSS),
    asset!("icon.svg", SVG),
    asset!("main.js", SCRIPT),
    asset!("words.js", SCRIPT),
    asset!("svg.js", SCRIPT),
    asset!("games.js", SCRIPT),
    asset!("grid.js", SCRIPT),
    asset!("awale.js", SCRIPT),
    asset!("nim.js", SCRIPT),
    asset!("text.js", SCRIPT),
    asset!("picture.js", SCRIPT),
    asset!("graph.js", SCRIPT),
    asset!("dialogs.js", SCRIPT),
];
