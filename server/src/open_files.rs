//! The files that this process may open, and what they are for: every screen is one, and the
//! database, the log and requests need some, too.

use std::io;

/// Left for everything but sessions: a quarter, and at least this many.
const MIN_OTHER_FILES: u64 = 128;

/// With fewer nothing works: the databases' connections alone are dozens.
const MIN_FILES: u64 = 256;

/// A limit under which fewer sessions than this fit is worth a word at start.
const FEW_SESSIONS: usize = 1_000;

/// HTTP connections of one thread where files are plenty: actix's own default.
const MAX_CONNECTIONS: usize = 25_600;

#[derive(Debug, thiserror::Error)]
#[error(
    "may open only {files} files, and needs {MIN_FILES} at least: raise LimitNOFILE (systemd) or ulimit -n"
)]
pub struct TooFewFiles {
    files: u64,
}

/// How many files there are to share out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OpenFiles {
    files: u64,
}

impl OpenFiles {
    /// Raises this process's limit as far as it may be raised.
    pub fn raise_limit() -> Result<Self, TooFewFiles> {
        let raised = rlimit::increase_nofile_limit(u64::MAX);
        let files = raised.or_else(|error: io::Error| {
            tracing::warn!(%error, "the limit of open files was not raised");
            rlimit::Resource::NOFILE.get_soft()
        });
        // Where nobody knows the limit there may be none.
        let files = files.unwrap_or(u64::MAX);
        if files < MIN_FILES {
            return Err(TooFewFiles { files });
        }
        Ok(Self { files })
    }

    /// Sessions of the stream at once, in all threads.
    pub fn sessions(self) -> usize {
        let others = (self.files / 4).max(MIN_OTHER_FILES);
        usize::try_from(self.files.saturating_sub(others)).unwrap_or(usize::MAX)
    }

    /// HTTP connections of each thread at once: all polling sessions have theirs.
    pub fn connections(self) -> usize {
        // As many threads as actix starts by itself.
        let threads = std::thread::available_parallelism().map_or(1, std::num::NonZeroUsize::get);
        (self.sessions() / threads).clamp(1, MAX_CONNECTIONS)
    }

    /// Says where screens may be turned away.
    pub fn warn_if_few(self) {
        if self.sessions() < FEW_SESSIONS {
            tracing::warn!(
                "may open only {} files, so at most {} screens at once; raise LimitNOFILE (systemd) or \
                 ulimit -n",
                self.files,
                self.sessions()
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quarter_of_the_files_and_at_least_128_are_not_for_sessions() {
        for (files, sessions) in [(256, 128), (512, 384), (1_024, 768), (4_096, 3_072)] {
            assert_eq!(OpenFiles { files }.sessions(), sessions, "{files}");
        }
        assert!(OpenFiles { files: u64::MAX }.connections() <= MAX_CONNECTIONS);
    }
}
