//! The standing as a web page: one file without scripts or external resources, rewritten during the match.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use griot::files::Claim;

use crate::standing::{Finished, HEADS, Standing, told};

/// How every page begins.
const BEGINNING: &str = "<!DOCTYPE html><!-- griot-match -->";
/// How often a page is written.
const EVERY: Duration = Duration::from_secs(2);
/// The games that are shown, the last ones.
const GAMES: usize = 30;

const STYLE: &str = "body{font:15px/1.45 system-ui,sans-serif;margin:2rem;max-width:75rem}\
table{border-collapse:collapse;margin:1rem 0}th,td{padding:.25rem .6rem;border-bottom:1px solid #8884;text-align:right}\
th:first-child,td:first-child,td:last-child,th:last-child{text-align:left}\
.cross td{text-align:center}.up{background:#3a32}.down{background:#d332}progress{width:100%}\
@media(prefers-color-scheme:dark){body{background:#151515;color:#ddd}}";

/// A page that is kept up to date.
pub(crate) struct Page {
    claim: Claim,
    title: String,
    written: Option<Instant>,
    /// The last games, the newest first.
    games: Vec<String>,
}

impl Page {
    /// A page at `path`, which must not be there, or be such a page.
    ///
    /// # Errors
    /// When there is something else, or it cannot be written.
    pub(crate) fn begin(path: PathBuf, title: String) -> Result<Page, String> {
        let told = |path: &Path, error: std::io::Error| format!("{}: {error}", path.display());
        let claim = Claim::of_file(&path).map_err(|error| told(&path, error))?;
        claim.expect(BEGINNING).map_err(|error| told(&path, error))?;
        Ok(Page { claim, title, written: None, games: Vec::new() })
    }

    /// Takes note of a game, and writes the page if it is time to.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(crate) fn add(&mut self, game: &Finished, standing: &Standing) -> Result<(), String> {
        let record = &game.record;
        let [first, second] = game.engines.map(|engine| escaped(&standing.names[engine]));
        let row = format!("<tr><td>{}<td>{first} – {second}<td>{}", record.round, escaped(&told(record)));
        self.games.insert(0, row);
        self.games.truncate(GAMES);
        if self.written.is_none_or(|written| written.elapsed() >= EVERY) { self.write(standing, false) } else { Ok(()) }
    }

    /// Writes the page; at the end it asks no longer to be loaded again.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(crate) fn write(&mut self, standing: &Standing, is_over: bool) -> Result<(), String> {
        let text = html(&self.title, standing, &self.games, is_over);
        let replaced = self.claim.replace(|file| file.write_all(text.as_bytes()));
        self.written = Some(Instant::now());
        replaced.map_err(|error| format!("{}: {error}", self.claim.path().display()))
    }
}

fn html(title: &str, standing: &Standing, games: &[String], is_over: bool) -> String {
    let title = escaped(title);
    let refresh = if is_over { "" } else { "<meta http-equiv=refresh content=5>" };
    let (played, planned) = (standing.games(), standing.planned);
    let mut page = format!(
        "{BEGINNING}<html lang=en><meta charset=utf-8>{refresh}<meta name=viewport content=\"width=device-width\">\
         <title>{title}</title><style>{STYLE}</style><h1>{title}</h1>\
         <p>{played} of {planned} games{}<p><progress max={planned} value={played}></progress>\n",
        if is_over { ", the end" } else { "" }
    );
    page += "<table><tr>";
    page.extend(HEADS.iter().map(|head| format!("<th>{head}")));
    for row in standing.rows() {
        page += "\n<tr>";
        page.extend(row.iter().map(|cell| format!("<td>{}", escaped(cell))));
    }
    page += "\n</table>\n";
    if standing.names.len() > 2 {
        page += "<h2>Each against each</h2><table class=cross><tr><th>";
        page.extend((1..=standing.names.len()).map(|number| format!("<th>{number}")));
        let ranking = standing.ranking();
        for ((&engine, row), number) in ranking.iter().zip(standing.cross_cells()).zip(1..) {
            let _ = write!(page, "\n<tr><th>{number} {}", escaped(&standing.names[engine]));
            for (&other, cell) in ranking.iter().zip(row) {
                let (tally, _) = standing.against(engine, other);
                let class = match tally.wins.cmp(&tally.losses) {
                    std::cmp::Ordering::Greater => " class=up",
                    std::cmp::Ordering::Less => " class=down",
                    std::cmp::Ordering::Equal => "",
                };
                let _ = write!(page, "<td{class}>{cell}");
            }
        }
        page += "\n</table>\n";
    }
    page += "<ul>";
    page.extend(standing.remarks().iter().map(|line| format!("<li>{}", escaped(line))));
    page += "</ul>\n<h2>Last games</h2><table>";
    page.extend(games.iter().map(|game| format!("\n{game}")));
    page + "\n</table>\n"
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_text_and_the_page_loads_itself_until_the_end() {
        let names = ["<b>", "x&y", "c"].map(str::to_owned).to_vec();
        let standing = Standing::new(names, 6, None);
        let page = html("a & b", &standing, &[], false);
        assert!(page.starts_with(BEGINNING) && page.contains("http-equiv=refresh"), "{page}");
        assert!(page.contains("&lt;b&gt;") && page.contains("x&amp;y") && !page.contains("<b>"), "{page}");
        assert!(page.contains("Each against each") && page.contains("0 of 6 games"), "{page}");
        assert!(!html("t", &standing, &[], true).contains("refresh"));
    }
}
