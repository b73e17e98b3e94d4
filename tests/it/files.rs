//! Files that are not griot's, and what no file is: nothing of a user's is lost, and nothing waits for ever.

use std::collections::BTreeMap;
use std::fs;
#[cfg(unix)]
use std::fs::File;
#[cfg(unix)]
use std::io::Read;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use griot::files::Claim;

#[cfg(unix)]
use crate::support::Talk;
use crate::support::{Folder, PATIENCE};

fn griot(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_griot"));
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// The output of a run, which must end soon.
fn ended(mut child: Child) -> Output {
    let started = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if started.elapsed() > PATIENCE {
            child.kill().unwrap();
            panic!("still running after {PATIENCE:?}: {:?}", child.wait_with_output());
        }
        thread::sleep(Duration::from_millis(2));
    }
    child.wait_with_output().unwrap()
}

fn said(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

fn good(arguments: &[&str]) -> String {
    let output = ended(griot(arguments).spawn().unwrap());
    assert!(output.status.success(), "{arguments:?}: {}", said(&output));
    said(&output)
}

/// What a run says that must fail.
fn refused(arguments: &[&str]) -> String {
    let output = ended(griot(arguments).spawn().unwrap());
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {}", said(&output));
    said(&output)
}

/// What a folder holds.
fn contents(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let file = |entry: fs::DirEntry| {
        let held = fs::read_link(entry.path()).map(|link| link.into_os_string().into_encoded_bytes());
        (entry.file_name().into_string().unwrap(), held.or_else(|_| fs::read(entry.path())).unwrap_or_default())
    };
    fs::read_dir(folder).unwrap().map(|entry| file(entry.unwrap())).collect()
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// A file with positions, and small commands that write: each with a name for what it writes to.
fn positions(folder: &Folder) -> PathBuf {
    let path = folder.join("positions");
    fs::write(&path, "nim:7\ntictactoe||b2 a1\nnim:3-4\n").unwrap();
    path
}

const EXPLORE: [&str; 7] = ["explore", "--game", "nim:3-4", "--depth", "2", "--positions", "20"];
const GROW: [&str; 8] = ["book", "grow", "--game", "tictactoe", "--depth", "2", "--positions", "20"];

#[test]
fn a_file_that_is_not_griots_is_not_gone_on_with() {
    let folder = Folder::new("files-foreign");
    let input = positions(&folder);
    let target = folder.join("target");
    let analyse = ["analyse", "--depth", "2", text(&input), "--resume", text(&target)];
    let explore = [&EXPLORE[..], &["--out", text(&target)]].concat();
    let searches = folder.join("book.jsonl");
    let book = folder.join("book");
    let grow = [&GROW[..], &["--out", text(&book)]].concat();
    let own = |arguments: &[&str], file: &Path| {
        good(arguments);
        let own = fs::read(file).unwrap();
        fs::remove_file(file).unwrap();
        own
    };
    for (arguments, file) in [(&analyse[..], &target), (&explore, &target), (&grow, &searches)] {
        let lines = own(arguments, file);
        let _ = fs::remove_file(&book);
        let foreign: [&[u8]; 13] = [
            b"a letter without a line end",
            b"a letter\n",
            b"a letter\nof two lines",
            b"{\"line\":1}",
            b"{\"line\": 1, \"position\"",
            b"{\"name\":\"value\",",
            b"{\"id\":7,\"name\":\"",
            b"[1,2",
            b"\xff\xfe\x00",
            b"\0\0\0\0",
            b"7",
            b"\n",
            &[&lines[..], b"my notes about it"].concat(),
        ];
        for foreign in foreign {
            fs::write(file, foreign).unwrap();
            let before = contents(file.parent().unwrap());
            let said = refused(arguments);
            assert!(said.contains(&format!("{}, line ", text(file))) && said.contains(": "), "{said}");
            assert!(contents(file.parent().unwrap()) == before, "{:?}", foreign.escape_ascii().to_string());
        }
        fs::remove_file(file).unwrap();
    }
    // What is to be replaced is looked at too, before the first search.
    for (arguments, file) in [
        (grow.clone(), &book),
        ([&explore[..], &["--svg", text(&input)]].concat(), &input),
        ([&explore[..], &["--dot", text(&input)]].concat(), &input),
        (vec!["tree", "--game", "nim:3", "--svg", text(&input)], &input),
    ] {
        fs::write(file, "my notes").unwrap();
        let before = contents(file.parent().unwrap());
        let said = refused(&arguments);
        assert!(said.contains("expected a file that begins with") && said.contains("'my"), "{said}");
        assert!(contents(file.parent().unwrap()) == before, "{arguments:?}");
    }
    let pages = folder.join("pages");
    fs::create_dir(&pages).unwrap();
    fs::write(pages.join("griot-tree.1"), "my notes").unwrap();
    assert!(refused(&["man", "--out", text(&pages)]).contains("griot-tree.1: expected a file that begins with"));
    assert_eq!(fs::read_to_string(pages.join("griot-tree.1")).unwrap(), "my notes");
}

#[test]
fn an_unfinished_last_line_of_griots_own_is_cut_and_searched_again() {
    let folder = Folder::new("files-own");
    let input = positions(&folder);
    let target = folder.join("target");
    let analyse = ["analyse", "--depth", "2", "--omit", "time", text(&input), "--resume", text(&target)];
    let explore = [&EXPLORE[..], &["--out", text(&target)]].concat();
    for (arguments, timed) in [(&analyse[..], false), (&explore, true)] {
        good(arguments);
        let whole = fs::read(&target).unwrap();
        let lines = whole.iter().filter(|&&byte| byte == b'\n').count();
        let first = whole.iter().position(|&byte| byte == b'\n').unwrap();
        for cut in [1, 5, 12, 30, first - 1, first, first + 1, first + 30, whole.len() - 1] {
            fs::write(&target, &whole[..cut]).unwrap();
            good(arguments);
            let now = fs::read(&target).unwrap();
            // What stood there whole stands there as it was.
            let kept = if cut >= first { first + 1 } else { 0 };
            assert_eq!(now[..kept], whole[..kept], "cut at {cut}");
            assert_eq!(now.iter().filter(|&&byte| byte == b'\n').count(), lines, "cut at {cut}");
            assert!(timed || now == whole, "cut at {cut}");
        }
        fs::remove_file(&target).unwrap();
    }
}

#[cfg(unix)]
#[test]
fn what_is_read_is_not_what_is_written_to() {
    let folder = Folder::new("files-same");
    let input = positions(&folder);
    let (hard, soft) = (folder.join("hard"), folder.join("soft"));
    fs::hard_link(&input, &hard).unwrap();
    std::os::unix::fs::symlink(&input, &soft).unwrap();
    let before = fs::read(&input).unwrap();
    let [f, h, s] = [&input, &hard, &soft].map(|path| text(path));
    for (file, target) in [(f, f), (h, f), (f, h), (s, f)] {
        let said = refused(&["analyse", "--depth", "1", "--resume", target, file]);
        assert!(said.contains("expected positions, found") && said.contains("which is written to"), "{said}");
    }
    let streams = |command: &mut Command, from: Option<&Path>, to: bool| {
        if let Some(from) = from {
            command.stdin(File::open(from).unwrap());
        }
        if to {
            command.stdout(File::options().append(true).open(&input).unwrap());
        }
        let output = ended(command.spawn().unwrap());
        assert_eq!(output.status.code(), Some(2), "{}", said(&output));
        assert!(said(&output).contains("expected positions, found"), "{}", said(&output));
    };
    streams(&mut griot(&["analyse", "--depth", "1", "--resume", f]), Some(&hard), false);
    streams(&mut griot(&["analyse", "--depth", "1", f]), None, true);
    streams(&mut griot(&["analyse", "--depth", "1"]), Some(&input), true);
    assert_eq!(fs::read(&input).unwrap(), before);
    // One file for two outputs.
    let out = folder.join("out");
    let o = text(&out);
    for arguments in [
        [&EXPLORE[..], &["--out", o, "--svg", o]].concat(),
        [&EXPLORE[..], &["--out", o, "--dot", o]].concat(),
        vec!["tree", "--game", "nim:3", "--svg", o, "--dot", o],
    ] {
        assert!(refused(&arguments).contains("the same command writes it already"), "{arguments:?}");
    }
    let names: Vec<String> = contents(input.parent().unwrap()).into_keys().collect();
    assert_eq!(names, ["hard", "positions", "soft"]);
}

#[cfg(unix)]
#[test]
fn a_temporary_touches_nothing_of_the_users() {
    let folder = Folder::new("files-temporary");
    let precious = folder.join("precious");
    fs::write(&precious, "do not lose").unwrap();
    let work = folder.join("work");
    fs::create_dir(&work).unwrap();
    // The names that temporaries once had.
    for name in ["a.tmp", "tree.tmp"] {
        fs::write(work.join(name), "mine").unwrap();
    }
    for name in ["b.tmp", "awale-mini-00.tmp", "awale-mini-03.tmp"] {
        std::os::unix::fs::symlink(&precious, work.join(name)).unwrap();
    }
    let before = contents(&work);
    let at = |name: &str| work.join(name).to_str().unwrap().to_owned();
    good(&[&GROW[..], &["--out", &at("a.book")]].concat());
    good(&[&GROW[..], &["--out", &at("b.book")]].concat());
    good(&["tablebase", "build", "--game", "awale:mini", "--seeds", "3", "--out", text(&work)]);
    good(&[&EXPLORE[..], &["--out", &at("tree"), "--svg", &at("tree.svg"), "--dot", &at("tree.dot")]].concat());
    let mut after = contents(&work);
    for (name, held) in &before {
        assert_eq!(after.remove(name).as_ref(), Some(held), "{name}");
    }
    assert_eq!(fs::read_to_string(&precious).unwrap(), "do not lose");
    let names: Vec<&str> = after.keys().map(String::as_str).collect();
    assert_eq!(
        names,
        [
            "a.book",
            "a.book.jsonl",
            "awale-mini-00.tb",
            "awale-mini-01.tb",
            "awale-mini-02.tb",
            "awale-mini-03.tb",
            "b.book",
            "b.book.jsonl",
            "tree",
            "tree.dot",
            "tree.svg"
        ]
    );
}

#[test]
fn books_that_differ_in_the_end_of_their_names_do_not_share_a_temporary() {
    let folder = Folder::new("files-stem");
    let games = ["tictactoe", "mnk:4,3,3", "nim:3-4"];
    let files = ["x.a", "x.b", "x.c"].map(|name| folder.join(name));
    for _ in 0..3 {
        let run = |(game, file): (&&str, &PathBuf)| {
            let arguments = ["book", "grow", "--game", game, "--depth", "1", "--positions", "5", "--out", text(file)];
            griot(&arguments).spawn().unwrap()
        };
        let children: Vec<Child> = games.iter().zip(&files).map(run).collect();
        for child in children {
            let output = ended(child);
            assert!(output.status.success(), "{}", said(&output));
        }
        for (game, file) in games.iter().zip(&files) {
            assert!(good(&["book", "verify", text(file)]).contains(&format!("positions of {game}")));
            fs::remove_file(file).unwrap();
        }
    }
}

#[cfg(unix)]
#[test]
fn nothing_is_written_through_a_link() {
    let folder = Folder::new("files-links");
    let input = positions(&folder);
    let link = folder.join("link");
    let l = text(&link);
    let analyse = ["analyse", "--depth", "1", text(&input), "--resume", l];
    let explore = [&EXPLORE[..], &["--out", l]].concat();
    let svg = ["tree", "--game", "nim:3", "--svg", l];
    let grow = [&GROW[..], &["--out", l]].concat();
    // To an empty file, which any command would take, and to nowhere.
    for there in [true, false] {
        let real = folder.join("real");
        let _ = (fs::remove_file(&real), fs::remove_file(&link));
        if there {
            fs::write(&real, "").unwrap();
        }
        std::os::unix::fs::symlink(&real, &link).unwrap();
        let before = contents(link.parent().unwrap());
        for arguments in [&analyse[..], &explore, &svg, &grow] {
            let said = refused(arguments);
            assert!(said.contains("link: expected a file, found a symbolic link"), "{said}");
            assert!(contents(link.parent().unwrap()) == before);
        }
        let mut talk = Talk::in_memory();
        let said = talk.ask(&format!("setoption name Log File value {l}"));
        assert!(said.ends_with("expected a file, found a symbolic link"), "{said}");
        assert!(contents(link.parent().unwrap()) == before);
    }
    // What is read may be reached through one.
    fs::remove_file(&link).unwrap();
    std::os::unix::fs::symlink(&input, &link).unwrap();
    good(&["analyse", "--depth", "1", l]);
}

#[test]
fn a_second_writer_is_told_who_the_first_is() {
    let folder = Folder::new("files-claimed");
    let input = positions(&folder);
    let target = folder.join("target");
    let mut first =
        griot(&["analyse", "--depth", "2", "--resume", text(&target)]).stdin(Stdio::piped()).spawn().unwrap();
    first.stdin.as_mut().unwrap().write_all(b"nim:9\n").unwrap();
    let started = Instant::now();
    while fs::read(&target).unwrap_or_default().is_empty() {
        assert!(started.elapsed() < PATIENCE);
        thread::sleep(Duration::from_millis(2));
    }
    let analyse = ["analyse", "--depth", "2", text(&input), "--resume", text(&target)];
    for _ in 0..9 {
        let said = refused(&analyse);
        assert!(said.contains(&format!("target: process {} is writing it", first.id())), "{said}");
    }
    #[cfg(unix)]
    {
        // And by another name of the same file.
        let other = folder.join("other");
        fs::hard_link(&target, &other).unwrap();
        let said = refused(&["analyse", "--depth", "2", text(&input), "--resume", text(&other)]);
        assert!(said.contains("other: another process is writing it by another name"), "{said}");
        fs::remove_file(&other).unwrap();
    }
    drop(first.stdin.take());
    assert!(ended(first).status.success());
    good(&analyse);
    assert_eq!(fs::read_to_string(&target).unwrap().lines().count(), 4);

    // The others, against this process.
    let own = std::process::id();
    let names = ["tree", "svg", "dot", "book", "tables"].map(|name| folder.join(name).to_str().unwrap().to_owned());
    let [tree, svg, dot, book, tables] = names.each_ref().map(String::as_str);
    let explore = [&EXPLORE[..], &["--out", tree, "--svg", svg, "--dot", dot]].concat();
    let grow = [&GROW[..], &["--out", book]].concat();
    let build = ["tablebase", "build", "--game", "awale:mini", "--seeds", "2", "--out", tables];
    fs::create_dir(folder.join("tables")).unwrap();
    for (claimed, arguments) in [
        ("tree", &explore[..]),
        ("svg", &explore),
        ("dot", &explore),
        ("book", &grow),
        ("book.jsonl", &grow),
        ("tables/awale-mini", &build),
    ] {
        let claim = Claim::of_name(&folder.join(claimed)).unwrap();
        let said = refused(arguments);
        assert!(said.contains(&format!("process {own} is writing it")), "{claimed}: {said}");
        assert!(!said.contains("positions of") && !said.contains("written"), "{said}");
        drop(claim);
    }
    for arguments in [&explore[..], &grow, &build] {
        good(arguments);
    }
    let left: Vec<String> = contents(target.parent().unwrap()).into_keys().collect();
    assert_eq!(left, ["book", "book.jsonl", "dot", "positions", "svg", "tables", "target", "tree"]);
}

/// What is not a file, of each kind, by name. The socket lives as long as what comes with it.
#[cfg(unix)]
fn no_files(folder: &Folder) -> (Vec<(PathBuf, &'static str)>, impl Drop) {
    let (pipe, socket, directory) = (folder.join("pipe"), folder.join("socket"), folder.join("directory"));
    make_pipe(&pipe);
    fs::create_dir(&directory).unwrap();
    // The names of sockets are short: it is bound elsewhere, and a directory entry of it stands here.
    let elsewhere = std::env::temp_dir().join(format!("griot-{}.sock", std::process::id()));
    let _ = fs::remove_file(&elsewhere);
    let listener = std::os::unix::net::UnixListener::bind(&elsewhere).unwrap();
    if fs::rename(&elsewhere, &socket).is_err() {
        // On another file system.
        fs::remove_file(&elsewhere).unwrap();
    }
    let mut all =
        vec![(pipe, "pipe"), ("/dev/zero".into(), "device"), ("/dev/tty".into(), "device"), (directory, "directory")];
    if socket.exists() {
        all.push((socket, "socket"));
    }
    (all, Kept(listener))
}

#[cfg(unix)]
struct Kept(#[expect(dead_code, reason = "lives as long")] std::os::unix::net::UnixListener);

#[cfg(unix)]
impl Drop for Kept {
    fn drop(&mut self) {}
}

#[cfg(unix)]
fn make_pipe(path: &Path) {
    assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
}

#[cfg(unix)]
#[test]
fn every_path_option_refuses_what_is_no_file_and_waits_for_nothing() {
    let folder = Folder::new("files-pipes");
    let input = positions(&folder);
    let (out, i) = (folder.join("out").to_str().unwrap().to_owned(), text(&input));
    let (no_files, _kept) = no_files(&folder);
    for (path, kind) in &no_files {
        let p = text(path);
        let option = format!("BookFile={p}");
        let files: [Vec<&str>; 14] = [
            vec!["analyse", "--depth", "1", p],
            vec!["analyse", "--depth", "1", "--resume", p, i],
            vec!["analyse", "--depth", "1", "--option", &option, i],
            [&EXPLORE[..], &["--out", p]].concat(),
            [&EXPLORE[..], &["--out", &out, "--svg", p]].concat(),
            [&EXPLORE[..], &["--out", &out, "--dot", p]].concat(),
            [&GROW[..], &["--out", p]].concat(),
            vec!["book", "info", p],
            vec!["book", "verify", p],
            vec!["book", "show", p],
            vec!["tree", "--game", "nim:3", "--svg", p],
            vec!["tree", "--game", "nim:3", "--dot", p],
            vec!["play", "--game", "nim:3", "--option", &option],
            vec!["--option", &option],
        ];
        for arguments in &files {
            let said = refused(arguments);
            assert!(said.contains(&format!("expected a file, found a {kind}")), "{arguments:?}: {said}");
            assert!(!folder.join("out").exists(), "{arguments:?}");
        }
        if *kind != "directory" {
            let option = format!("TablebasePath={p}");
            for arguments in [
                &["tablebase", "build", "--game", "awale:mini", "--seeds", "1", "--out", p][..],
                &["tablebase", "verify", p],
                &["tablebase", "info", p],
                &["tablebase", "probe", "--dir", p, "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S"],
                &["man", "--out", p],
                &["--option", &option],
            ] {
                assert!(refused(arguments).contains(p), "{arguments:?}");
            }
        }
        let mut talk = Talk::in_memory();
        for name in ["BookFile", "EvalFile", "Log File"] {
            let said = talk.ask(&format!("setoption name {name} value {p}"));
            assert!(said.starts_with("info string error: ") && said.ends_with(&format!("found a {kind}")), "{said}");
        }
        assert_eq!(talk.ask("isready"), "readyok");
    }
}

/// Once `TablebasePath` with a pipe in it was deafness for good.
#[cfg(unix)]
#[test]
fn a_pipe_among_the_tables_is_refused_by_whoever_reads_them() {
    let folder = Folder::new("files-pipe-in-tables");
    let tables = folder.join("tables");
    let t = text(&tables);
    let build = ["tablebase", "build", "--game", "awale:mini", "--seeds", "4", "--out", t];
    good(&build);
    let table = tables.join("awale-mini-02.tb");
    fs::remove_file(&table).unwrap();
    make_pipe(&table);
    for arguments in [
        &build[..],
        &["tablebase", "verify", t],
        &["tablebase", "info", t],
        &["tablebase", "probe", "--game", "awale:mini", "--dir", t, "1-0-0-0-0-0-6-5-S"],
    ] {
        let said = refused(arguments);
        assert!(said.contains("awale-mini-02.tb: opening: expected a file, found a pipe"), "{said}");
    }
    let mut talk = Talk::in_memory();
    talk.send("setoption name Game value awale:mini");
    let said = talk.ask(&format!("setoption name TablebasePath value {t}"));
    assert!(said.contains("expected a file, found a pipe"), "{said}");
    assert_eq!(talk.ask("isready"), "readyok");
}

/// Once the log came back as commands.
#[cfg(unix)]
#[test]
fn the_log_is_not_what_the_engine_reads() {
    let folder = Folder::new("files-log");
    let session = folder.join("session");
    for name in ["/dev/stdin".to_owned(), "/dev/fd/0".into(), "/dev/stdout".into(), text(&session).to_owned()] {
        let lines = format!("isready\nsetoption name Log File value {name}\nisready\nquit\n");
        fs::write(&session, &lines).unwrap();
        let output = ended(griot(&[]).stdin(File::open(&session).unwrap()).spawn().unwrap());
        let said = said(&output);
        assert!(output.status.success() && said.contains("option Log File: cannot write to '"), "{name}: {said}");
        assert_eq!(said.lines().filter(|line| *line == "readyok").count(), 2, "{name}: {said}");
        assert_eq!(fs::read_to_string(&session).unwrap(), lines, "{name}");
    }
    // Nor anything else that is no log, such as a book.
    let (notes, log) = (folder.join("notes"), folder.join("log"));
    fs::write(&notes, "griot-book 1\n").unwrap();
    fs::write(&log, "> isready\n").unwrap();
    let mut talk = Talk::in_memory();
    let said = talk.ask(&format!("setoption name Log File value {}", text(&notes)));
    assert!(said.contains("expected a log, or an empty file, found one that begins with 'gr'"), "{said}");
    assert_eq!(fs::read_to_string(&notes).unwrap(), "griot-book 1\n");
    talk.send(&format!("setoption name Log File value {}", text(&log)));
    assert_eq!(talk.ask("isready"), "readyok");
    assert_eq!(fs::read_to_string(&log).unwrap(), "> isready\n> isready\n< readyok\n");
}

#[test]
fn a_remark_that_is_no_text_is_passed_over() {
    let folder = Folder::new("files-remark");
    let input = folder.join("positions");
    let long = "x".repeat(2 << 20);
    let mut bytes = b"# caf\xe9\n  # \xff\nnim:7\n# ".to_vec();
    bytes.extend_from_slice(long.as_bytes());
    bytes.extend_from_slice(b"\nnim:\xff7\n");
    fs::write(&input, bytes).unwrap();
    let answers = good(&["analyse", "--depth", "1", text(&input)]);
    let lines: Vec<serde_json::Value> = answers.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 2, "{answers}");
    assert_eq!((&lines[0]["line"], &lines[0]["position"]["game"]), (&3.into(), &"nim:7".into()));
    assert!(lines[1]["error"].as_str().unwrap().contains("expected UTF-8 text"), "{answers}");
}

#[cfg(unix)]
#[test]
fn answers_without_a_place_are_not_lost_in_silence() {
    let folder = Folder::new("files-removed");
    let target = folder.join("target");
    let mut child =
        griot(&["analyse", "--depth", "2", "--resume", text(&target)]).stdin(Stdio::piped()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    input.write_all(b"nim:9\n").unwrap();
    let started = Instant::now();
    while fs::read(&target).unwrap_or_default().is_empty() {
        assert!(started.elapsed() < PATIENCE);
        thread::sleep(Duration::from_millis(2));
    }
    fs::remove_file(&target).unwrap();
    // It may have ended by then.
    let _ = input.write_all(b"nim:8\n");
    drop(input);
    let mut errors = String::new();
    child.stderr.take().unwrap().read_to_string(&mut errors).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(2), "{errors}");
    assert!(errors.contains("target: the file was removed while it was written"), "{errors}");
}
