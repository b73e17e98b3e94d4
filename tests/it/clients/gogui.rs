//! GoGui, which learns a game from the `gogui-rules_*` commands: it draws the board that it is told, lets its user click on the
//! legal points only, and takes nothing but answers.

use std::fs;
use std::time::{Duration, Instant};

use crate::support::{Talk, workspace_example};
use griot_testing::{Folder, picked};

/// How long the real one waits for an answer before it offers to kill the program; a search may take longer.
const PATIENCE: Duration = Duration::from_secs(8);

struct GoGui {
    talk: Talk,
    known: Vec<String>,
    /// The number of the last command, if the user has switched numbers on.
    number: Option<u64>,
    size: usize,
}

impl GoGui {
    /// Starts griot and asks what it can do.
    fn attach(game: &str, numbers: bool) -> GoGui {
        GoGui::attach_to(Talk::process(&["--dialect", "gtp", "--game", game]), numbers)
    }

    /// Asks a program that has been started what it can do.
    fn attach_to(talk: Talk, numbers: bool) -> GoGui {
        let mut gui = GoGui { talk, known: Vec::new(), number: numbers.then_some(0), size: 0 };
        assert_eq!(gui.send("protocol_version"), "2");
        gui.known = gui.send("list_commands").lines().map(str::to_owned).collect();
        assert_eq!(gui.send("name"), "griot");
        gui.send("version");
        gui.send("gogui-interrupt");
        for line in gui.send("gogui-analyze_commands").lines() {
            assert_eq!(line.split('/').count(), 3, "{line}");
        }
        let id = gui.send("gogui-rules_game_id");
        assert!(id.chars().next().unwrap().is_ascii_uppercase() && id[1..].bytes().all(|b| b.is_ascii_lowercase()));
        gui.size = gui.send("gogui-rules_board_size").parse().unwrap();
        assert!((1..=25).contains(&gui.size));
        gui.new_game();
        gui
    }

    /// Sends a command that must succeed, and answers what it said.
    fn send(&mut self, command: &str) -> String {
        self.try_send(command).unwrap_or_else(|failure| panic!("{command}: {failure}"))
    }

    /// An answer is `=` or `?`, the number that was sent, and lines up to an empty one. Anything else is an error to the real one.
    fn try_send(&mut self, command: &str) -> Result<String, String> {
        let name = command.split(' ').next().unwrap();
        assert!(self.known.is_empty() || self.known.iter().any(|known| known == name), "{name} is not listed");
        let number = self.number.as_mut().map(|number| {
            *number += 1;
            number.to_string()
        });
        let start = Instant::now();
        self.talk.send(&format!("{}{command}", number.as_ref().map_or(String::new(), |number| format!("{number} "))));
        let mut lines = self.talk.until("");
        assert!(start.elapsed() < PATIENCE, "{command}");
        lines.pop();
        let text = lines.join("\n");
        let (mark, rest) = text.split_at(1);
        let rest = rest.strip_prefix(number.unwrap_or_default().as_str()).expect("the number of the command");
        assert!(rest.starts_with([' ', '\n']), "{text}");
        let rest = rest.trim().to_owned();
        match mark {
            "=" => Ok(rest),
            "?" => Err(rest),
            _ => panic!("no answer: {text}"),
        }
    }

    fn new_game(&mut self) {
        self.send(&format!("boardsize {}", self.size));
        self.send("clear_board");
        self.send("komi 6.5");
        self.send("time_settings 2 0 0");
    }

    /// The colours of the points, from the bottom left, as the real one takes them from the text: it looks for X, O and dots, and
    /// a row with too few of them costs the whole board.
    fn board(&mut self) -> Vec<Vec<char>> {
        let text = self.send("gogui-rules_board");
        let mut cells = text.chars().filter(|c| matches!(c, 'X' | 'O' | '.'));
        let mut rows: Vec<Vec<char>> = (0..self.size).map(|_| cells.by_ref().take(self.size).collect()).collect();
        assert!(rows.iter().all(|row| row.len() == self.size) && cells.next().is_none(), "{text}");
        rows.reverse();
        let captured = self.send("gogui-rules_captured_count");
        assert_eq!(captured.split(' ').filter(|number| number.parse::<u32>().is_ok()).count(), 2, "{captured}");
        rows
    }

    fn side_to_move(&mut self) -> char {
        self.send("gogui-rules_side_to_move").chars().next().unwrap()
    }

    /// The legal moves; none at all is the end of the game.
    fn legal_moves(&mut self) -> Vec<String> {
        self.send("gogui-rules_legal_moves").split_ascii_whitespace().map(str::to_owned).collect()
    }

    /// Column and row of a point, from 0.
    fn point(&self, text: &str) -> (usize, usize) {
        let letter = text.chars().next().unwrap();
        assert!(letter.is_ascii_uppercase() && letter != 'I', "{text}");
        let col = letter as usize - 'A' as usize - usize::from(letter > 'I');
        let row = text[1..].parse::<usize>().unwrap() - 1;
        assert!(col < self.size && row < self.size, "{text} is not on the board");
        (col, row)
    }

    /// Points and their labels, from the graphics.
    fn labels(&mut self) -> Vec<(String, String)> {
        let graphics = self.send("gogui-rules_board_gfx");
        let mut labels = Vec::new();
        for line in graphics.lines() {
            let (word, rest) = line.split_once(' ').unwrap();
            match word {
                "CIRCLE" => rest.split(' ').for_each(|point| {
                    self.point(point);
                }),
                "COLOR" => rest.split(' ').skip(1).for_each(|point| {
                    self.point(point);
                }),
                "LABEL" => {
                    let words: Vec<&str> = rest.split(' ').collect();
                    labels.extend(words.chunks(2).map(|pair| (pair[0].to_owned(), pair[1].to_owned())));
                }
                _ => panic!("{line}"),
            }
        }
        labels
    }

    /// What the real one asks after every move, its own or the engine's.
    fn look(&mut self) -> (Vec<Vec<char>>, char, Vec<String>) {
        let board = self.board();
        let turn = self.side_to_move();
        let moves = self.legal_moves();
        // A click is a point, and means one move.
        let mut points: Vec<(usize, usize)> =
            moves.iter().filter(|mv| *mv != "pass").map(|mv| self.point(mv)).collect();
        points.sort_unstable();
        assert!(points.windows(2).all(|two| two[0] != two[1]), "{moves:?}");
        (board, turn, moves)
    }

    /// A game of at most so many plies: the user, whose clicks are picked by `seed`, against the engine, then back move by move.
    fn game(&mut self, stones: bool, plies: usize, mut seed: usize) {
        let mut seen = vec![self.look()];
        while seen.len() <= plies {
            let (_, turn, moves) = seen.last().unwrap();
            let turn = *turn;
            if moves.is_empty() {
                break;
            }
            let mv = if seen.len() % 2 == 1 {
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                let mv = moves[(seed >> 33) % moves.len()].clone();
                self.send(&format!("play {turn} {mv}"));
                mv
            } else {
                self.send(&format!("time_left {turn} 1 0"));
                let mv = self.send(&format!("genmove {turn}"));
                assert!(moves.contains(&mv), "{mv} is not among {moves:?}");
                mv
            };
            let next = self.look();
            if stones && mv != "pass" {
                let (col, row) = self.point(&mv);
                // A stone is put where none was.
                assert_eq!(seen.last().unwrap().0[row][col], '.', "{mv}");
                assert_eq!(next.0[row][col], if turn == 'b' { 'X' } else { 'O' }, "{mv}");
            }
            self.labels();
            seen.push(next);
        }
        if seen.last().unwrap().2.is_empty() {
            let result = self.send("gogui-rules_final_result");
            assert!(["Black wins", "White wins", "Draw"].contains(&result.as_str()), "{result}");
            let score = self.send("final_score");
            assert!(["B+", "W+", "0"].contains(&score.as_str()), "{score}");
            for turn in ['b', 'w'] {
                assert_eq!(self.send(&format!("genmove {turn}")), "pass");
            }
            self.send("undo");
            self.send("undo");
        }
        while seen.pop().is_some() && !seen.is_empty() {
            self.send("undo");
            assert_eq!(&self.look(), seen.last().unwrap());
        }
        assert!(self.try_send("undo").is_err());
        assert_eq!(self.send("gogui-rules_board_size"), self.size.to_string());
    }

    /// The real one waits for the answer to `quit`, and for the end of the process.
    fn detach(mut self) {
        self.send("quit");
        assert!(self.talk.exit_status().success());
    }
}

/// Plays a game with the program; `stones` tells whether a move leaves a stone on its point.
fn plays(game: &str, size: usize, stones: bool, plies: usize) {
    let mut gui = GoGui::attach(game, plies.is_multiple_of(2));
    assert_eq!(gui.size, size, "{game}");
    for seed in [1, 2] {
        gui.game(stones, plies, seed);
        gui.new_game();
    }
    gui.detach();
}

#[test]
fn gogui_plays_games_of_cells() {
    plays("tictactoe", 3, true, 9);
    plays("mnk:5,4,3", 5, true, 20);
    plays("othello", 8, true, 64);
}

#[test]
fn gogui_plays_connect_four_on_a_square_board() {
    plays("connect4", 7, true, 42);
}

#[test]
fn gogui_plays_gomoku_where_no_file_is_named_i() {
    plays("gomoku", 15, true, 12);
    plays("mnk:22,22,6", 22, true, 6);
}

/// A piece that moves is clicked where it begins, where it stops and where it ends; its player stays the one to move.
#[test]
fn gogui_plays_chess_and_draughts_point_by_point() {
    plays("chess", 8, false, 60);
    let draughts =
        [("draughts:english", 8), ("draughts:international", 10), ("draughts:russian", 8), ("draughts:frisian", 10)];
    for (game, size) in picked(draughts, 2) {
        plays(game, size, false, 60);
    }
}

#[test]
fn gogui_shows_what_was_clicked_and_takes_it_back() {
    let mut gui = GoGui::attach("chess", true);
    let start = gui.look();
    gui.send("play b E2");
    assert_eq!((gui.side_to_move(), gui.legal_moves().join(" ").as_str()), ('b', "E3 E4"));
    assert!(gui.send("gogui-rules_board_gfx").contains("\nCIRCLE E2\n"));
    assert!(gui.try_send("play b D4").is_err() && gui.try_send("play w E7").is_err());
    // Only the pawn that was clicked is considered.
    assert!(["E3", "E4"].contains(&gui.send("reg_genmove b").as_str()));
    gui.send("play b E4");
    assert_eq!(gui.side_to_move(), 'w');
    gui.send("undo");
    assert_eq!(gui.legal_moves().join(" "), "E3 E4");
    gui.send("undo");
    assert_eq!(gui.look(), start);
    // Whole moves are read, and taken back as they were played.
    gui.send("gogui-play_sequence b e2e4 w E7 w E5");
    gui.send("undo");
    gui.send("undo");
    assert_eq!(gui.side_to_move(), 'w');
    gui.send("undo");
    assert_eq!(gui.look(), start);
    // A sequence that ends with a wrong point is not played at all.
    assert!(gui.try_send("gogui-play_sequence b E2 b E5").is_err());
    assert_eq!(gui.look(), start);
    // The engine answers a point at a time.
    let from = gui.send("genmove b");
    let to = gui.send("genmove b");
    assert!(from != to && gui.side_to_move() == 'w');
}

#[test]
fn gogui_plays_awale_and_nim_by_labels() {
    plays("awale", 6, false, 60);
    plays("awale:mini", 3, false, 60);
    plays("nim", 21, false, 21);
    plays("nim:3-4-5,take=any,normal", 5, false, 12);
}

/// A game that griot has not heard of: its program hands it to one function, and GoGui shows its pawns and plays it by clicks.
#[test]
fn gogui_plays_hexapawn_on_its_board() {
    let mut gui = GoGui::attach_to(Talk::with_program(&workspace_example("add_a_game"), &[]), true);
    assert_eq!((gui.size, gui.send("gogui-rules_game_id").as_str()), (3, "Hexapawn"));
    let rows = |rows: [&str; 3]| rows.map(|row| row.chars().collect::<Vec<char>>()).to_vec();
    assert_eq!(gui.look(), (rows(["XXX", "...", "OOO"]), 'b', vec!["A1".into(), "B1".into(), "C1".into()]));
    assert_eq!(gui.labels(), []);
    assert_eq!(gui.send("showboard"), "3 p p p\n 2 . . .\n 1 P P P\n   a b c\nP to move");
    gui.send("gogui-play_sequence b b1 b b2");
    // Two pawns can take it; that in the middle cannot move.
    assert_eq!(gui.look(), (rows(["X.X", ".X.", "OOO"]), 'w', ["A3", "C3"].map(str::to_owned).to_vec()));
    gui.send("play w C3");
    assert_eq!(gui.legal_moves().join(" "), "B2 C2");
    gui.send("play w B2");
    assert_eq!(gui.board(), rows(["X.X", ".O.", "OO."]));
    assert!(gui.try_send("play b b3").is_err());
    // Its own words are as good.
    gui.send("play b a1b2");
    assert_eq!(gui.board(), rows(["..X", ".X.", "OO."]));
    gui.new_game();
    for seed in [1, 2, 3] {
        gui.game(false, 9, seed);
        gui.new_game();
    }
    gui.detach();
}

#[test]
fn gogui_shows_the_seeds_of_every_house() {
    let mut gui = GoGui::attach("awale", false);
    assert_eq!(gui.labels().len(), 12);
    gui.send("play b A3");
    let labels = gui.labels();
    let seeds = |point: &str| labels.iter().find(|(at, _)| at == point).map(|(_, seeds)| seeds.as_str());
    assert_eq!(
        [seeds("A3"), seeds("B3"), seeds("E3"), seeds("F3"), seeds("F4")].map(Option::unwrap),
        ["0", "5", "5", "4", "4"]
    );
    gui.detach();
}

/// The user's button: the search ends, and its move is played like any other.
#[test]
fn gogui_interrupts_a_search() {
    let mut gui = GoGui::attach("gomoku", false);
    gui.send("time_settings 0 1 0");
    gui.send("time_settings 3600 0 0");
    let start = Instant::now();
    gui.talk.send("genmove b");
    gui.talk.send("# interrupt");
    assert_eq!(gui.talk.until("").len(), 2);
    assert!(start.elapsed() < PATIENCE);
    gui.send("undo");
    gui.detach();
}

/// The window stays open when a move is refused, and the board stays as it was.
#[test]
fn gogui_is_told_what_it_cannot_have() {
    let mut gui = GoGui::attach("tictactoe", true);
    gui.send("play b b2");
    let before = gui.look();
    for command in
        ["play w B2", "play b a1", "play w D1", "play w pass", "play w I1", "boardsize 19", "genmove b", "play w"]
    {
        assert!(gui.try_send(command).is_err(), "{command}");
        assert_eq!(gui.look(), before, "{command}");
    }
    assert_eq!(gui.send("known_command cputime"), "false");
    gui.detach();
}

#[test]
fn gogui_plays_a_sequence_of_moves_or_none_of_them() {
    let mut gui = GoGui::attach("gomokufreestyle", true);
    gui.send("gogui-play_sequence b H8 w J9 b H9");
    assert_eq!(gui.side_to_move(), 'w');
    let before = gui.board();
    // The second is taken; the third would be another player's turn.
    for bad in ["w G7 b H8", "w G7 w F8"] {
        let failure = gui.try_send(&format!("gogui-play_sequence {bad}")).unwrap_err();
        assert!(failure.starts_with("illegal move: "), "{failure}");
        assert_eq!(gui.board(), before);
    }
    gui.send("gogui-play_sequence");
    gui.send("undo");
    assert_eq!(gui.side_to_move(), 'b');
}

#[test]
fn gogui_asks_for_a_move_that_is_not_played() {
    let mut gui = GoGui::attach("tictactoe", true);
    gui.send("gogui-play_sequence b A1 w A3 b B1");
    let failure = gui.try_send("reg_genmove b").unwrap_err();
    assert!(failure.contains("it is white's turn"), "{failure}");
    let before = gui.board();
    // Nothing else stops the three.
    assert_eq!(gui.send("reg_genmove w"), "C1");
    assert_eq!((gui.board(), gui.side_to_move()), (before, 'w'));
    assert_eq!(gui.send("genmove w"), "C1");
}

#[test]
fn gogui_loads_a_record_up_to_a_move() {
    let folder = Folder::new("gtp_loadsgf");
    let file = |name: &str, text: &str| {
        fs::write(folder.join(name), text).unwrap();
        folder.join(name).display().to_string()
    };
    // As Gomocup's tools write freestyle gomoku: another game than the one on the board.
    let game = file("a game.sgf", "(;FF[4]GM[4]SZ[15]RU[Freestyle];B[hh];W[ig];B[hg](;W[gi])(;W[ii]))");
    let mut gui = GoGui::attach("othello", true);
    gui.send(&format!("loadsgf {game}"));
    assert_eq!(gui.send("gogui-rules_board_size"), "15");
    gui.size = 15;
    let stones = |gui: &mut GoGui| gui.board().iter().flatten().filter(|&&c| c != '.').count();
    assert_eq!((stones(&mut gui), gui.side_to_move()), (4, 'b'));
    gui.send(&format!("loadsgf {game} 3"));
    assert_eq!((stones(&mut gui), gui.side_to_move()), (2, 'b'));
    gui.send(&format!("loadsgf {game} 1"));
    assert_eq!(stones(&mut gui), 0);
    // A file that is not there, or no game, changes nothing.
    gui.send("play b H8");
    let nonsense = file("nonsense.sgf", "Dear diary, nothing was played today.\n");
    for bad in ["not/there.sgf", &nonsense] {
        let failure = gui.try_send(&format!("loadsgf {bad}")).unwrap_err();
        assert!(failure.starts_with(&format!("cannot load file: {bad}: ")), "{failure}");
        assert_eq!(stones(&mut gui), 1);
    }
}
