//! `griot doctor`: version, processor, tables, dialects and front ends on this machine, for bug reports and installation. Layer 6.
//!
//! Nothing is changed. Front ends are looked for by the names of their programs, in `PATH` and where each system keeps programs;
//! none is started.

use std::env;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::thread;

use griot::protocol::dialects;
use griot::registry::{FAMILIES, any_tables};

use super::{Failure, shared_tables};

/// A front end, and what to enter there: its own menus, which only some of these programs have been tried with.
struct FrontEnd {
    name: &'static str,
    /// File names of its program, without `.exe`.
    programs: &'static [&'static str],
    /// What to enter; `{}` stands for griot's own path.
    enter: &'static str,
}

const FRONT_ENDS: &[FrontEnd] = &[
    FrontEnd {
        name: "Cute Chess",
        programs: &["cutechess", "cute chess"],
        enter: "Tools, Settings, Engines, +: command {}, protocol UCI; the variant chooses the game",
    },
    FrontEnd {
        name: "cutechess-cli",
        programs: &["cutechess-cli"],
        enter: "cutechess-cli -engine cmd={} proto=uci option.UCI_Variant=chess …",
    },
    FrontEnd {
        name: "fastchess",
        programs: &["fastchess", "fast-chess"],
        enter: "fastchess -engine cmd={} name=griot option.Game=chess …",
    },
    FrontEnd {
        name: "Arena",
        programs: &["arena"],
        enter: "Engines, Install new engine: a copy or link of {} named griot-chess, type UCI",
    },
    FrontEnd {
        name: "En Croissant",
        programs: &["en-croissant", "en croissant"],
        enter: "Engines, Add new, Local: a copy or link of {} named griot-chess",
    },
    FrontEnd {
        name: "Banksia GUI",
        programs: &["banksiagui"],
        enter: "Engines, add: a copy or link of {} named griot-chess, protocol UCI",
    },
    FrontEnd {
        name: "Scid",
        programs: &["scid", "scid vs. pc"],
        enter: "Tools, Analysis engines, New: command {}, parameters --game chess, UCI",
    },
    FrontEnd { name: "PyChess", programs: &["pychess"], enter: "Edit, Engines, New: {}, parameters --game chess" },
    FrontEnd {
        name: "Piskvork",
        programs: &["piskvork"],
        enter: "Players, Settings: a copy or link of {} named pbrain-griot.exe",
    },
    FrontEnd {
        name: "Yixin-Board",
        programs: &["yixin", "Yixin", "yixin-board"],
        enter: "a copy or link of {} beside it, named engine, on Windows engine.exe",
    },
    FrontEnd {
        name: "GoGui",
        programs: &["gogui", "gogui-twogtp"],
        enter: "Program, New program: command {} --dialect gtp --game othello",
    },
    FrontEnd {
        name: "Sabaki",
        programs: &["sabaki"],
        enter: "Engines, Manage: path {}, arguments --dialect gtp --game othello",
    },
    FrontEnd {
        name: "NBoard",
        programs: &["nboard"],
        enter: "Engine, Select Opponent, Add engine: a folder and the command {} --dialect nboard",
    },
    FrontEnd { name: "Auale", programs: &["auale"], enter: "auale --engine '{} --game awale'" },
    FrontEnd {
        name: "lichess-bot",
        programs: &["lichess-bot"],
        enter: "config.yml: engine: dir and name of {}, protocol: uci",
    },
];

/// Prints the report, a line for each fact.
pub(super) fn run(out: &mut dyn Write) -> Result<(), Failure> {
    let program = env::current_exe().unwrap_or_else(|_| PathBuf::from("griot"));
    let build = if cfg!(debug_assertions) { "; not optimised, for tests" } else { "" };
    writeln!(out, "griot {} for {} on {}{build}", env!("CARGO_PKG_VERSION"), env::consts::OS, env::consts::ARCH)?;
    writeln!(out, "program: {}", program.display())?;
    let cores = thread::available_parallelism().map_or(1, usize::from);
    writeln!(out, "processor: {}; {cores} {}", vectors(), if cores == 1 { "thread" } else { "threads" })?;
    tables(out)?;
    let games: Vec<&str> = FAMILIES.iter().map(|family| family.names[0].form).collect();
    writeln!(out, "games: {}; griot games lists their names and rules", games.join(", "))?;
    let dialects: Vec<&str> = dialects().map(|(called, _)| called).collect();
    writeln!(out, "dialects: {}; the first line of a front end chooses one", dialects.join(", "))?;
    let places = places();
    let mut found = 0;
    for front_end in FRONT_ENDS {
        let Some(path) = find(front_end, &places) else { continue };
        found += 1;
        let enter = front_end.enter.replace("{}", &program.display().to_string());
        writeln!(out, "{} ({}): {enter}", front_end.name, path.display())?;
    }
    if found == 0 {
        let names: Vec<&str> = FRONT_ENDS.iter().map(|front_end| front_end.name).collect();
        writeln!(out, "front ends: none found of {}", names.join(", "))?;
    }
    Ok(())
}

/// The vector instructions that are used.
fn vectors() -> &'static str {
    #[cfg(target_arch = "x86_64")]
    return if std::is_x86_feature_detected!("avx2") { "AVX2, which is used" } else { "no AVX2, so chess is slower" };
    #[cfg(not(target_arch = "x86_64"))]
    "portable vector code"
}

/// The folder of shared endgame tables, and what lies there.
fn tables(out: &mut dyn Write) -> Result<(), Failure> {
    let Some(folder) = shared_tables::folder() else {
        writeln!(out, "tables: none are kept, as {} is empty or there is no cache folder", shared_tables::VARIABLE)?;
        return Ok(());
    };
    let files: Vec<u64> = fs::read_dir(&folder)
        .into_iter()
        .flatten()
        .flatten()
        .filter_map(|entry| {
            let data = entry.metadata().ok().filter(fs::Metadata::is_file)?;
            Some(data.len())
        })
        .collect();
    let bytes: u64 = files.iter().sum();
    let what = match files.len() {
        0 => "no tables yet".into(),
        1 => format!("1 file, {bytes} bytes"),
        count => format!("{count} files, {bytes} bytes"),
    };
    writeln!(out, "tables: {}: {what}", folder.display())?;
    larger_tables(&folder, out)
}

/// The most seeds of the tables of awalé that are offered. Engines build those to fewer seeds by themselves.
const OFFERED: usize = 20;

/// How to get the tables that engines do not build by themselves, unless the folder has them.
fn larger_tables(folder: &Path, out: &mut dyn Write) -> Result<(), Failure> {
    let tables = any_tables("awale")?;
    let last = tables.last_layer(OFFERED);
    if !folder.join(tables.header(last).file_name()).exists() {
        writeln!(
            out,
            "larger tables: awale is some 45 Elo stronger with those to {OFFERED} seeds (452 MB, some minutes of all cores): \
             griot tablebase build --game awale --seeds {OFFERED}"
        )?;
    }
    Ok(())
}

/// The folders where programs lie.
fn places() -> Vec<PathBuf> {
    let mut places: Vec<PathBuf> =
        env::var_os("PATH").map(|path| env::split_paths(&path).collect()).unwrap_or_default();
    if cfg!(windows) {
        for variable in ["ProgramFiles", "ProgramFiles(x86)", "LOCALAPPDATA"] {
            let Some(folder) = env::var_os(variable).map(PathBuf::from) else { continue };
            let folders = [folder.clone(), folder.join("Programs")];
            places.extend(folders.iter().flat_map(|folder| below(folder)));
        }
    } else if cfg!(target_os = "macos") {
        let home = env::var_os("HOME").map(|home| PathBuf::from(home).join("Applications"));
        places.extend(home.into_iter().chain([PathBuf::from("/Applications")]));
    } else {
        places.push(PathBuf::from("/usr/games"));
    }
    places
}

/// The folders in a folder: on Windows each program has one.
fn below(folder: &Path) -> Vec<PathBuf> {
    fs::read_dir(folder)
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.is_dir())
        .collect()
}

/// The first program of a front end in these folders.
fn find(front_end: &FrontEnd, places: &[PathBuf]) -> Option<PathBuf> {
    places.iter().find_map(|place| {
        front_end.programs.iter().find_map(|program| {
            let files =
                [(*program).to_owned(), format!("{program}.exe"), format!("{program}.py"), format!("{program}.app")];
            files.iter().map(|file| place.join(file)).find(|path| path.exists())
        })
    })
}
