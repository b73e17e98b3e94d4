//! Table files: a small valid table with bytes changed, cut off or added. It is refused, or its values are right.
//!
//! Input: `LAYER MEND`, then edits of `PLACE PLACE BYTE`; the file is then shortened by the sum of the bytes that are
//! left over. `MEND` selects the checksums to correct.

#![no_main]

use std::fs;
use std::path::PathBuf;
use std::sync::LazyLock;

use griot::games::awale::{Abapa, AwaleLayers, Awari};
use griot::tablebase::file::{list, repack};
use griot::tablebase::{Form, Layered, Monitor, Plan, Reader, Table};
use libfuzzer_sys::fuzz_target;

/// The number of seeds of the largest boards.
const TOP: usize = 3;
/// The size of the header in bytes; its own checksum is the last four.
const HEADER: usize = 80;

struct Good {
    folder: PathBuf,
    files: Vec<(PathBuf, Vec<u8>)>,
}

static GOOD: LazyLock<Good> = LazyLock::new(|| {
    let folder = std::env::temp_dir().join(format!("griot-fuzz-tables-{}", std::process::id()));
    let plan = Plan { top: TOP, threads: 1, memory: None };
    Table::in_directory(AwaleLayers::<Abapa>::default(), &folder, &plan, &Monitor::default(), |_| {}).unwrap();
    Table::in_directory(AwaleLayers::<Awari>::default(), &folder, &plan, &Monitor::default(), |_| {}).unwrap();
    let mut files = Vec::new();
    for path in list(&folder).unwrap() {
        let plain = fs::read(&path).unwrap();
        repack(&path, Form::Packed, |_| ()).unwrap();
        files.push((path.clone(), fs::read(&path).unwrap()));
        fs::write(&path, &plain).unwrap();
        files.push((path, plain));
    }
    Good { folder, files }
});

fn use_table<L: Layered>(rules: L, file: &std::path::Path) {
    let Ok(table) = Table::open(rules, file.parent().unwrap()) else { return };
    for seeds in 0..=TOP.min(table.layers().len().saturating_sub(1)) {
        let rules = table.rules();
        for rank in (0..rules.size(seeds)).step_by(7) {
            let _ = table.bounds(&rules.unrank(seeds, rank));
        }
    }
}

fuzz_target!(|bytes: &[u8]| {
    let [which, mend, edits @ ..] = bytes else { return };
    let (path, good) = &GOOD.files[usize::from(*which) % GOOD.files.len()];
    let mut file = good.clone();
    let (edits, rest) = edits.as_chunks::<3>();
    for [high, low, byte] in edits {
        let at = usize::from(u16::from_be_bytes([*high, *low]));
        match file.get_mut(at) {
            Some(old) => *old = *byte,
            None => file.push(*byte),
        }
    }
    file.truncate(file.len().saturating_sub(rest.iter().map(|&byte| usize::from(byte)).sum()));
    if file.len() >= HEADER {
        if mend & 1 != 0 {
            let values = crc32fast::hash(&file[HEADER..]);
            file[72..76].copy_from_slice(&values.to_le_bytes());
        }
        if mend & 2 != 0 {
            let own = crc32fast::hash(&file[..HEADER - 4]);
            file[HEADER - 4..HEADER].copy_from_slice(&own.to_le_bytes());
        }
    }
    fs::write(path, &file).unwrap();
    if let Ok(reader) = Reader::open(path) {
        assert_eq!(reader.bytes(), file.len() as u64);
        assert!(!reader.header().identity.name.chars().any(char::is_control));
        let sound = reader.verify().is_ok();
        let is_packed = reader.form() == Form::Packed;
        assert!(is_packed || sound == (file[72..76] == crc32fast::hash(&file[HEADER..]).to_le_bytes()));
        let layer = reader.layer();
        let _ = layer.tally();
        for rank in [0, layer.boards().saturating_sub(1), layer.boards(), u64::MAX] {
            let _ = layer.bounds(rank);
        }
    }
    use_table(AwaleLayers::<Abapa>::default(), path);
    use_table(AwaleLayers::<Awari>::default(), path);
    fs::write(path, good).unwrap();
    debug_assert!(GOOD.folder.is_dir());
});
