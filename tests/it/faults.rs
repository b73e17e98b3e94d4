//! Faults: commands that write are killed at random moments, find the disk full, read-only or gone, race each other, and read
//! files with flipped bytes. What is written stays, what is half is gone on with, and the end is as if nothing had been.
//!
//! The gate runs a sample. The full run (`CI_FULL=1`) kills ten times as often and tries every byte. `GRIOT_FAULTS=N` kills each
//! command N times; with `--nocapture` a row is printed for each fault.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
#[cfg(target_os = "linux")]
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use griot::book::Book;
use griot::game::SplitMix64;
use griot::games::mnk::{self, Parameters, Style};
use griot::tablebase::Reader;
use griot_testing::{full_run, rounds};

use crate::support::{Folder, PATIENCE};
#[cfg(unix)]
use crate::support::{Talk, signal};

/// How often each command is killed: what is asked for, or a sample.
fn kills(sample: usize) -> usize {
    let number = std::env::var("GRIOT_FAULTS");
    number.map_or(rounds(10 * sample, sample), |number| number.parse().expect("GRIOT_FAULTS: a number"))
}

/// A command that writes.
struct Writer {
    name: &'static str,
    /// What stands for the folder is `@`.
    arguments: &'static [&'static str],
    /// Files that grow line by line.
    grows: &'static [&'static str],
    /// Files that are written whole.
    whole: &'static [&'static str],
}

const WRITERS: [Writer; 4] = [
    Writer {
        name: "analyse --resume",
        arguments: &[
            "analyse",
            "--nodes",
            "500",
            "--hash",
            "1",
            "--jobs",
            "2",
            "--omit",
            "time",
            "--resume",
            "@/answers",
            "@/positions",
        ],
        grows: &["answers"],
        whole: &[],
    },
    Writer {
        name: "explore --out",
        arguments: &[
            "explore",
            "--game",
            "connect4",
            "--nodes",
            "300",
            "--positions",
            "60",
            "--hash",
            "1",
            "--jobs",
            "2",
            "--out",
            "@/tree",
            "--svg",
            "@/tree.svg",
            "--dot",
            "@/tree.dot",
        ],
        grows: &["tree"],
        whole: &["tree.svg", "tree.dot"],
    },
    Writer {
        name: "book grow --out",
        arguments: &[
            "book",
            "grow",
            "--game",
            "mnk:4,4,4",
            "--nodes",
            "300",
            "--positions",
            "60",
            "--hash",
            "1",
            "--jobs",
            "2",
            "--out",
            "@/book",
        ],
        grows: &["book.jsonl"],
        whole: &["book"],
    },
    Writer {
        name: "tablebase build --out",
        arguments: &["tablebase", "build", "--game", "awale", "--seeds", "7", "--threads", "2", "--out", "@"],
        grows: &[],
        whole: &["awale-00.tb", "awale-03.tb", "awale-05.tb", "awale-06.tb", "awale-07.tb"],
    },
];

impl Writer {
    fn command(&self, folder: &Path) -> Command {
        let at = |argument: &&str| argument.replace('@', folder.to_str().unwrap());
        let mut command = Command::new(env!("CARGO_BIN_EXE_griot"));
        command.args(self.arguments.iter().map(at));
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    /// An empty folder to work in, with what the command reads.
    fn prepare(&self, folder: &Path) {
        let _ = fs::remove_dir_all(folder);
        fs::create_dir_all(folder).unwrap();
        if self.grows == ["answers"] {
            let lines: String =
                (0..12).map(|number| format!("othello||\nmnk:5,5,4||{}\n", ["a1", "b2", "c3"][number % 3])).collect();
            fs::write(folder.join("positions"), lines).unwrap();
        }
    }

    /// What came of it, without the time that it took.
    fn result(&self, folder: &Path) -> BTreeMap<&'static str, Vec<u8>> {
        let read = |name: &&'static str| (*name, fs::read(folder.join(name)).unwrap_or_default());
        let mut result: BTreeMap<&str, Vec<u8>> = self.whole.iter().map(read).collect();
        for name in self.grows {
            let text = fs::read_to_string(folder.join(name)).unwrap();
            // Positions that were searched side by side are written in one order, whoever was killed.
            let mut lines: Vec<String> = text.lines().map(without_time).collect();
            lines.sort();
            result.insert(name, lines.join("\n").into_bytes());
        }
        result
    }

    /// The reference, and how long it took.
    fn undisturbed(&self, folder: &Path) -> (BTreeMap<&'static str, Vec<u8>>, Duration) {
        self.prepare(folder);
        let started = Instant::now();
        let output = self.command(folder).output().unwrap();
        assert!(output.status.success(), "{}: {}", self.name, said(&output));
        assert_eq!(leavings(folder), Vec::<String>::new());
        (self.result(folder), started.elapsed())
    }
}

fn without_time(line: &str) -> String {
    let mut value: serde_json::Value = serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"));
    value.as_object_mut().unwrap().remove("time");
    value.to_string()
}

fn said(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

/// Temporaries and locks.
fn leavings(folder: &Path) -> Vec<String> {
    let names = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = names.filter(|name| name.ends_with(".tmp") || name.ends_with(".griot-lock")).collect();
    names.sort();
    names
}

fn ended(child: &mut Child) -> ExitStatus {
    let started = Instant::now();
    loop {
        match child.try_wait().unwrap() {
            Some(status) => return status,
            None if started.elapsed() > PATIENCE => {
                child.kill().unwrap();
                panic!("still running after {PATIENCE:?}");
            }
            None => thread::sleep(Duration::from_millis(1)),
        }
    }
}

/// The files of a folder, as far as they are whole: of those that grow, the lines that have an end.
fn whole_lines(writer: &Writer, folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        let name = entry.file_name().into_string().unwrap();
        let Ok(mut bytes) = fs::read(entry.path()) else { continue };
        if writer.grows.contains(&name.as_str()) {
            bytes.truncate(bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1));
        } else if leavings(folder).contains(&name) {
            continue;
        }
        files.insert(name, bytes);
    }
    files
}

/// What is counted over all kills of a command.
#[derive(Default)]
struct Account {
    kills: usize,
    runs_through: usize,
    half_lines: usize,
    locks: usize,
    temporaries: usize,
}

/// What ends a command. Windows has no signals.
const SIGNALS: &[&str] = if cfg!(unix) { &["KILL", "TERM", "INT", "HUP"] } else { &["KILL"] };

fn kill_again_and_again(writer: &Writer, times: usize, rng: &mut SplitMix64) -> Account {
    let folder = Folder::new(&format!("faults-kill-{}", writer.arguments[0]));
    let (reference, mut time) = writer.undisturbed(&folder.join("reference"));
    let work = folder.join("work");
    let mut account = Account::default();
    writer.prepare(&work);
    while account.kills < times {
        let before = whole_lines(writer, &work);
        let signal = SIGNALS[account.kills % SIGNALS.len()];
        let started = Instant::now();
        let mut child = writer.command(&work).spawn().unwrap();
        let moment = time.mul_f64(rng.below(1000) as f64 / 1000.0);
        while started.elapsed() < moment && child.try_wait().unwrap().is_none() {
            thread::sleep(Duration::from_micros(300));
        }
        let ran_through = child.try_wait().unwrap().is_some();
        if !ran_through {
            if signal == "KILL" {
                // It may have ended just now.
                let _ = child.kill();
            } else {
                let sent = Command::new("kill")
                    .args([&format!("-{signal}"), &child.id().to_string()])
                    .stderr(Stdio::null())
                    .status();
                assert!(sent.is_ok());
            }
        }
        let status = ended(&mut child);
        let output = child.wait_with_output().unwrap();
        let what = format!("{} killed by {signal} after {moment:?}: {status} {}", writer.name, said(&output));
        assert!(!what.contains("panicked"), "{what}");
        if ran_through || status.success() {
            assert!(status.success(), "{what}");
            account.runs_through += 1;
        } else {
            account.kills += 1;
        }
        // What was whole is as it was, and more may have come.
        let after = whole_lines(writer, &work);
        for (name, bytes) in &before {
            let now = after.get(name).unwrap_or_else(|| panic!("{what}: {name} is gone"));
            assert!(now.starts_with(bytes), "{what}: {name} has lost something");
        }
        for name in writer.grows {
            let length = fs::metadata(work.join(name)).map_or(0, |data| data.len() as usize);
            account.half_lines += usize::from(length > after.get(*name).map_or(0, Vec::len));
        }
        let left = leavings(&work);
        if signal != "KILL" && status.code().is_some() {
            assert_eq!(left, Vec::<String>::new(), "{what}");
        }
        account.locks += left.iter().filter(|name| name.ends_with(".griot-lock")).count();
        account.temporaries += left.iter().filter(|name| name.ends_with(".tmp")).count();
        for temporary in left.iter().filter(|name| name.ends_with(".tmp")) {
            fs::remove_file(work.join(temporary)).unwrap();
        }
        if status.success() {
            assert!(writer.result(&work) == reference, "{what}: the end is another one");
            writer.prepare(&work);
            time = time.min(started.elapsed().max(Duration::from_millis(20)) * 4);
        }
    }
    let output = writer.command(&work).output().unwrap();
    assert!(output.status.success(), "{}: {}", writer.name, said(&output));
    assert!(writer.result(&work) == reference, "{}: the end is another one", writer.name);
    assert_eq!(leavings(&work), Vec::<String>::new());
    account
}

fn check_kills(writer: &Writer) {
    let mut rng = SplitMix64::new(14);
    let Account { kills, runs_through, half_lines, locks, temporaries } =
        kill_again_and_again(writer, kills(8), &mut rng);
    println!(
        "{}: killed {kills} times ({} by turns), ran through {runs_through} times: every whole line and \
         file kept, the end always the same; left behind: {half_lines} half lines (cut off by the next run), {locks} locks \
         without an owner (taken by the next run), {temporaries} temporaries",
        writer.name,
        SIGNALS.join(", ")
    );
}

#[test]
fn an_analysis_that_is_killed_at_any_moment_loses_nothing_and_goes_on() {
    check_kills(&WRITERS[0]);
}

#[test]
fn a_tree_whose_growth_is_killed_at_any_moment_loses_nothing_and_goes_on() {
    check_kills(&WRITERS[1]);
}

#[test]
fn a_book_whose_growth_is_killed_at_any_moment_loses_nothing_and_goes_on() {
    check_kills(&WRITERS[2]);
}

#[test]
fn tables_whose_build_is_killed_at_any_moment_lose_nothing_and_go_on() {
    check_kills(&WRITERS[3]);
}

/// Suspended by force, as by a shell's Ctrl-Z or a container that is frozen, and gone on with.
#[cfg(unix)]
#[test]
fn a_command_that_is_suspended_at_any_moment_ends_as_if_nothing_had_been() {
    let mut rng = SplitMix64::new(15);
    for writer in &WRITERS {
        let folder = Folder::new(&format!("faults-suspended-{}", writer.arguments[0]));
        let (reference, time) = writer.undisturbed(&folder.join("reference"));
        let work = folder.join("work");
        writer.prepare(&work);
        let mut child = writer.command(&work).spawn().unwrap();
        let mut suspensions = 0;
        while suspensions < kills(8) && child.try_wait().unwrap().is_none() {
            thread::sleep(time.mul_f64(rng.below(1000) as f64 / 8000.0));
            signal(child.id(), "STOP");
            thread::sleep(Duration::from_millis(rng.below(40) as u64));
            signal(child.id(), "CONT");
            suspensions += 1;
        }
        let status = ended(&mut child);
        let output = child.wait_with_output().unwrap();
        assert!(status.success(), "{}: {status} {}", writer.name, said(&output));
        assert!(writer.result(&work) == reference, "{}: the end is another one", writer.name);
        assert_eq!(leavings(&work), Vec::<String>::new());
        println!("{}: suspended {suspensions} times, the end always the same", writer.name);
    }
}

/// What came while an engine was suspended is answered when it goes on, in order, and a limit that ran out meanwhile has run out.
#[cfg(unix)]
#[test]
fn an_engine_that_is_suspended_owes_what_it_owed() {
    let mut rng = SplitMix64::new(16);
    let mut talk = Talk::process(&[]);
    talk.send("uci");
    talk.until("uciok");
    talk.send("go depth 8");
    let nodes = |lines: &[String]| {
        let line = lines.iter().rfind(|line| line.contains(" depth 8 ")).unwrap_or_else(|| panic!("{lines:?}"));
        crate::support::word(line, "nodes").unwrap().to_owned()
    };
    let undisturbed = nodes(&talk.until("bestmove *"));
    for number in 0..kills(12) {
        talk.send(if number % 2 == 0 { "go infinite" } else { "go movetime 60" });
        thread::sleep(Duration::from_millis(rng.below(80) as u64));
        talk.signal("STOP");
        talk.send("stop\nisready");
        thread::sleep(Duration::from_millis(rng.below(100) as u64));
        talk.signal("CONT");
        let answer = talk.until("readyok");
        // `readyok` may come before the move of a search that still has to hear of its `stop`.
        let moves = |lines: &[String]| lines.iter().filter(|line| line.starts_with("bestmove ")).count();
        if moves(&answer) == 0 {
            talk.until("bestmove *");
        }
        assert!(moves(&answer) <= 1, "{answer:?}");
    }
    talk.send("ucinewgame\ngo depth 8");
    assert_eq!(nodes(&talk.until("bestmove *")), undisturbed);
    assert!(talk.rest().is_empty(), "{:?}", talk.log);
}

/// A shell in which a file cannot grow beyond some KiB, and a write beyond that fails as on a full disk.
#[cfg(unix)]
fn limited(command: &Command, kib: u64) -> Command {
    let mut shell = Command::new("sh");
    let script = format!("trap '' XFSZ 2>/dev/null || trap '' 25; ulimit -f {}; exec \"$0\" \"$@\"", kib * 2);
    shell.args(["-c", &script]).arg(command.get_program()).args(command.get_args());
    shell.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    shell
}

#[cfg(unix)]
#[test]
fn a_disk_that_fills_is_told_and_takes_nothing_with_it() {
    for writer in &WRITERS {
        let folder = Folder::new(&format!("faults-full-{}", writer.arguments[0]));
        let (reference, _) = writer.undisturbed(&folder.join("reference"));
        let work = folder.join("work");
        writer.prepare(&work);
        let mut failed = 0;
        for kib in [1, 2, 4, 8, 16, 32] {
            let before = whole_lines(writer, &work);
            let output = limited(&writer.command(&work), kib).output().unwrap();
            let said = said(&output);
            if !output.status.success() {
                failed += 1;
                assert_eq!(output.status.code(), Some(2), "{}: {said}", writer.name);
                // The file is named, and what the system said.
                assert!(said.contains(work.to_str().unwrap()) && said.contains("os error"), "{}: {said}", writer.name);
            }
            assert_eq!(leavings(&work), Vec::<String>::new(), "{said}");
            let after = whole_lines(writer, &work);
            assert!(before.iter().all(|(name, bytes)| after[name].starts_with(bytes)), "{}: {said}", writer.name);
            for name in writer.grows {
                assert_eq!(fs::read(work.join(name)).unwrap(), after[*name], "{}: half a line is left", writer.name);
            }
        }
        assert!(failed > 0, "{}: no limit was too low", writer.name);
        let output = writer.command(&work).output().unwrap();
        assert!(output.status.success() && writer.result(&work) == reference, "{}: {}", writer.name, said(&output));
        println!(
            "{}: disk full, {failed} of 6 limits: told with the file's name, nothing half left, goes on",
            writer.name
        );
    }
}

/// A file system of its own, where the machine lets one be made.
#[cfg(target_os = "linux")]
struct Mounted(PathBuf);

#[cfg(target_os = "linux")]
impl Mounted {
    fn new(folder: PathBuf, options: &str) -> Option<Mounted> {
        fs::create_dir_all(&folder).unwrap();
        let mut mount = Command::new("mount");
        mount.args(["-t", "tmpfs", "-o", options, "tmpfs"]).arg(&folder).stderr(Stdio::null());
        let mounted = mount.status().is_ok_and(|status| status.success());
        mounted.then_some(Mounted(folder))
    }

    fn again(&self, options: &str) {
        let options = format!("remount,{options}");
        assert!(Command::new("mount").args(["-o", &options]).arg(&self.0).status().unwrap().success());
    }
}

#[cfg(target_os = "linux")]
impl Drop for Mounted {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("-l").arg(&self.0).status();
    }
}

/// With a real file system that is full, and then read-only; in the full run, where the machine allows it.
#[cfg(target_os = "linux")]
#[test]
fn a_small_file_system_fills_turns_read_only_and_loses_nothing() {
    if !full_run() {
        return;
    }
    for writer in &WRITERS {
        let folder = Folder::new(&format!("faults-mount-{}", writer.arguments[0]));
        let (reference, _) = writer.undisturbed(&folder.join("reference"));
        let Some(disk) = Mounted::new(folder.join("disk"), "size=12k") else {
            println!("skipped: this machine mounts nothing for its users");
            return;
        };
        let work = disk.0.join("work");
        writer.prepare(&work);
        let mut full = 0;
        for size in ["12k", "16k", "32k", "64k"] {
            disk.again(&format!("size={size}"));
            let before = whole_lines(writer, &work);
            let output = writer.command(&work).output().unwrap();
            full += usize::from(said(&output).contains("No space left on device"));
            assert_eq!(leavings(&work), Vec::<String>::new(), "{}", said(&output));
            let after = whole_lines(writer, &work);
            assert!(before.iter().all(|(name, bytes)| after[name].starts_with(bytes)), "{}", writer.name);
        }
        disk.again("size=64m,ro");
        let before = whole_lines(writer, &work);
        let output = writer.command(&work).output().unwrap();
        assert_eq!(output.status.code(), Some(2));
        assert!(said(&output).contains("Read-only file system"), "{}: {}", writer.name, said(&output));
        assert!(whole_lines(writer, &work) == before);
        disk.again("rw");
        let output = writer.command(&work).output().unwrap();
        assert!(output.status.success() && writer.result(&work) == reference, "{}: {}", writer.name, said(&output));
        println!("{}: tmpfs full in {full} of 4 sizes, then read-only: told, nothing lost, goes on", writer.name);
    }
}

#[cfg(unix)]
#[test]
fn a_folder_that_vanishes_is_told() {
    for writer in &WRITERS {
        let folder = Folder::new(&format!("faults-gone-{}", writer.arguments[0]));
        let work = folder.join("work");
        writer.prepare(&work);
        let file = work.join(writer.grows.first().unwrap_or(&"awale-05.tb"));
        let mut child = writer.command(&work).spawn().unwrap();
        let started = Instant::now();
        while fs::metadata(&file).map_or(0, |data| data.len()) == 0 {
            assert!(started.elapsed() < PATIENCE);
            thread::sleep(Duration::from_micros(300));
        }
        while fs::remove_dir_all(&work).is_err() {
            assert!(started.elapsed() < PATIENCE);
        }
        let status = ended(&mut child);
        let said = said(&child.wait_with_output().unwrap());
        assert_eq!(status.code(), Some(2), "{}: {said}", writer.name);
        assert!(said.contains(work.to_str().unwrap()), "{}: {said}", writer.name);
        assert!(!work.exists(), "{}", writer.name);
        // And one that was never there, which only the builder of tables makes.
        let output = writer.command(&work).output().unwrap();
        assert_eq!(output.status.success(), writer.grows.is_empty(), "{}", writer.name);
        println!("{}: folder gone: told and ended", writer.name);
    }
}

#[test]
fn of_two_and_ten_writers_one_writes_and_the_others_are_told_by_whom() {
    for writer in &WRITERS {
        let folder = Folder::new(&format!("faults-race-{}", writer.arguments[0]));
        let (reference, _) = writer.undisturbed(&folder.join("reference"));
        for writers in [2, 10] {
            let work = folder.join("work");
            writer.prepare(&work);
            let children: Vec<Child> = (0..writers).map(|_| writer.command(&work).spawn().unwrap()).collect();
            let ids: Vec<u32> = children.iter().map(Child::id).collect();
            let outputs: Vec<Output> = children.into_iter().map(|child| child.wait_with_output().unwrap()).collect();
            let (done, told): (Vec<&Output>, Vec<&Output>) = outputs.iter().partition(|output| output.status.success());
            // Who comes when the first is through goes on with what is there.
            assert!(!done.is_empty(), "{}: {}", writer.name, said(told[0]));
            for output in &told {
                let names = |id: &u32| said(output).contains(&format!("process {id} is writing it"));
                assert!(output.status.code() == Some(2) && ids.iter().any(names), "{}: {}", writer.name, said(output));
            }
            assert!(writer.result(&work) == reference, "{}: {writers} writers", writer.name);
            assert_eq!(leavings(&work), Vec::<String>::new());
            println!("{}: {writers} writers: {} wrote, {} were told by whom", writer.name, done.len(), told.len());
        }
    }
}

#[test]
fn every_flipped_byte_of_a_book_or_a_table_is_noticed() {
    let folder = Folder::new("faults-flipped");
    let run = |arguments: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_griot")).args(arguments).stdin(Stdio::null()).output().unwrap();
        assert!(output.status.success(), "{}", said(&output));
    };
    let (book, tables) = (folder.join("book"), folder.join("tables"));
    run(&["book", "grow", "--game", "tictactoe", "--depth", "2", "--positions", "12", "--out", book.to_str().unwrap()]);
    run(&["tablebase", "build", "--game", "awale:mini", "--seeds", "2", "--out", tables.to_str().unwrap()]);
    let flips: &[u8] = if full_run() { &[1, 2, 4, 8, 16, 32, 64, 128, 255] } else { &[1, 128] };
    let mut count = 0;

    let game = mnk::game::<1>("tictactoe", Parameters::TIC_TAC_TOE, Style::Coordinates);
    let good = fs::read(&book).unwrap();
    let parse =
        |bytes: &[u8]| str::from_utf8(bytes).is_ok_and(|text| Book::parse(text, "tictactoe", &game.notation).is_ok());
    assert!(parse(&good));
    for at in 0..good.len() {
        for flip in flips {
            let mut bytes = good.clone();
            bytes[at] ^= flip;
            assert!(!parse(&bytes), "byte {at} of the book flipped by {flip}");
            count += 1;
        }
    }
    let table = tables.join("awale-mini-02.tb");
    let good = fs::read(&table).unwrap();
    let verify = || Reader::open(&table).is_ok_and(|reader| reader.verify().is_ok());
    assert!(verify());
    for at in 0..good.len() {
        for flip in flips {
            let mut bytes = good.clone();
            bytes[at] ^= flip;
            fs::write(&table, &bytes).unwrap();
            assert!(!verify(), "byte {at} of the table flipped by {flip}");
            count += 1;
        }
    }
    println!("book and table: {count} flipped bytes, each refused");
}

#[test]
fn a_flipped_byte_of_a_file_that_grows_is_refused_or_kept_but_loses_nothing() {
    let folder = Folder::new("faults-flipped-lines");
    let (input, target, tree) = (folder.join("positions"), folder.join("target"), folder.join("tree"));
    fs::write(&input, "nim:7\nnim:3\n").unwrap();
    let [i, t, e] = [&input, &target, &tree].map(|path| path.to_str().unwrap().to_owned());
    let commands = [
        (vec!["analyse", "--depth", "1", &i, "--resume", &t], &target),
        (vec!["explore", "--game", "nim:2", "--depth", "1", "--plies", "1", "--out", &e], &tree),
    ];
    for (arguments, file) in commands {
        let run = || Command::new(env!("CARGO_BIN_EXE_griot")).args(&arguments).stdin(Stdio::null()).output().unwrap();
        let output = run();
        assert!(output.status.success(), "{}", said(&output));
        let good = fs::read(file).unwrap();
        let (mut refused, mut kept) = (0, 0);
        for at in (0..good.len()).step_by(if full_run() { 1 } else { 9 }) {
            let mut bytes = good.clone();
            bytes[at] ^= if full_run() { [1, 2, 4, 8, 16, 32, 64, 128][at % 8] } else { 1 << (at / 9 % 8) };
            fs::write(file, &bytes).unwrap();
            let output = run();
            let now = fs::read(file).unwrap();
            if output.status.success() {
                // A last line that lost its end gets it again: nothing else may be gone.
                let end = if bytes.ends_with(b"\n") {
                    bytes.len()
                } else {
                    bytes.iter().rposition(|&b| b == b'\n').map_or(0, |end| end + 1)
                };
                assert!(now.starts_with(&bytes[..end]), "byte {at}");
                kept += 1;
            } else {
                assert_eq!(output.status.code(), Some(2), "byte {at}: {}", said(&output));
                assert!(now == bytes, "byte {at}: {}", said(&output));
                refused += 1;
            }
        }
        assert!(refused > 0);
        println!("{}: {refused} flipped bytes refused, {kept} taken as another answer; no byte lost", arguments[0]);
    }
}
