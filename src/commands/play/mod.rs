//! `griot play`: a person plays in the terminal. Floor 6.
//!
//! A session plays griot's moves, and a second one, at full strength and with a table of its own, gives hints. The moves from the
//! start are the whole state: both sessions are set up from them. Without a terminal the lines are plain, without a prompt.

mod paint;
mod words;

use std::env;
use std::io::{self, BufReader, IsTerminal, Write};
use std::thread;
use std::time::Duration;

use crossbeam_channel::{Receiver, bounded, select_biased};
use griot::engine::next_line;
use griot::message::{GameResult, Go, Info, Picture, Player, Problem, ReportedScore, Setup, Text};
use griot::protocol::{sketch, tidy};
use griot::registry::Registry;
use griot::session::{Session, Settings};

use super::stop::Stop;
use super::{Answer, Failure, Games, open_of, score_text, search_heard};
use crate::cli::{self, Cli, Language, Seat};
use paint::Paint;
use words::{PASS, Say, Word, is_pass, word};

/// The option that says how strong griot plays.
const LEVEL: &str = "Skill Level";
/// As many moves are listed without being asked for.
const FEW: usize = 30;
/// The width of a list of moves, in characters.
const WIDTH: usize = 78;
/// No move of any game is so long, in bytes.
const LONGEST_MOVE: usize = 60;
/// Moves that are told of the line griot expects.
const EXPECTED: usize = 4;

pub(super) fn run(cli: &Cli, args: &cli::Play, out: &mut dyn Write) -> Result<(), Failure> {
    let variable = |name: &str| env::var(name).ok();
    let is_terminal = io::stdout().is_terminal();
    let paint = Paint::on(is_terminal, variable);
    let language = args.language.unwrap_or_else(|| Language::of_locale(variable));
    let mut table = Table::new(&Registry, cli, args, language, out)?;
    table.paint = paint;
    table.is_terminal = is_terminal;
    table.stop = Stop::by_ctrl_c()?;
    let lines = read_lines()?;
    table.play(&lines)
}

/// Lines of the input, each text or what is wrong with it.
type Lines = Receiver<Result<String, Problem>>;

/// Reads the input on a thread of its own, which is not waited for: it may sit in a read that nothing ends.
fn read_lines() -> Result<Lines, Problem> {
    let (sender, lines) = bounded(1);
    let read = move || {
        let mut input = BufReader::new(io::stdin());
        loop {
            let line = match next_line(&mut input) {
                Ok(Some(line)) => line.map_err(|bad| bad.problem),
                Ok(None) => break,
                Err(error) => {
                    log::error!("reading the input: {error}");
                    break;
                }
            };
            if sender.send(line).is_err() {
                break;
            }
        }
    };
    thread::Builder::new()
        .name("reader".into())
        .spawn(read)
        .map_err(|error| Problem::new(format!("no thread to read on: {error}")))?;
    Ok(lines)
}

/// Who plays griot's moves, and who gives hints.
struct Players {
    griot: Box<dyn Session>,
    adviser: Box<dyn Session>,
}

fn open_players(games: Games<'_>, cli: &Cli, game: &str, level: Option<u64>) -> Result<Players, Failure> {
    let mut griot = open_of(games, cli, game, None)?;
    if let Some(level) = level {
        griot.set_option(LEVEL, Some(&level.to_string()))?;
    }
    let mut adviser = open_of(games, cli, game, None)?;
    // A session is at full strength unless it is told otherwise, which the options of the command line may have done.
    let full = Settings::default().skill_level.to_string();
    for (name, value) in [(LEVEL, full.as_str()), ("UCI_LimitStrength", "false")] {
        adviser.set_option(name, Some(value))?;
    }
    Ok(Players { griot, adviser })
}

/// A game, the people at it, and where all is said.
struct Table<'a> {
    games: Games<'a>,
    cli: &'a Cli,
    players: Players,
    /// Which sides people play.
    people: [bool; 2],
    movetime: Duration,
    /// The moves from the start.
    moves: Vec<String>,
    /// What was said of the last move.
    last: Option<String>,
    language: Language,
    paint: Paint,
    is_terminal: bool,
    stop: Stop,
    out: &'a mut dyn Write,
}

impl<'a> Table<'a> {
    /// A table away from any terminal.
    fn new(
        games: Games<'a>,
        cli: &'a Cli,
        args: &cli::Play,
        language: Language,
        out: &'a mut dyn Write,
    ) -> Result<Table<'a>, Failure> {
        let named = [&args.name, &args.game, &cli.game].into_iter().find_map(Option::as_deref);
        let game = named.unwrap_or(games.default_game());
        Ok(Table {
            games,
            cli,
            players: open_players(games, cli, game, args.level)?,
            people: match args.side {
                Seat::First => [true, false],
                Seat::Second => [false, true],
                Seat::Both => [true, true],
                Seat::None => [false, false],
            },
            movetime: Duration::from_millis(args.movetime),
            moves: Vec::new(),
            last: None,
            language,
            paint: Paint(false),
            is_terminal: false,
            stop: Stop::new(),
            out,
        })
    }

    /// Plays until the input ends, or somebody has had enough.
    fn play(&mut self, lines: &Lines) -> Result<(), Failure> {
        self.welcome()?;
        self.show()?;
        while !self.stop.is_said() {
            if !self.is_over() && !self.is_person(self.turn()) {
                self.play_for_griot()?;
                continue;
            }
            match self.listen(lines)? {
                Some(Ok(line)) => {
                    if !self.obey(line.trim())? {
                        return self.tell(Say::Bye, &[]);
                    }
                }
                Some(Err(problem)) => self.tell(Say::Wrong, &[&problem.to_string()])?,
                None => break,
            }
        }
        if self.is_terminal {
            // The prompt, or a line of thoughts, stands in the line where the shell goes on.
            writeln!(self.out)?;
        }
        Ok(())
    }

    /// Greets, and tells who plays what.
    fn welcome(&mut self) -> Result<(), Failure> {
        self.set_up()?;
        self.tell_strength()?;
        self.tell_sides()?;
        self.tell(Say::HelpHint, &[])
    }

    fn tell_strength(&mut self) -> Result<(), Failure> {
        let settings = &self.players.griot.resources().settings;
        let (level, elo) = (settings.skill_level, settings.elo);
        let strength = if settings.limit_strength {
            self.language.say(Say::AtElo, &[&elo.to_string()])
        } else if level == Settings::default().skill_level {
            self.language.say(Say::FullStrength, &[])
        } else {
            self.language.say(Say::AtLevel, &[&level.to_string()])
        };
        let game = self.players.griot.game().to_owned();
        self.tell(Say::Welcome, &[&game, &strength])
    }

    fn tell_sides(&mut self) -> Result<(), Failure> {
        match self.people {
            [true, true] => self.tell(Say::YouAreBoth, &[]),
            [false, false] => self.tell(Say::YouAreNone, &[]),
            [first, _] => {
                let name = self.name(if first { Player::First } else { Player::Second });
                self.tell(Say::YouAre, &[&name])
            }
        }
    }

    /// A line of its own.
    fn tell(&mut self, say: Say, parts: &[&str]) -> Result<(), Failure> {
        Ok(writeln!(self.out, "{}", self.language.say(say, parts))?)
    }

    /// The next line of the input; nothing at its end, or when Ctrl-C is heard.
    fn listen(&mut self, lines: &Lines) -> Result<Option<Result<String, Problem>>, Failure> {
        if self.is_terminal {
            write!(self.out, "> ")?;
        }
        self.out.flush()?;
        Ok(select_biased! {
            recv(self.stop.channel()) -> _ => None,
            recv(lines) -> line => line.ok(),
        })
    }

    /// Does what a line asks for; `false` ends the game.
    fn obey(&mut self, line: &str) -> Result<bool, Failure> {
        let (first, rest) = line.split_once(char::is_whitespace).map_or((line, ""), |(word, rest)| (word, rest.trim()));
        match word(first) {
            None if line.is_empty() => {}
            None if self.is_over() => self.tell(Say::Over, &[])?,
            None => self.play_for_person(line)?,
            Some(Word::Help) => self.tell(Say::Help, &[])?,
            Some(Word::Quit) => return Ok(false),
            Some(Word::Moves) => self.list_moves()?,
            Some(Word::Board) => self.show()?,
            Some(Word::Hint | Word::Swap) if self.is_over() => self.tell(Say::Over, &[])?,
            Some(Word::Hint) => self.hint()?,
            Some(Word::Undo) => self.undo()?,
            Some(Word::Swap) if self.people[0] == self.people[1] => self.tell(Say::CannotSwap, &[])?,
            Some(Word::Swap) => {
                self.people.swap(0, 1);
                self.tell_sides()?;
                self.tell_turn()?;
            }
            Some(Word::New) => self.new_game(rest)?,
            Some(Word::Level) => match self.players.griot.set_option(LEVEL, Some(rest)) {
                Ok(()) => self.tell_strength()?,
                Err(problem) => self.tell(Say::Wrong, &[&problem.to_string()])?,
            },
        }
        Ok(true)
    }

    /// A new game, perhaps another one. One that cannot be found leaves all as it is.
    fn new_game(&mut self, game: &str) -> Result<(), Failure> {
        if !game.is_empty() {
            let level = self.players.griot.resources().settings.skill_level as u64;
            match open_players(self.games, self.cli, game, Some(level)) {
                Ok(players) => self.players = players,
                Err(failure) => return self.tell(Say::Wrong, &[&Problem::from(failure).to_string()]),
            }
        }
        self.moves.clear();
        self.last = None;
        for session in [&mut self.players.griot, &mut self.players.adviser] {
            session.new_game();
        }
        self.welcome()?;
        self.show()
    }

    /// Brings the sessions to the moves played.
    fn set_up(&mut self) -> Result<(), Failure> {
        self.try_moves(None)?;
        let setup = setup(&self.moves, None);
        Ok(self.players.adviser.set_position(&setup)?)
    }

    /// Brings griot's session to the moves played, and one more. An illegal one leaves it in need of being set up again.
    fn try_moves(&mut self, more: Option<&str>) -> Result<(), Problem> {
        self.players.griot.set_position(&setup(&self.moves, more))
    }

    /// The position, as it is shown.
    fn picture(&self) -> Picture {
        // Only moves that griot's session has taken are kept, so that there is always a position.
        self.players.griot.picture().unwrap_or_default()
    }

    fn result(&self) -> Option<GameResult> {
        self.players.griot.state().and_then(|state| state.result)
    }

    fn is_over(&self) -> bool {
        self.players.griot.state().is_none_or(|state| state.result.is_some())
    }

    fn board_text(&self) -> Option<String> {
        self.players.griot.state().map(|state| state.board)
    }

    /// Whose turn it is.
    fn turn(&self) -> Player {
        self.players.griot.state().map_or(Player::First, |state| state.turn)
    }

    /// Whether a person plays this side.
    fn is_person(&self, player: Player) -> bool {
        self.people[player.index()]
    }

    /// The legal moves, in the order of their names.
    fn legal_moves(&self) -> Vec<String> {
        let mut moves = self.players.griot.legal_moves();
        moves.sort_by_cached_key(|mv| {
            let digits = mv.find(|c: char| c.is_ascii_digit()).unwrap_or(mv.len());
            (mv[..digits].to_owned(), mv[digits..].parse::<u64>().unwrap_or_default())
        });
        moves
    }

    /// A move, for people.
    fn label(&self, mv: &str) -> String {
        if mv == PASS { self.language.say(Say::Pass, &[]) } else { mv.into() }
    }

    fn name(&self, player: Player) -> String {
        self.language.name(self.picture().board.players, player)
    }

    /// Draws the board, and tells of the last move, of what more there is to know, and of whose turn it is or who has won.
    fn show(&mut self) -> Result<(), Failure> {
        let Picture { board, last, .. } = self.picture();
        let drawing = self.paint.drawing(&sketch(&board, last.map(|last| last.way)));
        writeln!(self.out, "\n{drawing}")?;
        if let Some(facts) = self.language.facts(&board) {
            writeln!(self.out, "{}", self.paint.dim(&facts))?;
        }
        if let Some(last) = self.last.clone() {
            writeln!(self.out, "{last}")?;
        }
        self.tell_turn()
    }

    fn tell_turn(&mut self) -> Result<(), Failure> {
        if self.is_over() {
            return self.tell_result();
        }
        let turn = self.turn();
        let name = self.name(turn);
        if !self.is_person(turn) {
            return self.tell(Say::GriotsTurn, &[&name]);
        }
        let text = self.language.say(Say::YourTurn, &[&name]);
        writeln!(self.out, "{}", self.paint.bold(&text))?;
        match self.legal_moves().len() {
            ..=FEW => self.list_moves(),
            many => self.tell(Say::ManyMoves, &[&many.to_string()]),
        }
    }

    fn tell_result(&mut self) -> Result<(), Failure> {
        let Some(GameResult::Win(winner)) = self.result() else {
            self.tell(Say::Draw, &[])?;
            return self.tell(Say::AfterTheEnd, &[]);
        };
        let name = self.name(winner);
        self.tell(Say::Wins, &[&name])?;
        if self.people[0] != self.people[1] {
            self.tell(if self.is_person(winner) { Say::YouWon } else { Say::GriotWon }, &[])?;
        }
        self.tell(Say::AfterTheEnd, &[])
    }

    /// The moves with their numbers, in columns.
    fn list_moves(&mut self) -> Result<(), Failure> {
        let moves = self.legal_moves();
        let labels: Vec<String> = moves.iter().map(|mv| self.label(mv)).collect();
        let width = labels.iter().map(|label| label.chars().count()).max().unwrap_or_default();
        let digits = moves.len().to_string().len();
        let in_a_row = (WIDTH / (digits + width + 4)).max(1);
        for (row, line) in labels.chunks(in_a_row).enumerate() {
            let mut text = String::new();
            for (place, label) in line.iter().enumerate() {
                let number = format!("{:>digits$}", row * in_a_row + place + 1);
                text.push_str(&format!("  {} {label:<width$}", self.paint.dim(&number)));
            }
            writeln!(self.out, "{}", text.trim_end())?;
        }
        Ok(())
    }

    /// The move that a person means; nothing when it is refused, and why has been said.
    fn find_move(&mut self, text: &str) -> Result<Option<String>, Failure> {
        let legal = self.legal_moves();
        let pass = legal.iter().find(|mv| *mv == PASS).filter(|_| is_pass(text));
        let found = legal.iter().find(|mv| *mv == text).or(pass);
        // Where the case of a letter tells the players apart, only one of them is to move.
        if let Some(mv) = found.or_else(|| legal.iter().find(|mv| mv.eq_ignore_ascii_case(text))) {
            return Ok(Some(mv.clone()));
        }
        if !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()) {
            let by_number = text.parse::<usize>().ok().and_then(|number| legal.get(number.checked_sub(1)?));
            if by_number.is_none() {
                self.tell(Say::NoSuchNumber, &[&tidy(text), &legal.len().to_string()])?;
            }
            return Ok(by_number.cloned());
        }
        if text.len() > LONGEST_MOVE {
            self.tell(Say::OneAtATime, &[&tidy(text)])?;
            return Ok(None);
        }
        // Any other spelling is the game's business: it is the legal move that leads to the same position.
        if let Err(problem) = self.try_moves(Some(text)) {
            self.try_moves(None)?;
            self.tell(Say::Refused, &[&tidy(text), &problem.text])?;
            return Ok(None);
        }
        let meant = self.board_text();
        let mut same = None;
        for mv in &legal {
            self.try_moves(Some(mv))?;
            if self.board_text() == meant {
                same = Some(mv.clone());
                break;
            }
        }
        self.try_moves(None)?;
        if same.is_none() {
            self.tell(Say::OneAtATime, &[&tidy(text)])?;
        }
        Ok(same)
    }

    fn play_for_person(&mut self, text: &str) -> Result<(), Failure> {
        let Some(mv) = self.find_move(text)? else { return Ok(()) };
        let (name, label) = (self.name(self.turn()), self.label(&mv));
        self.last = Some(self.language.say(Say::Played, &[&name, &label]));
        self.moves.push(mv);
        self.set_up()?;
        self.show()
    }

    fn play_for_griot(&mut self) -> Result<(), Failure> {
        let go = Go { movetime: Some(self.movetime), ..Go::default() };
        let answer = self.search(&go, false)?;
        let Some(mv) = answer.best.clone().filter(|_| !self.stop.is_said()) else { return Ok(()) };
        let (name, label, thought) = (self.name(self.turn()), self.label(&mv), self.thought(&answer));
        self.last = Some(self.language.say(Say::GriotPlayed, &[&name, &label, &thought]));
        self.moves.push(mv);
        self.set_up()?;
        self.show()
    }

    fn hint(&mut self) -> Result<(), Failure> {
        let go = Go { movetime: Some(self.movetime), ..Go::default() };
        let answer = self.search(&go, true)?;
        if self.stop.is_said() {
            return Ok(());
        }
        let label = self.label(answer.best.as_deref().unwrap_or(PASS));
        let thought = self.thought(&answer);
        self.tell(Say::Hint, &[&label, &thought])
    }

    /// Searches; on a terminal the thoughts are seen as they come, in a line that is wiped away again.
    fn search(&mut self, go: &Go, advises: bool) -> Result<Answer, Failure> {
        let Table { players, language, stop, out, paint, .. } = self;
        let session = if advises { &mut players.adviser } else { &mut players.griot };
        let is_seen = paint.0;
        let mut seen = Ok(());
        let answer = search_heard(&mut **session, go, Some(stop), &mut |info| {
            if is_seen && seen.is_ok() && info.score.is_some() {
                let text = paint.dim(&language.say(Say::Thinks, &[&thought(*language, info)]));
                seen = write!(out, "\r\x1b[K{text}").and_then(|()| out.flush());
            }
        });
        seen?;
        if is_seen {
            write!(out, "\r\x1b[K")?;
        }
        answer
    }

    /// What a search came to, in short.
    fn thought(&self, answer: &Answer) -> String {
        answer.lines.first().map(|info| thought(self.language, info)).unwrap_or_default()
    }

    /// Takes moves back up to a person's last one.
    fn undo(&mut self) -> Result<(), Failure> {
        // Sides need not take turns: whose move each was is asked of the game.
        let mut left = self.moves.clone();
        let is_found = loop {
            if left.pop().is_none() {
                break false;
            }
            self.players.griot.set_position(&setup(&left, None))?;
            if self.is_person(self.turn()) {
                break true;
            }
        };
        if !is_found {
            self.set_up()?;
            return self.tell(Say::NothingToTakeBack, &[]);
        }
        self.moves = left;
        self.last = Some(self.language.say(Say::TakenBack, &[&self.moves.len().to_string()]));
        self.set_up()?;
        self.show()
    }
}

/// The position after these moves, and one more.
fn setup(moves: &[String], more: Option<&str>) -> Setup {
    let moves: Vec<&str> = moves.iter().map(String::as_str).chain(more).collect();
    Setup { board: None, moves: Text { column: 1, text: moves.join(" ") } }
}

/// Depth, score and the beginning of the line that is expected.
fn thought(language: Language, info: &Info) -> String {
    let score = match info.score {
        Some((ReportedScore::Mate(moves), _)) => {
            let say = if moves > 0 { Say::WinsIn } else { Say::LosesIn };
            language.say(say, &[&moves.unsigned_abs().to_string()])
        }
        _ => score_text(info),
    };
    let mut text = language.say(Say::Thought, &[&info.depth.to_string(), &score]);
    let expected: Vec<&str> = info.pv.moves.iter().skip(1).take(EXPECTED).map(String::as_str).collect();
    if !expected.is_empty() {
        text.push_str(", ");
        text.push_str(&language.say(Say::Expects, &[&expected.join(" ")]));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::super::add_a_game::{CountPawns, Texts};
    use super::*;
    use crate::cli::Command;
    use clap::Parser;
    use griot::engine::Only;
    use griot::game::Game;

    /// What two people are shown who type these lines in hexapawn.
    fn shown(typed: &[&str], language: Language, paint: Paint) -> String {
        let games = Only(Game::new("hexapawn", Texts, CountPawns));
        let cli = Cli::parse_from(["griot", "play", "--side", "both"]);
        let Some(Command::Play(args)) = &cli.command else { panic!() };
        let (sender, lines) = bounded(typed.len());
        typed.iter().for_each(|line| sender.send(Ok((*line).to_owned())).unwrap());
        drop(sender);
        let mut out = Vec::new();
        let mut table = Table::new(&games, &cli, args, language, &mut out).unwrap();
        table.paint = paint;
        table.play(&lines).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn a_game_that_griot_does_not_know_has_a_board() {
        let text = shown(&["a1a2", "b3a2", "b1a2", "c3c2"], Language::En, Paint(false));
        let mut rest = text.as_str();
        for part in [
            "griot plays hexapawn, at full strength.\n",
            "\n 3 p p p\n 2 . . .\n 1 P P P\n   a b c\nP to move: your move.\n  1 a1a2  2 b1b2  3 c1c2\n",
            "\n 3 p p p\n 2 P . .\n 1 . P P\n   a b c\nP plays a1a2.\np to move: your move.\n",
            "\n 3 p . p\n 2 p . .\n 1 . P P\n   a b c\np plays b3a2.\nP to move: your move.\n",
            "\n 3 p . .\n 2 P . p\n 1 . . P\n   a b c\np plays c3c2.\nThe game is over: p wins.\n",
        ] {
            rest = rest.split_once(part).unwrap_or_else(|| panic!("'{part}' is not where it should be: {text}")).1;
        }
        assert!(shown(&["a1a2"], Language::Fr, Paint(false)).contains("   a b c\nP joue a1a2.\nTrait : p. "));
    }

    #[test]
    fn its_pieces_and_its_last_move_have_their_colours() {
        let text = shown(&["a1a2"], Language::En, Paint(true));
        let row = |cells: [(&str, char); 3]| cells.map(|(code, c)| format!(" \x1b[{code}m{c}\x1b[0m")).concat();
        assert!(text.contains(&row([("1;7", 'P'), ("2", '.'), ("2", '.')])), "{text:?}");
        assert!(text.contains(&row([("2;7", '.'), ("36", 'P'), ("36", 'P')])), "{text:?}");
        assert!(text.contains(&row([("33", 'p'), ("33", 'p'), ("33", 'p')])), "{text:?}");
    }
}
