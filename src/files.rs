//! Files: the only module that opens and writes them. Layer 0, any thread. Errors are the system's or say what was expected;
//! the caller names the file.
//!
//! - Only regular files are opened. Pipes, devices, sockets and folders are refused.
//! - Reading follows links. Writing does not, as the user did not name the file behind the link.
//! - A file is replaced whole: the new one gets an unguessable name, is synced, and renamed. A failure leaves the old one and
//!   nothing else.
//! - A claimed name is exclusive until the claim is dropped or the process ends; the error of a second claim names the first
//!   process. Unix: by `flock`, which readers ignore. Windows: by opening without sharing writes, since a lock there would keep
//!   readers off as well.
//! - An existing file is changed only if griot made it: [`Claim::expect`], and the readers of lines.

use std::ffi::OsString;
#[cfg(not(windows))]
use std::fs::TryLockError;
use std::fs::{self, File, FileType, Metadata, OpenOptions};
use std::io::{self, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use same_file::Handle;
use tempfile::{Builder, TempPath};

/// Suffix of the lock of a claimed name.
const LOCK: &str = ".griot-lock";
/// Prefix of the process number in a lock.
const OWNER: &str = "griot ";
/// Greatest size of a lock.
const LOCK_BYTES: u64 = 64;
/// How often, and how long each time, to wait for the owner of a lock to sign it, or to close one that it has removed.
const UNSIGNED: u32 = 50;
const DELETED: u32 = 50;
const STEP: Duration = Duration::from_millis(1);

/// Opens a file for reading.
///
/// # Errors
/// If it is missing, no regular file, or the system refuses.
pub fn open(path: &Path) -> io::Result<File> {
    regular(File::options().read(true), path, true)
}

/// Opens a file for reading and appending, and creates it if missing. Others are not locked out.
///
/// # Errors
/// If it is a link or no regular file, or the system refuses.
pub fn append(path: &Path) -> io::Result<File> {
    regular(File::options().read(true).append(true).create(true), path, false)
}

/// Replaces a file by what `write` writes, or creates it.
///
/// # Errors
/// If something other than a writable regular file exists, `write` fails, or the system refuses. The file is then unchanged.
pub fn replace(path: &Path, write: impl FnOnce(&mut File) -> io::Result<()>) -> io::Result<()> {
    replace_by(Nameless::new(folder(path)), path, write)
}

/// The same, through an unnamed file or one with an unguessable name.
fn replace_by(
    nameless: Option<Nameless>,
    path: &Path,
    write: impl FnOnce(&mut File) -> io::Result<()>,
) -> io::Result<()> {
    let old = target(path)?;
    let folder = folder(path);
    let finish = |file: &File| match &old {
        Some(old) => file.set_permissions(old.permissions()).and_then(|()| file.sync_all()),
        None => file.sync_all(),
    };
    let mut names = Builder::new();
    names.prefix(".griot-").suffix(".tmp").rand_bytes(16);
    let finished: TempPath = match nameless {
        Some(mut nameless) => {
            write(&mut nameless.0)?;
            finish(&nameless.0)?;
            names.make_in(folder, |name| nameless.link(name))?.into_temp_path()
        }
        None => {
            let new = |name: &Path| File::options().read(true).write(true).create_new(true).open(name);
            let mut named = names.make_in(folder, new)?;
            write(named.as_file_mut())?;
            finish(named.as_file())?;
            named.into_temp_path()
        }
    };
    // What is left to drop is a name that is gone.
    take_place(&finished, path, &names)?;
    // The new name is durable once the directory is synced. Where directories cannot be opened, this is left to the
    // system.
    File::open(folder).map_or(Ok(()), |folder| folder.sync_all())
}

/// Gives a file the name of another one, which others may be reading.
fn take_place(new: &Path, path: &Path, names: &Builder<'_, '_>) -> io::Result<()> {
    let is_file = || fs::symlink_metadata(path).is_ok_and(|data| data.is_file());
    match fs::rename(new, path) {
        // Some file systems of Windows keep the name of an open file, but let it have another one. That one is removed at once, and
        // the content goes with its last reader.
        Err(error) if cfg!(windows) && error.kind() == ErrorKind::PermissionDenied && is_file() => {
            let aside = names.make_in(folder(path), |aside| fs::rename(path, aside))?.into_temp_path();
            let renamed = fs::rename(new, path);
            // If the old file cannot have its name back, it keeps the other one.
            if renamed.is_err() && fs::rename(&aside, path).is_err() {
                let _ = aside.keep();
            }
            renamed
        }
        done => done,
    }
}

/// Whether `path` is this file, under any name.
#[must_use]
pub fn is_at(file: &File, path: &Path) -> bool {
    let there = at(path);
    there.is_ok_and(|there| handle(file).is_ok_and(|handle| handle == there))
}

/// The stream of this process that is this file, if any.
#[must_use]
pub fn own_stream(file: &File) -> Option<&'static str> {
    let handle = handle(file).ok()?;
    let is = |stream: io::Result<Handle>| stream.is_ok_and(|stream| stream == handle);
    match () {
        () if is(Handle::stdin()) => Some("stdin"),
        () if is(Handle::stdout()) => Some("stdout"),
        () => None,
    }
}

/// Whether stdin is a regular file that is also stdout, or the file at `path`.
#[must_use]
pub fn stdin_is(path: Option<&Path>) -> bool {
    let other = path.map_or_else(Handle::stdout, at);
    // A terminal may be both stdin and stdout, which is harmless.
    let is_file = |handle: &Handle| handle.as_file().metadata().is_ok_and(|data| data.is_file());
    Handle::stdin().is_ok_and(|stdin| is_file(&stdin) && other.is_ok_and(|other| other == stdin))
}

/// The file at `path`, without blocking on a pipe as `Handle::from_path` would.
fn at(path: &Path) -> io::Result<Handle> {
    open(path).and_then(Handle::from_file)
}

fn handle(file: &File) -> io::Result<Handle> {
    file.try_clone().and_then(Handle::from_file)
}

/// A file name that only this process writes to.
///
/// The claim is a locked file beside the name that holds the process number; it is removed with the claim. If the
/// process is killed, the system releases the lock, and the file left behind has no effect.
#[derive(Debug)]
pub struct Claim {
    path: PathBuf,
    lock: PathBuf,
    /// Locked until dropped, after its name is removed.
    locked: File,
}

impl Claim {
    /// Claims a file, existing or not.
    ///
    /// # Errors
    /// When it is a link, no regular file, may not be written or is claimed, or the system refuses.
    pub fn of_file(path: &Path) -> io::Result<Claim> {
        target(path)?;
        Claim::of_name(path)
    }

    /// Claims a name that stands for several files.
    ///
    /// # Errors
    /// When it is claimed, or the system refuses.
    pub fn of_name(path: &Path) -> io::Result<Claim> {
        let name = path.file_name().ok_or_else(|| expected("a file", "a path without a name"))?;
        let lock = path.with_file_name([name, LOCK.as_ref()].into_iter().collect::<OsString>());
        let mut tries = 0..DELETED;
        loop {
            let file = exclusive(File::options().read(true).write(true).create(true), &lock, Removal::Allowed);
            let mut file = match file {
                Ok(Some(file)) => file,
                Ok(None) => return Err(taken(&lock)),
                // The folder is missing. The name of the file shows this, so the lock is not mentioned.
                Err(error) if error.kind() == ErrorKind::NotFound => return Err(error),
                // Windows refuses a name that the previous owner has removed until the file is closed, too.
                Err(error)
                    if cfg!(windows) && error.kind() == ErrorKind::PermissionDenied && tries.next().is_some() =>
                {
                    thread::sleep(STEP);
                    continue;
                }
                Err(error) => {
                    return Err(io::Error::new(error.kind(), format!("its lock, {}: {error}", lock.display())));
                }
            };
            // The previous owner may have removed the name between opening and locking.
            if !is_at(&file, &lock) {
                continue;
            }
            let text = owner_text(&mut file)?;
            if !text.is_empty() && owner(&text).is_none() {
                let text = format!("expected a lock of griot at {}, found something else", lock.display());
                return Err(io::Error::new(ErrorKind::InvalidData, text));
            }
            let mut claim = Claim { path: path.to_owned(), lock, locked: file };
            claim.sign()?;
            return Ok(claim);
        }
    }

    /// The name.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    fn sign(&mut self) -> io::Result<()> {
        self.locked.set_len(0)?;
        self.locked.rewind()?;
        self.locked.write_all(format!("{OWNER}{}\n", std::process::id()).as_bytes())
    }

    /// Checks that the file is missing, empty, or begins like what is written now.
    ///
    /// # Errors
    /// If it begins otherwise, or cannot be read.
    pub fn expect(&self, beginning: &str) -> io::Result<()> {
        let mut found = Vec::new();
        match open(&self.path) {
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            file => drop(file?.take(beginning.len() as u64).read_to_end(&mut found)?),
        }
        if found.is_empty() || found == beginning.as_bytes() {
            return Ok(());
        }
        let what = format!("a file that begins with '{beginning}', or none");
        Err(expected(&what, &format!("'{}', which is left as it is", found.escape_ascii())))
    }

    /// Opens the file for reading and adding, creates it if missing, and locks out claims by another name of the file.
    ///
    /// # Errors
    /// Those of [`append`].
    pub fn append(&self) -> io::Result<GrowingFile> {
        let mut options = File::options();
        // Windows cannot cut a file that is opened for appending alone.
        if cfg!(windows) {
            options.write(true)
        } else {
            options.append(true)
        };
        let file = exclusive(options.read(true).create(true), &self.path, Removal::Forbidden)?;
        file.map(|file| GrowingFile { file })
            .ok_or_else(|| io::Error::new(ErrorKind::ResourceBusy, "another process is writing it by another name"))
    }

    /// [`replace`] for the file claimed.
    ///
    /// # Errors
    /// Those of [`replace`].
    pub fn replace(&self, write: impl FnOnce(&mut File) -> io::Result<()>) -> io::Result<()> {
        replace(&self.path, write)
    }
}

impl Drop for Claim {
    fn drop(&mut self) {
        // If this fails, the next claim finds a lock without an owner.
        let _ = fs::remove_file(&self.lock);
    }
}

/// A file that is added to: reading begins at its start, writing is at its end.
#[derive(Debug)]
pub struct GrowingFile {
    file: File,
}

impl GrowingFile {
    /// Its length in bytes.
    ///
    /// # Errors
    /// When the system refuses.
    pub fn length(&self) -> io::Result<u64> {
        Ok(self.file.metadata()?.len())
    }

    /// Cuts it to this length.
    ///
    /// # Errors
    /// When the system refuses.
    pub fn cut(&self, length: u64) -> io::Result<()> {
        self.file.set_len(length)
    }

    /// Checks that the file still has a name. On Windows it does: a file that is open in this way cannot be removed.
    ///
    /// # Errors
    /// When it was removed.
    pub fn expect_name(&self) -> io::Result<()> {
        #[cfg(unix)]
        {
            use std::os::unix::fs::MetadataExt;
            if self.file.metadata()?.nlink() == 0 {
                return Err(io::Error::new(ErrorKind::NotFound, "the file was removed while it was written"));
            }
        }
        Ok(())
    }
}

impl Read for GrowingFile {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        self.file.read(bytes)
    }
}

impl Write for GrowingFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if cfg!(windows) {
            self.file.seek(SeekFrom::End(0))?;
        }
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// Whether a file may lose its name while it is open. Unix always allows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Removal {
    Allowed,
    Forbidden,
}

/// Opens a regular file and claims it for writing; `None` if another process has claimed it.
#[cfg(not(windows))]
fn exclusive(options: &mut OpenOptions, path: &Path, _: Removal) -> io::Result<Option<File>> {
    let file = regular(options, path, false)?;
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => Ok(None),
        // Continue without a lock on a file system that has none.
        Err(TryLockError::Error(error)) if error.kind() != ErrorKind::Unsupported => Err(error),
        _ => Ok(Some(file)),
    }
}

/// Opens a regular file and claims it for writing; `None` if another process has claimed it.
#[cfg(windows)]
fn exclusive(options: &mut OpenOptions, path: &Path, removal: Removal) -> io::Result<Option<File>> {
    use std::os::windows::fs::OpenOptionsExt;
    // FILE_SHARE_READ, FILE_SHARE_DELETE and ERROR_SHARING_VIOLATION of the Windows API.
    const READ: u32 = 1;
    const DELETE: u32 = 4;
    const SHARING_VIOLATION: i32 = 32;
    let shared = if removal == Removal::Allowed { READ | DELETE } else { READ };
    match regular(options.share_mode(shared), path, false) {
        Err(error) if error.raw_os_error() == Some(SHARING_VIOLATION) => Ok(None),
        file => file.map(Some),
    }
}

/// The content of a lock.
fn owner_text(file: &mut File) -> io::Result<String> {
    let mut bytes = Vec::new();
    file.rewind()?;
    file.take(LOCK_BYTES + 1).read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// The number of the process that a lock names.
fn owner(text: &str) -> Option<u32> {
    text.strip_prefix(OWNER)?.strip_suffix('\n')?.parse().ok()
}

/// The error that another process has the lock.
fn taken(lock: &Path) -> io::Error {
    let mut found = None;
    // The owner locks the file before it writes its process number.
    for _ in 0..UNSIGNED {
        found = open(lock).and_then(|mut file| owner_text(&mut file)).ok().and_then(|text| owner(&text));
        if found.is_some() {
            break;
        }
        thread::sleep(STEP);
    }
    let text = match found {
        Some(own) if own == std::process::id() => "the same command writes it already".into(),
        Some(owner) => format!("process {owner} is writing it (its lock is {})", lock.display()),
        None => format!("another process is writing it (its lock is {})", lock.display()),
    };
    io::Error::new(ErrorKind::ResourceBusy, text)
}

/// The folder of a file.
fn folder(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Checks the file at a path to be written.
fn target(path: &Path) -> io::Result<Option<Metadata>> {
    let data = match fs::symlink_metadata(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        data => data?,
    };
    expect_regular(data.file_type())?;
    if data.permissions().readonly() {
        return Err(io::Error::new(ErrorKind::PermissionDenied, "the file may not be written"));
    }
    Ok(Some(data))
}

/// Opens a regular file.
fn regular(options: &mut OpenOptions, path: &Path, follow: bool) -> io::Result<File> {
    // Check before opening, as opening a device may have side effects.
    match if follow { fs::metadata(path) } else { fs::symlink_metadata(path) } {
        // Opening reports this, or creates the file.
        Err(error) if error.kind() == ErrorKind::NotFound => {}
        data => expect_regular(data?.file_type())?,
    }
    #[cfg(unix)]
    {
        use rustix::fs::OFlags;
        use std::os::unix::fs::OpenOptionsExt;
        let links = if follow { OFlags::empty() } else { OFlags::NOFOLLOW };
        options.custom_flags((OFlags::NONBLOCK | OFlags::NOCTTY | links).bits().cast_signed());
    }
    let file = options.open(path)?;
    // Check what was opened, too: the file may have been replaced since the first check.
    expect_regular(file.metadata()?.file_type())?;
    Ok(file)
}

fn expect_regular(found: FileType) -> io::Result<()> {
    if found.is_file() {
        return Ok(());
    }
    #[cfg(unix)]
    let other = {
        use std::os::unix::fs::FileTypeExt;
        match () {
            () if found.is_fifo() => "a pipe",
            () if found.is_socket() => "a socket",
            () => "a device",
        }
    };
    #[cfg(not(unix))]
    let other = "something else";
    let found = match () {
        () if found.is_dir() => "a directory",
        () if found.is_symlink() => "a symbolic link",
        () => other,
    };
    Err(expected("a file", found))
}

fn expected(what: &str, found: &str) -> io::Error {
    io::Error::new(ErrorKind::InvalidInput, format!("expected {what}, found {found}"))
}

/// An unnamed file, which vanishes if the process is killed.
struct Nameless(File);

#[cfg(target_os = "linux")]
impl Nameless {
    /// An unnamed file in this folder, where the file system supports it.
    fn new(folder: &Path) -> Option<Nameless> {
        use std::os::unix::fs::OpenOptionsExt;
        let flags = rustix::fs::OFlags::TMPFILE.bits().cast_signed();
        let open = || File::options().read(true).write(true).custom_flags(flags).open(folder).ok();
        Path::new("/proc/self/fd").is_dir().then(open).flatten().map(Nameless)
    }

    /// Gives it a new name.
    fn link(&self, name: &Path) -> io::Result<()> {
        use rustix::fs::{AtFlags, CWD, linkat};
        use std::os::fd::AsRawFd;
        let own = format!("/proc/self/fd/{}", self.0.as_raw_fd());
        Ok(linkat(CWD, own, CWD, name, AtFlags::SYMLINK_FOLLOW)?)
    }
}

#[cfg(not(target_os = "linux"))]
impl Nameless {
    fn new(_: &Path) -> Option<Nameless> {
        None
    }

    fn link(&self, _: &Path) -> io::Result<()> {
        Err(ErrorKind::Unsupported.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let names = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let mut names: Vec<String> = names.collect();
        names.sort();
        names
    }

    /// Each way of writing a file whole.
    fn by_each_way(
        test: impl Fn(&Path, &dyn Fn(&Path, &mut dyn FnMut(&mut File) -> io::Result<()>) -> io::Result<()>),
    ) {
        let folder = tempfile::tempdir().unwrap();
        test(folder.path(), &|path, write| replace_by(None, path, write));
        if Nameless::new(folder.path()).is_some() {
            let folder = tempfile::tempdir().unwrap();
            test(folder.path(), &|path, write| replace_by(Nameless::new(folder.path()), path, write));
        }
    }

    #[test]
    fn a_file_is_replaced_whole() {
        by_each_way(|folder, replace| {
            let path = folder.join("a");
            for text in ["first", "2"] {
                replace(&path, &mut |file| file.write_all(text.as_bytes())).unwrap();
                assert_eq!(fs::read_to_string(&path).unwrap(), text);
            }
            assert_eq!(names(folder), ["a"]);
        });
    }

    #[test]
    fn a_failed_write_or_rename_leaves_what_was_there_and_nothing_else() {
        by_each_way(|folder, replace| {
            let path = folder.join("a");
            fs::write(&path, "old").unwrap();
            let full = replace(&path, &mut |file| {
                file.write_all(b"half")?;
                Err(ErrorKind::StorageFull.into())
            });
            assert_eq!(full.unwrap_err().kind(), ErrorKind::StorageFull);
            assert_eq!((names(folder), fs::read_to_string(&path).unwrap()), (vec!["a".to_owned()], "old".to_owned()));
            // No file can take the place of a directory.
            let renamed = replace(&path, &mut |file| {
                fs::remove_file(&path)?;
                fs::create_dir(&path)?;
                file.write_all(b"whole")
            });
            assert!(renamed.is_err());
            assert_eq!(names(folder), ["a"]);
        });
    }

    #[cfg(unix)]
    #[test]
    fn a_file_keeps_its_permissions_and_one_that_may_not_be_written_is_not() {
        use std::os::unix::fs::PermissionsExt;
        by_each_way(|folder, replace| {
            let path = folder.join("a");
            fs::write(&path, "old").unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
            replace(&path, &mut |file| file.write_all(b"new")).unwrap();
            assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
            fs::set_permissions(&path, fs::Permissions::from_mode(0o400)).unwrap();
            let error = replace(&path, &mut |file| file.write_all(b"newer")).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::PermissionDenied);
            assert_eq!(fs::read_to_string(&path).unwrap(), "new");
        });
    }

    #[test]
    fn a_name_is_claimed_once_and_its_lock_goes_with_the_claim() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        let claim = Claim::of_file(&path).unwrap();
        let error = Claim::of_file(&path).unwrap_err();
        assert_eq!(
            (error.kind(), error.to_string()),
            (ErrorKind::ResourceBusy, "the same command writes it already".into())
        );
        assert_eq!(names(folder.path()), ["a.griot-lock"]);
        drop(claim);
        assert!(names(folder.path()).is_empty());
        // A lock left by a killed process is taken over; a file that is not a lock of griot is not.
        let lock = folder.path().join("a.griot-lock");
        for left in ["", "griot 4000000\n"] {
            fs::write(&lock, left).unwrap();
            drop(Claim::of_file(&path).unwrap());
            assert!(names(folder.path()).is_empty());
        }
        for foreign in ["my notes", "griot", "griot 1\n2\n"] {
            fs::write(&lock, foreign).unwrap();
            assert!(Claim::of_file(&path).unwrap_err().to_string().contains("expected a lock of griot"));
            assert_eq!(fs::read_to_string(&lock).unwrap(), foreign);
        }
    }

    #[test]
    fn of_ten_that_claim_a_name_at_once_one_has_it_at_a_time() {
        use std::sync::atomic::{AtomicUsize, Ordering};
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        let (holders, claims) = (AtomicUsize::new(0), AtomicUsize::new(0));
        thread::scope(|scope| {
            for _ in 0..10 {
                scope.spawn(|| {
                    for _ in 0..40 {
                        if let Ok(_claim) = Claim::of_file(&path) {
                            assert_eq!(holders.fetch_add(1, Ordering::SeqCst), 0);
                            claims.fetch_add(1, Ordering::SeqCst);
                            thread::yield_now();
                            holders.fetch_sub(1, Ordering::SeqCst);
                        }
                    }
                });
            }
        });
        assert!(claims.into_inner() > 0 && names(folder.path()).is_empty());
    }

    #[test]
    fn what_begins_otherwise_is_not_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        let expect = |beginning: &str| Claim::of_file(&path).unwrap().expect(beginning);
        assert!(expect("<svg").is_ok());
        for (text, good) in [("", true), ("<svg x", true), ("<sv", false), ("letter", false)] {
            fs::write(&path, text).unwrap();
            assert_eq!(expect("<svg").is_ok(), good, "{text}");
        }
    }
}
