//! Endgame tables as files, and `griot tablebase`: what is written, what is refused, and what an interruption leaves.

use std::fs::{self, OpenOptions};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
#[cfg(unix)]
use std::time::Duration;

use griot::games::awale::{Abapa, AwaleLayers, Awari, Mini, Variant};
use griot::tablebase::file::list;
use griot::tablebase::{Built, FileError, Layered, Monitor, Plan, Reader, Table};

use crate::support::Talk;

/// An empty directory of that name.
fn directory(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("tablebase").join(name);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).unwrap();
    path
}

/// Builds the layers to `top` in `directory`; tells how many were kept, replaced and written.
fn build<V: Variant>(directory: &Path, top: usize) -> [usize; 3] {
    let plan = Plan { top, threads: 2, memory: None };
    let mut counts = [0; 3];
    let report = |built: Built<'_>| {
        counts[match built {
            Built::Kept(_) => 0,
            Built::Replaces(_) => 1,
            Built::Written(_) => 2,
        }] += 1;
    };
    Table::in_directory(AwaleLayers::<V>::default(), directory, &plan, &Monitor::default(), report).unwrap();
    counts
}

fn open<V: Variant>(directory: &Path) -> Result<Table<AwaleLayers<V>>, FileError> {
    Table::open(AwaleLayers::default(), directory)
}

fn griot(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_griot")).args(arguments).stdin(Stdio::null()).output().unwrap()
}

/// What a command that must succeed has written to stdout.
fn good(arguments: &[&str]) -> String {
    let output = griot(arguments);
    assert!(output.status.success() && output.stderr.is_empty(), "{arguments:?}: {output:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// What a command that must fail has written to stdout and stderr.
fn bad(arguments: &[&str]) -> String {
    let output = griot(arguments);
    let said = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {said}");
    assert!(!said.contains("panicked"), "{said}");
    said
}

#[test]
fn files_hold_what_was_built_in_memory() {
    fn check<V: Variant>(name: &str) {
        let directory = directory(name);
        assert_eq!(build::<V>(&directory, 7), [0, 0, 8]);
        let memory = Table::in_memory(AwaleLayers::<V>::default(), 7, 1, &Monitor::default()).unwrap();
        let files = open::<V>(&directory).unwrap();
        assert_eq!((memory.len(), files.len()), (8, 8));
        for (a, b) in memory.layers().iter().zip(files.layers()) {
            assert!(a.values() == b.values() && a.boards() == b.boards());
            assert_eq!(a.tally(), b.tally());
        }
        let board = files.rules().unrank(7, 3_000 % files.rules().size(7));
        assert_eq!(files.bounds(&board), memory.bounds(&board));
        assert_eq!(files.bounds(&files.rules().unrank(8, 0)), None);
    }
    check::<Abapa>("same-abapa");
    check::<Awari>("same-awari");
    check::<Mini>("same-mini");
}

#[test]
fn a_damaged_file_is_told_by_name_and_built_anew() {
    type Damage = fn(&mut Vec<u8>);
    let damages: [(&str, Damage); 7] = [
        ("awale-05.tb: expected 8816 bytes, found 8815: the file is cut short", |bytes| bytes.truncate(8_815)),
        ("found 8817: the file is too long", |bytes| bytes.push(0)),
        ("expected a table, which begins with 'griot-tb', found an empty file", Vec::clear),
        ("expected 80 bytes, found 40", |bytes| bytes.truncate(40)),
        ("expected version 1 or 2 of the format, found version 3", |bytes| bytes[8] = 3),
        ("the header is damaged", |bytes| bytes[64] ^= 4),
        ("the values are damaged", |bytes| bytes[4_000] ^= 1),
    ];
    let directory = directory("damaged");
    build::<Abapa>(&directory, 6);
    let path = directory.join("awale-05.tb");
    let whole = fs::read(&path).unwrap();
    for (says, damage) in damages {
        let mut bytes = whole.clone();
        damage(&mut bytes);
        fs::write(&path, &bytes).unwrap();
        let said = bad(&["tablebase", "verify", directory.to_str().unwrap()]);
        assert!(said.contains(says) && said.contains("awale-05.tb: "), "'{says}' is not in '{said}'");
        assert!(said.contains("awale-06.tb: good") && said.contains("1 of 7 files are damaged"), "{said}");
        // Values are not read when a table is opened; everything else is told then.
        let opened = open::<Abapa>(&directory);
        assert_eq!(opened.is_ok(), says == "the values are damaged");
        if let Err(error) = opened {
            assert!(error.to_string().contains(says), "{error}");
        }
        assert_eq!(build::<Abapa>(&directory, 6), [6, 1, 1]);
        assert!(fs::read(&path).unwrap() == whole);
    }
}

#[test]
fn the_file_of_another_game_layer_or_convention_is_refused() {
    let directory = directory("other");
    build::<Abapa>(&directory, 3);
    build::<Awari>(&directory, 3);
    let copy = |from: &str, to: &str| fs::copy(directory.join(from), directory.join(to)).unwrap();
    let refused = |says: &str| {
        let error = open::<Abapa>(&directory).unwrap_err().to_string();
        assert!(error.contains(says) && error.contains("awale-02.tb"), "'{says}' is not in '{error}'");
        let said = bad(&["tablebase", "verify", directory.to_str().unwrap()]);
        assert!(said.contains("awale-02.tb: expected file name"), "{said}");
    };
    copy("awale-awari-02.tb", "awale-02.tb");
    refused("expected game awale, found awale:awari");
    copy("awale-03.tb", "awale-02.tb");
    refused("expected layer 2, found 3");

    // Whoever changes the rules and keeps the name: another hash, with the checksum that belongs to it.
    let mut bytes = fs::read(directory.join("awale-03.tb")).unwrap();
    let change = |bytes: &mut Vec<u8>, at: usize, flip: u8| {
        bytes[at] ^= flip;
        let checksum = crc32(&bytes[..76]);
        bytes[76..80].copy_from_slice(&checksum.to_le_bytes());
    };
    change(&mut bytes, 50, 1);
    fs::write(directory.join("awale-03.tb"), &bytes).unwrap();
    build::<Abapa>(&directory, 2);
    let error = open::<Abapa>(&directory).unwrap_err().to_string();
    assert!(error.contains("awale-03.tb: expected rules "), "{error}");
    change(&mut bytes, 50, 1);
    change(&mut bytes, 56, 3);
    bytes.truncate(80 + (bytes.len() - 80) / 2);
    fs::write(directory.join("awale-03.tb"), &bytes).unwrap();
    let error = open::<Abapa>(&directory).unwrap_err().to_string();
    assert!(error.contains("expected cycle convention bounds (") && error.contains("found exact ("), "{error}");
}

/// The checksum of the format, bit by bit.
fn crc32(bytes: &[u8]) -> u32 {
    let step = |crc: u32, byte: &u8| {
        (0..8).fold(crc ^ u32::from(*byte), |crc, _| crc >> 1 ^ if crc & 1 == 1 { 0xEDB8_8320 } else { 0 })
    };
    !bytes.iter().fold(!0, step)
}

#[test]
fn a_directory_that_is_missing_or_cannot_be_written_is_named() {
    let root = directory("places");
    let missing = root.join("nowhere");
    let text = missing.to_str().unwrap();
    assert!(open::<Abapa>(&missing).unwrap_err().to_string().contains("awale-00.tb: opening: "));
    for command in [&["tablebase", "verify", text][..], &["tablebase", "info", text]] {
        let said = bad(command);
        assert!(said.contains(&format!("{text}: reading the directory: ")), "{said}");
    }
    let said = bad(&["tablebase", "info", root.to_str().unwrap()]);
    assert!(said.contains("expected table files, found none"), "{said}");
    // Not even the owner of the machine can make a directory in a file.
    let file = root.join("file");
    fs::write(&file, "").unwrap();
    let inside = file.join("tables");
    let said = bad(&["tablebase", "build", "--seeds", "3", "--out", inside.to_str().unwrap()]);
    assert!(said.contains(&format!("{}: making the directory: ", inside.display())), "{said}");
}

#[test]
fn a_file_that_is_no_table_is_not_built_over() {
    let directory = directory("foreign");
    build::<Abapa>(&directory, 6);
    let path = directory.join("awale-05.tb");
    let text = directory.to_str().unwrap();
    for foreign in [&b"PK\x03\x04"[..], b"my table of logarithms", b"griot-t"] {
        fs::write(&path, foreign).unwrap();
        for said in [
            bad(&["tablebase", "verify", text]),
            bad(&["tablebase", "build", "--seeds", "6", "--out", text]),
            open::<Abapa>(&directory).unwrap_err().to_string(),
        ] {
            assert!(said.contains("awale-05.tb: expected a table, which begins with 'griot-tb', found '"), "{said}");
        }
        assert_eq!(fs::read(&path).unwrap(), foreign);
    }
    fs::remove_file(&path).unwrap();
    assert_eq!(build::<Abapa>(&directory, 6), [6, 0, 1]);
}

#[test]
fn a_build_that_was_stopped_goes_on_where_it_was() {
    let (stopped, whole) = (directory("stopped"), directory("whole"));
    let plan = Plan { top: 9, threads: 2, memory: None };
    let monitor = Monitor::default();
    let mut written = 0;
    let report = |_: Built<'_>| {
        written += 1;
        if written == 7 {
            monitor.stop();
        }
    };
    let rules = AwaleLayers::<Mini>::default();
    let result = Table::in_directory(rules, &stopped, &plan, &monitor, report);
    assert_eq!(result.unwrap_err().to_string(), "stopped");
    assert_eq!(open::<Mini>(&stopped).unwrap().len(), 7);
    // What a process that was killed leaves behind.
    fs::write(stopped.join("awale-mini.griot-lock"), "griot 4000000\n").unwrap();
    assert_eq!(build::<Mini>(&stopped, 9), [7, 0, 3]);
    assert_eq!(build::<Mini>(&whole, 9), [0, 0, 10]);
    for layer in 0..=9 {
        let name = format!("awale-mini-{layer:02}.tb");
        assert!(fs::read(stopped.join(&name)).unwrap() == fs::read(whole.join(&name)).unwrap(), "{name}");
    }
    let names = |directory: &Path| fs::read_dir(directory).unwrap().count();
    assert_eq!((names(&stopped), names(&whole)), (10, 10));
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_a_build_between_whole_files() {
    let directory = directory("interrupted");
    let text = directory.to_str().unwrap();
    let child = Command::new(env!("CARGO_BIN_EXE_griot"))
        .args(["tablebase", "build", "--seeds", "24", "--threads", "1", "--out", text])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    while !directory.join("awale-09.tb").exists() {
        std::thread::sleep(Duration::from_millis(5));
    }
    let kill = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(kill.success());
    let output = child.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("stopped; the same command goes on"), "{said}");
    assert!(good(&["tablebase", "verify", text]).lines().all(|line| line.ends_with(": good")));
}

#[test]
fn the_command_builds_tells_and_looks_up() {
    let directory = directory("command");
    let text = directory.to_str().unwrap();
    let awari = ["tablebase", "build", "--game", "awale:awari", "--seeds", "8", "--out", text, "--threads", "2"];
    let said = good(&awari);
    assert!(said.contains("awale-awari-08.tb: written") && said.contains("125970 boards in "), "{said}");
    assert!(good(&awari).contains("awale-awari-08.tb: kept"));

    let info: serde_json::Value = serde_json::from_str(&good(&["tablebase", "info", text, "--json"])).unwrap();
    let eight = &info["layers"][8];
    let number = |key: &str| eight[key].as_u64().unwrap();
    assert_eq!((number("seeds"), number("boards")), (8, 75_582));
    assert_eq!(["win", "draw", "loss", "unknown"].map(number), [37_767, 8_351, 29_464, 0]);
    assert_eq!((&eight["game"], &eight["convention"]), (&"awale:awari".into(), &"exact".into()));
    assert!(good(&["tablebase", "info", text]).contains("37767"));

    let probe = |fen: &str| good(&["tablebase", "probe", "--game", "awale:awari", "--dir", text, fen]);
    // F captures the two that it makes; the three seeds left are South's, because North has none to play.
    let lines = probe("1-0-0-0-0-2-0-1-0-0-0-0-22-22-S");
    assert!(lines.starts_with("board ") && lines.contains("\nA     ") && lines.contains("\nF     "), "{lines}");
    let said = bad(&["tablebase", "probe", "--game", "awale:awari", "--dir", text, "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S"]);
    assert!(said.contains("expected a board of at most 8 seeds") && said.contains("found 48"), "{said}");
    let said = bad(&["tablebase", "probe", "--dir", text, "4-4"]);
    assert!(said.contains("column 4: "), "{said}");
}

/// The files of a directory, in the order of their names.
fn bytes_of_all(directory: &Path) -> Vec<Vec<u8>> {
    list(directory).unwrap().iter().map(|path| fs::read(path).unwrap()).collect()
}

#[test]
fn packed_files_hold_the_same_values_and_are_unpacked_to_the_same_bytes() {
    let directory = directory("packed");
    let text = directory.to_str().unwrap();
    build::<Abapa>(&directory, 8);
    let (plain, files) = (open::<Abapa>(&directory).unwrap(), bytes_of_all(&directory));
    let said = good(&["tablebase", "pack", text]);
    assert!(said.contains("awale-08.tb: ") && said.contains(" bytes, of 151244\n"), "{said}");
    let size = |files: &[Vec<u8>]| files.iter().map(Vec::len).sum::<usize>();
    assert!(2 * size(&bytes_of_all(&directory)) < size(&files), "{said}");
    assert!(good(&["tablebase", "pack", text]).contains("awale-08.tb: kept"));
    assert!(good(&["tablebase", "verify", text]).contains("awale-08.tb: good"));

    let packed = open::<Abapa>(&directory).unwrap();
    for (a, b) in plain.layers().iter().zip(packed.layers()) {
        assert!((0..=a.boards()).all(|rank| a.bounds(rank) == b.bounds(rank)));
        assert!(a.values() == b.values());
        assert_eq!(a.tally(), b.tally());
    }
    // Layers are built on packed ones as on others.
    assert_eq!(build::<Abapa>(&directory, 9), [9, 0, 1]);
    let memory = Table::in_memory(AwaleLayers::<Abapa>::default(), 9, 2, &Monitor::default()).unwrap();
    assert!(open::<Abapa>(&directory).unwrap().layers()[9].values() == memory.layers()[9].values());

    fs::remove_file(directory.join("awale-09.tb")).unwrap();
    assert!(good(&["tablebase", "unpack", text]).contains(": 151244 bytes, of "));
    assert!(bytes_of_all(&directory) == files);
}

#[test]
fn a_search_reads_packed_tables_as_plain_ones() {
    let directory = directory("packed-search");
    build::<Abapa>(&directory, 11);
    let search = || {
        let tables = format!("TablebasePath={}", directory.display());
        let mut talk = Talk::process(&["--option", &tables]);
        talk.send("position fen 1-0-0-2-0-1-0-3-0-2-0-3-18-18-S");
        talk.send("go depth 12");
        let said = talk.until("bestmove *");
        let last = said[said.len() - 2].split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        let word = |name: &str| last.iter().skip_while(|word| *word != name).nth(1).cloned();
        (word("nodes"), word("tbhits"), word("cp"), said.last().cloned())
    };
    let plain = search();
    good(&["tablebase", "pack", directory.to_str().unwrap()]);
    assert_eq!(search(), plain);
    assert!(plain.1.is_some_and(|hits| hits != "0"));
}

#[test]
fn what_is_damaged_in_a_packed_file_is_not_known_and_the_rest_is() {
    let directory = directory("packed-damaged");
    build::<Abapa>(&directory, 8);
    let whole = open::<Abapa>(&directory).unwrap();
    good(&["tablebase", "pack", directory.to_str().unwrap()]);
    let path = directory.join("awale-08.tb");
    let packed = fs::read(&path).unwrap();
    let blocks = packed.len() - 151_164_usize.div_ceil(64 << 10) * 4 - HEADER_BYTES - 4;
    let (mut lost, mut told) = (0, 0);
    for at in (HEADER_BYTES..packed.len()).step_by(97).chain([packed.len() - 1]) {
        let mut bytes = packed.clone();
        bytes[at] ^= 0x10;
        fs::write(&path, &bytes).unwrap();
        let Ok(reader) = Reader::open(&path) else {
            assert!(at < packed.len() - blocks, "only the list is read at once, not byte {at}");
            continue;
        };
        assert!(matches!(reader.verify(), Err(FileError::Values { .. })), "byte {at}");
        let layer = reader.layer();
        for rank in (0..layer.boards()).step_by(61) {
            match layer.bounds(rank) {
                Some(bounds) => assert_eq!(Some(bounds), whole.layers()[8].bounds(rank), "byte {at}, board {rank}"),
                None => lost += 1,
            }
            told += 1;
        }
    }
    assert!(lost > 0 && lost < told, "{lost} of {told}");
    for cut in [0, HEADER_BYTES - 1, HEADER_BYTES + 3, HEADER_BYTES + 9, packed.len() - 1] {
        fs::write(&path, &packed[..cut]).unwrap();
        assert!(Reader::open(&path).is_err(), "{cut} bytes");
    }
    fs::write(&path, [&packed[..], &[0]].concat()).unwrap();
    assert!(matches!(Reader::open(&path), Err(FileError::Length { .. })));
}

#[test]
fn tables_of_draughts_are_built_by_pieces() {
    let directory = directory("pieces");
    let text = directory.to_str().unwrap();
    let said =
        good(&["tablebase", "build", "--game", "draughts:english", "--pieces", "2", "--threads", "1", "--out", text]);
    // One piece of either kind; then two of a side, or one of each: six materials.
    assert!(said.matches(": written").count() == 8 && said.contains("7116 boards in "), "{said}");
    let info: serde_json::Value = serde_json::from_str(&good(&["tablebase", "info", text, "--json"])).unwrap();
    let numbers = |key: &str| info["layers"].as_array().unwrap().iter().map(|of| of[key].as_u64().unwrap()).collect();
    let (layers, pieces): (Vec<u64>, Vec<u64>) = (numbers("layer"), numbers("pieces"));
    assert_eq!((layers, pieces), ((0..8).collect(), vec![1, 1, 2, 2, 2, 2, 2, 2]));

    let probe = ["tablebase", "probe", "--game", "draughts:english", "--dir", text];
    let lines = good(&[&probe[..], &["W:WK18:BK4"]].concat());
    assert!(lines.starts_with("board +0\n") && lines.contains("\n18-14 +0\n"), "{lines}");
    assert!(lines.ends_with("-1 a loss; counts of moves are ignored\n"), "{lines}");
    // No piece stands between a man and its last row.
    let lines = good(&[&probe[..], &["W:W6:BK32"]].concat());
    assert!(lines.starts_with("board +0\n"), "{lines}");
    for (board, found) in [("W:W21,22:B1,2", "4"), ("W:W21-32:B1-12", "24"), ("W:WK1,K2,K3,K4:BK32", "5")] {
        let said = bad(&[&probe[..], &[board]].concat());
        let expected = "expected a board of at most 2 pieces, three a side, as ";
        assert!(said.contains(expected) && said.trim_end().ends_with(&format!("found {found}")), "{said}");
    }
}

#[test]
fn a_wrong_command_is_told_what_would_be_right() {
    let directory = directory("wrong");
    let text = directory.to_str().unwrap();
    for (arguments, says) in [
        (&["--game", "nim", "--seeds", "4"][..], "game 'nim' has no endgame tables; there are some for awale | "),
        (&["--game", "shogi", "--seeds", "4"], "no game 'shogi'"),
        (&["--game", "awale:mini", "--seeds", "13"], "--seeds 13: the tables of awale:mini end at 12 seeds"),
        (&["--game", "awale", "--pieces", "4"], "--pieces 4: expected --seeds N, as the tables of awale count seeds"),
        (&["--game", "draughts:english", "--seeds", "43"], "--seeds 43: expected --pieces N, as the tables of "),
        (&["--game", "draughts:english", "--pieces", "6"], "the tables of draughts:english end at 5 pieces"),
        (&["--seeds", "20", "--memory", "0.5"], "layer 20 needs "),
        (&["--seeds", "20", "--memory", "none"], "expected a number of GiB above 0"),
        (&["--seeds", "4", "--threads", "0"], "expected a whole number from 1 to 65535"),
        (&["--seeds", "4", "--option", "Hash=8"], "--option Hash=8: tables have no options"),
    ] {
        let said = bad(&[&["tablebase", "build", "--out", text][..], arguments].concat());
        assert!(said.contains(says), "{arguments:?}: '{says}' is not in '{said}'");
    }
    assert_eq!(fs::read_dir(&directory).unwrap().count(), 0);
    for command in [&["--help"][..], &["build", "--help"], &["probe", "--help"], &["info", "--help"]] {
        assert!(good(&[&["tablebase"], command].concat()).contains("Usage: griot tablebase"), "{command:?}");
    }
    let said = bad(&["--game", "awale", "tablebase", "verify", text]);
    assert!(said.contains("expected no --game before this subcommand"), "{said}");
}

#[test]
fn an_open_table_is_not_disturbed_by_a_new_file_of_its_name() {
    let directory = directory("open");
    build::<Mini>(&directory, 5);
    let table = open::<Mini>(&directory).unwrap();
    let before = table.layers()[5].values().to_vec();
    let path = directory.join("awale-mini-05.tb");
    OpenOptions::new().append(true).open(&path).unwrap().set_len(fs::metadata(&path).unwrap().len() + 1).unwrap();
    assert_eq!(build::<Mini>(&directory, 5), [5, 1, 1]);
    assert_eq!(*table.layers()[5].values(), before);
}

#[test]
fn a_table_that_is_cut_short_while_the_engine_reads_it_ends_nothing() {
    let directory = directory("cut-in-use");
    build::<Abapa>(&directory, 11);
    let mut talk = Talk::process(&["--option", &format!("TablebasePath={}", directory.display())]);
    let search = |talk: &mut Talk, board: &str| {
        talk.send("ucinewgame");
        talk.send(&format!("position fen {board}"));
        talk.send("go depth 8");
        let said = talk.until("bestmove *");
        let hits = |line: &String| line.split(" tbhits ").nth(1)?.split(' ').next()?.parse::<u64>().ok();
        said.iter().filter_map(hits).max().unwrap_or_default()
    };
    assert!(search(&mut talk, "1-0-0-2-0-1-0-3-0-2-0-3-18-18-S") > 0, "{}", talk.log.join("\n"));
    for layer in 0..=11 {
        let file = OpenOptions::new().write(true).open(directory.join(format!("awale-{layer:02}.tb"))).unwrap();
        file.set_len(40).unwrap();
    }
    // Another board, of which nothing was read yet; mapped, this was the end of the process.
    search(&mut talk, "0-2-1-0-0-2-1-0-3-0-0-2-19-18-N");
    assert_eq!(talk.ask("isready"), "readyok");
}

/// Of the header of a table file; its last four are its checksum.
const HEADER_BYTES: usize = 80;

/// A table file whose header says something else and has a checksum that is right.
fn forged(name: &str, change: impl FnOnce(&mut Vec<u8>)) -> PathBuf {
    let directory = directory(name);
    build::<Abapa>(&directory, 1);
    let path = directory.join("awale-01.tb");
    let mut bytes = fs::read(&path).unwrap();
    change(&mut bytes);
    let checksum = crc32fast::hash(&bytes[..HEADER_BYTES - 4]);
    bytes[HEADER_BYTES - 4..HEADER_BYTES].copy_from_slice(&checksum.to_le_bytes());
    fs::write(&path, bytes).unwrap();
    path
}

#[test]
fn a_header_that_names_more_boards_than_a_file_can_hold_is_refused() {
    for boards in [1 << 63, u64::MAX, u64::MAX / 2 + 1, u64::MAX - 79] {
        let path = forged("more-boards", |bytes| {
            bytes[64..72].copy_from_slice(&boards.to_le_bytes());
            bytes.truncate(HEADER_BYTES);
        });
        assert!(matches!(Reader::open(&path), Err(FileError::Length { .. })), "{boards}");
        let folder = path.parent().unwrap().to_str().unwrap();
        assert!(bad(&["tablebase", "info", folder]).contains("awale-01.tb"), "{boards}");
    }
}

#[test]
fn the_name_in_a_table_file_reaches_no_terminal_as_it_stands() {
    let path = forged("name", |bytes| bytes[16..24].copy_from_slice(b"\x1b[2J\nab\xff"));
    let header = Reader::open(&path).unwrap().header().clone();
    assert_eq!(header.identity.name, r"\x1b[2J\nab\xff");
}
