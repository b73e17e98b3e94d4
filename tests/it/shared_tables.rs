//! Endgame tables that all engines share: when they are built, who reads them, and what becomes of who builds them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use griot::games::awale::{Abapa, AwaleLayers};
use griot::registry::Registry;
use griot::session::{Resources, Settings, SharedTables, TableBuilder};
use griot::tablebase::{Monitor, Plan, Table};

use crate::support::{Folder, Talk, word};

/// Eleven seeds on the board, three more than after any capture: no search of one ply meets tables of nine.
const ELEVEN: &str = "position fen 0-0-0-0-6-0-5-0-0-0-0-0-18-19-S";
const SEEDS: usize = 11;

/// Builds at once, in this process, and remembers for which games it was asked.
#[derive(Debug)]
struct AtOnce {
    folder: PathBuf,
    asked: Arc<Mutex<Vec<String>>>,
    ended: AtomicUsize,
}

impl TableBuilder for AtOnce {
    fn begin(&self, game: &str) -> Option<String> {
        self.asked.lock().unwrap().push(game.into());
        if self.ended.fetch_add(1, Ordering::Relaxed) > 0 {
            return None;
        }
        let plan = Plan { top: SEEDS, threads: 2, memory: None };
        let layers = AwaleLayers::<Abapa>::default();
        Table::in_directory(layers, &self.folder, &plan, &Monitor::default(), |_| ()).unwrap();
        Some("tables are being built".into())
    }

    fn has_ended(&self) -> bool {
        self.ended.load(Ordering::Relaxed) == 1
    }
}

/// An engine that shares the tables of a folder, and the games for which its builder was asked.
fn engine(folder: &Path, worthwhile: Duration) -> (Talk, Arc<Mutex<Vec<String>>>) {
    let asked = Arc::default();
    let builder = AtOnce { folder: folder.to_owned(), asked: Arc::clone(&asked), ended: AtomicUsize::new(0) };
    let mut resources = Resources::new(Settings::default()).unwrap();
    resources.shared_tables = Some(Arc::new(SharedTables::new(folder.to_owned(), Box::new(builder), worthwhile)));
    let mut talk = Talk::with_resources(&Registry, resources);
    talk.send("ugi");
    talk.until("ugiok");
    (talk, asked)
}

/// The positions that one ply of search has found in tables, and the remarks that came with it.
fn hits(talk: &mut Talk) -> (u64, Vec<String>) {
    talk.send(ELEVEN);
    talk.send("go depth 1");
    let said = talk.until("bestmove *");
    let hits = said.iter().filter_map(|line| word(line, "tbhits")).next_back().unwrap().parse().unwrap();
    (hits, said.into_iter().filter(|line| line.starts_with("info string")).collect())
}

#[test]
fn tables_are_built_once_and_read_from_the_next_search_on() {
    let folder = Folder::new("shared-tables");
    let tables = folder.join("tables");
    let (mut talk, asked) = engine(&tables, Duration::ZERO);
    let (none, said) = hits(&mut talk);
    assert_eq!((none, said), (0, vec!["info string tables are being built".to_owned()]));
    let (some, said) = hits(&mut talk);
    assert!(some > 0 && said.is_empty(), "{some} {said:?}");
    assert_eq!(*asked.lock().unwrap(), ["awale", "awale"]);

    // Another engine has them from its first search on, unless it is told otherwise.
    let (mut other, _) = engine(&tables, Duration::from_secs(1000));
    assert!(hits(&mut other).0 > 0);
    for (switch, found) in [("SharedTablebases", false), ("SharedTablebases", true), ("Tablebases", false)] {
        other.send(&format!("setoption name {switch} value {found}"));
        assert_eq!(hits(&mut other).0 > 0, found, "{switch} {found}");
    }
}

#[test]
fn nothing_is_built_before_it_is_worth_while_nor_where_other_tables_are_named() {
    let folder = Folder::new("shared-tables-not");
    let (mut talk, asked) = engine(&folder.join("tables"), Duration::from_secs(1000));
    assert_eq!(hits(&mut talk), (0, Vec::new()));
    let own = folder.join("own");
    let (mut talk, asked_too) = engine(&folder.join("tables"), Duration::ZERO);
    let plan = Plan { top: 2, threads: 1, memory: None };
    Table::in_directory(AwaleLayers::<Abapa>::default(), &own, &plan, &Monitor::default(), |_| ()).unwrap();
    talk.send(&format!("setoption name TablebasePath value {}", own.display()));
    assert_eq!(hits(&mut talk), (0, Vec::new()));
    assert!(asked.lock().unwrap().is_empty() && asked_too.lock().unwrap().is_empty());
}

/// griot, with its shared tables in `folder`.
fn griot(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_griot"));
    command
        .args(arguments)
        .env("GRIOT_TABLES", folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

fn text(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

/// Waits until a program ends by itself.
fn end(mut child: Child) -> Output {
    let patience = Instant::now() + Duration::from_secs(300);
    while child.try_wait().unwrap().is_none() {
        assert!(Instant::now() < patience, "it goes on");
        std::thread::sleep(Duration::from_millis(5));
    }
    child.wait_with_output().unwrap()
}

#[test]
fn a_build_in_the_background_ends_with_its_input_and_is_gone_on_with() {
    let folder = Folder::new("shared-tables-background");
    let tables = folder.join("tables");
    let build = ["tablebase", "build", "--background", "--threads", "1", "--game", "awale:awari", "--seeds"];
    let mut child = griot(&tables, &[&build[..], &["40"]].concat()).spawn().unwrap();
    let first = tables.join("awale-awari-03.tb");
    while !first.exists() {
        assert!(child.try_wait().unwrap().is_none(), "it goes on until its input ends");
        std::thread::sleep(Duration::from_millis(5));
    }
    drop(child.stdin.take());
    let output = end(child);
    assert_eq!(output.status.code(), Some(2), "{}", text(&output));
    assert!(text(&output).contains("the same command goes on with the layer it was at"), "{}", text(&output));

    let mut child = griot(&tables, &[&build[..], &["4"]].concat()).spawn().unwrap();
    let input = child.stdin.take();
    let output = end(child);
    drop(input);
    assert!(output.status.success() && text(&output).contains("awale-awari-03.tb: kept"), "{}", text(&output));
}

#[test]
fn commands_without_a_directory_mean_the_shared_folder() {
    let folder = Folder::new("shared-tables-commands");
    let tables = folder.join("tables");
    let run = |arguments: &[&str]| griot(&tables, arguments).output().unwrap();
    assert!(run(&["tablebase", "build", "--game", "awale:mini", "--seeds", "3"]).status.success());
    assert!(text(&run(&["tablebase", "info"])).contains("awale:mini"));
    assert!(text(&run(&["tablebase", "verify"])).contains("awale-mini-03.tb: good"));
    let probe = ["tablebase", "probe", "--game", "awale:mini", "1-0-0-0-0-0-6-5-S"];
    assert!(run(&probe).status.success(), "{}", text(&run(&probe)));

    let foreign = tables.join("notes.tb");
    fs::write(&foreign, "my own notes").unwrap();
    let said = text(&run(&["tablebase", "clear"]));
    assert!(said.contains("4 tables deleted") && said.contains("notes.tb: left"), "{said}");
    assert_eq!(fs::read(&foreign).unwrap(), b"my own notes");
    assert!(!tables.join("awale-mini-00.tb").exists());

    let nowhere = griot(Path::new(""), &["tablebase", "info"]).output().unwrap();
    assert!(text(&nowhere).contains("GRIOT_TABLES is empty"), "{}", text(&nowhere));
}

/// Takes ten seconds of search, which is when it becomes worth while.
#[test]
#[cfg(target_os = "linux")]
fn an_engine_has_its_tables_built_and_takes_the_builder_with_it() {
    if griot_testing::left_to_the_full_run() {
        return;
    }
    let folder = Folder::new("shared-tables-engine");
    let tables = folder.join("tables");
    let mut talk = Talk::with_command(&mut griot(&tables, &[]));
    talk.send("go movetime 10100");
    talk.until("info string endgame tables of up to 18 seeds are being built *");
    talk.until("bestmove *");
    while !tables.join("awale-05.tb").exists() {
        std::thread::sleep(Duration::from_millis(10));
    }
    let threads = fs::read_dir(format!("/proc/{}/task", talk.process_id())).unwrap();
    let children = threads.map(|thread| fs::read_to_string(thread.unwrap().path().join("children")).unwrap());
    let builder: u32 = children.collect::<String>().trim().parse().unwrap();
    talk.signal("KILL");
    let patience = Instant::now() + Duration::from_secs(60);
    // One that has ended and that nobody has asked after yet has no program.
    while fs::read_link(format!("/proc/{builder}/exe")).is_ok() {
        assert!(Instant::now() < patience, "the builder goes on");
        std::thread::sleep(Duration::from_millis(10));
    }
}
