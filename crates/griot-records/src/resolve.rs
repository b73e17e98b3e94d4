//! From words to moves: a game as it was written is played through by the rules.
//!
//! Lenient: passes that were left out are put in, moves are read in every spelling that means one legal move, words that are glued
//! together are taken apart, and moves after the end of the game are kept. What was odd becomes a remark. Only a move of the main
//! line that means nothing is a fault; a variation ends before such a move.

use std::collections::HashMap;

use crate::fault::{Fault, Piece, quoted};
use crate::model::{Outcome, Record, Side};
use crate::raw::Raw;
use crate::rules::{Catalogue, End, Rules};

/// The text of a pass.
pub(crate) const PASS: &str = "0000";
/// No word of a list of moves without blanks is longer than this.
const LONGEST_WORD: usize = 7;
/// So many legal moves are told of, where a move is not legal.
const TOLD: usize = 8;
/// So many games are tried, beside the one that it is, to tell what else it could be.
const TRIED: usize = 6;

/// So many moves behind a capture that can go several ways are tried.
const FOLLOWED: usize = 60;
/// No record has more remarks on its variations.
const MOST_REMARKS: usize = 100;

/// What the caller knows about the games of a file.
#[derive(Debug, Clone, Copy, Default)]
pub struct Hints<'a> {
    /// The game, where the file does not name it.
    pub game: Option<&'a str>,
    /// The game on the board: a list of moves that is legal in it is of this game.
    pub on_board: Option<&'a str>,
    /// The name of the file, which may say which format it has.
    pub file_name: &'a str,
}

/// Games that were opened.
pub(crate) struct Opened<'c> {
    pub(crate) catalogue: &'c dyn Catalogue,
    games: HashMap<String, Box<dyn Rules>>,
    /// The game of the last record of the file that had moves or a board.
    pub(crate) latest: Option<String>,
}

impl<'c> Opened<'c> {
    pub(crate) fn new(catalogue: &'c dyn Catalogue) -> Opened<'c> {
        Opened { catalogue, games: HashMap::new(), latest: None }
    }

    /// The rules of the game of that name.
    ///
    /// # Errors
    /// When there is none.
    pub(crate) fn rules(&mut self, name: &str) -> Result<&mut dyn Rules, String> {
        if !self.games.contains_key(name) {
            let rules = self.catalogue.open(name)?;
            self.games.insert(name.to_owned(), rules);
        }
        match self.games.get_mut(name) {
            Some(rules) => Ok(rules.as_mut()),
            None => Err(format!("no game {}", quoted(name))),
        }
    }
}

/// A move that could not be read.
#[derive(Debug)]
struct Stop {
    node: usize,
    ply: usize,
    /// Where in the word of the node it begins, in bytes.
    at: usize,
    text: String,
}

impl Stop {
    /// One that is about no move.
    fn before(text: String) -> Stop {
        Stop { node: 0, ply: 0, at: 0, text }
    }
}

/// What is wrong with a word, which may hold several moves.
#[derive(Debug)]
struct Wrong {
    /// How many moves of the word are right.
    plies: usize,
    /// Where the wrong one begins, in bytes.
    at: usize,
    text: String,
}

impl From<String> for Wrong {
    fn from(text: String) -> Wrong {
        Wrong { plies: 0, at: 0, text }
    }
}

/// Plays a game through, in the first of its games in which all its moves are legal.
///
/// # Errors
/// When there is none; the fault is that of the game in which it comes furthest.
pub(crate) fn resolve(
    piece: &Piece<'_>,
    raw: &Raw,
    opened: &mut Opened<'_>,
    hints: &Hints<'_>,
) -> Result<Record, Fault> {
    let mut games: Vec<String> = Vec::new();
    if raw.is_certain {
        games.extend(raw.games.first().cloned());
    } else if let Some(game) = hints.game {
        games.push(game.to_owned());
    } else {
        games.extend(hints.on_board.map(str::to_owned));
        games.extend(raw.games.iter().cloned());
    }
    let is_empty = raw.record.len() == 1 && raw.record.start.is_none();
    if let Some(latest) = &opened.latest
        && is_empty
        && !raw.is_certain
        && hints.game.is_none()
    {
        // A game that was not played is of the same game as the one before it.
        games = vec![latest.clone()];
    }
    let mut furthest: Option<Stop> = None;
    let mut found: Option<Record> = None;
    let mut others = Vec::new();
    // A game with tags that do not name it is chess.
    let chess_by_default = raw.white_first && !raw.is_certain && hints.on_board.is_none();
    for (tried, game) in games.iter().enumerate() {
        if games[..tried].contains(game) || (found.is_some() && tried > TRIED) {
            continue;
        }
        let rules = match opened.rules(game) {
            Ok(rules) => rules,
            Err(problem) => {
                furthest.get_or_insert(Stop::before(problem));
                continue;
            }
        };
        // Of other games it is enough to know whether the main line is legal.
        match walk(raw, rules, found.is_none()) {
            Ok(record) if found.is_none() => {
                let is_told = raw.is_certain || hints.game.is_some() || (chess_by_default && game == "chess");
                found = Some(record);
                if is_told {
                    break;
                }
            }
            Ok(record) => others.push(record.game),
            Err(stop) => {
                if furthest.as_ref().is_none_or(|furthest| stop.ply > furthest.ply) {
                    furthest = Some(stop);
                }
            }
        }
    }
    let Some(mut record) = found else {
        let stop = furthest.unwrap_or_else(|| Stop::before("neither a position nor moves of a game".into()));
        let ply = Some(stop.ply).filter(|&ply| ply > 0);
        return Err(piece.fault(raw.at[stop.node] as usize + stop.at, ply, stop.text));
    };
    let is_default = (chess_by_default && record.game == "chess") || is_empty;
    if !is_empty {
        opened.latest = Some(record.game.clone());
    }
    if !raw.is_certain && hints.game.is_none() && !is_default {
        let could = if others.is_empty() { String::new() } else { format!("; it could also be {}", others.join(", ")) };
        record.remark(None, format!("the game is a guess: {}{could}", record.game));
        record.guessed = Some(others);
    }
    Ok(record)
}

/// Plays a game through, or only its main line.
fn walk(raw: &Raw, rules: &mut dyn Rules, with_variations: bool) -> Result<Record, Stop> {
    let dropped = rules.begin(raw.record.start.as_deref()).map_err(Stop::before)?;
    let start = raw.record.start.as_ref().map(|_| rules.board());
    let first_board = start.clone().unwrap_or_default();
    rules.begin(None).map_err(Stop::before)?;
    let start = start.filter(|_| rules.board() != first_board);
    let _ = rules.begin(start.as_deref());
    let mut record = raw.record.without_moves();
    record.game = rules.name().to_owned();
    record.start = start;
    record.nodes.reserve(raw.record.len());
    for text in dropped {
        record.remark(None, text);
    }
    let mut depths: Vec<u32> = vec![0];
    let mut told_end = false;
    let mut steps: Vec<(usize, usize, bool)> = Vec::new();
    let children = |node: usize, own: usize, is_main: bool, steps: &mut Vec<(usize, usize, bool)>| {
        let begun = steps.len();
        let most = if with_variations { usize::MAX } else { 1 };
        steps.extend(
            raw.record.children(node).take(most).enumerate().map(|(place, child)| (child, own, is_main && place == 0)),
        );
        steps[begun..].reverse();
    };
    children(0, 0, true, &mut steps);
    let mut is_settled = false;
    while let Some((node, parent, is_main)) = steps.pop() {
        if !is_main && !is_settled {
            // The main line was walked first: the board is the one at its end.
            settle_result(raw, &mut record, rules);
            is_settled = true;
        }
        let depth = depths[parent] as usize;
        rules.back_to(depth);
        if is_main
            && !told_end
            && let Some(end) = rules.end()
        {
            told_end = true;
            record.remark(Some(depth), end_words(&end));
        }
        let advanced = advance(rules, raw.record.mv(node), raw.movers[node]);
        let step = match advanced.or_else(|wrong| choose(raw, rules, node).ok_or(wrong)) {
            Ok(step) => step,
            Err(_) if is_main && raw.white_first | raw.is_certain && is_null(raw.record.mv(node)) => {
                let word = quoted(raw.record.mv(node));
                record.remark(
                    Some(depth),
                    format!("{word} is a null move, which is not a move of the game; the rest is left out"),
                );
                steps.retain(|(_, _, is_main)| !is_main);
                continue;
            }
            Err(_) if let Some(step) = choose(raw, rules, node) => step,
            Err(Wrong { plies, at, text }) if is_main => return Err(Stop { node, ply: depth + plies + 1, at, text }),
            Err(_) if record.remarks.len() >= MOST_REMARKS => continue,
            Err(Wrong { text, .. }) => {
                record.remark(Some(depth), format!("a variation ends before {}: {text}", quoted(raw.record.mv(node))));
                continue;
            }
        };
        let mut own = parent;
        for mv in step.moves {
            // A pass that was put in is put in once.
            let known = if mv == PASS { record.children(own).find(|&child| record.mv(child) == PASS) } else { None };
            own = known.unwrap_or_else(|| {
                depths.push(depths[own] + 1);
                record.add(own, mv)
            });
        }
        if let Some(notes) = raw.record.notes(node)
            && own != parent
        {
            record.nodes[own].notes = Some(Box::new(notes.clone()));
        }
        if let Some(text) = step.remark {
            record.remark(Some(rules.ply()), text);
        }
        children(node, own, is_main, &mut steps);
    }
    if !is_settled {
        settle_result(raw, &mut record, rules);
    }
    Ok(record)
}

fn end_words(end: &End) -> String {
    let outcome = match end.outcome {
        Outcome::Draw => "a draw",
        Outcome::Win(Side::First) => "a win of the first player",
        Outcome::Win(Side::Second) => "a win of the second player",
    };
    if end.by_history {
        format!("by the rules the game was over here, {outcome} by repetition or by a count of moves; it goes on")
    } else {
        format!("by the rules the game was over here, {outcome}; it goes on")
    }
}

/// Holds the result against the board at the end of the main line.
fn settle_result(raw: &Raw, record: &mut Record, rules: &dyn Rules) {
    let is_othello = record.game == "othello";
    if raw.white_first && (is_othello || crate::pdn::black_begins(&record.game)) {
        record.players.reverse();
        record.result = record.result.map(|result| match result {
            Outcome::Win(side) => Outcome::Win(side.other()),
            Outcome::Draw => Outcome::Draw,
        });
    }
    let end = rules.end();
    if let Some([one, two]) = raw.points {
        let counts = rules.counts().filter(|_| end.is_some());
        let by_points = match one.cmp(&two) {
            std::cmp::Ordering::Greater => Outcome::Win(Side::First),
            std::cmp::Ordering::Less => Outcome::Win(Side::Second),
            std::cmp::Ordering::Equal => Outcome::Draw,
        };
        let by_board = end.as_ref().filter(|end| !end.by_history).map(|end| end.outcome);
        // Whose points come first is not sure where tags are those of chess.
        let agrees =
            counts.is_some_and(|[first, second]| [first, second] == [one, two] || [second, first] == [one, two]);
        record.result = Some(by_board.filter(|_| agrees && is_othello).unwrap_or(by_points));
        if is_othello && let (Some([first, second]), false) = (counts, agrees) {
            record.remark(None, format!("the result is {one}-{two}, the board has {first}-{second}"));
        }
    }
    let Some(end) = end else { return };
    match record.result {
        None if !end.by_history => record.result = Some(end.outcome),
        Some(result) if result != end.outcome && !end.by_history => {
            let words = |outcome: Outcome| match outcome {
                Outcome::Win(Side::First) => "1-0",
                Outcome::Win(Side::Second) => "0-1",
                Outcome::Draw => "1/2-1/2",
            };
            record.remark(
                None,
                format!("the result is {}, by the rules it would be {}", words(result), words(end.outcome)),
            );
        }
        _ => {}
    }
}

/// A capture of draughts that can go several ways between the squares that the word names: the way after which the game goes on as the
/// file says. The first of several; nothing where there are fewer than two.
fn choose(raw: &Raw, rules: &mut dyn Rules, node: usize) -> Option<Step> {
    let word = raw.record.mv(node);
    let named = crate::pdn::squares(word)?;
    let ways: Vec<String> = rules.legal().into_iter().filter(|mv| crate::pdn::goes_by(mv, &named)).collect();
    if ways.len() < 2 {
        return None;
    }
    let ply = rules.ply();
    let mut followed = |mv: &String| {
        rules.back_to(ply);
        let mut count = 0;
        let mut at = node;
        let mut is_legal = rules.play(mv).is_ok();
        while is_legal
            && count < FOLLOWED
            && let Some(next) = raw.record.children(at).next()
        {
            at = next;
            is_legal = one(rules, raw.record.mv(next)).is_ok();
            count += usize::from(is_legal);
        }
        count
    };
    let best = ways.iter().rev().max_by_key(|mv| followed(mv))?.clone();
    rules.back_to(ply);
    let mv = rules.play(&best).ok()?;
    let remark = Some(format!("{} can go {} ways; read as {mv}", quoted(word), ways.len()));
    Some(Step { moves: vec![mv], remark })
}

/// What a word of the file is.
struct Step {
    /// Its moves, passes included; none when it is only a number.
    moves: Vec<String>,
    remark: Option<String>,
}

/// Plays what a word says.
fn advance(rules: &mut dyn Rules, word: &str, mover: Option<Side>) -> Result<Step, Wrong> {
    let begun = rules.ply();
    let mut moves = Vec::new();
    if mover.is_some_and(|mover| mover != rules.turn()) {
        if !is_forced(rules) || is_pass(word) {
            let whose = if rules.turn() == Side::First { "the first player's" } else { "the second player's" };
            return Err(format!("{}: it is {whose} turn", quoted(word)).into());
        }
        moves.push(rules.play(PASS)?);
    }
    let mut problem = match one(rules, word) {
        Ok((mv, remark)) => {
            moves.push(mv);
            return Ok(Step { moves, remark });
        }
        Err(problem) => Wrong::from(problem),
    };
    // A pass that was left out.
    if !is_pass(word) && is_forced(rules) {
        let ply = rules.ply();
        let pass = rules.play(PASS)?;
        if let Ok((mv, remark)) = one(rules, word) {
            moves.extend([pass, mv]);
            return Ok(Step { moves, remark });
        }
        rules.back_to(ply);
    }
    // The number of a move without a dot.
    let number = rules.ply() / 2 + 1;
    if word.trim_end_matches(['.', ')', ':']).parse() == Ok(number) && mover.is_none() {
        return Ok(Step { moves, remark: None });
    }
    if mover.is_none() {
        match apart(rules, word) {
            Ok(several) => {
                moves.extend(several);
                return Ok(Step { moves, remark: None });
            }
            Err(part) if part.plies > 0 => problem = part,
            Err(_) => {}
        }
    }
    rules.back_to(begun + moves.len());
    let is_over = rules.end().is_some();
    if let Some(mv) = spellings(word).into_iter().find_map(|text| rules.play_on(&text)) {
        moves.push(mv);
        let remark = (!is_over).then(|| format!("{}: a move that the rules forbid", quoted(word)));
        return Ok(Step { moves, remark });
    }
    rules.back_to(begun);
    Err(problem)
}

/// Whether the only move is a pass.
fn is_forced(rules: &dyn Rules) -> bool {
    rules.legal() == [PASS]
}

fn is_pass(word: &str) -> bool {
    matches!(word.to_ascii_lowercase().as_str(), PASS | "pa" | "ps" | "pass" | "--" | "p")
}

/// A move of nothing, as chess programs write it in analyses.
fn is_null(word: &str) -> bool {
    is_pass(word) || matches!(word.to_ascii_lowercase().as_str(), "z0" | "null" | "@@@@")
}

/// Plays the one legal move that a word means, and says what is odd about it.
fn one(rules: &mut dyn Rules, word: &str) -> Result<(String, Option<String>), String> {
    let turn = rules.turn();
    let (bare, taken) = match word.split_once('+') {
        Some((bare, taken)) if bare.len() == 1 => (bare, taken.parse::<u32>().ok()),
        _ => (word, None),
    };
    let before = taken.and_then(|_| rules.counts());
    if let Ok(mv) = rules.play(bare) {
        let mut remark = None;
        if let (Some(taken), Some(before)) = (taken, before)
            && let Some(after) = rules.counts()
        {
            let gained = after[turn.index()].saturating_sub(before[turn.index()]);
            if gained != taken {
                remark = Some(format!("{}: it captures {gained}", quoted(word)));
            }
        }
        return Ok((mv, remark));
    }
    for text in spellings(word).into_iter().skip(1) {
        if let Ok(mv) = rules.play(&text) {
            return Ok((mv, None));
        }
    }
    let legal = rules.legal();
    if let Some(mv) = crate::lenient::san(word, &legal, |mv| rules.name_of(mv)) {
        return rules.play(&mv).map(|mv| (mv, None));
    }
    Err(match legal.len() {
        0 => format!("{} comes after the end of the game", quoted(word)),
        _ => {
            let mut names: Vec<String> = legal.iter().take(TOLD).map(|mv| rules.name_of(mv)).collect();
            if legal.len() > TOLD {
                names.push(format!("{} more", legal.len() - TOLD));
            }
            format!("{} is not legal; legal are {}", quoted(word), names.join(", "))
        }
    })
}

/// The ways to understand a word, the word itself first.
fn spellings(word: &str) -> Vec<String> {
    let mut texts = vec![word.to_owned()];
    let mut add = |text: String| {
        if !text.is_empty() && !texts.contains(&text) {
            texts.push(text);
        }
    };
    if is_pass(word) {
        add(PASS.into());
    }
    let bare = word.trim_end_matches(['+', '#', '!', '?', ',', ';', '.']).trim_end_matches("e.p.");
    add(bare.to_owned());
    let low = bare.to_ascii_lowercase();
    add(low.clone());
    let drop = low.strip_prefix("p@").or_else(|| low.strip_prefix('@'));
    add(drop.unwrap_or_default().to_owned());
    // From square to square.
    let signs = ['-', ':', 'x', '='];
    if !low.starts_with(signs) && !low.ends_with(signs) {
        add(low.replace(signs, ""));
    }
    texts
}

/// Whether a word can be cut there: a number stays with its letter, and its digits together.
fn is_seam(word: &str, at: usize) -> bool {
    let bytes = word.as_bytes();
    let is_number = bytes.get(at).is_some_and(u8::is_ascii_digit);
    !is_number || bytes[..at].iter().all(u8::is_ascii_digit)
}

/// Plays the moves that are glued together in a word; none are played when a part of it is not a move.
fn apart(rules: &mut dyn Rules, word: &str) -> Result<Vec<String>, Wrong> {
    let begun = rules.ply();
    let mut moves: Vec<String> = Vec::new();
    let mut rest = word;
    loop {
        rest = rest.trim_start_matches(['-', ',', '.', ';', '>', '–']);
        // A number of a move.
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        if digits > 0 && rest[digits..].starts_with('.') {
            rest = &rest[digits..];
            continue;
        }
        if rest.is_empty() && !moves.is_empty() {
            return Ok(moves);
        }
        let longest = rest.len().min(LONGEST_WORD).min(word.len() - 1);
        let ends = (1..=longest)
            .rev()
            .filter(|&end| is_seam(rest, end))
            .filter(|&end| rest.is_char_boundary(end) && !rest[..end].ends_with(['-', ',', '.', ';']));
        let played = ends.into_iter().find_map(|end| quick(rules, &rest[..end]).map(|own| (own, end)));
        let Some((own, end)) = played else {
            let cut = (1..=rest.len()).find(|&end| {
                end == rest.len()
                    || end > 1 && rest.get(end..).is_some_and(|rest| rest.starts_with(char::is_alphabetic))
            });
            let part = rest.get(..cut.unwrap_or(rest.len())).unwrap_or(rest);
            let text = one(rules, part).err().unwrap_or_else(|| format!("{} is not a move", quoted(part)));
            rules.back_to(begun);
            return Err(Wrong { plies: moves.len(), at: word.len() - rest.len(), text });
        };
        moves.extend(own);
        rest = &rest[end..];
    }
}

/// Plays a part of a word, with a pass before it where that was left out.
fn quick(rules: &mut dyn Rules, part: &str) -> Option<Vec<String>> {
    for text in spellings(part) {
        if let Ok(mv) = rules.play(&text) {
            return Some(vec![mv]);
        }
    }
    if !is_pass(part) && part.len() <= 3 && is_forced(rules) {
        let ply = rules.ply();
        let pass = rules.play(PASS).ok()?;
        for text in spellings(part) {
            if let Ok(mv) = rules.play(&text) {
                return Some(vec![pass, mv]);
            }
        }
        rules.back_to(ply);
    }
    if rules.end().is_some() {
        return rules.play_on(&part.to_ascii_lowercase()).map(|mv| vec![mv]);
    }
    None
}
