//! `griot play`: a person plays in the terminal. Layer 6.
//!
//! A session plays griot's moves, and a second one, at full strength and with a table of its own, gives hints. The moves from the
//! start are the whole state: both sessions are set up from them. Without a terminal the lines are plain, without a prompt.
//! Values are told for the side that is ahead.

mod input;
mod paint;
mod review;
mod words;

use std::env;
use std::ffi::OsStr;
use std::io::{self, BufRead, BufReader, IsTerminal, Read, Write};
use std::mem;
use std::path::Path;
use std::time::Duration;

use crossbeam_channel::select_biased;
use griot::encoding::Utf8Reader;
use griot::files::{self, Claim};
use griot::message::{
    BoardPicture, Color, GameResult, Go, Info, Picture, Player, PlayerNames, Problem, ReportedScore, Setup, Shape,
    Stroke, Text, Way,
};
use griot::protocol::{sketch_moves, tidy};
use griot::registry::{Registry, levels_of};
use griot::session::{Catalogue as _, RecordedGame, Session, Settings};
use griot_records::{Format, Outcome, Record, Side};

use super::analyse::written;
use super::analysis::WrittenPosition;
use super::stop::Stop;
use super::{Answer, Failure, Games, open_of, score_text, search_heard};
use crate::cli::{self, Cli, Language, Seat};
use input::{Lines, PROMPT};
use paint::Paint;
use review::Size;
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
/// Nodes for each position of a review, if nothing is said: the same game gets the same review on every machine.
const REVIEW: u64 = 200_000;
/// How a file with a game begins.
const FILE: &str = "# griot play";
/// A value from here on is a win that is certain, and the rest of it its margin; in hundredths.
const CERTAIN_CENTI: u32 = 100_000;
/// How a remark in it begins that tells who has given the game up.
const RESIGNED: &str = "# resigned:";

pub(super) fn run(cli: &Cli, args: &cli::Play, out: &mut dyn Write) -> Result<(), Failure> {
    let variable = |name: &str| env::var(name).ok();
    let is_terminal = io::stdout().is_terminal();
    let is_console = is_terminal && anstyle_query::windows::enable_ansi_colors() == Some(true);
    let paint = Paint::on(is_terminal, is_console, variable);
    let language = args.language.unwrap_or_else(|| Language::of_locale(variable));
    let mut table = Table::new(&Registry, cli, args, language, out)?;
    table.paint = paint;
    table.is_terminal = is_terminal;
    table.stop = Stop::by_ctrl_c()?;
    let lines = Lines::of_stdin(is_terminal)?;
    table.play(&lines)
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
    /// The board text where it began, if not at the start of the game.
    start: Option<String>,
    /// The moves from there.
    moves: Vec<Stroke>,
    /// Who has given the game up.
    resigned: Option<Player>,
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
        let players = open_players(games, cli, game, args.level)?;
        let white_begins = players.griot.picture().is_some_and(|picture| match picture.board.colors {
            Some([first, _]) => first == Color::White,
            None => !matches!(picture.board.players, PlayerNames::Marks(_)),
        });
        Ok(Table {
            games,
            cli,
            players,
            people: match args.side {
                Seat::First => [true, false],
                Seat::Second => [false, true],
                Seat::White => [white_begins, !white_begins],
                Seat::Black => [!white_begins, white_begins],
                Seat::Both => [true, true],
                Seat::None => [false, false],
            },
            movetime: Duration::from_millis(args.movetime),
            start: None,
            moves: Vec::new(),
            resigned: None,
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
        let game = self.players.griot.game().to_owned();
        let scale = levels_of(&game).elo;
        let (level, elo) = (settings.skill_level, settings.elo.clamp(scale[0], scale[scale.len() - 1]));
        let strength = if settings.limit_strength {
            self.language.say(Say::AtElo, &[&elo.to_string()])
        } else if level == Settings::default().skill_level {
            self.language.say(Say::FullStrength, &[])
        } else {
            self.language.say(Say::AtLevel, &[&level.to_string()])
        };
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
        if self.is_terminal && !lines.prompts() {
            write!(self.out, "{PROMPT}")?;
        }
        self.out.flush()?;
        Ok(select_biased! {
            recv(self.stop.channel()) -> _ => None,
            recv(lines.next()) -> line => lines.got(line),
        })
    }

    /// Does what a line asks for; `false` ends the game.
    fn obey(&mut self, line: &str) -> Result<bool, Failure> {
        let (first, rest) = line.split_once(char::is_whitespace).map_or((line, ""), |(word, rest)| (word, rest.trim()));
        match word(first) {
            None if line.is_empty() => {}
            None if self.set_up_board(line) => {
                self.welcome()?;
                self.show()?;
            }
            None if self.is_over() => self.tell(Say::Over, &[])?,
            None => self.play_for_person(line)?,
            Some(Word::Help) => self.tell(Say::Help, &[])?,
            Some(Word::Quit) => return Ok(false),
            Some(Word::Moves) if !rest.is_empty() => self.show_moves(rest)?,
            Some(Word::Moves) => self.list_moves()?,
            Some(Word::Record) => self.tell_record()?,
            Some(Word::Save | Word::Load) if rest.is_empty() => self.tell(Say::NameFile, &[])?,
            Some(Word::Save) => self.save(Path::new(rest))?,
            Some(Word::Load) => self.load(Path::new(rest))?,
            Some(Word::Review) => match review_nodes(rest) {
                Ok(time) => self.review(time)?,
                Err(problem) => self.tell(Say::Wrong, &[&problem.to_string()])?,
            },
            Some(Word::Board) => self.show()?,
            Some(Word::Hint | Word::Swap | Word::Resign) if self.is_over() => self.tell(Say::Over, &[])?,
            Some(Word::Hint) => self.hint()?,
            Some(Word::Resign) => self.resign()?,
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
        self.start = None;
        self.moves.clear();
        self.resigned = None;
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
        let setup = self.setup(self.moves.len(), None);
        Ok(self.players.adviser.set_position(&setup)?)
    }

    /// Brings griot's session to the moves played, and one more. An illegal one leaves it in need of being set up again.
    fn try_moves(&mut self, more: Option<&str>) -> Result<(), Problem> {
        let setup = self.setup(self.moves.len(), more);
        self.players.griot.set_position(&setup)
    }

    /// The position after the first `plies` moves, and one more.
    fn setup(&self, plies: usize, more: Option<&str>) -> Setup {
        let text = |text: String| Text { column: 1, text };
        let moves: Vec<&str> = self.moves[..plies].iter().map(|stroke| stroke.mv.as_str()).chain(more).collect();
        Setup { board: self.start.clone().map(text), moves: text(moves.join(" ")), ..Setup::default() }
    }

    /// The position, as it is shown.
    fn picture(&self) -> Picture {
        // Only moves that griot's session has taken are kept, so that there is always a position.
        self.players.griot.picture().unwrap_or_default()
    }

    fn result(&self) -> Option<GameResult> {
        let resigned = self.resigned.map(|player| GameResult::Win(other(player)));
        resigned.or_else(|| self.players.griot.state().and_then(|state| state.result))
    }

    fn is_over(&self) -> bool {
        self.resigned.is_some() || self.players.griot.state().is_none_or(|state| state.result.is_some())
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
    fn legal_moves(&self) -> Vec<Stroke> {
        let mut moves = self.picture().moves;
        moves.sort_by_cached_key(|stroke| {
            let name = stroke.name();
            let digits = name.find(|c: char| c.is_ascii_digit()).unwrap_or(name.len());
            (name[..digits].to_owned(), name[digits..].parse::<u64>().unwrap_or_default(), name.to_owned())
        });
        moves
    }

    /// A legal move, in the engine's words.
    fn legal_move(&self, mv: &str) -> Option<Stroke> {
        self.picture().moves.into_iter().find(|stroke| stroke.mv == mv)
    }

    /// A move, for people.
    fn label(&self, stroke: &Stroke) -> String {
        label(self.language, stroke)
    }

    fn name(&self, player: Player) -> String {
        self.language.name(&self.picture().board, player)
    }

    /// Draws the board, and tells of the last move, of what more there is to know, and of whose turn it is or who has won.
    fn show(&mut self) -> Result<(), Failure> {
        let Picture { board, last, moves, turn, .. } = self.picture();
        let ways: Vec<Way> = moves.iter().map(|stroke| stroke.way.clone()).collect();
        let is_asked = self.is_person(turn) && !self.is_over();
        let marked = if is_asked && tells_more(&board, &ways) { &ways[..] } else { &[] };
        let drawing = self.paint.drawing(&sketch_moves(&board, last.map(|last| last.way), marked));
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
    fn find_move(&mut self, text: &str) -> Result<Option<Stroke>, Failure> {
        let legal = self.legal_moves();
        if let Some(stroke) = by_name(&legal, text) {
            return Ok(Some(stroke.clone()));
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
        // Any other spelling is the game's business.
        let tried = self.try_moves(Some(text));
        self.try_moves(None)?;
        if let Err(problem) = tried {
            self.tell(Say::Refused, &[&tidy(text), &problem.text])?;
            return Ok(None);
        }
        let [stroke] = &self.players.griot.line(text)[..] else {
            self.tell(Say::OneAtATime, &[&tidy(text)])?;
            return Ok(None);
        };
        Ok(Some(stroke.clone()))
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
        let best = answer.best.as_deref().and_then(|best| self.legal_move(best));
        let Some(mv) = best.filter(|_| !self.stop.is_said()) else { return Ok(()) };
        let (name, label, thought) = (self.name(self.turn()), self.label(&mv), self.thought(&answer, self.turn()));
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
        let Some(best) = self.legal_move(answer.best.as_deref().unwrap_or(PASS)) else { return Ok(()) };
        let label = self.label(&best);
        let thought = self.thought(&answer, self.turn());
        self.tell(Say::Hint, &[&label, &thought])
    }

    /// Searches; on a terminal the thoughts are seen as they come, in a line that is wiped away again.
    fn search(&mut self, go: &Go, advises: bool) -> Result<Answer, Failure> {
        let names = [Player::First, Player::Second].map(|player| self.name(player));
        let turn = self.turn();
        let Table { players, language, stop, out, paint, .. } = self;
        // The one that does not search is at the same position, and can be asked of it.
        let Players { griot, adviser } = players;
        let (session, other) = if advises { (adviser, griot) } else { (griot, adviser) };
        let is_seen = paint.0;
        let mut seen = Ok(());
        let answer = search_heard(&mut **session, go, Some(stop), &mut |info| {
            if is_seen && seen.is_ok() && info.score.is_some() {
                let line = other.line(&info.pv.moves.join(" "));
                let text = paint.dim(&language.say(Say::Thinks, &[&thought(*language, info, &line, turn, &names)]));
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
    fn thought(&self, answer: &Answer, turn: Player) -> String {
        let names = [Player::First, Player::Second].map(|player| self.name(player));
        let Some(info) = answer.lines.first() else { return String::new() };
        let line = self.players.griot.line(&info.pv.moves.join(" "));
        thought(self.language, info, &line, turn, &names)
    }

    /// Takes moves back up to a person's last one.
    fn undo(&mut self) -> Result<(), Failure> {
        // Sides need not take turns: whose move each was is asked of the game.
        let is_resigned = self.resigned.take().is_some();
        let mut left = self.moves.len();
        // Who has resigned takes that back, and no move.
        let is_found = is_resigned
            || loop {
                if left == 0 {
                    break false;
                }
                left -= 1;
                let setup = self.setup(left, None);
                self.players.griot.set_position(&setup)?;
                if self.is_person(self.turn()) {
                    break true;
                }
            };
        if !is_found {
            self.set_up()?;
            return self.tell(Say::NothingToTakeBack, &[]);
        }
        self.moves.truncate(left);
        self.last = Some(self.language.say(Say::TakenBack, &[&self.moves.len().to_string()]));
        self.set_up()?;
        self.show()
    }

    /// Gives the game up for the side to move, or for the person's side while griot thinks nothing.
    fn resign(&mut self) -> Result<(), Failure> {
        let turn = self.turn();
        if !self.is_person(turn) {
            return self.tell(Say::NothingToResign, &[]);
        }
        self.resigned = Some(turn);
        let name = self.name(turn);
        self.tell(Say::Resigns, &[&name])?;
        self.tell_result()
    }

    /// Draws the board with the moves that begin so.
    fn show_moves(&mut self, beginning: &str) -> Result<(), Failure> {
        let Picture { board, last, .. } = self.picture();
        let moves = self.legal_moves();
        let lower = beginning.to_lowercase();
        // A capital is a piece where moves have names.
        let is_piece = moves.iter().any(|stroke| stroke.name.is_some()) && beginning.starts_with(char::is_uppercase);
        let is_meant = |stroke: &&Stroke| match is_piece {
            true => stroke.name().starts_with(beginning),
            false => stroke.mv.to_lowercase().starts_with(&lower),
        };
        let chosen = moves.iter().filter(is_meant);
        let (texts, ways): (Vec<&str>, Vec<Way>) = chosen.map(|stroke| (stroke.name(), stroke.way.clone())).unzip();
        let drawing = self.paint.drawing(&sketch_moves(&board, last.map(|last| last.way), &ways));
        Ok(writeln!(self.out, "\n{drawing}\n{}", if texts.is_empty() { "-".into() } else { texts.join(" ") })?)
    }

    /// The moves with the numbers of their plies, some to a line.
    fn tell_record(&mut self) -> Result<(), Failure> {
        if self.moves.is_empty() {
            return self.tell(Say::NoMoves, &[]);
        }
        let mut line = String::new();
        for (ply, mv) in self.moves.iter().enumerate() {
            let text = format!("{}. {}", ply + 1, self.label(mv));
            if !line.is_empty() && line.chars().count() + text.chars().count() + 2 > WIDTH {
                writeln!(self.out, "{line}")?;
                line.clear();
            }
            line.push_str(if line.is_empty() { "" } else { "  " });
            line.push_str(&text);
        }
        Ok(writeln!(self.out, "{line}")?)
    }

    /// Writes the game to a file: a remark, and a line as `griot analyse` reads it.
    fn save(&mut self, path: &Path) -> Result<(), Failure> {
        let game = self.players.griot.game();
        let start = self.start.as_deref().unwrap_or_default();
        let resigned = self.resigned.map_or_else(String::new, |player| format!("{RESIGNED} {}\n", seat(player)));
        let moves = self.setup(self.moves.len(), None).moves.text;
        let format = path.extension().and_then(OsStr::to_str).and_then(Format::named);
        let record = format.map(|format| self.record(format));
        let write = || -> Result<(), String> {
            let claim = Claim::of_file(path).map_err(|error| error.to_string())?;
            let (text, beginning) = match (&record, format) {
                (Some(record), Some(format)) => (griot_records::write(record, format, &Registry)?, ""),
                _ => (format!("{FILE}: 'load' goes on with it\n{resigned}{game}|{start}|{moves}\n"), FILE),
            };
            if beginning.is_empty() && std::fs::metadata(path).is_ok_and(|data| data.len() > 0) {
                return Err("the file is there already; name another one".into());
            }
            claim.expect(beginning).map_err(|error| error.to_string())?;
            claim.replace(|file| file.write_all(text.as_bytes())).map_err(|error| error.to_string())
        };
        let shown = path.display().to_string();
        match write() {
            Ok(()) => self.tell(Say::Saved, &[&shown, &self.moves.len().to_string()]),
            Err(error) => self.tell(Say::Wrong, &[&format!("{shown}: {error}")]),
        }
    }

    /// The game as a record of that format.
    fn record(&self, format: Format) -> Record {
        let mut record = Record::new(self.players.griot.game(), format);
        record.start.clone_from(&self.start);
        let mut node = 0;
        for mv in self.setup(self.moves.len(), None).moves.text.split_whitespace() {
            node = record.add(node, mv);
        }
        record.result = self.result().map(|result| match result {
            GameResult::Win(Player::First) => Outcome::Win(Side::First),
            GameResult::Win(Player::Second) => Outcome::Win(Side::Second),
            GameResult::Draw => Outcome::Draw,
        });
        record.ending = self.resigned.map(|_| "resignation".into());
        record
    }

    /// Goes on with the game of a file. One that cannot be read leaves all as it is.
    fn load(&mut self, path: &Path) -> Result<(), Failure> {
        let shown = path.display().to_string();
        match self.read_game(path) {
            Ok(()) => {
                self.last = Some(self.language.say(Say::Loaded, &[&shown, &self.moves.len().to_string()]));
                self.welcome()?;
                self.show()
            }
            Err(problem) => self.tell(Say::Wrong, &[&format!("{shown}: {problem}")]),
        }
    }

    fn read_game(&mut self, path: &Path) -> Result<(), Problem> {
        let mut said = None;
        let mut read = || -> io::Result<String> {
            for line in Utf8Reader::new(BufReader::new(files::open(path)?)).lines() {
                let line = line?;
                if !is_remark(&line) {
                    return Ok(line);
                }
                said = line.trim().strip_prefix(RESIGNED).map(|who| who.trim().to_owned()).or(said.take());
            }
            Ok(String::new())
        };
        let bytes = || {
            let mut bytes = Vec::new();
            files::open(path)?.read_to_end(&mut bytes).map(|_| bytes)
        };
        let bytes = bytes().map_err(|error: io::Error| Problem::new(error.to_string()))?;
        let place = if griot_records::has_records(&bytes) {
            let RecordedGame { game, board, moves } = Registry.read_record(&bytes, self.players.griot.game())?;
            WrittenPosition::new(&game, board.as_deref(), Some(&moves.join(" ")))
        } else {
            let line = read().map_err(|error| Problem::new(error.to_string()))?;
            written(&line, self.players.griot.game())?
        };
        let known = |who: &str| [Player::First, Player::Second].into_iter().find(|&player| seat(player) == who);
        let resigned = match &said {
            None => None,
            Some(who) => Some(known(who).ok_or_else(|| {
                Problem::new(format!("{RESIGNED} expected 'first' or 'second', found '{}'", tidy(who)))
            })?),
        };
        self.go_to(place)?;
        // Nobody gives up a game that is over.
        self.resigned = None;
        self.resigned = resigned.filter(|_| !self.is_over());
        Ok(())
    }

    /// Sets a board up that somebody has typed, as a FEN. Answers whether it is one of this game.
    fn set_up_board(&mut self, line: &str) -> bool {
        if !line.contains('/') && !line.contains('-') {
            return false;
        }
        let game = self.players.griot.game().to_owned();
        let place = written(line, &game).ok().filter(|place| place.has_board() && place.game == game);
        let is_set = place.is_some_and(|place| self.go_to(place).is_ok());
        if is_set {
            self.resigned = None;
        }
        is_set
    }

    /// Goes on at a place. One that cannot be played leaves all as it is.
    fn go_to(&mut self, place: WrittenPosition) -> Result<(), Problem> {
        let level = self.players.griot.resources().settings.skill_level as u64;
        let players = open_players(self.games, self.cli, &place.game, Some(level))?;
        let start = place.has_board().then_some(place.board);
        let before = (
            mem::replace(&mut self.players, players),
            mem::replace(&mut self.start, start),
            mem::take(&mut self.moves),
        );
        self.replay(&place.moves).and_then(|()| self.set_up().map_err(Problem::from)).inspect_err(|_| {
            (self.players, self.start, self.moves) = before;
        })
    }

    /// Plays moves as they are written, with blanks between them or, where letters are moves, without.
    fn replay(&mut self, moves: &str) -> Result<(), Problem> {
        self.try_moves(None)?;
        for word in moves.split_whitespace() {
            let mut rest = word;
            while !rest.is_empty() {
                let session = &self.players.griot;
                let begins =
                    |mv: &Stroke| rest.get(..mv.mv.len()).is_some_and(|text| text.eq_ignore_ascii_case(&mv.mv));
                let legal = session.picture().unwrap_or_default().moves;
                let found = legal.into_iter().filter(begins).max_by_key(|mv| mv.mv.len());
                // Any other spelling fills a word.
                let other = || Some(<[Stroke; 1]>::try_from(session.line(rest)).ok()?).map(|[mv]| (rest.len(), mv));
                let Some((length, mv)) = found.map(|mv| (mv.mv.len(), mv)).or_else(other) else {
                    let number = (self.moves.len() + 1).to_string();
                    return Err(Problem::new(self.language.say(Say::NoSuchMove, &[&tidy(rest), &number])));
                };
                rest = &rest[length..];
                self.moves.push(mv);
                self.try_moves(None)?;
            }
        }
        Ok(())
    }

    /// Searches every position of the game with so many nodes, and tells what each move lost.
    fn review(&mut self, nodes: u64) -> Result<(), Failure> {
        if self.moves.is_empty() {
            return self.tell(Say::NoMoves, &[]);
        }
        let Some(positions) = self.search_all(nodes)? else { return Ok(()) };
        self.tell(Say::Reviewed, &[&self.moves.len().to_string(), &nodes.to_string()])?;
        let mut losses = [Vec::new(), Vec::new()];
        let mut sizes = [Vec::new(), Vec::new()];
        for (ply, pair) in positions.windows(2).enumerate() {
            let [before, after] = pair else { continue };
            let mv = &self.moves[ply];
            let is_best = before.line.first().is_some_and(|best| best.mv == mv.mv);
            let (loss, size) = review::judge(before.turn, before.expected, after.expected, is_best);
            losses[before.turn.index()].push(loss);
            let Some(size) = size else { continue };
            sizes[before.turn.index()].push(size);
            let better: Vec<String> = before.line.iter().take(EXPECTED + 1).map(|mv| self.label(mv)).collect();
            let what = self.language.say(
                match size {
                    Size::Blunder => Say::Blunder,
                    Size::Mistake => Say::Mistake,
                    Size::Slip => Say::Slip,
                },
                &[],
            );
            let (number, name, label) = ((ply + 1).to_string(), self.name(before.turn), self.label(mv));
            let parts = [&number, &name, &label, size.sign(), &what, &before.said, &after.said, &better.join(" ")];
            self.tell(Say::MistakeWas, &parts)?;
        }
        if sizes.iter().all(Vec::is_empty) {
            self.tell(Say::NoMistakes, &[])?;
        }
        for player in [Player::First, Player::Second] {
            let Some(kept) = review::accuracy(&losses[player.index()]) else { continue };
            let count = |size: &Size| sizes[player.index()].iter().filter(|own| *own == size).count();
            let counts: Vec<String> = Size::ALL.iter().map(|size| format!("{} {}", size.sign(), count(size))).collect();
            let name = self.name(player);
            self.tell(Say::Accuracy, &[&name, &format!("{kept:.0}"), &counts.join(", ")])?;
        }
        Ok(())
    }

    /// What a search of each position of the game came to; nothing when it was stopped.
    fn search_all(&mut self, nodes: u64) -> Result<Option<Vec<Judged>>, Failure> {
        let names = [Player::First, Player::Second].map(|player| self.name(player));
        let count = self.moves.len() + 1;
        let mut found = Vec::new();
        for plies in 0..count {
            if self.paint.0 {
                let text = self.language.say(Say::Reviewing, &[&(plies + 1).to_string(), &count.to_string()]);
                write!(self.out, "\r\x1b[K{}", self.paint.dim(&text))?;
                self.out.flush()?;
            }
            let setup = self.setup(plies, None);
            let adviser = &mut self.players.adviser;
            adviser.set_position(&setup)?;
            let Some(state) = adviser.state() else { continue };
            let turn = state.turn;
            found.push(match state.result {
                Some(result) => {
                    let said = match result {
                        GameResult::Win(winner) => self.language.say(Say::Won, &[&names[winner.index()]]),
                        GameResult::Draw => self.language.say(Say::Drawn, &[]),
                    };
                    Judged { turn, expected: review::result(result), said, line: Vec::new() }
                }
                None => {
                    let go = Go { nodes: Some(nodes), ..Go::default() };
                    let answer = search_heard(&mut **adviser, &go, Some(&self.stop), &mut |_| ())?;
                    let info = answer.lines.into_iter().next().unwrap_or_default();
                    let expected = review::expected(adviser.game(), &info, turn);
                    Judged {
                        turn,
                        expected,
                        said: score(self.language, &info, turn, &names),
                        line: adviser.line(&info.pv.moves.join(" ")),
                    }
                }
            });
            if self.stop.is_said() {
                return Ok(None);
            }
        }
        if self.paint.0 {
            write!(self.out, "\r\x1b[K")?;
        }
        self.set_up()?;
        Ok(Some(found))
    }
}

/// A position of a game that is reviewed.
struct Judged {
    turn: Player,
    /// Of the first player, from 0 to 1.
    expected: f64,
    /// Its value, for people.
    said: String,
    /// The best line from there.
    line: Vec<Stroke>,
}

/// The nodes for each position that somebody asks for.
fn review_nodes(text: &str) -> Result<u64, Problem> {
    if text.is_empty() {
        return Ok(REVIEW);
    }
    let nodes = text.parse().ok().filter(|&nodes: &u64| nodes > 0 && text.bytes().all(|byte| byte.is_ascii_digit()));
    nodes
        .ok_or_else(|| Problem::new(format!("review: expected a whole number of nodes from 1, found '{}'", tidy(text))))
}

/// A side, as the command line and files name it.
const fn seat(player: Player) -> &'static str {
    match player {
        Player::First => "first",
        Player::Second => "second",
    }
}

/// Whether a line of a file says nothing of the position.
fn is_remark(line: &str) -> bool {
    let line = line.trim();
    line.is_empty() || line.starts_with('#')
}

const fn other(player: Player) -> Player {
    match player {
        Player::First => Player::Second,
        Player::Second => Player::First,
    }
}

/// Whether it helps to see these moves on the board: not where a piece has many ways to go, nor where every empty cell is one.
fn tells_more(board: &BoardPicture, moves: &[Way]) -> bool {
    match &board.shape {
        Shape::Grid(grid) => {
            let empty = grid.cells.iter().filter(|cell| cell.is_none()).count();
            moves.iter().all(|way| way.from.is_none()) && moves.len() < empty
        }
        Shape::Houses { .. } => true,
        Shape::Heaps { .. } | Shape::Text { .. } => false,
    }
}

/// A move, for people.
fn label(language: Language, stroke: &Stroke) -> String {
    if stroke.mv == PASS { language.say(Say::Pass, &[]) } else { stroke.name().into() }
}

/// The legal move of that text or that name: letter by letter, or, if that is one move only, in any case.
fn by_name<'m>(legal: &'m [Stroke], text: &str) -> Option<&'m Stroke> {
    let is_same = |stroke: &&Stroke| stroke.mv == text || stroke.name() == text;
    let pass = || legal.iter().find(|stroke| stroke.mv == PASS).filter(|_| is_pass(text));
    let is_like = |stroke: &&Stroke| stroke.mv.eq_ignore_ascii_case(text) || stroke.name().eq_ignore_ascii_case(text);
    let alike = || {
        let mut alike = legal.iter().filter(is_like);
        alike.next().filter(|_| alike.next().is_none())
    };
    legal.iter().find(is_same).or_else(pass).or_else(alike)
}

/// A value, for the side that is ahead.
fn score(language: Language, info: &Info, turn: Player, names: &[String; 2]) -> String {
    let name = |player: Player| names[player.index()].as_str();
    match info.score {
        Some((ReportedScore::Mate(moves), _)) => {
            let say = if moves > 0 { Say::WinsIn } else { Say::LosesIn };
            language.say(say, &[name(turn), &moves.unsigned_abs().to_string()])
        }
        Some((ReportedScore::Centi(centi), _)) if centi.unsigned_abs() >= CERTAIN_CENTI => {
            let winner = if centi > 0 { turn } else { other(turn) };
            match centi.unsigned_abs() - CERTAIN_CENTI {
                0 => language.say(Say::IsWinning, &[name(winner)]),
                margin => {
                    let margin = f64::from(margin) / 100.0;
                    language.say(Say::WinsBy, &[name(winner), &margin.to_string()])
                }
            }
        }
        Some((ReportedScore::Centi(centi), _)) if centi != 0 => {
            let ahead = if centi > 0 { turn } else { other(turn) };
            let value = format!("+{:.2}", f64::from(centi.unsigned_abs()) / 100.0);
            language.say(Say::Ahead, &[&value, name(ahead)])
        }
        _ => score_text(info).replace('+', ""),
    }
}

/// Depth, score and the beginning of the line that is expected.
fn thought(language: Language, info: &Info, line: &[Stroke], turn: Player, names: &[String; 2]) -> String {
    let score = score(language, info, turn, names);
    let mut text = language.say(Say::Thought, &[&info.depth.to_string(), &score]);
    let expected: Vec<String> = line.iter().skip(1).take(EXPECTED).map(|stroke| label(language, stroke)).collect();
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
        let (sender, lines) = crossbeam_channel::bounded(typed.len());
        typed.iter().for_each(|line| sender.send(Ok((*line).to_owned())).unwrap());
        drop(sender);
        let mut out = Vec::new();
        let mut table = Table::new(&games, &cli, args, language, &mut out).unwrap();
        table.paint = paint;
        table.play(&Lines::of(lines)).unwrap();
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
