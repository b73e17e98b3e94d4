//! Colours of what is shown on a terminal. Layer 6; pure.

use griot::message::Player;
use griot::protocol::{DrawnLine, SpanRole};

/// Colours, or none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Paint(pub(super) bool);

const DIM: &str = "2";
const BOLD: &str = "1";
const FIRST: &str = "36";
const SECOND: &str = "33";
const LAST: &str = "1;7";
const LEFT: &str = "2;7";
const LEGAL: &str = "32";

impl Paint {
    /// Whether there are colours: on a terminal that knows them, unless `NO_COLOR` says anything. `is_console`: it is a console of
    /// Windows that was told to read them, whatever `TERM` says.
    pub(super) fn on(is_terminal: bool, is_console: bool, variable: impl Fn(&str) -> Option<String>) -> Paint {
        let forbidden = variable("NO_COLOR").is_some_and(|said| !said.is_empty());
        let dumb = variable("TERM").is_none_or(|term| term == "dumb");
        Paint(is_terminal && !forbidden && (is_console || !dumb))
    }

    fn with(self, code: &str, text: &str) -> String {
        if self.0 { format!("\x1b[{code}m{text}\x1b[0m") } else { text.into() }
    }

    /// What is less important.
    pub(super) fn dim(self, text: &str) -> String {
        self.with(DIM, text)
    }

    /// What is more important.
    pub(super) fn bold(self, text: &str) -> String {
        self.with(BOLD, text)
    }

    /// A drawing, each role in its colour.
    pub(super) fn drawing(self, lines: &[DrawnLine]) -> String {
        let span = |role: SpanRole, text: &str| match role {
            SpanRole::Plain => text.into(),
            SpanRole::Label | SpanRole::Frame | SpanRole::Empty => self.dim(text),
            SpanRole::Of(Player::First) => self.with(FIRST, text),
            SpanRole::Of(Player::Second) => self.with(SECOND, text),
            SpanRole::Legal => self.with(LEGAL, text),
            SpanRole::Left => self.with(LEFT, text),
            SpanRole::Last => self.with(LAST, text),
        };
        let line = |line: &DrawnLine| line.iter().map(|part| span(part.role, &part.text)).collect::<String>();
        lines.iter().map(line).collect::<Vec<String>>().join("\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use griot::protocol::{Span, plain};

    #[test]
    fn colours_are_for_terminals_that_know_them_and_people_who_want_them() {
        let said = |pairs: &'static [(&str, &str)]| {
            move |name: &str| pairs.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned())
        };
        assert_eq!(Paint::on(true, false, said(&[("TERM", "xterm")])), Paint(true));
        assert_eq!(Paint::on(true, false, said(&[("TERM", "xterm"), ("NO_COLOR", "")])), Paint(true));
        assert_eq!(Paint::on(true, false, said(&[("TERM", "xterm"), ("NO_COLOR", "1")])), Paint(false));
        assert_eq!(Paint::on(false, false, said(&[("TERM", "xterm")])), Paint(false));
        assert_eq!(Paint::on(true, false, said(&[("TERM", "dumb")])), Paint(false));
        // A console of Windows has no TERM; one before Windows 10 shows escapes as they are.
        assert_eq!(Paint::on(true, true, said(&[])), Paint(true));
        assert_eq!(Paint::on(true, false, said(&[])), Paint(false));
        assert_eq!(Paint::on(true, true, said(&[("NO_COLOR", "1")])), Paint(false));
    }

    #[test]
    fn every_role_has_its_colour_and_none_without_colours() {
        let span = |role, text: &str| Span { role, text: text.into() };
        let (first, second) = (SpanRole::Of(Player::First), SpanRole::Of(Player::Second));
        let lines = vec![
            vec![span(SpanRole::Label, " 1"), span(SpanRole::Plain, " "), span(first, "x"), span(second, "o")],
            vec![
                span(SpanRole::Empty, "."),
                span(SpanRole::Left, "."),
                span(SpanRole::Last, "x"),
                span(SpanRole::Frame, "|"),
            ],
        ];
        assert_eq!(
            Paint(true).drawing(&lines),
            "\x1b[2m 1\x1b[0m \x1b[36mx\x1b[0m\x1b[33mo\x1b[0m\n\
             \x1b[2m.\x1b[0m\x1b[2;7m.\x1b[0m\x1b[1;7mx\x1b[0m\x1b[2m|\x1b[0m"
        );
        assert_eq!(Paint(false).drawing(&lines), plain(&lines).collect::<Vec<String>>().join("\n"));
    }
}
