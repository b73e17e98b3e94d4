//! Openings: from a file, or random moves from the start position. Each is played twice, with sides swapped.

use std::collections::HashSet;

use griot::game::Mixer;

use crate::referee::Referee;

/// Where a game begins; the moves are in griot's own style.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Opening {
    /// A board text, or the start position.
    pub(crate) board: Option<String>,
    pub(crate) moves: Vec<String>,
}

/// Reads openings: a line each, or the games of a file of PGN, OGN, GGF or SGF, of which no more than `plies` are taken.
///
/// # Format
/// A line is `startpos` or a board text, then nothing, or `moves` and moves; or moves alone, `f5d6c4`, `f5 d6 c4`, `1. f5 d6 2. c4`.
/// Operations of EPD behind a board are skipped. `#` and what follows it is a comment; lines without text are skipped. Of games,
/// variations and comments are skipped.
///
/// # Errors
/// The line or game that is wrong, and why: not a position, an illegal move, or a game that is over.
pub(crate) fn read_openings(text: &str, plies: Option<usize>, referee: &mut Referee) -> Result<Vec<Opening>, String> {
    let openings = match text.trim_start() {
        trees if trees.starts_with("(;") => {
            in_order(trees::games(trees), "game", |game| trees::play(game, referee, plies))
        }
        games if games.starts_with('[') => {
            in_order(movetext::games(games), "game", |game| movetext::play(game, referee, plies))
        }
        lines => {
            let lines = lines.lines().map(|line| line.split('#').next().unwrap_or_default().trim());
            let first = text.lines().take_while(|line| line.trim().is_empty()).count() + 1;
            let lines = (first..).zip(lines).filter(|(_, line)| !line.is_empty());
            lines
                .map(|(number, line)| {
                    read_line(line, referee, plies).map_err(|problem| format!("line {number}: {problem}"))
                })
                .collect()
        }
    }?;
    if openings.is_empty() {
        return Err("no opening in it; write one a line, like 'startpos moves A b'".into());
    }
    Ok(openings)
}

/// Reads one thing after the other, and tells which is wrong.
fn in_order<T>(
    things: Vec<T>,
    called: &str,
    mut read: impl FnMut(&T) -> Result<Opening, String>,
) -> Result<Vec<Opening>, String> {
    let read = |(thing, number)| read(thing).map_err(|problem| format!("{called} {number}: {problem}"));
    things.iter().zip(1..).map(read).collect()
}

/// The opening that the referee was led through.
fn opening(board: Option<&str>, referee: &Referee) -> Result<Opening, String> {
    if referee.result().is_some() {
        let few = "openings must leave something to play; --opening-plies N takes the beginning of games";
        return Err(format!("the game is over in this position; {few}"));
    }
    Ok(Opening { board: board.map(str::to_owned), moves: referee.moves().to_vec() })
}

/// What stands behind a position in EPD.
const OPERATIONS: [&str; 14] =
    ["acd", "acn", "acs", "am", "bm", "c0", "c1", "ce", "dm", "fmvn", "hmvc", "id", "pm", "pv"];

fn read_line(line: &str, referee: &mut Referee, plies: Option<usize>) -> Result<Opening, String> {
    let line = line.split(';').next().unwrap_or_default();
    let words: Vec<&str> = line.split_whitespace().collect();
    let is_operation = |word: &&str| OPERATIONS.contains(word);
    let words = &words[..words.iter().position(is_operation).unwrap_or(words.len())];
    let at = words.iter().position(|&word| word == "moves").unwrap_or(words.len());
    let (board, moves) = words.split_at(at);
    let board = board.join(" ");
    let board = if board == "startpos" { None } else { Some(board) };
    let begun = referee.begin(board.as_deref()).map_err(|problem| problem.text);
    if begun.is_err() && moves.is_empty() {
        // It may be a list of moves.
        referee.begin(None).map_err(|problem| problem.text)?;
        let is_begun = play_words(words, referee, plies).map_or_else(|_| !referee.moves().is_empty(), |()| true);
        if is_begun {
            referee.begin(None).map_err(|problem| problem.text)?;
            play_words(words, referee, plies)?;
            return opening(None, referee);
        }
    }
    begun?;
    play_words(moves.get(1..).unwrap_or_default(), referee, plies)?;
    opening(board.as_deref(), referee)
}

/// Plays moves, also without blanks between them; the numbers of moves are skipped.
fn play_words(words: &[&str], referee: &mut Referee, plies: Option<usize>) -> Result<(), String> {
    for &word in words {
        let mut rest = word.trim_start_matches(|letter: char| letter.is_ascii_digit());
        rest = if rest.starts_with('.') { rest.trim_start_matches('.') } else { word };
        while !rest.is_empty() {
            if plies.is_some_and(|plies| referee.moves().len() >= plies) {
                return Ok(());
            }
            let ends = (1..=rest.len()).rev().filter(|&end| rest.is_char_boundary(end));
            let played = ends.into_iter().find(|&end| referee.play(&rest[..end]).is_some());
            // How people write a move fills a word.
            let named = || referee.named(rest).and_then(|mv| referee.play(&mv)).map(|_| rest.len());
            let Some(end) = played.or_else(named) else {
                let (legal, moves) = (referee.legal_moves().join(" "), referee.moves());
                return Err(format!("move '{rest}' is not legal after {moves:?}; legal are: {legal}"));
            };
            rest = &rest[end..];
        }
    }
    Ok(())
}

/// Games of PGN and OGN: tags, then moves.
mod movetext {
    use super::{Opening, Referee, opening, play_words};

    /// The tags and the moves of a game.
    #[derive(Debug, Default, PartialEq, Eq)]
    pub(super) struct Game {
        pub(super) board: Option<String>,
        pub(super) words: Vec<String>,
    }

    pub(super) fn games(text: &str) -> Vec<Game> {
        let mut games: Vec<Game> = Vec::new();
        let mut in_tags = false;
        let (mut comment, mut variations) = (false, 0_usize);
        for line in text.lines().map(str::trim) {
            if line.starts_with('[') && !comment {
                if !in_tags {
                    games.push(Game::default());
                }
                in_tags = true;
                let tag = line.trim_start_matches('[').trim_end_matches(']');
                if let (Some(("FEN", value)), Some(game)) = (tag.split_once(' '), games.last_mut()) {
                    game.board = Some(value.trim().trim_matches('"').to_owned());
                }
                continue;
            }
            in_tags = in_tags && line.is_empty();
            let mut word = String::new();
            let mut words = Vec::new();
            for letter in line.chars().chain([' ']) {
                match letter {
                    '}' => comment = false,
                    _ if comment => {}
                    '{' => comment = true,
                    '(' => variations += 1,
                    ')' => variations = variations.saturating_sub(1),
                    _ if variations > 0 => {}
                    ';' => break,
                    _ if letter.is_whitespace() => {
                        if !word.is_empty() {
                            words.push(std::mem::take(&mut word));
                        }
                    }
                    _ => word.push(letter),
                }
            }
            words.extend(Some(word).filter(|word| !word.is_empty()));
            if let Some(game) = games.last_mut() {
                let is_move =
                    |word: &String| !matches!(word.as_str(), "1-0" | "0-1" | "1/2-1/2" | "*") && !word.starts_with('$');
                game.words.extend(words.into_iter().filter(is_move));
            }
        }
        games
    }

    pub(super) fn play(game: &Game, referee: &mut Referee, plies: Option<usize>) -> Result<Opening, String> {
        referee.begin(game.board.as_deref()).map_err(|problem| problem.text)?;
        // Marks of good and bad moves, and of checks, say nothing about the rules.
        let words: Vec<&str> = game.words.iter().map(|word| word.trim_end_matches(['!', '?', '+', '#'])).collect();
        play_words(&words, referee, plies)?;
        opening(game.board.as_deref(), referee)
    }
}

/// Games of GGF and SGF: nodes of properties.
mod trees {
    use griot::message::Shape;

    use super::{Opening, Referee, opening};
    use crate::ggf;
    use crate::referee::{PASS, Style};

    /// The properties of a game in their order; those of variations but the first are left out.
    pub(super) type Game = Vec<(String, String)>;

    pub(super) fn games(text: &str) -> Vec<Game> {
        let mut games: Vec<Game> = Vec::new();
        let (mut depth, mut skipped) = (0_usize, 0_usize);
        // The values of one property stand behind each other; another name begins after them.
        let (mut name, mut has_value) = (String::new(), false);
        // Whether a variation has been read to its end at this depth or below it.
        let mut ended = false;
        let mut letters = text.chars();
        while let Some(letter) = letters.next() {
            match letter {
                '(' if skipped > 0 || ended && depth > 0 => skipped += 1,
                '(' => {
                    if depth == 0 {
                        games.push(Game::new());
                        ended = false;
                    }
                    depth += 1;
                }
                ')' if skipped > 0 => skipped -= 1,
                ')' => {
                    depth = depth.saturating_sub(1);
                    ended = true;
                }
                '[' => {
                    let mut value = String::new();
                    while let Some(letter) = letters.next() {
                        match letter {
                            ']' => break,
                            '\\' => value.extend(letters.next()),
                            _ => value.push(letter),
                        }
                    }
                    has_value = true;
                    if let (Some(game), 0) = (games.last_mut(), skipped) {
                        game.push((name.clone(), value));
                    }
                }
                _ if letter.is_ascii_uppercase() => {
                    if std::mem::take(&mut has_value) {
                        name.clear();
                    }
                    name.push(letter);
                }
                _ => {}
            }
        }
        games
    }

    pub(super) fn play(game: &Game, referee: &mut Referee, plies: Option<usize>) -> Result<Opening, String> {
        let value = |name: &str| game.iter().find(|(own, _)| own == name).map(|(_, value)| value.as_str());
        let is_ggf = value("GM").is_some_and(|game| game.eq_ignore_ascii_case("othello"));
        if let Some((name, _)) = game.iter().find(|(name, _)| name == "AB" || name == "AW") {
            return Err(format!("{name}: games that begin with stones on the board are not read"));
        }
        let board = match value("BO") {
            Some(text) if is_ggf => Some(ggf::own_board(text).ok_or_else(|| format!("no board: '{text}'"))?),
            _ => None,
        };
        referee.begin(None).map_err(|problem| problem.text)?;
        let board = board.filter(|board| *board != referee.board());
        referee.begin(board.as_deref()).map_err(|problem| problem.text)?;
        for (_, mv) in game.iter().filter(|(name, _)| name == "B" || name == "W") {
            if plies.is_some_and(|plies| referee.moves().len() >= plies) {
                break;
            }
            let played = if is_ggf {
                let mv = mv.split('/').next().unwrap_or_default().to_ascii_lowercase();
                referee.play(if mv.starts_with("pa") { PASS } else { &mv })
            } else {
                point(mv, referee).and_then(|point| referee.play_in(Style::Numbers, &point))
            };
            played.ok_or_else(|| format!("move '{mv}' is not legal after {:?}", referee.moves()))?;
        }
        opening(board.as_deref(), referee)
    }

    /// A point of two letters from the top left, as Gomocup has it.
    fn point(text: &str, referee: &Referee) -> Option<String> {
        let Shape::Grid(grid) = referee.picture().board.shape else { return None };
        let mut letters = text.bytes().map(|letter| usize::from(letter).checked_sub(usize::from(b'a')));
        let (col, down) = (letters.next()??, letters.next()??);
        let row = if grid.from_top { down } else { grid.rows.len().checked_sub(down + 1)? };
        Some(format!("{col},{row}"))
    }
}

/// So many random games in a row without a new opening mean that there are hardly any more.
const MISSES: usize = 300;

/// Up to `count` openings of `plies` random moves that end in different running games; fewer when there are no more.
///
/// # Errors
/// When not one game lasts so long.
pub(crate) fn random_openings(
    referee: &mut Referee,
    plies: usize,
    count: usize,
    seed: u64,
) -> Result<Vec<Opening>, String> {
    let mut random = Mixer::new(seed);
    let mut seen = HashSet::new();
    let mut openings = Vec::new();
    let mut misses = 0;
    while openings.len() < count && misses < MISSES {
        misses += 1;
        referee.begin(None).map_err(|problem| problem.text)?;
        while referee.moves().len() < plies && !referee.legal_moves().is_empty() {
            let legal = referee.legal_moves();
            let mv = legal[random.below(legal.len())].clone();
            referee.play(&mv);
        }
        if referee.result().is_none() && referee.moves().len() == plies && seen.insert(referee.board()) {
            openings.push(Opening { board: None, moves: referee.moves().to_vec() });
            misses = 0;
        }
    }
    if openings.is_empty() {
        return Err(format!("--random-plies {plies}: random games of {} end before that; take fewer", referee.game()));
    }
    Ok(openings)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn referee(game: &str) -> Referee {
        Referee::new(game).unwrap()
    }

    #[test]
    fn a_file_has_boards_moves_and_comments() {
        let text = "# two of them\n\nstartpos moves b2 A1 # the corner\n3/1x1/3 o\n  startpos\n3/1P1/3 b moves P@a1\n";
        let openings = read_openings(text, None, &mut referee("tictactoe")).unwrap();
        let opening = |board: Option<&str>, moves: &[&str]| Opening {
            board: board.map(str::to_owned),
            moves: moves.iter().map(|&mv| mv.to_owned()).collect(),
        };
        assert_eq!(
            openings,
            [
                opening(None, &["b2", "a1"]),
                opening(Some("3/1x1/3 o"), &[]),
                opening(None, &[]),
                opening(Some("3/1P1/3 b"), &["a1"]),
            ]
        );
        let glued = read_openings("startpos moves CdA b", None, &mut referee("awale")).unwrap();
        assert_eq!(glued[0].moves, ["C", "d", "A", "b"]);
    }

    #[test]
    fn what_is_wrong_is_told_with_its_line() {
        for (text, told) in [
            ("startpos\nstartpos moves b2 b2", "line 2: move 'b2' is not legal"),
            ("3/3/4 x", "line 1: row 3"),
            ("moves a1", "line 1: "),
            ("startpos moves a1 b1 a2 b2 a3", "line 1: the game is over"),
            ("# nothing\n", "no opening in it"),
        ] {
            let problem = read_openings(text, None, &mut referee("tictactoe")).unwrap_err();
            assert!(problem.starts_with(told), "{problem}");
        }
    }

    fn moves_of(text: &str, plies: Option<usize>, game: &str) -> Vec<Vec<String>> {
        let openings = read_openings(text, plies, &mut referee(game)).unwrap();
        openings.into_iter().map(|opening| opening.moves).collect()
    }

    #[test]
    fn lists_of_moves_and_positions_of_epd_are_openings() {
        let expected = ["f5", "d6", "c4"];
        for line in ["f5d6c4", "f5 d6 c4", "1. f5 d6 2. c4", "1.F5 D6 2.C4", "startpos moves f5d6 c4"] {
            assert_eq!(moves_of(line, None, "othello"), [expected], "{line}");
        }
        assert_eq!(moves_of("f5d6c4", Some(2), "othello"), [["f5", "d6"]]);
        let epd = "3/1x1/3 o bm a1; id \"x y\";";
        assert_eq!(read_openings(epd, None, &mut referee("tictactoe")).unwrap()[0].board.as_deref(), Some("3/1x1/3 o"));
        assert!(read_openings("f5x9", None, &mut referee("othello")).unwrap_err().contains("move 'x9' is not legal"));
    }

    #[test]
    fn games_of_other_formats_are_openings() {
        let ggf = "(;GM[Othello]PC[x]PB[a\\]b]BO[8 -------- -------- -------- ---O*--- ---*O--- -------- -------- \
                   -------- *]B[d3//0.01]W[c5/2.3];)\n(;GM[Othello]BO[8 -------- -------- -------- ---O*--- ---*O--- \
                   -------- -------- -------- *]B[F5];)";
        assert_eq!(moves_of(ggf, None, "othello"), [vec!["d3", "c5"], vec!["f5"]]);
        let sgf = "(;FF[4]GM[4]SZ[15]C[a (;B[aa\\])];B[hh];W[ih]BL[9](;B[aa];W[bb])(;B[cc]))";
        assert_eq!(moves_of(sgf, None, "gomoku"), [["h8", "i8", "a15", "b14"]]);
        let ogn = "[Variant \"Abapa\"]\n[Result \"*\"]\n\n1. F a 2. B {well} (2. C) b\n\n[Variant \"Abapa\"]\n[FEN \
                   \"4-4-4-4-4-4-4-4-4-4-4-4-0-0-N\"]\n\n1. a F *\n";
        let openings = read_openings(ogn, Some(3), &mut referee("awale")).unwrap();
        assert_eq!(openings[0].moves, ["F", "a", "B"]);
        assert_eq!((openings[1].board.is_some(), openings[1].moves.len()), (true, 2));
        let told = read_openings("(;GM[4]SZ[3];B[aa];W[aa])", None, &mut referee("tictactoe")).unwrap_err();
        assert!(told.starts_with("game 1: move 'aa' is not legal"), "{told}");
        assert!(read_openings("(;AB[aa])", None, &mut referee("gomoku")).unwrap_err().contains("not read"));
    }

    #[test]
    fn random_openings_differ_and_leave_a_game_to_play() {
        let openings = random_openings(&mut referee("awale"), 4, 20, 7).unwrap();
        assert_eq!((openings.len(), openings[3].moves.len()), (20, 4));
        assert_eq!(random_openings(&mut referee("awale"), 4, 20, 7).unwrap(), openings);
        assert_ne!(random_openings(&mut referee("awale"), 4, 20, 8).unwrap(), openings);
        assert_eq!(random_openings(&mut referee("tictactoe"), 1, 20, 1).unwrap().len(), 9);
        assert!(random_openings(&mut referee("tictactoe"), 10, 1, 1).is_err());
        let mut judge = referee("tictactoe");
        for opening in random_openings(&mut judge, 6, 40, 1).unwrap() {
            judge.begin(None).unwrap();
            assert!(opening.moves.iter().all(|mv| judge.play(mv).is_some()) && judge.result().is_none());
        }
    }
}
