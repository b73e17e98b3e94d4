//! Plays a match or tournament: worker threads take games from the schedule, one thread records the results.

use std::collections::HashSet;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

use crossbeam_channel::{Sender, unbounded};

use crate::args::Args;
use crate::dialects::Speech;
use crate::engine::Engine;
use crate::export::Export;
use crate::game::{self, Seat, Seen};
use crate::limits::Judging;
use crate::live::Live;
use crate::openings::{self, Opening};
use crate::page::Page;
use crate::record::{Keeper, Record, Who};
use crate::referee::Referee;
use crate::schedule::{Schedule, Slot};
use crate::spec::Spec;
use crate::standing::{Finished, Standing};

/// Plays the match of the command line.
///
/// # Errors
/// What is wrong with the command line, a file, or an engine before the first game.
pub(crate) fn run(args: &Args) -> Result<(), String> {
    let problem = |problem: griot::message::Problem| problem.text;
    let mut referee = Referee::new(&args.game).map_err(problem)?;
    let openings = openings(args, &mut referee)?;
    let specs = args.specs(&referee)?;
    let seeds = args.gauntlet.map(usize::from);
    if seeds.is_some_and(|seeds| seeds >= specs.len()) {
        return Err(format!("--gauntlet: expected less than {} engines", specs.len()));
    }
    if args.sprt.is_some() && specs.len() != 2 {
        return Err(format!("--sprt: a sequential test is between two engines, not {}", specs.len()));
    }
    let entrants = try_out(specs, &mut referee, &openings)?;
    let schedule = Schedule::new(entrants.len(), seeds, args.pairs());
    let mut standing = Standing::new(names(&entrants), schedule.games(), args.sprt);
    let plan = Plan {
        seed: args.random_plies.map(|_| args.seed),
        limits: args.limits().text(),
        judging: args.judging(),
        schedule,
        openings,
        entrants,
        played: HashSet::new(),
        next: AtomicUsize::new(0),
        stop: AtomicBool::new(false),
    };
    let mut desk = Desk::open(args, &plan, &mut referee)?;
    let plan = Plan { played: desk.before.iter().map(|game| game.record.round).collect(), ..plan };
    for game in std::mem::take(&mut desk.before) {
        standing.book(&game);
    }
    desk.live.begin(&standing);
    let count = args.concurrency.clamp(1, plan.schedule.pairs());
    let mut referees = vec![referee];
    while referees.len() < count && !standing.is_decisive() {
        referees.push(Referee::new(&args.game).map_err(problem)?);
    }
    plan.stop.store(standing.is_decisive(), Ordering::Relaxed);
    thread::scope(|scope| {
        let (sender, finished) = unbounded();
        for referee in referees {
            let (plan, sender) = (&plan, sender.clone());
            scope.spawn(move || plan.work(referee, &sender));
        }
        drop(sender);
        for game in finished {
            standing.book(&game);
            if let Err(problem) = desk.take(&game, &standing) {
                // A match without its records is worth little: the games under way are finished, and no more begun.
                plan.stop.store(true, Ordering::Relaxed);
                return Err(problem);
            }
            if standing.is_decisive() {
                plan.stop.store(true, Ordering::Relaxed);
            }
        }
        Ok(())
    })?;
    desk.close(&standing)?;
    print!("{}", standing.report());
    Ok(())
}

fn names(entrants: &[Entrant]) -> Vec<String> {
    entrants.iter().map(|entrant| entrant.name.clone()).collect()
}

/// The outputs of finished games: records first, then what is derived from them.
struct Desk {
    records: Option<Keeper>,
    exports: Vec<Export>,
    page: Option<Page>,
    live: Live,
    /// The games that were played before this run.
    before: Vec<Finished>,
}

impl Desk {
    /// Opens every file that is asked for.
    fn open(args: &Args, plan: &Plan, referee: &mut Referee) -> Result<Desk, String> {
        let (records, before) = match &args.records {
            Some(path) => {
                let (keeper, records) = Keeper::begin(path, args.resume)?;
                (Some(keeper), plan.finished_before(&records, path, referee)?)
            }
            None => (None, Vec::new()),
        };
        let games: Vec<Record> = before.iter().map(|game| game.record.clone()).collect();
        let exports = args.export.iter().map(|path| Export::begin(path, referee.game(), &games, args.resume));
        let exports = exports.collect::<Result<Vec<Export>, String>>()?;
        let title = format!("{}: {}", referee.game(), names(&plan.entrants).join(", "));
        let page = args.page.clone().map(|path| Page::begin(path, title)).transpose()?;
        Ok(Desk { records, exports, page, live: Live::new(plan.schedule.games()), before })
    }

    fn take(&mut self, game: &Finished, standing: &Standing) -> Result<(), String> {
        if let Some(records) = &mut self.records {
            records.add(&game.record).map_err(|error| format!("the records cannot be written: {error}"))?;
        }
        for export in &mut self.exports {
            export.add(&game.record)?;
        }
        if let Some(page) = &mut self.page {
            page.add(game, standing)?;
        }
        self.live.show(game, standing);
        Ok(())
    }

    fn close(mut self, standing: &Standing) -> Result<(), String> {
        self.live.end();
        self.page.as_mut().map_or(Ok(()), |page| page.write(standing, true))
    }
}

/// The openings of the match; one of them is the start position if none are asked for.
///
/// # Errors
/// What is wrong with the file of openings, or with the game when random ones are asked for.
pub(crate) fn openings(args: &Args, referee: &mut Referee) -> Result<Vec<Opening>, String> {
    let pairs = args.pairs();
    let openings = match (&args.openings, args.random_plies) {
        (Some(path), _) => {
            let told = |problem: String| format!("{}: {problem}", path.display());
            let bytes = std::fs::read(path).map_err(|error| told(error.to_string()))?;
            openings::read_openings(&bytes, &path.to_string_lossy(), args.opening_plies, referee).map_err(told)?
        }
        (None, Some(plies)) => openings::random_openings(referee, plies, pairs, args.seed)?,
        (None, None) => vec![Opening::default()],
    };
    if openings.len() < pairs {
        let count = openings.len();
        eprintln!("fewer openings ({count}) than pairs of games ({pairs}): they come again, and the games may too");
    }
    Ok(openings)
}

/// A participant.
pub(crate) struct Entrant {
    pub(crate) spec: Spec,
    speech: Speech,
    name: String,
}

/// Starts each engine once: reports wrong command lines before the first game, and learns dialects and names.
///
/// # Errors
/// What is wrong with one of them.
pub(crate) fn try_out(specs: Vec<Spec>, referee: &mut Referee, openings: &[Opening]) -> Result<Vec<Entrant>, String> {
    let mut entrants: Vec<Entrant> = Vec::new();
    referee.begin(None).map_err(|problem| problem.text)?;
    for (mut spec, number) in specs.into_iter().zip(1..) {
        let told = |problem: String| format!("engine {number} ({}): {problem}", spec.command.join(" "));
        let engine = Engine::start(&spec, referee).map_err(|fault| {
            told(format!("{}; check its command line, or say what it speaks with dialect=", fault.detail))
        })?;
        let speech = engine.speech();
        speech.can_play(&spec, openings).map_err(told)?;
        let own = engine.name.clone().unwrap_or_else(|| spec.command[0].clone());
        let name = spec.name.clone().unwrap_or(own);
        spec.speech = Some(speech);
        entrants.push(Entrant { spec, speech, name });
    }
    for at in 0..entrants.len() {
        let name = entrants[at].name.clone();
        if entrants.iter().filter(|entrant| entrant.name == name).count() > 1 {
            let alike = entrants.iter_mut().filter(|entrant| entrant.name == name);
            alike.zip(1..).for_each(|(entrant, number)| entrant.name = format!("{name} #{number}"));
        }
    }
    Ok(entrants)
}

/// What the threads of a match share.
struct Plan {
    seed: Option<u64>,
    /// Of engines that have none of their own, in words.
    limits: String,
    judging: Judging,
    schedule: Schedule,
    openings: Vec<Opening>,
    entrants: Vec<Entrant>,
    /// The games that were played before this run, by their numbers.
    played: HashSet<usize>,
    /// The next pair to be played.
    next: AtomicUsize,
    stop: AtomicBool,
}

impl Plan {
    /// Plays pair after pair until there is none left.
    fn work(&self, mut referee: Referee, finished: &Sender<Finished>) {
        let mut seats: Vec<Seat<'_>> = self.entrants.iter().map(|entrant| Seat::new(&entrant.spec)).collect();
        while !self.stop.load(Ordering::Relaxed) {
            let pair = self.next.fetch_add(1, Ordering::Relaxed);
            for round in [2 * pair + 1, 2 * pair + 2] {
                let Some(slot) = self.schedule.slot(round) else { return };
                if self.played.contains(&round) {
                    continue;
                }
                if finished.send(self.play(&mut referee, &mut seats, slot)).is_err() {
                    return;
                }
            }
        }
    }

    fn play(&self, referee: &mut Referee, seats: &mut [Seat<'_>], slot: Slot) -> Finished {
        let opening = &self.openings[slot.opening % self.openings.len()];
        // Two different engines meet, always.
        let Ok([first, second]) = seats.get_disjoint_mut(slot.engines) else { unreachable!() };
        let played = game::play(referee, [first, second], opening, &self.judging);
        let end = played.end;
        let [p1, p2] = slot.engines.map(|engine| self.who(engine));
        let record = Record {
            game: referee.game().to_owned(),
            round: slot.round,
            seed: self.seed,
            limits: self.limits.clone(),
            p1,
            p2,
            board: opening.board.clone(),
            opening: opening.moves.len(),
            moves: referee.moves().to_vec(),
            thoughts: played.seen.iter().map(|seen| seen.thought.clone()).collect(),
            result: end.result,
            reason: end.reason,
            by: end.by,
            answer: end.answer,
            detail: end.detail,
        };
        Finished { engines: slot.engines, seen: played.seen, record }
    }

    fn who(&self, engine: usize) -> Who {
        let Entrant { spec, speech, name } = &self.entrants[engine];
        let limits = spec.limits_text();
        Who {
            name: name.clone(),
            command: spec.command.clone(),
            dialect: speech.word().to_owned(),
            limits: (limits != self.limits).then_some(limits),
        }
    }

    /// The games of records of this match.
    ///
    /// # Errors
    /// The record that does not belong to this match, and why.
    fn finished_before(&self, records: &[Record], path: &Path, referee: &mut Referee) -> Result<Vec<Finished>, String> {
        let mut rounds = HashSet::new();
        let finished = records.iter().zip(1..).map(|(record, number)| {
            let finished = self.finished(record, referee).and_then(|finished| {
                if rounds.insert(record.round) { Ok(finished) } else { Err("this game was played before".into()) }
            });
            finished.map_err(|problem| format!("{}: record {number}: not of this match: {problem}", path.display()))
        });
        finished.collect()
    }

    fn finished(&self, record: &Record, referee: &mut Referee) -> Result<Finished, String> {
        let (round, games) = (record.round, self.schedule.games());
        let slot = self.schedule.slot(round).ok_or_else(|| format!("game {round} of {games}"))?;
        let opening = &self.openings[slot.opening % self.openings.len()];
        let same = |what: &str, found: &str, expected: &str| {
            if found == expected { Ok(()) } else { Err(format!("expected the {what} '{expected}', found '{found}'")) }
        };
        same("game", &record.game, referee.game())?;
        same("limits", &record.limits, &self.limits)?;
        for (found, engine) in [&record.p1, &record.p2].into_iter().zip(slot.engines) {
            let expected = self.who(engine);
            same("engine", &found.name, &expected.name)?;
            same("dialect", &found.dialect, &expected.dialect)?;
            let limits = |who: &Who| who.limits.clone().unwrap_or_default();
            same("limits", &limits(found), &limits(&expected))?;
        }
        let begun = record.moves.get(..record.opening).unwrap_or_default();
        if record.board != opening.board || begun != opening.moves {
            return Err("it has another opening".into());
        }
        record.check(referee)?;
        let first = record.opening;
        let mut seen = Vec::new();
        for (at, thought) in record.thoughts.iter().enumerate() {
            // A thought beyond the last move is of an answer that was refused.
            let is_played = first + at < record.moves.len();
            let side = if is_played { referee.side_of(first + at) } else { referee.turn() };
            seen.push(Seen { side, thought: thought.clone() });
        }
        Ok(Finished { engines: slot.engines, seen, record: record.clone() })
    }
}
