//! Where the examples find the engine: the griot that cargo has built beside them.

use std::path::PathBuf;

/// The griot of the directory above that of this program, where cargo puts it.
///
/// # Errors
/// When there is none.
pub(crate) fn griot_beside() -> Result<PathBuf, String> {
    let here = std::env::current_exe().map_err(|error| format!("this program does not know where it is: {error}"))?;
    let name = format!("griot{}", std::env::consts::EXE_SUFFIX);
    let candidates = here.ancestors().skip(1).take(2).map(|directory| directory.join(&name));
    let found = candidates.into_iter().find(|path| path.is_file());
    found.ok_or_else(|| "there is no griot beside this program; build it with 'cargo build' in the same profile".into())
}
