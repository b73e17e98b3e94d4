//! Progress on stderr: a table that is redrawn on a terminal, else one line a game.

use std::io::{IsTerminal, stderr};

use indicatif::{ProgressBar, ProgressStyle};

use crate::standing::{Finished, Standing};

pub(crate) struct Live {
    /// Nothing where stderr is no terminal.
    bar: Option<ProgressBar>,
}

impl Live {
    pub(crate) fn new(games: usize) -> Live {
        let bar = stderr().is_terminal().then(|| {
            let bar = ProgressBar::new(games as u64);
            // A template that is wrong is a bar without a table; this one is right.
            if let Ok(style) =
                ProgressStyle::with_template("{msg}\n{wide_bar} {pos}/{len} games, {elapsed}, {eta} to go")
            {
                bar.set_style(style);
            }
            bar
        });
        Live { bar }
    }

    /// Shows what there is before the first game.
    pub(crate) fn begin(&self, standing: &Standing) {
        if standing.games() > 0 {
            eprintln!("{} games of {} were played before", standing.games(), standing.planned);
        }
        if let Some(bar) = &self.bar {
            bar.set_position(u64::from(standing.games()));
            bar.reset_eta();
            bar.set_message(standing.report().trim_end().to_owned());
        }
    }

    /// Shows a game that was just booked.
    pub(crate) fn show(&self, game: &Finished, standing: &Standing) {
        match &self.bar {
            Some(bar) => {
                // What went wrong stays to be seen.
                if game.record.by.is_some() {
                    bar.println(standing.line(game));
                }
                bar.set_message(standing.report().trim_end().to_owned());
                bar.inc(1);
            }
            None => eprintln!("{}", standing.line(game)),
        }
    }

    /// Clears the table: the report follows.
    pub(crate) fn end(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
