//! What an engine has started ends with it: a process group on Unix, a job object on Windows.
//!
//! Unix: the engine leads a group of its own, so that Ctrl-C in the terminal does not reach it; [`end_all`] is for a program that
//! ends by a signal. A group is killed at once when its leader is found to have ended: later its number may be another's.
//! Windows: closing the job, also by the end of this process, however that comes, kills all of it. A process group, by which
//! Ctrl-C in the console does not reach the engine, is something else there.

#[cfg(unix)]
pub(crate) use unix::Group;
#[cfg(windows)]
pub(crate) use windows::Group;

/// Kills all engines that run and what they have started, for a program that is about to end without dropping them.
pub fn end_all() {
    #[cfg(unix)]
    unix::end_all();
}

#[cfg(unix)]
mod unix {
    use std::process::{Child, Command};
    use std::sync::{Mutex, PoisonError};

    use rustix::process::{Pid, Signal, kill_process_group};

    /// The leaders of the groups that run.
    static RUNNING: Mutex<Vec<Pid>> = Mutex::new(Vec::new());

    #[derive(Debug)]
    pub(crate) struct Group(Option<Pid>);

    impl Group {
        pub(crate) fn prepare(command: &mut Command) {
            std::os::unix::process::CommandExt::process_group(command, 0);
        }

        pub(crate) fn of(child: &Child) -> Group {
            let leader = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
            running().extend(leader);
            Group(leader)
        }

        /// Kills all of it, once.
        pub(crate) fn kill(&mut self) {
            let Some(leader) = self.0.take() else { return };
            running().retain(|other| *other != leader);
            // A group without processes need not be killed.
            let _ = kill_process_group(leader, Signal::KILL);
        }
    }

    pub(super) fn end_all() {
        for leader in running().drain(..) {
            let _ = kill_process_group(leader, Signal::KILL);
        }
    }

    fn running() -> std::sync::MutexGuard<'static, Vec<Pid>> {
        RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(windows)]
mod windows {
    use std::os::windows::io::AsRawHandle;
    use std::process::{Child, Command};

    use win32job::Job;

    /// A flag of the Windows API.
    const CREATE_NEW_PROCESS_GROUP: u32 = 0x200;

    #[derive(Debug)]
    pub(crate) struct Group(Option<Job>);

    impl Group {
        pub(crate) fn prepare(command: &mut Command) {
            std::os::windows::process::CommandExt::creation_flags(command, CREATE_NEW_PROCESS_GROUP);
        }

        /// A system that gives no job leaves what the engine starts to the engine.
        pub(crate) fn of(child: &Child) -> Group {
            let job = || {
                let job = Job::create().ok()?;
                let mut limits = job.query_extended_limit_info().ok()?;
                limits.limit_kill_on_job_close();
                job.set_extended_limit_info(&limits).ok()?;
                job.assign_process(child.as_raw_handle() as isize).ok()?;
                Some(job)
            };
            Group(job())
        }

        /// Kills all of it, once.
        pub(crate) fn kill(&mut self) {
            self.0 = None;
        }
    }
}
