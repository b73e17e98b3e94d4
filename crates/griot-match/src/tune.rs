//! Tunes numbers of an engine by playing it against itself: SPSA.
//!
//! The engine's words have `{NAME}` where a number belongs. Each round draws a direction for every number, plays a pair of
//! games between the engine one step in these directions and one step in the opposite ones, and moves the numbers towards the
//! winner.
//!
//! ```text
//!   step of round k of N   STEP (N / k)^0.101                              STEP in the last round
//!   moved by               RATE STEP (1.1 N / (N / 10 + k))^0.602 (k / N)^0.101  for each game won more than lost
//! ```
//!
//! CITE: J. Spall, "Multivariate stochastic approximation using a simultaneous perturbation gradient approximation", 1992, and
//! its exponents from "Implementation of the simultaneous perturbation algorithm for stochastic optimization", 1998;
//! chessprogramming wiki, "SPSA".

use std::str::FromStr;
use std::sync::Mutex;
use std::thread;

use griot::game::{Side, SplitMix64};
use serde::{Deserialize, Serialize};

use crate::args::Args;
use crate::game::{self, Seat};
use crate::openings::Opening;
use crate::record::Keeper;
use crate::referee::Referee;
use crate::spec::Spec;
use crate::tournament;

/// The exponents of steps and moves; see the module header.
const STEPS_SHRINK: f64 = 0.101;
const MOVES_SHRINK: f64 = 0.602;
const STABLE: f64 = 0.1;

/// A number to tune: `NAME=START,LEAST,MOST,STEP`.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Number {
    name: String,
    start: f64,
    least: f64,
    most: f64,
    /// How far from the present value it is tried in the last round.
    step: f64,
}

impl FromStr for Number {
    type Err = String;

    fn from_str(text: &str) -> Result<Number, String> {
        let wrong = || "expected NAME=START,LEAST,MOST,STEP, such as lmr=100,50,200,10".to_owned();
        let (name, numbers) = text.split_once('=').filter(|(name, _)| !name.is_empty()).ok_or_else(wrong)?;
        let numbers: Vec<f64> = numbers.split(',').filter_map(|number| number.trim().parse().ok()).collect();
        let [start, least, most, step] = numbers[..] else { return Err(wrong()) };
        if !(least..=most).contains(&start)
            || step < 1.0
            || [least, most, step].iter().any(|number| !number.is_finite())
        {
            return Err("expected LEAST <= START <= MOST, and a STEP of 1 at least".into());
        }
        Ok(Number { name: name.into(), start, least, most, step })
    }
}

/// The result of a round: a line of the records.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Round {
    /// From 1, in the order of their ends.
    round: usize,
    of: usize,
    game: String,
    seed: u64,
    /// Of the numbers.
    names: Vec<String>,
    /// With which they were tried.
    tried: [Vec<i64>; 2],
    /// Games that the first engine won more than it lost; `None` after an error, from which nothing is learned.
    result: Option<i32>,
    /// The numbers after it.
    values: Vec<f64>,
}

/// The present numbers.
#[derive(Debug)]
struct Spsa {
    numbers: Vec<Number>,
    values: Vec<f64>,
    rounds: usize,
    rate: f64,
    seed: u64,
}

impl Spsa {
    fn new(numbers: Vec<Number>, rounds: usize, rate: f64, seed: u64) -> Spsa {
        Spsa { values: numbers.iter().map(|number| number.start).collect(), numbers, rounds, rate, seed }
    }

    fn names(&self) -> Vec<String> {
        self.numbers.iter().map(|number| number.name.clone()).collect()
    }

    /// The direction of each number in a round, 1.0 or -1.0, the same for the same round.
    fn directions(&self, round: usize) -> Vec<f64> {
        let mut rng = SplitMix64::new(self.seed ^ (round as u64) << 32);
        self.numbers.iter().map(|_| if rng.below(2) == 0 { 1.0 } else { -1.0 }).collect()
    }

    /// The step of a number in a round, from 1.
    fn step(&self, number: &Number, round: usize) -> f64 {
        number.step * (self.rounds as f64 / round as f64).powf(STEPS_SHRINK)
    }

    /// The numbers to try in a round: a step in its directions, and a step in the opposite ones, within their ranges.
    fn tried(&self, round: usize) -> [Vec<i64>; 2] {
        let directions = self.directions(round);
        [1.0, -1.0].map(|sign| {
            let each = self.numbers.iter().zip(&self.values).zip(&directions);
            let moved = each.map(|((number, value), direction)| {
                let value = value + sign * direction * self.step(number, round);
                value.clamp(number.least, number.most).round() as i64
            });
            moved.collect()
        })
    }

    /// Updates the numbers after a round in which the first engine won this many games more than it lost.
    fn learn(&mut self, round: usize, result: i32) {
        let directions = self.directions(round);
        let rounds = self.rounds as f64;
        let slowed = ((STABLE + 1.0) * rounds / (STABLE * rounds + round as f64)).powf(MOVES_SHRINK);
        for (at, number) in self.numbers.iter().enumerate() {
            let rate = self.rate * slowed * number.step * number.step / self.step(number, round);
            let value = self.values[at] + rate * directions[at] * f64::from(result);
            self.values[at] = value.clamp(number.least, number.most);
        }
    }

    /// A line for people.
    fn line(&self) -> String {
        let each = self.numbers.iter().zip(&self.values).map(|(number, value)| format!("{} {value:.1}", number.name));
        each.collect::<Vec<String>>().join(", ")
    }

    /// The result, for people and as a command line.
    fn report(&self) -> String {
        let width = self.numbers.iter().map(|number| number.name.len()).max().unwrap_or(0).max(6);
        let rows = self.numbers.iter().zip(&self.values).map(|(number, value)| {
            format!("{:<width$}  {:>8.0}  {:>8.0}  {value:>8.1}\n", number.name, number.start, value.round())
        });
        format!("{:<width$}  {:>8}  {:>8}  {:>8}\n{}", "number", "start", "now", "exactly", rows.collect::<String>())
    }
}

/// Words with numbers in place of their names.
fn filled(words: &[String], numbers: &[Number], values: &[i64]) -> Vec<String> {
    let fill = |word: &String| {
        let each = numbers.iter().zip(values);
        each.fold(word.clone(), |word, (number, value)| word.replace(&place(&number.name), &value.to_string()))
    };
    words.iter().map(fill).collect()
}

/// The engine with these numbers.
fn tuned(args: &Args, words: &[String], values: &[i64], referee: &Referee) -> Result<Spec, String> {
    let [each, words] = [&args.each, words].map(|words| filled(words, &args.tune, values));
    args.spec_of(&each, &words, referee)
}

/// The placeholder of a number.
fn place(name: &str) -> String {
    format!("{{{name}}}")
}

/// What the threads share.
struct State {
    spsa: Spsa,
    keeper: Option<Keeper>,
    /// Rounds begun and rounds ended.
    begun: usize,
    ended: usize,
    left_out: usize,
    /// Why no more rounds start.
    problem: Option<String>,
}

/// What stays the same from round to round.
struct Plan<'a> {
    args: &'a Args,
    words: &'a [String],
    /// The engine as it was tested.
    known: Spec,
    openings: Vec<Opening>,
    state: Mutex<State>,
}

/// Tunes what the command line asks for.
///
/// # Errors
/// What is wrong with the command line, a file, or an engine before the first game; records that cannot be written.
pub(crate) fn run(args: &Args) -> Result<(), String> {
    let words = args.tuned_words()?;
    for (at, number) in args.tune.iter().enumerate() {
        let place = place(&number.name);
        if !args.each.iter().chain(words).any(|word| word.contains(&place)) {
            return Err(format!("--tune: no word of the engine has '{place}' where {} belongs", number.name));
        }
        if args.tune[..at].iter().any(|before| before.name == number.name) {
            return Err(format!("--tune: {} is given twice", number.name));
        }
    }
    let new_referee = || Referee::new(&args.game).map_err(|problem| problem.text);
    let mut referee = new_referee()?;
    let openings = tournament::openings(args, &mut referee)?;
    let rounds = args.pairs();
    let mut spsa = Spsa::new(args.tune.clone(), rounds, args.tune_rate, args.seed);
    let start: Vec<i64> = spsa.values.iter().map(|value| value.round() as i64).collect();
    let spec = tuned(args, words, &start, &referee)?;
    let known = tournament::try_out(vec![spec], &mut referee, &openings)?.remove(0).spec;
    let (keeper, before) = match &args.records {
        Some(path) => {
            let (keeper, before) = Keeper::begin::<Round>(path, args.resume)?;
            (Some(keeper), before)
        }
        None => (None, Vec::new()),
    };
    if let Some(last) = before.last() {
        if (last.of, &last.game, last.seed, &last.names) != (rounds, &args.game, args.seed, &spsa.names())
            || last.round != before.len()
        {
            return Err(format!(
                "--records: not of this tuning: expected {rounds} rounds of {}, {}, with the seed {}, found {} of {}, {}, with {}",
                args.game,
                spsa.names().join(", "),
                args.seed,
                last.of,
                last.game,
                last.names.join(", "),
                last.seed
            ));
        }
        spsa.values.clone_from(&last.values);
        eprintln!("{} rounds of {rounds} were played before: {}", before.len(), spsa.line());
    }
    let left_out = before.iter().filter(|round| round.result.is_none()).count();
    let state = State { spsa, keeper, begun: before.len(), ended: before.len(), left_out, problem: None };
    let plan = Plan { args, words, known, openings, state: Mutex::new(state) };
    let mut referees = vec![referee];
    while referees.len() < args.concurrency.clamp(1, rounds) {
        referees.push(new_referee()?);
    }
    thread::scope(|scope| {
        for referee in referees {
            scope.spawn(|| plan.work(referee));
        }
    });
    let state = plan.state.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    if let Some(problem) = state.problem {
        return Err(problem);
    }
    if state.left_out > 0 {
        println!("{} rounds of {rounds} went wrong, and taught nothing", state.left_out);
    }
    print!("{}", state.spsa.report());
    Ok(())
}

impl Plan<'_> {
    fn state(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    /// Plays round after round until there is none left.
    fn work(&self, mut referee: Referee) {
        loop {
            let (round, tried) = {
                let mut state = self.state();
                if state.begun == state.spsa.rounds || state.problem.is_some() {
                    return;
                }
                state.begun += 1;
                (state.begun, state.spsa.tried(state.begun))
            };
            let result = self.play(&mut referee, round, &tried);
            let mut state = self.state();
            state.ended += 1;
            match &result {
                Ok(result) => state.spsa.learn(round, *result),
                Err(fault) => {
                    state.left_out += 1;
                    eprintln!("round {round}: {fault}");
                }
            }
            let ended = Round {
                round: state.ended,
                of: state.spsa.rounds,
                game: self.args.game.clone(),
                seed: state.spsa.seed,
                names: state.spsa.names(),
                tried,
                result: result.ok(),
                values: state.spsa.values.clone(),
            };
            let told = ended.result.map_or("?".into(), |result| format!("{result:+}"));
            eprintln!("round {}/{}: {told} | {}", ended.round, ended.of, state.spsa.line());
            let kept = state.keeper.as_mut().map_or(Ok(()), |keeper| keeper.add(&ended));
            if let Err(error) = kept {
                state.problem = Some(format!("the records cannot be written: {error}"));
            }
        }
    }

    /// Plays both games of a round; returns how many more games the first engine won than lost.
    ///
    /// # Errors
    /// The error, with the numbers.
    fn play(&self, referee: &mut Referee, round: usize, tried: &[Vec<i64>; 2]) -> Result<i32, String> {
        let args = self.args;
        let mut specs = Vec::new();
        for values in tried {
            let spec = tuned(args, self.words, values, referee)?;
            specs.push(Spec { speech: self.known.speech, ..spec });
        }
        let opening = &self.openings[(round - 1) % self.openings.len()];
        let mut seats = [Seat::new(&specs[0]), Seat::new(&specs[1])];
        let mut result = 0;
        for side in [Side::First, Side::Second] {
            let [one, other] = &mut seats;
            let order = if side == Side::First { [one, other] } else { [other, one] };
            let end = game::play(referee, order, opening, &args.judging()).end;
            if end.by.is_some() {
                return Err(format!(
                    "{}: {}; tried {:?} against {:?}",
                    end.reason.told(),
                    end.detail,
                    tried[0],
                    tried[1]
                ));
            }
            result += end.result.halves_for(side) as i32 - 1;
        }
        Ok(result)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(text: &str) -> Result<Number, String> {
        text.parse()
    }

    #[test]
    fn a_number_has_a_name_a_start_a_range_and_a_step() {
        let read = number("lmr=100,50,200,10").unwrap();
        assert_eq!(read, Number { name: "lmr".into(), start: 100.0, least: 50.0, most: 200.0, step: 10.0 });
        for wrong in ["lmr", "=1,0,2,1", "a=1,0,2", "a=1,0,2,1,1", "a=3,0,2,1", "a=1,0,2,0", "a=1,0,inf,1", "a=x,0,2,1"]
        {
            assert!(number(wrong).unwrap_err().starts_with("expected "), "{wrong}");
        }
    }

    #[test]
    fn numbers_stand_where_their_names_are() {
        let numbers = [number("a=1,0,9,1").unwrap(), number("b=1,0,9,1").unwrap()];
        let words = ["./engine".to_owned(), "option.X={a}".to_owned(), "option.Y=a={a},b={b}".to_owned()];
        assert_eq!(filled(&words, &numbers, &[3, -4]), ["./engine", "option.X=3", "option.Y=a=3,b=-4"]);
    }

    #[test]
    fn both_sides_of_a_round_lie_a_step_away_and_never_outside_the_range() {
        let numbers = vec![number("a=100,50,200,10").unwrap(), number("b=0,0,5,4").unwrap()];
        let spsa = Spsa::new(numbers, 100, 0.02, 7);
        for round in 1..=100 {
            let [one, other] = spsa.tried(round);
            assert_eq!(one[0] + other[0], 200);
            let far = (one[0] - 100).abs();
            assert!((10..=16).contains(&far), "{far}");
            assert!([one[1], other[1]].iter().all(|value| (0..=5).contains(value)));
        }
        assert_eq!((spsa.tried(1)[0][0] - 100).abs(), 16);
        assert_eq!((spsa.tried(100)[0][0] - 100).abs(), 10);
        assert!((1..=100).any(|round| spsa.directions(round)[0] != spsa.directions(round)[1]));
    }

    /// Pairs of games between players whose strength falls with the square of the distance from the best numbers.
    #[test]
    fn the_numbers_come_near_the_best_ones_though_single_results_are_noise() {
        let numbers = vec![number("a=100,10,300,20").unwrap(), number("b=100,10,300,20").unwrap()];
        let best = [160.0, 70.0];
        let strength = |values: &[i64]| -> f64 {
            // In Elo: 60 off costs 90.
            values.iter().zip(best).map(|(value, best)| -(*value as f64 - best).powi(2) / 40.0).sum()
        };
        for seed in 1..=5 {
            let mut spsa = Spsa::new(numbers.clone(), 4000, 0.02, seed);
            let mut rng = SplitMix64::new(seed);
            for round in 1..=4000 {
                let tried = spsa.tried(round);
                let wins = 1.0 / (1.0 + 10_f64.powf((strength(&tried[1]) - strength(&tried[0])) / 400.0));
                let game = |rng: &mut SplitMix64| if (rng.below(1_000_000) as f64) < wins * 1e6 { 1 } else { -1 };
                let result = game(&mut rng) + game(&mut rng);
                spsa.learn(round, result);
            }
            for (value, best) in spsa.values.iter().zip(best) {
                assert!((value - best).abs() < 25.0, "{seed}: {:?}", spsa.values);
            }
        }
    }
}
