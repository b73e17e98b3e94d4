//! Files that sessions name: books good and bad, folders with tables and without, places for logs.

use std::path::PathBuf;

use griot::book::{Entry, Worth, text};
use griot::registry::{TableVisitor, with_tables};
use griot::tablebase::{Monitor, Plan, Table};

use crate::support::Folder;

pub struct Files {
    folder: Folder,
}

impl Files {
    /// Makes them anew; `name` tells the tests of one process apart.
    pub fn new(name: &str) -> Files {
        let folder = Folder::new(name);
        let entry =
            |board: &str, mv: &str| Entry { board: board.into(), mv: mv.into(), worth: Worth::Centi(0), depth: 9 };
        let tictactoe = [entry("3/3/3 x", "b2"), entry("3/1x1/3 o", "a1"), entry("o2/1x1/3 x", "c1")];
        std::fs::write(folder.join("ttt.book"), text("tictactoe", &[], &tictactoe)).unwrap();
        let four = [entry("7/7/7/7/7/7 x", "d"), entry("7/7/7/7/7/3x3 o", "d")];
        std::fs::write(folder.join("four.book"), text("connect4", &[], &four)).unwrap();
        std::fs::write(folder.join("bad.book"), "griot-book 1\ngame tictactoe\npositions 1\n3/3/3 x|b2|0|9\n").unwrap();
        std::fs::create_dir(folder.join("empty")).unwrap();
        let tables = folder.join("mini");
        with_tables("awale:mini", Build(tables)).unwrap();
        Files { folder }
    }

    fn path(&self, name: &str) -> String {
        self.folder.join(name).display().to_string()
    }

    pub fn books(&self) -> Vec<String> {
        let files = ["ttt.book", "ttt.book", "four.book", "four.book", "bad.book", "missing.book", "empty"];
        files.iter().map(|name| self.path(name)).chain(["<empty>".into(), "<empty>".into()]).collect()
    }

    pub fn tables(&self) -> Vec<String> {
        ["mini", "mini", "empty", "missing"].iter().map(|name| self.path(name)).chain(["<empty>".into()]).collect()
    }

    pub fn logs(&self) -> Vec<String> {
        ["log.txt", "missing/log.txt"]
            .iter()
            .map(|name| self.path(name))
            .chain(["<empty>".into(), "<empty>".into()])
            .collect()
    }
}

struct Build(PathBuf);

impl TableVisitor for Build {
    type Output = ();
    fn visit<N, L>(self, _: N, layers: L)
    where
        N: griot::game::Notation,
        L: griot::tablebase::Layered<Board = N::Position>,
    {
        let plan = Plan { top: 12, threads: 1, memory: None };
        Table::in_directory(layers, &self.0, &plan, &Monitor::default(), |_| {}).unwrap();
    }
}
