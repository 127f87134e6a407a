//! What Linux says of the server's process: processor time and memory.

use std::collections::BTreeMap;
use std::fs;
use std::time::Duration;

use crate::error::LoadTestError;

/// `USER_HZ`: Linux counts a process's time to programs in hundredths of a second, whatever its own
/// clock does.
const TICK: Duration = Duration::from_millis(10);

#[derive(Clone, Copy, Debug)]
pub struct Process(pub u32);

/// In kilobytes of 1,024.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Memory {
    pub resident: u64,
    /// The most that was ever resident.
    pub peak: u64,
}

/// Processor time of each thread, in nanoseconds.
#[derive(Clone, Debug, Default)]
pub struct Ran(BTreeMap<String, u64>);

impl Process {
    /// Its threads' time to the nanosecond, of those that live; what lies between two of these is
    /// what it used, but for threads that ended.
    pub fn ran(self) -> Result<Ran, LoadTestError> {
        let path = format!("/proc/{}/task", self.0);
        let tasks = fs::read_dir(&path)
            .map_err(|error| LoadTestError::Machine(format!("{path}: {error}")))?;
        let mut ran = BTreeMap::new();
        for task in tasks.flatten() {
            // One that has ended meanwhile has no time any more.
            let read = fs::read_to_string(task.path().join("schedstat"));
            if let Some(nanoseconds) = read.ok().as_deref().and_then(on_processor) {
                ran.insert(task.file_name().to_string_lossy().into_owned(), nanoseconds);
            }
        }
        Ok(Ran(ran))
    }

    /// Bytes that are its own, and its share of what it shares.
    pub fn resident_bytes(self) -> Result<u64, LoadTestError> {
        let rollup = self.read("smaps_rollup")?;
        let kilobytes =
            kilobytes(&rollup, "Pss:").ok_or_else(|| self.unreadable("smaps_rollup"))?;
        Ok(kilobytes * 1_024)
    }

    /// Of all its threads, also those that have ended, in user and in kernel mode.
    pub fn cpu(self) -> Result<Duration, LoadTestError> {
        let stat = self.read("stat")?;
        let ticks = ticks(&stat).ok_or_else(|| self.unreadable("stat"))?;
        Ok(TICK * ticks)
    }

    pub fn memory(self) -> Result<Memory, LoadTestError> {
        let status = self.read("status")?;
        memory(&status).ok_or_else(|| self.unreadable("status"))
    }

    fn read(self, file: &str) -> Result<String, LoadTestError> {
        let path = format!("/proc/{}/{file}", self.0);
        fs::read_to_string(&path)
            .map_err(|error| LoadTestError::Machine(format!("{path}: {error}")))
    }

    fn unreadable(self, file: &str) -> LoadTestError {
        LoadTestError::Machine(format!("/proc/{}/{file} is not as expected", self.0))
    }
}

/// Fields 14 and 15 of `stat`, utime and stime. The second field, the name, may have spaces and
/// parentheses in it.
fn ticks(stat: &str) -> Option<u32> {
    let (_, after_name) = stat.rsplit_once(')')?;
    let mut fields = after_name.split_whitespace().skip(14 - 3);
    let mut next = || fields.next()?.parse::<u32>().ok();
    Some(next()? + next()?)
}

fn memory(status: &str) -> Option<Memory> {
    Some(Memory {
        resident: kilobytes(status, "VmRSS:")?,
        peak: kilobytes(status, "VmHWM:")?,
    })
}

fn kilobytes(text: &str, name: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    line.trim().strip_suffix(" kB")?.parse().ok()
}

/// The first of three numbers; the others are how long it waited, and how often it ran.
fn on_processor(schedstat: &str) -> Option<u64> {
    schedstat.split_whitespace().next()?.parse().ok()
}

impl Ran {
    pub fn since(&self, before: &Self) -> Duration {
        let nanoseconds = self.0.iter().map(|(thread, now)| {
            let before = before.0.get(thread).copied().unwrap_or(0);
            now.saturating_sub(before)
        });
        Duration::from_nanos(nanoseconds.sum())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn user_and_kernel_time_are_added() {
        let stat = "7 (a (b) c) S 1 7 7 0 -1 4194560 5032 0 0 0 250 31 0 0 20 0 9 0 1 1 1";
        assert_eq!(ticks(stat), Some(281));
        assert_eq!(ticks("7 (a)"), None);
    }

    #[test]
    fn memory_is_the_resident_size() {
        let status = "Name:\tx\nVmPeak:\t 9 kB\nVmHWM:\t   47120 kB\nVmRSS:\t   47000 kB\n";
        let (resident, peak) = (47_000, 47_120);
        assert_eq!(memory(status), Some(Memory { resident, peak }));
        assert!(Process(std::process::id()).memory().unwrap().resident > 0);
    }

    #[test]
    fn a_thread_that_ended_does_not_reduce_processor_time() {
        let ran = |threads: &[(&str, u64)]| {
            Ran(threads
                .iter()
                .map(|(thread, ns)| ((*thread).to_owned(), *ns))
                .collect())
        };
        let before = ran(&[("1", 500), ("2", 900)]);
        let after = ran(&[("1", 700), ("3", 50)]);
        assert_eq!(after.since(&before), Duration::from_nanos(250));
        assert_eq!(on_processor("250 31 7\n"), Some(250));
    }

    #[test]
    fn this_process_uses_processor_time_and_memory() {
        let this = Process(std::process::id());
        let before = this.ran().unwrap();
        let busy: u64 = (0..2_000_000_u64).map(std::hint::black_box).sum();
        assert!(
            this.ran().unwrap().since(&before) > Duration::ZERO,
            "{busy}"
        );
        assert!(this.resident_bytes().unwrap() > 100_000);
    }
}
