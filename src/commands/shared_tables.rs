//! The folder of endgame tables that all engines of a user share, and the program that fills it. Layer 6.
//!
//! What builds is griot itself, `tablebase build --background`: a process of its own, at the lowest priority, that ends with the
//! engine that started it. Of several engines one builds, for the folder is claimed; each goes on where another was ended.

use std::env;
use std::io;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use etcetera::BaseStrategy;
use griot::registry::any_tables;
use griot::session::{SharedTables, TableBuilder};

/// Names the folder; empty for none.
pub(super) const VARIABLE: &str = "GRIOT_TABLES";
/// How long an engine has searched before they are built for it.
const WORTHWHILE: Duration = Duration::from_secs(10);

/// The folder that the environment names, or the one that the system has for what programs can make again.
pub(super) fn folder() -> Option<PathBuf> {
    match env::var_os(VARIABLE) {
        Some(named) => Some(PathBuf::from(named)).filter(|named| !named.as_os_str().is_empty()),
        None => etcetera::base_strategy::choose_native_strategy()
            .ok()
            .map(|system| system.cache_dir().join("griot").join("tables")),
    }
}

/// The shared tables of an engine. A program that is not optimised would build for half an hour: it has some only if told so.
pub(super) fn shared_tables() -> Option<SharedTables> {
    let is_quick = !cfg!(debug_assertions);
    let folder = folder().filter(|_| is_quick || env::var_os(VARIABLE).is_some())?;
    let program = env::current_exe().ok()?;
    let builder = Builder { program, folder: folder.clone(), builds: Mutex::default() };
    Some(SharedTables::new(folder, Box::new(builder), WORTHWHILE))
}

/// Starts griot to build tables.
#[derive(Debug)]
struct Builder {
    program: PathBuf,
    folder: PathBuf,
    builds: Mutex<Builds>,
}

#[derive(Debug, Default)]
struct Builds {
    /// The games for which it was tried.
    games: Vec<String>,
    running: Vec<Child>,
}

impl Builder {
    fn builds(&self) -> MutexGuard<'_, Builds> {
        self.builds.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Starts a build. It ends when its input does, which is when this process does, however that comes.
    fn start(&self, game: &str) -> io::Result<Child> {
        let build = ["tablebase", "build", "--background", "--threads", "1", "--game", game, "--out"];
        let mut command = Command::new(&self.program);
        command.args(build).arg(&self.folder).stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
        #[cfg(windows)]
        std::os::windows::process::CommandExt::creation_flags(&mut command, IDLE_PRIORITY_CLASS | CREATE_NO_WINDOW);
        command.spawn()
    }
}

impl TableBuilder for Builder {
    fn begin(&self, game: &str) -> Option<String> {
        let mut builds = self.builds();
        if builds.games.iter().any(|tried| tried == game) {
            return None;
        }
        builds.games.push(game.to_owned());
        let tables = any_tables(game).ok()?;
        let top = tables.shared();
        let reach = format!("{} {}", tables.count(top), tables.counted().word());
        let last = tables.header(top);
        if self.folder.join(last.file_name()).exists() {
            return None;
        }
        match self.start(game) {
            Ok(child) => {
                builds.running.push(child);
                let folder = self.folder.display();
                Some(format!(
                    "endgame tables of up to {reach} are being built at the lowest priority, for all engines, in {folder}; \
                     SharedTablebases false switches it off, as does {VARIABLE}= in the environment"
                ))
            }
            Err(error) => {
                log::warn!("building endgame tables: {error}");
                None
            }
        }
    }

    fn has_ended(&self) -> bool {
        let mut builds = self.builds();
        let before = builds.running.len();
        builds.running.retain_mut(|child| matches!(child.try_wait(), Ok(None)));
        builds.running.len() < before
    }
}

/// Flags of the Windows API. The front end of an engine without a console would see one open.
#[cfg(windows)]
const IDLE_PRIORITY_CLASS: u32 = 0x40;
#[cfg(windows)]
const CREATE_NO_WINDOW: u32 = 0x0800_0000;

/// Gives way to every other program, and says so to `ended` when the input ends. On Windows the one who starts it sets the priority.
pub(super) fn stay_in_the_background(ended: impl FnOnce() + Send + 'static) -> io::Result<()> {
    #[cfg(unix)]
    rustix::process::setpriority_process(None, 19)?;
    std::thread::Builder::new().name("background".into()).spawn(move || {
        // Whatever is said, the end of it counts.
        let _ = io::copy(&mut io::stdin().lock(), &mut io::sink());
        ended();
    })?;
    Ok(())
}
