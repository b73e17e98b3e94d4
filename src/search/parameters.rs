//! How strongly the full search reduces and prunes, in percent of the default: numbers for tuning.
//!
//! Layer 3. They change where the search looks, never what it proves, and no value with [`super::Task::selective`] off.
//! `griot-match --tune` tunes them (docs/experiments/search.md).

use std::fmt;
use std::str::FromStr;

/// The parameters, each in percent of the default.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Parameters {
    /// The plies of late move reductions.
    pub lmr: u16,
    /// The game's margin of reverse futility pruning and futility pruning.
    pub futility: u16,
    /// The game's margin of razoring.
    pub razoring: u16,
    /// The number of moves that late move pruning leaves at a node.
    pub late_moves: u16,
    /// The plies by which the search behind a null move is reduced.
    pub null_move: u16,
    /// The width of aspiration windows.
    pub aspiration: u16,
}

/// A text that is not a list of parameters.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("'{word}': expected {}", self.expected())]
pub struct NoParameters {
    /// The first word that is wrong.
    pub word: String,
}

impl NoParameters {
    /// What is accepted.
    #[must_use]
    pub fn expected(&self) -> String {
        format!("NAME=PERCENT, a name of {}, from {LEAST} to {MOST}", Parameters::names().join(", "))
    }
}

/// The range of each parameter, in percent.
const LEAST: u16 = 10;
const MOST: u16 = 1000;

impl Default for Parameters {
    fn default() -> Parameters {
        Parameters { lmr: 100, futility: 100, razoring: 100, late_moves: 100, null_move: 100, aspiration: 100 }
    }
}

impl Parameters {
    fn slots(&mut self) -> [(&'static str, &mut u16); 6] {
        let Parameters { lmr, futility, razoring, late_moves, null_move, aspiration } = self;
        [
            ("lmr", lmr),
            ("futility", futility),
            ("razoring", razoring),
            ("late-moves", late_moves),
            ("null-move", null_move),
            ("aspiration", aspiration),
        ]
    }

    /// The names of the parameters in text.
    #[must_use]
    pub fn names() -> [&'static str; 6] {
        Parameters::default().slots().map(|(name, _)| name)
    }
}

/// Reads `lmr=120,futility=90`, separated by commas or blanks. Parameters that are not named have the default.
impl FromStr for Parameters {
    type Err = NoParameters;

    fn from_str(text: &str) -> Result<Parameters, NoParameters> {
        let mut parameters = Parameters::default();
        for word in text.split([',', ' ']).filter(|word| !word.is_empty()) {
            let wrong = || NoParameters { word: word.into() };
            let (name, percent) = word.split_once('=').ok_or_else(wrong)?;
            let percent = percent.parse().ok().filter(|percent| (LEAST..=MOST).contains(percent)).ok_or_else(wrong)?;
            let slot = parameters.slots().into_iter().find(|(known, _)| *known == name);
            *slot.ok_or_else(wrong)?.1 = percent;
        }
        Ok(parameters)
    }
}

impl fmt::Display for Parameters {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parameters = *self;
        let words = parameters.slots().map(|(name, percent)| format!("{name}={percent}"));
        f.write_str(&words.join(","))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_reads_as_it_was() {
        let parameters = Parameters { lmr: 120, aspiration: 10, ..Parameters::default() };
        assert_eq!(
            parameters.to_string(),
            "lmr=120,futility=100,razoring=100,late-moves=100,null-move=100,aspiration=10"
        );
        assert_eq!(parameters.to_string().parse(), Ok(parameters));
        assert_eq!("aspiration=10 lmr=120".parse(), Ok(parameters));
        assert_eq!("".parse(), Ok(Parameters::default()));
    }

    #[test]
    fn what_is_wrong_is_told_with_what_would_be_right() {
        for word in ["lmr", "lmr=", "lmr=9", "lmr=1001", "LMR=100", "depth=100", "lmr=1.5", "lmr=-5"] {
            let told = format!("futility=90,{word}").parse::<Parameters>().unwrap_err().to_string();
            let expected = "expected NAME=PERCENT, a name of lmr, futility, razoring, late-moves, null-move, aspiration, from 10 to 1000";
            assert_eq!(told, format!("'{word}': {expected}"));
        }
    }
}
