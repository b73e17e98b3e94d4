//! The option `EvalFile`: weights that users have fitted themselves.

use std::fs;
use std::path::Path;

use crate::support::{Folder, Talk};
use griot::games::chess::network::{BUCKETS, FITTED, HIDDEN, Network};
use griot::games::{awale, mnk};

/// The games that take weights, with those that come with them.
const OWN: [(&str, &str); 4] = [
    ("chess", "src/games/chess/network.bin"),
    ("othello", "src/games/othello/weights.bin"),
    ("gomoku", "src/games/mnk/network.bin"),
    ("awale", "src/games/awale/network.bin"),
];

fn set(talk: &mut Talk, file: impl AsRef<Path>) {
    talk.send(&format!("setoption name EvalFile value {}", file.as_ref().display()));
}

fn talk(game: &str) -> Talk {
    let mut talk = Talk::in_memory();
    talk.send(&format!("setoption name Game value {game}"));
    talk
}

/// What a small search says, without its times.
fn searched(talk: &mut Talk) -> Vec<String> {
    talk.send("ucinewgame");
    talk.send("position startpos");
    talk.send("go depth 5");
    let told = talk.until("bestmove *");
    let without_times = |line: &String| {
        let words: Vec<&str> = line.split(' ').collect();
        let is_time = |at: usize| ["nps", "time"].iter().any(|name| words[at] == *name || words[at - 1] == *name);
        (1..words.len()).filter(|&at| !is_time(at)).map(|at| words[at]).collect::<Vec<_>>().join(" ")
    };
    told.iter().map(without_times).collect()
}

#[test]
fn a_game_is_valued_by_the_weights_of_a_file_until_none_is_named() {
    let folder = Folder::new("weights");
    let (zeros, of_chess) = (folder.join("zeros"), vec![0; FITTED.len()]);
    fs::write(&zeros, &of_chess).unwrap();
    let mut talk = talk("chess");
    let own = searched(&mut talk);
    set(&mut talk, OWN[0].1);
    assert_eq!(searched(&mut talk), own);
    set(&mut talk, &zeros);
    let by_zeros = searched(&mut talk);
    assert!(by_zeros.iter().all(|line| line.starts_with("depth") == line.contains(" score cp 0 ")), "{by_zeros:?}");
    assert_ne!(by_zeros, own);
    set(&mut talk, "<empty>");
    assert_eq!(searched(&mut talk), own);
}

#[test]
fn patterns_of_othello_are_read_as_fit_packs_them() {
    let mut talk = talk("othello");
    let own = searched(&mut talk);
    let folder = Folder::new("weights-othello");
    // Every second weight is another one; the zeros stay where they are.
    let mut weights = fs::read(OWN[1].1).unwrap();
    let mut is_run = false;
    for byte in &mut weights {
        if !is_run && *byte != 0x80 && byte.is_multiple_of(2) {
            *byte = 1;
        }
        is_run = !is_run && *byte == 0x80;
    }
    fs::write(folder.join("other"), weights).unwrap();
    set(&mut talk, folder.join("other"));
    assert_ne!(searched(&mut talk), own);
    set(&mut talk, OWN[1].1);
    assert_eq!(searched(&mut talk), own);
}

#[test]
fn the_network_of_gomoku_is_read_as_training_writes_it() {
    let mut talk = talk("gomoku");
    let own = searched(&mut talk);
    let folder = Folder::new("weights-gomoku");
    fs::write(folder.join("zeros"), vec![0; mnk::network::FITTED.len()]).unwrap();
    set(&mut talk, folder.join("zeros"));
    assert_ne!(searched(&mut talk), own);
    set(&mut talk, OWN[2].1);
    assert_eq!(searched(&mut talk), own);
}

#[test]
fn what_is_no_file_of_weights_is_refused_and_changes_nothing() {
    let folder = Folder::new("weights-wrong");
    fs::write(folder.join("short"), &FITTED[1..]).unwrap();
    let mut heavy = FITTED.to_vec();
    heavy[..2].copy_from_slice(&(-506_i16).to_le_bytes());
    fs::write(folder.join("heavy"), heavy).unwrap();
    let mut many = FITTED.to_vec();
    let outputs = many.len() - 2 * BUCKETS * (2 * HIDDEN + 1);
    many[outputs..].as_chunks_mut().0.iter_mut().for_each(|weight| *weight = 127_i16.to_le_bytes());
    fs::write(folder.join("many"), many).unwrap();
    fs::write(folder.join("empty"), "").unwrap();
    fs::copy(OWN[2].1, folder.join("gomoku")).unwrap();
    let (of_awale, of_gomoku) = (awale::network::FITTED.len(), mnk::network::FITTED.len());
    for (game, file, expected) in [
        ("chess", "short", format!("expected a network of {} bytes, found {}", FITTED.len(), FITTED.len() - 1)),
        ("chess", "heavy", "expected weights of an input within ±505, found -506".into()),
        ("chess", "many", format!("expected weights of sums of at most 33025 together, found {}", 2 * HIDDEN * 127)),
        ("chess", "nowhere", "*".into()),
        ("othello", "empty", "expected * weights of patterns, found 0".into()),
        ("gomoku", "empty", format!("expected a network of {of_gomoku} bytes, found 0")),
        ("tictactoe", "gomoku", "this board is evaluated by its open lines, without a network".into()),
        ("awale", "short", format!("expected a network of {of_awale} bytes, found {}", FITTED.len() - 1)),
        ("connect4", "empty", "the weights of this game come with the program alone".into()),
    ] {
        let mut talk = talk(game);
        let own = searched(&mut talk);
        set(&mut talk, folder.join(file));
        talk.expect(&format!("info string error: column 31: option EvalFile: *{file}: {expected}"));
        assert_eq!(searched(&mut talk), own, "{game} {file}");
    }
    assert_eq!(2 * Network::NUMBERS, FITTED.len());
}

#[test]
fn the_file_stays_when_the_game_changes_and_each_game_takes_what_is_for_it() {
    let mut talk = talk("chess");
    let of_chess = searched(&mut talk);
    let folder = Folder::new("weights-games");
    fs::write(folder.join("zeros"), vec![0; FITTED.len()]).unwrap();
    set(&mut talk, folder.join("zeros"));
    for game in ["othello", "awale"] {
        talk.send(&format!("setoption name Game value {game}"));
        assert_eq!(searched(&mut talk), searched(&mut self::talk(game)), "{game}");
    }
    talk.send("setoption name Game value chess");
    assert_ne!(searched(&mut talk), of_chess);
}
