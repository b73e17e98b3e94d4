//! What people see of scores: Cute Chess and Auale parse `info` lines by rules of their own, and griot's numbers have to make sense
//! after that, over a whole game.

use crate::support::{Talk, matches, word};

/// The score as Cute Chess keeps it: the last number wins, and a word behind it, as `lowerbound`, is not read.
#[derive(Default)]
struct CuteChess(i32);

impl CuteChess {
    const MATE: i32 = 1_000_000;

    fn hear(&mut self, line: &str) {
        let Some((_, rest)) = line.split_once(" score ") else { return };
        let words: Vec<&str> = rest.split(' ').take_while(|word| *word != "nodes").collect();
        let is_bound = |word: &&str| word.ends_with("bound");
        let words = if words.last().is_some_and(is_bound) { &words[..words.len() - 1] } else { &words[..] };
        let [.., kind, number] = *words else { panic!("{line}") };
        let number: i32 = number.parse().unwrap();
        self.0 = match kind {
            "mate" if number > 0 => Self::MATE + 1 - 2 * number,
            "mate" if number < 0 => -Self::MATE - 2 * number,
            _ => number,
        };
    }

    /// In pawns, or in plies to the end of the game.
    fn shows(&self) -> String {
        let sign = if self.0 > 0 { "+" } else { "" };
        let plies = 1000 - self.0.abs() % 1000;
        if self.0.abs() > Self::MATE - 200 && plies < 200 {
            format!("{}M{plies}", if self.0 < 0 { "-" } else { "+" })
        } else {
            format!("{sign}{:.2}", f64::from(self.0) / 100.0)
        }
    }
}

/// What Auale shows: the `cp` of a line, in seeds; nothing is level.
fn auale_shows(line: &str) -> Option<f64> {
    line.starts_with("info depth").then(|| word(line, "cp").map_or(0.0, |centi| centi.parse::<f64>().unwrap() / 100.0))
}

/// The lines as griot sent them in games between two of it, on clocks of one second.
#[test]
fn scores_of_recorded_games_are_shown_as_people_read_them() {
    let mut shown = CuteChess::default();
    for line in include_str!("../../data/displays/cute_chess.txt").lines().filter(|line| !line.starts_with('#')) {
        let (display, said) = line.split_once('\t').unwrap();
        shown.hear(said);
        assert_eq!(shown.shows(), display, "{said}");
    }
    for line in include_str!("../../data/displays/auale.txt").lines().filter(|line| !line.starts_with('#')) {
        let (display, said) = line.split_once('\t').unwrap();
        assert_eq!(auale_shows(said).map(|seeds| format!("{seeds:+.2}")).as_deref(), Some(display), "{said}");
    }
}

/// The parts of a recording: what griot said, and what was shown of it behind the last of these lines.
fn shown(text: &str) -> Vec<(Vec<&str>, &str)> {
    let (mut parts, mut said) = (Vec::new(), Vec::new());
    for line in text.lines() {
        match line.split_once(' ') {
            Some(("<", info)) => said.push(info),
            Some(("=", shown)) => parts.push((std::mem::take(&mut said), shown)),
            _ => assert!(line.starts_with('#'), "{line}"),
        }
    }
    parts
}

/// The PGN that the real program wrote of a game that griot wins by force: people read a mate that comes nearer with every move, and never
/// pawns after it.
#[test]
fn cute_chess_wrote_a_forced_win_as_one_and_its_double_would_have() {
    let mut before: Option<i32> = None;
    for (said, written) in shown(include_str!("../../data/recordings/shown_by_cute_chess.txt")) {
        let mut double = CuteChess::default();
        said.iter().for_each(|line| double.hear(line));
        let (score, depth) = written.split_once('/').unwrap();
        assert_eq!(double.shows(), score, "{said:?}");
        assert_eq!(said.last().and_then(|line| word(line, "depth")), Some(depth), "{said:?}");
        let plies = score.strip_prefix("+M").map(|plies| plies.parse().unwrap());
        if let Some(before) = before {
            assert!(plies.is_some_and(|plies: i32| plies < before), "+M{before}, then {written}");
        }
        before = plies;
    }
    assert_eq!(before, Some(1), "the last move wins");
}

/// What stood below the board of the real program at the end of a game that griot won by 27 seeds to 3.
#[test]
fn auale_showed_a_won_game_as_won_and_its_double_would_have() {
    let parts = shown(include_str!("../../data/recordings/shown_by_auale.txt"));
    assert!(parts.len() > 20);
    for (said, shown) in &parts {
        let [line] = said.as_slice() else { panic!("{said:?}") };
        let seeds = auale_shows(line).unwrap();
        assert!(shown.ends_with(&format!(" {seeds:+.2} seeds")), "{line}: {shown}");
        assert!(seeds >= 1.0, "{line}: {shown}");
        // The moves stand there as they were told, in pairs.
        let is_move = |word: &&str| !word.contains(['.', '+']) && *word != "seeds";
        let moves: String = shown.split(' ').filter(is_move).collect();
        assert!(moves.ends_with(word(line, "pv").unwrap()), "{line}: {shown}");
    }
    assert_eq!(parts.last().unwrap().1, "16. C +24.00 seeds");
}

/// The `info` lines of every move of a game of griot against itself, and the result.
fn game(name: &str, go: &str, opening: &str) -> (Vec<Vec<String>>, String) {
    let mut players = [(); 2].map(|()| Talk::in_memory());
    for player in &mut players {
        player.send("uci");
        player.until("uciok");
        player.send(&format!("setoption name Game value {name}"));
    }
    let (mut moves, mut told) = (opening.to_owned(), Vec::new());
    loop {
        let player = &mut players[moves.split(' ').count() % 2];
        player.send(&format!("position startpos moves {moves}"));
        if player.ask("query gameover") == "response true" {
            return (told, player.ask("query result"));
        }
        player.send(go);
        let mut said = player.until("bestmove *");
        moves = format!("{moves} {}", word(&said.pop().unwrap(), "bestmove").unwrap());
        told.push(said);
    }
}

#[test]
fn cute_chess_shows_a_win_nearer_with_every_move_and_never_pawns_after_it() {
    // Far enough behind what is known by heart: so few nodes find the win again and again.
    let late = "d d d d d b b b b d b c c c e c c";
    for (name, opening) in [("connect4", late), ("connect4:5,4,4", "c"), ("tictactoe", "a1 a2")] {
        let (told, result) = game(name, "go nodes 20000", opening);
        let mut last: [Option<i32>; 2] = [None; 2];
        for (ply, said) in told.iter().enumerate() {
            let mut shown = CuteChess::default();
            said.iter().for_each(|line| shown.hear(line));
            let text = shown.shows();
            assert!(text.contains('M') || shown.0.abs() <= 10_000, "{name}: {text}");
            let plies = text.strip_prefix("+M").map(|plies| plies.parse::<i32>().unwrap());
            if let Some(before) = last[ply % 2] {
                assert!(plies.is_some_and(|plies| plies < before), "{name}, {result}: +M{before}, then {text}");
            }
            last[ply % 2] = plies;
        }
    }
}

/// "mate 2 lowerbound" was followed by "mate 86 lowerbound", by the cells that were left: a better line, of which no more was known than
/// that it wins.
#[test]
fn cute_chess_shows_a_win_no_further_away_within_a_search() {
    let mut talk = Talk::in_memory();
    talk.send("uci\nsetoption name Game value mnk:16,12,5,exact");
    talk.until("uciok");
    talk.send(
        "position startpos moves d6 a12 e6 c12 f6 e12 h6 g12 i6 i12 j6 k12 m1 o12 m2 a10 m3 c10 m4 e10\ngo depth 3",
    );
    let said = talk.until("bestmove m5*");
    let mates: Vec<i32> = said.iter().filter_map(|line| word(line, "mate")?.parse().ok()).collect();
    assert!(
        mates.len() > 1 && mates.is_sorted_by(|before, after| before >= after) && mates.last() == Some(&1),
        "{said:?}"
    );
}

#[test]
fn auale_shows_a_won_game_as_won() {
    let (told, result) = game("awale", "go depth 9", "D e");
    let last = told.last().unwrap().iter().rev().find(|line| matches("* score *", line)).unwrap();
    let seeds = auale_shows(last).unwrap();
    // The player of the last move is the other one of who would be next.
    let first = told.len() % 2 == 1;
    match result.as_str() {
        "response p1win" => assert!(if first { seeds >= 1.0 } else { seeds <= -1.0 }, "{last}"),
        "response p2win" => assert!(if first { seeds <= -1.0 } else { seeds >= 1.0 }, "{last}"),
        _ => assert!(seeds == 0.0, "{last}"),
    }
    // Where a line breaks off, the win counts no less than before.
    let mut before: [f64; 2] = [0.0; 2];
    for (ply, said) in told.iter().enumerate() {
        let Some(line) = said.iter().rev().find(|line| line.contains(" mate ")) else { continue };
        let seeds = auale_shows(line).unwrap();
        assert!(seeds.abs() > 1.0 || before[ply % 2].abs() <= 1.0, "{}, then {line}", before[ply % 2]);
        before[ply % 2] = seeds;
    }
    assert!(before.iter().any(|seeds| seeds.abs() > 1.0), "{result}: {before:?}");
    for line in told.iter().flatten().filter(|line| line.contains(" mate ")) {
        let certain = word(line, "mate").unwrap().starts_with('-');
        let seeds = auale_shows(line).unwrap();
        assert!(if certain { seeds <= -1.0 } else { seeds >= 1.0 }, "{line}");
    }
}
