//! How long the threads of a process have waited for a processor: time that a busy machine took from an engine.
//!
//! Linux reports it for each thread, in nanoseconds, as the second number of `schedstat`. CITE: proc(5), sched-stats.

use std::fs;
use std::time::Duration;

/// The time that the threads of process `pid` were ready to run and did not, summed; `None` where the system does not report it.
pub(crate) fn kept_waiting(pid: u32) -> Option<Duration> {
    let threads = fs::read_dir(format!("/proc/{pid}/task")).ok()?;
    let waits = threads.filter_map(|thread| {
        // A thread may end while it is looked at.
        let told = fs::read_to_string(thread.ok()?.path().join("schedstat")).ok()?;
        told.split_ascii_whitespace().nth(1)?.parse::<u64>().ok()
    });
    Some(Duration::from_nanos(waits.sum()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_that_is_not_there_tells_nothing() {
        assert_eq!(kept_waiting(u32::MAX), None);
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn this_process_never_waits_for_less_than_before() {
        let before = kept_waiting(std::process::id()).unwrap();
        assert!(kept_waiting(std::process::id()).unwrap() >= before);
    }
}
