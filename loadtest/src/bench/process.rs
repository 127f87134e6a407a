//! What Linux says of the server's process: processor time and memory.

use std::fs;
use std::time::Duration;

use crate::trouble::Trouble;

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

impl Process {
    /// Of all its threads, also those that have ended, in user and in kernel mode.
    pub fn cpu(self) -> Result<Duration, Trouble> {
        let stat = self.read("stat")?;
        let ticks = ticks(&stat).ok_or_else(|| self.unreadable("stat"))?;
        Ok(TICK * ticks)
    }

    pub fn memory(self) -> Result<Memory, Trouble> {
        let status = self.read("status")?;
        memory(&status).ok_or_else(|| self.unreadable("status"))
    }

    fn read(self, file: &str) -> Result<String, Trouble> {
        let path = format!("/proc/{}/{file}", self.0);
        fs::read_to_string(&path).map_err(|error| Trouble::Machine(format!("{path}: {error}")))
    }

    fn unreadable(self, file: &str) -> Trouble {
        Trouble::Machine(format!("/proc/{}/{file} is not as expected", self.0))
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
    let kilobytes = |name: &str| {
        let line = status.lines().find_map(|line| line.strip_prefix(name))?;
        line.trim().strip_suffix(" kB")?.parse().ok()
    };
    Some(Memory {
        resident: kilobytes("VmRSS:")?,
        peak: kilobytes("VmHWM:")?,
    })
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
    fn memory_is_what_is_resident() {
        let status = "Name:\tx\nVmPeak:\t 9 kB\nVmHWM:\t   47120 kB\nVmRSS:\t   47000 kB\n";
        let (resident, peak) = (47_000, 47_120);
        assert_eq!(memory(status), Some(Memory { resident, peak }));
        assert!(Process(std::process::id()).memory().unwrap().resident > 0);
    }
}
