//! What the operating system knows of this process.

/// Bytes of memory that it holds; none where the system does not tell.
pub(super) fn memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kilobytes: u64 = line.trim().strip_suffix(" kB")?.parse().ok()?;
    Some(kilobytes * 1024)
}

/// Files and connections that it has open.
pub(super) fn open_files() -> Option<usize> {
    // The one that is read here is in it.
    let files = std::fs::read_dir("/proc/self/fd").ok()?.count();
    Some(files.saturating_sub(1))
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn a_process_has_memory_and_open_files() {
        assert!(memory().is_some_and(|bytes| bytes > 1024 * 1024));
        assert!(open_files().is_some_and(|files| files >= 3));
    }
}
