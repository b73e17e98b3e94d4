//! How far a long command is, on stderr and only where that is a terminal; and rates and times as people write them. Layer 6.

use std::fmt;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressState, ProgressStyle};

/// How much there is to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Whole {
    /// So much: there is a bar, and the time left is told.
    Exactly(u64),
    /// So much or less, so that the end is not known.
    AtMost(u64),
    /// Nobody knows.
    Unknown,
}

/// A bar that counts `things`, as in "positions". What it has as its message stands before it.
pub(super) fn bar(whole: Whole, things: &str) -> ProgressBar {
    let bar = ProgressBar::new_spinner();
    if bar.is_hidden() {
        return bar;
    }
    let template = match whole {
        Whole::Exactly(_) => {
            format!("{{msg}}{{wide_bar}} {{human_pos}}/{{human_len}} {things}, {{rate}}, {{left}} left")
        }
        Whole::AtMost(_) => {
            format!("{{spinner}} {{msg}}{{human_pos}} of at most {{human_len}} {things}, {{rate}}, {{spent}}")
        }
        Whole::Unknown => format!("{{spinner}} {{msg}}{{human_pos}} {things}, {{rate}}, {{spent}}"),
    };
    if let Whole::Exactly(length) | Whole::AtMost(length) = whole {
        bar.set_length(length);
    }
    let style = ProgressStyle::with_template(&template).unwrap_or_else(|_| ProgressStyle::default_bar());
    // Progress that cannot be written is no reason to stop.
    let style = style
        .with_key("rate", |state: &ProgressState, line: &mut dyn fmt::Write| {
            let _ = line.write_str(&rate(state.per_sec()));
        })
        .with_key("left", |state: &ProgressState, line: &mut dyn fmt::Write| {
            let _ = line.write_str(&time(state.eta()));
        })
        .with_key("spent", |state: &ProgressState, line: &mut dyn fmt::Write| {
            let _ = line.write_str(&time(state.elapsed()));
        });
    bar.set_style(style);
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}

/// So many a second: `3.4/s`, `850/s`, `1.2 M/s`.
pub(super) fn rate(per_second: f64) -> String {
    // What rounds to a thousand is one of the next unit.
    let (number, unit) = match per_second {
        n if n < 999.5 => (n, ""),
        n if n < 999.5e3 => (n / 1e3, " k"),
        n if n < 999.5e6 => (n / 1e6, " M"),
        n => (n / 1e9, " G"),
    };
    let decimals = usize::from(number < 9.95);
    format!("{number:.decimals$}{unit}/s")
}

/// A time: `7 ms`, `2.5 s`, `48 s`, `3 min 20 s`, `2 h 5 min`, `1 d 3 h`.
pub(super) fn time(time: Duration) -> String {
    let two = |large: u64, one: &str, small: u64, other: &str| match small {
        0 => format!("{large} {one}"),
        small => format!("{large} {one} {small} {other}"),
    };
    match time.as_secs() {
        0 => format!("{} ms", time.as_millis()),
        1..10 => format!("{:.1} s", (time.as_millis() / 100) as f64 / 10.0),
        seconds @ ..60 => format!("{seconds} s"),
        seconds @ ..3600 => two(seconds / 60, "min", seconds % 60, "s"),
        seconds @ ..86_400 => two(seconds / 3600, "h", seconds % 3600 / 60, "min"),
        seconds => two(seconds / 86_400, "d", seconds % 86_400 / 3600, "h"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_have_two_digits_and_a_unit() {
        for (per_second, said) in [
            (0.0, "0.0/s"),
            (3.44, "3.4/s"),
            (9.96, "10/s"),
            (850.2, "850/s"),
            (999.6, "1.0 k/s"),
            (1_234_567.0, "1.2 M/s"),
            (48_000_000.0, "48 M/s"),
            (2.5e9, "2.5 G/s"),
        ] {
            assert_eq!(rate(per_second), said);
        }
    }

    #[test]
    fn times_are_told_in_their_two_largest_units() {
        for (milliseconds, said) in [
            (0, "0 ms"),
            (7, "7 ms"),
            (2_599, "2.5 s"),
            (48_900, "48 s"),
            (60_000, "1 min"),
            (200_000, "3 min 20 s"),
            (7_500_000, "2 h 5 min"),
            (97_200_000, "1 d 3 h"),
        ] {
            assert_eq!(time(Duration::from_millis(milliseconds)), said);
        }
    }
}
